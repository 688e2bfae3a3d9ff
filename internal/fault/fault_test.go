package fault

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"github.com/hebb-memory/hebb/internal/must"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// realFaults are error texts as tools print them, with the family each belongs to. The payload ones
// are from design/payloads: what coding agents hand to a hook when a tool failed.
var realFaults = []struct{ name, text, want string }{
	// the vectors of the design (V15)
	{"V15 property of null", "TypeError: Cannot read property 'foo' of null", "TYPE_ERROR|property_access"},
	{"V15 refused", "connect ECONNREFUSED 127.0.0.1:5432", "CONNECTION_REFUSED|connecting"},
	{"V15 rust", "error[E0308]...", "RUST_COMPILE_ERROR|unknown"},
	{"V15 module", "ModuleNotFoundError: No module named 'requests'", "IMPORT_ERROR|importing"},

	// Go
	{"go panic", "panic: runtime error: invalid memory address or nil pointer dereference\n[signal SIGSEGV: segmentation violation code=0x1 addr=0x0 pc=0x47f3a2]\n\ngoroutine 1 [running]:\nmain.main()\n\t/home/dev/proj/main.go:12 +0x1d\nexit status 2", "GO_PANIC|property_access"},
	{"go index", "panic: runtime error: index out of range [5] with length 3\n\ngoroutine 1 [running]:", "GO_PANIC|indexing"},
	{"go handler panic", "2026/11/15 00:07:06 http: panic serving 127.0.0.1:53412: runtime error: invalid memory address or nil pointer dereference", "GO_PANIC|property_access"},
	{"go test", "=== RUN   TestParse\n    parse_test.go:31: got 3, want 4\n--- FAIL: TestParse (0.00s)\nFAIL\nFAIL\tgithub.com/hebb-memory/hebb/internal/recall\t0.004s\nFAIL", "TEST_FAILURE|testing"},
	{"go build", "# github.com/hebb-memory/hebb/internal/store\ninternal/store/open.go:12:5: undefined: openFile", "GO_COMPILE_ERROR|unknown"},
	{"go unused", "./main.go:7:2: declared and not used: count", "GO_COMPILE_ERROR|unknown"},
	{"go import unused", "./main.go:4:2: \"os\" imported and not used", "GO_COMPILE_ERROR|unknown"},
	{"go types", "./main.go:9:15: cannot use x (variable of type int) as string value in argument to f", "GO_COMPILE_ERROR|unknown"},
	{"go vet", "vet: ./main.go:9:2: undefined: fooo", "GO_COMPILE_ERROR|unknown"},
	{"go module", "main.go:5:2: no required module provides package github.com/spf13/cobra; to add it:\n\tgo get github.com/spf13/cobra", "IMPORT_ERROR|importing"},
	{"go deadlock", "fatal error: all goroutines are asleep - deadlock!\n\ngoroutine 1 [chan receive]:", "FATAL_ERROR|unknown"},
	{"go race", "==================\nWARNING: DATA RACE\nWrite at 0x00c0000b4010 by goroutine 7:", "DATA_RACE|unknown"},
	{"go test timeout", "panic: test timed out after 10m0s\nrunning tests:\n\tTestSlow (9m59s)", "TIMEOUT|unknown"},
	{"go file", "2026/11/15 00:07:06 open /home/dev/proj/config.toml: no such file or directory", "FILE_NOT_FOUND|reading"},
	{"go dial", "failed to ping: dial tcp 127.0.0.1:5432: connect: connection refused", "CONNECTION_REFUSED|connecting"},
	{"go deadline", "Get \"https://proxy.golang.org/x\": context deadline exceeded (Client.Timeout exceeded while awaiting headers)", "TIMEOUT|unknown"},
	{"go tls", "Get \"https://localhost:8443/\": x509: certificate signed by unknown authority", "TLS_ERROR|connecting"},
	{"go host", "dial tcp: lookup db.example on 127.0.0.53:53: no such host", "DNS_FAILURE|resolving_name"},

	{"go build without the place", "undefined: openFile", "GO_COMPILE_ERROR|unknown"},
	{"go build without the column", "./main.go:7: undefined: store.Open", "GO_COMPILE_ERROR|unknown"},
	{"go unused without the place", "declared and not used: count", "GO_COMPILE_ERROR|unknown"},
	{"go import unused without the place", `"os" imported and not used`, "GO_COMPILE_ERROR|unknown"},
	{"go test without the line before", "FAIL: TestParse (0.00s)", "TEST_FAILURE|testing"},
	{"go no version", `go: example.com/x: no matching versions for query "latest"`, "IMPORT_ERROR|unknown"},
	{"go no module", `go: module example.com/x: not found: no matching versions for query "latest"`, "IMPORT_ERROR|unknown"},
	{"go no sum", "main.go:4:2: missing go.sum entry for module providing package rsc.io/quote; to add:", "IMPORT_ERROR|unknown"},
	{"go too old", "go: go.mod requires go >= 1.27 (running go 1.26.8; GOTOOLCHAIN=local)", "BUILD_FAILURE|unknown"},

	// Rust
	{"rustc", "error[E0308]: mismatched types\n --> src/main.rs:4:18\n  |\n4 |     let x: i32 = \"a\";", "RUST_COMPILE_ERROR|unknown"},
	{"rustc in colours", "\x1b[1m\x1b[38;5;9merror[E0425]\x1b[0m\x1b[1m: cannot find value `y` in this scope\x1b[0m\n \x1b[1m--> \x1b[0msrc/lib.rs:3:5", "RUST_COMPILE_ERROR|unknown"},
	{"rustc without a code", "error: expected `;`, found `}`\n --> src/main.rs:3:14", "ERROR|unknown"},
	{"rust panic", "thread 'main' panicked at src/main.rs:4:37:\ncalled `Option::unwrap()` on a `None` value\nnote: run with `RUST_BACKTRACE=1`", "RUST_PANIC|unknown"},
	{"rust panic before 1.73", "thread 'main' panicked at 'index out of bounds: the len is 3 but the index is 7', src/main.rs:4:5", "RUST_PANIC|indexing"},
	{"cargo test", "running 1 test\ntest parser::tests::empty ... FAILED\n\nfailures:\n\n---- parser::tests::empty stdout ----\nthread 'parser::tests::empty' panicked at src/parser.rs:40:9:\nassertion `left == right` failed\n  left: 1\n right: 2\n\nerror: test failed, to rerun pass `--lib`", "TEST_FAILURE|testing"},

	// TypeScript, JavaScript, Node, npm
	{"tsc", "src/app.ts(12,5): error TS2345: Argument of type 'string' is not assignable to parameter of type 'number'.", "TYPESCRIPT_COMPILE_ERROR|unknown"},
	{"tsc pretty", "src/app.ts:12:5 - error TS2304: Cannot find name 'foo'.", "TYPESCRIPT_COMPILE_ERROR|unknown"},
	{"tsc project", "error TS18003: No inputs were found in config file '/home/dev/proj/tsconfig.json'.", "TYPESCRIPT_COMPILE_ERROR|unknown"},
	{"node type error", "/home/dev/proj/app.js:3\n    user.name\n         ^\n\nTypeError: Cannot read properties of undefined (reading 'name')\n    at main (/home/dev/proj/app.js:3:10)\n    at node:internal/main/run_main_module:28:49\n\nNode.js v22.1.0", "TYPE_ERROR|property_access"},
	{"not a function", "Uncaught TypeError: list.map is not a function", "TYPE_ERROR|calling"},
	{"node reference", "ReferenceError: window is not defined\n    at Object.<anonymous> (/app/x.js:1:1)", "REFERENCE_ERROR|unknown"},
	{"node code", "TypeError [ERR_INVALID_ARG_TYPE]: The \"path\" argument must be of type string. Received undefined", "TYPE_ERROR|unknown"},
	{"node module", "Error: Cannot find module './utils/date'\nRequire stack:\n- /home/dev/proj/app.js", "IMPORT_ERROR|importing"},
	{"node esm", "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'lodash' imported from /home/dev/proj/app.mjs", "IMPORT_ERROR|importing"},
	{"node enoent", "Error: ENOENT: no such file or directory, open '/home/dev/proj/config.json'", "FILE_NOT_FOUND|reading"},
	{"node refused", "Error: connect ECONNREFUSED ::1:6379\n    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1555:16)", "CONNECTION_REFUSED|connecting"},
	{"node timeout", "Error: connect ETIMEDOUT 10.0.0.5:443", "TIMEOUT|connecting"},
	{"node dns", "Error: getaddrinfo ENOTFOUND api.example.test", "DNS_FAILURE|resolving_name"},
	{"node port", "Error: listen EADDRINUSE: address already in use :::3000", "ADDRESS_IN_USE|listening"},
	{"node spawn", "Error: spawn git ENOENT", "FILE_NOT_FOUND|running"},
	{"node heap", "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory", "OUT_OF_MEMORY|allocating"},
	{"node certificate", "Error: self-signed certificate in certificate chain", "TLS_ERROR|connecting"},
	{"json", "SyntaxError: Unexpected token '<', \"<!DOCTYPE \"... is not valid JSON", "SYNTAX_ERROR|parsing"},
	{"plain Error with frames", "Error: migration 12 has no down step\n    at run (/home/dev/proj/src/migrate.js:44:11)", "ERROR|unknown"},
	{"webpack", "Module not found: Error: Can't resolve './missing' in '/home/dev/proj/src'", "IMPORT_ERROR|importing"},
	{"esbuild", "✘ [ERROR] Could not resolve \"left-pad\"", "IMPORT_ERROR|importing"},
	{"jest", "FAIL src/sum.test.js\n  ● math › adds\n\n    expect(received).toBe(expected) // Object.is equality\n\n    Expected: 4\n    Received: 3", "TEST_FAILURE|testing"},
	{"vitest", " FAIL  src/sum.test.ts > math > adds\nAssertionError: expected 3 to be 4 // Object.is equality", "TEST_FAILURE|testing"},
	{"eslint", "/home/dev/proj/src/a.js\n  3:5  error  'x' is not defined  no-undef", "LINT_ERROR|unknown"},
	{"npm 6", "npm ERR! code ENOENT\nnpm ERR! syscall open\nnpm ERR! path /home/dev/proj/package.json", "NPM_ERROR|unknown"},
	{"npm 10", "npm error Missing script: \"biuld\"\nnpm error\nnpm error To see a list of scripts, run:", "NPM_ERROR|unknown"},
	{"npm resolve", "npm error code ERESOLVE\nnpm error ERESOLVE unable to resolve dependency tree", "NPM_ERROR|unknown"},

	// Python
	{"traceback", "Traceback (most recent call last):\n  File \"/home/dev/proj/app.py\", line 3, in <module>\n    main()\n  File \"/home/dev/proj/app.py\", line 9, in main\n    return cfg[\"user\"]\nKeyError: 'user'", "KEY_ERROR|indexing"},
	{"attribute", "AttributeError: 'NoneType' object has no attribute 'split'", "ATTRIBUTE_ERROR|property_access"},
	{"arguments", "TypeError: f() missing 1 required positional argument: 'x'", "TYPE_ERROR|calling"},
	{"import", "ImportError: cannot import name 'foo' from 'bar' (/home/dev/bar.py)", "IMPORT_ERROR|importing"},
	{"python -m", "/usr/bin/python3: No module named pytest", "IMPORT_ERROR|importing"},
	{"value", "ValueError: invalid literal for int() with base 10: 'abc'", "VALUE_ERROR|unknown"},
	{"json decode", "json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)", "JSON_DECODE_ERROR|parsing"},
	{"file", "FileNotFoundError: [Errno 2] No such file or directory: '/srv/data/in.csv'", "FILE_NOT_FOUND|reading"},
	{"permission", "PermissionError: [Errno 13] Permission denied: '/srv/data/out.csv'", "PERMISSION_DENIED|unknown"},
	{"no message", "Traceback (most recent call last):\n  File \"x.py\", line 3, in <module>\n    assert f(2) == 3\nAssertionError", "ASSERTION_ERROR|testing"},
	{"pytest", "    def test_add():\n>       assert add(1, 2) == 4\nE       assert 3 == 4\n\ntests/test_math.py:5: AssertionError\n=========== short test summary info ===========\nFAILED tests/test_math.py::test_add - assert 3 == 4\n1 failed, 3 passed in 0.12s", "TEST_FAILURE|testing"},
	{"pytest exception", "E       TypeError: unsupported operand type(s) for +: 'int' and 'str'\n\ntests/test_math.py:5: TypeError\nFAILED tests/test_math.py::test_add - TypeError: unsupported operand type(s)", "TYPE_ERROR|unknown"},
	{"while handling", "KeyError: 'cache'\n\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n  File \"x.py\", line 3, in g\nValueError: no such plan", "VALUE_ERROR|unknown"},
	{"class of any name", "Traceback (most recent call last):\n  File \"manage.py\", line 22, in <module>\ndjango.core.exceptions.ImproperlyConfigured: Requested setting DATABASES, but settings are not configured.", "IMPROPERLY_CONFIGURED|querying"},
	{"unittest", "FAIL: test_add (tests.test_math.TestMath)\n----\nTraceback (most recent call last):\n  File \"a.py\", line 3, in test_add\nAssertionError: 3 != 4", "TEST_FAILURE|testing"},
	{"mypy", "app/models.py:12: error: Incompatible types in assignment (expression has type \"str\", variable has type \"int\")  [assignment]", "TYPE_CHECK_ERROR|unknown"},
	{"pip", "ERROR: Could not find a version that satisfies the requirement flaskk (from versions: none)", "ERROR|unknown"},

	{"dotted name", "jinja2.exceptions.TemplateNotFound: login.html", "TEMPLATE_NOT_FOUND|unknown"},
	{"dotted error", "requests.exceptions.ConnectionError: HTTPConnectionPool(host='x', port=80): Max retries exceeded", "CONNECTION_ERROR|connecting"},
	{"dotted class", "shop.models.User.DoesNotExist: User matching query does not exist.", "DOES_NOT_EXIST|unknown"},
	{"pytest's finding alone", "E   assert 3 == 4", "ASSERTION_ERROR|testing"},
	{"pytest's exception alone", "E   ValueError: no such plan", "VALUE_ERROR|unknown"},
	{"pytest's dotted exception", "E       jinja2.exceptions.TemplateNotFound: login.html", "TEMPLATE_NOT_FOUND|unknown"},

	// Ruby
	{"ruby", "app/user.rb:12:in 'User#name': undefined method 'upcase' for nil (NoMethodError)\n\tfrom app.rb:3:in '<main>'", "NO_METHOD_ERROR|unknown"},
	{"ruby before 3.4", "foo.rb:12:in `bar': no plan (RuntimeError)", "RUNTIME_ERROR|unknown"},
	{"rails", "NoMethodError (undefined method `name' for nil:NilClass):", "NO_METHOD_ERROR|unknown"},
	{"rails record", "ActiveRecord::RecordNotFound (Couldn't find User with 'id'=3):", "RECORD_NOT_FOUND|unknown"},
	{"rake", "ActiveRecord::RecordInvalid: Validation failed: Name can't be blank", "RECORD_INVALID|unknown"},

	// PHP
	{"php", "PHP Fatal error:  Uncaught Error: Call to undefined function foo() in /srv/x.php:12\nStack trace:\n#0 {main}", "FATAL_ERROR|unknown"},
	{"php page", "Fatal error: Uncaught TypeError: f(): Argument #1 ($x) must be of type int, string given in /srv/x.php:3", "TYPE_ERROR|unknown"},
	{"php class", "PHP Fatal error:  Uncaught App\\Shop\\StockException: none left in /srv/x.php:3", "STOCK_EXCEPTION|unknown"},
	{"php syntax", "PHP Parse error:  syntax error, unexpected '}' in /srv/x.php on line 3", "SYNTAX_ERROR|parsing"},
	{"php memory", "Fatal error: Allowed memory size of 134217728 bytes exhausted (tried to allocate 20480 bytes) in /srv/x.php on line 3", "OUT_OF_MEMORY|unknown"},

	// Java
	{"npe", "Exception in thread \"main\" java.lang.NullPointerException: Cannot invoke \"String.length()\" because \"s\" is null\n\tat Main.main(Main.java:5)", "NULL_POINTER|property_access"},
	{"npe without a message", "java.lang.NullPointerException\n\tat com.acme.Foo.bar(Foo.java:12)", "NULL_POINTER|property_access"},
	{"caused by", "org.springframework.beans.factory.BeanCreationException: Error creating bean with name 'db'\n\tat x.Y.z(Y.java:3)\nCaused by: java.net.ConnectException: Connection refused", "CONNECTION_REFUSED|connecting"},
	{"javac", "Main.java:5: error: cannot find symbol\n        foo();\n        ^\n  symbol:   method foo()\n  location: class Main", "JAVA_COMPILE_ERROR|unknown"},
	{"java heap", "Exception in thread \"main\" java.lang.OutOfMemoryError: Java heap space", "OUT_OF_MEMORY|allocating"},
	{"maven", "[ERROR] /home/dev/proj/src/main/java/A.java:[12,5] cannot find symbol", "JAVA_COMPILE_ERROR|unknown"},
	{"gradle", "* What went wrong:\nExecution failed for task ':app:compileJava'.", "BUILD_FAILURE|unknown"},

	// C and C++
	{"gcc", "main.c:3:4: error: ‘x’ undeclared (first use in this function)", "C_COMPILE_ERROR|unknown"},
	{"header", "src/main.cpp:1:10: fatal error: missing.h: No such file or directory", "C_COMPILE_ERROR|unknown"},
	{"linker", "/usr/bin/ld: /tmp/cc8QvH3o.o: in function `main':\nmain.c:(.text+0x9): undefined reference to `helper'\ncollect2: error: ld returned 1 exit status", "LINK_ERROR|linking"},
	{"segfault", "Segmentation fault (core dumped)", "SEGMENTATION_FAULT|unknown"},
	{"segfault in a script", "./run.sh: line 3: 12345 Segmentation fault (core dumped) ./a.out", "SEGMENTATION_FAULT|unknown"},
	{"assert.h", "a.out: main.c:4: main: Assertion `n > 0' failed.\nAborted (core dumped)", "ABORTED|unknown"},
	{"asan", "==4242==ERROR: AddressSanitizer: heap-use-after-free on address 0x602000000010 at pc 0x4f", "MEMORY_ERROR|allocating"},

	// SQL
	{"sqlite table", "Error: in prepare, no such table: users", "MISSING_TABLE|querying"},
	{"sqlalchemy", "sqlalchemy.exc.OperationalError: (sqlite3.OperationalError) no such table: users", "MISSING_TABLE|querying"},
	{"sqlite locked", "SQL logic error: database is locked (5) (SQLITE_BUSY)", "DATABASE_LOCKED|querying"},
	{"sqlite unique", "SQLITE_CONSTRAINT: UNIQUE constraint failed: users.email", "DUPLICATE_KEY|querying"},
	{"postgres table", "ERROR:  relation \"users\" does not exist\nLINE 1: select * from users;", "MISSING_TABLE|querying"},
	{"postgres key", "pq: duplicate key value violates unique constraint \"users_email_key\"", "DUPLICATE_KEY|querying"},
	{"postgres null", "ERROR:  null value in column \"name\" of relation \"users\" violates not-null constraint", "CONSTRAINT_VIOLATION|querying"},
	{"postgres column", "ERROR: column u.nam does not exist (SQLSTATE 42703)", "ERROR|querying"},
	{"postgres password", "psql: error: FATAL:  password authentication failed for user \"app\"", "AUTHENTICATION_FAILED|unknown"},
	{"mysql", "ERROR 1146 (42S02): Table 'shop.orders' doesn't exist", "MISSING_TABLE|querying"},

	// git, shells, machines
	{"git", "fatal: not a git repository (or any of the parent directories): .git", "GIT_ERROR|unknown"},
	{"merge", "Auto-merging main.go\nCONFLICT (content): Merge conflict in main.go\nAutomatic merge failed; fix conflicts and then commit the result.", "MERGE_CONFLICT|merging"},
	{"push", "To github.com:x/y.git\n ! [rejected]        main -> main (fetch first)\nerror: failed to push some refs to 'github.com:x/y.git'", "GIT_ERROR|pushing"},
	{"in brackets", "java.io.FileNotFoundException: /var/log/app.log (Permission denied)", "PERMISSION_DENIED|unknown"},
	{"ssh key", "git@github.com: Permission denied (publickey).", "PERMISSION_DENIED|unknown"},
	{"bash", "bash: line 1: gofumpt: command not found", "COMMAND_NOT_FOUND|running"},
	{"zsh", "zsh: command not found: pnpm", "COMMAND_NOT_FOUND|running"},
	{"dash", "/bin/sh: 1: ruff: not found", "COMMAND_NOT_FOUND|unknown"},
	{"cat", "cat: missing.txt: No such file or directory", "FILE_NOT_FOUND|reading"},
	{"run", "bash: ./deploy.sh: Permission denied", "PERMISSION_DENIED|unknown"},
	{"disk", "write /tmp/x: no space left on device", "DISK_FULL|writing"},
	{"curl", "curl: (6) Could not resolve host: api.example.test", "DNS_FAILURE|resolving_name"},
	{"curl refused", "curl: (7) Failed to connect to localhost port 8080 after 0 ms: Couldn't connect to server", "CONNECTION_REFUSED|connecting"},
	{"docker", "docker: Error response from daemon: pull access denied for foo, repository does not exist", "DOCKER_ERROR|unknown"},
	{"vite", "[vite] Internal server error: Failed to resolve import \"./x\" from \"src/App.tsx\". Does the file exist?", "IMPORT_ERROR|unknown"},
	{"agent's time limit", "Command timed out after 2m 0.0s", "TIMEOUT|running"},
	{"make", "make: *** No rule to make target 'biuld'.  Stop.", "BUILD_FAILURE|unknown"},
	{"make passes on", "make: *** [Makefile:10: test] Error 2", "EXIT_STATUS|unknown"},

	// payloads
	{"payload claude-code Bash", "Exit code 3", "EXIT_STATUS|unknown"},
	{"payload claude-code Read", "File does not exist. Note: your current working directory is /home/dev/proj.", "FILE_NOT_FOUND|unknown"},
	{"payload claude-code 2.0 Read", "<tool_use_error>File does not exist.</tool_use_error>", "FILE_NOT_FOUND|unknown"},
	{"payload copilot view", "Path does not exist", "FILE_NOT_FOUND|unknown"},
	{"payload copilot bash", "AGENTS.md\nmain.go\n<shellId: 0 completed with exit code 3>", "EXIT_STATUS|unknown"},
	{"payload cline", "[Command exited with code 3]\nAGENTS.md\nmain.go\n", "EXIT_STATUS|unknown"},
	{"payload gemini shell", "<untrusted_context>\nOutput: AGENTS.md\nExit Code: 3\nProcess Group PGID: 13115\n</untrusted_context>", "EXIT_STATUS|unknown"},
	{"payload gemini read", "File not found: /home/dev/proj/missing.go", "FILE_NOT_FOUND|unknown"},
	{"exit code before the cause", "Exit code 1\n./main.go:7:2: undefined: count", "GO_COMPILE_ERROR|unknown"},

	// pasted by a person
	{"in a sentence", "I get TypeError: x.map is not a function when I open the page", "TYPE_ERROR|calling"},
	{"after a request", "please mend this: panic: runtime error: invalid memory address or nil pointer dereference", "GO_PANIC|property_access"},
	{"after I get", "why do I get panic: assignment to entry in nil map?", "GO_PANIC|unknown"},
	{"go build in a sentence", "since this morning I get undefined: openFile", "GO_COMPILE_ERROR|unknown"},
	{"go test in a sentence", "the build fails with --- FAIL: TestParse (0.00s)", "TEST_FAILURE|testing"},
	{"git in a sentence", "it says fatal: not a git repository", "GIT_ERROR|unknown"},
	{"rust in a sentence", "it crashes with thread 'main' panicked at src/main.rs:4:37: no config", "RUST_PANIC|unknown"},
	{"dotted in a sentence", "the page shows jinja2.exceptions.TemplateNotFound: login.html", "TEMPLATE_NOT_FOUND|unknown"},
	{"rails in a sentence", "I see NoMethodError (undefined method `name' for nil)", "NO_METHOD_ERROR|unknown"},
	{"in JSON", `{"level":"error","error":"TypeError: x is not iterable","ts":1}`, "TYPE_ERROR|unknown"},
	{"after a question", "why does this happen?\n\nReferenceError: foo is not defined", "REFERENCE_ERROR|unknown"},
}

func TestAFaultIsKnownByItsFamily(t *testing.T) {
	for _, c := range realFaults {
		t.Run(c.name, func(t *testing.T) {
			f, ok := Find(c.text)
			if got := f.Fingerprint(); !ok || got != c.want {
				t.Errorf("%q\n got %s (%q)\nwant %s", c.text, got, f.Message, c.want)
			}
		})
	}
	if len(realFaults) < 60 {
		t.Errorf("%d texts, want at least 60", len(realFaults))
	}
}

func TestAFaultIsTheSameElsewhere(t *testing.T) {
	for _, c := range []struct{ name, one, other string }{
		{"another property", "TypeError: Cannot read property 'foo' of null", "TypeError: Cannot read property 'bar' of null"},
		{"with a stack", "TypeError: Cannot read property 'foo' of null", "x.js:3\n\nTypeError: Cannot read property 'foo' of null\n    at f (/a/x.js:3:4)"},
		{"in colours", "\x1b[31mReferenceError: foo is not defined\x1b[39m", "ReferenceError: foo is not defined"},
		{"another machine", "Error: ENOENT: no such file or directory, open '/home/a/proj/config.json'", "Error: ENOENT: no such file or directory, open '/srv/build/7/config.json'"},
		{"another port", "connect ECONNREFUSED 127.0.0.1:5432", "Error: connect ECONNREFUSED 127.0.0.1:45123"},
		{"another line", "internal/x.go:12:5: undefined: open", "/home/dev/proj/internal/y.go:7:1: undefined: open"},
		{"another duration", "--- FAIL: TestDrain (0.12s)", "    --- FAIL: TestDrain (3.40s)"},
		{"another index", "panic: runtime error: index out of range [5] with length 3", "panic: runtime error: index out of range [8] with length 8"},
		{"another goroutine's address", "fatal error: bad pointer 0xc000012345", "fatal error: bad pointer 0xc000099999"},
		{"another time", "2026-11-15T00:07:06Z open a.toml: permission denied", "2027-01-02 10:00:00.123 open a.toml: permission denied"},
		{"another uuid", "ValueError: unknown job f47ac10b-58cc-4372-a567-0e02b2c3d479", "ValueError: unknown job 16fd2706-8baf-433b-82da-8c7fada847da"},
		{"another value", "ValueError: invalid literal for int() with base 10: 'abc'", "ValueError: invalid literal for int() with base 10: 'x y'"},
		{"another class path", "sqlite3.OperationalError: no such table: users", "sqlalchemy.exc.OperationalError: (sqlite3.OperationalError) no such table: users"},
		{"rust before and after 1.73", "thread 'main' panicked at 'boom', src/a.rs:1:2", "thread 'worker-3' panicked at src/b.rs:9:9:\nboom"},
		{"another agent", "Exit code 3", "[Command exited with code 3]"},
		{"quoted in JSON", `"error": "TypeError: x is not iterable"`, "TypeError: x is not iterable"},
		{"quoted in a sentence", "why \"Uncaught TypeError: x is not iterable\" after a click?", "TypeError: x is not iterable"},
		{"with a story", "I get this: sqlite3.IntegrityError: UNIQUE constraint failed: users.id. I have tried much.", "UNIQUE constraint failed: users.id"},
		{"pasted as one line", "--- FAIL: TestDrain (0.12s) drain_test.go:12: got 3", "--- FAIL: TestDrain (0.10s)"},
		{"with what was found", "FAILED tests/test_a.py::test_b - assert 3 == 4", "FAILED tests/test_a.py::test_b - assert 5 == 4"},
		{"with or without the place", "internal/x.go:12:5: undefined: open", "undefined: open"},
		{"asked with a question mark", "why do I get TypeError: x is not a function?", "TypeError: x is not a function"},
		{"after words of a person", "please mend this: panic: runtime error: index out of range [5] with length 3", "panic: runtime error: index out of range [1] with length 1"},
		{"with or without the line before", "FAIL: TestDrain (0.12s)", "--- FAIL: TestDrain (0.10s)"},
		{"ruby at another line", "a.rb:1:in 'f': no plan (RuntimeError)", "/srv/b.rb:72:in `g': no plan (RuntimeError)"},
		{"ruby in two notations", "a.rb:1:in 'f': no plan here (RuntimeError)", "RuntimeError (no plan here)"},
		{"php's log and page", "PHP Fatal error:  Uncaught Error: Call to f() in /srv/x.php:12", "Fatal error: Uncaught Error: Call to f() in /app/y.php:3"},
		{"rust in one line", "thread 'main' panicked at src/a.rs:1:2: boom", "thread 'main' panicked at src/a.rs:1:2:\nboom"},
		{"windows", "ENOENT: no such file or directory, open 'C:\\Users\\a\\b.json'", "ENOENT: no such file or directory, open '/home/a/b.json'"},
		{"another epoch", "ValueError: token issued at 1794703700351 is too old", "ValueError: token issued at 1894703700351 is too old"},
		{"another hash", "fatal: bad object 06f5165e25a6fda6926b9ef8bd42329b7c8924ff", "fatal: bad object a80be14c0b3f"},
		{"another port to listen on", "bind: address already in use", "listen tcp :9999: bind: address already in use"},
		{"another address to listen on", "main.go:42: listen tcp 127.0.0.1:8080: bind: address already in use", "Error starting server: listen tcp [::]:80: bind: address already in use"},
		{"another language", "Error: listen EADDRINUSE: address already in use :::3000", "OSError: [Errno 98] Address already in use"},
		{"another way to connect", "dial tcp [::1]:5433: connect: connection refused", "Error: connect ECONNREFUSED 127.0.0.1:6379"},
		{"another file on a full disk", "write /tmp/x: no space left on device", "Error: ENOSPC: no space left on device, write"},
		{"another lock", "database is locked (5) (SQLITE_BUSY)", "database is locked"},
		{"another temporary file", "FileNotFoundError: [Errno 2] No such file or directory: '/tmp/tmp8x7yq2w1'", "FileNotFoundError: [Errno 2] No such file or directory: '/tmp/tmpk2j9ab3z'"},
		{"another temporary folder", "open /tmp/TestA123/001/x.db: permission denied", "open /var/folders/zz/T/x.db: permission denied"},
		{"another process", "Error: lock held by PID 4242 since 12:01:02", "Error: lock held by PID 77 since 09:00:59"},
		{"another container", "Error: container 3f2a1c9d0b8e died after 3m20s", "Error: container a80be14c0b3f died after 950ms"},
		{"another build folder", "cp: /tmp/go-build123/b001/exe: Permission denied", "cp: /tmp/go-build77/b001/exe: Permission denied"},
		{"line ends of Windows", "a\r\nReferenceError: foo is not defined\r\n", "ReferenceError: foo is not defined"},
		{"the name in javac", "A.java:5: error: cannot find symbol\n  symbol:   method foo()", "B.java:15: error: cannot find symbol\n  x\n  symbol:   method foo()"},
	} {
		t.Run(c.name, func(t *testing.T) {
			one, ok1 := Find(c.one)
			other, ok2 := Find(c.other)
			if !ok1 || !ok2 || one.Key() != other.Key() {
				t.Errorf("want one key:\n%q\n%q", one.Key(), other.Key())
			}
		})
	}
}

func TestAFaultIsAnotherWhenItIsAnother(t *testing.T) {
	for _, c := range []struct{ name, one, other string }{
		{"module", "ModuleNotFoundError: No module named 'requests'", "ModuleNotFoundError: No module named 'numpy'"},
		{"test", "--- FAIL: TestDrain (0.12s)", "--- FAIL: TestDrain2 (0.12s)"},
		{"test vector", "--- FAIL: TestFormulas/V15 (0.00s)", "--- FAIL: TestFormulas/V16 (0.00s)"},
		{"symbol", "x.go:1:2: undefined: open", "x.go:1:2: undefined: shut"},
		{"table", `pq: relation "users" does not exist`, `pq: relation "orders" does not exist`},
		{"key", "KeyError: 'user'", "KeyError: 'plan'"},
		{"command", "bash: ruff: command not found", "bash: black: command not found"},
		{"what is null", "TypeError: Cannot read property 'foo' of null", "TypeError: Cannot read property 'foo' of undefined"},
		{"status", "HttpError: request failed with status 404", "HttpError: request failed with status 500"},
		{"exit status", "Exit code 1", "Exit code 137"},
		{"rust panic", "thread 'main' panicked at src/a.rs:1:2:\nboom", "thread 'main' panicked at src/a.rs:1:2:\nno config"},
		{"symbol without the place", "undefined: open", "undefined: shut"},
		{"go module", `go: example.com/x: no matching versions for query "latest"`, `go: example.com/y: no matching versions for query "latest"`},
		{"template", "jinja2.exceptions.TemplateNotFound: a.html", "jinja2.exceptions.TemplateNotFound: b.html"},
		{"ruby method", "NoMethodError (undefined method `a' for nil)", "NoMethodError (undefined method `b' for nil)"},
		{"typescript code", "a.ts(1,2): error TS2304: Cannot find name 'a'.", "a.ts(1,2): error TS2552: Cannot find name 'a'."},
		{"class", "TypeError: bad input", "ValueError: bad input"},
		{"file", "cat: a.txt: No such file or directory", "cat: b.txt: No such file or directory"},
		{"host", "dial tcp: lookup db.internal: no such host", "dial tcp: lookup cache.internal: no such host"},
		{"who is refused", "redis: dial tcp 127.0.0.1:6379: connect: connection refused", "dial tcp 127.0.0.1:6379: connect: connection refused"},
		{"who is locked out", "load plans: database is locked", "save user: database is locked"},
		{"who may not", "open docker.sock: permission denied", "open config.yml: permission denied"},
		{"interface version", `Error: no kind "A" in version v1beta1`, `Error: no kind "A" in version v1beta2`},
		{"condition", "write x: no space left on device", "write x: connection reset by peer"},
		{"missing map", `Error from server (NotFound): configmaps "a-settings" not found`, `Error from server (NotFound): configmaps "b-settings" not found`},
		{"undeclared resource", "Error: Reference to undeclared resource\n\n  on a.tf line 3, in resource \"x\" \"y\":\n\nA managed resource \"s\" \"a\" has not been declared in the root module.",
			"Error: Reference to undeclared resource\n\n  on a.tf line 3, in resource \"x\" \"y\":\n\nA managed resource \"s\" \"b\" has not been declared in the root module."},
		{"java symbol", "A.java:5: error: cannot find symbol\n  symbol:   method foo()", "A.java:5: error: cannot find symbol\n  symbol:   method bar()"},
	} {
		t.Run(c.name, func(t *testing.T) {
			one, ok1 := Find(c.one)
			other, ok2 := Find(c.other)
			if !ok1 || !ok2 || one.Key() == other.Key() {
				t.Errorf("want two keys, got %q for both", one.Key())
			}
		})
	}
}

// noFaults are prompts, commit subjects, logs, results of searches and code in which no error is reported.
var noFaults = []string{
	// prompts
	"", " ", "\n\n", "Do the basics",
	"fix the TypeError handling in parser", // a topic, not a report: there is no message
	"handle connection refused in the client and retry three times",
	"add a test for the case where permission denied is returned by the server",
	"Why do we get ECONNREFUSED sometimes?",
	"please look at the error handling in internal/store/open.go",
	"the build is broken, can you fix it?",
	"It panics when the list is empty",
	"rename ErrNotFound to ErrMissing everywhere",
	"write a function that throws a ValueError if the name is empty",
	"the login times out after 30 seconds, increase the timeout to 60",
	"make the error messages friendlier: say what to do next",
	"Ordinary prose about a memory that keeps what it has learned and forgets the rest.",
	"When the user clicks save, nothing happens and no error is shown.",
	"explain what `undefined reference` means in C",
	"what is the difference between a panic and an error in Go?",
	"use errors.Is instead of comparing with ==",
	"the fatal flaw here: we never close the file",
	"Refactor: split NetworkError and ParseError into their own files",
	"deploy failed last night, see the log",
	"implement exit code 3 for a missing snapshot",
	"undefined: the word that JavaScript has for it", "what does undefined: undefined mean?", "undefined: null",
	"the value is undefined: check the caller", "count is declared and not used: remove it or use it",
	"FAIL: Tests are too slow", "go: module cache: say where it is", "go: net/http: use the new router",
	"Fatal error: reword it for people", "Parse error: say the line", "we should panic: nothing else is safe here",
	"see werkzeug.exceptions.NotFound for the reason", "NetworkError (deprecated)", "Add ParseError (see the issue)",
	"lib.rb:12: move this", "with errors: wrap them", "ActiveRecord::Base is too large",
	// commit subjects
	"fix: handle ENOENT when the config is missing",
	"fix(parser): throw SyntaxError on unknown token (#123)",
	"fs: fallback to low privilege security descriptors on access denied",
	"net: connection refused should be retried",
	"rt: fix panic in JoinHandle::abort() when called from other thread (#3672)",
	"docs: :exc:`TypeError`",
	"io: add `Ready::ERROR` and report error readiness (#5781)",
	"made ImportError verbose in cli.py",
	"sync: impl equality traits for oneshot::RecvError (#2168)",
	"Exit with error code when integration tests fail",
	"errors: wrap with the operation and the thing",
	"cmd: return exit status 3",
	"Merge branch 'fix/timeouts'",
	"Added errno=13 (permission denied) to the class of ignored OSErrors when deleting the old file.",
	"restore: improve error if timestamp fails to restore",
	// logs and results
	"error: 0 warnings", "0 errors", "no error", "0 errors, 0 warnings", "Found 0 errors in 12 files.", "error: none",
	"Errors: 0", "errors: []", "Error: no errors found", "no errors found", "--- PASS: TestX (0.00s)", "=== RUN   TestX",
	"PASS", "ok  \tgithub.com/hebb-memory/hebb/internal/recall\t0.012s", "Exit code: 0", "exit status 0",
	"Process finished with exit code 0", "test result: ok. 12 passed; 0 failed; 0 ignored", "12 passed in 0.31s",
	"Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated the following files:\nA new.txt\nM main.go\n",
	"Tests: 0 failed, 12 passed, 12 total", "added 120 packages in 3s", "Finished `dev` profile in 0.52s",
	"INFO 2026-11-15 00:07:06 connection established", "On branch main\nnothing to commit, working tree clean",
	"warning: unused variable: `x`", "npm warn deprecated inflight@1.0.6", "go: downloading github.com/spf13/cobra v1.10.2",
	"go: added github.com/spf13/cobra v1.10.2", "go: finding module for package github.com/spf13/cobra",
	"\tfrom app.rb:3:in '<main>'", "PHP Warning:  Undefined variable $x in /srv/x.php on line 5",
	"<tool_use_error>Error: No such tool available: Glob. Glob is not available in this session</tool_use_error>",
	"AGENTS.md\nerrors.go\nerror_test.go\npanic.go\n",
	"internal/store/open.go:12:\treturn fmt.Errorf(\"open %s: permission denied\", path)",
	"internal/store/open.go:12:5:\treturn undefined",
	"src/a.ts:12:5: const error = new TypeError(message)",
	// code
	"    except ValueError: pass", "except KeyError:", "raise ValueError('bad: value')", "class ParseError(Exception):",
	"        ValueError: If the name is empty.", ":raises TypeError: if x is no string", "@throws {TypeError} when null",
	"throw new Error('connect ECONNREFUSED')", `log.Fatal("TypeError: ", err)`, "catch (e: TypeError) {",
	"  error: string | null", "error: undefined,", `  "error": null,`, "error: Error | null = null", "if err != nil {",
	"// TypeError: Cannot read property 'foo' of null", "enum NetworkError: Error {", "case TypeError: return 400",
	"  NotFoundError:", "panic(fmt.Sprintf(\"unreachable: %d\", n))", "assert.Error(t, err)",
	`t.Error("panic: not expected")`, "const ENOENT = -2", "console.error(`Error: ${message}`)",
	`logging.error(f"OperationalError: {e}")`, `errors.New("no such table: users")`, `t.Fatalf("got %v, want panic: runtime error: x", err)`,
	"raise jinja2.exceptions.TemplateNotFound(name)", "except jinja2.exceptions.TemplateNotFound: pass", "E = assert_type(x)",
	"FAIL fast. Then try again.",
	"var ErrNotFound = errors.New(\"not found\")", "expect(() => f()).toThrow('TypeError: x')",
}

func TestProseIsNoFault(t *testing.T) {
	for _, text := range noFaults {
		if f, ok := Find(text); ok {
			t.Errorf("%q became %q", text, f.Key())
		}
	}
	if len(noFaults) < 60 {
		t.Errorf("%d texts, want at least 60", len(noFaults))
	}
}

func TestAFaultIsFoundAgainInItsOwnMessage(t *testing.T) {
	for _, c := range realFaults {
		f, _ := Find(c.text)
		if again, ok := Find(f.Message); ok && again.Kind == f.Kind && again.Key() != f.Key() {
			t.Errorf("%q became %q", f.Key(), again.Key())
		}
	}
}

func TestAnExitStatusIsAVagueFault(t *testing.T) {
	for text, want := range map[string]bool{"Exit code 3": true, "TypeError: x is not iterable": false} {
		if f, _ := Find(text); f.Vague() != want {
			t.Errorf("%q: vague is %v", text, f.Vague())
		}
	}
}

func TestAFaultIsFoundAtBothEndsOfALongText(t *testing.T) {
	filler := strings.Repeat("compiling a package that has no faults at all\n", 1<<20/46)
	for name, text := range map[string]string{
		"end":   filler + "TypeError: x is not iterable\n",
		"start": "TypeError: x is not iterable\n" + filler,
	} {
		if f, _ := Find(text); f.Key() != "TYPE_ERROR|unknown|TypeError: x is not iterable" {
			t.Errorf("%s: got %q", name, f.Key())
		}
	}
	if f, ok := Find(filler); ok {
		t.Errorf("the filler became %q", f.Key())
	}
}

func TestTheFilesOfAFault(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"go", "internal/x/y.go:12:5: undefined: a\ninternal/x/y.go:14:5: undefined: b\n./main.go:3:1: x", []string{"internal/x/y.go", "./main.go"}},
		{"go trace", "main.main()\n\t/home/dev/proj/main.go:12 +0x1d\nruntime.main()\n\t/usr/local/go/src/runtime/proc.go:250", []string{"/home/dev/proj/main.go"}},
		{"python", "  File \"/home/dev/proj/app.py\", line 3, in <module>\n  File \"/usr/lib/python3.12/json/decoder.py\", line 1, in x", []string{"/home/dev/proj/app.py"}},
		{"pytest", "FAILED tests/test_math.py::test_add - assert 3 == 4", []string{"tests/test_math.py"}},
		{"node", "    at f (/home/dev/proj/a.js:3:4)\n    at g (file:///home/dev/proj/b.mjs:3:4)\n    at node:internal/main.js:1:2\n    at h (/home/dev/proj/node_modules/x/i.js:1:1)", []string{"/home/dev/proj/a.js", "/home/dev/proj/b.mjs"}},
		{"rust", "error[E0308]: mismatched types\n --> src/main.rs:4:18", []string{"src/main.rs"}},
		{"tsc", "src/app.ts(12,5): error TS2345: x", []string{"src/app.ts"}},
		{"maven", "[ERROR] /home/dev/proj/A.java:[12,5] cannot find symbol", []string{"/home/dev/proj/A.java"}},
		{"java", "\tat com.acme.Foo.bar(Foo.java:12)", []string{"Foo.java"}},
		{"windows", `C:\proj\src\a.ts:3:4 - error TS1: x`, []string{`C:\proj\src\a.ts`}},
		{"hosts are no files", "connect ECONNREFUSED 127.0.0.1:5432, example.com:443, http://x.dev:80/a, 12:30", nil},
		{"prose names no place", "look at internal/x/y.go and fix it", nil},
		{"at most ten", "a1.c:1: b2.c:1: c3.c:1: d.c:1: e.c:1: f.c:1: g.c:1: h.c:1: i.c:1: j.c:1: k.c:1:", []string{"a1.c", "b2.c", "c3.c", "d.c", "e.c", "f.c", "g.c", "h.c", "i.c", "j.c"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Files(c.text); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestCommitSubjectsAreNoFaults(t *testing.T) {
	all, found := 0, 0
	for _, repository := range []string{"restic", "vue-core", "flask", "tokio"} {
		for _, subject := range subjects(t, repository) {
			all++
			if f, ok := Find(subject); ok {
				found++
				t.Logf("%s: %q became %q", repository, subject, f.Key())
			}
		}
	}
	t.Logf("%d of %d subjects", found, all)
	if found > 3 { // one quotes an error that a test printed
		t.Errorf("%d commit subjects are taken for faults, want at most 3", found)
	}
}

// subjects reads a history that is shared between developers and not part of the project.
func subjects(t *testing.T, repository string) []string {
	t.Helper()
	file, err := os.Open(filepath.Join(cmp.Or(os.Getenv("HEBB_BENCH"), filepath.Join("..", "..", "..", "shared", "bench")), "histories", repository+".jsonl.gz"))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("=== NOT RUN: faults in commit subjects, for want of shared/bench/histories ===")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unpacked := must.Get(gzip.NewReader(file))(t)
	var list []string
	for in := bufio.NewReader(unpacked); ; {
		line, err := in.ReadBytes('\n')
		if err != nil {
			break
		}
		var commit struct{ Subject string }
		must.Do(t, json.Unmarshal(line, &commit))
		list = append(list, commit.Subject)
	}
	return list
}

func FuzzFind(f *testing.F) {
	for _, c := range realFaults {
		f.Add(c.text)
	}
	for _, text := range noFaults {
		f.Add(text)
	}
	f.Add(strings.Repeat("A1", 27) + "Error: " + strings.Repeat("ä ", 300)) // the longest kind with the longest message
	f.Fuzz(func(t *testing.T, text string) {
		fault, ok := Find(text)
		if again, ok2 := Find(text); again != fault || ok2 != ok {
			t.Fatalf("twice the same text: %q and %q", fault.Key(), again.Key())
		}
		if files := Files(text); len(files) > mostFiles {
			t.Fatalf("%d files", len(files))
		}
		for _, names := range []bool{true, false} {
			once := normalise(text, names)
			if twice := normalise(once, names); twice != once {
				t.Fatalf("normalised once %q, twice %q", once, twice)
			}
		}
		if !ok {
			if fault != (Fault{}) {
				t.Fatalf("no fault, yet %q", fault.Key())
			}
			return
		}
		key := fault.Key()
		if len(key) > 300 || !utf8.ValidString(key) || strings.ContainsAny(key, "\n\r\x1b\x00") || fault.Message == "" {
			t.Fatalf("not a key: %q", key)
		}
		if more, ok := Find(text + "\nand that was all of it\n"); !ok || more.Kind == "" {
			t.Fatalf("%q is lost when a sentence follows", key)
		}
	})
}

func TestAPanicThatATestPassedOnIsTheSamePanic(t *testing.T) {
	t.Parallel()
	plain, _ := Find("panic: runtime error: invalid memory address or nil pointer dereference")
	for _, suffix := range []string{" [recovered]", " [recovered, repanicked]"} {
		got, _ := Find("--- FAIL: TestX (0.00s)\npanic: runtime error: invalid memory address or nil pointer dereference" + suffix)
		if got.Key() != plain.Key() {
			t.Errorf("%q, want %q", got.Key(), plain.Key())
		}
	}
}

func TestAFailedTestIsKnownByItsName(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		"--- FAIL: TestSniff (…)":                      "TestSniff",
		"--- FAIL: TestSniff/empty (0.00s)":            "TestSniff/empty",
		"FAILED tests/test_pay.py::test_refund - x":    "tests/test_pay.py::test_refund",
		"FAIL src/pay.test.ts":                         "src/pay.test.ts",
		"test pay::refund ... FAILED":                  "pay::refund",
		"FAIL: test_refund (pay.tests)":                "test_refund",
		"FAIL: “ignore”":                               "",
		"test the importer by hand":                    "",
		"undefined: roundHalf":                         "",
		"FAIL " + strings.Repeat("Long", 30) + " (1s)": "",
	} {
		if got := FailedTest(message); got != want {
			t.Errorf("%q: %q, want %q", message, got, want)
		}
	}
}
