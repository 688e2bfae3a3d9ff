package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/views"
)

func (a *app) stateAdoptCommand() *cobra.Command {
	var in views.AdoptInput
	cmd := &cobra.Command{
		Use: "adopt [FILE...]", Short: "Take a hand-written MEMORY.md, CLAUDE.md or AGENTS.md into the state of mind",
		Long: `Takes in what you wrote before hebb kept a state: the files that are named, or MEMORY.md, CLAUDE.md and AGENTS.md at the root
of this project; a link that leads out of the project only if you name it. hebb reads them and never writes to them.

The text is backed up and kept as memories at once, so hebb search finds it. It stands above hebb's block in MEMORY.md (hebb state
shows it). The first dream after that leaves it as it is; each later one takes a few lines of it into the sections, word for word.
No sentence is lost by that: it stays, or words in MEMORY.md are proven to find it. Code, tables and numbered steps stay where they
are. Remove the two marks around the text, and no dream touches it again.

Lines that git says somebody else committed are not your word: they are kept as what the repository says, so search finds them, and
stay out of the state. --mine says that you stand for them. --dry-run tells all this, and which lines address an agent, first.
An author in git is only a claim: whoever commits may write your mail there. Look before you adopt a file from a repository that you
do not trust. Where git cannot tell whose a line is, it counts as somebody else's.

Adopting a file twice changes nothing; one that you changed since adds what is new.`,
		Example: "  hebb state adopt --dry-run\n  hebb state adopt\n  hebb state adopt --mine CLAUDE.md\n  hebb state adopt notes/MEMORY.md",
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, files []string) error {
			if !in.Dry {
				if err := a.personOnly("state adopt"); err != nil {
					return err
				}
			}
			return a.with(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
				in.Scope, in.Files = a.scope(), files
				in.Dir = a.Dir
				out, err := steward.Run(ctx, b, views.Adopt, in)
				if err != nil {
					return err
				}
				err = a.show(out, func(p *page) { adoptPage(p, out) })
				if !a.json { // the result lists them
					for _, w := range out.Warnings {
						a.warn(plain(w))
					}
				}
				return err
			})
		},
	}
	cmd.Flags().BoolVar(&in.Mine, "mine", false, "stand for every line, whoever committed it")
	cmd.Flags().BoolVar(&in.Dry, "dry-run", false, "only tell what would be taken in")
	a.scopeFlags(cmd, false)
	return cmd
}

func adoptPage(p *page, out views.AdoptResult) {
	adopted := false
	for _, f := range out.Files {
		name := scrub.Line(f.Path)
		switch {
		case f.Known:
			p.line("%s: adopted before, and has not changed since.", name)
			continue
		case f.Pieces == 0:
			p.line("%s: is empty; there is nothing to adopt.", name)
			continue
		}
		did := "Adopted"
		if out.Dry {
			did = "Would adopt"
		}
		adopted = !out.Dry
		p.line("%s %s: %s above the state, kept as %s.", p.style.bold(did), name, count(f.Lines, "new line", "new lines"),
			count(f.Pieces, "memory", "memories"))
		if f.Others > 0 {
			p.line("%s", count(f.Others, "line was committed by somebody else: it is found by search and stays",
				"lines were committed by others: they are found by search and stay")+" out of the state (--mine takes your word for all)")
		}
		for _, order := range f.Orders {
			p.line("%s %s", p.style.yellow("addresses an agent:"), p.cut(scrub.Line(order), p.width-len("addresses an agent: ")))
		}
		if f.Cleaned {
			p.line("%s", p.style.yellow("Secrets and private parts were left out."))
		}
		if f.Backup != "" {
			p.line("%s", p.style.dim("Backup: "+scrub.Line(f.Backup)))
		}
	}
	if adopted {
		p.line("%s", p.style.dim("The next dream leaves it as it is, later ones take it in line by line. Your files are unchanged."))
	}
}
