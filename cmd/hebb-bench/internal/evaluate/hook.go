package evaluate

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/spool"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// HookInput says how to measure the hook.
type HookInput struct {
	Program string // the hebb to measure
	Runs    int    // processes per row
	Scale   int    // times 17,000 files, for the memory that answers come from
}

// HookRow is one line of the hook benchmark.
type HookRow struct {
	Bench    string  `json:"bench"`
	Case     string  `json:"case"`
	Parallel int     `json:"parallel"` // processes at a time
	Runs     int     `json:"runs"`
	P50      float64 `json:"p50_ms" show:"%.2f"`
	P99      float64 `json:"p99_ms" show:"%.2f"`
	Ratio    float64 `json:"ratio_p50" show:"%.2f"` // to the empty program, same number at a time
	CPU      float64 `json:"cpu_ms"`                // user and system, median
	PeakKB   int64   `json:"peak_kb"`               // resident memory, upper bound
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

// call is a call of Claude Code's hook in a session of its own.
func call(project string, number int64, fields map[string]any) string {
	all := map[string]any{
		"session_id": fmt.Sprintf("bench-%d", number), "cwd": project, "permission_mode": "default",
		"transcript_path": "/home/dev/.claude/projects/-home-dev-proj/bench.jsonl",
	}
	for name, value := range fields {
		all[name] = value
	}
	text, err := json.Marshal(all)
	if err != nil {
		panic(err) // strings
	}
	return string(text)
}

// Hook measures what a hook costs an agent: the wall time of the whole process beside an empty Go
// program, for a call that is only recorded, and for those that are answered from a large memory.
func Hook(ctx context.Context, in HookInput) (rows []HookRow, err error) {
	dir, remove, err := temporary()
	if err != nil {
		return nil, err
	}
	defer remove(&err)
	empty, err := emptyProgram(ctx, dir)
	if err != nil {
		return nil, err
	}
	hook := []string{in.Program, "hook", string(agent.ClaudeCode)}
	env := []string{config.EnvHome + "=" + dir, config.EnvBackground + "=0"}
	b := hookBench{HookInput: in, empty: map[int]float64{}}
	err = errors.Join(
		b.measure(ctx, "empty", process{args: []string{empty}, input: payload}),
		b.measure(ctx, "hook", process{args: hook, env: env, input: payload}),
	)
	if err != nil {
		return b.rows, err
	}
	// Last: what this process needs to build the memory would count as the others' peak.
	past, home, err := in.build(ctx, dir)
	if err != nil {
		return b.rows, fmt.Errorf("build a large memory: %w", err)
	}
	edited := map[string]any{"file_path": filepath.Join(past.place.Root, past.files[0]), "old_string": "a", "new_string": "b"}
	var calls atomic.Int64
	for _, c := range []struct {
		name     string
		answered bool
		fields   map[string]any
	}{
		{"start", true, map[string]any{"hook_event_name": "SessionStart", "source": "startup"}},
		{"prompt", true, map[string]any{"hook_event_name": "UserPromptSubmit", "prompt": past.task()}},
		{"edit", false, map[string]any{"hook_event_name": "PreToolUse", "tool_name": "Edit", "tool_input": edited}},
		{"error", true, map[string]any{
			"hook_event_name": "PostToolUseFailure", "tool_name": "Bash", "tool_input": map[string]any{"command": failing}, "error": past.fault(),
		}},
	} {
		p := process{args: hook, env: []string{config.EnvHome + "=" + home, config.EnvBackground + "=0"}, input: func() string {
			return call(past.place.Root, calls.Add(1), c.fields)
		}}
		out, _, err := p.once(ctx)
		if err == nil && c.answered && !strings.Contains(out, "hookSpecificOutput") {
			complaint := spool.Spool{Dir: config.Config{Dir: home}.Spool()}.State().Complaint
			err = fmt.Errorf("%s: the hook has no answer: printed %q, complained %q", c.name, out, complaint)
		}
		if err = errors.Join(err, b.measure(ctx, c.name, p)); err != nil {
			return b.rows, err
		}
	}
	slices.SortStableFunc(b.rows, func(a, b HookRow) int { return cmp.Compare(a.Parallel, b.Parallel) })
	return b.rows, nil
}

// build fills a large memory with the past of a project whose files exist.
func (in HookInput) build(ctx context.Context, dir string) (past *large, home string, err error) {
	place, err := newProject(filepath.Join(dir, "project"))
	if err != nil {
		return nil, "", err
	}
	c := config.Config{Dir: filepath.Join(dir, "large"), Tuning: tuning.Default()}
	past = newLarge(place, time.Now(), in.Scale)
	if err := past.build(ctx, c); err != nil {
		return nil, "", err
	}
	for _, name := range past.files { // what is gone is not shown
		file := filepath.Join(place.Root, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, nil, 0o600)); err != nil {
			return nil, "", err
		}
	}
	// Every session is answered, however busy the machine is.
	settings := "[tuning.hook]\nholdout = 0\nprompt_wait = 4000\nstart_wait = 4000\ntool_wait = 4000\n"
	return past, c.Dir, os.WriteFile(c.File(), []byte(settings), 0o600)
}

// hookBench is a benchmark in the making.
type hookBench struct {
	HookInput
	empty map[int]float64 // milliseconds of the empty program, by how many run at a time
	rows  []HookRow
}

// measure adds the rows of one program, alone and in a crowd.
func (b *hookBench) measure(ctx context.Context, name string, p process) error {
	for _, parallel := range []int{1, crowd} {
		if _, err := p.times(ctx, parallel, parallel); err != nil { // warm the caches, create the store
			return err
		}
		used, err := p.times(ctx, b.Runs, parallel)
		if err != nil {
			return err
		}
		row := HookRow{Bench: "hook", Case: name, Parallel: parallel, Runs: b.Runs}
		var wall, cpu []time.Duration
		for _, one := range used {
			wall, cpu, row.PeakKB = append(wall, one.wall), append(cpu, one.cpu), max(row.PeakKB, one.peak)
		}
		row.P50, row.P99, row.CPU = milliseconds(percentile(wall, .5)), milliseconds(percentile(wall, .99)), milliseconds(percentile(cpu, .5))
		if _, ok := b.empty[parallel]; !ok {
			b.empty[parallel] = row.P50
		}
		row.Ratio = row.P50 / b.empty[parallel]
		b.rows = append(b.rows, row)
	}
	return nil
}
