package state

import (
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

// seedRecord is what is known of what a project adopted.
type SeedRecord struct {
	At     int64      `json:"at"` // when something was last adopted, unix ms
	Files  []SeedFile `json:"files"`
	Pieces int        `json:"pieces"` // crystals that hold the texts
}

type SeedFile struct {
	Path   string `json:"path"`
	Hash   string `json:"hash"`
	Backup string `json:"backup"`
	Others bool   `json:"others,omitempty"` // lines of others did not become the person's word
}

func SeedFact(id memory.ProjectID) store.Fact[SeedRecord] {
	return store.NewFact[SeedRecord]("dream/seed").Of(id)
}

// adoptedSource begins the source of a crystal that holds part of an adopted text.
const AdoptedSource = "adopted "

const (
	adoptedLine    = AdoptedSource + "line" // of earlier versions
	seedImportance = 0.75
)

// AdoptedCrystal holds part of an adopted text. It is a lesson, because that kind makes no claim that a later one could end.
func AdoptedCrystal(id memory.ProjectID, name, text string, by memory.Origin, said, now time.Time) memory.Crystal {
	return memory.Crystal{
		Project: id, Kind: memory.Lesson, Text: text, Origin: by, Source: AdoptedSource + name, Lifecycle: memory.Consolidated,
		Importance: seedImportance, SaidAt: said, LastAt: now, Accesses: 1,
	}
}

// SeedOpen says whether a text that was adopted then may be taken in by a dream over a state that was last dreamt at another
// time: the first dream after the adoption lets it be.
func SeedOpen(adopted, dreamt time.Time) bool {
	return !adopted.IsZero() && dreamt.After(adopted.Truncate(time.Second))
}
