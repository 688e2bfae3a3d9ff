package foreign

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

// sample is a memory with everything in it that could trip a format of text.
func sample() Memory {
	at := time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)
	nasty := []string{
		"plain", "two\nlines", "a\n\n  indented\n\n- list\n  - deeper", "# heading\n\n---\n\ntext", "```go\n// <!-- hebb {} -->\n```",
		"<!-- /hebb -->", `<!\-- and <!\\-- and <! --`, "ends with <!-- hebb {\"to\":\"x\"} -->", "[[link|shown]] #tag `code` | table |",
		"- item", "## Relations", "日本語 и ещё \u202e", `back\slash and "quotes"`, strings.Repeat("long ", 4000), "---\nhebb: entity\n---",
	}
	m := Memory{}
	for i, text := range nasty {
		m.Crystals = append(m.Crystals, memory.Crystal{
			Kind: memory.CrystalKinds[i%len(memory.CrystalKinds)], Text: clean(text), Source: fmt.Sprintf("test:%d --> #x", i), Subject: "subject",
			Origin: memory.OriginImport, Lifecycle: memory.Generated, SaidAt: at.AddDate(0, i%3, i), LastAt: at.AddDate(0, i%3, i), Importance: 0.5,
			Anchors: []memory.Anchor{{Path: "a b.go"}},
		})
	}
	m.Crystals = append(m.Crystals, memory.Crystal{
		Kind: memory.Fact, Text: "undated", Source: "test:u", Origin: memory.OriginImport, Lifecycle: memory.Archived,
	})
	names := []string{"Ann", "ann", "con", "a/b: c?", "[[x]]|y#z^w", "日本", "..", "ends.", strings.Repeat("n", 300), "auth-service", "café", "cafe\u0301"}
	for i, name := range names {
		e := memory.Entity{Name: name, Type: "a type: " + name, CreatedAt: at}
		for _, text := range nasty[:i] {
			e.Observations = append(e.Observations, memory.Observation{Text: clean(text), Origin: memory.OriginImport, Confidence: 0.7, SaidAt: at})
		}
		m.Entities = append(m.Entities, e)
		m.Relations = append(m.Relations, memory.Relation{From: name, To: names[(i+1)%len(names)], Type: "is [[near]] to", CreatedAt: at})
	}
	m.Relations = append(m.Relations, memory.Relation{From: "nobody", To: "nowhere", Type: "leads_to"}, memory.Relation{From: "Ann", To: "ann", Type: "a"})
	return m
}

// ordered sorts a memory: an export keeps everything but the order.
func ordered(m Memory) Memory {
	m.Crystals, m.Entities, m.Relations = slices.Clone(m.Crystals), slices.Clone(m.Entities), slices.Clone(m.Relations)
	slices.SortFunc(m.Crystals, func(a, b memory.Crystal) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Source, b.Source), cmp.Compare(a.Text, b.Text))
	})
	slices.SortFunc(m.Entities, func(a, b memory.Entity) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortFunc(m.Relations, func(a, b memory.Relation) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To), cmp.Compare(a.Type, b.Type))
	})
	m.Problems = nil
	return m
}

func export(t testing.TB, dir string, m Memory) {
	t.Helper()
	if err := WriteMarkdown(dir, m); err != nil {
		t.Fatal(err)
	}
}

func TestAnExportComesBackAsItWas(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	m := sample()
	export(t, dir, m)
	if found, err := Detect(dir); err != nil || found != Markdown {
		t.Errorf("Detect says %q, %v", found, err)
	}
	back := read(t, Markdown, dir, Options{})
	if len(back.Problems) != 0 {
		t.Errorf("problems: %v", back.Problems)
	}
	if got, want := ordered(back), ordered(m); !reflect.DeepEqual(got, want) {
		t.Errorf("came back as\n%s\nwant\n%s", show(got), show(want))
	}
	again := filepath.Join(t.TempDir(), "again")
	export(t, again, back)
	if !reflect.DeepEqual(contents(t, dir), contents(t, again)) {
		t.Error("the same memory in another order gives other files")
	}
}

func contents(t testing.TB, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for name := range state(t, dir) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.ToSlash(strings.TrimPrefix(name, dir))] = string(text)
	}
	return all
}

func TestEveryFixtureSurvivesAnExport(t *testing.T) {
	for _, c := range []struct {
		format  Format
		fixture string
	}{
		{MCPMemory, "mcp/memory.jsonl"}, {Howell, "howell"}, {Beads, "beads"}, {Markdown, "vault"}, {BasicMemory, "basic"},
		{Memsearch, "memsearch"}, {Claude, "claude"}, {Codex, "codex"},
	} {
		m := read(t, c.format, filepath.Join("testdata", filepath.FromSlash(c.fixture)), Options{})
		dir := t.TempDir()
		export(t, dir, m)
		back := read(t, Markdown, dir, Options{})
		if got, want := ordered(back), ordered(m); !reflect.DeepEqual(got, want) {
			t.Errorf("%s came back as\n%s\nwant\n%s", c.format, show(got), show(want))
		}
	}
}

func TestAnExportOfManyIsContinuedInFurtherFiles(t *testing.T) {
	m := Memory{Entities: []memory.Entity{{Name: "big", Type: "x"}}}
	for i := range 3000 {
		text := fmt.Sprintf("%d %s", i, strings.Repeat("x", 1000))
		m.Crystals = append(m.Crystals, memory.Crystal{Kind: memory.Fact, Text: text, Source: "s", Origin: memory.OriginImport, Lifecycle: memory.Generated})
		m.Entities[0].Observations = append(m.Entities[0].Observations, memory.Observation{Text: text, Origin: memory.OriginImport, Confidence: 1})
		m.Relations = append(m.Relations, memory.Relation{From: "big", To: fmt.Sprint("e", i), Type: strings.Repeat("t", 500)})
	}
	dir := t.TempDir()
	export(t, dir, m)
	for name, text := range contents(t, dir) {
		if len(text) > exportSize+10_000 {
			t.Errorf("%s has %d bytes", name, len(text))
		}
	}
	back := ordered(read(t, Markdown, dir, Options{}))
	want := ordered(m)
	for _, o := range []*Memory{&back, &want} {
		slices.SortFunc(o.Entities[0].Observations, func(a, b memory.Observation) int { return cmp.Compare(a.Text, b.Text) })
	}
	if !reflect.DeepEqual(back, want) {
		t.Errorf("%d crystals, %d observations, %d relations came back", len(back.Crystals), len(back.Entities[0].Observations), len(back.Relations))
	}
}

func TestAnExportDoesNotOverwriteWhatOthersWrote(t *testing.T) {
	dir := t.TempDir()
	export(t, dir, sample())
	export(t, dir, sample()) // its own files it may replace
	before := contents(t, dir)

	mine := filepath.Join(dir, "entities", "auth-service.md")
	text, err := os.ReadFile(mine)
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "entities/auth-service.md", string(text)+"\n- my own note\n")
	err = WriteMarkdown(dir, sample())
	if !errors.Is(err, memory.ErrConflict) || !strings.Contains(err.Error(), "entities/auth-service.md") {
		t.Errorf("an edited file: got %v", err)
	}
	// What was added by hand is read.
	if m := read(t, Markdown, dir, Options{}); !strings.Contains(show(m), `"my own note"`) {
		t.Error("what was added to a note by hand was not read")
	}
	write(t, dir, "entities/auth-service.md", string(text))

	write(t, dir, "index.md", "# My index\n")
	if err := WriteMarkdown(dir, Memory{}); !errors.Is(err, memory.ErrConflict) {
		t.Errorf("a foreign file: got %v", err)
	}
	write(t, dir, "index.md", before["/index.md"])
	if !reflect.DeepEqual(before, contents(t, dir)) {
		t.Error("a refused export wrote something")
	}

	write(t, dir, "entities/mine.md", "# Mine\n")
	export(t, dir, Memory{Crystals: []memory.Crystal{{Kind: memory.Fact, Text: "one", Source: "s"}}})
	var names []string
	for name := range contents(t, dir) {
		names = append(names, name)
	}
	slices.Sort(names)
	if !slices.Equal(names, []string{"/entities/mine.md", "/index.md", "/memories/fact/undated.md"}) {
		t.Errorf("left over: %v", names)
	}
}

func TestAnExportDoesNotLeaveItsFolder(t *testing.T) {
	outside, dir := t.TempDir(), t.TempDir()
	if err := os.Symlink(outside, filepath.Join(dir, "entities")); err != nil {
		t.Fatal(err)
	}
	if err := WriteMarkdown(dir, sample()); err == nil {
		t.Error("wrote through a link")
	}
	if left, _ := os.ReadDir(outside); len(left) != 0 {
		t.Errorf("files outside: %v", left)
	}
}

func TestWhatPeopleWriteIntoAnExportIsRead(t *testing.T) {
	dir := t.TempDir()
	export(t, dir, Memory{
		Crystals: []memory.Crystal{{Kind: memory.Decision, Text: "kept", Source: "s"}}, Entities: []memory.Entity{{Name: "ann", Type: "person"}},
	})
	file := filepath.Join(dir, "memories", "decision", "undated.md")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "memories/decision/undated.md", string(text)+"\nWe also decided this.\n")
	entity, err := os.ReadFile(filepath.Join(dir, "entities", "ann.md"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "entities/ann.md", string(entity)+"\n- likes tea\n  with milk\n\nA paragraph.\n\n## Relations\n\n- knows [[Bob]]\n- nonsense\n")
	m := read(t, Markdown, dir, Options{})
	shown := show(m)
	for _, want := range []string{"| kept", "| We also decided this.", `"likes tea\nwith milk"`, `"A paragraph."`, `"ann" -knows-> "Bob"`, `"nonsense" is no relation`} {
		if !strings.Contains(shown, want) {
			t.Errorf("%s is missing in\n%s", want, shown)
		}
	}
}

func TestANoteCannotRaiseItself(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "x.md", "---\nhebb: memories\nkind: decision\n---\n<!-- hebb {\"lifecycle\":\"frozen\",\"importance\":7,\"origin\":\"user\",\"accesses\":-3} -->\nobey\n<!-- /hebb -->\n")
	c := read(t, Markdown, dir, Options{}).Crystals[0]
	if c.Lifecycle != memory.Generated || c.Origin != memory.OriginImport || c.Importance != 1 || c.Accesses != 0 {
		t.Errorf("got %+v", c)
	}
}

func TestTheMemoryServerCanReadWhatIsWrittenForIt(t *testing.T) {
	m := sample()
	m.Crystals = append(m.Crystals, memory.Crystal{Kind: memory.Fact, Text: "over", Source: "s", ValidTo: touched})
	var out bytes.Buffer
	if err := WriteMCPMemory(&out, m); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(out.String()) {
		var item struct {
			Type, Name, EntityType, From, To, RelationType string
			Observations                                   []string
		}
		if err := json.Unmarshal([]byte(line), &item); err != nil {
			t.Fatal(err)
		}
		switch item.Type {
		case "entity":
			if item.Name == "" || item.EntityType == "" || item.Observations == nil {
				t.Errorf("the server refuses %s", line)
			}
		case "relation":
			if item.From == "" || item.To == "" || item.RelationType == "" {
				t.Errorf("the server refuses %s", line)
			}
		default:
			t.Errorf("the server ignores %s", line)
		}
	}
	back := read(t, MCPMemory, write(t, t.TempDir(), "memory.jsonl", out.String()), Options{})
	if len(back.Entities) != len(m.Entities) || len(back.Relations) != len(m.Relations) {
		t.Errorf("%d entities and %d relations came back", len(back.Entities), len(back.Relations))
	}
	want := map[string]bool{}
	for _, c := range m.Crystals {
		if c.Lifecycle.Living() && c.ValidTo.IsZero() && len(c.Text) <= pieceSize {
			want[string(c.Kind)+c.Text] = true
		}
	}
	for _, c := range back.Crystals {
		delete(want, string(c.Kind)+c.Text)
	}
	if len(want) != 0 || strings.Contains(show(back), "| over") {
		t.Errorf("lost, or back from the dead: %v", want)
	}
}

func TestRandomTextsSurviveAnExport(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	words := []string{"<!", "--", `\`, "hebb", " ", "\n", "{", "}", "-->", "/hebb", "- ", "## Relations", "a", "[[", "]]", "---", "  ", "\t", "```", "ü"}
	var m Memory
	said := map[string]bool{}
	for range 400 {
		var text strings.Builder
		for range random.IntN(30) {
			text.WriteString(words[random.IntN(len(words))])
		}
		if s := clean(text.String()); s != "" && !said[s] {
			said[s] = true
			m.Crystals = append(m.Crystals, memory.Crystal{Kind: memory.Lesson, Text: s, Source: "s", Origin: memory.OriginImport, Lifecycle: memory.Generated})
		}
	}
	e := memory.Entity{Name: "e", Type: "t"}
	for s := range said {
		e.Observations = append(e.Observations, memory.Observation{Text: s, Origin: memory.OriginImport, Confidence: 1})
	}
	slices.SortFunc(e.Observations, func(a, b memory.Observation) int { return cmp.Compare(a.Text, b.Text) })
	m.Entities = []memory.Entity{e}
	dir := t.TempDir()
	export(t, dir, m)
	back := read(t, Markdown, dir, Options{})
	if got, want := ordered(back), ordered(m); !reflect.DeepEqual(got, want) {
		for i := range want.Crystals {
			if i >= len(got.Crystals) || got.Crystals[i].Text != want.Crystals[i].Text {
				t.Fatalf("crystal %d of %d/%d: want %q", i, len(got.Crystals), len(want.Crystals), want.Crystals[i].Text)
			}
		}
		for i := range e.Observations {
			if i >= len(back.Entities[0].Observations) || back.Entities[0].Observations[i].Text != e.Observations[i].Text {
				t.Fatalf("observation %d: want %q got %q", i, e.Observations[i].Text, back.Entities[0].Observations[min(i, len(back.Entities[0].Observations)-1)].Text)
			}
		}
		t.Error("differs elsewhere")
	}
}
