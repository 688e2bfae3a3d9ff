package llm

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

// connect opens a server whose waits are noted and not waited for.
func connect(t *testing.T, address string, change ...func(*provider)) (*provider, *[]time.Duration) {
	t.Helper()
	p, waits := open(t, Config{Kind: OpenAI, URL: address, Model: "m", KeyEnv: "MODEL_KEY"})
	s := p.(*provider)
	for _, change := range change {
		change(s)
	}
	return s, waits
}

func TestABusyServerIsAskedAgainEachTimeLater(t *testing.T) {
	t.Parallel()
	s := serve(t,
		answer{status: 529, body: `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`},
		answer{status: http.StatusTooManyRequests, header: http.Header{"Retry-After": {"7"}}},
		answer{status: http.StatusBadGateway, body: "<html>"},
		answer{status: http.StatusOK, body: "done"})
	to, waits := connect(t, s.URL)
	if got, err := to.Ask(t.Context(), "x"); err != nil || string(got) != "done" {
		t.Errorf("%q, %v", got, err)
	}
	if want := []time.Duration{2 * time.Second, 7 * time.Second, 8 * time.Second}; !slices.Equal(*waits, want) {
		t.Errorf("waited %v, want %v", *waits, want)
	}
	for _, after := range []string{"86400", "9223372036854775807"} {
		s = serve(t, answer{status: http.StatusTooManyRequests, header: http.Header{"Retry-After": {after}}})
		to, waits = connect(t, s.URL)
		_, err := to.Ask(t.Context(), "x")
		if !errors.Is(err, memory.ErrRefused) || len(s.asked) != 4 || !slices.Equal(*waits, []time.Duration{time.Minute, time.Minute, time.Minute}) {
			t.Errorf("%v after %d requests and %v", err, len(s.asked), *waits)
		}
		if err != nil && (!strings.Contains(err.Error(), "429") || !strings.Contains(err.Error(), "try later")) {
			t.Errorf("%v", err)
		}
	}
}

func TestNothingIsAskedAgainWhenTimeIsUp(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	s := serve(t, answer{status: http.StatusServiceUnavailable})
	to, _ := connect(t, s.URL, func(c *provider) {
		c.env.Wait = func(ctx context.Context, _ time.Duration) error {
			cancel()
			return ctx.Err()
		}
	})
	if _, err := to.Ask(ctx, "x"); !errors.Is(err, context.Canceled) || len(s.asked) != 1 {
		t.Errorf("%v after %d requests", err, len(s.asked))
	}
	if _, err := to.Ask(ctx, "x"); !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "in time") {
		t.Errorf("%v", err)
	}
	if err := wait(ctx, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("a wait goes on although its time is up: %v", err)
	}
	if err := wait(t.Context(), 0); err != nil {
		t.Errorf("a wait that is over: %v", err)
	}
}

func TestAKeyDoesNotFollowARedirection(t *testing.T) {
	t.Parallel()
	other := serve(t, answer{status: http.StatusOK})
	s := serve(t, answer{status: http.StatusTemporaryRedirect, header: http.Header{"Location": {other.URL + "/v1/chat/completions"}}})
	to, _ := connect(t, s.URL)
	if _, err := to.Ask(t.Context(), "x"); !errors.Is(err, memory.ErrRefused) || len(other.asked) != 0 {
		t.Errorf("%v, the other server was asked %d times", err, len(other.asked))
	}
}

func TestAnEndlessAnswerIsNotRead(t *testing.T) {
	t.Parallel()
	s := serve(t, answer{status: http.StatusOK, body: strings.Repeat("x", 11)})
	to, _ := connect(t, s.URL, func(c *provider) { c.t.AnswerLimit = 10 })
	if _, err := to.Ask(t.Context(), "x"); !errors.Is(err, memory.ErrRefused) || !strings.Contains(err.Error(), "llm.answer_limit") {
		t.Errorf("%v", err)
	}
}

func TestNeitherKeyNorPasswordIsTold(t *testing.T) {
	t.Parallel()
	s := serve(t, answer{status: http.StatusBadRequest, body: `{"error":"bad ` + key + ` and pa55word"}`})
	to, _ := connect(t, strings.Replace(s.URL, "http://", "http://me:pa55word@", 1)+"?key="+key)
	_, err := to.Ask(t.Context(), "x")
	var refusal *Refusal
	if !errors.As(err, &refusal) || !errors.Is(err, memory.ErrRefused) {
		t.Fatalf("%v", err)
	}
	for _, text := range []string{err.Error(), to.Name(), fmt.Sprintf("%v %+v %#v %s", to, to, to, to)} {
		if strings.Contains(text, key) || strings.Contains(text, "pa55word") {
			t.Errorf("it tells: %s", text)
		}
	}
}
