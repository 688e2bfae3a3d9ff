package brain

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/workmem"
)

// ReadInput names something to read: a page that people write (soul, questions, context, projects), or a file that hebb
// keeps (recent, summary, pinned, live, memory, scratch).
type ReadInput struct {
	Scope
	Name string `json:"name"`
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
	// Warnings are edits of files that could not be taken in.
	Warnings []string `json:"warnings,omitempty"`
}

// TakeInEdits takes in what people wrote into the files, and writes those as they should be.
var TakeInEdits = Operation[struct{}, ViewsReport]{
	Name: "take-in-edits", Summary: "Take in what people wrote into the files",
	Run: func(ctx context.Context, b *Brain, _ struct{}) (ViewsReport, error) { return b.refreshViews(ctx, nil) },
}

// shelfFiles are the files that hebb keeps, by the names under which they are read.
var shelfFiles = map[string]string{
	"recent": "RECENT.md", "summary": "SUMMARY.md", "pinned": "PINNED.md", "live": "live.md", "memory": "MEMORY.md", "scratch": "scratch.md",
}

// ReadPage reads a page or a file, with what people have changed in it by hand.
var ReadPage = Operation[ReadInput, ReadResult]{
	Name: "read", Summary: "Read a page about you and your work, or a shelf",
	Run: func(ctx context.Context, b *Brain, in ReadInput) (out ReadResult, err error) {
		name := strings.ToLower(strings.TrimSuffix(strings.TrimSpace(in.Name), ".md"))
		if file, kept := shelfFiles[name]; kept {
			return b.readShelf(ctx, in.Scope, name, file)
		}
		page, err := workmem.ParsePage(name)
		if err != nil {
			return out, err
		}
		views, err := b.refreshViews(ctx, nil)
		if err != nil {
			return out, err
		}
		out = ReadResult{Name: name, File: filepath.Join(b.config.Vault(), page.File()), Warnings: views.Warnings}
		return out, b.store.View(ctx, func(tx *store.Tx) error {
			p, err := tx.Page(ctx, b.pageKey(string(page)))
			if isNotFound(err) {
				out.Text, out.Template = page.Template(), true
				return nil
			}
			if err != nil {
				return err
			}
			out.Text, out.By, out.At, out.Template = p.Text, p.By, p.At, workmem.IsTemplate(p.Text)
			if stale := workmem.StalenessOf(tx.Now.Sub(p.At)); stale != workmem.Fresh && !out.Template {
				out.Stale = stale.String()
			}
			return nil
		})
	},
}

// readShelf reads a file that hebb keeps, after writing it as it should be now.
func (b *Brain) readShelf(ctx context.Context, scope Scope, name, file string) (out ReadResult, err error) {
	id, err := viewed(ctx, b, func(tx *store.Tx) (memory.ProjectID, error) { return b.resolve(ctx, tx, scope) })
	if err != nil {
		return out, err
	}
	views, err := b.refreshViews(ctx, []memory.ProjectID{id})
	if err != nil {
		return out, err
	}
	folders, err := b.folders(ctx, []memory.ProjectID{id})
	if err != nil {
		return out, err
	}
	if name != "live" && folders[id] == "" {
		return ReadResult{Name: name, Warnings: views.Warnings}, nil // nothing is known of this project
	}
	if name != "live" {
		file = folders[id] + "/" + file
	}
	out = ReadResult{Name: name, File: filepath.Join(b.config.Vault(), filepath.FromSlash(file)), Warnings: views.Warnings}
	out.Text, err = b.vault().Read(file)
	if isNotFound(err) {
		return out, nil
	}
	return out, err
}

// WriteInput is a page as somebody wants it.
type WriteInput struct {
	Name   string        `json:"name"`
	Text   string        `json:"text"`
	Origin memory.Origin `json:"origin,omitempty"` // empty: the user
}

// WritePage writes a page that people read about themselves and their work.
var WritePage = neverBusy(Operation[WriteInput, ReadResult]{
	Name: "write", Summary: "Write a page about you and your work",
	Run: func(ctx context.Context, b *Brain, in WriteInput) (out ReadResult, err error) {
		page, err := workmem.ParsePage(in.Name)
		if err == nil {
			err = fits("page", in.Text)
		}
		if err != nil {
			return out, err
		}
		if in.Origin == "" {
			in.Origin = memory.OriginUser
		}
		// What stands in the file now is taken in first: it is then the page's past, and not lost.
		if _, err := b.refreshViews(ctx, nil); err != nil {
			return out, err
		}
		text := scrub.Clean(in.Text)
		if strings.TrimSpace(text) == "" {
			return out, fmt.Errorf("page %s: there is nothing to write: %w", page, memory.ErrInvalid)
		}
		if !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		_, err = updated(ctx, b, func(tx *store.Tx) (struct{}, error) {
			was, err := tx.Page(ctx, b.pageKey(string(page)))
			if err != nil && !isNotFound(err) {
				return struct{}{}, err
			}
			if persons(was.By, was.Text, in.Origin) && !workmem.IsTemplate(was.Text) {
				return struct{}{}, personsOwn("rewrite", "page "+string(page))
			}
			return struct{}{}, tx.SavePage(ctx, store.Page{Name: b.pageKey(string(page)), Text: text, By: in.Origin, At: tx.Now})
		})
		if err != nil {
			return out, err
		}
		read, err := ReadPage.Run(ctx, b, ReadInput{Name: in.Name})
		if errors.Is(err, memory.ErrBusy) {
			read = ReadResult{Name: in.Name, File: filepath.Join(b.config.Vault(), page.File()), Text: text, By: in.Origin}
		}
		return read, err
	},
}, func(in WriteInput) string { return in.Text })

// ShelfInput asks for the sessions on the shelves.
type ShelfInput struct {
	Scope
	Limit int `json:"limit,omitempty"` // 0: as many as the recent shelf holds
}

// Shelf lists what is left of the latest sessions.
var Shelf = Operation[ShelfInput, []memory.Session]{
	Name: "recent", Summary: "Tell what happened in the latest sessions", Files: ReadFiles | WriteAllFiles,
	Run: func(ctx context.Context, b *Brain, in ShelfInput) ([]memory.Session, error) {
		_, _, unfinished := b.shelve(ctx)
		if in.Limit <= 0 {
			in.Limit = b.config.Tuning.Context.RecentSessions
		}
		out, err := viewed(ctx, b, func(tx *store.Tx) ([]memory.Session, error) {
			id, err := b.resolve(ctx, tx, in.Scope)
			if err != nil {
				return nil, err
			}
			if id != 0 {
				return tx.ShelvedSessions(ctx, id, in.Limit)
			}
			projects, err := tx.Projects(ctx)
			var all []memory.Session
			for _, p := range projects {
				some, err := tx.ShelvedSessions(ctx, p.ID, in.Limit)
				if err != nil {
					return nil, err
				}
				all = append(all, some...)
			}
			slices.SortFunc(all, func(x, y memory.Session) int { return y.LastEventAt.Compare(x.LastEventAt) })
			return all[:min(len(all), in.Limit)], err
		})
		if err == nil && len(out) == 0 {
			err = unfinished
		}
		if out == nil {
			out = []memory.Session{}
		}
		return out, err
	},
}

// PauseInput chooses the project in which hebb is to pause, or to go on.
type PauseInput struct {
	Scope
	Pause bool `json:"pause"`
}

// PauseResult says what is so now.
type PauseResult struct {
	Project memory.ProjectID `json:"project"`
	Paused  bool             `json:"paused"`
	Changed bool             `json:"changed"`
}

// PauseProject makes hebb neither watch nor speak in a project, until it is told to go on.
var PauseProject = Operation[PauseInput, PauseResult]{
	Name: "pause", Summary: "Stop watching and speaking in a project, or go on",
	Run: func(ctx context.Context, b *Brain, in PauseInput) (out PauseResult, err error) {
		if in.All {
			return out, fmt.Errorf("pause one project at a time: %w", memory.ErrInvalid)
		}
		out.Paused = in.Pause
		out.Project, err = viewed(ctx, b, func(tx *store.Tx) (memory.ProjectID, error) { return b.resolve(ctx, tx, in.Scope) })
		if err != nil {
			return out, err
		}
		out.Changed, err = b.config.Pause(out.Project, in.Pause)
		return out, err
	},
}
