package cli

import (
	"context"
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/texts"
)

func (a *app) moodCommand() *cobra.Command {
	var limit int
	cmd := &cobra.Command{
		Use: "mood", Short: "Tell how the work feels, and what moved it",
		Long: `Three levels from 0 to 1 follow the work: reward (dopamine) rises with praise, commits and mended errors, stress
(cortisol) with failures and urgency, bond (oxytocin) with kind words and working hand in hand. Each falls back to its rest by
itself, within hours. The mood weighs what a dream keeps: a breakthrough or a friction is told first. What lifts a level above
0.7 is noted by itself.

The line beside each level is its past, oldest first, on a scale from 0 to 1. hebb reward and hebb friction are your own
signals.`,
		Example: "  hebb mood\n  hebb mood --limit 100\n  hebb mood --json",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if limit == 0 {
				limit = math.MaxInt32
			}
			return a.fresh(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
				out, err := steward.Run(ctx, b, desk.MoodNow, brain.ListInput{Scope: a.scope(), Limit: limit})
				if err != nil {
					return err
				}
				return a.show(out, func(p *page) { moodPage(p, out) })
			})
		},
	}
	cmd.Flags().IntVarP(&limit, "limit", "n", 40, "look back at most this many events, 0 for all that are kept")
	return cmd
}

// moodMoments is how many of the latest events a person is told; the lines show more.
const moodMoments = 5

func moodPage(p *page, out desk.MoodResult) {
	p.heading(scrub.Line(out.Words))
	moodLevels(p, out)
	p.paragraphs("", out.Attention)
	if len(out.History) == 0 {
		p.gap()
		p.line("Nothing has moved it yet. %s and %s say how it went.", p.style.cyan("hebb reward"), p.style.cyan("hebb friction"))
		return
	}
	p.gap()
	rows := [][]string{}
	for i := len(out.History) - 1; i >= max(0, len(out.History)-moodMoments); i-- {
		m := out.History[i]
		rows = append(rows, []string{p.ago(m.At), figure(m.Reward), figure(m.Stress), figure(m.Bond), m.Why})
	}
	p.table([]string{"AGO", "REWARD>", "STRESS>", "BOND>", "MOVED BY~"}, rows)
}

// moodLevels shows each level under both of its names, with its past as a line as long as there is room for.
func moodLevels(p *page, out desk.MoodResult) {
	names, width := make([]string, len(out.Levels)), 0
	for i, l := range out.Levels {
		names[i] = fmt.Sprintf("%s (%s)", l.Name, l.Hormone)
		width = max(width, columns(names[i]))
	}
	for i, l := range out.Levels {
		past := make([]float64, 0, len(out.History)+1)
		for _, m := range out.History {
			past = append(past, map[string]float64{"reward": m.Reward, "stress": m.Stress, "bond": m.Bond}[l.Name])
		}
		past = append(past, l.Level)
		label := fmt.Sprintf("%s%-*s  %s  ", indent, width, names[i], figure(l.Level))
		rest := "  at rest " + figure(l.Rest)
		if room := p.width - columns(label+rest); p.width > 0 {
			past = past[max(0, len(past)-max(room/columns(sparkline(past[:1], 1)), 1)):]
		}
		p.line("%s%s%s", label, p.style.cyan(sparkline(past, 1)), p.style.dim(rest))
	}
}

func (a *app) rewardCommand() *cobra.Command {
	return a.feeling("reward", &cobra.Command{
		Use: "reward [TEXT|-]", Short: "Say that something went well",
		Long: `Lifts the mood: what was just done was right. TEXT says what it was; it is kept as a note of its own, so that the
next dream tells it and hebb search finds it. - reads it from standard input. hebb mood shows what came of it.`,
		Example: "  hebb reward\n  hebb reward \"the new retry logic survived the outage\"",
	})
}

func (a *app) frictionCommand() *cobra.Command {
	return a.feeling("friction", &cobra.Command{
		Use: "friction [TEXT|-]", Short: "Say that something went wrong",
		Long: `Raises stress: what was just done was wrong, slow or annoying. TEXT says what it was; it is kept as a note of its
own, so that the next dream tells it and no session has to find it out again. - reads it from standard input. hebb mood shows
what came of it.`,
		Example: "  hebb friction\n  hebb friction \"do not reformat files that you only read\"",
	})
}

// feeling is a person's own signal. What they say of it is noted first, by whoever says it and in their project: a signal
// alone carries neither.
func (a *app) feeling(event string, cmd *cobra.Command) *cobra.Command {
	cmd.Args, cmd.ValidArgsFunction = arguments(0, -1, "nothing, or what it was about"), cobra.NoFileCompletions
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		note := texts.NoteInput{Scope: a.scope(), Kind: memory.Lesson, Importance: desk.FeltImportance, Origin: a.speaker(), Felt: []string{event}}
		if len(args) > 0 {
			var err error
			if note.Text, err = a.saidOrRead(args); err != nil {
				return fmt.Errorf("%s: %w", event, err)
			}
		}
		return a.tended(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
			if note.Text != "" {
				if _, err := steward.Run(ctx, b, desk.TakeNote, note); err != nil && !isTaken(err) {
					return err
				}
			}
			out, err := steward.Run(ctx, b, desk.Feel, desk.FeelInput{Scope: a.scope(), Event: event})
			if err != nil {
				return err
			}
			return a.show(out, func(p *page) { feltPage(p, out, note.Text != "") })
		})
	}
	a.scopeFlags(cmd, false)
	return cmd
}

func feltPage(p *page, out desk.MoodResult, noted bool) {
	p.line("Felt. The mood is now: %s", p.style.bold(scrub.Line(out.Words)))
	moodLevels(p, out)
	if noted {
		p.line("%s", p.style.dim("What you said is noted; the next dream takes it in."))
	}
}
