package memory

import "slices"

// Kinds of statements. Search finds these as they are.
const (
	Episode      CrystalKind = "episode"
	Preference   CrystalKind = "preference"
	Fact         CrystalKind = "fact"
	Intention    CrystalKind = "goal"
	Rule         CrystalKind = "rule"
	Decision     CrystalKind = "decision"
	Correction   CrystalKind = "correction"
	Lesson       CrystalKind = "lesson"
	Insight      CrystalKind = "insight"
	Skill        CrystalKind = "skill"
	TaskPattern  CrystalKind = "task_pattern"
	Relationship CrystalKind = "relationship"
	Procedure    CrystalKind = "procedure"
	Cause        CrystalKind = "cause"
	State        CrystalKind = "state"
)

// Kinds of memories that are no statements.
const (
	KindGoal        CrystalKind = "concern" // "goal" is a statement of one
	KindThought     CrystalKind = "thought"
	KindPage        CrystalKind = "page"
	KindPayment     CrystalKind = "payment"
	KindGap         CrystalKind = "gap"
	KindPin         CrystalKind = "pin"
	KindNote        CrystalKind = "note"
	KindEntity      CrystalKind = "entity"
	KindObservation CrystalKind = "observation"
	KindRelation    CrystalKind = "relation"
)

// KindRow is what a kind of memory is. docs/memories.md is made of these.
type KindRow struct {
	Kind CrystalKind
	Is   string // in a sentence
	// Strength of a statement is how important it is against a fact; Lasting is the part of its doubt by which one that was heard fades.
	// Chosen by hand; no labelled data says how long statements hold.
	Strength, Lasting float64
	// By is what tells one from others of a kind that is no statement; About, whose ID its subject is: it goes with that; Holds, what its
	// columns say that are named otherwise. More holds the rest.
	By, About, Holds string
}

// Kinds are all kinds of memories, statements first.
var Kinds = []KindRow{
	{Kind: Episode, Is: "something that happened", Strength: 0.8, Lasting: 1},
	{Kind: Preference, Is: "how the person likes things", Strength: 1.2, Lasting: 0.25},
	{Kind: Rule, Is: "how work is to be done", Strength: 1.2, Lasting: 0.25},
	{Kind: Decision, Is: "what was settled, and why", Strength: 1.1, Lasting: 0.5},
	{Kind: Correction, Is: "what an agent had wrong", Strength: 1.1, Lasting: 0.25},
	{Kind: Fact, Is: "how things are", Strength: 1, Lasting: 0.25},
	{Kind: Intention, Is: "what somebody said they want", Strength: 1.2, Lasting: 1},
	{Kind: Lesson, Is: "what work has taught", Strength: 1.1, Lasting: 1},
	{Kind: Insight, Is: "found by thinking, not said by anybody", Strength: 1.1, Lasting: 1},
	{Kind: Skill, Is: "what somebody can do", Strength: 1, Lasting: 1},
	{Kind: TaskPattern, Is: "how tasks of a sort go", Strength: 1.1, Lasting: 1},
	{Kind: Relationship, Is: "how people work together", Strength: 1.1, Lasting: 1},
	{Kind: Procedure, Is: "how something is done, step by step", Strength: 1.1, Lasting: 1},
	{Kind: Cause, Is: "why something failed, and what fixed it or did not", Strength: 1.1, Lasting: 1},
	{Kind: State, Is: "what is half done", Strength: 1, Lasting: 1},

	{Kind: KindEntity, Is: "a node of the knowledge graph: a person, a service, an idea", By: "name", Holds: "text: its type"},
	{Kind: KindObservation, Is: "one thing said of an entity", By: "entity and text", About: "entity", Holds: "name: the entity's; importance: how sure"},
	{Kind: KindRelation, Is: "a link between two entities", By: "both names and its type", About: "entity that it begins at", Holds: "text: its type; name and source: the entities' names; parents: the one that it ends at"},
	{Kind: KindPin, Is: "a memory that every session starts with", By: "memory", About: "memory that it pins", Holds: "text: its title; name: that as titles are compared; source: why"},
	{Kind: KindPage, Is: "what people write about themselves and their work", By: "name"},
	{Kind: KindGoal, Is: "something that is wanted, asked, missing or put off", By: "ID", Holds: "text: its title; lifecycle: its status"},
	{Kind: KindNote, Is: "a memory that waits for a dream", By: "memory", About: "memory that waits", Holds: "lifecycle: archived once a dream has used it"},
	{Kind: KindPayment, Is: "what a skill earned or cost", By: "ID", Holds: "text: its note"},
	{Kind: KindThought, Is: "a connection to a goal that was shown", By: "number", About: "goal", Holds: "text: why; importance: how strong; lifecycle: what came of it; marks: what identifies it"},
	{Kind: KindGap, Is: "a search that found no answer", By: "text", Holds: "accesses: how often it was asked"},
}

// CrystalKinds lists the kinds of statements.
var CrystalKinds = kindsOf(func(k KindRow) bool { return k.Strength > 0 })

// OtherKinds lists those that are no statements, each after what it may be about.
var OtherKinds = kindsOf(func(k KindRow) bool { return k.Strength == 0 })

// AboutKinds lists those that are about another memory.
var AboutKinds = kindsOf(func(k KindRow) bool { return k.About != "" })

func kindsOf(which func(KindRow) bool) (kinds []CrystalKind) {
	for _, k := range Kinds {
		if which(k) {
			kinds = append(kinds, k.Kind)
		}
	}
	return kinds
}

// Row is the row of a kind; one that is not known is a fact.
func (k CrystalKind) Row() KindRow {
	for _, row := range Kinds {
		if row.Kind == k {
			return row
		}
	}
	return Fact.Row()
}

// Statement reports whether a memory of the kind is a statement.
func (k CrystalKind) Statement() bool { return slices.Contains(CrystalKinds, k) }

// DerivedID is that of a memory that is told from others of its kind and project by what it says. Its tombstone has the same, so that no
// export brings back what was deleted.
func DerivedID(kind CrystalKind, project ProjectID, parts ...string) CrystalID {
	return CrystalID(DerivedEventID(append([]string{string(kind), project.String()}, parts...)...))
}

// EntityID is the ID of an entity.
func EntityID(project ProjectID, name string) CrystalID { return DerivedID(KindEntity, project, name) }

// Settled is the memory with what follows from what it says: its ID, and what it is about.
func (m Memory) Settled() Memory {
	switch m.Kind {
	case KindEntity, KindPage:
		m.ID = DerivedID(m.Kind, m.Project, m.Name)
	case KindObservation:
		m.ID, m.Subject = DerivedID(m.Kind, m.Project, m.Name, m.Text), string(EntityID(m.Project, m.Name))
	case KindRelation:
		m.ID, m.Subject = DerivedID(m.Kind, m.Project, m.Name, m.Text, m.Source), string(EntityID(m.Project, m.Name))
		m.Parents = []CrystalID{EntityID(m.Project, m.Source)}
	case KindPin, KindNote:
		m.ID = DerivedID(m.Kind, m.Project, m.Subject)
	case KindGap:
		m.ID = DerivedID(m.Kind, m.Project, m.Text)
	}
	return m
}
