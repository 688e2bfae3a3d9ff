// Package hook is the entry point that agents call. It turns one payload into one spooled event and
// exits. Where the agent waits for one, it also prints the answer that its caller supplies, if that
// is ready in time. A tool call that is only planned is answered and not spooled.
//
// Keeping the event has no deadline: an append to the spool waits for nobody. Only the answer has
// one. The package never opens the database and never touches the network; its caller exits 0
// whatever happens here, and what is printed is a complete answer or nothing.
package hook

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/project"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/spool"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// Longest is the time after which a hook process ends whatever it is doing. `hebb agents install`
// gives hooks 5 s in the agents' settings, so hebb is gone before an agent has to end it.
const Longest = 4500 * time.Millisecond

// longestEnd is the same for the end of a session, where Claude Code waits 1.5 s by default and
// Codex 1 s to 3 s.
const longestEnd = 1200 * time.Millisecond

// readPatience is how long a hook waits for the next byte of its payload. Measured with 50
// processes on two cores, agents paused for well over 150 ms in the middle of a payload and never
// for 3 s.
const readPatience = 3 * time.Second

// Hook is one call.
type Hook struct {
	Agent   memory.Agent
	Spool   spool.Spool
	Tuning  tuning.Tuning
	Getenv  func(string) string
	Now     func() time.Time
	Entropy io.Reader
	// Drain starts moving the spool into the store, in a process of its own. nil starts nothing.
	Drain func() error
	// Answer returns what the agent is shown at this moment, and the event that records it. A receipt
	// without a text records what was held back; its Input says why the person is to be asked before a
	// planned call. The start of a session is shown without one, too. ctx ends when the answer would
	// be too late; an Answer that ignores it is abandoned. nil shows nothing.
	Answer func(ctx context.Context, to memory.Event) (text string, receipt *memory.Event, err error)
	// Paused reports whether hebb is paused in a project. nil: never.
	Paused func(memory.ProjectID) bool
	// Refused says why nothing is kept or answered here; the start of a session shows it. Empty: nothing is refused.
	Refused string
	// Home replaces the identity of a place by that of the project whose memory it uses. nil changes
	// nothing.
	Home func(memory.Place) memory.Place
	// Out is read by the agent.
	Out io.Writer
	// Exit ends the process when Longest has passed. nil: no limit.
	Exit func()
}

// pausedHere is all that the start of a session is shown in a paused project: nobody who knows nothing of
// the pause should take the silence for an empty memory.
const pausedHere = "hebb, the memory of this project, is paused here: it records and shows nothing until the user runs `hebb config resume`."

// output is what is left to do once the event is in the spool.
type output struct {
	to      memory.Event
	waits   bool // the agent reads what is printed
	twin    bool // another hook may be answering the same
	paused  bool // all there is to say is that
	text    string
	receipt *memory.Event
	problem string // why nothing can be kept, for the person
}

// Run handles the payload on in. An event that could not be kept is counted in the spool folder,
// and so is an answer that came too late.
func (h Hook) Run(in io.Reader) (err error) {
	w := h.watch()
	defer w.stop()
	defer func() { // a panic must not reach the agent
		if r := recover(); r != nil {
			err = fmt.Errorf("hook: panic: %v", r)
			h.lose(w, err)
		}
	}()
	if h.Refused != "" {
		return h.refuse(in)
	}
	a, err := h.take(in, w)
	return errors.Join(err, h.ask(&a), h.show(a), h.drain(a))
}

// refuse answers without touching the data folder.
func (h Hook) refuse(in io.Reader) error {
	payload := patiently(in, readPatience)
	seen, ok, err := agent.Decode(h.Agent, payload, h.Getenv, h.Tuning.Capture, h.Tuning.Hook.ReadLimit)
	_, _ = io.Copy(io.Discard, payload) // a closed pipe may look like a failed hook
	if err != nil || !ok || !seen.Answered {
		return err
	}
	text := ""
	if seen.Event.Kind == memory.SessionStarted {
		text = h.Refused
	}
	line, err := agent.Answer(seen.Event.Agent, seen.Event.Kind, text, "")
	if err == nil && len(line) > 0 {
		_, err = h.Out.Write(line)
	}
	return err
}

// take reads the payload and spools its event.
func (h Hook) take(in io.Reader, w *watchdog) (a output, err error) {
	payload := patiently(in, readPatience)
	seen, ok, decodeErr := agent.Decode(h.Agent, payload, h.Getenv, h.Tuning.Capture, h.Tuning.Hook.ReadLimit)
	if ok {
		if seen.Event.Kind == memory.SessionEnded {
			w.hurry(h.Now(), longestEnd)
		}
		a, err = h.keep(seen)
		w.kept.Store(err == nil)
	} else if decodeErr == nil {
		w.kept.Store(true) // an event that hebb does not record
	}
	if decodeErr != nil {
		// The agent may still be writing, and a closed pipe may look like a failed hook.
		_, _ = io.Copy(io.Discard, payload)
		a, err = output{}, errors.Join(decodeErr, err)
	}
	if err != nil {
		h.lose(w, err)
	}
	return a, err
}

// ask gets the answer to an event, within the time limit of its moment.
func (h Hook) ask(a *output) error {
	var limit time.Duration
	switch kind := a.to.Kind; {
	case kind == memory.SessionStarted, kind == memory.Prompted && agent.StartsAtPrompt(a.to.Agent):
		limit = h.Tuning.Hook.StartWait
	case kind == memory.Prompted:
		limit = h.Tuning.Hook.PromptWait
	case kind == memory.ToolPlanned, kind == memory.ToolFailed, kind == memory.SubagentBegan:
		limit = h.Tuning.Hook.ToolWait
	}
	if limit == 0 || !a.waits || a.paused || h.Answer == nil {
		return nil
	}
	type result struct {
		text    string
		receipt *memory.Event
		err     error
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	done := make(chan result, 1)
	go func() {
		var r result
		defer func() {
			if problem := recover(); problem != nil {
				r = result{err: fmt.Errorf("panic: %v", problem)}
			}
			done <- r
		}()
		r.text, r.receipt, r.err = h.Answer(ctx, a.to)
	}()
	var r result
	select {
	case r = <-done:
	case <-ctx.Done():
		r.err = ctx.Err()
	}
	if errors.Is(r.err, context.DeadlineExceeded) {
		err := fmt.Errorf("answer to %s: not ready within %v", a.to.Kind, limit)
		h.Spool.CountLate(h.Now(), err.Error())
		return err
	}
	if r.err != nil {
		return fmt.Errorf("answer: %w", r.err)
	}
	a.text, a.receipt = r.text, r.receipt
	return nil
}

// drain starts a drain when a session begins and when a turn or a session ends. It comes last,
// because the agent waits for the answer.
func (h Hook) drain(a output) error {
	switch a.to.Kind {
	case memory.SessionStarted, memory.TurnEnded, memory.SessionEnded:
		if h.Drain != nil && !a.paused {
			return h.Drain()
		}
	}
	return nil
}

// show spools the receipt and then prints the answer in one write. An answer whose receipt cannot
// be spooled is not shown, except at the start of a session, which does not repeat itself.
func (h Hook) show(a output) error {
	if !a.waits {
		return nil
	}
	if a.to.Kind == memory.SessionStarted {
		a.text = strings.TrimSpace(a.problem + "\n" + a.text)
	} else if a.receipt == nil {
		a.text = ""
	}
	if a.twin && a.text != "" && !h.first(0, "answer", string(a.to.ID)) {
		a.text, a.receipt = "", nil
	}
	// Some agents expect output even when there is nothing to show.
	var why string
	if a.receipt != nil && a.to.Kind == memory.ToolPlanned {
		why = a.receipt.Input
	}
	line, err := agent.Answer(a.to.Agent, a.to.Kind, a.text, why)
	if err != nil {
		return err
	}
	if a.receipt != nil {
		if err := h.Spool.Append(*a.receipt); err != nil && a.to.Kind != memory.SessionStarted {
			return err
		}
	}
	if len(line) == 0 {
		return nil
	}
	_, err = h.Out.Write(line)
	return err
}

// Complain records an error for `hebb doctor`.
func (h Hook) Complain(problem error) { h.Spool.Complain(h.Now(), clean(problem)) }

// clean is an error as one line, scrubbed, since it may quote the payload.
func clean(problem error) string { return scrub.Line(scrub.Clean(problem.Error())) }

// lose counts a lost event.
func (h Hook) lose(w *watchdog, cause error) {
	if !w.kept.Swap(true) { // counted once
		h.Spool.CountLost(h.Now(), clean(cause))
	}
}

// watchdog ends the process when a hook takes longer than agents wait, for example on a file system
// that does not respond.
type watchdog struct {
	kept  atomic.Bool // the event is in the spool, or its loss is counted
	timer *time.Timer
	began time.Time
}

// twinWindow is the time within which two equal calls count as one: Cursor and VS Code run Claude
// Code's hooks, too. A hook takes milliseconds, on a busy machine a second.
const twinWindow = 2 * time.Second

// lastWords is the time limit for counting a lost event when the watchdog fires.
const lastWords = 200 * time.Millisecond

func (h Hook) watch() *watchdog {
	w := &watchdog{}
	if h.Exit == nil {
		return w
	}
	w.began = h.Now()
	w.timer = time.AfterFunc(Longest, func() {
		counted := make(chan struct{})
		go func() {
			h.lose(w, errors.New("not done in time"))
			close(counted)
		}()
		select {
		case <-counted:
		case <-time.After(lastWords):
		}
		h.Exit()
	})
	return w
}

// hurry shortens the remaining time.
func (w *watchdog) hurry(now time.Time, longest time.Duration) {
	if w.timer != nil && w.timer.Stop() {
		w.timer.Reset(max(longest-now.Sub(w.began), 0))
	}
}

func (w *watchdog) stop() {
	if w.timer != nil {
		w.timer.Stop()
	}
}

// keep spools the event and returns what is left to do.
func (h Hook) keep(seen agent.Seen) (a output, err error) {
	if seen.Log != "" {
		seen.Ended(partOf(seen.Log, logEnd, true))
	}
	if seen.Head != "" {
		seen.Began(partOf(seen.Head, logHead, false))
	}
	if seen.Event.Origin == memory.OriginUser && agent.InShell(h.Getenv) {
		seen.Event.Origin = memory.OriginAgent
	}
	e, err := h.complete(seen)
	if err != nil {
		return a, err
	}
	if off := h.Getenv(memory.OffEnv); off != "" && off != "0" {
		mark := memory.Event{ID: e.ID, At: e.At, Kind: memory.Withheld, Origin: memory.OriginTool, Agent: e.Agent, AgentSession: e.AgentSession, Place: e.Place}
		return output{to: memory.Event{Agent: e.Agent}, waits: seen.Answered}, h.Spool.Append(mark)
	}
	if h.Paused != nil && h.Paused(e.Place.Project()) {
		if e.Kind == memory.SessionStarted {
			a = output{to: e, waits: seen.Answered, paused: true, text: pausedHere}
		}
		return a, nil
	}
	if seen.Twin && seen.Event.ID == "" && !h.first(twinWindow, wordsOf(e)...) {
		return output{to: memory.Event{Agent: e.Agent}, waits: seen.Answered}, nil // the other hook spools it and answers
	}
	a = output{to: e, waits: seen.Answered, twin: seen.Twin && seen.Event.ID != ""}
	if e.Kind == memory.ToolPlanned {
		return a, nil // what the call does is an event of its own
	}
	if err = h.Spool.Append(e); errors.Is(err, fs.ErrPermission) {
		a.problem = "hebb keeps nothing of what happens here: " + clean(err) + ". `hebb doctor` says how that is mended."
	}
	if err != nil && e.Kind != memory.SessionStarted {
		a = output{} // an answer to a prompt needs a receipt, which could not be spooled either
	}
	return a, err
}

// logEnd is how much of an agent's log is read for the call that has just ended: Codex notes up to
// a megabyte of its output there.
const logEnd = 1<<20 + 64<<10

// logHead is how much of it is read for how the session was begun.
const logHead = 4 << 10

// partOf is the end of a file or its beginning, nothing if it cannot be read.
func partOf(name string, most int64, last bool) []byte {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return nil // a pipe would make the hook wait
	}
	f, err := filesys.Open(name, os.O_RDONLY, 0)
	if err != nil {
		return nil
	}
	defer f.Close()
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return nil
	}
	part, from := make([]byte, min(size, most)), int64(0)
	if last {
		from = size - int64(len(part))
	}
	n, _ := f.ReadAt(part, from)
	return part[:n]
}

// wordsOf identifies an event without an ID of its own: two equal ones at the same time are one.
// Events with an ID need no such check, the store keeps them once.
func wordsOf(e memory.Event) []string {
	words := []string{e.AgentSession, string(e.Kind), e.Subagent, e.Tool, e.Input, e.Text}
	for _, t := range e.Touches {
		words = append(words, string(t.Kind), t.Path)
	}
	return words
}

// first reports whether no other hook has claimed the same event. On an error it is true: a
// duplicate is better than a loss.
func (h Hook) first(window time.Duration, words ...string) bool {
	first, err := h.Spool.First(h.Now(), window, words...)
	if err != nil {
		h.Complain(err)
	}
	return first || err != nil
}

// complete adds time, place and, if none could be derived, an ID, and removes secrets.
func (h Hook) complete(seen agent.Seen) (memory.Event, error) {
	e := seen.Event
	place, err := project.Resolve(seen.ProjectDir)
	if err != nil {
		return e, err
	}
	e.Place = place
	if h.Home != nil {
		e.Place = h.Home(place)
	}
	for i, t := range e.Touches {
		e.Touches[i].Path, _ = scrub.Secrets(project.Key(place, t.Path))
	}
	e.At = h.Now().UTC().Truncate(time.Millisecond)
	if e.ID == "" {
		if e.ID, err = memory.NewEventID(e.At, h.Entropy); err != nil {
			return e, err
		}
	}
	e.Tool, e.Subagent = scrub.Clean(e.Tool), scrub.Clean(e.Subagent)
	e.Input, e.Text = scrub.Clean(e.Input), scrub.Clean(e.Text)
	e.AgentSession = scrub.Line(scrub.Clean(e.AgentSession))
	return e, nil
}
