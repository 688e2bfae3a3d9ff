package statements

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/fault"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/tuning"
	"github.com/hebb-memory/hebb/internal/typed"
)

// Scribe lets a model that reads, as a rule the coding agent that is installed anyway, write down what a person said in a session
// that is over: what holds from then on, what that replaces, and which goals and failures it ends. Nothing is taken from it that
// does not quote the person.
type Scribe struct {
	// Ask gives a question about a session of an agent to a model and returns its answer.
	Ask        func(ctx context.Context, of memory.Agent, question string) (string, error)
	Goals      func(ctx context.Context, tx *store.Tx, of memory.ProjectID, open bool) ([]memory.Goal, error)
	EndGoal    func(context.Context, *store.Tx, memory.Session, ScribeEnd) error
	KeepPutOff func(context.Context, *store.Tx, memory.Session) error
}

const (
	sessionsARun   = 3                // that are handed to the model in one run
	sessionsLatest = 50               // among which it looks for those that are not read
	triesMost      = 6                // to read one; an agent that failed rests for hours
	reachesBack    = 24 * time.Hour   // the first run
	patience       = 30 * time.Minute // after which a process that reads is taken to have ended
	promptsMost    = 100              // latest of a session that it reads
	heldMost       = 80               // latest statements of a project that it is told
	knownChars     = 200              // of one
)

// sessionRead is a session that the model has read, or could not.
type sessionRead struct {
	Session memory.SessionID `json:"session"`
	Closed  time.Time        `json:"closed"` // one that goes on is read again
	Tries   int              `json:"tries"`
	Done    bool             `json:"done"`
}

// scribeProgress is what was read of a project.
type scribeProgress struct {
	Since time.Time     `json:"since"` // sessions that closed before are not read
	Read  []sessionRead `json:"read"`  // the latest
}

func scribeProgressOf(id memory.ProjectID) store.Fact[scribeProgress] {
	return store.NewFact[scribeProgress]("scribe/read").Of(id)
}

// noted is the progress after a session was read, or not.
func (p scribeProgress) noted(s memory.Session, done bool) scribeProgress {
	r := sessionRead{Session: s.ID, Closed: s.ClosedAt, Done: done, Tries: 1}
	if i := slices.IndexFunc(p.Read, r.same); i >= 0 {
		r.Tries += p.Read[i].Tries
		p.Read = slices.Delete(p.Read, i, i+1)
	}
	p.Read = append(p.Read, r)
	p.Read = p.Read[max(0, len(p.Read)-2*sessionsLatest):]
	return p
}

func (r sessionRead) same(o sessionRead) bool {
	return r.Session == o.Session && r.Closed.Equal(o.Closed)
}

// ScribeOffered says that the person was asked whether an agent may read their sessions.
var ScribeOffered = store.NewFact[bool]("scribe/offered")

// ReadSessions lets the model read the sessions of a project that closed since the last time, and
// keeps what it finds as far as that quotes the person. Nothing is held while the model is asked,
// but no other process reads meanwhile. A session that it could not read is tried again the next time, a few times.
func (by Scribe) ReadSessions(ctx context.Context, b *brain.Brain, id memory.ProjectID) (kept int, err error) {
	_, err = b.Alone(ctx, "scribe", patience, func() error {
		closed, err := brain.View(ctx, b.Store, func(tx *store.Tx) ([]memory.Session, error) { return unread(ctx, b.Config, tx, id) })
		if err != nil {
			return err
		}
		asked := 0
		for _, s := range closed {
			session, shown, err := by.session(ctx, b.Store, s)
			if err != nil {
				return err
			}
			var answer ScribeAnswer
			if len(session.Turns) > 0 {
				if asked++; asked > sessionsARun {
					return nil
				}
				text, err := by.Ask(ctx, s.Agent, ScribeQuestion(session))
				if err == nil {
					answer, err = ReadScribeAnswer(text)
				}
				if errors.Is(err, memory.ErrRefused) || ctx.Err() != nil {
					return err // it was not asked, or hebb ends
				}
				if err != nil {
					note := func(tx *store.Tx) error { return noteRead(ctx, tx, s, false) }
					return errors.Join(fmt.Errorf("reading session %s: %w", s.ID, err), b.Store.Update(ctx, note))
				}
			}
			n, err := brain.Update(ctx, b, func(tx *store.Tx) (int, error) { return by.keep(ctx, b.Config.Tuning.Crystal, tx, shown, answer) })
			if err != nil {
				return err
			}
			kept += n
		}
		return nil
	})
	return kept, err
}

// noteRead keeps that a session was read, or could not be.
func noteRead(ctx context.Context, tx *store.Tx, s memory.Session, done bool) error {
	p, err := scribeProgressOf(s.Project).Get(ctx, tx)
	if err != nil {
		return err
	}
	if p.Since.IsZero() {
		p.Since = tx.Now.Add(-reachesBack)
	}
	return scribeProgressOf(s.Project).Set(ctx, tx, p.noted(s, done))
}

// unread are sessions of a project that closed and were not read, the earliest first.
func unread(ctx context.Context, c config.Config, tx *store.Tx, id memory.ProjectID) (closed []memory.Session, err error) {
	project, err := tx.Project(ctx, id)
	if err != nil || !c.Listens(memory.Place{Identity: project.Identity, Root: project.Root}) {
		return nil, brain.IgnoreNotFound(err)
	}
	p, err := scribeProgressOf(id).Get(ctx, tx)
	if err != nil {
		return nil, err
	}
	if p.Since.IsZero() {
		p.Since = tx.Now.Add(-reachesBack)
	}
	sessions, err := tx.Sessions(ctx, store.SessionFilter{ByAgents: true, Project: id, Limit: sessionsLatest})
	for _, s := range sessions {
		over := slices.ContainsFunc(p.Read, func(r sessionRead) bool {
			return r.same(sessionRead{Session: s.ID, Closed: s.ClosedAt}) && (r.Done || r.Tries >= triesMost)
		})
		if !s.Open() && s.ClosedAt.After(p.Since) && !over {
			closed = append(closed, s)
		}
	}
	slices.SortFunc(closed, func(x, y memory.Session) int { return x.ClosedAt.Compare(y.ClosedAt) })
	return closed, err
}

// shownSession is what the model was shown.
type shownSession struct {
	memory.Session
	whole map[string]bool // sources of the prompts that it saw from beginning to end
	held  map[string]bool // statements that it was told
	words map[string]bool // plain words of the person
	fails map[string]bool // failures that it was told
}

// session is what the model reads of a session. It has no turns if the person typed nothing.
func (by Scribe) session(ctx context.Context, st *store.Store, s memory.Session) (out ScribeSession, of shownSession, err error) {
	of = shownSession{Session: s, whole: map[string]bool{}, held: map[string]bool{}, words: map[string]bool{}, fails: map[string]bool{}}
	err = st.View(ctx, func(tx *store.Tx) error {
		prompts, err1 := typedIn(ctx, tx, s.ID)
		ends, err2 := tx.Events(ctx, store.EventFilter{Session: s.ID, Kind: memory.TurnEnded, Bare: true}) // the latest first
		since, bySource := int64(0), map[string]string{}
		for _, p := range prompts {
			t := ScribeTurn{Typed: typed.OwnWords(p.Text)}
			if i := slices.IndexFunc(ends, func(e memory.StoredEvent) bool { return e.Subagent == "" && e.Ord < p.Ord && e.Ord > since }); i >= 0 {
				t.Before = ends[i].Text
			}
			if since = p.Ord; strings.TrimSpace(t.Typed) != "" {
				out.Turns, bySource[SourceOf(p)] = append(out.Turns, t), t.Typed
			}
		}
		out.Turns = fitTurns(out.Turns)
		for _, t := range out.Turns {
			for _, w := range brain.PlainWords(t.Typed) {
				of.words[w] = true
			}
			for source, text := range bySource {
				of.whole[source] = of.whole[source] || text == t.Typed
			}
		}
		held, err3 := tx.Crystals(ctx, store.CrystalFilter{
			Projects: []memory.ProjectID{s.Project, 0}, Origin: memory.OriginUser, Current: true, Living: true, SaidBefore: s.OpenedAt, Limit: heldMost,
		})
		for _, c := range held {
			if !brain.IsThought(c.Crystal) {
				of.held[string(c.ID)] = true
				out.Held = append(out.Held, ScribeKnown{ID: string(c.ID), Text: prose.Shorten(prose.OneLine(c.Text), knownChars)})
			}
		}
		open, err4 := by.Goals(ctx, tx, s.Project, true)
		for _, g := range open {
			out.Open = append(out.Open, ScribeKnown{ID: string(g.ID), Text: prose.Shorten(prose.OneLine(g.Title), knownChars)})
		}
		failing, err5 := record.OpenFailures(ctx, tx, s.Project)
		for _, f := range failing {
			if memory.NewSessionID(f.Agent, f.AgentSession, s.Project) == s.ID {
				of.fails[string(f.ID)] = true
				out.Failing = append(out.Failing, ScribeKnown{ID: string(f.ID), Text: prose.Shorten(prose.OneLine(f.Input+": "+fault.Summary(f.Text)), knownChars)})
			}
		}
		return errors.Join(err1, err2, err3, err4, err5)
	})
	return out, of, err
}

// typedIn are the latest prompts that the person typed in a session, in the order of time.
func typedIn(ctx context.Context, tx *store.Tx, id memory.SessionID) ([]memory.StoredEvent, error) {
	prompts, err := tx.Events(ctx, store.EventFilter{Session: id, Kind: memory.Prompted, Origin: memory.OriginUser})
	prompts = slices.DeleteFunc(prompts, func(e memory.StoredEvent) bool { return e.Subagent != "" })
	prompts = prompts[:min(len(prompts), promptsMost)]
	slices.Reverse(prompts)
	return prompts, err
}

// keep keeps what an answer says of a session, as far as it quotes what the person typed there.
// What was forgotten meanwhile is not kept.
func (by Scribe) keep(ctx context.Context, settings tuning.Crystal, tx *store.Tx, of shownSession, a ScribeAnswer) (kept int, err error) {
	prompts, err := typedIn(ctx, tx, of.ID)
	if err != nil {
		return 0, err
	}
	found, times := map[memory.CrystalID]bool{}, map[string]int{}
	for _, n := range a.Notes {
		r := Reading{Quote: n.Quote, Kind: n.Kind, Before: times[n.Quote], Marks: n.Breaks}
		times[n.Quote]++
		if !slices.ContainsFunc(brain.PlainWords(n.About), func(w string) bool { return !of.words[w] }) {
			r.About = n.About // else it is not what the person spoke of
		}
		if of.held[n.Replaces] {
			r.Replaces = memory.CrystalID(n.Replaces)
		}
		c, ok, err := KeepReading(ctx, settings, tx, prompts, r)
		if err != nil {
			return 0, err
		}
		if ok {
			found[c.ID] = true
		}
	}
	for _, e := range a.Ended {
		quote, ok := QuotedIn(prompts, e.Quote)
		switch {
		case !ok:
		case of.fails[e.ID]:
			if err := record.EndFailure(ctx, tx, of.Project, memory.EventID(e.ID)); err != nil {
				return 0, err
			}
		default:
			e.Quote = quote
			if err := by.EndGoal(ctx, tx, of.Session, e); err != nil {
				return 0, err
			}
		}
	}
	if len(found) > 0 { // an answer that quotes nothing does not show that the session was read
		err = PutAside(ctx, tx, of.Session, func(c memory.Crystal) bool { return of.whole[c.Source] && !found[c.ID] })
	}
	return len(found), errors.Join(err, by.KeepPutOff(ctx, tx, of.Session), noteRead(ctx, tx, of.Session, true))
}
