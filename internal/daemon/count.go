package daemon

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// bounds are the upper ends of the classes of a histogram, from an answer to the longest job.
var bounds = []time.Duration{
	time.Millisecond, 5 * time.Millisecond, 25 * time.Millisecond, 100 * time.Millisecond,
	500 * time.Millisecond, 2500 * time.Millisecond, 10 * time.Second, time.Minute, 10 * time.Minute,
}

// Histogram counts durations by class.
type Histogram struct {
	Count int64         `json:"count"`
	Sum   time.Duration `json:"sum_ns"`
	// UpTo counts those of at most 1, 5, 25, 100 and 500 ms, 2.5 s, 10 s, 1 and 10 min.
	UpTo [9]int64 `json:"up_to"`
}

func (h *Histogram) add(took time.Duration) {
	h.Count++
	h.Sum += took
	for i, bound := range bounds {
		if took <= bound {
			h.UpTo[i]++
		}
	}
}

// Job is what became of one job.
type Job struct {
	Name   string    `json:"name"`
	Last   time.Time `json:"last"`           // when it last ended
	Next   time.Time `json:"next,omitzero"`  // when it runs again even if nothing happens
	Error  string    `json:"error,omitzero"` // of the last run
	Failed int64     `json:"failed"`         // runs
	Took   Histogram `json:"took"`
}

// Report is what a run says of itself: the result of hebb drain, as far as the daemon needs it.
type Report struct {
	Events int64 `json:"events"` // new in the store
	Jobs   []struct {
		Job   string        `json:"job"`
		Took  time.Duration `json:"took_ns"`
		Error string        `json:"error"`
	} `json:"jobs"`
}

// books are the figures since the daemon began.
type books struct {
	events   int64
	requests Histogram
	jobs     []Job
}

// note enters one run of a job.
func (b *books) note(name string, now time.Time, took time.Duration, problem string) {
	i := slices.IndexFunc(b.jobs, func(j Job) bool { return j.Name == name })
	if i < 0 {
		i, b.jobs = len(b.jobs), append(b.jobs, Job{Name: name})
	}
	j := &b.jobs[i]
	j.Last, j.Error = now, problem
	j.Took.add(took)
	if problem != "" {
		j.Failed++
	}
}

// shown are the jobs. Upkeep runs again with the next rotation.
func (b *books) shown(next time.Time) []Job {
	jobs := append([]Job{}, b.jobs...)
	for i := range jobs {
		if jobs[i].Name != string(Events) {
			jobs[i].Next = next
		}
	}
	return jobs
}

// metrics is a status as Prometheus reads it.
func metrics(s Status) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# TYPE hebb_events_total counter\nhebb_events_total %d\n", s.Events)
	fmt.Fprintf(&b, "# TYPE hebb_spool_bytes gauge\nhebb_spool_bytes %d\n", s.Waiting)
	b.WriteString("# TYPE hebb_job_failures_total counter\n")
	for _, j := range s.Jobs {
		fmt.Fprintf(&b, "hebb_job_failures_total{job=%q} %d\n", j.Name, j.Failed)
	}
	histogram := func(name, label string, h Histogram) {
		for i, n := range h.UpTo {
			fmt.Fprintf(&b, "hebb_%s_bucket{%sle=\"%g\"} %d\n", name, label, bounds[i].Seconds(), n)
		}
		fmt.Fprintf(&b, "hebb_%s_bucket{%sle=\"+Inf\"} %d\n", name, label, h.Count)
		label = strings.TrimSuffix(label, ",")
		fmt.Fprintf(&b, "hebb_%s_sum{%s} %g\n", name, label, h.Sum.Seconds())
		fmt.Fprintf(&b, "hebb_%s_count{%s} %d\n", name, label, h.Count)
	}
	b.WriteString("# TYPE hebb_job_seconds histogram\n")
	for _, j := range s.Jobs {
		histogram("job_seconds", fmt.Sprintf("job=%q,", j.Name), j.Took)
	}
	b.WriteString("# TYPE hebb_request_seconds histogram\n")
	histogram("request_seconds", "", s.Requests)
	return b.String()
}
