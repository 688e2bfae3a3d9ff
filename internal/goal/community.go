package goal

import (
	"cmp"
	"slices"
)

// Tie is a link between two files, by their numbers, and how strong it is.
type Tie struct {
	A, B   int
	Weight float64
}

// communityRounds bound the spreading of labels; it settles in few.
const communityRounds = 20

// Communities finds parts of a graph of n files that hang together: each file takes on, again and again, the label that its
// ties pull it to most (label propagation, Raghavan et al. 2007), in a fixed order, so that the same graph has the same parts.
// A file without ties is a part of its own.
func Communities(n int, ties []Tie) []int {
	label := make([]int, n)
	near := make([][]Tie, n)
	for i := range label {
		label[i] = i
	}
	for _, t := range ties {
		if t.A != t.B && t.Weight > 0 {
			near[t.A] = append(near[t.A], Tie{t.A, t.B, t.Weight})
			near[t.B] = append(near[t.B], Tie{t.B, t.A, t.Weight})
		}
	}
	for range communityRounds {
		moved := false
		for i := range label {
			pull := map[int]float64{}
			var met []int
			for _, t := range near[i] {
				if _, known := pull[label[t.B]]; !known {
					met = append(met, label[t.B])
				}
				pull[label[t.B]] += t.Weight
			}
			if len(met) == 0 {
				continue
			}
			slices.Sort(met)
			best := slices.MaxFunc(met, func(a, b int) int { return cmp.Compare(pull[a], pull[b]) }) // of equals the first
			if best != label[i] && pull[best] > pull[label[i]] {
				label[i], moved = best, true
			}
		}
		if !moved {
			break
		}
	}
	return label
}

// CommunityOf is the part of the graph that most of some files are in: that of the first among equals. files are numbers of files;
// it is -1 without any.
func CommunityOf(files, label []int) int {
	count := map[int]int{}
	best := -1
	for _, f := range files {
		count[label[f]]++
	}
	for _, f := range files {
		if best < 0 || count[label[f]] > count[best] {
			best = label[f]
		}
	}
	return best
}
