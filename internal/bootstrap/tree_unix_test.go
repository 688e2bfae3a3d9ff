//go:build unix

package bootstrap

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
)

func TestNoLinkLeadsOutOfTheTree(t *testing.T) {
	r := newRepo(t)
	secret := filepath.Join(t.TempDir(), "secrets")
	if err := os.Mkdir(secret, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(secret, "key.go"), []byte("package k\nfunc Secret() {}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	r.write("dir/key.go", "package k\nfunc Mine() {}\n")
	r.write("key.go", "package k\n")
	r.write("safe.go", "package k\nfunc Safe() {}\n")
	link := func(to, name string) {
		t.Helper()
		if err := os.Symlink(to, filepath.Join(r.dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	link(filepath.Join(secret, "key.go"), "tracked_link.go")
	link("tracked_loop.go", "tracked_loop.go")
	r.git("add", "-A")
	// After the index was written, a folder and a file become links.
	if err := os.RemoveAll(filepath.Join(r.dir, "dir")); err != nil {
		t.Fatal(err)
	}
	r.remove("key.go")
	link(secret, "dir")
	link(filepath.Join(secret, "key.go"), "key.go")
	files, met := tree(t, r.dir)
	if len(files) != 1 || !slices.Equal(files["safe.go"].Names, []string{"Safe"}) || met.Skipped != 4 {
		t.Errorf("got %+v, %+v", files, met)
	}
}

func TestAPipeInTheTreeDoesNotHang(t *testing.T) {
	r := newRepo(t)
	r.write("pipe.go", "package a\n")
	r.write("go.mod", "module x\n")
	r.write("safe.go", "package a\n")
	r.git("add", "-A")
	for _, name := range []string{"pipe.go", "go.mod"} {
		r.remove(name)
		if err := syscall.Mkfifo(filepath.Join(r.dir, name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if files, met := tree(t, r.dir); len(files) != 1 || met.Skipped != 2 {
		t.Errorf("got %v, %+v", files, met)
	}
}

func TestNamesOfBytesStayApartInTheTree(t *testing.T) {
	r := newRepo(t)
	r.write("\xff.go", "package a\nfunc FF() {}\n")
	r.write("\xfe.go", "package a\nfunc FE() {}\n")
	r.git("add", "-A")
	files, _ := tree(t, r.dir)
	for path, name := range map[string]string{`\xff.go`: "FF", `\xfe.go`: "FE"} {
		if !slices.Equal(files[path].Names, []string{name}) {
			t.Errorf("got %+v", files)
		}
	}
	if got := pairs(files); got != nil {
		t.Errorf("strangers belong together: %q", got)
	}
}

func TestAnIndexCutOffIsNotTakenForAll(t *testing.T) {
	r := newRepo(t)
	r.commit("one", nil, "a.go", "b.go")
	for name, script := range map[string]string{
		"an end that is bad": `"$REAL" "$@"; exit 7`,
		"half an entry":      `"$REAL" "$@" | head -c 20; exit 0`,
		"no entry":           `printf 'hello\0'; exec yes`,
	} {
		g := Git{Root: r.dir, Binary: wrapper(t, script)}
		_, err := g.readTree(context.Background(), func(File) error { return nil })
		if err == nil {
			t.Errorf("%s: no error", name)
		}
		if strings.HasPrefix(name, "no") && !errors.Is(err, memory.ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestReadingATreeRunsNoProgramOfTheRepository(t *testing.T) {
	r := newRepo(t)
	proof := filepath.Join(t.TempDir(), "proof")
	trap := filepath.Join(t.TempDir(), "trap")
	if err := os.WriteFile(trap, []byte("#!/bin/sh\ntouch "+proof+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	r.write(".gitattributes", "* filter=trap\n")
	r.commit("one", nil, "a.go")
	for _, key := range []string{"core.fsmonitor", "filter.trap.clean", "filter.trap.smudge", "core.pager", "alias.ls-files"} {
		r.git("config", key, trap)
	}
	if files, _ := tree(t, r.dir); len(files) != 2 {
		t.Errorf("got %v", files)
	}
	if _, err := os.Stat(proof); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a program of the repository ran: %v", err)
	}
}
