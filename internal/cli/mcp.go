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
		Long: `Speaks the Model Context Protocol on standard input and output, as agents expect of a server that they start themselves. The
tools speak of the project around the working directory, or around --dir. docs/mcp.md describes them.

Eight tools are offered, so that an agent's context is not flooded; --tools all offers every one, with the operations of the
reference memory server among them.

--http serves on a loopback address instead, for several clients at once. A caller needs the token that stands in the file
mcp-token in hebb's data folder: Authorization: Bearer TOKEN. Other machines and web pages are refused.`,
		Example: `  hebb mcp
  hebb mcp --tools all --dir ~/src/shop
  hebb mcp --http 127.0.0.1:8977
  claude mcp add hebb -- hebb mcp`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if tools, err = oneOf("tools", tools, toolSets); err != nil {
				return err
			}
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
			// This is how clients and systems end a server; the session of the connection ends with it.
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
	f := cmd.Flags()
	f.StringVar(&address, "http", "", "serve on this loopback address, HOST:PORT; port 0 takes a free one")
	f.StringVar(&tools, "tools", toolSets[0], "which tools to offer: "+list(toolSets))
	f.StringVar(&dir, "dir", "", "the folder whose project the tools speak of (default: the working directory)")
	fixedCompletion(cmd, "tools", toolSets)
	_ = cmd.MarkFlagDirname("dir") // fails only for an unknown flag
	return cmd
}

// listening says where the server is, once it listens.
func (a *app) listening(at mcpserver.Address) {
	_ = a.show(at, func(p *page) { // a client that knows the address needs no word of it
		p.line("Listening on %s", at.URL)
		p.line("%s", p.style.dim("Callers need the token in "+shownName(a.home(at.TokenFile))))
	})
}

// folder is a folder that a flag names, counted from the working directory.
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
