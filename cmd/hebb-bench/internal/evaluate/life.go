package evaluate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/forget"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// LifeInput says which life to live.
type LifeInput struct {
	Seed   uint64
	Days   int
	Tuning tuning.Tuning
}

// LifeRow is what a memory is like at the end of a month. Shares are percent.
type LifeRow struct {
	Bench    string `json:"bench"`
	Case     string `json:"case"` // sleep, awake
	Seed     uint64 `json:"seed"`
	Month    int    `json:"month"`
	Day      int    `json:"day"`
	Neurons  int64  `json:"neurons"`
	Synapses int64  `json:"synapses"`
	// True associations are pairs that were worked on together on purpose in the last 60 days, each
	// asked for from both ends.
	True  int     `json:"true_pairs"`
	Wired float64 `json:"wired"` // the other is among the first ten companions by weight
	// Noise are pairs that met by chance, for the last time more than 60 days ago.
	Noise int     `json:"noise_pairs"`
	Gone  float64 `json:"noise_gone"` // no link is left
	Store float64 `json:"store_mb"`
	// Of all sleeps so far.
	Sleeps  int     `json:"sleeps"`
	Longest float64 `json:"longest_ms" show:"%.0f"`
	// Rebuilt is how long it takes in the last month to make all that was learned again from the log.
	Rebuilt float64 `json:"rebuilt_s" show:"%.1f"`
}

// Life lives some months of work twice, with sleep and without, and examines both memories at the
// end of each month. Everything that happens is drawn from the seed and given to the real code on a
// clock of its own.
func Life(ctx context.Context, in LifeInput) (rows []LifeRow, err error) {
	p := newPlan(in.Seed, in.Days)
	var sleep, awake []LifeRow
	var wg sync.WaitGroup
	var errs [2]error
	wg.Go(func() { sleep, errs[0] = in.live(ctx, "sleep", p) })
	wg.Go(func() { awake, errs[1] = in.live(ctx, "awake", p) })
	wg.Wait()
	if err := errors.Join(errs[:]...); err != nil {
		return nil, err
	}
	for i := range sleep {
		rows = append(rows, sleep[i], awake[i])
	}
	return rows, nil
}

// life is one memory that lives.
type life struct {
	brain  *brain.Brain
	now    time.Time
	sleeps bool
	row    LifeRow // what has added up so far
}

func (in LifeInput) live(ctx context.Context, name string, p *planner) (rows []LifeRow, err error) {
	dir, remove, err := temporary()
	if err != nil {
		return nil, err
	}
	defer remove(&err)
	l := &life{now: lifeBegin, sleeps: name == "sleep", row: LifeRow{Bench: "life", Case: name, Seed: in.Seed}}
	l.brain, err = steward.Open(ctx, config.Config{Dir: dir, Tuning: in.Tuning}, func() time.Time { return l.now })
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, l.brain.Close()) }()
	for _, m := range p.moments {
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
		}
	}
	if l.sleeps && len(rows) > 0 {
		rows[len(rows)-1].Rebuilt, err = l.rebuild(ctx)
	}
	return rows, err
}

// rebuild makes all that was learned again from the log, and says how many seconds that took.
func (l *life) rebuild(ctx context.Context) (float64, error) {
	began := time.Now()
	err := l.brain.Store.Update(ctx, func(tx *store.Tx) error {
		projects, err := tx.Projects(ctx)
		for _, p := range projects {
			err = errors.Join(err, record.MarkAnew(ctx, tx, p.ID))
		}
		return err
	})
	err = errors.Join(err, forget.LearnAnew(ctx, l.brain))
	return time.Since(began).Seconds(), err
}

// pass lives one moment. When a turn or a session ends, a hook starts a drain, and a drain sleeps
// if it is time.
func (l *life) pass(ctx context.Context, m moment) error {
	if len(m.events) == 0 {
		return nil
	}
	if _, err := steward.Run(ctx, l.brain, steward.Observe, m.events); err != nil {
		return err
	}
	start := time.Now()
	drained, err := steward.Run(ctx, l.brain, steward.Drain, steward.DrainInput{Sleep: l.sleeps})
	if err != nil || drained.Slept == nil {
		return err
	}
	took := time.Since(start)
	l.row.Sleeps++
	l.row.Longest = max(l.row.Longest, milliseconds(took))
	return nil
}

// firstTen is how far down answers and companions count.
const firstTen = 10

// examine measures the memory.
func (l *life) examine(ctx context.Context, e lifeExam) (LifeRow, error) {
	r := l.row
	r.Month, r.Day, r.True, r.Noise = e.month, e.day, len(e.together), len(e.apart)
	size, err := sizeOf(ctx, l.brain)
	if err != nil {
		return r, err
	}
	r.Neurons, r.Synapses, r.Store = size.Neurons, size.Synapses, megabytes(size.Bytes)
	graph, err := l.graph(ctx)
	if err != nil {
		return r, err
	}
	for _, p := range e.together {
		for _, from := range []pathPair{p, p.turned()} {
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

// lifeGraph is what is linked, and what is among the first ten companions of a file.
type lifeGraph struct{ linked, near map[pathPair]bool }

func (l *life) graph(ctx context.Context) (g lifeGraph, err error) {
	links, err := steward.Run(ctx, l.brain, inspect.Synapses, inspect.SynapsesInput{Scope: brain.Scope{All: true}})
	if err != nil {
		return g, fmt.Errorf("examine: %w", err)
	}
	type companion struct {
		pair   pathPair
		weight float64
	}
	g = lifeGraph{linked: map[pathPair]bool{}, near: map[pathPair]bool{}}
	of := map[string][]companion{}
	for _, s := range links {
		there := pathPair{s.From.Key, s.To.Key}
		g.linked[there] = true
		for _, c := range []companion{{there, s.Weight}, {there.turned(), s.Back}} {
			of[c.pair.a] = append(of[c.pair.a], c)
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
