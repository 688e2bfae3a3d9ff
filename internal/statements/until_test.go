package statements

import (
	"encoding/json"
	"github.com/hebb-memory/hebb/internal/must"
	"os"
	"strings"
	"testing"
	"time"
)

// Most statements were written by somebody who did not know the rule; a day in other words is not read.
func TestUntil(t *testing.T) {
	t.Parallel()
	file := must.Get(os.ReadFile("testdata/until.jsonl"))(t)
	for line := range strings.Lines(string(file)) {
		var c struct {
			Text string
			Said string `json:"said_at"`
			Ends string
		}
		must.Do(t, json.Unmarshal([]byte(line), &c))
		said := must.Get(time.Parse(time.DateOnly, c.Said))(t)
		got := ""
		if end, ok := Until(c.Text, said.Add(15*time.Hour)); ok {
			got = end.Format(time.DateOnly)
		}
		if got != c.Ends {
			t.Errorf("%s, said %s: ends %q, want %q", c.Text, c.Said, got, c.Ends)
		}
	}
}
