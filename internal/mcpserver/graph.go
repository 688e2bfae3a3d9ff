package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/hebb-memory/hebb/internal/knowledge"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/steward"
)

// The tools of the knowledge graph have the names, arguments and answers of the reference memory server of the Model Context
// Protocol (@modelcontextprotocol/server-memory 2026.8.31), so that hebb can take its place in a configuration.

var (
	entityFields = []field{
		{name: "name", kind: text, must: true, about: "The name of the entity"},
		{name: "entityType", kind: text, must: true, blank: true, about: "The type of the entity"},
		{name: "observations", kind: list, must: true, blank: true, about: "An array of observation contents associated with the entity"},
	}
	relationFields = []field{
		{name: "from", kind: text, must: true, about: "The name of the entity where the relation starts"},
		{name: "to", kind: text, must: true, about: "The name of the entity where the relation ends"},
		{name: "relationType", kind: text, must: true, about: "The type of the relation"},
	}
	entitiesField  = field{name: "entities", kind: objects, must: true, of: entityFields}
	relationsField = field{name: "relations", kind: objects, must: true, of: relationFields}
	graphOutput    = []field{entitiesField, relationsField}
	doneOutput     = []field{{name: "success", kind: flag, must: true}, {name: "message", kind: text, must: true}}
)

// graphTools are the operations of the reference memory server.
func graphTools() []tool {
	return []tool{
		does(tool{
			name: "create_entities",
			about: "Create multiple new entities in the knowledge graph. Use it when people, services or ideas come up that matter beyond this session; " +
				"those that are there stay as they are.",
			fields: []field{entitiesField}, output: []field{entitiesField}, effect: adds,
		}, (*call).createEntities),
		does(tool{
			name: "create_relations",
			about: "Create multiple new relations between entities in the knowledge graph. Relations should be in active voice. Use it when you learn how two " +
				"things hang together; one that is not known yet is made, without a type.",
			fields: []field{relationsField}, output: []field{relationsField}, effect: adds,
		}, (*call).createRelations),
		does(tool{
			name:  "add_observations",
			about: "Add new observations to existing entities in the knowledge graph. Use it when you learn more of something that is known.",
			fields: []field{{name: "observations", kind: objects, must: true, of: []field{
				{name: "entityName", kind: text, must: true, about: "The name of the entity to add the observations to"},
				{name: "contents", kind: list, must: true, blank: true, about: "An array of observation contents to add"},
			}}},
			output: []field{{name: "results", kind: objects, must: true, of: []field{
				{name: "entityName", kind: text, must: true}, {name: "addedObservations", kind: list, must: true},
			}}},
			effect: adds,
		}, (*call).addObservations),
		does(tool{
			name:   "delete_entities",
			about:  "Delete multiple entities and their associated relations from the knowledge graph. Use it when the user asks, or when an entity was a mistake.",
			fields: []field{{name: "entityNames", kind: list, must: true, blank: true, about: "An array of entity names to delete"}},
			output: doneOutput, effect: removes,
		}, (*call).deleteEntities),
		does(tool{
			name:  "delete_observations",
			about: "Delete specific observations from entities in the knowledge graph. Use it when something said of an entity is wrong.",
			fields: []field{{name: "deletions", kind: objects, must: true, of: []field{
				{name: "entityName", kind: text, must: true, about: "The name of the entity containing the observations"},
				{name: "observations", kind: list, must: true, blank: true, about: "An array of observations to delete"},
			}}},
			output: doneOutput, effect: removes,
		}, (*call).deleteObservations),
		does(tool{
			name:   "delete_relations",
			about:  "Delete multiple relations from the knowledge graph. Use it when two things no longer hang together so.",
			fields: []field{{name: "relations", kind: objects, must: true, of: relationFields, about: "An array of relations to delete"}},
			output: doneOutput, effect: removes,
		}, (*call).deleteRelations),
		does(tool{
			name:   "read_graph",
			about:  "Read the entire knowledge graph. Use it when you need the whole picture; search_nodes is cheaper.",
			output: graphOutput,
		}, (*call).readGraph),
		does(tool{
			name:  "search_nodes",
			about: "Search for nodes in the knowledge graph based on a query. Use it when a name or an idea comes up that may be known.",
			fields: []field{{
				name: "query", kind: text, must: true, blank: true,
				about: "The search query to match against entity names, types, and observation content",
			}},
			output: graphOutput,
		}, (*call).searchNodes),
		does(tool{
			name:   "open_nodes",
			about:  "Open specific nodes in the knowledge graph by their names. Use it when you know what they are called.",
			fields: []field{{name: "names", kind: list, must: true, blank: true, about: "An array of entity names to retrieve"}},
			output: graphOutput,
		}, (*call).openNodes),
	}
}

func (c *call) graph() knowledge.GraphInput { return knowledge.GraphInput{Scope: c.scope} }

// asReference answers as the reference server does: the text is the value as indented JSON.
func (c *call) asReference(facts object, shown any) (reply, error) {
	raw, err := display(quoted(shown)) // before it is indented: inside JSON a control character is escaped and looks harmless
	var b bytes.Buffer
	if err == nil {
		err = json.Indent(&b, raw, "", "  ")
	}
	if err != nil {
		return reply{}, fmt.Errorf("write the answer: %w", err)
	}
	return reply{facts, b.Bytes()}, c.err
}

func (c *call) graphReply(g knowledge.Graph) (reply, error) {
	return c.asReference(objectOf("entities", g.Entities, "relations", g.Relations), g)
}

// done answers as the reference server does when something was deleted.
func done(message string) reply {
	return reply{objectOf("success", true, "message", message), []byte(message)}
}

func (c *call) createEntities(ctx context.Context, in knowledge.EntitiesInput) (reply, error) {
	in.Scope, in.Origin = c.scope, memory.OriginAgent
	out := run(ctx, c, knowledge.CreateEntities, in)
	for i := range out {
		out[i].Observations = listed(out[i].Observations)
	}
	return c.asReference(objectOf("entities", out), out)
}

// listed is a list that is never null.
func listed[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func (c *call) createRelations(ctx context.Context, in knowledge.RelationsInput) (reply, error) {
	in.Scope, in.Anew, in.Origin = c.scope, true, memory.OriginAgent
	out := run(ctx, c, knowledge.CreateRelations, in)
	return c.asReference(objectOf("relations", out), out)
}

func (c *call) addObservations(ctx context.Context, in knowledge.ObservationsInput) (reply, error) {
	in.Scope, in.Origin = c.scope, memory.OriginAgent
	out := run(ctx, c, knowledge.AddObservations, in)
	for i := range out {
		out[i].Added = listed(out[i].Added)
	}
	return c.asReference(objectOf("results", out), out)
}

func (c *call) deleteEntities(ctx context.Context, in struct{ EntityNames []string }) (reply, error) {
	_, err := steward.Run(ctx, c.brain, knowledge.DeleteEntities, knowledge.NamesInput{GraphInput: c.graph(), Names: in.EntityNames, Origin: memory.OriginAgent})
	return done("Entities deleted successfully"), err
}

type deletion struct {
	Entity string   `json:"entityName"`
	Texts  []string `json:"observations"`
}

func (c *call) deleteObservations(ctx context.Context, in struct{ Deletions []deletion }) (reply, error) {
	ask := knowledge.ObservationsInput{GraphInput: c.graph(), Origin: memory.OriginAgent}
	for _, d := range in.Deletions {
		ask.Observations = append(ask.Observations, knowledge.EntityObservations{Entity: d.Entity, Contents: d.Texts})
	}
	_, err := steward.Run(ctx, c.brain, knowledge.DeleteObservations, ask)
	return done("Observations deleted successfully"), err
}

func (c *call) deleteRelations(ctx context.Context, in knowledge.RelationsInput) (reply, error) {
	in.Scope, in.Origin = c.scope, memory.OriginAgent
	_, err := steward.Run(ctx, c.brain, knowledge.DeleteRelations, in)
	return done("Relations deleted successfully"), err
}

func (c *call) readGraph(ctx context.Context, _ struct{}) (reply, error) {
	return c.graphReply(run(ctx, c, knowledge.ReadGraph, c.graph()))
}

func (c *call) searchNodes(ctx context.Context, in knowledge.SearchNodesInput) (reply, error) {
	in.Scope = c.scope
	return c.around(ctx, run(ctx, c, knowledge.SearchNodes, in))
}

func (c *call) openNodes(ctx context.Context, in knowledge.NamesInput) (reply, error) {
	in.Scope = c.scope
	return c.around(ctx, run(ctx, c, knowledge.OpenNodes, in))
}

// around adds the relations of the entities found, as the reference server does.
func (c *call) around(ctx context.Context, found knowledge.Graph) (reply, error) {
	all := run(ctx, c, knowledge.ReadGraph, c.graph())
	names := map[string]bool{}
	for _, e := range found.Entities {
		names[e.Name] = true
	}
	found.Relations = slices.DeleteFunc(all.Relations, func(r memory.Relation) bool { return !names[r.From] && !names[r.To] })
	return c.graphReply(found)
}
