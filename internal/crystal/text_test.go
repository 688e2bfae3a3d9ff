package crystal

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestV18Chunks(t *testing.T) {
	for n, want := range map[int]int{0: 1, 1: 1, 1600: 1, 1601: 2, 2880: 2, 2881: 3, 8000: 6} {
		for _, unit := range []string{"x", "ü", "word and. ", "a\n\n", " "} {
			text := string([]rune(strings.Repeat(unit, n))[:n])
			if got := len(rules().Chunks(text)); got != want {
				t.Errorf("%d characters of %q: %d chunks, want %d", n, unit, got, want)
			}
		}
	}
}

func TestChunksCoverTheTextAndOverlap(t *testing.T) {
	random := rand.New(rand.NewPCG(18, 1))
	pieces := []string{"word ", "sentence. ", "\n\n", "ü", "日本", "\xff", "x", "a longer stretch of words ", "\n"}
	for range 300 {
		var b strings.Builder
		for range random.IntN(3000) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		text := b.String()
		chunks := rules().Chunks(text)
		want := 1
		if n := utf8.RuneCountInString(text); n > 1600 {
			want = 1 + (n-1600+1279)/1280
		}
		if len(chunks) != want || chunks[0].Start != 0 || chunks[len(chunks)-1].End != len(text) {
			t.Fatalf("%d chunks, want %d", len(chunks), want)
		}
		for i, c := range chunks {
			if c.Text != text[c.Start:c.End] || utf8.RuneCountInString(c.Text) > 1600 {
				t.Fatalf("chunk %d: %d..%d", i, c.Start, c.End)
			}
			if i > 0 && utf8.RuneCountInString(text[c.Start:chunks[i-1].End]) != 320 {
				t.Fatalf("chunk %d shares %d characters with the one before", i, utf8.RuneCountInString(text[c.Start:chunks[i-1].End]))
			}
			if utf8.ValidString(text) && !utf8.ValidString(c.Text) {
				t.Fatalf("chunk %d cuts a character", i)
			}
		}
	}
}

func TestChunksPreferToEndWithASentence(t *testing.T) {
	text := strings.Repeat("a", 1500) + ". " + strings.Repeat("b", 1000)
	if got := rules().Chunks(text); len(got) != 2 || !strings.HasSuffix(got[0].Text, ". ") {
		t.Errorf("%d chunks, the first ends with %q", len(got), got[0].Text[len(got[0].Text)-5:])
	}
}

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
		if got := marked(rules().Highlight(c.text, terms(c.question), c.width, terms)); got != c.want {
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
		e := rules().Highlight(strings.Join(words, " "), terms(strings.Join(wanted, " ")), width, terms)
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

func TestKeywordsTellTextsApart(t *testing.T) {
	got := rules().Keywords([]string{
		"the cache of the parser: caching, caches, the parser", "the queue of the worker and the parser", "",
	}, terms)
	if len(got) != 3 || got[0][0] != "caching" && got[0][0] != "cache" && got[0][0] != "caches" || got[2] != nil {
		t.Errorf("%q", got)
	}
	if !slices.Contains(got[1], "queue") || slices.Index(got[1], "parser") < slices.Index(got[1], "queue") {
		t.Errorf("%q", got[1])
	}
}
