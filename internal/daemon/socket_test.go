package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/httpapi"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// generous bounds a wait that should be over long before.
const generous = time.Minute

func options(t *testing.T) Options {
	t.Helper()
	program := must.Get(os.Executable())(t)
	return Options{
		Config: config.Config{Dir: shortDir(t), Tuning: tuning.Default()}, Version: "1.2.3", Program: program, Now: time.Now,
		Work: func(Work) (Report, error) { return Report{}, nil },
	}
}

// shortDir is a temporary folder whose name leaves room for a socket.
func shortDir(t *testing.T) string {
	t.Helper()
	dir := must.Get(os.MkdirTemp("", "hebb-"))(t)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// running starts a daemon and waits until it answers. The channel has the reason why it ended.
func running(t *testing.T, o Options) (Client, <-chan error) {
	t.Helper()
	ended := make(chan error, 1)
	go func() { ended <- Run(t.Context(), o) }()
	c := Client{Config: o.Config, Patience: generous}
	must.Do(t, c.until(t.Context(), generous, func(_ Ping, err error) bool { return err == nil }))
	return c, ended
}

func TestADataFolderHasOneDaemon(t *testing.T) {
	o := options(t)
	c, ended := running(t, o)
	if err := Run(t.Context(), o); !errors.Is(err, memory.ErrConflict) {
		t.Errorf("a second one: %v", err)
	}
	p, err := c.Ping(t.Context())
	if err != nil || p.Version != "1.2.3" || p.PID != os.Getpid() || p.Began.IsZero() {
		t.Errorf("ping: %+v, %v", p, err)
	}
	if info, err := os.Stat(filepath.Join(folder(o.Config), "socket")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the socket is %v, %v", info.Mode(), err)
	}
	if _, err := c.Stop(t.Context()); err != nil {
		t.Error(err)
	}
	if err := <-ended; !errors.Is(err, ErrAsked) {
		t.Errorf("it ended: %v", err)
	}
	if _, err := c.Ping(t.Context()); !errors.Is(err, ErrNone) || !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("ping after the end: %v", err)
	}
}

// A daemon that was killed leaves a lock file and a socket. The next one takes over both, however long the path of the folder is.
func TestWhatAKilledDaemonLeftIsTakenOver(t *testing.T) {
	for _, deep := range []string{"", strings.Repeat("long/", 30)} {
		o := options(t)
		t.Setenv("TMPDIR", shortDir(t))
		o.Config.Dir = filepath.Join(o.Config.Dir, deep)
		must.Do(t, os.MkdirAll(folder(o.Config), 0o700))
		path, err := socketPath(folder(o.Config), os.TempDir())
		if err != nil || len(path) > pathMost {
			t.Fatalf("%s: %v", path, err)
		}
		left := must.Get(net.Listen("unix", path))(t)
		left.(*net.UnixListener).SetUnlinkOnClose(false)
		must.Do(t, errors.Join(left.Close(), os.WriteFile(lockFile(o.Config), nil, 0o600),
			os.WriteFile(placeFile(o.Config), []byte(`{"pid":1,"socket":"`+path+`"}`), 0o600)))
		if _, err := (Client{Config: o.Config, Patience: generous}).Ping(t.Context()); !errors.Is(err, ErrNone) {
			t.Errorf("ping of one that was killed: %v", err)
		}
		c, ended := running(t, o)
		if _, err := c.Stop(t.Context()); err != nil {
			t.Error(err)
		}
		<-ended
	}
}

// A folder for the socket that others can write to is not used.
func TestASharedFolderForTheSocketIsRefused(t *testing.T) {
	temporary := shortDir(t)
	must.Do(t, os.Mkdir(filepath.Join(temporary, fmt.Sprintf("hebb-%d", os.Getuid())), 0o700))
	must.Do(t, os.Chmod(filepath.Join(temporary, fmt.Sprintf("hebb-%d", os.Getuid())), 0o777))
	if path, err := socketPath(strings.Repeat("long/", 30), temporary); !errors.Is(err, memory.ErrRefused) {
		t.Errorf("got %s, %v", path, err)
	}
}

// pretend answers on the socket of a data folder like another hebb.
func pretend(t *testing.T, c config.Config, answer http.Handler) {
	t.Helper()
	l, release, err := hold(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: answer}
	go func() { _ = server.Serve(l) }()
	t.Cleanup(func() {
		_ = server.Close()
		release()
	})
}

// That a daemon accepts a connection proves nothing: one that does not answer is reported, and nobody starts another.
func TestADaemonThatDoesNotAnswerIsReported(t *testing.T) {
	o := options(t)
	silent := make(chan struct{})
	pretend(t, o.Config, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-silent }))
	defer close(silent)
	c := Client{Config: o.Config, Patience: 10 * time.Millisecond}
	if _, err := c.Ping(t.Context()); !errors.Is(err, ErrSilent) {
		t.Errorf("ping: %v", err)
	}
	_, started, err := c.Start(t.Context(), "1.2.3", func() error { return errors.New("spawned") })
	if started || !errors.Is(err, ErrSilent) {
		t.Errorf("start: %v, %v", started, err)
	}
}

// Versions far apart understand each other: a newer one ends an older one and takes its place, an older one leaves a newer one alone, and
// what the other says beyond that is ignored.
func TestANewerVersionTakesOver(t *testing.T) {
	for _, other := range []struct {
		version string
		ends    bool
	}{{"1.0.0", true}, {"1.2.2", true}, {"(devel)", true}, {"1.2.3", false}, {"1.4.0", false}, {"2.0.0", false}} {
		o := options(t)
		stopped := make(chan struct{}, 1)
		ctx, end := context.WithCancel(t.Context())
		mux := http.NewServeMux()
		said := map[string]any{"version": other.version, "pid": 1, "mood": []string{"unknown to us"}}
		mux.HandleFunc("GET /ping", func(w http.ResponseWriter, _ *http.Request) { _ = json.NewEncoder(w).Encode(said) })
		mux.HandleFunc("POST /stop", func(w http.ResponseWriter, _ *http.Request) {
			_ = json.NewEncoder(w).Encode(said)
			stopped <- struct{}{}
			end()
		})
		l, release, err := hold(t.Context(), o.Config)
		if err != nil {
			t.Fatal(err)
		}
		server := &http.Server{Handler: mux}
		closed := make(chan struct{})
		go func() { _ = server.Serve(l) }()
		go func() {
			<-ctx.Done()
			_ = server.Shutdown(context.Background())
			release()
			close(closed)
		}()
		c := Client{Config: o.Config, Patience: generous}
		over := make(chan error, 1)
		p, started, err := c.Start(t.Context(), "1.2.3", func() error {
			go func() { over <- Run(t.Context(), o) }()
			return nil
		})
		if err != nil || started != other.ends || started == (p.Version == other.version) || len(stopped) == 1 != other.ends {
			t.Errorf("%s: started %v, now %s, %v", other.version, started, p.Version, err)
		}
		end()
		<-closed
		if started {
			if _, err := c.Stop(t.Context()); err != nil {
				t.Error(err)
			}
			<-over
		}
	}
}

// The socket takes commands of the person's shell and carries the operations of the page.
func TestTheSocketCarriesOperations(t *testing.T) {
	o := options(t)
	var err error
	o.Config = must.Get(config.Load(func(name string) string { return map[string]string{config.EnvHome: o.Config.Dir}[name] }))(t)
	o.Watch = NewWatcher(o.Config, time.Now)
	o.Page = func(ctx context.Context) (*httpapi.Server, error) {
		return httpapi.New(ctx, httpapi.Options{Config: o.Config, Now: time.Now, Assets: fstest.MapFS{}})
	}
	c, ended := running(t, o)
	err = c.Ran(t.Context(), Ran{Dir: "relative", Command: "go test ./...", Status: 1})
	if err == nil || !strings.Contains(err.Error(), "absolute path") {
		t.Errorf("a command in a relative folder: %v", err)
	}
	var kept struct{ ID string }
	if err := c.ask(t.Context(), http.MethodPost, "/api/remember", []byte(`{"text": "The port is 8080.", "everywhere": true}`), &kept); err != nil || kept.ID == "" {
		t.Errorf("remember: %+v, %v", kept, err)
	}
	if err := c.ask(t.Context(), http.MethodPost, "/api/drop", nil, &kept); err == nil || !strings.Contains(err.Error(), "404") {
		t.Errorf("an operation that is not offered: %v", err)
	}
	if _, err := c.Stop(t.Context()); err != nil {
		t.Error(err)
	}
	<-ended
}
