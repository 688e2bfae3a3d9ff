package store

import (
	"context"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store/db"
)

// Page is something people write about themselves and their work.
type Page struct {
	Name string        `json:"name"`
	Text string        `json:"text"`
	By   memory.Origin `json:"by"`
	At   time.Time     `json:"at"`
}

// pages are by name. Name and time in the value are not read.
var pages = NewFact[Page]("page")

// Page returns a page by its name.
func (tx *Tx) Page(ctx context.Context, name string) (Page, error) {
	r, err := db.First(pages.records(ctx, tx, ` AND project_id = 0 AND subject = ?`, name))
	return Page{Name: name, Text: r.value.Text, By: r.value.By, At: r.at}, db.Wrap(err, "page %s", name)
}

// SavePage writes a page.
func (tx *Tx) SavePage(ctx context.Context, p Page) error {
	return pages.About(p.Name).SetAt(ctx, tx, p, p.At)
}

// views are what hebb last wrote into Markdown files: any other text there was written by a person.
var views = NewFact[string]("view")

// Written returns what hebb last wrote into a file of a folder for people; "" if nothing.
func (tx *Tx) Written(ctx context.Context, vault, name string) (string, error) {
	return views.About(vault+"/"+name).Get(ctx, tx)
}

// WrittenNames lists the files of a folder that hebb has written.
func (tx *Tx) WrittenNames(ctx context.Context, vault string) (names []string, err error) {
	err = tx.db.Each(ctx, `SELECT subject FROM fact WHERE name = ? AND project_id = 0 AND subject >= ? AND subject < ? ORDER BY subject`,
		[]any{views.name, vault + "/", vault + "0"}, db.ForEach(db.Column, func(name string) error {
			names = append(names, strings.TrimPrefix(name, vault+"/"))
			return nil
		}))
	return names, db.Wrap(err, "views")
}

// SetWritten keeps what hebb is about to write into it; "" forgets the file.
func (tx *Tx) SetWritten(ctx context.Context, vault, name, text string) error {
	view := views.About(vault + "/" + name)
	if text == "" {
		return view.Clear(ctx, tx)
	}
	return view.Set(ctx, tx, text)
}
