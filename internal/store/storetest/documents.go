package storetest

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

var documentCases = []contractCase{
	{"a document round-trips with any text", func(t *testing.T, h *home) {
		s := h.open()
		fill(t, s, edited(1, "e", "run", start))
		for name, text := range awkwardTexts {
			d := store.Document{
				Ref: "ref" + name, Project: place(1).Project(), Kind: "k" + text, Origin: memory.OriginWeb, At: start.Add(time.Minute), Path: "p" + text,
				Title: text, Text: text, Words: []string{"one", "two", "one"}, Around: []string{"three"}, Session: 9, EventSeq: 1,
			}
			if len(d.Path) > 1000 {
				d.Path = "p"
			}
			d.ID = addDocuments(t, s, d)[0]
			view(t, s, func(tx *store.Tx) error {
				return expect(t, name, []store.Document{d})(tx.DocumentsByRef(t.Context(), "nothing", d.Ref))
			})
		}
	}},
	{"a document that says the same keeps its number, any other takes its place", func(t *testing.T, h *home) {
		s := h.open()
		d := said("a", "mend the login")
		d.Around = []string{"before"}
		first := addDocuments(t, s, d, said("b", "other"))
		if again := addDocuments(t, s, d, said("b", "other")); !slices.Equal(again, first) {
			t.Errorf("the same got the numbers %v, had %v", again, first)
		}
		last := first[0]
		for name, change := range map[string]func(d *store.Document){
			"a text":      func(d *store.Document) { d.Text = "mend the logout" },
			"words":       func(d *store.Document) { d.Words = []string{"logout"} },
			"neighbours":  func(d *store.Document) { d.Around = []string{"behind"} },
			"a path":      func(d *store.Document) { d.Path = "x.go" },
			"a time":      func(d *store.Document) { d.At = start.Add(time.Second) },
			"an origin":   func(d *store.Document) { d.Origin = memory.OriginWeb },
			"a title":     func(d *store.Document) { d.Title = "x" },
			"a project":   func(d *store.Document) { d.Project = 0 },
			"another one": func(d *store.Document) { d.Kind = "x" },
		} {
			changed := d
			change(&changed)
			id := addDocuments(t, s, changed)[0]
			if id <= last {
				t.Errorf("%s: number %d after %d", name, id, last)
			}
			last = id
			for _, w := range []string{"mend", "logout", "before", "behind"} {
				want := 0
				if slices.Contains(changed.Words, w) || slices.Contains(changed.Around, w) {
					want = 1
				}
				if got := matched(t, s, store.Expression{All: []string{w}}, store.DocumentFilter{}); len(got) != want {
					t.Errorf("%s: %q finds %d, want %d", name, w, len(got), want)
				}
			}
		}
	}},
	{"of two of one name in one call the last stays", func(t *testing.T, h *home) {
		s := h.open()
		ids := addDocuments(t, s, said("a", "one two"), said("a", "one three"), said("b", "four"), said("a", "one three"))
		if ids[0] != ids[3] || ids[1] != ids[3] || ids[2] == ids[3] {
			t.Errorf("numbers %v", ids)
		}
		expectFrequency(t, s, []store.Document{said("a", "one three"), said("b", "four")})
	}},
	{"full text finds what a plain search finds", func(t *testing.T, h *home) {
		s, r := h.open(), seed(t)
		kept := map[string]store.Document{}
		for round := range 8 {
			var docs []store.Document
			for range 25 {
				docs = append(docs, someDocument(r, fmt.Sprint("ref ", r.IntN(90))))
			}
			ids := addDocuments(t, s, docs...)
			for i, d := range docs {
				d.ID, d.Words, d.Around = ids[i], compared(d.Words), compared(d.Around)
				kept[d.Ref] = d
			}
			update(t, s, func(tx *store.Tx) error {
				var gone []int64
				for ref, d := range kept {
					if r.IntN(6) == 0 {
						gone = append(gone, d.ID)
						delete(kept, ref)
					}
				}
				return tx.DeleteDocuments(t.Context(), append(gone, 999_999)...)
			})
			all := make([]store.Document, 0, len(kept))
			for _, d := range kept {
				all = append(all, d)
			}
			slices.SortFunc(all, func(a, b store.Document) int { return int(b.ID - a.ID) })
			for range 40 {
				e := store.Expression{All: someWords(r, 2), Any: someWords(r, 6)}
				for range r.IntN(3) {
					e.Phrases = append(e.Phrases, someWords(r, 3))
				}
				if r.IntN(2) == 0 && len(all) > 0 { // one that is there
					d := pick(r, all)
					e = store.Expression{}
					if n := len(d.Words); n > 0 {
						at := r.IntN(n)
						e.Phrases = [][]string{d.Words[at:min(n, at+1+r.IntN(3))]}
					}
				}
				f := someFilter(r)
				var want []int64
				for _, d := range all {
					if chosen(d, e, f) && (f.Limit == 0 || len(want) < f.Limit) {
						want = append(want, d.ID)
					}
				}
				got := matched(t, s, e, f)
				if !slices.Equal(numbers(got), want) {
					t.Fatalf("round %d: %+v %+v: got %v, want %v", round, e, f, numbers(got), want)
				}
				for _, d := range got {
					if !reflect.DeepEqual(emptied(d), emptied(kept[d.Ref])) {
						t.Fatalf("got %+v, want %+v", d, kept[d.Ref])
					}
				}
				expectListed(t, s, all, f)
			}
			expectFrequency(t, s, all)
		}
	}},
	{"no word makes a search fail", func(t *testing.T, h *home) {
		s := h.open()
		addDocuments(t, s, store.Document{Ref: "odd", At: start, Words: oddWords, Around: oddWords})
		inAll := store.DocumentFilter{Projects: []memory.ProjectID{0}}
		for _, w := range oddWords {
			for _, e := range []store.Expression{{All: []string{w}}, {Any: []string{w, w}}, {Phrases: [][]string{{w}, {}}}} {
				if found := matched(t, s, e, inAll); len(found) != len(compared([]string{w})) {
					t.Errorf("%q finds %d", w, len(found))
				}
			}
			matched(t, s, store.Expression{Phrases: [][]string{{w, w}}}, inAll)
		}
		if found := matched(t, s, store.Expression{All: oddWords, Any: oddWords}, inAll); len(found) != 1 {
			t.Errorf("all of them find %d", len(found))
		}
		view(t, s, func(tx *store.Tx) error {
			_, err := tx.Frequency(t.Context(), memory.GroupMemory, oddWords)
			return err
		})
	}},
	{"many words find and are found", func(t *testing.T, h *home) {
		s := h.open()
		many := make([]string, 20_000)
		for i := range many {
			many[i] = fmt.Sprintf("w%d", i)
		}
		ids := addDocuments(t, s, store.Document{Ref: "many", At: start, Words: many}, store.Document{Ref: "few", At: start, Words: many[:1], Around: many[19_000:]})
		if got := numbers(matched(t, s, store.Expression{Any: many[:3000]}, store.DocumentFilter{})); !slices.Equal(got, []int64{ids[1], ids[0]}) {
			t.Errorf("any of 3,000: %v", got)
		}
		if got := numbers(matched(t, s, store.Expression{All: many[:3000]}, store.DocumentFilter{})); !slices.Equal(got, ids[:1]) {
			t.Errorf("all of 3,000: %v", got)
		}
		if got := numbers(matched(t, s, store.Expression{Phrases: [][]string{many[5000:5200]}}, store.DocumentFilter{})); !slices.Equal(got, ids[:1]) {
			t.Errorf("a phrase of 200: %v", got)
		}
		update(t, s, func(tx *store.Tx) error { return tx.DeleteDocuments(t.Context(), ids...) })
		expectFrequency(t, s, nil)
	}},
	{"a path is a file or a folder above it", func(t *testing.T, h *home) {
		s := h.open()
		paths := []string{"src/a.go", "src/b/c.go", "src", "srcs/a.go", "src.go", "src-old/a", "src0", "日本/a.go", "", "a/src/b"}
		for _, p := range paths {
			d := said("at "+p, "word")
			d.Path = p
			addDocuments(t, s, d)
		}
		for filter, want := range map[string][]string{
			"src": {"a/src/b", "src", "src/b/c.go", "src/a.go"}, "src/": {"a/src/b", "src", "src/b/c.go", "src/a.go"}, "src/b": {"a/src/b", "src/b/c.go"},
			"src/a.go": {"src/a.go"}, "sr": nil, "日本": {"日本/a.go"}, "a": {"a/src/b", "src-old/a"}, "%": nil, "_rc": nil, "c.go": {"src/b/c.go"}, "b/c.go": {"src/b/c.go"},
			"*/a.go": {"日本/a.go", "srcs/a.go", "src/a.go"}, "src?": {"src0"}, "src*/a.go": {"srcs/a.go", "src/a.go"}, "*%*": nil, `\`: nil,
		} {
			var got []string
			for _, d := range matched(t, s, store.Expression{Any: []string{"word"}}, store.DocumentFilter{Paths: []string{filter}}) {
				got = append(got, d.Path)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%q: got %q, want %q", filter, got, want)
			}
		}
	}},
	{"names longer than an index holds are found by all of themselves", func(t *testing.T, h *home) {
		s, r := h.open(), seed(t)
		noise := func() string {
			var b strings.Builder
			b.WriteString("dir/")
			for b.Len() < 16_000 {
				b.WriteRune(rune('\u4e00' + r.IntN(20_000)))
			}
			return b.String()
		}
		base := noise()
		for i, name := range []string{base, base + "x", noise()} {
			d := said("ref "+name, "word")
			d.Path = name
			id := addDocuments(t, s, d)[0]
			if again := addDocuments(t, s, d)[0]; again != id {
				t.Errorf("the same got number %d, had %d", again, id)
			}
			view(t, s, func(tx *store.Tx) error {
				byRef, err := tx.DocumentsByRef(t.Context(), d.Ref)
				var byPath, folder []store.Document
				err2 := tx.LatestStubs(t.Context(), store.DocumentFilter{Paths: []string{name}}, stubed(&byPath))
				err3 := tx.LatestStubs(t.Context(), store.DocumentFilter{Paths: []string{"dir"}}, stubed(&folder))
				if !slices.Equal(numbers(byRef), []int64{id}) || !slices.Equal(numbers(byPath), []int64{id}) || len(folder) != i+1 {
					t.Errorf("found %v by name, %v by path, %d in the folder", numbers(byRef), numbers(byPath), len(folder))
				}
				return errors.Join(err, err2, err3)
			})
		}
	}},
	{"documents are counted by kind", func(t *testing.T, h *home) {
		s := h.open()
		for i, kind := range []string{"a", "a", "b"} {
			for p := range 2 {
				d := said(fmt.Sprint(i, " in ", p), "x")
				d.Kind, d.Project = kind, place(p+1).Project()
				addDocuments(t, s, d)
			}
		}
		view(t, s, func(tx *store.Tx) error {
			return errors.Join(
				expect(t, "one", map[string]int64{"a": 2, "b": 1})(tx.CountDocuments(t.Context(), place(1).Project())),
				expect(t, "all", map[string]int64{"a": 4, "b": 2})(tx.CountDocuments(t.Context(), 0)))
		})
	}},
	{"what was made of a forgotten event goes with it, and its words", func(t *testing.T, h *home) {
		s := h.open()
		fill(t, s, edited(1, "a", "run", start), edited(1, "b", "run", start), edited(1, "c", "other", start), edited(1, "d", "", start))
		var docs []store.Document
		for i, name := range []string{"a", "b", "c", "d"} {
			d := said(name, "secret"+name+" shared")
			d.EventSeq, d.Around = int64(i+1), []string{"near" + name}
			if i < 2 {
				d.Session, d.Around = sessionOf(edited(1, name, "run", start)), []string{"secreta"}
			}
			docs = append(docs, d)
		}
		docs = append(docs, said("none", "shared"))
		ids := addDocuments(t, s, docs...)
		update(t, s, func(tx *store.Tx) error {
			for _, id := range ids {
				if err := tx.SetVectors(t.Context(), "space", []store.DocumentVector{{Document: id, Vector: memory.Vector{1}}}); err != nil {
					return err
				}
			}
			_, _, err := tx.Forget(t.Context(), store.EventFilter{ID: edited(1, "a", "run", start).ID})
			return err
		})
		// The turn beside it held its words too.
		if got := numbers(matched(t, s, store.Expression{Any: []string{"secreta", "secretb", "shared"}}, store.DocumentFilter{})); !slices.Equal(got, []int64{ids[4], ids[3], ids[2]}) {
			t.Errorf("found %v of %v", got, ids)
		}
		expectFrequency(t, s, docs[2:])
		expectMeanings(t, s, "space", ids[2:])
		update(t, s, func(tx *store.Tx) error {
			_, _, err := tx.Forget(t.Context(), store.EventFilter{Project: place(1).Project()})
			return err
		})
		expectFrequency(t, s, nil) // the project went, and what was said in it by nobody
		expectMeanings(t, s, "space", nil)
	}},
	{"a project about which something was said stays without events", func(t *testing.T, h *home) {
		s := h.open()
		fill(t, s, edited(1, "a", "run", start), edited(2, "b", "run", start))
		c := someCrystal(seed(t), 1)
		c.Project = place(1).Project()
		addCrystals(t, s, c)
		update(t, s, func(tx *store.Tx) error {
			_, err := tx.SaveEntity(t.Context(), memory.Entity{Project: place(2).Project(), Name: "Ada", CreatedAt: start})
			return err
		})
		for n := range 2 {
			update(t, s, func(tx *store.Tx) error {
				gone, _, err := tx.Forget(t.Context(), store.EventFilter{Project: place(n + 1).Project()})
				if gone.Projects != 0 {
					t.Error("the project went")
				}
				return err
			})
		}
		expectCrystals(t, s, store.CrystalFilter{}, c)
	}},
	{"meanings round-trip, each in its space", func(t *testing.T, h *home) {
		s := h.open()
		code := said("c", "three")
		code.Kind = memory.SnippetText
		ids := addDocuments(t, s, said("a", "one"), said("b", "two"), code)
		var every memory.Vector
		for x := math.MinInt8; x <= math.MaxInt8; x++ {
			every = append(every, int8(x))
		}
		set := func(space string, m ...store.DocumentVector) {
			update(t, s, func(tx *store.Tx) error { return tx.SetVectors(t.Context(), space, m) })
		}
		set("one", store.DocumentVector{Document: ids[2], Vector: every}, store.DocumentVector{Document: ids[0], Vector: memory.Vector{1}}, store.DocumentVector{Document: ids[1]},
			store.DocumentVector{Document: 999_999, Vector: every}) // gone meanwhile
		set("two", store.DocumentVector{Document: ids[1], Vector: memory.Vector{7}})
		set("one", store.DocumentVector{Document: ids[0], Vector: memory.Vector{-128, 0, 127}})
		expectMeanings(t, s, "one", []int64{ids[0], ids[2]})
		expectMeanings(t, s, "two", ids[1:2])
		view(t, s, func(tx *store.Tx) error {
			var got []store.DocumentVector
			err := tx.EachVector(t.Context(), "one", ids[0]-1, func(m store.DocumentVector) error {
				m.Vector = slices.Clone(m.Vector)
				got = append(got, m)
				return nil
			})
			p := place(1).Project()
			want := []store.DocumentVector{
				{Document: ids[0], Project: p, Group: memory.GroupMemory, Vector: memory.Vector{-128, 0, 127}},
				{Document: ids[2], Project: p, Group: memory.GroupCode, Vector: every},
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("got %v, want %v", got, want)
			}
			after := 0
			err2 := tx.EachVector(t.Context(), "one", ids[0], func(m store.DocumentVector) error { after++; return nil })
			stop := errors.New("enough")
			err3 := tx.EachVector(t.Context(), "one", 0, func(store.DocumentVector) error { return stop })
			if after != 1 || !errors.Is(err3, stop) {
				t.Errorf("%d after the first; stopped with %v", after, err3)
			}
			counted, err4 := tx.CountVectors(t.Context(), "one")
			some, err5 := tx.VectorsOf(t.Context(), "one", []int64{ids[2], ids[1], 999_999, ids[0]})
			if counted != 2 || !reflect.DeepEqual(some, map[int64]memory.Vector{ids[0]: {-128, 0, 127}, ids[2]: every}) {
				t.Errorf("counted %d, read %v", counted, some)
			}
			return errors.Join(err, err2, err4, err5)
		})
	}},
	{"what was said is read in order, with the files that were edited for it", func(t *testing.T, h *home) {
		s := h.open()
		prompt := func(id string, kind memory.EventKind, run, text string, paths ...string) memory.Event {
			e := edited(1, id, run, start, paths...)
			e.Kind, e.Text = kind, text
			return e
		}
		fill(t, s,
			prompt("1", memory.Prompted, "run", "mend it"), prompt("2", memory.ToolUsed, "run", "tool", "b.go", "a.go"), prompt("3", memory.TurnEnded, "run", "done"),
			prompt("4", memory.Prompted, "run", ""), prompt("5", memory.Committed, "", "fix login", "a.go"), prompt("6", memory.Prompted, "run", "more"),
			prompt("7", memory.ToolUsed, "run", "tool", "c.go"))
		view(t, s, func(tx *store.Tx) error {
			texts := func(list []store.Numbered, err error) string {
				if err != nil {
					t.Error(err)
				}
				var out []string
				for _, e := range list {
					out = append(out, fmt.Sprint(e.Seq, " ", e.Text, " ", len(e.Touches)))
				}
				return strings.Join(out, ", ")
			}
			run := sessionOf(edited(1, "1", "run", start))
			for _, c := range []struct{ what, got, want string }{
				{"all", texts(tx.EventsWithText(t.Context(), 0, 9)), "1 mend it 0, 3 done 0, 5 fix login 1, 6 more 0"},
				{"after the first", texts(tx.EventsWithText(t.Context(), 1, 2)), "3 done 0, 5 fix login 1"},
				{"of a session", texts(tx.SaidBetween(t.Context(), run, 0, 99)), "1 mend it 0, 3 done 0, 6 more 0"},
				{"of a part of it", texts(tx.SaidBetween(t.Context(), run, 3, 4)), "3 done 0"},
			} {
				if c.got != c.want {
					t.Errorf("%s: %s\nwant %s", c.what, c.got, c.want)
				}
			}
			if n, err := tx.CountEventsWithText(t.Context(), 1); err != nil || n != 3 {
				t.Errorf("%d after the first (%v)", n, err)
			}
			edits, err := tx.EditedBetween(t.Context(), run, 1, 3, 9)
			few, err2 := tx.EditedBetween(t.Context(), run, 0, 99, 2)
			if !slices.Equal(edits, []string{"a.go", "b.go"}) || !slices.Equal(few, []string{"a.go", "b.go"}) {
				t.Errorf("edited %v, and of all %v", edits, few)
			}
			return errors.Join(err, err2)
		})
	}},
	{"sources and their fragments come and go together", func(t *testing.T, h *home) {
		s, p := h.open(), place(1).Project()
		fragment := func(path, text string) store.Document {
			d := said(path+": "+text, text)
			d.Path, d.Kind = path, "snippet"
			return d
		}
		note := said("note", "said of it")
		note.Path = "a.go"
		ids := addDocuments(t, s, fragment("a.go", "one"), fragment("a.go", "two"), fragment("b.go", "three"), note)
		a := store.Source{Path: "a.go", Size: 5, Modified: 7, Hash: -9}
		b := store.Source{Path: "b.go", Skipped: "generated"}
		update(t, s, func(tx *store.Tx) error {
			return errors.Join(tx.SaveSource(t.Context(), p, b), tx.SaveSource(t.Context(), p, store.Source{Path: "a.go"}), tx.SaveSource(t.Context(), p, a),
				tx.SaveSource(t.Context(), 5, a), tx.SetLines(t.Context(), ids[0], store.Lines{First: 9, Last: 9}),
				tx.SetLines(t.Context(), ids[0], store.Lines{First: 1, Last: 3}), tx.SetLines(t.Context(), ids[2], store.Lines{First: 4, Last: 8}))
		})
		expect := func(sources []store.Source, lines map[int64]store.Lines, documents ...int64) {
			t.Helper()
			view(t, s, func(tx *store.Tx) error {
				got, err := tx.Sources(t.Context(), p)
				at, err2 := tx.LinesOf(t.Context(), append([]int64{999_999}, ids...))
				docs, err3 := tx.Texts(t.Context(), ids)
				left := numbers(docs)
				slices.Sort(left)
				if !slices.Equal(got, sources) || !reflect.DeepEqual(at, lines) || !slices.Equal(left, documents) {
					t.Errorf("sources %v, lines %v, documents %v of %v", got, at, left, ids)
				}
				return errors.Join(err, err2, err3)
			})
		}
		first, third := store.Lines{First: 1, Last: 3}, store.Lines{First: 4, Last: 8}
		expect([]store.Source{a, b}, map[int64]store.Lines{ids[0]: first, ids[2]: third}, ids...)
		update(t, s, func(tx *store.Tx) error { return tx.DropFragments(t.Context(), p, "a.go", "snippet", ids[:1]) })
		expect([]store.Source{a, b}, map[int64]store.Lines{ids[0]: first, ids[2]: third}, ids[0], ids[2], ids[3])
		update(t, s, func(tx *store.Tx) error { return tx.DropSource(t.Context(), p, "a.go", "snippet") })
		expect([]store.Source{b}, map[int64]store.Lines{ids[2]: third}, ids[2:]...)
	}},
}
