package evaluate

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/tuning"
)

func TestDrainMeasuresThreeStepsOfTheSameEvents(t *testing.T) {
	rows := must.Get(Drain(t.Context(), DrainInput{Events: []int{300}, Tuning: tuning.Default()}))(t)
	var cases []string
	for _, r := range rows {
		cases = append(cases, r.Case)
		if r.Bench != "drain" || r.Events != 300 || r.Seconds <= 0 || r.PerSecond <= 0 {
			t.Errorf("row %+v", r)
		}
	}
	if want := []string{"append", "drain", "again"}; !slices.Equal(cases, want) {
		t.Errorf("cases %v, want %v", cases, want)
	}
}

func TestThePayloadIsOneThatAgentsSend(t *testing.T) {
	var p struct {
		Event string `json:"hook_event_name"`
		Tool  string `json:"tool_name"`
	}
	if err := json.Unmarshal([]byte(payload()), &p); err != nil || p.Event != "PostToolUse" || p.Tool != "Read" {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestThePromptIsOneThatAgentsSend(t *testing.T) {
	var p struct {
		Event   string `json:"hook_event_name"`
		Session string `json:"session_id"`
		Prompt  string
		Cwd     string
	}
	if err := json.Unmarshal([]byte(call("/p", 7, map[string]any{"hook_event_name": "UserPromptSubmit", "prompt": "mend it"})), &p); err != nil || p.Event != "UserPromptSubmit" ||
		p.Session != "bench-7" || p.Prompt != "mend it" || p.Cwd != "/p" {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestPercentiles(t *testing.T) {
	var sorted []time.Duration
	for i := range 100 {
		sorted = append(sorted, time.Duration(i+1))
	}
	for share, want := range map[float64]time.Duration{0: 1, 0.5: 51, 0.99: 100, 1: 100} {
		if got := percentile(sorted, share); got != want {
			t.Errorf("percentile %v = %d, want %d", share, got, want)
		}
	}
}
