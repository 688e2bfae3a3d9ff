package state

import (
	"math"
	"strings"
	"testing"
)

func TestV22Pressure(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		lines int
		want  float64
		level PressureLevel
	}{
		{0, 0, Silent}, {-3, 0, Silent}, {24, .48, Silent}, {25, .5, Gentle}, {50, 1, Gentle}, {51, 1.02, Full}, {500, 10, Full},
	} {
		p := PressureOf(Waiting{Lines: c.lines, Notes: max(c.lines-3, 0)})
		if math.Abs(p.Value-c.want) > 1e-4 || p.Level != c.level || (len(p.Reasons) == 0) != (c.level == Silent) {
			t.Errorf("%d lines: %+v; want %+v", c.lines, p, c)
		}
	}
}

func TestPressureIsLiftedByTimeTalkAndALostContext(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		waiting Waiting
		level   PressureLevel
		reasons string
	}{
		{"nothing waits", Waiting{Sessions: 9, Prompts: 900, Compacted: true}, Silent, ""},
		{"two sessions and little talk", Waiting{Lines: 4, Notes: 1, Sessions: 2, Prompts: 19}, Silent, ""},
		{
			"three sessions", Waiting{Lines: 4, Notes: 1, Sessions: 3}, Gentle,
			"3 sessions without a dream",
		},
		{
			"half a scratch and a dense conversation", Waiting{Lines: 25, Notes: 22, Prompts: 20}, Full,
			"the scratch has 25 of 50 lines, a dense conversation of 20 prompts",
		},
		{"sessions and talk", Waiting{Lines: 4, Notes: 1, Sessions: 3, Prompts: 20}, Full, "3 sessions without a dream, a dense conversation of 20 prompts"},
		{"a lost context", Waiting{Lines: 4, Notes: 1, Compacted: true}, Full, "the context was compacted and 1 note waits"},
	} {
		p := PressureOf(c.waiting)
		if p.Level != c.level || strings.Join(p.Reasons, ", ") != c.reasons || p.Review != (c.waiting.Compacted && c.waiting.Notes > 0) {
			t.Errorf("%s: %+v", c.name, p)
		}
	}
}
