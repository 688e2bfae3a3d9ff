package workmem

import "strings"

// NameLines names files without saying more of them, within most bytes with their line ends. Files of one folder stand
// together as a shell would take them, cmd/{a.go,b.go}: a name costs least that way, and a file that is named is one an agent
// need not search for. What does not fit is passed over.
func NameLines(paths []string, most int) []string {
	type folder struct {
		name  string
		files []string
	}
	var folders []*folder
	byName := map[string]*folder{}
	for _, path := range paths {
		at := strings.LastIndexByte(path, '/') + 1
		dir, base := path[:at], path[at:]
		f := byName[dir]
		joins := f != nil && dir != "" && !strings.ContainsAny(path, "{},")
		cost := len(path) + 1
		if joins {
			cost = len(",") + len(base)
			if len(f.files) == 1 {
				cost += len("{}")
			}
		}
		if cost > most {
			continue
		}
		most -= cost
		if !joins {
			f = &folder{name: dir}
			folders = append(folders, f)
			if !strings.ContainsAny(path, "{},") {
				byName[dir] = f
			}
		}
		f.files = append(f.files, base)
	}
	lines := make([]string, len(folders))
	for i, f := range folders {
		if len(f.files) == 1 {
			lines[i] = f.name + f.files[0]
		} else {
			lines[i] = f.name + "{" + strings.Join(f.files, ",") + "}"
		}
	}
	return lines
}
