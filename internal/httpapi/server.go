// Package httpapi is the door for the page on which people see and correct their memory: the operations of the rooms as JSON over a
// loopback address, for one browser. It answers nobody else: every request needs a path that is drawn at random, a cookie that a
// one-time token was exchanged for, a Host of this machine and no sign of another page.
package httpapi

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/steward"
)

const (
	headerPatience = 10 * time.Second // how long a browser may take to send its headers
	endPatience    = 2 * time.Second  // how long requests that run may take to end when the server stops
	tokenLife      = 10 * time.Minute // of an address that nobody has opened yet
	lookEvery      = time.Second      // how often the stream looks whether the store has changed
)

// Options say which memory is served, and to which page.
type Options struct {
	Config config.Config
	Now    func() time.Time
	// Assets are the files of the page. index.html is what the address shows.
	Assets fs.FS
	// Doctor examines what hebb depends on.
	Doctor func(context.Context) []inspect.Finding
	// Idle is how long the server waits for the next request before it ends; 0: forever.
	Idle time.Duration
}

// Server answers one browser.
type Server struct {
	Options
	brain  *brain.Brain
	opened int // how often the memory was opened again
	// turn is held for reading by operations that only read, and alone by those that change the memory or the files for people: of
	// two at once, one could read the other's lines as an edit. It guards brain and opened too.
	turn   sync.RWMutex
	guard  guard
	active atomic.Int64 // unix nanoseconds of the latest request
	ended  context.Context
}

// New opens the memory. Close releases it.
func New(ctx context.Context, o Options) (*Server, error) {
	b, err := steward.Open(ctx, o.Config, o.Now)
	if err != nil {
		return nil, err
	}
	return &Server{Options: o, brain: b, guard: newGuard(o.Now)}, nil
}

// Close releases the memory.
func (s *Server) Close() error { return s.brain.Close() }

// Address makes an address that can be opened once, within ten minutes. It is known once the server is ready.
func (s *Server) Address() string { return s.guard.address() }

// ErrIdle is why a server ended that nobody asked for a while.
var ErrIdle = errors.New("nobody used the page for a while")

// Serve listens on a port of the loopback interface, 0 for any that is free, until the context ends (nil) or nobody has asked
// anything for the idle time (ErrIdle). ready is called once addresses can be opened.
func (s *Server) Serve(ctx context.Context, port int, ready func()) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return fmt.Errorf("listen on port %d: %w: %w", port, err, memory.ErrRefused)
	}
	s.guard.listensOn(listener.Addr().(*net.TCPAddr).Port)
	var end context.CancelCauseFunc
	ctx, end = context.WithCancelCause(ctx)
	defer end(nil)
	s.ended = ctx
	s.active.Store(s.Now().UnixNano())
	server := &http.Server{Handler: s.handler(), ReadHeaderTimeout: headerPatience}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	go s.watchIdle(ctx, end)
	ready()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	patient, cancel := context.WithTimeout(context.WithoutCancel(ctx), endPatience)
	defer cancel()
	if err := server.Shutdown(patient); err != nil {
		_ = server.Close() // they had their time
	}
	<-failed
	if errors.Is(context.Cause(ctx), ErrIdle) {
		return ErrIdle
	}
	return nil
}

// watchIdle ends the server when nobody has asked anything for the idle time.
func (s *Server) watchIdle(ctx context.Context, end context.CancelCauseFunc) {
	if s.Idle <= 0 {
		return
	}
	for {
		left := s.Idle - s.Now().Sub(time.Unix(0, s.active.Load()))
		if left <= 0 {
			end(ErrIdle)
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(left):
		}
	}
}

// handler answers what the guard lets through.
func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /", http.FileServerFS(s.Assets))
	mux.HandleFunc("GET /api/", http.NotFound)
	mux.HandleFunc("GET /api/stream", s.stream)
	mux.HandleFunc("POST /api/{name}", s.Operation)
	return s.guard.protect(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.active.Store(s.Now().UnixNano())
		mux.ServeHTTP(w, r)
	}))
}

// drawn is a secret that nobody guesses: 130 random bits.
func drawn() string { return rand.Text() }
