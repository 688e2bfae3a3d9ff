package statements

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/must"
)

func TestASentenceInAPlainFormEndsAnEarlierOne(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		says, earlier string
		want          bool
	}{
		{"we no longer use Redis for the queue, it is memcached now", "We decided to use Redis for the queue.", true},
		{"use dayjs instead of moment for dates", "use moment for dates", true},
		{"we don't squash merges on main any more", "we always squash merges on main", true},
		{"use dayjs instead of moment", "moment's locale is set in i18n.ts, before any date is shown", false}, // about something else
		{"don't squash merges any more", "never squash merges", false},                                        // it says so already
		{"we no longer use Redis for the queue", "the queue has three workers", false},
		{"is the queue no longer in Redis?", "We decided to use Redis for the queue.", false},
		{"the queue moved to memcached", "We decided to use Redis for the queue.", false}, // for the scribe
	} {
		if got := outdates(c.says, c.earlier); got != c.want {
			t.Errorf("%q ends %q: %v", c.says, c.earlier, got)
		}
	}
}

// Statements and what the same people said weeks later, written by somebody who did not know the program. What has no plain form ends nothing,
// and nothing ends what it does not speak of.
func TestReversals(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"dev", "unseen", "plain"} {
		reversals := readLines[struct{ Project, Said, Revised string }](t, "reversals-"+name)
		ordinary := readLines[struct {
			Project, Text string
			Again         string `json:"again_of"`
		}](t, "ordinary-"+name)
		noticed := 0
		for i, r := range reversals {
			for j, other := range reversals {
				switch ended := r.Project == other.Project && undone(r.Revised) != "" && outdates(r.Revised, other.Said); {
				case ended && i == j:
					noticed++
				case ended:
					t.Errorf("%q ends %q", r.Revised, other.Said)
				}
			}
			for _, o := range ordinary {
				if o.Project == r.Project && o.Again == "" && undone(o.Text) != "" && outdates(o.Text, r.Said) {
					t.Errorf("%q ends %q", o.Text, r.Said)
				}
			}
		}
		t.Logf("%s: %d of %d", name, noticed, len(reversals))
	}
}

func readLines[T any](t *testing.T, name string) (list []T) {
	t.Helper()
	file := must.Get(os.ReadFile(filepath.Join("testdata", "reversals", name+".jsonl")))(t)
	for line := range strings.Lines(string(file)) {
		var one T
		must.Do(t, json.Unmarshal([]byte(line), &one))
		list = append(list, one)
	}
	return list
}
