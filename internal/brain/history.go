package brain

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/bootstrap"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

// historyMark is how far a project's history has been learned.
type historyMark struct {
	id memory.ProjectID
	// Tips are the commits that HEAD was at when a run had learned all they lead to, the latest first.
	Tips []string
	// Part is a run that has not come to its end.
	Part partRun
}

// partRun is what the next run goes on from.
type partRun struct {
	Last  string `json:"last,omitempty"` // all that this commit leads to is learned
	Added int    `json:"added,omitempty"`
	// Unwired is the first episode whose files are not linked yet; nil: all are.
	Unwired *int `json:"unwired,omitempty"`
}

// tipsKept is how many tips are remembered: switching between branches without a common past then reads nothing twice.
const tipsKept = 8

func historyFact(id memory.ProjectID) store.Fact[[]string] {
	return store.NewFact[[]string]("history").Of(id)
}

func partFact(id memory.ProjectID) store.Fact[partRun] {
	return store.NewFact[partRun]("history-part").Of(id)
}

func (b *Brain) learnedOf(ctx context.Context, id memory.ProjectID) (historyMark, error) {
	return viewed(ctx, b, func(tx *store.Tx) (l historyMark, err error) {
		l.id = id
		if l.Tips, err = historyFact(id).Get(ctx, tx); err == nil {
			l.Part, err = partFact(id).Get(ctx, tx)
		}
		return l, err
	})
}

// since is what History leaves out.
func (l historyMark) since() string {
	return strings.Join(append(slices.Clone(l.Tips), l.Part.Last), " ")
}

// upToDate reports whether all that a tip leads to is learned.
func (l historyMark) upToDate(tip string) bool {
	return (tip == "" || slices.Contains(l.Tips, tip)) && l.Part == partRun{}
}

func (l historyMark) save(ctx context.Context, b *Brain) error {
	_, err := updated(ctx, b, func(tx *store.Tx) (struct{}, error) {
		return struct{}{}, errors.Join(historyFact(l.id).Set(ctx, tx, l.Tips), partFact(l.id).Set(ctx, tx, l.Part))
	})
	return err
}

// finish notes that all that a tip leads to is learned.
func (l historyMark) finish(ctx context.Context, b *Brain, tip string) error {
	l.Part = partRun{}
	if tip != "" {
		l.Tips = append([]string{tip}, slices.DeleteFunc(l.Tips, func(known string) bool { return known == tip })...)
		l.Tips = l.Tips[:min(len(l.Tips), tipsKept)]
	}
	return l.save(ctx, b)
}

// Bounds of what one background run learns of a history; the next goes on from there.
const (
	runCommits = 5000
	runTime    = 30 * time.Second
	// gitTime ends a git that hangs, on a network drive for example.
	gitTime = 5 * time.Minute
)

// learnHistories learns what is new in the histories of the projects given and of those that were worked in within the last
// hour: the drain before may have been one that nobody wanted to wait for. It is for the background: a repository that git
// cannot or will not read is left out, and the doctor says why.
func (b *Brain) learnHistories(ctx context.Context, ids []memory.ProjectID) (commits int, err error) {
	projects, err := viewed(ctx, b, func(tx *store.Tx) ([]memory.Project, error) { return tx.Projects(ctx) })
	if err != nil {
		return 0, err
	}
	const lately = time.Hour
	for _, p := range projects {
		if b.now().Sub(p.LastAt) > lately && !slices.Contains(ids, p.ID) {
			continue
		}
		n, failed := b.learnNews(ctx, p)
		commits, err = commits+n, errors.Join(err, failed)
	}
	return commits, err
}

// learnNews learns what is new in one repository, unless another process is at it.
func (b *Brain) learnNews(ctx context.Context, p memory.Project) (commits int, err error) {
	root, bad := memory.UnescapePath(p.Root)
	root = filepath.FromSlash(root)
	if bad != nil || p.Identity == p.Root || b.config.Paused(p.ID) || !isFolder(root) {
		return 0, nil
	}
	asking, cancel := context.WithTimeout(ctx, gitTime)
	defer cancel()
	tip, bad := bootstrap.Git{Root: root}.Tip(asking)
	if bad != nil || tip == "" {
		return 0, ctx.Err()
	}
	before, err := b.learnedOf(ctx, p.ID)
	if err != nil {
		return 0, err
	}
	var out LearnResult
	_, err = b.alone(ctx, "history/"+p.ID.String(), gitTime, func() (err error) {
		if b.config.Learn.History.Always() {
			out, err = b.learnHistory(asking, LearnInput{Dir: root, Again: true, Most: runCommits, Longest: runTime})
		}
		if err != nil {
			return err
		}
		return b.learnRoots(asking, root, out.Added > 0)
	})
	if unread := (gitError{}); errors.As(err, &unread) {
		return out.Added, ctx.Err() // the doctor says why
	}
	if err != nil {
		return out.Added, err
	}
	return out.Added, b.announce(ctx, p.ID, before, out)
}

// announce queues a line for the next session start: a history was learned for the first time, or can be.
func (b *Brain) announce(ctx context.Context, id memory.ProjectID, before historyMark, out LearnResult) error {
	if len(before.Tips) > 0 {
		return nil // news are no news
	}
	switch added := before.Part.Added + out.Added; {
	case b.config.Learn.History == config.GateAsk:
		known, err := viewed(ctx, b, func(tx *store.Tx) (notice, error) { return noticeFact(learnedNotice, id).Get(ctx, tx) })
		if err != nil || known.Line != "" {
			return err
		}
		return b.notify(ctx, learnedNotice, id, "hebb has not learned this repository's history; `hebb init` learns it")
	case added > 0 && out.Left:
		return b.notify(ctx, learnedNotice, id, fmt.Sprintf(
			"hebb learned %s of this repository's history so far and goes on in the background", grouped(added, "commit")))
	case added > 0:
		return b.notify(ctx, learnedNotice, id, fmt.Sprintf("hebb learned %s of this repository's history", grouped(added, "commit")))
	}
	return nil
}

// grouped is a number with commas, and what it counts.
func grouped(n int, what string) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	if n != 1 {
		what += "s"
	}
	return digits + " " + what
}

// history says how much of the history of the repository around the person is learned, and what keeps hebb from it.
func (d *doctor) history(ctx context.Context, b *Brain, dir string) {
	place, err := b.placeAt(dir)
	if err != nil || place.Identity == place.Root {
		return
	}
	git, err := bootstrap.At(place)
	if err != nil {
		d.add("history", Warn, err.Error(), "")
		return
	}
	known, err := b.learnedOf(ctx, place.Project())
	if err != nil {
		d.add("history", Warn, err.Error(), "hebb init learns it again")
		return
	}
	tip, err := git.Tip(ctx)
	left := 0
	if err == nil && !known.upToDate(tip) {
		left, err = git.Count(ctx, known.since())
	}
	switch {
	case err != nil:
		d.add("history", Warn, err.Error(), "") // it says what to do
	case tip == "":
		d.add("history", Fine, "no commits yet", "")
	case left == 0:
		d.add("history", Fine, "learned up to "+tip, "")
	case !b.config.Learn.History.Always():
		d.add("history", Fine, grouped(left, "commit")+" not learned (learn.history in config.toml); hebb init learns them", "")
	default:
		d.add("history", Fine, grouped(left, "commit")+" to be learned in the background of the next session; hebb init learns them now", "")
	}
}
