package daemon

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// bounds are the upper ends of the classes of a histogram, from an answer on the socket to the longest job.
var bounds = []time.Duration{
	time.Millisecond, 5 * time.Millisecond, 25 * time.Millisecond, 100 * time.Millisecond, 500 * time.Millisecond,
	2500 * time.Millisecond, 10 * time.Second, time.Minute, 10 * time.Minute,
}

// Histogram counts durations by class.
type Histogram struct {
	Count int64         `json:"count"`
	Sum   time.Duration `json:"sum_ns"`
	// UpTo counts those of at most 1, 5, 25, 100 and 500 ms, 2.5 s, 10 s, 1 and 10 min.
	UpTo []int64 `json:"up_to"`
}

func (h *Histogram) add(took time.Duration) {
	if h.UpTo == nil {
		h.UpTo = make([]int64, len(bounds))
	}
	h.Count++
	h.Sum += took
	for i, bound := range bounds {
		if took <= bound {
			h.UpTo[i]++
		}
	}
}

func (h *Histogram) copied() Histogram {
	return Histogram{Count: h.Count, Sum: h.Sum, UpTo: append([]int64{}, h.UpTo...)}
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

// Counts are figures since the daemon began.
type Counts struct {
	Events     int64 `json:"events"`     // new in the store
	Duplicates int64 `json:"duplicates"` // known before
	Rejected   int64 `json:"rejected"`   // set aside
	Said       int64 `json:"said"`       // texts that had waited for the store
	// Requests are those on the socket.
	Requests Histogram `json:"requests"`
}

// Report is what a run says of itself: the result of hebb drain, as far as the daemon needs it.
type Report struct {
	Events     int64 `json:"events"`
	Duplicates int64 `json:"duplicates"`
	Rejected   int64 `json:"rejected"`
	Said       int64 `json:"said"`
	Jobs       []struct {
		Job   string        `json:"job"`
		Took  time.Duration `json:"took_ns"`
		Error string        `json:"error"`
	} `json:"jobs"`
}

// books are the counts and jobs.
type books struct {
	counts Counts
	jobs   []Job
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

// enter enters a run with all it has to say.
func (b *books) enter(what Work, now time.Time, took time.Duration, r Report, problem string) {
	b.note(string(what), now, took, problem)
	for _, j := range r.Jobs {
		b.note(j.Job, now, j.Took, j.Error)
	}
	b.counts.Events += r.Events
	b.counts.Duplicates += r.Duplicates
	b.counts.Rejected += r.Rejected
	b.counts.Said += r.Said
}

// shown is a copy of the books. Upkeep runs again with the next rotation.
func (b *books) shown(next time.Time) (Counts, []Job) {
	jobs := slices.Clone(b.jobs)
	for i := range jobs {
		jobs[i].Took = jobs[i].Took.copied()
		if jobs[i].Name != string(Events) {
			jobs[i].Next = next
		}
	}
	counts := b.counts
	counts.Requests = counts.Requests.copied()
	return counts, jobs
}

// metrics is a status as Prometheus reads it.
func metrics(s Status) string {
	var b strings.Builder
	family := func(name, kind string) { fmt.Fprintf(&b, "# TYPE hebb_%s %s\n", name, kind) }
	for _, c := range []struct {
		name  string
		value int64
	}{
		{"events_total", s.Counts.Events}, {"duplicates_total", s.Counts.Duplicates},
		{"rejected_total", s.Counts.Rejected}, {"said_total", s.Counts.Said},
	} {
		family(c.name, "counter")
		fmt.Fprintf(&b, "hebb_%s %d\n", c.name, c.value)
	}
	family("spool_bytes", "gauge")
	fmt.Fprintf(&b, "hebb_spool_bytes %d\n", s.Waiting)
	family("job_failures_total", "counter")
	for _, j := range s.Jobs {
		fmt.Fprintf(&b, "hebb_job_failures_total{job=%q} %d\n", j.Name, j.Failed)
	}
	histogram := func(name, label string, h Histogram) {
		for i, n := range h.UpTo {
			fmt.Fprintf(&b, "hebb_%s_bucket{%sle=\"%g\"} %d\n", name, label, bounds[i].Seconds(), n)
		}
		fmt.Fprintf(&b, "hebb_%s_bucket{%sle=\"+Inf\"} %d\n", name, label, h.Count)
		label = strings.TrimSuffix(label, ",")
		fmt.Fprintf(&b, "hebb_%s_sum{%s} %g\nhebb_%s_count{%s} %d\n", name, label, h.Sum.Seconds(), name, label, h.Count)
	}
	family("job_seconds", "histogram")
	for _, j := range s.Jobs {
		histogram("job_seconds", fmt.Sprintf("job=%q,", j.Name), j.Took)
	}
	family("request_seconds", "histogram")
	histogram("request_seconds", "", s.Counts.Requests)
	return b.String()
}
