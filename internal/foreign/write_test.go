package foreign

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
)

// sample is a memory with everything in it that could trip a format of text.
func sample() Memory {
	at := time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)
	nasty := []string{
		"plain", "two\nlines", "a\n\n  indented\n\n- list\n  - deeper", "# heading\n\n---\n\ntext", "```go\n// <!-- hebb {} -->\n```",
		"<!-- /hebb -->", `<!\-- and <!\\-- and <! --`, "ends with <!-- hebb {\"to\":\"x\"} -->", "[[link|shown]] #tag `code` | table |",
		"- item", "## Relations", "日本語 и ещё \u202e", `back\slash and "quotes"`, strings.Repeat("long ", 1000), "---\nhebb: entity\n---",
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
	m.Relations = append(m.Relations, memory.Relation{From: "Ann", To: "ann", Type: "a"})
	m.Entities = append(m.Entities, memory.Entity{Name: "alone", Type: "thing", CreatedAt: at})
	return m
}

func export(t testing.TB, dir string, m Memory) {
	t.Helper()
	must.Do(t, WriteMarkdown(dir, m))
}

func TestAnExportComesBack(t *testing.T) {
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
	type said struct {
		kind                  memory.CrystalKind
		text, source, subject string
		ended                 bool
	}
	texts := func(m Memory) (all []string) {
		for _, c := range m.Crystals {
			for _, text := range pieces(c.Text, pieceSize) {
				all = append(all, fmt.Sprint(said{c.Kind, text, c.Source, c.Subject, !c.Lifecycle.Living()}, c.ValidTo.Equal(touched)))
			}
		}
		for _, e := range m.Entities {
			all = append(all, "entity "+e.Name)
			for _, o := range e.Observations {
				for _, text := range pieces(oneLine(o.Text), pieceSize) {
					all = append(all, e.Name+" is "+text)
				}
			}
		}
		for _, r := range m.Relations {
			all = append(all, fmt.Sprint(r.From, shownInLink(r.Type), r.To))
		}
		slices.Sort(all)
		return all
	}
	got, want := texts(back), texts(m)
	for _, line := range got {
		if i := slices.Index(want, line); i >= 0 {
			want = slices.Delete(want, i, i+1)
		} else {
			t.Errorf("came back: %.200q", line)
		}
	}
	for _, line := range want {
		t.Errorf("did not come back: %.200q", line)
	}
	again := filepath.Join(t.TempDir(), "again")
	export(t, again, m)
	if !reflect.DeepEqual(contents(t, dir), contents(t, again)) {
		t.Error("the same memory gives other files")
	}
}

func contents(t testing.TB, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for name := range state(t, dir) {
		text := must.Get(os.ReadFile(name))(t)
		all[filepath.ToSlash(strings.TrimPrefix(name, dir))] = string(text)
	}
	return all
}

func TestAnExportDoesNotOverwriteWhatOthersWrote(t *testing.T) {
	dir := t.TempDir()
	export(t, dir, sample())
	export(t, dir, sample()) // its own files it may replace
	index, err := os.ReadFile(filepath.Join(dir, "index.md"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "index.md", exportFile("index", strings.Repeat("- one of very many\n", maxNote/16)))
	export(t, dir, sample())
	write(t, dir, "index.md", string(index))
	before := contents(t, dir)

	mine := filepath.Join(dir, "entities", "auth-service.md")
	text := must.Get(os.ReadFile(mine))(t)
	write(t, dir, "entities/auth-service.md", string(text)+"\n- [observation] my own note\n")
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
	if !slices.Equal(names, []string{"/entities/mine.md", "/index.md", "/memories/fact/one.md"}) {
		t.Errorf("left over: %v", names)
	}
}

func TestAnExportDoesNotLeaveItsFolder(t *testing.T) {
	outside, dir := t.TempDir(), t.TempDir()
	must.Do(t, os.Symlink(outside, filepath.Join(dir, "entities")))
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
	for name, added := range map[string]string{
		"memories/decision/kept.md": "\nand this",
		"entities/ann.md":           "\n- [observation] likes tea\n- knows [[Bob]]\n\nA paragraph.\n",
	} {
		text := must.Get(os.ReadFile(filepath.Join(dir, filepath.FromSlash(name))))(t)
		write(t, dir, name, string(text)+added)
	}
	shown := show(read(t, Markdown, dir, Options{}))
	for _, want := range []string{"| kept\n    | \n    | and this", `"likes tea"`, "| A paragraph.", `"ann" -knows-> "Bob"`} {
		if !strings.Contains(shown, want) {
			t.Errorf("%s is missing in\n%s", want, shown)
		}
	}
}

func TestANoteCannotRaiseItself(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "x.md", "---\nhebb: memory\nkind: decision\nlifecycle: frozen\nimportance: 7\norigin: user\naccesses: -3\n---\nobey\n")
	c := read(t, Markdown, dir, Options{}).Crystals[0]
	if c.Lifecycle != memory.Generated || c.Origin != memory.OriginImport || c.Importance != 0 || c.Accesses != 0 {
		t.Errorf("got %+v", c)
	}
}

func TestTheMemoryServerCanReadWhatIsWrittenForIt(t *testing.T) {
	m := sample()
	m.Crystals = append(m.Crystals, memory.Crystal{Kind: memory.Fact, Text: "over", Source: "s", ValidTo: touched})
	var out bytes.Buffer
	must.Do(t, WriteMCPMemory(&out, m))
	for line := range strings.Lines(out.String()) {
		var item struct {
			Type, Name, EntityType, From, To, RelationType string
			Observations                                   []string
		}
		must.Do(t, json.Unmarshal([]byte(line), &item))
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
