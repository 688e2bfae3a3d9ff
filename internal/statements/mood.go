package statements

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

// Mood is how the work feels at an instant, each level 0 to 1. Manner says what it changes in what is shown; it also weighs what a dream keeps.
type Mood struct {
	Reward float64   `json:"reward"` // dopamine
	Stress float64   `json:"stress"` // cortisol
	Bond   float64   `json:"bond"`   // oxytocin
	At     time.Time `json:"at"`
}

// MoodEvent is something that moves a mood.
type MoodEvent string

// The events, by the names of the design.
const (
	MoodReward       MoodEvent = "reward"
	MoodError        MoodEvent = "error"
	MoodSocial       MoodEvent = "social"
	MoodAchievement  MoodEvent = "achievement"
	MoodUrgency      MoodEvent = "urgency"
	MoodCuriosity    MoodEvent = "curiosity_high"
	MoodProgress     MoodEvent = "progress"
	MoodAligned      MoodEvent = "aligned"
	MoodStagnant     MoodEvent = "stagnant"
	MoodBonding      MoodEvent = "bonding"
	MoodSale         MoodEvent = "sale"
	MoodRecallReward MoodEvent = "recall_reward" // a memory of a strong feeling was recalled
	MoodRecallStress MoodEvent = "recall_stress"
	MoodRecallBond   MoodEvent = "recall_bond"
)

// ParseMoodEvent finds an event by its name, in either vocabulary: recall_stress is also recall_cortisol. A friction is an
// error.
func ParseMoodEvent(name string) (MoodEvent, error) {
	wanted := strings.ReplaceAll(strings.ToLower(strings.TrimSpace(name)), "-", "_")
	for i, plain := range moodNames {
		wanted = strings.Replace(wanted, moodHormones[i], plain, 1)
	}
	switch wanted {
	case "friction":
		return MoodError, nil
	case "curiosity":
		return MoodCuriosity, nil
	}
	var names []string
	for _, s := range moodSpikes {
		if string(s.event) == wanted {
			return s.event, nil
		}
		names = append(names, string(s.event))
	}
	return "", fmt.Errorf("mood event %q: want one of %s: %w", name, strings.Join(names, ", "), memory.ErrInvalid)
}

// moodAxes are a figure for each level: reward, stress, bond.
type moodAxes [3]float64

// The names of the levels, as hebb calls them and as the design did.
var (
	moodNames    = [...]string{"reward", "stress", "bond"}
	moodHormones = [...]string{"dopamine", "cortisol", "oxytocin"}
)

func (m Mood) axes() moodAxes { return moodAxes{m.Reward, m.Stress, m.Bond} }

func moodOf(levels moodAxes, at time.Time) Mood {
	return Mood{Reward: levels[0], Stress: levels[1], Bond: levels[2], At: at}
}

// Levels and half-lives of the hormones in the design, in the order reward, stress, bond.
var (
	moodRest   = moodAxes{0.15, 0.02, 0.2}
	moodHalves = [...]time.Duration{30 * time.Minute, 60 * time.Minute, 45 * time.Minute}
)

// moodLeft is the share of a distance from rest that is left after a time.
func moodLeft(after time.Duration) (left moodAxes) {
	for i, half := range moodHalves {
		left[i] = math.Exp2(-float64(max(after, 0)) / float64(half))
	}
	return left
}

// RestingMood is the mood to which all others return.
func RestingMood(at time.Time) Mood { return moodOf(moodRest, at) }

// Now is what is left of a mood. Each level returns to rest, from above and from below: reward of 0.45 is 0.30 after half an
// hour and 0.225 after an hour. A time before that of the mood changes nothing.
func (m Mood) Now(now time.Time) Mood {
	if !now.After(m.At) {
		return m
	}
	levels, left := m.axes(), moodLeft(now.Sub(m.At))
	for i, rest := range moodRest {
		levels[i] = rest + (levels[i]-rest)*left[i]
	}
	return moodOf(levels, now)
}

// moodSpikes lists every event with what it adds to each level: the table of spikes in the design.
var moodSpikes = []struct {
	event MoodEvent
	adds  moodAxes
}{
	{MoodReward, moodAxes{0.3, 0, 0}},
	{MoodError, moodAxes{0, 0.3, 0}},
	{MoodSocial, moodAxes{0, 0, 0.3}},
	{MoodAchievement, moodAxes{0.4, 0, 0.2}},
	{MoodUrgency, moodAxes{0, 0.4, 0}},
	{MoodCuriosity, moodAxes{0.25, 0, 0}},
	{MoodProgress, moodAxes{0.2, 0, 0}},
	{MoodAligned, moodAxes{0.1, 0, 0}},
	{MoodStagnant, moodAxes{0, 0.15, 0}},
	{MoodBonding, moodAxes{0.1, 0, 0.25}},
	{MoodSale, moodAxes{0.15, 0, 0.05}},
	{MoodRecallReward, moodAxes{0.05, 0, 0}},
	{MoodRecallStress, moodAxes{0, 0.05, 0}},
	{MoodRecallBond, moodAxes{0, 0, 0.05}},
}

// Feel is a mood after events. An event that arrives late, when the mood is already that of a later time, adds what would be
// left of it by then: below the cap of 1 the order in which events arrive does not matter.
func (m Mood) Feel(at time.Time, events ...MoodEvent) Mood {
	m = m.Now(at)
	levels, left := m.axes(), moodLeft(m.At.Sub(at))
	for _, event := range events {
		for _, s := range moodSpikes {
			for i := range levels {
				if s.event == event {
					levels[i] = min(1, levels[i]+s.adds[i]*left[i])
				}
			}
		}
	}
	return moodOf(levels, m.At)
}

// Levels at which a mood gets its words, as designed.
const (
	moodHigh    = 0.6 // above: energized, stressed, deeply connected
	moodRaised  = 0.3 // above: motivated, alert, socially engaged
	moodDormant = 0.1 // all below: dormant
)

// Words are the mood in words: "energized, alert".
func (m Mood) Words() string {
	strong := [...]string{"energized", "stressed", "deeply connected"}
	weak := [...]string{"motivated", "alert", "socially engaged"}
	var words []string
	levels := m.axes()
	for i, level := range levels {
		switch {
		case level > moodHigh:
			words = append(words, strong[i])
		case level > moodRaised:
			words = append(words, weak[i])
		}
	}
	switch {
	case len(words) > 0:
		return strings.Join(words, ", ")
	case slices.Max(levels[:]) < moodDormant:
		return "dormant"
	}
	return "calm"
}

// Manner is what a mood changes in what agents are shown. A mood that is neither stressed nor energized changes nothing and is not mentioned.
type Manner struct {
	Brief     bool // half of the usual lines, and what fixed errors comes first
	Connected bool // goals are shown with the goals that share files with them
}

// Manner is what a mood changes. Who is stressed is shown little, energized or not.
func (m Mood) Manner() Manner {
	return Manner{Brief: m.Stress > moodHigh, Connected: m.Reward > moodHigh && m.Stress <= moodHigh}
}

// String says what is shown otherwise, and why; empty where nothing is.
func (m Manner) String() string {
	switch {
	case m.Brief:
		return "stressed: things went wrong lately, so fewer lines are shown, what fixed errors first"
	case m.Connected:
		return "energized: things went well lately; goals that share files are shown with each other"
	}
	return ""
}

// Lines is how many of some lines, bytes or tokens are shown.
func (m Manner) Lines(n int) int {
	if m.Brief {
		return (n + 1) / 2
	}
	return n
}

// Header is what a model that dreams is told of the mood; empty where the mood has no effect.
func (m Mood) Header() string {
	switch manner := m.Manner(); {
	case manner.Brief:
		return "stressed (things had gone wrong: frictions come first)"
	case manner.Connected:
		return "energized (things had gone well: breakthroughs come first)"
	}
	return ""
}

// MoodLevel is one level of a mood under both of its names.
type MoodLevel struct {
	Name    string  `json:"name"`
	Hormone string  `json:"hormone"`
	Level   float64 `json:"level"`
	Rest    float64 `json:"rest"`
}

// Levels are the levels of a mood under both names, in the order in which they are always shown.
func (m Mood) Levels() []MoodLevel {
	var levels []MoodLevel
	for i, level := range m.axes() {
		levels = append(levels, MoodLevel{moodNames[i], moodHormones[i], level, moodRest[i]})
	}
	return levels
}
