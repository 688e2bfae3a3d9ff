package brain

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

// howTo writes a file into the folder of procedures, as if at the moment of the lab's clock.
func (l *library) howTo(name, text string) string {
	l.t.Helper()
	file := filepath.Join(l.config.Procedures(), name)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		l.t.Fatal(err)
	}
	writeFile(l.t, file, []byte(text))
	if err := os.Chtimes(file, l.clock, l.clock); err != nil {
		l.t.Fatal(err)
	}
	return file
}

func TestProceduresFollowTheirFiles(t *testing.T) {
	l := newLibrary(t)
	drain := func() { t.Helper(); must(l.lab, Drain, DrainInput{Wait: true}) }
	drain()
	release := l.howTo("release.md", "# How to release\n\nTag it and push the tag.\n")
	l.howTo("releases.md", "Every second Tuesday, with cake.\n")
	drain()
	l.finds("push the tag", []string{"# How to release\n\nTag it and push the tag."})
	l.finds("cake", []string{"Every second Tuesday, with cake."})
	found := l.find("push the tag")[0]
	if c := found.Crystal; c.Kind != memory.Procedure || c.Project != 0 || c.Source != "procedure:release.md" || c.Origin != memory.OriginUser ||
		c.Subject != "procedure release" {
		t.Errorf("crystal %+v", c)
	}

	l.passes(time.Hour)
	l.howTo("release.md", "# How to release\n\nTag it and push the tags!\n") // hardly different, and still the later word
	drain()
	drain()
	l.finds("push the tag", []string{"# How to release\n\nTag it and push the tags!"})
	l.finds("cake", []string{"Every second Tuesday, with cake."})
	if history := l.find("push the tag", withHistory); len(history) != 2 {
		t.Errorf("history: %+v", history)
	}
	l.finds("push the tag", []string{"# How to release\n\nTag it and push the tag."}, asOf(start.Add(time.Minute)))
	if why := must(l.lab, WhyCrystal, ProvenanceInput{ID: string(found.Crystal.ID)}); len(why.Children) != 1 {
		t.Errorf("why: %+v", why)
	}

	if err := os.Remove(release); err != nil {
		t.Fatal(err)
	}
	drain()
	if found := l.find("push the tag", onlyKinds(string(memory.Procedure)), func(in *SearchInput) { in.AsOf = l.clock.Add(time.Hour) }); len(found) > 0 {
		t.Errorf("a file that is gone holds: %+v", found)
	}
	if history := l.find("push the tag", withHistory); len(history) != 2 {
		t.Errorf("history: %+v", history)
	}
	l.passes(time.Hour)
	l.howTo("release.md", "# How to release\n\nTag it and push the tag.\n") // as it was
	drain()
	l.finds("push the tag", []string{"# How to release\n\nTag it and push the tag."})
}

func TestAProcedureIsFoundByNameHeadingOrWords(t *testing.T) {
	l := newLibrary(t)
	ask := func(topic string) ProcedureResult {
		t.Helper()
		return must(l.lab, HowTo, ProcedureInput{Scope: l.scope(), Topic: topic})
	}
	_, err := Run(t.Context(), l.Brain, HowTo, ProcedureInput{Scope: l.scope(), Topic: "release"})
	if !errors.Is(err, memory.ErrNotFound) || !strings.Contains(err.Error(), l.config.Procedures()) {
		t.Errorf("nothing there: %v", err)
	}
	l.howTo("release.md", "# Publish a version\n\nTag it and push the tag.\n")
	l.howTo("release-notes.md", "Read the log.\n\n## What to say #\n\nOnly what users see.\n")
	l.howTo("rollback.md", "# Undo a migration\n\nRestore the copy that was made before it.\n")
	l.remember("to warm the cache, call the warm endpoint twice", of(memory.Procedure))
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
	parrot := l.howTo("parrot.md", "# Feed the parrot\n\nTwice a day, with seeds.\n")
	ask("seeds")
	if err := os.Remove(parrot); err != nil {
		t.Fatal(err)
	}
	if out, err := Run(t.Context(), l.Brain, HowTo, ProcedureInput{Scope: l.scope(), Topic: "parrot seeds"}); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("a file that is gone: %+v, %v", out, err)
	}
	list := must(l.lab, Procedures, struct{}{})
	if len(list.Procedures) != 3 || list.Procedures[0].Title != "What to say" || list.Procedures[2].Title != "Undo a migration" {
		t.Errorf("list: %+v", list)
	}
}

func TestProceduresThatCannotBeTakenInAreNamed(t *testing.T) {
	l := newLibrary(t)
	const secret = "ghp_0123456789abcdefghijklmnopqrstuvwxyzAB"
	l.howTo("deploy.md", "# Deploy\n\nexport TOKEN="+secret+"\nrun it\n")
	l.howTo("large.md", strings.Repeat("a line\n", procedureMost))
	l.howTo("latin.md", "caf\xe9")
	l.howTo("empty.md", " \n")
	l.howTo("notes.txt", "not a procedure")
	l.howTo(".hidden.md", "not a procedure")
	outside := writeFile(t, filepath.Join(t.TempDir(), "outside.md"), []byte("# Outside\n\nelsewhere"))
	if err := os.Symlink(outside, filepath.Join(l.config.Procedures(), "link.md")); err != nil {
		t.Fatal(err)
	}
	out := must(l.lab, Procedures, struct{}{})
	problems := strings.Join(out.Problems, "\n")
	for _, want := range []string{"large.md has more than 256 KB", "latin.md is no UTF-8", "empty.md is empty", "link.md is a link"} {
		if !strings.Contains(problems, want) {
			t.Errorf("problems %q, want %q", problems, want)
		}
	}
	if len(out.Procedures) != 1 || len(out.Problems) != 4 {
		t.Errorf("taken in: %+v", out)
	}
	for _, f := range l.find("deploy TOKEN run outside elsewhere", withHistory) {
		if strings.Contains(f.Text, secret) || strings.Contains(f.Text, "elsewhere") {
			t.Errorf("kept: %q", f.Text)
		}
	}
	l.howTo("deploy.md", "\xff\xfe torn while it is written")
	must(l.lab, Procedures, struct{}{})
	if found := l.find("deploy run"); len(found) != 1 {
		t.Errorf("a file that cannot be read takes nothing away: %v", found)
	}
}

func TestTwoPeopleOfOneStoreEachKeepTheirHowTo(t *testing.T) {
	l := newLibrary(t)
	l.config.Store = "shared" // as if the open store were a server's
	theirs := l.config
	theirs.Dir = t.TempDir()
	other := &library{lab: &lab{t: t, Brain: newBrain(theirs, l.store, l.now), clock: l.clock, place: l.place}, dir: l.dir}
	const mine, yours = "# How to release\n\nTag it and push the tag.", "# How to release\n\nAsk the release crew."
	l.howTo("release.md", mine)
	other.howTo("release.md", yours)
	for range 2 {
		must(l.lab, Procedures, struct{}{})
		must(other.lab, Procedures, struct{}{})
	}
	if got := must(l.lab, HowTo, ProcedureInput{Scope: l.scope(), Topic: "release"}); got.Text != mine {
		t.Errorf("mine is %q", got.Text)
	}
	l.finds("push the tag", []string{mine})
	l.finds("crew", []string{yours})
	found := must(l.lab, HowTo, ProcedureInput{Scope: l.scope(), Topic: "crew"})
	if found.Text != yours || found.File != "" {
		t.Errorf("what another wrote is %q in the file %q", found.Text, found.File)
	}
	l.passes(time.Hour)
	l.howTo("release.md", "# How to release\n\nPush the tag twice.")
	must(l.lab, Procedures, struct{}{})
	l.finds("crew", []string{yours})
	l.finds("push the tag", []string{"# How to release\n\nPush the tag twice."})
}
