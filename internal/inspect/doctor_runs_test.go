package inspect_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/must"
)

// The doctor names a process that has not ended in its time, and no other: not one at work, and
// none that was killed.
func TestTheDoctorNamesAProcessThatDoesNotEnd(t *testing.T) {
	c := config.Config{Dir: t.TempDir()}
	began := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	background := func(at time.Time) inspect.Finding {
		t.Helper()
		for _, f := range inspect.Doctor(t.Context(), c, func() time.Time { return at }, nil, inspect.DoctorInput{}) {
			if f.Name == "background" {
				return f
			}
		}
		t.Fatal("no finding")
		return inspect.Finding{}
	}
	run := brain.BeginRun(c, began)
	run.Works("code")
	killed := filepath.Join(c.Runs(), "1.run")
	must.Do(t, os.WriteFile(killed, []byte(`{"pid":1,"job":"dream","until":"2020-01-01T00:00:00Z"}`), 0o600))
	if f := background(began.Add(brain.BackgroundEnds)); f.Level != inspect.Fine || !strings.HasPrefix(f.Detail, "1 at work") {
		t.Errorf("in its time: %+v", f)
	}
	late := background(began.Add(brain.BackgroundEnds + time.Minute))
	if late.Level != inspect.Warn || !strings.Contains(late.Detail, "process "+strconv.Itoa(os.Getpid())+" (code) should have ended at 2026-03-02T09:21:00Z") {
		t.Errorf("late: %+v", late)
	}
	run.End()
	if f := background(began.Add(24 * time.Hour)); f.Level != inspect.Fine {
		t.Errorf("ended: %+v", f)
	}
	brain.BeginRun(c, began).End()
	if left, err := os.ReadDir(c.Runs()); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}
