package text

import (
	"cmp"
	"context"
	"errors"
	"fmt"

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

// SaveEntity writes an entity without its observations. One that exists only gets a type if it has none. A tombstone does not prevent
// it: ask Forgotten first.
func (tx *Tx) SaveEntity(ctx context.Context, e memory.Entity) (added bool, err error) {
	if err := CheckNames(e.Name); err != nil {
		return false, fmt.Errorf("entity %w", err)
	}
	n, err := tx.db.Exec(ctx, `INSERT INTO entity (project_id, name, type, origin, created_at) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (project_id, name) DO UPDATE SET type = excluded.type WHERE entity.type = '' AND excluded.type <> ''`, int64(e.Project), e.Name, e.Type, string(cmp.Or(e.Origin, memory.OriginImport)), db.Millis(e.CreatedAt))
	if err = tx.db.Rehashed(ctx, err, checkedEntity, `project_id = ? AND name = ?`, int64(e.Project), e.Name); err != nil {
		return false, fmt.Errorf("entity %q: %w", e.Name, err)
	}
	return n > 0, tx.Unbury(ctx, n, EntityGrave(e.Project, e.Name))
}

// EntityGrave, ObservationGrave and RelationGrave name the tombstones of what was deleted from the graph, so that no export
// brings it back.
func EntityGrave(project memory.ProjectID, name string) memory.EventID {
	return memory.DerivedEventID("entity", project.String(), name)
}

// ObservationGrave names the tombstone of one thing said of an entity.
func ObservationGrave(project memory.ProjectID, entity, text string) memory.EventID {
	return memory.DerivedEventID("observation", project.String(), entity, text)
}

// RelationGrave names the tombstone of a relation.
func RelationGrave(r memory.Relation) memory.EventID {
	return memory.DerivedEventID("relation", r.Project.String(), r.From, r.Type, r.To)
}

// DropKnowledge removes entities of a project, up to a number.
func (tx *Tx) DropKnowledge(ctx context.Context, project memory.ProjectID, most int) (n int64, err error) {
	var names []string
	if err := tx.db.Each(ctx, `SELECT name FROM entity WHERE project_id = ? ORDER BY name LIMIT ?`,
		[]any{int64(project), most}, db.Collect(&names, db.Column)); err != nil {
		return 0, err
	}
	for _, name := range names {
		if _, err := tx.DeleteEntity(ctx, project, name); err != nil {
			return 0, err
		}
	}
	return int64(len(names)), nil
}

// DeleteEntity removes an entity with its observations and relations, and leaves a tombstone.
func (tx *Tx) DeleteEntity(ctx context.Context, project memory.ProjectID, name string) (bool, error) {
	n, err := tx.db.Exec(ctx, `DELETE FROM entity WHERE project_id = ? AND name = ?`, int64(project), name)
	if err != nil {
		return false, fmt.Errorf("entity %q: %w", name, err)
	}
	return n > 0, tx.bury(ctx, n, EntityGrave(project, name))
}

// Observe adds an observation to an entity, and says whether it is new. Without the entity it is memory.ErrNotFound.
func (tx *Tx) Observe(ctx context.Context, project memory.ProjectID, entity string, o memory.Observation) (bool, error) {
	if err := tx.needEntity(ctx, project, entity); err != nil {
		return false, err
	}
	n, err := tx.db.Insert(ctx, checkedObservation, int64(project), entity, observationHash(o.Text), o.Text, string(o.Origin), o.Confidence, db.Millis(o.SaidAt),
		db.TimeOrNull(o.ValidTo))
	if err != nil {
		return false, fmt.Errorf("observation of %q: %w", entity, err)
	}
	return n > 0, tx.Unbury(ctx, n, ObservationGrave(project, entity, o.Text))
}

func observationHash(text string) int64 { return memory.ContentHash("observation", text) }

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
	n, err := tx.db.Exec(ctx, `DELETE FROM observation WHERE project_id = ? AND entity = ? AND hash = ?`, int64(project), entity, observationHash(text))
	if err != nil {
		return false, fmt.Errorf("observation of %q: %w", entity, err)
	}
	return n > 0, tx.bury(ctx, n, ObservationGrave(project, entity, text))
}

// Relate adds a relation, and says whether it is new. Without one of its ends it is memory.ErrNotFound.
func (tx *Tx) Relate(ctx context.Context, r memory.Relation) (bool, error) {
	if err := errors.Join(CheckNames(r.Type), tx.needEntity(ctx, r.Project, r.From, r.To)); err != nil {
		return false, fmt.Errorf("relation: %w", err)
	}
	n, err := tx.db.Insert(ctx, checkedRelation, int64(r.Project), r.From, r.Type, r.To, db.Millis(r.CreatedAt))
	if err != nil {
		return false, fmt.Errorf("relation %s → %s: %w", r.From, r.To, err)
	}
	return n > 0, tx.Unbury(ctx, n, RelationGrave(r))
}

// Unrelate removes a relation.
func (tx *Tx) Unrelate(ctx context.Context, r memory.Relation) (bool, error) {
	n, err := tx.db.Exec(ctx, `DELETE FROM relation WHERE project_id = ? AND source = ? AND type = ? AND target = ?`,
		int64(r.Project), r.From, r.Type, r.To)
	if err != nil {
		return false, fmt.Errorf("relation %s → %s: %w", r.From, r.To, err)
	}
	return n > 0, tx.bury(ctx, n, RelationGrave(r))
}

// Entities returns the entities of a project with their observations, by name.
func (tx *Tx) Entities(ctx context.Context, project memory.ProjectID) ([]memory.Entity, error) {
	return tx.entities(ctx, project, ``, ``)
}

// Entity returns one entity with its observations.
func (tx *Tx) Entity(ctx context.Context, project memory.ProjectID, name string) (memory.Entity, error) {
	found, err := tx.entities(ctx, project, ` AND name = ?`, ` AND entity = ?`, name)
	first, err := db.First(found, err)
	return first, db.Wrap(err, "entity %q", name)
}

// entities reads those entities and observations of a project that fulfil a condition.
func (tx *Tx) entities(ctx context.Context, project memory.ProjectID, entity, observation string, names ...string) ([]memory.Entity, error) {
	var found []memory.Entity
	at := map[string]int{}
	args := append([]any{int64(project)}, db.Values(names)...)
	err := tx.db.Each(ctx, `SELECT name, type, origin, created_at FROM entity WHERE project_id = ?`+entity+` ORDER BY name`, args,
		db.ForEach(func(e *memory.Entity) []any { return []any{&e.Name, &e.Type, &e.Origin, db.Time(&e.CreatedAt)} }, func(e memory.Entity) error {
			e.Project, e.Observations = project, []memory.Observation{}
			at[e.Name] = len(found)
			found = append(found, e)
			return nil
		}))
	if err != nil {
		return nil, fmt.Errorf("entities: %w", err)
	}
	var name string
	err = tx.db.Each(ctx, `SELECT entity, text, origin, confidence, said_at, valid_to FROM observation WHERE project_id = ?`+observation+`
		ORDER BY entity, said_at, text`, args, db.ForEach(func(o *memory.Observation) []any {
		return []any{&name, &o.Text, &o.Origin, &o.Confidence, db.Time(&o.SaidAt), db.Time(&o.ValidTo)}
	}, func(o memory.Observation) error {
		e := &found[at[name]]
		e.Observations = append(e.Observations, o)
		return nil
	}))
	return found, db.Wrap(err, "observations")
}

// Relations returns the relations of a project.
func (tx *Tx) Relations(ctx context.Context, project memory.ProjectID) ([]memory.Relation, error) {
	return db.All(ctx, tx.db, `SELECT project_id, source, type, target, created_at FROM relation WHERE project_id = ? ORDER BY source, type, target`,
		[]any{int64(project)}, func(r *memory.Relation) []any {
			return []any{(*int64)(&r.Project), &r.From, &r.Type, &r.To, db.Time(&r.CreatedAt)}
		})
}

// KnowledgeProjects returns the projects that have entities; 0 is the person's own.
func (tx *Tx) KnowledgeProjects(ctx context.Context) ([]memory.ProjectID, error) {
	return db.All[memory.ProjectID](ctx, tx.db, `SELECT DISTINCT project_id FROM entity ORDER BY project_id`, nil, db.Column)
}

// HasEntity reports whether an entity is there.
func (tx *Tx) HasEntity(ctx context.Context, project memory.ProjectID, name string) (bool, error) {
	return tx.db.Any(ctx, `entity WHERE project_id = ? AND name = ?`, int64(project), name)
}

// Grown counts what makes a memory grow.
type Grown struct{ Sessions, Entities, Relations, Observations, Pins, Notes int }

// CountKnowledge counts it in all projects. Sessions only ever grow: what goes from the shelves still counts.
func (tx *Tx) CountKnowledge(ctx context.Context) (g Grown, err error) {
	err = tx.db.One(ctx, `SELECT (SELECT COALESCE(SUM(clock), 0) FROM project), (SELECT COUNT(*) FROM entity), (SELECT COUNT(*) FROM relation),
		(SELECT COUNT(*) FROM observation), (SELECT COUNT(*) FROM fact WHERE name = 'pin'), (SELECT COUNT(*) FROM fact WHERE name = 'note')`, nil,
		&g.Sessions, &g.Entities, &g.Relations, &g.Observations, &g.Pins, &g.Notes)
	return g, db.Wrap(err, "count what is known")
}
