package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/config"
)

// configCommand shows and changes settings.
func (a *app) configCommand() *cobra.Command {
	show := a.tuningCommand()
	cmd := &cobra.Command{
		Use: "config", Short: "Show and change the settings, pause and resume",
		Long: `Shows every setting with its value, its range and what it does. They are in config.toml in the data folder, which you may edit; set
changes one of them. pause stops recording and answering in this project, resume goes on.`,
		Example: "  hebb config\n  hebb config show session\n  hebb config set hook.max_files 5\n  hebb config pause",
		RunE:    func(cmd *cobra.Command, _ []string) error { return show.RunE(cmd, nil) },
	}
	cmd.AddCommand(&cobra.Command{
		Use: "set NAME VALUE", Short: "Change a setting in config.toml",
		Long: `Writes a setting into config.toml; hebb config shows the names. A value out of range is an error, and nothing is changed. The value
"default" takes the line out again.`,
		Example: "  hebb config set hook.max_files 5\n  hebb config set session.idle_after 20m\n  hebb config set hook.max_files default",
		Args:    arguments(2, 2, "the name of a setting and its value"),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := a.personOnly("config set"); err != nil {
				return err
			}
			c, err := config.Load(a.Getenv)
			if err != nil {
				return err
			}
			if err := c.SetTuning(args[0], args[1]); err != nil {
				return fmt.Errorf("config set: %w", err)
			}
			return a.show(map[string]string{args[0]: args[1]}, func(p *page) { p.line("%s = %s", args[0], args[1]) })
		},
	})
	return cmd
}
