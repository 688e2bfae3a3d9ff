package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/views"
)

func (a *app) pinCommand() *cobra.Command {
	var in desk.PinInput
	var accept bool
	cmd := &cobra.Command{
		Use: "pin TITLE [TEXT|-]", Short: "Keep something in mind for good",
		Long: `A pin is shown at the start of every session of this project, never fades and never goes: a rule, a danger, a decision that
must not be made twice. Its title is enough if it says all; - reads the text from standard input. A title is there once,
whatever its case and punctuation: pinning it again gives it the new text, and the earlier one stays as history.

Pins have room of their own, so keep them few and short; hebb says when they outgrow it. They stand in PINNED.md, which you
may edit: a block that you add is pinned, one that you delete is unpinned (hebb read pinned --edit).

What an agent pins is a proposal: no session is shown it until you accept it. hebb pins --waiting lists proposals, --accept makes
the one of that title your pin, in the place of one of yours with the same title, and hebb unpin turns it down. --accept works only
where no agent runs the command.`,
		Example: `  hebb pin "Never push to main"
  hebb pin "Money is in cents" "All amounts are int64 cents; floats only in the UI." --reason "rounding bug of March"
  hebb pin "Answer in short sentences" --everywhere
  hebb pin --accept "Never push to main"`,
		Args:              arguments(1, -1, "a title, and the text if there is more to say"),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if accept {
				return a.acceptPin(cmd, in, strings.Join(args, " "))
			}
			if in.Text, err = a.textOf(args[1:]); err != nil {
				return fmt.Errorf("pin: %w", err)
			}
			in.Scope, in.Title, in.Origin = a.scope(), args[0], a.speaker()
			// What was changed by hand before comes first, so that what is said now holds.
			return a.tended(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
				out, err := steward.Run(ctx, b, desk.PinText, in)
				if err != nil {
					return err
				}
				return a.showPin(ctx, b, out)
			})
		},
	}
	a.scopeFlags(cmd, false)
	cmd.Flags().StringVar(&in.Reason, "reason", "", "why it is pinned")
	cmd.Flags().BoolVar(&in.Everywhere, "everywhere", false, "in every project: it is about you, not about this work")
	cmd.Flags().BoolVar(&accept, "accept", false, "make the pin of this title, which an agent proposed, your own")
	return cmd
}

// acceptPin makes a proposed pin the person's.
func (a *app) acceptPin(cmd *cobra.Command, in desk.PinInput, title string) error {
	if in.Reason != "" {
		return usageError{errors.New("pin: --accept takes a proposal as it is; pin it with hebb pin TITLE TEXT --reason to change it")}
	}
	if err := a.personOnly("pin --accept"); err != nil {
		return err
	}
	return a.tended(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
		out, err := steward.Run(ctx, b, desk.AcceptPin, desk.UnpinInput{Scope: a.scope(), Title: title, Everywhere: in.Everywhere, Origin: a.speaker()})
		if err != nil {
			return err
		}
		return a.showPin(ctx, b, out)
	})
}

// showPin writes the file of a pin that was just kept and shows it.
func (a *app) showPin(ctx context.Context, b *brain.Brain, out desk.PinResult) error {
	a.writePinned(ctx, b, out.Pin)
	if err := a.show(out, func(p *page) { pinnedPage(p, out) }); err != nil {
		return err
	}
	a.checkRoom(out.Bytes, out.Most)
	return nil
}

// writePinned writes the PINNED.md in which a pin stands or stood. The pin is kept or gone whatever becomes of the file.
func (a *app) writePinned(ctx context.Context, b *brain.Brain, pin memory.Pin) {
	var err error
	if pin.Project == 0 {
		_, err = steward.Run(ctx, b, desk.Pins, brain.Scope{All: true}) // writes what is out of date
	} else {
		_, err = steward.Run(ctx, b, views.ReadPage, views.ReadInput{Scope: brain.Scope{Project: pin.Project.String()}, Name: "pinned"})
	}
	if err != nil {
		a.warn("PINNED.md could not be written: " + err.Error())
	}
}

// checkRoom warns when pins take more room than the start of a session has for them.
func (a *app) checkRoom(bytes, most int) {
	if bytes > most {
		a.warn(fmt.Sprintf("pins take %s bytes at the start of a session, and %s are for them: some are shown by their titles alone. Shorten some, take some off "+
			"(hebb unpin TITLE), or give them more room (context.pins in config.toml)", grouped(int64(bytes)), grouped(int64(most))))
	}
}

func pinnedPage(p *page, out desk.PinResult) {
	if out.Waiting() {
		p.line("Proposed: %s", p.style.bold(scrub.Line(out.Title)))
		pinText(p, out.Pin)
		p.line("%s", p.style.dim("An agent says it, so it waits for the user: hebb pins --waiting, hebb pin --accept TITLE."))
		return
	}
	word := "Pinned"
	if out.Replaced {
		word = "Pinned anew, the earlier text stays as history"
	}
	p.line("%s: %s", word, p.style.bold(scrub.Line(out.Title)))
	pinText(p, out.Pin)
	p.line("%s", p.style.dim(fmt.Sprintf("Every session %s is shown it. Pins take %s of %s bytes.", pinPlace(out.Pin),
		grouped(int64(out.Bytes)), grouped(int64(out.Most)))))
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
		p.line("%s%s", indent, p.style.dim("because: "+scrub.Line(pin.Reason)))
	}
}

// paragraphs shows a text of several lines as somebody wrote it, broken to the terminal. label stands before it, if any.
func (p *page) paragraphs(label, text string) {
	text = scrub.Display(text)
	if label != "" {
		text = p.style.dim(label) + " " + text
	}
	for line := range strings.SplitSeq(text, "\n") {
		for part := range strings.SplitSeq(wrapped(line, p.width-len(indent)), "\n") {
			p.line("%s", strings.TrimRight(indent+part, " \r"))
		}
	}
}

func (a *app) pinsCommand() *cobra.Command {
	var waiting bool
	cmd := &cobra.Command{
		Use: "pins", Short: "List what is kept in mind for good",
		Long: `Shows the pins of this project and those that hold everywhere, also what you have just added to PINNED.md by hand. --all
shows those of every project. --waiting shows what agents proposed instead: no session is shown that until you accept it (hebb pin
--accept TITLE); hebb unpin turns it down.`,
		Example: "  hebb pins\n  hebb pins --waiting\n  hebb pins --all --json",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.fresh(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
				out, names, err := a.pins(ctx, b)
				if err != nil {
					return err
				}
				for _, w := range out.Warnings {
					a.warn(w)
				}
				show := func(p *page) { pinsPage(p, out, names) }
				if waiting {
					show = func(p *page) { proposalsPage(p, out, names) }
				}
				if err := a.show(out, show); err != nil || a.all || waiting {
					return err
				}
				a.checkRoom(out.Bytes, out.Most)
				return nil
			})
		},
	}
	a.scopeFlags(cmd, true)
	cmd.Flags().BoolVar(&waiting, "waiting", false, "what agents proposed and you have not accepted yet")
	return cmd
}

// pins lists the pins of a project, or of all.
func (a *app) pins(ctx context.Context, b *brain.Brain) (desk.PinsResult, labels, error) {
	out, err := steward.Run(ctx, b, desk.Pins, a.scope())
	if err != nil || !a.all || a.project != "" {
		return out, nil, err
	}
	projects, err := steward.Run(ctx, b, inspect.Projects, struct{}{})
	names := labels{}
	for _, known := range projects {
		names[known.ID] = known.Name
		of, err := steward.Run(ctx, b, desk.Pins, brain.Scope{Project: known.ID.String()})
		if err != nil {
			return out, nil, err
		}
		elsewhere := func(pin memory.Pin) bool { return pin.Project != known.ID } // those that hold everywhere are listed with each
		out.Pins = append(out.Pins, slices.DeleteFunc(of.Pins, elsewhere)...)
		out.Waiting = append(out.Waiting, slices.DeleteFunc(of.Waiting, elsewhere)...)
	}
	return out, names, err
}

func pinsPage(p *page, out desk.PinsResult, names labels) {
	if len(out.Pins) == 0 {
		p.line("Nothing is pinned. %s keeps something in mind for every session to come.", p.style.cyan("hebb pin TITLE"))
	} else {
		pinList(p, out.Pins, names)
		if names == nil {
			p.gap()
			p.line("%s", p.style.dim(fmt.Sprintf("They take %s of %s bytes at the start of a session.",
				grouped(int64(out.Bytes)), grouped(int64(out.Most)))))
		}
	}
	if n := len(out.Waiting); n > 0 {
		p.line("%s", p.style.dim(count(n, "pin", "pins")+" proposed by agents: hebb pins --waiting"))
	}
}

func proposalsPage(p *page, out desk.PinsResult, names labels) {
	if len(out.Waiting) == 0 {
		p.line("No agent has proposed a pin that waits for you.")
		return
	}
	pinList(p, out.Waiting, names)
	p.gap()
	p.line("%s", p.style.dim("hebb pin --accept TITLE makes one yours, hebb unpin TITLE turns it down."))
}

func pinList(p *page, pins []memory.Pin, names labels) {
	for i, pin := range pins {
		if i > 0 {
			p.gap()
		}
		head := []string{p.style.bold(scrub.Line(pin.Title)), p.style.dim(p.ago(pin.At))}
		switch name, ok := names[pin.Project]; {
		case pin.Project == 0:
			head = append(head, p.style.cyan("everywhere"))
		case ok:
			head = append(head, p.style.cyan(shownName(name)))
		}
		if pin.Waiting() {
			head = append(head, p.style.dim("from "+string(pin.Origin)))
		}
		p.line("%s", strings.Join(head, "  "))
		pinText(p, pin)
	}
}

func (a *app) unpinCommand() *cobra.Command {
	var in desk.UnpinInput
	cmd := &cobra.Command{
		Use: "unpin TITLE", Short: "Take a pin off; its text stays findable",
		Long: `Takes the pin of this title off, of this project or of those that hold everywhere; --everywhere looks among the latter
only. Case and punctuation do not matter, and a part of the title will do if no other has it. If there is none, a pin of that title
that an agent proposed is turned down. What it said stays a memory like any other: hebb search finds it. Where an agent runs the
command, it takes off proposals only.`,
		Example:           "  hebb unpin \"Money is in cents\"\n  hebb unpin money\n  hebb unpin --everywhere \"answer in short sentences\"",
		Args:              arguments(1, -1, "the title of a pin"),
		ValidArgsFunction: a.completePins,
		RunE: func(cmd *cobra.Command, args []string) error {
			in.Scope, in.Title, in.Origin = a.scope(), strings.Join(args, " "), a.speaker()
			return a.tended(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
				pin, err := steward.Run(ctx, b, desk.Unpin, in)
				if err != nil {
					return err
				}
				a.writePinned(ctx, b, pin)
				return a.show(pin, func(p *page) {
					p.line("Unpinned: %s", p.style.bold(scrub.Line(pin.Title)))
					p.line("%s", p.style.dim("hebb search still finds what it said."))
				})
			})
		},
	}
	a.scopeFlags(cmd, false)
	cmd.Flags().BoolVar(&in.Everywhere, "everywhere", false, "only among those that hold everywhere")
	return cmd
}

// completePins offers titles to the shell. It stays silent on any trouble.
func (a *app) completePins(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	var titles []string
	if len(args) > 0 || a.noMemoryYet() {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	_ = a.with(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
		out, err := steward.Run(ctx, b, desk.Pins, a.scope())
		for _, pin := range append(out.Pins, out.Waiting...) {
			titles = append(titles, scrub.Line(pin.Title))
		}
		return err
	})
	return titles, cobra.ShellCompDirectiveNoFileComp
}
