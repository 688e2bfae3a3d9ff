package wiring

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/memory"
)

// Trusted reports why a program may not be run in the background: it lies where it will not stay, or somebody else may change it or
// put another one in its place.
func Trusted(program string) error {
	way, err := wayTo(program)
	if err != nil {
		return err
	}
	temporary := []string{os.TempDir(), "/tmp", "/var/tmp", "/dev/shm"}
	for _, dir := range temporary {
		temporary = append(temporary, Resolved(dir))
	}
	groups := []int{0}
	if id := os.Getgid(); id == os.Getuid() {
		groups = append(groups, id) // the group that Linux gives each person
	}
	if runtime.GOOS == "darwin" {
		groups = append(groups, 80) // administrators, who may become root; Homebrew's folders are theirs
	}
	if why := distrust(way, os.Getuid(), groups, temporary); why != "" {
		return fmt.Errorf("%s: %s: %w", program, why, memory.ErrRefused)
	}
	return nil
}

// step is a folder on the way to a program, or the program.
type step struct {
	path        string
	mode        fs.FileMode
	user, group int
	owned       bool // the system says to whom it belongs
}

// distrust says why a program is not trusted, by all that is passed on the way to it; empty if it is. It and the folders have to
// belong to the person or root, and nobody else may write there, save members of some groups. That files of others may not be
// renamed or deleted in a sticky folder does not help: a program that was removed makes room for another.
func distrust(way []step, user int, groups []int, temporary []string) string {
	for _, s := range way {
		if slices.ContainsFunc(temporary, func(dir string) bool { return filepath.Clean(dir) == s.path }) || isBuild(filepath.Base(s.path)) {
			return s.path + " is a folder for temporary files or builds"
		}
		switch {
		case !s.owned:
		case s.user != 0 && s.user != user:
			return fmt.Sprintf("%s belongs to another user (%d)", s.path, s.user)
		case s.mode&0o002 != 0, s.mode&0o020 != 0 && !slices.Contains(groups, s.group):
			return fmt.Sprintf("other users may write to %s (%v)", s.path, s.mode)
		}
	}
	return ""
}

// isBuild reports whether a folder is one of go run (go-build123), or Go's cache of builds (go-build).
func isBuild(name string) bool {
	rest, ok := strings.CutPrefix(name, "go-build")
	return ok && strings.Trim(rest, "0123456789") == ""
}

// wayTo lists the folders that lead to a program, those of links to it among them, and the program itself.
func wayTo(program string) (way []step, err error) {
	program, err = filepath.Abs(program)
	if err != nil {
		return nil, err
	}
	const separator = string(filepath.Separator)
	at, names := "", strings.Split(program, separator)
	for links := 0; len(names) > 0; names = names[1:] {
		next := filepath.Join(at, names[0])
		if at == "" {
			next = names[0] + separator // the root, or a drive
		}
		info, err := os.Lstat(next)
		if err != nil {
			return nil, err
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			s := step{path: next, mode: info.Mode()}
			s.user, s.group, s.owned = filesys.Owner(info)
			way, at = append(way, s), next
			continue
		}
		target, err := os.Readlink(next)
		if err != nil {
			return nil, err
		}
		if links++; links > 40 {
			return nil, fmt.Errorf("%s: too many links: %w", program, memory.ErrInvalid)
		}
		if !filepath.IsAbs(target) {
			target = at + separator + target
		}
		names, at = append(strings.Split(target, separator), names[1:]...), ""
		names = append([]string{""}, names...) // what the loop drops
	}
	return way, nil
}

// Resolved is a path without links, if it can be resolved.
func Resolved(path string) string {
	if whole, err := filepath.EvalSymlinks(path); err == nil {
		return whole
	}
	return path
}

// changed is the program that the copy was made of if that has changed since; else it is empty.
func (c Copy) changed() (program string, err error) {
	known, err := c.source()
	if errors.Is(err, fs.ErrNotExist) || err == nil && known.Direct {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("which program %s is a copy of: %w", c.Path(), err)
	}
	now, err := describe(known.Path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && now == known {
		return "", nil
	}
	return known.Path, err
}

// mayFollow reports why the copy does not become a copy of a program without being told.
func (c Copy) mayFollow(ctx context.Context, program string) error {
	if err := Trusted(program); err != nil {
		return err
	}
	is, err := versionOf(ctx, c.Path())
	if err != nil {
		return nil // any hebb is better than none
	}
	next, err := versionOf(ctx, program)
	if err == nil && !succeeds(next, is) {
		err = fmt.Errorf("%s is hebb %s, and agents call %s: %w", program, next, is, memory.ErrRefused)
	}
	return err
}

// succeeds reports whether a version takes the place of another unasked: a release that of an earlier one with the same first
// number, a development build that of another.
func succeeds(next, is string) bool {
	later, released := numbers(next)
	now, wasReleased := numbers(is)
	if !released || !wasReleased {
		return released == wasReleased
	}
	return later[0] == now[0] && slices.Compare(later, now) >= 0
}

// Unfollowed reports why the copy has not become a copy of the program that it was made of, where that has changed; or why agents
// should not call a program that Bypass named. nil where all is well.
func (c Copy) Unfollowed(ctx context.Context) error {
	if known, err := c.source(); err == nil && known.Direct {
		return Trusted(known.Path)
	}
	program, err := c.changed()
	if err != nil || program == "" {
		return err
	}
	return c.mayFollow(ctx, program)
}

// Follow makes the copy again when the program that it was made of has changed: a package manager put a newer one there. Where that
// program is gone, or agents call no copy, it does nothing. A program that may not be followed is refused.
func (c Copy) Follow(ctx context.Context) error {
	program, err := c.changed()
	if err != nil || program == "" {
		return err
	}
	if err := c.mayFollow(ctx, program); err != nil {
		return err
	}
	_, err = c.Make(ctx, program)
	return err
}

// Upgraded makes the copy again where it is one of a program that the person has just replaced, whichever version that has now.
func (c Copy) Upgraded(ctx context.Context, program string) error {
	from, err := c.changed()
	if err != nil || from == "" || !same(from, program) {
		return err
	}
	_, err = c.Make(ctx, from)
	return err
}
