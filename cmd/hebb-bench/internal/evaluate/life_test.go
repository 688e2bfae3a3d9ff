package evaluate

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// shortLife lives some days in one project. Its stopwatch stands still, so that all of it is the same each time but the
// size of the file: rows are laid out in no order.
func shortLife(t *testing.T, days int) LifeResult {
	t.Helper()
	out, err := Life(t.Context(), LifeInput{Seed: 3, Days: days, Projects: 1, Tuning: tuning.Default(), Clock: func() time.Time { return morning }})
	if err != nil {
		t.Fatal(err)
	}
	for _, rows := range [][]LifeRow{out.Sleep, out.Awake} {
		for i := range rows {
			if rows[i].Bytes == 0 {
				t.Errorf("month %d: a store of no size", rows[i].Month)
			}
			rows[i].Bytes = 0
		}
	}
	return out
}

func TestALifeWithSleepKeepsWhatIsTrueAndForgetsNoise(t *testing.T) {
	life := shortLife(t, 40)
	if len(life.Sleep) != 2 || life.Sleep[0].Day != 31 || life.Sleep[1].Day != 40 {
		t.Fatalf("40 days are a month and its rest, got %+v", life.Sleep)
	}
	slept, awake := life.Sleep[1], life.Awake[1]
	if slept.Synapses+slept.Neurons >= awake.Synapses+awake.Neurons {
		t.Errorf("graph with sleep %d + %d, without %d + %d: want fewer", slept.Neurons, slept.Synapses, awake.Neurons, awake.Synapses)
	}
	if slept.Noise == 0 || slept.Gone <= awake.Gone {
		t.Errorf("of %d noise pairs %.1f %% are gone with sleep, %.1f %% without: want more", slept.Noise, slept.Gone, awake.Gone)
	}
	if awake.Gone != 0 {
		t.Errorf("without sleep %.1f %% of the noise are gone: what never met was planted as noise", awake.Gone)
	}
	if slept.True == 0 || slept.Recalled < awake.Recalled || slept.Hit10 < awake.Hit10 {
		t.Errorf("of %d true associations %.1f %% are recalled with sleep, %.1f %% without; hit@10 %.1f and %.1f: want no fewer",
			slept.True, slept.Recalled, awake.Recalled, slept.Hit10, awake.Hit10)
	}
	if awake.Wired < 90 {
		t.Errorf("without sleep %.1f %% of the true associations are wired: they were not worked on", awake.Wired)
	}
	if slept.Sleeps == 0 || slept.Written == 0 || awake.Sleeps != 0 {
		t.Errorf("%d sleeps wrote %d rows, and %d when awake", slept.Sleeps, slept.Written, awake.Sleeps)
	}
}

func TestALifeIsDrawnFromItsSeed(t *testing.T) {
	if one, two := shortLife(t, 12), shortLife(t, 12); !reflect.DeepEqual(one, two) {
		t.Errorf("two lives of one seed differ:\n%+v\n%+v", one, two)
	}
	if reflect.DeepEqual(newPlan(1, 12, 1), newPlan(2, 12, 1)) {
		t.Error("two seeds plan the same life")
	}
}

func TestAPlannedYearHasAllThatAYearHas(t *testing.T) {
	moments := newPlan(1, 365, 3)
	exams, sessions, renames, longestPause := 0, 0, 0, time.Duration(0)
	opened := map[string]map[string]bool{}
	last := lifeBegin
	for _, m := range moments {
		if m.exam != nil {
			exams++
			checkTruth(t, *m.exam)
			continue
		}
		if m.at.Before(last) {
			t.Fatalf("a moment of %s comes after one of %s", m.at, last)
		}
		longestPause, last = max(longestPause, m.at.Sub(last)), m.at
		for _, e := range m.events {
			if e.At.After(m.at) {
				t.Fatalf("an event of %s is recorded at %s", e.At, m.at)
			}
			if e.Kind == memory.SessionStarted {
				sessions++
				opened[e.AgentSession] = map[string]bool{}
			}
			for _, f := range e.Touches {
				if f.Kind == memory.Rename {
					renames++
				}
				if e.AgentSession != "" {
					opened[e.AgentSession][f.Path] = true
				}
			}
		}
	}
	if exams != 12 || sessions < 600 || renames < 10 || longestPause < lifeHoliday*24*time.Hour {
		t.Errorf("%d exams, %d sessions, %d renames, longest pause %s: want 12, some hundred, some, two weeks", exams, sessions, renames, longestPause)
	}
	for name, files := range opened {
		if len(files) > lifeWindow {
			t.Errorf("session %s opens %d files: not all of them meet", name, len(files))
		}
	}
}

// checkTruth refuses an exam that asks for a pair both ways.
func checkTruth(t *testing.T, e lifeExam) {
	t.Helper()
	belong := map[pathPair]bool{}
	for _, p := range e.together {
		belong[p], belong[p.turned()] = true, true
	}
	if slices.ContainsFunc(e.apart, func(p pathPair) bool { return belong[p] }) {
		t.Errorf("month %d: a pair that belongs together is called noise", e.month)
	}
	if len(e.together) == 0 || e.month > 3 && len(e.apart) == 0 {
		t.Errorf("month %d: %d true pairs, %d of noise: nothing to ask for", e.month, len(e.together), len(e.apart))
	}
}

func TestTheChartOfALifeIsWellFormed(t *testing.T) {
	var life LifeResult
	for i := range 12 {
		life.Sleep = append(life.Sleep, LifeRow{Month: i + 1, Day: 30 * (i + 1), Neurons: 100, Synapses: 900, Recalled: 97, Wired: 96, Noise: i, Gone: 95})
		life.Awake = append(life.Awake, LifeRow{Month: i + 1, Day: 30 * (i + 1), Neurons: 100, Synapses: int64(i) * 1000})
	}
	if first := life.Lines()[4].Values[0]; !math.IsNaN(first) {
		t.Errorf("noise gone where there was none: %v, want no value", first)
	}
	var chart bytes.Buffer
	if err := life.WriteSVG(&chart); err != nil {
		t.Fatal(err)
	}
	text := chart.String()
	for d := xml.NewDecoder(strings.NewReader(text)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
	}
	for _, l := range life.Lines() {
		if !strings.Contains(text, ">"+l.Name+"</text>") {
			t.Errorf("the legend does not name %q", l.Name)
		}
	}
	if lines := strings.Count(text, "<path"); lines != 2*5 || strings.Contains(text, "NaN") {
		t.Errorf("%d paths, want a line and a mark in the legend for each of five; no NaN:\n%s", lines, text)
	}
}

func TestAScaleEndsAtARoundNumber(t *testing.T) {
	for v, want := range map[float64]float64{1: 1, 3: 4, 4: 4, 11: 20, 950: 1000, 12570: 20000, 41000: 80000} {
		if got := roundUp(v); got != want {
			t.Errorf("%s ends at %v, want %v", fmt.Sprint(v), got, want)
		}
	}
}

func TestHeavyUseIsMeasuredAtItsEnd(t *testing.T) {
	rows, err := Heavy(t.Context(), HeavyInput{Sessions: 2, Tuning: tuning.Default()})
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 1 || rows[0].Session != 2 || rows[0].Events < 2*heavySession || rows[0].Synapses == 0 || rows[0].Store <= 0 || rows[0].Most < rows[0].End {
		t.Errorf("rows %+v", rows)
	}
}
