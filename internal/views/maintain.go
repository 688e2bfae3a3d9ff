package views

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
)

// MaintenanceReport is what maintenance did.
type MaintenanceReport struct {
	Summaries int `json:"summaries,omitempty"` // sessions summarised
	ViewsReport
}

// Maintain puts sessions that ended on their shelves, imports what people wrote into files, and rewrites them. Each step
// is on its own: one that fails is a warning, and the others are done.
func Maintain(ctx context.Context, b *brain.Brain, projects []memory.ProjectID) (out MaintenanceReport) {
	if b.Carrying != nil {
		return out
	}
	changed, n, err := desk.Shelve(ctx, b.Store, b.Config)
	if out.Summaries = n; err != nil {
		out.Warnings = append(out.Warnings, "summaries: "+scrub.Line(err.Error()))
	}
	for _, id := range changed {
		if !slices.Contains(projects, id) {
			projects = append(projects, id)
		}
	}
	if len(projects) == 0 {
		return out
	}
	f := filesOf(b)
	views, err := f.refreshIn(ctx, projects, viewSettled)
	warnings := append(out.Warnings, views.Warnings...)
	out.ViewsReport, out.Warnings = views, warnings
	if err != nil {
		out.Warnings = append(out.Warnings, "files: "+scrub.Line(err.Error()))
	}
	if err := SaveReport(ctx, b.Store, out); err != nil {
		out.Warnings = append(out.Warnings, scrub.Line(err.Error()))
	}
	return out
}

// Compare counts the files that are not as they were written, without changing anything: missing, changed by hand, or not
// readable.
func Compare(ctx context.Context, b *brain.Brain) (out ViewsReport, err error) {
	f := filesOf(b)
	if f.id == "" {
		return out, nil
	}
	err = f.b.Store.View(ctx, func(tx *store.Tx) error {
		names, err := tx.WrittenNames(ctx, f.id)
		if err != nil {
			return err
		}
		for _, name := range names {
			last, err := tx.Written(ctx, f.id, name)
			if err != nil {
				return err
			}
			switch found, err := f.read(name); {
			case err != nil:
				out.Warnings = append(out.Warnings, scrub.Line(err.Error()))
			case !found.there:
				out.Rebuilt++
			case found.text != last:
				out.Edits++
			}
		}
		return nil
	})
	return out, err
}

// lastReport is what the last maintenance had to report.
var lastReport = store.NewFact[ViewsReport]("house/report")

// SaveReport keeps what the person should be shown, or that there is nothing.
func SaveReport(ctx context.Context, st *store.Store, r MaintenanceReport) error {
	report := ViewsReport{Rebuilt: r.Rebuilt, Warnings: r.Warnings}
	known, err := brain.View(ctx, st, func(tx *store.Tx) (ViewsReport, error) { return lastReport.Get(ctx, tx) })
	if err != nil || known.Rebuilt == report.Rebuilt && slices.Equal(known.Warnings, report.Warnings) {
		return err
	}
	return st.Update(ctx, func(tx *store.Tx) error { return lastReport.Set(ctx, tx, report) })
}

// HealthLine is what is not as it should be, on one line, or "".
func HealthLine(ctx context.Context, tx *store.Tx) (string, error) {
	var parts []string
	report, err := lastReport.Get(ctx, tx)
	if err != nil {
		return "", err
	}
	if report.Rebuilt > 0 {
		parts = append(parts, "files for the user that had gone and were written anew: "+strconv.Itoa(report.Rebuilt))
	}
	if n := len(report.Warnings); n > 0 {
		text := brain.AsData(report.Warnings[0])
		if n > 1 {
			text += fmt.Sprintf(" (and %d more: hebb doctor)", n-1)
		}
		parts = append(parts, text)
	}
	pages, err := WrittenPages(ctx, tx)
	for _, p := range pages {
		if stale := desk.Stale(tx.Now.Sub(p.At)); stale != "" {
			parts = append(parts, fmt.Sprintf("page %s: %s", p.Name, stale))
		}
	}
	return strings.Join(parts, "; "), err
}

// WrittenPages are the pages that somebody wrote.
func WrittenPages(ctx context.Context, tx *store.Tx) (pages []store.Page, err error) {
	for _, p := range desk.Pages() {
		page, err := tx.Page(ctx, string(p))
		if err != nil && !brain.IsNotFound(err) {
			return nil, err
		}
		if err == nil && !desk.IsTemplate(page.Text) {
			pages = append(pages, page)
		}
	}
	return pages, nil
}
