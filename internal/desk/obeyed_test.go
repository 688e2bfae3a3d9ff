package desk_test

import (
	"slices"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/statements"
)

func TestWhatALaterSessionDoesNeedNotBeSaidAgain(t *testing.T) {
	const rule = "use pnpm instead of npm"
	for command, want := range map[string]memory.Lifecycle{
		"pnpm install": memory.Activated, "npm install": memory.Waiting, "git status": memory.Waiting,
	} {
		l := braintest.NewLab(t)
		heard := l.Hears(memory.Preference, rule, braintest.Start, statements.Builtin().Sure-.01)
		l.Later(time.Hour)
		run := l.Event(memory.ToolUsed, 61)
		run.AgentSession, run.Tool, run.Input = "two", "Bash", command
		l.See(62, l.Prompt("two", "add the chart library"), run, l.Ends("two"))
		l.See(63)
		i := slices.IndexFunc(l.Crystals(), func(c memory.Crystal) bool { return c.ID == heard.ID })
		if got := l.Crystals()[i].Lifecycle; got != want {
			t.Errorf("after %q it is %s, want %s", command, got, want)
		}
	}
}
