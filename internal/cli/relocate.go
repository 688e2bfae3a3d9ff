package cli

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/transfer"
)

func (a *app) relocateCommand() *cobra.Command {
	var in transfer.RelocateInput
	cmd := &cobra.Command{
		Use: "relocate PROJECT", Short: "Use the memory of a project in this folder",
		Long: `The folder around you uses the memory of PROJECT (a name or an ID of hebb projects) from now on. If the old place comes back,
both use it. Nothing is copied or moved, so --undo gives the folder its own memory again; what was learned here meanwhile stays
with PROJECT.

A moved repository is recognised by its root commits if its old place is gone and no other clone is known. A folder that has
memories of its own is merged instead (hebb projects merge). Without --yes the command only shows what it would do.`,
		Example: `  hebb projects relocate shop
  hebb projects relocate p422qgz1q2wych --yes
  hebb projects relocate --undo --yes`,
		Args: arguments(0, 1, "one project"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if in.Undo == (len(args) == 1) {
				return usageError{errors.New("relocate: name the project whose memory to use here (hebb projects lists them), or use --undo")}
			}
			in.Project = strings.Join(args, "") // at most one
			return a.relocate(cmd.Context(), in)
		},
	}
	cmd.Flags().BoolVar(&in.Undo, "undo", false, "give the folder its own memory again")
	yesFlag(cmd, &in.Apply)
	return cmd
}

func (a *app) mergeCommand() *cobra.Command {
	in := transfer.RelocateInput{Merge: true}
	cmd := &cobra.Command{
		Use: "merge PROJECT", Short: "Move what is known of this folder into a project, and use its memory here",
		Long: `Joins the memory of the project around you with that of PROJECT (a name or an ID of hebb projects), for two clones of one
repository. Sessions, texts, notes, pins, goals and knowledge move to PROJECT, which both places then use. Commits are read from
the repository again. Where both have a state document or a pin of the same title, PROJECT's stays.

All memory is copied to the backups folder first (hebb restore brings it back). The next drain finishes an interrupted merge.
Without --yes the command only shows what it would do.`,
		Example: `  hebb projects merge shop
  hebb projects merge p422qgz1q2wych --yes`,
		Args: arguments(1, 1, "one project"),
		RunE: func(cmd *cobra.Command, args []string) error {
			in.Project = args[0]
			return a.relocate(cmd.Context(), in)
		},
	}
	yesFlag(cmd, &in.Apply)
	return cmd
}

func yesFlag(cmd *cobra.Command, yes *bool) { cmd.Flags().BoolVarP(yes, "yes", "y", false, "do it") }

func (a *app) relocate(ctx context.Context, in transfer.RelocateInput) error {
	in.Dir = a.Dir
	return run(ctx, a, a.fresh, transfer.Relocate, in, func(p *page, out transfer.RelocateResult) {
		here, there := shownName(a.home(out.Root)), shownName(out.Into.Name)
		uses, became := "uses", "are part of it now"
		if !out.Applied {
			uses, became = "would use", "would become part of it"
		}
		if in.Undo {
			p.line("%s %s its own memory again; what was learned there stays with %s.", here, uses, there)
		} else {
			p.line("%s %s the memory of %s.", here, uses, there)
		}
		if out.Moved != nil {
			p.line("%s and %s %s.", count(out.Moved.Sessions, "session", "sessions"), count(out.Moved.Events, "event", "events"), became)
		}
		if out.Backup != "" {
			p.line("%s", p.style.dim("Backup of all memory: "+scrub.Line(out.Backup)))
		}
		if !out.Applied {
			p.line("Nothing was changed. Add %s to go on.", p.style.cyan("--yes"))
		}
	})
}
