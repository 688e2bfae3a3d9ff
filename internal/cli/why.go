package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
)

// worthPage shows what agents were shown, what it cost and what became of it.
func worthPage(p *page, r inspect.WorthResult) {
	if r.Lines+r.Withheld.Lines == 0 {
		p.say(nothingShown)
	} else {
		total, withheld := r.WorthRow, r.Withheld
		total.Moment, withheld.Moment = "total", "withheld"
		rows := append(slices.Clone(r.Moments), total)
		if withheld.Lines > 0 {
			rows = append(rows, withheld)
		}
		tableOf(p, "MOMENT, LINES>, TOKENS>, JUDGED>, RIGHT>", rows, func(w inspect.WorthRow) []any {
			return []any{w.Moment, w.Lines, w.Tokens, w.Judged, w.Right}
		})
	}
	if m := r.Misses; m.Times > 0 {
		p.section("Said again although remembered")
		p.line("%s: %s had been shown and was not followed, %s had not been shown.", count(m.Times, "time", "times"), grouped(int64(m.Shown)), grouped(int64(m.Times-m.Shown)))
		tableOf(p, "ID, TIMES>, SHOWN>, WHAT", m.Most, func(m statements.Missed) []any {
			return []any{m.ID, m.Times, m.Shown, scrub.Line(m.Text)}
		})
	}
}

func (a *app) whyCommand() *cobra.Command {
	return takes(a, &cobra.Command{
		Use: "why [ID|WORDS]", Short: "Explain a line that an agent was shown, or the source of a memory",
		Long: `Every line hebb shows an agent leaves a receipt: what was shown, when, to which session and
prompt, why, its score, cost and outcome. ID is the receipt's ID or the beginning of it. Without
ID it lists the latest lines. For a memory, by its ID, its number in hebb memories or words of it,
it shows who said it, when and where, what proves it, and what superseded it.`,
		Example: "  hebb why 2sz3xexv\n  hebb why 3",
		Args:    arguments(0, -1, "at most one ID, or words"),
	}, ranking.ShownInput{Limit: 20}, func(cmd *cobra.Command, in ranking.ShownInput) error {
		if args := cmd.Flags().Args(); len(args) > 0 {
			return a.why(cmd.Context(), strings.Join(args, " "))
		}
		return run(cmd.Context(), a, a.fresh, ranking.Shown, in, shownPage)
	})
}

var shownPage = rows(nothingShown, "PROJECT, ID, AGO, AT, SURE>, OUTCOME, WHAT", func(l ranking.Line) []any {
	sure := ""
	if l.Confidence > 0 {
		sure = percent(l.Confidence)
	}
	return []any{l.Project, l.ID, l.ShownAt, l.Moment, sure, outcomeWord(l), l.Name()}
})

// outcomeWord is what became of a line. Of one without a file nothing can be seen.
func outcomeWord(l ranking.Line) string {
	word := cmp.Or(string(l.Outcome), "pending")
	if !l.Judged() {
		word = "shown"
	}
	if l.Held {
		return strings.TrimPrefix(word+", withheld", "shown, ")
	}
	return word
}

func (a *app) why(ctx context.Context, id string) error {
	return a.fresh(ctx, func(ctx context.Context, b *brain.Brain) error {
		in := statements.ProvenanceInput{Scope: a.scope(), ID: id}
		if statements.IsNumber(id) || strings.Contains(id, " ") { // no receipt is named so
			ids, err := a.ofNumbers(ctx, b, id)
			if err != nil {
				return err
			}
			in.ID = ids[0]
			return runOn(ctx, a, b, statements.WhyCrystal, in, provenancePage)
		}
		w, err := steward.Run(ctx, b, ranking.Why, ranking.WhyInput{ID: id})
		unknown := func(err error) bool { return errors.Is(err, memory.ErrNotFound) || errors.Is(err, memory.ErrInvalid) }
		if unknown(err) {
			c, other := steward.Run(ctx, b, statements.WhyCrystal, in)
			if unknown(other) { // a word of it
				in.ID = "says “" + id + "”"
				c, other = steward.Run(ctx, b, statements.WhyCrystal, in)
			}
			if errors.Is(other, memory.ErrNotFound) {
				return fmt.Errorf("no line that was shown and no memory here has the ID %q or says so (hebb why and hebb memories list them): %w", id, memory.ErrNotFound)
			}
			if other != nil {
				return other
			}
			return a.show(c, func(p *page) { provenancePage(p, c) })
		}
		if err != nil {
			return err
		}
		return a.show(w, func(p *page) { whyPage(p, w) })
	})
}

func whyPage(p *page, w ranking.WhyResult) {
	p.line("%s  %s", p.style.bold(scrub.Line(w.Name())), p.style.dim(scrub.Line(w.ID)))
	rows := [][2]string{
		{"shown", shownNote(p, w)},
		{"to", fmt.Sprintf("%s, session %s in %s", scrub.Line(string(w.Agent)), w.Session, scrub.Line(w.ProjectName))},
		{"prompt", scrub.Line(w.Prompt)},
		{"as", offerNote(w)},
		{"because", scrub.Line(w.Reason)},
		{"with", certainty(w) + count(w.Tokens, "token", "tokens")},
		{"beside", scrub.Line(strings.Join(w.Beside, ", "))},
		{"outcome", outcomeNote(w.Line)},
	}
	if w.File != nil && w.File.Ignored > 0 {
		note := fmt.Sprintf("ignored %d× in a row, %s of its weight is left", w.File.Ignored, percent(w.File.Standing))
		rows = append(rows, [2]string{"since", note})
	}
	p.facts(rows)
}

// certainty is how sure hebb was of a line. A whole text has none.
func certainty(w ranking.WhyResult) string {
	if w.Confidence == 0 {
		return ""
	}
	return fmt.Sprintf("%s confidence, score %.2f, ", percent(w.Confidence), w.Score)
}

func shownNote(p *page, w ranking.WhyResult) string {
	note := fmt.Sprintf("%s at %s, line %d", p.when(w.ShownAt), w.Moment, w.Position)
	if w.Held {
		return "withheld for comparison " + note
	}
	return note
}

func offerNote(w ranking.WhyResult) string {
	if w.Offer == memory.OfferMemory && w.Crystal == "" {
		return "something remembered, which was forgotten since"
	}
	return cmp.Or(map[memory.Offer]string{
		memory.OfferFix:        "a file that fixed the error before",
		memory.OfferPreload:    "one of the likeliest files at the start of the session",
		memory.OfferMemory:     "something remembered (hebb why " + string(w.Crystal) + ")",
		memory.OfferCommand:    "a command that worked where this one failed",
		memory.OfferConvention: "a convention of the project, before a file was made",
		memory.OfferContext:    "a whole text, with the tokens of all its lines",
	}[w.Offer], "a file the task needs")
}

func outcomeNote(l ranking.Line) string {
	if !l.Judged() {
		return "not judged: it names no file"
	}
	return cmp.Or(map[memory.Outcome]string{
		memory.Used:     "used: the session changed the file afterwards",
		memory.Opened:   "opened: the session read the file afterwards",
		memory.Ignored:  "ignored: the session opened other files, not this one",
		memory.Unjudged: "not judged: the session opened nothing more",
	}[l.Outcome], "open: it is judged when the session ends")
}
