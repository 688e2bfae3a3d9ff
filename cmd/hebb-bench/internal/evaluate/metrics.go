package evaluate

import (
	"errors"
	"math/rand/v2"
	"slices"

	"github.com/hebb-memory/hebb/internal/replay"
)

// hit10 is 1 if a wanted file was among the first 10.
func hit10(m Mark) float64 { return oneIf(m.R10 > 0) }

func oneIf(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// Results are the marks of a run: by task, then repository, then ranker.
type Results replay.Results

// Pick returns the series of one ranker for one task, one per repository.
func (r Results) Pick(task, ranker string) []Series {
	var picked []Series
	for _, s := range r {
		if s.Task == task && s.Ranker == ranker {
			picked = append(picked, s)
		}
	}
	return picked
}

// Macro is the name of the row that holds the mean over the repositories.
const Macro = "macro"

// Row is how one ranker did on the questions of one task in one repository, in percent.
type Row struct {
	Task   string  `json:"task"`
	Repo   string  `json:"repo"`
	Ranker string  `json:"ranker"`
	N      int     `json:"n"`
	Hit1   float64 `json:"hit1"` // questions with a right file in the first place
	Hit5   float64 `json:"hit5"` // among the first five
	Hit10  float64 `json:"hit10"`
	R5     float64 `json:"r5"` // share of the right files among the first five
	R10    float64 `json:"r10"`
	MAP    float64 `json:"map"`
	MRR    float64 `json:"mrr"`
}

// Rows sums the marks up; with several repositories their mean follows the rows of each task.
func (r Results) Rows() []Row {
	var rows []Row
	for _, g := range r.groups() {
		rows = append(rows, Row{
			Task: g.task, Repo: g.repo, Ranker: g.ranker, N: g.n(),
			Hit1: g.mean(func(m Mark) float64 { return oneIf(m.RR == 1) }),
			Hit5: g.mean(func(m Mark) float64 { return oneIf(m.R5 > 0) }), Hit10: g.mean(hit10),
			R5: g.mean(func(m Mark) float64 { return m.R5 }), R10: g.mean(recall10),
			MAP: g.mean(func(m Mark) float64 { return m.AP }), MRR: g.mean(func(m Mark) float64 { return m.RR }),
		})
	}
	return rows
}

func recall10(m Mark) float64 { return m.R10 }

// group is what one row is about: one series, or those of all repositories.
type group struct {
	task, repo, ranker string
	series             []Series
}

func (g group) n() int {
	n := 0
	for _, s := range g.series {
		n += len(s.Marks)
	}
	return n
}

// mean returns the mean over the repositories of their means, in percent with two decimals.
func (g group) mean(value func(Mark) float64) float64 {
	sum := 0.0
	for _, s := range g.series {
		sum += s.Mean(value)
	}
	return twoDecimals(sum / float64(len(g.series)))
}

// groups lists the rows. The results are sorted by task, so the mean of a task can follow when the
// next one begins.
func (r Results) groups() []group {
	several := slices.ContainsFunc(r, func(s Series) bool { return s.Repo != r[0].Repo })
	var all, macro []group
	for i, s := range r {
		if i > 0 && s.Task != r[i-1].Task {
			all, macro = append(all, macro...), nil
		}
		all = append(all, group{s.Task, s.Repo, s.Ranker, []Series{s}})
		if known := slices.ContainsFunc(macro, func(g group) bool { return g.ranker == s.Ranker }); several && !known {
			macro = append(macro, group{s.Task, Macro, s.Ranker, r.Pick(s.Task, s.Ranker)})
		}
	}
	return append(all, macro...)
}

// Difference is how much better the second of two rankers is, in percentage points, with the bounds
// of 95 % of the resampled differences. A difference whose bounds lie on both sides of zero is
// noise.
type Difference struct {
	N               int // questions both have answered
	Mean, Low, High float64
}

// resamples is how often the bootstrap draws: enough for the bounds to stand still in the first
// decimal.
const resamples = 2000

// Compare draws the questions of each repository again and again, with replacement, and looks at
// the mean over the repositories of the mean difference of a value. Series are paired by task and
// repository, marks by question: the two may come from one run or from two. The seed makes the
// bounds repeatable.
func Compare(first, second []Series, value func(Mark) float64, seed uint64) (Difference, error) {
	var d Difference
	var strata [][]float64 // differences, by repository
	for _, a := range first {
		for _, b := range second {
			if a.Task != b.Task || a.Repo != b.Repo {
				continue
			}
			if gains := pairedGains(a, b, value); len(gains) > 0 {
				strata = append(strata, gains)
				d.N += len(gains)
			}
		}
	}
	if d.N == 0 {
		return d, errors.New("compare: the two have no question in common")
	}
	random := rand.New(rand.NewPCG(seed, uint64(d.N)))
	redrawn := make([]float64, resamples)
	for i := range redrawn {
		redrawn[i] = macroMean(strata, func(gains []float64) float64 { return drawnMean(gains, random) })
	}
	slices.Sort(redrawn)
	d.Mean = macroMean(strata, mean)
	d.Low, d.High = redrawn[resamples*25/1000], redrawn[resamples*975/1000-1]
	return d, nil
}

// pairedGains returns second minus first, for each question both have answered.
func pairedGains(first, second Series, value func(Mark) float64) []float64 {
	before := make(map[string]float64, len(first.Marks))
	for _, m := range first.Marks {
		before[m.Question] = value(m)
	}
	var gains []float64
	for _, m := range second.Marks {
		if was, ok := before[m.Question]; ok {
			gains = append(gains, value(m)-was)
		}
	}
	return gains
}

// macroMean returns the mean over the strata of what each comes to, in percent.
func macroMean(strata [][]float64, of func([]float64) float64) float64 {
	sum := 0.0
	for _, values := range strata {
		sum += of(values)
	}
	return 100 * sum / float64(len(strata))
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// drawnMean is the mean of as many values as there are, drawn with replacement.
func drawnMean(values []float64, random *rand.Rand) float64 {
	sum := 0.0
	for range values {
		sum += values[random.IntN(len(values))]
	}
	return sum / float64(len(values))
}
