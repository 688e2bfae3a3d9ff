package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/wiring"
)

type upgradeResult struct {
	Version string `json:"version"`
	Newest  string `json:"newest"`
	Program string `json:"program,omitempty"` // what was replaced
}

func (a *app) upgradeCommand() *cobra.Command {
	var check bool
	cmd := &cobra.Command{
		Use: "upgrade", Short: "Replace this hebb by the newest release",
		Long: `Downloads the newest release for this system, compares its checksum and, once releases are signed,
verifies the signature; then it replaces this program, and the copy that agents call follows. It is
the only command that asks a server of hebb's (HEBB_RELEASES names another). A hebb that a package
manager installed is upgraded by that.`,
		Args: arguments(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.upgrade(cmd.Context(), check) },
	}
	cmd.Flags().BoolVar(&check, "check", false, "only say whether there is a newer release")
	return cmd
}

func (a *app) upgrade(ctx context.Context, check bool) error {
	path := wiring.Resolved(a.Program)
	owner, command := wiring.ProgramOwner(path, exists, wiring.GoBins(a.Getenv))
	if owner != "" && !check {
		return fmt.Errorf("upgrade: this hebb comes from %s. Upgrade it with: %s: %w", owner, command, memory.ErrRefused)
	}
	folder := a.Getenv("HEBB_RELEASES")
	if folder == "" {
		folder = wiring.Releases
	}
	newest, err := wiring.NewestRelease(ctx, folder, wiring.ReleaseKey)
	if err != nil {
		return fmt.Errorf("upgrade: %w", err)
	}
	out := upgradeResult{Version: version(), Newest: newest.Version}
	newer, known := newest.NewerThan(out.Version)
	if !known && !check {
		return fmt.Errorf("upgrade: this is a development build (%s), which may be newer than the newest release (%s): install that instead: %w",
			scrub.Line(out.Version), newest.Version, memory.ErrRefused)
	}
	if newer && !check {
		if err := newest.Install(ctx, path); err != nil {
			return fmt.Errorf("upgrade: %w", err)
		}
		out.Program = path
		dir, err := config.DataDir(a.Getenv)
		if err == nil {
			err = wiring.CopyIn(dir).Upgraded(ctx, path)
		}
		if err != nil {
			a.warn("the copy that agents call was not upgraded: " + err.Error())
		}
	}
	return a.show(out, func(p *page) {
		switch {
		case known && !newer:
			p.line("hebb %s is the newest release.", scrub.Line(out.Version))
		case !known:
			p.line("This is a development build (%s); the newest release is %s.", scrub.Line(out.Version), scrub.Line(newest.Version))
		case check && command != "":
			p.line("hebb %s is out; this is %s. Upgrade: %s", scrub.Line(newest.Version), scrub.Line(out.Version), command)
		case check:
			p.line("hebb %s is out; this is %s. Upgrade: hebb upgrade", scrub.Line(newest.Version), scrub.Line(out.Version))
		default:
			p.line("Upgraded %s from %s to %s.", out.Program, scrub.Line(out.Version), scrub.Line(newest.Version))
		}
	})
}
