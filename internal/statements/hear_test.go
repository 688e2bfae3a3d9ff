package statements

import (
	"github.com/hebb-memory/hebb/internal/must"
	"slices"
	"strings"
	"testing"
)

func TestSentences(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		text string
		want []string
	}{
		{"remove workers. that's not our concern!  ok?", []string{"remove workers.", "that's not our concern!"}},
		{"use e.g. sqlite, v1.2 of it. 2. then go.mod", []string{"use e.g. sqlite, v1.2 of it.", "2. then go.mod"}},
		{"- first point\n* second; with more\n\n> quoted", []string{"first point", "second;", "with more"}},
		{"see this:\n```go\nfunc main() {}\n```\nwe never log tokens", []string{"see this:", "we never log tokens"}},
		{"", nil},
		{"1.2.3 ... !!", nil},
		{"мы используем postgres. да, всегда", []string{"мы используем postgres.", "да, всегда"}},
	} {
		parsed := Parse(Prompt{Text: test.text})
		var got []string
		for _, s := range parsed.Sentences {
			got = append(got, test.text[s.Start:s.End])
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%q: %q, want %q", test.text, got, test.want)
		}
	}
}

// What anybody would call a rule, a decision or a preference is heard, and a request is not. None of these is a labelled prompt.
func TestPlainCases(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"we decided to drop support for python 3.8, nobody uses it anymore",
		"never push directly to main in this repo, we always go through a pull request",
		"no, we removed the cache on purpose because it was returning stale prices",
		"always run make fmt before you push", "Never commit directly to main.", "please always answer in German", "I prefer short answers",
		"we never squash merges", "We decided to keep sqlite and drop redis", "every handler must have a timeout",
		"From now on, write the tests first.",
	} {
		if len(Statements(Prompt{Text: text})) == 0 {
			t.Errorf("nothing is heard in %q: %+v", text, Builtin().Score(Prompt{Text: text}))
		}
	}
	for _, text := range []string{
		"fix the failing test in parser_test.go", "yes", "looks good, push it", "what does this function do?", "run the tests again please",
		"write a haiku about the sea", "go on", "", "never mind, I found it", "it always fails on the second run", "always shows the wrong date",
		"every time I click save it reloads the page", "no, the other one", "should we always run it?", "remember this",
		"No errors in the console.", "Every test has failed since the merge.", "Each run gets slower.",
		"Never seen this error before.", "No luck in prod with that.", "Always the same error when I save.", "no tests in this package yet",
		"We always get a 500 from the login page.",
	} {
		if got := Statements(Prompt{Text: text, Index: 3}); len(got) > 0 {
			t.Errorf("%+v is heard in %q", got, text)
		}
	}
}

// None of these is a labelled message.
func TestClosingMessages(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"All tests pass. The crash happened because the driver silently closes idle connections after an hour, so the first query of the morning failed.",
		"I kept the polling loop instead of switching to webhooks, because the customer's firewall does not let requests in. 14 files changed.",
	} {
		got := Closing(text)
		if len(got) != 1 || !slices.Contains(ClosingKinds, got[0].Kind) || got[0].Quote != text[got[0].Start:got[0].End] || !strings.Contains(got[0].Quote, "because") {
			t.Errorf("%q: %+v; %+v", text, got, BuiltinClosing().Score(Prompt{Text: text}))
		}
	}
	for _, text := range []string{
		"", "Done! All 12 tests pass.", "I renamed the function and updated its callers.\n\n- `a.go`\n- `b.go`\n\nWould you like me to commit this?",
		"Der Fehler kam daher, dass der Treiber die Verbindung nach einer Stunde schließt.", "根本原因是驱动程序在一小时后关闭了连接。",
	} {
		if got := Closing(text); len(got) > 0 {
			t.Errorf("%+v is found in %q", got, text)
		}
	}
	line := "The crash happened because the driver silently closes idle connections after an hour, so the first query failed.\n"
	if got := Closing(strings.Repeat(line, 2000)); len(got) > fromClosing {
		t.Errorf("%d statements of one message", len(got))
	}
}

func TestOtherLanguagesAreSilent(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"Wir benutzen immer PostgreSQL und niemals SQLite, das haben wir so entschieden.",
		"Nous avons décidé de ne plus jamais utiliser Redis, c'est memcached maintenant.",
		"Siempre usamos tabulaciones en este proyecto, nunca espacios.",
		"Мы решили больше не использовать Redis в этом проекте.", "我们决定不再使用 Redis，现在用 memcached。",
		"このプロジェクトでは常にタブを使います。", "우리는 항상 탭을 사용합니다.",
	} {
		if got := Statements(Prompt{Text: text}); len(got) > 0 {
			t.Errorf("%+v is heard in %q", got, text)
		}
	}
}

func TestFewStatementsComeFromAPastedPlan(t *testing.T) {
	t.Parallel()
	line := "We decided to always use tabs here and we never use spaces because nobody wants them anymore.\n"
	one := Statements(Prompt{Text: line})
	if len(one) != 1 {
		t.Fatalf("one line is heard as %+v", one)
	}
	plan := strings.Repeat(line, 20)
	got := Statements(Prompt{Text: plan})
	if len(got) != fromPasted || got[0].Start >= got[1].Start {
		t.Errorf("a plan is heard as %+v", got)
	}
	for _, s := range got {
		if s.Quote != plan[s.Start:s.End] || s.Probability < Builtin().Threshold || s.Probability > 1 || !slices.Contains(Kinds, s.Kind) {
			t.Errorf("%+v", s)
		}
	}
}

func TestModelFile(t *testing.T) {
	t.Parallel()
	for _, read := range [][]byte{embedded, embeddedClosing} {
		kinds := Kinds
		if len(read) == len(embeddedClosing) {
			kinds = ClosingKinds
		}
		m := must.Get(Decode(read, kinds))(t)
		if file, err := m.Encode(); err != nil || !slices.Equal(file, read) {
			t.Errorf("a model is written otherwise than it was read: %v", err)
		}
	}
	if n := len(embedded) + len(embeddedClosing); n > 200_000 {
		t.Errorf("the models have %d bytes: at most 200,000", n)
	}
	for _, broken := range [][]byte{nil, []byte("{}\n"), embedded[:len(embedded)-1], embeddedClosing, []byte("[]\n" + string(make([]byte, Places)))} {
		if _, err := Decode(broken, Kinds); err == nil {
			t.Errorf("%d broken bytes are read", len(broken))
		}
	}
}

func FuzzStatements(f *testing.F) {
	f.Add("we never use tabs. ok; e.g. this! `x` …", 0)
	f.Add("```\nfenced\n", 3)
	f.Add("\xff\xfe? \n - *", -1)
	f.Fuzz(func(t *testing.T, text string, index int) {
		last := 0
		for _, s := range Builtin().Score(Prompt{Text: text, Index: index}) {
			if s.Start < last || s.End <= s.Start || s.End > len(text) || s.Quote != text[s.Start:s.End] || s.Probability < 0 || s.Probability > 1 {
				t.Fatalf("%+v in %q", s, text)
			}
			last = s.End
		}
	})
}
