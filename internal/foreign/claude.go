package foreign

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
)

// readClaude reads what Claude Code keeps: CLAUDE.md files and rules, which people write, and memory folders, which it
// writes itself, one fact to a file. The path may be such a file, a memory folder, a project or ~/.claude.
func readClaude(r *reading, name string) error {
	v := newVault(r)
	err := r.eachNote(name, "neither CLAUDE.md nor a memory folder", r.claudeFiles, func(f *folder, n note) {
		project, ok := r.opts.Project, true
		if slug, found := claudeProject(n.name); found {
			project, ok = r.place(slug)
		}
		switch {
		case !ok:
		case strings.EqualFold(path.Base(n.name), "MEMORY.md"):
			r.claudeIndex(f, n, project)
		case isClaudeFact(n):
			r.claudeFact(v, n, project)
		default:
			r.rules(n, project)
		}
	})
	v.connect()
	return err
}

// claudeFiles are the files that Claude Code itself would read, not every note of the project.
func (r *reading) claudeFiles(f *folder) ([]string, error) {
	folders, _ := fs.Glob(f.FS(), "projects/*/memory") // the pattern is sound
	folders = append(folders, ".claude/rules")
	if f.has("CLAUDE.md") {
		folders = append(folders, "rules") // of ~/.claude
	}
	// Other tools have a folder "memory" too, and the path may be the memory folder itself.
	for _, dir := range []string{".", "memory", ".claude/memory"} {
		if r.looksLikeClaude(f, dir) {
			folders = append(folders, dir)
		}
	}
	files := []string{"CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md", ".claude/CLAUDE.local.md"}
	return r.among(f, files, folders)
}

// looksLikeClaude reports whether the notes of a folder are facts as Claude Code writes them, or an index of such.
func (r *reading) looksLikeClaude(f *folder, dir string) bool {
	names := f.top(dir)
	return slices.ContainsFunc(names[:min(len(names), sampled)], func(name string) bool {
		n, ok := newReading(r.ctx, "", r.opts).note(f, name)
		return ok && (isClaudeFact(n) ||
			path.Base(name) == "MEMORY.md" && slices.ContainsFunc(bullets(n.body), func(item string) bool { return pointer(f, name, item) }))
	})
}

// claudeProject is the folder name under which Claude Code keeps a project.
func claudeProject(name string) (string, bool) {
	parts := strings.Split(name, "/")
	if i := slices.Index(parts, "projects"); i >= 0 && i+2 < len(parts) && parts[i+2] == "memory" {
		return parts[i+1], true
	}
	return "", false
}

func claudeType(n note) string { return strings.ToLower(n.front.one("metadata.type", "type")) }

func isClaudeFact(n note) bool {
	return n.front.one("name") != "" && (n.front.one("description") != "" || claudeType(n) != "") &&
		slices.Contains([]string{"", "user", "feedback", "project", "reference"}, claudeType(n))
}

func (r *reading) claudeFact(v *vault, n note, project memory.ProjectID) {
	kind := memory.Fact
	switch claudeType(n) {
	case "user":
		kind, project = memory.Preference, 0
	case "feedback":
		kind = memory.Preference
	}
	title, about := n.title(), oneLine(n.front.one("description"))
	body := n.body
	if strings.Contains(body, about) {
		about = ""
	}
	l := linked{name: n.name, title: title, kind: "memory", at: n.said}
	for _, to := range wikiLinks(prose(body)) {
		l.links = append(l.links, wikiLink{to, "links_to"})
	}
	v.know(l, nil)
	r.crystal(memory.Crystal{
		Project: project, Kind: kind, Subject: title, Text: stated("\n", about, body), SaidAt: n.said,
		LastAt: later(n.said, n.changed), Source: r.source(n.name, ""),
	})
}

// claudeIndex reads MEMORY.md. Lines that only point to a file beside it are left to that file.
func (r *reading) claudeIndex(f *folder, n note, project memory.ProjectID) {
	var kept strings.Builder
	for line := range strings.Lines(n.body) {
		if item, ok := bullet(line); ok && pointer(f, n.name, item) {
			continue
		}
		kept.WriteString(line)
	}
	n.body = strings.TrimSpace(kept.String())
	r.rules(n, project)
}

// pointer reports whether a list item begins with a link to a note that exists.
func pointer(f *folder, from, item string) bool {
	if !strings.HasPrefix(strings.TrimLeft(item, "*_ "), "[") {
		return false
	}
	for _, to := range wikiLinks(item) {
		if f.has(path.Join(path.Dir(from), to+".md")) {
			return true
		}
	}
	return false
}

// rules reads a file of instructions and facts: every section is a memory, and lists of rules are one memory each rule.
func (r *reading) rules(n note, project memory.ProjectID) {
	for _, s := range sections(n.body) {
		if s.body == "" {
			continue
		}
		kind, named := kindOfHeading(s.heading())
		if !named {
			kind = memory.Fact
			if orders(s.body) {
				kind = memory.Preference
			}
		}
		path := s.path
		if len(path) > 1 {
			path = path[1:] // the first is the name of the file or the project
		}
		texts := []string{s.body}
		if items := bullets(s.body); kind == memory.Preference && len(items) > 1 && onlyBullets(s.body) {
			texts = items
		}
		for _, text := range texts {
			r.noted(n, project, kind, stated("\n", strings.Join(path, " › "), text), strings.Join(s.path, "/"))
		}
	}
}

func onlyBullets(body string) bool {
	for line := range strings.Lines(body) {
		if _, ok := bullet(line); !ok && strings.TrimSpace(line) != "" && depth(line) == 0 {
			return false
		}
	}
	return true
}

// skillOf reads a SKILL.md, which both Claude Code and Codex keep.
func (r *reading) skillOf(n note, project memory.ProjectID) {
	r.crystal(memory.Crystal{
		Project: project, Kind: memory.Skill, Subject: n.front.one("name"), SaidAt: n.said, LastAt: later(n.said, n.changed),
		Text: stated("\n", oneLine(n.front.one("name")), oneLine(n.front.one("description")), n.body), Source: r.source(n.name, ""),
	})
}
