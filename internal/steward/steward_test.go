package steward_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/forget"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/spool"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/transfer"
	"github.com/hebb-memory/hebb/internal/views"
)

// A session's life, step by step: what arrives, when it is drained, and how the session stands
// then.
func TestSessionLife(t *testing.T) {
	type step struct {
		kinds   []memory.EventKind
		at      float64 // minutes after start: when they happened
		drained float64 // and when they were imported
		state   string  // "open", or the reason it was closed, with ! if recovered
		clock   int64
	}
	started, tool, ended := []memory.EventKind{memory.SessionStarted}, []memory.EventKind{memory.ToolUsed}, []memory.EventKind{memory.SessionEnded}
	for _, c := range []struct {
		name  string
		steps []step
	}{
		{"the agent ends it", []step{{started, 0, 0, "open", 0}, {ended, 1, 1, "ended", 1}}},
		{"start and end arrive together", []step{{[]memory.EventKind{memory.SessionStarted, memory.SessionEnded}, 0, 0, "ended", 1}}},
		{"an end alone opens and closes", []step{{ended, 0, 0, "ended", 1}}},
		{"ended twice counts once", []step{{started, 0, 0, "open", 0}, {ended, 1, 1, "ended", 1}, {ended, 2, 2, "ended", 1}}},
		{"a closed one is not swept again", []step{{ended, 0, 0, "ended", 1}, {nil, 0, 100, "ended", 1}}},
		{"resumed, it opens without a second tick", []step{
			{ended, 0, 0, "ended", 1}, {started, 5, 5, "open", 1}, {ended, 6, 6, "ended", 1},
		}},
		{"what merely arrives late does not open it", []step{
			{started, 0, 0, "open", 0}, {ended, 5, 5, "ended", 1}, {tool, 4, 6, "ended", 1},
		}},
		{"a hook that ran in the background comes after the end and does not open it", []step{
			{started, 0, 0, "open", 0}, {ended, 5, 5, "ended", 1}, {[]memory.EventKind{memory.TurnEnded}, 5.1, 6, "ended", 1},
			{[]memory.EventKind{memory.Prompted}, 7, 7, "open", 1},
		}},
		{"14 minutes of silence are none", []step{{tool, 0, 0, "open", 0}, {nil, 0, 14, "open", 0}}},
		{"15 minutes of silence close it", []step{{tool, 0, 0, "open", 0}, {nil, 0, 15, "idle", 1}}},
		{"29 minutes are still idleness", []step{{tool, 0, 0, "open", 0}, {nil, 0, 29.9, "idle", 1}}},
		{"found after 30 minutes it is recovered", []step{{tool, 0, 0, "open", 0}, {nil, 0, 30, "orphan!", 1}}},
		{"an event keeps it alive", []step{{tool, 0, 0, "open", 0}, {tool, 14, 14, "open", 0}, {nil, 0, 28, "open", 0}}},
		{"idle and taken up again", []step{{tool, 0, 0, "open", 0}, {nil, 0, 15, "idle", 1}, {tool, 20, 20, "open", 1}, {nil, 0, 35, "idle", 1}}},
		{"mail that waited too long is closed at once", []step{{tool, 0, 40, "orphan!", 1}}},
		{"a clock set back: dated ahead, it is recovered", []step{{tool, 600, 600, "open", 0}, {nil, 0, 0, "orphan!", 1}}},
		{"dated a little ahead it stays open", []step{{tool, 20, 20, "open", 0}, {nil, 0, 0, "open", 0}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := braintest.NewLab(t)
			for i, s := range c.steps {
				var events []memory.Event
				for _, kind := range s.kinds {
					events = append(events, l.Event(kind, s.at))
				}
				l.See(s.drained, events...)
				sessions := l.Sessions()
				if len(sessions) != 1 {
					t.Fatalf("step %d: %d sessions", i, len(sessions))
				}
				state := "open"
				if got := sessions[0]; !got.Open() {
					state = string(got.CloseReason)
					if got.Recovered {
						state += "!"
					}
				}
				if clock := l.ProjectClock(); state != s.state || clock != s.clock {
					t.Errorf("step %d: %s, clock %d; want %s, %d", i, state, clock, s.state, s.clock)
				}
			}
		})
	}
}

// One run that worked in two projects ends in both, and each project's clock moves once.
func TestEndOfARunClosesItsSessionsEverywhere(t *testing.T) {
	l := braintest.NewLab(t)
	elsewhere := l.Event(memory.ToolUsed, 0)
	elsewhere.Place = memory.Place{Identity: "/lib/.git", Root: "/lib"}
	other := l.Event(memory.ToolUsed, 0)
	other.AgentSession = "another run"
	l.See(1, l.Event(memory.ToolUsed, 0), elsewhere, other, l.Event(memory.SessionEnded, 1))
	open := 0
	for _, s := range l.Sessions() {
		if s.Open() {
			open++
			if s.AgentSession != "another run" {
				t.Errorf("open: %+v", s)
			}
		}
	}
	if open != 1 || l.ProjectClock() != 1 {
		t.Errorf("%d open, clock %d", open, l.ProjectClock())
	}
}

func TestRepetitions(t *testing.T) {
	say := func(l *braintest.Lab, kind memory.EventKind, minutes float64, text string) memory.Event {
		e := l.Event(kind, minutes)
		e.Text = text
		return e
	}
	for _, c := range []struct {
		name   string
		events func(l *braintest.Lab) []memory.Event
		kept   int
	}{
		{"a turn's end heard twice", func(l *braintest.Lab) []memory.Event {
			return []memory.Event{say(l, memory.TurnEnded, 0, "done"), say(l, memory.TurnEnded, 0, "done")}
		}, 1},
		{"other words", func(l *braintest.Lab) []memory.Event {
			return []memory.Event{say(l, memory.TurnEnded, 0, "done"), say(l, memory.TurnEnded, 0, "done!")}
		}, 2},
		{"the same words to another prompt", func(l *braintest.Lab) []memory.Event {
			return []memory.Event{say(l, memory.TurnEnded, 0, "done"), say(l, memory.Prompted, 1, "more"), say(l, memory.TurnEnded, 2, "done")}
		}, 3},
		{"two prompts and two calls alike are two: they have names", func(l *braintest.Lab) []memory.Event {
			return []memory.Event{
				say(l, memory.Prompted, 0, "go on"), say(l, memory.Prompted, 0, "go on"), say(l, memory.ToolUsed, 0, ""), say(l, memory.ToolUsed, 0, ""),
			}
		}, 4},
		{"two helpers begin, each heard twice", func(l *braintest.Lab) []memory.Event {
			var events []memory.Event
			for _, name := range []string{"one", "two", "one", "two"} {
				e := say(l, memory.SubagentBegan, 0, "")
				e.Subagent = name
				events = append(events, e)
			}
			return events
		}, 2},
		{"a start after an end is a new start, an end after a start a new end", func(l *braintest.Lab) []memory.Event {
			return []memory.Event{
				say(l, memory.SessionStarted, 0, ""), say(l, memory.SessionStarted, 0, ""), say(l, memory.SessionEnded, 1, ""), say(l, memory.SessionEnded, 1, ""),
				say(l, memory.SessionStarted, 2, ""), say(l, memory.SessionEnded, 3, ""),
			}
		}, 4},
		{"three compactions in one long turn", func(l *braintest.Lab) []memory.Event {
			var events []memory.Event
			for minute := range 3 {
				events = append(events, say(l, memory.Compacting, float64(minute), ""), say(l, memory.SessionStarted, float64(minute), ""))
			}
			return events
		}, 6},
		{"in another run it is another word", func(l *braintest.Lab) []memory.Event {
			other := say(l, memory.TurnEnded, 0, "done")
			other.AgentSession = "another run"
			return []memory.Event{say(l, memory.TurnEnded, 0, "done"), other}
		}, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			together, apart := braintest.NewLab(t), braintest.NewLab(t)
			together.See(5, c.events(together)...)
			for _, e := range c.events(apart) {
				apart.See(5, e)
			}
			if a, b := len(together.Events()), len(apart.Events()); a != c.kept || b != c.kept {
				t.Errorf("%d kept of one batch, %d of many; want %d", a, b, c.kept)
			}
		})
	}
}

func TestDrainCounts(t *testing.T) {
	l := braintest.NewLab(t)
	known, unfit := l.Event(memory.ToolUsed, 0), l.Event(memory.ToolUsed, 0)
	unfit.Agent = ""
	if r := l.See(0, known, known, unfit); r.Events != 1 || r.Duplicates != 1 || r.Rejected != 1 || r.Busy {
		t.Errorf("drained %+v", r)
	}
	if r := l.See(0, known); r.Events != 0 || r.Duplicates != 1 {
		t.Errorf("drained %+v", r)
	}
	if state := l.Spool.State(); state.Rejected == 0 {
		t.Errorf("spool %+v: the unfit event is not kept aside", state)
	}
}

// One event that no database can hold is set aside; the mail behind it arrives.
func TestAnEventTheStoreRefusesDoesNotHoldUpTheRest(t *testing.T) {
	l := braintest.NewLab(t)
	long, nul := l.Event(memory.ToolUsed, 0), l.Event(memory.ToolUsed, 0)
	long.Place.Identity = strings.Repeat("/folder", 5000)
	nul.Touches = []memory.Touch{{Kind: memory.Edit, Path: "a\x00b"}}
	if r := l.See(0, long, l.Event(memory.ToolUsed, 0), nul, l.Event(memory.ToolUsed, 0)); r.Events != 2 || r.Rejected != 2 {
		t.Errorf("drained %+v", r)
	}
}

func TestClean(t *testing.T) {
	e := record.Clean(memory.Event{
		At: braintest.Start.Add(time.Hour + time.Microsecond), Tool: "two\nlines", Subagent: "\x1b[2J", AgentSession: "run\n2",
		Input: "curl -H 'Authorization: Bearer ghp_16C7e42F292c6912E7710c838347Ae178B4a'", Text: "kept <private>gone</private> kept",
		Touches: []memory.Touch{{Path: "a.go"}, {Path: "ghp_16C7e42F292c6912E7710c838347Ae178B4a.txt"}},
	}, braintest.Start)
	if !e.At.Equal(braintest.Start) {
		t.Errorf("at %v: the future is clamped to now", e.At)
	}
	if e.Tool != "two lines" || strings.ContainsRune(e.Subagent, 0x1b) || e.AgentSession != "run 2" {
		t.Errorf("tool %q, subagent %q, session %q", e.Tool, e.Subagent, e.AgentSession)
	}
	if strings.Contains(fmt.Sprint(e), "ghp_") || e.Text != "kept [private] kept" || e.Touches[0].Path != "a.go" {
		t.Errorf("event %+v", e)
	}
	past := record.Clean(memory.Event{At: braintest.Start.Add(-time.Hour).In(time.FixedZone("east", 3600))}, braintest.Start)
	if !past.At.Equal(braintest.Start.Add(-time.Hour)) || past.At.Location() != time.UTC {
		t.Errorf("at %v", past.At)
	}
	if again := record.Clean(e, braintest.Start); fmt.Sprint(again) != fmt.Sprint(e) {
		t.Errorf("cleaned twice: %+v", again)
	}
}

func TestCheck(t *testing.T) {
	whole := memory.Event{ID: "x", At: braintest.Start, Kind: memory.ToolUsed, Origin: memory.OriginTool, Agent: "a", Place: memory.Place{Identity: "/"}}
	if err := record.Check(whole); err != nil {
		t.Error(err)
	}
	for want, spoil := range map[string]func(*memory.Event){
		"no id": func(e *memory.Event) { e.ID = "" }, "no time": func(e *memory.Event) { e.At = time.Time{} },
		"no kind": func(e *memory.Event) { e.Kind = "" }, "no agent": func(e *memory.Event) { e.Agent = "" },
		"no origin": func(e *memory.Event) { e.Origin = "" }, "no place": func(e *memory.Event) { e.Place = memory.Place{} },
		"an answer of -1 bytes": func(e *memory.Event) { e.ResultBytes = new(int64(-1)) },
	} {
		e := whole
		spoil(&e)
		if err := record.Check(e); !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

func TestIntentIsTheFirstPromptOnOneLine(t *testing.T) {
	long := strings.Repeat("é", 300)
	for _, c := range []struct{ prompt, want string }{
		{"", ""}, {"fix\n\n  the login", "fix the login"}, {strings.Repeat("x", 200), strings.Repeat("x", 200)},
		{strings.Repeat("x", 201), strings.Repeat("x", 199) + "…"}, {long, strings.Repeat("é", 199) + "…"},
		{strings.Repeat("x", 198) + " yyy", strings.Repeat("x", 198) + "…"}, {"\x1b[2J", `\u{1b}[2J`},
	} {
		if got := record.IntentOf(c.prompt); got != c.want {
			t.Errorf("intent of %.20q… is %q, want %q", c.prompt, got, c.want)
		}
	}
	l := braintest.NewLab(t)
	first, second := l.Event(memory.Prompted, 0), l.Event(memory.Prompted, 1)
	first.Origin, second.Origin = memory.OriginUser, memory.OriginUser
	first.Text, second.Text = "fix the login", "and the logout"
	notice := l.Event(memory.Prompted, 0)
	notice.Text = "<task-notification>a task has ended</task-notification>" // its origin is the tool
	l.See(1, notice, first, second)
	if got := l.Sessions()[0].Intent; got != "fix the login" {
		t.Errorf("intent %q", got)
	}
	if s, err := steward.Run(t.Context(), l.Brain, record.Intent, record.IntentInput{SessionInput: record.SessionInput{Session: l.Sessions()[0].ID.String()[:8]}, Set: new("logins")}); err != nil ||
		s.Intent != "logins" || !s.IntentByHand {
		t.Errorf("set: %+v, %v", s, err)
	}
	must.Get(steward.Run(t.Context(), l.Brain, steward.Forget, forget.ForgetInput{IDs: []memory.EventID{first.ID}, Apply: true}))(t)
	if got := l.Sessions()[0].Intent; got != "logins" {
		t.Errorf("intent after forgetting its prompt: %q, want what the person set", got)
	}
}

func TestForgottenPromptGivesTheIntentToTheNext(t *testing.T) {
	l := braintest.NewLab(t)
	first, second := l.Event(memory.Prompted, 0), l.Event(memory.Prompted, 1)
	first.Origin, second.Origin = memory.OriginUser, memory.OriginUser
	first.Text, second.Text = "my name is Ada", "fix the login"
	l.See(1, first, second)
	dry, err := steward.Run(t.Context(), l.Brain, steward.Forget, forget.ForgetInput{IDs: []memory.EventID{first.ID}})
	if err != nil || dry.Applied || dry.Events != 1 || len(l.Events()) != 2 || l.Sessions()[0].Intent != "my name is Ada" {
		t.Errorf("dry run %+v, %v changed something: %+v", dry, err, l.Sessions())
	}
	must.Get(steward.Run(t.Context(), l.Brain, steward.Forget, forget.ForgetInput{IDs: []memory.EventID{first.ID}, Apply: true}))(t)
	if s := l.Sessions()[0]; s.Intent != "fix the login" || s.Events != 1 {
		t.Errorf("session %+v", s)
	}
	if r := l.See(2, first); r.Events != 0 {
		t.Errorf("what was forgotten came back: %+v", r)
	}
}

func TestBatchSize(t *testing.T) {
	for _, c := range []struct {
		name   string
		events int
		took   time.Duration
		want   int
	}{
		{"on the mark it stays", 50, 20 * time.Millisecond, 50},
		{"faster, it doubles at most", 50, time.Millisecond, 100},
		{"a little faster, a little more", 50, 16 * time.Millisecond, 62},
		{"slower, it shrinks at once", 50, 200 * time.Millisecond, 5},
		{"never to nothing", 50, time.Hour, 1},
		{"an empty batch says nothing", 0, time.Hour, 50},
		{"a clock that stood still says nothing", 50, 0, 50},
		{"a clock set back says nothing", 50, -time.Hour, 50},
	} {
		b := brain.BatchSize{Size: 50, Most: 500, Aim: 20 * time.Millisecond}
		if b.Took(c.events, c.took); b.Size != c.want {
			t.Errorf("%s: %d, want %d", c.name, b.Size, c.want)
		}
	}
	b := brain.BatchSize{Size: 400, Most: 500, Aim: 20 * time.Millisecond}
	if b.Took(400, time.Millisecond); b.Size != 500 {
		t.Errorf("%d, want no more than the most", b.Size)
	}
}

func TestScope(t *testing.T) {
	l := braintest.NewLab(t)
	for i, identity := range []string{"/a/shop/.git", "/b/shop/.git", "/c/lib/.git"} {
		e := l.Event(memory.ToolUsed, float64(i))
		e.Place = memory.Place{Identity: identity, Root: strings.TrimSuffix(identity, "/.git")}
		l.See(float64(i), e)
	}
	lib := memory.NewProjectID("/c/lib/.git")
	dir := t.TempDir()
	resolve := func(s brain.Scope) (memory.ProjectID, error) {
		return brain.View(t.Context(), l.Store, func(tx *store.Tx) (memory.ProjectID, error) { return brain.Resolve(t.Context(), tx, l.Config, s) })
	}
	for _, c := range []struct {
		name  string
		scope brain.Scope
		want  memory.ProjectID
		kind  error
		says  string
	}{
		{"by name", brain.Scope{Project: "lib", Dir: dir}, lib, nil, ""},
		{"by ID", brain.Scope{Project: lib.String()}, lib, nil, ""},
		{"all", brain.Scope{All: true}, 0, nil, ""},
		{"a name goes before all", brain.Scope{Project: "lib", All: true}, lib, nil, ""},
		{"a name that two have", brain.Scope{Project: "shop"}, 0, memory.ErrConflict, "hebb projects tag"},
		{"a name nobody has", brain.Scope{Project: "nowhere"}, 0, memory.ErrNotFound, "hebb projects"},
		{"an ID nobody has", brain.Scope{Project: memory.NewProjectID("x").String()}, 0, memory.ErrNotFound, memory.NewProjectID("x").String()},
		{"no folder", brain.Scope{}, 0, memory.ErrInvalid, "folder"},
	} {
		got, err := resolve(c.scope)
		if got != c.want || !errors.Is(err, c.kind) || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, %v", c.name, got, err)
		}
	}
	if id, err := resolve(brain.Scope{Dir: dir}); err != nil || id == 0 {
		t.Errorf("a folder nobody worked in: %v, %v", id, err)
	}
	must.Get(steward.Run(t.Context(), l.Brain, views.TagProject, views.TagInput{Scope: brain.Scope{Project: memory.NewProjectID("/a/shop/.git").String()}, Name: "fork"}))(t)
	if id, err := resolve(brain.Scope{Project: "shop"}); err != nil || id != memory.NewProjectID("/b/shop/.git") {
		t.Errorf("after one was renamed: %v, %v", id, err)
	}
}

// A file from elsewhere that claims too much is refused whole, with the line and the thing at
// fault.
func TestImportRefuses(t *testing.T) {
	const header = `{"type":"hebb-export","version":1}` + "\n"
	id := memory.DerivedEventID("x")
	project := memory.NewProjectID("/shop/.git")
	known := fmt.Sprintf(`{"type":"project","project":{"id":"%s","identity":"/shop/.git","root":"/shop","name":"shop"}}`+"\n", project)
	event := func(change string) string {
		return fmt.Sprintf(`{"type":"event","event":{"id":"%s","at":"2026-01-01T00:00:00Z","kind":"prompt","origin":"user","agent":"a","project":"%s"%s}}`+"\n",
			id, project, change)
	}
	for _, c := range []struct {
		name, text string
		kind       error
		says       string
	}{
		{"nothing", "", memory.ErrInvalid, "line 1"},
		{"no JSON", "hello", memory.ErrInvalid, "line 1"},
		{"no header", known, memory.ErrInvalid, `starts with a "hebb-export" line`},
		{"a second header", header + header, memory.ErrInvalid, "line 2"},
		{"a newer version", `{"type":"hebb-export","version":5}`, memory.ErrRefused, "upgrade hebb"},
		{"a line of another kind", header + `{"type":"dream"}`, memory.ErrInvalid, `unknown line type "dream"`},
		{"a project under another's ID", header + strings.Replace(known, "/shop/.git", "/other", 1), memory.ErrInvalid, "identity does not match"},
		{"an origin nobody has", header + known + event(`,"origin":"root"`), memory.ErrInvalid, `origin "root"`},
		{"an event without time", header + known + event(`,"at":"0001-01-01T00:00:00Z"`), memory.ErrInvalid, "time, kind and agent"},
		{"an ID of another alphabet", header + known + event(`,"id":"../../../../etc/passwd.."`), memory.ErrInvalid, "event id"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := braintest.NewLab(t)
			_, err := transfer.Import(t.Context(), l.Brain, transfer.ImportInput{From: strings.NewReader(c.text), Mine: true})
			if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.says) || !strings.HasPrefix(err.Error(), "import: nothing was changed: ") {
				t.Errorf("import: %v", err)
			}
			if projects, err := steward.Run(t.Context(), l.Brain, inspect.Projects, struct{}{}); err != nil || len(projects) > 0 {
				t.Errorf("left behind: %+v, %v", projects, err)
			}
		})
	}
	t.Run("what others forgot is no order to us", func(t *testing.T) {
		for _, mine := range []bool{false, true} {
			l := braintest.NewLab(t)
			text := header + fmt.Sprintf(`{"type":"forgot","forgot":"%s"}`, id)
			must.Get(transfer.Import(t.Context(), l.Brain, transfer.ImportInput{From: strings.NewReader(text), Mine: mine}))(t)
			e := l.Event(memory.ToolUsed, 0)
			e.ID = id
			if r := l.See(0, e); (r.Events == 0) != mine {
				t.Errorf("mine %v: drained %+v", mine, r)
			}
		}
	})
	t.Run("the future is clamped", func(t *testing.T) {
		l := braintest.NewLab(t)
		text := header + known + event(`,"at":"2099-01-01T00:00:00Z","text":"token ghp_16C7e42F292c6912E7710c838347Ae178B4a"`)
		must.Get(transfer.Import(t.Context(), l.Brain, transfer.ImportInput{From: strings.NewReader(text)}))(t)
		if e := l.Events()[0]; e.At.After(braintest.Start) || e.Origin != memory.OriginImport || strings.Contains(e.Text, "ghp_") {
			t.Errorf("event %+v", e)
		}
	})
}

func TestDrainWithoutPatienceLeavesTheWork(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(0, l.Event(memory.ToolUsed, 0))
	inside := make(chan struct{})
	done := make(chan error)
	hold := make(chan struct{})
	must.Do(t, l.Spool.Append(l.Event(memory.ToolUsed, 1)))
	go func() {
		other := spool.Spool{Dir: l.Spool.Dir, Limits: l.Spool.Limits}
		done <- other.Drain(context.Background(), 0, func() int { return 10 }, func(context.Context, []memory.Event, bool) error {
			close(inside)
			<-hold
			return errors.New("not taken")
		})
	}()
	<-inside
	r, err := steward.Run(t.Context(), l.Brain, steward.Drain, steward.DrainInput{})
	if err != nil || !r.Busy || r.Events != 0 {
		t.Errorf("drain %+v, %v", r, err)
	}
	close(hold)
	if err := <-done; err == nil {
		t.Error("the other drain succeeded")
	}
	if r := l.See(1); r.Events != 1 || r.Busy {
		t.Errorf("drain %+v", r)
	}
}
