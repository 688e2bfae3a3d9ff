package statements

import (
	"strings"
	"testing"
)

// call reads one from a line: $ command, or path | added, with ! before a file that is new.
func call(text string) Call {
	if line, ok := strings.CutPrefix(text, "$ "); ok {
		return Call{Command: line, Row: row}
	}
	file, added, _ := strings.Cut(text, " | ")
	file, isNew := strings.CutPrefix(file, "!")
	return Call{Paths: []string{file}, New: isNew, Added: added, Row: row}
}

// row knows the common words of these statements.
func row(word string) []float32 {
	const common = " sleep testifi expos log token push main panic print default export migrat unsaf public api final silenc linter git add everyth name global "
	if strings.Contains(common, " "+word+" ") {
		return []float32{1}
	}
	return nil
}

func TestACallIsHeldAgainstWhatWasSaid(t *testing.T) {
	for _, c := range []struct {
		said           string
		breaks, passes []string
	}{
		// what is forbidden
		{"never sleep in tests", []string{"a_test.go | time.Sleep(time.Second)"},
			[]string{"a.go | time.Sleep(time.Second)", "a_test.go | // sleep (1)"}},
		{"we don't want testify", []string{`a_test.go | import "github.com/stretchr/testify/require"`}, []string{`a_test.go | import "testing"`}},
		{"prod port is 2019, don't expose it", []string{"Dockerfile | EXPOSE 2019"}, []string{"Dockerfile | EXPOSE 8080"}},
		{"no `any`", []string{"a.ts | const x: any = 1"}, []string{"a.ts | // any of these"}},
		{"never log tokens", []string{"a.py | logger.info(token)"}, []string{"a.py | logger.info(count)", `a.py | logger.info("a token was made")`}},
		{"axios is banned, we have a wrapper", []string{`src/a.ts | import axios from "axios"`}, []string{`src/a.ts | import { get } from "./http"`}},
		{"no --no-verify, fix the hook", []string{`$ git commit --no-verify -m "x"`}, []string{`$ git commit -m "x"`}},
		{"never push to main", []string{"$ git push origin main"},
			[]string{"$ git push origin feature/main-menu", "$ git diff main", `$ git commit -m "push to main"`}},
		{"no force pushing", []string{"$ git push -fu origin x"}, []string{"$ git push origin x", "$ git fetch --force"}},
		{"no credentials in the repo", []string{"a.go | Password: [redacted:secret:ab12]"}, []string{`a.go | Password: os.Getenv("P")`}},
		{"don't add dependencies without asking", []string{"$ npm i lodash", "$ go get x.org/y"}, []string{"$ npm ci", "$ go mod tidy", "$ pnpm install --frozen-lockfile"}},
		// where
		{"no unwrap() outside tests", []string{"src/lib.rs | let x = y.unwrap();"},
			[]string{"tests/it.rs | let x = y.unwrap();", "src/lib.rs | y.unwrap_or(3)"}},
		{"panics are only ok in main()", []string{"a/b.go | panic(err)"}, []string{"cmd/x/main.go | panic(err)"}},
		{"no print in the python code, use logging", []string{"app/x.py | print(x)"}, []string{"src/x.rs | print(x)"}},
		// what is not to be changed
		{"generated files (*_gen.go) are off limits", []string{"api/types_gen.go | x"}, []string{"api/types.go | x"}},
		{"leave src/generated alone", []string{"src/generated/api.ts | x", "$ gofmt -w src/generated/a.go"},
			[]string{"src/api.ts | x", "$ ls src/generated", "$ go test ./src/generated/..."}},
		{"migrations are never edited after merge", []string{"db/migrations/1.sql | alter table x"}, []string{"!db/migrations/2.sql | create table y"}},
		// what is demanded instead, or first
		{"use pnpm, not npm", []string{"$ npm install left-pad", "Dockerfile | RUN npm ci"}, []string{"$ pnpm install", "$ grep -r npm ."}},
		{"use npm ci instead of npm install", []string{"$ npm install"}, []string{"$ npm ci"}},
		{"prefer pathlib over os.path", []string{"a.py | p = os.path.join(a, b)"}, []string{"a.py | p = Path(a) / b"}},
		{"Run `make lint vet` before you commit", []string{"$ git commit -m x"},
			[]string{"$ make lint", "$ make lint vet", "$ make lint vet && git commit -m x", "$ git status"}},
		{"before tagging a release, update CHANGELOG.md", []string{"$ git tag v1.2.0"}, []string{"$ git tag --list", "CHANGELOG.md | - x"}},
		{"squash before opening a pull request", []string{"$ gh pr create --fill"}, []string{"$ gh pr list"}},
		{"run the go tests with the race detector", []string{"$ go test ./..."}, []string{"$ go test -race ./...", "$ pytest tests"}},
		// what is called otherwise, see signs.txt
		{"no class components", []string{"a.jsx | class App extends React.Component {"}, []string{"src/components/a.js | class Api {"}},
		{"don't silence the linter", []string{"a.py | import os  # noqa"}, []string{"a.py | import os  # the linter"}},
		{"never build SQL with f-strings", []string{`a.py | run(f"select id from a where b = '{c}'")`}, []string{`a.py | run("select id from a where b = ?", c)`}},
		{"never git add everything", []string{"$ git add -A"}, []string{"$ git add a.go"}},
		{"use the logger instead of console.log", []string{"a.ts | console.debug(x)"}, []string{"a.ts | logger.info(x)"}},
		{"no golang globals", []string{"a.go | global x"}, []string{"a.py | global x"}},
		// what something else is demanded instead of
		{"only named exports", []string{"a.tsx | export default A"}, []string{"a.tsx | export { A }"}},
		{"the web app is on pnpm", []string{"$ npm ci", "ci.yml | - run: yarn build"}, []string{"$ pnpm install", "$ make build"}},
		{"we use httpx for calls", []string{"a.py | import requests"}, []string{"a.py | import httpx", "a.py | for r in requests:"}},
		{"npm is slow", nil, []string{"$ yarn build"}},
		// what no call shows
		{"if unsure ask first", nil, []string{"a.go | ask(first)", "$ npm test"}},
		{"if the build is red, don't merge", nil, []string{"$ gh pr merge 1"}},
		{"why don't we use axios?", nil, []string{`src/a.ts | import axios from "axios"`}},
		{"index.md has no headings", nil, []string{"docs/index.md | text"}},
		{"keep functions small", nil, []string{"a.py | def small():"}},
		{"select * is fine, `drop` is not", nil, []string{"a.sql | select * from a"}},
		{"", nil, []string{"$ ", "a.go | ", "$ git commit"}},
	} {
		for i, text := range append(c.breaks, c.passes...) {
			if got, want := Look(call(text)).Against(c.said), i < len(c.breaks); got != want {
				t.Errorf("%q goes against %q: %v, want %v", text, c.said, got, want)
			}
		}
	}
}

func TestWhatWasRunBeforeIsObeyed(t *testing.T) {
	c := Call{Command: "git commit -m x", Ran: []string{"make lint"}, Row: row}
	if Look(c).Against("Run `make lint` before you commit") {
		t.Error("make lint was run")
	}
	if !Look(Call{Paths: []string{"CHANGELOG.md"}, Row: row}).Obeys("update CHANGELOG.md before you tag") {
		t.Error("CHANGELOG.md is changed")
	}
}

func TestASignHasPhrasesAndPieces(t *testing.T) {
	lines := map[string]string{}
	for line := range strings.Lines(signsFile) {
		phrases, looks, _ := strings.Cut(strings.TrimSpace(line), " = ")
		for phrase := range strings.SplitSeq(phrases, ", ") {
			if lines[phrase] != "" {
				t.Errorf("%q is in two lines: %s%s", phrase, lines[phrase], line)
			}
			lines[phrase] = line
		}
		for piece := range strings.SplitSeq(looks, "; ") {
			if len(strings.Trim(piece, "#~")) < 2 || piece != strings.ToLower(piece) || strings.Contains(piece, ";") {
				t.Errorf("no piece: %q of %q", piece, phrases)
			}
		}
	}
}

func FuzzAStatementIsRead(f *testing.F) {
	f.Add("no `any`, (use - unknown", "$ git commit -m 'x")
	f.Add("* - never `` ()", "a_test.go | \n\"")
	f.Fuzz(func(_ *testing.T, said, text string) {
		s := Look(call(text))
		s.Against(said)
		s.Obeys(said)
	})
}
