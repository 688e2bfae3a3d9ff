package evaluate

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/project"
	"github.com/hebb-memory/hebb/internal/spool"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// HookInput says how to measure the hook.
type HookInput struct {
	Program string // the hebb to measure
	Self    string // hebb-bench, which is called for what hebb does not do
	Runs    int    // processes per row
	Scale   int    // times 17,000 files, for the memory that prompts are answered from
	Clock   Clock
}

// HookRow is one line of the hook benchmark.
type HookRow struct {
	Bench    string  `json:"bench"`
	Case     string  `json:"case"`     // empty, hook, sqlite, prompt
	Parallel int     `json:"parallel"` // processes at a time
	Runs     int     `json:"runs"`
	P50      float64 `json:"p50_ms"`
	P99      float64 `json:"p99_ms"`
	Ratio    float64 `json:"ratio_p50"` // to the empty program, same number at a time
	CPU      float64 `json:"cpu_ms"`    // user and system, median
	PeakKB   int64   `json:"peak_kb"`   // resident memory, upper bound
}

// crowd is how many agents call at once in the second half of the benchmark.
const crowd = 20

// payload is a PostToolUse call as Claude Code sends it for a read of a file of ordinary size.
func payload() string {
	content := strings.Repeat("\\tfor i := range items {\\n\\t\\ttotal += items[i].Price\\n\\t}\\n", 60)
	return `{"session_id":"6c10c636-2913-40ac-bf32-451788ba9146",` +
		`"transcript_path":"/home/dev/.claude/projects/-home-dev-proj/6c10c636-2913-40ac-bf32-451788ba9146.jsonl",` +
		`"cwd":"/home/dev/proj","permission_mode":"default","hook_event_name":"PostToolUse","tool_name":"Read",` +
		`"tool_input":{"file_path":"/home/dev/proj/main.go"},"tool_response":{"type":"text","file":{"filePath":` +
		`"/home/dev/proj/main.go","content":"` + content + `","numLines":180,"startLine":1,"totalLines":180}},` +
		`"tool_use_id":"toolu_01794701223810394039001","duration_ms":96}`
}

// promptCall is a UserPromptSubmit call for a task, the first of a session of its own.
func promptCall(project, task string, call int64) string {
	text, err := json.Marshal(map[string]string{
		"session_id": fmt.Sprintf("bench-%d", call), "transcript_path": "/home/dev/.claude/projects/-home-dev-proj/bench.jsonl",
		"cwd": project, "prompt_id": "1", "permission_mode": "default", "hook_event_name": "UserPromptSubmit", "prompt": task,
	})
	if err != nil {
		panic(err) // strings
	}
	return string(text)
}

// Hook measures what a hook costs an agent: the wall time of the whole process, beside an empty Go program and beside
// a process that opens SQLite and inserts the same event itself; and what it costs to answer a prompt out of a large
// memory.
func Hook(ctx context.Context, in HookInput) (rows []HookRow, err error) {
	dir, err := os.MkdirTemp("", "hebb-bench-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	empty, err := emptyProgram(ctx, dir)
	if err != nil {
		return nil, err
	}
	env := []string{config.EnvHome + "=" + dir, config.EnvBackground + "=0"}
	b := hookBench{HookInput: in, bench: "hook", empty: map[int]float64{}}
	for _, c := range []struct {
		name string
		process
	}{
		{"empty", process{args: []string{empty}, input: payload}},
		{"hook", process{args: []string{in.Program, "hook", string(agent.ClaudeCode)}, env: env, input: payload}},
		{"sqlite", process{args: []string{in.Self, "insert"}, env: env, input: payload}},
	} {
		if err := b.measure(ctx, c.name, c.process); err != nil {
			return b.rows, err
		}
	}
	// Last: what this process needs to build the memory would count as the others' peak.
	prompt, err := promptProcess(ctx, in, dir)
	if err != nil {
		return b.rows, err
	}
	err = b.measure(ctx, "prompt", prompt)
	slices.SortStableFunc(b.rows, func(a, b HookRow) int { return cmp.Compare(a.Parallel, b.Parallel) })
	return b.rows, err
}

// greeting is all that a client says before it may ask something.
func greeting() string {
	return `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},` +
		`"clientInfo":{"name":"bench","version":"1"}}}` + "\n"
}

// MCP measures what the start of the server costs an agent: the wall time of a process that is greeted, answers and ends, beside
// an empty Go program. The answer is there before the process ends, so this is the most that it takes.
func MCP(ctx context.Context, in HookInput) (rows []HookRow, err error) {
	dir, err := os.MkdirTemp("", "hebb-bench-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	empty, err := emptyProgram(ctx, dir)
	if err != nil {
		return nil, err
	}
	server := process{args: []string{in.Program, "mcp"}, env: []string{config.EnvHome + "=" + dir, config.EnvBackground + "=0"}, input: greeting}
	cmd := exec.CommandContext(ctx, server.args[0], server.args[1:]...)
	cmd.Env, cmd.Stdin = append(os.Environ(), server.env...), strings.NewReader(greeting())
	out, err := cmd.Output()
	if err == nil && !strings.Contains(string(out), `"serverInfo"`) {
		err = errors.New("no serverInfo in it")
	}
	if err != nil {
		return nil, fmt.Errorf("%s does not answer a greeting as a server does, but with %q: %w", strings.Join(server.args, " "), out, err)
	}
	b := hookBench{HookInput: in, bench: "mcp", empty: map[int]float64{}}
	err = errors.Join(b.measure(ctx, "empty", process{args: []string{empty}, input: greeting}), b.measure(ctx, "initialize", server))
	slices.SortStableFunc(b.rows, func(a, b HookRow) int { return cmp.Compare(a.Parallel, b.Parallel) })
	return b.rows, err
}

// hookBench is a benchmark in the making.
type hookBench struct {
	HookInput
	bench string
	empty map[int]float64 // milliseconds of the empty program, by how many run at a time
	rows  []HookRow
}

// measure adds the rows of one program, alone and in a crowd.
func (b *hookBench) measure(ctx context.Context, name string, p process) error {
	for _, parallel := range []int{1, crowd} {
		if _, _, err := p.times(ctx, b.Clock, parallel, parallel); err != nil { // warm the caches, create the store
			return err
		}
		sorted, used, err := p.times(ctx, b.Clock, b.Runs, parallel)
		if err != nil {
			return err
		}
		row := HookRow{
			Bench: b.bench, Case: name, Parallel: parallel, Runs: b.Runs, CPU: milliseconds(used.cpu), PeakKB: used.peak,
			P50: milliseconds(percentile(sorted, 0.50)), P99: milliseconds(percentile(sorted, 0.99)),
		}
		if _, ok := b.empty[parallel]; !ok {
			b.empty[parallel] = row.P50
		}
		row.Ratio = row.P50 / b.empty[parallel]
		b.rows = append(b.rows, row)
	}
	return nil
}

// promptProcess builds a large memory and returns the process that answers prompts out of it, once it has answered one.
func promptProcess(ctx context.Context, in HookInput, dir string) (p process, err error) {
	c := config.Config{Dir: filepath.Join(dir, "large"), Tuning: tuning.Default()}
	folder := filepath.Join(dir, "project")
	if err := os.Mkdir(folder, 0o700); err != nil {
		return p, err
	}
	place, err := project.Resolve(folder)
	if err != nil {
		return p, err
	}
	past := newLarge(place, in.Clock(), in.Scale)
	task, err := buildLarge(ctx, c, past)
	if err != nil {
		return p, fmt.Errorf("build a large memory: %w", err)
	}
	for _, name := range past.files { // what is gone is not shown
		file := filepath.Join(folder, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, nil, 0o600)); err != nil {
			return p, err
		}
	}
	if err := os.WriteFile(c.File(), []byte("[tuning.hook]\nholdout = 0\n"), 0o600); err != nil { // every session is answered
		return p, err
	}
	var calls atomic.Int64
	p = process{
		args:  []string{in.Program, "hook", string(agent.ClaudeCode)},
		env:   []string{config.EnvHome + "=" + c.Dir, config.EnvBackground + "=0"},
		input: func() string { return promptCall(folder, task, calls.Add(1)) },
	}
	cmd := exec.CommandContext(ctx, p.args[0], p.args[1:]...)
	cmd.Env, cmd.Stdin = append(os.Environ(), p.env...), strings.NewReader(p.input())
	out, err := cmd.Output()
	if err == nil && !strings.Contains(string(out), "hookSpecificOutput") {
		complaint := spool.Spool{Dir: c.Spool()}.State().Complaint
		err = fmt.Errorf("the hook has no answer to a prompt: printed %q, complained %q", out, complaint)
	}
	return p, err
}

// InsertDirectly is what the hook does not do: open the database while the agent waits, insert the event, close. It
// exists to be compared with.
func InsertDirectly(ctx context.Context, c config.Config, clock Clock) error {
	c.Tuning.Store.BusyTimeout = time.Minute // with 20 at once the last waits longer than a writer should, and that is the figure
	b, err := brain.Open(ctx, c, clock)
	if err != nil {
		return err
	}
	id, err := memory.NewEventID(clock(), rand.Reader)
	if err == nil {
		_, err = steward.Run(ctx, b, steward.Observe, []memory.Event{{
			ID: id, At: clock(), Kind: memory.ToolUsed, Origin: memory.OriginTool, Agent: agent.ClaudeCode,
			AgentSession: "6c10c636-2913-40ac-bf32-451788ba9146", Tool: "Read",
			Place:   memory.Place{Identity: "/home/dev/proj/.git", Root: "/home/dev/proj"},
			Touches: []memory.Touch{{Kind: memory.Read, Path: "main.go"}},
		}})
	}
	return errors.Join(err, b.Close())
}
