package mcpserver

import (
	"fmt"
	"strings"
)

// Reference is the page docs/mcp.md: every tool, resource and prompt as clients see them.
func Reference() string {
	var b strings.Builder
	b.WriteString("`hebb mcp` serves the Model Context Protocol on standard input and output; `hebb mcp --http 127.0.0.1:8977` on a loopback " +
		"address,\nwhere callers need the token of the file `mcp-token` in hebb's data folder. Protocol versions 2025-06-18 to 2026-07-28 and older " +
		"ones are\nspoken. What an agent keeps through it has the origin agent: it is labelled and quoted wherever it is shown, a pin waits until the\n" +
		"user accepts it, and what the user said is changed or deleted only with `memories`, by an agent that quotes the prompt of the last day\nin which they asked for it.\n\n" +
		"```json\n{\"mcpServers\": {\"hebb\": {\"command\": \"hebb\", \"args\": [\"mcp\"]}}}\n```\n\n" +
		"An answer is text; the tools of the reference memory server also give structured content, as that does. A mistake in a call is an\n" +
		"answer that names the argument and the fix.\n\n" +
		"## Tools\n\nA client is told of the tools marked **small set**, with `--tools all` of all twelve. Then every tool also takes `project` (another " +
		"project, by\nname or ID) and `dir` (the project around a folder).\n")
	var others []string
	for _, t := range everyTool() {
		if !t.always && !t.listed {
			var names []string
			for _, f := range t.fields[:len(t.fields)-len(whereFields)] {
				names = append(names, f.name)
			}
			others = append(others, fmt.Sprintf("| `%s` | %s | %s |\n", t.name, strings.Join(names, ", "), t.about))
		}
	}
	for _, t := range offered(true) {
		fmt.Fprintf(&b, "\n### %s\n\n%s\n\n%s\n", t.name, t.about, t.marks())
		if fields := t.fields[:len(t.fields)-len(whereFields)]; len(fields) > 0 {
			b.WriteString("\n| argument | type | meaning |\n|---|---|---|\n")
			writeRows(&b, "", fields)
		}
	}
	b.WriteString("\n## Tools that are not listed\n\nThey are accepted when an agent calls them, by the names it knows from other memory servers.\n\n" +
		"| tool | arguments | does |\n|---|---|---|\n" + strings.Join(others, ""))
	b.WriteString("\n## Resources\n\n| address | holds |\n|---|---|\n")
	for _, r := range resources() {
		fmt.Fprintf(&b, "| `%s` | %s |\n", r.uri, r.about)
	}
	fmt.Fprintf(&b, "| `%s{name}` | One how-to, by the name that hebb://procedures gives |\n", procedureURI)
	b.WriteString("\n## Prompts\n\n| name | asks for |\n|---|---|\n")
	for _, p := range prompts() {
		fmt.Fprintf(&b, "| %s | %s |\n", p.name, p.about)
	}
	return b.String()
}

// marks say in a line what a tool does to the memory.
func (t tool) marks() string {
	words := map[effect]string{
		reads: "Only reads.", adds: "Adds something with each call.", repeats: "Adds or changes; the same call again changes nothing more.",
		removes: "Takes something away.",
	}
	if t.always {
		return "**Small set.** " + words[t.effect]
	}
	return words[t.effect]
}

func writeRows(b *strings.Builder, before string, fields []field) {
	names := map[kind]string{
		text: "text", number: "whole number", share: "number from 0 to 1", flag: "true or false", list: "list of texts", mapping: "texts by name", objects: "list of objects",
	}
	for _, f := range fields {
		meaning := []string{}
		if f.must {
			meaning = append(meaning, "needed")
		}
		if len(f.oneOf) > 0 {
			meaning = append(meaning, "one of "+strings.Join(f.oneOf, ", "))
		}
		if f.about != "" {
			meaning = append(meaning, f.about)
		}
		if f.also != "" {
			meaning = append(meaning, "also taken as `"+f.also+"`")
		}
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", before+f.name, names[f.kind], strings.Join(meaning, "; "))
		writeRows(b, before+f.name+"[].", f.of)
	}
}
