package cli

import (
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/statements"
)

func TestWorthPage(t *testing.T) {
	p := &page{now: now}
	worthPage(p, inspect.WorthResult{
		WorthRow: inspect.WorthRow{Lines: 3, Tokens: 1810, Judged: 1, Right: 1},
		Moments:  []inspect.WorthRow{{Moment: memory.AtStart, Lines: 2, Tokens: 1800}, {Moment: memory.AtPrompt, Lines: 1, Tokens: 10, Judged: 1, Right: 1}},
		Withheld: inspect.WorthRow{Lines: 4, Tokens: 40, Judged: 2},
		Misses:   statements.Misses{Times: 3, Shown: 1, Most: []statements.Missed{{ID: "abc", Text: "use tabs\nalways", Times: 3, Shown: 1}}},
	})
	for _, want := range []string{
		"start         2    1800       0      0", "prompt        1      10       1      1", "total         3    1810       1      1", "withheld      4      40       2      0",
		"3 times: 1 had been shown and was not followed, 2 had not been shown.", "abc      3      1  use tabs always",
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
