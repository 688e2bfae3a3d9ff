package cli

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/dream"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/steward"
)

func (a *app) gapsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "gaps", Short: "List what is not known: searches without an answer, errors without a fix, open questions",
		Long: `A gap is something that the memory of this project noticed it does not know:

  search    you or an agent looked for it (hebb search, memory_search), and nothing answered
  error     it was met more than once, and nothing is known to fix it (hebb resolve says what did)
  question  somebody noted it, or said in a prompt that it is unclear
  file      sessions worked on it often, and nobody has said anything of it (hebb note-file)

A gap goes by itself: when the search finds its answer, when something is noted that answers, when a fix is named, or when
nobody meets it again for a month. A dream tells the most pressing under Curiosity Gaps of MEMORY.md.`,
		Example: "  hebb gaps\n  hebb gaps --json",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.fresh(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
				out, err := steward.Run(ctx, b, goals.Gaps, a.scope())
				if err != nil {
					return err
				}
				return a.show(out, func(p *page) { gapsPage(p, out) })
			})
		},
	}
	a.scopeFlags(cmd, false)
	return cmd
}

func gapsPage(p *page, gaps []dream.Gap) {
	if len(gaps) == 0 {
		p.line("No gap is known here: no search without an answer, no error met twice without a fix, no open question.")
		p.line("%s", p.style.dim("What hebb search or an agent asks in vain is listed here; hebb remember answers it."))
		return
	}
	rows := make([][]string, len(gaps))
	for i, g := range gaps {
		rows[i] = []string{string(g.Kind), strconv.Itoa(g.Times), p.ago(g.At), scrub.Line(g.Text)}
	}
	p.table([]string{"KIND", "TIMES>", "AGO", "WHAT~"}, rows)
}
