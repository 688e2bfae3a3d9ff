// Command hebb is a memory for coding agents: it learns from what they touch, forgets what they ignore, and hands the
// next prompt what it will need.
package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"syscall"
	"time"

	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/cli"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/hook"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/spool"
	"github.com/hebb-memory/hebb/internal/steward"
)

func main() {
	// Agents wait for the hook, so it runs before everything a command needs.
	if len(os.Args) > 1 && os.Args[1] == "hook" && !slices.Contains(os.Args, "--help") && !slices.Contains(os.Args, "-h") {
		runHook(os.Args[2:])
		os.Exit(0) // on every path: a failure here must not disturb the agent
	}
	os.Exit(cli.Main(cli.System()))
}

func runHook(args []string) {
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
		return
	}
	h := hook.Hook{
		Agent: who, Tuning: c.Tuning, Getenv: os.Getenv, Now: time.Now, Entropy: rand.Reader, Out: agentOutput{},
		Spool: spool.Spool{Dir: c.Spool(), Limits: c.Tuning.Spool},
	}
	h.Paused, h.Home = c.Paused, c.Home
	if c.Inject && configErr == nil { // unreadable settings may forbid it
		h.Answer = answerFrom(c)
	}
	if program, err := os.Executable(); err == nil && c.Background {
		h.Drain = func() error { return hook.Spawn(program, "drain", "--quiet") }
	}
	h.Exit = func() { os.Exit(0) }
	watchdog.Stop()
	err = h.Run(os.Stdin)
	watchdog.Reset(hook.Longest)
	if err == nil {
		err = configErr
	}
	if err != nil {
		h.Complain(err)
	}
}

// hookMemory is the heap size above which a hook that answers collects garbage: collecting earlier costs a quarter of its time (make
// bench-hook).
const hookMemory = 256 << 20

// answerFrom answers the moments of an agent's work from the memory of c, which it opens for that.
func answerFrom(c config.Config) func(context.Context, memory.Event) (string, *memory.Event, error) {
	return func(ctx context.Context, to memory.Event) (string, *memory.Event, error) {
		// The process ends before garbage collection would pay.
		debug.SetGCPercent(-1)
		debug.SetMemoryLimit(hookMemory)
		debug.SetPanicOnFault(true) // a mapped file that the disk cannot read costs the answer, not the event
		b, err := brain.OpenReadOnly(ctx, c, time.Now)
		if errors.Is(err, memory.ErrNotFound) {
			return "", nil, nil // nothing is known yet
		}
		if err != nil {
			return "", nil, err
		}
		out, err := steward.Run(ctx, b, answer.Moment, to)
		return out.Text, out.Receipt, errors.Join(err, b.Close())
	}
}

// agentOutput is stdout without the signal that would end the program if the agent has stopped reading.
type agentOutput struct{}

func (agentOutput) Write(p []byte) (int, error) {
	signal.Ignore(syscall.SIGPIPE)
	return os.Stdout.Write(p)
}
