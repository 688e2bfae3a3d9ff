package brain

import (
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// relearn makes what was derived from a project's events again, after some were forgotten or came from elsewhere: all of it
// or, given a reach, what the forgotten events may have had a part in. Everything else keeps its figures, and with them what
// sleep has taught. Each event meets the register of its time, and what the source text says stays: no event says it.
func (r *recorder) relearn(ctx context.Context, project memory.ProjectID, reach *store.Reach) error {
	if err := r.newEra(ctx, project); err != nil {
		return err
	}
	p, err := r.tx.Project(ctx, project)
	if isNotFound(err) {
		return nil // it went with its last event
	}
	if err != nil {
		return err
	}
	told, err := r.toldBySource(ctx, project)
	if err != nil {
		return err
	}
	if err := r.saveHeat(ctx); err != nil { // what other projects have in hand
		return err
	}
	if r.anew, err = r.unlearn(ctx, p, reach); err != nil {
		return err
	}
	defer func() { r.anew = nil }()
	delete(r.pasts, project)
	err = r.tx.WalkProject(ctx, project, func(seq int64, e memory.StoredEvent) error { return r.learn(ctx, seq, e) })
	if err != nil {
		return err
	}
	sessions, err := r.tx.Sessions(ctx, store.SessionFilter{Project: project})
	if err != nil {
		return err
	}
	for _, s := range slices.Backward(sessions) { // oldest first
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
	if err := r.wireHistory(ctx, project); err != nil {
		return err
	}
	if err := r.retell(ctx, project, told); err != nil {
		return err
	}
	return r.consolidateAgain(ctx, project)
}

// consolidateAgain finds once more what sleeps have found in the log about the links that were learned anew, as far as the log
// still says it. Links that sleep let go stay away.
func (r *recorder) consolidateAgain(ctx context.Context, project memory.ProjectID) error {
	slept, err := number(ctx, r.tx, sleptSeq)
	if err != nil || slept == 0 {
		return err
	}
	if err := errors.Join(r.saveNeurons(ctx), r.saveLinks(ctx)); err != nil {
		return err
	}
	clear(r.neurons) // what follows counts their links in the store
	s := &sleeper{Brain: r.brain, tuning: r.tuning.Sleep, now: r.tx.Now, report: &SleepReport{}}
	log, err := s.log(ctx, r.tx, project, 0, slept)
	if err != nil {
		return err
	}
	var again []findings
	for _, f := range s.findings(log) {
		stays, err := r.staysAsItIs(ctx, f.pair)
		if err != nil {
			return err
		}
		if !stays {
			again = append(again, f)
		}
	}
	rules, err := r.brain.rules(ctx, r.tx, project)
	if err != nil {
		return err
	}
	_, err = s.apply(ctx, r.tx, rules, project, again)
	return err
}

// staysAsItIs says that a pair was not learned anew, or that sleep let go of its link. Of a link out of the reach, only one that
// is not there may be found again.
func (r *recorder) staysAsItIs(ctx context.Context, pair plasticity.Pair) (bool, error) {
	if r.anew.keepsNeuron(pair[0]) && r.anew.keepsNeuron(pair[1]) {
		return true, nil
	}
	_, err := r.tx.ForgottenAt(ctx, pair[0], pair[1])
	if !isNotFound(err) {
		return err == nil, err
	}
	link, err := r.tx.Synapse(ctx, pair[0], pair[1])
	if isNotFound(err) {
		return false, nil
	}
	return r.anew.keepsLink(link), err
}

// anew is what a project is learned anew with. Its methods may be asked of nil: while events arrive, nothing is kept back.
type anew struct {
	counted   map[memory.NeuronID]int64 // accesses gone through
	registers []store.Register          // that the project has had, the first one first
	reach     *store.Reach              // nil: everything is learned anew
	heat      bool                      // of all files: the project's clock was set back
}

// unlearn removes what is to be learned anew.
func (r *recorder) unlearn(ctx context.Context, p memory.Project, reach *store.Reach) (*anew, error) {
	registers, err := r.tx.Registers(ctx, p.ID)
	if err != nil {
		return nil, err
	}
	a := &anew{counted: map[memory.NeuronID]int64{}, registers: registers}
	if reach == nil || reach.Whole {
		return a, r.tx.Unlearn(ctx, p.ID)
	}
	a.reach, a.heat = reach, reach.Clock != p.Clock
	return a, r.tx.UnlearnReach(ctx, p.ID, reach, a.heat)
}

// partial says that some of a project is learned anew, and the rest kept.
func (a *anew) partial() bool { return a != nil && a.reach != nil }

// keepsNeuron says that a neuron stays as it is.
func (a *anew) keepsNeuron(id memory.NeuronID) bool { return a.partial() && !a.reach.Neurons[id] }

// keepsSession says that the errors a session met and the suggestions it was shown stay as they are.
func (a *anew) keepsSession(id memory.SessionID) bool { return a.partial() && !a.reach.Sessions[id] }

// keepsLink says that a link stays as it is: one end was not reached, or no session taught it.
func (a *anew) keepsLink(s store.Synapse) bool {
	return a.partial() && (a.keepsNeuron(s.A) || a.keepsNeuron(s.B) || s.Origin == memory.OriginRepo || s.Origin == memory.OriginImport)
}

// keepsHeat says that the heat of a file stays as it is.
func (a *anew) keepsHeat(id memory.NeuronID) bool { return a.keepsNeuron(id) && !a.heat }

// registerAt is how a project was scaled when an event was first learned from.
func (a *anew) registerAt(seq int64) (weight, myelin plasticity.Stored) {
	for _, r := range slices.Backward(a.registers) {
		if r.After < seq {
			return r.Weight, r.Myelin
		}
	}
	return 0, 0
}

// catchUp learns from events that were stored by a hebb which did not learn yet. It is done once for each project.
func (b *Brain) catchUp(ctx context.Context) error {
	if b.caughtUp.Load() {
		return nil
	}
	behind := func(tx *store.Tx) ([]memory.ProjectID, error) {
		pastless, err := tx.PastlessProjects(ctx)
		if err != nil {
			return nil, err
		}
		var ids []memory.ProjectID
		for _, id := range pastless {
			era, err := tx.Meta(ctx, eraMark(id))
			if err != nil {
				return nil, err
			}
			if era == "" {
				ids = append(ids, id)
			}
		}
		return ids, nil
	}
	ids, err := viewed(ctx, b, behind) // most of the time there is none, and a reader waits for nobody
	if err != nil {
		return err
	}
	if len(ids) == 0 {
		b.caughtUp.Store(true)
		return nil
	}
	return b.recordOnly(ctx, b.store.Update, func(r *recorder) error {
		ids, err := behind(r.tx)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if err := r.relearn(ctx, id, nil); err != nil {
				return err
			}
		}
		return nil
	})
}

// newEra tells every process that what it has read of a project's past is no longer true.
func (r *recorder) newEra(ctx context.Context, project memory.ProjectID) error {
	era, err := memory.NewEventID(r.tx.Now, r.brain.entropy)
	if err != nil {
		return err
	}
	return r.tx.SetMeta(ctx, eraMark(project), string(era))
}

// told is what a project's work tree said: which files there are, the names they define, and which belong together.
type told struct {
	files []recall.File
	links []store.Synapse
}

func (r *recorder) toldBySource(ctx context.Context, project memory.ProjectID) (t told, err error) {
	p, err := r.past(ctx, project)
	if err != nil {
		return t, err
	}
	for i := range p.image.Files() {
		n := recall.FileNo(i)
		if f := p.image.File(n); f.Told && !f.Gone {
			t.files = append(t.files, f)
		}
	}
	t.links, err = r.tx.StrongestSynapses(ctx, store.SynapseFilter{Project: project, Origin: memory.OriginImport})
	return t, err
}

func (r *recorder) retell(ctx context.Context, project memory.ProjectID, t told) error {
	p, err := r.past(ctx, project)
	if err != nil {
		return err
	}
	for _, f := range t.files {
		p.image.Define(f.Path, f.Names)
	}
	for _, s := range t.links {
		a, errA := r.neuron(ctx, s.A)
		b, errB := r.neuron(ctx, s.B)
		if isNotFound(errA) || isNotFound(errB) {
			continue
		}
		if err := errors.Join(errA, errB); err != nil {
			return err
		}
		if err := r.seed(ctx, a, b, memory.OriginImport, max(s.AB, s.BA), time.Time{}); err != nil {
			return err
		}
	}
	return nil
}

// seed wires two neurons by evidence other than their use, unless they know each other better. What sleep has let go does
// not come back by evidence older than that; at is when it happened, zero for always.
func (r *recorder) seed(ctx context.Context, a, b *store.Strength, origin memory.Origin, weight plasticity.Stored, at time.Time) error {
	if r.anew.keepsNeuron(a.ID) || r.anew.keepsNeuron(b.ID) {
		return nil
	}
	if err := r.load(ctx, a.Project, a.ID, []memory.NeuronID{b.ID}); err != nil {
		return err
	}
	key := endsOf(a.ID, b.ID)
	if known, err := r.comesBack(ctx, a.Project, key, at); err != nil || !known {
		return err
	}
	link := r.links[key]
	if !r.fresh[key] && (origin == memory.OriginImport || r.anew.keepsLink(*link)) {
		return nil // said before; a second reading makes it no truer
	}
	if r.fresh[key] {
		delete(r.fresh, key)
		link.Origin, link.LastAt = origin, r.tx.Now
		a.Links++
		b.Links++
	}
	link.AB, link.BA = max(link.AB, weight), max(link.BA, weight)
	return nil
}

// wireHistory links files that commits keep changing together: the more often, the stronger.
func (r *recorder) wireHistory(ctx context.Context, project memory.ProjectID) error {
	p, err := r.past(ctx, project)
	if err != nil {
		return err
	}
	return r.wire(ctx, project, historyLinks(p, 0, r.tuning, r.rules))
}

// hint is a link that something other than use suggests.
type hint struct {
	a, b   string // paths
	origin memory.Origin
	weight float64
	at     time.Time // of the latest evidence; zero: it was always so
}

// historyLinks are what a project's commits suggest, from one on.
func historyLinks(p *past, from int, t tuning.Tuning, rules plasticity.Rules) []hint {
	pairs, most := p.image.Pairs(from, t.Bootstrap.PairCommits, t.Bootstrap.PairsOfFile)
	hints := make([]hint, len(pairs))
	for i, pair := range pairs {
		hints[i] = hint{
			a: p.image.File(pair.A).Path, b: p.image.File(pair.B).Path,
			origin: memory.OriginRepo, weight: rules.GitSeed(pair.Commits, most), at: pair.Last,
		}
	}
	return hints
}

// wire takes hints in, for files that are known.
func (r *recorder) wire(ctx context.Context, project memory.ProjectID, hints []hint) error {
	if err := r.useRules(ctx, project, math.MaxInt64); err != nil {
		return err
	}
	day := plasticity.Days(r.tx.Now)
	for _, h := range hints {
		a, errA := r.neuron(ctx, memory.NewNeuronID(project, memory.FileNeuron, h.a))
		b, errB := r.neuron(ctx, memory.NewNeuronID(project, memory.FileNeuron, h.b))
		if isNotFound(errA) || isNotFound(errB) {
			continue
		}
		if err := errors.Join(errA, errB); err != nil {
			return err
		}
		if err := r.seed(ctx, a, b, h.origin, r.rules.Weight.Store(h.weight, day), h.at); err != nil {
			return err
		}
	}
	return nil
}
