package inspect_test

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/learn"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/statements"
)

// shows records that a session was shown lines.
func shows(t *testing.T, l *braintest.Lab, run string, minutes float64, lines ...memory.Suggestion) memory.EventID {
	t.Helper()
	text := must.Get(json.Marshal(lines))(t)
	receipt := l.Say(run, minutes, memory.Suggested, string(text))
	l.Observe(receipt)
	return receipt.ID
}

func TestAnswersSayWhatWasShownAndWhatBecameOfIt(t *testing.T) {
	l := braintest.NewLab(t)
	l.Clock = l.Clock.Add(time.Hour)
	l.Observe(l.Touch("one", 1, memory.Read, "a.go"))
	rule := braintest.Must(l, statements.Remember, statements.RememberInput{Scope: l.Scope(), Text: "Always run the linter before a commit.", Kind: memory.Rule})
	l.Observe(l.Say("one", 2, memory.Prompted, "fix the login redirect"))
	file := memory.Suggestion{Offer: memory.OfferFile, Moment: memory.AtPrompt, Path: "web/login.go", Confidence: .7, Tokens: 10}
	said := memory.Suggestion{Offer: memory.OfferMemory, Moment: memory.AtPrompt, Crystal: rule.ID, Tokens: 7}
	first := shows(t, l, "one", 3, file, said)
	l.Observe(l.Touch("one", 4, memory.Edit, "web/login.go"), l.Say("one", 5, memory.SessionEnded, ""))
	l.Observe(l.Say("two", 10, memory.Prompted, "another task"))
	second := shows(t, l, "two", 11, file)

	got := braintest.Must(l, inspect.Answers, inspect.AnswersInput{Scope: l.Scope(), Limit: 10})
	if len(got) != 2 || got[0].ID != string(second) || got[1].ID != string(first) {
		t.Fatalf("got %+v", got)
	}
	if a := got[1]; a.Prompt != "fix the login redirect" || a.Tokens != 17 || a.Agent == "" || len(a.Lines) != 2 || a.Lines[0].Outcome != memory.Used || a.Lines[1].Name != rule.Text {
		t.Errorf("the first answer is %+v", a)
	}
	if earlier := braintest.Must(l, inspect.Answers, inspect.AnswersInput{Scope: l.Scope(), Limit: 10, Before: got[0].At}); len(earlier) != 1 || earlier[0].ID != string(first) {
		t.Errorf("before the second: %+v", earlier)
	}

	worth := braintest.Must(l, inspect.Worth, inspect.WorthInput{Scope: l.Scope()})
	if worth.Lines != 3 || worth.Tokens != 27 || worth.Right != 1 || worth.Judged != 1 || len(worth.Moments) != 1 || worth.Moments[0].Lines != 3 {
		t.Errorf("worth %+v", worth)
	}
	braintest.Must(l, statements.GiveVerdict, statements.VerdictInput{Line: string(first) + "-2", Verdict: statements.VerdictWrong})
	if worth := braintest.Must(l, inspect.Worth, inspect.WorthInput{Scope: l.Scope()}); worth.Right != 1 || worth.Judged != 2 {
		t.Errorf("with a line called wrong: %+v", worth.WorthRow)
	}
	if worth := braintest.Must(l, inspect.Worth, inspect.WorthInput{Scope: l.Scope(), Since: got[0].At}); worth.Lines != 1 {
		t.Errorf("since the second: %+v", worth.WorthRow)
	}
	if again := braintest.Must(l, inspect.Answers, inspect.AnswersInput{Scope: l.Scope()}); again[1].Lines[1].Verdict != statements.VerdictWrong {
		t.Errorf("the line has no verdict: %+v", again[1].Lines[1])
	}
}

// The first verdict is on a line that was shown; the second, on one that was held back, is not counted.
func TestAVerdictOnALineThatWasHeldBackDoesNotCount(t *testing.T) {
	l := braintest.NewLab(t)
	l.Clock = l.Clock.Add(time.Hour)
	l.Observe(l.Say("one", 1, memory.Prompted, "fix the login redirect"))
	shown := braintest.Must(l, statements.Remember, statements.RememberInput{Scope: l.Scope(), Text: "Always run the linter before a commit.", Everywhere: true})
	held := braintest.Must(l, statements.Remember, statements.RememberInput{Scope: l.Scope(), Text: "The cache lives in Redis."})
	line := memory.Suggestion{Offer: memory.OfferMemory, Moment: memory.AtPrompt, Crystal: shown.ID, Tokens: 7}
	withheld := memory.Suggestion{Offer: memory.OfferMemory, Moment: memory.AtPrompt, Crystal: held.ID, Tokens: 7, Held: true}
	id := string(shows(t, l, "one", 3, line, withheld))
	l.Clock = l.Clock.AddDate(0, 0, 2)
	for _, n := range []string{"-1", "-2"} {
		braintest.Must(l, statements.GiveVerdict, statements.VerdictInput{Line: id + n, Verdict: statements.VerdictRight})
	}
	worth := braintest.Must(l, inspect.Worth, inspect.WorthInput{Scope: l.Scope()})
	if worth.Judged != 1 || worth.Right != 1 || worth.Withheld.Lines != 1 || worth.Withheld.Judged != 0 {
		t.Errorf("worth %+v", worth)
	}
}

func TestAFilePageListsWhatBelongsToIt(t *testing.T) {
	l := braintest.NewLab(t)
	l.Observe(l.SomeWork()...)
	braintest.Must(l, statements.Remember, statements.RememberInput{Scope: l.Scope(), Text: "The login never caches.", Files: []string{"web/login.go"}})
	f := braintest.Must(l, inspect.File, inspect.FileInput{Scope: l.Scope(), Path: "web/login.go"})
	if f.State == nil || len(f.Companions) == 0 || f.Companions[0].Path != "web/auth.go" || len(f.Memories) != 1 || len(f.Errors) != 1 {
		t.Errorf("the page is %+v", f)
	}
	if unknown := braintest.Must(l, inspect.File, inspect.FileInput{Scope: l.Scope(), Path: "no/such.go"}); unknown.State != nil || len(unknown.Companions) != 0 {
		t.Errorf("a file that nobody met: %+v", unknown)
	}
}

func TestAMemoryHasTimes(t *testing.T) {
	l := braintest.NewLab(t)
	l.Observe(l.Touch("one", 1, memory.Read, "a.go"))
	old := braintest.Must(l, statements.Remember, statements.RememberInput{Scope: l.Scope(), Text: "The cache lives in Redis.", Kind: memory.Decision})
	before := l.Clock
	l.Clock = l.Clock.AddDate(0, 0, 3)
	now := braintest.Must(l, statements.Edit, statements.EditInput{ID: string(old.ID), Text: "The cache lives in Valkey."})
	list := func(in inspect.RememberedInput) (texts []string) {
		in.Scope, in.Limit = l.Scope(), 50
		page := braintest.Must(l, inspect.RememberedList, in)
		for _, r := range page.Rows {
			texts = append(texts, r.Text)
		}
		if int(page.Total) != len(texts) {
			t.Errorf("%+v: %d of %d", in, len(texts), page.Total)
		}
		return texts
	}
	for name, c := range map[string]struct {
		in   inspect.RememberedInput
		want []string
	}{
		"now":          {inspect.RememberedInput{}, []string{now.Text}},
		"with history": {inspect.RememberedInput{History: true}, []string{now.Text, old.Text}},
		"on a day":     {inspect.RememberedInput{AsOf: before.AddDate(0, 0, 1)}, []string{old.Text}},
		"by words":     {inspect.RememberedInput{Contains: "valkey"}, []string{now.Text}},
	} {
		if got := list(c.in); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	page := braintest.Must(l, inspect.OneMemory, statements.ProvenanceInput{ID: string(now.ID)})
	if !page.FadesAt.IsZero() || len(page.Why.Parents) != 1 || page.Sure != 1 {
		t.Errorf("what a person asked to remember fades, or its past is not told: %+v", page)
	}
	noted := braintest.Must(l, statements.Remember, statements.RememberInput{Scope: l.Scope(), Text: "The queue keeps orders for a week.", Kind: memory.Decision, Origin: memory.OriginAgent})
	page = braintest.Must(l, inspect.OneMemory, statements.ProvenanceInput{ID: string(noted.ID)})
	if days := page.FadesAt.Sub(l.Clock).Hours() / 24; days < 40 || days > 80 {
		t.Errorf("what an agent noted fades in %.0f days: %+v", days, page)
	}
}

func TestATrialLeavesNoTrace(t *testing.T) {
	lib := braintest.NewLibrary(t)
	l := lib.Lab
	l.Place = memory.Place{Identity: lib.Dir, Root: lib.Dir}
	l.Observe(l.SomeWork()...)
	code := "// loginRedirect loses the query string.\nfunc loginRedirect(login, query string) string {\n" + strings.Repeat("\tquery += login\n", 6) + "\treturn query\n}\n"
	lib.Write("web/login.go", "package web\n\n"+code)
	braintest.Must(l, learn.ReadSnippets, learn.SnippetsInput{Dir: lib.Dir}) // what code says makes an answer surer to people, not to an agent
	braintest.Must(l, statements.Remember, statements.RememberInput{Scope: l.Scope(), Text: "The login redirect must keep the query string.", Kind: memory.Rule})
	before := braintest.Must(l, inspect.Marker, struct{}{})
	tried := braintest.Must(l, answer.Try, answer.TryInput{Scope: l.Scope(), Text: "the login redirect loses the query string"})
	if len(tried.Files) == 0 || len(tried.Memories) != 1 || tried.Memories[0].Probability < tried.MemoryGate || tried.Shown.Text == "" || tried.Tokens == 0 || tried.Shown.Receipt != nil {
		t.Errorf("tried: %+v", tried)
	}
	if i := slices.IndexFunc(tried.Shown.Lines, func(line memory.Suggestion) bool { return line.Path == "web/login.go" }); i < 0 || math.Abs(tried.Shown.Lines[i].Confidence-tried.Files[0].Confidence) > 1e-4 {
		t.Errorf("web/login.go is shown as %+v, ranked first is %+v", tried.Shown.Lines, tried.Files[0])
	}
	if silent := braintest.Must(l, answer.Try, answer.TryInput{Scope: l.Scope(), Text: "go"}); silent.Silent == "" || silent.Shown.Text != "" {
		t.Errorf("a word between two tasks: %+v", silent)
	}
	if after := braintest.Must(l, inspect.Marker, struct{}{}); after != before {
		t.Errorf("the store has changed from %s to %s", before, after)
	}
}
