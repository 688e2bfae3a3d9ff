package storetest

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

func crystalID(n int) memory.CrystalID {
	return memory.CrystalID(memory.DerivedEventID("crystal", fmt.Sprint(n)))
}

// someCrystal draws a crystal; each field has a value of its own.
func someCrystal(r *rand.Rand, n int) memory.Crystal {
	at := func() time.Time { return start.Add(time.Duration(r.IntN(500)) * time.Minute) }
	c := memory.Crystal{
		ID: crystalID(n), Kind: pick(r, memory.CrystalKinds), Text: strings.Join(someWords(r, 8), " ") + fmt.Sprint(" text ", r.IntN(30)),
		Subject: pick(r, []string{"", "the editor", "größe", "the database"}), Importance: r.Float64(), Valence: r.Float64()*2 - 1,
		Lifecycle: pick(r, memory.Lifecycles), Origin: pick(r, memory.Origins), Source: pick(r, []string{"", "a file", "'x'"}),
		SaidAt: at(), LastAt: at(), Accesses: r.Int64N(50), GapHours: r.Float64() * 100, Unsure: r.IntN(3) == 0,
		Marks: pick(r, [][]string{nil, {"run: git push", "unless: make lint"}, {"file: gen/*"}}),
	}
	if p := r.IntN(3); p > 0 {
		c.Project = place(p).Project()
	}
	if r.IntN(3) == 0 {
		c.ValidTo = at()
	}
	for i := range r.IntN(3) {
		c.Parents = append(c.Parents, crystalID(1000+i))
	}
	for _, path := range []string{"a.go", "src/b.go", "ünï.go"} { // in order: they come back by path
		if r.IntN(3) == 0 {
			c.Anchors = append(c.Anchors, memory.Anchor{Path: path, Symbol: pick(r, []string{"", "Open", "größe"}), Commit: pick(r, []string{"", "c0ffee"}), Hash: r.Int64(), AtHand: r.IntN(3) == 0})
		}
	}
	return c
}

func addCrystals(t *testing.T, s *store.Store, crystals ...memory.Crystal) (documents []int64) {
	t.Helper()
	update(t, s, func(tx *store.Tx) error {
		documents = nil
		for _, c := range crystals {
			id, err := tx.AddCrystal(t.Context(), c, strings.Fields(c.Text))
			if err != nil {
				return err
			}
			documents = append(documents, id)
		}
		return nil
	})
	return documents
}

// expectCrystals compares, in the order given.
func expectCrystals(t *testing.T, s *store.Store, f store.CrystalFilter, want ...memory.Crystal) {
	t.Helper()
	view(t, s, func(tx *store.Tx) error {
		found, err := tx.Crystals(t.Context(), f)
		var got []memory.Crystal
		for _, k := range found {
			got = append(got, k.Crystal)
			one, err := tx.Crystal(t.Context(), k.ID)
			if err != nil || !reflect.DeepEqual(one, k) {
				t.Errorf("one %+v, in the list %+v (%v)", one, k, err)
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%+v: got %+v\nwant %+v", f, got, want)
		}
		f.Bare = true
		bare, errBare := tx.Crystals(t.Context(), f)
		for i := range found {
			found[i].Anchors = nil
		}
		if !reflect.DeepEqual(bare, found) {
			t.Errorf("%+v: got %+v\nwant %+v", f, bare, found)
		}
		return errors.Join(err, errBare)
	})
}

func latestFirst(a, b memory.Crystal) int {
	if order := b.SaidAt.Compare(a.SaidAt); order != 0 {
		return order
	}
	return strings.Compare(string(b.ID), string(a.ID))
}

var crystalCases = []contractCase{
	{"a brief reading has the beginning of a text", func(t *testing.T, h *home) {
		s := h.open()
		c := memory.Crystal{
			ID: crystalID(0), Project: place(1).Project(), Kind: memory.Fact, Text: strings.Repeat("ü", 5000), Lifecycle: memory.Generated, Origin: memory.OriginAgent, SaidAt: start, LastAt: start,
		}
		documents := addCrystals(t, s, c)
		for _, f := range []store.CrystalFilter{
			{Brief: true}, {Brief: true, Documents: documents}, {Brief: true, Projects: []memory.ProjectID{c.Project}, Kinds: []memory.CrystalKind{c.Kind}, Limit: 1},
		} {
			view(t, s, func(tx *store.Tx) error {
				found, err := tx.Crystals(t.Context(), f)
				if len(found) != 1 || found[0].Text != c.Text[:2*4096] || found[0].ID != c.ID {
					t.Errorf("%+v: %d found, with %d bytes", f, len(found), len(found[0].Text))
				}
				return err
			})
		}
	}},
	{"crystals are counted, read in parts, and found by their text, their agent and a day on which they held", func(t *testing.T, h *home) {
		s := h.open()
		said := edited(1, "said", "run", start)
		fill(t, s, said)
		var all []memory.Crystal
		for i := range 7 {
			c := memory.Crystal{
				ID: crystalID(i), Project: place(1).Project(), Kind: memory.Fact, Text: fmt.Sprintf("Number %d", i), Lifecycle: memory.Generated, Origin: memory.OriginUser,
				SaidAt: start.Add(time.Duration(i/2) * time.Hour), LastAt: start,
			}
			switch i {
			case 1:
				c.ValidTo = start.Add(3 * time.Hour)
			case 2:
				c.Text, c.Session = "100 % SURE_of it", sessionOf(said)
			case 3:
				c.Lifecycle = memory.Expired
			case 4:
				c.Lifecycle, c.Origin = memory.Archived, memory.OriginAgent
			}
			all = append(all, c)
		}
		addCrystals(t, s, all...)
		update(t, s, func(tx *store.Tx) error {
			return tx.Leave(t.Context(), store.Trace{Crystal: all[3].ID, What: "expired", At: start.Add(5 * time.Hour)})
		})
		slices.SortFunc(all, func(a, b memory.Crystal) int {
			return -cmp.Or(a.SaidAt.Compare(b.SaidAt), strings.Compare(string(a.ID), string(b.ID)))
		})
		for name, c := range map[string]struct {
			filter store.CrystalFilter
			want   []memory.CrystalID
		}{
			"all":                {store.CrystalFilter{}, nil},
			"words in any case":  {store.CrystalFilter{Contains: "0 % sure_OF"}, []memory.CrystalID{crystalID(2)}},
			"no such words":      {store.CrystalFilter{Contains: "0 _ sure"}, []memory.CrystalID{}},
			"an agent":           {store.CrystalFilter{Agent: "claude"}, []memory.CrystalID{crystalID(2)}},
			"another agent":      {store.CrystalFilter{Agent: "codex"}, []memory.CrystalID{}},
			"an origin":          {store.CrystalFilter{Origin: memory.OriginAgent}, []memory.CrystalID{crystalID(4)}},
			"on the first hour":  {store.CrystalFilter{AsOf: start.Add(time.Minute)}, []memory.CrystalID{crystalID(0), crystalID(1)}},
			"before two ended":   {store.CrystalFilter{AsOf: start.Add(2 * time.Hour)}, []memory.CrystalID{crystalID(0), crystalID(1), crystalID(2), crystalID(3), crystalID(5)}},
			"after one of them":  {store.CrystalFilter{AsOf: start.Add(3 * time.Hour)}, []memory.CrystalID{crystalID(0), crystalID(2), crystalID(3), crystalID(5), crystalID(6)}},
			"after both of them": {store.CrystalFilter{AsOf: start.Add(6 * time.Hour)}, []memory.CrystalID{crystalID(0), crystalID(2), crystalID(5), crystalID(6)}},
			"in a project":       {store.CrystalFilter{Projects: []memory.ProjectID{place(1).Project()}}, nil},
		} {
			var want []memory.CrystalID
			for _, one := range all {
				if c.want == nil || slices.Contains(c.want, one.ID) {
					want = append(want, one.ID)
				}
			}
			view(t, s, func(tx *store.Tx) error {
				n, err := tx.CountCrystals(t.Context(), c.filter)
				if int(n) != len(want) {
					t.Errorf("%s: counted %d, want %d", name, n, len(want))
				}
				var parts []memory.CrystalID
				for from := 0; from < len(want)+2; from += 2 {
					c.filter.Offset, c.filter.Limit = from, 2
					found, failed := tx.Crystals(t.Context(), c.filter)
					err = errors.Join(err, failed)
					for _, one := range found {
						parts = append(parts, one.ID)
					}
				}
				if !slices.Equal(parts, want) {
					t.Errorf("%s: in parts %v, want %v", name, parts, want)
				}
				return err
			})
		}
	}},
	{"a crystal round-trips with every field and is found by its words", func(t *testing.T, h *home) {
		s, r := h.open(), seed(t)
		for n := range 20 {
			c := someCrystal(r, n)
			c.Text = "only" + fmt.Sprint(n) + " is said"
			id := addCrystals(t, s, c)[0]
			expectCrystals(t, s, store.CrystalFilter{Prefix: string(c.ID)}, c)
			found := matched(t, s, store.Expression{All: []string{"only" + fmt.Sprint(n)}}, store.DocumentFilter{Projects: []memory.ProjectID{c.Project}})
			if len(found) != 1 || found[0].ID != id || found[0].Ref != string(c.ID) || found[0].Kind != string(c.Kind) || found[0].Origin != c.Origin {
				t.Errorf("found %+v, want document %d", found, id)
			}
			want := ""
			if i := slices.IndexFunc(c.Anchors, func(a memory.Anchor) bool { return !a.AtHand }); i >= 0 {
				want = c.Anchors[i].Path
			}
			if found[0].Path != want {
				t.Errorf("at %q, want %q", found[0].Path, want)
			}
		}
	}},
	{"a crystal says any text", func(t *testing.T, h *home) {
		s, r := h.open(), seed(t)
		n := 0
		for _, text := range awkwardTexts {
			n++
			c := someCrystal(r, n)
			c.Text, c.Source, c.Subject, c.Anchors = text, text, text, nil
			if len(c.Subject) > 1000 {
				c.Subject = ""
			}
			addCrystals(t, s, c)
			expectCrystals(t, s, store.CrystalFilter{Prefix: string(c.ID)}, c)
		}
	}},
	{"what the person rejected is found, and what an agent did or what holds again is not", func(t *testing.T, h *home) {
		s, r := h.open(), seed(t)
		var all []memory.Crystal
		for n := range 4 {
			c := someCrystal(r, n)
			c.Project, c.ValidTo = place(1).Project(), c.SaidAt.Add(time.Hour)
			all = append(all, c)
		}
		all[2].ValidTo = time.Time{}
		addCrystals(t, s, all...)
		update(t, s, func(tx *store.Tx) error {
			return tx.Leave(t.Context(), store.Trace{Crystal: all[0].ID, What: store.CalledWrong}, store.Trace{Crystal: all[0].ID, What: store.CalledWrong},
				store.Trace{Crystal: all[1].ID, What: store.CalledWrong, Detail: string(memory.OriginAgent)},
				store.Trace{Crystal: all[2].ID, What: store.CalledWrong}, store.Trace{Crystal: all[3].ID, What: "superseded"})
		})
		view(t, s, func(tx *store.Tx) error {
			found, err := tx.Rejected(t.Context(), []memory.ProjectID{place(1).Project(), 0})
			if len(found) != 1 || found[0].ID != all[0].ID || found[0].Text != all[0].Text {
				t.Errorf("rejected are %+v", found)
			}
			other, err2 := tx.Rejected(t.Context(), []memory.ProjectID{place(2).Project()})
			prompts, err3 := tx.Prompts(t.Context(), place(1).Project(), time.Time{}, 5)
			if len(other)+len(prompts) > 0 {
				t.Errorf("in another project %+v, prompts %+v", other, prompts)
			}
			return errors.Join(err, err2, err3)
		})
	}},
	{"each filter chooses what a plain search chooses", func(t *testing.T, h *home) {
		s, r := h.open(), seed(t)
		var all []memory.Crystal
		for n := range 150 {
			all = append(all, someCrystal(r, n))
		}
		documents := addCrystals(t, s, all...)
		number := map[memory.CrystalID]int64{}
		for i, c := range all {
			number[c.ID] = documents[i]
		}
		slices.SortFunc(all, latestFirst)
		for range 150 {
			f := store.CrystalFilter{OldestFirst: r.IntN(2) == 0}
			one := pick(r, all)
			for range 1 + r.IntN(2) {
				switch r.IntN(18) {
				case 0:
					f.Prefix = string(one.ID[:1+r.IntN(len(one.ID))])
				case 1:
					f.Projects = []memory.ProjectID{one.Project, place(2).Project()}[:1+r.IntN(2)]
				case 2:
					f.Kinds = []memory.CrystalKind{one.Kind, memory.Lesson}[:1+r.IntN(2)]
				case 3:
					f.Subject = one.Subject
				case 4:
					f.Hash = one.Hash()
				case 5:
					f.Path = pick(r, []string{"a.go", "src/b.go", "src", "ünï.go"})
				case 6:
					f.Lifecycle = one.Lifecycle
				case 7:
					f.Current = true
				case 8:
					f.Unsure = true
				case 9:
					f.SaidBefore = one.SaidAt
				case 10:
					f.UsedBefore = one.LastAt
				case 11:
					f.Origin = one.Origin
				case 12:
					f.Living = true
				case 13:
					f.Heard = true
				case 14:
					f.Stated = true
				case 15:
					f.Said = true
				case 16:
					f.Own = true
				case 17:
					f.Documents = []int64{}
					for range r.IntN(300) {
						f.Documents = append(f.Documents, pick(r, documents)+r.Int64N(2)*1_000_000)
					}
				}
			}
			if r.IntN(3) == 0 {
				f.Limit = 1 + r.IntN(9)
			}
			var want []memory.Crystal
			for _, c := range all {
				if strings.HasPrefix(string(c.ID), f.Prefix) && (len(f.Projects) == 0 || slices.Contains(f.Projects, c.Project)) &&
					(len(f.Kinds) == 0 || slices.Contains(f.Kinds, c.Kind)) && (f.Origin == "" || c.Origin == f.Origin) &&
					(!f.Said && !f.Own || c.Origin != memory.OriginFile) &&
					(!f.Living || c.Lifecycle.Living()) && (!f.Heard || c.Heard > 0) && (!f.Stated || c.Heard == 0) && (f.Subject == "" || c.Subject == f.Subject) && (f.Hash == 0 || c.Hash() == f.Hash) &&
					(f.Path == "" || slices.ContainsFunc(c.Anchors, func(a memory.Anchor) bool { return a.Path == f.Path })) &&
					(f.Lifecycle == "" || c.Lifecycle == f.Lifecycle) && (!f.Current || c.ValidTo.IsZero()) && (!f.Unsure || c.Unsure) &&
					(f.SaidBefore.IsZero() || c.SaidAt.Before(f.SaidBefore)) && (f.UsedBefore.IsZero() || c.LastAt.Before(f.UsedBefore)) &&
					(f.Documents == nil || slices.Contains(f.Documents, number[c.ID])) {
					want = append(want, c)
				}
			}
			if f.OldestFirst {
				slices.Reverse(want)
			}
			if f.Limit > 0 {
				want = want[:min(f.Limit, len(want))]
			}
			expectCrystals(t, s, f, want...)
		}
		view(t, s, func(tx *store.Tx) error {
			p := place(1).Project()
			var want []string
			var about []store.Anchored
			for _, path := range []string{"a.go", "src/b.go", "ünï.go"} {
				n := 0
				for _, c := range slices.SortedFunc(slices.Values(all), func(a, b memory.Crystal) int {
					if order := b.SaidAt.Compare(a.SaidAt); order != 0 {
						return order
					}
					return strings.Compare(string(a.ID), string(b.ID))
				}) {
					at := slices.IndexFunc(c.Anchors, func(a memory.Anchor) bool { return a.Path == path })
					if c.Project != p || at < 0 {
						continue
					}
					if !slices.Contains(want, path) {
						want = append(want, path)
					}
					if !c.Anchors[at].AtHand { // it speaks of the file
						if n++; n <= 3 {
							about = append(about, store.Anchored{Document: number[c.ID], Path: path})
						}
					}
				}
			}
			after, err3 := tx.CrystalsAfter(t.Context(), documents[9], 5)
			var next []int64
			for _, k := range after {
				next = append(next, k.Document)
				if one, err := tx.Crystal(t.Context(), k.ID); err != nil || !reflect.DeepEqual(one, k) {
					t.Errorf("one %+v, in the list %+v (%v)", one, k, err)
				}
			}
			spoken, err4 := tx.AnyAnchored(t.Context(), p)
			nowhere, err5 := tx.AnyAnchored(t.Context(), place(9).Project())
			if err := errors.Join(err3, err4, err5); err != nil || !slices.Equal(next, documents[10:15]) || !spoken || nowhere {
				t.Errorf("after the tenth %v, want %v; anything said %v, elsewhere %v (%v)", next, documents[10:15], spoken, nowhere, err)
			}
			got, err := tx.AnchoredPaths(t.Context(), p)
			files, err2 := tx.AboutFiles(t.Context(), p, []string{"a.go", "src/b.go", "nothing", "ünï.go"}, 3)
			if !slices.Equal(got, want) || !slices.Equal(files, about) {
				t.Errorf("spoken of: %q, want %q; said of them %v, want %v", got, want, files, about)
			}
			return errors.Join(err, err2)
		})
	}},
	{"what changes in a crystal's life is saved, what it says is not", func(t *testing.T, h *home) {
		s, r := h.open(), seed(t)
		addCrystals(t, s, someCrystal(r, 0))
		before := someCrystal(r, 1)
		addCrystals(t, s, before)
		for range 20 {
			after := someCrystal(r, 1)
			update(t, s, func(tx *store.Tx) error { return tx.SaveCrystal(t.Context(), after) })
			after.Project, after.Kind, after.Text, after.Origin, after.SaidAt =
				before.Project, before.Kind, before.Text, before.Origin, before.SaidAt
			expectCrystals(t, s, store.CrystalFilter{Prefix: string(after.ID)}, after)
		}
	}},
	{"a crystal that is there cannot be added, one that is not cannot be saved", func(t *testing.T, h *home) {
		s, r := h.open(), seed(t)
		c := someCrystal(r, 1)
		addCrystals(t, s, c)
		update(t, s, func(tx *store.Tx) error {
			other := c
			other.Text = "something else"
			for _, again := range []memory.Crystal{c, other} {
				if _, err := tx.AddCrystal(t.Context(), again, nil); !errors.Is(err, memory.ErrConflict) {
					t.Errorf("added again: %v", err)
				}
			}
			missing := someCrystal(r, 2)
			_, err := tx.Crystal(t.Context(), missing.ID)
			for what, err := range map[string]error{
				"read": err, "saved": tx.SaveCrystal(t.Context(), missing), "deleted": tx.Drop(t.Context(), missing.ID),
			} {
				if !errors.Is(err, memory.ErrNotFound) {
					t.Errorf("%s: %v", what, err)
				}
			}
			return nil
		})
		expectCrystals(t, s, store.CrystalFilter{}, c)
	}},
	{"traces stay in order and are handed over with their crystal", func(t *testing.T, h *home) {
		s, r := h.open(), seed(t)
		one, other := someCrystal(r, 1), someCrystal(r, 2)
		one.SaidAt, other.SaidAt = start, start.Add(time.Minute)
		addCrystals(t, s, other, one)
		then := start.Add(-time.Hour)
		update(t, s, func(tx *store.Tx) error {
			return tx.Leave(t.Context(), store.Trace{Crystal: one.ID, What: "said", Detail: "'größe' $1 ?"}, store.Trace{Crystal: other.ID, What: "said"},
				store.Trace{Crystal: one.ID, What: "used", At: then})
		})
		want := [][]store.Trace{
			{{Crystal: one.ID, At: start, What: "said", Detail: "'größe' $1 ?"}, {Crystal: one.ID, At: then, What: "used"}},
			{{Crystal: other.ID, At: start, What: "said"}},
		}
		view(t, s, func(tx *store.Tx) error {
			first, err := tx.Traces(t.Context(), one.ID)
			second, err2 := tx.Traces(t.Context(), other.ID)
			if got := [][]store.Trace{first, second}; !reflect.DeepEqual(got, want) {
				t.Errorf("got %v, want %v", got, want)
			}
			return errors.Join(err, err2)
		})
	}},
	{"a deleted crystal leaves nothing but that it was", func(t *testing.T, h *home) {
		s, r := h.open(), seed(t)
		gone, stays := someCrystal(r, 1), someCrystal(r, 2)
		gone.Text, gone.Anchors, stays.Text = "secreta shared", []memory.Anchor{{Path: "a.go"}}, "shared"
		ids := addCrystals(t, s, gone, stays)
		update(t, s, func(tx *store.Tx) error {
			return errors.Join(
				tx.SetVectors(t.Context(), "x", []store.DocumentVector{{Document: ids[0], Vector: memory.Vector{1}}, {Document: ids[1], Vector: memory.Vector{1}}}),
				tx.Leave(t.Context(), store.Trace{Crystal: gone.ID, What: "said", Detail: "secreta"}), tx.Drop(t.Context(), gone.ID))
		})
		expectCrystals(t, s, store.CrystalFilter{}, stays)
		expectFrequency(t, s, []store.Document{said("x", "shared")})
		expectMeanings(t, s, "x", ids[1:])
		view(t, s, func(tx *store.Tx) error {
			traces, err := tx.Traces(t.Context(), gone.ID)
			paths, err2 := tx.AnchoredPaths(t.Context(), gone.Project)
			known, err3 := tx.Known(t.Context(), memory.EventID(gone.ID))
			if len(traces) != 0 || slices.Contains(paths, "a.go") && !slices.ContainsFunc(stays.Anchors, func(a memory.Anchor) bool { return a.Path == "a.go" }) || !known {
				t.Errorf("traces %v, places %v, known %v", traces, paths, known)
			}
			return errors.Join(err, err2, err3)
		})
	}},
	{"a crystal speaks of places longer than an index holds", func(t *testing.T, h *home) {
		s, r := h.open(), seed(t)
		var b strings.Builder
		for b.Len() < 16_000 {
			b.WriteRune(rune('\u4e00' + r.IntN(20_000)))
		}
		c := someCrystal(r, 1)
		c.Anchors, c.Subject = []memory.Anchor{{Path: b.String(), Symbol: b.String()}}, b.String()
		addCrystals(t, s, c)
		view(t, s, func(tx *store.Tx) error {
			byPath, err := tx.Crystals(t.Context(), store.CrystalFilter{Path: b.String()})
			bySubject, err2 := tx.Crystals(t.Context(), store.CrystalFilter{Subject: b.String()})
			about, err3 := tx.AboutFiles(t.Context(), c.Project, []string{b.String()}, 1)
			if len(byPath) != 1 || len(bySubject) != 1 || len(about) != 1 {
				t.Errorf("%d by path, %d by subject, %d about the file", len(byPath), len(bySubject), len(about))
			}
			return errors.Join(err, err2, err3)
		})
	}},
}
