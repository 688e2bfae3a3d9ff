package answer

import (
	"context"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/lines"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/typed"
)

// section is a part of the page.
type section struct {
	title string
	kinds []memory.CrystalKind // of its lines
}

func (of section) has(c memory.Crystal) bool { return slices.Contains(of.kinds, c.Kind) }

var sections = []section{
	{"How we work here", []memory.CrystalKind{memory.Preference, memory.Procedure}},
	{"What runs where", []memory.CrystalKind{memory.Fact}},
	{"What we learned", []memory.CrystalKind{memory.Cause}},
	{"Decided", []memory.CrystalKind{memory.Decision}},
	{"Open now", []memory.CrystalKind{memory.State}},
}

// slotPage is for all lines of knowledge, with their marks. What agents take whole, 9,500 characters, has room for where it was left too.
const slotPage = 7050

// pageSlots are the lines of knowledge by section, in each those seen last first. Those seen last have the room if it does not hold all.
func (s *starting) pageSlots(share float64) (slots []Slot) {
	room, chars := int(slotPage*share), int(lines.Room*min(1, share*slotBase/float64(s.brain.Config.Tuning.Context.Budget)))
	items := make([][]Item, len(sections))
	for _, c := range s.page {
		at, line := slices.IndexFunc(sections, func(of section) bool { return of.has(c) }), s.pageLine(c)
		if at < 0 || line == "" || len(line) > room || utf8.RuneCountInString(c.Text) > chars {
			continue
		}
		room, chars = room-len(line)-len("- \n"), chars-utf8.RuneCountInString(c.Text)
		items[at] = append(items[at], Item{Key: saidWords(c.Text), Text: "- " + line})
		s.shows(c.ID, line)
	}
	for i, part := range sections {
		slots = append(slots, Slot{Title: part.title, Cap: math.MaxInt32, Items: items[i]})
	}
	return slots
}

// pageLine is a line of knowledge with whose it is; empty if it names what is gone.
func (s *starting) pageLine(c memory.Crystal) string {
	doubt := s.code.Doubt(c)
	if !doubt.Told() || !c.Line.Person && c.Line.KeptAt.IsZero() && prose.Withheld(c.Origin, c.Text) {
		return ""
	}
	return brain.AsData(c.Text) + " (" + statements.LineMark(c, s.now) + ")" + doubt.String()
}

// lastTexts are what was asked in the last session, the latest first, and what its agent said came of it.
type lastTexts struct {
	asked  []memory.StoredEvent
	at     time.Time
	cameOf string // a sentence of the last message; empty: none is told
}

const (
	sessionsLooked = 5  // the latest
	promptsLooked  = 20 // the latest of one
)

// gatherLast finds the last session in which something was asked: agents also open some in which nothing is.
func (s *starting) gatherLast(ctx context.Context, tx *store.Tx, sessions []memory.Session) error {
	for _, one := range sessions[:min(len(sessions), sessionsLooked)] {
		asked, err := tx.Events(ctx, store.EventFilter{Session: one.ID, Kind: memory.Prompted, Origin: memory.OriginUser, Bare: true, Limit: promptsLooked})
		if err != nil {
			return err
		}
		asked = slices.DeleteFunc(asked, func(e memory.StoredEvent) bool { return e.Subagent != "" })
		if len(asked) == 0 {
			continue
		}
		s.lastSaid.asked = asked
		answers, err := tx.Events(ctx, store.EventFilter{Session: one.ID, Kind: memory.TurnEnded, Bare: true, Limit: 1})
		if err == nil && len(answers) > 0 {
			s.lastSaid.at = answers[0].At
			s.lastSaid.cameOf, err = statements.CameOf(ctx, tx, answers[0])
		}
		return err
	}
	return nil
}

const (
	askedBytes  = 160
	cameOfBytes = 280
)

// saidLast are what was asked first and last, and the sentence of the answer that says what came of it.
func (s *starting) saidLast() (items []Item) {
	typedOf := func(e memory.StoredEvent) string { return strings.Join(typed.OwnParts(e.Text), "\n\n") }
	quote := func(label string, by memory.Origin, at time.Time, text string, most int) {
		if !withheld(by, text) {
			items = append(items, Item{Key: said(text), Text: "- " + label + Quote(by, at, s.now, prose.ShortenBytes(text, most))})
		}
	}
	var asked []memory.StoredEvent
	for _, e := range s.lastSaid.asked {
		if asks(typedOf(e)) {
			asked = append(asked, e)
		}
	}
	if n := len(asked); n > 0 {
		quote("asked: ", asked[n-1].Origin, asked[n-1].At, prose.Opening(typedOf(asked[n-1])), askedBytes)
		if n > 1 {
			quote("then: ", asked[0].Origin, asked[0].At, prose.Opening(typedOf(asked[0])), askedBytes)
		}
	}
	if s.lastSaid.cameOf != "" {
		quote("came of it: ", memory.OriginAgent, s.lastSaid.at, s.lastSaid.cameOf, cameOfBytes)
	}
	return items
}

// asks reports whether a prompt says what is wanted: "go on" and thanks do not.
func asks(prompt string) bool {
	text := prose.Opening(prompt)
	return len(strings.Fields(text)) >= askedWordsLeast && !prose.IsPolite(text)
}

const askedWordsLeast = 3
