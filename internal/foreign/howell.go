package foreign

import (
	"path"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
)

// readHowell reads a knowledge.json, or the folder around it: pinned memories, sessions and procedures. SUMMARY.md only
// repeats the sessions in short.
func readHowell(r *reading, name string) error {
	dir, err := isFolder(name)
	if err != nil {
		return err
	}
	if !dir {
		return r.graph(name)
	}
	lacking := "neither knowledge.json nor memory/PINNED.md"
	if file, err := r.fileAt(name, "knowledge.json", "bridge/knowledge.json"); err == nil {
		lacking = ""
		if err := r.graph(file); err != nil {
			return err
		}
	}
	return r.eachNote(name, lacking, func(f *folder) ([]string, error) {
		files := []string{"memory/PINNED.md", "memory/RECENT.md", "PINNED.md", "RECENT.md"}
		return r.among(f, files, []string{"memory/archive", "archive", "procedures"})
	}, func(n note) { r.howellNote(n) })
}

func (r *reading) howellNote(n note) {
	switch {
	case path.Base(path.Dir(n.name)) == "procedures":
		if !strings.EqualFold(path.Base(n.name), "README.md") {
			r.crystal(memory.Crystal{
				Project: r.opts.Project, Kind: memory.Procedure, Subject: stem(n.name), Text: n.body, SaidAt: n.said, Source: r.source(n.name, ""),
			})
		}
	case path.Base(n.name) == "PINNED.md":
		r.pins(n)
	default:
		r.howellSessions(n)
	}
}

// pins reads "## title", a text and why it was pinned, as memories of the highest importance.
func (r *reading) pins(n note) {
	for _, s := range sections(n.body) {
		text := unruled(s.body)
		if len(s.path) < 2 || text == "" {
			continue // the head of the file
		}
		r.crystal(memory.Crystal{
			Project: r.opts.Project, Kind: memory.Fact, Importance: 1, Subject: s.heading(), Text: s.heading() + "\n" + text, SaidAt: n.said,
			Source: r.source(path.Base(n.name), s.heading()),
		})
	}
}

// howellSessions reads "## Session: February 07, 2026 (label)" with what happened and what was learned. The file is not
// part of the source: sessions move from RECENT.md to the archive.
func (r *reading) howellSessions(n note) {
	for _, s := range sections(n.body) {
		i := len(s.path) - 1
		for i >= 0 && !strings.HasPrefix(s.path[i], "Session:") {
			i--
		}
		text := unruled(s.body)
		if i < 0 || text == "" {
			continue
		}
		title := strings.TrimSpace(strings.TrimPrefix(s.path[i], "Session:"))
		day, _, _ := strings.Cut(title, "(")
		c := memory.Crystal{Project: r.opts.Project, Kind: memory.Episode, Text: text, SaidAt: moment(day, r.opts.Zone)}
		if strings.Contains(strings.ToLower(s.heading()), "learned") {
			c.Kind = memory.Lesson
		} else if _, label, ok := strings.Cut(title, "("); ok {
			c.Text = strings.TrimSuffix(label, ")") + "\n" + text
		}
		c.Source = r.source("sessions", title)
		r.crystal(c)
	}
}

// unruled removes rulers and the note at the end of the file.
func unruled(body string) string {
	var kept []string
	for line := range strings.Lines(body) {
		line = strings.TrimRight(line, "\n")
		if strings.TrimSpace(line) == "---" || strings.HasPrefix(line, "*To pin a memory") {
			continue
		}
		kept = append(kept, line)
	}
	return strings.TrimSpace(strings.Join(kept, "\n"))
}
