package store

import (
	"context"
	"strings"

	"github.com/hebb-memory/hebb/internal/store/db"
)

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
