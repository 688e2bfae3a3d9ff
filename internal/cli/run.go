package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/foreign"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/sleep"
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
	return a.outcome(out, err, func(p *page) { text(p, out) })
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

// either is one of two values.
func either[T any](is bool, yes, no T) T {
	if is {
		return yes
	}
	return no
}

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

// takes makes a command that is given an input. The tags of its fields say what fills it:
//
//	flag:"kind,k"   a flag and its letter; what the field holds at first is the default. A third word may follow: comma (one flag gives
//	                several values), hidden, or file, html or folder (what the shell completes)
//	arg:"2"         an argument; "2.." is that one and all after it, "2..-" standard input where they are -
//	about:"…"       the help of the flag; {kinds} are the kinds of memories
//	of:"a b"        the words that a flag may say, where its type does not say them
//
// A Scope is where the command runs (flag:"all" offers --all), and so is Dir; Origin is who runs it.
//
// Flags are made only of commands that are named in the arguments: a call needs those of one command, not of a hundred.
func takes[In any](a *app, cmd *cobra.Command, in In, do func(*cobra.Command, In) error) *cobra.Command {
	var fill []func(args []string) error
	a.flags = append(a.flags, func(args []string) {
		if args == nil || slices.ContainsFunc(append(cmd.Aliases, cmd.Name()), func(name string) bool { return slices.Contains(args, name) }) {
			fill = a.bind(cmd, reflect.ValueOf(&in).Elem(), reflect.StructField{Anonymous: true})
		}
	})
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		for _, f := range fill {
			if err := f(args); err != nil {
				return err
			}
		}
		return do(cmd, in)
	}
	return cmd
}

// bindFlags makes the flags of the commands that are named in the arguments, or without any of all.
func (a *app) bindFlags(args []string) {
	for _, of := range a.flags {
		of(args)
	}
	a.flags = nil
}

// asks makes a command that runs an operation and shows its result.
func asks[In, Out any](a *app, cmd *cobra.Command, open opener, op brain.Operation[In, Out], in In, text func(*page, Out)) *cobra.Command {
	return takes(a, cmd, in, func(cmd *cobra.Command, in In) error { return run(cmd.Context(), a, open, op, in, text) })
}

// under adds commands below their parent.
func under(parent *cobra.Command, commands ...*cobra.Command) *cobra.Command {
	parent.AddCommand(commands...)
	return parent
}

// bind adds the flag of a field, or the flags of the fields of a struct. What it returns fills the others from the arguments.
func (a *app) bind(cmd *cobra.Command, v reflect.Value, f reflect.StructField) (fill []func(args []string) error) {
	var field any // nil for an embedded struct that is not exported, whose fields count all the same
	if v.CanInterface() {
		field = v.Addr().Interface()
	}
	switch to := field.(type) {
	case *brain.Scope:
		if a.projectFlag(cmd); f.Tag.Get("flag") == "all" {
			a.allFlag(cmd)
		}
		return append(fill, func([]string) error { *to = a.scope(); return nil })
	case *memory.Origin:
		if f.Name == "Origin" && f.Tag.Get("flag") == "" {
			return append(fill, func([]string) error { *to = a.speaker(); return nil })
		}
	case *string:
		if f.Name == "Dir" && f.Tag.Get("flag") == "" {
			*to = a.Dir
		}
	}
	switch place, isArgument := f.Tag.Lookup("arg"); {
	case f.Tag.Get("flag") != "":
		a.addFlag(cmd, v, f.Tag)
	case isArgument:
		fill = append(fill, func(args []string) error { return a.setArgument(cmd, v, place, args) })
	case f.Anonymous && v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			if part := v.Type().Field(i); part.IsExported() || part.Anonymous {
				fill = append(fill, a.bind(cmd, v.Field(i), part)...)
			}
		}
	}
	return fill
}

// setArgument fills a field with the argument at its place, if there is one.
func (a *app) setArgument(cmd *cobra.Command, v reflect.Value, place string, args []string) error {
	place, stdin := strings.CutSuffix(place, "-")
	place, rest := strings.CutSuffix(place, "..")
	first, err := strconv.Atoi(place)
	args = args[min(max(first-1, 0), len(args)):]
	if !rest {
		args = args[:min(1, len(args))]
	}
	text := strings.Join(args, " ")
	if stdin && err == nil {
		text, err = a.textOf(cmd, args)
	}
	if to, several := v.Addr().Interface().(*[]string); several {
		*to = append(*to, args...)
	} else {
		v.SetString(text)
	}
	return err
}

// Usages of flags that many commands have; the reference explains them once. A flag of such a name needs no other.
var sharedUsages = map[string]string{
	"project":    "another project, by name or ID",
	"all":        "every project",
	"limit":      "at most this many, 0 for all",
	"everywhere": "what is about you, not about one project",
	"yes":        "do it",
}

// knownWords are all that fields of a type may say.
var knownWords = map[reflect.Type]func() []string{
	reflect.TypeFor[memory.CrystalKind](): func() []string { return wordsOf(memory.CrystalKinds) },
	reflect.TypeFor[memory.EventKind]():   func() []string { return wordsOf(memory.EventKinds) },
	reflect.TypeFor[memory.GoalKind]():    func() []string { return wordsOf(memory.GoalKinds) },
	reflect.TypeFor[memory.Origin]():      func() []string { return wordsOf(memory.Origins) },
	reflect.TypeFor[memory.NeuronKind]():  func() []string { return wordsOf([]memory.NeuronKind{memory.FileNeuron, memory.ErrorNeuron}) },
	reflect.TypeFor[memory.TouchKind]():   func() []string { return wordsOf([]memory.TouchKind{memory.Edit, memory.Read, memory.Mention}) },
	reflect.TypeFor[sleep.SleepPart]():    func() []string { return wordsOf([]sleep.SleepPart{sleep.DecayPart, sleep.BalancePart}) },
	reflect.TypeFor[foreign.Format]():     func() []string { return wordsOf(foreign.Formats) },
}

func wordsOf[T ~string](words []T) []string {
	return mapped(words, func(w T) string { return string(w) })
}

func list[T ~string](words []T) string { return strings.Join(wordsOf(words), ", ") }

// addFlag adds the flag of a field.
func (a *app) addFlag(cmd *cobra.Command, v reflect.Value, tag reflect.StructTag) {
	name, short, _ := strings.Cut(tag.Get("flag"), ",")
	short, special, _ := strings.Cut(short, ",")
	about := strings.ReplaceAll(tag.Get("about"), "{kinds}", list(memory.CrystalKinds))
	if about == "" {
		about = sharedUsages[name]
	}
	flags := cmd.Flags()
	switch to := v.Addr().Interface().(type) {
	case *bool:
		flags.BoolVarP(to, name, short, *to, about)
	case *int:
		flags.IntVarP(to, name, short, *to, about)
	case *int64:
		flags.Int64VarP(to, name, short, *to, about)
	case *float64:
		if flags.Float64VarP(to, name, short, *to, about); *to < 0 { // not given
			flags.Lookup(name).DefValue = ""
		}
	case *time.Duration:
		flags.DurationVarP(to, name, short, *to, about)
	case *time.Time:
		flags.VarP(&moment{now: a.Now, to: to}, name, short, about+": 90m, 12h, 2d, 2026-11-15, or a full time")
	case **string:
		flags.VarP(optional{to}, name, short, about)
	case *[]string:
		if special == "comma" {
			flags.StringSliceVarP(to, name, short, nil, about)
		} else {
			flags.StringArrayVarP(to, name, short, nil, about)
		}
	default:
		words := strings.Fields(tag.Get("of"))
		if known := knownWords[v.Type()]; known != nil && len(words) == 0 {
			words = known()
		}
		if len(words) > 0 {
			flags.VarP(choice{v, words}, name, short, about+": "+list(words))
			_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)) // fails only for an unknown flag
		} else {
			flags.StringVarP(v.Addr().Interface().(*string), name, short, v.String(), about)
		}
	}
	switch special { // these fail only for an unknown flag
	case "hidden":
		_ = flags.MarkHidden(name)
	case "file":
		_ = cmd.MarkFlagFilename(name)
	case "html":
		_ = cmd.MarkFlagFilename(name, special)
	case "folder":
		_ = cmd.MarkFlagDirname(name)
	}
}

// choice is the value of a flag that takes one of a few words.
type choice struct {
	to    reflect.Value
	known []string
}

func (c choice) Type() string   { return "string" }
func (c choice) String() string { return c.to.String() }

func (c choice) Set(text string) error {
	if c.to.SetString(text); text != "" && !slices.Contains(c.known, text) {
		return usageError{fmt.Errorf("want one of %s", list(c.known))}
	}
	return nil
}

// optional is the value of a flag that may be given empty, which is not the same as not at all.
type optional struct{ to **string }

func (o optional) Type() string          { return "string" }
func (o optional) String() string        { return "" }
func (o optional) Set(text string) error { *o.to = &text; return nil }

// moment is the value of a flag that takes a time.
type moment struct {
	now  func() time.Time
	to   *time.Time
	text string
}

func (m *moment) Type() string   { return "string" }
func (m *moment) String() string { return m.text }

func (m *moment) Set(text string) (err error) {
	m.text = strings.TrimSpace(text)
	if *m.to, err = prose.ParseTime(m.now().Local(), m.text); err != nil {
		return usageError{err}
	}
	return nil
}

// projectFlag adds --project to a command, and allFlag --all.
func (a *app) projectFlag(cmd *cobra.Command) *cobra.Command {
	cmd.Flags().StringVarP(&a.project, "project", "p", "", sharedUsages["project"])
	projects := func(*cobra.Command) struct{} { return struct{}{} }
	_ = cmd.RegisterFlagCompletionFunc("project", completes(a, -1, inspect.Projects, projects, func(known []inspect.ProjectSummary) []string {
		return mapped(known, func(p inspect.ProjectSummary) string { return shownName(p.Name) })
	})) // fails only for an unknown flag
	return cmd
}

func (a *app) allFlag(cmd *cobra.Command) *cobra.Command {
	cmd.Flags().BoolVarP(&a.all, "all", "a", false, sharedUsages["all"])
	return cmd
}

func (a *app) scope() brain.Scope { return brain.Scope{Project: a.project, Dir: a.Dir, All: a.all} }
