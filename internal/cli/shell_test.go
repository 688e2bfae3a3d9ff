package cli

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/daemon"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
)

// A real bash reports each command once, the same one again as well, and nothing that begins with a space.
func TestBashReportsWhatWasRun(t *testing.T) {
	dir := t.TempDir()
	program, reports := filepath.Join(dir, "it's hebb"), filepath.Join(dir, "reports")
	must.Do(t, os.Mkdir(reports, 0o755))
	script := "#!/bin/sh\nread -r line\nprintf '%s %s\\n' \"$3\" \"$line\" > \"$(mktemp -p '" + reports + "' XXXXXX.new)\"\n"
	must.Do(t, os.WriteFile(program, []byte(script), 0o755))
	var lines strings.Builder
	a := &app{Env: Env{Stdout: &lines, Program: program}}
	cmd := a.shellCommand(nil)
	a.bindFlags(nil)
	cmd.SetArgs([]string{"bash"})
	must.Do(t, cmd.Execute())
	rc := filepath.Join(dir, "rc")
	must.Do(t, os.WriteFile(rc, []byte("HISTCONTROL=ignoreboth\nHISTFILE=\n"+lines.String()), 0o644))
	bash := exec.Command("bash", "--rcfile", rc, "-i")
	bash.Dir, bash.Env = dir, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "TERM=dumb"}
	bash.Stdin = strings.NewReader("false one\n\nfalse one\n secret\ntrue \"two words\" && true\nfor i in 1 2; do true $i; done\nexit 0\n")
	if out, err := bash.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	want := []string{"--ran=0 for i in 1 2; do true $i; done", `--ran=0 true "two words" && true`, "--ran=1 false one", "--ran=1 false one"}
	var got []string
	for end := time.Now().Add(time.Minute); len(got) < len(want) && time.Now().Before(end); {
		got = nil
		files := must.Get(filepath.Glob(filepath.Join(reports, "*.new")))(t)
		for _, name := range files {
			text := must.Get(os.ReadFile(name))(t)
			if line, whole := strings.CutSuffix(string(text), "\n"); whole {
				got = append(got, line)
			}
		}
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("reported %q, want %q", got, want)
	}
}

func TestShellsReportToTheDaemonAndNeverComplain(t *testing.T) {
	environment := map[string]string{}
	var sent []daemon.Ran
	a := &app{Env: Env{Dir: "/shop", Getenv: func(name string) string { return environment[name] }, Now: func() time.Time { return time.Unix(7, 0) }}}
	run := func(args ...string) error {
		a.Stdin = strings.NewReader("make test\n")
		cmd := a.shellCommand(func(_ context.Context, r daemon.Ran) error {
			sent = append(sent, r)
			return memory.ErrNotFound
		})
		a.bindFlags(nil)
		cmd.SilenceErrors, cmd.SilenceUsage = true, true
		cmd.SetArgs(args)
		return cmd.Execute()
	}
	if err := run("--ran=2"); err != nil {
		t.Error(err)
	}
	environment["CLAUDECODE"] = "1" // the agent's hook reports it
	if err := run("--ran=2"); err != nil {
		t.Error(err)
	}
	if want := (daemon.Ran{Dir: "/shop", Command: "make test", Status: 2, Began: time.Unix(7, 0)}); len(sent) != 1 || sent[0] != want {
		t.Errorf("sent %+v, want %+v", sent, want)
	}
	if usage := (usageError{}); !errors.As(run("tcsh"), &usage) {
		t.Error("an unknown shell")
	}
}
