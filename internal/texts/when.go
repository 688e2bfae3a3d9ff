package texts

import (
	"cmp"
	"math"
	"regexp"
	"sync"
	"time"
)

// Period is a time that a question names. No Until: it has no end.
type Period struct{ Since, Until time.Time }

const (
	months = `jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?`
	number = `(\d{1,2})(?:st|nd|rd|th)?`
)

// dated finds 2025-03-14, 2025-03, 14 March 2025, March 14, 2025 and March 2025. Without a year too many words would be times.
var dated = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:^|[\s(])(since |after )?(?:(\d{4}-\d\d(?:-\d\d)?)|` +
		`(?:` + number + ` (?:of )?)?(` + months + `)(?: ` + number + `)?,? (\d{4}))(?:$|[\s,.;:?!)'’])`)
})

// namedTime reads the dates and months with a year in a question. They only rank: what was said then and what is said of then
// differ by days.
func namedTime(text string, now time.Time) (named Period) {
	open := false
	for _, m := range dated().FindAllStringSubmatch(text, -1) {
		p, ok := readPeriod(m, now.Location())
		if !ok || p.Since.After(now) {
			continue
		}
		open = open || m[1] != ""
		if named.Since.IsZero() || p.Since.Before(named.Since) {
			named.Since = p.Since
		}
		if p.Until.After(named.Until) {
			named.Until = p.Until
		}
	}
	if open {
		named.Until = time.Time{}
	}
	return named
}

// readPeriod reads what dated found: a day or a month.
func readPeriod(m []string, zone *time.Location) (Period, bool) {
	date, day := m[2], cmp.Or(m[3], m[5])
	if date == "" {
		date = m[6] + "-" + m[4][:3] + "-" + cmp.Or(day, "1")
	}
	for _, layout := range []string{time.DateOnly, "2006-01", "2006-Jan-2"} {
		if t, err := time.ParseInLocation(layout, date, zone); err == nil {
			if layout == "2006-01" || m[2] == "" && day == "" {
				return Period{t, t.AddDate(0, 1, 0)}, true
			}
			return Period{t, t.AddDate(0, 0, 1)}, true
		}
	}
	return Period{}, false
}

// timeHalf is how far outside the time asked for half the fit is left; LoCoMo.
const timeHalf = 7 * 24 * time.Hour

// Fit is how well a time lies within the period: 1 inside, less the farther outside.
func (p Period) Fit(at time.Time) float64 {
	var outside time.Duration
	switch {
	case at.Before(p.Since):
		outside = p.Since.Sub(at)
	case !p.Until.IsZero() && !at.Before(p.Until):
		outside = at.Sub(p.Until)
	}
	return math.Exp2(-outside.Hours() / timeHalf.Hours())
}
