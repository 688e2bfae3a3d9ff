package cli

import (
	"cmp"
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
)

// speaker is the origin of a command's input: the agent where one runs the command, else the person.
func (a *app) speaker() memory.Origin {
	if name, _ := agent.Caller(a.Getenv); name != "" {
		return memory.OriginAgent
	}
	return memory.OriginUser
}

// personOnly refuses a command that only the person may run, where an agent runs it.
func (a *app) personOnly(command string) error {
	name, variable := agent.Caller(a.Getenv)
	if name == "" {
		return nil
	}
	return fmt.Errorf("%s: agents may not do this, and %s is set, as it is where an agent runs a command: run it in your own terminal: %w",
		command, variable, memory.ErrRefused)
}

var (
	contextModes   = []string{"auto", "full", "warm", "continue", "micro"}
	contextSources = []string{"startup", "resume", "clear", "compact"}
)

// contextBytesAToken converts a budget, which is in bytes, into tokens.
const contextBytesAToken = 4

func (a *app) contextCommand() *cobra.Command {
	in := answer.ContextInput{Asked: true, Mode: "auto", Source: "startup"}
	cmd := &cobra.Command{
		Use: "context", Short: "Show what a session that begins now is shown",
		Long: `Prints what an agent is shown when its session begins here: pins, hot files with their notes, the end of the last session, what
changed in those files since, notes, earlier sessions. It is kept within a budget, which follows the model's context window
(--window, in tokens). The same state gives the same text, so that an agent's prompt cache stays valid. Standard error shows how much
of the budget was used.

--mode is full (everything, with your pages), warm, continue (a few lines) or micro (one or two); auto chooses as a hook would, by
how the session begins (--source) and how long ago the last one ended. After a compaction, the current work comes first.

load = "always", "ask" or "never" under [gates] in config.toml says whether sessions are shown this. The command always shows it.`,
		Example: `  hebb context
  hebb context --mode full
  hebb context --source compact --window 200000`,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			in.Scope = a.scope()
			return a.synced(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
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
	choiceFlag(cmd, &in.Mode, "mode", "m", contextModes, "how much")
	cmd.Flags().IntVarP(&in.Window, "window", "w", 0, "the model's context window in tokens, 0 if unknown")
	choiceFlag(cmd, &in.Source, "source", "", contextSources, "how the session begins")
	return a.scopeFlags(cmd, false)
}

func contextPage(p *page, out answer.ContextResult) {
	if out.Text == "" {
		p.line("There is nothing to show to a new session yet. Work with a wired agent (%s wires yours), or", p.style.cyan("hebb init --yes"))
		p.line("pin what every session must know with %s.", p.style.cyan("hebb pin"))
		return
	}
	p.line("%s", scrub.Display(strings.TrimRight(out.Text, "\n")))
}

func (a *app) heatCommand() *cobra.Command {
	var in ranking.HeatInput
	cmd := &cobra.Command{
		Use: "heat", Short: "List the hot files, the hottest first",
		Long: `Work on a file raises its heat: a change most, a mention less, a read least. Each session that ends in the project multiplies heat
by 0.8, so that unused files cool down. A new session is shown hot files with their note and warm ones with their summary, but no
cold ones (--cold lists them here). Files that occur together follow below.

live.md has the same content, and you may edit it: hebb read live --edit.`,
		Example: "  hebb heat\n  hebb heat --cold --limit 50\n  hebb heat --project shop --json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			in.Scope = a.scope()
			return run(cmd.Context(), a, a.synced, ranking.Warmth, in, func(p *page, out ranking.HeatResult) { heatPage(p, out, in.Cold) })
		},
	}
	cmd.Flags().IntVarP(&in.Limit, "limit", "n", 0, "at most this many, 0 for as many as in live.md")
	cmd.Flags().BoolVar(&in.Cold, "cold", false, "also cold files")
	return a.scopeFlags(cmd, false)
}

func heatPage(p *page, out ranking.HeatResult, cold bool) {
	if len(out.Files) == 0 {
		p.line("No hot files here. Work of agents on a file raises its heat; %s says why one matters.", p.style.cyan("hebb note-file"))
		if !cold {
			p.line("%s", p.style.dim("hebb heat --cold also shows cold files."))
		}
		return
	}
	// The tier is the first column, so that it can be coloured once the table has its layout.
	plain := &page{width: p.width, now: p.now}
	headers := []string{"TIER", "HEAT>", "TOUCHES>", "LAST", "FILE", "WHY~"}
	tableOf(plain, headers, out.Files, func(f ranking.HotFile) []string {
		return []string{f.Tier, figure(f.Heat), grouped(f.Touches), p.ago(f.LastAt), f.Path, cmp.Or(f.Note, f.Summary)}
	})
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
		Use: "note-file FILE [TEXT|-]", Short: "Keep a note with a file",
		Long: `Keeps a note with a file: what is going on there, what to watch out for. A new session is shown it as long as the file is hot.
Use hebb remember or hebb pin for what stays true.

--summary says what the file is, instead of hebb's own summary. - reads the note from standard input. --clear removes the note.`,
		Example: `  hebb note-file src/auth.go "half moved to cookies: refresh() still reads the header"
  hebb note-file src/auth.go --summary "sessions and their tokens"
  hebb note-file src/auth.go --clear`,
		Args: arguments(1, -1, "a file, and why it matters"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			switch said := len(args) > 1 || in.Summary != ""; {
			case drop && said:
				return usageError{errors.New("note-file: --clear removes the note; leave it out to give a new one")}
			case !drop && !said:
				return usageError{errors.New("note-file: give a note, --summary, or --clear to remove the note")}
			}
			if in.Note, err = a.textOf(cmd, args[1:]); err != nil {
				return err
			}
			if len(args) > 1 && strings.TrimSpace(in.Note) == "" {
				return usageError{errors.New("note-file: the note is empty; --clear removes a note")}
			}
			in.Scope, in.Path, in.Origin = a.scope(), args[0], a.speaker()
			return run(cmd.Context(), a, a.synced, desk.NoteFile, in, func(p *page, out ranking.HotFile) { notedPage(p, out, drop) })
		},
	}
	cmd.Flags().StringVar(&in.Summary, "summary", "", "what the file is")
	cmd.Flags().BoolVar(&drop, "clear", false, "remove the note")
	return a.scopeFlags(cmd, false)
}

func notedPage(p *page, out ranking.HotFile, dropped bool) {
	word := "Noted"
	if dropped {
		word = "Note removed"
	}
	p.line("%s: %s %s", word, p.style.bold(shownName(out.Path)), p.style.dim(fmt.Sprintf("heat %.2f, %s", out.Heat, out.Tier)))
	if out.Summary != "" {
		p.line("%s%s", indent, p.style.dim("is: "+scrub.Line(out.Summary)))
	}
	if out.Note != "" {
		p.line("%s%s", indent, scrub.Line(out.Note))
		if out.Tier != "hot" {
			p.line("%s", p.style.dim("A new session is shown the note while the file is hot; work on it raises its heat."))
		}
	}
}

func (a *app) pauseCommand() *cobra.Command {
	return a.pausing(true, &cobra.Command{
		Use: "pause", Short: "Stop recording and answering in this project",
		Long: `Hooks record nothing here and show agents nothing until hebb resume. What is known stays, and commands answer as before. What an
agent does meanwhile is never learned; commits are, by hebb init.`,
		Example: "  hebb pause\n  hebb pause --project shop",
	})
}

func (a *app) resumeCommand() *cobra.Command {
	return a.pausing(false, &cobra.Command{
		Use: "resume", Short: "Record and answer in this project again",
		Long:    "Ends hebb pause. Running sessions are recorded from now on.",
		Example: "  hebb resume\n  hebb resume --project shop",
	})
}

func (a *app) pausing(pause bool, cmd *cobra.Command) *cobra.Command {
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return run(cmd.Context(), a, a.with, desk.PauseProject, desk.PauseInput{Scope: a.scope(), Pause: pause}, func(p *page, out desk.PauseResult) {
			where := "this project"
			if a.project != "" {
				where = shownName(a.project)
			}
			switch {
			case pause && out.Changed:
				p.line("Paused: in %s hebb records and shows nothing until %s.", where, p.style.cyan("hebb resume"))
			case pause:
				p.line("Paused already in %s; %s ends the pause.", where, p.style.cyan("hebb resume"))
			case out.Changed:
				p.line("Resumed: in %s hebb records and answers again.", where)
			default:
				p.line("Nothing was paused in %s.", where)
			}
		})
	}
	return a.scopeFlags(cmd, false)
}
