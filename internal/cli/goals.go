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
		Use: "goals", Aliases: []string{"goal"}, Short: "List goals, questions and postponed steps by priority",
		Long: `A goal is something to reach, a question, a gap in knowledge, or a postponed step. hebb goals add states one. What a session
leaves to do (hebb wrapup --next) and what you tell an agent to do later become goals, too. Two of the same meaning are one.

PRIORITY is recency × mention × tractability × connections: when it was last worked on, when you last mentioned it, how far an agent
gets alone, and how many active goals share a file, a memory or a goal with it. The line below the list explains the first;
--explain shows the four factors of each.

A goal is active, incubating (paused, because work on it made no progress), blocked (waits for something outside), done or dropped.
Commands accept a GOAL by its ID (--ids), the beginning of it, or a part of its title. hebb next names the goals to work on now; hebb
think connects what happened to these goals, and also runs between sessions.`,
		Example: `  hebb goals
  hebb goals --explain
  hebb goals add "revoke the old tokens" --file src/auth.go
  hebb goals progress "old tokens" 0.4
  hebb goals done "old tokens"`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			in := goals.GoalsInput{Scope: a.scope(), Closed: closed, All: a.all && a.project == ""}
			return run(cmd.Context(), a, a.fresh, goals.Goals, in, func(p *page, out goals.GoalsResult) { goalsPage(p, out, goalsShown{explain, ids}) })
		},
	}
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
	return a.scopeFlags(cmd, true)
}

// goalsShown says what of goals is shown.
type goalsShown struct{ explain, ids bool }

func goalsPage(p *page, out goals.GoalsResult, show goalsShown) {
	switch {
	case len(out.Goals) == 0 && len(out.Closed) == 0:
		p.line("No goals yet. %s states one; what a session leaves to do becomes one.", p.style.cyan("hebb goals add TITLE"))
		p.line("%s", p.style.dim("So does what you postpone in a prompt: “later we should …”, “remind me to …”, “TODO: …”."))
	case len(out.Goals) == 0:
		p.line("No open goals.")
	case show.explain:
		for i, r := range out.Goals {
			if i > 0 {
				p.gap()
			}
			goalReasons(p, r, show)
		}
	default:
		open := mapped(out.Goals, func(r goal.Ranked) memory.Goal { return r.Goal })
		goalTable(p, open, show, "PRIORITY>", func(i int) string { return figure(out.Goals[i].Priority.Score) })
		p.gap()
		first := out.Goals[0].Priority
		p.paragraphs("", p.style.dim(fmt.Sprintf("The first: %s = %s. --explain shows this for each.", figure(first.Score), factors(first.Reasons))))
	}
	if len(out.Closed) > 0 {
		p.gap()
		p.heading("Closed")
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
	return strings.Join(mapped(reasons, func(reason string) string {
		figure, said, _ := strings.Cut(scrub.Line(reason), ": ")
		return fmt.Sprintf("%s (%s)", figure, said)
	}), " × ")
}

// goalTable shows goals; first is the first column.
func goalTable(p *page, goals []memory.Goal, show goalsShown, header string, first func(i int) string) {
	headers := []string{header, "KIND", "STATUS", "DONE>"}
	where := slices.ContainsFunc(goals, func(g memory.Goal) bool { return goalPlace(p, g) != "" })
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
			rows[i] = append(rows[i], cmp.Or(goalPlace(p, g), "here"))
		}
		if show.ids {
			rows[i] = append(rows[i], string(g.ID))
		}
		rows[i] = append(rows[i], g.Title)
	}
	p.table(append(headers, "TITLE~"), rows)
}

// goalPlace is the project of a goal on a page about several.
func goalPlace(p *page, g memory.Goal) string {
	if g.Project == 0 {
		return "everywhere"
	}
	return p.names[g.Project]
}

// goalReasons shows a goal with its four factors.
func goalReasons(p *page, r goal.Ranked, show goalsShown) {
	p.line("%s  %s  %s", figure(r.Priority.Score), p.style.bold(scrub.Line(r.Goal.Title)), goalState(p, r.Goal))
	for _, reason := range r.Priority.Reasons {
		p.line("%s%s", indent, p.style.dim(scrub.Line(reason)))
	}
	if g := r.Goal; g.Text != "" && !strings.EqualFold(strings.TrimRight(g.Text, ". "), g.Title) {
		p.paragraphs("", g.Text)
	}
	for _, f := range r.Goal.Links.Files {
		p.line("%s%s", indent, p.style.dim("file "+shownName(f)))
	}
	for _, c := range r.Goal.Links.Crystals {
		p.line("%s%s", indent, p.style.dim("memory "+string(c)))
	}
	for _, other := range r.Goal.Links.Goals {
		p.line("%s%s", indent, p.style.dim("goal "+string(other)))
	}
	if show.ids {
		p.line("%s%s", indent, p.style.dim(string(r.Goal.ID)))
	}
}

// goalState is the kind of a goal, and its status, progress and project where they are not the usual.
func goalState(p *page, g memory.Goal) string {
	said := []string{string(g.Kind)}
	if g.Status != memory.GoalActive {
		said = append(said, string(g.Status))
	}
	if g.Progress > 0 && g.Status != memory.GoalDone {
		said = append(said, percent(g.Progress)+" done")
	}
	if place := goalPlace(p, g); place != "" {
		said = append(said, shownName(place))
	}
	return p.style.dim(strings.Join(said, ", "))
}

func (a *app) goalAddCommand() *cobra.Command {
	var in goals.GoalInput
	cmd := &cobra.Command{
		Use: "add TITLE", Short: "Add a goal, a question or a postponed step",
		Long: `Adds a goal to this project. The title says in a few words what is wanted. If a goal of the same meaning exists, it counts as
mentioned again and gets the files as well.

--file links files: work on them is work on the goal, and goals that share one raise each other's priority. --memory links a memory
(its ID, as hebb search and hebb note show it), --goal another goal. --text adds details. --tractability says how far an agent gets
alone: 1 all the way, 0.5 with a review (the default), 0.2 only with answers from a person. For a goal that nobody can advance, use
hebb goals block. Where an agent runs the command, the goal is the agent's and does not count as mentioned by you.`,
		Example: `  hebb goals add "revoke the old tokens" --file src/auth.go --file src/session.go
  hebb goals add --kind question "why does the second login take a second?"
  hebb goals add --tractability 0.2 "choose a name for the product"
  hebb goals add "cut the release" --text "only when the migration was tried on a copy" --goal "migration"
  hebb goals add --everywhere "answer in shorter sentences"`,
		Args: arguments(1, -1, "a title"),
		RunE: func(cmd *cobra.Command, args []string) error {
			// The operation takes 0 for the default.
			if cmd.Flags().Changed("tractability") && !(in.Tractability > 0 && in.Tractability <= 1) {
				return usageError{fmt.Errorf("goals add: --tractability %g: want more than 0 and at most 1; use hebb goals block if nobody can advance it", in.Tractability)}
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
	f := cmd.Flags()
	choiceFlag(cmd, &in.Kind, "kind", "k", memory.GoalKinds, "what it is (default goal)")
	f.Float64Var(&in.Tractability, "tractability", -1, "how far an agent gets alone, above 0 up to 1 (default 0.5)")
	f.Lookup("tractability").DefValue = "" // -1 means not given
	f.StringArrayVar(&in.Files, "file", nil, "a file that it is about; may be repeated")
	f.StringVarP(&in.Text, "text", "t", "", "details beyond the title")
	f.StringArrayVar(&in.Crystals, "memory", nil, "a linked memory, by its ID; may be repeated")
	f.StringArrayVar(&in.Goals, "goal", nil, "another linked goal; may be repeated")
	everywhereFlag(cmd, &in.Everywhere)
	return a.scopeFlags(cmd, false)
}

func goalAddedPage(p *page, out goals.GoalResult) {
	word := p.style.green("Added")
	if out.Known {
		word = "Known already, and mentioned again"
		if out.Origin == memory.OriginAgent && out.MentionedAt.IsZero() {
			word = "Known already"
		}
	}
	p.line("%s: %s  %s", word, p.style.bold(scrub.Line(out.Title)), goalState(p, out.Goal))
	for _, f := range out.Links.Files {
		p.line("%s", p.style.dim("linked to: "+shownName(f)))
	}
	if n := len(out.Links.Crystals); n > 0 {
		p.line("%s", p.style.dim("linked to: "+count(n, "memory", "memories")))
	}
	if n := len(out.Links.Goals); n > 0 {
		p.line("%s", p.style.dim("linked to: "+count(n, "goal", "goals")))
	}
	p.line("%s", p.style.dim(string(out.ID)))
}

// goalChange is a command that sets the status of a goal.
type goalChange struct {
	name, short, long string
	status            memory.GoalStatus
	said              string // before the title, when it is done
	open              bool   // it is meant for open goals
}

var goalChanges = []goalChange{
	{"done", "Mark a goal as reached", "Closes the goal; hebb goals --closed still lists it.", memory.GoalDone, "Done", true},
	{
		"drop", "Mark a goal as not wanted any more", "Closes the goal; hebb goals --closed still lists it, and hebb goals wake reopens it.",
		memory.GoalDropped, "Dropped", true,
	},
	{
		"block", "Mark a goal as waiting for something outside", "The goal moves to the end of the list and is not suggested until hebb goals wake.",
		memory.GoalBlocked, "Blocked", true,
	},
	{"wake", "Make a goal active again", "Makes a goal active that was blocked, paused, done or dropped.", memory.GoalActive, "Active", false},
	{
		"rest", "Pause a goal for a while",
		`The goal incubates: hebb next does not suggest it, but hebb think still compares what happens with it. hebb pauses a goal on its
own after three sessions without progress. After five sessions the start of a session asks for a decision. Progress or hebb goals
wake makes it active again.`, memory.GoalIncubating, "Paused", true,
	},
}

const goalNamed = " A GOAL is named by its ID, the beginning of it, or a part of its title."

func (a *app) goalChangeCommand(c goalChange) *cobra.Command {
	return a.scopeFlags(&cobra.Command{
		Use: c.name + " GOAL", Short: c.short, Long: c.long + goalNamed, Example: fmt.Sprintf("  hebb goals %s \"old tokens\"", c.name),
		Args:              arguments(1, -1, "a goal: its ID, the beginning of it, or a part of its title"),
		ValidArgsFunction: a.completeGoals(c.open),
		RunE: func(cmd *cobra.Command, args []string) error {
			in := goals.GoalChange{Goal: strings.Join(args, " "), Status: c.status, Progress: -1}
			return a.changeGoal(cmd, in, c.said)
		},
	}, false)
}

func (a *app) changeGoal(cmd *cobra.Command, in goals.GoalChange, said string) error {
	in.Scope, in.Origin = a.scope(), a.speaker()
	return run(cmd.Context(), a, a.fresh, goals.ChangeGoal, in, func(p *page, out memory.Goal) {
		p.line("%s: %s  %s", said, p.style.bold(scrub.Line(out.Title)), goalState(p, out))
		if in.Status == "" && !out.Status.Open() && in.Progress < 1 {
			p.line("It is still %s; %s reopens it.", out.Status, p.style.cyan("hebb goals wake"))
		}
	})
}

func (a *app) goalProgressCommand() *cobra.Command {
	return a.scopeFlags(&cobra.Command{
		Use: "progress GOAL SHARE", Short: "Set the progress of a goal",
		Long: `SHARE is 0 to 1, or a percentage such as 40%. Progress counts as work on the goal: it is recent again, the count of sessions
without progress restarts, and a paused goal becomes active. The same or a smaller share counts as work without progress. A goal
that was done and gets less than 1 is reopened.` + goalNamed,
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
	}, false)
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

// completeGoals offers goals to the shell: the open ones, or those that can be made active.
func (a *app) completeGoals(open bool) cobra.CompletionFunc {
	in := func(*cobra.Command) goals.GoalsInput { return goals.GoalsInput{Scope: a.scope(), Closed: !open} }
	return completes(a, 1, goals.Goals, in, func(out goals.GoalsResult) []string {
		known := slices.Clone(out.Closed)
		for _, r := range out.Goals {
			if open || r.Goal.Status != memory.GoalActive {
				known = append(known, r.Goal)
			}
		}
		return mapped(known, func(g memory.Goal) string { return cobra.CompletionWithDesc(string(g.ID), scrub.Line(g.Title)) })
	})
}
