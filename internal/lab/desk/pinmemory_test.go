package desk_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
)

// Memories that begin with the same words, one of them an agent's, are pinned as they are and unpinned by themselves.
func TestAMemoryIsPinnedAsItIs(t *testing.T) {
	t.Parallel()
	l := braintest.NewLab(t)
	l.Observe(l.Touch("one", 1, memory.Read, "a.go"))
	const begin = "Before you release run all tests and then the migration on "
	var ids []string
	for text, origin := range map[string]memory.Origin{begin + "staging, then wait.": memory.OriginUser, begin + "production, and watch it.": memory.OriginAgent} {
		kept := braintest.Must(l, statements.Remember, statements.RememberInput{Scope: l.Scope(), Text: text, Origin: origin, Kind: memory.Procedure})
		ids = append(ids, string(kept.ID))
	}
	pinned := func() (pins []memory.Pin) {
		t.Helper()
		out := braintest.Must(l, desk.Pins, l.Scope())
		if all := braintest.Must(l, statements.Memories, statements.MemoriesInput{Scope: l.Scope(), History: true}); len(all) != 2 || len(out.Waiting) != 0 {
			t.Fatalf("%d memories, want two; %+v wait", len(all), out.Waiting)
		}
		return out.Pins
	}
	for _, id := range ids {
		braintest.Must(l, desk.PinMemory, desk.PinMemoryInput{ID: id, Reason: "it went wrong"})
		braintest.Must(l, desk.PinMemory, desk.PinMemoryInput{ID: id}) // once more changes nothing
	}
	pins := pinned()
	if len(pins) != 2 || pins[0].Title == pins[1].Title || !strings.HasPrefix(pins[0].Title, "Before you release run") || len(pins[0].Title) >= len(pins[0].Text) {
		t.Fatalf("pins %+v", pins)
	}
	off := braintest.Must(l, desk.PinMemory, desk.PinMemoryInput{ID: ids[0], Off: true})
	if left := pinned(); len(left) != 1 || string(left[0].Crystal) != ids[1] {
		t.Errorf("after taking one off: %+v", left)
	}
	braintest.Must(l, desk.PinMemory, desk.PinMemoryInput{ID: ids[0], Title: off.Title, Reason: off.Reason})
	for _, p := range pinned() {
		if p.Reason != "it went wrong" || string(p.Crystal) == ids[0] && p.Title != off.Title {
			t.Errorf("pinned again: %+v", p)
		}
	}
	braintest.Must(l, desk.PinMemory, desk.PinMemoryInput{ID: ids[0], Off: true})
	if _, err := steward.Run(t.Context(), l.Brain, desk.PinMemory, desk.PinMemoryInput{ID: ids[0], Off: true}); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("taken off twice: %v", err)
	}
	braintest.Must(l, statements.GiveVerdict, statements.VerdictInput{Memory: ids[0], Verdict: statements.VerdictNever})
	if _, err := steward.Run(t.Context(), l.Brain, desk.PinMemory, desk.PinMemoryInput{ID: ids[0]}); !errors.Is(err, memory.ErrRefused) {
		t.Errorf("what is not to be shown was pinned: %v", err)
	}
}
