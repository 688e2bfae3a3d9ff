package brain

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/dream"
	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/workmem"
)

// AdoptInput names files that a person wrote before hebb kept a state.
type AdoptInput struct {
	Scope
	// Files are paths; none: MEMORY.md, CLAUDE.md and AGENTS.md in the project's root, those that are there.
	Files []string `json:"files,omitempty"`
	// Mine says that the person stands for every line, whoever committed it.
	Mine bool `json:"mine,omitempty"`
	// Dry only tells what would be taken in.
	Dry bool `json:"dry,omitempty"`
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
	// Orders are lines that address the agent who reads them, told by a dry run.
	Orders []string `json:"orders,omitempty"`
	// Known says that it was adopted before and has not changed since; Cleaned that secrets were left out.
	Known   bool `json:"known,omitempty"`
	Cleaned bool `json:"cleaned,omitempty"`
}

// Adopt takes a hand-written memory into the state: kept as crystals at once, standing above hebb's block word for word, and
// taken in below it by later dreams. The files themselves are read and never written.
var Adopt = Operation[AdoptInput, AdoptResult]{
	Name: "state-adopt", Summary: "Take a hand-written MEMORY.md, CLAUDE.md or AGENTS.md into the state of mind",
	Run: func(ctx context.Context, b *Brain, in AdoptInput) (out AdoptResult, err error) {
		place, id, err := b.placeOf(ctx, in.Scope)
		if err != nil {
			return out, err
		}
		if len(in.Files) == 0 {
			if in.Files, err = b.adoptable(place); err != nil {
				return out, err
			}
		}
		var texts []handWritten
		for _, name := range in.Files { // all are read before anything is kept
			if !filepath.IsAbs(name) {
				name = filepath.Join(in.Dir, name)
			}
			one, err := b.readHandWritten(name)
			if one.mine = in.Mine; err == nil {
				err = one.tellApart(ctx)
			}
			if err != nil {
				return out, err
			}
			texts = append(texts, one)
		}
		if in.Dry {
			return b.wouldAdopt(ctx, id, texts)
		}
		if _, err := b.refreshViews(ctx, []memory.ProjectID{id}); err != nil && !isNotFound(err) { // what people wrote comes first
			return out, err
		}
		for i := range texts {
			if texts[i].backup, err = b.backUp(id, texts[i]); err != nil {
				return out, err
			}
		}
		err = b.recording(ctx, b.store.UpdateDurable, func(r *recorder) error {
			out = AdoptResult{Files: []AdoptedFile{}}
			if in.Project == "" {
				if err := r.seeProject(ctx, memory.Event{At: r.tx.Now, Place: place}); err != nil {
					return err
				}
			}
			for _, one := range texts {
				adopted, err := b.adopt(ctx, r.tx, id, one)
				if err != nil {
					return fmt.Errorf("adopt %s: %w", one.path, err)
				}
				out.Files = append(out.Files, adopted)
			}
			return nil
		})
		if err != nil {
			return out, err
		}
		views, err := b.refreshViews(ctx, []memory.ProjectID{id})
		out.Warnings = views.Warnings
		return out, err
	},
}

// placeOf is the project that is named, or the one around a folder.
func (b *Brain) placeOf(ctx context.Context, in Scope) (memory.Place, memory.ProjectID, error) {
	if in.Project == "" {
		place, err := b.placeAt(in.Dir)
		if err != nil {
			return place, 0, err
		}
		return place, place.Project(), nil
	}
	p, err := viewed(ctx, b, func(tx *store.Tx) (memory.Project, error) {
		id, err := b.named(ctx, tx, in.Project)
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
func (b *Brain) adoptable(place memory.Place) (files []string, err error) {
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

func (b *Brain) seedFolder() string { return filepath.Join(b.config.Dir, "seeds") }

// forgetBackups strikes the copies of adopted files off that say what is forgotten; sweepBackups then removes them. The files
// themselves are the person's, and stay.
func (b *Brain) forgetBackups(ctx context.Context, tx *store.Tx, id memory.ProjectID, words string, piece bool) error {
	record, err := b.seedRecord(ctx, tx, id)
	if err != nil {
		return err
	}
	struck, forgotten := false, spaced(words)
	for i, f := range record.Files {
		text, err := os.ReadFile(f.Backup)
		if f.Backup == "" || err != nil {
			continue
		}
		says := func(line string) bool { return saidIn(line, forgotten, piece) }
		if slices.ContainsFunc(slices.Collect(strings.Lines(string(text))), says) {
			record.Files[i].Backup, struck = "", true
		}
	}
	if !struck {
		return nil
	}
	return b.saveSeedRecord(ctx, tx, id, record)
}

// sweepBackups removes the copies of adopted files that no record names: of projects and words that are forgotten, and of
// versions that others have followed, which may say them too.
func (b *Brain) sweepBackups(ctx context.Context) error {
	files, err := filepath.Glob(filepath.Join(b.seedFolder(), "*", "*.seed-backup"))
	if err != nil || len(files) == 0 {
		return err
	}
	named := map[string]bool{}
	err = b.store.View(ctx, func(tx *store.Tx) error {
		for _, file := range files {
			id, err := memory.ParseProjectID(filepath.Base(filepath.Dir(file)))
			if err != nil {
				named[file] = true // not ours
				continue
			}
			record, err := b.seedRecord(ctx, tx, id)
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
			err = errors.Join(err, filesys.Remove(file))
		}
	}
	return err
}

// seedRecord is what is known of what a project adopted.
type seedRecord struct {
	At     int64              `json:"at"` // when something was last adopted, unix ms
	Files  []seedFile         `json:"files"`
	Pieces int                `json:"pieces"` // crystals that hold the texts
	Lines  []memory.CrystalID `json:"lines"`  // that dreams took in
}

type seedFile struct {
	Path   string `json:"path"`
	Hash   string `json:"hash"`
	Backup string `json:"backup"`
	Others bool   `json:"others,omitempty"` // lines of others did not become the person's word
}

// has says that a text was adopted as it is, or all of it as the person's, which leaves nothing to add.
func (r seedRecord) has(h handWritten) bool {
	part, whole := h.hash(), h.wholeHash()
	return slices.ContainsFunc(r.Files, func(f seedFile) bool { return f.Hash == part || f.Hash == whole })
}

func seedFact(id memory.ProjectID) store.Fact[seedRecord] {
	return store.NewFact[seedRecord]("dream/seed").Of(id)
}

func (b *Brain) seedRecord(ctx context.Context, tx *store.Tx, id memory.ProjectID) (seedRecord, error) {
	return seedFact(id).Get(ctx, tx)
}

func (b *Brain) saveSeedRecord(ctx context.Context, tx *store.Tx, id memory.ProjectID, r seedRecord) error {
	return seedFact(id).Set(ctx, tx, r)
}

// adoptedSource begins the source of a crystal that holds part of an adopted text.
const adoptedSource = "adopted "

// adopt keeps a text as crystals and sets it above the state. Of a file that was adopted before only what is new is set there.
func (b *Brain) adopt(ctx context.Context, tx *store.Tx, id memory.ProjectID, h handWritten) (out AdoptedFile, err error) {
	out = AdoptedFile{Path: h.path, Backup: h.backup, Cleaned: h.cleaned}
	record, err := b.seedRecord(ctx, tx, id)
	if err != nil {
		return out, err
	}
	if record.has(h) {
		out.Known = true // also as AGENTS.md where CLAUDE.md says the same
		return out, nil
	}
	fresh := h.fresh(record)
	out.Others = countLines(h.text) - countLines(h.own(h.text))
	record.Files = slices.DeleteFunc(record.Files, func(f seedFile) bool { return f.Path == h.path })
	name := filepath.Base(h.path)
	for _, piece := range b.adoptedPieces(id, h, tx.Now) {
		if _, err := b.crystallise(ctx, tx, piece); err != nil {
			return out, err
		}
		out.Pieces++
	}
	if strings.TrimSpace(fresh) != "" {
		s, _, err := b.state(ctx, tx, id)
		if err != nil {
			return out, err
		}
		if s.Above != "" && !strings.HasSuffix(s.Above, "\n") {
			s.Above += "\n"
		}
		s.Above += workmem.SeedBlock(name, tx.Now, fresh)
		out.Lines = countLines(fresh)
		if _, err := b.saveState(ctx, tx, id, s, stateByUser); err != nil {
			return out, err
		}
	}
	record.At, record.Pieces = tx.Now.UnixMilli(), record.Pieces+out.Pieces
	record.Files = append(record.Files, seedFile{Path: h.path, Hash: h.hash(), Backup: h.backup, Others: out.Others > 0})
	return out, b.saveSeedRecord(ctx, tx, id, record)
}

// adoptedCrystal holds part of an adopted text. It is a lesson, because that kind makes no claim that a later one could end.
func (b *Brain) adoptedCrystal(id memory.ProjectID, name, text string, by memory.Origin, said, now time.Time) memory.Crystal {
	return memory.Crystal{
		Project: id, Kind: memory.Lesson, Text: text, Origin: by, Source: adoptedSource + name, Lifecycle: memory.Consolidated,
		Importance: dream.SeedImportance, SaidAt: said, LastAt: now, Accesses: 1,
	}
}

// newLines is a text without the lines that an earlier version of it has, as often as it has them.
func newLines(before, text string) string {
	known := map[string]int{}
	for line := range strings.Lines(before) {
		known[strings.TrimSpace(line)]++
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		if bare := strings.TrimSpace(line); bare != "" && known[bare] > 0 {
			known[bare]--
			continue
		}
		b.WriteString(line)
	}
	if strings.TrimSpace(b.String()) == "" {
		return ""
	}
	return b.String()
}

// seeds tells a dream what was adopted, and adds the crystals of the lines that were taken in.
func (b *Brain) seeds(ctx context.Context, tx *store.Tx, record seedRecord, m *dream.Material) error {
	if record.At == 0 {
		return nil
	}
	m.Seeds = dream.Seeds{Open: dream.SeedOpen(time.UnixMilli(record.At), m.Old.Dreamt), Held: map[memory.CrystalID]bool{}}
	known := map[memory.CrystalID]bool{}
	for _, c := range m.Crystals {
		known[c.ID] = true
	}
	for _, id := range record.Lines {
		m.Seeds.Held[id] = true
		if known[id] {
			continue
		}
		c, err := tx.Crystal(ctx, id)
		if isNotFound(err) {
			continue
		}
		if err != nil {
			return err
		}
		known[id] = true
		m.Crystals = append(m.Crystals, c.Crystal)
	}
	return nil
}

// keepAdopted keeps the lines that a dream took in as crystals of their own.
func (b *Brain) keepAdopted(ctx context.Context, tx *store.Tx, id memory.ProjectID, lines []workmem.Cut) error {
	if len(lines) == 0 {
		return nil
	}
	record, err := b.seedRecord(ctx, tx, id)
	if err != nil {
		return err
	}
	for _, l := range lines {
		text := strings.TrimSpace(strings.TrimPrefix(l.Text, "- "))
		said, err := b.crystallise(ctx, tx, b.adoptedCrystal(id, "line", text, memory.OriginUser, tx.Now, tx.Now))
		if err != nil {
			return err
		}
		if !slices.Contains(record.Lines, said.ID) {
			record.Lines = append(record.Lines, said.ID)
		}
	}
	return b.saveSeedRecord(ctx, tx, id, record)
}

// keepSeeds sets lines that dreams took in above a state that does not tell them: it is of a time before that.
func (b *Brain) keepSeeds(ctx context.Context, tx *store.Tx, id memory.ProjectID, s *workmem.State) error {
	record, err := b.seedRecord(ctx, tx, id)
	if err != nil {
		return err
	}
	told := spaced(s.Above + "\n" + s.Below + "\n" + workmem.StateDocument(*s))
	var untold strings.Builder
	for _, line := range record.Lines {
		c, err := tx.Crystal(ctx, line)
		if isNotFound(err) {
			continue // forgotten since
		}
		if err != nil {
			return err
		}
		if !strings.Contains(told, spaced(c.Text)) {
			untold.WriteString("- " + c.Text + "\n")
		}
	}
	if untold.Len() == 0 {
		return nil
	}
	if s.Above != "" && !strings.HasSuffix(s.Above, "\n") {
		s.Above += "\n"
	}
	s.Above += workmem.SeedBlock("a later state", tx.Now, untold.String())
	return nil
}

// Unadopted lists the hand-written files of the project around a folder that were never adopted, and those that have changed
// since.
var Unadopted = Operation[Scope, UnadoptedResult]{
	Name: "state-unadopted", Summary: "List hand-written memories that were not adopted",
	Run: func(ctx context.Context, b *Brain, in Scope) (out UnadoptedResult, err error) {
		place, err := b.placeAt(in.Dir)
		if err != nil {
			return out, nil // no project, nothing to adopt
		}
		files, err := b.adoptable(place)
		if err != nil {
			return out, nil
		}
		record, err := viewed(ctx, b, func(tx *store.Tx) (seedRecord, error) { return b.seedRecord(ctx, tx, place.Project()) })
		if err != nil {
			return out, err
		}
		for _, file := range files {
			h, err := b.readHandWritten(file)
			if err != nil || strings.TrimSpace(h.text) == "" {
				continue // it could not be adopted
			}
			switch {
			case slices.ContainsFunc(record.Files, func(f seedFile) bool { return f.Hash == h.hash() }):
			case slices.ContainsFunc(record.Files, func(f seedFile) bool { return f.Path == h.path }):
				out.Changed = append(out.Changed, filepath.Base(file))
			default:
				out.New = append(out.New, filepath.Base(file))
			}
		}
		return out, nil
	},
}

// UnadoptedResult names files by their last part.
type UnadoptedResult struct {
	New     []string `json:"new,omitempty"`
	Changed []string `json:"changed,omitempty"`
}

// Line offers it in one line, or says nothing.
func (r UnadoptedResult) Line() string {
	var parts []string
	if len(r.New) > 0 {
		parts = append(parts, strings.Join(r.New, ", ")+" written by hand")
	}
	if len(r.Changed) > 0 {
		parts = append(parts, strings.Join(r.Changed, ", ")+" changed since adopted")
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, "; ") + ": hebb state adopt takes that in, if you like"
}
