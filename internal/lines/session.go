package lines

import (
	"encoding/json"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/prose"
)

// Session is what a model reads of a session, in the order of time.
type Session struct {
	Held  time.Time // when it began
	Turns []Turn
	// Beside are other sessions that worked in the same project meanwhile: what changed may be theirs.
	Beside []string
}

// Turn is one prompt and what became of it.
type Turn struct {
	At      time.Time
	Summary string   // of what was before, which a compaction left
	Prompt  string   // all of it
	Typed   []string // the parts of the prompt that the person typed
	Refused []string // what they typed when they rejected a call
	Before  []string // what the agent said on the way
	Answer  string   // what it said last
	Edited  []string // files
	Ran     []Ran
}

// Ran is a command and how it ended.
type Ran struct {
	Command string
	Failed  bool
	Tail    string // the end of what it printed
}

// Characters that a model is shown of each part of a turn, and of all turns together.
const (
	promptRoom  = 1800
	answerRoom  = 3000
	beforeRoom  = 350
	beforeTexts = 6
	summaryRoom = 5000
	commandRoom = 200
	tailRoom    = 200
	commandsOf  = 8
	editedOf    = 12
	// PartRoom is for one question. A session that is longer is read in parts.
	PartRoom = 48_000
	partsOf  = 2 // the earliest turns of one that is longer still are left out
)

// shownTurn is a turn as the model reads it.
type shownTurn struct {
	Turn    int      `json:"turn"`
	Summary string   `json:"summary_of_what_was_before,omitempty"`
	Prompt  string   `json:"developer,omitempty"`
	Refused []string `json:"developer_on_rejecting_a_call,omitempty"`
	Before  []string `json:"agent_on_the_way,omitempty"`
	Edited  []string `json:"edited,omitempty"`
	Ran     []string `json:"ran,omitempty"`
	Answer  string   `json:"agent_last,omitempty"`
}

func (t Turn) shown(number int) shownTurn {
	s := shownTurn{Turn: number, Summary: prose.Shorten(t.Summary, summaryRoom), Prompt: bothEnds(t.Prompt, promptRoom), Answer: bothEnds(t.Answer, answerRoom)}
	for _, text := range t.Refused {
		s.Refused = append(s.Refused, bothEnds(text, promptRoom))
	}
	for _, text := range longest(t.Before, beforeTexts) {
		s.Before = append(s.Before, prose.Shorten(prose.OneLine(text), beforeRoom))
	}
	s.Edited = t.Edited[max(0, len(t.Edited)-editedOf):]
	for _, r := range telling(t.Ran) {
		line := prose.Shorten(prose.OneLine(r.Command), commandRoom)
		if r.Failed {
			line += " -> FAILED: " + prose.ShortenFront(prose.OneLine(r.Tail), tailRoom)
		}
		s.Ran = append(s.Ran, line)
	}
	return s
}

// Parts are the turns of a session as texts for one question each. A turn is whole in one of them.
func (s Session) Parts() (parts []string) {
	var part strings.Builder
	for i, t := range s.Turns {
		var one strings.Builder
		to := json.NewEncoder(&one)
		to.SetEscapeHTML(false) // quotes are copied from it
		_ = to.Encode(t.shown(i + 1))
		if part.Len() > 0 && part.Len()+one.Len() > PartRoom {
			parts = append(parts, part.String())
			part.Reset()
		}
		part.WriteString(one.String())
	}
	if part.Len() > 0 {
		parts = append(parts, part.String())
	}
	return parts[max(0, len(parts)-partsOf):]
}

// Worth reports whether a session may have taught something: something was edited, failed, or took more than one prompt.
func (s Session) Worth() bool {
	prompts := 0
	for _, t := range s.Turns {
		if len(t.Edited)+len(t.Refused) > 0 || t.Summary != "" || slices.ContainsFunc(t.Ran, func(r Ran) bool { return r.Failed }) {
			return true
		}
		if strings.TrimSpace(t.Prompt) != "" {
			prompts++
		}
	}
	return prompts > 1
}

const quoteWords = 3 // fewer stand in many texts by chance

// Find looks for a quote, in the person's typed words first.
func (s Session) Find(quote string) (p Proof, ok bool) {
	wanted := " " + strings.Join(plain(quote), " ") + " "
	for i, t := range s.Turns { // a command is a proof, however short it is
		if quote != "" && slices.ContainsFunc(t.Ran, func(r Ran) bool { return r.Command == quote }) {
			return Proof{i + 1, false}, true
		}
	}
	if strings.Count(wanted, " ") <= quoteWords {
		return p, false
	}
	stands := func(texts ...string) bool {
		return slices.ContainsFunc(texts, func(t string) bool { return strings.Contains(" "+strings.Join(plain(t), " ")+" ", wanted) })
	}
	for i, t := range s.Turns {
		if stands(t.Typed...) || stands(t.Refused...) {
			return Proof{i + 1, true}, true
		}
	}
	for i, t := range s.Turns {
		found := stands(t.Prompt, t.Answer, t.Summary) || stands(t.Before...) ||
			slices.ContainsFunc(t.Ran, func(r Ran) bool { return stands(r.Command + " " + r.Tail) })
		if found {
			return Proof{i + 1, false}, true
		}
	}
	return p, false
}

// plain are the words of a text without capitals, punctuation around them, and marks of Markdown.
func plain(text string) (words []string) {
	for w := range strings.FieldsSeq(strings.ToLower(text)) {
		if w = strings.Trim(strings.NewReplacer("`", "", "*", "", "’", "'", "“", "", "”", "", `"`, "", `\n`, "").Replace(w), "#>-–—_.,;:!?()[]{}…'"); w != "" {
			words = append(words, w)
		}
	}
	return words
}

// bothEnds keeps the beginning and the end of a text: what came of something is said last.
func bothEnds(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	head := prose.Shorten(text, most/2)
	return head + " " + prose.ShortenFront(text, most-utf8.RuneCountInString(head))
}

// longest are the longest texts in their order.
func longest(texts []string, most int) (some []string) {
	if len(texts) <= most {
		return texts
	}
	lengths := make([]int, len(texts))
	for i, t := range texts {
		lengths[i] = len(t)
	}
	slices.Sort(lengths)
	least := lengths[len(lengths)-most]
	for _, t := range texts {
		if len(t) >= least && len(some) < most {
			some = append(some, t)
		}
	}
	return some
}

// telling are commands that failed, the one after each, and the last ones.
func telling(ran []Ran) (some []Ran) {
	for i := len(ran) - 1; i >= 0 && len(some) < commandsOf; i-- {
		if ran[i].Failed || i > 0 && ran[i-1].Failed || len(ran)-i <= commandsOf/2 {
			some = append(some, ran[i])
		}
	}
	slices.Reverse(some)
	return some
}
