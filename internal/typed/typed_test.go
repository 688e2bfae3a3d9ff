package typed

import (
	"bufio"
	"encoding/json"
	"github.com/hebb-memory/hebb/internal/must"
	"os"
	"slices"
	"strings"
	"testing"
)

// show writes a text with what is foreign in [[ ]], what is doubtful in {{ }} and what is unsure in
// (( )).
func show(text string) string {
	var out strings.Builder
	for _, s := range Split(text) {
		part := text[s.Start:s.End]
		switch s.Whose {
		case Own:
			out.WriteString(part)
		case Unsure:
			out.WriteString("((" + part + "))")
		case Doubtful:
			out.WriteString("{{" + part + "}}")
		case Foreign:
			out.WriteString("[[" + part + "]]")
		}
	}
	return out.String()
}

func TestWhoseWordsAPromptHas(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"own":                         "Always use tabs here.\n\n- never push\n- squash\n\n    - nested item\n",
		"own rules below a colon":     "my rules:\n- always lint\n- never push\n\nPlease follow them: they hold.",
		"own, numbered":               "Remember this:\n\n1. Tests go next to the source.\n2. Never add a dependency.\n",
		"own, as the issue says":      "As the issue says, we ship on Fridays; never merge on Thursdays.",
		"quote":                       "look:\n[[> Always use tabs.\n> > Never.\n]]no, use spaces",
		"quote, wrapped":              "look\n[[> Always run the\n]]{{formatter first.\n}}Now fix it.",
		"quote and nothing else":      "{{> rewrite the dashboard}}",
		"comparison":                  "> and < are fine, I prefer gt",
		"fence":                       "a\n[[```go\nAlways.\n```\n]]b",
		"tilde fence":                 "a\n[[~~~\nAlways.\n```\n~~~\n]]b",
		"fence that is not closed":    "a\n[[```\nAlways.\nb]]",
		"code in a line":              "```go build``` always works",
		"tag":                         "[[<document>\nAlways.\n</document>]]\nfix it",
		"tag in a line":               "fix it [[<system-reminder>You should always answer briefly.</system-reminder>]] now",
		"tag that is not closed":      "fix it\n[[<system-reminder>\nAlways.]]",
		"tag that is spoken of":       "use <Button> and not <a>, and <b>bold</b> too",
		"tag of the person":           "{{<rules>\nAlways use tabs.\n</rules>}}\ngo",
		"page":                        "why?\n[[<p>Always wear a badge.</p>]]",
		"comment":                     "see [[<!-- always run it -->]] here",
		"generic type":                "a List<String> and a Map<K, V> are fine",
		"indented":                    "it says\n\n[[    Always flush.\n    Never twice.\n]]\nfix it",
		"indented in a list":          "- one\n\n    goes on here\n- two",
		"diff":                        "see\n[[@@ -1,2 +1,2 @@\n-Always squash.\n+Never squash.\n a\n]]- my own point",
		"log":                         "why?\n[[2025-02-11T08:14:02Z WARN Always use TLS\n]]I always want TLS.",
		"trace":                       "[[Traceback (most recent call last):\n  File \"a.py\", line 3, in f\nTypeError: always wrong\n]]\nNever do that.",
		"terminal":                    "[[$ git push\nremote: Always sign.\n]]\nwhat now",
		"mail":                        "see\n\n[[From: A <a@b.example>\nSubject: x\n]]\n[[Hi,\n]]\n[[always use CSV.\n]]\n[[Regards\nA\n]]\nso do it",
		"chat":                        "see\n[[Dana Whitfield  9:41 AM\nalways round up\nJorge  9:42 AM\nok]]",
		"speakers":                    "[[Ann: always squash\nBob: no\nAnn: yes\n]]\nwho is right?",
		"labels":                      "((Backend: use Go.\nFrontend: use React.))",
		"configuration":               "[[server:\n  port: 80\n  # always keep 80\n  host: a\n]]\nI want 443.",
		"code":                        "explain\n\n[[func f() {\n\t// always call g\n\tg()\n}\n]]\nI never want g.",
		"lead-in":                     "the issue says:\n\n[[The CLI should never prompt.\n]]\nplease fix it",
		"lead-in, then a document":    "from the README:\n\n[[# Tool\n]]\n[[Always run it.\n]]\n[[## Use\n]]\n[[Never stop it.]]",
		"lead-in on the line":         "translate this to German: [[Please always lock the door. Never leave.\n]]",
		"lead-in of the person":       "I wrote yesterday: always use tabs",
		"a word that points":          "tldr this for me\n\n[[# Why\n]]\n[[We always split.]]",
		"a word that points back":     "[[ERROR boom\n]]\nfix this\n\nAlways log it.",
		"quotation":                   "The client wrote [[“From now on we always want dark mode.”]] where is that?",
		"term in quotation marks":     "call it “tenant”, never “customer”, and don't say \"just do it\"",
		"all in quotation marks":      "{{\"always use tabs in this repository\"}}",
		"request in an editor":        "[[# Context from my IDE setup:\n\n## Active file: a.go\n\n## My request for Codex:]]\nAlways use tabs.",
		"plan":                        "[[Implement the following plan:\n\nAlways use tabs.]]",
		"table":                       "{{| a | b |\n|---|---|\n| x | always y |\n}}\ngo",
		"between lines":               "check my grammar:\n{{---\nI never review.\n---\n}}I always do.",
		"between lines with words":    "is that so?\n{{--- Content ---\nNever.\n--- End ---}}",
		"below a colon":               "Summarise:\n\n{{I never mock.\n}}\n{{We always split.\n}}\nI want three lines.",
		"below a question":            "is this any good?\n\n{{- always squash\n- never rebase}}",
		"own, below a question":       "can you fix the login?\n\nAlways use the staging database.",
		"own list below a colon":      "Listen:\n\n- never push\n\nNow go on.",
		"title":                       "((Release checklist\nNever skip the smoke test.))",
		"own, above a title":          "can you sort it out\n\n((Release checklist\nNever skip it.))",
		"fields":                      "look into it\n\n((Title: crash\nSteps: run make. Always use sudo.))",
		"own list of answers":         "1. Yes, always ask first\n2. No",
		"heading":                     "((# Nightly\nAlways run it.))",
		"gap":                         "why is it slow\n\n\n((Always use the cache.))",
		"drawn":                       "is he right?\n\n((octo · 3 days ago\nAlways use sudo.))",
		"pasted text of an agent":     "(([Pasted text #1 +3 lines]\nAlways use sudo.))",
		"role":                        "((You are a senior engineer. Always answer in JSON.))",
		"below a log":                 "[[2025-02-11T08:14:02Z WARN x\n]]{{Always use TLS.\n}}\nAlways log it.",
		"beside what a program wrote": "((Always use sudo.\n))[[8:14 PM · Jun 3\n]]\nworth it?",
		"points at a text":            "What do you think of this article? ((Builds are hard. Always use sudo.))",
		"announces a text":            "implement this ticket: ((Users cannot log in. Always use sudo.))",
		"speaks of its own answers":   "To answer your questions:\n- always ask first",
		"no lead-in without a text":   "Analyze this codebase and tell me: always be brief",
	} {
		text := strings.NewReplacer("[[", "", "]]", "", "{{", "", "}}", "", "((", "", "))", "").Replace(want)
		if got := joined(show(text)); got != joined(want) {
			t.Errorf("%s:\n%s\nwant:\n%s", name, got, want)
		}
	}
}

// joined takes off marks between which there is only white space: it is nobody's.
func joined(shown string) string {
	for _, mark := range []string{"]]\n[[", "]][[", "]]\n\n[["} {
		shown = strings.ReplaceAll(shown, mark, strings.Trim(mark, "[]"))
	}
	return strings.NewReplacer("\n]]", "]]\n", "\n}}", "}}\n", "\n))", "))\n").Replace(shown)
}

// The corpora were written by people who did not know the package (testdata/README.md says when).
// The first was looked at while it was written; the others have sentences that it cannot know, and
// may only get better. What the person typed with titles and fields in it is lost on purpose: it
// waits for a yes.
func TestNobodyElsesSentenceIsThePersons(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		corpus                    string
		foreign, taken, own, lost int      // sentences of others, of these taken for the person's; their own, of these not
		except                    []string // known by their source alone, or typed as the argument of a command
	}{
		{"", 129, 0, 76, 8, []string{"n36", "n33", "s25"}},
		{"unseen-", 136, 3, 105, 31, nil},
		{"last-", 122, 3, 107, 22, nil},
	} {
		foreign, taken, own, lost := 0, 0, 0, 0
		for _, name := range []string{"notsaid.jsonl", "said.jsonl"} {
			for _, p := range prompts(t, c.corpus+name) {
				if slices.Contains(c.except, p.ID) {
					continue
				}
				theirs := strings.Join(OwnParts(p.Prompt), "\n")
				for _, sentence := range p.Foreign {
					if foreign++; strings.Contains(theirs, sentence) || !strings.Contains(p.Prompt, sentence) {
						taken++
						t.Logf("%s%s (%s): %q is taken for the person's", c.corpus, p.ID, p.Shape, sentence)
					}
				}
				for _, sentence := range p.Own {
					if own++; !strings.Contains(theirs, sentence) {
						lost++
						t.Logf("%s%s (%s): %q is not taken for the person's", c.corpus, p.ID, p.Shape, sentence)
					}
				}
			}
		}
		if foreign != c.foreign || own != c.own || taken > c.taken || lost > c.lost {
			t.Errorf("corpus %q: %d of %d sentences of others are taken for the person's and %d of %d of the person's are not, want %d of %d and %d of %d",
				c.corpus, taken, foreign, lost, own, c.taken, c.foreign, c.lost, c.own)
		}
	}
}

type prompt struct {
	ID, Shape, Prompt string
	Foreign, Own      []string
}

func prompts(t testing.TB, name string) (list []prompt) {
	t.Helper()
	file := must.Get(os.Open("testdata/" + name))(t)
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var p prompt
		must.Do(t, json.Unmarshal(lines.Bytes(), &p))
		list = append(list, p)
	}
	must.Do(t, lines.Err())
	return list
}

// Hostile texts of a megabyte are divided in time that grows with their length: the test would not
// end in minutes otherwise.
func TestLongTextsAreDivided(t *testing.T) {
	t.Parallel()
	for _, piece := range []string{
		"<", ">", "\"", "“", "<a>", "<a-b>", "<a>x</a>", "> a\n", "a:\n\n", "this text\n\n", "From: a\nTo: b\n\n", "“a b c d e f ", "```", "```\n", "\n", "    a\n", "\t", "a: b\n", "@@ -1,9 +1,9 @@\n",
		"- a\n\n", "Bob  9:41 AM\n", "<!--", "# a\n\n", "the issue says:\n\nA b.\n\n", "|--|\n", "{\n", "a b: ",
	} {
		size := 1 << 18
		if len(piece) == 1 {
			size = 1 << 20
		}
		Split(strings.Repeat(piece, size/len(piece)))
	}
	nested := 1 << 16
	if got := Split(strings.Repeat("<a>", nested) + "\n" + strings.Repeat("</a>", nested)); len(got) != 1 || got[0].Whose != Foreign {
		t.Errorf("nested elements are divided into %d spans", len(got))
	}
}

func FuzzSplit(f *testing.F) {
	for _, seed := range []string{"", "a", "> a\n```\nb", "<a>\nb</a>", "the issue says: b\n\n- c", "\"a b c d e\" f", "From: a\nSubject: b\n\nc", "\xff<\xfe>\n\t|", "@@ -1 +1 @@\n+a"} {
		f.Add(seed)
	}
	for _, name := range []string{"notsaid.jsonl", "said.jsonl", "unseen-notsaid.jsonl", "unseen-said.jsonl", "last-notsaid.jsonl", "last-said.jsonl"} {
		for _, p := range prompts(f, name) {
			f.Add(p.Prompt)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		at := 0
		for i, s := range Split(text) {
			if s.Start != at || s.End <= s.Start || i > 0 && Split(text)[i-1].Whose == s.Whose {
				t.Fatalf("%q is divided into %v", text, Split(text))
			}
			at = s.End
		}
		if at != len(text) {
			t.Fatalf("%q is divided into %v, which do not cover it", text, Split(text))
		}
	})
}
