package bootstrap

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
)

// ByOthers returns the lines of a file, as they stand in it, that somebody else than the person of git's settings committed: one
// who has no name there committed none. A file that no repository has, and what is not committed yet, is nobody else's.
func ByOthers(ctx context.Context, file string) (lines []string, err error) {
	if file, err = filepath.EvalSymlinks(file); err != nil {
		return nil, err
	}
	g, name := Git{Root: filepath.Dir(file)}, filepath.Base(file)
	_, err = g.ask(ctx, nil, "ls-files", "--error-unmatch", "--", name)
	switch {
	case saidNo(err), errors.Is(err, memory.ErrNotFound), errors.Is(err, exec.ErrNotFound): // untracked, no repository, no git
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("who wrote %s: %w", file, err)
	}
	if tip, err := g.Tip(ctx); err != nil || tip == "" {
		return nil, err // nothing is committed
	}
	me, err := g.ask(ctx, nil, "config", "--get", "user.email")
	if err != nil && !saidNo(err) {
		return nil, fmt.Errorf("who wrote %s: %w", file, err)
	}
	me = "<" + strings.ToLower(strings.TrimSpace(me)) + ">"
	// No settings of the repository may run a program or leave commits out.
	out, err := g.ask(ctx, nil, "-c", "blame.ignoreRevsFile=", "blame", "--no-textconv", "--line-porcelain", "--", name)
	if err != nil {
		return nil, fmt.Errorf("who wrote %s: %w", file, err)
	}
	other := false
	for line := range strings.Lines(out) {
		switch mail, is := strings.CutPrefix(line, "author-mail "); {
		case strings.HasPrefix(line, "\t"):
			if other {
				lines = append(lines, strings.TrimRight(line[1:], "\r\n"))
			}
		case is:
			mail = strings.ToLower(strings.TrimSpace(mail))
			other = mail != me && mail != uncommitted
		}
	}
	return lines, nil
}

// uncommitted is whom git names for lines that are not committed.
const uncommitted = "<not.committed.yet>"
