package storetest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/store"
)

// sketched collects sketches as documents, as far as they go. Texts and names are not in them.
func sketched(into *[]store.Document) func(store.Sketch) error {
	return func(s store.Sketch) error {
		*into = append(*into, store.Document{
			ID: s.ID, Project: s.Project, Kind: s.Kind, Title: s.Title, Path: s.Path, At: s.At, Session: s.Session,
			Words: strings.Fields(string(s.Words)), Around: strings.Fields(string(s.Around)),
		})
		return nil
	}
}

func expectSketches(t *testing.T, got, docs []store.Document) {
	t.Helper()
	same := slices.EqualFunc(got, docs, func(a, b store.Document) bool {
		b.Ref, b.Origin, b.Text = "", "", ""
		return fmt.Sprint(a) == fmt.Sprint(b)
	})
	if !same {
		t.Errorf("sketches %v of %v", got, docs)
	}
}

var sketchCases = []contractCase{
	{"sketches are of the same documents", func(t *testing.T, h *home) {
		s, r := h.open(), seed(t)
		var docs []store.Document
		for i := range 40 {
			docs = append(docs, someDocument(r, fmt.Sprint(i)))
		}
		ids := addDocuments(t, s, docs...)
		for range 60 {
			f, e := someFilter(r), store.Expression{Any: someWords(r, 3)}
			view(t, s, func(tx *store.Tx) error {
				var found, listed, byID []store.Document
				match, err := tx.Match(t.Context(), e, f)
				err2 := tx.MatchSketches(t.Context(), e, f, sketched(&found))
				expectSketches(t, found, match)
				latest, err3 := tx.Documents(t.Context(), f)
				err4 := tx.LatestSketches(t.Context(), f, sketched(&listed))
				expectSketches(t, listed, latest)
				f.Limit = 0
				some, err5 := tx.DocumentsByID(t.Context(), ids[:7], f)
				err6 := tx.SketchesByID(t.Context(), ids[:7], f, sketched(&byID))
				expectSketches(t, byID, some)
				return errors.Join(err, err2, err3, err4, err5, err6)
			})
		}
	}},
	{"states are those of the crystals", func(t *testing.T, h *home) {
		s, r := h.open(), seed(t)
		fill(t, s, edited(1, "a", "run", start), edited(2, "b", "run", start))
		var documents []int64
		for i := range 20 {
			documents = append(documents, addCrystals(t, s, someCrystal(r, i))...)
		}
		view(t, s, func(tx *store.Tx) error {
			kept, err := tx.Crystals(t.Context(), store.CrystalFilter{Documents: documents})
			states, err2 := tx.CrystalStates(t.Context(), append(documents, 999_999))
			if len(states) != len(documents) {
				t.Errorf("%d states of %d crystals", len(states), len(documents))
			}
			for _, k := range kept {
				want := store.CrystalState{Importance: k.Importance, Lifecycle: k.Lifecycle, SaidAt: k.SaidAt, ValidTo: k.ValidTo, Unsure: k.Unsure}
				if states[k.Document] != want {
					t.Errorf("state %+v, want %+v", states[k.Document], want)
				}
			}
			return errors.Join(err, err2)
		})
	}},
}
