package evaluate

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// failing is an error as a tool prints it, with the command that ran into it. In braces stands what differs between two occurrences (port, line,
// column, pid, hash, uuid, tmp, dur, time, root) and what makes it this error (name, Name, file).
type failing struct{ command, text string }

// failings are shapes of errors of many tools. Those without a name are the same error wherever they are met.
var failings = []failing{
	{"go run ./cmd/{name}", "{time} listen tcp :{port}: bind: address already in use\nexit status 1"},
	{"go test ./{name}/...", "--- FAIL: Test{Name} ({dur})\n    {name}_test.go:{line}: got {pid}, want {port}\nFAIL\nFAIL\texample.com/x/{name}\t{dur}"},
	{"go build ./...", "# example.com/x/{name}\n{name}/{name}.go:{line}:{column}: undefined: {Name}Config"},
	{"go build ./...", "{name}/{name}.go:{line}:{column}: cannot use {name}ID (variable of type int64) as string value in argument to load{Name}"},
	{"go test ./...", "panic: open {root}/{tmp}/{name}.yml: no such file or directory\n\ngoroutine {pid} [running]:\nmain.main()\n\t{root}/main.go:{line} +0x{hash}"},
	{"go vet ./...", "{name}/x.go:{line}:{column}: no required module provides package example.com/{name}; to add it:\n\tgo get example.com/{name}"},
	{"go test ./{name}", "{name}_test.go:{line}: dial tcp: lookup {name}.internal on 127.0.0.53:{port}: no such host"},
	{"pytest tests", "Traceback (most recent call last):\n  File \"{root}/tests/test_{name}.py\", line {line}, in <module>\nModuleNotFoundError: No module named '{name}_client'"},
	{"pytest tests/test_{name}.py", "FAILED tests/test_{name}.py::test_{name}_totals - assert {pid} == {port}\n=== 1 failed, {line} passed in {dur} ==="},
	{"python -m {name}.worker", "Traceback (most recent call last):\n  File \"{root}/{name}/worker.py\", line {line}, in run\nKeyError: '{name}_id'"},
	{"python manage.py migrate", "django.db.utils.ProgrammingError: relation \"{name}_account\" does not exist\nLINE 1: SELECT {pid}"},
	{"python -m {name}", "Traceback (most recent call last):\n  File \"{root}/{name}.py\", line {line}, in <module>\nAttributeError: '{Name}' object has no attribute 'flush_{name}'"},
	{"npm test", "FAIL src/{name}.test.ts ({dur})\n  ● {Name} › keeps the order of {name}s\n\n    expect(received).toBe(expected)\n\n    Expected: {pid}\n    Received: {port}\n\n      at Object.<anonymous> (src/{name}.test.ts:{line}:{column})"},
	{"npm run build", "src/{name}.ts({line},{column}): error TS2339: Property '{name}Total' does not exist on type '{Name}'."},
	{"npm run build", "Error: Cannot find module '@app/{name}'\nRequire stack:\n- {root}/dist/{tmp}/main.js"},
	{"npm run lint", "{root}/src/{name}.ts\n  {line}:{column}  error  '{name}Cache' is assigned a value but never used  @typescript-eslint/no-unused-vars"},
	{"node server.js", "{root}/src/{file}:{line}\nTypeError: Cannot read properties of undefined (reading 'id')\n    at load (/{root}/src/{file}:{line}:{column})\n    at process.processTicksAndRejections (node:internal/process/task_queues:{line}:{column})"},
	{"npm run dev", "ReferenceError: {name}Store is not defined\n    at {root}/src/{name}.js:{line}:{column}"},
	{"cargo test", "thread '{name}::tests::works' panicked at src/{name}.rs:{line}:{column}:\ncalled `Option::unwrap()` on a `None` value in {name}\nnote: run with `RUST_BACKTRACE=1`"},
	{"cargo build", "error[E0432]: unresolved import `crate::{name}_codec`\n --> src/{name}.rs:{line}:{column}"},
	{"mvn test", "[ERROR] {root}/src/main/java/{Name}.java:[{line},{column}] cannot find symbol\n  symbol:   method refund{Name}()\n  location: class {Name}"},
	{"mvn test", "Exception in thread \"main\" java.lang.IllegalStateException: no bean named {name}Gateway\n\tat com.x.{Name}.main({Name}.java:{line})"},
	{"bundle exec rspec", "NoMethodError (undefined method `charge_{name}' for nil)\n  {root}/app/{name}.rb:{line}:in 'pay'"},
	{"php artisan test", "PHP Fatal error:  Uncaught Error: Call to undefined function {name}_price() in {root}/app/{Name}.php:{line}"},
	{"make", "{root}/src/{name}.c:{line}:{column}: error: 'struct {name}_state' has no member named 'next'\nmake: *** [Makefile:{line}: {name}.o] Error 1"},
	{"make", "/usr/bin/ld: /tmp/{tmp}.o: in function `main':\n{name}.c:(.text+0x{hash}): undefined reference to `{name}_open'\ncollect2: error: ld returned 1 exit status"},
	{"docker compose up -d", "Error response from daemon: driver failed programming external connectivity on endpoint {name}: Bind for 0.0.0.0:{port} failed: port is already allocated ({hash})"},
	{"kubectl apply -f deploy", "Error from server (NotFound): configmaps \"{name}-settings\" not found"},
	{"terraform plan", "Error: Reference to undeclared resource\n\n  on {name}.tf line {line}, in resource \"aws_instance\" \"x\":\n\nA managed resource \"aws_subnet\" \"{name}\" has not been declared in the root module."},
	{"sqlite3 app.db < {name}.sql", "Error: near line {line}: no such column: {name}_total"},
	{"psql -f {name}.sql", "psql:{name}.sql:{line}: ERROR:  duplicate key value violates unique constraint \"{name}_pkey\"\nDETAIL:  Key (id)=({pid}) already exists."},
	{"npm start", "Error: listen EADDRINUSE: address already in use :::{port}\n    at Server.setupListenHandle [as _listen2] (node:net:{line}:{column})"},
	{"mypy src", "src/{name}.py:{line}: error: Argument 1 to \"load_{name}\" has incompatible type \"str\"; expected \"int\"  [arg-type]"},
	{"uvicorn {name}:app", "ERROR:    [Errno 98] error while attempting to bind on address ('127.0.0.1', {port}): address already in use"},
}

// named reports whether it is another error under another name.
func (f failing) named() bool {
	return strings.Contains(f.text, "{name}") || strings.Contains(f.text, "{Name}") || strings.Contains(f.text, "{file}")
}

// met is an occurrence of the error: what differs is drawn.
func (f failing) met(r *rand.Rand, name, file string) (command, text string) {
	const hex, letters = "0123456789abcdef", "abcdefghijklmnopqrstuvwxyz0123456789"
	word := func(from string, n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = from[r.IntN(len(from))]
		}
		return string(b)
	}
	replace := strings.NewReplacer(
		"{name}", name, "{Name}", strings.ToUpper(name[:1])+name[1:], "{file}", file,
		"{port}", fmt.Sprint(1024+r.IntN(60000)), "{line}", fmt.Sprint(1+r.IntN(900)), "{column}", fmt.Sprint(1+r.IntN(80)), "{pid}", fmt.Sprint(100+r.IntN(90000)),
		"{hash}", word(hex, 11)+"1a", "{uuid}", word(hex, 8)+"-"+word(hex, 4)+"-"+word(hex, 4)+"-"+word(hex, 4)+"-"+word(hex, 12), "{tmp}", "tmp"+word(letters, 5)+"7q1",
		"{dur}", fmt.Sprintf("%d.%02ds", r.IntN(9), r.IntN(100)), "{time}", fmt.Sprintf("2026/11/%02d %02d:%02d:%02d", 1+r.IntN(28), r.IntN(24), r.IntN(60), r.IntN(60)),
		"{root}", []string{"/home/dev/app", "/Users/kim/src/app", "/builds/7/app", "/w"}[r.IntN(4)],
	)
	return replace.Replace(f.command), replace.Replace(f.text)
}

// retried is a command that fails for how it is called, and one that works.
type retried struct{ failed, text, worked string }

var retries = []retried{
	{"go test -foo ./{name}", "flag provided but not defined: -foo", "go test ./{name}"},
	{"npm run {name}-tests", `npm error Missing script: "{name}-tests"`, "npm run {name}-test"},
	{"python {name}.py --dry", "bash: python: command not found", "python3 {name}.py --dry"},
	{"npm install {name}-lib", "npm error code EBADENGINE: this workspace is managed by pnpm", "pnpm install {name}-lib"},
	{"docker-compose up {name}", "bash: docker-compose: command not found", "docker up {name}"},
	{"cargo build --release -p {name}", "error: package ID specification `{name}` did not match any packages", "cargo build --release -p {name}-core"},
	{"pytest tests/{name}", "ERROR: file or directory not found: tests/{name}", "pytest test/{name}"},
	{"make {name}", "make: *** No rule to make target '{name}'.  Stop.", "make {name}-all"},
	{"go build ./cmd/{name}", "# runtime/cgo\ncgo: C compiler \"gcc\" not found: exec: \"gcc\": executable file not found in $PATH", "CGO_ENABLED=0 go build ./cmd/{name}"},
	{"npm --prefix web run {name}", "npm error enoent Could not read package.json", "cd frontend && npm --prefix web run {name}"},
	{"terraform apply {name}", "Error: Too many command line arguments; unexpected argument {name}", "terraform apply -target={name}"},
}
