package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/views"
)

// opener opens the memory, calls a function with it and closes it: with, fresh or synced.
type opener func(context.Context, func(context.Context, *brain.Brain) error) error

// run opens the memory, runs an operation and shows its result.
func run[In, Out any](
	ctx context.Context, a *app, open opener, op brain.Operation[In, Out], in In, text func(*page, Out),
) error {
	return open(ctx, func(ctx context.Context, b *brain.Brain) error { return runOn(ctx, a, b, op, in, text) })
}

// runOn is run for an open memory.
func runOn[In, Out any](
	ctx context.Context, a *app, b *brain.Brain, op brain.Operation[In, Out], in In, text func(*page, Out),
) error {
	out, err := ask(ctx, a, b, op, in)
	if err != nil {
		return err
	}
	return a.show(out, func(p *page) { text(p, out) })
}

// ask runs an operation and, with --all, finds the names of projects.
func ask[In, Out any](ctx context.Context, a *app, b *brain.Brain, op brain.Operation[In, Out], in In) (Out, error) {
	out, err := steward.Run(ctx, b, op, in)
	if err == nil {
		_, err = a.nameProjects(ctx, b)
	}
	return out, err
}

// with opens the memory. An operation that waits in the spool because the store was busy counts as done.
func (a *app) with(ctx context.Context, fn func(context.Context, *brain.Brain) error) error {
	c, err := config.Load(a.Getenv)
	if err != nil {
		return err
	}
	b, err := steward.Open(ctx, c, a.Now)
	if err != nil {
		return err
	}
	_ = b.Recognise(ctx, a.Dir) // what it could not find out is a project without memories
	err = fn(ctx, b)
	var taken brain.Taken
	if errors.As(err, &taken) {
		err = a.show(taken, func(p *page) { p.line("%s  %s", taken.Error()+".", p.style.dim(string(taken.ID))) })
	}
	return errors.Join(err, b.Close())
}

// isTaken reports that the input waits in the spool, which is no failure.
func isTaken(err error) bool {
	var taken brain.Taken
	return errors.As(err, &taken)
}

// fresh is with, after a drain of the spool.
func (a *app) fresh(ctx context.Context, fn func(context.Context, *brain.Brain) error) error {
	return a.with(ctx, func(ctx context.Context, b *brain.Brain) error {
		drained, err := steward.Run(ctx, b, steward.Drain, steward.DrainInput{Wait: true, Dir: a.Dir, Sources: a.sources()})
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.Is(err, memory.ErrBusy):
			a.warn("the store is busy; the newest events may be missing here")
		case err != nil:
			a.warn("the newest events could not be imported: " + err.Error())
		case drained.Busy:
			a.warn("another hebb is importing events; the newest may be missing here")
		}
		return fn(ctx, b)
	})
}

// synced is fresh, after importing what people changed in hebb's files.
func (a *app) synced(ctx context.Context, fn func(context.Context, *brain.Brain) error) error {
	return a.fresh(ctx, func(ctx context.Context, b *brain.Brain) error {
		views, err := steward.Run(ctx, b, views.ImportEdits, struct{}{})
		switch {
		case ctx.Err() != nil && err != nil:
			return err
		case errors.Is(err, memory.ErrBusy):
			views.Warnings = append(views.Warnings, "the store is busy; edits to files are imported later")
		case err != nil:
			views.Warnings = append(views.Warnings, err.Error())
		}
		for _, w := range views.Warnings {
			a.warn(w)
		}
		return fn(ctx, b)
	})
}

// warnings prints the warnings of a result. JSON results list them already.
func (a *app) warnings(prefix string, list []string) {
	if !a.json {
		for _, w := range list {
			a.warn(prefix + plain(w))
		}
	}
}

// nameProjects finds the names of all projects if the command is about all of them.
func (a *app) nameProjects(ctx context.Context, b *brain.Brain) ([]inspect.ProjectSummary, error) {
	if !a.all {
		return nil, nil
	}
	projects, err := steward.Run(ctx, b, inspect.Projects, struct{}{})
	a.names = make(map[memory.ProjectID]string, len(projects))
	for _, p := range projects {
		a.names[p.ID] = p.Name
	}
	return projects, err
}

// completes offers words from the memory to the shell, for the first most arguments or, below 0, for all. On any error it offers nothing.
func completes[In, Out any](
	a *app, most int, op brain.Operation[In, Out], in func(*cobra.Command) In, words func(Out) []string,
) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, _ string) (found []string, _ cobra.ShellCompDirective) {
		c, err := config.Load(a.Getenv)
		if err == nil && !noMemory(c) && (most < 0 || len(args) < most) { // completion never creates a memory
			_ = a.with(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
				out, err := steward.Run(ctx, b, op, in(cmd))
				found = words(out)
				return err
			})
		}
		return found, cobra.ShellCompDirectiveNoFileComp
	}
}

// inScope is the scope of a command as the input of completes.
func (a *app) inScope(*cobra.Command) brain.Scope { return a.scope() }

// mapped applies f to each element.
func mapped[S, T any](list []S, f func(S) T) []T {
	out := make([]T, len(list))
	for i, v := range list {
		out[i] = f(v)
	}
	return out
}

// noMemory reports that nothing was ever stored here, not even by a hook.
func noMemory(c config.Config) bool {
	return missing(c.Database()) && missing(c.Spool())
}

// wholeText reads a file or standard input. It refuses text that cannot be kept as it is.
func (a *app) wholeText(from string) (string, error) {
	c, err := config.Load(a.Getenv)
	if err != nil {
		return "", err
	}
	in := a.Stdin
	switch from {
	case "":
		return "", usageError{errors.New("name a file, or - for standard input")}
	case "-":
	default:
		f, err := os.Open(from)
		if errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("%s: %w", from, memory.ErrNotFound)
		}
		if err != nil {
			return "", err
		}
		defer func() { _ = f.Close() }() // it was only read
		in = f
	}
	most := c.Tuning.Hook.ReadLimit
	text, err := io.ReadAll(io.LimitReader(in, most+1))
	switch {
	case err != nil:
		return "", err
	case int64(len(text)) > most:
		return "", fmt.Errorf("the text is longer than %s: keep a page short, every session reads it: %w", size(most), memory.ErrInvalid)
	case !utf8.Valid(text):
		return "", fmt.Errorf("the text is not UTF-8: save it as UTF-8: %w", memory.ErrInvalid)
	}
	return string(text), nil
}

// textOf is the text of the arguments, or of standard input if they are "-".
func (a *app) textOf(cmd *cobra.Command, args []string) (string, error) {
	if len(args) != 1 || args[0] != "-" {
		return strings.Join(args, " "), nil
	}
	text, err := io.ReadAll(io.LimitReader(a.Stdin, brain.TextMost+1))
	if err == nil && len(text) > brain.TextMost {
		err = fmt.Errorf("standard input is longer than %s: give the part that matters: %w", size(brain.TextMost), memory.ErrInvalid)
	}
	if err != nil {
		err = fmt.Errorf("%s%w", deed(cmd), err)
	}
	return strings.ToValidUTF8(string(text), "\uFFFD"), err
}
