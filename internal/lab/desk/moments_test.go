package desk_test

import (
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/state"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
)

func TestADreamNamesFrictionsBreakthroughsSkillsAndCommits(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(3, l.Worked("run", 0, "a.go")...)
	commit := l.Event(memory.Committed, 4)
	commit.Origin, commit.Text, commit.AgentSession = memory.OriginRepo, "till: round half up", ""
	l.See(5, commit)
	for event, about := range map[string]string{"friction": "The importer was reformatted by mistake", "reward": "All tests of the till pass at last"} {
		l.Feels(event, about)
	}
	skill := must.Get(steward.Run(t.Context(), l.Brain, statements.Remember, statements.RememberInput{Text: "Release: tag, then run make publish", Kind: memory.TaskPattern, Everywhere: true}))(t)
	for range 2 {
		must.Get(steward.Run(t.Context(), l.Brain, statements.UseCrystals, statements.UseInput{IDs: []memory.CrystalID{skill.ID}}))(t)
	}
	l.Note("The staging server is called oslo", false)
	out := l.Dreams(state.DreamInput{Force: true})
	for _, want := range []string{
		"Friction ", ": The importer was reformatted by mistake", "Breakthrough ", ": All tests of the till pass at last",
		"Release: tag, then run make publish — seen 2 times",
	} {
		if !strings.Contains(out.State, want) {
			t.Errorf("%q is not in the state:\n%s", want, out.State)
		}
	}
	if n := strings.Count(out.State, "The importer was reformatted by mistake"); n != 1 || len(l.Waiting()) != 0 {
		t.Errorf("shown %d times:\n%s", n, out.State)
	}
	if again := l.Dreams(state.DreamInput{Force: true}); !again.Shallow {
		t.Errorf("a second dream changes something:\n%s", again.State)
	}
}
