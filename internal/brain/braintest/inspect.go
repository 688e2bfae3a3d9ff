package braintest

import (
	"cmp"
	"encoding/json"
	"time"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/steward"
)

// shop is the scope of the lab's project.
var Shop = brain.Scope{Project: "shop"}

// work is one session of an agent, recorded step by step, a minute each.
type Work struct {
	l      *Lab
	run    string
	minute float64
	events []memory.Event
	prompt memory.EventID // the last one, until it is answered
}

// Work begins a session some minutes after start.
func (l *Lab) Work(run string, minute float64) *Work { return &Work{l: l, run: run, minute: minute} }

func (w *Work) Add(kind memory.EventKind, change func(e *memory.Event)) *Work {
	e := w.l.Event(kind, w.minute)
	e.AgentSession, e.Text = w.run, ""
	change(&e)
	w.events = append(w.events, e)
	w.minute++
	return w
}

func (w *Work) Prompt(text string) *Work {
	return w.Add(memory.Prompted, func(e *memory.Event) {
		e.Text, e.Origin = text, memory.OriginUser
		w.prompt = e.ID
	})
}

func (w *Work) tool(name, input string, kind memory.TouchKind, paths ...string) *Work {
	return w.Add(memory.ToolUsed, func(e *memory.Event) {
		e.Tool, e.Input = name, input
		for _, p := range paths {
			e.Touches = append(e.Touches, memory.Touch{Kind: kind, Path: p})
		}
	})
}

func (w *Work) Read(paths ...string) *Work { return w.tool("Read", "", memory.Read, paths...) }
func (w *Work) Edit(paths ...string) *Work { return w.tool("Edit", "", memory.Edit, paths...) }
func (w *Work) Grep(paths ...string) *Work { return w.tool("Grep", "login", memory.Mention, paths...) }
func (w *Work) Bash(command string) *Work  { return w.tool("Bash", command, "") }

// Sized says how much the last call returned.
func (w *Work) Sized(bytes int64) *Work {
	w.events[len(w.events)-1].ResultBytes = &bytes
	return w
}

func (w *Work) Fail(text string) *Work {
	return w.Add(memory.ToolFailed, func(e *memory.Event) { e.Tool, e.Text = "Bash", text })
}

// Shown is what the prompt hook leaves: the receipts of lines, shown or withheld.
func (w *Work) Shown(held bool, paths ...string) *Work {
	var lines []memory.Suggestion
	for _, p := range paths {
		lines = append(lines, memory.Suggestion{
			Offer: memory.OfferFile, Path: p, Score: 2.5, Confidence: .75, Reason: "path words", Tokens: 10, Held: held,
		})
	}
	return w.Offer(lines...)
}

// Offer leaves the receipts of lines: of an answer to the last prompt, where they name no moment.
func (w *Work) Offer(lines ...memory.Suggestion) *Work {
	for i := range lines {
		lines[i].Moment = cmp.Or(lines[i].Moment, memory.AtPrompt)
	}
	text := must.Get(json.Marshal(lines))(w.l.T)
	return w.Add(memory.Suggested, func(e *memory.Event) {
		if e.Text = string(text); w.prompt != "" && lines[0].Moment == memory.AtPrompt {
			e.ID, w.prompt = answer.ReceiptID(w.prompt), ""
		}
	})
}

// Pause lets it be seen so far and leaves the session open.
func (w *Work) Pause() {
	w.l.T.Helper()
	if now := Start.Add(time.Duration(w.minute * float64(time.Minute))); now.After(w.l.Clock) {
		w.l.Clock = now
	}
	if added := Must(w.l, steward.Observe, w.events); added != len(w.events) {
		w.l.T.Fatalf("%s: %d of %d events were new", w.run, added, len(w.events))
	}
	w.events = nil
}

func (w *Work) End() {
	w.l.T.Helper()
	w.Add(memory.SessionEnded, func(*memory.Event) {}).Pause()
}

// Must runs an operation that has to succeed.
func Must[In, Out any](l *Lab, op brain.Operation[In, Out], in In) Out {
	l.T.Helper()
	out, err := steward.Run(l.T.Context(), l.Brain, op, in)
	if err != nil {
		l.T.Fatalf("%s %+v: %v", op.Name, in, err)
	}
	return out
}
