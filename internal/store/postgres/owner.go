package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

// errOthers is memory.ErrRefused for a store that has another owner.
var errOthers = fmt.Errorf("%w", memory.ErrRefused)

// OpenOwn opens or creates the memory of an owner: in the schema of the options if that is free or the owner's, else in one of the owner's
// own beside it. last is the schema in which it was found before, if any. It returns the schema.
func OpenOwn(ctx context.Context, o Options, last string) (st *store.Store, schema string, err error) {
	shared := cmp.Or(o.Schema, DefaultSchema)
	o.Shared = shared
	var tried []string
	for _, schema = range []string{cmp.Or(last, shared), shared, beside(shared, o.Owner)} {
		if slices.Contains(tried, schema) {
			continue
		}
		tried = append(tried, schema)
		o.Schema = schema
		st, err = openClaimed(ctx, o)
		// Where a role has no right, it is somebody else's as well, unless it was ours before.
		if !errors.Is(err, errOthers) && (state(err) != noRight || schema == last) {
			break
		}
	}
	return st, schema, err
}

const noRight = "42501" // insufficient_privilege

// openClaimed opens a store and makes it the owner's if it has none. Writers take turns, so one of several owners gets it.
func openClaimed(ctx context.Context, o Options) (*store.Store, error) {
	s := &server{Options: o}
	st, err := openWith(ctx, s, store.Open)
	if err != nil || o.Owner == "" || s.owned {
		return st, err
	}
	err = st.UpdateDurable(ctx, func(tx *store.Tx) error {
		owner, err := store.Owner.Get(ctx, tx)
		switch {
		case err != nil:
			return err
		case owner == "":
			return store.Owner.Set(ctx, tx, o.Owner)
		case owner != o.Owner:
			return s.others(owner)
		}
		return nil
	})
	if err != nil {
		return nil, errors.Join(err, st.Close())
	}
	return st, nil
}

// beside is the schema of an owner beside one that is somebody else's.
func beside(schema, owner string) string {
	if name := schema + "_" + owner; len(name) <= schemaLength {
		return name
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(schema))
	return fmt.Sprintf("h%08x_%s", h.Sum32(), owner)
}

// besides are the schemas with memories of others. A snapshot before a migration is none.
func (s *server) besides(ctx context.Context) ([]string, error) {
	shared := cmp.Or(s.Shared, DefaultSchema)
	return column(ctx, s.read, `SELECT nspname FROM pg_namespace JOIN pg_class ON relnamespace = pg_namespace.oid
		WHERE relname = 'schema_version' AND (nspname = $1 OR nspname LIKE $2) AND nspname <> $3 AND nspname NOT LIKE '%\_before\_schema\_%'
		ORDER BY 1`, shared, strings.ReplaceAll(shared, `_`, `\_`)+`\_%`, s.Schema)
}

// ownerIn is an expression that reads who owns the store in a schema, as JSON.
func ownerIn(schema string) string {
	return `(SELECT value FROM ` + quote(schema) + `.fact WHERE name = 'owner' AND project_id = 0 AND subject = '')`
}

// checkOwner refuses a store of another owner, given what ownerIn reads, and reports whether the store has its owner.
func (s *server) checkOwner(value string) (owned bool, err error) {
	if owner := strings.Trim(value, `"`); s.Owner != "" && owner != "" && owner != s.Owner {
		return true, s.others(owner)
	}
	return value != "", nil
}

func (s *server) others(owner string) error {
	return fmt.Errorf("schema %s holds the memory of %s, not of %s: %w", s.Schema, owner, s.Owner, errOthers)
}
