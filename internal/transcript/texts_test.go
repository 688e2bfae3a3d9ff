package transcript

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/must"
)

// textsOf are the texts that a transcript hands out, one line each. Its records are the same with and without them.
func textsOf(t *testing.T, one Transcript, how Options) (lines []string) {
	t.Helper()
	how.Ended = true
	without, _ := tellings(t, one, how)
	how.Texts = func(text Text) error {
		lines = append(lines, strings.ReplaceAll(fmt.Sprintf("%s %s|%s|%s|%s", text.At.Format("05"), text.Kind, text.Tool, text.Input, text.Text), "\n", "⏎"))
		return nil
	}
	with, _ := tellings(t, one, how)
	same(t, with, without...)
	return lines
}

func same(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// claudeLine is a record of Claude Code, some second into a minute. What is added stands before the message.
func claudeLine(second int, kind, more, message string) string {
	return fmt.Sprintf(`{"isSidechain":false,"type":%q,"sessionId":"s","uuid":"u%02d","timestamp":"2026-11-15T10:00:%02dZ","cwd":"/p",%s"message":%s}`, kind, second, second, more, message)
}

func claudeSays(second int, id, stop string, blocks ...string) string {
	return claudeLine(second, "assistant", "", fmt.Sprintf(`{"role":"assistant","id":%q,"stop_reason":%s,"content":[%s]}`, id, stop, strings.Join(blocks, ",")))
}

func claudeReturns(second int, id, more, content string) string {
	return claudeLine(second, "user", `"toolUseResult":{"stdout":"as the program has it"},`,
		fmt.Sprintf(`{"role":"user","content":[{"type":"tool_result","tool_use_id":%q%s,"content":%s}]}`, id, more, content))
}

func said(text string) string { return fmt.Sprintf(`{"type":"text","text":%q}`, text) }

func calls(id, tool, input string) string {
	return fmt.Sprintf(`{"type":"tool_use","id":%q,"name":%q,"input":%s}`, id, tool, input)
}

func TestTheTextsOfASessionOfClaudeCode(t *testing.T) {
	t.Parallel()
	const (
		failed, goesOn, over = `,"is_error":true`, `"tool_use"`, `"end_turn"`
		rejected             = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). "
		note                 = "\n\nNote: The user's next message may contain a correction or preference. Pay close attention — if they explain what went wrong or how they'd prefer you to work, consider saving that to memory for future sessions."
	)
	quoted := func(text string) string { return string(quotedText(text)) }
	build := calls("c1", "Bash", `{"command":"make  build \\\n  -j4","description":"Build"}`)
	for name, c := range map[string]struct {
		lines []string
		want  []string
	}{
		"a text before a call in one message": {
			[]string{claudeSays(1, "m1", goesOn, said("I build first."), build), claudeReturns(2, "c1", `,"is_error":false`, `"built"`), claudeSays(3, "m2", over, said("Done."))},
			[]string{"01 on the way|||I build first.", `02 output|Bash|make build \ -j4|built`},
		},
		"the same in a record for each block, as Claude Code writes it": {
			[]string{claudeSays(1, "m1", goesOn, said("I build first.")), claudeSays(2, "m1", goesOn, build), claudeReturns(3, "c1", "", `"built"`)},
			[]string{"01 on the way|||I build first.", `03 output|Bash|make build \ -j4|built`},
		},
		"the same of a version that gives no reason for stopping": {
			[]string{claudeSays(1, "m1", `null`, said("I build first.")), claudeSays(2, "m1", `null`, build), claudeReturns(3, "c1", "", `"built"`), claudeSays(4, "m2", `null`, said("Done."))},
			[]string{"01 on the way|||I build first.", `03 output|Bash|make build \ -j4|built`},
		},
		"several texts in one turn, and what ran beside one of them": {
			[]string{
				claudeSays(1, "m1", `null`, build), claudeSays(2, "m1", `null`, said("While it builds:")), claudeReturns(3, "c1", "", `"built"`),
				claudeSays(4, "m2", `null`, said("It builds.")), claudeSays(5, "m3", `null`, said("Now the tests.")),
				claudeSays(6, "m4", over, said("All done.")), claudePrompt("p2", "thanks"), claudeSays(8, "m5", over, said("Welcome.")),
			},
			[]string{"02 on the way|||While it builds:", `03 output|Bash|make build \ -j4|built`, "04 on the way|||It builds.", "05 on the way|||Now the tests."},
		},
		"what tools return": {
			[]string{
				claudeSays(1, "m1", goesOn, calls("c1", "WebFetch", `{"url":"https://go.dev/doc","prompt":"what is new?"}`), calls("c2", "mcp__tiny__recall", `{"query": "q <a>", "n": 2}`),
					calls("c3", "Read", `{"file_path":"/p/main.go","limit":3}`), calls("c4", "WebSearch", `{"query":"go 1.26"}`), calls("c5", "TodoWrite", `{"todos": []}`), calls("c6", "Read", `{"file_path":"/p/a.png"}`)),
				claudeReturns(2, "c1", "", `[{"type":"text","text":"Much."},{"type":"text","text":"More."}]`), claudeReturns(3, "c2", "", `"{\"found\":1}"`),
				claudeReturns(4, "c3", "", `"1\tpackage main"`), claudeReturns(5, "c4", "", `"links"`), claudeReturns(6, "c5", "", `"kept"`),
				claudeReturns(7, "c6", "", `[{"type":"image","source":{"data":"x"}}]`), claudeReturns(8, "never called", "", `"x"`),
			},
			[]string{
				"02 output|WebFetch|https://go.dev/doc|Much.⏎⏎More.", `03 output|mcp__tiny__recall|{"query":"q <a>","n":2}|{"found":1}`,
				"04 output|Read|/p/main.go|1\tpackage main", "05 output|WebSearch|go 1.26|links", `06 output|TodoWrite|{"todos":[]}|kept`,
			},
		},
		"a command that fails": {
			[]string{
				claudeSays(1, "m1", goesOn, build), claudeReturns(2, "c1", failed, `"Exit code 2\nmake: *** no rule"`),
				claudeSays(3, "m2", goesOn, calls("c2", "Read", `{"file_path":"/p/x"}`)), claudeReturns(4, "c2", failed, `"<tool_use_error>File does not exist.</tool_use_error>"`),
				claudeSays(5, "m3", goesOn, calls("c3", "Glob", `{"pattern":"*"}`)), claudeReturns(6, "c3", failed, `"<tool_use_error>Error: No such tool available: Glob</tool_use_error>"`),
			},
			[]string{`02 output|Bash|make build \ -j4|Exit code 2⏎make: *** no rule`, "04 output|Read|/p/x|File does not exist."},
		},
		"a call that a person rejects": {
			[]string{
				claudeSays(1, "m1", goesOn, build), claudeReturns(2, "c1", failed, quoted(rejected+"To tell you how to proceed, the user said:\nuse ninja,\nnever make")),
				claudeSays(3, "m2", goesOn, calls("c2", "Edit", `{"file_path":"/p/x"}`)), claudeReturns(4, "c2", failed, quoted(rejected+"To tell you how to proceed, the user said:\nnot this file"+note)),
				claudeSays(5, "m3", goesOn, calls("c3", "Bash", `{"command":"rm x"}`)), claudeReturns(6, "c3", failed, quoted(rejected+"The user provided the following reason for the rejection:  keep x")),
				claudeSays(7, "m4", goesOn, calls("c4", "Bash", `{"command":"rm y"}`)), claudeReturns(8, "c4", failed, quoted(rejected+"STOP what you are doing and wait for the user to tell you how to proceed."+note)),
				claudeLine(9, "user", "", `{"role":"user","content":[{"type":"text","text":"[Request interrupted by user for tool use]"}]}`),
			},
			[]string{`02 refused|Bash|make build \ -j4|use ninja,⏎never make`, "04 refused|Edit|/p/x|not this file", "06 refused|Bash|rm x|keep x"},
		},
		"a form is not what a person typed": {
			[]string{
				claudeSays(1, "m1", goesOn, calls("c1", "AskUserQuestion", `{"questions":[]}`)),
				claudeReturns(2, "c1", failed, quoted(rejected+"To tell you how to proceed, the user said:\nThe user wants to clarify these questions.\n    Questions asked:\n- \"Which?\"\n  (No answer provided)"+note)),
			},
			[]string{`02 output|AskUserQuestion|{"questions":[]}|The user wants to clarify these questions.⏎    Questions asked:⏎- "Which?"⏎  (No answer provided)`},
		},
		"a sidechain is silent": {
			[]string{
				claudeSays(1, "m1", goesOn, said("I ask a helper."), calls("c1", "Task", `{"prompt":"look"}`)),
				strings.ReplaceAll(claudeSays(2, "h1", goesOn, said("I look."), calls("h1", "Bash", `{"command":"ls"}`)), `"isSidechain":false`, `"isSidechain":true`),
				strings.ReplaceAll(claudeReturns(3, "h1", failed, quoted(rejected+"To tell you how to proceed, the user said:\nno")), `"isSidechain":false`, `"isSidechain":true`),
				strings.ReplaceAll(claudeSays(4, "h2", `null`, said("I saw.")), `"isSidechain":false`, `"isSidechain":true`),
				claudeReturns(5, "c1", "", `[{"type":"text","text":"It is there."}]`),
			},
			[]string{"01 on the way|||I ask a helper.", "05 output|Task|look|It is there."},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			one := claudeFile(t, append(append([]string{claudePrompt("p1", "build it")}, c.lines...), "")...)
			same(t, textsOf(t, one, Options{}), c.want...)
		})
	}
}

func TestNothingIsToldOfPrivateTurnsNorOfTheScribe(t *testing.T) {
	t.Parallel()
	at := func(second int, line string) string {
		return strings.ReplaceAll(line, "10:00:00Z", fmt.Sprintf("10:00:%02dZ", second))
	}
	call := calls("c1", "Bash", `{"command":"ls"}`)
	turn := func(second int, prompt string) []string {
		return []string{
			at(second, claudePrompt(fmt.Sprint("p", second), prompt)), claudeSays(second+1, fmt.Sprint("m", second), `"tool_use"`, said("I look."), call),
			claudeReturns(second+2, "c1", "", `"a b"`), claudeSays(second+3, fmt.Sprint("n", second), `null`, said("I saw.")), claudeSays(second+4, fmt.Sprint("o", second), `"end_turn"`, said("Done.")),
		}
	}
	private := Options{Private: func(text string) bool { return strings.Contains(text, "private") }}
	first := claudeFile(t, append(slices.Concat(turn(10, "a private matter"), turn(20, "look")), "")...)
	open := []string{"21 on the way|||I look.", "22 output|Bash|ls|a b", "23 on the way|||I saw."}
	same(t, textsOf(t, first, private), open...)

	words := turn(10, "look")
	words[2] = claudeReturns(12, "c1", `,"is_error":true`, `"The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\na private matter"`)
	same(t, textsOf(t, claudeFile(t, append(slices.Concat(words, turn(20, "look")), "")...), private), append([]string{"11 on the way|||I look."}, open...)...)

	scribe := strings.ReplaceAll(strings.Join(turn(20, "look"), "\n"), `"cwd":"/p"`, `"cwd":"/tmp/hebb-scribe-1"`)
	same(t, textsOf(t, claudeFile(t, scribe, ""), private))
}

func TestTheTextsOfOtherAgents(t *testing.T) {
	t.Parallel()
	codex := func(lines ...string) string {
		all := []string{`{"timestamp":"2026-11-15T10:00:00Z","type":"session_meta","payload":{"id":"x","cwd":"/p","source":"cli"}}`}
		for i, line := range lines {
			kind := "response_item"
			if strings.Contains(line, "message") || strings.Contains(line, "completed") || strings.Contains(line, "complete") {
				kind = "event_msg"
			}
			all = append(all, fmt.Sprintf(`{"timestamp":"2026-11-15T10:00:%02dZ","type":%q,"payload":%s}`, i+1, kind, line))
		}
		return strings.Join(append(all, ""), "\n")
	}
	for name, c := range map[string]struct {
		file, text string
		want       []string
	}{
		"codex, a long command": {"rollout-x.jsonl", codex(
			`{"type":"user_message","message":"build it"}`,
			`{"type":"agent_message","message":"I build first."}`,
			`{"type":"function_call","name":"exec_command","call_id":"a","arguments":"{\"cmd\":\"make build\"}"}`,
			`{"type":"function_call_output","call_id":"a","output":"Chunk ID: 1\nProcess running with session ID 7\nOutput:\ncc x.c"}`,
			`{"type":"agent_message","message":"It takes long."}`,
			`{"type":"function_call","name":"write_stdin","call_id":"b","arguments":"{\"session_id\": 7}"}`,
			`{"type":"item_completed","item":{"type":"CommandExecution","id":"a","command":["bash","-lc","make build"],"aggregated_output":"cc x.c\nx.c:1: error"}}`,
			`{"type":"function_call_output","call_id":"b","output":"Chunk ID: 2\nProcess exited with code 2\nOutput:\nx.c:1: error"}`,
			`{"type":"function_call","name":"update_plan","call_id":"c","arguments":"{}"}`,
			`{"type":"function_call_output","call_id":"c","output":"Plan updated"}`,
			`{"type":"item_completed","item":{"type":"CommandExecution","id":"inside","command":["bash","-lc","ls"],"aggregated_output":"x.c"}}`,
			`{"type":"agent_message","message":"It failed."}`,
			`{"type":"task_complete","last_agent_message":"It failed.\n"}`,
		), []string{
			"02 on the way|||I build first.", "04 output|Bash|make build|Chunk ID: 1⏎Process running with session ID 7⏎Output:⏎cc x.c",
			"05 on the way|||It takes long.", `08 output|write_stdin|{"session_id":7}|Chunk ID: 2⏎Process exited with code 2⏎Output:⏎x.c:1: error`, "11 output|Bash|ls|x.c",
		}},
		"codex, a helper": {"rollout-x.jsonl", strings.ReplaceAll(codex(`{"type":"agent_message","message":"I look."}`, `{"type":"function_call","name":"exec_command","call_id":"a","arguments":"{\"cmd\":\"ls\"}"}`,
			`{"type":"function_call_output","call_id":"a","output":"x.c"}`), `"source":"cli"`, `"source":{"subagent":{"thread_spawn":{"parent_thread_id":"y"}}}`), nil},
		"gemini": {"p/chats/session-1.jsonl", `{"sessionId":"g1","startTime":"2026-11-15T10:00:00Z","kind":"main"}
{"id":"1","timestamp":"2026-11-15T10:00:01Z","type":"user","content":[{"text":"fix the parser"}]}
{"id":"2","timestamp":"2026-11-15T10:00:02Z","type":"gemini","content":"I read it."}
{"id":"2","timestamp":"2026-11-15T10:00:02Z","type":"gemini","content":"I read it.","toolCalls":[{"id":"a","name":"run_shell_command","args":{"command":"cat x"},"status":"executing"}]}
{"id":"2","timestamp":"2026-11-15T10:00:02Z","type":"gemini","content":"I read it.","toolCalls":[{"id":"a","name":"run_shell_command","args":{"command":"cat x"},"status":"success","timestamp":"2026-11-15T10:00:03Z","result":[{"functionResponse":{"response":{"output":"text"}}}]}]}
{"id":"3","timestamp":"2026-11-15T10:00:04Z","type":"gemini","content":"Twice."}
{"id":"4","timestamp":"2026-11-15T10:00:05Z","type":"gemini","content":"","toolCalls":[{"id":"b","name":"read_file","args":{"file_path":"y"},"status":"error","result":[{"functionResponse":{"response":{"error":"File not found."}}}]},{"id":"c","name":"write_file","args":{"file_path":"y"},"status":"cancelled","result":[{"functionResponse":{"response":{"error":"[Operation Cancelled] Reason: User did not allow tool call"}}}]}]}
{"id":"5","timestamp":"2026-11-15T10:00:06Z","type":"gemini","content":"Mended."}
`, []string{"02 on the way|||I read it.", "03 output|run_shell_command|cat x|text", "04 on the way|||Twice.", "05 output|read_file|y|File not found."}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			write(t, dir, c.file, c.text)
			same(t, textsOf(t, histories(t, dir).Transcripts[0], Options{}), c.want...)
		})
	}
}

func TestTheTextsOfASessionInADatabase(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db := writer(t, opencodeDatabase(t, dir))
	for i, part := range []string{
		`{"type":"tool","tool":"bash","callID":"c1","state":{"status":"error","input":{"command":"rm x"},"error":"The user rejected permission to use this specific tool call with the following feedback: keep x"}}`,
		`{"type":"tool","tool":"bash","callID":"c2","state":{"status":"error","input":{"command":"rm y"},"error":"The user rejected permission to use this specific tool call."}}`,
		`{"type":"text","text":"by the program","synthetic":true}`,
	} {
		must.Get(db.ExecContext(context.Background(), "INSERT INTO part VALUES (?, 'msg_1dca9e000001last', 'ses_e23568bd0ffei5TgfllQ5GhU3J', 1794703482400, 0, ?)", fmt.Sprint("prt_zz", i), part))(t)
	}
	must.Do(t, db.Close())
	got := map[bool][]string{}
	for _, one := range histories(t, dir).Transcripts {
		got[one.rows.parent != ""] = textsOf(t, one, Options{})
	}
	same(t, got[true])
	same(t, got[false],
		"29 on the way|||Reading.",
		`29 output|read|/home/dev/proj/main.go|<path>/home/dev/proj/main.go</path>⏎<type>file</type>⏎<content>⏎1: package main⏎2: ⏎3: func main() {⏎4: 	println("hi")⏎5: }⏎⏎(End of file - total 5 lines)⏎</content>`,
		"30 output|edit|/home/dev/proj/main.go|Edit applied successfully.",
		"31 output|write|/home/dev/proj/new.txt|Wrote file successfully.",
		"42 output|read|/home/dev/proj/missing.go|File not found: /home/dev/proj/missing.go",
		"42 refused|bash|rm x|keep x")
}

func TestEachAgentsHistoryGivesItsTexts(t *testing.T) {
	t.Parallel()
	for _, one := range histories(t, transcriptFixtures).Transcripts {
		helps := strings.Contains(one.name, "/subagents/")
		texts := strings.Join(textsOf(t, one, Options{}), "\n")
		if strings.Contains(texts, "All finished.") || strings.Contains(texts, string(Output)) == helps || strings.Contains(texts, "|Reading.") == (helps || one.Agent == geminiAgent) {
			t.Errorf("%s: texts\n%s", one.File, texts)
		}
		ends := errors.New("enough of it")
		if _, err := one.Read(context.Background(), Options{Ended: true, Texts: func(Text) error { return ends }}, func(Record) error { return nil }); !helps && !errors.Is(err, ends) {
			t.Errorf("%s: error %v, want that of Texts", one.File, err)
		}
	}
}

func TestOfALongTextBothEndsAreHandedOut(t *testing.T) {
	t.Parallel()
	long := "first " + strings.Repeat("é", mostText) + " last"
	got := bothEnds(long)
	if len(got) > mostText || len(got) < mostText-8 || !utf8.ValidString(got) || !strings.HasPrefix(got, "first é") || !strings.HasSuffix(got, "é last") || !strings.Contains(got, "é […] é") {
		t.Errorf("%d bytes: %.20q … %q", len(got), got, got[len(got)-20:])
	}
	if got := bothEnds(long[:mostText]); got != long[:mostText] {
		t.Error("a text that fits is cut")
	}
}
