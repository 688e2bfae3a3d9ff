package evaluate

import (
	"context"
	"crypto/rand"
	"errors"
	"os"
	"strings"

	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/memory"
)

// HookInput says how to measure the hook.
type HookInput struct {
	Program string // the hebb to measure
	Runs    int    // processes per row
	Clock   Clock
}

// HookRow is one line of the hook benchmark.
type HookRow struct {
	Bench    string  `json:"bench"`
	Case     string  `json:"case"`     // empty, hook, sqlite
	Parallel int     `json:"parallel"` // processes at a time
	Runs     int     `json:"runs"`
	P50      float64 `json:"p50_ms"`
	P99      float64 `json:"p99_ms"`
	Ratio    float64 `json:"ratio_p50"` // to the empty program, same number at a time
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

// Hook measures what a hook costs an agent: the wall time of the whole process, beside an empty Go program and beside
// a process that opens SQLite and inserts the same event itself.
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
	cases := []struct {
		name string
		process
	}{
		{"empty", process{args: []string{empty}, input: payload()}},
		{"hook", process{args: []string{in.Program, "hook", string(agent.ClaudeCode)}, env: env, input: payload()}},
		{"sqlite", process{args: []string{in.Program, "bench", "insert"}, env: env, input: payload()}},
	}
	for _, parallel := range []int{1, crowd} {
		base := 0.0
		for _, c := range cases {
			if _, _, err := c.times(ctx, in.Clock, parallel, parallel); err != nil { // warm the caches, create the store
				return rows, err
			}
			sorted, peak, err := c.times(ctx, in.Clock, in.Runs, parallel)
			if err != nil {
				return rows, err
			}
			row := HookRow{
				Bench: "hook", Case: c.name, Parallel: parallel, Runs: in.Runs, PeakKB: peak,
				P50: milliseconds(percentile(sorted, 0.50)), P99: milliseconds(percentile(sorted, 0.99)),
			}
			if c.name == "empty" {
				base = row.P50
			}
			row.Ratio = row.P50 / base
			rows = append(rows, row)
		}
	}
	return rows, nil
}

// InsertDirectly is what the hook does not do: open the database while the agent waits, insert the event, close. It
// exists to be compared with.
func InsertDirectly(ctx context.Context, c config.Config, clock Clock) error {
	b, err := brain.Open(ctx, c, clock)
	if err != nil {
		return err
	}
	id, err := memory.NewEventID(clock(), rand.Reader)
	if err == nil {
		_, err = brain.Observe.Run(ctx, b, []memory.Event{{
			ID: id, At: clock(), Kind: memory.ToolUsed, Origin: memory.OriginTool, Agent: agent.ClaudeCode,
			AgentSession: "6c10c636-2913-40ac-bf32-451788ba9146", Tool: "Read",
			Place:   memory.Place{Identity: "/home/dev/proj/.git", Root: "/home/dev/proj"},
			Touches: []memory.Touch{{Kind: memory.Read, Path: "main.go"}},
		}})
	}
	return errors.Join(err, b.Close())
}
