package git

import (
	"context"
	"strings"
	"time"
)

// Before returns the latest commit of the branch that was made before a moment, or nothing if there is none.
func (g Repo) Before(ctx context.Context, at time.Time) (string, error) {
	tip, err := g.Tip(ctx)
	if err != nil || tip == "" {
		return "", err
	}
	out, err := g.ask(ctx, nil, "rev-list", "--max-count=1", "--before="+at.UTC().Format(time.RFC3339), tip)
	return strings.TrimSpace(out), err
}

// Says reports whether a text stands in a file of a commit, or in the path of one.
func (g Repo) Says(ctx context.Context, commit, text string) (bool, error) {
	if strings.ContainsAny(text, "\n\x00") || text == "" {
		return false, nil
	}
	_, err := g.ask(ctx, nil, "grep", "--quiet", "--fixed-strings", "-I", "-e", text, commit, "--")
	if err == nil || !saidNo(err) {
		return err == nil, err
	}
	paths, err := g.ask(ctx, nil, "ls-tree", "-r", "--name-only", "--full-tree", commit)
	return strings.Contains(paths, text), err
}
