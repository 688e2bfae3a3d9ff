package cli

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/store"
)

// moodOf is a mood with levels of these names; their type is not for this package to name.
func moodOf(t *testing.T, history []store.Mood) desk.MoodResult {
	t.Helper()
	out := desk.MoodResult{Words: "motivated", Effect: "energized: so", History: history}
	levels := reflect.ValueOf(&out.Levels).Elem()
	for _, l := range []struct {
		name, hormone string
		level, rest   float64
	}{{"reward", "dopamine", 0.45, 0.15}, {"stress", "cortisol", 0.02, 0.02}, {"bond", "oxytocin", 0.99, 0.2}} {
		one := reflect.New(levels.Type().Elem()).Elem()
		one.FieldByName("Name").SetString(l.name)
		one.FieldByName("Hormone").SetString(l.hormone)
		one.FieldByName("Level").SetFloat(l.level)
		one.FieldByName("Rest").SetFloat(l.rest)
		levels.Set(reflect.Append(levels, one))
	}
	return out
}

func TestMoodLevelsShowBothNamesAndThePast(t *testing.T) {
	t.Parallel()
	out := moodOf(t, []store.Mood{
		{At: now.Add(-time.Hour), Reward: 0.15, Stress: 0.5, Bond: 0.2, Why: "error"},
		{At: now, Reward: 0.45, Stress: 0.02, Bond: 0.99, Why: "reward"},
	})
	p := &page{now: now}
	out.Causes = []desk.MoodCause{
		{At: now, Event: "error", Said: "that's wrong again"}, {At: now, Event: "achievement", Fixed: "undefined: total"}, {At: now, Event: "reward"},
	}
	moodPage(p, out, true)
	at := now.Local().Format("2 Jan 15:04")
	want := strings.Join([]string{
		"motivated",
		"Praise and fixes raise reward; complaints and urgency raise stress; kind words raise bond.",
		"  reward (dopamine)  0.45  ▂▂▄▄▄▄  at rest 0.15",
		"  stress (cortisol)  0.02  ▅▅▁▁▁▁  at rest 0.02",
		"  bond (oxytocin)    0.99  ▂▂████  at rest 0.20",
		"  energized: so",
		"",
		"  WHEN          EVENT        BECAUSE",
		"  " + at + "  error        you said “that's wrong again”",
		"  " + at + "  achievement  fixed: “undefined: total”",
		"  " + at + "  reward       your own signal",
		"",
	}, "\n")
	if got := p.b.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestALongPastFitsTheTerminalAndEndsWithNow(t *testing.T) {
	t.Parallel()
	out := moodOf(t, make([]store.Mood, 300))
	for _, width := range []int{20, 48, 80, 81} {
		p := &page{now: now, width: width}
		moodLevels(p, out)
		first, _, _ := strings.Cut(p.b.String(), "\n")
		if width >= 48 && visibleWidth(first) > width || !strings.Contains(first, "▄▄  at rest") {
			t.Errorf("on %d columns: %q is %d wide", width, first, visibleWidth(first))
		}
	}
}
