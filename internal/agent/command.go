package agent

import (
	"path"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
)

// Agents open and write files through the shell as well: Codex has no other way to read one. A command line is read as
// far as it is plain. What a shell would expand, and what may as well be a folder, stays out, and so does what is only
// searched: a file that is missed is met again, a wrong one stays.

// addPatch takes the files of a patch in the form of apply_patch, with or without the sign before its headers. A file
// that moves is written under its new name and deleted under the old one.
func (l *touchList) addPatch(text, workdir string) {
	var edited, deleted []string
	for line := range strings.Lines(text) {
		what, name, _ := strings.Cut(strings.TrimPrefix(strings.TrimRight(line, "\r\n"), patchSign), ": ")
		name = absolute(workdir, name)
		switch what {
		case "Add File", "Update File":
			edited = append(edited, name)
		case "Delete File":
			deleted = append(deleted, name)
		case "Move to":
			if last := len(edited) - 1; last >= 0 {
				deleted = append(deleted, edited[last])
				edited[last] = name
			}
		}
	}
	for _, name := range edited {
		l.add(memory.Edit, name)
	}
	for _, name := range deleted {
		l.add(memory.Delete, name)
	}
}

// addCommand takes the files that a line for a shell reads, writes, deletes or mentions.
func (l *touchList) addCommand(line, workdir string) {
	if at := strings.Index(line, patchMark); at >= 0 { // apply_patch <<EOF
		l.addPatch(line[at:], workdir)
		line = line[:at]
	}
	l.addCommands(line, workdir, true)
}

func (l *touchList) addCommands(line, workdir string, outermost bool) {
	folders := []string{workdir} // one for each open parenthesis: what is changed inside ends there
	for _, c := range shellCommands(line) {
		for len(folders) <= c.depth {
			folders = append(folders, folders[len(folders)-1])
		}
		folders = folders[:c.depth+1]
		folder := &folders[c.depth]
		name, args := c.program()
		switch name {
		case "cd", "pushd":
			*folder = changeFolder(*folder, args)
		case "bash", "sh", "zsh":
			if outermost && len(args) > 1 && strings.HasPrefix(args[0], "-") && strings.HasSuffix(args[0], "c") {
				l.addCommands(args[1], *folder, false)
			}
		case "", "cat", "echo", "printf":
			// Other programs write logs, and so does tee: they say nothing about the file they go to.
			l.addNames(memory.Edit, c.writes, *folder, plainName)
			fallthrough
		default:
			l.addProgram(name, args, *folder)
			l.addNames(memory.Read, c.reads, *folder, plainName)
		}
	}
}

// addProgram takes the files that a program is given.
func (l *touchList) addProgram(name string, args []string, folder string) {
	switch name {
	case "cat", "bat", "batcat", "less", "more", "head", "tail", "nl", "tac":
		_, files := split(args, "")
		l.addNames(memory.Read, files, folder, plainName)
	case "sed":
		options, files := split(args, "ef")
		kind := memory.Read
		if has(options, "-i") || has(options, "--in-place") {
			kind = memory.Edit
		}
		l.addNames(kind, afterScript(options, files, "-e", "-f", "--expression"), folder, plainName)
	case "awk", "gawk":
		options, files := split(args, "fFv")
		l.addNames(memory.Read, afterScript(options, files, "-f"), folder, plainName)
	case "touch":
		_, files := split(args, "")
		l.addNames(memory.Edit, files, folder, plainName)
	case "rm":
		if options, files := split(args, ""); !recursive(options) && !has(options, "--cached") {
			l.addNames(memory.Delete, files, folder, plainFileName)
		}
	case "mv", "cp":
		options, files := split(args, "")
		if len(files) != 2 || recursive(options) || !plainFileName(files[0]) || !plainFileName(files[1]) {
			return // the last one may be a folder
		}
		l.addNames(memory.Edit, files[1:], folder, plainFileName)
		if name == "mv" {
			l.addNames(memory.Delete, files[:1], folder, plainFileName)
		} else {
			l.addNames(memory.Read, files[:1], folder, plainFileName)
		}
	case "git":
		l.addGit(args, folder)
	}
}

func (l *touchList) addGit(args []string, folder string) {
	for len(args) > 1 && strings.HasPrefix(args[0], "-") {
		if args[0] == "-C" {
			folder = changeFolder(folder, args[1:2])
		}
		if args[0] == "-C" || args[0] == "-c" {
			args = args[1:]
		}
		args = args[1:]
	}
	if len(args) == 0 {
		return
	}
	switch command := args[0]; command {
	case "mv", "rm":
		l.addProgram(command, args[1:], folder)
	case "add", "blame":
		_, files := split(args[1:], "L")
		l.addNames(memory.Mention, files, folder, plainFileName)
	case "diff", "log", "show":
		if at := slices.Index(args, "--"); at >= 0 { // before it a name may as well be a version
			l.addNames(memory.Mention, args[at+1:], folder, plainFileName)
		}
	}
}

func (l *touchList) addNames(kind memory.TouchKind, names []string, folder string, fits func(string) bool) {
	for _, name := range names {
		if fits(name) {
			l.add(kind, absolute(folder, name))
		}
	}
}

// split separates options from the rest. valued lists the letters of options whose value is the next word.
func split(args []string, valued string) (options, rest []string) {
	for i := 0; i < len(args); i++ {
		switch arg := args[i]; {
		case arg == "--":
			return options, append(rest, args[i+1:]...)
		case arg == "":
		case arg[0] != '-' || arg == "-":
			rest = append(rest, arg)
		default:
			options = append(options, arg)
			if len(arg) == 2 && strings.Contains(valued, arg[1:]) {
				i++
			}
		}
	}
	return options, rest
}

// afterScript leaves out the first word, which is a pattern or a script, unless an option gives that.
func afterScript(options, rest []string, bringers ...string) []string {
	for _, b := range bringers {
		if has(options, b) {
			return rest
		}
	}
	return rest[min(1, len(rest)):]
}

// has reports whether one of the options begins so.
func has(options []string, begin string) bool {
	return slices.ContainsFunc(options, func(o string) bool { return strings.HasPrefix(o, begin) })
}

func recursive(options []string) bool {
	return slices.ContainsFunc(options, func(o string) bool {
		return o == "--recursive" || !strings.HasPrefix(o, "--") && strings.ContainsAny(o, "rRa")
	})
}

// changeFolder is where cd leads from a folder; "" if there is no telling. Some agents report the folder as it is after
// the command: where that is already the one asked for, it stays.
func changeFolder(folder string, args []string) string {
	_, words := split(args, "")
	if len(words) == 0 || words[0] == "-" || strings.ContainsRune(words[0], expanded) {
		return ""
	}
	to := strings.TrimRight(words[0], "/")
	if !Rooted(words[0]) && !strings.HasPrefix(to, ".") && strings.HasSuffix(folder, "/"+to) {
		return folder
	}
	return absolute(folder, words[0])
}

// plainName reports whether a word of a command line can be a file as it stands.
func plainName(word string) bool {
	switch {
	case word == "", word[0] == '-', strings.HasSuffix(word, "/"), strings.HasPrefix(word, "/dev/"):
		return false
	case strings.ContainsRune(word, expanded), strings.ContainsAny(word, "\n\t"), strings.Contains(word, ":") && !Drive(word):
		return false
	case strings.Trim(word, "0123456789") == "", strings.Trim(word, "./") == "":
		return false
	}
	return true
}

func plainFileName(word string) bool { return plainName(word) && fileLike(word) }

// fileLike reports whether a name looks like a file's rather than a folder's.
func fileLike(name string) bool {
	base := name[strings.LastIndexAny(name, `/\`)+1:]
	if dot := strings.LastIndexByte(base, '.'); dot >= 0 {
		return dot < len(base)-1
	}
	return base == "Makefile" || base == "Dockerfile"
}

// expanded marks a word that a shell would replace by something else.
const expanded = '\x00'

// shellCommand is one program with its words and the files it is joined to.
type shellCommand struct {
	words, reads, writes []string
	depth                int // open parentheses around it
}

// program returns the name of the program and what it is given, without variables and words that stand before it.
func (c shellCommand) program() (name string, args []string) {
	for i, word := range c.words {
		switch word {
		case "sudo", "time", "command", "exec", "nice", "env", "if", "then", "else", "while", "do", "!", string(expanded):
			continue // the last is a brace
		}
		if !Assignment(word) {
			return strings.TrimSuffix(path.Base(word), ".exe"), c.words[i+1:]
		}
	}
	return "", nil
}

// shellCommands splits a command line roughly as a shell does. The texts of here-documents and comments are left out.
func shellCommands(line string) []shellCommand {
	s := shellSplitter{line: line}
	for s.pos < len(s.line) {
		s.step()
	}
	s.endCommand()
	return s.list
}

type shellSplitter struct {
	line     string
	pos      int
	list     []shellCommand
	current  shellCommand
	word     []byte
	inWord   bool
	redirect byte     // what the next word is: < read, > written, h the end of a here-document, x nothing
	docs     []string // ends of the here-documents that follow the line
	depth    int
}

// step reads one sign, or as many as belong together.
func (s *shellSplitter) step() {
	c := s.line[s.pos]
	s.pos++
	switch c {
	case ' ', '\t', '\r':
		s.endWord()
	case '\n':
		s.endCommand()
		s.skipDocs()
	case ';', '|':
		s.endCommand()
	case '(':
		s.endCommand()
		s.depth++
		s.current.depth = s.depth
	case ')':
		s.endCommand()
		s.depth = max(s.depth-1, 0)
		s.current.depth = s.depth
	case '&':
		if s.next() != '>' { // &> joins both outputs to a file
			s.endCommand()
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
		s.put(expanded)
	default:
		s.put(c)
	}
}

func (s *shellSplitter) next() byte {
	if s.pos < len(s.line) {
		return s.line[s.pos]
	}
	return 0
}

func (s *shellSplitter) put(c byte) { s.word, s.inWord = append(s.word, c), true }

// quoted takes what stands up to the closing quote. Double quotes do not keep a shell from expanding.
func (s *shellSplitter) quoted(mark byte) {
	s.inWord = true
	for ; s.pos < len(s.line) && s.line[s.pos] != mark; s.pos++ {
		c := s.line[s.pos]
		switch {
		case mark == '"' && c == '\\' && s.pos+1 < len(s.line):
			s.pos++
			s.put(s.line[s.pos])
		case mark == '"' && (c == '$' || c == '`'):
			s.put(expanded)
		default:
			s.put(c)
		}
	}
	s.pos++
}

// join reads the sign that joins a command to a file.
func (s *shellSplitter) join(c byte) {
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

func (s *shellSplitter) endWord() {
	if !s.inWord {
		return
	}
	word := string(s.word)
	s.word, s.inWord = s.word[:0], false
	switch s.redirect {
	case 0:
		s.current.words = append(s.current.words, word)
	case '<':
		s.current.reads = append(s.current.reads, word)
	case '>':
		s.current.writes = append(s.current.writes, word)
	case 'h':
		s.docs = append(s.docs, word)
	}
	s.redirect = 0
}

func (s *shellSplitter) endCommand() {
	s.endWord()
	s.redirect = 0
	if c := s.current; len(c.words)+len(c.reads)+len(c.writes) > 0 {
		s.list = append(s.list, c)
	}
	s.current = shellCommand{depth: s.depth}
}

// skipDocs passes over the texts of here-documents.
func (s *shellSplitter) skipDocs() {
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
