package cli

import (
	"strconv"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/dream"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/scrub"
)

func (a *app) gapsCommand() *cobra.Command {
	return a.scopeFlags(&cobra.Command{
		Use: "gaps", Short: "List what is not known: searches without an answer, errors without a fix, open questions",
		Long: `A gap is something that the memory of this project does not know:

  search    you or an agent searched for it (hebb search, memory_search) and found nothing
  error     it occurred more than once, and no fix is known (hebb resolve names one)
  question  somebody noted it, or a prompt says that it is unclear
  file      sessions worked on it often, and nothing is noted about it (hebb note-file)

A gap closes when a search or a note answers it, when a fix is named, or after a month without an occurrence. MEMORY.md lists the most
important ones under Curiosity Gaps.`,
		Example: "  hebb gaps\n  hebb gaps --json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return run(cmd.Context(), a, a.fresh, goals.Gaps, a.scope(), gapsPage)
		},
	}, false)
}

func gapsPage(p *page, gaps []dream.Gap) {
	if len(gaps) == 0 {
		p.line("No gaps: no search without an answer, no repeated error without a fix, no open question.")
		return
	}
	tableOf(p, []string{"KIND", "TIMES>", "AGO", "WHAT~"}, gaps, func(g dream.Gap) []string {
		return []string{string(g.Kind), strconv.Itoa(g.Times), p.ago(g.At), scrub.Line(g.Text)}
	})
}
