package git

import (
	"context"
	"slices"
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

// Says reports whether a text stands in a file of a commit as words of its own, or in the path of one. Folders of these names are left out.
func (g Repo) Says(ctx context.Context, commit, text string, without ...string) (bool, error) {
	if strings.ContainsAny(text, "\n\x00") || text == "" {
		return false, nil
	}
	ask := []string{"grep", "--quiet", "--fixed-strings", "--word-regexp", "-I", "-e", text, commit, "--", ":/"}
	for _, folder := range without {
		ask = append(ask, ":(top,exclude,glob)**/"+folder+"/**")
	}
	_, err := g.ask(ctx, nil, ask...)
	if err == nil || !saidNo(err) {
		return err == nil, err
	}
	paths, err := g.ask(ctx, nil, "ls-tree", "-r", "--name-only", "--full-tree", commit)
	for name := range strings.Lines(paths) {
		folders := strings.Split(strings.TrimSpace(name), "/")
		if strings.Contains(name, text) && !slices.ContainsFunc(folders, func(f string) bool { return slices.Contains(without, f) }) {
			return true, err
		}
	}
	return false, err
}
