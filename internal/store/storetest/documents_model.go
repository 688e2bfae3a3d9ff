package storetest

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

// oddWords are words that a careless query takes for something else, or a careless index for one.
var oddWords = []string{
	"and", "or", "not", "near", "AND", "NEAR", "NEAR(a b)", `'a':b`, `"`, `'`, `\`, `a\b`, `"q" OR r`, "x*", "^x", "words:x", "a b", "", " ", "-x", "+",
	"größe", "GRÖSSE", "日本語", "日本", "ſ", "i\u0307x", "ǆ", "é", "e\u0301", "🧠", "a\u00a0b", "a\u3000b", "1e5", "100000", "007", "7", "v2", "0x1f", "<->", "a&b", "a|b", "!a", "(", ")",
	"%", "_", "$1", "?", "{words}", strings.Repeat("x", 199), strings.Repeat("x", 200), strings.Repeat("x", 5000), strings.Repeat("日", 66), strings.Repeat("日", 1000),
}

// compared is what full text keeps of words; the twin of what the store does.
func compared(words []string) (kept []string) {
	for _, w := range words {
		var b strings.Builder
		for _, r := range w {
			switch {
			case r > unicode.MaxASCII && !unicode.IsSpace(r), '0' <= r && r <= '9':
				b.WriteRune(r)
			case r <= unicode.MaxASCII && unicode.IsLetter(r):
				b.WriteRune(unicode.ToLower(r))
			}
		}
		word := ""
		for _, r := range b.String() {
			if len(word)+utf8.RuneLen(r) > 200 {
				break
			}
			word += string(r)
		}
		if word != "" {
			kept = append(kept, word)
		}
	}
	return kept
}

// chosen says whether an expression and a filter find a document: the twin of Match.
func chosen(d store.Document, e store.Expression, f store.DocumentFilter) bool {
	all, anyOf := compared(e.All), compared(e.Any)
	has := func(w string) bool { return slices.Contains(d.Words, w) || slices.Contains(d.Around, w) }
	lacks := func(w string) bool { return !has(w) }
	if slices.ContainsFunc(all, lacks) || len(anyOf) > 0 && !slices.ContainsFunc(anyOf, has) {
		return false
	}
	empty := len(all)+len(anyOf) == 0
	for _, p := range e.Phrases {
		p = compared(p)
		if len(p) == 0 {
			continue
		}
		empty = false
		found := false
		for i := range d.Words {
			found = found || len(d.Words)-i >= len(p) && slices.Equal(d.Words[i:i+len(p)], p)
		}
		if !found {
			return false
		}
	}
	return !empty && passes(d, f)
}

func passes(d store.Document, f store.DocumentFilter) bool {
	lies := func(pattern string) bool { return strings.Contains("/"+d.Path+"/", "/"+strings.Trim(pattern, "/")+"/") }
	return (len(f.Projects) == 0 || slices.Contains(f.Projects, d.Project)) &&
		(f.Group == "" || memory.GroupOf(d.Kind) == f.Group) && (len(f.Kinds) == 0 || slices.Contains(f.Kinds, d.Kind)) && !slices.Contains(f.Without, d.Kind) &&
		(len(f.Paths) == 0 || d.Path != "" && slices.ContainsFunc(f.Paths, lies)) &&
		(f.Since.IsZero() || !d.At.Before(f.Since)) && (f.Until.IsZero() || d.At.Before(f.Until)) &&
		(f.Session == 0 || d.Session == f.Session)
}

func numbers(docs []store.Document) []int64 {
	ids := make([]int64, len(docs))
	for i, d := range docs {
		ids[i] = d.ID
	}
	return ids
}

func addDocuments(t *testing.T, s *store.Store, docs ...store.Document) (ids []int64) {
	t.Helper()
	update(t, s, func(tx *store.Tx) (err error) {
		ids, err = tx.AddDocuments(t.Context(), docs)
		return err
	})
	return ids
}

func matched(t *testing.T, s *store.Store, e store.Expression, f store.DocumentFilter) (found []store.Document) {
	t.Helper()
	view(t, s, func(tx *store.Tx) (err error) {
		found, err = tx.Match(t.Context(), e, f)
		return err
	})
	return found
}

func said(ref, text string) store.Document {
	return store.Document{
		Ref: ref, Project: place(1).Project(), Kind: "note", Origin: memory.OriginUser, At: start, Text: text, Words: strings.Fields(text),
	}
}

var wordPool = slices.Concat(strings.Fields("login parser token test file build cache store index error fix plan"), oddWords)

func someWords(r *rand.Rand, most int) []string {
	words := make([]string, r.IntN(most+1))
	for i := range words {
		words[i] = wordPool[min(r.IntN(len(wordPool)), r.IntN(len(wordPool)))] // some are frequent
	}
	return words
}

func someDocument(r *rand.Rand, ref string) store.Document {
	d := store.Document{
		Ref: ref, Kind: pick(r, []string{"commit", "session", "fact", "snippet", "document", "window"}), Origin: pick(r, memory.Origins),
		At: start.Add(time.Duration(r.IntN(20)) * time.Minute), Title: pick(r, wordPool), Text: strings.Join(someWords(r, 5), " "),
		Path: pick(r, []string{"", "a.go", "src/a.go", "src/b/c.go", "srcs/a.go", "src", "src0", "ünï/日本.go", "src/b"}), Words: someWords(r, 12), Around: someWords(r, 6),
	}
	if n := r.IntN(4); n > 0 {
		d.Project = place(n).Project()
	}
	if r.IntN(2) == 0 {
		d.Session = memory.SessionID(r.IntN(3) + 1)
	}
	return d
}

func someFilter(r *rand.Rand) (f store.DocumentFilter) {
	maybe := func() bool { return r.IntN(4) == 0 }
	if maybe() {
		f.Projects = []memory.ProjectID{0, place(r.IntN(4)).Project()}[r.IntN(2):]
	}
	if maybe() {
		f.Group = pick(r, memory.Groups)
	}
	if maybe() {
		f.Kinds = []string{"fact", "commit"}[r.IntN(2):]
	}
	if maybe() {
		f.Without = []string{"session", "snippet"}[r.IntN(2):]
	}
	if maybe() {
		for range 1 + r.IntN(2) {
			f.Paths = append(f.Paths, pick(r, []string{"src", "src/", "a.go", "src/b", "src/a.go", "sr", "ünï", "x%", "src/b/"}))
		}
	}
	if maybe() {
		f.Since = start.Add(time.Duration(r.IntN(20)) * time.Minute)
	}
	if maybe() {
		f.Until = start.Add(time.Duration(r.IntN(20)) * time.Minute)
	}
	if maybe() {
		f.Session = memory.SessionID(r.IntN(3) + 1)
	}
	if maybe() {
		f.Limit = 1 + r.IntN(5)
	}
	return f
}

// emptied tells no words from none at all.
func emptied(d store.Document) store.Document {
	d.Words, d.Around = append([]string{}, d.Words...), append([]string{}, d.Around...)
	return d
}

// expectListed compares the stubs that a filter alone lists with a plain search.
func expectListed(t *testing.T, s *store.Store, all []store.Document, f store.DocumentFilter) {
	t.Helper()
	var want []store.Document
	for _, d := range all {
		if passes(d, f) {
			want = append(want, d)
		}
	}
	slices.SortStableFunc(want, func(a, b store.Document) int { return b.At.Compare(a.At) })
	if f.Limit > 0 {
		want = want[:min(f.Limit, len(want))]
	}
	view(t, s, func(tx *store.Tx) error {
		var got []store.Document
		err := tx.LatestStubs(t.Context(), f, stubed(&got))
		expectStubs(t, got, want)
		return err
	})
}

// expectFrequency counts the words of documents again, in each group.
func expectFrequency(t *testing.T, s *store.Store, docs []store.Document) {
	t.Helper()
	for _, group := range memory.Groups {
		expectGroupFrequency(t, s, docs, group)
	}
}

func expectGroupFrequency(t *testing.T, s *store.Store, docs []store.Document, group memory.Group) {
	t.Helper()
	want := store.Frequency{All: int64(len(docs)), In: map[string]int64{}}
	for _, d := range docs {
		if memory.GroupOf(d.Kind) != group {
			continue
		}
		want.Documents++
		seen := map[string]bool{}
		for _, w := range compared(d.Words) {
			want.Words++
			if !seen[w] {
				want.In[w]++
			}
			seen[w] = true
		}
	}
	view(t, s, func(tx *store.Tx) error {
		asked := slices.Concat(wordPool, wordPool, []string{"nowhere", "secreta", "secretb", "secretc", "secretd", "shared", "one", "two", "three", "four"})
		return expect(t, group, want)(tx.Frequency(t.Context(), group, asked))
	})
}

func expectMeanings(t *testing.T, s *store.Store, space string, want []int64) {
	t.Helper()
	view(t, s, func(tx *store.Tx) error {
		var got []int64
		err := tx.EachVector(t.Context(), space, 0, func(m store.DocumentVector) error { got = append(got, m.Document); return nil })
		if !slices.Equal(got, want) {
			t.Errorf("meanings of %v, want %v", got, want)
		}
		return err
	})
}
