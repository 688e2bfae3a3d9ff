package braintest

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/texts"
)

// library is a lab whose project is a real folder, for texts and the code they speak of.
type Library struct {
	*Lab
	Dir string
}

func NewLibrary(t *testing.T) *Library {
	t.Helper()
	return &Library{Lab: NewLab(t), Dir: t.TempDir()}
}

func (l *Library) Scope() brain.Scope { return brain.Scope{Dir: l.Dir} }

func (l *Library) Remember(text string, change ...func(*statements.RememberInput)) statements.RememberResult {
	l.T.Helper()
	in := statements.RememberInput{Scope: l.Scope(), Text: text}
	for _, c := range change {
		c(&in)
	}
	return Must(l.Lab, statements.Remember, in)
}

func Of(kind memory.CrystalKind) func(*statements.RememberInput) {
	return func(in *statements.RememberInput) { in.Kind = kind }
}
func By(origin memory.Origin) func(*statements.RememberInput) {
	return func(in *statements.RememberInput) { in.Origin = origin }
}
func TiedTo(files ...string) func(*statements.RememberInput) {
	return func(in *statements.RememberInput) { in.Files = files }
}
func WithHistory(in *texts.SearchInput)          { in.History = true }
func AsOf(at time.Time) func(*texts.SearchInput) { return func(in *texts.SearchInput) { in.AsOf = at } }
func (l *Library) Passes(d time.Duration)        { l.Clock = l.Clock.Add(d) }
func (l *Library) Write(name, text string) {
	l.T.Helper()
	must.Do(l.T, os.MkdirAll(filepath.Dir(filepath.Join(l.Dir, name)), 0o700))
	WriteFile(l.T, filepath.Join(l.Dir, name), []byte(text))
}

func (l *Library) Find(query string, change ...func(*texts.SearchInput)) []texts.Found {
	l.T.Helper()
	in := texts.SearchInput{Scope: l.Scope(), Query: query}
	for _, c := range change {
		c(&in)
	}
	return Must(l.Lab, answer.SearchTexts, in).Found
}

// Finds wants texts, best first.
func (l *Library) Finds(query string, want []string, change ...func(*texts.SearchInput)) {
	l.T.Helper()
	var got []string
	for _, f := range l.Find(query, change...) {
		got = append(got, f.Text)
	}
	if !slices.Equal(got, want) {
		l.T.Errorf("%q finds %q, want %q", query, got, want)
	}
}

func (l *Library) Reopen() {
	l.T.Helper()
	must.Do(l.T, l.Close())
	l.Lab.Reopen()
}

// Many keeps texts in few transactions, as Remember keeps one.
func (l *Library) Many(kept []string) {
	l.T.Helper()
	l.Remember("the first makes the project known")
	project := Must(l.Lab, inspect.Projects, struct{}{})[0].ID
	for some := range slices.Chunk(kept, 250) {
		must.Do(l.T, l.Store.Update(l.T.Context(), func(tx *store.Tx) error {
			for _, text := range some {
				c := memory.Crystal{
					Project: project, Kind: memory.Lesson, Text: text, Origin: memory.OriginUser, Lifecycle: memory.Generated, SaidAt: tx.Now,
				}
				if kept, err := statements.Crystallise(l.T.Context(), l.Config.Tuning.Crystal, tx, c); err != nil || kept.Known {
					return fmt.Errorf("%q: known %v, %w", text, kept.Known, err)
				}
			}
			return nil
		}))
	}
}

func (l *Library) Crystal(id memory.CrystalID) memory.Crystal {
	l.T.Helper()
	c := must.Get(brain.View(l.T.Context(), l.Store, func(tx *store.Tx) (store.Kept, error) { return tx.Crystal(l.T.Context(), id) }))(l.T)
	return c.Crystal
}

// Snippets are the fragments of a project by name, with where they stand.
func (l *Library) Snippets() map[string]string {
	l.T.Helper()
	out := map[string]string{}
	View(l.Lab, func(tx *store.Tx) error {
		titles := map[int64]string{}
		err := tx.LatestStubs(l.T.Context(), store.DocumentFilter{Kinds: []string{memory.SnippetText}}, func(s store.Stub) error {
			titles[s.ID] = s.Title
			return nil
		})
		lines, err2 := tx.LinesOf(l.T.Context(), slices.Collect(maps.Keys(titles)))
		for id, title := range titles {
			out[title] = fmt.Sprintf("%d:%d-%d", id, lines[id].First, lines[id].Last)
		}
		return errors.Join(err, err2)
	})
	return out
}
