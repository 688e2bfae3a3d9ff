package crystal

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/memory"
)

// talk makes turns of "speaker: text", a minute apart; "read x" and "edit x" after a | are touches.
func talk(lines ...string) []Turn {
	var turns []Turn
	for i, line := range lines {
		said, touched, _ := strings.Cut(line, " | ")
		speaker, text, _ := strings.Cut(said, ": ")
		turn := Turn{Speaker: speaker, Text: text, At: noon.Add(time.Duration(i) * time.Minute)}
		for f := strings.Fields(touched); len(f) > 1; f = f[2:] {
			turn.Touches = append(turn.Touches, memory.Touch{Kind: memory.TouchKind(f[0]), Path: f[1]})
		}
		turns = append(turns, turn)
	}
	return turns
}

func TestWindowsEndAtAPauseATopicAndALength(t *testing.T) {
	long := strings.Repeat("the parser reads tokens and the lexer makes them. ", 12) // 600 characters
	turns := talk(
		"user: how does the parser read tokens", "claude: "+long+" | read parser.go", "user: and the lexer", "claude: "+long,
		"user: now deploy the website to production please", "claude: done | edit deploy.yml",
	)
	windows := Windows(turns, terms)
	if len(windows) != 2 || windows[0].Last != 3 || windows[1].First != 4 || !slices.Equal(windows[1].Files, []string{"deploy.yml"}) {
		t.Fatalf("%+v", windows)
	}
	if !slices.Contains(windows[1].Keywords, "deploy") || !strings.HasPrefix(windows[0].Text, "user: how does") {
		t.Errorf("%+v", windows)
	}
	turns = talk("user: one", "claude: two", "user: three")
	turns[2].At = turns[1].At.Add(time.Hour)
	if got := Windows(turns, terms); len(got) != 2 || got[1].First != 2 {
		t.Errorf("a pause: %+v", got)
	}
	turns = talk("user: why parser tokens", "claude: "+long+long, "user: lexer tokens parser", "claude: "+long)
	if got := Windows(turns, terms); len(got) != 2 || got[0].Last != 2 || got[1].First != 2 {
		t.Errorf("cut for length, the question goes with its answer: %+v", got)
	}
	if got := Windows(nil, terms); got != nil {
		t.Error(got)
	}
}

func TestEveryTurnIsInAWindow(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	vocabulary := strings.Fields("parser lexer token store index migrate deploy website button color query rank merge branch")
	for range 300 {
		var turns []Turn
		at := noon
		for i := range random.IntN(60) {
			at = at.Add(time.Duration(random.IntN(40)) * time.Minute)
			var words []string
			for range random.IntN(200) {
				words = append(words, vocabulary[random.IntN(len(vocabulary))])
			}
			turns = append(turns, Turn{Speaker: []string{"user", "claude"}[i%2], Text: strings.Join(words, " "), At: at})
		}
		seen := make([]int, len(turns))
		last := -1
		for _, w := range Windows(turns, terms) {
			if w.First > w.Last || w.Last <= last {
				t.Fatalf("%d..%d after %d", w.First, w.Last, last)
			}
			last = w.Last
			size := 0
			for k := w.First; k <= w.Last; k++ {
				seen[k]++
				size += utf8.RuneCountInString(turns[k].Text)
			}
			if size > 1600 && w.First != w.Last {
				t.Fatalf("%d..%d has %d characters", w.First, w.Last, size)
			}
		}
		for i, n := range seen {
			if turns[i].Text != "" && (n == 0 || n > 2) {
				t.Fatalf("turn %d is in %d windows", i, n)
			}
		}
	}
}

func TestDecisionsOnTheWayFromExploringToEditing(t *testing.T) {
	turns := talk(
		"user: how should we store sessions? | read store.go",
		"claude: We could use Redis or the database. | read redis.go",
		"user: Let's go with the database.",
		"claude: We'll use the existing table instead of a new one. Tests follow. | edit store.go",
		"user: thanks",
	)
	got := Choices(turns)
	if len(got) != 2 || got[0].Turn != 2 || got[0].Text != "Let's go with the database." || got[1].Turn != 3 {
		t.Fatalf("%+v", got)
	}
	if !slices.Equal(got[0].Explored, []string{"store.go", "redis.go"}) || !slices.Equal(got[0].Edited, []string{"store.go"}) {
		t.Errorf("%+v", got[0])
	}
}

func TestWhatIsNoDecision(t *testing.T) {
	long := strings.Repeat("This plan has many steps and goes on for long. ", 40)
	for _, said := range []string{
		"user: should we go with Redis?",
		"user: so we decided on Redis?",
		"user: maybe let's use Redis",
		"user: if we decided to use Redis it would be slow",
		"user: have we decided on Redis",
		"user: we haven't decided yet",
		"user: we might use Redis instead of a table",
		"user: > let's go with Redis",
		"user: # We decided on headings",
		"user: ```\nlet's use code\n```",
		"user: " + long + "Use a map instead of a list.",
		"claude: " + long + "We will use a map here.",
		"claude: We decided to look at it later",
		"user: undecided to use this",
		"user: the instead of operator | edit b.go",
		"user: this explain is back to 19 instead of 26 | edit b.go",
		"user: can we use checkpointID instead of cpID | edit b.go",
		"user: If it returns nil, this can panic instead of failing | edit b.go",
		"claude: The function uses the ID directly instead of the fallback | edit b.go",
	} {
		touched := ""
		if strings.HasPrefix(said, "user: "+long) || strings.HasPrefix(said, "claude: "+long) {
			touched = " | edit a.go"
		}
		if got := Choices(talk("user: look | read a.go", said+touched)); len(got) != 0 {
			t.Errorf("%.60q: %+v", said, got)
		}
	}
	for _, said := range []string{
		"user: Let’s go with option B.", "user: OK. We decided to use tabs.", "user: " + long + "We decided on tabs.",
	} {
		if got := Choices(talk(said)); len(got) != 1 {
			t.Errorf("%.60q: %+v", said, got)
		}
	}
}

func FuzzChoices(f *testing.F) {
	f.Add("user", "let's go with x. Instead of y!")
	f.Add("claude", "```\n> # decided on\n\xff instead of")
	f.Fuzz(func(t *testing.T, speaker, text string) {
		touched := []memory.Touch{{Kind: memory.Read, Path: "a"}, {Kind: memory.Edit, Path: "b"}}
		turns := []Turn{{Speaker: speaker, Text: text, At: noon, Touches: touched}}
		for _, c := range Choices(turns) {
			if !strings.Contains(text, c.Text) {
				t.Fatalf("%q is not in %q", c.Text, text)
			}
		}
		if w := Windows(turns, terms); len(w) != 1 {
			t.Fatal(fmt.Sprint(w))
		}
		_ = readClaim(text)
	})
}
