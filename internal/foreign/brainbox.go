package foreign

import (
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
)

// readBrainBox reads the database of BrainBox: links between files. An error that is linked to files becomes a lesson. Tools and
// concepts are left out.
func readBrainBox(r *reading, path string) error {
	type neuron struct {
		Row
		project memory.ProjectID
		fixes   []string
	}
	neurons := map[string]*neuron{}
	var failures []*neuron
	err := r.readTables(path, Table{
		Name: "neurons", Key: "id", Need: []string{"type", "path"}, Like: []string{"access_count", "last_accessed"},
		Since: []string{"created_at", "project"},
	}.Each(func(row Row) {
		project, ok := r.place(row.Text("project"))
		if !ok {
			return
		}
		n := &neuron{Row: row, project: project}
		switch row.Text("type") {
		case "file":
		case "error":
			failures = append(failures, n)
		default:
			r.leftOut["neurons that are neither files nor errors"]++
			return
		}
		neurons[row.Key] = n
		r.check()
	}), Table{
		Name: "synapses", Key: "rowid", Need: []string{"source_id", "target_id", "weight"}, Optional: true,
	}.Each(func(row Row) {
		from, to := neurons[row.Text("source_id")], neurons[row.Text("target_id")]
		if from == nil || to == nil || from == to {
			return
		}
		switch {
		case from.Text("type") == "error" && to.Text("type") == "file":
			from.fixes = append(from.fixes, to.Text("path"))
		case from.Text("type") == "file" && to.Text("type") == "file" && from.project == to.project:
			r.out.Links = append(r.out.Links, FileLink{
				From: from.values["path"], To: to.values["path"], Weight: min(max(row.float("weight"), 0), 1),
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
			Text:   n.Text("path") + "\nFiles that were used to fix it: " + strings.Join(n.fixes, ", "),
			SaidAt: n.Time("created_at"), LastAt: n.Time("last_accessed"), Accesses: max(0, n.int("access_count")),
		})
	}
	return err
}
