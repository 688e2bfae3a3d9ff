package answer

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/hebb-memory/hebb/internal/bootstrap"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/record"
)

const (
	changesTime = 150 * time.Millisecond // that asking git may take while the agent waits
	askedWords  = 30                     // of a prompt in which it says what it is about; a plan below speaks of all sorts of things
	leastHash   = 7                      // digits by which people name a commit
	lastCommit  = "HEAD"
)

// changesAsked are the changes that a prompt speaks of.
type changesAsked struct {
	branch, uncommitted bool
	commits             []string // revisions
}

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

// changes adds the files of the changes that the first prompt of a session speaks of, as git knows them. What git does not say in time
// is left out.
func (r *reply) changes(ctx context.Context) {
	asked := askedChanges(r.to.Text)
	git, err := bootstrap.At(r.to.Place)
	if !r.first || err != nil || r.to.Place.Identity == r.to.Place.Root { // no repository
		return
	}
	ctx, cancel := context.WithTimeout(ctx, changesTime)
	defer cancel()
	for _, revision := range asked.commits {
		how := "changed in commit " + revision
		if revision == lastCommit {
			how = "changed in the last commit"
		}
		if paths, err := git.ChangedIn(ctx, revision); err == nil {
			r.addChanged(paths, how)
		}
	}
	if asked.branch || asked.uncommitted {
		if paths, err := git.Uncommitted(ctx); err == nil {
			r.addChanged(paths, "changed and not committed")
		}
	}
	if asked.branch || asked.uncommitted && len(r.lines) == 0 {
		if paths, err := git.ChangedOnBranch(ctx); err == nil {
			r.addChanged(paths, "changed on this branch")
		}
	}
}

// addChanged adds lines about changed files, and how many more there are.
func (r *reply) addChanged(paths []string, how string) {
	paths = slices.DeleteFunc(paths, func(path string) bool { return !r.worthShowing(path) })
	for i, path := range paths {
		if len(r.lines) >= r.tuning.ShowFiles {
			return
		}
		about := how
		if left := len(paths) - i - 1; left > 0 && len(r.lines)+1 == r.tuning.ShowFiles {
			about += fmt.Sprintf(", and %d more", left)
		}
		r.add(memory.Suggestion{Offer: memory.OfferChange, Path: path, Reason: about}, fmt.Sprintf("%s (%s)", record.ShownName(path), about))
	}
}
