package store

import (
	"github.com/hebb-memory/hebb/internal/store/db"
	"github.com/hebb-memory/hebb/internal/store/text"
)

// What the parts of the store name, for its callers.
type (
	Engine     = db.Engine
	Expression = text.Expression
	Facts      = db.Facts
	Migration  = db.Migration
	RowCount   = db.RowCount

	Anchored       = text.Anchored
	CrystalFilter  = text.CrystalFilter
	CrystalState   = text.CrystalState
	Document       = text.Document
	DocumentFilter = text.DocumentFilter
	Frequency      = text.Frequency
	Kept           = text.Kept
	Lines          = text.Lines
	DocumentVector = text.DocumentVector
	Stub           = text.Stub
	Traced         = text.Traced
	Source         = text.Source
	Trace          = text.Trace
	Thought        = text.Thought
	ThoughtOf      = text.ThoughtOf
	Page           = text.Page
	Payment        = text.Payment
	Note           = text.Note
)

// CalledWrong is what a trace says of a rejected crystal.
const CalledWrong = text.CalledWrong

// Proposed is what a trace says of a crystal that an agent proposes to change.
const Proposed = text.Proposed

// Noun is what the memories of a kind are in Go.
type Noun[T any] = text.Noun[T]

var (
	Goals        = text.Goals
	Thoughts     = text.Thoughts
	Pages        = text.Pages
	Payments     = text.Payments
	Pins         = text.Pins
	Notes        = text.Notes
	Entities     = text.Entities
	Observations = text.Observations
	Relations    = text.Relations

	CheckNames       = text.CheckNames
	EntityGrave      = text.EntityGrave
	ObservationGrave = text.ObservationGrave
	RelationGrave    = text.RelationGrave
)
