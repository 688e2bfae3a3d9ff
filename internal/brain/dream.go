package brain

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/dream"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/workmem"
)

// Who made a state.
const (
	stateByRules = "rules"
	stateByModel = "llm"
	stateByAgent = "agent"
	stateByUser  = "user"
)

// DreamInput says which project to dream of.
type DreamInput struct {
	Scope
	// Force dreams although it is not due.
	Force bool `json:"force,omitempty"`
	// Dry shows what would come of it, and keeps nothing.
	Dry bool `json:"dry,omitempty"`
	// Rules dream although a language model is configured.
	Rules bool `json:"rules,omitempty"`
}

// DreamResult is what a dream brought about.
type DreamResult struct {
	Run bool   `json:"run"`
	Why string `json:"why"` // it did, or did not
	By  string `json:"by,omitempty"`
	// State is MEMORY.md as it is now.
	State   string `json:"state,omitempty"`
	Notes   int    `json:"notes"`             // taken in
	Waiting int    `json:"waiting,omitempty"` // still
	// Faded are lines that became pointers, Revived those that came back.
	Faded    []string       `json:"faded,omitempty"`
	Revived  []string       `json:"revived,omitempty"`
	Pointers int            `json:"pointers"`
	Products dream.Products `json:"products"`
	// Phases are what was done with crystals.
	Phases   PhaseReport `json:"phases"`
	Shallow  bool        `json:"shallow,omitempty"` // nothing came of it, so nothing was kept
	Warnings []string    `json:"warnings,omitempty"`
}

// Dream rewrites the state of a project from what was noted and happened since. Nothing is lost by it: a note is in the state
// or pointed to before it stops waiting, and a line leaves only when words that find it stand in its place.
var Dream = Operation[DreamInput, DreamResult]{
	Name: "dream", Summary: "Rewrite the state of mind from what was noted and happened",
	Run: func(ctx context.Context, b *Brain, in DreamInput) (DreamResult, error) { return b.dream(ctx, in) },
}

// statesKept are the earlier states of a project that can be brought back, and as many that were refused.
const statesKept = 10

const (
	dreamLease   = "dream"
	dreamPatient = 10 * time.Minute
)

func (b *Brain) dream(ctx context.Context, in DreamInput) (out DreamResult, err error) {
	id, err := viewed(ctx, b, func(tx *store.Tx) (memory.ProjectID, error) {
		id, err := b.resolve(ctx, tx, in.Scope)
		if err == nil && id == 0 {
			err = fmt.Errorf("dream of one project at a time: %w", memory.ErrInvalid)
		}
		if err == nil {
			_, err = tx.Project(ctx, id)
		}
		return id, err
	})
	if err != nil {
		return out, err
	}
	if _, err := b.refreshViews(ctx, []memory.ProjectID{id}); err != nil { // what people wrote comes first
		return out, err
	}
	if b.config.LLM.Provider != "" && !in.Rules && !in.Dry {
		return b.dreamByModel(ctx, id, in)
	}
	busy, err := b.alone(ctx, dreamLease, dreamPatient, func() error {
		out, err = b.dreamByRules(ctx, id, in)
		return err
	})
	if busy {
		out.Why = "another process dreams"
	}
	return out, err
}

// dreamByRules dreams while nobody else does.
func (b *Brain) dreamByRules(ctx context.Context, id memory.ProjectID, in DreamInput) (out DreamResult, err error) {
	due, err := viewed(ctx, b, func(tx *store.Tx) (dream.Decision, error) { return b.dreamDue(ctx, tx, id) })
	if err != nil || !due.Run && !in.Force {
		out.Why = due.Why
		return out, err
	}
	var phases PhaseReport
	if !in.Dry {
		if phases, err = b.phases(ctx, id); err != nil {
			return out, err
		}
	}
	var m dream.Material
	var p dream.Proposal
	err = b.store.View(ctx, func(tx *store.Tx) error {
		if m, err = b.material(ctx, tx, id); err != nil {
			return err
		}
		p = dream.Rewrite(m, b.config.Tuning.Dream)
		out = b.dreamt(m, p, phases)
		return workmem.Judge(m.Old, p.New, m.Sources(), b.config.Tuning.Dream).Err()
	})
	if out.Why = due.Why; in.Force && !due.Run {
		out.Why = "asked for"
	}
	if err != nil || !out.Run || out.Shallow || in.Dry {
		return out, err
	}
	if err := b.keepProposal(ctx, id, p, m.Old, out); err != nil {
		return out, err
	}
	views, err := b.refreshViews(ctx, nil) // also the others: part of the state follows the person
	out.Warnings = append(out.Warnings, views.Warnings...)
	return out, err
}

// dreamt tells what a proposal makes of a state.
func (b *Brain) dreamt(m dream.Material, p dream.Proposal, phases PhaseReport) DreamResult {
	out := DreamResult{
		Run: true, By: stateByRules, State: workmem.RenderState(p.New), Notes: len(p.Represented), Waiting: len(p.Waiting), Faded: p.Faded,
		Revived: p.Revived, Pointers: len(p.Pointers), Products: p.Products(m.Old),
		Phases: phases,
	}
	out.Products.Links = phases.Linked
	out.Shallow = out.Products.Shallow()
	return out
}

// keepProposal puts a new state in place, with the notes it took in, in one transaction.
func (b *Brain) keepProposal(ctx context.Context, id memory.ProjectID, p dream.Proposal, old workmem.State, out DreamResult) error {
	return b.recording(ctx, b.store.UpdateDurable, func(r *recorder) error {
		now, _, err := b.state(ctx, r.tx, id)
		if err != nil {
			return err
		}
		if now != old { // somebody wrote into it while this was dreamt: their words come first, and the next dream knows them
			return fmt.Errorf("the state of %s changed meanwhile: dream once more: %w", id, memory.ErrConflict)
		}
		written, err := b.writtenState(ctx, r.tx, id)
		if err != nil {
			return err
		}
		for _, c := range p.Wanting { // a line that nobody keeps elsewhere can fade only once it is kept
			if slices.Contains(workmem.SplitItems(written.Sections[c.Section]), c.Text) {
				continue // hebb wrote it itself, from what is kept
			}
			if _, err := b.keepLine(ctx, r.tx, id, c); err != nil {
				return err
			}
		}
		if err := b.keepAdopted(ctx, r.tx, id, p.Adopted); err != nil {
			return err
		}
		state, err := b.saveState(ctx, r.tx, id, p.New, out.By)
		if err != nil {
			return err
		}
		for note := range p.Represented {
			if err := r.tx.TakeNote(ctx, note, state); err != nil && !isNotFound(err) { // deleted meanwhile, or dreamt elsewhere
				return err
			}
		}
		return errors.Join(b.savePointers(ctx, r.tx, id, p.Pointers), b.saveSnapshot(ctx, r.tx), logDream(ctx, r.tx, id, out))
	})
}

// keepLine keeps a line of the state as a crystal.
func (b *Brain) keepLine(ctx context.Context, tx *store.Tx, id memory.ProjectID, c workmem.Cut) (RememberResult, error) {
	switch c.Section {
	case workmem.SectionNiche, workmem.SectionGaps, workmem.SectionPointers:
		return RememberResult{}, nil // where things stand, not what was said
	}
	if c.Section.Personal() {
		id = 0
	}
	text := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(scrub.Clean(c.Text)), "- "))
	if text == "" {
		return RememberResult{}, nil
	}
	return b.crystallise(ctx, tx, memory.Crystal{
		Project: id, Kind: memory.Fact, Text: text, Origin: memory.OriginAgent, Source: "MEMORY.md", Lifecycle: memory.Consolidated, SaidAt: tx.Now,
	})
}

// state reads what MEMORY.md of a project says: its own sections, and those that follow the person.
func (b *Brain) state(ctx context.Context, tx *store.Tx, id memory.ProjectID) (s workmem.State, known bool, err error) {
	for _, scope := range []memory.ProjectID{id, 0} {
		text, err := tx.State(ctx, scope)
		if isNotFound(err) {
			continue
		}
		if err != nil {
			return s, known, err
		}
		one, err := workmem.ParseState(text.Text)
		if err != nil {
			return s, known, fmt.Errorf("state of %s: %w: %w", scope, memory.ErrDamaged, err)
		}
		known = true
		if scope == id {
			s = one
		}
		for section := range workmem.SectionCount {
			if scope == 0 && section.Personal() {
				s.Sections[section] = one.Sections[section]
			}
		}
	}
	return s, known, nil
}

// saveState keeps a state: the project's, and what of it follows the person.
func (b *Brain) saveState(ctx context.Context, tx *store.Tx, id memory.ProjectID, s workmem.State, by string) (int64, error) {
	personal := workmem.State{Dreamt: s.Dreamt, Mood: s.Mood}
	for section := range workmem.SectionCount {
		if section.Personal() {
			personal.Sections[section] = s.Sections[section]
		}
	}
	if _, err := tx.AddState(ctx, store.StateText{At: tx.Now, By: by, Text: workmem.RenderState(personal)}, statesKept); err != nil {
		return 0, err
	}
	return tx.AddState(ctx, store.StateText{Project: id, At: tx.Now, By: by, Text: workmem.RenderState(s)}, statesKept)
}

func pointersFact(id memory.ProjectID) string { return "dream/pointers/" + id.String() }

func (b *Brain) savePointers(ctx context.Context, tx *store.Tx, id memory.ProjectID, pointers []dream.Pointer) error {
	data, err := json.Marshal(pointers)
	if err != nil {
		return err
	}
	return tx.SetMeta(ctx, pointersFact(id), string(data))
}

// pointers are those of the last dream, with when what they lead to was last used.
func (b *Brain) pointers(ctx context.Context, tx *store.Tx, id memory.ProjectID) (list []dream.Pointer, err error) {
	text, err := tx.Meta(ctx, pointersFact(id))
	if err != nil || text == "" {
		return nil, err
	}
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		return nil, fmt.Errorf("pointers of %s: %w: %w", id, memory.ErrDamaged, err)
	}
	for i, p := range list {
		for _, c := range p.Crystals {
			one, err := tx.Crystal(ctx, c)
			if isNotFound(err) {
				continue
			}
			if err != nil {
				return nil, err
			}
			if one.LastAt.After(p.Made) && one.LastAt.After(list[i].Used) {
				list[i].Used = one.LastAt
			}
		}
	}
	return list, nil
}

// saveSnapshot keeps what there was at this dream, for urgency counts from here.
func (b *Brain) saveSnapshot(ctx context.Context, tx *store.Tx) error {
	now, err := b.counts(ctx, tx)
	if err != nil {
		return err
	}
	data, err := json.Marshal(snapshot{At: tx.Now.UnixMilli(), Counts: now})
	if err != nil {
		return err
	}
	return tx.SetMeta(ctx, dreamt, string(data))
}

// memoryView is the state of a project as a file.
func (b *Brain) memoryView(folder string, id memory.ProjectID) fileView {
	return fileView{
		name: path.Join(folder, "MEMORY.md"),
		render: func(ctx context.Context, tx *store.Tx) (string, error) {
			s, known, err := b.state(ctx, tx, id)
			if err != nil || !known {
				return "", err
			}
			return workmem.RenderState(s), nil
		},
		takeIn: func(ctx context.Context, r *recorder, base, text string) error {
			s, err := workmem.ParseState(scrub.Clean(text))
			if err != nil {
				return err
			}
			before, err := workmem.ParseState(base)
			if err != nil {
				before = workmem.State{}
			}
			now, _, err := b.state(ctx, r.tx, id)
			if err != nil {
				return err
			}
			for section := range workmem.SectionCount { // a dream may have written since the person opened the file
				s.Sections[section] = mergedItems(before.Sections[section], s.Sections[section], now.Sections[section])
			}
			s.Dreamt, s.Mood = now.Dreamt, now.Mood
			_, err = b.saveState(ctx, r.tx, id, s, stateByUser)
			return err
		},
	}
}

// mergedItems is a section as a person made it of a text they knew, with what the store has gained since: what they added is
// there, what they took out is gone, and what they never saw stays.
func mergedItems(knew, made, now string) string {
	if knew == now || made == now {
		return made
	}
	if made == knew {
		return now
	}
	was, mine := workmem.SplitItems(knew), workmem.SplitItems(made)
	items := slices.Clone(mine)
	for _, item := range workmem.SplitItems(now) {
		if !slices.Contains(was, item) && !slices.Contains(mine, item) {
			items = append(items, item)
		}
	}
	return strings.Join(items, "\n")
}

// dreamDue decides whether a project's state is to be rewritten.
func (b *Brain) dreamDue(ctx context.Context, tx *store.Tx, id memory.ProjectID) (dream.Decision, error) {
	s, known, err := b.state(ctx, tx, id)
	if err != nil {
		return dream.Decision{}, err
	}
	notes, err := tx.WaitingNotes(ctx, id, 0)
	if err != nil {
		return dream.Decision{}, err
	}
	f := dream.Facts{HasState: known && !s.Empty(), LastDream: s.Dreamt, Notes: len(notes), Off: b.config.Dream.Off}
	var text strings.Builder
	for _, n := range notes {
		text.WriteString(n.Text + "\n")
	}
	f.NoteText = text.String()
	if f.Urgency, err = b.urgency(ctx, tx); err != nil {
		return dream.Decision{}, err
	}
	crystals, err := tx.Crystals(ctx, store.CrystalFilter{Projects: []memory.ProjectID{id, 0}, Current: true, Limit: dreamCrystals})
	if err != nil {
		return dream.Decision{}, err
	}
	f.Eligible = len(crystals)
	for _, c := range crystals {
		if c.SaidAt.Truncate(time.Second).After(s.Dreamt) { // the file tells whole seconds
			f.New++
		}
	}
	sessions, err := tx.ShelvedSessions(ctx, id, dreamSessions)
	if err != nil {
		return dream.Decision{}, err
	}
	for _, one := range sessions {
		if one.LastEventAt.After(s.Dreamt) {
			f.New++
		}
	}
	f.Pressure, err = b.pressure(ctx, tx, id, s.Dreamt, notes)
	return dream.Due(f, tx.Now, b.config.Tuning.Dream), err
}

// pressure judges what waits in a project since its last dream.
func (b *Brain) pressure(ctx context.Context, tx *store.Tx, id memory.ProjectID, dreamt time.Time, notes []store.Note) (workmem.Pressure, error) {
	w := workmem.Waiting{Notes: len(notes), Lines: workmem.ScratchLines(workmem.ScratchView(scratchEntries(notes)))}
	if len(notes) > 0 { // without, nothing else counts
		sessions, err := tx.ShelvedSessions(ctx, id, dreamSessions)
		if err != nil {
			return workmem.Pressure{}, err
		}
		for _, s := range sessions {
			if !dreamt.IsZero() && s.LastEventAt.After(dreamt) { // before the first dream there is nothing to count from
				w.Sessions++
			}
		}
		from := tx.Now.Add(-denseWithin)
		if dreamt.After(from) {
			from = dreamt
		}
		since := store.EventFilter{Project: id, Kind: memory.Prompted, Origin: memory.OriginUser, Since: from}
		prompts, err := tx.CountEvents(ctx, since)
		if err != nil {
			return workmem.Pressure{}, err
		}
		w.Prompts, since.Kind, since.Origin = int(prompts), memory.Compacted, ""
		lost, err := tx.CountEvents(ctx, since)
		if err != nil {
			return workmem.Pressure{}, err
		}
		w.Compacted = lost > 0
	}
	return workmem.New(b.config.Tuning.Workmem).Pressure(w), nil
}

const (
	dreamCrystals = 400 // latest that a dream looks at
	dreamSessions = 12
	denseWithin   = 24 * time.Hour // a conversation of yesterday is over
	dreamFinds    = 30             // what an agent would be shown for the words of a pointer
)

// material gathers what a dream is made of.
func (b *Brain) material(ctx context.Context, tx *store.Tx, id memory.ProjectID) (m dream.Material, err error) {
	m.Now = tx.Now
	if m.Old, _, err = b.state(ctx, tx, id); err != nil {
		return m, err
	}
	if m.Written, err = b.writtenState(ctx, tx, id); err != nil {
		return m, err
	}
	notes, err := tx.WaitingNotes(ctx, 0, id)
	if err != nil {
		return m, err
	}
	noted := map[memory.CrystalID]bool{}
	for _, n := range notes {
		noted[n.Crystal] = true
		m.Notes = append(m.Notes, dream.Note{
			ID: n.Crystal, Text: n.Text, Kind: n.Kind, Importance: n.Importance, At: n.At, Origin: n.Origin, Here: n.Project != 0,
		})
	}
	record, err := b.seedRecord(ctx, tx, id)
	if err != nil {
		return m, err
	}
	kept, err := tx.Crystals(ctx, store.CrystalFilter{Projects: []memory.ProjectID{0, id}, Current: true, Limit: dreamCrystals + record.Pieces})
	if err != nil {
		return m, err
	}
	for _, c := range kept {
		switch {
		case !c.Lifecycle.Living(), c.Lifecycle == memory.Frozen: // what is pinned is told as such
		case isThought(c.Crystal) && c.Source != dream.CompressionSource && c.SaidAt.After(m.Old.Dreamt):
			m.Insights = append(m.Insights, c.Crystal)
		case strings.HasPrefix(c.Source, adoptedSource) && !slices.Contains(record.Lines, c.ID): // stands above the state
		case c.Kind == memory.Preference && !noted[c.ID] && c.Project == 0:
			m.Preferences = append(m.Preferences, c.Crystal)
		default:
			m.Crystals = append(m.Crystals, c.Crystal)
		}
	}
	if m.Pointers, err = b.pointers(ctx, tx, id); err != nil {
		return m, err
	}
	if err := errors.Join(b.pointedTo(ctx, tx, &m), b.seeds(ctx, tx, record, &m)); err != nil {
		return m, err
	}
	sessions, err := tx.ShelvedSessions(ctx, id, dreamSessions)
	if err != nil {
		return m, err
	}
	for _, s := range sessions {
		m.Sessions = append(m.Sessions, dream.Session{At: s.LastEventAt, Happened: s.Happened, Learned: s.Learned, Next: s.Next, Origin: s.ToldBy})
	}
	if err := b.niche(ctx, tx, id, &m); err != nil {
		return m, err
	}
	if err := b.openEnds(ctx, tx, id, kept, &m); err != nil {
		return m, err
	}
	if err := b.moments(ctx, tx, id, kept, &m); err != nil {
		return m, err
	}
	rules := workmem.NewMood(b.config.Tuning.Mood)
	mood, err := b.mood(ctx, tx)
	if err != nil {
		return m, err
	}
	mood = rules.Now(mood, tx.Now)
	m.Mood = dream.Mood{Words: rules.Words(mood), Reward: mood.Reward, Stress: mood.Stress, Bond: mood.Bond}
	m.Finds = func(words string) []memory.CrystalID {
		found, err := b.search(ctx, tx, SearchInput{Scope: Scope{Project: id.String()}, Query: words, Limit: dreamFinds})
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
	return m, nil
}

// pointedTo adds the memories behind pointers: they may be older than all the others, and may come back.
func (b *Brain) pointedTo(ctx context.Context, tx *store.Tx, m *dream.Material) error {
	known := map[memory.CrystalID]bool{}
	for _, c := range slices.Concat(m.Crystals, m.Preferences) {
		known[c.ID] = true
	}
	for _, p := range m.Pointers {
		for _, id := range p.Crystals {
			if known[id] {
				continue
			}
			known[id] = true
			c, err := tx.Crystal(ctx, id)
			if isNotFound(err) {
				continue
			}
			if err != nil {
				return err
			}
			m.Crystals = append(m.Crystals, c.Crystal)
		}
	}
	return nil
}

// writtenState is the state as hebb last wrote it, before a person changed the file.
func (b *Brain) writtenState(ctx context.Context, tx *store.Tx, id memory.ProjectID) (s workmem.State, err error) {
	states, err := tx.States(ctx, id)
	if err != nil {
		return s, err
	}
	for _, one := range states {
		if one.Refused == "" && one.By != stateByUser {
			return workmem.ParseState(one.Text)
		}
	}
	return s, nil
}

// niche is where the work stands among others: projects, agents, what skills earn.
func (b *Brain) niche(ctx context.Context, tx *store.Tx, id memory.ProjectID, m *dream.Material) error {
	projects, err := tx.Projects(ctx)
	if err != nil {
		return err
	}
	if b.config.Store != "" { // one schema is one team (docs/adr/0006)
		m.Team = []string{"everybody who shares this store"}
		if b.config.Schema != "" {
			m.Team[0] += " (schema " + b.config.Schema + ")"
		}
	}
	slices.SortFunc(projects, func(x, y memory.Project) int { return y.LastAt.Compare(x.LastAt) })
	for _, p := range projects[:min(len(projects), 8)] {
		m.Projects = append(m.Projects, p.Name)
	}
	sessions, err := tx.Sessions(ctx, store.SessionFilter{Project: id, Limit: 200})
	if err != nil {
		return err
	}
	for _, s := range sessions {
		if name := string(s.Agent); s.Agent != memory.AgentUser && !slices.Contains(m.Agents, name) {
			m.Agents = append(m.Agents, name)
		}
	}
	slices.Sort(m.Agents)
	payments, err := tx.Payments(ctx, time.Time{})
	if err != nil || len(payments) == 0 {
		return err
	}
	m.Ledger = ledgerOf(payments, tx.Now)
	return nil
}

// ledgerOf adds payments up.
func ledgerOf(payments []store.Payment, now time.Time) *dream.Ledger {
	const week = 7 * 24 * time.Hour
	l := &dream.Ledger{}
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
			l.Top = append(l.Top, dream.Earner{Skill: skill, Earned: amount})
		}
	}
	slices.SortFunc(l.Top, func(x, y dream.Earner) int {
		if x.Earned != y.Earned {
			return compareDown(float64(x.Earned), float64(y.Earned))
		}
		return strings.Compare(x.Skill, y.Skill)
	})
	l.Skills, l.Buyers = len(l.Top), len(buyers)
	l.Top = l.Top[:min(len(l.Top), 5)]
	return l
}
