package braintest

import (
	"slices"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/sleep"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
)

const ADay = 24 * time.Hour

// On moves the lab's clock to so many days after start.
func (l *Lab) On(day float64) { l.Clock = Start.Add(time.Duration(day * float64(ADay))) }

// Sleeps lets it sleep so many days after start, all of which were days of work.
func (l *Lab) Sleeps(day float64) sleep.SleepReport {
	l.T.Helper()
	l.On(day)
	l.WorkedOn()
	return Must(l, steward.Sleep, sleep.SleepInput{})
}

// Met lets a run meet files once, each with each: links of noise, if nothing follows.
func (l *Lab) Met(run string, files ...string) {
	l.T.Helper()
	l.Work(run, l.Clock.Sub(Start).Minutes()).Read(files...).End()
}

func View(l *Lab, look func(*store.Tx) error) {
	l.T.Helper()
	must.Do(l.T, l.Store.View(l.T.Context(), look))
}

func Same(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

func (l *Lab) Forgotten(in sleep.ForgottenInput) []sleep.Lost {
	l.T.Helper()
	in.Scope = Shop
	return Must(l, sleep.Forgotten, in)
}

// Undoes takes back what a sleep forgot, 0 the last one.
func (l *Lab) Undoes(number int64) sleep.UndoResult {
	l.T.Helper()
	return Must(l, sleep.Undo, sleep.UndoInput{Sleep: number})
}
