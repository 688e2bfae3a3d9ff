package brain

import (
	"context"
	"encoding/json"
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

// houseReport is the fact that holds what the last look had to tell.
const houseReport = "house/report"

// reportHouse keeps what the next session should hear of, or that there is nothing.
func (b *Brain) reportHouse(ctx context.Context, r HouseReport) error {
	text := ""
	if r.Rebuilt+len(r.Warnings) > 0 {
		data, err := json.Marshal(ViewsReport{Rebuilt: r.Rebuilt, Warnings: r.Warnings})
		if err != nil {
			return err
		}
		text = string(data)
	}
	known, err := viewed(ctx, b, func(tx *store.Tx) (string, error) { return tx.Meta(ctx, houseReport) })
	if err != nil || known == text {
		return err
	}
	return b.store.Update(ctx, func(tx *store.Tx) error { return tx.SetMeta(ctx, houseReport, text) })
}

// healthLine is what is not as it should be, on one line, or "".
func (b *Brain) healthLine(ctx context.Context, tx *store.Tx, pages []store.Page) (string, error) {
	var parts []string
	text, err := tx.Meta(ctx, houseReport)
	if err != nil {
		return "", err
	}
	var report ViewsReport
	if text != "" && json.Unmarshal([]byte(text), &report) == nil {
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
	}
	for _, p := range pages {
		if stale := workmem.StalenessOf(tx.Now.Sub(p.At)); stale != workmem.Fresh {
			parts = append(parts, fmt.Sprintf("page %s: %s", p.Name, stale))
		}
	}
	return strings.Join(parts, "; "), nil
}

// dreamt is the fact that holds when the state was last rewritten, and what there was then.
const dreamt = "dream/snapshot"

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
	text, err := tx.Meta(ctx, dreamt)
	if err != nil || text == "" {
		return workmem.Urgency{}, err
	}
	var last snapshot
	if err := json.Unmarshal([]byte(text), &last); err != nil {
		return workmem.Urgency{}, fmt.Errorf("%s is %q: %w", dreamt, text, memory.ErrDamaged)
	}
	counts, err := b.counts(ctx, tx)
	if err != nil {
		return workmem.Urgency{}, err
	}
	return workmem.UrgencyOf(counts, last.Counts, tx.Now.Sub(time.UnixMilli(last.At))), nil
}
