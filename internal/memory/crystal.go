package memory

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"time"
)

// CrystalID names a crystal. It is made once, like an EventID, and sorts by time.
type CrystalID string

// CrystalKind says what sort of knowledge a crystal holds.
type CrystalKind string

// Lifecycle says where a crystal stands between being said and being forgotten.
type Lifecycle string

const (
	Generated    Lifecycle = "generated"
	Activated    Lifecycle = "activated"    // has been used
	Consolidated Lifecycle = "consolidated" // has outlived its first weeks
	Archived     Lifecycle = "archived"     // another says the same, or says it better
	Expired      Lifecycle = "expired"      // forgotten softly: found only when asked for
	Frozen       Lifecycle = "frozen"       // never changes and never goes
	Waiting      Lifecycle = "waiting"      // may be somebody else's words, or not meant to last: shown to nobody until the person confirms it or says it again
)

// Lifecycles lists every state.
var Lifecycles = []Lifecycle{Generated, Activated, Consolidated, Archived, Expired, Frozen, Waiting}

// Living reports whether a crystal in this state answers questions without being asked for by name.
func (l Lifecycle) Living() bool { return l != Archived && l != Expired && l != Waiting }

// Anchor is the place in the code that a crystal speaks of. When the symbol changes, what was said may no longer be true.
type Anchor struct {
	Path   string `json:"path"`
	Symbol string `json:"symbol,omitempty"` // empty: the whole file
	Commit string `json:"commit,omitempty"`
	// Hash is that of the symbol's text when it was said.
	Hash int64 `json:"hash,omitempty"`
	// AtHand says that the text does not speak of the file: it was in use when the text was said.
	AtHand bool `json:"at_hand,omitempty"`
}

// String is the place as people name it.
func (a Anchor) String() string {
	if a.Symbol == "" {
		return a.Path
	}
	return a.Path + "#" + a.Symbol
}

// Crystal is a statement: found again by meaning, and never lost.
type Crystal = Memory

// Memory is what somebody keeps, of any kind.
type Memory struct {
	ID CrystalID `json:"id"`
	// Project is 0 for what is true of the person everywhere.
	Project ProjectID   `json:"project,omitzero"`
	Kind    CrystalKind `json:"kind"`
	// Name is that of a page or an entity, also of the entity that an observation is about, and the title of a pin as titles are compared.
	Name string `json:"name,omitempty"`
	Text string `json:"text"`
	// Subject is what the text is a statement about, normalised; a newer statement about the same subject supersedes it.
	// Empty: it contradicts nothing.
	Subject    string    `json:"subject,omitempty"`
	Importance float64   `json:"importance"` // 0 to 1, when last reckoned; decides survival and ties, not rank
	Valence    float64   `json:"valence,omitempty"`
	Lifecycle  Lifecycle `json:"lifecycle"`
	Origin     Origin    `json:"origin"`
	// Source is where it came from: an event, a session, a file of another tool.
	Source string `json:"source,omitempty"`
	// Session is the one in which it was said, 0 if it was said outside of any. Heard is the probability with which it was understood there
	// as worth keeping, 0 if somebody asked to remember it.
	Session  SessionID   `json:"session,omitzero"`
	Heard    float64     `json:"heard,omitempty"`
	Parents  []CrystalID `json:"parents,omitempty"`
	Anchors  []Anchor    `json:"anchors,omitempty"`
	SaidAt   time.Time   `json:"said_at"`
	ValidTo  time.Time   `json:"valid_to,omitzero"` // superseded then
	LastAt   time.Time   `json:"last_at,omitzero"`  // last used
	Accesses int64       `json:"accesses"`
	// GapHours is the mean time between its uses.
	GapHours float64 `json:"gap_hours,omitempty"`
	// Unsure says that the code it speaks of has changed since.
	Unsure bool `json:"unsure,omitempty"`
	// Marks say by which text a call that breaks it is recognised, see CheckMarks. Most have none.
	Marks []string `json:"marks,omitempty"`
	// Line is set if it is a line of knowledge.
	Line *Line `json:"line,omitempty"`
	// More is what its kind alone has.
	More json.RawMessage `json:"more,omitempty"`
}

// Line is what a line of knowledge has beside its text. A model that read a session wrote it.
type Line struct {
	Quote  string    `json:"quote"`            // words of the session that prove it
	Turn   int       `json:"turn"`             // in which they stand, from 1
	Person bool      `json:"person,omitempty"` // the person typed them
	When   []string  `json:"when,omitempty"`   // texts by which a moment is recognised where it matters
	Seen   int       `json:"seen"`             // sessions that bore it out, with the first
	SeenAt time.Time `json:"seen_at"`          // last
	By     string    `json:"by,omitempty"`     // who read the session
	Lacks  []string  `json:"lacks,omitempty"`  // names that nothing bore out: it waits for the person
	KeptAt time.Time `json:"kept_at,omitzero"` // when the person confirmed it
	Aside  bool      `json:"aside,omitempty"`  // it gave way to others: search finds it, starts do not tell it
	// Said is the person's own statement that the quote is a part of.
	Said CrystalID `json:"said,omitempty"`
}

// MarkKinds are what a mark may begin with: pieces of a line of code, words of a command, files that are not to be changed, files that are
// not to be made, files to which the code is limited, and what excuses a call.
var MarkKinds = []string{"code:", "run:", "file:", "new:", "where:", "unless:"}

const (
	marksMost = 24
	markLeast = 3 // characters; fewer stand in every call, except as the name of a program
	markMost  = 80
)

// CheckMarks are the marks that can be used: "run: git push --force", "file: src/generated/*". If one that limits the others cannot be used,
// none can; and there are none without one that shows something.
func CheckMarks(marks []string) (good []string) {
	shows := false
	for _, mark := range marks {
		kind, piece, _ := strings.Cut(mark, ":")
		piece = strings.TrimPrefix(strings.Join(strings.Fields(piece), " "), "./")
		limits := kind == "where" || kind == "unless"
		short := len(piece) < markLeast && !(kind == "run" && len(piece) > 1)
		if !slices.Contains(MarkKinds, kind+":") || short || len(piece) > markMost || len(good) == marksMost {
			if limits {
				return nil
			}
			continue
		}
		shows = shows || !limits
		good = append(good, kind+": "+piece)
	}
	if !shows {
		return nil
	}
	return good
}

// Hash is the fingerprint of what the crystal says.
func (c Crystal) Hash() int64 {
	return ContentHash("crystal", c.Project.String(), string(c.Kind), strings.TrimSpace(c.Text))
}

// Entity is a node of the knowledge graph: a person, a service, an idea.
type Entity struct {
	Project      ProjectID     `json:"-"`
	Name         string        `json:"name"`
	Type         string        `json:"entityType"`
	Origin       Origin        `json:"origin,omitempty"` // who named it
	CreatedAt    time.Time     `json:"-"`
	Observations []Observation `json:"observations"`
}

// Observation is one thing said of an entity.
type Observation struct {
	Project ProjectID `json:"-"` // these two say of which
	Entity  string    `json:"-"`

	Text       string    `json:"text"`
	Origin     Origin    `json:"origin"`
	Confidence float64   `json:"confidence"`
	SaidAt     time.Time `json:"said_at"`
	ValidTo    time.Time `json:"valid_to,omitzero"`
}

// Relation is a link between two entities, in the active voice.
type Relation struct {
	Project   ProjectID `json:"-"`
	From      string    `json:"from"`
	To        string    `json:"to"`
	Type      string    `json:"relationType"`
	CreatedAt time.Time `json:"-"`
}

// Vector is an embedding of a text, rounded to bytes; only its direction counts. Vectors of different models are never compared.
type Vector []int8

// NewVector rounds a vector of any length. The zero vector is nil.
func NewVector(direction []float32) Vector {
	norm := 0.0
	for _, x := range direction {
		norm += float64(x) * float64(x)
	}
	if norm == 0 || math.IsNaN(norm) || math.IsInf(norm, 0) {
		return nil
	}
	// The largest component fills the byte: small ones keep more of their digits, and only the direction counts.
	largest := 0.0
	for _, x := range direction {
		largest = max(largest, math.Abs(float64(x)))
	}
	v := make(Vector, len(direction))
	for i, x := range direction {
		v[i] = int8(math.Round(float64(x) / largest * math.MaxInt8))
	}
	return v
}

// Cos is the cosine of the angle between two vectors of one model, 0 if either is zero.
func (v Vector) Cos(w Vector) float64 {
	if len(v) != len(w) {
		return 0
	}
	var dot, vv, ww int64
	for i := range v {
		a, b := int64(v[i]), int64(w[i])
		dot, vv, ww = dot+a*b, vv+a*a, ww+b*b
	}
	if vv == 0 || ww == 0 {
		return 0
	}
	return float64(dot) / math.Sqrt(float64(vv)*float64(ww))
}
