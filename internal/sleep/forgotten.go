package sleep

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/project"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/store"
)

// ForgottenInput chooses what sleep has forgotten; empty fields do not filter.
type ForgottenInput struct {
	brain.Scope `flag:"all"`
	Sleep       int64 `json:"sleep,omitempty" flag:"sleep" about:"only what this sleep forgot, by its number"`
	Limit       int   `json:"limit,omitempty" flag:"limit,n"`
}

// Reasons say in a sentence why sleep forgets something, in the order in which it checks.
var Reasons = []struct {
	Reason  plasticity.Reason
	Meaning string
}{
	{plasticity.Dead, "hardly anything was left of the link, and it had not been met for a while"},
	{plasticity.Deleted, "one end of the link is no longer in the project"},
	{plasticity.Noise, "a weak link that was met by chance and not again"},
	{plasticity.Abandoned, "a link that never got strong and was not met for a month or so"},
	{plasticity.Bridge, "a weak link, rarely met, to something that nobody uses"},
	{plasticity.Lone, "a file or error without links, hardly ever touched and not of late"},
}

// Lost is something that sleep has forgotten: a file or error, or a link between two.
type Lost struct {
	Project memory.ProjectID  `json:"project"`
	What    brain.End         `json:"what"`
	With    *brain.End        `json:"with,omitempty"` // the other end of a link
	Reason  plasticity.Reason `json:"reason"`
	At      time.Time         `json:"at"`
	Sleep   int64             `json:"sleep"`
	// CanReturn says that it can still be brought back, Until until when if each day from now on is one of work.
	CanReturn bool      `json:"can_return"`
	Until     time.Time `json:"until"`
}

// Forgotten lists what sleep has forgotten, the latest first.
var Forgotten = brain.Operation[ForgottenInput, []Lost]{
	Name: "forgotten",
	Run: func(ctx context.Context, b *brain.Brain, in ForgottenInput) ([]Lost, error) {
		return brain.View(ctx, b.Store, func(tx *store.Tx) ([]Lost, error) {
			project, err := brain.Resolve(ctx, tx, b.Config, in.Scope)
			if err != nil {
				return nil, err
			}
			if err := knownSleep(ctx, tx, in.Sleep); err != nil {
				return nil, err
			}
			gone, err := tx.ListGone(ctx, store.GoneFilter{Project: project, Sleep: in.Sleep, Limit: in.Limit})
			if err != nil {
				return nil, err
			}
			left, err := timeToReturn(ctx, tx, b.Config.Tuning.Sleep.Restore)
			if err != nil {
				return nil, err
			}
			found, names := make([]Lost, len(gone)), map[memory.NeuronID]brain.End{}
			for i, g := range gone {
				if found[i], err = lost(ctx, tx, left, g, names); err != nil {
					return nil, err
				}
			}
			return found, nil
		})
	},
}

// knownSleep refuses the number of a sleep that is neither recorded nor has forgotten anything; 0 is none.
func knownSleep(ctx context.Context, tx *store.Tx, id int64) error {
	if id == 0 {
		return nil
	}
	gone, one := tx.ListGone(ctx, store.GoneFilter{Sleep: id, Limit: 1})
	sleeps, two := tx.Sleeps(ctx, time.Time{}, SleepsKept)
	if err := errors.Join(one, two); err != nil {
		return err
	}
	if len(gone) == 0 && !slices.ContainsFunc(sleeps, func(s store.SleepRecord) bool { return s.ID == id }) {
		return fmt.Errorf("sleep %d (hebb sessions timeline lists sleeps): %w", id, memory.ErrNotFound)
	}
	return nil
}

// timeToReturn says how long what was forgotten at a moment can still be brought back. Only days of work count.
func timeToReturn(ctx context.Context, tx *store.Tx, within time.Duration) (left func(at time.Time) time.Duration, err error) {
	days, err := tx.WorkDays(ctx, 0)
	return func(at time.Time) time.Duration { return within - days.Age(at, tx.Now) }, err
}

// lost describes something gone by name, which can be brought back for a while.
func lost(ctx context.Context, tx *store.Tx, left func(time.Time) time.Duration, g store.Gone, names map[memory.NeuronID]brain.End) (Lost, error) {
	out := Lost{Project: g.Project, Reason: g.Reason, At: g.At, Sleep: g.Sleep, Until: tx.Now.Add(left(g.At))}
	out.CanReturn = (g.Synapse != nil || g.Neuron != nil) && !tx.Now.After(out.Until)
	var err error
	if out.What, err = End(ctx, tx, g.A, names); err != nil && !brain.IsNotFound(err) {
		return out, err
	}
	if g.B == 0 {
		return out, nil
	}
	with, err := End(ctx, tx, g.B, names)
	if out.With = &with; out.With.Key < out.What.Key {
		out.What, *out.With = with, out.What
	}
	return out, brain.IgnoreNotFound(err)
}

// Name is what a person calls it.
func (l Lost) Name() string {
	if l.With == nil {
		return l.What.Name()
	}
	return l.What.Name() + " ↔ " + l.With.Name()
}

// UndoInput names the sleep to undo; 0 is the last one that forgot something that can come back.
type UndoInput struct {
	Sleep int64 `json:"sleep,omitempty"`
}

// UndoResult says what came back.
type UndoResult struct {
	Sleep   int64   `json:"sleep"`
	Back    []Lost  `json:"back"`
	Skipped []Stays `json:"skipped"`
}

// Stays is something that stays forgotten.
type Stays struct {
	Lost
	Why string `json:"why"`
}

// Undo brings back all that a sleep has forgotten, as long as there is time. A person says that it matters: it comes back as something met
// right now.
var Undo = brain.Operation[UndoInput, UndoResult]{
	Name: "undo_sleep",
	Run: func(ctx context.Context, b *brain.Brain, in UndoInput) (UndoResult, error) {
		return brain.Update(ctx, b, func(tx *store.Tx) (UndoResult, error) {
			out, err := undo(ctx, b, tx, in)
			if err == nil {
				err = logUndone(ctx, tx, out)
			}
			return out, err
		})
	},
}

// UndoAgain undoes a sleep once more, where what events taught is made again from the log.
func UndoAgain(ctx context.Context, b *brain.Brain, number int64) error {
	return b.Store.Update(ctx, func(tx *store.Tx) error {
		_, err := undo(ctx, b, tx, UndoInput{Sleep: number})
		return brain.IgnoreNotFound(err) // nothing of it is left
	})
}

func undo(ctx context.Context, b *brain.Brain, tx *store.Tx, in UndoInput) (UndoResult, error) {
	left, err := timeToReturn(ctx, tx, b.Config.Tuning.Sleep.Restore)
	if err != nil {
		return UndoResult{}, err
	}
	r := restorer{
		tx: tx, params: b.Numbers.Plasticity, left: left, day: plasticity.Days(tx.Now),
		names: map[memory.NeuronID]brain.End{}, there: map[memory.NeuronID]bool{},
		out: UndoResult{Sleep: in.Sleep, Back: []Lost{}, Skipped: []Stays{}},
	}
	if err = errors.Join(b.Retune(ctx, tx), knownSleep(ctx, tx, in.Sleep)); err == nil {
		err = r.restore(ctx)
	}
	return r.out, err
}

// Undone is the tool of the event in the log that says that a sleep was undone.
const Undone = "undo"

// logUndone notes in which projects something came back: what their events taught depends on it.
func logUndone(ctx context.Context, tx *store.Tx, out UndoResult) (err error) {
	projects := map[memory.ProjectID]bool{}
	for _, back := range out.Back {
		projects[back.Project] = true
	}
	for id := range projects {
		err = errors.Join(err, record.Log(ctx, tx, memory.StoredEvent{Project: id, Event: memory.Event{
			Kind: memory.Slept, At: tx.Now, Tool: Undone, Text: strconv.FormatInt(out.Sleep, 10),
		}}))
	}
	return err
}

// restorer brings things back in one transaction: all that can, or nothing.
type restorer struct {
	tx     *store.Tx
	params plasticity.Params
	left   func(at time.Time) time.Duration // to bring back what was forgotten then
	day    float64
	names  map[memory.NeuronID]brain.End
	there  map[memory.NeuronID]bool // neurons that are there, and in mind
	links  []store.Synapse          // that come back
	fresh  []plasticity.Pair        // of these, those not in the store
	out    UndoResult
}

func (r *restorer) rules(ctx context.Context, project memory.ProjectID) (plasticity.Rules, error) {
	balance, err := r.tx.Balance(ctx, project)
	return plasticity.NewRules(r.params, balance), err
}

func (r *restorer) restore(ctx context.Context) error {
	if r.out.Sleep == 0 {
		last, err := r.tx.ListGone(ctx, store.GoneFilter{Whole: true, Limit: 1})
		if err != nil || len(last) == 0 {
			return cmp.Or(err, fmt.Errorf("undo: no sleep has forgotten anything that can come back: %w", memory.ErrNotFound))
		}
		r.out.Sleep = last[0].Sleep
	}
	chosen, err := r.tx.ListGone(ctx, store.GoneFilter{Sleep: r.out.Sleep})
	if err != nil {
		return err
	}
	if len(chosen) == 0 {
		return fmt.Errorf("undo: sleep %d has forgotten nothing, or it is back: %w", r.out.Sleep, memory.ErrNotFound)
	}
	slices.SortStableFunc(chosen, func(x, y store.Gone) int { return cmp.Compare(min(x.B, 1), min(y.B, 1)) }) // neurons before links
	for _, g := range chosen {
		lost, err := lost(ctx, r.tx, r.left, g, r.names)
		if err != nil {
			return err
		}
		why := ""
		switch {
		case !lost.CanReturn && !r.tx.Now.After(lost.Until): // the time was shorter when it ended
			why = fmt.Sprintf("forgotten on %s, and what it was is no longer kept", date(lost.At))
		case !lost.CanReturn:
			why = fmt.Sprintf("forgotten on %s, too late since %s", date(lost.At), date(lost.Until))
		case g.B == 0:
			why, err = r.thing(ctx, g.A)
		default:
			why, err = r.link(ctx, *g.Synapse)
		}
		if err != nil {
			return err
		}
		if why == "" {
			r.out.Back = append(r.out.Back, lost)
		} else {
			r.out.Skipped = append(r.out.Skipped, Stays{Lost: lost, Why: why})
		}
	}
	if len(r.out.Back) > 0 {
		return errors.Join(r.tx.SaveSynapses(ctx, r.links), r.tx.Linked(ctx, r.fresh...))
	}
	first, more := r.out.Skipped[0], ""
	if n := len(r.out.Skipped) - 1; n > 0 {
		more = fmt.Sprintf(" (and %d more cannot come back)", n)
	}
	return fmt.Errorf("undo sleep %d: %s: %s%s: %w", r.out.Sleep, first.Name(), first.Why, more, memory.ErrRefused)
}

func date(t time.Time) string { return t.Format(time.DateOnly) }

// thing brings a file or error back. It says why it cannot.
func (r *restorer) thing(ctx context.Context, id memory.NeuronID) (why string, err error) {
	n, err := r.tx.Neuron(ctx, id)
	if brain.IsNotFound(err) {
		return "it is no longer known", nil
	}
	if err != nil {
		return "", err
	}
	if err := r.inMind(ctx, n); err != nil {
		return "", err
	}
	return "", r.tx.Remembered(ctx, id, 0)
}

// inMind treats a neuron as one just met, without counting an access: nobody touched it, but somebody cares.
func (r *restorer) inMind(ctx context.Context, n store.Strength) error {
	rules, err := r.rules(ctx, n.Project)
	if err != nil {
		return err
	}
	n.Gone, n.Activation = false, rules.Activation.Store(1, r.day)
	r.there[n.ID] = true
	return r.tx.SaveStrength(ctx, n)
}

// link brings a link back. It says why it cannot.
func (r *restorer) link(ctx context.Context, was store.Synapse) (why string, err error) {
	if why, err := r.ends(ctx, was); why != "" || err != nil {
		return why, err
	}
	back := was
	now, err := r.tx.Synapse(ctx, was.A, was.B)
	again := err == nil
	if err != nil && !brain.IsNotFound(err) {
		return "", err
	}
	if again { // it has formed anew: what it is counts, and what it was where that was more
		back = now
		back.AB, back.BA = max(now.AB, was.AB), max(now.BA, was.BA)
		back.CoAccesses, back.CoSessions = max(now.CoAccesses, was.CoAccesses), max(now.CoSessions, was.CoSessions)
	}
	rules, err := r.rules(ctx, was.Project)
	if err != nil {
		return "", err
	}
	for _, w := range []*plasticity.Stored{&back.AB, &back.BA} {
		*w = rules.Weight.Store(max(rules.Weight.Value(*w, r.day), r.params.CaptureWeight), r.day)
	}
	back.LastAt, back.TaggedAt = r.tx.Now, time.Time{}
	r.links = append(r.links, back)
	if again {
		return "", r.tx.Remembered(ctx, was.A, was.B)
	}
	r.fresh = append(r.fresh, plasticity.Pair{was.A, was.B})
	return "", nil
}

// ends makes sure that both ends of a link are there. One that sleep has forgotten comes back with the link; one that was deleted
// or renamed does not: the link would lead nowhere.
func (r *restorer) ends(ctx context.Context, was store.Synapse) (why string, err error) {
	var present []store.Strength
	var slept []store.Gone
	for _, id := range []memory.NeuronID{was.A, was.B} {
		if r.there[id] {
			continue
		}
		n, err := r.tx.Neuron(ctx, id)
		if brain.IsNotFound(err) {
			return "one of its ends is no longer known", nil
		}
		if err != nil {
			return "", err
		}
		if !n.Gone {
			present = append(present, n)
			continue
		}
		gone, err := r.tx.ListGone(ctx, store.GoneFilter{Neuron: id})
		if err != nil {
			return "", err
		}
		i := slices.IndexFunc(gone, func(g store.Gone) bool { return g.B == 0 })
		if i < 0 {
			return n.Key + " is no longer in the project", nil
		}
		slept = append(slept, gone[i])
	}
	for _, n := range present {
		if err := r.inMind(ctx, n); err != nil {
			return "", err
		}
	}
	for _, g := range slept {
		lost, err := lost(ctx, r.tx, r.left, g, r.names)
		if err != nil {
			return "", err
		}
		if _, err := r.thing(ctx, g.A); err != nil {
			return "", err
		}
		r.out.Back = append(r.out.Back, lost)
	}
	return "", nil
}

// End names a neuron, each read once.
func End(ctx context.Context, tx *store.Tx, id memory.NeuronID, known map[memory.NeuronID]brain.End) (brain.End, error) {
	if e, ok := known[id]; ok {
		return e, nil
	}
	n, err := tx.Neuron(ctx, id)
	known[id] = brain.End{ID: id, Kind: n.Kind, Key: n.Key}
	return known[id], err
}

// NamedNeuron finds what a person names: a file, from the top of the project or from the folder around them, or an
// error by its key.
func NamedNeuron(ctx context.Context, tx *store.Tx, id memory.ProjectID, dir, name string) (n store.Strength, err error) {
	if id == 0 {
		return n, fmt.Errorf("%q in every project: name one with --project: %w", name, memory.ErrInvalid)
	}
	ids := []memory.NeuronID{
		memory.NewNeuronID(id, memory.FileNeuron, name), memory.NewNeuronID(id, memory.ErrorNeuron, name),
	}
	if key, ok := keyAround(dir, name); ok {
		ids = append(ids, memory.NewNeuronID(id, memory.FileNeuron, key))
	}
	for _, candidate := range ids {
		if n, err = tx.Neuron(ctx, candidate); !brain.IsNotFound(err) {
			return n, err
		}
	}
	return n, fmt.Errorf("%q in this project (hebb graph neurons lists what is known): %w", name, memory.ErrNotFound)
}

// keyAround is the key of a file that is named from a folder.
func keyAround(dir, path string) (string, bool) {
	place, err := project.Resolve(dir)
	if err != nil {
		return "", false // then it was named from the top of the project, or not at all
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	return project.Key(place, path), true
}
