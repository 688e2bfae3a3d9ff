package statements

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/lines"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

// WithoutProof are the lines, also those that are over, which a session proved and what is left of it does not, or which say what is
// forgotten, with those that took their place in other words. whole says that nothing is left.
func WithoutProof(ctx context.Context, tx *store.Tx, of memory.Session, gone func(memory.StoredEvent) bool) (lost []memory.Crystal, whole bool, err error) {
	found, err1 := tx.Crystals(ctx, store.CrystalFilter{Projects: []memory.ProjectID{of.Project}, Lines: true})
	events, err2 := tx.Events(ctx, store.EventFilter{Session: of.ID})
	slices.Reverse(events)
	before, left := material{whole: map[string]bool{}}, material{whole: map[string]bool{}}
	before.turns(events)
	forgotten := " "
	events = slices.DeleteFunc(events, func(e memory.StoredEvent) bool {
		if !gone(e) {
			return false
		}
		forgotten += strings.Join(brain.PlainWords(e.Text+" "+e.Input), " ") + " "
		return true
	})
	left.turns(events)
	// proven reports whether the words that prove a line are left. Some stand only in the agent's own transcript, in a turn that is left.
	proven := func(l memory.Line) bool {
		if _, stood := before.session.Find(l.Quote); stood {
			_, stands := left.session.Find(l.Quote)
			return stands
		}
		turns := before.session.Turns
		return l.Turn > 0 && l.Turn <= len(turns) && slices.ContainsFunc(left.session.Turns, func(t lines.Turn) bool {
			return t.At.Equal(turns[l.Turn-1].At) && t.Prompt == turns[l.Turn-1].Prompt
		})
	}
	is := map[memory.CrystalID]bool{}
	lose := func(c memory.Crystal) {
		lost, is[c.ID] = append(lost, c), true
		forgotten += strings.Join(brain.PlainWords(c.Text), " ") + " "
	}
	for _, c := range found {
		if c.Line != nil && c.Session == of.ID && (!proven(*c.Line) || brain.Quotes(brain.PlainWords(c.Text), forgotten)) {
			lose(c.Crystal)
		}
	}
	for again := true; again; {
		again = false
		for _, c := range found {
			follows := slices.ContainsFunc(c.Parents, func(id memory.CrystalID) bool { return is[id] })
			if c.Line != nil && !is[c.ID] && follows && brain.Quotes(brain.PlainWords(c.Text), forgotten) {
				lose(c.Crystal)
				again = true
			}
		}
	}
	return lost, len(events) == 0, errors.Join(err1, err2)
}

// Unread makes a session that is forgotten one that the scribe never read: what it ended holds again, no line was seen again in it, no change
// names it.
func Unread(ctx context.Context, tx *store.Tx, project memory.ProjectID, session memory.SessionID) error {
	list, err := lineChanges(project).Get(ctx, tx)
	for i, c := range list {
		if c.Session == session && !c.Undone {
			list[i].Undone = true
			err = errors.Join(err, takeBack(ctx, tx, c, list))
		}
	}
	progress, err1 := scribeProgressOf(project).Get(ctx, tx)
	found, err2 := tx.Crystals(ctx, store.CrystalFilter{Projects: []memory.ProjectID{project}, Lines: true})
	if err := errors.Join(err, err1, err2); err != nil {
		return err
	}
	if len(list) > 0 {
		list = slices.DeleteFunc(list, func(c LineChange) bool { return c.Session == session })
		err = errors.Join(err, lineChanges(project).Set(ctx, tx, list))
	}
	if len(progress.Read) > 0 {
		progress.Read = slices.DeleteFunc(progress.Read, func(r sessionRead) bool { return r.Session == session })
		err = errors.Join(err, scribeProgressOf(project).Set(ctx, tx, progress))
	}
	h := lineHistory{map[memory.CrystalID]memory.Crystal{}, map[memory.CrystalID][]store.Trace{}}
	for _, c := range found {
		traces, failed := tx.Traces(ctx, c.ID)
		err = errors.Join(err, failed)
		h.lines[c.ID], h.traces[c.ID] = c.Crystal, traces
	}
	for id, c := range h.lines {
		bore := map[string]bool{}
		h.boreOut(id, bore)
		if bore[session.String()] && c.Line != nil && c.Session != session { // else it goes with its proof
			delete(bore, session.String())
			line := *c.Line
			line.Seen, line.SeenAt = max(len(bore), 1), c.SaidAt
			for name := range bore {
				other, failed := memory.ParseSessionID(name)
				if s, none := tx.Session(ctx, other); failed == nil && none == nil && s.LastEventAt.After(line.SeenAt) {
					line.SeenAt = s.LastEventAt
				}
			}
			c.Line = &line
			err = errors.Join(err, tx.SaveCrystal(ctx, c))
		}
		if slices.ContainsFunc(h.traces[id], func(t store.Trace) bool { return t.Detail == session.String() }) {
			err = errors.Join(err, tx.DropTraces(ctx, id, session.String()))
		}
	}
	return err
}

// lineHistory are the lines of a project with what happened to them.
type lineHistory struct {
	lines  map[memory.CrystalID]memory.Crystal
	traces map[memory.CrystalID][]store.Trace
}

// boreOut adds the sessions that bore out a line, or one whose place it took.
func (h lineHistory) boreOut(id memory.CrystalID, sessions map[string]bool) {
	c := h.lines[id]
	if c.Session != 0 {
		sessions[c.Session.String()] = true
	}
	for _, t := range h.traces[id] {
		if t.What == traceSeen {
			sessions[t.Detail] = true
		}
	}
	for _, old := range c.Parents {
		replaced := func(t store.Trace) bool { return t.What == TraceSuperseded && t.Detail == string(id) }
		if old < id && slices.ContainsFunc(h.traces[old], replaced) {
			h.boreOut(old, sessions)
		}
	}
}

// UnnoteLine takes a line that is forgotten out of what the scribe changed.
func UnnoteLine(ctx context.Context, tx *store.Tx, c memory.Crystal) error {
	if c.Line == nil {
		return nil
	}
	list, err := lineChanges(c.Project).Get(ctx, tx)
	if err != nil || len(list) == 0 {
		return err
	}
	for i := range list {
		for _, r := range list[i].Replaced {
			switch c.ID {
			case r.Old:
				list[i].Added = append(list[i].Added, r.New)
			case r.New:
				list[i].Retired = append(list[i].Retired, r.Old)
			}
		}
		for _, ids := range []*[]memory.CrystalID{&list[i].Added, &list[i].Retired, &list[i].Aside, &list[i].Again, &list[i].Waiting} {
			*ids = slices.DeleteFunc(*ids, func(id memory.CrystalID) bool { return id == c.ID })
		}
		list[i].Replaced = slices.DeleteFunc(list[i].Replaced, func(r ReplacedLine) bool { return r.Old == c.ID || r.New == c.ID })
	}
	return lineChanges(c.Project).Set(ctx, tx, list)
}

// ForgetScribe forgets what the scribe read and changed in a project.
func ForgetScribe(ctx context.Context, tx *store.Tx, id memory.ProjectID) error {
	return errors.Join(lineChanges(id).Clear(ctx, tx), linesLooked(id).Clear(ctx, tx), scribeProgressOf(id).Clear(ctx, tx))
}
