package inspect

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
)

// simulated are the turns of a ledger: sessions that differ a lot in how much they search, a few
// turns each, and some results that are huge. What a turn does does not depend on what it is shown,
// except that with an effect it searches less.
func simulated(r *rand.Rand, ledger, sessions int, effect float64) (turns []followed) {
	for s := range sessions {
		a := &account{sighted: true}
		busy := math.Exp(r.NormFloat64())
		for p := 0; p == 0 || r.Float64() < .75; p++ {
			id := memory.DerivedEventID("prompt", fmt.Sprint(ledger, s, p))
			t := &turn{over: true, held: answer.HeldOut(id, .05), named: map[memory.NeuronID]bool{1: r.Float64() < busy/4}}
			for p := math.Exp(-busy); r.Float64() > p; p += .05 {
				t.searches++
				t.searchBytes += int64(4 * math.Exp(6+r.NormFloat64()))
			}
			t.rereads = int(busy * r.ExpFloat64())
			if !t.held {
				t.searches = int(float64(t.searches) * (1 - effect))
			}
			turns = append(turns, followed{in: a, turn: t})
		}
	}
	return turns
}

// Where behaviour is fixed, nothing is to be found: in 95 % of the draws the interval holds zero,
// whether few prompts were held out or many. Where suggestions do save searches, that is found.
func TestAReplayWithFixedBehaviourShowsNoDifference(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 5))
	sampler := brain.NewSampler()
	for _, c := range []struct {
		sessions, draws int
		effect          float64
	}{{70, 250, 0}, {200, 150, 0}, {200, 50, .7}} {
		holds, ledgers := map[Figure]int{}, map[Figure]int{}
		for n := range c.draws {
			out := RoiResult{Least: leastHeld, Holdout: .05}
			out.compare(simulated(r, n, c.sessions, c.effect), sampler)
			for _, f := range out.Compared {
				ledgers[f.What]++
				if f.Less.Low <= 0 && f.Less.High >= 0 {
					holds[f.What]++
				}
			}
		}
		for _, f := range []Figure{FigureSearches, FigureRereads, FigureTokens, FigureOpened} {
			share := float64(holds[f]) / float64(ledgers[f])
			t.Logf("%d sessions, effect %.1f: %s compared in %d of %d ledgers, zero within %.3f", c.sessions, c.effect, f, ledgers[f], c.draws, share)
			least, most := .9, .995 // three standard deviations of so many draws
			if f == FigureSearches && c.effect > 0 {
				least, most = 0, .1
			}
			if ledgers[f] < c.draws/2 || share < least || share > most {
				t.Errorf("%d sessions, effect %.1f: of %d ledgers %.3f hold zero for %s, want %.3f to %.3f", c.sessions, c.effect, ledgers[f], share, f, least, most)
			}
		}
	}
}
