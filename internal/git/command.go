package git

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

// subcommand says how hebb may call a git subcommand.
type subcommand struct {
	add    []string                 // options inserted after its name
	refuse func(args []string) bool // arguments with which git would read the work tree through filters
}

// noDrivers keeps git from running the programs that attributes name for showing differences.
var noDrivers = []string{"--no-ext-diff", "--no-textconv"}

// allowed lists every subcommand that hebb calls. Status, diff, stash, checkout, add and the like are missing on purpose:
// they pass files of the work tree through filter.<name>.clean or smudge, which is a program of the repository's choice
// and can be switched off only by its name.
var allowed = map[string]subcommand{
	"--version":    {},
	"blame":        {add: []string{"--no-textconv"}, refuse: withoutRevision},
	"cat-file":     {refuse: hasAny("--textconv", "--filters")},
	"check-attr":   {},
	"check-ignore": {},
	"config":       {refuse: writesConfig},
	"diff-index":   {add: append([]string{"--cached"}, noDrivers...)},
	"diff-tree":    {add: noDrivers},
	"for-each-ref": {},
	"grep":         {add: []string{"--no-textconv"}, refuse: opensFiles},
	"log":          {add: noDrivers, refuse: hasAny("--show-signature", "--ext-diff", "--textconv", "-m", "--remerge-diff", "--diff-merges=remerge", "--diff-merges=on", "--diff-merges=m")},
	"ls-files":     {refuse: hasAny("-m", "--modified")},
	"ls-tree":      {},
	"rev-list":     {},
	"rev-parse":    {},
}

// settings take precedence over those of the repository and of the person.
var settings = []string{
	"core.fsmonitor=false", "core.hooksPath=" + os.DevNull, "core.pager=cat", "core.editor=false", "core.askPass=",
	"core.sshCommand=false", "core.gitProxy=", "core.alternateRefsCommand=false", "credential.helper=", "gpg.program=false",
	"log.showSignature=false", "log.diffMerges=first-parent", "log.mailmap=false", "mailmap.file=", "mailmap.blob=", "blame.ignoreRevsFile=",
	"submodule.recurse=false", "protocol.allow=never", "core.quotePath=false", "diff.relative=false",
}

// killGrace is how long a killed git may keep its pipes open, through a wrapper script's child, before they are shut.
const killGrace = time.Second

// Command prepares git in a folder. binary is the git program; empty means the one on PATH, which is not run if PATH finds it
// in the folder hebb is called in. A subcommand or option that might run a program of the repository is refused: Start
// returns the error.
func Command(ctx context.Context, binary, dir string, args ...string) *exec.Cmd {
	if binary == "" {
		binary = "git"
	}
	safe := []string{"--no-pager", "--no-replace-objects"}
	for _, s := range settings {
		safe = append(safe, "-c", s)
	}
	args, err := guarded(args)
	cmd := exec.CommandContext(ctx, binary, append(safe, args...)...)
	if err != nil {
		cmd.Err = err
	}
	cmd.Dir, cmd.Env, cmd.WaitDelay = dir, environment(os.Environ()), killGrace
	return cmd
}

// guarded inserts the options that a subcommand needs, and refuses what cannot be made safe.
func guarded(args []string) ([]string, error) {
	if len(args) == 0 {
		return nil, fmt.Errorf("git without a subcommand: %w", memory.ErrInvalid)
	}
	s, known := allowed[args[0]]
	if !known || s.refuse != nil && s.refuse(args[1:]) {
		return nil, fmt.Errorf("git %s might run a program that the repository names: %w", strings.Join(args, " "), memory.ErrRefused)
	}
	return slices.Concat(args[:1], s.add, args[1:]), nil
}

// withoutRevision reports whether blame would read the file of the work tree: no revision stands before "--".
func withoutRevision(args []string) bool {
	end := slices.Index(args, "--")
	return end < 1 || strings.HasPrefix(args[end-1], "-") || slices.Contains(args, "--contents") || slices.Contains(args, "--textconv")
}

// writesConfig lets only questions through.
func writesConfig(args []string) bool {
	return !slices.ContainsFunc(args, func(a string) bool { return a == "--get" || a == "--get-all" || a == "--get-regexp" })
}

// opensFiles refuses a search that starts a pager or reads the work tree.
func opensFiles(args []string) bool {
	return slices.ContainsFunc(args, func(a string) bool {
		return strings.HasPrefix(a, "-O") || strings.HasPrefix(a, "--open") || a == "--textconv" || a == "--no-index" || a == "--untracked"
	})
}

func hasAny(options ...string) func([]string) bool {
	return func(args []string) bool {
		return slices.ContainsFunc(args, func(a string) bool { return slices.Contains(options, a) })
	}
}

// environment drops every variable of git's own except those that say where git and the person's settings are: in a git
// hook the others name another repository. safe.directory is honoured because those settings are.
func environment(from []string) []string {
	kept := []string{"GIT_EXEC_PATH", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"}
	env := slices.DeleteFunc(slices.Clone(from), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		name = strings.ToUpper(name) // Windows does not distinguish them
		return strings.HasPrefix(name, "GIT_") && !slices.Contains(kept, name) || name == "SSH_ASKPASS"
	})
	return append(env, "LC_ALL=C", "LANGUAGE=", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0",
		// A partial clone would fetch what it lacks, over a transport the repository chooses.
		"GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=")
}
