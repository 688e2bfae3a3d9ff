package cli

import (
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/sleep"
)

func pageOf(draw func(p *page)) string {
	p := &page{now: now}
	draw(p)
	return p.b.String()
}

// ran says that every part of a sleep was done.
func ran() map[sleep.SleepPart]float64 {
	return map[sleep.SleepPart]float64{sleep.DecayPart: 1, sleep.BalancePart: 2, sleep.ConsolidatePart: 3}
}

func TestEveryReasonIsExplained(t *testing.T) {
	for _, why := range []plasticity.Reason{
		plasticity.Dead, plasticity.Noise, plasticity.Abandoned, plasticity.Bridge, plasticity.Deleted, plasticity.Lone,
	} {
		lines := decayLines(sleep.DecayReport{Reasons: map[plasticity.Reason]int64{why: 3}})
		if len(lines) != 1 || !strings.HasPrefix(lines[0], "     3  "+string(why)) || len(strings.Fields(lines[0])) < 5 {
			t.Errorf("%s is shown as %q", why, lines)
		}
	}
}

func TestSleepPageShowsEverything(t *testing.T) {
	r := sleep.SleepReport{
		ID: 7, Took: ran(),
		Decay: sleep.DecayReport{PrunedSynapses: 11, PrunedNeurons: 12, NoiseBridges: 13, Reasons: map[plasticity.Reason]int64{plasticity.Noise: 11, plasticity.Lone: 12}},
		Homeostasis: sleep.HomeostasisReport{
			MyelinScaled: true, MyelinScaleFactor: .5, MeanMyelin: .3, WeightScaled: true, WeightScaleFactor: .75, MeanWeight: .47,
			NeuronsDampened: 14, NeuronsBoosted: 15, TagsExpired: 16,
		},
		Consolidation: sleep.ConsolidationReport{
			SessionsReplayed: 17, SynapsesStrengthened: 18, NeuronsReviewed: 19, NeuronsForgotten: 20, PatternsDiscovered: 21,
			TemporalPairsFound: 22, DirectionalBoosts: 23, TripletsFound: 24, CallsPacked: 25,
		},
		Budget: &sleep.BudgetReport{Bytes: 3 << 20, Limit: 2 << 20, Sessions: 26, Events: 27},
	}
	lost := []sleep.Lost{{What: brain.End{Kind: memory.FileNeuron, Key: "a.go"}, Reason: plasticity.Lone, Until: now}}
	text := pageOf(func(p *page) { sleepPage(p, "sleep", r, lost) })
	for _, want := range []string{
		"Sleep 7", "in 6 ms", "11  noise", "12  lone", "13 weak links", "weights × 0.750", "mean of 0.47", "myelin × 0.500", "14 files", "15 rare files",
		"16 new links", "17 sessions", "18 links", "19 files", "20 files", "21 pairs", "22 pairs", "23 links", "24 groups", "25 old tool calls",
		"3.0 MB of 2.0 MB", "26 sessions with 27 events", "lone  a.go", "… and 22 more", "hebb sleep --undo --sleep 7", "until " + day(now),
	} {
		if !strings.Contains(text, want) {
			t.Errorf("does not say %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "Nothing was changed") {
		t.Error("a sleep is shown as a dry run")
	}
	gist := sleepGist(r)
	for _, want := range []string{"forgot 11 links", "forgot 12 files", "scaled", "14 files used far more than the others: damped", "22 pairs of files", "forgot 26 old sessions"} {
		if !strings.Contains(gist, want) {
			t.Errorf("the line does not say %q: %s", want, gist)
		}
	}
}

func TestSleepInOneLine(t *testing.T) {
	for want, r := range map[string]sleep.SleepReport{
		"found nothing to do": {Took: ran()},
		"not finished":        {},
		"forgot 1 link":       {Took: ran(), Decay: sleep.DecayReport{PrunedSynapses: 1}},
		"2 sessions replayed, 1 pair of files that are used close in time": {Took: ran(), Consolidation: sleep.ConsolidationReport{SessionsReplayed: 2, TemporalPairsFound: 1}},
	} {
		if got := sleepGist(r); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestProgressIsDrawnOnATerminalAndALineAMinuteElsewhere(t *testing.T) {
	a, _, stderr := world()
	now := time.Date(2026, 11, 18, 12, 0, 0, 0, time.UTC)
	a.Now = func() time.Time { return now }
	tell, end := a.progressLine()
	for range 150 {
		now = now.Add(time.Second)
		tell(now.Sub(time.Date(2026, 11, 18, 12, 0, 0, 0, time.UTC)).Minutes()/5, "of work")
	}
	end()
	if got := stderr.String(); got != "hebb: of work, about 4 min left\nhebb: of work, about 3 min left\n" {
		t.Errorf("a pipe gets %q", got)
	}
	stderr.Reset()
	a.ErrWidth = 80
	draw, finish := a.progressLine()
	draw(.5, "in no time")
	finish()
	if stderr.Len() > 0 {
		t.Errorf("draws %q for what takes no time", stderr)
	}
	clock := a.Now()
	a.Now = func() time.Time { clock = clock.Add(time.Second); return clock }
	draw, finish = a.progressLine()
	draw(.5, "forgetting links")
	draw(7, "done")
	if got := stderr.String(); !strings.Contains(got, strings.Repeat("█", 15)+"\x1b[0m") || !strings.Contains(got, "forgetting links") || strings.Contains(got, "\n") {
		t.Errorf("drew %q", got)
	}
	stderr.Reset()
	finish()
	if got := stderr.String(); got != "\r\x1b[K" {
		t.Errorf("leaves %q behind", got)
	}
}
