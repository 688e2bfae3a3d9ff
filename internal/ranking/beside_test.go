package ranking_test

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/embedding"
	"github.com/hebb-memory/hebb/internal/forget"
	"github.com/hebb-memory/hebb/internal/learn"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
)

// besideLab is a project in a real repository whose commits are explained, whose code is commented and which has a manual.
func besideLab(t *testing.T) *braintest.Lab {
	t.Helper()
	l := braintest.NewLab(t)
	l.Numbers.TableFrom, l.Numbers.TableAfter, l.Numbers.Training = 40, 20, embedding.Training{Dims: 16, Batch: 16, Least: 2}
	dir := t.TempDir()
	git := func(args ...string) {
		t.Helper()
		args = append([]string{"-C", dir, "-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"}, args...)
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	git("init", "-q")
	for n := range 40 {
		braintest.WriteFile(t, filepath.Join(dir, "till.go"), fmt.Appendf(nil, "package shop\n\n// Count adds the nickels.\nfunc Count() int { return %d }\n", n))
		braintest.WriteFile(t, filepath.Join(dir, "manual.md"), fmt.Appendf(nil, "# Counting\n\nEmpty the vessel %d times.\n", n))
		git("add", ".")
		git("commit", "-qm", fmt.Sprintf("till: count %d\n\nBecause the beggar asked.", n))
	}
	learned := braintest.Must(l, learn.LearnHistory, learn.LearnInput{Dir: dir})
	l.Place = l.PlaceOf(learned.Project)
	return l
}

func TestWordsAreLearnedFromBodiesCommentsAndHeadings(t *testing.T) {
	t.Parallel()
	l := besideLab(t)
	// A comment and a heading stand there once; what has a row must be met twice.
	l.Numbers.Training.Least = 1
	if !l.LearnWords() {
		t.Fatal("nothing learned")
	}
	for word, from := range map[string]string{"beggar": "the body of commits", "nickels": "a comment", "vessel": "the paragraph below a heading"} {
		if !l.KnowsWord(word) {
			t.Errorf("%q of %s has no direction", word, from)
		}
	}
	if l.KnowsWord("example.org") || l.KnowsWord("zebra") {
		t.Error("words nobody wrote have directions")
	}
}

func TestWordsOfAFolderThatIsGoneAreThoseOfThePast(t *testing.T) {
	t.Parallel()
	l := newWordLab(t) // its folder was never there
	if !l.LearnWords() || !l.KnowsWord("drawer") {
		t.Error("without its folder a project learned nothing")
	}
}

func TestForgottenCommitsTeachNoWords(t *testing.T) {
	t.Parallel()
	l := besideLab(t)
	l.Numbers.Training.Least = 1
	r := ranking.BesideReader{}
	read := func() (bodies int) {
		must.Do(t, l.Store.View(t.Context(), func(tx *store.Tx) error {
			p, err := record.Pasts(l.Brain).Of(t.Context(), tx, l.Place.Project())
			if err != nil {
				return err
			}
			defer record.Pasts(l.Brain).Put(p)
			return r.Look(t.Context(), tx, p)
		}))
		for _, b := range r.Read(t.Context()) {
			if b.File == "" {
				bodies++
			}
		}
		return bodies
	}
	if n := read(); n != 40 {
		t.Fatalf("%d bodies of 40", n)
	}
	tip := strings.TrimSpace(l.Git("rev-parse", "HEAD"))
	braintest.Must(l, steward.Forget, forget.ForgetInput{IDs: []memory.EventID{memory.DerivedEventID("git", l.Place.Identity, tip)}, Apply: true})
	if n := read(); n != 39 {
		t.Errorf("%d bodies of 39 commits that are not forgotten", n)
	}
	braintest.Must(l, steward.Forget, forget.ForgetInput{Scope: brain.Scope{Project: l.Place.Project().String()}, Apply: true})
	if n := read(); n != 0 {
		t.Errorf("%d bodies of a project that is forgotten", n)
	}
}
