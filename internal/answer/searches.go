package answer

import (
	"path"
	"strings"
)

// Searches reports whether a tool call looks for files or text instead of opening a file that is known. In doubt it
// does: figures about what hebb saves must not flatter it.
func Searches(tool, input string) bool {
	switch strings.ToLower(tool) {
	case "grep", "glob", "search", "find", "ripgrep", "grep_search", "file_search", "search_files",
		"search_file_content", "codebase_search", "semantic_search":
		return true
	case "bash", "shell", "exec", "exec_command", "local_shell", "powershell", "run_shell_command",
		"run_terminal_cmd":
		return shellSearches(input)
	}
	return false
}

// shellSearches looks at every command of a line. After a pipe grep only filters what another program printed.
func shellSearches(line string) bool {
	line, _, _ = strings.Cut(line, "<<") // what follows is the text of a here-document
	for _, c := range shellCommands(line) {
		if commandSearches(c.words, c.piped) {
			return true
		}
	}
	return false
}

func commandSearches(words []string, piped bool) bool {
	for len(words) > 0 {
		name := path.Base(words[0])
		switch {
		case name == "xargs":
			piped = false // it hands the next program the files to look into
		case piped:
			return false
		case strings.Contains(name, "="), strings.HasPrefix(name, "-"), shellPrefixes(name):
		case name == "git":
			return gitSearches(words[1:])
		case name == "bash", name == "sh", name == "zsh":
			runs := len(words) > 2 && strings.HasPrefix(words[1], "-") && strings.HasSuffix(words[1], "c") // -lc 'rg x'
			return runs && shellSearches(words[2])
		default:
			return searchProgram(strings.TrimSuffix(strings.ToLower(name), ".exe"))
		}
		words = words[1:]
	}
	return false
}

// shellPrefixes are words that may stand before a program.
func shellPrefixes(word string) bool {
	switch word {
	case "sudo", "time", "command", "exec", "nice", "env", "if", "then", "else", "while", "do", "!", "{":
		return true
	}
	return false
}

func searchProgram(name string) bool {
	switch name {
	case "grep", "egrep", "fgrep", "rg", "ag", "ack", "ugrep", "find", "fd", "fdfind", "locate", "tree", "findstr",
		"select-string":
		return true
	}
	return false
}

func gitSearches(words []string) bool {
	for i := 0; i < len(words); i++ {
		switch {
		case words[i] == "-C" || words[i] == "-c":
			i++ // its value
		case !strings.HasPrefix(words[i], "-"):
			return words[i] == "grep" || words[i] == "ls-files"
		}
	}
	return false
}

// shellCommand is one program with its arguments; piped says that it reads what another printed.
type shellCommand struct {
	words []string
	piped bool
}

// shellCommands splits a line roughly as a shell does: quotes are taken off, nothing is expanded.
func shellCommands(line string) []shellCommand {
	var list []shellCommand
	var current shellCommand
	var word strings.Builder
	inWord, quote := false, byte(0)
	endWord := func() {
		if inWord {
			current.words = append(current.words, word.String())
			word.Reset()
			inWord = false
		}
	}
	endCommand := func(piped bool) {
		endWord()
		if len(current.words) > 0 {
			list = append(list, current)
		}
		current = shellCommand{piped: piped}
	}
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case c == '\\' && quote != '\'' && i+1 < len(line):
			i++
			word.WriteByte(line[i])
			inWord = true
		case quote != 0:
			word.WriteByte(c)
		case c == '\'' || c == '"':
			quote, inWord = c, true
		case c == '|':
			or := i+1 < len(line) && line[i+1] == '|'
			endCommand(!or)
			if or {
				i++
			}
		case strings.IndexByte(";&()\n`", c) >= 0:
			endCommand(false)
		case c == ' ' || c == '\t' || c == '\r':
			endWord()
		default:
			word.WriteByte(c)
			inWord = true
		}
	}
	endCommand(false)
	return list
}
