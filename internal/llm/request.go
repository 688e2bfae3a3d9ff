package llm

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/tuning"
)

type provider struct {
	kind     string
	protocol protocol
	url      *url.URL
	model    string
	key      string
	keyEnv   string
	client   *http.Client
	now      func() time.Time
	wait     func(ctx context.Context, d time.Duration) error
	budget   Budget
	t        tuning.LLM

	mu   sync.Mutex
	omit habits
}

// name is the provider and its address, without a password or a key that stands in it.
func (p *provider) name() string {
	return fmt.Sprintf("%s at %s://%s%s", p.kind, p.url.Scheme, p.url.Host, p.url.Path)
}

// Format prints the name in every form: the fields would tell the key.
func (p *provider) Format(to fmt.State, _ rune) { fmt.Fprint(to, p.name()) }

// Complete asks, again if the server is busy.
func (p *provider) Complete(ctx context.Context, r Request) (string, error) {
	r.MaxTokens = cmp.Or(r.MaxTokens, p.t.MaxTokens)
	if err := r.check(p.t); err != nil {
		return "", fmt.Errorf("ask %s (%s): %w", p.model, p.kind, err)
	}
	text, err := p.ask(ctx, r)
	if err != nil {
		return "", fmt.Errorf("ask %s (%s): %w", p.model, p.name(), err)
	}
	return text, nil
}

func (p *provider) ask(ctx context.Context, r Request) (string, error) {
	pause := p.t.RetryWait
	for try := 0; ; {
		omit := p.habits()
		body, err := json.Marshal(p.protocol.body(p.model, r, omit))
		if err != nil {
			return "", err
		}
		answer, err := p.send(ctx, body)
		var busy *busyError
		var odd *fieldError
		switch {
		case err == nil:
			return p.read(answer, r.MaxTokens)
		case errors.As(err, &odd) && p.learn(omit, odd.said):
			continue // at most once for each habit
		case errors.As(err, &odd):
			return "", odd.err
		case !errors.As(err, &busy):
			return "", err
		case try >= p.t.Retries:
			return "", fmt.Errorf("%w, asked %d times (it is busy: try later): %w", busy, try+1, memory.ErrRefused)
		}
		if err := p.wait(ctx, min(max(pause, busy.after), p.t.RetryMost)); err != nil {
			return "", fmt.Errorf("%w, while it said: %w", err, busy)
		}
		pause *= 2
		try++
	}
}

// busyError is an answer after which it is worth asking again.
type busyError struct {
	status string
	after  time.Duration // that the server asks for
}

func (e *busyError) Error() string { return e.status }

// fieldError is an answer that refuses the request as it is written.
type fieldError struct {
	said string
	err  error
}

func (e *fieldError) Error() string { return e.err.Error() }

func (p *provider) habits() habits {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.omit
}

// learn takes from a refusal what the model does without, and reports whether that is worth another try.
func (p *provider) learn(omitted habits, said string) bool {
	next := omitted
	if strings.Contains(said, "temperature") {
		next.noTemperature = true
	}
	if p.kind == OpenAI && strings.Contains(said, "max_completion_tokens") {
		next.completionTokens = true
	}
	if next == omitted {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.omit.noTemperature = p.omit.noTemperature || next.noTemperature
	p.omit.completionTokens = p.omit.completionTokens || next.completionTokens
	return true
}

// spend counts a request, or says when the next one is free.
func (p *provider) spend(ctx context.Context) error {
	ok, free, err := p.budget.Take(ctx, p.now(), p.t.Calls)
	switch {
	case err != nil:
		return fmt.Errorf("count the request: %w", err)
	case ok:
		return nil
	case free.IsZero():
		return fmt.Errorf("llm.calls is %d, so it is never asked (raise it): %w", p.t.Calls, memory.ErrRefused)
	}
	return fmt.Errorf("the %d requests of this hour are used up (the next is free at %s, or raise llm.calls): %w",
		p.t.Calls, free.Format("15:04"), memory.ErrRefused)
}

func (p *provider) send(ctx context.Context, body []byte) ([]byte, error) {
	if err := p.spend(ctx); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, p.t.Timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url.String(), bytes.NewReader(body))
	if err != nil {
		return nil, p.unreachable(err)
	}
	request.Header.Set("Content-Type", "application/json")
	for name, value := range p.protocol.header(p.key) {
		if value != "" {
			request.Header.Set(name, value)
		}
	}
	response, err := p.client.Do(request)
	if err != nil {
		return nil, p.unreachable(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(response.Body, p.t.AnswerLimit+1))
	status := response.StatusCode
	switch {
	case err != nil:
		return nil, p.unreachable(err)
	case int64(len(answer)) > p.t.AnswerLimit:
		return nil, fmt.Errorf("its answer is longer than llm.answer_limit: %w", memory.ErrRefused)
	case status == http.StatusOK:
		return answer, nil
	case status == http.StatusTooManyRequests || status >= http.StatusInternalServerError:
		seconds, _ := strconv.Atoi(response.Header.Get("Retry-After")) // the form with a date is rare, and then we choose
		seconds = min(max(0, seconds), int(p.t.RetryMost/time.Second)+1)
		return nil, &busyError{p.told(status, answer), time.Duration(seconds) * time.Second}
	}
	err = fmt.Errorf("%s%s: %w", p.told(status, answer), p.mend(status), memory.ErrRefused)
	if status == http.StatusBadRequest || status == http.StatusUnprocessableEntity {
		return nil, &fieldError{said(answer), err}
	}
	return nil, err
}

// unreachable drops the address from an error of the client: the caller names it, and without its password.
func (p *provider) unreachable(err error) error {
	var inner *url.Error
	if errors.As(err, &inner) {
		err = inner.Err
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return fmt.Errorf("no answer in time: %w", err)
	case p.kind == Ollama:
		return fmt.Errorf("%w (is it running? ollama serve)", err)
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

// told is the status and the server's words, shortened, and never with the key in them.
func (p *provider) told(status int, answer []byte) string {
	line := strings.TrimSpace(fmt.Sprintf("%d %s", status, http.StatusText(status)))
	text := said(answer)
	if text == "" {
		return line
	}
	password, _ := p.url.User.Password()
	for _, hidden := range []string{p.key, password} {
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

func (p *provider) mend(status int) string {
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		if p.keyEnv == "" {
			return " (it wants a key: name the environment variable that holds it)"
		}
		return fmt.Sprintf(" (check the key in the environment variable %s)", p.keyEnv)
	case status == http.StatusPaymentRequired:
		return " (check the credit of your account there)"
	case status == http.StatusNotFound && p.kind == Ollama:
		return fmt.Sprintf(" (ollama pull %s)", p.model)
	case status == http.StatusNotFound:
		return " (check the url and the name of the model)"
	case status == http.StatusRequestEntityTooLarge:
		return " (ask a model with a larger window)"
	case status >= 300 && status < 400:
		return " (it points elsewhere: configure the url it points to)"
	}
	return " (check the name of the model and what it can do)"
}

func (p *provider) read(answer []byte, tokens int) (string, error) {
	text, ended, err := p.protocol.read(answer)
	if err != nil {
		// The error of the decoder may quote the answer, so it is not passed on.
		return "", fmt.Errorf("its answer is not understood (does it speak the protocol of %s?): %w", p.kind, memory.ErrDamaged)
	}
	return whole(text, ended, tokens)
}
