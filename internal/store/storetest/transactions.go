package storetest

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/store"
)

var errOnPurpose = errors.New("on purpose")

var transactionCases = []contractCase{
	{"a transaction has one instant, in whole milliseconds", func(t *testing.T, h *home) {
		h.now = start.Add(123456789 * time.Nanosecond)
		calls := 0
		s := must.Get(h.Open(t.Context(), Options{Now: func() time.Time {
			calls++
			return h.Now().Add(time.Duration(calls) * time.Second)
		}}))(t)
		defer func() { _ = s.Close() }() // the examination closes it again and reports
		calls = 0
		update(t, s, func(tx *store.Tx) error {
			if want := start.Add(time.Second + 123*time.Millisecond); !tx.Now.Equal(want) {
				t.Errorf("tx.Now is %v, want %v", tx.Now, want)
			}
			if tx.Now.Location() != time.UTC {
				t.Errorf("tx.Now is in %v", tx.Now.Location())
			}
			_, err := record(t.Context(), tx, edited(1, "a", "run", tx.Now, "a.go"))
			return err
		})
		if calls != 1 {
			t.Errorf("the clock was read %d times in one transaction", calls)
		}
	}},
	{"an error of fn leaves nothing and comes back as it is", func(t *testing.T, h *home) {
		s := h.open()
		for _, run := range []func(context.Context, func(*store.Tx) error) error{s.Update, s.UpdateDurable} {
			err := run(t.Context(), func(tx *store.Tx) error {
				if _, err := record(t.Context(), tx, edited(1, "a", "run", start, "a.go")); err != nil {
					return err
				}
				if err := store.NewFact[string]("mark").Set(t.Context(), tx, "1"); err != nil {
					return err
				}
				return errOnPurpose
			})
			if !errors.Is(err, errOnPurpose) {
				t.Errorf("got %v, want the error of fn", err)
			}
			expectEmpty(t, s)
		}
	}},
	{"a panic in fn leaves nothing and the store goes on", func(t *testing.T, h *home) {
		s := h.open()
		func() {
			defer func() {
				if recover() == nil {
					t.Error("the panic was swallowed")
				}
			}()
			_ = s.Update(t.Context(), func(tx *store.Tx) error { // it does not return
				if _, err := record(t.Context(), tx, edited(1, "a", "run", start, "a.go")); err != nil {
					t.Error(err)
				}
				panic("on purpose")
			})
		}()
		expectEmpty(t, s)
		fill(t, s, edited(1, "b", "run", start, "b.go"))
	}},
	{"a cancelled transaction leaves nothing and the store goes on", func(t *testing.T, h *home) {
		s := h.open()
		ctx, cancel := context.WithCancel(t.Context())
		err := s.Update(ctx, func(tx *store.Tx) error {
			if _, err := record(ctx, tx, edited(1, "a", "run", start, "a.go")); err != nil {
				return err
			}
			cancel()
			return nil
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want a cancellation", err)
		}
		expectEmpty(t, s)
		fill(t, s, edited(1, "b", "run", start, "b.go"))
	}},
	{"the rows of write transactions are counted", func(t *testing.T, h *home) {
		s := h.open()
		var seen []store.RowCount
		open := 0
		s.Watch(func() func(store.RowCount) {
			open++
			return func(rows store.RowCount) { open, seen = open-1, append(seen, rows) }
		})
		fill(t, s, edited(1, "a", "", start, "a.go", "b.go")) // one project, one event, two accesses, two neurons
		update(t, s, func(tx *store.Tx) error {
			_, err := tx.Events(t.Context(), store.EventFilter{}) // the event with two touches
			return err
		})
		failed := errors.New("on purpose")
		if err := s.Update(t.Context(), func(*store.Tx) error { return failed }); !errors.Is(err, failed) {
			t.Error(err)
		}
		view(t, s, func(tx *store.Tx) error {
			_, err := tx.Events(t.Context(), store.EventFilter{})
			return err
		})
		if open != 0 || len(seen) != 3 || seen[0].Written != 6 || seen[1] != (store.RowCount{Read: 3}) || seen[2] != (store.RowCount{}) {
			t.Errorf("%d transactions open, seen %+v", open, seen)
		}
	}},
	{"a view sees one state while others write", func(t *testing.T, h *home) {
		s, other := h.open(), h.open()
		fill(t, s, edited(1, "a", "run", start, "a.go"))
		view(t, s, func(tx *store.Tx) error {
			before, err := tx.CountEvents(t.Context(), store.EventFilter{})
			if err != nil {
				return err
			}
			fill(t, other, edited(1, "b", "run", start, "b.go"))
			after, err := tx.CountEvents(t.Context(), store.EventFilter{})
			if before != 1 || after != 1 {
				t.Errorf("counted %d, then %d in the same view, want 1 and 1", before, after)
			}
			return err
		})
		expectEvents(t, s, 2)
	}},
	{"a stopped clock gives transactions its instant and leaves the store's own clock alone", func(t *testing.T, h *home) {
		s := h.open()
		then := start.Add(-time.Hour)
		for at, one := range map[time.Time]*store.Store{then: s.At(then, nil), h.Now().UTC(): s} {
			update(t, one, func(tx *store.Tx) error {
				if !tx.Now.Equal(at) {
					t.Errorf("tx.Now is %v, want %v", tx.Now, at)
				}
				return nil
			})
		}
	}},
	{"facts about several things are apart, and old ones can be cleared", func(t *testing.T, h *home) {
		s, said := h.open(), store.NewFact[int]("said")
		facts := []store.Fact[int]{said, said.Of(1), said.About("a"), said.Of(1).About("a"), store.NewFact[int]("other")}
		set := func(value int, facts ...store.Fact[int]) {
			update(t, s, func(tx *store.Tx) (err error) {
				for i, f := range facts {
					err = errors.Join(err, f.Set(t.Context(), tx, value+i))
				}
				return err
			})
		}
		expect := func(want ...int) {
			t.Helper()
			view(t, s, func(tx *store.Tx) error {
				for i, f := range facts {
					if value, err := f.Get(t.Context(), tx); err != nil || value != want[i] {
						t.Errorf("fact %d is %d, want %d, %v", i, value, want[i], err)
					}
				}
				return nil
			})
		}
		set(10, facts...)
		expect(10, 11, 12, 13, 14)
		h.mu.Lock()
		h.now = h.now.Add(time.Minute)
		h.mu.Unlock()
		set(20, said.About("a"))
		update(t, s, func(tx *store.Tx) error { return said.ClearBefore(t.Context(), tx, tx.Now) })
		expect(0, 0, 20, 0, 14)
		update(t, s, func(tx *store.Tx) error { return said.About("a").Clear(t.Context(), tx) })
		expect(0, 0, 0, 0, 14)
	}},
	{"a fact that is not what it should be is damaged", func(t *testing.T, h *home) {
		s := h.open()
		update(t, s, func(tx *store.Tx) error { return store.NewFact[string]("mark").Set(t.Context(), tx, "text") })
		err := s.View(t.Context(), func(tx *store.Tx) error { _, err := store.NewFact[int]("mark").Get(t.Context(), tx); return err })
		if !errors.Is(err, memory.ErrDamaged) {
			t.Errorf("got %v, want damage", err)
		}
	}},
	{"a view cannot write", func(t *testing.T, h *home) {
		s := h.open()
		err := s.View(t.Context(), func(tx *store.Tx) error { return store.NewFact[string]("mark").Set(t.Context(), tx, "1") })
		if !errors.Is(err, memory.ErrRefused) {
			t.Errorf("got %v, want a refusal", err)
		}
		expectEmpty(t, s)
	}},
	{"writers take turns: what a transaction has read stays true until it commits", func(t *testing.T, h *home) {
		const writers, rounds = 4, 15
		stores := []*store.Store{h.open(), h.open()}
		inParallel(t, writers, func(w int) error {
			for range rounds {
				err := stores[w%len(stores)].Update(t.Context(), func(tx *store.Tx) error {
					value, err := store.NewFact[string]("counter").Get(t.Context(), tx)
					if err != nil {
						return err
					}
					return store.NewFact[string]("counter").Set(t.Context(), tx, value+"x")
				})
				if err != nil {
					return err
				}
			}
			return nil
		})
		view(t, stores[0], func(tx *store.Tx) error {
			value, err := store.NewFact[string]("counter").Get(t.Context(), tx)
			if len(value) != writers*rounds {
				t.Errorf("%d of %d read-then-write transactions are in the result", len(value), writers*rounds)
			}
			return err
		})
	}},
	{"a closed store refuses and does not hang", func(t *testing.T, h *home) {
		s := must.Get(h.Open(t.Context(), h.options()))(t)
		must.Do(t, s.Close())
		if err := s.Update(t.Context(), func(*store.Tx) error { return nil }); err == nil {
			t.Error("update on a closed store succeeded")
		}
		if err := s.Close(); err != nil {
			t.Errorf("closing twice: %v", err)
		}
	}},
}

// inParallel runs fn n times at once and reports the first error of each.
func inParallel(t *testing.T, n int, fn func(i int) error) {
	t.Helper()
	errs := make(chan error, n)
	for i := range n {
		go func() { errs <- fn(i) }()
	}
	for range n {
		if err := <-errs; err != nil {
			t.Errorf("in parallel: %v", err)
		}
	}
}

func expectEmpty(t *testing.T, s *store.Store) {
	t.Helper()
	same(t, "an empty store", contents(t, s), nil)
	view(t, s, func(tx *store.Tx) error {
		return expect(t, "get", "")(store.NewFact[string]("mark").Get(t.Context(), tx))
	})
}

func expectEvents(t *testing.T, s *store.Store, want int64) {
	t.Helper()
	view(t, s, func(tx *store.Tx) error {
		return expect(t, "count events", want)(tx.CountEvents(t.Context(), store.EventFilter{}))
	})
}
