package scrub

import (
	"bytes"
	"encoding/json"
	"github.com/hebb-memory/hebb/internal/must"
	"os"
	"slices"
	"strings"
	"testing"
)

// spokenCase is a sentence as people type it to an agent, with or without a credential in it. The
// sentences were written by somebody who had not seen the rules. The credentials stand in the file
// backwards, so that no scanner takes it for a leak.
type spokenCase struct {
	ID, Text, Reversed string
	secret             string
}

func spokenCases(tb testing.TB, name string) (cases []spokenCase) {
	tb.Helper()
	file := must.Get(os.ReadFile("testdata/" + name))(tb)
	for line := range bytes.Lines(file) {
		var c spokenCase
		must.Do(tb, json.Unmarshal(line, &c))
		secret := []rune(c.Reversed)
		slices.Reverse(secret)
		c.secret = string(secret)
		c.Text = strings.Replace(c.Text, "{}", c.secret, 1)
		cases = append(cases, c)
	}
	return cases
}

// The files beside the first are what an attack tried, and what was planted before the rules for it
// were written: each kind once, and sentences that speak of secrets without any. The last was written
// by somebody who had seen neither rules nor cases, and was counted once, when the rules stood.
func TestCredentialsThatPeopleTypeAreRedacted(t *testing.T) {
	if clean := Clean("Done. I used | user | password |\n|---|---|\n| bob | Tulip%5279g7 |"); strings.Contains(clean, "Tulip") {
		t.Errorf("a table behind other words: %q", clean)
	}
	for _, c := range []struct {
		file   string
		secret int // how many there are
		missed int // how many of these stay
		plain  int // sentences without one
	}{
		{"credentials.jsonl", 40, 4, 60},
		{"attack.jsonl", 82, 0, 0},
		{"planted.jsonl", 60, 7, 60},
		{"unseen.jsonl", 60, 14, 60},
	} {
		said, missed, alarms, plain := 0, 0, 0, 0
		for _, s := range spokenCases(t, c.file) {
			clean := Clean(s.Text)
			if s.secret == "" {
				if plain++; clean != s.Text {
					alarms++
					t.Logf("%s: %s: a false alarm: %s", c.file, s.ID, clean)
				}
				continue
			}
			said++
			for line := range strings.SplitSeq(s.secret, "\n") {
				if strings.Contains(clean, line) {
					missed++
					t.Logf("%s: %s: missed: %s", c.file, s.ID, clean)
					break
				}
			}
		}
		if said != c.secret || plain != c.plain || missed > c.missed || alarms > 0 {
			t.Errorf("%s: %d of %d credentials missed, %d false alarms in %d sentences", c.file, missed, said, alarms, plain)
		}
	}
}
