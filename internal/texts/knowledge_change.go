package texts

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/vocab"
)

// EntityText is the kind of the document of an entity.
const EntityText = "entity"

// GraphChange is one change of a graph. Index writes the documents of the entities it touched.
type GraphChange struct {
	Tx      *store.Tx
	Project memory.ProjectID
	Touched map[string]bool
}

// changeGraph changes a graph in one transaction, which may run more than once.
func changeGraph[Out any](ctx context.Context, b *brain.Brain, in GraphInput, do func(*GraphChange) (Out, error)) (out Out, err error) {
	err = record.RecordingIn(ctx, b, in.Scope, in.Everywhere, func(r *record.Recorder, id memory.ProjectID, _ memory.Place) (err error) {
		g := &GraphChange{Tx: r.Tx, Project: id, Touched: map[string]bool{}}
		if out, err = do(g); err != nil {
			return err
		}
		return g.Index(ctx)
	})
	return out, err
}

// create adds an entity, and reports whether it is new.
func (g *GraphChange) create(ctx context.Context, name, kind string, origin memory.Origin) (added bool, err error) {
	added, err = g.Tx.SaveEntity(ctx, memory.Entity{Project: g.Project, Name: name, Type: kind, Origin: sayer(origin), CreatedAt: g.Tx.Now})
	if added {
		g.Touched[name] = true
	}
	return added, err
}

// observe adds observations, and returns those that are new.
func (g *GraphChange) observe(ctx context.Context, entity string, facts []string, origin memory.Origin) ([]string, error) {
	if err := brain.Fits("observation", sayer(origin), facts...); err != nil {
		return nil, err
	}
	g.Touched[entity] = true
	added := []string{}
	for _, text := range facts {
		o := memory.Observation{Text: strings.TrimSpace(scrub.Clean(text)), Origin: sayer(origin), Confidence: 1, SaidAt: g.Tx.Now}
		if o.Text == "" {
			continue
		}
		isNew, err := g.Tx.Observe(ctx, g.Project, entity, o)
		if err != nil {
			return nil, err
		}
		if isNew {
			added = append(added, o.Text)
		}
	}
	return added, nil
}

// knows fails for an entity that does not exist.
func (g *GraphChange) knows(ctx context.Context, name string) error {
	known, err := g.Tx.HasEntity(ctx, g.Project, name)
	if err == nil && !known {
		err = fmt.Errorf("entity %q (hebb graph knowledge lists them, hebb graph knowledge add makes one): %w", name, memory.ErrNotFound)
	}
	return err
}

// mayRemove refuses an agent that would remove what the person said: an entity of theirs or one of which they said something or,
// where observations are given, one of these.
func (g *GraphChange) mayRemove(ctx context.Context, name string, asks memory.Origin, observations ...string) error {
	if brain.ByUser(asks) {
		return nil
	}
	e, err := g.Tx.Entity(ctx, g.Project, name)
	if brain.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	own := len(observations) == 0 && e.Origin == memory.OriginUser
	for _, o := range e.Observations {
		own = own || o.Origin == memory.OriginUser && (len(observations) == 0 || slices.Contains(observations, o.Text))
	}
	if own {
		return brain.PersonsOwn("remove", fmt.Sprintf("what is said of %q", scrub.Line(name)))
	}
	return nil
}

// Relation is a relation as it is stored.
func (g *GraphChange) Relation(r memory.Relation) memory.Relation {
	return memory.Relation{Project: g.Project, From: EntityName(r.From), To: EntityName(r.To), Type: EntityName(r.Type), CreatedAt: g.Tx.Now}
}

// Take keeps an entity, an observation or a relation from elsewhere, unless it or an entity that it is about was deleted here on purpose, and
// reports whether it is new. Without such an entity it is memory.ErrNotFound.
func (g *GraphChange) Take(ctx context.Context, m memory.Memory) (added bool, err error) {
	for _, id := range append([]memory.CrystalID{m.ID, memory.CrystalID(m.Subject)}, m.Parents...) {
		if gone, err := g.Tx.Forgotten(ctx, memory.EventID(id)); err != nil || gone {
			return false, err
		}
	}
	switch m.Kind {
	case memory.KindEntity:
		e, _ := store.Entities.Of(m) // it has nothing that could not be read
		added, err = g.Tx.SaveEntity(ctx, e)
	case memory.KindObservation:
		o, _ := store.Observations.Of(m)
		added, err = g.Tx.Observe(ctx, g.Project, m.Name, o)
	default:
		r, _ := store.Relations.Of(m)
		return g.Tx.Relate(ctx, r)
	}
	if added {
		g.Touched[m.Name] = true
	}
	return added, err
}

// Import keeps an entity of another tool, with what is said of it.
func (g *GraphChange) Import(ctx context.Context, e memory.Entity) error {
	e.Project, e.Name, e.Type, e.Origin = g.Project, EntityName(e.Name), EntityName(e.Type), memory.OriginImport
	if e.CreatedAt.IsZero() {
		e.CreatedAt = g.Tx.Now
	}
	m, err := store.Entities.Memory(e)
	if err == nil && e.Name != "" {
		_, err = g.Take(ctx, m)
	}
	for _, o := range e.Observations {
		o.Project, o.Entity, o.Text, o.Origin = g.Project, e.Name, strings.TrimSpace(scrub.Clean(o.Text)), memory.OriginImport
		if o.SaidAt.IsZero() {
			o.SaidAt = g.Tx.Now
		}
		if m, failed := store.Observations.Memory(o); err == nil && o.Text != "" && e.Name != "" {
			_, err = g.Take(ctx, m)
			err = errors.Join(failed, err)
		}
	}
	return err
}

// Index writes the documents of the touched entities as they are now.
func (g *GraphChange) Index(ctx context.Context) error {
	var docs []store.Document
	for _, name := range slices.Sorted(maps.Keys(g.Touched)) {
		e, err := g.Tx.Entity(ctx, g.Project, name)
		if err == nil {
			docs = append(docs, entityDocument(e, g.Project))
			continue
		}
		if !brain.IsNotFound(err) {
			return err
		}
		gone, err := g.Tx.DocumentsByRef(ctx, entityRef(g.Project, name))
		if err != nil {
			return err
		}
		for _, d := range gone {
			if err := g.Tx.DeleteDocuments(ctx, d.ID); err != nil {
				return err
			}
		}
	}
	_, err := AddDocuments(ctx, g.Tx, docs)
	return err
}

func entityDocument(e memory.Entity, id memory.ProjectID) store.Document {
	d := store.Document{
		Ref: entityRef(id, e.Name), Project: id, Kind: EntityText, Origin: e.Origin, At: e.CreatedAt, Title: e.Name, Text: entityText(e),
	}
	for _, o := range e.Observations { // what is derived takes the lowest tier of its sources
		if o.Origin.Tier() > d.Origin.Tier() {
			d.Origin = o.Origin
		}
	}
	d.Words = vocab.TextWords(d.Text)
	return d
}

func entityRef(id memory.ProjectID, name string) string { return "entity:" + id.String() + ":" + name }

func entityText(e memory.Entity) string {
	title := e.Name
	if e.Type != "" {
		title += " (" + e.Type + ")"
	}
	return strings.Join(append([]string{title}, known(e).Observations...), "\n")
}
