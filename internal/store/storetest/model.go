package storetest

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/store"
)

// model is a store in the plainest form: the events as they came, what people and closings said, and what was learned.
// Every figure is counted from them when it is asked for.
type model struct {
	events []memory.Event
	// met and shown are the events whose error and whose line are kept: until they are unlearned.
	met, shown map[memory.EventID]bool
	synapses   map[[2]memory.NeuronID]store.Synapse
	blocks     map[memory.ProjectID]block        // one of each project
	gone       map[[2]memory.NeuronID]store.Gone // links that sleep forgot

	tombs  map[memory.EventID]bool
	closed map[memory.SessionID]time.Time
	ticked map[memory.SessionID]bool
	named  map[memory.ProjectID]memory.Project // stay without events too, and keep their dates then
	meta   map[string]string
}

func newModel() *model {
	return &model{
		tombs: map[memory.EventID]bool{}, closed: map[memory.SessionID]time.Time{}, ticked: map[memory.SessionID]bool{},
		named: map[memory.ProjectID]memory.Project{}, meta: map[string]string{},
		met: map[memory.EventID]bool{}, shown: map[memory.EventID]bool{},
		synapses: map[[2]memory.NeuronID]store.Synapse{}, blocks: map[memory.ProjectID]block{},
		gone: map[[2]memory.NeuronID]store.Gone{},
	}
}

func (m *model) record(e memory.Event) {
	if m.known(e.ID) {
		return
	}
	m.events = append(m.events, e)
	if named, ok := m.named[e.Place.Project()]; ok {
		named.FirstAt, named.LastAt = earlier(named.FirstAt, e.At), later(named.LastAt, e.At)
		m.named[named.ID] = named
	}
	m.met[e.ID] = e.Kind == memory.ToolFailed
	m.shown[e.ID] = e.Kind == memory.Suggested
}

func (m *model) unlearn(project memory.ProjectID) {
	for _, e := range m.events {
		if e.Place.Project() == project {
			delete(m.met, e.ID)
			delete(m.shown, e.ID)
		}
	}
	maps.DeleteFunc(m.synapses, func(_ [2]memory.NeuronID, s store.Synapse) bool { return s.Project == project })
	delete(m.blocks, project)
	maps.DeleteFunc(m.gone, func(_ [2]memory.NeuronID, g store.Gone) bool { return g.Project == project })
}

func (m *model) known(id memory.EventID) bool {
	return m.tombs[id] || slices.ContainsFunc(m.events, func(e memory.Event) bool { return e.ID == id })
}

func (m *model) forget(f store.EventFilter) {
	known := m.allNeurons()
	touched := map[memory.ProjectID]bool{} // the projects that lose an event
	m.events = slices.DeleteFunc(m.events, func(e memory.Event) bool {
		if chosenBy(f, e) {
			m.tombs[e.ID], touched[e.Place.Project()] = true, true
			return true
		}
		return false
	})
	alive := m.sessions()
	for id := range m.ticked {
		if _, ok := alive[id]; !ok {
			delete(m.ticked, id)
			delete(m.closed, id)
		}
	}
	for id, left := range m.seen() {
		if named, ok := m.named[id]; ok && touched[id] {
			named.FirstAt, named.LastAt = left.FirstAt, left.LastAt
			m.named[id] = named
		}
	}
	projects := m.projects()
	maps.DeleteFunc(m.blocks, func(id memory.ProjectID, _ block) bool { _, ok := projects[id]; return !ok })
	maps.DeleteFunc(m.synapses, func(ends [2]memory.NeuronID, s store.Synapse) bool {
		left := m.neurons(s.Project)
		_, a := left[ends[0]]
		_, b := left[ends[1]]
		return !a || !b
	})
	left := m.allNeurons()
	maps.DeleteFunc(m.gone, func(ends [2]memory.NeuronID, g store.Gone) bool {
		_, ok := projects[g.Project]
		return !ok || known[ends[0]] && !left[ends[0]] || known[ends[1]] && !left[ends[1]]
	})
}

// allNeurons are those of all projects.
func (m *model) allNeurons() map[memory.NeuronID]bool {
	all := map[memory.NeuronID]bool{}
	for project := range m.projects() {
		for id := range m.neurons(project) {
			all[id] = true
		}
	}
	return all
}

func (m *model) sessions() map[memory.SessionID]memory.Session {
	all := map[memory.SessionID]memory.Session{}
	for _, e := range m.events {
		if e.AgentSession == "" {
			continue
		}
		id := sessionOf(e)
		s, ok := all[id]
		if !ok {
			s = memory.Session{ID: id, Project: e.Place.Project(), Agent: e.Agent, AgentSession: e.AgentSession, OpenedAt: e.At, LastEventAt: e.At}
		}
		s.Events++
		s.OpenedAt, s.LastEventAt = earlier(s.OpenedAt, e.At), later(s.LastEventAt, e.At)
		s.ClosedAt, s.Ticked = m.closed[id], m.ticked[id]
		if !s.Open() {
			s.CloseReason = memory.ClosedByAgent
		}
		all[id] = s
	}
	return all
}

// seen are the projects of the events.
func (m *model) seen() map[memory.ProjectID]memory.Project {
	all := map[memory.ProjectID]memory.Project{}
	for _, e := range m.events {
		seen := projectAt(e.Place, e.At)
		p, ok := all[seen.ID]
		if !ok {
			p = seen
		}
		p.FirstAt, p.LastAt = earlier(p.FirstAt, e.At), later(p.LastAt, e.At)
		all[p.ID] = p
	}
	return all
}

func (m *model) projects() map[memory.ProjectID]memory.Project {
	all := m.seen()
	maps.Copy(all, m.named)
	for id, s := range m.sessions() {
		if m.ticked[id] {
			p := all[s.Project]
			p.Clock++
			all[s.Project] = p
		}
	}
	return all
}

func (m *model) neurons(project memory.ProjectID) map[memory.NeuronID]store.Strength {
	all := map[memory.NeuronID]store.Strength{}
	meet := func(at time.Time, kind memory.NeuronKind, key string) {
		id := memory.NewNeuronID(project, kind, key)
		n, ok := all[id]
		if !ok {
			n = newborn(memory.Neuron{ID: id, Project: project, Kind: kind, Key: key, FirstAt: at, LastAt: at})
		}
		n.Accesses++
		n.FirstAt, n.LastAt = earlier(n.FirstAt, at), later(n.LastAt, at)
		all[id] = n
	}
	for _, e := range m.events {
		if e.Place.Project() != project {
			continue
		}
		for _, touch := range e.Touches {
			meet(e.At, memory.FileNeuron, touch.Path)
		}
		if m.met[e.ID] {
			meet(e.At, memory.ErrorNeuron, errorOf(e))
		}
	}
	for ends := range m.synapses {
		for _, id := range ends {
			if n, ok := all[id]; ok {
				n.Links++
				all[id] = n
			}
		}
	}
	return all
}

// contents is what contents says of the store.
func (m *model) contents(t *testing.T) (lines []string) {
	t.Helper()
	add := func(v any) {
		text := must.Get(json.Marshal(v))(t)
		lines = append(lines, string(text))
	}
	projects := slices.SortedFunc(maps.Values(m.projects()), func(a, b memory.Project) int { return strings.Compare(a.Identity, b.Identity) })
	for _, p := range projects {
		add(p)
		for _, n := range slices.SortedFunc(maps.Values(m.neurons(p.ID)), byName) {
			add(n)
		}
		if b, ok := m.blocks[p.ID]; ok {
			add(b)
		}
	}
	for _, s := range slices.SortedFunc(maps.Values(m.synapses), byEnds) {
		add(s)
	}
	var shown []memory.Suggestion
	for _, e := range m.events {
		if m.shown[e.ID] {
			shown = append(shown, lineOf(e))
		}
	}
	slices.SortFunc(shown, func(a, b memory.Suggestion) int { return strings.Compare(a.ID, b.ID) })
	for _, s := range shown {
		add(s)
	}
	for _, s := range slices.SortedFunc(maps.Values(m.sessions()), func(a, b memory.Session) int { return strings.Compare(a.ID.String(), b.ID.String()) }) {
		add(s)
	}
	rank := map[memory.SessionID]int64{}
	for _, e := range m.events {
		stored := memory.StoredEvent{Event: e, Project: e.Place.Project()}
		stored.Place = memory.Place{}
		if e.AgentSession != "" {
			stored.Session = sessionOf(e)
			rank[stored.Session]++
			stored.Ord = rank[stored.Session]
		}
		add(stored)
	}
	return lines
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

var modelCases = []contractCase{
	{"random operations do to the store what they do to a plain model", func(t *testing.T, h *home) {
		const steps = 120
		w := &walk{t: t, h: h, r: seed(t), model: newModel()}
		w.reopen()
		for n := range steps {
			what := w.step()
			if n%10 == 9 || n == steps-1 {
				same(t, fmt.Sprintf("step %d, %s", n, what), contents(t, w.store), w.model.contents(t))
				w.compareMeta()
				expectGone(t, w.store, store.GoneFilter{}, slices.SortedFunc(maps.Values(w.model.gone), byPair)...)
			}
		}
	}},
}

// walk takes one random step after another, on the store and on the model.
type walk struct {
	t     *testing.T
	h     *home
	r     *rand.Rand
	store *store.Store
	model *model
	drawn []memory.Event
}

func (w *walk) reopen() {
	w.t.Helper()
	if w.store != nil {
		must.Do(w.t, w.store.Close())
	}
	w.store = w.h.open()
}

func (w *walk) step() (what string) {
	w.t.Helper()
	switch n := w.r.IntN(28); {
	case n < 9 || len(w.drawn) == 0:
		return w.record(someEvents(w.r, 1+w.r.IntN(3)))
	case n < 11:
		return w.record([]memory.Event{pick(w.r, w.drawn)}) // met before
	case n < 13:
		return w.undone()
	case n < 15:
		return w.close()
	case n < 16:
		return w.name()
	case n < 18:
		return w.forget()
	case n < 19:
		w.reopen()
		return "reopen"
	case n < 22:
		return w.wire()
	case n < 23:
		return w.block()
	case n < 24:
		return w.unlearn()
	case n < 27:
		return w.letGo()
	}
	name, value := fmt.Sprint("meta ", w.r.IntN(3)), fmt.Sprint(w.r.IntN(100))
	update(w.t, w.store, func(tx *store.Tx) error { return store.NewFact[string](name).Set(w.t.Context(), tx, value) })
	w.model.meta[name] = value
	return "meta"
}

func (w *walk) record(events []memory.Event) string {
	w.t.Helper()
	w.drawn = append(w.drawn, events...)
	commit := w.store.Update
	if w.r.IntN(4) == 0 {
		commit = w.store.UpdateDurable
	}
	must.Do(w.t, commit(w.t.Context(), func(tx *store.Tx) error {
		for _, e := range events {
			seq, err := record(w.t.Context(), tx, e)
			if err != nil {
				return err
			}
			if known := w.model.known(e.ID); (seq != 0) == known {
				w.t.Errorf("event %s: number %d, the model knows it: %v", e.ID, seq, known)
			}
		}
		return nil
	}))
	for _, e := range events {
		w.model.record(e)
	}
	return "record"
}

// undone makes changes and takes them back.
func (w *walk) undone() string {
	w.t.Helper()
	err := w.store.Update(w.t.Context(), func(tx *store.Tx) error {
		for _, e := range someEvents(w.r, 3) {
			if _, err := record(w.t.Context(), tx, e); err != nil {
				return err
			}
		}
		if _, _, err := tx.Forget(w.t.Context(), store.EventFilter{Since: start.Add(-time.Hour)}); err != nil {
			return err
		}
		return errOnPurpose
	})
	if err == nil || err.Error() != errOnPurpose.Error() {
		w.t.Fatalf("undone: %v", err)
	}
	return "undone"
}

// close closes a session, or opens it again; its first closing moves the project's clock.
func (w *walk) close() string {
	w.t.Helper()
	sessions := w.model.sessions()
	if len(sessions) == 0 {
		return "close nothing"
	}
	ids := slices.Sorted(maps.Keys(sessions))
	id := pick(w.r, ids)
	update(w.t, w.store, func(tx *store.Tx) error {
		s, err := tx.Session(w.t.Context(), id)
		if err != nil {
			return err
		}
		if !s.Open() {
			s.ClosedAt, s.CloseReason = time.Time{}, ""
			return tx.SaveSession(w.t.Context(), s)
		}
		s.ClosedAt, s.CloseReason = tx.Now, memory.ClosedByAgent
		if !s.Ticked {
			s.Ticked = true
			if err := tx.TickProject(w.t.Context(), s.Project); err != nil {
				return err
			}
		}
		return tx.SaveSession(w.t.Context(), s)
	})
	if _, ok := w.model.closed[id]; ok {
		delete(w.model.closed, id)
		return "reopen session"
	}
	w.model.closed[id], w.model.ticked[id] = start, true
	return "close session"
}

func (w *walk) name() string {
	w.t.Helper()
	projects := w.model.projects()
	if len(projects) == 0 {
		return "name nothing"
	}
	p := projects[pick(w.r, slices.Sorted(maps.Keys(projects)))]
	p.Name, p.Tagged, p.Clock = fmt.Sprint("name ", p.ID), true, 0
	update(w.t, w.store, func(tx *store.Tx) error { return tx.NameProject(w.t.Context(), p.ID, p.Name) })
	w.model.named[p.ID] = p
	return "name project"
}

// wire links neurons of a project at random, or changes their links.
func (w *walk) wire() string {
	w.t.Helper()
	project := pick(w.r, w.drawn).Place.Project()
	known := slices.SortedFunc(maps.Values(w.model.neurons(project)), byName)
	if len(known) < 2 {
		return "wire nothing"
	}
	for range 5 {
		one, other := pick(w.r, known), pick(w.r, known)
		if one.ID == other.ID {
			continue
		}
		s := store.NewSynapse(project, pick(w.r, memory.Origins), one.ID, other.ID)
		s.Link = someLink(w.r)
		update(w.t, w.store, func(tx *store.Tx) error { return wire(w.t.Context(), tx, s) })
		w.model.synapses[[2]memory.NeuronID{s.A, s.B}] = s
	}
	return "wire"
}

// letGo lets some links go, or brings one back.
func (w *walk) letGo() string {
	w.t.Helper()
	for range 3 {
		links := slices.SortedFunc(maps.Values(w.model.synapses), byEnds)
		if len(links) == 0 {
			return "let nothing go"
		}
		link := pick(w.r, links)
		gone := goneOf(link, plasticity.Noise, w.r.Int64N(9))
		gone.At = start
		update(w.t, w.store, func(tx *store.Tx) error { return tx.Prune(w.t.Context(), gone) })
		delete(w.model.synapses, [2]memory.NeuronID{link.A, link.B})
		w.model.gone[[2]memory.NeuronID{link.A, link.B}] = gone
	}
	back := pick(w.r, slices.SortedFunc(maps.Values(w.model.gone), byPair))
	ends := [2]memory.NeuronID{back.A, back.B}
	if _, anew := w.model.synapses[ends]; anew || back.Synapse == nil {
		return "forget"
	}
	update(w.t, w.store, func(tx *store.Tx) error {
		if err := tx.SaveSynapses(w.t.Context(), []store.Synapse{*back.Synapse}); err != nil {
			return err
		}
		return tx.Linked(w.t.Context(), plasticity.Pair(ends))
	})
	w.model.synapses[ends] = *back.Synapse
	delete(w.model.gone, ends)
	return "forget and bring back"
}

// block saves the one block of a project once more.
func (w *walk) block() string {
	w.t.Helper()
	projects := w.model.projects()
	if len(projects) == 0 {
		return "no block"
	}
	id := pick(w.r, slices.Sorted(maps.Keys(projects)))
	b := block{
		BlockVersion: store.BlockVersion{Kind: 1, Number: 2, Version: w.model.blocks[id].Version + 1},
		Data:         fmt.Append(nil, w.r.Uint64()),
	}
	update(w.t, w.store, func(tx *store.Tx) error {
		version, err := tx.SaveBlock(w.t.Context(), id, b.Kind, b.Number, b.Data)
		if version != b.Version {
			w.t.Errorf("block saved as version %d, want %d", version, b.Version)
		}
		return err
	})
	w.model.blocks[id] = b
	return "block"
}

func (w *walk) unlearn() string {
	w.t.Helper()
	project := pick(w.r, w.drawn).Place.Project()
	w.h.unlearn(w.t, w.store, project)
	w.model.unlearn(project)
	return "unlearn"
}

func (w *walk) forget() string {
	w.t.Helper()
	e := pick(w.r, w.drawn)
	f := pick(w.r, []store.EventFilter{
		{ID: e.ID}, {Origin: e.Origin, Project: e.Place.Project()}, {Kind: e.Kind}, {Since: e.At.Add(20 * time.Hour)},
		{Session: sessionOf(e)},
	})
	forget(w.t, w.store, f)
	w.model.forget(f)
	return fmt.Sprintf("forget %+v", f)
}

func (w *walk) compareMeta() {
	w.t.Helper()
	view(w.t, w.store, func(tx *store.Tx) error {
		for name, want := range w.model.meta {
			got, err := store.NewFact[string](name).Get(w.t.Context(), tx)
			if err != nil {
				return err
			}
			if got != want {
				w.t.Errorf("meta %s is %q, want %q", name, got, want)
			}
		}
		tombs, err := tx.Tombstones(w.t.Context())
		if len(tombs) != len(w.model.tombs) {
			w.t.Errorf("%d tombstones, want %d", len(tombs), len(w.model.tombs))
		}
		return err
	})
}
