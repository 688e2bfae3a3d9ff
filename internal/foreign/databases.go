package foreign

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
)

// maxAnchors: an observation with more files is about none of them in particular.
const maxAnchors = 8

// memories is a table whose rows are memories. The columns that the tools call alike are read here, fill adds the text and the rest; a
// row without a text is left out.
func (r *reading) memories(t Table, fill func(Row, *memory.Crystal)) Table {
	return t.Each(func(row Row) {
		c := memory.Crystal{
			Source: row.source, SaidAt: row.Time("created_at_epoch", "created_at", "ended_at", "started_at", "source_updated_at"),
			Accesses: max(0, row.int("access_count"), row.int("usage_count")),
		}
		c.Kind, _ = kindOf(row.Text("type"))
		c.LastAt = c.SaidAt
		for _, column := range []string{"updated_at_epoch", "updated_at", "last_seen_at", "last_accessed", "last_usage"} {
			c.LastAt = later(c.LastAt, row.Time(column))
		}
		if fill(row, &c); c.Text == "" {
			return
		}
		ok := true
		if scope := row.Text("scope"); scope != "global" && scope != "personal" {
			c.Project, ok = r.place(cmp.Or(row.Text("merged_into_project"), row.Text("project")))
		}
		if ok {
			r.crystal(c)
		}
	})
}

// readClaudeMem reads the database of claude-mem: observations, summaries of sessions, and the rules that the user gave
// it. Prompts are left out: they are what was asked, not what was remembered.
func readClaudeMem(r *reading, path string) error {
	summaries := Table{Name: "session_summaries", Key: "id", Need: []string{"project"}, Optional: true}
	return r.readTables(path, r.memories(
		Table{Name: "observations", Key: "id", Need: []string{"type", "project"}},
		func(row Row, c *memory.Crystal) {
			c.Text = stated("\n", stated(": ", row.Text("title"), row.Text("subtitle")), row.Text("narrative"),
				listed(jsonList(row.Text("facts"))), row.Text("text"))
			if paths := jsonList(row.Text("files_modified")); len(paths) <= maxAnchors && strings.HasPrefix(row.Text("files_modified"), "[") {
				for _, p := range paths {
					c.Anchors = append(c.Anchors, memory.Anchor{Path: p})
				}
			}
		},
	), r.memories(summaries, func(row Row, c *memory.Crystal) {
		c.Kind = memory.Episode
		c.Text = stated("\n", row.Text("request"), labelled("Investigated", row.Text("investigated")),
			labelled("Done", row.Text("completed")), labelled("Next", row.Text("next_steps")), row.Text("notes"))
	}), r.memories(summaries, func(row Row, c *memory.Crystal) {
		c.Kind, c.Text = memory.Lesson, row.Text("learned")
	}), r.memories(
		Table{Name: "directives", Key: "id", Need: []string{"content"}, Optional: true},
		func(row Row, c *memory.Crystal) {
			if status := row.Text("status"); status == "" || status == "active" {
				c.Kind, c.Text = memory.Preference, row.Text("content")
			}
		},
	))
}

// jsonList reads a list of texts, or takes what is no list as one text.
func jsonList(s string) []string {
	if s == "" || s == "null" {
		return nil
	}
	var list []any
	if json.Unmarshal([]byte(s), &list) != nil {
		return []string{s}
	}
	var texts []string
	for _, item := range list {
		if text, ok := item.(string); ok && strings.TrimSpace(text) != "" {
			texts = append(texts, clean(text))
		}
	}
	return texts
}

func listed(items []string) string {
	if len(items) == 0 {
		return ""
	}
	return "- " + strings.Join(items, "\n- ")
}

// engramTraces are observations that older versions made of every tool call.
var engramTraces = []string{"tool_use", "file_change", "command", "file_read", "search"}

// readEngram reads the database of engram: observations that were not deleted, and the summaries of sessions. A newer
// observation that supersedes an older one ends it.
func readEngram(r *reading, path string) error {
	ended := map[string]Row{}
	return r.readTables(path, Table{
		Name: "memory_relations", Key: "id", Need: []string{"target_id", "relation"}, Optional: true,
	}.Each(func(row Row) {
		if row.Text("relation") == "supersedes" && row.Text("judgment_status") == "judged" {
			ended[row.Text("target_id")] = row
		}
	}), r.memories(
		Table{Name: "observations", Key: "id", Need: []string{"type", "title", "content"}},
		func(row Row, c *memory.Crystal) {
			switch {
			case row.Text("deleted_at") != "":
				return
			case slices.Contains(engramTraces, strings.ToLower(row.Text("type"))):
				r.leftOut["records of tool calls"]++
				return
			}
			title, content := row.Text("title"), row.Text("content")
			if c.Text = content; !strings.HasPrefix(content, strings.TrimSuffix(title, "...")) { // a title cut from the content adds nothing
				c.Text = stated("\n", title, content)
			}
			c.Subject, c.ValidTo = row.Text("topic_key"), row.Time("expires_at")
			// Both counts begin at 1 for the first time it was said.
			c.Accesses = max(0, row.int("revision_count")-1) + max(0, row.int("duplicate_count")-1)
			if row.int("pinned") > 0 {
				c.Importance = 1
			}
			for _, id := range []string{row.Text("sync_id"), row.Key} {
				if by, ok := ended[id]; ok && id != "" {
					c.Lifecycle, c.ValidTo = memory.Archived, by.Time("updated_at", "created_at")
				}
			}
			// The sync_id stays the same when a database is copied to another machine; the number does not.
			c.Source = r.source(row.file, "observations/"+cmp.Or(row.Text("sync_id"), row.Key))
		},
	), r.memories(
		Table{Name: "sessions", Key: "id", Need: []string{"summary"}, Optional: true},
		func(row Row, c *memory.Crystal) { c.Kind, c.Text = memory.Episode, row.Text("summary") },
	))
}

// readBrainBox reads the database of BrainBox: links between files. An error that is linked to files becomes a lesson. Tools and
// concepts are left out.
func readBrainBox(r *reading, path string) error {
	types, paths, fixes := map[string]string{}, map[string]string{}, map[string][]string{}
	neurons := Table{Name: "neurons", Key: "id", Need: []string{"type", "path"}}
	return r.readTables(path, neurons.Each(func(row Row) {
		if kind := row.Text("type"); kind == "file" || kind == "error" {
			types[row.Key], paths[row.Key] = kind+" "+row.Text("project"), row.Raw("path")
		} else {
			r.leftOut["neurons that are neither files nor errors"]++
		}
	}), Table{
		Name: "synapses", Key: "rowid", Need: []string{"source_id", "target_id", "weight"}, Optional: true,
	}.Each(func(row Row) {
		from, to := row.Text("source_id"), row.Text("target_id")
		project, file := strings.CutPrefix(types[to], "file ")
		switch {
		case !file || from == to:
		case strings.HasPrefix(types[from], "error "):
			fixes[from] = append(fixes[from], clean(paths[to]))
		case types[from] == types[to]:
			if _, ok := r.place(project); ok {
				r.out.Links = append(r.out.Links, FileLink{paths[from], paths[to], min(max(row.float("weight"), 0), 1)})
			}
		}
		r.check()
	}), r.memories(neurons, func(row Row, c *memory.Crystal) {
		if files := fixes[row.Key]; len(files) > 0 {
			slices.Sort(files)
			c.Kind = memory.Lesson
			c.Text = row.Text("path") + "\nFiles that were used to fix it: " + strings.Join(files, ", ")
		}
	}))
}
