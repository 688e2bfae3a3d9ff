package statements_test

import (
	"bufio"
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/forget"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
)

// proofCase is a prompt of a person and what an agent makes of it. The files in testdata were written by
// somebody who had not seen the code.
type proofCase struct{ ID, Said, Prompt, Quote, With, Claims string }

func proofCases(t *testing.T, name string) (list []proofCase) {
	t.Helper()
	f := must.Get(os.Open(filepath.Join("..", "..", "statements", "testdata", name)))(t)
	defer func() { _ = f.Close() }()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var c proofCase
		must.Do(t, json.Unmarshal(lines.Bytes(), &c))
		list = append(list, c)
	}
	if len(list) == 0 {
		t.Fatalf("%s has no cases", name)
	}
	return list
}

// inForce are the texts that hold, and who said them.
func (m memories) inForce() (texts []string) {
	m.T.Helper()
	braintest.View(m.Lab, func(tx *store.Tx) error {
		kept, err := tx.Crystals(m.T.Context(), store.CrystalFilter{Current: true, Living: true, OldestFirst: true})
		for _, c := range kept {
			texts = append(texts, string(c.Origin)+": "+c.Text)
		}
		return err
	})
	return texts
}

// changes are all that an agent can do to a statement of the person with a quote.
func (m memories) changes(id memory.CrystalID, text, quote string) map[string]func() error {
	ctx, agent := m.T.Context(), memory.OriginAgent
	return map[string]func() error{
		"remember": func() error {
			in := statements.RememberInput{
				Scope: m.Scope(), Text: text, Quote: quote, Kind: memory.Rule, Replaces: []string{string(id)}, Origin: agent,
			}
			_, err := steward.Run(ctx, m.Brain, statements.Remember, in)
			return err
		},
		"edit": func() error {
			_, err := steward.Run(ctx, m.Brain, statements.Edit, statements.EditInput{ID: string(id), Text: text, Origin: agent, Quote: quote})
			return err
		},
		"reject": func() error {
			_, err := steward.Run(ctx, m.Brain, statements.Judge, statements.JudgeInput{ID: string(id), Origin: agent, Quote: quote})
			return err
		},
		"forget": func() error {
			in := forget.ForgetInput{IDs: []memory.EventID{memory.EventID(id)}, Apply: true, By: agent, Quote: quote}
			_, err := steward.Run(ctx, m.Brain, steward.Forget, in)
			return err
		},
	}
}

// said begins a library in which the person said something, and typed a prompt an hour later.
func saidThenTyped(t *testing.T, said, prompt string) (memories, memory.CrystalID) {
	t.Helper()
	m := newMemories(t)
	kept := m.Remember(said, braintest.Of(memory.Rule))
	m.Passes(time.Hour)
	m.Observe(m.Prompt("run", prompt))
	m.See(m.Clock.Sub(braintest.Start).Minutes())
	m.Passes(time.Minute)
	return m, kept.ID
}

func TestAQuoteThatSpeaksOfSomethingElseChangesNothing(t *testing.T) {
	t.Parallel()
	acted := map[string]bool{}
	cases := proofCases(t, "quotes.jsonl")
	for _, i := range must.Part(t, len(cases), 4) {
		c := cases[i]
		with := strings.TrimSpace(c.With)
		if with == "" {
			with = "Nothing of this holds."
		}
		for _, quote := range []string{c.Quote, c.Prompt} { // the part that the agent takes, and all of it
			for _, what := range []string{"remember", "edit", "reject", "forget"} {
				m, id := saidThenTyped(t, c.Said, c.Prompt)
				before := m.inForce()
				_ = m.changes(id, with, quote)[what]()
				if after := m.inForce(); !slices.Equal(before, after) {
					acted[c.ID] = true
					t.Errorf("%s: %s with %q: %q", c.ID, what, quote, after)
				}
			}
		}
	}
	t.Logf("%d quotes acted", len(acted))
}

// legitimate are changes that the person asked for in a sentence of their own.
var legitimate = []struct{ said, prompt, quote string }{
	{"Never deploy on Fridays.", "The canaries work. Deploying on Fridays is fine from now on.", "Deploying on Fridays is fine from now on."},
	{"Our staging server is stg-7.example.com.", "the staging server is stg-9.example.com since monday. please fix the script",
		"the staging server is stg-9.example.com since monday"},
	{"Use tabs for indentation in Go and Makefiles.", "Forget the rule about tabs. It is obsolete.", "Forget the rule about tabs."},
	{"Run the tests before every commit.", "You no longer have to run the tests before each commit, CI does that.", ""},
	{"Money is always Decimal.", "Thanks! Money is stored as integer cents now, not as Decimal.", "Money is stored as integer cents now, not as Decimal."},
	{"Never push to main.", "ok. you may push to main on mondays, but only docs.", "You may push to main on Mondays, but only docs."},
	{"Write migrations with a down step.", "Some news:\n- down steps in migrations are no longer needed\n- the importer is done",
		"down steps in migrations are no longer needed"},
	{"Log with structlog, never print.", "We replaced structlog by loguru, so log with that.", ""},
	{"The release branch is called stable.", "No, that's outdated: the release branch is called main since v3.", ""},
	{"Keep release notes in CHANGELOG.md.", "Can you drop the rule about the changelog?", ""},
	{"I prefer small commits.", "Squash it all. I don't want small commits any more, one per feature is enough.",
		"I don't want small commits any more, one per feature is enough."},
}

func TestASentenceThatSpeaksOfAStatementChangesIt(t *testing.T) {
	t.Parallel()
	proposed := 0
	for _, c := range legitimate {
		quote := cmp.Or(c.quote, c.prompt)
		for _, what := range []string{"remember", "edit", "reject", "forget"} {
			m, id := saidThenTyped(t, c.said, c.prompt)
			must.Do(t, m.changes(id, "What the agent makes of it.", quote)[what]())
			after := m.inForce()
			if slices.Contains(after, "user: "+c.said) {
				proposed++
				t.Errorf("%s with %q changes nothing", what, quote)
			}
			if slices.ContainsFunc(after, func(text string) bool { return strings.Contains(text, "the agent makes") }) {
				t.Errorf("%s with %q: the agent's words hold: %q", what, quote, after)
			}
		}
	}
	t.Logf("%d of %d changes are only proposed", proposed, 4*len(legitimate))
}

func TestAQuoteNeverCutsASentence(t *testing.T) {
	t.Parallel()
	cut := map[string]bool{}
	for _, c := range proofCases(t, "negations.jsonl") {
		m, id := saidThenTyped(t, c.Prompt, c.Prompt)
		for _, in := range []statements.RememberInput{
			{Quote: c.Quote}, {Text: c.Quote}, {Text: c.Claims, Quote: c.Quote}, {Text: c.Claims, Quote: c.Quote, Replaces: []string{string(id)}},
		} {
			in.Scope, in.Origin, in.Kind = m.Scope(), memory.OriginAgent, memory.Rule
			_, _ = steward.Run(t.Context(), m.Brain, statements.Remember, in)
		}
		for _, what := range []string{"edit", "reject", "forget"} {
			_ = m.changes(id, c.Claims, c.Quote)[what]()
		}
		whole := false
		for _, text := range m.inForce() {
			said, persons := strings.CutPrefix(text, "user: ")
			whole = whole || said == c.Prompt
			if persons && said != c.Prompt {
				cut[c.ID] = true
				t.Errorf("%s: %q of %q", c.ID, said, c.Prompt)
			}
		}
		if !whole {
			cut[c.ID] = true
			t.Errorf("%s: %q no longer holds", c.ID, c.Prompt)
		}
	}
	t.Logf("%d sentences cut", len(cut))
}

// The words that a memory is made of, typed again, do not end it.
func TestAMemoryIsNotRejectedByItsOwnWords(t *testing.T) {
	t.Parallel()
	const rule = "Never push to main."
	m, id := saidThenTyped(t, rule, rule)
	for _, what := range []string{"reject", "forget"} {
		must.Do(t, m.changes(id, "", rule)[what]())
	}
	if got := m.inForce(); !slices.Equal(got, []string{"user: " + rule}) {
		t.Errorf("in force: %q", got)
	}
}
