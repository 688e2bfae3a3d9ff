package git

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
)

// clonesFollowed bounds how many clones of clones on this machine are followed to the repository that was cloned first.
const clonesFollowed = 8

// Known returns what the repository is known by: its root commits, which are looked for unless they are given, and
// where it was cloned from. A clone of a folder on this machine comes from where that folder's repository comes from.
func (g Repo) Known(ctx context.Context, roots []string) (r memory.Repository, err error) {
	if r.Roots = roots; len(roots) == 0 {
		if r.Roots, err = g.Roots(ctx); err != nil {
			return r, err
		}
	}
	at := g
	for range clonesFollowed {
		url, err := at.origin(ctx)
		if err != nil && at.Root == g.Root {
			return r, err
		}
		remote, local := memory.NormalRemote(url)
		if r.Remote = remote; local == "" {
			if remote == "" && at.Root != g.Root {
				r.Remote = memory.FolderRemote + memory.EscapePath(filepath.ToSlash(at.commonDir(ctx)))
			}
			break
		}
		if local = filepath.FromSlash(local); !filepath.IsAbs(local) {
			local = filepath.Join(at.Root, local)
		}
		at.Root = local
	}
	return r, nil
}

// commonDir is the git directory that the work trees of a repository share; of what is none, or is gone, its folder.
func (g Repo) commonDir(ctx context.Context) string {
	dir := g.Root
	if out, err := g.ask(ctx, nil, "rev-parse", "--path-format=absolute", "--git-common-dir"); err == nil {
		dir = filepath.FromSlash(strings.TrimSuffix(out, "\n"))
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	return dir
}

// origin is the URL of the remote called origin or, without one, of the only remote; empty: there is none, or nobody can say which.
func (g Repo) origin(ctx context.Context) (string, error) {
	out, err := g.ask(ctx, nil, "config", "--null", "--get-regexp", `^remote\..*\.url$`)
	if saidNo(err) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	urls := map[string]string{}
	for entry := range strings.SplitSeq(strings.TrimSuffix(out, "\x00"), "\x00") {
		key, url, _ := strings.Cut(entry, "\n")
		if _, several := urls[key]; !several { // git fetches from the first
			urls[key] = url
		}
	}
	if url, ok := urls["remote.origin.url"]; ok || len(urls) != 1 {
		return url, nil
	}
	for _, url := range urls {
		return url, nil
	}
	return "", nil
}
