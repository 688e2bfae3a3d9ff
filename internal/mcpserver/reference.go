package mcpserver

import (
	"fmt"
	"maps"
	"slices"
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
		"An answer is text. A mistake in a call is an answer that names the argument and the fix.\n\n" +
		"## Tools\n\nA client is told of the tools marked **small set**, with `--tools all` of all twelve. Then every tool also takes `project` (another " +
		"project, by\nname or ID) and `dir` (the project around a folder).\n")
	for _, t := range offered(true) {
		fmt.Fprintf(&b, "\n### %s\n\n%s\n\n%s\n", t.name, t.about, t.marks())
		if fields := t.fields[:len(t.fields)-len(whereFields)]; len(fields) > 0 {
			b.WriteString("\n| argument | type | meaning |\n|---|---|---|\n")
			writeRows(&b, fields)
		}
	}
	b.WriteString("\n## Calls that are not listed\n\nThey are accepted by the names and arguments that an agent knows from other memory servers. Where no listed tool\n" +
		"answers, the answer is a result as JSON, and of dream_begin a text.\n\n| name | answers as | arguments | also taken |\n|---|---|---|---|\n")
	for _, u := range accepted() {
		var also []string
		for _, other := range slices.Sorted(maps.Keys(u.also)) {
			also = append(also, strings.TrimSuffix(other+" as "+u.also[other], " as "))
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", u.name, u.tool, strings.Join(strings.Fields(u.takes), ", "), strings.Join(also, ", "))
	}
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

func writeRows(b *strings.Builder, fields []field) {
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
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", f.name, f.kind.name, strings.Join(meaning, "; "))
	}
}
