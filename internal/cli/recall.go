package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/scrub"
)

const partsShown = 6 // terms that recall --explain shows for a file, as fits on a screen; JSON has all

func (a *app) recallCommand() *cobra.Command {
	type input struct {
		ranking.RecallInput
		Like     bool `flag:"like" about:"the past commits most like the query, or the newest, instead of files"`
		Episodic bool `flag:"episodic" about:"files that sessions of the last days opened for the same words"`
	}
	return takes(a, &cobra.Command{
		Use: "recall [QUERY...]", Short: "List the files a task needs, and why",
		Long: `Ranks the files of this project for a task, from its past: words of the query in paths, names,
commit subjects and earlier prompts; similar commits and sessions; files changed or opened
together with the open ones; recent changes. SURE is the probability that the file is needed, WHY
the strongest evidence. An error in the query, pasted as the tool printed it, also brings the
files that fixed it before.`,
		Example: `  hebb recall fix the login redirect
  hebb recall --open src/login.go --open src/session.go`,
	}, input{RecallInput: ranking.RecallInput{Limit: 10}}, func(cmd *cobra.Command, in input) error {
		switch {
		case in.Like:
			asked := ranking.CommitsInput{Scope: in.Scope, Text: in.Text, Limit: in.Limit}
			return run(cmd.Context(), a, a.fresh, ranking.Commits, asked, func(p *page, found []ranking.PastCommit) { commitsPage(p, found, in.Text) })
		case in.Episodic:
			return a.recallEpisodic(cmd, in.RecallInput)
		}
		return a.recall(cmd.Context(), in.RecallInput)
	})
}

func (a *app) recall(ctx context.Context, in ranking.RecallInput) error {
	return a.fresh(ctx, func(ctx context.Context, b *brain.Brain) error {
		in.Least, in.Precedents = b.Config.Tuning.Recall.MinConfidence, true
		found, err := ask(ctx, a, b, ranking.Recall, in)
		if err != nil {
			return err
		}
		if len(found.Unknown) > 0 {
			a.warn("ignored, because no commit and no session here has touched it: " + strings.Join(found.Unknown, ", "))
		}
		return a.show(found, func(p *page) { recallPage(p, found, in) })
	})
}

func recallPage(p *page, found ranking.RecallResult, in ranking.RecallInput) {
	if len(found.Fixes) > 0 {
		p.heading("Fixed this error before")
		answerTable(p, found.Fixes)
		if len(found.Files) == 0 {
			return
		}
		p.gap()
	}
	if len(found.Running) > 0 {
		p.heading("The last work here")
		for _, path := range found.Running {
			p.line("%s", shownName(path))
		}
		p.note("These words name no files, so this is what the last session opened, the latest first, and what it may need next.")
		if len(found.Files) == 0 {
			return
		}
		p.gap()
	}
	switch {
	case found.Vague && len(found.Running) == 0:
		p.line("These words name no files, and no session has opened any here that could be gone on with.")
		p.line("Say what the task is, or name an open file with `--open`.")
	case found.Episodes == 0:
		p.line("hebb knows no past of this project yet.")
		p.line("`hebb init` learns its commits, and sessions of a wired agent add to it; `--all` asks " +
			"every project.")
	case len(found.Files) == 0:
		p.line("No evidence for any file. Try other words, name an open file with `--open`, or ask " +
			"every project with `--all`.")
	case in.Explain:
		for i, r := range found.Files {
			p.between(i)
			explainPage(p, r)
		}
		p.gap()
		p.note("SHARE: part of the evidence for the file. PLACE: its rank by that term alone.")
	default:
		answerTable(p, found.Files)
		p.note(fmt.Sprintf("From %s; --explain shows the evidence.",
			count(found.Episodes, "commit or session", "commits and sessions")))
	}
}

// answerTable shows files with their probability and reason.
func answerTable(p *page, answers []ranking.Recalled) {
	tableOf(p, "SURE>, PROJECT, FILE, WHY~", answers, func(r ranking.Recalled) []any {
		return []any{percent(r.Confidence), r.Project, r.Path + linesNote(r.Fragment), r.Reason + ignoredNote(r.Ignored)}
	})
}

// linesNote is a range of lines as editors and agents read it.
func linesNote(f *ranking.Fragment) string {
	if f == nil {
		return ""
	}
	return fmt.Sprintf(":%d-%d", f.First, f.Last)
}

func ignoredNote(times int64) string {
	return either(times > 0, fmt.Sprintf(" (ignored %d× in a row)", times), "")
}

// explainPage shows the evidence for one file.
func explainPage(p *page, r ranking.Recalled) {
	where := either(p.names != nil, "  in "+shownName(p.names[r.Project]), "")
	p.line("%s  %s sure%s%s", p.style.bold(shownName(r.Path)), percent(r.Confidence), where, ignoredNote(r.Ignored))
	partsTable(p, r.Parts, partsShown)
	p.lineIf(r.Through != "", "%sReached only through %s, which was often changed with it.", indent, p.style.cyan(shownName(r.Through)))
	if len(r.Proof) > 0 {
		tableOf(p, "EVIDENCE, AGO, WHY~, WHAT~", r.Proof, func(e ranking.Evidence) []any {
			return []any{e.Kind + " " + shortID(e.Kind, e.ID), e.At, e.Why, e.Text}
		})
	}
}

// partsTable shows the largest terms, each as a share of the evidence for the file.
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
	tableOf(p, "SHARE>, , TERM, PLACE>, MEANING", shown, func(part ranking.Part) []any {
		meaning := either(part.Share < 0, "counts against it: "+part.Meaning, part.Meaning)
		drawn := bar(math.Abs(part.Share)/largest, part.Share < 0)
		return []any{percent(part.Share / max(sum, largest)), drawn, part.Term, place(part.Place), meaning}
	})
	if rest := len(parts) - len(shown); rest > 0 {
		p.note(indent + "and " + count(rest, "smaller term", "smaller terms"))
	}
}

// place writes a rank as people do: 1st, 2nd, 3rd, 11th.
func place(n int) string {
	if n == 0 {
		return "–"
	}
	ending := "th"
	if n%100 < 11 || n%100 > 13 {
		ending = cmp.Or(map[int]string{1: "st", 2: "nd", 3: "rd"}[n%10], ending)
	}
	return strconv.Itoa(n) + ending
}

// shortHash is how much of a commit's hash is shown.
const shortHash = 9

func shortID(kind, id string) string {
	if kind == "commit" {
		return id[:min(len(id), shortHash)]
	}
	return id
}

// recallEpisodic answers from single sessions.
func (a *app) recallEpisodic(cmd *cobra.Command, in ranking.RecallInput) error {
	for _, flag := range []string{"open", "session", "next", "budget", "explain"} {
		if cmd.Flags().Changed(flag) {
			return usageError{fmt.Errorf("recall: --episodic uses words alone: remove --%s", flag)}
		}
	}
	if strings.TrimSpace(in.Text) == "" {
		return usageError{errors.New("recall: --episodic needs words to search for")}
	}
	asked := ranking.EpisodicInput{Scope: in.Scope, Text: in.Text, Limit: in.Limit}
	return run(cmd.Context(), a, a.fresh, ranking.RecallEpisodic, asked, episodicPage)
}

func episodicPage(p *page, found []ranking.Remembered) {
	if len(found) == 0 {
		p.line("No session of the last days opened a file for these words often enough. The limits are the " +
			"settings recall.recent_confidence and recall.recent_within.")
		p.line("Without `--episodic` all of the past is used.")
		return
	}
	tableOf(p, "SURE>, PROJECT, SESSIONS>, LAST, FILE", found, func(r ranking.Remembered) []any {
		return []any{percent(r.Confidence), r.Project, r.Sessions, r.Last, r.Path}
	})
}

func (a *app) errorCommand() *cobra.Command {
	type input struct {
		ranking.FixesInput
		FixedBy []string `flag:"fixed-by,f" about:"record that this file fixed it; may be repeated"`
		File    []string `flag:"file,,hidden" about:"of hebb resolve"`
	}
	return takes(a, &cobra.Command{
		Use: "error TEXT|-", Short: "Show what fixed an error before",
		Long: `Recognises an error as tools print it, whatever its line numbers, paths and times, and lists the
files that fixed it before: those you named with --fixed-by, and those that sessions changed after
it. - reads standard input. Give the line of the error itself, not a description.`,
		Example: `  hebb error "TypeError: Cannot read property 'id' of null"
  go test ./... 2>&1 | hebb error -
  hebb error "connect ECONNREFUSED 127.0.0.1:5432" --fixed-by deploy/compose.yml`,
	}, input{}, func(cmd *cobra.Command, in input) error {
		in.FixedBy = append(in.FixedBy, in.File...)
		switch {
		case len(in.FixedBy) == 0:
			return run(cmd.Context(), a, a.fresh, ranking.Fixes, in.FixesInput, fixesPage)
		case a.project != "" || a.all:
			return usageError{errors.New("error: --fixed-by is about this project: leave out --project and --all")}
		}
		fix := ranking.ResolveInput{Dir: a.Dir, Error: in.Error, Files: in.FixedBy, Origin: a.speaker()}
		return run(cmd.Context(), a, a.with, ranking.Resolve, fix, func(p *page, found ranking.RecallResult) {
			p.line("Recorded. Known fixes now:")
			fixesPage(p, found)
		})
	})
}

func fixesPage(p *page, found ranking.RecallResult) {
	const title = "Error" + indent
	p.line("%s%s", p.style.bold(title), p.style.dim(p.cut(scrub.Line(found.Error), p.width-len(title))))
	if len(found.Fixes) == 0 {
		p.line("No fix is known yet. Once you have fixed it, `hebb error TEXT --fixed-by FILE` " +
			"records the files.")
	} else {
		answerTable(p, found.Fixes)
	}
	if len(found.Files) > 0 {
		p.section("Named in it")
		answerTable(p, found.Files)
	}
}

func commitsPage(p *page, commits []ranking.PastCommit, query string) {
	switch {
	case len(commits) == 0 && query == "":
		p.line("No commits learned here yet. `hebb init` learns them.")
	case len(commits) == 0:
		p.line("No similar commit. Try other words; `hebb recall --like` without any shows the " +
			"newest, `hebb init` learns new ones.")
	}
	for _, c := range commits {
		hash, head := shortID("commit", scrub.Line(c.Hash)), "  "+p.ago(c.At)
		if p.names != nil {
			head += "  " + shownName(p.names[c.Project])
		}
		if query != "" {
			head += "  " + percent(c.Like) + " alike"
		}
		subject := p.cut(scrub.Line(c.Subject), p.width-visibleWidth(hash+head)-len(indent))
		p.line("%s%s%s%s", p.style.cyan(hash), head, indent, p.style.bold(subject))
		files := strings.Join(mapped(c.Files, func(path string) string {
			return either(slices.Contains(c.Gone, path), shownName(path)+" (gone)", shownName(path))
		}), ", ")
		if len(c.Files) == 0 {
			files = "too many files to learn from"
		}
		p.note(indent + p.cut(files, p.width-len(indent)))
	}
}

func (a *app) predictCommand() *cobra.Command {
	type input struct {
		ranking.PredictInput
		Of string `flag:"session,s" about:"predict for this session"`
	}
	return takes(a, &cobra.Command{
		Use: "predict", Short: "Predict the next file and the next tool of a session",
		Long: `Predicts for a session, by default the newest of this project: the files it is most likely to open
next, and the tools that most often followed its last one here.`,
		Example: "  hebb sessions predict --session s5rqswgc",
	}, input{PredictInput: ranking.PredictInput{Limit: 5}}, func(cmd *cobra.Command, in input) error {
		in.Session = in.Of
		return run(cmd.Context(), a, a.fresh, ranking.Predict, in.PredictInput, predictPage)
	})
}

func predictPage(p *page, next ranking.PredictResult) {
	if next.Session == nil {
		p.line("No agent has worked here yet. `hebb init --yes` wires those it finds.")
		return
	}
	session := next.Session.ID.String() + indent + p.ago(next.Session.LastEventAt) + indent
	p.line("%s%s", p.style.dim(session), p.cut(scrub.Line(next.Session.Intent), p.width-visibleWidth(session)))
	p.section("Next file")
	if len(next.Files) == 0 {
		p.line("%sNo evidence for any file. `hebb init` learns the commits of this project.", indent)
	} else {
		answerTable(p, next.Files)
	}
	p.gap()
	switch {
	case next.Tool == "":
		p.heading("Next tool")
		p.line("%sThe session has used none yet; --tool asks about one.", indent)
	case len(next.Tools) == 0:
		p.heading("Next tool")
		p.line("%sNothing ever followed %s here.", indent, shownName(next.Tool))
	default:
		p.heading("Next tool after " + shownName(next.Tool))
		tableOf(p, "SHARE>, TIMES>, TOOL", next.Tools, func(t ranking.NextTool) []any {
			return []any{percent(t.Share), fmt.Sprintf("%d of %d", t.Count, next.Followed), t.Tool}
		})
	}
}
