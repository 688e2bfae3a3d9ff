package agent

import (
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/shell"
)

// Agents open and write files through the shell as well: Codex has no other way to read one. A
// command line is read as far as it is plain. What a shell would expand, and what may as well be a
// folder, stays out: a file that is missed is met again, a wrong one stays. What is only searched,
// and what commands print, is mentioned.

// addPatch takes the files of a patch in the form of apply_patch, with or without the sign before
// its headers. A file that moves is written under its new name and deleted under the old one.
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
	for _, c := range shell.Split(line) {
		for len(folders) <= c.Depth {
			folders = append(folders, folders[len(folders)-1])
		}
		folders = folders[:c.Depth+1]
		folder := &folders[c.Depth]
		name, args := c.Program()
		switch name {
		case "cd", "pushd":
			*folder = changeFolder(*folder, args)
		case "bash", "sh", "zsh":
			if outermost && len(args) > 1 && strings.HasPrefix(args[0], "-") && strings.HasSuffix(args[0], "c") {
				l.addCommands(args[1], *folder, false)
			}
		case "", "cat", "echo", "printf":
			// Other programs write logs, and so does tee: they say nothing about the file they go to.
			l.addNames(memory.Edit, c.Writes, *folder, plainName)
			fallthrough
		default:
			l.folder = *folder
			l.addProgram(name, args, *folder)
			l.addNames(memory.Read, c.Reads, *folder, plainName)
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
	case "grep", "egrep", "fgrep", "rg", "ag":
		l.searches = true
		options, files := split(args, "ABCefgmt")
		l.addNames(memory.Mention, afterScript(options, files, "-e", "-f", "--regexp", "--file"), folder, plainFileName)
	case "find", "fd", "fdfind":
		l.searches = true
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
	case "grep", "ls-files":
		l.searches = true
	case "mv", "rm":
		l.addProgram(command, args[1:], folder)
	case "add", "blame":
		_, files := split(args[1:], "L")
		l.addNames(memory.Mention, files, folder, plainFileName)
	case "diff", "log", "show":
		l.searches = l.searches || has(args, "--name-only")
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

// split separates options from the rest. valued lists the letters of options whose value is the
// next word.
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

// afterScript leaves out the first word, which is a pattern or a script, unless an option gives
// that.
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

// changeFolder is where cd leads from a folder; "" if there is no telling. Some agents report the
// folder as it is after the command: where that is already the one asked for, it stays.
func changeFolder(folder string, args []string) string {
	_, words := split(args, "")
	if len(words) == 0 || words[0] == "-" || strings.ContainsRune(words[0], shell.Expanded) {
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
	case strings.ContainsRune(word, shell.Expanded), strings.ContainsAny(word, "\n\t"), strings.Contains(word, ":") && !Drive(word):
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
