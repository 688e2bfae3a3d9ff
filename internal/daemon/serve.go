package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"
	"time"

	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/httpapi"
)

// Ping is what a daemon says of itself. Versions that are far apart read this and stop each other, so
// fields are only added, and those that a reader does not know are ignored.
type Ping struct {
	Version  string    `json:"version"`
	PID      int       `json:"pid"`
	Began    time.Time `json:"began"`
	Stopping bool      `json:"stopping,omitempty"`
}

// Status is what a daemon does and has done.
type Status struct {
	Ping
	Stay    bool        `json:"stay"`
	Active  time.Time   `json:"active"`          // the latest event or request
	Doing   Work        `json:"doing,omitempty"` // now
	Waiting int64       `json:"waiting_bytes"`   // in the spool
	Events  int64       `json:"events"`          // that it has imported
	Jobs    []Job       `json:"jobs"`
	Watch   WatchStatus `json:"watch,omitzero"`
}

// Address is where the page can be opened, once.
type Address struct {
	URL string `json:"url"`
}

const requestMost = 1 << 20 // bytes

// handler answers on the socket. end ends the daemon.
func (d *daemon) handler(end context.CancelCauseFunc) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /ping", func(w http.ResponseWriter, _ *http.Request) { write(w, d.ping()) })
	mux.HandleFunc("GET /status", func(w http.ResponseWriter, _ *http.Request) { write(w, d.status()) })
	mux.HandleFunc("POST /stop", func(w http.ResponseWriter, _ *http.Request) {
		d.with(func() { d.stopping = true })
		write(w, d.ping())
		end(ErrAsked)
	})
	mux.HandleFunc("POST /drain", func(w http.ResponseWriter, _ *http.Request) {
		d.wakeUp()
		write(w, d.ping())
	})
	if d.Page != nil {
		mux.HandleFunc("POST /page", func(w http.ResponseWriter, _ *http.Request) {
			d.withPage(w, func(s *httpapi.Server) { write(w, Address{s.Address()}) })
		})
		mux.HandleFunc("POST /api/{name}", func(w http.ResponseWriter, r *http.Request) {
			d.withPage(w, func(s *httpapi.Server) { s.Operation(w, r) })
		})
	}
	if d.Watch != nil {
		mux.Handle("POST /shell", d.Watch)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, requestMost)
		mux.ServeHTTP(w, r)
		if r.Method != http.MethodGet { // to look keeps nobody alive
			now := d.Now()
			d.with(func() { d.rhythm.active = now })
		}
	})
}

func (d *daemon) ping() (p Ping) {
	d.with(func() { p = Ping{Version: d.Version, PID: os.Getpid(), Began: d.began, Stopping: d.stopping} })
	return p
}

func (d *daemon) status() Status {
	s := Status{Ping: d.ping(), Stay: d.Stay, Waiting: d.waiting()}
	if d.Watch != nil {
		s.Watch = d.Watch.Status()
	}
	d.with(func() {
		s.Active, s.Doing = d.rhythm.active, d.rhythm.doing()
		s.Events, s.Jobs = d.books.events, d.books.shown(d.rhythm.next())
	})
	return s
}

func write(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v) // who went away needs none
}

// page is the page of hebb ui while it is served. It has a memory of its own, which is closed when
// nobody uses it.
type page struct {
	ctx    context.Context // of the daemon: the page outlives the request that opens it
	mutex  sync.Mutex
	server *httpapi.Server
	served sync.WaitGroup
}

func (p *page) open() bool {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.server != nil
}

// withPage answers with the page, which is served on a port of its own from the first time that somebody wants it.
func (d *daemon) withPage(w http.ResponseWriter, answer func(*httpapi.Server)) {
	s, err := d.page.opened(d.Page, filepath.Join(d.Config.Dir, "page.html"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	answer(s)
}

func (p *page) opened(open func(context.Context) (*httpapi.Server, error), leads string) (s *httpapi.Server, err error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.server == nil {
		if s, err = open(p.ctx); err == nil {
			err = p.serve(s, leads)
		}
		if err != nil {
			return nil, err
		}
		p.server = s
	}
	return p.server, nil
}

// serve returns when the page can be opened, or cannot be served. leads is a file that led a browser
// to it.
func (p *page) serve(s *httpapi.Server, leads string) error {
	ready := make(chan error, 1)
	p.served.Go(func() {
		err := s.Serve(p.ctx, 0, func() { ready <- nil })
		err = errors.Join(err, s.Close(), filesys.RemoveOwn(leads))
		select {
		case ready <- err: // it never was ready
		default:
		}
		p.mutex.Lock()
		p.server = nil
		p.mutex.Unlock()
		debug.FreeOSMemory()
	})
	return <-ready
}
