package answer_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
)

func TestAFirstPromptThatSpeaksOfChangesIsShownThem(t *testing.T) {
	l := braintest.NewLab(t)
	for _, name := range []string{"GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"} {
		t.Setenv(name, "2026-01-02T10:00:00Z") // the hashes are the same in each run
	}
	l.Config.Tuning.Hook.PromptWait = time.Hour // a busy machine is not what this is about
	root := filepath.ToSlash(t.TempDir())
	l.Place = memory.Place{Identity: root + "/.git", Root: root}
	write := func(names ...string) {
		for _, name := range names {
			braintest.WriteFile(t, filepath.Join(root, name), []byte(name))
		}
	}
	commit := func(names ...string) {
		write(names...)
		l.Git("add", "-A")
		l.Git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "work")
	}
	l.Git("init", "-q", "-b", "main")
	commit("README", "old.go")
	l.Git("checkout", "-q", "-b", "feature")
	commit("one.go")
	commit("two.go")
	hash := l.Git("rev-parse", "--short=10", "HEAD~1")[:10]
	ask := func(run, text string) (shown []string) {
		for _, line := range l.Answer(run, text).Lines {
			if line.Offer != memory.OfferChange || line.Confidence != 0 {
				t.Errorf("%q: %+v", text, line)
			}
			shown = append(shown, line.Path+": "+line.Reason)
		}
		return shown
	}
	branch := []string{"one.go: changed on this branch", "two.go: changed on this branch"}
	for text, want := range map[string][]string{
		"please review the changes on this branch":         branch,
		"can you look at the comments on the PR?":          branch,
		"are my changes fine?":                             branch,
		"the diff, please":                                 branch,
		"can you review the last commit?":                  {"two.go: changed in the last commit"},
		"what does " + hash + " do":                        {"one.go: changed in commit " + hash},
		"can you review PR 227 for me?":                    nil,
		"make the changes that we spoke of":                nil,
		"create a branch for the login":                    nil,
		"which release has 1234567 of them, or deadbeefed": nil,
	} {
		if got := ask(text, text); !slices.Equal(got, want) {
			t.Errorf("%q is shown %q, want %q", text, got, want)
		}
	}
	write("three.go", "four.go", "five.go")
	must.Do(t, os.Remove(filepath.Join(root, "old.go")))
	if got := ask("run", "review the diff"); len(got) != 3 {
		t.Errorf("shown %q, want the three new files", got)
	}
	l.Observe(l.Prompt("later", "good morning"))
	if got := ask("later", "review the diff"); got != nil {
		t.Errorf("a later prompt is shown %q", got)
	}
}
