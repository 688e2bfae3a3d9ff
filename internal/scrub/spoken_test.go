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

func spokenCases(tb testing.TB) (cases []spokenCase) {
	tb.Helper()
	file := must.Get(os.ReadFile("testdata/credentials.jsonl"))(tb)
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

func TestCredentialsThatPeopleTypeAreRedacted(t *testing.T) {
	said, missed, alarms, plain := 0, 0, 0, 0
	for _, c := range spokenCases(t) {
		clean := Clean(c.Text)
		switch c.secret {
		case "":
			plain++
			if clean != c.Text {
				alarms++
				t.Logf("%s: a false alarm: %s", c.ID, clean)
			}
		default:
			said++
			if strings.Contains(clean, c.secret) {
				missed++
				t.Logf("%s: missed: %s", c.ID, clean)
			}
		}
	}
	t.Logf("%d of %d credentials redacted, %d false alarms in %d sentences", said-missed, said, alarms, plain)
	if missed > 4 || alarms > 0 {
		t.Errorf("missed %d, false alarms %d", missed, alarms)
	}
}
