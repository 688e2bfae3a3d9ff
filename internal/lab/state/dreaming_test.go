package state_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/forget"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/state"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/texts"
)

func TestANoteIsSafeAtOnceAndDreamtOnce(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(3, l.Worked("run", 0, "a.go")...)
	texts := []string{
		"The user prefers tabs over spaces", "The gateway refreshes tokens at midnight UTC", "We decided to keep prices in cents",
		"The login broke because the clock of the till was wrong", "The staging server is called oslo", "Deploys happen on Tuesdays",
		"ok", "User's name is Ada",
	}
	for i, text := range texts {
		out := l.Note(text, i == len(texts)-1)
		if !out.Waiting || !l.Finds(text) {
			t.Errorf("%q: %+v", text, out)
		}
	}
	if scratch := l.Text("projects/shop/scratch.md"); strings.Count(scratch, "(importance: ") != 7 || !strings.HasPrefix(scratch, "# Scratch Buffer (Working Memory WAL)\n") {
		t.Errorf("scratch.md:\n%s", scratch)
	}
	// What a person writes there by hand is a note, once.
	l.Change("projects/shop/scratch.md", func(s string) string { return s + "remember the milk\n- and the bread\n" })
	out := l.Dreams(state.DreamInput{})
	if !out.Run || out.Notes != len(texts)+2 || len(l.Waiting()) != 0 {
		t.Fatalf("%+v, waiting %q", out, l.Waiting())
	}
	document := l.Text("projects/shop/MEMORY.md")
	for _, want := range append(texts, "remember the milk", "and the bread") {
		if !l.Finds(want) {
			t.Errorf("%q is no crystal any more", want)
		}
		if want != "ok" && !strings.Contains(document, strings.TrimSuffix(want, ".")) {
			t.Errorf("%q is not in the state:\n%s", want, document)
		}
	}
	for s := range state.SectionCount {
		if !strings.Contains(document, "## "+s.String()) {
			t.Errorf("no section %s", s)
		}
	}
	if again := l.Dreams(state.DreamInput{}); again.Run {
		t.Errorf("dreamt again at once: %+v", again)
	}
	if forced := l.Dreams(state.DreamInput{Force: true}); !forced.Shallow && forced.Notes != 0 {
		t.Errorf("forced: %+v", forced)
	}
	if strings.Contains(l.Text("projects/shop/scratch.md"), "importance") {
		t.Error("the scratch still holds notes")
	}
	if start := l.Begin(answer.ContextInput{Mode: "warm"}).Text; !strings.Contains(start, "tabs over spaces") {
		t.Errorf("the next session does not know:\n%s", start)
	}
}

func TestANoteLeavesTheOtherFilesOfAProjectAlone(t *testing.T) {
	t.Parallel()
	l := braintest.NewLab(t)
	l.See(3, l.Worked("run", 0, "a.go")...)
	l.Note("The staging server is called oslo", false)
	l.Dreams(state.DreamInput{Force: true})
	before := l.Text("projects/shop/MEMORY.md")
	l.Note("Deploys happen on Tuesdays", false)
	if after := l.Text("projects/shop/MEMORY.md"); after != before {
		t.Errorf("MEMORY.md after a note:\n%s\n\nbefore:\n%s", after, before)
	}
}

func TestWhatAPersonWritesIntoTheStateStays(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(3, l.Worked("run", 0, "a.go")...)
	for n := range 6 {
		l.Note(fmt.Sprintf("Fact number %d is about thing %d of the shop", n, n), false)
	}
	l.Dreams(state.DreamInput{})
	l.Change("projects/shop/MEMORY.md", func(s string) string {
		s = strings.Replace(s, "## The Bond\n", "## The Bond\n\n- Ada and I met in Oslo, and she hates long mails.\n", 1)
		return "My own words above.\n\n" + s + "\nMy own words below.\n"
	})
	for n := range 12 {
		l.Clock = l.Clock.Add(13 * time.Hour)
		at := l.Clock.Sub(braintest.Start).Minutes()
		l.See(at+3, l.Worked(fmt.Sprint("later ", n), at, fmt.Sprint("f", n, ".go"))...)
		for k := range 4 {
			l.Note(fmt.Sprintf("Note %d of dream %d tells of subject %c%c", k, n, 'a'+k, 'a'+n), false)
		}
		out := l.Dreams(state.DreamInput{Force: true})
		if len(l.Waiting()) != 0 {
			t.Fatalf("dream %d: %+v, waiting %q", n, out, l.Waiting())
		}
		text := l.Text("projects/shop/MEMORY.md")
		for _, want := range []string{"My own words above.", "My own words below.", "hates long mails"} {
			if !strings.Contains(text, want) {
				t.Fatalf("dream %d lost %q:\n%s", n, want, text)
			}
		}
	}
	for n := range 12 {
		for k := range 4 {
			if text := fmt.Sprintf("Note %d of dream %d tells of subject %c%c", k, n, 'a'+k, 'a'+n); !l.Finds(text) {
				t.Errorf("%q is lost", text)
			}
		}
	}
	states, err := brain.View(t.Context(), l.Store, func(tx *store.Tx) ([]store.StateText, error) { return tx.States(t.Context(), l.Place.Project()) })
	if err != nil || len(states) != 10 {
		t.Errorf("%d states are kept, %v", len(states), err)
	}
}

func TestMoodsMoveWithWhatHappens(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(1, l.Asked("run", "add a test", 1))
	braintest.Must(l, desk.Feel, desk.FeelInput{Event: "reward"})
	mood := func() desk.MoodResult {
		t.Helper()
		return must.Get(steward.Run(t.Context(), l.Brain, desk.MoodNow, struct{}{}))(t)
	}
	if got := mood(); got.Levels[0].Level <= got.Levels[0].Rest || len(got.History) != 1 {
		t.Errorf("after a reward: %+v", got)
	}
	for range 2 {
		l.Feels("reward", "the shop went live")
	}
	if notes := l.Waiting(); !slices.Equal(notes, []string{"the shop went live"}) { // what the person said, and nothing of hebb's own
		t.Errorf("notes: %q", notes)
	}
	l.Clock = l.Clock.Add(24 * time.Hour)
	if got := mood(); got.Words != "calm" {
		t.Errorf("a day later: %+v", got)
	}
	if _, err := steward.Run(t.Context(), l.Brain, desk.Feel, desk.FeelInput{Event: "banana"}); err == nil {
		t.Error("a feeling that is none")
	}
	// What is learned from history moves nothing.
	old := l.Event(memory.ToolFailed, -6000)
	l.See(2000, old)
	if got := mood(); len(got.History) != 4 && len(got.History) != 3 {
		t.Errorf("history: %+v", got.History)
	}
}

func TestADreamOfAnUnknownProjectIsRefused(t *testing.T) {
	l := braintest.NewLab(t)
	if _, err := steward.Run(t.Context(), l.Brain, state.Dream, state.DreamInput{Scope: brain.Scope{Dir: t.TempDir()}}); !brain.IsNotFound(err) {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(l.File("projects")); err == nil {
		t.Error("files were written")
	}
}

func TestWhatIsForgottenLeavesTheStateToo(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(3, l.Worked("run", 0, "a.go")...)
	l.See(13, l.Asked("secret", "From now on the launch of the rocket is codenamed CANARY, which we never say outside of Kiruna", 10), l.Touched("secret", memory.Edit, 11, "b.go"), l.Of("secret", l.Event(memory.SessionEnded, 12)))
	for n := range 6 {
		l.Note(fmt.Sprintf("Fact number %d is about thing %d of the shop", n, n), false)
	}
	l.Dreams(state.DreamInput{Force: true})
	if text := l.Text("projects/shop/MEMORY.md"); !strings.Contains(text, "CANARY") {
		t.Fatalf("it was never there:\n%s", text)
	}
	must.Get(steward.Run(t.Context(), l.Brain, steward.Forget, forget.ForgetInput{Session: "secret", Apply: true}))(t)
	text := l.Text("projects/shop/MEMORY.md")
	if strings.Contains(text, "CANARY") || !strings.Contains(text, "Fact number 3") {
		t.Errorf("the state says\n%s", text)
	}
	states, err := brain.View(t.Context(), l.Store, func(tx *store.Tx) ([]store.StateText, error) { return tx.States(t.Context(), l.Place.Project()) })
	for _, s := range states {
		if strings.Contains(s.Text, "CANARY") {
			t.Errorf("state %d still says it", s.ID)
		}
	}
	if err != nil {
		t.Error(err)
	}
}

// What is said in one project is not shown in another, unless it was said about the person.
func TestWhatIsSaidHereIsNotToldElsewhere(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(3, l.Worked("run", 0, "a.go")...)
	other := memory.Place{Identity: "/mill/.git", Root: "/mill"}
	there := l.Worked("elsewhere", 4, "b.go")
	for i := range there {
		there[i].Place = other
	}
	l.See(8, there...)
	l.Note("the client Acme prefers invoices without VAT", false)
	l.Note("the user prefers short answers", true)
	for n := range 5 {
		l.Note(fmt.Sprintf("Fact number %d is about thing %d of the shop", n, n), false)
	}
	l.Dreams(state.DreamInput{Force: true})
	must.Get(steward.Run(t.Context(), l.Brain, desk.TakeNote, statements.NoteInput{Scope: brain.Scope{Project: other.Project().String()}, Text: "The mill has two wheels"}))(t)
	must.Get(steward.Run(t.Context(), l.Brain, state.Dream, state.DreamInput{Scope: brain.Scope{Project: other.Project().String()}, Force: true}))(t)
	elsewhere := l.Text("projects/mill/MEMORY.md")
	start, err := steward.Run(t.Context(), l.Brain, answer.StartContext, answer.ContextInput{Scope: brain.Scope{Project: other.Project().String()}, Mode: "full"})
	if err != nil || strings.Contains(elsewhere+start.Text, "Acme") || !strings.Contains(elsewhere, "short answers") {
		t.Errorf("%v, the other project is shown\n%s\n%s", err, elsewhere, start.Text)
	}
	if here := l.Text("projects/shop/MEMORY.md"); !strings.Contains(here, "Acme") || !strings.Contains(here, "short answers") {
		t.Errorf("here:\n%s", here)
	}
}

func TestAGoalIsCountedOnceASession(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(5, l.Asked("one", "fix the login. todo: rotate the signing keys of the gateway", 1), l.Touched("one", memory.Edit, 2, "auth/keys.go"),
		l.Of("one", l.Event(memory.SessionEnded, 4)))
	must.Get(steward.Run(t.Context(), l.Brain, goals.ChangeGoal, goals.GoalChange{Scope: l.Scope(), Goal: "signing keys", Status: memory.GoalDropped, Progress: -1}))(t)
	for n := range 3 { // resumed, nothing new
		at := float64(20 * (n + 1))
		l.See(at+3, l.Asked("one", "go on", at), l.Of("one", l.Event(memory.SessionEnded, at+1)))
	}
	if got := l.GoalTitles(); len(got) != 0 {
		t.Errorf("what was dropped is back: %q", got)
	}
	must.Get(steward.Run(t.Context(), l.Brain, goals.AddGoal, goals.GoalInput{Scope: l.Scope(), Title: "Test the signing keys", Files: []string{"auth/keys.go"}}))(t)
	for n := range 3 {
		at := float64(100 + 20*n)
		l.See(at+3, l.Asked("two", "test the keys", at), l.Touched("two", memory.Edit, at+1, "auth/keys.go"), l.Of("two", l.Event(memory.SessionEnded, at+2)))
	}
	out, err := steward.Run(t.Context(), l.Brain, goals.Goals, goals.GoalsInput{Scope: l.Scope()})
	if err != nil || len(out.Goals) != 1 || out.Goals[0].Goal.Stalled != 1 {
		t.Errorf("%+v, %v", out.Goals, err)
	}
}

// What people see about dreams is what hebb state dream does: one rule for both. An agent is shown nothing of it.
func TestPeopleSeeThatADreamIsDueWhenAndOnlyWhenOneWouldCome(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(3, l.Worked("run", 0, "a.go")...)
	agree := func(when string, wantRun bool) {
		t.Helper()
		start := must.Get(steward.Run(t.Context(), l.Brain, answer.StartContext, answer.ContextInput{Scope: l.Scope()}))(t)
		status := must.Get(steward.Run(t.Context(), l.Brain, inspect.Status, inspect.StatusInput{Scope: l.Scope()}))(t)
		would := l.Dreams(state.DreamInput{Dry: true})
		if says := strings.Contains(strings.Join(status.Attention, "\n"), "A dream is due: "+would.Why); says != wantRun || would.Run != wantRun {
			t.Errorf("%s: the status says so: %v, a dream comes: %v (%s), want %v: %q", when, says, would.Run, would.Why, wantRun, status.Attention)
		}
		if strings.Contains(start.Text, "dream") {
			t.Errorf("%s: the agent is shown it:\n%s", when, start.Text)
		}
	}
	agree("nothing to dream of", false)
	for i := range 12 {
		l.Note(fmt.Sprintf("The %dth thing that was learned of the gateway is worth keeping", i), false)
	}
	agree("first breath", true)
	if out := l.Dreams(state.DreamInput{}); !out.Run {
		t.Fatalf("no dream: %s", out.Why)
	}
	at := l.Clock.Sub(braintest.Start).Minutes()
	for i := range 6 { // six sessions: the score is far above what makes a dream due
		l.See(at+10, append(l.Worked(fmt.Sprint("later ", i), at+1, "a.go", "b.go"), l.Of(fmt.Sprint("later ", i), l.Event(memory.SessionEnded, at+9)))...)
	}
	for i := range 6 {
		l.Note(fmt.Sprintf("A new thing, number %d, was learned of the till", i), false)
	}
	agree("the last dream was just now", false)
	l.Clock = l.Clock.Add(5 * time.Hour)
	agree("the interval is over", true)
	l.Config.Dream.Off = true
	agree("dreams are switched off", false)
}

// Weeks of notes: what has no room in the state fades into pointers, whose words find it by the search that agents use, and each
// note is kept once.
func TestPointersLeadToWhatFaded(t *testing.T) {
	t.Parallel()
	l := braintest.NewLab(t)
	l.See(3, l.Worked("first", 0, "a.go")...)
	subjects := strings.Fields("gateway importer invoice printer cluster token ledger parser cache queue router schema ticket vault widget")
	var notes []string
	for day := range 20 {
		l.Clock = braintest.Start.Add(time.Duration(day*24+1) * time.Hour)
		for n, subject := range subjects[day%3*5 : day%3*5+5] {
			notes = append(notes, fmt.Sprintf("The %s retries the %s of %d-%d", subject, subjects[(day+5*n)%15], day, n))
			l.Note(notes[len(notes)-1], false)
		}
		l.Dreams(state.DreamInput{Force: true})
	}
	pointers := 0
	for _, item := range state.SplitItems(sections(t, l.Text("projects/shop/MEMORY.md"))[state.SectionPointers]) {
		p, ok := state.ParsePointer(item)
		topic := strings.Trim(strings.TrimSuffix(p.Topic, "…"), " ")
		out := braintest.Must(l, answer.SearchTexts, texts.SearchInput{Scope: l.Scope(), Query: p.Words, Limit: state.DreamFinds})
		if !ok || !slices.ContainsFunc(out.Found, func(f texts.Found) bool { return f.Crystal != nil && strings.HasPrefix(f.Text, topic) }) {
			t.Errorf("%q does not find it", item)
		}
		pointers++
	}
	if pointers == 0 || pointers > state.PointersMost {
		t.Errorf("%d pointers", pointers)
	}
	kept := map[string]int{}
	for _, c := range l.Crystals() {
		kept[c.Text]++
	}
	for _, text := range notes {
		if kept[text] != 1 {
			t.Errorf("%q is there %d times", text, kept[text])
		}
	}
}
