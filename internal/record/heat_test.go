package record

import (
	"math"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
)

// heatLeft is what one closed session leaves; package plasticity does it so, at any later time.
var heatLeft = HeatPerSession

func heatNear(got, want float64) bool { return math.Abs(got-want) < 1e-4 }

func TestV1HeatGrowsWithOneEditASession(t *testing.T) {
	t.Parallel()
	want := map[int][2]float64{
		1: {1, .8}, 2: {1.8, 1.44}, 3: {2.44, 1.952}, 4: {2.952, 2.3616}, 5: {3.3616, 2.68928}, 10: {4.463129, 3.570503}, 200: {5, 4},
	}
	heat := 0.0
	for session := 1; session <= 200; session++ {
		heat += TouchHeat(memory.Edit, false)
		inside := heat
		heat *= heatLeft
		if w, ok := want[session]; ok && (!heatNear(inside, w[0]) || !heatNear(heat, w[1])) {
			t.Errorf("session %d: %.4f inside and %.4f after it, want %v", session, inside, heat, w)
		}
	}
}

func TestV1HeatCoolsWithEverySession(t *testing.T) {
	t.Parallel()
	for heat, want := range map[float64]int{.8: 0, 1.952: 3, 3.5705: 6, 4: 7, 2.44: 4} {
		sessions := 0
		for left := heat; TierOf(left) != Cold; left *= heatLeft {
			sessions++
		}
		if sessions != want {
			t.Errorf("%v is cold after %d sessions, want %d", heat, sessions, want)
		}
	}
}

func TestV1ReadingAloneWarmsSlowly(t *testing.T) {
	t.Parallel()
	heat, warmInside, warmAfter := 0.0, 0, 0
	for session := 1; session <= 200; session++ {
		heat += TouchHeat(memory.Read, session > 1)
		if warmInside == 0 && TierOf(heat) == Warm {
			warmInside = session
		}
		heat *= heatLeft
		if warmAfter == 0 && TierOf(heat) == Warm {
			warmAfter = session
		}
	}
	if warmInside != 5 || warmAfter != 9 || !heatNear(heat, 1.2) {
		t.Errorf("warm in session %d and after session %d, in the end %.4f; want 5, 9, 1.2", warmInside, warmAfter, heat)
	}
}

func TestV1WhatOneSessionLeaves(t *testing.T) {
	t.Parallel()
	const edit, read, mention = memory.Edit, memory.Read, memory.Mention
	for _, c := range []struct {
		name    string
		touches []memory.TouchKind
		heat    float64
		tier    Tier
	}{
		{"one edit is cold again", []memory.TouchKind{edit}, .8, Cold},
		{"a read and an edit", []memory.TouchKind{read, edit}, 1.04, Warm},
		{"two edits", []memory.TouchKind{edit, edit}, 1.6, Warm},
		{"three edits", []memory.TouchKind{edit, edit, edit}, 2.4, Hot},
		{"a read and two edits", []memory.TouchKind{read, edit, edit}, 1.84, Warm},
		{"a mention counts once", []memory.TouchKind{mention, mention, mention}, .4, Cold},
		{"a mention of an open file counts nothing", []memory.TouchKind{edit, mention}, .8, Cold},
		{"an edit after a mention counts", []memory.TouchKind{mention, edit}, 1.2, Warm},
		{"renames and deletions heat nothing", []memory.TouchKind{memory.Rename, memory.Delete}, 0, Cold},
		{"an unknown kind is like a mention", []memory.TouchKind{"glance", "glance"}, .4, Cold},
	} {
		heat := 0.0
		for i, kind := range c.touches {
			heat += TouchHeat(kind, i > 0)
		}
		heat *= heatLeft
		if !heatNear(heat, c.heat) || TierOf(heat) != c.tier {
			t.Errorf("%s: %.4f %v, want %.4f %v", c.name, heat, TierOf(heat), c.heat, c.tier)
		}
	}
}

func TestV2Tiers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		heat float64
		want string
	}{
		{2.0, "warm"}, {2.0001, "hot"}, {1.0, "warm"}, {.9999, "cold"}, {0, "cold"}, {-1, "cold"},
		{math.NaN(), "cold"}, {math.Inf(1), "hot"},
	} {
		if got := TierOf(c.heat).String(); got != c.want {
			t.Errorf("%v is %s, want %s", c.heat, got, c.want)
		}
	}
}
