package wiring

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/memory"
)

var codexServer = tomlFile{[]string{"mcp_servers", "hebb"}}

func TestATableIsAddedToTOMLAndNothingElseChanges(t *testing.T) {
	t.Parallel()
	const table = "[mcp_servers.hebb]\ncommand = \"/opt/hebb/bin/hebb\"\nargs = [\"mcp\"]\n"
	for _, c := range []struct{ name, source, want string }{
		{"nothing", "", table},
		{"a line", "a = 1\n", "a = 1\n\n" + table},
		{"no line break at the end", "a = 1", "a = 1\n\n" + table},
		{"line breaks of Windows", "a = 1\r\n", "a = 1\r\n\r\n" + strings.ReplaceAll(table, "\n", "\r\n")},
		{"what looks like a table", "a = '''\n[mcp_servers.hebb]\n'''\n", "a = '''\n[mcp_servers.hebb]\n'''\n\n" + table},
		{"a table around it", "[mcp_servers]\n", "[mcp_servers]\n\n" + table},
		{"ours already", "x = 1\n" + table + "[y]\n", "x = 1\n" + table + "[y]\n"},
		{
			"ours, elsewhere", "[mcp_servers.hebb]\nargs = [\"mcp\"]\n  \"command\"   =   'C:\\hebb.exe'  # moved\nenabled = false\n",
			"[mcp_servers.hebb]\nargs = [\"mcp\"]\n  \"command\"   =   \"/opt/hebb/bin/hebb\"  # moved\nenabled = false\n",
		},
		{
			"ours, with dots", "mcp_servers.hebb.command = \"hebb\"\nmcp_servers.hebb.args = [\"mcp\"]\n",
			"mcp_servers.hebb.command = \"/opt/hebb/bin/hebb\"\nmcp_servers.hebb.args = [\"mcp\"]\n",
		},
	} {
		got, _, err := codexServer.put([]byte(c.source), job{program: program})
		if err != nil || string(got) != c.want {
			t.Errorf("%s: got %q, %v", c.name, got, err)
		}
	}
}

func TestATableIsTakenOutOfTOMLWithAllThatIsBelowIt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, source, want string }{
		{"not there", "a = 1\n", "a = 1\n"},
		{"between others", "[a]\nx = 1\n\n[mcp_servers.hebb]\ncommand = \"hebb\"\nargs = [\"mcp\"]\n\n[b]\ny = 2\n", "[a]\nx = 1\n\n[b]\ny = 2\n"},
		{
			"with a table below, and another's between", "[mcp_servers.hebb]\ncommand = \"hebb\"\nargs = [\n  \"mcp\", # ours\n]\n\n[z]\n\n[mcp_servers.hebb.env]\nA = \"1\"\n# end\n",
			"\n[z]\n# end\n",
		},
		{"with dots", "a = 1\nmcp_servers.hebb.command = \"hebb\"\nmcp_servers.hebb.args = [\"mcp\"]\nb = 2\n", "a = 1\nb = 2\n"},
		{"on one line", "[mcp_servers]\nhebb = { command = \"hebb\", args = [\"mcp\"] }\n", "[mcp_servers]\n"},
		{"somebody else's", "[mcp_servers.hebb]\ncommand = \"node\"\n", "[mcp_servers.hebb]\ncommand = \"node\"\n"},
	} {
		got, _, err := codexServer.take([]byte(c.source), job{})
		if err != nil || string(got) != c.want {
			t.Errorf("%s: got %q, %v", c.name, got, err)
		}
	}
}

func TestWhatCannotBeEditedInTOMLIsNamedWithTheLine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, source, want string }{
		{"broken", "a = 1\nb = = 2\n", "line 2, column 5"},
		{"a key twice", "a = 1\na = 2\n", "line 2"},
		{"no table", "x = 1\n[mcp_servers]\nhebb = 1\n", "line 3: mcp_servers.hebb must be a table"},
		{"on one line and moved", "\n[mcp_servers]\nhebb = { command = \"/old/hebb\", args = [\"mcp\"] }\n", "line 3: mcp_servers.hebb calls /old/hebb"},
		{"inside a closed table", "mcp_servers = { other = { command = \"x\" } }\n", "line 1: mcp_servers stands on one line"},
	} {
		_, _, err := codexServer.put([]byte(c.source), job{program: program})
		if err == nil || !strings.Contains(err.Error(), c.want) || !errors.Is(err, memory.ErrInvalid) && !errors.Is(err, memory.ErrRefused) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// pieces of TOML that can follow each other in any order.
var tomlPieces = []string{
	"[t%d]\n", "[[list]]\nn = %d\n", "[[hooks]]\nevent = \"Stop\"\ncommand = \"bell %d\"\n", "[mcp_servers.s%d]\ncommand = \"hebb\"\n", "# comment %d\n", "\n", "  \n", "[\"q.%d\" . 'x']\nk = 1\n",
	"[u%d]\nmulti = \"\"\"\n[mcp_servers.hebb]\ncommand = 1 \"\"\"\n", "[v%d]\narray = [ # one\n  1, {a = \"]\"},\n] # behind\n",
	"[w%d]\n\"a=b\" = 'c = d' # = e\n", "[x%d]\nd = 1979-05-27T07:32:00Z\nf = 1e3\n\tg = true\n", "[y%d]\r\nz = 1\r\n",
}

func TestWhateverTheTOMLTheServerGoesInAndOutAgain(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		var b strings.Builder
		for i := range r.IntN(8) {
			b.WriteString(strings.Replace(tomlPieces[r.IntN(len(tomlPieces))], "%d", string(rune('a'+i)), 1))
		}
		source := strings.ReplaceAll(b.String(), "n = a", "n = 1")
		if r.IntN(4) == 0 {
			source = strings.TrimSuffix(source, "\n")
		}
		checkTOML(t, []byte(source))
	}
}

// checkTOML puts the server or the hooks in, again, moves them and takes them out. What cannot be parsed is left alone.
func checkTOML(t *testing.T, source []byte) {
	t.Helper()
	for _, edit := range []editor{codexServer, tomlHooks{}} {
		checkEditor(t, edit, source)
	}
}

func checkEditor(t *testing.T, edit editor, source []byte) {
	t.Helper()
	of := func(program string) job { return job{settings: &kimiSettings, program: program} }
	bare, _, err := edit.take(source, of(""))
	if err != nil {
		if !errors.Is(err, memory.ErrInvalid) && !errors.Is(err, memory.ErrRefused) {
			t.Fatalf("%q: %v", source, err)
		}
		return
	}
	with, _, err := edit.put(bare, of(program))
	if err != nil {
		if !errors.Is(err, memory.ErrInvalid) && !errors.Is(err, memory.ErrRefused) {
			t.Fatalf("%q: %v", bare, err)
		}
		return
	}
	if again, _, err := edit.put(with, of(program)); err != nil || string(again) != string(with) {
		t.Fatalf("%q, twice: %q, %v", bare, again, err)
	}
	moved, _, err := edit.put(with, of(`/else "where/hebb`))
	if err != nil {
		t.Fatalf("%q, moved: %v", with, err)
	}
	back, _, err := edit.take(moved, of(""))
	if err != nil || strings.TrimRight(string(back), "\r\n") != strings.TrimRight(string(bare), "\r\n") {
		t.Fatalf("%q became %q, %v", bare, back, err)
	}
}

func TestHooksInTOMLAreRenewedAndOthersStay(t *testing.T) {
	t.Parallel()
	const bell = "[[hooks]]\nevent = \"Stop\"\ncommand = \"bell\" # ring\n"
	hook := func(event, command, rest string) string {
		return "\n[[hooks]]\nevent = \"" + event + "\"\ncommand = " + command + "\n" + rest
	}
	only := settings{agent: agent.Kimi, hooks: []hookRule{{event: "Stop"}}}
	const call = `"/opt/hebb/bin/hebb hook kimi"`
	ours := hook("Stop", call, "timeout = 5\n")
	for _, c := range []struct{ name, source, want string }{
		{"nothing", "", strings.TrimPrefix(ours, "\n")},
		{"beside another's", bell, bell + ours},
		{"hebb has moved, and the person waits longer", bell + hook("Stop", "'/old/hebb hook kimi'   # ours", "timeout = 9\n"), bell + hook("Stop", call+"   # ours", "timeout = 9\n")},
		{"a variable in front of it", hook("Stop", `"HEBB_HOME=/x /old/hebb hook kimi"`, ""), hook("Stop", `"HEBB_HOME=/x /opt/hebb/bin/hebb hook kimi"`, "")},
		{"twice", bell + ours + ours, bell + ours},
		{"for some tools only", hook("Stop", call, "matcher = \"Bash\"\n") + "[x]\n", "[x]\n" + ours},
		{"an event that is not wanted", hook("PreToolUse", call, "") + "# mine\n", "# mine\n" + ours},
	} {
		got, _, err := tomlHooks{}.put([]byte(c.source), job{settings: &only, program: program})
		if err != nil || string(got) != c.want {
			t.Errorf("%s: got %q, %v", c.name, got, err)
		}
	}
	for _, c := range []struct{ name, source, want string }{
		{"a list on one line", "a = 1\nhooks = [{ event = \"Stop\", command = \"bell\" }]\n", "line 2: hebb edits hooks only where each is a table [[hooks]]"},
		{"no list", "\n[hooks]\nStop = \"bell\"\n", "line 2: hebb edits hooks only where each is a table [[hooks]]"},
	} {
		if _, _, err := (tomlHooks{}).put([]byte(c.source), job{settings: &only, program: program}); !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
		if got, _, err := (tomlHooks{}).take([]byte(c.source), job{settings: &only}); err != nil || string(got) != c.source {
			t.Errorf("%s, taken out: %q, %v", c.name, got, err)
		}
	}
	inLine := []byte("hooks = [{ event = \"Stop\", command = \"hebb hook kimi\" }]\n")
	if _, _, err := (tomlHooks{}).take(inLine, job{settings: &only}); !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), "by hand") {
		t.Errorf("ours on one line: %v", err)
	}
}

// FuzzTOML checks that nothing that is not ours is ever lost, whatever the file looks like.
func FuzzTOML(f *testing.F) {
	for _, piece := range tomlPieces {
		f.Add([]byte(strings.Replace(piece, "%d", "1", 1)))
	}
	f.Add([]byte(foreign[agent.Codex][".codex/config.toml"]))
	f.Add([]byte(foreign[agent.Kimi][".kimi-code/config.toml"]))
	f.Fuzz(func(t *testing.T, source []byte) { checkTOML(t, source) })
}

func TestASnippetIsKeptBetweenItsMarks(t *testing.T) {
	t.Parallel()
	var f snippetFile
	block := snippetBegin + "\n" + snippetText + snippetEnd + "\n"
	for _, c := range []struct{ name, source, want string }{
		{"nothing", "", block},
		{"some text", "# A\n", "# A\n\n" + block},
		{"no line break at the end", "# A", "# A\n\n" + block},
		{"old words", "# A\n\n" + snippetBegin + "\nold\n" + snippetEnd + "\n\n# B\n", "# A\n\n" + block + "\n# B\n"},
		{"old words at the very end", snippetBegin + "\nold\n" + snippetEnd, strings.TrimSuffix(block, "\n")},
	} {
		got, _, err := f.put([]byte(c.source), job{})
		if err != nil || string(got) != c.want {
			t.Errorf("%s: got %q, %v", c.name, got, err)
		}
		if back, _, err := f.take(got, job{}); err != nil || strings.Contains(string(back), "hebb") {
			t.Errorf("%s: back %q, %v", c.name, back, err)
		}
	}
	for _, broken := range []string{"a\n" + snippetBegin, "a\n" + snippetEnd, "a\n" + snippetEnd + snippetBegin, snippetBegin + snippetEnd + "\n" + snippetBegin} {
		if _, _, err := f.put([]byte(broken), job{}); !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%q: %v", broken, err)
		}
	}
}
