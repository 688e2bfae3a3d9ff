package store

import (
	"bytes"
	"cmp"
	"compress/flate"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store/db"
)

// A pack holds tool calls of a session that ended long ago: an eighth of the space of their rows and of the entries of indexes. Nothing of them is
// lost: what reads a whole session or all events reads packs too, and whatever changes events of a project unpacks them first. Rows stay
// for what others refer to: calls that met an error, the changes that fixed one, and calls with texts or suggestions.

// packedCall is a call in a pack. Numbers and times are differences to the call before.
type packedCall struct {
	Seq      int64            `json:"s"`
	Ord      int64            `json:"o"`
	At       int64            `json:"t"`
	ID       memory.EventID   `json:"i"`
	Kind     memory.EventKind `json:"k,omitempty"` // empty: the tool succeeded
	Origin   memory.Origin    `json:"g,omitempty"` // empty: hebb saw it itself
	Subagent string           `json:"a,omitempty"`
	Tool     string           `json:"n,omitempty"`
	Input    string           `json:"c,omitempty"`
	Text     string           `json:"x,omitempty"`
	Bytes    *int64           `json:"b,omitempty"`
	Command  int64            `json:"h,omitempty"`
	Touches  [][]string       `json:"f,omitempty"` // kind, path and, of a rename, the old path
}

func encodePack(calls []Numbered) ([]byte, error) {
	list := make([]packedCall, len(calls))
	var before packedCall
	for i, e := range calls {
		c := packedCall{
			Seq: e.Seq, Ord: e.Ord, At: db.Millis(e.At), ID: e.ID, Kind: e.Kind, Origin: e.Origin, Subagent: e.Subagent, Tool: e.Tool, Input: e.Input,
			Text: e.Text, Bytes: e.ResultBytes, Command: e.command,
		}
		if c.Kind == memory.ToolUsed {
			c.Kind = ""
		}
		if c.Origin == memory.OriginTool {
			c.Origin = ""
		}
		for _, t := range e.Touches {
			touch := []string{string(t.Kind), t.Path}
			if t.From != "" {
				touch = append(touch, t.From)
			}
			c.Touches = append(c.Touches, touch)
		}
		now := c
		c.Seq, c.Ord, c.At = c.Seq-before.Seq, c.Ord-before.Ord, c.At-before.At
		list[i], before = c, now
	}
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.BestCompression)
	if err != nil {
		return nil, err
	}
	err = errors.Join(json.NewEncoder(w).Encode(list), w.Close())
	return out.Bytes(), err
}

func decodePack(data []byte, of Numbered) (calls []Numbered, err error) {
	text, err := io.ReadAll(flate.NewReader(bytes.NewReader(data)))
	var list []packedCall
	if err == nil {
		err = json.Unmarshal(text, &list)
	}
	at := int64(0)
	for _, c := range list {
		of.Seq, of.Ord, at = of.Seq+c.Seq, of.Ord+c.Ord, at+c.At
		e := of
		e.At, e.ID, e.Kind, e.Origin = db.FromMillis(at), c.ID, cmp.Or(c.Kind, memory.ToolUsed), cmp.Or(c.Origin, memory.OriginTool)
		e.Subagent, e.Tool, e.Input, e.Text, e.ResultBytes, e.command = c.Subagent, c.Tool, c.Input, c.Text, c.Bytes, c.Command
		for _, t := range c.Touches {
			if len(t) < 2 {
				return nil, errors.New("a touch without a path")
			}
			touch := memory.Touch{Kind: memory.TouchKind(t[0]), Path: t[1]}
			if len(t) > 2 {
				touch.From = t[2]
			}
			e.Touches = append(e.Touches, touch)
		}
		e.hash = e.Hash()
		calls = append(calls, e)
	}
	return calls, err
}

// packs reads the packs that a condition chooses.
func (tx *Tx) packs(ctx context.Context, condition string, args ...any) (calls []Numbered, sessions []int64, err error) {
	err = tx.db.Each(ctx, `SELECT session_id, pack.project_id, agent, agent_session, data FROM pack JOIN session ON session.id = session_id WHERE `+condition, args,
		func(rows *sql.Rows) error {
			of := Numbered{packed: true}
			var data sql.RawBytes
			if err := rows.Scan((*int64)(&of.Session), (*int64)(&of.Project), &of.Agent, &of.AgentSession, &data); err != nil {
				return err
			}
			some, err := decodePack(data, of)
			calls, sessions = append(calls, some...), append(sessions, int64(of.Session))
			return db.Wrap(err, "packed calls of session %s", of.Session)
		})
	return calls, sessions, err
}

// packed are the packed calls of a session, in order.
func (tx *Tx) packed(ctx context.Context, session memory.SessionID) ([]Numbered, error) {
	calls, _, err := tx.packs(ctx, `session_id = ?`, int64(session))
	return calls, err
}

// packedAfter is how old an event is before anybody looks for it in a pack: recording a new one must not cost a look.
const packedAfter = 24 * time.Hour

// InPack reports whether an event is among the packed calls of its session.
func (tx *Tx) InPack(ctx context.Context, e memory.StoredEvent) (bool, error) {
	if e.Session == 0 || tx.Now.Sub(e.At) < packedAfter || !isCall(e.Kind) {
		return false, nil
	}
	if tx.calls.ids == nil || tx.calls.session != e.Session {
		calls, err := tx.packed(ctx, e.Session)
		if err != nil {
			return false, err
		}
		tx.calls = packedIDs{e.Session, map[memory.EventID]bool{}}
		for _, c := range calls {
			tx.calls.ids[c.ID] = true
		}
	}
	return tx.calls.ids[e.ID], nil
}

// packedIDs are the IDs of the packed calls of a session.
type packedIDs struct {
	session memory.SessionID
	ids     map[memory.EventID]bool
}

// KnownEvent reports whether an event is already stored, also in a pack, or was forgotten on purpose.
func (tx *Tx) KnownEvent(ctx context.Context, e memory.StoredEvent) (bool, error) {
	known, err := tx.Known(ctx, e.ID)
	if err != nil || known {
		return known, err
	}
	return tx.InPack(ctx, e)
}

// Packable returns the closed sessions of a project whose last event lies at a time or later and before another, the oldest first.
func (tx *Tx) Packable(ctx context.Context, project memory.ProjectID, from, before time.Time, most int) ([]memory.Session, error) {
	return tx.sessions(ctx, `SELECT `+sessionColumns+` FROM session WHERE project_id = ? AND last_event_at >= ? AND last_event_at < ? AND closed_at IS NOT NULL
		ORDER BY last_event_at, id LIMIT ?`, int64(project), db.Millis(from), db.Millis(before), most)
}

// packableCalls chooses the calls of a session that nothing refers to and that met no error.
const packableCalls = ` WHERE session_id = ? AND kind IN (` + toolKinds + `) AND ahead IS NULL AND NOT EXISTS (SELECT 1 FROM suggestion WHERE suggestion.event_seq = event.seq)
	AND NOT EXISTS (SELECT 1 FROM document WHERE document.event_seq = event.seq)
	AND NOT EXISTS (SELECT 1 FROM access WHERE access.event_seq = event.seq AND access.kind = '` + string(errorAccess) + `') ORDER BY ord, seq`

// Pack packs the calls of a session, with those of an earlier pack, and returns how many rows of events went.
func (tx *Tx) Pack(ctx context.Context, session memory.SessionID) (int64, error) {
	tx.calls = packedIDs{}
	calls, err := tx.eventRows(ctx, packableCalls, int64(session))
	if err == nil && len(calls) > 0 {
		err = tx.loadTouchesOf(ctx, ` WHERE session_id = ?`, []any{int64(session)}, calls)
	}
	fixing, failed := tx.fixing(ctx, session)
	if err = errors.Join(err, failed); err != nil {
		return 0, db.Wrap(err, "pack session %s", session)
	}
	calls = slices.DeleteFunc(calls, func(e Numbered) bool {
		edits := slices.ContainsFunc(e.Touches, func(t memory.Touch) bool { return t.Kind == memory.Edit })
		return edits && slices.ContainsFunc(fixing, func(between [2]int64) bool { return between[0] < e.Ord && e.Ord < between[1] })
	})
	if len(calls) == 0 {
		return 0, nil
	}
	seqs := make([]int64, len(calls))
	for i, e := range calls {
		seqs[i] = e.Seq
	}
	earlier, err := tx.packed(ctx, session)
	if err != nil {
		return 0, err
	}
	all := append(earlier, calls...)
	slices.SortFunc(all, bySeq)
	data, err := encodePack(all)
	if err == nil {
		err = tx.db.Put(ctx, checkedPack, int64(session), int64(all[0].Project), all[0].Seq, len(all), data)
	}
	for some := range slices.Chunk(seqs, db.AtOnce) {
		if err == nil {
			err = tx.deleteIn(ctx, some, "access WHERE event_seq", "event WHERE seq")
		}
	}
	return int64(len(seqs)), db.Wrap(err, "pack session %s", session)
}

func bySeq(a, b Numbered) int { return cmp.Compare(a.Seq, b.Seq) }

// fixing returns between which positions of a session something was changed that fixed an error (see FixesSeen).
func (tx *Tx) fixing(ctx context.Context, session memory.SessionID) (between [][2]int64, err error) {
	failed := map[int64]int64{}
	err = tx.db.Each(ctx, `SELECT access.neuron_id, event.ord, event.kind FROM event JOIN access ON access.event_seq = event.seq
		WHERE event.session_id = ? AND access.kind = ? ORDER BY event.ord`, []any{int64(session), string(errorAccess)}, func(rows *sql.Rows) error {
		var fault, ord int64
		var kind memory.EventKind
		if err := rows.Scan(&fault, &ord, &kind); err != nil {
			return err
		}
		if kind == memory.ToolFailed {
			failed[fault] = ord
		} else if at, known := failed[fault]; known {
			between = append(between, [2]int64{at, ord})
		}
		return nil
	})
	return between, err
}

// PackedProjects returns the projects that have packs.
func (tx *Tx) PackedProjects(ctx context.Context) ([]memory.ProjectID, error) {
	return db.All[memory.ProjectID](ctx, tx.db, `SELECT DISTINCT project_id FROM pack ORDER BY project_id`, nil, db.Column)
}

// Unpack makes rows again of the packed calls of a project, up to a number of sessions, and reports whether there may be more. No figure
// changes: packed calls count too.
func (tx *Tx) Unpack(ctx context.Context, project memory.ProjectID, most int) (more bool, err error) {
	tx.calls = packedIDs{}
	calls, sessions, err := tx.packs(ctx, `pack.project_id = ? ORDER BY session_id LIMIT ?`, int64(project), most)
	if err != nil || len(sessions) == 0 {
		return false, err
	}
	var events, accesses [][]any
	for _, e := range calls {
		events = append(events, append([]any{e.Seq}, eventValues(e.StoredEvent, e.command)...))
		for n, t := range e.Touches {
			accesses = append(accesses, []any{e.Seq, n, int64(memory.NewNeuronID(e.Project, memory.FileNeuron, t.Path)), string(t.Kind), t.From})
		}
	}
	if err = tx.insertRows(ctx, `event (seq, `+eventColumns+`)`, events); err == nil {
		err = tx.insertRows(ctx, intoAccess, accesses)
	}
	if err == nil {
		err = tx.deleteIn(ctx, sessions, "pack WHERE session_id")
	}
	return len(sessions) == most, db.Wrap(err, "unpack calls")
}

// insertRows inserts many rows with few statements.
func (tx *Tx) insertRows(ctx context.Context, into string, rows [][]any) error {
	return tx.writeRows(ctx, `INSERT INTO `+into, rows)
}

func (tx *Tx) writeRows(ctx context.Context, statement string, rows [][]any) error {
	for some := range db.Pieces(rows, 64) {
		row := db.Marks(len(some[0]))
		if _, err := tx.db.Exec(ctx, statement+` VALUES `+row+strings.Repeat(`, `+row, len(some)-1), slices.Concat(some...)...); err != nil {
			return err
		}
	}
	return nil
}

// unpacker visits packed calls in their order among the events with rows.
type unpacker struct {
	tx      *Tx
	first   []int64 // numbers of the first calls of the packs that were not read yet, in order
	waiting []Numbered
}

func (tx *Tx) newUnpacker(ctx context.Context) (*unpacker, error) {
	first, err := tx.db.Ids(ctx, `SELECT first_seq FROM pack ORDER BY first_seq`, nil)
	return &unpacker{tx: tx, first: first}, err
}

// before hands over the packed calls before a number that were not handed over yet.
func (u *unpacker) before(ctx context.Context, seq int64, yield func(Numbered) error) error {
	n, _ := slices.BinarySearch(u.first, seq)
	if n > 0 {
		more, _, err := u.tx.packs(ctx, `first_seq BETWEEN ? AND ?`, u.first[0], u.first[n-1])
		if err != nil {
			return err
		}
		u.first, u.waiting = u.first[n:], append(u.waiting, more...)
		slices.SortFunc(u.waiting, bySeq)
	}
	for len(u.waiting) > 0 && u.waiting[0].Seq < seq {
		if err := yield(u.waiting[0]); err != nil {
			return err
		}
		u.waiting = u.waiting[1:]
	}
	return nil
}

// countPacked counts the packed calls of a project, 0 for all.
func (tx *Tx) countPacked(ctx context.Context, project memory.ProjectID) (int64, error) {
	w := db.Where{}
	w.When(project != 0, `project_id = ?`, int64(project))
	return db.Value[int64](ctx, tx.db, `SELECT COALESCE(SUM(events), 0) FROM pack`+w.String(), w.Args...)
}

// deleteIn deletes the rows whose column is one of the values, for each "table WHERE column".
func (tx *Tx) deleteIn(ctx context.Context, values []int64, from ...string) error {
	in, args := db.List(values)
	for _, what := range from {
		if _, err := tx.db.Exec(ctx, `DELETE FROM `+what+` IN `+in, args...); err != nil {
			return err
		}
	}
	return nil
}
