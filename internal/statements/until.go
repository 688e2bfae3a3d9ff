package statements

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// Until returns the first day on which a statement no longer holds, if it names one: "no merges until March 20th" ends on the 21st. What ends
// with an event ("until the release") has no such day, and neither has a date that can be read in two ways.
func Until(text string, said time.Time) (end time.Time, ok bool) {
	year, month, day := said.Date()
	today := time.Date(year, month, day, 0, 0, 0, 0, said.Location())
	words := strings.Fields(strings.ToLower(strings.NewReplacer("’", "'", "jusqu'", "until ").Replace(text)))
	for i := range words {
		words[i] = strings.Trim(words[i], `.,;:!?"'()`)
	}
	at := func(i int) string {
		if i < len(words) {
			return words[i]
		}
		return ""
	}
	for i, w := range words {
		rest := words[i+1:]
		switch {
		case untilWords[w]:
			end, ok = lastDay(rest, today)
		case w == "by" && at(i+1) == "the" && at(i+2) == "end":
			end, ok = lastDay(rest, today)
		case w == "next" && i > 1 && words[i-2] == "for":
			end, ok = after(rest, today)
		case w == "this":
			end, ok = endOf(at(i+1), today)
		}
		if ok {
			return end.AddDate(0, 0, 1), true
		}
	}
	return end, false
}

// limits are the words after which the last day of something is named.
var untilWords = map[string]bool{"until": true, "till": true, "til": true, "through": true, "thru": true, "bis": true}

// lastDay reads a day: a date, a weekday, or the end of a month or another time.
func lastDay(words []string, today time.Time) (day time.Time, ok bool) {
	for len(words) > 0 && fillers[words[0]] {
		words = words[1:]
	}
	if len(words) == 0 {
		return day, false
	}
	next := ""
	if len(words) > 1 {
		next = words[1]
	}
	if words[0] == "end" || words[0] == "ende" || words[0] == "fin" {
		for words = words[1:]; len(words) > 0 && fillers[words[0]]; words = words[1:] {
		}
		if len(words) == 0 {
			return day, false
		}
		if month, is := place(months, words[0]); is {
			last := time.Date(today.Year(), time.Month(month+2), 0, 0, 0, 0, 0, today.Location())
			if last.Before(today) {
				last = time.Date(today.Year()+1, time.Month(month+2), 0, 0, 0, 0, 0, today.Location())
			}
			return last, true
		}
		return endOf(words[0], today)
	}
	if days, is := map[string]int{"today": 0, "heute": 0, "tomorrow": 1, "morgen": 1, "demain": 1}[words[0]]; is {
		return today.AddDate(0, 0, days), true
	}
	if weekday, is := place(weekdays, words[0]); is {
		return today.AddDate(0, 0, (weekday-int(today.Weekday())+6)%7+1), true
	}
	if month, is := place(months, words[0]); is {
		if number, is := ordinal(next); is {
			return dated(today, yearIn(words, 2), month+1, number)
		}
		return day, false
	}
	if number, is := ordinal(words[0]); is {
		if month, is := place(months, next); is {
			return dated(today, yearIn(words, 2), month+1, number)
		}
		if strings.Trim(words[0], "0123456789") == "" {
			return day, false // a number of something
		}
		first := time.Date(today.Year(), today.Month(), number, 0, 0, 0, 0, today.Location())
		if first.Before(today) {
			first = first.AddDate(0, 1, 0)
		}
		return first, first.Day() == number
	}
	return figures(words[0], today)
}

// figures reads a date in figures: 2026-03-20, 20.3.2026, 3/20.
func figures(word string, today time.Time) (day time.Time, ok bool) {
	separator := strings.Trim(word, "0123456789")
	if separator == "" {
		return day, false
	}
	var parts []int
	for part := range strings.SplitSeq(word, separator[:1]) {
		n, err := strconv.Atoi(part)
		if err != nil {
			return day, false
		}
		parts = append(parts, n)
	}
	year := 0
	if len(parts) == 3 {
		if year = parts[2]; separator[0] == '-' {
			return dated(today, parts[0], parts[1], parts[2])
		}
		if year < 100 {
			year += 2000
		}
	}
	switch {
	case len(parts) < 2 || len(parts) > 3:
		return day, false
	case separator[0] == '.' || parts[0] > 12:
		return dated(today, year, parts[1], parts[0])
	case separator[0] == '/' && parts[1] > 12:
		return dated(today, year, parts[0], parts[1])
	}
	return day, false
}

// dated is a day of a year; without one, of the year in which it comes next.
func dated(today time.Time, year, month, number int) (day time.Time, ok bool) {
	named := year != 0
	if !named {
		year = today.Year()
	}
	day = time.Date(year, time.Month(month), number, 0, 0, 0, 0, today.Location())
	if !named && day.Before(today) {
		day = day.AddDate(1, 0, 0)
	}
	return day, month >= 1 && month <= 12 && day.Day() == number
}

// after is a number of days, weeks or months later.
func after(words []string, today time.Time) (day time.Time, ok bool) {
	if len(words) < 2 {
		return day, false
	}
	n, err := strconv.Atoi(words[0])
	if err != nil {
		if n = slices.Index(numbers, words[0]); n < 0 {
			return day, false
		}
	}
	today = today.AddDate(0, 0, -1) // this is the first of them
	switch strings.TrimSuffix(words[1], "s") {
	case "day":
		return today.AddDate(0, 0, n), true
	case "week":
		return today.AddDate(0, 0, 7*n), true
	case "month":
		return today.AddDate(0, n, 0), true
	}
	return day, false
}

// endOf is the last day of the week, month or year.
func endOf(unit string, today time.Time) (day time.Time, ok bool) {
	switch unit {
	case "week", "woche":
		return today.AddDate(0, 0, (7-int(today.Weekday()))%7), true
	case "month", "monat":
		return time.Date(today.Year(), today.Month()+1, 0, 0, 0, 0, 0, today.Location()), true
	case "year", "jahr":
		return time.Date(today.Year(), time.December, 31, 0, 0, 0, 0, today.Location()), true
	}
	return day, false
}

var (
	fillers = map[string]bool{"the": true, "of": true, "and": true, "including": true, "zum": true, "der": true, "des": true, "au": true, "à": true, "la": true, "le": true, "de": true}
	numbers = []string{"", "one", "two", "three", "four", "five", "six"}
	// Names in English, German and French.
	months = []string{
		"january januar janvier", "february februar février", "march märz mars", "april avril", "may mai", "june juni juin", "july juli juillet",
		"august août", "september septembre", "october oktober octobre", "november novembre", "december dezember décembre",
	}
	weekdays = []string{
		"sunday sonntag dimanche", "monday montag lundi", "tuesday dienstag mardi", "wednesday mittwoch mercredi", "thursday donnerstag jeudi",
		"friday freitag vendredi", "saturday samstag samedi",
	}
)

// place is which of some names a word is or begins.
func place(names []string, word string) (int, bool) {
	for i, list := range names {
		if len(word) >= 3 && strings.Contains(" "+list, " "+word) {
			return i, true
		}
	}
	return 0, false
}

// ordinal reads the number of a day: 20, 20th.
func ordinal(word string) (int, bool) {
	n, err := strconv.Atoi(strings.TrimRight(word, "stndrhe"))
	return n, err == nil && n >= 1 && n <= 31
}

// yearIn is the year that stands at a place; 0 if there is none.
func yearIn(words []string, at int) int {
	if at < len(words) {
		if n, err := strconv.Atoi(words[at]); err == nil && n > 2000 && n < 2100 {
			return n
		}
	}
	return 0
}
