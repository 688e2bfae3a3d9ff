package brain

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/dream"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

// touched is an event of a run that touches files.
func (l *lab) touched(run string, kind memory.TouchKind, minutes float64, paths ...string) memory.Event {
	e := l.event(memory.ToolUsed, minutes)
	e.AgentSession, e.Tool, e.Text = run, "Edit", ""
	for _, p := range paths {
		e.Touches = append(e.Touches, memory.Touch{Kind: kind, Path: p})
	}
	return e
}

func (l *lab) of(run string, e memory.Event) memory.Event {
	e.AgentSession = run
	return e
}

// asked is a prompt of a person.
func (l *lab) asked(run, text string, minutes float64) memory.Event {
	e := l.of(run, l.event(memory.Prompted, minutes))
	e.Text, e.Origin = text, memory.OriginUser
	return e
}

// worked is a whole session: a prompt, some edits, the end.
func (l *lab) worked(run string, minutes float64, paths ...string) []memory.Event {
	return []memory.Event{
		l.asked(run, "work in "+run, minutes), l.touched(run, memory.Edit, minutes+1, paths...), l.of(run, l.event(memory.SessionEnded, minutes+2)),
	}
}

func (l *lab) scope() Scope { return Scope{Project: l.place.Project().String()} }

func (l *lab) heatMap() map[string]HotFile {
	l.t.Helper()
	out, err := Run(l.t.Context(), l.Brain, Warmth, HeatInput{Scope: l.scope(), Cold: true, Limit: 100})
	if err != nil {
		l.t.Fatal(err)
	}
	files := map[string]HotFile{}
	for _, f := range out.Files {
		files[f.Path] = f
	}
	return files
}

func (l *lab) file(name string) string {
	return filepath.Join(l.config.Vault(), filepath.FromSlash(name))
}

func (l *lab) text(name string) string {
	l.t.Helper()
	data, err := os.ReadFile(l.file(name))
	if err != nil {
		l.t.Fatal(err)
	}
	return string(data)
}

func (l *lab) change(name string, change func(string) string) {
	l.t.Helper()
	if err := os.WriteFile(l.file(name), []byte(change(l.text(name))), 0o600); err != nil {
		l.t.Fatal(err)
	}
}

func TestHeatGrowsAndFadesBySessions(t *testing.T) { // V1
	l := newLab(t)
	want := map[int][2]float64{1: {1, .8}, 2: {1.8, 1.44}, 3: {2.44, 1.952}, 4: {2.952, 2.3616}, 5: {3.3616, 2.68928}, 10: {4.463129, 3.570503}}
	for n := 1; n <= 10; n++ {
		run, at := fmt.Sprint("run ", n), float64(10*n)
		l.see(at, l.asked(run, "go on", at), l.touched(run, memory.Edit, at, "a.go"))
		before := l.heatMap()["a.go"].Heat
		l.see(at+2, l.of(run, l.event(memory.SessionEnded, at+1)))
		after := l.heatMap()["a.go"]
		if w, known := want[n]; known && (math.Abs(before-w[0]) > 1e-6 || math.Abs(after.Heat-w[1]) > 1e-6) {
			t.Errorf("session %d: %g then %g, want %g then %g", n, before, after.Heat, w[0], w[1])
		}
		if after.Touches != int64(n) {
			t.Errorf("session %d: %d touches", n, after.Touches)
		}
	}
	for _, again := range []float64{200, 201} { // closing twice ticks once
		l.see(again, l.of("run 10", l.event(memory.SessionEnded, again)))
	}
	if got := l.heatMap()["a.go"].Heat; math.Abs(got-3.570503) > 1e-6 {
		t.Errorf("closed again: %g", got)
	}
}

func TestHeatOfOneSession(t *testing.T) {
	l := newLab(t)
	l.see(1,
		l.touched("run", memory.Read, 1, "read-edit.go"), l.touched("run", memory.Edit, 1, "read-edit.go", "edit.go", "twice.go", "thrice.go"),
		l.touched("run", memory.Edit, 1, "twice.go", "thrice.go"), l.touched("run", memory.Edit, 1, "thrice.go"),
		l.touched("run", memory.Mention, 1, "thrice.go", "named.go"), l.touched("run", memory.Mention, 1, "named.go"),
		l.of("run", l.event(memory.SessionEnded, 2)))
	files := l.heatMap()
	for path, want := range map[string]struct {
		heat float64
		tier string
	}{
		"edit.go": {.8, "cold"}, "read-edit.go": {1.04, "warm"}, "twice.go": {1.6, "warm"}, "thrice.go": {2.4, "hot"}, "named.go": {.4, "cold"},
	} {
		if got := files[path]; math.Abs(got.Heat-want.heat) > 1e-9 || got.Tier != want.tier {
			t.Errorf("%s: %g %s, want %g %s", path, got.Heat, got.Tier, want.heat, want.tier)
		}
	}
}

func TestPairsAreShownFromTheirThirdSession(t *testing.T) { // V3
	l := newLab(t)
	for n := 1; n <= 4; n++ {
		at := float64(10 * n)
		run := fmt.Sprint("run ", n)
		l.see(at+3, append(l.worked(run, at, "a.go", "b.go"), l.of(run, l.event(memory.SessionEnded, at+3)))...)
		out, err := Run(t.Context(), l.Brain, Warmth, HeatInput{Scope: l.scope(), Cold: true})
		if err != nil {
			t.Fatal(err)
		}
		if (n >= 3) != (len(out.Clusters) == 1) || n >= 3 && out.Clusters[0].Sessions != n {
			t.Errorf("after %d sessions: %+v", n, out.Clusters)
		}
		if live := l.readLive(); strings.Contains(live, "clusters: {a.go, b.go}") != (n >= 3) {
			t.Errorf("after %d sessions the live view says\n%s", n, live)
		}
	}
}

func (l *lab) readLive() string {
	data, _ := os.ReadFile(l.file("live.md")) // missing while nothing is warm
	return string(data)
}

func TestHeatIsTheSameWhenAllIsLearnedAnew(t *testing.T) {
	l := newLab(t)
	for n := range 8 {
		at := float64(10 * n)
		l.see(at+3, l.worked(fmt.Sprint("run ", n), at, "a.go", fmt.Sprint("f", n, ".go"))...)
	}
	if _, err := Run(t.Context(), l.Brain, NoteFile, NoteFileInput{Scope: l.scope(), Path: "a.go", Note: "moving it"}); err != nil {
		t.Fatal(err)
	}
	before := l.heatMap()
	l.see(100, l.touched("run 8", memory.Edit, 99, "z.go"))
	if _, err := Run(t.Context(), l.Brain, Forget, ForgetInput{Session: "run 8", Apply: true}); err != nil { // relearns the project
		t.Fatal(err)
	}
	after := l.heatMap()
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
	l := newLab(t)
	for n := range 3 {
		l.see(float64(10*n+3), l.worked(fmt.Sprint("run ", n), float64(10*n), "old.go", "old.go", "gone.go")...)
	}
	if _, err := Run(t.Context(), l.Brain, NoteFile, NoteFileInput{Scope: l.scope(), Path: "old.go", Note: "moving it", Summary: "the shop"}); err != nil {
		t.Fatal(err)
	}
	was := l.heatMap()["old.go"]
	commit := l.event(memory.Committed, 50)
	commit.AgentSession, commit.Agent, commit.Origin = "", memory.AgentGit, memory.OriginRepo
	commit.Touches = []memory.Touch{{Kind: memory.Rename, Path: "new.go", From: "old.go"}, {Kind: memory.Delete, Path: "gone.go"}}
	l.see(51, commit)
	files := l.heatMap()
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
	l := newLab(t)
	failed := l.of("one", l.event(memory.ToolFailed, 3))
	failed.Tool, failed.Input, failed.Text = "Bash", "go test ./...", "--- FAIL: TestLogin (0.00s)\n    login_test.go:12: undefined: Token"
	passed := l.of("one", l.event(memory.ToolUsed, 5))
	passed.Tool, passed.Input, passed.Text = "Bash", "go test ./...", ""
	said := l.of("one", l.event(memory.TurnEnded, 6))
	said.Origin, said.Text = memory.OriginAgent, "The login works again: the token was never refreshed.\n\nStill to do: rotate the keys."
	other := l.touched("two", memory.Edit, 4, "docs/readme.md")
	other.Agent = "codex"
	prompt := l.asked("two", "describe the install in the readme", 2)
	prompt.Agent = "codex"
	l.see(8, l.asked("one", "mend the login test", 1), prompt, failed, l.touched("one", memory.Edit, 4, "auth/login.go"), other, passed, said)
	l.see(60) // both fell silent; one of the hooks was killed
	sessions, err := Run(t.Context(), l.Brain, Shelf, ShelfInput{Scope: l.scope()})
	if err != nil || len(sessions) != 2 {
		t.Fatalf("%+v, %v", sessions, err)
	}
	byRun := map[string]memory.Session{}
	for _, s := range sessions {
		byRun[s.AgentSession] = s
	}
	one, two := byRun["one"], byRun["two"]
	for _, want := range []string{"mend the login test", "auth/login.go", "mended 1 error"} {
		if !strings.Contains(one.Happened, want) {
			t.Errorf("happened: %q lacks %q", one.Happened, want)
		}
	}
	if !strings.Contains(one.Learned, "auth/login.go") || !strings.Contains(one.Next, "rotate the keys") || strings.Contains(one.Happened, "readme") {
		t.Errorf("learned %q, next %q", one.Learned, one.Next)
	}
	if !one.Recovered || one.ToldBy != memory.OriginTool || !strings.Contains(one.Happened, "recovered") {
		t.Errorf("%+v", one)
	}
	if !strings.Contains(two.Happened, "docs/readme.md") || strings.Contains(two.Happened, "login") {
		t.Errorf("the other agent's: %q", two.Happened)
	}
	for _, file := range []string{"projects/shop/RECENT.md", "projects/shop/SUMMARY.md"} {
		if text := l.text(file); !strings.Contains(text, shortID(one.ID)) || !strings.Contains(text, shortID(two.ID)) {
			t.Errorf("%s:\n%s", file, text)
		}
	}
	// It goes on: what rules said is said anew at its next end, and the clock does not move again.
	clock := l.projectClock()
	l.see(62, l.asked("one", "now rotate the keys", 61), l.touched("one", memory.Edit, 61, "auth/keys.go"))
	l.see(64, l.of("one", l.event(memory.SessionEnded, 63)))
	sessions, err = Run(t.Context(), l.Brain, Shelf, ShelfInput{Scope: l.scope(), Limit: 1})
	if err != nil || !strings.Contains(sessions[0].Happened, "auth/keys.go") || l.projectClock() != clock {
		t.Errorf("resumed: %+v, %v, clock %d and %d", sessions, err, clock, l.projectClock())
	}
}

func TestOldSessionsGoToTheArchive(t *testing.T) {
	l := newLab(t)
	const day = 24 * 60
	for n := range 8 {
		l.see(float64(n*10*day+3), l.worked(fmt.Sprint("run ", n), float64(n*10*day), "a.go")...)
	}
	recent := l.text("projects/shop/RECENT.md")
	if got := strings.Count(recent, "## Session:"); got != 5 || strings.Index(recent, "run 7") > strings.Index(recent, "run 3") || strings.Contains(recent, "work in run 2") {
		t.Errorf("recent has %d sessions:\n%s", got, recent)
	}
	if got := strings.Count(l.text("projects/shop/SUMMARY.md"), "work in run"); got != 8 {
		t.Errorf("summary has %d lines:\n%s", got, l.text("projects/shop/SUMMARY.md"))
	}
	for month, want := range map[string]int{"2026-11": 2, "2026-12": 1} {
		if got := strings.Count(l.text("projects/shop/archive/"+month+".md"), "## Session:"); got != want {
			t.Errorf("archive %s has %d sessions, want %d", month, got, want)
		}
	}
}

func TestWhatPeopleWriteIntoFilesIsTakenIn(t *testing.T) {
	l := newLab(t)
	for n := range 4 {
		l.see(float64(10*n+3), l.worked(fmt.Sprint("run ", n), float64(10*n), "a.go", "a.go", "a.go")...)
	}
	if _, err := Run(t.Context(), l.Brain, PinText, PinInput{Scope: l.scope(), Title: "Auth", Text: "Tokens are refreshed by the gateway.", Reason: "asked twice"}); err != nil {
		t.Fatal(err)
	}
	l.see(45, l.of("run 9", l.event(memory.SessionStarted, 44)))
	crlf := func(s string) string {
		return "\ufeff" + strings.TrimSuffix(strings.ReplaceAll(s, "\n", "\r\n"), "\r\n")
	} // as some editors save
	l.change("projects/shop/RECENT.md", func(s string) string { return crlf(strings.Replace(s, "work in run 3", "we moved the shop", 1)) })
	l.change("projects/shop/SUMMARY.md", func(s string) string { return strings.Replace(s, "work in run 1", "first steps", 1) })
	l.change("projects/shop/PINNED.md", func(s string) string {
		return strings.Replace(s, "## Auth\n", "## Money\n\nPrices are in cents.\n\n---\n\n## Auth\n", 1)
	})
	l.change("live.md", func(s string) string { return strings.Replace(s, "a.go [", "  \na.go [", 1) + "  > the heart of it\n" })
	l.change("SOUL.md", func(string) string { return "I like short answers.\n" })
	l.see(50, l.of("run 10", l.event(memory.SessionStarted, 49)))

	sessions, err := Run(t.Context(), l.Brain, Shelf, ShelfInput{Scope: l.scope(), Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	entries := map[string]memory.Session{}
	for _, s := range sessions {
		entries[s.AgentSession] = s
	}
	if s := entries["run 3"]; !strings.Contains(s.Happened, "we moved the shop") || s.ToldBy != memory.OriginUser {
		t.Errorf("RECENT.md: %+v", s)
	}
	if s := entries["run 1"]; !strings.Contains(s.Happened, "first steps") || s.ToldBy != memory.OriginUser {
		t.Errorf("SUMMARY.md: %+v", s)
	}
	if s := entries["run 2"]; s.ToldBy != memory.OriginTool {
		t.Errorf("nobody changed %+v", s)
	}
	pins, err := Run(t.Context(), l.Brain, Pins, l.scope())
	if err != nil || len(pins.Pins) != 2 || pins.Pins[1].Title != "Money" || pins.Pins[1].Text != "Prices are in cents." || pins.Pins[1].Origin != memory.OriginUser {
		t.Errorf("PINNED.md: %+v, %v", pins, err)
	}
	if f := l.heatMap()["a.go"]; f.Note != "the heart of it" || f.NoteBy != memory.OriginUser {
		t.Errorf("live.md: %+v", f)
	}
	soul, err := Run(t.Context(), l.Brain, ReadPage, ReadInput{Name: "soul"})
	if err != nil || soul.Text != "I like short answers.\n" || soul.By != memory.OriginUser || soul.Template {
		t.Errorf("SOUL.md: %+v, %v", soul, err)
	}
	// The files now say what the store says, and a second look changes nothing.
	for _, name := range []string{"projects/shop/RECENT.md", "projects/shop/SUMMARY.md", "projects/shop/PINNED.md", "live.md"} {
		if strings.Contains(l.text(name), "\r") {
			t.Errorf("%s was not written anew", name)
		}
	}
	out, err := l.refreshViews(t.Context(), []memory.ProjectID{l.place.Project()})
	if err != nil || out.Edits+out.Written+len(out.Warnings) > 0 {
		t.Errorf("a second look: %+v, %v", out, err)
	}
	// A pin taken out of the file is off; its text stays a memory.
	l.change("projects/shop/PINNED.md", func(s string) string {
		head, tail, _ := strings.Cut(s, "## Money")
		_, rest, _ := strings.Cut(tail, "---\n")
		return head + rest
	})
	if pins, err = Run(t.Context(), l.Brain, Pins, l.scope()); err != nil || len(pins.Pins) != 1 {
		t.Errorf("after taking one out: %+v, %v", pins, err)
	}
	found, err := Run(t.Context(), l.Brain, SearchTexts, SearchInput{Scope: l.scope(), Query: "prices in cents", Limit: 3})
	if err != nil || len(found.Found) == 0 {
		t.Errorf("search: %+v, %v", found, err)
	}
}

func TestAFileThatCannotBeReadIsLeftAlone(t *testing.T) {
	l := newLab(t)
	l.see(3, l.worked("run", 0, "a.go")...)
	for name, text := range map[string]string{
		"projects/shop/RECENT.md": "a thought without any heading\n", "projects/shop/SUMMARY.md": "bytes \xff\xfe\n",
	} {
		before := l.text(name)
		l.change(name, func(string) string { return text })
		out, err := l.refreshViews(t.Context(), []memory.ProjectID{l.place.Project()})
		if err != nil || len(out.Warnings) != 1 || !strings.Contains(out.Warnings[0], filepath.Base(name)) {
			t.Errorf("%s: %+v, %v", name, out, err)
		}
		if got := l.text(name); got != text {
			t.Errorf("%s became %q", name, got)
		}
		l.change(name, func(string) string { return before })
	}
	if err := os.Remove(l.file("projects/shop/RECENT.md")); err != nil {
		t.Fatal(err)
	}
	out, err := l.refreshViews(t.Context(), []memory.ProjectID{l.place.Project()})
	if err != nil || out.Rebuilt != 1 || !strings.Contains(l.text("projects/shop/RECENT.md"), "work in run") {
		t.Errorf("a missing file: %+v, %v", out, err)
	}
}

func TestForgottenWordsAreGoneFromTheFiles(t *testing.T) {
	l := newLab(t)
	l.see(3, l.worked("run", 0, "a.go")...)
	l.see(13, l.asked("secret", "the launch is codenamed CANARY", 10), l.touched("secret", memory.Edit, 11, "b.go"), l.of("secret", l.event(memory.SessionEnded, 12)))
	if !strings.Contains(l.text("projects/shop/RECENT.md"), "CANARY") {
		t.Fatal("it was never there")
	}
	if _, err := Run(t.Context(), l.Brain, Forget, ForgetInput{Session: "secret", Apply: true}); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(l.config.Vault(), func(path string, d os.DirEntry, err error) error {
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
	if _, err := Run(t.Context(), l.Brain, Forget, ForgetInput{Scope: l.scope(), Apply: true}); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(l.file("projects/*/*.md")); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
	err = filepath.WalkDir(l.config.Vault(), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if strings.Contains(string(data), "work in run") {
			t.Errorf("%s still tells of the project", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestGoalsAndNotesOfAForgottenSessionGoWithIt(t *testing.T) {
	l := newLab(t)
	l.see(3, l.worked("run", 0, "a.go")...)
	said := l.of("secret", l.event(memory.TurnEnded, 12))
	said.Origin, said.Text = memory.OriginAgent, "It works.\n\nStill to do: rotate Wombatzzz88."
	l.see(15, l.asked("secret", "migrate with Wombatzzz88 please", 10), l.touched("secret", memory.Edit, 11, "b.go"), said, l.of("secret", l.event(memory.SessionEnded, 13)))
	for n := range 6 {
		l.note(fmt.Sprintf("Fact number %d is about thing %d of the shop", n, n), false)
	}
	l.dreams(DreamInput{Force: true})
	if !strings.Contains(strings.Join(l.goalTitles(), "\n"), "Wombat") {
		t.Fatalf("goals: %q", l.goalTitles())
	}
	if _, err := Run(t.Context(), l.Brain, Forget, ForgetInput{Session: "secret", Apply: true}); err != nil {
		t.Fatal(err)
	}
	for where, text := range map[string]string{
		"goals": strings.Join(l.goalTitles(), "\n"), "MEMORY.md": l.text("projects/shop/MEMORY.md"), "the start": l.begin(ContextInput{Mode: "full"}).Text,
	} {
		if strings.Contains(text, "Wombat") {
			t.Errorf("%s still tells of it:\n%s", where, text)
		}
	}
}

func TestWrapUp(t *testing.T) {
	l := newLab(t)
	l.see(3, l.asked("run", "mend the login", 0), l.touched("run", memory.Edit, 1, "a.go"))
	in := WrapUpInput{
		Scope: l.scope(), Happened: "The login works.", Learned: "Tokens expire at midnight UTC.", Next: "Rotate the keys.",
		Notes: map[string]string{"a.go": "moving auth to cookies"}, PinTitle: "Midnight", PinText: "Everything expires at midnight UTC.", Origin: memory.OriginAgent,
	}
	for range 2 { // twice is once
		out, err := Run(t.Context(), l.Brain, WrapUp, in)
		if err != nil || len(out.Warnings) > 0 {
			t.Fatalf("%+v, %v", out, err)
		}
		s := out.Session
		if s.Happened != in.Happened || s.Learned != in.Learned || s.Next != in.Next || s.ToldBy != memory.OriginAgent || s.CloseReason != memory.ClosedByWrapUp || l.projectClock() != 1 {
			t.Errorf("%+v, clock %d", s, l.projectClock())
		}
		if out.Pin == nil || !slices.Equal(out.Noted, []string{"a.go"}) {
			t.Errorf("%+v", out)
		}
	}
	found, err := Run(t.Context(), l.Brain, SearchTexts, SearchInput{Scope: l.scope(), Query: "when do tokens expire", Limit: 1})
	if err != nil || len(found.Found) != 1 || !strings.Contains(found.Found[0].Text, "midnight") {
		t.Errorf("search: %+v, %v", found, err)
	}
	// What somebody said stays when the session goes on and ends by itself.
	l.see(10, l.asked("run", "one more thing", 8), l.of("run", l.event(memory.SessionEnded, 9)))
	sessions, err := Run(t.Context(), l.Brain, Shelf, ShelfInput{Scope: l.scope()})
	if err != nil || len(sessions) != 1 || sessions[0].Happened != in.Happened || l.projectClock() != 1 {
		t.Errorf("%+v, %v", sessions, err)
	}
	if _, err := Run(t.Context(), l.Brain, WrapUp, WrapUpInput{Scope: Scope{Dir: t.TempDir()}}); !isNotFound(err) {
		t.Errorf("nothing to wrap up: %v", err)
	}
}

func TestAPinIsOneOfItsTitleAndNeverGoes(t *testing.T) {
	l := newLab(t)
	l.see(3, l.worked("run", 0, "a.go")...)
	pin := func(title, text string, everywhere bool) PinResult {
		t.Helper()
		l.clock = l.clock.Add(time.Second)
		out, err := Run(t.Context(), l.Brain, PinText, PinInput{Scope: l.scope(), Title: title, Text: text, Everywhere: everywhere})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	first := pin("Auth", "By cookies.", false)
	if again := pin(" auth ", "By cookies.", false); again.Crystal != first.Crystal || again.Replaced {
		t.Errorf("said again: %+v", again)
	}
	if changed := pin("Auth", "By tokens.", false); !changed.Replaced {
		t.Errorf("changed: %+v", changed)
	}
	pin("Auth v2", "By both.", false)
	pin("Auth", "Never in the URL.", true)
	l.clock = l.clock.AddDate(3, 0, 0)
	if _, err := Run(t.Context(), l.Brain, Sleep, SleepInput{Yes: true}); err != nil {
		t.Fatal(err)
	}
	pins, err := Run(t.Context(), l.Brain, Pins, l.scope())
	var entries []string
	for _, p := range pins.Pins {
		entries = append(entries, p.Text)
	}
	if want := []string{"Never in the URL.", "By tokens.", "By both."}; err != nil || !slices.Equal(entries, want) {
		t.Errorf("%q, %v, want %q", entries, err, want)
	}
	if big := pin("Big", strings.Repeat("long ", 400), false); big.Bytes <= big.Most {
		t.Errorf("%d of %d bytes", big.Bytes, big.Most)
	}
	if _, err := Run(t.Context(), l.Brain, Unpin, UnpinInput{Scope: l.scope(), Title: "AUTH V2"}); err != nil {
		t.Error(err)
	}
	for _, title := range []string{"How to release", "How to deploy", "Deploy on Fridays"} {
		must(l, PinText, PinInput{Scope: l.scope(), Title: title})
	}
	if _, err := Run(t.Context(), l.Brain, Unpin, UnpinInput{Scope: l.scope(), Title: "deploy"}); !errors.Is(err, memory.ErrConflict) ||
		!strings.Contains(err.Error(), `"How to deploy"`) || !strings.Contains(err.Error(), `"Deploy on Fridays"`) {
		t.Errorf("a part that two titles have: %v", err)
	}
	if p := must(l, Unpin, UnpinInput{Scope: l.scope(), Title: "friday"}); p.Title != "Deploy on Fridays" {
		t.Errorf("a part that one title has takes %q off", p.Title)
	}
	if _, err := Run(t.Context(), l.Brain, Unpin, UnpinInput{Scope: l.scope(), Title: "none"}); !isNotFound(err) {
		t.Errorf("none: %v", err)
	}
	if _, err := Run(t.Context(), l.Brain, PinText, PinInput{Scope: l.scope(), Title: " \t "}); err == nil {
		t.Error("a pin without a title")
	}
}

func (l *lab) begin(in ContextInput) ContextResult {
	l.t.Helper()
	in.Scope = l.scope()
	out, err := Run(l.t.Context(), l.Brain, StartContext, in)
	if err != nil {
		l.t.Fatal(err)
	}
	return out
}

func TestASessionIsToldWhatMatters(t *testing.T) {
	l := newLab(t)
	if got := (ContextInput{Scope: Scope{Dir: t.TempDir()}}); true {
		out, err := Run(t.Context(), l.Brain, StartContext, got)
		if err != nil || out.Text != "" {
			t.Errorf("of nothing is told %q, %v", out.Text, err)
		}
	}
	for n := range 4 {
		l.see(float64(10*n+3), l.worked(fmt.Sprint("run ", n), float64(10*n), "a.go", "a.go", "b.go")...)
	}
	for _, err := range []error{
		ignored(Run(t.Context(), l.Brain, PinText, PinInput{Scope: l.scope(), Title: "Money", Text: "Prices are in cents."})),
		ignored(Run(t.Context(), l.Brain, NoteFile, NoteFileInput{Scope: l.scope(), Path: "a.go", Note: "moving auth"})),
		ignored(Run(t.Context(), l.Brain, Remember, RememberInput{Scope: l.scope(), Text: "Deploys happen on Tuesdays", Kind: memory.Decision})),
		ignored(Run(t.Context(), l.Brain, WrapUp, WrapUpInput{Scope: l.scope(), Happened: "The shop was moved.", Next: "Test the till.", Learned: "The till has its own clock."})),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	l.clock = l.clock.Add(24 * time.Hour)
	out := l.begin(ContextInput{Source: "startup"})
	for _, want := range []string{"Money: Prices are in cents.", "a.go [", "> moving auth", "The shop was moved.", "Test the till", "Deploys happen on Tuesdays", "data, not instructions"} {
		if strings.Count(out.Text, want) != 1 {
			t.Errorf("%q is not told once:\n%s", want, out.Text)
		}
	}
	if strings.Count(out.Text, "own clock") != 1 || strings.Count(out.Text, "in cents") != 1 {
		t.Errorf("something is told twice:\n%s", out.Text)
	}
	if again := l.begin(ContextInput{Source: "startup"}); again.Text != out.Text || out.Mode != "warm" || out.Tokens > 2000 {
		t.Errorf("the same state, other bytes, or too many: %+v", out)
	}
	sizes := map[string]int{}
	for _, mode := range []string{"full", "warm", "continue", "micro"} {
		told := l.begin(ContextInput{Mode: mode})
		if len(told.Text) > told.Budget {
			t.Errorf("%s: %d bytes of %d", mode, len(told.Text), told.Budget)
		}
		sizes[mode] = len(told.Text)
	}
	if sizes["full"] < sizes["warm"] || sizes["warm"] < sizes["continue"] || sizes["continue"] <= sizes["micro"] {
		t.Errorf("sizes: %v", sizes)
	}
	compact := l.begin(ContextInput{Source: "compact"}).Text
	if !strings.Contains(compact, "The shop was moved.") || strings.Index(compact, "The shop was moved.") > strings.Index(compact, "Money") {
		t.Errorf("after compaction:\n%s", compact)
	}
	for gate, want := range map[config.Gate]string{config.GateAsk: "Ask the user", config.GateNever: ""} {
		l.config.Gates.Load = gate
		if got := l.begin(ContextInput{}).Text; !strings.Contains(got, want) || strings.Contains(got, "cents") || want == "" && got != "" {
			t.Errorf("gate %s: %q", gate, got)
		}
		if got := l.begin(ContextInput{Asked: true}).Text; !strings.Contains(got, "cents") {
			t.Errorf("gate %s, asked: %q", gate, got)
		}
	}
}

func ignored[T any](_ T, err error) error { return err }

// Whatever is known, the start of a session keeps to its budget and to one telling of each thing.
func TestTheStartOfASessionKeepsToItsBudget(t *testing.T) {
	l := newLab(t)
	long := strings.Repeat("Ein längerer Satz über Gärten und Flüsse. ", 30)
	for n := range 12 {
		run, at := fmt.Sprint("run ", n), float64(10*n)
		events := []memory.Event{l.asked(run, long+run, at)}
		for f := range 20 {
			events = append(events, l.touched(run, memory.Edit, at+1, fmt.Sprintf("deep/folder/of/files/number-%d/file.go", (n+f)%25)))
		}
		l.see(at+3, append(events, l.of(run, l.event(memory.SessionEnded, at+2)))...)
		if _, err := Run(t.Context(), l.Brain, PinText, PinInput{Scope: l.scope(), Title: fmt.Sprint("Pin ", n), Text: long[:n*90]}); err != nil {
			t.Fatal(err)
		}
		if _, err := Run(t.Context(), l.Brain, Remember, RememberInput{Scope: l.scope(), Text: fmt.Sprint(n, " ", long)}); err != nil {
			t.Fatal(err)
		}
		if n%4 != 3 { // three states of growing size tell enough
			continue
		}
		for _, window := range []int{0, 8000, 64000, 128000, 200000} {
			for _, source := range []string{"startup", "resume", "clear", "compact"} {
				for _, mode := range []string{"", "full", "warm", "continue", "micro"} {
					out := l.begin(ContextInput{Window: window, Source: source, Mode: mode})
					if len(out.Text) > out.Budget {
						t.Errorf("%d bytes of %d (%d, %s, %s)", len(out.Text), out.Budget, window, source, mode)
					}
					for pin := range n + 1 {
						if title := fmt.Sprint("\n- Pin ", pin); !strings.Contains(out.Text, title+":") && !strings.Contains(out.Text, title+"\n") {
							t.Errorf("pin %d of %d is left out (%d, %s, %s):\n%s", pin, n+1, window, source, mode, out.Text)
						}
					}
				}
			}
		}
	}
}

func TestOnlyWrappedUpSessionsCountWhereSettingsSaySo(t *testing.T) {
	for _, gate := range []config.Gate{config.GateAsk, config.GateNever} {
		l := newLab(t)
		l.config.Gates.Log = gate
		for n := range 3 {
			l.see(float64(10*n+3), l.worked(fmt.Sprint("run ", n), float64(10*n), "a.go")...)
		}
		sessions, err := Run(t.Context(), l.Brain, Shelf, ShelfInput{Scope: l.scope()})
		if err != nil || len(sessions) != 0 || l.projectClock() != 0 || math.Abs(l.heatMap()["a.go"].Heat-3) > 1e-9 {
			t.Errorf("%s: %+v, %v, clock %d, heat %v", gate, sessions, err, l.projectClock(), l.heatMap())
		}
		if _, err := Run(t.Context(), l.Brain, WrapUp, WrapUpInput{Scope: l.scope()}); err != nil {
			t.Fatal(err)
		}
		sessions, err = Run(t.Context(), l.Brain, Shelf, ShelfInput{Scope: l.scope()})
		if err != nil || len(sessions) != 1 || sessions[0].AgentSession != "run 2" || l.projectClock() != 1 {
			t.Errorf("%s, wrapped up: %+v, %v, clock %d", gate, sessions, err, l.projectClock())
		}
	}
}

func TestWhatIsInMindTravels(t *testing.T) { travels(t, newLab(t), newLab) }

func TestWhatIsInMindTravelsToAServerAndFromOne(t *testing.T) {
	schemas := 0
	server := func(t *testing.T) *lab {
		schemas++
		return newServerLab(t, fmt.Sprint("travel_", schemas))
	}
	travels(t, newLab(t), server)
	travels(t, server(t), newLab)
}

// travels exports what a person has in mind in one store and takes it into others, made anew.
func travels(t *testing.T, l *lab, fresh func(*testing.T) *lab) {
	l.see(3, l.worked("run", 0, "a.go")...)
	for _, err := range []error{
		ignored(Run(t.Context(), l.Brain, PinText, PinInput{Scope: l.scope(), Title: "Money", Text: "Prices are in cents."})),
		ignored(Run(t.Context(), l.Brain, NoteFile, NoteFileInput{Scope: l.scope(), Path: "a.go", Note: "moving auth"})),
		ignored(Run(t.Context(), l.Brain, WritePage, WriteInput{Name: "soul", Text: "I like short answers."})),
		ignored(Run(t.Context(), l.Brain, TakeNote, NoteInput{Scope: l.scope(), Text: "The till has its own clock"})),
		ignored(Run(t.Context(), l.Brain, Dream, DreamInput{Scope: l.scope(), Force: true})),
		ignored(Run(t.Context(), l.Brain, TakeNote, NoteInput{Scope: l.scope(), Text: "The gateway sleeps at night"})),
		ignored(Run(t.Context(), l.Brain, AddGoal, GoalInput{Scope: l.scope(), Title: "Move the shop to Oslo"})),
		ignored(Run(t.Context(), l.Brain, AddGoal, GoalInput{Scope: l.scope(), Title: "Paint the door"})),
		ignored(Run(t.Context(), l.Brain, Dream, DreamInput{Scope: l.scope(), Force: true})), // the state before stays
		ignored(Run(t.Context(), l.Brain, Feel, FeelInput{Scope: l.scope(), Event: "reward", About: "the door is green"})),
		ignored(Run(t.Context(), l.Brain, Feel, FeelInput{Scope: l.scope(), Event: "friction"})),
		ignored(updated(t.Context(), l.Brain, func(tx *store.Tx) (int64, error) {
			goals, err := tx.Goals(t.Context(), true, l.place.Project())
			if err != nil {
				return 0, err
			}
			return tx.AddThought(t.Context(), store.Thought{
				Project: l.place.Project(), Goal: goals[0].ID, At: tx.Now, Strength: 0.75, Keys: []string{"a", "b"}, Why: "both speak of Oslo", Outcome: "used",
				ThoughtOf: store.ThoughtOf{Episode: "moving auth", Files: []string{"a.go"}},
			})
		})),
		ignored(Run(t.Context(), l.Brain, AddPayment, PaymentInput{Amount: 12.5, Skill: "translation", Buyer: "Oslo"})),
		ignored(Run(t.Context(), l.Brain, WrapUp, WrapUpInput{Scope: l.scope(), Happened: "The shop was moved."})),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		l.asks("who designed the zeppelin hangar")
	}
	if len(l.gapsOf(dream.GapSearch)) != 1 {
		t.Errorf("gaps %+v", l.gapsOf(dream.GapSearch))
	}
	l.change("projects/shop/RECENT.md", func(s string) string {
		return s + "\n## Session: March 03, 2026\n\n### What Happened\n\nWe met in Oslo.\n\n---\n"
	})
	var file strings.Builder
	if _, err := Run(t.Context(), l.Brain, Shelf, ShelfInput{Scope: l.scope()}); err != nil {
		t.Fatal(err)
	}
	if _, err := l.refreshViews(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Export(t.Context(), &file); err != nil {
		t.Fatal(err)
	}
	for _, mine := range []bool{true, false} {
		other := fresh(t)
		other.clock = l.clock
		if _, err := other.Import(t.Context(), ImportInput{From: strings.NewReader(file.String()), Mine: mine}); err != nil {
			t.Fatal(err)
		}
		var again strings.Builder
		if _, err := other.Export(t.Context(), &again); err != nil {
			t.Fatal(err)
		}
		if mine && again.String() != file.String() {
			t.Errorf("mine: got\n%s\nwant\n%s", again.String(), file.String())
		}
		other.imports(file.String(), mine) // twice changes nothing
		if twice := other.exported(); twice != again.String() {
			t.Errorf("mine %v, twice: got\n%s\nwant\n%s", mine, twice, again.String())
		}
		states, one := Run(t.Context(), other.Brain, States, other.scope())
		gaps, two := Run(t.Context(), other.Brain, Gaps, other.scope())
		mood, three := Run(t.Context(), other.Brain, MoodNow, ListInput{Limit: 10})
		asked := slices.ContainsFunc(gaps, func(g dream.Gap) bool { return strings.Contains(g.Text, "zeppelin") })
		if one != nil || two != nil || three != nil || (len(states.Kept) >= 2) != mine || asked != mine || (len(mood.History) >= 2) != mine || (len(other.thoughts()) == 1) != mine {
			t.Errorf("mine %v: %d states, gaps %+v, moods %+v, %d thoughts, %v, %v, %v", mine, len(states.Kept), gaps, mood.History, len(other.thoughts()), one, two, three)
		}
		if was, err := Run(t.Context(), l.Brain, MoodNow, ListInput{}); err != nil || mine && fmt.Sprint(was.Levels) != fmt.Sprint(mood.Levels) {
			t.Errorf("it feels %+v, %v; at home %+v", mood.Levels, err, was.Levels)
		}
		pins, one := Run(t.Context(), other.Brain, Pins, other.scope())
		sessions, two := Run(t.Context(), other.Brain, Shelf, ShelfInput{Scope: other.scope()})
		if one != nil || two != nil || (len(pins.Pins) == 1) != mine || mine && len(sessions) != 2 {
			t.Errorf("mine %v: %+v, %v, %+v, %v", mine, pins, one, sessions, two)
		}
		if note := other.heatMap()["a.go"].Note; note != "moving auth" {
			t.Errorf("mine %v: note %q", mine, note)
		}
		if ledger, err := Run(t.Context(), other.Brain, Payments, ListInput{}); err != nil || (len(ledger.Payments) == 1) != mine {
			t.Errorf("mine %v: %+v, %v", mine, ledger, err)
		}
	}
}

func TestAStepThatFailsDoesNotHoldUpTheOthers(t *testing.T) {
	l := newLab(t)
	if err := os.WriteFile(l.config.Vault(), nil, 0o600); err != nil { // no folder can be made
		t.Fatal(err)
	}
	out := l.see(3, l.worked("run", 0, "a.go")...)
	if len(out.House.Warnings) == 0 || out.House.Told != 1 {
		t.Errorf("%+v", out.House)
	}
	sessions, err := viewed(t.Context(), l.Brain, func(tx *store.Tx) ([]memory.Session, error) {
		return tx.ShelvedSessions(t.Context(), l.place.Project(), 10)
	})
	if err != nil || len(sessions) != 1 {
		t.Errorf("%+v, %v", sessions, err)
	}
	if got := l.begin(ContextInput{}).Text; !strings.Contains(got, "vault") {
		t.Errorf("the next session does not hear of it:\n%s\n%+v", got, out.House)
	}
}

func TestTheSameTextIsNotPinnedTwice(t *testing.T) {
	l := newLab(t)
	l.see(3, l.worked("run", 0, "a.go")...)
	if _, err := Run(t.Context(), l.Brain, PinText, PinInput{Scope: l.scope(), Title: "A", Text: "By cookies."}); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), l.Brain, PinText, PinInput{Scope: l.scope(), Title: "B", Text: "By cookies."}); err == nil || !strings.Contains(err.Error(), `pinned as "A"`) {
		t.Errorf("B: %v", err)
	}
	l.clock = l.clock.Add(time.Minute)
	if _, err := Run(t.Context(), l.Brain, PinText, PinInput{Scope: l.scope(), Title: "A", Text: "By tokens."}); err != nil {
		t.Fatal(err)
	}
	if text := l.begin(ContextInput{}).Text; strings.Contains(text, "cookies") || !strings.Contains(text, "tokens") {
		t.Errorf("what was replaced is told:\n%s", text)
	}
}

func TestASecretTypedIntoAPageIsKeptNowhere(t *testing.T) {
	l := newLab(t)
	l.see(3, l.worked("run", 0, "a.go")...)
	const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
	l.change("SOUL.md", func(string) string { return "My token is " + secret + "\n" })
	page, err := Run(t.Context(), l.Brain, ReadPage, ReadInput{Name: "soul"})
	if err != nil || strings.Contains(page.Text, secret) || !strings.Contains(page.Text, "My token") {
		t.Errorf("%+v, %v", page, err)
	}
	err = filepath.WalkDir(l.config.Dir, func(path string, d os.DirEntry, err error) error {
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
	l := newLab(t)
	l.see(3, l.worked("run", 0, "a.go")...)
	s := l.sessions()[0]
	out, err := Run(t.Context(), l.Brain, WrapUp, WrapUpInput{Session: shortID(s.ID), Happened: "Done."})
	if err != nil || out.Session.ID != s.ID {
		t.Errorf("%+v, %v", out, err)
	}
}

func TestAFolderFollowsTheNameOfItsProject(t *testing.T) {
	l := newLab(t)
	l.see(0, l.event(memory.ToolUsed, 0))
	must(l, PinText, PinInput{Scope: l.scope(), Title: "How to release", Text: "tag it"})
	if _, err := l.refreshViews(t.Context(), []memory.ProjectID{l.place.Project()}); err != nil {
		t.Fatal(err)
	}
	open, err := os.OpenFile(l.file("projects/shop/PINNED.md"), os.O_RDWR|os.O_APPEND, 0) // an editor
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = open.Close() }()
	writeFile(t, l.file("projects/shop/mine.md"), []byte("my own\n"))
	tag := func(name string) {
		t.Helper()
		l.later(time.Minute)
		must(l, TagProject, TagInput{Scope: Scope{Project: l.place.Project().String()}, Name: name})
	}
	tag("market")
	if _, err := os.Stat(l.file("projects/shop")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the old folder: %v", err)
	}
	if got := l.text("projects/market/mine.md"); got != "my own\n" {
		t.Errorf("a person's file says %q", got)
	}
	if _, err := open.WriteString("\n## On call\n\nAda this week\n"); err != nil {
		t.Fatal(err)
	}
	tag("bazaar")
	tag("market") // and back
	l.later(time.Hour)
	if _, err := l.refreshViews(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	pins := must(l, Pins, l.scope())
	if len(pins.Pins) != 2 || len(pins.Warnings) > 0 || !strings.Contains(l.text("projects/market/PINNED.md"), "Ada this week") {
		t.Errorf("after the edit in a file that was open: %+v", pins)
	}
	entries, err := os.ReadDir(l.file("projects"))
	if err != nil || len(entries) != 1 {
		t.Errorf("folders: %v, %v", entries, err)
	}
}
