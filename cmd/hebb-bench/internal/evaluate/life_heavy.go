package evaluate

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/spool"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// HeavyInput says how much heavy use to measure.
type HeavyInput struct {
	Sessions int // over a year, 150 events each
	Tuning   tuning.Tuning
}

// HeavyRow is what heavy use costs after so many sessions. Times are processor time of this process
// and of git.
type HeavyRow struct {
	Bench    string  `json:"bench"`
	Case     string  `json:"case"` // heavy
	Session  int     `json:"session"`
	Events   int64   `json:"events"`
	Neurons  int64   `json:"neurons"`
	Synapses int64   `json:"synapses"`
	Store    float64 `json:"store_mb"`
	Turn     float64 `json:"turn_s" show:"%.3f"` // drain at the end of a turn, mean of the last sessions
	End      float64 `json:"end_s" show:"%.3f"`  // drain at the end of a session, median of the last sessions
	Most     float64 `json:"most_s" show:"%.3f"` // of these drains the most expensive
}

// heavyLast is over how many sessions a row is taken.
const heavyLast = 10

// Heavy lives a year of heavy use. Each drain is one of the background: it opens the memory,
// drains, and sleeps, thinks and dreams if due.
func Heavy(ctx context.Context, in HeavyInput) (rows []HeavyRow, err error) {
	dir, remove, err := temporary()
	if err != nil {
		return nil, err
	}
	defer remove(&err)
	place, err := newProject(filepath.Join(dir, "work"))
	if err != nil {
		return nil, err
	}
	now := lifeBegin
	c := config.Config{Dir: filepath.Join(dir, "memory"), Tuning: in.Tuning, Inject: true}
	box := spool.Spool{Dir: c.Spool(), Limits: in.Tuning.Spool}
	clock := func() time.Time { return now }
	drain := func(events []memory.Event) (time.Duration, error) {
		for _, e := range events {
			if err := box.Append(e); err != nil {
				return 0, err
			}
		}
		now = events[len(events)-1].At.Add(time.Second)
		used := cpuTime()
		b, err := steward.Open(ctx, c, clock)
		if err != nil {
			return 0, err
		}
		_, err = steward.Run(ctx, b, steward.Drain, steward.DrainInput{Sleep: true})
		err = errors.Join(err, b.Close())
		return cpuTime() - used, err
	}
	h := newHeavy(place)
	const year = 365 * 24 * time.Hour
	var turns, ends []float64
	for n := 1; n <= in.Sessions; n++ {
		session := h.turns(lifeBegin.Add(time.Duration(n) * (year / time.Duration(in.Sessions))))
		for i, turn := range session {
			took, err := drain(turn)
			if err != nil {
				return rows, err
			}
			if i == len(session)-1 {
				ends = append(ends, took.Seconds())
			} else {
				turns = append(turns, took.Seconds())
			}
		}
		if slices.Contains([]int{heavyLast, 50, 100, 200, 300}, n) || n == in.Sessions {
			row, err := weighHeavy(ctx, c, clock)
			if err != nil {
				return rows, err
			}
			last := slices.Sorted(slices.Values(ends[max(0, len(ends)-heavyLast):]))
			turns = turns[max(0, len(turns)-heavyLast*heavySession/heavyTurn):]
			row.Session, row.End, row.Most = n, last[len(last)/2], last[len(last)-1]
			for _, t := range turns {
				row.Turn += t / float64(len(turns))
			}
			rows = append(rows, row)
		}
	}
	return rows, nil
}

func weighHeavy(ctx context.Context, c config.Config, clock func() time.Time) (row HeavyRow, err error) {
	b, err := steward.Open(ctx, c, clock)
	if err != nil {
		return row, err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	size, err := sizeOf(ctx, b)
	return HeavyRow{
		Bench: "life", Case: "heavy", Events: size.Events, Neurons: size.Neurons, Synapses: size.Synapses, Store: megabytes(size.Bytes),
	}, err
}
