package evaluate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/sleep"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// LifeInput says which life to live.
type LifeInput struct {
	Seed     uint64
	Days     int
	Projects int
	Tuning   tuning.Tuning
	Clock    Clock // measures; the life itself has a clock of its own
	// Progress receives how many of all moments were lived.
	Progress func(done, total int)
}

// LifeRow is what a memory is like at the end of a month. Shares are percent.
type LifeRow struct {
	Bench    string  `json:"bench"`
	Case     string  `json:"case"` // sleep, awake
	Seed     uint64  `json:"seed"`
	Month    int     `json:"month"`
	Day      int     `json:"day"`
	Neurons  int64   `json:"neurons"`
	Synapses int64   `json:"synapses"`
	Weight   float64 `json:"mean_weight"`
	Myelin   float64 `json:"mean_myelin"`
	// True associations are pairs that were worked on together on purpose in the last 60 days, each asked for from both ends.
	True     int     `json:"true_pairs"`
	Wired    float64 `json:"wired"`    // the other is among the first ten companions by weight
	Recalled float64 `json:"recalled"` // the other is among the first ten that recall names with the one open
	// Noise are pairs that met by chance, for the last time more than 60 days ago.
	Noise int     `json:"noise_pairs"`
	Gone  float64 `json:"noise_gone"` // no link is left
	// Asked counts the questions of this month about sessions that were about to begin.
	Asked int     `json:"asked"`
	Hit10 float64 `json:"hit10"` // a file that the session opens is among the first ten
	R10   float64 `json:"r10"`   // share of its files among the first ten
	Bytes int64   `json:"bytes"`
	// Of all sleeps so far.
	Sleeps  int     `json:"sleeps"`
	Asleep  float64 `json:"asleep_s"`
	Longest float64 `json:"longest_ms"`
	Written int64   `json:"rows_written"` // links and neurons that they changed or forgot
}

// LifeBar is a figure of a life beside what it must reach.
type LifeBar struct {
	Bench string  `json:"bench"`
	Case  string  `json:"case"` // bar
	Seed  uint64  `json:"seed"`
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Limit float64 `json:"limit"`
	Most  bool    `json:"most"` // the value must not be above the limit, else not below it
	Met   bool    `json:"met"`
}

// LifeResult is one life lived twice.
type LifeResult struct {
	Sleep, Awake []LifeRow // month by month
	Bars         []LifeBar
}

// Life lives some months of work twice, with sleep and without, and examines both memories at the end of each month.
// Everything that happens is drawn from the seed and given to the real code on a clock of its own.
func Life(ctx context.Context, in LifeInput) (LifeResult, error) {
	moments := newPlan(in.Seed, in.Days, in.Projects)
	var lived atomic.Int64
	tick := func() {
		if n := lived.Add(1); in.Progress != nil && n%100 == 0 {
			in.Progress(int(n), 2*len(moments))
		}
	}
	var out LifeResult
	var wg sync.WaitGroup
	var errs [2]error
	wg.Go(func() { out.Sleep, errs[0] = in.live(ctx, "sleep", moments, tick) })
	wg.Go(func() { out.Awake, errs[1] = in.live(ctx, "awake", moments, tick) })
	wg.Wait()
	if err := errors.Join(errs[:]...); err != nil {
		return out, err
	}
	out.Bars = in.bars(out)
	return out, nil
}

func (in LifeInput) bars(r LifeResult) []LifeBar {
	end, awake := r.Sleep[len(r.Sleep)-1], r.Awake[len(r.Awake)-1]
	bars := []LifeBar{
		{Name: "true associations recalled", Value: end.Recalled, Limit: 95},
		{Name: "true associations wired", Value: end.Wired, Limit: 95},
		{Name: "noise gone", Value: end.Gone, Limit: 90},
		{Name: "graph against no sleep", Value: 100 * float64(end.Neurons+end.Synapses) / float64(max(1, awake.Neurons+awake.Synapses)), Limit: 30, Most: true},
		{Name: "hit@10 against no sleep", Value: hits(r.Sleep), Limit: hits(r.Awake)},
	}
	for i := range bars {
		b := &bars[i]
		b.Bench, b.Case, b.Seed = "life", "bar", in.Seed
		b.Met = b.Value >= b.Limit
		if b.Most {
			b.Met = b.Value <= b.Limit
		}
	}
	return bars
}

// hits is hit@10 over a whole life.
func hits(rows []LifeRow) float64 {
	sum, n := 0.0, 0
	for _, r := range rows {
		sum, n = sum+r.Hit10*float64(r.Asked), n+r.Asked
	}
	return sum / float64(max(1, n))
}

// life is one memory that lives.
type life struct {
	LifeInput
	brain  *brain.Brain
	now    time.Time
	sleeps bool
	row    LifeRow // what has added up so far
	hits   int
	found  float64
}

func (in LifeInput) live(ctx context.Context, name string, moments plan, tick func()) (rows []LifeRow, err error) {
	dir, err := os.MkdirTemp("", "hebb-bench-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	l := &life{LifeInput: in, now: lifeBegin, sleeps: name == "sleep", row: LifeRow{Bench: "life", Case: name, Seed: in.Seed}}
	l.brain, err = brain.Open(ctx, config.Config{Dir: dir, Tuning: in.Tuning}, func() time.Time { return l.now })
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, l.brain.Close()) }()
	for _, m := range moments {
		l.now = m.at
		if err := l.pass(ctx, m); err != nil {
			return nil, err
		}
		if m.exam != nil {
			row, err := l.examine(ctx, *m.exam)
			if err != nil {
				return nil, err
			}
			rows = append(rows, row)
			l.row.Asked, l.hits, l.found = 0, 0, 0
		}
		tick()
	}
	return rows, nil
}

// pass lives one moment. When a turn or a session ends, a hook starts a drain, and a drain sleeps if it is time.
func (l *life) pass(ctx context.Context, m moment) error {
	for _, q := range m.asks {
		if err := l.ask(ctx, q); err != nil {
			return err
		}
	}
	if len(m.events) == 0 {
		return nil
	}
	if _, err := steward.Run(ctx, l.brain, steward.Observe, m.events); err != nil {
		return err
	}
	start := l.Clock()
	drained, err := steward.Run(ctx, l.brain, steward.Drain, steward.DrainInput{Sleep: l.sleeps})
	if err != nil || drained.Slept == nil {
		return err
	}
	took := l.Clock().Sub(start)
	l.row.Sleeps++
	l.row.Asleep += took.Seconds()
	l.row.Longest = max(l.row.Longest, milliseconds(took))
	l.row.Written += written(*drained.Slept)
	return nil
}

// written counts the links and neurons that a sleep changed or forgot.
func written(r sleep.SleepReport) int64 {
	d, h, c := r.Decay, r.Homeostasis, r.Consolidation
	return d.PrunedSynapses + d.PrunedNeurons + h.NeuronsDampened + h.NeuronsBoosted + h.TagsExpired + c.SynapsesStrengthened +
		c.NeuronsReviewed + c.NeuronsForgotten + c.PatternsDiscovered + c.TemporalPairsFound + c.DirectionalBoosts
}

// firstTen is how far down answers and companions count.
const firstTen = 10

// ask is a question about a session before it is known.
func (l *life) ask(ctx context.Context, q lifeQuestion) error {
	if len(q.want) == 0 {
		return nil
	}
	answers, err := l.recall(ctx, ranking.RecallInput{Scope: brain.Scope{Project: q.project.String()}, Text: q.text, Open: q.open, Next: true})
	if err != nil {
		return err
	}
	right := 0
	for _, w := range q.want {
		if answers[w] {
			right++
		}
	}
	l.row.Asked++
	l.found += float64(right) / float64(min(len(q.want), firstTen))
	if right > 0 {
		l.hits++
	}
	return nil
}

func (l *life) recall(ctx context.Context, in ranking.RecallInput) (map[string]bool, error) {
	in.Limit = firstTen
	out, err := steward.Run(ctx, l.brain, ranking.Recall, in)
	answers := map[string]bool{}
	for _, f := range out.Files {
		answers[f.Path] = true
	}
	return answers, err
}

// examine measures the memory.
func (l *life) examine(ctx context.Context, e lifeExam) (LifeRow, error) {
	r := l.row
	r.Month, r.Day, r.True, r.Noise = e.month, e.day, len(e.together), len(e.apart)
	if r.Asked > 0 {
		r.Hit10, r.R10 = 100*float64(l.hits)/float64(r.Asked), 100*l.found/float64(r.Asked)
	}
	if err := l.weigh(ctx, &r); err != nil {
		return r, err
	}
	graph, err := l.graph(ctx, &r)
	if err != nil {
		return r, err
	}
	recalled := map[pathPair]map[string]bool{}
	for _, p := range e.together {
		for _, from := range []pathPair{p, p.turned()} {
			file := pathPair{project: from.project, a: from.a}
			if recalled[file] == nil {
				if recalled[file], err = l.recall(ctx, ranking.RecallInput{
					Scope: brain.Scope{Project: from.project.String()}, Open: []string{from.a}, Next: true,
				}); err != nil {
					return r, err
				}
			}
			r.Recalled += share(recalled[file][from.b], 2*len(e.together))
			r.Wired += share(graph.near[from], 2*len(e.together))
		}
	}
	for _, p := range e.apart {
		r.Gone += share(!graph.linked[p] && !graph.linked[p.turned()], len(e.apart))
	}
	return r, nil
}

// share is what one of n adds to a percentage.
func share(counts bool, n int) float64 {
	if !counts {
		return 0
	}
	return 100 / float64(n)
}

// weigh counts what there is.
func (l *life) weigh(ctx context.Context, r *LifeRow) error {
	stats, err := steward.Run(ctx, l.brain, inspect.Stats, brain.Scope{All: true})
	if err != nil {
		return err
	}
	r.Bytes = stats.Store.Bytes
	for _, p := range stats.Projects {
		r.Neurons += p.Files + p.Errors
		for _, n := range p.Synapses {
			r.Synapses += n
		}
	}
	neurons, err := steward.Run(ctx, l.brain, inspect.Neurons, inspect.NeuronsInput{Scope: brain.Scope{All: true}, Kind: memory.FileNeuron})
	for _, n := range neurons {
		r.Myelin += n.Myelin / float64(len(neurons))
	}
	return err
}

// lifeGraph is what is linked, and what is among the first ten companions of a file.
type lifeGraph struct{ linked, near map[pathPair]bool }

func (l *life) graph(ctx context.Context, r *LifeRow) (g lifeGraph, err error) {
	links, err := steward.Run(ctx, l.brain, inspect.Synapses, inspect.SynapsesInput{Scope: brain.Scope{All: true}})
	if err != nil {
		return g, fmt.Errorf("examine: %w", err)
	}
	type companion struct {
		pair   pathPair
		weight float64
	}
	g = lifeGraph{linked: map[pathPair]bool{}, near: map[pathPair]bool{}}
	of := map[pathPair][]companion{}
	for _, s := range links {
		there := pathPair{s.Project, s.From.Key, s.To.Key}
		g.linked[there] = true
		for _, c := range []companion{{there, s.Weight}, {there.turned(), s.Back}} {
			file := pathPair{project: s.Project, a: c.pair.a}
			of[file] = append(of[file], c)
			r.Weight += c.weight / float64(2*len(links))
		}
	}
	for _, companions := range of {
		slices.SortFunc(companions, func(a, b companion) int {
			return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.pair.b, b.pair.b))
		})
		for _, c := range companions[:min(len(companions), firstTen)] {
			g.near[c.pair] = true
		}
	}
	return g, nil
}
