package statements_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
)

// reversal is a statement and what the same person says weeks later.
type reversal struct{ ID, Project, Said, Revised string }

// aside is a statement that replaces nothing. Again names the reversal whose later half it repeats.
type aside struct {
	ID, Project, Text string
	Again             string `json:"again_of"`
}

func readLines[T any](t *testing.T, name string) (list []T) {
	t.Helper()
	file := must.Get(os.ReadFile(name))(t)
	for line := range strings.Lines(string(file)) {
		var one T
		must.Do(t, json.Unmarshal([]byte(line), &one))
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

// The statements were written by somebody who did not know the program; those called unseen were first tried when the model was done. Of each
// file so many reversals are to be noticed at least, and so many other statements asked about at most.
func TestReversals(t *testing.T) {
	for name, want := range map[string]struct{ noticed, asked int }{"reversals-dev.jsonl": {34, 16}, "reversals-unseen.jsonl": {30, 10}, "reversals-plain.jsonl": {23, 13}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sum := revised(t, filepath.Join("testdata", "reversals", name))
			t.Logf("%+v", sum)
			if sum.Sure+sum.Likely < want.noticed || sum.Flagged > want.asked || sum.Replaced > 0 || sum.WrongSure > 0 {
				t.Errorf("%+v: at least %d are to be noticed, at most %d asked about by mistake, and nothing is to be lost", sum, want.noticed, want.asked)
			}
		})
	}
}

// revised says what a file of reversals has, and what is beside it in a file with "ordinary" in its name, and counts what came of it.
func revised(t *testing.T, name string) (sum outcomes) {
	t.Helper()
	reversals := readLines[reversal](t, name)
	asides := readLines[aside](t, filepath.Join(filepath.Dir(name), strings.Replace(filepath.Base(name), "reversals", "ordinary", 1)))
	var projects []string
	for _, r := range reversals {
		if !slices.Contains(projects, r.Project) {
			projects = append(projects, r.Project)
		}
	}
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
	return sum
}

// A statement that a later one may have replaced is shown at the start with that doubt and nowhere else, until somebody decides.
func TestWhatMayBeOutdatedIsNotToldAsWhatHolds(t *testing.T) {
	const old, newer = "use tabs in every shell script", "shell scripts are indented with two spaces"
	begin := func(t *testing.T) (l *braintest.Library, first, second memory.CrystalID) {
		l = braintest.NewLibrary(t)
		first = l.Remember(old, braintest.Of(memory.Rule)).ID
		l.Passes(48 * time.Hour)
		second = l.Remember(newer, braintest.Of(memory.Rule)).ID
		err := l.Store.Update(t.Context(), func(tx *store.Tx) error { // whatever the model says of the two
			c, err := tx.Crystal(t.Context(), first)
			if err == nil && !c.ValidTo.IsZero() {
				t.Fatalf("%q is sure to be replaced: choose another pair for this test", old)
			}
			c.OvertakenBy = second
			return errors.Join(err, tx.SaveCrystal(t.Context(), c.Crystal))
		})
		if err != nil {
			t.Fatal(err)
		}
		l.Passes(48 * time.Hour)
		return l, first, second
	}
	start := func(l *braintest.Library) (told, doubted bool) {
		t.Helper()
		text := braintest.Must(l.Lab, answer.StartContext, answer.ContextInput{Scope: brain.Scope{Dir: l.Dir}, Asked: true}).Text
		for line := range strings.Lines(text) {
			if strings.Contains(line, old) {
				doubt := strings.Contains(line, "may be outdated since") && strings.Contains(line, newer)
				told, doubted = told || !doubt, doubted || doubt
			}
		}
		if !strings.Contains(text, newer) {
			t.Errorf("what was said last is not told: %s", text)
		}
		return told, doubted
	}
	waits := func(l *braintest.Library) int {
		return len(braintest.Must(l.Lab, statements.Memories, statements.MemoriesInput{Scope: brain.Scope{Dir: l.Dir}, Waiting: true}))
	}
	l, first, _ := begin(t)
	if told, doubted := start(l); told || !doubted || waits(l) != 1 {
		t.Errorf("told: %v, with the doubt: %v, %d wait", told, doubted, waits(l))
	}
	for name, settle := range map[string]func(l *braintest.Library, first, second memory.CrystalID){
		"an agent hands over the later words": func(l *braintest.Library, first, second memory.CrystalID) {
			out := l.Remember("", func(in *statements.RememberInput) {
				in.Quote, in.Replaces, in.Origin = newer, []string{string(first)}, memory.OriginAgent
			})
			if out.ID != second || out.Proposed != "" {
				t.Errorf("kept as %+v", out)
			}
		},
		"the person rejects the earlier one": func(l *braintest.Library, first, _ memory.CrystalID) {
			braintest.Must(l.Lab, statements.Judge, statements.JudgeInput{ID: string(first)})
		},
	} {
		l, first, second := begin(t)
		settle(l, first, second)
		if told, doubted := start(l); told || doubted || waits(l) != 0 {
			t.Errorf("%s: told: %v, with the doubt: %v, %d wait", name, told, doubted, waits(l))
		}
		if c := l.Crystal(second); !slices.Contains(c.Parents, first) || l.Crystal(first).ValidTo.IsZero() {
			t.Errorf("%s: %s is not history because of %s", name, first, second)
		}
	}
	braintest.Must(l.Lab, statements.Judge, statements.JudgeInput{ID: string(first), Right: true})
	if told, doubted := start(l); !told || doubted || waits(l) != 0 {
		t.Errorf("confirmed: told: %v, with the doubt: %v, %d wait", told, doubted, waits(l))
	}
	l, first, second := begin(t)
	braintest.Must(l.Lab, statements.Judge, statements.JudgeInput{ID: string(second)})
	if waits(l) != 0 || !l.Crystal(first).ValidTo.IsZero() {
		t.Error("the later one is rejected, and the earlier one is still in doubt")
	}
}

// What holds until a day is not told after it, and becomes history in sleep.
func TestAStatementEndsWithItsLastDay(t *testing.T) {
	const freeze = "no merges to main until November 20th, we are in code freeze"
	l := braintest.NewLibrary(t) // it begins on 15 November
	id := l.Remember(freeze, braintest.Of(memory.Rule)).ID
	told := func() bool {
		return strings.Contains(braintest.Must(l.Lab, answer.StartContext, answer.ContextInput{Scope: brain.Scope{Dir: l.Dir}, Asked: true}).Text, freeze)
	}
	if !told() {
		t.Error("it is not told while it holds")
	}
	l.Passes(6 * 24 * time.Hour)
	if told() {
		t.Error("it is told after its last day")
	}
	l.Sleeps(7)
	if c := l.Crystal(id); c.ValidTo.IsZero() {
		t.Errorf("it is no history: %+v", c)
	}
}
