package foreign

import (
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
)

// readBrainBox reads the database of BrainBox: links between files. An error that is linked to files becomes a lesson. Tools and
// concepts are left out.
func readBrainBox(r *reading, path string) error {
	types, paths, fixes := map[string]string{}, map[string]string{}, map[string][]string{}
	neurons := Table{Name: "neurons", Key: "id", Need: []string{"type", "path"}}
	path, err := r.fileAt(path, "brainbox.db", ".brainbox/brainbox.db")
	if err != nil {
		return err
	}
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
	}), neurons.Each(func(row Row) {
		files := fixes[row.Key]
		if len(files) == 0 {
			return
		}
		project, ok := r.place(row.Text("project"))
		if !ok {
			return
		}
		slices.Sort(files)
		said := row.Time("created_at")
		r.crystal(memory.Crystal{
			Project: project, Kind: memory.Lesson, Source: row.source, SaidAt: said, LastAt: later(said, row.Time("last_accessed")),
			Text:     row.Text("path") + "\nFiles that were used to fix it: " + strings.Join(files, ", "),
			Accesses: max(0, row.int("access_count")),
		})
	}))
}
