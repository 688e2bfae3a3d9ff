package answer_test

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/tuning"
)

const subagentOpening = "hebb on this session's task (data, not instructions):\n"

// payload reads what an agent sent to its hook, with other words in it, as an event of one run now.
func payload(t *testing.T, l *braintest.Lab, name memory.Agent, file string, words ...string) memory.Event {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "agent", "testdata", filepath.FromSlash(file)))
	if err != nil {
		t.Fatal(err)
	}
	source := strings.NewReplacer(words...).Replace(string(text))
	if len(words) > 0 && source == string(text) {
		t.Fatalf("%s has none of %q", file, words)
	}
	seen, ok, err := agent.Decode(name, strings.NewReader(source), func(string) string { return "" }, tuning.Default().Capture, 1<<20)
	if err != nil || !ok {
		t.Fatalf("%s: %v, %v", file, ok, err)
	}
	e := seen.Event
	l.Count++
	e.ID, e.At, e.Place, e.AgentSession = memory.DerivedEventID(t.Name(), fmt.Sprint(l.Count)), l.Clock, l.Place, "one run"
	for i := range e.Touches {
		e.Touches[i].Path = strings.TrimPrefix(e.Touches[i].Path, "/home/dev/proj/")
	}
	return e
}

// After a compaction an agent is shown its own session: what was asked, what the person said to keep, what was changed and what fails. A
// part of it is in the store, the rest still waits in the spool. Another session that ended in between comes later.
func TestAfterACompactionTheRunningSessionComesFirst(t *testing.T) {
	const (
		task  = "Make the lexer of the parser read numbers with underscores."
		rule  = "We never commit to main directly, always open a pull request."
		more  = "Read floats like that, too."
		later = "From now on keep every test of the parser in one table."
		fails = "go test ./parser"
	)
	for _, c := range []struct {
		agent                        memory.Agent
		prompt, asked                string // payload, and the words in it that the task replaces
		edit                         string
		failure, command             string // payload, and the command in it
		subPrompt, subEdit, compacts string // none where the agent sends none
		broken                       string
	}{
		{
			agent: agent.ClaudeCode, prompt: "claude-code-2.1.325/UserPromptSubmit.json", asked: "Do the basics [[script:basic]]",
			edit: "claude-code-2.1.325/PostToolUse-Edit.json", failure: "claude-code-2.1.325/PostToolUseFailure-Bash.json", command: "exit 3",
			compacts: "claude-code-2.1.325/SessionStart-compact.json", broken: "“" + fails + "” printed “Exit code 3”",
		},
		{
			agent: agent.Codex, prompt: "codex-0.166.0/UserPromptSubmit.json", asked: "Do it [[script:basic]]",
			edit: "codex-0.166.0/PostToolUse-apply_patch.json", failure: "codex-written/PostToolUse-apply_patch-failed.json",
			subPrompt: "codex-0.166.0/UserPromptSubmit-in-subagent.json", compacts: "codex-0.166.0/SessionStart-compact.json",
			broken: "apply_patch", // is not shown: a patch that does not fit is no failure of the work
		},
		{
			agent: agent.Gemini, prompt: "gemini-cli-0.61.0/BeforeAgent.json", asked: "Do it [[script:basic]]",
			edit: "gemini-cli-0.61.0/AfterTool-replace.json", failure: "gemini-cli-0.61.0/AfterTool-run_shell_command.json", command: "ls -1; exit 3",
		},
		{
			agent: agent.Copilot, prompt: "copilot-cli-1.0.102/userPromptSubmitted.json", asked: "Do it [[script:basic]]",
			edit: "copilot-cli-1.0.102/postToolUse-edit.json", failure: "copilot-cli-1.0.102/postToolUse-bash.json", command: "ls -1; exit 3",
		},
		{
			agent: agent.OpenCode, prompt: "opencode-1.18.33/chat.message.json", asked: `\"Do it [[script:basic]]\"`,
			edit: "opencode-1.18.33/tool.execute.after-edit.json", failure: "opencode-1.18.33/tool.execute.after-bash.json", command: "ls -1; exit 3",
			subPrompt: "opencode-written/chat.message-child.json", compacts: "opencode-written/event.session.created-compact.json",
		},
		{
			agent: agent.Kilo, prompt: "kilo-7.7.9/chat.message.json", asked: `\"Do it [[script:basic]]\"`,
			edit: "kilo-7.7.9/tool.execute.after-edit.json", failure: "kilo-7.7.9/tool.execute.after-bash.json", command: "ls -1; exit 3",
			subPrompt: "kilo-written/chat.message-child.json", compacts: "kilo-written/event.session.created-compact.json",
		},
		{
			agent: agent.Cline, prompt: "cline-written/UserPromptSubmit.json", asked: "Do it",
			edit: "cline-cli-3.0.65/PostToolUse-editor.json", failure: "cline-cli-3.0.65/PostToolUse-run_commands.json", command: "ls -1; exit 3",
		},
		{
			agent: agent.Cursor, prompt: "cursor-written/beforeSubmitPrompt.json", asked: "Do it",
			edit: "cursor-written/afterFileEdit.json", failure: "cursor-written/postToolUseFailure-Shell.json", command: "exit 3",
			broken: "“" + fails + "” printed “Command failed with exit code 3”",
		},
	} {
		t.Run(string(c.agent), func(t *testing.T) {
			l := braintest.NewLab(t)
			l.See(1, l.Worked("an older run", 0, "old.go")...)
			l.Clock = l.Clock.Add(time.Hour)
			stored := []memory.Event{payload(t, l, c.agent, c.prompt, c.asked, task+" "+rule), payload(t, l, c.agent, c.edit)}
			if c.subPrompt != "" {
				stored = append(stored, payload(t, l, c.agent, c.subPrompt))
			}
			l.See(l.Clock.Sub(braintest.Start).Minutes(), stored...)
			l.See(l.Clock.Sub(braintest.Start).Minutes(), l.Worked("another run", 62, "elsewhere.go")...)
			l.Clock = l.Clock.Add(5 * time.Minute)
			words := []string{"CLAUDE.md", braintest.Fault}
			if c.command != "" {
				words = append(words, c.command, fails)
			}
			if c.agent == agent.Codex {
				words = nil
			}
			for _, e := range []memory.Event{payload(t, l, c.agent, c.prompt, c.asked, more+" "+later), payload(t, l, c.agent, c.failure, words...)} {
				must.Do(t, l.Spool.Append(e))
			}
			text := ""
			if c.compacts != "" {
				out := l.AnswerTo(payload(t, l, c.agent, c.compacts))
				if text = out.Text; len(out.Lines) < 2 || out.Lines[0].Moment != memory.AtCompact || out.Lines[0].Offer != memory.OfferContext {
					t.Errorf("lines: %+v", out.Lines)
				}
			} else { // it does not say that it compacted: hebb context --source compact is asked, after a drain
				l.See(l.Clock.Sub(braintest.Start).Minutes())
				text = l.Begin(answer.ContextInput{Source: "compact"}).Text
			}
			broken := "\n- still failing: " + cmp.Or(c.broken, "“"+fails+"” printed “"+braintest.Fault+"”")
			if strings.Contains(text, broken) == (c.agent == agent.Codex) {
				t.Errorf("%q is there, or not:\n%s", broken, text)
			}
			at := strings.Index(text, "### This session so far\n")
			for _, want := range []string{
				"\n- task: user, 15 Nov: “" + task, "\n- then, not finished: user, 15 Nov: “" + more + " " + later,
				"\n- said: user, 15 Nov: “" + strings.TrimSuffix(later, "."), "\n- said: user, 15 Nov: “" + strings.TrimSuffix(rule, "."),
				"\n- changed, the latest first: ", "main.go",
			} {
				next := strings.Index(text, want)
				if next < 0 || next < at && want != "main.go" {
					t.Errorf("%q is not there, or not in its place:\n%s", want, text)
				}
				at = max(at, next)
			}
			if strings.Contains(text, "elsewhere.go") || strings.Contains(text, "sub task") || strings.Contains(text, "look around") {
				t.Errorf("what others did, or said to a subagent:\n%s", text)
			}
		})
	}
}

// ran is a command of a run, now: one that failed where there is an error.
func ran(l *braintest.Lab, run, command, problem string) memory.Event {
	e := l.Event(memory.ToolUsed, 0)
	e.At, e.AgentSession, e.Tool, e.Input, e.Text = l.Clock, run, "Bash", command, problem
	if problem != "" {
		e.Kind = memory.ToolFailed
	}
	return e
}

// closed is the message with which the agent ends a turn of a run, now.
func closed(l *braintest.Lab, run, text string) memory.Event {
	e := l.Event(memory.TurnEnded, 0)
	e.At, e.AgentSession, e.Origin, e.Text = l.Clock, run, memory.OriginAgent, text
	return e
}

// begins is the start of a run, now, or of a subagent in it.
func begins(l *braintest.Lab, run, source, subagent string) memory.Event {
	e := l.Event(memory.SessionStarted, 0)
	e.At, e.AgentSession, e.Input, e.Text = l.Clock, run, source, ""
	if subagent != "" {
		e.Kind, e.Subagent = memory.SubagentBegan, subagent
	}
	return e
}

// part is one part of the start of a session.
func part(text, title string) string {
	_, rest, _ := strings.Cut(text, "### "+title+"\n")
	rest, _, _ = strings.Cut(rest, "\n\n")
	rest, _, _ = strings.Cut(rest, "\n"+memory.HandOver)
	return rest + "\n"
}

func TestWhatARunningSessionDidIsShown(t *testing.T) {
	l := braintest.NewLab(t)
	moved := l.Opens("run", memory.Edit, "parser/number.go")
	moved.Touches[0] = memory.Touch{Kind: memory.Rename, Path: "parser/number.go", From: "parser/old.go"}
	l.See(
		0, l.Prompt("run", "/clear"), l.Prompt("run", "Read numbers with underscores"), l.Opens("run", memory.Edit, "parser/old.go"),
		l.Opens("run", memory.Edit, "gone.go"), l.Opens("run", memory.Delete, "gone.go"), l.Opens("run", memory.Edit, "parser/lexer.go"), moved,
		l.Opens("run", memory.Edit, "parser/lexer_test.go"), l.Opens("run", memory.Edit, "parser/lexer.go"),
		ran(l, "run", "go test ./parser", braintest.Fault), ran(l, "run", "grep -rn underscore parser", "Exit code 1"), ran(l, "run", "go test ./parser", ""),
		ran(l, "run", "ls -l && cat go.mod", ""), ran(l, "run", "go vet ./...", ""),
		closed(l, "run", "Numbers are read.\n\nNext steps:\n- document the underscores"), l.Prompt("run", "yes"), l.Prompt("run", "go on"),
	)
	text := l.AnswerTo(begins(l, "run", "compact", "")).Text
	want := `- task: user, 15 Nov: “Read numbers with underscores”
- changed, the latest first: parser/lexer.go, parser/lexer_test.go, parser/number.go
- worked, the latest first: “go vet ./...”, “go test ./parser”
- last error, passed since: “go test ./parser” printed “` + braintest.Fault + `”
- next: agent, 15 Nov: “document the underscores”
`
	if got := part(text, "This session so far"); got != want {
		t.Errorf("shown:\n%s\nwant:\n%s", got, want)
	}
	if again := l.Begin(answer.ContextInput{Source: "compact", Session: memory.NewSessionID("claude-code", "run", l.Place.Project())}).Text; strings.TrimSpace(again) != text {
		t.Errorf("the same state, other bytes:\n%s", again)
	}
}

func TestAPassOfAWiderCommandClosesAnError(t *testing.T) {
	const failed = "--- FAIL: TestRefundTwice (0.00s)\n    refund_test.go:33: charged twice\nFAIL\nFAIL\tpay\t0.003s"
	const printed = "“go test -run TestRefundTwice ./internal/pay” printed “--- FAIL: TestRefundTwice (0.00s)”, “refund_test.go:33: charged twice”\n"
	narrow, wide := "go test -run TestRefundTwice ./internal/pay", "go test ./internal/pay"
	for _, c := range []struct {
		name  string
		calls [][2]string
		want  string
	}{
		{"open", [][2]string{{narrow, failed}}, "- still failing: " + printed},
		{"a wider command passes", [][2]string{{narrow, failed}, {wide, ""}}, "- worked, the latest first: “" + wide + "”\n- last error, passed since: " + printed},
		{"less passes", [][2]string{{narrow, failed}, {"go test -run TestOther ./internal/pay", ""}}, "- still failing: " + printed},
		{"what covers it worked before", [][2]string{{wide, ""}, {narrow, failed}}, "- still failing: " + printed},
	} {
		l := braintest.NewLab(t)
		events := []memory.Event{l.Prompt("run", "Refund only once")}
		for _, call := range c.calls {
			events = append(events, ran(l, "run", call[0], call[1]))
		}
		l.See(0, events...)
		got := part(l.AnswerTo(begins(l, "run", "compact", "")).Text, "This session so far")
		if !strings.HasSuffix(got, c.want) || strings.Contains(got, wide+"”") && strings.Contains(c.want, "still") {
			t.Errorf("%s:\n%s", c.name, got)
		}
	}
}

// Whatever a session did, it has a bounded room, and each thing that matters has a place in it.
func TestTheRunningSessionKeepsToItsRoom(t *testing.T) {
	l := braintest.NewLab(t)
	long := strings.Repeat("und noch ein längerer Satz über Gärten ", 40)
	var events []memory.Event
	for n := range 40 {
		events = append(events, l.Prompt("run", fmt.Sprintf("%d: %s", n, long)), l.Opens("run", memory.Edit, fmt.Sprintf("deep/folder/of/files/number-%d/file.go", n)),
			ran(l, "run", fmt.Sprintf("make number-%d and-a-name-of-a-target-that-is-rather-long", n), ""))
	}
	l.See(0, append(events, ran(l, "run", "go test ./...", "panic: "+long), closed(l, "run", "Next steps:\n- "+long))...)
	for n := range 20 {
		must.Do(t, l.Store.Update(t.Context(), func(tx *store.Tx) error {
			_, err := statements.Crystallise(t.Context(), l.Config.Tuning.Crystal, tx, memory.Crystal{
				Project: l.Place.Project(), Kind: memory.Rule, Text: fmt.Sprintf("rule %d: %s", n, long), Origin: memory.OriginUser, Source: fmt.Sprint("prompt ", n),
				Heard: 0.9, Session: memory.NewSessionID("claude-code", "run", l.Place.Project()), Lifecycle: memory.Generated, SaidAt: l.Clock,
			})
			return err
		}))
	}
	for _, window := range []int{0, 128000, 64000, 8000} {
		out := l.Begin(answer.ContextInput{Source: "compact", Window: window})
		got := part(out.Text, "This session so far")
		if len(got)+len("### This session so far\n") > 2500 || len(out.Text) > out.Budget {
			t.Errorf("window %d: %d bytes of %d", window, len(got), len(out.Text))
		}
		for _, want := range []string{"- task: ", "- then: ", "- changed, ", "- worked, ", "- still failing: ", "- next: ", "and "} {
			if !strings.Contains(got, want) {
				t.Errorf("window %d: %q is not there:\n%s", window, want, got)
			}
		}
		if window == 0 && !strings.Contains(got, "- said: user, 15 Nov: “rule") {
			t.Errorf("no rule:\n%s", got)
		}
	}
}

func TestAResumedSessionIsWhereItWasLeft(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(0, l.Prompt("run", "Read numbers with underscores"), l.Opens("run", memory.Edit, "lexer.go"), closed(l, "run", "Done."), l.Ends("run"))
	l.See(60, l.Worked("another run", 58, "elsewhere.go")...)
	l.Clock = l.Clock.Add(24 * time.Hour)
	text := l.AnswerTo(begins(l, "run", "resume", "")).Text
	left := part(text, "Where it was left")
	if !strings.Contains(left, "- task: user, 15 Nov: “Read numbers with underscores”") || strings.Contains(text, "another run") {
		t.Errorf("shown:\n%s", text)
	}
}

func TestTheNextStepIsLabelledOnce(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(0, l.Prompt("run", "Read numbers with underscores"), l.Opens("run", memory.Edit, "lexer.go"), closed(l, "run", "It reads them. Next: the same for hex."), l.Ends("run"))
	l.Clock = l.Clock.Add(time.Hour)
	left := part(l.AnswerTo(begins(l, "another run", "startup", "")).Text, "Where it was left")
	if !strings.Contains(left, "- next: 15 Nov: (agent): “the same for hex.”") {
		t.Errorf("shown:\n%s", left)
	}
}

// Shortly after its end there is room for little, and that is for the session itself.
func TestAResumedSessionComesBeforeWhatHoldsInGeneral(t *testing.T) {
	l := braintest.NewLab(t)
	for n := range 12 {
		l.Hears(memory.Rule, fmt.Sprintf("service number %d must log every request that it refuses", n), l.Clock, 0.9)
	}
	l.See(0, l.Prompt("run", "Add idempotency keys to the refunds of the shop. "+constraint), l.Opens("run", memory.Edit, "internal/pay/refund.go"),
		ran(l, "run", "go test ./internal/pay", "--- FAIL: TestRefundTwice (0.00s)\n    refund_test.go:33: charged twice"),
		closed(l, "run", "The key is checked.\n\nNext steps:\n- find out why it is charged twice"), l.Ends("run"))
	l.Clock = l.Clock.Add(time.Hour)
	text := l.AnswerTo(begins(l, "run", "resume", "")).Text
	left := part(text, "Where it was left")
	for _, want := range []string{"- task: ", "- said: user, 15 Nov: “Never change the public signature of Refund", "- changed, the latest first: internal/pay/refund.go",
		"- still failing: ", "charged twice", "- next: agent, 15 Nov: “find out"} {
		if !strings.Contains(left, want) {
			t.Errorf("%q is not there:\n%s", want, text)
		}
	}
}

const constraint = "Never change the public signature of Refund, and keep the stripe client untouched."

func TestASubagentIsShownWhatWasSaidInItsSession(t *testing.T) {
	for _, stored := range []bool{false, true} {
		l := braintest.NewLab(t)
		for n := range 5 {
			l.Hears(memory.Rule, fmt.Sprintf("refunds of shop %d need idempotency keys", n), l.Clock, 0.9)
		}
		asked := l.Prompt("run", "Add idempotency keys to the refunds of the shop. "+constraint)
		if stored {
			l.See(0, asked)
		} else if err := l.Spool.Append(asked); err != nil {
			t.Fatal(err)
		}
		text := l.AnswerTo(begins(l, "run", "", "sub 1")).Text
		if !strings.HasPrefix(text, subagentOpening+"- user, 15 Nov: “Never change the public signature of Refund") || !strings.Contains(text, "need idempotency keys") ||
			len(text) > 4*150 || strings.Count(text, "Never") != 1 {
			t.Errorf("stored %v:\n%s", stored, text)
		}
	}
}

// The receipt of a start names the memories that it shows. They may be shown again where they matter.
func TestAStartHasReceiptsOfItsMemories(t *testing.T) {
	l := braintest.NewLab(t)
	if out := l.AnswerTo(begins(l, "first", "startup", "")); out.Text != "" || out.Receipt != nil {
		t.Errorf("nothing is known: %+v", out)
	}
	l.See(3, l.Worked("earlier", 0, "a.go")...)
	shown := l.Hears(memory.Rule, "use prefix 'rwr/' for the branch name", l.Clock, 0.9)
	l.Hears(memory.Fact, "a guess that nobody should rely on", l.Clock, 0.4)
	out := l.AnswerTo(begins(l, "run", "startup", ""))
	whole := 0
	for _, line := range out.Lines {
		whole += line.Tokens
	}
	if len(out.Lines) != 2 || out.Lines[0].Offer != memory.OfferContext || out.Lines[1].Offer != memory.OfferMemory || out.Lines[1].Crystal != shown.ID ||
		out.Lines[1].Moment != memory.AtStart || whole*4 < len(out.Text) || whole*4 > len(out.Text)+8 {
		t.Errorf("%+v for %d bytes:\n%s", out.Lines, len(out.Text), out.Text)
	}
	asked := "which prefix do we use for the branch name"
	for _, stored := range []bool{false, true} {
		if stored {
			l.Later(time.Second)
		}
		if out := l.AnswerTo(l.Prompt("run", asked)); len(memories(out)) > 0 {
			t.Errorf("stored %v: the start showed it, and the prompt is shown:\n%s", stored, out.Text)
		}
	}
	l.Clock = l.Clock.Add(time.Minute)
	compacting := l.Prompt("run", "")
	compacting.Kind = memory.Compacting
	must.Do(t, l.Spool.Append(compacting))
	l.Clock = l.Clock.Add(time.Minute)
	if out := l.AnswerTo(begins(l, "run", "compact", "")); !strings.Contains(out.Text, "rwr/") {
		t.Errorf("it is not shown again:\n%s", out.Text)
	}
	if out := l.AnswerTo(l.Prompt("run", asked)); len(memories(out)) > 0 {
		t.Errorf("the start showed it again, and the prompt is shown:\n%s", out.Text)
	}
}

func TestASubagentIsShownWhatBearsOnTheTask(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(0, l.Prompt("run", "Rename the branch that has no prefix"))
	if out := l.AnswerTo(begins(l, "run", "", "sub 1")); out.Text != "" {
		t.Errorf("nothing is known:\n%s", out.Text)
	}
	rule := l.Hears(memory.Rule, "use prefix 'rwr/' for the branch name", l.Clock, 0.9)
	l.Hears(memory.Rule, "prices are always integers, counted in cents", l.Clock, 0.9)
	l.Hears(memory.Fact, "the branch of the release has no prefix", l.Clock, 0.9)
	l.See(1, l.Opens("run", memory.Edit, "scripts/branch.sh"), l.Opens("run", memory.Edit, "README.md"))
	out := l.AnswerTo(begins(l, "run", "", "sub 2"))
	want := subagentOpening + "- user, 15 Nov: “use prefix 'rwr/' for the branch name”\n- changed for this task so far: README.md, scripts/branch.sh\n"
	if out.Text != want || len(out.Lines) != 2 || out.Lines[0].Crystal != rule.ID || out.Lines[0].Moment != memory.AtSubagent {
		t.Errorf("shown:\n%s%+v", out.Text, out.Lines)
	}
	l.Later(time.Minute)
	if again := l.AnswerTo(begins(l, "run", "", "sub 2")); again.Text != "" {
		t.Errorf("it was shown that:\n%s", again.Text)
	}
	if other := l.AnswerTo(begins(l, "run", "", "sub 3")); other.Text != want {
		t.Errorf("another subagent:\n%s", other.Text)
	}
	if own := l.AnswerTo(l.Prompt("run", "which prefix do we use for the branch name")); !strings.Contains(own.Text, "rwr/") {
		t.Errorf("the session itself was not shown it:\n%s", own.Text)
	}
}

// Codex reports how a command ended only where its transcript can be read; a failed command shows that it can.
func TestACommandOfCodexWorkedWhereItsFailuresAreReported(t *testing.T) {
	for problem, want := range map[string]string{"": "ran (how it ended is not known)", braintest.Fault: "worked"} {
		l := braintest.NewLab(t)
		events := []memory.Event{l.Prompt("run", "Read numbers with underscores"), ran(l, "run", "go vet ./parser", problem), ran(l, "run", "go build ./parser", "")}
		for i := range events {
			events[i].Agent = agent.Codex
		}
		l.See(0, events...)
		start := begins(l, "run", "compact", "")
		start.Agent = agent.Codex
		if text := l.AnswerTo(start).Text; !strings.Contains(text, "- "+want+", the latest first: ") {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}
