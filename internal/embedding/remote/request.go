package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/tuning"
)

type provider struct {
	kind     string
	url      *url.URL
	model    string
	dims     int // 0: all
	prefixes Prefixes
	key      string
	keyEnv   string
	client   *http.Client
	wait     func(ctx context.Context, d time.Duration) error
	t        tuning.Embedding
}

// Embed asks for a batch at a time. Blank texts are not sent: some servers refuse the whole batch for one.
func (p *provider) Embed(ctx context.Context, texts []string, asQuery bool) ([]memory.Vector, error) {
	prefix := p.prefixes.Document
	if asQuery {
		prefix = p.prefixes.Query
	}
	vectors := make([]memory.Vector, len(texts))
	var places []int
	var batch []string
	flush := func() error {
		if len(batch) == 0 {
			return nil
		}
		rows, err := p.ask(ctx, batch)
		if err != nil {
			return fmt.Errorf("embed %d texts with %s at %s: %w", len(batch), p.model, p.url.Redacted(), err)
		}
		for i, row := range rows {
			vectors[places[i]] = memory.NewVector(row)
		}
		places, batch = places[:0], batch[:0]
		return nil
	}
	for i, text := range texts {
		if strings.TrimSpace(text) == "" {
			continue
		}
		places, batch = append(places, i), append(batch, prefix+p.shorten(text))
		if len(batch) == p.t.Batch {
			if err := flush(); err != nil {
				return nil, err
			}
		}
	}
	if err := flush(); err != nil {
		return nil, err
	}
	return vectors, nil
}

func (p *provider) shorten(text string) string {
	if len(text) <= p.t.TextLimit {
		return text
	}
	end := p.t.TextLimit
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}

// ask sends one batch, again if the server is busy, and returns a row of the wanted dimensions for each text.
func (p *provider) ask(ctx context.Context, batch []string) ([][]float32, error) {
	// Both protocols have these two fields. Rows are cut here: not every server that has "dimensions" heeds it.
	body, err := json.Marshal(struct {
		Model string   `json:"model"`
		Input []string `json:"input"`
	}{p.model, batch})
	if err != nil {
		return nil, err
	}
	pause := p.t.RetryWait
	for try := 0; ; try++ {
		answer, err := p.send(ctx, body)
		var busy *busyError
		if errors.As(err, &busy) && try < p.t.Retries {
			if err := p.wait(ctx, min(max(pause, busy.after), p.t.RetryMost)); err != nil {
				return nil, fmt.Errorf("%w, while it said: %w", err, busy)
			}
			pause *= 2
			continue
		}
		if err != nil {
			return nil, err
		}
		return p.read(answer, len(batch))
	}
}

// busyError is an answer after which it is worth asking again.
type busyError struct {
	status string
	after  time.Duration // that the server asks for
}

func (e *busyError) Error() string { return e.status }

func (p *provider) send(ctx context.Context, body []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, p.t.Timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url.String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	if p.key != "" {
		request.Header.Set("Authorization", "Bearer "+p.key)
	}
	response, err := p.client.Do(request)
	if err != nil {
		return nil, p.unreachable(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(response.Body, p.t.AnswerLimit+1))
	switch {
	case err != nil:
		return nil, p.unreachable(err)
	case int64(len(answer)) > p.t.AnswerLimit:
		return nil, fmt.Errorf("its answer is longer than embedding.answer_limit: %w", memory.ErrRefused)
	case response.StatusCode == http.StatusOK:
		return answer, nil
	case response.StatusCode == http.StatusTooManyRequests || response.StatusCode >= http.StatusInternalServerError:
		seconds, _ := strconv.Atoi(response.Header.Get("Retry-After")) // the form with a date is rare, and then we choose
		return nil, &busyError{p.said(response.Status, answer), time.Duration(max(0, seconds)) * time.Second}
	}
	return nil, fmt.Errorf("%s%s: %w", p.said(response.Status, answer), p.mend(response.StatusCode), memory.ErrRefused)
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

// said is the status and the server's own words, shortened, and never with the key in them.
func (p *provider) said(status string, answer []byte) string {
	var words struct{ Error json.RawMessage }
	text := ""
	if json.Unmarshal(answer, &words) == nil {
		var long struct{ Message string }
		if json.Unmarshal(words.Error, &text) != nil && json.Unmarshal(words.Error, &long) == nil {
			text = long.Message
		}
	}
	if p.key != "" {
		text = strings.ReplaceAll(text, p.key, "…")
	}
	if text == "" {
		return status
	}
	const longest = 300 // characters of a line that people read
	if runes := []rune(text); len(runes) > longest {
		text = string(runes[:longest]) + "…"
	}
	return fmt.Sprintf("%s: %q", status, text)
}

func (p *provider) mend(status int) string {
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		if p.keyEnv == "" {
			return " (it wants a key: name the environment variable that holds it)"
		}
		return fmt.Sprintf(" (check the key in the environment variable %s)", p.keyEnv)
	case status == http.StatusNotFound && p.kind == Ollama:
		return fmt.Sprintf(" (ollama pull %s)", p.model)
	case status == http.StatusNotFound:
		return " (check the url and the name of the model)"
	case status >= 300 && status < 400:
		return " (it points elsewhere: configure the url it points to)"
	}
	return ""
}

// read takes the rows out of an answer of either protocol, in the order of the texts.
func (p *provider) read(answer []byte, count int) ([][]float32, error) {
	var reply struct {
		Embeddings [][]float32 // Ollama
		Data       []struct {  // OpenAI
			Index     int
			Embedding []float32
		}
	}
	if err := json.Unmarshal(answer, &reply); err != nil {
		return nil, fmt.Errorf("its answer is not understood (does it speak the protocol of %s?): %w: %w", p.kind, err, memory.ErrDamaged)
	}
	rows := reply.Embeddings
	if p.kind == OpenAI {
		rows = make([][]float32, count)
		for _, d := range reply.Data {
			if d.Index < 0 || d.Index >= count || rows[d.Index] != nil {
				return nil, fmt.Errorf("its answer numbers a vector %d of %d: %w", d.Index, count, memory.ErrDamaged)
			}
			rows[d.Index] = d.Embedding
		}
	}
	if len(rows) != count {
		return nil, fmt.Errorf("it answered with %d vectors for %d texts: %w", len(rows), count, memory.ErrDamaged)
	}
	width := len(rows[0])
	for i, row := range rows {
		switch {
		case len(row) == 0 || len(row) != width:
			return nil, fmt.Errorf("it answered with vectors of %d and %d dimensions: %w", width, len(row), memory.ErrDamaged)
		case len(row) < p.dims:
			return nil, fmt.Errorf("its vectors have %d dimensions, %d are configured: %w", len(row), p.dims, memory.ErrInvalid)
		case p.dims > 0:
			rows[i] = row[:p.dims]
		}
	}
	return rows, nil
}
