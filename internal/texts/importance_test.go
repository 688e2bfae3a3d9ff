package texts

import (
	"math"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// noon is a Wednesday.
var noon = time.Date(2026, time.March, 18, 12, 0, 0, 0, time.UTC)

func rules() Rules { return NewRules(tuning.Default().Crystal) }

func near(got, want, tolerance float64) bool { return math.Abs(got-want) <= tolerance }

func days(n float64) time.Duration { return time.Duration(n * 24 * float64(time.Hour)) }

// fact has been used n times, the last of them the given days ago.
func fact(uses int64, ago float64) memory.Crystal {
	at := noon.Add(-days(ago))
	return memory.Crystal{ID: "a", Kind: memory.Fact, SaidAt: at, LastAt: at, Accesses: uses, Lifecycle: memory.Generated}
}

func TestV17Importance(t *testing.T) {
	r := rules()
	for _, c := range []struct {
		uses int64
		days float64
		want float64
	}{{0, 0, .1813}, {0, 6, .1399}, {0, 14, .0990}, {1, 14, .1801}, {1, 28, .0983}, {5, 60, .0523}} {
		if got := r.Importance(fact(c.uses, c.days), false, noon); !near(got, c.want, 1e-4) {
			t.Errorf("%d uses, %v days: %.4f, want %.4f", c.uses, c.days, got, c.want)
		}
	}
	for _, c := range []struct {
		uses    int64
		valence float64
		days    float64
	}{{0, 0, 51.0}, {1, 0, 64.9}, {5, 0, 82.3}, {0, 1, 102.1}, {1, -1, 129.7}, {5, 1, 164.6}} {
		before, after := fact(c.uses, c.days-.15), fact(c.uses, c.days+.15)
		before.Valence, after.Valence = c.valence, c.valence
		if r.Forget(before, false, noon) || !r.Forget(after, false, noon) {
			t.Errorf("%d uses, valence %v: does not expire at %v days", c.uses, c.valence, c.days)
		}
	}
}

func TestV27Spacing(t *testing.T) {
	for _, c := range []struct{ hours, want float64 }{
		{1, .1053}, {24, .4891}, {168, .7795}, {720, 1}, {5000, 1}, {0, 0}, {-3, 0}, {math.NaN(), 0},
	} {
		if got := Spacing(c.hours); !near(got, c.want, 1e-4) {
			t.Errorf("%v h: %.4f, want %.4f", c.hours, got, c.want)
		}
	}
}

func TestKindsDifferInStrength(t *testing.T) {
	want := map[memory.CrystalKind]float64{
		memory.Preference: 1.2, memory.Rule: 1.2, memory.Intention: 1.2, memory.Correction: 1.1, memory.TaskPattern: 1.1, memory.Insight: 1.1, memory.Relationship: 1.1,
		memory.Decision: 1.1, memory.Lesson: 1.1, memory.Procedure: 1.1, memory.Cause: 1.1, memory.State: 1, memory.Skill: 1, memory.Fact: 1, memory.Episode: .8,
	}
	for _, kind := range memory.CrystalKinds {
		c := fact(0, 0)
		c.Kind = kind
		if got := rules().Importance(c, false, noon) / rules().Importance(fact(0, 0), false, noon); !near(got, want[kind], 1e-9) {
			t.Errorf("%s: %v, want %v", kind, got, want[kind])
		}
	}
}

func TestWhatIsOpenPinnedOrASkillIsNotForgotten(t *testing.T) {
	r := rules()
	old := fact(0, 1000)
	if !r.Forget(old, false, noon) {
		t.Error("an old fact without a use stays")
	}
	if got := r.Importance(old, true, noon); got != .04 || r.Forget(old, true, noon) {
		t.Errorf("an open loop: importance %v, want 0.04 and kept", got)
	}
	skill, pinned, archived := old, old, old
	skill.Kind, pinned.Lifecycle, archived.Lifecycle = memory.Skill, memory.Frozen, memory.Archived
	for _, c := range []memory.Crystal{skill, pinned, archived} {
		if r.Forget(c, false, noon) || r.Refresh(c, false, noon).Lifecycle != c.Lifecycle {
			t.Errorf("%s %s was forgotten", c.Lifecycle, c.Kind)
		}
	}
	if got := r.Refresh(old, false, noon).Lifecycle; got != memory.Expired {
		t.Errorf("forgetting gives %s", got)
	}
}

func TestUsesMoveACrystalThroughItsLife(t *testing.T) {
	r := rules()
	c := memory.Crystal{Kind: memory.Fact, SaidAt: noon, LastAt: noon, Lifecycle: memory.Generated}
	for i, step := range []struct {
		after float64 // days since the step before
		want  memory.Lifecycle
		gap   float64 // hours
	}{{1, memory.Activated, 0}, {2, memory.Activated, 48}, {4, memory.Activated, 72}, {8, memory.Consolidated, 112}} {
		at := c.LastAt.Add(days(step.after))
		c = r.Use(c, false, at)
		if c.Lifecycle != step.want || !near(c.GapHours, step.gap, 1e-9) || c.Accesses != int64(i+1) || !c.LastAt.Equal(at) {
			t.Errorf("use %d: %s, gap %v h, %d accesses; want %s, %v h", i+1, c.Lifecycle, c.GapHours, c.Accesses, step.want, step.gap)
		}
	}
	expired := c
	expired.Lifecycle = memory.Expired
	if got := r.Use(expired, false, noon.Add(days(100))).Lifecycle; !got.Living() {
		t.Errorf("asking for an expired crystal leaves it %s", got)
	}
	for _, kept := range []memory.Lifecycle{memory.Frozen, memory.Archived} {
		c.Lifecycle = kept
		if got := r.Use(c, false, noon.Add(days(100))).Lifecycle; got != kept {
			t.Errorf("using a %s crystal makes it %s", kept, got)
		}
	}
}

func TestWhatFollowsConfirmsOrContradicts(t *testing.T) {
	r := rules()
	c := r.Use(fact(0, 3), false, noon)
	if got := Confirm(c); !near(got.Importance, c.Importance+.05, 1e-9) {
		t.Errorf("confirmed: %v, was %v", got.Importance, c.Importance)
	}
	if c.Unsure = true; Confirm(c).Unsure {
		t.Error("a contradicted text is in doubt until it is confirmed")
	}
}

func TestACrystalFadesWhenItIsForgotten(t *testing.T) {
	r := rules()
	often, heard, pinned, over := fact(40, 3), fact(0, 0), fact(0, 0), fact(0, 0)
	often.Kind, often.GapHours = memory.Rule, 700 // its importance is above 1 without the bound
	heard.Kind, heard.Heard = memory.Decision, 0.6
	pinned.Lifecycle, over.ValidTo = memory.Frozen, noon
	for name, c := range map[string]memory.Crystal{"new": fact(0, 0), "used": fact(5, 10), "often used": often, "heard": heard} {
		at := r.FadesAt(c, false, noon)
		if r.Forget(c, false, at.Add(-time.Hour)) || !r.Forget(c, false, at.Add(time.Hour)) {
			t.Errorf("%s: fades at %v, which is not when it is forgotten", name, at)
		}
	}
	if at := r.FadesAt(fact(0, 0), false, noon); int(at.Sub(noon).Hours()/24) != 51 {
		t.Errorf("a new fact fades after %v", at.Sub(noon))
	}
	if at := r.FadesAt(fact(0, 200), false, noon); !at.Equal(noon) {
		t.Errorf("what should have faded long ago fades at %v", at)
	}
	for name, at := range map[string]time.Time{
		"a pin": r.FadesAt(pinned, false, noon), "what is over": r.FadesAt(over, false, noon), "an open loop": r.FadesAt(fact(0, 0), true, noon),
	} {
		if !at.IsZero() {
			t.Errorf("%s fades at %v", name, at)
		}
	}
}
