package git

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
)

func TestWhatMightRunAProgramIsRefused(t *testing.T) {
	for _, call := range []string{
		"", "status", "diff", "show", "stash", "checkout -f", "fetch", "blame -- a.md", "blame --porcelain -- a.md",
		"blame --contents x HEAD -- a.md", "cat-file --textconv HEAD:a", "cat-file --filters HEAD:a", "ls-files -m", "ls-files --modified",
		"log --show-signature", "log --ext-diff -p", "config user.email x", "-c alias.x=!touch x",
	} {
		cmd := Command(t.Context(), "", t.TempDir(), strings.Fields(call)...)
		if err := cmd.Run(); !errors.Is(err, memory.ErrRefused) && !errors.Is(err, memory.ErrInvalid) {
			t.Errorf("git %s: %v", call, err)
		}
	}
}

func TestOptionsAndEnvironmentOfACall(t *testing.T) {
	t.Setenv("GIT_DIR", "/elsewhere")
	t.Setenv("GIT_EXTERNAL_DIFF", "/bin/false")
	t.Setenv("GIT_CONFIG_GLOBAL", "/dev/null")
	cmd := Command(t.Context(), "", t.TempDir(), "log", "-1")
	at := slices.Index(cmd.Args, "log")
	if at < 0 || !slices.Equal(cmd.Args[at:], []string{"log", "--no-ext-diff", "--no-textconv", "-1"}) || !slices.Contains(cmd.Args[:at], "core.fsmonitor=false") {
		t.Errorf("arguments %q", cmd.Args)
	}
	for _, v := range cmd.Env {
		if strings.HasPrefix(v, "GIT_DIR=") || strings.HasPrefix(v, "GIT_EXTERNAL_DIFF=") {
			t.Errorf("%s is handed on", v)
		}
	}
	if !slices.Contains(cmd.Env, "GIT_CONFIG_GLOBAL=/dev/null") || !slices.Contains(cmd.Env, "GIT_NO_LAZY_FETCH=1") {
		t.Errorf("environment %q", cmd.Env)
	}
}
