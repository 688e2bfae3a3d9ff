package learn_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/forget"
	"github.com/hebb-memory/hebb/internal/learn"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/project"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/store/db"
	"github.com/hebb-memory/hebb/internal/texts"
	"github.com/hebb-memory/hebb/internal/transcript"
)

// archive is a lab with a project on disk and histories of agents who worked there.
type archive struct {
	*braintest.Lab
	dir     string // of the project
	folder  string // of the histories
	changed time.Time
}

// newArchive copies the histories of testdata, as if they were of a project in a folder of the test.
func newArchive(t *testing.T, agents ...string) *archive {
	t.Helper()
	a := &archive{Lab: braintest.NewLab(t), dir: t.TempDir(), folder: t.TempDir(), changed: braintest.Start.Add(-time.Hour)}
	var err error
	if a.Place, err = project.Resolve(a.dir); err != nil {
		t.Fatal(err)
	}
	for _, name := range agents {
		from := filepath.Join("..", "..", "transcript", "testdata", name)
		must.Do(t, filepath.WalkDir(from, func(file string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			text, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			below, err := filepath.Rel(from, file)
			a.put(filepath.Join(name, below), string(text))
			return err
		}))
	}
	return a
}

// put writes a file of the histories, about the project.
func (a *archive) put(name, text string) {
	a.T.Helper()
	file := filepath.Join(a.folder, name)
	text = strings.ReplaceAll(text, "/home/dev/proj", filepath.ToSlash(a.dir))
	must.Do(a.T, errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600), os.Chtimes(file, a.changed, a.changed)))
}

func (a *archive) learn(change ...func(*learn.TranscriptsInput)) learn.TranscriptsResult {
	a.T.Helper()
	in := learn.TranscriptsInput{Dir: a.dir, Folders: []string{a.folder}}
	for _, c := range change {
		c(&in)
	}
	return must.Get(steward.Run(a.T.Context(), a.Brain, learn.LearnTranscripts, in))(a.T)
}

// recorded returns the events of the store without what only their order of arrival decides.
func (a *archive) recorded() []string {
	a.T.Helper()
	var lines []string
	for _, e := range a.Events() {
		lines = append(lines, fmt.Sprint(e.At.Format(time.RFC3339Nano), e.ID, e.Kind, e.Agent, e.AgentSession, e.Subagent, e.Origin, e.Tool, e.Input, e.Text, e.Touches))
	}
	slices.Sort(lines)
	return lines
}

func TestARecordThatCannotBeStoredIsSetAsideAndNamed(t *testing.T) {
	t.Parallel()
	a := newArchive(t, "claude", "codex")
	file := must.Get(sql.Open("sqlite", a.Config.Database()))(t)
	must.Get(file.ExecContext(t.Context(), `CREATE TRIGGER unfit BEFORE INSERT ON event WHEN NEW.text LIKE '%[[script:hello]]%'
		BEGIN SELECT RAISE(ABORT, 'no prompt like this'); END`))(t)
	must.Do(t, file.Close())
	out := a.learn()
	if out.Read != 4 || out.Refused != 1 || out.Unread != 0 || len(out.Problems) != 1 || !strings.Contains(out.Problems[0], "(prompt) could not be stored") {
		t.Errorf("%+v, want all transcripts read, and one record set aside and named", out)
	}
	aside := must.Get(brain.View(t.Context(), a.Store, func(tx *store.Tx) (learn.Aside, error) { return learn.SetAside.Get(t.Context(), tx) }))(t)
	if aside.Count != 1 || aside.Last != out.Problems[0] {
		t.Errorf("the doctor is told %+v, want the record", aside)
	}
	if again := a.learn(); again.Events != 0 || again.Refused != 0 {
		t.Errorf("again %+v, want nothing new", again)
	}
}

func TestPastSessionsAreLearnedAsIfHooksHadSeenThem(t *testing.T) {
	t.Parallel()
	a := newArchive(t, "claude", "codex", "gemini")
	out := a.learn()
	if out.Transcripts != 5 || out.Read != 5 || out.Malformed != 0 || out.Sessions != 4 || len(out.Problems) > 0 {
		t.Errorf("%+v, want five transcripts of four sessions", out)
	}
	kinds := map[memory.EventKind]int{}
	subagent := 0
	for _, e := range a.Events() {
		kinds[e.Kind]++
		if e.Subagent != "" {
			subagent++
		}
		if e.At.Day() != 15 || e.At.Hour() > 1 || e.Origin == memory.OriginImport {
			t.Errorf("%s at %v from %s, want the time and the origin of the transcript", e.Kind, e.At, e.Origin)
		}
		if e.Subagent != "" && e.AgentSession != "6c10c636-2913-40ac-bf32-451788ba9146" {
			t.Errorf("what a helper did belongs to %s", e.AgentSession)
		}
	}
	want := map[memory.EventKind]int{
		memory.SessionStarted: 4, memory.Prompted: 5, memory.TurnEnded: 5, memory.ToolUsed: 24, memory.ToolFailed: 5,
		memory.SubagentBegan: 1, memory.SubagentEnded: 1,
	}
	if fmt.Sprint(kinds) != fmt.Sprint(want) || subagent != 3 {
		t.Errorf("kinds %v with %d of helpers, want %v and 3", kinds, subagent, want)
	}
	for _, s := range a.Sessions() {
		if s.Open() || !s.Ticked || s.CloseReason != memory.ClosedByIdle || s.ClosedAt.Sub(s.LastEventAt) != a.Config.Tuning.Session.IdleAfter {
			t.Errorf("session %+v, want it closed when it had fallen silent", s)
		}
	}
	found, err := steward.Run(t.Context(), a.Brain, answer.SearchTexts, texts.SearchInput{Scope: brain.Scope{Dir: a.dir}, Query: "finished", Sessions: true})
	if err != nil || len(found.Found) == 0 || found.Found[0].Answer == nil || !strings.Contains(found.Found[0].Answer.Text, "All finished.") {
		t.Errorf("search --sessions finished: %+v, %v", found.Found, err)
	}
	if hot := a.HeatMap(); hot["main.go"].Heat == 0 {
		t.Errorf("heat %v, want main.go warm", hot)
	}
	before := a.recorded()
	if again := a.learn(); again.Events != 0 || again.Unchanged != 5 {
		t.Errorf("a second run: %+v, want nothing", again)
	}
	a.changed = a.changed.Add(time.Second)
	for _, one := range []string{"claude", "codex", "gemini"} { // touched, so all is read again
		must.Do(t, filepath.WalkDir(filepath.Join(a.folder, one), func(file string, _ fs.DirEntry, err error) error {
			return errors.Join(err, os.Chtimes(file, a.changed, a.changed))
		}))
	}
	if again := a.learn(); again.Events != 0 || again.Read != 5 || !slices.Equal(a.recorded(), before) {
		t.Errorf("a third run over touched files: %+v, want nothing new", again)
	}
}

func TestARunThatIsCutAtAnyLineGoesOn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ agent, file string }{
		{"claude", "claude/projects/-home-dev-proj/6c10c636-2913-40ac-bf32-451788ba9146.jsonl"},
		{"codex", "codex/sessions/2026/11/15/rollout-2026-11-15T00-33-56-01a1dca0-00e7-7222-b059-aec101886f63.jsonl"},
		{"gemini", "gemini/tmp/proj/chats/session-2026-11-15T00-41-a3dce1a3.jsonl"},
	} {
		t.Run(c.agent, func(t *testing.T) {
			t.Parallel()
			text := must.Get(os.ReadFile(filepath.Join("..", "..", "transcript", "testdata", c.file)))(t)
			place := func(a *archive) { // as Gemini CLI says it
				a.put("gemini/tmp/proj/.project_root", "/home/dev/proj")
			}
			whole := newArchive(t)
			place(whole)
			whole.put(c.file, string(text))
			whole.learn()
			cut := newArchive(t)
			cut.dir, cut.Place = whole.dir, whole.Place
			place(cut)
			lines := strings.SplitAfter(string(text), "\n")
			for i := range lines {
				cut.changed = braintest.Start.Add(-time.Duration(i%2) * time.Minute) // it is being written
				cut.put(c.file, strings.Join(lines[:i], "")+lines[i][:len(lines[i])/2])
				cut.learn()
			}
			cut.changed = braintest.Start.Add(-time.Hour)
			cut.put(c.file, string(text))
			cut.learn()
			if got, want := cut.recorded(), whole.recorded(); !slices.Equal(got, want) {
				t.Errorf("after %d cuts:\n%s\nwant\n%s", len(lines), strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		})
	}
}

// live records what a transcript says as hooks would have: at once, and with names of their own where payloads have none.
func (a *archive) live(entropy *rand.ChaCha8) {
	a.T.Helper()
	h := must.Get(transcript.Find(a.T.Context(), []string{a.folder}))(a.T)
	defer func() { _ = h.Close() }()
	for _, one := range h.Transcripts {
		_, err := one.Read(a.T.Context(), transcript.Options{Ended: true, Roots: []string{a.dir}}, func(r transcript.Record) error {
			at := r.At.Add(40 * time.Millisecond) // the hook is a little later than the record
			stamp := []byte(at.Format("2006-01-02T15:04:05.000Z"))
			payload := bytes.ReplaceAll(r.Payload, []byte(r.At.Format("2006-01-02T15:04:05.000Z")), stamp)
			seen, ok, err := agent.Decode(one.Agent, bytes.NewReader(payload), func(string) string { return "" }, a.Config.Tuning.Capture, 1<<20)
			if err != nil || !ok {
				return err
			}
			e := seen.Event
			e.At, e.Place = at, a.Place
			if e.ID == "" {
				if e.ID, err = memory.NewEventID(at, entropy); err != nil {
					return err
				}
			}
			for i, touch := range e.Touches {
				e.Touches[i].Path = project.Key(a.Place, touch.Path)
			}
			_, err = steward.Run(a.T.Context(), a.Brain, steward.Observe, []memory.Event{e})
			return err
		})
		if err != nil {
			a.T.Fatal(err)
		}
	}
}

func TestWhatHooksSawIsNotDoubled(t *testing.T) {
	t.Parallel()
	for _, open := range []bool{true, false} {
		t.Run(fmt.Sprintf("open %v", open), func(t *testing.T) {
			t.Parallel()
			a := newArchive(t, "claude", "codex", "gemini")
			a.live(rand.NewChaCha8([32]byte{1}))
			if !open {
				a.See(0) // closes what fell silent
			}
			before := a.recorded()
			out := a.learn()
			if got := a.recorded(); out.Events != 0 || out.Known == 0 || !slices.Equal(got, before) {
				t.Errorf("%+v: %d events, want the %d that hooks saw\n%s", out, len(got), len(before), strings.Join(got, "\n"))
			}
		})
	}
}

func TestHooksThatCameLaterLeaveTheBeginningToTheTranscript(t *testing.T) {
	t.Parallel()
	a := newArchive(t, "claude")
	seen := a.Event(memory.TurnEnded, 0)
	seen.AgentSession, seen.Text, seen.Origin, seen.Place = "6c10c636-2913-40ac-bf32-451788ba9146", "Hello there.", memory.OriginAgent, a.Place
	seen.At = time.Date(2026, 11, 15, 0, 9, 34, 500e6, time.UTC)
	var err error
	if seen.ID, err = memory.NewEventID(seen.At, rand.NewChaCha8([32]byte{2})); err != nil {
		t.Fatal(err)
	}
	must.Get(steward.Run(t.Context(), a.Brain, steward.Observe, []memory.Event{seen}))(t)
	a.See(0)
	a.learn()
	said := map[string]int{}
	for _, e := range a.Events() {
		if e.Kind == memory.TurnEnded && e.AgentSession == seen.AgentSession {
			said[e.Text]++
		}
	}
	if said["Hello there."] != 1 || said["All finished."] != 1 {
		t.Errorf("answers %v, want each once", said)
	}
}

func TestRealHookPayloadsAndTheirTranscriptAreOneSession(t *testing.T) {
	t.Parallel()
	a := newArchive(t, "claude")
	files, err := filepath.Glob(filepath.Join("..", "..", "agent", "testdata", "claude-code-2.1.325", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no payloads: %v", err)
	}
	at := time.Date(2026, 11, 15, 0, 7, 3, 0, time.UTC)
	entropy := rand.NewChaCha8([32]byte{3})
	named := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text = bytes.ReplaceAll(text, []byte("/home/dev/proj"), []byte(a.dir))
		seen, ok, err := agent.Decode(agent.ClaudeCode, bytes.NewReader(text), func(string) string { return "" }, a.Config.Tuning.Capture, 1<<20)
		if err != nil || !ok || seen.Event.AgentSession != "6c10c636-2913-40ac-bf32-451788ba9146" {
			continue
		}
		e := seen.Event
		e.At, e.Place = at, a.Place
		if e.ID != "" {
			named++
		} else if e.ID, err = memory.NewEventID(at, entropy); err != nil {
			t.Fatal(err)
		}
		at = at.Add(200 * time.Millisecond)
		must.Get(steward.Run(t.Context(), a.Brain, steward.Observe, []memory.Event{e}))(t)
	}
	a.learn()
	calls := map[string]int{}
	for _, e := range a.Events() {
		if (e.Kind == memory.ToolUsed || e.Kind == memory.ToolFailed) && e.AgentSession == "6c10c636-2913-40ac-bf32-451788ba9146" {
			calls[string(e.ID)]++
			if e.Tool == "Write" {
				calls["Write"]++
			}
		}
	}
	if named < 8 || calls["Write"] != 1 {
		t.Errorf("%d named payloads, Write %d times: want the call that both saw once", named, calls["Write"])
	}
}

func TestOnlyWhatIsAskedForIsTaken(t *testing.T) {
	t.Parallel()
	a := newArchive(t, "claude", "codex")
	here := a.dir
	a.dir = t.TempDir()
	if out := a.learn(); out.Events != 0 || out.Elsewhere != 4 || len(a.Events()) != 0 {
		t.Errorf("from another project: %+v, want nothing", out)
	}
	dry := a.learn(func(in *learn.TranscriptsInput) { in.AllProjects, in.Dry = true, true })
	if dry.Events != 41 || len(a.Events()) != 0 {
		t.Errorf("a dry run: %+v and %d events, want 41 counted and none kept", dry, len(a.Events()))
	}
	since := time.Date(2026, 11, 15, 1, 15, 0, 0, time.UTC)
	out := a.learn(func(in *learn.TranscriptsInput) { in.AllProjects, in.Since = true, since })
	for _, e := range a.Events() {
		if e.At.Before(since) {
			t.Errorf("%s at %v, want nothing before %v", e.Kind, e.At, since)
		}
	}
	a.dir = here
	if rest := a.learn(); out.Events == 0 || out.Events+rest.Events != dry.Events {
		t.Errorf("%d since %v and %d afterwards, want %d together", out.Events, since, rest.Events, dry.Events)
	}
}

func TestForeignHistoriesDoNotSpeakWithTheUsersVoice(t *testing.T) {
	t.Parallel()
	a := newArchive(t, "claude")
	a.learn(func(in *learn.TranscriptsInput) { in.Foreign = true })
	for _, e := range a.Events() {
		if e.Origin != memory.OriginImport {
			t.Fatalf("%s from %s, want import", e.Kind, e.Origin)
		}
	}
}

// past is a session of some days ago that asks one thing and changes one file.
func pastSession(run string, at time.Time, prompt, file string) string {
	record := func(kind, id, content string, seconds int, more string) string {
		return fmt.Sprintf(`{"type":%q,"sessionId":%q,"uuid":"%s-%s","timestamp":%q,"cwd":"/home/dev/proj","message":{"id":"m%s","content":%s}%s}`+"\n",
			kind, run, run, id, at.Add(time.Duration(seconds)*time.Second).Format(time.RFC3339), id, content, more)
	}
	return record("user", "1", fmt.Sprintf("%q", prompt), 0, fmt.Sprintf(`,"promptId":"%s-p"`, run)) +
		record("assistant", "2", fmt.Sprintf(`[{"type":"tool_use","id":"%s-c","name":"Edit","input":{"file_path":"/home/dev/proj/%s"}}]`, run, file), 5, "") +
		record("user", "3", fmt.Sprintf(`[{"type":"tool_result","tool_use_id":"%s-c","content":"done"}]`, run), 6, `,"toolUseResult":{"filePath":"x"}`) +
		record("assistant", "4", `[{"type":"text","text":"It is done."}]`, 9, "")
}

func TestWhatIsLongAgoCountsAsLongAgo(t *testing.T) {
	t.Parallel()
	const runs = 12
	a := newArchive(t)
	live := a.Touched("now", memory.Edit, 0, "fresh.go")
	live.Place = a.Place
	a.See(20, live)
	alone := a.HeatMap()["fresh.go"].Heat
	for i := range runs {
		a.changed = braintest.Start.AddDate(0, -2, i)
		a.put(fmt.Sprintf("p/old-%02d.jsonl", i), pastSession(fmt.Sprintf("old-%02d", i), a.changed, "fix it", fmt.Sprintf("old%02d.go", i)))
	}
	a.learn()
	hot := a.HeatMap()
	if hot["fresh.go"].Heat != alone {
		t.Errorf("fresh.go has %.4f after old sessions came, want %.4f as before", hot["fresh.go"].Heat, alone)
	}
	if first, last := hot["old00.go"].Heat, hot["old11.go"].Heat; first >= last || last >= alone {
		t.Errorf("heat %.4f of the oldest, %.4f of the latest, %.4f of today: want them in this order", first, last, alone)
	}
	if clock := a.ProjectClock(); clock != runs+1 {
		t.Errorf("clock %d, want %d sessions", clock, runs+1)
	}
	together := newArchive(t) // the same, learned in order
	for i := range runs {
		together.changed = braintest.Start.AddDate(0, -2, i)
		together.put(fmt.Sprintf("p/old-%02d.jsonl", i), pastSession(fmt.Sprintf("old-%02d", i), together.changed, "fix it", fmt.Sprintf("old%02d.go", i)))
	}
	together.learn()
	live.Place = together.Place
	together.See(20, live)
	for file, heat := range together.HeatMap() {
		if got := hot[file].Heat; max(got-heat.Heat, heat.Heat-got) > 1e-9 {
			t.Errorf("%s has %.6f, and %.6f if all is learned in order", file, got, heat.Heat)
		}
	}
}

// To relearn a project costs as much as to learn it: sessions that come in order are learned once.
func TestSessionsThatComeInOrderAreLearnedOnce(t *testing.T) {
	t.Parallel()
	a := newArchive(t)
	for i := range 3 {
		a.changed = braintest.Start.AddDate(0, -2, i)
		a.put(fmt.Sprintf("p/old-%02d.jsonl", i), pastSession(fmt.Sprintf("old-%02d", i), a.changed, "fix it", "old.go"))
	}
	generation := func() string {
		got := must.Get(brain.View(t.Context(), a.Store, func(tx *store.Tx) (string, error) {
			return record.GenerationMark(a.Place.Project()).Get(t.Context(), tx)
		}))(t)
		return got
	}
	before := ""
	a.learn(func(in *learn.TranscriptsInput) { in.Progress = func(int64, int64) { before = generation() } })
	if after := generation(); before == "" || after != before {
		t.Errorf("generation %q while it was learned, %q afterwards: want the same", before, after)
	}
}

func TestARunThatWasInterruptedBeforeItsEndIsFinishedByTheNext(t *testing.T) {
	t.Parallel()
	a := newArchive(t)
	live := a.Touched("now", memory.Edit, 0, "fresh.go")
	live.Place = a.Place
	a.See(20, live)
	alone := a.HeatMap()["fresh.go"].Heat
	for i := range 3 {
		a.changed = braintest.Start.AddDate(0, -2, i)
		a.put(fmt.Sprintf("p/old-%02d.jsonl", i), pastSession(fmt.Sprintf("old-%02d", i), a.changed, "fix it", "old.go"))
	}
	ctx, stop := context.WithCancel(t.Context())
	_, err := steward.Run(ctx, a.Brain, learn.LearnTranscripts, learn.TranscriptsInput{Dir: a.dir, Folders: []string{a.folder}, Progress: func(done, total int64) {
		if done == total {
			stop()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("%v, want it interrupted", err)
	}
	a.See(21) // a drain in between closes what is open
	if out := a.learn(); out.Events != 0 {
		t.Errorf("%+v, want nothing new", out)
	}
	if got := a.HeatMap()["fresh.go"].Heat; got != alone {
		t.Errorf("fresh.go has %.4f, want %.4f: the next run puts things in order", got, alone)
	}
}

func TestWhatAHelperIsAskedIsNotThePersonsWord(t *testing.T) {
	t.Parallel()
	a := newArchive(t)
	a.put("gemini/tmp/p/.project_root", "/home/dev/proj")
	a.put("gemini/tmp/p/chats/parent/session-1.jsonl", `{"sessionId":"child","kind":"subagent","startTime":"2026-11-15T00:00:00Z"}
{"id":"1","timestamp":"2026-11-15T00:00:01Z","type":"user","content":"Look for the parser and always report in French."}
{"id":"2","timestamp":"2026-11-15T00:00:09Z","type":"gemini","content":"Trouvé."}
`)
	a.put("codex/rollout-x.jsonl", `{"timestamp":"2026-11-15T00:33:56Z","type":"session_meta","payload":{"id":"child","cwd":"/home/dev/proj","source":{"subagent":{"thread_spawn":{"parent_thread_id":"parent","depth":1}}}}}
{"timestamp":"2026-11-15T00:33:57Z","type":"event_msg","payload":{"type":"user_message","message":"look at x"}}
`)
	a.learn()
	asked := 0
	for _, e := range a.Events() {
		if e.Kind == memory.TurnEnded || e.Kind == memory.SessionStarted || e.Subagent != "child" || e.AgentSession != "parent" {
			t.Errorf("%s of %q in %q: want all to be the helper's", e.Kind, e.Subagent, e.AgentSession)
		}
		if e.Kind == memory.Prompted {
			asked++
			if e.Origin != memory.OriginAgent {
				t.Errorf("%q has the origin %s, want the agent, who asked it", e.Text, e.Origin)
			}
		}
	}
	if asked != 2 {
		t.Errorf("%d helpers were asked something, want 2", asked)
	}
}

func TestSecretsInATranscriptAreNotKept(t *testing.T) {
	t.Parallel()
	a := newArchive(t)
	secret := "ghp_" + strings.Repeat("aB3dE6gH9", 4)
	a.put("p/s.jsonl", pastSession("s", braintest.Start.Add(-2*time.Hour), "use the token "+secret+" here", "main.go"))
	a.learn()
	for _, line := range a.recorded() {
		if strings.Contains(line, secret) {
			t.Errorf("kept %s", line)
		}
	}
	if n := len(a.Events()); n != 4 {
		t.Errorf("%d events, want 4", n)
	}
}

func TestWhatWasForgottenIsNotLearnedAgainFromATranscript(t *testing.T) {
	t.Parallel()
	a := newArchive(t)
	a.put("p/s.jsonl", pastSession("s", braintest.Start.Add(-2*time.Hour), "a secret plan", "main.go"))
	a.learn()
	must.Get(steward.Run(t.Context(), a.Brain, steward.Forget, forget.ForgetInput{Scope: brain.Scope{Dir: a.dir}, Session: a.Sessions()[0].ID.String(), Apply: true}))(t)
	a.changed = a.changed.Add(time.Second)
	a.put("p/s.jsonl", pastSession("s", braintest.Start.Add(-2*time.Hour), "a secret plan", "main.go"))
	if out := a.learn(); out.Events != 0 || len(a.Events()) != 0 {
		t.Errorf("%+v, want it to stay forgotten", out)
	}
}

func TestADamagedHistoryHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	a := newArchive(t)
	a.put("opencode.db", "this is no database")
	a.put("p/a.jsonl", "{\"type\":\"user\"\nnonsense\n")
	a.changed = a.changed.Add(time.Minute)
	a.put("p/b.jsonl", pastSession("s", braintest.Start.Add(-2*time.Hour), "fix it", "main.go"))
	out := a.learn()
	if out.Events != 4 || out.Malformed != 2 || len(out.Problems) != 1 {
		t.Errorf("%+v, want 4 events, 2 malformed lines and the database named", out)
	}
}

func TestEveryHistoryIsOfAnAgentThatHooksKnow(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"claude-code", "codex", "gemini", "opencode", "kilo"} {
		if known, err := agent.Parse(name); err != nil || string(known) != name {
			t.Errorf("%s is %q, %v", name, known, err)
		}
	}
}

func TestPastSessionsAreListenedTo(t *testing.T) {
	t.Parallel()
	const rule = "We never commit to main directly, always open a pull request."
	said := braintest.Start.AddDate(0, -11, 0)
	for _, foreign := range []bool{false, true} {
		a := newArchive(t)
		a.put("p/s.jsonl", pastSession("s", said, rule, "main.go"))
		a.learn(func(in *learn.TranscriptsInput) { in.Foreign = foreign })
		found := a.Crystals()
		if foreign { // somebody else's words are not the person's
			if len(found) != 0 {
				t.Errorf("of somebody else: %+v", found)
			}
			continue
		}
		if len(found) != 1 || found[0].Text != rule || found[0].Origin != memory.OriginUser || found[0].SaidAt.Sub(said).Abs() > time.Hour {
			t.Fatalf("heard in the past: %+v", found)
		}
		a.learn()
		if again := a.Crystals(); len(again) != 1 || again[0].Accesses != 0 {
			t.Errorf("learned twice: %+v", again)
		}
	}
}

func TestWhatIsLeftOfTranscriptsIsLearnedInTheBackground(t *testing.T) {
	t.Parallel()
	whole, a := newArchive(t, "claude", "codex"), newArchive(t, "claude", "codex")
	all := whole.learn()
	out := a.learn(func(in *learn.TranscriptsInput) { in.Until = a.Clock.Add(-time.Second) })
	if out.Left != all.Transcripts || out.Events > 0 {
		t.Fatalf("with no time: %+v", out)
	}
	a.learn(func(in *learn.TranscriptsInput) { in.Since = a.Clock }) // a run that reads less
	for range 2 {
		must.Do(t, learn.LearnWaiting(t.Context(), a.Brain))
	}
	if got, want := len(a.recorded()), len(whole.recorded()); got != want {
		t.Errorf("%d events after the background, want %d", got, want)
	}
	if out := a.learn(); out.Left > 0 || out.Events > 0 {
		t.Errorf("the background has left %+v", out)
	}
}

// One long transcript is left in the middle when the time is up, and read on from there.
func TestALongTranscriptIsReadInPieces(t *testing.T) {
	t.Parallel()
	const edits = 600
	var text strings.Builder
	at := braintest.Start.Add(-48 * time.Hour)
	for i := range edits {
		now := at.Add(time.Duration(i) * time.Second).Format(time.RFC3339)
		fmt.Fprintf(&text, `{"type":"assistant","sessionId":"long","uuid":"a%d","timestamp":%q,"cwd":"/home/dev/proj","message":{"id":"m%d","stop_reason":"tool_use",`+
			`"content":[{"type":"tool_use","id":"c%d","name":"Edit","input":{"file_path":"/home/dev/proj/f%d.go"}}]}}`+"\n", i, now, i, i, i%50)
		fmt.Fprintf(&text, `{"type":"user","sessionId":"long","uuid":"u%d","timestamp":%q,"cwd":"/home/dev/proj","message":{"role":"user",`+
			`"content":[{"type":"tool_result","tool_use_id":"c%d","content":"ok"}]},"toolUseResult":{"filePath":"/home/dev/proj/f%d.go"}}`+"\n", i, now, i, i%50)
	}
	whole, a := newArchive(t), newArchive(t)
	whole.put("claude/projects/-home-dev-proj/long.jsonl", text.String())
	a.put("claude/projects/-home-dev-proj/long.jsonl", text.String())
	whole.learn()
	a.Store.Watch(func() func(db.RowCount) {
		a.Clock = a.Clock.Add(time.Second) // each transaction takes a second
		return func(db.RowCount) {}
	})
	out := a.learn(func(in *learn.TranscriptsInput) { in.Until = a.Clock.Add(time.Second / 2) })
	if out.Left != 1 || out.Events == 0 || out.Events >= edits {
		t.Fatalf("with half a second: %+v", out)
	}
	must.Do(t, learn.LearnWaiting(t.Context(), a.Brain))
	if got, want := len(a.recorded()), len(whole.recorded()); got != want {
		t.Errorf("%d events after the background, want %d", got, want)
	}
}
