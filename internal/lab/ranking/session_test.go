package ranking_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/ranking"
)

// What a search of the session printed and nobody has opened comes next, the latest search first. A wide search hides no open file.
func TestWhatASearchPrintedComesNext(t *testing.T) {
	t.Parallel()
	l := braintest.NewLab(t)
	var many []string
	for i := range 2 * ranking.OpenTouches {
		many = append(many, fmt.Sprintf("wide/%d.go", i))
	}
	files := []string{"door.go", "hinge.go", "lock.go", "cart.go"}
	l.Work("past", 0).Read(files...).End()
	next := func(run string) (paths []string) {
		for _, s := range l.Sessions() {
			if s.AgentSession == run {
				for _, r := range braintest.Must(l, ranking.Recall, ranking.RecallInput{Scope: braintest.Shop, Session: s.ID.String()}).Files {
					paths = append(paths, r.Path)
				}
			}
		}
		return paths
	}
	l.Work("searched", 100).Grep("cart.go").Read("door.go").Grep("lock.go").Pause()
	if got := next("searched"); len(got) != 3 || got[0] != "lock.go" || got[1] != "cart.go" {
		t.Errorf("after searches that printed cart.go, then lock.go: %v", got)
	}
	l.Work("opened", 200).Grep("lock.go", "hinge.go").Read("door.go").Read("lock.go").Pause()
	if got := next("opened"); len(got) != 2 || got[0] != "hinge.go" {
		t.Errorf("the other file that the search printed: %v", got)
	}
	l.Work("failed", 250).Read("door.go").Fail("cart.go:3:5: undefined: price").Pause()
	if got := next("failed"); len(got) == 0 || got[0] != "cart.go" {
		t.Errorf("after an error in cart.go: %v", got)
	}
	l.Work("wide", 300).Read("door.go").Grep(many...).Pause()
	if got := next("wide"); len(got) == 0 || got[0] == "door.go" {
		t.Errorf("after a wide search: %v", got)
	}
}

// A text that names nothing is answered with the work of the last session that opened files, not with files that have its words.
func TestGoOnMeansTheLastWork(t *testing.T) {
	t.Parallel()
	l := braintest.NewLab(t)
	goOn := func(text string) ranking.RecallResult {
		return braintest.Must(l, ranking.Recall, ranking.RecallInput{Scope: braintest.Shop, Text: text, Limit: 2})
	}
	l.Work("first", 0).Prompt("the till").Read("next/step.go").Read("till.go").Read("coins.go").End()
	l.Work("last", 100).Prompt("paint the door").Read("hinge.go").Read("till.go").Edit("door.go").End()
	l.Work("now", 200).Prompt("go on").Pause()
	for _, text := range []string{"go on", "what's next?", "do the next step", "continue where we left off"} {
		got := goOn(text)
		if !got.Vague || !slices.Equal(got.Running, []string{"door.go", "till.go"}) || len(got.Files) == 0 || got.Files[0].Path != "coins.go" {
			t.Errorf("%s: vague %v, running %v, next %v", text, got.Vague, got.Running, got.Files)
		}
	}
	for _, text := range []string{"paint", "next/step.go"} {
		if got := goOn(text); got.Vague || len(got.Files) == 0 {
			t.Errorf("%s: vague %v, files %v", text, got.Vague, got.Files)
		}
	}
}
