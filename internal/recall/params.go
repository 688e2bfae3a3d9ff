package recall

import (
	"math"
	"slices"
)

// Source: hebb-bench replay.
const (
	OpenHalfLife       = 1.5  // each open file before the latest counts half as much after this many
	clearWords         = 30.0 // different words of a prompt at which the open files say as much as it does
	matureProject      = 20.0 // segments of sessions after which a project goes by sessions as much as by commits
	matureFile         = 3.0  // segments of sessions after which an open file does
	offers             = 60   // files each kind of evidence brings in
	asked              = 4000 // files, commits and sessions each that the words of a question lead to (34,000 commits: as good as all)
	askedThrough       = 8000 // commits that these files lead to, likewise
	askedKin           = 2000 // files that the words of an open file's path lead to, likewise
	placedFiles        = 100  // files that have a place in the list of a kind of evidence
	placeScale         = 10.0 // the place at which being listed counts half
	newHalfLife        = 30.0 // a file is half as new after this many commits
	folderWindow       = 60.0 // latest commits that warm a folder
	folderHeatHalfLife = 10.0 // a change to a folder counts half after this many commits
	spreadFrom         = 10   // best answers from which activation spreads
	spreadFloor        = 0.05 // an answer this much weaker than the best excites nothing
	spreadEpisodes     = 100  // latest episodes of an answer from which activation spreads
)

// openFactor is the say of the i-th open file, the latest being 0.
func openFactor(i int) float64 { return fade(float64(i), OpenHalfLife) }

// Params are the numbers of ranking that comparisons change.
type Params struct {
	TogetherHalfLife float64 // being changed together counts half after this many commits
	FolderHalfLife   float64 // being changed with an open file's folder likewise
	OpenedHalfLife   float64 // an opening of a file counts half after this many segments of sessions
	SizePower        float64 // a commit of many files says less of each pair: divided by their number to this power
	// Learned are the weights that all projects share: where it is known what files mean, and elsewhere.
	Learned func(meaning bool) *Learned
}

// DefaultParams returns the numbers that hebb uses. Source: hebb-bench replay.
func DefaultParams() Params {
	return Params{TogetherHalfLife: 500, FolderHalfLife: 200, OpenedHalfLife: 100, SizePower: 1, Learned: Shipped}
}

// best returns the first most of a list in order, without sorting the rest. It goes from the end: lists are made from the
// past onwards, and what is late is mostly better.
func best[T any](list []T, most int, before func(a, b T) bool) []T {
	first := make([]T, 0, min(most, len(list))+1)
	for _, x := range slices.Backward(list) {
		if len(first) == most && (most == 0 || !before(x, first[most-1])) {
			continue
		}
		i, _ := slices.BinarySearchFunc(first, x, func(a, b T) int {
			if before(a, b) {
				return -1
			}
			return 1
		})
		first = slices.Insert(first, i, x)
		if len(first) > most {
			first = first[:most]
		}
	}
	return first
}

// fade halves with every half-life.
func fade(age, halfLife float64) float64 { return math.Exp2(-age / halfLife) }
