package views_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/forget"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/sleep"
	"github.com/hebb-memory/hebb/internal/state"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/texts"
	"github.com/hebb-memory/hebb/internal/transfer"
	"github.com/hebb-memory/hebb/internal/views"
)

func TestHeatIsTheSameWhenAllIsLearnedAnew(t *testing.T) {
	l := braintest.NewLab(t)
	for n := range 8 {
		at := float64(10 * n)
		l.See(at+3, l.Worked(fmt.Sprint("run ", n), at, "a.go", fmt.Sprint("f", n, ".go"))...)
	}
	must.Get(steward.Run(t.Context(), l.Brain, desk.NoteFile, desk.NoteFileInput{Scope: l.Scope(), Path: "a.go", Note: "moving it"}))(t)
	before := l.HeatMap()
	l.See(100, l.Touched("run 8", memory.Edit, 99, "z.go"))
	if _, err := steward.Run(t.Context(), l.Brain, steward.Forget, forget.ForgetInput{Session: "run 8", Apply: true}); err != nil { // relearns the project
		t.Fatal(err)
	}
	after := l.HeatMap()
	for path, want := range before {
		if got := after[path]; math.Abs(got.Heat-want.Heat) > 1e-9 || got.Note != want.Note || got.Touches != want.Touches {
			t.Errorf("%s: %+v, was %+v", path, got, want)
		}
	}
	if _, left := after["z.go"]; left {
		t.Error("a forgotten file is in mind")
	}
}

func TestARenamedFileKeepsItsHeatAndItsNote(t *testing.T) {
	l := braintest.NewLab(t)
	for n := range 3 {
		l.See(float64(10*n+3), l.Worked(fmt.Sprint("run ", n), float64(10*n), "old.go", "old.go", "gone.go")...)
	}
	must.Get(steward.Run(t.Context(), l.Brain, desk.NoteFile, desk.NoteFileInput{Scope: l.Scope(), Path: "old.go", Note: "moving it", Summary: "the shop"}))(t)
	was := l.HeatMap()["old.go"]
	commit := l.Event(memory.Committed, 50)
	commit.AgentSession, commit.Agent, commit.Origin = "", memory.AgentGit, memory.OriginRepo
	commit.Touches = []memory.Touch{{Kind: memory.Rename, Path: "new.go", From: "old.go"}, {Kind: memory.Delete, Path: "gone.go"}}
	l.See(51, commit)
	files := l.HeatMap()
	if got := files["new.go"]; math.Abs(got.Heat-was.Heat) > 1e-9 || got.Note != "moving it" || got.Summary != "the shop" {
		t.Errorf("under its new name: %+v, was %+v", got, was)
	}
	for _, path := range []string{"old.go", "gone.go"} {
		if _, shown := files[path]; shown {
			t.Errorf("%s is still in mind", path)
		}
	}
}

// A session that nobody closed is recovered, summarised and shelved, and sessions of two agents at once stay apart.
func TestSessionsAreShelvedWithoutAnyRitual(t *testing.T) {
	l := braintest.NewLab(t)
	failed := l.Of("one", l.Event(memory.ToolFailed, 3))
	failed.Tool, failed.Input, failed.Text = "Bash", "go test ./...", "--- FAIL: TestLogin (0.00s)\n    login_test.go:12: undefined: Token"
	passed := l.Of("one", l.Event(memory.ToolUsed, 5))
	passed.Tool, passed.Input, passed.Text = "Bash", "go test ./...", ""
	said := l.Of("one", l.Event(memory.TurnEnded, 6))
	said.Origin, said.Text = memory.OriginAgent, "The login works again: the token was never refreshed.\n\nStill to do: rotate the keys."
	other := l.Touched("two", memory.Edit, 4, "docs/readme.md")
	other.Agent = "codex"
	prompt := l.Asked("two", "describe the install in the readme", 2)
	prompt.Agent = "codex"
	l.See(8, l.Asked("one", "fix the login test", 1), prompt, failed, l.Touched("one", memory.Edit, 4, "auth/login.go"), other, passed, said)
	l.See(60) // both fell silent; one of the hooks was killed
	sessions, err := steward.Run(t.Context(), l.Brain, desk.Shelf, desk.ShelfInput{Scope: l.Scope()})
	if err != nil || len(sessions) != 2 {
		t.Fatalf("%+v, %v", sessions, err)
	}
	byRun := map[string]memory.Session{}
	for _, s := range sessions {
		byRun[s.AgentSession] = s
	}
	one, two := byRun["one"], byRun["two"]
	for _, want := range []string{"fix the login test", "auth/login.go", "fixed 1 error"} {
		if !strings.Contains(one.Happened, want) {
			t.Errorf("happened: %q lacks %q", one.Happened, want)
		}
	}
	if !strings.Contains(one.Learned, "auth/login.go") || !strings.Contains(one.Next, "rotate the keys") || strings.Contains(one.Happened, "readme") {
		t.Errorf("learned %q, next %q", one.Learned, one.Next)
	}
	if !one.Recovered || one.SummaryBy != memory.OriginTool || !strings.Contains(one.Happened, "recovered") {
		t.Errorf("%+v", one)
	}
	if !strings.Contains(two.Happened, "docs/readme.md") || strings.Contains(two.Happened, "login") {
		t.Errorf("the other agent's: %q", two.Happened)
	}
	for _, file := range []string{"projects/shop/RECENT.md", "projects/shop/SUMMARY.md"} {
		if text := l.Text(file); !strings.Contains(text, record.ShortID(one.ID)) || !strings.Contains(text, record.ShortID(two.ID)) {
			t.Errorf("%s:\n%s", file, text)
		}
	}
	// It goes on: what rules said is said anew at its next end, and the clock does not move again.
	clock := l.ProjectClock()
	l.See(62, l.Asked("one", "now rotate the keys", 61), l.Touched("one", memory.Edit, 61, "auth/keys.go"))
	l.See(64, l.Of("one", l.Event(memory.SessionEnded, 63)))
	sessions, err = steward.Run(t.Context(), l.Brain, desk.Shelf, desk.ShelfInput{Scope: l.Scope(), Limit: 1})
	if err != nil || !strings.Contains(sessions[0].Happened, "auth/keys.go") || l.ProjectClock() != clock {
		t.Errorf("resumed: %+v, %v, clock %d and %d", sessions, err, clock, l.ProjectClock())
	}
}

func TestOldSessionsGoToTheArchive(t *testing.T) {
	l := braintest.NewLab(t)
	const day = 24 * 60
	for n := range 8 {
		l.See(float64(n*10*day+3), l.Worked(fmt.Sprint("run ", n), float64(n*10*day), "a.go")...)
	}
	recent := l.Text("projects/shop/RECENT.md")
	if got := strings.Count(recent, "## Session:"); got != 5 || strings.Index(recent, "run 7") > strings.Index(recent, "run 3") || strings.Contains(recent, "work in run 2") {
		t.Errorf("recent has %d sessions:\n%s", got, recent)
	}
	if got := strings.Count(l.Text("projects/shop/SUMMARY.md"), "work in run"); got != 8 {
		t.Errorf("summary has %d lines:\n%s", got, l.Text("projects/shop/SUMMARY.md"))
	}
	for month, want := range map[string]int{"2026-11": 2, "2026-12": 1} {
		if got := strings.Count(l.Text("projects/shop/archive/"+month+".md"), "## Session:"); got != want {
			t.Errorf("archive %s has %d sessions, want %d", month, got, want)
		}
	}
}

func TestWhatPeopleWriteIntoFilesIsTakenIn(t *testing.T) {
	l := braintest.NewLab(t)
	for n := range 4 {
		l.See(float64(10*n+3), l.Worked(fmt.Sprint("run ", n), float64(10*n), "a.go", "a.go", "a.go")...)
	}
	must.Get(steward.Run(t.Context(), l.Brain, desk.PinText, desk.PinInput{Scope: l.Scope(), Title: "Auth", Text: "Tokens are refreshed by the gateway.", Reason: "asked twice"}))(t)
	l.See(45, l.Of("run 9", l.Event(memory.SessionStarted, 44)))
	crlf := func(s string) string {
		return "\ufeff" + strings.TrimSuffix(strings.ReplaceAll(s, "\n", "\r\n"), "\r\n")
	} // as some editors save
	l.Change("projects/shop/PINNED.md", func(s string) string {
		return crlf(strings.Replace(s, "## Auth", "## Money\n\nPrices are in cents.\n\n---\n\n## Auth", 1))
	})
	l.Change("SOUL.md", func(string) string { return "I like short answers.\n" })
	l.See(50, l.Of("run 10", l.Event(memory.SessionStarted, 49)))

	pins, err := steward.Run(t.Context(), l.Brain, desk.Pins, l.Scope())
	if err != nil || len(pins.Pins) != 2 || pins.Pins[1].Title != "Money" || pins.Pins[1].Text != "Prices are in cents." || pins.Pins[1].Origin != memory.OriginUser {
		t.Errorf("PINNED.md: %+v, %v", pins, err)
	}
	soul, err := steward.Run(t.Context(), l.Brain, views.ReadPage, views.ReadInput{Name: "soul"})
	if err != nil || soul.Text != "I like short answers.\n" || soul.By != memory.OriginUser || soul.Template {
		t.Errorf("SOUL.md: %+v, %v", soul, err)
	}
	// The files now say what the store says, and a second look changes nothing.
	if strings.Contains(l.Text("projects/shop/PINNED.md"), "\r") {
		t.Error("PINNED.md was not written anew")
	}
	out, err := views.RefreshViews(t.Context(), l.Brain, []memory.ProjectID{l.Place.Project()})
	if err != nil || out.Edits+out.Written+len(out.Warnings) > 0 {
		t.Errorf("a second look: %+v, %v", out, err)
	}
	// A pin taken out of the file is off; its text stays a memory.
	l.Change("projects/shop/PINNED.md", func(s string) string {
		head, tail, _ := strings.Cut(s, "## Money")
		_, rest, _ := strings.Cut(tail, "---\n")
		return head + rest
	})
	if pins, err = steward.Run(t.Context(), l.Brain, desk.Pins, l.Scope()); err != nil || len(pins.Pins) != 1 {
		t.Errorf("after taking one out: %+v, %v", pins, err)
	}
	found, err := steward.Run(t.Context(), l.Brain, answer.SearchTexts, texts.SearchInput{Scope: l.Scope(), Query: "prices in cents", Limit: 3})
	if err != nil || len(found.Found) == 0 {
		t.Errorf("search: %+v, %v", found, err)
	}
}

func TestAFileThatCannotBeReadIsLeftAlone(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(3, l.Worked("run", 0, "a.go")...)
	const text = "bytes \xff\xfe\n"
	l.Change("SOUL.md", func(string) string { return text })
	if out := l.Refreshed(); len(out.Warnings) != 1 || !strings.Contains(out.Warnings[0], "it is not UTF-8") || l.Text("SOUL.md") != text {
		t.Errorf("%+v, %q", out, l.Text("SOUL.md"))
	}
}

// What somebody writes into a file that hebb only writes is kept beside it, once, and the next command says what to do.
func TestAnEditOfAFileThatIsOnlyWrittenIsKeptBesideIt(t *testing.T) {
	l := braintest.NewLab(t)
	for n := range 4 {
		l.See(float64(10*n+3), l.Worked(fmt.Sprint("run ", n), float64(10*n), "a.go", "a.go", "a.go")...)
	}
	const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
	for name, instead := range map[string]string{
		"projects/shop/RECENT.md": "hebb sessions wrapup", "projects/shop/SUMMARY.md": "hebb sessions wrapup", "live.md": "hebb graph note",
	} {
		before := l.Text(name)
		l.Change(name, func(text string) string {
			return strings.Replace(text, "run", "run, by hand", 1) + "mine: " + secret + "\n"
		})
		for look, warnings := range []int{1, 0} {
			out := l.Refreshed()
			if len(out.Warnings) != warnings || warnings > 0 && !strings.Contains(out.Warnings[0], instead) || l.Text(name) != before {
				t.Errorf("%s, look %d: %+v\n%s", name, look, out, l.Text(name))
			}
		}
		copies := must.Get(filepath.Glob(strings.TrimSuffix(l.File(name), ".md") + ".edited-*.md"))(t)
		if len(copies) != 1 {
			t.Fatalf("%s: copies %q", name, copies)
		}
		if kept := string(must.Get(os.ReadFile(copies[0]))(t)); !strings.Contains(kept, "mine: ") || strings.Contains(kept, secret) {
			t.Errorf("%s: kept %q", name, kept)
		}
	}
	must.Do(t, os.Remove(l.File("projects/shop/RECENT.md")))
	if out := l.Refreshed(); out.Rebuilt != 1 || !strings.Contains(l.Text("projects/shop/RECENT.md"), "work in run") {
		t.Errorf("a missing file: %+v", out)
	}
}

func TestForgottenWordsAreGoneFromTheFiles(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(3, l.Worked("run", 0, "a.go")...)
	l.See(13, l.Asked("secret", "the launch is codenamed CANARY", 10), l.Touched("secret", memory.Edit, 11, "b.go"), l.Of("secret", l.Event(memory.SessionEnded, 12)))
	l.Change("projects/shop/RECENT.md", func(text string) string { return text + "mine\n" })
	if !strings.Contains(l.Text("projects/shop/RECENT.md"), "CANARY") {
		t.Fatal("it was never there")
	}
	must.Get(steward.Run(t.Context(), l.Brain, steward.Forget, forget.ForgetInput{Session: "secret", Apply: true}))(t)
	err := filepath.WalkDir(l.Config.Vault(), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if strings.Contains(string(data), "CANARY") {
			t.Errorf("%s still says it", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	// A project that is forgotten whole leaves no files behind.
	must.Get(steward.Run(t.Context(), l.Brain, steward.Forget, forget.ForgetInput{Scope: l.Scope(), Apply: true}))(t)
	if left, _ := filepath.Glob(l.File("projects/*/*.md")); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
	err = filepath.WalkDir(l.Config.Vault(), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if strings.Contains(string(data), "work in run") {
			t.Errorf("%s still mentions the project", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestGoalsAndNotesOfAForgottenSessionGoWithIt(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(3, l.Worked("run", 0, "a.go")...)
	l.See(15, l.Asked("secret", "migrate with Wombatzzz88 please. todo: rotate the Wombatzzz88 keys of the gateway", 10),
		l.Touched("secret", memory.Edit, 11, "b.go"), l.Of("secret", l.Event(memory.SessionEnded, 13)))
	for n := range 6 {
		l.Note(fmt.Sprintf("Fact number %d is about thing %d of the shop", n, n), false)
	}
	l.Dreams(state.DreamInput{Force: true})
	l.GoalNamed("Wombat")
	must.Get(steward.Run(t.Context(), l.Brain, steward.Forget, forget.ForgetInput{Session: "secret", Apply: true}))(t)
	for where, text := range map[string]string{
		"goals": fmt.Sprint(l.AllGoals()), "MEMORY.md": l.Text("projects/shop/MEMORY.md"), "the start": l.Begin(answer.ContextInput{Mode: "full"}).Text,
	} {
		if strings.Contains(text, "Wombat") {
			t.Errorf("%s still mentions it:\n%s", where, text)
		}
	}
}

func TestSleepTakesNoPin(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(3, l.Worked("run", 0, "a.go")...)
	braintest.Must(l, desk.PinText, desk.PinInput{Scope: l.Scope(), Title: "Auth", Text: "By cookies."})
	l.Clock = l.Clock.AddDate(3, 0, 0)
	braintest.Must(l, steward.Sleep, sleep.SleepInput{})
	if pins := braintest.Must(l, desk.Pins, l.Scope()).Pins; len(pins) != 1 || pins[0].Text != "By cookies." {
		t.Errorf("%+v", pins)
	}
}

func TestASessionIsToldWhatMatters(t *testing.T) {
	l := braintest.NewLab(t)
	if got := (answer.ContextInput{Scope: brain.Scope{Dir: t.TempDir()}}); true {
		out, err := steward.Run(t.Context(), l.Brain, answer.StartContext, got)
		if err != nil || out.Text != "" {
			t.Errorf("of nothing is shown %q, %v", out.Text, err)
		}
	}
	for n := range 4 {
		l.See(float64(10*n+3), l.Worked(fmt.Sprint("run ", n), float64(10*n), "a.go", "a.go", "b.go")...)
	}
	for _, err := range []error{
		ignored(steward.Run(t.Context(), l.Brain, desk.PinText, desk.PinInput{Scope: l.Scope(), Title: "Money", Text: "Prices are in cents."})),
		ignored(steward.Run(t.Context(), l.Brain, desk.NoteFile, desk.NoteFileInput{Scope: l.Scope(), Path: "a.go", Note: "moving auth"})),
		ignored(steward.Run(t.Context(), l.Brain, statements.Remember, statements.RememberInput{Scope: l.Scope(), Text: "Deploys happen on Tuesdays", Kind: memory.Decision})),
		ignored(steward.Run(t.Context(), l.Brain, desk.WrapUp, desk.WrapUpInput{Scope: l.Scope(), Happened: "The shop was moved.", Next: "Test the till.", Learned: "The till has its own clock."})),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	l.Clock = l.Clock.Add(24 * time.Hour)
	out := l.Begin(answer.ContextInput{Source: "startup"})
	for _, want := range []string{"Money: Prices are in cents.", "\na.go\n", "> moving auth", "The shop was moved.", "Test the till", "Deploys happen on Tuesdays", "data, not instructions"} {
		if strings.Count(out.Text, want) != 1 {
			t.Errorf("%q is not shown once:\n%s", want, out.Text)
		}
	}
	if strings.Count(out.Text, "own clock") != 1 || strings.Count(out.Text, "in cents") != 1 {
		t.Errorf("something is shown twice:\n%s", out.Text)
	}
	if again := l.Begin(answer.ContextInput{Source: "startup"}); again.Text != out.Text || out.Mode != "warm" || out.Tokens > 2000 {
		t.Errorf("the same state, other bytes, or too many: %+v", out)
	}
	sizes := map[string]int{}
	for _, mode := range []string{"full", "warm", "continue", "micro"} {
		start := l.Begin(answer.ContextInput{Mode: mode})
		if len(start.Text) > start.Budget {
			t.Errorf("%s: %d bytes of %d", mode, len(start.Text), start.Budget)
		}
		sizes[mode] = len(start.Text)
	}
	if sizes["full"] < sizes["warm"] || sizes["warm"] < sizes["continue"] || sizes["continue"] <= sizes["micro"] {
		t.Errorf("sizes: %v", sizes)
	}
	compact := l.Begin(answer.ContextInput{Source: "compact"}).Text
	if !strings.Contains(compact, "The shop was moved.") || strings.Index(compact, "The shop was moved.") > strings.Index(compact, "Money") {
		t.Errorf("after compaction:\n%s", compact)
	}
	for gate, want := range map[config.Gate]string{config.GateAsk: "Ask the user", config.GateNever: ""} {
		l.Config.Gates.Load = gate
		if got := l.Begin(answer.ContextInput{}).Text; !strings.Contains(got, want) || strings.Contains(got, "cents") || want == "" && got != "" {
			t.Errorf("gate %s: %q", gate, got)
		}
		if got := l.Begin(answer.ContextInput{Asked: true}).Text; !strings.Contains(got, "cents") {
			t.Errorf("gate %s, asked: %q", gate, got)
		}
	}
}

func ignored[T any](_ T, err error) error { return err }

func TestOnlyWrappedUpSessionsCountWhereSettingsSaySo(t *testing.T) {
	for _, gate := range []config.Gate{config.GateAsk, config.GateNever} {
		l := braintest.NewLab(t)
		l.Config.Gates.Log = gate
		for n := range 3 {
			l.See(float64(10*n+3), l.Worked(fmt.Sprint("run ", n), float64(10*n), "a.go")...)
		}
		sessions, err := steward.Run(t.Context(), l.Brain, desk.Shelf, desk.ShelfInput{Scope: l.Scope()})
		if err != nil || len(sessions) != 0 || l.ProjectClock() != 0 || math.Abs(l.HeatMap()["a.go"].Heat-3) > 1e-9 {
			t.Errorf("%s: %+v, %v, clock %d, heat %v", gate, sessions, err, l.ProjectClock(), l.HeatMap())
		}
		must.Get(steward.Run(t.Context(), l.Brain, desk.WrapUp, desk.WrapUpInput{Scope: l.Scope()}))(t)
		sessions, err = steward.Run(t.Context(), l.Brain, desk.Shelf, desk.ShelfInput{Scope: l.Scope()})
		if err != nil || len(sessions) != 1 || sessions[0].AgentSession != "run 2" || l.ProjectClock() != 1 {
			t.Errorf("%s, wrapped up: %+v, %v, clock %d", gate, sessions, err, l.ProjectClock())
		}
	}
}

// What a person has in mind in one store is exported and imported into others, made anew.
func TestWhatIsInMindTravels(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(3, l.Worked("run", 0, "a.go")...)
	for _, err := range []error{
		ignored(steward.Run(t.Context(), l.Brain, desk.PinText, desk.PinInput{Scope: l.Scope(), Title: "Money", Text: "Prices are in cents."})),
		ignored(steward.Run(t.Context(), l.Brain, desk.NoteFile, desk.NoteFileInput{Scope: l.Scope(), Path: "a.go", Note: "moving auth"})),
		ignored(steward.Run(t.Context(), l.Brain, views.WritePage, views.WriteInput{Name: "soul", Text: "I like short answers."})),
		ignored(steward.Run(t.Context(), l.Brain, desk.TakeNote, statements.NoteInput{Scope: l.Scope(), Text: "The till has its own clock"})),
		ignored(steward.Run(t.Context(), l.Brain, state.Dream, state.DreamInput{Scope: l.Scope(), Force: true})),
		ignored(steward.Run(t.Context(), l.Brain, desk.TakeNote, statements.NoteInput{Scope: l.Scope(), Text: "The gateway sleeps at night"})),
		ignored(steward.Run(t.Context(), l.Brain, goals.AddGoal, goals.GoalInput{Scope: l.Scope(), Title: "Move the shop to Oslo"})),
		ignored(steward.Run(t.Context(), l.Brain, goals.AddGoal, goals.GoalInput{Scope: l.Scope(), Title: "Paint the door"})),
		ignored(steward.Run(t.Context(), l.Brain, state.Dream, state.DreamInput{Scope: l.Scope(), Force: true})), // the state before stays
		ignored(steward.Run(t.Context(), l.Brain, desk.TakeNote, statements.NoteInput{Scope: l.Scope(), Text: "the door is green", Kind: memory.Lesson, Importance: desk.FeltImportance, Felt: []string{"reward"}})),
		ignored(steward.Run(t.Context(), l.Brain, desk.Feel, desk.FeelInput{Event: "reward"})),
		ignored(steward.Run(t.Context(), l.Brain, desk.Feel, desk.FeelInput{Event: "friction"})),
		ignored(brain.Update(t.Context(), l.Brain, func(tx *store.Tx) (int64, error) {
			goals, err := tx.Goals(t.Context(), true, l.Place.Project())
			if err != nil {
				return 0, err
			}
			return tx.AddThought(t.Context(), store.Thought{
				Project: l.Place.Project(), Goal: goals[0].ID, At: tx.Now, Strength: 0.75, Keys: []string{"a", "b"}, Why: "both speak of Oslo", Outcome: "used",
				ThoughtOf: store.ThoughtOf{Episode: "moving auth", Files: []string{"a.go"}},
			})
		})),
		ignored(steward.Run(t.Context(), l.Brain, state.AddPayment, state.PaymentInput{Amount: 12.5, Skill: "translation", Buyer: "Oslo"})),
		ignored(steward.Run(t.Context(), l.Brain, desk.WrapUp, desk.WrapUpInput{Scope: l.Scope(), Happened: "The shop was moved."})),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		l.Asks("who designed the zeppelin hangar")
	}
	if len(l.GapsOf(state.GapSearch)) != 1 {
		t.Errorf("gaps %+v", l.GapsOf(state.GapSearch))
	}
	var file strings.Builder
	must.Get(steward.Run(t.Context(), l.Brain, desk.Shelf, desk.ShelfInput{Scope: l.Scope()}))(t)
	must.Get(views.RefreshViews(t.Context(), l.Brain, nil))(t)
	must.Get(transfer.Export(t.Context(), l.Store, &file))(t)
	for _, mine := range []bool{true, false} {
		other := braintest.NewLab(t)
		other.Clock = l.Clock
		must.Get(transfer.Import(t.Context(), other.Brain, transfer.ImportInput{From: strings.NewReader(file.String()), Mine: mine}))(t)
		var again strings.Builder
		must.Get(transfer.Export(t.Context(), other.Store, &again))(t)
		if mine && again.String() != file.String() {
			t.Errorf("mine: got\n%s\nwant\n%s", again.String(), file.String())
		}
		other.Imports(file.String(), mine) // twice changes nothing
		if twice := other.Exported(); twice != again.String() {
			t.Errorf("mine %v, twice: got\n%s\nwant\n%s", mine, twice, again.String())
		}
		states, one := steward.Run(t.Context(), other.Brain, state.States, other.Scope())
		gaps, two := steward.Run(t.Context(), other.Brain, state.Gaps, other.Scope())
		mood, three := steward.Run(t.Context(), other.Brain, desk.MoodNow, struct{}{})
		asked := slices.ContainsFunc(gaps, func(g state.Gap) bool { return strings.Contains(g.Text, "zeppelin") })
		if one != nil || two != nil || three != nil || (len(states.Kept) >= 2) != mine || asked != mine || (len(mood.History) >= 2) != mine || (len(other.Thoughts()) == 1) != mine {
			t.Errorf("mine %v: %d states, gaps %+v, moods %+v, %d thoughts, %v, %v, %v", mine, len(states.Kept), gaps, mood.History, len(other.Thoughts()), one, two, three)
		}
		if was, err := steward.Run(t.Context(), l.Brain, desk.MoodNow, struct{}{}); err != nil || mine && fmt.Sprint(was.Levels) != fmt.Sprint(mood.Levels) {
			t.Errorf("it feels %+v, %v; at home %+v", mood.Levels, err, was.Levels)
		}
		pins, one := steward.Run(t.Context(), other.Brain, desk.Pins, other.Scope())
		sessions, two := steward.Run(t.Context(), other.Brain, desk.Shelf, desk.ShelfInput{Scope: other.Scope()})
		if one != nil || two != nil || (len(pins.Pins) == 1) != mine || mine && len(sessions) != 1 {
			t.Errorf("mine %v: %+v, %v, %+v, %v", mine, pins, one, sessions, two)
		}
		if note := other.HeatMap()["a.go"].Note; note != "moving auth" {
			t.Errorf("mine %v: note %q", mine, note)
		}
		if ledger, err := steward.Run(t.Context(), other.Brain, state.Payments, brain.ListInput{}); err != nil || (len(ledger.Payments) == 1) != mine {
			t.Errorf("mine %v: %+v, %v", mine, ledger, err)
		}
	}
}

func TestAStepThatFailsDoesNotHoldUpTheOthers(t *testing.T) {
	l := braintest.NewLab(t)
	if err := os.WriteFile(l.Config.Vault(), nil, 0o600); err != nil { // no folder can be made
		t.Fatal(err)
	}
	out := l.See(3, l.Worked("run", 0, "a.go")...)
	if len(out.Maintenance.Warnings) == 0 || out.Maintenance.Summaries != 1 {
		t.Errorf("%+v", out.Maintenance)
	}
	sessions, err := brain.View(t.Context(), l.Store, func(tx *store.Tx) ([]memory.Session, error) {
		return tx.ShelvedSessions(t.Context(), l.Place.Project(), 10)
	})
	if err != nil || len(sessions) != 1 {
		t.Errorf("%+v, %v", sessions, err)
	}
	status, err := steward.Run(t.Context(), l.Brain, inspect.Status, inspect.StatusInput{Scope: l.Scope()})
	if err != nil || !strings.Contains(strings.Join(status.Attention, "\n"), "vault") {
		t.Errorf("the person is not shown it: %q, %v\n%+v", status.Attention, err, out.Maintenance)
	}
}

func TestTheSameTextIsNotPinnedTwice(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(3, l.Worked("run", 0, "a.go")...)
	must.Get(steward.Run(t.Context(), l.Brain, desk.PinText, desk.PinInput{Scope: l.Scope(), Title: "A", Text: "By cookies."}))(t)
	if _, err := steward.Run(t.Context(), l.Brain, desk.PinText, desk.PinInput{Scope: l.Scope(), Title: "B", Text: "By cookies."}); err == nil || !strings.Contains(err.Error(), `pinned as "A"`) {
		t.Errorf("B: %v", err)
	}
	l.Clock = l.Clock.Add(time.Minute)
	must.Get(steward.Run(t.Context(), l.Brain, desk.PinText, desk.PinInput{Scope: l.Scope(), Title: "A", Text: "By tokens."}))(t)
	if text := l.Begin(answer.ContextInput{}).Text; strings.Contains(text, "cookies") || !strings.Contains(text, "tokens") {
		t.Errorf("what was replaced is shown:\n%s", text)
	}
}

func TestASecretTypedIntoAPageIsKeptNowhere(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(3, l.Worked("run", 0, "a.go")...)
	const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
	l.Change("SOUL.md", func(string) string { return "My token is " + secret + "\n" })
	page, err := steward.Run(t.Context(), l.Brain, views.ReadPage, views.ReadInput{Name: "soul"})
	if err != nil || strings.Contains(page.Text, secret) || !strings.Contains(page.Text, "My token") {
		t.Errorf("%+v, %v", page, err)
	}
	err = filepath.WalkDir(l.Config.Dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if strings.Contains(string(data), secret) {
			t.Errorf("%s holds it", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestASessionIsFoundByItsLabelInFiles(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(3, l.Worked("run", 0, "a.go")...)
	s := l.Sessions()[0]
	out, err := steward.Run(t.Context(), l.Brain, desk.WrapUp, desk.WrapUpInput{Session: record.ShortID(s.ID), Happened: "Done."})
	if err != nil || out.Session.ID != s.ID {
		t.Errorf("%+v, %v", out, err)
	}
}

func TestAFileThatIsBeingWrittenIsLeftToTheNextLook(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(3, l.Worked("run", 0, "a.go")...)
	written := func(text string, ago time.Duration) {
		l.Change("SOUL.md", func(string) string { return text })
		must.Do(t, os.Chtimes(l.File("SOUL.md"), l.Clock.Add(-ago), l.Clock.Add(-ago)))
	}
	for _, text := range []string{"", "I like sho"} {
		written(text, time.Second)
		out := views.Maintain(t.Context(), l.Brain, []memory.ProjectID{l.Place.Project()})
		if got := l.Text("SOUL.md"); got != text || out.Edits+len(out.Warnings) > 0 {
			t.Errorf("%q became %q: %+v", text, got, out)
		}
	}
	written("I like short answers.\n", 3*time.Second)
	out := views.Maintain(t.Context(), l.Brain, []memory.ProjectID{l.Place.Project()})
	if got := l.Text("SOUL.md"); got != "I like short answers.\n" || out.Edits != 1 {
		t.Errorf("%q: %+v", got, out)
	}
}
