package wiring

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
)

const program = "/opt/hebb/bin/hebb"

// newMachine is a computer with Claude Code in the given version; without one it is not installed.
func newMachine(t testing.TB, version string) Machine {
	return Machine{
		Home: t.TempDir(), Getenv: nothing,
		LookPath: func(name string) (string, error) {
			if name == program || name == "claude" && version != "" {
				return name, nil
			}
			return "", exec.ErrNotFound
		},
		Version: func(context.Context, string) (string, error) { return version + " (Claude Code)\n", nil },
	}
}

// settingsOf writes settings.json of a machine and returns its name.
func settingsOf(t testing.TB, m Machine, content string) string {
	name := filepath.Join(m.Home, ".claude", "settings.json")
	must.Do(t, os.MkdirAll(filepath.Dir(name), 0o700))
	must.Do(t, os.WriteFile(name, []byte(content), 0o644))
	return name
}

func wire(t testing.TB, m Machine) Plan {
	t.Helper()
	c, err := PlanWire(context.Background(), m, agent.ClaudeCode, Order{Program: program})
	if err == nil {
		err = c.Apply()
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func unwire(t testing.TB, m Machine) Plan {
	t.Helper()
	c, err := PlanUnwire(m, agent.ClaudeCode, Order{})
	if err == nil {
		err = c.Apply()
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func stateOf(t testing.TB, m Machine) Wiring {
	t.Helper()
	return must.Get(Inspect(context.Background(), m, agent.ClaudeCode, Order{Program: program}))(t)
}

func TestUnwiringRemovesAFileThatHebbMade(t *testing.T) {
	for _, c := range []struct {
		name   string
		folder string // that was there before
		used   string // a file that came into the folder meanwhile
		added  string // to the file meanwhile
		left   string // of the file; nothing: it is gone
	}{
		{"nothing was there", "", "", "", ""},
		{"the folder was there, empty", ".claude", "", "", ""},
		{"the folder was there, used", ".claude/projects", "", "", ""},
		{"the agent uses the folder now", "", "history.jsonl", "", ""},
		{"something was added", "", "", `"model": "opus", `, "{\"model\": \"opus\"\n}\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMachine(t, "2.1.325")
			folder := filepath.Join(m.Home, ".claude")
			file := filepath.Join(folder, "settings.json")
			if c.folder != "" {
				must.Do(t, os.MkdirAll(filepath.Join(m.Home, filepath.FromSlash(c.folder)), 0o700))
			}
			if plan := wire(t, m); plan.Changes[0].Backup() != "" {
				t.Errorf("a backup of nothing: %s", plan.Changes[0].Backup())
			}
			wire(t, m) // renewing makes none either
			if c.added != "" {
				settingsOf(t, m, strings.Replace(readFile(t, file), "{", "{"+c.added, 1))
			}
			if c.used != "" {
				writeOne(t, filepath.Join(folder, c.used), "{}\n")
			}
			change := unwire(t, m)
			if isMarked(folder) {
				t.Error("the mark of hebb is still there")
			}
			if c.left != "" {
				if got := readFile(t, file); got != c.left {
					t.Errorf("got %q, want %q", got, c.left)
				}
				return
			}
			if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) || change.Changes[0].New != nil || !strings.Contains(change.Diff(), "-{") {
				t.Errorf("the file is still there: %v\n%s", err, change.Diff())
			}
			if _, err := os.Stat(folder); (err == nil) != (c.folder != "" || c.used != "") {
				t.Errorf("the folder: %v", err)
			}
			if again := unwire(t, m); !again.Empty() {
				t.Errorf("unwiring twice changed\n%s", again.Diff())
			}
		})
	}
}

// originals are settings as people have them.
var originals = map[string]string{
	"an empty file":               "",
	"an empty object":             "{}",
	"an empty object with a line": "{}\n",
	"an empty object, spread":     "{\n}\n",
	"a space":                     "{ }\n",
	"other settings":              "{\n  \"model\": \"opus\",\n  \"env\": {\"A\": \"1\"}\n}\n",
	"no line break at the end":    "{\n  \"model\": \"opus\"\n}",
	"tabs":                        "{\n\t\"model\": \"opus\",\n\t\"hooks\": {\n\t\t\"Stop\": [\n\t\t\t{\n\t\t\t\t\"hooks\": []\n\t\t\t}\n\t\t]\n\t}\n}\n",
	"CRLF":                        "{\r\n    \"model\": \"opus\",\r\n    \"hooks\": {\r\n        \"Stop\": []\r\n    }\r\n}\r\n",
	"a byte order mark":           "\xef\xbb\xbf{\r\n  \"model\": \"opus\"\r\n}\r\n",
	"one line":                    `{"model":"opus","env":{"A":"1"}}`,
	"one line with spaces":        `{"model": "opus", "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}}` + "\n",
	"no hooks yet":                "{\n  \"hooks\": {},\n  \"model\": \"opus\"\n}\n",
	"hooks of others": `{
  "hooks": {
    "PostToolUse": [
      {
        "matcher": "Edit|Write",
        "hooks": [ { "type": "command", "command": "gofmt -l ." } ]
      }
    ],
    "Notification": [{"hooks": [{"type": "command", "command": "notify-send hebb hook"}]}]
  },
  "model": "opus"
}
`,
	"comments": `// my settings
{
  // the model
  "model": "opus", /* large */
  "hooks": { // all of them
    "Stop": [
      // ring
      {"hooks": [{"type": "command", "command": "bell"}]} // bell
    ], // end of Stop
    "Notification": []
    // more to come  
  } // end of hooks
  // end
}
// behind
`,
	"commas at the end": "{\n  \"model\": \"opus\",\n  \"hooks\": {\n    \"Stop\": [\n      {\"hooks\": [],},\n    ],\n  },\n}\n",
	"odd bytes":         "{\n  \"a\": \"\\u00e9\\/\\ud83d \xff\",\n  \"n\": 1.0e+2\n}\n",
	"a comment only":    "{\n  // nothing yet\n}\n",
	"block comments":    `{"a":1 /* one */ , "b":2 /* two */}`,
}

func TestUnwiringRestoresEveryByte(t *testing.T) {
	for name, original := range originals {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t, "2.1.325")
			file := settingsOf(t, m, original)
			c := wire(t, m)
			if stateOf(t, m).State != Wired || !strings.Contains(c.Diff(), "+") {
				t.Errorf("not wired:\n%s", readFile(t, file))
			}
			if again := wire(t, m); !again.Empty() {
				t.Errorf("wiring twice changed\n%s", again.Diff())
			}
			if got := readFile(t, file+backupSuffix); got != original {
				t.Errorf("backup: %q", got)
			}
			unwire(t, m)
			if got := readFile(t, file); got != original {
				t.Errorf("got\n%q, want\n%q", got, original)
			}
			if entries, _ := os.ReadDir(filepath.Dir(file)); len(entries) != 1 {
				t.Errorf("left behind: %v", entries)
			}
			if again := unwire(t, m); !again.Empty() {
				t.Errorf("unwiring twice changed\n%s", again.Diff())
			}
		})
	}
}

func TestUnwiringWithoutTheBackupKeepsAllThatIsForeign(t *testing.T) {
	for name, original := range originals {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t, "2.1.325")
			file := settingsOf(t, m, original)
			wire(t, m)
			must.Do(t, os.Remove(file+backupSuffix))
			unwire(t, m)
			if slices.Contains([]string{"an empty file", "an empty object with a line", "an empty object, spread", "a space"}, name) {
				if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) { // as if hebb had made it
					t.Errorf("nothing was in it, and it is still there: %v", err)
				}
				return
			}
			if got := readFile(t, file); !equivalent(t, []byte(got), []byte(original)) {
				t.Errorf("got\n%s\nwant\n%s", got, original)
			} else if got != original && !slices.Contains([]string{"no hooks yet", "CRLF"}, name) {
				t.Errorf("got\n%q, want\n%q", got, original)
			}
		})
	}
}

func TestUnwiringKeepsWhatChangedSince(t *testing.T) {
	m := newMachine(t, "2.1.325")
	file := settingsOf(t, m, "{\n  \"model\": \"opus\"\n}\n")
	wire(t, m)
	settingsOf(t, m, strings.Replace(readFile(t, file), `"opus"`, `"sonnet"`, 1))
	unwire(t, m)
	if got := readFile(t, file); got != "{\n  \"model\": \"sonnet\"\n}\n" {
		t.Errorf("got %s", got)
	}
	if exists(file + backupSuffix) {
		t.Error("the backup was left behind")
	}
}

func TestOurOwnHooksAreRenewedAndNotDoubled(t *testing.T) {
	for name, entry := range map[string]string{
		"another path":           `{"hooks":[{"type":"command","command":"/old/hebb-v0.1 hook claude"}]}`,
		"exec form":              `{"hooks":[{"type":"command","command":"hebb","args":["hook","claude"],"timeout":5,"async":true}]}`,
		"a quoted path":          `{"matcher":"","hooks":[{"type":"command","command":"\"/my apps/hebb.exe\" hook claude-code"}]}`,
		"onFailure":              `{"hooks":[{"type":"command","command":"/opt/hebb/bin/hebb hook claude-code","onFailure":"block"}]}`,
		"a narrow matcher":       `{"matcher":"Read|Edit","hooks":[{"type":"command","command":"/opt/hebb/bin/hebb hook claude-code","timeout":5,"async":true}]}`,
		"twice":                  `{"hooks":[{"type":"command","command":"hebb hook auto"},{"type":"command","command":"hebb hook claude"}]}`,
		"beside another's":       `{"hooks":[{"type":"command","command":"true"},{"type":"command","command":"hebb hook claude"}]}`,
		"an event of older days": `{"hooks":[{"type":"command","command":"hebb hook claude"}]}],"Notification":[{"hooks":[{"type":"command","command":"hebb hook claude"}]}`,
		"a matcher is missing":   `{"hooks":[{"type":"command","command":"hebb hook claude"}]}],"PreToolUse":[{"hooks":[{"type":"command","command":"hebb hook claude"}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t, "2.1.325")
			file := settingsOf(t, m, `{"hooks":{"PostToolUse":[`+entry+`]}}`)
			if w := stateOf(t, m); w.State != Partly {
				t.Errorf("before: %+v", w)
			}
			wire(t, m)
			got := readFile(t, file)
			if n := strings.Count(got, "hebb hook "); n != 11 || strings.Count(got, program+" hook claude-code") != 11 ||
				strings.Contains(got, "onFailure") || strings.Contains(got, "Notification") {
				t.Errorf("%d entries in %s", n, got)
			}
			if w := stateOf(t, m); w.State != Wired {
				t.Errorf("after: %+v", w)
			}
			unwire(t, m)
			if got := readFile(t, file); strings.Contains(got, "hebb") || strings.Contains(got, "true") != (name == "beside another's") {
				t.Errorf("unwired: %s", got)
			}
		})
	}
}

func TestVariablesInFrontOfTheCommandStay(t *testing.T) {
	m := newMachine(t, "2.1.325")
	file := settingsOf(t, m, `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"HEBB_DATA='/my data' hebb hook claude"}]}]}}`)
	wire(t, m)
	if got := readFile(t, file); !strings.Contains(got, `"HEBB_DATA='/my data' /opt/hebb/bin/hebb hook claude-code"`) {
		t.Errorf("got %s", got)
	}
}

// equivalent reports whether two settings of Claude Code say the same, apart from white space and empty lists of hooks.
func equivalent(t *testing.T, a, b []byte) bool {
	t.Helper()
	values := [2]map[string]any{}
	comments := [2][]string{}
	for i, source := range [][]byte{a, b} {
		d := must.Get(parseDocument(source))(t)
		values[i], _ = plain(d.root).(map[string]any)
		hooks, _ := values[i]["hooks"].(map[string]any)
		maps.DeleteFunc(hooks, func(_ string, list any) bool { return reflect.DeepEqual(list, []any{}) })
		if hooks != nil && len(hooks) == 0 {
			delete(values[i], "hooks")
		}
		text := bytes.Clone(d.root.Pack())
		d.root.Standardize()
		for k, c := range d.root.Pack() {
			if c == text[k] || text[k] == ',' {
				text[k] = ' '
			}
		}
		comments[i] = strings.Fields(string(text))
		slices.Sort(comments[i])
	}
	return reflect.DeepEqual(values[0], values[1]) && slices.Equal(comments[0], comments[1])
}

// FuzzWire checks that wiring and unwiring never lose what is not ours, whatever the file looks like.
func FuzzWire(f *testing.F) {
	for _, original := range originals {
		f.Add([]byte(original))
	}
	hooks := jsonFile{[]jsonStep{hooksEdit{}}}
	j := job{settings: &claudeSettings, version: claudeSettings.modern, program: program}
	f.Fuzz(func(t *testing.T, source []byte) {
		edited := func(from []byte, edit func([]byte, job) ([]byte, report, error)) ([]byte, bool) {
			out, _, err := edit(from, j)
			if err != nil && !errors.Is(err, memory.ErrInvalid) {
				t.Fatalf("%q: %v", from, err)
			}
			return out, err == nil
		}
		bare, ok := edited(source, hooks.take)
		if !ok {
			return
		}
		wired, ok := edited(bare, hooks.put)
		if !ok {
			return
		}
		if again, ok := edited(wired, hooks.put); !ok || string(again) != string(wired) {
			t.Fatalf("wiring twice: %q", again)
		}
		if back, ok := edited(wired, hooks.take); !ok || !equivalent(t, back, bare) {
			t.Fatalf("%q became %q", bare, back)
		}
	})
}
