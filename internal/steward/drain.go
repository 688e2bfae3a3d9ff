// Package steward runs operations for doors, drains the spool, and decides which background job
// runs when. It is the only room that imports all others.
package steward

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/code"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/sleep"
	"github.com/hebb-memory/hebb/internal/sources"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/views"
)

// DrainInput says how to drain.
type DrainInput struct {
	// Wait for another drain to finish (as long as for any other writer) instead of leaving the work
	// to it.
	Wait bool `json:"wait,omitempty"`
	// Sleep afterwards, if it is due: for a drain in the background.
	Sleep bool `json:"sleep,omitempty"`
	// Dir is the working directory: a repository that was moved there is recognised first. Empty:
	// none.
	Dir string `json:"dir,omitempty"`
	// Think afterwards, if there is something new. Sleep includes it.
	Think bool `json:"think,omitempty"`
	// Sources is where agents keep memories and rules of their own. Without a home folder they are not
	// read.
	Sources sources.Machine `json:"-"`
	// Works, if set, is called with what is done next.
	Works func(job string) `json:"-"`
}

// DrainResult is what a drain did.
type DrainResult struct {
	Events     int           `json:"events"`     // new in the store
	Duplicates int           `json:"duplicates"` // known before
	Rejected   int           `json:"rejected"`   // set aside in the spool folder
	Said       int           `json:"said"`       // operations that waited in the spool and were carried out
	Closed     int           `json:"closed"`     // idle sessions
	Elapsed    time.Duration `json:"elapsed_ns"`
	Busy       bool          `json:"busy"` // another process is draining; nothing was done
	// Commits are those learned afterwards, in the background.
	Commits int `json:"commits,omitempty"`
	// Slept is what the sleep afterwards did, if there was one.
	Slept *sleep.SleepReport `json:"slept,omitempty"`
	// Dreamt counts the states that were rewritten.
	Dreamt int `json:"dreamt,omitempty"`
	// Jobs are those that ran, in their order.
	Jobs []JobRun `json:"jobs,omitempty"`
	// Failed are the jobs that failed; the doctor reports them until they succeed.
	Failed []inspect.JobFailure `json:"failed,omitempty"`
	// Thought is the result of thinking.
	Thought goals.ThinkingReport `json:"thought,omitzero"`
	// Maintenance is the result of maintenance: shelves and files.
	Maintenance views.MaintenanceReport `json:"maintenance,omitzero"`
	// began are the projects in which a session began or ended: their files are updated.
	began   []memory.ProjectID
	ended   []memory.ProjectID // in which a task has ended
	prompts []memory.Event     // of people
	// documents are the projects in which a document of the repository was changed.
	documents []memory.ProjectID
}

// JobRun is how one job ended.
type JobRun struct {
	Job   string        `json:"job"`
	Took  time.Duration `json:"took_ns"`
	Error string        `json:"error,omitempty"`
}

// Open opens a memory whose events are felt and heard as they are recorded.
func Open(ctx context.Context, c config.Config, now func() time.Time) (*brain.Brain, error) {
	b, err := brain.Open(ctx, c, now)
	if err == nil {
		b.Follow = feelAndListen
	}
	return b, err
}

func feelAndListen(ctx context.Context, b *brain.Brain, tx *store.Tx, e memory.StoredEvent) error {
	return errors.Join(desk.FeelEvent(ctx, tx, e), statements.Listen(ctx, b.Config, tx, e))
}

// Drain imports the events of the spool, once each, and closes idle sessions.
var Drain = brain.Operation[DrainInput, DrainResult]{
	Name: "drain",
	Run: func(ctx context.Context, b *brain.Brain, in DrainInput) (DrainResult, error) {
		if err := b.Recognise(ctx, in.Dir); err != nil {
			return DrainResult{}, err
		}
		if in.Works == nil {
			in.Works = func(string) {}
		}
		in.Works("events")
		out, err := drain(ctx, b, in.Wait)
		if err == nil && !out.Busy {
			err = follow(ctx, b, in, &out)
		}
		if errors.Is(err, memory.ErrBusy) {
			b.BusyAt.Store(b.Now().UnixMilli())
		}
		return out, err
	},
}

// Observe records events without the spool. It returns how many were new.
var Observe = brain.Operation[[]memory.Event, int]{
	Name: "observe",
	Run: func(ctx context.Context, b *brain.Brain, events []memory.Event) (int, error) {
		for _, e := range events {
			if err := record.Check(e); err != nil {
				return 0, err
			}
		}
		added, _, err := recordBatch(ctx, b, events, false)
		return added, err
	},
}

func drain(ctx context.Context, b *brain.Brain, wait bool) (out DrainResult, err error) {
	start := b.Now()
	size := brain.FirstBatch(b.Config.Tuning.Store)
	size.Least = brain.LeastEvents
	var patience time.Duration
	if wait {
		patience = b.Config.Tuning.Store.BusyTimeout
	}
	err = b.Spool.Drain(ctx, patience, func() int { return size.Size }, func(ctx context.Context, events []memory.Event, last bool) error {
		began := b.Now()
		events, err := b.AtHome(ctx, events)
		if err != nil {
			return err
		}
		added, rejected, err := recordBatch(ctx, b, events, last)
		if err != nil {
			return err
		}
		size.Took(len(events), b.Now().Sub(began))
		out.noteWhatHappened(events)
		out.Events += added
		out.Rejected += rejected
		out.Duplicates += len(events) - added - rejected
		return nil
	})
	if errors.Is(err, filesys.ErrHeld) && ctx.Err() == nil {
		out.Busy, err = true, nil
	}
	if err != nil {
		return out, err
	}
	carried, err := b.CarryOutSaid(ctx) // needs no spool lock
	out.Said, out.Rejected = carried.Stored, out.Rejected+carried.Rejected
	if err != nil || out.Busy {
		return out, err
	}
	b.Spool.SweepSaid(start.Add(-firstsKept))
	_ = b.Spool.ForgetFirsts(start.Add(-firstsKept)) // everything is imported; a hook that cannot use the folder reports it
	out.Elapsed = b.Now().Sub(start)
	return out, err
}

// firstsKept is how long claims of simultaneous hooks are kept.
const firstsKept = time.Hour

// noteWhatHappened records where sessions began or ended, where tasks ended and where documents
// changed, and prompts of people.
func (d *DrainResult) noteWhatHappened(events []memory.Event) {
	for _, e := range events {
		id := e.Place.Project()
		switch e.Kind {
		case memory.SessionStarted:
			d.began = goals.Union(d.began, id)
		case memory.SessionEnded:
			d.began, d.ended = goals.Union(d.began, id), goals.Union(d.ended, id)
		case memory.TurnEnded:
			d.ended = goals.Union(d.ended, id)
		}
		if slices.ContainsFunc(e.Touches, changesDocument) {
			d.documents = goals.Union(d.documents, id)
		}
		if goals.ByPerson(e) {
			d.prompts = append(d.prompts, e)
		}
	}
}

func changesDocument(t memory.Touch) bool {
	return (t.Kind == memory.Edit || t.Kind == memory.Delete || t.Kind == memory.Rename) && (code.IsDocument(t.Path) || code.IsDocument(t.From))
}

// recordBatch stores one batch in one transaction. The last batch of a spool segment is committed
// durably, because the segment is removed when it returns.
func recordBatch(ctx context.Context, b *brain.Brain, events []memory.Event, last bool) (added, rejected int, err error) {
	var fit, unfit, others []memory.Event
	for _, e := range events {
		if record.Check(e) == nil {
			fit = append(fit, e)
		} else {
			unfit = append(unfit, e)
		}
	}
	update := b.Store.Update
	if last {
		update = b.Store.UpdateDurable
	}
	err = record.Recording(ctx, b, update, func(r *record.Recorder) (err error) {
		added, err = r.RecordAll(ctx, fit...)
		others = r.Others
		return err
	})
	if err != nil {
		var refused []memory.Event
		if added, refused, err = recordOneByOne(ctx, b, fit, err); err != nil {
			return 0, 0, err
		}
		others = nil
		unfit = append(unfit, refused...)
	}
	for _, e := range unfit { // only now: a failed batch is repeated
		err = errors.Join(err, b.Spool.Reject(e, "refused by the store"))
	}
	for _, e := range others {
		err = errors.Join(err, b.Spool.Reject(e, "another event has its ID"))
	}
	return added, len(unfit) + len(others), err
}

// recordOneByOne finds the events that the store refuses, so that they do not block those after
// them. If the cause is not an event, it is returned and the batch is repeated.
func recordOneByOne(ctx context.Context, b *brain.Brain, events []memory.Event, cause error) (added int, refused []memory.Event, err error) {
	if !record.Unfit(cause) {
		return 0, nil, cause
	}
	for _, e := range events {
		n := 0
		err := record.Recording(ctx, b, b.Store.UpdateDurable, func(r *record.Recorder) (err error) {
			n, err = r.RecordAll(ctx, e)
			return err
		})
		switch {
		case err == nil:
			added += n
		case record.Unfit(err):
			refused = append(refused, e)
		default:
			return 0, nil, err
		}
	}
	return added, refused, nil
}
