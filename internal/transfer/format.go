// Package transfer moves memories between places: export, import, backup, restore, merging projects.
package transfer

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/state"
	"github.com/hebb-memory/hebb/internal/store"
)

// exportVersion is the version of the export format. An export is JSON Lines: a header, then lines {"type": T, T: value}.
const exportVersion = 2

const headerLine = "hebb-export"

// kind describes one type of line: how its values are listed, cleaned, checked, imported, and moved to another project.
type kind[T any] struct {
	name string
	// mine is set for what is only imported with ImportInput.Mine: it describes the person, not the project.
	mine bool
	// count is the figure of the result that counts these lines; nil: none does.
	count func(*TransferResult) *int
	// each calls write for every value of the store.
	each func(ctx context.Context, e *exporter, write func(T) error) error
	// project is the field that says where a value belongs; nil: to no project, or it is one.
	project func(*T) *memory.ProjectID
	// clean removes secrets and control characters, limits times to now, and marks what others said as imported.
	clean func(*importer, *T)
	// check refuses a value that no export of hebb holds. It runs on the whole file before anything is changed.
	check func(*importer, context.Context, T) error
	// take stores a value. A known one stays as it is.
	take func(*importer, context.Context, T) error
	// move changes what else refers to the project that is moved, and reports whether the value is moved at all.
	move func(*projectMove, *T) bool
}

// lineKind is a kind of any type.
type lineKind interface {
	typ() string
	export(context.Context, *exporter) error
	decode(*importer, json.RawMessage) (any, error)
	checkLine(context.Context, *importer, any) error
	takeLine(context.Context, *importer, any) error
}

// lineKinds lists the types of lines in the order in which they stand in a file: each comes after what it refers to.
var lineKinds = []lineKind{
	projects, sessions, events, memoryLines{"memory", readMemory}, fileNotes, states, moods, tombstones, traces, pauses, facts,

	memoryLines{"crystal", readMemory},
	linesBefore("entity", store.Entities, func(e *memory.Entity, id memory.ProjectID, at time.Time) { e.Project, e.CreatedAt = id, at }),
	linesBefore("relation", store.Relations, func(r *memory.Relation, id memory.ProjectID, at time.Time) { r.Project, r.CreatedAt = id, at }),
	linesBefore("pin", store.Pins, nil), linesBefore("page", store.Pages, nil), linesBefore("goal", store.Goals, nil),
	linesBefore("waiting-note", store.Notes, nil), linesBefore("payment", store.Payments, nil), linesBefore("connection", store.Thoughts, nil),
	linesBefore("searched-in-vain", state.KeptGaps, func(g *state.Gap, id memory.ProjectID, _ time.Time) { g.Project = id }),
}

func (k *kind[T]) typ() string { return k.name }

func (k *kind[T]) export(ctx context.Context, e *exporter) error {
	return k.each(ctx, e, func(v T) error {
		if e.move != nil && !k.moves(e.move, &v) {
			return nil
		}
		if k.count != nil {
			*k.count(&e.out)++
		}
		return k.write(e.to, v)
	})
}

// write writes one line.
func (k *kind[T]) write(to io.Writer, v T) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return err
	}
	_, err := fmt.Fprintf(to, "{\"type\":%q,%q:%s}\n", k.name, k.name, bytes.TrimSuffix(text.Bytes(), []byte("\n")))
	return err
}

// moves reports whether a value belongs to the project that is moved, and moves it.
func (k *kind[T]) moves(m *projectMove, v *T) bool {
	if k.project != nil {
		id := k.project(v)
		if *id != m.from {
			return false
		}
		*id = m.into.ID
	}
	if k.move != nil {
		return k.move(m, v)
	}
	return k.project != nil
}

func (k *kind[T]) decode(t *importer, raw json.RawMessage) (any, error) {
	var v T
	if err := json.Unmarshal(raw, &v); err != nil {
		return nil, fmt.Errorf("%w: %w", memory.ErrInvalid, err)
	}
	if k.clean != nil {
		k.clean(t, &v)
	}
	return v, nil
}

func (k *kind[T]) checkLine(ctx context.Context, t *importer, value any) error {
	v, ok := value.(T)
	if !ok || k.mine && !t.mine {
		return nil
	}
	if k.project != nil {
		if err := t.checkProjectID(ctx, *k.project(&v)); err != nil {
			return fmt.Errorf("%s: %w", k.name, err)
		}
	}
	if k.check == nil {
		return nil
	}
	return k.check(t, ctx, v)
}

func (k *kind[T]) takeLine(ctx context.Context, t *importer, value any) error {
	if k.count != nil {
		*k.count(t.out)++
	}
	v, ok := value.(T)
	if !ok || k.take == nil || k.mine && !t.mine {
		return nil
	}
	return k.take(t, ctx, v)
}

// list makes the each function of a kind whose values are read at once.
func list[T any](read func(context.Context, *exporter) ([]T, error)) func(context.Context, *exporter, func(T) error) error {
	return func(ctx context.Context, e *exporter, write func(T) error) error {
		values, err := read(ctx, e)
		if err != nil {
			return err
		}
		for _, v := range values {
			if err := write(v); err != nil {
				return err
			}
		}
		return nil
	}
}

// listByProject makes the each function of a kind that is read project by project; line reports false for what is left out.
func listByProject[T, R any](read func(*store.Tx, context.Context, memory.ProjectID) ([]R, error), line func(memory.ProjectID, R) (T, bool)) func(context.Context, *exporter, func(T) error) error {
	return list(func(ctx context.Context, e *exporter) (all []T, err error) {
		for _, id := range e.projects {
			rows, err := read(e.tx, ctx, id)
			if err != nil {
				return nil, err
			}
			for _, row := range rows {
				if v, ok := line(id, row); ok {
					all = append(all, v)
				}
			}
		}
		return all, nil
	})
}

// backward lists the oldest first what the store returns newest first.
func backward[T any](values []T, err error) ([]T, error) {
	slices.Reverse(values)
	return values, err
}

// TransferResult counts the lines that were exported or imported.
type TransferResult struct {
	Projects int `json:"projects"`
	Sessions int `json:"sessions"`
	Events   int `json:"events"`

	Crystals  int `json:"crystals"`
	Entities  int `json:"entities"`
	Relations int `json:"relations"`

	Pins  int `json:"pins"`
	Pages int `json:"pages"`
	Notes int `json:"notes"` // on files
	Goals int `json:"goals"`

	Known int `json:"known"` // of these, already there
}

// exporter writes an export within one transaction.
type exporter struct {
	tx       *store.Tx
	projects []memory.ProjectID // all, after 0, which is the person's own
	move     *projectMove       // limits the export to one project, written as another
	to       io.Writer
	out      TransferResult
}

// Export writes all that cannot be derived from other memories: events, texts, knowledge, what people keep in mind, and the IDs of
// what was deleted on purpose.
func Export(ctx context.Context, st *store.Store, w io.Writer) (TransferResult, error) {
	return export(ctx, st, w, nil)
}

func export(ctx context.Context, st *store.Store, w io.Writer, m *projectMove) (out TransferResult, err error) {
	buffered := bufio.NewWriter(w)
	err = st.View(ctx, func(tx *store.Tx) error {
		if _, err := fmt.Fprintf(buffered, "{\"type\":%q,\"version\":%d}\n", headerLine, exportVersion); err != nil {
			return err
		}
		known, err := tx.Projects(ctx)
		if err != nil {
			return err
		}
		e := &exporter{tx: tx, projects: []memory.ProjectID{0}, move: m, to: buffered}
		for _, p := range known {
			e.projects = append(e.projects, p.ID)
		}
		for _, k := range lineKinds {
			if err := k.export(ctx, e); err != nil {
				return err
			}
		}
		out = e.out
		return nil
	})
	if err == nil {
		err = buffered.Flush()
	}
	if err != nil {
		return out, fmt.Errorf("export: %w", err)
	}
	return out, nil
}

// projectMove writes what belongs to one project as another's.
type projectMove struct {
	from memory.ProjectID
	into memory.Project
	// sessions are those of the project, and their IDs in the other; they come before what refers to them.
	sessions map[memory.SessionID]memory.SessionID
}

// renamed is JSON with the IDs of the other project, and of its sessions.
func (m *projectMove) renamed(value json.RawMessage) json.RawMessage {
	for from, into := range m.sessions {
		value = bytes.ReplaceAll(value, []byte(from.String()), []byte(into.String()))
	}
	return bytes.ReplaceAll(value, []byte(m.from.String()), []byte(m.into.ID.String()))
}
