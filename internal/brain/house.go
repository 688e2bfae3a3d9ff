package brain

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/workmem"
)

// HouseReport is what a look at the house did.
type HouseReport struct {
	Told int `json:"told,omitempty"` // sessions that got their summary
	ViewsReport
}

// keepHouse puts sessions that ended on their shelves, takes in what people wrote into files, and writes those anew. Each step
// is on its own: one that fails is a warning, and the others are done.
func (b *Brain) keepHouse(ctx context.Context, projects []memory.ProjectID) (out HouseReport) {
	if b.carrying != nil {
		return out
	}
	changed, n, err := b.shelve(ctx)
	if out.Told = n; err != nil {
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
	views, err := b.refreshIn(ctx, b.vault(), b.viewsOf(projects), viewSettled)
	warnings := append(out.Warnings, views.Warnings...)
	out.ViewsReport, out.Warnings = views, warnings
	if err != nil {
		out.Warnings = append(out.Warnings, "files: "+scrub.Line(err.Error()))
	}
	if err := b.reportHouse(ctx, out); err != nil {
		out.Warnings = append(out.Warnings, scrub.Line(err.Error()))
	}
	return out
}

// houseReport is what the last look had to report.
var houseReport = store.NewFact[ViewsReport]("house/report")

// reportHouse keeps what the next session should hear of, or that there is nothing.
func (b *Brain) reportHouse(ctx context.Context, r HouseReport) error {
	report := ViewsReport{Rebuilt: r.Rebuilt, Warnings: r.Warnings}
	known, err := viewed(ctx, b, func(tx *store.Tx) (ViewsReport, error) { return houseReport.Get(ctx, tx) })
	if err != nil || known.Rebuilt == report.Rebuilt && slices.Equal(known.Warnings, report.Warnings) {
		return err
	}
	return b.store.Update(ctx, func(tx *store.Tx) error { return houseReport.Set(ctx, tx, report) })
}

// healthLine is what is not as it should be, on one line, or "".
func (b *Brain) healthLine(ctx context.Context, tx *store.Tx, pages []store.Page) (string, error) {
	var parts []string
	report, err := houseReport.Get(ctx, tx)
	if err != nil {
		return "", err
	}
	if report.Rebuilt > 0 {
		parts = append(parts, "files for the user that had gone and were written anew: "+strconv.Itoa(report.Rebuilt))
	}
	if n := len(report.Warnings); n > 0 {
		text := asData(report.Warnings[0])
		if n > 1 {
			text += fmt.Sprintf(" (and %d more: hebb doctor)", n-1)
		}
		parts = append(parts, text)
	}
	for _, p := range pages {
		if stale := workmem.StalenessOf(tx.Now.Sub(p.At)); stale != workmem.Fresh {
			parts = append(parts, fmt.Sprintf("page %s: %s", p.Name, stale))
		}
	}
	return strings.Join(parts, "; "), nil
}

// dreamt is when the state was last rewritten, and what there was then.
var dreamt = store.NewFact[snapshot]("dream/snapshot")

// snapshot is what there was when the state was last rewritten.
type snapshot struct {
	At     int64          `json:"at"`
	Counts workmem.Counts `json:"counts"`
}

// counts is what makes a state lag behind.
func (b *Brain) counts(ctx context.Context, tx *store.Tx) (workmem.Counts, error) {
	now, err := tx.CountKnowledge(ctx)
	return workmem.Counts{
		Sessions: now.Sessions, Entities: now.Entities, Relations: now.Relations, Observations: now.Observations, Pins: now.Pins, Lines: now.Notes,
	}, err
}

// urgency says how much the state lags behind. Where it was never written, there is nothing to lag.
func (b *Brain) urgency(ctx context.Context, tx *store.Tx) (workmem.Urgency, error) {
	last, err := dreamt.Get(ctx, tx)
	if err != nil || last.At == 0 {
		return workmem.Urgency{}, err
	}
	counts, err := b.counts(ctx, tx)
	if err != nil {
		return workmem.Urgency{}, err
	}
	return workmem.UrgencyOf(counts, last.Counts, tx.Now.Sub(time.UnixMilli(last.At))), nil
}
