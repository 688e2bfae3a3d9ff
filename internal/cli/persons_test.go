package cli

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// Every command is decided: whether an agent may run it, and how what is the person's is safe then. A new command needs a line.
func TestWhatAgentsMayRun(t *testing.T) {
	decided := map[string]string{
		"reads or shows": `status|recall|search|error|why|context|handoff|memories|memories show|memories changes|memories read|pin list|goals|
			goals next|sessions|sessions show|sessions events|sessions predict|sessions timeline|graph|graph heat|graph highways|
			graph hubs|graph knowledge|graph links|graph neurons|graph stats|graph streaks|state|state show|state list|
			state diff|state gaps|state mood|state procedure|state skills|agents|projects|export|config|config show|
			daemon shell|version|completion|help|bench|docs|daemon status`,
		"keeps the agent's word as the agent's, and asks the user about the user's": `remember|memories edit|memories forget|
			memories confirm|memories reject|memories check|pin|pin remove|goals add|goals progress|goals done|goals drop|
			goals block|goals wake|goals rest|sessions intent|sessions wrapup|graph note|graph knowledge add|
			graph knowledge relate|graph knowledge unrelate|graph knowledge remove|forget|record|state mood reward|
			state mood friction|memories read --set`,
		"is the user's": `agents uninstall|backup restore --yes|config pause|config resume|config set a b|daemon install|
			daemon stop|daemon uninstall|doctor --clear|import --mine x|init --ask off|init --scribe off|init --undo|
			memories read soul --edit|memories undo s|pin --accept x|projects merge --yes x|projects tag x|sessions import --mine --from x|
			state adopt|state restore 1|ui`,
		"adds, repairs or rates what hebb made itself": `init|sessions import|sessions close|state dream|state skills add|agents install|
			sleep|sleep --undo|sleep forgotten|doctor|backup|import|goals think|goals think used|goals think wrong|mcp|hook|drain|daemon start|
			daemon run|daemon|upgrade|projects merge|backup restore`,
	}
	all := map[string]bool{}
	for _, lines := range decided {
		for line := range strings.SplitSeq(lines, "|") {
			all[strings.Join(strings.Fields(line), " ")] = true
		}
	}
	a, _, _ := world()
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		if _, name, below := strings.Cut(c.CommandPath(), " "); below && c.Runnable() && !slices.ContainsFunc(slices.Collect(maps.Keys(all)), func(line string) bool {
			return line == name || strings.HasPrefix(line, name+" ")
		}) {
			t.Errorf("hebb %s: may an agent run it, and what of the user's could it change?", name)
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(a.root(nil))

	refused := map[string]bool{}
	for line := range strings.SplitSeq(decided["is the user's"], "|") {
		args := strings.Fields(line)
		b, _, stderr := world(args...)
		b.Getenv = func(name string) string { return map[string]string{"CLAUDECODE": "1"}[name] }
		if code := Main(b.Env); code != exitRefused || !strings.Contains(stderr.String(), "agents may not do this, and CLAUDECODE is set") {
			t.Errorf("hebb %s, run by an agent, exits %d: %s", strings.Join(args, " "), code, stderr)
		}
		for name := range persons {
			if joined := strings.Join(args, " "); joined == name || strings.HasPrefix(joined, name+" ") {
				refused[name] = true
			}
		}
	}
	for name := range persons {
		if !refused[name] {
			t.Errorf("no line says how hebb %s is called", name)
		}
	}
}
