package braintest

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/texts"
)

// NewGraph is a library with a small graph.
func NewGraph(t *testing.T) (*Library, texts.GraphInput) {
	t.Helper()
	l := NewLibrary(t)
	in := texts.GraphInput{Scope: l.Scope()}
	Must(l.Lab, texts.CreateEntities, texts.EntitiesInput{GraphInput: in, Entities: []texts.Entity{
		{Name: "billing", Type: "service", Observations: []string{"owns invoices", "written in Go"}},
		{Name: "postgres", Type: "database"},
		{Name: "Ada", Type: "person", Observations: []string{"reviews every migration"}},
	}})
	Must(l.Lab, texts.CreateRelations, texts.RelationsInput{GraphInput: in, Relations: []memory.Relation{
		{From: "billing", Type: "depends on", To: "postgres"}, {From: "Ada", Type: "maintains", To: "billing"},
	}})
	return l, in
}

func (l *Library) FoundEntity(name string) texts.Found {
	l.T.Helper()
	for _, f := range Must(l.Lab, answer.SearchTexts, texts.SearchInput{Scope: l.Scope(), Query: name, Kinds: []string{texts.EntityText}}).Found {
		if f.Title == name {
			return f
		}
	}
	l.T.Fatalf("%s was not found", name)
	return texts.Found{}
}

// OnDisk reports whether a text stands anywhere in the files of the store.
func (l *Library) OnDisk(text string) bool {
	l.T.Helper()
	files, err := filepath.Glob(l.Config.Database() + "*")
	if err != nil || len(files) == 0 {
		l.T.Fatal("no files", err)
	}
	for _, name := range files {
		if data, err := os.ReadFile(name); err != nil {
			l.T.Fatal(err)
		} else if bytes.Contains(data, []byte(text)) {
			return true
		}
	}
	return false
}
