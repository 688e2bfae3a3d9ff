package said

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/embedding"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/vocab"
)

// ConcernRow is how well one of the judgements about put-off work does on projects that it was not
// learned from.
type ConcernRow struct {
	Bench string  `json:"bench"`
	What  string  `json:"what"`
	Right int     `json:"right"` // that are recognised
	Of    int     `json:"of"`
	Wrong int     `json:"wrong"` // others that are taken for such
	Among int     `json:"among"`
	Sure  float64 `json:"sure" show:"%.3f"` // the threshold
}

// putOff is a line of goals.jsonl: work that somebody puts off, and texts that ask for it, report
// it, end it or only resemble it.
type putOff struct {
	Project     string `json:"project"`
	Goal        string `json:"goal"`
	Asks        string `json:"asks"`
	Commit      string `json:"commit"`
	Closing     string `json:"closing"`
	Says        string `json:"says"`
	Drops       string `json:"drops"`
	Near        string `json:"near"`
	NearCommit  string `json:"near_commit"`
	NearClosing string `json:"near_closing"`
	Half        string `json:"half"`
	Mention     string `json:"mention"`
}

// about are the texts that speak of the goal.
func (p putOff) about() []string {
	return []string{p.Asks, p.Commit, p.Closing, p.Says, p.Drops, p.Half, p.Mention}
}

func (p putOff) resembles() []string { return []string{p.Near, p.NearCommit} }

// How the judgements about put-off work are learned.
const (
	delayCount    = 3   // goals that a word is in which only puts off
	delayRatio    = 3.0 // how much oftener it is there than in what asks for the work
	judgePenalty  = 10.0
	judgeUnits    = 6
	judgeSteps    = 200       // of gradient descent
	closedWrongly = 3 / 1000. // share of the texts and turns that do not end a goal which may be taken to
	closestOthers = 2         // goals of the same project that a text is compared with beside its own
	concernPlaces = statements.ClosingPlaces
)

// sample is features and what is true of them.
type sample struct {
	features []float64
	is       bool
	fold     int
}

// TrainConcerns learns the judgements about put-off work from the made-up goals, with figures of
// cross-validation by project.
func TrainConcerns(ctx context.Context) (*statements.Concerns, []ConcernRow, error) {
	list, err := readLines(madeUpFiles, "made-up/goals.jsonl", decode[putOff])
	if err != nil {
		return nil, nil, err
	}
	var projects []string
	for _, p := range list {
		if !slices.Contains(projects, p.Project) {
			projects = append(projects, p.Project)
		}
	}
	of := func(fold int, is bool) (some []putOff) {
		for _, p := range list {
			if (slices.Index(projects, p.Project)%foldCount == fold) == is {
				some = append(some, p)
			}
		}
		return some
	}
	var turns, over, dropped []sample
	for fold := range foldCount {
		c, err := learnConcerns(ctx, of(fold, false))
		if err != nil {
			return nil, nil, err
		}
		for _, own := range byProject(of(fold, true)) {
			for i := range own {
				for _, beside := range [][]putOff{own, own[i : i+1]} { // most projects have few goals
					t, o, d := c.samples(own, i, c.goals(beside), fold)
					turns, over, dropped = append(turns, t...), append(over, o...), append(dropped, d...)
				}
			}
		}
	}
	c, err := learnConcerns(ctx, list)
	if err != nil {
		return nil, nil, err
	}
	var rows []ConcernRow
	for _, j := range []struct {
		what string
		to   *statements.JudgeConcern
		from []sample
	}{{"turn", &c.Ended, turns}, {"said done", &c.Over, over}, {"dropped", &c.Dropped, dropped}} {
		row, err := stack(ctx, j.to, j.from)
		if err != nil {
			return nil, nil, err
		}
		row.What = j.what
		rows = append(rows, row)
	}
	return c.Concerns, rows, nil
}

func byProject(list []putOff) (projects [][]putOff) {
	for _, p := range list {
		at := slices.IndexFunc(projects, func(own []putOff) bool { return own[0].Project == p.Project })
		if at < 0 {
			at, projects = len(projects), append(projects, nil)
		}
		projects[at] = append(projects[at], p)
	}
	return projects
}

// concernModel is a model and the texts that were prepared for it.
type concernModel struct{ *statements.Concerns }

var preparedGoals = map[string]*statements.Said{}

func (c concernModel) goals(own []putOff) *statements.Goals {
	titles := make([]string, len(own))
	for i, p := range own {
		titles[i] = p.Goal
	}
	return c.NewGoals(titles, vocab.TextWords, func(text string, cut []string) *statements.Said {
		key := text + "\x00" + strings.Join(cut, " ")
		if preparedGoals[key] == nil { // to find its meaning takes long
			preparedGoals[key] = statements.NewSaid(text, cut, embedding.GeneralRow)
		}
		return preparedGoals[key]
	})
}

// learnConcerns learns what texts are about and what they do.
func learnConcerns(ctx context.Context, list []putOff) (concernModel, error) {
	c := concernModel{&statements.Concerns{Delays: delaysOf(list)}}
	var pairs []sample
	var acts []example
	act := func(kind statements.Act, texts ...string) {
		for _, text := range texts {
			acts = append(acts, example{features: statements.OwnFeatures(text, statements.Builtin().Frequent), weight: 1, kind: slices.Index(statements.Acts, kind)})
		}
	}
	for _, own := range byProject(list) {
		goals := c.goals(own)
		for i, p := range own {
			act(statements.Asks, p.Asks, p.Near)
			act(statements.Done, p.Closing, p.Says)
			act(statements.Drops, p.Drops)
			act(statements.Left, p.Half)
			act(statements.Talks, p.Mention, p.Goal)
			for k, text := range append(p.about(), p.resembles()...) {
				found := goals.Pairs(text)
				slices.SortFunc(found, func(a, b statements.Pair) int { return cmp.Compare(b.Meaning(), a.Meaning()) })
				for n, pair := range found {
					if pair.Index == i || n < closestOthers {
						is := pair.Index == i && k < len(p.about())
						alone := c.goals(own[pair.Index : pair.Index+1]).Pairs(text) // most projects have few goals
						pairs = append(pairs, sample{features: pair.Beside(), is: is}, sample{features: alone[0].Beside(), is: is})
					}
				}
			}
		}
	}
	weights, bias, err := learnKinds(ctx, acts, len(statements.Acts))
	if err != nil {
		return c, err
	}
	c.Acts = statements.NewModel(statements.Header{KindBias: bias, Frequent: statements.Builtin().Frequent}, statements.Acts, make([]float64, concernPlaces), weights)
	c.About, err = learnJudge(ctx, pairs)
	return c, err
}

// delaysOf are the words that stand much oftener where work is put off than where it is asked for.
func delaysOf(list []putOff) (delays []string) {
	put, asked := map[string]float64{}, map[string]float64{}
	count := func(in map[string]float64, text string) {
		words := vocab.TextWords(text)
		slices.Sort(words)
		for _, w := range slices.Compact(words) {
			in[w]++
		}
	}
	for _, p := range list {
		count(put, p.Goal)
		count(asked, p.Asks)
	}
	for w, n := range put {
		if n >= delayCount && n >= delayRatio*(asked[w]+0.5) {
			delays = append(delays, w)
		}
	}
	slices.Sort(delays)
	return delays
}

// samples are turns and sayings that end one of the goals of a project or do not, where that goal
// stands beside others or alone.
func (c concernModel) samples(own []putOff, which int, goals *statements.Goals, fold int) (turns, over, dropped []sample) {
	p, i := own[which], which
	if len(goals.Hear(p.Goal).About) == 1 {
		i = 0
	}
	hear := func(texts ...string) (heard []*statements.Heard) {
		for _, text := range texts {
			for _, s := range statements.Parse(statements.Prompt{Text: text}).Sentences {
				heard = append(heard, goals.Hear(text[s.Start:s.End]))
			}
		}
		return heard
	}
	turn := func(is bool, asked, commits, message []*statements.Heard) {
		turns = append(turns, sample{statements.TurnFeatures(i, asked, commits, message), is, fold})
	}
	say := func(text string, done, drops bool) {
		var best []float64
		for _, h := range hear(text) {
			if f := statements.OverFeatures(i, h); best == nil || f[0] > best[0] {
				best = f
			}
		}
		over, dropped = append(over, sample{best, done, fold}), append(dropped, sample{best, drops, fold})
	}
	asks, commit, closing := hear(p.Asks), hear(p.Commit), hear(p.Closing)
	turn(true, asks, commit, closing)
	turn(true, asks, commit, nil)
	turn(true, asks, nil, closing)
	turn(true, nil, commit, closing)
	turn(true, nil, commit, nil)
	turn(true, nil, nil, closing)
	turn(false, hear(p.Near), hear(p.NearCommit), nil)
	turn(false, hear(p.Mention), hear(p.NearCommit), nil)
	turn(false, nil, hear(p.NearCommit), nil)
	if p.NearClosing != "" {
		turn(false, hear(p.Near), hear(p.NearCommit), hear(p.NearClosing))
		turn(false, hear(p.Near), nil, hear(p.NearClosing))
	}
	turn(false, asks, nil, hear(p.Half))
	turn(false, nil, nil, hear(p.Half))
	say(p.Says, true, false)
	say(p.Drops, false, true)
	for _, text := range []string{p.Asks, p.Near, p.Mention} {
		say(text, false, false)
	}
	others := make([]int, len(own))
	for k := range own {
		others[k] = k
	}
	others = slices.Delete(others, which, which+1)
	closeness := func(k int) float64 { return goals.Hear(own[k].Commit).About[i] }
	slices.SortFunc(others, func(a, b int) int { return cmp.Compare(closeness(b), closeness(a)) })
	for _, k := range others[:min(len(others), closestOthers)] {
		turn(false, hear(own[k].Asks), hear(own[k].Commit), hear(own[k].Closing))
		say(own[k].Says, false, false)
		say(own[k].Drops, false, false)
	}
	return turns, over, dropped
}

// stack learns a judgement whose threshold comes from cross-validation.
func stack(ctx context.Context, to *statements.JudgeConcern, list []sample) (row ConcernRow, err error) {
	var right, wrong []float64
	for fold := range foldCount {
		j, err := learnJudge(ctx, slices.DeleteFunc(slices.Clone(list), func(s sample) bool { return s.fold == fold }))
		if err != nil {
			return row, err
		}
		for _, s := range list {
			switch {
			case s.fold != fold:
			case s.is:
				right = append(right, j.Odds(s.features))
			default:
				wrong = append(wrong, j.Odds(s.features))
			}
		}
	}
	if *to, err = learnJudge(ctx, list); err != nil {
		return row, err
	}
	slices.Sort(wrong)
	to.Sure = rounded(wrong[len(wrong)-1-int(closedWrongly*float64(len(wrong)))]) + 0.001
	count := func(list []float64) (n int) {
		for _, z := range list {
			n += truth(z >= to.Sure)
		}
		return n
	}
	return ConcernRow{Bench: "goals", Right: count(right), Of: len(right), Wrong: count(wrong), Among: len(wrong), Sure: to.Sure}, nil
}

// learnJudge is logistic regression with a few units.
func learnJudge(ctx context.Context, list []sample) (j statements.JudgeConcern, err error) {
	n := len(list[0].features)
	mean, spread := make([]float64, n), make([]float64, n)
	for _, s := range list {
		for k, f := range s.features {
			mean[k] += f / float64(len(list))
			spread[k] += f * f / float64(len(list))
		}
	}
	for k := range mean {
		spread[k] = max(leastSpread, math.Sqrt(max(0, spread[k]-mean[k]*mean[k])))
	}
	scaled := make([][]float64, len(list))
	for i, s := range list {
		for k, f := range s.features {
			scaled[i] = append(scaled[i], (f-mean[k])/spread[k])
		}
	}
	random := rand.New(rand.NewPCG(1, 1)) //nolint:gosec // the same samples make the same model
	w := make([]float64, 1+n+judgeUnits*(n+2))
	for i := 1 + n; i < len(w); i++ {
		w[i] = random.NormFloat64() / math.Sqrt(float64(n))
	}
	gradient := make([]float64, len(w))
	build := func() statements.JudgeConcern {
		j := statements.JudgeConcern{Weights: w[:1+n]}
		for u := range slices.Chunk(w[1+n:], n+2) {
			j.Units = append(j.Units, u)
		}
		return j
	}
	now := build()
	err = descendUneven(ctx, w, gradient, judgeSteps, func(int) {
		for k := range w {
			gradient[k] = judgePenalty * w[k] / float64(len(list))
		}
		for i, s := range list {
			x := scaled[i]
			r := (1/(1+math.Exp(-now.Odds(x))) - float64(truth(s.is))) / float64(len(list))
			gradient[0] += r
			for k, f := range x {
				gradient[1+k] += r * f
			}
			for h, u := range now.Units {
				g := gradient[1+n+h*(n+2):]
				inner := u[1]
				for k, f := range x {
					inner += u[2+k] * f
				}
				a := math.Tanh(inner)
				g[0] += r * a
				inner = r * u[0] * (1 - a*a)
				g[1] += inner
				for k, f := range x {
					g[2+k] += inner * f
				}
			}
		}
	})
	for k := range n { // the features are not scaled where the model is used
		for _, u := range append([][]float64{now.Weights}, now.Units...) {
			constant, at := len(u)-n-1, len(u)-n+k
			u[at] = rounded(u[at] / spread[k])
			u[constant] -= u[at] * mean[k]
		}
	}
	for _, u := range append([][]float64{now.Weights}, now.Units...) {
		for k := range u {
			u[k] = rounded(u[k])
		}
	}
	return now, err
}
