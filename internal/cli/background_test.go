package cli

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
)

// Work in the background is asked to stop when its time is over; work that does not stop is ended. Meanwhile it says who it is.
func TestWorkInTheBackgroundEnds(t *testing.T) {
	home := t.TempDir()
	now := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	a := &app{Env: Env{Now: func() time.Time { return now }, Getenv: func(name string) string {
		if name == config.EnvHome {
			return home
		}
		return ""
	}}}
	c := config.Config{Dir: home}
	err := a.inBackground(t.Context(), 0, func() {}, func(ctx context.Context, run *brain.Began) error {
		run.Works("code")
		runs := brain.Runs(c)
		if len(runs) != 1 || runs[0].Job != "code" || !runs[0].Began.Equal(now) || runs[0].Until.Sub(now) != brain.BackgroundEnds {
			t.Errorf("it says %+v", runs)
		}
		<-ctx.Done() // as work does that looks at its context
		return ctx.Err()
	})
	if !errors.Is(err, context.DeadlineExceeded) || len(brain.Runs(c)) > 0 {
		t.Errorf("got %v, %v", err, brain.Runs(c))
	}
	stuck := make(chan struct{}) // work that waits for something else, until the process is ended
	err = a.inBackground(t.Context(), brain.BackgroundWork-brain.BackgroundEnds, func() { close(stuck) }, func(context.Context, *brain.Began) error {
		<-stuck
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
