package cli

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/state"
	"github.com/hebb-memory/hebb/internal/store"
)

func TestDreamPage(t *testing.T) {
	t.Parallel()
	full := state.DreamResult{
		Run: true, By: "rules", Why: "asked for", State: "# Working Memory State\n", Notes: 3, Waiting: 1, Pointers: 2,
		Faded: []string{"- the old\x1b[31m login"}, Revived: []string{"- the cache"},
	}
	full.Products.Changed, full.Products.Topics = 4, 1
	report := strings.Join([]string{
		"  notes     3 used, 1 waits for room",
		"  lines     4 added, removed or changed",
		"  pointers  2, 1 new",
		"Faded into pointers",
		"  - the old login",
		"Restored",
		"  - the cache",
		"",
	}, "\n")
	plainOne := state.DreamResult{Run: true, By: "agent", Why: "written by the agent", Notes: 1}
	for _, c := range []struct {
		name string
		out  state.DreamResult
		dry  bool
		want string
	}{
		{"all of it", full, false, "Dreamt by rules (asked for).\n" + report + "hebb state shows it, hebb state diff what changed.\n"},
		{
			"a dry run shows the state and keeps nothing", full, true,
			"# Working Memory State\n\nNothing was kept. A dream would change (asked for):\n" + report,
		},
		{
			"what there is none of is not shown", plainOne, false,
			"Dreamt by agent (written by the agent).\n  notes     1 used\n  lines     0 added, removed or changed\n" +
				"hebb state shows it, hebb state diff what changed.\n",
		},
		{
			"it was not due", state.DreamResult{Why: "1 new item"}, false,
			"Nothing to do: 1 new item.\nhebb state dream --force dreams anyway.\n",
		},
		{"somebody else dreams", state.DreamResult{Why: "another process dreams"}, false, "Nothing to do: another process dreams.\n"},
		{
			"nothing came of it", state.DreamResult{Run: true, Shallow: true, Why: "asked for"}, false,
			"Nothing to change: MEMORY.md is up to date (asked for).\n",
		},
	} {
		p := &page{now: now}
		dreamPage(p, c.out, c.dry)
		if got := p.b.String(); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

func keptStates() state.StatesResult {
	return state.StatesResult{
		Now: "# State\n\n- two\n- three\n",
		Kept: []store.StateText{ // the latest first
			{ID: 7, At: now, By: "agent", Text: "garbage", Refused: "answer: no document: invalid"},
			{ID: 6, At: now, By: "rules", Text: "# State\n\n- two\n- three\n"},
			{ID: 4, At: now.Add(-time.Hour), By: "rules", Text: "# State\n\n- one\n- two\n"},
			{ID: 2, At: now.Add(-2 * time.Hour), By: "user", Text: "# State\n"},
		},
	}
}

func TestStatesAreComparedWithThePresentOneUnlessTwoAreNamed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		ids      []string
		from, to string
		diff     string
	}{
		{"the one before with the present one", nil, "state 4", "now", "@@ -1,4 +1,4 @@\n # State\n \n-- one\n - two\n+- three\n"},
		{"one that is named", []string{"2"}, "state 2", "now", "@@ -1,1 +1,4 @@\n # State\n+\n+- two\n+- three\n"},
		{"two that are named", []string{"4", "2"}, "state 4", "state 2", "@@ -1,4 +1,1 @@\n # State\n-\n-- one\n-- two\n"},
		{"the one that holds", []string{"6"}, "state 6", "now", ""},
		{"one that was refused", []string{"7", "2"}, "state 7", "state 2", "@@ -1,1 +1,1 @@\n-garbage\n+# State\n"},
	} {
		out, err := compareStates(keptStates(), c.ids)
		if err != nil || !strings.HasPrefix(out.From, c.from) || !strings.HasPrefix(out.To, c.to) {
			t.Errorf("%s: from %q to %q, %v", c.name, out.From, out.To, err)
		}
		want := c.diff
		if want != "" {
			want = "--- " + out.From + "\n+++ " + out.To + "\n" + want
		}
		if out.Diff != want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, out.Diff, want)
		}
	}
	for _, c := range []struct {
		states state.StatesResult
		ids    []string
		want   int
	}{
		{keptStates(), []string{"3"}, exitNotFound},
		{keptStates(), []string{"4", "3"}, exitNotFound},
		{keptStates(), []string{"first"}, exitUsage},
		{state.StatesResult{Kept: keptStates().Kept[:2]}, nil, exitNotFound}, // one of the two never held
		{state.StatesResult{}, nil, exitNotFound},
	} {
		if _, err := compareStates(c.states, c.ids); err == nil || exitCode(t.Context(), err) != c.want {
			t.Errorf("%q of %d states: %v, want exit code %d", c.ids, len(c.states.Kept), err, c.want)
		}
	}
}

func TestDiffIsColoured(t *testing.T) {
	t.Parallel()
	out := stateDiff{From: "state 1", To: "now", Diff: "--- state 1\n+++ now\n@@ -1,2 +1,2 @@\n a\n-- b\x1b[5m\n++ c\n"}
	p := &page{style: true}
	diffPage(p, out)
	want := "\x1b[1m--- state 1\x1b[0m\n\x1b[1m+++ now\x1b[0m\n\x1b[36m@@ -1,2 +1,2 @@\x1b[0m\n a\n\x1b[31m-- b\x1b[0m\n\x1b[32m++ c\x1b[0m\n"
	if got := p.b.String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	p = &page{}
	diffPage(p, stateDiff{From: "state 1", To: "now"})
	if got := p.b.String(); got != "No difference between state 1 and now.\n" {
		t.Errorf("no difference is shown as %q", got)
	}
}

func TestStateListMarksTheStateInUseAndRefusedOnes(t *testing.T) {
	t.Parallel()
	p := &page{now: now}
	statesPage(p, keptStates().Kept)
	want := strings.Join([]string{
		"  ID  AGO  BY     SIZE  STATE",
		"   7  now  agent   7 B  refused: answer: no document",
		"   6  now  rules  23 B  in use",
		"   4  1 h  rules  21 B",
		"   2  2 h  user    8 B",
		"",
	}, "\n")
	if got := p.b.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestDreamInAnUnknownProjectNamesTheFix(t *testing.T) {
	t.Parallel()
	a, _, _ := world()
	if err := a.unknownHere(memory.ErrNotFound); !errors.Is(err, memory.ErrNotFound) || !strings.Contains(err.Error(), "hebb remember --note TEXT") {
		t.Errorf("an unknown project here: %v", err)
	}
	a.project = "shop" // then the error names it already
	if err := a.unknownHere(memory.ErrNotFound); err.Error() != memory.ErrNotFound.Error() {
		t.Errorf("a project that was named: %v", err)
	}
	if err := a.unknownHere(memory.ErrDamaged); !errors.Is(err, memory.ErrDamaged) {
		t.Errorf("another error: %v", err)
	}
}
