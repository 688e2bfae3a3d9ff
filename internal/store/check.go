package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store/db"
	"github.com/hebb-memory/hebb/internal/store/text"
)

// Damage is one thing that is not as it was written.
type Damage struct {
	Where string `json:"where"`
	What  string `json:"what"`
}

// CheckEngine asks the database itself for damage. On a large store it takes seconds.
func (s *Store) CheckEngine(ctx context.Context) ([]Damage, error) {
	findings, err := s.client.Check(ctx)
	if err != nil {
		return nil, fmt.Errorf("check database: %w", s.client.Explain(err))
	}
	var damage []Damage
	for _, f := range findings {
		damage = append(damage, Damage{Where: "database", What: f})
	}
	return damage, nil
}

// CheckRows recomputes every fingerprint and every count: what a row says must match the hash it carries, an ID must
// match the thing it names, a figure must match the rows it was taken from. A database's own check misses a flipped byte
// inside a text; this does not.
func (tx *Tx) CheckRows(ctx context.Context) (rows int64, damage []Damage, err error) {
	report := func(where, what string) { damage = append(damage, Damage{Where: where, What: what}) }
	seen, packed := map[memory.SessionID]figures{}, map[memory.NeuronID]figures{}
	err = tx.walkEvents(ctx, func(r Numbered) error {
		rows++
		seen[r.Session] = seen[r.Session].with(r.At)
		if r.packed {
			for _, t := range r.Touches {
				id := memory.NewNeuronID(r.Project, memory.FileNeuron, t.Path)
				packed[id] = packed[id].with(r.At)
			}
		}
		if r.Hash() != r.hash {
			report("event "+string(r.ID), "content does not match its hash")
		}
		return nil
	})
	if err != nil {
		return rows, damage, err
	}
	sessions, err := tx.Sessions(ctx, SessionFilter{})
	if err != nil {
		return rows, damage, err
	}
	ticks := map[memory.ProjectID]int64{}
	for _, s := range sessions {
		rows++
		if s.Ticked {
			ticks[s.Project]++
		}
		if memory.NewSessionID(s.Agent, s.AgentSession, s.Project) != s.ID {
			report("session "+s.ID.String(), "agent, run and project do not match its ID")
		}
		f := seen[s.ID]
		if s.Events != f.events {
			report("session "+s.ID.String(), fmt.Sprintf("counts %d events, %d are stored", s.Events, f.events))
		}
		if f.events > 0 && (!s.OpenedAt.Equal(f.first) || !s.LastEventAt.Equal(f.last)) {
			report("session "+s.ID.String(), "beginning and last event are not those of its events")
		}
	}
	projects, err := tx.Projects(ctx)
	if err != nil {
		return rows, damage, err
	}
	for _, p := range projects {
		rows++
		if memory.NewProjectID(p.Identity) != p.ID {
			report("project "+p.ID.String(), "identity does not match its ID")
		}
		if p.Clock != ticks[p.ID] {
			report("project "+p.ID.String(), fmt.Sprintf("clock stands at %d, %d sessions have moved it", p.Clock, ticks[p.ID]))
		}
	}
	neurons, err := tx.checkNeurons(ctx, packed, report)
	if err != nil {
		return rows, damage, err
	}
	synapses, err := tx.checkSynapses(ctx, report)
	if err != nil {
		return rows, damage, err
	}
	texts, err := tx.CheckTexts(ctx, report)
	if err != nil {
		return rows, damage, err
	}
	checked, err := tx.db.CheckChecksums(ctx, slices.Concat(checkedTables, text.Tables), report)
	return rows + neurons + synapses + texts + checked, damage, err
}

// figures are what the events of a session add up to.
type figures struct {
	events      int64
	first, last time.Time
}

func (f figures) with(at time.Time) figures {
	if f.events == 0 || at.Before(f.first) {
		f.first = at
	}
	if f.events == 0 || at.After(f.last) {
		f.last = at
	}
	f.events++
	return f
}

// checkNeurons compares neurons with their accesses; those of packed calls have no rows.
func (tx *Tx) checkNeurons(ctx context.Context, packed map[memory.NeuronID]figures, report func(where, what string)) (n int64, err error) {
	err = tx.db.Each(ctx, `SELECT neuron.id, neuron.project_id, neuron.kind, neuron.key, accesses, first_at, last_at, links,
			COUNT(access.n), COALESCE(MIN(event.at), 0), COALESCE(MAX(event.at), 0),
			(SELECT COUNT(*) FROM synapse WHERE a = neuron.id) + (SELECT COUNT(*) FROM synapse WHERE b = neuron.id)
		FROM neuron LEFT JOIN access ON access.neuron_id = neuron.id LEFT JOIN event ON event.seq = access.event_seq
		GROUP BY neuron.id ORDER BY neuron.id`, nil, func(rows *sql.Rows) error {
		var neuron memory.Neuron
		var first, last, counted, earliest, latest, links int64
		err := rows.Scan((*int64)(&neuron.ID), (*int64)(&neuron.Project), &neuron.Kind, &neuron.Key, &neuron.Accesses,
			&first, &last, &neuron.Links, &counted, &earliest, &latest, &links)
		if err != nil {
			return err
		}
		n++
		if f, some := packed[neuron.ID]; some {
			if counted == 0 || db.Millis(f.first) < earliest {
				earliest = db.Millis(f.first)
			}
			counted, latest = counted+f.events, max(latest, db.Millis(f.last))
		}
		if memory.NewNeuronID(neuron.Project, neuron.Kind, neuron.Key) != neuron.ID {
			report("neuron "+neuron.ID.String(), "project, kind and key do not match its ID")
		}
		if counted != neuron.Accesses {
			report("neuron "+neuron.ID.String(), fmt.Sprintf("counts %d accesses, %d are stored", neuron.Accesses, counted))
		}
		if counted > 0 && (first != earliest || last != latest) {
			report("neuron "+neuron.ID.String(), "first and last access are not those of its events")
		}
		if links != neuron.Links {
			report("neuron "+neuron.ID.String(), fmt.Sprintf("counts %d links, %d are stored", neuron.Links, links))
		}
		return nil
	})
	return n, db.Wrap(err, "check neurons")
}

// checkSynapses looks at what a synapse joins. Its figures can be made again.
func (tx *Tx) checkSynapses(ctx context.Context, report func(where, what string)) (n int64, err error) {
	err = tx.db.Each(ctx, `SELECT a, b, synapse.project_id, COALESCE(one.project_id, 0), COALESCE(other.project_id, 0)
		FROM synapse LEFT JOIN neuron AS one ON one.id = a LEFT JOIN neuron AS other ON other.id = b
		ORDER BY a, b`, nil, func(rows *sql.Rows) error {
		var a, b memory.NeuronID
		var project, one, other int64
		if err := rows.Scan((*int64)(&a), (*int64)(&b), &project, &one, &other); err != nil {
			return err
		}
		n++
		name := "synapse " + a.String() + "–" + b.String()
		if a >= b {
			report(name, "its ends are not in order")
		}
		if one != project || other != project {
			report(name, "its ends are not both in its project")
		}
		return nil
	})
	return n, db.Wrap(err, "check synapses")
}
