package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/daemon"
	"github.com/hebb-memory/hebb/internal/hook"
	"github.com/hebb-memory/hebb/internal/httpapi"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/webui"
	"github.com/hebb-memory/hebb/internal/wiring"
)

// Patience with the daemon: of somebody who asks for it, and of a command that is about something else.
const (
	daemonPatience = 2 * time.Second
	brieflyAsked   = 250 * time.Millisecond
)

// daemonFlags are the flags of hebb daemon.
type daemonFlags struct {
	DryRun bool   `flag:"dry-run,n" about:"with install and uninstall: show what would be done"`
	Stay   bool   `flag:"stay" about:"with run and start: do not end without work"`
	Home   string `flag:"home,,hidden" about:"the data folder"`
}

func (a *app) daemonCommand() *cobra.Command {
	actions := map[string]func(context.Context, config.Config, daemonFlags) error{
		"run": a.runDaemon, "start": a.startDaemon, "stop": a.stopDaemon, "status": a.daemonStatus,
		"install": a.installDaemon, "uninstall": a.uninstallDaemon,
	}
	names := []string{"status", "start", "stop", "run", "install", "uninstall"}
	return under(takes(a, &cobra.Command{
		Use: "daemon [ACTION]", Short: "Keep the memory up to date in the background",
		Long: `hebb needs no daemon; with one, events are stored within a second and upkeep never waits for an
agent (docs/daemon.md). Actions: status; start, which ends by itself after 30 minutes without
work; stop; run, in the foreground; install, so that it starts when you log in; uninstall.`,
		ValidArgs: names,
	}, daemonFlags{}, func(cmd *cobra.Command, in daemonFlags) error {
		name := append(cmd.Flags().Args(), names[0])[0]
		do, known := actions[name]
		switch {
		case !known:
			return usageError{fmt.Errorf("daemon: unknown action %q: want one of %s", name, strings.Join(names, ", "))}
		case in.DryRun && !strings.HasSuffix(name, "install"):
			return usageError{fmt.Errorf("daemon %s: --dry-run goes with install and uninstall", name)}
		case in.Stay && name != "run" && name != "start":
			return usageError{fmt.Errorf("daemon %s: --stay goes with run and start", name)}
		}
		if in.Home != "" { // a service has no environment of its own
			if err := os.Setenv(config.EnvHome, in.Home); err != nil {
				return err
			}
		}
		c, err := config.Load(a.Getenv)
		if err != nil {
			return err
		}
		return do(cmd.Context(), c, in)
	}), a.shellCommand(func(ctx context.Context, r daemon.Ran) error {
		c, err := config.Load(a.Getenv)
		if err != nil {
			return err
		}
		return client(c, daemonPatience).Ran(ctx, r)
	}))
}

func client(c config.Config, patience time.Duration) daemon.Client {
	return daemon.Client{Config: c, Patience: patience}
}

// runDaemon is the daemon itself.
func (a *app) runDaemon(ctx context.Context, c config.Config, in daemonFlags) error {
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM)
	defer stop()
	if err := os.MkdirAll(c.Dir, 0o700); err != nil {
		return err
	}
	_ = os.Chdir(c.Dir) // it keeps no other folder from being removed
	err := daemon.Run(ctx, daemon.Options{
		Config: c, Version: version(), Program: a.Program, Now: a.Now, Stay: in.Stay, Page: a.daemonPage(c),
		Watch: daemon.NewWatcher(c, a.Now),
	})
	if ctx.Err() != nil {
		err = daemon.ErrAsked
	}
	for _, expected := range []error{daemon.ErrIdle, daemon.ErrAsked, daemon.ErrGone} {
		if errors.Is(err, expected) {
			_, err = fmt.Fprintf(a.Stdout, "The daemon has ended: %v.\n", expected)
			return err
		}
	}
	return err // a service starts a program that was replaced again
}

// readChanged reads again what the daemon has seen change.
func (a *app) readChanged(ctx context.Context) error {
	var l daemon.Lesson
	if err := json.NewDecoder(a.Stdin).Decode(&l); err != nil {
		return fmt.Errorf("drain --read: standard input: %w: %w", err, memory.ErrInvalid)
	}
	return a.with(ctx, func(ctx context.Context, b *brain.Brain) error { return daemon.Learn(ctx, b, l) })
}

// daemonPage opens the page for the daemon.
func (a *app) daemonPage(c config.Config) func(context.Context) (*httpapi.Server, error) {
	return func(ctx context.Context) (*httpapi.Server, error) {
		return httpapi.New(ctx, httpapi.Options{
			Config: c.Serving(), Now: a.Now, Assets: webui.Assets(), Doctor: a.findings, Idle: pageIdle,
		})
	}
}

func (a *app) startDaemon(ctx context.Context, c config.Config, in daemonFlags) error {
	if s, err := a.service(c, a.Program); err == nil {
		installed, _ := s.Installed() // a file of somebody else's is reported by install
		in.Stay = in.Stay || installed != nil
	}
	p, started, err := client(c, daemonPatience).Start(ctx, version(), func() error {
		args := []string{"daemon", "run"}
		if in.Stay {
			args = append(args, "--stay")
		}
		return hook.Spawn(a.Program, args...)
	})
	if err != nil {
		return err
	}
	out := struct {
		daemon.Ping
		Started bool `json:"started"`
	}{p, started}
	return a.show(out, func(page *page) {
		if started {
			page.line("Started the daemon, process %d.", p.PID)
		} else {
			page.line("The daemon runs already: process %d, version %s.", p.PID, scrub.Line(p.Version))
		}
	})
}

func (a *app) stopDaemon(ctx context.Context, c config.Config, _ daemonFlags) error {
	p, err := client(c, daemonPatience).Stop(ctx)
	return a.outcome(p, err, func(page *page) { page.line("Stopped the daemon, process %d.", p.PID) })
}

func (a *app) daemonStatus(ctx context.Context, c config.Config, _ daemonFlags) error {
	s, err := client(c, daemonPatience).Status(ctx)
	return a.outcome(s, err, func(p *page) {
		p.line("The daemon runs: process %d, version %s, since %s.", s.PID, scrub.Line(s.Version), p.ago(s.Began))
		now := cmp.Or(string(s.Doing), "nothing")
		p.note(fmt.Sprintf("Now: %s. Imported %s, %s in the spool.", now, count(s.Events, "event", "events"), size(s.Waiting)))
		a.showWatched(p, s.Watch)
		p.gap()
		tableOf(p, "JOB, LAST, NEXT, RESULT~", s.Jobs, func(j daemon.Job) []any {
			result, next := "ok", "when events come"
			if j.Error != "" {
				result = j.Error
			}
			if !j.Next.IsZero() {
				next = j.Next.Local().Format("15:04")
			}
			return []any{j.Name, j.Last, next, result}
		})
	})
}

// showWatched says what the daemon sees by itself.
func (a *app) showWatched(p *page, w daemon.WatchStatus) {
	files := 0
	for _, one := range w.Projects {
		files += one.Files
	}
	p.note(fmt.Sprintf("Watches %s in %s. Yours: %s, %s.", count(files, "file", "files"), count(len(w.Projects), "project", "projects"),
		count(w.Edits, "edit", "edits"), count(w.Commands, "command", "commands")))
	for _, one := range w.Projects {
		p.warnIf(one.Limit != "", shownName(a.home(one.Root))+" is looked through once a minute: "+scrub.Line(one.Limit))
	}
	p.warnIf(w.Problem != "", scrub.Line(w.Problem))
}

// service is how this system starts a program as the daemon.
func (a *app) service(c config.Config, program string) (wiring.Service, error) {
	m, err := a.machine()
	if err != nil {
		return wiring.Service{}, err
	}
	return wiring.ServiceFor(runtime.GOOS, m.Home, program, c.Dir), nil
}

func (a *app) installDaemon(ctx context.Context, c config.Config, in daemonFlags) error {
	program, err := a.calledProgram(ctx, in.DryRun)
	if err != nil {
		return err
	}
	s, err := a.service(c, program)
	if err != nil {
		return err
	}
	return a.changeService(ctx, c, in, serviceChange{Service: s, Deed: "install", commands: s.Install, change: s.Write})
}

func (a *app) uninstallDaemon(ctx context.Context, c config.Config, in daemonFlags) error {
	s, err := a.service(c, a.Program)
	if err != nil {
		return err
	}
	if installed, err := s.Installed(); err == nil && s.File != "" && installed == nil {
		return daemon.Absent("the daemon is not installed")
	}
	s.Text = "" // it goes
	return a.changeService(ctx, c, in, serviceChange{Service: s, Deed: "uninstall", commands: s.Remove, change: s.Delete})
}

// serviceChange is what is to be done with the service, and what became of it.
type serviceChange struct {
	wiring.Service
	Deed     string   `json:"deed"`
	Changed  bool     `json:"changed"`
	Left     []string `json:"left,omitempty"` // commands for the person to run
	Why      string   `json:"why,omitempty"`  // they failed
	commands [][]string
	change   func() error
}

// changeService installs or uninstalls the daemon, or shows what that would do.
func (a *app) changeService(ctx context.Context, c config.Config, in daemonFlags, s serviceChange) error {
	if _, err := s.Installed(); err != nil { // before anything is stopped
		return err
	}
	if !in.DryRun {
		// The system's commands come while its file is there.
		if s.Deed == "uninstall" {
			s.tell(ctx)
		}
		if _, err := client(c, daemonPatience).Stop(ctx); err != nil && !errors.Is(err, daemon.ErrNone) {
			return err
		}
		if err := s.change(); err != nil {
			return err
		}
		if s.Deed == "install" {
			s.tell(ctx)
		}
		s.Changed = true
	}
	return a.show(s, func(p *page) {
		verb := map[string]string{"installtrue": "Wrote", "installfalse": "Would write", "uninstalltrue": "Removed", "uninstallfalse": "Would remove"}
		p.lineIf(s.File != "", "%s %s", verb[s.Deed+strconv.FormatBool(s.Changed)], shownName(a.home(s.File)))
		if !s.Changed {
			p.b.WriteString(scrub.Display(s.Text))
			for _, c := range s.commands {
				p.line("Would run: %s", strings.Join(c, " "))
			}
			p.line("Nothing was changed.")
		}
		if len(s.Left) > 0 {
			p.line("Run this yourself (%s): %s", scrub.Line(s.Why), strings.Join(s.Left, " && "))
			p.lineIf(s.Deed == "install", "No daemon runs until then; hebb daemon start starts one.")
		}
	})
}

// tell runs the commands of the system. From the first one that fails on they are left to the person.
func (s *serviceChange) tell(ctx context.Context) {
	for _, c := range s.commands {
		if s.Why == "" {
			out, err := exec.CommandContext(ctx, c[0], c[1:]...).CombinedOutput()
			if err == nil {
				continue
			}
			first, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
			s.Why = cmp.Or(first, err.Error())
		}
		s.Left = append(s.Left, strings.Join(c, " "))
	}
}

// silentDaemon is what the doctor says of a daemon that does not answer.
func silentDaemon(ctx context.Context, c config.Config) []inspect.Finding {
	_, err := client(c, daemonPatience).Ping(ctx)
	if !errors.Is(err, daemon.ErrSilent) {
		return nil
	}
	return []inspect.Finding{{
		Name: "daemon", Level: inspect.Warn, Detail: plain(err.Error()), Fix: "nothing is lost: hooks and commands do its work meanwhile",
	}}
}

// shellLines are what a person puts into the startup file of a shell. After each command they hand its line and its exit status to hebb, in
// the background and silently; a line that begins with a space stays private. %s is the program, quoted.
var shellLines = map[string]string{
	"bash": `# hebb learns from what you run (not from its output): hebb daemon shell bash
__hebb_before() { [ -n "$__hebb_ran" ] || [ -n "$COMP_LINE" ] || __hebb_ran=$BASH_COMMAND; }
__hebb_after() {
  local status=$? line number=0
  [[ $(HISTTIMEFORMAT='' history 1) =~ ^\ *([0-9]+)\*?\ +(.*)$ ]] && number=${BASH_REMATCH[1]} line=${BASH_REMATCH[2]}
  # A line that is not new in the history is private, or the same as the one before.
  if [ -n "$__hebb_number" ] && { [ "$number" != "$__hebb_number" ] || [[ -n $__hebb_ran && $line == "$__hebb_ran"* ]]; }; then
    (printf '%%s' "$line" | %s daemon shell --ran=$status > /dev/null 2>&1 &)
  fi
  __hebb_number=$number
  return $status
}
if [ -z "$(trap -p DEBUG)" ]; then
  trap '__hebb_before' DEBUG
  PROMPT_COMMAND="__hebb_after${PROMPT_COMMAND:+; $PROMPT_COMMAND}; __hebb_ran="
fi
`,
	"zsh": `# hebb learns from what you run (not from its output): hebb daemon shell zsh
__hebb_before() { __hebb_ran=$1 }
__hebb_after() {
  local ran_status=$? ran=$__hebb_ran
  __hebb_ran=
  if [[ -n $ran && $ran != ' '* ]]; then
    (printf '%%s' "$ran" | %s daemon shell --ran=$ran_status > /dev/null 2>&1 &)
  fi
}
autoload -Uz add-zsh-hook
add-zsh-hook preexec __hebb_before
add-zsh-hook precmd __hebb_after
`,
	"fish": `# hebb learns from what you run (not from its output): hebb daemon shell fish
function __hebb_after --on-event fish_postexec
  set -l ran_status $status
  string match -q ' *' -- "$argv[1]"; and return
  printf '%%s' "$argv[1]" | %s daemon shell --ran=$ran_status > /dev/null 2>&1 &
  disown 2> /dev/null
end
`,
}

// longestLine is how much of a command line is handed on.
const longestLine = 16 << 10

// shellCommand prints those lines, and takes what they report. send hands it to the daemon.
func (a *app) shellCommand(send func(context.Context, daemon.Ran) error) *cobra.Command {
	type input struct {
		Shell string `arg:"1"`
		Ran   int    `flag:"ran,,hidden" about:"report the command on standard input, which ended with this status"`
	}
	names := slices.Sorted(maps.Keys(shellLines))
	return takes(a, &cobra.Command{
		Use: "shell SHELL", Short: "Print the lines with which your shell reports commands to the daemon",
		Long:      `hebb learns which commands fail and what makes them pass, never their output (docs/daemon.md).`,
		Example:   "  hebb daemon shell bash >> ~/.bashrc",
		Args:      cobra.ArbitraryArgs, // none with --ran
		ValidArgs: names,
	}, input{}, func(cmd *cobra.Command, in input) error {
		if cmd.Flags().Changed("ran") {
			a.reportRan(cmd.Context(), in.Ran, send)
			return nil
		}
		lines, known := shellLines[in.Shell]
		if !known {
			return usageError{fmt.Errorf("daemon shell: name your shell: one of %s", strings.Join(names, ", "))}
		}
		_, err := fmt.Fprintf(a.Stdout, lines, "'"+strings.ReplaceAll(a.Program, "'", `'\''`)+"'")
		return err
	})
}

// reportRan hands the command on standard input to the daemon. Where there is none, and in an agent's shell, nothing happens: the agent's hook reports.
func (a *app) reportRan(ctx context.Context, status int, send func(context.Context, daemon.Ran) error) {
	line, err := io.ReadAll(io.LimitReader(a.Stdin, longestLine))
	if name, _ := agent.Caller(a.Getenv); name != "" || err != nil {
		return
	}
	_ = send(ctx, daemon.Ran{Dir: a.Dir, Command: strings.TrimSpace(string(line)), Status: status, Began: a.Now()}) // there is nobody to tell
}
