package views

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/sheet"
	"github.com/hebb-memory/hebb/internal/store"
)

// ReadInput names something to read: a page that people write (soul, questions, context, projects), or a file that hebb
// keeps (recent, summary, pinned, live, memory, scratch).
type ReadInput struct {
	brain.Scope
	Name string `json:"name"`
	// Edited says that the person has just saved the file in an editor: whoever wrote it before, it is theirs now.
	Edited bool `json:"-"`
}

// ReadResult is a page as it stands.
type ReadResult struct {
	Name string `json:"name"`
	File string `json:"file"`
	Text string `json:"text"` // empty: there is nothing yet
	// Template says that nobody has written the page yet.
	Template bool          `json:"template,omitempty"`
	By       memory.Origin `json:"by,omitempty"`
	At       time.Time     `json:"at,omitzero"`
	Stale    string        `json:"stale,omitempty"`
	// Left says that the file says something else, which is not imported.
	Left bool `json:"-"`
	// Warnings are edits of files that could not be imported.
	Warnings []string `json:"warnings,omitempty"`
}

// ImportEdits imports what people wrote into the files, and writes those as they should be.
var ImportEdits = brain.Operation[struct{}, ViewsReport]{
	Name: "take-in-edits",
	Run: func(ctx context.Context, b *brain.Brain, _ struct{}) (ViewsReport, error) {
		return RefreshViews(ctx, b, nil)
	},
}

// shelfFiles are the files that hebb keeps, by the names under which they are read.
var shelfFiles = map[string]string{
	"recent": "RECENT.md", "summary": "SUMMARY.md", "pinned": "PINNED.md", "live": "live.md", "memory": "MEMORY.md", "scratch": "scratch.md",
}

// ReadPage reads a page or a file, with what people have changed in it by hand.
var ReadPage = brain.Operation[ReadInput, ReadResult]{
	Name: "read",
	Run: func(ctx context.Context, b *brain.Brain, in ReadInput) (out ReadResult, err error) {
		name := strings.ToLower(strings.TrimSuffix(strings.TrimSpace(in.Name), ".md"))
		if file, kept := shelfFiles[name]; kept {
			id, err := brain.View(ctx, b.Store, func(tx *store.Tx) (memory.ProjectID, error) { return brain.Resolve(ctx, tx, b.Config, in.Scope) })
			if err != nil {
				return out, err
			}
			return readShelf(ctx, filesOf(b), id, name, file, in.Edited)
		}
		page, err := desk.ParsePage(name)
		if err != nil {
			return out, err
		}
		f := filesOf(b)
		if in.Edited {
			f.edited = page.File()
		}
		views, err := f.refreshIn(ctx, nil, viewMoment)
		if err != nil {
			return out, err
		}
		out = ReadResult{Name: name, File: filepath.Join(b.Config.Vault(), page.File()), Left: slices.Contains(views.Waiting, page.File()), Warnings: views.Warnings}
		return out, b.Store.View(ctx, func(tx *store.Tx) error {
			p, err := tx.Page(ctx, string(page))
			if brain.IsNotFound(err) {
				out.Text, out.Template = page.Template(), true
				return nil
			}
			if err != nil {
				return err
			}
			out.Text, out.By, out.At, out.Template = p.Text, p.By, p.At, desk.IsTemplate(p.Text)
			if !out.Template {
				out.Stale = desk.Stale(tx.Now.Sub(p.At))
			}
			return nil
		})
	},
}

// readShelf reads a file that hebb keeps, after writing it as it should be now.
func readShelf(ctx context.Context, f files, id memory.ProjectID, name, file string, edited bool) (out ReadResult, err error) {
	folders, err := Folders(ctx, f.b.Store, []memory.ProjectID{id})
	if err != nil {
		return out, err
	}
	if name != "live" {
		file = path.Join(folders[id], file)
	}
	if edited {
		f.edited = file
	}
	views, err := f.refreshIn(ctx, []memory.ProjectID{id}, viewMoment)
	if err != nil || name != "live" && folders[id] == "" { // nothing is known of this project
		return ReadResult{Name: name, Warnings: views.Warnings}, err
	}
	out = ReadResult{Name: name, File: f.path(file), Warnings: views.Warnings}
	if out.Left = slices.Contains(views.Waiting, file); out.Left { // an agent that asks is not shown what it may have written as the person's
		out.Text, _, err = f.lastWritten(ctx, file)
	} else {
		var found content
		found, err = f.read(file)
		out.Text = found.text
	}
	out.Text = sheet.Bare(out.Text) // marks are for who edits the file
	return out, err
}

// WriteInput is a page as somebody wants it.
type WriteInput struct {
	Name   string        `json:"name"`
	Text   string        `json:"text"`
	Origin memory.Origin `json:"origin,omitempty"` // empty: the user
}

// WritePage writes a page that people read about themselves and their work.
var WritePage = brain.NeverBusy(brain.Operation[WriteInput, ReadResult]{
	Name: "write",
	Run: func(ctx context.Context, b *brain.Brain, in WriteInput) (out ReadResult, err error) {
		page, err := desk.ParsePage(in.Name)
		if err == nil {
			err = brain.Fits("page", in.Origin, in.Text)
		}
		if err != nil {
			return out, err
		}
		in.Origin = cmp.Or(in.Origin, memory.OriginUser)
		// What stands in the file now is imported first: it is then the page's past, and not lost.
		if _, err := RefreshViews(ctx, b, nil); err != nil {
			return out, err
		}
		text := scrub.Clean(in.Text)
		if strings.TrimSpace(text) == "" {
			return out, fmt.Errorf("page %s: there is nothing to write: %w", page, memory.ErrInvalid)
		}
		if !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		_, err = brain.Update(ctx, b, func(tx *store.Tx) (struct{}, error) {
			was, err := tx.Page(ctx, string(page))
			if err != nil && !brain.IsNotFound(err) {
				return struct{}{}, err
			}
			if brain.Persons(was.By, was.Text, in.Origin) && !desk.IsTemplate(was.Text) {
				return struct{}{}, brain.PersonsOwn("rewrite", "page "+string(page))
			}
			return struct{}{}, store.Pages.Keep(ctx, tx, store.Page{Name: string(page), Text: text, By: in.Origin, At: tx.Now})
		})
		if err != nil {
			return out, err
		}
		read, err := ReadPage.Run(ctx, b, ReadInput{Name: in.Name})
		if errors.Is(err, memory.ErrBusy) {
			read = ReadResult{Name: in.Name, File: filepath.Join(b.Config.Vault(), page.File()), Text: text, By: in.Origin}
		}
		return read, err
	},
}, func(in WriteInput) string { return in.Text })
