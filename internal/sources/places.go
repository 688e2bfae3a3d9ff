package sources

import (
	"cmp"
	"crypto/sha1"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/hebb-memory/hebb/internal/memory"
)

// The agents, by the names that package agent has for them.
const (
	claude   memory.Agent = "claude-code"
	codex    memory.Agent = "codex"
	gemini   memory.Agent = "gemini"
	copilot  memory.Agent = "copilot"
	vscode   memory.Agent = "vscode"
	cursor   memory.Agent = "cursor"
	windsurf memory.Agent = "windsurf"
	kilo     memory.Agent = "kilo"
	opencode memory.Agent = "opencode"
	cline    memory.Agent = "cline"
	qwen     memory.Agent = "qwen"
	kimi     memory.Agent = "kimi"
	pi       memory.Agent = "pi"
	shared   memory.Agent = "" // files that several agents agreed on
)

// form is how a file is written.
type form int

const (
	markdown      form = iota // rules or notes, perhaps with a header
	claudeMemory              // one fact, with a header
	codexHandbook             // MEMORY.md: groups of tasks, each of one or all projects
	codexSummary              // memory_summary.md
	codexNote                 // a note with its time in the name
	kiloMemory                // "- key :: text"
)

// place is where an agent looks for files.
type place struct {
	in   string // a folder of the machine: see foldersOf
	name string // below it; * and **/ stand for many
	form form
	// unless lists files in whose presence the agent does not read this one: in the same folder, or
	// in another one before a colon.
	unless  []string
	except  []string // files that the pattern does not mean
	nested  bool     // also in the project's subfolders
	imports bool     // the agent follows @file
}

// reads lists what each agent reads. The first agent that lists a file owns it. Evidence for
// each row: Claude Code 2.1.325, Codex 0.166, Gemini CLI 0.61, Copilot CLI 1.0.102, Kilo 7.7.9,
// OpenCode 1.18.33, Cline 3.0.65, Qwen Code 0.24.4, Kimi 2.1.0 and Pi 0.87.1 were run or read;
// Cursor, Windsurf and VS Code are documented.
var reads = []struct {
	agent  memory.Agent
	places []place
}{
	{shared, []place{
		{in: "home", name: ".agents/AGENTS.md"},
		{in: "project", name: "AGENTS.md", nested: true},
	}},
	{claude, []place{
		{in: "claude", name: "CLAUDE.md", imports: true},
		{in: "claude", name: "rules/**/*.md"},
		{in: "project", name: "CLAUDE.md", nested: true, imports: true},
		{in: "project", name: ".claude/CLAUDE.md", imports: true},
		{in: "project", name: "CLAUDE.local.md", imports: true},
		{in: "project", name: ".claude/rules/**/*.md"},
		{in: "project", name: "AGENTS.md", nested: true, unless: []string{"CLAUDE.md"}},
		{in: "claude memory", name: "**/*.md", form: claudeMemory, except: []string{"team"}},
	}},
	{codex, []place{
		{in: "codex", name: "AGENTS.override.md"},
		{in: "codex", name: "AGENTS.md", unless: []string{"AGENTS.override.md"}},
		{in: "project", name: "AGENTS.override.md", nested: true},
		{in: "project", name: "AGENTS.md", nested: true, unless: []string{"AGENTS.override.md"}},
		{in: "codex memory", name: "MEMORY.md", form: codexHandbook},
		{in: "codex memory", name: "memory_summary.md", form: codexSummary},
		{in: "codex memory", name: "extensions/ad_hoc/notes/*.md", form: codexNote},
	}},
	{gemini, []place{
		{in: "gemini", name: "GEMINI.md", imports: true},
		{in: "project", name: "GEMINI.md", nested: true, imports: true},
		{in: "gemini memory", name: "*.md", except: []string{"GEMINI.md"}},
		{in: "gemini memory", name: "GEMINI.md", unless: []string{"MEMORY.md"}},
	}},
	{copilot, []place{
		{in: "copilot", name: "copilot-instructions.md"},
		{in: "copilot", name: "instructions/*.instructions.md"},
		{in: "project", name: ".github/copilot-instructions.md"},
		{in: "project", name: ".github/instructions/**/*.instructions.md"},
		{in: "project", name: "AGENTS.md", nested: true},
		{in: "project", name: "CLAUDE.md"},
		{in: "project", name: "GEMINI.md"},
		{in: "project", name: ".claude/rules/*.md"},
	}},
	{vscode, []place{
		{in: "project", name: ".github/copilot-instructions.md"},
		{in: "project", name: ".github/instructions/**/*.instructions.md"},
		{in: "project", name: "AGENTS.md"},
		{in: "vscode memory", name: "*.md"},
		{in: "vscode project memory", name: "*.md"},
	}},
	{cursor, []place{
		{in: "project", name: ".cursor/rules/**/*.mdc", nested: true},
		{in: "project", name: ".cursorrules"},
		{in: "project", name: "AGENTS.md", nested: true},
	}},
	{windsurf, []place{
		{in: "home", name: ".codeium/windsurf/memories/global_rules.md"},
		{in: "project", name: ".windsurf/rules/*.md", nested: true},
		{in: "project", name: ".windsurfrules"},
		{in: "project", name: "AGENTS.md", nested: true},
	}},
	{kilo, []place{
		{in: "home", name: ".kilo/rules/*.md"},
		{in: "home", name: ".kilocode/rules/*.md"},
		{in: "kilo", name: "AGENTS.md"},
		{in: "claude", name: "CLAUDE.md"},
		{in: "project", name: ".kilo/rules/*.md"},
		{in: "project", name: ".kilocode/rules/*.md"},
		{in: "project", name: ".kilocoderules"},
		{in: "project", name: "AGENTS.md"},
		{in: "project", name: "CLAUDE.md", unless: []string{"AGENTS.md"}},
		{in: "kilo memory", name: "project.md", form: kiloMemory},
		{in: "kilo memory", name: "environment.md", form: kiloMemory},
		{in: "kilo memory", name: "corrections.md", form: kiloMemory},
	}},
	{opencode, []place{
		{in: "opencode", name: "AGENTS.md"},
		{in: "claude", name: "CLAUDE.md", unless: []string{"opencode:AGENTS.md"}},
		{in: "project", name: "AGENTS.md"},
		{in: "project", name: "CLAUDE.md", unless: []string{"AGENTS.md"}},
	}},
	{cline, []place{
		{in: "home", name: ".agents/AGENTS.md"},
		{in: "cline", name: "rules/*.md"},
		{in: "home", name: "Cline/Rules/*.md"},
		{in: "home", name: "Documents/Cline/Rules/*.md"},
		{in: "project", name: ".clinerules"},
		{in: "project", name: ".clinerules/*.md"},
		{in: "project", name: ".cline/rules/*.md"},
		{in: "project", name: "AGENTS.md"},
		{in: "project", name: ".cursorrules"},
		{in: "project", name: ".windsurfrules"},
	}},
	{qwen, []place{
		{in: "home", name: ".qwen/QWEN.md"},
		{in: "project", name: "QWEN.md"},
		{in: "project", name: "AGENTS.md"},
	}},
	{kimi, []place{
		{in: "home", name: ".kimi-code/AGENTS.md"},
		{in: "home", name: ".agents/AGENTS.md"},
		{in: "project", name: ".kimi-code/AGENTS.md"},
		{in: "project", name: "AGENTS.md"},
	}},
	{pi, []place{
		{in: "home", name: ".pi/agent/AGENTS.md"},
		{in: "project", name: "AGENTS.md"},
	}},
}

// folder is a folder in which places lie.
type folder struct {
	path  string
	base  string // links of its files must not leave this one
	below string // the subfolder of the project that it is, with slashes
	user  bool   // holds in every project
	noted bool   // agents write there
}

// foldersOf returns the folders of a machine and a project by name. They need not exist.
func foldersOf(m Machine, home, root string) map[string][]folder {
	below := func(variable string, names ...string) string {
		return cmp.Or(m.Getenv(variable), filepath.Join(append([]string{home}, names...)...))
	}
	config := below("XDG_CONFIG_HOME", ".config")
	claudeHome, codexHome := below("CLAUDE_CONFIG_DIR", ".claude"), below("CODEX_HOME", ".codex")
	geminiHome := filepath.Join(cmp.Or(m.Getenv("GEMINI_CLI_HOME"), home), ".gemini")
	kiloHome := filepath.Join(below("XDG_DATA_HOME", ".local", "share"), "kilo", "memory")
	editors := vscodeFolders(m, home)

	all := map[string][]folder{}
	add := func(name string, user, noted bool, paths ...string) {
		for _, path := range paths {
			if !filepath.IsAbs(path) {
				continue // no home, or a variable that names none
			}
			base := withoutLinks(path)
			if _, ok := inside(home, base); ok && name != "project" {
				base = home
			}
			all[name] = append(all[name], folder{path: path, base: base, user: user, noted: noted})
		}
	}
	add("home", true, false, home)
	add("claude", true, false, claudeHome)
	add("codex", true, false, codexHome)
	add("gemini", true, false, geminiHome)
	add("copilot", true, false, below("COPILOT_HOME", ".copilot"))
	add("kilo", true, false, cmp.Or(m.Getenv("KILO_CONFIG_DIR"), filepath.Join(config, "kilo")))
	add("opencode", true, false, filepath.Join(config, "opencode"))
	add("cline", true, false, below("CLINE_DIR", ".cline"))
	add("project", false, false, root)
	add("claude memory", false, true, filepath.Join(claudeHome, "projects", claudeSlug(root), "memory"))
	add("codex memory", true, true, filepath.Join(codexHome, "memories"), filepath.Join(codexHome, "memories_v2"))
	add("gemini memory", false, true, geminiMemories(geminiHome, root)...)
	add("kilo memory", false, true, kiloMemories(kiloHome, root)...)
	for _, editor := range editors {
		add("vscode memory", true, true,
			filepath.Join(editor, "globalStorage", "github.copilot-chat", "memory-tool", "memories"))
		add("vscode project memory", false, true, workspaceMemories(editor, root)...)
	}
	return all
}

// claudeSlug is the name of the folder in which Claude Code keeps what it knows of a project.
func claudeSlug(root string) string {
	const longest = 200
	slug := regexp.MustCompile(`[^a-zA-Z0-9]`).ReplaceAllStringFunc(root, func(char string) string {
		return strings.Repeat("-", len(utf16.Encode([]rune(char))))
	})
	if len(slug) <= longest {
		return slug
	}
	var hash int32
	for _, unit := range utf16.Encode([]rune(root)) {
		hash = hash*31 + int32(unit)
	}
	return slug[:longest] + "-" + strconv.FormatInt(max(int64(hash), -int64(hash)), 36)
}

// geminiMemories returns the folders in which Gemini CLI keeps what it noted in a project: it has
// one for each folder in which it was started.
func geminiMemories(home, root string) (folders []string) {
	var list struct {
		Projects map[string]string `json:"projects"`
	}
	if readJSON(home, "projects.json", &list) != nil {
		return nil
	}
	for path, slug := range list.Projects {
		if _, ok := inside(root, path); ok && filepath.IsLocal(slug) && filepath.Base(slug) == slug {
			folders = append(folders, filepath.Join(home, "tmp", slug, "memory"))
		}
	}
	slices.Sort(folders)
	return folders
}

// kiloMemories returns the folder in which Kilo keeps what it noted in a project, where that is
// switched on. Its name ends in a hash of the project's path.
func kiloMemories(home, root string) []string {
	sum := sha1.Sum([]byte(root))
	for _, entry := range entries(home) {
		path := filepath.Join(home, entry.Name())
		var state struct {
			Enabled bool `json:"enabled"`
		}
		if strings.HasSuffix(entry.Name(), "-"+hex.EncodeToString(sum[:])[:12]) &&
			readJSON(path, "state.json", &state) == nil && state.Enabled {
			return []string{path}
		}
	}
	return nil
}

// vscodeFolders returns where VS Code keeps its data, on each system.
func vscodeFolders(m Machine, home string) (folders []string) {
	parents := []string{
		filepath.Join(home, ".config"), filepath.Join(home, "Library", "Application Support"),
		m.Getenv("APPDATA"),
	}
	for _, parent := range parents {
		for _, name := range []string{"Code", "Code - Insiders"} {
			if path := filepath.Join(parent, name, "User"); parent != "" && isFolder(path) {
				folders = append(folders, path)
			}
		}
	}
	for _, name := range []string{".vscode-server", ".vscode-server-insiders"} {
		if path := filepath.Join(home, name, "data", "User"); isFolder(path) {
			folders = append(folders, path)
		}
	}
	return folders
}

// workspaceMemories returns the folders in which VS Code keeps what was noted in a project.
func workspaceMemories(editor, root string) (folders []string) {
	storage := filepath.Join(editor, "workspaceStorage")
	for _, entry := range entries(storage) {
		path := filepath.Join(storage, entry.Name())
		notes := filepath.Join(path, "GitHub.copilot-chat", "memory-tool", "memories", "repo")
		if !isFolder(notes) {
			continue
		}
		var workspace struct {
			Folder string `json:"folder"`
		}
		if readJSON(path, "workspace.json", &workspace) != nil {
			continue
		}
		address, err := url.Parse(workspace.Folder)
		if err != nil || address.Scheme != "file" {
			continue
		}
		project := address.Path
		if len(project) > 2 && project[2] == ':' { // /c:/proj
			project = project[1:]
		}
		if _, ok := inside(root, filepath.FromSlash(project)); ok {
			folders = append(folders, notes)
		}
	}
	return folders
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// entries lists a folder; none where it cannot be read.
func entries(path string) []os.DirEntry {
	list, _ := os.ReadDir(path) // agents that are not installed have no folders
	return list
}

func readJSON(folder, name string, into any) error {
	text, err := readBelow(folder, name)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}
