package brain

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/goal"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

// talk is an exchange of four turns about a topic, with a change of a file at its end.
func (l *lab) talk(run, topic string, minutes float64, file string) (events []memory.Event) {
	for k := range 4 {
		said := l.of(run, l.event(memory.TurnEnded, minutes+float64(2*k)+1))
		said.Origin, said.Text = memory.OriginAgent, fmt.Sprintf("Step %d about how %s", k, topic)
		events = append(events, l.asked(run, fmt.Sprintf("please look at %s, part %d", topic, k), minutes+float64(2*k)), said)
	}
	return append(events, l.touched(run, memory.Edit, minutes+9, file))
}

// drains drains as the background does after a hook, or as somebody who calls hebb drain.
func (l *lab) drains(minutes float64, in DrainInput, events ...memory.Event) DrainResult {
	l.t.Helper()
	l.clock = start.Add(time.Duration(minutes * float64(time.Minute)))
	for _, e := range events {
		if err := l.spool.Append(e); err != nil {
			l.t.Fatal(err)
		}
	}
	in.Wait = true
	r, err := Run(l.t.Context(), l.Brain, Drain, in)
	if err != nil {
		l.t.Fatal(err)
	}
	return r
}

func (l *lab) wants(in GoalInput) memory.Goal {
	l.t.Helper()
	in.Scope = l.scope()
	out, err := Run(l.t.Context(), l.Brain, AddGoal, in)
	if err != nil {
		l.t.Fatal(err)
	}
	return out.Goal
}

func (l *lab) goals(closed bool) GoalsResult {
	l.t.Helper()
	out, err := Run(l.t.Context(), l.Brain, Goals, GoalsInput{Scope: l.scope(), Closed: closed})
	if err != nil {
		l.t.Fatal(err)
	}
	return out
}

func (l *lab) goalNamed(words string) memory.Goal {
	l.t.Helper()
	for _, g := range l.goals(false).Goals {
		if strings.Contains(g.Goal.Title, words) {
			return g.Goal
		}
	}
	l.t.Fatalf("no goal %q in %q", words, l.goalTitles())
	return memory.Goal{}
}

func (l *lab) thoughts() (list []store.Thought) {
	l.t.Helper()
	err := l.store.View(l.t.Context(), func(tx *store.Tx) (err error) {
		list, err = tx.Thoughts(l.t.Context(), l.place.Project(), time.Time{}, 1000)
		return err
	})
	if err != nil {
		l.t.Fatal(err)
	}
	return list
}

func (l *lab) next() NextResult {
	l.t.Helper()
	out, err := Run(l.t.Context(), l.Brain, NextUp, ListInput{Scope: l.scope()})
	if err != nil {
		l.t.Fatal(err)
	}
	return out
}

const midnight = "tokens of the gateway expire at midnight"

func TestHebbThinksBetweenTasksOnceForWhatIsNew(t *testing.T) {
	l := newLab(t)
	l.see(12, append(l.talk("one", midnight, 0, "gate/token.go"), l.of("one", l.event(memory.SessionEnded, 11)))...)
	l.wants(GoalInput{Title: "Stop gateway tokens from expiring at midnight"})

	// The sleep of the first drain has thought deeply already; what follows is between tasks.
	after := l.drains(13, DrainInput{Sleep: true}, l.asked("two", "what is for lunch today", 12.5), l.of("two", l.event(memory.TurnEnded, 12.8)))
	if after.Slept == nil || after.Slept.Thinking.Projects != 1 || after.Slept.Thinking.Connections == 0 || after.Thought.Projects != 0 {
		t.Fatalf("asleep: %+v, between: %+v", after.Slept, after.Thought)
	}
	found := l.thoughts()
	if len(found) == 0 || found[0].Depth != "deep" || !strings.Contains(found[0].Episode, "gateway") || !slices.Contains(found[0].Files, "gate/token.go") {
		t.Fatalf("%+v", found)
	}
	// What was found is told: at the start of the next session, by hebb next, in the timeline.
	if start := l.begin(ContextInput{}).Text; !strings.Contains(start, "“Stop gateway tokens from expiring at midnight” may be helped by: ") {
		t.Errorf("the start does not tell it:\n%s", start)
	}
	next := l.next()
	if len(next.Thoughts) != 1 || next.Thoughts[0].Title != "Stop gateway tokens from expiring at midnight" {
		t.Errorf("%+v", next.Thoughts)
	}
	moments, err := Run(t.Context(), l.Brain, Timeline, TimelineInput{Scope: l.scope()})
	told := slices.IndexFunc(moments, func(m Moment) bool { return m.Kind == ThoughtMoment })
	if err != nil || told < 0 || moments[told].Text != "Stop gateway tokens from expiring at midnight" || len(moments[told].Thoughts) != len(found) {
		t.Errorf("%+v, %v", moments, err)
	}

	// A task that ends is thought of briefly, once.
	l.wants(GoalInput{Title: "Refresh the colours of the manual"})
	turn := l.drains(14, DrainInput{Sleep: true}, l.asked("two", "mind the colours", 13.5), l.of("two", l.event(memory.TurnEnded, 13.8)))
	if turn.Slept != nil || turn.Thought.Projects != 1 {
		t.Errorf("after a task: slept %v, %+v", turn.Slept, turn.Thought)
	}
	if again := l.drains(14.5, DrainInput{Sleep: true}, l.of("two", l.event(memory.Compacting, 14.2))); again.Thought.Projects != 0 {
		t.Errorf("nothing is new: %+v", again.Thought)
	}
	// Then nobody works for five minutes: the next start, or hebb drain, thinks fully, once.
	if soon := l.drains(18, DrainInput{Think: true}); soon.Thought.Projects != 0 {
		t.Errorf("too soon: %+v", soon.Thought)
	}
	if idle := l.drains(19, DrainInput{Think: true}); idle.Thought.Projects != 1 {
		t.Errorf("idle: %+v", idle.Thought)
	}
	begins := l.event(memory.SessionStarted, 25)
	begins.AgentSession = "three"
	if start := l.drains(25.1, DrainInput{Sleep: true}, begins); start.Thought.Projects != 0 {
		t.Errorf("a start alone is nothing to think of: %+v", start.Thought)
	}
	// A drain that somebody waits for does not think.
	if read := l.see(60, append(l.talk("four", midnight, 40, "gate/other.go"), l.of("four", l.event(memory.SessionEnded, 55)))...); read.Thought.Projects != 0 {
		t.Errorf("%+v", read.Thought)
	}
	if fresh := l.drains(61, DrainInput{Think: true}); fresh.Thought.Projects != 1 {
		t.Errorf("new work, and idle: %+v", fresh.Thought)
	}
}

func TestTwoProcessesNeverThinkAtOnce(t *testing.T) {
	l := newLab(t)
	l.see(12, append(l.talk("one", midnight, 0, "gate/token.go"), l.of("one", l.event(memory.SessionEnded, 11)))...)
	l.wants(GoalInput{Title: "Stop gateway tokens from expiring at midnight"})
	l.clock = start.Add(20 * time.Minute)
	err := l.store.Update(t.Context(), func(tx *store.Tx) error {
		_, err := tx.TakeLease(t.Context(), thinkLease, "another", "", time.Minute)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if r := l.drains(20.5, DrainInput{Think: true}); r.Thought.Projects != 0 || len(l.thoughts()) != 0 {
		t.Errorf("it thinks all the same: %+v", r.Thought)
	}
	if _, err := Run(t.Context(), l.Brain, Think, ThinkInput{Scope: l.scope()}); !errors.Is(err, memory.ErrConflict) || !strings.Contains(err.Error(), "try again") {
		t.Errorf("asked: %v", err)
	}
	if _, err := Run(t.Context(), l.Brain, Think, ThinkInput{Scope: l.scope(), Dry: true}); err != nil {
		t.Errorf("a dry run keeps nothing, and disturbs nobody: %v", err)
	}
	// One that died leaves a lease that ends.
	if r := l.drains(22, DrainInput{Think: true}); r.Thought.Projects != 1 {
		t.Errorf("the lease has ended: %+v", r.Thought)
	}
}

func TestThinkingIsBoundedInTime(t *testing.T) {
	l := newLab(t)
	for n := range 6 {
		at := float64(30 * n)
		run := fmt.Sprint("run ", n)
		l.see(at+12, append(l.talk(run, midnight, at, "gate/token.go"), l.of(run, l.event(memory.SessionEnded, at+11)))...)
	}
	l.wants(GoalInput{Title: "Stop gateway tokens from expiring at midnight"})
	asked := 0
	l.now = func() time.Time { asked++; return l.clock.Add(time.Duration(asked) * 4 * time.Second) } // each look at the clock takes four seconds
	out, err := Run(t.Context(), l.Brain, Think, ThinkInput{Scope: l.scope(), Depth: "deep", Dry: true})
	if err != nil || out.Ended != "its time is over" || len(out.Steps) > 4 {
		t.Errorf("%d steps, %q, %v", len(out.Steps), out.Ended, err)
	}
}

func TestNothingIsShownTwiceWithinSixHoursOfAWeek(t *testing.T) {
	l := newLab(t)
	l.see(0, l.of("first", l.event(memory.SessionStarted, 0)))
	topics := []string{midnight, "the manual has no page about pins", "gateway tokens are refreshed by a timer", "pins of the manual are out of order"}
	l.wants(GoalInput{Title: "Stop gateway tokens from expiring at midnight"})
	l.wants(GoalInput{Title: "Write the page about pins in the manual"})
	const hour = 60.0
	for day := range 7 {
		at := float64(day) * 24 * hour
		run := fmt.Sprint("day ", day)
		l.see(at+12, append(l.talk(run, topics[day%len(topics)], at, fmt.Sprint("f", day, ".go")), l.of(run, l.event(memory.SessionEnded, at+11)))...)
		for h := 1.0; h < 24; h++ { // somebody asks every hour, besides
			l.clock = start.Add(time.Duration((at + h*hour) * float64(time.Minute)))
			if _, err := Run(t.Context(), l.Brain, Think, ThinkInput{Scope: l.scope(), Depth: []string{"brief", "full", "deep"}[int(h)%3]}); err != nil {
				t.Fatal(err)
			}
		}
	}
	last := map[string]time.Time{}
	found := l.thoughts()
	if len(found) < 20 {
		t.Fatalf("only %d connections in a week", len(found))
	}
	for _, one := range slices.Backward(found) { // oldest first
		for _, key := range one.Keys[len(one.Keys)-1:] { // an episode may connect to several goals at once
			if before, shown := last[key]; shown && one.At.Sub(before) < 6*time.Hour && one.At.After(before) {
				t.Errorf("%q was shown at %v and again at %v", key, before, one.At)
			}
			last[key] = one.At
		}
	}
}

func TestPeopleMoveTheThresholdWithinBounds(t *testing.T) {
	l := newLab(t)
	l.see(12, append(l.talk("one", midnight, 0, "gate/token.go"), l.of("one", l.event(memory.SessionEnded, 11)))...)
	g := l.wants(GoalInput{Title: "Stop gateway tokens from expiring at midnight"})
	threshold := func() float64 {
		out, err := Run(t.Context(), l.Brain, Think, ThinkInput{Scope: l.scope(), Dry: true})
		if err != nil {
			t.Fatal(err)
		}
		return out.Threshold
	}
	judged := func(used bool, times int) {
		for range times {
			var number int64
			err := l.store.Update(t.Context(), func(tx *store.Tx) (err error) {
				number, err = tx.AddThought(t.Context(), store.Thought{Project: l.place.Project(), Goal: g.ID, At: l.clock, Strength: .6, Keys: []string{"x"}})
				return err
			})
			if err == nil {
				_, err = Run(t.Context(), l.Brain, JudgeThought, ThoughtInput{ID: fmt.Sprint(number), Used: used})
			}
			if err != nil {
				t.Fatal(err)
			}
			l.clock = l.clock.Add(time.Minute)
		}
	}
	if threshold() != goal.ThresholdStart {
		t.Errorf("at first %v", threshold())
	}
	judged(false, 1)
	if got := threshold(); got <= goal.ThresholdStart {
		t.Errorf("a wrong one lowers it to %v", got)
	}
	judged(true, 100)
	if got := threshold(); got != goal.ThresholdLeast {
		t.Errorf("a hundred that helped: %v, want %v", got, goal.ThresholdLeast)
	}
	judged(false, 100)
	if got := threshold(); got != goal.ThresholdMost {
		t.Errorf("a hundred that were wrong: %v, want %v", got, goal.ThresholdMost)
	}
}

func TestAConnectionThatWasWrongDoesNotComeBack(t *testing.T) {
	l := newLab(t)
	l.see(12, append(l.talk("one", midnight, 0, "gate/token.go"), l.of("one", l.event(memory.SessionEnded, 11)))...)
	l.wants(GoalInput{Title: "Stop gateway tokens from expiring at midnight"})
	think := func() ThinkResult {
		out, err := Run(t.Context(), l.Brain, Think, ThinkInput{Scope: l.scope(), Depth: "deep"})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	first := think()
	if len(first.Numbers) == 0 {
		t.Fatal("nothing connected")
	}
	for _, n := range first.Numbers {
		if _, err := Run(t.Context(), l.Brain, JudgeThought, ThoughtInput{ID: fmt.Sprint(n)}); err != nil {
			t.Fatal(err)
		}
	}
	if told := l.next().Thoughts; len(told) != 0 {
		t.Errorf("it is told all the same: %+v", told)
	}
	l.clock = l.clock.Add(48 * time.Hour)
	if again := think(); len(again.Connections) != 0 {
		t.Errorf("%+v", again.Connections)
	}
}

func TestANoteComesToMindAndTheGoalIsTiedToIt(t *testing.T) {
	l := newLab(t)
	l.see(3, l.worked("run", 0, "a.go")...)
	l.clock = l.clock.Add(time.Hour)
	n := l.note("The gateway drops its tokens at midnight because the timer counts local days", false)
	l.wants(GoalInput{Title: "Stop gateway tokens from being dropped at midnight"})
	out, err := Run(t.Context(), l.Brain, Think, ThinkInput{Scope: l.scope(), Depth: "deep"})
	if err != nil || len(out.Connections) != 1 || out.Connections[0].Episode.Kind != goal.Noticed || out.Connections[0].Episode.Crystal != n.ID {
		t.Fatalf("%+v, %v", out, err)
	}
	if !out.Connections[0].Strong || !slices.Contains(l.goalNamed("gateway").Links.Crystals, n.ID) {
		t.Errorf("%+v, links %+v", out.Connections[0], l.goalNamed("gateway").Links)
	}
	// Its own note is no news, however often it thinks.
	l.clock = l.clock.Add(48 * time.Hour)
	again, err := Run(t.Context(), l.Brain, Think, ThinkInput{Scope: l.scope(), Depth: "deep"})
	for _, s := range again.Steps {
		if strings.Contains(s.Episode.Text, "may help with") {
			t.Errorf("it thinks of its own thought: %q, %v", s.Episode.Text, err)
		}
	}
}

func TestGoalsOfASessionAreNotHeldAgainstIt(t *testing.T) {
	l := newLab(t)
	events := l.talk("one", midnight, 0, "gate/token.go")
	last := l.of("one", l.event(memory.TurnEnded, 10))
	last.Origin, last.Text = memory.OriginAgent, "Done for now.\n\nStill to do: stop gateway tokens from expiring at midnight."
	l.see(12, append(events, last, l.of("one", l.event(memory.SessionEnded, 11)))...)
	l.goalNamed("expiring at midnight")
	out, err := Run(t.Context(), l.Brain, Think, ThinkInput{Scope: l.scope(), Depth: "deep"})
	if err != nil || len(out.Steps) == 0 || len(out.Connections) != 0 {
		t.Errorf("%+v, %v", out, err)
	}
}

func TestWhatPeoplePutOffIsAGoalAtOnceAndWhatTheySpeakOfIsMentioned(t *testing.T) {
	l := newLab(t)
	l.see(0, l.of("first", l.event(memory.SessionStarted, 0)))
	g := l.wants(GoalInput{Title: "Rotate the signing keys of the gateway", Origin: memory.OriginAgent})
	if !g.MentionedAt.IsZero() {
		t.Fatalf("%+v", g)
	}
	byAgent := l.asked("one", "don't forget to rename the billing module later; also rotate the signing keys of the gateway", 1)
	byAgent.Subagent = "helper"
	l.see(2, byAgent)
	if titles := l.goalTitles(); len(titles) != 1 || !l.goalNamed("signing").MentionedAt.IsZero() {
		t.Errorf("an agent's words move goals: %q", titles)
	}
	l.see(4, l.asked("one", "How far are we with rotating the signing keys of the gateway? Don't forget to rename the billing module.", 3))
	renamed := l.goalNamed("billing module")
	if renamed.Origin != memory.OriginUser || !renamed.MentionedAt.Equal(start.Add(3*time.Minute)) || renamed.From == 0 {
		t.Errorf("%+v", renamed)
	}
	if got := l.goalNamed("signing").MentionedAt; !got.Equal(start.Add(3 * time.Minute)) {
		t.Errorf("mentioned at %v", got)
	}
	// It is dropped while the session goes on, and stays dropped when that ends.
	if _, err := Run(t.Context(), l.Brain, ChangeGoal, GoalChange{Scope: l.scope(), Goal: "billing", Status: memory.GoalDropped, Progress: -1}); err != nil {
		t.Fatal(err)
	}
	l.see(9, l.touched("one", memory.Edit, 5, "a.go"), l.of("one", l.event(memory.SessionEnded, 6)))
	if titles := l.goalTitles(); len(titles) != 1 {
		t.Errorf("dropped, and back: %q", titles)
	}
	// Forgetting the session forgets what was read from it.
	if _, err := Run(t.Context(), l.Brain, Forget, ForgetInput{Session: "one", Apply: true}); err != nil {
		t.Fatal(err)
	}
	if all := l.goals(true); len(all.Closed) != 0 {
		t.Errorf("what was said is kept: %+v", all.Closed)
	}
}

func TestAStuckGoalIncubatesAndComesBack(t *testing.T) {
	l := newLab(t)
	l.see(0, l.of("first", l.event(memory.SessionStarted, 0)))
	l.wants(GoalInput{Title: "Stop two drains from racing for the spool lock", Files: []string{"spool/seal.go"}})
	// grind is a session that does the same as the last one: edits, the same test, the same failure.
	grind := func(n int) {
		run, at := fmt.Sprint("grind ", n), float64(200*n)
		events := []memory.Event{l.asked(run, "try again", at)}
		for k := range 6 {
			failed := l.of(run, l.event(memory.ToolFailed, at+5*float64(k)+2))
			failed.Tool, failed.Input, failed.Text = "Bash", "go test ./spool", "--- FAIL: TestSeal (0.00s)\n    seal_test.go:12: two drains hold the lock"
			events = append(events, l.touched(run, memory.Edit, at+5*float64(k)+1, "spool/seal.go"), failed)
		}
		l.see(at+40, append(events, l.of(run, l.event(memory.SessionEnded, at+35)))...)
	}
	titled := func() memory.Goal { return l.goalNamed("two drains from racing") }
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
	if !slices.Contains(l.waiting(), line) {
		t.Errorf("the log line is missing: %q", l.waiting())
	}
	for _, r := range l.next().Next {
		if r.Goal.ID == g.ID {
			t.Error("somebody is sent to it")
		}
	}
	// It has not rested for a session: a connection, however strong, does not bring it back.
	think := func() ThinkResult {
		out, err := Run(t.Context(), l.Brain, Think, ThinkInput{Scope: l.scope(), Depth: "deep"})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	l.clock = l.clock.Add(time.Hour)
	l.note("Two drains race for the spool lock because it is released before the segment is sealed", false)
	if out := think(); len(out.Connections) == 0 || len(out.Woken) != 0 || titled().Status != memory.GoalIncubating {
		t.Errorf("kept in replay, and left alone: %+v", out)
	}
	// Five sessions of other work: each stage of what is left to do is told at the start.
	told := func() string { return l.begin(ContextInput{}).Text }
	for n := range 7 {
		if strings.Contains(told(), "has incubated for") != (n >= 5) {
			t.Errorf("after %d sessions of rest:\n%s", n, told())
		}
		run, at := fmt.Sprint("other ", n), float64(1000+20*n)
		l.see(at+3, l.worked(run, at, fmt.Sprint("other", n, ".go"))...)
	}
	if text := told(); !strings.Contains(text, "has incubated for 7 sessions and nothing came of it. Drop it, or say why it stays.") {
		t.Errorf("after seven:\n%s", text)
	}
	// Something new comes to mind after it has rested: it is taken up again.
	l.clock = l.clock.Add(12 * time.Hour)
	l.note("Racing drains: the spool lock could be a lock on the open file, so that two drains never both hold it", false)
	if out := think(); len(out.Woken) != 1 || titled().Status != memory.GoalActive || titled().Stalled != 0 {
		t.Errorf("%+v, %+v", out.Woken, titled())
	}
}

func TestAnotherApproachIsNotStuck(t *testing.T) {
	l := newLab(t)
	l.see(0, l.of("first", l.event(memory.SessionStarted, 0)))
	l.wants(GoalInput{Title: "Stop two drains from racing for the spool lock", Files: []string{"spool/seal.go", "spool/open.go", "spool/lock.go", "spool/wait.go"}})
	for n, file := range []string{"spool/seal.go", "spool/open.go", "spool/lock.go", "spool/wait.go"} {
		run, at := fmt.Sprint("run ", n), float64(200*n)
		events := []memory.Event{l.asked(run, "try another way", at)}
		for k := range 6 {
			events = append(events, l.touched(run, memory.Edit, at+5*float64(k)+1, file))
		}
		l.see(at+40, append(events, l.of(run, l.event(memory.SessionEnded, at+35)))...)
	}
	if g := l.goalNamed("two drains"); g.Status != memory.GoalActive || g.Stalled != 4 {
		t.Errorf("%+v", g)
	}
}

func TestGapsThatComeBackIncubateUntilTheyAreFilled(t *testing.T) {
	l := newLab(t)
	l.see(3, l.worked("run", 0, "a.go")...)
	for _, text := range []string{"We decided to keep prices in cents", "The staging server is called oslo", "Deploys happen on Tuesdays", "The till speaks French"} {
		l.note(text, false)
	}
	const question = "where do refund webhooks get their retry schedule"
	l.asks(question)
	sleep := func() {
		t.Helper()
		l.clock = l.clock.Add(time.Hour)
		if _, err := Run(t.Context(), l.Brain, Sleep, SleepInput{}); err != nil {
			t.Fatal(err)
		}
	}
	sleep()
	if titles := l.goalTitles(); len(titles) != 0 {
		t.Fatalf("once may be a slip: %q", titles)
	}
	l.asks(question)
	sleep()
	sleep()
	g := l.goalNamed("refund webhooks")
	if len(l.goalTitles()) != 1 || g.Kind != memory.GoalGap || g.Status != memory.GoalIncubating || g.Tractability >= usualTractability ||
		!strings.HasPrefix(g.Text, noticed+"searched for and not found, 2 times") {
		t.Errorf("%q: %+v", l.goalTitles(), g)
	}
	if next := l.next(); len(next.Next) != 0 || len(next.Resting) != 0 {
		t.Errorf("somebody is sent to it: %+v", next)
	}
	l.note("Refund webhooks get their retry schedule from the billing queue", false)
	sleep()
	if titles := l.goalTitles(); len(titles) != 0 {
		t.Errorf("it is filled: %q", titles)
	}
	// Somebody states it: then it is a goal like any other.
	const other = "which colour has the door of the cellar"
	l.asks(other)
	l.asks(other)
	sleep()
	l.goalNamed("cellar")
	if known := l.wants(GoalInput{Title: "Find out which colour has the door of the cellar"}); known.Status != memory.GoalActive || known.Kind != memory.GoalAim {
		t.Errorf("%+v", known)
	}
}

func TestAGoalHoldsItsTextAndWhatItHangsOn(t *testing.T) {
	l := newLab(t)
	l.see(3, l.worked("run", 0, "a.go")...)
	n := l.note("The migration was tried on a copy", false)
	first := l.wants(GoalInput{Title: "Write the migration"})
	second := l.wants(GoalInput{Title: "Cut the release", Text: "Only when it was tried on a copy.", Crystals: []string{string(n.ID)}, Goals: []string{"migration"}})
	if second.Text != "Only when it was tried on a copy." || !slices.Equal(second.Links.Crystals, []memory.CrystalID{n.ID}) || !slices.Equal(second.Links.Goals, []memory.GoalID{first.ID}) {
		t.Errorf("%+v", second)
	}
	for _, r := range l.goals(false).Goals {
		if r.Priority.Connections != 1.1 {
			t.Errorf("%s: connections %v, want 1.1", r.Goal.Title, r.Priority.Connections)
		}
	}
	again := l.wants(GoalInput{Title: "cut the release", Text: "Tell the customers."})
	if again.ID != second.ID || again.Text != "Only when it was tried on a copy.\nTell the customers." {
		t.Errorf("what was said is lost: %+v", again)
	}
	for _, in := range []GoalInput{{Title: "x y", Crystals: []string{"nothing"}}, {Title: "x y", Goals: []string{"nothing"}}} {
		in.Scope = l.scope()
		if _, err := Run(t.Context(), l.Brain, AddGoal, in); err == nil {
			t.Errorf("%+v hangs on nothing", in)
		}
	}
}

func TestThoughtsComeFromDifferentPartsOfTheRealGraph(t *testing.T) {
	l := newLab(t)
	for n := range 4 { // two parts: what is touched together is wired
		l.visit(fmt.Sprint("gate ", n), float64(30*n), "gate/a.go", "gate/b.go", "gate/c.go")
		l.visit(fmt.Sprint("manual ", n), float64(30*n+15), "manual/a.md", "manual/b.md", "manual/c.md")
	}
	episode := func(files ...string) goal.Episode { return goal.Episode{Files: files} }
	err := l.store.View(t.Context(), func(tx *store.Tx) error {
		parts, err := communities(t.Context(), tx, l.place.Project(), []goal.Episode{
			episode("gate/a.go"), episode("gate/c.go", "gate/b.go"), episode("manual/b.md"), episode("unknown.go"), episode(),
		})
		if err != nil || parts[0] != parts[1] || parts[0] == parts[2] || parts[3] == parts[0] || parts[3] == parts[2] || parts[4] >= 0 {
			t.Errorf("%v, %v", parts, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestPressureIsJudgedByWhatHappenedSinceTheDream(t *testing.T) {
	l := newLab(t)
	l.see(3, l.worked("run", 0, "a.go")...)
	l.note("Deploys happen on Tuesdays", false)
	if text := l.begin(ContextInput{}).Text; strings.Contains(text, "dream") {
		t.Errorf("nothing presses yet:\n%s", text)
	}
	lost := l.of("run", l.event(memory.Compacted, 10))
	l.see(11, l.asked("run", "go on", 9), lost)
	if text := l.begin(ContextInput{}).Text; !strings.Contains(text, "A dream is due: notes should be dreamt over before more come: the context was compacted and 1 note waits") {
		t.Errorf("a context was lost:\n%s", text)
	}
	due, err := viewed(t.Context(), l.Brain, func(tx *store.Tx) (string, error) {
		d, err := l.dreamDue(t.Context(), tx, l.place.Project())
		return d.Why, err
	})
	if err != nil || !strings.Contains(due, "the context was compacted") {
		t.Errorf("%q, %v", due, err)
	}
}
