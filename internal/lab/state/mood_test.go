package state_test

import (
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/state"
)

func TestADreamPutsFirstWhatTheMoodIsAbout(t *testing.T) {
	for _, c := range []struct {
		feels, header, first, second string
	}{
		{"friction", "Z_", "Friction ", "Breakthrough "},
		{"reward", "Z_", "Breakthrough ", "Friction "},
		{"", "Z_", "Breakthrough ", "Friction "},
	} {
		l := braintest.NewLab(t)
		l.See(3, l.Worked("run", 0, "a.go")...)
		for event, about := range map[string]string{"friction": "The importer was reformatted by mistake", "reward": "All tests of the till pass at last"} {
			l.Feels(event, about)
		}
		l.See(2000, l.Asked("later", "add a test", 2000))
		for range 2 {
			if c.feels != "" {
				braintest.Must(l, desk.Feel, desk.FeelInput{Event: c.feels})
			}
		}
		out := l.Dreams(state.DreamInput{Force: true})
		head, _, _ := strings.Cut(out.State, "\n\n## ")
		if !strings.HasSuffix(head, c.header) || strings.Contains(head, "Mood") {
			t.Errorf("after %q:\n%s", c.feels, head)
		}
		first, second := strings.Index(out.State, c.first), strings.Index(out.State, c.second)
		if first < 0 || second < first {
			t.Errorf("after %q %s does not come first:\n%s", c.feels, c.first, out.State)
		}
	}
}
