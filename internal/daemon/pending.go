package daemon

import (
	"slices"
	"time"
)

// pending are the files of a work tree that changed and have not been quiet for long enough since, with when each changed last.
type pending map[string]time.Time

// stragglers is how many files may go on changing while all others of a burst are quiet: a log that is being written, for example.
const stragglers = 3

// take removes and returns the files that have been quiet, sorted. Where more than a person saves are changing, it waits for all of them but
// stragglers, so that a burst is seen as one.
func (p pending) take(quiet time.Duration, now time.Time) (names []string) {
	for name, at := range p {
		if now.Sub(at) >= quiet {
			names = append(names, name)
		}
	}
	if len(p) > mostByHand && len(p)-len(names) > stragglers {
		return nil
	}
	for _, name := range names {
		delete(p, name)
	}
	slices.Sort(names)
	return names
}
