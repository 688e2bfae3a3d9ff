// Package hookmain handles `hebb hook` before the rest of the program is initialised.
//
// An agent waits for each of its hooks, and most of them only append an event to the spool. Initialising the packages that the
// other commands need (SQLite, MCP, HTTP) takes longer than that. Go initialises packages in the order of their dependencies,
// and among those that are ready in the order of their import paths (https://go.dev/ref/spec#Program_initialization). This
// package depends on few others, so it comes before most: its init function handles the call and ends the process. Only when
// the agent waits for an answer does init return, and the answer comes from main through Serve.
package hookmain

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/hook"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/spool"
)

// Answer is what an agent is shown at a moment of its work, see hook.Hook.
type Answer func(ctx context.Context, c config.Config, to memory.Event) (text string, receipt *memory.Event, err error)

var (
	asked  = make(chan struct{}) // closed when an answer is needed
	served = make(chan Answer, 1)
)

func init() {
	if !called() {
		return
	}
	go func() {
		run(os.Args[2:])
		os.Exit(0) // on every path: a failure here must not disturb the agent
	}()
	<-asked
}

// Serve answers the agent if this process is a hook, and then does not return.
func Serve(a Answer) {
	if called() {
		served <- a
		select {} // run ends the process
	}
}

func called() bool {
	return len(os.Args) > 1 && os.Args[1] == "hook" && !slices.Contains(os.Args, "--help") && !slices.Contains(os.Args, "-h")
}

func run(args []string) {
	// A panic would exit 2, which makes some agents stop.
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintln(os.Stderr, "hebb hook: panic:", r)
		}
	}()
	if !hook.HandlesLeft() {
		if dir, err := config.DataDir(os.Getenv); err == nil {
			spool.Spool{Dir: config.Config{Dir: dir}.Spool()}.CountLost(time.Now(), "too many open files")
		}
		return
	}
	// The agent must not wait for a settings file on a dead network or a pipe in its place.
	watchdog := time.AfterFunc(hook.Longest, func() { os.Exit(0) })
	if os.Getenv(memory.ScribeEnv) != "" { // hebb itself runs this agent
		_, _ = io.Copy(io.Discard, os.Stdin)
		return
	}
	// An ending agent sends SIGTERM to its hooks, a terminal SIGINT to all its processes. The event is spooled first; that takes
	// milliseconds, and the watchdog limits it.
	signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	var name string
	if len(args) > 0 {
		name = args[0]
	}
	who, err := agent.Parse(name)
	if err != nil {
		fmt.Fprintln(os.Stderr, "hebb hook:", err)
		return
	}
	// On a config error use the defaults; hebb doctor reports it.
	c, configErr := config.Load(os.Getenv)
	if c.Dir == "" {
		if errors.Is(configErr, memory.ErrRefused) { // root in the home of somebody else, or a folder without a whole path
			why := strings.TrimSuffix(configErr.Error(), ": "+memory.ErrRefused.Error())
			h := hook.Hook{Agent: who, Tuning: c.Tuning, Getenv: os.Getenv, Out: agentOutput{}, Refused: why}
			if err := h.Run(os.Stdin); err != nil {
				fmt.Fprintln(os.Stderr, "hebb hook:", err)
			}
		}
		return
	}
	h := hook.Hook{
		Agent: who, Tuning: c.Tuning, Getenv: os.Getenv, Now: time.Now, Entropy: rand.Reader, Out: agentOutput{},
		Spool: spool.Spool{Dir: c.Spool(), Limits: c.Tuning.Spool},
	}
	h.Paused, h.Home = c.Paused, c.Home
	if c.Inject && configErr == nil { // unreadable settings may forbid it
		h.Answer = func(ctx context.Context, to memory.Event) (string, *memory.Event, error) {
			close(asked)
			return (<-served)(ctx, c, to)
		}
	}
	if program, err := os.Executable(); err == nil && c.Background {
		h.Drain = func() error { return hook.Spawn(program, "drain", "--quiet") }
	}
	h.Exit = func() { os.Exit(0) }
	watchdog.Stop()
	err = h.Run(os.Stdin)
	c.HideFromGit()
	watchdog.Reset(hook.Longest)
	if err == nil {
		err = configErr
	}
	if err != nil {
		h.Complain(err)
	}
}

// agentOutput is stdout without the signal that would end the program if the agent has stopped reading.
type agentOutput struct{}

func (agentOutput) Write(p []byte) (int, error) {
	signal.Ignore(syscall.SIGPIPE)
	return os.Stdout.Write(p)
}
