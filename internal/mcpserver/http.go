package mcpserver

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/memory"
)

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
