package braintest

import (
	"context"
	"github.com/hebb-memory/hebb/internal/must"
	"net"
	"net/url"
	"path/filepath"
	"sync"
	"testing"
)

// Failure is how a server fails behind a Gate.
type Failure int

const (
	Works      Failure = iota
	Dies               // the question is lost, and the server with it
	DiesAfter          // the question arrives and is carried out; the answer is lost, and the server with it
	FallsQuiet         // the question arrives; nothing is answered from then on, nor is anybody hung up on
)

// Gate stands between hebb and a PostgreSQL server, counts round trips and lets the server fail.
type Gate struct {
	URL string // of the server behind the gate

	t                *testing.T
	network, address string // of the server
	mutex            sync.Mutex
	door             net.Listener
	turns            int
	waited           bool // for the server, since hebb spoke last
	fault            Failure
	at               int // the round trip at which it fails
	open             map[net.Conn]bool
}

// NewGate opens a gate before a server.
func NewGate(t *testing.T, server string) *Gate {
	t.Helper()
	u := must.Get(url.Parse(server))(t)
	g := &Gate{t: t, network: "tcp", address: u.Host, open: map[net.Conn]bool{}}
	query := u.Query()
	if folder := query.Get("host"); folder != "" {
		port := query.Get("port")
		if port == "" {
			port = "5432"
		}
		g.network, g.address = "unix", filepath.Join(folder, ".s.PGSQL."+port)
	}
	g.listen("127.0.0.1:0")
	query.Del("host")
	query.Del("port")
	query.Set("sslmode", "disable")
	u.Host, u.RawQuery = g.door.Addr().String(), query.Encode()
	g.URL = u.String()
	t.Cleanup(g.Close)
	return g
}

func (g *Gate) listen(address string) {
	g.t.Helper()
	door := must.Get((&net.ListenConfig{}).Listen(context.Background(), "tcp", address))(g.t)
	g.door = door
	go func() {
		for {
			near, err := door.Accept()
			if err != nil {
				return
			}
			g.connect(near)
		}
	}()
}

// Close refuses connections and hangs up on all that there are.
func (g *Gate) Close() {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	_ = g.door.Close()
	for c := range g.open {
		_ = c.Close()
	}
	clear(g.open)
}

// Restart lets the server work again after Close or Fail.
func (g *Gate) Restart() {
	g.t.Helper()
	g.Close()
	g.Fail(Works, 0)
	g.listen(g.door.Addr().String())
}

// Fail lets the server fail at a round trip, counted from now; 0 is at once.
func (g *Gate) Fail(f Failure, at int) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	g.fault, g.at, g.turns, g.waited = f, at, 0, false
}

// Turns is how often hebb said something after the server had spoken, or first.
func (g *Gate) Turns() int {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	return g.turns
}

func (g *Gate) connect(near net.Conn) {
	far, err := (&net.Dialer{}).DialContext(context.Background(), g.network, g.address)
	if err != nil {
		_ = near.Close()
		return
	}
	g.mutex.Lock()
	g.open[near], g.open[far] = true, true
	g.mutex.Unlock()
	go g.carry(far, near, true)
	go g.carry(near, far, false)
}

func (g *Gate) carry(to, from net.Conn, asks bool) {
	defer func() { _, _ = to.Close(), from.Close() }()
	piece := make([]byte, 1<<16)
	for {
		n, err := from.Read(piece)
		if n > 0 {
			pass, quiet := g.pass(asks)
			if quiet {
				continue // read on, so that the end of the connection is seen
			}
			if !pass {
				return
			}
			if _, failed := to.Write(piece[:n]); failed != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// pass counts a piece of a conversation and reports whether it goes on, or is swallowed.
func (g *Gate) pass(asks bool) (pass, quiet bool) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if asks && !g.waited {
		g.turns++
	}
	g.waited = asks
	if g.fault == Works || g.turns < g.at {
		return true, false
	}
	switch g.fault {
	case FallsQuiet:
		answering := asks && g.turns == g.at
		return answering, !answering
	case DiesAfter:
		return asks && g.turns == g.at, false
	}
	return false, false
}
