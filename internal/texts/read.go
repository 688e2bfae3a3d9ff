package texts

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

// ReadInput names a text.
type ReadInput struct {
	brain.Scope
	// ID is what a search shows of a text: its reference, or the beginning of a memory's ID that only it has.
	ID string `json:"id"`
	// Anywhere also reads a text of another project if ID is all of its reference. It is for people.
	Anywhere bool `json:"-"`
}

// ReadText returns a text that a search has found, to its end.
var ReadText = brain.Operation[ReadInput, Found]{
	Name: "read-text",
	Run: func(ctx context.Context, b *brain.Brain, in ReadInput) (Found, error) {
		return brain.View(ctx, b.Store, func(tx *store.Tx) (f Found, err error) {
			var projects []memory.ProjectID // none for all
			if !in.All || in.Project != "" {
				id, err := brain.Resolve(ctx, tx, b.Config, in.Scope)
				if err != nil {
					return f, err
				}
				projects = []memory.ProjectID{id, 0}
			}
			may := func(project memory.ProjectID, kind string) bool {
				source := config.SourceMemory
				if kind == memory.SessionText || kind == memory.SegmentText {
					source = config.SourceSessions
				}
				return (in.Anywhere || projects == nil || slices.Contains(projects, project)) && b.Config.Search.Looks(source)
			}
			docs, err := tx.DocumentsByRef(ctx, in.ID)
			if err != nil {
				return f, err
			}
			docs = slices.DeleteFunc(docs, func(d store.Document) bool { return !may(d.Project, d.Kind) })
			kept, err := crystalOf(ctx, tx, in.ID, docs, projects)
			if err != nil {
				return f, err
			}
			if kept != nil && len(docs) == 0 {
				if docs, err = tx.Texts(ctx, []int64{kept.Document}); err != nil {
					return f, err
				}
				docs = slices.DeleteFunc(docs, func(d store.Document) bool { return !may(d.Project, d.Kind) })
			}
			if len(docs) == 0 {
				if record, err := b.Spool.ReadSaid(memory.EventID(in.ID)); err == nil {
					if f, ok := waitingText(ctx, b.Config, tx, record); ok && may(f.Project, f.Kind) {
						return f, nil
					}
				}
				return f, fmt.Errorf("no text here has the ID %q: a search shows them: %w", in.ID, memory.ErrNotFound)
			}
			d := docs[0]
			f = Found{
				Ref: d.Ref, Group: memory.GroupOf(d.Kind), Kind: d.Kind, Project: d.Project, Origin: d.Origin, At: d.At, Path: d.Path, Title: d.Title, Text: d.Text,
				Session: d.Session,
			}
			if kept != nil {
				f.Crystal = &kept.Crystal
			}
			if f.Answer, err = answerTo(ctx, tx, d, nil); err != nil {
				return f, err
			}
			lines, err := tx.LinesOf(ctx, []int64{d.ID})
			if at, known := lines[d.ID]; known {
				f.Lines = &at
			}
			return f, err
		})
	},
}

// crystalOf is the memory that a text is of, or the one of some projects whose ID begins with what was given; nil for another text.
func crystalOf(ctx context.Context, tx *store.Tx, id string, docs []store.Document, projects []memory.ProjectID) (*store.Kept, error) {
	filter := store.CrystalFilter{Prefix: id, Projects: projects, Limit: 2}
	if len(docs) > 0 {
		filter = store.CrystalFilter{Documents: []int64{docs[0].ID}}
	} else if id == "" || strings.Trim(id, "0123456789abcdefghijklmnopqrstuvwxyz") != "" {
		return nil, nil
	}
	kept, err := tx.Crystals(ctx, filter)
	switch {
	case err != nil || len(kept) == 0:
		return nil, err
	case len(kept) > 1:
		return nil, fmt.Errorf("text %q could be %s or %s: give a longer prefix: %w", id, kept[0].ID, kept[1].ID, memory.ErrConflict)
	}
	return &kept[0], nil
}
