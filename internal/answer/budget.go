package answer

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/prose"
)

// Item is something that can be shown at the start of a session: whole, or not at all.
type Item struct {
	Key  string // what it is about; of two items with one key only the first is shown. Empty: its text is its key
	Text string // may have several lines; no line end at its end
	// Short is shown instead where a Must slot has no room for Text.
	Short string
	// Agents says that it is an agent's word: in its slot it comes after what others said, and all of them have a share of the whole.
	Agents bool
}

// agentsShare is the part of a start that the words of agents may have, all together: they can say as much as they like, and the person's
// words must keep their place.
const agentsShare = 1.0 / 3

// Slot is one part of the start of a session.
type Slot struct {
	Title  string
	Cap    int // bytes with its title, in a budget of 8 000; 0 switches the slot off
	Items  []Item
	More   int  // that are not among the items; a last line says how many are not shown
	Always bool // rather the beginning of its first item than nothing
	// Must says that no item is left out: those that the cap holds are whole in any budget, the others at least short.
	Must bool
}

// Mode says how much is shown at the start of a session.
type Mode string

const (
	ModeFull     Mode = "full"
	ModeWarm     Mode = "warm"
	ModeContinue Mode = "continue"
	ModeMicro    Mode = "micro"
)

// Windows of language models from which on a larger budget is used, in tokens, as they are sold.
const (
	windowVast   = 200_000
	windowLarge  = 128_000
	windowMiddle = 64_000
)

const (
	slotBase  = 8000 // the budget for which the caps of slots are given
	slotLeast = 16   // bytes: a shorter beginning of an item says nothing
	slotTitle = "### "
)

// Budget is the share of whole, in bytes, that the start of a session may cost in a window of the given number of tokens; 0 is a window of
// unknown size. Of 8000 bytes these are 6000, 4000 and 3200.
func Budget(whole, window int) int {
	switch {
	case window <= 0 || window >= windowVast:
		return whole
	case window >= windowLarge:
		return whole * 3 / 4
	case window >= windowMiddle:
		return whole / 2
	}
	return whole * 2 / 5
}

// What modes make of a budget.
const (
	fullTimes     = 6.0
	continueTimes = 0.15
	microTimes    = 0.03
)

// Room is what a mode makes of a budget: the bytes in all, and the share of its cap that each slot has.
func Room(budget int, m Mode) (total int, share float64) {
	times := 1.0
	switch m {
	case ModeFull:
		times = fullTimes
	case ModeContinue:
		times = continueTimes
	case ModeMicro:
		times = microTimes
	}
	total = int(math.Round(float64(max(0, budget)) * times))
	return total, float64(total) / slotBase
}

// Needs is how many bytes Compose wants at least, so that no Must slot leaves anything out.
func Needs(slots []Slot) int {
	c := composition{left: math.MaxInt32, keys: map[string]bool{}, texts: map[string]bool{}}
	for _, s := range slots {
		if s.Must && s.Cap > 0 {
			shown := newSlotShown(s, 1)
			c.must(&shown)
		}
	}
	return math.MaxInt32 - c.left
}

// Compose writes the start of a session into total bytes, never more. Must slots come first. Slots come in order of
// priority: each takes, whole and in order, the items that its share of its cap holds; what is then left of the whole goes to
// what did not fit, in the same order. An item that does not fit is passed over, and smaller ones may follow it. Nothing is
// shown twice.
func Compose(slots []Slot, total int, share float64) string {
	c := composition{left: total, agents: int(float64(total) * agentsShare), keys: map[string]bool{}, texts: map[string]bool{}}
	for _, s := range slots {
		if s.Cap > 0 {
			c.slots = append(c.slots, newSlotShown(s, share))
		}
	}
	for i := range c.slots {
		if c.slots[i].must {
			c.must(&c.slots[i])
		}
	}
	for i := range c.slots {
		if !c.slots[i].must { // it has its share already
			c.fill(&c.slots[i], c.slots[i].cap)
		}
	}
	for i := range c.slots {
		c.fill(&c.slots[i], total)
	}
	for i := range c.slots {
		c.lengthen(&c.slots[i])
	}
	return c.text()
}

type composition struct {
	slots       []slotShown
	left        int // bytes
	agents      int // bytes of them that words of agents may have
	keys, texts map[string]bool
	open        int // slots that show something
}

type slotShown struct {
	title  string // with its line end
	frame  int    // bytes of the title and of the last line
	more   int
	cap    int
	used   int
	items  []Item
	shown  []string // of each item what is shown, "" for nothing
	always bool
	must   bool
}

func newSlotShown(s Slot, share float64) slotShown {
	shown := slotShown{items: make([]Item, len(s.Items)), shown: make([]string, len(s.Items)), always: s.Always, must: s.Must, more: s.More}
	if s.Must {
		share = 1 // a Must slot does not shrink with the budget
	}
	if title := prose.OneLine(s.Title); title != "" {
		shown.title = slotTitle + title + "\n"
	}
	shown.frame = len(shown.title) + len(moreLine(s.More, len(s.Items)))
	if limit := float64(s.Cap) * share; limit >= 1 {
		shown.cap = int(min(limit, math.MaxInt32))
	}
	for i, item := range s.Items {
		item.Text = strings.TrimRight(strings.ToValidUTF8(item.Text, "\uFFFD"), "\r\n")
		item.Short = strings.TrimRight(strings.ToValidUTF8(item.Short, "\uFFFD"), "\r\n")
		if item.Short == "" || len(item.Short) > len(item.Text) {
			item.Short = item.Text
		}
		shown.items[i] = item
	}
	slices.SortStableFunc(shown.items, func(a, b Item) int { return order(a) - order(b) })
	return shown
}

// order is the rank of an item in its slot.
func order(i Item) int {
	if i.Agents {
		return 1
	}
	return 0
}

// must shows every item of a slot: whole as long as its cap holds them, then short.
func (c *composition) must(s *slotShown) {
	for i, item := range s.items {
		if item.Text == "" || c.known(item) {
			continue
		}
		text, opening := item.Text, 0
		if s.used == 0 {
			opening = s.frame + c.gap()
		}
		if max(s.used, s.frame)+len(text)+len("\n") > s.cap {
			text = item.Short
		}
		if opening+len(text)+len("\n") <= c.left {
			c.show(s, i, text)
		}
	}
}

// fill shows the items of a slot that fit into most bytes.
func (c *composition) fill(s *slotShown, most int) {
	first, waiting := true, false
	for i, item := range s.items {
		if item.Text == "" {
			continue
		}
		if item.Agents && waiting && most == s.cap {
			break // what others said has the first claim on what is left of the whole
		}
		if s.shown[i] != "" {
			// A beginning becomes whole where there is room for it; what is whole stays.
			if more := len(item.Text) - len(s.shown[i]); more > 0 && more <= c.left {
				c.grow(s, i, item.Text)
			}
			first = false
			continue
		}
		if c.known(item) {
			continue
		}
		room := min(most-s.used, c.left) - len("\n")
		if s.used == 0 {
			room = min(most-s.frame, c.left-s.frame-c.gap()) - len("\n")
		}
		if item.Agents {
			room = min(room, c.agents-len("\n"))
		}
		text := item.Text
		if len(text) > room {
			text = ""
			if first && s.always {
				text = slotCut(item.Text, room)
			}
		}
		first, waiting = false, waiting || text == ""
		if text != "" {
			c.show(s, i, text)
		}
	}
}

// known reports whether an item is shown already.
func (c *composition) known(item Item) bool {
	if item.Key != "" {
		return c.keys[item.Key]
	}
	return c.texts[item.Text]
}

// gap is the blank line between two slots.
func (c *composition) gap() int { return min(c.open, 1) }

func (c *composition) show(s *slotShown, i int, text string) {
	if s.used == 0 {
		c.left -= s.frame + c.gap()
		s.used = s.frame
		c.open++
	}
	s.used += len(text) + len("\n")
	c.left -= len(text) + len("\n")
	s.shown[i] = text
	if s.items[i].Agents {
		c.agents -= len(text) + len("\n")
	}
	if key := s.items[i].Key; key != "" {
		c.keys[key] = true
	}
	c.texts[s.items[i].Text] = true
}

func (c *composition) grow(s *slotShown, i int, text string) {
	more := len(text) - len(s.shown[i])
	s.used += more
	c.left -= more
	s.shown[i] = text
}

// lengthen gives what nobody else could use to an item of which only the beginning is shown.
func (c *composition) lengthen(s *slotShown) {
	for i, text := range s.shown {
		if text == "" || text == s.items[i].Text {
			continue
		}
		if longer := slotCut(s.items[i].Text, len(text)+c.left); len(longer) > len(text) {
			c.grow(s, i, longer)
		}
	}
}

func (c *composition) text() string {
	var b strings.Builder
	for _, s := range c.slots {
		if s.used == 0 {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(s.title)
		hidden := 0
		for _, text := range s.shown {
			if text != "" {
				b.WriteString(text + "\n")
			} else {
				hidden++
			}
		}
		b.WriteString(moreLine(s.more, hidden))
	}
	return b.String()
}

// moreLine says how many memories are not shown: those that were not chosen, and of the chosen those that did not fit. Without the former
// nothing is said.
func moreLine(more, hidden int) string {
	if more == 0 {
		return ""
	}
	return fmt.Sprintf("- %d more: hebb memories\n", more+hidden)
}

// slotCut keeps the beginning of a text within a number of bytes, or nothing where there is no room for one that says something.
func slotCut(text string, most int) string {
	if len(text) > most && most < slotLeast+len(prose.CutMark) {
		return ""
	}
	return prose.ShortenBytes(text, most)
}
