package text

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store/db"
)

// longestEntity is how many bytes a name or a type may have.
const longestEntity = 800

// CheckNames refuses names and types of the knowledge graph that are too long.
func CheckNames(names ...string) error {
	for _, n := range names {
		if len(n) > longestEntity {
			return fmt.Errorf("%.60q…: a name of more than %d bytes: %w", n, longestEntity, memory.ErrInvalid)
		}
	}
	return nil
}

// Entities are by their names; the text is their type.
var Entities = Noun[memory.Entity]{
	Kind: memory.KindEntity,
	Into: func(e *memory.Entity, m *memory.Memory) {
		m.Project, m.Name, m.Text, m.Origin, m.SaidAt = e.Project, e.Name, e.Type, e.Origin, e.CreatedAt
		*e = memory.Entity{}
	},
	From: func(e *memory.Entity, m memory.Memory) {
		*e = memory.Entity{Project: m.Project, Name: m.Name, Type: m.Text, Origin: m.Origin, CreatedAt: m.SaidAt}
	},
}

// Observations are about their entities.
var Observations = Noun[memory.Observation]{
	Kind: memory.KindObservation,
	Into: func(o *memory.Observation, m *memory.Memory) {
		m.Project, m.Name, m.Text, m.Origin, m.Importance, m.SaidAt, m.ValidTo = o.Project, o.Entity, o.Text, o.Origin, o.Confidence, o.SaidAt, o.ValidTo
		*o = memory.Observation{}
	},
	From: func(o *memory.Observation, m memory.Memory) {
		*o = memory.Observation{Project: m.Project, Entity: m.Name, Text: m.Text, Origin: m.Origin, Confidence: m.Importance, SaidAt: m.SaidAt, ValidTo: m.ValidTo}
	},
}

// Relations are about the entity that they begin at; their parent is the one that they end at.
var Relations = Noun[memory.Relation]{
	Kind: memory.KindRelation,
	Into: func(r *memory.Relation, m *memory.Memory) {
		m.Project, m.Name, m.Text, m.Source, m.SaidAt = r.Project, r.From, r.Type, r.To, r.CreatedAt
		*r = memory.Relation{}
	},
	From: func(r *memory.Relation, m memory.Memory) {
		*r = memory.Relation{Project: m.Project, From: m.Name, Type: m.Text, To: m.Source, CreatedAt: m.SaidAt}
	},
}

// EntityGrave, ObservationGrave and RelationGrave name the tombstones of what was deleted from the graph.
func EntityGrave(project memory.ProjectID, name string) memory.EventID {
	return memory.EventID(memory.EntityID(project, name))
}

// ObservationGrave names the tombstone of one thing said of an entity.
func ObservationGrave(project memory.ProjectID, entity, text string) memory.EventID {
	return memory.EventID(memory.DerivedID(memory.KindObservation, project, entity, text))
}

// RelationGrave names the tombstone of a relation.
func RelationGrave(r memory.Relation) memory.EventID {
	return memory.EventID(memory.DerivedID(memory.KindRelation, r.Project, r.From, r.Type, r.To))
}

// SaveEntity writes an entity without its observations. One that exists only gets a type if it has none. A tombstone does not prevent
// it: ask Forgotten first.
func (tx *Tx) SaveEntity(ctx context.Context, e memory.Entity) (added bool, err error) {
	if err := CheckNames(e.Name); err != nil {
		return false, fmt.Errorf("entity %w", err)
	}
	e.Origin = cmp.Or(e.Origin, memory.OriginImport)
	if added, err = add(ctx, tx, Entities, e); err != nil || added || e.Type == "" {
		return added, err
	}
	known, err := tx.Crystal(ctx, memory.EntityID(e.Project, e.Name))
	if err != nil || known.Text != "" {
		return false, err
	}
	known.Text = e.Type
	return true, tx.Keep(ctx, known.Crystal)
}

// add keeps what is new: who says again what was forgotten means it.
func add[T any](ctx context.Context, tx *Tx, n Noun[T], v T) (bool, error) {
	m, err := n.Memory(v)
	known, failed := tx.Has(ctx, m.ID)
	if err = errors.Join(err, failed); err != nil || known {
		return false, err
	}
	return true, tx.Keep(ctx, m)
}

// gone says whether there was anything to delete.
func gone(err error) (bool, error) {
	if errors.Is(err, memory.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// DeleteEntity removes an entity with its observations and relations, and leaves a tombstone.
func (tx *Tx) DeleteEntity(ctx context.Context, project memory.ProjectID, name string) (bool, error) {
	return gone(tx.Drop(ctx, memory.EntityID(project, name)))
}

// Observe adds an observation to an entity, and says whether it is new. Without the entity it is memory.ErrNotFound.
func (tx *Tx) Observe(ctx context.Context, project memory.ProjectID, entity string, o memory.Observation) (bool, error) {
	if err := tx.needEntity(ctx, project, entity); err != nil {
		return false, err
	}
	o.Project, o.Entity = project, entity
	return add(ctx, tx, Observations, o)
}

func (tx *Tx) needEntity(ctx context.Context, project memory.ProjectID, names ...string) error {
	for _, name := range names {
		known, err := tx.HasEntity(ctx, project, name)
		if err == nil && !known {
			err = fmt.Errorf("entity %q: %w", name, memory.ErrNotFound)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Unobserve removes an observation.
func (tx *Tx) Unobserve(ctx context.Context, project memory.ProjectID, entity, text string) (bool, error) {
	return gone(tx.Drop(ctx, memory.CrystalID(ObservationGrave(project, entity, text))))
}

// Relate adds a relation, and says whether it is new. Without one of its ends it is memory.ErrNotFound.
func (tx *Tx) Relate(ctx context.Context, r memory.Relation) (bool, error) {
	if err := errors.Join(CheckNames(r.Type), tx.needEntity(ctx, r.Project, r.From, r.To)); err != nil {
		return false, fmt.Errorf("relation: %w", err)
	}
	return add(ctx, tx, Relations, r)
}

// Unrelate removes a relation.
func (tx *Tx) Unrelate(ctx context.Context, r memory.Relation) (bool, error) {
	return gone(tx.Drop(ctx, memory.CrystalID(RelationGrave(r))))
}

// Entities returns the entities of a project with their observations, by name.
func (tx *Tx) Entities(ctx context.Context, project memory.ProjectID) ([]memory.Entity, error) {
	found, err := tx.Memories(ctx, CrystalFilter{Projects: []memory.ProjectID{project}, Kinds: []memory.CrystalKind{memory.KindEntity, memory.KindObservation}, Bare: true})
	return entitiesOf(found), db.Wrap(err, "entities")
}

// Entity returns one entity with its observations.
func (tx *Tx) Entity(ctx context.Context, project memory.ProjectID, name string) (memory.Entity, error) {
	id := memory.EntityID(project, name)
	e, err := tx.Crystal(ctx, id)
	if err != nil {
		return memory.Entity{}, fmt.Errorf("entity %q: %w", name, err)
	}
	found, err := tx.Memories(ctx, CrystalFilter{Kinds: []memory.CrystalKind{memory.KindObservation}, Subject: string(id), Bare: true})
	if err != nil {
		return memory.Entity{}, fmt.Errorf("entity %q: %w", name, err)
	}
	return entitiesOf(append(found, e))[0], nil
}

// entitiesOf are the entities among some memories, with the observations among them.
func entitiesOf(found []Kept) (list []memory.Entity) {
	said := map[string][]memory.Observation{}
	for _, m := range found {
		if m.Kind == memory.KindObservation {
			said[m.Subject] = append(said[m.Subject], memory.Observation{Text: m.Text, Origin: m.Origin, Confidence: m.Importance, SaidAt: m.SaidAt, ValidTo: m.ValidTo})
		}
	}
	for _, m := range found {
		if m.Kind == memory.KindEntity {
			observations := append([]memory.Observation{}, said[string(m.ID)]...)
			slices.SortFunc(observations, func(a, b memory.Observation) int {
				return cmp.Or(a.SaidAt.Compare(b.SaidAt), strings.Compare(a.Text, b.Text))
			})
			list = append(list, memory.Entity{Project: m.Project, Name: m.Name, Type: m.Text, Origin: m.Origin, CreatedAt: m.SaidAt, Observations: observations})
		}
	}
	slices.SortFunc(list, func(a, b memory.Entity) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// Relations returns the relations of a project.
func (tx *Tx) Relations(ctx context.Context, project memory.ProjectID) ([]memory.Relation, error) {
	list, err := Relations.All(ctx, tx, CrystalFilter{Projects: []memory.ProjectID{project}})
	slices.SortFunc(list, func(a, b memory.Relation) int {
		return cmp.Or(strings.Compare(a.From, b.From), strings.Compare(a.Type, b.Type), strings.Compare(a.To, b.To))
	})
	return list, err
}

// KnowledgeProjects returns the projects that have entities; 0 is the person's own.
func (tx *Tx) KnowledgeProjects(ctx context.Context) ([]memory.ProjectID, error) {
	return db.All[memory.ProjectID](ctx, tx.db, `SELECT DISTINCT project_id FROM memory WHERE kind = ? ORDER BY project_id`, []any{string(memory.KindEntity)}, db.Column)
}

// HasEntity reports whether an entity is there.
func (tx *Tx) HasEntity(ctx context.Context, project memory.ProjectID, name string) (bool, error) {
	return tx.Has(ctx, memory.EntityID(project, name))
}

// Grown counts what makes a memory grow.
type Grown struct{ Sessions, Entities, Relations, Observations, Pins, Notes int }

// CountKnowledge counts it in all projects. Sessions only ever grow: what goes from the shelves still counts.
func (tx *Tx) CountKnowledge(ctx context.Context) (g Grown, err error) {
	if g.Sessions, err = db.Value[int](ctx, tx.db, `SELECT COALESCE(SUM(clock), 0) FROM project`); err != nil {
		return g, fmt.Errorf("count sessions: %w", err)
	}
	counts, err := db.Map[memory.CrystalKind, int](ctx, tx.db, `SELECT kind, COUNT(*) FROM memory WHERE kind IN ('`+string(memory.KindEntity)+`', '`+
		string(memory.KindRelation)+`', '`+string(memory.KindObservation)+`', '`+string(memory.KindPin)+`') OR kind = '`+string(memory.KindNote)+`' AND lifecycle = '`+
		string(memory.Generated)+`' GROUP BY kind`, nil, db.Column)
	g.Entities, g.Relations, g.Observations = counts[memory.KindEntity], counts[memory.KindRelation], counts[memory.KindObservation]
	g.Pins, g.Notes = counts[memory.KindPin], counts[memory.KindNote]
	return g, db.Wrap(err, "count what is known")
}
