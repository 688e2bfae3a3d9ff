package agent

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
)

// known lists the agents in the order in which Auto tries them.
var known = [...]*adapter{
	&claude, &codex, &gemini, &cursor, &copilot, &copilotClaude, &vscode, &cline, &opencode, &kilo, &openclaw, &qwen, &kimi, &pi,
}

func adapters() []*adapter { return known[:] }

// Known lists the agents whose hooks hebb can read.
func Known() []memory.Agent {
	var names []memory.Agent
	for _, a := range adapters() {
		if !slices.Contains(names, a.name) {
			names = append(names, a.name)
		}
	}
	return names
}

// Parse reads an agent's name as people type it.
func Parse(name string) (memory.Agent, error) {
	if name == string(Auto) {
		return Auto, nil
	}
	if a := find(name); a != nil {
		return a.name, nil
	}
	return "", unknown(name)
}

// find returns the adapter of a name or alias, or nil.
func find(name string) *adapter {
	for _, a := range adapters() {
		if name == string(a.name) {
			return a
		}
		for _, alias := range a.aliases {
			if name == alias {
				return a
			}
		}
	}
	return nil
}

func unknown(name string) error {
	var names []string
	for _, a := range adapters() {
		if !slices.Contains(names, string(a.name)) {
			names = append(append(names, string(a.name)), a.aliases...)
		}
	}
	return fmt.Errorf("agent %q: want one of %s, %s: %w", name, strings.Join(names, ", "), Auto, memory.ErrInvalid)
}

// readersOf lists the adapters that share a hook: all for Auto, else those of the name, and then
// those that run its hooks.
func readersOf(name memory.Agent) []*adapter {
	all := adapters()
	if name == Auto {
		return all
	}
	a := find(string(name))
	if a == nil {
		return nil
	}
	readers := make([]*adapter, 0, 4)
	for _, other := range all {
		if other.name == a.name {
			readers = append(readers, other)
		}
	}
	for _, other := range all {
		if slices.Contains(other.runs, a.name) {
			readers = append(readers, other)
		}
	}
	return readers
}

// reader chooses the adapter of a payload: the one that recognises it, else the named agent's, else
// the one whose session the environment names. Other variables prove nothing: an agent that is
// started from another's shell inherits them.
func (p payload) reader(name memory.Agent, readers []*adapter, getenv func(string) string) *adapter {
	for _, a := range readers {
		if a.recognises(p) {
			return a
		}
	}
	if name != Auto {
		return readers[0]
	}
	for _, a := range readers {
		if session := p.get(a.common.session); a.sessionEnv != "" && session != "" && session == getenv(a.sessionEnv) {
			return a
		}
	}
	return nil
}

// WritesPlan reports whether a tool writes an agent's plan. The text of its use has the steps, one on a
// line, as "state: text". A call that writes a single step begins with its number, "#3 state: text", and
// has only what is new.
func WritesPlan(tool string) bool {
	return slices.ContainsFunc(adapters(), func(a *adapter) bool {
		t := a.tool(tool)
		return t != nil && t.plan != planRule{}
	})
}
