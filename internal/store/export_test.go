package store

import (
	"maps"
	"slices"
)

// Statements are the texts this transaction has run so far.
func (tx *Tx) Statements() []string { return slices.Sorted(maps.Keys(tx.statements)) }
