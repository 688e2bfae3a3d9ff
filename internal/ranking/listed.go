package ranking

import (
	"context"
	"math"
	"slices"

	"github.com/hebb-memory/hebb/internal/fault"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

const failuresRead = 3 // latest failed calls of a session whose files count as printed

// printedIn is what the latest calls of a session printed.
func printedIn(ctx context.Context, tx *store.Tx, id memory.SessionID) ([]Listing, error) {
	latest, err := tx.SessionTouches(ctx, id, 0, OpenTouches)
	if err != nil {
		return nil, err
	}
	failed, err := tx.Events(ctx, store.EventFilter{Session: id, Kind: memory.ToolFailed, Limit: failuresRead})
	printed := listed(latest)
	for _, e := range failed {
		if files := fault.Files(e.Text); len(files) > 0 {
			printed = append(printed, Listing{Files: files, Since: switched(latest, e.Ord)})
		}
	}
	return printed, err
}

// listed are the searches among the latest touches of a session, newest first.
func listed(latest []store.FileTouch) (listings []Listing) {
	search := int64(-1)
	for _, t := range latest {
		if t.Kind != memory.Mention {
			continue
		}
		if t.Ord != search {
			listings, search = append(listings, Listing{Since: switched(latest, t.Ord)}), t.Ord
		}
		last := &listings[len(listings)-1]
		last.Files = append(last.Files, t.Path)
	}
	return listings
}

// switched counts how often a session went on to another file after a position. Touches stand newest first.
func switched(latest []store.FileTouch, after int64) (times int) {
	open := ""
	for _, t := range latest {
		if t.Ord > after && opens(t.Kind) && t.Path != open {
			times, open = times+1, t.Path
		}
	}
	return times
}

// openedIn are the files that a session has opened, the latest first, each once.
func openedIn(ctx context.Context, tx *store.Tx, id memory.SessionID) (opened []string, err error) {
	touched, err := tx.TouchesBefore(ctx, id, math.MaxInt64, OpenTouches)
	for _, t := range touched {
		if opens(t.Kind) && !slices.Contains(opened, t.Path) {
			opened = append(opened, t.Path)
		}
	}
	return opened, err
}

func opens(kind memory.TouchKind) bool { return kind == memory.Read || kind == memory.Edit }
