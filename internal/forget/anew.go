package forget

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/sleep"
	"github.com/hebb-memory/hebb/internal/store"
)

// A project is relearned when events were forgotten or came from elsewhere: everything derived from its events is removed and
// made again, in many short transactions. From the transaction that changes its events until the end the project is marked. While
// it is marked, events are stored and sessions closed as always, and what they teach is learned when its turn comes. If the
// process ends before the mark is removed, the next drain starts over.

const anewLease = "anew"

// errChanged says that the events of a project changed while it was relearned.
var errChanged = errors.New("its events have changed")

// LearnAnew relearns the marked projects, unless another process does so. It leaves out those of which events are still being
// forgotten: the process that does that relearns them afterwards.
func LearnAnew(ctx context.Context, b *brain.Brain) (problems error) {
	failed := map[memory.ProjectID]bool{} // the next drain tries again
	for {
		marked, err := brain.View(ctx, b.Store, func(tx *store.Tx) ([]memory.ProjectID, error) {
			marked, err := record.MarkedAnew.Get(ctx, tx)
			if err != nil {
				return nil, err
			}
			unfinished, err := forgettingFact.Get(ctx, tx)
			return slices.DeleteFunc(marked, func(id memory.ProjectID) bool { return failed[id] || losesEvents(unfinished, id) }), err
		})
		if err != nil || len(marked) == 0 {
			return errors.Join(problems, err)
		}
		busy, err := b.AloneFor(ctx, anewLease, sleep.LeaseTime, func(turn *brain.Lease) error {
			l := relearner{Brain: b, project: marked[0], turn: turn, size: brain.FirstBatch(b.Config.Tuning.Store)}
			return l.run(ctx)
		})
		if err != nil && !errors.Is(err, errChanged) {
			failed[marked[0]] = true
			problems = errors.Join(problems, fmt.Errorf("relearn project %s: %w", marked[0], err))
		}
		if busy || brain.ConcernsAll(ctx, err) {
			return problems
		}
	}
}

func losesEvents(unfinished []Forgetting, id memory.ProjectID) bool {
	return slices.ContainsFunc(unfinished, func(f Forgetting) bool { return slices.Contains(f.Projects, id) })
}

// relearner relearns one project. What it keeps in memory is lost when the process ends; the next one starts over.
type relearner struct {
	*brain.Brain
	project    memory.ProjectID
	turn       *brain.Lease
	size       brain.BatchSize
	generation string
	// upto is the event up to which the project had been learned before it was marked, after the last one gone through.
	upto, after int64
	anew        *record.Anew
	// clock and ended say how many sessions were closed when something happened.
	clock int64
	ended []int64
}

func (l *relearner) run(ctx context.Context) error {
	for _, part := range []func(context.Context) error{l.begin, l.removeFile, l.unlearn, l.learnEvents, l.settleSessions, l.wireHistory, l.restoreSource, l.consolidate} {
		if err := part(ctx); err != nil {
			return err
		}
	}
	for done := false; !done; {
		var err error
		if done, err = l.end(ctx); err != nil {
			return err
		}
	}
	return nil
}

// removeFile removes the file of the past: what is forgotten must not stay in it. A process that wrote one meanwhile notices the new
// generation and removes its own.
func (l *relearner) removeFile(context.Context) error {
	return recall.RemovePast(l.Config.Cache(), l.project)
}

// step is one short transaction, as long as no other process learns and the events of the project have not changed.
func (l *relearner) step(ctx context.Context, work func(*record.Recorder) error) error {
	return record.Recording(ctx, l.Brain, l.Store.UpdateSome, func(r *record.Recorder) error {
		held, err := l.turn.Take(ctx, r.Tx)
		if err != nil {
			return err
		}
		if !held {
			return fmt.Errorf("another process learns project %s anew: %w", l.project, memory.ErrConflict)
		}
		generation, err := record.GenerationMark(l.project).Get(ctx, r.Tx)
		if err != nil {
			return err
		}
		if l.generation != "" && generation != l.generation {
			return errChanged
		}
		return work(r)
	})
}

// steps hands a list over in pieces, one short transaction each.
func steps[T any](ctx context.Context, l *relearner, list []T, size int, work func(*record.Recorder, []T) error) error {
	for some := range slices.Chunk(list, size) {
		if err := l.step(ctx, func(r *record.Recorder) error { return work(r, some) }); err != nil {
			return err
		}
	}
	return nil
}

// begin keeps what no event says, and removes the past of the project and makes caches of it stale.
func (l *relearner) begin(ctx context.Context) error {
	if err := sleep.Unpack(ctx, l.Store, l.project); err != nil {
		return err
	}
	if err := l.keepSource(ctx); err != nil {
		return err
	}
	return l.step(ctx, func(r *record.Recorder) (err error) {
		l.anew = &record.Anew{Counted: map[memory.NeuronID]int64{}}
		if l.anew.Registers, err = r.Tx.Registers(ctx, l.project); err != nil {
			return err
		}
		if l.anew.Reach, err = record.ReadReach(ctx, r.Tx, l.project); err != nil {
			return err
		}
		if l.anew.Reach == nil { // all of it, with what came since it was marked
			last, err := r.Tx.LastEvent(ctx)
			if err := errors.Join(err, record.UptoFact(l.project).Set(ctx, r.Tx, last), record.ClosedFact(l.project).Clear(ctx, r.Tx)); err != nil {
				return err
			}
		}
		if l.upto, err = record.UptoFact(l.project).Get(ctx, r.Tx); err != nil {
			return err
		}
		p, err := r.Tx.Project(ctx, l.project)
		if err = brain.IgnoreNotFound(err); err != nil {
			return err
		}
		l.anew.Heat = l.anew.Reach != nil && l.anew.Reach.Clock != p.Clock
		if err := errors.Join(record.NewGeneration(ctx, r.Tx, l.project), r.Tx.UnlearnPast(ctx, l.project)); err != nil {
			return err
		}
		l.generation, err = record.GenerationMark(l.project).Get(ctx, r.Tx)
		return err
	})
}

// Rows that are removed in one transaction: measured, 25 µs each.
const (
	unlearnRows  = 500
	unlearnLinks = 200 // and their two ends
)

func (l *relearner) unlearn(ctx context.Context) error {
	if l.anew.Reach != nil {
		if err := l.unlearnReach(ctx, l.anew.Reach); err != nil {
			return err
		}
	}
	for more := true; more; {
		err := l.step(ctx, func(r *record.Recorder) (err error) {
			if l.anew.Reach != nil {
				more, err = r.Tx.UnlearnSome(ctx, l.project, l.anew.Heat, unlearnRows)
			} else {
				more, err = r.Tx.Unlearn(ctx, l.project, unlearnRows)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// unlearnReach removes what lies within a reach.
func (l *relearner) unlearnReach(ctx context.Context, reach *store.Reach) error {
	links, err := brain.View(ctx, l.Store, func(tx *store.Tx) (store.ReachedLinks, error) { return tx.LinksWithin(ctx, reach) })
	if err != nil {
		return err
	}
	for _, part := range []struct {
		links  []plasticity.Pair
		remove func(*store.Tx, context.Context, []plasticity.Pair) error
	}{{links.Taught, (*store.Tx).UnlearnLinks}, {links.Seeded, (*store.Tx).UnlearnTogether}, {links.Gone, (*store.Tx).UnlearnGone}} {
		err := steps(ctx, l, part.links, unlearnLinks, func(r *record.Recorder, some []plasticity.Pair) error { return part.remove(r.Tx, ctx, some) })
		if err != nil {
			return err
		}
	}
	sessions := slices.Sorted(maps.Keys(reach.Sessions))
	if err := steps(ctx, l, sessions, 20, func(r *record.Recorder, some []memory.SessionID) error { return r.Tx.UnlearnSessions(ctx, some) }); err != nil {
		return err
	}
	neurons := slices.Sorted(maps.Keys(reach.Neurons))
	return steps(ctx, l, neurons, unlearnLinks, func(r *record.Recorder, some []memory.NeuronID) error { return r.Tx.UnlearnNeurons(ctx, some) })
}

// readClock reads how often the project's clock has moved, and when.
func (l *relearner) readClock(ctx context.Context) error {
	return l.Store.View(ctx, func(tx *store.Tx) error {
		p, err := tx.Project(ctx, l.project)
		if err != nil {
			return brain.IgnoreNotFound(err)
		}
		l.clock, l.ended = p.Clock, nil
		sessions, err := tx.Sessions(ctx, store.SessionFilter{Project: l.project})
		for _, s := range sessions {
			if s.Ticked {
				l.ended = append(l.ended, s.LastEventAt.UnixMilli())
			}
		}
		slices.Sort(l.ended)
		return err
	})
}

// eventsAtOnce are read together, outside of any write transaction.
const eventsAtOnce = 500

// learnEvents learns from the events that had been learned before.
func (l *relearner) learnEvents(ctx context.Context) error {
	if err := l.readClock(ctx); err != nil {
		return err
	}
	return l.eachEvents(ctx, func(e store.Numbered) bool { return e.Seq <= l.upto }, func(r *record.Recorder, events []store.Numbered) error {
		r.Anew = l.anew.Again() // the transaction may run more than once
		r.Warming.Clocks[l.project], r.Warming.Ended[l.project] = l.clock, l.ended
		for _, e := range events {
			if err := r.Learn(ctx, e.Seq, e.StoredEvent); err != nil {
				return err
			}
		}
		return nil
	}, func(r *record.Recorder) { l.anew = r.Anew })
}

// learnLater learns from the events that came since the project was marked, as if they came now. How far it is stands in the store:
// what lies outside the reach must not learn from them twice.
func (l *relearner) learnLater(ctx context.Context) error {
	return l.eachEvents(ctx, func(store.Numbered) bool { return true }, func(r *record.Recorder, events []store.Numbered) error {
		for _, e := range events {
			if err := r.Learn(ctx, e.Seq, e.StoredEvent); err != nil {
				return err
			}
		}
		return record.UptoFact(l.project).Set(ctx, r.Tx, events[len(events)-1].Seq)
	}, func(*record.Recorder) {})
}

// eachEvents hands the next events over that are wanted, in pieces, and calls done after the transaction of each.
func (l *relearner) eachEvents(ctx context.Context, wanted func(store.Numbered) bool, work func(*record.Recorder, []store.Numbered) error, done func(*record.Recorder)) error {
	for {
		page, err := brain.View(ctx, l.Store, func(tx *store.Tx) ([]store.Numbered, error) {
			return tx.ProjectEvents(ctx, l.project, l.after, eventsAtOnce)
		})
		if err != nil {
			return err
		}
		if end := slices.IndexFunc(page, func(e store.Numbered) bool { return !wanted(e) }); end >= 0 {
			page = page[:end]
		}
		if len(page) == 0 {
			return nil
		}
		for len(page) > 0 {
			some := page[:min(len(page), l.size.Size)]
			began := l.Now()
			var last *record.Recorder
			if err := l.step(ctx, func(r *record.Recorder) error { last = r; return work(r, some) }); err != nil {
				return err
			}
			done(last)
			l.size.Took(len(some), l.Now().Sub(began))
			page, l.after = page[len(some):], some[len(some)-1].Seq
		}
	}
}

// settledAtOnce are settled in one transaction: each moves the links between all that it met.
const settledAtOnce = 2

// settleSessions learns from the ends of sessions that had been learned before, the oldest first.
func (l *relearner) settleSessions(ctx context.Context) error {
	var closed []string
	sessions, err := brain.View(ctx, l.Store, func(tx *store.Tx) (_ []memory.Session, err error) {
		if closed, err = record.ClosedFact(l.project).Get(ctx, tx); err != nil {
			return nil, err
		}
		return tx.Sessions(ctx, store.SessionFilter{Project: l.project})
	})
	if err != nil {
		return err
	}
	slices.Reverse(sessions)
	sessions = slices.DeleteFunc(sessions, func(s memory.Session) bool {
		return slices.Contains(closed, s.ID.String()) || slices.Contains(closed, s.ID.String()+"+") // later
	})
	return steps(ctx, l, sessions, settledAtOnce, func(r *record.Recorder, some []memory.Session) error {
		r.Anew = l.anew.Again()
		for _, s := range some {
			var err error
			switch {
			case !s.Open():
				err = r.SessionClosed(ctx, s, s.Ticked)
			case s.Ticked: // closed once, and running again
				err = r.CountTogether(ctx, s)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// HintsAtOnce are wired in one transaction: a link and its two ends each.
const HintsAtOnce = 150

// wireHistory links files that commits keep changing together: the more often, the stronger.
func (l *relearner) wireHistory(ctx context.Context) error {
	hints, err := record.HintsOfHistory(ctx, l.Store, record.Pasts(l.Brain), l.project, 0)
	if err != nil {
		return err
	}
	return steps(ctx, l, hints, HintsAtOnce, func(r *record.Recorder, some []record.Hint) error {
		r.Anew = l.anew.Again()
		return r.Wire(ctx, l.project, some)
	})
}

// consolidate finds once more what sleeps have found in the log about the links that were relearned, as far as the log still
// says it. Links that sleep forgot stay away.
func (l *relearner) consolidate(ctx context.Context) error {
	s := &sleep.Sleeper{Brain: l.Brain, Tuning: l.Config.Tuning.Sleep, Report: &sleep.SleepReport{}}
	var again []sleep.Findings
	err := l.Store.View(ctx, func(tx *store.Tx) error {
		slept, err := sleep.SleptSeq.Get(ctx, tx)
		if err != nil || slept == 0 {
			return err
		}
		s.Now = tx.Now
		log, err := s.Log(ctx, tx, l.project, 0, slept)
		if err != nil {
			return err
		}
		for _, f := range s.Findings(log) {
			stays, err := l.staysAsItIs(ctx, tx, f.Pair)
			if err != nil {
				return err
			}
			if !stays {
				again = append(again, f)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return steps(ctx, l, again, HintsAtOnce, func(r *record.Recorder, some []sleep.Findings) error {
		rules, err := l.Rules(ctx, r.Tx, l.project)
		if err == nil {
			_, err = s.Apply(ctx, r.Tx, rules, l.project, some)
		}
		return err
	})
}

// staysAsItIs says that a pair was not learned anew, or that sleep forgot its link. Of a link out of the reach, only one that is
// not there may be found again.
func (l *relearner) staysAsItIs(ctx context.Context, tx *store.Tx, pair plasticity.Pair) (bool, error) {
	if l.anew.KeepsNeuron(pair[0]) && l.anew.KeepsNeuron(pair[1]) {
		return true, nil
	}
	_, err := tx.ForgottenAt(ctx, pair[0], pair[1])
	if !brain.IsNotFound(err) {
		return err == nil, err
	}
	link, err := tx.Synapse(ctx, pair[0], pair[1])
	if brain.IsNotFound(err) {
		return false, nil
	}
	return l.anew.KeepsLink(link), err
}

// end learns what happened in the project since it was marked and, when there is nothing left, takes the mark off.
func (l *relearner) end(ctx context.Context) (done bool, err error) {
	if err := l.learnLater(ctx); err != nil {
		return false, err
	}
	err = l.step(ctx, func(r *record.Recorder) error {
		done = false
		next, err1 := r.Tx.ProjectEvents(ctx, l.project, l.after, 1)
		closed, err2 := record.ClosedFact(l.project).Get(ctx, r.Tx)
		unfinished, err3 := forgettingFact.Get(ctx, r.Tx)
		marked, err4 := record.MarkedAnew.Get(ctx, r.Tx)
		switch err := errors.Join(err1, err2, err3, err4); {
		case err != nil || len(next) > 0:
			return err
		case len(closed) > 0:
			return errors.Join(l.settleLater(ctx, r, closed[0]), record.ClosedFact(l.project).Set(ctx, r.Tx, closed[1:]))
		case losesEvents(unfinished, l.project):
			return errChanged
		}
		done = true
		marked = slices.DeleteFunc(marked, func(id memory.ProjectID) bool { return id == l.project })
		return errors.Join(record.MarkedAnew.Set(ctx, r.Tx, marked), record.SaveReach(ctx, r.Tx, l.project, nil), l.dropSource(ctx, r.Tx))
	})
	return done && err == nil, err
}

// settleLater learns from the end of a session that was closed while the project was marked.
func (l *relearner) settleLater(ctx context.Context, r *record.Recorder, closed string) error {
	name, first := strings.CutSuffix(closed, "+")
	id, err := memory.ParseSessionID(name)
	if err != nil {
		return fmt.Errorf("closed session of %s is %q: %w", l.project, closed, memory.ErrDamaged)
	}
	s, err := r.Tx.Session(ctx, id)
	if err != nil {
		return brain.IgnoreNotFound(err)
	}
	return r.SessionClosed(ctx, s, first)
}
