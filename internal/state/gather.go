package state

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/git"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/texts"
)

const (
	dreamSessions = 12 // that a dream reads
	listShown     = 5  // lessons and next steps of the latest session: what fits in a glance
	DreamFinds    = 30 // results that an agent would be shown for the words of a pointer
)

// material gathers what MEMORY.md is rendered from. What the files of the project say of it was read before the transaction.
func (d dreamer) material(ctx context.Context, tx *store.Tx, id memory.ProjectID, about git.About) (m Material, err error) {
	p, err := tx.Project(ctx, id)
	if err != nil {
		return m, err
	}
	if m.Worked, err = tx.WorkDays(ctx, id); err != nil {
		return m, err
	}
	if m.Old, _, err = State(ctx, tx, id); err != nil {
		return m, err
	}
	if m.Told, err = toldFact(id).Get(ctx, tx); err != nil {
		return m, err
	}
	if m.Above, err = stays(ctx, tx, id, m.Old); err != nil {
		return m, err
	}
	mood, err := desk.Mood(ctx, tx)
	if err != nil {
		return m, err
	}
	m.Mood = mood.Now(tx.Now)
	code := statements.CodeOf(d.config, p, 0)
	for _, read := range []func(context.Context, *store.Tx, memory.Project, *statements.Code) ([]Entry, error){memories, sessions, unknown, habits, agents} {
		entries, err := read(ctx, tx, p, code)
		if err != nil {
			return m, err
		}
		m.Entries = append(m.Entries, entries...)
	}
	for _, fact := range []struct{ label, text string }{
		{"What it is", about.Is}, {"Uses", strings.Join(about.Uses, ", ")}, {"Built and tested by", strings.Join(about.Built, ", ")},
		{"Runs on", strings.Join(about.RunsOn, ", ")}, {"Released by", strings.Join(about.Released, ", ")},
	} { // words of the repository: data
		if fact.text != "" && !prose.Withheld(memory.OriginRepo, prose.OneLine(fact.text)) {
			m.Entries = append(m.Entries, entry(memory.Crystal{Kind: kindIs, Text: fact.text, Origin: memory.OriginRepo, SaidAt: tx.Now}, fact.label, ""))
			m.Entries[len(m.Entries)-1].Importance = 1 - float64(len(m.Entries))/1000 // in this order
		}
	}
	if len(adoptedTexts(m.Above)) > 0 { // what was adopted stands there
		m.Entries = slices.DeleteFunc(m.Entries, func(e Entry) bool { return e.Kind == kindPiece })
	}
	aside, err := asideFact(id).Get(ctx, tx)
	for i, e := range m.Entries {
		m.Entries[i].Worked = m.Worked
		m.Entries[i].Aside = m.Entries[i].Aside || slices.Contains(aside.Crystals, e.ID) && touched(e.Crystal).UnixMilli() <= aside.At
	}
	m.Finds = func(words string) []memory.CrystalID {
		found, err := d.search(ctx, tx, texts.SearchInput{Scope: brain.Scope{Project: id.String()}, Query: words, Limit: DreamFinds})
		if err != nil {
			return nil // it could not be looked for: then nothing is pointed to
		}
		ids := []memory.CrystalID{}
		for _, f := range found.Found {
			if f.Crystal != nil {
				ids = append(ids, f.Crystal.ID)
			}
		}
		return ids
	}
	return m, err
}

// stays is what stays above a state: adopted texts stand there for one dream.
func stays(ctx context.Context, tx *store.Tx, id memory.ProjectID, s Document) (string, error) {
	seeds, err := SeedFact(id).Get(ctx, tx)
	if seeds.At != 0 && SeedOpen(time.UnixMilli(seeds.At), s.Dreamt) {
		return withoutSeeds(s.Above), err
	}
	return s.Above, err
}

func entry(c memory.Crystal, label, suffix string) Entry {
	return Entry{Statement: Statement{Crystal: c, Times: 1}, Label: label, Suffix: suffix, Section: SectionCount}
}

const (
	momentFelt = 0.2 // valence of a breakthrough or friction; a reward is 0.3
	skillUses  = 2   // of something done again and again
)

// memories are those that hold in a project, and everywhere.
func memories(ctx context.Context, tx *store.Tx, p memory.Project, code *statements.Code) (list []Entry, err error) {
	said, err := Statements(ctx, tx, p.ID)
	if err != nil {
		return nil, err
	}
	known := map[memory.CrystalID]bool{}
	for _, s := range said {
		known[s.ID] = true
		list = append(list, Entry{Statement: s, Section: writtenIn(s.Crystal)})
	}
	seeds, err := SeedFact(p.ID).Get(ctx, tx)
	if err != nil {
		return nil, err
	}
	days, err := tx.WorkDays(ctx, p.ID)
	if err != nil {
		return nil, err
	}
	kept, err := tx.Crystals(ctx, store.CrystalFilter{
		Projects: []memory.ProjectID{0, p.ID}, Current: true, Living: true, Said: true, Limit: goals.DreamCrystals + seeds.Pieces,
	})
	if err != nil {
		return nil, err
	}
	lines, err := statements.Lines(ctx, tx, p.ID)
	for _, c := range lines {
		kept = append(kept, store.Kept{Crystal: c})
	}
	for _, k := range statements.Holding(kept, tx.Now) {
		c := k.Crystal
		if known[c.ID] || c.Lifecycle == memory.Frozen || c.Source == compressionSource || c.Heard > 0 && c.Origin == memory.OriginUser {
			continue // pins have a slot of their own; what was heard may not be sure enough
		}
		if brain.HebbsOwn(c) {
			gone, err := code.GoneIn(ctx, tx, p.ID, c.Text)
			if err != nil {
				return nil, err
			}
			c.Unsure = c.Unsure || len(gone) > 0
		}
		if c.Unsure && c.Origin != memory.OriginUser {
			continue // the code it speaks of has changed since
		}
		known[c.ID] = true
		c.Text, c.Origin = brain.Harmless(c.Origin, c.Text), brain.Speaker(c)
		e := entry(c, "", "")
		e.Section = writtenIn(c)
		switch fresh := days.Age(c.SaidAt, tx.Now) <= FadeAfter; {
		case strings.HasPrefix(c.Source, AdoptedSource) && c.Source != adoptedLine:
			e.Kind = kindPiece
		case brain.BySomebody(c.Origin) && math.Abs(c.Valence) >= momentFelt && fresh:
			if e.Kind, e.Label = kindMoment, labelBreakthrough; c.Valence < 0 {
				e.Label = labelFriction
			}
		case c.Kind == memory.Insight:
			e.Label = labelInsight
		case (c.Kind == memory.Skill || c.Kind == memory.TaskPattern || c.Kind == memory.Procedure) && c.Accesses >= skillUses:
			confidence := strconv.FormatFloat(math.Round(min(c.Importance, 1)*100)/100, 'f', -1, 64)
			e.Suffix = seen + prose.Count(c.Accesses, "time", "times") + " (" + confidence + ")"
		}
		list = append(list, e)
	}
	return list, err
}

// sessions are what the latest session says of itself, and the next steps that were left. A summary that hebb made by rules is a list of files
// and times, which the list of sessions has.
func sessions(ctx context.Context, tx *store.Tx, p memory.Project, _ *statements.Code) (list []Entry, err error) {
	past, err := tx.ShelvedSessions(ctx, p.ID, dreamSessions)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(past, func(a, b memory.Session) int { return b.LastEventAt.Compare(a.LastEventAt) })
	add := func(s memory.Session, kind memory.CrystalKind, label string, texts ...string) {
		by := cmp.Or(s.SummaryBy, memory.OriginAgent)
		for i, text := range texts[:min(len(texts), listShown)] {
			if o := originOf(text); o != memory.OriginUser { // hebb's summary quotes an agent
				by = o
				text, _ = prose.UnsaidBy(text)
			}
			c := memory.Crystal{Kind: kind, Text: brain.Harmless(s.SummaryBy, text), Origin: by, SaidAt: s.LastEventAt, Importance: 1 - float64(i)/listShown}
			list = append(list, entry(c, label, ""))
		}
	}
	for _, s := range past {
		all := "happened: " + s.Happened
		for _, part := range [][2]string{{"learned", s.Learned}, {"next", s.Next}} {
			if part[1] != "" {
				all += " | " + part[0] + between + part[1]
			}
		}
		add(s, kindPast, "", all)
	}
	if i := slices.IndexFunc(past, func(s memory.Session) bool { return s.SummaryBy != memory.OriginTool }); i >= 0 {
		add(past[i], kindSession, "Session", past[i].Happened)
		add(past[i], kindLearned, "Learned", prose.Items(past[i].Learned)...)
	}
	if i := slices.IndexFunc(past, func(s memory.Session) bool { return prose.OneLine(s.Next) != "" }); i >= 0 {
		add(past[i], kindNext, "Next", prose.Items(past[i].Next)...)
	}
	return list, nil
}

// unknown are the gaps that are told.
func unknown(ctx context.Context, tx *store.Tx, p memory.Project, _ *statements.Code) (list []Entry, err error) {
	gaps, err := GapsOf(ctx, tx, p.ID)
	for i, g := range gaps {
		text, label, suffix := brain.Harmless(g.Origin, g.Text), "Question", ""
		if g.Kind == GapSearch {
			if label = "No answer yet"; g.Origin == memory.OriginUser {
				text = "`" + strings.ReplaceAll(text, "`", "'") + "`"
			}
		}
		if g.Times > 1 {
			suffix = fmt.Sprintf(" (asked %d times)", g.Times)
		}
		c := memory.Crystal{Kind: kindGap, Text: text, Origin: g.Origin, SaidAt: g.At, Importance: 1 - float64(i)/gapsShown}
		list = append(list, entry(c, label, suffix))
	}
	return list, err
}

// habits are the commands that follow each other and pass, again and again. Two that do tell a newcomer nothing.
func habits(ctx context.Context, tx *store.Tx, p memory.Project, code *statements.Code) (list []Entry, err error) {
	const steps = 3 // of one that says something
	found, err := Habits(ctx, tx, p, code, HabitSessions)
	for i, h := range found {
		if name := h.name(); len(h.Steps) >= steps && len(name) <= lineLength && !prose.Withheld(memory.OriginAgent, name) {
			c := memory.Crystal{Project: p.ID, Kind: kindHabit, Text: name, Origin: memory.OriginAgent, SaidAt: tx.Now, Importance: 1 / float64(i+1)}
			list = append(list, entry(c, "", h.often()))
		}
	}
	return list, err
}

// agents are those that work here, where there are several, and what skills earned.
func agents(ctx context.Context, tx *store.Tx, p memory.Project, _ *statements.Code) (list []Entry, err error) {
	past, err1 := tx.Sessions(ctx, store.SessionFilter{ByAgents: true, Project: p.ID, Limit: 200})
	payments, err2 := store.Payments.All(ctx, tx, store.CrystalFilter{})
	var names []string
	for _, s := range past {
		if name := string(s.Agent); s.Agent != memory.AgentUser && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	own := memory.Crystal{Kind: kindAgents, Text: strings.Join(names, ", "), Origin: memory.OriginUser, SaidAt: tx.Now} // hebb's words need no label
	if len(names) > 1 {                                                                                                 // who reads this knows the one that they use
		list = append(list, entry(own, "Agents", ""))
	}
	if len(payments) > 0 {
		own.Kind, own.Text = kindEconomics, ledgerOf(payments, tx.Now).String()
		list = append(list, entry(own, "Economics", ""))
	}
	return list, errors.Join(err1, err2)
}

// statementsRead are the latest that are read of each sort: preferences, rules, decisions and corrections; facts and goals from prompts;
// preferences of other projects.
const statementsRead = 1000

// Statements are what the person said that holds in a project, or everywhere.
func Statements(ctx context.Context, tx *store.Tx, id memory.ProjectID) (list []Statement, err error) {
	held := store.CrystalFilter{
		Projects: []memory.ProjectID{0, id}, Kinds: []memory.CrystalKind{memory.Preference, memory.Rule, memory.Decision, memory.Correction},
		Origin: memory.OriginUser, Current: true, Living: true, Limit: statementsRead,
	}
	heard, elsewhere := held, held
	heard.Heard, heard.Kinds = true, []memory.CrystalKind{memory.Fact, memory.Intention}
	elsewhere.Projects, elsewhere.Heard, elsewhere.Kinds = nil, true, []memory.CrystalKind{memory.Preference}
	var again []memory.CrystalID
	worked := map[memory.ProjectID]memory.WorkDays{}
	for _, filter := range []store.CrystalFilter{held, heard, elsewhere} {
		kept, err := tx.Crystals(ctx, filter)
		if err != nil {
			return nil, err
		}
		for _, c := range kept {
			here, everywhere := c.Project == 0 || c.Project == id, c.Project == 0 || statements.Follows(c.Crystal)
			other := here == (filter.Projects == nil) || !here && !everywhere
			if other || !statements.IsStatement(c.Crystal) || strings.HasPrefix(c.Source, AdoptedSource) || statements.Over(c.Crystal, tx.Now) {
				continue
			}
			if c.Accesses > 0 { // saying it again is a use
				again = append(again, c.ID)
			}
			in := id
			if c.Project != id {
				in = 0
			}
			if _, known := worked[in]; !known {
				if worked[in], err = tx.WorkDays(ctx, in); err != nil {
					return nil, err
				}
			}
			list = append(list, Statement{Crystal: c.Crystal, Times: 1, Everywhere: everywhere, Worked: worked[in]})
		}
	}
	misses, err := tx.Misses(ctx, again)
	missed := map[memory.CrystalID]int{}
	for _, m := range misses {
		missed[m.Crystal]++
	}
	ids := make([]memory.CrystalID, len(list))
	for i, x := range list {
		ids[i] = x.ID
	}
	answers, failed := tx.Answers(ctx, ids)
	for i, id := range ids {
		list[i].Times += answers[id].Again
		list[i].Missed, list[i].Contradicted = missed[id], answers[id].Contradicted
	}
	return list, errors.Join(err, failed)
}
