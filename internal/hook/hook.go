// Package hook is the bounded, silent entry that agents call. It turns one payload into one spooled event and leaves.
// It never opens the database, never touches the network, never waits beyond its deadline, and nothing it meets makes
// the agent stumble: its caller exits 0 whatever happens here.
package hook

import (
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
}

// Run handles the payload on in. It returns when the work is done or the deadline has passed, whichever is first; a
// reader that never ends is left behind for the end of the process. The wait for the payload and the work on it have
// the deadline's time each, so that an agent which is slow to write on a busy machine does not cost the event.
func (h Hook) Run(in io.Reader) error {
	read, done := make(chan struct{}), make(chan error, 1)
	go func() { done <- h.guarded(in, read) }()
	deadline := time.NewTimer(h.Tuning.Hook.Deadline)
	defer deadline.Stop()
	for {
		select {
		case err := <-done:
			return err
		case <-read:
			deadline.Reset(h.Tuning.Hook.Deadline)
			read = nil
		case <-deadline.C:
			return fmt.Errorf("hook: not done within %v", h.Tuning.Hook.Deadline)
		}
	}
}

// guarded turns a panic into an error: memory may fail, the agent may not.
func (h Hook) guarded(in io.Reader, read chan<- struct{}) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("hook: panic: %v", r)
		}
	}()
	return h.handle(in, read)
}

// handle closes read when it has the payload.
func (h Hook) handle(in io.Reader, read chan<- struct{}) error {
	seen, ok, decodeErr := agent.Decode(h.Agent, in, h.Getenv, h.Tuning.Capture, h.Tuning.Hook.ReadLimit)
	close(read)
	var err error
	if ok {
		err = h.keep(seen)
	}
	if decodeErr != nil {
		// The agent may still be writing: one that meets a closed pipe may take it for a failed hook.
		_, _ = io.Copy(io.Discard, in)
	}
	return errors.Join(decodeErr, err)
}

// Complain leaves an error for the doctor. It may quote the payload, so it is scrubbed like one.
func (h Hook) Complain(problem error) {
	h.Spool.Complain(h.Now(), scrub.Line(scrub.Clean(problem.Error())))
}

func (h Hook) keep(seen agent.Seen) error {
	e, err := h.complete(seen)
	if err != nil {
		return err
	}
	if err := h.Spool.Append(e); err != nil {
		return err
	}
	if h.Drain != nil && (e.Kind == memory.TurnEnded || e.Kind == memory.SessionEnded) {
		return h.Drain()
	}
	return nil
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
