package steward

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/forget"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/learn"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/sleep"
	"github.com/hebb-memory/hebb/internal/state"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/texts"
	"github.com/hebb-memory/hebb/internal/transfer"
	"github.com/hebb-memory/hebb/internal/views"
)

// job is work that follows a drain. It finds what to do in the store, so the next drain finishes an
// interrupted one.
type job struct {
	name string
	due  func(in DrainInput, out *DrainResult) bool
	run  func(ctx context.Context, b *brain.Brain, in DrainInput, out *DrainResult) error
}

func always(DrainInput, *DrainResult) bool            { return true }
func inBackground(in DrainInput, _ *DrainResult) bool { return in.Sleep }
func whenSaid(_ DrainInput, out *DrainResult) bool    { return out.Said > 0 }
func betweenTasks(in DrainInput, _ *DrainResult) bool { return in.Sleep || in.Think }
func afterWork(in DrainInput, out *DrainResult) bool {
	return out.Closed+len(out.began)+out.Said > 0 || in.Sleep
}

// jobs are all that follow a drain, in their order.
var jobs = []job{
	{"merges", always, func(ctx context.Context, b *brain.Brain, _ DrainInput, _ *DrainResult) error {
		return transfer.FinishMerges(ctx, b)
	}},
	{"sessions", always, func(ctx context.Context, b *brain.Brain, _ DrainInput, out *DrainResult) (err error) {
		out.Closed, err = record.Sweep(ctx, b)
		return err
	}},
	{"forgetting", always, func(ctx context.Context, b *brain.Brain, _ DrainInput, _ *DrainResult) error {
		return resumeForgetting(ctx, b)
	}},
	{"rebuilding", betweenTasks, func(ctx context.Context, b *brain.Brain, _ DrainInput, _ *DrainResult) error {
		return forget.LearnAnew(ctx, b)
	}},
	{"procedures", always, func(ctx context.Context, b *brain.Brain, _ DrainInput, _ *DrainResult) error {
		_, err := statements.ImportProcedures(ctx, b)
		return err
	}},
	{"history", inBackground, func(ctx context.Context, b *brain.Brain, _ DrainInput, out *DrainResult) (err error) {
		var documents []memory.ProjectID
		out.Commits, documents, err = learn.LearnHistories(ctx, b, goals.Union(out.began, out.ended...))
		out.documents = goals.Union(out.documents, documents...)
		return err
	}},
	{"earlier sessions", inBackground, func(ctx context.Context, b *brain.Brain, _ DrainInput, _ *DrainResult) error {
		return learn.LearnWaiting(ctx, b)
	}},
	{"agents' own memories", func(in DrainInput, _ *DrainResult) bool { return in.Sources.Home != "" }, readSources},
	{"summaries", afterWork, func(ctx context.Context, b *brain.Brain, _ DrainInput, out *DrainResult) error {
		out.Maintenance = views.Maintain(ctx, b, out.began)
		return nil
	}},
	{"files", whenSaid, func(ctx context.Context, b *brain.Brain, _ DrainInput, out *DrainResult) error {
		report, err := views.RefreshViews(ctx, b, nil) // operations write these themselves unless they were spooled
		out.Maintenance.Warnings = append(out.Maintenance.Warnings, report.Warnings...)
		if err != nil {
			out.Maintenance.Warnings = append(out.Maintenance.Warnings, "files: "+scrub.Line(err.Error()))
		}
		return nil
	}},
	{"goals", always, func(ctx context.Context, b *brain.Brain, _ DrainInput, out *DrainResult) error {
		return goals.FollowPrompts(ctx, b.Store, out.prompts)
	}},
	{"documents", func(in DrainInput, out *DrainResult) bool { return len(out.documents) > 0 || in.Sleep }, readDocuments},
	{"index", always, func(ctx context.Context, b *brain.Brain, in DrainInput, _ *DrainResult) error {
		most := b.Config.Tuning.Search.IndexNow // somebody waits
		if in.Sleep {
			most = 0
		}
		_, err := texts.Index(ctx, b, most, nil)
		return err
	}},
	{"sleep", inBackground, func(ctx context.Context, b *brain.Brain, _ DrainInput, out *DrainResult) error {
		why := inspect.SleptIdle
		if out.Closed+out.Events > 0 {
			why = inspect.SleptAfterWork
		}
		slept, err := sleepIfDue(ctx, b, why)
		if slept.ID != 0 {
			out.Slept = &slept
		}
		return err
	}},
	{"words and code", inBackground, func(ctx context.Context, b *brain.Brain, _ DrainInput, out *DrainResult) error {
		due, err := upkeep(ctx, b)
		if err != nil || !due {
			return err
		}
		for _, id := range goals.Union(out.began, out.ended...) {
			err = errors.Join(err, brain.IgnoreNotFound(sleep.LearnWords(ctx, b, id)))
		}
		return errors.Join(err, readCode(ctx, b))
	}},
	{"past files", inBackground, func(ctx context.Context, b *brain.Brain, _ DrainInput, _ *DrainResult) error {
		return ranking.KeepPasts(ctx, b.Store, record.Pasts(b))
	}},
	{"think", betweenTasks, func(ctx context.Context, b *brain.Brain, _ DrainInput, out *DrainResult) (err error) {
		out.Thought, err = goals.ThinkBetween(ctx, b, out.ended)
		return err
	}},
	{"scribe", inBackground, readSessions},
	{"dream", inBackground, dream},
	{"backup", inBackground, func(ctx context.Context, b *brain.Brain, _ DrainInput, _ *DrainResult) error {
		transfer.BackUpDaily(ctx, b) // it keeps its own record of problems
		return nil
	}},
}

// follow runs the jobs that are due. A failed job stops neither the others nor the drain: it is
// written down for the doctor until it succeeds. Only a store that is busy, and the end of the
// context, end the run.
func follow(ctx context.Context, b *brain.Brain, in DrainInput, out *DrainResult) error {
	known, err := brain.View(ctx, b.Store, func(tx *store.Tx) ([]inspect.JobFailure, error) { return inspect.FailedJobs.Get(ctx, tx) })
	if err != nil {
		return err
	}
	failed := slices.Clone(known)
	for _, j := range jobs {
		if ctx.Err() != nil { // the next drain goes on
			return ctx.Err()
		}
		if !j.due(in, out) {
			continue
		}
		in.Works(j.name)
		began := b.Now()
		err := j.run(ctx, b, in, out)
		if errors.Is(err, memory.ErrBusy) || ctx.Err() != nil {
			return fmt.Errorf("%s: %w", j.name, errors.Join(err, ctx.Err()))
		}
		ran := JobRun{Job: j.name, Took: b.Now().Sub(began)}
		if err != nil {
			ran.Error = scrub.Line(scrub.Clean(err.Error()))
		}
		out.Jobs = append(out.Jobs, ran)
		failed = noteOutcome(failed, ran, b.Now())
	}
	out.Failed = failed
	if slices.Equal(failed, known) {
		return nil
	}
	return b.Store.Update(ctx, func(tx *store.Tx) error { return inspect.FailedJobs.Set(ctx, tx, failed) })
}

// noteOutcome replaces what is written down about a job. A failure that goes on keeps its
// beginning.
func noteOutcome(failed []inspect.JobFailure, ran JobRun, now time.Time) []inspect.JobFailure {
	i := slices.IndexFunc(failed, func(f inspect.JobFailure) bool { return f.Job == ran.Job })
	if ran.Error == "" {
		if i >= 0 {
			failed = slices.Delete(failed, i, i+1)
		}
		return failed
	}
	if i < 0 {
		i, failed = len(failed), append(failed, inspect.JobFailure{Job: ran.Job, Since: now.UTC()})
	}
	failed[i].Reason = ran.Error
	return failed
}

// dream rewrites the state of the projects in which a session began or ended, where that is due.
func dream(ctx context.Context, b *brain.Brain, _ DrainInput, out *DrainResult) (err error) {
	for _, id := range out.began {
		dreamt, failed := Run(ctx, b, state.Dream, state.DreamInput{Scope: brain.Scope{Project: id.String()}})
		if dreamt.Run {
			out.Dreamt++
		}
		if failed != nil && !brain.IsNotFound(failed) {
			out.Maintenance.Warnings = append(out.Maintenance.Warnings, "dream: "+scrub.Line(failed.Error()))
			err = errors.Join(err, views.SaveReport(ctx, b.Store, out.Maintenance)) // the next session is shown it
		}
	}
	return err
}
