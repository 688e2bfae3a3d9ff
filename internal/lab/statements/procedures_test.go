package statements_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/texts"
)

func TestProceduresFollowTheirFiles(t *testing.T) {
	l := braintest.NewLibrary(t)
	drain := func() { t.Helper(); braintest.Must(l.Lab, steward.Drain, steward.DrainInput{Wait: true}) }
	drain()
	release := l.HowTo("release.md", "# How to release\n\nTag it and push the tag.\n")
	l.HowTo("releases.md", "Every second Tuesday, with cake.\n")
	drain()
	l.Finds("push the tag", []string{"# How to release\n\nTag it and push the tag."})
	l.Finds("cake", []string{"Every second Tuesday, with cake."})
	found := l.Find("push the tag")[0]
	if c := found.Crystal; c.Kind != memory.Procedure || c.Project != 0 || c.Source != "procedure:release.md" || c.Origin != memory.OriginUser ||
		c.Subject != "procedure release" {
		t.Errorf("crystal %+v", c)
	}

	l.Passes(time.Hour)
	l.HowTo("release.md", "# How to release\n\nTag it and push the tags!\n") // hardly different, and still the later word
	drain()
	drain()
	l.Finds("push the tag", []string{"# How to release\n\nTag it and push the tags!"})
	l.Finds("cake", []string{"Every second Tuesday, with cake."})
	if history := l.Find("push the tag", braintest.WithHistory); len(history) != 2 {
		t.Errorf("history: %+v", history)
	}
	l.Finds("push the tag", []string{"# How to release\n\nTag it and push the tag."}, braintest.AsOf(braintest.Start.Add(time.Minute)))
	if why := braintest.Must(l.Lab, statements.WhyCrystal, statements.ProvenanceInput{ID: string(found.Crystal.ID)}); len(why.Children) != 1 {
		t.Errorf("why: %+v", why)
	}

	must.Do(t, os.Remove(release))
	drain()
	if found := l.Find("push the tag", func(in *texts.SearchInput) {
		in.Kinds, in.AsOf = []string{string(memory.Procedure)}, l.Clock.Add(time.Hour)
	}); len(found) > 0 {
		t.Errorf("a file that is gone holds: %+v", found)
	}
	if history := l.Find("push the tag", braintest.WithHistory); len(history) != 2 {
		t.Errorf("history: %+v", history)
	}
	l.Passes(time.Hour)
	l.HowTo("release.md", "# How to release\n\nTag it and push the tag.\n") // as it was
	drain()
	l.Finds("push the tag", []string{"# How to release\n\nTag it and push the tag."})
}

func TestAProcedureIsFoundByNameHeadingOrWords(t *testing.T) {
	l := braintest.NewLibrary(t)
	ask := func(topic string) statements.ProcedureResult {
		t.Helper()
		return braintest.Must(l.Lab, answer.HowTo, statements.ProcedureInput{Scope: l.Scope(), Topic: topic})
	}
	_, err := steward.Run(t.Context(), l.Brain, answer.HowTo, statements.ProcedureInput{Scope: l.Scope(), Topic: "release"})
	if !errors.Is(err, memory.ErrNotFound) || !strings.Contains(err.Error(), l.Config.Procedures()) {
		t.Errorf("nothing there: %v", err)
	}
	l.HowTo("release.md", "# Publish a version\n\nTag it and push the tag.\n")
	l.HowTo("release-notes.md", "Read the log.\n\n## What to say #\n\nOnly what users see.\n")
	l.HowTo("rollback.md", "# Undo a migration\n\nRestore the copy that was made before it.\n")
	l.Remember("to warm the cache, call the warm endpoint twice", braintest.Of(memory.Procedure))
	for topic, want := range map[string]string{
		"release": "release", "RELEASE.md": "release", "publish a version": "release", "version publish": "release", "what to say": "release-notes",
		"notes": "release-notes", "undo": "rollback", "restore the copy": "rollback",
	} {
		if got := ask(topic); got.Name != want || got.Text == "" {
			t.Errorf("%q gives %+v, want %s", topic, got, want)
		}
	}
	if got := ask("release"); len(got.Also) != 1 || got.Also[0] != "release-notes" {
		t.Errorf("also: %+v", got)
	}
	if got := ask("warm the cache"); got.Crystal == "" || !strings.Contains(got.Text, "warm endpoint") || got.File != "" {
		t.Errorf("remembered: %+v", got)
	}
	parrot := l.HowTo("parrot.md", "# Feed the parrot\n\nTwice a day, with seeds.\n")
	ask("seeds")
	must.Do(t, os.Remove(parrot))
	if out, err := steward.Run(t.Context(), l.Brain, answer.HowTo, statements.ProcedureInput{Scope: l.Scope(), Topic: "parrot seeds"}); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("a file that is gone: %+v, %v", out, err)
	}
	list := braintest.Must(l.Lab, statements.Procedures, struct{}{})
	if len(list.Procedures) != 3 || list.Procedures[0].Title != "What to say" || list.Procedures[2].Title != "Undo a migration" {
		t.Errorf("list: %+v", list)
	}
}

func TestProceduresThatCannotBeTakenInAreNamed(t *testing.T) {
	l := braintest.NewLibrary(t)
	const secret = "ghp_0123456789abcdefghijklmnopqrstuvwxyzAB"
	l.HowTo("deploy.md", "# Deploy\n\nexport TOKEN="+secret+"\nrun it\n")
	l.HowTo("large.md", strings.Repeat("a line\n", 256<<10))
	l.HowTo("latin.md", "caf\xe9")
	l.HowTo("empty.md", " \n")
	l.HowTo("notes.txt", "not a procedure")
	l.HowTo(".hidden.md", "not a procedure")
	outside := braintest.WriteFile(t, filepath.Join(t.TempDir(), "outside.md"), []byte("# Outside\n\nelsewhere"))
	must.Do(t, os.Symlink(outside, filepath.Join(l.Config.Procedures(), "link.md")))
	out := braintest.Must(l.Lab, statements.Procedures, struct{}{})
	problems := strings.Join(out.Problems, "\n")
	for _, want := range []string{"large.md has more than 256 KB", "latin.md is no UTF-8", "empty.md is empty", "link.md is a link"} {
		if !strings.Contains(problems, want) {
			t.Errorf("problems %q, want %q", problems, want)
		}
	}
	if len(out.Procedures) != 1 || len(out.Problems) != 4 {
		t.Errorf("taken in: %+v", out)
	}
	for _, f := range l.Find("deploy TOKEN run outside elsewhere", braintest.WithHistory) {
		if strings.Contains(f.Text, secret) || strings.Contains(f.Text, "elsewhere") {
			t.Errorf("kept: %q", f.Text)
		}
	}
	l.HowTo("deploy.md", "\xff\xfe torn while it is written")
	braintest.Must(l.Lab, statements.Procedures, struct{}{})
	if found := l.Find("deploy run"); len(found) != 1 {
		t.Errorf("a file that cannot be read takes nothing away: %v", found)
	}
}
