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
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/state"
	"github.com/hebb-memory/hebb/internal/steward"
)

// goalsShown chooses what a list of goals shows.
type goalsShown struct {
	brain.Scope `flag:"all"`
	Closed      bool `flag:"closed" about:"also those that are done or dropped"`
	Explain     bool `flag:"explain,e" about:"show the four factors of each priority"`
	Verbose     bool `flag:"verbose,v,hidden" about:"the same as --explain"`
	IDs         bool `flag:"ids" about:"show the ID of each goal"`
}

func (a *app) goalsCommand() *cobra.Command {
	cmd := takes(a, &cobra.Command{
		Use: "goals", Aliases: []string{"goal"}, Short: "List goals, questions and postponed steps by priority",
		Long: `A goal is something to reach, a question, a gap in knowledge, or a postponed step. What a wrap-up
notes as next becomes one, and so does what a sentence of yours in a prompt says after "goal:",
"todo:" or "next:", and what an agent's task list still has open when its session closes. Two of the
same meaning are one, and yours come first.

hebb closes a goal when a commit names all of it, or a sentence of yours that says no more than that
it is done or dropped ("the export is done", "drop the export"), and when the agent that reads your
sessions finds that you ended it; wake reopens it.

PRIORITY is recency × mention × tractability × connections: when it was last worked on, when you
last mentioned it, how far an agent gets alone, and how many active goals share a file or a memory
with it. A goal is active, incubating (paused without progress), blocked (waits for something
outside), done or dropped. GOAL is its ID, the beginning of it, or a part of its title.`,
		Example: `  hebb goals add "revoke the old tokens" --file src/auth.go`,
	}, goalsShown{}, func(cmd *cobra.Command, show goalsShown) error {
		in := goals.GoalsInput{Scope: show.Scope, Closed: show.Closed, All: show.All && show.Project == ""}
		return run(cmd.Context(), a, a.fresh, goals.Goals, in, func(p *page, out goals.GoalsResult) { goalsPage(p, out, show) })
	})
	cmd.AddCommand(a.goalAddCommand(), a.goalProgressCommand())
	for _, c := range goalChanges {
		cmd.AddCommand(a.goalChangeCommand(c))
	}
	cmd.AddCommand(asks(a, &cobra.Command{
		Use: "next", Short: "Show what to do now, and why",
		Long: `Lists the active goals of the highest priority with the reasons, connections that thinking found,
what the last session left to do, and goals that were paused so long that somebody has to decide.`,
		Example: "  hebb goals next --limit 1",
	}, a.fresh, goals.NextUp, brain.ListInput{Limit: 3}, nextPage), // more would be a list to choose from, not an answer
		under(a.thinkCommand(), a.judgeThoughtCommand("used", "Mark a connection as helpful", true),
			a.judgeThoughtCommand("wrong", "Mark a connection as wrong", false)))
	return cmd
}

func goalsPage(p *page, out goals.GoalsResult, show goalsShown) {
	switch {
	case len(out.Goals) == 0 && len(out.Closed) == 0:
		p.line("No goals yet. `hebb goals add TITLE` states one, and so does \"todo: TITLE\" in a prompt.")
	case len(out.Goals) == 0:
		p.line("No open goals.")
	case show.Explain || show.Verbose:
		for i, r := range out.Goals {
			p.between(i)
			goalReasons(p, r, show)
		}
	default:
		open := mapped(out.Goals, func(r goals.Ranked) memory.Goal { return r.Goal })
		at := 0
		goalTable(p, open, show, "PRIORITY>", func(memory.Goal) any { at++; return out.Goals[at-1].Priority.Score })
		p.gap()
		first := out.Goals[0].Priority
		p.paragraphs("", p.style.dim(fmt.Sprintf("The first: %s = %s. --explain shows this for each.", figure(first.Score), factors(first.Reasons))))
	}
	if len(out.Closed) > 0 {
		p.section("Closed")
		goalTable(p, out.Closed, show, "LAST", func(g memory.Goal) any {
			if g.TouchedAt.After(g.CreatedAt) {
				return g.TouchedAt
			}
			return g.CreatedAt
		})
	}
}

// factors writes the reasons of a priority as a product.
func factors(reasons []string) string {
	return strings.Join(mapped(reasons, func(reason string) string {
		figure, said, _ := strings.Cut(scrub.Line(reason), ": ")
		return fmt.Sprintf("%s (%s)", figure, said)
	}), " × ")
}

// goalTable shows goals; first is the first column.
func goalTable(p *page, goals []memory.Goal, show goalsShown, column string, first func(memory.Goal) any) {
	columns := column + ", KIND, STATUS, DONE>"
	where := slices.ContainsFunc(goals, func(g memory.Goal) bool { return goalPlace(p, g) != "" })
	if where {
		columns += ", WHERE"
	}
	if show.IDs {
		columns += ", ID"
	}
	tableOf(p, columns+", TITLE~", goals, func(g memory.Goal) []any {
		cells := []any{first(g), g.Kind, g.Status, percent(g.Progress)}
		if where {
			cells = append(cells, cmp.Or(goalPlace(p, g), "here"))
		}
		if show.IDs {
			cells = append(cells, g.ID)
		}
		return append(cells, goalTitle(g))
	})
}

// goalTitle is what a goal is called, as whose words.
func goalTitle(g memory.Goal) string { return prose.SaidBy(g.Origin, scrub.Line(g.Title)) }

// goalPlace is the project of a goal on a page about several.
func goalPlace(p *page, g memory.Goal) string {
	return either(g.Project == 0, "everywhere", p.names[g.Project])
}

// goalReasons shows a goal with its four factors.
func goalReasons(p *page, r goals.Ranked, show goalsShown) {
	p.line("%s  %s  %s", figure(r.Priority.Score), p.style.bold(goalTitle(r.Goal)), goalState(p, r.Goal))
	for _, reason := range r.Priority.Reasons {
		p.note(indent + scrub.Line(reason))
	}
	if g := r.Goal; g.Text != "" && !strings.EqualFold(strings.TrimRight(g.Text, ". "), g.Title) {
		p.paragraphs("", g.Text)
	}
	for _, f := range r.Goal.Links.Files {
		p.note(indent + "file " + shownName(f))
	}
	for _, c := range r.Goal.Links.Crystals {
		p.note(indent + "memory " + string(c))
	}
	p.noteIf(show.IDs, indent+string(r.Goal.ID))
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
	return takes(a, &cobra.Command{
		Use: "add TITLE", Short: "Add a goal, a question or a postponed step",
		Long: `Adds a goal to this project. If one of the same meaning exists, it counts as mentioned again.
--file links files: work on them is work on the goal. --tractability says how far an agent gets
alone: 1 all the way, 0.5 with a review (the default), 0.2 only with answers from a person. A goal
that an agent adds does not count as mentioned by you.`,
		Example: `  hebb goals add "revoke the old tokens" --file src/auth.go --file src/session.go
  hebb goals add --kind question "why does the second login take a second?"
  hebb goals add --tractability 0.2 "choose a name for the product"`,
	}, goals.GoalInput{Tractability: -1}, func(cmd *cobra.Command, in goals.GoalInput) error {
		// The operation takes 0 for the default.
		if cmd.Flags().Changed("tractability") && !(in.Tractability > 0 && in.Tractability <= 1) {
			return usageError{fmt.Errorf("goals add: --tractability %g: want more than 0 and at most 1; use hebb goals block if nobody can advance it", in.Tractability)}
		}
		if strings.TrimSpace(in.Title) == "" {
			return usageError{errors.New("goals add: the title is empty; say in a few words what is wanted")}
		}
		return run(cmd.Context(), a, a.fresh, goals.AddGoal, in, func(p *page, out goals.GoalResult) {
			goalAddedPage(p, out)
			leftOut(p, out.Title, out.Text)
		})
	})
}

func goalAddedPage(p *page, out goals.GoalResult) {
	word := p.style.green("Added")
	if out.Known {
		word = "Already known, and mentioned again"
		if out.Origin == memory.OriginAgent && out.MentionedAt.IsZero() {
			word = "Already known"
		}
	}
	p.line("%s: %s  %s", word, p.style.bold(goalTitle(out.Goal)), goalState(p, out.Goal))
	for _, f := range out.Links.Files {
		p.note("linked to: " + shownName(f))
	}
	if n := len(out.Links.Crystals); n > 0 {
		p.note("linked to: " + count(n, "memory", "memories"))
	}
	p.note(string(out.ID))
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
		`The goal incubates: hebb goals next does not suggest it, but hebb goals think still compares what happens with it. hebb pauses a goal on its
own after three sessions without progress. After five sessions the start of a session asks for a decision. Progress or hebb goals
wake makes it active again.`, memory.GoalIncubating, "Paused", true,
	},
}

const goalNamed = " A GOAL is named by its ID, the beginning of it, or a part of its title."

func (a *app) goalChangeCommand(c goalChange) *cobra.Command {
	return takes(a, &cobra.Command{
		Use: c.name + " GOAL", Short: c.short, Long: c.long + goalNamed,
		ValidArgsFunction: a.completeGoals(c.open),
	}, goals.GoalChange{Status: c.status, Progress: -1}, func(cmd *cobra.Command, in goals.GoalChange) error { return a.changeGoal(cmd, in, c.said) })
}

func (a *app) changeGoal(cmd *cobra.Command, in goals.GoalChange, said string) error {
	return run(cmd.Context(), a, a.fresh, goals.ChangeGoal, in, func(p *page, out memory.Goal) {
		if in.Status == memory.GoalDone && out.Status.Open() {
			said = "Reported as done"
		}
		p.line("%s: %s  %s", said, p.style.bold(goalTitle(out)), goalState(p, out))
		p.noteIf(in.Status == memory.GoalDone && out.Status.Open(), "The goal is the user's, who ends it: hebb goals done.")
		p.lineIf(in.Status == "" && !out.Status.Open() && in.Progress < 1, "It is still %s; `hebb goals wake` reopens it.", out.Status)
	})
}

func (a *app) goalProgressCommand() *cobra.Command {
	return takes(a, &cobra.Command{
		Use: "progress GOAL SHARE", Short: "Set the progress of a goal",
		Long: `SHARE is 0 to 1, or a percentage such as 40%. Progress counts as work on the goal: it is recent again, the count of sessions
without progress restarts, and a paused goal becomes active. The same or a smaller share counts as work without progress. A goal
that was done and gets less than 1 is reopened.` + goalNamed,
		Example:           "  hebb goals progress \"old tokens\" 0.4\n  hebb goals progress \"old tokens\" 40%",
		ValidArgsFunction: a.completeGoals(true),
	}, goals.GoalChange{}, func(cmd *cobra.Command, in goals.GoalChange) (err error) {
		args := cmd.Flags().Args()
		last := len(args) - 1
		if in.Progress, err = parseShare(args[last]); err != nil {
			return err
		}
		in.Goal = strings.Join(args[:last], " ")
		return a.changeGoal(cmd, in, "Progress")
	})
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
		return mapped(known, func(g memory.Goal) string { return cobra.CompletionWithDesc(string(g.ID), goalTitle(g)) })
	})
}

func (a *app) gapsCommand() *cobra.Command {
	return asks(a, &cobra.Command{
		Use: "gaps", Short: "List what is not known: open questions, searches without an answer",
		Long: `A gap is something that the memory of this project does not know. At most three are shown:

  question  somebody noted it, or a session of yours ended without an answer (hebb remember)
  search    you or an agent searched for it and found nothing (hebb remember)

A gap closes when it is answered, or after 30 days of work without one. Errors without a fix are in
hebb sessions timeline.`,
	}, a.fresh, state.Gaps, brain.Scope{}, rows("No gaps: no open question, no search without an answer.",
		"KIND, TIMES>, AGO, WHAT~", func(g state.Gap) []any { return []any{g.Kind, g.Times, g.At, g.Text} }))
}

func (a *app) thinkCommand() *cobra.Command {
	return takes(a, &cobra.Command{
		Use: "think", Short: "Connect what happened lately to goals",
		Long: `Compares what happened in the latest 100 sessions of this project and the latest notes with the
five goals of the highest priority, by words and files in common; rare words count more.
Connections are kept and shown by hebb goals next, hebb sessions timeline and, the strongest one,
at the start of a session. A paused goal becomes active again when something new connects to it.
hebb also thinks on its own: when a task ends, after five minutes without work, and in sleep.`,
	}, goals.ThinkInput{}, func(cmd *cobra.Command, in goals.ThinkInput) error {
		return a.synced(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
			out, err := steward.Run(ctx, b, goals.Think, in)
			if err != nil {
				return fmt.Errorf("think: %w", err)
			}
			out.Connections = append([]goals.Connection{}, out.Connections...) // programs expect a list
			return a.show(out, func(p *page) { thinkPage(p, out) })
		})
	})
}

func (a *app) judgeThoughtCommand(name, short string, used bool) *cobra.Command {
	return takes(a, &cobra.Command{
		Use: name + " NUMBER", Short: short,
		Long: `hebb goals think shows the number of each connection that it keeps. One that was rated is not
shown again.`,
		Example: "  hebb goals think " + name + " 3",
	}, goals.ThoughtInput{Used: used}, func(cmd *cobra.Command, in goals.ThoughtInput) error {
		in.ID = strings.TrimPrefix(in.ID, "#")
		return a.with(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
			if _, err := steward.Run(ctx, b, goals.JudgeThought, in); err != nil {
				return err
			}
			return a.show(in, func(p *page) { p.line("Connection %s was %s; it is not shown again.", in.ID, name) })
		})
	})
}

func thinkPage(p *page, out goals.ThinkResult) {
	switch {
	case out.Goals == 0:
		p.line("No goals to think of. `hebb goals add TITLE` states one.")
	case len(out.Connections) == 0:
		p.line("Nothing new connects to a goal: %s compared with %s.", count(out.Episodes, "episode", "episodes"), count(out.Goals, "goal", "goals"))
	default:
		p.heading("Connections")
	}
	for _, c := range out.Connections {
		number := either(c.Number != 0, p.style.bold(fmt.Sprintf("#%d", c.Number))+indent, "")
		p.line("%s%s%s  %s", indent, number, p.style.green(figure(c.Strength)), p.style.bold(goalTitle(c.Goal)))
		p.line("%s%s%s  %s", indent, indent, scrub.Line(c.Episode.Text), p.style.dim(p.ago(c.Episode.At)))
		p.line("%s%s%s", indent, indent, p.style.dim(scrub.Line(c.Why)))
	}
	for _, title := range out.Woken {
		p.line("%s was paused and is active again.", p.style.bold(scrub.Line(title)))
	}
	p.noteIf(len(out.Connections) > 0 && out.Connections[0].Number != 0, "hebb goals think used NUMBER or hebb goals think wrong NUMBER rates one; it is not shown again then.")
}

// inWords are reasons without the numbers, which hebb goals --explain shows.
func inWords(reasons []string) string {
	return strings.Join(mapped(reasons, func(reason string) string {
		if _, said, ok := strings.Cut(reason, ": "); ok {
			reason = said
		}
		return scrub.Line(reason)
	}), "; ")
}

// recollections shows the connections that thinking found between sessions.
func recollections(p *page, thoughts []goals.Recollection) {
	if len(thoughts) == 0 {
		return
	}
	p.section("Connections")
	for _, r := range thoughts {
		p.line("%s%s  %s", indent, p.style.bold(fmt.Sprintf("#%d", r.ID)), scrub.Line(r.Title))
		p.line("%s%s%s  %s", indent, indent, scrub.Line(r.Episode), p.style.dim(p.ago(r.Lived)))
		p.line("%s%s%s", indent, indent, p.style.dim(scrub.Line(r.Why)))
		for _, f := range r.Files {
			p.line("%s%s%s", indent, indent, p.style.dim(shownName(f)))
		}
	}
	p.note("hebb goals think used NUMBER or hebb goals think wrong NUMBER rates one; it is not shown again then.")
}

// thoughtLine is the strongest connection of a run of thinking, in one line.
func thoughtLine(m inspect.Moment) string {
	first := m.Thoughts[0]
	line := fmt.Sprintf("%q may help with %q", first.Episode, m.Text)
	if first.Episode == "" {
		line = fmt.Sprintf("of %q: %s", m.Text, first.Why)
	}
	if more := len(m.Thoughts) - 1; more > 0 {
		line += fmt.Sprintf(", and %d more", more)
	}
	return line
}

func nextPage(p *page, out goals.NextResult) {
	if len(out.Next) == 0 {
		if out.Wanted {
			p.line("No active goals. `hebb goals` lists those blocked or paused; `hebb goals add TITLE` " +
				"adds one.")
		} else {
			p.line("No goals yet. `hebb goals add TITLE` adds the first.")
		}
		p.note("What a wrap-up notes as next, what you say after \"todo:\" in a prompt, and what an agent's task list leaves open becomes a goal.")
	}
	for i, r := range out.Next {
		p.line("%s %s  %s", p.style.bold(fmt.Sprintf("%d.", i+1)), p.style.bold(goalTitle(r.Goal)), goalState(p, r.Goal))
		p.paragraphs("", p.style.dim(fmt.Sprintf("priority %s: %s", figure(r.Priority.Score), inWords(r.Priority.Reasons))))
		for _, f := range r.Goal.Links.Files {
			p.note(indent + shownName(f))
		}
	}
	recollections(p, out.Thoughts)
	if out.Left != "" {
		p.section("The last session left")
		p.paragraphs("", out.Left)
	}
	if len(out.Resting) > 0 {
		p.section("Paused long enough")
		for _, line := range out.Resting {
			p.paragraphs("", line)
		}
	}
}
