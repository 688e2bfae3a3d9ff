package postgres

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/store"
)

// Many programs of several people open one schema for the first time at once: one person gets it, every other one of their own, and all
// programs of a person get the same.
func TestEachOwnerGetsOneMemory(t *testing.T) {
	for name, through := range map[string]string{"directly": serverURL(t), "behind PgBouncer": os.Getenv("HEBB_TEST_PGBOUNCER")} {
		t.Run(name, func(t *testing.T) {
			if through == "" {
				t.Skip("=== NOT RUN: owners behind PgBouncer, for want of one. Run: make test ===")
			}
			schema := newSchema(t, serverURL(t))
			const owners, programs = 4, 5
			var used [owners][programs]string
			var all sync.WaitGroup
			for i := range owners {
				for j := range programs {
					all.Go(func() {
						o := Options{URL: through, Schema: schema, Owner: fmt.Sprint("owner_", i), Now: now, BusyTimeout: time.Minute}
						s, at, err := OpenOwn(t.Context(), o, "")
						if err != nil {
							t.Error(err)
							return
						}
						used[i][j] = at
						if err := errors.Join(says(t.Context(), s, o.Owner), s.Close()); err != nil {
							t.Error(err)
						}
					})
				}
			}
			all.Wait()
			shared, seen := 0, map[string]bool{}
			for i, by := range used {
				for _, at := range by {
					if at != by[0] {
						t.Errorf("the programs of owner %d use %q", i, by)
					}
				}
				if by[0] == schema {
					shared++
				}
				if seen[by[0]] {
					t.Errorf("%s is used by two owners", by[0])
				}
				seen[by[0]] = true
			}
			if shared != 1 {
				t.Errorf("%d owners use the shared schema: %q", shared, used)
			}
		})
	}
}

// says notes an owner in a store, and holds it to no other having done so.
func says(ctx context.Context, s *store.Store, owner string) error {
	mark := store.NewFact[string]("mark")
	return s.Update(ctx, func(tx *store.Tx) error {
		was, err := mark.Get(ctx, tx)
		if err == nil && was != "" && was != owner {
			err = fmt.Errorf("%s finds the words of %s", owner, was)
		}
		return errors.Join(err, mark.Set(ctx, tx, owner))
	})
}

// A store from before there were owners is claimed by the first that opens it for writing; a hook of nobody reads it before that.
func TestAStoreWithoutOwnerIsClaimedOnce(t *testing.T) {
	t.Parallel()
	url := serverURL(t)
	schema := newSchema(t, url)
	old := open(t, url, schema)
	must.Do(t, says(t.Context(), old, "ada"))
	ada, bob := Options{URL: url, Schema: schema, Owner: "ada", Now: now}, Options{URL: url, Schema: schema, Owner: "bob", Now: now}
	if err := reads(t.Context(), ada); !errors.Is(err, memory.ErrRefused) {
		t.Errorf("nobody's store is read: %v", err)
	}
	for _, c := range []struct {
		as   Options
		want string
	}{{ada, schema}, {bob, schema + "_bob"}, {ada, schema}, {bob, schema + "_bob"}} {
		s, at, err := OpenOwn(t.Context(), c.as, "")
		if err != nil || at != c.want {
			t.Fatalf("%s gets %s, %v; want %s", c.as.Owner, at, err, c.want)
		}
		if err := errors.Join(says(t.Context(), s, c.as.Owner), s.Close()); err != nil {
			t.Error(err)
		}
	}
	if err := reads(t.Context(), ada); err != nil {
		t.Error(err)
	}
	if err := reads(t.Context(), bob); !errors.Is(err, memory.ErrRefused) {
		t.Errorf("a hook of bob reads ada's store: %v", err)
	}
	// Restoring an export empties the store, which stays its owner's.
	s, _, err := OpenOwn(t.Context(), ada, schema)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Update(t.Context(), func(tx *store.Tx) error { return tx.Empty(t.Context()) }), s.Close()); err != nil {
		t.Error(err)
	}
	if _, err := Open(t.Context(), bob); !errors.Is(err, memory.ErrRefused) {
		t.Errorf("an emptied store is free: %v", err)
	}
}

// A newer program of another person does not migrate a store that is not its owner's.
func TestAnothersStoreIsNotMigrated(t *testing.T) {
	t.Parallel()
	url := serverURL(t)
	schema := newSchema(t, url)
	s, err := Open(t.Context(), Options{URL: url, Schema: schema, Now: now, Migrations: store.Migrations()[:1]})
	if err == nil {
		err = s.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	must.Get(raw(t, url, schema).ExecContext(t.Context(), `INSERT INTO fact (name, project_id, subject, value, at)
		VALUES ('owner', 0, '', '"ada"', 0)`))(t)
	before := allRows(t, raw(t, url, schema), schema)
	bob, at, err := OpenOwn(t.Context(), Options{URL: url, Schema: schema, Owner: "bob", Now: now}, "")
	if err != nil || at == schema {
		t.Fatalf("bob gets %s, %v", at, err)
	}
	if err := bob.Close(); err != nil {
		t.Error(err)
	}
	if after := allRows(t, raw(t, url, schema), schema); after != before {
		t.Errorf("ada's store was\n%s\nand is\n%s", before, after)
	}
}

func TestSchemasBesideOneAreSchemas(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, schema := range []string{"hebb", "a_team_with_a_long_name_no_001", "a_team_with_a_long_name_no_002"} {
		for _, owner := range []string{"ada_0123abcd", "_0123abcd", "a_name_of_20_letters"} {
			name := beside(schema, owner)
			if err := CheckSchema(name); err != nil {
				t.Error(err)
			}
			seen[name] = true
		}
	}
	if len(seen) != 9 {
		t.Errorf("got %v", seen)
	}
}
