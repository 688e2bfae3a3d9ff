package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/steward"
)

const inputMost = 1 << 20 // bytes of an input: a long text, and many IDs

// call is one operation as the page asks for it.
type call struct {
	writes bool
	run    func(ctx context.Context, b *brain.Brain, input []byte) (any, error)
}

// reads offers an operation that changes nothing.
func reads[In, Out any](op brain.Operation[In, Out]) call {
	return call{writes: op.Files != 0, run: func(ctx context.Context, b *brain.Brain, input []byte) (any, error) {
		var in In
		d := json.NewDecoder(bytes.NewReader(input))
		d.DisallowUnknownFields()
		if err := d.Decode(&in); err != nil {
			return nil, fmt.Errorf("%s: the input cannot be read: %w: %w", op.Name, err, memory.ErrInvalid)
		}
		return steward.Run(ctx, b, op, in)
	}}
}

// writes offers an operation that changes the memory.
func writes[In, Out any](op brain.Operation[In, Out]) call {
	c := reads(op)
	c.writes = true
	return c
}

// Operation runs one of the operations that are offered. What people said while the store is busy is taken, which is no failure.
func (s *Server) Operation(w http.ResponseWriter, r *http.Request) {
	s.active.Store(s.Now().UnixNano()) // whoever serves it without the guard uses the page too
	out, err := s.Ask(r.Context(), r.PathValue("name"), http.MaxBytesReader(w, r.Body, inputMost))
	var taken brain.Taken
	if errors.As(err, &taken) {
		out, err = taken, nil
	}
	w.Header().Set("Content-Type", "application/json")
	status := http.StatusOK
	if err != nil {
		status, out = statusOf(err), map[string]string{"error": scrub.Line(err.Error())}
	}
	text, err := Encode(out)
	if err != nil {
		status, text = http.StatusInternalServerError, []byte(`{"error":"the result cannot be written as JSON"}`)
	}
	w.WriteHeader(status)
	_, _ = w.Write(text) // a browser that went away needs none
}

// Ask runs an operation by its name, with its input as JSON.
func (s *Server) Ask(ctx context.Context, name string, input io.Reader) (any, error) {
	text, err := io.ReadAll(input)
	if err != nil {
		return nil, fmt.Errorf("%s: the input cannot be read: %w: %w", name, err, memory.ErrInvalid)
	}
	if err := s.open(ctx); err != nil {
		return nil, err
	}
	if name == "doctor" {
		return s.Doctor(ctx), nil
	}
	c, known := offered()[name]
	if !known {
		return nil, fmt.Errorf("operation %q: %w", name, memory.ErrNotFound)
	}
	if c.writes {
		s.turn.Lock()
		defer s.turn.Unlock()
	} else {
		s.turn.RLock()
		defer s.turn.RUnlock()
	}
	return c.run(ctx, s.brain, text)
}

// statusOf sorts errors into the kinds that the page tells apart.
func statusOf(err error) int {
	for _, kind := range []struct {
		is     error
		status int
	}{
		{memory.ErrInvalid, http.StatusBadRequest}, {memory.ErrNotFound, http.StatusNotFound}, {memory.ErrConflict, http.StatusConflict},
		{memory.ErrRefused, http.StatusForbidden}, {memory.ErrBusy, http.StatusServiceUnavailable},
	} {
		if errors.Is(err, kind.is) {
			return kind.status
		}
	}
	return http.StatusInternalServerError
}

// Encode writes a value as JSON in which every text can be shown: what could reorder or hide text stands there as visible characters.
func Encode(value any) ([]byte, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	var shown bytes.Buffer
	for len(text) > 0 {
		plain := bytes.IndexByte(text, '\\')
		if plain < 0 {
			plain = len(text)
		}
		shown.WriteString(strings.ReplaceAll(scrub.Display(string(text[:plain])), `\`, `\\`)) // each backslash is one that Display wrote
		text = text[plain:]
		begins := func(escape string) bool { return bytes.HasPrefix(text, []byte(escape)) }
		switch { // controls are escaped in JSON, where Display does not see them
		case len(text) == 0:
			continue
		case begins(`\r\n`):
		case begins(`\u00`) && text[4] < '2', begins(`\u2028`), begins(`\u2029`), begins(`\r`), begins(`\b`), begins(`\f`):
			shown.WriteString(`\` + string(text[:2]))
		default:
			shown.Write(text[:2])
		}
		text = text[2:]
	}
	return shown.Bytes(), nil
}

// stream says that the store has changed, until the browser leaves or the server ends. It also imports what hooks have spooled since,
// so that the page follows an agent at work, and what was said while the store was busy.
func (s *Server) stream(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	control := http.NewResponseController(w)
	say := func(event, data string) error {
		_, err := fmt.Fprintf(w, "event: %s\ndata: %s\n\n", event, data)
		return errors.Join(err, control.Flush())
	}
	known, err := s.marker(r.Context())
	if err = errors.Join(err, say("ready", known)); err != nil {
		return
	}
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		select {
		case <-r.Context().Done():
			return
		case <-s.ended.Done():
			_ = say("end", "") // it may have left
			return
		case <-tick.C:
		}
		if err := s.open(r.Context()); err != nil {
			continue // what is asked next says why
		}
		if s.waits() {
			s.drain(r.Context())
		}
		now, err := s.marker(r.Context())
		if err != nil || now == known { // a store that is busy is asked again
			continue
		}
		if known = now; say("changed", now) != nil {
			return
		}
	}
}

// waits reports whether the spool has something for the store.
func (s *Server) waits() bool {
	s.turn.RLock()
	defer s.turn.RUnlock()
	state := s.brain.Spool.State()
	return state.Waiting > 0 || state.Said > 0
}

func (s *Server) drain(ctx context.Context) {
	s.turn.Lock()
	defer s.turn.Unlock()
	_, _ = steward.Run(ctx, s.brain, steward.Drain, steward.DrainInput{}) // another process, or the next look, does it
}

// marker changes with the store, and with the file that is open.
func (s *Server) marker(ctx context.Context) (string, error) {
	s.turn.RLock()
	defer s.turn.RUnlock()
	at, err := steward.Run(ctx, s.brain, inspect.Marker, struct{}{})
	return fmt.Sprintf("%d-%s", s.opened, at), err
}

// open opens the memory again where another file has taken its place.
func (s *Server) open(ctx context.Context) error {
	s.turn.RLock()
	stale := s.brain.Stale()
	s.turn.RUnlock()
	if !stale {
		return nil
	}
	s.turn.Lock()
	defer s.turn.Unlock()
	if !s.brain.Stale() {
		return nil // another request did it
	}
	b, err := steward.Open(ctx, s.Config, s.Now)
	if err != nil {
		return err
	}
	old := s.brain
	s.brain = b
	s.opened++
	return old.Close()
}
