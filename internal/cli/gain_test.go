package cli

import (
	"testing"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
)

func TestTokensSaved(t *testing.T) {
	r := answer.RoiResult{Least: 5, Groups: []answer.RoiGroup{
		{Name: "shown", Sessions: 40, Measured: 12}, {Name: "held", Sessions: 6, Measured: 2}, {Name: "before", Sessions: 20},
	}}
	for _, c := range []struct {
		name   string
		saving answer.RoiSaving
		want   string
	}{
		{"sure", answer.RoiSaving{Against: "held", Tokens: &answer.TokenSaving{
			Saved: brain.Interval{Value: 12345.6, Low: 900, High: 20000}, Spent: brain.Interval{Value: 61.5}, Net: brain.Interval{Value: 12284.1, Low: 840, High: 19940},
		}}, "Against the control group: 12 346 tokens saved [900 to 20000]; 62 tokens spent on lines; net 12 284 tokens saved [840 to 19940]."},
		{"not sure, and the lines cost more", answer.RoiSaving{Against: "before", Tokens: &answer.TokenSaving{
			Saved: brain.Interval{Value: 5, Low: -20, High: 30}, Spent: brain.Interval{Value: 100}, Net: brain.Interval{Value: -95, Low: -120, High: -70},
		}}, "Against sessions before the first: no clear difference in tokens [-20 to +30 saved]; 100 tokens spent on lines; net 95 tokens lost [70 to 120]."},
		{"not measured", answer.RoiSaving{Against: "held"}, "Against the control group: tokens are unknown yet, 2 of 6 sessions " +
			"and 12 of 40 with suggestions were measured (5 of each are needed)."},
	} {
		if got := tokensSaved(r, c.saving); got != c.want {
			t.Errorf("%s: %s\nwant %s", c.name, got, c.want)
		}
	}
	for want, tokens := range map[string]answer.TokensResult{
		"": {},
		"size unknown, none of 3 searches was measured":                      {Unmeasured: 3},
		"1 token on average, measured in 1 search":                           {Searches: 1, SearchTokens: 1.4},
		"310 tokens on average, measured in 8 searches; 2 more not measured": {Searches: 8, SearchTokens: 309.5, Unmeasured: 2},
	} {
		if got := searchSize(tokens); got != want {
			t.Errorf("%+v: %q, want %q", tokens, got, want)
		}
	}
}
