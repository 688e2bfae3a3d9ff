package transfer

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store/sqlite"
)

// sums are the SHA-256 of the copies in a backups folder, each taken after the copy was verified. The file is in the format of
// sha256sum -c. A copy without a sum (made before a migration) is verified by reading it.
type sums map[string]string

const sumsFile = "SHA256SUMS"

func readSums(dir string) sums {
	known := sums{}
	text, err := filesys.ReadFile(filepath.Join(dir, sumsFile))
	if err != nil {
		return known
	}
	for line := range strings.Lines(string(text)) {
		if sum, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "  "); ok && len(sum) == 2*sha256.Size {
			known[name] = sum
		}
	}
	return known
}

// write replaces the file. Sums of copies that are gone are left out.
func (s sums) write(dir string) error {
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(s)) {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			fmt.Fprintf(&text, "%s  %s\n", s[name], name)
		}
	}
	temporary := filepath.Join(dir, sumsFile+".new")
	if err := filesys.WriteFile(temporary, []byte(text.String()), 0o600); err != nil {
		return err
	}
	return filesys.Rename(temporary, filepath.Join(dir, sumsFile))
}

// kept records the sum of a copy that was just verified.
func kept(ctx context.Context, c config.Config, path string) (BackupResult, error) {
	sum, err := sumOf(path)
	if err != nil {
		return BackupResult{}, err
	}
	err = inBackups(ctx, c, func() error {
		known := readSums(c.Backups())
		known[filepath.Base(path)] = sum
		return known.write(c.Backups())
	})
	if err != nil {
		return BackupResult{}, err
	}
	return sized(path)
}

func sumOf(path string) (string, error) {
	f, err := filesys.Open(path, os.O_RDONLY, 0)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }() // it was only read
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// verify returns the sum of a copy that is whole, or says why it is not.
func (s sums) verify(ctx context.Context, path string) (sum string, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("not a file: %w", memory.ErrInvalid)
	}
	if sum, err = sumOf(path); err != nil {
		return "", err
	}
	if known, ok := s[filepath.Base(path)]; ok {
		if sum != known {
			return "", fmt.Errorf("its bytes are not those in %s any more: %w", sumsFile, memory.ErrDamaged)
		}
		return sum, nil
	}
	if filepath.Ext(path) == ".jsonl" {
		return sum, verifyExport(path)
	}
	return sum, sqlite.Verify(ctx, path)
}

// verifyExport reads an export to its end: each line is JSON, and none is cut short.
func verifyExport(path string) error {
	f, err := filesys.Open(path, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // it was only read
	lines := bufio.NewReader(f)
	for n := 1; ; n++ {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) && len(line) == 0 && n > 1 {
			return nil
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if n == 1 {
			if err := checkHeader(bytes.TrimSpace(line)); err != nil {
				return err
			}
		}
		if err != nil || !json.Valid(line) {
			return fmt.Errorf("line %d is not whole: %w", n, memory.ErrDamaged)
		}
	}
}

// backupName recognises copies that hebb named, when and why each was made. Other files in the folder are not its business.
const backupName = `^hebb-(\d{8}-\d{6}\.\d{3})-([a-z-]+?)(-\d+)?\.(db|jsonl)$`

// keptCopy is a file in the backups folder that hebb named.
type keptCopy struct {
	file  string
	at    time.Time // by its name
	bytes int64
}

// keptCopies returns the copies of each kind, newest first.
func keptCopies(dir string) (map[string][]keptCopy, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	named := regexp.MustCompile(backupName) // here and not at the start of the program, where every hook would pay for it
	kinds := map[string][]keptCopy{}
	for _, e := range slices.Backward(entries) { // sorted by name, and the date leads it
		m := named.FindStringSubmatch(e.Name())
		if m == nil {
			continue
		}
		info, err := e.Info()
		if err == nil && !info.Mode().IsRegular() {
			continue
		}
		at, failed := time.Parse(stampLayout, m[1])
		if err != nil || failed != nil {
			continue // gone meanwhile, or no date of ours
		}
		kinds[m[2]] = append(kinds[m[2]], keptCopy{file: filepath.Join(dir, e.Name()), at: at, bytes: info.Size()})
	}
	return kinds, nil
}

// prune removes old copies from the backups folder. Each kind of copy has room of its own: automatic copies
// never replace those of a person. Only whole copies count as kept, so no number of broken files replaces a good one; a broken one
// goes when there is no room for one of its age. The spared stay, whatever their age: a wrong clock may have left copies that seem
// newer than the newest. Those it dated after now keep none of the others from staying.
func prune(ctx context.Context, c config.Config, now time.Time, spared ...string) error {
	return inBackups(ctx, c, func() error {
		kinds, err := keptCopies(c.Backups())
		if err != nil {
			return err
		}
		known := readSums(c.Backups())
		for kind, copies := range kinds {
			room := &retention{copies: c.Tuning.Store.BackupsKept}
			if kind == daily {
				room = &retention{bytes: c.Tuning.Store.BackupBytes, daily: true}
			}
			if err := pruneKind(ctx, known, byAge(copies, now), room, spared); err != nil {
				return fmt.Errorf("make room in the backups folder: %w", err)
			}
		}
		return known.write(c.Backups())
	})
}

// byAge sorts copies as they are to be kept: the newest first, and those dated after now last.
func byAge(copies []keptCopy, now time.Time) []keptCopy {
	ahead := slices.IndexFunc(copies, func(k keptCopy) bool { return !k.at.After(now) })
	if ahead <= 0 {
		return copies
	}
	return slices.Concat(copies[ahead:], copies[:ahead])
}

// pruneKind removes the copies of one kind for which there is no room; copies are sorted as byAge does.
func pruneKind(ctx context.Context, known sums, copies []keptCopy, room *retention, spared []string) error {
	isSpared := func(k keptCopy) bool {
		return slices.ContainsFunc(spared, func(s string) bool { return sameFile(s, k.file) })
	}
	old := slices.DeleteFunc(slices.Clone(copies), func(k keptCopy) bool {
		if isSpared(k) {
			room.take(k)
		}
		return isSpared(k)
	})
	for _, k := range old {
		if !room.has(k) {
			if err := filesys.Remove(k.file); err != nil {
				return err
			}
			continue
		}
		sum, err := known.verify(ctx, k.file)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			continue // it takes no room from one that is whole
		}
		known[filepath.Base(k.file)] = sum
		room.take(k)
	}
	return nil
}

func sameFile(a, b string) bool {
	one, err1 := os.Stat(a)
	other, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(one, other)
}

// Automatic copies: the newest of each of the last days and weeks that have one.
const (
	daysKept  = 7
	weeksKept = 4
)

// retention decides which copies of a kind stay: of those that people made a number of copies; of the daily ones the newest of
// each of seven days and four weeks, within a number of bytes, and always the first. It is asked newest first, and notified of each
// copy that stays.
type retention struct {
	copies      int
	daily       bool
	bytes       int64
	days, weeks []string
}

func dayOf(at time.Time) string { return at.Format("20060102") }

func weekOf(at time.Time) string {
	year, week := at.ISOWeek()
	return fmt.Sprint(year, "-", week)
}

func (r *retention) newDay(k keptCopy) bool {
	return len(r.days) < daysKept && !slices.Contains(r.days, dayOf(k.at))
}

func (r *retention) newWeek(k keptCopy) bool {
	return len(r.weeks) < weeksKept && !slices.Contains(r.weeks, weekOf(k.at))
}

func (r *retention) has(k keptCopy) bool {
	if !r.daily {
		return r.copies > 0
	}
	return len(r.days) == 0 || k.bytes <= r.bytes && (r.newDay(k) || r.newWeek(k))
}

func (r *retention) take(k keptCopy) {
	r.copies--
	r.bytes -= k.bytes
	if r.newDay(k) {
		r.days = append(r.days, dayOf(k.at))
	}
	if r.newWeek(k) {
		r.weeks = append(r.weeks, weekOf(k.at))
	}
}
