package cli

import (
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/statements"
)

func TestChangesOfTheScribe(t *testing.T) {
	a, out, _ := world()
	line := func(text string) memory.Crystal {
		return memory.Crystal{ID: "01m7seza4nq3xg1t0nxbg3tyg9", Text: text, Line: &memory.Line{}}
	}
	list := []statements.LineChanges{{LineChange: statements.LineChange{At: now, Session: 7}, Lines: []statements.ChangedLine{
		{What: "added", Line: line("new")}, {What: "waiting", Line: line("odd\x1b")}, {What: "replaced", Line: line("better"), Old: "good"},
		{What: "retired", Line: line("past")}, {What: "gave way", Line: line("minor")},
	}}}
	if err := a.show(list, func(p *page) { a.changesPage(p, list) }); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"  1  + new\n", "  2  ? odd", " (waits)\n", "  3  ~ good → better\n", "  4  - past (over)\n", "  5  - minor (gave way)\n", "hebb memories undo " + memory.SessionID(7).String()} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in:\n%s", want, out)
		}
	}
	if strings.Contains(out.String(), "\x1b") {
		t.Errorf("control characters: %q", out)
	}
}

func TestWhatIsToldFitsOnAScreen(t *testing.T) {
	a, out, _ := world()
	a.Width = 60
	told := answer.ToldResult{Text: "hebb remembers:\n" + strings.Repeat("- x\n", 40), Changed: 1}
	for _, text := range []string{"first", strings.Repeat("long ", 30)} {
		told.Text += "- " + text + "\n"
		told.Lines = append(told.Lines, answer.ToldLine{Crystal: memory.Crystal{Text: text, Origin: memory.OriginAgent, SaidAt: now.Add(-24 * time.Hour)}, Shown: "- " + text, Agent: "claude-code"})
	}
	for _, brief := range []bool{true, false} {
		out.Reset()
		if err := a.show(told, func(p *page) { a.toldPage(p, told, brief) }); err != nil {
			t.Fatal(err)
		}
		if lines := strings.Count(out.String(), "\n"); brief == (lines > 20) {
			t.Errorf("briefly %t: %d lines:\n%s", brief, lines, out)
		}
		if shown := strings.Contains(out.String(), "  1  first"); shown == brief || !strings.Contains(out.String(), "The scribe changed 1 line since you looked") {
			t.Errorf("briefly %t:\n%s", brief, out)
		}
	}
}

func TestNumbersBelongToTheProjectInWhichTheyWereShown(t *testing.T) {
	getenv, here, elsewhere := only(config.EnvHome, t.TempDir()), t.TempDir(), t.TempDir()
	for _, c := range []struct {
		dir, args string
		code      int
		says      string
	}{
		{here, "remember --kind rule never push to main", 0, "Remembered"},
		{here, "memories", 0, "  1  "},
		{elsewhere, "memories", 0, "Nothing is remembered here yet"},
		{elsewhere, "memories drop 1", 3, "number 1: no list with numbers was shown in this project"},
		{elsewhere, "memories edit 1 push", 3, "number 1: no list"},
		{elsewhere, "memories show 1", 3, "number 1: no list"},
		{elsewhere, "memories forget 1 --yes", 3, "number 1: no list"},
		{elsewhere, "memories check 1 --wrong", 3, "number 1: no list"},
		{elsewhere, "remember --replaces 1 push", 3, "number 1: no list"},
		{elsewhere, "why 1", 3, "number 1: no list"},
		{here, "memories keep 0", 3, "number 0: the last list in this project had 1 to 1"},
		{here, "memories keep 007", 3, "number 007: the last list in this project had 1 to 1"},
		{here, "why 0", 3, "number 0: the last list"},
		{here, "why 1", 0, "never push to main"},
		{here, "why main", 0, "never push to main"},
		{here, "why Push", 0, "never push to main"},
		{here, "memories drop 1", 0, "Rejected: never push to main"},
	} {
		a, out, stderr := world(strings.Fields(c.args)...)
		a.Getenv, a.Dir = getenv, c.dir
		if code := Main(a.Env); code != c.code || !strings.Contains(out.String()+stderr.String(), c.says) {
			t.Errorf("hebb %s exits %d, says %s%s; want %d, %q", c.args, code, stderr, out, c.code, c.says)
		}
	}
}

func TestTheBeginningOfWhatIsToldEndsWithAWholeLine(t *testing.T) {
	const first = "hebb remembers:\n"
	ten := strings.Repeat("- x\n", 10)
	for _, c := range []struct {
		text, last, note string
		waiting          int
	}{
		{first + ten, "- x", "", 0},
		{first + ten, "- x", "2 lines wait for you: hebb memories shows all", 2},
		{first + ten + "\n### Decided\n- y\n- z\n", "- x", "2 more lines: hebb memories shows all", 0},
		{first + ten + "- y\n- long\n  longer\n- z\n", "- y", "2 more lines, 1 line waits for you: hebb memories shows all", 1},
		{first + ten + "- y\n- z\n### Decided\n", "- z", "", 0},
	} {
		a, out, _ := world()
		told := answer.ToldResult{Text: c.text, Waiting: make([]answer.ToldLine, c.waiting)}
		if err := a.show(told, func(p *page) { a.toldPage(p, told, true) }); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		note := ""
		if last := lines[len(lines)-1]; strings.Contains(last, "hebb memories") {
			note, lines = strings.TrimSpace(last), lines[:len(lines)-1]
		}
		if last := strings.TrimSpace(lines[len(lines)-1]); last != c.last || note != c.note {
			t.Errorf("%q ends with %q and %q, want %q and %q:\n%s", c.text, last, note, c.last, c.note, out)
		}
	}
}
