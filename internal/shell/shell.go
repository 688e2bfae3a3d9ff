// Package shell reads command lines as coding agents write them: which programs a line runs, and
// what makes two lines the same command.
package shell

import (
	"path"
	"strings"
)

// Expanded marks a word that a shell would replace by something else.
const Expanded = '\x00'

// Command is one program with its words and the files it is joined to.
type Command struct {
	Words, Reads, Writes []string
	Depth                int    // open parentheses around it
	Then                 string // what joins it to the next: |, ||, &&, & or ;
}

// Program returns the name of the program and what it is given, without variables and words that
// stand before it.
func (c Command) Program() (name string, args []string) {
	for i := 0; i < len(c.Words); i++ {
		word := c.Words[i]
		switch word {
		case "if", "then", "else", "while", "do", "!", string(Expanded):
			continue // the last is a brace
		}
		withValue, wraps := wrappers[word]
		switch {
		case Assignment(word):
			continue
		case !wraps, word == "command" && i+1 < len(c.Words) && strings.HasPrefix(c.Words[i+1], "-"): // command -v only looks for a program
			return strings.TrimSuffix(path.Base(word), ".exe"), c.Words[i+1:]
		}
		for i+1 < len(c.Words) && strings.HasPrefix(c.Words[i+1], "-") {
			i++
			if option := c.Words[i]; len(option) == 2 && strings.Contains(withValue, option[1:]) {
				i++
			}
		}
		if word == "timeout" {
			i++ // how long
		}
	}
	return "", nil
}

// wrappers are programs that run another one, with the letters of their options that take a value.
var wrappers = map[string]string{"sudo": "ughpCDRrTtU", "time": "fo", "command": "", "exec": "a", "nice": "n", "env": "uCS", "timeout": "ks"}

// IsTool reports whether a tool of an agent runs command lines, by the names under which agents
// have it.
func IsTool(name string) bool {
	switch strings.ToLower(name) {
	case "bash", "shell", "exec", "terminal", "powershell", "local_shell", "exec_command", "shell_command", "run_shell_command", "aftershellexecution",
		"run_command", "run_commands", "execute_command", "execute_bash", "runterminalcommand", "run_terminal_cmd", "run_in_terminal":
		return true
	}
	return false
}

// Split splits a command line roughly as a shell does. The texts of here-documents and comments are
// left out.
func Split(line string) []Command {
	s := splitter{line: line}
	for s.pos < len(s.line) {
		s.step()
	}
	s.endCommand("")
	return s.list
}

type splitter struct {
	line     string
	pos      int
	list     []Command
	current  Command
	word     []byte
	inWord   bool
	redirect byte     // what the next word is: < read, > written, h the end of a here-document, x nothing
	docs     []string // ends of the here-documents that follow the line
	depth    int
}

// step reads one sign, or as many as belong together.
func (s *splitter) step() {
	c := s.line[s.pos]
	s.pos++
	switch c {
	case ' ', '\t', '\r':
		s.endWord()
	case '\n':
		s.endCommand(";")
		s.skipDocs()
	case ';':
		s.endCommand(";")
	case '|':
		s.endCommand(s.doubled("|"))
	case '(':
		s.endCommand("")
		s.depth++
		s.current.Depth = s.depth
	case ')':
		s.endCommand("")
		s.depth = max(s.depth-1, 0)
		s.current.Depth = s.depth
	case '&':
		if s.next() != '>' { // &> joins both outputs to a file
			s.endCommand(s.doubled("&"))
		}
	case '<', '>':
		s.join(c)
	case '#':
		if s.inWord {
			s.put(c)
			return
		}
		for s.pos < len(s.line) && s.line[s.pos] != '\n' {
			s.pos++
		}
	case '\\':
		if s.pos < len(s.line) {
			if s.line[s.pos] != '\n' {
				s.put(s.line[s.pos])
			}
			s.pos++
		}
	case '\'', '"':
		s.quoted(c)
	case '*', '?', '[', ']', '{', '}', '$', '`', '~':
		s.put(Expanded)
	default:
		s.put(c)
	}
}

// doubled reads the second sign of && and ||.
func (s *splitter) doubled(sign string) string {
	if string(s.next()) == sign {
		s.pos++
		return sign + sign
	}
	return sign
}

func (s *splitter) next() byte {
	if s.pos < len(s.line) {
		return s.line[s.pos]
	}
	return 0
}

func (s *splitter) put(c byte) { s.word, s.inWord = append(s.word, c), true }

// quoted takes what stands up to the closing quote. Double quotes do not keep a shell from expanding.
func (s *splitter) quoted(mark byte) {
	s.inWord = true
	for ; s.pos < len(s.line) && s.line[s.pos] != mark; s.pos++ {
		c := s.line[s.pos]
		switch {
		case mark == '"' && c == '\\' && s.pos+1 < len(s.line):
			s.pos++
			s.put(s.line[s.pos])
		case mark == '"' && (c == '$' || c == '`'):
			s.put(Expanded)
		default:
			s.put(c)
		}
	}
	s.pos++
}

// join reads the sign that joins a command to a file.
func (s *splitter) join(c byte) {
	number := ""
	if s.inWord && strings.Trim(string(s.word), "0123456789") == "" {
		number, s.word, s.inWord = string(s.word), s.word[:0], false
	}
	s.endWord()
	s.redirect = c
	if number != "" && number != "0" && number != "1" {
		s.redirect = 'x' // messages
	}
	switch {
	case s.next() == '&' || s.next() == '(':
		s.redirect = 'x'
		if s.next() == '&' {
			s.pos++
		}
	case c == '<' && strings.HasPrefix(s.line[s.pos:], "<<"): // a text in place
		s.redirect, s.pos = 'x', s.pos+2
	case c == '<' && s.next() == '<':
		s.redirect, s.pos = 'h', s.pos+1
		if s.next() == '-' {
			s.pos++
		}
	case c == '>' && (s.next() == '>' || s.next() == '|'):
		s.pos++
	}
}

func (s *splitter) endWord() {
	if !s.inWord {
		return
	}
	word := string(s.word)
	s.word, s.inWord = s.word[:0], false
	switch s.redirect {
	case 0:
		s.current.Words = append(s.current.Words, word)
	case '<':
		s.current.Reads = append(s.current.Reads, word)
	case '>':
		s.current.Writes = append(s.current.Writes, word)
	case 'h':
		s.docs = append(s.docs, word)
	}
	s.redirect = 0
}

func (s *splitter) endCommand(then string) {
	s.endWord()
	s.redirect, s.current.Then = 0, then
	if c := s.current; len(c.Words)+len(c.Reads)+len(c.Writes) > 0 {
		s.list = append(s.list, c)
	}
	s.current = Command{Depth: s.depth}
}

// skipDocs passes over the texts of here-documents.
func (s *splitter) skipDocs() {
	for _, end := range s.docs {
		for s.pos < len(s.line) {
			text, _, _ := strings.Cut(s.line[s.pos:], "\n")
			s.pos = min(s.pos+len(text)+1, len(s.line))
			if strings.TrimLeft(text, "\t") == end {
				break
			}
		}
	}
	s.docs = nil
}

// Assignment reports whether a word is NAME=value.
func Assignment(w string) bool {
	name, _, found := strings.Cut(w, "=")
	return found && name != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") == ""
}
