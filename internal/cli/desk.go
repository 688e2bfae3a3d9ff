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

// contextBytesAToken converts a budget, which is in bytes, into tokens.
const contextBytesAToken = 4

func (a *app) contextCommand() *cobra.Command {
	type input struct {
		answer.ContextInput
		Recent bool `flag:"recent" about:"only the summaries of the latest sessions, as RECENT.md has them"`
		Limit  int  `flag:"limit,n" about:"with --recent: at most this many"`
	}
	in := input{ContextInput: answer.ContextInput{Asked: true, Mode: "auto", Source: "startup"}}
	return a.allFlag(takes(a, &cobra.Command{
		Use: "context", Short: "Show what a session that begins now is shown",
		Long: `Prints what an agent is shown when its session begins here: pins, hot files with their notes, the
end of the last session, what changed since, notes, earlier sessions. It is kept within a budget,
which follows the model's context window (--window, in tokens).

--mode is full (everything, with your pages), warm, continue (a few lines) or micro (one or two);
auto chooses as a hook would. load = "always", "ask" or "never" under [gates] in config.toml says
whether sessions are shown this.`,
		Example: `  hebb context --source compact --window 200000`,
	}, in, func(cmd *cobra.Command, in input) error {
		if in.Recent {
			return run(cmd.Context(), a, a.synced, desk.Shelf, desk.ShelfInput{Scope: in.Scope, Limit: in.Limit}, recentPage)
		}
		if a.all || in.Limit > 0 {
			return usageError{errors.New("context: --all and --limit go with --recent")}
		}
		return a.synced(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
			out, err := steward.Run(ctx, b, answer.StartContext, in.ContextInput)
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
	}))
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
	return takes(a, &cobra.Command{
		Use: "heat", Short: "List the hot files, the hottest first",
		Long: `Work on a file raises its heat: a change most, a mention less, a read least. Each session that
ends in the project multiplies heat by 0.8. A new session is shown hot files with their note and
warm ones with their summary. live.md has the same content; hebb only writes it.`,
		Example: "  hebb graph heat --cold --limit 50",
	}, desk.HeatInput{}, func(cmd *cobra.Command, in desk.HeatInput) error {
		return run(cmd.Context(), a, a.synced, desk.Warmth, in, func(p *page, out desk.HeatResult) { heatPage(p, out, in.Cold) })
	})
}

func heatPage(p *page, out desk.HeatResult, cold bool) {
	if len(out.Files) == 0 {
		p.say("No hot files here. Work of agents on a file raises its heat; `hebb graph note` says why one matters.")
		p.noteIf(!cold, "hebb graph heat --cold also shows cold files.")
		return
	}
	colours := map[string]func(string) string{"hot": p.style.red, "warm": p.style.yellow, "cold": p.style.dim}
	tableOf(p, "TIER, HEAT>, TOUCHES>, LAST, FILE, WHY~", out.Files, func(f desk.HotFile) []any {
		return []any{painted{f.Tier, colours[f.Tier]}, f.Heat, f.Touches, f.LastAt, f.Path, cmp.Or(f.Note, f.Summary)}
	})
	if len(out.Clusters) == 0 {
		return
	}
	p.section("Together")
	for _, c := range out.Clusters {
		p.line("%s%s ↔ %s  %s", indent, shownName(c.A), shownName(c.B), p.style.dim(fmt.Sprintf("in %s, weight %s",
			count(c.Sessions, "session", "sessions"), figure(c.Weight))))
	}
}

func (a *app) noteFileCommand() *cobra.Command {
	type input struct {
		desk.NoteFileInput
		Clear bool `flag:"clear" about:"remove the note"`
	}
	return takes(a, &cobra.Command{
		Use: "note FILE [TEXT|-]", Short: "Keep a note with a file",
		Long: `Keeps a note with a file: what is going on there, what to watch out for. A new session is shown it
as long as the file is hot. --summary says what the file is, instead of hebb's own summary. Use
hebb remember or hebb pin for what stays true.`,
		Example: `  hebb graph note src/auth.go "half moved to cookies: refresh() still reads the header"
  hebb graph note src/auth.go --summary "sessions and their tokens"`,
	}, input{}, func(cmd *cobra.Command, in input) error {
		switch noted := cmd.Flags().NArg() > 1; {
		case in.Clear && (noted || in.Summary != ""):
			return usageError{errors.New("note-file: --clear removes the note; leave it out to give a new one")}
		case !in.Clear && !noted && in.Summary == "":
			return usageError{errors.New("note-file: give a note, --summary, or --clear to remove the note")}
		case noted && strings.TrimSpace(in.Note) == "":
			return usageError{errors.New("note-file: the note is empty; --clear removes a note")}
		}
		return run(cmd.Context(), a, a.synced, desk.NoteFile, in.NoteFileInput, func(p *page, out desk.HotFile) { notedPage(p, out, in.Clear) })
	})
}

func notedPage(p *page, out desk.HotFile, dropped bool) {
	word := either(dropped, "Note removed", "Noted")
	p.line("%s: %s %s", word, p.style.bold(shownName(out.Path)), p.style.dim(fmt.Sprintf("heat %.2f, %s", out.Heat, out.Tier)))
	p.noteIf(out.Summary != "", indent+"is: "+scrub.Line(out.Summary))
	if out.Note != "" {
		p.line("%s%s", indent, scrub.Line(out.Note))
		p.noteIf(out.Tier != "hot", "A new session is shown the note while the file is hot; work on it raises its heat.")
	}
}

func (a *app) pauseCommand(pause bool, words *cobra.Command) *cobra.Command {
	return asks(a, words, a.with, desk.PauseProject, desk.PauseInput{Pause: pause}, func(p *page, out desk.PauseResult) {
		where := either(a.project != "", shownName(a.project), "this project")
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

func (a *app) pinCommand() *cobra.Command {
	type input struct {
		desk.PinInput
		Accept bool `flag:"accept" about:"accept the pin of this title that an agent proposed"`
	}
	return under(takes(a, &cobra.Command{
		Use: "pin TITLE [TEXT|-]", Short: "Show something to every session",
		Long: `A pin is shown at the start of every session of this project and never fades: a rule, a danger, a
decision. The title is enough if it says everything. Pinning a title again replaces its text. Pins
have limited room, so keep them few and short. PINNED.md holds them, and you may edit it.

What an agent pins is a proposal and not shown until you accept it: hebb pin list --waiting lists
proposals, --accept makes one your pin, hebb pin remove rejects it.`,
		Example: `  hebb pin "Never push to main"
  hebb pin "Money is in cents" "All amounts are int64 cents; floats only in the UI." --reason "rounding bug of March"
  hebb pin "Answer in short sentences" --everywhere`,
	}, input{}, func(cmd *cobra.Command, in input) error {
		switch {
		case in.Accept && in.Reason != "":
			return usageError{errors.New("pin: --accept accepts a proposal as it is; to change it, use hebb pin TITLE TEXT --reason")}
		case in.Accept:
			title := strings.Join(cmd.Flags().Args(), " ")
			return keepPin(cmd.Context(), a, desk.AcceptPin, desk.UnpinInput{Scope: in.Scope, Title: title, Everywhere: in.Everywhere, Origin: in.Origin})
		}
		return keepPin(cmd.Context(), a, desk.PinText, in.PinInput)
	}), a.pinsCommand(), asks(a, &cobra.Command{
		Use: "remove TITLE", Short: "Remove a pin; search still finds its text",
		Long: `Removes the pin of this title, of this project or for every project; --everywhere looks among the
latter only. An unambiguous part of the title is enough. If there is no such pin, a proposal of
that title is rejected. An agent can only remove proposals.`,
		Example: "  hebb pin remove \"Money is in cents\"\n  hebb pin remove --everywhere \"answer in short sentences\"",
		ValidArgsFunction: completes(a, 1, desk.Pins, a.inScope, func(out desk.PinsResult) []string {
			return mapped(append(out.Pins, out.Waiting...), func(pin memory.Pin) string { return scrub.Line(pin.Title) })
		}),
	}, a.synced, desk.Unpin, desk.UnpinInput{}, func(p *page, pin memory.Pin) {
		p.line("Unpinned: %s", p.style.bold(scrub.Line(pin.Title)))
		p.note("hebb search still finds its text.")
	}))
}

// keepPin keeps a pin, writes its file and shows it. Edits of the file are imported before, so that they do not undo it.
func keepPin[In any](ctx context.Context, a *app, op brain.Operation[In, desk.PinResult], in In) error {
	return a.synced(ctx, func(ctx context.Context, b *brain.Brain) error {
		out, err := steward.Run(ctx, b, op, in)
		if err == nil {
			err = a.show(out, func(p *page) {
				pinnedPage(p, out)
				leftOut(p, out.Title, out.Text, out.Reason)
			})
		}
		if err == nil {
			a.checkRoom(out.Bytes, out.Most)
		}
		return err
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
	word := either(out.Replaced, "Pinned again, the earlier text stays as history", "Pinned")
	p.line("%s: %s", word, p.style.bold(scrub.Line(out.Title)))
	pinText(p, out.Pin)
	p.note(fmt.Sprintf("Every session %s is shown it. Pins take %s of %s bytes.", either(out.Project == 0, "everywhere", "of this project"),
		grouped(int64(out.Bytes)), grouped(int64(out.Most))))
}

// pinText shows what a pin says beyond its title.
func pinText(p *page, pin memory.Pin) {
	if pin.Text != pin.Title {
		p.paragraphs("", pin.Text)
	}
	p.noteIf(pin.Reason != "", indent+"because: "+scrub.Line(pin.Reason))
}

func (a *app) pinsCommand() *cobra.Command {
	type input struct {
		brain.Scope `flag:"all"`
		Waiting     bool `flag:"waiting" about:"what agents proposed and you have not accepted yet"`
	}
	return takes(a, &cobra.Command{
		Use: "list", Short: "List the pins",
		Long: `Lists the pins of this project and those for every project; --all lists those of all projects.
--waiting lists what agents proposed.`,
		Example: "  hebb pin list --waiting",
	}, input{}, func(cmd *cobra.Command, in input) error {
		return a.fresh(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
			out, err := a.pins(ctx, b)
			if err != nil {
				return err
			}
			for _, w := range out.Warnings {
				a.warn(w)
			}
			show := either(in.Waiting, proposalsPage, pinsPage)
			if err := a.show(out, func(p *page) { show(p, out) }); err != nil || a.all || in.Waiting {
				return err
			}
			a.checkRoom(out.Bytes, out.Most)
			return nil
		})
	})
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
		p.between(i)
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

func (a *app) moodCommand() *cobra.Command {
	return under(asks(a, &cobra.Command{
		Use: "mood", Short: "Show the mood of the work, and what it changes",
		Long: `Three levels from 0 to 1: reward (dopamine), stress (cortisol) and bond (oxytocin). Errors that are
fixed raise reward; hebb state mood reward and friction are your own signals. Each level returns
to rest within hours. Above 0.6, stress halves what an agent is shown and puts fixed errors first;
reward shows related goals.`,
	}, a.fresh, desk.MoodNow, struct{}{}, func(p *page, out desk.MoodResult) {
		p.heading(scrub.Line(out.Words))
		p.note("Fixed errors raise reward. Your own signals: hebb state mood reward, hebb state mood friction")
		moodLevels(p, out)
		effect := cmp.Or(out.Effect, "It changes nothing in what is shown.")
		p.paragraphs("", effect)
	}), a.feeling("reward", &cobra.Command{
		Use: "reward [TEXT|-]", Short: "Record that something went well",
		Long: `Raises reward: what was just done was right. TEXT is kept as a note for the next dream; - reads it
from standard input.`,
		Example: "  hebb state mood reward \"the new retry logic survived the outage\"",
	}), a.feeling("friction", &cobra.Command{
		Use: "friction [TEXT|-]", Short: "Record that something went wrong",
		Long: `Raises stress: what was just done was wrong, slow or annoying. TEXT is kept as a note for the next
dream; - reads it from standard input.`,
		Example: "  hebb state mood friction \"do not reformat files that you only read\"",
	}))
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

// feeling makes a command that records a person's own signal. Its text becomes a note, which has an origin and a project; a signal has
// neither.
func (a *app) feeling(event string, cmd *cobra.Command) *cobra.Command {
	type input struct {
		brain.Scope
		Text   string `arg:"1..-"`
		Origin memory.Origin
	}
	return takes(a, cmd, input{}, func(cmd *cobra.Command, in input) error {
		if cmd.Flags().NArg() > 0 && strings.TrimSpace(in.Text) == "" {
			return usageError{fmt.Errorf("%s: the text is empty", event)}
		}
		return a.synced(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
			if in.Text != "" {
				note := statements.NoteInput{
					Scope: in.Scope, Text: in.Text, Kind: memory.Lesson, Importance: desk.FeltImportance, Origin: in.Origin, Felt: []string{event},
				}
				if _, err := steward.Run(ctx, b, desk.TakeNote, note); err != nil && !isTaken(err) {
					return err
				}
			}
			return runOn(ctx, a, b, desk.Feel, desk.FeelInput{Event: event}, func(p *page, out desk.MoodResult) { feltPage(p, out, in.Text != "") })
		})
	})
}

func feltPage(p *page, out desk.MoodResult, noted bool) {
	p.line("Recorded. The mood is now: %s", p.style.bold(scrub.Line(out.Words)))
	moodLevels(p, out)
	p.noteIf(noted, "The text is noted; the next dream uses it.")
}
