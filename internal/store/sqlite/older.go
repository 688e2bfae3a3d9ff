package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/store/db"
)

// Older is what a store from before the first schema holds that cannot be derived. Its schema changed with nearly every
// commit, under version numbers that were given a second time later; the columns read here were always the same.
type Older struct {
	Projects   []memory.Project
	Sessions   []memory.Session
	Events     []memory.StoredEvent
	Crystals   []memory.Crystal
	Pins       []memory.Pin
	Pages      []store.Page
	Tombstones []memory.EventID
}

// ReadOlder reads a store from before the first schema that no process has open; nil if the file is of this or a later one.
func ReadOlder(ctx context.Context, path string) (o *Older, err error) {
	if err := checkRegular(path); err != nil {
		return nil, err
	}
	file := openURI(path, url.Values{"mode": {"ro"}})
	defer func() { err = errors.Join(err, file.Close()) }()
	h, err := readHeader(ctx, file)
	if err != nil || h.application != applicationID || h.version == 0 || db.CheckFirst(ctx, file) == nil {
		return nil, explain(err)
	}
	o = &Older{}
	for _, read := range []struct {
		query string
		row   func(*sql.Rows) error
	}{
		{`SELECT id, identity, root, name, tagged, first_at, last_at, clock FROM project ORDER BY id`, o.project},
		{`SELECT id, project_id, agent, agent_session, opened_at, last_event_at, COALESCE(closed_at, 0), close_reason, recovered, ticked, intent,
			by_hand, events FROM session ORDER BY opened_at, id`, o.session},
		{`SELECT id, event.project_id, COALESCE(event.session_id, 0), ord, at, event.kind, origin, event.agent, subagent, tool, input, text,
			COALESCE((SELECT agent_session FROM session WHERE session.id = event.session_id), ''),
			(SELECT COALESCE(GROUP_CONCAT(access.kind || ' ' || key, char(10)), '') FROM access JOIN neuron ON neuron.id = neuron_id
				WHERE event_seq = event.seq AND neuron.kind = 'file')
			FROM event ORDER BY seq`, o.event},
		{`SELECT crystal.id, document.project_id, crystal.kind, document.text, subject, importance, valence, lifecycle, document.origin, source, said_at,
			COALESCE(valid_to, 0), last_at, accesses, gap_hours FROM crystal JOIN document ON document.id = document_id ORDER BY said_at, crystal.id`, o.crystal},
		{`SELECT crystal_id, project_id, title, reason, at FROM pin ORDER BY at`, o.pin},
		{`SELECT name, text, by, at FROM page ORDER BY name`, o.page},
		{`SELECT event_id FROM tombstone ORDER BY event_id`, func(rows *sql.Rows) error {
			var id memory.EventID
			defer func() { o.Tombstones = append(o.Tombstones, id) }()
			return rows.Scan(&id)
		}},
	} {
		if err := eachRow(ctx, file, read.query, read.row); err != nil && !strings.Contains(err.Error(), "no such table") {
			return nil, fmt.Errorf("read store of an older schema %s: %w", path, explain(err))
		}
	}
	return o, nil
}

func eachRow(ctx context.Context, file *sql.DB, query string, row func(*sql.Rows) error) (err error) {
	rows, err := file.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		if err := row(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (o *Older) project(rows *sql.Rows) error {
	var p memory.Project
	err := rows.Scan((*int64)(&p.ID), &p.Identity, &p.Root, &p.Name, &p.Tagged, db.Time(&p.FirstAt), db.Time(&p.LastAt), &p.Clock)
	o.Projects = append(o.Projects, p)
	return err
}

func (o *Older) session(rows *sql.Rows) error {
	var s memory.Session
	var closed int64
	err := rows.Scan((*int64)(&s.ID), (*int64)(&s.Project), &s.Agent, &s.AgentSession, db.Time(&s.OpenedAt), db.Time(&s.LastEventAt), &closed, &s.CloseReason,
		&s.Recovered, &s.Ticked, &s.Intent, &s.IntentByHand, &s.Events)
	if closed != 0 {
		s.ClosedAt = time.UnixMilli(closed).UTC()
	}
	o.Sessions = append(o.Sessions, s)
	return err
}

func (o *Older) event(rows *sql.Rows) error {
	var e memory.StoredEvent
	var touches string
	err := rows.Scan(&e.ID, (*int64)(&e.Project), (*int64)(&e.Session), &e.Ord, db.Time(&e.At), &e.Kind, &e.Origin, &e.Agent, &e.Subagent, &e.Tool, &e.Input,
		&e.Text, &e.AgentSession, &touches)
	for touch := range strings.Lines(touches) {
		kind, path, _ := strings.Cut(strings.TrimSuffix(touch, "\n"), " ")
		e.Touches = append(e.Touches, memory.Touch{Kind: memory.TouchKind(kind), Path: path})
	}
	o.Events = append(o.Events, e)
	return err
}

func (o *Older) crystal(rows *sql.Rows) error {
	var c memory.Crystal
	var ended int64
	err := rows.Scan(&c.ID, (*int64)(&c.Project), &c.Kind, &c.Text, &c.Subject, &c.Importance, &c.Valence, &c.Lifecycle, &c.Origin, &c.Source, db.Time(&c.SaidAt),
		&ended, db.Time(&c.LastAt), &c.Accesses, &c.GapHours)
	if ended != 0 {
		c.ValidTo = time.UnixMilli(ended).UTC()
	}
	o.Crystals = append(o.Crystals, c)
	return err
}

func (o *Older) pin(rows *sql.Rows) error {
	var p memory.Pin
	err := rows.Scan(&p.Crystal, (*int64)(&p.Project), &p.Title, &p.Reason, db.Time(&p.At))
	o.Pins = append(o.Pins, p)
	return err
}

func (o *Older) page(rows *sql.Rows) error {
	var p store.Page
	err := rows.Scan(&p.Name, &p.Text, &p.By, db.Time(&p.At))
	o.Pages = append(o.Pages, p)
	return err
}
