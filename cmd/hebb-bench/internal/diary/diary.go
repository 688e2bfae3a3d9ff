// Package diary replays recorded sessions of one developer through the hooks, on a clock of its
// own, and tells what the person and the agent would see, and which of the lines the recording
// proves to be false.
package diary

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/cmd/hebb-bench/internal/evaluate"
	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/hook"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/sheet"
	"github.com/hebb-memory/hebb/internal/spool"
	"github.com/hebb-memory/hebb/internal/state"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// Input says what to replay.
type Input struct {
	Files  []evaluate.SessionFiles
	Most   int // sessions of each set; 0: all
	Tuning tuning.Tuning
}

// Total is a whole life.
type Total struct {
	Bench    string  `json:"bench"`
	Case     string  `json:"case"` // total
	Repo     string  `json:"repo"`
	Sessions int     `json:"sessions"`
	Starts   int     `json:"starts"` // with a text
	Tokens   int     `json:"tokens"` // of the texts at starts
	Files    float64 `json:"files"`  // named at a start, mean
	Opened   float64 `json:"opened"` // of these, share that the session opened, percent
	Thinking float64 `json:"thinking_share"`
	Failing  float64 `json:"failing_share"` // of the tokens, percent
	False    int     `json:"false"`
}

// Life is the replay of one set.
type Life struct {
	False  []False
	Total  Total
	Memory string // MEMORY.md after the last session
}

// Replay lives the sessions of the busiest developer of each set.
func Replay(ctx context.Context, in Input) (lives []Life, err error) {
	for _, files := range in.Files {
		life, err := in.live(ctx, files)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", files.Repo, err)
		}
		lives = append(lives, life)
	}
	return lives, nil
}

// bench is the name of the benchmark in JSON.
const bench = "life real"

func (in Input) live(ctx context.Context, files evaluate.SessionFiles) (life Life, err error) {
	recorded, err := evaluate.ReadRecording(files)
	if err != nil {
		return life, err
	}
	sessions := evaluate.Busiest(recorded.Sessions)
	if in.Most > 0 {
		sessions = sessions[:min(len(sessions), in.Most)]
	}
	dir, err := os.MkdirTemp("", "hebb-bench-")
	if err != nil {
		return life, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	d := &diary{in: in, repo: files.Repo, config: config.Config{Dir: filepath.Join(dir, "memory"), Tuning: in.Tuning, Inject: true}}
	d.false, d.tokens = map[string]bool{}, map[string]int{}
	if d.world, err = newWorld(ctx, filepath.Join(dir, "work", files.Repo), recorded.Commits); err != nil {
		return life, err
	}
	if d.brain, err = steward.Open(ctx, d.config, d.clock); err != nil {
		return life, err
	}
	defer func() { err = errors.Join(err, d.brain.Close()) }()
	for i, s := range sessions {
		d.session = i + 1
		if err := d.work(ctx, s); err != nil {
			return life, fmt.Errorf("session %s: %w", s.ID, err)
		}
		if err := d.read(ctx); err != nil {
			return life, fmt.Errorf("after session %s: %w", s.ID, err)
		}
	}
	return d.finish(), nil
}

// diary is one memory that lives.
type diary struct {
	in     Input
	repo   string
	config config.Config
	brain  *brain.Brain
	*world
	now     time.Time
	session int    // number
	missing string // of the error that is being answered

	life   Life
	tokens map[string]int // of the lines at starts, by mechanism
	false  map[string]bool
	named  []string // at the start of this session
	opens  int      // of all that was named, what sessions opened
	names  int
}

func (d *diary) clock() time.Time { return d.now }

// until moves the clock; it never goes back.
func (d *diary) until(ctx context.Context, at time.Time) error {
	if at.After(d.now) {
		d.now = at
	}
	return d.world.until(ctx, d.now)
}

// work is a session as the hooks of Claude Code report it.
func (d *diary) work(ctx context.Context, s evaluate.AgentSession) error {
	d.named, d.failures = nil, nil
	prompted := false
	for _, call := range evaluate.HookCalls(s, d.root) {
		if err := d.until(ctx, call.At); err != nil {
			return err
		}
		name := call.Payload["hook_event_name"]
		if prompted && (name == "UserPromptSubmit" || name == "SessionEnd") { // the turn before has ended
			if err := d.hook(s, map[string]any{"hook_event_name": "Stop"}); err != nil {
				return err
			}
		}
		if name == "UserPromptSubmit" {
			prompted = true
			d.said(call.Payload["prompt"].(string))
		}
		if call.Event >= 0 {
			if err := d.tool(s, call); err != nil {
				return err
			}
			continue
		}
		if err := d.hook(s, call.Payload); err != nil {
			return err
		}
	}
	opened := map[string]bool{}
	for _, e := range s.Opens() {
		opened[e.Target] = true
	}
	for _, name := range d.named {
		d.names++
		if opened[name] {
			d.opens++
		}
	}
	d.now = d.now.Add(time.Second)
	return nil
}

// tool is a tool call: before it, and after it.
func (d *diary) tool(s evaluate.AgentSession, call evaluate.HookCall) error {
	e := s.Events[call.Event]
	var command string
	var failed *missing
	switch e.Op {
	case "bash":
		command, failed = outcome(s, call.Event)
		call.Payload["tool_input"] = map[string]any{"command": command}
	case "grep":
		call.Payload["tool_response"] = map[string]any{"filenames": []string{filepath.Join(d.root, filepath.FromSlash(e.Target))}}
	}
	if e.Changes() || e.Op == "bash" {
		if err := d.hook(s, map[string]any{
			"hook_event_name": "PreToolUse", "tool_name": call.Payload["tool_name"], "tool_input": call.Payload["tool_input"], "tool_use_id": call.Payload["tool_use_id"],
		}); err != nil {
			return err
		}
	}
	if failed != nil {
		call.Payload["hook_event_name"], call.Payload["error"], d.missing = "PostToolUseFailure", failed.printed(), failed.symbol
		delete(call.Payload, "tool_response")
	}
	err := d.hook(s, call.Payload)
	switch e.Op {
	case "bash":
		d.ran(command, failed)
	case "grep":
	default:
		err = errors.Join(err, d.touch(e.Target, e.Changes(), d.now))
	}
	return err
}

// hook is one call of the hook, as the program does it; the store stays open.
func (d *diary) hook(s evaluate.AgentSession, payload map[string]any) error {
	payload["session_id"], payload["cwd"] = s.ID, d.root
	text, err := json.Marshal(payload)
	if err != nil {
		return err
	}
	patient := d.config.Tuning
	patient.Hook.PromptWait, patient.Hook.StartWait, patient.Hook.ToolWait = time.Minute, time.Minute, time.Minute
	return hook.Hook{
		Agent: agent.ClaudeCode, Tuning: patient, Getenv: func(string) string { return "" }, Now: d.clock, Entropy: rand.Reader, Out: io.Discard,
		Spool: spool.Spool{Dir: d.config.Spool(), Limits: patient.Spool}, Home: d.config.Home,
		Answer: func(ctx context.Context, to memory.Event) (string, *memory.Event, error) {
			out, err := steward.Run(ctx, d.brain, answer.Moment, to)
			if err == nil {
				err = d.answered(ctx, to, out)
			}
			return out.Text, out.Receipt, err
		},
		Drain: func() error {
			out, err := steward.Run(context.Background(), d.brain, steward.Drain, steward.DrainInput{Wait: true, Sleep: true})
			if err == nil && len(out.Maintenance.Warnings)+out.Rejected > 0 {
				err = fmt.Errorf("drain: %d events refused; %s: %w", out.Rejected, strings.Join(out.Maintenance.Warnings, "; "), memory.ErrInvalid)
			}
			return err
		},
	}.Run(bytes.NewReader(text))
}

// answered judges what an agent was shown.
func (d *diary) answered(ctx context.Context, to memory.Event, out answer.Shown) error {
	if out.Text == "" {
		return nil
	}
	if to.Kind == memory.SessionStarted {
		d.life.Total.Starts++
		d.life.Total.Tokens += prose.Tokens(out.Text)
		for _, l := range linesOf("start", out.Text) {
			d.saw(l)
			d.tokens[l.mechanism] += prose.Tokens(l.text + "\n")
			if l.mechanism == fileLines {
				for _, name := range tokens.FindAllString(evaluate.SpelledOut(l.text), -1) {
					if _, met := d.files[name]; met && !slices.Contains(d.named, name) {
						d.named = append(d.named, name)
					}
				}
			}
		}
		return nil
	}
	where := map[memory.EventKind]string{memory.Prompted: "prompt", memory.ToolPlanned: "tool call", memory.ToolFailed: "error", memory.SubagentBegan: "subagent"}[to.Kind]
	mechanism := map[memory.Offer]string{
		memory.OfferFile: recallLines, memory.OfferPreload: recallLines, memory.OfferFix: fixLines, memory.OfferMemory: statementLines, memory.OfferCommand: commandLines,
	}
	texts := strings.Split(strings.TrimSpace(out.Text), "\n")[1:] // after the opening
	for i, offer := range out.Lines {
		l := line{mechanism: cmp.Or(mechanism[offer.Offer], noticeLines), where: where, text: offer.Path + " " + offer.Reason}
		if len(texts) == len(out.Lines) {
			l.text = texts[i]
		}
		if offer.Offer == memory.OfferFix {
			l.file, l.symbol = offer.Path, d.missing
		}
		d.saw(l)
		if offer.Crystal == "" {
			continue
		}
		c, err := brain.View(ctx, d.brain.Store, func(tx *store.Tx) (store.Kept, error) { return tx.Crystal(ctx, offer.Crystal) })
		switch {
		case brain.IsNotFound(err):
			d.wrong(l, "the memory was forgotten")
		case err != nil:
			return err
		case !c.ValidTo.IsZero() || !c.Lifecycle.Living():
			d.wrong(l, "the memory was replaced or forgotten")
		}
	}
	return nil
}

// saw judges a line that somebody can read.
func (d *diary) saw(l line) {
	if rule := d.judge(l); rule != "" {
		d.wrong(l, rule)
	}
}

func (d *diary) wrong(l line, rule string) {
	if key := l.mechanism + rule + l.text; !d.false[key] {
		d.false[key] = true
		d.life.False = append(d.life.False, False{bench, "false", d.repo, d.session, l.mechanism, l.where, rule, l.text})
	}
}

// read judges what the person can read after a session, whether or not it is shown to an agent.
func (d *diary) read(ctx context.Context) error {
	scope := brain.Scope{Dir: d.root}
	wanted, err1 := steward.Run(ctx, d.brain, goals.Goals, goals.GoalsInput{Scope: scope})
	next, err2 := steward.Run(ctx, d.brain, goals.NextUp, brain.ListInput{Scope: scope})
	gaps, err3 := steward.Run(ctx, d.brain, state.Gaps, scope)
	heat, err4 := steward.Run(ctx, d.brain, desk.Warmth, desk.HeatInput{Scope: scope})
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		return err
	}
	for _, g := range wanted.Goals {
		l := line{mechanism: goalLines, where: "hebb goals", text: g.Goal.Title}
		if stillFail.MatchString(l.text) {
			l.mechanism = failingLines
		}
		d.saw(l)
	}
	for _, t := range next.Thoughts {
		d.saw(line{mechanism: thoughtLines, where: "hebb goals next", text: prose.Quoted(t.Title) + " may be helped by " + prose.Quoted(t.Episode)})
	}
	for _, g := range gaps {
		d.saw(line{mechanism: gapLines, where: "hebb state gaps", text: g.Text})
	}
	for _, f := range heat.Files {
		d.saw(line{mechanism: fileLines, where: "hebb graph heat", text: f.Path})
	}
	for _, c := range heat.Clusters {
		d.saw(line{mechanism: fileLines, where: "hebb graph heat", text: "{" + c.A + ", " + c.B + "}"})
	}
	for _, l := range linesOf("MEMORY.md", d.memoryFile()) {
		d.saw(l)
	}
	return nil
}

// memoryFile is MEMORY.md without the marks of its lines; empty before it is written.
func (d *diary) memoryFile() string {
	text, _ := os.ReadFile(filepath.Join(d.config.Vault(), "projects", path.Base(d.repo), "MEMORY.md"))
	return sheet.Bare(string(text))
}

// finish adds up.
func (d *diary) finish() Life {
	t := &d.life.Total
	t.Bench, t.Case, t.Repo, t.Sessions, t.False = bench, "total", d.repo, d.session, len(d.life.False)
	percent := func(part, whole int) float64 { return 100 * float64(part) / float64(max(whole, 1)) }
	t.Thinking, t.Failing = percent(d.tokens[thoughtLines], t.Tokens), percent(d.tokens[failingLines], t.Tokens)
	t.Files, t.Opened = float64(d.names)/float64(max(t.Starts, 1)), percent(d.opens, d.names)
	d.life.Memory = d.memoryFile()
	return d.life
}
