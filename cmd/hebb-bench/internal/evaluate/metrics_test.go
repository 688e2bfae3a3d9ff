package evaluate

import (
	"fmt"
	"math"
	"reflect"
	"testing"
)

// near allows for the last bits of a float64.
func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

func TestGrade(t *testing.T) {
	five := []string{"1", "2", "3", "4", "5"}
	ten := append(five[:5:5], "6", "7", "8", "9", "10")
	for _, c := range []struct {
		name   string
		paths  []string
		gold   []string
		banned []string
		want   Mark
		hits   [3]float64 // among 1, 5, 10
	}{
		{"two wanted at ranks 2 and 4: precision 1/2 at each",
			[]string{"x", "a", "y", "b"}, []string{"a", "b"}, nil,
			Mark{R5: 1, R10: 1, AP: 0.5, RR: 0.5}, [3]float64{0, 1, 1}},
		{"one of two at rank 1: precision 1, the other counts 0",
			[]string{"a", "x"}, []string{"a", "b"}, nil, Mark{R5: 0.5, R10: 0.5, AP: 0.5, RR: 1}, [3]float64{1, 1, 1}},
		{"ranks 5 and 10 are within: precision 1/5 at each",
			append(append(five[:4:4], "a"), "6", "7", "8", "9", "b"), []string{"a", "b"}, nil,
			Mark{R5: 0.5, R10: 1, AP: 0.2, RR: 0.2}, [3]float64{0, 1, 1}},
		{"rank 6 is beyond the first five",
			append(five[:5:5], "a"), []string{"a"}, nil, Mark{R10: 1, AP: 1. / 6, RR: 1. / 6}, [3]float64{0, 0, 1}},
		{"rank 11 still counts for the mean precision",
			append(ten[:10:10], "a"), []string{"a"}, nil, Mark{AP: 1. / 11, RR: 1. / 11}, [3]float64{}},
		{"banned paths take no place",
			[]string{"s", "x", "a"}, []string{"a"}, []string{"s"},
			Mark{R5: 1, R10: 1, AP: 0.5, RR: 0.5}, [3]float64{0, 1, 1}},
		{"a path said twice counts once: (1/1 + 2/3)/2",
			[]string{"a", "a", "b"}, []string{"a", "b"}, nil, Mark{R5: 1, R10: 1, AP: 5. / 6, RR: 1}, [3]float64{1, 1, 1}},
		{"nothing found", []string{"x"}, []string{"a"}, nil, Mark{}, [3]float64{}},
		{"nothing said", nil, []string{"a"}, nil, Mark{}, [3]float64{}},
	} {
		roles := map[string]role{}
		for _, path := range c.gold {
			roles[path] = wanted
		}
		for _, path := range c.banned {
			roles[path] = banned
		}
		got := grade("q", Ranking{Paths: c.paths}, roles)
		if hits := got.R10 * float64(len(c.gold)); got.Hits != math.Round(hits) {
			t.Errorf("%s: %v hits, want %v", c.name, got.Hits, hits)
		}
		got.Hits = 0
		if got.Question != "q" || !near(got.R5, c.want.R5) || !near(got.R10, c.want.R10) || !near(got.AP, c.want.AP) ||
			!near(got.RR, c.want.RR) {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
		if hits := [3]float64{got.Hit1(), got.Hit5(), got.Hit10()}; hits != c.hits {
			t.Errorf("%s: hits %v, want %v", c.name, hits, c.hits)
		}
	}
}

// marks makes one mark per value of R10, with questions numbered from 0.
func marks(values ...float64) []Mark {
	list := make([]Mark, len(values))
	for i, v := range values {
		list[i] = Mark{Question: fmt.Sprint(i), R10: v}
	}
	return list
}

func TestTheMacroRowIsTheMeanOfRepositoriesNotOfQuestions(t *testing.T) {
	r := Results{
		{"T1", "small", "recent", []Mark{{R5: 1, R10: 1, AP: 1, RR: 1}}},
		{"T1", "large", "recent", []Mark{{}, {}, {R10: 0.5, AP: 0.1, RR: 0.1}}},
		{"T2", "small", "recent", []Mark{{}}},
		{"T2", "large", "recent", []Mark{{R5: 1, R10: 1, AP: 1, RR: 1}}},
	}
	want := []ReplayRow{
		{"T1", "small", "recent", 1, 100, 100, 100, 100, 0},
		{"T1", "large", "recent", 3, 0, 16.67, 3.33, 3.33, 0},
		{"T1", "macro", "recent", 4, 50, 58.33, 51.67, 51.67, 0},
		{"T2", "small", "recent", 1, 0, 0, 0, 0, 0},
		{"T2", "large", "recent", 1, 100, 100, 100, 100, 0},
		{"T2", "macro", "recent", 2, 50, 50, 50, 50, 0},
	}
	if got := r.ReplayRows(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestOneRepositoryHasNoMacroRow(t *testing.T) {
	r := Results{{"S2", "one", "chain", []Mark{{R5: 1, R10: 1, AP: 0.5, RR: 0.5}, {R10: 1, AP: 0.1, RR: 0.1}}}}
	want := []SessionRow{{"S2", "one", "chain", 2, 0, 50, 100, 30, 50, 100}}
	if got := r.SessionRows(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if rows := (Results{}).ReplayRows(); rows != nil {
		t.Errorf("no results give %+v", rows)
	}
}

func TestCompare(t *testing.T) {
	before := []Series{{"T1", "a", "old", marks(0.1, 0.2)}, {"T1", "b", "old", marks(0, 0.5, 0.7)}}
	t.Run("a gain that is the same everywhere has no spread", func(t *testing.T) {
		// Repository a gains 0.1 per question, b 0.3: 20 points in the mean of the two.
		after := []Series{{"T1", "b", "new", marks(0.3, 0.8, 1)}, {"T1", "a", "new", marks(0.2, 0.3)}}
		d, err := Compare(before, after, recall10, 1)
		if err != nil || d.N != 5 || !near(d.Mean, 20) || !near(d.Low, 20) || !near(d.High, 20) {
			t.Errorf("%+v, %v", d, err)
		}
		if d.String() != "+20.0 [+20.0, +20.0]" {
			t.Error(d)
		}
	})
	t.Run("only questions both have answered count", func(t *testing.T) {
		after := []Series{{"T1", "a", "new", []Mark{{Question: "1", R10: 0.7}, {Question: "9", R10: 1}}}}
		if d, err := Compare(before, after, recall10, 1); err != nil || d.N != 1 || !near(d.Mean, 50) {
			t.Errorf("%+v, %v", d, err)
		}
	})
	t.Run("nothing in common is an error", func(t *testing.T) {
		if d, err := Compare(before, []Series{{"T2", "a", "new", marks(1)}}, recall10, 1); err == nil {
			t.Errorf("%+v", d)
		}
	})
	t.Run("gains and losses that cancel leave zero inside, and the seed decides the bounds", func(t *testing.T) {
		var zero, swing []float64
		for i := range 100 {
			zero = append(zero, 0.5)
			swing = append(swing, 0.5+0.5*float64(i%2*2-1))
		}
		a, b := []Series{{"T1", "a", "old", marks(zero...)}}, []Series{{"T1", "a", "new", marks(swing...)}}
		first, err := Compare(a, b, recall10, 7)
		if err != nil {
			t.Fatal(err)
		}
		// Standard error 0.5/√100 = 5 points, so the bounds lie near ±9.8.
		if !near(first.Mean, 0) || first.Low > -8 || first.Low < -12 || first.High < 8 || first.High > 12 {
			t.Errorf("%+v", first)
		}
		if again, _ := Compare(a, b, recall10, 7); again != first {
			t.Errorf("%+v, then %+v", first, again)
		}
	})
}
