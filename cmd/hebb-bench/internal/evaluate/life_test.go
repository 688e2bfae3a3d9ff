package evaluate

import (
	"reflect"
	"testing"

	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// shortLife lives some days. All of it is the same each time but how long sleeps take and the size
// of the file: rows are laid out in no order.
func shortLife(t *testing.T, days int) []LifeRow {
	t.Helper()
	rows := must.Get(Life(t.Context(), LifeInput{Seed: 3, Days: days, Tuning: tuning.Default()}))(t)
	for i := range rows {
		if rows[i].Store == 0 {
			t.Errorf("month %d: a store of no size", rows[i].Month)
		}
		rows[i].Store, rows[i].Longest, rows[i].Rebuilt = 0, 0, 0
	}
	return rows
}

func TestALifeWithSleepKeepsWhatIsTrueAndForgetsNoise(t *testing.T) {
	life := shortLife(t, 40)
	if len(life) != 4 || life[0].Day != 31 || life[2].Day != 40 {
		t.Fatalf("40 days are a month and its rest, got %+v", life)
	}
	slept, awake := life[2], life[3]
	if slept.Synapses+slept.Neurons >= awake.Synapses+awake.Neurons {
		t.Errorf("graph with sleep %d + %d, without %d + %d: want fewer", slept.Neurons, slept.Synapses, awake.Neurons, awake.Synapses)
	}
	if slept.Noise == 0 || slept.Gone <= awake.Gone {
		t.Errorf("of %d noise pairs %.1f %% are gone with sleep, %.1f %% without: want more", slept.Noise, slept.Gone, awake.Gone)
	}
	if awake.Gone != 0 {
		t.Errorf("without sleep %.1f %% of the noise are gone: what never met was planted as noise", awake.Gone)
	}
	if slept.True == 0 || slept.Wired < 90 || awake.Wired < 90 {
		t.Errorf("of %d true associations %.1f %% are wired with sleep, %.1f %% without", slept.True, slept.Wired, awake.Wired)
	}
	if slept.Sleeps == 0 || awake.Sleeps != 0 {
		t.Errorf("%d sleeps, and %d when awake", slept.Sleeps, awake.Sleeps)
	}
}

func TestALifeIsDrawnFromItsSeed(t *testing.T) {
	if one, two := shortLife(t, 4), shortLife(t, 4); !reflect.DeepEqual(one, two) {
		t.Errorf("two lives of one seed differ:\n%+v\n%+v", one, two)
	}
	if reflect.DeepEqual(newPlan(1, 12).moments, newPlan(2, 12).moments) {
		t.Error("two seeds plan the same life")
	}
}

func TestHeavyUseIsMeasuredAtItsEnd(t *testing.T) {
	rows := must.Get(Heavy(t.Context(), HeavyInput{Sessions: 2, Tuning: tuning.Default()}))(t)
	if len(rows) != 1 || rows[0].Session != 2 || rows[0].Events < 2*heavySession || rows[0].Synapses == 0 || rows[0].Store <= 0 || rows[0].Most < rows[0].End {
		t.Errorf("rows %+v", rows)
	}
}
