package texts

import (
	"slices"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

func TestANewerStatementReplacesTheOlder(t *testing.T) {
	later := noon.Add(time.Hour)
	said := func(text string, at time.Time) memory.Crystal {
		c := note(text)
		c.SaidAt, c.LastAt, c.Subject = at, at, "The release days"
		return c
	}
	for _, c := range []struct {
		name, newer, older string
		but                func(newer, older *memory.Crystal)
		want               bool
	}{
		{"another value", "It is main", "It is master", nil, true},
		{"the same again", "It is main.", "it is main", nil, false},
		{"the same subject in other letters", "It is main", "It is master", func(newer, _ *memory.Crystal) { newer.Subject = "our release day" }, true},
		{"another subject", "It is main", "It is master", func(newer, _ *memory.Crystal) { newer.Subject = "log level" }, false},
		{"no subject", "It is main", "It is master", func(newer, older *memory.Crystal) { newer.Subject, older.Subject = "", "" }, false},
		{"a decision over a fact", "It is main", "It is master", func(newer, _ *memory.Crystal) { newer.Kind = memory.Decision }, true},
		{"a lesson over a fact", "It is main", "It is master", func(newer, _ *memory.Crystal) { newer.Kind = memory.Lesson }, false},
		{"a lesson over a lesson", "It is main", "It is master", func(newer, older *memory.Crystal) {
			newer.Kind, older.Kind = memory.Lesson, memory.Lesson
		}, true},
		{"an episode", "It is main", "It is master", func(newer, _ *memory.Crystal) { newer.Kind = memory.Episode }, false},
		{"an older one", "It is main", "It is master", func(newer, _ *memory.Crystal) { newer.SaidAt = noon.Add(-time.Hour) }, false},
		{"another project", "It is main", "It is master", func(newer, _ *memory.Crystal) { newer.Project = 7 }, false},
		{"other places", "It is main", "It is master", func(newer, older *memory.Crystal) {
			newer.Anchors, older.Anchors = []memory.Anchor{{Path: "a.go"}}, []memory.Anchor{{Path: "b.go"}}
		}, false},
		{"an agent over a user", "It is main", "It is master", func(newer, _ *memory.Crystal) { newer.Origin = memory.OriginAgent }, false},
		{"a user over an agent", "It is main", "It is master", func(_, older *memory.Crystal) { older.Origin = memory.OriginAgent }, true},
		{"over a frozen one", "It is main", "It is master", func(_, older *memory.Crystal) { older.Lifecycle = memory.Frozen }, false},
		{"over history", "It is main", "It is master", func(_, older *memory.Crystal) { older.ValidTo = noon }, false},
	} {
		newer, older := said(c.newer, later), said(c.older, noon)
		if c.but != nil {
			c.but(&newer, &older)
		}
		if got := Supersedes(newer, older); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	newer, older := Supersede(said("It is main", later), said("It is master", noon))
	if !older.ValidTo.Equal(later) || !older.Lifecycle.Living() || !slices.Contains(newer.Parents, older.ID) {
		t.Errorf("%+v, %+v", newer, older)
	}
}
