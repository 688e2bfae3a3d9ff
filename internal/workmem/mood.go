package workmem

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// Mood is how the work feels at an instant, each level 0 to 1. It weighs what a dream keeps, and nothing else.
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

// MoodEvents are all events.
func MoodEvents() []MoodEvent {
	return []MoodEvent{
		MoodReward, MoodError, MoodSocial, MoodAchievement, MoodUrgency, MoodCuriosity, MoodProgress, MoodAligned, MoodStagnant,
		MoodBonding, MoodSale, MoodRecallReward, MoodRecallStress, MoodRecallBond,
	}
}

// ParseMoodEvent finds an event by its name, in either vocabulary: recall_stress is also recall_cortisol. A friction is an
// error.
func ParseMoodEvent(name string) (MoodEvent, error) {
	wanted := strings.ReplaceAll(strings.ToLower(strings.TrimSpace(name)), "-", "_")
	for i, plain := range moodNames {
		wanted = strings.Replace(wanted, moodHormones[i], plain, 1)
	}
	switch event := MoodEvent(wanted); {
	case slices.Contains(MoodEvents(), event):
		return event, nil
	case wanted == "friction":
		return MoodError, nil
	case wanted == "curiosity":
		return MoodCuriosity, nil
	}
	var names []string
	for _, event := range MoodEvents() {
		names = append(names, string(event))
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

// MoodRules decide with the numbers of the mood.
type MoodRules struct{ t tuning.Mood }

// NewMood returns the rules that follow from the numbers.
func NewMood(t tuning.Mood) MoodRules { return MoodRules{t} }

func (r MoodRules) rest() moodAxes { return moodAxes{r.t.RewardRest, r.t.StressRest, r.t.BondRest} }

// left is the share of a distance from rest that is left after a time.
func (r MoodRules) left(after time.Duration) (left moodAxes) {
	for i, half := range [...]time.Duration{r.t.RewardHalf, r.t.StressHalf, r.t.BondHalf} {
		left[i] = math.Exp2(-float64(max(after, 0)) / float64(half))
	}
	return left
}

// Rest is the mood to which all others return.
func (r MoodRules) Rest(at time.Time) Mood { return moodOf(r.rest(), at) }

// Now is what is left of a mood. Each level returns to rest, from above and from below: reward of 0.45 is 0.30 after half an
// hour and 0.225 after an hour. A time before that of the mood changes nothing.
func (r MoodRules) Now(m Mood, now time.Time) Mood {
	if !now.After(m.At) {
		return m
	}
	levels, rest, left := m.axes(), r.rest(), r.left(now.Sub(m.At))
	for i := range levels {
		levels[i] = rest[i] + (levels[i]-rest[i])*left[i]
	}
	return moodOf(levels, now)
}

// Spike is what an event adds to each level; an unknown one adds nothing.
func (r MoodRules) Spike(event MoodEvent) (reward, stress, bond float64) {
	switch event {
	case MoodReward:
		return r.t.SpikeReward, 0, 0
	case MoodError:
		return 0, r.t.SpikeError, 0
	case MoodSocial:
		return 0, 0, r.t.SpikeSocial
	case MoodAchievement:
		return r.t.SpikeAchievement, 0, r.t.SpikeAchieveBond
	case MoodUrgency:
		return 0, r.t.SpikeUrgency, 0
	case MoodCuriosity:
		return r.t.SpikeCuriosity, 0, 0
	case MoodProgress:
		return r.t.SpikeProgress, 0, 0
	case MoodAligned:
		return r.t.SpikeAligned, 0, 0
	case MoodStagnant:
		return 0, r.t.SpikeStagnant, 0
	case MoodBonding:
		return r.t.SpikeBondingReward, 0, r.t.SpikeBonding
	case MoodSale:
		return r.t.SpikeSale, 0, r.t.SpikeSaleBond
	case MoodRecallReward:
		return r.t.SpikeRecall, 0, 0
	case MoodRecallStress:
		return 0, r.t.SpikeRecall, 0
	case MoodRecallBond:
		return 0, 0, r.t.SpikeRecall
	}
	return 0, 0, 0
}

// Feel is a mood after events. What is heard of late, when the mood is already that of a later time, counts what would be
// left of it by then: below the cap of 1 the order in which events arrive does not matter.
func (r MoodRules) Feel(m Mood, at time.Time, events ...MoodEvent) Mood {
	m = r.Now(m, at)
	levels, left := m.axes(), r.left(m.At.Sub(at))
	for _, event := range events {
		var spike moodAxes
		spike[0], spike[1], spike[2] = r.Spike(event)
		for i := range levels {
			levels[i] = min(1, levels[i]+spike[i]*left[i])
		}
	}
	return moodOf(levels, m.At)
}

// OfOutcome is what the outcome of a tool call moves. What failed is only that. A problem that was solved outweighs the test
// that showed it.
func OfOutcome(failed, commit, testsPassed, fixed bool) []MoodEvent {
	if failed {
		return []MoodEvent{MoodError}
	}
	var events []MoodEvent
	switch {
	case fixed:
		events = append(events, MoodAchievement)
	case testsPassed:
		events = append(events, MoodProgress)
	}
	if commit {
		events = append(events, MoodReward)
	}
	return events
}

// moodCauses say what a spike of each level may mean, in the words of the design.
var moodCauses = [...]string{"achievement/breakthrough detected", "friction/pressure detected", "bonding moment detected"}

// AutoNote is the note that a strong event writes by itself: when it lifts a level above the threshold and the last such note
// is long enough ago. It is asked at the event, with the moods before and after it; asked later, it would miss most. about
// is what happened, in few words; a note without it says little.
//
//	[AUTO] Hormonal event: dopamine spike (achievement/breakthrough detected). User seems energized after "tests pass now".
func (r MoodRules) AutoNote(before, after Mood, about string, lastAuto, now time.Time) (text string, ok bool) {
	// A last note in the future is a clock that was set back: it must not silence notes for years.
	if since := now.Sub(lastAuto); since >= 0 && since < r.t.NoteCooldown {
		return "", false
	}
	was, is := r.Now(before, now).axes(), r.Now(after, now).axes()
	var spikes []string
	for i, level := range is {
		if level > r.t.NoteAbove && level > was[i] {
			spikes = append(spikes, fmt.Sprintf("%s spike (%s)", moodHormones[i], moodCauses[i]))
		}
	}
	if len(spikes) == 0 {
		return "", false
	}
	text = "[AUTO] Hormonal event: " + strings.Join(spikes, ", ") + ". User seems " + r.Words(moodOf(is, now))
	if about = sumShorten(strings.Join(strings.Fields(shelfClean(about)), " "), r.t.NoteAbout); about != "" {
		text += ` after "` + about + `"`
	}
	return text + ".", true
}

// Words are the mood in words: "energized, alert".
func (r MoodRules) Words(m Mood) string {
	strong := [...]string{"energized", "stressed", "deeply connected"}
	weak := [...]string{"motivated", "alert", "socially engaged"}
	var words []string
	levels := m.axes()
	for i, level := range levels {
		switch {
		case level > r.t.High:
			words = append(words, strong[i])
		case level > r.t.Raised:
			words = append(words, weak[i])
		}
	}
	switch {
	case len(words) > 0:
		return strings.Join(words, ", ")
	case slices.Max(levels[:]) < r.t.Dormant:
		return "dormant"
	}
	return "calm"
}

// MoodLevel is one level of a mood under both of its names.
type MoodLevel struct {
	Name    string  `json:"name"`
	Hormone string  `json:"hormone"`
	Level   float64 `json:"level"`
	Rest    float64 `json:"rest"`
}

// String is the level as people read it: "reward (dopamine) 0.45".
func (l MoodLevel) String() string { return fmt.Sprintf("%s (%s) %.2f", l.Name, l.Hormone, l.Level) }

// Levels are the levels of a mood under both names, in the order in which they are always told.
func (r MoodRules) Levels(m Mood) []MoodLevel {
	rest := r.rest()
	var levels []MoodLevel
	for i, level := range m.axes() {
		levels = append(levels, MoodLevel{moodNames[i], moodHormones[i], level, rest[i]})
	}
	return levels
}

// moodHair is the least difference that counts; sums of hundredths are not exact.
const moodHair = 1e-9

// Attention tells whoever rewrites the state what the mood asks for. Two levels can rule at once.
func (r MoodRules) Attention(m Mood) string {
	levels := r.Levels(m)
	slices.SortStableFunc(levels, func(a, b MoodLevel) int { return cmp.Compare(b.Level, a.Level) })
	highest, lowest := levels[0].Level, levels[len(levels)-1].Level
	balanced := highest-lowest < r.t.Balanced-moodHair
	var parts, asks []string
	for _, l := range levels {
		part := l.String()
		if !balanced && l.Level >= r.t.Dominant-moodHair && highest-l.Level <= r.t.Beside+moodHair {
			part += " DOMINANT"
			asks = append(asks, moodAsk(l.Name))
		}
		parts = append(parts, part)
	}
	text := "Attention: " + strings.Join(parts, ", ") + "."
	switch {
	case balanced:
		text += " Balanced: weigh all sections alike."
	case len(asks) == 0:
		text += " None is dominant: follow the material."
	default:
		text += " " + strings.Join(asks, " ")
	}
	return text
}

// moodAsk is what a level asks for when it rules: the sections that the design gives it.
func moodAsk(name string) string {
	switch name {
	case "reward":
		return "Keep breakthroughs and what led to them in Active Context."
	case "stress":
		return "Name frictions and what to avoid in Active Context."
	}
	return "Keep what was learned about the person in The Bond."
}

// Resistance is how far the mood keeps what is felt now from fading, 0 to 0.5.
func (r MoodRules) Resistance(m Mood) float64 {
	return min(r.t.ResistMost, r.t.ResistStress*m.Stress+r.t.ResistReward*m.Reward+r.t.ResistBond*m.Bond)
}

// MergeThreshold is the cosine from which two crystals are one. Under stress details count more, so it is higher.
func (r MoodRules) MergeThreshold(m Mood) float64 {
	return min(1, r.t.MergeBase+r.t.MergeStress*m.Stress)
}

// Sparkline draws levels of 0 to 1, one character each. The scale is fixed, so that two lines can be compared.
func Sparkline(values []float64) string {
	blocks := []rune("▁▂▃▄▅▆▇█")
	var b strings.Builder
	for _, v := range values {
		if math.IsNaN(v) {
			b.WriteRune(' ')
			continue
		}
		b.WriteRune(blocks[int(min(max(v, 0)*float64(len(blocks)), float64(len(blocks)-1)))])
	}
	return b.String()
}

const (
	moodFormat = "mood1" // begins a mood as it is kept; the figure changes with the layout
	moodDigits = 12      // of a level: what follows is noise of adding
)

// Encode is a mood as the store keeps it: its time, and the distance of each level from rest. Because it is the distance, a
// mood at rest stays at rest when the resting levels are tuned.
func (r MoodRules) Encode(m Mood) string {
	parts := []string{moodFormat, strconv.FormatInt(m.At.UnixMilli(), 10)}
	rest := r.rest()
	for i, level := range m.axes() {
		parts = append(parts, strconv.FormatFloat(level-rest[i], 'g', moodDigits, 64))
	}
	return strings.Join(parts, " ")
}

// ParseMood reads what Encode wrote. Nothing is the mood before anything was felt: at rest since the beginning of time.
func (r MoodRules) ParseMood(text string) (Mood, error) {
	if strings.TrimSpace(text) == "" {
		return r.Rest(time.Time{}), nil
	}
	parts := strings.Fields(text)
	if len(parts) != 2+len(moodNames) || parts[0] != moodFormat {
		return Mood{}, fmt.Errorf("mood %q: want %s, a time and %d levels: %w",
			sumShorten(shelfClean(text), 60), moodFormat, len(moodNames), memory.ErrDamaged)
	}
	at, err := strconv.ParseInt(parts[1], 10, 64)
	if err != nil {
		return Mood{}, fmt.Errorf("mood %q: its time: %w", sumShorten(shelfClean(text), 60), memory.ErrDamaged)
	}
	levels := r.rest()
	for i := range levels {
		distance, err := strconv.ParseFloat(parts[2+i], 64)
		if err != nil || math.IsNaN(distance) || math.IsInf(distance, 0) {
			return Mood{}, fmt.Errorf("mood %q: its level of %s: %w", sumShorten(shelfClean(text), 60), moodNames[i], memory.ErrDamaged)
		}
		levels[i] = min(max(levels[i]+distance, 0), 1)
	}
	return moodOf(levels, time.UnixMilli(at).UTC()), nil
}
