package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"time"

	"github.com/hebb-memory/hebb/internal/store/db"
)

// Unavailable is a store that could not be opened: whatever is asked of it fails with the reason.
func Unavailable(reason error, now func() time.Time) *Store {
	none := sql.OpenDB(unavailable{reason})
	return newStore(db.Engine{
		Write: none, Durable: none, Read: none,
		Exclusive: func(context.Context, func() error) error { return reason },
		Snapshot:  func(context.Context, string) (string, error) { return "", reason },
		CopyTo:    func(context.Context, string) error { return reason },
		Check:     func(context.Context) ([]string, error) { return nil, reason },
		Temporary: func(error) bool { return false },
		Explain:   func(err error) error { return err },
		Tidy:      func(context.Context) error { return reason },
		Facts:     func(context.Context) (db.Facts, error) { return db.Facts{}, reason },
	}, now)
}

type unavailable struct{ reason error }

func (u unavailable) Connect(context.Context) (driver.Conn, error) { return nil, u.reason }
func (u unavailable) Driver() driver.Driver                        { return nil }
