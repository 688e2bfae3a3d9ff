package store

import (
	"context"
	"database/sql"
	"fmt"
	"hash/crc32"
	"math"
	"strings"
)

// checkedTable is a table whose rows carry a checksum. Whoever changes such a row writes its checksum in the same transaction:
// with the row where all values are at hand (checksum), else afterwards (rehash).
type checkedTable struct {
	name    string
	key     int      // how many first columns name a row
	columns []string // that the checksum covers; others are compared with the rows they are taken from
	// counted is a column that statements count up in place: it adds countedStep to the checksum for each one.
	counted string

	insert, put string // statements
}

func checkedColumns(name string, key int, columns string) *checkedTable {
	t := &checkedTable{name: name, key: key, columns: strings.Fields(columns)}
	t.insert = `INSERT INTO ` + name + ` (` + strings.Join(t.columns, `, `) + `, checksum) VALUES ` + marks(len(t.columns)+1) +
		` ON CONFLICT (` + strings.Join(t.columns[:key], `, `) + `) DO `
	t.put = t.insert + `UPDATE SET checksum = excluded.checksum`
	for _, c := range t.columns[key:] {
		t.put += `, ` + c + ` = excluded.` + c
	}
	t.insert += `NOTHING`
	return t
}

// insert adds a row with its checksum, given the values of all columns; one that is there stays as it is. It returns how many were added.
func (tx *Tx) insert(ctx context.Context, t *checkedTable, values ...any) (int64, error) {
	return tx.exec(ctx, t.insert, append(values, checksum(values...))...)
}

// put adds a row with its checksum, given the values of all columns, or replaces the one that is there.
func (tx *Tx) put(ctx context.Context, t *checkedTable, values ...any) error {
	_, err := tx.exec(ctx, t.put, append(values, checksum(values...))...)
	return err
}

var (
	checkedSession = checkedColumns("session", 1, `id project_id agent agent_session closed_at close_reason recovered ticked intent by_hand
		happened learned next told_by told_at`)
	checkedSynapse = &checkedTable{name: "synapse", key: 2, counted: "co_sessions", columns: strings.Fields(
		`a b project_id origin ab ba co_accesses tagged_at last_at last_event session_id session_gain day day_gain`)}
	checkedBlock      = checkedColumns("block", 3, `project_id kind number version data`)
	checkedSuggestion = checkedColumns("suggestion", 1, `id event_seq n project_id session_id neuron_id kind path score confidence reason tokens held
		shown_at outcome settled_at`)
	checkedHeat    = checkedColumns("heat", 1, `neuron_id project_id heat touches last_at session_id summary summary_by note note_by note_at`)
	checkedCrystal = checkedColumns("crystal", 1, `id document_id kind subject importance valence lifecycle source parents said_at valid_to last_at accesses
		gap_hours unsure hash`)
	checkedAnchor      = checkedColumns("anchor", 3, `crystal_id path symbol project_id commit_id hash`)
	checkedEntity      = checkedColumns("entity", 2, `project_id name type origin created_at`)
	checkedObservation = checkedColumns("observation", 3, `project_id entity hash text origin confidence said_at valid_to`)
	checkedRelation    = checkedColumns("relation", 4, `project_id source type target created_at`)
	checkedPin         = checkedColumns("pin", 1, `crystal_id project_id normal title reason at`)
	checkedPage        = checkedColumns("page", 1, `name text by at`)
	checkedView        = checkedColumns("view", 1, `name text at`)
	checkedNote        = checkedColumns("note", 1, `crystal_id project_id importance at state_id`)
	checkedState       = checkedColumns("state", 1, `id project_id at by text refused`)
	checkedMood        = checkedColumns("mood", 5, `at reward stress bond why`)
	checkedLedger      = checkedColumns("ledger", 1, `id at amount skill buyer note`)
	checkedGoal        = checkedColumns("goal", 1, `id project_id status data`)
	checkedConnection  = checkedColumns("connection", 1, `id project_id goal_id at strength keys why outcome data`)

	checkedTables = []*checkedTable{
		checkedSession, checkedSynapse, checkedBlock, checkedSuggestion, checkedHeat, checkedCrystal, checkedAnchor, checkedEntity,
		checkedObservation, checkedRelation, checkedPin, checkedPage, checkedView, checkedNote, checkedState, checkedMood, checkedLedger,
		checkedGoal, checkedConnection,
	}
)

// A checksum has 62 bits, so that SQL can add to it without overflow.
const (
	checksumRange = 1 << 62
	countedStep   = 0x2545f4914f6cdd1d & (checksumRange - 1) // odd: no count gives the checksum of another
)

// castagnoli is computed by hardware and finds every change of up to 32 bits in a row. The table is made at first use: at package
// initialisation every hook would pay for it.
func castagnoli(text []byte) uint64 {
	return uint64(crc32.Checksum(text, crc32.MakeTable(crc32.Castagnoli)))
}

// checksum is that of a row whose columns have these values, which are those a statement takes or a row returns.
func checksum(values ...any) int64 {
	h := uint64(14695981039346656037) // FNV-1a over words of 64 bits
	add := func(v uint64) {
		h = (h ^ v) * 1099511628211
		h ^= h >> 29
	}
	for _, v := range values {
		switch v := v.(type) {
		case nil:
			add(1)
		case int:
			add(2)
			add(uint64(v))
		case int64:
			add(2)
			add(uint64(v))
		case float64:
			add(3)
			if v != 0 { // databases keep no negative zero
				add(math.Float64bits(v))
			}
		case string:
			add(4)
			add(uint64(len(v))<<32 | castagnoli([]byte(v)))
		case []byte:
			add(5)
			add(uint64(len(v))<<32 | castagnoli(v))
		default:
			panic(fmt.Sprintf("checksum of a %T", v)) // no column has this type
		}
	}
	return int64(h % checksumRange)
}

// counting is checksum for a table with a counted column.
func counting(count int64, values ...any) int64 {
	return int64((uint64(checksum(values...)) + uint64(count)*countedStep) % checksumRange)
}

// checkedRow is a row of a checked table as it stands in the database.
type checkedRow struct {
	values []any
	count  int64
	stored int64
}

func (r checkedRow) checksum() int64 { return counting(r.count, r.values...) }

func (t *checkedTable) eachRow(ctx context.Context, tx *Tx, condition string, args []any, yield func(checkedRow) error) error {
	counted := t.counted
	if counted == "" {
		counted = "0"
	}
	query := `SELECT checksum, ` + counted + `, ` + strings.Join(t.columns, `, `) + ` FROM ` + t.name + condition
	return tx.each(ctx, query, args, func(rows *sql.Rows) error {
		r := checkedRow{values: make([]any, len(t.columns))}
		into := []any{&r.stored, &r.count}
		for i := range r.values {
			into = append(into, &r.values[i])
		}
		if err := rows.Scan(into...); err != nil {
			return err
		}
		return yield(r)
	})
}

// rehash writes the checksums of the rows that a condition chooses, and returns these rows.
func (tx *Tx) rehash(ctx context.Context, t *checkedTable, condition string, args ...any) (rows []checkedRow, err error) {
	err = t.eachRow(ctx, tx, ` WHERE `+condition, args, func(r checkedRow) error {
		rows = append(rows, r)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("checksums of %s: %w", t.name, err)
	}
	update := `UPDATE ` + t.name + ` SET checksum = ? WHERE ` + strings.Join(t.columns[:t.key], ` = ? AND `) + ` = ?`
	for _, r := range rows {
		if _, err := tx.exec(ctx, update, append([]any{r.checksum()}, r.values[:t.key]...)...); err != nil {
			return nil, fmt.Errorf("checksum of %s: %w", t.name, err)
		}
	}
	return rows, nil
}

// rehashed ends a write: it adds the checksums of the rows that were written, unless that failed.
func (tx *Tx) rehashed(ctx context.Context, failed error, t *checkedTable, condition string, args ...any) error {
	if failed != nil {
		return failed
	}
	_, err := tx.rehash(ctx, t, condition, args...)
	return err
}

// checkChecksums compares every checked row with its checksum.
func (tx *Tx) checkChecksums(ctx context.Context, report func(where, what string)) (n int64, err error) {
	for _, t := range checkedTables {
		err := t.eachRow(ctx, tx, ` ORDER BY `+strings.Join(t.columns[:t.key], `, `), nil, func(r checkedRow) error {
			n++
			if r.stored != r.checksum() {
				report(t.nameOf(r), "content does not match its checksum")
			}
			return nil
		})
		if err != nil {
			return n, fmt.Errorf("check %s: %w", t.name, err)
		}
	}
	return n, nil
}

// nameOf names a row for people.
func (t *checkedTable) nameOf(r checkedRow) string {
	parts := []string{t.name}
	for _, v := range r.values[:min(t.key, 3)] {
		if id, ok := v.(int64); ok && t.key > 1 {
			v = fmt.Sprintf("%x", uint64(id))
		}
		parts = append(parts, fmt.Sprint(v))
	}
	return strings.Join(parts, " ")
}
