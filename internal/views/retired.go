package views

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/filesys"
)

const (
	// privateFolder holds the retired copies: those of projects/web/RECENT.md in .retired/projects/web/RECENT.md. It is inside
	// the vault because files change places only within one file system.
	privateFolder = ".retired"

	freshSuffix = ".new"  // a file that is to become the view
	baseSuffix  = ".base" // the text that a retired copy was known to hold

	// leftoverAge is the age at which a temporary file is taken for one of a killed process.
	leftoverAge = time.Minute

	digestLength = 32 // of 64 hexadecimal digits: no two texts of one view agree in 128 bits
	nonceLength  = 10
)

// retired is a copy that was replaced, or is about to be, as its name describes it.
type retired struct {
	since time.Time // nothing else was seen to be written to it since then
	known string    // digest of the text that hebb knew it to hold
	next  string    // digest of the text that took, or was to take, its place
	nonce string    // makes the name the only one
	acked bool      // the caller has acknowledged next
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])[:digestLength]
}

// stem is the name without what may change about a copy that holds the same. What belongs to a copy is named after it.
func (c retired) stem() string {
	return fmt.Sprintf("%013d-%s-%s-%s", c.since.UnixMilli(), c.known, c.next, c.nonce)
}

func (c retired) name() string {
	if c.acked {
		return c.stem() + "-told"
	}
	return c.stem() + "-open"
}

func (c retired) fresh() string { return c.stem() + freshSuffix }
func (c retired) base() string  { return c.stem() + baseSuffix }

// parseRetired reads the name of a copy. Anything else in the folder is not a copy.
func parseRetired(name string) (retired, bool) {
	stem, isOpen := strings.CutSuffix(name, "-open")
	stem, acked := strings.CutSuffix(stem, "-told")
	c, ok := parseStem(stem)
	c.acked = acked
	return c, ok && isOpen != acked
}

func parseStem(stem string) (retired, bool) {
	parts := strings.Split(stem, "-")
	if len(parts) != 4 {
		return retired{}, false
	}
	millis, err := strconv.ParseInt(parts[0], 10, 64)
	c := retired{since: time.UnixMilli(millis), known: parts[1], next: parts[2], nonce: parts[3]}
	return c, err == nil && len(c.known) == digestLength && len(c.next) == digestLength && c.stem() == stem
}

// witnesses says that hebb itself replaced last by text, and that the caller did not live to know it.
func (c retired) witnesses(last, text string) bool {
	return !c.acked && last != text && c.known == digest(last) && c.next == digest(text)
}

func (w *view) in(name string) string { return path.Join(w.private, name) }

func (w *view) newCopy(seen, next string) retired {
	return retired{since: w.Now(), known: digest(seen), next: digest(next), nonce: newNonce()}
}

func newNonce() string { return rand.Text()[:nonceLength] }

// entries are the names in the private folder, in order.
func (w *view) entries() ([]string, error) {
	folder, err := w.root.Open(w.private)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	names, err := folder.Readdirnames(-1)
	slices.Sort(names)
	return names, err
}

// copiesAmong are the retired copies, the oldest first.
func copiesAmong(entries []string) (copies []retired) {
	for _, name := range entries {
		if c, ok := parseRetired(name); ok {
			copies = append(copies, c)
		}
	}
	return copies
}

// acknowledge marks the copies whose successor the caller knows. From then on a view that holds the successor's text again
// is a person's doing.
func (w *view) acknowledge(copies []retired, last string) error {
	for i, c := range copies {
		if c.acked || c.next != digest(last) {
			continue
		}
		copies[i].acked = true
		err := w.rename(w.in(c.name()), w.in(copies[i].name()))
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // somebody else renamed or removed it
			return err
		}
	}
	return nil
}

// late is what was written to a copy since it was known, if anything was. A copy without news is removed when its time has
// come, where mayGo allows.
func (w *view) late(c retired, copies []retired, mayGo bool) (Edit, error) {
	file, err := w.read(w.in(c.name()))
	if err != nil || !file.there {
		return Edit{}, err
	}
	if !c.hasNews(file.text, copies) {
		if mayGo {
			w.sweep(c, file.text)
		}
		return Edit{}, nil
	}
	base, err := w.read(w.in(c.base()))
	if err != nil || digest(base.text) != c.known {
		base.text = "" // a power cut can take it; the edit itself is whole
	}
	return Edit{Text: file.text, Base: base.text, At: file.moved, done: func() error { return w.remember(c, file.text) }}, nil
}

// hasNews says that a copy holds what hebb does not know. An empty one is about to be written. One that holds its successor
// never was in the view, or somebody wrote the same; and one that holds what another process put in the place of the same
// text is hebb's own as well.
func (c retired) hasNews(text string, copies []retired) bool {
	now := digest(text)
	if text == "" || now == c.known {
		return false
	}
	return !slices.ContainsFunc(copies, func(other retired) bool { return other.known == c.known && other.next == now })
}

// remember notes that the text of a copy is known, and begins its time of grace again: its writer may go on. The copy
// itself is not looked at, so that what it holds besides is news.
func (w *view) remember(c retired, text string) (err error) {
	defer wrap(&err, "note an edit of", w.name)
	again, err := w.openRoot() // the look that found it is over
	if err != nil {
		return err
	}
	defer again.close()
	again.name, again.private = w.name, w.private
	known := c
	known.since, known.known = w.Now(), digest(text)
	if known.name() == c.name() {
		return nil
	}
	if _, err := again.write(again.in(known.base()), text, fileMode); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	again.before("remember")
	if err := again.rename(again.in(c.name()), again.in(known.name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	again.discard(c.base())
	return again.sync(again.private)
}

// sweep removes a copy that is old enough, that no process has open for writing as far as the system reports, and that still holds
// the same. It first gets a name that no other process knows: one that holds its successor may be about to be exchanged.
func (w *view) sweep(c retired, text string) {
	least := w.Grace
	if digest(text) == c.next {
		least = max(least, leftoverAge)
	}
	if w.Now().Sub(c.since) < least {
		return
	}
	ours := c
	ours.nonce = newNonce()
	_ = w.rename(w.in(c.base()), w.in(ours.base())) // not every copy has one
	if w.rename(w.in(c.name()), w.in(ours.name())) != nil {
		return // somebody else was faster, or has it open; there will be another look
	}
	w.before("sweep")
	if !w.heldForWriting(ours) {
		if now, err := w.read(w.in(ours.name())); err == nil && now.text == text {
			w.discard(ours.name(), ours.base())
			w.removeEmptyFolders()
		}
	}
}

func (w *view) heldForWriting(c retired) bool {
	f, err := filesys.OpenIn(w.root, w.in(c.name()))
	if err != nil {
		return true // who knows
	}
	defer f.Close()
	return heldForWriting(f)
}

// sweepLeftovers removes what killed processes left: texts of hebb that never became views, and bases
// without a copy.
func (w *view) sweepLeftovers(entries []string, copies []retired) {
	stems := map[string]bool{}
	for _, c := range copies {
		stems[c.stem()] = true
	}
	for _, name := range entries {
		stem, isFresh := strings.CutSuffix(name, freshSuffix)
		stem, isBase := strings.CutSuffix(stem, baseSuffix)
		if !isFresh && !isBase || isBase && stems[stem] {
			continue
		}
		if c, ok := parseStem(stem); ok && w.Now().Sub(c.since) >= max(w.Grace, leftoverAge) {
			w.discard(name)
			w.removeEmptyFolders()
		}
	}
}

// removeEmptyFolders removes the private folders that nothing is in; they refuse where something is.
func (w *view) removeEmptyFolders() {
	for folder := w.private; folder != "."; folder = path.Dir(folder) {
		if w.root.Remove(folder) != nil {
			return
		}
	}
}
