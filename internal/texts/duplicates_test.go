package texts

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/hebb-memory/hebb/internal/memory"
)

// terms stands in for the caller's: lower-case words without an ending, no numbers, no stop words.
func terms(text string) []string {
	var out []string
	for w := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if len(w) < 2 || unicode.IsDigit(rune(w[0])) || stop.has(w) {
			continue
		}
		for _, ending := range []string{"ing", "ed", "es", "s", "e"} {
			if cut, ok := strings.CutSuffix(w, ending); ok && len(cut) > 2 {
				w = cut
				break
			}
		}
		out = append(out, w)
	}
	return out
}

var stop = set(`a an the and are as at be by can do for from has have in into is it no not of on or our so that this to use used using
	we were	will with you your i my was what which who when where how did does should would could about say said`)

func note(text string) memory.Crystal {
	return memory.Crystal{
		ID: memory.CrystalID("c" + text), Project: 1, Kind: memory.Fact, Text: text, Importance: .8, Lifecycle: memory.Consolidated,
		Origin: memory.OriginUser, SaidAt: noon, LastAt: noon,
	}
}

func TestLikeness(t *testing.T) {
	for _, c := range []struct {
		a, b   string
		cosine float64
		want   Likeness
	}{
		{"We use tabs", "We use tabs", 1, Duplicate},
		{"We use tabs.", "we use tabs", .99, Duplicate},
		{"The user prefers tabs over spaces.", "prefers tabs over spaces", .95, Duplicate},
		{"PostgreSQL is used for storage", "We use PostgreSQL for storage", .93, Duplicate},
		{"PostgreSQL is used for storage", "We use PostgreSQL for storage", math.NaN(), Duplicate},
		{"PostgreSQL is used for storage", "We use PostgreSQL for storage", .85, Alike},
		{"PostgreSQL is used for storage", "We use PostgreSQL for storage", .5, Distinct},
		{"The database listens on port 5432", "The database listens on port 5433", .999, Distinct},
		{"timeout is 30s", "timeout is 30ms", .999, Distinct},
		{"Use Redis for caching", "Do not use Redis for caching", .99, Distinct},
		{"Use Redis for caching", "Don't use Redis for caching", .99, Distinct},
		{"Use Redis for caching", "Never use Redis for caching", .99, Distinct},
		{"Use Redis for caching", "Avoid Redis for caching", .99, Distinct},
		{"The cache is enabled in staging", "The cache is disabled in staging", .99, Distinct},
		{"Run migrations before the deploy", "Run migrations after the deploy", .99, Distinct},
		{"Prefer tabs over spaces", "Prefer spaces over tabs", 1, Alike},
		{"Copy the dump from prod to staging", "Copy the dump to prod from staging", 1, Alike},
		{"Alice owns billing", "Bob owns billing", .97, Alike},
		{"Follow plan A", "Follow plan B", .99, Distinct},
		{"See internal/store/sqlite.go", "See internal/store/postgres.go", .99, Distinct},
		{"Call parseQuery first", "Call parseWords first", .99, Distinct},
		{"Set DB_HOST in the shell", "Set DB_PORT in the shell", .99, Distinct},
		{"Use tabs", "Use tabs only in makefiles", .95, Distinct},
		{"Tests need a database", "Tests need a database and a queue", .95, Alike},
		{"You own the parser", "She owns the parser", .99, Alike},
		{"upgrade to v1.2", "upgrade to v1.3", .99, Distinct},
		{"数据库使用 端口", "数据库不使用 端口", .99, Distinct},
		{"", "", 1, Duplicate},
		{"...", "!!!", 1, Alike},
		{"the weather is fine", "the parser is recursive", .2, Distinct},
	} {
		a, b := note(c.a), note(c.b)
		a.ID, b.ID = "a", "b"
		x, y := NewStatement(a, terms), NewStatement(b, terms)
		there, back := Compare(x, y, c.cosine), Compare(y, x, c.cosine)
		if there != c.want || back != there {
			t.Errorf("%q and %q at %v: %v, %v; want %v", c.a, c.b, c.cosine, there, back, c.want)
		}
	}
}

func TestOnlyEqualsAreMerged(t *testing.T) {
	change := func(f func(*memory.Crystal)) memory.Crystal {
		c := note("we use tabs.")
		c.ID = "b"
		f(&c)
		return c
	}
	for name, c := range map[string]struct {
		b    memory.Crystal
		want Likeness
	}{
		"nothing else":          {change(func(*memory.Crystal) {}), Duplicate},
		"another project":       {change(func(c *memory.Crystal) { c.Project = 2 }), Distinct},
		"another kind":          {change(func(c *memory.Crystal) { c.Kind = memory.Decision }), Alike},
		"another subject":       {change(func(c *memory.Crystal) { c.Subject = "indentation in yaml" }), Alike},
		"too little used":       {change(func(c *memory.Crystal) { c.Importance = .69 }), Alike},
		"another place":         {change(func(c *memory.Crystal) { c.Anchors = []memory.Anchor{{Path: "x.go"}} }), Alike},
		"in doubt":              {change(func(c *memory.Crystal) { c.Unsure = true }), Alike},
		"superseded":            {change(func(c *memory.Crystal) { c.ValidTo = noon }), Distinct},
		"archived already":      {change(func(c *memory.Crystal) { c.Lifecycle = memory.Archived }), Distinct},
		"frozen, the other not": {change(func(c *memory.Crystal) { c.Lifecycle = memory.Frozen }), Duplicate},
	} {
		a := note("We use tabs")
		a.ID, a.Subject = "a", "indentation"
		if got := Compare(NewStatement(a, terms), NewStatement(c.b, terms), .99); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestTheWinnerIsTheSameWhoeverComesFirst(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	for range 2000 {
		make := func(id string) memory.Crystal {
			c := note("x")
			c.ID = memory.CrystalID(id)
			c.SaidAt = noon.Add(time.Duration(random.IntN(3)) * time.Hour)
			c.LastAt = c.SaidAt.Add(time.Duration(random.IntN(9)) * time.Hour)
			c.Origin = memory.Origins[random.IntN(len(memory.Origins))]
			c.Accesses, c.GapHours = random.Int64N(5), random.Float64()*9
			c.Importance = random.Float64()
			if random.IntN(4) == 0 {
				c.Lifecycle = memory.Frozen
			}
			return c
		}
		a, b := make("a"), make("b")
		winner, loser := Merge(a, b)
		again, _ := Merge(b, a)
		if winner.ID != again.ID || winner.Accesses != a.Accesses+b.Accesses || winner.Importance < max(a.Importance, b.Importance) ||
			math.IsNaN(winner.GapHours) || winner.LastAt.Before(a.LastAt) || winner.LastAt.Before(b.LastAt) {
			t.Fatalf("%+v and %+v: %+v, %+v", a, b, winner, again)
		}
		if loser.Lifecycle != memory.Archived || !slices.Contains(loser.Parents, winner.ID) || loser.Text == "" {
			t.Fatalf("loser %+v", loser)
		}
		before := map[memory.CrystalID]memory.Crystal{"a": a, "b": b}[loser.ID]
		if before.Origin.Tier() < winner.Origin.Tier() && winner.Lifecycle != memory.Frozen {
			t.Fatalf("a less trusted text won: %s over %s", winner.Origin, before.Origin)
		}
	}
	early, late := note("x"), note("x")
	early.ID, late.ID, late.SaidAt = "z", "a", noon.Add(time.Hour)
	if winner, _ := Merge(late, early); winner.ID != "z" {
		t.Error("the earlier of two equals stays")
	}
}

func TestSaidAgain(t *testing.T) {
	t.Parallel()
	said := func(text, prompt string) Statement {
		c := memory.Crystal{Text: text, Origin: memory.OriginUser}
		if prompt != "" {
			c.Session, c.Source = 7, prompt
		}
		return NewStatement(c, terms)
	}
	for _, c := range []struct {
		a, b   string
		prompt string
		want   bool
	}{
		{"Use tabs.", "use tabs", "", true},
		{"Use tabs.", "please just use tabs", "", true},
		{"use tabs", "use spaces", "", false},
		{"use tabs", "never use tabs", "", false},
		{"use tabs", "use tabs in Go", "", false},
		{"use tabs in Go", "use tabs in Go and spaces elsewhere", "prompt 1", true},
		{"use tabs", "use tabs in Go and spaces elsewhere", "prompt 1", false},
		{"use tabs in Go", "never use tabs in Go", "prompt 1", false},
		{"", "", "", false},
	} {
		a, b := said(c.a, c.prompt), said(c.b, c.prompt)
		if SaidAgain(a, b) != c.want || SaidAgain(b, a) != c.want {
			t.Errorf("%q and %q: want %t", c.a, c.b, c.want)
		}
	}
}
