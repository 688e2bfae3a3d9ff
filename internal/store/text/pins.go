package text

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store/db"
)

// Pins returns the pins of some projects, the oldest first; 0 is for those that hold everywhere.
func (tx *Tx) Pins(ctx context.Context, projects ...memory.ProjectID) (pins []memory.Pin, err error) {
	for _, project := range projects {
		err := tx.db.Each(ctx, `SELECT pin.crystal_id, pin.project_id, pin.title, pin.reason, pin.at, document.text, document.origin
			FROM pin JOIN crystal ON crystal.id = pin.crystal_id JOIN document ON document.id = crystal.document_id
			WHERE pin.project_id = ? ORDER BY pin.at, pin.crystal_id`, []any{int64(project)}, db.ForEach(func(p *memory.Pin) []any {
			return []any{&p.Crystal, (*int64)(&p.Project), &p.Title, &p.Reason, db.Time(&p.At), &p.Text, &p.Origin}
		}, func(p memory.Pin) error {
			p.Text = strings.TrimPrefix(p.Text, p.Title+": ") // its title is part of what can be searched
			pins = append(pins, p)
			return nil
		}))
		if err != nil {
			return nil, fmt.Errorf("pins of %s: %w", project, err)
		}
	}
	return pins, nil
}

// SetPin pins a crystal, or changes its pin. normal is the title as titles are compared: there is one pin of it in a project.
func (tx *Tx) SetPin(ctx context.Context, p memory.Pin, normal string) error {
	_, err := tx.db.Exec(ctx, `INSERT INTO pin (crystal_id, project_id, normal, title, reason, at) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (crystal_id) DO UPDATE SET normal = excluded.normal, title = excluded.title, reason = excluded.reason`,
		string(p.Crystal), int64(p.Project), normal, p.Title, p.Reason, db.Millis(p.At))
	err = tx.db.Rehashed(ctx, err, checkedPin, `crystal_id = ?`, string(p.Crystal))
	return db.Wrap(err, "pin %q", p.Title)
}

// DeletePin takes a pin off its crystal, which stays.
func (tx *Tx) DeletePin(ctx context.Context, id memory.CrystalID) error {
	err := tx.db.Change(ctx, `DELETE FROM pin WHERE crystal_id = ?`, string(id))
	return db.Wrap(err, "pin of %s", id)
}

// Page is something people write about themselves and their work.
type Page struct {
	Name string        `json:"name"`
	Text string        `json:"text"`
	By   memory.Origin `json:"by"`
	At   time.Time     `json:"at"`
}

// Page returns a page by its name.
func (tx *Tx) Page(ctx context.Context, name string) (Page, error) {
	p := Page{Name: name}
	err := tx.db.One(ctx, `SELECT text, by, at FROM page WHERE name = ?`, []any{name}, &p.Text, &p.By, db.Time(&p.At))
	return p, db.Wrap(err, "page %s", name)
}

// SavePage writes a page.
func (tx *Tx) SavePage(ctx context.Context, p Page) error {
	err := tx.db.Put(ctx, checkedPage, p.Name, p.Text, string(p.By), db.Millis(p.At))
	return db.Wrap(err, "page %s", p.Name)
}

// Written returns what hebb last wrote into a file of a folder for people; "" if nothing.
func (tx *Tx) Written(ctx context.Context, vault, name string) (string, error) {
	return db.Optional[string](ctx, tx.db, `SELECT text FROM view WHERE name = ?`, vault+"/"+name)
}

// WrittenNames lists the files of a folder that hebb has written.
func (tx *Tx) WrittenNames(ctx context.Context, vault string) (names []string, err error) {
	err = tx.db.Each(ctx, `SELECT name FROM view WHERE name >= ? AND name < ? ORDER BY name`,
		[]any{vault + "/", vault + "0"}, db.ForEach(db.Column, func(name string) error {
			names = append(names, strings.TrimPrefix(name, vault+"/"))
			return nil
		}))
	return names, db.Wrap(err, "views")
}

// SetWritten keeps what hebb is about to write into it; "" forgets the file.
func (tx *Tx) SetWritten(ctx context.Context, vault, name, text string) error {
	name = vault + "/" + name
	var err error
	if text == "" {
		_, err = tx.db.Exec(ctx, `DELETE FROM view WHERE name = ?`, name)
	} else {
		err = tx.db.Put(ctx, checkedView, name, text, db.Millis(tx.Now))
	}
	return db.Wrap(err, "view %s", name)
}
