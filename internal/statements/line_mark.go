package statements

import (
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
)

// LineMark says whose a line of knowledge is, and since when: a line that the person has not looked at is never told as theirs.
func LineMark(c memory.Crystal, now time.Time) string {
	switch l := c.Line; {
	case c.Origin == memory.OriginUser:
		return "user, " + brain.ShortDay(c.SaidAt, now)
	case !l.KeptAt.IsZero():
		return "confirmed " + brain.ShortDay(l.KeptAt, now)
	default:
		return "noted " + brain.ShortDay(c.SaidAt, now) + ", not confirmed"
	}
}
