package state_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/state"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/views"
)

// held is the memory that says a text, and whether it holds.
func held(l *braintest.Lab, text string) (c memory.Crystal, holds bool) {
	for _, c = range l.Crystals() {
		if c.Text == text && c.ValidTo.IsZero() {
			return c, true
		}
	}
	return memory.Crystal{}, false
}

func TestALineThatIsWrittenIsAMemoryAndOneThatIsTakenOutEndsOne(t *testing.T) {
	t.Parallel()
	l := braintest.NewLab(t)
	l.See(3, l.Worked("run", 0, "a.go")...)
	l.Note("The staging server is called oslo", false)
	l.Dreams(state.DreamInput{Force: true})
	const file = "projects/shop/MEMORY.md"
	l.Change(file, func(text string) string {
		text = strings.Replace(text, "## Curiosity Gaps\n", "## Curiosity Gaps\n\n- who pays for the cluster\n\n### Mine\n\n- a list\n- of two\n", 1)
		return strings.Replace(text, "## The Phenotype\n", "## The Phenotype\n\n### In this project\n\n- sign each commit\n", 1)
	})
	for range 2 {
		l.Clock = l.Clock.Add(time.Hour)
		l.Dreams(state.DreamInput{Force: true})
		got := sections(t, l.Text(file))
		if gaps := got[state.SectionGaps]; !strings.Contains(gaps, "who pays for the cluster\n") || !strings.HasSuffix(gaps, "### Mine\n\n- a list\n- of two") ||
			!strings.Contains(got[state.SectionPhenotype], "- sign each commit (") {
			t.Fatalf("after a dream:\n%s", l.Text(file))
		}
	}
	if rule, ok := held(l, "sign each commit"); !ok || rule.Kind != memory.Rule || rule.Origin != memory.OriginUser || rule.Project != l.Place.Project() {
		t.Errorf("the rule is %+v", rule)
	}
	l.TakesOut(file, "The staging server is called oslo")
	l.Change(file, func(text string) string { return strings.Replace(text, "- of two", "- of three", 1) })
	l.Dreams(state.DreamInput{Force: true})
	text := l.Text(file)
	_, oslo := held(l, "The staging server is called oslo")
	if oslo || strings.Contains(text, "oslo") || strings.Contains(text, "of two") || strings.Count(text, "- a list\n- of three") != 1 {
		t.Errorf("it holds: %v\n%s", oslo, text)
	}
}

// A person may begin a line as hebb does.
func TestALineThatLooksLikeOneOfHebbsIsKept(t *testing.T) {
	t.Parallel()
	l := braintest.NewLab(t)
	l.See(3, l.Worked("run", 0, "a.go")...)
	l.Note("The staging server is called oslo", false)
	l.Dreams(state.DreamInput{Force: true})
	const file = "projects/shop/MEMORY.md"
	mine := []string{"Next: export the orders before Friday", "Runs on: a Raspberry Pi in the cellar", "Question: who pays for the cluster?", "Team: Jana does the bookings"}
	for i, section := range []string{"The Bond", "The Niche", "Curiosity Gaps", "Active Context"} {
		l.Change(file, func(text string) string {
			return strings.Replace(text, "## "+section+"\n", "## "+section+"\n\n- "+mine[i]+"\n", 1)
		})
	}
	for range 2 {
		l.Clock = l.Clock.Add(time.Hour)
		l.Dreams(state.DreamInput{Force: true})
		for _, line := range mine {
			if _, holds := held(l, line); !holds || strings.Count(l.Text(file), line) != 1 {
				t.Errorf("%q is a memory: %v\n%s", line, holds, l.Text(file))
			}
		}
	}
	for _, line := range mine {
		l.Change(file, func(text string) string {
			at := strings.Index(text, line)
			begin, length := strings.LastIndexByte(text[:at], '\n'), strings.IndexByte(text[at:], '\n')
			return text[:begin] + text[at+length:]
		})
		l.Dreams(state.DreamInput{Force: true})
		if _, holds := held(l, line); holds || strings.Contains(l.Text(file), line) {
			t.Errorf("%q was taken out, and holds: %v\n%s", line, holds, l.Text(file))
		}
	}
}

// Where many lines are gone, nothing ends and nothing is lost until the person says that it is meant.
func TestAnEditThatLeavesLittleIsAskedAbout(t *testing.T) {
	t.Parallel()
	l := braintest.NewLab(t)
	l.See(3, l.Worked("run", 0, "a.go")...)
	for n := range 30 {
		l.Note(fmt.Sprintf("Fact number %d is about thing %d of the shop, which has its own drawer and its own key in the %d. cellar", n, n, n), false)
	}
	l.Dreams(state.DreamInput{Force: true})
	const name = "projects/shop/MEMORY.md"
	holding := func() (n int) {
		for _, c := range l.Crystals() {
			if strings.Contains(c.Text, "Fact number") && c.ValidTo.IsZero() {
				n++
			}
		}
		return n
	}
	written := strings.Count(l.Text(name), ": Fact number")
	l.Change(name, func(text string) string {
		at := strings.Index(text, "- 2026-11-15: Fact")
		return text[:at] + "- mine\n" + text[strings.Index(text, "\n## Crystal Pointers"):]
	})
	edited := l.Text(name)
	for range 2 {
		out := l.Refreshed()
		if len(out.Warnings) != 1 || !strings.Contains(out.Warnings[0], fmt.Sprintf("%d memories are gone from it", written)) ||
			!strings.Contains(out.Warnings[0], "hebb memories read memory --edit") || holding() != 30 || l.Text(name) != edited {
			t.Fatalf("%d hold, %q\n%s", holding(), out.Warnings, l.Text(name))
		}
		l.Clock = l.Clock.Add(time.Hour)
		l.Dreams(state.DreamInput{Force: true})
	}
	braintest.Must(l, views.ReadPage, views.ReadInput{Scope: l.Scope(), Name: "memory", Edited: true})
	if _, mine := held(l, "mine"); !mine || holding() != 30-written {
		t.Errorf("saved on purpose, %d hold, and mine: %v", holding(), mine)
	}
}

// A store of an earlier version: what only its state holds becomes memories, once; what has ended since does not come back.
func TestAStateOfAnEarlierVersionIsReadOnce(t *testing.T) {
	t.Parallel()
	l := braintest.NewLab(t)
	l.See(3, l.Worked("run", 0, "a.go")...)
	id := l.Place.Project()
	known := braintest.Must(l, statements.Remember, statements.RememberInput{Scope: l.Scope(), Text: "prices are kept in cents", Kind: memory.Decision})
	ended := braintest.Must(l, statements.Remember, statements.RememberInput{Scope: l.Scope(), Text: "the till rounds half up", Kind: memory.Decision})
	l.NoLongerHolds(ended.Crystal)
	var s state.Document
	s.Dreamt = l.Clock
	s.Sections[state.SectionActive] = "- prices are kept in cents (2026-11-15)\n- the till rounds half up (2026-11-15)\n- The model saw that both jobs decode twice\n" +
		"- Next: look again\n- 2026-11-15 (web): kept but not shown, because it reads like an instruction (x)"
	must.Do(t, l.Store.Update(t.Context(), func(tx *store.Tx) error {
		_, err := state.SaveState(t.Context(), tx, id, s, "llm")
		s.Sections[state.SectionNiche] = "- a line of mine"
		if err == nil {
			_, err = state.SaveState(t.Context(), tx, id, s, state.StateByUser)
		}
		return err
	}))
	for range 2 {
		l.Dreams(state.DreamInput{Force: true})
		text := l.Text("projects/shop/MEMORY.md")
		for want, n := range map[string]int{
			"prices are kept in cents": 1, "rounds half up": 0, "(agent): “The model saw that both jobs decode twice”": 1, "a line of mine": 1, "look again": 0, "not shown": 0,
		} {
			if strings.Count(text, want) != n {
				t.Errorf("%q stands there %d times, want %d:\n%s", want, strings.Count(text, want), n, text)
			}
		}
	}
	if c, ok := held(l, "prices are kept in cents"); !ok || c.ID != known.ID {
		t.Errorf("a memory was made anew: %+v", c)
	}
}

// Nothing that a model wrote is lost by the next rendering, and what it left out stays a memory.
func TestWhatAModelWroteStaysAndWhatItLeftOutIsPointedTo(t *testing.T) {
	t.Parallel()
	l := braintest.NewLab(t)
	l.See(3, l.Worked("run", 0, "a.go")...)
	l.Note("The importer of invoices reads all of its files twice", false)
	l.Note("The staging server is called oslo", false)
	l.Dreams(state.DreamInput{Force: true})
	s := must.Get(state.ParseState(l.Text("projects/shop/MEMORY.md")))(t)
	text := strings.Replace(state.StateDocument(s), "- 2026-11-15: The importer of invoices reads all of its files twice\n", "- Insight: Reading twice is why invoices are late\n", 1)
	out := must.Get(steward.Run(t.Context(), l.Brain, state.DreamCommit, state.DreamCommitInput{Scope: l.Scope(), State: text}))(t)
	for range 2 {
		got := sections(t, l.Text("projects/shop/MEMORY.md"))
		if out.By != "agent" || !strings.Contains(got[state.SectionActive], "Insight 2026-11-15 (agent): “Reading twice is why invoices are late”") ||
			strings.Contains(got[state.SectionActive], "importer") || !strings.Contains(got[state.SectionPointers], "Past: The importer of invoices") {
			t.Fatalf("by %s, %q:\n%s", out.By, out.Warnings, l.Text("projects/shop/MEMORY.md"))
		}
		l.Clock = l.Clock.Add(time.Hour)
		l.Dreams(state.DreamInput{Force: true})
	}
	c, _ := held(l, "The importer of invoices reads all of its files twice")
	must.Get(steward.Run(t.Context(), l.Brain, statements.UseCrystals, statements.UseInput{IDs: []memory.CrystalID{c.ID}}))(t)
	l.Dreams(state.DreamInput{Force: true})
	if got := sections(t, l.Text("projects/shop/MEMORY.md")); !strings.Contains(got[state.SectionActive], "The importer of invoices") {
		t.Errorf("after it was used:\n%s", l.Text("projects/shop/MEMORY.md"))
	}
}
