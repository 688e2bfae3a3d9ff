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
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
)

func (a *app) goalsCommand() *cobra.Command {
	var closed, explain, ids bool
	cmd := &cobra.Command{
		Use: "goals", Aliases: []string{"goal"}, Short: "List what is wanted, asked or put off, by priority",
		Long: `A goal is a current concern: something to reach, a question, a gap in what is known, a step that was put off. You state one
with hebb goals add; what a session leaves to do (hebb wrapup --next) becomes one by itself, and so does what you tell an
agent to do later. One of the same meaning is kept once.

PRIORITY is recency × mention × tractability × connections: how lately it was worked on, how lately you spoke of it, how far
an agent gets alone, and how many active goals share a file with it. --explain shows the four factors of each goal.

A goal is active, incubating (left alone on purpose, because work on it went round in circles), blocked (waits for something
outside), done or dropped. Elsewhere a GOAL is named by its ID (--ids), the beginning of it, or a piece of its title.
hebb next says what to do now; hebb think lets what happened come to mind and connects it to these goals.`,
		Example: `  hebb goals
  hebb goals --explain
  hebb goals add "revoke the old tokens" --file src/auth.go
  hebb goals progress "old tokens" 0.4
  hebb goals done "old tokens"`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.fresh(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
				out, names, err := a.goals(ctx, b, closed)
				if err != nil {
					return err
				}
				return a.show(out, func(p *page) { goalsPage(p, out, goalsShown{names, closed, explain, ids}) })
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

// goals lists the goals of a project, or of all. Those of the person are in every project; they are listed once.
func (a *app) goals(ctx context.Context, b *brain.Brain, closed bool) (brain.GoalsResult, labels, error) {
	in := brain.GoalsInput{Scope: a.scope(), Closed: closed}
	out, err := brain.Goals.Run(ctx, b, in)
	if err != nil || !a.all || a.project != "" {
		return out, nil, err
	}
	projects, err := brain.Projects.Run(ctx, b, struct{}{})
	names := labels{}
	for _, known := range projects {
		names[known.ID] = known.Name
		in.Scope = brain.Scope{Project: known.ID.String()}
		of, err := brain.Goals.Run(ctx, b, in)
		if err != nil {
			return out, nil, err
		}
		for _, g := range of.Goals {
			if g.Goal.Project == known.ID {
				out.Goals = append(out.Goals, g)
			}
		}
		for _, g := range of.Closed {
			if g.Project == known.ID {
				out.Closed = append(out.Closed, g)
			}
		}
	}
	// Each list is in order; a stable sort keeps the order of equals in it.
	slices.SortStableFunc(out.Goals, func(x, y goal.Ranked) int { return cmp.Compare(y.Priority.Score, x.Priority.Score) })
	return out, names, err
}

// goalsShown says what of goals is shown.
type goalsShown struct {
	names                labels // of all projects; nil: those of one are shown
	closed, explain, ids bool
}

func goalsPage(p *page, out brain.GoalsResult, show goalsShown) {
	switch {
	case len(out.Goals) == 0 && len(out.Closed) == 0:
		p.line("Nothing is wanted here. %s keeps something that is; what a session leaves to do comes by itself.", p.style.cyan("hebb goals add TITLE"))
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
	if show.ids {
		p.line("%s%s", indent, p.style.dim(string(r.Goal.ID)))
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
	var in brain.GoalInput
	var kind string
	cmd := &cobra.Command{
		Use: "add TITLE", Short: "Keep something that is wanted, asked or put off",
		Long: `Keeps a goal of this project. Its title says in a few words what is wanted; quotation marks are needed only where your shell
wants them. If a goal of the same meaning is there, that one counts as mentioned once more and gets the files as well.

--file ties it to files: work on them is work on the goal, and goals that share one lift each other. --tractability says how
far an agent gets alone: 1 all the way, 0.5 with a review (the usual), 0.2 only with answers of a person. What nobody can
move is blocked: hebb goals block. Where an agent runs the command (CLAUDECODE=1), the goal is the agent's and counts as
not mentioned by you.`,
		Example: `  hebb goals add "revoke the old tokens" --file src/auth.go --file src/session.go
  hebb goals add --kind question "why does the second login take a second?"
  hebb goals add --tractability 0.2 "choose a name for the product"
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
				out, err := brain.AddGoal.Run(ctx, b, in)
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
	f.BoolVar(&in.Everywhere, "everywhere", false, "in every project: it is about you, not about this work")
	fixedCompletion(cmd, "kind", memory.GoalKinds)
	return cmd
}

func goalAddedPage(p *page, out brain.GoalResult) {
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
			in := brain.GoalChange{Goal: strings.Join(args, " "), Status: c.status, Progress: -1}
			return a.changeGoal(cmd, in, c.said)
		},
	}
	a.scopeFlags(cmd, false)
	return cmd
}

func (a *app) changeGoal(cmd *cobra.Command, in brain.GoalChange, said string) error {
	in.Scope = a.scope()
	return a.fresh(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
		out, err := brain.ChangeGoal.Run(ctx, b, in)
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
			return a.changeGoal(cmd, brain.GoalChange{Goal: strings.Join(args[:last], " "), Progress: share}, "Progress")
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
			out, err := brain.Goals.Run(ctx, b, brain.GoalsInput{Scope: a.scope(), Closed: !open})
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

var thinkDepths = []string{goal.Brief.String(), goal.Full.String(), goal.Deep.String()}

func (a *app) thinkCommand() *cobra.Command {
	var in brain.ThinkInput
	cmd := &cobra.Command{
		Use: "think", Short: "Let what happened come to mind, and connect it to what is wanted",
		Long: `Goes through the latest sessions of this project the way a mind does between tasks: episodes come to mind (a file read at
length, an exchange on one topic, an error and what mended it, a note), the later and the nearer to a goal the likelier, and
each is held against the goals of the highest priority. Where words and meaning are near enough, they connect. The whole
train of thought is shown: what came to mind, what it was held against, what connected, and why it ended.

Connections are kept, strong ones become notes (scratch.md, for the next dream). What was shown is not shown again for six
hours. --depth says how long: brief (3 steps), full (15) or deep (45, against more goals); brief and full end early with a
strong connection, or after three dull steps. --dry-run keeps nothing. The same --seed on the same memory thinks the same.`,
		Example: "  hebb think\n  hebb think --depth deep --dry-run\n  hebb think --seed 7 --json",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if in.Depth, err = oneOf("depth", in.Depth, thinkDepths); err != nil {
				return err
			}
			in.Scope = a.scope()
			return a.tended(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
				out, err := brain.Think.Run(ctx, b, in)
				if err != nil {
					return fmt.Errorf("think: %w", err)
				}
				if out.Steps == nil { // programs want lists
					out.Steps = []goal.Step{}
				}
				if out.Connections == nil {
					out.Connections = []goal.Connection{}
				}
				if out.Numbers == nil {
					out.Numbers = []int64{}
				}
				return a.show(out, func(p *page) { thinkPage(p, out, in.Dry) })
			})
		},
	}
	a.scopeFlags(cmd, false)
	f := cmd.Flags()
	f.StringVarP(&in.Depth, "depth", "d", goal.Full.String(), "how long: "+strings.Join(thinkDepths, ", "))
	f.Uint64Var(&in.Seed, "seed", 0, "of what comes to mind; the same seed thinks the same, 0 goes by the time")
	f.BoolVar(&in.Dry, "dry-run", false, "keep neither connections nor notes")
	fixedCompletion(cmd, "depth", thinkDepths)
	cmd.AddCommand(a.judgeThoughtCommand("used", "Say that a connection helped", true),
		a.judgeThoughtCommand("wrong", "Say that a connection was wrong", false))
	return cmd
}

func (a *app) judgeThoughtCommand(name, short string, used bool) *cobra.Command {
	return &cobra.Command{
		Use: name + " NUMBER", Short: short,
		Long: `hebb think shows the number of each connection that it keeps. One that helped lowers what a connection needs, one that was
wrong raises it by twice as much: so it comes to rest where two of three are of use.`,
		Example:           "  hebb think " + name + " 3",
		Args:              arguments(1, 1, "the number of a connection"),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			in := brain.ThoughtInput{ID: strings.TrimPrefix(args[0], "#"), Used: used}
			return a.with(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
				if _, err := brain.JudgeThought.Run(ctx, b, in); err != nil {
					return err
				}
				return a.show(in, func(p *page) { p.line("Connection %s was %s; the next are chosen by it.", in.ID, name) })
			})
		},
	}
}

func thinkPage(p *page, out brain.ThinkResult, dry bool) {
	for i, s := range out.Steps {
		p.line("%s  %s", p.style.bold(fmt.Sprintf("%d. %s", i+1, s.Episode.Kind)), p.style.dim(p.ago(s.Episode.At)))
		p.paragraphs("", scrub.Line(s.Episode.Text))
		comparedLines(p, s.Compared)
	}
	if len(out.Steps) > 0 {
		p.gap()
	}
	p.line("It ended: %s.", scrub.Line(out.Ended))
	if out.Rested > 0 {
		p.line("%s", p.style.dim(count(out.Rested, "episode was", "episodes were")+" left alone: what came of them was shown lately."))
	}
	if len(out.Steps) == 0 {
		p.line("%s states a goal; sessions with a wired agent give something to think back to.", p.style.cyan("hebb goals add TITLE"))
		return
	}
	if len(out.Connections) == 0 {
		p.line("Nothing connected.")
	} else {
		p.gap()
		p.heading("What connected")
	}
	for i, c := range out.Connections {
		strength := figure(c.Strength)
		if c.Strong {
			strength += " strong"
		}
		number := ""
		if i < len(out.Numbers) {
			number = p.style.bold(fmt.Sprintf("#%d", out.Numbers[i])) + indent
		}
		p.line("%s%s%s  %s", indent, number, p.style.green(strength), p.style.bold(scrub.Line(c.Goal.Title)))
		p.line("%s%s%s", indent, indent, scrub.Line(c.Episode.Text))
		p.line("%s%s%s", indent, indent, p.style.dim(scrub.Line(c.Why)))
	}
	kept := ""
	switch {
	case dry && len(out.Connections) > 0:
		kept = " Nothing was kept."
	case len(out.Numbers) > 0:
		p.line("%s or %s says what became of one: the next are chosen by it.", p.style.cyan("hebb think used NUMBER"), p.style.cyan("hebb think wrong NUMBER"))
	}
	switch {
	case out.Notes > 0:
		kept = " " + count(out.Notes, "note was", "notes were") + " made for the next dream."
	}
	p.gap()
	p.line("%s", p.style.dim(fmt.Sprintf("A connection needs %s. Seed %d thinks this again on the same memory.%s", figure(out.Threshold), out.Seed, kept)))
}

// thinkWeak is how many goals that were too far from an episode are named at each step.
const thinkWeak = 2

// comparedLines shows what an episode was held against: all that was near enough, and the nearest of the rest.
func comparedLines(p *page, compared []goal.Compared) {
	weak := 0
	for _, c := range compared {
		if c.Outcome == goal.TooWeak {
			if weak++; weak > thinkWeak {
				continue
			}
		}
		outcome := string(c.Outcome)
		switch c.Outcome {
		case goal.Connected, goal.StrongConnected:
			outcome = p.style.green(outcome)
		case goal.ShownLately:
			outcome = p.style.yellow(outcome)
		default:
			outcome = p.style.dim(outcome)
		}
		p.line("%s%s%s  %s  %s", indent, indent, figure(c.Strength), outcome, scrub.Line(c.Title))
	}
	if more := weak - thinkWeak; more > 0 {
		p.line("%s%s%s", indent, indent, p.style.dim("and "+count(more, "goal", "goals")+" still farther away"))
	}
}

func (a *app) nextCommand() *cobra.Command {
	var in brain.ListInput
	cmd := &cobra.Command{
		Use: "next", Short: "Say what to do now, and why",
		Long: `Names the active goals of this project that want attention most, with the reasons; then what the last session left to do, and
goals that rested so long that somebody has to decide. What is blocked or left alone is not suggested; hebb goals lists all.`,
		Example: "  hebb next\n  hebb next --limit 1\n  hebb next --json",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			in.Scope = a.scope()
			return a.fresh(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
				out, err := brain.NextUp.Run(ctx, b, in)
				if err != nil {
					return err
				}
				return a.show(out, func(p *page) { nextPage(p, out) })
			})
		},
	}
	a.scopeFlags(cmd, false)
	const few = 3 // more would be a list to choose from, and no answer
	cmd.Flags().IntVarP(&in.Limit, "limit", "n", few, "at most this many goals, 0 for all")
	return cmd
}

// inWords are reasons without the numbers, which hebb goals --explain shows.
func inWords(reasons []string) string {
	words := make([]string, len(reasons))
	for i, reason := range reasons {
		if _, said, ok := strings.Cut(reason, ": "); ok {
			reason = said
		}
		words[i] = scrub.Line(reason)
	}
	return strings.Join(words, "; ")
}

func nextPage(p *page, out brain.NextResult) {
	if len(out.Next) == 0 {
		p.line("No goal can be moved now. %s lists what is blocked or left alone; %s states a new one.",
			p.style.cyan("hebb goals"), p.style.cyan("hebb goals add TITLE"))
	}
	for i, r := range out.Next {
		p.line("%s %s  %s", p.style.bold(fmt.Sprintf("%d.", i+1)), p.style.bold(scrub.Line(r.Goal.Title)), goalState(p, r.Goal, goalsShown{}))
		p.paragraphs("", p.style.dim(fmt.Sprintf("priority %s: %s", figure(r.Priority.Score), inWords(r.Priority.Reasons))))
		for _, f := range r.Goal.Links.Files {
			p.line("%s%s", indent, p.style.dim(shownName(f)))
		}
	}
	if out.Left != "" {
		p.gap()
		p.line("%s", p.style.bold("The last session left"))
		p.paragraphs("", out.Left)
	}
	if len(out.Resting) > 0 {
		p.gap()
		p.line("%s", p.style.bold("Rested long enough"))
		for _, line := range out.Resting {
			p.paragraphs("", line)
		}
	}
}
