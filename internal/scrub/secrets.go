package scrub

import (
	"cmp"
	"slices"
	"strings"
	"sync"
)

// Finding is one secret that was replaced.
type Finding struct {
	Kind       string // such as "github-token" or "password"
	Start, End int    // where it stood in the text as it was given, in bytes
}

// Secrets replaces every secret it recognises with [redacted:KIND:hhhh], where hhhh is the
// beginning of the secret's SHA-256: enough to see that two secrets are equal, too little to find
// one. Markers already in the text are left alone, so the function is idempotent. The findings are
// in the order of the text and do not overlap.
func Secrets(text string) (clean string, found []Finding) {
	// Replacing a secret can uncover another one after it, so look again until nothing is found. Each
	// round turns text into markers and no rule sees into a marker, so the rounds come to an end; more
	// than two are exotic.
	for clean = text; ; {
		spans := findSecrets(clean)
		if len(spans) == 0 {
			return clean, found
		}
		var out strings.Builder
		var news []Finding
		from := 0
		for _, s := range spans {
			out.WriteString(clean[from:s.start])
			out.WriteString(marker(s.kind, clean[s.start:s.end]))
			from = s.end
			news = append(news, Finding{s.kind, original(found, s.start), original(found, s.end)})
		}
		out.WriteString(clean[from:])
		clean = out.String()
		found = append(found, news...)
		slices.SortFunc(found, func(a, b Finding) int { return cmp.Compare(a.Start, b.Start) })
	}
}

// Redacted reports whether a secret was taken out of a text: it holds a marker.
func Redacted(text string) bool {
	start, _ := nextMarker(text, 0)
	return start < len(text)
}

// markerEnd returns the end of the marker that begins at text[i], or -1 when none does.
func markerEnd(text string, i int) int {
	if !strings.HasPrefix(text[i:], markerBegin) {
		return -1
	}
	kind := i + len(markerBegin)
	hash := kind + run(text[kind:], func(c byte) bool { return isLower(c) || isDigit(c) || c == '-' }, 40)
	end := hash + 1 + hashDigits
	if hash == kind || end >= len(text) || text[hash] != ':' || text[end] != ']' ||
		run(text[hash+1:end], isLowerHex, hashDigits) != hashDigits {
		return -1
	}
	return end + 1
}

// original maps a place in a text in which found has been replaced back to the text before. The
// place lies in no marker.
func original(found []Finding, place int) int {
	for _, f := range found {
		if f.Start >= place {
			break
		}
		place += f.End - f.Start - markerLength(f.Kind)
	}
	return place
}

// findSecrets returns the secrets of the text, apart and in order. The text between two markers is
// searched separately.
func findSecrets(text string) []span {
	found := columns(text)
	apart := len(found) == 0
	from := 0
	for from < len(text) {
		wall, next := nextMarker(text, from)
		for _, s := range triggers().scan(text[from:wall]) {
			s.start, s.end = s.start+from, s.end+from
			found = append(found, s)
		}
		from = next
	}
	if apart {
		return found
	}
	return merge(found)
}

// nextMarker returns the bounds of the first marker from i on, or the end of the text twice.
func nextMarker(text string, i int) (start, end int) {
	for {
		n := strings.Index(text[i:], markerBegin)
		if n < 0 {
			return len(text), len(text)
		}
		i += n
		if end := markerEnd(text, i); end > 0 {
			return i, end
		}
		i += len(markerBegin)
	}
}

// trigger is a few bytes, in lower case, that must be there before a rule is asked. The empty
// trigger stands for none.
type trigger struct {
	text string
	rule int
	next uint16 // the next trigger with the same code, 0 for none
}

// triggerTable finds all triggers in one pass over a text: three bytes give a code, the code gives
// the triggers that begin with such bytes.
type triggerTable struct {
	rules    []rule
	triggers []trigger
	first    [1 << 12]uint16
}

// triggers builds the table on first use, in some microseconds, and not when the program starts.
var triggers = sync.OnceValue(newTriggerTable)

func newTriggerTable() *triggerTable {
	t := &triggerTable{rules: allRules(), triggers: make([]trigger, 1, 800)}
	for i, r := range t.rules {
		for text := range strings.SplitSeq(r.triggers, "|") {
			code := triggerCode(codeOf(text[0])<<10 | codeOf(text[1])<<5 | codeOf(text[2]))
			t.triggers = append(t.triggers, trigger{text, i, t.first[code]})
			t.first[code] = uint16(len(t.triggers) - 1)
		}
	}
	return t
}

// codeOf keeps five bits of a byte, which are the same for a letter in upper and lower case.
func codeOf(c byte) uint32 { return uint32(c & 31) }

// triggerCode folds the codes of three bytes into an index of the table.
func triggerCode(three uint32) uint32 { return (three ^ three>>9) & (1<<12 - 1) }

// scan asks the rules whose triggers occur and returns what they found, merged.
func (t *triggerTable) scan(text string) []span {
	var found []span
	if len(text) < 3 {
		return nil
	}
	three := codeOf(text[0])<<5 | codeOf(text[1])
	for i := 0; i+2 < len(text); i++ {
		three = (three<<5 | codeOf(text[i+2])) & (1<<15 - 1)
		if text[i] == '_' { // a token with no other bytes that are always the same
			if s := findNgrok(text, i); s.end > s.start {
				s.kind = "ngrok-key"
				found = append(found, s)
			}
		}
		for n := t.first[triggerCode(three)]; n != 0; n = t.triggers[n].next {
			tr := &t.triggers[n]
			if !hasPrefixFold(text[i:], tr.text) {
				continue
			}
			r := &t.rules[tr.rule]
			s := r.find(text, i, len(tr.text))
			if s.end <= s.start {
				continue
			}
			s.rule = tr.rule
			if s.kind == "" {
				s.kind = r.kind
			}
			found = append(found, s)
		}
		// A matched token cannot hold another one, and going on after it keeps hostile input linear.
		if n := len(found); n > 0 && found[n-1].start == i && t.rules[found[n-1].rule].whole {
			i = found[n-1].end - 1
			if i+2 < len(text) {
				three = codeOf(text[i+1])<<5 | codeOf(text[i+2])
			}
		}
	}
	return merge(found)
}

// merge joins overlapping spans, so that nothing of either survives, under the kind of the rule
// that knows most.
func merge(found []span) []span {
	if len(found) < 2 {
		return found
	}
	slices.SortFunc(found, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	merged := found[:1]
	for _, s := range found[1:] {
		last := &merged[len(merged)-1]
		if s.start >= last.end {
			merged = append(merged, s)
			continue
		}
		if s.rule < last.rule {
			last.rule, last.kind = s.rule, s.kind
		}
		last.end = max(last.end, s.end)
	}
	return merged
}
