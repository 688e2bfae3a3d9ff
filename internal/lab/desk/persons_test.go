package desk_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/memory"
)

// TestWhateverAgentsSayThePersonsWordsStand says things as the person, then does at random what agents can do, with the person's
// own words, their contrary and their titles, and wants all that the person said to be there and in force.
func TestWhateverAgentsSayThePersonsWordsStand(t *testing.T) {
	t.Parallel()
	const steps = 60
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			l := braintest.NewLab(t)
			l.See(3, l.Worked("one", 0, "till.go", "drawer.go")...)
			l.PersonSpeaks()
			before := l.Persons()
			if len(before) < 14 {
				t.Fatalf("the person said only %q", before)
			}
			draw := rand.New(rand.NewPCG(seed, 7))
			var done []string
			for range steps {
				l.Clock = l.Clock.Add(time.Duration(1+draw.IntN(300)) * time.Minute)
				name, err := l.AgentActs(draw)
				if err != nil && !slices.ContainsFunc([]error{memory.ErrRefused, memory.ErrConflict, memory.ErrInvalid, memory.ErrNotFound}, func(e error) bool { return errors.Is(err, e) }) {
					t.Fatalf("%s: %v", name, err)
				}
				done = append(done, name)
				after := l.Persons()
				for _, line := range before {
					if !slices.Contains(after, line) {
						t.Fatalf("after %v\nthe person's words are gone: %s\nthere is %s", done, line, strings.Join(after, "\n"))
					}
				}
				for _, line := range after {
					if !slices.Contains(before, line) {
						t.Fatalf("after %v\nan agent speaks as the person: %s", done, line)
					}
				}
			}
		})
	}
}
