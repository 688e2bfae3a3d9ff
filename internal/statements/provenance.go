package statements

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/texts"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// ProvenanceInput names a crystal by its ID or a prefix, by the number that the person was last shown, or by words of it.
type ProvenanceInput struct {
	brain.Scope        // where the words are looked for
	ID          string `json:"id"`
}

// Provenance is where a crystal comes from and what became of it.
type Provenance struct {
	memory.Crystal
	ProjectName string           `json:"project_name,omitempty"` // empty: the person's own
	Agent       memory.Agent     `json:"agent,omitempty"`        // in whose session it was said
	Prompt      string           `json:"prompt,omitempty"`       // in which it was said, as far as that is kept
	Parents     []memory.Crystal `json:"from"`                   // what it took the place of, or grew from
	Children    []memory.Crystal `json:"since"`                  // what took its place, or grew from it
	Traces      []store.Trace    `json:"traces"`
}

// WhyCrystal explains a crystal.
var WhyCrystal = brain.Operation[ProvenanceInput, Provenance]{
	Name: "why-crystal",
	Run: func(ctx context.Context, b *brain.Brain, in ProvenanceInput) (Provenance, error) {
		return brain.View(ctx, b.Store, func(tx *store.Tx) (out Provenance, err error) {
			c, err := findNamed(ctx, b, tx, in)
			if err != nil {
				return out, err
			}
			s, err := tx.Session(ctx, c.Session)
			if brain.IgnoreNotFound(err) != nil {
				return out, err
			}
			out = Provenance{Crystal: c.Crystal, Agent: s.Agent, Parents: []memory.Crystal{}, Children: []memory.Crystal{}}
			if c.Project != 0 {
				p, err := tx.Project(ctx, c.Project)
				if err != nil && !brain.IsNotFound(err) {
					return out, err
				}
				out.ProjectName = p.Name
			}
			if out.Traces, err = tx.Traces(ctx, c.ID); err != nil {
				return out, err
			}
			if id, said := strings.CutPrefix(c.Source, PromptSource); said {
				prompts, err := tx.Events(ctx, store.EventFilter{ID: memory.EventID(id)})
				if err != nil {
					return out, err
				}
				for _, p := range prompts {
					out.Prompt = p.Text
				}
			}
			var children []memory.CrystalID
			for _, t := range out.Traces {
				if t.What == TraceSuperseded || t.What == TraceMerged {
					children = append(children, memory.CrystalID(t.Detail))
				}
			}
			for _, id := range append(slices.Clone(c.Parents), children...) {
				other, err := tx.Crystal(ctx, id)
				if brain.IsNotFound(err) {
					continue // deleted on purpose since
				}
				if err != nil {
					return out, err
				}
				if slices.Contains(c.Parents, id) {
					out.Parents = append(out.Parents, other.Crystal)
				} else {
					out.Children = append(out.Children, other.Crystal)
				}
			}
			return out, nil
		})
	},
}

// findNamed is FindCrystal, also by several words of what holds.
func findNamed(ctx context.Context, b *brain.Brain, tx *store.Tx, in ProvenanceInput) (c store.Kept, err error) {
	words := strings.TrimSpace(in.ID)
	if !strings.Contains(words, " ") {
		return FindCrystal(ctx, tx, words)
	}
	if _, quoted, is := strings.Cut(words, "“"); is { // a line as a session is told it
		words, _, _ = strings.Cut(quoted, "”")
	}
	id, err := brain.Resolve(ctx, tx, b.Config, in.Scope)
	if err != nil {
		return c, err
	}
	found, err := tx.Crystals(ctx, store.CrystalFilter{Projects: []memory.ProjectID{id, 0}, Contains: words, Current: true})
	exact := slices.IndexFunc(found, func(k store.Kept) bool { return strings.EqualFold(k.Text, words) })
	switch {
	case err != nil:
		return c, err
	case exact >= 0:
		return found[exact], nil
	case len(found) == 0:
		return c, fmt.Errorf("no memory here says %q (hebb memories lists them): %w", words, memory.ErrNotFound)
	case len(found) > 1:
		return c, fmt.Errorf("%q is said by %s and %s: give one of these IDs, or more words: %w", words, found[0].ID, found[1].ID, memory.ErrConflict)
	}
	return found[0], nil
}

// JudgeInput says of a crystal whether it is still right.
type JudgeInput struct {
	ID string `json:"id"`
	// Right confirms it as the code is now; otherwise it is rejected: taken out of sight, kept as history, and not heard again.
	Right bool `json:"right"`
	// Origin is who says so; empty: the user. An agent judges what agents said, as long as nothing has taken its place.
	Origin memory.Origin `json:"origin,omitempty"`
	// Quote is what an agent hands over as the person's word for it.
	Quote string `json:"quote,omitempty"`
}

// JudgeResult is a crystal as it was judged.
type JudgeResult struct {
	memory.Crystal
	// Proposed says why the judgement of an agent is only a proposal, which waits for the person. It is empty for what was done.
	Proposed string `json:"proposed,omitempty"`
}

// Judge settles whether a crystal is still right: by a person's or an agent's word, never by being read.
var Judge = brain.NeverBusy(brain.Operation[JudgeInput, JudgeResult]{
	Name: "judge",
	Run: func(ctx context.Context, b *brain.Brain, in JudgeInput) (JudgeResult, error) {
		return brain.Update(ctx, b, func(tx *store.Tx) (out JudgeResult, err error) {
			out.Crystal, out.Proposed, err = judge(ctx, b.Config.Tuning.Crystal, tx, in)
			return out, err
		})
	},
}, nil)

// BringBack lets a memory hold again that the person took out of a file, because they put it back.
func BringBack(ctx context.Context, settings tuning.Crystal, tx *store.Tx, id memory.CrystalID) error {
	_, _, err := judge(ctx, settings, tx, JudgeInput{ID: string(id), Right: true})
	return err
}

func judge(ctx context.Context, settings tuning.Crystal, tx *store.Tx, in JudgeInput) (judged memory.Crystal, lacking string, err error) {
	c, err := FindCrystal(ctx, tx, in.ID)
	if err != nil {
		return c.Crystal, "", err
	}
	change := ProposeReject
	if in.Right {
		change = ProposeConfirm
	}
	w, err := warrantFor(ctx, tx, c.Crystal, change, in.Origin, in.Quote)
	if err != nil {
		return c.Crystal, "", err
	}
	if w.lacking != "" {
		return c.Crystal, w.lacking, Propose(ctx, tx, c.ID, change)
	}
	if state, err := Became(ctx, tx, c.Crystal); err != nil || in.Right && state == StateProposed {
		if err == nil {
			judged, err = accept(ctx, settings, tx, c.Crystal)
		}
		return judged, "", err
	}
	after, what := texts.Confirm(texts.NewRules(settings).Use(c.Crystal, false, tx.Now)), traceConfirmed
	if in.Right && !c.ValidTo.IsZero() {
		if err := takenBack(ctx, tx, c.Crystal); err != nil {
			return c.Crystal, "", err
		}
		after.ValidTo = time.Time{}
	}
	if in.Right {
		code, err := tieAgain(ctx, tx, &after)
		if err != nil {
			return after, "", err
		}
		code.tie(after.Anchors)
		if after.Unsure = false; after.Lifecycle == memory.Waiting {
			after.Lifecycle = memory.Activated
		}
		after.Importance = max(after.Importance, c.Importance) // it may have been computed for the first time
		if after.Heard > 0 && w.who != string(memory.OriginAgent) {
			after.Heard = 1
		}
		if after.Line != nil && w.who != string(memory.OriginAgent) {
			line := *after.Line
			line.KeptAt, line.Lacks = tx.Now, nil
			after.Line = &line
			if c.Lifecycle == memory.Waiting {
				if err := endReplaced(ctx, tx, after); err != nil {
					return after, "", err
				}
			}
		}
	} else {
		after, what = c.Crystal, TraceWrong
		after.Unsure = false
		if after.ValidTo.IsZero() {
			after.ValidTo = tx.Now
		}
		if after.Line != nil {
			if err := endSaid(ctx, tx, after); err != nil {
				return after, "", err
			}
		}
	}
	return after, "", errors.Join(tx.SaveCrystal(ctx, after), tx.Leave(ctx, store.Trace{Crystal: after.ID, What: what, Detail: w.who}))
}

// endReplaced ends the lines in whose place a line was to come while it waited.
func endReplaced(ctx context.Context, tx *store.Tx, line memory.Crystal) (err error) {
	for _, id := range line.Parents {
		old, failed := tx.Crystal(ctx, id)
		switch {
		case brain.IsNotFound(failed):
		case failed != nil:
			return failed
		case old.Line != nil && old.ValidTo.IsZero():
			err = errors.Join(err, EndCrystal(ctx, tx, old.Crystal, TraceSuperseded, string(line.ID)))
		}
	}
	return err
}

// tieAgain links a restored text to the code as it is now: it adds files that the text names and that became known since, and
// marks the text as unsure if a place it speaks of has changed. It returns that code.
func tieAgain(ctx context.Context, tx *store.Tx, c *memory.Crystal) (*Code, error) {
	named, err := anchors(ctx, tx, c.Project, c.Text, nil)
	if err != nil {
		return nil, err
	}
	c.Anchors = joined(c.Anchors, named)
	code, err := codeOf(ctx, tx, c.Project)
	if err == nil && code.root != "" {
		d, _ := code.compare(*c)
		*c = d.Crystal
	}
	return code, err
}

// takenBack refuses to restore a crystal whose successor holds.
func takenBack(ctx context.Context, tx *store.Tx, c memory.Crystal) error {
	traces, err := tx.Traces(ctx, c.ID)
	if err != nil {
		return err
	}
	for _, t := range slices.Backward(traces) {
		if t.What != TraceSuperseded {
			continue
		}
		successor, err := tx.Crystal(ctx, memory.CrystalID(t.Detail))
		if err == nil && successor.ValidTo.IsZero() {
			err = fmt.Errorf("%s has taken the place of %s: reject that first (hebb memories reject %s): %w", t.Detail, c.ID, t.Detail, memory.ErrConflict)
		}
		return brain.IgnoreNotFound(err)
	}
	return nil
}

// CheckInput chooses a project.
type CheckInput struct {
	brain.Scope `flag:"all"`
	Limit       int `json:"limit,omitempty" flag:"limit,n"`
}

// Doubtful is a crystal that speaks of code which has changed since.
type Doubtful struct {
	memory.Crystal
	Changed []memory.Anchor `json:"changed"`
	Gone    []memory.Anchor `json:"gone,omitempty"` // of these, what is not there any more
}

// Told reports whether a memory may be shown to an agent that did not ask: what others than the person said of code that is gone is not.
func (d Doubtful) Told() bool { return d.Origin == memory.OriginUser || len(d.Gone) == 0 }

// String is the doubt as it stands after the words of a memory, such as " (src/auth.go is gone)"; empty if there is none.
func (d Doubtful) String() string {
	list, what := d.Changed, "changed since"
	if len(d.Gone) > 0 {
		list, what = d.Gone, "is gone"
	}
	place := "the code it speaks of"
	switch {
	case !d.Unsure:
		return ""
	case len(list) > 0 && list[0].Symbol != "":
		place = brain.AsData(list[0].Symbol) + " in " + record.ShownName(list[0].Path)
	case len(list) > 0:
		place = record.ShownName(list[0].Path)
	}
	return " (" + place + " " + what + ")"
}

// CheckCrystals looks which crystals speak of code that has changed since, and lists them.
var CheckCrystals = brain.Operation[CheckInput, []Doubtful]{
	Name: "check",
	Run: func(ctx context.Context, b *brain.Brain, in CheckInput) ([]Doubtful, error) {
		ids, err := brain.View(ctx, b.Store, func(tx *store.Tx) ([]memory.ProjectID, error) { return ranking.Scoped(ctx, b.Config, tx, in.Scope) })
		if err != nil {
			return nil, err
		}
		list := []Doubtful{}
		for _, id := range ids {
			found, err := Doubt(ctx, b.Store, b.Numbers.Chunk, id)
			if err != nil {
				return nil, err
			}
			list = append(list, found...)
		}
		if in.Limit > 0 {
			list = list[:min(len(list), in.Limit)]
		}
		return list, nil
	},
}

// Doubt compares what crystals of a project speak of with the code as it is, and marks those whose place has changed. One
// whose place was never seen takes it as it is now. Files are read while nobody waits for the store.
func Doubt(ctx context.Context, st *store.Store, chunk int, id memory.ProjectID) (list []Doubtful, err error) {
	list = []Doubtful{}
	var code *Code
	var crystals []store.Kept
	err = st.View(ctx, func(tx *store.Tx) (err error) {
		if code, err = codeOf(ctx, tx, id); err != nil || code.root == "" { // without the files nothing can be compared
			return err
		}
		crystals, err = spokenOfCode(ctx, tx, id)
		return err
	})
	if err != nil {
		return nil, err
	}
	var changes []judgement
	for _, c := range crystals {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		after, moved := code.compare(c.Crystal)
		if after.Unsure {
			list = append(list, after)
		}
		if moved {
			changes = append(changes, judgement{c.Crystal, after})
		}
	}
	for some := range slices.Chunk(changes, chunk) {
		err := st.Update(ctx, func(tx *store.Tx) error {
			for _, j := range some {
				if err := j.write(ctx, tx); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// spokenOfCode are the living crystals of a project that speak of places in its code.
func spokenOfCode(ctx context.Context, tx *store.Tx, id memory.ProjectID) (found []store.Kept, err error) {
	paths, err := tx.AnchoredPaths(ctx, id)
	if err != nil {
		return nil, err
	}
	seen := map[memory.CrystalID]bool{}
	for _, path := range paths {
		crystals, err := tx.Crystals(ctx, store.CrystalFilter{Projects: []memory.ProjectID{id}, Path: path, Current: true})
		if err != nil {
			return nil, err
		}
		for _, c := range crystals {
			if !seen[c.ID] && c.Lifecycle.Living() {
				seen[c.ID] = true
				found = append(found, c)
			}
		}
	}
	return found, nil
}

// Doubt compares the places that a crystal speaks of with the code. What the person laid down (a rule, a preference, a decision) holds while the
// code it names changes, and is doubted only where that is gone; what is said to be so is doubted where the code is no longer what it was.
func (c *Code) Doubt(of memory.Crystal) Doubtful {
	d := Doubtful{Crystal: of, Changed: []memory.Anchor{}}
	unread := c.root == ""
	for _, a := range of.Anchors {
		if a.AtHand || a.Hash == 0 {
			continue // the text does not speak of it, or nobody knows how it was
		}
		switch hash, gone := c.hash(a); {
		case gone:
			d.Changed, d.Gone = append(d.Changed, a), append(d.Gone, a)
		case hash == 0:
			unread = true
		case hash != a.Hash && !laidDown(of):
			d.Changed = append(d.Changed, a)
		}
	}
	d.Unsure = len(d.Changed) > 0 || unread && of.Unsure // and no longer once the code is again what it was when this was said
	return d
}

// laidDown reports whether a crystal says how the person wants things to be, and not how they are.
func laidDown(c memory.Crystal) bool {
	return c.Origin == memory.OriginUser && slices.Contains([]memory.CrystalKind{
		memory.Rule, memory.Preference, memory.Decision, memory.Correction, memory.Intention, memory.Procedure,
	}, c.Kind)
}

// tie takes places as they are now, as far as they can be read.
func (c *Code) tie(anchors []memory.Anchor) {
	for i, a := range anchors {
		if hash, _ := c.hash(a); hash != 0 {
			anchors[i].Hash = hash
		}
	}
}

// compare is a crystal after a look at the code, and whether that says anything new: a doubt more or less, or how a place is that was never seen.
func (c *Code) compare(of memory.Crystal) (after Doubtful, moved bool) {
	after = c.Doubt(of)
	after.Anchors = slices.Clone(of.Anchors)
	for i, a := range of.Anchors {
		if !a.AtHand && a.Hash == 0 {
			after.Anchors[i].Hash, _ = c.hash(a)
		}
	}
	return after, after.Unsure != of.Unsure || !slices.Equal(after.Anchors, of.Anchors)
}

// judgement is a crystal before and after a look at the code.
type judgement struct {
	before memory.Crystal
	after  Doubtful
}

// write keeps what was found, unless somebody has judged the crystal meanwhile.
func (j judgement) write(ctx context.Context, tx *store.Tx) error {
	now, err := tx.Crystal(ctx, j.before.ID)
	if brain.IsNotFound(err) || err == nil && (now.Unsure != j.before.Unsure || !slices.Equal(now.Anchors, j.before.Anchors)) {
		return nil
	}
	if err != nil {
		return err
	}
	after := now.Crystal
	after.Anchors, after.Unsure = j.after.Anchors, j.after.Unsure
	if err := tx.SaveCrystal(ctx, after); err != nil || after.Unsure == now.Unsure {
		return err
	}
	if after.Unsure {
		return tx.Leave(ctx, store.Trace{Crystal: after.ID, What: traceDoubted, Detail: j.after.Changed[0].Path})
	}
	return tx.Leave(ctx, store.Trace{Crystal: after.ID, What: traceConfirmed, Detail: "the code is back"})
}

// UseInput names crystals that were given to somebody who asked.
type UseInput struct {
	IDs []memory.CrystalID `json:"ids"`
}

// UseCrystals counts that crystals were used: they live longer, and one that had expired comes back. Being read confirms
// nothing.
var UseCrystals = brain.Operation[UseInput, int]{
	Name: "use",
	Run: func(ctx context.Context, b *brain.Brain, in UseInput) (used int, err error) {
		rules := texts.NewRules(b.Config.Tuning.Crystal)
		err = b.Store.Update(ctx, func(tx *store.Tx) error {
			used = 0
			for _, id := range in.IDs {
				c, err := tx.Crystal(ctx, id)
				if brain.IsNotFound(err) {
					continue
				}
				if err != nil {
					return err
				}
				after := rules.Use(c.Crystal, c.Kind == memory.Intention, tx.Now)
				if after.Lifecycle.Living() && !c.Lifecycle.Living() {
					if _, err := tieAgain(ctx, tx, &after); err != nil {
						return err
					}
				}
				if err := tx.SaveCrystal(ctx, after); err != nil {
					return err
				}
				if after.Lifecycle != c.Lifecycle {
					if err := tx.Leave(ctx, store.Trace{Crystal: id, What: traceUsed, Detail: string(after.Lifecycle)}); err != nil {
						return err
					}
				}
				used++
			}
			return nil
		})
		return used, err
	},
}
