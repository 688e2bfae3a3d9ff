package statements

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"
)

// The statements were written by somebody who did not know the rule.
func TestUntil(t *testing.T) {
	t.Parallel()
	file, err := os.ReadFile("testdata/until.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(file)) {
		var c struct {
			Text string
			Said string `json:"said_at"`
			Ends string
		}
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		said, err := time.Parse(time.DateOnly, c.Said)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if end, ok := Until(c.Text, said.Add(15*time.Hour)); ok {
			got = end.Format(time.DateOnly)
		}
		if got != c.Ends {
			t.Errorf("%s, said %s: ends %q, want %q", c.Text, c.Said, got, c.Ends)
		}
	}
}
