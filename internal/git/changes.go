package git

import (
	"cmp"
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

const copied = 20 // files that nobody changes by hand at a time

// Uncommitted names the files that are new, staged, or not as git last saw them in the work tree, the latest first. Git itself would
// compare the texts, through programs that the repository names; size and time of a file say it as well.
func (g Repo) Uncommitted(ctx context.Context) ([]string, error) {
	top, err := g.ask(ctx, nil, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	top = strings.TrimSuffix(top, "\n")
	written := map[string]time.Time{}
	staged, err := g.ask(ctx, nil, "diff-index", "--name-only", "--no-renames", "-z", "HEAD", "--")
	if err != nil && ctx.Err() != nil {
		return nil, err
	} // else there is no commit yet
	created, err := g.ask(ctx, nil, "ls-files", "--others", "--exclude-standard", "--full-name", "-z", ":/")
	if err != nil {
		return nil, err
	}
	for name := range strings.SplitSeq(staged+created, "\x00") {
		if info, err := os.Lstat(filepath.Join(top, filepath.FromSlash(name))); err == nil && name != "" {
			written[name] = info.ModTime()
		}
	}
	index, err := g.ask(ctx, nil, "ls-files", "--debug", "--full-name", "-z", ":/")
	if err != nil {
		return nil, err
	}
	entries, differ := indexEntries(index), map[string]time.Time{}
	for _, e := range entries {
		info, err := os.Lstat(filepath.Join(top, filepath.FromSlash(e.name)))
		if err == nil && info.Mode().IsRegular() && e.seconds != 0 && (info.Size()&0xffffffff != e.size || info.ModTime().Unix() != e.seconds) {
			differ[e.name] = info.ModTime()
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	if len(differ) < copied || 2*len(differ) < len(entries) { // else the files were copied, and git has not looked at them since
		maps.Copy(written, differ)
	}
	var paths []string
	for name := range written {
		paths = append(paths, name)
	}
	slices.SortFunc(paths, func(a, b string) int { return cmp.Or(written[b].Compare(written[a]), cmp.Compare(a, b)) })
	for i, name := range paths {
		paths[i] = memory.EscapePath(name)
	}
	return paths, nil
}

// indexEntry is a file as git last saw it.
type indexEntry struct {
	name          string
	seconds, size int64 // when it was written, in Unix time; bytes, modulo 2³²
}

// indexEntries reads "name NUL", then indented lines with "mtime: SECONDS:NANOSECONDS" and "size: BYTES" among others.
func indexEntries(debug string) (entries []indexEntry) {
	for debug != "" {
		name, rest, ok := strings.Cut(debug, "\x00")
		if !ok {
			break
		}
		e := indexEntry{name: name}
		for strings.HasPrefix(rest, "  ") {
			var line string
			line, rest, _ = strings.Cut(rest, "\n")
			fields := strings.Fields(strings.ReplaceAll(line, ":", " "))
			for i, field := range fields[:max(0, len(fields)-1)] {
				switch field {
				case "mtime":
					e.seconds, _ = strconv.ParseInt(fields[i+1], 10, 64)
				case "size":
					e.size, _ = strconv.ParseInt(fields[i+1], 10, 64)
				}
			}
		}
		entries, debug = append(entries, e), rest
	}
	return entries
}
