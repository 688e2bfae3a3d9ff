package cli

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/daemon"
)

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
		Args:      arguments(0, 1, "one of "+strings.Join(names, ", ")),
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
