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

	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/sleep"
)

func (a *app) forgottenCommand() *cobra.Command {
	var in sleep.BringBackInput
	var restore bool
	cmd := &cobra.Command{
		Use: "forgotten [FILE...]", Short: "List what sleep has forgotten, and bring it back",
		Long: `Lists the links, files and errors that sleep has forgotten: why, in which sleep, and until when they can be restored. With one FILE
it lists that file and its links, with several what was forgotten between them. --restore brings back what the files and flags
choose, as strong as if it had just occurred twice, so that the next sleep keeps it. After a month (tuning sleep.restore_within) it
can no longer be restored; it is learned again when the files are used together. What you deleted with hebb forget is not listed.`,
		Example: `  hebb forgotten
  hebb forgotten src/login.go
  hebb forgotten --restore src/login.go src/session.go
  hebb forgotten --restore --sleep 12 --dry-run
  hebb forgotten --restore --everything`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			in.Scope, in.Files = a.scope(), args
			if cmd.Flags().Changed("sleep") && in.Sleep <= 0 {
				return usageError{fmt.Errorf("forgotten: --sleep %d: want the number of a sleep (hebb timeline shows them)", in.Sleep)}
			}
			if restore {
				return a.bringBack(cmd.Context(), in)
			}
			if in.Dry || in.Everything {
				return usageError{errors.New("forgotten: --dry-run and --everything go with --restore")}
			}
			return run(cmd.Context(), a, a.fresh, sleep.Forgotten, in.ForgottenInput, func(p *page, lost []sleep.Lost) {
				forgottenPage(p, in.ForgottenInput, lost)
			})
		},
	}
	f := cmd.Flags()
	f.BoolVarP(&restore, "restore", "r", false, "bring it back")
	f.Int64Var(&in.Sleep, "sleep", 0, "only what this sleep forgot, by its number")
	a.timeFlag(cmd, &in.Since, "since", "only what was forgotten after this")
	f.BoolVar(&in.Everything, "everything", false, "with --restore: all of this project that can be restored")
	f.BoolVar(&in.Dry, "dry-run", false, "with --restore: only show what would be restored")
	return a.listFlags(cmd, &in.Limit)
}

func forgottenPage(p *page, in sleep.ForgottenInput, lost []sleep.Lost) {
	switch {
	case len(lost) == 0 && len(in.Files) == 0 && in.Sleep == 0 && in.Since.IsZero():
		p.line("Sleep has forgotten nothing here.")
		return
	case len(lost) == 0:
		p.line("Sleep has forgotten nothing like that.")
		return
	}
	headers := []string{"AGO", "SLEEP>", "WHY", "CAN COME BACK", "WHAT~"}
	projectTable(p, 0, headers, lost, func(l sleep.Lost) (memory.ProjectID, []string) {
		return l.Project, []string{p.ago(l.At), fmt.Sprint(l.Sleep), string(l.Reason), returns(l), lostName(l)}
	})
	p.gap()
	for _, r := range sleep.Reasons {
		if slices.ContainsFunc(lost, func(l sleep.Lost) bool { return l.Reason == r.Reason }) {
			p.line("%s", p.style.dim(fmt.Sprintf("%s%-9s  %s", indent, r.Reason, r.Meaning)))
		}
	}
	if slices.ContainsFunc(lost, func(l sleep.Lost) bool { return l.CanReturn }) {
		p.line("%s brings back what you name.", p.style.cyan("hebb forgotten --restore FILE..."))
	}
	p.limited(len(lost), in.Limit)
}

// returns is until when something can be restored.
func returns(l sleep.Lost) string {
	if !l.CanReturn {
		return "only by use"
	}
	return "until " + day(l.Until)
}

// lostName is the name of a file or error, or both names of a link.
func lostName(l sleep.Lost) string {
	what := shownName(neuronName(l.What.Kind, l.What.Key))
	if l.With == nil {
		return what
	}
	return what + " ↔ " + shownName(neuronName(l.With.Kind, l.With.Key))
}

func (a *app) bringBack(ctx context.Context, in sleep.BringBackInput) error {
	return run(ctx, a, a.fresh, sleep.BringBack, in, func(p *page, r sleep.BringBackResult) {
		for _, l := range r.Back {
			p.line("%s%s", indent, lostName(l))
		}
		for _, s := range r.Skipped {
			p.line("%s%s  %s", indent, lostName(s.Lost), p.style.yellow("stays forgotten: "+scrub.Line(s.Why)))
		}
		if in.Dry {
			p.line("Would restore %s. Nothing was changed.", count(len(r.Back), "link, file or error", "links, files and errors"))
			return
		}
		p.line("Restored %s; the next sleep keeps them.", count(len(r.Back), "link, file or error", "links, files and errors"))
	})
}

func (a *app) timelineCommand() *cobra.Command {
	in := inspect.TimelineInput{Zone: time.Local}
	cmd := &cobra.Command{
		Use: "timeline", Short: "Show what happened, day by day",
		Long: `Shows, newest first: sessions with their intent and how many files and commits they touched; the commits of each day; errors and
the files that fixed them, or that no fix is known (hebb resolve names one); sleeps and what they did; and forgetting on request.
Sleeps and forgetting are about all projects; automatic sleeps that did nothing are not shown.`,
		Example: "  hebb timeline\n  hebb timeline --since 1w --all\n  hebb timeline --json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			in.Scope = a.scope()
			return run(cmd.Context(), a, a.fresh, inspect.Timeline, in, func(p *page, moments []inspect.Moment) {
				timelinePage(p, moments)
				p.limited(len(moments), in.Limit)
			})
		},
	}
	a.timeFlag(cmd, &in.Since, "since", "only after this")
	return a.listFlags(cmd, &in.Limit)
}

func timelinePage(p *page, moments []inspect.Moment) {
	if len(moments) == 0 {
		p.line("Nothing has happened here yet. %s learns this repository's history.", p.style.cyan("hebb init"))
		return
	}
	heading := ""
	for _, m := range moments {
		at := m.At.Local()
		if today := at.Format("Monday, 2 January 2006"); today != heading {
			if heading != "" {
				p.gap()
			}
			heading = today
			p.heading(today)
		}
		kind, what := momentLine(m)
		if name := p.names[m.Project]; name != "" {
			what = shownName(name) + ": " + what
		}
		before := fmt.Sprintf("%s%s  %-8s  ", indent, at.Format("15:04"), kind)
		p.line("%s%s", p.style.dim(before), p.cut(scrub.Line(what), p.width-visibleWidth(before)))
	}
}

// momentLine is the kind of a moment and a line about it.
func momentLine(m inspect.Moment) (kind, what string) {
	switch m.Kind {
	case inspect.SleepMoment:
		return "sleep", fmt.Sprintf("%s: %s (%s)", sleepWhy(m.Sleep.Why), sleepGist(*m.Sleep), "sleep "+grouped(m.Sleep.ID))
	case inspect.DreamMoment:
		return "dream", fmt.Sprintf("by %s: %s used, %s%s", m.Dream.By, count(m.Dream.Notes, "note", "notes"),
			count(m.Dream.Lines, "line changed", "lines changed"), phaseGist(m.Dream.Phases, m.Dream.Insights, m.Dream.Refused))
	case inspect.SessionMoment:
		return "session", sessionLine(*m.Session)
	case inspect.CommitsMoment:
		if m.Commits == 1 {
			return "commit", fmt.Sprintf("%q", m.Text)
		}
		return "commits", fmt.Sprintf("%s, the latest %q", grouped(m.Commits), m.Text)
	case inspect.ResolvedMoment:
		line, _, _ := strings.Cut(strings.TrimSpace(m.Text), "\n")
		return "resolved", fmt.Sprintf("%q by %s", line, strings.Join(mapped(m.Files, shownName), ", "))
	case inspect.ErrorMoment:
		line, _, _ := strings.Cut(strings.TrimSpace(m.Text), "\n")
		times := ""
		if m.Times > 1 {
			times = ", " + grouped(m.Times) + " times"
		}
		return "error", fmt.Sprintf("%q%s: no fix is known", line, times)
	case inspect.ThoughtMoment:
		return "thought", thoughtLine(m)
	case inspect.OnPurposeMoment:
		return "forgot", count(m.Events, "event", "events") + ", on purpose"
	}
	return string(m.Kind), m.Text
}

func sleepWhy(why string) string {
	words := map[string]string{sleep.SleptAsked: "you asked", inspect.SleptAfterWork: "after work", inspect.SleptIdle: "idle"}
	return cmp.Or(words[why], why)
}

// sessionLine is a session in one line: agent, times, files, commits and intent.
func sessionLine(s inspect.SessionWork) string {
	parts := []string{string(s.Agent)}
	if s.Open() {
		parts = append(parts, "open since "+s.OpenedAt.Local().Format("15:04"))
	} else {
		parts = append(parts, fmt.Sprintf("%s to %s, %s", s.OpenedAt.Local().Format("15:04"), s.LastEventAt.Local().Format("15:04"), sessionState(s.Session)))
	}
	parts = append(parts, count(s.Files, "file", "files"))
	if s.Commits > 0 {
		parts = append(parts, count(s.Commits, "commit", "commits"))
	}
	line := strings.Join(parts, ", ")
	if s.Intent != "" {
		line += fmt.Sprintf("  %q", s.Intent)
	}
	return line
}
