package texts_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/learn"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/texts"
	"github.com/hebb-memory/hebb/internal/transfer"
)

// coded writes n functions that are full of the words.
func coded(l *braintest.Library, n int, words []string) {
	l.T.Helper()
	var b strings.Builder
	b.WriteString("package shop\n")
	for i := range n {
		name := words[i%len(words)]
		fmt.Fprintf(&b, "\n// %s%d uses the %s of the %s and the %s.\nfunc %s%d() string {\n\t%s := %q\n\tif %s == \"\" {\n\t\treturn %q\n\t}\n\treturn %s\n}\n", name, i, name,
			words[(i/3)%len(words)], words[(i/7)%len(words)], name, i, name, words[(i/2)%len(words)], name, words[(i/5)%len(words)], name)
	}
	l.Write("shop.go", b.String())
	if out := braintest.Must(l.Lab, learn.ReadSnippets, learn.SnippetsInput{Dir: l.Dir}); out.Snippets != n {
		l.T.Fatalf("%d snippets, want %d", out.Snippets, n)
	}
}

func atMost(n int) func(*texts.SearchInput) { return func(in *texts.SearchInput) { in.Limit = n } }

// groupsOf are the groups of results, each once, in their order.
func groupsOf(found []texts.Found) (groups []memory.Group) {
	for _, f := range found {
		groups = append(groups, f.Group)
	}
	return slices.Compact(groups)
}

var decisions = []struct{ said, asked string }{
	{"we keep amounts as cents in integers because floats lost a coin", "how is money stored: float or integer cents"},
	{"the cache is Redis and not Memcached since we need sorted sets", "why redis for the cache"},
	{"sessions live in the database because cookies were too small", "where do sessions live, cookies or database"},
	{"logging goes to stderr as JSON so that the collector can parse it", "which format has logging"},
	{"we retry a payment three times and then park the order", "how often is a payment tried again"},
	{"tests must not reach the network, use the recorded answers", "may tests use the network"},
}

// Thousands of functions with the same words leave memories in the places they have without any code.
func TestCodeLeavesTheOrderOfMemoriesAlone(t *testing.T) {
	alone, beside := braintest.NewLibrary(t), braintest.NewLibrary(t)
	var words []string
	for _, d := range decisions {
		for w := range strings.FieldsSeq(d.said + " " + d.asked) {
			if w = strings.Trim(w, ",:"); len(w) > 3 && !slices.Contains(words, w) {
				words = append(words, w)
			}
		}
	}
	coded(beside, 2200, words)
	for _, l := range []*braintest.Library{alone, beside} {
		for _, d := range decisions {
			l.Remember(d.said, braintest.Of(memory.Decision))
		}
	}
	for _, d := range decisions {
		var want, got []string
		for _, f := range alone.Find(d.asked, atMost(10)) {
			want = append(want, f.Text)
		}
		found := beside.Find(d.asked, atMost(10))
		for _, f := range found {
			if f.Group == memory.GroupMemory {
				got = append(got, f.Text)
			}
		}
		if len(want) == 0 || want[0] != d.said || !slices.Equal(got, want[:min(len(want), len(got))]) {
			t.Errorf("%q finds %q, without code %q", d.asked, got, want)
		}
		if groups := groupsOf(found); !slices.Equal(groups, []memory.Group{memory.GroupMemory, memory.GroupCode}) || len(found) > 10 {
			t.Errorf("%q: %d results of groups %v", d.asked, len(found), groups)
		}
	}
}

// Each group has its places, and what one leaves the others have.
func TestAListIsSharedOutAmongTheGroups(t *testing.T) {
	l := braintest.NewLibrary(t)
	coded(l, 30, []string{"kettle"})
	for i := range 12 {
		l.Write(fmt.Sprintf("docs/d%d.md", i), fmt.Sprintf("# Kettle %d\n\nHow the kettle number %d is painted.\n", i, i))
		l.Remember(fmt.Sprintf("kettle %d is painted in colour %d", i, i+100))
	}
	braintest.Must(l.Lab, learn.ReadSnippets, learn.SnippetsInput{Dir: l.Dir})
	count := func(limit int, change ...func(*texts.SearchInput)) map[memory.Group]int {
		n := map[memory.Group]int{}
		for _, f := range l.Find("kettle", append(change, atMost(limit), func(in *texts.SearchInput) { in.Weak = true })...) {
			n[f.Group]++
		}
		return n
	}
	for limit, want := range map[int][3]int{1: {1, 0, 0}, 3: {3, 0, 0}, 4: {3, 1, 0}, 5: {3, 1, 1}, 10: {6, 2, 2}, 100: {12, 12, 30}, 0: {12, 12, 30}} {
		if n := count(limit); [3]int{n[memory.GroupMemory], n[memory.GroupDocument], n[memory.GroupCode]} != want {
			t.Errorf("%d results: %v, want %v", limit, n, want)
		}
	}
	if n := count(10, onlyKinds(memory.SnippetText)); n[memory.GroupCode] != 10 || len(n) != 1 {
		t.Errorf("code alone: %v", n)
	}
	if n := count(10, onlyKinds(memory.SnippetText, memory.DocumentText)); n[memory.GroupCode] != 5 || n[memory.GroupDocument] != 5 {
		t.Errorf("code and documents: %v", n)
	}
}

// gitLibrary is a library in a git repository.
func gitLibrary(t *testing.T) *braintest.Library {
	t.Helper()
	l := braintest.NewLibrary(t)
	l.Place = memory.Place{Identity: filepath.ToSlash(filepath.Join(l.Dir, ".git")), Root: filepath.ToSlash(l.Dir)}
	l.Git("init", "-q")
	if err := l.Recognise(t.Context(), l.Dir); err != nil { // without a commit it keeps its path
		t.Fatal(err)
	}
	return l
}

func TestDocumentsOfTheRepositoryAreFound(t *testing.T) {
	l := gitLibrary(t)
	l.Write(".gitignore", "private/\n")
	l.Write("private/plan.md", "# Plan\n\nThe marmalade plan.\n")
	l.Write("docs/adr/0001-parser.md", "# 1. Our own parser\n\n## Decision\n\nWe write the outline by hand.\n\n## Why no tree-sitter\n\nIt needs cgo, and the binary is static.\n")
	l.Write("README.md", "# Shop\n\nSells kettles. The key is ghp_0123456789abcdefghijklmnopqrstuvwxyzAB here.\n")
	coded(l, 300, []string{"tree", "sitter", "outline"})
	found := l.Find("why no tree-sitter", atMost(10))
	if len(found) == 0 || found[0].Path != "docs/adr/0001-parser.md" || found[0].Title != "1. Our own parser › Why no tree-sitter" || found[0].Lines == nil || found[0].Lines.First != 7 ||
		found[0].Origin != memory.OriginRepo || found[0].Kind != memory.DocumentText {
		t.Fatalf("found %+v", found)
	}
	l.Remember("tree-sitter may come back when it is pure Go")
	if groups := groupsOf(l.Find("why no tree-sitter", atMost(10))); !slices.Equal(groups, []memory.Group{memory.GroupMemory, memory.GroupDocument, memory.GroupCode}) {
		t.Errorf("groups %v", groups)
	}
	documents := func(query string) []texts.Found { return l.Find(query, onlyKinds(memory.DocumentText)) }
	if f := documents("marmalade plan"); len(f) > 0 {
		t.Errorf("git ignores %v", f)
	}
	if f := documents("kettles key"); len(f) != 1 || strings.Contains(f[0].Text, "ghp_") || !strings.Contains(f[0].Text, "redacted") {
		t.Errorf("a secret: %v", f)
	}
	var file strings.Builder
	if _, err := transfer.Export(t.Context(), l.Store, &file); err != nil || strings.Contains(file.String(), "cgo") || !strings.Contains(file.String(), "pure Go") {
		t.Errorf("exported, with %v: %s", err, file.String())
	}
}

// A document that an agent edits is found as it is now, after the drain that records the edit.
func TestDocumentsFollowTheirFiles(t *testing.T) {
	l := gitLibrary(t)
	l.Write("docs/deploy.md", "# Deploy\n\nDeploy with the zeppelin script.\n")
	l.Write("shop.go", "package shop\n")
	text := func(query string) string {
		t.Helper()
		found := l.Find(query, onlyKinds(memory.DocumentText))
		if len(found) == 0 {
			return ""
		}
		return found[0].Text
	}
	l.See(1, l.Touch("one", 1, memory.Edit, "shop.go"))
	if got := text("deploy zeppelin"); got != "" {
		t.Errorf("an edit of code led to %q", got)
	}
	l.See(2, l.Touch("one", 2, memory.Edit, "docs/deploy.md"))
	if got := text("deploy zeppelin"); !strings.Contains(got, "zeppelin") {
		t.Fatalf("found %q", got)
	}
	l.Write("docs/deploy.md", "# Deploy\n\nDeploy with the submarine script, which is longer.\n")
	l.See(3, l.Touch("one", 3, memory.Read, "docs/deploy.md"))
	if got := text("deploy script"); !strings.Contains(got, "zeppelin") {
		t.Errorf("reading it led to %q", got)
	}
	l.See(4, l.Touch("one", 4, memory.Edit, "docs/deploy.md"))
	if got := text("deploy script"); !strings.Contains(got, "submarine") || text("zeppelin") != "" {
		t.Errorf("after the edit %q and %q", got, text("zeppelin"))
	}
	must.Do(t, os.Remove(filepath.Join(l.Dir, "docs", "deploy.md")))
	l.See(5, l.Commit(5, "drop the guide", memory.Touch{Kind: memory.Delete, Path: "docs/deploy.md"}))
	if got := text("deploy submarine script"); got != "" {
		t.Errorf("the file is gone, and found is %q", got)
	}
}

func TestAForgottenProjectHasNoDocuments(t *testing.T) {
	l := gitLibrary(t)
	l.Write("README.md", "# Shop\n\nSells kettles.\n")
	l.Remember("kettles are sold on Fridays")
	braintest.Must(l.Lab, learn.ReadSnippets, learn.SnippetsInput{Dir: l.Dir})
	project := braintest.Must(l.Lab, inspect.Projects, struct{}{})[0].ID
	left := func() (n map[string]int64) {
		braintest.View(l.Lab, func(tx *store.Tx) (err error) {
			n, err = tx.CountDocuments(t.Context(), project)
			return err
		})
		return n
	}
	if n := left(); n[memory.DocumentText] != 1 {
		t.Fatalf("%v before", n)
	}
	for more := true; more; {
		must.Do(t, l.Store.Update(t.Context(), func(tx *store.Tx) (err error) {
			more, err = tx.DropTexts(t.Context(), project, 100)
			return err
		}))
	}
	if n := left(); len(n) != 0 {
		t.Errorf("%v left", n)
	}
}

func TestAResultIsReadToItsEnd(t *testing.T) {
	l := braintest.NewLibrary(t)
	long := "the long decision begins. " + strings.Repeat("It has reasons and more reasons. ", 40) + "It ends with marzipan."
	short := strings.Repeat("kept whole ", 50) + "up to here"
	l.Write("docs/guide.md", "# Guide\n\n"+strings.Repeat("A sentence of the guide on reasons. ", 40)+"\nIt ends with nougat.\n")
	coded(l, 1, []string{"reasons"})
	kept := l.Remember(long, braintest.Of(memory.Decision))
	whole := l.Remember(short)
	for _, f := range l.Find("reasons", atMost(10)) {
		read := braintest.Must(l.Lab, texts.ReadText, texts.ReadInput{Scope: l.Scope(), ID: f.Ref})
		if read.Text != f.Text || read.Kind != f.Kind || read.Path != f.Path || (read.Lines == nil) != (f.Lines == nil) || (read.Crystal == nil) != (f.Crystal == nil) {
			t.Errorf("read %+v\nfound %+v", read, f)
		}
		if f.Group != memory.GroupCode && (!f.Excerpt.Cut || len(f.Excerpt.Text) > 400) {
			t.Errorf("excerpt %+v", f.Excerpt)
		}
	}
	if read := braintest.Must(l.Lab, texts.ReadText, texts.ReadInput{Scope: l.Scope(), ID: string(kept.ID)[:20]}); !strings.HasSuffix(read.Text, "marzipan.") || read.Crystal == nil {
		t.Errorf("by its beginning: %+v", read)
	}
	if found := l.Find("kept whole", atMost(10)); len(found) == 0 || found[0].Ref != string(whole.ID) || found[0].Excerpt.Cut || found[0].Excerpt.Text != short {
		t.Errorf("a text of %d characters is shown as %+v", len(short), found[0].Excerpt)
	}
	for _, id := range []string{"", "zzzz", "document:x", "%", "0"} {
		if _, err := steward.Run(t.Context(), l.Brain, texts.ReadText, texts.ReadInput{Scope: l.Scope(), ID: id}); !errors.Is(err, memory.ErrNotFound) && !errors.Is(err, memory.ErrConflict) {
			t.Errorf("%q: %v", id, err)
		}
	}
	// Another project sees neither the text nor, of a beginning that several share, their IDs.
	elsewhere := brain.Scope{Dir: t.TempDir()}
	read := func(in texts.ReadInput) error {
		_, err := steward.Run(t.Context(), l.Brain, texts.ReadText, in)
		return err
	}
	for _, id := range []string{string(kept.ID), string(kept.ID)[:20], "0"} {
		if err := read(texts.ReadInput{Scope: elsewhere, ID: id}); !errors.Is(err, memory.ErrNotFound) {
			t.Errorf("%q from elsewhere: %v", id, err)
		}
	}
	if err := errors.Join(read(texts.ReadInput{Scope: elsewhere, ID: string(kept.ID), Anywhere: true}), read(texts.ReadInput{Scope: brain.Scope{All: true}, ID: string(kept.ID)[:20]})); err != nil {
		t.Errorf("a person: %v", err)
	}
	l.Config.Search = config.Search{SkipMemory: true}
	if err := read(texts.ReadInput{Scope: l.Scope(), ID: string(kept.ID)}); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("from a source that is left out: %v", err)
	}
}
