package cli

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/llm"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
)

const (
	scribeOff     = "off"
	askOn, askOff = "on", "off"
)

// askOffered says that the person was asked whether agents are to ask them.
var askOffered = store.NewFact[bool]("ask/offered")

// offer asks, once and in a terminal, for what hebb does only if it may.
func (a *app) offer(ctx context.Context, b *brain.Brain, found []memory.Agent) error {
	if a.json || !isTerminal(a.Stdin) || !isTerminal(a.Stdout) {
		return nil
	}
	if agent, err := llm.Installed(); err == nil && b.Config.LLM.Scribe == "" {
		question := fmt.Sprintf("May an agent (here %s) read a session in the background once it is over, note what you said that holds, and write MEMORY.md?\n"+
			"It hears far more than hebb alone. It is asked without tools, files and network of its own, with at most %s tokens a day.",
			agent, grouped(int64(b.Config.Tuning.LLM.DayTokens)))
		if err := a.offerOnce(ctx, b.Store, statements.ScribeOffered, question, func() error { return b.Config.SetScribe(config.ScribeAgent) }); err != nil {
			return err
		}
	}
	if i := slices.IndexFunc(found, agent.Asks); i >= 0 && !b.Config.Ask {
		question := fmt.Sprintf("Shall an agent that can (here %s) ask you before a call that breaks a rule you insisted on, such as \"never push to main\"?\n"+
			"Without this it is told the rule, and may read it after the call.", found[i])
		return a.offerOnce(ctx, b.Store, askOffered, question, func() error { return b.Config.SetAsk(true) })
	}
	return nil
}

// offerOnce asks a question if it never was, and acts on a yes.
func (a *app) offerOnce(ctx context.Context, st *store.Store, asked store.Fact[bool], question string, yes func() error) error {
	known, err := brain.View(ctx, st, func(tx *store.Tx) (bool, error) { return asked.Get(ctx, tx) })
	if err != nil || known {
		return err
	}
	fmt.Fprintf(a.Stdout, "\n%s [y/N] ", question)
	answer := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(a.Stdin).ReadString('\n')
		answer <- line
	}()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case line := <-answer:
		if line == "" {
			return nil // asked again the next time
		}
		if said := strings.ToLower(strings.TrimSpace(line)); said == "y" || said == "yes" {
			if err := yes(); err != nil {
				return err
			}
		}
	}
	return st.Update(ctx, func(tx *store.Tx) error { return asked.Set(ctx, tx, true) })
}

func isTerminal(stream any) bool {
	f, isFile := stream.(*os.File)
	return isFile && terminalWidth(f) > 0
}
