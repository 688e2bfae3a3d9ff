package sources

import (
	"context"
	"crypto/sha1"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/prose"
)

var update = flag.Bool("update", false, "write the golden lists")

// changed is when every file of a test was changed.
var changed = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// tree is a home and a project in it.
type tree struct {
	t          *testing.T
	home, root string
}

func newTree(t *testing.T) tree {
	t.Helper()
	home := must.Get(filepath.EvalSymlinks(t.TempDir()))(t)
	made := tree{t, home, filepath.Join(home, "proj")}
	must.Do(t, os.Mkdir(made.root, 0o755))
	return made
}

// write writes a file below "home" or "project".
func (tr tree) write(name, text string) {
	tr.t.Helper()
	path := tr.path(name)
	must.Do(tr.t, os.MkdirAll(filepath.Dir(path), 0o755))
	must.Do(tr.t, os.WriteFile(path, []byte(text), 0o644))
	must.Do(tr.t, os.Chtimes(path, changed, changed))
}

func (tr tree) link(to, name string) {
	tr.t.Helper()
	must.Do(tr.t, os.Symlink(to, tr.path(name)))
}

func (tr tree) path(name string) string {
	top, rest, _ := strings.Cut(name, "/")
	return filepath.Join(map[string]string{"home": tr.home, "project": tr.root}[top], filepath.FromSlash(rest))
}

func (tr tree) machine() Machine { return Machine{tr.home, func(string) string { return "" }} }

func none(memory.Agent) bool { return false }

// read returns the lines and problems in a form that a person can check.
func (tr tree) read() string {
	lines, problems := Read(context.Background(), tr.machine(), tr.root, none)
	var out strings.Builder
	for _, l := range lines {
		about := "project"
		if l.User {
			about = "user"
		}
		if l.Noted {
			about += ", noted"
		}
		if !l.At.Equal(changed) {
			about += l.At.UTC().Format(" 2006-01-02")
		}
		if len(l.Globs) > 0 {
			about += fmt.Sprintf(" %q", l.Globs)
		}
		fmt.Fprintf(&out, "%s | %s | for %s | %s\n\t%s\n", l.File, l.Agent, about, l.Readers, l.Text)
	}
	for _, p := range problems {
		fmt.Fprintf(&out, "PROBLEM %s: %s\n", p.File, p.What)
	}
	text := strings.ReplaceAll(out.String(), claudeSlug(tr.root), "-home-dev-proj")
	text = strings.ReplaceAll(text, kiloHash(tr.root), kiloHash("/home/dev/proj"))
	return strings.ReplaceAll(text, tr.home, "/home/dev")
}

func kiloHash(root string) string {
	sum := sha1.Sum([]byte(root))
	return hex.EncodeToString(sum[:])[:12]
}

// TestLinesOfEachAgent reads the trees of testdata, whose files are as the agents write them. The
// list at the top of each was read line by line: every line is true, whole and can be understood
// alone. "must not be read" stands in what is not for this project.
func TestLinesOfEachAgent(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) < 11 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive := must.Get(txtar.ParseFile(file))(t)
			tr := newTree(t)
			for _, f := range archive.Files {
				name, content := f.Name, string(f.Data)
				for from, to := range map[string]string{
					"/home/dev/": tr.home + "/", "-home-dev-proj": claudeSlug(tr.root), "e1db94970709": kiloHash(tr.root),
				} {
					name, content = strings.ReplaceAll(name, from, to), strings.ReplaceAll(content, from, to)
				}
				tr.write(name, content)
			}
			got, want := tr.read(), string(archive.Comment)
			if *update {
				archive.Comment = []byte(got)
				must.Do(t, os.WriteFile(file, txtar.Format(archive), 0o644))
				return
			}
			if got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			if strings.Contains(got, "must not be read") {
				t.Error("reads what is not for this project")
			}
		})
	}
}

func TestAFileOfManyAgentsIsReadOnce(t *testing.T) {
	tr := newTree(t)
	tr.write("project/AGENTS.md", "- Run the tests first.\n")
	tr.link("AGENTS.md", "project/CLAUDE.md")
	tr.write("project/GEMINI.md", "# A copy\n\n- Run the tests first.\n")
	want := "AGENTS.md |  | for project | [claude-code cline codex copilot cursor gemini kilo kimi opencode pi qwen vscode windsurf]\n" +
		"\tRun the tests first.\n"
	if got := tr.read(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestAnAgentReadsOneFileInsteadOfAnother(t *testing.T) {
	tr := newTree(t)
	tr.write("home/.claude/CLAUDE.md", "- Of the user.\n")
	tr.write("project/CLAUDE.md", "- Of the project.\n")
	want := "~/.claude/CLAUDE.md | claude-code | for user | [claude-code kilo opencode]\n\tOf the user.\n" +
		"CLAUDE.md | claude-code | for project | [claude-code copilot kilo opencode]\n\tOf the project.\n"
	if got := tr.read(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	tr.write("home/.config/opencode/AGENTS.md", "")
	tr.write("project/AGENTS.md", "- Of all agents.\n")
	want = "AGENTS.md |  | for project | [cline codex copilot cursor kilo kimi opencode pi qwen vscode windsurf]\n\tOf all agents.\n" +
		"~/.claude/CLAUDE.md | claude-code | for user | [claude-code kilo]\n\tOf the user.\n" +
		"CLAUDE.md | claude-code | for project | [claude-code copilot]\n\tOf the project.\n"
	if got := tr.read(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	lines, _ := Read(context.Background(), tr.machine(), tr.root, func(a memory.Agent) bool { return a == claude })
	if len(lines) != 1 || lines[0].Text != "Of all agents." {
		t.Errorf("Claude Code is off: %v", lines)
	}
}

func TestFoldersAreMovedByVariables(t *testing.T) {
	tr := newTree(t)
	tr.write("home/elsewhere/CLAUDE.md", "- Of the moved folder.\n")
	tr.write("home/.claude/CLAUDE.md", "- Of the usual folder.\n")
	m := Machine{tr.home, func(name string) string {
		return map[string]string{"CLAUDE_CONFIG_DIR": filepath.Join(tr.home, "elsewhere"), "CODEX_HOME": "relative"}[name]
	}}
	lines, problems := Read(context.Background(), m, tr.root, none)
	if len(lines) != 1 || lines[0].Text != "Of the moved folder." || len(problems) > 0 {
		t.Error(lines, problems)
	}
	if lines, _ := Read(context.Background(), Machine{"", m.Getenv}, "", none); len(lines) != 1 {
		t.Errorf("without a home and a project: %v", lines)
	}
}

func TestHostileFiles(t *testing.T) {
	for name, c := range map[string]struct {
		make func(tr tree)
		want string // what read returns of CLAUDE.md and the problems
	}{
		"too large": {
			func(tr tree) { tr.write("project/CLAUDE.md", strings.Repeat("- a rule\n", 150_000)) },
			"PROBLEM CLAUDE.md: is larger than 1024 KiB\n",
		},
		"binary": {
			func(tr tree) { tr.write("project/CLAUDE.md", "- a rule\x00\n") },
			"PROBLEM CLAUDE.md: is not UTF-8 text\n",
		},
		"Latin-1": {
			func(tr tree) { tr.write("project/CLAUDE.md", "- une r\xe8gle\n") },
			"PROBLEM CLAUDE.md: is not UTF-8 text\n",
		},
		"a byte order mark and line ends of Windows": {
			func(tr tree) { tr.write("project/CLAUDE.md", "\ufeff---\r\na: b\r\n---\r\n- a rule\r\n") },
			"a rule\n",
		},
		"a link out of the project": {
			func(tr tree) {
				tr.write("home/secret.md", "- the secret word\n")
				tr.link("../secret.md", "project/CLAUDE.md")
			},
			"PROBLEM CLAUDE.md: lies outside ~/proj and is not read\n",
		},
		"a linked folder out of the project": {
			func(tr tree) {
				tr.write("home/secrets/a.md", "- the secret word\n")
				tr.write("project/.claude/x", "")
				tr.link(tr.path("home/secrets"), "project/.claude/rules")
			},
			"PROBLEM .claude/rules/a.md: lies outside ~/proj and is not read\n",
		},
		"an import out of the project": {
			func(tr tree) {
				tr.write("home/secret.md", "- the secret word\n")
				tr.write("project/CLAUDE.md", "@~/secret.md\n\n@../secret.md\n\n@/etc/passwd\n\n- a rule\n")
			},
			"a rule\nPROBLEM ~/secret.md: lies outside ~/proj and is not read\n",
		},
		"a link to itself and a folder": {
			func(tr tree) {
				tr.link("CLAUDE.md", "project/CLAUDE.md")
				tr.write("project/AGENTS.md/x", "")
			},
			"",
		},
		"imports in a circle": {
			func(tr tree) {
				tr.write("project/CLAUDE.md", "@a.md @CLAUDE.md @gone.md @alice\n\n- first rule\n")
				tr.write("project/a.md", "@b.md\n\n- second rule\n")
				tr.write("project/b.md", "@a.md @./CLAUDE.md\n\n- third rule\n")
			},
			"first rule\nsecond rule\nthird rule\n",
		},
		"imports without end": {
			func(tr tree) {
				tr.write("project/CLAUDE.md", "@i1.md\n")
				for i := 1; i < 20; i++ {
					tr.write(fmt.Sprintf("project/i%d.md", i), fmt.Sprintf("@i%d.md\n\n- rule %d\n", i+1, i))
				}
			},
			"rule 1\nrule 2\nrule 3\nrule 4\nrule 5\n",
		},
		"a header without end, marks without end": {
			func(tr tree) {
				tr.write("project/CLAUDE.md", "---\n"+strings.Repeat("a:\n", 50_000)+"<!--"+strings.Repeat("\n> ```", 50_001))
			},
			"",
		},
		"many comments, one paragraph, one deep list": {
			func(tr tree) {
				text := strings.Repeat("<!---->", 50_000) + strings.Repeat("a\n", 100_000) + "\n"
				var list strings.Builder
				for i := range 900 {
					list.WriteString(strings.Repeat(" ", i) + "- b:\n")
				}
				tr.write("project/CLAUDE.md", text+list.String())
			},
			prose.Shorten(strings.Repeat("a ", maxText), maxText) + "\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			tr := newTree(t)
			c.make(tr)
			var got strings.Builder
			for line := range strings.Lines(tr.read()) {
				if text, ok := strings.CutPrefix(line, "\t"); ok || strings.HasPrefix(line, "PROBLEM") {
					got.WriteString(text)
				}
			}
			if got.String() != c.want {
				t.Errorf("got\n%.3000s\nwant\n%s", got.String(), c.want)
			}
		})
	}
}

func TestTheNewestNotesAreRead(t *testing.T) {
	tr := newTree(t)
	folder := "home/.claude/projects/" + claudeSlug(tr.root) + "/memory/"
	for i := range maxFiles + 10 {
		name := fmt.Sprintf("%sfact%03d.md", folder, i)
		tr.write(name, fmt.Sprintf("---\nname: fact%d\n---\nFact number %d.\n", i, i))
		at := changed.Add(time.Duration(i) * time.Minute)
		must.Do(t, os.Chtimes(tr.path(name), at, at))
	}
	tr.write("project/AGENTS.md", strings.Repeat("- Ask before you push.\n", 100))
	lines, problems := Read(context.Background(), tr.machine(), tr.root, none)
	if len(lines) != maxFiles || lines[0].File != "AGENTS.md" || lines[maxFiles-1].Text != "Fact number 11." || len(problems) != 1 {
		t.Errorf("%d lines from %v to %v, problems %v", len(lines), lines[0], lines[len(lines)-1], problems)
	}
	var many strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&many, "- This is rule %d.\n", i)
	}
	tr.write("project/AGENTS.md", many.String())
	if lines, problems = Read(context.Background(), tr.machine(), tr.root, none); len(lines) != maxLines || len(problems) != 2 {
		t.Errorf("%d lines, problems %v", len(lines), problems)
	}
}

func TestFingerprintFollowsEveryFile(t *testing.T) {
	tr := newTree(t)
	tr.write("project/CLAUDE.md", "@docs/a.md\n\n- A rule.\n")
	tr.write("project/docs/a.md", "- Imported.\n")
	tr.write("project/README.md", "Not for agents.\n")
	now := func() string { return Fingerprint(tr.machine(), tr.root, none) }
	before := now()
	for i, change := range []func(){
		func() { tr.write("project/docs/a.md", "- Imported and longer.\n") },
		func() { tr.write("home/.claude/projects/"+claudeSlug(tr.root)+"/memory/a.md", "A fact.\n") },
		func() { tr.write("project/a/b/AGENTS.md", "- Below.\n") },
		func() { _ = os.Remove(tr.path("project/CLAUDE.md")) },
	} {
		change()
		after := now()
		if after == before {
			t.Errorf("change %d is not noticed", i)
		}
		before = after
	}
	tr.write("project/README.md", "Still not for agents.\n")
	if now() != before {
		t.Error("changed although no file of an agent did")
	}
}

func TestNamesOfFolders(t *testing.T) {
	for root, want := range map[string]string{ // the first and the last as Claude Code 2.1.325 made them
		"/home/dev/proj":                                "-home-dev-proj",
		"/home/dev/a_b.c d/é😀":                          "-home-dev-a-b-c-d----",
		"/home/dev/" + strings.Repeat("long-name/", 25): "-home-dev-" + strings.Repeat("long-name-", 19) + "-hb4106",
		"/tmp/formats-npm/run/" + strings.Repeat("averylongfoldername_", 12): "-tmp-formats-npm-run" +
			strings.Repeat("-averylongfoldername", 9) + "-otgl8c",
	} {
		if got := claudeSlug(root); got != want {
			t.Errorf("%s: %s, want %s", root, got, want)
		}
	}
	if got := kiloHash("/home/dev/proj"); got != "e1db94970709" {
		t.Error(got)
	}
	folders := foldersOf(Machine{"/h", func(string) string { return "" }}, "/h", "/h/p")
	for _, reader := range reads {
		for _, p := range reader.places {
			if !strings.HasSuffix(p.in, " memory") && len(folders[p.in]) == 0 {
				t.Errorf("%s: no folder %q", reader.agent, p.in)
			}
		}
	}
}
