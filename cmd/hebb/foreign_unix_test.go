//go:build unix

package main

import (
	"github.com/hebb-memory/hebb/internal/must"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// worked is a machine with a repository in which an agent worked, and everything that hebb then keeps.
func worked(t *testing.T) *machine {
	t.Helper()
	m := newMachine(t)
	m.write("repo/main.go", "package main\n\nfunc main() {}\n")
	commit := `git init -q && git add . && git -c user.name=a -c user.email=a@b.example commit -qm "add main"`
	if r := m.finish(m.start("/bin/sh", "-c", commit), nil); r.code != 0 {
		t.Fatal(r.stderr)
	}
	m.ok("init")
	m.ok("note", "the port is 80")
	m.hook(m.toolCall("run", "one", "main.go"))
	m.ok("drain", "--quiet")
	m.ok("backup")
	return m
}

// A pipe in the place of any file that hebb keeps makes no command wait for its other end.
func TestAPipeInTheDataFolderMakesNobodyWait(t *testing.T) {
	t.Parallel()
	m := worked(t)
	m.write("home/config.toml", "")
	folders := map[string][]string{"hebb.db-journal": {m.path("home", "hebb.db-journal")}}
	m.write("home/hebb.db-journal", "")
	for _, file := range m.files(m.path("home")) {
		name := must.Get(filepath.Rel(m.path("home"), file))(t)
		info := must.Get(os.Lstat(file))(t)
		kept := info.Mode().IsRegular() && !strings.HasPrefix(name, "hebb.db") && !strings.Contains(name, ".retired") // those come and go
		if top, _, _ := strings.Cut(name, string(filepath.Separator)); kept {
			folders[top] = append(folders[top], file)
		}
	}
	for _, folder := range []string{"backups", "cache", "config.toml", "leases", "places", "spool", "vault"} {
		if len(folders[folder]) == 0 {
			t.Errorf("nothing is kept in %s", folder)
		}
	}
	for folder, files := range folders {
		for _, file := range files {
			must.Do(t, os.Rename(file, file+".aside"))
			must.Do(t, syscall.Mkfifo(file, 0o600))
		}
		for _, args := range [][]string{{"recall", "main"}, {"sleep"}, {"status"}, {"doctor"}, {"drain", "--quiet"}, {"remember", "the port is 81"}, {"backup"}} {
			if r := m.run("", args...); r.code < 0 {
				t.Errorf("%s is a pipe: hebb %s had to be killed", folder, args[0])
			}
		}
		if r := m.run(m.toolCall("run", folder, "main.go"), "hook", "claude-code"); r.code != 0 || r.stdout != "" {
			t.Errorf("%s is a pipe: the hook exits %d: %s", folder, r.code, r.stdout)
		}
		for _, file := range files {
			must.Do(t, os.Rename(file+".aside", file))
		}
	}
}

// An agent may work in the top folder of the machine. Nothing of it is read, /proc least of all, and the drain ends.
func TestAnAgentThatWorksInTheTopFolder(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	top := toolCall("/", "run", "one", "NOTES.md")
	m.hook(strings.ReplaceAll(top, `"tool_name":"Read"`, `"tool_name":"Edit"`))
	if r := m.run("", "drain", "--quiet"); r.code != 0 {
		t.Errorf("the drain exits %d: %s", r.code, r.stderr)
	}
	if words, err := filepath.Glob(m.path("home", "cache", "*")); err != nil || len(words) > 0 {
		t.Errorf("kept %v, %v", words, err)
	}
	if left, err := filepath.Glob(m.path("home", "runs", "*")); err != nil || len(left) > 0 {
		t.Errorf("still at work: %v, %v", left, err)
	}
}
