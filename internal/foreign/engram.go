package foreign

import (
	"cmp"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
)

// engramTraces are observations that older versions made of every tool call.
var engramTraces = map[string]bool{"tool_use": true, "file_change": true, "command": true, "file_read": true, "search": true}

// readEngram reads the database of engram: observations that were not deleted, and the summaries of sessions. A newer
// observation that supersedes an older one ends it.
func readEngram(r *reading, path string) error {
	ended := map[string]row{}
	return r.readTables(path, table{
		name: "memory_relations", key: "id", need: []string{"target_id", "relation"}, optional: true,
		since: []string{"judgment_status", "created_at", "updated_at"},
	}.each(func(row row) {
		if row.text("relation") == "supersedes" && row.text("judgment_status") == "judged" {
			ended[row.text("target_id")] = row
		}
	}), table{
		name: "observations", key: "id", need: []string{"type", "title", "content"}, like: []string{"project", "created_at"},
		since: []string{"sync_id", "scope", "topic_key", "revision_count", "duplicate_count", "last_seen_at", "updated_at", "deleted_at",
			"expires_at", "pinned"},
	}.each(func(row row) { r.engramObservation(row, ended) }), table{
		name: "sessions", key: "id", need: []string{"summary"}, optional: true,
		like: []string{"project", "started_at"}, since: []string{"ended_at"},
	}.each(func(row row) {
		if row.text("summary") == "" {
			return
		}
		if project, ok := r.place(row.text("project")); ok {
			r.crystal(memory.Crystal{
				Project: project, Kind: memory.Episode, Text: row.text("summary"), SaidAt: row.time("ended_at", "started_at"), Source: row.source,
			})
		}
	}))
}

func (r *reading) engramObservation(row row, ended map[string]row) {
	kind := strings.ToLower(row.text("type"))
	if row.text("deleted_at") != "" {
		return
	}
	if engramTraces[kind] {
		r.leftOut["records of tool calls"]++
		return
	}
	c := memory.Crystal{Subject: row.text("topic_key"), SaidAt: row.time("created_at"), ValidTo: row.time("expires_at")}
	if row.text("scope") != "personal" {
		project, ok := r.place(row.text("project"))
		if !ok {
			return
		}
		c.Project = project
	}
	c.Kind, _ = kindOf(kind)
	c.Text = row.text("title")
	if content := row.text("content"); !strings.HasPrefix(content, strings.TrimSuffix(c.Text, "...")) {
		c.Text = stated("\n", c.Text, content)
	} else {
		c.Text = content // a title cut from the content adds nothing
	}
	c.LastAt = later(row.time("updated_at"), row.time("last_seen_at"))
	// Both counts begin at 1 for the first time it was said.
	c.Accesses = max(0, row.int("revision_count")-1) + max(0, row.int("duplicate_count")-1)
	if row.int("pinned") > 0 {
		c.Importance = 1
	}
	for _, id := range []string{row.text("sync_id"), row.key} {
		if by, ok := ended[id]; ok && id != "" {
			c.Lifecycle, c.ValidTo = memory.Archived, by.time("updated_at", "created_at")
		}
	}
	// The sync_id stays the same when a database is copied to another machine; the number does not.
	c.Source = r.source(row.file, "observations/"+cmp.Or(row.text("sync_id"), row.key))
	r.crystal(c)
}
