package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/texts"
)

func (a *app) tokensCommand() *cobra.Command {
	var since string
	cmd := &cobra.Command{
		Use: "tokens", Short: "Say what suggestions cost, and what was opened without a search",
		Long: `Counts what agents were shown and what they then did: the tokens the lines cost, the files that were opened
afterwards, and those of them that were opened without a search (Grep, Glob, or grep, rg, find and the like in a
shell) between being shown and being opened. All of it is counted from events. Beside it stands what a search
returned on average, as far as it was measured. How much an agent would have spent otherwise is not known, so nothing is
claimed about it; hebb roi compares with sessions that were shown nothing.`,
		Example: "  hebb tokens\n  hebb tokens --since 7d\n  hebb tokens --all --json",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			in := answer.TokensInput{Scope: a.scope()}
			if in.Since, err = a.parseTime("--since", since); err != nil {
				return err
			}
			return listed(cmd.Context(), a, answer.Tokens, in, tokensPage)
		},
	}
	a.scopeFlags(cmd, true)
	cmd.Flags().StringVar(&since, "since", "", "only after this: 90m, 12h, 2d, 2026-11-15, or a full time")
	return cmd
}

func nothingShown(p *page) {
	p.line("No agent was shown anything yet. Wire one with %s and work as usual: suggestions come with your prompts.",
		p.style.cyan("hebb init --yes"))
}

func tokensPage(p *page, t answer.TokensResult, _ labels) {
	if t.Lines == 0 {
		nothingShown(p)
		return
	}
	p.facts(tokensFacts(t))
	p.line("%s", p.style.dim("Counted from what sessions did; nothing here is estimated."))
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

// searchSize says what a search returned, of those whose answer was measured.
func searchSize(t answer.TokensResult) string {
	switch {
	case t.Searches == 0 && t.Unmeasured == 0:
		return ""
	case t.Searches == 0:
		return fmt.Sprintf("size not known, none of %s was measured", count(t.Unmeasured, "search", "searches"))
	}
	note := fmt.Sprintf("%s on average, measured in %s", tokenCount(t.SearchTokens), count(t.Searches, "search", "searches"))
	if t.Unmeasured > 0 {
		note += fmt.Sprintf("; of %s more the size is not known", grouped(int64(t.Unmeasured)))
	}
	return note
}

// tokenCount writes a figure that is not negative in whole tokens.
func tokenCount(n float64) string { return count(int64(math.Round(n)), "token", "tokens") }

// facts writes lines of a name and what there is to say of it; those without are left out.
func (p *page) facts(rows [][2]string) {
	width := 0
	for _, row := range rows {
		width = max(width, columns(row[0]))
	}
	for _, row := range rows {
		if row[1] != "" {
			name := fmt.Sprintf("%s%-*s%s", indent, width, row[0], indent)
			p.line("%s%s", p.style.dim(name), p.cut(row[1], p.width-columns(name)))
		}
	}
}

// partOf writes 3 of 7 files (43 %).
func partOf(part, all int, one, many string) string {
	if all == 0 {
		return "none"
	}
	return fmt.Sprintf("%s of %s (%s)", grouped(int64(part)), count(all, one, many), percent(float64(part)/float64(all)))
}

func (a *app) roiCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "roi", Short: "Say what suggestions are worth, measured",
		Long: `Precision is the share of shown files that the session then opened or changed; beside it stands the same for files
that were withheld: a few sessions are shown nothing, for comparison (tuning hook.holdout, 0 switches it off). What
is above that share is what being told has changed.

Searches and re-reads per session are compared between sessions that were shown something, those it was withheld
from, and those from before the first suggestion. Only finished sessions that opened a file count. Every figure has
its 95 % interval (Wilson for shares, bootstrap for means); a group of fewer than five sessions is not compared.
Sessions from before are no fair control: the work was other work. Those withheld are, since only chance chose them.

Tokens are measured too: the hook notes how large each answer of a tool is, four bytes a token, without line numbers
and without keeping the answer. Saved is what searches and re-reads returned in a session without suggestions, less
what they returned in one with; spent is what the shown lines cost; net is the difference. First reads are not
counted. Only sessions count in which the size of every search and re-read is known; where either side has fewer than
five of them, hebb says so and shows no figure.`,
		Example: "  hebb roi\n  hebb roi --all --json",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return listed(cmd.Context(), a, answer.Roi, a.scope(), roiPage)
		},
	}
	a.scopeFlags(cmd, true)
	return cmd
}

func roiPage(p *page, r answer.RoiResult, _ labels) {
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
	rows := make([][]string, len(r.Groups))
	for i, g := range r.Groups {
		rows[i] = []string{groupName(g.Name), grouped(int64(g.Sessions)), ranged(g.Searches), ranged(g.Rereads)}
		if g.Searches == nil {
			rows[i][2], rows[i][3] = "not enough sessions yet", ""
		}
	}
	p.table([]string{"SESSIONS", "COUNT>", "SEARCHES", "RE-READS"}, rows)
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
	p.line("%s", p.style.dim(fmt.Sprintf("In brackets: where a figure lies with %s certainty. hebb why lists the lines "+
		"behind it.", percent(r.Level))))
}

// tokensTable shows what sessions have read, of groups in which enough of them were measured.
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

// tokensSaved says how many tokens suggestions save against a group, or why that is not known.
func tokensSaved(r answer.RoiResult, s answer.RoiSaving) string {
	if s.Tokens != nil {
		return fmt.Sprintf("Against %s: %s; %s spent on lines; net %s.", against(s.Against), lessTokens(s.Tokens.Saved),
			tokenCount(s.Tokens.Spent.Value), lessTokens(s.Tokens.Net))
	}
	measured := map[string]string{}
	for _, g := range r.Groups {
		measured[g.Name] = fmt.Sprintf("%s of %s", grouped(int64(g.Measured)), grouped(int64(g.Sessions)))
	}
	return fmt.Sprintf("Against %s: tokens are not known yet, the answers of %s sessions and of %s with suggestions were measured "+
		"(%d of each are needed).", against(s.Against), measured[s.Against], measured["shown"], r.Least)
}

// lessTokens tells a difference in tokens as less does.
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
	switch name {
	case "shown":
		return "with suggestions"
	case "held":
		return "withheld"
	}
	return "before the first"
}

func precision(s answer.Precision, none string) string {
	if s.Share == nil {
		return none
	}
	return fmt.Sprintf("%s [%s to %s], %s of %s opened", percent(s.Share.Value), percent(s.Share.Low),
		percent(s.Share.High), grouped(s.Taken), count(s.Judged, "line", "lines"))
}

func ranged(i *brain.Interval) string {
	if i == nil {
		return ""
	}
	return fmt.Sprintf("%.1f [%.1f to %.1f]", i.Value, i.Low, i.High)
}

// whole writes a figure and its range without fractions.
func whole(i brain.Interval) string {
	return fmt.Sprintf("%.0f [%.0f to %.0f]", i.Value, i.Low, i.High)
}

// saving says what suggestions save against a group, as far as it is sure.
func saving(s answer.RoiSaving) string {
	return fmt.Sprintf("Against %s: %s, %s.", against(s.Against), less("searches", s.Searches), less("re-reads", s.Rereads))
}

func against(group string) string {
	if group == "held" {
		return "sessions withheld from"
	}
	return "sessions before the first"
}

// less tells a difference; one whose interval reaches across nothing is none.
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
		Use: "why [ID]", Short: "Explain a line that an agent was shown, or where something remembered comes from",
		Long: `Every line hebb shows an agent leaves a receipt: what was shown, when, to which session and prompt, why, with which
score, at what cost, and what became of it. ID is the receipt's ID or a beginning that only it has. Without ID it
lists the latest lines with their IDs.

Of something remembered (hebb search shows the IDs) it tells who said it, when and where, what it took the place of, what
took its place, and everything that happened to it.`,
		Example:           "  hebb why\n  hebb why 2sz3xexv\n  hebb why --session s5rqswgc --json",
		Args:              arguments(0, 1, "at most one ID"),
		ValidArgsFunction: a.completeShown,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				return a.why(cmd.Context(), args[0])
			}
			in.Scope = a.scope()
			return listed(cmd.Context(), a, ranking.Shown, in, shownPage)
		},
	}
	a.scopeFlags(cmd, true)
	cmd.Flags().StringVarP(&in.Session, "session", "s", "", "only lines shown to this session")
	cmd.Flags().IntVarP(&in.Limit, "limit", "n", 20, "at most this many, 0 for all")
	return cmd
}

func shownPage(p *page, lines []memory.Suggestion, names labels) {
	if len(lines) == 0 {
		nothingShown(p)
		return
	}
	headers := []string{"ID", "AGO", "SURE>", "OUTCOME", "FILE"}
	projectTable(p, headers, lines, names, func(s memory.Suggestion) (memory.ProjectID, []string) {
		return s.Project, []string{s.ID, p.ago(s.ShownAt), percent(s.Confidence), outcomeWord(s), s.Path}
	})
}

func outcomeWord(s memory.Suggestion) string {
	word := string(s.Outcome)
	if s.Outcome == memory.Pending {
		word = "pending"
	}
	if s.Held {
		word += ", withheld"
	}
	return word
}

// completeShown offers the latest receipts to the shell. It stays silent on any trouble.
func (a *app) completeShown(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if c, err := config.Load(a.Getenv); len(args) > 0 || err != nil || noMemory(c) {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var ids []string
	_ = a.with(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
		lines, err := steward.Run(ctx, b, ranking.Shown, ranking.ShownInput{Scope: a.scope(), Limit: 20})
		for _, s := range lines {
			ids = append(ids, scrub.Line(s.ID)+"\t"+scrub.Line(s.Path))
		}
		return err
	})
	return ids, cobra.ShellCompDirectiveNoFileComp
}

func (a *app) why(ctx context.Context, id string) error {
	return a.fresh(ctx, func(ctx context.Context, b *brain.Brain) error {
		w, err := steward.Run(ctx, b, ranking.Why, ranking.WhyInput{ID: id})
		if errors.Is(err, memory.ErrNotFound) {
			c, other := steward.Run(ctx, b, texts.WhyCrystal, texts.ProvenanceInput{ID: id})
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
		note := fmt.Sprintf("passed over %d× in a row, %s of its say is left", w.File.Ignored, percent(w.File.Standing))
		rows = append(rows, [2]string{"since", note})
	}
	p.facts(rows)
}

func shownNote(p *page, w ranking.WhyResult) string {
	note := fmt.Sprintf("%s ago, line %d", p.ago(w.ShownAt), w.Position)
	if p.ago(w.ShownAt) == "now" {
		note = fmt.Sprintf("just now, line %d", w.Position)
	}
	if w.Held {
		return "withheld for comparison " + note
	}
	return note
}

func offerNote(o memory.Offer) string {
	switch o {
	case memory.OfferFix:
		return "a file that fixed the error in the prompt before"
	case memory.OfferPreload:
		return "one of the likeliest files at the start of the session"
	case memory.OfferStale:
		return "a reminder: it mattered once and is fading"
	}
	return "a file the task needs"
}

func outcomeNote(s memory.Suggestion) string {
	switch s.Outcome {
	case memory.Used:
		return "used: the session changed the file afterwards"
	case memory.Opened:
		return "opened: the session read the file afterwards"
	case memory.Ignored:
		return "ignored: the session opened other files, not this one"
	case memory.Unjudged:
		return "not judged: the session opened nothing more"
	}
	return "open: it is judged when the session ends"
}
