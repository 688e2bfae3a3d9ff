package daemon

import "time"

// Work is what the daemon starts, each in a process of its own.
type Work string

// What can be started.
const (
	Events   Work = "events"   // import what waits in the spool
	Rotation Work = "rotation" // that and all upkeep: what a drain in the background does
)

const (
	lookEvery   = 400 * time.Millisecond // at the spool, so that a drain begins within a second
	rotateEvery = 15 * time.Minute       // as often as sleep is due
	quietAfter  = time.Hour              // without events; by then every session is closed and shelved
	quietEvery  = 6 * time.Hour          // for the daily backup and for what fades
	endAfter    = 30 * time.Minute       // without events and requests
	firstRetry  = time.Second            // after a run that did not empty the spool; then twice that, …
	lastRetry   = 5 * time.Minute        // … and never more
)

// rhythm decides what is due.
type rhythm struct {
	stay               bool      // it never ends for want of work
	active             time.Time // the latest event or request
	rotated            time.Time // when the latest rotation ended; zero before the first
	asked              bool      // somebody wants a rotation now
	dirty              bool      // events came since the latest rotation began
	ended              time.Time // when the latest run ended
	left               int64     // what it left in the spool, or found there while one runs
	tries              int       // runs in a row that did not empty the spool
	failed             bool      // the latest run failed
	draining, rotating bool      // now
}

// doing is what runs; during a rotation events may be imported as well.
func (r *rhythm) doing() Work {
	switch {
	case r.rotating:
		return Rotation
	case r.draining:
		return Events
	}
	return ""
}

// due returns what to start, or nothing. waiting is the size of the spool; closes reports whether a
// session or a turn begins or ends there, which is when a rotation has something to do.
func (r *rhythm) due(now time.Time, waiting int64, closes func() bool) Work {
	news := waiting > 0 && waiting != r.left
	if news {
		r.active, r.dirty = now, true
	} else if waiting == 0 {
		r.left = 0
	}
	again := r.ended.Add(retryAfter(r.tries))
	switch {
	case r.draining, r.rotating && !news:
		return ""
	case r.rotating: // which may take minutes
		r.asked = r.asked || closes()
		return Events
	case r.asked && !r.failed:
		return Rotation
	case now.Before(again) && (r.failed || !news):
		return ""
	case !now.Before(r.next()), r.asked:
		return Rotation
	case waiting > 0 && closes():
		return Rotation
	case waiting > 0:
		return Events
	}
	return ""
}

// begin notes the start of a run, which will take what waits in the spool.
func (r *rhythm) begin(what Work, waiting int64) {
	r.left = waiting
	if r.draining = what == Events; !r.draining {
		r.rotating, r.asked, r.dirty = true, false, false
	}
}

// done notes the end of a run, which left so much in the spool.
func (r *rhythm) done(what Work, now time.Time, left int64, failed bool) {
	r.ended, r.left, r.failed = now, left, failed
	if left > 0 || failed {
		r.tries++
	} else {
		r.tries = 0
	}
	if what == Events {
		r.draining = false
		return
	}
	r.rotated, r.rotating, r.dirty = now, false, r.dirty || failed
}

// next is when the next rotation is due even if nothing happens.
func (r *rhythm) next() time.Time {
	if r.rotated.IsZero() {
		return time.Time{}
	}
	at := r.rotated.Add(rotateEvery)
	if at.Sub(r.active) > quietAfter {
		at = r.rotated.Add(quietEvery)
	}
	return at
}

// over reports whether the daemon has had nothing to do for so long that it ends.
func (r *rhythm) over(now time.Time) bool {
	return !r.stay && r.doing() == "" && now.Sub(r.active) >= endAfter
}

// retryAfter is how long a spool that was not emptied is left alone.
func retryAfter(tries int) time.Duration {
	if tries == 0 {
		return 0
	}
	return min(firstRetry<<min(tries-1, 20), lastRetry)
}
