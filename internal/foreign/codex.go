package foreign

import (
	"path"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
)

// readCodex reads the memories folder of Codex (the path may be that folder or ~/.codex), an AGENTS.md, or the database
// in which Codex keeps what it noted of each conversation.
func readCodex(r *reading, name string) error {
	if sqliteFile(name) {
		return r.readTables(name, r.memories(
			Table{Name: "stage1_outputs", Key: "thread_id", Need: []string{"rollout_summary"}},
			func(row Row, c *memory.Crystal) { c.Kind, c.Text = memory.Episode, row.Text("rollout_summary") },
		))
	}
	return r.eachNote(name, "neither Codex memories nor AGENTS.md", func(f *folder) ([]string, error) {
		below := "."
		if f.isFolder("memories") {
			below = "memories"
		}
		names, err := r.notes(f, below)
		names = slices.DeleteFunc(names, func(name string) bool { return strings.Contains("/"+name, "/extensions/") })
		if below == "." && !slices.ContainsFunc(names, codexOwn) {
			names = nil // a project: its other notes are not Codex's
		}
		if f.has("AGENTS.md") && !slices.Contains(names, "AGENTS.md") {
			names = append(names, "AGENTS.md")
		}
		return names, err
	}, func(_ *folder, n note) {
		n.name = strings.TrimPrefix(n.name, "memories/") // the same source whichever of the two folders was named
		r.codexNote(n)
	})
}

func codexOwn(name string) bool {
	return slices.Contains([]string{"MEMORY.md", "memory_summary.md", "raw_memories.md"}, path.Base(name))
}

func (r *reading) codexNote(n note) {
	base, dir := path.Base(n.name), path.Base(path.Dir(n.name))
	switch {
	case base == "raw_memories.md":
		r.leftOut["notes that Codex has already worked into its other files (raw_memories.md)"]++
	case base == "SKILL.md":
		r.skillOf(n, r.opts.Project)
	case dir == "rollout_summaries":
		r.rollout(n)
	case base == "MEMORY.md", base == "memory_summary.md":
		r.handbook(n, base != "MEMORY.md")
	case base == "AGENTS.md":
		r.rules(n, r.opts.Project)
	} // the rest are scripts' notes and templates inside skills
}

// handbook reads MEMORY.md: blocks "# Task Group", each with what the user prefers, what is known and what failed. The lists of
// keywords and files in the tasks are Codex's own index. memory_summary.md has no groups: it is about the person, in all projects.
func (r *reading) handbook(n note, personal bool) {
	project, ok, group, about := memory.ProjectID(0), true, "", ""
	for _, s := range sections(n.body) {
		if len(s.path) == 0 {
			continue
		}
		if !personal && s.path[0] != group {
			group = s.path[0]
			about = strings.TrimSpace(strings.TrimPrefix(group, "Task Group:"))
			project, ok = r.place(codexFolder(s.body))
		}
		kind, named := codexKind(s.heading())
		if !ok || !named {
			continue
		}
		texts := bullets(s.body)
		if personal && (len(texts) == 0 || !onlyBullets(s.body)) {
			texts = []string{s.body}
		}
		for _, text := range texts {
			r.crystal(memory.Crystal{
				Project: project, Kind: kind, Text: stated("\n", about, text), SaidAt: n.said,
				Source: r.source(path.Base(n.name), strings.Join(s.path, "/")),
			})
		}
	}
}

func codexKind(heading string) (memory.CrystalKind, bool) {
	switch h := strings.ToLower(heading); {
	case strings.HasPrefix(h, "user preferences"), strings.HasPrefix(h, "user profile"):
		return memory.Preference, true
	case strings.HasPrefix(h, "reusable knowledge"):
		return memory.Fact, true
	case strings.HasPrefix(h, "failures"), strings.HasPrefix(h, "general tips"):
		return memory.Lesson, true
	}
	return "", false
}

// codexFolder is the folder in a line "applies_to: cwd=/src/app; reuse_rule=…".
func codexFolder(body string) string {
	for line := range strings.Lines(body) {
		rest, ok := strings.CutPrefix(strings.TrimSpace(line), "applies_to:")
		if !ok {
			continue
		}
		_, cwd, ok := strings.Cut(rest, "cwd=")
		if !ok {
			return ""
		}
		cwd, _, _ = strings.Cut(cwd, ";")
		return strings.Trim(strings.TrimSpace(cwd), "`\"'")
	}
	return ""
}

// rollout reads the summary of one conversation: a few lines "key: value", a blank one, the text.
func (r *reading) rollout(n note) {
	body, cwd := n.body, ""
	for {
		line, rest, more := strings.Cut(body, "\n")
		key, value, ok := strings.Cut(line, ": ")
		if !ok || strings.ContainsAny(key, " #-") {
			break
		}
		switch key {
		case "updated_at":
			if t := moment(value, r.opts.Zone); !t.IsZero() {
				n.said = t
			}
		case "cwd":
			cwd = value
		}
		if body = rest; !more {
			break
		}
	}
	if project, ok := r.place(cwd); ok {
		r.crystal(memory.Crystal{
			Project: project, Kind: memory.Episode, Text: body, SaidAt: n.said, Source: r.source(n.name, ""),
		})
	}
}
