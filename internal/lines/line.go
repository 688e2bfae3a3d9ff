// Package lines has the rules for lines of knowledge: what one says, what proves it, and whether it may be told. A model that
// has read a session proposes them; nothing here asks a model or a store.
package lines

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
)

// Kind says what a line tells.
type Kind string

// Kinds of lines.
const (
	Preference Kind = "preference" // what the person wants, or forbids
	Procedure  Kind = "procedure"  // how something is built, run, tested, deployed
	Fact       Kind = "fact"       // what runs where, what belongs to what
	Cause      Kind = "cause"      // why something failed, and what fixed it or did not
	Decision   Kind = "decision"   // a choice with its reason
	State      Kind = "state"      // what is half done now
)

// Kinds lists every kind in the order in which a start shows them.
var Kinds = []Kind{Preference, Procedure, Fact, Cause, Decision, State}

// Line is one thing that a later session should know.
type Line struct {
	Kind   Kind     `json:"kind"`
	Text   string   `json:"text"`             // one sentence that is understood by itself
	Quote  string   `json:"quote"`            // words of the session that prove it
	When   []string `json:"when,omitempty"`   // triggers: words of commands, paths and errors at which it matters
	Breaks []string `json:"breaks,omitempty"` // marks of calls that go against it
}

// Replacement is a line that takes the place of one that stands.
type Replacement struct {
	ID string `json:"id"`
	Line
}

// End ends a line that stands, a goal or a failure. A line that ends without a quote is not over: it gives way to a more useful one.
type End struct {
	ID    string            `json:"id"`
	Quote string            `json:"quote"`
	How   memory.GoalStatus `json:"how,omitempty"` // of a goal: done or dropped
}

// Answer is what a model wants changed after it has read a session.
type Answer struct {
	Add     []Line        `json:"add"`
	Replace []Replacement `json:"replace"`
	Retire  []End         `json:"retire"`
	Again   []string      `json:"again"` // IDs of lines that the session bears out
	Ended   []End         `json:"ended"` // goals and failures that are over
}

// Limits of what stands in a project.
const (
	Most      = 45   // lines
	Room      = 7500 // characters of their texts
	TextMost  = 200  // characters of one
	quoteMost = 600
	whenMost  = 6
	whenLeast = 4 // characters; less stands everywhere
)

var errForm = errors.New(`it must be one JSON object with "add", "replace", "retire", "again" and "ended", and nothing else`)

// ReadAnswer reads the answer of a model. Anything but the object that was asked for is an error: an error page that contains a
// JSON object is no answer. A fence around the object is allowed.
func ReadAnswer(text string) (a Answer, err error) {
	text = strings.TrimSpace(text)
	if inside, fenced := strings.CutPrefix(text, "```"); fenced {
		inside = strings.TrimPrefix(inside, "json")
		text, _ = strings.CutSuffix(strings.TrimSpace(inside), "```")
	}
	var has map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &has) != nil {
		return a, errForm
	}
	for _, name := range []string{"add", "replace", "retire", "again", "ended"} {
		if _, ok := has[name]; !ok {
			return a, errForm
		}
		delete(has, name)
	}
	if len(has) > 0 || json.Unmarshal([]byte(text), &a) != nil {
		return Answer{}, errForm
	}
	return a, nil
}

// Standing is a line that stands in the project.
type Standing struct {
	ID   string `json:"id"`
	Kind Kind   `json:"kind"`
	Text string `json:"text"`
	// Person says that the person said or confirmed it: a model cannot end it without the person's words.
	Person bool `json:"said_by_developer,omitempty"`
	// Confirmed says that the person has looked at it: it gives way to nothing.
	Confirmed bool `json:"confirmed_by_developer,omitempty"`
	// Aside says that it gave way to others. It comes back if the session bears it out.
	Aside bool `json:"gave_way,omitempty"`
}

// Proof is where the quote of a line stands.
type Proof struct {
	Turn   int  // number of the turn
	Person bool // in the person's typed words
}

// Checked is an answer of which each part was checked.
type Checked struct {
	Answer
	Aside  []string         // IDs of lines that give way
	Proofs map[string]Proof // by quote, of the lines and ends that are left
	Faults []string         // what is wrong with the parts that are not, to be sent back or counted
}

// Check leaves of an answer what has the form that was asked for and is proven by the session. safe reports that a text has
// no secret in it.
func Check(a Answer, s Session, standing []Standing, safe func(string) bool) Checked {
	c := Checked{Proofs: map[string]Proof{}}
	byID := map[string]Standing{}
	for _, l := range standing {
		byID[l.ID] = l
	}
	fault := func(where, format string, args ...any) {
		c.Faults = append(c.Faults, where+": "+fmt.Sprintf(format, args...))
	}
	going := map[string]bool{} // lines that are replaced or retired
	proven := func(where, quote string) (p Proof, ok bool) {
		p, ok = s.Find(quote)
		switch {
		case ok:
		case len(plain(quote)) < quoteWords:
			fault(where, "the quote %q has fewer than %d words", prose.OneLine(quote), quoteWords)
			return p, false
		default:
			fault(where, "the quote %q does not stand word for word in this session", prose.Shorten(prose.OneLine(quote), 80))
			return p, false
		}
		c.Proofs[quote] = p
		return p, true
	}
	crowded := isCrowded(a, standing)
	for i, e := range a.Retire {
		where := fmt.Sprintf("retire %d", i+1)
		l, known := byID[e.ID]
		if !known {
			fault(where, "no line %q stands", e.ID)
			continue
		}
		if e.Quote == "" && !l.Aside {
			if l.Confirmed || !crowded {
				fault(where, "only on a full page a line gives way that is not over, and none that the developer confirmed")
				continue
			}
			going[e.ID] = true
			c.Aside = append(c.Aside, e.ID)
			continue
		}
		if p, ok := proven(where, e.Quote); ok {
			if l.Person && !p.Person {
				fault(where, "%s is the developer's own word: only their words end it", e.ID)
				continue
			}
			going[e.ID] = true
			c.Retire = append(c.Retire, e)
		}
	}
	texts := map[string]string{} // of the lines that will stand, by ID
	check := func(where string, l Line, but string) (Line, bool) {
		l.Text, l.Quote = prose.OneLine(l.Text), strings.TrimSpace(l.Quote)
		if why := formFault(l, safe); why != "" {
			fault(where, "%s", why)
			return l, false
		}
		p, ok := proven(where, l.Quote)
		if !ok {
			return l, false
		}
		if l.Kind == Preference && !p.Person {
			fault(where, "a preference needs the developer's own typed words as its quote")
			return l, false
		}
		for id, text := range texts {
			if id != but && Alike(text, l.Text) {
				fault(where, "it says what %s says: replace that line, or name it in \"again\"", id)
				return l, false
			}
		}
		l.When = triggers(l.When)
		return l, true
	}
	for _, l := range standing {
		if !going[l.ID] && !l.Aside {
			texts[l.ID] = l.Text
		}
	}
	full := func(where, text string) bool {
		if len(texts) < Most && room(texts)+utf8.RuneCountInString(text) <= Room {
			return false
		}
		fault(where, "the page is full (%d lines, %d characters): let the least useful line give way first", len(texts), room(texts))
		return true
	}
	for i, id := range a.Again {
		l, known := byID[id]
		if !known || going[id] || slices.Contains(c.Again, id) || l.Aside && full(fmt.Sprintf("again %d", i+1), l.Text) {
			continue
		}
		texts[id] = l.Text
		c.Again = append(c.Again, id)
	}
	for i, r := range a.Replace {
		where := fmt.Sprintf("replace %d", i+1)
		was, known := byID[r.ID]
		if !known || going[r.ID] {
			fault(where, "no line %q stands", r.ID)
			continue
		}
		l, ok := check(where, r.Line, r.ID)
		if ok && was.Person && !c.Proofs[l.Quote].Person {
			fault(where, "%s is the developer's own word: only their words replace it", r.ID)
			ok = false
		}
		if ok && !(was.Aside && full(where, l.Text)) {
			texts[r.ID] = l.Text
			c.Replace = append(c.Replace, Replacement{r.ID, l})
		}
	}
	for i, l := range a.Add {
		where := fmt.Sprintf("add %d", i+1)
		if l, ok := check(where, l, ""); ok {
			if full(where, l.Text) {
				continue
			}
			texts[where] = l.Text
			c.Add = append(c.Add, l)
		}
	}
	for i, e := range a.Ended {
		where := fmt.Sprintf("ended %d", i+1)
		if p, ok := proven(where, e.Quote); ok && p.Person {
			c.Ended = append(c.Ended, e)
		} else if ok {
			fault(where, "only the developer's own typed words end a goal or a failure")
		}
	}
	return c
}

// isCrowded reports whether the page may not hold what an answer adds.
func isCrowded(a Answer, standing []Standing) bool {
	texts := map[string]string{}
	for _, l := range standing {
		if !l.Aside {
			texts[l.ID] = l.Text
		}
	}
	for i, l := range a.Add {
		texts[fmt.Sprint("add ", i)] = l.Text
	}
	return len(texts) > Most || room(texts) > Room-TextMost // a replacement may be longer
}

// formFault says what is wrong with a line by itself, "" for nothing.
func formFault(l Line, safe func(string) bool) string {
	switch n := utf8.RuneCountInString(l.Text); {
	case !slices.Contains(Kinds, l.Kind):
		return fmt.Sprintf("there is no kind %q", l.Kind)
	case n == 0:
		return "it has no text"
	case n > TextMost:
		return fmt.Sprintf("its text has %d characters; at most %d", n, TextMost)
	case len(l.Quote) > quoteMost:
		return fmt.Sprintf("its quote is longer than %d bytes", quoteMost)
	case !safe(l.Text) || !safe(l.Quote) || !safe(strings.Join(l.When, "\n")) || !safe(strings.Join(l.Breaks, "\n")):
		return "it has a secret in it"
	case disguised(l.Text):
		return "it has invisible characters, or a word with letters of two alphabets"
	case prose.Hijacks(l.Text) || prose.ForgesMark(l.Text):
		return "it puts other instructions in the place of an agent's"
	}
	return ""
}

func room(texts map[string]string) (n int) {
	for _, t := range texts {
		n += utf8.RuneCountInString(t)
	}
	return n
}

// Alike reports that two lines say the same: nearly all words of one stand in the other.
func Alike(a, b string) bool {
	const nearly = 0.8
	return min(prose.KeptWords(a, b), prose.KeptWords(b, a)) >= nearly
}

// triggers are those that say something: a few, none of them short.
func triggers(when []string) (good []string) {
	for _, w := range when {
		w = strings.Trim(prose.OneLine(w), "`\"' ")
		if len(w) >= whenLeast && len(w) <= 80 && !slices.Contains(good, w) {
			good = append(good, w)
		}
	}
	return good[:min(len(good), whenMost)]
}
