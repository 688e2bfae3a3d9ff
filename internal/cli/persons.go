package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/memory"
)

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
