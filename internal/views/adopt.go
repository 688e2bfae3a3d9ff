package views

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/state"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// AdoptInput names files that a person wrote before hebb kept a state.
type AdoptInput struct {
	brain.Scope
	// Files are paths; none: MEMORY.md, CLAUDE.md and AGENTS.md in the project's root, those that are there.
	Files []string `json:"files,omitempty" arg:"1.."`
	Mine  bool     `json:"mine,omitempty" flag:"mine" about:"accept every line as yours, regardless of its author in git"`
	Dry   bool     `json:"dry,omitempty" flag:"dry-run" about:"only show what would be imported"`
}

// AdoptResult is what became of the files.
type AdoptResult struct {
	Files    []AdoptedFile `json:"files"`
	Dry      bool          `json:"dry,omitempty"`
	Warnings []string      `json:"warnings,omitempty"`
}

// AdoptedFile is a file whose text stands above the state.
type AdoptedFile struct {
	Path   string `json:"path"`
	Backup string `json:"backup,omitempty"`
	// Pieces are the crystals that hold its text, Lines those that are new to the state.
	Pieces int `json:"pieces"`
	Lines  int `json:"lines"`
	// Others are lines that somebody else committed. They are kept as what the repository says, and not as the person's word:
	// search finds them, the state does not hold them.
	Others int `json:"others,omitempty"`
	// Orders are lines that address the agent who reads them, shown by a dry run.
	Orders []string `json:"orders,omitempty"`
	// Known says that it was adopted before and has not changed since; Cleaned that secrets were left out.
	Known   bool `json:"known,omitempty"`
	Cleaned bool `json:"cleaned,omitempty"`
}

// Adopt takes a hand-written memory into the state: kept as crystals at once, standing above hebb's block word for word, and
// adopted into it by later dreams. The files themselves are read and never written.
var Adopt = brain.Operation[AdoptInput, AdoptResult]{
	Name: "state-adopt",
	Run: func(ctx context.Context, b *brain.Brain, in AdoptInput) (out AdoptResult, err error) {
		place, id, err := placeOf(ctx, b.Store, b.Config, in.Scope)
		if err != nil {
			return out, err
		}
		if len(in.Files) == 0 {
			if in.Files, err = adoptable(place); err != nil {
				return out, err
			}
		}
		var texts []handWritten
		for _, name := range in.Files { // all are read before anything is kept
			if !filepath.IsAbs(name) {
				name = filepath.Join(in.Dir, name)
			}
			one, err := readHandWritten(name)
			if one.Mine = in.Mine; err == nil {
				err = one.findAuthors(ctx)
			}
			if err != nil {
				return out, err
			}
			texts = append(texts, one)
		}
		if in.Dry {
			return wouldAdopt(ctx, b.Store, id, texts)
		}
		if _, err := RefreshViews(ctx, b, []memory.ProjectID{id}); err != nil && !brain.IsNotFound(err) { // what people wrote comes first
			return out, err
		}
		for i := range texts {
			if texts[i].Backup, err = backUp(seedFolder(b.Config.Dir), id, texts[i]); err != nil {
				return out, err
			}
		}
		err = record.Recording(ctx, b, b.Store.UpdateDurable, func(r *record.Recorder) error {
			out = AdoptResult{Files: []AdoptedFile{}}
			if in.Project == "" {
				if err := r.SeeProject(ctx, memory.Event{At: r.Tx.Now, Place: place}); err != nil {
					return err
				}
			}
			for _, one := range texts {
				adopted, err := adopt(ctx, b.Config.Tuning.Crystal, r.Tx, id, one)
				if err != nil {
					return fmt.Errorf("adopt %s: %w", one.Path, err)
				}
				out.Files = append(out.Files, adopted)
			}
			return nil
		})
		if err != nil {
			return out, err
		}
		views, err := RefreshViews(ctx, b, []memory.ProjectID{id})
		out.Warnings = views.Warnings
		return out, err
	},
}

// placeOf is the project that is named, or the one around a folder.
func placeOf(ctx context.Context, st *store.Store, c config.Config, in brain.Scope) (memory.Place, memory.ProjectID, error) {
	if in.Project == "" {
		place, err := brain.PlaceAt(c, in.Dir)
		if err != nil {
			return place, 0, err
		}
		return place, place.Project(), nil
	}
	p, err := brain.View(ctx, st, func(tx *store.Tx) (memory.Project, error) {
		id, err := brain.Named(ctx, tx, in.Project)
		if err != nil {
			return memory.Project{}, err
		}
		return tx.Project(ctx, id)
	})
	return memory.Place{Identity: p.Identity, Root: p.Root}, p.ID, err
}

// handWrittenNames are the files that people and agents keep a memory in, at the root of a project.
var handWrittenNames = []string{"MEMORY.md", "CLAUDE.md", "AGENTS.md"}

// adoptable lists the files of a project that can be adopted. A link that leads out of it, which somebody else may have put there,
// is followed only if it is named.
func adoptable(place memory.Place) (files []string, err error) {
	root, err := memory.UnescapePath(place.Root)
	if err != nil {
		return nil, err
	}
	if inside, err := os.OpenRoot(filepath.FromSlash(root)); err == nil {
		defer func() { _ = inside.Close() }() // it was only read
		for _, name := range handWrittenNames {
			if info, err := inside.Stat(name); err == nil && info.Mode().IsRegular() {
				files = append(files, filepath.Join(filepath.FromSlash(root), name))
			}
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s holds none of %s: name the file: %w", root, strings.Join(handWrittenNames, ", "), memory.ErrNotFound)
	}
	return files, nil
}

func seedFolder(dataDir string) string { return filepath.Join(dataDir, "seeds") }

// ForgetBackups strikes the copies of adopted files off that say what is forgotten; sweepBackups then removes them. The files
// themselves are the person's, and stay.
func ForgetBackups(ctx context.Context, tx *store.Tx, id memory.ProjectID, words string, piece bool) error {
	record, err := state.SeedFact(id).Get(ctx, tx)
	if err != nil {
		return err
	}
	struck, forgotten := false, goals.Spaced(words)
	for i, f := range record.Files {
		text, err := filesys.ReadFile(f.Backup)
		if f.Backup == "" || err != nil {
			continue
		}
		says := func(line string) bool { return brain.SaidIn(line, forgotten, piece) }
		if slices.ContainsFunc(slices.Collect(strings.Lines(string(text))), says) {
			record.Files[i].Backup, struck = "", true
		}
	}
	if !struck {
		return nil
	}
	return state.SeedFact(id).Set(ctx, tx, record)
}

// SweepBackups removes the copies of adopted files that no record names: of projects and words that are forgotten, and of
// versions that others have followed, which may say them too.
func SweepBackups(ctx context.Context, st *store.Store, dataDir string) error {
	files, err := filepath.Glob(filepath.Join(seedFolder(dataDir), "*", "*.seed-backup"))
	if err != nil || len(files) == 0 {
		return err
	}
	named := map[string]bool{}
	err = st.View(ctx, func(tx *store.Tx) error {
		for _, file := range files {
			id, err := memory.ParseProjectID(filepath.Base(filepath.Dir(file)))
			if err != nil {
				named[file] = true // not ours
				continue
			}
			record, err := state.SeedFact(id).Get(ctx, tx)
			if err != nil {
				return err
			}
			for _, f := range record.Files {
				named[f.Backup] = true
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, file := range files {
		if !named[file] {
			err = errors.Join(err, filesys.RemoveOwn(file))
		}
	}
	return err
}

// adopt keeps a text as crystals and sets it above the state. Of a file that was adopted before only what is new is set there.
func adopt(ctx context.Context, settings tuning.Crystal, tx *store.Tx, id memory.ProjectID, h handWritten) (out AdoptedFile, err error) {
	out = AdoptedFile{Path: h.Path, Backup: h.Backup, Cleaned: h.Cleaned}
	record, err := state.SeedFact(id).Get(ctx, tx)
	if err != nil {
		return out, err
	}
	if adoptedBefore(record, h) {
		out.Known = true // also as AGENTS.md where CLAUDE.md says the same
		return out, nil
	}
	fresh := h.fresh(record)
	out.Others = countLines(h.Text) - countLines(h.own(h.Text))
	record.Files = slices.DeleteFunc(record.Files, func(f state.SeedFile) bool { return f.Path == h.Path })
	for _, piece := range adoptedPieces(id, h, tx.Now) {
		if _, err := statements.Crystallise(ctx, settings, tx, piece); err != nil {
			return out, err
		}
		out.Pieces++
	}
	if strings.TrimSpace(fresh) != "" {
		s, _, err := state.State(ctx, tx, id)
		if err != nil {
			return out, err
		}
		s.AddSeed(filepath.Base(h.Path), tx.Now, fresh)
		out.Lines = countLines(fresh)
		if _, err := state.SaveState(ctx, tx, id, s, state.StateByUser); err != nil {
			return out, err
		}
	}
	record.At, record.Pieces = tx.Now.UnixMilli(), record.Pieces+out.Pieces
	record.Files = append(record.Files, state.SeedFile{Path: h.Path, Hash: h.hash(), Backup: h.Backup, Others: out.Others > 0})
	return out, state.SeedFact(id).Set(ctx, tx, record)
}
