package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/goal"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/steward"
)

var thinkDepths = []string{goal.Brief.String(), goal.Full.String(), goal.Deep.String()}

func (a *app) thinkCommand() *cobra.Command {
	var in goals.ThinkInput
	cmd := &cobra.Command{
		Use: "think", Short: "Connect what happened lately to goals",
		Long: `Picks episodes from the latest sessions of this project (a file read at length, an exchange on one topic, an error and its fix, a
note), recent ones and those near a goal more often, and compares each with the goals of the highest priority. Episodes and goals
whose words and meaning are similar enough are connected. All steps are shown.

Connections are kept. Strong ones become notes (scratch.md, for the next dream) and make a paused goal active. A connection is not
shown again for six hours; a goal is not compared with the session that it came from. hebb also thinks on its own: briefly when a
task ends, fully after five minutes without work, deeply in sleep, each once for what is new. hebb next, the start of a session and
hebb timeline show the results.

--depth is brief (3 steps), full (15) or deep (45, with more goals); brief and full end early with a strong connection, or after
three steps without one. --dry-run keeps nothing. The same --seed on the same memory gives the same result.`,
		Example: "  hebb think\n  hebb think --depth deep --dry-run\n  hebb think --seed 7 --json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			in.Scope = a.scope()
			return a.synced(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
				out, err := steward.Run(ctx, b, goals.Think, in)
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
	in.Depth = goal.Full.String()
	choiceFlag(cmd, &in.Depth, "depth", "d", thinkDepths, "how long")
	cmd.Flags().Uint64Var(&in.Seed, "seed", 0, "seed of the random choice, 0 for the time")
	cmd.Flags().BoolVar(&in.Dry, "dry-run", false, "keep neither connections nor notes")
	cmd.AddCommand(a.judgeThoughtCommand("used", "Mark a connection as helpful", true),
		a.judgeThoughtCommand("wrong", "Mark a connection as wrong", false))
	return a.scopeFlags(cmd, false)
}

func (a *app) judgeThoughtCommand(name, short string, used bool) *cobra.Command {
	return &cobra.Command{
		Use: name + " NUMBER", Short: short,
		Long: `hebb think shows the number of each connection that it keeps. A helpful one lowers the threshold of connections, a wrong one
raises it by twice as much, so that about two of three are of use.`,
		Example: "  hebb think " + name + " 3",
		Args:    arguments(1, 1, "the number of a connection"),
		RunE: func(cmd *cobra.Command, args []string) error {
			in := goals.ThoughtInput{ID: strings.TrimPrefix(args[0], "#"), Used: used}
			return a.with(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
				if _, err := steward.Run(ctx, b, goals.JudgeThought, in); err != nil {
					return err
				}
				return a.show(in, func(p *page) { p.line("Connection %s was %s; the threshold is adjusted.", in.ID, name) })
			})
		},
	}
}

func thinkPage(p *page, out goals.ThinkResult, dry bool) {
	for i, s := range out.Steps {
		p.line("%s  %s", p.style.bold(fmt.Sprintf("%d. %s", i+1, s.Episode.Kind)), p.style.dim(p.ago(s.Episode.At)))
		p.paragraphs("", scrub.Line(s.Episode.Text))
		comparedLines(p, s.Compared)
	}
	if len(out.Steps) > 0 {
		p.gap()
	}
	p.line("Ended: %s.", scrub.Line(out.Ended))
	if out.Rested > 0 {
		p.line("%s", p.style.dim(count(out.Rested, "episode was", "episodes were")+" skipped: shown lately."))
	}
	if len(out.Steps) == 0 {
		p.line("%s states a goal; sessions with a wired agent (%s) and notes (%s) are the material.",
			p.style.cyan("hebb goals add TITLE"), p.style.cyan("hebb init"), p.style.cyan("hebb note TEXT"))
		return
	}
	if len(out.Connections) == 0 {
		p.line("No connections.")
	} else {
		p.gap()
		p.heading("Connections")
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
		p.line("%s or %s rates one.", p.style.cyan("hebb think used NUMBER"), p.style.cyan("hebb think wrong NUMBER"))
	}
	for _, title := range out.Woken {
		p.line("%s was paused and is active again.", p.style.bold(scrub.Line(title)))
	}
	if out.Notes > 0 {
		kept = " " + count(out.Notes, "note was", "notes were") + " made for the next dream."
	}
	p.gap()
	p.line("%s", p.style.dim(fmt.Sprintf("Threshold %s, seed %d.%s", figure(out.Threshold), out.Seed, kept)))
}

// thinkWeak is how many goals below the threshold are shown at each step.
const thinkWeak = 2

// comparedLines shows the goals that an episode was compared with: all above the threshold, and the nearest of the rest.
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
		p.line("%s%s%s", indent, indent, p.style.dim("and "+count(more, "weaker goal", "weaker goals")))
	}
}

func (a *app) nextCommand() *cobra.Command {
	var in brain.ListInput
	cmd := &cobra.Command{
		Use: "next", Short: "Show what to do now, and why",
		Long: `Lists the active goals of the highest priority with the reasons, connections that thinking found between sessions, what the last
session left to do, and goals that were paused so long that somebody has to decide. Blocked and paused goals are not suggested; hebb
goals lists all.`,
		Example: "  hebb next\n  hebb next --limit 1\n  hebb next --json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			in.Scope = a.scope()
			return run(cmd.Context(), a, a.fresh, goals.NextUp, in, nextPage)
		},
	}
	const few = 3 // more would be a list to choose from, not an answer
	cmd.Flags().IntVarP(&in.Limit, "limit", "n", few, "at most this many goals, 0 for all")
	return a.scopeFlags(cmd, false)
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
	p.gap()
	p.heading("Connections")
	for _, r := range thoughts {
		p.line("%s%s  %s", indent, p.style.bold(fmt.Sprintf("#%d", r.Number)), scrub.Line(r.Title))
		p.line("%s%s%s  %s", indent, indent, scrub.Line(r.Episode), p.style.dim(p.ago(r.Lived)))
		p.line("%s%s%s", indent, indent, p.style.dim(scrub.Line(r.Why)))
		for _, f := range r.Files {
			p.line("%s%s%s", indent, indent, p.style.dim(shownName(f)))
		}
	}
	p.line("%s", p.style.dim("hebb think used NUMBER or hebb think wrong NUMBER rates one; it is not shown again then."))
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
	if first.Depth != "" {
		line += " (" + first.Depth + ")"
	}
	return line
}

func nextPage(p *page, out goals.NextResult) {
	if len(out.Next) == 0 {
		if out.Wanted {
			p.line("No active goals. %s lists those blocked or paused; %s adds one.",
				p.style.cyan("hebb goals"), p.style.cyan("hebb goals add TITLE"))
		} else {
			p.line("No goals yet. %s adds the first.", p.style.cyan("hebb goals add TITLE"))
		}
		p.line("%s", p.style.dim("What a session leaves to do, and what you postpone in a prompt, becomes a goal."))
	}
	for i, r := range out.Next {
		p.line("%s %s  %s", p.style.bold(fmt.Sprintf("%d.", i+1)), p.style.bold(scrub.Line(r.Goal.Title)), goalState(p, r.Goal))
		p.paragraphs("", p.style.dim(fmt.Sprintf("priority %s: %s", figure(r.Priority.Score), inWords(r.Priority.Reasons))))
		for _, f := range r.Goal.Links.Files {
			p.line("%s%s", indent, p.style.dim(shownName(f)))
		}
	}
	recollections(p, out.Thoughts)
	if out.Left != "" {
		p.gap()
		p.heading("The last session left")
		p.paragraphs("", out.Left)
	}
	if len(out.Resting) > 0 {
		p.gap()
		p.heading("Paused long enough")
		for _, line := range out.Resting {
			p.paragraphs("", line)
		}
	}
}
