package storetest

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/store"
)

// stubed collects stubs as documents, as far as they go. Texts and names are not in them.
func stubed(into *[]store.Document) func(store.Stub) error {
	return func(s store.Stub) error {
		*into = append(*into, store.Document{
			ID: s.ID, Project: s.Project, Kind: s.Kind, Title: s.Title, Path: s.Path, At: s.At, Session: s.Session,
			Words: strings.Fields(s.Words), Around: strings.Fields(s.Around),
		})
		return nil
	}
}

func expectStubs(t *testing.T, got, docs []store.Document) {
	t.Helper()
	same := slices.EqualFunc(got, docs, func(a, b store.Document) bool {
		b.Ref, b.Origin, b.Text = "", "", ""
		return fmt.Sprint(a) == fmt.Sprint(b)
	})
	if !same {
		t.Errorf("stubs %v of %v", got, docs)
	}
}

// byNumber brings documents into order that come in none.
func byNumber(lists ...[]store.Document) {
	for _, list := range lists {
		slices.SortFunc(list, func(a, b store.Document) int { return cmp.Compare(a.ID, b.ID) })
	}
}

var stubCases = []contractCase{
	{"stubs are of the same documents", func(t *testing.T, h *home) {
		s, r := h.open(), seed(t)
		var docs []store.Document
		for i := range 40 {
			docs = append(docs, someDocument(r, fmt.Sprint(i)))
		}
		ids := addDocuments(t, s, docs...)
		for range 60 {
			f, e := someFilter(r), store.Expression{Any: someWords(r, 3)}
			if r.IntN(2) == 0 {
				f.Limit = 1 + r.IntN(20)
			}
			view(t, s, func(tx *store.Tx) error {
				var found, some, byID []store.Document
				match, err := tx.Match(t.Context(), e, f)
				err2 := tx.MatchStubs(t.Context(), e, f, stubed(&found))
				expectStubs(t, found, match)
				f.Limit = 0
				err3 := tx.LatestStubs(t.Context(), f, stubed(&some))
				some = slices.DeleteFunc(some, func(d store.Document) bool { return !slices.Contains(ids[:7], d.ID) })
				err4 := tx.StubsByID(t.Context(), ids[:7], f, stubed(&byID))
				byNumber(byID, some)
				expectStubs(t, byID, some)
				return errors.Join(err, err2, err3, err4)
			})
		}
	}},
	{"looking everywhere finds the same", func(t *testing.T, h *home) {
		s, r := h.open(), seed(t)
		var docs []store.Document
		for i := range 60 {
			docs = append(docs, someDocument(r, fmt.Sprint(i)))
		}
		addDocuments(t, s, docs...)
		for range 60 {
			f, e := someFilter(r), store.Expression{All: someWords(r, 2)}
			view(t, s, func(tx *store.Tx) error {
				var narrow, wide, grouped []store.Document
				err := tx.MatchStubs(t.Context(), e, f, stubed(&narrow))
				e.Wide = true
				err = errors.Join(err, tx.MatchStubs(t.Context(), e, f, stubed(&wide)))
				e.Grouped = true
				err = errors.Join(err, tx.MatchStubs(t.Context(), e, f, stubed(&grouped)))
				expectStubs(t, wide, narrow)
				expectStubs(t, grouped, narrow)
				return err
			})
		}
	}},
	{"a stub goes with its document", func(t *testing.T, h *home) {
		s, other := h.open(), h.open() // another process deletes
		ids := addDocuments(t, s, said("a", "one two"), said("b", "one three"), said("c", "one four"))
		expect := func(want ...int64) {
			t.Helper()
			view(t, s, func(tx *store.Tx) error {
				var matched, byID []store.Document
				err := tx.MatchStubs(t.Context(), store.Expression{Any: []string{"one"}}, store.DocumentFilter{Limit: 9}, stubed(&matched))
				err = errors.Join(err, tx.StubsByID(t.Context(), ids, store.DocumentFilter{Limit: 9}, stubed(&byID)))
				for _, got := range [][]store.Document{matched, byID} {
					var numbers []int64
					for _, d := range got {
						numbers = append(numbers, d.ID)
					}
					slices.Sort(numbers)
					if !slices.Equal(numbers, want) {
						t.Errorf("stubs of %v, want %v", numbers, want)
					}
				}
				return err
			})
		}
		expect(ids...)
		expect(ids...)
		update(t, other, func(tx *store.Tx) error { return tx.DeleteDocuments(t.Context(), ids[1]) })
		expect(ids[0], ids[2])
		changed := addDocuments(t, other, said("a", "one five")) // takes the place of the first
		ids = append(ids, changed...)
		expect(ids[2], changed[0])
		update(t, other, func(tx *store.Tx) error { return tx.Empty(t.Context()) })
		expect()
	}},
	{"what was undone leaves no stub", func(t *testing.T, h *home) {
		s, undone := h.open(), errors.New("undone")
		addDocuments(t, s, said("a", "one"))
		words := func(tx *store.Tx) (words []string, err error) {
			err = tx.MatchStubs(t.Context(), store.Expression{Any: []string{"two", "three"}}, store.DocumentFilter{Limit: 9}, func(s store.Stub) error {
				words = append(words, s.Words)
				return nil
			})
			return words, err
		}
		err := s.Update(t.Context(), func(tx *store.Tx) error {
			_, err := tx.AddDocuments(t.Context(), []store.Document{said("b", "two")})
			got, err2 := words(tx)
			if len(got) != 1 || got[0] != "two" {
				t.Errorf("%q", got)
			}
			return errors.Join(err, err2, undone)
		})
		if !errors.Is(err, undone) {
			t.Fatal(err)
		}
		addDocuments(t, s, said("c", "three")) // its number may be that of the one that never was
		view(t, s, func(tx *store.Tx) error {
			got, err := words(tx)
			if len(got) != 1 || got[0] != "three" {
				t.Errorf("%q", got)
			}
			return err
		})
	}},
	{"texts are those of the documents", func(t *testing.T, h *home) {
		s, r := h.open(), seed(t)
		var docs []store.Document
		for i := range 10 {
			docs = append(docs, someDocument(r, fmt.Sprint(i)))
		}
		ids := addDocuments(t, s, docs...)
		for i := range docs {
			docs[i].ID, docs[i].Words, docs[i].Around = ids[i], nil, nil
		}
		view(t, s, func(tx *store.Tx) error {
			got, err := tx.Texts(t.Context(), append(ids, 999_999))
			byNumber(docs, got)
			return expect(t, "texts", docs)(got, err)
		})
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
