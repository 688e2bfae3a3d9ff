package wiring

import (
	"strings"

	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/shell"
)

// commandLine is the line that an agent runs for hebb. program must be an absolute path.
func commandLine(program string, name memory.Agent) string {
	return quote(program) + " hook " + string(name)
}

// inPowerShell is a command line for PowerShell, which takes a word in quotes for a text unless & calls it.
func inPowerShell(command string) string { return powerShellCall + command }

const powerShellCall = "& "

// quote makes one word of a path for the shells that agents use. Paths of Windows get forward slashes, which Git Bash,
// PowerShell and cmd all take; backslashes are eaten by the first.
func quote(program string) string {
	if agent.Drive(program) {
		program = strings.ReplaceAll(program, `\`, "/")
	}
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./:@+,", r)
	}
	switch {
	case strings.TrimFunc(program, plain) == "" && program != "":
		return program
	case agent.Drive(program):
		return `"` + program + `"` // cmd knows no other quotes
	}
	return `'` + strings.ReplaceAll(program, `'`, `'\''`) + `'`
}

// word is one word of a command line.
type word struct {
	start int // where it begins in the line
	text  string
}

// words splits a command line roughly as a shell does: quotes and backslashes are resolved, nothing is expanded.
func words(line string) []word {
	var list []word
	var b strings.Builder
	start, mark := -1, byte(0) // the open word, the open quote
	for i := 0; i < len(line); i++ {
		c := line[i]
		blank := mark == 0 && (c == ' ' || c == '\t' || c == '\n' || c == '\r')
		if blank {
			if start >= 0 {
				list = append(list, word{start, b.String()})
				b.Reset()
				start = -1
			}
			continue
		}
		if start < 0 {
			start = i
		}
		switch {
		case c == mark:
			mark = 0
		case mark == 0 && (c == '"' || c == '\''):
			mark = c
		case c == '\\' && mark != '\'' && i+1 < len(line) && (mark == 0 || strings.IndexByte("\"\\$`", line[i+1]) >= 0):
			i++
			b.WriteByte(line[i])
		default:
			b.WriteByte(c)
		}
	}
	if start >= 0 {
		list = append(list, word{start, b.String()})
	}
	return list
}

// ownCommand reports whether a command line calls hebb's hook for the agent, wherever that hebb is. before holds the variables
// that a person has set in front of the program.
func ownCommand(line string, args []string, name memory.Agent) (before, program string, ok bool) {
	line = strings.TrimPrefix(line, powerShellCall)
	list := words(line)
	first := 0
	for first < len(list) && shell.Assignment(list[first].text) {
		first++
	}
	if first == len(list) {
		return "", "", false
	}
	rest := args
	if list = list[first:]; len(list) > 1 {
		rest = nil
		for _, w := range list[1:] {
			rest = append(rest, w.text)
		}
		rest = append(rest, args...)
	}
	program = list[0].text
	base := strings.ToLower(program[strings.LastIndexAny(program, `/\`)+1:])
	if ok = strings.Contains(base, "hebb") && len(rest) >= 2 && rest[0] == "hook"; ok {
		called, err := agent.Parse(rest[1])
		ok = err == nil && (called == agent.Auto || called == name)
	}
	return line[:list[0].start], program, ok
}
