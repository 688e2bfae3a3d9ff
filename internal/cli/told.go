package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
)

// toldBriefly is how many lines of what the next session is told stand above the state of the project.
const toldBriefly = 14

// seen reports whether the person sees what is printed, and can use its numbers from then on.
func (a *app) seen() bool { return !a.json && a.speaker() == memory.OriginUser }

// told is what the next session is told. The person sees it with numbers.
func (a *app) told(ctx context.Context, b *brain.Brain) (out answer.ToldResult, err error) {
	if out, err = steward.Run(ctx, b, answer.Told, answer.ToldInput{Scope: a.scope()}); err != nil {
		return out, err
	}
	var ids []memory.CrystalID
	for _, l := range slices.Concat(out.Lines, out.Waiting) {
		ids = append(ids, l.ID)
	}
	return out, a.number(ctx, b, ids)
}

// number lets numbers stand for the memories that the person sees now, in the project where they are.
func (a *app) number(ctx context.Context, b *brain.Brain, ids []memory.CrystalID) error {
	if !a.seen() || len(ids) == 0 {
		return nil
	}
	return b.Store.Update(ctx, func(tx *store.Tx) error {
		here, err := brain.Resolve(ctx, tx, b.Config, brain.Scope{Dir: a.Dir})
		return errors.Join(err, statements.Numbered.Of(here).Set(ctx, tx, ids))
	})
}

// ofNumbers puts IDs in the place of numbers.
func (a *app) ofNumbers(ctx context.Context, b *brain.Brain, words ...string) (ids []string, err error) {
	if !slices.ContainsFunc(words, statements.IsNumber) {
		return words, nil // however busy the store is
	}
	err = b.Store.View(ctx, func(tx *store.Tx) error {
		ids = nil // it may run again
		here, err := brain.Resolve(ctx, tx, b.Config, brain.Scope{Dir: a.Dir})
		for _, word := range words {
			id, failed := statements.OfNumber(ctx, tx, here, word)
			ids, err = append(ids, id), errors.Join(err, failed)
		}
		return err
	})
	return ids, err
}

// toldPage shows what the next session is told and what waits for the person, briefly or all of it.
func (a *app) toldPage(p *page, t answer.ToldResult, brief bool) {
	lines, more := a.toldLines(p, t, brief)
	waiting, rest := t.Waiting[:min(len(t.Waiting), waitingFirst)], ""
	if brief {
		var left []string
		if more > 0 {
			left = append(left, count(more, "more line", "more lines"))
		}
		if n := len(t.Waiting); n > 0 {
			left = append(left, count(n, "line waits", "lines wait")+" for you")
		}
		if len(left) > 0 {
			rest = strings.Join(left, ", ") + ": hebb memories shows all"
		}
		waiting = nil
	} else if t.Text != "" {
		rest = "hebb memories keep N, drop N and edit N TEXT put a line right; hebb why N explains it."
	}
	for _, line := range lines {
		p.line("%s", line)
	}
	p.noteIf(rest != "", rest)
	if len(waiting) > 0 {
		p.section("These wait for you: they name something that nothing here bears out")
	}
	for i, l := range waiting {
		lacks := p.style.yellow("(" + scrub.Line(strings.Join(l.Line.Lacks, ", ")) + ")")
		p.line("%s%s %s  %s", a.label(len(t.Lines)+i, l.ID), scrub.Line(l.Text), lacks, p.style.dim(sourceOf(p, l)))
	}
	if more = len(t.Waiting) - len(waiting); more > 0 && !brief {
		p.note(fmt.Sprintf("%d more: hebb memories --waiting", more))
	}
	p.lineIf(t.Changed > 0, "The scribe changed %s since you looked: `hebb memories changes`", count(t.Changed, "line", "lines"))
	if len(lines)+len(t.Waiting)+t.Changed > 0 {
		p.gap()
	}
}

// toldLines is what the next session is told. Lines that show a memory have a number, and say where it is from. Briefly, they are cut to
// the terminal, and only the first ones, with how many more there are.
func (a *app) toldLines(p *page, t answer.ToldResult, brief bool) (lines []string, more int) {
	if t.Text == "" {
		return nil, 0
	}
	text := strings.Split(strings.TrimRight(t.Text, "\n"), "\n")
	if brief {
		n := wholeItems(text, toldBriefly-1)
		for _, line := range text[n:] {
			if line != "" && !isTitle(line) && !goesOn(line) {
				more++
			}
		}
		text = text[:n]
	}
	at := map[string]int{}
	for i, l := range t.Lines {
		at[l.Shown] = i
	}
	lines = []string{p.style.bold("The next session here is told:")}
	for _, line := range text {
		before, source := strings.Repeat(" ", len(a.label(0, ""))), ""
		if i, is := at[line]; is {
			before, line, source = a.label(i, t.Lines[i].ID), strings.TrimPrefix(line, "- "), "  "+sourceOf(p, t.Lines[i])
		}
		if line = scrub.Line(line); brief {
			line = p.cut(line, p.width-len(before)-visibleWidth(source))
		}
		lines = append(lines, strings.TrimRight(before+line, " ")+p.style.dim(source))
	}
	return lines, more
}

func isTitle(line string) bool { return strings.HasPrefix(line, "#") }

// goesOn reports whether a line belongs to the one before.
func goesOn(line string) bool { return strings.HasPrefix(line, " ") }

// wholeItems is how many of the first lines, at most so many, can be shown without a part of an item or a title of nothing at the end.
func wholeItems(text []string, most int) int {
	n := min(most, len(text))
	for n < len(text) && n > 0 && goesOn(text[n]) {
		n--
	}
	for n > 0 && (text[n-1] == "" || isTitle(text[n-1])) {
		n--
	}
	return n
}

// label is what a line is called by: its number for the person, and its ID for an agent, to whom numbers do not count.
func (a *app) label(i int, id memory.CrystalID) string {
	if a.seen() {
		return fmt.Sprintf("%3d  ", i+1)
	}
	return fmt.Sprintf("  %-*s  ", idShown, id[:min(len(id), idShown)])
}

// sourceOf says where a memory is from: you, 3 Nov.
func sourceOf(p *page, l answer.ToldLine) string {
	_, file := l.FileSource()
	noted := "noted " + p.shortDay(l.SaidAt) + " by " + scrub.Line(cmp.Or(string(l.Agent), brain.From(l.Crystal)))
	switch {
	case file:
		return scrub.Line(brain.From(l.Crystal))
	case l.Origin == memory.OriginUser:
		return "you, " + p.shortDay(l.SaidAt)
	case l.Line != nil && l.Line.Person:
		return noted + " from your words"
	}
	return noted
}

// shortDay is a day, with the year if it is not this one.
func (p *page) shortDay(t time.Time) string {
	return either(t.Local().Year() != p.now.Local().Year(), day(t), t.Local().Format("2 Jan"))
}

func (a *app) memoryChangesCommand() *cobra.Command {
	return &cobra.Command{
		Use: "changes", Short: "Show what the scribe changed since you looked",
		Long: `Lists by session which lines of knowledge the model that reads finished sessions added (+), replaced (~)
or ended (-), and which wait for your yes (?). The numbers go with hebb memories keep, drop and edit;
hebb memories undo takes all of a session back. What you have seen here is not listed again.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			in := statements.LineChangesInput{Scope: a.scope(), Looked: a.seen()}
			return a.fresh(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
				list, err := ask(ctx, a, b, statements.ScribeChanges, in)
				var ids []memory.CrystalID
				for _, c := range list {
					for _, l := range c.Lines {
						ids = append(ids, l.Line.ID)
					}
				}
				if err = errors.Join(err, a.number(ctx, b, ids)); err != nil {
					return err
				}
				return a.show(list, func(p *page) { a.changesPage(p, list) })
			})
		},
	}
}

func (a *app) memoryUndoCommand() *cobra.Command {
	type input struct {
		Session string `arg:"1"`
	}
	return takes(a, &cobra.Command{
		Use: "undo SESSION", Short: "Take back what the scribe changed after a session",
		Long: `Ends the lines that the reading of a session added, and brings back those that it replaced or ended.
What you kept, edited or dropped yourself stays so. hebb memories changes and hebb why name the session.`,
		Example: "  hebb memories undo s5rqswgc",
	}, input{}, func(cmd *cobra.Command, in input) error {
		undo := statements.LineChangesInput{Scope: a.scope(), Undo: in.Session}
		return run(cmd.Context(), a, a.fresh, statements.ScribeChanges, undo, func(p *page, list []statements.LineChanges) {
			lines := 0
			for _, c := range list {
				lines += len(c.Lines)
			}
			p.line("Took back %s.", count(lines, "change", "changes"))
		})
	})
}

func (a *app) changesPage(p *page, list []statements.LineChanges) {
	if len(list) == 0 {
		p.line("The scribe changed nothing since you looked.")
		return
	}
	n := 0
	for _, c := range list {
		p.heading(fmt.Sprintf("%s, read %s", c.Session, p.when(c.At)))
		for _, l := range c.Lines {
			text := prose.OneLine(l.Line.Text)
			p.line("%s%s", a.label(n, l.Line.ID), scrub.Line(map[string]string{
				"added": "+ " + text, "replaced": "~ " + l.Old + " → " + text, "waiting": "? " + text + " (waits)", "retired": "- " + text + " (over)",
				"gave way": "- " + text + " (gave way)",
			}[l.What]))
			n++
		}
		p.note("take it back: hebb memories undo " + c.Session.String())
	}
}

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
	}, ranking.ShownInput{Limit: 20}, func(cmd *cobra.Command, in ranking.ShownInput) error {
		if args := cmd.Flags().Args(); len(args) > 0 {
			return a.why(cmd.Context(), strings.Join(args, " "))
		}
		return run(cmd.Context(), a, a.fresh, ranking.Shown, in, shownPage)
	})
}

var shownPage = rows(nothingShown, "PROJECT, ID, AGO, AT, SURE>, OUTCOME, WHAT", func(l ranking.Line) []any {
	sure := either(l.Confidence > 0, percent(l.Confidence), "")
	return []any{l.Project, l.ID, l.ShownAt, l.Moment, sure, outcomeWord(l), l.Name()}
})

// outcomeWord is what became of a line. Of one without a file nothing can be seen.
func outcomeWord(l ranking.Line) string {
	word := either(!l.Judged(), "shown", cmp.Or(string(l.Outcome), "pending"))
	return either(l.Held, strings.TrimPrefix(word+", withheld", "shown, "), word)
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
		return a.outcome(w, err, func(p *page) { whyPage(p, w) })
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
	return either(w.Confidence > 0, fmt.Sprintf("%s confidence, score %.2f, ", percent(w.Confidence), w.Score), "")
}

func shownNote(p *page, w ranking.WhyResult) string {
	note := fmt.Sprintf("%s at %s, line %d", p.when(w.ShownAt), w.Moment, w.Position)
	return either(w.Held, "withheld for comparison "+note, note)
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

// startedWith says how an agent is started with a prompt.
var startedWith = map[memory.Agent]string{
	agent.ClaudeCode: `claude "$(hebb handoff)"`,
	agent.Codex:      `codex "$(hebb handoff)"`,
	agent.Gemini:     `gemini -i "$(hebb handoff)"`,
	agent.Qwen:       `qwen -i "$(hebb handoff)"`,
	agent.Pi:         `pi "$(hebb handoff)"`,
}

func (a *app) handoffCommand() *cobra.Command {
	type input struct {
		Agent   string `arg:"1"`
		Session string `flag:"session" about:"of this session instead of the latest"`
	}
	return takes(a, &cobra.Command{
		Use: "handoff [AGENT]", Short: "Print the running task as a prompt for another agent",
		Long: `Prints what another agent needs to go on with the latest session here that is not finished: the
task and what you said in your words, the files changed, what passed and what fails, and the next
step. With the name of an agent it also says how to start that with it.`,
		Example: "  codex \"$(hebb handoff)\"",
	}, input{}, func(cmd *cobra.Command, in input) error {
		if cmd.Flags().NArg() > 0 {
			name, err := agent.Parse(in.Agent)
			if err == nil && name == agent.Auto {
				err = fmt.Errorf("handoff: name an agent, such as codex: %w", memory.ErrInvalid)
			}
			if err != nil {
				return usageError{err}
			}
			if start := startedWith[name]; start != "" {
				a.warn("start it with: " + start)
			} else {
				a.warn("paste this into " + string(name))
			}
		}
		of := record.SessionInput{Scope: a.scope(), Session: in.Session}
		return run(cmd.Context(), a, a.fresh, answer.Handoff, of, func(p *page, out answer.HandoffResult) { p.b.WriteString(scrub.Display(out.Text)) })
	})
}
