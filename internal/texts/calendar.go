package texts

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// period is a time that words name; to is the first moment after it.
type period struct {
	from, to time.Time
	weak     bool // could be another word: a time only after a preposition
	yearless bool // the year was filled in
}

// calendar names times as seen from now.
type calendar struct{ now time.Time }

func (c calendar) day(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, c.now.Location())
}

func (c calendar) date(year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 0, 0, 0, 0, c.now.Location())
}

// start is the beginning of the day, week (Monday), month, quarter or year of a time.
func (c calendar) start(t time.Time, unit string) time.Time {
	switch unit {
	case "week":
		return c.day(t).AddDate(0, 0, -(int(t.Weekday())+6)%7)
	case "month":
		return c.date(t.Year(), t.Month(), 1)
	case "quarter":
		return c.date(t.Year(), (t.Month()-1)/3*3+1, 1)
	case "year":
		return c.date(t.Year(), 1, 1)
	}
	return c.day(t)
}

func (c calendar) add(t time.Time, unit string, n int) time.Time {
	switch unit {
	case "minute":
		return t.Add(time.Duration(n) * time.Minute)
	case "hour":
		return t.Add(time.Duration(n) * time.Hour)
	case "week":
		return t.AddDate(0, 0, 7*n)
	case "month":
		return t.AddDate(0, n, 0)
	case "quarter":
		return t.AddDate(0, 3*n, 0)
	case "year":
		return t.AddDate(n, 0, 0)
	}
	return t.AddDate(0, 0, n)
}

func (c calendar) whole(t time.Time, unit string) period {
	from := c.start(t, unit)
	return period{from: from, to: c.add(from, unit, 1)}
}

// back is the unit n before this one, as a whole: three weeks ago is a calendar week.
func (c calendar) back(n int, unit string) period {
	if unit == "hour" || unit == "minute" {
		at := c.add(c.now, unit, -n)
		return period{from: c.add(at, unit, -1), to: c.add(at, unit, 1)}
	}
	return c.whole(c.add(c.start(c.now, unit), unit, -n), unit)
}

var (
	unitNames = map[string]string{
		"minute": "minute", "minutes": "minute", "hour": "hour", "hours": "hour", "day": "day", "days": "day", "week": "week", "weeks": "week",
		"month": "month", "months": "month", "quarter": "quarter", "quarters": "quarter", "year": "year", "years": "year",
	}
	smallNumbers = strings.Fields("zero one two three four five six seven eight nine ten eleven twelve")
	monthNames   = strings.Fields("january february march april may june july august september october november december")
	dayNames     = strings.Fields("sunday monday tuesday wednesday thursday friday saturday")
)

// mostBack bounds "N years ago": dates before that are no dates.
const mostBack = 10000

func countWord(w string) (int, bool) {
	if i := slices.Index(smallNumbers, w); i > 0 {
		return i, true
	}
	if w == "a" || w == "an" {
		return 1, true
	}
	n, err := strconv.Atoi(w)
	return n, err == nil && n > 0 && n <= mostBack
}

func monthWord(w string) time.Month {
	for i, name := range monthNames {
		if w == name || len(w) >= 3 && (w == name[:3] || w == "sept" && i == 8) {
			return time.Month(i + 1)
		}
	}
	return 0
}

func weekdayWord(w string) (time.Weekday, bool) {
	for i, name := range dayNames {
		if w == name || i >= 1 && i <= 5 && len(w) >= 3 && (w == name[:3] || w == "tues" && i == 2 || w == "thurs" && i == 4) {
			return time.Weekday(i), true
		}
	}
	return 0, false
}

// yearWord reads a year that somebody could have said something in.
func (c calendar) yearWord(w string) (int, bool) {
	y, err := strconv.Atoi(w)
	return y, err == nil && len(w) == 4 && y >= 1990 && y <= c.now.Year()+10
}

// dayWord reads 3, 3rd.
func dayWord(w string) int {
	for _, ending := range []string{"st", "nd", "rd", "th"} {
		w = strings.TrimSuffix(w, ending)
	}
	d, err := strconv.Atoi(w)
	if err != nil || d < 1 || d > 31 || len(w) > 2 {
		return 0
	}
	return d
}

// iso reads 2025-03-14 and 2025-03.
func (c calendar) iso(w string) (period, bool) {
	if t, err := time.ParseInLocation("2006-01-02", w, c.now.Location()); err == nil {
		return c.whole(t, "day"), true
	}
	if t, err := time.ParseInLocation("2006-01", w, c.now.Location()); err == nil {
		return c.whole(t, "month"), true
	}
	return period{}, false
}

// short reads what only a filter may say: 7d, 2w, 3mo, 1y, 12h, and a time of day with a date.
func (c calendar) short(value string) (period, bool) {
	for _, layout := range []string{time.RFC3339, "2006-01-02t15:04", "2006-01-02 15:04", "2006/01/02"} {
		if t, err := time.ParseInLocation(layout, strings.ToUpper(value), c.now.Location()); err == nil {
			return period{from: t, to: t}, true
		}
		if t, err := time.ParseInLocation(layout, value, c.now.Location()); err == nil {
			return period{from: t, to: t}, true
		}
	}
	digits := strings.TrimRight(value, "abcdefghijklmnopqrstuvwxyz")
	unit, known := map[string]string{"h": "hour", "d": "day", "w": "week", "mo": "month", "m": "month", "y": "year"}[value[len(digits):]]
	n, err := strconv.Atoi(digits)
	if !known || err != nil || n < 0 || n > mostBack {
		return period{}, false
	}
	at := c.add(c.now, unit, -n)
	return period{from: at, to: at}, true
}

// period reads a time that begins at word i, and how many words it takes.
func (c calendar) period(words []word, i int) (period, int, bool) {
	low := func(k int) string {
		if k < 0 || k >= len(words) || words[k].opaque || words[k].filter || k > i && words[k-1].stops() {
			return ""
		}
		return strings.TrimSuffix(strings.TrimSuffix(words[k].low, "'s"), "’s")
	}
	switch first := low(i); first {
	case "":
		return period{}, 0, false
	case "today":
		return c.whole(c.now, "day"), 1, true
	case "yesterday":
		return c.back(1, "day"), 1, true
	case "last", "past", "previous", "this":
		return c.lastAt(low, i, i > 0 && words[i-1].low == "the")
	case "may":
		if !words[i].capital && dayWord(low(i+1)) == 0 { // a verb
			if _, dated := c.yearWord(low(i + 1)); !dated {
				return period{}, 0, false
			}
		}
	default:
		if p, ok := c.iso(first); ok {
			return p, 1, true
		}
		if p, n, ok := c.agoAt(low, i); ok {
			return p, n, true
		}
		if d, ok := weekdayWord(first); ok {
			p := c.whole(c.now.AddDate(0, 0, -(int(c.now.Weekday()-d)+7)%7), "day")
			p.weak, p.yearless = true, true
			return p, 1, true
		}
		if y, ok := c.yearWord(first); ok {
			p := c.whole(c.date(y, 1, 1), "year")
			p.weak = true
			return p, 1, true
		}
	}
	return c.monthAt(low, i)
}

// lastAt reads last week, this month, last Tuesday, the past 3 days. "the last week" are the last seven days.
func (c calendar) lastAt(low func(int) string, i int, the bool) (period, int, bool) {
	which, next := low(i), low(i+1)
	if n, ok := countWord(next); ok && which != "this" && next != "a" {
		unit, known := unitNames[low(i+2)]
		if !known {
			return period{}, 0, false
		}
		from := c.add(c.now, unit, -n)
		if unit != "hour" && unit != "minute" {
			from = c.day(from)
		}
		return period{from: from, to: c.now}, 3, true
	}
	switch {
	case which == "this" && (next == "morning" || next == "afternoon" || next == "evening"):
		return c.whole(c.now, "day"), 2, true
	case which == "last" && next == "night":
		return period{from: c.back(1, "day").from, to: c.whole(c.now, "day").to}, 2, true
	case next == "week" || next == "month" || next == "quarter" || next == "year":
		switch {
		case which == "this":
			return c.back(0, next), 2, true
		case which == "past" || which == "last" && the:
			return period{from: c.day(c.add(c.now, next, -1)), to: c.now}, 2, true
		}
		return c.back(1, next), 2, true
	}
	if d, ok := weekdayWord(next); ok && which == "last" {
		return c.whole(c.now.AddDate(0, 0, -((int(c.now.Weekday()-d)+6)%7+1)), "day"), 2, true
	}
	if m := monthWord(next); m != 0 && len(next) > 3 && (which == "last" || which == "this") {
		year := c.now.Year()
		if which == "last" && m >= c.now.Month() {
			year--
		}
		return c.whole(c.date(year, m, 1), "month"), 2, true
	}
	return period{}, 0, false
}

// agoAt reads "3 weeks ago", "a couple of days ago".
func (c calendar) agoAt(low func(int) string, i int) (period, int, bool) {
	n, k := 0, i+1
	if low(i) == "a" && low(i+1) == "couple" {
		n, k = 2, i+2
		if low(k) == "of" {
			k++
		}
	} else if v, ok := countWord(low(i)); ok {
		n = v
	}
	unit, known := unitNames[low(k)]
	if n == 0 || !known || low(k+1) != "ago" {
		return period{}, 0, false
	}
	return c.back(n, unit), k + 2 - i, true
}

// monthAt reads March, March 2025, March 14, March 14 2025, 14 March 2025, the 14th of March.
func (c calendar) monthAt(low func(int) string, i int) (period, int, bool) {
	k, day := i, dayWord(low(i))
	if day != 0 {
		if k++; low(k) == "of" {
			k++
		}
	}
	month := monthWord(low(k))
	if month == 0 || day == 0 && dayWord(low(i-1)) != 0 { // the 31 before February was no day
		return period{}, 0, false
	}
	k++
	if day == 0 {
		if d := dayWord(low(k)); d != 0 {
			day, k = d, k+1
		}
	}
	year, dated := c.yearWord(low(k))
	if dated {
		k++
	} else if year = c.now.Year(); c.date(year, month, max(day, 1)).After(c.now) {
		year--
	}
	unit, from := "month", c.date(year, month, max(day, 1))
	if day != 0 {
		unit = "day"
	}
	if from.Month() != month { // 31 February
		return period{}, 0, false
	}
	p := c.whole(from, unit)
	p.weak, p.yearless = !dated, !dated
	return p, k - i, true
}
