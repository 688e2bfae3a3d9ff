package scribe

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/typed"
)

// Ask gives a question about a session of an agent to a model and returns its answer.
type Ask func(ctx context.Context, of memory.Agent, question string) (string, error)

const (
	sessionsARun = 3              // that are handed to the model in one run
	reachesBack  = 24 * time.Hour // the first run
	promptsMost  = 100            // latest of a session that it reads
	heldMost     = 80             // latest statements of a project that it is told
	knownChars   = 200            // of one
)

// lastRead is when the last session of a project closed that was read.
func lastRead(id memory.ProjectID) store.Fact[time.Time] {
	return store.NewFact[time.Time]("listen/model").Of(id)
}

// Offered says that the person was asked whether an agent may read their sessions.
var Offered = store.NewFact[bool]("scribe/offered")

// ReadSessions lets a model read the sessions of a project that closed since the last time, and keeps what it finds as far as that quotes the
// person. Nothing is held while the model is asked; a session that it could not read is read the next time.
func ReadSessions(ctx context.Context, b *brain.Brain, id memory.ProjectID, ask Ask) (kept int, err error) {
	closed, err := brain.View(ctx, b, func(tx *store.Tx) ([]memory.Session, error) { return unread(ctx, b, tx, id) })
	if err != nil {
		return 0, err
	}
	asked := 0
	for _, s := range closed {
		var answer Answer
		session, err := brain.View(ctx, b, func(tx *store.Tx) (Session, error) { return sessionOf(ctx, tx, s) })
		if err != nil {
			return kept, err
		}
		if len(session.Turns) > 0 {
			if asked++; asked > sessionsARun {
				break
			}
			text, err := ask(ctx, s.Agent, Question(session))
			if err == nil {
				answer, err = ReadAnswer(text)
			}
			if err != nil {
				return kept, fmt.Errorf("reading session %s: %w", s.ID, err)
			}
		}
		n, err := brain.Update(ctx, b, func(tx *store.Tx) (int, error) { return keep(ctx, b, tx, s, answer) })
		if err != nil {
			return kept, err
		}
		kept += n
	}
	return kept, nil
}

// unread are sessions of a project that closed since the model last read, the earliest first.
func unread(ctx context.Context, b *brain.Brain, tx *store.Tx, id memory.ProjectID) (closed []memory.Session, err error) {
	p, err := tx.Project(ctx, id)
	if err != nil || !b.Config.Listens(memory.Place{Identity: p.Identity, Root: p.Root}) {
		return nil, brain.IgnoreNotFound(err)
	}
	last, err := lastRead(id).Get(ctx, tx)
	if err != nil {
		return nil, err
	}
	if last.IsZero() {
		last = tx.Now.Add(-reachesBack)
	}
	const latest = 50
	sessions, err := tx.Sessions(ctx, store.SessionFilter{Project: id, Limit: latest})
	for _, s := range sessions {
		if !s.Open() && s.ClosedAt.After(last) {
			closed = append(closed, s)
		}
	}
	slices.SortFunc(closed, func(x, y memory.Session) int { return x.ClosedAt.Compare(y.ClosedAt) })
	return closed, err
}

// sessionOf is what the model reads of a session. It has no turns if the person typed nothing.
func sessionOf(ctx context.Context, tx *store.Tx, s memory.Session) (out Session, err error) {
	prompts, err1 := typedIn(ctx, tx, s.ID)
	ends, err2 := tx.Events(ctx, store.EventFilter{Session: s.ID, Kind: memory.TurnEnded, Bare: true}) // the latest first
	since := int64(0)
	for _, p := range prompts {
		t := Turn{Typed: typed.OwnWords(p.Text)}
		if i := slices.IndexFunc(ends, func(e memory.StoredEvent) bool { return e.Subagent == "" && e.Ord < p.Ord && e.Ord > since }); i >= 0 {
			t.Before = ends[i].Text
		}
		if since = p.Ord; strings.TrimSpace(t.Typed) != "" {
			out.Turns = append(out.Turns, t)
		}
	}
	held, err3 := tx.Crystals(ctx, store.CrystalFilter{
		Projects: []memory.ProjectID{s.Project, 0}, Origin: memory.OriginUser, Current: true, Living: true, SaidBefore: s.OpenedAt, Limit: heldMost,
	})
	for _, c := range held {
		if c.Lifecycle != memory.Waiting && !brain.IsThought(c.Crystal) {
			out.Held = append(out.Held, Known{ID: string(c.ID), Text: prose.Shorten(prose.OneLine(c.Text), knownChars)})
		}
	}
	open, err4 := goals.GoalsOf(ctx, tx, s.Project, true)
	for _, g := range open {
		out.Open = append(out.Open, Known{ID: string(g.ID), Text: prose.Shorten(prose.OneLine(g.Title), knownChars)})
	}
	return out, errors.Join(err1, err2, err3, err4)
}

// typedIn are the latest prompts that the person typed in a session, in the order of time.
func typedIn(ctx context.Context, tx *store.Tx, id memory.SessionID) ([]memory.StoredEvent, error) {
	prompts, err := tx.Events(ctx, store.EventFilter{Session: id, Kind: memory.Prompted, Origin: memory.OriginUser})
	prompts = slices.DeleteFunc(prompts, func(e memory.StoredEvent) bool { return e.Subagent != "" })
	prompts = prompts[:min(len(prompts), promptsMost)]
	slices.Reverse(prompts)
	return prompts, err
}

// keep keeps what an answer says of a session, as far as it quotes what the person typed there. What was forgotten meanwhile is not kept.
func keep(ctx context.Context, b *brain.Brain, tx *store.Tx, s memory.Session, a Answer) (kept int, err error) {
	prompts, err := typedIn(ctx, tx, s.ID)
	if err != nil {
		return 0, err
	}
	found := map[memory.CrystalID]bool{}
	for _, n := range a.Notes {
		r := statements.Reading{Quote: n.Quote, Kind: n.Kind, About: n.About, Replaces: memory.CrystalID(n.Replaces)}
		c, ok, err := statements.KeepReading(ctx, b, tx, prompts, r)
		if err != nil {
			return 0, err
		}
		if ok {
			found[c.ID] = true
		}
	}
	for _, e := range a.Ended {
		if quote, ok := statements.QuotedIn(prompts, e.Quote); ok {
			if err := goals.EndedBy(ctx, tx, s, memory.GoalID(e.ID), e.How == "done", quote); err != nil {
				return 0, err
			}
		}
	}
	if len(prompts) > 0 {
		err = statements.Unread(ctx, tx, s, found)
	}
	return len(found), errors.Join(err, goals.KeepPutOff(ctx, b, tx, s), lastRead(s.Project).Set(ctx, tx, s.ClosedAt))
}
