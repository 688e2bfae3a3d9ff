package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/transfer"
)

func (a *app) relocateCommand() *cobra.Command {
	var in transfer.RelocateInput
	cmd := &cobra.Command{
		Use: "relocate PROJECT", Short: "Use the memory of a project in this folder",
		Long: `From now on the folder around you uses the memory of PROJECT (a name or an ID of hebb projects). The old place, should it
come back, goes on using it as well. Nothing is copied or moved, so --undo gives the folder a memory of its own again; what was
learned here meanwhile stays with PROJECT.

A repository that was moved is recognised by itself, by its root commits, if its old place is gone and no other clone is known.
A folder that has memories of its own is merged instead (hebb projects merge). Without --yes it only says what it would do.`,
		Example: `  hebb projects relocate shop
  hebb projects relocate p422qgz1q2wych --yes
  hebb projects relocate --undo --yes`,
		Args: arguments(0, 1, "one project"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if in.Undo == (len(args) == 1) {
				return usageError{errors.New("relocate: name the project whose memory is used here (hebb projects lists them), or say --undo")}
			}
			if len(args) == 1 {
				in.Project = args[0]
			}
			return a.relocate(cmd.Context(), in)
		},
	}
	cmd.Flags().BoolVar(&in.Undo, "undo", false, "give the folder a memory of its own again")
	cmd.Flags().BoolVarP(&in.Apply, "yes", "y", false, "do it")
	return cmd
}

func (a *app) mergeCommand() *cobra.Command {
	in := transfer.RelocateInput{Merge: true}
	cmd := &cobra.Command{
		Use: "merge PROJECT", Short: "Move what is known of this folder into a project, and use its memory here",
		Long: `Joins the memory of the project around you with that of PROJECT (a name or an ID of hebb projects), for two clones of one
repository. Sessions, texts, notes, pins, goals and knowledge become PROJECT's, which is then used in both places. Commits come
from the repository again. Where both have a state document or a pin of the same title, PROJECT's stays.

All memory is copied to the backups folder first (hebb restore brings it back); a merge that is interrupted is finished by the
next drain. Without --yes it only says what it would do.`,
		Example: `  hebb projects merge shop
  hebb projects merge p422qgz1q2wych --yes`,
		Args: arguments(1, 1, "one project"),
		RunE: func(cmd *cobra.Command, args []string) error {
			in.Project = args[0]
			return a.relocate(cmd.Context(), in)
		},
	}
	cmd.Flags().BoolVarP(&in.Apply, "yes", "y", false, "do it")
	return cmd
}

func (a *app) relocate(ctx context.Context, in transfer.RelocateInput) error {
	in.Dir = a.Dir
	return a.fresh(ctx, func(ctx context.Context, b *brain.Brain) error {
		out, err := steward.Run(ctx, b, transfer.Relocate, in)
		if err != nil {
			return err
		}
		return a.show(out, func(p *page) { a.relocatePage(p, in, out) })
	})
}

func (a *app) relocatePage(p *page, in transfer.RelocateInput, out transfer.RelocateResult) {
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
		p.line("%s", p.style.dim("All memory as it was before: "+scrub.Line(out.Backup)))
	}
	if !out.Applied {
		p.line("Nothing was changed. Add %s to go on.", p.style.cyan("--yes"))
	}
}
