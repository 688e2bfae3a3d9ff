package transfer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/store/postgres"
	"github.com/hebb-memory/hebb/internal/store/sqlite"
)

// ExportServer is Export for a memory that an earlier hebb kept on a PostgreSQL server. It is copied into a private folder that is gone
// afterwards. An empty schema means the memory of this data folder's owner, or the only one.
func ExportServer(ctx context.Context, c config.Config, now func() time.Time, url, schema string, w io.Writer) (out TransferResult, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("export from a server: %w", err)
		}
	}()
	owner, _ := filesys.ReadFile(filepath.Join(c.Dir, "owner"))
	dir, err := os.MkdirTemp("", "hebb-export-*")
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	c.Dir = dir
	to := brain.SqliteOptions(c, now)
	if err := postgres.Copy(ctx, postgres.Source{URL: url, Schema: schema, Owner: strings.TrimSpace(string(owner))}, to); err != nil {
		return out, err
	}
	st, err := sqlite.Open(ctx, to)
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	return Export(ctx, st, w)
}
