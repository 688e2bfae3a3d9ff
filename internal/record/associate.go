package record

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/bootstrap"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/fault"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/tuning"
)

const fixFiles = 3 // a command that failed and then passed was fixed by the files changed in between, unless these are more (of many changes no one can be told to be the fix)

const (
	stretchFiles = 12  // different files of a session that count as opened together (hebb bench replay)
	stretchWords = 200 // words of the prompts kept with them (hebb bench replay)
)

// association learns from events as they are stored, for the length of one transaction: neurons grow, what is touched
// together is wired, finished work becomes episodes. Everything it writes can be made again from the events.
type association struct {
	brain   *brain.Brain
	Tx      *store.Tx
	tuning  tuning.Tuning
	rules   plasticity.Rules // of the project that is learned about just now: see useRules
	pasts   map[memory.ProjectID]*Past
	neurons map[memory.NeuronID]*store.Strength
	links   map[ends]*store.Synapse
	fresh   map[ends]bool             // links not in the store yet
	lossy   map[memory.ProjectID]bool // sleep has let go of something there
	windows map[memory.SessionID]*plasticity.Window
	Anew    *Anew // nil while events arrive
	Warming warming
}

// ends are the two neurons of a synapse, the smaller first.
type ends [2]memory.NeuronID

func newAssociation(b *brain.Brain, tx *store.Tx) *association {
	return &association{
		brain: b, Tx: tx, tuning: b.Config.Tuning, rules: plasticity.NewRules(b.Numbers.Plasticity, plasticity.Balance{}),
		pasts: map[memory.ProjectID]*Past{}, neurons: map[memory.NeuronID]*store.Strength{},
		links: map[ends]*store.Synapse{}, fresh: map[ends]bool{}, lossy: map[memory.ProjectID]bool{}, windows: map[memory.SessionID]*plasticity.Window{}, Warming: newWarming(),
	}
}

// useRules takes the rules of a project as it is scaled now or, while it is learned anew, as it was scaled when the event of
// this number was first learned from.
func (a *association) useRules(ctx context.Context, project memory.ProjectID, seq int64) error {
	balance, err := a.Tx.Balance(ctx, project)
	if err != nil {
		return err
	}
	if a.Anew != nil {
		balance.Weight, balance.Myelin = a.Anew.registerAt(seq)
	}
	a.rules = plasticity.NewRules(a.brain.Numbers.Plasticity, balance)
	return nil
}

// Learn is what a new event teaches.
func (a *association) Learn(ctx context.Context, seq int64, e memory.StoredEvent) error {
	if err := a.useRules(ctx, e.Project, seq); err != nil {
		return err
	}
	switch e.Kind {
	case memory.Committed:
		return a.commit(ctx, seq, e)
	case memory.Suggested:
		return a.suggested(ctx, seq, e)
	case memory.Resolved:
		return a.resolved(ctx, seq, e)
	}
	if e.Kind == memory.ToolFailed {
		if found, ok := fault.Find(e.Text); ok && !found.Vague() {
			key := scrub.Clean(found.Key())
			if err := a.meetError(ctx, seq, e, key); err != nil {
				return err
			}
			if err := a.meet(ctx, e, memory.NewNeuronID(e.Project, memory.ErrorNeuron, key)); err != nil {
				return err
			}
		}
	}
	for _, t := range e.Touches {
		if err := a.meet(ctx, e, memory.NewNeuronID(e.Project, memory.FileNeuron, t.Path)); err != nil {
			return err
		}
		if err := a.warm(ctx, e, t); err != nil {
			return err
		}
	}
	if e.Session == 0 && len(e.Touches) > 0 {
		return a.byHand(ctx, e)
	}
	if e.Kind == memory.ToolUsed && e.Session != 0 && e.Input != "" && len(e.Touches) == 0 {
		return a.passed(ctx, seq, e)
	}
	return nil
}

// passed looks whether a command that runs well now failed before in this session. What was changed in between mended it,
// if it was little enough to tell.
func (a *association) passed(ctx context.Context, seq int64, e memory.StoredEvent) error {
	failed, err := a.Tx.LastOfCommand(ctx, e)
	if brain.IsNotFound(err) || err == nil && failed.Kind != memory.ToolFailed {
		return nil
	}
	if err != nil {
		return err
	}
	touches, err := a.Tx.SessionTouches(ctx, e.Session, failed.Ord, 0)
	if err != nil {
		return err
	}
	mended := e
	mended.Text = failed.Text
	for _, t := range touches {
		edit := memory.Touch{Kind: memory.Edit, Path: t.Path}
		if t.Kind == memory.Edit && t.Ord < e.Ord && !slices.Contains(mended.Touches, edit) {
			mended.Touches = append(mended.Touches, edit)
		}
	}
	if len(mended.Touches) == 0 || len(mended.Touches) > fixFiles {
		return nil
	}
	return a.mend(ctx, seq, mended)
}

// byHand takes what a person recorded outside any session into the past at once.
func (a *association) byHand(ctx context.Context, e memory.StoredEvent) error {
	p, err := a.Past(ctx, e.Project)
	if err != nil {
		return err
	}
	var opened []recall.Opened
	for i, t := range e.Touches {
		o := recall.Opened{Path: t.Path}
		if i == 0 {
			o.Prompt = e.Text
		}
		opened = append(opened, o)
	}
	p.Image.Session(e.At, 0, opened, stretchFiles, stretchWords)
	return nil
}

// meetError counts that an event met an error.
func (a *association) meetError(ctx context.Context, seq int64, e memory.StoredEvent, key string) error {
	if a.Anew.keepsSession(e.Session) {
		return nil // it is counted
	}
	return a.Tx.MeetError(ctx, seq, e, key)
}

// meet lets a neuron grow and wires it to what the session has in view.
func (a *association) meet(ctx context.Context, e memory.StoredEvent, id memory.NeuronID) error {
	kept := a.Anew.KeepsNeuron(id)
	if !kept {
		if _, err := a.grow(ctx, e, id); err != nil {
			return err
		}
	}
	if e.Session == 0 {
		return nil
	}
	window, err := a.window(ctx, e)
	if err != nil {
		return err
	}
	if !kept {
		if err := a.wireToView(ctx, e, id, window); err != nil {
			return err
		}
	}
	window.Touch(id)
	return nil
}

// wireToView moves the links between a neuron that was met and what its session has in view.
func (a *association) wireToView(ctx context.Context, e memory.StoredEvent, id memory.NeuronID, window *plasticity.Window) error {
	n, err := a.Neuron(ctx, id)
	if err != nil {
		return err
	}
	var others []memory.NeuronID
	var positions []float64
	for other, position := range window.Others(id) {
		if !a.Anew.KeepsNeuron(other) {
			others, positions = append(others, other), append(positions, position)
		}
	}
	if err := a.load(ctx, e.Project, id, others); err != nil {
		return err
	}
	for i, other := range others {
		if a.Anew.KeepsLink(*a.links[endsOf(id, other)]) {
			continue
		}
		o, err := a.Neuron(ctx, other)
		if err != nil {
			return err
		}
		known, err := a.comesBack(ctx, e.Project, endsOf(id, other), e.At)
		if err != nil {
			return err
		}
		if !known {
			continue
		}
		a.step(n, o, plasticity.Stimulus{
			Position: positions[i], Error: n.Kind == memory.ErrorNeuron || o.Kind == memory.ErrorNeuron,
			Degree: int(max(n.Links, o.Links)), Event: e.ID, Session: e.Session, At: e.At,
		})
	}
	return nil
}

// grow is what an access does to a neuron by itself.
func (a *association) grow(ctx context.Context, e memory.StoredEvent, id memory.NeuronID) (*store.Strength, error) {
	_, met := a.neurons[id]
	n, err := a.Neuron(ctx, id)
	if err != nil {
		return nil, err
	}
	if met { // the store has counted this access, the neuron in hand has not
		n.Accesses++
	}
	before := n.Accesses - 1
	if a.Anew != nil {
		before = a.Anew.Counted[id]
		a.Anew.Counted[id]++
	}
	day := plasticity.Days(e.At)
	myelin := a.rules.Myelin.Value(n.Myelin, day)
	if before > 0 {
		myelin += a.rules.MyelinGain(myelin, before)
	}
	// What arrives late, as from a transcript, takes nothing from what is newer.
	n.Myelin = max(n.Myelin, a.rules.Myelin.Store(myelin, day))
	n.Peak, n.Reviews, n.Boosted = n.Myelin, 0, false
	n.Activation = max(n.Activation, a.rules.Activation.Store(1, day))
	if n.Gone {
		n.Gone = false
		return n, a.Tx.Remembered(ctx, id, 0)
	}
	return n, nil
}

// comesBack decides about a link that is not there: one that sleep let go begins anew when it is met again, not when
// evidence from before is gone through once more.
func (a *association) comesBack(ctx context.Context, project memory.ProjectID, key ends, at time.Time) (bool, error) {
	if !a.fresh[key] {
		return true, nil
	}
	lossy, known := a.lossy[project]
	if !known {
		var err error
		if lossy, err = a.Tx.AnyForgotten(ctx, project); err != nil {
			return false, err
		}
		a.lossy[project] = lossy
	}
	if !lossy {
		return true, nil
	}
	gone, err := a.Tx.ForgottenAt(ctx, key[0], key[1])
	if brain.IsNotFound(err) {
		return true, nil
	}
	if err != nil || !at.After(gone) && !gone.After(a.Tx.Now) { // one dated ahead was let go by a wrong clock
		return false, err
	}
	return true, a.Tx.Remembered(ctx, key[0], key[1])
}

// Neuron returns a neuron as this transaction has changed it.
func (a *association) Neuron(ctx context.Context, id memory.NeuronID) (*store.Strength, error) {
	if n, ok := a.neurons[id]; ok {
		return n, nil
	}
	n, err := a.Tx.Neuron(ctx, id)
	if err != nil {
		return nil, err
	}
	a.neurons[id] = &n
	return &n, nil
}

// window returns what a session has in view, read back from its latest touches.
func (a *association) window(ctx context.Context, e memory.StoredEvent) (*plasticity.Window, error) {
	if w, ok := a.windows[e.Session]; ok {
		return w, nil
	}
	w := plasticity.NewWindow(a.brain.Numbers.Window)
	latest, err := a.Tx.TouchesBefore(ctx, e.Session, e.Ord, windowDepth*a.brain.Numbers.Window)
	if err != nil {
		return nil, err
	}
	for _, t := range slices.Backward(latest) {
		w.Touch(t.Neuron)
	}
	a.windows[e.Session] = w
	return w, nil
}

// windowDepth is how many touches are read back for each place in the window: the same file comes often.
const windowDepth = 8

// load reads the links between a neuron and others that are not in hand yet.
func (a *association) load(ctx context.Context, project memory.ProjectID, id memory.NeuronID, others []memory.NeuronID) error {
	var missing []memory.NeuronID
	for _, o := range others {
		if _, ok := a.links[endsOf(id, o)]; !ok {
			missing = append(missing, o)
		}
	}
	found, err := a.Tx.Synapses(ctx, id, missing)
	if err != nil {
		return err
	}
	for _, s := range found {
		a.links[ends{s.A, s.B}] = &s
	}
	for _, o := range missing {
		key := endsOf(id, o)
		if _, ok := a.links[key]; !ok {
			s := store.NewSynapse(project, memory.OriginAgent, id, o)
			a.links[key], a.fresh[key] = &s, true
		}
	}
	return nil
}

func endsOf(a, b memory.NeuronID) ends { return ends{min(a, b), max(a, b)} }

// step lets two neurons met together move their link.
func (a *association) step(one, other *store.Strength, s plasticity.Stimulus) {
	key := endsOf(one.ID, other.ID)
	link := a.links[key]
	link.Link = a.rules.Step(link.Link, s)
	if link.Origin == memory.OriginRepo || link.Origin == memory.OriginImport {
		link.Origin = memory.OriginAgent // a session has confirmed it
	}
	if a.fresh[key] && link.CoAccesses > 0 {
		delete(a.fresh, key)
		one.Links++
		other.Links++
	}
}

// commit takes a commit into the past of its project.
func (a *association) commit(ctx context.Context, seq int64, e memory.StoredEvent) error {
	p, err := a.Past(ctx, e.Project)
	if err != nil {
		return err
	}
	p.Image.Commit(e.At, seq, e.Text, e.Touches, e.Tool == memory.WideCommit)
	for _, t := range recall.InOrder(e.Touches) {
		if a.Anew.KeepsNeuron(memory.NewNeuronID(e.Project, memory.FileNeuron, t.Path)) {
			continue
		}
		n, err := a.changed(ctx, e, t)
		if err != nil {
			return err
		}
		switch t.Kind {
		case memory.Delete:
			n.Gone = true
		case memory.Rename:
			if err := a.rename(ctx, e, memory.NewNeuronID(e.Project, memory.FileNeuron, t.From), n); err != nil {
				return err
			}
		}
	}
	return nil
}

// changed lets a file grow by a commit. What a robot commits, and generated files that come along, count as met and do not
// grow: nobody had them in mind.
func (a *association) changed(ctx context.Context, e memory.StoredEvent, t memory.Touch) (*store.Strength, error) {
	id := memory.NewNeuronID(e.Project, memory.FileNeuron, t.Path)
	if e.Subagent != bootstrap.BotSubagent && t.Kind != memory.Mention {
		return a.grow(ctx, e, id)
	}
	n, err := a.Neuron(ctx, id)
	if err != nil {
		return nil, err
	}
	n.Activation = max(n.Activation, a.rules.Activation.Store(1, plasticity.Days(e.At))) // sleep must not take it for something of long ago
	if n.Gone {
		n.Gone = false
		return n, a.Tx.Remembered(ctx, id, 0)
	}
	return n, nil
}

// rename hands what a file has grown and learned to its new name.
func (a *association) rename(ctx context.Context, e memory.StoredEvent, from memory.NeuronID, to *store.Strength) error {
	old, err := a.Neuron(ctx, from)
	if errors.Is(err, memory.ErrNotFound) {
		return nil // never met under its old name
	}
	if err != nil {
		return err
	}
	old.Gone = true
	day := plasticity.Days(e.At)
	myelin := max(a.rules.Myelin.Value(old.Myelin, day), a.rules.Myelin.Value(to.Myelin, day))
	to.Myelin = a.rules.Myelin.Store(myelin, day)
	to.Peak = to.Myelin
	to.Ignored, to.Standing, to.Lost = old.Ignored, old.Standing, old.Lost
	if err := a.saveLinks(ctx); err != nil { // those in hand are moved with those in the store
		return err
	}
	clear(a.windows)
	if err := a.moveHeat(ctx, e, old.ID, to.ID); err != nil {
		return err
	}
	return a.moveLinks(ctx, old, to)
}

func (a *association) moveLinks(ctx context.Context, old, to *store.Strength) error {
	links, err := a.Tx.StrongestSynapses(ctx, store.SynapseFilter{Project: old.Project, Neuron: old.ID})
	if err != nil {
		return err
	}
	for _, s := range links {
		other := s.A + s.B - old.ID
		if a.Anew.KeepsLink(s) {
			continue // it was learned under this name, after the rename
		}
		if err := a.Tx.DeleteSynapse(ctx, s.A, s.B); err != nil {
			return err
		}
		old.Links--
		end, err := a.Neuron(ctx, other)
		if err != nil {
			return err
		}
		known, err := a.Tx.Synapses(ctx, to.ID, []memory.NeuronID{other})
		if err != nil {
			return err
		}
		if other == to.ID || len(known) > 0 { // it has a link of its own there
			end.Links--
			continue
		}
		moved := store.NewSynapse(s.Project, s.Origin, to.ID, other)
		moved.Link = s.Link
		if (s.A == old.ID) != (moved.A == to.ID) {
			moved.AB, moved.BA = s.BA, s.AB
		}
		to.Links++
		err = errors.Join(a.Tx.SaveSynapses(ctx, []store.Synapse{moved}), a.Tx.Remembered(ctx, moved.A, moved.B))
		if err != nil {
			return err
		}
	}
	return nil
}

// resolved wires an error to the files that somebody says fixed it.
func (a *association) resolved(ctx context.Context, seq int64, e memory.StoredEvent) error {
	for _, t := range e.Touches {
		id := memory.NewNeuronID(e.Project, memory.FileNeuron, t.Path)
		if a.Anew.KeepsNeuron(id) {
			continue
		}
		if _, err := a.grow(ctx, e, id); err != nil {
			return err
		}
	}
	return a.mend(ctx, seq, e)
}

// mend wires the error in an event's text to the files of the event.
func (a *association) mend(ctx context.Context, seq int64, e memory.StoredEvent) error {
	found, ok := fault.Find(e.Text)
	if !ok || found.Vague() {
		return nil
	}
	key := scrub.Clean(found.Key())
	if err := a.meetError(ctx, seq, e, key); err != nil {
		return err
	}
	met := memory.NewNeuronID(e.Project, memory.ErrorNeuron, key)
	if a.Anew.KeepsNeuron(met) {
		return nil
	}
	n, err := a.grow(ctx, e, met)
	if err != nil {
		return err
	}
	for _, t := range e.Touches {
		id := memory.NewNeuronID(e.Project, memory.FileNeuron, t.Path)
		if a.Anew.KeepsNeuron(id) {
			continue
		}
		file, err := a.Neuron(ctx, id)
		if err != nil {
			return err
		}
		if err := a.load(ctx, e.Project, met, []memory.NeuronID{id}); err != nil {
			return err
		}
		key := endsOf(met, id)
		link := a.links[key]
		day := plasticity.Days(e.At)
		for _, w := range []*plasticity.Stored{&link.AB, &link.BA} {
			*w = a.rules.Weight.Store(a.rules.Resolved(a.rules.Weight.Value(*w, day)), day)
		}
		link.CoAccesses++
		link.LastAt, link.LastEvent, link.Origin = e.At, e.ID, e.Origin
		if a.fresh[key] {
			delete(a.fresh, key)
			n.Links++
			file.Links++
			if err := a.Tx.Remembered(ctx, key[0], key[1]); err != nil { // what mends an error comes back, however old
				return err
			}
		}
	}
	return nil
}

// suggested keeps the receipts of what was shown.
func (a *association) suggested(ctx context.Context, seq int64, e memory.StoredEvent) error {
	if a.Anew.keepsSession(e.Session) {
		return nil
	}
	var lines []memory.Suggestion
	if err := json.Unmarshal([]byte(e.Text), &lines); err != nil {
		return fmt.Errorf("event %s: receipts: %w: %w", e.ID, memory.ErrInvalid, err)
	}
	for i, s := range lines {
		if s.Offer == memory.OfferNudge {
			continue // names no file that could be used or ignored; the event itself says that it was shown
		}
		s.ID = fmt.Sprintf("%s-%d", e.ID, i+1)
		s.Project, s.Session, s.ShownAt, s.Position = e.Project, e.Session, e.At, i+1
		s.Neuron = memory.NewNeuronID(e.Project, memory.FileNeuron, s.Path)
		if err := a.Tx.InsertSuggestion(ctx, seq, s); err != nil {
			return err
		}
	}
	return nil
}

func (a *association) Past(ctx context.Context, id memory.ProjectID) (*Past, error) {
	if p, ok := a.pasts[id]; ok {
		return p, nil
	}
	p, err := PastOf(ctx, a.brain, a.Tx, id)
	if err == nil {
		a.pasts[id] = p
	}
	return p, err
}

// SessionClosed turns what a session did since it was last closed into episodes, and settles what it was shown. The first
// close counts it as one in which its files were together.
func (a *association) SessionClosed(ctx context.Context, s memory.Session, first bool) error {
	if err := a.settle(ctx, s); err != nil {
		return err
	}
	if first {
		if err := a.CountTogether(ctx, s); err != nil {
			return err
		}
	}
	learned, err := a.Tx.LearnedOrd(ctx, s.ID)
	if err != nil {
		return err
	}
	opened, last, err := a.opened(ctx, s, learned)
	if err != nil || len(opened) == 0 {
		return err
	}
	p, err := a.Past(ctx, s.Project)
	if err != nil {
		return err
	}
	p.Image.Session(s.LastEventAt, int64(s.ID), opened, stretchFiles, stretchWords)
	return a.Tx.SetLearnedOrd(ctx, s.ID, last)
}

// CountTogether counts the session for the links between what it met. The count is made in the store, so the links in
// hand go there first.
func (a *association) CountTogether(ctx context.Context, s memory.Session) error {
	if err := a.saveLinks(ctx); err != nil {
		return err
	}
	if a.Anew.partial() {
		return a.Tx.CountTogetherWithin(ctx, s.ID, a.Anew.Reach)
	}
	return a.Tx.CountTogether(ctx, s.ID)
}

// opened lists the files a session opened, with what was said before each.
func (a *association) opened(ctx context.Context, s memory.Session, after int64) (opened []recall.Opened, last int64, err error) {
	touches, err := a.Tx.SessionTouches(ctx, s.ID, after, 0)
	if err != nil || len(touches) == 0 {
		return nil, after, err
	}
	prompts, err := a.Tx.Events(ctx, store.EventFilter{Session: s.ID, Kind: memory.Prompted})
	if err != nil {
		return nil, after, err
	}
	slices.Reverse(prompts) // oldest first
	said := 0
	for _, t := range touches {
		last = max(last, t.Ord)
		if t.Kind != memory.Read && t.Kind != memory.Edit {
			continue
		}
		o := recall.Opened{Path: t.Path}
		for ; said < len(prompts) && prompts[said].Ord < t.Ord; said++ {
			if prompts[said].Ord > after {
				o.Prompt += prompts[said].Text + "\n"
			}
		}
		opened = append(opened, o)
	}
	return opened, last, nil
}

// save writes what changed.
func (a *association) save(ctx context.Context) error {
	if err := errors.Join(a.saveNeurons(ctx), a.saveLinks(ctx)); err != nil {
		return err
	}
	if err := a.saveHeat(ctx); err != nil {
		return err
	}
	for _, p := range a.pasts {
		if err := p.save(ctx, a.Tx); err != nil {
			return err
		}
	}
	return nil
}

// saveNeurons writes the neurons in hand.
func (a *association) saveNeurons(ctx context.Context) error {
	for _, n := range a.neurons {
		if err := a.Tx.SaveStrength(ctx, *n); err != nil {
			return err
		}
	}
	return nil
}

// saveLinks writes the links in hand and lets go of them.
func (a *association) saveLinks(ctx context.Context) error {
	var changed []store.Synapse
	for key, s := range a.links {
		if !a.fresh[key] {
			changed = append(changed, *s)
		}
	}
	clear(a.links)
	clear(a.fresh)
	return a.Tx.SaveSynapses(ctx, changed)
}

// keep hands the pasts back once the transaction is in the store.
func (a *association) keep() {
	for _, p := range a.pasts {
		Pasts(a.brain).Put(p)
	}
}
