package braintest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/project"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
)

// ground is a lab with a folder in which real repositories are made.
type Ground struct {
	*Lab
	base  string
	ticks int
}

// OnGround runs a test in a folder in which repositories can be made.
func OnGround(t *testing.T, test func(g *Ground)) {
	t.Helper()
	test(NewGround(t, NewLab(t)))
}

func NewGround(t *testing.T, l *Lab) *Ground {
	t.Helper()
	base := must.Get(filepath.EvalSymlinks(t.TempDir()))(t)
	return &Ground{Lab: l, base: base}
}

func (g *Ground) Path(name string) string { return filepath.Join(g.base, name) }

// Git runs git in a repository with nobody's settings.
func (g *Ground) Git(name string, args ...string) string {
	g.T.Helper()
	g.ticks++
	at := Start.Add(time.Duration(g.ticks-100_000) * time.Minute).Format(time.RFC3339)
	cmd := exec.CommandContext(g.T.Context(), "git", append([]string{"-c", "protocol.file.allow=always"}, args...)...)
	cmd.Dir = g.Path(name)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull, "GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.org",
		"GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.org", "GIT_AUTHOR_DATE="+at, "GIT_COMMITTER_DATE="+at)
	out, err := cmd.CombinedOutput()
	if err != nil {
		g.T.Fatalf("git %v in %s: %v: %s", args, name, err, out)
	}
	return strings.TrimSpace(string(out))
}

// Repository makes a repository with so many commits, each of which changes a.go and b.go.
func (g *Ground) Repository(name string, commits int) {
	g.T.Helper()
	must.Do(g.T, os.MkdirAll(g.Path(name), 0o755))
	g.Git(name, "init", "-q", "-b", "main")
	for range commits {
		g.Commit(name)
	}
}

func (g *Ground) Commit(name string) {
	g.T.Helper()
	for _, file := range []string{"a.go", "b.go"} {
		WriteFile(g.T, filepath.Join(g.Path(name), file), fmt.Appendf(nil, "package %s // %d\n", name, g.ticks))
	}
	g.Git(name, "add", ".")
	g.Git(name, "commit", "-qm", fmt.Sprintf("change %d of %s", g.ticks, name))
}

func (g *Ground) Move(from, to string) {
	g.T.Helper()
	must.Do(g.T, os.Rename(g.Path(from), g.Path(to)))
}

func (g *Ground) Remove(name string) {
	g.T.Helper()
	must.Do(g.T, os.RemoveAll(g.Path(name)))
}

// Spooled is an event of a run in a repository, as the hook spools it now.
func (g *Ground) Spooled(kind memory.EventKind, name, run string) memory.Event {
	g.T.Helper()
	place := must.Get(project.Resolve(g.Path(name)))(g.T)
	e := g.Event(kind, 0)
	e.At, e.AgentSession, e.Place, e.Input = g.Clock, run, g.Config.Home(place), "startup"
	return e
}

// Background spools events and drains them as a hook's drain does, a minute later.
func (g *Ground) Background(events ...memory.Event) steward.DrainResult {
	g.T.Helper()
	g.spool(events)
	g.Clock = g.Clock.Add(time.Minute)
	return Must(g.Lab, steward.Drain, steward.DrainInput{Sleep: true})
}

// Begin begins a session in a repository and returns what it is shown; the drain in the background follows.
func (g *Ground) Begin(name, run string) string {
	g.T.Helper()
	e := g.Spooled(memory.SessionStarted, name, run)
	shown := Must(g.Lab, answer.Moment, e)
	g.Background(e)
	return shown.Text
}

// Commits counts those that are known of a project.
func (g *Ground) Commits(name string) int {
	g.T.Helper()
	place := must.Get(brain.PlaceAt(g.Config, g.Path(name)))(g.T)
	n := must.Get(brain.View(g.T.Context(), g.Store, func(tx *store.Tx) (int64, error) {
		return tx.CountEvents(g.T.Context(), store.EventFilter{Project: place.Project(), Kind: memory.Committed})
	}))(g.T)
	return int(n)
}
