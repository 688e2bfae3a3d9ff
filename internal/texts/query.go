package texts

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/hebb-memory/hebb/internal/memory"
)

// Query is what a question asks for. Times bound when something was said: Since is in, Until is out.
type Query struct {
	Raw  string
	Text string // what to look for, in plain words; the caller cuts it into terms
	// Phrases stood in quotes and are looked for as they are. Their words are in Text too.
	Phrases  []string
	Kinds    []memory.CrystalKind // or one of otherTexts
	Projects []string
	Paths    []string
	Since    time.Time
	Until    time.Time
	AsOf     time.Time // what held at that time
	// After and Before name milestones (v1.2, "release", "last release") for the caller to look up; see Resolve.
	After, Before string
	// Sessions says that conversations are asked for.
	Sessions bool
	// History says that what was superseded, archived or expired is asked for too.
	History bool
	Unsure  bool // only what needs a check
	Pinned  bool // only what is frozen
	// Worded says that the times come from the wording, not from a filter. What was said then and what is said of then
	// differ by days: rank by Fit, and exclude nothing.
	Worded bool
	// Unread are filters whose value is not understood, each with what would be: they were looked for as words.
	Unread []string
}

// word is a piece of a question.
type word struct {
	raw     string // as it goes back into the text
	low     string // lower case, without marks around it
	ends    bool   // a mark after it ends the clause
	opaque  bool   // quoted or code: never a time
	filter  bool   // key:value, removed from the text
	capital bool
}

// stops reports whether a sentence ends with the word; "March 14, 2025" is one time.
func (w word) stops() bool { return w.ends && !strings.HasSuffix(w.raw, ",") }

const (
	queryWords = 48                 // a longer text is a document, whose times and quotes mean nothing
	timeHalf   = 7 * 24 * time.Hour // outside the time asked for, where half the fit is left; LoCoMo
)

// ParseQuery reads a question. Filters (kind:, project:, path:, since:, until:, before:, after:, asof:, is:) narrow it down;
// times in the wording, in the zone of now, rank. It takes any text.
func ParseQuery(text string, now time.Time) Query {
	q := Query{Raw: text}
	if len(strings.Fields(text)) > queryWords {
		q.Text = strings.TrimSpace(text) // a document: its times and quotes are its own
		return q
	}
	var words []word
	words, q.Phrases = readWords(text)
	calendar := calendar{now}
	var left []string
	for i := range words {
		if words[i].filter = !words[i].opaque && q.filter(words[i].raw, calendar); !words[i].filter {
			left = append(left, words[i].raw)
		}
	}
	q.Text = strings.Join(left, " ")
	if q.Since.IsZero() && q.Until.IsZero() && q.AsOf.IsZero() && q.After == "" && q.Before == "" {
		q.times(words, calendar)
		q.Worded = !q.Since.IsZero() || !q.Until.IsZero() || q.After != "" || q.Before != ""
	}
	q.History = q.History || !q.AsOf.IsZero() || !q.Until.IsZero() && !q.Worded
	return q
}

// Resolve replaces the milestones by times, such as those of git tags. One that is not known is just words.
func (q Query) Resolve(times map[string]time.Time) Query {
	if at, ok := times[q.After]; q.After != "" && ok {
		q.Since = latest(q.Since, at)
	}
	if at, ok := times[q.Before]; q.Before != "" && ok {
		q.Until = earliest(q.Until, at)
	}
	q.After, q.Before = "", ""
	q.Worded = q.Worded && (!q.Since.IsZero() || !q.Until.IsZero())
	q.History = q.History || !q.Until.IsZero() && !q.Worded
	return q
}

// Fit is how well a time lies within the bounds of a question: 1 inside and where there are none, less the farther outside.
func Fit(q Query, at time.Time) float64 {
	var outside time.Duration
	switch {
	case !q.Since.IsZero() && at.Before(q.Since):
		outside = q.Since.Sub(at)
	case !q.Until.IsZero() && !at.Before(q.Until):
		outside = at.Sub(q.Until)
	}
	return math.Exp2(-outside.Hours() / timeHalf.Hours())
}

// quotes maps what opens a phrase to what closes it.
var quotes = map[rune]rune{'"': '"', '“': '”', '«': '»', '`': '`'}

// readWords cuts a text into words and phrases. A quote that is never closed is no quote.
func readWords(text string) (words []word, phrases []string) {
	runes := []rune(text)
	for i := 0; i < len(runes); {
		if unicode.IsSpace(runes[i]) {
			i++
			continue
		}
		if closing, opens := quotes[runes[i]]; opens {
			if end := closes(runes, i+1, closing); end > 0 {
				phrase := strings.TrimSpace(string(runes[i+1 : end]))
				if phrase != "" {
					phrases = append(phrases, phrase)
					words = append(words, word{raw: phrase, opaque: true, ends: end+1 < len(runes) && clauseEnd(runes[end+1])})
				}
				i = end + 1
				continue
			}
			i++
			continue
		}
		start := i
		for i < len(runes) && !unicode.IsSpace(runes[i]) {
			// path:"a b" is one filter
			if closing, opens := quotes[runes[i]]; opens && runes[i-1] == ':' {
				if end := closes(runes, i+1, closing); end > 0 {
					i = end
				}
			}
			i++
		}
		words = append(words, newWord(string(runes[start:i])))
	}
	return words, phrases
}

// closes is where a phrase that begins at i ends: a mark that no letter follows.
func closes(runes []rune, i int, closing rune) int {
	for ; i < len(runes); i++ {
		if runes[i] == closing && (i+1 == len(runes) || !unicode.IsLetter(runes[i+1]) && !unicode.IsDigit(runes[i+1])) {
			return i
		}
	}
	return -1
}

func clauseEnd(r rune) bool { return strings.ContainsRune(",.;?!:)", r) }

func newWord(raw string) word {
	bare := strings.TrimFunc(raw, func(r rune) bool { return strings.ContainsRune("\"'`“”‘’«»()[]{},.;:?!", r) })
	w := word{raw: raw, low: strings.ToLower(bare)}
	for _, r := range bare {
		w.capital = unicode.IsUpper(r)
		break
	}
	if last := []rune(raw); len(last) > 0 {
		w.ends = clauseEnd(last[len(last)-1])
	}
	return w
}

// filter applies key:value, and reports whether it is one that is understood.
func (q *Query) filter(raw string, c calendar) bool {
	key, value, ok := strings.Cut(raw, ":")
	value = strings.Trim(value, "\"“”«»`")
	if !ok || value == "" {
		return false
	}
	switch strings.ToLower(key) {
	case "kind", "type":
		return q.understood(q.kinds(value), raw, "no such kind; kinds are "+KindNames(slices.Concat(memory.CrystalKinds, otherTexts)))
	case "project", "repo":
		q.Projects = append(q.Projects, value)
	case "path", "file":
		q.Paths = append(q.Paths, value)
	case "is":
		return q.understood(q.is(strings.ToLower(value)), raw, "no such state; states are history, unsure, pinned, session")
	case "in":
		return q.is(strings.ToLower(value))
	case "since", "until", "before", "after", "asof", "as-of":
		return q.understood(q.bound(strings.ToLower(key), value, c), raw, `no time that is understood; say 2026-03-14, 3d, 2w, "last week" or a tag`)
	default:
		return false
	}
	return true
}

// understood notes a filter that was not.
func (q *Query) understood(ok bool, raw, why string) bool {
	if !ok {
		q.Unread = append(q.Unread, clipped(raw)+": "+why+". It was looked for as words.")
	}
	return ok
}

// clipped is the beginning of a word that may be of any length.
func clipped(raw string) string {
	const most = 60
	if runes := []rune(strings.ToValidUTF8(raw, "\uFFFD")); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return strings.ToValidUTF8(raw, "\uFFFD")
}

// KindNames lists kinds for a message.
func KindNames(kinds []memory.CrystalKind) string {
	var names []string
	for _, k := range kinds {
		names = append(names, string(k))
	}
	return strings.Join(names, ", ")
}

// PathPattern is what a path filter matches: the path itself, its end, a folder of it, or by a pattern in which * and ? match
// within one folder and ** matches folders.
func PathPattern(filter string) *regexp.Regexp {
	expr := regexp.QuoteMeta(strings.Trim(strings.ToValidUTF8(filter, "\uFFFD"), "/"))
	if !strings.ContainsAny(filter, "*?") {
		return regexp.MustCompile(`(?:^|/)` + expr + `(?:/|$)`)
	}
	expr = strings.NewReplacer(`\*\*/`, `(?:.*/)?`, `/\*\*`, `(?:/.*)?`, `\*\*`, `.*`, `\*`, `[^/]*`, `\?`, `[^/]`).Replace(expr)
	return regexp.MustCompile(`(?s)(?:^|/)` + expr + `$`)
}

func (q *Query) kinds(list string) bool {
	known := func(k memory.CrystalKind) bool {
		return slices.Contains(memory.CrystalKinds, k) || slices.Contains(otherTexts, k)
	}
	var found []memory.CrystalKind
	sessions := false
	for name := range strings.SplitSeq(strings.ToLower(list), ",") {
		name = strings.ReplaceAll(name, "-", "_")
		if name == "session" || name == "sessions" || name == "conversation" {
			sessions = true
			continue
		}
		aliases := map[string]memory.CrystalKind{"pattern": memory.TaskPattern, "intention": memory.Intention, "memory": memory.Episode}
		kind := memory.CrystalKind(name)
		if !known(kind) {
			kind = memory.CrystalKind(singular(name))
		}
		if alias, ok := aliases[string(kind)]; ok {
			kind = alias
		}
		if !known(kind) {
			return false
		}
		found = append(found, kind)
	}
	q.Kinds = append(q.Kinds, found...)
	q.Sessions = q.Sessions || sessions
	return true
}

func (q *Query) is(state string) bool {
	switch state {
	case "history", "superseded", "archived", "expired", "forgotten", "old":
		q.History = true
	case "unsure", "doubtful", "stale":
		q.Unsure = true
	case "pinned", "frozen":
		q.Pinned = true
	case "session", "sessions", "conversation", "conversations":
		q.Sessions = true
	default:
		return false
	}
	return true
}

// bound reads the time of since:, until:, before:, after: and asof:.
func (q *Query) bound(key, value string, c calendar) bool {
	words, _ := readWords(value)
	p, n, ok := c.period(words, 0)
	if !ok || n != len(words) {
		p, ok = c.short(strings.ToLower(value))
	}
	asOf := key == "asof" || key == "as-of"
	switch name, n := milestone(words, 0); {
	case ok && asOf:
		q.AsOf = earliest(p.to, c.now)
	case ok:
		t := Times{q.Since, q.Until}
		t.bound(key, p)
		q.Since, q.Until = t.Since, t.Until
	case asOf || name == "" || n != len(words):
		return false
	default:
		q.milestone(key, name)
	}
	return true
}

// latest is the later of two times, of which the first may be missing.
func latest(a, b time.Time) time.Time {
	if a.IsZero() || b.After(a) {
		return b
	}
	return a
}

func earliest(a, b time.Time) time.Time {
	if a.IsZero() || b.Before(a) {
		return b
	}
	return a
}

// otherTexts can be asked for like kinds of crystals.
var otherTexts = []memory.CrystalKind{"commit", "session", "snippet", "document", "entity"}
