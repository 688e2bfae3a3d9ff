// Package record takes events in: accesses, neurons, the links between them, errors and what fixed them, feedback on suggestions, and the heat
// of files. It knows nothing of texts, goals or files for people; what other rooms do with an event is set by package steward.
package record

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/fault"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/project"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/tuning"
	"github.com/hebb-memory/hebb/internal/typed"
)

// Recorder is the one recording path, for the length of one transaction. It remembers the projects and sessions the
// transaction has met, so that a batch of a hundred events of one session reads and writes its row once.
type Recorder struct {
	*association
	projects map[memory.ProjectID]*memory.Project
	sessions map[memory.SessionID]*memory.Session
	numbers  map[memory.SessionID]*numbering
	known    map[memory.EventID]bool       // whether events that were looked up are in the store or were forgotten
	homes    map[memory.Place]memory.Place // whose memory is used at the places it has met

	// Others are events that RecordAll left out because the store has other ones under their IDs.
	Others []memory.Event
}

// Recording runs work in one transaction of update and learns from what it records. What the work keeps in memory is
// valid only once the transaction is in the store.
func Recording(ctx context.Context, b *brain.Brain, update func(context.Context, func(*store.Tx) error) error, work func(*Recorder) error) error {
	var r *Recorder
	views := brain.Cache[keptViews](b, viewsKey{})
	err := update(ctx, func(tx *store.Tx) error {
		if err := b.Retune(ctx, tx); err != nil {
			return err
		}
		r = &Recorder{
			association: newAssociation(b, tx),
			projects:    map[memory.ProjectID]*memory.Project{}, sessions: map[memory.SessionID]*memory.Session{},
			homes: map[memory.Place]memory.Place{}, numbers: map[memory.SessionID]*numbering{}, known: map[memory.EventID]bool{},
		}
		if kept := views.exchange(nil); kept != nil {
			r.views = kept
		}
		if err := work(r); err != nil {
			return err
		}
		return errors.Join(r.flush(ctx), r.save(ctx))
	})
	if err == nil { // the pasts say what is in the store now
		for _, p := range r.pasts {
			Pasts(b).Put(p)
		}
		views.exchange(r.views)
	}
	return err
}

// RecordAll stores events in one go and returns how many were new.
func (r *Recorder) RecordAll(ctx context.Context, events ...memory.Event) (added int, err error) {
	if err := r.Look(ctx, events); err != nil {
		return 0, err
	}
	for _, e := range events {
		isNew, err := r.Record(ctx, e)
		if err != nil {
			return added, err
		}
		if isNew {
			added++
		} else if err := r.compare(ctx, e); err != nil {
			return added, err
		}
	}
	return added, nil
}

// compare notes an event that says something else than the one that the store has under its ID. The same call may come from two agents, with
// other names and sizes.
func (r *Recorder) compare(ctx context.Context, e memory.Event) error {
	stored, err := r.Tx.Events(ctx, store.EventFilter{ID: e.ID})
	e = fault.Ended(Clean(e, r.Tx.Now))
	paths := func(touches []memory.Touch) (list []string) {
		for _, t := range touches {
			list = append(list, t.Path)
		}
		return list
	}
	if len(stored) > 0 {
		if s := stored[0]; s.Kind != e.Kind || s.Input != e.Input || e.Kind.Said() && s.Text != e.Text || !slices.Equal(paths(s.Touches), paths(e.Touches)) {
			r.Others = append(r.Others, e)
		}
	}
	return err
}

// Look finds out at once which of some events are known, and reads the files that the others open.
func (r *Recorder) Look(ctx context.Context, events []memory.Event) (err error) {
	ids := make([]memory.EventID, len(events))
	for i, e := range events {
		ids[i] = e.ID
	}
	known, err := r.Tx.KnownOf(ctx, ids)
	opened := map[memory.ProjectID][]memory.NeuronID{}
	for _, e := range events {
		r.known[e.ID] = known[e.ID]
		for _, t := range e.Touches {
			if !known[e.ID] && t.Kind != memory.Mention {
				id := r.home(e.Place).Project()
				opened[id] = append(opened[id], memory.NewNeuronID(id, memory.FileNeuron, t.Path))
			}
		}
	}
	for id, files := range opened {
		files = slices.Compact(slices.Sorted(slices.Values(files)))
		err = errors.Join(err, r.loadHeat(ctx, id, files...), r.loadNeurons(ctx, files))
	}
	return err
}

// Record stores an event once, places it in its project and session, and closes the session if the event says so. It
// reports false for an event that was already there or was forgotten on purpose.
func (r *Recorder) Record(ctx context.Context, e memory.Event) (bool, error) {
	if _, looked := r.known[e.ID]; !looked {
		if err := r.Look(ctx, []memory.Event{e}); err != nil {
			return false, err
		}
	}
	if r.known[e.ID] {
		return false, nil
	}
	e = fault.Ended(Clean(e, r.Tx.Now))
	e.Place = r.home(e.Place)
	stored := memory.StoredEvent{Event: e, Project: e.Place.Project()}
	if e.AgentSession != "" {
		stored.Session = memory.NewSessionID(e.Agent, e.AgentSession, stored.Project)
		if again, err := r.repeats(ctx, stored); err != nil || again {
			return false, err
		}
	}
	if stored.Session != 0 {
		if err := r.work(ctx, stored); err != nil {
			return false, err
		}
	}
	if err := r.SeeProject(ctx, e); err != nil {
		return false, err
	}
	if stored.Session != 0 {
		var err error
		if err = r.followSession(ctx, stored); err != nil {
			return false, err
		}
		if stored.Ord, err = r.number(ctx, stored.Session); err != nil {
			return false, err
		}
	}
	seq, err := r.Tx.InsertEvent(ctx, stored, r.count)
	if err != nil || seq == 0 {
		return false, err
	}
	r.known[e.ID] = true
	if err := r.Learn(ctx, seq, stored); err != nil {
		return false, err
	}
	if r.brain.Follow != nil {
		if err := r.brain.Follow(ctx, r.brain, r.Tx, stored); err != nil {
			return false, err
		}
	}
	if e.Kind == memory.SessionEnded {
		return true, r.EndRun(ctx, e)
	}
	return true, nil
}

// home is config.Home, asked once for each place.
func (r *Recorder) home(place memory.Place) memory.Place {
	at, known := r.homes[place]
	if !known {
		at = r.brain.Config.Home(place).Settled()
		r.homes[place] = at
	}
	return at
}

// work moves the clock of a project to the day of an event. Until its first session that was the calendar, which stands since
// what is known of it last.
func (r *Recorder) work(ctx context.Context, e memory.StoredEvent) error {
	if e.Kind == memory.Unknown {
		return nil
	}
	b, err := r.Tx.Balance(ctx, e.Project)
	if err != nil {
		return err
	}
	worked, today := memory.Day(e.At), memory.Day(r.Tx.Now)
	if b.Clock.Last >= worked && b.Clock.Last <= today {
		return nil
	}
	if b.Clock.Last == 0 {
		last := e.At
		if p, met := r.projects[e.Project]; met {
			last = p.LastAt
		} else if p, err := r.Tx.Project(ctx, e.Project); err == nil {
			last = p.LastAt
		} else if !brain.IsNotFound(err) {
			return err
		}
		b.Clock.Last = memory.Day(last)
	}
	return r.Tx.SetClock(ctx, e.Project, b.Clock.On(worked, today))
}

// SeeProject writes the project at first sight, so that events can refer to it; its dates follow in flush.
func (r *Recorder) SeeProject(ctx context.Context, e memory.Event) error {
	id := e.Place.Project()
	if p, ok := r.projects[id]; ok {
		if e.Kind == memory.Unknown {
			return nil
		}
		if e.At.After(p.LastAt) {
			p.LastAt, p.Root = e.At, e.Place.Root
		}
		if e.At.Before(p.FirstAt) {
			p.FirstAt = e.At
		}
		return nil
	}
	p := memory.Project{ID: id, Identity: e.Place.Identity, Root: e.Place.Root, FirstAt: e.At, LastAt: e.At}
	p.Name, _ = scrub.Secrets(project.Name(e.Place))
	if name := []rune(p.Name); len(name) > brain.LongestProjectName {
		p.Name = string(name[:brain.LongestProjectName])
	}
	if c := r.brain.Carrying; c != nil && c.Rehearsal { // it would be the first thing written, before the input is checked
		return nil
	}
	r.projects[id] = &p
	known, err := r.Tx.Project(ctx, id)
	if known.Name != "" {
		p.Name = known.Name // its clones and work trees have names of their own
	}
	if e.Kind == memory.Unknown && err == nil {
		p = known
	}
	if !brain.IsNotFound(err) {
		return errors.Join(err, r.Tx.SeeProject(ctx, p))
	}
	if err := r.Tx.SeeProject(ctx, p); err != nil {
		return err
	}
	return NewGeneration(ctx, r.Tx, id)
}

// followSession opens, continues or reopens the session of an event; later events of the batch are written in flush.
func (r *Recorder) followSession(ctx context.Context, e memory.StoredEvent) error {
	if s, ok := r.sessions[e.Session]; ok {
		*s = follow(*s, e.Event)
		return nil
	}
	s, err := r.Tx.Session(ctx, e.Session)
	if errors.Is(err, memory.ErrNotFound) {
		s, err = memory.Session{
			ID: e.Session, Project: e.Project, Agent: e.Agent, AgentSession: e.AgentSession, OpenedAt: e.At, LastEventAt: e.At,
		}, nil
	}
	if err != nil {
		return err
	}
	s = follow(s, e.Event)
	r.sessions[s.ID] = &s
	return r.Tx.SaveSession(ctx, s)
}

// flush writes what the batch changed in projects and sessions already met.
func (r *Recorder) flush(ctx context.Context) error {
	for _, p := range r.projects {
		if err := r.Tx.SeeProject(ctx, *p); err != nil {
			return err
		}
	}
	for _, s := range r.sessions {
		if err := r.Tx.SaveSession(ctx, *s); err != nil {
			return err
		}
	}
	for id, n := range r.numbers {
		if n.counted == 0 {
			continue
		}
		if _, err := r.Tx.NumberEvents(ctx, id, n.counted); err != nil {
			return err
		}
	}
	clear(r.projects)
	clear(r.sessions)
	clear(r.numbers)
	return nil
}

// numbering is the position of the last event of a session, and how many of them flush has to count.
type numbering struct{ last, counted int64 }

// number gives an event its position in its session.
func (r *Recorder) number(ctx context.Context, id memory.SessionID) (ord int64, err error) {
	n := r.numbers[id]
	if n == nil {
		last, err := r.Tx.NumberEvents(ctx, id, 1)
		r.numbers[id] = &numbering{last: last}
		return last, err
	}
	n.last++
	n.counted++
	return n.last, nil
}

// repeats reports whether an event says again what its session has just said: a hook may be wired twice, and one agent
// may run the hooks of another beside its own. Calls and prompts have IDs, which a pack may hold; any other event is a duplicate
// if its content is equal and it follows at once.
func (r *Recorder) repeats(ctx context.Context, e memory.StoredEvent) (bool, error) {
	switch e.Kind {
	case memory.SessionStarted, memory.TurnEnded, memory.SubagentBegan, memory.SubagentEnded, memory.Compacting,
		memory.Compacted, memory.SessionEnded:
	default:
		return r.Tx.InPack(ctx, e)
	}
	earlier, err := r.Tx.Events(ctx, store.EventFilter{Session: e.Session, Kind: e.Kind, Since: e.At.Add(-RepeatWithin)})
	return slices.ContainsFunc(earlier, func(o memory.StoredEvent) bool {
		return o.Subagent == e.Subagent && o.Input == e.Input && o.Text == e.Text && o.At.Sub(e.At) <= RepeatWithin
	}), err
}

// follow is what an event does to its session. A closed session opens again for something new; what merely arrives
// late does not open it.
func follow(s memory.Session, e memory.Event) memory.Session {
	if !s.Open() && e.At.After(s.LastEventAt) && reopens(s, e) {
		s.ClosedAt, s.CloseReason, s.Recovered = time.Time{}, "", false
		s = s.WithoutDerivedSummary()
	}
	if e.At.After(s.LastEventAt) {
		s.LastEventAt = e.At
	}
	if e.At.Before(s.OpenedAt) {
		s.OpenedAt = e.At
	}
	if s.Intent == "" && e.Kind == memory.Prompted && e.Origin != memory.OriginTool {
		s.Intent = IntentOf(typed.Task(e.Text))
	}
	return s
}

// reopens distinguishes a new start from a late event. Hooks that run in the background may come after the one that ended the
// session, and are dated by when they ran: once the agent has said it ended, only a start or a prompt opens it.
func reopens(s memory.Session, e memory.Event) bool {
	if s.CloseReason == memory.ClosedByAgent {
		return e.Kind == memory.SessionStarted || e.Kind == memory.Prompted
	}
	return e.Kind != memory.SessionEnded
}

const (
	intentLength = 200 // characters of the first prompt kept as a session's intent: two lines on a terminal
	// RepeatWithin is the time in which an event without an ID that says the same again is a duplicate: agents run each
	// other's hooks beside their own.
	RepeatWithin = 5 * time.Second
)

// IntentOf is the beginning of a prompt on one line.
func IntentOf(prompt string) string {
	return prose.Shorten(scrub.Line(prompt), intentLength)
}

// EndRun closes every session of an agent's run: one run may have worked in several projects.
func (r *Recorder) EndRun(ctx context.Context, e memory.Event) error {
	if err := r.flush(ctx); err != nil {
		return err
	}
	sessions, err := r.Tx.SessionsOfRun(ctx, e.Agent, e.AgentSession)
	if err != nil {
		return err
	}
	for _, s := range sessions {
		if err := r.CloseSession(ctx, s, memory.ClosedByAgent, false, e.At); err != nil {
			return err
		}
	}
	return nil
}

// CloseSession closes once. The project's clock moves with the first close only, so a session that is resumed and
// closed again counts as one.
func (r *Recorder) CloseSession(ctx context.Context, s memory.Session, why memory.CloseReason, recovered bool, at time.Time) error {
	if !s.Open() {
		return nil
	}
	err := Log(ctx, r.Tx, memory.StoredEvent{Project: s.Project, Event: memory.Event{
		Kind: memory.Closed, At: at, Tool: string(why), Input: string(s.Agent), Text: s.AgentSession,
	}})
	return errors.Join(err, r.closeLogged(ctx, s, why, recovered, at))
}

func (r *Recorder) closeLogged(ctx context.Context, s memory.Session, why memory.CloseReason, recovered bool, at time.Time) error {
	s.ClosedAt, s.CloseReason, s.Recovered = at, why, recovered
	first := !s.Ticked && Logs(r.brain.Config.Gates.Log, s)
	if first {
		s.Ticked = true
		if err := r.Tx.TickProject(ctx, s.Project); err != nil {
			return err
		}
		r.ticked(s.Project)
	}
	if err := r.Tx.SaveSession(ctx, s); err != nil {
		return err
	}
	return r.SessionClosed(ctx, s, first)
}

// Log keeps what hebb itself did. Done twice, it is kept once.
func Log(ctx context.Context, tx *store.Tx, e memory.StoredEvent) error {
	e.ID = memory.DerivedEventID(string(e.Kind), e.Project.String(), e.Tool, e.Input, e.Text, strconv.FormatInt(e.At.UnixMilli(), 10))
	e.Agent, e.Origin = memory.AgentHebb, memory.OriginTool
	_, err := tx.InsertEvent(ctx, e, nil)
	return err
}

// sweptAtOnce sessions are closed in one transaction: each is cut into segments and moves the links between all that it met.
const sweptAtOnce = 2

// Sweep closes sessions that fell silent, a few in each transaction. It looks before it writes, for most of the time there is none
// and a reader need not wait for a writer's turn.
func Sweep(ctx context.Context, b *brain.Brain) (closed int, err error) {
	t := b.Config.Tuning.Session
	quiet, err := brain.View(ctx, b.Store, func(tx *store.Tx) ([]memory.Session, error) {
		return tx.QuietSessions(ctx, tx.Now.Add(-t.IdleAfter), tx.Now.Add(t.OrphanAfter()))
	})
	if err != nil || len(quiet) == 0 {
		return 0, err
	}
	for some := range slices.Chunk(quiet, sweptAtOnce) {
		n := 0
		err := Recording(ctx, b, b.Store.Update, func(r *Recorder) (err error) {
			n, err = r.closeQuiet(ctx, some)
			return err
		})
		if err != nil {
			return closed, err
		}
		closed += n
	}
	return closed, nil
}

// closeQuiet closes those of some sessions that are still as they were.
func (r *Recorder) closeQuiet(ctx context.Context, sessions []memory.Session) (closed int, err error) {
	for _, was := range sessions {
		s, err := r.Tx.Session(ctx, was.ID)
		if brain.IsNotFound(err) || err == nil && (!s.Open() || !s.LastEventAt.Equal(was.LastEventAt)) {
			continue
		}
		if err != nil {
			return closed, err
		}
		why, recovered := silence(s, r.Tx.Now, r.tuning.Session)
		if r.Tx.Now.Sub(s.LastEventAt) > readLater {
			err = r.PutInOrder(ctx, s)
		}
		if err = errors.Join(err, r.CloseSession(ctx, s, why, recovered, r.Tx.Now)); err != nil {
			return closed, err
		}
		closed++
	}
	return closed, nil
}

// readLater is how long after its last event an open session was surely read from a transcript, by somebody who was interrupted.
const readLater = 24 * time.Hour

// PutInOrder marks the project of a session that ends to be rebuilt, if later sessions have moved its clock before.
func (r *Recorder) PutInOrder(ctx context.Context, s memory.Session) error {
	const few = 32 // that run side by side
	latest, err := r.Tx.Sessions(ctx, store.SessionFilter{Project: s.Project, Limit: few})
	if err == nil && slices.ContainsFunc(latest, func(o memory.Session) bool { return o.Ticked && o.ID != s.ID && o.LastEventAt.After(s.LastEventAt) }) {
		err = MarkAnew(ctx, r.Tx, s.Project)
	}
	return err
}

// silence says why a quiet session is closed. One found much later than it should have been, or dated into the future
// by a wrong clock, is marked recovered.
func silence(s memory.Session, now time.Time, t tuning.Session) (why memory.CloseReason, recovered bool) {
	if quiet := now.Sub(s.LastEventAt); quiet >= t.OrphanAfter() || quiet < 0 {
		return memory.ClosedByOrphan, true
	}
	return memory.ClosedByIdle, false
}

// Clean makes an event fit to be kept: no secrets, no private text, no time in the future.
func Clean(e memory.Event, now time.Time) memory.Event {
	e.At = e.At.UTC().Truncate(time.Millisecond)
	if e.At.After(now) {
		if e.Ahead.IsZero() {
			e.Ahead = e.At
		}
		e.At = now
	}
	e.Tool, e.Subagent = scrub.Line(scrub.Clean(e.Tool)), scrub.Line(scrub.Clean(e.Subagent))
	e.Input = scrub.Clean(e.Input)
	if e.Kind == memory.Unknown {
		e.Text = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`).ReplaceAllStringFunc(e.Text, cleanString)
	} else {
		e.Text = scrub.Clean(e.Text)
	}
	e.AgentSession = scrub.Line(scrub.Clean(e.AgentSession))
	e.Place.Root, _ = scrub.Secrets(e.Place.Root) // the identity stays as it is: it is what the project is known by
	e.Touches = slices.Clone(e.Touches)           // the caller's stay as they are
	for i := range e.Touches {
		e.Touches[i].Path, _ = scrub.Secrets(e.Touches[i].Path)
		e.Touches[i].From, _ = scrub.Secrets(e.Touches[i].From)
	}
	return e
}

// cleanString cleans a string of a JSON text, which stays one.
func cleanString(quoted string) string {
	var text string
	if json.Unmarshal([]byte(quoted), &text) != nil {
		return strconv.Quote(scrub.Clean(quoted))
	}
	clean, _ := json.Marshal(scrub.Clean(text)) // a string has no other form
	return string(clean)
}

// Check refuses an event that no door of ours would make.
func Check(e memory.Event) error {
	for _, part := range []struct {
		name    string
		missing bool
	}{
		{"id", e.ID == ""}, {"time", e.At.IsZero()}, {"kind", e.Kind == ""}, {"agent", e.Agent == ""}, {"origin", e.Origin == ""},
		{"place", e.Place.Identity == ""},
	} {
		if part.missing {
			return fmt.Errorf("event %q: no %s: %w", e.ID, part.name, memory.ErrInvalid)
		}
	}
	words := []string{string(e.ID), string(e.Kind), string(e.Agent), string(e.Origin), e.Place.Identity, e.Place.Root}
	for _, t := range e.Touches {
		words = append(words, string(t.Kind), t.Path, t.From)
	}
	if len(e.Agent)+len(e.AgentSession) > brain.LongestRun {
		return fmt.Errorf("event %q: names of agent and run of more than %d bytes: %w", e.ID, brain.LongestRun, memory.ErrInvalid)
	}
	if err := CheckContent(e); err != nil {
		return err
	}
	for _, w := range append(words, e.AgentSession) { // no door makes others, and not every database takes them
		if !utf8.ValidString(w) || strings.ContainsRune(w, 0) || len(w) > LongestName {
			return fmt.Errorf("event %q: %.60q is no name: want UTF-8 without NUL, at most %d bytes: %w", e.ID, w, LongestName, memory.ErrInvalid)
		}
	}
	return nil
}

// Unfit reports whether an error is about what was to be recorded, not about the store: such an event is set aside, and never stops
// those after it.
func Unfit(err error) bool {
	return errors.Is(err, memory.ErrInvalid) || errors.Is(err, memory.ErrNotFound) || errors.Is(err, memory.ErrConflict)
}

// CheckContent refuses an event that nobody could learn from: an answer of less than nothing, or a list that cannot be read.
func CheckContent(e memory.Event) (err error) {
	switch {
	case e.ResultBytes != nil && *e.ResultBytes < 0:
		err = fmt.Errorf("an answer of %d bytes", *e.ResultBytes)
	case e.Kind == memory.Wired && e.Tool != string(memory.OriginRepo):
		err = json.Unmarshal([]byte(e.Text), new([]Hint))
	case e.Kind == memory.Suggested:
		err = json.Unmarshal([]byte(e.Text), new([]memory.Suggestion))
	}
	if err != nil {
		return fmt.Errorf("event %q: %w: %w", e.ID, err, memory.ErrInvalid)
	}
	return nil
}

// LongestName is what a path may have on any system, escaped.
const LongestName = 4 * 4096

// Logs reports whether a session is to be kept on the shelves: as the settings say, or because it was wrapped up.
func Logs(log config.Gate, s memory.Session) bool {
	return log.Always() || s.CloseReason == memory.ClosedByWrapUp
}

// RecordingIn is Recording of what somebody says about one project: the named one, or the one around the folder, which the store
// knows from then on. What holds everywhere has project 0. The place is empty unless the folder chose the project.
func RecordingIn(ctx context.Context, b *brain.Brain, in brain.Scope, everywhere bool, work func(*Recorder, memory.ProjectID, memory.Place) error) error {
	var place memory.Place
	if !everywhere && in.Project == "" {
		var err error
		if place, err = brain.PlaceAt(b.Config, in.Dir); err != nil {
			return err
		}
	}
	return Recording(ctx, b, b.Say, func(r *Recorder) (err error) {
		var id memory.ProjectID
		switch {
		case everywhere:
		case in.Project != "":
			id, err = brain.Named(ctx, r.Tx, in.Project)
		default:
			id = place.Project()
			err = r.SeeProject(ctx, memory.Event{At: r.Tx.Now, Place: place})
		}
		if err != nil {
			return err
		}
		return work(r, id, place)
	})
}
