package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
)

var now = time.Date(2026, 11, 15, 8, 30, 0, 0, time.UTC)

// world is a command line without files: everything it touches is in memory, and the data folder is refused.
func world(args ...string) (*app, *bytes.Buffer, *bytes.Buffer) {
	var out, err bytes.Buffer
	return &app{Env: Env{
		Args: args, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &err, Dir: "/", Program: "/usr/bin/hebb",
		Getenv: func(string) string { return "" }, Now: func() time.Time { return now },
	}}, &out, &err
}

// Every command says what it is for, shows how, answers --help, and stands in a group if it is at the top.
func TestEveryCommandHasHelp(t *testing.T) {
	a, _, _ := world()
	var paths [][]string
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		paths = append(paths, strings.Fields(c.CommandPath())[1:])
		if c.Short == "" || !c.Hidden && c.Example == "" && c.Long == "" {
			t.Errorf("%s: Short %q, Long %q, Example %q", c.CommandPath(), c.Short, c.Long, c.Example)
		}
		if strings.HasSuffix(c.Short, ".") {
			t.Errorf("%s: Short is a title and ends without a full stop", c.CommandPath())
		}
		if c.Parent() == c.Root() && c.GroupID == "" && !c.Hidden && !slices.Contains([]string{"help", "daemon", "version", "upgrade", "completion"}, c.Name()) {
			t.Errorf("%s is in no group", c.CommandPath())
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(a.root(nil))
	if len(paths) < 20 {
		t.Fatalf("only %d commands", len(paths))
	}
	for _, path := range paths {
		args := append(path, "--help")
		b, out, stderr := world(args...)
		if code := Main(b.Env); code != 0 || !strings.Contains(out.String(), "Usage:") || stderr.Len() > 0 {
			t.Errorf("hebb %s exits %d: %s%s", strings.Join(args, " "), code, out, stderr)
		}
		help, _, _ := strings.Cut(out.String(), "\nExamples:") // a line to be copied stays whole
		for line := range strings.SplitSeq(help, "\n") {
			if n := visibleWidth(line); n > helpWidth && !strings.HasPrefix(line, "  ") {
				t.Errorf("hebb %s: a line of %d columns: %s", strings.Join(args, " "), n, line)
			}
		}
		_, flags, _ := strings.Cut(out.String(), "\nFlags:")
		for line := range strings.SplitSeq(flags, "\n") {
			if n := visibleWidth(line); n > helpWidth {
				t.Errorf("hebb %s: a line of %d columns: %s", strings.Join(args, " "), n, line)
			}
		}
	}
}

func TestEveryWrongUseNamesTheHelpOfItsCommand(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"stauts":                  "hebb",
		"pin":                     "hebb pin",
		"goals add":               "hebb goals add",
		"goals --nowhere":         "hebb goals",
		"state skills add -5":     "hebb state skills add",
		"sessions events extra":   "hebb sessions events",
		"forget":                  "hebb forget",
		"record":                  "hebb record",
		"sessions events --kind=": "hebb sessions events",
	} {
		a, _, stderr := world(strings.Fields(args)...)
		if code := Main(a.Env); code != exitUsage || !strings.HasSuffix(stderr.String(), "\n      "+want+" --help shows how\n") {
			t.Errorf("hebb %s exits %d: %s", args, code, stderr)
		}
	}
}

func TestExitCodes(t *testing.T) {
	interrupted, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range []struct {
		ctx  context.Context
		err  error
		want int
	}{
		{t.Context(), errors.New("any"), 1},
		{t.Context(), usageError{errors.New("flag")}, 2},
		{t.Context(), fmt.Errorf("x: %w", memory.ErrInvalid), 2},
		{t.Context(), fmt.Errorf("x: %w", memory.ErrNotFound), 3},
		{t.Context(), fmt.Errorf("x: %w", memory.ErrConflict), 4},
		{t.Context(), fmt.Errorf("x: %w", memory.ErrRefused), 5},
		{t.Context(), fmt.Errorf("x: %w", memory.ErrDamaged), 6},
		{interrupted, fmt.Errorf("x: %w", memory.ErrDamaged), 130},
	} {
		if got := exitCode(c.ctx, c.err); got != c.want {
			t.Errorf("exit code of %v is %d, want %d", c.err, got, c.want)
		}
	}
}

func TestErrorsAreSafeToShow(t *testing.T) {
	a, _, stderr := world("status")
	a.fail(errors.New("file \x1b[2J\u202e is gone"), 1)
	if got := stderr.String(); got != "hebb: file \\u{1b}[2J\\u{202e} is gone\n" {
		t.Errorf("said %q", got)
	}
}

func TestColours(t *testing.T) {
	for _, c := range []struct {
		name          string
		change        func(*app)
		stdout, other bool
	}{
		{"a terminal", func(*app) {}, true, true},
		{"no terminal", func(a *app) { a.Width, a.ErrWidth = 0, 0 }, false, false},
		{"errors into a file", func(a *app) { a.ErrWidth = 0 }, true, false},
		{"output into a file", func(a *app) { a.Width = 0 }, false, true},
		{"--no-color", func(a *app) { a.noColor = true }, false, false},
		{"--json", func(a *app) { a.json = true }, false, false},
		{"NO_COLOR=1", func(a *app) { a.Getenv = only("NO_COLOR", "1") }, false, false},
		{"TERM=dumb", func(a *app) { a.Getenv = only("TERM", "dumb") }, false, false},
	} {
		a, _, _ := world()
		a.Width, a.ErrWidth = 80, 80
		c.change(a)
		for w, want := range map[any]bool{a.Stdout: c.stdout, a.Stderr: c.other} {
			painted := a.style(w.(*bytes.Buffer)).red("x") != "x"
			if painted != want {
				t.Errorf("%s: stdout %v: painted %v, want %v", c.name, w == a.Stdout, painted, want)
			}
		}
	}
}

func only(name, value string) func(string) string {
	return func(asked string) string {
		if asked == name {
			return value
		}
		return ""
	}
}

func TestTable(t *testing.T) {
	rows := [][]any{{1, "日本語", "short"}, {"1200", "b", "a longer text that does not fit\nand has two lines \x1b[2J"}}
	for _, c := range []struct {
		width int
		want  string
	}{
		{0, "  COUNT  NAME    WHAT\n      1  日本語  short\n   1200  b       a longer text that does not fit and has two lines \\u{1b}[2J\n"},
		{30, "  COUNT  NAME    WHAT\n      1  日本語  short\n   1200  b       a longer tex…\n"},
	} {
		p := &page{width: c.width, now: now}
		tableOf(p, "COUNT>, NAME, WHAT~", rows, func(row []any) []any { return row })
		if got := p.b.String(); got != c.want {
			t.Errorf("width %d:\n%s\nwant\n%s", c.width, got, c.want)
		}
		for line := range strings.Lines(p.b.String()) {
			if n := visibleWidth(strings.TrimSuffix(line, "\n")); c.width > 0 && n > c.width {
				t.Errorf("%q takes %d columns of %d", line, n, c.width)
			}
		}
	}
}

func TestTwoNamesNeverLookTheSame(t *testing.T) {
	names := []string{
		"a b", "a  b", "a\tb", "a\nb", "a\r\nb", "a\\nb", " a b", "a b ", "ab", "a\x1b[31mb", "a\x1b[0mb", `a\x1b[31mb`,
		`"a\x1b[31mb"`, "a\u200bb", `a\u{200b}b`, "a\u202eb", "a\x00b", "a\u3164b", "a\ufffdb", "a\xffb", `"a b"`, `"a  b"`, `"a \x20b"`, "",
	}
	seen := map[string]string{}
	for _, name := range names {
		p := &page{now: now}
		tableOf(p, "NAME, COUNT>", []string{name}, func(name string) []any { return []any{name, 1} })
		_, shown, _ := strings.Cut(p.b.String(), "\n")
		if other, ok := seen[shown]; ok {
			t.Errorf("%q and %q both look like %q", name, other, shown)
		}
		seen[shown] = name
		if strings.ContainsAny(strings.TrimSuffix(shown, "\n"), "\x1b\x00\n\r\t\u200b\u202e\u3164") {
			t.Errorf("%q is not safe: %q", name, shown)
		}
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		text string
		room int
		want string
	}{
		{"whole", 5, "whole"}, {"longer", 5, "long…"}, {"日本語", 6, "日本語"}, {"日本語", 5, "日本…"}, {"日本語", 4, "日…"},
		{"no room", 1, "no room"}, {"e\u0301e\u0301e\u0301", 2, "e\u0301…"},
	} {
		p := &page{width: 80}
		if got := p.cut(c.text, c.room); got != c.want {
			t.Errorf("%q cut to %d is %q, want %q", c.text, c.room, got, c.want)
		}
	}
	if got := (&page{}).cut("not on a terminal", 3); got != "not on a terminal" {
		t.Errorf("cut without a terminal: %q", got)
	}
}

func TestAgo(t *testing.T) {
	for _, c := range []struct {
		at   time.Time
		want string
	}{
		{time.Time{}, "–"}, {now, "now"}, {now.Add(30 * time.Second), "now"}, {now.Add(-59 * time.Second), "now"},
		{now.Add(-time.Minute), "1 min"}, {now.Add(-59*time.Minute - 59*time.Second), "59 min"}, {now.Add(-time.Hour), "1 h"},
		{now.Add(-47 * time.Hour), "47 h"}, {now.Add(-48 * time.Hour), "2 d"}, {now.AddDate(0, 0, -59), "59 d"},
		{now.AddDate(0, 0, -60).In(time.Local), now.AddDate(0, 0, -60).Local().Format("2006-01-02")},
		{now.AddDate(10, 0, 0), now.AddDate(10, 0, 0).Local().Format("2006-01-02")},
	} {
		if got := (&page{now: now}).ago(c.at); got != c.want {
			t.Errorf("ago of %v is %q, want %q", c.at, got, c.want)
		}
	}
}

func TestParseTime(t *testing.T) {
	for text, want := range map[string]time.Time{
		"": {}, "now": now, "90m": now.Add(-90 * time.Minute), "1h30m": now.Add(-90 * time.Minute), "2d": now.Add(-48 * time.Hour),
		"0.5d": now.Add(-12 * time.Hour), " 2d ": now.Add(-48 * time.Hour), "2026-11-15": time.Date(2026, 11, 15, 0, 0, 0, 0, time.Local),
		"2026-11-15T08:30": time.Date(2026, 11, 15, 8, 30, 0, 0, time.Local), "2026-11-15T08:30:00Z": now,
		"2026-11-15 08:30": time.Date(2026, 11, 15, 8, 30, 0, 0, time.Local),
		"today":            time.Date(2026, 11, 15, 0, 0, 0, 0, time.Local), "yesterday": time.Date(2026, 11, 14, 0, 0, 0, 0, time.Local),
		"2026-11": time.Date(2026, 11, 1, 0, 0, 0, 0, time.Local), "2026": time.Date(2026, 1, 1, 0, 0, 0, 0, time.Local),
	} {
		var got time.Time
		if err := (&moment{now: func() time.Time { return now }, to: &got}).Set(text); err != nil || !got.Equal(want) {
			t.Errorf("%q is %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"-2d", "-1h", "2xd", "d", "nand", "infd", "1e300d", "2026-13-01", "15.11.2026", "12"} {
		a, _, stderr := world("events", "--since="+text)
		if code := Main(a.Env); code != exitUsage || !strings.Contains(stderr.String(), "--since "+text+": want") {
			t.Errorf("%q exits %d: %s", text, code, stderr)
		}
	}
}

func TestNumbers(t *testing.T) {
	for got, want := range map[string]string{
		count(1, "event", "events"): "1 event", count(0, "event", "events"): "0 events", count(9999, "event", "events"): "9999 events",
		count(int64(1234567), "event", "events"): "1 234 567 events", grouped(12345): "12 345", grouped(-12): "-12",
		size(1023): "1023 B", size(1536): "1.5 KB", size(3 << 20): "3.0 MB",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestJSONEscapesTerminalCodes(t *testing.T) {
	a, out, _ := world()
	const text = "esc \x1b[2J c1 \u009b2J del \x7f rlo \u202e tag \U000E0041 kept é日<>&"
	must.Do(t, a.printJSON(out, map[string]string{"text": text}))
	want := `"text": "esc \u001b[2J c1 \u009b2J del \u007f rlo \u202e tag \udb40\udc41 kept é日<>&"`
	if !strings.Contains(out.String(), want) {
		t.Errorf("printed %s, want %s", out, want)
	}
	var back map[string]string
	if err := json.Unmarshal(out.Bytes(), &back); err != nil || back["text"] != text {
		t.Errorf("read back %q, %v", back["text"], err)
	}
}

func TestEventsAreSentences(t *testing.T) {
	touches := []memory.Touch{{Path: "a.go"}, {Path: "b.go"}, {Path: "c.go"}}
	for _, c := range []struct {
		e    memory.Event
		want string
	}{
		{memory.Event{Kind: memory.SessionStarted}, "began a session"},
		{memory.Event{Kind: memory.Prompted, Text: "fix it"}, "was asked: fix it"},
		{memory.Event{Kind: memory.ToolUsed, Tool: "Edit", Touches: touches[:1]}, "used Edit on a.go"},
		{memory.Event{Kind: memory.ToolUsed, Tool: "Grep", Touches: touches, Input: "x"}, "used Grep on a.go and 2 more: x"},
		{memory.Event{Kind: memory.ToolFailed, Tool: "Bash", Input: "make", Text: "no rule"}, "failed with Bash: no rule"},
		{memory.Event{Kind: memory.Committed, Text: "begin", Touches: touches[:1]}, "committed on a.go: begin"},
		{memory.Event{Kind: "later"}, "later"},
	} {
		if got := happened(memory.StoredEvent{Event: c.e}); got != c.want {
			t.Errorf("%+v is %q, want %q", c.e, got, c.want)
		}
	}
}

func TestNotFoundNamesWhatListsTheNames(t *testing.T) {
	for text, want := range map[string]string{
		`session "zzz" (hebb sessions --all lists them)`:                                     `No session "zzz". List them: hebb sessions --all`,
		`"x.go" in this project (hebb graph neurons lists what is known)`:                    `No file "x.go" in this project. List them: hebb graph neurons`,
		`entity "Ada" (hebb graph knowledge lists them, hebb graph knowledge add makes one)`: `No entity "Ada". List them: hebb graph knowledge`,
		`state 12 (hebb state list shows those that are kept)`:                               `No state 12. List them: hebb state list`,
		`no waiting pin "x" (hebb pin list --waiting lists them)`:                            `No waiting pin "x". List them: hebb pin list --waiting`,
	} {
		if got := message(fmt.Errorf("%s: %w", text, memory.ErrNotFound), exitNotFound); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
