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

// simulated are the turns of a ledger: sessions that differ a lot in how much they search, a few turns each, and some results that are huge.
// What a turn does does not depend on what it is shown, except that with an effect it searches less.
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

// Where behaviour is fixed, nothing is to be found: in 95 % of the draws the interval holds zero, whether few prompts were held out or many.
// Where suggestions do save searches, that is found.
func TestAReplayWithFixedBehaviourShowsNoDifference(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 5))
	sampler := (&brain.Brain{}).Sampler()
	for _, c := range []struct {
		sessions    int
		effect      float64
		least, most float64 // share of ledgers whose interval of searches holds zero
	}{{70, 0, .92, .98}, {300, 0, .92, .98}, {300, .7, 0, .3}} {
		holds, ledgers := map[Figure]int{}, map[Figure]int{}
		const draws = 400
		for n := range draws {
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
			t.Logf("%d sessions, effect %.1f: %s compared in %d of %d ledgers, zero within %.3f", c.sessions, c.effect, f, ledgers[f], draws, share)
			least, most := c.least, c.most
			if f != FigureSearches { // what suggestions do not change
				least, most = .92, .98
			}
			if ledgers[f] < draws/2 || share < least || share > most {
				t.Errorf("%d sessions, effect %.1f: of %d ledgers %.3f hold zero for %s, want %.2f to %.2f", c.sessions, c.effect, ledgers[f], share, f, least, most)
			}
		}
	}
}
