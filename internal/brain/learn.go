package brain

import (
	"context"
	"fmt"

	"github.com/hebb-memory/hebb/internal/bootstrap"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/project"
	"github.com/hebb-memory/hebb/internal/store"
)

// LearnInput says which repository to learn from.
type LearnInput struct {
	Dir string `json:"dir"`
	// Progress is told how many of all commits have been read.
	Progress func(done, total int) `json:"-"`
}

// LearnResult tells what was learned.
type LearnResult struct {
	Project memory.ProjectID `json:"project"`
	Commits int              `json:"commits"` // read now
	Added   int              `json:"added"`   // of these, new in the store
	Wide    int              `json:"wide"`    // too many files to say what belongs together; kept without them
}

// LearnHistory reads a repository's commits as accesses. A second run reads only what is new and changes nothing else.
var LearnHistory = Operation[LearnInput, LearnResult]{
	Name: "learn-history", Summary: "Learn from a repository's commits",
	Run: func(ctx context.Context, b *Brain, in LearnInput) (LearnResult, error) {
		return b.learnHistory(ctx, in)
	},
}

func (b *Brain) learnHistory(ctx context.Context, in LearnInput) (out LearnResult, err error) {
	place, err := project.Resolve(in.Dir)
	if err != nil {
		return out, fmt.Errorf("learn history of %s: %w", in.Dir, err)
	}
	out.Project = place.Project()
	mark := "history/" + out.Project.String()
	since, err := viewed(ctx, b, func(tx *store.Tx) (string, error) { return tx.Meta(ctx, mark) })
	if err != nil {
		return out, err
	}
	git, err := bootstrap.At(place)
	if err != nil {
		return out, err
	}
	git.Latest = b.now()
	l := learner{brain: b, place: place, out: &out, progress: in.Progress, size: b.firstBatch()}
	tip, err := git.Tip(ctx)
	if err == nil {
		l.total, err = git.Count(ctx, since)
	}
	if err == nil {
		err = git.History(ctx, since, func(c bootstrap.Commit) error { return l.add(ctx, c) })
	}
	if err == nil {
		err = l.flush(ctx)
	}
	if err != nil {
		return out, err // it names the repository
	}
	// Only now: an interrupted run starts over and skips what it knows.
	_, err = updated(ctx, b, func(tx *store.Tx) (struct{}, error) { return struct{}{}, tx.SetMeta(ctx, mark, tip) })
	return out, err
}

// learner collects commits into transactions of bounded length.
type learner struct {
	brain    *Brain
	place    memory.Place
	out      *LearnResult
	total    int
	progress func(done, total int)
	size     batchSize
	events   []memory.Event
}

func (l *learner) add(ctx context.Context, c bootstrap.Commit) error {
	e := c.Event(l.place, l.brain.config.Tuning.Capture)
	if c.FileCount > l.brain.config.Tuning.Bootstrap.CommitFiles {
		e.Touches = nil
		l.out.Wide++
	}
	l.events = append(l.events, e)
	if len(l.events) < l.size.size {
		return nil
	}
	return l.flush(ctx)
}

// flush stores what was collected.
func (l *learner) flush(ctx context.Context) error {
	if len(l.events) == 0 {
		return nil
	}
	began := l.brain.now()
	added := 0
	err := l.brain.store.Update(ctx, func(tx *store.Tx) error {
		var err error
		added, err = l.brain.record(ctx, tx, l.events...)
		return err
	})
	if err != nil {
		return err
	}
	l.size.took(len(l.events), l.brain.now().Sub(began))
	l.out.Commits += len(l.events)
	l.out.Added += added
	l.events = l.events[:0]
	if l.progress != nil {
		l.progress(l.out.Commits, l.total)
	}
	return nil
}
