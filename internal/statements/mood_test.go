package statements

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

func moodNoon() time.Time { return time.Date(2026, 3, 12, 12, 0, 0, 0, time.UTC) }

func moodNear(a, b Mood) bool {
	x, y := a.axes(), b.axes()
	for i := range x {
		if math.Abs(x[i]-y[i]) > 1e-9 {
			return false
		}
	}
	return a.At.Equal(b.At)
}

func TestV16AMoodReturnsToRest(t *testing.T) {
	t.Parallel()
	m := RestingMood(moodNoon()).Feel(moodNoon(), MoodReward)
	for minutes, want := range map[int]float64{0: .45, 30: .30, 60: .225, 120: .16875, 1 << 20: .15} {
		got := m.Now(moodNoon().Add(time.Duration(minutes) * time.Minute))
		if math.Abs(got.Reward-want) > 1e-9 || got.Stress != .02 || got.Bond != .2 {
			t.Errorf("after %d minutes: %+v, want reward %v", minutes, got, want)
		}
	}
	low := Mood{Reward: 0, Stress: 0, Bond: 0, At: moodNoon()}
	for _, c := range []struct {
		minutes int
		want    Mood
	}{
		{30, Mood{Reward: .075, Stress: .02 * (1 - math.Exp2(-.5)), Bond: .2 * (1 - math.Exp2(-2.0/3))}},
		{180, Mood{Reward: .15 * (1 - 1.0/64), Stress: .02 * 7 / 8, Bond: .2 * 15 / 16}},
	} {
		at := moodNoon().Add(time.Duration(c.minutes) * time.Minute)
		c.want.At = at
		if got := low.Now(at); !moodNear(got, c.want) {
			t.Errorf("from below, after %d minutes: %+v, want %+v", c.minutes, got, c.want)
		}
	}
}

func TestV16HowLongALevelStaysHigh(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		events  []MoodEvent
		axis    int
		level   float64
		minutes float64
	}{
		{[]MoodEvent{MoodReward, MoodReward}, 0, .75, 3.77},
		{[]MoodEvent{MoodAchievement, MoodReward}, 0, .85, 10.44},
		{[]MoodEvent{MoodSocial, MoodSocial}, 2, .80, 11.84},
		{[]MoodEvent{MoodUrgency, MoodError}, 1, .72, 2.51},
	} {
		m := RestingMood(moodNoon()).Feel(moodNoon(), c.events...)
		after := func(minutes float64) float64 {
			return m.Now(moodNoon().Add(time.Duration(minutes * float64(time.Minute)))).axes()[c.axis]
		}
		if got := after(0); math.Abs(got-c.level) > 1e-9 {
			t.Errorf("%v: %v, want %v", c.events, got, c.level)
		}
		if after(c.minutes-.01) <= .7 || after(c.minutes+.01) > .7 {
			t.Errorf("%v: %.4f and %.4f around %v minutes, want .7 between", c.events, after(c.minutes-.01), after(c.minutes+.01), c.minutes)
		}
	}
}

func TestEveryEventMovesWhatTheDesignSays(t *testing.T) {
	t.Parallel()
	for _, s := range moodSpikes {
		if s.adds == (moodAxes{}) {
			t.Errorf("%s moves nothing", s.event)
		}
	}
	if m := RestingMood(moodNoon()); m.Feel(moodNoon(), "unheard of") != m {
		t.Error("an unknown event moves the mood")
	}
}

func TestEventsHaveNamesInBothVocabularies(t *testing.T) {
	t.Parallel()
	for _, s := range moodSpikes {
		event := s.event
		if got, err := ParseMoodEvent(" " + strings.ToUpper(string(event))); got != event || err != nil {
			t.Errorf("%s: %s, %v", event, got, err)
		}
	}
	for name, want := range map[string]MoodEvent{
		"recall-cortisol": MoodRecallStress, "recall_dopamine": MoodRecallReward, "recall_oxytocin": MoodRecallBond,
		"friction": MoodError, "curiosity": MoodCuriosity, "dopamine": MoodReward,
	} {
		if got, err := ParseMoodEvent(name); got != want || err != nil {
			t.Errorf("%s: %s, %v", name, got, err)
		}
	}
	for _, name := range []string{"", "joy", "recall", "recall_joy"} {
		if _, err := ParseMoodEvent(name); !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), "achievement") {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestNoLevelLeavesItsRange(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(8, 1))
	m := RestingMood(moodNoon())
	for range 5000 {
		at := m.At.Add(time.Duration(random.Int64N(int64(20*time.Minute))) - 5*time.Minute)
		m = m.Feel(at, moodSpikes[random.IntN(len(moodSpikes))].event)
		for _, level := range m.axes() {
			if level < 0 || level > 1 {
				t.Fatalf("%+v", m)
			}
		}
	}
	if m := RestingMood(moodNoon()).Feel(moodNoon(), slices.Repeat([]MoodEvent{MoodAchievement, MoodUrgency}, 9)...); m.Reward != 1 || m.Stress != 1 || m.Bond != 1 {
		t.Errorf("the cap is 1: %+v", m)
	}
}

func TestTheOrderInWhichEventsArriveDoesNotMatter(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(8, 2))
	type felt struct {
		at    time.Time
		event MoodEvent
	}
	for range 500 {
		// Weak events, so that none meets the cap.
		events := make([]felt, 4)
		for i := range events {
			events[i] = felt{moodNoon().Add(time.Duration(random.IntN(300)) * time.Minute), []MoodEvent{MoodAligned, MoodStagnant, MoodBonding, MoodSale}[random.IntN(4)]}
		}
		all := func() Mood {
			m := RestingMood(moodNoon())
			for _, e := range events {
				m = m.Feel(e.at, e.event)
			}
			return m.Now(moodNoon().Add(6 * time.Hour))
		}
		first := all()
		random.Shuffle(len(events), func(i, j int) { events[i], events[j] = events[j], events[i] })
		if second := all(); !moodNear(first, second) {
			t.Fatalf("%v: %+v and %+v", events, first, second)
		}
	}
	m := RestingMood(moodNoon()).Feel(moodNoon(), MoodReward)
	if got := m.Now(moodNoon().Add(12 * time.Minute)).Now(moodNoon().Add(time.Hour)); !moodNear(got, m.Now(moodNoon().Add(time.Hour))) {
		t.Errorf("looking in between changes the mood: %+v", got)
	}
	if got := m.Now(moodNoon().Add(-time.Hour)); got != m {
		t.Errorf("a clock that was set back changes the mood: %+v", got)
	}
}

func TestMoodWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		reward, stress, bond float64
		want                 string
	}{
		{.15, .02, .20, "calm"},
		{.09, .02, .09, "dormant"},
		{.1, .02, .09, "calm"},
		{.3, .3, .3, "calm"},
		{.31, .31, .31, "motivated, alert, socially engaged"},
		{.6, .6, .6, "motivated, alert, socially engaged"},
		{.61, .61, .61, "energized, stressed, deeply connected"},
		{.45, .02, .35, "motivated, socially engaged"},
		{0, .9, 0, "stressed"},
	} {
		if got := (Mood{Reward: c.reward, Stress: c.stress, Bond: c.bond}).Words(); got != c.want {
			t.Errorf("%v %v %v: %q, want %q", c.reward, c.stress, c.bond, got, c.want)
		}
	}
}

func TestOnlyAStrongMoodChangesSomething(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		reward, stress, bond float64
		want                 Manner
		lines                int
	}{
		{.15, .02, .20, Manner{}, 5},
		{.6, .6, .6, Manner{}, 5},
		{.2, .2, 1, Manner{}, 5},
		{.61, .3, .2, Manner{Connected: true}, 5},
		{.2, .61, .2, Manner{Brief: true}, 3},
		{1, .61, .2, Manner{Brief: true}, 3},
	} {
		m := Mood{Reward: c.reward, Stress: c.stress, Bond: c.bond}
		got := m.Manner()
		if silent := c.want == (Manner{}); got != c.want || got.Lines(5) != c.lines || (m.Header() == "") != silent || (got.String() == "") != silent {
			t.Errorf("%+v: %+v, %d of 5 lines, %q, %q", m, got, got.Lines(5), m.Header(), got)
		}
	}
}

func TestLevelsHaveBothNames(t *testing.T) {
	t.Parallel()
	var lines []string
	for _, l := range RestingMood(moodNoon()).Levels() {
		lines = append(lines, fmt.Sprintf("%s (%s) %.2f", l.Name, l.Hormone, l.Level))
		if l.Level != l.Rest {
			t.Errorf("%+v is not at rest", l)
		}
	}
	if got := strings.Join(lines, ", "); got != "reward (dopamine) 0.15, stress (cortisol) 0.02, bond (oxytocin) 0.20" {
		t.Error(got)
	}
}
