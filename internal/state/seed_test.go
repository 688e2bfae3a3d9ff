package state

import (
	"strings"
	"testing"
	"time"
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

func TestADreamTakesInAtMostSoManyLines(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)
	m := Material{Now: now, TakesSeeds: true}
	lines := "- alpha\n- beta\n- gamma\n- delta\n- epsilon\n- zeta\n- eta\n- theta\n" // as many as one dream takes
	m.Old.Above = SeedBlock("MEMORY.md", now, lines+"- iota\n")
	m.Old.Dreamt = now.Add(-time.Hour)
	p := Rewrite(m)
	if len(p.Adopted) != seedLines || strings.Contains(p.New.Above, "theta") || !strings.Contains(p.New.Above, "- iota\n") ||
		!strings.Contains(p.New.Sections[SectionActive], strings.TrimSpace(lines)) {
		t.Errorf("%+v\n%s", p.Adopted, RenderState(p.New))
	}
	m.TakesSeeds = false
	if p = Rewrite(m); len(p.Adopted) != 0 || p.New.Above != m.Old.Above {
		t.Errorf("%+v", p.Adopted)
	}
}

func TestOnlyLinesThatStandForThemselvesMoveIntoTheState(t *testing.T) {
	t.Parallel()
	const seed = "---\ntitle: x\n---\n# All\nFirst line\nand its end.\n\n## How\n- one\n* **two**\n  goes on\n- [x] done\n- parent\n  - child\n> quoted\n" +
		"1. step\n| a | b |\n```\n- code\n```\n~~~\n- code\n~~~\nThese:\n- led\n\nafter\n## The Bond (Oxytocin-Weighted)\n- likes tea\n\n---\n<b>html</b>\n"
	now := time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)
	for _, text := range []string{seed, strings.ReplaceAll(seed, "\n", "\r\n")} {
		m := Material{Now: now, TakesSeeds: true}
		m.Old.Above, m.Old.Dreamt = SeedBlock("MEMORY.md", now, text), now.Add(-time.Hour)
		p := Rewrite(m)
		if got := p.New.Sections[SectionActive]; got != "- First line and its end.\n- How: one\n- How: **two** goes on\n- How: after" {
			t.Errorf("taken:\n%s", got)
		}
		if got := p.New.Sections[SectionBond]; got != "- likes tea" {
			t.Errorf("taken:\n%s", got)
		}
		for _, stays := range []string{"title: x", "# All", "- [x] done", "- parent", "  - child", "> quoted", "1. step", "| a | b |", "- code", "These:", "- led", "<b>html</b>"} {
			if !strings.Contains(p.New.Above, stays) {
				t.Errorf("%q is gone:\n%s", stays, p.New.Above)
			}
		}
	}
}
