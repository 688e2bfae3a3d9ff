package brain

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/workmem"
)

func (l *lab) note(text string, everywhere bool) NoteResult {
	l.t.Helper()
	l.clock = l.clock.Add(time.Minute)
	out, err := Run(l.t.Context(), l.Brain, TakeNote, NoteInput{Scope: l.scope(), Text: text, Everywhere: everywhere})
	if err != nil {
		l.t.Fatal(err)
	}
	return out
}

func (l *lab) dreams(in DreamInput) DreamResult {
	l.t.Helper()
	in.Scope = l.scope()
	out, err := Run(l.t.Context(), l.Brain, Dream, in)
	if err != nil {
		l.t.Fatal(err)
	}
	return out
}

func (l *lab) waiting() (texts []string) {
	l.t.Helper()
	notes, err := viewed(l.t.Context(), l.Brain, func(tx *store.Tx) ([]store.Note, error) {
		return tx.WaitingNotes(l.t.Context(), 0, l.place.Project())
	})
	if err != nil {
		l.t.Fatal(err)
	}
	for _, n := range notes {
		texts = append(texts, n.Text)
	}
	return texts
}

func (l *lab) finds(query string) bool {
	l.t.Helper()
	found, err := Run(l.t.Context(), l.Brain, SearchTexts, SearchInput{Scope: l.scope(), Query: query, Limit: 30, History: true})
	if err != nil {
		l.t.Fatal(err)
	}
	for _, f := range found.Found {
		if f.Crystal != nil && f.Text == query {
			return true
		}
	}
	return false
}

func TestANoteIsSafeAtOnceAndDreamtOnce(t *testing.T) {
	l := newLab(t)
	l.see(3, l.worked("run", 0, "a.go")...)
	texts := []string{
		"The user prefers tabs over spaces", "The gateway refreshes tokens at midnight UTC", "We decided to keep prices in cents",
		"The login broke because the clock of the till was wrong", "The staging server is called oslo", "Deploys happen on Tuesdays",
		"ok", "User's name is Ada",
	}
	for i, text := range texts {
		out := l.note(text, i == len(texts)-1)
		if !out.Waiting || !l.finds(text) {
			t.Errorf("%q: %+v", text, out)
		}
	}
	if scratch := l.text("projects/shop/scratch.md"); strings.Count(scratch, "(importance: ") != 7 || !strings.HasPrefix(scratch, "# Scratch Buffer (Working Memory WAL)\n") {
		t.Errorf("scratch.md:\n%s", scratch)
	}
	// What a person writes there by hand is a note, once.
	l.change("projects/shop/scratch.md", func(s string) string { return s + "remember the milk\n- and the bread\n" })
	out := l.dreams(DreamInput{})
	if !out.Run || out.Notes != len(texts)+2 || len(l.waiting()) != 0 {
		t.Fatalf("%+v, waiting %q", out, l.waiting())
	}
	state := l.text("projects/shop/MEMORY.md")
	for _, want := range append(texts, "remember the milk", "and the bread") {
		if !l.finds(want) {
			t.Errorf("%q is no crystal any more", want)
		}
		if want != "ok" && !strings.Contains(state, strings.TrimSuffix(want, ".")) {
			t.Errorf("%q is not in the state:\n%s", want, state)
		}
	}
	for s := range workmem.SectionCount {
		if !strings.Contains(state, "## "+s.String()) {
			t.Errorf("no section %s", s)
		}
	}
	if again := l.dreams(DreamInput{}); again.Run {
		t.Errorf("dreamt again at once: %+v", again)
	}
	if forced := l.dreams(DreamInput{Force: true}); !forced.Shallow && forced.Notes != 0 {
		t.Errorf("forced: %+v", forced)
	}
	if strings.Contains(l.text("projects/shop/scratch.md"), "importance") {
		t.Error("the scratch still holds notes")
	}
	if start := l.begin(ContextInput{Mode: "warm"}).Text; !strings.Contains(start, "tabs over spaces") {
		t.Errorf("the next session does not know:\n%s", start)
	}
}

func TestANoteLeavesTheOtherFilesOfAProjectAlone(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.see(3, l.worked("run", 0, "a.go")...)
	l.note("The staging server is called oslo", false)
	l.dreams(DreamInput{Force: true})
	before := l.text("projects/shop/MEMORY.md")
	l.note("Deploys happen on Tuesdays", false)
	if after := l.text("projects/shop/MEMORY.md"); after != before {
		t.Errorf("MEMORY.md after a note:\n%s\n\nbefore:\n%s", after, before)
	}
}

func TestWhatAPersonWritesIntoTheStateStays(t *testing.T) {
	l := newLab(t)
	l.see(3, l.worked("run", 0, "a.go")...)
	for n := range 6 {
		l.note(fmt.Sprintf("Fact number %d is about thing %d of the shop", n, n), false)
	}
	l.dreams(DreamInput{})
	l.change("projects/shop/MEMORY.md", func(s string) string {
		s = strings.Replace(s, "## The Bond\n", "## The Bond\n\n- Ada and I met in Oslo, and she hates long mails.\n", 1)
		return "My own words above.\n\n" + s + "\nMy own words below.\n"
	})
	for n := range 12 {
		l.clock = l.clock.Add(13 * time.Hour)
		at := l.clock.Sub(start).Minutes()
		l.see(at+3, l.worked(fmt.Sprint("later ", n), at, fmt.Sprint("f", n, ".go"))...)
		for k := range 4 {
			l.note(fmt.Sprintf("Note %d of dream %d tells of subject %c%c", k, n, 'a'+k, 'a'+n), false)
		}
		out := l.dreams(DreamInput{Force: true})
		if len(l.waiting()) != out.Waiting {
			t.Fatalf("dream %d: %+v, waiting %q", n, out, l.waiting())
		}
		text := l.text("projects/shop/MEMORY.md")
		for _, want := range []string{"My own words above.", "My own words below.", "hates long mails"} {
			if !strings.Contains(text, want) {
				t.Fatalf("dream %d lost %q:\n%s", n, want, text)
			}
		}
	}
	for n := range 12 {
		for k := range 4 {
			if text := fmt.Sprintf("Note %d of dream %d tells of subject %c%c", k, n, 'a'+k, 'a'+n); !l.finds(text) {
				t.Errorf("%q is lost", text)
			}
		}
	}
	states, err := viewed(t.Context(), l.Brain, func(tx *store.Tx) ([]store.StateText, error) { return tx.States(t.Context(), l.place.Project()) })
	if err != nil || len(states) != 10 {
		t.Errorf("%d states are kept, %v", len(states), err)
	}
}

func TestMoodsMoveWithWhatHappens(t *testing.T) {
	l := newLab(t)
	l.see(1, l.asked("run", "thanks, that is perfect!", 1))
	mood := func() MoodResult {
		t.Helper()
		out, err := Run(t.Context(), l.Brain, MoodNow, ListInput{Limit: 50})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	if got := mood(); got.Levels[0].Level <= got.Levels[0].Rest || len(got.History) != 1 {
		t.Errorf("after praise: %+v", got)
	}
	for range 2 {
		if _, err := Run(t.Context(), l.Brain, Feel, FeelInput{Scope: l.scope(), Event: "reward", About: "the shop went live"}); err != nil {
			t.Fatal(err)
		}
	}
	notes := strings.Join(l.waiting(), "\n")
	if !strings.Contains(notes, "[AUTO] Hormonal event: dopamine spike") || strings.Count(notes, "[AUTO]") != 1 || !strings.Contains(notes, "the shop went live") {
		t.Errorf("notes: %s", notes)
	}
	l.clock = l.clock.Add(24 * time.Hour)
	if got := mood(); got.Words != "calm" {
		t.Errorf("a day later: %+v", got)
	}
	if _, err := Run(t.Context(), l.Brain, Feel, FeelInput{Scope: l.scope(), Event: "banana"}); err == nil {
		t.Error("a feeling that is none")
	}
	// What is learned from history moves nothing.
	old := l.event(memory.ToolFailed, -6000)
	l.see(2000, old)
	if got := mood(); len(got.History) != 4 && len(got.History) != 3 {
		t.Errorf("history: %+v", got.History)
	}
}

func TestADreamOfAnUnknownProjectIsRefused(t *testing.T) {
	l := newLab(t)
	if _, err := Run(t.Context(), l.Brain, Dream, DreamInput{Scope: Scope{Dir: t.TempDir()}}); !isNotFound(err) {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(l.file("projects")); err == nil {
		t.Error("files were written")
	}
}

func TestWhatIsForgottenLeavesTheStateToo(t *testing.T) {
	l := newLab(t)
	l.see(3, l.worked("run", 0, "a.go")...)
	l.see(13, l.asked("secret", "the launch of the rocket is codenamed CANARY and happens in Kiruna", 10), l.touched("secret", memory.Edit, 11, "b.go"), l.of("secret", l.event(memory.SessionEnded, 12)))
	for n := range 6 {
		l.note(fmt.Sprintf("Fact number %d is about thing %d of the shop", n, n), false)
	}
	l.dreams(DreamInput{Force: true})
	if text := l.text("projects/shop/MEMORY.md"); !strings.Contains(text, "CANARY") {
		t.Fatalf("it was never there:\n%s", text)
	}
	if _, err := Run(t.Context(), l.Brain, Forget, ForgetInput{Session: "secret", Apply: true}); err != nil {
		t.Fatal(err)
	}
	text := l.text("projects/shop/MEMORY.md")
	if strings.Contains(text, "CANARY") || !strings.Contains(text, "Fact number 3") {
		t.Errorf("the state says\n%s", text)
	}
	states, err := viewed(t.Context(), l.Brain, func(tx *store.Tx) ([]store.StateText, error) { return tx.States(t.Context(), l.place.Project()) })
	for _, s := range states {
		if strings.Contains(s.Text, "CANARY") {
			t.Errorf("state %d still says it", s.ID)
		}
	}
	if err != nil {
		t.Error(err)
	}
}

// What is said in one project is not told in another, unless it was said about the person.
func TestWhatIsSaidHereIsNotToldElsewhere(t *testing.T) {
	l := newLab(t)
	l.see(3, l.worked("run", 0, "a.go")...)
	other := memory.Place{Identity: "/mill/.git", Root: "/mill"}
	there := l.worked("elsewhere", 4, "b.go")
	for i := range there {
		there[i].Place = other
	}
	l.see(8, there...)
	l.note("the client Acme prefers invoices without VAT", false)
	l.note("the user prefers short answers", true)
	for n := range 5 {
		l.note(fmt.Sprintf("Fact number %d is about thing %d of the shop", n, n), false)
	}
	l.dreams(DreamInput{Force: true})
	if _, err := Run(t.Context(), l.Brain, TakeNote, NoteInput{Scope: Scope{Project: other.Project().String()}, Text: "The mill has two wheels"}); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), l.Brain, Dream, DreamInput{Scope: Scope{Project: other.Project().String()}, Force: true}); err != nil {
		t.Fatal(err)
	}
	elsewhere := l.text("projects/mill/MEMORY.md")
	start, err := Run(t.Context(), l.Brain, StartContext, ContextInput{Scope: Scope{Project: other.Project().String()}, Mode: "full"})
	if err != nil || strings.Contains(elsewhere+start.Text, "Acme") || !strings.Contains(elsewhere, "short answers") {
		t.Errorf("%v, the other project is told\n%s\n%s", err, elsewhere, start.Text)
	}
	if here := l.text("projects/shop/MEMORY.md"); !strings.Contains(here, "Acme") || !strings.Contains(here, "short answers") {
		t.Errorf("here:\n%s", here)
	}
}

// Somebody who edits the file of one project does not undo what was dreamt in another meanwhile.
func TestAnEditOfOneStateKeepsWhatWasDreamtSince(t *testing.T) {
	knew, made, now := "- a\n- b", "- a, better\n- b\n- mine", "- a\n- b\n- dreamt"
	got := mergedItems(knew, made, now)
	for _, want := range []string{"- a, better", "- b", "- mine", "- dreamt"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q lacks %q", got, want)
		}
	}
	if strings.Contains(got, "- a\n") || mergedItems(knew, knew, now) != now || mergedItems(now, made, now) != made {
		t.Errorf("got %q", got)
	}
}

func TestAGoalIsCountedOnceASession(t *testing.T) {
	l := newLab(t)
	said := l.of("one", l.event(memory.TurnEnded, 3))
	said.Origin, said.Text = memory.OriginAgent, "The login works again.\n\nStill to do: rotate the signing keys of the gateway."
	l.see(5, l.asked("one", "mend the login", 1), l.touched("one", memory.Edit, 2, "auth/keys.go"), said, l.of("one", l.event(memory.SessionEnded, 4)))
	if _, err := Run(t.Context(), l.Brain, ChangeGoal, GoalChange{Scope: l.scope(), Goal: "signing keys", Status: memory.GoalDropped, Progress: -1}); err != nil {
		t.Fatal(err)
	}
	for n := range 3 { // resumed, nothing new
		at := float64(20 * (n + 1))
		l.see(at+3, l.asked("one", "go on", at), l.of("one", l.event(memory.SessionEnded, at+1)))
	}
	if got := l.goalTitles(); len(got) != 0 {
		t.Errorf("what was dropped is back: %q", got)
	}
	if _, err := Run(t.Context(), l.Brain, AddGoal, GoalInput{Scope: l.scope(), Title: "Test the signing keys", Files: []string{"auth/keys.go"}}); err != nil {
		t.Fatal(err)
	}
	for n := range 3 {
		at := float64(100 + 20*n)
		l.see(at+3, l.asked("two", "test the keys", at), l.touched("two", memory.Edit, at+1, "auth/keys.go"), l.of("two", l.event(memory.SessionEnded, at+2)))
	}
	out, err := Run(t.Context(), l.Brain, Goals, GoalsInput{Scope: l.scope()})
	if err != nil || len(out.Goals) != 1 || out.Goals[0].Goal.Stalled != 1 {
		t.Errorf("%+v, %v", out.Goals, err)
	}
}

// What a session is told about dreams is what hebb dream does: one rule for both.
func TestAStartSaysThatADreamIsDueWhenAndOnlyWhenOneWouldCome(t *testing.T) {
	l := newLab(t)
	l.see(3, l.worked("run", 0, "a.go")...)
	agree := func(when string, wantRun bool) {
		t.Helper()
		start, err := Run(t.Context(), l.Brain, StartContext, ContextInput{Scope: l.scope()})
		if err != nil {
			t.Fatal(err)
		}
		would := l.dreams(DreamInput{Dry: true})
		if says := strings.Contains(start.Text, "A dream is due: "+would.Why); says != wantRun || would.Run != wantRun {
			t.Errorf("%s: the start says so: %v, a dream comes: %v (%s), want %v:\n%s", when, says, would.Run, would.Why, wantRun, start.Text)
		}
	}
	agree("nothing to dream of", false)
	for i := range 12 {
		l.note(fmt.Sprintf("The %dth thing that was learned of the gateway is worth keeping", i), false)
	}
	agree("first breath", true)
	if out := l.dreams(DreamInput{}); !out.Run {
		t.Fatalf("no dream: %s", out.Why)
	}
	at := l.clock.Sub(start).Minutes()
	for i := range 6 { // six sessions: the score is far above what makes a dream due
		l.see(at+10, append(l.worked(fmt.Sprint("later ", i), at+1, "a.go", "b.go"), l.of(fmt.Sprint("later ", i), l.event(memory.SessionEnded, at+9)))...)
	}
	for i := range 6 {
		l.note(fmt.Sprintf("A new thing, number %d, was learned of the till", i), false)
	}
	agree("the last dream was just now", false)
	l.clock = l.clock.Add(5 * time.Hour)
	agree("the interval is over", true)
	l.config.Dream.Off = true
	agree("dreams are switched off", false)
}
