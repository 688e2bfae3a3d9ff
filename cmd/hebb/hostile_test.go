//go:build unix

package main

import (
	"fmt"
	"github.com/hebb-memory/hebb/internal/must"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// hostile is a repository in which everything that can name a program names one that leaves a mark.
type hostile struct {
	*machine
	t *testing.T
}

// programSettings run their value when git gets to use it. Each is set to a program that leaves a mark with the setting's name.
var programSettings = []string{
	"alias.blame", "alias.log", "alias.rev-parse", "core.alternateRefsCommand", "core.askPass", "core.editor", "core.fsmonitor",
	"core.gitProxy", "core.pager", "core.sshCommand", "credential.helper", "diff.external", "diff.trap.command",
	"diff.text.textconv", "difftool.trap.cmd", "filter.trap.clean", "filter.trap.smudge", "filter.long.process",
	"filter.lfs.clean", "filter.lfs.process", "gpg.program", "gpg.ssh.program", "interactive.diffFilter",
	"merge.trap.driver", "mergetool.trap.cmd", "pager.blame", "pager.config", "pager.log", "pager.ls-files", "remote.origin.uploadpack",
	"remote.origin.receivepack", "sequence.editor", "submodule.sub.update", "trailer.trap.command", "uploadpack.packObjectsHook",
	"web.browser", "man.viewer", "sendemail.smtpServer",
}

// hooks that git runs in the course of reading or refreshing, and some that it runs otherwise.
var trapHooks = []string{
	"fsmonitor-watchman", "post-checkout", "post-commit", "post-index-change", "pre-auto-gc", "pre-commit", "reference-transaction",
}

// trap makes a program that leaves a mark.
func (h *hostile) trap(name string) string {
	h.write("traps/"+name, fmt.Sprintf("#!/bin/sh\n: >'%s'\nexit 0\n", h.path("marks", name)))
	must.Do(h.t, os.Chmod(h.path("traps", name), 0o700))
	return h.path("traps", name)
}

// marks lists the programs that ran, and forgets them.
func (h *hostile) marks() (names []string) {
	h.t.Helper()
	entries := must.Get(os.ReadDir(h.path("marks")))(h.t)
	for _, e := range entries {
		names = append(names, e.Name())
		must.Do(h.t, os.Remove(h.path("marks", e.Name())))
	}
	return names
}

// git runs plain git in a folder of the repository. It may fail: several traps make it.
func (h *hostile) git(dir, stdin string, args ...string) {
	cmd := h.start("git", args...)
	cmd.Dir = dir
	h.finish(cmd, strings.NewReader(stdin))
}

// must runs git where nothing is set yet and it has to succeed.
func (h *hostile) must(dir, stdin string, args ...string) string {
	h.t.Helper()
	cmd := h.start("git", args...)
	cmd.Dir = dir
	r := h.finish(cmd, strings.NewReader(stdin))
	if r.code != 0 {
		h.t.Fatalf("git %v: %s", args, r.stderr)
	}
	return strings.TrimSpace(r.stdout)
}

func newHostile(t *testing.T) *hostile {
	h := &hostile{newMachine(t), t}
	must.Do(t, os.Mkdir(h.path("marks"), 0o700))
	repo := h.path("repo")
	h.history("repo")
	h.must(repo, "", "clone", "-q", "--bare", ".", "inner.git") // a folder like any other for who clones it
	h.must(repo, "", "worktree", "add", "-q", h.path("linked"))
	h.history("elsewhere")
	for _, dir := range []string{"repo", "repo/inner.git", "elsewhere"} {
		h.arm(dir)
	}
	h.partial("elsewhere")
	h.write("repo/pointed/.git", "gitdir: "+h.path("elsewhere", ".git")+"\n")
	h.write("repo/pointed/CLAUDE.md", "pointed elsewhere\n")
	return h
}

// partial takes an object out of a repository, so that git would fetch it over a transport that runs a program.
func (h *hostile) partial(dir string) {
	h.t.Helper()
	blob := h.must(h.path(dir), "", "rev-parse", "HEAD:CLAUDE.md")
	h.must(h.path(dir), "", "config", "core.repositoryFormatVersion", "1")
	h.must(h.path(dir), "", "config", "extensions.partialClone", "origin")
	must.Do(h.t, os.Remove(h.path(dir, ".git", "objects", blob[:2], blob[2:])))
}

// history makes a repository with commits, one of them signed, a tag, and files for each kind of attribute.
func (h *hostile) history(dir string) {
	h.t.Helper()
	folder := h.path(dir)
	h.write(dir+"/CLAUDE.md", "# Rules\nRun the tests before a commit.\n")
	h.write(dir+"/a.go", "package a\n\n// Login lets a person in.\nfunc Login() {}\n")
	for _, name := range []string{"trap.txt", "long.txt", "big.bin", "plain.txt"} {
		h.write(dir+"/"+name, strings.Repeat(name+" has a line\n", 20))
	}
	h.must(folder, "", "init", "-q", "-b", "main")
	h.must(folder, "", "add", ".")
	h.must(folder, "", "commit", "-q", "-m", "login: the first files")
	h.write(dir+"/.gitattributes", "*.txt diff=text\ntrap.txt filter=trap diff=trap merge=trap\nlong.txt filter=long\n*.bin filter=lfs diff=lfs\na.go filter=included\nb.go diff=included\nCLAUDE.md filter=trap diff=text\n")
	h.write(dir+"/trap.txt", strings.Repeat("trap.txt has other lines\n", 20))
	h.write(dir+"/b.go", "package a\n\nfunc Logout() {}\n")
	h.must(folder, "", "add", ".")
	h.must(folder, "", "commit", "-q", "-m", "logout: beside the login")
	tree, parent := h.must(folder, "", "write-tree"), h.must(folder, "", "rev-parse", "HEAD")
	signed := h.must(folder, "tree "+tree+"\nparent "+parent+"\nauthor a <a@b> 1700000000 +0000\ncommitter a <a@b> 1700000000 +0000\n"+
		"gpgsig -----BEGIN PGP SIGNATURE-----\n \n iQ\n -----END PGP SIGNATURE-----\n\nsigned login\n", "hash-object", "-t", "commit", "-w", "--stdin")
	h.must(folder, "", "reset", "-q", "--soft", signed)
	h.must(folder, "", "tag", "v1.0")
}

// arm sets all traps in a repository, in its settings, in files they include, as hooks and in the work tree.
func (h *hostile) arm(dir string) {
	h.t.Helper()
	folder := h.path(dir)
	gitDir := filepath.Join(folder, h.must(folder, "", "rev-parse", "--git-dir"))
	var settings strings.Builder
	set := func(key, value string) {
		section, rest, _ := strings.Cut(key, ".")
		name := rest
		if i := strings.LastIndex(rest, "."); i >= 0 {
			section, name = fmt.Sprintf("%s %q", section, rest[:i]), rest[i+1:]
		}
		fmt.Fprintf(&settings, "[%s]\n\t%s = %q\n", section, name, value)
	}
	set("include.path", h.path("included"))
	set("includeIf.gitdir:/.path", h.path("included-if"))
	for _, key := range programSettings {
		value := h.trap(key)
		switch {
		case strings.HasPrefix(key, "alias."), key == "credential.helper", key == "submodule.sub.update":
			value = "!" + value
		}
		set(key, value)
	}
	for key, value := range map[string]string{
		"log.showSignature": "true", "filter.trap.required": "true", "submodule.recurse": "true", "protocol.allow": "always",
		"protocol.ext.allow": "always", "remote.origin.url": "ext::" + h.trap("ext-transport") + " %S", "remote.origin.promisor": "true",
		"remote.ssh.url": "ssh://localhost/x", "core.hooksPath": h.path("hooks"), "core.untrackedCache": "true",
	} {
		set(key, value)
	}
	h.write("included", "[diff \"included\"]\n\ttextconv = "+h.trap("included")+"\n")
	h.write("included-if", "[filter \"included\"]\n\tclean = "+h.trap("included-if")+"\n")
	for _, name := range trapHooks {
		for _, file := range []string{h.path("hooks", name), filepath.Join(gitDir, "hooks", name)} {
			h.copy(h.trap("hook-"+name), file)
		}
	}
	h.copy(h.trap("git-of-the-folder"), filepath.Join(folder, "git"))
	f := must.Get(os.OpenFile(filepath.Join(gitDir, "config"), os.O_APPEND|os.O_WRONLY, 0))(h.t)
	defer f.Close()
	must.Get(f.WriteString(settings.String()))(h.t)
	h.change(dir)
}

func (h *hostile) copy(from, to string) {
	h.t.Helper()
	text, err := os.ReadFile(from)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(to), 0o700)
	}
	if err == nil {
		err = os.WriteFile(to, text, 0o700)
	}
	if err != nil {
		h.t.Fatal(err)
	}
}

// change edits files of the work tree, so that git has to look into them.
func (h *hostile) change(dir string) {
	h.t.Helper()
	for _, name := range []string{"CLAUDE.md", "trap.txt", "long.txt", "big.bin", "plain.txt", "a.go"} {
		file := h.path(dir, name)
		if text, err := os.ReadFile(file); err == nil {
			h.write(dir+"/"+name, string(text)+"// another line\n")
		}
	}
}

// unfiltered are arguments of git without the long-running filters: those end at once, and whether git gives up on them before it
// comes to a commit's hooks and editor depends on how fast they end.
func unfiltered(args ...string) []string {
	return append([]string{"-c", "filter.long.process=", "-c", "filter.lfs.process="}, args...)
}

// TestTheTrapsOfAHostileRepositoryWork proves the test below: with plain git they run.
func TestTheTrapsOfAHostileRepositoryWork(t *testing.T) {
	t.Parallel()
	h := newHostile(t)
	h.marks()
	h.git(h.path("elsewhere"), "", "-c", "core.fsmonitor=", "blame", "HEAD", "--", "CLAUDE.md")
	if got := h.marks(); !slices.Contains(got, "ext-transport") {
		t.Errorf("a missing object is not fetched: %v ran", got)
	}
	ran := map[string]bool{}
	for _, args := range [][]string{
		{"status"}, {"diff"}, {"blame", "CLAUDE.md"}, {"blame", "a.go"}, {"log", "-1"}, {"log", "-p"}, {"log", "-p", "--ext-diff"}, {"fetch", "origin"},
		{"fetch", "ssh"}, {"stash"}, {"checkout", "-f", "HEAD~1"}, {"credential", "fill"}, {"ls-files", "--modified"},
		unfiltered("commit", "--allow-empty", "-m", "x"), unfiltered("commit", "--allow-empty", "--amend"),
	} {
		for _, dir := range []string{"repo", "linked"} { // the second has no changed files at which git gives up
			h.git(h.path(dir), "protocol=https\nhost=localhost\n\n", args...)
		}
		for _, name := range h.marks() {
			ran[name] = true
		}
	}
	for _, want := range []string{
		"core.fsmonitor", "core.editor", "core.sshCommand", "credential.helper", "diff.external", "diff.text.textconv", "diff.trap.command", "ext-transport",
		"filter.trap.clean", "filter.long.process", "filter.lfs.process", "gpg.program", "included", "included-if",
		"hook-pre-commit", "hook-post-index-change", "hook-reference-transaction",
	} {
		if !ran[want] {
			t.Errorf("%s did not run under plain git: the test below proves nothing about it", want)
		}
	}
	t.Logf("%d of the programs ran", len(ran))
}

// TestNoProgramOfAHostileRepositoryRuns calls every command of hebb that may ask git.
func TestNoProgramOfAHostileRepositoryRuns(t *testing.T) {
	t.Parallel()
	h := newHostile(t)
	h.marks()
	payload := func(kind, more string) string {
		return fmt.Sprintf(`{"session_id":"s","hook_event_name":%q,"cwd":%q%s}`, kind, h.path("repo"), more)
	}
	steps := []struct {
		stdin string
		args  []string
	}{
		{"", []string{"init"}},
		{"", []string{"state", "adopt", "--dry-run"}},
		{"", []string{"state", "adopt", "CLAUDE.md"}},
		{payload("SessionStart", `,"source":"startup"`), []string{"hook", "claude-code"}},
		{payload("UserPromptSubmit", `,"prompt":"why does the login in a.go fail?"`), []string{"hook", "claude-code"}},
		{payload("SessionEnd", `,"reason":"exit"`), []string{"hook", "claude-code"}},
		{"", []string{"drain"}},
		{"", []string{"init"}},
		{"", []string{"context"}},
		{"", []string{"recall", "login"}},
		{"", []string{"predict"}},
		{"", []string{"commits", "login"}},
		{"", []string{"extract-snippets"}},
		{"", []string{"remember", "Login is in a.go since v1.0"}},
		{"", []string{"search", "login since last release"}},
		{"", []string{"timeline"}},
		{"", []string{"check"}},
		{"", []string{"status"}},
		{"", []string{"note", "the login waits for a review"}},
		{"", []string{"dream", "--force"}},
		{"", []string{"think"}},
		{"", []string{"next"}},
		{"", []string{"sleep"}},
		{"", []string{"doctor"}},
		{"", []string{"bootstrap", "--sessions"}},
		{"", []string{"projects"}},
		{"", []string{"graph", "a.go"}},
		{"", []string{"export"}},
		{"", []string{"install", "claude-code", "--dry-run"}},
		{"", []string{"init"}},
		{"", []string{"uninstall"}},
		{`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n" +
			`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"recall","arguments":{"task":"login"}}}` + "\n", []string{"mcp"}},
	}
	for _, dir := range []string{"repo", "repo/inner.git", "repo/pointed", "linked", "elsewhere"} {
		for _, path := range []string{"", ".:"} {
			if _, err := os.Stat(h.path(dir, "git")); path != "" && err != nil {
				continue // no git of its own that could be found there
			}
			for _, s := range steps {
				cmd := h.command(s.args...)
				cmd.Dir = h.path(dir)
				cmd.Env = slices.Concat(cmd.Env, []string{"PATH=" + path + pathWithoutAgents(os.Getenv("PATH"))})
				if dir == "repo" {
					h.change(dir)
				}
				r := h.finish(cmd, strings.NewReader(s.stdin))
				if ran := h.marks(); len(ran) > 0 {
					t.Errorf("in %s: hebb %v ran %v", dir, s.args, ran)
				}
				// That git is not run at all would prove nothing.
				if dir == "repo" && path == "" && r.code != 0 {
					t.Errorf("in %s: hebb %v exits %d: %s", dir, s.args, r.code, r.stderr)
				}
			}
		}
	}
}
