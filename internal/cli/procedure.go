package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/knowledge"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/steward"
)

func (a *app) procedureCommand() *cobra.Command {
	return &cobra.Command{
		Use: "procedure [TOPIC...]", Short: "Show how something is done here",
		Long: `How-tos are Markdown files that you write, in the folder vault/procedures of the data folder (~/.hebb, or HEBB_HOME). hebb search finds
them as soon as they change; an earlier text stays as history. Secrets stay in the file and are never stored. A file of more than 256
KB, a link, or text that is not UTF-8 is skipped with a warning.

Without TOPIC it lists them. With TOPIC it prints the one whose name or heading matches, else the one that hebb search
kind:procedure finds.`,
		Example: `  hebb procedure
  hebb procedure release
  hebb procedure roll back a migration`,
		Args: cobra.ArbitraryArgs,
		ValidArgsFunction: completes(a, 1, knowledge.Procedures, func(*cobra.Command) (none struct{}) { return }, func(out knowledge.ProcedureList) []string {
			return mapped(out.Procedures, func(f knowledge.ProcedureFile) string { return scrub.Line(f.Name) })
		}),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.fresh(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
				if len(args) == 0 {
					return a.procedures(ctx, b)
				}
				out, err := steward.Run(ctx, b, answer.HowTo, knowledge.ProcedureInput{Scope: a.scope(), Topic: strings.Join(args, " ")})
				a.warnings("procedure skipped: ", out.Problems)
				if err != nil {
					return err
				}
				return a.show(out, func(p *page) { a.howToPage(p, out) })
			})
		},
	}
}

func (a *app) procedures(ctx context.Context, b *brain.Brain) error {
	out, err := steward.Run(ctx, b, knowledge.Procedures, struct{}{})
	if err != nil {
		return err
	}
	a.warnings("procedure skipped: ", out.Problems)
	return a.show(out, func(p *page) {
		if len(out.Procedures) == 0 {
			p.line("No procedures yet. Write how you do something into %s.", p.style.cyan(scrub.Line(a.home(out.Folder))+"/NAME.md"))
			return
		}
		tableOf(p, []string{"AGO", "NAME", "HEADING~"}, out.Procedures, func(f knowledge.ProcedureFile) []string {
			return []string{p.ago(f.At), f.Name, f.Title}
		})
		p.line("%s", p.style.dim("They are files in "+scrub.Line(a.home(out.Folder))))
	})
}

func (a *app) howToPage(p *page, out knowledge.ProcedureResult) {
	where := "remembered " + p.ago(out.At) + " ago, " + string(out.Crystal)
	if out.File != "" {
		where = scrub.Line(a.home(out.File))
	}
	p.line("%s", p.style.dim(where))
	p.line("%s", scrub.Display(out.Text))
	if len(out.Also) > 0 {
		p.line("%s", p.style.dim("Also: "+scrub.Line(strings.Join(out.Also, ", "))))
	}
}
