// Package workmem is what is in mind now: which files are hot and why, what a session is shown when it begins, when it
// is time to dream; and the pages in which people read and change all that (live view, shelves, pins).
// It is arithmetic and text: it reads no file and no clock, and heat comes here already faded. The store is the truth;
// what is rendered here is a view of it, and what is parsed here is what a person changed in one.
package record

import (
	"github.com/hebb-memory/hebb/internal/memory"
)

// Heat of files, as the working memory was designed.
const (
	// HeatPerSession is what one closed session leaves of the heat of its project's files.
	HeatPerSession = 0.8
	// HeatMost bounds the heat of a file: no session touches one so often.
	HeatMost = 1000.0
	// WarmFrom is the heat from which on a file is warm.
	WarmFrom    = 1.0
	hotAbove    = 2.0 // its note is shown
	editHeat    = 1.0
	readHeat    = 0.3
	mentionHeat = 0.5 // named in conversation: once a session, unless the file was opened
)

// Tier says how present a file is.
type Tier int

const (
	Cold Tier = iota // not shown
	Warm             // shown with its summary
	Hot              // shown with its summary and its note
)

func (t Tier) String() string { return [...]string{"cold", "warm", "hot"}[t] }

// TierOf sorts a heat: 2.0 is warm, 2.0001 hot, 1.0 warm, 0.9999 cold. What is no number is cold.
func TierOf(heat float64) Tier {
	switch {
	case heat > hotAbove:
		return Hot
	case heat >= WarmFrom:
		return Warm
	}
	return Cold
}

// TouchHeat is what a touch adds to the heat of a file. Naming a file counts only while the session has not touched it. A file that was renamed or deleted is not worked on, so neither heats.
func TouchHeat(kind memory.TouchKind, touchedBefore bool) float64 {
	switch kind {
	case memory.Edit:
		return editHeat
	case memory.Read:
		return readHeat
	case memory.Rename, memory.Delete:
		return 0
	}
	if touchedBefore {
		return 0
	}
	return mentionHeat // also for a kind that a later version of hebb may know
}
