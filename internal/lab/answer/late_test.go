package answer_test

import (
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/memory"
)

// Kimi shows its model nothing when a session begins or was compacted: what belongs there comes with the next prompt, once.
func TestWhatBelongsToTheStartComesWithThePromptWhereAnAgentShowsNothingBefore(t *testing.T) {
	const rule = "the lexer of the parser never reads hexadecimal numbers"
	l := site{braintest.NewParserLab(t)}
	l.remember(memory.Rule, rule)
	l.See(1, l.Worked("an older run", 0, "parser/token.go")...)
	l.Clock = l.Clock.Add(time.Hour)
	of := func(e memory.Event) memory.Event { e.Agent = agent.Kimi; return e }
	shows := func(what, text string, moment memory.Moment, first string) answer.Shown {
		t.Helper()
		l.Later(time.Minute)
		out := l.AnswerTo(of(l.Prompt("run", text)))
		starts := 0
		for _, line := range out.Lines {
			if line.Moment != memory.AtPrompt {
				starts++
			}
		}
		if !strings.HasPrefix(out.Text, first) || (starts > 0) != (moment != memory.AtPrompt) || moment != memory.AtPrompt && out.Lines[0].Moment != moment {
			t.Errorf("%s: lines %+v of\n%s", what, out.Lines, out.Text)
		}
		return out
	}
	const start, prompt = "hebb remembers of this project", "hebb recalls from this project's history"
	l.Observe(of(begins(l.Lab, "run", "startup", "")))
	out := shows("the first prompt", braintest.Task, memory.AtStart, start)
	if strings.Count(out.Text, rule) != 1 || !strings.Contains(out.Text, "\n\n"+prompt) || !strings.Contains(out.Receipt.Text, "parser/lexer.go") || out.Receipt.Input == "" {
		t.Errorf("the answer to the prompt is not there, or the rule not once:\n%s\n%+v", out.Text, out.Receipt)
	}
	shows("a word between two prompts", "yes", memory.AtPrompt, "")
	compacted := of(l.Event(memory.Compacting, 0))
	compacted.At, compacted.AgentSession = l.Clock, "run"
	if err := l.Spool.Append(compacted); err != nil { // it waits there when the prompt comes
		t.Fatal(err)
	}
	if out := shows("after a compaction", "go on", memory.AtCompact, start); !strings.Contains(out.Text, "### This session so far") {
		t.Errorf("after a compaction:\n%s", out.Text)
	}
	shows("and once", "go on", memory.AtPrompt, "")
	l.Later(time.Hour)
	l.Observe(of(begins(l.Lab, "run", "resume", "")))
	shows("a session that is resumed", "go on", memory.AtStart, start)
	if out := l.AnswerTo(l.Prompt("another run", "go on")); out.Text != "" {
		t.Errorf("Claude Code, which is shown it at the start:\n%s", out.Text)
	}
}
