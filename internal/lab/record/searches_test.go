package record_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/sleep"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/texts"
)

func TestAFilterThatSaysNothingIsToldAndLookedForAsWords(t *testing.T) {
	t.Parallel()
	l := braintest.NewLibrary(t)
	l.Remember("we keep a banana in the test data", braintest.Of(memory.Lesson))
	for query, want := range map[string]string{
		"kind:banana": "kind:banana: no such kind; kinds are episode,", "data since:yesterdayish": "since:yesterdayish: no time that is understood",
		"is:lost data": "is:lost: no such state", "project:nowhere banana": "nowhere", "banana": "", "kind:lesson banana": "", "since:2d banana": "", "in:the data": "",
	} {
		out := braintest.Must(l.Lab, answer.SearchTexts, texts.SearchInput{Scope: l.Scope(), Query: query})
		if want == "" && len(out.Notices) > 0 || want != "" && (len(out.Notices) != 1 || !strings.Contains(out.Notices[0], want)) {
			t.Errorf("%q: notices %q, want %q", query, out.Notices, want)
		}
		if len(out.Found) != 1 {
			t.Errorf("%q finds %d texts, want 1", query, len(out.Found))
		}
	}
}

func TestAPathIsFoundByItsEndItsFoldersAndPatterns(t *testing.T) {
	t.Parallel()
	l := braintest.NewLibrary(t)
	files := []string{"internal/brain/find.go", "internal/brain/find_test.go", "internal/store/find.go", "docs/find.md", "brain.go"}
	for _, f := range files {
		must.Do(t, os.MkdirAll(filepath.Dir(filepath.Join(l.Dir, f)), 0o700))
		l.Write(f, "package x\n")
		l.Remember("something about finding in "+f, braintest.Of(memory.Lesson), braintest.TiedTo(f))
	}
	for query, want := range map[string][]int{
		"path:internal/brain/find.go": {0}, "path:find.go": {0, 2}, "path:brain/find.go": {0}, "path:internal": {0, 1, 2}, "path:brain": {0, 1}, "path:brain/": {0, 1},
		"path:/internal/brain": {0, 1}, "path:*.go": {0, 1, 2, 4}, "path:internal/*.go": nil, "path:internal/*/find.go": {0, 2}, "path:internal/**": {0, 1, 2},
		"path:**/*_test.go": {1}, "path:**/*.go": {0, 1, 2, 4}, "path:find?go": {0, 2}, "path:ind.go": nil, "path:store path:docs": {2, 3}, "path:%": nil, "path:brain.go": {4},
	} {
		var got, paths []string
		for _, f := range l.Find("finding " + query) {
			got = append(got, f.Path)
		}
		for _, i := range want {
			paths = append(paths, files[i])
		}
		slices.Sort(got)
		slices.Sort(paths)
		if !slices.Equal(got, paths) {
			t.Errorf("%s: %q, want %q", query, got, paths)
		}
	}
}

func TestATextThatComesBackIsTiedToTheCodeAgain(t *testing.T) {
	t.Parallel()
	l := braintest.NewLibrary(t)
	l.Write("cache.go", "package cache\n")
	expired := l.Remember("the cache is emptied at noon", braintest.Of(memory.Lesson), braintest.By(memory.OriginAgent), braintest.TiedTo("cache.go"))
	wrong := l.Remember("late.go warms the cache", braintest.Of(memory.Lesson))
	braintest.Must(l.Lab, statements.Judge, statements.JudgeInput{ID: string(wrong.ID)})
	l.SleepOn(60, sleep.SleepInput{})
	if l.Crystal(expired.ID).Lifecycle != memory.Expired {
		t.Fatal("it has not expired")
	}
	l.Write("cache.go", "package cache // changed\n")
	l.Write("late.go", "package cache\n")
	braintest.Must(l.Lab, record.RecordTouch, record.RecordInput{Dir: l.Dir, Paths: []string{"late.go"}, Kind: memory.Edit})
	braintest.Must(l.Lab, statements.UseCrystals, statements.UseInput{IDs: []memory.CrystalID{expired.ID}})
	if c := l.Crystal(expired.ID); !c.Lifecycle.Living() || !c.Unsure {
		t.Errorf("used again, of code that has changed: %+v", c)
	}
	back := braintest.Must(l.Lab, statements.Judge, statements.JudgeInput{ID: string(wrong.ID), Right: true})
	if len(back.Anchors) != 1 || back.Anchors[0].Path != "late.go" || back.Anchors[0].Hash == 0 || back.Unsure {
		t.Errorf("called right again, it is tied to %+v", back.Anchors)
	}
	if got := l.Crystal(wrong.ID); fmt.Sprint(got.Anchors) != fmt.Sprint(back.Anchors) {
		t.Errorf("kept: %+v", got.Anchors)
	}
}

func TestWhatOnlyStandsNearbyIsLeftOutAndCounted(t *testing.T) {
	t.Parallel()
	l := braintest.NewLibrary(t)
	for _, f := range []string{"deploy/site.yml", "deploy/staging.yml", "deploy/db.yml", "billing/price.go"} {
		must.Do(t, os.MkdirAll(filepath.Dir(filepath.Join(l.Dir, f)), 0o700))
		l.Write(f, "x\n")
	}
	l.Remember("We deploy with Ansible from the runner", braintest.Of(memory.Decision), braintest.TiedTo("deploy/site.yml"))
	l.Remember("Deploying on Fridays cost us two weekends", braintest.Of(memory.Lesson), braintest.TiedTo("deploy/site.yml"))
	l.Remember("The nightly copy of production is scrubbed", braintest.TiedTo("deploy/staging.yml"))
	l.Remember("Replicas follow their primary by a second", braintest.TiedTo("deploy/db.yml"))
	l.Remember("Prices are whole cents", braintest.TiedTo("billing/price.go"))
	ask := func(query string, weak bool) texts.SearchResult {
		t.Helper()
		return braintest.Must(l.Lab, answer.SearchTexts, texts.SearchInput{Scope: l.Scope(), Query: query, Limit: 10, Weak: weak})
	}
	if out := ask("how do we deploy", false); len(out.Found) != 2 || out.Weaker != 2 {
		t.Errorf("%d are found and %d left out; two speak of it, and two of files in a folder of that name", len(out.Found), out.Weaker)
	}
	if out := ask("how do we deploy", true); len(out.Found) != 4 || out.Weaker != 0 {
		t.Errorf("with the weak ones %d are found and %d left out, want 4 and 0", len(out.Found), out.Weaker)
	}
	for _, word := range []string{"nightly", "primary second", "cents zebra quagga okapi ibex lynx"} { // a word that occurs is never answered with nothing
		if out := ask(word, false); len(out.Found) != 1 {
			t.Errorf("%q finds %d texts, want 1", word, len(out.Found))
		}
	}
}
