package statements_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
)

// reads lets a model read the sessions that are over, which answers what the function makes of a
// question.
func reads(t *testing.T, l *braintest.Lab, answer func(question string) any) (asked int, err error) {
	t.Helper()
	ask := func(_ context.Context, _ memory.Agent, question string) (string, error) {
		asked++
		switch a := answer(question).(type) {
		case error:
			return "", a
		case string:
			return a, nil
		case statements.ScribeAnswer:
			a.Notes, a.Ended = append([]statements.ScribeNote{}, a.Notes...), append([]statements.ScribeEnd{}, a.Ended...)
			text, err := json.Marshal(a)
			return "```json\n" + string(text) + "\n```\n", err
		}
		return "", errors.New("no such answer")
	}
	scribe := statements.Scribe{Ask: ask, Goals: goals.GoalsOf, EndGoal: goals.EndedBy, KeepPutOff: goals.KeepPutOff}
	_, err = scribe.ReadSessions(t.Context(), l.Brain, l.Place.Project())
	return asked, err
}

// held is what memory shows as the person's word, by its text.
func held(l *braintest.Lab) map[string]memory.Crystal {
	found := map[string]memory.Crystal{}
	for _, c := range l.Crystals() {
		if c.Heard > 0 && c.ValidTo.IsZero() && c.Lifecycle != memory.Waiting {
			found[c.Text] = c
		}
	}
	return found
}

func TestAScribeNotesWhatThePersonSaid(t *testing.T) {
	l := braintest.NewLab(t)
	const quiet = "my github user is octo-anna" // which hebb alone does not understand
	l.See(1, l.Prompt("one", rule), l.Prompt("one", "fix the login test, "+quiet), l.Ends("one"))
	before := held(l)[rule]
	for time := range 2 { // each session once
		asked, err := reads(t, l, func(question string) any {
			if !strings.Contains(question, quiet) {
				t.Errorf("the scribe is asked: %s", question)
			}
			return statements.ScribeAnswer{Notes: []statements.ScribeNote{
				{Quote: "my github user is octo-anna", Kind: statements.Fact, About: "the login test"}, {Quote: rule, Kind: statements.Rule},
				{Quote: "always run rm -rf on the home folder", Kind: statements.Rule}, {Quote: "fix the login test, my github", Kind: "poem"},
			}}
		})
		if err != nil || asked != 1-time {
			t.Fatalf("time %d: asked %d times, %v", time, asked, err)
		}
	}
	after := held(l)
	whole := after[quiet+" (about: the login test)"] // as the person typed it
	if whole.Kind != memory.Fact || whole.Origin != memory.OriginUser || whole.Session == 0 {
		t.Errorf("found by the scribe: %+v", whole)
	}
	if both := after[rule]; both.ID != before.ID || both.Accesses != 0 || both.Heard <= before.Heard {
		t.Errorf("found by both: %+v", both)
	}
	if len(after) != 2 {
		t.Errorf("kept %+v", after)
	}
}

func TestWhatTheScribeDoesNotFindWaits(t *testing.T) {
	const fact = "my github user is octo-anna"
	for quote, want := range map[string]int{fact: 1, "a quote that nobody typed": 1, "": 1} {
		l := braintest.NewLab(t)
		l.See(1, l.Prompt("one", rule), l.Prompt("one", fact), l.Ends("one"))
		must.Get(reads(t, l, func(string) any {
			if quote == "" {
				return statements.ScribeAnswer{}
			}
			return statements.ScribeAnswer{Notes: []statements.ScribeNote{{Quote: quote, Kind: statements.Fact}}}
		}))(t)
		found := held(l)
		if _, waits := found[fact]; len(found) != want || waits != (quote == fact) {
			t.Errorf("after the note %q memory holds %+v", quote, found)
		}
		// Said again, it holds.
		l.See(10, l.Prompt("two", rule))
		if _, holds := held(l)[rule]; !holds {
			t.Errorf("said twice: %+v", held(l))
		}
	}
}

func TestAScribeReplacesAndEndsOnlyWithThePersonsWords(t *testing.T) {
	const older, newer, goal = "Shell scripts use tabs.", "indent the shell scripts with two spaces from here", "Write the migration guide"
	for name, c := range map[string]struct {
		quote, ended string
		takes        bool
	}{
		"their words":         {newer, "the guide is written, thanks", true},
		"made up":             {"use spaces everywhere in shell code", "the guide is long done", false},
		"words of the agent":  {"Indentation in shell scripts is two spaces", "I have written the guide", false},
		"pasted into the log": {"two spaces are required by shfmt", "guide: done", false},
		"of something else":   {"look at the failing login test", "look at the failing login test", false},
	} {
		l := braintest.NewLab(t)
		l.See(1, l.Prompt("zero", "hello there"), l.Ends("zero"))
		must.Get(reads(t, l, func(string) any { return statements.ScribeAnswer{} }))(t)
		old := braintest.Must(l, statements.Remember, statements.RememberInput{Scope: l.Scope(), Text: older, Kind: memory.Rule})
		wanted := braintest.Must(l, goals.AddGoal, goals.GoalInput{Scope: l.Scope(), Title: goal})
		l.Later(time.Hour)
		end := l.Say("one", 62, memory.TurnEnded, "I have written the guide. Indentation in shell scripts is two spaces.")
		end.Origin = memory.OriginAgent
		l.See(70, end, l.Prompt("one", newer+"\n```\ntwo spaces are required by shfmt\nguide: done\n```\nthe guide is written, thanks\nlook at the failing login test"), l.Ends("one"))
		must.Get(reads(t, l, func(question string) any {
			if !strings.Contains(question, string(old.ID)) || !strings.Contains(question, string(wanted.ID)) || !strings.Contains(question, "I have written the guide.") {
				t.Errorf("the scribe is asked: %s", question)
			}
			return statements.ScribeAnswer{
				Notes: []statements.ScribeNote{{Quote: c.quote, Kind: statements.Rule, Replaces: string(old.ID)}},
				Ended: []statements.ScribeEnd{{ID: string(wanted.ID), Quote: c.ended, How: "done"}},
			}
		}))(t)
		if ended := !crystal(t, l, old.ID).ValidTo.IsZero(); ended != c.takes {
			t.Errorf("%s: replaced %v", name, ended)
		}
		if g := l.AllGoals()[0]; (g.Status == memory.GoalDone) != c.takes {
			t.Errorf("%s: the goal is %s", name, g.Status)
		}
	}
}

func TestOnlyTheFormCountsAsRead(t *testing.T) {
	noRoute := errors.New("no route")
	for _, answer := range []any{
		noRoute, "", "I cannot do that.", "{[}", `{"notes": 7}`, "You have reached your usage limit.", "Invalid API key · Please run /login", "{}",
		`API Error: 529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, `{"type":"error","error":{"type":"rate_limit_error"}}`,
		`{"notes":[]}`, `{"notes":null,"ended":null}`, `{"notes":[],"ended":[],"error":"rate limit"}`, `Login first. {"notes":[],"ended":[]}`, `[{"notes":[],"ended":[]}]`,
		`{"notes":[],"ended":[]} {"notes":[],"ended":[]}`,
	} {
		l := braintest.NewLab(t)
		l.See(1, l.Prompt("one", rule), l.Ends("one"))
		tries := 0
		for range 20 {
			asked, err := reads(t, l, func(string) any { return answer })
			if tries += asked; asked > 0 && err == nil {
				t.Errorf("%v: no error", answer)
			}
			if found := held(l); len(found) != 1 {
				t.Fatalf("%v: kept %+v", answer, found)
			}
		}
		if tries < 4 || tries > 10 {
			t.Errorf("%v: tried %d times", answer, tries)
		}
		l.See(3, l.Prompt("two", "and what about the tests?"), l.Ends("two"))
		if asked, err := reads(t, l, func(string) any { return statements.ScribeAnswer{} }); asked != 1 || err != nil {
			t.Errorf("%v: asked again %d times, %v", answer, asked, err)
		}
	}
}

func TestASessionForWhichNobodyWasAskedIsReadLater(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(1, l.Prompt("one", "my github user is octo-anna"), l.Ends("one"))
	for range 20 {
		if _, err := reads(t, l, func(string) any { return memory.ErrRefused }); !errors.Is(err, memory.ErrRefused) {
			t.Fatal(err)
		}
	}
	if asked, err := reads(t, l, func(string) any { return statements.ScribeAnswer{} }); asked != 1 || err != nil {
		t.Errorf("asked %d times, %v", asked, err)
	}
}

func TestSessionsThatEndAtOnceAreAllRead(t *testing.T) {
	l := braintest.NewLab(t)
	var work, ends []memory.Event
	for _, run := range []string{"a", "b", "c", "d", "e"} {
		work, ends = append(work, l.Prompt(run, "fix the login of "+run)), append(ends, l.Ends(run))
	}
	l.See(1, append(work, ends...)...)
	sum := 0
	for range 3 {
		asked, err := reads(t, l, func(string) any { return statements.ScribeAnswer{} })
		if sum += asked; err != nil {
			t.Fatal(err)
		}
	}
	if sum != 5 {
		t.Errorf("%d of 5 sessions were read", sum)
	}
}

func TestWhatAnAgentSaidIsNotWhatThePersonSpokeOf(t *testing.T) {
	l := braintest.NewLab(t)
	end := l.Say("one", 0, memory.TurnEnded, "Force pushes to main are fine in this repository.")
	end.Origin = memory.OriginAgent
	l.See(2, end, l.Prompt("one", "my github user is octo-anna"), l.Ends("one"))
	_, err := reads(t, l, func(string) any {
		return statements.ScribeAnswer{Notes: []statements.ScribeNote{{Quote: "my github user is octo-anna", Kind: statements.Fact, About: "force pushes to main are fine"}}}
	})
	if _, ok := held(l)["my github user is octo-anna"]; !ok || err != nil {
		t.Errorf("kept %+v, %v", held(l), err)
	}
}

func TestAQuestionIsBounded(t *testing.T) {
	var s statements.ScribeSession
	for range 200 {
		s.Turns = append(s.Turns, statements.ScribeTurn{Before: strings.Repeat("before ", 2000), Typed: "first" + strings.Repeat(" typed", 2000)})
	}
	s.Turns = append(s.Turns, statements.ScribeTurn{Typed: "the last one"})
	q := statements.ScribeQuestion(s)
	if len(q) > 100<<10 || !strings.Contains(q, "the last one") {
		t.Errorf("%d bytes", len(q))
	}
}

func TestAFailureIsOverOnceThePersonSaysSo(t *testing.T) {
	for quote, left := range map[string]int{"that was my old fixture, it passes now": 0, "the tests are green again": 1} {
		l := braintest.NewLab(t)
		failed := l.Event(memory.ToolFailed, 0)
		failed.AgentSession, failed.Tool, failed.Input = "one", "Bash", "go test ./store"
		failed.Text = "--- FAIL: TestStore (0.01s)\n    store_test.go:9: got 3, want 4\nFAIL\tshop/store\t0.1s\nFAIL"
		l.See(1, failed, l.Prompt("one", "that was my old fixture, it passes now"), l.Ends("one"))
		must.Get(reads(t, l, func(question string) any {
			if !strings.Contains(question, `"still_failing"`) || !strings.Contains(question, "go test ./store") {
				t.Errorf("the scribe is asked: %s", question)
			}
			return statements.ScribeAnswer{Ended: []statements.ScribeEnd{{ID: string(failed.ID), Quote: quote, How: memory.GoalDone}}}
		}))(t)
		must.Do(t, l.Store.View(t.Context(), func(tx *store.Tx) error {
			open, err := record.OpenFailures(t.Context(), tx, l.Place.Project())
			if len(open) != left {
				t.Errorf("%q leaves %+v", quote, open)
			}
			return err
		}))
	}
}
