package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
)

func (a *app) tokensCommand() *cobra.Command {
	var in answer.TokensInput
	cmd := &cobra.Command{
		Use: "tokens", Short: "Show what suggestions cost, and what was opened without a search",
		Long: `Counts from events what agents were shown and what they did next: the tokens of the lines, the files opened afterwards, and those
opened without a search in between (Grep, Glob, or grep, rg, find and the like in a shell). It also shows the average size of a
search result, where it was measured. What an agent would have spent otherwise is not known; hebb roi compares with sessions that
were shown nothing.`,
		Example: "  hebb tokens\n  hebb tokens --since 7d\n  hebb tokens --all --json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			in.Scope = a.scope()
			return run(cmd.Context(), a, a.fresh, answer.Tokens, in, tokensPage)
		},
	}
	a.timeFlag(cmd, &in.Since, "since", "only after this")
	return a.scopeFlags(cmd, true)
}

func nothingShown(p *page) {
	p.line("No agent was shown anything yet. Wire one with %s and work as usual: suggestions come with your prompts.",
		p.style.cyan("hebb init --yes"))
}

func tokensPage(p *page, t answer.TokensResult) {
	if t.Lines == 0 {
		nothingShown(p)
		return
	}
	p.facts(tokensFacts(t))
	p.note("Counted from what sessions did; nothing here is estimated.")
}

func tokensFacts(t answer.TokensResult) [][2]string {
	return [][2]string{
		{"shown", fmt.Sprintf("%s of %s in %s", count(t.Lines, "line", "lines"), count(t.Tokens, "token", "tokens"),
			count(t.Sessions, "session", "sessions"))},
		{"opened then", partOf(t.Opened, t.Files, "shown file", "shown files")},
		{"no search", partOf(t.Straight, t.Opened, "opened file", "opened files")},
		{"a search", searchSize(t)},
	}
}

// searchSize is the average size of the search results that were measured.
func searchSize(t answer.TokensResult) string {
	switch {
	case t.Searches == 0 && t.Unmeasured == 0:
		return ""
	case t.Searches == 0:
		return fmt.Sprintf("size unknown, none of %s was measured", count(t.Unmeasured, "search", "searches"))
	}
	note := fmt.Sprintf("%s on average, measured in %s", tokenCount(t.SearchTokens), count(t.Searches, "search", "searches"))
	if t.Unmeasured > 0 {
		note += fmt.Sprintf("; %s more not measured", grouped(int64(t.Unmeasured)))
	}
	return note
}

// tokenCount writes a positive number in whole tokens.
func tokenCount(n float64) string { return count(int64(math.Round(n)), "token", "tokens") }

// partOf writes 3 of 7 files (43 %).
func partOf(part, all int, one, many string) string {
	if all == 0 {
		return "none"
	}
	return fmt.Sprintf("%s of %s (%s)", grouped(int64(part)), count(all, one, many), percent(float64(part)/float64(all)))
}

func (a *app) roiCommand() *cobra.Command {
	return a.scopeFlags(&cobra.Command{
		Use: "roi", Short: "Measure what suggestions are worth",
		Long: `Precision is the share of shown files that the session then opened or changed. The withheld precision is the same for a few
sessions that are shown nothing, as a control group (tuning hook.holdout, 0 switches it off). The difference is the effect of
suggestions.

Searches and re-reads per session are compared between sessions that were shown something, the control group, and sessions before
the first suggestion. Only finished sessions that opened a file count. Every figure has its 95 % interval (Wilson for shares,
bootstrap for means); a group of fewer than five sessions is not compared. The control group is chosen at random; earlier sessions
are no fair control, because the work was different.

Tokens are measured from the size of each tool result, four bytes a token, without line numbers. Saved is what searches and re-reads
returned in a session without suggestions, less what they returned in one with; spent is the cost of the shown lines; net is the
difference. First reads are not counted. Only sessions with all sizes known count, at least five on each side.`,
		Example: "  hebb roi\n  hebb roi --all --json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return run(cmd.Context(), a, a.fresh, answer.Roi, a.scope(), roiPage)
		},
	}, true)
}

func roiPage(p *page, r answer.RoiResult) {
	if r.Tokens.Lines == 0 && r.Withheld.Judged == 0 {
		nothingShown(p)
		p.gap()
	} else {
		p.heading("Suggestions")
		p.facts(append(tokensFacts(r.Tokens), [][2]string{
			{"precision", precision(r.Shown, "no session that was shown something has ended yet")},
			{"withheld", precision(r.Withheld, "no line was withheld and judged yet")},
		}...))
		p.gap()
	}
	p.heading("Per session")
	tableOf(p, []string{"SESSIONS", "COUNT>", "SEARCHES", "RE-READS"}, r.Groups, func(g answer.RoiGroup) []string {
		searches, rereads := "not enough sessions yet", ""
		if g.Searches != nil {
			searches, rereads = ranged(*g.Searches), ranged(*g.Rereads)
		}
		return []string{groupName(g.Name), grouped(int64(g.Sessions)), searches, rereads}
	})
	p.gap()
	tokensTable(p, r)
	for _, s := range r.Saved {
		p.line("%s", saving(s))
	}
	if len(r.Saved) == 0 {
		p.line("A comparison needs %d finished sessions with suggestions and as many without.", r.Least)
	}
	for _, s := range r.Saved {
		p.line("%s", tokensSaved(r, s))
	}
	p.note(fmt.Sprintf("In brackets: the %s interval. hebb why lists the lines.", percent(r.Level)))
}

// tokensTable shows the tokens that sessions read, for groups with enough measured sessions.
func tokensTable(p *page, r answer.RoiResult) {
	var rows [][]string
	for _, g := range r.Groups {
		if t := g.Tokens; t != nil {
			rows = append(rows, []string{
				groupName(g.Name), grouped(int64(g.Measured)), whole(t.Searches), whole(t.Rereads), whole(t.Shown),
			})
		}
	}
	if len(rows) > 0 {
		p.heading("Tokens per session")
		p.table([]string{"SESSIONS", "MEASURED>", "SEARCHES", "RE-READS", "SHOWN LINES"}, rows)
		p.gap()
	}
}

// tokensSaved is how many tokens suggestions save against a group, or why that is unknown.
func tokensSaved(r answer.RoiResult, s answer.RoiSaving) string {
	if s.Tokens != nil {
		return fmt.Sprintf("Against %s: %s; %s spent on lines; net %s.", against(s.Against), lessTokens(s.Tokens.Saved),
			tokenCount(s.Tokens.Spent.Value), lessTokens(s.Tokens.Net))
	}
	measured := map[string]string{}
	for _, g := range r.Groups {
		measured[g.Name] = fmt.Sprintf("%s of %s", grouped(int64(g.Measured)), grouped(int64(g.Sessions)))
	}
	return fmt.Sprintf("Against %s: tokens are unknown yet, %s sessions and %s with suggestions were measured "+
		"(%d of each are needed).", against(s.Against), measured[s.Against], measured["shown"], r.Least)
}

// lessTokens is less for tokens.
func lessTokens(by brain.Interval) string {
	switch {
	case by.Low > 0:
		return fmt.Sprintf("%s saved [%.0f to %.0f]", tokenCount(by.Value), by.Low, by.High)
	case by.High < 0:
		return fmt.Sprintf("%s lost [%.0f to %.0f]", tokenCount(-by.Value), -by.High, -by.Low)
	}
	return fmt.Sprintf("no clear difference in tokens [%+.0f to %+.0f saved]", by.Low, by.High)
}

func groupName(name string) string {
	return cmp.Or(map[string]string{"shown": "with suggestions", "held": "withheld"}[name], "before the first")
}

func precision(s answer.Precision, none string) string {
	if s.Share == nil {
		return none
	}
	return fmt.Sprintf("%s [%s to %s], %s of %s opened", percent(s.Share.Value), percent(s.Share.Low),
		percent(s.Share.High), grouped(s.Taken), count(s.Judged, "line", "lines"))
}

func ranged(i brain.Interval) string {
	return fmt.Sprintf("%.1f [%.1f to %.1f]", i.Value, i.Low, i.High)
}

// whole is ranged without fractions.
func whole(i brain.Interval) string {
	return fmt.Sprintf("%.0f [%.0f to %.0f]", i.Value, i.Low, i.High)
}

// saving is what suggestions save against a group.
func saving(s answer.RoiSaving) string {
	return fmt.Sprintf("Against %s: %s, %s.", against(s.Against), less("searches", s.Searches), less("re-reads", s.Rereads))
}

func against(group string) string {
	if group == "held" {
		return "the control group"
	}
	return "sessions before the first"
}

// less describes a difference; an interval that contains zero is no clear difference.
func less(what string, by brain.Interval) string {
	switch {
	case by.Low > 0:
		return fmt.Sprintf("%.1f fewer %s [%.1f to %.1f]", by.Value, what, by.Low, by.High)
	case by.High < 0:
		return fmt.Sprintf("%.1f more %s [%.1f to %.1f]", -by.Value, what, -by.High, -by.Low)
	}
	return fmt.Sprintf("no clear difference in %s [%+.1f to %+.1f]", what, 0-by.High, 0-by.Low)
}

func (a *app) whyCommand() *cobra.Command {
	var in ranking.ShownInput
	cmd := &cobra.Command{
		Use: "why [ID]", Short: "Explain a line that an agent was shown, or the source of a memory",
		Long: `Every line hebb shows an agent leaves a receipt: what was shown, when, to which session and prompt, why, its score, cost and
outcome. ID is the receipt's ID or an unambiguous beginning. Without ID it lists the latest lines with their IDs.

For a memory (hebb search shows the IDs) it shows who said it, when and where, what it superseded, what superseded it, and its
history.`,
		Example: "  hebb why\n  hebb why 2sz3xexv\n  hebb why --session s5rqswgc --json",
		Args:    arguments(0, 1, "at most one ID"),
		ValidArgsFunction: completes(a, 1, ranking.Shown, func(*cobra.Command) ranking.ShownInput {
			return ranking.ShownInput{Scope: a.scope(), Limit: 20}
		}, func(lines []memory.Suggestion) []string {
			return mapped(lines, func(s memory.Suggestion) string {
				return cobra.CompletionWithDesc(scrub.Line(s.ID), scrub.Line(s.Path))
			})
		}),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				return a.why(cmd.Context(), args[0])
			}
			in.Scope = a.scope()
			return run(cmd.Context(), a, a.fresh, ranking.Shown, in, shownPage)
		},
	}
	cmd.Flags().StringVarP(&in.Session, "session", "s", "", "only lines shown to this session")
	return a.listFlags(cmd, &in.Limit)
}

func shownPage(p *page, lines []memory.Suggestion) {
	if len(lines) == 0 {
		nothingShown(p)
		return
	}
	headers := []string{"ID", "AGO", "SURE>", "OUTCOME", "FILE"}
	projectTable(p, 0, headers, lines, func(s memory.Suggestion) (memory.ProjectID, []string) {
		return s.Project, []string{s.ID, p.ago(s.ShownAt), percent(s.Confidence), outcomeWord(s), s.Path}
	})
}

func outcomeWord(s memory.Suggestion) string {
	word := cmp.Or(string(s.Outcome), "pending")
	if s.Held {
		word += ", withheld"
	}
	return word
}

func (a *app) why(ctx context.Context, id string) error {
	return a.fresh(ctx, func(ctx context.Context, b *brain.Brain) error {
		w, err := steward.Run(ctx, b, ranking.Why, ranking.WhyInput{ID: id})
		if errors.Is(err, memory.ErrNotFound) {
			c, other := steward.Run(ctx, b, statements.WhyCrystal, statements.ProvenanceInput{ID: id})
			if other == nil {
				return a.show(c, func(p *page) { provenancePage(p, c) })
			}
			if !errors.Is(other, memory.ErrNotFound) {
				return other
			}
		}
		if err != nil {
			return err
		}
		return a.show(w, func(p *page) { whyPage(p, w) })
	})
}

func whyPage(p *page, w ranking.WhyResult) {
	p.line("%s  %s", p.style.bold(scrub.Line(w.Path)), p.style.dim(scrub.Line(w.ID)))
	rows := [][2]string{
		{"shown", shownNote(p, w)},
		{"to", fmt.Sprintf("%s, session %s in %s", scrub.Line(string(w.Agent)), w.Session, scrub.Line(w.ProjectName))},
		{"prompt", scrub.Line(w.Prompt)},
		{"as", offerNote(w.Offer)},
		{"because", scrub.Line(w.Reason)},
		{"with", fmt.Sprintf("%s confidence, score %.2f, %s", percent(w.Confidence), w.Score,
			count(w.Tokens, "token", "tokens"))},
		{"beside", scrub.Line(strings.Join(w.Beside, ", "))},
		{"outcome", outcomeNote(w.Suggestion)},
	}
	if w.File != nil && w.File.Ignored > 0 {
		note := fmt.Sprintf("ignored %d× in a row, %s of its weight is left", w.File.Ignored, percent(w.File.Standing))
		rows = append(rows, [2]string{"since", note})
	}
	p.facts(rows)
}

func shownNote(p *page, w ranking.WhyResult) string {
	note := fmt.Sprintf("%s, line %d", p.when(w.ShownAt), w.Position)
	if w.Held {
		return "withheld for comparison " + note
	}
	return note
}

func offerNote(o memory.Offer) string {
	return cmp.Or(map[memory.Offer]string{
		memory.OfferFix:     "a file that fixed the error in the prompt before",
		memory.OfferPreload: "one of the likeliest files at the start of the session",
		memory.OfferStale:   "a reminder: it mattered once and is fading",
	}[o], "a file the task needs")
}

func outcomeNote(s memory.Suggestion) string {
	return cmp.Or(map[memory.Outcome]string{
		memory.Used:     "used: the session changed the file afterwards",
		memory.Opened:   "opened: the session read the file afterwards",
		memory.Ignored:  "ignored: the session opened other files, not this one",
		memory.Unjudged: "not judged: the session opened nothing more",
	}[s.Outcome], "open: it is judged when the session ends")
}
