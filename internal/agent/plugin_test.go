package agent

import (
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/tuning"
)

const (
	pluginFolder  = "../../plugin"
	pluginVersion = "0.1.0"
	pluginAbout   = "A memory for coding agents that learns from what they touch"
)

// object is JSON whose keys keep their order.
type object []member

type member struct {
	key   string
	value any
}

func (o object) MarshalJSON() ([]byte, error) {
	var b strings.Builder
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(jsonText(m.key))
		b.WriteByte(':')
		b.Write(jsonText(m.value))
	}
	b.WriteByte('}')
	return []byte(b.String()), nil
}

// packedHooks are the hooks of an agent in the newest version, as the installer writes them, called by name.
func packedHooks(t *testing.T, s *settings, command string) object {
	t.Helper()
	v, _, err := parseVersion(newest[s.agent])
	if err != nil {
		t.Fatal(err)
	}
	var events object
	for _, h := range s.wanted(v) {
		events = append(events, member{h.event, []group{{Matcher: h.matcher, Hooks: []handler{s.layout.write(command, h)}}}})
	}
	return events
}

// packed are the files of the plugin that follow from the installer's tables.
func packed(t *testing.T) map[string]string {
	t.Helper()
	byName := job{settings: &openCodeSettings, program: "hebb"}
	server := object{{"hebb", plainServer(byName)}}
	author := object{{"name", "hebb"}}
	files := map[string]string{
		".claude-plugin/plugin.json": string(jsonText(object{
			{"name", "hebb"}, {"version", pluginVersion}, {"description", pluginAbout}, {"author", author}, {"license", "Apache-2.0"},
			{"homepage", "https://github.com/hebb-memory/hebb"},
		})),
		".claude-plugin/marketplace.json": string(jsonText(object{
			{"name", "hebb"}, {"description", pluginAbout}, {"owner", author},
			{"plugins", []object{{{"name", "hebb"}, {"source", "./"}, {"description", pluginAbout}, {"version", pluginVersion}}}},
		})),
		"hooks/hooks.json": string(jsonText(object{
			{"description", "hebb watches the work and answers prompts"}, {"hooks", packedHooks(t, &claudeSettings, "hebb hook auto")},
		})),
		".mcp.json": string(jsonText(object{{"mcpServers", object{{"hebb", stdioServer(byName)}}}})),
		"plugin.json": string(jsonText(object{
			{"$schema", "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json"},
			{"name", "hebb"}, {"version", pluginVersion}, {"description", pluginAbout},
		})),
		"mcp.json": string(jsonText(object{{"mcpServers", object{{"hebb", stdioServer(byName)}}}})),
		"gemini/gemini-extension.json": string(jsonText(object{
			{"name", "hebb"}, {"version", pluginVersion}, {"description", pluginAbout}, {"mcpServers", server}, {"contextFileName", "GEMINI.md"},
		})),
		"gemini/hooks/hooks.json": string(jsonText(object{{"hooks", packedHooks(t, &geminiSettings, "hebb hook gemini")}})),
		"gemini/GEMINI.md":        snippetText,
		"opencode/hebb.js":        openCodePlugin(byName),
		"server.json": string(jsonText(object{
			{"$schema", "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"},
			{"name", "io.github.hebb-memory/hebb"}, {"title", "hebb"}, {"description", pluginAbout}, {"version", pluginVersion},
			{"repository", object{{"url", "https://github.com/hebb-memory/hebb"}, {"source", "github"}}},
		})),
	}
	for _, name := range skillNames {
		front, body := skill(t, name)
		about := strings.TrimPrefix(front[1], "description: ")
		files["gemini/commands/hebb/"+name+".toml"] = "description = " + quoteJSON(about) + "\nprompt = '''\n" + body + "'''\n"
	}
	return files
}

// skillNames are the skills, which are slash commands as well.
var skillNames = []string{"hello", "wrapup", "remember", "recall", "dream", "goals"}

// skill reads the two lines in front of a skill and its text.
func skill(t *testing.T, name string) (front []string, body string) {
	t.Helper()
	text := readFile(t, filepath.Join(pluginFolder, "skills", name, "SKILL.md"))
	rest, ok := strings.CutPrefix(text, "---\n")
	head, body, ended := strings.Cut(rest, "\n---\n\n")
	front = strings.Split(head, "\n")
	if !ok || !ended || len(front) != 2 || front[0] != "name: "+name || !strings.HasPrefix(front[1], "description: ") ||
		strings.Contains(body, "'''") || !strings.Contains(body, "hebb ") {
		t.Fatalf("skill %s: %q", name, front)
	}
	return front, body
}

func TestThePluginFolderFollowsFromTheInstaller(t *testing.T) {
	want := packed(t)
	for _, name := range sorted(want) {
		compareGolden(t, filepath.Join(pluginFolder, filepath.FromSlash(name)), want[name])
	}
	err := filepath.WalkDir(pluginFolder, func(path string, entry fs.DirEntry, err error) error {
		name := filepath.ToSlash(strings.TrimPrefix(path, filepath.FromSlash(pluginFolder)+string(filepath.Separator)))
		if err == nil && !entry.IsDir() && want[name] == "" && name != "README.md" && !strings.HasPrefix(name, "skills/") {
			t.Errorf("plugin/%s comes from nowhere", name)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	skills, err := os.ReadDir(filepath.Join(pluginFolder, "skills"))
	if err != nil || len(skills) != len(skillNames) {
		t.Errorf("skills: %v, %v", skills, err)
	}
	for _, s := range skills {
		if !slices.Contains(skillNames, s.Name()) {
			t.Errorf("no such skill: %s", s.Name())
		}
	}
}

func TestPagesForAgentsWithoutHooksHaveTheSameWords(t *testing.T) {
	const begin, end = "<!-- snippet:begin -->\n", "<!-- snippet:end -->\n"
	for _, name := range []string{"goose", "windsurf", "zed", "amp"} {
		file := filepath.Join("..", "..", "docs", "agents", name+".md")
		head, rest, found := strings.Cut(readFile(t, file), begin)
		_, tail, ended := strings.Cut(rest, end)
		if !found || !ended {
			t.Fatalf("%s has no place for the words", file)
		}
		compareGolden(t, file, head+begin+"```markdown\n"+snippetText+"```\n"+end+tail)
	}
}

// The plugins run in JavaScript; where there is none here, only the words above are checked.
func TestWhatThePluginsTellIsUnderstood(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil || runtime.GOOS == "windows" {
		t.Log("NOT RUN: the plugins of OpenCode, Kilo and OpenClaw need node and a shell to be tried")
		return
	}
	for _, c := range []struct {
		name memory.Agent
		want string
	}{
		{OpenCode, "session_start prompt tool tool_fail turn_end post_compact session_start pre_compact session_end"},
		{Kilo, "session_start prompt tool tool_fail turn_end post_compact session_start pre_compact session_end"},
		{OpenClaw, "session_start prompt tool tool_fail pre_compact post_compact turn_end session_end"},
	} {
		t.Run(string(c.name), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			hebb := filepath.Join(dir, "hebb")
			script := "#!/bin/sh\nin=$(cat)\nprintf '%s\\n' \"$in\" >> " + dir + "/told\ncase \"$in\" in\n" +
				"*session.created*) echo '{\"context\":\"GREETING\"}' ;;\n*chat.message*) echo '{\"context\":\"CONTEXT\"}' ;;\n" +
				"*session_start*) echo '{\"prependContext\":\"GREETING\"}' ;;\n*before_agent_start*) echo '{\"prependContext\":\"CONTEXT\"}' ;;\nesac\n"
			if err := os.WriteFile(hebb, []byte(script), 0o755); err != nil {
				t.Fatal(err)
			}
			s := settingsFor(string(c.name))
			source := s.parts[0].edit.(ownFile).render(job{settings: s, program: hebb})
			if strings.Contains(source, "@") || !strings.Contains(source, "const patience = 400") {
				t.Fatalf("not filled in: %s", source)
			}
			source = strings.Replace(source, "const patience = 400", "const patience = 60000", 1) // nothing here is about time
			source = strings.Replace(source, "const limit = 2000", "const limit = 60000", 1)
			writeOne(t, filepath.Join(dir, "plugin.mjs"), source)
			drive := readFile(t, filepath.Join("testdata", "plugins", strings.Replace(string(c.name), "kilo", "opencode", 1)+".mjs"))
			writeOne(t, filepath.Join(dir, "drive.mjs"), drive)
			out, err := exec.CommandContext(context.Background(), node, filepath.Join(dir, "drive.mjs")).CombinedOutput()
			if err != nil || strings.TrimSpace(string(out)) != `"GREETING\n\nCONTEXT"` {
				t.Fatalf("%v: %s", err, out)
			}
			var kinds []string
			for line := range strings.Lines(readFile(t, filepath.Join(dir, "told"))) {
				if !json.Valid([]byte(line)) {
					t.Fatalf("told %s", line)
				}
				seen, ok, err := Decode(Auto, strings.NewReader(line), nothing, tuning.Default().Capture, tuning.Default().Hook.ReadLimit)
				if err != nil || !ok || seen.Event.Agent != c.name || seen.Event.AgentSession != "ses_1" {
					t.Errorf("%s: %+v, %t, %v", line, seen.Event, ok, err)
				}
				kinds = append(kinds, string(seen.Event.Kind))
			}
			if got := strings.Join(kinds, " "); got != c.want {
				t.Errorf("got %s", got)
			}
		})
	}
}
