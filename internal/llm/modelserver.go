package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// Config is what is known about a server.
type ServerConfig struct {
	// Role begins errors about the configuration: "language model provider".
	Role string
	// Kind is the protocol it speaks.
	Kind  string
	URL   string
	Model string
	// Path is the version and the call below the server. Where AnyVersion is set, an URL that ends with the call is whole.
	Path       string
	AnyVersion bool
	// AllowPlain permits http:// to another machine, where everybody between can read along.
	AllowPlain bool
	// KeyEnv names the environment variable that holds the key; empty: none is needed.
	KeyEnv string
	Getenv func(name string) string
	// Header is what is sent beside the body.
	Header func(key string) map[string]string
	// Before is asked before each request, and its error keeps it from being sent; nil never does.
	Before func(ctx context.Context) error
	// Wait returns after a time, or earlier with the context's error; nil waits by the clock.
	Wait func(ctx context.Context, d time.Duration) error
	// Area is the first part of the names of the numbers.
	Area string
	tuning.Asking
}

// Server is a model server.
type Server struct {
	ServerConfig
	url    *url.URL
	key    string
	client *http.Client
}

// Open makes a server. It asks nothing yet.
func Connect(c ServerConfig) (*Server, error) {
	s := &Server{
		ServerConfig: c,
		// A key must not follow a redirection to another address.
		client: &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
	}
	if s.Wait == nil {
		s.Wait = wait
	}
	if err := s.endpoint(); err != nil {
		return nil, err
	}
	if c.KeyEnv == "" {
		return s, nil
	}
	s.key = strings.TrimSpace(c.Getenv(c.KeyEnv))
	if s.key == "" {
		return nil, fmt.Errorf("%s %s: the environment variable %s, which should hold its key, is empty: %w", c.Role, s.Name(), c.KeyEnv, memory.ErrInvalid)
	}
	if strings.ContainsFunc(s.key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, fmt.Errorf("%s %s: what the environment variable %s holds is no key, it has blanks or other signs in it: %w",
			c.Role, s.Name(), c.KeyEnv, memory.ErrInvalid)
	}
	return s, nil
}

// endpoint completes the address, whether or not it already names the version or the call.
func (s *Server) endpoint() error {
	u, err := url.Parse(strings.TrimRight(s.URL, "/"))
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		// The error of url.Parse would quote the address, and with it a password.
		return fmt.Errorf("%s %s: its url must be https://… or http://…: %w", s.Role, s.Kind, memory.ErrInvalid)
	}
	if u.Scheme == "http" && !s.AllowPlain && !loopback(u.Hostname()) {
		return fmt.Errorf("%s %s at %s: http:// to another machine can be read by everybody between: "+
			"use https://, or allow it in the configuration: %w", s.Role, s.Kind, u.Host, memory.ErrInvalid)
	}
	version, call, _ := strings.Cut(s.Path, "/")
	switch {
	case strings.HasSuffix(u.Path, "/"+s.Path):
	case s.AnyVersion && strings.HasSuffix(u.Path, "/"+call):
	case strings.HasSuffix(u.Path, "/"+version):
		u = u.JoinPath(call)
	default:
		u = u.JoinPath(version, call)
	}
	s.url = u
	return nil
}

// loopback says whether a host is this machine.
func loopback(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// Name is the kind and the address, without a password or a key that stands in it.
func (s *Server) Name() string {
	return fmt.Sprintf("%s at %s://%s%s", s.Kind, s.url.Scheme, s.url.Host, s.url.Path)
}

// Format prints the name in every form: the fields hold the key.
func (s *Server) Format(to fmt.State, _ rune) { fmt.Fprint(to, s.Name()) }

// Refusal is an answer that refuses the request as it is written.
type Refusal struct {
	Said string // by the server
	err  error
}

func (r *Refusal) Error() string { return r.err.Error() }
func (r *Refusal) Unwrap() error { return r.err }

// busyError is an answer after which it is worth asking again.
type busyError struct {
	status string
	after  time.Duration // that the server asks for
}

func (e *busyError) Error() string { return e.status }

// Ask sends a body and returns the answer. Of a server that is busy it asks again, each time later.
func (s *Server) Ask(ctx context.Context, body any) ([]byte, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	pause := s.RetryWait
	for try := 0; ; try++ {
		answer, err := s.send(ctx, text)
		var busy *busyError
		switch {
		case !errors.As(err, &busy):
			return answer, err
		case try >= s.Retries:
			return nil, fmt.Errorf("%w, asked %d times (it is busy: try later): %w", busy, try+1, memory.ErrRefused)
		}
		if err := s.Wait(ctx, min(max(pause, busy.after), s.RetryMost)); err != nil {
			return nil, fmt.Errorf("%w, while it said: %w", err, busy)
		}
		pause *= 2
	}
}

func (s *Server) send(ctx context.Context, body []byte) ([]byte, error) {
	if s.Before != nil {
		if err := s.Before(ctx); err != nil {
			return nil, err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, s.Timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url.String(), bytes.NewReader(body))
	if err != nil {
		return nil, s.unreachable(err)
	}
	request.Header.Set("Content-Type", "application/json")
	for name, value := range s.Header(s.key) {
		if value != "" {
			request.Header.Set(name, value)
		}
	}
	response, err := s.client.Do(request)
	if err != nil {
		return nil, s.unreachable(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(response.Body, s.AnswerLimit+1))
	status := response.StatusCode
	switch {
	case err != nil:
		return nil, s.unreachable(err)
	case int64(len(answer)) > s.AnswerLimit:
		return nil, fmt.Errorf("its answer is longer than %s.answer_limit: %w", s.Area, memory.ErrRefused)
	case status == http.StatusOK:
		return answer, nil
	case status == http.StatusTooManyRequests || status >= http.StatusInternalServerError:
		seconds, _ := strconv.Atoi(response.Header.Get("Retry-After")) // the form with a date is rare, and then we choose
		seconds = min(max(0, seconds), int(s.RetryMost/time.Second)+1)
		return nil, &busyError{s.statusLine(status, answer), time.Duration(seconds) * time.Second}
	}
	err = fmt.Errorf("%s%s: %w", s.statusLine(status, answer), s.remedy(status), memory.ErrRefused)
	if status == http.StatusBadRequest || status == http.StatusUnprocessableEntity {
		return nil, &Refusal{said(answer), err}
	}
	return nil, err
}

// bearer is the header that most servers want a key in.
func bearer(key string) map[string]string {
	if key == "" {
		return nil
	}
	return map[string]string{"Authorization": "Bearer " + key}
}

// unreachable drops the address from an error of the client: the caller names it, and without its password.
func (s *Server) unreachable(err error) error {
	var inner *url.Error
	if errors.As(err, &inner) {
		err = inner.Err
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return fmt.Errorf("no answer in time: %w", err)
	}
	return fmt.Errorf("%w (is the address right and the server running?)", err)
}

// said is what a server says in its own words about an error. Each protocol has its shape, and some servers another's.
func said(answer []byte) string {
	var words struct{ Error json.RawMessage }
	text := ""
	if json.Unmarshal(answer, &words) == nil {
		var long struct{ Message string }
		if json.Unmarshal(words.Error, &text) != nil && json.Unmarshal(words.Error, &long) == nil {
			text = long.Message
		}
	}
	return text
}

// statusLine is the status and the server's words, shortened, and never with the key in them.
func (s *Server) statusLine(status int, answer []byte) string {
	line := strings.TrimSpace(fmt.Sprintf("%d %s", status, http.StatusText(status)))
	text := said(answer)
	if text == "" {
		return line
	}
	password, _ := s.url.User.Password()
	for _, hidden := range []string{s.key, password} {
		if hidden != "" {
			text = strings.ReplaceAll(text, hidden, "…")
		}
	}
	const longest = 300 // characters of a line that people read
	if runes := []rune(text); len(runes) > longest {
		text = string(runes[:longest]) + "…"
	}
	return fmt.Sprintf("%s: %q", line, text)
}

func (s *Server) remedy(status int) string {
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		if s.KeyEnv == "" {
			return " (it wants a key: name the environment variable that holds it)"
		}
		return fmt.Sprintf(" (check the key in the environment variable %s)", s.KeyEnv)
	case status == http.StatusPaymentRequired:
		return " (check the credit of your account there)"
	case status == http.StatusNotFound:
		return " (check the url and the name of the model)"
	case status == http.StatusRequestEntityTooLarge:
		return " (ask a model with a larger window)"
	case status >= 300 && status < 400:
		return " (it points elsewhere: configure the url it points to)"
	}
	return " (check the name of the model and what it can do)"
}

func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
