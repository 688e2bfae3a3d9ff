package cli

import (
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/statements"
)

// A gain is shown as one only where its whole interval is on one side.
func TestDifferences(t *testing.T) {
	for want, c := range map[string]inspect.Compared{
		"2.6 less [2.0 to 3.1]":            {What: inspect.FigureSearches, Less: brain.Interval{Value: 2.6, Low: 2, High: 3.1}},
		"not clear [1.5 less to 0.5 more]": {What: inspect.FigureRereads, Less: brain.Interval{Value: .5, Low: -.5, High: 1.5}},
		"95 more [70 to 120]":              {What: inspect.FigureNet, Less: brain.Interval{Value: -95, Low: -120, High: -70}},
		"31 % more [12 % to 50 %]":         {What: inspect.FigureOpened, Less: brain.Interval{Value: -.31, Low: -.5, High: -.12}},
		"not clear [0 less to 0 more]":     {What: inspect.FigureTokens},
		"12346 less [900 to 20000]":        {What: inspect.FigureTokens, Less: brain.Interval{Value: 12345.6, Low: 900, High: 20000}},
	} {
		if got := difference(c); got != want {
			t.Errorf("%+v: %q, want %q", c, got, want)
		}
	}
	for want, tokens := range map[string]inspect.TokensResult{
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

func TestWorthPage(t *testing.T) {
	p := &page{now: now}
	worthPage(p, inspect.RoiResult{
		Least: 10, Holdout: .05, Level: .95,
		Tokens: inspect.TokensResult{
			Sessions: 2, Lines: 3, Tokens: 1810, Moments: []inspect.Bill{{Moment: memory.AtStart, Sessions: 2, Lines: 2, Tokens: 1800}, {Moment: memory.AtPrompt, Sessions: 1, Lines: 1, Tokens: 10}},
		},
		Misses:   statements.Misses{Times: 3, Shown: 1, Most: []statements.Missed{{ID: "abc", Text: "use tabs\nalways", Times: 3, Shown: 1}}},
		Compared: []inspect.Compared{{What: inspect.FigureSearches, With: 1, Without: 3.6, Less: brain.Interval{Value: 2.6, Low: 2, High: 3.1}, Shown: 200, Held: 12}},
	})
	for _, want := range []string{
		"start          2      2    1800        900", "prompt         1      1      10         10", "total          2      3    1810        905",
		"3 times: 1 had been shown and was not followed, 2 had not been shown.", "abc      3      1  use tabs always", "searches  1.0 (200)   3.6 (12)  2.6 less [2.0 to 3.1]",
	} {
		if !strings.Contains(p.b.String(), want) {
			t.Errorf("no %q in\n%s", want, p.b.String())
		}
	}
}

// A line without a file is named by what it shows, and nothing is said about its outcome.
func TestLinesWithoutAFile(t *testing.T) {
	file := memory.Suggestion{ID: "f", Moment: memory.AtPrompt, Offer: memory.OfferFile, Path: "a.go", Neuron: 1, Confidence: .5, ShownAt: now}
	said := memory.Suggestion{ID: "m", Moment: memory.AtEdit, Offer: memory.OfferMemory, Crystal: "abc", Path: "a.go", Outcome: memory.Unjudged, ShownAt: now}
	start := memory.Suggestion{ID: "s", Moment: memory.AtStart, Offer: memory.OfferContext, Tokens: 900, ShownAt: now}
	held := said
	held.ID, held.Held = "h", true
	p := &page{now: now}
	shownPage(p, []ranking.Line{{Suggestion: file}, {Suggestion: said, Text: "use tabs"}, {Suggestion: start}, {Suggestion: held}})
	whyPage(p, ranking.WhyResult{Line: ranking.Line{Suggestion: said, Text: "use tabs"}})
	whyPage(p, ranking.WhyResult{Line: ranking.Line{Suggestion: start}})
	for _, want := range []string{
		"f   now  prompt  50 %  pending   a.go", "m   now  edit          shown     use tabs", "s   now  start         shown     text at start", "h   now  edit          withheld  memory abc",
		"use tabs  m", "as       something remembered (hebb why abc)", "outcome  not judged: it names no file", "with     900 tokens",
	} {
		if !strings.Contains(p.b.String(), want) {
			t.Errorf("no %q in\n%s", want, p.b.String())
		}
	}
}
