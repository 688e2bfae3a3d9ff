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
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/views"
)

func (a *app) pinCommand() *cobra.Command {
	var in desk.PinInput
	var accept bool
	cmd := &cobra.Command{
		Use: "pin TITLE [TEXT|-]", Short: "Show something to every session",
		Long: `A pin is shown at the start of every session of this project and never fades: a rule, a danger, a decision. The title is enough if
it says everything; - reads the text from standard input. Titles are unique, ignoring case and punctuation: pinning one again replaces
its text, and the earlier text stays as history.

Pins have limited room, so keep them few and short; hebb warns when they outgrow it. They are in PINNED.md, which you may edit: a
block that you add is pinned, one that you delete is unpinned (hebb read pinned --edit).

What an agent pins is a proposal and not shown until you accept it. hebb pins --waiting lists proposals, --accept makes the one of
that title your pin, replacing one of yours with the same title, and hebb unpin rejects it. --accept works only where no agent runs
the command.`,
		Example: `  hebb pin "Never push to main"
  hebb pin "Money is in cents" "All amounts are int64 cents; floats only in the UI." --reason "rounding bug of March"
  hebb pin "Answer in short sentences" --everywhere
  hebb pin --accept "Never push to main"`,
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
	if err := a.personOnly("pin --accept"); err != nil {
		return err
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
		a.writePinned(ctx, b, out.Pin)
		if err := a.show(out, func(p *page) { pinnedPage(p, out) }); err != nil {
			return err
		}
		a.checkRoom(out.Bytes, out.Most)
		return nil
	})
}

// writePinned writes the PINNED.md of a pin that was added or removed. A failure is only a warning: the store has the pin.
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
		a.warn(fmt.Sprintf("pins take %s of %s bytes at the start of a session: some are shown by their titles alone. Shorten some, remove some "+
			"(hebb unpin TITLE), or give them more room (context.pins in config.toml)", grouped(int64(bytes)), grouped(int64(most))))
	}
}

func pinnedPage(p *page, out desk.PinResult) {
	if out.Waiting() {
		p.line("Proposed: %s", p.style.bold(scrub.Line(out.Title)))
		pinText(p, out.Pin)
		p.line("%s", p.style.dim("It comes from an agent, so it waits for the user: hebb pins --waiting, hebb pin --accept TITLE."))
		return
	}
	word := "Pinned"
	if out.Replaced {
		word = "Pinned again, the earlier text stays as history"
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

func (a *app) pinsCommand() *cobra.Command {
	var waiting bool
	cmd := &cobra.Command{
		Use: "pins", Short: "List the pins",
		Long: `Lists the pins of this project and those for every project, including what you just added to PINNED.md. --all lists the pins of
every project. --waiting lists what agents proposed: hebb pin --accept TITLE accepts a proposal, hebb unpin rejects it.`,
		Example: "  hebb pins\n  hebb pins --waiting\n  hebb pins --all --json",
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
		p.line("No pins. %s shows something to every later session.", p.style.cyan("hebb pin TITLE"))
	} else {
		pinList(p, out.Pins)
		if p.names == nil {
			p.gap()
			p.line("%s", p.style.dim(fmt.Sprintf("They take %s of %s bytes at the start of a session.",
				grouped(int64(out.Bytes)), grouped(int64(out.Most)))))
		}
	}
	if n := len(out.Waiting); n > 0 {
		p.line("%s", p.style.dim(count(n, "pin", "pins")+" proposed by agents: hebb pins --waiting"))
	}
}

func proposalsPage(p *page, out desk.PinsResult) {
	if len(out.Waiting) == 0 {
		p.line("No proposed pins.")
		return
	}
	pinList(p, out.Waiting)
	p.gap()
	p.line("%s", p.style.dim("hebb pin --accept TITLE accepts one, hebb unpin TITLE rejects it."))
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
			head = append(head, p.style.dim("from "+string(pin.Origin)))
		}
		p.line("%s", strings.Join(head, "  "))
		pinText(p, pin)
	}
}

func (a *app) unpinCommand() *cobra.Command {
	var in desk.UnpinInput
	cmd := &cobra.Command{
		Use: "unpin TITLE", Short: "Remove a pin; search still finds its text",
		Long: `Removes the pin of this title, of this project or for every project; --everywhere looks among the latter only. Case and
punctuation are ignored, and an unambiguous part of the title is enough. If there is no such pin, a proposal of that title is
rejected. hebb search still finds the text. Where an agent runs the command, it can only remove proposals.`,
		Example: "  hebb unpin \"Money is in cents\"\n  hebb unpin money\n  hebb unpin --everywhere \"answer in short sentences\"",
		Args:    arguments(1, -1, "the title of a pin"),
		ValidArgsFunction: completes(a, 1, desk.Pins, a.inScope, func(out desk.PinsResult) []string {
			return mapped(append(out.Pins, out.Waiting...), func(pin memory.Pin) string { return scrub.Line(pin.Title) })
		}),
		RunE: func(cmd *cobra.Command, args []string) error {
			in.Scope, in.Title, in.Origin = a.scope(), strings.Join(args, " "), a.speaker()
			return a.synced(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
				pin, err := steward.Run(ctx, b, desk.Unpin, in)
				if err != nil {
					return err
				}
				a.writePinned(ctx, b, pin)
				return a.show(pin, func(p *page) {
					p.line("Unpinned: %s", p.style.bold(scrub.Line(pin.Title)))
					p.line("%s", p.style.dim("hebb search still finds its text."))
				})
			})
		},
	}
	everywhereFlag(cmd, &in.Everywhere)
	return a.scopeFlags(cmd, false)
}
