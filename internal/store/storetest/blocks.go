package storetest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

func saveBlock(t *testing.T, s *store.Store, project, kind, number int, data []byte) (version int64) {
	t.Helper()
	update(t, s, func(tx *store.Tx) (err error) {
		version, err = tx.SaveBlock(t.Context(), place(project).Project(), kind, number, data)
		return err
	})
	return version
}

func expectBlock(t *testing.T, s *store.Store, project, kind, number int, want []byte) {
	t.Helper()
	var got []byte
	view(t, s, func(tx *store.Tx) error {
		return tx.EachBlock(t.Context(), place(project).Project(), 0, func(v store.BlockVersion, data []byte) error {
			if v.Kind == kind && v.Number == number {
				got = slices.Clone(data)
			}
			return nil
		})
	})
	if !bytes.Equal(got, want) {
		t.Errorf("block %d, %d: got %q, want %q", kind, number, got, want)
	}
}

func expectVersions(t *testing.T, s *store.Store, project int, want ...store.BlockVersion) {
	t.Helper()
	view(t, s, func(tx *store.Tx) error {
		return expect(t, project, want)(tx.BlockVersions(t.Context(), place(project).Project(), 0))
	})
}

var blockCases = []contractCase{
	{"a block keeps its bytes, whatever they are", func(t *testing.T, h *home) {
		s, r := h.open(), seed(t)
		see(t, s, projectAt(place(1), start))
		large := make([]byte, 100<<10)
		for i := range large {
			large[i] = byte(r.Uint32())
		}
		every := make([]byte, 256)
		for i := range every {
			every[i] = byte(i)
		}
		for _, data := range [][]byte{every, {}, []byte("x"), nil, large, []byte("'; -- \\x00"), {0}} {
			saveBlock(t, s, 1, 1, 1, data)
			expectBlock(t, s, 1, 1, 1, data)
		}
	}},
	{"the version of a past grows with each save, and each project has its own", func(t *testing.T, h *home) {
		s := h.open()
		see(t, s, projectAt(place(1), start), projectAt(place(2), start))
		for want := int64(1); want <= 3; want++ {
			if got := saveBlock(t, s, 1, 0, 0, []byte("the same")); got != want {
				t.Errorf("saved as version %d, want %d", got, want)
			}
		}
		for _, other := range []struct{ project, kind, number, version int }{{1, 0, 1, 4}, {1, 1, 0, 5}, {2, 0, 0, 1}} {
			if got := saveBlock(t, s, other.project, other.kind, other.number, []byte("other")); got != int64(other.version) {
				t.Errorf("%v is saved as version %d", other, got)
			}
		}
		expectBlock(t, s, 1, 0, 0, []byte("the same"))
		expectVersions(t, s, 1,
			store.BlockVersion{Version: 3}, store.BlockVersion{Number: 1, Version: 4}, store.BlockVersion{Kind: 1, Version: 5})
		expectVersions(t, s, 2, store.BlockVersion{Version: 1})
	}},
	{"a reader asks whether anything is new, and then for what is", func(t *testing.T, h *home) {
		s := h.open()
		see(t, s, projectAt(place(1), start), projectAt(place(2), start))
		expectPast := func(project int, want int64) {
			t.Helper()
			view(t, s, func(tx *store.Tx) error {
				return expect(t, project, want)(tx.PastVersion(t.Context(), place(project).Project()))
			})
		}
		expectPast(1, 0)
		for number := range 4 {
			saveBlock(t, s, 1, 0, number, nil)
		}
		saveBlock(t, s, 2, 0, 0, nil)
		saveBlock(t, s, 1, 0, 1, nil)
		expectPast(1, 5)
		expectPast(2, 1)
		view(t, s, func(tx *store.Tx) error {
			return expect(t, "since 3", []store.BlockVersion{{Number: 1, Version: 5}, {Number: 3, Version: 4}})(
				tx.BlockVersions(t.Context(), place(1).Project(), 3))
		})
	}},
	{"all blocks of a project are read at once, in the order of their versions' list, until the reader has enough", func(t *testing.T, h *home) {
		s := h.open()
		see(t, s, projectAt(place(1), start), projectAt(place(2), start))
		for _, b := range [][2]int{{1, 0}, {0, 1}, {0, 0}} {
			saveBlock(t, s, 1, b[0], b[1], fmt.Append(nil, "block ", b))
		}
		saveBlock(t, s, 1, 0, 1, nil)
		saveBlock(t, s, 2, 0, 0, []byte("another project's"))
		var got []store.BlockVersion
		var texts []string
		view(t, s, func(tx *store.Tx) error {
			return tx.EachBlock(t.Context(), place(1).Project(), 0, func(v store.BlockVersion, data []byte) error {
				got, texts = append(got, v), append(texts, string(data))
				return nil
			})
		})
		expectVersions(t, s, 1, got...)
		if want := []string{"block [0 0]", "", "block [1 0]"}; !slices.Equal(texts, want) {
			t.Errorf("blocks %q, want %q", texts, want)
		}
		stop := errors.New("enough")
		view(t, s, func(tx *store.Tx) error {
			err := tx.EachBlock(t.Context(), place(1).Project(), 0, func(store.BlockVersion, []byte) error { return stop })
			if !errors.Is(err, stop) {
				t.Errorf("got %v", err)
			}
			return nil
		})
	}},
	{"a block of an unknown project is refused", func(t *testing.T, h *home) {
		err := h.open().Update(t.Context(), func(tx *store.Tx) error {
			_, err := tx.SaveBlock(t.Context(), 5, 0, 0, nil)
			return err
		})
		if err == nil {
			t.Error("a block without its project was stored")
		}
	}},
	{"taking over replaces what a project has learned, and nothing else", func(t *testing.T, h *home) {
		s := h.open()
		fill(t, s, taught(1)...)
		fill(t, s, taught(2)...)
		bare := contents(t, s)
		h.learn(t, s, 2)
		want := contents(t, s)
		h.learn(t, s, 1)
		if full := contents(t, s); len(want) <= len(bare) || len(full) <= len(want) {
			t.Fatalf("%d lines, then %d and %d: nothing was learned", len(bare), len(want), len(full))
		}
		h.unlearn(t, s, place(1).Project())
		same(t, "without what the first has learned", contents(t, s), want)
		expectLearnedOrd(t, s, sessionOf(taught(1)[0]), 0)
		expectLearnedOrd(t, s, sessionOf(taught(2)[0]), 2)
		h.unlearn(t, s, place(2).Project())
		same(t, "without what both have learned", contents(t, s), bare)
	}},
	{"a file is alone with its name as it is written", func(t *testing.T, h *home) {
		s := h.open()
		fill(t, s, edited(1, "one", "run", start, "a/Index.md", "b/index.md", "a/x.go", "b/x.go", "makefile", "sub/Makefile"))
		for path, want := range map[string]bool{"a/Index.md": true, "b/index.md": true, "a/x.go": false, "makefile": true, "sub/Makefile": true} {
			view(t, s, func(tx *store.Tx) error {
				return expect(t, path, want)(tx.OnlyFileNamed(t.Context(), place(1).Project(), path))
			})
		}
	}},
}

// taught are the events of a project from which it learns: some work, and an error that was resolved.
func taught(project int) []memory.Event {
	name := place(project).Root
	resolved := edited(project, name+" resolved", "run", start, "b.go", "c.go")
	resolved.Kind = memory.Resolved
	return []memory.Event{edited(project, name+" edited", "run", start, "a.go", "b.go", "gone.go"), resolved}
}

// learn derives something of every sort from what a project was taught.
func (h *home) learn(t *testing.T, s *store.Store, project int) {
	t.Helper()
	events := taught(project)
	oops := memory.NewNeuronID(place(project).Project(), memory.ErrorNeuron, errorOf(events[1]))
	update(t, s, func(tx *store.Tx) error {
		resolved := memory.StoredEvent{Event: events[1], Project: place(project).Project()}
		return tx.MeetError(t.Context(), h.seq(t, resolved.ID), resolved, errorOf(resolved.Event), tx.CountAccess)
	})
	wireAll(t, s, linked(project, "a.go", "b.go", 1), linked(project, "b.go", "c.go", 2),
		store.NewSynapse(place(project).Project(), memory.OriginAgent, oops, file(project, "a.go")))
	saveBlock(t, s, project, 0, 0, []byte("files"))
	saveBlock(t, s, project, 1, 0, []byte("episodes"))
	update(t, s, func(tx *store.Tx) error {
		for _, id := range []memory.NeuronID{oops, file(project, "a.go"), file(project, "gone.go")} {
			n, err := tx.Neuron(t.Context(), id)
			if err != nil {
				return err
			}
			n.Myelin, n.Activation, n.Ignored, n.Standing = 1, 2, 3, .5
			n.Gone = id == file(project, "gone.go")
			if err := tx.SaveStrength(t.Context(), n); err != nil {
				return err
			}
		}
		return errors.Join(
			tx.InsertSuggestion(t.Context(), h.seq(t, events[0].ID), lineOf(events[0])),
			tx.SetLearnedOrd(t.Context(), sessionOf(events[0]), 2))
	})
}
