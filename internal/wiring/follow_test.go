package wiring

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
)

func TestDistrust(t *testing.T) {
	const me, other, mine, theirs = 1000, 1001, 1000, 50
	folder := func(path string, mode fs.FileMode, user, group int) step {
		return step{path: path, mode: fs.ModeDir | mode, user: user, group: group, owned: true}
	}
	root, home := folder("/", 0o755, 0, 0), folder("/home/a", 0o750, me, mine)
	program := step{path: "/home/a/hebb", mode: 0o755, user: me, group: mine, owned: true}
	for name, c := range map[string]struct {
		way  []step
		want string
	}{
		"the person's":                      {[]step{root, home, program}, ""},
		"root's":                            {[]step{root, folder("/usr", 0o755, 0, 0), {path: "/usr/hebb", mode: 0o755, owned: true}}, ""},
		"another's program":                 {[]step{root, home, {path: "/home/a/hebb", mode: 0o755, user: other, owned: true}}, "belongs to another user"},
		"in another's folder":               {[]step{root, folder("/home/b", 0o755, other, theirs), program}, "/home/b belongs to another"},
		"everybody may write to it":         {[]step{root, home, {path: "/home/a/hebb", mode: 0o757, user: me, owned: true}}, "other users may write to /home/a/hebb"},
		"everybody may write to the folder": {[]step{root, folder("/srv", 0o777, 0, 0), home, program}, "other users may write to /srv"},
		"sticky":                            {[]step{root, folder("/srv", fs.ModeSticky|0o777, 0, 0), home, program}, "other users may write to /srv"},
		"a group may write":                 {[]step{root, folder("/srv", 0o775, 0, theirs), home, program}, "other users may write to /srv"},
		"the person's own group may write":  {[]step{root, folder("/home/a", 0o775, me, mine), program}, ""},
		"temporary":                         {[]step{root, folder("/tmp", 0o700, me, mine), program}, "temporary files or builds"},
		"go run":                            {[]step{root, home, folder("/home/a/go-build123", 0o700, me, mine), program}, "temporary files or builds"},
		"the cache of builds":               {[]step{root, home, folder("/home/a/go-build", 0o700, me, mine), program}, "temporary files or builds"},
		"like a build":                      {[]step{root, home, folder("/home/a/go-builder", 0o700, me, mine), program}, ""},
		"a system that names no owner":      {[]step{{path: `C:\`, mode: 0o777}, {path: `C:\hebb.exe`, mode: 0o666}}, ""},
	} {
		why := distrust(c.way, me, []int{0, mine}, []string{"/tmp", "/var/tmp/"})
		if (why == "") != (c.want == "") || !strings.Contains(why, c.want) {
			t.Errorf("%s: %q, want %q", name, why, c.want)
		}
	}
}

func TestSucceeds(t *testing.T) {
	for _, c := range []struct {
		is, next string
		want     bool
	}{
		{"1.2.3", "1.2.4", true}, {"1.2.3", "1.2.3", true}, {"1.2.3-rc.1", "1.2.3", true}, {"v1.2.3", "1.2.10", true},
		{"1.2.3", "1.2.2", false}, {"1.2.3", "1.3.0", true}, {"1.3.0", "1.2.9", false}, {"1.2.3", "2.2.3", false}, {"1.2.3", "1.2.3-rc.1", false},
		{"1.2.3", "1.2.4-dirty", false}, {"1.2.3", "v1.2.3-4-ga1b2c3d", false}, {"1.2.3", "a1b2c3d", false}, {"1.2.3", "(devel)", false},
		{"a1b2c3d", "1.2.3", false}, {"a1b2c3d", "b1b2c3d-dirty", true}, {"", "1.2.3", false}, {"1.2.3", "", false},
	} {
		if got := succeeds(c.next, c.is); got != c.want {
			t.Errorf("%q after %q: %t", c.next, c.is, got)
		}
	}
}

// The way to a program passes the folders of the links that lead to it.
func TestTheWayToAProgram(t *testing.T) {
	needsShell(t)
	dir := Resolved(t.TempDir())
	write(t, filepath.Join(dir, "cellar", "1", "hebb"), script("1.0.0"))
	must.Do(t, errors.Join(os.Mkdir(filepath.Join(dir, "bin"), 0o700), os.Symlink("1", filepath.Join(dir, "cellar", "now")),
		os.Symlink("../cellar/now/hebb", filepath.Join(dir, "bin", "hebb")), os.Symlink(filepath.Join(dir, "bin"), filepath.Join(dir, "link"))))
	passed := map[string]bool{}
	for _, s := range must.Get(wayTo(filepath.Join(dir, "link", "hebb")))(t) {
		passed[strings.TrimPrefix(s.path, dir)] = true
	}
	for _, want := range []string{"", "/bin", "/cellar", "/cellar/1", "/cellar/1/hebb"} {
		if !passed[want] {
			t.Errorf("%q is not on the way: %v", want, passed)
		}
	}
	must.Do(t, os.Symlink("loop", filepath.Join(dir, "loop")))
	if _, err := wayTo(filepath.Join(dir, "loop")); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("a circle of links: %v", err)
	}
}

// A program that somebody else may change, or may have put there, is neither started nor copied.
func TestWhatOthersMayChangeIsNotFollowed(t *testing.T) {
	needsShell(t)
	spoil := map[string]func(dir, program string) error{
		"a folder above that all may write to": func(dir, _ string) error { return os.Chmod(dir, 0o777) },
		"a sticky folder above":                func(dir, _ string) error { return os.Chmod(dir, fs.ModeSticky|0o777) },
		"a program that all may write to":      func(_, program string) error { return os.Chmod(program, 0o757) },
		"a folder for builds": func(dir, program string) error {
			build := filepath.Join(dir, "go-build1")
			return errors.Join(os.Mkdir(build, 0o700), os.Rename(program, filepath.Join(build, "hebb")),
				os.Symlink(filepath.Join(build, "hebb"), program))
		},
		"another version": func(_, program string) error { return os.WriteFile(program, script("0.9.0"), 0o700) },
	}
	if os.Getuid() == 0 { // nobody else may give files away
		spoil["another user's program"] = func(_, program string) error { return os.Chown(program, 65534, 65534) }
		spoil["another user's folder"] = func(dir, _ string) error { return os.Chown(filepath.Join(dir, "bin"), 65534, 65534) }
	}
	for name, do := range spoil {
		dir := ownFolder(t)
		proof := filepath.Join(t.TempDir(), "proof")
		from := write(t, filepath.Join(dir, "bin", "hebb"), script("1.0.0"))
		c := CopyIn(t.TempDir())
		path := must.Get(c.Make(t.Context(), from))(t)
		evil := append(script("1.0.1"), "echo ran >>"+proof+"\n"...)
		must.Do(t, errors.Join(os.WriteFile(from, evil, 0o700), do(dir, from)))
		if err := c.Follow(t.Context()); !errors.Is(err, memory.ErrRefused) || versionAt(t, path) != "1.0.0" {
			t.Errorf("%s: %v, the copy has version %s", name, err, versionAt(t, path))
		}
		if err := c.Unfollowed(t.Context()); !errors.Is(err, memory.ErrRefused) || !strings.Contains(err.Error(), filepath.Base(dir)) {
			t.Errorf("%s: the doctor is told %v", name, err)
		}
		if ran, err := os.ReadFile(proof); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: it %s", name, ran)
		}
	}
}

// A person who upgrades a program has been told, whichever version it has now.
func TestAnUpgradedProgramIsCopied(t *testing.T) {
	needsShell(t)
	from := write(t, filepath.Join(t.TempDir(), "hebb"), script("1.0.0"))
	c := CopyIn(t.TempDir())
	path := must.Get(c.Make(t.Context(), from))(t)
	write(t, from, script("2.0.0"))
	other := write(t, filepath.Join(t.TempDir(), "hebb"), script("3.0.0"))
	if err := c.Upgraded(t.Context(), other); err != nil || versionAt(t, path) != "1.0.0" {
		t.Errorf("after another program was upgraded the copy has version %s: %v", versionAt(t, path), err)
	}
	if err := c.Upgraded(t.Context(), from); err != nil || versionAt(t, path) != "2.0.0" {
		t.Errorf("after its program was upgraded the copy has version %s: %v", versionAt(t, path), err)
	}
}
