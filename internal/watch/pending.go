package watch

import (
	"slices"
	"time"
)

// mostPending is how many changed files of a work tree are kept apart. More at a time are no person's work: only that there
// were many is kept.
const mostPending = 1000

// pending are the files of a work tree that changed and have not been quiet for long enough since.
type pending struct {
	changed map[string]time.Time // when each changed last
	flood   time.Time            // when one of too many changed last; zero: they were not too many
}

func (p *pending) note(name string, now time.Time) {
	switch {
	case !p.flood.IsZero():
		p.flood = now
	case p.changed == nil:
		p.changed = map[string]time.Time{name: now}
	default:
		p.changed[name] = now
		if len(p.changed) > mostPending {
			p.changed, p.flood = nil, now
		}
	}
}

// take removes and returns the files that have been quiet, sorted. Of a flood nothing is taken before all of it is quiet.
func (p *pending) take(quiet time.Duration, now time.Time) (names []string, flood bool) {
	if !p.flood.IsZero() {
		if now.Sub(p.flood) < quiet {
			return nil, false
		}
		p.flood = time.Time{}
		return nil, true
	}
	for name, at := range p.changed {
		if now.Sub(at) >= quiet {
			names = append(names, name)
			delete(p.changed, name)
		}
	}
	slices.Sort(names)
	return names, false
}

func (p *pending) empty() bool { return len(p.changed) == 0 && p.flood.IsZero() }
