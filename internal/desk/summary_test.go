package desk

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
)

func sumExamples() map[string]Facts {
	return map[string]Facts{
		"feature": {
			Intent:  "Add refresh tokens to the login. They should rotate on every use.",
			Prompts: []string{"Add refresh tokens to the login. They should rotate on every use.", "also cover the logout", "commit this"},
			Edited:  []string{"internal/auth/login.go", "internal/auth/token.go", "internal/auth/login_test.go", "docs/auth.md"},
			Commits: []string{"auth: refresh tokens", "docs: say how tokens rotate"},
			Fixed:   []Fix{{"panic: runtime error: invalid memory address\n\tgoroutine 1 [running]", []string{"internal/auth/token.go"}}},
			Notes:   noted("The clock of CI is in UTC."),
			LastMessage: "Perfect! **Refresh tokens now rotate on every use**, and logging out revokes them. All tests pass.\n\n```go\nfunc main() {}\n```\n\n" +
				"## Next steps\n\n- [ ] Revoke tokens that were issued before the migration\n- [x] Update the docs\n\nLet me know if you'd like anything else!",
			Minutes: 42,
		},
		"plan": {
			Intent: "Implement the following plan: # Plan: Batch Remediation Prompts (max 10 issues per prompt) ## Context Currently, the remediation engine sends",
			Prompts: []string{
				"Implement the following plan: # Plan: Batch Remediation Prompts (max 10 issues per prompt) ## Context Currently, the remediation engine sends", "and push",
			},
			Edited: []string{"src/shared/remediation/engine.ts", "src/shared/types/remediation.ts"},
			LastMessage: "The batching is implemented:\n\n1. Errors and suggestions are cut into batches of 10\n2. One diff is taken at the end\n   of all batches\n3. Fixed the remaining type errors\n\n" +
				"The progress bar does not show single batches yet. No follow-up is needed for the API.",
			Minutes: 98,
		},
		"question": {
			Intent:  "can you help me understand what `entire clean` is doing?",
			Prompts: []string{"can you help me understand what `entire clean` is doing?", "Yes", "ok, renaming it is a TODO for tomorrow"},
			Read:    []string{"cmd/entire/cli/clean.go", "cmd/entire/cli/strategy/clean.go", "cmd/entire/main.go"},
			LastMessage: "You're absolutely right! Great question. `entire clean` deletes shadow branches whose sessions ended; Next.js is not involved. " +
				"Would you like me to rename it?",
			Minutes: 7,
		},
		"recovered": {
			Intent: "continue", Prompts: []string{"continue", "yes", "fix the failing tests / build on Windows please"},
			Edited: []string{"a.go"}, Recovered: true, Minutes: 1, LastMessage: "All finished.",
		},
		"notes only": {Notes: noted("# Releases\n\nare made on Tuesdays", "Ana decides on the API.")},
		"long": {
			Intent:  strings.Repeat("please make the importer much faster than it is ", 10),
			Edited:  []string{"one.go", "two.go", "three.go", "four.go", "five.go", "six.go", "seven.go", "eight.go", "nine.go", "ten.go"},
			Commits: []string{"importer: read in blocks", "importer: one transaction", "importer: fewer copies"},
			Fixed: []Fix{
				{strings.Repeat("very long error text ", 40), []string{"one.go", "two.go"}}, {"timeout", nil}, {"deadlock", []string{"three.go"}},
				{"out of memory", []string{"four.go"}}, {"disk full", []string{"five.go"}},
			},
			Notes:       noted(strings.Repeat("a note that goes on ", 30), "short note"),
			LastMessage: strings.Repeat("It is faster now because blocks are read at once. ", 30) + "\n\nStill to do:\n- measure it on Windows\n- tell the users",
			Minutes:     300,
		},
		"last words only": {LastMessage: "**Summary**\n\nThe build was broken by a missing comma.\n\n---\n\n| a | b |\n|---|---|\n| c | d |"},
	}
}

// noted are notes of the person and of agents, in turn.
func noted(texts ...string) (notes []Noted) {
	for i, text := range texts {
		notes = append(notes, Noted{text, []memory.Origin{memory.OriginUser, memory.OriginAgent}[i%2]})
	}
	return notes
}

func TestSessionsAreToldByRules(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	examples := sumExamples()
	for _, name := range slices.Sorted(maps.Keys(examples)) {
		summary := Summarise(examples[name])
		line := prose.Shorten(prose.Opening(summary.Happened), SummaryLength)
		fmt.Fprintf(&b, "=== %s\n%s\n--- learned\n%s\n--- next\n%s\n--- line\n%s\n\n", name, summary.Happened, summary.Learned, summary.Next, line)
	}
	shelfGolden(t, "summarise.golden", b.String())
}

func TestFactsThatTellNothingGiveNothing(t *testing.T) {
	t.Parallel()
	for _, f := range []Facts{
		{},
		{Minutes: 5, Recovered: true},
		{Intent: " \n", Prompts: []string{""}, Edited: []string{""}, Fixed: []Fix{{Files: []string{"a.go"}}}, Notes: noted("#"), LastMessage: "Done!\n\n```\ncode\n```"},
	} {
		if summary := Summarise(f); summary != (Summary{}) {
			t.Errorf("%+v: %q", f, summary)
		}
	}
}

func TestWhatIsLeftIsFound(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ message, want string }{
		{"Fixed it. Next: wire the flag.", "- (agent): “wire the flag.”"},
		{"The tests are not written yet.", "- (agent): “The tests are not written yet.”"},
		{"The parser hasn’t been tested on Windows yet.", "- (agent): “The parser hasn’t been tested on Windows yet.”"},
		{"**Remaining:**\n- a\n* b\n", "- (agent): “a”\n- (agent): “b”"},
		{"### TODO\n\nYou need to:\n\n1. rename x\n2. drop y\n\n### Done\n\nz", "- (agent): “rename x”\n- (agent): “drop y”"},
		{"Done, still to do: the docs.", "- (agent): “Done, still to do: the docs.”"},
		{"One follow-up is left open: caching.", "- (agent): “One follow-up is left open: caching.”"},
		{"It works.\n\nWhat is left:\n- the other engine\n- the docs", "- (agent): “the other engine”\n- (agent): “the docs”"},
		{"## What’s left\n- the docs", "- (agent): “the docs”"},
		{"This drops what is left of the old parser.", ""},
		{"Noted, I will leave that for later.", ""},
		{"I keep the Windows commit for later.", "- (agent): “I keep the Windows commit for later.”"},
		{"No remaining errors. Nothing was left open.", ""},
		{"I fixed the remaining errors and removed the TODO.", ""},
		{"It moves to the next line and calls `next`.", ""},
		{"Built with Next.js and nextval.", ""},
		{"Let me know if the next steps should be done.", ""},
		{"```\n// TODO: x\n```", ""},
	} {
		if got := Summarise(Facts{LastMessage: c.message}).Next; got != c.want {
			t.Errorf("%q: %q, want %q", c.message, got, c.want)
		}
	}
	if got := Summarise(Facts{Prompts: []string{"fix the remaining errors", "the docs are for later"}}).Next; got != "" {
		t.Errorf("what the person puts off is a goal: %q", got)
	}
}

func TestASummaryGivesWayWhereThereIsNoRoom(t *testing.T) {
	t.Parallel()
	var many []string
	for _, letter := range "abcdefghij" {
		many = append(many, "internal/"+strings.Repeat(string(letter), 60)+"/path.go")
	}
	for _, c := range []struct {
		name  string
		facts Facts
		want  Summary
	}{
		{
			"names become counts", Facts{Intent: "make it fast", Edited: many[:2], Commits: []string{strings.Repeat("a long subject ", 10)}},
			Summary{Happened: "Asked “make it fast”: changed 2 files; made 1 commit."},
		},
		{
			"a test is named", Facts{Fixed: []Fix{{"--- FAIL: TestSniff (0.00s)", []string{"encode.go"}}}},
			Summary{Happened: "Fixed 1 error.", Learned: "- TestSniff failed; fixed in encode.go"},
		},
		{
			"files that fixed an error are counted", Facts{Fixed: []Fix{{"timeout", many}}},
			Summary{Happened: "Fixed 1 error.", Learned: "- “timeout”; fixed in 10 files"},
		},
		{
			"a list is as long as it may be", Facts{Notes: noted(strings.Split("abcdefghij", "")...), Edited: []string{"1", "2", "3"}},
			Summary{
				Happened: "Changed 1 and 2 more files.\n\nChanged files: 1, 2, 3",
				Learned:  "- a\n- (agent): “b”\n- c\n- (agent): “d”\n- e\n- (agent): “f”\n- g\n- (agent): “h”\n- and 2 more",
			},
		},
		{
			"what is left is shown once", Facts{LastMessage: "It works. The docs are not written yet. Tests pass."},
			Summary{Happened: "The agent ended with: “It works. Tests pass.”", Next: "- (agent): “The docs are not written yet.”"},
		},
		{
			"that nobody closed it is always shown", Facts{LastMessage: strings.Repeat("word ", 200), Edited: []string{"a.go"}, Recovered: true},
			Summary{Happened: "Changed a.go.\n\nThe agent ended with: “" + strings.Repeat("word ", 63) + "word…”\n" + sumRecovered},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := Summarise(c.facts); got != c.want {
				t.Errorf("\n got %q\nwant %q", got, c.want)
			}
		})
	}
}

// sumVocabulary are the words that a summary adds of its own.
const sumVocabulary = `failed in asked changed read committed and more file files made commit commits fixed error errors left open noted thing things
it took minute minutes still failing the agent ended with recovered session was not closed`

func TestASummaryIsShortAndInventsNothing(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(4, 6))
	words := []string{
		"login", "token.", "## Next steps\n\n", "\n- ", "\n", "\n\n", "next", "TODO:", "remaining", "not", "yet", "Great!", "**bold**", "```\n", "ä…",
		"src/**", "e.g.", "# Head\n", "“x”", "(y)", "|", "---\n", "very-long-word-that-does-not-end-for-a-while", "Let me know.", "1. ", "> q", "\x00", "\xff", "[x]",
	}
	text := func(most int) string {
		var b strings.Builder
		for range random.IntN(most) {
			b.WriteString(words[random.IntN(len(words))] + []string{" ", " ", ""}[random.IntN(3)])
		}
		return b.String()
	}
	texts := func() []string {
		var all []string
		for range random.IntN(5) {
			all = append(all, text(12))
		}
		return all
	}
	// Files and commits are numbered, so that a number that is cut or made up is noticed.
	numbered := func(format string) []string {
		var all []string
		for range random.IntN(12) {
			all = append(all, fmt.Sprintf(format, 10000+random.IntN(90000), 10000+random.IntN(90000)))
		}
		return all
	}
	for range 800 {
		f := Facts{
			Intent: text(30), Prompts: texts(), Edited: numbered("dir with blank%d/file%d.go"), Read: numbered("r%d/s%d.go"), Commits: numbered("c%d: subject%d"),
			Notes: noted(texts()...), LastMessage: text(80), Minutes: random.IntN(50), Recovered: random.IntN(3) == 0,
		}
		for range random.IntN(4) {
			f.Fixed = append(f.Fixed, Fix{text(15), numbered("m%d/n%d.go")})
		}
		summary := Summarise(f)
		if length := sumLength(summary.Happened) + sumLength(summary.Learned) + sumLength(summary.Next); length > 2200 {
			t.Fatalf("%d characters: %+v\n%q", length, f, summary)
		}
		if summary != Summarise(f) {
			t.Fatal("not the same twice")
		}
		if f.Recovered && summary != (Summary{}) && !strings.HasSuffix(summary.Happened, sumRecovered) {
			t.Fatalf("it is not shown that nobody closed it: %q", summary)
		}
		checkInvention(t, f, summary)
		for _, line := range strings.Split(summary.Happened+"\n"+summary.Learned+"\n"+summary.Next, "\n") {
			if strings.HasPrefix(line, "#") || prose.IsRule(line) {
				t.Fatalf("%q shapes the page: %+v", line, f)
			}
		}
	}
}

func checkInvention(t *testing.T, f Facts, summary Summary) {
	t.Helper()
	plain := func(text string) []string {
		return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
	}
	known := map[string]bool{}
	all := fmt.Sprint(f.Intent, " ", f.Prompts, f.Edited, f.Read, f.Commits, f.Fixed, f.Notes, " ", f.LastMessage)
	for _, word := range append(plain(all), plain(sumVocabulary)...) {
		known[word] = true
	}
	for _, word := range plain(summary.Happened + " " + summary.Learned + " " + summary.Next) {
		if number := strings.Trim(word, "0123456789") == "" && len(word) < 4; !known[word] && !number && !isCut(summary, word) {
			t.Fatalf("%q comes from nowhere: %+v\n%q", word, f, summary)
		}
	}
	// Whole, or not at all: half a path would be another one.
	rest := summary.Happened + " " + summary.Learned + " " + summary.Next
	for _, name := range slices.Concat(f.Edited, f.Read, f.Commits) {
		rest = strings.ReplaceAll(rest, name, "")
	}
	for _, fix := range f.Fixed {
		for _, name := range fix.Files {
			rest = strings.ReplaceAll(rest, name, "")
		}
	}
	for _, half := range []string{"blank", "r1", "c1", ".go", "subject"} {
		if strings.Contains(rest, half) {
			t.Fatalf("half of a name: %q in %q", half, summary)
		}
	}
}

// isCut says whether a word is only there as the beginning of one that was longer than the room.
func isCut(summary Summary, word string) bool {
	for _, text := range []string{summary.Happened, summary.Learned, summary.Next} {
		if strings.Contains(strings.ToLower(text), word+"…") {
			return true
		}
	}
	return false
}
