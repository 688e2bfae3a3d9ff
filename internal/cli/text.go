package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/foreign"
	"github.com/hebb-memory/hebb/internal/knowledge"
	"github.com/hebb-memory/hebb/internal/learn"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/texts"
)

func (a *app) rememberCommand() *cobra.Command {
	var in texts.RememberInput
	var kind string
	cmd := &cobra.Command{
		Use: "remember TEXT|-", Short: "Keep a fact, a decision, a lesson or anything worth finding again",
		Long: `Keeps a text for good: it is on disk when the command returns, and hebb search finds it by its words and by its meaning.
- reads it from standard input. Secrets in it are taken out.

A statement about something that can be one way at a time ("the default branch is main") takes the place of an earlier one
about the same; the earlier stays as history. --subject says what it is about where hebb cannot tell. --file ties it to a
place in the code, as path or path#symbol: when that changes, the text is marked as needing a check. Files that the text
names itself are tied to it, too.`,
		Example: `  hebb remember "we decided on WAL mode because two hooks may write at once" --kind decision
  hebb remember "the staging database is db2" --subject "staging database"
  hebb remember "retries live in Client.do" --file internal/http/client.go#Client.do
  hebb remember --everywhere --kind preference "answer in short sentences"`,
		Args:              arguments(1, -1, "the text, or -"),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := a.textOf(args)
			if err != nil {
				return fmt.Errorf("remember: %w", err)
			}
			in.Scope, in.Text, in.Kind, in.Origin = a.scope(), text, memory.CrystalKind(kind), a.speaker()
			return a.with(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
				kept, err := steward.Run(ctx, b, texts.Remember, in)
				if err != nil {
					return err
				}
				return a.show(kept, func(p *page) { rememberedPage(p, kept) })
			})
		},
	}
	a.scopeFlags(cmd, false)
	f := cmd.Flags()
	f.StringVarP(&kind, "kind", "k", string(memory.Fact), "what sort of knowledge it is")
	f.StringVar(&in.Subject, "subject", "", "what it is a statement about")
	f.StringArrayVarP(&in.Files, "file", "f", nil, "a place in the code it speaks of, path or path#symbol; may be repeated")
	f.BoolVar(&in.Everywhere, "everywhere", false, "keep it for every project: it is about you, not about this work")
	_ = cmd.RegisterFlagCompletionFunc("kind", cobra.FixedCompletions(kindNames(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func kindNames() []string {
	names := make([]string, len(memory.CrystalKinds))
	for i, k := range memory.CrystalKinds {
		names[i] = string(k)
	}
	return names
}

func rememberedPage(p *page, kept texts.RememberResult) {
	word := "Remembered"
	if kept.Known {
		word = "Known already; it counts as said again"
	}
	p.line("%s: %s %s", word, p.style.cyan(string(kept.Kind)), p.style.dim(string(kept.ID)))
	if kept.Subject != "" {
		p.line("%s", p.style.dim("about: "+scrub.Line(kept.Subject)))
	}
	for _, a := range kept.Anchors {
		p.line("%s", p.style.dim("tied to: "+scrub.Line(a.String())))
	}
	for _, id := range kept.Superseded {
		p.line("%s takes the place of %s, which stays as history (%s).", p.style.bold("It"), p.style.dim(string(id)), p.style.cyan("hebb why "+string(id)))
	}
}

func (a *app) searchCommand() *cobra.Command {
	var in texts.SearchInput
	var explain bool
	var asOf string
	cmd := &cobra.Command{
		Use: "search QUERY...", Short: "Find what was said, decided, learned or committed",
		Long: `Looks through everything that can be read again: what you and your agents chose to remember, what was said in sessions,
commits, fragments of code and the knowledge graph. Words count by how rare they are, meaning finds texts that use other
words, and what is said of the files that the question needs comes up with them. Forms of a word, accents
and scripts without blanks are matched: cafe finds café, 저장소 finds 저장소를.

A phrase in quotes must occur as it is. kind:, project:, path:, since:, until: and is:history narrow the search down;
what was said at a time that the words name (last week, in March, 3 days ago, before v1.2) comes first. --sessions looks into conversations alone. What was
superseded is found with --history; --as-of answers as one would have at that time. What answers weakly beside the best is
left out, and how many; --weak shows it.

path: takes a file, its end, a folder or a pattern: path:find.go, path:internal/brain, path:*_test.go, path:internal/**/*.go. A
filter that says nothing (kind:banana) is told of and looked for as words.`,
		Example: `  hebb search why do we use WAL mode
  hebb search '"connection refused" last week'
  hebb search kind:decision database --explain
  hebb search path:internal/store locking
  hebb search --sessions login redirect --json
  hebb search staging database --as-of 2026-03-01`,
		ValidArgsFunction: cobra.NoFileCompletions,
		Args:              arguments(1, -1, "what to look for"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if in.AsOf, err = a.parseTime("--as-of", asOf); err != nil {
				return err
			}
			if _, err := time.Parse(time.DateOnly, asOf); err == nil {
				in.AsOf = in.AsOf.AddDate(0, 0, 1).Add(-time.Millisecond) // the end of that day
			}
			in.Scope, in.Query, in.Asker = a.scope(), strings.Join(args, " "), memory.OriginUser
			return a.fresh(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
				out, err := steward.Run(ctx, b, answer.SearchTexts, in)
				if err != nil {
					return err
				}
				names, err := projectNames(ctx, b, a.all)
				if err != nil {
					return err
				}
				if err := a.show(out, func(p *page) { searchPage(p, out, names, explain) }); err != nil {
					return err
				}
				// What was shown was shown: that it could not be counted is no failure.
				_, _ = steward.Run(ctx, b, texts.UseCrystals, texts.UseInput{IDs: topCrystals(out.Found)})
				return nil
			})
		},
	}
	a.scopeFlags(cmd, true)
	f := cmd.Flags()
	f.IntVarP(&in.Limit, "limit", "n", 10, "at most this many, 0 for all that were weighed")
	f.StringSliceVarP(&in.Kinds, "kind", "k", nil, "only texts of this kind: "+strings.Join(kindNames(), ", ")+", commit, session, snippet, entity")
	f.BoolVar(&in.Sessions, "sessions", false, "only what was said in sessions")
	f.BoolVar(&in.History, "history", false, "also what was superseded, merged or has expired")
	f.BoolVar(&in.Weak, "weak", false, "also what answers weakly beside the best")
	f.StringVar(&asOf, "as-of", "", "as one would have answered then: 2d, 2026-11-15, or a full time")
	f.BoolVarP(&explain, "explain", "e", false, "show what each source adds to the score")
	return cmd
}

// topCrystals are the first few that were shown: these were probably read.
func topCrystals(found []texts.Found) (ids []memory.CrystalID) {
	const few = 3
	for _, f := range found[:min(len(found), few)] {
		if f.Crystal != nil {
			ids = append(ids, f.Crystal.ID)
		}
	}
	return ids
}

func searchPage(p *page, out texts.SearchResult, names labels, explain bool) {
	for _, notice := range out.Notices {
		p.line("%s", p.style.yellow(scrub.Line(notice)))
	}
	if len(out.Filters) > 0 {
		p.line("%s", p.style.dim(strings.Join(out.Filters, " · ")))
	}
	switch {
	case out.Documents == 0 && len(out.Found) == 0:
		p.line("hebb has nothing to read yet. %s keeps something, and sessions of a wired agent add to it.", p.style.cyan("hebb remember"))
	case len(out.Found) == 0:
		p.line("Nothing found. Try other words, fewer filters, or every project with %s.", p.style.cyan("--all"))
	}
	if out.Past {
		p.line("%s", p.style.dim("Nothing current answers; this belongs to the past:"))
	}
	for i, f := range out.Found {
		if i > 0 {
			p.gap()
		}
		foundPage(p, f, names, explain)
	}
	if out.Weaker > 0 {
		p.gap()
		p.line("%s", p.style.dim(count(out.Weaker, "weaker one is", "weaker ones are")+" left out; --weak shows more."))
	}
}

func foundPage(p *page, f texts.Found, names labels, explain bool) {
	head := []string{p.style.cyan(f.Kind), p.style.dim(p.ago(f.At))}
	switch {
	case f.Lines != nil:
		head = append(head, scrub.Line(fmt.Sprintf("%s:%d-%d", f.Path, f.Lines.First, f.Lines.Last)), p.style.bold(scrub.Line(f.Title)))
	case f.Path != "":
		head = append(head, scrub.Line(f.Path))
	case f.Kind == knowledge.EntityText:
		head = append(head, p.style.bold(scrub.Line(f.Title)))
	}
	if f.Origin != memory.OriginUser {
		head = append(head, p.style.dim("from "+string(f.Origin)))
	}
	if name, ok := names[f.Project]; ok {
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
			head = append(head, p.style.yellow("until "+c.ValidTo.Local().Format("2 Jan 2006")))
		}
		head = append(head, p.style.dim(string(c.ID)))
	}
	p.line("%s", strings.Join(head, "  "))
	if w := f.Window; w != nil && f.Kind != texts.WindowText {
		windowPage(p, *w)
	}
	for line := range strings.SplitSeq(wrapped(marked(p, f), p.width-len(indent)), "\n") {
		p.line("%s%s", indent, line)
	}
	if explain {
		for _, s := range f.Shares {
			p.line("%s%s %s", indent, p.style.dim(fmt.Sprintf("%3.0f%%", 100*s.Share/max(shares(f), 1e-9))), p.style.dim(s.Source.String()))
		}
		if f.Doubt > 0 {
			p.line("%s%s", indent, p.style.dim(fmt.Sprintf("less %.0f%%: in doubt, or past", 100*f.Doubt)))
		}
	}
}

// windowPage says in what conversation a turn stands.
func windowPage(p *page, w texts.Window) {
	const few = 5
	var parts []string
	if len(w.Keywords) > 0 {
		parts = append(parts, "about "+strings.Join(w.Keywords[:min(len(w.Keywords), few)], ", "))
	}
	if len(w.Files) > 0 {
		parts = append(parts, "with "+strings.Join(w.Files[:min(len(w.Files), few)], ", "))
	}
	if len(parts) > 0 {
		p.line("%s%s", indent, p.style.dim(scrub.Line(strings.Join(parts, " · "))))
	}
	for _, d := range w.Decisions {
		p.line("%s%s", indent, p.style.dim(scrub.Line("decided: "+d.Text)))
	}
}

func shares(f texts.Found) (sum float64) {
	for _, s := range f.Shares {
		sum += s.Share
	}
	return sum
}

// marked is an excerpt with the words of the question in bold.
func marked(p *page, f texts.Found) string {
	var b strings.Builder
	at := 0
	for _, span := range f.Excerpt.Spans {
		b.WriteString(scrub.Display(f.Excerpt.Text[at:span[0]]))
		b.WriteString(p.style.bold(scrub.Display(f.Excerpt.Text[span[0]:span[1]])))
		at = span[1]
	}
	b.WriteString(scrub.Display(f.Excerpt.Text[at:]))
	return b.String()
}

// wrapped breaks a line at blanks. Colours take no room.
func wrapped(text string, room int) string {
	var b strings.Builder
	used := 0
	for i, word := range strings.Split(text, " ") {
		n := visibleWidth(word)
		switch {
		case i == 0:
		case room > 0 && used+1+n > room:
			b.WriteByte('\n')
			used = 0
		default:
			b.WriteByte(' ')
			used++
		}
		b.WriteString(word)
		used += n
	}
	return b.String()
}

// visibleWidth is how many columns a word takes, without the codes that colour it.
func visibleWidth(word string) (n int) {
	code := false
	for _, r := range word {
		switch {
		case r == '\x1b':
			code = true
		case code:
			code = r != 'm'
		default:
			n += runeColumns(r)
		}
	}
	return n
}

// readCode makes texts and code findable, with progress.
func (a *app) readCode(ctx context.Context, b *brain.Brain, out *initResult) error {
	update, finish := a.progress("texts")
	texts, err := steward.Run(ctx, b, texts.IndexTexts, texts.IndexInput{Progress: update})
	finish()
	if err != nil {
		return err
	}
	out.Texts = texts.Texts
	update, finish = a.progress("files")
	code, err := steward.Run(ctx, b, learn.ReadSnippets, learn.SnippetsInput{Dir: a.Dir, Progress: update})
	finish()
	out.Code = &code
	return err
}

func (a *app) snippetsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "extract-snippets", Short: "Make the functions and types of this project findable",
		Long: `Reads the source files of this project (Go, TypeScript, JavaScript, Python, Rust, Swift, Java, C, C++, C#, Ruby, Kotlin, PHP)
and makes every function, method and type of five lines or more findable with hebb search. Files that are as they were are
not read again. Nothing outside the project is read; files that are huge, binary, links, generated or no UTF-8 are skipped and
counted, and so are the shorter functions. hebb init and every sleep do the same.`,
		Example: "  hebb extract-snippets\n  hebb search kind:snippet parse the config",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.with(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
				update, finish := a.progress("files")
				out, err := steward.Run(ctx, b, learn.ReadSnippets, learn.SnippetsInput{Dir: a.Dir, Progress: update})
				finish()
				if err != nil {
					return err
				}
				return a.show(out, func(p *page) { snippetsPage(p, out) })
			})
		},
	}
	return cmd
}

func snippetsPage(p *page, out learn.SnippetsResult) {
	p.line("%s, %s new or changed with %s.", count(out.Files, "source file", "source files"), grouped(int64(out.Changed)),
		count(out.Snippets, "function or type", "functions and types"))
	if out.Short > 0 {
		p.line("%s", p.style.dim(count(out.Short, "shorter one was", "shorter ones were")+" left out; their files are found by their names all the same."))
	}
	if out.Gone > 0 {
		p.line("%s gone.", count(out.Gone, "file is", "files are"))
	}
	for _, reason := range slices.Sorted(maps.Keys(out.Skipped)) {
		p.line("%s", p.style.dim(fmt.Sprintf("%s skipped: %s", count(out.Skipped[reason], "file", "files"), reason)))
	}
}

func formatNames() []string {
	names := make([]string, len(foreign.Formats))
	for i, f := range foreign.Formats {
		names[i] = string(f)
	}
	return names
}

func formatList() string { return strings.Join(formatNames(), ", ") }

func (a *app) moveIn(ctx context.Context, in learn.MoveInInput, format string) error {
	if format != "auto" {
		in.Format = foreign.Format(format)
		if !slices.Contains(foreign.Formats, in.Format) {
			return usageError{fmt.Errorf("import --from %q: want auto or one of %s", format, formatList())}
		}
	}
	return a.with(ctx, func(ctx context.Context, b *brain.Brain) error {
		update, finish := a.progress("texts")
		in.Progress = update
		out, err := steward.Run(ctx, b, learn.MoveIn, in)
		finish()
		if err != nil {
			return err
		}
		return a.show(out, func(p *page) { movedPage(p, out, in.Dry) })
	})
}

func movedPage(p *page, out learn.MoveInResult, dry bool) {
	verb := "Taken in"
	if dry {
		verb = "Would be taken in"
	}
	p.line("%s from %s: %s (%s known already), %s with %s, %s, %s between files.", verb, p.style.cyan(string(out.Format)),
		count(out.Crystals, "text", "texts"), grouped(int64(out.Known)), count(out.Entities, "entity", "entities"),
		count(out.Observations, "observation", "observations"), count(out.Relations, "relation", "relations"), count(out.Links, "link", "links"))
	if out.Superseded > 0 {
		p.line("%s; it stays as history.", count(out.Superseded, "earlier text of these notes was superseded", "earlier texts of these notes were superseded"))
	}
	const most = 10
	for i, problem := range out.Problems {
		if i == most {
			p.line("%s", p.style.dim(fmt.Sprintf("… and %d more; --json lists all", len(out.Problems)-most)))
			break
		}
		p.line("%s %s", p.style.yellow("passed over"), scrub.Line(problem))
	}
	p.line("%s", p.style.dim("All of it is marked as imported, the least trusted origin."))
}

func provenancePage(p *page, c texts.Provenance) {
	p.line("%s  %s", p.style.bold(string(c.Kind)), p.style.dim(string(c.ID)))
	for line := range strings.SplitSeq(wrapped(scrub.Line(c.Text), p.width-len(indent)), "\n") {
		p.line("%s%s", indent, line)
	}
	whose := "you, in every project"
	if c.Project != 0 {
		whose = scrub.Line(c.ProjectName)
	}
	rows := [][2]string{
		{"of", whose}, {"said", c.SaidAt.Local().Format("2 Jan 2006 15:04") + " by " + string(c.Origin)}, {"source", scrub.Line(c.Source)},
		{"about", scrub.Line(c.Subject)}, {"life", string(c.Lifecycle)},
		{"used", fmt.Sprintf("%d×, importance %.2f", c.Accesses, c.Importance)},
	}
	if !c.ValidTo.IsZero() {
		rows = append(rows, [2]string{"held until", c.ValidTo.Local().Format("2 Jan 2006 15:04")})
	}
	for _, a := range c.Anchors {
		rows = append(rows, [2]string{"tied to", scrub.Line(a.String())})
	}
	if c.Unsure {
		rows = append(rows, [2]string{"needs check", "the code it speaks of has changed: hebb check " + string(c.ID) + " --right or --wrong"})
	}
	for _, other := range c.Parents {
		rows = append(rows, [2]string{"came after", string(other.ID) + " " + scrub.Line(other.Text)})
	}
	for _, other := range c.Children {
		rows = append(rows, [2]string{"came before", string(other.ID) + " " + scrub.Line(other.Text)})
	}
	p.facts(rows)
	for _, t := range c.Traces {
		p.line("%s%s", indent, p.style.dim(t.At.Local().Format("2 Jan 2006 15:04")+"  "+scrub.Line(t.What+" "+t.Detail)))
	}
}

func (a *app) checkCommand() *cobra.Command {
	var in texts.CheckInput
	var right, wrong bool
	cmd := &cobra.Command{
		Use: "check [ID]", Short: "List what is remembered of code that has changed since",
		Long: `What is remembered of a place in the code (hebb remember --file) is compared with that place as it is now. Where it has
changed, the text needs a check: it ranks lower and says so until somebody looks. With an ID, --right confirms it for the
code as it is, --wrong takes it out of sight and keeps it as history.`,
		Example:           "  hebb check\n  hebb check 01m7fhh1 --right",
		Args:              arguments(0, 1, "at most one ID"),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			in.Scope = a.scope()
			switch {
			case len(args) == 0 && (right || wrong):
				return usageError{errors.New("check: --right and --wrong need the ID of a text")}
			case len(args) == 0:
				return listed(cmd.Context(), a, texts.CheckCrystals, in, checkPage)
			case right == wrong:
				return usageError{errors.New("check ID: say --right or --wrong")}
			}
			return a.with(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
				c, err := steward.Run(ctx, b, texts.Judge, texts.JudgeInput{ID: args[0], Right: right, Origin: a.speaker()})
				if err != nil {
					return err
				}
				return a.show(c, func(p *page) {
					if right {
						p.line("Confirmed: %s", scrub.Line(c.Text))
					} else {
						p.line("Out of sight: %s", scrub.Line(c.Text))
						p.line("%s", p.style.dim("hebb search --history still finds it."))
					}
				})
			})
		},
	}
	a.scopeFlags(cmd, true)
	cmd.Flags().BoolVar(&right, "right", false, "it is still right")
	cmd.Flags().BoolVar(&wrong, "wrong", false, "it is not right any more")
	cmd.Flags().IntVarP(&in.Limit, "limit", "n", 0, "at most this many, 0 for all")
	return cmd
}

func checkPage(p *page, list []texts.Doubtful, _ labels) {
	if len(list) == 0 {
		p.line("Nothing needs a check: what is remembered of code speaks of code as it is.")
	}
	for i, d := range list {
		if i > 0 {
			p.gap()
		}
		p.line("%s  %s", p.style.yellow("needs check"), p.style.dim(string(d.ID)))
		for line := range strings.SplitSeq(wrapped(scrub.Line(d.Text), p.width-len(indent)), "\n") {
			p.line("%s%s", indent, line)
		}
		for _, a := range d.Changed {
			p.line("%s%s", indent, p.style.dim("changed: "+scrub.Line(a.String())))
		}
	}
}

func (a *app) adviceCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "advice FILE", Short: "Say what the customs of this project ask of a file",
		Long: `Learns from the files and types of this project how things are done here, and says in one line what that means for a
file that is new or that you touch: where its test lives, what files in its folder are called, which implementation
belongs to an interface. It stays silent where the project has no clear custom.`,
		Example: "  hebb advice internal/store/pages.go",
		Args:    arguments(1, 1, "one file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.with(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
				out, err := steward.Run(ctx, b, learn.Advise, learn.AdviceInput{Dir: a.Dir, Path: args[0]})
				if err != nil {
					return err
				}
				return a.show(out, func(p *page) {
					if out.Advice == "" {
						p.line("%s", p.style.dim("This project has no clear custom for that file."))
						return
					}
					p.line("%s", scrub.Line(out.Advice))
				})
			})
		},
	}
	return cmd
}

// textsLine says how much can be searched.
func textsLine(p *page, texts map[string]int64) {
	said := int64(0)
	for _, kind := range memory.CrystalKinds {
		said += texts[string(kind)]
	}
	code := texts[ranking.SnippetText]
	if said+code == 0 {
		return
	}
	p.gap()
	p.line("%s remembered, %s can be searched: %s", count(said, "text", "texts"), count(code, "function or type", "functions and types"),
		p.style.cyan("hebb search"))
}
