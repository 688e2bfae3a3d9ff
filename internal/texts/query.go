package texts

import (
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
)

// Query is what a question asks for. Times bound when something was said: Since is in, Until is out.
type Query struct {
	Text string // what to look for, in plain words; the caller cuts it into terms
	// Phrases stood in quotes and are looked for as they are. Their words are in Text too.
	Phrases  []string
	Kinds    []memory.CrystalKind // or one of otherTexts
	Projects []string
	Paths    []string
	Since    time.Time
	Until    time.Time
	AsOf     time.Time // what held at that time
	// Named is a time in the wording. Rank by its Fit, and exclude nothing.
	Named Period
	// Sessions says that conversations are asked for.
	Sessions bool
	// History says that what was superseded, archived or expired is asked for too.
	History bool
	Unsure  bool // only what needs a check
	Pinned  bool // only what is frozen
	// Unread are filters whose value is not understood, each with what would be: they were looked for as words.
	Unread []string
}

// word is a piece of a question.
type word struct {
	text   string
	quoted bool
}

// queryWords bounds a question: a longer text is a document, whose times and quotes mean nothing.
const queryWords = 48

// ParseQuery reads a question. Filters (kind:, project:, path:, since:, until:, asof:, is:) narrow it down; a date in the wording,
// in the zone of now, ranks. It takes any text.
func ParseQuery(text string, now time.Time) Query {
	q := Query{}
	if len(strings.Fields(text)) > queryWords {
		q.Text = strings.TrimSpace(text)
		return q
	}
	var words []word
	words, q.Phrases = readWords(text)
	var left []string
	for _, w := range words {
		if w.quoted || !q.filter(w.text, now) {
			left = append(left, w.text)
		}
	}
	q.Text = strings.Join(left, " ")
	if q.Since.IsZero() && q.Until.IsZero() && q.AsOf.IsZero() {
		q.Named = namedTime(q.Text, now)
	}
	q.History = q.History || !q.AsOf.IsZero() || !q.Until.IsZero()
	return q
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
					words = append(words, word{phrase, true})
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
		words = append(words, word{text: string(runes[start:i])})
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

// filter applies key:value, and reports whether it is one that is understood.
func (q *Query) filter(raw string, now time.Time) bool {
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
		return q.understood(q.bound(strings.ToLower(key), value, now), raw, "no time that is understood; say 2026-03-14, 2026-03, 3d, 2w or yesterday")
	default:
		return false
	}
	return true
}

// understood notes a filter that was not.
func (q *Query) understood(ok bool, raw, why string) bool {
	if !ok {
		q.Unread = append(q.Unread, prose.Shorten(strings.ToValidUTF8(raw, "\uFFFD"), 60)+": "+why+". It was looked for as words.")
	}
	return ok
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

// bound reads the time of since:, after:, before:, until: and asof:.
func (q *Query) bound(key, value string, now time.Time) bool {
	value = strings.ToLower(value)
	at, err := prose.ParseTime(now, value)
	if err != nil {
		return false
	}
	switch key {
	case "since":
		q.Since = at
	case "after":
		q.Since = endOf(at, value)
	case "before":
		q.Until = at
	case "until":
		q.Until = endOf(at, value)
	default:
		if q.AsOf = endOf(at, value); q.AsOf.After(now) {
			q.AsOf = now
		}
	}
	return true
}

// endOf is the end of the day, month or year that a value names, or the moment itself.
func endOf(at time.Time, value string) time.Time {
	named := func(layout string) bool {
		_, err := time.Parse(layout, value)
		return err == nil
	}
	switch {
	case value == "today", value == "yesterday", named(time.DateOnly):
		return at.AddDate(0, 0, 1)
	case named("2006-01"):
		return at.AddDate(0, 1, 0)
	case named("2006"):
		return at.AddDate(1, 0, 0)
	}
	return at
}

// otherTexts can be asked for like kinds of crystals.
var otherTexts = []memory.CrystalKind{"commit", "session", "snippet", "document", "entity"}
