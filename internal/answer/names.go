package answer

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// LatelyIn is how many of the last sessions of a project say which files are worked on lately. Half of what one says is left after
// latelyHalfLife more, and a file that it changed counts for more. On the three public sets of recorded sessions four to twelve sessions and
// 1.25 to 1.75 do as well (hebb-bench context).
const (
	LatelyIn       = 24
	latelyHalfLife = 6.0
	latelyChanged  = 1.5
)

// OpenedFile is a file that one of the last sessions opened.
type OpenedFile struct {
	Path    string
	Ago     int // sessions since, 0 for the last one
	Changed bool
}

// OpenedLately orders the files that the last sessions opened by how likely the next one opens them: those that many opened of late.
func OpenedLately(opened []OpenedFile) (files []string) {
	weight, ago := map[string]float64{}, map[string]int{}
	for _, o := range opened {
		w := math.Exp2(-float64(o.Ago) / latelyHalfLife)
		if o.Changed {
			w *= latelyChanged
		}
		if last, known := ago[o.Path]; !known {
			files, ago[o.Path] = append(files, o.Path), o.Ago
		} else {
			ago[o.Path] = min(last, o.Ago)
		}
		weight[o.Path] += w
	}
	slices.SortFunc(files, func(a, b string) int {
		return cmp.Or(cmp.Compare(weight[b], weight[a]), cmp.Compare(ago[a], ago[b]), cmp.Compare(a, b))
	})
	return files
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
