package daemon

import (
	"slices"
	"time"
)

// Job is what became of one job.
type Job struct {
	Name  string    `json:"name"`
	Last  time.Time `json:"last"`           // when it last ended
	Next  time.Time `json:"next,omitzero"`  // when it runs again even if nothing happens
	Error string    `json:"error,omitzero"` // of the last run
}

// Report is what a run says of itself: the result of hebb drain, as far as the daemon needs it.
type Report struct {
	Events int64 `json:"events"` // new in the store
	Jobs   []struct {
		Job   string `json:"job"`
		Error string `json:"error"`
	} `json:"jobs"`
}

// books are the figures since the daemon began.
type books struct {
	events int64
	jobs   []Job
}

// note enters one run of a job.
func (b *books) note(name string, now time.Time, problem string) {
	i := slices.IndexFunc(b.jobs, func(j Job) bool { return j.Name == name })
	if i < 0 {
		i, b.jobs = len(b.jobs), append(b.jobs, Job{Name: name})
	}
	b.jobs[i].Last, b.jobs[i].Error = now, problem
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
