package statements

import (
	"time"

	"github.com/hebb-memory/hebb/internal/prose"
)

const monthNames = `(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(?:uary|ruary|ch|il|e|y|ust|t|tember|ober|ember)?\b`

var untilDay = prose.Pattern(`(?i)\b(?:until|till?|through) (?:the )?(?:(\d{4}-\d\d-\d\d)\b|` +
	monthNames + `\.? (\d\d?)(?:st|nd|rd|th)?\b(?:,? (20\d\d)\b)?|(\d\d?)(?:st|nd|rd|th)? (?:of )?` + monthNames + `(?:,? (20\d\d)\b)?)`)

// Until returns the first day on which a statement no longer holds, if it names its last one in figures or by day and month: "no merges until
// March 20th" ends on the 21st. Without a year the day that comes next is meant.
func Until(text string, said time.Time) (end time.Time, ok bool) {
	m := untilDay().FindStringSubmatch(text)
	if m == nil {
		return end, false
	}
	day, form, year := m[1], time.DateOnly, m[4]+m[7]
	if day == "" {
		day, form = m[2]+m[6]+" "+m[3]+m[5]+" "+year, "Jan 2 2006"
		if year == "" {
			day += said.Format("2006")
		}
	}
	end, err := time.ParseInLocation(form, day, said.Location())
	if end = end.AddDate(0, 0, 1); year == "" && m[1] == "" && !end.After(said) {
		end = end.AddDate(1, 0, 0)
	}
	return end, err == nil
}
