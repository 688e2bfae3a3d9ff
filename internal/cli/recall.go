package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/tuning"
)

const partsShown = 6 // terms that recall --explain names for an answer; JSON has all (what fits on a screen)

func (a *app) recallCommand() *cobra.Command {
	var in ranking.RecallInput
	var episodic bool
	cmd := &cobra.Command{
		Use: "recall [QUERY...]", Short: "Say which files a task needs, and why",
		Long: `Ranks the files of this project by what its past says about a task: the words of the query in paths, names, commit
subjects and earlier prompts; commits and sessions like it; what was changed or opened together with the files that
are open; what was changed of late. SURE is the chance that the file will be needed, WHY names what speaks most for
it: the commit or session that says most, where one does, else the kinds of evidence.

--open names a file you have open (say it again for each, the latest first); it needs no query. --session takes the
open files of an agent's run and asks what it opens next, as --next does for --open.
--explain takes every answer apart: what each kind of evidence adds, through which other file it was reached, and
the commits, sessions and links behind it. --episodic answers from memory of single sessions of the last days
instead. An error in the query, pasted as the tool printed it, also brings the files that fixed it before.`,
		Example: `  hebb recall fix the login redirect
  hebb recall --open src/login.go --open src/session.go
  hebb recall "token expiry" --explain -n 3
  hebb recall --session s5rqswgc --json
  hebb recall "login" --episodic`,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			in.Scope, in.Text = a.scope(), strings.Join(args, " ")
			if episodic {
				return a.remember(cmd, in)
			}
			return a.recall(cmd.Context(), in)
		},
	}
	a.scopeFlags(cmd, true)
	f := cmd.Flags()
	f.StringArrayVarP(&in.Open, "open", "o", nil, "a file that is open, the latest first; may be repeated")
	f.StringVarP(&in.Session, "session", "s", "", "what this session has open, and what it opens next")
	f.BoolVar(&in.Next, "next", false, "what is opened next, instead of all that a change touches")
	f.IntVarP(&in.Limit, "limit", "n", 10, "at most this many files, 0 for all that were weighed")
	f.IntVar(&in.Budget, "budget", 0, "tokens the answers may cost an agent together, 0 for any")
	f.BoolVar(&episodic, "episodic", false, "what sessions of the last days with the same words opened")
	f.BoolVarP(&in.Explain, "explain", "e", false, "show every term, the way of activation and the evidence")
	return cmd
}

func (a *app) recall(ctx context.Context, in ranking.RecallInput) error {
	c, err := config.Load(a.Getenv)
	if err != nil {
		return err
	}
	in.Least, in.Precedents = c.Tuning.Recall.MinConfidence, true
	return a.fresh(ctx, func(ctx context.Context, b *brain.Brain) error {
		found, err := steward.Run(ctx, b, ranking.Recall, in)
		if err != nil {
			return err
		}
		names, err := projectNames(ctx, b, in.All)
		if err != nil {
			return err
		}
		if len(found.Unknown) > 0 {
			a.warn("left out, because no commit and no session here has touched it: " + strings.Join(found.Unknown, ", "))
		}
		return a.show(found, func(p *page) { recallPage(p, found, names, in) })
	})
}

func recallPage(p *page, found ranking.RecallResult, names labels, in ranking.RecallInput) {
	if len(found.Fixes) > 0 {
		p.heading("Went with this error before")
		answerTable(p, found.Fixes, names)
		if len(found.Files) == 0 {
			return
		}
		p.gap()
	}
	switch {
	case found.Episodes == 0:
		p.line("hebb knows no past of this project yet.")
		p.line("%s learns its commits, and sessions of a wired agent add to it; %s asks every project.",
			p.style.cyan("hebb init"), p.style.cyan("--all"))
	case len(found.Files) == 0:
		p.line("Nothing in the past speaks for a file. Try other words, name an open file with %s, or ask every project "+
			"with %s.", p.style.cyan("--open"), p.style.cyan("--all"))
	case in.Explain:
		for i, r := range found.Files {
			if i > 0 {
				p.gap()
			}
			explainPage(p, r, names)
		}
		p.gap()
		p.line("%s", p.style.dim("SHARE: part of all that speaks for the file. "+
			"PLACE: its rank in that term's own list."))
	default:
		answerTable(p, found.Files, names)
		p.line("%s", p.style.dim(fmt.Sprintf("From %s; --explain shows what stands behind each.",
			count(found.Episodes, "piece of past work", "pieces of past work"))))
	}
}

// answerTable shows files with how sure they are and why.
func answerTable(p *page, answers []ranking.Recalled, names labels) {
	headers := []string{"SURE>", "FILE", "WHY~"}
	rows := make([][]string, len(answers))
	for i, r := range answers {
		rows[i] = []string{percent(r.Confidence), r.Path + linesNote(r.Fragment), r.Reason + ignoredNote(r.Ignored)}
		if names != nil {
			rows[i] = slices.Insert(rows[i], 1, names[r.Project])
		}
	}
	if names != nil {
		headers = slices.Insert(headers, 1, "PROJECT")
	}
	p.table(headers, rows)
}

// linesNote says where in a file to look, as editors and agents read it.
func linesNote(f *ranking.Fragment) string {
	if f == nil {
		return ""
	}
	return fmt.Sprintf(":%d-%d", f.First, f.Last)
}

func ignoredNote(times int64) string {
	if times == 0 {
		return ""
	}
	return fmt.Sprintf(" (passed over %d× in a row)", times)
}

// explainPage takes one answer apart.
func explainPage(p *page, r ranking.Recalled, names labels) {
	where := ""
	if names != nil {
		where = "  in " + shownName(names[r.Project])
	}
	p.line("%s  %s sure%s%s", p.style.bold(shownName(r.Path)), percent(r.Confidence), where, ignoredNote(r.Ignored))
	partsTable(p, r.Parts, partsShown)
	if r.Through != "" {
		p.line("%sReached through %s, an answer it was often changed with: nothing leads to it directly.", indent,
			p.style.cyan(shownName(r.Through)))
	}
	if len(r.Proof) == 0 {
		return
	}
	rows := make([][]string, len(r.Proof))
	for i, e := range r.Proof {
		rows[i] = []string{e.Kind + " " + shortID(e.Kind, e.ID), p.ago(e.At), e.Why, e.Text}
	}
	p.table([]string{"EVIDENCE", "AGO", "WHY~", "WHAT~"}, rows)
}

// partsTable shows what the largest terms add, as a share of all that speaks for the answer.
func partsTable(p *page, parts []ranking.Part, most int) {
	if len(parts) == 0 {
		return
	}
	sum, largest := 0.0, 0.0
	for _, part := range parts {
		sum += max(part.Share, 0)
		largest = max(largest, math.Abs(part.Share))
	}
	shown := parts[:min(len(parts), most)]
	rows := make([][]string, len(shown))
	for i, part := range shown {
		meaning := part.Meaning
		if part.Share < 0 {
			meaning = "speaks against it: " + meaning
		}
		drawn := bar(math.Abs(part.Share)/largest, part.Share < 0)
		rows[i] = []string{percent(part.Share / max(sum, largest)), drawn, part.Term, place(part.Place), meaning}
	}
	p.table([]string{"SHARE>", "", "TERM", "PLACE>", "MEANING"}, rows)
	if rest := len(parts) - len(shown); rest > 0 {
		p.line("%s", p.style.dim(indent+"and "+count(rest, "smaller term", "smaller terms")))
	}
}

const barLength = 10

// bar draws a share of 0 to 1; what counts against something is drawn hollow.
func bar(share float64, against bool) string {
	block := "█"
	if against {
		block = "░"
	}
	return strings.Repeat(block, max(1, int(math.Round(share*barLength))))
}

// place writes a rank as people do: 1st, 2nd, 3rd, 11th.
func place(n int) string {
	switch {
	case n == 0:
		return "–"
	case n%10 == 1 && n%100 != 11:
		return fmt.Sprintf("%dst", n)
	case n%10 == 2 && n%100 != 12:
		return fmt.Sprintf("%dnd", n)
	case n%10 == 3 && n%100 != 13:
		return fmt.Sprintf("%drd", n)
	}
	return fmt.Sprintf("%dth", n)
}

func percent(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }

// shortHash is how much of a commit's hash people use.
const shortHash = 9

func shortID(kind, id string) string {
	if kind == "commit" {
		return id[:min(len(id), shortHash)]
	}
	return id
}

// remember answers from single sessions.
func (a *app) remember(cmd *cobra.Command, in ranking.RecallInput) error {
	for _, flag := range []string{"open", "session", "next", "budget", "explain"} {
		if cmd.Flags().Changed(flag) {
			return usageError{fmt.Errorf("recall: --episodic goes by words alone: leave --%s out", flag)}
		}
	}
	if strings.TrimSpace(in.Text) == "" {
		return usageError{errors.New("recall: --episodic needs words to look for")}
	}
	c, err := config.Load(a.Getenv)
	if err != nil {
		return err
	}
	return a.fresh(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
		asked := ranking.EpisodicInput{Scope: in.Scope, Text: in.Text, Limit: in.Limit}
		found, err := steward.Run(ctx, b, ranking.RecallEpisodic, asked)
		if err != nil {
			return err
		}
		names, err := projectNames(ctx, b, in.All)
		if err != nil {
			return err
		}
		var nearest []ranking.Remembered
		if len(found) == 0 {
			asked.Any, asked.Limit = true, 1
			if nearest, err = steward.Run(ctx, b, ranking.RecallEpisodic, asked); err != nil {
				return err
			}
		}
		return a.show(found, func(p *page) {
			if len(found) == 0 {
				nothingRemembered(p, nearest, c.Tuning.Recall)
				return
			}
			rememberPage(p, found, names)
		})
	})
}

// nothingRemembered says which limit left nothing over, and how to move it.
func nothingRemembered(p *page, nearest []ranking.Remembered, t tuning.Recall) {
	days := count(int(t.EpisodicWithin.Hours()/24), "day", "days")
	if len(nearest) == 0 {
		p.line("No session of the last %s opened a file for these words (tuning recall.recent_within).", days)
	} else {
		n := nearest[0]
		p.line("Nothing is sure enough: the surest is %s with %s (%s of the last %s), and %s is asked for.", shownName(n.Path),
			percent(n.Confidence), count(n.Sessions, "session", "sessions"), days, percent(t.EpisodicGate))
		p.line("To see it, put %s under %s in config.toml; %s makes certain.",
			p.style.cyan(fmt.Sprintf("recent_confidence = %.2f", math.Floor(n.Confidence*100)/100)), p.style.cyan("[tuning.recall]"),
			count(ranking.EpisodicFull, "such session", "such sessions"))
	}
	p.line("Without %s all of the past is asked.", p.style.cyan("--episodic"))
}

func rememberPage(p *page, found []ranking.Remembered, names labels) {
	headers := []string{"SURE>", "SESSIONS>", "LAST", "FILE"}
	rows := make([][]string, len(found))
	for i, r := range found {
		rows[i] = []string{percent(r.Confidence), grouped(int64(r.Sessions)), p.ago(r.Last), r.Path}
		if names != nil {
			rows[i] = slices.Insert(rows[i], 1, names[r.Project])
		}
	}
	if names != nil {
		headers = slices.Insert(headers, 1, "PROJECT")
	}
	p.table(headers, rows)
}

func (a *app) errorCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "error TEXT|-", Short: "Say what fixed an error before",
		Long: `Recognises an error as tools print it (Go, Rust, TypeScript, Python, Java, Ruby, PHP, C and C++, npm, SQL and more),
whatever its line numbers, paths and times, and names the files that went with it before: those you named with hebb
resolve, and those that sessions changed after meeting it. - reads standard input, so that a command can be piped
in. Words about an error are none: give the line that names it.`,
		Example: `  hebb error "TypeError: Cannot read property 'id' of null"
  go test ./... 2>&1 | hebb error -`,
		ValidArgsFunction: cobra.NoFileCompletions,
		Args:              arguments(1, -1, "the error as the tool printed it, or -"),
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := a.textOf(args)
			if err != nil {
				return fmt.Errorf("error: %w", err)
			}
			return a.fresh(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
				found, err := steward.Run(ctx, b, ranking.Fixes, ranking.FixesInput{Scope: a.scope(), Error: text})
				if err != nil {
					return err
				}
				names, err := projectNames(ctx, b, a.all)
				if err != nil {
					return err
				}
				return a.show(found, func(p *page) { fixesPage(p, found, names) })
			})
		},
	}
	a.scopeFlags(cmd, true)
	return cmd
}

// textOf is what the arguments say, or what standard input holds.
func (a *app) textOf(args []string) (string, error) {
	if len(args) != 1 || args[0] != "-" {
		return strings.Join(args, " "), nil
	}
	text, err := io.ReadAll(io.LimitReader(a.Stdin, brain.TextMost+1))
	if err == nil && len(text) > brain.TextMost {
		err = fmt.Errorf("standard input holds more than %s: give the part that matters: %w", size(brain.TextMost), memory.ErrInvalid)
	}
	return strings.ToValidUTF8(string(text), "\uFFFD"), err
}

func fixesPage(p *page, found ranking.RecallResult, names labels) {
	const title = "Error" + indent
	p.line("%s%s", p.style.bold(title), p.style.dim(p.cut(scrub.Line(found.Error), p.width-len(title))))
	if len(found.Fixes) == 0 {
		p.line("No fix is known yet. Once it is mended, %s remembers what mended it.",
			p.style.cyan("hebb resolve TEXT --file FILE"))
	} else {
		answerTable(p, found.Fixes, names)
	}
	if len(found.Files) > 0 {
		p.gap()
		p.heading("Named in it")
		answerTable(p, found.Files, names)
	}
}

func (a *app) resolveCommand() *cobra.Command {
	var files []string
	cmd := &cobra.Command{
		Use: "resolve TEXT|-", Short: "Say which files fixed an error",
		Long: `Links an error to the files that fixed it, so that they come up when it is met again: with hebb error, in hebb
recall and in what agents are shown. The first time makes the link strong, each time more makes it stronger. The
files need not exist; paths count from the working directory. - reads the error from standard input.`,
		Example: `  hebb resolve "connect ECONNREFUSED 127.0.0.1:5432" --file deploy/compose.yml
  hebb resolve "panic: assignment to entry in nil map" -f src/cache.go -f src/cache_test.go`,
		ValidArgsFunction: cobra.NoFileCompletions,
		Args:              arguments(1, -1, "the error as the tool printed it, or -"),
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := a.textOf(args)
			if err != nil {
				return fmt.Errorf("resolve: %w", err)
			}
			return a.with(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
				found, err := steward.Run(ctx, b, ranking.Resolve, ranking.ResolveInput{Dir: a.Dir, Error: text, Files: files, Origin: a.speaker()})
				if err != nil {
					return err
				}
				return a.show(found, func(p *page) {
					p.line("Remembered. What is known of it now:")
					fixesPage(p, found, nil)
				})
			})
		},
	}
	cmd.Flags().StringArrayVarP(&files, "file", "f", nil, "a file that fixed it; may be repeated")
	return cmd
}

func (a *app) commitsCommand() *cobra.Command {
	var in ranking.CommitsInput
	cmd := &cobra.Command{
		Use: "commits [QUERY...]", Short: "Show past commits most like a task, with the files they changed",
		Long: `Finds the commits whose subjects and paths are most like the query, and shows what they changed: what was done the
last time somebody did something like it. Without a query it shows the newest that hebb has learned. Files marked as
gone were deleted or renamed since.`,
		Example: `  hebb commits
  hebb commits login redirect -n 3
  hebb commits "drop python 2" --json`,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			in.Scope, in.Text = a.scope(), strings.Join(args, " ")
			return a.fresh(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
				found, err := steward.Run(ctx, b, ranking.Commits, in)
				if err != nil {
					return err
				}
				names, err := projectNames(ctx, b, in.All)
				if err != nil {
					return err
				}
				return a.show(found, func(p *page) { commitsPage(p, found, names, in.Text) })
			})
		},
	}
	a.scopeFlags(cmd, true)
	cmd.Flags().IntVarP(&in.Limit, "limit", "n", 10, "at most this many, 0 for all")
	return cmd
}

func commitsPage(p *page, commits []ranking.PastCommit, names labels, query string) {
	switch {
	case len(commits) == 0 && query == "":
		p.line("No commits learned here yet. %s learns them.", p.style.cyan("hebb init"))
	case len(commits) == 0:
		p.line("No commit is like that. Try other words; %s without any shows the newest, %s learns new ones.",
			p.style.cyan("hebb commits"), p.style.cyan("hebb init"))
	}
	for _, c := range commits {
		hash, head := shortID("commit", scrub.Line(c.Hash)), "  "+p.ago(c.At)
		if names != nil {
			head += "  " + shownName(names[c.Project])
		}
		if query != "" {
			head += "  " + percent(c.Like) + " alike"
		}
		subject := p.cut(scrub.Line(c.Subject), p.width-columns(hash+head)-len(indent))
		p.line("%s%s%s%s", p.style.cyan(hash), head, indent, p.style.bold(subject))
		files := strings.Join(commitFiles(c), ", ")
		if len(c.Files) == 0 {
			files = "too many files to say what belongs together"
		}
		p.line("%s", p.style.dim(indent+p.cut(files, p.width-len(indent))))
	}
}

// commitFiles names what a commit changed, and marks what is no longer there.
func commitFiles(c ranking.PastCommit) []string {
	files := make([]string, len(c.Files))
	for i, path := range c.Files {
		files[i] = shownName(path)
		if slices.Contains(c.Gone, path) {
			files[i] += " (gone)"
		}
	}
	return files
}

func (a *app) predictCommand() *cobra.Command {
	var in ranking.PredictInput
	cmd := &cobra.Command{
		Use: "predict", Short: "Say which file and which tool a session uses next",
		Long: `Looks ahead of a session, by default the newest of this project: the files it is most likely to open next, from its
latest prompt and what it has open; and the tools that came next most often after the one it used last, counted over
the latest calls of this project. --tool asks about another tool.`,
		Example: "  hebb predict\n  hebb predict --session s5rqswgc\n  hebb predict --tool Edit --json",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			in.Scope = a.scope()
			return a.fresh(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
				next, err := steward.Run(ctx, b, ranking.Predict, in)
				if err != nil {
					return err
				}
				return a.show(next, func(p *page) { predictPage(p, next) })
			})
		},
	}
	a.scopeFlags(cmd, false)
	f := cmd.Flags()
	f.StringVarP(&in.Session, "session", "s", "", "look ahead of this session")
	f.StringVarP(&in.Tool, "tool", "t", "", "the tool just used, instead of the session's last")
	f.IntVarP(&in.Limit, "limit", "n", 5, "files to name")
	return cmd
}

func predictPage(p *page, next ranking.PredictResult) {
	if next.Session == nil {
		p.line("No agent has worked here yet. %s wires those it finds; then ask again.", p.style.cyan("hebb init --yes"))
		return
	}
	session := next.Session.ID.String() + indent + p.ago(next.Session.LastEventAt) + indent
	p.line("%s%s", p.style.dim(session), p.cut(scrub.Line(next.Session.Intent), p.width-columns(session)))
	p.gap()
	p.heading("Next file")
	if len(next.Files) == 0 {
		p.line("%sNothing in the past speaks for one. %s learns the commits of this project.", indent,
			p.style.cyan("hebb init"))
	} else {
		answerTable(p, next.Files, nil)
	}
	p.gap()
	switch {
	case next.Tool == "":
		p.heading("Next tool")
		p.line("%sThe session has used none yet; --tool asks about one.", indent)
	case len(next.Tools) == 0:
		p.heading("Next tool")
		p.line("%sNothing ever came after %s here.", indent, shownName(next.Tool))
	default:
		p.heading("Next tool after " + shownName(next.Tool))
		rows := make([][]string, len(next.Tools))
		for i, t := range next.Tools {
			rows[i] = []string{percent(t.Share), fmt.Sprintf("%d of %d", t.Count, next.Followed), t.Tool}
		}
		p.table([]string{"SHARE>", "TIMES>", "TOOL"}, rows)
	}
}
