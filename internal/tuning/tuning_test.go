package tuning

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

func TestEveryNumberIsDescribedAndItsDefaultIsInRange(t *testing.T) {
	seen := map[string]bool{}
	table := Default().Table()
	if !slices.IsSortedFunc(table, func(a, b Setting) int { return cmp.Compare(a.Name, b.Name) }) {
		t.Error("not sorted by name")
	}
	for _, e := range table {
		if seen[e.Name] {
			t.Errorf("%s is listed twice", e.Name)
		}
		seen[e.Name] = true
		if e.Unit == "" || e.Meaning == "" {
			t.Errorf("%s: unit and meaning are needed: %+v", e.Name, e)
		}
		if e.Default < e.Min || e.Default > e.Max || e.Value != e.Default {
			t.Errorf("%s = %v: default %v, range %v to %v", e.Name, e.Value, e.Default, e.Min, e.Max)
		}
	}
	if len(seen) > 60 {
		t.Errorf("%d settings; make those that nobody would change constants", len(seen))
	}
}

func TestEveryNumberHasAFieldOfItsOwn(t *testing.T) {
	for _, e := range Default().Table() {
		changed := Default()
		want := e.Min
		if e.Default == e.Min {
			want = e.Max
		}
		if err := changed.Set(e.Name, Figure(want)); err != nil {
			t.Errorf("%s = %v: %v", e.Name, want, err)
		}
		for _, now := range changed.Table() {
			if now.Changed() != (now.Name == e.Name) {
				t.Errorf("setting %s: %s is %v, default %v", e.Name, now.Name, now.Value, now.Default)
			}
		}
	}
}

func TestValuesAreReadInTheirUnitOrAsADuration(t *testing.T) {
	for _, text := range []string{"20", "20.0", "20m", "1200s", " 20 "} {
		tuned := Default()
		if err := tuned.Set("session.idle_after", text); err != nil || tuned.Session.IdleAfter != 20*time.Minute {
			t.Errorf("session.idle_after = %q gives %v, %v", text, tuned.Session.IdleAfter, err)
		}
	}
}

func TestBadValuesAreRefusedByName(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"session.idle_after", "0", "1 to 1440 min"},
		{"session.idle_after", "NaN", "1 to 1440 min"},
		{"session.idle_after", "-5m", "1 to 1440 min"},
		{"session.idle_after", "soon", "number of min"},
		{"hook.max_files", "20.5", "whole number"},
		{"hook.max_files", "20m", "number of files"},
		{"session.idle", "5", "no such setting"},
		{"idle_after", "5", "session.idle_after"},
		{"hook.maxfiles", "5", "hook.max_files"},
	} {
		tuned := Default()
		err := tuned.Set(c.name, c.text)
		if !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), c.name) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s = %s: %v, want ErrInvalid that names it and says %q", c.name, c.text, err, c.want)
		}
		if tuned != Default() {
			t.Errorf("%s = %s changed something", c.name, c.text)
		}
	}
}

// A settings file from before must not silence hebb.
func TestSettingsThatWereReplacedAreStillRead(t *testing.T) {
	s := Default()
	for name, value := range map[string]string{"hook.min_confidence": "0.6", "hook.min_confidence_later": "0.9", "sleep.keep_commands": "7", "goal.show_for": "1"} {
		if err := s.Set(name, value); err != nil {
			t.Error(err)
		}
	}
	if math.Abs(s.Hook.Precision-0.8) > 1e-9 {
		t.Errorf("precision %v", s.Hook.Precision)
	}
	if s.Sleep.LogAge != 7*24*time.Hour {
		t.Errorf("calls are packed after %v", s.Sleep.LogAge)
	}
}
