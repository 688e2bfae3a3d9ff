package goals_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/forget"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/state"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/vocab"
)

const midnight = "tokens of the gateway expire at midnight"

func TestHebbThinksBetweenTasksOnceForWhatIsNew(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(12, append(l.Talk("one", midnight, 0, "gate/token.go"), l.Of("one", l.Event(memory.SessionEnded, 11)))...)
	l.Wants(goals.GoalInput{Title: "Stop gateway tokens from expiring at midnight"})

	// The sleep of the first drain has thought deeply already; what follows is between tasks.
	after := l.Drains(13, steward.DrainInput{Sleep: true}, l.Asked("two", "what is for lunch today", 12.5), l.Of("two", l.Event(memory.TurnEnded, 12.8)))
	if after.Slept == nil || after.Slept.Thinking.Projects != 1 || after.Slept.Thinking.Connections == 0 || after.Thought.Projects != 0 {
		t.Fatalf("asleep: %+v, between: %+v", after.Slept, after.Thought)
	}
	found := l.Thoughts()
	if len(found) == 0 || !strings.Contains(found[0].Episode, "gateway") || !slices.Contains(found[0].Files, "gate/token.go") {
		t.Fatalf("%+v", found)
	}
	// What was found is shown: at the start of the next session, by hebb goals next, in the timeline.
	if start := l.Begin(answer.ContextInput{}).Text; !strings.Contains(start, "“Stop gateway tokens from expiring at midnight” may be helped by: ") {
		t.Errorf("the start does not tell it:\n%s", start)
	}
	next := l.Next()
	if len(next.Thoughts) != 1 || next.Thoughts[0].Title != "Stop gateway tokens from expiring at midnight" {
		t.Errorf("%+v", next.Thoughts)
	}
	moments, err := steward.Run(t.Context(), l.Brain, inspect.Timeline, inspect.TimelineInput{Scope: l.Scope()})
	startText := slices.IndexFunc(moments, func(m inspect.Moment) bool { return m.Kind == inspect.ThoughtMoment })
	if err != nil || startText < 0 || moments[startText].Text != "Stop gateway tokens from expiring at midnight" || len(moments[startText].Thoughts) != len(found) {
		t.Errorf("%+v, %v", moments, err)
	}

	// A task that ends is thought of, once.
	l.Wants(goals.GoalInput{Title: "Refresh the colours of the manual"})
	turn := l.Drains(14, steward.DrainInput{Sleep: true}, l.Asked("two", "mind the colours", 13.5), l.Of("two", l.Event(memory.TurnEnded, 13.8)))
	if turn.Slept != nil || turn.Thought.Projects != 1 {
		t.Errorf("after a task: slept %v, %+v", turn.Slept, turn.Thought)
	}
	if again := l.Drains(14.5, steward.DrainInput{Sleep: true}, l.Of("two", l.Event(memory.Compacting, 14.2))); again.Thought.Projects != 0 {
		t.Errorf("nothing is new: %+v", again.Thought)
	}
	// Somebody works on, and then nobody works for five minutes: the next start, or hebb drain, thinks, once.
	if soon := l.Drains(18, steward.DrainInput{Think: true}, l.Asked("two", "and the manual", 14.6)); soon.Thought.Projects != 0 {
		t.Errorf("too soon: %+v", soon.Thought)
	}
	if idle := l.Drains(20, steward.DrainInput{Think: true}); idle.Thought.Projects != 1 {
		t.Errorf("idle: %+v", idle.Thought)
	}
	begins := l.Event(memory.SessionStarted, 25)
	begins.AgentSession = "three"
	if start := l.Drains(25.1, steward.DrainInput{Sleep: true}, begins); start.Thought.Projects != 0 {
		t.Errorf("a start alone is nothing to think of: %+v", start.Thought)
	}
	// A drain that somebody waits for does not think.
	if read := l.See(60, append(l.Talk("four", midnight, 40, "gate/other.go"), l.Of("four", l.Event(memory.SessionEnded, 55)))...); read.Thought.Projects != 0 {
		t.Errorf("%+v", read.Thought)
	}
	if fresh := l.Drains(61, steward.DrainInput{Think: true}); fresh.Thought.Projects != 1 {
		t.Errorf("new work, and idle: %+v", fresh.Thought)
	}
}

func TestAConnectionThatWasWrongDoesNotComeBack(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(12, append(l.Talk("one", midnight, 0, "gate/token.go"), l.Of("one", l.Event(memory.SessionEnded, 11)))...)
	l.Wants(goals.GoalInput{Title: "Stop gateway tokens from expiring at midnight"})
	think := func() goals.ThinkResult {
		return must.Get(steward.Run(t.Context(), l.Brain, goals.Think, goals.ThinkInput{Scope: l.Scope()}))(t)
	}
	first := think()
	if len(first.Connections) == 0 {
		t.Fatal("nothing connected")
	}
	for _, c := range first.Connections {
		must.Get(steward.Run(t.Context(), l.Brain, goals.JudgeThought, goals.ThoughtInput{ID: fmt.Sprint(c.Number)}))(t)
	}
	if startText := l.Next().Thoughts; len(startText) != 0 {
		t.Errorf("it is shown all the same: %+v", startText)
	}
	l.Clock = l.Clock.Add(48 * time.Hour)
	if again := think(); len(again.Connections) != 0 {
		t.Errorf("%+v", again.Connections)
	}
}

func TestANoteThatIsForgottenIsNoThought(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(3, l.Worked("run", 0, "a.go")...)
	l.Clock = l.Clock.Add(time.Hour)
	note := l.Note("The gateway drops its tokens at midnight because the timer counts local days", false)
	l.Wants(goals.GoalInput{Title: "Stop gateway tokens from being dropped at midnight"})
	shown := func() int { return len(l.Next().Thoughts) }
	braintest.Must(l, goals.Think, goals.ThinkInput{Scope: l.Scope()})
	if shown() != 1 {
		t.Fatal("nothing connects to begin with")
	}
	must.Get(steward.Run(t.Context(), l.Brain, steward.Forget, forget.ForgetInput{IDs: []memory.EventID{memory.EventID(note.ID)}, Apply: true}))(t)
	if n := shown(); n != 0 {
		t.Errorf("%d connections with a note that is forgotten", n)
	}
}

func TestANoteIsConnectedOnce(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(3, l.Worked("run", 0, "a.go")...)
	l.Clock = l.Clock.Add(time.Hour)
	l.Note("The gateway drops its tokens at midnight because the timer counts local days", false)
	l.Wants(goals.GoalInput{Title: "Stop gateway tokens from being dropped at midnight"})
	dry := braintest.Must(l, goals.Think, goals.ThinkInput{Scope: l.Scope(), Dry: true})
	if len(dry.Connections) != 1 || dry.Connections[0].Number != 0 || len(l.Thoughts()) != 0 {
		t.Fatalf("a dry run: %+v", dry)
	}
	out := braintest.Must(l, goals.Think, goals.ThinkInput{Scope: l.Scope()})
	if len(out.Connections) != 1 || out.Connections[0].Number == 0 {
		t.Fatalf("%+v", out)
	}
	l.Clock = l.Clock.Add(48 * time.Hour)
	if again := braintest.Must(l, goals.Think, goals.ThinkInput{Scope: l.Scope()}); len(again.Connections) != 0 || again.Episodes != 1 {
		t.Errorf("%+v", again)
	}
}

func TestWhatPeopleStateIsAGoalAtOnceAndWhatTheySpeakOfIsMentioned(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(0, l.Of("first", l.Event(memory.SessionStarted, 0)))
	g := l.Wants(goals.GoalInput{Title: "Rotate the signing keys of the gateway", Origin: memory.OriginAgent})
	if !g.MentionedAt.IsZero() {
		t.Fatalf("%+v", g)
	}
	byAgent := l.Asked("one", "todo: rename the billing module\nalso rotate the signing keys of the gateway", 1)
	byAgent.Subagent = "helper"
	l.See(2, byAgent)
	if titles := l.GoalTitles(); len(titles) != 1 || !l.GoalNamed("signing").MentionedAt.IsZero() {
		t.Errorf("an agent's words move goals: %q", titles)
	}
	l.See(4, l.Asked("one", "How far are we with rotating the signing keys of the gateway? Todo: rename the billing module", 3))
	renamed := l.GoalNamed("billing module")
	if renamed.Origin != memory.OriginUser || !renamed.MentionedAt.Equal(braintest.Start.Add(3*time.Minute)) || renamed.From == 0 {
		t.Errorf("%+v", renamed)
	}
	if got := l.GoalNamed("signing").MentionedAt; !got.Equal(braintest.Start.Add(3 * time.Minute)) {
		t.Errorf("mentioned at %v", got)
	}
	// It is dropped while the session goes on, and stays dropped when that ends.
	must.Get(steward.Run(t.Context(), l.Brain, goals.ChangeGoal, goals.GoalChange{Scope: l.Scope(), Goal: "billing", Status: memory.GoalDropped, Progress: -1}))(t)
	l.See(9, l.Touched("one", memory.Edit, 5, "a.go"), l.Of("one", l.Event(memory.SessionEnded, 6)))
	if titles := l.GoalTitles(); len(titles) != 1 {
		t.Errorf("dropped, and back: %q", titles)
	}
	// Forgetting the session forgets what was read from it.
	must.Get(steward.Run(t.Context(), l.Brain, steward.Forget, forget.ForgetInput{Session: "one", Apply: true}))(t)
	if all := l.Goals(true); len(all.Closed) != 0 {
		t.Errorf("what was said is kept: %+v", all.Closed)
	}
}

func TestAStuckGoalIncubatesAndComesBack(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(0, l.Of("first", l.Event(memory.SessionStarted, 0)))
	l.Wants(goals.GoalInput{Title: "Stop two drains from racing for the spool lock", Files: []string{"spool/seal.go"}})
	// grind is a session that does the same as the last one: edits, the same test, the same failure.
	grind := func(n int) {
		run, at := fmt.Sprint("grind ", n), float64(200*n)
		events := []memory.Event{l.Asked(run, "try again", at)}
		for k := range 6 {
			failed := l.Of(run, l.Event(memory.ToolFailed, at+5*float64(k)+2))
			failed.Tool, failed.Input, failed.Text = "Bash", "go test ./spool", "--- FAIL: TestSeal (0.00s)\n    seal_test.go:12: two drains hold the lock"
			events = append(events, l.Touched(run, memory.Edit, at+5*float64(k)+1, "spool/seal.go"), failed)
		}
		l.See(at+40, append(events, l.Of(run, l.Event(memory.SessionEnded, at+35)))...)
	}
	titled := func() memory.Goal { return l.GoalNamed("two drains from racing") }
	for n := range 3 {
		if g := titled(); g.Status != memory.GoalActive || g.Stalled != n {
			t.Fatalf("before session %d: %+v", n+1, g)
		}
		grind(n)
	}
	g := titled()
	if g.Status != memory.GoalIncubating || g.Stalled != 3 {
		t.Fatalf("after three sessions in circles: %+v", g)
	}
	const line = "[INCUBATION] Stop two drains from racing for the spool lock stuck for 3 sessions. Switching."
	if !slices.Contains(l.Waiting(), line) {
		t.Errorf("the log line is missing: %q", l.Waiting())
	}
	for _, r := range l.Next().Next {
		if r.Goal.ID == g.ID {
			t.Error("somebody is sent to it")
		}
	}
	// It has not rested for a session: what happens now does not bring it back yet.
	think := func() goals.ThinkResult {
		return must.Get(steward.Run(t.Context(), l.Brain, goals.Think, goals.ThinkInput{Scope: l.Scope()}))(t)
	}
	l.Clock = l.Clock.Add(time.Hour)
	l.Note("Two drains race for the spool lock because it is released before the segment is sealed", false)
	if out := think(); len(out.Connections) != 0 || len(out.Woken) != 0 || titled().Status != memory.GoalIncubating {
		t.Errorf("it is not left alone: %+v", out)
	}
	// Five sessions of other work: each stage of what is left to do is shown at the start.
	startText := func() string { return l.Begin(answer.ContextInput{}).Text }
	for n := range 7 {
		if strings.Contains(startText(), "has incubated for") != (n >= 5) {
			t.Errorf("after %d sessions of rest:\n%s", n, startText())
		}
		run, at := fmt.Sprint("other ", n), float64(1000+20*n)
		l.See(at+3, l.Worked(run, at, fmt.Sprint("other", n, ".go"))...)
	}
	if text := startText(); !strings.Contains(text, "has incubated for 7 sessions and nothing came of it. Drop it, or say why it stays.") {
		t.Errorf("after seven:\n%s", text)
	}
	// Something new comes to mind after it has rested: it is taken up again.
	l.Clock = l.Clock.Add(12 * time.Hour)
	l.Note("Racing drains: the spool lock could be a lock on the open file, so that two drains never both hold it", false)
	if out := think(); len(out.Woken) != 1 || titled().Status != memory.GoalActive || titled().Stalled != 0 {
		t.Errorf("%+v, %+v", out.Woken, titled())
	}
}

func TestAGoalHoldsItsText(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(3, l.Worked("run", 0, "a.go")...)
	first := l.Wants(goals.GoalInput{Title: "Cut the release", Text: "Only when it was tried on a copy.", Files: []string{"a.go"}})
	l.Wants(goals.GoalInput{Title: "Write the migration", Files: []string{"a.go"}})
	for _, r := range l.Goals(false).Goals {
		if r.Priority.Connections != 1.1 {
			t.Errorf("%s: connections %v, want 1.1", r.Goal.Title, r.Priority.Connections)
		}
	}
	again := l.Wants(goals.GoalInput{Title: "cut the release", Text: "Tell the customers."})
	if again.ID != first.ID || again.Text != "Only when it was tried on a copy.\nTell the customers." {
		t.Errorf("what was said is lost: %+v", again)
	}
}

func TestPressureIsJudgedByWhatHappenedSinceTheDream(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(3, l.Worked("run", 0, "a.go")...)
	l.Note("Deploys happen on Tuesdays", false)
	if text := l.Begin(answer.ContextInput{}).Text; strings.Contains(text, "dream") {
		t.Errorf("nothing presses yet:\n%s", text)
	}
	lost := l.Of("run", l.Event(memory.Compacted, 10))
	l.See(11, l.Asked("run", "go on", 9), lost)
	if text := l.Begin(answer.ContextInput{}).Text; strings.Contains(text, "dream") {
		t.Errorf("that is for the person, not for the agent:\n%s", text)
	}
	due, err := brain.View(t.Context(), l.Store, func(tx *store.Tx) (string, error) {
		d, err := state.DreamDue(t.Context(), l.Config, tx, l.Place.Project())
		return d.Why, err
	})
	if err != nil || !strings.Contains(due, "a dream should run before more notes come: the context was compacted and 1 note waits") {
		t.Errorf("%q, %v", due, err)
	}
}

func TestAStuckGoalRestsUntilThereIsNewEvidence(t *testing.T) {
	t.Parallel()
	l := braintest.NewLab(t)
	l.See(0, l.Of("first", l.Event(memory.SessionStarted, 0)))
	l.Note("In the old version two drains raced for the spool lock only while a segment was being sealed", false)
	l.See(60, l.Worked("begin", 30, "spool/seal.go")...)
	l.Wants(goals.GoalInput{Title: "Stop two drains from racing for the spool lock", Files: []string{"spool/seal.go"}})
	l.See(220, l.Worked("work", 200, "spool/seal.go")...)
	must.Get(steward.Run(t.Context(), l.Brain, goals.ChangeGoal, goals.GoalChange{Scope: l.Scope(), Goal: "spool lock", Status: memory.GoalIncubating, Progress: -1}))(t)
	l.See(320, l.Worked("other", 300, "other.go")...)
	think := func() goals.ThinkResult {
		t.Helper()
		l.Clock = l.Clock.Add(24 * time.Hour)
		return braintest.Must(l, goals.Think, goals.ThinkInput{Scope: l.Scope()})
	}
	if out := think(); len(out.Connections) > 0 || len(out.Woken) > 0 {
		t.Errorf("what was known when it got stuck: %d connections, woken %q", len(out.Connections), out.Woken)
	}
	l.Note("Racing drains: the spool lock could be a lock on the open file, so that two drains never both hold it", false)
	if out := think(); len(out.Woken) != 1 {
		t.Errorf("new evidence did not wake it: %+v", out.Connections)
	}
}

func TestAGoalGoesWithTheMemoryItWasMadeOf(t *testing.T) {
	for name, end := range map[string]struct {
		run    func(*braintest.Lab, memory.Crystal) error
		closed int // goals that are kept as dropped
	}{
		"forgotten": {func(l *braintest.Lab, c memory.Crystal) error {
			_, err := steward.Run(t.Context(), l.Brain, steward.Forget, forget.ForgetInput{IDs: []memory.EventID{memory.EventID(c.ID)}, Apply: true})
			return err
		}, 0},
		"rejected": {func(l *braintest.Lab, c memory.Crystal) error {
			_, err := steward.Run(t.Context(), l.Brain, statements.Judge, statements.JudgeInput{ID: string(c.ID)})
			return err
		}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			l := braintest.NewLab(t)
			l.See(4, l.Asked("one", "fix the login", 3))
			c := l.Hears(memory.Intention, "We will rename the billing module later", l.Clock, 0.8)
			must.Do(t, l.Store.Update(t.Context(), func(tx *store.Tx) error { // as earlier versions made it
				g, _ := goals.Step(c.Text, vocab.Words)
				g.ID, g.Project, g.Origin, g.Status, g.From, g.CreatedAt, g.Links.Crystals = "heard", c.Project, c.Origin, memory.GoalActive, 1, tx.Now, []memory.CrystalID{c.ID}
				return store.Goals.Keep(t.Context(), tx, g)
			}))
			l.Wants(goals.GoalInput{Title: "Document the ledger export"})
			must.Do(t, end.run(l, c))
			l.See(9, l.Touched("one", memory.Edit, 5, "a.go"), l.Of("one", l.Event(memory.SessionEnded, 6)))
			if titles := l.GoalTitles(); !slices.Equal(titles, []string{"Document the ledger export"}) {
				t.Errorf("open: %q", titles)
			}
			if all := l.AllGoals(); len(all) != 1+end.closed {
				t.Errorf("%+v", all)
			}
		})
	}
}
