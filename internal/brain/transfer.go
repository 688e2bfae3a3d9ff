package brain

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
)

// transferVersion is the version of the export format. Readers accept their own and older ones.
const transferVersion = 1

// line is one line of an export: exactly one field beside Type is set.
type line struct {
	Type    string              `json:"type"`
	Version int                 `json:"version,omitempty"` // of the header
	Project *memory.Project     `json:"project,omitempty"`
	Session *memory.Session     `json:"session,omitempty"`
	Event   *memory.StoredEvent `json:"event,omitempty"`
	Forgot  memory.EventID      `json:"forgot,omitempty"`
}

const (
	headerLine  = "hebb-export"
	projectLine = "project"
	sessionLine = "session"
	eventLine   = "event"
	forgotLine  = "forgot"
)

// TransferResult counts the lines written or taken in.
type TransferResult struct {
	Projects int `json:"projects"`
	Sessions int `json:"sessions"`
	Events   int `json:"events"`
	Known    int `json:"known"` // of these, already there
}

// Export writes everything as JSON Lines: a header, projects, sessions, events in the order they were stored, and the
// IDs of what was forgotten on purpose.
func (b *Brain) Export(ctx context.Context, w io.Writer) (out TransferResult, err error) {
	buffered := bufio.NewWriter(w)
	encoder := json.NewEncoder(buffered)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(line{Type: headerLine, Version: transferVersion}); err != nil {
		return out, fmt.Errorf("export: %w", err)
	}
	err = b.store.View(ctx, func(tx *store.Tx) error {
		out = TransferResult{}
		projects, err := tx.Projects(ctx)
		if err != nil {
			return err
		}
		for _, p := range projects {
			out.Projects++
			if err := encoder.Encode(line{Type: projectLine, Project: &p}); err != nil {
				return err
			}
		}
		sessions, err := tx.Sessions(ctx, store.SessionFilter{})
		if err != nil {
			return err
		}
		for _, s := range sessions {
			out.Sessions++
			if err := encoder.Encode(line{Type: sessionLine, Session: &s}); err != nil {
				return err
			}
		}
		err = tx.WalkEvents(ctx, func(e memory.StoredEvent) error {
			out.Events++
			return encoder.Encode(line{Type: eventLine, Event: &e})
		})
		if err != nil {
			return err
		}
		forgotten, err := tx.Tombstones(ctx)
		if err != nil {
			return err
		}
		for _, id := range forgotten {
			if err := encoder.Encode(line{Type: forgotLine, Forgot: id}); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		err = buffered.Flush()
	}
	if err != nil {
		return out, fmt.Errorf("export: %w", err)
	}
	return out, nil
}

// ImportInput is an export to take in.
type ImportInput struct {
	From io.ReadSeeker // read again from the start should the transaction have to run again
	// Mine keeps who said what. Without it everything is marked as imported, the least trusted origin, because a file
	// from elsewhere must not speak with the user's voice.
	Mine bool
}

// Import takes an export in, in one transaction: all of it or nothing. What is already known stays as it is.
func (b *Brain) Import(ctx context.Context, in ImportInput) (out TransferResult, err error) {
	err = b.store.UpdateDurable(ctx, func(tx *store.Tx) error {
		out, err = takeIn(ctx, tx, in)
		return err
	})
	if err != nil {
		return out, fmt.Errorf("import: nothing was changed: %w", err)
	}
	return out, nil
}

func takeIn(ctx context.Context, tx *store.Tx, in ImportInput) (out TransferResult, err error) {
	if _, err := in.From.Seek(0, io.SeekStart); err != nil {
		return out, err
	}
	t := taker{tx: tx, mine: in.Mine, out: &out}
	return out, t.take(ctx, bufio.NewReader(in.From))
}

// taker takes lines in, one transaction long.
type taker struct {
	tx   *store.Tx
	mine bool
	out  *TransferResult
}

func (t *taker) take(ctx context.Context, from *bufio.Reader) error {
	for number := 1; ; number++ {
		text, err := from.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if len(bytes.TrimSpace(text)) > 0 || number == 1 {
			if err := t.line(ctx, text, number == 1); err != nil {
				return fmt.Errorf("line %d: %w", number, err)
			}
		}
		if err != nil {
			return nil
		}
	}
}

func (t *taker) line(ctx context.Context, text []byte, first bool) error {
	var l line
	if err := json.Unmarshal(text, &l); err != nil {
		return fmt.Errorf("%w: %w", memory.ErrInvalid, err)
	}
	if first != (l.Type == headerLine) {
		return fmt.Errorf("an export starts with a %q line and has no other: %w", headerLine, memory.ErrInvalid)
	}
	switch {
	case l.Type == headerLine && l.Version > transferVersion:
		return fmt.Errorf("export version %d, this hebb reads up to %d: upgrade hebb: %w", l.Version, transferVersion, memory.ErrRefused)
	case l.Type == headerLine:
		return nil
	case l.Type == projectLine && l.Project != nil:
		return t.project(ctx, *l.Project)
	case l.Type == sessionLine && l.Session != nil:
		return t.session(ctx, *l.Session)
	case l.Type == eventLine && l.Event != nil:
		return t.event(ctx, *l.Event)
	case l.Type == forgotLine && l.Forgot != "":
		if !t.mine {
			return nil // what others forgot does not stop us from learning it
		}
		return t.tx.Tombstone(ctx, l.Forgot)
	}
	return fmt.Errorf("unknown line type %q: %w", l.Type, memory.ErrInvalid)
}

func (t *taker) project(ctx context.Context, p memory.Project) error {
	if memory.NewProjectID(p.Identity) != p.ID {
		return fmt.Errorf("project %s: identity does not match its ID: %w", p.ID, memory.ErrInvalid)
	}
	p.Name = scrub.Line(scrub.Clean(p.Name))
	t.out.Projects++
	if err := t.tx.SeeProject(ctx, p); err != nil {
		return err
	}
	if !p.Tagged {
		return nil
	}
	err := t.tx.NameProject(ctx, p.ID, p.Name)
	if errors.Is(err, memory.ErrConflict) {
		return nil // the name is taken here; the project keeps the one of its folder
	}
	return err
}

func (t *taker) session(ctx context.Context, s memory.Session) error {
	if memory.NewSessionID(s.Agent, s.AgentSession, s.Project) != s.ID {
		return fmt.Errorf("session %s: agent, run and project do not match its ID: %w", s.ID, memory.ErrInvalid)
	}
	t.out.Sessions++
	_, err := t.tx.Session(ctx, s.ID)
	if err == nil || !isNotFound(err) {
		return err // known: what happened here since is newer than the file
	}
	s.Intent = scrub.Line(scrub.Clean(s.Intent))
	if s.Ticked {
		if err := t.tx.TickProject(ctx, s.Project); err != nil {
			return err
		}
	}
	return t.tx.SaveSession(ctx, s)
}

func (t *taker) event(ctx context.Context, e memory.StoredEvent) error {
	t.out.Events++
	known, err := t.tx.Known(ctx, e.ID)
	if err != nil {
		return err
	}
	if known {
		t.out.Known++
		return nil
	}
	if !t.mine {
		e.Origin = memory.OriginImport
	}
	if e.At.IsZero() || e.Kind == "" || e.Agent == "" {
		return fmt.Errorf("event %q: time, kind and agent are needed: %w", e.ID, memory.ErrInvalid)
	}
	if !slices.Contains(memory.Origins, e.Origin) {
		return fmt.Errorf("event %q: origin %q: want one of %v: %w", e.ID, e.Origin, memory.Origins, memory.ErrInvalid)
	}
	if _, err := memory.ParseEventID(string(e.ID)); err != nil {
		return err
	}
	if e.Session != 0 {
		if err := t.tx.KeepOrdinal(ctx, e.Session, e.Ord); err != nil {
			return err
		}
	}
	e.Event = clean(e.Event, t.tx.Now)
	_, err = t.tx.InsertEvent(ctx, e)
	return err
}
