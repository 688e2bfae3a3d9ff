package texts

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/tuning"
)

func TestV26Recency(t *testing.T) {
	for hours, want := range map[float64]float64{0: 1.05, 24: 1.03536, 48: 1.025, 168: 1.00442, -5: 1.05} {
		if got := Recency(time.Duration(hours * float64(time.Hour))); !near(got, want, 1e-4) {
			t.Errorf("%v h: %.4f, want %.4f", hours, got, want)
		}
	}
}

// old is long ago, so that recency adds nothing.
var old = noon.Add(-days(3650))

// id and nameOf turn a name of up to seven letters into a number and back; names keep their order.
func id(name string) (n int64) {
	for i := range 7 {
		n <<= 8
		if i < len(name) {
			n |= int64(name[i])
		}
	}
	return n
}

func nameOf(n int64) string {
	var name []byte
	for ; n > 0; n >>= 8 {
		if n&0xff != 0 {
			name = append(name, byte(n))
		}
	}
	slices.Reverse(name)
	return string(name)
}

func fuse(candidates []Candidate, history bool, now time.Time) []Result {
	return Fuse(candidates, tuning.Default().Crystal.Weights, history, now)
}

func order(results []Result) string {
	var ids []string
	for _, r := range results {
		ids = append(ids, nameOf(r.ID))
	}
	return strings.Join(ids, " ")
}

func TestScoresAreSummedByWeight(t *testing.T) {
	results := fuse([]Candidate{
		{ID: id("words"), At: old, Scores: Scores{Words: 8, Meaning: .2}},
		{ID: id("both"), At: old, Scores: Scores{Words: 6, Meaning: .8}},
		{ID: id("against"), At: old, Scores: Scores{Words: 4, Meaning: -.9}},
	}, false, noon)
	if got := order(results); got != "both words against" {
		t.Error(got)
	}
	// 0.35 and 0.33 of 0.68: the other sources gave nothing.
	if want := (.35*.75 + .33) / .68; !near(results[0].Score, want, 1e-9) {
		t.Errorf("%v, want %v", results[0].Score, want)
	}
	if s := results[0].Shares; len(s) != 2 || s[0].Source != Meaning || !near(s[0].Share+s[1].Share, results[0].Score, 1e-9) {
		t.Errorf("%+v", s)
	}
	if s := results[2].Shares; len(s) != 1 || s[0].Source != Words {
		t.Errorf("a negative cosine has a share: %+v", s)
	}
}

func TestATextWithoutAVectorIsJudgedByItsWords(t *testing.T) {
	results := fuse([]Candidate{
		{ID: id("vector"), At: old, Scores: Scores{Words: 4, Meaning: .5}},
		{ID: id("new"), At: old, Scores: Scores{Words: 8, Meaning: math.NaN()}},
		{ID: id("zero"), At: old, Scores: Scores{Words: 8, Meaning: 0}},
	}, false, noon)
	if got := order(results); got != "new vector zero" || results[0].Score != 1 {
		t.Errorf("%s: %+v", got, results[0])
	}
}

func TestDoubtAndThePastLowerAScore(t *testing.T) {
	candidates := []Candidate{
		{ID: id("past"), At: old, Scores: Scores{Words: 10}, Past: true},
		{ID: id("unsure"), At: old, Scores: Scores{Words: 8}, Unsure: true},
		{ID: id("plain"), At: old, Scores: Scores{Words: 6}},
	}
	if got := order(fuse(candidates, false, noon)); got != "plain unsure past" {
		t.Error(got)
	}
	if got := order(fuse(candidates, true, noon)); got != "past plain unsure" {
		t.Error("asked for the past:", got)
	}
}

func TestTiesGoToImportanceThenTimeThenID(t *testing.T) {
	same := Scores{Words: 1}
	later := old.Add(time.Hour)
	results := fuse([]Candidate{
		{ID: id("c"), Scores: same, At: old}, {ID: id("d"), Scores: same, At: later}, {ID: id("b"), Scores: same, At: old},
		{ID: id("a"), Scores: same, At: old, Importance: .5},
		{ID: id("z"), Scores: Scores{Words: 1.001}, At: old, Importance: 0},
	}, false, noon)
	if got := order(results); got != "z a d c b" {
		t.Errorf("%s: importance breaks ties and never outranks", got)
	}
}

func TestBadNumbersDoNoHarm(t *testing.T) {
	for _, bad := range []float64{math.Inf(1), math.Inf(-1), math.NaN(), math.Copysign(0, -1)} {
		results := fuse([]Candidate{
			{ID: id("bad"), At: old, Scores: Scores{Words: bad, Meaning: math.NaN()}}, {ID: id("good"), At: old, Scores: Scores{Words: 1, Meaning: .5}},
		}, false, noon)
		if order(results) != "good bad" || math.IsNaN(results[1].Score) {
			t.Errorf("%v: %+v", bad, results)
		}
	}
	if got := fuse(nil, false, noon); len(got) != 0 {
		t.Error(got)
	}
}

func TestWhatAnswers(t *testing.T) {
	least := tuning.Default().Search.NearLeast
	for _, test := range []struct {
		scores Scores
		want   bool
	}{
		{Scores{}, false},
		{Scores{Words: .1}, true},
		{Scores{WordsNear: .1}, true},
		{Scores{Graph: .1}, false},
		{Scores{Title: .1}, true},
		{Scores{Meaning: least}, true},
		{Scores{Meaning: least - .01}, false},
		{Scores{Meaning: math.NaN()}, false},
	} {
		if got := Agrees(test.scores, least); got != test.want {
			t.Errorf("%v answers: %v, want %v", test.scores, got, test.want)
		}
	}
}
