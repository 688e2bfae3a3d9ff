package inspect_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/steward"
)

func TestWhy(t *testing.T) {
	l := braintest.NewLab(t)
	l.Work("one", 0).Prompt("fix the login").Shown(false, "login.go", "session.go").Edit("login.go").Prompt("and the logout").End()
	l.Work("two", 100).Prompt("once more").Shown(true, "login.go").Pause()
	lines := braintest.Must(l, ranking.Shown, ranking.ShownInput{Scope: braintest.Shop})
	if len(lines) != 3 || lines[0].Path != "login.go" || !lines[0].Held || lines[1].Path != "login.go" || lines[2].Path != "session.go" {
		t.Fatalf("shown %+v", lines)
	}
	if of := braintest.Must(l, ranking.Shown, ranking.ShownInput{Session: "one"}); len(of) != 2 {
		t.Errorf("shown to session one: %+v", of)
	}
	id := lines[1].ID
	for _, name := range []string{id, id[:len(id)-1]} {
		w, err := steward.Run(t.Context(), l.Brain, ranking.Why, ranking.WhyInput{ID: name})
		if name != id { // the event's ID is the beginning of both its lines
			if !errors.Is(err, memory.ErrConflict) || !strings.Contains(err.Error(), id) {
				t.Errorf("why %s: %v", name, err)
			}
			continue
		}
		if err != nil || w.Path != "login.go" || w.Prompt != "fix the login" || w.Outcome != memory.Used || w.Position != 1 ||
			w.ProjectName != "shop" || w.Agent != "claude-code" || fmt.Sprint(w.Beside) != "[session.go]" || w.Confidence != .75 || w.File == nil {
			t.Errorf("why %s: %+v, %v", name, w, err)
		}
	}
	held := braintest.Must(l, ranking.Why, ranking.WhyInput{ID: lines[0].ID[:6]})
	if held.ID != lines[0].ID || held.Outcome != memory.Pending || !held.Held || held.Beside == nil {
		t.Errorf("by its beginning: %+v", held)
	}
	never := braintest.Must(l, ranking.Why, ranking.WhyInput{ID: lines[2].ID})
	if never.File != nil || never.Outcome != memory.Ignored {
		t.Errorf("of a file that no session met: %+v", never)
	}
	for name, kind := range map[string]error{
		"zzzzzz": memory.ErrNotFound, "": memory.ErrInvalid, "no such": memory.ErrInvalid, "ABC": memory.ErrInvalid, "~": memory.ErrInvalid,
	} {
		if _, err := steward.Run(t.Context(), l.Brain, ranking.Why, ranking.WhyInput{ID: name}); !errors.Is(err, kind) || !strings.Contains(err.Error(), "hebb why") {
			t.Errorf("why %q: %v", name, err)
		}
	}
}

// The ID of a first line is the beginning of the tenth's, and still means the first.
func TestTheFirstOfManyLinesHasANameOfItsOwn(t *testing.T) {
	l := braintest.NewLab(t)
	var paths []string
	for i := range 11 {
		paths = append(paths, fmt.Sprintf("f%02d.go", i))
	}
	l.Work("one", 0).Prompt("x").Shown(false, paths...).Pause()
	lines := braintest.Must(l, ranking.Shown, ranking.ShownInput{Scope: braintest.Shop})
	if w := braintest.Must(l, ranking.Why, ranking.WhyInput{ID: lines[0].ID}); w.Path != "f00.go" || len(w.Beside) != 10 {
		t.Errorf("why: %+v", w)
	}
}
