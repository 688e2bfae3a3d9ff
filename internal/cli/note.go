package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/texts"
)

func (a *app) noteCommand() *cobra.Command {
	var in texts.NoteInput
	var kind string
	cmd := &cobra.Command{
		Use: "note TEXT|-", Short: "Note something that matters now; the next dream takes it in",
		Long: `Writes a note down: what you just found out, what must not be lost. It is on disk when the command returns, hebb
search finds it at once, and it waits in scratch.md until the next dream puts it where it belongs in MEMORY.md (hebb dream). -
reads it from standard input. Secrets in it are taken out.

You may write into scratch.md with any editor as well: each line that you add is a note. The more waits there, the sooner
hebb dreams; it says so when the scratch is half full.

--importance says how much it matters, above 0 up to 1. --kind says what sort of knowledge it is; without it, its words
decide. hebb remember keeps what nobody has to think about again, hebb pin what every session must see.`,
		Example: `  hebb note "the flaky test needs TZ=UTC"
  hebb note --importance 0.9 "decided: tokens move to cookies, the header stays until May"
  hebb note --everywhere "Ana prefers short answers"
  git log -1 --format=%B | hebb note -`,
		Args:              arguments(1, -1, "the text, or -"),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if in.Kind, err = oneOf("kind", kind, memory.CrystalKinds); err != nil {
				return err
			}
			// Nothing at all is what brain takes for the usual, so it cannot be what somebody asked for.
			if cmd.Flags().Changed("importance") && !(in.Importance > 0 && in.Importance <= 1) {
				return usageError{fmt.Errorf("note: --importance %g: want more than 0 and at most 1", in.Importance)}
			}
			if in.Text, err = a.saidOrRead(args); err != nil {
				return fmt.Errorf("note: %w", err)
			}
			in.Scope, in.Origin = a.scope(), a.speaker()
			return a.tended(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
				out, err := steward.Run(ctx, b, desk.TakeNote, in)
				if err != nil {
					return err
				}
				return a.show(out, func(p *page) { notePage(p, out) })
			})
		},
	}
	a.scopeFlags(cmd, false)
	f := cmd.Flags()
	f.Float64Var(&in.Importance, "importance", 0, "how much it matters, above 0 up to 1 (default: the usual)")
	f.StringVarP(&kind, "kind", "k", "", "what sort of knowledge it is: "+list(memory.CrystalKinds))
	f.BoolVar(&in.Everywhere, "everywhere", false, "for every project: it is about you, not about this work")
	fixedCompletion(cmd, "kind", memory.CrystalKinds)
	return cmd
}

// saidOrRead is a text from the command line, or whole from standard input. An empty one is refused.
func (a *app) saidOrRead(args []string) (text string, err error) {
	text = strings.Join(args, " ")
	if text == "-" {
		if text, err = a.wholeText("-"); err != nil {
			return "", err
		}
		if strings.TrimSpace(text) == "" {
			return "", usageError{errors.New("standard input is empty")}
		}
	}
	if strings.TrimSpace(text) == "" {
		return "", usageError{errors.New("the text is empty")}
	}
	return text, nil
}

func notePage(p *page, out texts.NoteResult) {
	where := ""
	if out.Project == 0 {
		where = ", everywhere"
	}
	p.line("%s: %s %s", p.style.green("Noted, and safe"), p.style.cyan(string(out.Kind)+where), p.style.dim(string(out.ID)))
	if !out.Known {
		p.line("%s", p.style.dim("hebb search finds it now; the next dream takes it in."))
	} else {
		p.line("%s", p.style.dim("It was noted before, word for word: it waits in scratch.md, or a dream has taken it in."))
	}
	for _, anchor := range out.Anchors {
		p.line("%s", p.style.dim("tied to: "+shownName(anchor.String())))
	}
	nudge(p, out.Lines, out.Full)
}

// nudge says when so many notes wait that a dream would do good. It asks for nothing.
func nudge(p *page, lines, full int) {
	room := fmt.Sprintf("(%s of %s lines)", grouped(int64(lines)), grouped(int64(full)))
	switch {
	case lines >= full:
		p.line("%s %s takes in what waits.", p.style.yellow("The scratch is full "+room+"."), p.style.cyan("hebb dream"))
	case 2*lines >= full:
		p.line("%s %s takes in what waits.", p.style.dim("The scratch is half full "+room+"."), p.style.cyan("hebb dream"))
	}
}
