package statements_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/forget"
	"github.com/hebb-memory/hebb/internal/lines"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
)

// holding are the files of a memory that hold one of some texts.
func holding(t *testing.T, l *braintest.Lab, texts ...string) (found []string) {
	t.Helper()
	must.Do(t, filepath.WalkDir(l.Config.Dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		for _, text := range texts {
			if bytes.Contains(bytes.ToLower(data), []byte(strings.ToLower(text))) {
				found = append(found, filepath.Base(path)+": "+text)
			}
		}
		return err
	}))
	return found
}

func TestForgettingASessionForgetsItsLines(t *testing.T) {
	const (
		host  = "Deploys go through the walrus host"
		typed = "we always deploy through the walrus host"
		port  = "The deploy host listens on the heron port"
		heard = "the heron port answers, the others are closed"
		newer = "Deploys go through the new host"
	)
	l := braintest.NewLab(t)
	l.See(1, learned(l, "one")...)
	must.Get(reads(t, l, func(string) any {
		return lines.Answer{Add: []lines.Line{{Kind: lines.Cause, Text: assets, Quote: assetsQuote, When: []string{"mix test"}}}}
	}))(t)
	before := page(t, l)[assets]
	l.See(10, l.Prompt("two", typed+", fix it"), failed(l, "two", "mix test", "manifest not found"), says(l, "two", "Fixed: "+heard+"."), l.Ends("two"))
	must.Get(reads(t, l, func(string) any {
		return lines.Answer{Again: []string{"L1"}, Add: []lines.Line{{Kind: lines.Decision, Text: host, Quote: typed}, {Kind: lines.Fact, Text: port, Quote: heard}}}
	}))(t)
	l.See(20, l.Prompt("three", "from now on deploys go through the new host, change it"), l.Opens("three", memory.Edit, "mix.exs"), l.Ends("three"))
	must.Get(reads(t, l, func(question string) any {
		for i := 1; i <= 3; i++ {
			if id := fmt.Sprint("L", i); strings.Contains(question, `"id":"`+id+`","kind":"decision"`) {
				return lines.Answer{Replace: []lines.Replacement{{ID: id, Line: lines.Line{Kind: lines.Decision, Text: newer, Quote: "deploys go through the new host"}}}}
			}
		}
		return errors.New("the line is not shown")
	}))(t)
	now := page(t, l)
	if len(now) != 3 || now[assets].Line.Seen != 2 || now[newer].Line.Seen != 2 || now[port].ID == "" {
		t.Fatalf("the page: %+v", now)
	}
	receipt := l.Say("four", 40, memory.Suggested, `[{"offer":"memory","memory":"`+string(now[port].ID)+`","score":0,"confidence":0,"reason":"`+port+`","tokens":9}]`)
	l.Observe(l.Prompt("four", "deploy"), receipt)
	if shown := l.Suggestions("four"); len(shown) != 1 || shown[0].Crystal != now[port].ID {
		t.Fatalf("shown %+v", shown)
	}
	if len(holding(t, l, "walrus", "heron")) < 2 {
		t.Fatal("the words are looked for in the wrong place")
	}

	braintest.Must(l, steward.Forget, forget.ForgetInput{Session: "two", Apply: true})
	now = page(t, l)
	if len(now) != 2 || now[assets].Line.Seen != 1 || !now[assets].Line.SeenAt.Equal(before.Line.SeenAt) || now[newer].Line.Seen != 1 {
		t.Errorf("left: %+v", now)
	}
	if shown := l.Suggestions("four"); len(shown) != 1 || shown[0].Crystal != "" || shown[0].Tokens != 9 {
		t.Errorf("receipts: %+v", shown)
	}
	changes := braintest.Must(l, statements.ScribeChanges, statements.LineChangesInput{Scope: l.Scope()})
	if len(changes) != 2 || len(changes[0].Lines) != 1 || changes[0].Lines[0].What != "added" || changes[0].Lines[0].Line.ID != now[newer].ID {
		t.Errorf("changes: %+v", changes)
	}
	must.Do(t, l.Store.Tidy(t.Context()))
	if found := holding(t, l, "walrus", "heron", memory.NewSessionID("claude-code", "two", l.Place.Project()).String()); len(found) > 0 {
		t.Errorf("still held: %v", found)
	}
}

// A line whose proof stays is kept; one that says what is forgotten, or whose proof goes with it, is not. The session is not read again.
func TestForgettingAnEventForgetsTheLinesThatItProves(t *testing.T) {
	const (
		lint  = "Lint runs in the pipeline only"
		proof = "lint is only run by the pipeline here"
		told  = "The tests ask for the manifest of the walrus"
	)
	l := braintest.NewLab(t)
	events := append([]memory.Event{l.Prompt("one", proof+", remember that")}, learned(l, "one")...)
	l.See(1, events...)
	must.Get(reads(t, l, func(string) any {
		return lines.Answer{Add: []lines.Line{
			{Kind: lines.Cause, Text: assets, Quote: assetsQuote}, {Kind: lines.Fact, Text: lint, Quote: proof},
			{Kind: lines.Fact, Text: told, Quote: "run the tests"},
		}}
	}))(t)
	if now := page(t, l); len(now) != 3 {
		t.Fatalf("the page: %+v", now)
	}
	braintest.Must(l, steward.Forget, forget.ForgetInput{IDs: []memory.EventID{events[0].ID}, Apply: true})
	now := page(t, l)
	if len(now) != 2 || now[lint].ID != "" {
		t.Errorf("left: %+v", now)
	}
	if asked, err := reads(t, l, func(string) any { return lines.Answer{} }); asked > 0 || err != nil {
		t.Errorf("asked %d times, %v", asked, err)
	}
	// A line that is forgotten by itself is no change of the scribe any more.
	braintest.Must(l, steward.Forget, forget.ForgetInput{IDs: []memory.EventID{memory.EventID(now[told].ID)}, Apply: true})
	changes := braintest.Must(l, statements.ScribeChanges, statements.LineChangesInput{Scope: l.Scope()})
	if len(changes) != 1 || len(changes[0].Added) != 1 || changes[0].Added[0] != now[assets].ID {
		t.Errorf("changes: %+v", changes)
	}
}
