package ranking

import (
	"context"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/embedding"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/vocab"
)

const (
	commonWord  = 2.5 // a word that tells less names no file (continue 1.5, next 1.8, step 2.3; build 2.9, login 4.1)
	latestAsked = 5   // sessions among which the last work is looked for: some open no file
)

// vague reports whether nothing but a text is asked with, and no word of it can name a file: "go on", "what's next?".
func (in RecallInput) vague() bool {
	if in.Change || in.Session != "" || len(in.Open) > 0 || strings.TrimSpace(in.Text) == "" || len(vocab.FileNames(in.Text, 1)) > 0 {
		return false
	}
	return !slices.ContainsFunc(vocab.TextWords(in.Text), func(word string) bool {
		return embedding.WordWeight(word, embedding.GeneralRow(word)) >= commonWord
	})
}

// goOn answers a text such as "go on": with the files of the last work, and what comes next in it.
func (a *Query) goOn(ctx context.Context, id memory.ProjectID, in RecallInput) (out RecallResult, err error) {
	out = RecallResult{Vague: true, Files: []Recalled{}, Fixes: []Recalled{}}
	sessions, err := a.tx.Sessions(ctx, store.SessionFilter{Project: id, Limit: latestAsked})
	if err != nil {
		return out, err
	}
	for _, s := range sessions {
		opened, err := openedIn(ctx, a.tx, s.ID)
		if err != nil {
			return out, err
		}
		if len(opened) == 0 {
			continue
		}
		in.Session, in.Next = s.ID.String(), true
		if in.Text, err = a.tx.PromptBefore(ctx, s.ID, a.tx.Now); err != nil {
			return out, err
		}
		if out, err = a.files(ctx, []memory.ProjectID{s.Project}, in); err != nil {
			return out, err
		}
		out.Vague, out.Running = true, slices.DeleteFunc(opened, func(path string) bool { return !ShownPath(path) })
		if in.Limit > 0 {
			out.Running = out.Running[:min(len(out.Running), in.Limit)]
		}
		break
	}
	return out, nil
}
