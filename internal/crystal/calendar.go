package crystal

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// period is a stretch of time that words name.
type period struct {
	from, to   time.Time
	guess      bool // could be more than a time
	needsLead  bool // a time only after a preposition
	dated      bool // with a year
	yearless   bool // the year was filled in
	rolling    bool // the last so many days
	weekday    bool
	year       bool // nothing but a year
	present    bool // now is part of it
	last       bool // "last Tuesday"
	possessive bool // "yesterday's"
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

var afterMay = set(`about regarding concerning and or to for with we i you did was were`)

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
		p := c.whole(t, "day")
		p.dated = true
		return p, true
	}
	if t, err := time.ParseInLocation("2006-01", w, c.now.Location()); err == nil {
		p := c.whole(t, "month")
		p.dated = true
		return p, true
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

// period reads a stretch of time that begins at word i, and how many words it takes.
func (c calendar) period(words []word, i int) (period, int, bool) {
	low := func(k int) string {
		if k < 0 || k >= len(words) || words[k].opaque || words[k].use != asTerm || k > i && words[k-1].stops() {
			return ""
		}
		return words[k].low
	}
	first := low(i)
	if first == "" {
		return period{}, 0, false
	}
	possessive := false
	for _, s := range []string{"'s", "’s"} {
		if cut, ok := strings.CutSuffix(first, s); ok {
			first, possessive = cut, true
		}
	}
	today := c.whole(c.now, "day")
	switch first {
	case "today", "yesterday":
		p := today
		if first == "yesterday" {
			p = c.back(1, "day")
		}
		if next := low(i + 1); possessive && (next == "date" || next == "timestamp" || next == "day") {
			return period{}, 0, false
		}
		p.possessive, p.guess, p.present = possessive, possessive, first == "today"
		if next := low(i + 1); !possessive && (next == "morning" || next == "afternoon" || next == "evening") {
			return p, 2, true
		}
		return p, 1, true
	case "day":
		if low(i+1) == "before" && low(i+2) == "yesterday" {
			p := c.back(2, "day")
			p.rolling = true // "the" may stand before it
			return p, 3, true
		}
	case "early", "late", "mid":
		if monthWord(low(i+1)) != 0 {
			p, n, ok := c.monthAt(low, i+1)
			p.guess = true
			return p, n + 1, ok
		}
	case "last", "past", "previous", "this":
		return c.lastAt(words, low, i)
	}
	if possessive {
		return period{}, 0, false
	}
	if p, ok := c.iso(first); ok {
		return p, 1, true
	}
	if p, n, ok := c.agoAt(low, i); ok {
		return p, n, true
	}
	if d, ok := weekdayWord(first); ok {
		p := c.whole(c.now.AddDate(0, 0, -(int(c.now.Weekday()-d)+7)%7), "day")
		p.guess, p.weekday, p.needsLead, p.yearless = true, true, true, true
		return p, 1, true
	}
	if y, ok := c.yearWord(first); ok {
		p := c.whole(c.date(y, 1, 1), "year")
		p.guess, p.needsLead, p.year = true, true, true
		return p, 1, true
	}
	return c.monthAt(low, i)
}

// lastAt reads last week, this month, last Tuesday, the past 3 days.
func (c calendar) lastAt(words []word, low func(int) string, i int) (period, int, bool) {
	which := low(i)
	before := ""
	if i > 0 {
		before = words[i-1].low
	}
	next := strings.TrimSuffix(strings.TrimSuffix(low(i+1), "'s"), "’s")
	possessive := next != low(i+1)
	if n, ok := countWord(next); ok && which != "this" && next != "a" {
		unit, known := unitNames[low(i+2)]
		if !known {
			return period{}, 0, false
		}
		from := c.add(c.now, unit, -n)
		if unit != "hour" && unit != "minute" {
			from = c.day(from)
		}
		return period{from: from, to: c.now, rolling: true}, 3, true
	}
	switch {
	case which == "this" && (next == "morning" || next == "afternoon" || next == "evening"):
		return c.whole(c.now, "day"), 2, true
	case which == "last" && next == "night":
		return period{from: c.back(1, "day").from, to: c.whole(c.now, "day").to}, 2, true
	}
	if unit, ok := unitNames[next]; ok && unit == next && (unit == "week" || unit == "month" || unit == "quarter" || unit == "year") {
		p := c.back(0, unit)
		if which != "this" {
			p = c.back(1, unit)
			if which == "past" || which == "last" && before == "the" {
				p = period{from: c.day(c.add(c.now, unit, -1)), to: c.now, rolling: true}
			}
		}
		p.possessive, p.guess, p.present = possessive, possessive, which == "this"
		return p, 2, true
	}
	if possessive || which == "past" || which == "previous" {
		return period{}, 0, false
	}
	if d, ok := weekdayWord(next); ok && which == "last" {
		p := c.whole(c.now.AddDate(0, 0, -((int(c.now.Weekday()-d)+6)%7+1)), "day")
		p.weekday, p.last = true, true
		return p, 2, true
	}
	if m := monthWord(next); m != 0 && len(next) > 3 {
		year := c.now.Year()
		if which == "last" && m >= c.now.Month() {
			year--
		}
		p := c.whole(c.date(year, m, 1), "month")
		return p, 2, true
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
	name := low(k)
	month := monthWord(name)
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
	switch {
	case dated:
		k++
	case name == "may" && day == 0 && low(k) != "" && !afterMay.has(low(k)): // it may be a verb
		return period{}, 0, false
	default:
		year = c.now.Year()
		if c.date(year, month, max(day, 1)).After(c.now) {
			year--
		}
	}
	if day == 0 {
		p := c.whole(c.date(year, month, 1), "month")
		p.dated, p.yearless = dated, !dated
		p.guess, p.needsLead = !dated, !dated
		return p, k - i, true
	}
	from := c.date(year, month, day)
	if from.Month() != month { // 31 February
		return period{}, 0, false
	}
	p := c.whole(from, "day")
	p.dated, p.yearless, p.guess, p.needsLead = dated, !dated, !dated, !dated
	return p, k - i, true
}
