package state

import (
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

func TestTheFirstDreamLetsAnAdoptedTextBe(t *testing.T) {
	t.Parallel()
	adopted := time.Date(2026, 11, 15, 12, 0, 0, 5e8, time.UTC)
	for _, c := range []struct {
		dreamt time.Time
		want   bool
	}{{time.Time{}, false}, {adopted.Add(-time.Hour), false}, {adopted.Truncate(time.Second), false}, {adopted.Add(time.Hour), true}} {
		if got := SeedOpen(adopted, c.dreamt); got != c.want {
			t.Errorf("dreamt %v: %v", c.dreamt, got)
		}
	}
	if SeedOpen(time.Time{}, adopted) {
		t.Error("nothing was adopted")
	}
}

func TestALineThatADreamWouldLoseGoesBackAboveTheState(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)
	held := memory.Crystal{
		ID: "held", Text: "Counter seven closes at noon", SaidAt: now.Add(-time.Hour), Origin: memory.OriginUser, Lifecycle: memory.Consolidated, Importance: 0.75,
	}
	m := Material{
		Now: now, Crystals: []memory.Crystal{held}, Seeds: Seeds{Open: true, Held: map[memory.CrystalID]bool{"held": true}},
		Pointers: []Pointer{{Topic: "counters", Words: "counter noon", Crystals: []memory.CrystalID{"held"}}},
		Finds:    func(string) []memory.CrystalID { return []memory.CrystalID{} }, // the words find it no longer
	}
	m.Old.Above = "mine\n"
	m.Old.Dreamt = now.Add(-24 * time.Hour)
	m.Old.Sections[SectionPointers] = "- Past: counters → search: `counter noon`"
	p := Rewrite(m)
	if !strings.Contains(RenderState(p.New), held.Text) {
		t.Errorf("it is lost:\n%s", RenderState(p.New))
	}
	// The person took the line out themselves: then it stays out.
	m.Pointers, m.Old.Sections[SectionPointers] = nil, ""
	if p = Rewrite(m); strings.Contains(RenderState(p.New), held.Text) {
		t.Errorf("it came back:\n%s", RenderState(p.New))
	}
}

func TestADreamTakesInAtMostSoManyLines(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)
	m := Material{Now: now, Seeds: Seeds{Open: true}}
	lines := "- alpha\n- beta\n- gamma\n- delta\n- epsilon\n- zeta\n- eta\n- theta\n" // as many as one dream takes
	m.Old.Above = SeedBlock("MEMORY.md", now, lines+"- iota\n")
	m.Old.Dreamt = now.Add(-time.Hour)
	p := Rewrite(m)
	if len(p.Adopted) != seedLines || strings.Contains(p.New.Above, "theta") || !strings.Contains(p.New.Above, "- iota\n") ||
		!strings.Contains(p.New.Sections[SectionActive], strings.TrimSpace(lines)) {
		t.Errorf("%+v\n%s", p.Adopted, RenderState(p.New))
	}
	m.Seeds.Open = false
	if p = Rewrite(m); len(p.Adopted) != 0 || p.New.Above != m.Old.Above {
		t.Errorf("%+v", p.Adopted)
	}
}
