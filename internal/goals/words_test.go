package goals

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/vocab"
)

func TestWhatIsRepeatedWeighsMost(t *testing.T) {
	t.Parallel()
	got := Concepts(strings.Fields("drain spool drain test drain spool drain"), 2)
	if len(got) != 2 || got[0] != (memory.Concept{Word: "drain", Weight: 1}) || got[1].Word != "spool" || !near(got[1].Weight, math.Sqrt(.5), 1e-12) {
		t.Errorf("%+v", got)
	}
	for _, c := range Concepts(strings.Fields("wire the store"), 9) {
		if c.Weight != 1 {
			t.Errorf("%+v", c)
		}
	}
	if got := Concepts(nil, 3); len(got) != 0 {
		t.Error(got)
	}
}

func TestAPromptMentionsAGoalByEnoughOfItsWords(t *testing.T) {
	t.Parallel()
	g := stated("a", "wire the importer into the store")
	g.Concepts = About(g.Title, "batch transaction segment", vocab.Words)
	for prompt, want := range map[string]bool{
		"how far is the importer with the store?": true,
		"wire the importer please":                true,
		"the store is slow":                       false,
		"batch the segments into one transaction": false,
		"": false,
		"what is left of the store importer wiring?": true,
	} {
		if got := Mentions(vocab.Words(prompt), g); got != want {
			t.Errorf("%q: %v", prompt, got)
		}
	}
	if one := stated("b", "kubernetes"); !Mentions(vocab.Words("is kubernetes done?"), one) || Mentions(nil, one) {
		t.Error("a goal of one word is meant by it")
	}
	if Mentions(vocab.Words("anything"), memory.Goal{}) {
		t.Error("a goal about nothing is never meant")
	}
}

// The cosines were measured with the general table that comes with hebb.
func TestGoalsAreTheSameByMeaning(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b   string
		cosine float64
		want   bool
	}{
		{"Wire the store into the importer", "wire the importer to the store", 1, true},
		{"Fix the flaky drain test", "the drain test is flaky, fix it", 1, true},
		{"Add retries to the HTTP client", "retry failed requests in the http client", .937, true},
		{"Investigate memory leak in the watcher", "find the memory leak in the file watcher", .896, true},
		{"Support PostgreSQL 17 in the store", "add support for PostgreSQL 17 to the store", .974, true},
		{"Rename the config flag --home", "rename config flag --home", 1, true},
		{"Show goals at session start", "show the goals when a session starts", 1, true},
		{"Benchmarks for the recall ranking", "add benchmarks for recall ranking", .967, true},
		{"Handle renames in git history", "handle git history renames", 1, true},
		{"Cache embeddings between runs", "keep embeddings in a cache between runs", .965, true},
		{"Remove the deprecated v1 endpoints", "remove deprecated endpoints of v1", 1, true},

		{"Add retries to the HTTP client", "Add timeouts to the HTTP client", .811, false},
		{"Add retries with backoff to the HTTP client of the old importer", "Add timeouts with backoff to the HTTP client of the old importer", .97, false},
		{"Write docs for the hook protocol", "Write tests for the hook protocol", .813, false},
		{"Enable the cache in CI", "Disable the cache in CI", .853, false},
		{"Support PostgreSQL 17 in the store", "Support PostgreSQL 16 in the store", 1, false},
		{"Fix the flaky drain test", "Fix the flaky replay test", .648, false},
		{"Import from Notion", "Export to Notion", .929, false},
		{"Add a dark mode to the web page", "Add a search field to the web page", .782, false},
		{"Remove the deprecated v1 endpoints", "Document the deprecated v1 endpoints", .854, false},
		{"Speed up the hook", "Speed up the drain", .71, false},
		{"Show goals at session start", "Show pins at session start", .752, false},
		{"Cache embeddings between runs", "Train embeddings between releases", .659, false},
		{"Rename the config flag --home", "Rename the config file", .456, false},
		{"Handle renames in git history", "Handle deletes in git history", .635, false},
		{"Upgrade Go to 1.26", "Upgrade the linter to 2.4", .705, false},
		{"Read the config from the environment", "Write the config to the environment", .856, false},
		{"Wire the store into the importer", "Wire the store into the exporter", .975, false},
		{"Improve error messages of the CLI", "Improve the help texts of the CLI", .604, false},
		{"Cache the results", "Do not cache the results", 1, false},
	} {
		cosine := func(memory.Goal, memory.Goal) (float64, bool) { return c.cosine, true }
		a, b := stated("a", c.a), stated("b", c.b)
		if x, y := Same(a, b, cosine), Same(b, a, cosine); x != c.want || y != c.want {
			t.Errorf("%q and %q: %v, and %v the other way round", c.a, c.b, x, y)
		}
		// Without vectors nothing may become the same that was not.
		if !c.want && Same(a, b, nil) {
			t.Errorf("%q and %q are the same by their words", c.a, c.b)
		}
	}
	a, b := stated("a", "wire the store"), stated("b", "wire the store")
	if b.Project = 7; Same(a, b, nil) {
		t.Error("goals of two projects are the same")
	}
}

func TestALongTextLeavesAGoalThatOfItsTitle(t *testing.T) {
	t.Parallel()
	g := stated("g", "cut the release")
	g.Concepts = About("cut the release", "only when the migration was tried on a copy and the customers were told by letter", vocab.Words)
	if !Mentions(vocab.Words("when do we cut the release?"), g) {
		t.Errorf("its title is said, and it is not meant: %v", g.Concepts)
	}
	if Mentions(vocab.Words("the customers were told of the migration"), g) {
		t.Error("a word of its text is taken for it")
	}
	if !Same(g, stated("h", "Cut the release"), nil) {
		t.Error("another text makes another goal of it")
	}
	if !slices.ContainsFunc(g.Concepts, func(c memory.Concept) bool {
		return strings.HasPrefix(c.Word, "migr") && c.Weight > 0 && c.Weight <= .5
	}) {
		t.Errorf("its text says nothing: %v", g.Concepts)
	}
}
