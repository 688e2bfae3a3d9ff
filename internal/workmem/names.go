package workmem

import (
	"cmp"
	"slices"
	"strings"
)

// LatelyIn is how many of the last sessions of a project say which files are worked on lately, and StartFiles how many files a start names. With both chosen
// on the three public sets of recorded sessions, what is named is opened 1.7 times as often for its tokens as all that was touched most or last
// (hebb-bench context).
const (
	LatelyIn   = 10
	StartFiles = 24
)

// OpenedLately chooses the files that are named at the start of a session from those that each of the last ones opened, the last session first: those that most of
// them opened, then the latest.
func OpenedLately(sessions [][]string) (files []string) {
	times, ago := map[string]int{}, map[string]int{}
	for i, opened := range slices.Backward(sessions[:min(len(sessions), LatelyIn)]) {
		for _, path := range opened {
			if times[path]++; times[path] == 1 {
				files = append(files, path)
			}
			ago[path] = i
		}
	}
	slices.SortFunc(files, func(a, b string) int {
		return cmp.Or(cmp.Compare(times[b], times[a]), cmp.Compare(ago[a], ago[b]), cmp.Compare(a, b))
	})
	return files[:min(len(files), StartFiles)]
}

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
