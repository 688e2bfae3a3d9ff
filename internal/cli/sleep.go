package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/sleep"
	"github.com/hebb-memory/hebb/internal/steward"
)

func (a *app) sleepCommand() *cobra.Command {
	type input struct {
		sleep.SleepInput
		Undo  bool  `flag:"undo" about:"bring back what the last sleep forgot"`
		Sleep int64 `flag:"sleep" about:"with --undo: what this sleep forgot, by its number"`
	}
	return under(takes(a, &cobra.Command{
		Use: "sleep", Short: "Forget dead links, balance the rest, and consolidate the latest work",
		Long: `Does what hebb does on its own on each day of work, in all projects: forgets
links that are dead, noise or abandoned (decay), keeps the rest in balance (homeostasis), and
replays the latest sessions to find what belongs together across them. --undo brings back all that
the last sleep forgot, or the one that --sleep names, within 30 days of work (tuning
sleep.restore_within); the next sleep keeps it.`,
		Example: "  hebb sleep --dry-run\n  hebb sleep --undo",
	}, input{}, func(cmd *cobra.Command, in input) error {
		switch {
		case cmd.Flags().Changed("sleep") && (in.Sleep <= 0 || !in.Undo):
			return usageError{errors.New("sleep: --sleep goes with --undo and names a sleep by its number (hebb sessions timeline shows them)")}
		case in.Undo && (in.Dry || in.Only != ""):
			return usageError{errors.New("sleep: --undo goes with --sleep alone")}
		case in.Undo:
			return run(cmd.Context(), a, a.fresh, sleep.Undo, sleep.UndoInput{Sleep: in.Sleep}, func(p *page, r sleep.UndoResult) {
				for _, l := range r.Back {
					p.line("%s%s", indent, lostName(l))
				}
				for _, s := range r.Skipped {
					p.line("%s%s  %s", indent, lostName(s.Lost), p.style.yellow("stays forgotten: "+scrub.Line(s.Why)))
				}
				p.line("Restored %s of sleep %d; the next sleep keeps them.", count(len(r.Back), "link, file or error", "links, files and errors"), r.Sleep)
			})
		}
		return a.sleep(cmd.Context(), in.SleepInput)
	}), takes(a, &cobra.Command{
		Use: "forgotten", Short: "List what sleep has forgotten",
		Long: `Lists the links, files and errors that sleep has forgotten: why, in which sleep, and until when
hebb sleep --undo can bring them back.`,
		Example: "  hebb sleep forgotten --sleep 7",
	}, sleep.ForgottenInput{Limit: 20}, func(cmd *cobra.Command, in sleep.ForgottenInput) error {
		if cmd.Flags().Changed("sleep") && in.Sleep <= 0 {
			return usageError{fmt.Errorf("forgotten: --sleep %d: want the number of a sleep (hebb sessions timeline shows them)", in.Sleep)}
		}
		return run(cmd.Context(), a, a.fresh, sleep.Forgotten, in, func(p *page, lost []sleep.Lost) { forgottenPage(p, in, lost) })
	}))
}

// shownLosses is how many forgotten items a report lists.
const shownLosses = 10

func (a *app) sleep(ctx context.Context, in sleep.SleepInput) error {
	name := "sleep"
	if in.Only != "" {
		name += " --only " + string(in.Only)
	}
	return a.fresh(ctx, func(ctx context.Context, b *brain.Brain) error {
		draw, finish := a.progressLine()
		in.Progress = func(doing string, share float64) { draw(share, doing) }
		r, err := steward.Run(ctx, b, steward.Sleep, in)
		finish()
		if err != nil {
			return err
		}
		if r.Busy {
			return fmt.Errorf("%s: another process is sleeping; nothing was done, try again in a minute: %w", name, memory.ErrConflict)
		}
		var lost []sleep.Lost
		if r.Decay.PrunedSynapses+r.Decay.PrunedNeurons > 0 && !in.Dry {
			of := sleep.ForgottenInput{Scope: brain.Scope{All: true}, Sleep: r.ID, Limit: shownLosses}
			if lost, err = steward.Run(ctx, b, sleep.Forgotten, of); err != nil {
				return err
			}
		}
		return a.show(r, func(p *page) { sleepPage(p, name, r, lost) })
	})
}

func sleepPage(p *page, name string, r sleep.SleepReport, lost []sleep.Lost) {
	looked := fmt.Sprintf("%s and %s, in %s", count(r.Links, "link", "links"), count(r.Neurons, "file or error", "files and errors"), took(r))
	if r.Dry {
		p.line("%s  %s", p.style.bold("What hebb "+name+" would do"), p.style.dim("looked at "+looked))
	} else {
		p.line("%s  %s", p.style.bold(fmt.Sprintf("Sleep %d", r.ID)), p.style.dim("looked at "+looked))
	}
	for _, part := range []struct {
		name  sleep.SleepPart
		lines []string
		title string
	}{
		{sleep.DecayPart, decayLines(r.Decay), "Forgotten"},
		{sleep.BalancePart, balanceLines(r.Homeostasis), "Balance"},
		{sleep.ConsolidatePart, orElse(consolidated(r.Consolidation), "Nothing new since the last sleep."), "Consolidation"},
		{sleep.ThinkPart, thinkingLines(r.Thinking), "Thinking"},
	} {
		if _, ran := r.Took[part.name]; !ran {
			continue
		}
		p.section(part.title)
		for _, line := range part.lines {
			p.line("%s%s", indent, line)
		}
		if part.name == sleep.DecayPart && r.Dry {
			p.examples(r.Decay)
		} else if part.name == sleep.DecayPart {
			p.losses(r, lost)
		}
	}
	if b := r.Budget; b != nil {
		p.section("Budget")
		p.line("%sThe store has %s of %s (tuning store.max_size): forgot the oldest %s with %s.", indent, size(b.Bytes),
			size(b.Limit), count(b.Sessions, "session", "sessions"), count(b.Events, "event", "events"))
	}
	if r.Dry {
		p.gap()
		p.line("Nothing was changed. Omit `--dry-run` to do it.")
	}
}

// orElse is a list, or one line where there is none.
func orElse(lines []string, none string) []string {
	return either(len(lines) == 0, []string{none}, lines)
}

// thinkingLines are what thinking found in a sleep.
func thinkingLines(t goals.ThinkingReport) []string {
	switch {
	case t.Projects == 0:
		return []string{"Nothing new."}
	case t.Connections == 0:
		return []string{"No connections to goals."}
	}
	return []string{count(t.Connections, "connection", "connections") + " to goals (hebb goals next)"}
}

// examples lists some of what a dry run would forget.
func (p *page) examples(d sleep.DecayReport) {
	if len(d.Examples) == 0 {
		return
	}
	p.gap()
	tableOf(p, "WHY, FOR EXAMPLE~", d.Examples, func(e sleep.Example) []any {
		return []any{e.Why, strings.Join(mapped(e.What, shownName), " ↔ ")}
	})
}

// took is the duration of a sleep.
func took(r sleep.SleepReport) string {
	sum := 0.0
	for _, ms := range r.Took {
		sum += ms
	}
	return either(sum < 1000, fmt.Sprintf("%.0f ms", sum), fmt.Sprintf("%.1f s", sum/1000))
}

// losses lists some of what a sleep forgot, and how to restore it.
func (p *page) losses(r sleep.SleepReport, lost []sleep.Lost) {
	if len(lost) == 0 {
		return
	}
	p.gap()
	tableOf(p, "WHY, WHAT~", lost, func(l sleep.Lost) []any { return []any{l.Reason, lostName(l)} })
	if more := r.Decay.PrunedSynapses + r.Decay.PrunedNeurons - int64(len(lost)); more > 0 {
		p.note(indent + "… and " + grouped(more) + " more")
	}
	p.line("%s%s brings them back, until %s.", indent, p.style.cyan(fmt.Sprintf("hebb sleep --undo --sleep %d", r.ID)), day(lost[0].Until))
}

func decayLines(d sleep.DecayReport) (lines []string) {
	for _, r := range sleep.Reasons {
		if n := d.Reasons[r.Reason]; n > 0 {
			lines = append(lines, fmt.Sprintf("%6s  %-9s  %s", grouped(n), r.Reason, r.Meaning))
		}
	}
	if len(lines) == 0 {
		lines = append(lines, "Nothing: every link is alive or new.")
	}
	if d.NoiseBridges > 0 {
		lines = append(lines, count(d.NoiseBridges, "weak link will be forgotten unless it occurs again.",
			"weak links will be forgotten unless they occur again."))
	}
	return lines
}

func balanceLines(h sleep.HomeostasisReport) []string {
	var lines tally
	scaled := func(what string, is bool, factor, mean float64) {
		if is {
			lines = append(lines, fmt.Sprintf("All %s × %.3f: their mean of %s is above the target. The order stays.", what, factor, figure(mean)))
		}
	}
	scaled("weights", h.WeightScaled, h.WeightScaleFactor, h.MeanWeight)
	scaled("myelin", h.MyelinScaled, h.MyelinScaleFactor, h.MeanMyelin)
	return orElse(append(lines, balanced(h)...),
		fmt.Sprintf("No change: the mean weight is %s, the mean myelin %s.", figure(h.MeanWeight), figure(h.MeanMyelin)))
}

// balanced lists what was balanced.
func balanced(h sleep.HomeostasisReport) (lines tally) {
	lines.add(h.NeuronsDampened, "file used far more than the others: damped.", "files used far more than the others: damped.")
	lines.add(h.NeuronsBoosted, "rare file that matters: raised a little.", "rare files that matter: raised a little.")
	lines.add(h.TagsExpired, "new link was not confirmed by a second occurrence.", "new links were not confirmed by a second occurrence.")
	return lines
}

// consolidated lists what was found in the latest work.
func consolidated(c sleep.ConsolidationReport) (lines tally) {
	lines.add(c.SessionsReplayed, "session replayed.", "sessions replayed.")
	lines.add(c.SynapsesStrengthened, "link strengthened.", "links strengthened.")
	lines.add(c.PatternsDiscovered, "pair of files that several sessions share.", "pairs of files that several sessions share.")
	lines.add(c.TemporalPairsFound, "pair of files that are used close in time.", "pairs of files that are used close in time.")
	lines.add(c.DirectionalBoosts, "link in which one file always comes first: made directional.", "links in which one file always comes first: made directional.")
	lines.add(c.TripletsFound, "group of three files that all belong together.", "groups of three files that all belong together.")
	lines.add(c.NeuronsReviewed, "file reviewed before it fades.", "files reviewed before they fade.")
	lines.add(c.NeuronsForgotten, "file that missed its reviews: it fades a little faster.", "files that missed their reviews: they fade a little faster.")
	lines.add(c.CallsPacked, "old tool call packed.", "old tool calls packed.")
	return lines
}

// sleepGist is a sleep in one line.
func sleepGist(r sleep.SleepReport) string {
	if len(r.Took) == 0 {
		return "not finished"
	}
	var parts tally
	parts.addTo("forgot ", r.Decay.PrunedSynapses, "link", "links")
	parts.addTo("forgot ", r.Decay.PrunedNeurons, "file or error", "files and errors")
	if r.Homeostasis.WeightScaled || r.Homeostasis.MyelinScaled {
		parts = append(parts, "scaled everything down")
	}
	for _, line := range append(balanced(r.Homeostasis), consolidated(r.Consolidation)...) {
		parts = append(parts, strings.TrimSuffix(line, "."))
	}
	if r.Budget != nil {
		parts.addTo("forgot ", r.Budget.Sessions, "old session to stay within the budget", "old sessions to stay within the budget")
	}
	return strings.Join(orElse(parts, "found nothing to do"), ", ")
}

func forgottenPage(p *page, in sleep.ForgottenInput, lost []sleep.Lost) {
	switch {
	case len(lost) == 0 && in.Sleep == 0:
		p.line("Sleep has forgotten nothing here.")
		return
	case len(lost) == 0:
		p.line("Sleep has forgotten nothing like that.")
		return
	}
	tableOf(p, "PROJECT, AGO, SLEEP>, WHY, CAN COME BACK, WHAT~", lost, func(l sleep.Lost) []any {
		return []any{l.Project, l.At, l.Sleep, l.Reason, returns(l), lostName(l)}
	})
	p.gap()
	for _, r := range sleep.Reasons {
		p.noteIf(slices.ContainsFunc(lost, func(l sleep.Lost) bool { return l.Reason == r.Reason }), fmt.Sprintf("%s%-9s  %s", indent, r.Reason, r.Meaning))
	}
	p.lineIf(slices.ContainsFunc(lost, func(l sleep.Lost) bool { return l.CanReturn }), "`hebb sleep --undo --sleep N` brings back what a sleep forgot.")
	p.limited(len(lost), in.Limit)
}

// returns is until when something can be restored.
func returns(l sleep.Lost) string {
	return either(!l.CanReturn, "only by use", "until "+day(l.Until))
}

// lostName is the name of a file or error, or both names of a link.
func lostName(l sleep.Lost) string {
	what := shownName(neuronName(l.What.Kind, l.What.Key))
	if l.With == nil {
		return what
	}
	return what + " ↔ " + shownName(neuronName(l.With.Kind, l.With.Key))
}
