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
		Use: "think", Short: "Let what happened come to mind, and connect it to what is wanted",
		Long: `Goes through the latest sessions of this project the way a mind does between tasks: episodes come to mind (a file read at
length, an exchange on one topic, an error and what mended it, a note), the later and the nearer to a goal the likelier, and
each is held against the goals of the highest priority. Where words and meaning are near enough, they connect. The whole
train of thought is shown: what came to mind, what it was held against, what connected, and why it ended.

Connections are kept, strong ones become notes (scratch.md, for the next dream) and bring back a goal that was left alone.
What was shown is not shown again for six hours; a goal is not held against the session that it came from. hebb does all this by
itself as well: briefly when a task ends, fully when nobody has worked for five minutes, deeply while it sleeps, each once for
what is new. hebb next, the start of a session and hebb timeline tell what came of it.

--depth says how long: brief (3 steps), full (15) or deep (45, against more goals); brief and full end early with a
strong connection, or after three dull steps. --dry-run keeps nothing. The same --seed on the same memory thinks the same.`,
		Example: "  hebb think\n  hebb think --depth deep --dry-run\n  hebb think --seed 7 --json",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if in.Depth, err = oneOf("depth", in.Depth, thinkDepths); err != nil {
				return err
			}
			in.Scope = a.scope()
			return a.tended(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
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
			in := goals.ThoughtInput{ID: strings.TrimPrefix(args[0], "#"), Used: used}
			return a.with(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
				if _, err := steward.Run(ctx, b, goals.JudgeThought, in); err != nil {
					return err
				}
				return a.show(in, func(p *page) { p.line("Connection %s was %s; the next are chosen by it.", in.ID, name) })
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
	p.line("It ended: %s.", scrub.Line(out.Ended))
	if out.Rested > 0 {
		p.line("%s", p.style.dim(count(out.Rested, "episode was", "episodes were")+" left alone: what came of them was shown lately."))
	}
	if len(out.Steps) == 0 {
		p.line("%s states a goal; sessions with a wired agent (%s) and notes (%s) give something to think back to.",
			p.style.cyan("hebb goals add TITLE"), p.style.cyan("hebb init"), p.style.cyan("hebb note TEXT"))
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
	for _, title := range out.Woken {
		p.line("%s had been left alone, and is taken up again.", p.style.bold(scrub.Line(title)))
	}
	if out.Notes > 0 {
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
		Long: `Names the active goals of this project that want attention most, with the reasons; then what came to mind between sessions
and may help, what the last session left to do, and goals that rested so long that somebody has to decide. What is blocked or left alone is not suggested; hebb goals lists all.`,
		Example: "  hebb next\n  hebb next --limit 1\n  hebb next --json",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			in.Scope = a.scope()
			return a.fresh(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
				out, err := steward.Run(ctx, b, goals.NextUp, in)
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

// recollections shows what thinking found between sessions.
func recollections(p *page, thoughts []goals.Recollection) {
	if len(thoughts) == 0 {
		return
	}
	p.gap()
	p.line("%s", p.style.bold("What came to mind"))
	for _, r := range thoughts {
		p.line("%s%s  %s", indent, p.style.bold(fmt.Sprintf("#%d", r.Number)), scrub.Line(r.Title))
		p.line("%s%s%s  %s", indent, indent, scrub.Line(r.Episode), p.style.dim(p.ago(r.Lived)))
		p.line("%s%s%s", indent, indent, p.style.dim(scrub.Line(r.Why)))
		for _, f := range r.Files {
			p.line("%s%s%s", indent, indent, p.style.dim(shownName(f)))
		}
	}
	p.line("%s", p.style.dim("hebb think used NUMBER or hebb think wrong NUMBER says whether it helped; it is not told again then."))
}

// thoughtLine is a train of thought in one line: its strongest connection.
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
	if len(out.Next) == 0 && !out.Wanted {
		p.line("Nothing is wanted here yet. %s states the first goal.", p.style.cyan("hebb goals add TITLE"))
	} else if len(out.Next) == 0 {
		p.line("No goal can be moved now. %s lists what is blocked or left alone; %s states a new one.",
			p.style.cyan("hebb goals"), p.style.cyan("hebb goals add TITLE"))
	}
	if len(out.Next) == 0 {
		p.line("%s", p.style.dim("What a session leaves to do, and what you put off in a prompt, becomes a goal by itself."))
	}
	for i, r := range out.Next {
		p.line("%s %s  %s", p.style.bold(fmt.Sprintf("%d.", i+1)), p.style.bold(scrub.Line(r.Goal.Title)), goalState(p, r.Goal, goalsShown{}))
		p.paragraphs("", p.style.dim(fmt.Sprintf("priority %s: %s", figure(r.Priority.Score), inWords(r.Priority.Reasons))))
		for _, f := range r.Goal.Links.Files {
			p.line("%s%s", indent, p.style.dim(shownName(f)))
		}
	}
	recollections(p, out.Thoughts)
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
