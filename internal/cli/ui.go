package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/httpapi"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/webui"
)

// pageIdle is how long the page is served while nobody uses it.
const pageIdle = 30 * time.Minute

func (a *app) uiCommand() *cobra.Command {
	type input struct {
		NoOpen bool          `flag:"no-open" about:"print the address and open nothing"`
		Port   int           `flag:"port" about:"listen on this port (default: one that is free)"`
		Idle   time.Duration `flag:"idle" about:"end after this time without use; 0: never"`
		Export string        "flag:\"export,,html\" about:\"write a copy that nobody can change to this `FILE` instead, without secrets\""
	}
	return takes(a, &cobra.Command{
		Use: "ui", Short: "See and correct the memory on a page in your browser",
		Long: `Shows what agents were shown and what became of it, what is remembered and when it fades, sessions,
and what a prompt would be answered with; all of it can be corrected there (docs/page.md). The
address opens once, for one browser on this machine. Ctrl-C ends it.`,
		Example: "  hebb ui --export memory.html",
	}, input{Idle: pageIdle}, func(cmd *cobra.Command, in input) error {
		if in.Port < 0 || in.Port > 65535 {
			return usageError{fmt.Errorf("--port %d: want 0 to 65535", in.Port)}
		}
		c, err := config.Load(a.Getenv)
		if err != nil {
			return err
		}
		leads := filepath.Join(c.Dir, "page.html")
		if in.Export == "" && !cmd.Flags().Changed("port") && !cmd.Flags().Changed("idle") {
			if at, err := client(c, daemonPatience).PageOf(cmd.Context(), version()); err == nil {
				opened := !in.NoOpen && a.openPage(cmd.Context(), at.URL, leads) == nil
				return a.showAddress(at.URL, opened, "The daemon serves it for half an hour after its last use.")
			}
		}
		s, err := httpapi.New(cmd.Context(), httpapi.Options{Config: c.Serving(), Now: a.Now, Assets: webui.Assets(), Doctor: a.findings, Idle: in.Idle})
		if err != nil {
			return err
		}
		if in.Export != "" {
			err = a.exportPage(cmd.Context(), s, in.Export)
		} else {
			err = a.servePage(cmd.Context(), s, leads, in.Port, !in.NoOpen)
		}
		return errors.Join(err, s.Close())
	})
}

// findings are those of the doctor, for the page.
func (a *app) findings(ctx context.Context) []inspect.Finding {
	found, err := a.examine(ctx, inspect.DoctorInput{})
	if err != nil {
		found = append(found, inspect.Finding{Name: "doctor", Level: inspect.Fail, Detail: err.Error()})
	}
	return found
}

// servePage serves the page until somebody ends it, and opens it. Other users of a machine see the arguments of every program, so the browser
// is given a file that leads to the address, and that nobody else can read.
func (a *app) servePage(ctx context.Context, s *httpapi.Server, leads string, port int, open bool) error {
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM)
	defer stop()
	err := s.Serve(ctx, port, func() {
		opened := open && a.openPage(ctx, s.Address(), leads) == nil
		_ = a.showAddress(s.Address(), opened, "Ctrl-C ends it.") // a failure to print does not stop the server
	})
	if open {
		err = errors.Join(err, filesys.RemoveOwn(leads))
	}
	if errors.Is(err, httpapi.ErrIdle) {
		a.warn("nobody used the page for a while: it has ended")
		return nil
	}
	return err
}

// showAddress prints where the page is.
func (a *app) showAddress(url string, opened bool, ends string) error {
	at := struct {
		URL    string `json:"url"`
		Opened bool   `json:"opened"`
	}{url, opened}
	return a.show(at, func(p *page) {
		if opened {
			p.line("The page opens in your browser. If it does not, open this address:")
		} else {
			p.line("Open this address, once:")
		}
		p.line("%s", at.URL)
		p.note(ends)
	})
}

// openPage opens an address in the person's browser.
func (a *app) openPage(ctx context.Context, url, leads string) error {
	program, args := "xdg-open", []string{leads}
	switch runtime.GOOS {
	case "darwin":
		program = "open"
	case "windows":
		program, args = "rundll32", []string{"url.dll,FileProtocolHandler", leads}
	default:
		if a.Getenv("DISPLAY") == "" && a.Getenv("WAYLAND_DISPLAY") == "" && a.Getenv("BROWSER") == "" {
			return fmt.Errorf("open a browser: there is no display: %w", memory.ErrNotFound)
		}
	}
	if _, err := exec.LookPath(program); err != nil {
		return err
	}
	text := fmt.Sprintf(`<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=%s"><title>hebb</title>`, url)
	if err := filesys.Replace(leads, []byte(text)); err != nil {
		return err
	}
	cmd := exec.CommandContext(context.WithoutCancel(ctx), program, args...)
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }() // the browser goes on by itself
	return nil
}

// exportPage writes a copy of the page.
func (a *app) exportPage(ctx context.Context, s *httpapi.Server, file string) error {
	if !filepath.IsAbs(file) {
		file = filepath.Join(a.Dir, file)
	}
	folder := filepath.Dir(file)
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return fmt.Errorf("write %s: there is no folder %s: make it first, or name another file: %w", filepath.Base(file), folder, memory.ErrNotFound)
	}
	m, err := a.machine()
	if err != nil {
		return err
	}
	data, err := s.Export(ctx, m.Home)
	if err != nil {
		return err
	}
	text, err := webui.Copy(data)
	if err != nil {
		return err
	}
	if err := filesys.Replace(file, text); err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	out := struct {
		File  string `json:"file"`
		Bytes int    `json:"bytes"`
	}{file, len(text)}
	return a.show(out, func(p *page) {
		p.line("Wrote %s (%s). Secrets are left out; read it before you share it.", shownName(a.home(file)), size(int64(len(text))))
	})
}
