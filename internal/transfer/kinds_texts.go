package transfer

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/texts"
	"github.com/hebb-memory/hebb/internal/vocab"
)

// writtenCrystal is a crystal with what happened to it.
type writtenCrystal struct {
	memory.Crystal
	Traces []store.Trace `json:"traces,omitempty"`
}

func (c writtenCrystal) weight() int { return 4 + len(c.Traces)/4 }

var crystals = &kind[writtenCrystal]{
	name:  "crystal",
	count: func(out *TransferResult) *int { return &out.Crystals },
	each: func(ctx context.Context, e *exporter, write func(writtenCrystal) error) error {
		return e.tx.EachCrystal(ctx, func(c memory.Crystal, traces []store.Trace) error { return write(writtenCrystal{c, traces}) })
	},
	project: func(c *writtenCrystal) *memory.ProjectID { return &c.Project },
	move:    func(m *projectMove, c *writtenCrystal) bool { c.Session = m.sessions[c.Session]; return true },
	clean:   (*importer).cleanCrystal,
	check:   (*importer).checkCrystal,
	take:    (*importer).takeCrystal,
}

func (t *importer) cleanCrystal(c *writtenCrystal) {
	if !t.mine {
		c.Origin = memory.OriginImport
		if c.Lifecycle == memory.Frozen {
			c.Lifecycle = memory.Generated // only a person here decides what is never forgotten
		}
	}
	c.Text = strings.TrimSpace(scrub.Clean(c.Text))
	cleanLines(&c.Subject, &c.Source)
	c.Marks = statements.GoodMarks(c.Marks)
	c.SaidAt, c.LastAt, c.ValidTo = t.moment(c.SaidAt), t.moment(c.LastAt), t.moment(c.ValidTo)
	for i, a := range c.Anchors {
		c.Anchors[i] = memory.Anchor{Path: statements.ScrubbedPath(a.Path), Symbol: oneLine(a.Symbol), Commit: oneLine(a.Commit), Hash: a.Hash, AtHand: a.AtHand}
	}
	for i := range c.Traces {
		trace := &c.Traces[i]
		trace.Crystal, trace.At = c.ID, t.moment(trace.At)
		cleanLines(&trace.What, &trace.Detail)
	}
}

// checkCrystal refuses a crystal that hebb itself would not make.
func (t *importer) checkCrystal(_ context.Context, c writtenCrystal) error {
	if _, err := memory.ParseEventID(string(c.ID)); err != nil {
		return fmt.Errorf("crystal: %w", err)
	}
	for _, part := range []struct {
		wrong bool
		what  string
	}{
		{c.Text == "", "no text"}, {c.SaidAt.IsZero(), "no time"}, {!slices.Contains(memory.CrystalKinds, c.Kind), fmt.Sprintf("kind %q", c.Kind)},
		{!slices.Contains(memory.Lifecycles, c.Lifecycle), fmt.Sprintf("lifecycle %q", c.Lifecycle)},
		{!slices.Contains(memory.Origins, c.Origin), fmt.Sprintf("origin %q", c.Origin)},
		{c.Importance < 0 || c.Importance > 1, fmt.Sprintf("importance %g", c.Importance)},
		{c.Heard < 0 || c.Heard > 1, fmt.Sprintf("heard %g", c.Heard)},
		{c.Valence < -1 || c.Valence > 1, fmt.Sprintf("valence %g", c.Valence)},
		{c.Accesses < 0 || c.GapHours < 0, "a negative count of uses"},
		{slices.ContainsFunc(c.Anchors, func(a memory.Anchor) bool { return a.Path == "" || len(a.Path) > record.LongestName }), "an anchor without a path, or with too long a one"},
		{slices.ContainsFunc(c.Traces, func(t store.Trace) bool { return t.What == "" || t.At.IsZero() }), "a trace needs what happened and when"},
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

// takeCrystal stores a new crystal. One that is known, or was deleted here, stays as it is.
func (t *importer) takeCrystal(ctx context.Context, c writtenCrystal) error {
	if deleted, err := t.tx.Known(ctx, memory.EventID(c.ID)); err != nil || deleted {
		return t.known(err)
	}
	if _, err := t.tx.Crystal(ctx, c.ID); !brain.IsNotFound(err) {
		return t.known(err)
	}
	words := vocab.TextWords(c.Text)
	document, err := t.tx.AddCrystal(ctx, c.Crystal, words)
	if err != nil {
		return err
	}
	err = t.tx.SetVectors(ctx, texts.GeneralModel, []store.DocumentVector{{Document: document, Project: c.Project, Vector: texts.VectorOf(words)}})
	if err != nil {
		return err
	}
	for _, trace := range c.Traces {
		if err := t.tx.Leave(ctx, trace); err != nil {
			return err
		}
	}
	return nil
}

// writtenEntity and writtenRelation also say where they belong and since when.
type writtenEntity struct {
	Project memory.ProjectID `json:"project,omitzero"`
	memory.Entity
	CreatedAt time.Time `json:"created_at"`
}

func (e writtenEntity) weight() int { return 2 + len(e.Observations) }

type writtenRelation struct {
	Project memory.ProjectID `json:"project,omitzero"`
	memory.Relation
	CreatedAt time.Time `json:"created_at"`
}

var entities = &kind[writtenEntity]{
	name:  "entity",
	count: func(out *TransferResult) *int { return &out.Entities },
	each: listByProject((*store.Tx).Entities, func(id memory.ProjectID, e memory.Entity) (writtenEntity, bool) {
		return writtenEntity{id, e, e.CreatedAt}, true
	}),
	project: func(e *writtenEntity) *memory.ProjectID { return &e.Project },
	clean: func(t *importer, e *writtenEntity) {
		clean := texts.CleanEntity(texts.Entity{Name: e.Name, Type: e.Type})
		e.Name, e.Type, e.Origin, e.CreatedAt = clean.Name, clean.Type, t.origin(e.Origin), t.moment(e.CreatedAt)
		for i := range e.Observations {
			o := &e.Observations[i]
			o.Text, o.SaidAt, o.ValidTo = strings.TrimSpace(scrub.Clean(o.Text)), t.moment(o.SaidAt), t.moment(o.ValidTo)
			if !t.mine {
				o.Origin = memory.OriginImport
			}
		}
	},
	check: func(t *importer, _ context.Context, e writtenEntity) error {
		if e.Name == "" {
			return fmt.Errorf("an entity needs a name: %w", memory.ErrInvalid)
		}
		if err := store.CheckNames(e.Name); err != nil {
			return fmt.Errorf("entity %w", err)
		}
		t.entities[store.EntityGrave(e.Project, e.Name)] = true
		for _, o := range e.Observations {
			if o.Text == "" || !slices.Contains(memory.Origins, o.Origin) || o.Confidence < 0 || o.Confidence > 1 {
				return fmt.Errorf("entity %q: an observation without text, known origin or confidence between 0 and 1: %w", e.Name, memory.ErrInvalid)
			}
		}
		return nil
	},
	take: (*importer).takeEntity,
}

func (t *importer) takeEntity(ctx context.Context, e writtenEntity) error {
	if gone, err := t.tx.Forgotten(ctx, store.EntityGrave(e.Project, e.Name)); err != nil || gone {
		return t.known(err)
	}
	changed, err := t.tx.SaveEntity(ctx, memory.Entity{Project: e.Project, Name: e.Name, Type: e.Type, Origin: e.Origin, CreatedAt: e.CreatedAt})
	if err != nil {
		return err
	}
	for _, o := range e.Observations {
		if gone, err := t.tx.Forgotten(ctx, store.ObservationGrave(e.Project, e.Name, o.Text)); err != nil {
			return err
		} else if gone {
			continue
		}
		added, err := t.tx.Observe(ctx, e.Project, e.Name, o)
		if err != nil {
			return err
		}
		changed = changed || added
	}
	if !changed {
		return t.known(nil)
	}
	t.graph(e.Project).Touched[e.Name] = true
	return nil
}

var relations = &kind[writtenRelation]{
	name:  "relation",
	count: func(out *TransferResult) *int { return &out.Relations },
	each: listByProject((*store.Tx).Relations, func(id memory.ProjectID, r memory.Relation) (writtenRelation, bool) {
		return writtenRelation{id, r, r.CreatedAt}, true
	}),
	project: func(r *writtenRelation) *memory.ProjectID { return &r.Project },
	check: func(t *importer, ctx context.Context, r writtenRelation) error {
		if err := store.CheckNames(r.Type); err != nil {
			return fmt.Errorf("relation: %w", err)
		}
		for _, end := range []string{texts.EntityName(r.From), texts.EntityName(r.To)} {
			known, err := t.tx.HasEntity(ctx, r.Project, end)
			if err != nil {
				return err
			}
			if !known && !t.entities[store.EntityGrave(r.Project, end)] {
				return fmt.Errorf("relation: entity %q: %w", end, memory.ErrNotFound)
			}
		}
		return nil
	},
	take: (*importer).takeRelation,
}

func (t *importer) takeRelation(ctx context.Context, text writtenRelation) error {
	r := t.graph(text.Project).Relation(text.Relation)
	r.CreatedAt = t.moment(text.CreatedAt)
	if gone, err := t.graph(text.Project).Deleted(ctx, r); err != nil || gone {
		return t.known(err)
	}
	if added, err := t.tx.Relate(ctx, r); err != nil || !added {
		return t.known(err)
	}
	return nil
}

// graph collects the knowledge of a project that changes, which is indexed at the end of the batch.
func (t *importer) graph(id memory.ProjectID) *texts.GraphChange {
	if t.graphs[id] == nil {
		t.graphs[id] = &texts.GraphChange{Tx: t.tx, Project: id, Touched: map[string]bool{}}
	}
	return t.graphs[id]
}
