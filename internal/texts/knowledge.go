package texts

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/vocab"
)

// Knowledge is entities and relations in the shape of the reference memory server of the Model Context Protocol: its users find
// what they know.
type Knowledge struct {
	Entities  []Entity          `json:"entities"`
	Relations []memory.Relation `json:"relations"`
}

// Entity is a node of the graph.
type Entity struct {
	Project      memory.ProjectID `json:"-"`
	Name         string           `json:"name"`
	Type         string           `json:"entityType"`
	Observations []string         `json:"observations"`
}

// GraphInput chooses a graph: that of a project or, everywhere, the person's own.
type GraphInput struct {
	brain.Scope
	Everywhere bool `json:"everywhere,omitempty" flag:"everywhere"`
}

// EntitiesInput are entities to add.
type EntitiesInput struct {
	GraphInput
	Entities []Entity      `json:"entities"`
	Origin   memory.Origin `json:"origin,omitempty"` // empty: the user
}

// CreateEntities adds entities and returns those that are new.
var CreateEntities = brain.NeverBusy(brain.Operation[EntitiesInput, []Entity]{
	Name: "create_entities",
	Run: func(ctx context.Context, b *brain.Brain, in EntitiesInput) ([]Entity, error) {
		return changeGraph(ctx, b, in.GraphInput, func(g *GraphChange) ([]Entity, error) {
			created := []Entity{}
			for _, e := range in.Entities {
				e = CleanEntity(e)
				if e.Name == "" {
					return nil, errNoName
				}
				added, err := g.create(ctx, e.Name, e.Type, in.Origin)
				if err != nil {
					return nil, err
				}
				if !added {
					continue
				}
				if e.Observations, err = g.observe(ctx, e.Name, e.Observations, in.Origin); err != nil {
					return nil, err
				}
				created = append(created, e)
			}
			return created, nil
		})
	},
}, func(in EntitiesInput) string {
	var parts []string
	for _, e := range in.Entities {
		parts = append(append(parts, e.Name), e.Observations...)
	}
	return brain.Joined(parts...)
})

var errNoName = fmt.Errorf("an entity needs a name: %w", memory.ErrInvalid)

// RelationsInput are relations to add or remove.
type RelationsInput struct {
	GraphInput
	Relations []memory.Relation `json:"relations"`
	// Anew creates entities for unknown names, without a type, as the reference server does.
	Anew   bool          `json:"anew,omitempty"`
	Origin memory.Origin `json:"origin,omitempty"` // of those; empty: the user
}

// CreateRelations links entities and returns the relations that are new.
var CreateRelations = brain.NeverBusy(brain.Operation[RelationsInput, []memory.Relation]{
	Name: "create_relations",
	Run: func(ctx context.Context, b *brain.Brain, in RelationsInput) ([]memory.Relation, error) {
		return changeGraph(ctx, b, in.GraphInput, func(g *GraphChange) ([]memory.Relation, error) {
			created := []memory.Relation{}
			for _, r := range in.Relations {
				r = g.Relation(r)
				for _, end := range []string{r.From, r.To} {
					var err error
					if in.Anew {
						_, err = g.create(ctx, end, "", in.Origin)
					} else {
						err = g.knows(ctx, end)
					}
					if err != nil {
						return nil, err
					}
				}
				added, err := g.Tx.Relate(ctx, r)
				if err != nil {
					return nil, err
				}
				if added {
					created = append(created, r)
				}
			}
			return created, nil
		})
	},
}, func(in RelationsInput) string {
	var parts []string
	for _, r := range in.Relations {
		parts = append(parts, r.From+" "+r.Type+" "+r.To)
	}
	return brain.Joined(parts...)
})

// ObservationsInput are observations to add or remove.
type ObservationsInput struct {
	GraphInput
	Observations []EntityObservations `json:"observations"`
	Origin       memory.Origin        `json:"origin,omitempty"`
}

// EntityObservations are what is said of one entity.
type EntityObservations struct {
	Entity   string   `json:"entityName"`
	Contents []string `json:"contents"`
}

// AddedObservations are those of them that are new.
type AddedObservations struct {
	Entity string   `json:"entityName"`
	Added  []string `json:"addedObservations"`
}

// AddObservations adds observations to entities and returns what is new.
var AddObservations = brain.NeverBusy(brain.Operation[ObservationsInput, []AddedObservations]{
	Name: "add_observations",
	Run: func(ctx context.Context, b *brain.Brain, in ObservationsInput) ([]AddedObservations, error) {
		return changeGraph(ctx, b, in.GraphInput, func(g *GraphChange) ([]AddedObservations, error) {
			out := []AddedObservations{}
			for _, o := range in.Observations {
				name := EntityName(o.Entity)
				if err := g.knows(ctx, name); err != nil {
					return nil, err
				}
				added, err := g.observe(ctx, name, o.Contents, in.Origin)
				if err != nil {
					return nil, err
				}
				out = append(out, AddedObservations{Entity: name, Added: added})
			}
			return out, nil
		})
	},
}, func(in ObservationsInput) string {
	var parts []string
	for _, o := range in.Observations {
		parts = append(append(parts, o.Entity), o.Contents...)
	}
	return brain.Joined(parts...)
})

// NamesInput names entities.
type NamesInput struct {
	GraphInput
	Names []string `json:"names" arg:"1.."`
	// Origin is who asks; empty: the user. Anybody else removes nothing that the user said.
	Origin memory.Origin `json:"origin,omitempty"`
}

// GraphRemoved counts what was deleted. Deletion leaves tombstones: an import does not bring it back, only saying it again does.
type GraphRemoved struct {
	Removed int `json:"removed"`
	// Warning says what could not be finished.
	Warning string `json:"warning,omitempty"`
}

// removing deletes from the graph, and compacts the store at once so that deleted text does not stay in its file. remove calls
// count with the result of each deletion.
func removing(ctx context.Context, b *brain.Brain, in GraphInput, remove func(g *GraphChange, count func(gone bool, err error) error) error) (GraphRemoved, error) {
	out, err := changeGraph(ctx, b, in, func(g *GraphChange) (out GraphRemoved, err error) {
		err = remove(g, func(gone bool, err error) error {
			if gone && err == nil {
				out.Removed++
			}
			return err
		})
		return out, err
	})
	if err == nil && out.Removed > 0 {
		out.Warning, err = b.Tidy(ctx)
	}
	return out, err
}

// DeleteEntities removes entities with all that is said of them. Deleting what is not there is no error.
var DeleteEntities = brain.NeverBusy(brain.Operation[NamesInput, GraphRemoved]{
	Name: "delete_entities",
	Run: func(ctx context.Context, b *brain.Brain, in NamesInput) (GraphRemoved, error) {
		return removing(ctx, b, in.GraphInput, func(g *GraphChange, count func(bool, error) error) error {
			for _, name := range in.Names {
				name = EntityName(name)
				if err := g.mayRemove(ctx, name, in.Origin); err != nil {
					return err
				}
				if err := count(g.Tx.DeleteEntity(ctx, g.Project, name)); err != nil {
					return err
				}
				g.Touched[name] = true
			}
			return nil
		})
	},
}, nil)

// DeleteObservations removes observations of entities.
var DeleteObservations = brain.NeverBusy(brain.Operation[ObservationsInput, GraphRemoved]{
	Name: "delete_observations",
	Run: func(ctx context.Context, b *brain.Brain, in ObservationsInput) (GraphRemoved, error) {
		return removing(ctx, b, in.GraphInput, func(g *GraphChange, count func(bool, error) error) error {
			for _, o := range in.Observations {
				name := EntityName(o.Entity)
				for _, text := range o.Contents {
					text = strings.TrimSpace(scrub.Clean(text))
					if err := g.mayRemove(ctx, name, in.Origin, text); err != nil {
						return err
					}
					if err := count(g.Tx.Unobserve(ctx, g.Project, name, text)); err != nil {
						return err
					}
				}
				g.Touched[name] = true
			}
			return nil
		})
	},
}, nil)

// DeleteRelations unlinks entities.
var DeleteRelations = brain.NeverBusy(brain.Operation[RelationsInput, GraphRemoved]{
	Name: "delete_relations",
	Run: func(ctx context.Context, b *brain.Brain, in RelationsInput) (GraphRemoved, error) {
		return removing(ctx, b, in.GraphInput, func(g *GraphChange, count func(bool, error) error) error {
			for _, r := range in.Relations {
				if err := count(g.Tx.Unrelate(ctx, g.Relation(r))); err != nil {
					return err
				}
			}
			return nil
		})
	},
}, nil)

// ReadGraph returns the whole graph.
var ReadGraph = brain.Operation[GraphInput, Knowledge]{
	Name: "read_graph",
	Run: func(ctx context.Context, b *brain.Brain, in GraphInput) (Knowledge, error) {
		return readKnowledge(ctx, b.Store, b.Config, in, func(memory.Entity) bool { return true })
	},
}

// SearchNodesInput looks for entities.
type SearchNodesInput struct {
	GraphInput
	Query string `json:"query" arg:"1.."`
}

// SearchNodes returns the entities whose name, type or observations hold all words of a query, and the relations among them. An
// empty query returns all.
var SearchNodes = brain.Operation[SearchNodesInput, Knowledge]{
	Name: "search_nodes",
	Run: func(ctx context.Context, b *brain.Brain, in SearchNodesInput) (Knowledge, error) {
		asked := vocab.TextWords(in.Query)
		exact := strings.ToLower(strings.TrimSpace(in.Query))
		return readKnowledge(ctx, b.Store, b.Config, in.GraphInput, func(e memory.Entity) bool {
			text := entityText(e)
			return strings.Contains(strings.ToLower(text), exact) || HoldsAll(vocab.TextWords(text), asked)
		})
	},
}

// HoldsAll reports whether words hold all that are asked for, of which there is at least one.
func HoldsAll(words, asked []string) bool {
	return len(asked) > 0 && !slices.ContainsFunc(asked, func(w string) bool { return !slices.Contains(words, w) })
}

// OpenNodes returns entities by name, and the relations among them.
var OpenNodes = brain.Operation[NamesInput, Knowledge]{
	Name: "open_nodes",
	Run: func(ctx context.Context, b *brain.Brain, in NamesInput) (Knowledge, error) {
		return readKnowledge(ctx, b.Store, b.Config, in.GraphInput, func(e memory.Entity) bool {
			return slices.ContainsFunc(in.Names, func(n string) bool { return EntityName(n) == e.Name })
		})
	},
}

// readKnowledge returns the wanted entities of a graph and the relations among them.
func readKnowledge(ctx context.Context, st *store.Store, c config.Config, in GraphInput, wanted func(memory.Entity) bool) (Knowledge, error) {
	return brain.View(ctx, st, func(tx *store.Tx) (out Knowledge, err error) {
		out = Knowledge{Entities: []Entity{}, Relations: []memory.Relation{}}
		var ids []memory.ProjectID
		switch {
		case in.Everywhere:
			ids = []memory.ProjectID{0}
		case in.All:
			ids, err = tx.KnowledgeProjects(ctx)
		default:
			ids, err = ranking.Scoped(ctx, c, tx, in.Scope)
		}
		if err != nil {
			return out, err
		}
		for _, id := range ids {
			entities, err := tx.Entities(ctx, id)
			if err != nil {
				return out, err
			}
			relations, err := tx.Relations(ctx, id)
			if err != nil {
				return out, err
			}
			shown := map[string]bool{}
			for _, e := range entities {
				if wanted(e) {
					shown[e.Name] = true
					out.Entities = append(out.Entities, known(e))
				}
			}
			for _, r := range relations {
				if shown[r.From] && shown[r.To] {
					out.Relations = append(out.Relations, r)
				}
			}
		}
		return out, nil
	})
}

// known is an entity with the observations that still hold.
func known(e memory.Entity) Entity {
	known := Entity{Project: e.Project, Name: e.Name, Type: e.Type, Observations: []string{}}
	for _, o := range e.Observations {
		if o.ValidTo.IsZero() {
			known.Observations = append(known.Observations, o.Text)
		}
	}
	return known
}

// EntityName is a name as it is stored.
func EntityName(name string) string { return scrub.Line(scrub.Clean(strings.TrimSpace(name))) }

// CleanEntity is an entity with name and type as they are stored.
func CleanEntity(e Entity) Entity {
	return Entity{Name: EntityName(e.Name), Type: EntityName(e.Type), Observations: e.Observations}
}

// sayer is who said something; empty: the user.
func sayer(origin memory.Origin) memory.Origin { return cmp.Or(origin, memory.OriginUser) }
