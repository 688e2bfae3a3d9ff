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
	ended := map[string]Row{}
	return r.readTables(path, Table{
		Name: "memory_relations", Key: "id", Need: []string{"target_id", "relation"}, Optional: true,
		Since: []string{"judgment_status", "created_at", "updated_at"},
	}.Each(func(row Row) {
		if row.Text("relation") == "supersedes" && row.Text("judgment_status") == "judged" {
			ended[row.Text("target_id")] = row
		}
	}), Table{
		Name: "observations", Key: "id", Need: []string{"type", "title", "content"}, Like: []string{"project", "created_at"},
		Since: []string{"sync_id", "scope", "topic_key", "revision_count", "duplicate_count", "last_seen_at", "updated_at", "deleted_at",
			"expires_at", "pinned"},
	}.Each(func(row Row) { r.engramObservation(row, ended) }), Table{
		Name: "sessions", Key: "id", Need: []string{"summary"}, Optional: true,
		Like: []string{"project", "started_at"}, Since: []string{"ended_at"},
	}.Each(func(row Row) {
		if row.Text("summary") == "" {
			return
		}
		if project, ok := r.place(row.Text("project")); ok {
			r.crystal(memory.Crystal{
				Project: project, Kind: memory.Episode, Text: row.Text("summary"), SaidAt: row.Time("ended_at", "started_at"), Source: row.source,
			})
		}
	}))
}

func (r *reading) engramObservation(row Row, ended map[string]Row) {
	kind := strings.ToLower(row.Text("type"))
	if row.Text("deleted_at") != "" {
		return
	}
	if engramTraces[kind] {
		r.leftOut["records of tool calls"]++
		return
	}
	c := memory.Crystal{Subject: row.Text("topic_key"), SaidAt: row.Time("created_at"), ValidTo: row.Time("expires_at")}
	if row.Text("scope") != "personal" {
		project, ok := r.place(row.Text("project"))
		if !ok {
			return
		}
		c.Project = project
	}
	c.Kind, _ = kindOf(kind)
	c.Text = row.Text("title")
	if content := row.Text("content"); !strings.HasPrefix(content, strings.TrimSuffix(c.Text, "...")) {
		c.Text = stated("\n", c.Text, content)
	} else {
		c.Text = content // a title cut from the content adds nothing
	}
	c.LastAt = later(row.Time("updated_at"), row.Time("last_seen_at"))
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
	r.crystal(c)
}
