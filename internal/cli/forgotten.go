package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/sleep"
	"github.com/hebb-memory/hebb/internal/steward"
)

func (a *app) forgottenCommand() *cobra.Command {
	var in sleep.BringBackInput
	var since string
	var restore bool
	cmd := &cobra.Command{
		Use: "forgotten [FILE...]", Short: "List what sleep has forgotten, and bring it back",
		Long: `Shows what sleep let go: which links, files and errors, why, in which sleep, and until when it can be brought back. With
one FILE it shows that file and its links, with several what was forgotten between them. --restore brings back what the
files and flags choose: as strong as if it had been met twice, and met right now, so that the next sleep leaves it
alone. After a month (tuning sleep.restore_within) only the fact remains; then the work itself brings it back, when the files
are used together again. What you deleted with hebb forget is not here.`,
		Example: `  hebb forgotten
  hebb forgotten src/login.go
  hebb forgotten --restore src/login.go src/session.go
  hebb forgotten --restore --sleep 12 --dry-run
  hebb forgotten --restore --everything`,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			in.Scope, in.Files = a.scope(), args
			if in.Since, err = a.parseTime("--since", since); err != nil {
				return err
			}
			if cmd.Flags().Changed("sleep") && in.Sleep <= 0 {
				return usageError{fmt.Errorf("forgotten: --sleep %d: want the number of a sleep (hebb timeline shows them)", in.Sleep)}
			}
			if restore {
				return a.bringBack(cmd.Context(), in)
			}
			if in.Dry || in.Everything {
				return usageError{errors.New("forgotten: --dry-run and --everything go with --restore")}
			}
			return listed(cmd.Context(), a, sleep.Forgotten, in.ForgottenInput, func(p *page, lost []sleep.Lost, names labels) {
				forgottenPage(p, in.ForgottenInput, lost, names)
			})
		},
	}
	a.listFlags(cmd, &in.Limit)
	f := cmd.Flags()
	f.BoolVarP(&restore, "restore", "r", false, "bring it back")
	f.Int64Var(&in.Sleep, "sleep", 0, "only what this sleep forgot, by its number")
	f.StringVar(&since, "since", "", "only what was forgotten after this: 90m, 12h, 2d, 2026-11-15, or a full time")
	f.BoolVar(&in.Everything, "everything", false, "with --restore: all of this project that can still come back")
	f.BoolVar(&in.Dry, "dry-run", false, "with --restore: only say what would come back")
	return cmd
}

func forgottenPage(p *page, in sleep.ForgottenInput, lost []sleep.Lost, names labels) {
	switch {
	case len(lost) == 0 && len(in.Files) == 0 && in.Sleep == 0 && in.Since.IsZero():
		p.line("Sleep has forgotten nothing here.")
		return
	case len(lost) == 0:
		p.line("Sleep has forgotten nothing like that.")
		return
	}
	headers := []string{"AGO", "SLEEP>", "WHY", "CAN COME BACK", "WHAT~"}
	projectTable(p, headers, lost, names, func(l sleep.Lost) (memory.ProjectID, []string) {
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
	if in.Limit > 0 && len(lost) == in.Limit {
		p.line("%s", p.style.dim(fmt.Sprintf("The latest %d; -n 0 shows all.", in.Limit)))
	}
}

// returns says until when something can be brought back.
func returns(l sleep.Lost) string {
	if !l.CanReturn {
		return "by use only"
	}
	return "until " + day(l.Until)
}

// lostName writes both names of a link so that neither can be taken for the other.
func lostName(l sleep.Lost) string {
	what := shownName(neuronName(l.What.Kind, l.What.Key))
	if l.With == nil {
		return what
	}
	return what + " ↔ " + shownName(neuronName(l.With.Kind, l.With.Key))
}

func (a *app) bringBack(ctx context.Context, in sleep.BringBackInput) error {
	return a.fresh(ctx, func(ctx context.Context, b *brain.Brain) error {
		r, err := steward.Run(ctx, b, sleep.BringBack, in)
		if err != nil {
			return err
		}
		return a.show(r, func(p *page) {
			for _, l := range r.Back {
				p.line("%s%s", indent, lostName(l))
			}
			for _, s := range r.Skipped {
				p.line("%s%s  %s", indent, lostName(s.Lost), p.style.yellow("stays forgotten: "+scrub.Line(s.Why)))
			}
			if in.Dry {
				p.line("%s would come back. Nothing was changed.", count(len(r.Back), "thing", "things"))
				return
			}
			p.line("%s.", count(len(r.Back), "thing is back, as if met right now: the next sleep leaves it alone",
				"things are back, as if met right now: the next sleep leaves them alone"))
		})
	})
}

func (a *app) timelineCommand() *cobra.Command {
	in := inspect.TimelineInput{Zone: time.Local}
	var since string
	cmd := &cobra.Command{
		Use: "timeline", Short: "Tell what happened, day by day",
		Long: `Shows, newest first: sessions with what they were about and how many files and commits came of them; the commits of
each day; errors and the files that fixed them, or that no fix is known (hebb resolve names one); sleeps and what they
did; and forgetting that was asked for. Sleeps and forgetting are about all projects; sleeps nobody asked for that
found nothing to do are left out.`,
		Example: "  hebb timeline\n  hebb timeline --since 1w --all\n  hebb timeline --json",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			in.Scope = a.scope()
			if in.Since, err = a.parseTime("--since", since); err != nil {
				return err
			}
			return listed(cmd.Context(), a, inspect.Timeline, in, func(p *page, moments []inspect.Moment, names labels) {
				timelinePage(p, moments, names)
				if in.Limit > 0 && len(moments) == in.Limit {
					p.line("%s", p.style.dim(fmt.Sprintf("The latest %d; -n 0 shows all.", in.Limit)))
				}
			})
		},
	}
	a.listFlags(cmd, &in.Limit)
	cmd.Flags().StringVar(&since, "since", "", "only after this: 90m, 12h, 2d, 2026-11-15, or a full time")
	return cmd
}

func timelinePage(p *page, moments []inspect.Moment, names labels) {
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
		if name := names[m.Project]; name != "" {
			what = shownName(name) + ": " + what
		}
		before := fmt.Sprintf("%s%s  %-8s  ", indent, at.Format("15:04"), kind)
		p.line("%s%s", p.style.dim(before), p.cut(scrub.Line(what), p.width-columns(before)))
	}
}

// momentLine says in a word and a line what happened.
func momentLine(m inspect.Moment) (kind, what string) {
	switch m.Kind {
	case inspect.SleepMoment:
		return "sleep", fmt.Sprintf("%s: %s (%s)", sleepWhy(m.Sleep.Why), sleepGist(*m.Sleep), "sleep "+grouped(m.Sleep.ID))
	case inspect.DreamMoment:
		return "dream", fmt.Sprintf("by %s: %s taken in, %s%s", m.Dream.By, count(m.Dream.Notes, "note", "notes"),
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
		files := make([]string, len(m.Files))
		for i, f := range m.Files {
			files[i] = shownName(f)
		}
		return "resolved", fmt.Sprintf("%q by %s", line, strings.Join(files, ", "))
	case inspect.ErrorMoment:
		line, _, _ := strings.Cut(strings.TrimSpace(m.Text), "\n")
		met := ""
		if m.Times > 1 {
			met = ", met " + grouped(m.Times) + " times"
		}
		return "error", fmt.Sprintf("%q%s: no fix is known", line, met)
	case inspect.ThoughtMoment:
		return "thought", thoughtLine(m)
	case inspect.OnPurposeMoment:
		return "forgot", count(m.Events, "event", "events") + ", on purpose"
	}
	return string(m.Kind), m.Text
}

func sleepWhy(why string) string {
	switch why {
	case sleep.SleptAsked:
		return "you asked"
	case inspect.SleptAfterWork:
		return "after work"
	case inspect.SleptIdle:
		return "nobody at work"
	}
	return why
}

// sessionLine is a session in one line: who, how it ended, what came of it, what it was about.
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
