package answer

import (
	"context"
	"github.com/hebb-memory/hebb/internal/project"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/hebb-memory/hebb/internal/git"
	"github.com/hebb-memory/hebb/internal/memory"
)

const (
	askedWords = 30 // of a prompt in which it says what it is about; a plan below speaks of all sorts of things
	leastHash  = 7  // digits by which people name a commit
	lastCommit = "HEAD"
)

// changesAsked are the changes that a prompt speaks of.
type changesAsked struct {
	branch, uncommitted bool
	commits             []string // revisions
}

func (c changesAsked) any() bool { return c.branch || c.uncommitted || len(c.commits) > 0 }

// askedChanges reads from the beginning of a session's first prompt whether it speaks of changes that are there: "review this branch",
// "the changes", "the last commit", a commit by its hash. Changes that are to be made, and a pull request by its number, are not meant.
func askedChanges(text string) (asked changesAsked) {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	words = words[:min(len(words), askedWords)]
	before := func(i, most int, these ...string) bool {
		return slices.ContainsFunc(words[max(0, i-most):i], func(w string) bool { return slices.Contains(these, w) })
	}
	request := func(i int) bool { return i+1 == len(words) || strings.Trim(words[i+1], "0123456789") != "" }
	for i, w := range words {
		switch w {
		case "branch":
			asked.branch = asked.branch || before(i, 1, "this", "the", "my", "our", "current", "local", "feature")
		case "pr", "mr":
			asked.branch = asked.branch || request(i)
		case "request":
			asked.branch = asked.branch || before(i, 1, "pull", "merge") && request(i)
		case "uncommitted", "unstaged", "staged":
			asked.uncommitted = true
		case "change", "changes", "diff":
			there := before(i, 2, "the", "this", "these", "those", "my", "our", "your", "all", "current", "local", "latest", "recent", "last", "what")
			asked.uncommitted = asked.uncommitted || there && !before(i, 3, "make", "apply", "implement")
		case "commit":
			if before(i, 1, "last", "latest", "previous", "recent") {
				asked.commits = append(asked.commits, lastCommit)
			}
		default:
			digits := strings.Trim(w, "0123456789abcdef")
			if len(w) >= leastHash && digits == "" && strings.ContainsAny(w, "0123456789") && strings.ContainsAny(w, "abcdef") {
				asked.commits = append(asked.commits, w)
			}
		}
	}
	return asked
}

// changedFiles are files of one change.
type changedFiles struct {
	how   string // they changed
	paths []string
}

// changesInTime asks git for the files of the changes that a prompt speaks of, unless that takes too long: a program that is called as git
// may not end when it is told to.
func changesInTime(ctx context.Context, place memory.Place, text string, limit time.Duration) []changedFiles {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	found := make(chan []changedFiles, 1)
	go func() { found <- changes(ctx, place, text) }()
	select {
	case list := <-found:
		return list
	case <-ctx.Done():
		return nil
	}
}

// changes asks git for the files of the changes that a prompt speaks of.
func changes(ctx context.Context, place memory.Place, text string) (found []changedFiles) {
	asked := askedChanges(text)
	repo, err := git.At(place)
	if err != nil || project.IsFolder(place.Identity, place.Root) { // no repository
		return nil
	}
	add := func(how string, paths []string, err error) {
		if err == nil && len(paths) > 0 {
			found = append(found, changedFiles{how, paths})
		}
	}
	for _, revision := range asked.commits {
		how := "changed in commit " + revision
		if revision == lastCommit {
			how = "changed in the last commit"
		}
		paths, err := repo.ChangedIn(ctx, revision)
		add(how, paths, err)
	}
	if asked.branch || asked.uncommitted {
		paths, err := repo.Uncommitted(ctx)
		add("changed and not committed", paths, err)
	}
	if asked.branch || asked.uncommitted && len(found) == 0 {
		paths, err := repo.ChangedOnBranch(ctx)
		add("changed on this branch", paths, err)
	}
	return found
}
