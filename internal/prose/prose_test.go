package prose

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestALineIsShortenedAfterAWord(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		line string
		most int
		want string
	}{
		{"one two three", 13, "one two three"},
		{"one two three", 12, "one two…"},
		{"one two, three", 9, "one two…"},
		{"one two three", 8, "one two…"},
		{"an endlesslylongword", 12, "an endlessl…"},
		{"Prüfen der Größe", 12, "Prüfen der…"},
		{"anything", 0, ""},
		{"anything", 1, "…"},
	} {
		if got := Shorten(c.line, c.most); got != c.want {
			t.Errorf("%q in %d: %q, want %q", c.line, c.most, got, c.want)
		}
	}
	if got := ShortenBytes("Prüfen der Größe", 15); got != "Prüfen der…" {
		t.Errorf("bytes: %q", got)
	}
}

func FuzzShortenedTextsFit(f *testing.F) {
	f.Add("one two three", 7)
	f.Add("日本語の文章", 4)
	f.Fuzz(func(t *testing.T, text string, most int) {
		if most < 0 || !utf8.ValidString(text) {
			return
		}
		if got := Shorten(text, most); utf8.RuneCountInString(got) > most {
			t.Errorf("%q is longer than %d characters", got, most)
		}
		if got := ShortenBytes(text, most); len(got) > most || !utf8.ValidString(got) {
			t.Errorf("%q is longer than %d bytes", got, most)
		}
	})
}

func TestSentencesAndItems(t *testing.T) {
	t.Parallel()
	if got := Sentences("Use a cache, e.g. an LRU. Why? ## Next step: 2. test it"); !slices.Equal(got,
		[]string{"Use a cache, e.g. an LRU.", "Why?", "Next step: 2. test it"}) {
		t.Errorf("sentences: %q", got)
	}
	if got := Items("- one\n\n* [ ] two\n  3. three\nfour #5\n"); !slices.Equal(got, []string{"one", "two", "three", "four #5"}) {
		t.Errorf("items: %q", got)
	}
	if got := OneLine(" a\tb\r\n\x00c\xff "); got != "a b c\uFFFD" {
		t.Errorf("one line: %q", got)
	}
}

func TestALineIsCutAfterASentenceOrAClause(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"short enough, all of it", "short enough, all of it"},
		{"Use tabs here. Nobody wants to read blanks in a diff", "Use tabs here…"},
		{"use tabs in every file of this folder, blanks are for prose and lists", "use tabs in every file of this folder…"},
		{"one two three four five six seven eight nine ten eleven", "one two three four five six seven eight…"},
		{"v1.2.3 of the library is what we are going to stay with for now", "v1.2.3 of the library is what we are…"},
	} {
		if got := Clause(c.line, 40); got != c.want {
			t.Errorf("%q: %q, want %q", c.line, got, c.want)
		}
	}
}

func TestNumbersAreGroupedAndOneIsSingular(t *testing.T) {
	for n, want := range map[int64]string{0: "0 notes", 1: "1 note", 2: "2 notes", 9999: "9999 notes", 12345: "12 345 notes", -1234567: "-1 234 567 notes"} {
		if got := Count(n, "note", "notes"); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

func TestAHeadingIsSaidOnce(t *testing.T) {
	t.Parallel()
	for next, want := range map[string]string{
		"": "", "- Next: wire the flag": "wire the flag", "**Next:** wire the flag": "wire the flag", "- a\n- Next: b": "- a\n- b",
		"- “Next: wire the flag”": "“wire the flag”", "Next.js is slow": "Next.js is slow", "next week: the docs": "next week: the docs",
	} {
		if got := Below("next", next); got != want {
			t.Errorf("%q: %q, want %q", next, got, want)
		}
	}
}

func TestTokensAreAQuarterOfTheBytes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"": 0, "a": 1, "abcd": 1, "abcde": 2, "ü": 1, strings.Repeat("x", 1600): 400} {
		if got := Tokens(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}
