package brain

import (
	"math"
	"math/rand/v2"
	"slices"
)

const (
	resamples     = 2000 // how often hebb roi resamples sessions to find an interval (the second digit is stable)
	IntervalLevel = 0.95 // share of cases in which an interval is meant to hold the truth (the usual one)
)

// Interval is a figure and the range in which it lies with the share of certainty that tuning inspect.level asks for.
type Interval struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// Wilson is the interval of a share (Wilson 1927). It is right for few cases too: 8 of 10 give 0.49 to 0.94.
func Wilson(taken, all int64, level float64) Interval {
	z := math.Sqrt2 * math.Erfinv(level)
	n := float64(all)
	share := float64(taken) / n
	middle := (share + z*z/(2*n)) / (1 + z*z/n)
	half := z * math.Sqrt(share*(1-share)/n+z*z/(4*n*n)) / (1 + z*z/n)
	return Interval{Value: share, Low: max(0, middle-half), High: min(1, middle+half)}
}

// sampler finds intervals by drawing again from what was seen. The same figures always give the same interval.
type Sampler struct {
	rand      *rand.Rand
	resamples int
	level     float64
}

func (b *Brain) Sampler() Sampler {
	return Sampler{rand: rand.New(rand.NewPCG(1, 1)), resamples: resamples, level: IntervalLevel}
}

// Mean is the mean of what was seen, and where it would lie if other sessions of the same kind had been seen.
func (s Sampler) Mean(seen []float64) Interval {
	return s.interval(mean(seen), func() float64 { return s.draw(seen) })
}

// Difference is how much less is seen in one group than in another.
func (s Sampler) Difference(less, more []float64) Interval {
	return s.interval(mean(more)-mean(less), func() float64 { return s.draw(more) - s.draw(less) })
}

func (s Sampler) interval(value float64, draw func() float64) Interval {
	drawn := make([]float64, s.resamples)
	for i := range drawn {
		drawn[i] = draw()
	}
	slices.Sort(drawn)
	tail := int((1 - s.level) / 2 * float64(len(drawn)))
	return Interval{Value: value, Low: drawn[tail], High: drawn[len(drawn)-1-tail]}
}

// draw is the mean of as many as were seen, each drawn from all.
func (s Sampler) draw(seen []float64) (sum float64) {
	for range seen {
		sum += seen[s.rand.IntN(len(seen))]
	}
	return sum / float64(len(seen))
}

func mean(seen []float64) (sum float64) {
	for _, v := range seen {
		sum += v
	}
	return sum / float64(len(seen))
}
