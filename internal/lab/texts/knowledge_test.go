package texts_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/learn"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/texts"
)

// asJSON is a result as a client of the memory server sees it.
func asJSON(t *testing.T, v any) string {
	t.Helper()
	text := must.Get(json.Marshal(v))(t)
	return string(text)
}

func sameJSON(t *testing.T, what string, got any, want string) {
	t.Helper()
	if text := asJSON(t, got); text != want {
		t.Errorf("%s: %s\nwant %s", what, text, want)
	}
}

// What each operation returns is what the reference memory server of the Model Context Protocol returns.
func TestKnowledgeAnswersLikeTheReferenceServer(t *testing.T) {
	l, in := braintest.NewGraph(t)
	const billing = `{"name":"billing","entityType":"service","observations":["owns invoices","written in Go"]}`
	const ada, database = `{"name":"Ada","entityType":"person","observations":["reviews every migration"]}`, `{"name":"postgres","entityType":"database","observations":[]}`
	const depends, maintains = `{"from":"billing","to":"postgres","relationType":"depends on"}`, `{"from":"Ada","to":"billing","relationType":"maintains"}`
	entities := func(list ...texts.Entity) texts.EntitiesInput {
		return texts.EntitiesInput{GraphInput: in, Entities: list}
	}
	said := func(entity string, contents ...string) texts.ObservationsInput {
		return texts.ObservationsInput{GraphInput: in, Observations: []texts.EntityObservations{{Entity: entity, Contents: contents}}}
	}
	related := func(from, how, to string) texts.RelationsInput {
		return texts.RelationsInput{GraphInput: in, Relations: []memory.Relation{{From: from, Type: how, To: to}}}
	}

	sameJSON(t, "create_entities returns the new ones",
		braintest.Must(l.Lab, texts.CreateEntities, entities(texts.Entity{Name: "billing", Type: "other"}, texts.Entity{Name: "kafka", Type: "queue", Observations: []string{"a", "a"}})),
		`[{"name":"kafka","entityType":"queue","observations":["a"]}]`)
	sameJSON(t, "create_entities of what is there", braintest.Must(l.Lab, texts.CreateEntities, entities(texts.Entity{Name: "kafka"})), `[]`)
	sameJSON(t, "create_relations returns the new ones", braintest.Must(l.Lab, texts.CreateRelations, related("billing", "depends on", "postgres")), `[]`)
	sameJSON(t, "create_relations", braintest.Must(l.Lab, texts.CreateRelations, related("billing", "writes to", "kafka")), `[{"from":"billing","to":"kafka","relationType":"writes to"}]`)
	sameJSON(t, "add_observations returns what is new", braintest.Must(l.Lab, texts.AddObservations, said("kafka", "a", "b")),
		`[{"entityName":"kafka","addedObservations":["b"]}]`)
	for _, in := range []texts.ObservationsInput{said("nobody", "x")} {
		if _, err := steward.Run(t.Context(), l.Brain, texts.AddObservations, in); !errors.Is(err, memory.ErrNotFound) || !strings.Contains(err.Error(), "nobody") {
			t.Errorf("add_observations to nobody: %v", err)
		}
	}
	if _, err := steward.Run(t.Context(), l.Brain, texts.CreateRelations, related("billing", "knows", "nobody")); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("create_relations to nobody: %v", err)
	}
	sameJSON(t, "delete_observations", braintest.Must(l.Lab, texts.DeleteObservations, said("kafka", "b", "never said")), `{"removed":1}`)
	sameJSON(t, "delete_observations of nobody", braintest.Must(l.Lab, texts.DeleteObservations, said("nobody", "b")), `{"removed":0}`)
	sameJSON(t, "delete_relations", braintest.Must(l.Lab, texts.DeleteRelations, related("billing", "writes to", "kafka")), `{"removed":1}`)
	sameJSON(t, "delete_relations again", braintest.Must(l.Lab, texts.DeleteRelations, related("billing", "writes to", "kafka")), `{"removed":0}`)
	sameJSON(t, "delete_entities", braintest.Must(l.Lab, texts.DeleteEntities, texts.NamesInput{GraphInput: in, Names: []string{"kafka", "nobody"}}), `{"removed":1}`)

	sameJSON(t, "read_graph", braintest.Must(l.Lab, texts.ReadGraph, in), `{"entities":[`+ada+`,`+billing+`,`+database+`],"relations":[`+maintains+`,`+depends+`]}`)
	search := func(query string) texts.Knowledge {
		return braintest.Must(l.Lab, texts.SearchNodes, texts.SearchNodesInput{GraphInput: in, Query: query})
	}
	sameJSON(t, "search_nodes by an observation", search("INVOICES"), `{"entities":[`+billing+`],"relations":[]}`)
	sameJSON(t, "search_nodes by a type", search("database"), `{"entities":[`+database+`],"relations":[]}`)
	sameJSON(t, "search_nodes by words apart", search("go invoices"), `{"entities":[`+billing+`],"relations":[]}`)
	sameJSON(t, "search_nodes with relations among the found", search("s"), `{"entities":[`+ada+`,`+billing+`,`+database+`],"relations":[`+maintains+`,`+depends+`]}`)
	sameJSON(t, "search_nodes without a hit", search("zebra"), `{"entities":[],"relations":[]}`)
	open := func(names ...string) texts.Knowledge {
		return braintest.Must(l.Lab, texts.OpenNodes, texts.NamesInput{GraphInput: in, Names: names})
	}
	sameJSON(t, "open_nodes", open("postgres", "billing", "nobody"), `{"entities":[`+billing+`,`+database+`],"relations":[`+depends+`]}`)
	sameJSON(t, "open_nodes of nobody", open("nobody"), `{"entities":[],"relations":[]}`)

	everywhere := texts.GraphInput{Scope: l.Scope(), Everywhere: true}
	sameJSON(t, "the person's own", braintest.Must(l.Lab, texts.ReadGraph, everywhere), `{"entities":[],"relations":[]}`)
	braintest.Must(l.Lab, texts.CreateEntities, texts.EntitiesInput{GraphInput: everywhere, Entities: []texts.Entity{{Name: "laptop"}}})
	if all := braintest.Must(l.Lab, texts.ReadGraph, texts.GraphInput{Scope: brain.Scope{Dir: l.Dir, All: true}}); len(all.Entities) != 4 {
		t.Errorf("all: %+v", all)
	}
}

func TestKnowledgeIsFoundBySearchWithItsOrigin(t *testing.T) {
	l, in := braintest.NewGraph(t)
	const secret = "ghp_0123456789abcdefghijklmnopqrstuvwxyzAB"
	found := l.Find("who owns invoices")
	if len(found) == 0 || found[0].Kind != texts.EntityText || found[0].Title != "billing" || found[0].Origin != memory.OriginUser {
		t.Fatalf("found %+v", found)
	}
	braintest.Must(l.Lab, texts.AddObservations, texts.ObservationsInput{
		GraphInput: in, Origin: memory.OriginAgent,
		Observations: []texts.EntityObservations{{Entity: "billing", Contents: []string{"rounds half to even", "deploys with " + secret, "<private>whisper</private>"}}},
	})
	found = l.Find("rounds half to even")
	if len(found) == 0 || found[0].Title != "billing" || found[0].Origin != memory.OriginAgent {
		t.Errorf("what an agent added makes the whole less trusted: %+v", found)
	}
	braintest.Must(l.Lab, texts.CreateEntities, texts.EntitiesInput{GraphInput: in, Entities: []texts.Entity{{Name: "key " + secret, Type: secret}}})
	if text := asJSON(t, braintest.Must(l.Lab, texts.ReadGraph, in)) + asJSON(t, l.Find("deploys key")); strings.Contains(text, secret) || strings.Contains(text, "whisper") {
		t.Errorf("a secret is kept: %s", text)
	}
	braintest.Must(l.Lab, texts.DeleteEntities, texts.NamesInput{GraphInput: in, Names: []string{"billing"}})
	if found := l.Find("invoices", onlyKinds(texts.EntityText)); len(found) > 0 {
		t.Errorf("what is removed is found: %+v", found)
	}
}

func TestAnEntityHasTheOriginOfWhoNamedIt(t *testing.T) {
	l, in := braintest.NewGraph(t)
	braintest.Must(l.Lab, texts.CreateEntities, texts.EntitiesInput{GraphInput: in, Origin: memory.OriginAgent, Entities: []texts.Entity{{Name: "kafka"}, {Name: "postgres"}}})
	for name, want := range map[string]memory.Origin{"postgres": memory.OriginUser, "kafka": memory.OriginAgent, "billing": memory.OriginUser} {
		if got := l.FoundEntity(name).Origin; got != want {
			t.Errorf("%s is of origin %q, want %q", name, got, want)
		}
	}
	braintest.Must(l.Lab, texts.AddObservations, texts.ObservationsInput{GraphInput: in, Origin: memory.OriginWeb, Observations: []texts.EntityObservations{{Entity: "postgres", Contents: []string{"is fast"}}}})
	if got := l.FoundEntity("postgres").Origin; got != memory.OriginWeb {
		t.Errorf("with what the web says: %q", got) // what is derived takes the lowest tier of its sources
	}
}

func TestWhatWasDeletedFromTheGraphStaysDeleted(t *testing.T) {
	l, in := braintest.NewGraph(t)
	file := l.Exported()
	braintest.Must(l.Lab, texts.DeleteEntities, texts.NamesInput{GraphInput: in, Names: []string{"postgres"}})
	braintest.Must(l.Lab, texts.DeleteObservations, texts.ObservationsInput{GraphInput: in, Observations: []texts.EntityObservations{{Entity: "billing", Contents: []string{"owns invoices"}}}})
	braintest.Must(l.Lab, texts.DeleteRelations, texts.RelationsInput{GraphInput: in, Relations: []memory.Relation{{From: "Ada", Type: "maintains", To: "billing"}}})
	before := asJSON(t, braintest.Must(l.Lab, texts.ReadGraph, in))
	for _, mine := range []bool{true, false} {
		l.Imports(file, mine)
		sameJSON(t, "after the export came back", braintest.Must(l.Lab, texts.ReadGraph, in), before)
	}
	lines := filepath.Join(t.TempDir(), "memory.jsonl")
	must.Do(t, os.WriteFile(lines, []byte(`{"type":"entity","name":"postgres","entityType":"database","observations":["x"]}
{"type":"entity","name":"billing","entityType":"service","observations":["owns invoices"]}
{"type":"relation","from":"billing","to":"postgres","relationType":"depends on"}
`), 0o600))
	moved := braintest.Must(l.Lab, learn.MoveIn, learn.MoveInInput{Scope: l.Scope(), Path: lines, Format: "mcp-memory"})
	if len(moved.Problems) > 0 {
		t.Errorf("problems: %q", moved.Problems)
	}
	sameJSON(t, "after another tool's file", braintest.Must(l.Lab, texts.ReadGraph, in), before)

	elsewhere := braintest.NewLab(t) // the tombstones travel
	elsewhere.Imports(l.Exported(), true)
	elsewhere.Imports(file, true)
	if got := asJSON(t, braintest.Must(elsewhere, texts.ReadGraph, texts.GraphInput{Scope: brain.Scope{All: true}})); got != before {
		t.Errorf("elsewhere: %s\nwant %s", got, before)
	}
	braintest.Must(l.Lab, texts.CreateEntities, texts.EntitiesInput{GraphInput: in, Entities: []texts.Entity{{Name: "postgres"}}})
	if got := braintest.Must(l.Lab, texts.ReadGraph, in); len(got.Entities) != 3 {
		t.Errorf("said again: %+v", got)
	}
}

func TestWhatIsDeletedFromTheGraphLeavesTheFile(t *testing.T) {
	l, in := braintest.NewGraph(t)
	const secret = "zanzibarpassphrase"
	braintest.Must(l.Lab, texts.AddObservations, texts.ObservationsInput{GraphInput: in, Observations: []texts.EntityObservations{{Entity: "Ada", Contents: []string{secret}}}})
	if !l.OnDisk(secret) {
		t.Fatal("it was never written")
	}
	braintest.Must(l.Lab, texts.DeleteObservations, texts.ObservationsInput{GraphInput: in, Observations: []texts.EntityObservations{{Entity: "Ada", Contents: []string{secret}}}})
	if l.OnDisk(secret) {
		t.Error("its bytes are still there")
	}
}
