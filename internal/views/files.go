package views

import (
	"cmp"
	"context"
	"maps"
	"path"
	"slices"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/sheet"
	"github.com/hebb-memory/hebb/internal/store"
)

// written is a file that hebb writes and does not read; instead says how to change what it says.
func written(name, instead string, text func(context.Context, *store.Tx) (string, error)) desk.FileView {
	return desk.FileView{Name: name, Render: text, Instead: instead}
}

const sayInWrapUp = "hebb sessions wrapup --session ID --happened TEXT changes what it says of a session"

// shelfViews are the recent sessions of a project, a line for each, and the archive.
func shelfViews(ctx context.Context, st *store.Store, folder string, id memory.ProjectID, recent int) (list []desk.FileView, err error) {
	sessions, err := brain.View(ctx, st, func(tx *store.Tx) ([]memory.Session, error) { return tx.ShelvedSessions(ctx, id, ShelvedMost) })
	if err != nil || len(sessions) == 0 {
		return nil, err
	}
	entries := make([]desk.ShelfEntry, len(sessions))
	for i, s := range sessions {
		entries[i] = desk.Entry(s)
	}
	texts := map[string]string{"RECENT.md": desk.RecentView(entries, recent), "SUMMARY.md": desk.SummaryView(entries, desk.SummaryLength)}
	for month, text := range desk.ArchiveViews(entries[min(len(entries), recent):]) {
		texts[path.Join("archive", month)] = text
	}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		list = append(list, written(path.Join(folder, name), sayInWrapUp, func(context.Context, *store.Tx) (string, error) { return texts[name], nil }))
	}
	return list, nil
}

// ShelvedMost sessions of a project are written into files; all are in the store.
const ShelvedMost = 5000

// liveProjects are the latest projects in the live view.
const liveProjects = 50

// liveView is what is in mind in every project.
func liveView(n brain.Numbers) desk.FileView {
	return written("live.md", "hebb graph note FILE TEXT says why a file matters", func(ctx context.Context, tx *store.Tx) (string, error) {
		projects, err := tx.Projects(ctx)
		if err != nil {
			return "", err
		}
		slices.SortFunc(projects, func(a, z memory.Project) int { return cmp.Or(z.LastAt.Compare(a.LastAt), cmp.Compare(a.ID, z.ID)) })
		var blocks []desk.HeatResult
		labels := projectLabels(projects)
		for _, p := range projects[:min(len(projects), liveProjects)] {
			heat, err := desk.Heat(ctx, tx, n.Plasticity, p, desk.HeatInput{})
			if err != nil {
				return "", err
			}
			heat.Project = labels[p.ID]
			blocks = append(blocks, heat.Shown())
		}
		return desk.Live(blocks), nil
	})
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

// pageView is a page that people write about themselves: one memory, which needs no mark.
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
		Read: func(_ context.Context, _ *store.Tx, text string) ([]sheet.Entry, error) {
			return []sheet.Entry{{ID: key, Text: text}}, nil
		},
		Take: func(ctx context.Context, r *record.Recorder, _ sheet.Change, text string) error {
			return store.Pages.Keep(ctx, r.Tx, store.Page{Name: key, Text: text, By: memory.OriginUser, At: r.Tx.Now})
		},
	}
}
