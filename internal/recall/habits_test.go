package recall

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/vocab"

	"github.com/hebb-memory/hebb/internal/memory"
)

// conventions is a history with a convention that no word shows: "tidy" changes the tests of what it names, never the thing itself.
func conventions(commits int) *Image {
	m := NewImage()
	parts := []string{"till", "door", "shelf", "lamp"}
	for i := range commits {
		part := parts[i%len(parts)]
		at := day.Add(time.Duration(i) * time.Hour)
		if i%8 < 4 {
			m.Commit(at, int64(i), "mend the "+part, edits("shop/"+part+".go"), false)
		} else {
			m.Commit(at, int64(i), "tidy the "+part, edits("checks/"+part+"_check.go"), false)
		}
	}
	return m
}

func lessons() Lessons {
	t := DefaultLessons()
	t.From = 8
	return t
}

func taught(t *testing.T, m *Image, old *Habits) *Habits {
	t.Helper()
	return must.Get(NewRanker(m).Rehearse(nil).Teach(old, lessons(), func(float64) error { return nil }))(t)
}

func TestHabitsSayWhereWordsLead(t *testing.T) {
	t.Parallel()
	m := conventions(200)
	h := taught(t, m, nil)
	lean := func(text, path string) float64 { return h.lean(vocab.Terms(text), vocab.Terms(path)) }
	if check, shop := lean("tidy the bell", "checks/bell_check.go"), lean("tidy the bell", "shop/bell.go"); check <= shop {
		t.Errorf("tidy leads to checks by %.3f, to shop by %.3f", check, shop)
	}
	if check, shop := lean("mend the bell", "checks/bell_check.go"), lean("mend the bell", "shop/bell.go"); shop <= check {
		t.Errorf("mend leads to checks by %.3f, to shop by %.3f", check, shop)
	}
	if h.Episodes() != 200 {
		t.Errorf("%d episodes of 200", h.Episodes())
	}
}

func TestHabitsWeighInAnswers(t *testing.T) {
	t.Parallel()
	m := conventions(200)
	q := Question{Text: "tidy the lamp", At: day.AddDate(0, 1, 0)}
	r := NewRanker(m)
	plain := r.Rank(q, 10)
	r.Adopt(taught(t, m, nil))
	with := r.Rank(q, 10)
	if path := m.File(with[0].File).Path; path != "checks/lamp_check.go" {
		t.Errorf("first comes %s", path)
	}
	if gap, before := with[0].Score-with[1].Score, plain[0].Score-plain[1].Score; gap <= before {
		t.Errorf("ahead by %.3f with habits, %.3f without", gap, before)
	}
	sum := 0.0
	named := false
	for _, p := range r.Explain(with[0]) {
		sum += p.Share
		named = named || p.Term == Habit && p.Figure != 0
	}
	if math.Abs(sum-with[0].Score) > 1e-9 || !named {
		t.Errorf("a score of %.4f is explained by %.4f; habit named: %v", with[0].Score, sum, named)
	}
	r.Adopt(nil)
	if again := r.Rank(q, 10); !reflect.DeepEqual(again, plain) {
		t.Errorf("without them again: %v, want %v", again, plain)
	}
}

func TestHabitsSayNothingBesideOpenFiles(t *testing.T) {
	t.Parallel()
	m := conventions(100)
	lamp, _ := m.Find("shop/lamp.go")
	h := taught(t, m, nil)
	for _, q := range []Question{
		{Text: "tidy the lamp", InSession: true, Open: []FileNo{lamp}},
		{Text: "tidy the lamp", Open: []FileNo{lamp}}, {Open: []FileNo{lamp}},
	} {
		q.At = day.AddDate(0, 1, 0)
		r := NewRanker(m)
		plain := r.Rank(q, 10)
		r.Adopt(h)
		if got := r.Rank(q, 10); !reflect.DeepEqual(got, plain) {
			t.Errorf("%+v: %v, want %v", q, got, plain)
		}
	}
}

func TestHabitsSayLessTheMoreSessionsAreKnown(t *testing.T) {
	t.Parallel()
	m := conventions(100)
	h := taught(t, m, nil)
	share := func() float64 {
		r := NewRanker(m)
		r.Adopt(h)
		q := Question{Text: "tidy the lamp", At: day.AddDate(0, 1, 0), InSession: true}
		for _, p := range r.Explain(r.Rank(q, 1)[0]) {
			if p.Term == Habit {
				return p.Share
			}
		}
		return 0
	}
	before := share()
	for i := range 60 {
		m.Session(day.AddDate(0, 0, 10), int64(i), []Opened{{Path: "checks/lamp_check.go", Prompt: "tidy the lamp"}}, 20, 50)
	}
	if after := share(); before <= 0 || after >= before/2 {
		t.Errorf("a share of %.3f without sessions, %.3f with 60", before, after)
	}
}

func TestHabitsAreLearnedBesideGivenWeights(t *testing.T) {
	t.Parallel()
	m := conventions(100)
	q := Question{Text: "tidy the lamp", At: day.AddDate(0, 1, 0)}
	h := taught(t, m, nil)
	r := NewRanker(m)
	r.Adopt(h)
	want := r.Rank(q, 10)
	given := DefaultParams()
	given.Learned = func(bool) *Learned { return learned() }
	r.Vary(given)
	if got := r.Rank(q, 10); !reflect.DeepEqual(got, want) {
		t.Errorf("the shared weights, given: %v, want %v", got, want)
	}
	given.Learned = func(bool) *Learned { return &Learned{} }
	r.Vary(given)
	other, err := r.Rehearse(nil).Teach(nil, lessons(), func(float64) error { return nil })
	if err != nil || bytes.Equal(other.Encode(), h.Encode()) {
		t.Errorf("weights that say nothing teach the same as the shared ones: %v", err)
	}
}

func TestLearningHabitsLeavesThePastAsItIs(t *testing.T) {
	t.Parallel()
	m := conventions(60)
	gone, _ := m.Find("shop/door.go")
	m.Commit(day.AddDate(0, 0, 20), 99, "drop the door", []memory.Touch{{Kind: memory.Delete, Path: "shop/door.go"}}, false)
	files, episodes := EncodeFiles(m.addedFiles), EncodeEpisodes(m.addedEpisodes)
	taught(t, m, nil)
	if !slices.Equal(EncodeFiles(m.addedFiles), files) || !slices.Equal(EncodeEpisodes(m.addedEpisodes), episodes) || !m.gone[gone] {
		t.Error("the past has changed")
	}
}

func TestAStageKnowsOnlyWhatWasPlayed(t *testing.T) {
	t.Parallel()
	m := conventions(60)
	m.Commit(day.AddDate(0, 0, 20), 99, "drop the door", []memory.Touch{{Kind: memory.Delete, Path: "shop/door.go"}}, false)
	s := newStage(NewRanker(m).Rehearse(nil))
	for n := range m.Episodes() {
		if s.Commits() != n {
			t.Fatalf("%d commits before the %d-th", s.Commits(), n)
		}
		s.play(n)
	}
	if s.Files() != m.Files() || s.alive.files != m.alive.files {
		t.Errorf("%d files, %d alive; the past has %d and %d", s.Files(), s.alive.files, m.Files(), m.alive.files)
	}
	q := Question{Text: "tidy the lamp", At: day.AddDate(0, 1, 0)}
	if got, want := NewRanker(s.Image).Rank(q, 10), NewRanker(m).Rank(q, 10); !reflect.DeepEqual(got, want) {
		t.Errorf("played again it answers %v, want %v", got, want)
	}
}

func TestHabitsGoOnWhereTheyStopped(t *testing.T) {
	t.Parallel()
	half, whole := conventions(100), conventions(200)
	h := taught(t, half, nil)
	kept, err := DecodeHabits(h.Encode())
	if err != nil || !reflect.DeepEqual(kept, h) {
		t.Fatalf("what was kept is not what was learned: %v", err)
	}
	before := slices.Clone(h.pairs)
	if a, b := taught(t, whole, h), taught(t, whole, kept); !reflect.DeepEqual(a, b) || a.Episodes() != 200 {
		t.Error("who goes on and who reads first learn different things")
	}
	if !slices.Equal(h.pairs, before) {
		t.Error("the old habits have changed")
	}
	if shrunk := taught(t, half, taught(t, whole, nil)); !reflect.DeepEqual(shrunk, h) {
		t.Error("habits of a longer past were kept for a shorter one")
	}
}

func TestNoPastIsPlayedToLearnNothing(t *testing.T) {
	t.Parallel()
	tune := lessons()
	tune.Most = 0
	past := NewRanker(conventions(60)).Rehearse(nil)
	past.files = nil // who plays it panics
	old := taught(t, conventions(40), nil)
	h, err := past.Teach(old, tune, func(float64) error { return nil })
	if err != nil || h.Episodes() != 60 || old.Episodes() != 40 || !reflect.DeepEqual(h.pairs, old.pairs) || h.own != old.own {
		t.Errorf("%v, %d episodes of 60", err, h.Episodes())
	}
}

func TestHabitsAreBounded(t *testing.T) {
	t.Parallel()
	tune := lessons()
	tune.PairRate, tune.ShiftRate, tune.ShiftMost = 10, 1, .5
	h := must.Get(NewRanker(conventions(300)).Rehearse(nil).Teach(nil, tune, func(float64) error { return nil }))(t)
	for _, x := range h.pairs {
		if x > mostHabit || x < -mostHabit {
			t.Fatalf("a pair of %v", x)
		}
	}
	for _, x := range h.own[ChangeByWords].shift {
		for _, v := range x {
			if math.Abs(v) > .5 {
				t.Fatalf("a weight moved by %v", v)
			}
		}
	}
	if _, err := DecodeHabits(h.Encode()); err != nil {
		t.Error(err)
	}
}

func TestLearningHabitsCanBeEnded(t *testing.T) {
	t.Parallel()
	enough := errors.New("enough")
	h, err := NewRanker(conventions(60)).Rehearse(nil).Teach(nil, lessons(), func(share float64) error {
		if share > .5 {
			return enough
		}
		return nil
	})
	if h != nil || !errors.Is(err, enough) {
		t.Errorf("%v, %v", h, err)
	}
}

func TestDamagedHabitsAreRefused(t *testing.T) {
	t.Parallel()
	good := NewHabits().Encode()
	other := slices.Clone(good)
	other[2*wordBytes]++ // made where other evidence is weighed
	for i, b := range [][]byte{nil, good[:10], good[:len(good)-1], append(slices.Clone(good), 0), other} {
		if _, err := DecodeHabits(b); !errors.Is(err, memory.ErrDamaged) {
			t.Errorf("%d: %v", i, err)
		}
	}
}

func TestBlameLiftsTheRightOnes(t *testing.T) {
	t.Parallel()
	blame := Blame([]float64{3, 2, 1}, []bool{false, true, false})
	if blame[1] <= 0 || blame[0] >= blame[2] || blame[2] >= 0 {
		t.Errorf("%v", blame)
	}
	near(t, "what one gains the others lose", blame[0]+blame[1]+blame[2], 0)
	for _, right := range [][]bool{{true, true, true}, {false, false, false}} {
		if got := fmt.Sprint(Blame([]float64{3, 2, 1}, right)); got != "[0 0 0]" {
			t.Errorf("%v: %s", right, got)
		}
	}
	if got := Blame(nil, nil); len(got) != 0 {
		t.Errorf("of nothing: %v", got)
	}
}
