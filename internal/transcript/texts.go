package transcript

import "time"

// TextKind stands in for what another branch has.
type TextKind string

const (
	OnTheWay TextKind = "way"
	Refused  TextKind = "refused"
	Output   TextKind = "output"
)

// Text stands in.
type Text struct {
	At                time.Time
	Kind              TextKind
	Text, Tool, Input string
}
