package wiring

import (
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/tuning"
)

const (
	pluginFolder = "../../plugin"
	// marketplaceFile is where agents look for it in a repository that they are given the name of.
	marketplaceFile = "../../.claude-plugin/marketplace.json"
	pluginAbout     = "A memory for coding agents that learns from what they touch"
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
		"../.claude-plugin/marketplace.json": string(jsonText(object{
			{"name", "hebb"}, {"description", pluginAbout}, {"owner", author},
			{"plugins", []object{{{"name", "hebb"}, {"source", "./plugin"}, {"description", pluginAbout}, {"version", pluginVersion}}}},
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
		"opencode/hebb.js":        openCodeSettings.parts[0].edit.(ownFile).render(byName),
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

// Whatever an agent installs hebb by, it is the same thing in the same version, under a name that its registry takes.
func TestAllManifestsAgree(t *testing.T) {
	manifests := map[string]string{"OpenClaw's package": openClawPackage(job{})}
	for _, name := range []string{
		".claude-plugin/plugin.json", "../.claude-plugin/marketplace.json", "plugin.json", "gemini/gemini-extension.json", "server.json",
	} {
		manifests[name] = readFile(t, filepath.Join(pluginFolder, filepath.FromSlash(name)))
	}
	type named struct{ Name, Version, Description, Source string }
	for file, text := range manifests {
		var m struct {
			named
			Plugins []named
		}
		if err := json.Unmarshal([]byte(text), &m); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, one := range append(m.Plugins, m.named) {
			if one.Version == "" && len(m.Plugins) > 0 {
				continue // a marketplace has no version of its own
			}
			if last := one.Name[strings.LastIndex(one.Name, "/")+1:]; one.Version != pluginVersion || last != "hebb" && one.Name != "hebb-openclaw" {
				t.Errorf("%s: %+v, want hebb %s", file, one, pluginVersion)
			}
			if one.Source != "" { // a path in the repository, to a folder with a manifest
				readFile(t, filepath.Join(filepath.Dir(filepath.Dir(marketplaceFile)), filepath.FromSlash(one.Source), ".claude-plugin", "plugin.json"))
			}
		}
	}
}

// The rules of the schema that server.json names (2025-12-11), and of the registry that takes it.
func TestTheRegistryTakesTheServer(t *testing.T) {
	var server struct {
		Schema                            string `json:"$schema"`
		Name, Title, Description, Version string
		Repository                        struct{ URL, Source string }
		Packages                          []struct {
			RegistryType, Identifier, Version, FileSha256 string
			Transport                                     struct{ Type string }
		}
	}
	d := json.NewDecoder(strings.NewReader(readFile(t, filepath.Join(pluginFolder, "server.json"))))
	d.DisallowUnknownFields()
	must.Do(t, d.Decode(&server))
	named := regexp.MustCompile(`^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$`)
	exact := regexp.MustCompile(`^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$`)
	for what, wrong := range map[string]bool{
		"schema":      server.Schema != "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
		"name":        !named.MatchString(server.Name) || len(server.Name) < 3 || len(server.Name) > 200 || !strings.HasPrefix(server.Name, "io.github.hebb-memory/"),
		"title":       len(server.Title) < 1 || len(server.Title) > 100,
		"description": len(server.Description) < 1 || len(server.Description) > 100,
		"version":     !exact.MatchString(server.Version) || len(server.Version) > 255, // one release, no range
		"repository":  server.Repository.Source != "github" || !strings.HasSuffix(server.Repository.URL, "github.com/hebb-memory/hebb"),
	} {
		if wrong {
			t.Errorf("%s: %+v", what, server)
		}
	}
	for _, p := range server.Packages { // a release adds them
		if p.RegistryType != "mcpb" || !strings.HasPrefix(p.Identifier, server.Repository.URL+"/releases/") || len(p.FileSha256) != 64 || p.Transport.Type != "stdio" {
			t.Errorf("package %+v", p)
		}
	}
}

// The plugin of Claude Code wires what hebb agents install wires; only the word that the program is called by differs.
func TestThePluginWiresWhatInstallWires(t *testing.T) {
	for _, c := range []struct {
		agent           memory.Agent
		file, installed string
		call            string
	}{
		{agent.ClaudeCode, "hooks/hooks.json", ".claude/settings.json", "hebb hook auto"},
		{agent.Gemini, "gemini/hooks/hooks.json", ".gemini/settings.json", "hebb hook gemini"},
	} {
		m := fullMachine(t)
		plan, err := PlanWire(context.Background(), m, c.agent, Order{Program: program})
		if err == nil {
			err = plan.Apply()
		}
		if err != nil {
			t.Fatal(err)
		}
		hooks := func(text string) any {
			var settings struct{ Hooks map[string]any }
			if err := json.Unmarshal([]byte(text), &settings); err != nil || len(settings.Hooks) < 5 {
				t.Fatalf("%s: %v", c.agent, err)
			}
			return settings.Hooks
		}
		wired := readFile(t, filepath.Join(m.Home, filepath.FromSlash(c.installed)))
		wired = strings.ReplaceAll(wired, program+" hook "+string(c.agent), c.call)
		if want, got := hooks(wired), hooks(readFile(t, filepath.Join(pluginFolder, filepath.FromSlash(c.file)))); !reflect.DeepEqual(want, got) {
			t.Errorf("%s: the plugin has\n%v\ninstall wires\n%v", c.agent, got, want)
		}
	}
}

// Everything that tells an agent how to use hebb asks for the person's words.
func TestAgentsAreAskedForThePersonsWords(t *testing.T) {
	_, remember := skill(t, "remember")
	for name, text := range map[string]string{"the section for instruction files": snippetText, "the skill remember": remember} {
		if strings.Count(text, memory.HandOver) != 1 {
			t.Errorf("%s does not say %q", name, memory.HandOver)
		}
	}
}

func TestPagesForAgentsWithoutHooksHaveTheSameWords(t *testing.T) {
	const begin, end = "<!-- snippet:begin -->\n", "<!-- snippet:end -->\n"
	for _, name := range byHand {
		file := filepath.Join("..", "..", "docs", "agents", name+".md")
		head, rest, found := strings.Cut(readFile(t, file), begin)
		_, tail, ended := strings.Cut(rest, end)
		if !found || !ended {
			t.Fatalf("%s has no place for the words", file)
		}
		compareGolden(t, file, head+begin+"```markdown\n"+snippetText+"```\n"+end+tail)
	}
}

const (
	openCodeTold  = "session_start prompt tool_plan tool tool tool_fail tool_plan tool_fail turn_end post_compact session_start pre_compact session_end"
	openCodeShown = `["GREETING\n\nCONTEXT","Edit applied\n\nPLANNED","No files found","no rule\n\nTHROWN\n\nPLANNED\n\nFAILED"]`
)

const piShown = `[["hebb","GREETING\n\nCONTEXT",false],["none","package main+image"],["none","Successfully replaced 1 block(s)+PLANNED"],` +
	`["none","no rule\n\nCommand exited with code 2+PLANNED\n\nFAILED"],"COMPACTED","CONTEXT"]`

// The plugins run in JavaScript; where there is none here, only the words above are checked.
func TestThePayloadsOfPluginsAreDecoded(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil || runtime.GOOS == "windows" {
		t.Log("NOT RUN: the plugins of OpenCode, Kilo, OpenClaw and Pi need node and a shell to be tried")
		return
	}
	for _, c := range []struct {
		name  memory.Agent
		want  string
		shown string // to the model: with its prompts and with the results of tools
	}{
		{agent.OpenCode, openCodeTold, openCodeShown},
		{agent.Kilo, openCodeTold, openCodeShown},
		{agent.OpenClaw, "session_start prompt tool tool_fail pre_compact post_compact session_start turn_end prompt session_end", `["GREETING\n\nCONTEXT","COMPACTED\n\nCONTEXT"]`},
		{agent.Pi, "session_start prompt tool tool_plan tool tool_plan tool_fail pre_compact post_compact session_start turn_end turn_end prompt session_end", piShown},
	} {
		t.Run(string(c.name), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			hebb := filepath.Join(dir, "hebb")
			script := "#!/bin/sh\nin=$(cat)\nprintf '%s\\n' \"$in\" >> " + dir + "/payloads\ncase \"$in\" in\n" +
				"*compact*session_start*|*session_start*compact*) echo '{\"context\":\"COMPACTED\"}' ;;\n" +
				"*'\"type\":\"tool_call\"'*) echo '{\"context\":\"PLANNED\"}' ;;\n*'\"type\":\"tool_result\"'*) echo '{\"context\":\"FAILED\"}' ;;\n" +
				"*tool.execute.before*) echo '{\"context\":\"PLANNED\"}' ;;\n*tool.execute.error*) echo '{\"context\":\"THROWN\"}' ;;\n" +
				"*tool.execute.after*) echo '{\"context\":\"FAILED\"}' ;;\n*session.created*) echo '{\"context\":\"GREETING\"}' ;;\n*chat.message*) echo '{\"context\":\"CONTEXT\"}' ;;\n" +
				"*session_start*) echo '{\"context\":\"GREETING\"}' ;;\n*before_agent_start*) echo '{\"context\":\"CONTEXT\"}' ;;\nesac\n"
			must.Do(t, os.WriteFile(hebb, []byte(script), 0o755))
			s := settingsFor(string(c.name))
			source := s.parts[0].edit.(ownFile).render(job{settings: s, program: hebb})
			if strings.Contains(source, "@") || !strings.Contains(source, "const patience = 3000") {
				t.Fatalf("not filled in: %s", source)
			}
			source = strings.Replace(source, "const patience = 3000", "const patience = 60000", 1) // nothing here is about time
			source = strings.Replace(source, "const limit = 5000", "const limit = 60000", 1)
			writeOne(t, filepath.Join(dir, "plugin.mjs"), source)
			drive := readFile(t, filepath.Join("testdata", "plugins", strings.Replace(string(c.name), "kilo", "opencode", 1)+".mjs"))
			writeOne(t, filepath.Join(dir, "drive.mjs"), drive)
			out, err := exec.CommandContext(context.Background(), node, filepath.Join(dir, "drive.mjs")).CombinedOutput()
			if err != nil || strings.TrimSpace(string(out)) != c.shown {
				t.Fatalf("%v: %s", err, out)
			}
			var kinds []string
			for line := range strings.Lines(readFile(t, filepath.Join(dir, "payloads"))) {
				if !json.Valid([]byte(line)) {
					t.Fatalf("payload %s", line)
				}
				seen, ok, err := agent.Decode(agent.Auto, strings.NewReader(line), nothing, tuning.Default().Capture, tuning.Default().Hook.ReadLimit)
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
