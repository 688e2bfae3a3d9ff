package brain

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/embedding"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/store"
)

// besideLab is a project in a real repository whose commits are explained, whose code is commented and which has a manual.
func besideLab(t *testing.T) *lab {
	t.Helper()
	l := newLab(t)
	l.numbers.tableFrom, l.numbers.tableAfter, l.numbers.training = 40, 20, embedding.Training{Dims: 16, Batch: 16, Least: 2}
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
		writeFile(t, filepath.Join(dir, "till.go"), fmt.Appendf(nil, "package shop\n\n// Count adds the nickels.\nfunc Count() int { return %d }\n", n))
		writeFile(t, filepath.Join(dir, "manual.md"), fmt.Appendf(nil, "# Counting\n\nEmpty the vessel %d times.\n", n))
		git("add", ".")
		git("commit", "-qm", fmt.Sprintf("till: count %d\n\nBecause the beggar asked.", n))
	}
	learned := must(l, LearnHistory, LearnInput{Dir: dir})
	l.place = l.placeOf(learned.Project)
	return l
}

// placeOf is where a project is.
func (l *lab) placeOf(id memory.ProjectID) (place memory.Place) {
	l.t.Helper()
	err := l.store.View(l.t.Context(), func(tx *store.Tx) error {
		p, err := tx.Project(l.t.Context(), id)
		place = memory.Place{Identity: p.Identity, Root: p.Root}
		return err
	})
	if err != nil {
		l.t.Fatal(err)
	}
	return place
}

// git runs git in the project's folder.
func (l *lab) git(args ...string) string {
	l.t.Helper()
	out, err := exec.Command("git", append([]string{"-C", filepath.FromSlash(l.place.Root)}, args...)...).Output()
	if err != nil {
		l.t.Fatalf("git %v: %v", args, err)
	}
	return string(out)
}

func (l *lab) knowsWord(word string) bool {
	l.t.Helper()
	return l.meaningOf().table.Vector(recall.Terms(word)) != nil
}

func TestWordsAreLearnedFromBodiesCommentsAndHeadings(t *testing.T) {
	t.Parallel()
	l := besideLab(t)
	// A comment and a heading stand there once; what has a row must be met twice.
	l.numbers.training.Least = 1
	if !l.learnWords() {
		t.Fatal("nothing learned")
	}
	for word, from := range map[string]string{"beggar": "the body of commits", "nickels": "a comment", "vessel": "the paragraph below a heading"} {
		if !l.knowsWord(word) {
			t.Errorf("%q of %s has no direction", word, from)
		}
	}
	if l.knowsWord("example.org") || l.knowsWord("zebra") {
		t.Error("words nobody wrote have directions")
	}
}

func TestWordsOfAFolderThatIsGoneAreThoseOfThePast(t *testing.T) {
	t.Parallel()
	l := newWordLab(t) // its folder was never there
	if !l.learnWords() || !l.knowsWord("drawer") {
		t.Error("without its folder a project learned nothing")
	}
}

func TestForgottenCommitsTeachNoWords(t *testing.T) {
	t.Parallel()
	l := besideLab(t)
	l.numbers.training.Least = 1
	r := besideReader{}
	read := func() (bodies int) {
		err := l.store.View(t.Context(), func(tx *store.Tx) error {
			p, err := l.past(t.Context(), tx, l.place.Project())
			if err != nil {
				return err
			}
			defer l.pasts().put(p)
			return r.look(t.Context(), tx, p)
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range r.read(t.Context()) {
			if b.File == "" {
				bodies++
			}
		}
		return bodies
	}
	if n := read(); n != 40 {
		t.Fatalf("%d bodies of 40", n)
	}
	tip := strings.TrimSpace(l.git("rev-parse", "HEAD"))
	must(l, Forget, ForgetInput{IDs: []memory.EventID{memory.DerivedEventID("git", l.place.Identity, tip)}, Apply: true})
	if n := read(); n != 39 {
		t.Errorf("%d bodies of 39 commits that are not forgotten", n)
	}
	must(l, Forget, ForgetInput{Scope: Scope{Project: l.place.Project().String()}, Apply: true})
	if n := read(); n != 0 {
		t.Errorf("%d bodies of a project that is forgotten", n)
	}
}
