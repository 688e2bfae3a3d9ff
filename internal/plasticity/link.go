package plasticity

import (
	"math"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

const (
	learningRate  = 0.1       // what one co-access adds to a fresh link, before SNAP slows it (one co-access gives 0.1, ten give 0.57)
	errorBoost    = 2.0       // times the learning rate if one end of a link is an error (errors are rare and say more than reads)
	hubDegree     = 20        // a neuron with more links than this is a hub (a file opened beside everything says little about any of them)
	hubFactor     = 0.5       // times the learning rate if one end of a link is a hub (slows the growth of hubs without stopping it)
	CaptureWindow = time.Hour // how long a new link waits for the second meeting (one piece of work)
	sessionFree   = 0.3       // growth up to this weight counts towards no cap (capture_weight: a first session may make a link that is followed)
)

// Link is what is known about two things, a and b, that were met together. It is one row of the store; both directions
// share it, because they are met together and differ only in weight. Begin with NewLink.
type Link struct {
	AB, BA Stored // weight from a to b and from b to a, under Rules.Weight
	// CoAccesses counts the events that met both; what was imported from history is not among them.
	CoAccesses int64
	// CoSessions counts the closed sessions that touched both, near each other or not. Closing a session counts it,
	// exactly once; Step leaves it alone.
	CoSessions int64
	// TaggedAt is when the link began to wait for the meeting that captures it; zero: it does not wait.
	TaggedAt time.Time
	LastAt   time.Time // the latest co-access
	// LastEvent is the event of that co-access: naming a pair twice in one event is not meeting it twice.
	LastEvent memory.EventID
	// Session moved the link last, by SessionGain beyond the free weight; of the two directions, the one that moved
	// more counts. When another session takes over, the meter starts over; sessions that take turns are held by the
	// meter of the day.
	Session     memory.SessionID `json:",omitzero"` // no session is no ID
	SessionGain float64
	Day         int64 // the latest day (since 1970, UTC) that moved the link, by DayGain
	DayGain     float64
}

// NewLink is the link between two things that were never met together.
func NewLink() Link { return Link{AB: Nothing, BA: Nothing} }

// Stimulus is one co-access: an event touched one end of a link while the other was in the window.
type Stimulus struct {
	Position float64 // of the other end, from Window.Others
	Error    bool    // one of the ends is an error
	Degree   int     // links of the end that has more of them
	Event    memory.EventID
	Session  memory.SessionID
	// At is when it happened. The caller keeps it from lying in the future: what is stored for a day to come does not
	// fade before that day.
	At time.Time
}

// Step returns the link after one co-access. Each direction takes its part of base·snap(w)·(1−w), so a first meeting
// gives 0.0982 and a second within the hour, captured, 0.3.
func (r Rules) Step(link Link, s Stimulus) Link {
	if link.CoAccesses > 0 && s.Event == link.LastEvent {
		return link
	}
	at := s.At
	if at.Before(link.LastAt) {
		at = link.LastAt // an event that came late; going back in time would lose what was learned since
	}
	base, captured, allowed := r.base(s), r.capture(&link, at), r.allowance(&link, s.Session, at)

	now, spent := Days(at), 0.0
	grow := func(stored Stored) Stored {
		weight := r.Weight.Value(stored, now)
		free := max(weight, sessionFree)
		wanted := max(captured, weight+base*r.Snap(weight)*(1-weight))
		grown := min(wanted, free+allowed, 1)
		spent = max(spent, grown-free)
		return r.Weight.Store(grown, now)
	}
	link.AB, link.BA = grow(link.AB), grow(link.BA)

	link.SessionGain += spent
	link.DayGain += spent
	link.CoAccesses++
	link.LastAt, link.LastEvent = at, s.Event
	return link
}

// base is the rate of one co-access, before the link's own readiness counts.
func (r Rules) base(s Stimulus) float64 {
	rate := learningRate * s.Position
	if s.Error {
		rate *= errorBoost
	}
	if s.Degree > hubDegree {
		rate *= hubFactor
	}
	return rate
}

// capture returns the weight the link is lifted to at least. One chance meeting proves nothing, so the first only tags
// the link, and the second lifts it if it comes in time. If it comes too late, it counts as a first: an old meeting
// must not leave a pair worse off than none.
func (r Rules) capture(link *Link, at time.Time) float64 {
	tagged := !link.TaggedAt.IsZero()
	switch {
	case tagged && at.Sub(link.TaggedAt) <= CaptureWindow:
		link.TaggedAt = time.Time{}
		return r.params.CaptureWeight
	case tagged || link.CoAccesses == 0 || r.forgot(*link, at):
		link.TaggedAt = at
	}
	return 0
}

// forgot says whether a weak link was last met so long ago that its tag, if it had one, is gone.
func (r Rules) forgot(link Link, at time.Time) bool {
	return at.Sub(link.LastAt) > CaptureWindow && r.Weight.Value(max(link.AB, link.BA), Days(at)) < r.params.CaptureWeight
}

// allowance is how far the link may still grow beyond the free weight, in this session and on this day.
func (r Rules) allowance(link *Link, session memory.SessionID, at time.Time) float64 {
	if session != link.Session {
		link.Session, link.SessionGain = session, 0
	}
	if day := int64(math.Floor(Days(at))); day > link.Day {
		link.Day, link.DayGain = day, 0
	}
	return max(0, min(r.params.SessionCap-link.SessionGain, r.params.DayCap-link.DayGain))
}
