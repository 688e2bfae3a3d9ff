package brain

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/store"
)

// A project is learned anew when events were forgotten or came from elsewhere: everything derived from its events is removed and
// made again, in many short transactions. From the transaction that changes its events until the end the project is marked. While
// it is marked, events are stored and sessions closed as always, and what they teach is learned when its turn comes. If the
// process ends before the mark is removed, the next drain starts over.

const (
	anewLease = "anew"
)

// anewFact holds the marked projects.
var anewFact = store.NewFact[[]memory.ProjectID]("anew")

// closedFact holds the sessions that were closed while their project was marked, with a + for those that moved its clock.
func closedFact(id memory.ProjectID) store.Fact[[]string] {
	return store.NewFact[[]string]("anew/closed").Of(id)
}

// uptoFact holds the event up to which a marked project had been learned before. Later ones are learned when all else is done.
func uptoFact(id memory.ProjectID) store.Fact[int64] { return store.NewFact[int64]("anew/upto").Of(id) }

// reachFact holds what of a marked project is to be learned anew; nil is all of it.
func reachFact(id memory.ProjectID) store.Fact[*store.Reach] {
	return store.NewFact[*store.Reach]("anew/reach").Of(id)
}

func markedAnew(ctx context.Context, tx *store.Tx) ([]memory.ProjectID, error) {
	return anewFact.Get(ctx, tx)
}

func setMarkedAnew(ctx context.Context, tx *store.Tx, ids []memory.ProjectID) error {
	return anewFact.Set(ctx, tx, ids)
}

// markAnew marks a project, of which what lies within a reach is to be learned anew, or all of it. It belongs into the transaction
// that changes its events: from then on nothing that a process has read of its past is true, and one that learns it anew just now
// starts over.
func (b *Brain) markAnew(ctx context.Context, tx *store.Tx, project memory.ProjectID, reach *store.Reach) error {
	marked, err := markedAnew(ctx, tx)
	if err != nil {
		return err
	}
	known := slices.Contains(marked, project)
	if known && reach != nil {
		earlier, err := readReach(ctx, tx, project)
		if err != nil {
			return err
		}
		if earlier == nil {
			reach = nil
		} else {
			earlier.Add(reach)
			reach = earlier
		}
	}
	if !known {
		err = setMarkedAnew(ctx, tx, append(marked, project))
	}
	if !known || reach == nil {
		last, failed := tx.LastEvent(ctx)
		err = errors.Join(err, failed, uptoFact(project).Set(ctx, tx, last))
	}
	return errors.Join(err, saveReach(ctx, tx, project, reach), b.newEra(ctx, tx, project))
}

func readReach(ctx context.Context, tx *store.Tx, project memory.ProjectID) (*store.Reach, error) {
	return reachFact(project).Get(ctx, tx)
}

func saveReach(ctx context.Context, tx *store.Tx, project memory.ProjectID, reach *store.Reach) error {
	if reach == nil || reach.Whole {
		return reachFact(project).Clear(ctx, tx)
	}
	return reachFact(project).Set(ctx, tx, reach)
}

// newEra makes every process read a project's past again.
func (b *Brain) newEra(ctx context.Context, tx *store.Tx, project memory.ProjectID) error {
	era, err := memory.NewEventID(tx.Now, b.entropy)
	if err != nil {
		return err
	}
	return eraMark(project).Set(ctx, tx, string(era))
}

// errChanged says that the events of a project changed while it was learned anew.
var errChanged = errors.New("its events have changed")

// learnAnew learns the marked projects anew, unless another process does so. It leaves out those of which events are still being
// forgotten: whoever does that learns them anew afterwards.
func (b *Brain) learnAnew(ctx context.Context) error {
	for {
		marked, err := viewed(ctx, b, func(tx *store.Tx) ([]memory.ProjectID, error) {
			marked, err := markedAnew(ctx, tx)
			if err != nil {
				return nil, err
			}
			unfinished, err := unfinishedForgetting(ctx, tx)
			return slices.DeleteFunc(marked, func(id memory.ProjectID) bool { return losesEvents(unfinished, id) }), err
		})
		if err != nil || len(marked) == 0 {
			return err
		}
		busy, err := b.aloneFor(ctx, anewLease, leaseTime, func(turn *lease) error {
			l := relearner{Brain: b, project: marked[0], turn: turn, size: b.firstBatch()}
			return l.run(ctx)
		})
		if busy || err != nil && !errors.Is(err, errChanged) {
			return err
		}
	}
}

func losesEvents(unfinished []forgetting, id memory.ProjectID) bool {
	return slices.ContainsFunc(unfinished, func(f forgetting) bool { return slices.Contains(f.Projects, id) })
}

// relearner learns one project anew. What it keeps in memory is lost when the process ends; the next one starts over.
type relearner struct {
	*Brain
	project memory.ProjectID
	turn    *lease
	size    batchSize
	era     string
	// upto is the event up to which the project had been learned before it was marked, after the last one gone through.
	upto, after int64
	anew        *anew
	// clock and ended tell how many sessions were closed when something happened.
	clock int64
	ended []int64
}

func (l *relearner) run(ctx context.Context) error {
	for _, part := range []func(context.Context) error{l.begin, l.unlearn, l.learnEvents, l.settleSessions, l.wireHistory, l.retell, l.consolidate} {
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

// step is one short transaction, as long as no other process learns and the events of the project have not changed.
func (l *relearner) step(ctx context.Context, work func(*recorder) error) error {
	return l.recording(ctx, l.updateSome, func(r *recorder) error {
		held, err := l.turn.take(ctx, r.tx)
		if err != nil {
			return err
		}
		if !held {
			return fmt.Errorf("another process learns project %s anew: %w", l.project, memory.ErrConflict)
		}
		era, err := eraMark(l.project).Get(ctx, r.tx)
		if err != nil {
			return err
		}
		if l.era != "" && era != l.era {
			return errChanged
		}
		return work(r)
	})
}

// steps hands a list over in pieces, one short transaction each.
func steps[T any](ctx context.Context, l *relearner, list []T, size int, work func(*recorder, []T) error) error {
	for some := range slices.Chunk(list, size) {
		if err := l.step(ctx, func(r *recorder) error { return work(r, some) }); err != nil {
			return err
		}
	}
	return nil
}

// begin keeps what no event says, and removes the past of the project with the era of those who have read it.
func (l *relearner) begin(ctx context.Context) error {
	if err := l.keepTold(ctx); err != nil {
		return err
	}
	return l.step(ctx, func(r *recorder) (err error) {
		l.anew = &anew{counted: map[memory.NeuronID]int64{}}
		if l.anew.registers, err = r.tx.Registers(ctx, l.project); err != nil {
			return err
		}
		if l.anew.reach, err = readReach(ctx, r.tx, l.project); err != nil {
			return err
		}
		if l.anew.reach == nil { // all of it, with what came since it was marked
			last, err := r.tx.LastEvent(ctx)
			if err := errors.Join(err, uptoFact(l.project).Set(ctx, r.tx, last), closedFact(l.project).Clear(ctx, r.tx)); err != nil {
				return err
			}
		}
		if l.upto, err = uptoFact(l.project).Get(ctx, r.tx); err != nil {
			return err
		}
		p, err := r.tx.Project(ctx, l.project)
		if err = ignoreNotFound(err); err != nil {
			return err
		}
		l.anew.heat = l.anew.reach != nil && l.anew.reach.Clock != p.Clock
		if err := errors.Join(l.newEra(ctx, r.tx, l.project), r.tx.UnlearnPast(ctx, l.project)); err != nil {
			return err
		}
		l.era, err = eraMark(l.project).Get(ctx, r.tx)
		return err
	})
}

// Rows that are removed in one transaction: measured, 25 µs each.
const (
	unlearnRows  = 500
	unlearnLinks = 200 // and their two ends
)

func (l *relearner) unlearn(ctx context.Context) error {
	if l.anew.reach != nil {
		if err := l.unlearnReach(ctx, l.anew.reach); err != nil {
			return err
		}
	}
	for more := true; more; {
		err := l.step(ctx, func(r *recorder) (err error) {
			if l.anew.reach != nil {
				more, err = r.tx.UnlearnSome(ctx, l.project, l.anew.heat, unlearnRows)
			} else {
				more, err = r.tx.Unlearn(ctx, l.project, unlearnRows)
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
	links, err := viewed(ctx, l.Brain, func(tx *store.Tx) (store.ReachedLinks, error) { return tx.LinksWithin(ctx, reach) })
	if err != nil {
		return err
	}
	for _, part := range []struct {
		links  []plasticity.Pair
		remove func(*store.Tx, context.Context, []plasticity.Pair) error
	}{{links.Taught, (*store.Tx).UnlearnLinks}, {links.Seeded, (*store.Tx).UnlearnTogether}, {links.Gone, (*store.Tx).UnlearnGone}} {
		err := steps(ctx, l, part.links, unlearnLinks, func(r *recorder, some []plasticity.Pair) error { return part.remove(r.tx, ctx, some) })
		if err != nil {
			return err
		}
	}
	sessions := slices.Sorted(maps.Keys(reach.Sessions))
	if err := steps(ctx, l, sessions, 20, func(r *recorder, some []memory.SessionID) error { return r.tx.UnlearnSessions(ctx, some) }); err != nil {
		return err
	}
	neurons := slices.Sorted(maps.Keys(reach.Neurons))
	return steps(ctx, l, neurons, unlearnLinks, func(r *recorder, some []memory.NeuronID) error { return r.tx.UnlearnNeurons(ctx, some) })
}

// readClock reads how often the project's clock has moved, and when.
func (l *relearner) readClock(ctx context.Context) error {
	return l.store.View(ctx, func(tx *store.Tx) error {
		p, err := tx.Project(ctx, l.project)
		if err != nil {
			return ignoreNotFound(err)
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
	return l.eachEvents(ctx, func(e store.Numbered) bool { return e.Seq <= l.upto }, func(r *recorder, events []store.Numbered) error {
		r.anew = l.anew.again() // the transaction may run more than once
		r.warming.clocks[l.project], r.warming.ended[l.project] = l.clock, l.ended
		for _, e := range events {
			if err := r.learn(ctx, e.Seq, e.StoredEvent); err != nil {
				return err
			}
		}
		return nil
	}, func(r *recorder) { l.anew = r.anew })
}

// learnLater learns from the events that came since the project was marked, as if they came now. How far it is stands in the store:
// what lies outside the reach must not learn from them twice.
func (l *relearner) learnLater(ctx context.Context) error {
	return l.eachEvents(ctx, func(store.Numbered) bool { return true }, func(r *recorder, events []store.Numbered) error {
		for _, e := range events {
			if err := r.learn(ctx, e.Seq, e.StoredEvent); err != nil {
				return err
			}
		}
		return uptoFact(l.project).Set(ctx, r.tx, events[len(events)-1].Seq)
	}, func(*recorder) {})
}

// eachEvents hands the next events over that are wanted, in pieces, and calls done after the transaction of each.
func (l *relearner) eachEvents(ctx context.Context, wanted func(store.Numbered) bool, work func(*recorder, []store.Numbered) error, done func(*recorder)) error {
	for {
		page, err := viewed(ctx, l.Brain, func(tx *store.Tx) ([]store.Numbered, error) {
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
			some := page[:min(len(page), l.size.size)]
			began := l.now()
			var last *recorder
			if err := l.step(ctx, func(r *recorder) error { last = r; return work(r, some) }); err != nil {
				return err
			}
			done(last)
			l.size.took(len(some), l.now().Sub(began))
			page, l.after = page[len(some):], some[len(some)-1].Seq
		}
	}
}

// settledAtOnce are settled in one transaction: each moves the links between all that it met.
const settledAtOnce = 2

// settleSessions learns from the ends of sessions that had been learned before, the oldest first.
func (l *relearner) settleSessions(ctx context.Context) error {
	var closed []string
	sessions, err := viewed(ctx, l.Brain, func(tx *store.Tx) (_ []memory.Session, err error) {
		if closed, err = closedFact(l.project).Get(ctx, tx); err != nil {
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
	return steps(ctx, l, sessions, settledAtOnce, func(r *recorder, some []memory.Session) error {
		r.anew = l.anew.again()
		for _, s := range some {
			var err error
			switch {
			case !s.Open():
				err = r.sessionClosed(ctx, s, s.Ticked)
			case s.Ticked: // closed once, and running again
				err = r.countTogether(ctx, s)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// hintsAtOnce are wired in one transaction: a link and its two ends each.
const hintsAtOnce = 150

// wireHistory links files that commits keep changing together: the more often, the stronger.
func (l *relearner) wireHistory(ctx context.Context) error {
	hints, err := l.hintsOfHistory(ctx, l.project, 0)
	if err != nil {
		return err
	}
	return steps(ctx, l, hints, hintsAtOnce, func(r *recorder, some []hint) error {
		r.anew = l.anew.again()
		return r.wire(ctx, l.project, some)
	})
}

// consolidate finds once more what sleeps have found in the log about the links that were learned anew, as far as the log still
// says it. Links that sleep forgot stay away.
func (l *relearner) consolidate(ctx context.Context) error {
	s := &sleeper{Brain: l.Brain, tuning: l.config.Tuning.Sleep, report: &SleepReport{}}
	var again []findings
	err := l.store.View(ctx, func(tx *store.Tx) error {
		slept, err := sleptSeq.Get(ctx, tx)
		if err != nil || slept == 0 {
			return err
		}
		s.now = tx.Now
		log, err := s.log(ctx, tx, l.project, 0, slept)
		if err != nil {
			return err
		}
		for _, f := range s.findings(log) {
			stays, err := l.staysAsItIs(ctx, tx, f.pair)
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
	return steps(ctx, l, again, hintsAtOnce, func(r *recorder, some []findings) error {
		rules, err := l.rules(ctx, r.tx, l.project)
		if err == nil {
			_, err = s.apply(ctx, r.tx, rules, l.project, some)
		}
		return err
	})
}

// staysAsItIs says that a pair was not learned anew, or that sleep forgot its link. Of a link out of the reach, only one that is
// not there may be found again.
func (l *relearner) staysAsItIs(ctx context.Context, tx *store.Tx, pair plasticity.Pair) (bool, error) {
	if l.anew.keepsNeuron(pair[0]) && l.anew.keepsNeuron(pair[1]) {
		return true, nil
	}
	_, err := tx.ForgottenAt(ctx, pair[0], pair[1])
	if !isNotFound(err) {
		return err == nil, err
	}
	link, err := tx.Synapse(ctx, pair[0], pair[1])
	if isNotFound(err) {
		return false, nil
	}
	return l.anew.keepsLink(link), err
}

// end learns what happened in the project since it was marked and, when there is nothing left, takes the mark off.
func (l *relearner) end(ctx context.Context) (done bool, err error) {
	if err := l.learnLater(ctx); err != nil {
		return false, err
	}
	err = l.step(ctx, func(r *recorder) error {
		done = false
		next, err := r.tx.ProjectEvents(ctx, l.project, l.after, 1)
		if err != nil || len(next) > 0 {
			return err
		}
		closed, err := closedFact(l.project).Get(ctx, r.tx)
		if err != nil {
			return err
		}
		if len(closed) > 0 {
			return errors.Join(l.settleLater(ctx, r, closed[0]), closedFact(l.project).Set(ctx, r.tx, closed[1:]))
		}
		unfinished, err := unfinishedForgetting(ctx, r.tx)
		if err != nil {
			return err
		}
		if losesEvents(unfinished, l.project) {
			return errChanged
		}
		marked, err := markedAnew(ctx, r.tx)
		if err != nil {
			return err
		}
		done = true
		marked = slices.DeleteFunc(marked, func(id memory.ProjectID) bool { return id == l.project })
		return errors.Join(setMarkedAnew(ctx, r.tx, marked), saveReach(ctx, r.tx, l.project, nil), l.dropTold(ctx, r.tx))
	})
	return done && err == nil, err
}

// settleLater learns from the end of a session that was closed while the project was marked.
func (l *relearner) settleLater(ctx context.Context, r *recorder, closed string) error {
	name, first := strings.CutSuffix(closed, "+")
	id, err := memory.ParseSessionID(name)
	if err != nil {
		return fmt.Errorf("closed session of %s is %q: %w", l.project, closed, memory.ErrDamaged)
	}
	s, err := r.tx.Session(ctx, id)
	if err != nil {
		return ignoreNotFound(err)
	}
	return r.sessionClosed(ctx, s, first)
}
