package answer_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/ranking"
)

func TestAKnownFixArrivesWithTheError(t *testing.T) {
	l := newSite(t)
	l.happened("first", "!go run ./cmd|listen tcp :8080: bind: address already in use", "@src/api/users.go", "go run ./cmd")
	out := l.fails("run", "go run ./cmd", "2026/11/20 09:00:01 main.go:77: listen tcp 127.0.0.1:9999: bind: address already in use\nexit status 1")
	shows(t, "the error with another port", out, "- src/api/users.go fixed this error in one session (15 Nov; after the change this passed: “go run ./cmd”)\n")
	if len(out.Lines) != 1 || out.Lines[0].Moment != memory.AtError || out.Lines[0].Offer != memory.OfferFix || out.Lines[0].Path != "src/api/users.go" {
		t.Errorf("lines %+v", out.Lines)
	}
	shows(t, "again in the session", l.fails("run", "go run ./cmd", "bind: address already in use"), "")
	shows(t, "another error", l.fails("two", "go run ./cmd", "open config.yml: permission denied"), "")
	shows(t, "only an exit status", l.fails("three", "go run ./cmd", "exit status 1"), "")
}

func TestWithoutASuccessThereIsNoFix(t *testing.T) {
	const failed = "!go test ./shop|--- FAIL: TestImport (0.03s)"
	for name, sessions := range map[string][][]string{
		"12 of 12 failures":          {{failed, "@src/importer.go", failed, "@src/importer.go", failed, "@src/importer.go", failed}, {failed, "@src/importer.go", failed, failed, failed}, {failed, "@src/importer.go", failed, failed, failed}},
		"no change":                  {{failed, "go test ./shop"}},
		"another command passed":     {{failed, "@src/importer.go", "go build ./..."}},
		"less passed":                {{failed, "@src/importer.go", "go test -run TestOther ./shop"}},
		"a pipe hides the outcome":   {{failed, "@src/importer.go", "go test ./shop | tail -3"}},
		"too many changes":           {{failed, "@a.go", "@b.go", "@c.go", "@d.go", "go test ./shop"}},
		"passed in another session":  {{failed, "@src/importer.go"}, {"go test ./shop"}},
		"it was another test":        {{"!go test ./shop|--- FAIL: TestExport (0.03s)", "@src/exporter.go", "go test ./shop"}},
		"it was said of another one": {{"!go test ./shop|--- FAIL: TestImport2 (0.03s)", "@src/exporter.go", "go test ./..."}},
	} {
		t.Run(name, func(t *testing.T) {
			l := newSite(t)
			for i, steps := range sessions {
				l.happened(fmt.Sprint("s", i), steps...)
				l.Later(time.Hour)
			}
			shows(t, "the error", l.fails("run", "go test ./shop", "--- FAIL: TestImport (0.07s)\n    importer_test.go:12: got 3"), "")
			out := braintest.Must(l.Lab, ranking.Recall, ranking.RecallInput{Scope: brain.Scope{Project: l.Place.Project().String()}, Text: "fix --- FAIL: TestImport (0.07s)"})
			if len(out.Fixes) != 0 {
				t.Errorf("the prompt has fixes %+v", out.Fixes)
			}
		})
	}
}

func TestAWiderSuccessProvesAFix(t *testing.T) {
	l := newSite(t)
	l.happened("first", "!go test -run TestImport ./shop|--- FAIL: TestImport (0.03s)", "@src/importer.go", "go test ./...")
	shows(t, "the error", l.fails("run", "go test ./shop", "--- FAIL: TestImport (1.07s)"), "src/importer.go fixed this error in one session")
	other := l.Event(memory.ToolFailed, 0)
	other.AgentSession, other.Text, other.Place = "elsewhere", "--- FAIL: TestImport (1.07s)", memory.Place{Identity: "/other", Root: "/other"}
	shows(t, "another project", l.AnswerTo(other), "")
}

func TestAnErrorThatNamesNothingNeedsItsPlace(t *testing.T) {
	const text = "TypeError: Cannot read properties of undefined (reading 'id')\n    at load (/w/src/%s:3:4)"
	l := newSite(t)
	l.happened("first", "!npm start|"+fmt.Sprintf(text, "cart.ts"), "@src/cart.ts", "npm start")
	shows(t, "at the same place", l.fails("run", "npm start", fmt.Sprintf(text, "cart.ts")), "src/cart.ts fixed this error")
	shows(t, "elsewhere", l.fails("two", "npm start", fmt.Sprintf(text, "login.ts")), "")
	shows(t, "without a place", l.fails("three", "npm start", "TypeError: Cannot read properties of undefined (reading 'id')"), "")
}

func TestAFixWhereTheErrorWasIsNoFixElsewhere(t *testing.T) {
	const text = "src/%s: error TS2322: Type 'string' is not assignable to type 'number'."
	l := newSite(t)
	l.happened("first", "!npx tsc|"+fmt.Sprintf(text, "cart.tsx(3,7)"), "@web/src/cart.tsx", "npx tsc")
	shows(t, "another file", l.fails("run", "npx tsc", fmt.Sprintf(text, "checkout.tsx(9,2)")), "")
	shows(t, "a file of the same name", l.fails("run", "npx tsc", "lib/"+fmt.Sprintf(text, "old/cart.tsx(9,2)")), "")
	shows(t, "the same file", l.fails("two", "npx tsc", fmt.Sprintf(text, "cart.tsx(40,1)")), "- web/src/cart.tsx fixed this error in one session")
	shows(t, "from another folder", l.fails("three", "npx tsc", "/w/web/"+fmt.Sprintf(text, "cart.tsx(40,1)")), "- web/src/cart.tsx fixed this error in one session")
	out := braintest.Must(l.Lab, ranking.Recall, ranking.RecallInput{Scope: brain.Scope{Project: l.Place.Project().String()}, Text: fmt.Sprintf(text, "checkout.tsx(9,2)")})
	if len(out.Fixes) != 0 {
		t.Errorf("the prompt has fixes %+v", out.Fixes)
	}

	l.happened("types", "!npx tsc|src/a.tsx(1,1): error TS2304: Cannot find name 'Money'.", "@types/global.d.ts", "npx tsc")
	shows(t, "the fix was made in another file", l.fails("four", "npx tsc", "src/b.tsx(1,1): error TS2304: Cannot find name 'Money'."), "- types/global.d.ts fixed this error")
}

func TestAMemoryThatQuotesTheErrorArrivesWithIt(t *testing.T) {
	l := newSite(t)
	l.remember(memory.Lesson, "address already in use means that the old dev server still runs: stop it with bin/stop", braintest.By(memory.OriginAgent))
	l.remember(memory.Fact, "TestImport needs the fixtures of bin/fetch")
	l.remember(memory.Lesson, "the address of the server is already in the config", braintest.By(memory.OriginAgent))
	out := l.fails("run", "npm start", "Error: listen EADDRINUSE: address already in use :::3000")
	shows(t, "an error that is quoted", out, "- agent, 15 Nov: “address already in use means that")
	if len(out.Lines) != 1 || !strings.HasSuffix(out.Text, "”\n") {
		t.Errorf("shown %q", out.Text)
	}
	shows(t, "again", l.fails("run", "npm start", "bind: address already in use"), "")
	shows(t, "a test that is named", l.fails("run", "go test ./...", "--- FAIL: TestImport (0.07s)"), "- user, 15 Nov: “TestImport needs the fixtures of bin/fetch”")
	shows(t, "another test", l.fails("two", "go test ./...", "--- FAIL: TestImporter (0.07s)"), "")
}
