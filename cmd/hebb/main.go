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
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/cli"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/hook"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/spool"
	"github.com/hebb-memory/hebb/internal/tuning"
)

func main() {
	// Agents wait for this one, so it comes before everything a command needs.
	if len(os.Args) > 1 && os.Args[1] == "hook" && !slices.Contains(os.Args, "--help") && !slices.Contains(os.Args, "-h") {
		runHook(os.Args[2:])
		os.Exit(0) // on every path: memory may fail, the agent may not
	}
	os.Exit(cli.Main(cli.System()))
}

func runHook(args []string) {
	// A panic would exit 2, which tells some agents to stop what they are doing.
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintln(os.Stderr, "hebb hook: panic:", r)
		}
	}()
	if !hook.HandlesLeft() {
		return
	}
	// Whatever hangs (a settings file on a dead network, a pipe in its place), the agent goes on. The hook's own deadline
	// is shorter; this one also covers what happens before and after it.
	watchdog := time.AfterFunc(worst(tuning.Default()), func() { os.Exit(0) })
	var name string
	if len(args) > 0 {
		name = args[0]
	}
	who, err := agent.Parse(name)
	if err != nil {
		fmt.Fprintln(os.Stderr, "hebb hook:", err)
		return
	}
	// A fault in config.toml is the doctor's to tell; the defaults serve until it is mended.
	c, configErr := config.Load(os.Getenv)
	if c.Dir == "" {
		return
	}
	watchdog.Reset(worst(c.Tuning))
	h := hook.Hook{
		Agent: who, Tuning: c.Tuning, Getenv: os.Getenv, Now: time.Now, Entropy: rand.Reader, Out: agentOutput{},
		Spool: spool.Spool{Dir: c.Spool(), Limits: c.Tuning.Spool},
	}
	h.Paused = c.Paused
	if c.Inject && configErr == nil { // settings that cannot be read may say no
		h.Answer = answerFrom(c)
	}
	if program, err := os.Executable(); err == nil && c.Background {
		h.Drain = func() error { return hook.Spawn(program, "drain", "--quiet") }
	}
	err = h.Run(os.Stdin)
	if err == nil {
		err = configErr
	}
	if err != nil {
		h.Complain(err)
	}
}

// worst is the longest a hook may take: its deadline for the input and again for the work.
func worst(t tuning.Tuning) time.Duration { return 2 * t.Hook.Deadline }

// answerFrom answers prompts and the beginnings of sessions out of the memory that c describes. Only they pay for opening it.
func answerFrom(c config.Config) func(context.Context, memory.Event) (string, *memory.Event, error) {
	return func(ctx context.Context, to memory.Event) (string, *memory.Event, error) {
		// The process is gone before collecting its garbage would pay.
		debug.SetGCPercent(-1)
		debug.SetMemoryLimit(c.Tuning.Hook.MemoryLimit)
		b, err := brain.OpenToRead(ctx, c, time.Now)
		if errors.Is(err, memory.ErrNotFound) {
			return "", nil, nil // nothing is known yet
		}
		if err != nil {
			return "", nil, err
		}
		if to.Kind == memory.SessionStarted {
			text, err := brain.SessionStart.Run(ctx, b, to)
			return text, nil, errors.Join(err, b.Close())
		}
		out, err := brain.Prompt.Run(ctx, b, to)
		return out.Text, out.Receipt, errors.Join(err, b.Close())
	}
}

// agentOutput is stdout without the signal that would end the program if the agent has stopped reading.
type agentOutput struct{}

func (agentOutput) Write(p []byte) (int, error) {
	signal.Ignore(syscall.SIGPIPE)
	return os.Stdout.Write(p)
}
