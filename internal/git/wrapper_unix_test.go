//go:build unix

package git

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
)

// wrapper makes a shell script that stands in for git; REAL is the true one.
func wrapper(t *testing.T, script string) string {
	t.Helper()
	real := must.Get(exec.LookPath("git"))(t)
	file := filepath.Join(t.TempDir(), "git")
	must.Do(t, os.WriteFile(file, []byte("#!/bin/sh\nREAL="+real+"\n"+script+"\n"), 0o755))
	return file
}

func TestAForeignOwnerIsRefusedWithTheFix(t *testing.T) {
	r := newRepo(t)
	r.commit("one", nil, "a")
	g := Repo{Root: r.dir, Binary: wrapper(t, `GIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec "$REAL" "$@"`)}
	_, err := g.Count(context.Background(), "")
	if !errors.Is(err, memory.ErrRefused) || !strings.Contains(err.Error(), "safe.directory '"+r.dir+"'") {
		t.Errorf("got %v", err)
	}
}

func TestGitIsGoneWhenHistoryReturns(t *testing.T) {
	r := synthesise(t, 2000)
	pids := filepath.Join(t.TempDir(), "pids")
	g := Repo{Root: r.dir, Binary: wrapper(t, `echo $$ >>`+pids+`; exec "$REAL" "$@"`)}
	ctx, cancel := context.WithCancel(context.Background())
	err := g.History(ctx, "", func(Commit) error { cancel(); return nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	raw := must.Get(os.ReadFile(pids))(t)
	for _, p := range strings.Fields(string(raw)) {
		pid := must.Get(strconv.Atoi(p))(t)
		if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
			t.Errorf("git %d is still there: %v", pid, err)
		}
	}
}

func TestAWrapperThatOutlivesItsDeathDoesNotHang(t *testing.T) {
	r := synthesise(t, 2000)
	// No exec: killing the shell leaves git behind it alive, with our pipes open.
	g := Repo{Root: r.dir, Binary: wrapper(t, `"$REAL" "$@"; exit $?`)}
	ctx, cancel := context.WithCancel(context.Background())
	if err := g.History(ctx, "", func(Commit) error { cancel(); return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestACommitCutOffByGitsDeathIsNotHandedOver(t *testing.T) {
	r := newRepo(t)
	r.commit("one", nil, "a")
	r.commit("two", nil, "b", "c")
	for _, c := range []struct {
		name, script string
		want         []string
	}{
		{"between two files", `head -c $((size - 4)) "$0.out"`, []string{"one: A a"}}, // without "A", "c" and their ends
		{"inside a name", `head -c $((size - 1)) "$0.out"`, []string{"one: A a"}},
		{"inside the header", `head -c 60 "$0.out"`, nil},
		{"at the end of all", `cat "$0.out"`, []string{"one: A a"}},
		{"before the beginning", `true`, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := Repo{Root: r.dir, Binary: wrapper(t, `case "$*" in *diff-tree*)
				"$REAL" "$@" >"$0.out"; size=$(wc -c <"$0.out"); `+c.script+`; exit 7;; *) exec "$REAL" "$@";; esac`)}
			var got []Commit
			err := g.History(context.Background(), "", func(c Commit) error {
				got = append(got, c)
				return nil
			})
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() != 7 {
				t.Errorf("got %v, want exit status 7", err)
			}
			if !slices.Equal(lines(got), c.want) {
				t.Errorf("got %q, want %q", lines(got), c.want)
			}
		})
	}
}
