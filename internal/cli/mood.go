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
		Use: "mood", Short: "Show the mood of the work, and what changed it",
		Long: `Three levels from 0 to 1 follow the work: reward (dopamine) rises with praise, commits and fixed errors, stress (cortisol) with
failures and urgency, bond (oxytocin) with kind words and close cooperation. Each returns to its rest level within hours. The mood
weighs what a dream keeps: successes and frictions come first. An event that lifts a level above 0.7 becomes a note.

The line beside each level is its past, oldest first, on a scale from 0 to 1. hebb reward and hebb friction are your own signals.`,
		Example: "  hebb mood\n  hebb mood --limit 100\n  hebb mood --json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if limit == 0 {
				limit = math.MaxInt32
			}
			return run(cmd.Context(), a, a.fresh, desk.MoodNow, brain.ListInput{Scope: a.scope(), Limit: limit}, moodPage)
		},
	}
	cmd.Flags().IntVarP(&limit, "limit", "n", 40, "look back at most this many events, 0 for all that are kept")
	return cmd
}

// moodMoments is how many of the latest events are listed; the lines show more.
const moodMoments = 5

func moodPage(p *page, out desk.MoodResult) {
	p.heading(scrub.Line(out.Words))
	moodLevels(p, out)
	p.paragraphs("", out.Attention)
	if len(out.History) == 0 {
		p.gap()
		p.line("Nothing has changed it yet. %s and %s are your signals.", p.style.cyan("hebb reward"), p.style.cyan("hebb friction"))
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
		width = max(width, visibleWidth(names[i]))
	}
	for i, l := range out.Levels {
		past := make([]float64, 0, len(out.History)+1)
		for _, m := range out.History {
			past = append(past, map[string]float64{"reward": m.Reward, "stress": m.Stress, "bond": m.Bond}[l.Name])
		}
		past = append(past, l.Level)
		label := fmt.Sprintf("%s%-*s  %s  ", indent, width, names[i], figure(l.Level))
		rest := "  at rest " + figure(l.Rest)
		if room := p.width - visibleWidth(label+rest); p.width > 0 {
			past = past[max(0, len(past)-max(room/visibleWidth(sparkline(past[:1], 1)), 1)):]
		}
		p.line("%s%s%s", label, p.style.cyan(sparkline(past, 1)), p.style.dim(rest))
	}
}

func (a *app) rewardCommand() *cobra.Command {
	return a.feeling("reward", &cobra.Command{
		Use: "reward [TEXT|-]", Short: "Record that something went well",
		Long: `Raises reward: what was just done was right. TEXT says what it was; it is kept as a note for the next dream, and hebb search finds
it. - reads it from standard input. hebb mood shows the effect.`,
		Example: "  hebb reward\n  hebb reward \"the new retry logic survived the outage\"",
	})
}

func (a *app) frictionCommand() *cobra.Command {
	return a.feeling("friction", &cobra.Command{
		Use: "friction [TEXT|-]", Short: "Record that something went wrong",
		Long: `Raises stress: what was just done was wrong, slow or annoying. TEXT says what it was; it is kept as a note for the next dream, and
hebb search finds it. - reads it from standard input. hebb mood shows the effect.`,
		Example: "  hebb friction\n  hebb friction \"do not reformat files that you only read\"",
	})
}

// feeling makes a command that records a person's own signal. Its text becomes a note, which has an origin and a project; a signal has
// neither.
func (a *app) feeling(event string, cmd *cobra.Command) *cobra.Command {
	cmd.Args = arguments(0, -1, "nothing, or what it was about")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		note := texts.NoteInput{Scope: a.scope(), Kind: memory.Lesson, Importance: desk.FeltImportance, Origin: a.speaker(), Felt: []string{event}}
		if len(args) > 0 {
			var err error
			if note.Text, err = a.saidOrRead(args); err != nil {
				return fmt.Errorf("%s: %w", event, err)
			}
		}
		return a.synced(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
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
	return a.scopeFlags(cmd, false)
}

func feltPage(p *page, out desk.MoodResult, noted bool) {
	p.line("Recorded. The mood is now: %s", p.style.bold(scrub.Line(out.Words)))
	moodLevels(p, out)
	if noted {
		p.line("%s", p.style.dim("The text is noted; the next dream uses it."))
	}
}
