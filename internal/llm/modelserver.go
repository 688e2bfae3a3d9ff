package llm

import (
	"bytes"
	"cmp"
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
	"github.com/hebb-memory/hebb/internal/prose"
)

// connect completes the address and finds the key. It asks nothing yet.
func (s *provider) connect() error {
	if s.env.Wait == nil {
		s.env.Wait = wait
	}
	if s.URL == "" {
		s.URL, s.KeyEnv = s.protocol.url, cmp.Or(s.KeyEnv, s.protocol.keyEnv)
	}
	if err := s.endpoint(); err != nil || s.KeyEnv == "" {
		return err
	}
	s.key = strings.TrimSpace(s.env.Getenv(s.KeyEnv))
	if s.key == "" {
		return fmt.Errorf("language model provider %s: the environment variable %s, which should hold its key, is empty: %w", s.Name(), s.KeyEnv, memory.ErrInvalid)
	}
	if strings.ContainsFunc(s.key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return fmt.Errorf("language model provider %s: what the environment variable %s holds is no key, it has blanks or other signs in it: %w",
			s.Name(), s.KeyEnv, memory.ErrInvalid)
	}
	return nil
}

// endpoint completes the address, whether or not it already names the version or the call.
func (s *provider) endpoint() error {
	u, err := url.Parse(strings.TrimRight(s.URL, "/"))
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		// The error of url.Parse would quote the address, and with it a password.
		return fmt.Errorf("language model provider %s: its url must be https://… or http://…: %w", s.Kind, memory.ErrInvalid)
	}
	if u.Scheme == "http" && !s.AllowPlain && !loopback(u.Hostname()) {
		return fmt.Errorf("language model provider %s at %s: http:// to another machine can be read by everybody between: "+
			"use https://, or allow it in the configuration: %w", s.Kind, u.Host, memory.ErrInvalid)
	}
	version, call, _ := strings.Cut(s.protocol.path, "/")
	switch {
	case strings.HasSuffix(u.Path, "/"+s.protocol.path):
	case s.Kind == OpenAI && strings.HasSuffix(u.Path, "/"+call): // servers that speak it name their versions as they like
	case strings.HasSuffix(u.Path, "/"+version):
		u = u.JoinPath(call)
	default:
		u = u.JoinPath(version, call)
	}
	s.address = u
	return nil
}

// loopback says whether a host is this machine.
func loopback(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// Name is the kind and the address, without a password or a key that stands in it.
func (s *provider) Name() string {
	return fmt.Sprintf("%s at %s://%s%s", s.Kind, s.address.Scheme, s.address.Host, s.address.Path)
}

// Format prints the name in every form: the fields hold the key.
func (s *provider) Format(to fmt.State, _ rune) { fmt.Fprint(to, s.Name()) }

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
func (s *provider) Ask(ctx context.Context, body any) ([]byte, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	pause := s.t.RetryWait
	for try := 0; ; try++ {
		answer, err := s.send(ctx, text)
		var busy *busyError
		switch {
		case !errors.As(err, &busy):
			return answer, err
		case try >= s.t.Retries:
			return nil, fmt.Errorf("%w, asked %d times (it is busy: try later): %w", busy, try+1, memory.ErrRefused)
		}
		if err := s.env.Wait(ctx, min(max(pause, busy.after), s.t.RetryMost)); err != nil {
			return nil, fmt.Errorf("%w, while it said: %w", err, busy)
		}
		pause *= 2
	}
}

func (s *provider) send(ctx context.Context, body []byte) ([]byte, error) {
	if err := s.spend(ctx); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, s.t.Timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.address.String(), bytes.NewReader(body))
	if err != nil {
		return nil, s.unreachable(err)
	}
	request.Header.Set("Content-Type", "application/json")
	for name, value := range s.protocol.header(s.key) {
		if value != "" {
			request.Header.Set(name, value)
		}
	}
	response, err := s.client.Do(request)
	if err != nil {
		return nil, s.unreachable(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(response.Body, s.t.AnswerLimit+1))
	status := response.StatusCode
	switch {
	case err != nil:
		return nil, s.unreachable(err)
	case int64(len(answer)) > s.t.AnswerLimit:
		return nil, fmt.Errorf("its answer is longer than llm.answer_limit: %w", memory.ErrRefused)
	case status == http.StatusOK:
		return answer, nil
	case status == http.StatusTooManyRequests || status >= http.StatusInternalServerError:
		seconds, _ := strconv.Atoi(response.Header.Get("Retry-After")) // the form with a date is rare, and then we choose
		seconds = min(max(0, seconds), int(s.t.RetryMost/time.Second)+1)
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
func (s *provider) unreachable(err error) error {
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
func (s *provider) statusLine(status int, answer []byte) string {
	line := strings.TrimSpace(fmt.Sprintf("%d %s", status, http.StatusText(status)))
	text := said(answer)
	if text == "" {
		return line
	}
	password, _ := s.address.User.Password()
	for _, hidden := range []string{s.key, password} {
		if hidden != "" {
			text = strings.ReplaceAll(text, hidden, "…")
		}
	}
	const longest = 300 // characters of a line that people read
	return fmt.Sprintf("%s: %q", line, prose.Shorten(text, longest))
}

func (s *provider) remedy(status int) string {
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
