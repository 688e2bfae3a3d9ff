package state_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/state"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
)

// sections reads MEMORY.md of a project as the sections of a state.
func sections(t *testing.T, text string) [state.SectionCount]string {
	t.Helper()
	s := must.Get(state.ParseState(text))(t)
	return s.Sections
}

func TestWhatThePersonSaidStandsInTheState(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(3, l.Worked("run", 0, "cmd/root.go", "settings.json")...)
	l.On(95)
	l.WorkedOn()
	ago := func(days float64) time.Time { return l.Clock.Add(-time.Duration(days * 24 * float64(time.Hour))) }
	prefix := l.Hears(memory.Rule, "use prefix 'rwr/' for the branch name", ago(40), 0.9)
	l.Hears(memory.Rule, "we don't gitignore the whole entire folder, especially .entire/settings.json should be commited", ago(3), 0.8, "settings.json")
	removed := l.Hears(memory.Correction, "no, we removed the session commands on purpose", ago(2), 0.85, "cmd/root.go")
	l.Hears(memory.Preference, "keep the answers short, i read them on my phone", ago(9), 0.8)
	l.Hears(memory.Decision, "default is just block and ask user to resolve conflicts", ago(1), 0.75)
	l.Hears(memory.Decision, "the cli stays a single static binary", ago(90), 0.8)
	l.Hears(memory.Fact, "checkpoints live on an orphan branch, one tree per session", ago(30), 0.8)
	l.Hears(memory.Intention, "later we also want a table of all sessions in the docs", ago(1), 0.8)
	l.Hears(memory.Rule, "use prefix 'rwr/' for the branch name", ago(5), 0.9) // once more
	l.Hears(memory.Decision, "i don't think bash is a good idea for that, can we do it in go?", ago(2), 0.8)
	long := "when a hook fails print the reason in one line, then the path of the log file. " + strings.Repeat("Nobody reads a whole stack trace in a terminal of eighty columns, whatever it says, and those who do have lost. ", 2)
	l.Hears(memory.Rule, long, ago(4), 0.9)

	l.Dreams(state.DreamInput{Force: true})
	text := l.Text("projects/shop/MEMORY.md")
	got := sections(t, text)
	day := func(at time.Time) string { return at.UTC().Format(time.DateOnly) }
	for _, c := range []struct {
		section state.Section
		want    string
	}{
		{state.SectionPhenotype, fmt.Sprintf("- use prefix 'rwr/' for the branch name (%s, said 2 times)", day(ago(40)))},
		{state.SectionPhenotype, fmt.Sprintf("- we don't gitignore the whole entire folder, especially .entire/settings.json should be commited (%s)", day(ago(3)))},
		{state.SectionPhenotype, fmt.Sprintf("- no, we removed the session commands on purpose (%s)", day(ago(2)))},
		{state.SectionPhenotype, fmt.Sprintf("those who do have lost… (%s)", day(ago(4)))},
		{state.SectionBond, fmt.Sprintf("- keep the answers short, i read them on my phone (%s)", day(ago(9)))},
		{state.SectionActive, fmt.Sprintf("- default is just block and ask user to resolve conflicts (%s)", day(ago(1)))},
		{state.SectionActive, fmt.Sprintf("- later we also want a table of all sessions in the docs (%s)", day(ago(1)))},
		{state.SectionActive, fmt.Sprintf("can we do it in go? (%s)", day(ago(2)))},
		{state.SectionNiche, fmt.Sprintf("- the cli stays a single static binary (%s)", day(ago(90)))},
		{state.SectionNiche, fmt.Sprintf("- checkpoints live on an orphan branch, one tree per session (%s)", day(ago(30)))},
	} {
		if !strings.Contains(got[c.section], c.want) || strings.Count(text, strings.TrimLeft(c.want, "- ")) != 1 {
			t.Errorf("%s does not say %q, or not once:\n%s", c.section, c.want, text)
		}
	}
	if got[state.SectionGaps] != "" {
		t.Errorf("a decision in the form of a question is taken for a gap:\n%s", text)
	}
	if first := strings.Index(text, "rwr/"); first > strings.Index(text, "removed the session commands") {
		t.Errorf("what was said twice does not come first:\n%s", text)
	}
	if again := l.Dreams(state.DreamInput{Force: true}); !again.Shallow {
		t.Errorf("a second dream over the same changes something:\n%s", again.State)
	}

	l.NoLongerHolds(prefix, removed)
	l.Dreams(state.DreamInput{Force: true})
	text = l.Text("projects/shop/MEMORY.md")
	if strings.Contains(text, "rwr/") || strings.Contains(text, "session commands") || !strings.Contains(text, ".entire/settings.json") {
		t.Errorf("after two no longer hold:\n%s", text)
	}

	// Another project knows nothing of it; what was said of the person everywhere it does.
	braintest.Must(l, statements.Remember, statements.RememberInput{Text: "answer in whole sentences", Kind: memory.Preference, Everywhere: true})
	l.Place = memory.Place{Identity: "/till/.git", Root: "/till"}
	l.See(20, l.Worked("till", 15, "till.go")...)
	l.Hears(memory.Rule, "the till never rounds", l.Clock, 0.9)
	l.Dreams(state.DreamInput{Force: true})
	other := l.Text("projects/till/MEMORY.md")
	if strings.Contains(other, ".entire/settings.json") || !strings.Contains(other, "the till never rounds") || !strings.Contains(other, "answer in whole sentences") {
		t.Errorf("the other project:\n%s", other)
	}
	l.Place = memory.Place{Identity: "/shop/.git", Root: "/shop"}
	l.Dreams(state.DreamInput{Force: true})
	text = l.Text("projects/shop/MEMORY.md")
	if strings.Contains(text, "the till never rounds") || !strings.Contains(text, "answer in whole sentences") || !strings.Contains(text, ".entire/settings.json") {
		t.Errorf("the first project once it dreams:\n%s", text)
	}
}

// A state that is all statements may lose all of them at once: guards against a collapse do not bring back what no longer holds.
func TestNoGuardKeepsWhatNoLongerHolds(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(3, l.Worked("run", 0, "a.go")...)
	var said []memory.Crystal
	for i := range 12 {
		for _, kind := range []memory.CrystalKind{memory.Preference, memory.Rule, memory.Decision, memory.Fact} {
			text := fmt.Sprintf("the %s number %d concerns everything that is written into ledger%d and nothing else in this place", kind, i, i)
			said = append(said, l.Hears(kind, text, l.Clock, 0.9))
		}
	}
	l.Dreams(state.DreamInput{Force: true})
	text := l.Text("projects/shop/MEMORY.md")
	if n := strings.Count(text, "concerns everything"); n < 20 {
		t.Fatalf("only %d statements:\n%s", n, text)
	}
	for section, body := range sections(t, text) {
		if budget := state.Whole / 2; len(body) > budget {
			t.Errorf("%s has %d bytes of %d", state.Section(section), len(body), budget)
		}
	}
	l.NoLongerHolds(said...)
	l.Clock = l.Clock.Add(time.Hour)
	l.Dreams(state.DreamInput{Force: true})
	if text := l.Text("projects/shop/MEMORY.md"); strings.Contains(text, "concerns everything") {
		t.Errorf("still there:\n%s", text)
	}
}

// What the person writes below the title of a project's own lines stays there, and stays in the project.
func TestLinesOfAProjectStayInIt(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(3, l.Worked("run", 0, "a.go")...)
	l.Hears(memory.Rule, "the shop never rounds prices", l.Clock, 0.9)
	l.Note("The user prefers tabs over spaces", true)
	l.Dreams(state.DreamInput{Force: true})
	l.Change("projects/shop/MEMORY.md", func(text string) string {
		return strings.Replace(text, "### In this project\n\n", "### In this project\n\n- written by hand\n", 1)
	})
	for range 2 {
		l.Clock = l.Clock.Add(time.Hour)
		l.Dreams(state.DreamInput{Force: true})
	}
	text := l.Text("projects/shop/MEMORY.md")
	for _, want := range []string{"- written by hand", "- the shop never rounds prices (2026-11-15)", "prefers tabs"} {
		if strings.Count(text, want) != 1 {
			t.Errorf("%q is not there once:\n%s", want, text)
		}
	}
	l.Place = memory.Place{Identity: "/till/.git", Root: "/till"}
	l.See(300, l.Worked("till", 290, "till.go")...)
	l.Dreams(state.DreamInput{Force: true})
	if other := l.Text("projects/till/MEMORY.md"); strings.Contains(other, "written by hand") || !strings.Contains(other, "prefers tabs") {
		t.Errorf("the other project:\n%s", other)
	}
}

// A line that the person takes out or changes does not come back.
func TestAStatementTakenOutOfTheFileIsRejected(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(3, l.Worked("run", 0, "a.go")...)
	l.Hears(memory.Rule, "the shop never rounds prices", l.Clock, 0.9)
	l.Hears(memory.Rule, "every price has two decimals", l.Clock, 0.9)
	l.Hears(memory.Decision, "prices are kept in cents", l.Clock, 0.9)
	l.Hears(memory.Preference, "show prices in euros", l.Clock, 0.9)
	l.Dreams(state.DreamInput{Force: true})
	l.Change("projects/shop/MEMORY.md", func(text string) string {
		return strings.Replace(text, "two decimals", "three decimals", 1)
	})
	l.TakesOut("projects/shop/MEMORY.md", "the shop never rounds prices")
	for range 2 {
		l.Clock = l.Clock.Add(time.Hour)
		l.Dreams(state.DreamInput{Force: true})
	}
	text := l.Text("projects/shop/MEMORY.md")
	for words, want := range map[string]int{"never rounds": 0, "two decimals": 0, "three decimals": 1, "kept in cents": 1, "in euros": 1} {
		if n := strings.Count(text, words); n != want {
			t.Errorf("%q stands there %d times, want %d:\n%s", words, n, want, text)
		}
	}
	if text := l.Begin(answer.ContextInput{Scope: l.Scope(), Mode: "warm"}).Text; strings.Contains(text, "never rounds") {
		t.Errorf("the start still says it:\n%s", text)
	}
}

// A state that an agent wrote gets the statements by rules, whether it repeats them or leaves them out.
func TestAnAgentsStateKeepsWhatThePersonSaid(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(3, l.Worked("run", 0, "a.go")...)
	prefix := l.Hears(memory.Rule, "use prefix 'rwr/' for the branch name", l.Clock, 0.9)
	l.Hears(memory.Decision, "conflicts block and ask the user", l.Clock, 0.9)
	l.Dreams(state.DreamInput{Force: true})
	commit := func(change func(string) string) {
		t.Helper()
		s, err := state.ParseState(l.Text("projects/shop/MEMORY.md"))
		if err != nil {
			t.Fatal(err)
		}
		l.Clock = l.Clock.Add(time.Hour)
		out, err := steward.Run(t.Context(), l.Brain, state.DreamCommit, state.DreamCommitInput{Scope: l.Scope(), State: change(state.StateDocument(s))})
		if err != nil || len(out.Warnings) > 0 {
			t.Fatalf("%v, %v", out.Warnings, err)
		}
	}
	commit(func(text string) string {
		return strings.Replace(text, "## Active Context\n", "## Active Context\n\n- The work on branches goes on\n", 1)
	})
	text := l.Text("projects/shop/MEMORY.md")
	for _, want := range []string{"rwr/", "conflicts block", "goes on"} {
		if strings.Count(text, want) != 1 {
			t.Errorf("%q is not there once:\n%s", want, text)
		}
	}
	l.NoLongerHolds(prefix)
	commit(func(text string) string { return strings.ReplaceAll(text, "goes on", "is done") })
	if text := l.Text("projects/shop/MEMORY.md"); strings.Contains(text, "rwr/") || strings.Count(text, "conflicts block") != 1 {
		t.Errorf("after it no longer holds:\n%s", text)
	}
}

func TestTheStartShowsOnceWhatHoldsHere(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(10, append(l.Worked("one", 0, "cmd/root.go", "b.go"), l.Of("one", l.Event(memory.SessionEnded, 9)))...)
	start := func(run, source string) string {
		t.Helper()
		out := l.Begin(answer.ContextInput{
			Scope: l.Scope(), Mode: "warm", Source: source, Session: memory.NewSessionID("claude-code", run, l.Place.Project()),
		})
		return out.Text
	}
	if text := start("two", "startup"); strings.Contains(text, "What holds here") || strings.Contains(text, "Heard") {
		t.Errorf("nothing was said:\n%s", text)
	}
	at := braintest.Start.Add(5 * time.Minute)
	prefix := l.Hears(memory.Rule, "use prefix 'rwr/' for the branch name", at, 0.9)
	l.Hears(memory.Fact, "the root command has no flags of its own", at, 0.8, "cmd/root.go")
	l.Hears(memory.Fact, "the moon is far away from the earth", at, 0.8)
	l.Hears(memory.Fact, "a guess that nobody should rely on", at.AddDate(-1, 0, 0), 0.4)
	for _, dreamt := range []bool{false, true} {
		if dreamt {
			l.Dreams(state.DreamInput{Force: true})
		}
		text := start("two", "startup")
		for _, want := range []string{
			"- user, 15 Nov: “use prefix 'rwr/' for the branch name”\n",
			"- user, 15 Nov: “the root command has no flags of its own”\n",
		} {
			if strings.Count(text, want) != 1 {
				t.Errorf("dreamt %v: %q is not there once:\n%s", dreamt, want, text)
			}
		}
		status := braintest.Must(l, inspect.Status, inspect.StatusInput{Scope: l.Scope()})
		if !slices.Contains(status.Attention, "Heard in your prompts since the last session began: 3 statements (hebb memories --heard)") || strings.Contains(text, "Heard in") {
			t.Errorf("dreamt %v: the person is not shown what was heard, or the agent is: %q", dreamt, status.Attention)
		}
		if strings.Count(text, "rwr/") != 1 || strings.Contains(text, "a guess") || strings.Index(text, "rwr/") > strings.Index(text, "root command") {
			t.Errorf("dreamt %v:\n%s", dreamt, text)
		}
	}
	if text := start("one", "compact"); strings.Contains(text, "Heard in") || !strings.Contains(text, "rwr/") {
		t.Errorf("after a compaction:\n%s", text)
	}
	l.See(60, append(l.Worked("two", 50, "b.go"), l.Of("two", l.Event(memory.SessionEnded, 59)))...)
	if text := start("three", "startup"); strings.Contains(text, "Heard in") || !strings.Contains(text, "rwr/") {
		t.Errorf("the session after the next:\n%s", text)
	}
	// What is rejected is gone at once, although the next dream is still to come.
	braintest.Must(l, statements.Judge, statements.JudgeInput{ID: string(prefix.ID)})
	if text := start("three", "startup"); strings.Contains(text, "rwr/") || !strings.Contains(text, "the moon") {
		t.Errorf("after it was rejected:\n%s", text)
	}
}
