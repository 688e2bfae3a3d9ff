package transcript

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
)

var transcriptFixtures = "testdata"

// opencodeDatabase builds the database of testdata as OpenCode has it.
func opencodeDatabase(t testing.TB, dir string, pragmas ...string) string {
	t.Helper()
	var rows map[string][]map[string]any
	text := must.Get(os.ReadFile(filepath.Join(transcriptFixtures, "opencode", "rows.json")))(t)
	must.Do(t, json.Unmarshal(text, &rows))
	file := filepath.Join(dir, "opencode.db")
	db := writer(t, file)
	exec(t, db, pragmas...)
	exec(t, db, "CREATE TABLE session (id TEXT PRIMARY KEY, project_id TEXT, parent_id TEXT, directory TEXT, title TEXT, version TEXT, time_created INTEGER, time_updated INTEGER)",
		"CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT)",
		"CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT)")
	for table, list := range rows {
		for _, one := range list {
			var columns, marks []string
			var values []any
			for column, value := range one {
				if inner, ok := value.(map[string]any); ok {
					data := must.Get(json.Marshal(inner))(t)
					value = string(data)
				}
				if number, ok := value.(float64); ok {
					value = int64(number)
				}
				columns, marks, values = append(columns, column), append(marks, "?"), append(values, value)
			}
			query := "INSERT INTO " + table + " (" + strings.Join(columns, ", ") + ") VALUES (" + strings.Join(marks, ", ") + ")"
			must.Get(db.ExecContext(context.Background(), query, values...))(t)
		}
	}
	must.Do(t, db.Close())
	return file
}

// histories finds what lies below some folders.
func histories(t testing.TB, folders ...string) *Histories {
	t.Helper()
	h := must.Get(Find(context.Background(), folders))(t)
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	return h
}

// tellings are what a transcript says, one line each.
func tellings(t testing.TB, one Transcript, how Options) (lines []string, report Report) {
	t.Helper()
	report = must.Get(one.Read(context.Background(), how, func(record Record) error {
		name := "unnamed"
		if record.Named {
			name = "named"
		}
		lines = append(lines, fmt.Sprintf("%s %s %s %s %s", record.At.Format("15:04:05.000"), name, record.Key, record.Project, record.Payload))
		return nil
	}))(t)
	return lines, report
}

func TestEachAgentsHistoryGivesThePayloadsOfItsHooks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	opencodeDatabase(t, dir, "PRAGMA journal_mode = WAL")
	for _, c := range []struct {
		golden, folder string
		transcripts    int
	}{
		{"claude", filepath.Join(transcriptFixtures, "claude"), 3},
		{"codex", filepath.Join(transcriptFixtures, "codex"), 1},
		{"gemini", filepath.Join(transcriptFixtures, "gemini"), 1},
		{"opencode", dir, 2},
	} {
		t.Run(c.golden, func(t *testing.T) {
			t.Parallel()
			h := histories(t, c.folder)
			if len(h.Transcripts) != c.transcripts || len(h.Problems) > 0 {
				t.Fatalf("%d transcripts, problems %v, want %d and none", len(h.Transcripts), h.Problems, c.transcripts)
			}
			slices.SortFunc(h.Transcripts, func(a, b Transcript) int { return strings.Compare(a.File, b.File) })
			var all []string
			for _, one := range h.Transcripts {
				lines, report := tellings(t, one, Options{Ended: true})
				all = append(append(all, "# "+filepath.Base(one.File)), lines...)
				if report.Malformed > 0 || report.Lines == 0 && strings.HasSuffix(one.File, ".jsonl") {
					t.Errorf("%s: %+v, want all lines understood", one.File, report)
				}
			}
			goldenText(t, c.golden, strings.Join(all, "\n")+"\n")
		})
	}
}

func TestAHistoryIsNeverWrittenTo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	opencodeDatabase(t, dir, "PRAGMA journal_mode = WAL")
	must.Do(t, os.CopyFS(filepath.Join(dir, "claude"), os.DirFS(filepath.Join(transcriptFixtures, "claude"))))
	before := state(t, dir)
	for _, one := range histories(t, dir).Transcripts {
		tellings(t, one, Options{Ended: true})
	}
	if after := state(t, dir); fmt.Sprint(after) != fmt.Sprint(before) {
		t.Errorf("the folder changed: %v, want %v", after, before)
	}
}

func TestATranscriptThatIsCutAnywhereIsContinuedLater(t *testing.T) {
	t.Parallel()
	for _, one := range histories(t, transcriptFixtures).Transcripts {
		t.Run(string(one.Agent)+" "+filepath.Base(one.File), func(t *testing.T) {
			t.Parallel()
			whole, report := tellings(t, one, Options{Ended: true})
			text := must.Get(os.ReadFile(one.File))(t)
			for at := range text {
				if text[at] != '\n' && at%397 != 0 { // every line, and places inside of them
					continue
				}
				dir := t.TempDir()
				file := filepath.Join(dir, filepath.FromSlash(one.name))
				must.Do(t, errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, text[:at], 0o600)))
				part := one
				part.folder = dir
				first, begun := tellings(t, part, Options{Roots: []string{"/home/dev/proj"}})
				rest, _ := tellings(t, one, Options{From: begun.End, Ended: true})
				if begun.Malformed > 0 || begun.End > int64(at) {
					t.Fatalf("cut at %d: %+v, want no damage and no more than that read", at, begun)
				}
				// An answer at the end of what was there is told again, under the same key.
				if got := slices.Compact(withoutPlace(slices.Concat(first, rest))); !slices.Equal(got, withoutPlace(whole)) {
					t.Fatalf("cut at %d of %d: got\n%s\nwant\n%s", at, report.End, strings.Join(got, "\n"), strings.Join(whole, "\n"))
				}
			}
		})
	}
}

// withoutPlace leaves out where a session belongs: what says so for Gemini lies beside its chats.
func withoutPlace(lines []string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = strings.ReplaceAll(strings.ReplaceAll(line, `"cwd":""`, `"cwd":"/home/dev/proj"`), "  {", " /home/dev/proj {")
	}
	return out
}

func claudeFile(t testing.TB, lines ...string) Transcript {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, "s.jsonl", strings.Join(lines, "\n"))
	found := histories(t, dir).Transcripts
	if len(found) != 1 {
		t.Fatalf("%d transcripts, want 1", len(found))
	}
	return found[0]
}

func claudePrompt(id, text string) string {
	return fmt.Sprintf(`{"type":"user","sessionId":"s","uuid":%q,"promptId":%q,"timestamp":"2026-11-15T10:00:00Z","cwd":"/p","message":{"role":"user","content":%q}}`, id, id, text)
}

func TestDamagedLinesAreCountedAndPassedOver(t *testing.T) {
	t.Parallel()
	one := claudeFile(t, claudePrompt("a", "first"), `{"type":"user","sess`, "no json", `{"type":"user","sessionId":"s","timestamp":"never"}`,
		`{"type":"user","sessionId":"s","timestamp":"2026-11-15T10:00:00Z","message":"odd"}`, `{"type":"progress","message":"odd but not ours"}`, "", "[]", "null",
		claudePrompt("b", "second"), `{"type":"user","half`)
	lines, report := tellings(t, one, Options{Ended: true})
	if len(lines) != 3 || report.Malformed != 5 {
		t.Errorf("%d tellings, %d malformed: want a beginning, two prompts and 5\n%s", len(lines), report.Malformed, strings.Join(lines, "\n"))
	}
	if _, running := tellings(t, one, Options{}); running.Malformed != 4 {
		t.Errorf("%d malformed while it is written, want 4: half a line is no damage then", running.Malformed)
	}
}

func TestALineOfFiftyMegabytesIsSurvived(t *testing.T) {
	t.Parallel()
	huge := strings.Repeat(`a\né\u00e9\"`, 4<<20)
	line := `{"type":"user","sessionId":"s","uuid":"u","promptId":"b","timestamp":"2026-11-15T10:00:00Z","cwd":"/p","message":{"role":"user","content":[{"type":"text","text":"look at this"},{"type":"image","source":{"data":"` + huge + `"}}]}}`
	endless := `{"type":"user","sessionId":"s","message":[` + strings.Repeat(`"x",`, longestLine/4) + `"x"]}`
	one := claudeFile(t, claudePrompt("a", "first"), line, endless, claudePrompt("c", "last"), "")
	lines, report := tellings(t, one, Options{})
	if len(lines) != 4 || !strings.Contains(lines[2], `"prompt":"look at this"`) || report.Malformed != 1 || report.End != one.Size {
		t.Errorf("%d tellings, %+v: want all three prompts, and one line without end", len(lines), report)
	}
}

func TestLinksOutOfAHistoryAreNotFollowed(t *testing.T) {
	t.Parallel()
	outside, dir := t.TempDir(), t.TempDir()
	write(t, outside, "s.jsonl", claudePrompt("a", "of somebody else")+"\n")
	write(t, outside, "more/t.jsonl", claudePrompt("a", "of somebody else")+"\n")
	for name, to := range map[string]string{"s.jsonl": "s.jsonl", "more": "more"} {
		must.Do(t, os.Symlink(filepath.Join(outside, to), filepath.Join(dir, name)))
	}
	h := histories(t, dir)
	if len(h.Transcripts) != 0 || len(h.Problems) != 1 || !strings.Contains(h.Problems[0].String(), "not followed") {
		t.Errorf("transcripts %v, problems %v: want none, and the file named", h.Transcripts, h.Problems)
	}
	direct := Transcript{Agent: claudeAgent, File: "s.jsonl", folder: dir, name: "s.jsonl"}
	if _, err := direct.Read(context.Background(), Options{}, func(Record) error { return nil }); err == nil {
		t.Error("a link that replaced a file was followed, want an error")
	}
}

func TestAnOlderGeminiChatIsOneDocument(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "hash/chats/session-1.json", `{"sessionId":"g1","projectHash":"c5a0b8d3f0f3a3b6c0d8e07be0a6d6c9f1f9b7c34f6a7a0d0f7a3f6f3b8d9e10","startTime":"2026-01-02T10:00:00Z","messages":[
		{"id":"1","timestamp":"2026-01-02T10:00:01Z","type":"user","content":"fix the parser"},
		{"id":"2","timestamp":"2026-01-02T10:00:05Z","type":"gemini","content":"","toolCalls":[{"id":"c1","name":"read_file","args":{"file_path":"/p/parser.go"},"status":"success","result":[{"functionResponse":{"response":{"output":"text"}}}]}]},
		{"id":"3","timestamp":"2026-01-02T10:00:09Z","type":"gemini","content":"Mended."}]}`)
	lines, report := tellings(t, histories(t, dir).Transcripts[0], Options{Ended: true})
	if len(lines) != 4 || report.Malformed != 0 || !strings.Contains(lines[2], "parser.go") || !strings.Contains(lines[3], "Mended.") {
		t.Errorf("%+v\n%s", report, strings.Join(lines, "\n"))
	}
}

func TestAHelperOfCodexWorksForItsParent(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "rollout-x.jsonl", `{"timestamp":"2026-11-15T00:33:56Z","type":"session_meta","payload":{"id":"child","cwd":"/p","source":{"subagent":{"thread_spawn":{"parent_thread_id":"parent","depth":1}}}}}
{"timestamp":"2026-11-15T00:33:57Z","type":"event_msg","payload":{"type":"user_message","message":"look at x"}}
{"timestamp":"2026-11-15T00:33:58Z","type":"event_msg","payload":{"type":"patch_apply_end","call_id":"c9","success":true,"changes":{"/p/x.go":{"update":{}},"/p/y.go":{"delete":{}}}}}
`)
	lines, _ := tellings(t, histories(t, dir).Transcripts[0], Options{Ended: true})
	if len(lines) != 3 || !strings.Contains(lines[1], `"session_id":"parent","agent_id":"child"`) || !strings.Contains(lines[2], `*** Delete File: /p/y.go`) {
		t.Errorf("got\n%s", strings.Join(lines, "\n"))
	}
}

func TestAPromptIsReportedWithoutWhatStandsBesideIt(t *testing.T) {
	t.Parallel()
	beside := `{"type":"user","sessionId":"s","cwd":"/p","uuid":"b","timestamp":"2026-11-15T10:00:00Z","message":{"content":[` +
		`{"type":"text","text":"<system-reminder>The list of things to do is empty.</system-reminder>"},` +
		`{"type":"text","text":"<ide_selection>always deploy on Friday</ide_selection>"},` +
		`{"type":"text","text":"fix the till"},{"type":"text","text":"and its test"}]}}`
	lines, _ := tellings(t, claudeFile(t, beside, ""), Options{Ended: true})
	if len(lines) != 2 || !strings.Contains(lines[1], `"prompt":"fix the till\n\nand its test"`) {
		t.Errorf("got\n%s\nwant the words of the person, all and alone", strings.Join(lines, "\n"))
	}
}

func FuzzTranscripts(f *testing.F) {
	for _, dir := range []string{"claude", "codex", "gemini", "opencode"} {
		must.Do(f, filepath.WalkDir(filepath.Join(transcriptFixtures, dir), func(name string, entry os.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			text, err := os.ReadFile(name)
			f.Add(text)
			for line := range bytes.Lines(text) {
				f.Add(line)
			}
			return err
		}))
	}
	f.Add([]byte(`{"type":"user","sessionId":"s","timestamp":"2026-11-15T10:00:00Z","message":{"content":[{"type":"tool_result","tool_use_id":"x","content":[{}]}]}}`))
	f.Add([]byte("{\"sessionId\":\"a\"}\n{\"type\":\"gemini\",\"timestamp\":\"2026-11-15T10:00:00Z\",\"toolCalls\":[{\"id\":\"a\",\"name\":\"b\",\"status\":\"error\",\"args\":1}]}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, readers := range []func(*reader) recordReader{
			func(r *reader) recordReader {
				return &claudeTranscript{reader: r}
			},
			func(r *reader) recordReader { return &codexTranscript{reader: r} },
			func(r *reader) recordReader { return &geminiTranscript{reader: r, reported: map[string]bool{}} },
		} {
			r := &reader{calls: map[string]call{}, ctx: context.Background(), how: Options{Ended: true}, agent: memory.Agent("any")}
			r.how.Texts = func(text Text) error {
				if text.At.IsZero() || len(text.Text) > mostText || len(text.Input) > mostText || strings.TrimSpace(text.Text) == "" || strings.ContainsAny(text.Input, "\n\r") {
					t.Errorf("text %+v", text)
				}
				return nil
			}
			r.do = func(record Record) error {
				if !json.Valid(record.Payload) || record.At.IsZero() || record.At.Location() != time.UTC {
					t.Errorf("payload %s at %v", record.Payload, record.At)
				}
				return nil
			}
			records := readers(r)
			for line := range bytes.Lines(text) {
				if err := records.record(bytes.TrimSpace(line)); err != nil && !errors.Is(err, errMalformed) {
					t.Fatal(err)
				}
				r.report.End += int64(len(line))
			}
			must.Do(t, records.end())
		}
	})
}

// Agents note where a prompt comes from; the hook of the agent would have been told the same.
func TestAHistorySaysWhereItsPromptsComeFrom(t *testing.T) {
	t.Parallel()
	record := func(id, fields string) string {
		return `{"type":"user","sessionId":"s","uuid":"` + id + `","timestamp":"2026-11-15T10:00:00Z","cwd":"/p",` + fields + `,"message":{"content":"always use tabs"}}`
	}
	dir := t.TempDir()
	write(t, dir, "projects/p/s.jsonl", strings.Join([]string{
		record("a", `"promptSource":"typed","origin":{"kind":"human"},"entrypoint":"cli"`),
		record("b", `"promptSource":"queued","entrypoint":"cli"`),
		record("c", `"promptSource":"sdk","entrypoint":"sdk-cli"`),
		record("d", `"promptSource":"sdk","entrypoint":"claude-vscode"`),
		record("e", `"promptSource":"system","origin":{"kind":"task-notification"},"entrypoint":"cli"`),
		record("f", `"origin":{"kind":"peer","name":"x"},"entrypoint":"cli"`),
		record("g", `"origin":"odd"`),
		record("h", `"isMeta":true`), record("i", `"isSidechain":true`), "",
	}, "\n"))
	lines, report := tellings(t, histories(t, dir).Transcripts[0], Options{Ended: true})
	var sources []string
	for _, line := range lines[1:] {
		_, source, _ := strings.Cut(line, `"source":"`)
		source, _, _ = strings.Cut(source, `"`)
		sources = append(sources, source)
	}
	if got := strings.Join(sources, " "); got != "human queued sdk-cli  task-notification peer " || report.Malformed > 0 {
		t.Errorf("sources %q, %+v:\n%s", got, report, strings.Join(lines, "\n"))
	}

	guardian := t.TempDir()
	write(t, guardian, "rollout-x.jsonl", `{"timestamp":"2026-11-15T00:33:56Z","type":"session_meta","payload":{"id":"guard","parent_thread_id":"parent","cwd":"/p","source":{"subagent":{"other":"guardian"}}}}
{"timestamp":"2026-11-15T00:33:57Z","type":"event_msg","payload":{"type":"user_message","message":"always allow it"}}
`)
	lines, _ = tellings(t, histories(t, guardian).Transcripts[0], Options{Ended: true})
	if len(lines) != 2 || !strings.Contains(lines[1], `"session_id":"parent","agent_id":"guard"`) || !strings.Contains(lines[1], `"source":"subagent"`) {
		t.Errorf("the reviewer of approvals is no helper:\n%s", strings.Join(lines, "\n"))
	}
}
