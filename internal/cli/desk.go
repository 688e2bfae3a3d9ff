package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
)

var (
	contextModes   = []string{"auto", "full", "warm", "continue", "micro"}
	contextSources = []string{"startup", "resume", "clear", "compact"}
)

// contextBytesAToken converts a budget, which is in bytes, into tokens.
const contextBytesAToken = 4

func (a *app) contextCommand() *cobra.Command {
	in := answer.ContextInput{Asked: true, Mode: "auto", Source: "startup"}
	var recent bool
	var limit int
	cmd := &cobra.Command{
		Use: "context", Short: "Show what a session that begins now is shown",
		Long: `Prints what an agent is shown when its session begins here: pins, hot files with their notes, the
end of the last session, what changed since, notes, earlier sessions. It is kept within a budget,
which follows the model's context window (--window, in tokens).

--mode is full (everything, with your pages), warm, continue (a few lines) or micro (one or two);
auto chooses as a hook would. load = "always", "ask" or "never" under [gates] in config.toml says
whether sessions are shown this.`,
		Example: `  hebb context --source compact --window 200000`,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			in.Scope = a.scope()
			if recent {
				shelf := desk.ShelfInput{Scope: in.Scope, Limit: limit}
				return run(cmd.Context(), a, a.synced, desk.Shelf, shelf, recentPage)
			}
			if a.all || limit > 0 {
				return usageError{errors.New("context: --all and --limit go with --recent")}
			}
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
					a.warn("paused here: no session is shown this until hebb config resume")
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
	cmd.Flags().BoolVar(&recent, "recent", false, "only the summaries of the latest sessions, as RECENT.md has them")
	cmd.Flags().IntVarP(&limit, "limit", "n", 0, "with --recent: at most this many")
	cmd.Flags().IntVarP(&in.Window, "window", "w", 0, "the model's context window in tokens, 0 if unknown")
	choiceFlag(cmd, &in.Source, "source", "", contextSources, "how the session begins")
	return a.scopeFlags(cmd, true)
}

func contextPage(p *page, out answer.ContextResult) {
	if out.Text == "" {
		p.line("There is nothing to show to a new session yet. Work with a wired agent (`hebb init " +
			"--yes` wires yours), or")
		p.line("pin what every session must know with `hebb pin`.")
		return
	}
	p.line("%s", scrub.Display(strings.TrimRight(out.Text, "\n")))
}

func (a *app) heatCommand() *cobra.Command {
	var in desk.HeatInput
	cmd := &cobra.Command{
		Use: "heat", Short: "List the hot files, the hottest first",
		Long: `Work on a file raises its heat: a change most, a mention less, a read least. Each session that
ends in the project multiplies heat by 0.8. A new session is shown hot files with their note and
warm ones with their summary. live.md has the same content; hebb only writes it.`,
		Example: "  hebb graph heat --cold --limit 50",
		RunE: func(cmd *cobra.Command, _ []string) error {
			in.Scope = a.scope()
			return run(cmd.Context(), a, a.synced, desk.Warmth, in, func(p *page, out desk.HeatResult) { heatPage(p, out, in.Cold) })
		},
	}
	cmd.Flags().IntVarP(&in.Limit, "limit", "n", 0, "at most this many, 0 for as many as in live.md")
	cmd.Flags().BoolVar(&in.Cold, "cold", false, "also cold files")
	return a.scopeFlags(cmd, false)
}

func heatPage(p *page, out desk.HeatResult, cold bool) {
	if len(out.Files) == 0 {
		p.line("No hot files here. Work of agents on a file raises its heat; `hebb graph note` says " +
			"why one matters.")
		if !cold {
			p.note("hebb graph heat --cold also shows cold files.")
		}
		return
	}
	// The tier is the first column, so that it can be coloured once the table has its layout.
	plain := &page{width: p.width, now: p.now}
	headers := []string{"TIER", "HEAT>", "TOUCHES>", "LAST", "FILE", "WHY~"}
	tableOf(plain, headers, out.Files, func(f desk.HotFile) []string {
		return []string{f.Tier, figure(f.Heat), grouped(f.Touches), p.ago(f.LastAt), f.Path, cmp.Or(f.Note, f.Summary)}
	})
	for i, line := range strings.Split(strings.TrimSuffix(plain.b.String(), "\n"), "\n") {
		if i == 0 {
			p.note(line)
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
		Use: "note FILE [TEXT|-]", Short: "Keep a note with a file",
		Long: `Keeps a note with a file: what is going on there, what to watch out for. A new session is shown it
as long as the file is hot. --summary says what the file is, instead of hebb's own summary. Use
hebb remember or hebb pin for what stays true.`,
		Example: `  hebb graph note src/auth.go "half moved to cookies: refresh() still reads the header"
  hebb graph note src/auth.go --summary "sessions and their tokens"`,
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
			return run(cmd.Context(), a, a.synced, desk.NoteFile, in, func(p *page, out desk.HotFile) { notedPage(p, out, drop) })
		},
	}
	cmd.Flags().StringVar(&in.Summary, "summary", "", "what the file is")
	cmd.Flags().BoolVar(&drop, "clear", false, "remove the note")
	return a.scopeFlags(cmd, false)
}

func notedPage(p *page, out desk.HotFile, dropped bool) {
	word := "Noted"
	if dropped {
		word = "Note removed"
	}
	p.line("%s: %s %s", word, p.style.bold(shownName(out.Path)), p.style.dim(fmt.Sprintf("heat %.2f, %s", out.Heat, out.Tier)))
	if out.Summary != "" {
		p.note(indent + "is: " + scrub.Line(out.Summary))
	}
	if out.Note != "" {
		p.line("%s%s", indent, scrub.Line(out.Note))
		if out.Tier != "hot" {
			p.note("A new session is shown the note while the file is hot; work on it raises its heat.")
		}
	}
}

func (a *app) pauseCommand() *cobra.Command {
	return a.pausing(true, &cobra.Command{
		Use: "pause", Short: "Stop recording and answering in this project",
		Long: `Hooks record nothing here and show agents nothing until hebb config resume. What is known stays,
and commands answer as before. What an agent does meanwhile is never learned; commits are. The
start of a session says that hebb is paused. Agents may neither pause nor resume.`,
		Example: "  hebb config pause --project shop",
	})
}

func (a *app) resumeCommand() *cobra.Command {
	return a.pausing(false, &cobra.Command{
		Use: "resume", Short: "Record and answer in this project again",
		Long:    "Ends hebb config pause. Running sessions are recorded from now on.",
		Example: "  hebb config resume --project shop",
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
				p.line("Paused: in %s hebb records and shows nothing until `hebb config resume`.", where)
			case pause:
				p.line("Paused already in %s; `hebb config resume` ends the pause.", where)
			case out.Changed:
				p.line("Resumed: in %s hebb records and answers again.", where)
			default:
				p.line("Nothing was paused in %s.", where)
			}
		})
	}
	return a.scopeFlags(cmd, false)
}

func (a *app) pinCommand() *cobra.Command {
	var in desk.PinInput
	var accept bool
	cmd := &cobra.Command{
		Use: "pin TITLE [TEXT|-]", Short: "Show something to every session",
		Long: `A pin is shown at the start of every session of this project and never fades: a rule, a danger, a
decision. The title is enough if it says everything. Pinning a title again replaces its text. Pins
have limited room, so keep them few and short. PINNED.md holds them, and you may edit it.

What an agent pins is a proposal and not shown until you accept it: hebb pin list --waiting lists
proposals, --accept makes one your pin, hebb pin remove rejects it.`,
		Example: `  hebb pin "Never push to main"
  hebb pin "Money is in cents" "All amounts are int64 cents; floats only in the UI." --reason "rounding bug of March"
  hebb pin "Answer in short sentences" --everywhere`,
		Args: arguments(1, -1, "a title, and the text if there is more to say"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if accept {
				return a.acceptPin(cmd, in, strings.Join(args, " "))
			}
			if in.Text, err = a.textOf(cmd, args[1:]); err != nil {
				return err
			}
			in.Scope, in.Title, in.Origin = a.scope(), args[0], a.speaker()
			return keepPin(cmd.Context(), a, desk.PinText, in)
		},
	}
	cmd.Flags().StringVar(&in.Reason, "reason", "", "why it is pinned")
	cmd.Flags().BoolVar(&accept, "accept", false, "accept the pin of this title that an agent proposed")
	everywhereFlag(cmd, &in.Everywhere)
	return a.scopeFlags(cmd, false)
}

// acceptPin accepts a proposed pin.
func (a *app) acceptPin(cmd *cobra.Command, in desk.PinInput, title string) error {
	if in.Reason != "" {
		return usageError{errors.New("pin: --accept accepts a proposal as it is; to change it, use hebb pin TITLE TEXT --reason")}
	}
	accepted := desk.UnpinInput{Scope: a.scope(), Title: title, Everywhere: in.Everywhere, Origin: a.speaker()}
	return keepPin(cmd.Context(), a, desk.AcceptPin, accepted)
}

// keepPin keeps a pin, writes its file and shows it. Edits of the file are imported before, so that they do not undo it.
func keepPin[In any](ctx context.Context, a *app, op brain.Operation[In, desk.PinResult], in In) error {
	return a.synced(ctx, func(ctx context.Context, b *brain.Brain) error {
		out, err := steward.Run(ctx, b, op, in)
		if err != nil {
			return err
		}
		if err := a.show(out, func(p *page) {
			pinnedPage(p, out)
			leftOut(p, out.Title, out.Text, out.Reason)
		}); err != nil {
			return err
		}
		a.checkRoom(out.Bytes, out.Most)
		return nil
	})
}

// checkRoom warns when pins take more room than the start of a session has for them.
func (a *app) checkRoom(bytes, most int) {
	if bytes > most {
		a.warn(fmt.Sprintf("pins take %s of %s bytes at the start of a session: some are shown by their titles alone. Shorten some, remove some "+
			"(hebb pin remove TITLE), or give them more room (context.pins in config.toml)", grouped(int64(bytes)), grouped(int64(most))))
	}
}

func pinnedPage(p *page, out desk.PinResult) {
	if out.Waiting() {
		p.line("Proposed: %s", p.style.bold(scrub.Line(out.Title)))
		pinText(p, out.Pin)
		p.note("It comes from an agent, so it waits for the user: hebb pin list --waiting, hebb pin --accept TITLE.")
		return
	}
	word := "Pinned"
	if out.Replaced {
		word = "Pinned again, the earlier text stays as history"
	}
	p.line("%s: %s", word, p.style.bold(scrub.Line(out.Title)))
	pinText(p, out.Pin)
	p.note(fmt.Sprintf("Every session %s is shown it. Pins take %s of %s bytes.", pinPlace(out.Pin),
		grouped(int64(out.Bytes)), grouped(int64(out.Most))))
}

func pinPlace(pin memory.Pin) string {
	if pin.Project == 0 {
		return "everywhere"
	}
	return "of this project"
}

// pinText shows what a pin says beyond its title.
func pinText(p *page, pin memory.Pin) {
	if pin.Text != pin.Title {
		p.paragraphs("", pin.Text)
	}
	if pin.Reason != "" {
		p.note(indent + "because: " + scrub.Line(pin.Reason))
	}
}

func (a *app) pinsCommand() *cobra.Command {
	var waiting bool
	cmd := &cobra.Command{
		Use: "list", Short: "List the pins",
		Long: `Lists the pins of this project and those for every project; --all lists those of all projects.
--waiting lists what agents proposed.`,
		Example: "  hebb pin list --waiting",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.fresh(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
				out, err := a.pins(ctx, b)
				if err != nil {
					return err
				}
				for _, w := range out.Warnings {
					a.warn(w)
				}
				show := pinsPage
				if waiting {
					show = proposalsPage
				}
				if err := a.show(out, func(p *page) { show(p, out) }); err != nil || a.all || waiting {
					return err
				}
				a.checkRoom(out.Bytes, out.Most)
				return nil
			})
		},
	}
	cmd.Flags().BoolVar(&waiting, "waiting", false, "what agents proposed and you have not accepted yet")
	return a.scopeFlags(cmd, true)
}

// pins lists the pins of a project, or of all.
func (a *app) pins(ctx context.Context, b *brain.Brain) (desk.PinsResult, error) {
	out, err := steward.Run(ctx, b, desk.Pins, a.scope())
	if err != nil || !a.all || a.project != "" {
		return out, err
	}
	projects, err := a.nameProjects(ctx, b)
	for _, known := range projects {
		of, err := steward.Run(ctx, b, desk.Pins, brain.Scope{Project: known.ID.String()})
		if err != nil {
			return out, err
		}
		elsewhere := func(pin memory.Pin) bool { return pin.Project != known.ID } // pins for every project come with each
		out.Pins = append(out.Pins, slices.DeleteFunc(of.Pins, elsewhere)...)
		out.Waiting = append(out.Waiting, slices.DeleteFunc(of.Waiting, elsewhere)...)
	}
	return out, err
}

func pinsPage(p *page, out desk.PinsResult) {
	if len(out.Pins) == 0 {
		p.line("No pins. `hebb pin TITLE` shows something to every later session.")
	} else {
		pinList(p, out.Pins)
		if p.names == nil {
			p.gap()
			p.note(fmt.Sprintf("They take %s of %s bytes at the start of a session.",
				grouped(int64(out.Bytes)), grouped(int64(out.Most))))
		}
	}
	if n := len(out.Waiting); n > 0 {
		p.note(count(n, "pin", "pins") + " proposed by agents: hebb pin list --waiting")
	}
}

func proposalsPage(p *page, out desk.PinsResult) {
	if len(out.Waiting) == 0 {
		p.line("No proposed pins.")
		return
	}
	pinList(p, out.Waiting)
	p.gap()
	p.note("hebb pin --accept TITLE accepts one, hebb pin remove TITLE rejects it.")
}

func pinList(p *page, pins []memory.Pin) {
	for i, pin := range pins {
		if i > 0 {
			p.gap()
		}
		head := []string{p.style.bold(scrub.Line(pin.Title)), p.style.dim(p.ago(pin.At))}
		switch name, ok := p.names[pin.Project]; {
		case pin.Project == 0:
			head = append(head, p.style.cyan("everywhere"))
		case ok:
			head = append(head, p.style.cyan(shownName(name)))
		}
		if pin.Waiting() {
			head = append(head, p.style.dim("from "+pin.Origin.Name()))
		}
		p.line("%s", strings.Join(head, "  "))
		pinText(p, pin)
	}
}

func (a *app) unpinCommand() *cobra.Command {
	var in desk.UnpinInput
	cmd := &cobra.Command{
		Use: "remove TITLE", Short: "Remove a pin; search still finds its text",
		Long: `Removes the pin of this title, of this project or for every project; --everywhere looks among the
latter only. An unambiguous part of the title is enough. If there is no such pin, a proposal of
that title is rejected. An agent can only remove proposals.`,
		Example: "  hebb pin remove \"Money is in cents\"\n  hebb pin remove --everywhere \"answer in short sentences\"",
		Args:    arguments(1, -1, "the title of a pin"),
		ValidArgsFunction: completes(a, 1, desk.Pins, a.inScope, func(out desk.PinsResult) []string {
			return mapped(append(out.Pins, out.Waiting...), func(pin memory.Pin) string { return scrub.Line(pin.Title) })
		}),
		RunE: func(cmd *cobra.Command, args []string) error {
			in.Scope, in.Title, in.Origin = a.scope(), strings.Join(args, " "), a.speaker()
			return run(cmd.Context(), a, a.synced, desk.Unpin, in, func(p *page, pin memory.Pin) {
				p.line("Unpinned: %s", p.style.bold(scrub.Line(pin.Title)))
				p.note("hebb search still finds its text.")
			})
		},
	}
	everywhereFlag(cmd, &in.Everywhere)
	return a.scopeFlags(cmd, false)
}

func (a *app) moodCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "mood", Short: "Show the mood of the work, and what it changes",
		Long: `Three levels from 0 to 1: reward (dopamine), stress (cortisol) and bond (oxytocin). Errors that are
fixed raise reward; hebb state mood reward and friction are your own signals. Each level returns
to rest within hours. Above 0.6, stress halves what an agent is shown and puts fixed errors first;
reward shows related goals.`,
		Example: "  hebb state mood",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return run(cmd.Context(), a, a.fresh, desk.MoodNow, struct{}{}, moodPage)
		},
	}
	cmd.AddCommand(a.rewardCommand(), a.frictionCommand())
	return cmd
}

func moodPage(p *page, out desk.MoodResult) {
	p.heading(scrub.Line(out.Words))
	p.note("Fixed errors raise reward. Your own signals: hebb state mood reward, hebb state mood friction")
	moodLevels(p, out)
	effect := out.Effect
	if effect == "" {
		effect = "It changes nothing in what is shown."
	}
	p.paragraphs("", effect)
}

// moodLevels shows each level under both of its names, with its past as a sparkline that fits the terminal.
func moodLevels(p *page, out desk.MoodResult) {
	names, width := make([]string, len(out.Levels)), 0
	for i, l := range out.Levels {
		names[i] = fmt.Sprintf("%s (%s)", l.Name, l.Hormone)
		width = max(width, visibleWidth(names[i]))
	}
	for i, l := range out.Levels {
		past := make([]float64, 0, len(out.History)+1)
		for _, m := range out.History {
			past = append(past, map[string]float64{"reward": m.Reward, "stress": m.Stress, "bond": m.Bond}[l.Name])
		}
		past = append(past, l.Level)
		label := fmt.Sprintf("%s%-*s  %s  ", indent, width, names[i], figure(l.Level))
		rest := "  at rest " + figure(l.Rest)
		if room := p.width - visibleWidth(label+rest); p.width > 0 {
			past = past[max(0, len(past)-max(room/visibleWidth(sparkline(past[:1], 1)), 1)):]
		}
		p.line("%s%s%s", label, p.style.cyan(sparkline(past, 1)), p.style.dim(rest))
	}
}

func (a *app) rewardCommand() *cobra.Command {
	return a.feeling("reward", &cobra.Command{
		Use: "reward [TEXT|-]", Short: "Record that something went well",
		Long: `Raises reward: what was just done was right. TEXT is kept as a note for the next dream; - reads it
from standard input.`,
		Example: "  hebb state mood reward \"the new retry logic survived the outage\"",
	})
}

func (a *app) frictionCommand() *cobra.Command {
	return a.feeling("friction", &cobra.Command{
		Use: "friction [TEXT|-]", Short: "Record that something went wrong",
		Long: `Raises stress: what was just done was wrong, slow or annoying. TEXT is kept as a note for the next
dream; - reads it from standard input.`,
		Example: "  hebb state mood friction \"do not reformat files that you only read\"",
	})
}

// feeling makes a command that records a person's own signal. Its text becomes a note, which has an origin and a project; a signal has
// neither.
func (a *app) feeling(event string, cmd *cobra.Command) *cobra.Command {
	cmd.Args = arguments(0, -1, "nothing, or what it was about")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		note := statements.NoteInput{Scope: a.scope(), Kind: memory.Lesson, Importance: desk.FeltImportance, Origin: a.speaker(), Felt: []string{event}}
		if len(args) > 0 {
			var err error
			if note.Text, err = a.textOf(cmd, args); err != nil {
				return err
			}
			if strings.TrimSpace(note.Text) == "" {
				return usageError{fmt.Errorf("%s: the text is empty", event)}
			}
		}
		return a.synced(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
			if note.Text != "" {
				if _, err := steward.Run(ctx, b, desk.TakeNote, note); err != nil && !isTaken(err) {
					return err
				}
			}
			felt := desk.FeelInput{Event: event}
			return runOn(ctx, a, b, desk.Feel, felt, func(p *page, out desk.MoodResult) { feltPage(p, out, note.Text != "") })
		})
	}
	return a.scopeFlags(cmd, false)
}

func feltPage(p *page, out desk.MoodResult, noted bool) {
	p.line("Recorded. The mood is now: %s", p.style.bold(scrub.Line(out.Words)))
	moodLevels(p, out)
	if noted {
		p.note("The text is noted; the next dream uses it.")
	}
}
