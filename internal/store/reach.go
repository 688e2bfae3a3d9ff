package store

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/store/db"
)

// Reach is what some events of a project may have had a part in teaching. Figures outside it do not depend on them.
type Reach struct {
	// Whole says that it is the whole project: commits rename, and what they suggest is measured against each other.
	Whole bool
	// Sessions are those in which the events were seen.
	Sessions map[memory.SessionID]bool
	// Neurons were met or shown in those sessions, or by the events themselves, under all names that a rename gave them.
	Neurons map[memory.NeuronID]bool
	// Clock is how many sessions the project had closed.
	Clock int64
}

// Add makes a reach one of more events.
func (r *Reach) Add(more *Reach) {
	r.Whole = r.Whole || more.Whole
	maps.Copy(r.Sessions, more.Sessions)
	maps.Copy(r.Neurons, more.Neurons)
}

// teaches is the condition that an event may have taught something about neurons and links. Prompts and answers do not.
const teaches = `(event.kind IN ('` + string(memory.ToolUsed) + `', '` + string(memory.ToolFailed) + `', '` + string(memory.Suggested) + `', '` +
	string(memory.Resolved) + `', '` + string(memory.SessionEnded) + `', '` + string(memory.Committed) + `')
	OR EXISTS (SELECT 1 FROM access WHERE access.event_seq = event.seq))`

// ReachOf returns the reach of the events that a filter chooses, by project. Ask before they are forgotten.
func (tx *Tx) ReachOf(ctx context.Context, f EventFilter) (map[memory.ProjectID]*Reach, error) {
	projects, err := tx.ProjectsOf(ctx, f)
	if err != nil {
		return nil, err
	}
	found := map[memory.ProjectID]*Reach{}
	for _, id := range projects {
		p, err := tx.Project(ctx, id)
		if err != nil {
			return nil, err
		}
		f.Project = id
		r := &Reach{Sessions: map[memory.SessionID]bool{}, Neurons: map[memory.NeuronID]bool{}, Clock: p.Clock}
		if err := tx.reach(ctx, f, r); err != nil {
			return nil, fmt.Errorf("reach of events in %s: %w", id, err)
		}
		found[id] = r
	}
	return found, nil
}

func (tx *Tx) reach(ctx context.Context, f EventFilter, r *Reach) error {
	w := f.where()
	chosen := ` FROM event` + w.String() + ` AND ` + teaches
	err := tx.db.Each(ctx, `SELECT DISTINCT COALESCE(session_id, 0), CASE WHEN kind = '`+string(memory.Committed)+`' THEN 1 ELSE 0 END`+chosen, w.Args,
		func(rows *sql.Rows) error {
			var session, commit int64
			err := rows.Scan(&session, &commit)
			r.Whole = r.Whole || commit == 1
			if session != 0 {
				r.Sessions[memory.SessionID(session)] = true
			}
			return err
		})
	if err != nil || r.Whole {
		return err
	}
	if err := tx.addNeurons(ctx, r, `SELECT DISTINCT neuron_id FROM access WHERE event_seq IN (SELECT seq`+chosen+`)`, w.Args); err != nil {
		return err
	}
	for some := range slices.Chunk(slices.Sorted(maps.Keys(r.Sessions)), db.AtOnce) {
		in, args := db.List(some)
		for _, query := range []string{
			`SELECT DISTINCT access.neuron_id FROM event JOIN access ON access.event_seq = event.seq WHERE event.session_id IN ` + in,
			`SELECT DISTINCT neuron_id FROM suggestion WHERE neuron_id <> 0 AND session_id IN ` + in,
		} {
			if err := tx.addNeurons(ctx, r, query, args); err != nil {
				return err
			}
		}
	}
	return tx.addNames(ctx, f.Project, r)
}

func (tx *Tx) addNeurons(ctx context.Context, r *Reach, query string, args []any) error {
	ids, err := tx.db.Ids(ctx, query, args)
	for _, id := range ids {
		r.Neurons[memory.NeuronID(id)] = true
	}
	return err
}

// addNames adds what renames made of the files of a reach, and what they were before: a rename hands over what was learned.
func (tx *Tx) addNames(ctx context.Context, project memory.ProjectID, r *Reach) error {
	var renames []plasticity.Pair
	err := tx.db.Each(ctx, `SELECT access.neuron_id, access.old_path FROM event JOIN access ON access.event_seq = event.seq
		WHERE event.project_id = ? AND event.kind = ? AND access.kind = ?`,
		[]any{int64(project), string(memory.Committed), string(memory.Rename)}, func(rows *sql.Rows) error {
			var to memory.NeuronID
			var from string
			err := rows.Scan((*int64)(&to), &from)
			renames = append(renames, plasticity.Pair{memory.NewNeuronID(project, memory.FileNeuron, from), to})
			return err
		})
	for more := true; more && err == nil; {
		more = false
		for _, p := range renames {
			if r.Neurons[p[0]] != r.Neurons[p[1]] {
				r.Neurons[p[0]], r.Neurons[p[1]], more = true, true, true
			}
		}
	}
	return err
}

// CountTogetherWithin is CountTogether for the links within a reach.
func (tx *Tx) CountTogetherWithin(ctx context.Context, session memory.SessionID, r *Reach) error {
	pairs, err := tx.pairsWithin(ctx, r, `SELECT a, b FROM synapse WHERE `+metTogether, []any{int64(session), int64(session)})
	if err == nil {
		err = tx.execPairs(ctx, `UPDATE synapse SET co_sessions = co_sessions + 1, checksum = (checksum + ?) % ? WHERE (a, b) IN `, pairs,
			int64(db.CountedStep), int64(db.ChecksumRange))
	}
	return db.Wrap(err, "count what session %s met together", session)
}

// UnlearnSessions removes which errors sessions met, and what they were shown.
func (tx *Tx) UnlearnSessions(ctx context.Context, sessions []memory.SessionID) error {
	in, args := db.List(sessions)
	if _, err := tx.db.Exec(ctx, `DELETE FROM suggestion WHERE session_id IN `+in, args...); err != nil {
		return fmt.Errorf("unlearn sessions: %w", err)
	}
	met := `access WHERE kind = '` + string(errorAccess) + `' AND event_seq IN (SELECT seq FROM event WHERE session_id IN ` + in + `)`
	ids, err := tx.db.Ids(ctx, `SELECT DISTINCT neuron_id FROM `+met, args)
	if err == nil {
		_, err = tx.db.Exec(ctx, `DELETE FROM `+met, args...)
	}
	for _, id := range ids {
		if err == nil {
			_, err = tx.recountNeuron(ctx, id)
		}
	}
	return db.Wrap(err, "unlearn sessions")
}

// seeded is the condition that only commits or the source text suggest a link.
const seeded = `origin IN ('` + string(memory.OriginRepo) + `', '` + string(memory.OriginImport) + `')`

// ReachedLinks are the links of a reach: those within it, and those out of it that no event has met, which sleep found in what
// happened at about the same time.
type ReachedLinks struct {
	Taught []plasticity.Pair // by sessions or by sleep
	Seeded []plasticity.Pair // suggested by commits or the source text
	Gone   []plasticity.Pair // that sleep forgot and that could be brought back
}

// LinksWithin returns the links of a reach.
func (tx *Tx) LinksWithin(ctx context.Context, r *Reach) (found ReachedLinks, err error) {
	for some := range slices.Chunk(slices.Sorted(maps.Keys(r.Neurons)), db.AtOnce) {
		in, args := db.List(some)
		lone, err := tx.pairs(ctx, `SELECT a, b FROM synapse WHERE (a IN `+in+` OR b IN `+in+`) AND co_accesses = 0 AND NOT `+seeded,
			append(slices.Clone(args), args...))
		if err != nil {
			return found, fmt.Errorf("links of a reach: %w", err)
		}
		found.Taught = append(found.Taught, lone...) // some of them twice
		for _, s := range []struct {
			into *[]plasticity.Pair
			find string
		}{
			{&found.Taught, `synapse WHERE NOT ` + seeded}, {&found.Seeded, `synapse WHERE ` + seeded}, {&found.Gone, `forgotten WHERE data <> '' AND b <> 0`},
		} {
			pairs, err := tx.pairsWithin(ctx, r, `SELECT a, b FROM `+s.find+` AND a IN `+in, args)
			if err != nil {
				return found, fmt.Errorf("links of a reach: %w", err)
			}
			*s.into = append(*s.into, pairs...)
		}
	}
	return found, nil
}

// UnlearnLinks deletes links that sessions taught.
func (tx *Tx) UnlearnLinks(ctx context.Context, taught []plasticity.Pair) error {
	less := map[memory.NeuronID]int64{}
	there, err := tx.SynapsesOf(ctx, taught)
	for p := range there {
		less[p[0]]--
		less[p[1]]--
	}
	if err == nil {
		err = tx.execPairs(ctx, deleteSynapses, taught)
	}
	if err == nil {
		err = tx.countLinks(ctx, less)
	}
	return db.Wrap(err, "unlearn links")
}

// UnlearnTogether takes back in how many sessions links were met. Their weights stay: no session taught them.
func (tx *Tx) UnlearnTogether(ctx context.Context, seeded []plasticity.Pair) error {
	there, err := tx.SynapsesOf(ctx, seeded)
	if err != nil {
		return err
	}
	var changed []Synapse
	for _, s := range there {
		if s.CoSessions != 0 {
			s.CoSessions = 0
			changed = append(changed, s)
		}
	}
	return tx.SaveSynapses(ctx, changed)
}

// UnlearnGone makes sure that links which sleep forgot are not brought back; they stay known as forgotten.
func (tx *Tx) UnlearnGone(ctx context.Context, gone []plasticity.Pair) error {
	err := tx.execPairs(ctx, `UPDATE forgotten SET data = '' WHERE (a, b) IN `, gone)
	return db.Wrap(err, "unlearn links")
}

// UnlearnNeurons makes neurons as if never met, but for their counts and links.
func (tx *Tx) UnlearnNeurons(ctx context.Context, ids []memory.NeuronID) error {
	in, args := db.List(ids)
	for _, statement := range []string{
		`DELETE FROM forgotten WHERE b = 0 AND a IN `, `UPDATE neuron SET ` + unmet + ` WHERE id IN `, coolFiles + ` WHERE neuron_id IN `,
	} {
		if _, err := tx.db.Exec(ctx, statement+in, args...); err != nil {
			return fmt.Errorf("unlearn neurons: %w", err)
		}
	}
	_, err := tx.db.Rehash(ctx, checkedHeat, `neuron_id IN `+in, args...)
	return err
}

// pairsWithin reads pairs and keeps those both of whose ends lie within a reach.
func (tx *Tx) pairsWithin(ctx context.Context, r *Reach, query string, args []any) ([]plasticity.Pair, error) {
	all, err := tx.pairs(ctx, query, args)
	return slices.DeleteFunc(all, func(p plasticity.Pair) bool { return !r.Neurons[p[0]] || !r.Neurons[p[1]] }), err
}

func (tx *Tx) pairs(ctx context.Context, query string, args []any) (pairs []plasticity.Pair, err error) {
	err = tx.db.Each(ctx, query, args, db.Collect(&pairs, func(p *plasticity.Pair) []any { return []any{(*int64)(&p[0]), (*int64)(&p[1])} }))
	return pairs, err
}

// deleteSynapses deletes links, and leaves it to the caller to count them off their ends.
const deleteSynapses = `DELETE FROM synapse WHERE (a, b) IN `

// execPairs runs a statement that ends in IN for pairs, after its other parameters.
func (tx *Tx) execPairs(ctx context.Context, statement string, pairs []plasticity.Pair, before ...any) error {
	for some := range slices.Chunk(pairs, pairsAtOnce) {
		in, args := listedPairs(some)
		if _, err := tx.db.Exec(ctx, statement+in, append(slices.Clone(before), args...)...); err != nil {
			return err
		}
	}
	return nil
}
