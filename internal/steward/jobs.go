package steward

import (
	"context"
	"errors"
	"fmt"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/dreams"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/knowledge"
	"github.com/hebb-memory/hebb/internal/learn"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/texts"
	"github.com/hebb-memory/hebb/internal/transfer"
	"github.com/hebb-memory/hebb/internal/views"
	"github.com/hebb-memory/hebb/internal/words"
)

// job is work that follows a drain. It finds what to do in the store, so the next drain finishes an interrupted one.
type job struct {
	name string
	due  func(in DrainInput, out *DrainResult) bool
	run  func(ctx context.Context, b *brain.Brain, in DrainInput, out *DrainResult) error
}

func always(DrainInput, *DrainResult) bool            { return true }
func inBackground(in DrainInput, _ *DrainResult) bool { return in.Sleep }
func whenSaid(_ DrainInput, out *DrainResult) bool    { return out.Said > 0 }
func afterSleep(_ DrainInput, out *DrainResult) bool  { return out.Slept != nil }
func betweenTasks(in DrainInput, _ *DrainResult) bool { return in.Sleep || in.Think }
func afterWork(in DrainInput, out *DrainResult) bool {
	return out.Closed+len(out.began)+out.Said > 0 || in.Sleep
}

// jobs are all that follow a drain, in their order.
var jobs = []job{
	{"procedures", always, func(ctx context.Context, b *brain.Brain, _ DrainInput, _ *DrainResult) error {
		_, err := knowledge.ImportProcedures(ctx, b, false)
		return err
	}},
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
		return goals.FollowPrompts(ctx, b, out.prompts)
	}},
	{"history", inBackground, func(ctx context.Context, b *brain.Brain, _ DrainInput, out *DrainResult) (err error) {
		out.Commits, err = learn.LearnHistories(ctx, b, goals.Union(out.began, out.ended...))
		return err
	}},
	{"documents", func(in DrainInput, out *DrainResult) bool { return len(out.documents)+out.Commits > 0 || in.Sleep }, readDocuments},
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
	{"past files", inBackground, func(ctx context.Context, b *brain.Brain, _ DrainInput, _ *DrainResult) error {
		return words.KeepPasts(ctx, b)
	}},
	{"code", afterSleep, func(ctx context.Context, b *brain.Brain, _ DrainInput, _ *DrainResult) error {
		return readCode(ctx, b)
	}},
	{"think", betweenTasks, func(ctx context.Context, b *brain.Brain, _ DrainInput, out *DrainResult) (err error) {
		out.Thought, err = goals.ThinkBetween(ctx, b, out.ended)
		return err
	}},
	{"listen", inBackground, func(ctx context.Context, b *brain.Brain, _ DrainInput, out *DrainResult) (err error) {
		if !b.Config.LLM.Listen || b.Config.LLM.Provider == "" {
			return nil
		}
		for _, id := range goals.Union(out.began, out.ended...) {
			_, failed := statements.ListenByModel(ctx, b, id, func(ctx context.Context, prompt string) (string, error) { return dreams.AskModel(ctx, b, prompt) })
			err = errors.Join(err, failed)
		}
		return err
	}},
	{"dream", inBackground, dream},
	{"backup", inBackground, func(ctx context.Context, b *brain.Brain, _ DrainInput, _ *DrainResult) error {
		transfer.BackUpDaily(ctx, b) // it keeps its own record of problems
		return nil
	}},
}

// follow runs the jobs that are due. A failed job does not stop the others, unless the store is busy.
func follow(ctx context.Context, b *brain.Brain, in DrainInput, out *DrainResult) error {
	var problems error
	for _, j := range jobs {
		if !j.due(in, out) {
			continue
		}
		if err := j.run(ctx, b, in, out); err != nil {
			problems = errors.Join(problems, fmt.Errorf("%s: %w", j.name, err))
			if errors.Is(err, memory.ErrBusy) || ctx.Err() != nil {
				return problems
			}
		}
	}
	return problems
}

// dream rewrites the state of the projects in which a session began or ended, where that is due.
func dream(ctx context.Context, b *brain.Brain, _ DrainInput, out *DrainResult) (err error) {
	for _, id := range out.began {
		dreamt, failed := Run(ctx, b, dreams.Dream, dreams.DreamInput{Scope: brain.Scope{Project: id.String()}})
		if dreamt.Run {
			out.Dreamt++
		}
		if failed != nil && !brain.IsNotFound(failed) {
			out.Maintenance.Warnings = append(out.Maintenance.Warnings, "dream: "+scrub.Line(failed.Error()))
			err = errors.Join(err, views.SaveReport(ctx, b, out.Maintenance)) // the next session is shown it
		}
	}
	return err
}
