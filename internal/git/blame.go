package git

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
)

// ByOthers reports for each line of text, the content of file, whether somebody else than the person of git's settings
// committed it. Without user.email in the settings, every committed line is somebody else's. The result is nil where nothing
// is committed: untracked, no repository, no git.
//
// Lines are compared by their text with those of the commit, because git would pass the file of the work tree through a
// filter program that the repository names. A line that both committed is somebody else's, and so is, where attributes have
// git convert the file, each line that the person has not committed.
func ByOthers(ctx context.Context, file, text string) (others []bool, err error) {
	if file, err = filepath.EvalSymlinks(file); err != nil {
		return nil, err
	}
	g, name := Repo{Root: filepath.Dir(file)}, filepath.Base(file)
	_, err = g.ask(ctx, nil, "ls-files", "--error-unmatch", "--", name)
	switch {
	case saidNo(err), errors.Is(err, memory.ErrNotFound): // untracked, no repository, no git
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("who wrote %s: %w", file, err)
	}
	if tip, err := g.Tip(ctx); err != nil || tip == "" {
		return nil, err // nothing is committed
	}
	if others, err = g.blameOthers(ctx, name, text); err != nil {
		return nil, fmt.Errorf("who wrote %s: %w", file, err)
	}
	return others, nil
}

func (g Repo) blameOthers(ctx context.Context, name, text string) ([]bool, error) {
	committed, err := g.committedLines(ctx, name)
	if err != nil || committed == nil {
		return nil, err
	}
	doubt, err := g.converted(ctx, name)
	if err != nil {
		return nil, err
	}
	var others []bool
	for line := range strings.Lines(text) {
		other, known := committed[bareLine(line)]
		others = append(others, other || !known && doubt)
	}
	return others, nil
}

// converted reports whether attributes have git change the text of a file on its way into a commit.
func (g Repo) converted(ctx context.Context, name string) (bool, error) {
	out, err := g.ask(ctx, nil, "check-attr", "ident", "filter", "working-tree-encoding", "--", name)
	if err != nil {
		return false, err
	}
	for line := range strings.Lines(out) {
		line = strings.TrimSpace(line)
		if !strings.HasSuffix(line, ": unspecified") && !strings.HasSuffix(line, ": unset") {
			return true, nil
		}
	}
	return false, nil
}

// committedLines maps each line of a file at HEAD to whether somebody else committed it. It is nil if HEAD has no such file.
func (g Repo) committedLines(ctx context.Context, name string) (map[string]bool, error) {
	name, err := g.nameAtHead(ctx, name)
	if err != nil || name == "" {
		return nil, err
	}
	me, err := g.ask(ctx, nil, "config", "--get", "user.email")
	if err != nil && !saidNo(err) {
		return nil, err
	}
	me = strings.TrimSpace(me)
	out, err := g.ask(ctx, nil, "blame", "--line-porcelain", "HEAD", "--", name)
	if err != nil {
		return nil, err
	}
	committed, other := map[string]bool{}, true
	for line := range strings.Lines(out) {
		if mail, is := strings.CutPrefix(line, "author-mail "); is {
			other = me == "" || !strings.EqualFold(strings.TrimSpace(mail), "<"+me+">")
		} else if said, is := strings.CutPrefix(line, "\t"); is {
			said = bareLine(said)
			committed[said] = committed[said] || other
			other = true // until the next line's mail is read
		}
	}
	return committed, nil
}

// nameAtHead returns the name that a tracked file has at HEAD: the old one of a rename that is not committed yet, and ""
// for a new file.
func (g Repo) nameAtHead(ctx context.Context, name string) (string, error) {
	below, err := g.ask(ctx, nil, "rev-parse", "--show-prefix")
	if err != nil {
		return "", err
	}
	out, err := g.ask(ctx, nil, "diff-index", "-M", "-z", "--name-status", "HEAD", "--")
	if err != nil {
		return "", err
	}
	below = strings.TrimSuffix(below, "\n")
	fields := strings.Split(out, "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		if status := fields[i]; strings.HasPrefix(status, "R") && i+2 < len(fields) {
			if fields[i+2] == below+name {
				return filepath.Rel(filepath.FromSlash(below), filepath.FromSlash(fields[i+1]))
			}
			i++
		} else if fields[i+1] == below+name && status == "A" {
			return "", nil
		}
	}
	return name, nil
}

// bareLine is a line without space and byte order mark around it.
func bareLine(line string) string { return strings.TrimSpace(strings.TrimPrefix(line, "\uFEFF")) }
