package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/mcpserver"
	"github.com/hebb-memory/hebb/internal/memory"
)

var toolSets = []string{"default", "all"}

func (a *app) mcpCommand() *cobra.Command {
	var address, tools, dir string
	cmd := &cobra.Command{
		Use: "mcp", Short: "Serve this memory to agents over the Model Context Protocol",
		Long: `Serves the Model Context Protocol on standard input and output. The tools are about the project around the working directory, or
around --dir. docs/mcp.md describes them. To save context, only eight tools are offered; --tools all adds the others, including the
operations of the reference memory server.

--http serves several clients on a loopback address instead. A client sends the token of the file mcp-token in the data folder:
Authorization: Bearer TOKEN. Other machines and web pages are refused.`,
		Example: `  hebb mcp
  hebb mcp --tools all --dir ~/src/shop
  hebb mcp --http 127.0.0.1:8977
  claude mcp add hebb -- hebb mcp`,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if dir, err = a.folder(dir); err != nil {
				return err
			}
			c, err := config.Load(a.Getenv)
			if err != nil {
				return err
			}
			s := mcpserver.New(mcpserver.Options{
				Config: c.Serving(), Now: a.Now, Dir: dir, All: tools == "all", Version: version(), AgentSession: a.Getenv("CLAUDE_CODE_SESSION_ID"),
			})
			// Clients and systems end a server with SIGTERM; the session of the connection ends with it.
			ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGTERM)
			defer stop()
			if address == "" {
				err = s.Serve(ctx, a.Stdin, a.Stdout)
			} else {
				err = s.ServeHTTP(ctx, address, a.listening)
			}
			if ctx.Err() != nil && cmd.Context().Err() == nil && errors.Is(err, context.Canceled) {
				err = nil
			}
			return errors.Join(err, s.Close())
		},
	}
	cmd.Flags().StringVar(&address, "http", "", "serve on this loopback address, HOST:PORT; port 0 takes a free one")
	tools = toolSets[0]
	choiceFlag(cmd, &tools, "tools", "", toolSets, "which tools to offer")
	cmd.Flags().StringVar(&dir, "dir", "", "the folder of the project (default: the working directory)")
	_ = cmd.MarkFlagDirname("dir") // fails only for an unknown flag
	return cmd
}

// listening prints the address of the server.
func (a *app) listening(at mcpserver.Address) {
	_ = a.show(at, func(p *page) { // a failure to print does not stop the server
		p.line("Listening on %s", at.URL)
		p.line("%s", p.style.dim("Clients need the token in "+shownName(a.home(at.TokenFile))))
	})
}

// folder is a folder that a flag names, relative to the working directory.
func (a *app) folder(name string) (string, error) {
	if name == "" {
		return a.Dir, nil
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(a.Dir, name)
	}
	if info, err := os.Stat(name); err != nil || !info.IsDir() {
		return "", fmt.Errorf("mcp: --dir %s: there is no such folder: %w", name, memory.ErrNotFound)
	}
	return name, nil
}
