package ranking

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/code"
	"github.com/hebb-memory/hebb/internal/embedding"
	"github.com/hebb-memory/hebb/internal/git"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
)

const (
	sourceFiles    = 2000 // files worked on last whose comments and headings are learned from (a second or two of reading)
	paragraphBytes = 600  // of a paragraph below a heading: the first sentences say what it is about
)

// besideReader reads from a project's folder the texts that stand beside each other: what commits say at length, comments with the names
// they explain, headings with their paragraphs. They are kept only in the table that is trained on them.
type besideReader struct {
	place     memory.Place
	files     []string // of the past, the latest first
	forgotten map[memory.EventID]bool
}

// Look notes what the store knows: where the project is, which of its files were worked on of late, and what was forgotten on
// purpose.
func (r *besideReader) Look(ctx context.Context, tx *store.Tx, p *record.Past) error {
	r.place, r.files, r.forgotten = memory.Place{}, nil, map[memory.EventID]bool{}
	project, err := tx.Project(ctx, p.Project)
	if brain.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	r.place = memory.Place{Identity: project.Identity, Root: project.Root}
	r.files = p.Image.Latest(sourceFiles)
	gone, err := tx.Tombstones(ctx)
	for _, id := range gone {
		r.forgotten[id] = true
	}
	return err
}

// Read reads them, by file. What cannot be read now, a folder that is not there for instance, has none: the past says enough, and the next
// table may know more.
func (r *besideReader) Read(ctx context.Context) (texts []embedding.Beside) {
	repo, err := git.At(r.place)
	if err != nil || r.place.Root == "" {
		return nil
	}
	add := func(file, a, b string) error {
		texts = append(texts, embedding.Beside{A: recall.Asked(scrub.Clean(a)), B: recall.Asked(scrub.Clean(b)), File: file})
		return nil
	}
	_ = repo.Messages(ctx, embedding.Pieces, func(m git.Message) error {
		if r.forgotten[memory.DerivedEventID("git", r.place.Identity, m.Hash)] {
			return nil
		}
		return add("", m.Subject, m.Body)
	})
	o := code.Options{Documents: true, MinLines: 1, Paths: []string{}} // a comment on one line explains it too
	for _, f := range r.files {
		if name, err := memory.UnescapePath(f); err == nil {
			o.Paths = append(o.Paths, name)
		}
	}
	_, _ = code.Walk(ctx, repo.Root, o, nil, func(f code.File) error {
		for _, s := range f.Snippets {
			paragraph, _, _ := strings.Cut(s.Opening, "\n\n")
			_ = add(f.Path, s.Heading(), paragraph[:min(len(paragraph), paragraphBytes)])
		}
		return nil
	})
	o.Documents = false
	_, _ = code.Walk(ctx, repo.Root, o, nil, func(f code.File) error {
		for _, s := range f.Snippets {
			if s.Doc != "" {
				_ = add(f.Path, s.Doc, s.Name+" "+f.Path)
			}
		}
		return nil
	})
	slices.SortStableFunc(texts, func(a, b embedding.Beside) int { return cmp.Compare(a.File, b.File) })
	return texts
}
