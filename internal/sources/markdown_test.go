package sources

import (
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/prose"
)

func TestMarkdownBecomesLinesThatStandAlone(t *testing.T) {
	long := strings.Repeat("word ", 60)
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"items, also wrapped": {
			"- Use tabs,\n  never spaces.\n* Ask first\n+ [x] Sign the commits",
			[]string{"Use tabs, never spaces.", "Ask first", "Sign the commits"},
		},
		"a short item gets its heading, a longer one does not": {
			"# proj\n\n- Small commits.\n\n## Commits\n\n- Small ones.\n- Write why, not what.",
			[]string{"Small commits.", "Commits: Small ones.", "Write why, not what."},
		},
		"a heading that turns the meaning round is never left out": {
			"## Don't\n\n- commit generated files to main",
			[]string{"Don't: commit generated files to main"},
		},
		"also one further out": {
			"## Avoid\n\n### Tests\n\n- mocks of our own store in tests\n\n1. first\n2. second",
			[]string{"Avoid: Tests: mocks of our own store in tests", "Avoid: Tests: 1. first 2. second"},
		},
		"names with an at sign are no imports": {
			"- Add @types/node and ask @alice.\n- Rules:\n  - see to it\n  - @docs/a.md\n\nNever read [it](a.md):\n\n    one\n    two\n    three",
			[]string{"Add @types/node and ask @alice.", "Rules: see to it"},
		},
		"a sentence that ends in a colon belongs to its list": {
			"It is strict. Never do the following:\n\n- push to main\n- amend\n\nDone is done.",
			[]string{"It is strict.", "Never do the following: push to main; amend", "Done is done."},
		},
		"a long list repeats it": {
			"Never:\n\n- " + long + "a\n- push to main",
			[]string{"Never: " + strings.TrimSpace(long+"a"), "Never: push to main"},
		},
		"items below items": {
			"- Tests:\n  - no mocks\n  - no sleeps\n- Use Postgres.\n  - port 5433",
			[]string{"Tests: no mocks; no sleeps", "Use Postgres: port 5433"},
		},
		"steps stay in order": {
			"## Release\n\n1. Tag it.\n2. Build it.",
			[]string{"Release: 1. Tag it. 2. Build it."},
		},
		"short code ends a sentence, other code is left out": {
			"Run the tests with:\n\n```sh\n# all\ngo test ./...\n```\n\nThe tree:\n\n```\na\nb\nc\n```\n\n    indented\n",
			[]string{"Run the tests with: `go test ./...`"},
		},
		"a long paragraph is split, but not before a word that leans on what was said": {
			long + "ends. It goes on. Another one.",
			[]string{strings.TrimSpace(long) + " ends. It goes on.", "Another one."},
		},
		"lines that were ended on purpose": {
			"Use TypeScript\nPrefer small functions\nnever default exports",
			[]string{"Use TypeScript", "Prefer small functions never default exports"},
		},
		"a title without a mark": {
			"Easy to break\n\n- No `time.Now` below cmd.\n- globals",
			[]string{"No `time.Now` below cmd.", "Easy to break: globals"},
		},
		"a title in bold": {
			"**Tests**\n\nUse Postgres.\n\n**Never push to main.**",
			[]string{"Tests: Use Postgres.", "Never push to main."},
		},
		"titles with a line below": {"Rules\n=====\n\nTests\n---\n\n- no mocks", []string{"Tests: no mocks"}},
		"tables, rulers, tags, pictures, links, imports and comments": {
			"| a | b |\n|---|---|\n\nc d | e f |\n---|---|\n\n---\n\n<br>\n\n![badge](x.svg)\n\n- [Docs](docs/x.md) — an index\n- https://example.org\n" +
				"- See docs/x.md for more.\n@docs/x.md\n\n<!-- a\nb --> \n\nThis file provides guidance to agents.",
			nil,
		},
		"marks inside a line": {
			"- **Never** use `**/x` of [the guide](https://e.org/g), [here](#a) or [[other]].",
			[]string{"Never use `**/x` of the guide (https://e.org/g), here or other."},
		},
		"quotations": {"> [!NOTE]\n> Ask before you push.", []string{"Ask before you push."}},
		"what hebb wrote": {
			"- Before it.\n\n" + hebbBegin + "\n## Memory\n\n- Ask hebb first.\n" + hebbEnd + "\n\n- Right after it.",
			[]string{"Before it.", "Right after it."},
		},
	} {
		var got []string
		for _, f := range markdownFacts(c.text) {
			got = append(got, f.text)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\ngot  %q\nwant %q", name, got, c.want)
		}
	}
}

// TestTheMarksAreThoseOfWiring reads them from its source: the packages do not know each other.
func TestTheMarksAreThoseOfWiring(t *testing.T) {
	source := must.Get(os.ReadFile("../wiring/snippet.go"))(t)
	for _, mark := range []string{hebbBegin, hebbEnd} {
		if !strings.Contains(string(source), `"`+mark+`"`) {
			t.Errorf("package wiring writes no %s", mark)
		}
	}
}

func TestHeaders(t *testing.T) {
	for text, want := range map[string]string{
		"---\nglobs: *.ts, a/{b,c}\n---\nbody":                   "*.ts a/{b,c}",
		"---\nglobs: [\"a\", 'b']\r\n---\nbody":                  "a b",
		"---\npaths:\n  - \"a/**\"\n  - b\nname: x\n---\nbody":   "a/** b",
		"---\nglobs: a\nalwaysApply: true\n---\nbody":            "",
		"---\napplyTo: \"**\"\n---\nbody":                        "",
		"---\npaths: a\n\nbody":                                  "a", // not closed
		"---\n" + strings.Repeat("  ", 5000) + "a: b\n---\nbody": "",
	} {
		h, body := cutHeader(prose.LineEnds(text))
		if got := strings.Join(globs(h, ""), " "); got != want || strings.TrimSpace(body) != "body" {
			t.Errorf("%.40q: globs %q, body %q", text, got, body)
		}
	}
	if got := globs(header{"globs": {"*.sql"}}, "db"); !slices.Equal(got, []string{"db/*.sql"}) {
		t.Error(got)
	}
}

func FuzzMarkdown(f *testing.F) {
	f.Add("- a\n  1. b\n```\nc\n# d:\n\n> e\n---\n@f")
	f.Add("---\na:\n - b\n===\n**c**\n\t- [d](e)\n<!--")
	f.Fuzz(func(t *testing.T, text string) {
		h, body := cutHeader(text)
		globs(h, "x")
		for _, fact := range append(markdownFacts(body), claudeFacts(h, body)...) {
			if utf8.ValidString(text) && !utf8.ValidString(fact.text) || strings.Contains(fact.text, "\n") {
				t.Errorf("%q", fact.text)
			}
		}
	})
}
