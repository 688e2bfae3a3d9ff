package views

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// shelfViews are the recent sessions of a project, a line for each, and the archive.
func shelfViews(ctx context.Context, st *store.Store, folder string, id memory.ProjectID, recent int) (list []desk.FileView, err error) {
	var read []desk.ShelfEntry
	var months map[string]string // of the archive, once rendered
	known := false
	entries := func(ctx context.Context, tx *store.Tx) ([]desk.ShelfEntry, error) {
		if known {
			return read, nil
		}
		sessions, err := tx.ShelvedSessions(ctx, id, ShelvedMost)
		read, months, known = nil, nil, err == nil
		for _, s := range sessions {
			read = append(read, desk.Entry(s))
		}
		return read, err
	}
	archive := func(all []desk.ShelfEntry) map[string]string {
		if months == nil {
			months = desk.ArchiveViews(all[min(len(all), recent):])
		}
		return months
	}
	whole := func(ctx context.Context, r *record.Recorder, base, text string) error {
		known = false
		return importEntries(ctx, r, id, desk.ParseRecent, base, text, false)
	}
	orNothing := func(all []desk.ShelfEntry, text string) string {
		if len(all) == 0 {
			return ""
		}
		return text
	}
	list = []desk.FileView{
		{Name: path.Join(folder, "RECENT.md"), Import: whole, Render: func(ctx context.Context, tx *store.Tx) (string, error) {
			all, err := entries(ctx, tx)
			return orNothing(all, desk.RecentView(all, recent)), err
		}},
		{Name: path.Join(folder, "SUMMARY.md"), Import: func(ctx context.Context, r *record.Recorder, base, text string) error {
			known = false
			return importEntries(ctx, r, id, desk.ParseSummary, base, text, true)
		}, Render: func(ctx context.Context, tx *store.Tx) (string, error) {
			all, err := entries(ctx, tx)
			return orNothing(all, desk.SummaryView(all, desk.SummaryLength)), err
		}},
	}
	all, err := brain.View(ctx, st, func(tx *store.Tx) ([]desk.ShelfEntry, error) { return entries(ctx, tx) })
	if err != nil {
		return nil, err
	}
	for _, month := range slices.Sorted(maps.Keys(archive(all))) {
		list = append(list, desk.FileView{Name: path.Join(folder, "archive", month), Import: whole, Render: func(ctx context.Context, tx *store.Tx) (string, error) {
			all, err := entries(ctx, tx)
			return archive(all)[month], err
		}})
	}
	return list, nil
}

// shelvedMost sessions of a project are written into files; all are in the store.
const ShelvedMost = 5000

// importEntries takes over what a person changed of sessions. short says that the text is only a line of each.
func importEntries(
	ctx context.Context, r *record.Recorder, id memory.ProjectID, parse func(string) ([]desk.ShelfEntry, error), base, text string, short bool,
) error {
	after, err := parse(text)
	if err != nil {
		return err
	}
	before, err := parse(base)
	if err != nil {
		before = nil // what hebb wrote is readable; this was something else, so all of the text is new
	}
	changed := desk.Changed(before, after)
	switch {
	case len(changed) == 0:
		return nil
	case len(changed) > sessionsAtOnce:
		return fmt.Errorf("%d sessions are new or changed, and at most %d can be at once: change them in parts: %w", len(changed), sessionsAtOnce, memory.ErrInvalid)
	}
	sessions, err := r.Tx.ShelvedSessions(ctx, id, ShelvedMost)
	if err != nil {
		return err
	}
	known := map[string]memory.Session{}
	for _, s := range sessions {
		known[record.ShortID(s.ID)] = s
	}
	for _, e := range changed {
		s, met := known[e.ID]
		if !met {
			if s, err = desk.SessionByHand(ctx, r.Tx, id, e); err != nil {
				return err
			}
		}
		was := s
		if happened := scrub.Clean(e.Happened); short && met {
			s.Happened = desk.Reworded(s.Happened, happened)
		} else {
			s.Happened = happened
		}
		if !short {
			s.Learned, s.Next = scrub.Clean(e.Learned), scrub.Clean(e.Next)
		}
		if met && s == was {
			continue
		}
		s.SummaryBy, s.SummaryAt = memory.OriginUser, r.Tx.Now
		if err := r.Tx.SaveSession(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// pinsAtOnce may change by one edit of PINNED.md, and sessionsAtOnce by one of RECENT.md, SUMMARY.md or the archive.
const (
	PinsAtOnce     = 100
	sessionsAtOnce = 500
)

// pinnedView is what is pinned in a project; without a folder, what is pinned everywhere.
func pinnedView(settings tuning.Crystal, folder string, id memory.ProjectID) desk.FileView {
	return desk.FileView{
		Name: path.Join(folder, "PINNED.md"),
		Render: func(ctx context.Context, tx *store.Tx) (string, error) {
			pins, err := tx.Pins(ctx, id)
			pins = slices.DeleteFunc(pins, memory.Pin.Waiting)
			if err != nil || len(pins) == 0 && id != 0 {
				return "", err
			}
			return desk.PinnedView(pins), nil
		},
		Import: func(ctx context.Context, r *record.Recorder, base, text string) error {
			after, err := desk.ParsePinned(text)
			if err != nil {
				return err
			}
			before, err := desk.ParsePinned(base)
			if err != nil {
				before = nil
			}
			added, changed, gone := desk.ChangedPins(before, after)
			if n := len(added) + len(changed); n > PinsAtOnce {
				return fmt.Errorf("%d pins are new or changed, and at most %d can be at once: every session reads them, so pin less, or use hebb remember: %w",
					n, PinsAtOnce, memory.ErrInvalid)
			}
			for _, p := range gone { // first: a pin that got another title is gone under the old one
				known, err := desk.PinOf(ctx, r.Tx, id, desk.NormalTitle(p.Title), false)
				if brain.IsNotFound(err) {
					continue
				}
				if err := errors.Join(err, desk.RemovePin(ctx, r.Tx, known)); err != nil {
					return err
				}
			}
			for _, p := range append(added, changed...) {
				_, _, err := desk.Pin(ctx, settings, r.Tx, memory.Pin{Project: id, Title: p.Title, Text: cmp.Or(p.Text, p.Title), Reason: p.Reason, Origin: memory.OriginUser})
				if err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// liveProjects are the latest projects in the live view.
const liveProjects = 50

// liveView is what is in mind in every project.
func liveView(settings tuning.Crystal, n brain.Numbers) desk.FileView {
	return desk.FileView{
		Name: "live.md",
		Render: func(ctx context.Context, tx *store.Tx) (string, error) {
			projects, err := tx.Projects(ctx)
			if err != nil {
				return "", err
			}
			slices.SortFunc(projects, func(a, z memory.Project) int { return cmp.Or(z.LastAt.Compare(a.LastAt), cmp.Compare(a.ID, z.ID)) })
			var blocks []desk.Block
			labels := projectLabels(projects)
			for _, p := range projects[:min(len(projects), liveProjects)] {
				heat, err := desk.Heat(ctx, tx, n.Plasticity, p, desk.HeatInput{})
				if err != nil {
					return "", err
				}
				heat.Project = labels[p.ID]
				blocks = append(blocks, heat.Block())
			}
			return desk.Live(blocks), nil
		},
		Import: func(ctx context.Context, r *record.Recorder, base, text string) error {
			return importLive(ctx, settings, r, base, text)
		},
	}
}

// projectLabels are names that distinguish projects: those of one name have their ID with it.
func projectLabels(projects []memory.Project) map[memory.ProjectID]string {
	times := map[string]int{}
	for _, p := range projects {
		times[p.Name]++
	}
	labels := make(map[memory.ProjectID]string, len(projects))
	for _, p := range projects {
		labels[p.ID] = p.Name
		if times[p.Name] > 1 {
			labels[p.ID] += " (" + p.ID.String() + ")"
		}
	}
	return labels
}

// importLive takes over notes and summaries of files that a person changed. What is only missing stays: the view is short.
func importLive(ctx context.Context, settings tuning.Crystal, r *record.Recorder, base, text string) error {
	after, err := desk.ParseLive(text)
	if err != nil {
		return err
	}
	before, err := desk.ParseLive(base)
	if err != nil {
		before = nil
	}
	known := map[string]desk.File{}
	for _, block := range before {
		for _, f := range block.Files {
			known[block.Project+"\x00"+f.Path] = f
		}
	}
	projects, err := r.Tx.Projects(ctx)
	if err != nil {
		return err
	}
	labelled := map[string]memory.ProjectID{}
	for id, label := range projectLabels(projects) {
		labelled[label] = id
	}
	for _, block := range after {
		id, met := labelled[block.Project]
		if !met {
			return fmt.Errorf("project %q (hebb projects lists them): %w", scrub.Line(block.Project), memory.ErrNotFound)
		}
		for _, f := range block.Files {
			was := known[block.Project+"\x00"+f.Path]
			in := desk.NoteFileInput{Path: f.Path, Origin: memory.OriginUser}
			if f.Note != was.Note {
				in.Note = f.Note
			}
			if f.Summary != was.Summary {
				in.Summary = f.Summary
			}
			if in.Note+in.Summary == "" {
				continue
			}
			if _, err := desk.KeepFileNote(ctx, settings, r, id, in); err != nil {
				return err
			}
		}
	}
	return nil
}

// pageView is a page that people write about themselves.
func pageView(key string, p desk.Page) desk.FileView {
	return desk.FileView{
		Name: p.File(),
		Render: func(ctx context.Context, tx *store.Tx) (string, error) {
			page, err := tx.Page(ctx, key)
			if brain.IsNotFound(err) {
				return p.Template(), nil
			}
			return page.Text, err
		},
		Import: func(ctx context.Context, r *record.Recorder, _, text string) error {
			return store.Pages.Keep(ctx, r.Tx, store.Page{Name: key, Text: scrub.Clean(text), By: memory.OriginUser, At: r.Tx.Now})
		},
	}
}
