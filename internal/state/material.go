package state

import (
	"strings"

	"cmp"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/statements"
)

// Note is something a person or an agent wanted to be remembered. It is a crystal before it is dreamt over, so it can be
// found whatever a dream makes of it.
type Note struct {
	ID         memory.CrystalID
	Text       string
	Kind       memory.CrystalKind // empty: not said
	Importance float64
	At         time.Time
	Origin     memory.Origin
	// Here says that it was noted in one project: it is not for the sections that follow the person into others.
	Here bool
}

// Session is a closed session. Next is without steps that were done since.
type Session struct {
	At                      time.Time
	Happened, Learned, Next string
	Origin                  memory.Origin    // empty: the agent
	Crystal                 memory.CrystalID // where it is kept, if it is
}

// Moment is a friction or a breakthrough.
type Moment struct {
	Text     string
	At       time.Time
	Origin   memory.Origin
	Crystal  memory.CrystalID // where it is kept, if it is
	Friction bool
}

// Evidence is something that is done again and again.
type Evidence struct {
	Name       string
	Times      int
	Confidence float64 // 0 to 1
	Origin     memory.Origin
}

// Habit is what is done again and again in a project: commands that follow each other and pass.
type Habit struct {
	Steps    []string
	Sessions int // in which they did
	Last     time.Time
}

// Surroundings are what the project is, by its files.
type Surroundings struct {
	Is                            string
	Uses, Built, RunsOn, Released []string
}

// Ledger is what was earned and spent, in millionths of a USDC.
type Ledger struct {
	Earned     int64    `json:"earned"`
	Spent      int64    `json:"spent"`
	Week       int64    `json:"week"`        // net, of the last seven days
	WeekBefore int64    `json:"week_before"` // and of the seven before
	Skills     int      `json:"skills"`      // on offer
	Buyers     int      `json:"buyers"`      // different ones
	Top        []Earner `json:"top,omitempty"`
}

// Earner is a skill and what it earned.
type Earner struct {
	Skill  string `json:"skill"`
	Earned int64  `json:"earned"`
}

// Material is all that a dream is made of.
type Material struct {
	Old Document // as MEMORY.md says it now, changed by people or not
	// Written is the state as hebb last wrote it. What stands in Old and not there was written by a person, and is not
	// replaced by newer figures.
	Written  Document
	Notes    []Note
	Crystals []memory.Crystal // old and new, with those behind Pointers; lines of the state are known again in them
	Insights []memory.Crystal // found by this dream
	Pointers []Pointer        // as the last dream left them, and when they were used

	Sessions    []Session
	Moments     []Moment
	Preferences []memory.Crystal // that follow the person
	Statements  []Statement
	Stated      Stated // lines of Old in which earlier dreams wrote them

	Gaps    []Gap
	Skills  []Evidence
	Habits  []Habit // of this project, the most frequent first
	Project Surroundings
	Agents  []string
	Ledger  *Ledger

	// TakesSeeds says that lines of an adopted text may move into the state: one dream has left it alone.
	TakesSeeds bool

	Mood statements.Mood
	// Finds searches as the agent would, and gives what it would be shown. An answer of nil, unlike an empty one, says that it
	// could not search. Without it nothing fades.
	Finds func(words string) []memory.CrystalID
	Now   time.Time
	// Worked are the days of work by which all of it ages.
	Worked memory.WorkDays
}

// Where says what became of a note.
type Where struct {
	Section Section
	Line    string // the line that reports it, or the pointer that leads to it
}

// Proposal is a new state, and what has to be known to put it in place of the old one.
type Proposal struct {
	New         Document
	Represented map[memory.CrystalID]Where
	// Waiting are notes for which there was no room and no pointer. They are to stay where they are until the next dream.
	Waiting  []memory.CrystalID
	Pointers []Pointer // those in the new state
	Faded    []string  // lines that became pointers
	Revived  []string  // lines that came back, because their pointer was used
	Replaced []string  // lines that left because a newer statement holds
	// Wanting are lines that no crystal holds. They stay; once each is kept as a crystal a later dream may let it fade.
	Wanting []Cut
	// Adopted are lines of a person's own text that this dream took into the state. Each is to be kept as a crystal.
	Adopted []Cut
	// Released are crystals that no pointer leads to any longer. They stay where they are and can be found by their words.
	Released []memory.CrystalID
	// Stated are the lines of statements, those that follow the person apart.
	Stated, StatedEverywhere Stated
}

// Sources lists what a state is made from and who said it, for Judge.
func (m Material) Sources() []Source {
	var sources []Source
	add := func(text string, origin memory.Origin) {
		sources = append(sources, Source{Text: text, Origin: origin})
	}
	for _, n := range m.Notes {
		add(n.Text, n.Origin)
	}
	for _, crystals := range [][]memory.Crystal{m.Crystals, m.Insights, m.Preferences} {
		for _, c := range crystals {
			add(c.Text, c.Origin)
		}
	}
	for _, s := range m.Statements {
		add(s.Text, s.Origin)
	}
	for _, s := range m.Sessions {
		for _, text := range []string{s.Happened, s.Learned, s.Next} {
			add(text, s.origin())
		}
	}
	for _, x := range m.Moments {
		add(x.Text, x.Origin)
	}
	for _, g := range m.Gaps {
		add(g.Text, g.Origin)
	}
	for _, e := range m.Skills {
		add(e.Name, e.Origin)
	}
	for _, h := range m.Habits {
		add(h.String(), memory.OriginAgent)
	}
	add(m.Project.Is, memory.OriginRepo)
	for _, part := range SplitSeeds(m.Old.Above) {
		if part.Seed {
			add(part.Text, memory.OriginUser)
		}
	}
	return sources
}

func (s Session) origin() memory.Origin { return cmp.Or(s.Origin, memory.OriginAgent) }

// newest orders what happened at different times, the latest first.
func newest[T any](list []T, at func(T) time.Time) []T {
	return slices.SortedStableFunc(slices.Values(list), func(a, b T) int { return at(b).Compare(at(a)) })
}

func (m Material) sessions() []Session {
	return newest(m.Sessions, func(s Session) time.Time { return s.At })
}

// trusted says whether a text may stand in a section about the person and the work: a person said it, or their agent, whose
// words are labelled as such.
func trusted(origin memory.Origin) bool { return origin.Tier() <= memory.OriginAgent.Tier() }

// String is a habit as the state has it. The commands are those of agents.
func (h Habit) String() string {
	return bullet + prose.SaidBy(memory.OriginAgent, h.name()) + seen + "in " + prose.Count(h.Sessions, "session", "sessions") + ", last " + h.Last.UTC().Format(time.DateOnly)
}

func (h Habit) name() string { return prose.OneLine(strings.Join(h.Steps, " → ")) }

// shown reports whether a habit may stand in the state. Two commands that follow each other tell a newcomer nothing.
func (h Habit) shown() bool {
	return len(h.Steps) >= habitSteps && len(h.name()) <= lineLength && !prose.Withheld(memory.OriginAgent, h.name()) && !prose.ForgesMark(h.name())
}
