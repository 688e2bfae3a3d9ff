package answer

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/fault"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/state"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
)

func (s *starting) pinItems() (items []Item) {
	for _, p := range s.pins {
		title := "- " + brain.AsData(p.Title)
		text := title
		if p.Text != p.Title {
			text += ": " + brain.AsData(p.Text)
		}
		if p.Reason != "" {
			text += " (" + brain.AsData(p.Reason) + ")"
		}
		items = append(items, Item{Key: said(p.Text), Text: text, Short: title})
		s.shows(p.Crystal, strings.TrimPrefix(title, "- "))
	}
	return items
}

// withheld says that a text is not shown at the start of a session. Hebb's own words are.
func withheld(origin memory.Origin, text string) bool {
	return prose.Labelled(origin) && prose.Withheld(origin, text)
}

// saidLine is a line of the start of a session with what somebody said, such as "next: agent, 3 Nov: “text”"; hebb's own words have
// only the day. It is empty where the words are withheld.
func (s *starting) saidLine(label string, origin memory.Origin, at time.Time, text string) string {
	if withheld(origin, text) {
		return ""
	}
	if label != "" {
		label += ": "
	}
	if origin == memory.OriginTool || origin == "" {
		return "- " + label + brain.ShortDay(at, s.now) + ": " + brain.AsData(text)
	}
	return "- " + label + Quote(origin, at, s.now, text)
}

// fileItems are the files in mind of which somebody said something. What hebb read out of a file is not repeated: an agent that wants to know
// opens it.
func (s *starting) fileItems() (items []Item) {
	block := s.heat.Shown()
	block.Clusters = nil
	var noted []desk.HotFile
	for _, f := range slices.DeleteFunc(block.Files, func(f desk.HotFile) bool { return !s.code.Has(f.Path) }) {
		f.Path, f.Summary, f.Note = record.ShownName(f.Path), brain.AsData(f.Summary), brain.AsData(f.Note)
		if !brain.BySomebody(f.SummaryBy) || withheld(f.SummaryBy, f.Summary) {
			f.Summary = ""
		}
		if withheld(f.NoteBy, f.Note) {
			f.Note = ""
		}
		if f.Summary+f.Note != "" {
			noted = append(noted, f)
		}
	}
	room := slotFiles
	for _, agents := range []bool{false, true} { // what the person said of a file comes before what agents did
		block.Files = slices.DeleteFunc(slices.Clone(noted), func(f desk.HotFile) bool { return byAgent(f) != agents })
		for _, line := range desk.FileLines(block, room) {
			path, more := desk.CutHeat(line)
			items = append(items, Item{Text: path + more, Agents: agents})
			room -= len(line) + 1
		}
	}
	return items
}

// byAgent says that nobody but agents said something of a file.
func byAgent(f desk.HotFile) bool {
	return (f.Summary == "" || f.SummaryBy == memory.OriginAgent) && (f.Note == "" || f.NoteBy == memory.OriginAgent)
}

// leftItems are about the last session: what happened and what was to come next.
func (s *starting) leftItems() (items []Item) {
	if len(s.recent) == 0 {
		return append(s.saidLast(), s.failingItems()...)
	}
	last := s.recent[0]
	line := func(label, text string) string { return s.saidLine(label, last.SummaryBy, last.LastEventAt, text) }
	if last.HasOwnSummary() {
		items = append(items, Item{Key: "session " + last.ID.String(), Text: line("", last.Happened)})
	} else {
		items = s.saidLast()
	}
	if next := prose.Below("next", last.Next); next != "" {
		items = append(items, Item{Key: said(next), Text: s.doubted(line("next", next))})
	}
	if last.Learned != "" && last.HasOwnSummary() {
		items = append(items, Item{Key: said(last.Learned), Text: line("learned", last.Learned)})
	}
	return append(items, s.failingItems()...)
}

func (s *starting) recentItems() (items []Item) {
	for _, one := range s.recent {
		line := ""
		if !withheld(one.SummaryBy, one.Happened) {
			line = s.saidLine("", one.SummaryBy, one.LastEventAt, prose.FirstSentence(brain.AsData(one.Happened), desk.SummaryLength))
		}
		items = append(items, Item{Key: "session " + one.ID.String(), Text: line})
	}
	return items
}

// fixItems are the errors that were fixed lately, each with the file that fixed it.
func (s *starting) fixItems(ctx context.Context, tx *store.Tx) (items []Item, err error) {
	days, err := tx.WorkDays(ctx, s.project.ID)
	if err != nil {
		return nil, err
	}
	fixed, err := tx.Fixed(ctx, s.project.ID, days.Back(state.FadeAfter, tx.Now), latestNotes)
	met := map[memory.NeuronID]bool{}
	for _, f := range fixed {
		problem := fault.Message(f.Error)
		if len(items) == fixesShown || met[f.Fault] || prose.Withheld(memory.OriginTool, problem) {
			continue
		}
		met[f.Fault] = true
		seen, err := tx.FixesSeen(ctx, f.Fault)
		if err != nil {
			return nil, err
		}
		if at := slices.IndexFunc(seen, func(x store.FixSeen) bool { return ranking.ShownPath(x.Path) && s.code.Has(x.Path) }); at >= 0 {
			text := fmt.Sprintf("- %s: %s %s", asData(problem), record.ShownName(seen[at].Path), ranking.FixReason(seen[at]))
			items = append(items, Item{Text: text + " (" + brain.ShortDay(seen[at].At, s.now) + ")"})
		}
	}
	return items, err
}

// stateLines are the lines of a section of the state.
func (s *starting) stateLines(section state.Section) (items []Item) {
	everywhere, here := state.SplitHere(s.state.Sections[section])
	for _, item := range slices.Concat(state.SplitItems(everywhere), state.SplitItems(here)) {
		text := brain.AsData(item)
		if text == "" || strings.Contains(text, "kept but not shown") {
			continue
		}
		key := said(text)
		if words, ok := state.Undated(item); ok { // a statement, which may stand among what holds here
			key = saidWords(words)
		}
		for _, one := range s.recent { // what the list of sessions shows is shown once
			if strings.HasPrefix(said(one.Happened), strings.TrimRight(key, "… ")) {
				key = "session " + one.ID.String()
				break
			}
		}
		items = append(items, Item{Key: key, Text: s.doubted("- " + text), Agents: strings.Contains(text, "("+memory.OriginAgent.Name()+"): “")})
	}
	return items
}

// said is what a line says, without date and label. It is the key by which repeated lines are dropped.
func said(text string) string {
	text = strings.NewReplacer("“", `"`, "”", `"`).Replace(strings.ToLower(strings.Trim(brain.AsData(text), " .-")))
	for {
		before := text
		for _, label := range []string{
			"next (hebb):", "next (tool):", "next (agent):", "next:", "learned (hebb):", "learned (agent):", "learned:", "session", "asked ", "noted:",
			"(hebb):", "(tool):", "(agent):", "(fact):",
			"still to do:",
		} {
			text = strings.TrimSpace(strings.TrimPrefix(text, label))
		}
		if len(text) > len("2006-01-02") {
			if _, err := time.Parse(time.DateOnly, text[:len("2006-01-02")]); err == nil {
				text = strings.Trim(text[len("2006-01-02"):], " :")
			}
		}
		if text = strings.Trim(text, " \".-"); text == before {
			return "said " + text
		}
	}
}

// saidWords is the key of a text that may stand as a statement among what holds here.
func saidWords(text string) string {
	return said(state.Statement{Crystal: memory.Crystal{Text: text}}.Words())
}

// noteBytes are looked at of a note: a longer one is no line of a start.
const noteBytes = 4 << 10

func (s *starting) noteItems() (items []Item) {
	told := map[memory.Origin]int{}
	note := func(c memory.Crystal) {
		if statements.IsStatement(c) || told[c.Origin] == latestNotes || s.ofFile(c) { // each has its place
			return
		}
		c.Text = prose.ShortenBytes(c.Text, noteBytes)
		if doubt := s.code.Doubt(c); doubt.Told() && !prose.Withheld(c.Origin, c.Text) {
			line := Quote(brain.Speaker(c), c.SaidAt, s.now, c.Text)
			items = append(items, Item{Key: saidWords(c.Text), Text: "- " + line + doubt.String(), Agents: c.Origin == memory.OriginAgent})
			s.shows(c.ID, line)
			told[c.Origin]++
		}
	}
	for _, n := range slices.Backward(s.waiting) { // what no dream has processed comes first
		c := memory.Crystal{ID: n.Crystal, Origin: n.Origin, SaidAt: n.At, Text: n.Text}
		if at := slices.IndexFunc(s.notes, func(known store.Kept) bool { return known.ID == n.Crystal }); at >= 0 {
			c = s.notes[at].Crystal
		}
		if brain.BySomebody(n.Origin) {
			note(c)
		}
	}
	for _, c := range s.notes {
		if c.Heard == 0 && !strings.HasPrefix(c.Source, state.AdoptedSource) && !state.IsLine(c.Crystal) && c.Lifecycle != memory.Frozen && c.Lifecycle.Living() && // pins have a slot of their own
			(c.Origin == memory.OriginUser || c.Origin == memory.OriginAgent) {
			note(c.Crystal)
		}
	}
	return items
}

// ofFile reports whether a note is that of a file in mind, which stands there.
func (s *starting) ofFile(c memory.Crystal) bool {
	return slices.ContainsFunc(s.heat.Files, func(f desk.HotFile) bool {
		return f.Note != "" && c.Text == record.ShownName(f.Path)+": "+f.Note
	})
}

// unreadItems name the file of the project with the most rules that the agent does not read by itself. What a call goes against is
// shown then.
func (s *starting) unreadItems() []Item {
	lines, most := map[string]int{}, ""
	for _, c := range s.rules {
		if f, ok := c.FileSource(); ok && c.Project != 0 && s.code.Has(f.File) {
			if lines[f.File]++; lines[f.File] > lines[most] {
				most = f.File
			}
		}
	}
	if lines[most] < rulesLeast {
		return nil
	}
	return []Item{{Text: fmt.Sprintf("- %s has %d rules for this project; you do not read that file by yourself", record.ShownName(most), lines[most])}}
}

const rulesLeast = 2 // in a file that is worth a line

func (s *starting) stateItems() (items []Item) {
	for _, line := range s.notices {
		items = append(items, Item{Text: "- " + brain.AsData(line)})
	}
	return items
}

func (s *starting) pageItems() (items []Item) {
	for _, p := range s.pages {
		items = append(items, Item{Key: "page " + p.Name, Text: s.saidLine(p.Name, p.By, p.At, desk.Said(p.Text)), Agents: p.By == memory.OriginAgent})
	}
	return items
}
