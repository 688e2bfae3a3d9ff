package state

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
)

// guardState says so many characters, all but the first of one section.
func stateOf(characters int) Document {
	var s Document
	for _, section := range []Section{SectionActive, SectionGaps, SectionSkills, SectionNiche} {
		n := min(characters, 1000)
		s.Sections[section] = strings.Repeat("wordy ", 200)[:n]
		characters -= n
	}
	for i, text := range s.Sections {
		s.Sections[i] = strings.TrimRight(text, " ") + strings.Repeat(".", len(text)-len(strings.TrimRight(text, " ")))
	}
	return s
}

func guardPointers(n int) Document {
	s := stateOf(100)
	for i := range n {
		s.Sections[SectionPointers] += fmt.Sprintf("- Past: topic %d → search: `topic %d`\n", i, i)
	}
	return s
}

func guardBond(words ...string) Document {
	s := stateOf(100)
	s.Sections[SectionBond] = strings.Join(words, " ")
	return s
}

func TestGuardsHoldAtTheirBoundaries(t *testing.T) { // V20
	t.Parallel()
	ten := strings.Fields("alphabetical bravelyness charlatans deltoidal echoingly foxgloves golfingly hoteliers indiatowns juliettes")
	oversize := stateOf(100)
	oversize.Sections[SectionActive] = strings.Repeat("wordy ", 8000/6+1)
	other := stateOf(400)
	for i := range other.Sections {
		other.Sections[i] = strings.ReplaceAll(strings.ReplaceAll(other.Sections[i], "wordy", "palabra"), "word", "pala")
	}
	emphasis := Document{}
	emphasis.Sections[SectionActive] = "### Heading that is long enough to be counted as text\n\n_emphasis that is long enough to be counted_\n\n---\n" + strings.Repeat("x", 49)
	for _, c := range []struct {
		name      string
		old, next Document
		want      string
		accepted  bool
	}{
		{"nothing to say against it", stateOf(100), stateOf(100), "", true},
		{
			"a share of .49 is left", stateOf(2000), stateOf(980),
			"mass drop: 980 of 2000 characters are left, a share of 0.49, and at least 0.50 must be", false,
		},
		{"a hair below half", stateOf(2000), stateOf(999), "mass drop: 999 of 2000 characters are left, a share of 0.50, and at least 0.50 must be", false},
		{"exactly half", stateOf(2000), stateOf(1000), "", true},
		{"a young state may shrink", stateOf(1999), stateOf(100), "", true},
		{"twenty pointers", stateOf(100), guardPointers(20), "", true},
		{"twenty-one pointers", stateOf(100), guardPointers(21), "eviction runaway: 21 pointers, and 20 are the most", false},
		{"forty-nine characters", Document{}, stateOf(49), "empty synthesis: 49 characters say something, and at least 50 must", false},
		{"fifty characters", Document{}, stateOf(50), "", true},
		{"frames say nothing", Document{}, emphasis, "empty synthesis: 49 characters say something, and at least 50 must", false},
		{"the Bond keeps three of ten words", guardBond(ten...), guardBond(ten[:3]...), "", true},
		{"the Bond keeps two of ten words", guardBond(ten...), guardBond(ten[:2]...), "bond drift: a share of 0.20 of its words is kept; below 0.30 it is refused", false},
		{"a short Bond may change", guardBond(ten[:9]...), guardBond("other"), "", true},
		{"another language", stateOf(400), other, "another text: a share of 0.00 of the words of the old state is kept, and at least 0.10 must be", false},
		{"ten times as much", stateOf(100), oversize, "oversize: 8003 characters, and a state may have 8000", false},
	} {
		v := Judge(c.old, c.next)
		var found []string
		for _, f := range v {
			found = append(found, f.String())
		}
		if got := strings.Join(found, ";"); got != c.want || (v.Err() == nil) != c.accepted {
			t.Errorf("%s: accepted %v\n got %s\nwant %s", c.name, v.Err() == nil, got, c.want)
		}
		if err := v.Err(); (err == nil) != c.accepted || err != nil && !errors.Is(err, memory.ErrRefused) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestTheBondIsComparedFromTheHundredAndFirstCharacter(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		characters int
		accepted   bool
	}{{100, true}, {101, false}} {
		old := guardBond("words " + strings.Repeat("x", c.characters-len("words ")))
		if v := Judge(old, guardBond("others")); (v.Err() == nil) != c.accepted {
			t.Errorf("%d characters: %v", c.characters, v)
		}
	}
}
