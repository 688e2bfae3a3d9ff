package brain

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/bootstrap"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/project"
	"github.com/hebb-memory/hebb/internal/store"
)

func (b *Brain) KnowsProject(ctx context.Context, id memory.ProjectID) (bool, error) {
	return View(ctx, b, func(tx *store.Tx) (bool, error) {
		_, err := tx.Project(ctx, id)
		if IsNotFound(err) {
			return false, nil
		}
		return err == nil, err
	})
}

// gitError is a repository that git cannot read; other errors are the store's.
type GitError struct{ Err error }

func (e GitError) Error() string { return e.Err.Error() }

func (e GitError) Unwrap() error { return e.Err }

// PlaceAt resolves the place around a folder. Its identity is that of the project whose memory is used there.
func (b *Brain) PlaceAt(dir string) (memory.Place, error) {
	place, err := project.Resolve(dir)
	if err != nil {
		return place, fmt.Errorf("project of %s: %w", dir, err)
	}
	return b.Config.Home(place), nil
}

// AtHome gives events that hooks spooled the identity of the project whose memory is used at their place, and looks first whether
// a repository was moved there. A hook that did not know of the move may have spooled events of a paused project: they go.
func (b *Brain) AtHome(ctx context.Context, events []memory.Event) ([]memory.Event, error) {
	home := map[memory.Place]memory.Place{}
	kept := make([]memory.Event, 0, len(events))
	for _, e := range events {
		at, known := home[e.Place]
		if !known {
			if err := b.recognise(ctx, e.Place); err != nil {
				return nil, err
			}
			at = b.Config.Home(e.Place)
			home[e.Place] = at
		}
		if at.Identity != e.Place.Identity && b.Config.Paused(at.Project()) {
			continue
		}
		e.Place = at
		kept = append(kept, e)
	}
	return kept, nil
}

// RecogniseAt is recognise for the place around a folder; "" is none.
func (b *Brain) RecogniseAt(ctx context.Context, dir string) error {
	if dir == "" {
		return nil
	}
	place, err := project.Resolve(dir)
	if err != nil {
		return nil //nolint:nilerr // what is asked about the folder will say so
	}
	return b.recognise(ctx, place)
}

// recognising bounds the time that git may take to say which repository a new place is.
const recognising = 10 * time.Second

// recognise looks whether a repository that hebb has no memory of was moved from a place that is gone. If exactly one project of
// this machine has the same root commits, and nothing is left at its places, its memory is used here from now on. In every other
// case the place starts with a memory of its own, and the status offers the others.
func (b *Brain) recognise(ctx context.Context, place memory.Place) error {
	if b.Config.Dir == "" || place.Identity == place.Root {
		return nil // no repository
	}
	if _, known := b.Config.Place(place.Identity); known {
		return nil
	}
	if known, err := b.KnowsProject(ctx, place.Project()); err != nil || known {
		return err
	}
	places, err := b.Config.Places()
	if err != nil {
		return nil //nolint:nilerr // the place starts with a memory of its own
	}
	var roots []string
	for _, p := range places {
		if p.Home == "" && isGone(p.Identity) {
			roots = append(roots, p.Roots...)
		}
	}
	if len(roots) == 0 {
		return nil
	}
	git, err := bootstrap.At(place)
	if err != nil {
		return nil //nolint:nilerr // likewise
	}
	asking, cancel := context.WithTimeout(ctx, recognising)
	defer cancel()
	if held, err := git.Holds(asking, roots); err != nil || !held {
		return ctx.Err()
	}
	if roots, err = git.Roots(asking); err != nil {
		return ctx.Err()
	}
	twins, err := b.twins(ctx, place.Identity, roots)
	if err != nil || len(twins) != 1 || !twins[0].Gone {
		return err
	}
	err = b.Config.SavePlace(config.Place{Identity: place.Identity, Home: twins[0].Identity, Roots: roots})
	if err != nil {
		return fmt.Errorf("remember that %s has moved: %w", twins[0].Name, err)
	}
	return b.Notify(ctx, movedNotice, twins[0].ID, fmt.Sprintf(
		"hebb recognised this repository, which was at %s: what was learned there is used here (`hebb projects relocate --undo --yes` ends that)", twins[0].Root))
}

// Twin is a project of this machine whose repository has the same root commits as another.
type Twin struct {
	memory.Project
	Gone bool `json:"gone"` // nothing is left at its places
}

// twins returns the projects with memories whose repositories have exactly these root commits, the one last worked in first.
func (b *Brain) twins(ctx context.Context, identity string, roots []string) (twins []Twin, err error) {
	if len(roots) == 0 {
		return nil, nil
	}
	places, err := b.Config.Places()
	if err != nil {
		return nil, err
	}
	err = b.Store.View(ctx, func(tx *store.Tx) error {
		twins = nil
		for _, p := range places {
			if p.Home != "" || p.Identity == identity || !slices.Equal(p.Roots, roots) {
				continue
			}
			known, err := tx.Project(ctx, memory.NewProjectID(p.Identity))
			if IsNotFound(err) {
				continue
			}
			if err != nil {
				return err
			}
			left := slices.ContainsFunc(places, func(other config.Place) bool {
				return b.Config.Home(memory.Place{Identity: other.Identity}).Identity == p.Identity && !isGone(other.Identity)
			})
			twins = append(twins, Twin{Project: known, Gone: !left})
		}
		return nil
	})
	memory.Sort(twins, func(a, b Twin) int { return b.LastAt.Compare(a.LastAt) })
	return twins, err
}

// TwinsAt lists the other projects of this machine that are clones of the repository around a folder.
func (b *Brain) TwinsAt(ctx context.Context, dir string) ([]Twin, error) {
	place, err := project.Resolve(dir)
	if err != nil {
		return nil, fmt.Errorf("project of %s: %w", dir, err)
	}
	known, _ := b.Config.Place(place.Identity)
	if known.Home != "" {
		return nil, nil
	}
	return b.twins(ctx, place.Identity, known.Roots)
}

// isGone reports whether nothing is at a path that hebb stored. What cannot be looked at is not gone.
func isGone(stored string) bool {
	path, err := memory.UnescapePath(stored)
	if err != nil {
		return false
	}
	_, err = os.Lstat(filepath.FromSlash(path))
	return errors.Is(err, fs.ErrNotExist)
}

// LearnRoots keeps the root commits of the repository at a root, so that it is known again when it is moved; and offers, once,
// the memory of another clone. changed says that its history has changed.
func (b *Brain) LearnRoots(ctx context.Context, root string, changed bool) error {
	place, err := project.Resolve(root)
	if err != nil {
		return err
	}
	git, err := bootstrap.At(place)
	if err != nil {
		return err
	}
	known, _ := b.Config.Place(place.Identity)
	if len(known.Roots) > 0 {
		if !changed {
			return nil
		}
		held, err := git.Holds(ctx, known.Roots)
		if err != nil {
			return GitError{Err: err}
		}
		if held {
			return nil
		}
	}
	roots, err := git.Roots(ctx)
	if err != nil {
		return GitError{Err: err}
	}
	if len(roots) == 0 {
		return nil
	}
	if err := b.Config.SavePlace(config.Place{Identity: place.Identity, Home: known.Home, Roots: roots}); err != nil {
		return err
	}
	twins, err := b.twins(ctx, place.Identity, roots)
	if err != nil || len(twins) == 0 || known.Home != "" {
		return err
	}
	return b.Notify(ctx, TwinNotice, place.Project(), TwinAdvice(twins))
}

// TwinAdvice is the line that offers the memory of another clone.
func TwinAdvice(twins []Twin) string {
	if len(twins) == 0 {
		return ""
	}
	line := fmt.Sprintf("hebb also knows this repository at %s: `hebb projects merge %s` gives both one memory", twins[0].Root, twins[0].ID)
	if more := len(twins) - 1; more > 0 {
		line += fmt.Sprintf(" (and %d more: `hebb status`)", more)
	}
	return line
}

// A notice is a line that the next session of a project is shown when it begins, and no session after that.
type Notice struct {
	At   time.Time `json:"at"`
	Line string    `json:"line"`
}

// The kinds of notices; a project has one of each at most.
const (
	movedNotice   = "moved"
	LearnedNotice = "learned"
	TwinNotice    = "twin"
)

func NoticeFact(kind string, id memory.ProjectID) store.Fact[Notice] {
	return store.NewFact[Notice]("notice").Of(id).About(kind)
}

func (b *Brain) Notify(ctx context.Context, kind string, id memory.ProjectID, line string) error {
	return b.Store.Update(ctx, func(tx *store.Tx) error {
		return NoticeFact(kind, id).Set(ctx, tx, Notice{At: tx.Now, Line: line})
	})
}

// Notices returns the lines that came after every session of the list had been opened.
func Notices(ctx context.Context, tx *store.Tx, id memory.ProjectID, sessions []memory.Session) (lines []string, err error) {
	for _, kind := range []string{movedNotice, LearnedNotice, TwinNotice} {
		n, err := NoticeFact(kind, id).Get(ctx, tx)
		if err != nil {
			return nil, err
		}
		if n.Line == "" {
			continue
		}
		if !slices.ContainsFunc(sessions, func(s memory.Session) bool { return !s.OpenedAt.Before(n.At) }) {
			lines = append(lines, n.Line)
		}
	}
	return lines, nil
}
