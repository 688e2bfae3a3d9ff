package plasticity

import (
	"math"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

// Stored is a fading quantity as the store keeps it: ln(x) + rate·t, where x was its value at time t. This number does
// not change while the quantity fades, so nothing has to be rewritten, and of two quantities of one kind the larger
// has the larger number at any time. The zero Stored is not nothing: use Nothing.
type Stored float64

// Nothing is the Stored form of the value 0. ln(0) is no number a database keeps; this one is finite with room to
// spare, so that it survives being printed with few digits, and so far out that adding to it changes nothing and that
// exp of it is exactly 0.
const Nothing Stored = -1e300

// Fading is a quantity that loses the same share with every tick of its clock (days, closed sessions, minutes).
type Fading struct {
	rate float64 // lost per tick, as an exponent
	most float64 // no value is larger, not even one that is read before it was written
	// register is added to every Stored when it is read: scaling all of a kind changes this one number and no row.
	register Stored
	clock    memory.Clock // of the project
	stood    float64      // what the clock stood still before its last day
}

// NewFading makes a quantity of 0..most of which one tick leaves the share perTick, above 0 and at most 1.
func NewFading(perTick, most float64) Fading { return Fading{rate: -math.Log(perTick), most: most} }

// Store is the form in which a value of this moment is kept. What lies outside 0..most is kept as the nearer bound.
func (f Fading) Store(value, at float64) Stored { return f.Threshold(min(value, f.most), at) }

// Value is what is left at the moment at.
func (f Fading) Value(s Stored, at float64) float64 {
	return min(math.Exp(float64(s+f.register)-f.rate*f.tick(at)), f.most)
}

// Beyond says whether a Stored reads as more than there can be: at a moment before it was written.
func (f Fading) Beyond(s Stored, at float64) bool { return s > f.Threshold(f.most, at) }

// Threshold is the number to compare with: at this moment, a quantity is above value if its Stored is above it. So
// "weight > 0.3" is a plain comparison of columns that an index serves.
func (f Fading) Threshold(value, at float64) Stored {
	return logarithm(value) + Stored(f.rate*f.tick(at)) - f.register
}

// Registered is the same quantity, all of it scaled by what a register has added up.
func (f Fading) Registered(register Stored) Fading {
	f.register = register
	return f
}

// timed is the same quantity on the clock of a project.
func (f Fading) timed(clock memory.Clock) Fading {
	f.clock, f.stood = clock, float64(clock.Last)-clock.Tick(float64(clock.Last))
	return f
}

// tick is what the clock of the quantity shows at a moment of the calendar.
func (f Fading) tick(at float64) float64 {
	if last := float64(f.clock.Last); last > 0 && at >= last { // by far the most are asked for now
		return min(at, last+1) - f.stood
	}
	return f.clock.Tick(at)
}

// Rebase is the number that, added to a Stored written under old, gives the Stored of the same quantity under f. It
// makes the values of the moment at the same under both; from there on the new rate counts.
func (f Fading) Rebase(old Fading, at float64) Stored { return Stored((f.rate - old.rate) * at) }

// logarithm is the number that, added to a Stored or to a register, multiplies what it stands for by x at all times.
func logarithm(x float64) Stored {
	if !(x > 0) { // NaN too
		return Nothing
	}
	return Stored(math.Log(x))
}

// Days is the clock of everything that fades by the day: days since 1970, to the millisecond the store keeps.
func Days(t time.Time) float64 {
	const day = 24 * time.Hour
	return float64(t.UnixMilli()) / float64(day.Milliseconds())
}
