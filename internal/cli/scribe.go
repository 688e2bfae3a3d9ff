package cli

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/llm"
	"github.com/hebb-memory/hebb/internal/scribe"
	"github.com/hebb-memory/hebb/internal/store"
)

const scribeOff = "off"

// offerScribe asks once, in a terminal, whether an installed agent may read finished sessions.
func (a *app) offerScribe(ctx context.Context, b *brain.Brain) error {
	agent := llm.Installed()
	if agent == "" || b.Config.LLM.Scribe != "" || a.json || !isTerminal(a.Stdin) || !isTerminal(a.Stdout) {
		return nil
	}
	asked, err := brain.View(ctx, b, func(tx *store.Tx) (bool, error) { return scribe.Offered.Get(ctx, tx) })
	if err != nil || asked {
		return err
	}
	fmt.Fprintf(a.Stdout, "\nMay the agent of a session (here %s) read it in the background once it is over, note what you said that holds, and write MEMORY.md?\n"+
		"It hears far more than hebb alone. It is asked in an empty folder, with at most %s tokens a day, without tools where it can be told so. [y/N] ",
		agent, grouped(int64(b.Config.Tuning.LLM.DayTokens)))
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
		if yes := strings.ToLower(strings.TrimSpace(line)); yes == "y" || yes == "yes" {
			if err := b.Config.SetScribe(config.ScribeAgent); err != nil {
				return err
			}
		}
	}
	return b.Store.Update(ctx, func(tx *store.Tx) error { return scribe.Offered.Set(ctx, tx, true) })
}

func isTerminal(stream any) bool {
	f, isFile := stream.(*os.File)
	return isFile && terminalWidth(f) > 0
}
