package steward_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/forget"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/learn"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/sleep"
	"github.com/hebb-memory/hebb/internal/state"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/texts"
	"github.com/hebb-memory/hebb/internal/transfer"
	"github.com/hebb-memory/hebb/internal/views"
)

// Bounds of one write transaction. Measured, a written row takes 10 to 30 µs with its indexes, a
// row that is read 2 to 5 µs: a transaction at both bounds takes 20 to 30 ms. Jobs begin with far
// fewer, and adapt to the machine (store.batch_time).
const (
	mostWritten = 1000
	mostRead    = 2000
)

// txBook records the write transactions of each operation.
type txBook struct {
	t         *testing.T
	operation string
	lines     []txLine
}

type txLine struct {
	operation     string
	transactions  int
	written, read int64 // the most in one
	longest, all  time.Duration
}

func (l *txBook) watch(s *store.Store) {
	s.Watch(func() func(store.RowCount) {
		began := time.Now()
		return func(rows store.RowCount) {
			took := time.Since(began)
			if len(l.lines) == 0 || l.lines[len(l.lines)-1].operation != l.operation {
				l.lines = append(l.lines, txLine{operation: l.operation})
			}
			line := &l.lines[len(l.lines)-1]
			line.transactions++
			line.written, line.read = max(line.written, rows.Written), max(line.read, rows.Read)
			line.longest, line.all = max(line.longest, took), line.all+took
		}
	})
}

// check prints the table and refuses transactions of too many rows.
func (l *txBook) check() {
	l.t.Helper()
	var table strings.Builder
	fmt.Fprintf(&table, "%-28s %12s %12s %9s %11s %10s\n", "operation", "transactions", "most written", "most read", "longest ms", "all ms")
	for _, line := range l.lines {
		fmt.Fprintf(&table, "%-28s %12d %12d %9d %11.1f %10.0f\n", line.operation, line.transactions, line.written, line.read,
			float64(line.longest.Microseconds())/1000, float64(line.all.Microseconds())/1000)
		if line.operation != building && (line.written > mostWritten || line.read > mostRead) {
			l.t.Errorf("%s: a write transaction of %d rows written and %d read, want at most %d and %d",
				line.operation, line.written, line.read, mostWritten, mostRead)
		}
	}
	l.t.Log("\n" + table.String())
}

const building = "(building)"

// largeLab is a lab with a large memory of two projects, one of them a git repository.
type largeLab struct {
	*braintest.Lab
	random *rand.Rand
	words  []string
	other  memory.Place
}

func newLargeLab(t *testing.T) *largeLab {
	t.Helper()
	a := &largeLab{Lab: braintest.NewLab(t), random: rand.New(rand.NewPCG(1, 2)), other: memory.Place{Identity: "/other/.git", Root: "/other"}}
	dir := t.TempDir()
	a.repository(dir)
	a.Place = memory.Place{Identity: filepath.Join(dir, ".git"), Root: dir}
	for range 4000 {
		word := make([]byte, 3+a.random.IntN(7))
		for i := range word {
			word[i] = byte('a' + a.random.IntN(26))
		}
		a.words = append(a.words, string(word))
	}
	return a
}

// sentence is text of common and rare words.
func (a *largeLab) sentence(words int) string {
	list := make([]string, words)
	for i := range list {
		list[i] = a.words[int(float64(len(a.words))*a.random.Float64()*a.random.Float64())]
	}
	return strings.Join(list, " ")
}

func (a *largeLab) path(i int) string { return fmt.Sprintf("pkg%d/file%d.go", i%40, i) }

// session is one of some sixty events around one part of a project.
func (a *largeLab) session(n int, place memory.Place, at time.Time) (events []memory.Event) {
	add := func(kind memory.EventKind, text string, touches ...memory.Touch) {
		a.Count++
		at = at.Add(20 * time.Second)
		e := memory.Event{
			ID: memory.DerivedEventID("archive", fmt.Sprint(a.Count)), At: at, Kind: kind, Origin: memory.OriginTool, Agent: "claude-code",
			AgentSession: fmt.Sprint("run ", n), Place: place, Text: text, Touches: touches,
		}
		if kind == memory.Prompted {
			e.Origin = memory.OriginUser
		}
		events = append(events, e)
	}
	add(memory.SessionStarted, "")
	around := a.random.IntN(1500)
	for range 5 {
		add(memory.Prompted, a.sentence(20))
		for range 10 {
			kind := memory.Read
			if a.random.IntN(3) == 0 {
				kind = memory.Edit
			}
			add(memory.ToolUsed, "", memory.Touch{Kind: kind, Path: a.path(around + a.random.IntN(25))})
		}
		if a.random.IntN(4) == 0 {
			add(memory.ToolFailed, fmt.Sprintf("panic: runtime error: index out of range [%d] with length %d", a.random.IntN(40), a.random.IntN(9)))
		}
		add(memory.TurnEnded, a.sentence(60))
	}
	add(memory.SessionEnded, "")
	return events
}

// fill records so many events and texts, in large transactions.
func (a *largeLab) fill(events, documents int) {
	a.T.Helper()
	at := a.Clock.Add(-200 * 24 * time.Hour)
	step := 190 * 24 * time.Hour / time.Duration(events/60+1)
	var batch []memory.Event
	for n, done := 0, 0; done < events; n++ {
		place := a.Place
		if n%4 == 3 {
			place = a.other
		}
		session := a.session(n, place, at)
		at, done, batch = at.Add(step), done+len(session), append(batch, session...)
		if len(batch) >= 3000 || done >= events {
			braintest.Must(a.Lab, steward.Observe, batch)
			batch = nil
		}
	}
	braintest.Must(a.Lab, texts.IndexTexts, texts.IndexInput{})
	for done := 0; done < documents; {
		some := min(500, documents-done)
		must.Do(a.T, record.Recording(a.T.Context(), a.Brain, a.Store.UpdateDurable, func(r *record.Recorder) error {
			for range some {
				c := memory.Crystal{
					Kind: memory.Lesson, Text: a.sentence(15), Origin: memory.OriginAgent, Lifecycle: memory.Generated, Project: a.Place.Project(),
					SaidAt: a.Clock.Add(-time.Duration(a.random.IntN(100*24)) * time.Hour),
				}
				if _, err := statements.Crystallise(a.T.Context(), a.Config.Tuning.Crystal, r.Tx, c); err != nil {
					return err
				}
			}
			return nil
		}))
		done += some
	}
}

// repository makes a git repository of some files with a history.
func (a *largeLab) repository(dir string) {
	git := func(args ...string) {
		a.T.Helper()
		cmd := exec.CommandContext(a.T.Context(), "git", args...)
		cmd.Dir = dir
		day := braintest.Start.AddDate(0, 0, -3).Format(time.RFC3339)
		cmd.Env = append(cmd.Environ(), "GIT_AUTHOR_DATE="+day, "GIT_COMMITTER_DATE="+day, "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
		if out, err := cmd.CombinedOutput(); err != nil {
			a.T.Fatalf("git %q: %v: %s", args, err, out)
		}
	}
	git("init", "-q")
	for i := range 40 {
		must.Do(a.T, os.Mkdir(filepath.Join(dir, fmt.Sprint("pkg", i)), 0o700))
	}
	for commit := range 8 {
		for i := range 100 {
			var code strings.Builder
			code.WriteString("package p\n")
			for f := range 4 {
				fmt.Fprintf(&code, "\n// Func%d%d does one thing.\nfunc Func%d%d(a, b int) int {\n\tc := a * %d\n\tfor b > 0 {\n\t\tc += b\n\t\tb--\n\t}\n\treturn c\n}\n", i, f, i, f, commit)
			}
			if (i+commit)%5 == 0 || commit == 0 {
				braintest.WriteFile(a.T, filepath.Join(dir, filepath.FromSlash(a.path(i))), []byte(code.String()))
			}
		}
		git("add", "-A")
		git("commit", "-q", "-m", fmt.Sprintf("change number %d of the parser", commit))
	}
}

// No write transaction holds the store for long: the operations that write are run on a large
// memory, and none may write or read more rows in one transaction than is done in about 20 ms. The
// table says how long each took:
//
//	HEBB_TX_EVENTS=60000 go test ./internal/steward -run TestNoWriteTransactionIsLong -v -timeout 0
func TestNoWriteTransactionIsLong(t *testing.T) {
	events := 3000
	if text := os.Getenv("HEBB_TX_EVENTS"); text != "" {
		var err error
		if events, err = strconv.Atoi(text); err != nil {
			t.Fatalf("HEBB_TX_EVENTS: %v", err)
		}
	}
	a, book := newLargeLab(t), &txBook{t: t, operation: building}
	book.watch(a.Store)
	a.fill(events, events/12)
	scope, ctx := brain.Scope{Project: a.Place.Project().String()}, t.Context()
	var export bytes.Buffer
	sessionsOf := func() []memory.Session {
		return braintest.Must(a.Lab, inspect.Sessions, inspect.SessionsInput{Scope: scope})
	}
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, operation := range []struct {
		name string
		run  func()
	}{
		{"drain", func() {
			for n := range 4 {
				for _, e := range a.session(1_000_000+n, a.Place, a.Clock) {
					check(a.Spool.Append(e))
				}
			}
			a.Clock = a.Clock.Add(time.Hour)
			braintest.Must(a.Lab, steward.Drain, steward.DrainInput{Wait: true})
		}},
		{"index", func() { braintest.Must(a.Lab, texts.IndexTexts, texts.IndexInput{}) }},
		{"remember", func() {
			braintest.Must(a.Lab, statements.Remember, statements.RememberInput{Scope: scope, Text: "the gateway times out after nine seconds"})
		}},
		{"note", func() {
			braintest.Must(a.Lab, desk.TakeNote, statements.NoteInput{Scope: scope, Text: "the printer needs a new drum"})
		}},
		{"pin", func() {
			braintest.Must(a.Lab, desk.PinText, desk.PinInput{Scope: scope, Title: "drum", Text: "the drum is ordered"})
		}},
		{"goal", func() {
			braintest.Must(a.Lab, goals.AddGoal, goals.GoalInput{Scope: scope, Title: "make " + a.sentence(4) + " faster"})
		}},
		{"init", func() { braintest.Must(a.Lab, learn.LearnHistory, learn.LearnInput{Dir: a.Place.Root}) }},
		{"snippets", func() { braintest.Must(a.Lab, learn.ReadSnippets, learn.SnippetsInput{Dir: a.Place.Root}) }},
		{"views", func() { braintest.Must(a.Lab, views.ImportEdits, struct{}{}) }},
		{"sleep, dry", func() { braintest.Must(a.Lab, steward.Sleep, sleep.SleepInput{Dry: true}) }},
		{"sleep", func() { braintest.Must(a.Lab, steward.Sleep, sleep.SleepInput{}) }},
		{"think", func() { braintest.Must(a.Lab, goals.Think, goals.ThinkInput{Scope: scope}) }},
		{"dream", func() { braintest.Must(a.Lab, state.Dream, state.DreamInput{Scope: scope, Force: true}) }},
		{"backup", func() {
			_, err := transfer.Backup(ctx, a.Brain, "")
			check(err)
		}},
		{"export", func() {
			_, err := transfer.Export(ctx, a.Store, a.PageKey, &export)
			check(err)
		}},
		{"import, known", func() {
			_, err := transfer.Import(ctx, a.Brain, transfer.ImportInput{From: bytes.NewReader(export.Bytes()), Mine: true})
			check(err)
		}},
		{"import, new", func() {
			empty := braintest.NewLab(t)
			book.watch(empty.Store)
			_, err := transfer.Import(ctx, empty.Brain, transfer.ImportInput{From: bytes.NewReader(export.Bytes()), Mine: true})
			check(err)
		}},
		{"forget a session, dry", func() {
			braintest.Must(a.Lab, steward.Forget, forget.ForgetInput{Session: sessionsOf()[5].ID.String()})
		}},
		{"forget a session", func() {
			braintest.Must(a.Lab, steward.Forget, forget.ForgetInput{Session: sessionsOf()[5].ID.String(), Apply: true})
		}},
		{"forget one event", func() {
			found := braintest.Must(a.Lab, inspect.Events, inspect.EventsInput{Scope: scope, Limit: 1})
			braintest.Must(a.Lab, steward.Forget, forget.ForgetInput{IDs: []memory.EventID{found[0].ID}, Apply: true})
		}},
		{"forget since", func() {
			braintest.Must(a.Lab, steward.Forget, forget.ForgetInput{Scope: scope, Since: braintest.Start.AddDate(0, 0, -60), Apply: true})
		}},
		{"budget", func() {
			facts, err := a.Store.Facts(ctx)
			check(err)
			a.Config.Tuning.Sleep.Budget = facts.Used * 9 / 10
			braintest.Must(a.Lab, steward.Sleep, sleep.SleepInput{})
			a.Config.Tuning.Sleep.Budget = 0
		}},
		{"forget a project", func() { braintest.Must(a.Lab, steward.Forget, forget.ForgetInput{Scope: scope, Apply: true}) }},
	} {
		book.operation = operation.name
		operation.run()
	}
	book.check()
}
