package inspect

import (
	"context"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/store"
)

// JobFailure is a background job that failed when it last ran.
type JobFailure struct {
	Job    string    `json:"job"`
	Since  time.Time `json:"since"`
	Reason string    `json:"reason"` // one line for each project it failed for
}

// FailedJobs are the jobs that follow a drain and failed the last time they were due.
var FailedJobs = store.NewFact[[]JobFailure]("jobs/failed")

// jobs reports failed background jobs. They are tried again after every drain and stop nothing
// else.
func (d *Examination) jobs(ctx context.Context, b *brain.Brain) {
	failed, err := brain.View(ctx, b, func(tx *store.Tx) ([]JobFailure, error) { return FailedJobs.Get(ctx, tx) })
	if err != nil {
		d.add("jobs", Fail, err.Error(), "")
		return
	}
	for _, f := range failed {
		d.add("jobs", Warn, f.Job+" fails since "+f.Since.UTC().Format(time.RFC3339)+": "+f.Reason, "remove the reason; hebb drain tries again")
	}
	if len(failed) == 0 {
		d.add("jobs", Fine, "no background job fails", "")
	}
}
