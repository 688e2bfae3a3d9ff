package state

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/statements"
)

// Labels of the lines that the rules write.
const (
	labelSession      = "Session"
	labelLearned      = "Learned"
	labelNext         = "Next"
	labelCommits      = "Commits" // of earlier states; so are the files and what is not known
	labelFriction     = "Friction"
	labelBreakthrough = "Breakthrough"
	labelInsight      = "Insight"
	labelSearch       = "No answer yet"
	labelError        = "Error still open" // of earlier states
	labelQuestion     = "Question"
	labelUnknown      = "Not known yet"
	labelIs           = "What it is"
	labelUses         = "Uses"
	labelBuilt        = "Built and tested by"
	labelPassed       = "Passed most often" // of earlier states
	labelRunsOn       = "Runs on"
	labelReleased     = "Released by"
	labelTeam         = "Team"     // of earlier states
	labelProjects     = "Projects" // of earlier states
	labelAgents       = "Agents"
	labelEconomics    = "Economics"
)

var labels = [...]string{
	"", labelSession, labelLearned, labelNext, labelCommits, labelFriction, labelBreakthrough, labelInsight, labelSearch, labelError, labelQuestion,
	labelUnknown, labelIs, labelUses, labelBuilt, labelPassed, labelRunsOn, labelReleased, labelTeam, labelProjects, labelAgents, labelEconomics,
}

// derived are, of each section, the labels of lines that are rebuilt by each dream from what is known then.
var derived = [SectionCount][]string{
	SectionNiche: {
		labelIs, labelUses, labelBuilt, labelPassed, labelRunsOn, labelReleased, labelTeam, labelProjects, labelAgents, labelEconomics,
	},
	SectionActive: {labelSession, labelLearned, labelNext, labelCommits},
	SectionGaps:   {labelSearch, labelError, labelQuestion, labelUnknown},
}

// FromCommands reports whether a dream made a line from commands that agents ran. The next one makes it again if it still holds.
func FromCommands(section Section, item string) bool {
	label, _ := split(item)
	return section == SectionNiche && label == labelPassed || section == SectionSkills && strings.Contains(item, seen+"in ")
}

const (
	bullet  = "- "
	seen    = " — seen "
	between = ": "
)

// line is an item of a section while a state is being made.
type line struct {
	text     string             // as it will stand; an old one may begin with empty lines
	key      string             // by which the same statement is known
	crystals []memory.CrystalID // where it can be found again
	notes    []memory.CrystalID // new notes that it reports
	touched  time.Time
	weight   float64 // 0 to 1
	valence  float64
	old      bool
	stays    bool // nothing holds it but the state
	free     bool // can be made again, so it may go without a pointer
	dropped  bool // was left out of a new state on purpose
}

// write makes the line that reports a text. What the person did not say is quoted and labelled with its origin; if it reads like
// an instruction, the line says only that it exists. Hebb's own words are written like the person's (see ownWords).
func write(label string, at time.Time, text string, origin memory.Origin, id memory.CrystalID, most int) string {
	if !at.IsZero() {
		label = strings.TrimSpace(label + " " + at.UTC().Format(time.DateOnly))
	}
	text = prose.Shorten(prose.OneLine(text), most)
	if origin != memory.OriginUser {
		label = strings.TrimSpace(label + " (" + origin.Name() + ")")
		if prose.Withheld(origin, text) {
			text = "kept but not shown, because it reads like an instruction"
			if id != "" {
				text += " (" + string(id) + ")"
			}
		} else {
			text = prose.Quoted(text)
		}
	}
	if label == "" {
		return bullet + text
	}
	return bullet + label + between + text
}

// ownWords is the origin that write is given for what hebb says itself.
const ownWords = memory.OriginUser

// split takes a line apart: its label without date and origin, and what it says.
func split(item string) (label, text string) {
	text = prose.TrimBullet(prose.OneLine(item))
	if before, after, ok := strings.Cut(text, between); ok {
		if open := strings.LastIndex(before, " ("); open >= 0 && strings.HasSuffix(before, ")") {
			before = before[:open]
		} else if strings.HasPrefix(before, "(") && strings.HasSuffix(before, ")") {
			before = ""
		}
		if cut := len(before) - len(time.DateOnly); cut >= 0 {
			if _, err := time.Parse(time.DateOnly, before[cut:]); err == nil {
				before = strings.TrimSpace(before[:cut])
				if before == "" {
					return "", unquote(after)
				}
			}
		}
		if before != "" && slices.Contains(labels[:], before) {
			return before, unquote(after)
		}
	}
	if name, _, ok := strings.Cut(text, seen); ok {
		return "", name
	}
	return "", unquote(text)
}

// keyOf is the same for two lines that say the same under one label, whatever their dates.
func keyOf(item string) string {
	label, text := split(item)
	return label + between + normal(text)
}

func unquote(text string) string {
	if inner, ok := strings.CutPrefix(text, "“"); ok {
		return strings.TrimSuffix(inner, "”")
	}
	return text
}

// normal is a text by which it is known again: its words in small letters, with a blank around each. A text that was cut
// short is a beginning.
func normal(text string) string {
	var b strings.Builder
	b.Grow(len(text) + 2)
	open := false // a word is being written
	for _, r := range text {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
		case r >= 'A' && r <= 'Z':
			r += 'a' - 'A'
		case r < utf8.RuneSelf || !unicode.IsLetter(r) && !unicode.IsDigit(r):
			open = false
			continue
		default:
			r = unicode.ToLower(r)
		}
		if !open {
			b.WriteByte(' ')
			open = true
		}
		b.WriteRune(r)
	}
	if b.Len() > 0 && !strings.HasSuffix(text, prose.CutMark) {
		b.WriteByte(' ')
	}
	return b.String()
}

// known is a crystal in which lines are looked for.
type known struct {
	id         memory.CrystalID
	text       string
	normal     string
	touched    time.Time
	importance float64
	valence    float64
	origin     memory.Origin
	replaced   bool
}

// memories are the crystals of the material.
type memories struct {
	all    []known
	byID   map[memory.CrystalID]int
	byWord map[string][]int // of the words that old lines have
}

const (
	sureWords  = 3  // a line of fewer words is known again only in a crystal that says nothing else
	sureLetter = 12 // or of fewer signs, where words are not set apart
)

// holder finds the crystal that says what a line says: best one that says nothing else, that still holds, and the newest.
func (k *memories) holder(item string) (known, bool) {
	_, text := split(item)
	want := normal(text)
	words := strings.Fields(want)
	if len(words) == 0 {
		return known{}, false
	}
	candidates, none := k.byWord[words[0]], false
	for _, word := range words {
		posts := k.byWord[word]
		none = none || len(posts) == 0
		if len(posts) < len(candidates) {
			candidates = posts
		}
	}
	if none {
		candidates = nil
		if strings.HasSuffix(text, prose.CutMark) {
			for i := range k.all { // the last word may be cut
				candidates = append(candidates, i)
			}
		}
	}
	var best known
	rank := func(x known) int {
		r := 0
		if x.normal == want {
			r += 2
		}
		if !x.replaced {
			r++
		}
		return r
	}
	found := false
	for _, i := range candidates {
		x := k.all[i]
		sure := len(words) >= sureWords || utf8.RuneCountInString(want) >= sureLetter || x.normal == want
		if !sure || !strings.Contains(x.normal, want) {
			continue
		}
		if !found || rank(x) > rank(best) || rank(x) == rank(best) && x.touched.After(best.touched) {
			best, found = x, true
		}
	}
	return best, found
}

// join sets lines below each other so that each is found again as an item of its own.
func join(lines []line) string {
	var b strings.Builder
	for i, l := range lines {
		switch {
		case i == 0:
			b.WriteString(strings.TrimLeft(l.text, "\n"))
			continue
		case !strings.HasPrefix(l.text, "\n") && !strings.HasPrefix(l.text, bullet) &&
			len(SplitItems(lines[i-1].text+"\n"+l.text)) < 2:
			b.WriteString("\n") // a paragraph below an entry of a list would become part of it
		}
		b.WriteString("\n" + l.text)
	}
	return b.String()
}

// amount is a sum in millionths as people write it.
func amount(millionths int64) string {
	sign := ""
	if millionths < 0 {
		sign = "-"
	}
	// Through uint64, because the smallest number has no positive counterpart.
	u := uint64(millionths)
	if millionths < 0 {
		u = -u
	}
	const unit, cent = 1_000_000, 10_000
	if u%cent != 0 {
		return fmt.Sprintf("%s%d.%06d", sign, u/unit, u%unit)
	}
	return fmt.Sprintf("%s%d.%02d", sign, u/unit, u%unit/cent)
}

// keep is how much a line is worth keeping: importance that halves in the time after which things fade, more for what moved
// somebody while such a mood lasts. An importance of 0.7 counts 0.35 after 14 days of work.
func (l line) keep(age, fade time.Duration, mood statements.Mood) float64 {
	if l.dropped {
		return 0
	}
	kept := l.weight
	if age > 0 && fade > 0 {
		kept *= math.Exp2(-age.Hours() / fade.Hours())
	}
	feeling := mood.Reward
	if l.valence < 0 {
		feeling = mood.Stress
	}
	return kept * (1 + math.Abs(l.valence)*feeling)
}
