package transfer

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/knowledge"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/texts"
)

// writtenCrystal is a crystal with what happened to it.
type writtenCrystal struct {
	memory.Crystal
	Traces []store.Trace `json:"traces,omitempty"`
}

// writtenEntity and writtenRelation also say where they belong and since when.
type writtenEntity struct {
	Project memory.ProjectID `json:"project,omitzero"`
	memory.Entity
	CreatedAt time.Time `json:"created_at"`
}

type writtenRelation struct {
	Project memory.ProjectID `json:"project,omitzero"`
	memory.Relation
	CreatedAt time.Time `json:"created_at"`
}

// formatOf is the oldest version that has lines for all that a store knows: whoever reads no texts can still read the rest.
func formatOf(ctx context.Context, b *brain.Brain, tx *store.Tx) (int, error) {
	crystals, err := tx.Crystals(ctx, store.CrystalFilter{Limit: 1})
	if err != nil {
		return 0, err
	}
	known, err := tx.KnowledgeProjects(ctx)
	if err != nil {
		return 0, err
	}
	mind, err := anyMind(ctx, b, tx)
	switch {
	case mind:
		return transferVersion, err
	case len(crystals)+len(known) > 0:
		return 2, err
	}
	return 1, err
}

// exportTexts writes what was said and what is known. Other texts are made again from the events and the code.
func exportTexts(ctx context.Context, tx *store.Tx, encoder *json.Encoder, out *TransferResult) error {
	err := tx.EachCrystal(ctx, func(c memory.Crystal, traces []store.Trace) error {
		out.Crystals++
		return encoder.Encode(line{Type: crystalLine, Crystal: &writtenCrystal{c, traces}})
	})
	if err != nil {
		return err
	}
	projects, err := tx.KnowledgeProjects(ctx)
	if err != nil {
		return err
	}
	for _, id := range projects {
		entities, err := tx.Entities(ctx, id)
		if err != nil {
			return err
		}
		for _, e := range entities {
			out.Entities++
			if err := encoder.Encode(line{Type: entityLine, Entity: &writtenEntity{id, e, e.CreatedAt}}); err != nil {
				return err
			}
		}
		relations, err := tx.Relations(ctx, id)
		if err != nil {
			return err
		}
		for _, r := range relations {
			out.Relations++
			if err := encoder.Encode(line{Type: relationLine, Relation: &writtenRelation{id, r, r.CreatedAt}}); err != nil {
				return err
			}
		}
	}
	return nil
}

// crystal takes a new crystal in. One that is known, or was deleted here, stays as it is.
func (t *taker) crystal(ctx context.Context, text writtenCrystal) error {
	c := text.Crystal
	t.out.Crystals++
	deleted, err := t.tx.Known(ctx, memory.EventID(c.ID))
	if err != nil {
		return err
	}
	if _, err := t.tx.Crystal(ctx, c.ID); deleted || err == nil {
		t.out.Known++
		return nil
	} else if !brain.IsNotFound(err) {
		return err
	}
	if !t.mine {
		c.Origin = memory.OriginImport
		if c.Lifecycle == memory.Frozen {
			c.Lifecycle = memory.Generated // what never goes is for a person here to say
		}
	}
	c = cleanCrystal(c, t.tx.Now)
	words := recall.TextWords(c.Text)
	document, err := t.tx.AddCrystal(ctx, c, words)
	if err != nil {
		return err
	}
	err = t.tx.SetMeanings(ctx, texts.GeneralSpace, []store.Meaning{{Document: document, Project: c.Project, Vector: texts.DirectionOf(words)}})
	if err != nil {
		return err
	}
	for _, trace := range text.Traces {
		trace.Crystal, trace.At = c.ID, momentOf(trace.At, t.tx.Now)
		trace.What, trace.Detail = scrub.Line(scrub.Clean(trace.What)), scrub.Line(scrub.Clean(trace.Detail))
		if err := t.tx.Leave(ctx, trace); err != nil {
			return err
		}
	}
	return nil
}

func momentOf(at, now time.Time) time.Time { return notAfter(at.UTC().Truncate(time.Millisecond), now) }

func cleanCrystal(c memory.Crystal, now time.Time) memory.Crystal {
	line := func(text string) string { return scrub.Line(scrub.Clean(text)) }
	c.Text, c.Subject, c.Source = strings.TrimSpace(scrub.Clean(c.Text)), line(c.Subject), line(c.Source)
	c.SaidAt, c.LastAt = momentOf(c.SaidAt, now), momentOf(c.LastAt, now)
	if !c.ValidTo.IsZero() {
		c.ValidTo = momentOf(c.ValidTo, now)
	}
	c.Anchors = slices.Clone(c.Anchors)
	for i, a := range c.Anchors {
		c.Anchors[i] = memory.Anchor{Path: texts.ScrubbedPath(a.Path), Symbol: line(a.Symbol), Commit: line(a.Commit), Hash: a.Hash}
	}
	return c
}

func nowhere(a memory.Anchor) bool { return a.Path == "" || len(a.Path) > record.LongestName }

// checkCrystal refuses a crystal that no door of ours would make.
func checkCrystal(c memory.Crystal) error {
	for _, part := range []struct {
		wrong bool
		what  string
	}{
		{c.Text == "", "no text"}, {c.SaidAt.IsZero(), "no time"}, {!slices.Contains(memory.CrystalKinds, c.Kind), fmt.Sprintf("kind %q", c.Kind)},
		{!slices.Contains(memory.Lifecycles, c.Lifecycle), fmt.Sprintf("lifecycle %q", c.Lifecycle)},
		{!slices.Contains(memory.Origins, c.Origin), fmt.Sprintf("origin %q", c.Origin)},
		{c.Importance < 0 || c.Importance > 1, fmt.Sprintf("importance %g", c.Importance)},
		{c.Valence < -1 || c.Valence > 1, fmt.Sprintf("valence %g", c.Valence)},
		{c.Accesses < 0 || c.GapHours < 0, "less than no use"},
		{slices.ContainsFunc(c.Anchors, nowhere), "an anchor without a path, or with too long a one"},
	} {
		if part.wrong {
			return fmt.Errorf("crystal %s: %s: %w", c.ID, part.what, memory.ErrInvalid)
		}
	}
	for _, id := range c.Parents {
		if _, err := memory.ParseEventID(string(id)); err != nil {
			return fmt.Errorf("crystal %s: parent: %w", c.ID, err)
		}
	}
	return nil
}

// knows refuses a project that neither the file nor this store knows; 0 is the person's own.
func (t *taker) knows(ctx context.Context, id memory.ProjectID) error {
	if id == 0 || t.projects[id] {
		return nil
	}
	_, err := t.tx.Project(ctx, id)
	return err
}

// graph is the knowledge of a project, to be made findable when all lines are in.
func (t *taker) graph(id memory.ProjectID) *knowledge.Change {
	if t.graphs[id] == nil {
		t.graphs[id] = &knowledge.Change{Brain: t.brain, Tx: t.tx, Project: id, Touched: map[string]bool{}}
	}
	return t.graphs[id]
}

func (t *taker) entity(ctx context.Context, text writtenEntity) error {
	t.out.Entities++
	clean := knowledge.CleanEntity(knowledge.Entity{Name: text.Name, Type: text.Type})
	if gone, err := t.tx.Forgotten(ctx, store.EntityGrave(text.Project, clean.Name)); err != nil || gone {
		t.out.Known++ // and deleted here
		return err
	}
	origin := text.Origin
	if !t.mine || !slices.Contains(memory.Origins, origin) { // exports of old have none
		origin = memory.OriginImport
	}
	changed, err := t.tx.SaveEntity(ctx, memory.Entity{
		Project: text.Project, Name: clean.Name, Type: clean.Type, Origin: origin, CreatedAt: momentOf(text.CreatedAt, t.tx.Now),
	})
	if err != nil {
		return err
	}
	for _, o := range text.Observations {
		o.Text, o.SaidAt = strings.TrimSpace(scrub.Clean(o.Text)), momentOf(o.SaidAt, t.tx.Now)
		if !t.mine {
			o.Origin = memory.OriginImport
		}
		if !o.ValidTo.IsZero() {
			o.ValidTo = momentOf(o.ValidTo, t.tx.Now)
		}
		gone, err := t.tx.Forgotten(ctx, store.ObservationGrave(text.Project, clean.Name, o.Text))
		if err != nil {
			return err
		}
		if gone {
			continue
		}
		added, err := t.tx.Observe(ctx, text.Project, clean.Name, o)
		if err != nil {
			return err
		}
		changed = changed || added
	}
	if changed {
		t.graph(text.Project).Touched[clean.Name] = true
	} else {
		t.out.Known++
	}
	return nil
}

func (t *taker) relation(ctx context.Context, text writtenRelation) error {
	t.out.Relations++
	r := t.graph(text.Project).Relation(text.Relation)
	r.CreatedAt = momentOf(text.CreatedAt, t.tx.Now)
	if gone, err := t.graph(text.Project).Deleted(ctx, r); err != nil || gone {
		t.out.Known++
		return err
	}
	added, err := t.tx.Relate(ctx, r)
	if err == nil && !added {
		t.out.Known++
	}
	return err
}
