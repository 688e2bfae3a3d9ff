package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

// Damage is one thing that is not as it was written.
type Damage struct {
	Where string `json:"where"`
	What  string `json:"what"`
}

// CheckEngine asks the database itself for damage. On a large store it takes seconds.
func (s *Store) CheckEngine(ctx context.Context) ([]Damage, error) {
	findings, err := s.engine.Check(ctx)
	if err != nil {
		return nil, fmt.Errorf("check database: %w", s.engine.Explain(err))
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
	seen := map[memory.SessionID]figures{}
	err = tx.walkEvents(ctx, func(r Numbered) error {
		rows++
		seen[r.Session] = seen[r.Session].with(r.At)
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
	neurons, err := tx.checkNeurons(ctx, report)
	if err != nil {
		return rows, damage, err
	}
	synapses, err := tx.checkSynapses(ctx, report)
	if err != nil {
		return rows, damage, err
	}
	texts, err := tx.checkTexts(ctx, report)
	if err != nil {
		return rows, damage, err
	}
	checked, err := tx.checkChecksums(ctx, report)
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

func (tx *Tx) checkNeurons(ctx context.Context, report func(where, what string)) (n int64, err error) {
	err = tx.each(ctx, `SELECT neuron.id, neuron.project_id, neuron.kind, neuron.key, accesses, first_at, last_at, links,
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
	return n, wrap(err, "check neurons")
}

// checkSynapses looks at what a synapse joins. Its figures are covered by its checksum.
func (tx *Tx) checkSynapses(ctx context.Context, report func(where, what string)) (n int64, err error) {
	err = tx.each(ctx, `SELECT a, b, synapse.project_id, COALESCE(one.project_id, 0), COALESCE(other.project_id, 0)
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
	return n, wrap(err, "check synapses")
}

// checkTexts looks at what documents and crystals say, and at how often which words are counted.
func (tx *Tx) checkTexts(ctx context.Context, report func(where, what string)) (n int64, err error) {
	counted := tally{words: map[int64]int64{}}
	for after, full := int64(0), true; full; {
		var docs []Document
		var hashes []int64
		err := tx.each(ctx, `SELECT `+documentColumns+`, hash FROM document WHERE id > ? ORDER BY id LIMIT ?`, []any{after, walkPage},
			func(rows *sql.Rows) error {
				var hash int64
				err := scanDocument(&docs, &hash)(rows)
				hashes = append(hashes, hash)
				return err
			})
		if err != nil {
			return n, fmt.Errorf("check documents: %w", err)
		}
		for i, d := range docs {
			n++
			after = d.ID
			counted.count(d.Words, 1)
			if d.hash() != hashes[i] {
				report("document "+d.Ref, "content does not match its hash")
			}
		}
		full = len(docs) == walkPage
	}
	if err := tx.checkWords(ctx, counted, report); err != nil {
		return n, fmt.Errorf("check words: %w", err)
	}
	err = tx.each(ctx, `SELECT crystal.id, crystal.kind, crystal.hash, document.project_id, document.kind, document.text
		FROM crystal LEFT JOIN document ON document.id = crystal.document_id ORDER BY crystal.id`, nil, func(rows *sql.Rows) error {
		var c memory.Crystal
		var hash int64
		var project sql.NullInt64
		var kind, text sql.NullString
		err := rows.Scan(&c.ID, &c.Kind, &hash, &project, &kind, &text)
		n++
		c.Project, c.Text = memory.ProjectID(project.Int64), text.String
		switch {
		case !text.Valid:
			report("crystal "+string(c.ID), "its document is missing")
		case c.Hash() != hash || kind.String != string(c.Kind):
			report("crystal "+string(c.ID), "content does not match its hash")
		}
		return err
	})
	return n, wrap(err, "check crystals")
}

func (tx *Tx) checkWords(ctx context.Context, want tally, report func(where, what string)) error {
	wrong := 0
	err := tx.each(ctx, `SELECT word, docs FROM term ORDER BY word`, nil, func(rows *sql.Rows) error {
		var word, docs int64
		err := rows.Scan(&word, &docs)
		if want.words[word] != docs {
			wrong++
		}
		delete(want.words, word)
		return err
	})
	if err != nil {
		return err
	}
	if wrong += len(want.words); wrong > 0 {
		report("words", fmt.Sprintf("%d are not counted as often as documents have them", wrong))
	}
	have, err := tx.Frequency(ctx, nil)
	if err == nil && (have.Documents != want.docs || have.Words != want.length) {
		report("words", fmt.Sprintf("counts %d words in %d documents, %d in %d are stored", have.Words, have.Documents, want.length, want.docs))
	}
	return err
}
