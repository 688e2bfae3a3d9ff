package learn

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/forget"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/project"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/texts"
	"github.com/hebb-memory/hebb/internal/transcript"
	"github.com/hebb-memory/hebb/internal/views"
)

// TranscriptsInput says which histories of agents to learn from.
type TranscriptsInput struct {
	Dir         string    `json:"dir"`     // in the project to learn about
	Folders     []string  `json:"folders"` // in which agents keep their histories
	AllProjects bool      `json:"all_projects,omitempty" flag:"all-projects" about:"of every project, not only of this one"`
	Since       time.Time `json:"since,omitzero" flag:"since" about:"only after this"`
	// Until ends the reading: what is left then is learned in the background. Zero: all is read.
	Until time.Time `json:"-"`
	Dry   bool      `json:"dry,omitempty" flag:"dry-run" about:"only count"`
	// Foreign histories are somebody else's: all they say carries the origin import, because a file from elsewhere must not
	// speak with the user's voice. Those in the agents' own folders were written by the same agents that call hooks, and
	// carry the same origins.
	Foreign bool `json:"foreign,omitempty"`
	Mine    bool `json:"mine,omitempty" flag:"mine" about:"with --from: these were my sessions"`
	// Progress is called with how many of all bytes have been read.
	Progress func(done, total int64) `json:"-"`
}

// TranscriptsResult counts what was learned.
type TranscriptsResult struct {
	Transcripts int   `json:"transcripts"` // found
	Read        int   `json:"read"`
	Unchanged   int   `json:"unchanged"` // since they were read before
	Elsewhere   int   `json:"elsewhere"` // of other projects, or of an unknown one
	Older       int   `json:"older"`     // than what was asked for
	Left        int   `json:"left"`      // for the background
	Unread      int   `json:"unread"`    // not or not wholly, because they cannot be read
	Bytes       int64 `json:"bytes"`
	Lines       int   `json:"lines"`
	Malformed   int   `json:"malformed"` // lines that could not be understood
	Sessions    int   `json:"sessions"`  // with something new
	Events      int   `json:"events"`    // new in the store; of a dry run, that would be
	Known       int   `json:"known"`     // recorded before, by hooks or an earlier run
	Withheld    int   `json:"withheld"`  // of sessions that were forgotten, or while the project was paused
	Refused     int   `json:"refused"`   // that the store cannot take
	Texts       int   `json:"texts"`     // made findable
	// Agents counts the new events of each agent.
	Agents   map[memory.Agent]int `json:"agents"`
	Problems []string             `json:"problems"`
}

// LearnTranscripts learns from what agents keep of past sessions as if hooks had seen them, each event at its own time. It
// only reads there. A second run adds nothing, and one that was interrupted goes on.
var LearnTranscripts = brain.Operation[TranscriptsInput, TranscriptsResult]{
	Name: "learn-transcripts",
	Run:  learnTranscripts,
}

func learnTranscripts(ctx context.Context, b *brain.Brain, in TranscriptsInput) (out TranscriptsResult, err error) {
	out.Agents, out.Problems = map[memory.Agent]int{}, []string{}
	place, err := brain.PlaceAt(b.Config, in.Dir)
	if err != nil {
		return out, err
	}
	histories, err := transcript.Find(ctx, in.Folders)
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, histories.Close()) }()
	for _, p := range histories.Problems {
		out.Problems = append(out.Problems, p.String())
	}
	known, err := brain.View(ctx, b.Store, func(tx *store.Tx) ([]memory.Project, error) { return tx.Projects(ctx) })
	if err != nil {
		return out, err
	}
	h := &historian{
		Brain: b, in: in, out: &out, here: place.Project(), size: brain.FirstBatch(b.Config.Tuning.Store), roots: []string{place.Root, in.Dir},
		places: map[string]memory.Place{}, open: map[memory.SessionID]time.Time{}, changed: map[memory.SessionID]bool{},
		watches: map[memory.SessionID]watch{},
	}
	h.size.Least = brain.LeastEvents
	for _, p := range known {
		h.roots = append(h.roots, p.Root)
	}
	total := int64(0)
	for _, t := range histories.Transcripts {
		total += t.Size
	}
	done := int64(0)
	out.Transcripts = len(histories.Transcripts)
	for i, t := range histories.Transcripts {
		if h.timeIsUp() {
			out.Left = len(histories.Transcripts) - i
			break
		}
		if err := h.closeQuiet(ctx, t.Changed); err != nil {
			return out, err
		}
		if err := h.learn(ctx, t); errors.Is(err, errTimeIsUp) {
			out.Left = len(histories.Transcripts) - i
			break
		} else if err != nil {
			return out, err
		}
		if done += t.Size; in.Progress != nil {
			in.Progress(done, total)
		}
	}
	if err := h.finish(ctx); err != nil || in.Dry {
		return out, err
	}
	return out, b.Store.Update(ctx, func(tx *store.Tx) error {
		if h.aside.Count > 0 {
			h.aside.At = tx.Now
			if err := SetAside.Set(ctx, tx, h.aside); err != nil {
				return err
			}
		}
		return leave(ctx, tx, place.Project(), in, out.Left)
	})
}

// Aside says which records of transcripts the store could not take.
type Aside struct {
	Count int       `json:"count"`
	At    time.Time `json:"at,omitzero"`
	Last  string    `json:"last"` // the last of them, and why
}

// SetAside is what the last run had to set aside, for the doctor.
var SetAside = store.NewFact[Aside]("transcripts-aside")

// waitingTranscripts says of projects, by their IDs, which transcripts wait to be learned in the background.
var waitingTranscripts = store.NewFact[map[string]transcriptsLeft]("transcripts-waiting")

type transcriptsLeft struct {
	TranscriptsInput
	// Known says that the store had the project then: if it has not any more, it was forgotten.
	Known bool `json:"known,omitempty"`
}

// leave notes that transcripts of a project are left, or that none are.
func leave(ctx context.Context, tx *store.Tx, id memory.ProjectID, in TranscriptsInput, left int) error {
	waiting, err := waitingTranscripts.Get(ctx, tx)
	if err != nil {
		return err
	}
	before, known := waiting[id.String()]
	if left == 0 && (!known || !in.covers(before.TranscriptsInput)) {
		return nil
	}
	_, err = tx.Project(ctx, id)
	if err != nil && !brain.IsNotFound(err) {
		return err
	}
	after := map[string]transcriptsLeft{}
	maps.Copy(after, waiting)
	if after[id.String()] = (transcriptsLeft{in, err == nil}); left == 0 {
		delete(after, id.String())
	}
	return waitingTranscripts.Set(ctx, tx, after)
}

// covers reports whether a run reads all that another was to read.
func (in TranscriptsInput) covers(other TranscriptsInput) bool {
	return in.Since.IsZero() && slices.Equal(in.Folders, other.Folders) && (in.AllProjects || !other.AllProjects)
}

// transcriptsAtOnce is how long the background learns from transcripts before other work has its turn.
const transcriptsAtOnce = 2 * time.Minute

// LearnWaiting goes on with the transcripts that an earlier run has left.
func LearnWaiting(ctx context.Context, b *brain.Brain) error {
	waiting, err := brain.View(ctx, b.Store, func(tx *store.Tx) (map[string]transcriptsLeft, error) { return waitingTranscripts.Get(ctx, tx) })
	if err != nil {
		return err
	}
	until := b.Now().Add(transcriptsAtOnce)
	for name, in := range waiting {
		id, err := memory.ParseProjectID(name)
		if err != nil {
			return err
		}
		_, err = brain.View(ctx, b.Store, func(tx *store.Tx) (memory.Project, error) { return tx.Project(ctx, id) })
		if brain.IsNotFound(err) && in.Known {
			err = b.Store.Update(ctx, func(tx *store.Tx) error { return leave(ctx, tx, id, in.TranscriptsInput, 0) })
		} else if err == nil || brain.IsNotFound(err) {
			in.Until = until
			_, err = learnTranscripts(ctx, b, in.TranscriptsInput)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// historian is one run of learning from transcripts.
type historian struct {
	*brain.Brain
	in     TranscriptsInput
	out    *TranscriptsResult
	here   memory.ProjectID
	roots  []string // of projects, as agents may have fingerprinted them
	size   brain.BatchSize
	places map[string]memory.Place // by folder

	events  []pastEvent
	open    map[memory.SessionID]time.Time // sessions that are not closed yet, with the time of their last event
	changed map[memory.SessionID]bool      // sessions with something new
	watches map[memory.SessionID]watch
	touched []memory.ProjectID

	working    []string // sessions of agents that hooks watched when the transcript was last changed
	read, safe int64    // how far the transcript was read, and up to where all of it was handed over
	whose      memory.ProjectID
	failed     error // of the store, while a transcript was read
	file       string
	pauses     []brain.Pause
	aside      Aside
}

// pastEvent is an event read from a transcript. Unless it is named, a hook may have recorded it under an ID that only the hook
// knows.
type pastEvent struct {
	memory.Event
	named bool
}

// errTimeIsUp ends the reading of a transcript in the middle. A later run goes on from there.
var errTimeIsUp = errors.New("no time is left")

// errElsewhere ends the reading of a transcript that is of another project.
var errElsewhere = errors.New("of another project")

// transcriptMark is what is kept of a transcript that was read.
type transcriptMark struct {
	Read  int64  `json:"read"`            // bytes
	Head  string `json:"head"`            // fingerprint of the beginning
	Stamp string `json:"stamp,omitempty"` // of a file that was over then
	Since int64  `json:"since,omitempty"` // what is older was left out
	// Project is whose it is.
	Project memory.ProjectID `json:"project,omitzero"`
}

func markOf(t transcript.Transcript) store.Fact[transcriptMark] {
	return store.NewFact[transcriptMark]("transcript").About(strconv.FormatInt(memory.ContentHash(string(t.Agent), t.File), 36))
}

func stampOf(t transcript.Transcript) string {
	return strconv.FormatInt(t.Size, 10) + "@" + strconv.FormatInt(t.Changed.UnixMilli(), 10)
}

// learn learns from one transcript.
func (h *historian) learn(ctx context.Context, t transcript.Transcript) error {
	if !h.in.Since.IsZero() && t.Changed.Before(h.in.Since) {
		h.out.Older++
		return nil
	}
	mark, err := h.mark(ctx, t)
	if err != nil {
		return err
	}
	if mark.Stamp == stampOf(t) {
		if mark.Project != h.here && !h.in.AllProjects {
			h.out.Elsewhere++
		} else {
			h.out.Unchanged++
		}
		return nil
	}
	h.read, h.safe, h.whose, h.file = 0, 0, mark.Project, t.File
	if h.working, err = h.workingWhen(ctx, t); err != nil {
		return err
	}
	ended := h.Now().Sub(t.Changed) >= h.Config.Tuning.Session.IdleAfter
	report, err := t.Read(ctx, transcript.Options{From: mark.Read, Ended: ended, Roots: h.roots, Private: scrub.Withholds}, func(rec transcript.Record) error {
		return h.take(ctx, t, rec)
	})
	switch {
	case h.failed != nil:
		return h.failed
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, errElsewhere):
		h.out.Elsewhere++
		return nil
	case errors.Is(err, errTimeIsUp):
		return err // what was read is recorded
	case err != nil: // one that cannot be read holds up no other
		h.out.Unread++
		h.out.Problems = append(h.out.Problems, scrub.Line(err.Error()))
	}
	h.out.Read++
	h.out.Lines += report.Lines
	h.out.Malformed += report.Malformed
	h.out.Bytes += report.End
	stamp := ""
	if ended && err == nil {
		stamp = stampOf(t)
	}
	return h.flush(ctx, t, max(report.End, mark.Read), stamp)
}

func (h *historian) mark(ctx context.Context, t transcript.Transcript) (m transcriptMark, err error) {
	m, err = brain.View(ctx, h.Store, func(tx *store.Tx) (transcriptMark, error) { return markOf(t).Get(ctx, tx) })
	if err != nil || m == (transcriptMark{}) {
		return m, err
	}
	if m.Since > sinceOf(h.in.Since) || t.Size > 0 && t.Size < m.Read {
		return transcriptMark{}, nil // start over: what is known is known
	}
	if head, err := t.Fingerprint(m.Read); err != nil || head != m.Head {
		return transcriptMark{}, nil // Read says what is wrong
	}
	return m, nil
}

func sinceOf(at time.Time) int64 {
	if at.IsZero() {
		return 0
	}
	return at.UnixMilli()
}

// take keeps a record of a transcript for the next transaction.
func (h *historian) take(ctx context.Context, t transcript.Transcript, rec transcript.Record) error {
	place, err := h.place(ctx, rec.Project)
	if err != nil || !h.in.AllProjects && place.Project() != h.here || h.Config.Paused(place.Project()) {
		return errElsewhere
	}
	h.whose = place.Project()
	if rec.End != h.read { // one line may hold several records
		h.read, h.safe = rec.End, h.read
	}
	if rec.At.Before(h.in.Since) {
		return nil
	}
	e, ok := h.event(t, place, rec)
	if !ok {
		return nil
	}
	h.events = append(h.events, e)
	if len(h.events) >= h.size.Size {
		if h.failed = h.flush(ctx, t, h.safe, ""); h.failed == nil && h.timeIsUp() {
			return errTimeIsUp
		}
	}
	return h.failed
}

func (h *historian) timeIsUp() bool { return !h.in.Until.IsZero() && h.Now().After(h.in.Until) }

func (h *historian) place(ctx context.Context, dir string) (memory.Place, error) {
	if p, known := h.places[dir]; known {
		return p, nil
	}
	if err := h.Recognise(ctx, dir); err != nil {
		return memory.Place{}, err
	}
	p, err := brain.PlaceAt(h.Config, dir)
	if err == nil {
		h.places[dir] = p
	}
	return p, err
}

// event decodes a record as a hook would, and completes it as the hook does.
func (h *historian) event(t transcript.Transcript, place memory.Place, rec transcript.Record) (pastEvent, bool) {
	seen, ok, err := agent.Decode(t.Agent, bytes.NewReader(rec.Payload), func(string) string { return "" }, h.Config.Tuning.Capture,
		int64(len(rec.Payload)))
	if err != nil || !ok || seen.Event.AgentSession == "" {
		return pastEvent{}, false // hooks do not record it either
	}
	e := pastEvent{Event: seen.Event, named: rec.Named && seen.Event.ID != ""}
	e.At, e.Place = rec.At, place
	e.AgentSession = scrub.Line(scrub.Clean(e.AgentSession)) // as it is recorded: the session is looked up by it
	if e.AgentSession == "" {
		return pastEvent{}, false
	}
	if !e.named {
		e.ID = memory.DerivedEventID("transcript", e.AgentSession, e.Subagent, rec.Key, string(e.Kind))
	}
	for i, touch := range e.Touches {
		e.Touches[i].Path, _ = scrub.Secrets(project.Key(place, touch.Path))
	}
	// The agent of another session may have written the transcript. Hooks would have seen one that ran at that time.
	planted := slices.ContainsFunc(h.working, func(session string) bool { return session != e.AgentSession })
	if h.in.Foreign || planted && e.Origin == memory.OriginUser {
		e.Origin = memory.OriginImport
	}
	return e, true
}

// flush records what was taken, and how far the transcript was read.
func (h *historian) flush(ctx context.Context, t transcript.Transcript, read int64, stamp string) error {
	events := h.events
	h.events = nil
	if h.in.Dry {
		return h.count(ctx, events)
	}
	head, err := t.Fingerprint(read)
	if err != nil {
		return nil // it was removed while it was read; if it comes back it is read again
	}
	mark := transcriptMark{Read: read, Head: head, Stamp: stamp, Since: sinceOf(h.in.Since), Project: h.whose}
	began := h.Now()
	if err := h.record(ctx, events, func(tx *store.Tx) error { return markOf(t).Set(ctx, tx, mark) }); err != nil {
		return err
	}
	h.size.Took(len(events), h.Now().Sub(began))
	return nil
}

// count says what a dry run would record.
func (h *historian) count(ctx context.Context, events []pastEvent) error {
	return h.Store.View(ctx, func(tx *store.Tx) error {
		for _, e := range events {
			withheld, err := h.withheld(ctx, tx, e)
			if err != nil {
				return err
			}
			if withheld {
				h.out.Withheld++
				continue
			}
			known, err := tx.Known(ctx, e.ID)
			if err == nil && !known && !e.named {
				known, err = h.watched(ctx, tx, e)
			}
			if err != nil {
				return err
			}
			h.counted(e, !known)
		}
		return nil
	})
}

// counted notes what became of an event.
func (h *historian) counted(e pastEvent, isNew bool) {
	if !isNew {
		h.out.Known++
		return
	}
	h.out.Events++
	h.out.Agents[e.Agent]++
	if id := sessionOf(e.Event); !h.changed[id] {
		h.changed[id] = true
		h.out.Sessions++
	}
}

func sessionOf(e memory.Event) memory.SessionID {
	return memory.NewSessionID(e.Agent, e.AgentSession, e.Place.Project())
}

// setAside leaves out an event that the store cannot take, and names it.
func (h *historian) setAside(e pastEvent, why error) {
	const named = 3
	what := scrub.Line(fmt.Sprintf("%s: a record of %s (%s) could not be stored: %v", h.file, e.At.UTC().Format(time.RFC3339), e.Kind, why))
	if h.out.Refused++; h.out.Refused <= named {
		h.out.Problems = append(h.out.Problems, what)
	}
	h.aside.Count, h.aside.Last = h.out.Refused, what
}

// record stores events in one transaction, with a last deed in it. An event that the store cannot take is set aside.
func (h *historian) record(ctx context.Context, events []pastEvent, last func(*store.Tx) error) error {
	var fit []pastEvent
	for _, e := range events {
		if err := record.Check(e.Event); err != nil {
			h.setAside(e, err)
		} else {
			fit = append(fit, e)
		}
	}
	isNew, left := make([]bool, len(fit)), make([]bool, len(fit))
	err := record.Recording(ctx, h.Brain, h.Store.Update, func(r *record.Recorder) error {
		plain := make([]memory.Event, len(fit))
		for i, e := range fit {
			plain[i] = e.Event
		}
		if err := r.Look(ctx, plain); err != nil {
			return err
		}
		for i, e := range fit {
			isNew[i], left[i] = false, false // the transaction may run again
			withheld, err := h.withheld(ctx, r.Tx, e)
			if err != nil {
				return err
			}
			if withheld {
				left[i] = true
				continue
			}
			seen, err := h.watched(ctx, r.Tx, e)
			if err != nil {
				return err
			}
			if seen && !e.named {
				continue
			}
			if seen && e.Kind == memory.Prompted && e.Origin == memory.OriginUser {
				e.Origin = memory.OriginImport // a hook would have seen it: somebody may have written it into the transcript
			}
			if isNew[i], err = r.Record(ctx, e.Event); err != nil {
				return err
			}
		}
		return last(r.Tx)
	})
	switch {
	case err == nil:
	case !record.Unfit(err):
		return err
	case len(fit) == 1:
		h.setAside(fit[0], err)
		return h.record(ctx, nil, last) // how far it was read is true without it
	case len(fit) == 0:
		return err
	default: // find the one
		for _, e := range fit {
			if err := h.record(ctx, []pastEvent{e}, func(*store.Tx) error { return nil }); err != nil {
				return err
			}
		}
		return h.record(ctx, nil, last)
	}
	for i, e := range fit {
		if left[i] {
			h.out.Withheld++
			continue
		}
		h.counted(e, isNew[i])
		if !isNew[i] {
			continue
		}
		if id := sessionOf(e.Event); e.At.After(h.open[id]) {
			h.open[id] = e.At
		}
		if id := e.Place.Project(); !slices.Contains(h.touched, id) {
			h.touched = append(h.touched, id)
		}
	}
	return nil
}

// closeQuiet closes the sessions that had fallen silent at some time, in the order in which they did, as if it were then.
func (h *historian) closeQuiet(ctx context.Context, at time.Time) error {
	idle := h.Config.Tuning.Session.IdleAfter
	if now := h.Now(); at.After(now) {
		at = now
	}
	var quiet []memory.SessionID
	for id, last := range h.open {
		if at.Sub(last) >= idle {
			quiet = append(quiet, id)
		}
	}
	if len(quiet) == 0 {
		return nil
	}
	slices.SortFunc(quiet, func(a, b memory.SessionID) int { return h.open[a].Compare(h.open[b]) })
	err := record.Recording(ctx, h.Brain, h.Store.Update, func(r *record.Recorder) error {
		for _, id := range quiet {
			s, err := r.Tx.Session(ctx, id)
			if brain.IsNotFound(err) {
				continue // forgotten meanwhile
			}
			if err != nil {
				return err
			}
			if !s.Open() || r.Tx.Now.Sub(s.LastEventAt) < idle {
				continue
			}
			if err := r.PutInOrder(ctx, s); err != nil {
				return err
			}
			if err := r.CloseSession(ctx, s, memory.ClosedByIdle, false, s.LastEventAt.Add(idle)); err != nil {
				return err
			}
		}
		return nil
	})
	for _, id := range quiet {
		delete(h.open, id)
	}
	return err
}

// finish closes the last sessions, rebuilds projects that learned out of order, and makes it all findable.
func (h *historian) finish(ctx context.Context) error {
	if h.in.Dry {
		return nil
	}
	if err := h.closeQuiet(ctx, h.Now()); err != nil {
		return err
	}
	if err := forget.LearnAnew(ctx, h.Brain); err != nil {
		return err
	}
	if len(h.touched) > 0 {
		h.out.Problems = append(h.out.Problems, views.Maintain(ctx, h.Brain, h.touched).Warnings...)
	}
	var err error
	h.out.Texts, err = texts.Index(ctx, h.Brain, 0, nil)
	return err
}
