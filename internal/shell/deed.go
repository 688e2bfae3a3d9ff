package shell

import (
	"path"
	"slices"
	"strings"
)

// Deed is what a run does with the work. Of those that judge the code, a later one mostly does what
// an earlier one does as well.
type Deed int

const (
	Looks  Deed = iota // it changes nothing
	Alters             // it may change anything
	Starts             // a program of the project
	Lints
	Checks // types, and what a compiler lets pass
	Builds
	Tests
)

// tool is some programs by what they work on and what they do. Those that do what they are asked
// for have, as their deed, what they do if nothing is asked.
type tool struct {
	chain string // of tools: another one says nothing about this code; empty: any
	asked bool
	deed  Deed
	names string
}

var tools = []tool{
	{"go", true, Alters, "go"}, {"go", false, Lints, "gofmt goimports golangci-lint"}, {"go", false, Checks, "staticcheck"}, {"go", false, Tests, "gotestsum"},
	{"rust", true, Alters, "cargo"}, {"rust", false, Builds, "rustc"}, {"rust", false, Lints, "rustfmt"},
	{"node", true, Alters, "npm yarn pnpm bun deno node next nuxt vite ng astro tsx ts-node"}, {"node", false, Lints, "eslint biome prettier stylelint oxlint xo"},
	{"node", false, Tests, "jest vitest mocha ava karma cypress playwright tap"}, {"node", false, Checks, "tsc vue-tsc svelte-check"},
	{"node", false, Builds, "webpack rollup esbuild parcel tsup"},
	{"python", true, Alters, "python python2 python3"}, {"python", false, Tests, "pytest py.test unittest nose2 tox nox"},
	{"python", false, Lints, "ruff flake8 pylint black isort"}, {"python", false, Checks, "mypy pyright basedpyright"},
	{"java", true, Alters, "mvn mvnw gradle gradlew sbt ant"}, {"java", false, Builds, "javac kotlinc scalac"},
	{"c", false, Builds, "cc gcc g++ c++ clang clang++ cmake ninja meson"}, {"c", false, Tests, "ctest"},
	{"ruby", true, Tests, "rake"}, {"ruby", true, Alters, "ruby rails"}, {"ruby", false, Tests, "rspec cucumber"}, {"ruby", false, Lints, "rubocop standardrb"},
	{"php", true, Alters, "php composer artisan"}, {"php", false, Tests, "phpunit pest"}, {"php", false, Lints, "phpcs php-cs-fixer pint"}, {"php", false, Checks, "phpstan psalm"},
	{"dotnet", true, Alters, "dotnet"}, {"dotnet", false, Builds, "msbuild"}, {"elixir", true, Alters, "mix elixir"}, {"swift", true, Alters, "swift xcodebuild"},
	{"", true, Builds, "make gmake"}, {"", true, Alters, "just task mise bazel nx turbo zig lein stack cabal dune rebar3 gleam flutter dart inv invoke poe"},
	{"", false, Tests, "bats"}, {"", false, Lints, "shellcheck pre-commit hadolint"}, {"", false, Alters, "rm rmdir mv cp ln xargs tee"},
}

const (
	asks  Deed = -1 // only to be told something
	looks      = "version help list ls show info env tree why view status ps logs log outdated describe search docs explain"
)

// named are the deeds that words ask for, the first that fits: part of a word, or the whole.
var named = []struct {
	deed         Deed
	parts, whole string
}{
	{Alters, "install", "i ci add get mod update upgrade generate new init remove publish"}, {asks, "", looks},
	{Tests, "test spec", "unit e2e verify jest mocha t"}, {Lints, "lint clippy format", "fmt style credo"},
	{Checks, "check", "vet types tsc mypy dialyzer analyze analyse validate"}, {Builds, "build compile", "assemble bundle all package"},
}

func asksFor(word string) Deed {
	word = strings.ToLower(word)
	for _, n := range named {
		if slices.Contains(strings.Fields(n.whole), word) || slices.ContainsFunc(strings.Fields(n.parts), func(p string) bool { return strings.Contains(word, p) }) {
			return n.deed
		}
	}
	return Looks
}

var (
	// gitLooks are what git does without a change of the files.
	gitLooks = strings.Fields("add blame branch commit config describe diff fetch grep help log ls-files ls-remote ls-tree push remote rev-list rev-parse shortlog show status tag")
	// wraps stand before another command; docker names a container in between.
	wraps = []string{
		"npx", "bunx", "pnpx", "bundle exec", "poetry run", "uv run", "pipenv run", "pdm run", "hatch run", "npm exec", "pnpm exec", "yarn exec", "pnpm dlx", "yarn dlx", "mise exec",
		"coverage run", "docker compose exec", "docker compose run", "docker-compose exec", "docker-compose run", "docker exec",
	}
	folderOptions = []string{"-C", "--prefix", "--cwd", "--dir", "--directory"}
	rewrites      = []string{"-w", "-i", "--fix", "--write", "-a", "-A", "--autocorrect", "--apply"} // with these a linter changes what it finds
	// narrowing options choose some of the tests.
	narrowing = strings.Fields("-run --run -k -t --filter -f --grep -g --tests --testNamePattern --testPathPattern -Dtest --only -p --package -pl --spec --example -R")
)

// Reads reports whether the program only shows something.
func (r Run) Reads() bool {
	shows := strings.Fields(looks + " diff blame grep doc fetch --list -l -h --help --version")
	asked := func(a string) bool { return slices.Contains(shows, a) }
	return r.Utility() && !r.Rewrites() || slices.ContainsFunc(r.Args[:min(len(r.Args), 4)], asked)
}

// Rewrites reports whether the program moves files or changes them in place.
func (r Run) Rewrites() bool {
	inPlace := slices.ContainsFunc(r.Args, func(a string) bool { return slices.Contains(rewrites, a) })
	return inPlace && (!r.Utility() || r.Program == "sed") || slices.Contains([]string{"rm", "mv", "cp"}, r.Program)
}

// bare is a run without what only leads to it: wrappers, python -m, an interpreter that is given a
// tool, the option that names a folder.
func (r Run) bare() Run {
	words := append([]string{r.Program}, r.Args...)
	for _, w := range wraps {
		n := len(strings.Fields(w))
		if len(words) <= n || strings.Join(words[:n], " ") != w {
			continue
		}
		rest := words[n:]
		for container := strings.HasPrefix(w, "docker"); len(rest) > 1 && (container || strings.HasPrefix(rest[0], "-")); rest = rest[1:] {
			container = container && strings.HasPrefix(rest[0], "-")
		}
		return Run{Folder: r.Folder, Program: path.Base(rest[0]), Args: rest[1:], Masked: r.Masked}.bare()
	}
	r = r.module()
	if len(r.Args) > 0 && slices.Contains(interpreters, r.Program) && strings.Contains(r.Args[0], "bin/") {
		r.Program, r.Args = path.Base(r.Args[0]), r.Args[1:]
	}
	at := slices.IndexFunc(r.Args, func(a string) bool { return slices.Contains(folderOptions, a) })
	if at >= 0 && at+1 < len(r.Args) {
		r.Folder, r.Args = path.Join(r.Folder, r.Args[at+1]), slices.Delete(slices.Clone(r.Args), at, at+2)
	}
	return r
}

// doing is what a run does.
type doing struct {
	tool
	words  []string // of its command line that are no options
	part   []string // of the whole that it takes, in these words; none: all
	chosen []string // tests, by the values of options
}

func (r Run) does() (d doing) {
	for i := 0; i < len(r.Args); i++ {
		switch option, value, joined := strings.Cut(r.Args[i], "="); {
		case slices.Contains(narrowing, option) && joined:
			d.chosen = append(d.chosen, value)
		case slices.Contains(narrowing, option) && i+1 < len(r.Args):
			i++
			d.chosen = append(d.chosen, r.Args[i])
		case !strings.HasPrefix(option, "-") && !joined:
			d.words = append(d.words, r.Args[i])
		}
	}
	words := d.words
	if at := slices.IndexFunc(tools, func(t tool) bool { return slices.Contains(strings.Fields(t.names), r.Program) }); at >= 0 {
		d.tool = tools[at]
	}
	switch {
	case slices.ContainsFunc(r.Args, func(a string) bool { return a == "--version" || a == "-V" || a == "--help" }) || len(words) > 0 && asksFor(words[0]) == asks && d.asked:
		d.deed = Looks
	case d.asked:
		d.deed, words = r.asked(words, d.deed)
	case d.names != "":
	case r.Program == "git" && len(words) > 0 && !slices.Contains(gitLooks, words[0]):
		d.deed = Alters
	case r.Program == "git" || r.Utility() || slices.Contains(filters, r.Program):
	case len(words) > 0 && asksFor(words[0]) == asks:
	default: // by its name, or what it is asked for: docker build
		d.deed, d.asked = max(asksFor(r.Program), asksFor(append(words, "")[0]), Alters), true
	}
	if d.deed == Lints && slices.ContainsFunc(rewrites, func(o string) bool { return slices.Contains(r.Args, o) }) {
		d.deed = Alters
	}
	for i, w := range words {
		w = strings.TrimSuffix(strings.TrimPrefix(w, "./"), "/")
		if verb := i == 0 && !d.asked && !strings.ContainsAny(w, "/.") && (w == "run" || asksFor(w) != Looks); w != "." && w != "..." && w != "" && !verb { // ruff check
			d.part = append(d.part, w)
		}
	}
	if r.Program == "go" && len(words) == 0 {
		d.part = []string{"."} // one folder
	}
	return d
}

// asked is what the words ask a program for, and the words that say what with.
func (r Run) asked(words []string, otherwise Deed) (Deed, []string) {
	runs := len(words) > 0 && (words[0] == "run" || words[0] == "start" || words[0] == "task")
	script := slices.Contains(interpreters, r.Program) && r.Program != "bun" && r.Program != "deno"
	switch {
	case slices.Contains(r.Args, "--test"): // node
		return Tests, words
	case len(words) == 0:
		return otherwise, nil
	case script && (r.Args[0] == "-c" || r.Args[0] == "-e"):
		return Looks, nil // a probe
	case script && slices.Contains(r.Args, "-"):
		return Alters, nil
	case runs && (len(words) == 1 || slices.Contains([]string{"go", "cargo", "dotnet", "swift", "zig", "deno"}, r.Program)):
		return Starts, nil
	case runs:
		return max(asksFor(words[1]), Starts), words[2:]
	case script:
		return max(asksFor(path.Base(words[0])), asksFor(words[min(1, len(words)-1)]), Starts), words
	}
	deed, several := asksFor(words[0]), slices.Contains([]string{"make", "gmake", "just", "mvn", "mvnw", "gradle", "gradlew"}, r.Program)
	if !several {
		return max(deed, Alters), words[1:]
	}
	for _, w := range words {
		d := asksFor(w)
		if d == Checks || strings.HasPrefix(r.Program, "gradle") && d == Builds || strings.HasPrefix(r.Program, "mvn") && (w == "package" || w == "install") {
			d = Tests // they test on the way
		}
		deed = max(deed, d)
	}
	return max(deed, Alters), nil
}

// step is a run of a line with what is known of it.
type step struct {
	run, bare Run
	doing
	form string
}

// Tried is a line that was run, by Try.
type Tried struct {
	Line    string
	Failed  bool
	Printed string // by one that failed
	steps   []step
}

// Try reads a line that was run, and what it printed if it failed.
func Try(line string, failed bool, printed string) Tried {
	t := Tried{Line: line, Failed: failed, Printed: printed}
	for _, r := range Runs(line, "") {
		bare := r.bare()
		t.steps = append(t.steps, step{r, bare, bare.does(), r.String()})
	}
	return t
}

// Deed is the most that the programs of a line do with the work.
func (t Tried) Deed() (most Deed) {
	for _, s := range t.steps {
		most = max(most, s.deed)
	}
	return most
}

// Altering reports whether a program of a line may change the work.
func (t Tried) Altering() bool {
	return slices.ContainsFunc(t.steps, func(s step) bool { return s.deed == Alters || s.deed == Starts })
}

// Mutes reports whether a line may end well although one of its programs failed that judges the
// code or belongs to it.
func (t Tried) Mutes() bool {
	return slices.ContainsFunc(t.steps, func(s step) bool { return s.run.Masked && s.deed >= Starts })
}

// Proof says how far a success shows that something that failed works now.
type Proof int

const (
	None  Proof = iota // it has nothing to do with it
	Maybe              // it may cover it
	Sure
)

// Shows says how far the success of a line shows that another, which printed something when it
// failed, works now: the same command, a wider one, or a later deed of the same tools (build, then
// test) for the whole, or for what the error names.
func (t Tried) Shows(failed Tried) Proof {
	if t.Line == failed.Line {
		return Sure
	}
	best, all := None, true
	for _, its := range failed.steps {
		if its.deed < Starts {
			continue
		}
		proof := None
		for _, mine := range t.steps {
			proof = max(proof, mine.shows(its, failed.Printed))
		}
		best, all = max(best, proof), all && proof == Sure
	}
	if best == Sure && !all {
		return Maybe
	}
	return best
}

// shows says the same of one run and another.
func (mine step) shows(its step, printed string) Proof {
	sure := Sure
	if mine.run.Masked {
		sure = Maybe
	}
	if mine.deed < Starts {
		return None
	}
	r, f := mine.bare, its.bare
	switch {
	case mine.form == its.form:
		return sure
	case its.deed == Starts && r.Program == f.Program && r.Folder == f.Folder && len(its.words) > 0 && slices.Equal(mine.words, its.words):
		return sure
	case mine.chain != "" && its.chain != "" && mine.chain != its.chain || its.deed < Lints:
		return None
	case !slices.Equal(mine.run.Set, its.run.Set), slices.ContainsFunc(r.Args, func(o string) bool {
		return strings.HasPrefix(o, "-") && !slices.Contains(f.Args, o) && !slices.Contains(wordier, o) && r.Program == f.Program
	}):
		sure = Maybe // with that option it may look at less
	}
	switch hides := mine.asked && mine.chain != its.chain || its.asked && its.chain == ""; {
	case mine.deed == its.deed && (r.Program == f.Program || mine.chain == its.chain && (mine.asked || its.asked)):
	case mine.deed == its.deed && (mine.asked || mine.deed != Lints):
		sure = Maybe // what stands behind a name is not known
	case its.deed == Lints && hides && mine.deed > Lints, its.deed == Checks && mine.asked && mine.deed == Lints:
		sure = Maybe
	case its.deed == Lints || mine.deed <= its.deed:
		return None
	case slices.Contains(compiled, its.chain) && mine.chain == its.chain:
	case mine.asked || its.chain == "":
		sure = Maybe
	default:
		return None // a test runner does not check types
	}
	switch a, b := r.Folder, f.Folder; {
	case a == b:
	case path.IsAbs(a) != path.IsAbs(b), a == "", b == "", strings.HasPrefix(a, b+"/"), strings.HasPrefix(b, a+"/"):
		sure = min(sure, Maybe)
	default:
		return None
	}
	chosen := func(choice string) bool { return slices.Contains(its.chosen, choice) }
	named := func(choice string) bool { // one of the words of TestA|TestB
		words := strings.FieldsFunc(choice, func(c rune) bool { return strings.ContainsRune("|^$ /:()'\"", c) })
		return chosen(choice) || slices.ContainsFunc(words, func(w string) bool { return len(w) > 2 && strings.Contains(printed, w) })
	}
	reached := func(one string) bool { return r.reaches(mine.part, one) }
	touched := func(w string) bool {
		return strings.Contains(printed, path.Base(w)) || slices.ContainsFunc(its.part, func(one string) bool { return r.reaches([]string{w}, one) })
	}
	every := func(words []string, ok func(string) bool) bool {
		return !slices.ContainsFunc(words, func(w string) bool { return !ok(w) })
	}
	switch {
	case every(mine.chosen, chosen) && (len(mine.part) == 0 || len(its.part) > 0 && every(its.part, reached)):
		return sure
	case mine.deed == Tests && !every(mine.chosen, named) || len(mine.part) > 0 && !slices.ContainsFunc(mine.part, touched):
		return None
	}
	return Maybe
}

// compiled are the chains in which whoever builds checks, and whoever tests builds.
var compiled = []string{"go", "rust", "java", "c", "dotnet", "swift", "elixir"}

// Blames reports whether what a line printed complains of a word of the line itself: it was
// mistyped, or what it names is not there.
func Blames(line, printed string) bool {
	printed = strings.ToLower(printed)
	return slices.ContainsFunc(Split(line), func(c Command) bool {
		return slices.ContainsFunc(c.Words, func(w string) bool { return blamed(w, printed) })
	})
}

// blamed reports whether a line of the error, in lower case, complains of a word.
func blamed(word, problem string) bool {
	near := 32 // bytes before it in which a complaint is about it: No rule to make target 'x'
	if strings.ContainsAny(word, "/.") {
		near = 24 // Cannot find 'a' from 'b/c.js' is no complaint about b/c.js
	}
	for line := range strings.Lines(problem) {
		before, after, found := strings.Cut(line, strings.ToLower(word))
		if len(word) < 2 || !found || after != "" && isName(after[0]) || before != "" && isName(before[len(before)-1]) {
			continue
		}
		before, after = before[max(len(before)-near, 0):], after[:min(len(after), len(": command not found"))]
		if slices.ContainsFunc(complaints, func(c string) bool { return strings.Contains(before, c) || strings.Contains(after, c) }) {
			return true
		}
	}
	return false
}

func isName(c byte) bool {
	return strings.IndexByte("_-/.", c) >= 0 || c >= '0' && c <= '9' || c >= 'a' && c <= 'z'
}

// Detached reports whether a line leaves a program running, or ends one: how that ended says
// nothing.
func Detached(line string) bool {
	return slices.ContainsFunc(Split(line), func(c Command) bool {
		name, _ := c.Program()
		return c.Then == "&" || name == "kill" || name == "pkill"
	})
}
