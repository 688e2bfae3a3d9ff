package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/goal"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/steward"
)

func (a *app) goalsCommand() *cobra.Command {
	var closed, explain, ids bool
	cmd := &cobra.Command{
		Use: "goals", Aliases: []string{"goal"}, Short: "List what is wanted, asked or put off, by priority",
		Long: `A goal is a current concern: something to reach, a question, a gap in what is known, a step that was put off. You state one
with hebb goals add; what a session leaves to do (hebb wrapup --next) becomes one by itself, and so does what you tell an
agent to do later. One of the same meaning is kept once.

PRIORITY is recency × mention × tractability × connections: how lately it was worked on, how lately you spoke of it, how far
an agent gets alone, and how many active goals share a file, a memory or a goal with it. The line below the list explains
the first; --explain shows the four factors of each.

A goal is active, incubating (left alone on purpose, because work on it went round in circles), blocked (waits for something
outside), done or dropped. Elsewhere a GOAL is named by its ID (--ids), the beginning of it, or a piece of its title.
hebb next says what to do now; hebb think lets what happened come to mind and connects it to these goals. Between sessions
hebb thinks by itself.`,
		Example: `  hebb goals
  hebb goals --explain
  hebb goals add "revoke the old tokens" --file src/auth.go
  hebb goals progress "old tokens" 0.4
  hebb goals done "old tokens"`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.fresh(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
				out, err := steward.Run(ctx, b, goals.Goals, goals.GoalsInput{Scope: a.scope(), Closed: closed, All: a.all && a.project == ""})
				if err != nil {
					return err
				}
				return a.show(out, func(p *page) { goalsPage(p, out, goalsShown{out.Projects, closed, explain, ids}) })
			})
		},
	}
	a.scopeFlags(cmd, true)
	f := cmd.Flags()
	f.BoolVar(&closed, "closed", false, "also those that are done or dropped")
	f.BoolVarP(&explain, "explain", "e", false, "show the four factors of each priority")
	f.BoolVarP(&explain, "verbose", "v", false, "the same as --explain")
	_ = f.MarkHidden("verbose") // fails only for an unknown flag
	f.BoolVar(&ids, "ids", false, "show the ID of each goal")
	cmd.AddCommand(a.goalAddCommand(), a.goalProgressCommand())
	for _, c := range goalChanges {
		cmd.AddCommand(a.goalChangeCommand(c))
	}
	return cmd
}

// goalsShown says what of goals is shown.
type goalsShown struct {
	names                labels // of all projects; nil: those of one are shown
	closed, explain, ids bool
}

func goalsPage(p *page, out goals.GoalsResult, show goalsShown) {
	switch {
	case len(out.Goals) == 0 && len(out.Closed) == 0:
		p.line("Nothing is wanted here. %s keeps something that is; what a session leaves to do comes by itself.", p.style.cyan("hebb goals add TITLE"))
		p.line("%s", p.style.dim("So does what you put off in a prompt: “later we should …”, “remind me to …”, “TODO: …”."))
	case len(out.Goals) == 0:
		p.line("Nothing is wanted any more.")
	case show.explain:
		for i, r := range out.Goals {
			if i > 0 {
				p.gap()
			}
			goalReasons(p, r, show)
		}
	default:
		open := make([]memory.Goal, len(out.Goals))
		for i, r := range out.Goals {
			open[i] = r.Goal
		}
		goalTable(p, open, show, "PRIORITY>", func(i int) string { return figure(out.Goals[i].Priority.Score) })
		p.gap()
		first := out.Goals[0].Priority
		p.paragraphs("", p.style.dim(fmt.Sprintf("The first: %s = %s. --explain shows this for each.", figure(first.Score), factors(first.Reasons))))
	}
	if len(out.Closed) > 0 {
		p.gap()
		p.heading("No concern any more")
		goalTable(p, out.Closed, show, "LAST", func(i int) string {
			g := out.Closed[i]
			if g.TouchedAt.After(g.CreatedAt) {
				return p.ago(g.TouchedAt)
			}
			return p.ago(g.CreatedAt)
		})
	}
}

// factors are the reasons of a priority as the product that it is.
func factors(reasons []string) string {
	parts := make([]string, len(reasons))
	for i, reason := range reasons {
		figure, said, _ := strings.Cut(scrub.Line(reason), ": ")
		parts[i] = fmt.Sprintf("%s (%s)", figure, said)
	}
	return strings.Join(parts, " × ")
}

// goalTable shows goals; first is what stands before them.
func goalTable(p *page, goals []memory.Goal, show goalsShown, header string, first func(i int) string) {
	headers := []string{header, "KIND", "STATUS", "DONE>"}
	where := slices.ContainsFunc(goals, func(g memory.Goal) bool { return goalPlace(g, show.names) != "" })
	if where {
		headers = append(headers, "WHERE")
	}
	if show.ids {
		headers = append(headers, "ID")
	}
	rows := make([][]string, len(goals))
	for i, g := range goals {
		rows[i] = []string{first(i), string(g.Kind), string(g.Status), percent(g.Progress)}
		if where {
			rows[i] = append(rows[i], cmp.Or(goalPlace(g, show.names), "here"))
		}
		if show.ids {
			rows[i] = append(rows[i], string(g.ID))
		}
		rows[i] = append(rows[i], g.Title)
	}
	p.table(append(headers, "TITLE~"), rows)
}

// goalPlace is where a goal holds, unless that is understood.
func goalPlace(g memory.Goal, names labels) string {
	if g.Project == 0 {
		return "everywhere"
	}
	return names[g.Project]
}

// goalReasons shows a goal with its four factors.
func goalReasons(p *page, r goal.Ranked, show goalsShown) {
	p.line("%s  %s  %s", figure(r.Priority.Score), p.style.bold(scrub.Line(r.Goal.Title)), goalState(p, r.Goal, show))
	for _, reason := range r.Priority.Reasons {
		p.line("%s%s", indent, p.style.dim(scrub.Line(reason)))
	}
	goalHangs(p, r.Goal)
	if show.ids {
		p.line("%s%s", indent, p.style.dim(string(r.Goal.ID)))
	}
}

// goalHangs shows what a goal says beyond its title, and what it hangs on.
func goalHangs(p *page, g memory.Goal) {
	if g.Text != "" && !strings.EqualFold(strings.TrimRight(g.Text, ". "), g.Title) {
		p.paragraphs("", g.Text)
	}
	for _, f := range g.Links.Files {
		p.line("%s%s", indent, p.style.dim("file "+shownName(f)))
	}
	for _, c := range g.Links.Crystals {
		p.line("%s%s", indent, p.style.dim("memory "+string(c)))
	}
	for _, other := range g.Links.Goals {
		p.line("%s%s", indent, p.style.dim("goal "+string(other)))
	}
}

// goalState says of a goal what is not as usual: a usual one is an active goal of this project that nothing was done for.
func goalState(p *page, g memory.Goal, show goalsShown) string {
	said := []string{string(g.Kind)}
	if g.Status != memory.GoalActive {
		said = append(said, string(g.Status))
	}
	if g.Progress > 0 && g.Status != memory.GoalDone {
		said = append(said, percent(g.Progress)+" done")
	}
	if place := goalPlace(g, show.names); place != "" {
		said = append(said, shownName(place))
	}
	return p.style.dim(strings.Join(said, ", "))
}

func (a *app) goalAddCommand() *cobra.Command {
	var in goals.GoalInput
	var kind string
	cmd := &cobra.Command{
		Use: "add TITLE", Short: "Keep something that is wanted, asked or put off",
		Long: `Keeps a goal of this project. Its title says in a few words what is wanted; quotation marks are needed only where your shell
wants them. If a goal of the same meaning is there, that one counts as mentioned once more and gets the files as well.

--file ties it to files: work on them is work on the goal, and goals that share one lift each other. --memory ties it to
something remembered (its ID, as hebb search and hebb note show it), --goal to another goal. --text says what the title does not hold. --tractability says how
far an agent gets alone: 1 all the way, 0.5 with a review (the usual), 0.2 only with answers of a person. What nobody can
move is blocked: hebb goals block. Where an agent runs the command, the goal is the agent's and counts as not mentioned by
you.`,
		Example: `  hebb goals add "revoke the old tokens" --file src/auth.go --file src/session.go
  hebb goals add --kind question "why does the second login take a second?"
  hebb goals add --tractability 0.2 "choose a name for the product"
  hebb goals add "cut the release" --text "only when the migration was tried on a copy" --goal "migration"
  hebb goals add --everywhere "answer in shorter sentences"`,
		Args:              arguments(1, -1, "a title"),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if in.Kind, err = oneOf("kind", kind, memory.GoalKinds); err != nil {
				return err
			}
			// Nothing at all is what brain takes for the usual, so it cannot be what somebody asked for.
			if cmd.Flags().Changed("tractability") && !(in.Tractability > 0 && in.Tractability <= 1) {
				return usageError{fmt.Errorf("goals add: --tractability %g: want more than 0 and at most 1; hebb goals block says that nobody can move it", in.Tractability)}
			}
			if in.Title = strings.Join(args, " "); strings.TrimSpace(in.Title) == "" {
				return usageError{errors.New("goals add: the title is empty; say in a few words what is wanted")}
			}
			in.Scope, in.Origin = a.scope(), a.speaker()
			return a.fresh(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
				out, err := steward.Run(ctx, b, goals.AddGoal, in)
				if err != nil {
					return fmt.Errorf("goals add: %w", err)
				}
				return a.show(out, func(p *page) { goalAddedPage(p, out) })
			})
		},
	}
	a.scopeFlags(cmd, false)
	f := cmd.Flags()
	f.StringVarP(&kind, "kind", "k", "", "what sort of concern it is: "+list(memory.GoalKinds)+" (default goal)")
	f.Float64Var(&in.Tractability, "tractability", -1, "how far an agent gets alone, above 0 up to 1 (default: the usual)")
	f.Lookup("tractability").DefValue = "" // -1 is only how brain is told that nobody said
	f.StringArrayVar(&in.Files, "file", nil, "a file that it is about; may be repeated")
	f.StringVarP(&in.Text, "text", "t", "", "what there is to say beyond the title")
	f.StringArrayVar(&in.Crystals, "memory", nil, "something remembered that it hangs on, by its ID; may be repeated")
	f.StringArrayVar(&in.Goals, "goal", nil, "another goal that it hangs on; may be repeated")
	f.BoolVar(&in.Everywhere, "everywhere", false, "in every project: it is about you, not about this work")
	fixedCompletion(cmd, "kind", memory.GoalKinds)
	return cmd
}

func goalAddedPage(p *page, out goals.GoalResult) {
	word := p.style.green("Kept")
	if out.Known {
		word = "There already, and mentioned once more"
		if out.Origin == memory.OriginAgent && out.MentionedAt.IsZero() {
			word = "There already"
		}
	}
	p.line("%s: %s  %s", word, p.style.bold(scrub.Line(out.Title)), goalState(p, out.Goal, goalsShown{}))
	for _, f := range out.Links.Files {
		p.line("%s", p.style.dim("tied to: "+shownName(f)))
	}
	if n := len(out.Links.Crystals); n > 0 {
		p.line("%s", p.style.dim("tied to: "+count(n, "memory", "memories")))
	}
	if n := len(out.Links.Goals); n > 0 {
		p.line("%s", p.style.dim("tied to: "+count(n, "goal", "goals")))
	}
	p.line("%s", p.style.dim(string(out.ID)))
}

// goalChange is a command that says where a goal stands.
type goalChange struct {
	name, short, long, example string
	status                     memory.GoalStatus
	said                       string // before the title, when it is done
	open                       bool   // it is meant for goals that are still a concern
}

var goalChanges = []goalChange{
	{
		"done", "Say that a goal is reached", "The goal is no concern any more; hebb goals --closed still lists it.",
		"  hebb goals done \"old tokens\"", memory.GoalDone, "Done", true,
	},
	{
		"drop", "Say that a goal is not wanted any more", "The goal is no concern any more; hebb goals --closed still lists it, and hebb goals wake takes it up again.",
		"  hebb goals drop \"old tokens\"", memory.GoalDropped, "Dropped", true,
	},
	{
		"block", "Say that a goal waits for something outside", "The goal stays on the list, at its end: nobody is sent to it until hebb goals wake.",
		"  hebb goals block \"old tokens\"", memory.GoalBlocked, "Blocked", true,
	},
	{
		"wake", "Take a goal up again", "The goal is active: whatever it was, blocked, left alone, done or dropped, it is a concern again.",
		"  hebb goals wake \"old tokens\"", memory.GoalActive, "Taken up", false,
	},
	{
		"rest", "Leave a goal alone for a while",
		`The goal incubates: hebb next does not send anybody to it, but hebb think still holds what happened against it. That is what hebb
does by itself when three sessions went round in circles about it. After five sessions the start of a session says what to
do about it. Progress or hebb goals wake takes it up again.`,
		"  hebb goals rest \"old tokens\"", memory.GoalIncubating, "Left alone", true,
	},
}

const goalNamed = " A GOAL is named by its ID, the beginning of it, or a piece of its title."

func (a *app) goalChangeCommand(c goalChange) *cobra.Command {
	cmd := &cobra.Command{
		Use: c.name + " GOAL", Short: c.short, Long: c.long + goalNamed, Example: c.example,
		Args:              arguments(1, -1, "a goal: its ID, the beginning of it, or a piece of its title"),
		ValidArgsFunction: a.completeGoals(c.open),
		RunE: func(cmd *cobra.Command, args []string) error {
			in := goals.GoalChange{Goal: strings.Join(args, " "), Status: c.status, Progress: -1}
			return a.changeGoal(cmd, in, c.said)
		},
	}
	a.scopeFlags(cmd, false)
	return cmd
}

func (a *app) changeGoal(cmd *cobra.Command, in goals.GoalChange, said string) error {
	in.Scope, in.Origin = a.scope(), a.speaker()
	return a.fresh(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
		out, err := steward.Run(ctx, b, goals.ChangeGoal, in)
		if err != nil {
			return err
		}
		return a.show(out, func(p *page) {
			p.line("%s: %s  %s", said, p.style.bold(scrub.Line(out.Title)), goalState(p, out, goalsShown{}))
			if in.Status == "" && !out.Status.Open() && in.Progress < 1 {
				p.line("It is %s all the same; %s takes it up again.", out.Status, p.style.cyan("hebb goals wake"))
			}
		})
	})
}

func (a *app) goalProgressCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "progress GOAL SHARE", Short: "Say how far a goal has come",
		Long: `SHARE is 0 to 1, or a percentage such as 40%. Progress counts as work on the goal: it is recent again, sessions without
progress are counted anew, and one that was left alone is active. The same or a smaller share counts as work that brought
nothing. A goal that was done and has come less far after all is taken up again.` + goalNamed,
		Example:           "  hebb goals progress \"old tokens\" 0.4\n  hebb goals progress \"old tokens\" 40%",
		Args:              arguments(2, -1, "a goal and how far it has come, 0 to 1"),
		ValidArgsFunction: a.completeGoals(true),
		RunE: func(cmd *cobra.Command, args []string) error {
			last := len(args) - 1
			share, err := parseShare(args[last])
			if err != nil {
				return err
			}
			return a.changeGoal(cmd, goals.GoalChange{Goal: strings.Join(args[:last], " "), Progress: share}, "Progress")
		},
	}
	a.scopeFlags(cmd, false)
	return cmd
}

// parseShare reads 0.4 and 40%.
func parseShare(text string) (float64, error) {
	digits, hundredths := strings.CutSuffix(strings.TrimSpace(text), "%")
	share, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
	if hundredths {
		share /= 100
	}
	if err != nil || math.IsNaN(share) || share < 0 || share > 1 {
		return 0, usageError{fmt.Errorf("goals progress: %q: want how far it has come as the last word, 0 to 1 or 0%% to 100%%", text)}
	}
	return share, nil
}

// completeGoals offers goals to the shell: those that are a concern, or those that can be taken up again. It stays silent on
// any trouble.
func (a *app) completeGoals(open bool) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		var names []string
		if len(args) > 0 || a.noMemoryYet() {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		_ = a.with(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
			out, err := steward.Run(ctx, b, goals.Goals, goals.GoalsInput{Scope: a.scope(), Closed: !open})
			for _, r := range out.Goals {
				if open || r.Goal.Status != memory.GoalActive {
					names = append(names, cobra.CompletionWithDesc(string(r.Goal.ID), scrub.Line(r.Goal.Title)))
				}
			}
			for _, g := range out.Closed {
				names = append(names, cobra.CompletionWithDesc(string(g.ID), scrub.Line(g.Title)))
			}
			return err
		})
		return names, cobra.ShellCompDirectiveNoFileComp
	}
}
