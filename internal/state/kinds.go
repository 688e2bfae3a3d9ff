package state

import (
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
)

// Kinds of what MEMORY.md tells and no memory is: they follow from sessions, files, payments and searches.
const (
	kindIs        memory.CrystalKind = "is" // what the project is
	kindAgents    memory.CrystalKind = "agents"
	kindEconomics memory.CrystalKind = "economics"
	kindSession   memory.CrystalKind = "happened"
	kindLearned   memory.CrystalKind = "learned"
	kindNext      memory.CrystalKind = "next"
	kindMoment    memory.CrystalKind = "moment" // a memory that moved somebody
	kindGap       memory.CrystalKind = "gap"
	kindHabit     memory.CrystalKind = "habit"
	kindPast      memory.CrystalKind = "session" // all of one, for a model that writes
	kindPiece     memory.CrystalKind = "piece"   // of an adopted text: too long for a line
)

// kindRow says of a kind of what is kept where MEMORY.md tells it.
type kindRow struct {
	kind  memory.CrystalKind
	in    Section       // while it is fresh
	then  Section       // from FadeAfter days of work on; SectionPointers: it fades
	most  int           // lines, of pieces pointers
	share float64       // of the section's room that it may take before the kinds below it
	worth float64       // a rule that is not known costs more than a fact, which the code shows too
	half  time.Duration // days of work in which it loses half of its worth
	// newest: lines stand by their time, the newest first, with those of its neighbours; else the most worth first.
	newest bool
}

const day = 24 * time.Hour

// kindRows are in the order in which lines of a section stand.
var kindRows = []kindRow{
	{memory.Rule, SectionPhenotype, SectionPhenotype, 12, 1, 1.2, 365 * day, false},
	{memory.Correction, SectionPhenotype, SectionPhenotype, 12, 1, 1.2, 365 * day, false},
	{memory.Preference, SectionBond, SectionBond, 12, 1, 1.1, 365 * day, false},
	{memory.Relationship, SectionBond, SectionBond, 12, 1, 1, 365 * day, false},
	{kindIs, SectionNiche, SectionNiche, 5, 1, 1, 365 * day, false},
	{kindAgents, SectionNiche, SectionNiche, 1, 1, 1, 365 * day, false},
	{kindEconomics, SectionNiche, SectionNiche, 1, 1, 1, 365 * day, false},
	{kindSession, SectionActive, SectionActive, 1, 0.3, 1, 365 * day, false},
	{kindLearned, SectionActive, SectionActive, 5, 0.3, 1, 365 * day, false},
	{kindNext, SectionActive, SectionActive, 5, 0.3, 1, 365 * day, false},
	{kindMoment, SectionActive, SectionPointers, 6, 0.3, 1, 14 * day, false},
	{memory.Decision, SectionActive, SectionNiche, 12, 0.3, 1, 180 * day, false},
	{memory.Intention, SectionActive, SectionActive, 12, 0.3, 0.8, 14 * day, false},
	{memory.Insight, SectionActive, SectionPointers, 3, 0.2, 1, 365 * day, false},
	{memory.State, SectionActive, SectionPointers, 12, 0.3, 1, 14 * day, true},
	{memory.Cause, SectionActive, SectionPointers, 12, 0.3, 1, 365 * day, true},
	{memory.Lesson, SectionActive, SectionPointers, 40, 0.3, 1, 365 * day, true},
	{memory.Fact, SectionActive, SectionNiche, 40, 1, 0.8, 180 * day, true},
	{memory.Episode, SectionActive, SectionPointers, 12, 0.3, 1, 365 * day, true},
	{kindPast, SectionPointers, SectionPointers, 0, 0, 1, 365 * day, false},
	{kindPiece, SectionPointers, SectionPointers, 3, 0, 0.5, 365 * day, false},
	{kindGap, SectionGaps, SectionGaps, gapsShown, 1, 1, 365 * day, false},
	{memory.Skill, SectionSkills, SectionSkills, 5, 1, 1, 365 * day, false},
	{memory.TaskPattern, SectionSkills, SectionSkills, 5, 1, 1, 365 * day, false},
	{memory.Procedure, SectionSkills, SectionSkills, 5, 1, 1, 365 * day, false},
	{kindHabit, SectionSkills, SectionSkills, 3, 1, 1, 365 * day, false},
}

// rowOf finds the row of a kind; one that is not known is told as a fact.
func rowOf(kind memory.CrystalKind) (order int, row kindRow) {
	fact := 0
	for i, r := range kindRows {
		switch r.kind {
		case kind:
			return i, r
		case memory.Fact:
			fact = i
		}
	}
	return fact, kindRows[fact]
}

// FadeAfter is how many days of work something untouched stays in Active Context: about the half-life of a crystal.
const FadeAfter = 14 * day

// sectionRow says of a section how much of a document it may take and what a line is that somebody writes into it.
type sectionRow struct {
	title, hint string
	share       float64            // of the document
	written     memory.CrystalKind // of a line that somebody writes there
}

var sectionRows = [SectionCount]sectionRow{
	SectionPhenotype: {"The Phenotype", "_How the agent is to work: the user's rules and corrections:_", 0.11, memory.Rule},
	SectionBond:      {"The Bond", "_Who the user is, and how they like things done:_", 0.12, memory.Preference},
	SectionNiche:     {"The Niche", "_What this project is, what it uses and what was settled long ago:_", 0.13, memory.Fact},
	SectionActive:    {"Active Context", "_What is going on: recent decisions, open work, next steps:_", 0.34, memory.Fact},
	SectionPointers:  {"Crystal Pointers", "_Deep memories. Search with these words when a topic comes up:_", 0.18, memory.Fact},
	SectionGaps:      {"Curiosity Gaps", "_What is not known yet and would help:_", 0.06, memory.Fact},
	SectionSkills:    {"Emerging Skills", "_Patterns found in repeated work, and how sure they are:_", 0.06, memory.Skill},
}

// filled is the order in which sections are filled: what one leaves goes to the next. What was settled long ago has its share alone, and the
// pointers lead to what found no room.
var filled = [...]Section{SectionNiche, SectionPhenotype, SectionBond, SectionGaps, SectionSkills, SectionActive, SectionPointers}

// Whole is how many characters MEMORY.md may have: the source's budget for a window of 200 000 tokens and more. What an agent with a smaller
// window is shown of it, its start decides.
const Whole = 8000

// mayStand reports whether a text of an origin may stand in a section. How the agent is to work is the person's to say; who they are and
// what was learned may be told by an agent too, labelled. Everything else is told in Active Context.
func (s Section) mayStand(origin memory.Origin, text string) bool {
	switch {
	case !s.Personal():
		return true
	case s == SectionPhenotype:
		return origin == memory.OriginUser && !prose.ForgesMark(text)
	case s == SectionBond && origin != memory.OriginUser && prose.LooksLikeInstruction(text):
		return false
	}
	return origin.Tier() <= memory.OriginAgent.Tier() && !prose.ForgesMark(text) && !prose.Withheld(origin, text)
}
