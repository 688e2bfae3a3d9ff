package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/sleep"
	"github.com/hebb-memory/hebb/internal/steward"
)

func (a *app) sleepCommand() *cobra.Command {
	return a.sleepPart(&cobra.Command{
		Use: "sleep", Aliases: []string{"consolidate"}, Short: "Forget what is dead, keep the balance, and go through the latest work again",
		Long: `Does what hebb does by itself after work, at most every quarter of an hour: it forgets links that are dead, noise or
abandoned (hebb decay), keeps the rest in balance (hebb homeostasis), and goes through the latest sessions again to find
what belongs together across them. It is about all projects. What it forgets can be brought back for a month: see
hebb forgotten. If more than a twentieth of all would go at once, it waits for --yes, or for three days that agree.
hebb consolidate is the same command.`,
		Example: "  hebb sleep\n  hebb sleep --dry-run\n  hebb sleep --yes --json",
	}, "", true)
}

func (a *app) decayCommand() *cobra.Command {
	return a.sleepPart(&cobra.Command{
		Use: "decay", Short: "Forget what is dead, noise or abandoned",
		Long: `The part of sleep that forgets. Fading itself needs no command: every figure is less each time it is read. Decay lets go of
links of which hardly anything is left, that were met by chance, or that nobody has met for long, and then of files and
errors that nothing leads to any more. It says why each went. What went can be brought back for a month: see
hebb forgotten.`,
		Example: "  hebb decay --dry-run\n  hebb decay --yes",
	}, sleep.DecayPart, true)
}

func (a *app) homeostasisCommand() *cobra.Command {
	return a.sleepPart(&cobra.Command{
		Use: "homeostasis", Short: "Keep the strengths in balance",
		Long: `The part of sleep that keeps one part from drowning the rest. Where the mean weight or the mean myelin is above its
target, all of them are scaled down together, so that their order stays. Files used far more than others are damped,
rare ones that matter are lifted a little, and links that waited in vain for a second meeting stop waiting.`,
		Example: "  hebb homeostasis --dry-run\n  hebb homeostasis --json",
	}, sleep.BalancePart, false)
}

// sleepPart makes a command of sleep, or of one part of it. Only what forgets can need a yes.
func (a *app) sleepPart(cmd *cobra.Command, part sleep.SleepPart, forgets bool) *cobra.Command {
	in := sleep.SleepInput{Only: part}
	cmd.Args = noArguments
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return a.sleep(cmd.Context(), cmd.Name(), in) }
	cmd.Flags().BoolVar(&in.Dry, "dry-run", false, "only say what would change")
	if forgets {
		cmd.Flags().BoolVarP(&in.Yes, "yes", "y", false, "forget even a large share of all at once")
	}
	return cmd
}

// shownLosses is how many of the forgotten a report names.
const shownLosses = 10

func (a *app) sleep(ctx context.Context, name string, in sleep.SleepInput) error {
	return a.fresh(ctx, func(ctx context.Context, b *brain.Brain) error {
		draw, finish := a.progressLine()
		if draw != nil {
			in.Progress = func(doing string, share float64) { draw(share, doing) }
		}
		r, err := steward.Run(ctx, b, steward.Sleep, in)
		finish()
		if err != nil {
			return err
		}
		if r.Busy {
			return fmt.Errorf("%s: another hebb is asleep just now; nothing was done, try again in a minute: %w", name, memory.ErrConflict)
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
		{sleep.ConsolidatePart, consolidationLines(r.Consolidation), "Consolidation"},
		{sleep.ThinkPart, thinkingLines(r.Thinking), "Thinking"},
	} {
		if _, ran := r.Took[part.name]; !ran {
			continue
		}
		p.gap()
		p.heading(part.title)
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
		p.gap()
		p.heading("Budget")
		p.line("%sThe store has %s, %s are allowed (tuning store.max_size): %s with %s forgotten, the oldest first.", indent, size(b.Bytes),
			size(b.Limit), count(b.Sessions, "session", "sessions"), count(b.Events, "event", "events"))
	}
	if h := r.Decay.Held; h != nil {
		p.gap()
		heldBack(p, name, *h)
	}
	switch {
	case r.Dry && r.Decay.Held != nil:
		p.gap()
		p.line("Nothing was changed.")
	case r.Dry:
		p.gap()
		p.line("Nothing was changed. Without %s it is done.", p.style.cyan("--dry-run"))
	}
}

// thinkingLines tell what came to mind in a sleep.
func thinkingLines(t goals.ThinkingReport) []string {
	switch {
	case t.Projects == 0:
		return []string{"There was nothing new to think of."}
	case t.Connections == 0:
		return []string{"Nothing connected to a goal."}
	}
	return []string{fmt.Sprintf("%s to goals, %s made (hebb next, hebb timeline)", count(t.Connections, "connection", "connections"), count(t.Notes, "note", "notes"))}
}

// examples names some of what a dry run would forget.
func (p *page) examples(d sleep.DecayReport) {
	if len(d.Examples) == 0 {
		return
	}
	p.gap()
	rows := make([][]string, len(d.Examples))
	for i, e := range d.Examples {
		names := make([]string, len(e.What))
		for j, name := range e.What {
			names[j] = shownName(name)
		}
		rows[i] = []string{string(e.Why), strings.Join(names, " ↔ ")}
	}
	p.table([]string{"WHY", "FOR EXAMPLE~"}, rows)
}

// took is how long a sleep was.
func took(r sleep.SleepReport) string {
	sum := 0.0
	for _, ms := range r.Took {
		sum += ms
	}
	if sum < 1000 {
		return fmt.Sprintf("%.0f ms", sum)
	}
	return fmt.Sprintf("%.1f s", sum/1000)
}

// losses names some of what a sleep forgot, and how to get it back.
func (p *page) losses(r sleep.SleepReport, lost []sleep.Lost) {
	if len(lost) == 0 {
		return
	}
	p.gap()
	rows := make([][]string, len(lost))
	for i, l := range lost {
		rows[i] = []string{string(l.Reason), lostName(l)}
	}
	p.table([]string{"WHY", "WHAT~"}, rows)
	if more := r.Decay.PrunedSynapses + r.Decay.PrunedNeurons - int64(len(lost)); more > 0 {
		p.line("%s", p.style.dim(indent+"… and "+grouped(more)+" more"))
	}
	p.line("%s%s lists it in its project; %s brings it back, until %s.", indent, p.style.cyan(fmt.Sprintf("hebb forgotten --sleep %d", r.ID)),
		p.style.cyan("--restore"), day(lost[0].Until))
}

func decayLines(d sleep.DecayReport) (lines []string) {
	for _, r := range sleep.Reasons {
		if n := d.Reasons[r.Reason]; n > 0 {
			lines = append(lines, fmt.Sprintf("%6s  %-9s  %s", grouped(n), r.Reason, r.Meaning))
		}
	}
	switch {
	case d.Held != nil:
		lines = append(lines, "Nothing: it is held back, see below.")
	case len(lines) == 0:
		lines = append(lines, "Nothing: all that is there is alive, or young enough to wait for a second meeting.")
	}
	if d.NoiseBridges > 0 {
		lines = append(lines, count(d.NoiseBridges, "weak link that was hardly met is on its way out, unless it is met again.",
			"weak links that were hardly met are on their way out, unless they are met again."))
	}
	return lines
}

// heldBack says what waits and how to go on.
func heldBack(p *page, name string, h sleep.HeldBack) {
	p.line("%s", p.style.yellow(fmt.Sprintf("Held back: %s of %s would be forgotten at once.", grouped(h.Doomed), grouped(h.Of))))
	p.line("An old history just learned, a long pause, or a wrong clock. Nothing of it was forgotten.")
	p.line("%s%s shows why it would go.", indent, p.style.cyan("hebb "+name+" --dry-run --yes"))
	p.line("%s%s forgets it now; it can be brought back for a month.", indent, p.style.cyan("hebb "+name+" --yes"))
	p.line("%sOr do nothing: if sleeps of %s want the same, it is done.", indent, count(h.Days, "more day", "more days"))
}

func balanceLines(h sleep.HomeostasisReport) (lines []string) {
	scaled := func(what string, is bool, factor, mean float64) {
		if is {
			lines = append(lines, fmt.Sprintf("All %s × %.3f: their mean of %s is above the target. The order stays.", what, factor, figure(mean)))
		}
	}
	scaled("weights", h.WeightScaled, h.WeightScaleFactor, h.MeanWeight)
	scaled("myelin", h.MyelinScaled, h.MyelinScaleFactor, h.MeanMyelin)
	add := func(n int64, one, many string) {
		if n > 0 {
			lines = append(lines, count(n, one, many))
		}
	}
	add(h.NeuronsDampened, "file used far more than the others: damped.", "files used far more than the others: damped.")
	add(h.NeuronsBoosted, "rare file that matters: lifted a little.", "rare files that matter: lifted a little.")
	add(h.TagsExpired, "new link no longer waits for a second meeting: the time for it is over.",
		"new links no longer wait for a second meeting: the time for it is over.")
	if len(lines) == 0 {
		lines = append(lines, fmt.Sprintf("Kept: the mean weight is %s, the mean myelin %s.", figure(h.MeanWeight), figure(h.MeanMyelin)))
	}
	return lines
}

func consolidationLines(c sleep.ConsolidationReport) (lines []string) {
	add := func(n int64, one, many string) {
		if n > 0 {
			lines = append(lines, count(n, one, many))
		}
	}
	add(c.SessionsReplayed, "session gone through again.", "sessions gone through again.")
	add(c.SynapsesStrengthened, "link strengthened by it.", "links strengthened by it.")
	add(c.PatternsDiscovered, "pair of files that several sessions share.", "pairs of files that several sessions share.")
	add(c.TemporalPairsFound, "pair of files that are used close in time.", "pairs of files that are used close in time.")
	add(c.DirectionalBoosts, "link in which one file always comes first: given a direction.", "links in which one file always comes first: given a direction.")
	add(c.TripletsFound, "group of three files that all belong together.", "groups of three files that all belong together.")
	add(c.NeuronsReviewed, "file reviewed before it fades.", "files reviewed before they fade.")
	add(c.NeuronsForgotten, "file that missed its reviews: it fades a little faster.", "files that missed their reviews: they fade a little faster.")
	add(c.EpisodicRowsPruned, "old command or output of a tool: dropped.", "old commands of tools: dropped.")
	if len(lines) == 0 {
		lines = append(lines, "Nothing new since the last sleep.")
	}
	return lines
}

// sleepGist is a sleep in one line.
func sleepGist(r sleep.SleepReport) string {
	if len(r.Took) == 0 {
		return "began, and has not come to an end"
	}
	var parts []string
	add := func(before string, n int64, one, many string) {
		if n > 0 {
			parts = append(parts, before+count(n, one, many))
		}
	}
	d, h, c := r.Decay, r.Homeostasis, r.Consolidation
	add("forgot ", d.PrunedSynapses, "link", "links")
	add("forgot ", d.PrunedNeurons, "file or error", "files and errors")
	if d.Held != nil {
		parts = append(parts, fmt.Sprintf("held back %s that would have gone at once", grouped(d.Held.Doomed)))
	}
	if h.WeightScaled || h.MyelinScaled {
		parts = append(parts, "scaled everything down")
	}
	add("balanced ", h.NeuronsDampened+h.NeuronsBoosted, "file", "files")
	add("", h.TagsExpired, "new link stopped waiting", "new links stopped waiting")
	add("went through ", c.SessionsReplayed, "session again", "sessions again")
	add("strengthened ", c.SynapsesStrengthened, "link", "links")
	add("found ", c.PatternsDiscovered+c.TemporalPairsFound, "pair", "pairs")
	add("found ", c.TripletsFound, "group of three", "groups of three")
	add("learned the order of ", c.DirectionalBoosts, "pair", "pairs")
	add("reviewed ", c.NeuronsReviewed+c.NeuronsForgotten, "file", "files")
	add("dropped ", c.EpisodicRowsPruned, "old command or output", "old commands")
	if r.Budget != nil {
		add("forgot ", r.Budget.Sessions, "old session to stay within the budget", "old sessions to stay within the budget")
	}
	if len(parts) == 0 {
		return "found nothing to do"
	}
	return strings.Join(parts, ", ")
}

// day is a date as people here write it.
func day(t time.Time) string { return t.Local().Format("2 Jan 2006") }

// when says how long ago something was, in a sentence.
func (p *page) when(t time.Time) string {
	switch ago := p.ago(t); ago {
	case "now":
		return "just now"
	case t.Local().Format(time.DateOnly):
		return "on " + ago
	default:
		return ago + " ago"
	}
}
