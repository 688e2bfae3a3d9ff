package postgres

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/hebb-memory/hebb/internal/store/db"
)

// connector connects within a time, however many addresses and ways to encrypt there are to try at one server.
type connector struct {
	driver.Connector
	within time.Duration
}

// connectingKey marks the contexts with which connections are made.
type connectingKey struct{}

func (s *server) connector(config *pgx.ConnConfig) connector {
	servers := 1
	for _, f := range config.Fallbacks {
		if f.Host != config.Host || f.Port != config.Port {
			servers++
		}
	}
	quiet := config.Copy()
	neverCancel(quiet)
	return connector{stdlib.GetConnector(*quiet), s.answers * time.Duration(servers)}
}

func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	ctx = context.WithValue(ctx, connectingKey{}, true)
	if c.within > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, c.within)
		defer cancel()
	}
	return c.Connector.Connect(ctx)
}

// neverCancel keeps pgx from sending a cancel request when a question is given up: PgBouncer 1.18 crashes on them (make test). pgx makes
// a connection of its own for each, which nobody asked a connector for. The server ends what it was asked when it finds the connection
// closed.
func neverCancel(config *pgx.ConnConfig) {
	dial := config.DialFunc
	config.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		if ctx.Value(connectingKey{}) == nil {
			return nil, errors.New("no cancel requests")
		}
		return dial(ctx, network, address)
	}
}

// away recognises a server that cannot be reached, has died, is starting or does not answer. It may have carried out what it was
// asked last.
func away(err error) bool {
	if code := state(err); code != "" {
		switch code {
		case "57P01", "57P02", "57P03", "53300": // shut down, crashed, starting or stopping, too many connections
			return true
		}
		return strings.HasPrefix(code, "08") // connection exceptions, which poolers report as well
	}
	var unreachable *pgconn.ConnectError
	if errors.Is(err, db.ErrSilent) || errors.As(err, &unreachable) {
		return true
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return false // the caller gave up
	}
	var broken net.Error
	return errors.As(err, &broken) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) || errors.Is(err, net.ErrClosed) ||
		errors.Is(err, driver.ErrBadConn) || pgconn.SafeToRetry(err)
}
