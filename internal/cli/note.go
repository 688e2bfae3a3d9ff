package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/texts"
)

func (a *app) noteCommand() *cobra.Command {
	var in texts.NoteInput
	cmd := &cobra.Command{
		Use: "note TEXT|-", Short: "Keep a note for the next dream",
		Long: `Keeps a note. It is on disk when the command returns, hebb search finds it at once, and it stays in scratch.md until the next dream
moves it into MEMORY.md (hebb dream). - reads it from standard input. Secrets are removed.

You may also write into scratch.md with any editor: each line that you add is a note. The more notes wait, the sooner hebb dreams.

--importance is above 0 up to 1. Without --kind, the words decide. hebb remember keeps facts for good, hebb pin shows something to every
session.`,
		Example: `  hebb note "the flaky test needs TZ=UTC"
  hebb note --importance 0.9 "decided: tokens move to cookies, the header stays until May"
  hebb note --everywhere "Ana prefers short answers"
  git log -1 --format=%B | hebb note -`,
		Args: arguments(1, -1, "the text, or -"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			// The operation takes 0 for the default.
			if cmd.Flags().Changed("importance") && !(in.Importance > 0 && in.Importance <= 1) {
				return usageError{fmt.Errorf("note: --importance %g: want more than 0 and at most 1", in.Importance)}
			}
			if in.Text, err = a.saidOrRead(args); err != nil {
				return fmt.Errorf("note: %w", err)
			}
			in.Scope, in.Origin = a.scope(), a.speaker()
			return run(cmd.Context(), a, a.synced, desk.TakeNote, in, notePage)
		},
	}
	cmd.Flags().Float64Var(&in.Importance, "importance", 0, "how much it matters, above 0 up to 1")
	choiceFlag(cmd, &in.Kind, "kind", "k", memory.CrystalKinds, "the kind of knowledge")
	everywhereFlag(cmd, &in.Everywhere)
	return a.scopeFlags(cmd, false)
}

// saidOrRead is the text of the arguments or, for "-", all of standard input. Empty text is refused.
func (a *app) saidOrRead(args []string) (text string, err error) {
	what := "the text"
	if text = strings.Join(args, " "); text == "-" {
		what = "standard input"
		text, err = a.wholeText("-")
	}
	if err == nil && strings.TrimSpace(text) == "" {
		err = usageError{errors.New(what + " is empty")}
	}
	return text, err
}

func notePage(p *page, out texts.NoteResult) {
	where := ""
	if out.Project == 0 {
		where = ", everywhere"
	}
	p.line("%s: %s %s", p.style.green("Noted"), p.style.cyan(string(out.Kind)+where), p.style.dim(string(out.ID)))
	if !out.Known {
		p.line("%s", p.style.dim("hebb search finds it now; the next dream uses it."))
	} else {
		p.line("%s", p.style.dim("It was noted before in the same words."))
	}
	for _, anchor := range out.Anchors {
		p.line("%s", p.style.dim("linked to: "+shownName(anchor.String())))
	}
	nudge(p, out.Lines, out.Full)
}

// nudge reports that the scratch is full or half full.
func nudge(p *page, lines, full int) {
	room := fmt.Sprintf("(%s of %s lines)", grouped(int64(lines)), grouped(int64(full)))
	switch {
	case lines >= full:
		p.line("%s %s uses the notes.", p.style.yellow("The scratch is full "+room+"."), p.style.cyan("hebb dream"))
	case 2*lines >= full:
		p.line("%s %s uses the notes.", p.style.dim("The scratch is half full "+room+"."), p.style.cyan("hebb dream"))
	}
}
