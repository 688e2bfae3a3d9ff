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
	"[t%d]\n", "[[list]]\nn = %d\n", "[mcp_servers.s%d]\ncommand = \"hebb\"\n", "# comment %d\n", "\n", "  \n", "[\"q.%d\" . 'x']\nk = 1\n",
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

// checkTOML puts the server in, again, moves it and takes it out. What cannot be parsed is left alone.
func checkTOML(t *testing.T, source []byte) {
	t.Helper()
	bare, _, err := codexServer.take(source, job{})
	if err != nil {
		if !errors.Is(err, memory.ErrInvalid) && !errors.Is(err, memory.ErrRefused) {
			t.Fatalf("%q: %v", source, err)
		}
		return
	}
	with, _, err := codexServer.put(bare, job{program: program})
	if err != nil {
		if !errors.Is(err, memory.ErrInvalid) && !errors.Is(err, memory.ErrRefused) {
			t.Fatalf("%q: %v", bare, err)
		}
		return
	}
	if again, _, err := codexServer.put(with, job{program: program}); err != nil || string(again) != string(with) {
		t.Fatalf("%q, twice: %q, %v", bare, again, err)
	}
	moved, _, err := codexServer.put(with, job{program: `/else "where/hebb`})
	if err != nil {
		t.Fatalf("%q, moved: %v", with, err)
	}
	back, _, err := codexServer.take(moved, job{})
	if err != nil || strings.TrimRight(string(back), "\r\n") != strings.TrimRight(string(bare), "\r\n") {
		t.Fatalf("%q became %q, %v", bare, back, err)
	}
}

// FuzzTOML checks that nothing that is not ours is ever lost, whatever the file looks like.
func FuzzTOML(f *testing.F) {
	for _, piece := range tomlPieces {
		f.Add([]byte(strings.Replace(piece, "%d", "1", 1)))
	}
	f.Add([]byte(foreign[agent.Codex][".codex/config.toml"]))
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
