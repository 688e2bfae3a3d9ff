package evaluate

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/sleep"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/store/sqlite"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// SleepInput says how to measure sleep.
type SleepInput struct {
	Full   bool // up to a million neurons and ten million synapses
	Tuning tuning.Tuning
	Clock  Clock
	// Progress receives how many of the sleeps are done; nil is ignored.
	Progress func(done, total int)
}

// SleepRow is one line of the sleep benchmark.
type SleepRow struct {
	Bench       string  `json:"bench"`
	Case        string  `json:"case"` // whole: all of the graph, as a person asks for; slice: as after work; naive: see naiveCase
	Neurons     int64   `json:"neurons"`
	Synapses    int64   `json:"synapses"`
	LogRows     int     `json:"log_rows"`
	N           int     `json:"n"`
	Decay       float64 `json:"decay_ms"` // the medians of n sleeps, each on a fresh copy
	Homeostasis float64 `json:"homeostasis_ms"`
	Consolidate float64 `json:"consolidate_ms"`
	DecayRows   int64   `json:"decay_rows_written"`
	Pruned      int64   `json:"pruned"`
}

type sleepSize struct{ neurons, synapses, rounds int }

// sleepSizes are the graphs that are measured. The first is that of a user of some months, the last takes minutes to
// build.
var sleepSizes = []sleepSize{{17_000, 75_000, 9}, {100_000, 1_000_000, 3}, {1_000_000, 10_000_000, 1}}

var sleepCases = []string{"whole", "slice"}

// naiveCase forgets as memories usually do: every weight is written anew, then what fell below the bound is deleted. It is
// measured on the first graph only, to tell a slow machine from a slow sleep.
const naiveCase = "naive"

const sleepLogRows = 5000

// Sleep measures what a sleep takes on graphs of different sizes, each with the same log of accesses to go through.
func Sleep(ctx context.Context, in SleepInput) (rows []SleepRow, err error) {
	sizes := slices.Clone(sleepSizes)
	if !in.Full {
		sizes = sizes[:len(sizes)-1]
	}
	total, done := 0, 0
	for _, size := range sizes {
		total += len(casesOf(size)) * size.rounds
	}
	for _, size := range sizes {
		more, err := sleepOn(ctx, in, size, func() {
			if done++; in.Progress != nil {
				in.Progress(done, total)
			}
		})
		if err != nil {
			return rows, err
		}
		rows = append(rows, more...)
	}
	return rows, nil
}

func casesOf(size sleepSize) []string {
	if size == sleepSizes[0] {
		return append(slices.Clone(sleepCases), naiveCase)
	}
	return sleepCases
}

func sleepOn(ctx context.Context, in SleepInput, size sleepSize, slept func()) (rows []SleepRow, err error) {
	dir, err := os.MkdirTemp("", "hebb-bench-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	c := config.Config{Dir: filepath.Join(dir, "graph"), Tuning: in.Tuning}
	now := in.Clock().UTC().Truncate(time.Millisecond)
	g := newGraph(size.neurons, size.synapses, now, in.Tuning)
	if err := g.build(ctx, c); err != nil {
		return nil, err
	}
	for _, kind := range casesOf(size) {
		row := SleepRow{Bench: "sleep", Case: kind, LogRows: sleepLogRows, N: size.rounds}
		var decay, balance, consolidate []float64
		for range size.rounds {
			var report sleep.SleepReport
			err := onCopy(c, filepath.Join(dir, "copy"), func(c config.Config) (err error) {
				if kind == naiveCase {
					report, row.DecayRows, err = g.forgetNaively(ctx, c, in.Clock)
				} else {
					report, err = sleepOnce(ctx, c, in.Clock, kind == "slice")
				}
				return err
			})
			if err != nil {
				return nil, err
			}
			slept()
			decay = append(decay, report.Took[sleep.DecayPart])
			balance = append(balance, report.Took[sleep.BalancePart])
			consolidate = append(consolidate, report.Took[sleep.ConsolidatePart])
			row.Neurons, row.Synapses = report.Neurons, report.Links
			row.Pruned = report.Decay.PrunedSynapses + report.Decay.PrunedNeurons
			if kind != naiveCase {
				row.DecayRows = row.Pruned + report.Homeostasis.NeuronsDampened + report.Homeostasis.NeuronsBoosted + report.Homeostasis.TagsExpired
			}
		}
		row.Decay, row.Homeostasis, row.Consolidate = median(decay), median(balance), median(consolidate)
		rows = append(rows, row)
	}
	return rows, nil
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

// onCopy does something to a copy of the graph, so that each round finds the same.
func onCopy(from config.Config, dir string, do func(config.Config) error) (err error) {
	c := config.Config{Dir: dir, Tuning: from.Tuning}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := copyFile(from.Database(), c.Database()); err != nil {
		return err
	}
	return do(c)
}

func sleepOnce(ctx context.Context, c config.Config, clock Clock, slice bool) (report sleep.SleepReport, err error) {
	b, err := brain.Open(ctx, c, clock)
	if err != nil {
		return report, err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	return steward.Run(ctx, b, steward.Sleep, sleep.SleepInput{Yes: true, Slice: slice})
}

// forgetNaively takes a share from every weight and all myelin, deletes the links that are then too weak, and says how many
// rows it wrote. A figure is kept as its logarithm, so the share is a term.
func (g *graph) forgetNaively(ctx context.Context, c config.Config, clock Clock) (report sleep.SleepReport, written int64, err error) {
	db, err := sql.Open("sqlite", c.Database()+"?_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)") // as hebb has it
	if err != nil {
		return report, 0, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := db.PingContext(ctx); err != nil {
		return report, 0, err
	}
	began := clock()
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return report, 0, err
	}
	defer func() { _ = tx.Rollback() }() // after a commit this does nothing
	share, bounds := math.Log(naiveShare), g.rules.Suspects(g.now)
	rows := make([]int64, 0, 3)
	for _, step := range []struct {
		statement string
		args      []any
	}{
		{`UPDATE synapse SET ab = ab + ?, ba = ba + ?`, []any{share, share}},
		{`UPDATE neuron SET myelin = myelin + ?`, []any{share}},
		{`DELETE FROM synapse WHERE ab < ? AND ba < ? AND co_accesses <= ?`, []any{float64(bounds.Strength), float64(bounds.Strength), bounds.Met}},
	} {
		result, err := tx.ExecContext(ctx, step.statement, step.args...)
		if err != nil {
			return report, 0, err
		}
		n, err := result.RowsAffected()
		if err != nil {
			return report, 0, err
		}
		rows = append(rows, n)
	}
	if err := tx.Commit(); err != nil {
		return report, 0, err
	}
	report.Took = map[sleep.SleepPart]float64{sleep.DecayPart: float64(clock().Sub(began).Microseconds()) / 1000}
	report.Links, report.Neurons, report.Decay.PrunedSynapses = rows[0], rows[1], rows[2]
	return report, rows[0] + rows[1] + rows[2], nil
}

const naiveShare = .98 // that a naive sleep leaves of each figure

func copyFile(from, to string) (err error) {
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	source, err := os.Open(from) //nolint:gosec // a file this benchmark made
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	target, err := os.Create(to) //nolint:gosec // likewise
	if err != nil {
		return err
	}
	_, err = io.Copy(target, source)
	return errors.Join(err, target.Close())
}

// graph is a graph of a given size, written row by row: learning ten million links from events would take an hour. One in
// a thousand links is ready to be forgotten.
type graph struct {
	neurons, synapses int
	now               time.Time
	random            *rand.Rand
	rules             plasticity.Rules
	place             memory.Place
	paths             []string
	links             []int64 // of each neuron
}

const (
	graphBatch   = 5000
	graphTouches = 50   // files of one event
	graphDoomed  = 1000 // one link of so many is ready to go
	graphWeeks   = 2    // the log reaches back
	graphDays    = 300  // the commits reach back
	graphUsual   = 1.3  // accesses of a file
)

func newGraph(neurons, synapses int, now time.Time, t tuning.Tuning) *graph {
	g := &graph{
		neurons: neurons, synapses: synapses, now: now, random: rand.New(rand.NewPCG(17, 75)),
		rules: plasticity.NewRules(plasticity.Default(), plasticity.Balance{}), place: memory.Place{Identity: "/graph", Root: "/graph"},
		links: make([]int64, neurons),
	}
	for i := range neurons {
		g.paths = append(g.paths, fmt.Sprintf("%s/%s%d.go", largeWords[i%len(largeWords)], largeWords[i/7%len(largeWords)], i))
	}
	return g
}

func (g *graph) id(i int) memory.NeuronID {
	return memory.NewNeuronID(g.place.Project(), memory.FileNeuron, g.paths[i%g.neurons])
}

func (g *graph) build(ctx context.Context, c config.Config) (err error) {
	s, err := sqlite.Open(ctx, sqlite.Options{Path: c.Database(), Backups: c.Backups(), Tuning: c.Tuning.Store, Now: func() time.Time { return g.now }})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	steps := []func(*store.Tx) error{func(tx *store.Tx) error {
		return tx.SeeProject(ctx, memory.Project{ID: g.place.Project(), Identity: g.place.Identity, Root: g.place.Root, Name: "graph", FirstAt: g.now, LastAt: g.now})
	}}
	for _, events := range slices.Collect(slices.Chunk(g.events(), graphBatch/graphTouches)) {
		steps = append(steps, func(tx *store.Tx) error { return g.record(ctx, tx, events) })
	}
	perNeuron := g.synapses / g.neurons
	for from := 0; from < g.neurons; from += graphBatch {
		steps = append(steps, func(tx *store.Tx) error { return g.wire(ctx, tx, from, min(from+graphBatch, g.neurons), perNeuron) })
	}
	for from := 0; from < g.neurons; from += graphBatch {
		steps = append(steps, func(tx *store.Tx) error { return g.grow(ctx, tx, from, min(from+graphBatch, g.neurons)) })
	}
	for _, step := range steps {
		if err := s.Update(ctx, step); err != nil {
			return err
		}
	}
	return nil
}

// events are commits that name every file once, and the sessions of the last weeks.
func (g *graph) events() (events []memory.StoredEvent) {
	event := func(at time.Time, kind memory.EventKind, session string, paths ...string) {
		e := memory.StoredEvent{Project: g.place.Project(), Event: memory.Event{
			ID: memory.DerivedEventID("graph", fmt.Sprint(len(events))), At: at, Kind: kind, Origin: memory.OriginAgent,
			Agent: "claude-code", AgentSession: session, Place: g.place,
		}}
		if session != "" {
			e.Session, e.Ord = memory.NewSessionID(e.Agent, session, e.Project), int64(len(events))
		}
		for _, p := range paths {
			e.Touches = append(e.Touches, memory.Touch{Kind: memory.Read, Path: p})
		}
		events = append(events, e)
	}
	for paths := range slices.Chunk(g.paths, graphTouches) {
		event(g.now.AddDate(0, 0, -g.random.IntN(graphDays)), memory.Committed, "", paths...)
	}
	const perSession = 50
	at := g.now.Add(-graphWeeks * 7 * 24 * time.Hour)
	for i := range sleepLogRows / perSession {
		at = at.Add(graphWeeks * 7 * 24 * time.Hour / (sleepLogRows/perSession + 1))
		first := i % 10 * 40 // sessions come back to the same parts
		for j := range perSession {
			event(at.Add(time.Duration(j)*20*time.Second), memory.ToolUsed, fmt.Sprintf("session %d", i), g.paths[first+g.random.IntN(40)])
		}
	}
	return events
}

func (g *graph) record(ctx context.Context, tx *store.Tx, events []memory.StoredEvent) error {
	for _, e := range events {
		if e.Session != 0 {
			s := memory.Session{ID: e.Session, Project: e.Project, Agent: e.Agent, AgentSession: e.AgentSession, OpenedAt: e.At, LastEventAt: e.At, ClosedAt: e.At, CloseReason: memory.ClosedByAgent}
			if err := tx.SaveSession(ctx, s); err != nil {
				return err
			}
		}
		if _, err := tx.InsertEvent(ctx, e, tx.CountAccess); err != nil {
			return err
		}
	}
	return nil
}

// wire links each neuron with the next few.
func (g *graph) wire(ctx context.Context, tx *store.Tx, from, to, perNeuron int) error {
	var links []store.Synapse
	day := plasticity.Days(g.now)
	for i := from; i < to; i++ {
		for k := range perNeuron + 1 {
			if k == perNeuron && (i*(g.synapses%g.neurons))/g.neurons == ((i+1)*(g.synapses%g.neurons))/g.neurons {
				continue // what is left over is spread evenly
			}
			l := store.NewSynapse(g.place.Project(), memory.OriginAgent, g.id(i), g.id(i+k+1))
			weight := .1 + .6*g.random.Float64()*g.random.Float64()
			l.CoAccesses, l.LastAt = int64(3+g.random.IntN(20)), g.now.Add(-time.Duration(g.random.IntN(20*24))*time.Hour)
			if g.random.IntN(graphDoomed) == 0 {
				weight, l.CoAccesses, l.Origin = .12, 0, memory.OriginRepo
				l.LastAt = g.now.AddDate(0, 0, -4-g.random.IntN(20))
			}
			l.AB, l.BA = g.rules.Weight.Store(weight, day), g.rules.Weight.Store(weight*g.random.Float64(), day)
			links = append(links, l)
			g.links[i]++
			g.links[(i+k+1)%g.neurons]++
		}
	}
	return tx.SaveSynapses(ctx, links)
}

func (g *graph) grow(ctx context.Context, tx *store.Tx, from, to int) error {
	for i := from; i < to; i++ {
		n, err := tx.Neuron(ctx, g.id(i))
		if err != nil {
			return err
		}
		myelin := .2 * g.random.Float64() * g.random.Float64()
		n.Myelin, n.Activation, n.Links = g.rules.Myelin.Store(myelin, plasticity.Days(n.LastAt)), g.rules.Activation.Store(1, plasticity.Days(n.LastAt)), g.links[i]
		n.Peak = n.Myelin
		yesterday := g.now.AddDate(0, 0, -1) // it slept then, too
		if n.LastAt.Before(yesterday) {
			habit, _, _ := g.rules.Review(n.Habit(), yesterday)
			habit, _, _ = g.rules.Steady(habit, graphUsual, yesterday)
			n.SetHabit(habit)
		}
		if err := tx.SaveStrength(ctx, n); err != nil {
			return err
		}
	}
	return nil
}
