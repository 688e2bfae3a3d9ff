package state

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/prose"
)

// A seed is a text that a person wrote before there was a state, adopted above hebb's block between two marks of its own.
// Dreams move it into the state, piece by piece. Without its marks it is a text that hebb never touches.
const (
	seedBeginMark = "<!-- hebb:seed begins"
	seedEndMark   = "<!-- hebb:seed ends"
	seedEnd       = seedEndMark + " -->"
)

// SeedBlock sets a text between the marks of a seed. Its bytes stay, but that its last line gets a line end.
func SeedBlock(name string, at time.Time, text string) string {
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	name = strings.NewReplacer("--", "- -", ">", " ", "<", " ").Replace(prose.OneLine(name))
	return fmt.Sprintf("%s: adopted from %s on %s. Dreams take it in below, line by line; nothing of it is lost. -->\n%s%s\n\n",
		seedBeginMark, name, at.UTC().Format(time.DateOnly), text, seedEnd)
}

// AddSeed sets a text above the state, between the marks of a seed.
func (s *Document) AddSeed(name string, at time.Time, text string) {
	if s.Above != "" && !strings.HasSuffix(s.Above, "\n") {
		s.Above += "\n"
	}
	s.Above += SeedBlock(name, at, text)
}

// SeedPart is a part of what stands above hebb's block. All of them joined are that text.
type SeedPart struct {
	Text string
	Seed bool // adopted; the marks are parts of their own
}

// SplitSeeds finds what was adopted. A seed whose end is gone is a person's own text.
func SplitSeeds(above string) (parts []SeedPart) {
	from, open := 0, -1
	for at := 0; at < len(above); {
		length, whole := stateLine(above[at:])
		line := prose.TrimBlanks(above[at : at+length])
		switch {
		case strings.HasPrefix(line, seedBeginMark) && strings.HasSuffix(line, stateMarkClose):
			open = at + whole
		case strings.HasPrefix(line, seedEndMark) && strings.HasSuffix(line, stateMarkClose) && open >= 0:
			parts = append(parts, SeedPart{Text: above[from:open]}, SeedPart{Text: above[open:at], Seed: true})
			from, open = at, -1
		}
		at += whole
	}
	return append(parts, SeedPart{Text: above[from:]})
}

// JoinSeeds is the text that SplitSeeds cut.
func JoinSeeds(parts []SeedPart) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.Text)
	}
	return b.String()
}

// CutSeeds takes lines out of what was adopted. What stands outside of the marks stays as it is.
func CutSeeds(above string, cut func(line string) bool) string {
	parts := SplitSeeds(above)
	for i, p := range parts {
		if !p.Seed {
			continue
		}
		var left strings.Builder
		for line := range strings.Lines(p.Text) {
			if !cut(line) {
				left.WriteString(line)
			}
		}
		parts[i].Text = left.String()
	}
	return JoinSeeds(parts)
}

// SeedLine is a sentence of a seed that makes sense alone: an entry of a list or a paragraph.
type SeedLine struct {
	From, To int     // in the seed, with its line end
	Text     string  // on one line, without the sign of the list
	Heading  string  // above it, "" below a title of the whole
	Section  Section // of a state, if the heading names one; else SectionCount
}

// SeedLines finds the lines of a seed that can stand elsewhere. Code, tables, quotations, numbered steps, entries with others
// below them and lists that a sentence introduces mean something only where they stand.
func SeedLines(seed string) (lines []SeedLine) {
	type row struct {
		from, to int
		text     string
	}
	var rows []row
	for at := 0; at < len(seed); {
		length, whole := stateLine(seed[at:])
		rows = append(rows, row{at, at + whole, strings.TrimRight(seed[at:at+length], " \t")})
		at += whole
	}
	heading, section, fence, led := "", SectionCount, "", false
	for i := 0; i < len(rows); i++ {
		text := rows[i].text
		bare := strings.TrimSpace(text)
		if fence != "" {
			if strings.HasPrefix(bare, fence) && strings.Trim(bare, fence[:1]) == "" {
				fence = ""
			}
			continue
		}
		switch {
		case bare == "":
			continue
		case strings.HasPrefix(bare, "```"), strings.HasPrefix(bare, "~~~"):
			fence = bare[:3]
			continue
		case i == 0 && bare == "---": // settings at the head of a page
			for i++; i < len(rows) && strings.TrimSpace(rows[i].text) != "---"; i++ {
			}
			continue
		}
		if title, level := prose.Heading(bare); level > 0 {
			heading, section, led = title, SectionCount, false
			if level == 1 {
				heading = ""
			}
			if s, ok := stateHeading(bare); ok {
				heading, section = "", s
			}
			continue
		}
		// All that stands together up to an empty line, an entry of a list or a heading.
		last := i
		for last+1 < len(rows) && !seedBreaks(rows[last+1].text) {
			last++
		}
		words := make([]string, 0, last-i+1)
		for _, r := range rows[i : last+1] {
			words = append(words, strings.TrimSpace(r.text))
		}
		whole := strings.Join(strings.Fields(strings.Join(words, " ")), " ")
		entry := len(text) > 1 && strings.ContainsRune("-*+", rune(text[0])) && text[1] == ' '
		below := last+1 < len(rows) && (strings.HasPrefix(rows[last+1].text, " ") || strings.HasPrefix(rows[last+1].text, "\t"))
		below = below || last+1 < len(rows) && !entry && rows[last+1].text != "" && strings.Trim(rows[last+1].text, "-=") == "" // a title
		intro := strings.HasSuffix(whole, ":")
		switch {
		case intro:
			led = true
		case !entry:
			led = false
		}
		if !intro && !led && !below && seedPlain(text, entry) {
			if entry {
				whole = strings.TrimSpace(whole[1:])
				whole = strings.TrimSpace(strings.TrimPrefix(whole, "[ ] "))
			}
			if utf8.ValidString(whole) && whole != "" {
				lines = append(lines, SeedLine{From: rows[i].from, To: rows[last].to, Text: whole, Heading: heading, Section: section})
			}
		}
		i = last
	}
	return lines
}

// seedBreaks says whether a line does not go on with the one before it.
func seedBreaks(text string) bool {
	bare := strings.TrimSpace(text)
	_, level := prose.Heading(bare)
	return bare == "" || level > 0 || stateBullet().MatchString(bare) || strings.HasPrefix(bare, "```") || strings.HasPrefix(bare, "~~~") ||
		strings.ContainsRune("|><", rune(bare[0])) || strings.Trim(bare, "-=*_") == ""
}

// seedPlain says whether what begins so is an entry of a list or prose, and no table, quotation, step, rule, or mark-up.
func seedPlain(text string, entry bool) bool {
	if entry {
		return !strings.HasPrefix(text[1:], " [x]") && strings.Trim(text, "-*+ ") != ""
	}
	return !strings.ContainsAny(text[:1], " \t|><=[{!") && !stateBullet().MatchString(text) && strings.Trim(text, "-*_=") != ""
}

// SeedChunks cuts a text into pieces of the given size in characters, each of which repeats the end of the one before it, so that a
// sentence that is not longer than that stands whole in one of them. 1 600 and 320 make one piece of 1 600 characters, two
// of 1 601 to 2 880, and six of 8 000.
func SeedChunks(text string, size, overlap int) (chunks []string) {
	runes := []rune(text)
	step := max(1, size-overlap)
	for at := 0; at < len(runes); at += step {
		end := min(at+size, len(runes))
		chunks = append(chunks, string(runes[at:end]))
		if end == len(runes) {
			break
		}
	}
	return chunks
}
