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
	"time"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/project"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
)

// transferVersion is the version of the export format: 2 brought crystals and knowledge, 3 pins, pages, notes, goals, states and
// payments, 4 moods, connections, all kept states and what was searched in vain.
// Readers accept their own and older ones.
const transferVersion = 4

// line is one line of an export: exactly one field beside Type is set.
type line struct {
	Type    string              `json:"type"`
	Version int                 `json:"version,omitempty"` // of the header
	Project *memory.Project     `json:"project,omitempty"`
	Session *memory.Session     `json:"session,omitempty"`
	Event   *memory.StoredEvent `json:"event,omitempty"`
	Forgot  memory.EventID      `json:"forgot,omitempty"`

	Crystal  *writtenCrystal  `json:"crystal,omitempty"`
	Entity   *writtenEntity   `json:"entity,omitempty"`
	Relation *writtenRelation `json:"relation,omitempty"`

	Pin  *memory.Pin  `json:"pin,omitempty"`
	Page *writtenPage `json:"page,omitempty"`
	Note *writtenNote `json:"note,omitempty"`

	Goal    *memory.Goal     `json:"goal,omitempty"`
	State   *store.StateText `json:"state,omitempty"`
	Waiting *waitingNote     `json:"waiting,omitempty"`
	Payment *store.Payment   `json:"payment,omitempty"`

	Mood    *MoodMoment    `json:"mood,omitempty"`
	Thought *store.Thought `json:"thought,omitempty"`
	Gap     *writtenGap    `json:"gap,omitempty"`
}

const (
	headerLine  = "hebb-export"
	projectLine = "project"
	sessionLine = "session"
	eventLine   = "event"
	forgotLine  = "forgot"

	crystalLine  = "crystal"
	entityLine   = "entity"
	relationLine = "relation"

	pinLine  = "pin"
	pageLine = "page"
	noteLine = "file-note"

	goalLine    = "goal"
	stateLine   = "state"
	waitingLine = "waiting-note"
	paymentLine = "payment"

	moodLine    = "mood"
	thoughtLine = "connection"
	gapLine     = "searched-in-vain"
)

// TransferResult counts the lines written or taken in.
type TransferResult struct {
	Projects int `json:"projects"`
	Sessions int `json:"sessions"`
	Events   int `json:"events"`

	Crystals  int `json:"crystals"`
	Entities  int `json:"entities"`
	Relations int `json:"relations"`

	Pins  int `json:"pins"`
	Pages int `json:"pages"`
	Notes int `json:"notes"` // on files
	Goals int `json:"goals"`

	Known int `json:"known"` // of these, already there
}

// Export writes everything as JSON Lines: a header, projects, sessions, events in the order they were stored, what was said and
// what is known, and the IDs of what was forgotten on purpose.
func (b *Brain) Export(ctx context.Context, w io.Writer) (out TransferResult, err error) {
	buffered := bufio.NewWriter(w)
	encoder := json.NewEncoder(buffered)
	encoder.SetEscapeHTML(false)
	err = b.store.View(ctx, func(tx *store.Tx) error {
		version, err := b.formatOf(ctx, tx)
		if err != nil {
			return err
		}
		if err := encoder.Encode(line{Type: headerLine, Version: version}); err != nil {
			return err
		}
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
		if err := exportTexts(ctx, tx, encoder, &out); err != nil {
			return err
		}
		if err := b.exportMind(ctx, tx, encoder, &out); err != nil {
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
	err = b.recording(ctx, b.store.UpdateDurable, func(r *recorder) (err error) {
		out, err = b.takeIn(ctx, r, in)
		return err
	})
	if err != nil {
		return out, fmt.Errorf("import: nothing was changed: %w", err)
	}
	return out, b.learnAnew(ctx)
}

func (b *Brain) takeIn(ctx context.Context, r *recorder, in ImportInput) (out TransferResult, err error) {
	if _, err := in.From.Seek(0, io.SeekStart); err != nil {
		return out, err
	}
	t := taker{
		tx: r.tx, brain: b, mine: in.Mine, out: &out, sessions: map[memory.SessionID]*visit{}, dreamt: map[memory.ProjectID]bool{},
		changed: map[memory.ProjectID]bool{}, graphs: map[memory.ProjectID]*knowledgeChange{},
	}
	if err := t.take(ctx, bufio.NewReader(in.From)); err != nil {
		return out, err
	}
	for id, v := range t.sessions {
		if err := t.settle(ctx, id, *v); err != nil {
			return out, err
		}
	}
	for _, g := range t.graphs {
		if err := g.index(ctx); err != nil {
			return out, err
		}
	}
	for p := range t.changed {
		if err := b.markAnew(ctx, r.tx, p, nil); err != nil {
			return out, err
		}
	}
	return out, t.noteFiles(ctx, r)
}

// taker takes lines in, one transaction long.
type taker struct {
	tx       *store.Tx
	brain    *Brain
	mine     bool
	out      *TransferResult
	sessions map[memory.SessionID]*visit
	changed  map[memory.ProjectID]bool // have new events
	graphs   map[memory.ProjectID]*knowledgeChange
	notes    []writtenNote             // on files: those are known when all is learned
	dreamt   map[memory.ProjectID]bool // had a state before the file came
}

// visit is a session that a file touches: when it had last been heard of here, and what the file says of it.
type visit struct {
	heard time.Time // zero for a new one
	file  memory.Session
}

func (t *taker) take(ctx context.Context, from *bufio.Reader) error {
	for number := 1; ; number++ {
		text, err := from.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if number == 1 {
			if err := checkHeader(text); err != nil {
				return fmt.Errorf("line 1: %w", err)
			}
		} else if len(bytes.TrimSpace(text)) > 0 {
			if err := t.line(ctx, text); err != nil {
				return fmt.Errorf("line %d: %w", number, err)
			}
		}
		if err != nil {
			return nil
		}
	}
}

// checkHeader refuses a file that does not begin as an export does, or is too new for this hebb.
func checkHeader(text []byte) error {
	if bytes.HasPrefix(text, []byte(sqliteMagic)) {
		return fmt.Errorf("this is a backup; hebb restore brings it back: %w", memory.ErrInvalid)
	}
	var l line
	if err := json.Unmarshal(text, &l); err != nil || l.Type != headerLine {
		return fmt.Errorf("this is no export of hebb, which starts with a %q line: %w", headerLine, memory.ErrInvalid)
	}
	if l.Version > transferVersion {
		return fmt.Errorf("export version %d, this hebb reads up to %d: upgrade hebb: %w", l.Version, transferVersion, memory.ErrRefused)
	}
	return nil
}

func (t *taker) line(ctx context.Context, text []byte) error {
	var l line
	if err := json.Unmarshal(text, &l); err != nil {
		return fmt.Errorf("%w: %w", memory.ErrInvalid, err)
	}
	switch {
	case l.Type == projectLine && l.Project != nil:
		return t.project(ctx, *l.Project)
	case l.Type == sessionLine && l.Session != nil:
		return t.session(ctx, *l.Session)
	case l.Type == eventLine && l.Event != nil:
		return t.event(ctx, *l.Event)
	case l.Type == forgotLine && l.Forgot != "":
		return t.forgot(ctx, l.Forgot)
	case l.Type == crystalLine && l.Crystal != nil:
		return t.crystal(ctx, *l.Crystal)
	case l.Type == entityLine && l.Entity != nil:
		return t.entity(ctx, *l.Entity)
	case l.Type == relationLine && l.Relation != nil:
		return t.relation(ctx, *l.Relation)
	case l.Type == pinLine && l.Pin != nil:
		return t.pin(ctx, *l.Pin)
	case l.Type == pageLine && l.Page != nil:
		return t.page(ctx, *l.Page)
	case l.Type == noteLine && l.Note != nil:
		t.notes = append(t.notes, *l.Note)
		return nil
	case l.Type == goalLine && l.Goal != nil:
		return t.goal(ctx, *l.Goal)
	case l.Type == stateLine && l.State != nil:
		return t.state(ctx, *l.State)
	case l.Type == waitingLine && l.Waiting != nil:
		return t.waits(ctx, *l.Waiting)
	case l.Type == paymentLine && l.Payment != nil:
		return t.payment(ctx, *l.Payment)
	case l.Type == moodLine && l.Mood != nil:
		return t.mood(ctx, *l.Mood)
	case l.Type == thoughtLine && l.Thought != nil:
		return t.thought(ctx, *l.Thought)
	case l.Type == gapLine && l.Gap != nil:
		return t.gap(ctx, *l.Gap)
	}
	return fmt.Errorf("unknown line type %q: %w", l.Type, memory.ErrInvalid)
}

// forgot keeps a tombstone. What others forgot does not stop us from learning it.
func (t *taker) forgot(ctx context.Context, id memory.EventID) error {
	if _, err := memory.ParseEventID(string(id)); err != nil || !t.mine {
		return err
	}
	return t.tx.Tombstone(ctx, id)
}

// Bounds of names that are looked up by an index: PostgreSQL keeps about 2,700 bytes of them.
const (
	longestRun         = 1024 // bytes of an agent's name and its name of a run together
	longestProjectName = 500  // characters
)

// project takes a new project in. What is known of one stays as it is: no file may rename it, move it or date it.
func (t *taker) project(ctx context.Context, p memory.Project) error {
	if memory.NewProjectID(p.Identity) != p.ID {
		return fmt.Errorf("project %s: identity does not match its ID: %w", p.ID, memory.ErrInvalid)
	}
	t.out.Projects++
	_, err := t.tx.Project(ctx, p.ID)
	if err == nil || !isNotFound(err) {
		return err
	}
	p.Root, _ = scrub.Secrets(p.Root)
	p.FirstAt, p.LastAt = notAfter(p.FirstAt, t.tx.Now), notAfter(p.LastAt, t.tx.Now)
	name := scrub.Line(scrub.Clean(p.Name))
	if utf8.RuneCountInString(name) > longestProjectName {
		return fmt.Errorf("project %s: a name of more than %d characters: %w", p.ID, longestProjectName, memory.ErrInvalid)
	}
	if p.Name = name; p.Tagged || name == "" {
		p.Name, _ = scrub.Secrets(project.Name(memory.Place{Identity: p.Identity, Root: p.Root}))
	}
	if err := t.tx.SeeProject(ctx, p); err != nil || !p.Tagged || name == "" {
		return err
	}
	err = t.tx.NameProject(ctx, p.ID, name)
	if errors.Is(err, memory.ErrConflict) {
		return nil // the name is taken here; the project keeps the one of its folder
	}
	return err
}

func notAfter(at, now time.Time) time.Time {
	if at.After(now) {
		return now
	}
	return at
}

// session notes what the file says of a session, and opens a new one for its events.
func (t *taker) session(ctx context.Context, s memory.Session) error {
	if memory.NewSessionID(s.Agent, s.AgentSession, s.Project) != s.ID {
		return fmt.Errorf("session %s: agent, run and project do not match its ID: %w", s.ID, memory.ErrInvalid)
	}
	if len(s.Agent)+len(s.AgentSession) > longestRun {
		return fmt.Errorf("session %s: names of agent and run of more than %d bytes: %w", s.ID, longestRun, memory.ErrInvalid)
	}
	t.out.Sessions++
	s.Intent = scrub.Line(scrub.Clean(s.Intent))
	s.CloseReason = memory.CloseReason(scrub.Line(scrub.Clean(string(s.CloseReason))))
	s.ClosedAt = notAfter(s.ClosedAt, t.tx.Now)
	v, err := t.visit(ctx, s.ID)
	if isNotFound(err) {
		v = &visit{}
		t.sessions[s.ID] = v
		err = t.tx.SaveSession(ctx, memory.Session{
			ID: s.ID, Project: s.Project, Agent: s.Agent, AgentSession: s.AgentSession, OpenedAt: s.OpenedAt, LastEventAt: s.OpenedAt,
		})
	}
	if err != nil {
		return err
	}
	v.file = s
	return nil
}

// visit remembers how a session stood here before the file changed it.
func (t *taker) visit(ctx context.Context, id memory.SessionID) (*visit, error) {
	if v, ok := t.sessions[id]; ok {
		return v, nil
	}
	s, err := t.tx.Session(ctx, id)
	if err != nil {
		return nil, err
	}
	v := &visit{heard: s.LastEventAt}
	t.sessions[id] = v
	return v, nil
}

// settle brings a session up to date once its events are in. Its figures are those of the events that are kept here, so
// one whose events were all forgotten here goes again. How it ended is the file's to say where the file has heard of it
// last.
func (t *taker) settle(ctx context.Context, id memory.SessionID, v visit) error {
	byHand := v.file.Events == 0 && v.file.Agent == memory.AgentUser && v.file.Told() // somebody told of it, nobody saw it
	if !byHand {
		if gone, err := t.tx.RecountSession(ctx, id); err != nil || gone > 0 {
			return err
		}
	}
	s, err := t.tx.Session(ctx, id)
	if err != nil {
		return err
	}
	newer := v.file.ID != 0 && (s.LastEventAt.After(v.heard) || byHand && v.heard.IsZero())
	if newer {
		t.tellOf(&s, v.file)
		s.ClosedAt, s.CloseReason, s.Recovered = v.file.ClosedAt, v.file.CloseReason, v.file.Recovered
		if v.file.IntentByHand && (t.mine || !s.IntentByHand) { // others do not overwrite what a person said here
			s.Intent, s.IntentByHand = v.file.Intent, true
		}
	}
	if !s.Ticked && (!s.Open() && !byHand || newer && v.file.Ticked) {
		s.Ticked = true
		if err := t.tx.TickProject(ctx, s.Project); err != nil {
			return err
		}
	}
	if err := t.tx.SaveSession(ctx, s); err != nil {
		return err
	}
	if !s.Open() {
		if err := t.brain.indexWindows(ctx, t.tx, s); err != nil {
			return err
		}
	}
	return t.brain.restoreIntent(ctx, t.tx, id)
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
	if err := checkSize(e.Event); err != nil {
		return err
	}
	if e.Session != 0 {
		if _, err := t.visit(ctx, e.Session); err != nil {
			return err
		}
		if err := t.tx.KeepOrdinal(ctx, e.Session, e.Ord); err != nil {
			return err
		}
	}
	e.Event = clean(e.Event, t.tx.Now)
	t.changed[e.Project] = true
	_, err = t.tx.InsertEvent(ctx, e)
	return err
}
