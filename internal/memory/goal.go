package memory

import "time"

// GoalID names a goal. It is made once, like an EventID, and sorts by time.
type GoalID string

// GoalKind says what sort of concern a goal is.
type GoalKind string

const (
	GoalAim      GoalKind = "goal"     // something that is to be reached
	GoalQuestion GoalKind = "question" // something that somebody wants to know
	GoalGap      GoalKind = "gap"      // something that is not known
	GoalNext     GoalKind = "next"     // a step that was put off
)

// GoalKinds lists every kind.
var GoalKinds = []GoalKind{GoalAim, GoalQuestion, GoalGap, GoalNext}

// GoalStatus says where a goal stands.
type GoalStatus string

const (
	GoalActive     GoalStatus = "active"
	GoalIncubating GoalStatus = "incubating" // left alone on purpose: nobody is sent to it, but thoughts may come back to it
	GoalBlocked    GoalStatus = "blocked"    // waits for something outside
	GoalDone       GoalStatus = "done"
	GoalDropped    GoalStatus = "dropped"
)

// GoalStatuses lists every status.
var GoalStatuses = []GoalStatus{GoalActive, GoalIncubating, GoalBlocked, GoalDone, GoalDropped}

// Open reports whether a goal of this status is still a concern.
func (s GoalStatus) Open() bool { return s == GoalActive || s == GoalIncubating || s == GoalBlocked }

// Concept is a word that something is about, as the terms of texts are compared, and how much it is, 0 to 1.
type Concept struct {
	Word   string  `json:"word"`
	Weight float64 `json:"weight"`
}

// GoalLinks are what a goal hangs on. Goals that share a link are connected.
type GoalLinks struct {
	Files    []string    `json:"files,omitempty"`    // as Touch.Path names them
	Crystals []CrystalID `json:"crystals,omitempty"` // memories it was made of
}

// Goal is a current concern: something that is wanted, asked, missing or put off.
type Goal struct {
	ID      GoalID    `json:"id,omitzero"`
	Project ProjectID `json:"project,omitzero"` // 0: of the person, everywhere
	Kind    GoalKind  `json:"kind"`
	Title   string    `json:"title,omitzero"` // one line
	// Text is what was said, whole, where the title does not hold all of it.
	Text     string     `json:"text,omitempty"`
	Concepts []Concept  `json:"concepts,omitempty"` // heaviest first
	Status   GoalStatus `json:"status,omitzero"`
	// Tractability is how far an agent gets alone: 1 all the way, 0.5 with a review, 0.2 only with answers of a person,
	// 0 not at all.
	Tractability float64   `json:"tractability"`
	Progress     float64   `json:"progress"` // 0 to 1
	Links        GoalLinks `json:"links,omitzero"`
	Origin       Origin    `json:"origin,omitzero"`
	CreatedAt    time.Time `json:"created_at,omitzero"`
	// TouchedAt is when it was last worked on: a commit, a change of a linked file, a note of progress.
	TouchedAt time.Time `json:"touched_at,omitzero"`
	// MentionedAt is when a person last spoke of it; zero: never.
	MentionedAt time.Time `json:"mentioned_at,omitzero"`
	// Stalled counts the sessions in a row that worked on it and brought nothing.
	Stalled int `json:"stalled,omitempty"`
	// From is the session that it came from, Counted the last one that was counted as having worked on it.
	From    SessionID `json:"from,omitzero"`
	Counted SessionID `json:"counted,omitzero"`
	// IncubatedSince is the clock of its project (sessions closed) when it was left alone; it means something only while
	// the goal incubates.
	IncubatedSince int64 `json:"incubated_since,omitempty"`
	// ClosedIn is the session in which hebb saw that it was done or dropped, ClosedBy what showed it; both are empty if somebody closed it.
	ClosedIn SessionID `json:"closed_in,omitzero"`
	ClosedBy string    `json:"closed_by,omitempty"`
}
