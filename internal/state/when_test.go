package state

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/tuning"
)

func TestADreamComesWhenThereIsReason(t *testing.T) {
	t.Parallel()
	ready := Facts{HasState: true, LastDream: noon.Add(-241 * time.Minute), New: 3, Eligible: 5}
	with := func(change func(*Facts)) Facts {
		f := ready
		change(&f)
		return f
	}
	urgent := UrgencyOf(Counts{Sessions: 5}, Counts{}, 0)
	for _, c := range []struct {
		name  string
		facts Facts
		run   bool
		why   string
	}{
		{"enough material after the longest interval", ready, true, "3 new items since the last dream"},
		{"never dreamt", with(func(f *Facts) { f.LastDream = time.Time{} }), true, "3 new items since the last dream"},
		{"switched off", with(func(f *Facts) { f.Off = true }), false, "dreams are switched off"},
		{"two new items", with(func(f *Facts) { f.New = 2 }), false, "2 of 3 new items needed"},
		{"four crystals", with(func(f *Facts) { f.Eligible = 4 }), false, "4 of 5 crystals needed"},
		{
			"too soon", with(func(f *Facts) { f.LastDream = noon.Add(-239 * time.Minute) }), false,
			"the last dream was 239 minutes ago, and the next is after 240 minutes",
		},
		{"just in time", with(func(f *Facts) { f.LastDream = noon.Add(-240 * time.Minute) }), true, "3 new items since the last dream"},
		{
			"urgent, but too soon", with(func(f *Facts) { f.Urgency, f.LastDream = urgent, noon.Add(-59*time.Minute) }), false,
			"the last dream was 59 minutes ago, and the next is after 60 minutes",
		},
		{"urgent", with(func(f *Facts) { f.Urgency, f.LastDream = urgent, noon.Add(-60*time.Minute) }), true, "urgent, score 10 by 5 sessions"},
		{"urgent without material", with(func(f *Facts) { f.Urgency, f.New = urgent, 0 }), false, "0 of 3 new items needed"},
		{"a clock that was wrong", with(func(f *Facts) { f.LastDream = noon.Add(87600 * time.Hour) }), true, "3 new items since the last dream"},
		{"first breath by notes", Facts{Notes: 5, NoteText: "abc"}, true, "first breath: there is no state yet and 5 notes wait, of 3 characters"},
		{
			"first breath by characters", Facts{Notes: 1, NoteText: strings.Repeat("ä", 500)}, true,
			"first breath: there is no state yet and 1 note waits, of 500 characters",
		},
		{"not enough for a first breath", Facts{Notes: 4, NoteText: strings.Repeat("ä", 499)}, false, "0 of 3 new items needed"},
		{"no first breath twice", Facts{HasState: true, Notes: 9, NoteText: strings.Repeat("x", 900)}, false, "0 of 3 new items needed"},
		{
			"compacted with a note", Facts{HasState: true, Notes: 1, Compacted: true, LastDream: noon.Add(-time.Minute)}, true,
			"a dream should run before more notes come: the context was compacted and 1 note waits",
		},
		{"compacted without notes", Facts{HasState: true, Compacted: true}, false, "0 of 3 new items needed"},
		{"switched off and compacted", Facts{Off: true, Notes: 9, Compacted: true}, false, "dreams are switched off"},
		{
			"full pressure", Facts{HasState: true, Notes: 48, Lines: 51, LastDream: noon.Add(-30 * time.Minute)}, true,
			"a dream should run before more notes come: the scratch has 51 of 50 lines",
		},
		{"full pressure, too soon", Facts{HasState: true, Notes: 48, Lines: 51, LastDream: noon.Add(-29 * time.Minute)}, false, "0 of 3 new items needed"},
	} {
		if got := Due(c.facts, noon, tuning.Default().Dream); got != (Decision{c.run, c.why}) {
			t.Errorf("%s: %+v, want %v %q", c.name, got, c.run, c.why)
		}
	}
}

func TestTheIntervalFollowsWhatWaits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		score float64
		want  int // minutes
	}{{0, 240}, {-1, 240}, {1e-300, 240}, {2.4, 240}, {2.5, 240}, {4, 150}, {5, 120}, {10, 60}, {20, 30}, {1e9, 30}, {math.Inf(1), 30}} {
		if got := Interval(Urgency{Score: c.score}, 2*time.Hour); got != time.Duration(c.want)*time.Minute {
			t.Errorf("score %v: %v, want %d minutes", c.score, got, c.want)
		}
	}
}

func TestPressureFollowsNotesTimeTalkAndALostContext(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		facts   Facts
		full    bool
		reasons string
	}{
		{"nothing waits", Facts{Sessions: 9, Prompts: 900}, false, "9 sessions without a dream, a dense conversation of 900 prompts"},
		{"two sessions and little talk", Facts{Lines: 24, Notes: 1, Sessions: 2, Prompts: 19}, false, ""},
		{"half a scratch", Facts{Lines: 50, Notes: 47}, false, "the scratch has 50 of 50 lines"},
		{"a full one", Facts{Lines: 51, Notes: 48}, true, "the scratch has 51 of 50 lines"},
		{"half of one and talk", Facts{Lines: 25, Notes: 22, Prompts: 20}, true, "the scratch has 25 of 50 lines, a dense conversation of 20 prompts"},
		{"sessions and talk", Facts{Lines: 4, Notes: 1, Sessions: 3, Prompts: 20}, true, "3 sessions without a dream, a dense conversation of 20 prompts"},
		{"a lost context", Facts{Lines: 4, Notes: 1, Compacted: true}, true, "the context was compacted and 1 note waits"},
	} {
		if reasons, full := c.facts.Pressure(); full != c.full || strings.Join(reasons, ", ") != c.reasons {
			t.Errorf("%s: %v, %q", c.name, full, reasons)
		}
	}
}
