package git

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// IsWide reports whether a folder is no project by itself, whatever an agent does in it: the top of the file system, the home
// folder, or a folder above that.
func IsWide(root string) bool {
	root = filepath.Clean(root)
	if filepath.Dir(root) == root {
		return true
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return false
	}
	if real, err := filepath.EvalSymlinks(home); err == nil {
		home = real
	}
	below, err := filepath.Rel(root, home)
	return err == nil && below != ".." && !strings.HasPrefix(below, ".."+string(filepath.Separator))
}

// Files lists the files below Root that git tracks or would track: not what it ignores. They come by path, each once,
// relative to Root with forward slashes, as the file system spells them. Some may be deleted, links, or no text. Where Root
// holds more than one project only those that are tracked are listed.
func (g Repo) Files(ctx context.Context) ([]string, error) {
	if IsWide(g.Root) {
		return g.Tracked(ctx)
	}
	return g.list(ctx, "--cached", "--others", "--exclude-standard")
}

// Tracked lists the files below Root that git tracks, in the form of Files.
func (g Repo) Tracked(ctx context.Context) ([]string, error) { return g.list(ctx, "--cached") }

func (g Repo) list(ctx context.Context, which ...string) ([]string, error) {
	out, err := g.ask(ctx, nil, append([]string{"ls-files", "-z"}, which...)...)
	if err != nil {
		return nil, err
	}
	files := strings.Split(strings.TrimSuffix(out, "\x00"), "\x00")
	slices.Sort(files)
	files = slices.Compact(files) // a conflict lists a file up to three times
	return slices.DeleteFunc(files, func(name string) bool { return !isLocal(name) }), nil
}
