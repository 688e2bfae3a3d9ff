package brain

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
)

// asJSON is a result as a client of the memory server sees it.
func asJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func sameJSON(t *testing.T, what string, got any, want string) {
	t.Helper()
	if text := asJSON(t, got); text != want {
		t.Errorf("%s: %s\nwant %s", what, text, want)
	}
}

// newGraph is a library with a small graph.
func newGraph(t *testing.T) (*library, KnowledgeInput) {
	t.Helper()
	l := newLibrary(t)
	in := KnowledgeInput{Scope: l.scope()}
	must(l.lab, CreateEntities, EntitiesInput{KnowledgeInput: in, Entities: []KnownEntity{
		{Name: "billing", Type: "service", Observations: []string{"owns invoices", "written in Go"}},
		{Name: "postgres", Type: "database"},
		{Name: "Ada", Type: "person", Observations: []string{"reviews every migration"}},
	}})
	must(l.lab, CreateRelations, RelationsInput{KnowledgeInput: in, Relations: []memory.Relation{
		{From: "billing", Type: "depends on", To: "postgres"}, {From: "Ada", Type: "maintains", To: "billing"},
	}})
	return l, in
}

// What each operation returns is what the reference memory server of the Model Context Protocol returns.
func TestKnowledgeAnswersLikeTheReferenceServer(t *testing.T) {
	l, in := newGraph(t)
	const billing = `{"name":"billing","entityType":"service","observations":["owns invoices","written in Go"]}`
	const ada, database = `{"name":"Ada","entityType":"person","observations":["reviews every migration"]}`, `{"name":"postgres","entityType":"database","observations":[]}`
	const depends, maintains = `{"from":"billing","to":"postgres","relationType":"depends on"}`, `{"from":"Ada","to":"billing","relationType":"maintains"}`
	entities := func(list ...KnownEntity) EntitiesInput { return EntitiesInput{KnowledgeInput: in, Entities: list} }
	said := func(entity string, contents ...string) ObservationsInput {
		return ObservationsInput{KnowledgeInput: in, Observations: []EntityObservations{{Entity: entity, Contents: contents}}}
	}
	related := func(from, how, to string) RelationsInput {
		return RelationsInput{KnowledgeInput: in, Relations: []memory.Relation{{From: from, Type: how, To: to}}}
	}

	sameJSON(t, "create_entities returns the new ones",
		must(l.lab, CreateEntities, entities(KnownEntity{Name: "billing", Type: "other"}, KnownEntity{Name: "kafka", Type: "queue", Observations: []string{"a", "a"}})),
		`[{"name":"kafka","entityType":"queue","observations":["a"]}]`)
	sameJSON(t, "create_entities of what is there", must(l.lab, CreateEntities, entities(KnownEntity{Name: "kafka"})), `[]`)
	sameJSON(t, "create_relations returns the new ones", must(l.lab, CreateRelations, related("billing", "depends on", "postgres")), `[]`)
	sameJSON(t, "create_relations", must(l.lab, CreateRelations, related("billing", "writes to", "kafka")), `[{"from":"billing","to":"kafka","relationType":"writes to"}]`)
	sameJSON(t, "add_observations returns what is new", must(l.lab, AddObservations, said("kafka", "a", "b")),
		`[{"entityName":"kafka","addedObservations":["b"]}]`)
	for _, in := range []ObservationsInput{said("nobody", "x")} {
		if _, err := Run(t.Context(), l.Brain, AddObservations, in); !errors.Is(err, memory.ErrNotFound) || !strings.Contains(err.Error(), "nobody") {
			t.Errorf("add_observations to nobody: %v", err)
		}
	}
	if _, err := Run(t.Context(), l.Brain, CreateRelations, related("billing", "knows", "nobody")); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("create_relations to nobody: %v", err)
	}
	sameJSON(t, "delete_observations", must(l.lab, DeleteObservations, said("kafka", "b", "never said")), `{"removed":1}`)
	sameJSON(t, "delete_observations of nobody", must(l.lab, DeleteObservations, said("nobody", "b")), `{"removed":0}`)
	sameJSON(t, "delete_relations", must(l.lab, DeleteRelations, related("billing", "writes to", "kafka")), `{"removed":1}`)
	sameJSON(t, "delete_relations again", must(l.lab, DeleteRelations, related("billing", "writes to", "kafka")), `{"removed":0}`)
	sameJSON(t, "delete_entities", must(l.lab, DeleteEntities, NamesInput{KnowledgeInput: in, Names: []string{"kafka", "nobody"}}), `{"removed":1}`)

	sameJSON(t, "read_graph", must(l.lab, ReadGraph, in), `{"entities":[`+ada+`,`+billing+`,`+database+`],"relations":[`+maintains+`,`+depends+`]}`)
	search := func(query string) Knowledge {
		return must(l.lab, SearchNodes, SearchNodesInput{KnowledgeInput: in, Query: query})
	}
	sameJSON(t, "search_nodes by an observation", search("INVOICES"), `{"entities":[`+billing+`],"relations":[]}`)
	sameJSON(t, "search_nodes by a type", search("database"), `{"entities":[`+database+`],"relations":[]}`)
	sameJSON(t, "search_nodes by words apart", search("go invoices"), `{"entities":[`+billing+`],"relations":[]}`)
	sameJSON(t, "search_nodes with relations among the found", search("s"), `{"entities":[`+ada+`,`+billing+`,`+database+`],"relations":[`+maintains+`,`+depends+`]}`)
	sameJSON(t, "search_nodes without a hit", search("zebra"), `{"entities":[],"relations":[]}`)
	open := func(names ...string) Knowledge {
		return must(l.lab, OpenNodes, NamesInput{KnowledgeInput: in, Names: names})
	}
	sameJSON(t, "open_nodes", open("postgres", "billing", "nobody"), `{"entities":[`+billing+`,`+database+`],"relations":[`+depends+`]}`)
	sameJSON(t, "open_nodes of nobody", open("nobody"), `{"entities":[],"relations":[]}`)

	everywhere := KnowledgeInput{Scope: l.scope(), Everywhere: true}
	sameJSON(t, "the person's own", must(l.lab, ReadGraph, everywhere), `{"entities":[],"relations":[]}`)
	must(l.lab, CreateEntities, EntitiesInput{KnowledgeInput: everywhere, Entities: []KnownEntity{{Name: "laptop"}}})
	if all := must(l.lab, ReadGraph, KnowledgeInput{Scope: Scope{Dir: l.dir, All: true}}); len(all.Entities) != 4 {
		t.Errorf("all: %+v", all)
	}
}

func TestEntitiesAreRenamedAndMerged(t *testing.T) {
	l, in := newGraph(t)
	sameJSON(t, "renamed", must(l.lab, RenameEntity, RenameInput{KnowledgeInput: in, From: "billing", To: " billing  service "}),
		`{"name":"billing service","entityType":"service","observations":["owns invoices","written in Go"]}`)
	must(l.lab, CreateEntities, EntitiesInput{KnowledgeInput: in, Entities: []KnownEntity{{Name: "invoicing", Observations: []string{"owns invoices", "sends mail"}}}})
	must(l.lab, CreateRelations, RelationsInput{KnowledgeInput: in, Relations: []memory.Relation{{From: "invoicing", Type: "reads", To: "postgres"}}})
	sameJSON(t, "merged", must(l.lab, MergeEntities, RenameInput{KnowledgeInput: in, From: "billing service", To: "invoicing"}),
		`{"name":"invoicing","entityType":"service","observations":["owns invoices","sends mail","written in Go"]}`)
	sameJSON(t, "what it leads to", must(l.lab, OpenNodes, NamesInput{KnowledgeInput: in, Names: []string{"invoicing", "postgres", "Ada"}}).Relations,
		`[{"from":"Ada","to":"invoicing","relationType":"maintains"},{"from":"invoicing","to":"postgres","relationType":"depends on"},`+
			`{"from":"invoicing","to":"postgres","relationType":"reads"}]`)
	for query, want := range map[string]int{"written Go mail": 1, "billing": 0} {
		if found := l.find(query, onlyKinds(EntityText)); len(found) != want {
			t.Errorf("%q finds %d, want %d: %v", query, len(found), want, found)
		}
	}
	for _, c := range []struct {
		from, to string
		want     error
	}{{"invoicing", "postgres", memory.ErrConflict}, {"nobody", "x", memory.ErrNotFound}, {"invoicing", " ", memory.ErrInvalid}} {
		if _, err := Run(t.Context(), l.Brain, RenameEntity, RenameInput{KnowledgeInput: in, From: c.from, To: c.to}); !errors.Is(err, c.want) {
			t.Errorf("rename %s to %s: %v, want %v", c.from, c.to, err, c.want)
		}
	}
	if _, err := Run(t.Context(), l.Brain, MergeEntities, RenameInput{KnowledgeInput: in, From: "invoicing", To: "nobody"}); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("merge into nobody: %v", err)
	}
}

func TestKnowledgeIsFoundBySearchWithItsOrigin(t *testing.T) {
	l, in := newGraph(t)
	const secret = "ghp_0123456789abcdefghijklmnopqrstuvwxyzAB"
	found := l.find("who owns invoices")
	if len(found) == 0 || found[0].Kind != EntityText || found[0].Title != "billing" || found[0].Origin != memory.OriginUser {
		t.Fatalf("found %+v", found)
	}
	must(l.lab, AddObservations, ObservationsInput{
		KnowledgeInput: in, Origin: memory.OriginAgent,
		Observations: []EntityObservations{{Entity: "billing", Contents: []string{"rounds half to even", "deploys with " + secret, "<private>whisper</private>"}}},
	})
	found = l.find("rounds half to even")
	if len(found) == 0 || found[0].Title != "billing" || found[0].Origin != memory.OriginAgent {
		t.Errorf("what an agent added makes the whole less trusted: %+v", found)
	}
	must(l.lab, CreateEntities, EntitiesInput{KnowledgeInput: in, Entities: []KnownEntity{{Name: "key " + secret, Type: secret}}})
	if text := asJSON(t, must(l.lab, ReadGraph, in)) + asJSON(t, l.find("deploys key")); strings.Contains(text, secret) || strings.Contains(text, "whisper") {
		t.Errorf("a secret is kept: %s", text)
	}
	must(l.lab, DeleteEntities, NamesInput{KnowledgeInput: in, Names: []string{"billing"}})
	if found := l.find("invoices", onlyKinds(EntityText)); len(found) > 0 {
		t.Errorf("what is removed is found: %+v", found)
	}
}

func (l *library) foundEntity(name string) Found {
	l.t.Helper()
	for _, f := range must(l.lab, SearchTexts, SearchInput{Scope: l.scope(), Query: name, Kinds: []string{EntityText}}).Found {
		if f.Title == name {
			return f
		}
	}
	l.t.Fatalf("%s was not found", name)
	return Found{}
}

func TestAnEntityHasTheOriginOfWhoNamedIt(t *testing.T) {
	l, in := newGraph(t)
	must(l.lab, CreateEntities, EntitiesInput{KnowledgeInput: in, Origin: memory.OriginAgent, Entities: []KnownEntity{{Name: "kafka"}, {Name: "postgres"}}})
	for name, want := range map[string]memory.Origin{"postgres": memory.OriginUser, "kafka": memory.OriginAgent, "billing": memory.OriginUser} {
		if got := l.foundEntity(name).Origin; got != want {
			t.Errorf("%s is of origin %q, want %q", name, got, want)
		}
	}
	must(l.lab, AddObservations, ObservationsInput{KnowledgeInput: in, Origin: memory.OriginWeb, Observations: []EntityObservations{{Entity: "postgres", Contents: []string{"is fast"}}}})
	if got := l.foundEntity("postgres").Origin; got != memory.OriginWeb {
		t.Errorf("with what the web says: %q", got) // what is derived takes the lowest tier of its sources
	}
}

func TestWhatWasDeletedFromTheGraphStaysDeleted(t *testing.T) {
	l, in := newGraph(t)
	file := l.exported()
	must(l.lab, DeleteEntities, NamesInput{KnowledgeInput: in, Names: []string{"postgres"}})
	must(l.lab, DeleteObservations, ObservationsInput{KnowledgeInput: in, Observations: []EntityObservations{{Entity: "billing", Contents: []string{"owns invoices"}}}})
	must(l.lab, DeleteRelations, RelationsInput{KnowledgeInput: in, Relations: []memory.Relation{{From: "Ada", Type: "maintains", To: "billing"}}})
	before := asJSON(t, must(l.lab, ReadGraph, in))
	for _, mine := range []bool{true, false} {
		l.imports(file, mine)
		sameJSON(t, "after the export came back", must(l.lab, ReadGraph, in), before)
	}
	lines := filepath.Join(t.TempDir(), "memory.jsonl")
	err := os.WriteFile(lines, []byte(`{"type":"entity","name":"postgres","entityType":"database","observations":["x"]}
{"type":"entity","name":"billing","entityType":"service","observations":["owns invoices"]}
{"type":"relation","from":"billing","to":"postgres","relationType":"depends on"}
`), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	moved := must(l.lab, MoveIn, MoveInInput{Scope: l.scope(), Path: lines})
	if len(moved.Problems) > 0 {
		t.Errorf("problems: %q", moved.Problems)
	}
	sameJSON(t, "after another tool's file", must(l.lab, ReadGraph, in), before)

	elsewhere := newLab(t) // the tombstones travel
	elsewhere.imports(l.exported(), true)
	elsewhere.imports(file, true)
	if got := asJSON(t, must(elsewhere, ReadGraph, KnowledgeInput{Scope: Scope{All: true}})); got != before {
		t.Errorf("elsewhere: %s\nwant %s", got, before)
	}
	must(l.lab, CreateEntities, EntitiesInput{KnowledgeInput: in, Entities: []KnownEntity{{Name: "postgres"}}})
	if got := must(l.lab, ReadGraph, in); len(got.Entities) != 3 {
		t.Errorf("said again: %+v", got)
	}
}

func TestWhatIsDeletedFromTheGraphLeavesTheFile(t *testing.T) {
	l, in := newGraph(t)
	const secret = "zanzibarpassphrase"
	must(l.lab, AddObservations, ObservationsInput{KnowledgeInput: in, Observations: []EntityObservations{{Entity: "Ada", Contents: []string{secret}}}})
	if !l.onDisk(secret) {
		t.Fatal("it was never written")
	}
	must(l.lab, DeleteObservations, ObservationsInput{KnowledgeInput: in, Observations: []EntityObservations{{Entity: "Ada", Contents: []string{secret}}}})
	if l.onDisk(secret) {
		t.Error("its bytes are still there")
	}
}

// onDisk reports whether a text stands anywhere in the files of the store.
func (l *library) onDisk(text string) bool {
	l.t.Helper()
	files, err := filepath.Glob(l.config.Database() + "*")
	if err != nil || len(files) == 0 {
		l.t.Fatal("no files", err)
	}
	for _, name := range files {
		if data, err := os.ReadFile(name); err != nil {
			l.t.Fatal(err)
		} else if bytes.Contains(data, []byte(text)) {
			return true
		}
	}
	return false
}
