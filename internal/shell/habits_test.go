package shell

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// worked is what some sessions ran, one after the other; a line that begins with x failed.
func worked(sessions ...[]string) (ran []Ran) {
	at := time.Date(2026, 11, 1, 9, 0, 0, 0, time.UTC)
	for i, lines := range sessions {
		for _, line := range lines {
			line, failed := strings.CutPrefix(line, "x ")
			ran = append(ran, Ran{Session: int64(i), Line: line, Failed: failed, At: at})
			at = at.Add(time.Minute)
		}
		at = at.Add(23 * time.Hour)
	}
	return ran
}

func names(habits []Habit) (list []string) {
	for _, h := range habits {
		list = append(list, fmt.Sprintf("%s (%d, %s)", strings.Join(h.Steps, " -> "), h.Sessions, h.Last.Format("2 Jan")))
	}
	return list
}

func TestCommandsThatFollowEachOtherAndPassAreAProcedure(t *testing.T) {
	t.Parallel()
	release := []string{"go generate ./...", "git status", "cd /work/app && go test ./...", "git add -A && git commit -m 'one'", "ls -l"}
	broken := []string{"x make deploy", "x make deploy", "x make deploy"}
	deploys := []string{"make image", "make deploy"}
	for _, c := range []struct {
		name       string
		ran        []Ran
		procedures []string
	}{
		{"two sessions are chance", worked(release, release), nil},
		{
			"three are a habit, whatever was looked at in between", worked(release, []string{"go vet ./..."}, release, []string{
				"go generate ./...", "x go test ./...", "go test ./...", "git commit --amend", "x go test ./...",
			}),
			[]string{"go generate ./... -> go test ./... -> git commit (3, 4 Nov)"},
		},
		{
			"what is repeated in a session is in its first order", worked(
				[]string{"make lint", "git commit", "make lint", "git commit"}, []string{"make lint", "git commit", "make lint", "git commit"},
				[]string{"make lint", "git commit", "make lint", "git commit"}),
			[]string{"make lint -> git commit (3, 3 Nov)"},
		},
		{"a success that may be masked is none", worked([]string{"go vet", "go test | tail"}, []string{"go vet", "go test | tail"}, []string{"go vet", "go test || true"}), nil},
		{"what never passed is none", worked([]string{"go vet", "x go test"}, []string{"go vet", "x go test"}, []string{"go vet", "x go test"}), nil},
		{"hours lie between", append(worked([]string{"a", "b"}, []string{"a", "b"}), Ran{3, "a", false, time.Date(2026, 11, 9, 9, 0, 0, 0, time.UTC)}, Ran{3, "b", false, time.Date(2026, 11, 9, 12, 0, 0, 0, time.UTC)}), nil},
		{"what fails again and again is unlearned", worked(deploys, deploys, deploys, broken), nil},
		{
			"and comes back when it works", worked(deploys, deploys, deploys, broken, deploys), []string{"make image -> make deploy (4, 5 Nov)"},
		},
	} {
		if got := names(Habits(c.ran, "/work/app", 3)); !slices.Equal(got, c.procedures) {
			t.Errorf("%s: procedures %q, want %q", c.name, got, c.procedures)
		}
	}
}
