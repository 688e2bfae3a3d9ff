package vocab

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestTheRarestWordsLead(t *testing.T) {
	c := Collection{Texts: 10_000, In: map[string]int64{"rare": 3, "some": 90, "often": 4000, "usual": 6000}}
	for _, test := range []struct {
		name     string
		terms    []string
		all, any []string
	}{
		{"those that fit together", []string{"often", "some", "rare"}, nil, []string{"rare", "some"}},
		{"words that no text has lead nowhere", []string{"unheard", "rare"}, nil, []string{"rare"}},
		{"each once", []string{"rare", "rare"}, nil, []string{"rare"}},
		{"texts must hold several only if even the rarest is everywhere", []string{"usual", "often"}, []string{"often", "usual"}, nil},
		{"a word that stands alone", []string{"usual"}, []string{"usual"}, nil},
		{"nothing that is known", []string{"unheard"}, nil, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := c.SelectTerms(test.terms, 100)
			if !slices.Equal(got.All, test.all) || !slices.Equal(got.Any, test.any) {
				t.Errorf("lead %v: all %v any %v, want all %v any %v", test.terms, got.All, got.Any, test.all, test.any)
			}
		})
	}
}

// Whatever the words, a question with a known word leads somewhere, and never to more texts than there is room for, unless
// they must hold several words.
func TestALeadIsNeverEmpty(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		c := Collection{Texts: 1 + random.Int64N(100_000), In: map[string]int64{}}
		var terms []string
		known := false
		for i := range 1 + random.IntN(12) {
			term := fmt.Sprint("w", i)
			terms = append(terms, term)
			if n := random.Int64N(c.Texts + 1); n > 0 && random.IntN(3) > 0 {
				c.In[term], known = n, true
			}
		}
		room := 10 + random.IntN(1000)
		got := c.SelectTerms(terms, room)
		sum := int64(0)
		for _, w := range got.Any {
			sum += c.In[w]
		}
		switch {
		case known != (len(got.All)+len(got.Any) > 0):
			t.Fatalf("known %v, lead %+v", known, got)
		case len(got.All) > 0 && len(got.Any) > 0, sum > int64(room):
			t.Fatalf("lead %+v to %d texts, room for %d", got, sum, room)
		case len(got.All) > 0 && slices.ContainsFunc(terms, func(w string) bool { return c.In[w] > 0 && c.In[w] <= int64(room) }):
			t.Fatalf("all of %v are asked for, though one is rare: %v", got.All, c.In)
		}
	}
}

// bm25 is the formula as it stands in books.
func bm25(c Collection, terms []string, times map[string]float64, length, usual float64) (score float64) {
	for i, term := range terms {
		n := times[term]
		if n == 0 || slices.Contains(terms[:i], term) {
			continue
		}
		df := float64(c.In[term])
		idf := math.Log(1 + (float64(c.Texts)-df+.5)/(df+.5))
		score += idf * n * (wordSaturation + 1) / (n + wordSaturation*(1-lengthShare+lengthShare*length/usual))
	}
	return score
}

func TestWordsAreScoredAsInBooks(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	vocabulary := strings.Fields("a b c d e cache login token retry did aspect x y z longer")
	draw := func(n int) (words []string) {
		for range n {
			words = append(words, vocabulary[random.IntN(len(vocabulary))])
		}
		return words
	}
	for range 500 {
		c := Collection{Texts: 500, In: map[string]int64{}}
		for _, w := range vocabulary {
			c.In[w] = random.Int64N(500)
		}
		terms, words, around := draw(random.IntN(8)), draw(random.IntN(30)), draw(random.IntN(30))
		q := c.Ask(terms)
		count := q.Count(strings.Join(words, " "), strings.Join(around, " "))
		if count.Length != len(words) || count.Around != len(around) {
			t.Fatalf("counted %d and %d words, want %d and %d", count.Length, count.Around, len(words), len(around))
		}
		own, both := map[string]float64{}, map[string]float64{}
		for _, w := range words {
			own[w]++
			both[w]++
		}
		for _, w := range around {
			both[w]++
		}
		u := Usual{Length: 12, Around: 20}
		if got, want := q.Words(count, u), bm25(c, terms, own, float64(len(words)), 12); math.Abs(got-want) > 1e-9 {
			t.Fatalf("%v in %v: %v, want %v", terms, words, got, want)
		}
		if got, want := q.Window(count, u), bm25(c, terms, both, float64(len(words)+len(around)), 32); math.Abs(got-want) > 1e-9 {
			t.Fatalf("%v in %v and %v: %v, want %v", terms, words, around, got, want)
		}
		if known := q.Known(count); known < 0 || known > 1 {
			t.Fatalf("known %v", known)
		}
		if whole := q.KnownIn(terms); len(terms) > 0 && math.Abs(whole-1) > 1e-9 {
			t.Fatalf("a text that is the question knows %v of it", whole)
		}
	}
}

func TestWordsSideBySideTellMoreThanStrewn(t *testing.T) {
	c := Collection{Texts: 100, In: map[string]int64{"token": 5, "cache": 20, "login": 3, "of": 90}}
	q := c.Ask(strings.Fields("token cache login"))
	phrase := func(words string) float64 { return q.Phrase(q.Count(words, "token cache")) }
	for _, words := range []string{"", "token", "cache token", "token of cache", "token login", "login"} {
		if got := phrase(words); got != 0 {
			t.Errorf("%q has a phrase of the question: %v", words, got)
		}
	}
	one, two := phrase("a token cache"), phrase("token cache login")
	if one != c.idf("cache") || two != one+c.idf("cache") || phrase("token cache x token cache") != one {
		t.Errorf("one pair counts %v, two %v: each counts what its commoner word counts (%v), once", one, two, c.idf("cache"))
	}
}
