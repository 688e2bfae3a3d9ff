package texts

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func marked(e Excerpt) string {
	var b strings.Builder
	at := 0
	for _, s := range e.Spans {
		b.WriteString(e.Text[at:s[0]] + "[" + e.Text[s[0]:s[1]] + "]")
		at = s[1]
	}
	return b.String() + e.Text[at:]
}

func TestHighlight(t *testing.T) {
	long := "Nothing of interest here at all, just words that go on and on. " + strings.Repeat("More filler text follows. ", 10) +
		"The migrations of the store run before the server starts, and a failed migration stops it. " + strings.Repeat("And more. ", 30)
	for _, c := range []struct {
		text, question string
		width          int
		want           string
	}{
		{"We use tabs.", "tabs", 40, "We use [tabs]."},
		{"line one\n\n  line   two", "two", 40, "line one line [two]"},
		{"nothing fits", "other", 40, "nothing fits"},
		{"", "x", 40, ""},
		{"Größe der Tür: Tür", "tür", 40, "Größe der [Tür]: [Tür]"},
		{long, "migration store", 70, "…text follows. The [migrations] of the [store] run before the server…"},
		{"one two three four five six", "", 12, "one two…"},
	} {
		if got := marked(Highlight(c.text, terms(c.question), c.width, terms)); got != c.want {
			t.Errorf("%q in %.30q: %q, want %q", c.question, c.text, got, c.want)
		}
	}
}

func TestHighlightsFitAndSpansAreWords(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 6))
	wanted := []string{"store", "tür", "supercalifragilisticexpialidocious"}
	vocabulary := append([]string{"migration", "日本", "x", "\xff\xfe", "a.b", "\n", "port", "—"}, wanted...)
	for range 3000 {
		var words []string
		for range random.IntN(60) {
			words = append(words, vocabulary[random.IntN(len(vocabulary))])
		}
		width := 1 + random.IntN(80)
		e := Highlight(strings.Join(words, " "), terms(strings.Join(wanted, " ")), width, terms)
		if n := utf8.RuneCountInString(e.Text); n > max(width, 3) || !utf8.ValidString(e.Text) {
			t.Fatalf("width %d: %d characters %q", width, n, e.Text)
		}
		at := 0
		for _, s := range e.Spans {
			if s[0] < at || s[1] > len(e.Text) || !slices.Contains(wanted, e.Text[s[0]:s[1]]) {
				t.Fatalf("%q: span %v", e.Text, s)
			}
			at = s[1]
		}
	}
}
