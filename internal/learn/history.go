package learn

import (
	"context"
	"errors"
	"fmt"
	"github.com/hebb-memory/hebb/internal/project"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/git"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/statements"
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

func PartFact(id memory.ProjectID) store.Fact[partRun] {
	return store.NewFact[partRun]("history-part").Of(id)
}

func LearnedOf(ctx context.Context, st *store.Store, id memory.ProjectID) (historyMark, error) {
	return brain.View(ctx, st, func(tx *store.Tx) (l historyMark, err error) {
		l.id = id
		if l.Tips, err = brain.LearnedTips(id).Get(ctx, tx); err == nil {
			l.Part, err = PartFact(id).Get(ctx, tx)
		}
		return l, err
	})
}

// Since is what History leaves out.
func (l historyMark) Since() string {
	return strings.Join(append(slices.Clone(l.Tips), l.Part.Last), " ")
}

// UpToDate reports whether all that a tip leads to is learned.
func (l historyMark) UpToDate(tip string) bool {
	return (tip == "" || slices.Contains(l.Tips, tip)) && l.Part == partRun{}
}

func (l historyMark) save(ctx context.Context, st *store.Store) error {
	return st.UpdateDurable(ctx, func(tx *store.Tx) error {
		return errors.Join(brain.LearnedTips(l.id).Set(ctx, tx, l.Tips), PartFact(l.id).Set(ctx, tx, l.Part))
	})
}

// finish notes that all that a tip leads to is learned.
func (l historyMark) finish(ctx context.Context, st *store.Store, tip string) error {
	l.Part = partRun{}
	if tip != "" {
		l.Tips = append([]string{tip}, slices.DeleteFunc(l.Tips, func(known string) bool { return known == tip })...)
		l.Tips = l.Tips[:min(len(l.Tips), tipsKept)]
	}
	return l.save(ctx, st)
}

// Bounds of what one background run learns of a history; the next goes on from there.
const (
	runCommits = 5000
	runTime    = 30 * time.Second
	// gitTime ends a git that hangs, on a network drive for example.
	gitTime = 5 * time.Minute
)

// LearnHistories learns what is new in the histories of the projects given and of those that were worked in within the last
// hour: the drain before may have been one that nobody wanted to wait for. It is for the background: a repository that git
// cannot or will not read is left out, and the doctor says why. documents are the projects in which a commit changed a
// document.
func LearnHistories(
	ctx context.Context, b *brain.Brain, ids []memory.ProjectID,
) (commits int, documents []memory.ProjectID, err error) {
	projects, err := brain.View(ctx, b.Store, func(tx *store.Tx) ([]memory.Project, error) { return tx.Projects(ctx) })
	if err != nil {
		return 0, nil, err
	}
	const lately = time.Hour
	err = brain.EachAlone(ctx, projects, func(p memory.Project) error {
		if b.Now().Sub(p.LastAt) > lately && !slices.Contains(ids, p.ID) {
			return nil
		}
		out, err := learnNews(ctx, b, p)
		commits += out.Added
		if out.documents {
			documents = append(documents, p.ID)
		}
		if err != nil {
			return fmt.Errorf("project %s: %w", p.ID, err)
		}
		return nil
	})
	return commits, documents, err
}

// learnNews learns what is new in one repository, unless another process is at it.
func learnNews(ctx context.Context, b *brain.Brain, p memory.Project) (out LearnResult, err error) {
	root, bad := memory.UnescapePath(p.Root)
	root = filepath.FromSlash(root)
	if bad != nil || project.IsFolder(p.Identity, p.Root) || b.Config.Paused(p.ID) || !statements.IsFolder(root) {
		return out, nil
	}
	asking, cancel := context.WithTimeout(ctx, gitTime)
	defer cancel()
	tip, bad := git.Repo{Root: root}.Tip(asking)
	if bad != nil || tip == "" {
		return out, ctx.Err()
	}
	before, err := LearnedOf(ctx, b.Store, p.ID)
	if err != nil {
		return out, err
	}
	_, err = b.Alone(ctx, "history/"+p.ID.String(), gitTime, func() (err error) {
		if b.Config.Learn.History.Always() {
			out, err = learnHistory(asking, b, LearnInput{Dir: root, Again: true, Most: runCommits, Longest: runTime})
		}
		if err != nil {
			return err
		}
		return b.LearnRoots(asking, root, out.Added > 0, out.roots > 0)
	})
	if unread := (brain.GitError{}); errors.As(err, &unread) {
		return out, ctx.Err() // the doctor says why
	}
	if err != nil {
		return out, err
	}
	return out, announce(ctx, b, p.ID, before, out)
}

// announce queues a line for the next session start: a history was learned for the first time, or can be.
func announce(ctx context.Context, b *brain.Brain, id memory.ProjectID, before historyMark, out LearnResult) error {
	if len(before.Tips) > 0 {
		return nil // news are no news
	}
	switch added := before.Part.Added + out.Added; {
	case b.Config.Learn.History == config.GateAsk:
		known, err := brain.View(ctx, b.Store, func(tx *store.Tx) (brain.Notice, error) {
			return brain.NoticeFact(brain.LearnedNotice, id).Get(ctx, tx)
		})
		if err != nil || known.Line != "" {
			return err
		}
		return b.Notify(ctx, brain.LearnedNotice, id, "hebb has not learned this repository's history; `hebb init` learns it")
	case added > 0 && out.Left:
		return b.Notify(ctx, brain.LearnedNotice, id, fmt.Sprintf(
			"hebb learned %s of this repository's history so far and goes on in the background", Grouped(added, "commit")))
	case added > 0:
		return b.Notify(ctx, brain.LearnedNotice, id, fmt.Sprintf("hebb learned %s of this repository's history", Grouped(added, "commit")))
	}
	return nil
}

// Grouped is a number with commas, and what it counts.
func Grouped(n int, what string) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	if n != 1 {
		what += "s"
	}
	return digits + " " + what
}
