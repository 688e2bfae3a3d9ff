package shell

import (
	"path"
	"slices"
	"strings"
)

// Run is one program that a line runs, by what makes it the same command again: without the words
// that only measure or wrap it, without redirections, and without what merely shortens its output.
type Run struct {
	Folder  string   // it is run in, as the line says with cd; empty: where the shell is
	Set     []string // NAME=value, and sudo
	Program string
	Args    []string
	// Masked says that the line may end well although the program failed: | tail, || true, ; echo.
	Masked bool
}

// Runs are the programs of a line that do the work. Of a line that is handed to a shell (bash -lc
// '…') they are those of that other line. Folders under root, the top of the project, are named
// from there.
func Runs(line, root string) []Run { return Run{}.runs(line, root, true) }

// runs reads a line that is run as a part of r: in its folder, with its settings, and masked where
// it is.
func (r Run) runs(line, root string, outermost bool) (list []Run) {
	commands, folder := Split(line), r.Folder
	for i, c := range commands {
		name, args := c.Program()
		switch name {
		case "":
			continue
		case "cd", "pushd":
			if len(args) > 0 && path.IsAbs(args[0]) {
				folder = within(root, args[0])
			} else if len(args) > 0 {
				folder = within(root, path.Join(folder, args[0]))
			}
			continue
		}
		piped := i > 0 && commands[i-1].Then == "|"
		if piped && slices.Contains(filters, name) || slices.Contains(quiet, name) {
			continue
		}
		one := Run{Folder: folder, Set: slices.Clone(r.Set), Program: name, Args: args, Masked: r.Masked || masked(commands[i:])}
		before := c.Words[:len(c.Words)-len(args)-1]
		for j, w := range before {
			switch {
			case Assignment(w) || w == "sudo":
				one.Set = append(one.Set, w)
			case w == "-i" && before[j-1] == "env":
				one.Set = append(one.Set, "env -i")
			}
		}
		script := slices.IndexFunc(args, func(a string) bool { return !strings.HasPrefix(a, "-") })
		switch {
		case slices.Contains(before, "!"): // it ends well where the program fails
			one.Program, one.Args, one.Masked = "!", append([]string{name}, args...), true
			list = append(list, one)
		case outermost && slices.Contains(shells, name) && script > 0 && strings.HasSuffix(args[script-1], "c"):
			list = append(list, one.runs(args[script], root, false)...)
		default:
			list = append(list, one)
		}
	}
	return list
}

// masked reports whether a line may end well although the first of some commands failed.
func masked(commands []Command) bool {
	for i, c := range commands[:len(commands)-1] {
		if c.Then != "&&" && (i == 0 || c.Then != "|") {
			return true
		}
	}
	return commands[len(commands)-1].Then == "&" // nobody waits for it
}

var (
	shells  = []string{"bash", "sh", "zsh"}
	filters = []string{"tail", "head", "grep", "egrep", "rg", "tee", "cat", "less", "wc", "sed", "awk", "sort", "uniq", "cut", "jq", "tr"}
	quiet   = []string{"echo", "printf", "true", "false", ":", "sleep", "set", "export", "source", ".", "pwd", "exit", "wait", "command"}
	// interpreters run the program that they are given.
	interpreters = []string{"python", "python2", "python3", "node", "deno", "bun", "tsx", "ts-node", "ruby", "perl", "php", "java", "bash", "sh", "zsh"}
	// Utilities look at files or move them. Whether they succeed depends on the files, not on how they
	// are called.
	utilities = []string{
		"cat", "ls", "grep", "egrep", "fgrep", "rg", "ag", "find", "fd", "head", "tail", "wc", "sed", "awk", "gawk", "sort", "uniq", "cut", "diff", "cmp", "stat", "file", "which",
		"type", "test", "[", "rm", "mv", "cp", "mkdir", "rmdir", "touch", "chmod", "chown", "ln", "tree", "du", "df", "ps", "kill", "pkill", "xargs", "jq", "less", "more",
		"nl", "bat", "read", "curl", "wget",
	}
)

// within is a folder as it is named from the top of the project.
func within(root, folder string) string {
	folder = strings.TrimRight(folder, "/")
	if root != "" && (folder == root || strings.HasPrefix(folder, root+"/")) {
		folder = strings.TrimPrefix(strings.TrimPrefix(folder, root), "/")
	}
	if folder = path.Clean(folder); folder == "." {
		return ""
	}
	return folder
}

// Form is a line by what makes it the same command again; empty: it runs nothing. Where a shell
// would expand words, only the same line is the same.
func Form(line, root string) string {
	list := Runs(line, root)
	if len(list) == 0 || strings.ContainsRune(strings.Join(list[0].Args, " "), Expanded) {
		return strings.Join(strings.Fields(line), " ")
	}
	forms := make([]string, len(list))
	for i, r := range list {
		forms[i] = r.String()
	}
	return strings.Join(forms, " && ")
}

// String is the command without what wraps it.
func (r Run) String() string {
	text := strings.Join(slices.Concat(r.Set, []string{r.Program}, r.Args), " ")
	if r.Folder != "" {
		text = "cd " + r.Folder + " && " + text
	}
	return text
}

// Sub is what the program is asked to do, where its first argument names that: test of go test
// ./...
func (r Run) Sub() string {
	for _, a := range r.Args {
		if strings.HasPrefix(a, "-") {
			continue
		}
		if a == "" || strings.Trim(a, "abcdefghijklmnopqrstuvwxyz0123456789-:_") != "" {
			return ""
		}
		return a
	}
	return ""
}

// Utility reports whether the program only looks at files or moves them.
func (r Run) Utility() bool { return slices.Contains(utilities, r.Program) }

// targets are what a program is to do its deed with.
func (r Run) targets() []string {
	return slices.DeleteFunc(slices.Clone(r.Args), func(a string) bool { return strings.HasPrefix(a, "-") || a == r.Sub() })
}

// module is the module that python is asked to run with -m.
func (r Run) module() Run {
	if len(r.Args) > 1 && r.Args[0] == "-m" && slices.Contains(interpreters, r.Program) {
		r.Program, r.Args = r.Args[1], r.Args[2:]
	}
	return r
}

// wordier are options that change what a program prints, or how thoroughly it looks, not what it
// looks at.
var wordier = []string{"-v", "-vv", "--verbose", "-q", "--quiet", "-s", "-x", "-race", "-count=1", "-count", "--color", "--no-color"}

// Overcome says which of some earlier lines, newest first, failed and is shown to work by one that
// ended well: the same command, or a part of what it does. It is the latest, and nothing had shown
// it before.
func Overcome(passed Tried, earlier []Tried) (failed int, found bool) {
	var since []Tried // that passed after the one that is compared
	for i, t := range earlier {
		switch {
		case !t.Failed && t.Shows(passed) == Sure:
			return 0, false
		case !t.Failed:
			since = append(since, t)
		case passed.Shows(t) == Sure && !slices.ContainsFunc(since, func(s Tried) bool { return s.Shows(t) == Sure }):
			return i, true
		}
	}
	return 0, false
}

// reaches reports whether one of some targets is the one that is asked for, or holds it. Without
// any, most programs take everything; go takes one folder.
func (r Run) reaches(targets []string, one string) bool {
	if len(targets) == 0 {
		return r.Program != "go"
	}
	one = strings.TrimPrefix(one, "./")
	return slices.ContainsFunc(targets, func(t string) bool {
		all, recursive := strings.CutSuffix(strings.TrimPrefix(t, "./"), "...")
		all = strings.TrimSuffix(all, "/")
		recursive = recursive || r.Program != "go"
		return all == one || recursive && (all == "" || all == "." || strings.HasPrefix(one, all+"/") || strings.HasPrefix(one, all+"::"))
	})
}

// Instead reports whether worked, which ended well shortly after failed did not and without a
// change of files in between, is a better way to do the same: other options for the same targets,
// another program for the same arguments, or without a word at which the error takes offence.
func Instead(failed, worked Run, problem string) bool {
	if failed.Utility() || worked.Utility() || worked.Masked || failed.String() == worked.String() {
		return false
	}
	if failed.Program != worked.Program {
		return len(failed.Args) > 0 && slices.Equal(failed.Args, worked.Args)
	}
	if failed.Sub() == worked.Sub() && slices.Equal(failed.targets(), worked.targets()) {
		return true
	}
	return slices.ContainsFunc(failed.Args, func(a string) bool { return !slices.Contains(worked.Args, a) && blamed(a, strings.ToLower(problem)) })
}

// Corrected is the line of an error that complains about a word of the failed command, if the one that
// worked is otherwise alike and does not have that word. Without such a line it is empty: something
// else may have been wrong.
func Corrected(failed, worked Run, problem string) string {
	offends := func(words ...string) string {
		for line := range strings.Lines(problem) {
			if slices.ContainsFunc(words, func(w string) bool { return blamed(w, strings.ToLower(line)) }) {
				return strings.TrimSpace(line)
			}
		}
		return ""
	}
	if failed.Program != worked.Program {
		if len(failed.Args) == 0 || !slices.Equal(failed.Args, worked.Args) {
			return ""
		}
		return offends(failed.Program)
	}
	var other []string
	same := false
	for _, a := range failed.Args {
		if !slices.Contains(worked.Args, a) {
			other = append(other, a)
		} else if !strings.HasPrefix(a, "-") {
			same = true
		}
	}
	if !same {
		return ""
	}
	return offends(other...)
}

// complaints are what programs say of a word of their command line.
var complaints = []string{
	"unknown", "unrecognized", "unrecognised", "invalid", "no such", "not found", "missing", "cannot find", "can't open", "no rule", "does not exist",
	"not defined", "unexpected", "illegal", "ambiguous", "did not match", "no module named",
}
