package texts

import (
	"cmp"
	"strconv"
	"strings"
	"time"
)

// times reads the times in the wording of a question. They only rank (see Worded), and their words stay terms: a word that
// was no time after all loses nothing.
func (q *Query) times(words []word, c calendar) {
	var span, edge Times
	for i := 0; i < len(words); i++ {
		if words[i].opaque || words[i].filter {
			continue
		}
		n := 0
		switch word := words[i].low; word {
		case "since", "after", "before", "until", "till":
			n = q.edgeAt(words, i, c, &edge)
		case "between", "from":
			n = span.rangeAt(words, i, c)
		}
		if n == 0 {
			n = span.plainAt(words, i, c)
		}
		i += max(n, 1) - 1
	}
	if !edge.Since.IsZero() {
		span.Since = latest(span.Since, edge.Since)
	}
	if !edge.Until.IsZero() {
		span.Until = earliest(span.Until, edge.Until)
	}
	if span.Since.IsZero() || span.Until.IsZero() || span.Since.Before(span.Until) { // or else they contradict each other
		q.Since, q.Until = span.Since, span.Until
	}
}

// Times are the bounds of a query.
type Times struct{ Since, Until time.Time }

// widen makes bounds hold a period too.
func (t *Times) widen(from, to time.Time) {
	if t.Since.IsZero() && t.Until.IsZero() {
		*t = Times{from, to}
		return
	}
	t.Since, t.Until = earliest(t.Since, from), latest(t.Until, to)
}

// bound narrows bounds by "since", "after", "before" or "until" a period.
func (t *Times) bound(word string, p period) {
	switch word {
	case "since":
		t.Since = latest(t.Since, p.from)
	case "after":
		t.Since = latest(t.Since, p.to)
	case "before":
		t.Until = earliest(t.Until, p.from)
	default:
		t.Until = earliest(t.Until, p.to)
	}
}

// milestone notes that a question asks for what was said since or before a release, the first that it names.
func (q *Query) milestone(word, name string) {
	side := &q.Before
	if word == "since" || word == "after" {
		side = &q.After
	}
	*side = cmp.Or(*side, name)
}

// edgeAt reads "since March 2025", "before v1.2".
func (q *Query) edgeAt(words []word, i int, c calendar, edge *Times) int {
	word, k := words[i].low, i+1
	if name, n := milestone(words, k); name != "" {
		q.milestone(word, name)
		return n + 1
	}
	if k < len(words) && words[k].low == "the" {
		k++
	}
	p, n, ok := c.period(words, k)
	if !ok || p.from.After(c.now) {
		return 0
	}
	edge.bound(word, p)
	return k + n - i
}

// rangeAt reads "between March and May", "from 2025-01-01 to yesterday".
func (t *Times) rangeAt(words []word, i int, c calendar) int {
	first, n, ok := c.period(words, i+1)
	k := i + 1 + n
	if !ok || k >= len(words) {
		return 0
	}
	switch words[k].low {
	case "and", "to", "until", "through", "till", "-":
	default:
		return 0
	}
	second, m, ok := c.period(words, k+1)
	if !ok {
		return 0
	}
	for years := 0; first.from.After(second.from) && first.yearless && years < 100; years++ {
		first.from = first.from.AddDate(-1, 0, 0)
	}
	if first.from.After(second.from) || first.from.After(c.now) {
		return 0
	}
	t.widen(first.from, second.to)
	return k + 1 + m - i
}

// plainAt reads "last week", "in March", "on the 14th of March 2025".
func (t *Times) plainAt(words []word, i int, c calendar) int {
	k := i
	if w := words[k].low; w == "in" || w == "on" || w == "during" {
		k++
	}
	led := k > i
	if led && k < len(words) && (words[k].low == "the" || words[k].low == "early" || words[k].low == "late") {
		k++
	}
	p, n, ok := c.period(words, k)
	if !ok || p.from.After(c.now) || p.weak && !led {
		return 0
	}
	t.widen(p.from, p.to)
	return k + n - i
}

// milestone reads the name of a release that begins at word k, with "the" and the like.
func milestone(words []word, k int) (name string, length int) {
	start := k
	low := func(k int) string {
		if k >= len(words) || words[k].opaque {
			return ""
		}
		return words[k].low
	}
	if low(k) == "the" || low(k) == "our" {
		k++
	}
	which := ""
	switch low(k) {
	case "last", "latest", "first", "previous":
		which = low(k) + " "
		k++
	}
	switch word := low(k); {
	case (word == "release" || word == "version" || word == "tag") && version(low(k+1)):
		return low(k + 1), k + 2 - start
	case word == "release" && k > start:
		return which + word, k + 1 - start
	case version(word) && which == "" && low(k+1) == "release":
		return word, k + 2 - start
	case version(word) && which == "":
		return word, k + 1 - start
	}
	return "", 0
}

// version reports whether a word is a version: v1, v1.2-rc.1, 1.2.3.
func version(word string) bool {
	digits, marked := strings.CutPrefix(word, "v")
	if !startsWithDigit(digits) || len(digits) > 40 {
		return false
	}
	plain := strings.FieldsFunc(digits, func(r rune) bool { return r == '-' || r == '+' })[0]
	parts := strings.Split(plain, ".")
	for _, p := range parts {
		if _, err := strconv.ParseUint(p, 10, 32); err != nil {
			return false
		}
	}
	return marked || len(parts) == 3
}
