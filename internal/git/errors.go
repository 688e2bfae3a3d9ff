package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
)

// saidNo reports whether git answered no: exit status 1. Failures have 128.
func saidNo(err error) bool {
	var exit *exec.ExitError
	return errors.As(err, &exit) && exit.ExitCode() == 1
}

// explain names what went wrong and how to fix it. git's own words are its first complaint, in English by LC_ALL=C.
func (g Repo) explain(ctx context.Context, deed string, err error, stderr *complaint) error {
	if ctx.Err() != nil {
		return fmt.Errorf("git %s in %s: %w", deed, g.Root, context.Cause(ctx))
	}
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("git history of %s: there is no git program; install git, or go on without its history: %w",
			g.Root, memory.ErrNotFound)
	}
	if errors.Is(err, exec.ErrDot) {
		return fmt.Errorf("git history of %s: PATH finds git in the current folder, which may be the repository's: name folders in full in PATH: %w",
			g.Root, memory.ErrRefused)
	}
	words := strings.ToValidUTF8(stderr.text.String(), "\uFFFD")
	for _, k := range knownComplaints {
		if strings.Contains(words, k.says) {
			return fmt.Errorf("git history of %s: %s: %w", g.Root, strings.ReplaceAll(k.means, "ROOT", g.Root), k.kind)
		}
	}
	return fmt.Errorf("git %s in %s: %s: %w", deed, g.Root, reason(words), err)
}

const (
	foreignOwner = "git refuses a repository of another user; if you trust it: git config --global --add safe.directory 'ROOT'"
	lostObjects  = "objects of the repository are missing or broken; git fsck --full lists them"
)

// knownComplaints are tried in order: the first that git's words contain.
var knownComplaints = []struct {
	says  string
	means string
	kind  error
}{
	{"dubious ownership", foreignOwner, memory.ErrRefused},
	{"owned by someone else", foreignOwner, memory.ErrRefused}, // git 2.35.2
	{
		"safe.bareRepository", "git's setting safe.bareRepository refuses a bare repository found by its folder; use a checkout of it",
		memory.ErrRefused,
	},
	{"not a git repository", "no git repository here or above; git init makes one", memory.ErrNotFound},
	{
		"promisor", "the clone is partial and older trees were never fetched; git fetch --refetch --filter=blob:none brings them",
		memory.ErrNotFound,
	},
	{"bad object", lostObjects, memory.ErrDamaged},
	{"unable to read", lostObjects, memory.ErrDamaged},
	{"could not read", lostObjects, memory.ErrDamaged},
	{"Could not read", lostObjects, memory.ErrDamaged},
	{"corrupt", lostObjects, memory.ErrDamaged},
	{"missing object", lostObjects, memory.ErrDamaged},
}

// reason is the line of git's words that says why it stopped.
func reason(words string) string {
	for line := range strings.Lines(words) {
		if strings.HasPrefix(line, "fatal: ") || strings.HasPrefix(line, "error: ") {
			return strings.TrimSpace(line)
		}
	}
	return strings.TrimSpace(words)
}
