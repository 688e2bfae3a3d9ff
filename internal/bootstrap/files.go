package bootstrap

import (
	"context"
	"slices"
	"strings"
)

// Files lists the files below Root that git tracks or would track: not what it ignores. They come by path, each once,
// relative to Root with forward slashes, as the file system spells them. Some may be deleted, links, or no text.
func (g Git) Files(ctx context.Context) ([]string, error) {
	out, err := g.ask(ctx, nil, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	if err != nil {
		return nil, err
	}
	files := strings.Split(strings.TrimSuffix(out, "\x00"), "\x00")
	slices.Sort(files)
	files = slices.Compact(files)
	return slices.DeleteFunc(files, func(name string) bool { return !isLocal(name) }), nil
}
