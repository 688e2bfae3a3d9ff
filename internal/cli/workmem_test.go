package cli

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/ranking"
)

func TestTheTierOfAFileIsColouredAndMovesNoColumn(t *testing.T) {
	t.Parallel()
	out := ranking.HeatResult{
		Files: []ranking.HotFile{
			{Path: "src/auth.go", Heat: 12.345, Tier: "hot", Touches: 9, LastAt: now, Summary: "sessions", Note: "half moved"},
			{Path: "hot", Heat: 1.5, Tier: "warm", Touches: 2, LastAt: now.Add(-time.Hour), Summary: "named like a tier"},
			{Path: "a\nb.go", Heat: 0.01, Tier: "cold", Touches: 1, LastAt: now.Add(-72 * time.Hour)},
		},
		Clusters: []ranking.HotPair{{A: "hot", B: "src/auth.go", Sessions: 3, Weight: 0.4}},
	}
	plain := &page{now: now}
	heatPage(plain, out, false)
	want := strings.Join([]string{
		"  TIER   HEAT  TOUCHES  LAST  FILE         WHY",
		"  hot   12.35        9  now   src/auth.go  half moved",
		"  warm   1.50        2  1 h   hot          named like a tier",
		`  cold   0.01        1  3 d   "a\nb.go"`,
		"",
		"Together",
		"  hot ↔ src/auth.go  in 3 sessions, weight 0.40",
		"",
	}, "\n")
	if got := plain.b.String(); got != want {
		t.Errorf("the table is\n%s\nwant\n%s", got, want)
	}
	coloured := &page{now: now, style: true}
	heatPage(coloured, out, false)
	for _, tier := range []string{"\x1b[31mhot\x1b[0m ", "\x1b[33mwarm\x1b[0m ", "\x1b[2mcold\x1b[0m "} {
		if !strings.Contains(coloured.b.String(), "\n  "+tier) {
			t.Errorf("no line begins with %q:\n%s", tier, coloured.b.String())
		}
	}
	if got := uncoloured(coloured.b.String()); got != want {
		t.Errorf("without its colours the table is\n%s\nwant\n%s", got, want)
	}
}

// uncoloured takes the codes out that colour a text.
func uncoloured(text string) string {
	for _, code := range []string{"0", "1", "2", "31", "33", "36"} {
		text = strings.ReplaceAll(text, "\x1b["+code+"m", "")
	}
	return text
}

func TestParagraphsKeepLinesAndEscapeTerminalCodes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, label, text string
		width             int
		want              string
	}{
		{"lines stay lines", "", "one\n\ntwo", 0, "  one\n\n  two\n"},
		{"a label stands before the first", "Next:", "one\ntwo", 0, "  Next: one\n  two\n"},
		{"a terminal breaks at blanks", "", "one two three", 9, "  one two\n  three\n"},
		{"no code reaches the terminal", "", "a\x1b[31mb", 0, "  ab\n"},
	} {
		p := &page{width: c.width}
		p.paragraphs(c.label, c.text)
		if got := p.b.String(); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestSessionEntryShowsProjectAndAuthor(t *testing.T) {
	t.Parallel()
	s := memory.Session{
		ID: memory.NewSessionID(memory.AgentUser, "x", 7), Project: 7, Agent: "claude-code", LastEventAt: now,
		Happened: "moved it", Next: "revoke", SummaryBy: memory.OriginAgent,
	}
	p := &page{names: map[memory.ProjectID]string{7: "shop"}}
	entryPage(p, s)
	head := minute(now) + "  claude-code  shop  by agent  " + s.ID.String()
	if got, want := p.b.String(), head+"\n  moved it\n  Next: revoke\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	s.SummaryBy, s.Happened, s.Next = memory.OriginTool, "", ""
	p = &page{}
	entryPage(p, s)
	if got := p.b.String(); strings.Contains(got, "by rules") || !strings.HasSuffix(got, "\n  No summary.\n") {
		t.Errorf("an empty one, by rules, is %q", got)
	}
}

func TestTouchedFiles(t *testing.T) {
	t.Parallel()
	event := func(minutes int, touches ...memory.Touch) (e memory.StoredEvent) {
		e.At, e.Touches = now.Add(time.Duration(minutes)*time.Minute), touches
		return e
	}
	got := touchedFiles([]memory.StoredEvent{ // newest first, as they are listed
		event(3, memory.Touch{Kind: memory.Mention, Path: "c"}, memory.Touch{Kind: memory.Delete, Path: "d"}),
		event(2, memory.Touch{Kind: memory.Read, Path: "b"}, memory.Touch{Kind: memory.Edit, Path: "a"}),
		event(1, memory.Touch{Kind: memory.Edit, Path: "a"}, memory.Touch{Kind: memory.Read, Path: "a"}),
		event(0),
	})
	want := []sessionFile{
		{Path: "a", Edits: 2, Reads: 1, LastAt: now.Add(2 * time.Minute)},
		{Path: "d", Edits: 1, LastAt: now.Add(3 * time.Minute)},
		{Path: "b", Reads: 1, LastAt: now.Add(2 * time.Minute)},
		{Path: "c", Mentions: 1, LastAt: now.Add(3 * time.Minute)},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if none := touchedFiles(nil); none == nil || len(none) > 0 {
		t.Errorf("no events give %#v, want a list without files", none)
	}
}

func TestANoteNamesItsFileBeforeTheFirstEqualsSign(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pairs []string
		want  map[string]string
	}{
		{[]string{"a.go=x = y", "b.go=z"}, map[string]string{"a.go": "x = y", "b.go": "z"}},
		{nil, map[string]string{}},
		{[]string{"a.go"}, nil},
		{[]string{"=x"}, nil},
		{[]string{"a.go= "}, nil},
		{[]string{"a.go=x", "a.go=y"}, nil},
	} {
		got, err := fileNotes(c.pairs)
		var usage usageError
		if c.want == nil {
			if !errors.As(err, &usage) {
				t.Errorf("%q: error %v, want wrong use", c.pairs, err)
			}
			continue
		}
		if err != nil || len(got) != len(c.want) {
			t.Errorf("%q gives %q, %v", c.pairs, got, err)
		}
		for file, text := range c.want {
			if got[file] != text {
				t.Errorf("%q: %s is noted %q, want %q", c.pairs, file, got[file], text)
			}
		}
	}
}

func TestAnAgentThatRunsACommandIsItsSpeaker(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]memory.Origin{"1": memory.OriginAgent, "": memory.OriginUser, "0": memory.OriginUser} {
		a, _, _ := world()
		a.Getenv = func(name string) string {
			if name == "CLAUDECODE" {
				return value
			}
			return ""
		}
		if got := a.speaker(); got != want {
			t.Errorf("CLAUDECODE=%s: %s, want %s", value, got, want)
		}
	}
}

func TestPinsThatOutgrowTheirRoomAreWarnedOf(t *testing.T) {
	t.Parallel()
	for bytes, warned := range map[int]bool{1499: false, 1500: false, 1501: true} {
		a, _, stderr := world()
		a.checkRoom(bytes, 1500)
		if got := strings.Contains(stderr.String(), "hebb pin remove TITLE"); got != warned || !warned && stderr.Len() > 0 {
			t.Errorf("%d of 1500 bytes say %q", bytes, stderr)
		}
	}
}

func TestATextThatCannotBeKeptAsItIsIsRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	a, _, _ := world()
	a.Getenv = func(name string) string {
		if name == "HEBB_HOME" {
			return filepath.Join(dir, "home")
		}
		return ""
	}
	if got, err := a.wholeText(write("fine", "\ufeffa\r\nb")); err != nil || got != "\ufeffa\r\nb" {
		t.Errorf("a text is read as %q, %v", got, err)
	}
	for _, c := range []struct{ text, why string }{{"caf\xe9", "UTF-8"}, {strings.Repeat("a", 16<<20+1), "longer than"}} {
		if _, err := a.wholeText(write("odd", c.text)); !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), c.why) {
			t.Errorf("a text that is refused for %q: %v", c.why, err)
		}
	}
	if _, err := a.wholeText(filepath.Join(dir, "none")); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("no file: %v", err)
	}
}
