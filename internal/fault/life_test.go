package fault

import (
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
)

// happened reads events from lines: "- command" failed and printed what follows after " => ", "+
// command" ended well, "* file" was changed, "c file" was committed, ". text" ended a turn.
func happened(lines ...string) (events []memory.Event) {
	for _, line := range lines {
		sign, rest, _ := strings.Cut(line, " ")
		command, printed, _ := strings.Cut(rest, " => ")
		e := memory.Event{Kind: memory.ToolUsed, Agent: "claude-code", Tool: "Bash", Input: command, Text: printed}
		switch sign {
		case "-":
			e.Kind, e.Text = memory.ToolFailed, "Exit code 1\n"+printed
		case "*":
			e = memory.Event{Kind: memory.ToolUsed, Tool: "Edit", Touches: []memory.Touch{{Kind: memory.Edit, Path: rest}}}
		case "c":
			e = memory.Event{Kind: memory.Committed, Touches: []memory.Touch{{Kind: memory.Edit, Path: rest}}}
		case ".":
			e = memory.Event{Kind: memory.TurnEnded, Text: rest}
		}
		events = append(events, e)
	}
	return events
}

func TestWhatBecomesOfAFailure(t *testing.T) {
	const (
		broken   = "- go test ./store => --- FAIL: TestRows (0.00s)\n    store_test.go:31: got 3 rows, want 2\nFAIL"
		untyped  = "- mypy src => src/a.py:3: error: Missing return\nFound 1 error in 1 file"
		crashed  = "- node scripts/sync.js => TypeError: Cannot read properties of null (reading 'id')\n    at x (/w/scripts/sync.js:4:2)"
		compiled = "- npm run build => src/a.ts(2,28): error TS2345: Argument of type 'x' is not assignable"
	)
	for name, c := range map[string]struct {
		lines []string
		want  State
	}{
		"nothing followed":                        {[]string{broken}, Open},
		"it was only looked at":                   {[]string{broken, "+ git log -3", "+ cat store/a.go", "+ go version", "+ python -c 'print(1)'", ". It fails."}, Open},
		"the same passed":                         {[]string{broken, "* store/a.go", "+ go test ./store"}, Over},
		"all passed":                              {[]string{broken, "* store/a.go", "+ go test ./..."}, Over},
		"all passed somewhere else":               {[]string{broken, "+ cd web && npm test"}, Open},
		"all passed behind a pipe":                {[]string{broken, "* store/a.go", "+ go test ./... | tail -3"}, Unknown},
		"another test passed":                     {[]string{broken, "+ go test -run TestOther ./store"}, Open},
		"it only compiles":                        {[]string{broken, "+ go build ./... && go vet ./..."}, Open},
		"changed and not run":                     {[]string{broken, "* store/a.go"}, Unknown},
		"changed, and the turn ended":             {[]string{broken, "* store/a.go", ". Done."}, Likely},
		"a document was changed":                  {[]string{broken, "* README.md", "c README.md"}, Open},
		"its own change was committed":            {[]string{"* store/a.go", broken, "c store/a.go"}, Open},
		"somebody committed":                      {[]string{broken, "c store/b.go"}, Unknown},
		"a script ran that may do anything":       {[]string{broken, "+ bin/ci"}, Unknown},
		"packages were installed":                 {[]string{broken, "+ npm install left-pad"}, Unknown},
		"the work was put aside":                  {[]string{broken, "+ git stash"}, Unknown},
		"a runner passed":                         {[]string{untyped, "+ make lint"}, Unknown},
		"tests do not check types":                {[]string{untyped, "+ pytest -q"}, Open},
		"the program ran":                         {[]string{crashed, "* scripts/sync.js", "+ node scripts/sync.js"}, Over},
		"tests of the same tools":                 {[]string{compiled, "* src/a.ts", "+ npm test"}, Unknown},
		"muted, and it says that it failed":       {[]string{"+ npm test 2>&1 | tail => 14 passing\n  1 failing\n  1) poll\n     Error: Timeout of 2000ms exceeded"}, Open},
		"a tool that is not known by its words":   {[]string{"- mix test => 1) test greets (HelloTest)\n     test/hello_test.exs:5\n     Assertion with == failed\n2 tests, 1 failure"}, Open},
		"a compiler that indents":                 {[]string{"- mix compile =>     error: undefined variable \"x\"\n    │\n    └─ lib/a.ex:3:5\n== Compilation error in file lib/a.ex =="}, Open},
		"a linter":                                {[]string{"- shellcheck deploy.sh => In deploy.sh line 3:\nssh $HOST ls\n    ^---^ SC2086 (info): Double quote to prevent globbing"}, Open},
		"how it ended is all that is known":       {[]string{"- go test ./..."}, Open},
		"it came back":                            {[]string{broken, "* store/a.go", "+ go test ./store", broken}, Open},
		"another error of the same command since": {[]string{broken, "* store/a.go", "- go test ./store => store/a.go:3:2: undefined: x", "* store/a.go", "+ go test ./store"}, Over},
	} {
		list := Follow(happened(c.lines...), "codex")
		if len(list) == 0 || list[len(list)-1].State != c.want {
			t.Errorf("%s: %+v, want %d", name, list, c.want)
		}
	}
}

func TestWhatIsNoFailureOfTheWork(t *testing.T) {
	for _, line := range []string{
		"- grep -rn x src", "- cat src/confg.py => cat: src/confg.py: No such file or directory", "- cd srv && npm test => bash: line 1: cd: srv: No such file or directory",
		"- ruff check . => bash: line 1: ruff: command not found", "- python -m pytest => /usr/bin/python: No module named pytest", "- make tset => make: *** No rule to make target 'tset'.  Stop.",
		"- npm run tset => npm error Missing script: \"tset\"", "- cargo build => error: failed to download from `https://crates.io/x`\n\nCaused by:\n  [6] Could not resolve hostname",
		"- cargo build => error: linker `cc` not found\n  |\n  = note: No such file or directory (os error 2)", "- go test ./... => dial tcp: lookup db: no such host\n--- FAIL: TestDB (0.0s)",
		"- pytest tests/e2e => Command timed out after 2m 0s\ntests/e2e/a.py::test PASSED", "- npm run dev & sleep 4; kill $! => npm ERR! signal SIGTERM",
		"- ./gradlew build => * What went wrong:\nExecution failed for task ':compileJava'.\n> Could not resolve com.acme:x:1.\n   > Could not GET 'https://repo/x'. Connect timed out",
		"- curl localhost:3000 => curl: (7) Failed to connect", "- docker compose ps => permission denied while trying to connect to the Docker daemon socket",
		"- pytest => requests.exceptions.ConnectionError: HTTPSConnectionPool(host='x'): Max retries exceeded\n1 failed in 3s",
		"- npm install => npm ERR! network read ECONNRESET", "+ go test ./... 2>&1 | tail => ok  \texample.com/errors\t1.203s", "+ npm test | tail => log: Error: refused\n21 passing\n0 failing",
	} {
		if list := Follow(happened(line), "codex"); len(list) > 0 {
			t.Errorf("%s: %+v", line, list)
		}
	}
}

func TestTheLinesThatTellWhy(t *testing.T) {
	for text, want := range map[string]string{
		"Exit code 1\n  14 passing (2s)\n  1 failing\n\n  1) poll\n       resolves:\n     Error: Timeout of 2000ms exceeded":                                                    "     Error: Timeout of 2000ms exceeded",
		"test tests::adds ... FAILED\n\n---- tests::adds stdout ----\nthread 'tests::adds' panicked at src/lib.rs:9:9:\nassertion `left == right` failed\n  left: 3\n right: 4": "test tests::adds ... FAILED|---- tests::adds stdout ----|thread 'tests::adds' panicked at src/lib.rs:9:9:|assertion `left == right` failed",
		"There was 1 failure:\n\n1) SettingsTest::testX\nFailed asserting that 'de' matches expected 'en'.\n\n/w/tests/SettingsTest.php:12\nFAILURES!":                          "Failed asserting that 'de' matches expected 'en'.|/w/tests/SettingsTest.php:12",
		"67% tests passed, 1 tests failed out of 3\nThe following tests FAILED:\n\t  3 - parser_test (Failed)":                                                                  "The following tests FAILED:|\t  3 - parser_test (Failed)",
		"--- FAIL: TestRows (0.00s)\n    store_test.go:31: got 3 rows, want 2\nFAIL\nFAIL\tx/store\t0.006s":                                                                     "--- FAIL: TestRows (0.00s)|    store_test.go:31: got 3 rows, want 2",
		"> Task :compileKotlin FAILED\ne: file:///w/A.kt:3:5 Unresolved reference: foo\nExecution failed for task ':compileKotlin'.\nmain.go":                                   "> Task :compileKotlin FAILED|e: file:///w/A.kt:3:5 Unresolved reference: foo|Execution failed for task ':compileKotlin'.",
	} {
		if got := strings.Join(Telling(text), "|"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
