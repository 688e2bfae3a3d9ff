package braintest

import (
	"database/sql"
	"errors"
	"github.com/hebb-memory/hebb/internal/must"
)

// Locked runs do while another connection holds the store's write lock.
func (l *Lab) Locked(do func()) {
	l.T.Helper()
	db, err := sql.Open("sqlite", l.Config.Database())
	if err != nil {
		l.T.Fatal(err)
	}
	conn, err := db.Conn(l.T.Context())
	if err == nil {
		_, err = conn.ExecContext(l.T.Context(), "BEGIN IMMEDIATE")
	}
	if err != nil {
		l.T.Fatal(err)
	}
	do()
	_, err = conn.ExecContext(l.T.Context(), "ROLLBACK")
	must.Do(l.T, errors.Join(err, conn.Close(), db.Close()))
}
