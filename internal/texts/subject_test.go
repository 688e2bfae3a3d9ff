package texts

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
)

// table calls a function with the parts of each line of a file of testdata.
func table(t testing.TB, name, separator string, each func(left, right string)) {
	t.Helper()
	file := must.Get(os.ReadFile(filepath.Join("testdata", name)))(t)
	for line := range strings.Lines(string(file)) {
		left, right, _ := strings.Cut(strings.TrimSuffix(line, "\n"), separator)
		each(left, right)
	}
}

// Each line of the file: text → subject = value, with "!" before a value that is denied, or none where the subject is not sure.
func TestSubjectsThatAreSure(t *testing.T) {
	table(t, "subjects.txt", " → ", func(text, want string) {
		got := readClaim(text)
		shown := got.subject + " = " + got.value
		if got.denied {
			shown = got.subject + " = !" + got.value
		}
		if got == (claim{}) {
			shown = "none"
		}
		if shown != want {
			t.Errorf("%q: %s, want %s", text, shown, want)
		}
	})
}

func TestSubjectsAreNormalWhateverTheText(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	words := strings.Fields("the default branch is main we use for as prefer over to , not never don't Redis port 8080 of in x's " +
		"' . = : a_b `c` from renamed port: ' '' user's my s ies \xff 数据")
	for range 20000 {
		var text []string
		for range 1 + random.IntN(9) {
			text = append(text, words[random.IntN(len(words))])
		}
		c := readClaim(strings.Join(text, " "))
		if c.subject != NormalSubject(c.subject) || c.subject != "" && c.value == "" {
			t.Fatalf("%q: %+v, normal %q", text, c, NormalSubject(c.subject))
		}
	}
}

func TestANewerStatementReplacesTheOlder(t *testing.T) {
	later := noon.Add(time.Hour)
	said := func(text string, at time.Time) memory.Crystal {
		c := note(text)
		c.SaidAt, c.LastAt = at, at
		c.Subject = Subject(c)
		return c
	}
	agent := func(newer, _ *memory.Crystal) { newer.Origin = memory.OriginAgent }
	for _, c := range []struct {
		name, newer, older string
		but                func(newer, older *memory.Crystal)
		want               bool
	}{
		{"another value", "The default branch is main", "The default branch is master", nil, true},
		{"in other words", "trunk is the default branch", "default branch: master", nil, true},
		{"a preference turned round", "Prefer spaces over tabs", "Prefer tabs over spaces", nil, true},
		{"no longer that", "We no longer use Redis for caching", "We use Redis for caching", nil, true},
		{"no longer another", "We no longer use Redis for caching", "We use memcached for caching", nil, false},
		{"the same again", "main is the default branch", "The default branch is main", nil, false},
		{"another subject", "The log level is info", "The default branch is master", nil, false},
		{"no subject", "The build is red", "The build is green", nil, false},
		{"a decision over a fact", "We use Kafka for events", "We use NATS for events", func(newer, _ *memory.Crystal) {
			newer.Kind = memory.Decision
		}, true},
		{"an episode", "We use Kafka for events", "We use NATS for events", func(newer, _ *memory.Crystal) {
			newer.Kind = memory.Episode
		}, false},
		{"an older one", "The default branch is main", "The default branch is master", func(newer, _ *memory.Crystal) {
			newer.SaidAt = noon.Add(-time.Hour)
		}, false},
		{"another project", "The default branch is main", "The default branch is master", func(newer, _ *memory.Crystal) {
			newer.Project = 7
		}, false},
		{"other places", "The log level is info", "The log level is debug", func(newer, older *memory.Crystal) {
			newer.Anchors, older.Anchors = []memory.Anchor{{Path: "a.go"}}, []memory.Anchor{{Path: "b.go"}}
		}, false},
		{"an agent over a user", "The default branch is main", "The default branch is master", agent, false},
		{"a user over an agent", "The default branch is main", "The default branch is master", func(_, older *memory.Crystal) {
			older.Origin = memory.OriginAgent
		}, true},
		{"over a frozen one", "The default branch is main", "The default branch is master", func(_, older *memory.Crystal) {
			older.Lifecycle = memory.Frozen
		}, false},
		{"over history", "The default branch is main", "The default branch is master", func(_, older *memory.Crystal) {
			older.ValidTo = noon
		}, false},
		{"a subject given by hand", "Ship on Fridays.", "Never ship on Fridays.", func(newer, older *memory.Crystal) {
			newer.Kind, older.Kind = memory.Lesson, memory.Lesson
			newer.Subject, older.Subject = "The Release Days", "release day"
		}, true},
	} {
		newer, older := said(c.newer, later), said(c.older, noon)
		if c.but != nil {
			c.but(&newer, &older)
		}
		if got := Supersedes(newer, older); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	newer, older := Supersede(said("The default branch is main", later), said("The default branch is master", noon))
	if !older.ValidTo.Equal(later) || !older.Lifecycle.Living() || !slices.Contains(newer.Parents, older.ID) {
		t.Errorf("%+v, %+v", newer, older)
	}
}

// Each line of the file: the older ⇒ the newer, or two that both hold, with "beside" between them.
func TestPairsThatSupersedeAndPairsThatDoNot(t *testing.T) {
	said := func(text string, at time.Time) memory.Crystal {
		c := note(text)
		c.ID, c.SaidAt, c.LastAt = memory.CrystalID(text), at, at
		c.Subject = Subject(c)
		return c
	}
	check := func(before, after string, want bool) {
		older, newer := said(before, noon), said(after, noon.Add(time.Hour))
		if got := Supersedes(newer, older); got != want {
			t.Errorf("%q (about %q) then %q (about %q): %v", before, older.Subject, after, newer.Subject, got)
		}
	}
	table(t, "pairs.txt", " beside ", func(before, after string) {
		if after != "" {
			check(before, after, false)
			return
		}
		before, after, _ = strings.Cut(before, " ⇒ ")
		check(before, after, true)
	})
}
