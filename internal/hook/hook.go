// Package hook is the bounded entry that agents call. It turns one payload into one spooled event and leaves; to a prompt
// it also gives the answer that its caller has for it, if that comes in time. It never opens the database, never touches
// the network, never waits beyond its deadline, and nothing it meets makes the agent stumble: its caller exits 0 whatever
// happens here, and what is printed is a whole answer or nothing.
package hook

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/project"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/spool"
	"github.com/hebb-memory/hebb/internal/tuning"
)

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
	// Answer says what the agent is shown with a prompt, and gives the event that records it: without a text, that it
	// might have been shown; or what it is shown when its session begins, which needs no receipt. It is left behind when it
	// takes too long. nil shows nothing.
	Answer func(ctx context.Context, to memory.Event) (text string, receipt *memory.Event, err error)
	// Paused says of a project that hebb neither watches nor speaks there. nil: nowhere.
	Paused func(memory.ProjectID) bool
	// Out is where the agent reads.
	Out io.Writer
}

// answer is what is left to do when the work is done in time.
type answer struct {
	to      memory.Event
	waits   bool // the agent reads what is printed
	twin    bool // another hook may be answering the same
	text    string
	receipt *memory.Event
}

// Run handles the payload on in. It returns when the work is done or the deadline has passed, whichever is first; a
// reader that never ends is left behind for the end of the process. The wait for the payload and the work on it have
// the deadline's time each, so that an agent which is slow to write on a busy machine does not cost the event.
func (h Hook) Run(in io.Reader) error {
	type result struct {
		answer answer
		err    error
	}
	read, done := make(chan struct{}), make(chan result, 1)
	go func() {
		a, err := h.guarded(in, read)
		done <- result{a, err}
	}()
	deadline := time.NewTimer(h.Tuning.Hook.Deadline)
	defer deadline.Stop()
	for {
		select {
		case r := <-done:
			// Here and not in the work that may be left behind: nothing is printed that came too late, and nothing is
			// recorded as shown that was not.
			return errors.Join(r.err, h.show(r.answer), h.begin(r.answer))
		case <-read:
			deadline.Reset(h.Tuning.Hook.Deadline)
			read = nil
		case <-deadline.C:
			return fmt.Errorf("hook: not done within %v", h.Tuning.Hook.Deadline)
		}
	}
}

// guarded turns a panic into an error: memory may fail, the agent may not.
func (h Hook) guarded(in io.Reader, read chan<- struct{}) (a answer, err error) {
	defer func() {
		if r := recover(); r != nil {
			a, err = answer{}, fmt.Errorf("hook: panic: %v", r)
		}
	}()
	return h.handle(in, read)
}

// handle closes read when it has the payload.
func (h Hook) handle(in io.Reader, read chan<- struct{}) (a answer, err error) {
	seen, ok, decodeErr := agent.Decode(h.Agent, in, h.Getenv, h.Tuning.Capture, h.Tuning.Hook.ReadLimit)
	close(read)
	ctx, cancel := context.WithTimeout(context.Background(), h.Tuning.Hook.Deadline)
	defer cancel()
	if ok {
		a.to, err = h.keep(seen)
		a.waits, a.twin = seen.Answered && a.to.Kind != "", seen.Twin && seen.Event.ID != ""
		if errors.Is(err, errTwin) {
			return answer{to: memory.Event{Agent: a.to.Agent}, waits: seen.Answered}, nil // the other one speaks
		}
	}
	if decodeErr != nil {
		// The agent may still be writing: one that meets a closed pipe may take it for a failed hook.
		_, _ = io.Copy(io.Discard, in)
		return answer{}, errors.Join(decodeErr, err)
	}
	// A session that begins needs no receipt: on a full disk it is told what is known all the same.
	asks := err == nil && a.to.Kind == memory.Prompted || a.to.Kind == memory.SessionStarted && (err == nil || errors.Is(err, errUnkept))
	if !asks || !a.waits || h.Answer == nil {
		return a, err
	}
	text, receipt, answerErr := h.Answer(ctx, a.to)
	if answerErr != nil {
		return a, errors.Join(err, fmt.Errorf("answer: %w", answerErr))
	}
	a.text, a.receipt = text, receipt
	return a, err
}

// begin looks after what earlier sessions left behind when a new one begins. It comes last: the agent waits for the answer.
func (h Hook) begin(a answer) error {
	if h.Drain == nil || a.to.Kind != memory.SessionStarted {
		return nil
	}
	return h.Drain()
}

// show records what the agent is about to see, and then lets it be seen, in one write. What cannot be recorded is not
// shown.
func (h Hook) show(a answer) error {
	if !a.waits {
		return nil
	}
	if a.receipt == nil && a.to.Kind != memory.SessionStarted {
		a.text = ""
	}
	if a.twin && a.text != "" && !h.first(0, "answer", string(a.to.ID)) {
		a.text, a.receipt = "", nil
	}
	// Some agents want to read something also where there is nothing to say.
	line, err := agent.Answer(a.to.Agent, a.to.Kind, a.text)
	if err != nil {
		return err
	}
	if a.receipt != nil {
		if err := h.Spool.Append(*a.receipt); err != nil {
			return err
		}
	}
	if len(line) == 0 {
		return nil
	}
	_, err = h.Out.Write(line)
	return err
}

// Complain leaves an error for the doctor. It may quote the payload, so it is scrubbed like one.
func (h Hook) Complain(problem error) {
	h.Spool.Complain(h.Now(), scrub.Line(scrub.Clean(problem.Error())))
}

// keep spools the event and returns it as it was kept.
func (h Hook) keep(seen agent.Seen) (memory.Event, error) {
	e, err := h.complete(seen)
	if err != nil {
		return e, err
	}
	if h.Paused != nil && h.Paused(e.Place.Project()) {
		return memory.Event{}, nil
	}
	if seen.Twin && seen.Event.ID == "" && !h.first(h.Tuning.Hook.TwinWindow, wordsOf(e)...) {
		return e, errTwin
	}
	if err := h.Spool.Append(e); err != nil {
		return e, fmt.Errorf("%w: %w", errUnkept, err)
	}
	if h.Drain != nil && (e.Kind == memory.TurnEnded || e.Kind == memory.SessionEnded) {
		return e, h.Drain()
	}
	return e, nil
}

// errTwin says that another hook has the same event in hand.
var errTwin = errors.New("another hook has it")

// errUnkept says that an event could not be put into the letter box.
var errUnkept = errors.New("not kept")

// wordsOf is what makes two events the same where nothing in them makes each the only one of its kind: two at the same time are
// one. What arrives twice under one ID needs no such care, the store keeps it once.
func wordsOf(e memory.Event) []string {
	words := []string{e.AgentSession, string(e.Kind), e.Subagent, e.Tool, e.Input, e.Text}
	for _, t := range e.Touches {
		words = append(words, string(t.Kind), t.Path)
	}
	return words
}

// first reports whether no other hook came with these words. Where that cannot be told, it is better to hear and to answer twice
// than not at all.
func (h Hook) first(window time.Duration, words ...string) bool {
	first, err := h.Spool.First(h.Now(), window, words...)
	if err != nil {
		h.Complain(err)
	}
	return first || err != nil
}

// complete adds what the payload does not say: when, where, and an ID of its own where none could be derived; and
// takes out what must not be kept.
func (h Hook) complete(seen agent.Seen) (memory.Event, error) {
	e := seen.Event
	place, err := project.Resolve(seen.ProjectDir)
	if err != nil {
		return e, err
	}
	e.Place = place
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
