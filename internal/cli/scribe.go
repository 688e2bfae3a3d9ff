package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/llm"
	"github.com/hebb-memory/hebb/internal/scribe"
	"github.com/hebb-memory/hebb/internal/store"
)

const scribeOff = "off"

// offerScribe asks once, in a terminal, whether an installed agent may read finished sessions.
func (a *app) offerScribe(ctx context.Context, b *brain.Brain) error {
	stdin, isFile := a.Stdin.(*os.File)
	agent := llm.Installed()
	if agent == "" || b.Config.LLM.Scribe != "" || a.json || !isFile || terminalWidth(stdin) == 0 {
		return nil
	}
	asked, err := brain.View(ctx, b, func(tx *store.Tx) (bool, error) { return scribe.Offered.Get(ctx, tx) })
	if err != nil || asked {
		return err
	}
	fmt.Fprintf(a.Stdout, "\nMay %s read each session in the background once it is over, and note what you said that holds?\n"+
		"It hears far more than hebb alone. It is asked without tools, with at most %s tokens a day. [y/N] ",
		agent, grouped(int64(b.Config.Tuning.LLM.DayTokens)))
	answer, err := bufio.NewReader(stdin).ReadString('\n')
	if err != nil && answer == "" {
		return nil // asked again the next time
	}
	if yes := strings.ToLower(strings.TrimSpace(answer)); yes == "y" || yes == "yes" {
		if err := setScribe(b.Config, config.ScribeAgent); err != nil {
			return err
		}
	}
	return b.Store.Update(ctx, func(tx *store.Tx) error { return scribe.Offered.Set(ctx, tx, true) })
}

// setScribe writes into config.toml who reads finished sessions.
func setScribe(c config.Config, who string) error {
	text, err := filesys.ReadFile(c.File())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if who == scribeOff {
		who = ""
	}
	changed := config.WithScribe(string(text), who)
	if changed == string(text) {
		return nil
	}
	return filesys.Replace(c.File(), []byte(changed))
}
