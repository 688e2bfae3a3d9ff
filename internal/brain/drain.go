package brain

import (
	"context"
	"errors"
	"time"

	"github.com/hebb-memory/hebb/internal/filelock"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
)

// DrainInput says how to drain.
type DrainInput struct {
	// Wait for another drain to finish (as long as for any other writer) instead of leaving the work to it.
	Wait bool `json:"wait,omitempty"`
	// Sleep afterwards, if it is time: for one nobody waits for.
	Sleep bool `json:"sleep,omitempty"`
	// Dir is where somebody asks: a repository that was moved there is recognised first. Empty: nobody does.
	Dir string `json:"dir,omitempty"`
	// Think afterwards, if there is something new to think of. Who sleeps thinks as well.
	Think bool `json:"think,omitempty"`
}

// DrainResult tells what a drain did.
type DrainResult struct {
	Events     int           `json:"events"`     // new in the store
	Duplicates int           `json:"duplicates"` // met before
	Rejected   int           `json:"rejected"`   // set aside in the spool folder
	Said       int           `json:"said"`       // kept in the spool while the store was busy, and stored now
	Closed     int           `json:"closed"`     // sessions that had fallen silent
	Elapsed    time.Duration `json:"elapsed_ns"`
	Busy       bool          `json:"busy"` // another process is draining; nothing was done
	// Commits are those learned afterwards, in the background.
	Commits int `json:"commits,omitempty"`
	// Slept is what the sleep afterwards did, if there was one.
	Slept *SleepReport `json:"slept,omitempty"`
	// Dreamt counts the states that were rewritten.
	Dreamt int `json:"dreamt,omitempty"`
	// Thought is what came of thinking afterwards.
	Thought ThinkingReport `json:"thought,omitzero"`
	// House is what was put on its shelf and written into files.
	House HouseReport `json:"house,omitzero"`
	// began are the projects in which a session began or was wrapped up: their files are looked at.
	began []memory.ProjectID
	ended []memory.ProjectID // in which a task has ended
	heard []memory.Event     // prompts of people
}

func init() {
	Follow(Followers{
		Recorded: func(ctx context.Context, b *Brain, tx *store.Tx, e memory.StoredEvent) error {
			return b.feelEvent(ctx, tx, e)
		},
		Closed: func(ctx context.Context, b *Brain, tx *store.Tx, s memory.Session) error {
			return b.indexWindows(ctx, tx, s)
		},
	})
}

// Drain moves what hooks left in the spool into the store, once each, and closes sessions that fell silent.
var Drain = Operation[DrainInput, DrainResult]{
	Name: "drain", Summary: "Move what hooks left in the spool into the store",
	Run: func(ctx context.Context, b *Brain, in DrainInput) (DrainResult, error) {
		if err := errors.Join(b.finishMerges(ctx), b.recogniseAt(ctx, in.Dir)); err != nil {
			return DrainResult{}, err
		}
		out, err := b.drain(ctx, in.Wait)
		if errors.Is(err, memory.ErrBusy) {
			b.busyAt.Store(b.now().UnixMilli())
		}
		if err != nil || out.Busy {
			return out, err
		}
		if _, err := b.takeInProcedures(ctx, false); err != nil {
			return out, err
		}
		if out.Closed+len(out.began)+out.Said > 0 || in.Sleep {
			out.House = b.keepHouse(ctx, out.began)
		}
		if out.Said > 0 { // operations write these themselves when nothing is in their way
			views, err := b.refreshViews(ctx, nil)
			out.House.Warnings = append(out.House.Warnings, views.Warnings...)
			if err != nil {
				out.House.Warnings = append(out.House.Warnings, "files: "+scrub.Line(err.Error()))
			}
		}
		most := b.config.Tuning.Search.IndexNow // somebody waits
		if in.Sleep {
			most = 0
		}
		if err := b.hear(ctx, out.heard); err != nil {
			return out, err
		}
		var unlearned error // holds up nothing else
		if in.Sleep {
			out.Commits, unlearned = b.learnHistories(ctx, union(out.began, out.ended...))
		}
		if _, err := b.indexTexts(ctx, most, nil); err != nil {
			return out, err
		}
		if !in.Sleep {
			if in.Think {
				out.Thought, err = b.thinkBetween(ctx, out.ended)
			}
			return out, err
		}
		why := SleptIdle
		if out.Closed+out.Events > 0 {
			why = SleptAfterWork
		}
		slept, err := b.sleepIfDue(ctx, why)
		err = errors.Join(err, unlearned)
		if slept.ID != 0 {
			out.Slept = &slept
			err = errors.Join(err, b.tend(ctx))
		}
		thought, failed := b.thinkBetween(ctx, out.ended)
		out.Thought, err = thought, errors.Join(err, failed)
		for _, id := range out.began {
			dreamt, failed := Run(ctx, b, Dream, DreamInput{Scope: Scope{Project: id.String()}})
			if dreamt.Run {
				out.Dreamt++
			}
			if failed != nil && !isNotFound(failed) {
				out.House.Warnings = append(out.House.Warnings, "dream: "+scrub.Line(failed.Error()))
				err = errors.Join(err, b.reportHouse(ctx, out.House)) // the next session hears of it
			}
		}
		b.backUpDaily(ctx)
		return out, err
	},
}

// Observe records events that somebody holds in hand, without the detour through the spool. It returns how many were
// new.
var Observe = Operation[[]memory.Event, int]{
	Name: "observe", Summary: "Record events",
	Run: func(ctx context.Context, b *Brain, events []memory.Event) (int, error) {
		for _, e := range events {
			if err := check(e); err != nil {
				return 0, err
			}
		}
		added, _, err := b.recordBatch(ctx, events, false)
		return added, err
	},
}

func (b *Brain) drain(ctx context.Context, wait bool) (out DrainResult, err error) {
	start := b.now()
	size := b.firstBatch()
	var patience time.Duration
	if wait {
		patience = b.config.Tuning.Store.BusyTimeout
	}
	err = b.spool.Drain(ctx, patience, func() int { return size.size }, func(ctx context.Context, events []memory.Event, last bool) error {
		began := b.now()
		events, err := b.atHome(ctx, events)
		if err != nil {
			return err
		}
		added, rejected, err := b.recordBatch(ctx, events, last)
		if err != nil {
			return err
		}
		size.took(len(events), b.now().Sub(began))
		out.noteWhatHappened(events)
		out.Events += added
		out.Rejected += rejected
		out.Duplicates += len(events) - added - rejected
		return nil
	})
	if errors.Is(err, filelock.ErrHeld) && ctx.Err() == nil {
		out.Busy, err = true, nil
	}
	if err != nil {
		return out, err
	}
	carried, err := b.carryOutSaid(ctx) // needs no lock of the spool
	out.Said, out.Rejected = carried.Stored, out.Rejected+carried.Rejected
	if err != nil || out.Busy {
		return out, err
	}
	b.spool.SweepSaid(start.Add(-firstsKept))
	_ = b.spool.ForgetFirsts(start.Add(-firstsKept)) // all is taken in; a hook that cannot use that folder complains itself
	if out.Closed, err = b.sweep(ctx); err == nil {
		err = b.resume(ctx)
	}
	out.Elapsed = b.now().Sub(start)
	return out, err
}

// firstsKept is how long it is known which of two hooks came first: they run at the same time.
const firstsKept = time.Hour

// noteWhatHappened remembers where sessions began or ended, where tasks ended, and what people said.
func (d *DrainResult) noteWhatHappened(events []memory.Event) {
	for _, e := range events {
		id := e.Place.Project()
		switch e.Kind {
		case memory.SessionStarted:
			d.began = union(d.began, id)
		case memory.SessionEnded:
			d.began, d.ended = union(d.began, id), union(d.ended, id)
		case memory.TurnEnded:
			d.ended = union(d.ended, id)
		}
		if byPerson(e) {
			d.heard = append(d.heard, e)
		}
	}
}

// recordBatch stores one batch in one transaction. The last batch of a spool segment is committed durably, because the
// segment is removed when it returns.
func (b *Brain) recordBatch(ctx context.Context, events []memory.Event, last bool) (added, rejected int, err error) {
	var fit, unfit []memory.Event
	for _, e := range events {
		if check(e) == nil {
			fit = append(fit, e)
		} else {
			unfit = append(unfit, e)
		}
	}
	update := b.store.Update
	if last {
		update = b.store.UpdateDurable
	}
	err = b.recording(ctx, update, func(r *recorder) (err error) {
		added, err = r.recordAll(ctx, fit...)
		return err
	})
	if err != nil {
		var refused []memory.Event
		if added, refused, err = b.recordOneByOne(ctx, fit, err); err != nil {
			return 0, 0, err
		}
		unfit = append(unfit, refused...)
	}
	for _, e := range unfit { // only now: a batch that failed comes again
		if err := b.spool.Reject(e); err != nil {
			return added, 0, err
		}
	}
	return added, len(unfit), nil
}

// recordOneByOne finds the event a store cannot take, so that it does not hold up the mail behind it. If the fault is not
// in an event, the cause is returned and the batch comes again.
func (b *Brain) recordOneByOne(ctx context.Context, events []memory.Event, cause error) (added int, refused []memory.Event, err error) {
	if !errors.Is(cause, memory.ErrInvalid) {
		return 0, nil, cause
	}
	for _, e := range events {
		n := 0
		err := b.recording(ctx, b.store.UpdateDurable, func(r *recorder) (err error) {
			n, err = r.recordAll(ctx, e)
			return err
		})
		switch {
		case err == nil:
			added += n
		case errors.Is(err, memory.ErrInvalid):
			refused = append(refused, e)
		default:
			return 0, nil, err
		}
	}
	return added, refused, nil
}

// batchSize adapts the number of events per transaction so that each holds the database's write lock for about aim.
type batchSize struct {
	size, most int
	aim        time.Duration
}

func (b *batchSize) took(events int, elapsed time.Duration) {
	if events == 0 || elapsed <= 0 {
		return
	}
	fits := int(int64(events) * int64(b.aim) / int64(elapsed))
	b.size = min(max(fits, 1), b.most, 2*b.size) // grow gently, shrink at once
}

// firstBatch starts small: nothing is known yet of how fast this machine is.
func (b *Brain) firstBatch() batchSize {
	t := b.config.Tuning.Store
	return batchSize{size: max(t.BatchMax/20, 1), most: t.BatchMax, aim: t.BatchTime}
}
