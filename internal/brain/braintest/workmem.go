package braintest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
)

// Touched is an event of a run that touches files.
func (l *Lab) Touched(run string, kind memory.TouchKind, minutes float64, paths ...string) memory.Event {
	e := l.Touch(run, minutes, kind, paths...)
	e.Tool = "Edit"
	return e
}

func (l *Lab) Of(run string, e memory.Event) memory.Event {
	e.AgentSession = run
	return e
}

// Asked is a prompt of a person.
func (l *Lab) Asked(run, text string, minutes float64) memory.Event {
	e := l.Say(run, minutes, memory.Prompted, text)
	e.Origin = memory.OriginUser
	return e
}

// Worked is a whole session: a prompt, some edits, the end.
func (l *Lab) Worked(run string, minutes float64, paths ...string) []memory.Event {
	return []memory.Event{
		l.Asked(run, "work in "+run, minutes), l.Touched(run, memory.Edit, minutes+1, paths...), l.Of(run, l.Event(memory.SessionEnded, minutes+2)),
	}
}

func (l *Lab) Scope() brain.Scope { return brain.Scope{Project: l.Place.Project().String()} }

func (l *Lab) HeatMap() map[string]desk.HotFile {
	l.T.Helper()
	out := Must(l, desk.Warmth, desk.HeatInput{Scope: l.Scope(), Cold: true, Limit: 100})
	files := map[string]desk.HotFile{}
	for _, f := range out.Files {
		files[f.Path] = f
	}
	return files
}

func (l *Lab) File(name string) string {
	return filepath.Join(l.Config.Vault(), filepath.FromSlash(name))
}

func (l *Lab) Text(name string) string {
	l.T.Helper()
	data := must.Get(os.ReadFile(l.File(name)))(l.T)
	return string(data)
}

func (l *Lab) Change(name string, change func(string) string) {
	l.T.Helper()
	must.Do(l.T, os.WriteFile(l.File(name), []byte(change(l.Text(name))), 0o600))
}

// TakesOut deletes the line of a file that holds some words.
func (l *Lab) TakesOut(name, words string) {
	l.T.Helper()
	l.Change(name, func(text string) string {
		lines := strings.SplitAfter(text, "\n")
		at := slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, words) })
		if at < 0 {
			l.T.Fatalf("no line of %s has %q:\n%s", name, words, text)
		}
		return strings.Join(slices.Delete(lines, at, at+1), "")
	})
}

func (l *Lab) Begin(in answer.ContextInput) answer.ContextResult {
	l.T.Helper()
	in.Scope = l.Scope()
	return Must(l, answer.StartContext, in)
}
