package evaluate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/project"
	"github.com/hebb-memory/hebb/internal/spool"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/store/sqlite"
	"github.com/hebb-memory/hebb/internal/tuning"
	"github.com/hebb-memory/hebb/internal/workmem"
)

// ContextSpeedInput says how to measure what the start of a session costs.
type ContextSpeedInput struct {
	Program string // the hebb to measure
	Runs    int    // starts per row
	Tuning  tuning.Tuning
	Clock   Clock
}

// ContextSpeedRow is one line of that benchmark.
type ContextSpeedRow struct {
	Bench    string  `json:"bench"`
	Case     string  `json:"case"` // start: in this process; hook: a process, from start to exit
	Git      bool    `json:"git"`  // git is asked what changed meanwhile
	Neurons  int64   `json:"neurons"`
	Synapses int64   `json:"synapses"`
	N        int     `json:"n"`
	P50      float64 `json:"p50_ms"`
	P95      float64 `json:"p95_ms"`
	Tokens   int     `json:"tokens"` // of what is shown
}

const (
	speedHot      = 300 // files with heat
	speedNoted    = 20  // of these with a note
	speedHottest  = 12. // heat of the first
	speedCooler   = .98 // what each has of the heat of the one before
	speedShelved  = 50  // sessions
	speedPins     = 20
	speedCrystals = 200
	speedCommits  = 300 // of the repository, the last tenth after the last session
	speedHooks    = 4   // a row of processes has so many times fewer runs
)

// ContextSpeed builds a memory of 17,000 neurons and 75,000 synapses with hot files, shelved sessions, pins and notes, in a
// git repository, and measures the start of a session: in this process, and as the hook of an agent.
func ContextSpeed(ctx context.Context, in ContextSpeedInput) (rows []ContextSpeedRow, err error) {
	dir, err := os.MkdirTemp("", "hebb-bench-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	c := config.Config{Dir: filepath.Join(dir, "home"), Tuning: in.Tuning}
	size := sleepSizes[0]
	g := newGraph(size.neurons, size.synapses, in.Clock().UTC().Truncate(time.Millisecond), in.Tuning)
	folder := filepath.Join(dir, "project")
	if err := g.repository(ctx, folder); err != nil {
		return nil, err
	}
	if g.place, err = project.Resolve(folder); err != nil {
		return nil, err
	}
	if err := g.buildWarm(ctx, c); err != nil {
		return nil, fmt.Errorf("build a warm memory: %w", err)
	}
	for _, git := range []bool{false, true} {
		row := ContextSpeedRow{Bench: "context speed", Git: git}
		if c.Tuning = in.Tuning; !git {
			c.Tuning.Context.BriefingCommits = 0
		}
		start, err := timeStarts(ctx, in, c, g.place.Project(), row)
		if err != nil {
			return rows, err
		}
		hook, err := timeStartHooks(ctx, in, c, folder, start)
		if err != nil {
			return rows, err
		}
		rows = append(rows, start, hook)
	}
	return rows, nil
}

func timeStarts(ctx context.Context, in ContextSpeedInput, c config.Config, id memory.ProjectID, row ContextSpeedRow) (_ ContextSpeedRow, err error) {
	b, err := brain.Open(ctx, c, in.Clock)
	if err != nil {
		return row, err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	var took []time.Duration
	for i := range in.Runs + 1 {
		began := in.Clock()
		out, err := steward.Run(ctx, b, answer.StartContext, answer.ContextInput{Scope: brain.Scope{Project: id.String()}, Source: "startup", Asked: true})
		if err != nil {
			return row, err
		}
		if row.Tokens = out.Tokens; i > 0 { // the first opens files
			took = append(took, in.Clock().Sub(began))
		}
	}
	size, err := steward.Run(ctx, b, inspect.Stats, brain.Scope{Project: id.String()})
	if err != nil {
		return row, err
	}
	for _, p := range size.Projects {
		row.Neurons = p.Files + p.Errors
		for _, n := range p.Synapses {
			row.Synapses += n
		}
	}
	row.Case = "start"
	return row.timed(took), nil
}

func (r ContextSpeedRow) timed(took []time.Duration) ContextSpeedRow {
	slices.Sort(took)
	r.N, r.P50, r.P95 = len(took), milliseconds(percentile(took, .5)), milliseconds(percentile(took, .95))
	return r
}

// timeStartHooks times hebb hook for the beginning of sessions. It is an error if the agent is shown nothing.
func timeStartHooks(ctx context.Context, in ContextSpeedInput, c config.Config, folder string, row ContextSpeedRow) (ContextSpeedRow, error) {
	settings := fmt.Sprintf("[tuning.context]\nbriefing_commits = %d\n", c.Tuning.Context.BriefingCommits)
	if err := os.WriteFile(c.File(), []byte(settings), 0o600); err != nil {
		return row, err
	}
	var calls atomic.Int64
	p := process{
		args:  []string{in.Program, "hook", string(agent.ClaudeCode)},
		env:   []string{config.EnvHome + "=" + c.Dir, config.EnvBackground + "=0"},
		input: func() string { return startCall(folder, calls.Add(1)) },
	}
	cmd := exec.CommandContext(ctx, p.args[0], p.args[1:]...)
	cmd.Env, cmd.Stdin = append(os.Environ(), p.env...), strings.NewReader(p.input())
	out, err := cmd.Output()
	if err == nil && !bytes.Contains(out, []byte("hookSpecificOutput")) {
		complaint := spool.Spool{Dir: c.Spool()}.State().Complaint
		err = fmt.Errorf("the hook shows nothing at the start of a session: printed %q, complained %q", out, complaint)
	}
	if err != nil {
		return row, err
	}
	took, _, err := p.times(ctx, in.Clock, max(in.Runs/speedHooks, 1), 1)
	if err != nil {
		return row, err
	}
	row.Case = "hook"
	return row.timed(took), nil
}

// startCall is a SessionStart call as Claude Code makes it.
func startCall(project string, call int64) string {
	text, err := json.Marshal(map[string]string{
		"session_id": fmt.Sprintf("bench-start-%d", call), "transcript_path": "/home/dev/.claude/projects/-home-dev-proj/bench.jsonl",
		"cwd": project, "hook_event_name": "SessionStart", "source": "startup",
	})
	if err != nil {
		panic(err) // strings
	}
	return string(text)
}

// repository makes a git repository whose commits touch files in mind, the latest commits the hottest files. The last tenth
// was made since the last session.
func (g *graph) repository(ctx context.Context, folder string) error {
	if err := os.Mkdir(folder, 0o700); err != nil {
		return err
	}
	var stream strings.Builder
	for i := range speedCommits {
		at := g.now.Add(-time.Duration(speedCommits-i) * 24 * time.Hour)
		if i >= speedCommits-speedCommits/10 {
			at = g.now.Add(-time.Duration(speedCommits-i) * time.Minute)
		}
		subject := fmt.Sprintf("%s: mend the %s", largeWords[i%len(largeWords)], largeWords[i*7%len(largeWords)])
		fmt.Fprintf(&stream, "commit refs/heads/main\ncommitter bench <bench@localhost> %d +0000\ndata %d\n%s\n", at.Unix(), len(subject), subject)
		for j := range 3 {
			text := fmt.Sprintf("%d\n", i)
			fmt.Fprintf(&stream, "M 100644 inline %s\ndata %d\n%s", g.paths[((speedCommits-1-i)*3+j)%speedHot], len(text), text)
		}
	}
	for _, step := range []struct {
		args  []string
		input string
	}{
		{[]string{"init", "--quiet", "--initial-branch=main"}, ""},
		{[]string{"fast-import", "--quiet"}, stream.String()},
	} {
		cmd := exec.CommandContext(ctx, "git", step.args...)
		cmd.Dir, cmd.Stdin = folder, strings.NewReader(step.input)
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("git %s (this benchmark needs git on PATH): %w: %s", step.args[0], err, out)
		}
	}
	return nil
}

// buildWarm builds the graph and what a working memory holds beside it. What is said comes first: by it hebb gets to know the
// project, and does not take rows that were written past it for those of an older version, to be learned anew.
func (g *graph) buildWarm(ctx context.Context, c config.Config) error {
	b, err := brain.Open(ctx, c, func() time.Time { return g.now })
	if err != nil {
		return err
	}
	if err := errors.Join(g.say(ctx, b), b.Close()); err != nil {
		return err
	}
	if err := g.build(ctx, c); err != nil {
		return err
	}
	s, err := sqlite.Open(ctx, sqlite.Options{Path: c.Database(), Backups: c.Backups(), Tuning: c.Tuning.Store, Now: func() time.Time { return g.now }})
	if err != nil {
		return err
	}
	err = s.Update(ctx, func(tx *store.Tx) error { return errors.Join(g.shelve(ctx, tx), g.heatUp(ctx, tx)) })
	return errors.Join(err, s.Close())
}

// shelve reports what came of the latest sessions.
func (g *graph) shelve(ctx context.Context, tx *store.Tx) error {
	all := sleepLogRows / graphTouches
	for i := all - speedShelved; i < all; i++ {
		s, err := tx.Session(ctx, memory.NewSessionID(agent.ClaudeCode, fmt.Sprintf("session %d", i), g.place.Project()))
		if err != nil {
			return err
		}
		s.Happened = fmt.Sprintf("Mended the %s of the %s. Changed %s and %s.", g.word(), g.word(), g.paths[i], g.paths[i+1])
		s.Learned, s.Next = fmt.Sprintf("The %s waits for the %s.", g.word(), g.word()), fmt.Sprintf("Test the %s.", g.word())
		s.SummaryBy, s.SummaryAt, s.Ticked = memory.OriginTool, s.LastEventAt, true
		if err := errors.Join(tx.SaveSession(ctx, s), tx.TickProject(ctx, s.Project)); err != nil {
			return err
		}
	}
	return nil
}

func (g *graph) heatUp(ctx context.Context, tx *store.Tx) error {
	fading := plasticity.NewFading(workmem.HeatPerSession, workmem.HeatMost)
	for i := range speedHot {
		h := store.Heat{
			Neuron: g.id(i), Project: g.place.Project(), Heat: fading.Store(speedHottest*math.Pow(speedCooler, float64(i)), speedShelved),
			Touches: int64(speedHot - i), LastAt: g.now.Add(-time.Duration(i) * time.Hour),
			Summary: fmt.Sprintf("Defines: %s, %s, %s", g.word(), g.word(), g.word()), SummaryBy: memory.OriginTool,
		}
		if i < speedNoted {
			h.Note, h.NoteBy, h.NoteAt = fmt.Sprintf("the %s moves to the %s", g.word(), g.word()), memory.OriginAgent, g.now
		}
		if err := tx.SaveHeat(ctx, h); err != nil {
			return err
		}
	}
	return nil
}

// say pins and remembers.
func (g *graph) say(ctx context.Context, b *brain.Brain) error {
	scope := brain.Scope{Dir: g.place.Root}
	for i := range speedPins {
		text := fmt.Sprintf("Never touch the %s while the %s runs.", g.word(), g.word())
		if _, err := steward.Run(ctx, b, desk.PinText, desk.PinInput{Scope: scope, Title: fmt.Sprintf("rule %d of the %s", i, g.word()), Text: text}); err != nil {
			return err
		}
	}
	for i := range speedCrystals {
		text := fmt.Sprintf("%s %s %s: the %s of the %s needs the %s (%d).", g.word(), g.word(), g.word(), g.word(), g.word(), g.word(), i)
		if _, err := steward.Run(ctx, b, statements.Remember, statements.RememberInput{Scope: scope, Text: text, Kind: memory.Lesson}); err != nil {
			return err
		}
	}
	return nil
}

func (g *graph) word() string { return largeWords[g.random.IntN(len(largeWords))] }
