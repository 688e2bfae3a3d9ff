package state

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/git"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/texts"
)

const (
	DreamLease   = "dream"
	DreamPatient = 10 * time.Minute
)

// dreamer is what a dream needs of a memory.
type dreamer struct {
	store  *store.Store
	config config.Config
	now    func() time.Time
	search func(context.Context, *store.Tx, texts.SearchInput) (texts.SearchResult, error) // as agents do
	alone  func(ctx context.Context, work func() error) (busy bool, err error)
	record func(ctx context.Context, work func(*record.Recorder) error) error // in one durable transaction
}

func newDreamer(b *brain.Brain) dreamer {
	return dreamer{
		store: b.Store, config: b.Config, now: b.Now,
		search: func(ctx context.Context, tx *store.Tx, in texts.SearchInput) (texts.SearchResult, error) {
			return texts.Search(ctx, b, tx, in)
		},
		alone: func(ctx context.Context, work func() error) (bool, error) {
			return b.Alone(ctx, DreamLease, DreamPatient, work)
		},
		record: func(ctx context.Context, work func(*record.Recorder) error) error {
			return record.Recording(ctx, b, b.Store.UpdateDurable, work)
		},
	}
}

const (
	dreamSessions = 12 // that a dream reads
	DreamFinds    = 30 // results that an agent would be shown for the words of a pointer
)

// material gathers what a dream is made of. What the files of the project say of it was read before the transaction.
func (d dreamer) material(ctx context.Context, tx *store.Tx, id memory.ProjectID, about git.About) (m Material, err error) {
	m.Now = tx.Now
	p, err := tx.Project(ctx, id)
	if err != nil {
		return m, err
	}
	if m.Worked, err = tx.WorkDays(ctx, id); err != nil {
		return m, err
	}
	code := statements.CodeOf(d.config, p, 0)
	if m.Old, _, err = State(ctx, tx, id); err != nil {
		return m, err
	}
	if m.Written, err = WrittenState(ctx, tx, id); err != nil {
		return m, err
	}
	notes, err := tx.WaitingNotes(ctx, 0, id)
	if err != nil {
		return m, err
	}
	noted := map[memory.CrystalID]bool{}
	for _, n := range notes {
		noted[n.Crystal] = true
		m.Notes = append(m.Notes, Note{
			ID: n.Crystal, Text: brain.Harmless(n.Origin, n.Text), Kind: n.Kind, Importance: n.Importance, At: n.At, Origin: n.Origin, Here: n.Project != 0,
		})
	}
	record, err := SeedFact(id).Get(ctx, tx)
	if err != nil {
		return m, err
	}
	kept, err := tx.Crystals(ctx, store.CrystalFilter{Projects: []memory.ProjectID{0, id}, Current: true, Said: true, Limit: goals.DreamCrystals + record.Pieces})
	if err != nil {
		return m, err
	}
	kept = statements.Holding(kept, tx.Now)
	if m.Statements, err = Statements(ctx, tx, id); err != nil {
		return m, err
	}
	m.Statements = slices.DeleteFunc(m.Statements, func(s Statement) bool { return noted[s.ID] })
	if m.Stated, err = stated(ctx, tx, id); err != nil {
		return m, err
	}
	for i := range kept {
		kept[i].Text = brain.Harmless(kept[i].Origin, kept[i].Text)
		kept[i].Origin = brain.Speaker(kept[i].Crystal)
		if at := slices.IndexFunc(m.Notes, func(n Note) bool { return n.ID == kept[i].ID }); at >= 0 {
			m.Notes[at].Origin = kept[i].Origin
		}
	}
	for _, c := range kept {
		switch {
		case !c.Lifecycle.Living(), c.Lifecycle == memory.Frozen: // pins have a slot of their own
		case brain.IsThought(c.Crystal) && c.Source != CompressionSource && c.SaidAt.After(m.Old.Dreamt):
			gone, err := code.GoneIn(ctx, tx, id, c.Text)
			if err != nil {
				return m, err
			}
			if len(gone) == 0 {
				m.Insights = append(m.Insights, c.Crystal)
			}
		case c.Unsure && !noted[c.ID] && c.Origin != memory.OriginUser: // the code it speaks of has changed since
		case strings.HasPrefix(c.Source, AdoptedSource) && !slices.Contains(record.Lines, c.ID): // stands above the state
		case !noted[c.ID] && c.Heard > 0 && c.Origin == memory.OriginUser: // a statement, or not sure enough to be shown
		case !noted[c.ID] && slices.ContainsFunc(m.Statements, func(s Statement) bool { return s.ID == c.ID }):
		case c.Kind == memory.Preference && !noted[c.ID] && c.Project == 0:
			m.Preferences = append(m.Preferences, c.Crystal)
		default:
			m.Crystals = append(m.Crystals, c.Crystal)
		}
	}
	if m.Pointers, err = Pointers(ctx, tx, id); err != nil {
		return m, err
	}
	if err := addPointed(ctx, tx, record, &m); err != nil {
		return m, err
	}
	sessions, err := tx.ShelvedSessions(ctx, id, dreamSessions)
	if err != nil {
		return m, err
	}
	for _, s := range sessions {
		text := func(t string) string { return brain.Harmless(s.SummaryBy, t) }
		m.Sessions = append(m.Sessions, Session{
			At: s.LastEventAt, Happened: text(s.Happened), Learned: text(s.Learned), Next: text(s.Next), Origin: s.SummaryBy,
		})
	}
	m.Project = Surroundings{Is: about.Is, Uses: about.Uses, Built: about.Built, RunsOn: about.RunsOn, Released: about.Released}
	if err := niche(ctx, tx, p, code, &m); err != nil {
		return m, err
	}
	if m.Gaps, err = GapsAmong(ctx, tx, id, kept); err != nil {
		return m, err
	}
	for i, g := range m.Gaps {
		m.Gaps[i].Text = brain.Harmless(g.Origin, g.Text)
	}
	Moments(tx.Now, kept, &m)
	mood, err := desk.Mood(ctx, tx)
	m.Mood = mood.Now(tx.Now)
	m.Finds = func(words string) []memory.CrystalID {
		found, err := d.search(ctx, tx, texts.SearchInput{Scope: brain.Scope{Project: id.String()}, Query: words, Limit: DreamFinds})
		if err != nil {
			return nil // it could not be looked for: then nothing fades, and no pointer goes
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
			if here == (filter.Projects == nil) || !here && !everywhere || !statements.IsStatement(c.Crystal) || strings.HasPrefix(c.Source, AdoptedSource) {
				continue
			}
			if c.Accesses > 0 { // saying it again is a use
				again = append(again, c.ID)
			}
			in := id
			if c.Project != id {
				in = 0
			}
			days, known := worked[in]
			if !known {
				if days, err = tx.WorkDays(ctx, in); err != nil {
					return nil, err
				}
				worked[in] = days
			}
			list = append(list, Statement{Crystal: c.Crystal, Times: 1, Everywhere: everywhere, Worked: days})
		}
	}
	list = slices.DeleteFunc(list, func(x Statement) bool { return statements.Over(x.Crystal, tx.Now) })
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

// addPointed adds the crystals of pointers and of adopted lines: they may be older than all the others, and may come back.
func addPointed(ctx context.Context, tx *store.Tx, record SeedRecord, m *Material) error {
	wanted := slices.Clone(record.Lines)
	for _, p := range m.Pointers {
		wanted = append(wanted, p.Crystals...)
	}
	for _, c := range slices.Concat(m.Crystals, m.Preferences) {
		wanted = slices.DeleteFunc(wanted, func(id memory.CrystalID) bool { return id == c.ID })
	}
	slices.Sort(wanted)
	more, err := crystalsOf(ctx, tx, slices.Compact(wanted))
	m.Crystals = append(m.Crystals, more...)
	if record.At != 0 {
		m.TakesSeeds = SeedOpen(time.UnixMilli(record.At), m.Old.Dreamt)
	}
	return err
}

// WrittenState is the state as hebb last wrote it, before a person changed the file.
func WrittenState(ctx context.Context, tx *store.Tx, id memory.ProjectID) (s Document, err error) {
	states, err := tx.States(ctx, id)
	if err != nil {
		return s, err
	}
	for _, one := range states {
		if one.Refused == "" && one.By != StateByUser {
			return ParseState(one.Text)
		}
	}
	return s, nil
}

// niche is what the project is and where it stands among others: agents, what skills earn.
func niche(ctx context.Context, tx *store.Tx, p memory.Project, code *statements.Code, m *Material) error {
	procedures, err := Habits(ctx, tx, p, code, HabitSessions)
	if err != nil {
		return err
	}
	m.Habits = procedures
	sessions, err := tx.Sessions(ctx, store.SessionFilter{ByAgents: true, Project: p.ID, Limit: 200})
	if err != nil {
		return err
	}
	for _, s := range sessions {
		if name := string(s.Agent); s.Agent != memory.AgentUser && !slices.Contains(m.Agents, name) {
			m.Agents = append(m.Agents, name)
		}
	}
	slices.Sort(m.Agents)
	payments, err := tx.Payments(ctx)
	if err != nil || len(payments) == 0 {
		return err
	}
	m.Ledger = ledgerOf(payments, tx.Now)
	return nil
}

// ledgerOf adds payments up.
func ledgerOf(payments []store.Payment, now time.Time) *Ledger {
	const week = 7 * 24 * time.Hour
	l := &Ledger{}
	earned, buyers := map[string]int64{}, map[string]bool{}
	for _, p := range payments {
		if p.Amount > 0 {
			l.Earned += p.Amount
			earned[p.Skill] += p.Amount
		} else {
			l.Spent -= p.Amount
		}
		if p.Buyer != "" {
			buyers[p.Buyer] = true
		}
		switch age := now.Sub(p.At); {
		case age < week:
			l.Week += p.Amount
		case age < 2*week:
			l.WeekBefore += p.Amount
		}
	}
	for skill, amount := range earned {
		if skill != "" {
			l.Top = append(l.Top, Earner{Skill: skill, Earned: amount})
		}
	}
	slices.SortFunc(l.Top, func(x, y Earner) int {
		return cmp.Or(cmp.Compare(y.Earned, x.Earned), strings.Compare(x.Skill, y.Skill))
	})
	l.Skills, l.Buyers = len(l.Top), len(buyers)
	l.Top = l.Top[:min(len(l.Top), 5)]
	return l
}
