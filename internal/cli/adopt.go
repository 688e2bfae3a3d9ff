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
		Use: "adopt [FILE...]", Short: "Import a hand-written MEMORY.md, CLAUDE.md or AGENTS.md into the state",
		Long: `Imports what you wrote before hebb kept a state: the files named, or MEMORY.md, CLAUDE.md and AGENTS.md at the root of this
project; a link that leads out of the project only if you name it. hebb never writes to these files.

The text is backed up and kept as memories, so hebb search finds it. It stands above hebb's block in MEMORY.md (hebb state shows
it). The first dream leaves it as it is; each later one moves a few lines into the sections, word for word. No sentence is lost:
it stays, or words in MEMORY.md are proven to find it. Code, tables and numbered steps stay where they are. Remove the two marks
around the text to keep dreams from changing it.

Lines that somebody else committed, or whose author git cannot tell, are kept as the repository's words: search finds them, and they
stay out of the state. --mine accepts all lines as yours. --dry-run shows this first, and which lines address an agent. An author in
git is only a claim: check before you adopt a file from a repository that you do not trust.

Adopting a file twice changes nothing; a changed file adds what is new.`,
		Example: "  hebb state adopt --dry-run\n  hebb state adopt\n  hebb state adopt --mine CLAUDE.md\n  hebb state adopt notes/MEMORY.md",
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, files []string) error {
			if !in.Dry {
				if err := a.personOnly("state adopt"); err != nil {
					return err
				}
			}
			return a.with(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
				in.Scope, in.Files, in.Dir = a.scope(), files, a.Dir
				out, err := steward.Run(ctx, b, views.Adopt, in)
				if err != nil {
					return err
				}
				err = a.show(out, func(p *page) { adoptPage(p, out) })
				a.warnings("", out.Warnings)
				return err
			})
		},
	}
	cmd.Flags().BoolVar(&in.Mine, "mine", false, "accept every line as yours, whoever committed it")
	cmd.Flags().BoolVar(&in.Dry, "dry-run", false, "only show what would be imported")
	return a.scopeFlags(cmd, false)
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
			p.line("%s", count(f.Others, "line was committed by somebody else: search finds it, and it stays",
				"lines were committed by others: search finds them, and they stay")+" out of the state (--mine accepts all)")
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
		p.line("%s", p.style.dim("The next dream leaves it as it is, later ones move it into the sections line by line. Your files are unchanged."))
	}
}
