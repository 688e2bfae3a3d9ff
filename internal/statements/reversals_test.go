package statements_test

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/statements"
)

// reversal is a statement and what the same person says weeks later.
type reversal struct{ ID, Project, Said, Revised string }

// aside is a statement that replaces nothing. Again names the reversal whose later half it repeats.
type aside struct {
	ID, Project, Text string
	Again             string `json:"again_of"`
}

func lines[T any](t *testing.T, name string) (list []T) {
	t.Helper()
	file, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(file)) {
		var one T
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			t.Fatal(err)
		}
		list = append(list, one)
	}
	return list
}

// outcomes count what became of earlier statements.
type outcomes struct {
	Sure, Likely, Missed      int // of the statements that were revised
	WrongSure, WrongLikely    int // others that a revision ended, or made doubtful
	Replaced, Flagged, Asides int // statements that ended another one or made it doubtful though they replace nothing
}

// The statements were written by somebody who did not know the program. HEBB_REVERSALS names another file of them; that of the asides is
// beside it and has "ordinary" in place of "reversals" in its name.
func TestReversals(t *testing.T) {
	name := cmp.Or(os.Getenv("HEBB_REVERSALS"), filepath.Join("testdata", "reversals", "reversals-dev.jsonl"))
	reversals := lines[reversal](t, name)
	asides := lines[aside](t, filepath.Join(filepath.Dir(name), strings.Replace(filepath.Base(name), "reversals", "ordinary", 1)))
	var projects []string
	for _, r := range reversals {
		if !slices.Contains(projects, r.Project) {
			projects = append(projects, r.Project)
		}
	}
	var sum outcomes
	for _, project := range projects {
		l := braintest.NewLibrary(t)
		say := func(text string) statements.RememberResult {
			l.Passes(time.Hour)
			return l.Remember(text, braintest.Of(memory.Rule))
		}
		said := map[string]memory.CrystalID{}
		for _, r := range reversals {
			if r.Project == project {
				said[r.ID] = say(r.Said).ID
			}
		}
		beside := func(again bool) {
			for _, a := range asides {
				if a.Project == project && (a.Again != "") == again {
					out := say(a.Text)
					sum.Asides++
					sum.Replaced += min(1, len(out.Superseded))
					if out.MayReplace != nil {
						sum.Flagged++
						t.Logf("%q may replace %q", a.Text, out.MayReplace.Text)
					}
				}
			}
		}
		beside(false)
		l.Passes(21 * 24 * time.Hour)
		for _, r := range reversals {
			if r.Project != project {
				continue
			}
			switch out := say(r.Revised); {
			case slices.Contains(out.Superseded, said[r.ID]):
				sum.Sure++
			case len(out.Superseded) > 0:
				sum.WrongSure++
				sum.Missed++
			case out.MayReplace == nil:
				sum.Missed++
			case out.MayReplace.ID == said[r.ID]:
				sum.Likely++
			default:
				sum.WrongLikely++
				sum.Missed++
			}
		}
		beside(true)
	}
	t.Logf("%+v", sum)
	if os.Getenv("HEBB_REVERSALS") != "" {
		return
	}
	if least := 30; sum.Sure+sum.Likely < least || sum.Replaced > 0 || sum.WrongSure > 0 {
		t.Errorf("%+v: at least %d are to be noticed, and nothing is to be lost", sum, least)
	}
}
