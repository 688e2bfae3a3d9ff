package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/views"
)

// tended is fresh, after taking in what people wrote into hebb's files as well.
func (a *app) tended(ctx context.Context, fn func(context.Context, *brain.Brain) error) error {
	return a.fresh(ctx, func(ctx context.Context, b *brain.Brain) error {
		views, err := steward.Run(ctx, b, views.ImportEdits, struct{}{})
		if err != nil {
			if ctx.Err() != nil {
				return err
			}
			warning := err.Error()
			if errors.Is(err, memory.ErrBusy) {
				warning = "the store is busy; what was changed by hand is taken in later"
			}
			views.Warnings = append(views.Warnings, warning)
		}
		for _, w := range views.Warnings {
			a.warn(w)
		}
		return fn(ctx, b)
	})
}

// speaker is who says what a command is given: the agent where one runs the command, else the person.
func (a *app) speaker() memory.Origin {
	if name, _ := agent.Caller(a.Getenv); name != "" {
		return memory.OriginAgent
	}
	return memory.OriginUser
}

// personOnly refuses a command that only the person may give where an agent runs it.
func (a *app) personOnly(command string) error {
	name, variable := agent.Caller(a.Getenv)
	if name == "" {
		return nil
	}
	return fmt.Errorf("%s: only you may do this, and %s is set, as it is where an agent runs the command: run it in a terminal of your own: %w",
		command, variable, memory.ErrRefused)
}

var (
	contextModes   = []string{"auto", "full", "warm", "continue", "micro"}
	contextSources = []string{"startup", "resume", "clear", "compact"}
)

// contextBytesAToken is how brain counts tokens; a budget is in bytes.
const contextBytesAToken = 4

func (a *app) contextCommand() *cobra.Command {
	in := answer.ContextInput{Asked: true}
	cmd := &cobra.Command{
		Use: "context", Short: "Show what a session that begins now has in mind",
		Long: `Prints what an agent is shown when its session begins here: pins, the files in mind with their notes, where the last
session was left, what changed in those files meanwhile, notes, earlier sessions. It is chosen from all that is known and
kept within a budget, which follows the model's context window (--window, in tokens). The same state gives the same text, so
that an agent's prompt cache stays valid. How much of the budget it took stands on standard error.

--mode says how much is told: full (everything, with your pages), warm, continue (a few lines) or micro (one or two); auto
chooses as a hook would, by how the session begins (--source) and how long ago the last one ended. After a compaction,
what was being done comes first.

Whether sessions are shown this by themselves is set in config.toml: load = "always", "ask" or "never" under [gates]. This
command always shows it.`,
		Example: `  hebb context
  hebb context --mode full
  hebb context --source compact --window 200000`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			in.Scope = a.scope()
			if in.Mode, err = oneOf("mode", in.Mode, contextModes); err != nil {
				return err
			}
			if in.Source, err = oneOf("source", in.Source, contextSources); err != nil {
				return err
			}
			return a.tended(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
				out, err := steward.Run(ctx, b, answer.StartContext, in)
				if err != nil {
					return err
				}
				status, err := steward.Run(ctx, b, inspect.Status, inspect.StatusInput{Scope: in.Scope})
				if err != nil {
					return err
				}
				if status.Paused { // not on standard output: that is what a session would be shown
					a.warn("paused here: no session is shown this until hebb resume")
				}
				if err := a.show(out, func(p *page) { contextPage(p, out) }); err != nil || a.json || out.Text == "" {
					return err
				}
				_, err = fmt.Fprintln(a.Stderr, a.style(a.Stderr).dim(fmt.Sprintf("%s of at most %s, mode %s",
					count(out.Tokens, "token", "tokens"), grouped(int64(out.Budget/contextBytesAToken)), out.Mode)))
				return err
			})
		},
	}
	a.scopeFlags(cmd, false)
	f := cmd.Flags()
	f.StringVarP(&in.Mode, "mode", "m", "auto", "how much: "+strings.Join(contextModes, ", "))
	f.IntVarP(&in.Window, "window", "w", 0, "the model's context window in tokens, 0 if you do not know it")
	f.StringVar(&in.Source, "source", "startup", "how the session begins: "+strings.Join(contextSources, ", "))
	fixedCompletion(cmd, "mode", contextModes)
	fixedCompletion(cmd, "source", contextSources)
	return cmd
}

func contextPage(p *page, out answer.ContextResult) {
	if out.Text == "" {
		p.line("hebb has nothing to tell a new session here yet. Work with a wired agent (%s wires yours), or", p.style.cyan("hebb init --yes"))
		p.line("say what every session must know with %s.", p.style.cyan("hebb pin"))
		return
	}
	p.line("%s", scrub.Display(strings.TrimRight(out.Text, "\n")))
}

func (a *app) heatCommand() *cobra.Command {
	var in ranking.HeatInput
	cmd := &cobra.Command{
		Use: "heat", Short: "List the files in mind, the hottest first",
		Long: `A file warms up when it is worked on: most by a change, less by being named, least by being read. Each session that ends
in the project leaves 80 % of it, so that what nobody touches cools down. Hot files are shown to a new session with their
note, warm ones with what they are; cold ones are not shown (--cold lists them here). Below stand the files that keep
coming up together.

The same is in live.md, which you may edit: hebb read live --edit.`,
		Example: "  hebb heat\n  hebb heat --cold --limit 50\n  hebb heat --project shop --json",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			in.Scope = a.scope()
			return a.tended(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
				out, err := steward.Run(ctx, b, ranking.Warmth, in)
				if err != nil {
					return err
				}
				return a.show(out, func(p *page) { heatPage(p, out, in.Cold) })
			})
		},
	}
	a.scopeFlags(cmd, false)
	cmd.Flags().IntVarP(&in.Limit, "limit", "n", 0, "at most this many, 0 for as many as in live.md")
	cmd.Flags().BoolVar(&in.Cold, "cold", false, "also files that have cooled down")
	return cmd
}

func heatPage(p *page, out ranking.HeatResult, cold bool) {
	if len(out.Files) == 0 {
		p.line("No file is in mind here. Files warm up as agents work on them; %s says why one matters.", p.style.cyan("hebb note-file"))
		if !cold {
			p.line("%s", p.style.dim("hebb heat --cold also shows those that have cooled down."))
		}
		return
	}
	rows := make([][]string, len(out.Files))
	for i, f := range out.Files {
		said := f.Note
		if said == "" {
			said = f.Summary
		}
		rows[i] = []string{f.Tier, fmt.Sprintf("%.2f", f.Heat), grouped(f.Touches), p.ago(f.LastAt), f.Path, said}
	}
	// The tier stands first, so that it can be coloured once the table has its layout.
	plain := &page{width: p.width, now: p.now}
	plain.table([]string{"TIER", "HEAT>", "TOUCHES>", "LAST", "FILE", "WHY~"}, rows)
	for i, line := range strings.Split(strings.TrimSuffix(plain.b.String(), "\n"), "\n") {
		if i == 0 {
			p.line("%s", p.style.dim(line))
			continue
		}
		tier := out.Files[i-1].Tier
		p.line("%s%s%s", indent, tierColour(p.style, tier), strings.TrimPrefix(line, indent+tier))
	}
	if len(out.Clusters) == 0 {
		return
	}
	p.gap()
	p.heading("Together")
	for _, c := range out.Clusters {
		p.line("%s%s ↔ %s  %s", indent, shownName(c.A), shownName(c.B), p.style.dim(fmt.Sprintf("in %s, weight %s",
			count(c.Sessions, "session", "sessions"), figure(c.Weight))))
	}
}

func tierColour(s style, tier string) string {
	switch tier {
	case "hot":
		return s.red(tier)
	case "warm":
		return s.yellow(tier)
	}
	return s.dim(tier)
}

func (a *app) noteFileCommand() *cobra.Command {
	var in desk.NoteFileInput
	var drop bool
	cmd := &cobra.Command{
		Use: "note-file PATH [TEXT|-]", Short: "Say of a file why it matters just now",
		Long: `Keeps a note with a file: what is going on there, what to watch out for. A new session is shown it as long as the file is
hot; it fades with the work, so say it where it is true now. What stays true belongs into hebb remember or hebb pin.

--summary says what the file is, in place of what hebb found out by itself. - reads the note from standard input.
--clear takes the note off.`,
		Example: `  hebb note-file src/auth.go "half moved to cookies: refresh() still reads the header"
  hebb note-file src/auth.go --summary "sessions and their tokens"
  hebb note-file src/auth.go --clear`,
		Args: arguments(1, -1, "a file, and why it matters"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			switch said := len(args) > 1 || in.Summary != ""; {
			case drop && said:
				return usageError{errors.New("note-file: --clear takes the note off; say something new without it")}
			case !drop && !said:
				return usageError{errors.New("note-file: say why the file matters, --summary what it is, or --clear to take its note off")}
			}
			if in.Note, err = a.textOf(args[1:]); err != nil {
				return fmt.Errorf("note-file: %w", err)
			}
			if len(args) > 1 && strings.TrimSpace(in.Note) == "" {
				return usageError{errors.New("note-file: the note is empty; --clear takes a note off")}
			}
			in.Scope, in.Path, in.Origin = a.scope(), args[0], a.speaker()
			return a.tended(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
				out, err := steward.Run(ctx, b, desk.NoteFile, in)
				if err != nil {
					return err
				}
				return a.show(out, func(p *page) { notedPage(p, out, drop) })
			})
		},
	}
	a.scopeFlags(cmd, false)
	cmd.Flags().StringVar(&in.Summary, "summary", "", "what the file is")
	cmd.Flags().BoolVar(&drop, "clear", false, "take the note off")
	return cmd
}

func notedPage(p *page, out ranking.HotFile, dropped bool) {
	word := "Noted"
	if dropped {
		word = "Note taken off"
	}
	p.line("%s: %s %s", word, p.style.bold(shownName(out.Path)), p.style.dim(fmt.Sprintf("heat %.2f, %s", out.Heat, out.Tier)))
	if out.Summary != "" {
		p.line("%s%s", indent, p.style.dim("is: "+scrub.Line(out.Summary)))
	}
	if out.Note != "" {
		p.line("%s%s", indent, scrub.Line(out.Note))
		if out.Tier != "hot" {
			p.line("%s", p.style.dim("A new session is shown the note while the file is hot; work on it makes it so."))
		}
	}
}

func (a *app) pauseCommand() *cobra.Command {
	return a.pausing(true, &cobra.Command{
		Use: "pause", Short: "Stop watching and speaking in this project",
		Long: `From now on hooks record nothing here and show agents nothing, until hebb resume. What is known stays, and commands answer
as before. What an agent does meanwhile is never learned later; commits are, by hebb init.`,
		Example: "  hebb pause\n  hebb pause --project shop",
	})
}

func (a *app) resumeCommand() *cobra.Command {
	return a.pausing(false, &cobra.Command{
		Use: "resume", Short: "Watch and speak in this project again",
		Long:    "Ends hebb pause. Sessions that run go on being watched from here.",
		Example: "  hebb resume\n  hebb resume --project shop",
	})
}

func (a *app) pausing(pause bool, cmd *cobra.Command) *cobra.Command {
	cmd.Args = noArguments
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return a.with(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
			out, err := steward.Run(ctx, b, desk.PauseProject, desk.PauseInput{Scope: a.scope(), Pause: pause})
			if err != nil {
				return err
			}
			return a.show(out, func(p *page) {
				where := "this project"
				if a.project != "" {
					where = shownName(a.project)
				}
				switch {
				case pause && out.Changed:
					p.line("Paused: in %s hebb neither watches nor speaks until %s.", where, p.style.cyan("hebb resume"))
				case pause:
					p.line("Paused already in %s; %s goes on.", where, p.style.cyan("hebb resume"))
				case out.Changed:
					p.line("Resumed: in %s hebb watches and speaks again.", where)
				default:
					p.line("Nothing was paused in %s.", where)
				}
			})
		})
	}
	a.scopeFlags(cmd, false)
	return cmd
}
