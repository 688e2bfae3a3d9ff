// Package transfer moves memories between places: export, import, other tools, backup, restore, merging projects.
package transfer

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

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/forget"
	"github.com/hebb-memory/hebb/internal/knowledge"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/project"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/texts"
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

	Mood    *desk.MoodMoment `json:"mood,omitempty"`
	Thought *store.Thought   `json:"thought,omitempty"`
	Gap     *writtenGap      `json:"gap,omitempty"`

	number int // of the line in its file
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
func Export(ctx context.Context, b *brain.Brain, w io.Writer) (out TransferResult, err error) {
	buffered := bufio.NewWriter(w)
	encoder := json.NewEncoder(buffered)
	encoder.SetEscapeHTML(false)
	err = b.Store.View(ctx, func(tx *store.Tx) error {
		version, err := formatOf(ctx, b, tx)
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
		if err := exportMind(ctx, b, tx, encoder, &out); err != nil {
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

// Import takes an export in, in short transactions, after all of the file was checked. What is already known stays as it is, so an
// import that was interrupted is finished by doing it again.
func Import(ctx context.Context, b *brain.Brain, in ImportInput) (out TransferResult, err error) {
	t := newTaker(b, in, &out)
	err = b.Store.View(ctx, func(tx *store.Tx) error {
		t.tx = tx
		return t.lines(in.From, func(l line) error { return l.at(t.check(ctx, l)) })
	})
	if err != nil {
		return out, fmt.Errorf("import: nothing was changed: %w", err)
	}
	if err := t.takePieces(ctx, in.From); err != nil {
		return out, fmt.Errorf("import: what comes before was imported, and is skipped next time: %w", err)
	}
	return out, forget.LearnAnew(ctx, b)
}

// takePieces takes a file in, some lines in each transaction.
func (t *taker) takePieces(ctx context.Context, from io.ReadSeeker) error {
	var piece []line
	weight := 0
	write := func(last bool) error {
		before := *t.out
		update := t.brain.UpdateSome
		if last {
			update = t.brain.Store.UpdateDurable
		}
		err := record.Recording(ctx, t.brain, update, func(r *record.Recorder) error {
			*t.out = before // it may run more than once
			return t.takePiece(ctx, r, piece, last)
		})
		piece, weight = piece[:0], 0
		return err
	}
	err := t.lines(from, func(l line) error {
		// The states of a project are taken in together or not at all.
		if states := len(piece) > 0 && piece[len(piece)-1].Type == stateLine && l.Type == stateLine; weight >= linesAtOnce && !states {
			if err := write(false); err != nil {
				return err
			}
		}
		piece = append(piece, l)
		weight += l.weight()
		return nil
	})
	if err == nil {
		err = write(true)
	}
	if err != nil {
		return err
	}
	for some := range slices.Chunk(t.notes, linesAtOnce) {
		err := record.Recording(ctx, t.brain, t.brain.Store.UpdateDurable, func(r *record.Recorder) error { return t.noteFiles(ctx, r, some) })
		if err != nil {
			return err
		}
	}
	return nil
}

// linesAtOnce is the weight of the lines that one transaction takes in.
const linesAtOnce = 60

// at says at which line something went wrong.
func (l line) at(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("line %d: %w", l.number, err)
}

// weight is how much work a line is; an event is 1.
func (l line) weight() int {
	switch {
	case l.Crystal != nil:
		return 4 + len(l.Crystal.Traces)/4
	case l.Entity != nil:
		return 2 + len(l.Entity.Observations)
	}
	return 1
}

// takeIn takes a whole file in within one transaction, for a restore.
func takeIn(ctx context.Context, b *brain.Brain, r *record.Recorder, in ImportInput) (out TransferResult, err error) {
	t := newTaker(b, in, &out)
	t.tx = r.Tx
	var all []line
	err = t.lines(in.From, func(l line) error {
		all = append(all, l)
		return l.at(t.check(ctx, l))
	})
	if err != nil {
		return out, err
	}
	if err := t.takePiece(ctx, r, all, true); err != nil {
		return out, err
	}
	return out, t.noteFiles(ctx, r, t.notes)
}

// taker takes an export in: it is checked whole, then taken in piece by piece.
type taker struct {
	tx    *store.Tx
	brain *brain.Brain
	mine  bool
	out   *TransferResult
	// What the file says of projects, sessions and files, from when it was checked.
	projects map[memory.ProjectID]bool
	sessions map[memory.SessionID]memory.Session
	entities map[fileEntity]bool
	notes    []writtenNote
	dreamt   map[memory.ProjectID]bool // had a state before the file came
	// Of the piece that is taken in: the sessions that get events with the time of their last event before, the projects
	// that do, and the knowledge that changes.
	visited map[memory.SessionID]time.Time
	changed map[memory.ProjectID]bool
	graphs  map[memory.ProjectID]*knowledge.Change
}

// fileEntity is an entity that a file tells of.
type fileEntity struct {
	project memory.ProjectID
	name    string
}

func newTaker(b *brain.Brain, in ImportInput, out *TransferResult) *taker {
	return &taker{
		brain: b, mine: in.Mine, out: out, projects: map[memory.ProjectID]bool{}, sessions: map[memory.SessionID]memory.Session{},
		entities: map[fileEntity]bool{}, dreamt: map[memory.ProjectID]bool{},
	}
}

// takePiece takes some lines in; last says that they are the last ones.
func (t *taker) takePiece(ctx context.Context, r *record.Recorder, lines []line, last bool) error {
	t.tx = r.Tx
	t.visited, t.changed, t.graphs = map[memory.SessionID]time.Time{}, map[memory.ProjectID]bool{}, map[memory.ProjectID]*knowledge.Change{}
	for _, l := range lines {
		if err := t.line(ctx, l); err != nil {
			return l.at(err)
		}
	}
	if last {
		if err := t.sessionsByHand(ctx); err != nil {
			return err
		}
	}
	for id, heard := range t.visited {
		if err := t.settle(ctx, id, heard); err != nil {
			return err
		}
	}
	for _, g := range t.graphs {
		if err := g.Index(ctx); err != nil {
			return err
		}
	}
	for p := range t.changed {
		if err := record.MarkAnew(ctx, t.brain, t.tx, p, nil); err != nil {
			return err
		}
	}
	return nil
}

// lines reads a file from its start, line by line.
func (t *taker) lines(file io.ReadSeeker, each func(line) error) error {
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	from := bufio.NewReader(file)
	for number := 1; ; number++ {
		text, err := from.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		l := line{number: number}
		switch {
		case number == 1:
			if err := checkHeader(text); err != nil {
				return l.at(err)
			}
		case len(bytes.TrimSpace(text)) > 0:
			if err := json.Unmarshal(text, &l); err != nil {
				return l.at(fmt.Errorf("%w: %w", memory.ErrInvalid, err))
			}
			if err := each(l); err != nil {
				return err
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

func (t *taker) line(ctx context.Context, l line) error {
	switch {
	case l.Type == projectLine && l.Project != nil:
		return t.project(ctx, *l.Project)
	case l.Type == sessionLine && l.Session != nil:
		t.out.Sessions++ // it is kept with its first event
		return nil
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
		t.out.Notes++ // they are taken in last, when all files are known
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
	if !t.mine {
		return nil
	}
	return t.tx.Tombstone(ctx, id)
}

// project takes a new project in. What is known of one stays as it is: no file may rename it, move it or date it.
func (t *taker) project(ctx context.Context, p memory.Project) error {
	t.out.Projects++
	_, err := t.tx.Project(ctx, p.ID)
	if err == nil || !brain.IsNotFound(err) {
		return err
	}
	p.Root, _ = scrub.Secrets(p.Root)
	p.FirstAt, p.LastAt = notAfter(p.FirstAt, t.tx.Now), notAfter(p.LastAt, t.tx.Now)
	name := scrub.Line(scrub.Clean(p.Name))
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

// visit makes sure that the session of an event is there, and remembers how it stood before this piece of the file.
func (t *taker) visit(ctx context.Context, id memory.SessionID) error {
	if _, ok := t.visited[id]; ok {
		return nil
	}
	s, err := t.tx.Session(ctx, id)
	file, told := t.sessions[id]
	if brain.IsNotFound(err) && told {
		t.visited[id] = time.Time{}
		return t.tx.SaveSession(ctx, memory.Session{
			ID: id, Project: file.Project, Agent: file.Agent, AgentSession: file.AgentSession, OpenedAt: file.OpenedAt, LastEventAt: file.OpenedAt,
		})
	}
	t.visited[id] = s.LastEventAt
	return err
}

// byHandOnly reports whether somebody told of a session that nobody saw.
func byHandOnly(s memory.Session) bool {
	return s.Events == 0 && s.Agent == memory.AgentUser && s.Told()
}

// sessionsByHand takes over the sessions that somebody told of and nobody saw, where they are new.
func (t *taker) sessionsByHand(ctx context.Context) error {
	for id, s := range t.sessions {
		if !byHandOnly(s) {
			continue
		}
		if _, err := t.tx.Session(ctx, id); !brain.IsNotFound(err) {
			if err != nil {
				return err
			}
			continue
		}
		if err := t.visit(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

// settle brings a session up to date once events of it are in; heard is the time of its last event before. Its figures are those
// of the events that are kept here. How it ended is the file's to say where the file knows the latest of it.
func (t *taker) settle(ctx context.Context, id memory.SessionID, heard time.Time) error {
	file, told := t.sessions[id]
	byHand := byHandOnly(file)
	if !byHand {
		if gone, err := t.tx.RecountSession(ctx, id); err != nil || gone > 0 {
			return err
		}
	}
	s, err := t.tx.Session(ctx, id)
	if err != nil {
		return err
	}
	newer := told && (s.LastEventAt.After(heard) || byHand && heard.IsZero())
	if newer {
		t.tellOf(&s, file)
		s.ClosedAt, s.CloseReason, s.Recovered = file.ClosedAt, file.CloseReason, file.Recovered
		if file.IntentByHand && (t.mine || !s.IntentByHand) { // others do not overwrite what a person said here
			s.Intent, s.IntentByHand = file.Intent, true
		}
	}
	if !s.Ticked && (!s.Open() && !byHand || newer && file.Ticked) {
		s.Ticked = true
		if err := t.tx.TickProject(ctx, s.Project); err != nil {
			return err
		}
	}
	if err := t.tx.SaveSession(ctx, s); err != nil {
		return err
	}
	if !s.Open() {
		if err := texts.IndexWindows(ctx, t.brain, t.tx, s); err != nil {
			return err
		}
	}
	return forget.RestoreIntent(ctx, t.brain, t.tx, id)
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
	if e.Session != 0 {
		if err := t.visit(ctx, e.Session); err != nil {
			return err
		}
		if err := t.tx.KeepOrdinal(ctx, e.Session, e.Ord); err != nil {
			return err
		}
	}
	e.Event = record.Clean(e.Event, t.tx.Now)
	t.changed[e.Project] = true
	_, err = t.tx.InsertEvent(ctx, e)
	return err
}
