package foreign

import (
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
)

// readBrainBox reads the database of BrainBox: how often files were used, and how strongly they lead to each other. An
// error that leads to files becomes a lesson. Tools and concepts have no counterpart here.
func readBrainBox(r *reading, path string) error {
	type neuron struct {
		row
		project memory.ProjectID
		fixes   []string
	}
	neurons := map[string]*neuron{}
	var failures []*neuron
	err := r.readTables(path, table{
		name: "neurons", key: "id", need: []string{"type", "path"}, like: []string{"access_count", "last_accessed"},
		since: []string{"created_at", "project"},
	}.each(func(row row) {
		project, ok := r.place(row.text("project"))
		if !ok {
			return
		}
		n := &neuron{row: row, project: project}
		switch row.text("type") {
		case "file":
			r.out.Files = append(r.out.Files, FileUse{
				Project: project, Path: row.values["path"], Accesses: max(0, row.int("access_count")),
				FirstAt: row.time("created_at"), LastAt: row.time("last_accessed", "created_at"),
			})
		case "error":
			failures = append(failures, n)
		default:
			r.leftOut["neurons that are neither files nor errors"]++
			return
		}
		neurons[row.key] = n
		r.check()
	}), table{
		name: "synapses", key: "rowid", need: []string{"source_id", "target_id", "weight"},
		like: []string{"co_access_count", "last_fired"}, optional: true,
	}.each(func(row row) {
		from, to := neurons[row.text("source_id")], neurons[row.text("target_id")]
		if from == nil || to == nil || from == to {
			return
		}
		switch {
		case from.text("type") == "error" && to.text("type") == "file":
			from.fixes = append(from.fixes, to.text("path"))
		case from.text("type") == "file" && to.text("type") == "file" && from.project == to.project:
			r.out.Links = append(r.out.Links, FileLink{
				Project: from.project, From: from.values["path"], To: to.values["path"], Weight: min(max(row.float("weight"), 0), 1),
				Together: max(0, row.int("co_access_count")), LastAt: row.time("last_fired"),
			})
		}
		r.check()
	}))
	for _, n := range failures {
		if len(n.fixes) == 0 {
			continue
		}
		slices.Sort(n.fixes)
		r.crystal(memory.Crystal{
			Project: n.project, Kind: memory.Lesson, Source: n.source,
			Text:   n.text("path") + "\nFiles that were used to fix it: " + strings.Join(n.fixes, ", "),
			SaidAt: n.time("created_at"), LastAt: n.time("last_accessed"), Accesses: max(0, n.int("access_count")),
		})
	}
	return err
}
