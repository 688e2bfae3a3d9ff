// Package cli is the command line: it parses flags, runs an operation of a room and prints the result, as text for people or as JSON
// for programs.
package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/sources"
	"github.com/hebb-memory/hebb/internal/wiring"
)

// Env is the environment of a command.
type Env struct {
	Args    []string
	Stdin   io.Reader
	Stdout  io.Writer
	Stderr  io.Writer
	Getenv  func(string) string
	Dir     string // working directory
	Now     func() time.Time
	Program string // path of this program
	// Width is the width of the terminal, 0 when stdout is none: then nothing is coloured or cut. ErrWidth is the same for stderr.
	Width, ErrWidth int
}

// System is the environment of this process.
func System() Env {
	dir, _ := os.Getwd()          // an unlinked directory is reported by the command that needs it
	program, _ := os.Executable() // likewise
	return Env{
		Args: os.Args[1:], Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv,
		Dir: dir, Now: time.Now, Program: program, Width: terminalWidth(os.Stdout), ErrWidth: terminalWidth(os.Stderr),
	}
}

// Exit codes, stable and documented in the help.
const (
	exitFailed      = 1
	exitUsage       = 2
	exitNotFound    = 3
	exitConflict    = 4
	exitRefused     = 5
	exitDamaged     = 6
	exitInterrupted = 130
)

const exitCodes = `Exit codes: 0 done, 1 failed, 2 wrong use or bad input, 3 not found, 4 conflict, 5 refused (needs
--yes, or a newer hebb wrote the store), 6 damage found, 130 interrupted. hebb hook always exits 0.`

// helpWidth is the width of help in columns.
const helpWidth = 100

func exitCode(ctx context.Context, err error) int {
	var usage usageError
	switch {
	case ctx.Err() != nil:
		return exitInterrupted
	case errors.As(err, &usage), errors.Is(err, memory.ErrInvalid):
		return exitUsage
	case errors.Is(err, memory.ErrNotFound):
		return exitNotFound
	case errors.Is(err, memory.ErrConflict):
		return exitConflict
	case errors.Is(err, memory.ErrRefused):
		return exitRefused
	case errors.Is(err, memory.ErrDamaged):
		return exitDamaged
	}
	return exitFailed
}

// usageError is an error in the command line itself.
type usageError struct{ error }

// sentence is an error that is shown as it is written.
type sentence string

func (s sentence) Error() string { return string(s) }

// fail prints an error, as JSON with --json.
func (a *app) fail(err error, code int) {
	var usage usageError
	if a.json || slices.Contains(a.Args, "--json") { // a wrong flag ends the parsing before --json
		_ = a.printJSON(a.Stderr, map[string]any{"error": message(err, code), "exit": code}) // there is no other place to report to
		return
	}
	fmt.Fprintf(a.Stderr, "%s %s\n", a.style(a.Stderr).red("hebb:"), scrub.Display(message(err, code)))
	if errors.As(err, &usage) {
		fmt.Fprintf(a.Stderr, "      %s --help shows how\n", a.command)
	}
}

// message is an error without its kind, which the exit code shows.
func message(err error, code int) string {
	text := err.Error()
	if code == exitInterrupted && !strings.HasPrefix(text, "interrupted") {
		return "interrupted"
	}
	text = plain(text)
	if m := notFound().FindStringSubmatch(text); m != nil {
		return fmt.Sprintf("No %s %s%s. List them: %s", cmp.Or(m[1], "file"), m[2], m[3], m[4])
	}
	return text
}

// notFound is how operations say that a name is not known, and what lists the names.
var notFound = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(
		`^(?:no )?([a-z ]*?) ?(".*"|\d+)( in this project)? \((hebb [^),]*?) (?:lists|shows) [^)]*\): not found$`)
})

// plain removes the kind from the end of an error; "not found" stays, because many errors need it.
func plain(text string) string {
	for _, kind := range []error{memory.ErrInvalid, memory.ErrRefused, memory.ErrConflict, memory.ErrDamaged, memory.ErrInvalid} {
		text = strings.TrimSuffix(text, ": "+kind.Error())
	}
	return text
}

// app is one run of the command line.
type app struct {
	Env
	json    bool
	noColor bool
	project string
	all     bool
	command string                      // the one that was called, for the hint after an error
	flags   []func(args []string)       // see bindFlags
	names   map[memory.ProjectID]string // of all projects, for a page about several; nil for a page about one
}

// checkFlags refuses empty strings (an unset variable in a script) and negative numbers.
func checkFlags(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		switch {
		case f.Value.Type() == "string" && f.Value.String() == "" && f.Name != "set" && f.Name != "text", hasEmpty(f.Value):
			err = usageError{fmt.Errorf("%s--%s is empty", deed(cmd), f.Name)}
		case f.Value.Type() == "int" && strings.HasPrefix(f.Value.String(), "-"):
			err = usageError{fmt.Errorf("%s--%s %s: want 0 or more", deed(cmd), f.Name, f.Value)}
		}
	})
	return err
}

// hasEmpty reports whether a repeated flag has an empty value.
func hasEmpty(v pflag.Value) bool {
	values, ok := v.(pflag.SliceValue)
	return ok && slices.Contains(values.GetSlice(), "")
}

// noArguments refuses arguments, with a clearer error than cobra's.
func noArguments(cmd *cobra.Command, args []string) error {
	lists := strings.HasPrefix(cmd.Short, "List ") && len(args) == 1 && args[0] == "list" // it does so without the word
	if len(args) > 0 && !lists {
		what := either(cmd.HasSubCommands(), "unknown command", "takes no arguments, got")
		return usageError{fmt.Errorf("%s%s %q%s", deed(cmd), what, args[0], suggestion(cmd, args[0]))}
	}
	return nil
}

// deed is the command as the beginning of an error, without the name of the program.
func deed(cmd *cobra.Command) string {
	if !cmd.HasParent() {
		return ""
	}
	return strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" ") + ": "
}

func suggestion(cmd *cobra.Command, word string) string {
	cmd.SuggestionsMinimumDistance = 2 // two changed or swapped letters
	if near := cmd.SuggestionsFor(word); len(near) > 0 {
		slices.Sort(near) // commands are added in random order
		return fmt.Sprintf(" (did you mean %s?)", strings.Join(near, " or "))
	}
	return ""
}

// usedArguments checks the number of arguments against the usage: what is in brackets may be left out, and texts may be several words.
func usedArguments(cmd *cobra.Command, args []string) error {
	_, usage, _ := strings.Cut(cmd.Use, " ")
	needed, _, _ := strings.Cut(usage, "[")
	most := len(strings.Fields(strings.ReplaceAll(usage, " | ", "|")))
	for _, several := range []string{"...", "TEXT", "TITLE", "GOAL", "WORDS"} {
		if strings.Contains(usage, several) {
			most = len(args)
		}
	}
	if len(args) < len(strings.Fields(needed)) || len(args) > most {
		return usageError{fmt.Errorf("%swant %s", deed(cmd), usage)}
	}
	return nil
}

// warn prints a warning.
func (a *app) warn(what string) {
	if a.json {
		_ = a.printJSON(a.Stderr, map[string]any{"warning": what}) // there is no other place to report to
		return
	}
	fmt.Fprintf(a.Stderr, "%s %s\n", a.style(a.Stderr).yellow("hebb:"), scrub.Display(what))
}

// calledProgram is the hebb that agents call: the copy of this program in the data folder, which is made unless dry. Where no copy can run, as on a
// file system that allows no programs, it is this program.
func (a *app) calledProgram(ctx context.Context, dry bool) (string, error) {
	c, err := config.Load(a.Getenv)
	if c.Dir == "" {
		return "", err
	}
	called := wiring.CopyIn(c.Dir)
	switch {
	case dry && called.Called() == called.Path():
		return called.Path(), nil
	case dry:
		return a.Program, nil
	}
	path, err := called.Make(ctx, wiring.Resolved(a.Program))
	owner, _ := wiring.ProgramOwner(wiring.Resolved(a.Program), exists, nil)
	if err == nil || owner == "npx" { // that program will be gone
		return path, err
	}
	if refused := wiring.Trusted(a.Program); refused != nil {
		return "", errors.Join(err, fmt.Errorf("agents cannot call the program itself: %w", refused))
	}
	a.warn(err.Error() + "; agents call " + a.Program + " instead")
	_ = called.Bypass(a.Program) // without the note the doctor asks to wire again
	return a.Program, nil
}

// followProgram renews the hebb that agents call, if the program that it is a copy of has changed and may be followed; the doctor says
// where it may not.
func (a *app) followProgram(ctx context.Context) error {
	dir, err := config.DataDir(a.Getenv)
	if err != nil {
		return err
	}
	if err := wiring.CopyIn(dir).Follow(ctx); !errors.Is(err, memory.ErrRefused) {
		return err
	}
	return nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func (a *app) machine() (wiring.Machine, error) {
	m, err := wiring.ThisMachine()
	if err != nil {
		return m, fmt.Errorf("%w: set it, agents keep their settings there", err)
	}
	if err := config.Own(m.Home); err != nil {
		return m, err
	}
	m.Getenv = a.Getenv
	return m, nil
}

// sources is where agents keep memories of their own; nowhere without a home folder.
func (a *app) sources() sources.Machine {
	m, err := a.machine()
	if err != nil {
		return sources.Machine{}
	}
	return sources.Machine{Home: m.Home, Getenv: m.Getenv}
}

// earlierNames are the commands of before, and where they are now. They work for one more release.
var earlierNames = map[string]string{
	"bootstrap": "sessions import", "check": "memories check", "commits": "recall --like",
	"consolidate": "sleep", "decay": "sleep --only decay", "dream": "state dream",
	"events": "sessions events", "extract-snippets": "init", "forgotten": "sleep forgotten", "friction": "state mood friction",
	"gaps": "state gaps", "heat": "graph heat", "highways": "graph highways",
	"homeostasis": "sleep --only homeostasis", "hubs": "graph hubs", "install": "agents install",
	"intent": "sessions intent", "knowledge": "graph knowledge", "ledger": "state skills",
	"mood": "state mood", "neurons": "graph neurons", "next": "goals next",
	"note": "remember --note", "note-file": "graph note", "pause": "config pause", "pins": "pin list",
	"predict": "sessions predict", "procedure": "state procedure", "read": "memories read",
	"recent": "context --recent", "resolve": "error", "restore": "backup restore",
	"resume": "config resume", "reward": "state mood reward", "roi": "status --worth",
	"stale": "memories check", "stats": "graph stats", "streaks": "graph streaks",
	"synapses": "graph links", "tag-project": "projects tag", "think": "goals think",
	"timeline": "sessions timeline", "tokens": "status --worth", "tuning": "config show",
	"uninstall": "agents uninstall", "unpin": "pin remove", "wrapup": "sessions wrapup",
}

// current replaces an earlier name of a command by its present one.
func current(args []string) []string {
	for i := 0; i < len(args); i++ {
		switch arg := args[i]; {
		case arg == "help" && i+1 < len(args):
			now, _, _ := strings.Cut(earlierNames[args[i+1]], " -") // help is of the command, not of its flag
			if now == "" {
				return args
			}
			return slices.Concat(args[:i+1], strings.Fields(now), args[i+2:])
		case strings.HasPrefix(arg, "__complete"):
		case strings.HasPrefix(arg, "-"):
			if arg == "-p" || arg == "--project" {
				i++ // its value is no command
			}
		default:
			if now, ok := earlierNames[arg]; ok {
				return slices.Concat(args[:i], strings.Fields(now), args[i+1:])
			}
			return args
		}
	}
	return args
}

// persons are the commands that only the person runs: they silence hebb, or change or delete what is the person's whatever
// it says. Where flags are named, the command is the person's with one of them; --dry-run is anybody's. Every other command
// says whose word its input is, and the operation refuses what is not the speaker's (brain.PersonsOwn).
var persons = map[string][]string{
	"agents uninstall": nil,
	"backup restore":   {"yes"},
	"config pause":     nil,
	"config resume":    nil,
	"config set":       nil,
	"daemon install":   nil,
	"daemon stop":      nil,
	"daemon uninstall": nil,
	"doctor":           {"clear"},
	"import":           {"mine"},
	"init":             {"ask", "scribe", "undo"},
	"memories read":    {"edit"},
	"memories undo":    nil,
	"pin":              {"accept"},
	"projects merge":   {"yes"},
	"projects tag":     nil,
	"sessions import":  {"mine"},
	"state adopt":      nil,
	"state restore":    nil,
	"ui":               nil,
}

// forPersons refuses a command of persons where an agent runs it.
func (a *app) forPersons(cmd *cobra.Command, args []string) error {
	_, name, _ := strings.Cut(cmd.CommandPath(), " ")
	flags, found := persons[name]
	if !found && len(args) > 0 { // hebb daemon stop
		name += " " + args[0]
		flags, found = persons[name]
	}
	if dry := cmd.Flags().Lookup("dry-run"); !found || dry != nil && dry.Value.String() == "true" {
		return nil
	}
	for _, flag := range flags {
		if cmd.Flags().Changed(flag) {
			return a.personOnly(name + " --" + flag)
		}
	}
	if flags != nil {
		return nil
	}
	return a.personOnly(name)
}

// personOnly refuses a command that only the person may run, where an agent runs it.
func (a *app) personOnly(command string) error {
	name, variable := agent.Caller(a.Getenv)
	if name == "" {
		return nil
	}
	return fmt.Errorf("%s: agents may not do this, and %s is set, as it is where an agent runs a command: run it in your own terminal: %w",
		command, variable, memory.ErrRefused)
}

// speaker is the origin of a command's input: the agent where one runs the command, else the person.
func (a *app) speaker() memory.Origin {
	if name, _ := agent.Caller(a.Getenv); name != "" {
		return memory.OriginAgent
	}
	return memory.OriginUser
}
