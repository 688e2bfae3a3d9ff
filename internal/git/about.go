package git

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/pelletier/go-toml/v2"

	"github.com/hebb-memory/hebb/internal/filesys"
)

// About is what the files of a project say of it. What they do not say is empty.
type About struct {
	Is       string   // what the manifest of its package or the first paragraph of its README says
	Uses     []string // languages and main dependencies
	Built    []string // how: targets of make, scripts of a package
	RunsOn   []string
	Released []string // how
}

const (
	aboutBytes   = 256 << 10 // of one file that is read
	aboutUses    = 8         // dependencies that are named: those that the manifest names first
	aboutTargets = 8
	aboutTime    = 2 * time.Second // that git may take
)

// About reads what the files at the top of the work tree say of the project, and its tags.
func (g Repo) About(ctx context.Context) (a About) {
	root, err := os.OpenRoot(g.Root)
	if err != nil {
		return a
	}
	defer func() { _ = root.Close() }()
	read := func(name string) string {
		if info, err := root.Lstat(filepath.FromSlash(name)); err != nil || !info.Mode().IsRegular() {
			return "" // a link may lead to a file that holds secrets
		}
		text, err := filesys.ReadIn(root, filepath.FromSlash(name), aboutBytes)
		if err != nil || bytes.IndexByte(text, 0) >= 0 {
			return ""
		}
		return string(text)
	}
	ctx, cancel := context.WithTimeout(ctx, aboutTime)
	defer cancel()
	files, err := g.Files(ctx)
	if err != nil {
		return a // no repository: its folder may hold anything
	}
	a.Uses = languagesOf(files)
	for _, m := range []manifest{goManifest(read("go.mod")), nodePackage(read("package.json")), pyProject(read("pyproject.toml")), crate(read("Cargo.toml"))} {
		a.Is = cmp.Or(a.Is, m.is)
		a.Uses = append(a.Uses, m.uses[:min(len(m.uses), aboutUses)]...)
		a.Built = append(a.Built, named("scripts of npm", m.scripts)...)
	}
	a.Built = append(a.Built, named("targets of make", makeTargets(read("Makefile")))...)
	for _, name := range files {
		if a.Is == "" && strings.EqualFold(strings.TrimSuffix(name, path.Ext(name)), "readme") {
			a.Is = firstParagraph(read(name))
		}
		if on := platforms[name]; on != "" && !slices.Contains(a.RunsOn, on) {
			a.RunsOn = append(a.RunsOn, on)
		}
		if releases(name) {
			a.Released = append(a.Released, name)
		}
	}
	a.Released = append(g.latestTag(ctx), a.Released...)
	return a
}

// named is a list with its name, nothing if it is empty.
func named(name string, list []string) []string {
	if len(list) == 0 {
		return nil
	}
	return []string{name + ": " + strings.Join(list[:min(len(list), aboutTargets)], ", ")}
}

// platforms are what a file at the top says that a project runs on.
var platforms = map[string]string{
	"Dockerfile": "Docker", "docker-compose.yml": "Docker Compose", "docker-compose.yaml": "Docker Compose", "compose.yaml": "Docker Compose", "fly.toml": "Fly.io",
	"vercel.json": "Vercel", "netlify.toml": "Netlify", "Procfile": "a Procfile", "wrangler.toml": "Cloudflare Workers", "serverless.yml": "Serverless",
}

// releases reports whether a file has a part in releases: a changelog, or a workflow that is named so.
func releases(name string) bool {
	bare := strings.ToLower(strings.TrimSuffix(path.Base(name), path.Ext(name)))
	switch path.Dir(name) {
	case ".":
		return bare == "changelog" || strings.TrimPrefix(bare, ".") == "goreleaser"
	case ".github/workflows":
		return strings.Contains(bare, "release") || strings.Contains(bare, "publish") || strings.Contains(bare, "deploy")
	}
	return false
}

// latestTag names the newest tag, and how many there are.
func (g Repo) latestTag(ctx context.Context) []string {
	out, err := g.ask(ctx, nil, "for-each-ref", "--sort=-version:refname", "--sort=-creatordate", "--format=%(refname:strip=2) (%(creatordate:short))", "refs/tags")
	tags := strings.Split(strings.TrimSpace(out), "\n")
	if err != nil || tags[0] == "" {
		return nil
	}
	if len(tags) == 1 {
		return []string{"tag " + tags[0]}
	}
	return []string{strconv.Itoa(len(tags)) + " tags, the latest " + tags[0]}
}

// spoken are the names of languages by the endings of files.
var spoken = map[string]string{
	".go": "Go", ".py": "Python", ".rs": "Rust", ".swift": "Swift", ".java": "Java", ".kt": "Kotlin", ".ts": "TypeScript", ".tsx": "TypeScript", ".js": "JavaScript",
	".jsx": "JavaScript", ".mjs": "JavaScript", ".vue": "Vue", ".svelte": "Svelte", ".rb": "Ruby", ".cs": "C#", ".php": "PHP", ".c": "C", ".cc": "C++", ".cpp": "C++",
	".ex": "Elixir", ".hs": "Haskell", ".zig": "Zig", ".scala": "Scala", ".dart": "Dart", ".lua": "Lua", ".sh": "shell", ".sql": "SQL",
}

// languagesOf are the languages of at least a tenth of the source files, most files first.
func languagesOf(files []string) (names []string) {
	count, all := map[string]int{}, 0
	for _, f := range files {
		if lang := spoken[path.Ext(f)]; lang != "" {
			count[lang]++
			all++
		}
	}
	for lang, n := range count {
		if 10*n >= all {
			names = append(names, lang)
		}
	}
	slices.SortFunc(names, func(x, y string) int { return cmp.Or(cmp.Compare(count[y], count[x]), cmp.Compare(x, y)) })
	return names
}

// manifest is what the manifest of a package says.
type manifest struct {
	is            string
	uses, scripts []string
}

// goManifest reads go.mod: the modules that it names itself, by the last word of their path.
func goManifest(text string) (m manifest) {
	excluded := false // in a block of versions that are not used
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		excluded = (excluded || strings.HasPrefix(line, "exclude (")) && line != ")"
		if excluded {
			continue
		}
		fields := strings.Fields(strings.TrimPrefix(line, "require "))
		if len(fields) != 2 || !strings.Contains(fields[0], "/") || !strings.HasPrefix(fields[1], "v") {
			continue // others have a comment: // indirect
		}
		name := path.Base(fields[0])
		if _, err := strconv.Atoi(strings.TrimPrefix(name, "v")); err == nil {
			name = path.Base(path.Dir(fields[0]))
		}
		m.uses = append(m.uses, name)
	}
	return m
}

// nodePackage reads package.json.
func nodePackage(text string) (m manifest) {
	var p struct {
		Description           string
		Scripts, Dependencies json.RawMessage
	}
	if json.Unmarshal([]byte(text), &p) != nil {
		return m
	}
	return manifest{p.Description, keysOf(p.Dependencies), keysOf(p.Scripts)}
}

// keysOf are the names of an object, in their order.
func keysOf(object json.RawMessage) (names []string) {
	d := json.NewDecoder(strings.NewReader(string(object)))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	for d.More() {
		name, err := d.Token()
		var value json.RawMessage
		if err != nil || d.Decode(&value) != nil {
			return names
		}
		names = append(names, name.(string))
	}
	return names
}

// pyProject reads pyproject.toml, of pip or poetry.
func pyProject(text string) (m manifest) {
	var p struct {
		Project struct {
			Description  string
			Dependencies []string
		}
		Tool struct {
			Poetry struct {
				Description  string
				Dependencies map[string]any
			}
		}
	}
	if toml.Unmarshal([]byte(text), &p) != nil {
		return m
	}
	m.is = cmp.Or(p.Project.Description, p.Tool.Poetry.Description)
	for _, d := range p.Project.Dependencies { // "httpx[http2]>=0.27; python_version < '3.13'"
		m.uses = append(m.uses, strings.TrimSpace(d[:max(0, len(d)-len(strings.TrimLeft(d, wordRunes)))]))
	}
	m.uses = append(m.uses, sortedKeys(p.Tool.Poetry.Dependencies)...)
	m.uses = slices.DeleteFunc(m.uses, func(d string) bool { return d == "" || d == "python" })
	return m
}

const wordRunes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."

// crate reads Cargo.toml.
func crate(text string) (m manifest) {
	var p struct {
		Package      struct{ Description string }
		Dependencies map[string]any
	}
	if toml.Unmarshal([]byte(text), &p) != nil {
		return m
	}
	return manifest{is: p.Package.Description, uses: sortedKeys(p.Dependencies)}
}

func sortedKeys(table map[string]any) (names []string) {
	for name := range table {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// makeTargets are the targets of a Makefile that people call.
func makeTargets(text string) (targets []string) {
	for line := range strings.Lines(text) {
		name, rest, found := strings.Cut(line, ":")
		plain := name != "" && strings.Trim(name, wordRunes) == "" && !strings.HasPrefix(name, ".") && !strings.Contains(name, ".")
		if found && plain && !strings.HasPrefix(strings.TrimLeft(rest, ":"), "=") && !slices.Contains(targets, name) {
			targets = append(targets, name)
		}
	}
	return targets
}

// markup is what Markdown and HTML add to words: images, links, tags, emphasis.
var markup = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("!\\[[^\\]]*\\]\\([^)]*\\)|<[^>]*>|\\]\\([^)]*\\)|\\]\\[[^\\]]*\\]|[\\[*`]|__")
})

// hidden is what a reader of Markdown does not see: comments, and the header of a page.
var hidden = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?s)\A---\n.*?\n---\n|<!--.*?(-->|\z)`)
})

// leastSentence is how many words say what a project is.
const leastSentence = 4

// firstParagraph is the first paragraph of a text in Markdown that is prose, without its markup.
func firstParagraph(text string) string {
	text = hidden().ReplaceAllString(strings.ReplaceAll(text, "\r\n", "\n"), "")
	fenced, paragraph := false, ""
	for line := range strings.Lines(text + "\n\n") {
		bare := strings.TrimSpace(line)
		if bare != "" && strings.Trim(bare, "=-") == "" {
			paragraph = "" // it was a title
		}
		if strings.HasPrefix(bare, "```") {
			fenced = !fenced
		}
		if bare != "" && !fenced && !strings.HasPrefix(line, "    ") && !strings.ContainsAny(bare[:1], "#-*+>|=~`<") && !strings.HasPrefix(bare, "[!") && !strings.HasPrefix(bare, "![") {
			paragraph += " " + bare
			continue
		}
		if words := strings.Fields(markup().ReplaceAllString(paragraph, "")); len(words) >= leastSentence {
			return strings.Join(words, " ")
		}
		paragraph = ""
	}
	return ""
}
