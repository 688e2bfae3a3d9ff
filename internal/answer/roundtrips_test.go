package answer_test

import (
	"net"
	"net/url"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/steward"
)

// mostTurns is what a prompt may cost with a server far away: connecting takes some, then each statement one.
const mostTurns = 24

func TestAPromptTakesFewRoundTrips(t *testing.T) {
	l := braintest.NewServerLab(t, "turns")
	var commits []memory.Event
	for i := range 60 {
		commits = append(commits, l.Commit(float64(-100-i), "login: fix the redirect", braintest.Changed("web/login.go", "web/session.go")...))
	}
	l.Observe(commits...)
	l.Fixed("web/login.go")
	e := l.Prompt("run", "fix the redirect of the login. It ends with\n"+braintest.Fault)

	c := l.Config
	c.Tuning.Hook.Holdout = 0
	turns := &counter{}
	c.Store = turns.before(t, c.Store)
	b, err := brain.OpenReadOnly(t.Context(), c, func() time.Time { return l.Clock })
	if err != nil {
		t.Fatal(err)
	}
	opened := turns.count.Load()
	out, err := steward.Run(t.Context(), b, answer.Moment, e)
	asked := turns.count.Load()
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	if err != nil || len(out.Lines) == 0 {
		t.Fatalf("answered %+v, %v", out, err)
	}
	t.Logf("%d round trips to open the store, %d to answer", opened, asked-opened)
	if asked > mostTurns {
		t.Errorf("a prompt takes %d round trips, want %d at most", asked, mostTurns)
	}
}

// counter stands between hebb and a server, and counts how often hebb says something after the server has spoken, or first.
type counter struct {
	count  atomic.Int64
	mutex  sync.Mutex
	waited bool // for the server, since hebb spoke last
}

// before returns the URL of a server behind the counter.
func (c *counter) before(t *testing.T, server string) string {
	t.Helper()
	u, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	network, address := "tcp", u.Host
	query := u.Query()
	if folder := query.Get("host"); folder != "" {
		port := query.Get("port")
		if port == "" {
			port = "5432"
		}
		network, address = "unix", filepath.Join(folder, ".s.PGSQL."+port)
	}
	door, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = door.Close() })
	go func() {
		for {
			near, err := door.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial(network, address)
			if err != nil {
				_ = near.Close()
				return
			}
			go c.carry(far, near, true)
			go c.carry(near, far, false)
		}
	}()
	query.Del("host")
	query.Del("port")
	query.Set("sslmode", "disable")
	u.Host, u.RawQuery = door.Addr().String(), query.Encode()
	return u.String()
}

func (c *counter) carry(to, from net.Conn, asks bool) {
	defer func() { _, _ = to.Close(), from.Close() }()
	piece := make([]byte, 1<<16)
	for {
		n, err := from.Read(piece)
		if n > 0 {
			c.mutex.Lock()
			if asks && !c.waited {
				c.count.Add(1)
			}
			c.waited = asks
			c.mutex.Unlock()
			if _, failed := to.Write(piece[:n]); failed != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}
