package state

import (
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

func TestOnlyLinesOfStatementsAreUndated(t *testing.T) {
	t.Parallel()
	for item, want := range map[string]string{
		"- use tabs (2026-10-03)":                         "use tabs",
		"- use tabs (see below) (2026-10-03)":             "use tabs (see below)",
		"- use tabs (2026-10-03, said 3 times)":           "use tabs",
		"- use tabs":                                      "",
		"- use tabs (in 2026)":                            "",
		"- 2026-10-03: use tabs (2026-10-01)":             "",
		"- Next: use tabs (2026-10-03)":                   "",
		"- Session 2026-10-03: asked for it (2026-10-01)": "",
		"- (2026-10-03)":                                  "",
	} {
		if got, ok := Undated(item); ok != (want != "") || ok && got != want {
			t.Errorf("%q: %q, %v, want %q", item, got, ok, want)
		}
	}
}

func TestTheStrengthOfAStatement(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 15, 8, 0, 0, 0, time.UTC)
	of := func(change func(*Statement)) float64 {
		s := Statement{Times: 1, Crystal: memory.Crystal{Kind: memory.Decision, Importance: 0.5, Heard: 0.7, SaidAt: now.AddDate(0, 0, -20)}}
		change(&s)
		return s.Strength(now)
	}
	plain := of(func(*Statement) {})
	for name, stronger := range map[string]float64{
		"a rule":             of(func(s *Statement) { s.Kind = memory.Rule }),
		"said on purpose":    of(func(s *Statement) { s.Heard = 0 }),
		"more important":     of(func(s *Statement) { s.Importance = 0.9 }),
		"said again":         of(func(s *Statement) { s.Times = 2 }),
		"said later":         of(func(s *Statement) { s.SaidAt = now }),
		"used since":         of(func(s *Statement) { s.LastAt = now }),
		"a clock set back":   of(func(s *Statement) { s.SaidAt = now.AddDate(1, 0, 0) }),
		"understood clearly": of(func(s *Statement) { s.Heard = 0.9 }),
	} {
		if stronger <= plain {
			t.Errorf("%s: %.3f, and without %.3f", name, stronger, plain)
		}
	}
	again := func(times, missed int) float64 { return of(func(s *Statement) { s.Times, s.Missed = times, missed }) }
	if again(2, 1) <= again(2, 0) || again(4, 3) <= again(4, 0) {
		t.Error("what had to be said again although it was remembered is not stronger than what was repeated in one session")
	}
	if most := again(1000, 999); most != again(5, 4) || most > plain*saidMost+1e-9 {
		t.Errorf("repetitions make a statement %.2f times as strong", most/plain)
	}
	if goal := of(func(s *Statement) { s.Kind = memory.Intention }); goal >= plain/2 {
		t.Errorf("what was to be done three weeks ago: %.3f, a decision %.3f", goal, plain)
	}
}

func TestALineOfADreamIsKnownAgain(t *testing.T) {
	t.Parallel()
	line := Statement{Times: 1, Crystal: memory.Crystal{Text: "use tabs.", SaidAt: time.Date(2026, 10, 3, 8, 0, 0, 0, time.UTC)}}.String()
	if line != "- use tabs (2026-10-03)" {
		t.Error(line)
	}
}
