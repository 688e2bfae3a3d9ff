package mcpserver

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
)

// listen starts the server of a lab on a free port, and returns where, with the token.
func (l *lab) listen() (Address, string) {
	l.t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	ready, ended := make(chan Address, 1), make(chan error, 1)
	go func() { ended <- l.server.ServeHTTP(ctx, "127.0.0.1:0", func(a Address) { ready <- a }) }()
	l.t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			l.t.Error(err)
		}
	})
	select {
	case a := <-ready:
		token := must.Get(os.ReadFile(a.TokenFile))(l.t)
		return a, strings.TrimSpace(string(token))
	case err := <-ended:
		ended <- nil
		l.t.Fatal(err)
	}
	return Address{}, ""
}

const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`

func TestOnlyACallerOfThisMachineWithTheTokenIsServed(t *testing.T) {
	t.Parallel()
	l := newLab(t, false)
	where, token := l.listen()
	at := must.Get(url.Parse(where.URL))(t)
	for _, c := range []struct {
		name   string
		change func(*http.Request)
		want   int
	}{
		{"with the token", func(*http.Request) {}, http.StatusOK},
		{"by the name localhost", func(r *http.Request) { r.Host = "localhost:" + at.Port() }, http.StatusOK},
		{"from its own page", func(r *http.Request) { r.Header.Set("Origin", "http://127.0.0.1:"+at.Port()) }, http.StatusOK},
		{"without a token", func(r *http.Request) { r.Header.Del("Authorization") }, http.StatusUnauthorized},
		{"with another token", func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+strings.Repeat("0", 64)) }, http.StatusUnauthorized},
		{"with half of the token", func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+token[:32]) }, http.StatusUnauthorized},
		{"with the token as a password", func(r *http.Request) { r.SetBasicAuth("hebb", token) }, http.StatusUnauthorized},
		{"with the token alone", func(r *http.Request) { r.Header.Set("Authorization", token) }, http.StatusUnauthorized},
		{"by a name that leads here", func(r *http.Request) { r.Host = "evil.example.com" }, http.StatusForbidden},
		{"by such a name and the port", func(r *http.Request) { r.Host = "evil.example.com:" + at.Port() }, http.StatusForbidden},
		{"by another port", func(r *http.Request) { r.Host = "127.0.0.1:1" }, http.StatusForbidden},
		{"from a foreign page", func(r *http.Request) { r.Header.Set("Origin", "https://evil.example.com") }, http.StatusForbidden},
		{"from a page without a name", func(r *http.Request) { r.Header.Set("Origin", "null") }, http.StatusForbidden},
		{"from a page of another local server", func(r *http.Request) { r.Header.Set("Origin", "http://localhost:1") }, http.StatusForbidden},
	} {
		r := must.Get(http.NewRequestWithContext(t.Context(), http.MethodPost, where.URL, strings.NewReader(hello)))(t)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		r.Header.Set("Authorization", "Bearer "+token)
		c.change(r)
		answer := must.Get(http.DefaultClient.Do(r))(t)
		body, _ := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if answer.StatusCode != c.want {
			t.Errorf("%s: %d %s, want %d", c.name, answer.StatusCode, body, c.want)
		}
		if strings.Contains(string(body), token) {
			t.Errorf("%s: the answer holds the token", c.name)
		}
		if served := bytes.Contains(body, []byte(`"serverInfo"`)); served != (c.want == http.StatusOK) {
			t.Errorf("%s: served is %t: %s", c.name, served, body)
		}
	}
}

// bearer adds a token to every call.
type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

func TestToolsAnswerOverHTTPAsWell(t *testing.T) {
	t.Parallel()
	l := newLab(t, false)
	l.worked()
	where, token := l.listen()
	client := must.Get(mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &mcp.StreamableClientTransport{
		Endpoint: where.URL, HTTPClient: &http.Client{Transport: bearer(token)}, DisableStandaloneSSE: true,
	}, nil))(t)
	defer func() { _ = client.Close() }()
	l.client = client
	text := l.call("recall", map[string]any{"query": "login redirect"})
	l.wants(text, "src/login.go")
}

func TestOtherMachinesAreNotServed(t *testing.T) {
	t.Parallel()
	l := newLab(t, false)
	for address, want := range map[string]error{
		"0.0.0.0:0": memory.ErrRefused, ":8977": memory.ErrRefused, "[::]:0": memory.ErrRefused, "192.168.1.2:0": memory.ErrRefused,
		"example.com:80": memory.ErrRefused, "127.0.0.1": memory.ErrInvalid, "127.0.0.1:": memory.ErrInvalid, "127.0.0.1:99999": memory.ErrInvalid,
		"": memory.ErrInvalid,
	} {
		err := l.server.ServeHTTP(t.Context(), address, func(Address) { t.Errorf("%q is served", address) })
		if !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", address, err, want)
		}
	}
	if _, err := os.Stat(filepath.Join(l.config.Dir, "mcp-token")); err == nil {
		t.Error("a token was made for nobody")
	}
}

func TestATokenIsMadeOnceAndKeptFromOthers(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "new", "mcp-token")
	first, err := readToken(file)
	if err != nil || len(first) != 2*tokenBytes {
		t.Fatalf("%q, %v", first, err)
	}
	if again, err := readToken(file); err != nil || again != first {
		t.Errorf("%q became %q, %v", first, again, err)
	}
	if other, err := readToken(filepath.Join(t.TempDir(), "mcp-token")); err != nil || other == first {
		t.Errorf("two folders have one token: %v", err)
	}
	if runtime.GOOS != "windows" {
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("the token's file: %v, %v", info.Mode(), err)
		}
		must.Do(t, os.Chmod(file, 0o644))
		if _, err := readToken(file); !errors.Is(err, memory.ErrRefused) || !strings.Contains(err.Error(), "chmod 600") {
			t.Errorf("a token that all can read: %v", err)
		}
		must.Do(t, os.Chmod(file, 0o600))
	}
	must.Do(t, os.WriteFile(file, []byte("short\n"), 0o600))
	if _, err := readToken(file); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("a token of five letters: %v", err)
	}
}
