package cli

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/replay"
)

func (a *app) benchCommand() *cobra.Command {
	var commits int
	cmd := &cobra.Command{
		Use: "bench [FOLDER]", Short: "Measure how well hebb would have done on your own repository",
		Long: `Replays the git history of this repository, or of the one around FOLDER, in a temporary memory; yours is not touched. Before each
commit is learned, hebb predicts which files it will change, and so do simple methods: the latest files, words in paths, the files of
similar commits, files that were changed together, files of the same folder.

Figures are the share of changed files among the first ten answers, for up to 200 commits spread over the history after a warm-up.`,
		Example: "  hebb bench\n  hebb bench ../shop --commits 5000\n  hebb bench --json",
		Args:    arguments(0, 1, "at most one folder"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if commits < 1 {
				return usageError{errors.New("bench: --commits must be 1 or more")}
			}
			c, err := config.Load(a.Getenv)
			if err != nil {
				return err
			}
			in := replay.Input{Root: a.Dir, Commits: commits, Tuning: c.Tuning}
			if len(args) > 0 {
				if in.Root = args[0]; !filepath.IsAbs(in.Root) {
					in.Root = filepath.Join(a.Dir, in.Root)
				}
			}
			update, finish := a.progress("commits")
			defer finish()
			in.Progress = update
			report, err := replay.Repository(cmd.Context(), in)
			finish()
			if err != nil {
				return fmt.Errorf("bench: %w", err)
			}
			return a.show(report, func(p *page) { benchPage(p, report) })
		},
	}
	cmd.Flags().IntVar(&commits, "commits", 1500, "replay this many of the latest commits")
	return cmd
}

func benchPage(p *page, report replay.Report) {
	tableOf(p, []string{"GIVEN", "COMMITS>", "HEBB>", "BEST SIMPLE>", "METHOD"}, report.Rows, func(r replay.Row) []string {
		return []string{r.Given, grouped(int64(r.Questions)), percent(r.Hebb / 100), percent(r.Simple / 100), r.Method}
	})
	p.gap()
	first := report.Rows[0]
	p.line("Given %s of a commit it had not seen, hebb named %.0f of 100 changed files among its first ten; the best simple method, %s, named %.0f.",
		first.Given, first.Hebb, first.Method, first.Simple)
}
