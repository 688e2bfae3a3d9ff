package texts_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/forget"
	"github.com/hebb-memory/hebb/internal/learn"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/sleep"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/texts"
	"github.com/hebb-memory/hebb/internal/vocab"
)

func onlyKinds(kinds ...string) func(in *texts.SearchInput) {
	return func(in *texts.SearchInput) { in.Kinds = kinds }
}

// words are made of syllables: none is the beginning of another, and stems differ as the words do.
func words(n int) (list []string) {
	stems := map[string]bool{}
	for _, a := range []string{"ba", "do", "fi", "gu", "ke", "lo", "mi", "nu", "pa", "ro"} {
		for _, b := range []string{"lk", "mp", "nt", "rk", "sk", "ft", "zz", "gr"} {
			for _, c := range []string{"on", "ar", "im", "ot"} {
				w := a + b + c
				if s := vocab.Words(w); len(s) == 1 && !stems[s[0]] && len(list) < n {
					stems[s[0]] = true
					list = append(list, w)
				}
			}
		}
	}
	return list
}

// Three thousand notes that differ in one word from a hundred others: each is found by its own words, as the first.
func TestNearAlikeNotesAreEachFoundAgain(t *testing.T) {
	l := braintest.NewLibrary(t)
	vocabulary := words(110)
	workers, queues := vocabulary[:60], vocabulary[60:]
	var kept, queries []string
	for _, w := range workers {
		for _, q := range queues {
			kept = append(kept, fmt.Sprintf("the %s worker retries the %s queue twice before it gives up", w, q))
			queries = append(queries, w+" worker "+q+" queue")
		}
	}
	if len(kept) != 3000 {
		t.Fatalf("%d texts", len(kept))
	}
	l.Many(kept)
	lost := 0
	for _, i := range must.Part(t, len(queries), 10) {
		query := queries[i]
		if found := l.Find(query, func(in *texts.SearchInput) { in.Limit = 1 }); len(found) != 1 || found[0].Text != kept[i] {
			if lost++; lost < 5 {
				t.Errorf("%q finds %v", query, found)
			}
		}
	}
	if lost > 0 {
		t.Errorf("%d of %d are lost", lost, len(kept))
	}
}

// Whatever stands beside it in a question, a word that occurs is found.
func TestAWordThatOccursIsNeverAnsweredWithNothing(t *testing.T) {
	l := braintest.NewLibrary(t)
	l.Config.Tuning.Search.LeadTexts = 10 // so that few texts are many
	vocabulary := words(40)
	var kept []string
	for _, w := range vocabulary[:20] {
		kept = append(kept, "alder grows beside "+w)
	}
	for _, w := range vocabulary[20:] {
		kept = append(kept, "birch grows beside "+w)
	}
	l.Many(kept)
	for _, query := range []string{
		"alder birch", "alder and birch and nothing else at all", "xylophone alder", vocabulary[0] + " " + vocabulary[39], "alder xylophone birch qqqq",
		"who said alder yesterday?", "alder AND NOT birch", `alder "`, "alder*", "(alder", "title:alder", "alder -birch",
	} {
		if len(l.Find(query)) == 0 {
			t.Errorf("%q finds nothing", query)
		}
	}
}

// What was superseded or has expired is better than nothing.
func TestHistoryAnswersWhereNothingElseDoes(t *testing.T) {
	l := braintest.NewLibrary(t)
	l.Remember("the message broker is rabbit")
	l.Passes(time.Hour)
	l.Remember("the message broker is kafka")
	l.Remember("the linter wants tabs", braintest.By(memory.OriginAgent))
	l.SleepOn(90, sleep.SleepInput{})
	l.Finds("rabbit", []string{"the message broker is rabbit"})
	l.Finds("linter tabs", []string{"the linter wants tabs"})
	l.Finds("message broker", []string{"the message broker is kafka"}) // history only where there is nothing else
}

func TestSnippetsFollowTheCode(t *testing.T) {
	l := braintest.NewLibrary(t)
	const one = "// Greet says hello.\nfunc Greet(name string) string {\n\tif name == \"\" {\n\t\tname = \"nobody\"\n\t}\n\treturn \"hello \" + name\n}\n"
	const two = "func Depart(name string) string {\n\tif name == \"\" {\n\t\tname = \"nobody\"\n\t}\n\treturn \"farewell \" + name\n}\n"
	read := func(changed, gone int) {
		t.Helper()
		out := braintest.Must(l.Lab, learn.ReadSnippets, learn.SnippetsInput{Dir: l.Dir})
		if out.Changed != changed || out.Gone != gone {
			t.Fatalf("read %+v, want %d changed and %d gone", out, changed, gone)
		}
	}
	l.Write("greet.go", "package shop\n\n"+one)
	l.Write("depart.go", "package shop\n\n"+two)
	read(2, 0)
	before := l.Snippets()
	if len(before) != 2 {
		t.Fatalf("snippets %v", before)
	}
	read(0, 0)
	l.Write("greet.go", "package shop\n\nimport \"fmt\"\n\nvar _ = fmt.Sprint\n\n"+one)
	read(1, 0)
	after := l.Snippets()
	id := func(s string) string { head, _, _ := strings.Cut(s, ":"); return head }
	if len(after) != 2 || id(after["Greet"]) != id(before["Greet"]) || after["Greet"] == before["Greet"] || after["Depart"] != before["Depart"] {
		t.Errorf("after lines moved %v, before %v", after, before)
	}
	l.Write("greet.go", "package shop\n\n"+strings.ReplaceAll(one, "nobody", "stranger"))
	read(1, 0)
	if found := l.Find("kind:snippet greet stranger", onlyKinds(memory.SnippetText)); len(found) == 0 || !strings.Contains(found[0].Text, "stranger") {
		t.Errorf("changed: %v", found)
	}
	for _, f := range l.Find("greet", onlyKinds(memory.SnippetText)) {
		if f.Path == "greet.go" && strings.Contains(f.Text, "nobody") {
			t.Errorf("the earlier text is still there: %s", f.Text)
		}
	}
	must.Do(t, os.Remove(filepath.Join(l.Dir, "depart.go")))
	read(0, 1)
	if got := l.Snippets(); len(got) != 1 || got["Greet"] == "" {
		t.Errorf("after a file is gone: %v", got)
	}
}

func TestMovingInTwiceAddsNothing(t *testing.T) {
	l, notes := braintest.NewLibrary(t), t.TempDir()
	for name, text := range map[string]string{
		"billing.md": "---\ndescription: owns invoices\n---\nThe invoice number never repeats, see [[postgres]].\n", "postgres.md": "Totals are kept in cents.\n",
	} {
		braintest.WriteFile(t, filepath.Join(notes, name), []byte(text))
	}
	in := learn.MoveInInput{Scope: l.Scope(), Path: notes, Format: "markdown"}
	dry := in
	dry.Dry = true
	if out := braintest.Must(l.Lab, learn.MoveIn, dry); out.Crystals != 2 || out.Entities != 2 || out.Observations != 1 || out.Relations != 1 {
		t.Errorf("dry: %+v", out)
	}
	if found := l.Find("invoice"); len(found) != 0 {
		t.Errorf("a dry run kept %v", found)
	}
	if out := braintest.Must(l.Lab, learn.MoveIn, in); out.Known != 0 || out.Format != "markdown" || len(out.Problems) > 0 {
		t.Errorf("first: %+v", out)
	}
	state := func() string {
		graph := braintest.Must(l.Lab, texts.ReadGraph, texts.GraphInput{Scope: l.Scope()})
		return fmt.Sprint(graph, len(l.Find("invoice number cents totals billing", braintest.WithHistory)), braintest.Must(l.Lab, answer.SearchTexts, texts.SearchInput{Scope: l.Scope(), Query: "x"}).Documents)
	}
	before := state()
	if out := braintest.Must(l.Lab, learn.MoveIn, in); out.Known != 2 {
		t.Errorf("second: %+v", out)
	}
	if after := state(); after != before {
		t.Errorf("after %s, before %s", after, before)
	}
	for _, f := range l.Find("invoice number billing") {
		if f.Origin != memory.OriginImport {
			t.Errorf("%q is from %s", f.Text, f.Origin)
		}
	}
}

func TestATextCanBeForgottenForGood(t *testing.T) {
	t.Parallel()
	l := braintest.NewLibrary(t)
	kept, gone := l.Remember("the blue door is open"), l.Remember("the red door is shut")
	if r := braintest.Must(l.Lab, steward.Forget, forget.ForgetInput{IDs: []memory.EventID{memory.EventID(gone.ID)}}); r.Texts != 1 || r.Applied || len(l.Find("red")) != 1 {
		t.Errorf("without a yes: %+v", r)
	}
	if r := braintest.Must(l.Lab, steward.Forget, forget.ForgetInput{IDs: []memory.EventID{memory.EventID(gone.ID)}, Apply: true}); r.Texts != 1 || !r.Applied {
		t.Errorf("%+v", r)
	}
	if found := l.Find("red", braintest.WithHistory); len(found) > 0 {
		t.Errorf("found %v", found)
	}
	if found := l.Find("blue"); len(found) != 1 || found[0].Ref != string(kept.ID) {
		t.Errorf("the other is gone too: %v", found)
	}
	braintest.Must(l.Lab, texts.CreateEntities, texts.EntitiesInput{GraphInput: texts.GraphInput{Scope: l.Scope()}, Entities: []texts.Entity{{Name: "door", Type: "thing"}}})
	if r := braintest.Must(l.Lab, steward.Forget, forget.ForgetInput{Scope: brain.Scope{Project: kept.Project.String()}, Apply: true}); r.Texts != 2 {
		t.Errorf("of the project: %+v", r)
	}
	if found := l.Find("door", braintest.WithHistory); len(found) > 0 {
		t.Errorf("after the project: %v", found)
	}
}
