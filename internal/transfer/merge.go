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
	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/project"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/views"
)

// MergeInput says whose memory is used in a folder.
type MergeInput struct {
	Dir string `json:"dir"`
	// Project, by name or ID, is the one whose memory is used here.
	Project string `json:"project" arg:"1"`
	// From, by name or ID, is the one that becomes part of it; empty: the one used in Dir.
	From  string `json:"from,omitempty" arg:"2"`
	Apply bool   `json:"apply,omitempty" flag:"yes,y"`
}

// MergeResult says whose memory is used here now, or would be.
type MergeResult struct {
	Root string         `json:"root"`
	Into memory.Project `json:"into"`
	// Moved is what was known of this folder, and is kept with the other project now; nil: nothing.
	Moved   *store.ProjectCounts `json:"moved,omitempty"`
	Backup  string               `json:"backup,omitempty"` // of all memory as it was before
	Applied bool                 `json:"applied"`
}

// Merge makes a folder use the memory of another project, and moves what is known of it there.
var Merge = brain.Operation[MergeInput, MergeResult]{
	Name: "merge",
	Run: func(ctx context.Context, b *brain.Brain, in MergeInput) (out MergeResult, err error) {
		here, err := project.Resolve(in.Dir)
		if err != nil {
			return out, fmt.Errorf("project of %s: %w", in.Dir, err)
		}
		out.Root = here.Root
		own := b.Config.Home(here).Settled()
		if in.From != "" {
			if own, err = placeOf(ctx, b.Store, in.From); err != nil {
				return out, err
			}
			out.Root = own.Root
		}
		if out, err = planMerge(ctx, b.Store, own, in.Project, out); err != nil || !in.Apply {
			return out, err
		}
		out.Applied = true
		if out.Moved == nil {
			return out, b.UseMemoryOf(ctx, here, out.Into.Identity)
		}
		backup, err := Backup(ctx, b, "")
		if err != nil {
			return out, fmt.Errorf("merge: nothing was changed: %w", err)
		}
		out.Backup = backup.File
		if err := PrepareMerge(ctx, b, own, out.Into); err != nil {
			return out, fmt.Errorf("merge: nothing was changed: %w", err)
		}
		return out, FinishMerges(ctx, b)
	},
}

// placeOf is the place of a project that is named.
func placeOf(ctx context.Context, st *store.Store, name string) (memory.Place, error) {
	p, err := brain.View(ctx, st, func(tx *store.Tx) (memory.Project, error) {
		id, err := brain.Named(ctx, tx, name)
		if err != nil {
			return memory.Project{}, err
		}
		return tx.Project(ctx, id)
	})
	return memory.Place{Identity: p.Identity, Root: p.Root}, err
}

// planMerge returns what a merge would do, and refuses an impossible one.
func planMerge(ctx context.Context, st *store.Store, own memory.Place, into string, out MergeResult) (MergeResult, error) {
	return brain.View(ctx, st, func(tx *store.Tx) (MergeResult, error) {
		id, err := brain.Named(ctx, tx, into)
		if err != nil {
			return out, err
		}
		if out.Into, err = tx.Project(ctx, id); err != nil {
			return out, err
		}
		if own.Project() == id {
			return out, fmt.Errorf("%s already uses the memory of %s: %w", out.Root, out.Into.Name, memory.ErrConflict)
		}
		if _, err := tx.Project(ctx, own.Project()); brain.IsNotFound(err) {
			return out, nil
		} else if err != nil {
			return out, err
		}
		counts, err := tx.CountProject(ctx, own.Project())
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

func mergesDir(dataDir string) string { return filepath.Join(dataDir, "merges") }

// PrepareMerge writes the file and lets the project of a place use the other memory. Nothing of the store is changed yet.
func PrepareMerge(ctx context.Context, b *brain.Brain, place memory.Place, into memory.Project) error {
	dir := mergesDir(b.Config.Dir)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".new-*")
	if err != nil {
		return err
	}
	defer func() { _ = filesys.Remove(f.Name()) }() // unless it got its name
	_, err = export(ctx, b.Store, f, &projectMove{from: place.Project(), into: into, sessions: map[memory.SessionID]memory.SessionID{}})
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	// First: events that come meanwhile are the other project's, at every place of this one.
	known, _ := b.Config.Place(place.Identity)
	known.Identity, known.Home = place.Identity, into.Identity
	if err := b.Config.SavePlace(known); err != nil {
		return err
	}
	if err := b.Store.UpdateDurable(ctx, func(tx *store.Tx) error { return brain.MovePauses(ctx, tx, place.Project(), into.ID) }); err != nil {
		return err
	}
	return filesys.Rename(f.Name(), filepath.Join(dir, place.Project().String()+"-"+into.ID.String()+mergeEnding))
}

// merges lists what is not finished.
func merges(dataDir string) (found []merge, err error) {
	entries, err := os.ReadDir(mergesDir(dataDir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range entries {
		from, into, _ := strings.Cut(strings.TrimSuffix(e.Name(), mergeEnding), "-")
		one, bad := memory.ParseProjectID(from)
		other, worse := memory.ParseProjectID(into)
		if bad == nil && worse == nil && strings.HasSuffix(e.Name(), mergeEnding) {
			found = append(found, merge{File: filepath.Join(mergesDir(dataDir), e.Name()), from: one, into: other})
		}
	}
	return found, nil
}

// mergeTime is the lease of a merge.
const mergeTime = 10 * time.Minute

// FinishMerges carries out what PrepareMerge prepared.
func FinishMerges(ctx context.Context, b *brain.Brain) error {
	if found, err := merges(b.Config.Dir); err != nil || len(found) == 0 {
		return err
	}
	_, err := b.Alone(ctx, "merge", mergeTime, func() error {
		found, err := merges(b.Config.Dir) // again: another process may have finished some
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
	cached := errors.Join(recall.RemovePast(b.Config.Cache(), m.from), recall.RemoveFileWords(b.Config.Contents(m.from)))
	return errors.Join(cached, views.ForgetFiles(ctx, b))
}

// vacatedAtOnce is how many rows one transaction deletes.
const vacatedAtOnce = 200
