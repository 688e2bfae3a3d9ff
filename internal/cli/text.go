package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/texts"
)

// rememberInput is the input of hebb remember.
type rememberInput struct {
	statements.RememberInput
	Note       bool    `flag:"note" about:"only until the next dream moves it into MEMORY.md; see scratch.md"`
	Importance float64 `flag:"importance" about:"with --note: how much it matters, above 0 up to 1"`
}

func (a *app) rememberCommand() *cobra.Command {
	return takes(a, &cobra.Command{
		Use: "remember [TEXT|-]", Short: "Keep a fact, a decision, a lesson or anything worth finding again",
		Long: `Keeps a text for good: hebb search finds it by its words and its meaning. - reads standard input.
Secrets are removed.

A statement about something with one value at a time ("the default branch is main") supersedes an
earlier one about the same subject, which stays as history; --subject names the subject where hebb
cannot tell. --file links the text to code: when that changes, the text is marked as needing a
check. Files that the text names are linked as well.

What an agent keeps has the origin agent, unless its text or --quote is a sentence that you typed
here lately: then that whole sentence is kept with the origin user. With --replaces an agent needs
such a sentence; without it the text is a proposal (hebb memories --waiting).`,
		Example: `  hebb remember "we decided on WAL mode because two hooks may write at once" --kind decision
  hebb remember "the staging database is db2" --subject "staging database"
  hebb remember "retries live in Client.do" --file internal/http/client.go#Client.do`,
	}, rememberInput{RememberInput: statements.RememberInput{Kind: memory.Fact}}, func(cmd *cobra.Command, in rememberInput) error {
		changed := cmd.Flags().Changed
		switch {
		case strings.TrimSpace(in.Text+in.Quote) == "":
			return usageError{sentence("Nothing to remember. Usage: hebb remember TEXT")}
		case in.Note:
			return a.takeNote(cmd, in)
		case changed("importance"):
			return usageError{errors.New("remember: --importance goes with --note")}
		}
		open := a.with
		if in.Origin == memory.OriginAgent { // the prompt that it quotes may still wait in the spool
			open = a.fresh
		}
		return open(cmd.Context(), func(ctx context.Context, b *brain.Brain) (err error) {
			if in.Replaces, err = a.ofNumbers(ctx, b, in.Replaces...); err != nil {
				return err
			}
			return runOn(ctx, a, b, statements.Remember, in.RememberInput, rememberedPage)
		})
	})
}

// takeNote is hebb remember --note.
func (a *app) takeNote(cmd *cobra.Command, in rememberInput) error {
	changed := cmd.Flags().Changed
	for _, flag := range []string{"subject", "replaces", "quote", "file"} {
		if changed(flag) {
			return usageError{fmt.Errorf("remember: --note takes no --%s", flag)}
		}
	}
	if changed("importance") && !(in.Importance > 0 && in.Importance <= 1) {
		return usageError{fmt.Errorf("remember: --importance %g: want more than 0 and at most 1", in.Importance)}
	}
	note := statements.NoteInput{Scope: in.Scope, Origin: in.Origin, Text: in.Text, Importance: in.Importance, Everywhere: in.Everywhere}
	if changed("kind") {
		note.Kind = in.Kind
	}
	return run(cmd.Context(), a, a.synced, desk.TakeNote, note, notePage)
}

func rememberedPage(p *page, kept statements.RememberResult) {
	word := "Remembered"
	switch {
	case kept.Rejected:
		p.line("Not remembered: the user has rejected this (%s).", p.style.dim(string(kept.ID)))
		return
	case kept.Proposed != "":
		p.line("Proposed: %s %s: %s", p.style.cyan(string(kept.Kind)), p.style.dim(string(kept.ID)), scrub.Line(kept.Text))
		proposedNote(p, kept.Proposed)
		return
	case kept.Known:
		word = "Already known; counted again"
	}
	p.line("%s: %s %s", word, p.style.cyan(string(kept.Kind)), p.style.dim(string(kept.ID)))
	leftOut(p, kept.Text, kept.Subject)
	p.noteIf(kept.Subject != "", "about: "+scrub.Line(kept.Subject))
	for _, a := range kept.Anchors {
		p.note("linked to: " + scrub.Line(a.String()))
	}
	for _, id := range kept.Superseded {
		p.line("It supersedes %s, which stays as history (%s).",
			p.style.dim(string(id)), p.style.cyan("hebb memories show "+string(id)))
	}
}

// leftOut says that what was said held a credential, which hebb does not keep.
func leftOut(p *page, kept ...string) {
	p.warnIf(slices.ContainsFunc(kept, scrub.Redacted), "A credential was left out of it: hebb keeps none.")
}

func (a *app) searchCommand() *cobra.Command {
	type input struct {
		texts.SearchInput
		Code    bool `flag:"code" about:"only functions and types"`
		Explain bool `flag:"explain,e" about:"show what each source adds to the score"`
	}
	return takes(a, &cobra.Command{
		Use: "search QUERY...", Short: "Find what was said, decided, learned or committed",
		Long: `Searches what you and your agents remembered, the repository's own documents, what was said in
sessions, commits, and code. Each of these is a group with its own order. Rare words count more,
vectors find texts with other words; word forms, accents and scripts without spaces match.

A phrase in quotes must occur as it is. kind:, project:, path:, since:, until: and is:history are
filters; path: takes a file, its end, a folder or a pattern (path:*_test.go), since: 2d or 2026-03.
A date or month with its year puts texts of that time first. Results that score far below the best
are hidden and counted; --weak shows them. hebb memories read ID shows all of a long text.`,
		Example: `  hebb search why do we use WAL mode
  hebb search '"connection refused" since:1w'`,
	}, input{SearchInput: texts.SearchInput{Limit: 10, Asker: memory.OriginUser}}, func(cmd *cobra.Command, in input) error {
		if _, err := time.Parse(time.DateOnly, cmd.Flag("as-of").Value.String()); err == nil {
			in.AsOf = in.AsOf.AddDate(0, 0, 1).Add(-time.Millisecond) // the end of that day
		}
		if in.Code {
			in.Kinds = append(in.Kinds, memory.GroupCode.Kinds()...)
		}
		return a.fresh(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
			out, err := ask(ctx, a, b, answer.SearchTexts, in.SearchInput)
			if err != nil {
				return err
			}
			if err := a.show(out, func(p *page) { searchPage(p, out, in.Explain) }); err != nil {
				return err
			}
			// The answer was shown: a failure to count it is none.
			_, _ = steward.Run(ctx, b, statements.UseCrystals, statements.UseInput{IDs: out.First()})
			return nil
		})
	})
}

func searchPage(p *page, out texts.SearchResult, explain bool) {
	for _, notice := range out.Notices {
		p.warning(scrub.Line(notice))
	}
	p.noteIf(len(out.Filters) > 0, strings.Join(out.Filters, " · "))
	switch {
	case out.Documents == 0 && len(out.Found) == 0:
		p.line("hebb has no texts yet. `hebb remember` keeps one, and sessions of a wired agent add " +
			"more.")
	case len(out.Found) == 0:
		p.line("Nothing found. Try other words, fewer filters, or every project with `--all`.")
	}
	p.noteIf(out.Past, "No current result; these are from the past:")
	for i, f := range out.Found {
		p.between(i)
		p.lineIf(i == 0 || f.Group != out.Found[i-1].Group, "%s", p.style.bold(f.Group.Title()))
		foundPage(p, f, explain)
	}
	if out.Weaker > 0 {
		p.gap()
		p.note(count(out.Weaker, "weaker result", "weaker results") + " hidden (--weak shows more).")
	}
}

// foundHead shows what a text is and where it comes from.
func foundHead(p *page, f texts.Found) {
	head := []string{p.style.cyan(f.Kind), p.style.dim(p.ago(f.At))}
	switch {
	case f.Lines != nil:
		head = append(head, scrub.Line(fmt.Sprintf("%s:%d-%d", f.Path, f.Lines.First, f.Lines.Last)), p.style.bold(scrub.Line(f.Title)))
	case f.Path != "":
		head = append(head, scrub.Line(f.Path))
	case f.Kind == texts.EntityText:
		head = append(head, p.style.bold(scrub.Line(f.Title)))
	}
	if f.Origin != memory.OriginUser {
		head = append(head, p.style.dim("from "+f.Speaker().Name()))
	}
	if name, ok := p.names[f.Project]; ok {
		head = append(head, p.style.dim(name))
	}
	if f.Waiting {
		head = append(head, p.style.yellow("waits to be stored"), p.style.dim(f.Ref))
	}
	if c := f.Crystal; c != nil {
		if c.Unsure {
			head = append(head, p.style.yellow("needs check"))
		}
		if !c.ValidTo.IsZero() {
			head = append(head, p.style.yellow("until "+day(c.ValidTo)))
		}
		head = append(head, p.style.dim(string(c.ID)))
	}
	p.line("%s", strings.Join(head, "  "))
}

func foundPage(p *page, f texts.Found, explain bool) {
	foundHead(p, f)
	p.indented(marked(p, f.Excerpt))
	if f.Answer != nil {
		p.note(indent + scrub.Line(string(f.Answer.Agent)) + " answered:")
		p.indented(marked(p, f.Answer.Excerpt))
	}
	if (f.Excerpt.Cut || f.Answer != nil && f.Answer.Excerpt.Cut) && f.Group != memory.GroupCode { // code is read in its file
		p.note(indent + "All of it: hebb memories read " + f.Ref)
	}
	if explain {
		sum := 1e-9
		for _, s := range f.Shares {
			sum += s.Share
		}
		for _, s := range f.Shares {
			p.line("%s%s %s", indent, p.style.dim(fmt.Sprintf("%3.0f%%", 100*s.Share/sum)), p.style.dim(s.Source.String()))
		}
		p.noteIf(f.Doubt > 0, indent+fmt.Sprintf("less %.0f%%: in doubt, or past", 100*f.Doubt))
	}
}

// marked is an excerpt with the words of the query in bold.
func marked(p *page, e texts.Excerpt) string {
	var b strings.Builder
	at := 0
	for _, span := range e.Spans {
		b.WriteString(scrub.Display(e.Text[at:span[0]]))
		b.WriteString(p.style.bold(scrub.Display(e.Text[span[0]:span[1]])))
		at = span[1]
	}
	b.WriteString(scrub.Display(e.Text[at:]))
	return b.String()
}

func provenancePage(p *page, c statements.Provenance) {
	p.line("%s  %s", p.style.bold(string(c.Kind)), p.style.dim(string(c.ID)))
	p.indented(scrub.Line(c.Text))
	scope := either(c.Project != 0, scrub.Line(c.ProjectName), "you, in every project")
	rows := [][2]string{
		{"of", scope}, {"said", minute(c.SaidAt) + " by " + brain.From(c.Crystal)}, {"source", scrub.Line(c.Source)},
		{"broken by", scrub.Line(strings.Join(c.Marks, "; "))},
		{"about", scrub.Line(c.Subject)}, {"life", string(c.Lifecycle)},
		{"used", fmt.Sprintf("%d×, importance %.2f", c.Accesses, c.Importance)},
	}
	rows = append(rows, lineRows(p, c)...)
	if c.Heard > 0 && c.Line == nil {
		rows = append(rows, [2]string{"heard", percent(c.Heard) + " sure, in session " + c.Session.String()})
	}
	rows = append(rows, [2]string{"in prompt", scrub.Line(c.Prompt)})
	if !c.ValidTo.IsZero() {
		rows = append(rows, [2]string{"held until", minute(c.ValidTo)})
	}
	for _, a := range c.Anchors {
		word := either(a.AtHand, "file at hand", "linked to")
		rows = append(rows, [2]string{word, scrub.Line(a.String())})
	}
	if c.Unsure {
		rows = append(rows, [2]string{"needs check", "the code has changed: hebb memories confirm or reject " + string(c.ID)})
	}
	for _, other := range c.Parents {
		rows = append(rows, [2]string{"came after", string(other.ID) + " " + scrub.Line(other.Text)})
	}
	for _, other := range c.Children {
		rows = append(rows, [2]string{"came before", string(other.ID) + " " + scrub.Line(other.Text)})
	}
	if c.ValidTo.IsZero() && c.Lifecycle != memory.Frozen {
		rows = append(rows, [2]string{"not so?", "hebb memories drop " + string(c.ID)[:min(len(c.ID), idShown)]})
	}
	p.facts(rows)
	for _, t := range c.Traces {
		p.note(indent + minute(t.At) + "  " + scrub.Line(t.What+" "+t.Detail))
	}
}

// lineRows say what proves a line of knowledge, and why sessions are told it.
func lineRows(p *page, c statements.Provenance) [][2]string {
	l := c.Line
	if l == nil {
		return nil
	}
	quote := ""
	if l.Quote != "" {
		quote = fmt.Sprintf("%s (turn %d of session %s of %s)", prose.Quoted(scrub.Line(l.Quote)), l.Turn, c.Session, scrub.Line(string(c.Agent)))
	}
	kept := ""
	if !l.KeptAt.IsZero() {
		kept = minute(l.KeptAt) + " by you"
	}
	told := "sessions that begin here, as a " + string(c.Kind) + " that was last seen " + p.when(l.SeenAt)
	switch {
	case !c.ValidTo.IsZero():
		told = "nobody: it is over"
	case c.Lifecycle == memory.Waiting:
		told = "nobody until you keep it: nothing here bears out " + scrub.Line(strings.Join(l.Lacks, ", "))
	case l.Aside:
		told = "no session that begins: it gave way to more useful lines; search finds it"
	}
	return [][2]string{
		{"proof", quote}, {"read by", scrub.Line(l.By)}, {"seen in", count(l.Seen, "session", "sessions") + ", last " + p.when(l.SeenAt)},
		{"kept", kept}, {"recognised by", scrub.Line(strings.Join(l.When, ", "))}, {"told", told},
	}
}

func (a *app) checkCommand() *cobra.Command {
	type input struct {
		statements.CheckInput
		ID    string `arg:"1"`
		Right bool   `flag:"right" about:"it is still right"`
		Wrong bool   `flag:"wrong" about:"it is not right any more"`
	}
	return takes(a, &cobra.Command{
		Use: "check [ID]", Aliases: []string{"stale"}, Short: "List memories about code that has changed or is gone",
		Long: `Texts that are linked to code (hebb remember --file) are compared with the code as it is now.
Where it has changed or is gone, the text ranks lower until somebody checks it. With an ID,
--right confirms the text, --wrong hides it.`,
		Example: "  hebb memories check 01m7fhh1 --right",
	}, input{}, func(cmd *cobra.Command, in input) error {
		switch named := cmd.Flags().NArg() > 0; {
		case !named && (in.Right || in.Wrong):
			return usageError{errors.New("check: --right and --wrong need the ID of a text")}
		case !named:
			return run(cmd.Context(), a, a.fresh, statements.CheckCrystals, in.CheckInput, func(p *page, list []statements.Doubtful) {
				p.lineIf(len(list) == 0, "Nothing needs a check: no code that memories are linked to has changed or is gone.")
				for i, d := range list {
					p.between(i)
					p.line("%s  %s", p.style.yellow("needs check"), p.style.dim(string(d.ID)))
					p.indented(scrub.Line(d.Text))
					for _, a := range d.Changed {
						what := either(slices.Contains(d.Gone, a), "gone: ", "changed: ")
						p.note(indent + what + scrub.Line(a.String()))
					}
				}
			})
		case in.Right == in.Wrong:
			return usageError{errors.New("check ID: give --right or --wrong")}
		}
		return a.numbered(cmd.Context(), a.with, in.ID, func(ctx context.Context, b *brain.Brain, id string) error {
			judged := statements.JudgeInput{ID: id, Right: in.Right, Origin: a.speaker()}
			return runOn(ctx, a, b, statements.Judge, judged, func(p *page, c statements.JudgeResult) { judgedPage(p, c, in.Right) })
		})
	})
}

// textsLine shows how much can be searched.
func textsLine(p *page, texts map[string]int64) {
	said := int64(0)
	for _, kind := range memory.CrystalKinds {
		said += texts[string(kind)]
	}
	code, sections := texts[memory.SnippetText], texts[memory.DocumentText]
	if said+code+sections == 0 {
		return
	}
	p.gap()
	p.line("%s, %s and %s can be searched: `hebb search`",
		count(said, "memory", "memories"), count(sections, "section of documents", "sections of documents"), count(code, "function or type", "functions and types"))
}

func notePage(p *page, out statements.NoteResult) {
	if out.Rejected {
		rememberedPage(p, statements.RememberResult{Crystal: out.Crystal, Rejected: true})
		return
	}
	where := either(out.Project == 0, ", everywhere", "")
	p.line("%s: %s %s", p.style.green("Noted"), p.style.cyan(string(out.Kind)+where), p.style.dim(string(out.ID)))
	leftOut(p, out.Text)
	if !out.Known {
		p.note("hebb search finds it now; the next dream uses it.")
	} else {
		p.note("It was noted before in the same words.")
	}
	for _, anchor := range out.Anchors {
		p.note("linked to: " + shownName(anchor.String()))
	}
	nudge(p, out.Lines, out.Full)
}

// nudge reports that the scratch is full or half full.
func nudge(p *page, lines, full int) {
	room := fmt.Sprintf("(%s of %s lines)", grouped(int64(lines)), grouped(int64(full)))
	switch {
	case lines >= full:
		p.line("%s `hebb state dream` uses the notes.", p.style.yellow("The scratch is full "+room+"."))
	case 2*lines >= full:
		p.line("%s `hebb state dream` uses the notes.", p.style.dim("The scratch is half full "+room+"."))
	}
}

// proposedNote says that a change of an agent waits for the person, and what it lacks.
func proposedNote(p *page, lacking string) {
	p.note("Nothing has changed: " + scrub.Line(lacking) + ".")
	p.note("The user decides: hebb memories --waiting")
}

func judgedPage(p *page, c statements.JudgeResult, right bool) {
	if c.Proposed != "" {
		p.line("Proposed: %s", scrub.Line(c.Text))
		proposedNote(p, c.Proposed)
		return
	}
	if right {
		p.line("Confirmed: %s", scrub.Line(c.Text))
		return
	}
	p.line("Rejected: %s", scrub.Line(c.Text))
	p.note("It stays as history, and hebb memories confirm " + string(c.ID) + " brings it back.")
}
