package transfer

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/contents"
	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/pastfile"
	"github.com/hebb-memory/hebb/internal/project"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/views"
)

// RelocateInput says whose memory is used in a folder.
type RelocateInput struct {
	Dir string `json:"dir"`
	// Project, by name or ID, is the one whose memory is used here.
	Project string `json:"project"`
	// Merge moves what is known of this folder there; without it the folder must have no memory of its own.
	Merge bool `json:"merge,omitempty"`
	// Undo gives the folder a memory of its own again.
	Undo bool `json:"undo,omitempty"`
	// Apply carries it out.
	Apply bool `json:"apply,omitempty"`
}

// RelocateResult says whose memory is used here now, or would be.
type RelocateResult struct {
	Root string         `json:"root"`
	Into memory.Project `json:"into"`
	// Moved is what was known of this folder, and is kept with the other project now; nil: nothing.
	Moved   *store.ProjectCounts `json:"moved,omitempty"`
	Backup  string               `json:"backup,omitempty"` // of all memory as it was before
	Applied bool                 `json:"applied"`
}

// Relocate makes a folder use the memory of another project: a repository that was moved, or another clone of it.
var Relocate = brain.Operation[RelocateInput, RelocateResult]{
	Name: "relocate", Summary: "Use the memory of a project in this folder",
	Run: func(ctx context.Context, b *brain.Brain, in RelocateInput) (out RelocateResult, err error) {
		place, err := project.Resolve(in.Dir)
		if err != nil {
			return out, fmt.Errorf("project of %s: %w", in.Dir, err)
		}
		out.Root = place.Root
		if in.Undo {
			return relocateBack(ctx, b, place, in.Apply, out)
		}
		if out, err = planRelocation(ctx, b, place, in, out); err != nil || !in.Apply {
			return out, err
		}
		if out.Moved != nil {
			backup, err := Backup(ctx, b, "")
			if err != nil {
				return out, fmt.Errorf("merge: nothing was changed: %w", err)
			}
			out.Backup = backup.File
			if err := PrepareMerge(ctx, b, place, out.Into); err != nil {
				return out, fmt.Errorf("merge: nothing was changed: %w", err)
			}
			out.Applied = true
			return out, FinishMerges(ctx, b)
		}
		out.Applied = true
		return out, useMemoryOf(b, place, out.Into.Identity)
	},
}

// useMemoryOf makes a place use the memory of another project, or its own again.
func useMemoryOf(b *brain.Brain, place memory.Place, home string) error {
	known, _ := b.Config.Place(place.Identity)
	return b.Config.SavePlace(config.Place{Identity: place.Identity, Home: home, Roots: known.Roots})
}

// relocateBack gives a folder a memory of its own again. What was learned here meanwhile stays with the other project.
func relocateBack(ctx context.Context, b *brain.Brain, place memory.Place, apply bool, out RelocateResult) (RelocateResult, error) {
	home := b.Config.Home(place)
	if home.Identity == place.Identity {
		return out, fmt.Errorf("relocate: %s uses its own memory: there is nothing to undo: %w", place.Root, memory.ErrInvalid)
	}
	p, err := brain.View(ctx, b, func(tx *store.Tx) (memory.Project, error) { return tx.Project(ctx, home.Project()) })
	if err != nil && !brain.IsNotFound(err) {
		return out, err
	}
	out.Into, out.Applied = p, apply
	if !apply {
		return out, nil
	}
	return out, useMemoryOf(b, place, "")
}

// planRelocation returns what a relocation would do, and refuses an impossible one.
func planRelocation(ctx context.Context, b *brain.Brain, place memory.Place, in RelocateInput, out RelocateResult) (RelocateResult, error) {
	return brain.View(ctx, b, func(tx *store.Tx) (RelocateResult, error) {
		id, err := b.Named(ctx, tx, in.Project)
		if err != nil {
			return out, err
		}
		if out.Into, err = tx.Project(ctx, id); err != nil {
			return out, err
		}
		switch home := b.Config.Home(place); {
		case home.Project() == id:
			return out, fmt.Errorf("%s already uses the memory of %s: %w", place.Root, out.Into.Name, memory.ErrConflict)
		case b.Config.Home(memory.Place{Identity: out.Into.Identity}).Project() == place.Project():
			return out, fmt.Errorf("%s uses the memory of %s: run hebb projects relocate --undo there first: %w", out.Into.Root, place.Root, memory.ErrConflict)
		case home.Identity != place.Identity:
			return out, fmt.Errorf("%s uses the memory of another project: run hebb projects relocate --undo first: %w", place.Root, memory.ErrConflict)
		}
		if _, err := tx.Project(ctx, place.Project()); brain.IsNotFound(err) {
			return out, nil
		} else if err != nil {
			return out, err
		}
		if !in.Merge {
			return out, fmt.Errorf("relocate: hebb has memories of %s too; hebb projects merge %s moves them there: %w", place.Root, id, memory.ErrConflict)
		}
		counts, err := tx.CountProject(ctx, place.Project())
		out.Moved = &counts
		return out, err
	})
}

// merge is a project that is being moved into another. Its file holds the lines of an export with the new project in them. It is
// complete before anything is changed and removed when all is stored, so the next drain finishes an interrupted merge.
type merge struct {
	File       string
	from, into memory.ProjectID
}

const mergeEnding = ".jsonl"

func mergesDir(b *brain.Brain) string { return filepath.Join(b.Config.Dir, "merges") }

// PrepareMerge writes the file and lets the place use the other memory. Nothing of the store is changed yet.
func PrepareMerge(ctx context.Context, b *brain.Brain, place memory.Place, into memory.Project) error {
	if err := os.MkdirAll(mergesDir(b), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(mergesDir(b), ".new-*")
	if err != nil {
		return err
	}
	defer func() { _ = filesys.Remove(f.Name()) }() // unless it got its name
	_, err = export(ctx, b, f, &projectMove{from: place.Project(), into: into, sessions: map[memory.SessionID]memory.SessionID{}})
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	// First: events that come meanwhile are the other project's.
	if err := useMemoryOf(b, place, into.Identity); err != nil {
		return err
	}
	return filesys.Rename(f.Name(), filepath.Join(mergesDir(b), place.Project().String()+"-"+into.ID.String()+mergeEnding))
}

// merges lists what is not finished.
func merges(b *brain.Brain) (found []merge, err error) {
	entries, err := os.ReadDir(mergesDir(b))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range entries {
		from, into, _ := strings.Cut(strings.TrimSuffix(e.Name(), mergeEnding), "-")
		one, bad := memory.ParseProjectID(from)
		other, worse := memory.ParseProjectID(into)
		if bad == nil && worse == nil && strings.HasSuffix(e.Name(), mergeEnding) {
			found = append(found, merge{File: filepath.Join(mergesDir(b), e.Name()), from: one, into: other})
		}
	}
	return found, nil
}

// mergeTime is the lease of a merge.
const mergeTime = 10 * time.Minute

// FinishMerges carries out what PrepareMerge prepared.
func FinishMerges(ctx context.Context, b *brain.Brain) error {
	if found, err := merges(b); err != nil || len(found) == 0 {
		return err
	}
	_, err := b.Alone(ctx, "merge", mergeTime, func() error {
		found, err := merges(b) // again: another process may have finished some
		if err != nil {
			return err
		}
		return brain.EachAlone(ctx, found, func(m merge) error {
			if err := finishMerge(ctx, b, m); err != nil {
				return fmt.Errorf("merge of %s into %s (the next drain goes on): %w", m.from, m.into, err)
			}
			return nil
		})
	})
	return err
}

func finishMerge(ctx context.Context, b *brain.Brain, m merge) error {
	for left := true; left; {
		err := b.Store.Update(ctx, func(tx *store.Tx) (err error) {
			left, err = tx.Vacate(ctx, m.from, vacatedAtOnce)
			return err
		})
		if err != nil {
			return err
		}
	}
	f, err := filesys.Open(m.File, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	_, err = Import(ctx, b, ImportInput{From: f, Mine: true})
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := filesys.Remove(m.File); err != nil {
		return err
	}
	cached := errors.Join(pastfile.Remove(b.Config.Cache(), m.from), contents.Remove(b.Config.Contents(m.from)))
	return errors.Join(cached, views.ForgetFiles(ctx, b))
}

// vacatedAtOnce is how many rows one transaction deletes.
const vacatedAtOnce = 200

// projectMove writes what belongs to one project as another's.
type projectMove struct {
	from memory.ProjectID
	into memory.Project
	// sessions are those of the project, and their IDs in the other; they come before what refers to them.
	sessions map[memory.SessionID]memory.SessionID
}
