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

// maxAnchors keeps an observation that touched half of a project from claiming to speak of all of it.
const maxAnchors = 8

// readClaudeMem reads the database of claude-mem: observations, summaries of sessions, and the rules that the user gave
// it. Prompts are left out: they are what was asked, not what was remembered.
func readClaudeMem(r *reading, path string) error {
	return r.readTables(path, table{
		name: "observations", key: "id", need: []string{"type", "project"}, like: []string{"created_at_epoch"},
		since: []string{"text", "title", "subtitle", "narrative", "facts", "files_modified", "created_at", "merged_into_project"},
	}.each(func(row row) {
		project, ok := r.place(cmp.Or(row.text("merged_into_project"), row.text("project")))
		if !ok {
			return
		}
		c := memory.Crystal{
			Project: project, Kind: claudeMemKinds[row.text("type")], SaidAt: row.time("created_at_epoch", "created_at"), Source: row.source,
		}
		c.Text = stated("\n", stated(": ", row.text("title"), row.text("subtitle")), row.text("narrative"),
			listed(jsonList(row.text("facts"))), row.text("text"))
		if paths := jsonList(row.text("files_modified")); len(paths) <= maxAnchors && strings.HasPrefix(row.text("files_modified"), "[") {
			for _, p := range paths {
				c.Anchors = append(c.Anchors, memory.Anchor{Path: p})
			}
		}
		r.crystal(c)
	}), r.claudeMemSummaries(), table{
		name: "directives", key: "id", need: []string{"content"}, optional: true,
		since: []string{"scope", "project", "status", "created_at_epoch", "updated_at_epoch"},
	}.each(func(row row) {
		if s := row.text("status"); s != "" && s != "active" {
			return
		}
		project, ok := memory.ProjectID(0), true
		if row.text("scope") != "global" {
			project, ok = r.place(row.text("project"))
		}
		if ok {
			r.crystal(memory.Crystal{
				Project: project, Kind: memory.Preference, Text: row.text("content"), SaidAt: row.time("created_at_epoch"),
				LastAt: row.time("updated_at_epoch"), Source: row.source,
			})
		}
	}))
}

// claudeMemSummaries makes of each summary what happened, and apart from it what was learned.
func (r *reading) claudeMemSummaries() table {
	return table{
		name: "session_summaries", key: "id", need: []string{"project"}, optional: true,
		like:  []string{"request", "completed", "learned", "created_at_epoch"},
		since: []string{"investigated", "next_steps", "notes", "created_at", "merged_into_project"},
	}.each(func(row row) {
		project, ok := r.place(cmp.Or(row.text("merged_into_project"), row.text("project")))
		if !ok {
			return
		}
		c := memory.Crystal{Project: project, SaidAt: row.time("created_at_epoch", "created_at")}
		c.Kind, c.Source = memory.Episode, row.source
		c.Text = stated("\n", row.text("request"), labelled("Investigated", row.text("investigated")),
			labelled("Done", row.text("completed")), labelled("Next", row.text("next_steps")), row.text("notes"))
		r.crystal(c)
		c.Kind, c.Text = memory.Lesson, row.text("learned")
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
