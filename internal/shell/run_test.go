package shell

import "testing"

func TestTwoLinesAreTheSameCommand(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"go test ./...", "bash -lc 'go test ./... 2>&1 | tail -20'", true},
		{"go test ./...", "cd /work/app && time go  test ./...", true},
		{"cd web && npm test", "cd /work/app/web; timeout 60 npm test", true},
		{"npm test", "cd web && npm test", false},
		{"go test ./a", "go test ./b", false},
		{"go test ./a", "CGO_ENABLED=0 go test ./a", false},
		{"make build && make test", "make build", false},
		{"rm $A", "rm $B", false},
		{"go test ./a", "timeout -k 5 60 go test ./a", true},
		{"go test ./a", "timeout --signal=KILL 60 nice -n 5 go test ./a", true},
		{"go test ./a", "sudo -u build go test ./a", false},
		{"go test ./a", "env -i go test ./a", false},
		{"env -i A=1 go test ./a", "timeout 9 env -i A=1 go test ./a", true},
		{"go test ./a", "! go test ./a", false},
		{"cd a && cd b && make", "cd a/b && make", true},
		{"cd a && cd b && make", "cd b && make", false},
		{"cd /tmp && cd /work/app/a/ && cd .. && make", "make", true},
		{"cd web && bash -c 'npm test'", "cd web && npm test", true},
		{"cd web && bash -l -c 'cd src && npm test'", "cd web/src && npm test", true},
		{"CI=1 bash -c 'npm test'", "CI=1 npm test", true},
		{"command -v go && go vet", "go vet", true},
	} {
		if got := Form(c.a, "/work/app") == Form(c.b, "/work/app"); got != c.same {
			t.Errorf("%q and %q are the same: %v\n%q\n%q", c.a, c.b, got, Form(c.a, "/work/app"), Form(c.b, "/work/app"))
		}
	}
}

func one(t *testing.T, line string) Run {
	t.Helper()
	list := Runs(line, "/work/app")
	if len(list) != 1 {
		t.Fatalf("%q runs %+v", line, list)
	}
	return list[0]
}

func TestASuccessCoversAFailureOfTheSameOrLess(t *testing.T) {
	for _, c := range []struct {
		passed, failed string
		covers         bool
	}{
		{"go test ./...", "go test ./internal/a", true},
		{"go test ./internal/...", "go test ./internal/a -run TestX", true},
		{"go test ./internal/a", "go test -run TestX ./internal/a", true},
		{"go test -run TestX ./internal/a", "go test ./internal/a", false},
		{"go test -run TestX ./internal/a", "go test -run TestX ./internal/a", true},
		{"go test -run TestY ./internal/a", "go test -run TestX ./internal/a", false},
		{"go test ./internal/b", "go test ./internal/a", false},
		{"go test", "go test ./internal/a", false},
		{"go build ./...", "go test ./...", false},
		{"pytest", "pytest tests/test_a.py::test_x -x", true},
		{"pytest tests", "pytest tests/test_a.py", true},
		{"pytest tests/test_a.py", "pytest", false},
		{"npm run build", "npm run test", false},
		{"npm test", "npm test -- login", true},
		{"cargo test -p core", "cargo test", false},
		{"cargo test", "cargo test -p core", true},
		{"npm test", "FOO=1 npm test", false},
		{"FOO=1 npm test", "FOO=1 npm test -- login", true},
		{"python", "python a.py", false},
		{"python a.py", "python -u a.py", true},
		{"python -m pytest", "python -m pytest tests/test_a.py", true},
		{"python -m pytest tests/test_a.py", "python -m pytest", false},
		{"node", "node a.js", false},
		{"npm run", "npm run test", false},
		{"npm run test", "npm run test -s", true},
	} {
		if got := Try(c.passed, false, "").Shows(Try(c.failed, true, "")) == Sure; got != c.covers {
			t.Errorf("a success of %q covers a failure of %q: %v", c.passed, c.failed, got)
		}
	}
}

func TestASuccessBehindAnotherProgramIsMasked(t *testing.T) {
	for line, masked := range map[string]bool{
		"go test ./...": false, "cd x && go test ./...": false, "go vet ./... && go test ./...": false, "go test ./... | tail -5": true,
		"go test ./... || true": true, "go test ./...; echo done": true, "go test ./... > log 2>&1": false,
		"bash -lc 'go test ./...' || true": true, "bash -lc 'go test ./...' | tail -5": true, "bash -lc 'go test ./...'": false,
		"bash -lc 'go test ./... | tail' && make": false, "bash -lc 'go test ./... || true'": true, "cd x && bash -c 'go test ./...; true'": true,
		"go test ./... &": true, "! go test ./...": true, "go test ./...;": false,
	} {
		list := Runs(line, "")
		if got := list[len(list)-1].Masked; got != masked {
			t.Errorf("%q is masked: %v", line, got)
		}
	}
}

func TestWhatWorkedInsteadDoesTheSame(t *testing.T) {
	for _, c := range []struct {
		failed, worked, problem string
		want                    bool
	}{
		{"go test -foo ./...", "go test ./...", "flag provided but not defined: -foo", true},
		{"go test ./...", "CGO_ENABLED=0 go test ./...", "gcc: command not found", true},
		{"python run.py", "python3 run.py", "python: command not found", true},
		{"npm test", "pnpm test", "this project uses pnpm", true},
		{"npm run tests", "npm run test", `npm error Missing script: "tests"`, true},
		{"npm run build", "npm run test", "TypeError: x is undefined", false},
		{"python a.py", "python b.py", "Traceback\n  File \"a.py\", line 3\nValueError: bad", false},
		{"python scripts/run.py", "python tools/run.py", "python: can't open file 'scripts/run.py': [Errno 2]", true},
		{"npm test", "cd web && npm test", "Could not read package.json", true},
		{"git push", "git push | tail -2", "rejected", false},
		{"cat a.go", "rm a.go", "No such file", false},
		{"go test ./a", "go test ./b", "FAIL ./a", false},
		{"go test ./a", "go test ./a", "flaky", false},
	} {
		if got := Instead(one(t, c.failed), one(t, c.worked), c.problem); got != c.want {
			t.Errorf("%q instead of %q (%s): %v", c.worked, c.failed, c.problem, got)
		}
	}
}
