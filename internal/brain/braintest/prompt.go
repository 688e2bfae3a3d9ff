package braintest

import (
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
)

const Task = "fix the lexer of the parser"

// Commits records that a repository's history has these, an hour before start: subject, then files.
func (l *Lab) Commits(commits ...[]string) {
	l.T.Helper()
	var events []memory.Event
	for _, c := range commits {
		e := l.Event(memory.Committed, -60)
		e.Agent, e.AgentSession, e.Origin, e.Text = memory.AgentGit, "", memory.OriginRepo, c[0]
		for _, path := range c[1:] {
			e.Touches = append(e.Touches, memory.Touch{Kind: memory.Edit, Path: path})
		}
		events = append(events, e)
	}
	l.Observe(events...)
}

func (l *Lab) Observe(events ...memory.Event) {
	l.T.Helper()
	Must(l, steward.Observe, events)
}

// Prompt is what a person types in a run of the agent, now.
func (l *Lab) Prompt(run, text string) memory.Event {
	return l.Asked(run, text, l.Clock.Sub(Start).Minutes())
}

// Opens is a tool call of a run that touches a file, now.
func (l *Lab) Opens(run string, kind memory.TouchKind, path string) memory.Event {
	e := l.Event(memory.ToolUsed, 0)
	e.At, e.AgentSession, e.Touches = l.Clock, run, []memory.Touch{{Kind: kind, Path: path}}
	return e
}

func (l *Lab) Ends(run string) memory.Event {
	e := l.Event(memory.SessionEnded, 0)
	e.At, e.AgentSession = l.Clock, run
	return e
}

// Answer asks as the hook would: the prompt waits in the spool. What is shown is spooled too.
func (l *Lab) Answer(run, text string) answer.Shown {
	l.T.Helper()
	return l.AnswerTo(l.Prompt(run, text))
}

func (l *Lab) AnswerTo(e memory.Event) answer.Shown {
	l.T.Helper()
	must.Do(l.T, l.Spool.Append(e))
	out := Must(l, answer.Moment, e)
	if out.Receipt != nil {
		must.Do(l.T, l.Spool.Append(*out.Receipt))
	}
	if out.Receipt == nil && (len(out.Lines) > 0 || out.Text != "") {
		l.T.Errorf("lines, receipt and text do not belong together: %+v", out)
	}
	return out
}

// Later moves the clock on and drains.
func (l *Lab) Later(d time.Duration) {
	l.T.Helper()
	l.Clock = l.Clock.Add(d)
	l.See(l.Clock.Sub(Start).Minutes())
}

func (l *Lab) Suggestions(run string) []memory.Suggestion {
	l.T.Helper()
	var found []memory.Suggestion
	must.Do(l.T, l.Store.View(l.T.Context(), func(tx *store.Tx) (err error) {
		session := memory.NewSessionID("claude-code", run, l.Place.Project())
		found, err = tx.Suggestions(l.T.Context(), store.SuggestionFilter{Session: session})
		return err
	}))
	return found
}

func (l *Lab) Neuron(path string) store.Strength {
	l.T.Helper()
	var n store.Strength
	must.Do(l.T, l.Store.View(l.T.Context(), func(tx *store.Tx) (err error) {
		n, err = tx.Neuron(l.T.Context(), memory.NewNeuronID(l.Place.Project(), memory.FileNeuron, path))
		return err
	}))
	return n
}

// NewHintLab shows and marks what ranking puts first however small the chance: what is tested here is not what was learned
// from histories.
func NewHintLab(t *testing.T) *Lab {
	t.Helper()
	l := NewLab(t)
	l.Config.Tuning.Hook.Precision, l.Config.Tuning.Hook.PreloadSure = 1e-9, 0
	return l
}

// NewParserLab knows one file that the task needs, and one that it does not.
func NewParserLab(t *testing.T) *Lab {
	t.Helper()
	l := NewHintLab(t)
	l.Config.Tuning.Hook.ShowFiles = 1
	l.Commits([]string{"parser: fix the lexer", "parser/lexer.go"}, []string{"docs: spelling", "docs/guide.md"})
	return l
}

const Fault = "panic: runtime error: index out of range [3] with length 2"

// Fixed wires the error to the files that fixed it.
func (l *Lab) Fixed(files ...string) {
	l.T.Helper()
	e := l.Event(memory.Resolved, -1)
	e.Agent, e.AgentSession, e.Origin, e.Text = memory.AgentUser, "", memory.OriginUser, Fault
	for _, f := range files {
		e.Touches = append(e.Touches, memory.Touch{Kind: memory.Edit, Path: f})
	}
	l.Observe(e)
}
