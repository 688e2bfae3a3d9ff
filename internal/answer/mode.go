package answer

import (
	"fmt"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

// Start is how a session begins.
type Start struct {
	Source    string        // as the agent says it: startup, resume, clear or compact; others are like startup
	SinceLast time.Duration // since the last event of the project
	Known     bool          // false for a project that had no session, of which SinceLast says nothing
}

// longAfter is the pause after which a resumed session starts warm: half a working day.
const longAfter = 4 * time.Hour

// StartMode chooses how much a session is shown: little if it goes on in a window that still holds most, everything warm if its window
// is empty, however soon after another session that is. Full and micro are never chosen, only asked for by name.
func StartMode(s Start) Mode {
	if s.Source == "resume" && s.Known && s.SinceLast < longAfter {
		return ModeContinue
	}
	return ModeWarm
}

// ParseMode reads the name of a mode; auto, or nothing, is "": StartMode chooses.
func ParseMode(name string) (Mode, error) {
	switch m := Mode(name); m {
	case ModeFull, ModeWarm, ModeContinue, ModeMicro:
		return m, nil
	case "auto", "":
		return "", nil
	}
	return "", fmt.Errorf("mode %q: want auto, %s, %s, %s or %s: %w",
		name, ModeFull, ModeWarm, ModeContinue, ModeMicro, memory.ErrInvalid)
}
