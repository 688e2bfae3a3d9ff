// Command hebb-bench measures hebb beside what it is compared to. It runs in temporary folders and never touches a memory.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	a := &app{stdout: os.Stdout, stderr: os.Stderr}
	if err := a.root().ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "hebb-bench:", err)
		stop()
		os.Exit(1)
	}
}

// app is one run of the program.
type app struct {
	stdout, stderr io.Writer
	json           bool
	hebb           string // flag
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use: "hebb-bench", Short: "Measure hebb beside what it is compared to",
		Long: `Each benchmark prints a table, or with --json one JSON object per line; docs/benchmarks.md explains the fields. They run in
temporary folders and never touch your memory.`,
		Example:       "  hebb-bench hook\n  hebb-bench drain --json",
		Args:          cobra.NoArgs,
		SilenceErrors: true, SilenceUsage: true,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.CompletionOptions.DisableDefaultCmd = true
	root.PersistentFlags().BoolVar(&a.json, "json", false, "print one JSON object per line")
	root.PersistentFlags().StringVar(&a.hebb, "hebb", "", "the hebb to measure where processes are timed (default: beside hebb-bench, else on PATH)")
	root.AddCommand(
		a.hookCommand(), a.mcpCommand(), a.drainCommand(), a.insertCommand(), // speed
		a.recallCommand(), a.sleepCommand(), a.dreamCommand(), a.stormCommand(), a.asleepCommand(), a.lifeCommand(),
		a.replayCommand(), a.sessionsCommand(), a.promptsCommand(), a.contextCommand(), a.goalsCommand(), a.ablateCommand(), a.fitCommand(), // ranking
		a.conversationsCommand(), a.saidCommand(), a.searchCommand(), a.arriveCommand(), a.shownCommand(), a.momentsCommand(),
	)
	return root
}

// program is the path of the hebb whose processes are timed.
func (a *app) program() (string, error) {
	if a.hebb != "" {
		return filepath.Abs(a.hebb)
	}
	if self, err := os.Executable(); err == nil {
		if path, err := exec.LookPath(filepath.Join(filepath.Dir(self), "hebb")); err == nil {
			return path, nil
		}
	}
	path, err := exec.LookPath("hebb")
	if err != nil {
		return "", fmt.Errorf("which hebb is to be measured? name it with --hebb: %w", err)
	}
	return filepath.Abs(path)
}

// self is the path of this program.
func self() string {
	path, _ := os.Executable() // a program without a path fails when it is called
	return path
}

// showRows prints a benchmark: a table, or one JSON object per line.
func showRows[R any](a *app, rows []R, headers []string, cells func(R) []string) error {
	if a.json {
		e := json.NewEncoder(a.stdout)
		for _, r := range rows {
			if err := e.Encode(r); err != nil {
				return err
			}
		}
		return nil
	}
	list := make([][]string, len(rows))
	for i, r := range rows {
		list[i] = cells(r)
	}
	_, err := io.WriteString(a.stdout, table(headers, list))
	return err
}

// table sets rows in columns under headers; a header that ends in > is set to the right.
func table(headers []string, rows [][]string) string {
	widths, right := make([]int, len(headers)), make([]bool, len(headers))
	titles := make([]string, len(headers))
	for i, h := range headers {
		titles[i], right[i] = strings.CutSuffix(h, ">")
	}
	all := slices.Insert(slices.Clone(rows), 0, titles)
	for _, row := range all {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	for _, row := range all {
		line := ""
		for i, cell := range row {
			space := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if right[i] {
				cell = space + cell
			} else {
				cell += space
			}
			line += "  " + cell
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

// progress draws how far a benchmark is on a terminal.
func (a *app) progress(noun string) (update func(done, total int), finish func()) {
	f, ok := a.stderr.(*os.File)
	if info, err := statOf(f, ok); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return nil, func() {}
	}
	const wipe = "\r\x1b[K"
	return func(done, total int) { fmt.Fprintf(a.stderr, wipe+"  %d/%d %s", done, total, noun) },
		func() { fmt.Fprint(a.stderr, wipe) }
}

func statOf(f *os.File, ok bool) (os.FileInfo, error) {
	if !ok {
		return nil, errors.New("no file")
	}
	return f.Stat()
}

// grouped writes a number with its thousands apart.
func grouped[N int | int64](n N) string {
	digits := strconv.FormatInt(int64(n), 10)
	if len(digits) <= 4 {
		return digits
	}
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(' ')
		}
		b.WriteRune(d)
	}
	return b.String()
}
