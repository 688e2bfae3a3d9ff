package statements

import (
	"slices"
	"strings"
	"testing"
)

func TestPlainForms(t *testing.T) {
	t.Parallel()
	for says, like := range map[string][]string{
		"always …":                         {"always run make fmt before you push", "hm, please always answer in German"},
		"never …":                          {"Never push to main.", "no wait, never mock the database in tests"},
		"we always|never …":                {"we never squash merges", "We always release from main."},
		"… must|should always|never …":     {"migrations must always be reversible", "agents should never touch the vault"},
		"every|each … must|should|needs …": {"every handler must have a timeout", "each module needs a readme"},
		"don't ever …":                     {"Do not ever commit the lock file", "don't ever rebase main"},
		"don't … anymore":                  {"don't squash merges any more", "dont mock the database anymore"},
		"from now on …":                    {"From now on, write the tests first.", "and from now on commits are signed"},
		"… from now on":                    {"answer in short sentences from now on", "tabs in Go files from now on, thanks"},
		"rule: …":                          {"Rule: no unwrap outside tests", "rule: handlers log nothing"},
		"use … instead of …":               {"use pnpm instead of npm", "Use dayjs instead of moment for dates."},
		"we decided|agreed …":              {"We decided to keep sqlite and drop redis", "we agreed on trunk-based development"},
		"decision: …":                      {"Decision: prices are whole cents", "decision: sqlite stays"},
		"we no longer …":                   {"we no longer support python 3.8", "We no longer use Redis for the queue, it is memcached now"},
		"we don't … anymore":               {"we don't deploy on Fridays any more", "we don't need the watch command anymore"},
		"i prefer …":                       {"I prefer short answers", "ok, I prefer tabs"},
		"i always|never|don't want …":      {"I don't want emojis in commits", "i always want a changelog entry"},
		"remember that|to …":               {"remember that our staging database is read-only", "Remember to bump the schema version."},
		"remember: …":                      {"remember: invoices are rounded half up", "Remember: the demo runs on the laptop"},
		"keep in mind …":                   {"keep in mind that nothing is merged until March 20th", "keep in mind that invoices are rounded half up", "Keep in mind the exporter is slow"},
	} {
		for _, text := range like {
			_, kept, ok := Plain(text)
			if !ok || !matches(strings.Fields(says), formWords(kept)) {
				t.Errorf("%q is not heard as %q", text, says)
			}
		}
	}
	if len(forms) > 20 {
		t.Errorf("%d forms: what is said otherwise is for the scribe", len(forms))
	}
}

func TestWhatHasNoPlainFormIsSilent(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"fix the failing test in parser_test.go", "yes", "looks good, push it", "run the tests again please", "go on", "", "never mind, I found it",
		"it always fails on the second run", "always shows the wrong date", "every time I click save it reloads the page", "no, the other one",
		"should we always run it?", "what should we do from now on", "can you always run the linter?", "remember this", "remember when we used redis",
		"do you remember that bug", "No errors in the console.", "Every test has failed since the merge.", "Never seen this error before.",
		"Always the same error when I save.", "We always get a 500 from the login page.", "we decided that", "it should live below the header from now on",
		"oh yeah we don't need any of that any more", "why don't we use axios anymore?", "all hooks must return:", "every handler must:",
		"never deploy until Friday", "we decided to freeze the schema for two weeks", "from now on only fixes this sprint", "always ask me for the time being",
		"Wir benutzen immer PostgreSQL und niemals SQLite.", "Nous avons décidé de ne plus jamais utiliser Redis.", "我们决定不再使用 Redis。",
	} {
		if kind, kept, ok := Plain(text); ok {
			t.Errorf("%q is heard as %s: %q", text, kind, kept)
		}
	}
	for _, prompt := range []string{
		"> never push to main\n\nwhat do you think of this?", "```\nalways run make\n```", "<log>we decided to drop redis</log>",
		"the readme says “we never squash merges”, is that so?",
	} {
		if got := Statements(prompt); len(got) > 0 {
			t.Errorf("%+v is heard in %q", got, prompt)
		}
	}
}

func TestWhatAFormKeeps(t *testing.T) {
	t.Parallel()
	prompt := "fix the login. ok, never push to main, thanks!\n- never push to main\n- we decided to drop redis"
	got := Statements(prompt)
	if len(got) != 2 || got[0].Text != "never push to main" || got[0].Kind != Rule || got[1].Text != "we decided to drop redis" || got[1].Kind != Decision ||
		!strings.Contains(prompt[got[0].Start:got[0].End], "never push to main") {
		t.Errorf("%+v", got)
	}
	if got := Statements(strings.Repeat("never push to main\nnever squash merges\nnever rebase a tag\nfix it\n", 5)); len(got) != fromPasted {
		t.Errorf("of a pasted plan %+v", got)
	}
}

func TestWhatIsUndone(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"use dayjs instead of moment for dates":            "moment for dates",
		"We no longer use Redis for the queue, or do we":   "use redis for the queue",
		"don't squash merges any more":                     "squash merges",
		"we don't deploy on Fridays anymore; Mondays only": "deploy on fridays",
		"never squash merges":                              "",
	} {
		if got := undone(text); got != want {
			t.Errorf("%q undoes %q, want %q", text, got, want)
		}
	}
}

func FuzzStatements(f *testing.F) {
	f.Add("we never use tabs. ok; e.g. this! `x` …")
	f.Add("```\nfenced\n")
	f.Add("\xff\xfe? \n - *")
	f.Add("use , instead of ;")
	f.Fuzz(func(t *testing.T, text string) {
		last := 0
		for _, s := range Statements(text) {
			if s.Start < last || s.End <= s.Start || s.End > len(text) || s.Text == "" {
				t.Fatalf("%+v in %q", s, text)
			}
			undone(s.Text)
			last = s.End
		}
	})
}

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
		var got []string
		for _, s := range Sentences(test.text) {
			got = append(got, test.text[s.Start:s.End])
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%q: %q, want %q", test.text, got, test.want)
		}
	}
}
