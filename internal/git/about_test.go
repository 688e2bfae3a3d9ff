package git

import (
	"github.com/hebb-memory/hebb/internal/must"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

func (r *repo) put(name, text string) {
	r.t.Helper()
	file := filepath.Join(r.dir, name)
	must.Do(r.t, os.MkdirAll(filepath.Dir(file), 0o755))
	must.Do(r.t, os.WriteFile(file, []byte(text), 0o600))
}

func TestAProjectSaysWhatItIs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		files map[string]string
		tags  []string
		want  About
	}{
		{"nothing is said", map[string]string{"a.txt": "x"}, nil, About{}},
		{
			"a module of Go", map[string]string{
				"README.md": "<!--\nNot to be read: you may not use this file.\n-->\nThe till of all our shops\n===\n\n[![CI](https://ci.example/b.svg)](https://ci.example)\n<p align=center>\n\n> note\n\nThe **till** adds up what [customers](docs/c.md) pay,\nin cents. It rounds.\n",
				"go.mod":    "module example.org/till\n\ngo 1.26\n\nrequire github.com/spf13/cobra v1.10.2\nrequire (\n\tgithub.com/jackc/pgx/v5 v5.11.0\n\tgolang.org/x/sys v0.49.0 // indirect\n)\n\nexclude (\n\tgithub.com/old/thing v1.0.0\n)\n",
				"Makefile":  ".PHONY: build\nX := 1\nY ::= 2\nZ:::=3\nbuild: gen\n\tgo build\ntest:\n\tgo test ./...\nout/x.o: y\n",
				"main.go":   "package main", "b.go": "package main", "run.sh": "x", "CHANGELOG.md": "# Changes", "Dockerfile": "FROM scratch",
				".github/workflows/release.yml": "on: push", ".github/workflows/ci.yml": "on: push",
			},
			[]string{"v0.1.0", "v0.2.0"},
			About{
				Is: "The till adds up what customers pay, in cents. It rounds.", Uses: []string{"Go", "shell", "cobra", "pgx"}, Built: []string{"targets of make: build, test"},
				RunsOn: []string{"Docker"}, Released: []string{"2 tags, the latest v0.2.0 (2023-11-14)", ".github/workflows/release.yml", "CHANGELOG.md"},
			},
		},
		{
			"a package of node", map[string]string{
				"package.json": `{"description": "A shop window.", "scripts": {"build": "vite", "test": "vitest"}, "dependencies": {"vue": "3", "axios": "1"}, "devDependencies": {"vite": "5"}}`,
				"README.md":    "This text is longer than the description.", "a.ts": "", "b.vue": "",
			},
			[]string{"one"},
			About{Is: "A shop window.", Uses: []string{"TypeScript", "Vue", "vue", "axios"}, Built: []string{"scripts of npm: build, test"}, Released: []string{"tag one (2023-11-14)"}},
		},
		{
			"a project of Python", map[string]string{
				"pyproject.toml": "[project]\ndescription = \"Counts stock.\"\ndependencies = [\"httpx[http2]>=0.27; python_version < '3.13'\", \"rich\"]\n", "a.py": "",
			}, nil, About{Is: "Counts stock.", Uses: []string{"Python", "httpx", "rich"}},
		},
		{"a crate", map[string]string{"Cargo.toml": "[package]\nname = \"x\"\n[dependencies]\nserde = { version = \"1\" }\nanyhow = \"1\"\n", "a.rs": ""}, nil, About{Uses: []string{"Rust", "anyhow", "serde"}}},
		{"manifests that cannot be read", map[string]string{"package.json": "{", "pyproject.toml": "[", "Cargo.toml": "=", "go.mod": "(((", "README.md": "```\nx y z a b\n```\n"}, nil, About{}},
	} {
		r := newRepo(t)
		for name, text := range c.files {
			r.put(name, text)
		}
		r.git("add", "-A")
		r.run(nil, []string{"GIT_COMMITTER_DATE=1700000000 +0000"}, "commit", "-qm", "all")
		for _, tag := range c.tags {
			r.git("tag", tag)
		}
		if got := (Repo{Root: r.dir}).About(t.Context()); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s:\n%+v, want\n%+v", c.name, got, c.want)
		}
	}
	if got := (Repo{Root: t.TempDir()}).About(t.Context()); !reflect.DeepEqual(got, About{}) {
		t.Errorf("no repository: %+v", got)
	}
}
