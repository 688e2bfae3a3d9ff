package evaluate

import (
	"fmt"
	"github.com/hebb-memory/hebb/internal/must"
	"math"
	"reflect"
	"testing"
)

// near allows for the last bits of a float64.
func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

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
		{Task: "T1", Repo: "small", Ranker: "recent", Marks: []Mark{{R5: 1, R10: 1, AP: 1, RR: 1}}},
		{Task: "T1", Repo: "large", Ranker: "recent", Marks: []Mark{{}, {}, {R10: 0.5, AP: 0.1, RR: 0.1}}},
		{Task: "T2", Repo: "small", Ranker: "recent", Marks: []Mark{{}}},
		{Task: "T2", Repo: "large", Ranker: "recent", Marks: []Mark{{R5: 1, R10: 1, AP: 1, RR: 1}}},
	}
	want := []Row{
		{"T1", "small", "recent", 1, 100, 100, 100, 100, 100, 100, 100},
		{"T1", "large", "recent", 3, 0, 0, 33.33, 0, 16.67, 3.33, 3.33},
		{"T1", "macro", "recent", 4, 50, 50, 66.67, 50, 58.33, 51.67, 51.67},
		{"T2", "small", "recent", 1, 0, 0, 0, 0, 0, 0, 0},
		{"T2", "large", "recent", 1, 100, 100, 100, 100, 100, 100, 100},
		{"T2", "macro", "recent", 2, 50, 50, 50, 50, 50, 50, 50},
	}
	if got := r.Rows(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestOneRepositoryHasNoMacroRow(t *testing.T) {
	r := Results{{Task: "S2", Repo: "one", Ranker: "chain", Marks: []Mark{{R5: 1, R10: 1, AP: 0.5, RR: 0.5}, {R10: 1, AP: 0.1, RR: 0.1}}}}
	want := []Row{{"S2", "one", "chain", 2, 0, 50, 100, 50, 100, 30, 30}}
	if got := r.Rows(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if rows := (Results{}).Rows(); rows != nil {
		t.Errorf("no results give %+v", rows)
	}
}

func TestCompare(t *testing.T) {
	before := []Series{{Task: "T1", Repo: "a", Ranker: "old", Marks: marks(0.1, 0.2)}, {Task: "T1", Repo: "b", Ranker: "old", Marks: marks(0, 0.5, 0.7)}}
	t.Run("a gain that is the same everywhere has no spread", func(t *testing.T) {
		// Repository a gains 0.1 per question, b 0.3: 20 points in the mean of the two.
		after := []Series{{Task: "T1", Repo: "b", Ranker: "new", Marks: marks(0.3, 0.8, 1)}, {Task: "T1", Repo: "a", Ranker: "new", Marks: marks(0.2, 0.3)}}
		d, err := Compare(before, after, recall10, 1)
		if err != nil || d.N != 5 || !near(d.Mean, 20) || !near(d.Low, 20) || !near(d.High, 20) {
			t.Errorf("%+v, %v", d, err)
		}
	})
	t.Run("only questions both have answered count", func(t *testing.T) {
		after := []Series{{Task: "T1", Repo: "a", Ranker: "new", Marks: []Mark{{Question: "1", R10: 0.7}, {Question: "9", R10: 1}}}}
		if d, err := Compare(before, after, recall10, 1); err != nil || d.N != 1 || !near(d.Mean, 50) {
			t.Errorf("%+v, %v", d, err)
		}
	})
	t.Run("nothing in common is an error", func(t *testing.T) {
		if d, err := Compare(before, []Series{{Task: "T2", Repo: "a", Ranker: "new", Marks: marks(1)}}, recall10, 1); err == nil {
			t.Errorf("%+v", d)
		}
	})
	t.Run("gains and losses that cancel leave zero inside, and the seed decides the bounds", func(t *testing.T) {
		var zero, swing []float64
		for i := range 100 {
			zero = append(zero, 0.5)
			swing = append(swing, 0.5+0.5*float64(i%2*2-1))
		}
		a, b := []Series{{Task: "T1", Repo: "a", Ranker: "old", Marks: marks(zero...)}}, []Series{{Task: "T1", Repo: "a", Ranker: "new", Marks: marks(swing...)}}
		first := must.Get(Compare(a, b, recall10, 7))(t)
		// Standard error 0.5/√100 = 5 points, so the bounds lie near ±9.8.
		if !near(first.Mean, 0) || first.Low > -8 || first.Low < -12 || first.High < 8 || first.High > 12 {
			t.Errorf("%+v", first)
		}
		if again, _ := Compare(a, b, recall10, 7); again != first {
			t.Errorf("%+v, then %+v", first, again)
		}
	})
}
