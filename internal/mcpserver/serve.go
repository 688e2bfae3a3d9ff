package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/memory"
)

const (
	// longestMessage bounds a line that a client sends. It holds the longest text that is kept, however it is escaped.
	longestMessage = 4 << 20
	// drainTime is how long calls may still run after the input has ended. A cancelled call is never answered.
	drainTime = 30 * time.Second
	// notJSON and invalidMessage are the protocol's codes for what cannot be read.
	notJSON        = -32700
	invalidMessage = -32600
)

// Serve serves one connection until it ends, for agents that start the server themselves. A line that is no message gets an error
// as its answer. Calls that came before the end of the input are still answered.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	talk := &conversation{in: bufio.NewReader(in), out: out, ctx: ctx, quiet: make(chan struct{}, 1)}
	v := newVisit()
	s.turn.Lock()
	s.visit = v
	s.turn.Unlock()
	err := s.protocol.Run(ctx, &mcp.IOTransport{Reader: talk, Writer: talk})
	if errors.Is(err, io.EOF) || errors.Is(err, mcp.ErrConnectionClosed) {
		err = nil // the normal end
	}
	return errors.Join(err, s.leave(v))
}

// conversation is the input and output of a connection, one message per line.
type conversation struct {
	in   *bufio.Reader
	rest []byte // of the line that is being read
	ctx  context.Context

	mutex   sync.Mutex // of what follows
	out     io.Writer
	pending int           // calls that are not answered yet
	quiet   chan struct{} // receives when none is left
}

// Read returns the next line that is a message.
func (c *conversation) Read(p []byte) (int, error) {
	for len(c.rest) == 0 {
		line, long, err := c.line()
		line = bytes.TrimSpace(line)
		switch {
		case long:
			c.complain(invalidMessage, fmt.Sprintf("a message of more than %d bytes is not read: send less at once", longestMessage))
		case len(line) == 0:
		case !json.Valid(line):
			c.complain(notJSON, "this line is no JSON: send one message a line, without line breaks inside")
		case line[0] == '[':
			c.complain(invalidMessage, "several messages at once have been no part of the protocol since 2025-06-18: send one message a line")
		default:
			said, wrong := jsonrpc.DecodeMessage(line)
			if wrong != nil {
				c.complain(invalidMessage, "this line is no message of JSON-RPC 2.0: "+wrong.Error())
				break
			}
			if r, ok := said.(*jsonrpc.Request); ok && r.IsCall() {
				c.count(1)
			}
			c.rest = append(line, '\n')
		}
		if err != nil && len(c.rest) == 0 {
			c.wait()
			return 0, err
		}
	}
	n := copy(p, c.rest)
	c.rest = c.rest[n:]
	return n, nil
}

// line reads one line; one that is too long is skipped.
func (c *conversation) line() (line []byte, long bool, err error) {
	for {
		part, err := c.in.ReadSlice('\n')
		if len(line)+len(part) > longestMessage {
			line, long = nil, true
		}
		if !long {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, long, err
		}
	}
}

// count changes the number of calls without an answer.
func (c *conversation) count(calls int) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.pending += calls; c.pending <= 0 {
		select {
		case c.quiet <- struct{}{}:
		default: // already signalled
		}
	}
}

// Write sends one message of the server.
func (c *conversation) Write(p []byte) (int, error) {
	c.mutex.Lock()
	n, err := c.out.Write(p)
	c.mutex.Unlock()
	if said, wrong := jsonrpc.DecodeMessage(bytes.TrimSpace(p)); wrong == nil {
		if _, answer := said.(*jsonrpc.Response); answer {
			c.count(-1)
		}
	}
	return n, err
}

// Close does nothing: the caller of Serve owns both ends.
func (*conversation) Close() error { return nil }

// complain sends an error for a line that is no message.
func (c *conversation) complain(code int, why string) {
	answer := quoted(map[string]any{"jsonrpc": "2.0", "id": nil, "error": map[string]any{"code": code, "message": why}})
	c.mutex.Lock()
	defer c.mutex.Unlock()
	_, _ = c.out.Write(append(answer, '\n')) // the client may be gone
}

// wait waits for running calls to end.
func (c *conversation) wait() {
	patience := time.NewTimer(drainTime)
	defer patience.Stop()
	for {
		c.mutex.Lock()
		pending := c.pending
		c.mutex.Unlock()
		if pending <= 0 {
			return
		}
		select {
		case <-c.quiet:
		case <-patience.C:
			return
		case <-c.ctx.Done():
			return
		}
	}
}

const (
	// headerPatience is how long a client may take to send its headers.
	headerPatience = 10 * time.Second
	// endPatience is how long calls that run may take to end when the server stops.
	endPatience = 2 * time.Second
	// tokenBytes is the number of random bytes in a token.
	tokenBytes = 32
)

// Address is where a server listens, and where the token is that callers need.
type Address struct {
	URL       string `json:"url"`
	TokenFile string `json:"token_file"`
}

// ServeHTTP listens on a loopback address until the context ends. ready is called with the address once it listens. A
// call needs the token as a bearer token, a Host of this machine, and no Origin of another page: a web page that a person has open
// must not read their memory.
func (s *Server) ServeHTTP(ctx context.Context, address string, ready func(Address)) error {
	if err := checkLoopback(ctx, address); err != nil {
		return err
	}
	file := filepath.Join(s.Config.Dir, "mcp-token")
	token, err := readToken(file)
	if err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return fmt.Errorf("listen on %s: %w", address, err)
	}
	port := listener.Addr().(*net.TCPAddr).Port
	server := &http.Server{Handler: s.guarded(token, port), ReadHeaderTimeout: headerPatience}
	ready(Address{URL: "http://" + listener.Addr().String() + "/", TokenFile: file})
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
		patient, cancel := context.WithTimeout(context.WithoutCancel(ctx), endPatience)
		defer cancel()
		if err := server.Shutdown(patient); err != nil {
			_ = server.Close() // they had their time
		}
		<-ended
		return nil
	}
}

// checkLoopback refuses an address that other machines could reach.
func checkLoopback(ctx context.Context, address string) error {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return fmt.Errorf("address %q: want HOST:PORT, such as 127.0.0.1:8977: %w", address, memory.ErrInvalid)
	}
	if _, err := net.DefaultResolver.LookupPort(ctx, "tcp", port); err != nil || port == "" {
		return fmt.Errorf("address %q: want a port of 0 to 65535: %w", address, memory.ErrInvalid)
	}
	if host == "localhost" {
		return nil
	}
	if ip := net.ParseIP(host); ip == nil || !ip.IsLoopback() {
		return fmt.Errorf("address %q can be reached from other machines: want 127.0.0.1, ::1 or localhost: %w", address, memory.ErrRefused)
	}
	return nil
}

// readToken reads the token that callers need, and makes one at first use.
func readToken(file string) (string, error) {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return "", fmt.Errorf("token: %w", err)
	}
	var random [tokenBytes]byte
	_, _ = rand.Read(random[:]) // never fails
	made := hex.EncodeToString(random[:])
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		_, err = f.WriteString(made + "\n")
		if err := errors.Join(err, f.Close()); err != nil {
			return "", errors.Join(fmt.Errorf("write token %s: %w", file, err), filesys.Remove(file))
		}
		return made, nil
	}
	if !errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("token: %w", err)
	}
	info, err := os.Stat(file)
	if err != nil {
		return "", fmt.Errorf("token: %w", err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return "", fmt.Errorf("token %s can be read by others: chmod 600 it, or remove it and a new one is made: %w", file, memory.ErrRefused)
	}
	text, err := filesys.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("token: %w", err)
	}
	token := strings.TrimSpace(string(text))
	if len(token) < tokenBytes {
		return "", fmt.Errorf("token %s is too short to be safe: remove it, and a new one is made: %w", file, memory.ErrInvalid)
	}
	return token, nil
}

// guarded serves requests with the token, from this machine.
func (s *Server) guarded(token string, port int) http.Handler {
	// No session is kept between calls: nothing here needs one, and nothing of a client that went away stays.
	inner := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s.protocol },
		&mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true})
	var hosts, origins []string
	for _, name := range []string{"127.0.0.1", "localhost", "[::1]"} {
		hosts = append(hosts, fmt.Sprintf("%s:%d", name, port))
		origins = append(origins, fmt.Sprintf("http://%s:%d", name, port))
	}
	wanted := sha256.Sum256([]byte(token))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		given, bearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		sum := sha256.Sum256([]byte(given))
		switch {
		case !slices.Contains(hosts, strings.ToLower(r.Host)):
			http.Error(w, "this Host is not served: call "+hosts[0], http.StatusForbidden)
		case slices.ContainsFunc(r.Header.Values("Origin"), func(o string) bool { return !slices.Contains(origins, strings.ToLower(o)) }):
			http.Error(w, "this Origin may not call", http.StatusForbidden)
		case !bearer || subtle.ConstantTimeCompare(sum[:], wanted[:]) != 1:
			w.Header().Set("WWW-Authenticate", `Bearer realm="hebb"`)
			http.Error(w, "send the token of the file mcp-token in hebb's data folder: Authorization: Bearer TOKEN", http.StatusUnauthorized)
		default:
			inner.ServeHTTP(w, r)
		}
	})
}
