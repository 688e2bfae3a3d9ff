package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/cmd/hebb-bench/internal/evaluate"
)

// all are the benchmarks whose figures a change must hold; docs/benchmarks.md says what they were.
var all = []string{
	"replay", "sessions", "prompts", "said", "shown", "arrive", "conversations", "tasks", "needs", "hook", "drain", "recall", "life", "size",
}

func (a *app) allCommand() *cobra.Command {
	return withoutArguments("all", "Every figure that a change must hold",
		"Runs one benchmark after another; it takes most of an hour.",
		func(ctx context.Context) error {
			for _, name := range all {
				if !a.json {
					fmt.Fprintf(a.stdout, "\n%s\n", name)
				}
				one := &app{stdout: a.stdout}
				root := one.root()
				args := []string{name, "--hebb", a.hebb}
				if a.json {
					args = append(args, "--json")
				}
				root.SetArgs(args)
				if err := root.ExecuteContext(ctx); err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
			}
			return nil
		})
}

func (a *app) tasksCommand() *cobra.Command {
	return withoutArguments("tasks", "How often past sessions and files are found for a related task",
		`Records the sessions of context/, then asks with the text of each related task: search for a session
that edited a file of the fix, recall for the file.`,
		func(ctx context.Context) error { return a.show(evaluate.Tasks(ctx, a.tuning, data("context"))) })
}

// people are those of bench/life that may be looked at.
var people = []string{"entireio-cli", "context-evaluator", "cozy-checkout"}

func (a *app) needsCommand() *cobra.Command {
	return withoutArguments("needs", "How much of what real prompts need from earlier sessions arrives, without a scribe",
		`Runs life/measure.py of the data sets, which needs python3: each person's sessions go through the hooks. With a
scribe's answers the same is measured by "go test ./internal/steward -run Trial".`,
		func(ctx context.Context) error {
			hebb, err := a.program()
			if err != nil {
				return err
			}
			cmd := exec.CommandContext(ctx, "python3", append([]string{data("life", "measure.py")}, people...)...)
			cmd.Env, cmd.Stderr = append(os.Environ(), "HEBB="+hebb), os.Stderr
			printed, err := cmd.Output()
			type row struct {
				Bench string `json:"bench"`
				Found string `json:"found"`
			}
			var rows []row
			for line := range strings.Lines(string(printed)) {
				rows = append(rows, row{"needs", strings.TrimSpace(line)})
			}
			return a.show(rows, err)
		})
}

func (a *app) sizeCommand() *cobra.Command {
	return withoutArguments("size", "How large the program is", "As built: make build leaves out what debuggers need.",
		func(context.Context) error {
			hebb, err := a.program()
			if err != nil {
				return err
			}
			info, err := os.Stat(hebb)
			if err != nil {
				return err
			}
			type row struct {
				Bench string  `json:"bench"`
				MB    float64 `json:"mb"`
			}
			return a.show([]row{{"size", float64(info.Size()) / 1e6}}, nil)
		})
}
