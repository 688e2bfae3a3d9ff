package texts

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
	if !strings.HasPrefix(windows[0].Text, "how does") {
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

func TestWhatIsExploredAndEditedAroundATurn(t *testing.T) {
	turns := talk(
		"user: how should we store sessions? | read store.go",
		"claude: We could use Redis or the database. | read redis.go",
		"user: Let's go with the database.",
		"claude: Done. | edit store.go",
		"user: thanks | read late.go",
	)
	explored, edited := Around(turns, 2)
	if !slices.Equal(explored, []string{"store.go", "redis.go"}) || !slices.Equal(edited, []string{"store.go"}) {
		t.Errorf("explored %v, edited %v", explored, edited)
	}
	if explored, edited = Around(turns, 4); len(explored) != 2 || len(edited) != 0 {
		t.Errorf("at the end: explored %v, edited %v", explored, edited)
	}
}

func FuzzWindows(f *testing.F) {
	f.Add("user", "let's go with x. Instead of y!")
	f.Add("claude", "```\n> # decided on\n\xff instead of")
	f.Fuzz(func(t *testing.T, speaker, text string) {
		touched := []memory.Touch{{Kind: memory.Read, Path: "a"}, {Kind: memory.Edit, Path: "b"}}
		turns := []Turn{{Speaker: speaker, Text: text, At: noon, Touches: touched}}
		if w := Windows(turns, terms); len(w) != 1 {
			t.Fatal(fmt.Sprint(w))
		}
		_ = readClaim(text)
	})
}
