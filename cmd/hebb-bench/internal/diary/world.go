package diary

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/cmd/hebb-bench/internal/evaluate"
	"github.com/hebb-memory/hebb/internal/replay"
)

// world is what truly happened up to a moment: the work tree with its commits, the sessions, the
// commands and how they ended. It is computed from the recording alone, so that what hebb says can
// be held against it.
type world struct {
	root    string // a real git repository; recordings hold no text, so its files hold the commits that wrote them
	commits []evaluate.Commit
	hashes  []string // of the same commits in this repository
	next    int      // the first commit that has not been made

	files    map[string]bool            // each path that was met: whether the file exists
	opened   map[string]bool            // read or changed in a session
	prompts  string                     // all that the person wrote, as words between blanks
	passed   map[string]bool            // each command that was run: whether it passed the last time
	worked   map[string]bool            // each command that passed at least once
	fixed    map[string]map[string]bool // symbol → files that were changed between the failure and a pass of the same command in one session
	failures []failure                  // of the running session, not passed since
}

// failure is a run of a command that failed.
type failure struct {
	command, symbol string
	changed         []string // since
}

func newWorld(ctx context.Context, root string, commits []evaluate.Commit) (*world, error) {
	w := &world{
		root: root, commits: slices.Clone(commits), files: map[string]bool{}, opened: map[string]bool{}, prompts: " ", passed: map[string]bool{}, worked: map[string]bool{},
		fixed: map[string]map[string]bool{},
	}
	slices.SortStableFunc(w.commits, func(a, b evaluate.Commit) int { return a.At.Compare(b.At) })
	if err := os.MkdirAll(root, 0o700); err != nil {
		return nil, err
	}
	return w, w.importCommits(ctx)
}

// importCommits makes all commits in the repository without any branch that leads to them: until
// makes them visible one after the other.
func (w *world) importCommits(ctx context.Context) error {
	var stream bytes.Buffer
	text := func(s string) { fmt.Fprintf(&stream, "data %d\n%s\n", len(s), s) }
	for i, c := range w.commits {
		fmt.Fprintf(&stream, "commit refs/heads/all\nmark :%d\ncommitter A Developer <developer@example.invalid> %d +0000\n", i+1, c.At.Unix())
		text(strings.ToValidUTF8(c.Subject, "\uFFFD"))
		for _, f := range c.Files {
			if strings.ContainsAny(f.Path+f.Old, "\"\n") {
				continue
			}
			if f.Status == replay.Renamed {
				fmt.Fprintf(&stream, "D %s\n", f.Old)
			}
			if f.Status == replay.Deleted {
				fmt.Fprintf(&stream, "D %s\n", f.Path)
				continue
			}
			fmt.Fprintf(&stream, "M 100644 inline %s\n", f.Path)
			text(c.Hash + "\n")
		}
	}
	if _, err := w.git(ctx, nil, "init", "-q", "-b", "main"); err != nil {
		return err
	}
	if len(w.commits) == 0 {
		return nil
	}
	marks := filepath.Join(w.root, ".git", "marks")
	if _, err := w.git(ctx, &stream, "fast-import", "--quiet", "--export-marks="+marks); err != nil {
		return err
	}
	made, err := os.ReadFile(marks)
	if err != nil {
		return err
	}
	w.hashes = make([]string, len(w.commits))
	for line := range strings.Lines(string(made)) {
		var mark int
		var hash string
		if _, err := fmt.Sscanf(line, ":%d %s", &mark, &hash); err != nil || mark < 1 || mark > len(w.hashes) {
			return fmt.Errorf("git fast-import: mark %q: %w", line, err)
		}
		w.hashes[mark-1] = hash
	}
	_, err = w.git(ctx, nil, "update-ref", "-d", "refs/heads/all")
	return err
}

func (w *world) git(ctx context.Context, in *bytes.Buffer, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-c", "gc.auto=0", "-c", "core.autocrlf=false"}, args...)...)
	cmd.Dir, cmd.Env = w.root, append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	if in != nil {
		cmd.Stdin = in
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("git %s: %w: %s", args[0], err, out)
	}
	return string(out), err
}

// until makes the commits up to a time.
func (w *world) until(ctx context.Context, at time.Time) error {
	before := w.next
	for ; w.next < len(w.commits) && !w.commits[w.next].At.After(at); w.next++ {
		for _, f := range w.commits[w.next].Files {
			if f.Status == replay.Renamed {
				w.files[f.Old], w.opened[f.Path] = false, w.opened[f.Path] || w.opened[f.Old]
			}
			w.files[f.Path] = f.Status != replay.Deleted
		}
	}
	if w.next == before {
		return nil
	}
	_, err := w.git(ctx, nil, "reset", "-q", "--hard", w.hashes[w.next-1])
	for _, c := range w.commits[before:w.next] {
		for _, f := range c.Files {
			_ = os.Chtimes(filepath.Join(w.root, filepath.FromSlash(f.Path)), c.At, c.At) // it may be gone
		}
	}
	return err
}

// touch is a file that a session opens. It exists then, also where the commit that made it was on a
// branch that the recording lacks.
func (w *world) touch(name string, changed bool, at time.Time) error {
	w.files[name], w.opened[name] = true, true
	if changed {
		for i := range w.failures {
			w.failures[i].changed = append(w.failures[i].changed, name)
		}
	}
	local := filepath.FromSlash(name)
	if !filepath.IsLocal(local) {
		return nil
	}
	full := filepath.Join(w.root, local)
	if info, err := os.Stat(full); err == nil && (info.IsDir() || !changed) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(full), 0o700); err != nil {
		return nil //nolint:nilerr // on another branch there is a file in place of the folder
	}
	f, err := os.OpenFile(full, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString("changed\n")
	return errors.Join(err, f.Close(), os.Chtimes(full, at, at))
}

// ran is a command and how it ended.
func (w *world) ran(command string, failed *missing) {
	w.passed[command] = failed == nil
	if failed != nil {
		w.failures = append(w.failures, failure{command: command, symbol: failed.symbol})
		return
	}
	w.worked[command] = true
	w.failures = slices.DeleteFunc(w.failures, func(f failure) bool {
		if f.command != command && !slices.Contains(proves[command], f.command) {
			return false
		}
		for _, file := range f.changed {
			if w.fixed[f.symbol] == nil {
				w.fixed[f.symbol] = map[string]bool{}
			}
			w.fixed[f.symbol][file] = true
		}
		return true
	})
}

// proves are the commands that a success of another shows to work, beside itself: what is tested
// was built.
var proves = map[string][]string{"go test ./...": {"go build ./...", "go vet ./..."}}

// said is what the person wrote.
func (w *world) said(prompt string) { w.prompts += spaced(prompt) + " " }

// inMind reports whether a file was ever opened, changed or named by the person.
func (w *world) inMind(name string) bool {
	return w.opened[name] || strings.Contains(w.prompts, " "+spaced(path.Base(name))+" ")
}

// checks are the commands of the recordings, of which only the first words are kept, that can fail
// because of the code, each with what makes it whole.
var checks = map[string]string{
	"go test": "go test ./...", "go build": "go build ./...", "go vet": "go vet ./...", "golangci-lint run": "golangci-lint run",
	"mise run": "mise run test", "bun run": "bun run test", "bun test": "bun test", "rtk test": "rtk test", "rtk lint": "rtk lint", "bunx biome": "bunx biome check",
	"bunx tsc": "bunx tsc --noEmit", "npm test": "npm test", "npm run": "npm run test",
}

// outcome is how a command of a session ended, which recordings do not say: a check after which the
// agent changes code in the same turn has failed, and names something unknown in the file that is
// changed first. All other commands passed.
func outcome(s evaluate.AgentSession, event int) (command string, failed *missing) {
	e := s.Events[event]
	command, check := checks[e.Target]
	if !check {
		return e.Target, nil
	}
	turn := s.Events[len(s.Events)-1].At
	for _, p := range s.Prompts {
		if p.At.After(e.At) && p.At.Before(turn) {
			turn = p.At
		}
	}
	for _, later := range s.Events[event+1:] {
		if later.At.After(turn) {
			break
		}
		if ext := path.Ext(later.Target); later.Changes() && (ext == ".go" || ext == ".ts" || ext == ".tsx" || ext == ".js") {
			stem, _, _ := strings.Cut(path.Base(later.Target), ".")
			suffix := []string{"Config", "State"}[len(later.Target)%2]
			return command, &missing{file: later.Target, symbol: strings.ReplaceAll(stem, "-", "_") + suffix, line: 10 + event%50}
		}
	}
	return command, nil
}

// missing is what a check that failed says: a file uses a symbol that nothing defines. The same
// file lacks the same symbol again and again.
type missing struct {
	file, symbol string
	line         int
}

// printed is what the command prints.
func (m missing) printed() string {
	if path.Ext(m.file) == ".go" {
		return fmt.Sprintf("Exit code 1\n%s:%d:2: undefined: %s\n", m.file, m.line, m.symbol)
	}
	return fmt.Sprintf("Exit code 1\n%s(%d,2): error TS2304: Cannot find name '%s'.\n", m.file, m.line, m.symbol)
}

// spaced is a text as lower-case words between single blanks.
func spaced(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !('a' <= r && r <= 'z' || '0' <= r && r <= '9' || r > 0x7f && r != '“' && r != '”' && r != '…' && r != '—' && r != '–' && r != '’' && r != '‘')
	}), " ")
}
