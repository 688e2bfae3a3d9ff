package crystal

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// times finds the times in the wording of a question. A word that could be content ("month view", "March algorithm") stays
// a word; one that is a time but could be more ("in March") is a bound and a word.
func (q *Query) times(c calendar) {
	var span, edge bounds
	var used []int // words of sure times
	guessed := false
	for i := 0; i < len(q.words); i++ {
		found, n, ok := q.timeAt(i, c)
		if !ok {
			continue
		}
		if found.mark != "" {
			q.milestone(found, i, n)
			i += n - 1
			continue
		}
		switch {
		case !found.asOf.IsZero():
			q.AsOf = found.asOf
		case found.edge:
			edge = edge.narrow(found.bounds)
		default:
			guessed = guessed || span != (bounds{})
			span = span.widen(found.bounds)
		}
		guessed = guessed || found.guess
		for k := i; k < i+n && !found.guess; k++ {
			used = append(used, k)
		}
		i += n - 1
	}
	all := span.narrow(edge)
	if !all.since.IsZero() && !all.until.IsZero() && !all.since.Before(all.until) {
		q.AsOf = time.Time{}
		return // they contradict each other: words after all
	}
	q.Since, q.Until, q.Guessed = all.since, all.until, guessed
	for _, k := range used {
		q.words[k].use = asTime
	}
}

// milestone keeps the first one of each side.
func (q *Query) milestone(found moment, i, n int) {
	side := &q.After
	if found.before {
		side = &q.Before
	}
	if *side != "" {
		return
	}
	*side = found.mark
	for k := i; k < i+n; k++ {
		q.words[k].use = asMark
	}
}

// bounds are zero where there is none.
type bounds struct{ since, until time.Time }

func (b bounds) narrow(c bounds) bounds {
	if !c.since.IsZero() {
		b.since = latest(b.since, c.since)
	}
	if !c.until.IsZero() {
		b.until = earliest(b.until, c.until)
	}
	return b
}

func (b bounds) widen(c bounds) bounds {
	if b == (bounds{}) {
		return c
	}
	return bounds{earliest(b.since, c.since), latest(b.until, c.until)}
}

// moment is a time as a question states it.
type moment struct {
	bounds
	edge   bool // since, before: one side only
	guess  bool
	asOf   time.Time
	mark   string // a milestone
	before bool   // of which this is the end
}

// What may come before a time, after it, and what makes it content.
var (
	inside    = set(`in on during within over from of around`)
	followers = set(`we i you he she they it the a an my our your his her their this that these those about on in at with for by
	from to regarding concerning because when while and or but so which who whom what where why how did do does was were is are
	has have had been will would can could should before after since until than as if then again only also not i'd we'd that's
	there during around into that's between involving using via per`)
	shown = set(`show shows showing shown display displays render renders print prints format formats formatted label labels
	labelled says parse parses parsed string text word run runs running ran scheduled schedule schedules every each execute
	executes fire fires trigger triggers start starts called named button tab column field view component widget picker enum
	constant variable key relative like next happens deploy deploys`)
)

// timeAt reads a time that begins at word i, with what leads it in.
func (q *Query) timeAt(i int, c calendar) (moment, int, bool) {
	w := q.words
	low := func(k int) string {
		if k < 0 || k >= len(w) || w[k].opaque || w[k].use != asTerm {
			return ""
		}
		return w[k].low
	}
	if i > 0 && (shown.has(low(i-1)) || low(i-1) == "as" || low(i-1) == "by") {
		return moment{}, 0, false
	}
	if low(i) == "as" && low(i+1) == "of" {
		if p, n, ok := c.period(w, i+2); ok && q.clear(i+2+n, p) {
			return moment{asOf: earliest(p.to, c.now)}, n + 2, true
		}
		return moment{}, 0, false
	}
	// the week before …
	unit, lead := "", i
	if low(i) == "the" || low(i) == "a" {
		lead++
	}
	if u := low(lead); (u == "day" || u == "week" || u == "month") && (low(lead+1) == "before" || low(lead+1) == "after") && lead > i {
		if p, n, ok := c.period(w, lead+2); ok && q.clear(lead+2+n, p) && !p.from.After(c.now) {
			unit = u
			b := bounds{c.add(p.from, unit, -1), p.from}
			if low(lead+1) == "after" {
				b = bounds{p.to, c.add(p.to, unit, 1)}
			}
			return moment{bounds: b}, lead + 2 + n - i, true
		}
	}
	switch word := low(i); word {
	case "since", "after", "before", "until", "till":
		k := i + 1
		if name, n := milestone(w, k); name != "" {
			return moment{mark: name, before: word != "since" && word != "after"}, n + 1, true
		}
		if low(k) == "the" {
			k++
		}
		p, n, ok := c.period(w, k)
		if !ok || !q.clear(k+n, p) || p.from.After(c.now) {
			return moment{}, 0, false
		}
		b := map[string]bounds{"since": {since: p.from}, "after": {since: p.to}, "before": {until: p.from}}[word]
		if word == "until" || word == "till" {
			b = bounds{until: p.to}
		}
		return moment{bounds: b, edge: true, guess: p.guess}, k + n - i, true
	case "between", "from":
		if m, n, ok := q.rangeAt(i, c); ok {
			return m, n, true
		}
	}
	// A plain time, with or without a preposition.
	k, led := i, false
	if inside.has(low(k)) {
		k, led = k+1, true
	}
	if led && low(k) == "the" {
		k++
	}
	p, n, ok := c.period(w, k)
	if !ok || p.from.After(c.now) || p.needsLead && !led {
		return moment{}, 0, false
	}
	if !led && (low(k-1) == "the" || low(k-1) == "a" || low(k-1) == "an") && !p.rolling {
		return moment{}, 0, false
	}
	if p.year && !(led && low(i) != "over" && low(i) != "on" && low(i) != "around" && low(i) != "from") {
		return moment{}, 0, false
	}
	p.guess = p.guess || p.dated && !led
	switch clear := q.clear(k+n, p); {
	case clear:
	case led && p.dated:
		p.guess = true
	default:
		return moment{}, 0, false
	}
	if p.weekday && !p.last && (low(i) != "on" || q.another(k+n)) {
		return moment{}, 0, false
	}
	// "How does it look today" asks for now, "what did we do today" for today.
	p.guess = p.guess || p.present && !q.past()
	return moment{bounds: bounds{p.from, p.to}, guess: p.guess}, k + n - i, true
}

// rangeAt reads "between March and May", "from 2025-01-01 to yesterday".
func (q *Query) rangeAt(i int, c calendar) (moment, int, bool) {
	first, n, ok := c.period(q.words, i+1)
	k := i + 1 + n
	if !ok || k >= len(q.words) || q.words[k].opaque {
		return moment{}, 0, false
	}
	join := q.words[k].low
	if join != "and" && join != "to" && join != "until" && join != "through" && join != "till" && join != "-" {
		return moment{}, 0, false
	}
	second, m, ok := c.period(q.words, k+1)
	if !ok || !q.clear(k+1+m, second) {
		return moment{}, 0, false
	}
	for years := 0; first.from.After(second.from) && first.yearless && years < 100; years++ {
		first.from = first.from.AddDate(-1, 0, 0)
	}
	if first.from.After(second.from) || first.from.After(c.now) {
		return moment{}, 0, false
	}
	return moment{bounds: bounds{first.from, second.to}, guess: first.guess && second.guess}, k + 1 + m - i, true
}

// another reports whether "and Thursday" follows: more than one day is a habit.
func (q *Query) another(k int) bool {
	if k+1 >= len(q.words) || q.words[k].low != "and" && q.words[k].low != "or" {
		return false
	}
	_, day := weekdayWord(strings.TrimSuffix(q.words[k+1].low, "s"))
	return day
}

var pastWords = set(`did was were had have has happened changed decided fixed broke said discussed talked worked learned
	added removed merged shipped planned wrote written done made tried found chose agreed`)

// past reports whether a question is about what has been.
func (q *Query) past() bool {
	return slices.ContainsFunc(q.words, func(w word) bool { return pastWords.has(w.low) })
}

// clear reports whether what follows a time at word k leaves it a time: the end of a clause, or a word that begins another.
func (q *Query) clear(k int, p period) bool {
	if k >= len(q.words) || p.possessive || q.words[k-1].ends {
		return true
	}
	next := q.words[k]
	return next.use == asFilter || !next.opaque && followers.has(next.low)
}

// milestone reads the name of a release that begins at word k, with "the" and the like.
func milestone(words []word, k int) (name string, length int) {
	start := k
	low := func(k int) string {
		if k < 0 || k >= len(words) || words[k].opaque {
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
	end := func(k int) bool { // the name is not the beginning of a longer one
		return k >= len(words) || words[k-1].ends || followers.has(low(k))
	}
	switch word := low(k); {
	case word == "release" || word == "version" || word == "tag":
		if version(low(k + 1)) {
			return low(k + 1), k + 2 - start
		}
		if word == "release" && k > start && end(k+1) {
			return which + word, k + 1 - start
		}
	case version(word) && which == "":
		if low(k+1) == "release" {
			return word, k + 2 - start
		}
		if end(k + 1) {
			return word, k + 1 - start
		}
	}
	return "", 0
}

// version reports whether a word is a version: v1, v1.2-rc.1, 1.2.3.
func version(word string) bool {
	digits, marked := strings.CutPrefix(word, "v")
	if !number(digits) || len(digits) > 40 {
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
