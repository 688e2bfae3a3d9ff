// Package git asks the git program about a repository: its history, who wrote a line, which files changed, what its files
// say of the project; and it writes a post-commit hook where there is none. It reads and reports; what is learned from that, and
// scrubbing the words, is the caller's part.
//
// The git program reads a history ten times faster than any Go code measured. The repository is foreign text: its settings,
// attributes and hooks can name programs, and git would run them. Command lets only those subcommands through that read,
// each with the options that keep git from running anything, reaching the network or bending the output.
package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/memory"
)

// Repo is one repository, asked through the git program.
type Repo struct {
	// Root is a folder in the repository, as the file system spells it (not escaped). Paths of changes count from the top
	// of the repository, wherever in it Root is.
	Root string
	// Binary is the git program; empty means the one on PATH.
	Binary string
	// Latest is the instant no commit lies after, usually now: clocks in the future exist. Zero sets no bound.
	Latest time.Time
}

// At returns the repository of a resolved place.
func At(place memory.Place) (Repo, error) {
	root, err := memory.UnescapePath(place.Root)
	if err != nil {
		return Repo{}, fmt.Errorf("git history: %w", err)
	}
	return Repo{Root: filepath.FromSlash(root)}, nil
}

// Tip returns the hash of the newest commit, and nothing while there is none. Asked before History, it is what to hand
// to the next run as since: the last commit of a history is not, as it need not lead to all the others.
func (g Repo) Tip(ctx context.Context) (string, error) {
	out, err := g.ask(ctx, nil, "rev-parse", "--quiet", "--verify", "HEAD")
	if saidNo(err) {
		return "", nil // a branch without a commit
	}
	if err != nil {
		return "", err
	}
	return strings.TrimSpace(out), nil
}

// Count says how many commits History would hand over.
func (g Repo) Count(ctx context.Context, since string) (int, error) {
	revisions, err := g.revisions(ctx, since)
	if err != nil || revisions == "" {
		return 0, err
	}
	out, err := g.ask(ctx, strings.NewReader(revisions), "rev-list", "--count", "--no-merges", "--stdin")
	if err != nil {
		return 0, err
	}
	n, err := strconv.Atoi(strings.TrimSpace(out))
	if err != nil {
		return 0, fmt.Errorf("count commits of %s: git answered %q: %w", g.Root, out, memory.ErrInvalid)
	}
	return n, nil
}

// revisions says, for rev-list's standard input, which commits to walk: all that HEAD leads to, less those that the hashes
// of since lead to, less the edge of a shallow clone. A commit at that edge has lost its parents, so git takes it for one
// that added every file; it would be learned wrongly and for good.
func (g Repo) revisions(ctx context.Context, since string) (string, error) {
	for _, hash := range strings.Fields(since) {
		if !isHash(hash) {
			return "", fmt.Errorf("git history since %q: want full commit hashes: %w", hash, memory.ErrInvalid)
		}
	}
	shallow, err := g.shallowEdge(ctx)
	if err != nil {
		return "", err
	}
	tip, err := g.Tip(ctx)
	if err != nil || tip == "" {
		return "", err
	}
	known, err := g.present(ctx, append(shallow, strings.Fields(since)...))
	if err != nil {
		return "", err
	}
	return tip + "\n" + known, nil
}

// Roots returns the hashes of the commits without parents that HEAD leads to, sorted. It walks the whole history. A shallow
// clone, which does not know its roots, and a repository without commits have none.
func (g Repo) Roots(ctx context.Context) ([]string, error) {
	shallow, err := g.shallowEdge(ctx)
	if err != nil || len(shallow) > 0 {
		return nil, err
	}
	tip, err := g.Tip(ctx)
	if err != nil || tip == "" {
		return nil, err
	}
	out, err := g.ask(ctx, nil, "rev-list", "--max-parents=0", tip)
	if err != nil {
		return nil, err
	}
	roots := strings.Fields(out)
	slices.Sort(roots)
	return roots, nil
}

// Holds reports whether the repository holds any of the commits. Unlike Roots it walks nothing.
func (g Repo) Holds(ctx context.Context, hashes []string) (bool, error) {
	known, err := g.present(ctx, hashes)
	return known != "", err
}

// shallowEdge lists the commits at which a shallow clone was cut off. As the first question asked it also finds out
// whether there is a repository at all.
func (g Repo) shallowEdge(ctx context.Context) ([]string, error) {
	if info, err := os.Stat(g.Root); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("git history of %s: no such folder: %w", g.Root, memory.ErrNotFound)
	}
	out, err := g.ask(ctx, nil, "rev-parse", "--git-path", "shallow")
	if err != nil {
		return nil, err
	}
	file := filepath.FromSlash(strings.TrimRight(out, "\r\n"))
	if !filepath.IsAbs(file) {
		file = filepath.Join(g.Root, file)
	}
	raw, err := filesys.ReadFile(file)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("git history of %s: read where the shallow clone ends: %w", g.Root, err)
	}
	return strings.Fields(string(raw)), nil
}

// present turns those hashes that are commits here into exclusions. The others are history that was rewritten or
// fetched since, and rev-list would stop at them.
func (g Repo) present(ctx context.Context, hashes []string) (string, error) {
	var questions strings.Builder
	for _, h := range hashes {
		if isHash(h) {
			questions.WriteString(h + "^{commit}\n")
		}
	}
	if questions.Len() == 0 {
		return "", nil
	}
	out, err := g.ask(ctx, strings.NewReader(questions.String()), "cat-file", "--batch-check=%(objectname)")
	if err != nil {
		return "", err
	}
	var known strings.Builder
	for line := range strings.Lines(out) {
		if h := strings.TrimSuffix(line, "\n"); isHash(h) {
			known.WriteString("^" + h + "\n")
		}
	}
	return known.String(), nil
}

// ask runs one short git command and returns what it prints.
func (g Repo) ask(ctx context.Context, stdin io.Reader, args ...string) (string, error) {
	cmd, complaint := g.command(ctx, args...)
	cmd.Stdin = stdin
	out, err := cmd.Output()
	if err != nil {
		return "", g.explain(ctx, args[0], err, complaint)
	}
	return string(out), nil
}

// stream runs git and has its output read as it is written. If git failed before reading stopped, the
// error is git's, else that of read.
func (g Repo) stream(ctx context.Context, stdin io.Reader, read func(io.Reader) error, args ...string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd, said := g.command(ctx, args...)
	cmd.Stdin = stdin
	out, err := cmd.StdoutPipe()
	if err == nil {
		if err = cmd.Start(); err != nil {
			out.Close()
		}
	}
	if err != nil {
		return g.explain(ctx, args[0], err, said)
	}
	defer context.AfterFunc(ctx, func() { out.Close() })() // a wrapper around git may be killed and leave git alive
	err = read(out)
	ended := ctx.Err() != nil || err == nil || errors.Is(err, errCutOff)
	if !ended {
		cancel() // the rest is not wanted: do not wait for it to be written
		out.Close()
	}
	if waitErr := cmd.Wait(); ended && waitErr != nil {
		return g.explain(ctx, args[0], waitErr, said)
	}
	return err
}

// command prepares git in the repository's folder, and what keeps its complaints.
func (g Repo) command(ctx context.Context, args ...string) (*exec.Cmd, *complaint) {
	cmd := Command(ctx, g.Binary, g.Root, args...)
	said := &complaint{}
	cmd.Stderr = said
	return cmd, said
}

// complaint keeps the beginning of what git wrote to standard error.
type complaint struct{ text bytes.Buffer }

const complaintLimit = 2 << 10

func (c *complaint) Write(p []byte) (int, error) {
	c.text.Write(p[:min(len(p), complaintLimit-c.text.Len())])
	return len(p), nil
}

// isHash accepts a full SHA-1 or SHA-256, so that nothing from outside is read as an option or a revision.
func isHash(s string) bool {
	return (len(s) == 40 || len(s) == 64) && strings.Trim(s, "0123456789abcdef") == ""
}
