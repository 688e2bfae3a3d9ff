package layers

import (
	"github.com/hebb-memory/hebb/internal/must"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/hebb-memory/hebb/"

// arrows lists, for each package, which others of hebb it may import. This is the picture of ARCHITECTURE.md as data:
// an import that is not drawn fails the test, and so does a package that is not listed.
var arrows = map[string][]string{
	// Row 1, words.
	"internal/memory":  {},
	"internal/prose":   {"internal/memory"},
	"internal/vocab":   {},
	"internal/encoder": {},
	"internal/tuning":  {"internal/memory"},
	// Row 2, logic: no database, no network, no files, no clock. Its packages do not know each other.
	"internal/plasticity": {"internal/memory", "internal/tuning"},
	"internal/recall":     {"internal/encoder", "internal/filesys", "internal/memory", "internal/tuning", "internal/vocab"},
	"internal/fault":      {"internal/memory", "internal/shell"}, // what became of a failed command
	"internal/scrub":      {},
	"internal/typed":      {},
	"internal/lines":      {"internal/memory", "internal/prose", "internal/shell"}, // what a line of knowledge may say
	"internal/shell":      {},
	"internal/sheet":      {"internal/memory", "internal/prose"},
	// Row 3, adapters. They do not know each other; filesys is system calls that several of them need,
	// transcript reads databases through foreign, wiring knows the agents by name, and failpoint is nothing at all outside tests.
	"internal/filesys":        {"internal/memory", "internal/failpoint"},
	"internal/failpoint":      {},
	"internal/project":        {"internal/memory", "internal/filesys"},
	"internal/agent":          {"internal/memory", "internal/shell", "internal/tuning", "internal/scrub", "internal/typed"},
	"internal/wiring":         {"internal/memory", "internal/shell", "internal/filesys", "internal/agent"},
	"internal/git":            {"internal/memory", "internal/prose", "internal/filesys", "internal/tuning", "internal/code"}, // which names tools write
	"internal/config":         {"internal/memory", "internal/tuning", "internal/filesys"},
	"internal/embedding":      {"internal/memory", "internal/tuning", "internal/recall", "internal/vocab"},
	"internal/foreign":        {"internal/memory", "internal/prose", "internal/tuning", "internal/filesys"},
	"internal/sources":        {"internal/memory", "internal/filesys", "internal/prose"},
	"internal/transcript":     {"internal/memory", "internal/filesys", "internal/foreign", "internal/typed"},
	"internal/code":           {"internal/memory", "internal/prose", "internal/filesys"},
	"internal/spool":          {"internal/memory", "internal/tuning", "internal/filesys", "internal/failpoint"},
	"internal/llm":            {"internal/memory", "internal/tuning", "internal/prose"},
	"internal/store/db":       {"internal/memory", "internal/failpoint"},
	"internal/store/text":     {"internal/memory", "internal/prose", "internal/store/db"},
	"internal/store":          {"internal/memory", "internal/shell", "internal/plasticity", "internal/store/db", "internal/store/text"},
	"internal/store/sqlite":   {"internal/memory", "internal/tuning", "internal/filesys", "internal/store", "internal/store/db"},
	"internal/store/postgres": {"internal/memory", "internal/store", "internal/store/db", "internal/store/sqlite"},
	"internal/store/storetest": {
		"internal/memory", "internal/tuning", "internal/plasticity", "internal/store", "internal/must",
	},
	"internal/must": {}, // for tests
	// Row 5, doors. They do not know each other, except cli, which starts them.
	"internal/hook": {
		"internal/memory", "internal/tuning", "internal/scrub", "internal/project", "internal/agent", "internal/spool", "internal/filesys",
	},
	"internal/replay": {
		"internal/memory", "internal/tuning", "internal/recall", "internal/git", "internal/config",
		"internal/vocab",
	},
	"internal/mcpserver": {"internal/memory", "internal/prose", "internal/filesys", "internal/scrub", "internal/agent", "internal/config"},
	"internal/httpapi":   {"internal/memory", "internal/scrub", "internal/config"},
	"internal/webui":     {},
	"internal/daemon": {
		"internal/memory", "internal/filesys", "internal/spool", "internal/wiring", "internal/config", "internal/httpapi", "internal/scrub",
		"internal/shell", "internal/code", "internal/git", "internal/project", "internal/store",
	},
	"internal/cli": {
		"internal/project", "internal/hook",
		"internal/mcpserver", "internal/httpapi", "internal/webui", "internal/daemon", "internal/memory", "internal/prose", "internal/tuning", "internal/recall", "internal/scrub", "internal/agent", "internal/wiring", "internal/config",
		"internal/git", "internal/filesys", "internal/foreign", "internal/sources", "internal/transcript", "internal/store", "internal/replay", "internal/llm",
	},
	"cmd/hebb/internal/hookmain": {"internal/memory", "internal/agent", "internal/config", "internal/hook", "internal/spool"},
	"cmd/hebb":                   {"internal/memory", "internal/config", "internal/cli", "internal/failpoint", "cmd/hebb/internal/hookmain"},
	"internal/layers":            {},
	"scripts/suite":              {},
}

// rooms are the packages of row 4, from the lowest level to the highest. A room may import those of lower levels, never one beside or
// above it, and everything of rows 1 to 3.
var rooms = [][]string{
	{"brain"}, {"record"}, {"ranking"}, {"texts"}, {"statements"}, {"goals"}, {"desk", "sleep"}, {"state"}, {"views"}, {"forget", "answer"}, {"learn"}, {"transfer"},
	{"inspect"}, {"steward"},
}

// level returns where a room stands, -1 for a package that is none.
func level(pkg string) int {
	return slices.IndexFunc(rooms, func(beside []string) bool { return slices.Contains(beside, strings.TrimPrefix(pkg, "internal/")) })
}

// drawn reports whether one package may import another.
func drawn(from, to string) bool {
	if to == "internal/store/db" { // SQL stays inside the store
		return slices.Contains(arrows[from], to)
	}
	if at := level(from); at >= 0 {
		below := level(to)
		return below >= 0 && below < at || below < 0 && !door(to)
	}
	return slices.Contains(arrows[from], to) || door(from) && level(to) >= 0
}

// door reports whether a package is one of row 5, or serves only those.
func door(pkg string) bool {
	return slices.Contains([]string{"internal/hook", "cmd/hebb/internal/hookmain", "internal/replay", "internal/mcpserver", "internal/httpapi", "internal/webui", "internal/daemon", "internal/cli", "cmd/hebb"}, pkg)
}

// benchmarks is the folder of the benchmark binary. It may import everything; no row above lists it, so nothing of the product
// may import it.
const benchmarks = "cmd/hebb-bench"

func within(dir, folder string) bool { return dir == folder || strings.HasPrefix(dir, folder+"/") }

// forbidden names packages of the standard library that a package must not reach, directly or through others, with
// the reason.
var forbidden = map[string]map[string]string{
	"cmd/hebb/internal/hookmain": {
		"database/sql": "a hook never opens the database",
		"net/http":     "a hook never touches the network",
		"net":          "a hook never touches the network",
		"regexp":       "compiling one costs a hook more than its whole work",
	},
	"internal/plasticity": pure,
	"internal/fault":      pure,
	"internal/scrub":      pure,
	"internal/typed":      pure,
	"internal/lines":      pure,
	"internal/shell":      pure,
	"internal/sheet":      pure,
	"internal/memory":     pure,
	"internal/prose":      pure,
	"internal/vocab":      pure,
	"internal/encoder":    pure,
	"internal/tuning":     pure,
}

var pure = map[string]string{
	"database/sql": "logic stays apart from SQL",
	"net":          "logic stays apart from the network",
	"os":           "logic touches no file",
}

// rules are the files of rooms and adapters that hold rules alone: they import no store, no open memory, no system.
var rules = map[string]string{
	"internal/answer":     "budget.go fit.go mode.go",
	"internal/desk":       "live.go pages.go pinned.go shelves.go summary.go",
	"internal/goals":      "goal.go goal_think.go left.go plan.go stuck.go words.go",
	"internal/recall":     "asked.go confidence.go cooccurrence.go filevectors.go habits.go image.go index.go learn.go measure.go packed.go rank.go term.go weights.go",
	"internal/state":      "document.go gap.go guards.go here.go kinds.go lines.go pointers.go prompt.go render.go seedlines.go statement.go urgency.go when.go",
	"internal/statements": "breach.go forms.go isstatement.go marks.go mood.go sentence.go subject.go until.go",
	"internal/daemon":     "rhythm.go rules.go",
	"internal/texts":      "crystal.go duplicates.go fuse.go importance.go query.go subject.go text.go when.go",
}

func TestRulesArePureFunctions(t *testing.T) {
	for dir, names := range rules {
		for name := range strings.FieldsSeq(names) {
			text, err := os.ReadFile(filepath.Join("..", "..", dir, name))
			if err != nil {
				t.Error(err)
				continue
			}
			file := must.Get(parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly))(t)
			for _, spec := range file.Imports {
				imported := strings.Trim(spec.Path.Value, `"`)
				inside, own := strings.CutPrefix(imported, module)
				if pure[imported] != "" || own && (inside == "internal/brain" || inside == "internal/store" || inside == "internal/filesys") {
					t.Errorf("%s/%s imports %s: a rule takes what it needs as arguments", dir, name, imported)
				}
			}
		}
	}
}

// clockless lists the rows in which time is an argument.
var clockless = []string{
	"internal/memory", "internal/tuning", "internal/vocab", "internal/plasticity", "internal/recall", "internal/fault", "internal/scrub", "internal/typed", "internal/store",
	"internal/prose",
	"internal/agent", "internal/project", "internal/git", "internal/spool",
	"internal/foreign", "internal/sources", "internal/code",
	"internal/embedding", "internal/encoder",
}

type source struct {
	imports []string
	text    string
	doc     string
}

// sources reads the import lines of every package by itself: a test that asked the go command would be cached and
// would not notice a new arrow. braintest is left out: it is what tests share.
func sources(t *testing.T) map[string][]source {
	t.Helper()
	root := filepath.Join("..", "..")
	found := map[string][]source{}
	must.Do(t, filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == "testdata" || entry.Name() == "braintest" || entry.Name() == "tools" || strings.HasPrefix(entry.Name(), ".") && name != root) {
			return fs.SkipDir
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly|parser.ParseComments)
		if err != nil {
			return err
		}
		dir, err := filepath.Rel(root, filepath.Dir(name))
		if err != nil {
			return err
		}
		s := source{text: string(text), doc: file.Doc.Text()}
		for _, spec := range file.Imports {
			s.imports = append(s.imports, strings.Trim(spec.Path.Value, `"`))
		}
		found[filepath.ToSlash(dir)] = append(found[filepath.ToSlash(dir)], s)
		return nil
	}))
	return found
}

func TestEveryImportIsAnArrowOfThePlan(t *testing.T) {
	for dir, files := range sources(t) {
		if within(dir, benchmarks) {
			continue
		}
		if _, known := arrows[dir]; !known && level(dir) < 0 {
			t.Errorf("%s is not in the plan: give it a row here and in ARCHITECTURE.md", dir)
			continue
		}
		for _, f := range files {
			for _, imported := range f.imports {
				inside, ok := strings.CutPrefix(imported, module)
				if ok && !drawn(dir, inside) {
					t.Errorf("%s imports %s: that arrow is not drawn", dir, inside)
				}
			}
		}
	}
}

func TestEveryPackageOfThePlanExists(t *testing.T) {
	found := sources(t)
	plan := slices.Collect(maps.Keys(arrows))
	for _, beside := range rooms {
		for _, room := range beside {
			plan = append(plan, "internal/"+room)
		}
	}
	for _, dir := range plan {
		if found[dir] == nil {
			t.Errorf("the plan lists %s, which does not exist", dir)
		}
	}
}

func TestNothingReachesWhatItMustNot(t *testing.T) {
	found := sources(t)
	var reach func(dir string, seen map[string]bool, visit func(dir, imported string))
	reach = func(dir string, seen map[string]bool, visit func(dir, imported string)) {
		if seen[dir] {
			return
		}
		seen[dir] = true
		for _, f := range found[dir] {
			for _, imported := range f.imports {
				visit(dir, imported)
				if inside, ok := strings.CutPrefix(imported, module); ok {
					reach(inside, seen, visit)
				}
			}
		}
	}
	for dir, rules := range forbidden {
		reach(dir, map[string]bool{}, func(via, imported string) {
			if why, bad := rules[imported]; bad {
				t.Errorf("%s reaches %s through %s: %s", dir, imported, via, why)
			}
		})
	}
}

func TestTimeIsAnArgument(t *testing.T) {
	for dir, files := range sources(t) {
		if level(dir) < 0 && !slices.ContainsFunc(clockless, func(row string) bool { return dir == row || path.Dir(dir) == row }) {
			continue
		}
		for _, f := range files {
			for _, call := range []string{"time.Now()", "time.Since(", "time.Until("} {
				if strings.Contains(f.text, call) {
					t.Errorf("%s calls %s…: pass now as an argument", dir, call)
				}
			}
		}
	}
}

func TestFilesAreRenamedAndRemovedThroughFilesys(t *testing.T) {
	for dir, files := range sources(t) {
		for _, f := range files {
			for _, call := range []string{"os.Remove(", "os.Rename("} {
				if dir != "internal/filesys" && strings.Contains(f.text, call) {
					t.Errorf("%s calls %s…): Windows refuses that while another program has the file open; filesys tries again", dir, call)
				}
			}
		}
	}
}

// opensItself lists who opens files without filesys, and why.
var opensItself = map[string]string{
	"internal/filesys":      "it is the place",
	"internal/layers":       "reads the source of this repository",
	"scripts/suite":         "likewise",
	"internal/hook":         "the null device",
	"internal/store/sqlite": "the system's table of mounts; makes the database, which is not there yet",
	"internal/cli":          "files that a person names, which may be a pipe, and those it makes",
	"internal/foreign":      "makes copies that are not there yet",
	"internal/spool":        "makes claims that are not there yet",
	"internal/mcpserver":    "makes its token, which is not there yet",
	"internal/views":        "folders, and files that are not there yet",
	"cmd/hebb":              "of a test build, the list of its steps",
}

// TestFilesAreOpenedThroughFilesys: a pipe or a device in the place of a file must not make a command wait.
func TestFilesAreOpenedThroughFilesys(t *testing.T) {
	reads := regexp.MustCompile(`\bos\.(Open|OpenFile|ReadFile|WriteFile|Create)\(|\b(root|folder|f)\.(Open|OpenFile|ReadFile)\(`)
	for dir, files := range sources(t) {
		if opensItself[dir] != "" || within(dir, benchmarks) {
			continue
		}
		for _, f := range files {
			if call := reads.FindString(f.text); call != "" {
				t.Errorf("%s calls %s…): filesys opens regular files only, and never waits", dir, call)
			}
		}
	}
}

func TestEveryPackageSaysWhatItIs(t *testing.T) {
	for dir, files := range sources(t) {
		var docs []string
		for _, f := range files {
			if f.doc != "" {
				docs = append(docs, f.doc)
			}
		}
		if len(docs) != 1 || len(docs[0]) < 80 {
			t.Errorf("%s: want one package comment that says what it is for, got %q", dir, docs)
		}
	}
}

func TestNothingIsCompiledWhenTheProgramStarts(t *testing.T) {
	for dir, files := range sources(t) {
		for _, f := range files {
			for line := range strings.Lines(f.text) {
				if strings.HasPrefix(line, "var ") && strings.Contains(line, "regexp.MustCompile") {
					t.Errorf("%s: %s: every hook would wait for it; compile it where it is used", dir, strings.TrimSpace(line))
				}
			}
		}
	}
}

// TestGitIsCalledInOnePlace: package git keeps git from running programs that a repository names.
func TestGitIsCalledInOnePlace(t *testing.T) {
	call := regexp.MustCompile(`exec\.(Command|CommandContext|LookPath)\([^"\n]*"git"`)
	for dir, files := range sources(t) {
		if within(dir, benchmarks) { // makes the repository that it measures
			continue
		}
		for _, f := range files {
			if found := call.FindString(f.text); found != "" {
				t.Errorf("%s calls git by itself (%s…): use git.Command", dir, found)
			}
		}
	}
}

// TestTheWalkOfAnEventNamesWhatExists checks every name of the section of CONTRIBUTING.md that follows an event through the code.
func TestTheWalkOfAnEventNamesWhatExists(t *testing.T) {
	page := must.Get(os.ReadFile(filepath.Join("..", "..", "CONTRIBUTING.md")))(t)
	_, walk, _ := strings.Cut(string(page), "## Where an event goes\n")
	walk, _, _ = strings.Cut(walk, "\n## ")
	found, names := sources(t), regexp.MustCompile("`([a-z]+)(?:\\.([A-Z]\\w+))?`").FindAllStringSubmatch(walk, -1)
	if len(names) < 8 {
		t.Fatalf("the walk has %d names", len(names))
	}
	for _, n := range names {
		declared := regexp.MustCompile(`(?m)^(func|type|var|\t)\s*(\([^)]*\) )?` + n[2] + `\b`)
		if files := found["internal/"+n[1]]; files == nil || n[2] != "" && !slices.ContainsFunc(files, func(f source) bool { return declared.MatchString(f.text) }) {
			t.Errorf("CONTRIBUTING.md names %s, which does not exist", n[0])
		}
	}
}
