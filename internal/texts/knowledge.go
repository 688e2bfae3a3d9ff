package texts

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
)

// EntityText is the kind of the document of an entity.
const EntityText = "entity"

// Knowledge is a graph of entities and relations, in the shape that the reference memory server of the Model Context
// Protocol gives it: its users find what they know.
type Knowledge struct {
	Entities  []KnownEntity     `json:"entities"`
	Relations []memory.Relation `json:"relations"`
}

// KnownEntity is a node of it.
type KnownEntity struct {
	Project      memory.ProjectID `json:"-"`
	Name         string           `json:"name"`
	Type         string           `json:"entityType"`
	Observations []string         `json:"observations"`
}

// KnowledgeInput chooses a graph: that of a project or, everywhere, the person's own.
type KnowledgeInput struct {
	brain.Scope
	Everywhere bool `json:"everywhere,omitempty"`
}

// EntitiesInput are entities to add.
type EntitiesInput struct {
	KnowledgeInput
	Entities []KnownEntity `json:"entities"`
	Origin   memory.Origin `json:"origin,omitempty"` // empty: the user
}

// CreateEntities adds entities and returns those that are new.
var CreateEntities = brain.NeverBusy(brain.Operation[EntitiesInput, []KnownEntity]{
	Name: "create_entities", Summary: "Add entities to the knowledge graph",
	Run: func(ctx context.Context, b *brain.Brain, in EntitiesInput) ([]KnownEntity, error) {
		created := []KnownEntity{}
		err := changeKnowledge(ctx, b, in.KnowledgeInput, func(g *KnowledgeChange) error {
			created = created[:0]
			for _, e := range in.Entities {
				e = CleanEntity(e)
				if e.Name == "" {
					return fmt.Errorf("an entity needs a name: %w", memory.ErrInvalid)
				}
				added, err := g.Tx.SaveEntity(ctx, memory.Entity{
					Project: g.Project, Name: e.Name, Type: e.Type, Origin: cmp.Or(in.Origin, memory.OriginUser), CreatedAt: g.Tx.Now,
				})
				if err != nil {
					return err
				}
				if !added {
					continue
				}
				if e.Observations, err = g.observe(ctx, e.Name, e.Observations, in.Origin); err != nil {
					return err
				}
				created = append(created, e)
			}
			return nil
		})
		return created, err
	},
}, func(in EntitiesInput) string { return entitiesText(in.Entities) })

// RelationsInput are relations to add or remove.
type RelationsInput struct {
	KnowledgeInput
	Relations []memory.Relation `json:"relations"`
	// Anew makes entities of names that are not known, without a type, as the reference server lets them be named.
	Anew   bool          `json:"anew,omitempty"`
	Origin memory.Origin `json:"origin,omitempty"` // of those; empty: the user
}

// CreateRelations links entities and returns the relations that are new.
var CreateRelations = brain.NeverBusy(brain.Operation[RelationsInput, []memory.Relation]{
	Name: "create_relations", Summary: "Link entities of the knowledge graph",
	Run: func(ctx context.Context, b *brain.Brain, in RelationsInput) ([]memory.Relation, error) {
		created := []memory.Relation{}
		err := changeKnowledge(ctx, b, in.KnowledgeInput, func(g *KnowledgeChange) error {
			created = created[:0]
			for _, r := range in.Relations {
				r = g.Relation(r)
				for _, end := range []string{r.From, r.To} {
					if err := g.knowsOrMakes(ctx, end, in); err != nil {
						return err
					}
				}
				added, err := g.Tx.Relate(ctx, r)
				if err != nil {
					return err
				}
				if added {
					created = append(created, r)
				}
			}
			return nil
		})
		return created, err
	},
}, func(in RelationsInput) string { return relationsText(in.Relations) })

// ObservationsInput are observations to add or remove.
type ObservationsInput struct {
	KnowledgeInput
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

// AddObservations says more of entities and returns what is new.
var AddObservations = brain.NeverBusy(brain.Operation[ObservationsInput, []AddedObservations]{
	Name: "add_observations", Summary: "Say more of entities of the knowledge graph",
	Run: func(ctx context.Context, b *brain.Brain, in ObservationsInput) ([]AddedObservations, error) {
		out := []AddedObservations{}
		err := changeKnowledge(ctx, b, in.KnowledgeInput, func(g *KnowledgeChange) error {
			out = out[:0]
			for _, o := range in.Observations {
				name := EntityName(o.Entity)
				if err := g.knows(ctx, name); err != nil {
					return err
				}
				added, err := g.observe(ctx, name, o.Contents, in.Origin)
				if err != nil {
					return err
				}
				out = append(out, AddedObservations{Entity: name, Added: added})
			}
			return nil
		})
		return out, err
	},
}, func(in ObservationsInput) string { return observationsText(in.Observations) })

// NamesInput names entities.
type NamesInput struct {
	KnowledgeInput
	Names []string `json:"names"`
	// Origin is who asks; empty: the user. Anybody else removes nothing that the user said.
	Origin memory.Origin `json:"origin,omitempty"`
}

// Removed counts what a deletion took away. It leaves tombstones: no export brings it back, only somebody who says it again.
type Removed struct {
	Removed int `json:"removed"`
	// Warning says what could not be finished.
	Warning string `json:"warning,omitempty"`
}

// removing changes the graph, and tidies at once: what was deleted shall not stand in the file.
func removing(ctx context.Context, b *brain.Brain, in KnowledgeInput, remove func(*KnowledgeChange, *Removed) error) (out Removed, err error) {
	err = changeKnowledge(ctx, b, in, func(g *KnowledgeChange) error {
		out = Removed{}
		return remove(g, &out)
	})
	if err == nil && out.Removed > 0 {
		out.Warning, err = b.Tidy(ctx)
	}
	return out, err
}

// DeleteEntities removes entities with all that is said of them. What is not there is no error.
var DeleteEntities = brain.NeverBusy(brain.Operation[NamesInput, Removed]{
	Name: "delete_entities", Summary: "Remove entities from the knowledge graph",
	Run: func(ctx context.Context, b *brain.Brain, in NamesInput) (Removed, error) {
		return removing(ctx, b, in.KnowledgeInput, func(g *KnowledgeChange, out *Removed) error {
			for _, name := range in.Names {
				if err := g.mayChange(ctx, "remove", EntityName(name), in.Origin); err != nil {
					return err
				}
				gone, err := g.Tx.DeleteEntity(ctx, g.Project, EntityName(name))
				if err != nil {
					return err
				}
				if gone {
					out.Removed++
				}
				g.Touched[EntityName(name)] = true
			}
			return nil
		})
	},
}, nil)

// DeleteObservations takes back what was said of entities.
var DeleteObservations = brain.NeverBusy(brain.Operation[ObservationsInput, Removed]{
	Name: "delete_observations", Summary: "Take back what was said of entities",
	Run: func(ctx context.Context, b *brain.Brain, in ObservationsInput) (Removed, error) {
		return removing(ctx, b, in.KnowledgeInput, func(g *KnowledgeChange, out *Removed) error {
			for _, o := range in.Observations {
				for _, text := range o.Contents {
					text = strings.TrimSpace(scrub.Clean(text))
					if err := g.mayChange(ctx, "remove", EntityName(o.Entity), in.Origin, text); err != nil {
						return err
					}
					gone, err := g.Tx.Unobserve(ctx, g.Project, EntityName(o.Entity), text)
					if err != nil {
						return err
					}
					if gone {
						out.Removed++
					}
				}
				g.Touched[EntityName(o.Entity)] = true
			}
			return nil
		})
	},
}, nil)

// DeleteRelations unlinks entities.
var DeleteRelations = brain.NeverBusy(brain.Operation[RelationsInput, Removed]{
	Name: "delete_relations", Summary: "Unlink entities of the knowledge graph",
	Run: func(ctx context.Context, b *brain.Brain, in RelationsInput) (Removed, error) {
		return removing(ctx, b, in.KnowledgeInput, func(g *KnowledgeChange, out *Removed) error {
			for _, r := range in.Relations {
				gone, err := g.Tx.Unrelate(ctx, g.Relation(r))
				if err != nil {
					return err
				}
				if gone {
					out.Removed++
				}
			}
			return nil
		})
	},
}, nil)

// RenameInput gives an entity another name, or makes it part of another.
type RenameInput struct {
	KnowledgeInput
	From string `json:"from"`
	To   string `json:"to"`
	// Origin is who asks; empty: the user. Anybody else renames and merges nothing that the user said.
	Origin memory.Origin `json:"origin,omitempty"`
}

// RenameEntity gives an entity another name; what is said of it and its relations stay with it.
var RenameEntity = brain.NeverBusy(brain.Operation[RenameInput, KnownEntity]{
	Name: "rename_entity", Summary: "Give an entity of the knowledge graph another name",
	Run: func(ctx context.Context, b *brain.Brain, in RenameInput) (KnownEntity, error) {
		return moveEntity(ctx, b, in, (*store.Tx).RenameEntity)
	},
}, nil)

// MergeEntities makes one entity part of another, with what is said of it and its relations.
var MergeEntities = brain.NeverBusy(brain.Operation[RenameInput, KnownEntity]{
	Name: "merge_entities", Summary: "Make one entity of the knowledge graph part of another",
	Run: func(ctx context.Context, b *brain.Brain, in RenameInput) (KnownEntity, error) {
		return moveEntity(ctx, b, in, (*store.Tx).MergeEntity)
	},
}, nil)

func moveEntity(
	ctx context.Context, b *brain.Brain, in RenameInput, move func(tx *store.Tx, ctx context.Context, id memory.ProjectID, from, to string) error,
) (out KnownEntity, err error) {
	from, to := EntityName(in.From), EntityName(in.To)
	if from == "" || to == "" {
		return out, fmt.Errorf("an entity needs a name: %w", memory.ErrInvalid)
	}
	err = changeKnowledge(ctx, b, in.KnowledgeInput, func(g *KnowledgeChange) error {
		if err := g.knows(ctx, from); err != nil {
			return err
		}
		for _, name := range []string{from, to} {
			if err := g.mayChange(ctx, "rename", name, in.Origin); err != nil {
				return err
			}
		}
		if err := move(g.Tx, ctx, g.Project, from, to); err != nil {
			return err
		}
		g.Touched[from], g.Touched[to] = true, true
		e, err := g.Tx.Entity(ctx, g.Project, to)
		out = knownEntity(e)
		return err
	})
	return out, err
}

// mayChange refuses an agent that would take away what the person said: an entity of theirs or one of which they said
// something, or only these observations of it.
func (g *KnowledgeChange) mayChange(ctx context.Context, change, name string, asks memory.Origin, observations ...string) error {
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
		return brain.PersonsOwn(change, fmt.Sprintf("what is said of %q", scrub.Line(name)))
	}
	return nil
}

// ReadGraph returns the whole graph.
var ReadGraph = brain.Operation[KnowledgeInput, Knowledge]{
	Name: "read_graph", Summary: "Return the whole knowledge graph",
	Run: func(ctx context.Context, b *brain.Brain, in KnowledgeInput) (Knowledge, error) {
		return knowledge(ctx, b, in, func(memory.Entity) bool { return true })
	},
}

// SearchNodesInput looks for entities.
type SearchNodesInput struct {
	KnowledgeInput
	Query string `json:"query"`
}

// SearchNodes returns the entities whose name, type or observations hold the words of a query, and the relations among
// them. No words are in all of them.
var SearchNodes = brain.Operation[SearchNodesInput, Knowledge]{
	Name: "search_nodes", Summary: "Find entities of the knowledge graph by words",
	Run: func(ctx context.Context, b *brain.Brain, in SearchNodesInput) (Knowledge, error) {
		asked := recall.TextWords(in.Query)
		exact := strings.ToLower(strings.TrimSpace(in.Query))
		return knowledge(ctx, b, in.KnowledgeInput, func(e memory.Entity) bool {
			text := entityText(e)
			if strings.Contains(strings.ToLower(text), exact) {
				return true
			}
			words := recall.TextWords(text)
			return len(asked) > 0 && !slices.ContainsFunc(asked, func(w string) bool { return !slices.Contains(words, w) })
		})
	},
}

// OpenNodes returns entities by name, and the relations among them.
var OpenNodes = brain.Operation[NamesInput, Knowledge]{
	Name: "open_nodes", Summary: "Return entities of the knowledge graph by name",
	Run: func(ctx context.Context, b *brain.Brain, in NamesInput) (Knowledge, error) {
		return knowledge(ctx, b, in.KnowledgeInput, func(e memory.Entity) bool {
			return slices.ContainsFunc(in.Names, func(n string) bool { return EntityName(n) == e.Name })
		})
	},
}

// knowledge reads the part of a graph that is wanted.
func knowledge(ctx context.Context, b *brain.Brain, in KnowledgeInput, wanted func(memory.Entity) bool) (Knowledge, error) {
	return brain.View(ctx, b, func(tx *store.Tx) (Knowledge, error) {
		out := Knowledge{Entities: []KnownEntity{}, Relations: []memory.Relation{}}
		var ids []memory.ProjectID
		var err error
		switch {
		case in.Everywhere:
			ids = []memory.ProjectID{0}
		case in.All:
			ids, err = tx.KnowledgeProjects(ctx)
		default:
			ids, err = ranking.Scoped(ctx, b, tx, in.Scope)
		}
		for _, id := range ids {
			if err = addKnowledge(ctx, b, tx, id, wanted, &out); err != nil {
				break
			}
		}
		return out, err
	})
}

func addKnowledge(ctx context.Context, b *brain.Brain, tx *store.Tx, id memory.ProjectID, wanted func(memory.Entity) bool, out *Knowledge) error {
	entities, err := tx.Entities(ctx, id)
	if err != nil {
		return err
	}
	relations, err := tx.Relations(ctx, id)
	if err != nil {
		return err
	}
	shown := map[string]bool{}
	for _, e := range entities {
		if !wanted(e) {
			continue
		}
		shown[e.Name] = true
		out.Entities = append(out.Entities, knownEntity(e))
	}
	for _, r := range relations {
		if shown[r.From] && shown[r.To] {
			out.Relations = append(out.Relations, r)
		}
	}
	return nil
}

func knownEntity(e memory.Entity) KnownEntity {
	known := KnownEntity{Project: e.Project, Name: e.Name, Type: e.Type, Observations: []string{}}
	for _, o := range e.Observations {
		if o.ValidTo.IsZero() {
			known.Observations = append(known.Observations, o.Text)
		}
	}
	return known
}

// knowledgeChange is one change of a graph; the documents of the entities it touches are made again at its end.
type KnowledgeChange struct {
	*brain.Brain
	Tx      *store.Tx
	Project memory.ProjectID
	Touched map[string]bool
}

func changeKnowledge(ctx context.Context, b *brain.Brain, in KnowledgeInput, change func(*KnowledgeChange) error) error {
	var place memory.Place
	var err error
	if !in.Everywhere && in.Project == "" {
		if place, err = b.PlaceAt(in.Dir); err != nil {
			return err
		}
	}
	return record.Recording(ctx, b, b.Say, func(r *record.Recorder) error {
		g := &KnowledgeChange{Brain: b, Tx: r.Tx, Touched: map[string]bool{}}
		switch {
		case in.Everywhere:
		case in.Project != "":
			if g.Project, err = b.Named(ctx, r.Tx, in.Project); err != nil {
				return err
			}
		default:
			g.Project = place.Project()
			if err := r.SeeProject(ctx, memory.Event{At: r.Tx.Now, Place: place}); err != nil {
				return err
			}
		}
		if err := change(g); err != nil {
			return err
		}
		return g.Index(ctx)
	})
}

// observe adds what is new.
func (g *KnowledgeChange) observe(ctx context.Context, entity string, facts []string, origin memory.Origin) ([]string, error) {
	if err := brain.Fits("observation", facts...); err != nil {
		return nil, err
	}
	g.Touched[entity] = true
	added := []string{}
	if origin == "" {
		origin = memory.OriginUser
	}
	for _, text := range facts {
		o := memory.Observation{Text: strings.TrimSpace(scrub.Clean(text)), Origin: origin, Confidence: 1, SaidAt: g.Tx.Now}
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

// knows fails for an entity that is not there, and says how to add it.
func (g *KnowledgeChange) knows(ctx context.Context, name string) error {
	known, err := g.Tx.HasEntity(ctx, g.Project, name)
	if err == nil && !known {
		err = fmt.Errorf("entity %q (hebb knowledge lists them, hebb knowledge add makes one): %w", name, memory.ErrNotFound)
	}
	return err
}

// knowsOrMakes is knows for one who may name what nobody has spoken of yet. Who says more of it later says what it is.
func (g *KnowledgeChange) knowsOrMakes(ctx context.Context, name string, in RelationsInput) error {
	if !in.Anew {
		return g.knows(ctx, name)
	}
	added, err := g.Tx.SaveEntity(ctx, memory.Entity{Project: g.Project, Name: name, Origin: cmp.Or(in.Origin, memory.OriginUser), CreatedAt: g.Tx.Now})
	if added {
		g.Touched[name] = true
	}
	return err
}

func (g *KnowledgeChange) Relation(r memory.Relation) memory.Relation {
	return memory.Relation{
		Project: g.Project, From: EntityName(r.From), To: EntityName(r.To), Type: scrub.Line(scrub.Clean(strings.TrimSpace(r.Type))), CreatedAt: g.Tx.Now,
	}
}

// Index makes the entities that were touched findable as they are now.
func (g *KnowledgeChange) Index(ctx context.Context) error {
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
	_, err := AddDocuments(ctx, g.Brain, g.Tx, docs)
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
	d.Words = recall.TextWords(d.Text)
	return d
}

func entityRef(id memory.ProjectID, name string) string { return "entity:" + id.String() + ":" + name }

func entityText(e memory.Entity) string {
	var b strings.Builder
	b.WriteString(e.Name)
	if e.Type != "" {
		b.WriteString(" (" + e.Type + ")")
	}
	for _, o := range e.Observations {
		if o.ValidTo.IsZero() {
			b.WriteString("\n" + o.Text)
		}
	}
	return b.String()
}

func EntityName(name string) string { return scrub.Line(scrub.Clean(strings.TrimSpace(name))) }

func CleanEntity(e KnownEntity) KnownEntity {
	return KnownEntity{Name: EntityName(e.Name), Type: scrub.Line(scrub.Clean(strings.TrimSpace(e.Type))), Observations: e.Observations}
}
