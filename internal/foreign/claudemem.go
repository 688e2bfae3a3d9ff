package foreign

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
)

// claudeMemKinds maps the types of observations; a mode other than "code" may have types of its own, which are facts.
var claudeMemKinds = map[string]memory.CrystalKind{
	"decision": memory.Decision, "bugfix": memory.Lesson, "security_alert": memory.Lesson, "feature": memory.Fact,
	"refactor": memory.Fact, "change": memory.Fact, "discovery": memory.Fact, "security_note": memory.Fact,
}

// maxAnchors: an observation with more files is about none of them in particular.
const maxAnchors = 8

// readClaudeMem reads the database of claude-mem: observations, summaries of sessions, and the rules that the user gave
// it. Prompts are left out: they are what was asked, not what was remembered.
func readClaudeMem(r *reading, path string) error {
	return r.readTables(path, Table{
		Name: "observations", Key: "id", Need: []string{"type", "project"}, Like: []string{"created_at_epoch"},
		Since: []string{"text", "title", "subtitle", "narrative", "facts", "files_modified", "created_at", "merged_into_project"},
	}.Each(func(row Row) {
		project, ok := r.place(cmp.Or(row.Text("merged_into_project"), row.Text("project")))
		if !ok {
			return
		}
		c := memory.Crystal{
			Project: project, Kind: claudeMemKinds[row.Text("type")], SaidAt: row.Time("created_at_epoch", "created_at"), Source: row.source,
		}
		c.Text = stated("\n", stated(": ", row.Text("title"), row.Text("subtitle")), row.Text("narrative"),
			listed(jsonList(row.Text("facts"))), row.Text("text"))
		if paths := jsonList(row.Text("files_modified")); len(paths) <= maxAnchors && strings.HasPrefix(row.Text("files_modified"), "[") {
			for _, p := range paths {
				c.Anchors = append(c.Anchors, memory.Anchor{Path: p})
			}
		}
		r.crystal(c)
	}), r.claudeMemSummaries(), Table{
		Name: "directives", Key: "id", Need: []string{"content"}, Optional: true,
		Since: []string{"scope", "project", "status", "created_at_epoch", "updated_at_epoch"},
	}.Each(func(row Row) {
		if s := row.Text("status"); s != "" && s != "active" {
			return
		}
		project, ok := memory.ProjectID(0), true
		if row.Text("scope") != "global" {
			project, ok = r.place(row.Text("project"))
		}
		if ok {
			r.crystal(memory.Crystal{
				Project: project, Kind: memory.Preference, Text: row.Text("content"), SaidAt: row.Time("created_at_epoch"),
				LastAt: row.Time("updated_at_epoch"), Source: row.source,
			})
		}
	}))
}

// claudeMemSummaries makes two crystals of a summary: what happened, and what was learned.
func (r *reading) claudeMemSummaries() Table {
	return Table{
		Name: "session_summaries", Key: "id", Need: []string{"project"}, Optional: true,
		Like:  []string{"request", "completed", "learned", "created_at_epoch"},
		Since: []string{"investigated", "next_steps", "notes", "created_at", "merged_into_project"},
	}.Each(func(row Row) {
		project, ok := r.place(cmp.Or(row.Text("merged_into_project"), row.Text("project")))
		if !ok {
			return
		}
		c := memory.Crystal{Project: project, SaidAt: row.Time("created_at_epoch", "created_at")}
		c.Kind, c.Source = memory.Episode, row.source
		c.Text = stated("\n", row.Text("request"), labelled("Investigated", row.Text("investigated")),
			labelled("Done", row.Text("completed")), labelled("Next", row.Text("next_steps")), row.Text("notes"))
		r.crystal(c)
		c.Kind, c.Text = memory.Lesson, row.Text("learned")
		r.crystal(c)
	})
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
