package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/tuning"
)

const key = "sk-very-secret"

// server plays a model server: each request takes the next answer, the last one for good.
type server struct {
	*httptest.Server
	asked   []asked
	answers []answer
}

type asked struct {
	path   string
	header http.Header
	body   map[string]any
}

type answer struct {
	status int
	header http.Header
	body   string
}

func serve(t *testing.T, answers ...answer) *server {
	t.Helper()
	s := &server{answers: answers}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		a := asked{path: r.Method + " " + r.URL.RequestURI(), header: r.Header}
		if err != nil || !json.Valid(body) {
			t.Errorf("request %q: %v", body, err)
		}
		_ = json.Unmarshal(body, &a.body) // what is no object has none
		now := s.answers[min(len(s.asked), len(s.answers)-1)]
		s.asked = append(s.asked, a)
		for name, values := range now.header {
			w.Header()[name] = values
		}
		w.WriteHeader(now.status)
		fmt.Fprint(w, now.body)
	}))
	t.Cleanup(s.Close)
	return s
}

func says(body string) answer { return answer{status: http.StatusOK, body: body} }

func plain(status int, body string) answer { return answer{status: status, body: body} }

// good are whole answers of each protocol that say "written".
var good = map[string]answer{
	Anthropic: says(`{"id":"msg_1","type":"message","role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"writ"},` +
		`{"type":"text","text":"ten"}],"stop_reason":"end_turn","usage":{"input_tokens":9,"output_tokens":2}}`),
	OpenAI: says(`{"id":"c1","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"written","refusal":null},` +
		`"finish_reason":"stop"}],"usage":{"prompt_tokens":9}}`),
}

func noon() time.Time { return time.Date(2026, 3, 12, 12, 0, 0, 0, time.UTC) }

// environment has a key, a clock that stands still, and waits that are noted and not waited for.
func environment(waits *[]time.Duration) Env {
	return Env{
		Getenv: func(name string) string { return map[string]string{"MODEL_KEY": key, "BAD_KEY": "two words"}[name] },
		Now:    noon,
		Budget: &countedBudget{},
		Wait: func(ctx context.Context, d time.Duration) error {
			*waits = append(*waits, d)
			return ctx.Err()
		},
	}
}

func open(t *testing.T, c Config) (Provider, *[]time.Duration) {
	t.Helper()
	var waits []time.Duration
	p := must.Get(Open(c, environment(&waits), tuning.Default().LLM))(t)
	return p, &waits
}

func TestEveryProtocolIsSpoken(t *testing.T) {
	t.Parallel()
	both := []any{map[string]any{"role": "system", "content": "be brief"}, map[string]any{"role": "user", "content": "dream"}}
	for _, c := range []struct {
		kind, under, path string
		header            map[string]string
		body              map[string]any
	}{
		{
			Anthropic, "", "POST /v1/messages", map[string]string{"X-Api-Key": key, "Anthropic-Version": "2023-06-01", "Authorization": ""},
			map[string]any{
				"model": "m", "max_tokens": 50.0, "system": "be brief", "temperature": 0.5,
				"messages": []any{map[string]any{"role": "user", "content": "dream"}},
			},
		},
		{
			OpenAI, "", "POST /v1/chat/completions", map[string]string{"Authorization": "Bearer " + key},
			map[string]any{"model": "m", "max_tokens": 50.0, "temperature": 0.5, "messages": both},
		},
		{kind: Anthropic, under: "/v1/", path: "POST /v1/messages"},
		{kind: Anthropic, under: "/proxy/v1/messages", path: "POST /proxy/v1/messages"},
		{kind: OpenAI, under: "/api/v1", path: "POST /api/v1/chat/completions"},
		{kind: OpenAI, under: "/v1beta/openai/chat/completions?api-version=3", path: "POST /v1beta/openai/chat/completions?api-version=3"},
	} {
		s := serve(t, good[c.kind])
		p, _ := open(t, Config{Kind: c.kind, URL: s.URL + c.under, Model: "m", KeyEnv: "MODEL_KEY"})
		got, err := p.Complete(t.Context(), Request{System: "be brief", Prompt: "dream", MaxTokens: 50, Temperature: .5})
		if err != nil || got != "written" {
			t.Errorf("%s%s: %q, %v", c.kind, c.under, got, err)
		}
		a := s.asked[0]
		if a.path != c.path || c.body != nil && !reflect.DeepEqual(a.body, c.body) {
			t.Errorf("%s%s was asked %s %v, want %s %v", c.kind, c.under, a.path, a.body, c.path, c.body)
		}
		for name, want := range c.header {
			if got := a.header.Get(name); got != want {
				t.Errorf("%s: %s is %q, want %q", c.kind, name, got, want)
			}
		}
	}
}

func TestWithoutASystemTextNoneIsSent(t *testing.T) {
	t.Parallel()
	for kind, answer := range good {
		s := serve(t, answer)
		p, _ := open(t, Config{Kind: kind, URL: s.URL, Model: "m"})
		if _, err := p.Complete(t.Context(), Request{Prompt: "dream"}); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
		a := s.asked[0]
		_, system := a.body["system"]
		if system || len(a.body["messages"].([]any)) != 1 || a.header.Get("Authorization")+a.header.Get("X-Api-Key") != "" {
			t.Errorf("%s was asked %+v", kind, a)
		}
		if kind == Anthropic && a.body["max_tokens"] != 8000.0 {
			t.Errorf("the longest answer is %v", a.body["max_tokens"])
		}
	}
}

func TestAModelIsAskedWithoutWhatItRefuses(t *testing.T) {
	t.Parallel()
	s := serve(t,
		plain(400, `{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."}}`),
		plain(400, `{"error":{"message":"Unsupported value: 'temperature' does not support 0.2 with this model."}}`),
		good[OpenAI])
	p, waits := open(t, Config{Kind: OpenAI, URL: s.URL, Model: "m"})
	for range 2 {
		if got, err := p.Complete(t.Context(), Request{Prompt: "dream", MaxTokens: 7, Temperature: .2}); err != nil || got != "written" {
			t.Fatalf("%q, %v", got, err)
		}
	}
	if len(s.asked) != 4 || len(*waits) != 0 {
		t.Fatalf("%d requests, waited %v", len(s.asked), *waits)
	}
	for i, want := range []string{"max_tokens temperature", "max_completion_tokens temperature", "max_completion_tokens", "max_completion_tokens"} {
		var fields []string
		for _, name := range []string{"max_tokens", "max_completion_tokens", "temperature"} {
			if _, sent := s.asked[i].body[name]; sent {
				fields = append(fields, name)
			}
		}
		if got := strings.Join(fields, " "); got != want {
			t.Errorf("request %d has %s, want %s", i, got, want)
		}
	}

	s = serve(t, plain(400, `{"type":"error","error":{"type":"invalid_request_error","message":"temperature: no"}}`))
	p, _ = open(t, Config{Kind: Anthropic, URL: s.URL, Model: "m"})
	if _, err := p.Complete(t.Context(), Request{Prompt: "dream"}); !errors.Is(err, memory.ErrRefused) || len(s.asked) != 2 {
		t.Errorf("%v after %d requests", err, len(s.asked))
	}
}

func TestAnswersThatAreNoneAreRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, kind, body string
		is               error
		want             string
	}{
		{"cut short", Anthropic, `{"content":[{"type":"text","text":"wri"}],"stop_reason":"max_tokens"}`, memory.ErrRefused, "llm.max_tokens"},
		{"cut short", OpenAI, `{"choices":[{"message":{"content":"wri"},"finish_reason":"length"}]}`, memory.ErrRefused, "llm.max_tokens"},
		{"refused", Anthropic, `{"content":[],"stop_reason":"refusal"}`, memory.ErrRefused, "refused to answer"},
		{"refused", OpenAI, `{"choices":[{"message":{"content":null,"refusal":"I cannot"},"finish_reason":"stop"}]}`, memory.ErrRefused, "refused to answer"},
		{"filtered", OpenAI, `{"choices":[{"message":{"content":"wri"},"finish_reason":"content_filter"}]}`, memory.ErrRefused, "refused to answer"},
		{"nothing", Anthropic, `{"content":[{"type":"text","text":" \n"}],"stop_reason":"end_turn"}`, memory.ErrDamaged, "empty"},
		{"nothing", OpenAI, `{"choices":[]}`, memory.ErrDamaged, "empty"},
		{"another protocol", Anthropic, good[OpenAI].body, memory.ErrDamaged, "empty"},
		{"no JSON", OpenAI, `<html>` + key, memory.ErrDamaged, "protocol of openai"},
		{"another type", OpenAI, `{"choices":"` + key + `"}`, memory.ErrDamaged, "protocol of openai"},
	} {
		s := serve(t, says(c.body))
		p, _ := open(t, Config{Kind: c.kind, URL: s.URL, Model: "m", KeyEnv: "MODEL_KEY"})
		got, err := p.Complete(t.Context(), Request{Prompt: "dream"})
		if got != "" || !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), key) {
			t.Errorf("%s, %s: %q, %v, want %q", c.kind, c.name, got, err, c.want)
		}
	}
}

func TestErrorsNameTheProviderAndTheMendAndNeverTheKey(t *testing.T) {
	t.Parallel()
	gone := serve(t, good[OpenAI])
	gone.Close()
	for _, c := range []struct {
		name, kind string
		answer     answer
		want       []string
	}{
		{"unknown model", OpenAI, plain(404, `{"error":"model \"m\" not found"}`), []string{"404", "name of the model"}},
		{"unknown path", OpenAI, plain(404, `404 page not found`), []string{"404", "check the url"}},
		{"wrong key", OpenAI, plain(401, `{"error":{"message":"Incorrect API key provided: `+key+`."}}`), []string{"401", "MODEL_KEY"}},
		{"wrong key", Anthropic, plain(403, `{"type":"error","error":{"type":"permission_error","message":"`+key+`"}}`), []string{"403", "MODEL_KEY"}},
		{"no credit", OpenAI, plain(402, `{"error":"pay"}`), []string{"402", "credit"}},
		{"too long", Anthropic, plain(413, `{}`), []string{"413", "larger window"}},
		{"bad request", Anthropic, plain(400, `{"error":{"message":"`+strings.Repeat("no ", 999)+`"}}`), []string{"400", "…", "check the name"}},
		{"elsewhere", OpenAI, answer{status: 307, header: http.Header{"Location": {gone.URL}}}, []string{"307", "points elsewhere"}},
		{"busy for good", OpenAI, plain(500, `{"error":"runner has terminated `+key+`"}`), []string{"500", "runner", "try later"}},
	} {
		s := serve(t, c.answer)
		p, _ := open(t, Config{Kind: c.kind, URL: s.URL, Model: "m", KeyEnv: "MODEL_KEY"})
		_, err := p.Complete(t.Context(), Request{Prompt: "dream"})
		if !errors.Is(err, memory.ErrRefused) {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for _, want := range append(c.want, c.kind, s.URL) {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", c.name, err, want)
			}
		}
		if strings.Contains(err.Error(), key) || len(err.Error()) > 700 {
			t.Errorf("%s: %v", c.name, err)
		}
		for _, form := range []string{"%v", "%+v", "%#v", "%s", "%d"} {
			if printed := fmt.Sprintf(form, p); strings.Contains(printed, key) {
				t.Errorf("%s prints the key: %s", form, printed)
			}
		}
	}

	p, _ := open(t, Config{Kind: OpenAI, URL: strings.Replace(gone.URL, "http://", "http://me:"+key+"@", 1) + "?key=" + key, Model: "m"})
	_, err := p.Complete(t.Context(), Request{Prompt: "dream"})
	if err == nil || !strings.Contains(err.Error(), "the server running") || strings.Contains(err.Error(), key) {
		t.Errorf("nobody there: %v", err)
	}
}

func TestABadRequestIsNotSent(t *testing.T) {
	t.Parallel()
	s := serve(t, good[OpenAI])
	p, _ := open(t, Config{Kind: OpenAI, URL: s.URL, Model: "m"})
	limit := promptLimit
	for _, c := range []struct {
		request Request
		want    string
	}{
		{Request{}, "empty"},
		{Request{System: "x", Prompt: " \n"}, "empty"},
		{Request{Prompt: strings.Repeat("x", limit), System: "y"}, "longer than"},
		{Request{Prompt: "x", MaxTokens: -1}, "-1 tokens"},
		{Request{Prompt: "x", Temperature: -.1}, "temperature"},
		{Request{Prompt: "x", Temperature: 2.1}, "temperature"},
		{Request{Prompt: "x", Temperature: math.NaN()}, "temperature"},
	} {
		if _, err := p.Complete(t.Context(), c.request); !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	if _, err := p.Complete(t.Context(), Request{Prompt: strings.Repeat("x", limit)}); err != nil || len(s.asked) != 1 {
		t.Errorf("at the limit: %v, %d requests", err, len(s.asked))
	}
}

func TestABadConfigurationIsRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		config Config
		want   string
	}{
		{Config{}, "anthropic or openai"},
		{Config{Kind: "bert", Model: "m"}, "anthropic or openai"},
		{Config{Kind: OpenAI, Model: " "}, "gpt-4o-mini"},
		{Config{Kind: OpenAI, Model: "m", URL: "localhost:8080"}, "https://"},
		{Config{Kind: OpenAI, Model: "m", URL: "ftp://models.test"}, "https://"},
		{Config{Kind: OpenAI, Model: "m", URL: "http://me:" + key + "@%zz"}, "https://"},
		{Config{Kind: OpenAI, Model: "m", URL: "https://models.test", KeyEnv: "NO_KEY"}, "NO_KEY"},
		{Config{Kind: OpenAI, Model: "m", URL: "https://models.test", KeyEnv: "BAD_KEY"}, "BAD_KEY"},
		{Config{Kind: Anthropic, Model: "m"}, "ANTHROPIC_API_KEY"},
		{Config{Kind: OpenAI, Model: "m"}, "OPENAI_API_KEY"},
		{Config{Kind: OpenAI, Model: "m", URL: "http://models.test"}, "use https://"},
		{Config{Kind: OpenAI, Model: "m", URL: "http://192.168.1.5:11434"}, "use https://"},
		{Config{Kind: OpenAI, Model: "m", URL: "http://me:" + key + "@localhost.models.test"}, "use https://"},
	} {
		_, err := Open(c.config, environment(&[]time.Duration{}), tuning.Default().LLM)
		if !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), key) || strings.Contains(err.Error(), "two words") {
			t.Errorf("%+v: %v, want %q", c.config, err, c.want)
		}
	}
	for _, c := range []Config{
		{Kind: OpenAI, Model: "m", URL: "http://LOCALHOST:1"},
		{Kind: OpenAI, Model: "m", URL: "http://127.8.8.8:1"},
		{Kind: OpenAI, Model: "m", URL: "http://[::1]:1"},
		{Kind: OpenAI, Model: "m", URL: "http://192.168.1.5:11434", AllowPlain: true},
		{Kind: OpenAI, Model: "m", URL: "https://models.test"},
		{Kind: Anthropic, Model: "m", KeyEnv: "MODEL_KEY"},
	} {
		if _, err := Open(c, environment(&[]time.Duration{}), tuning.Default().LLM); err != nil {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// countedBudget keeps times as a store would, or fails.
type countedBudget struct {
	spent Spent
	made  []time.Time
	err   error
}

func (b *countedBudget) Take(_ context.Context, now time.Time, most int) (ok bool, free time.Time, err error) {
	if b.err != nil {
		return false, time.Time{}, b.err
	}
	b.made, ok, free = Admit(b.made, now, most)
	return ok, free, nil
}

func (b *countedBudget) Spend(_ context.Context, now time.Time, tokens, day, month int) (free time.Time, err error) {
	b.spent, free = b.spent.Spend(now, tokens, day, month)
	return free, b.err
}

func (b *countedBudget) Correct(_ context.Context, at time.Time, tokens int) error {
	b.spent = b.spent.Correct(at, tokens)
	return b.err
}

func (b *countedBudget) Rest(_ context.Context, until time.Time) error {
	b.spent.Rests = until
	return b.err
}

func TestRequestsAreCountedAgainstABudget(t *testing.T) {
	t.Parallel()
	numbers := tuning.Default().LLM
	numbers.Calls = 3
	s := serve(t, plain(503, ""), good[OpenAI])
	budget := &countedBudget{}
	now := noon()
	var waits []time.Duration
	env := environment(&waits)
	env.Budget, env.Now = budget, func() time.Time { return now }
	open := func() Provider {
		return must.Get(Open(Config{Kind: OpenAI, URL: s.URL, Model: "m"}, env, numbers))(t)
	}
	// The first takes two requests, because the server was busy.
	for range 2 {
		must.Get(open().Complete(t.Context(), Request{Prompt: "dream"}))(t)
	}
	now = noon().Add(20 * time.Minute)
	_, err := open().Complete(t.Context(), Request{Prompt: "dream"})
	if !errors.Is(err, memory.ErrRefused) || !strings.Contains(err.Error(), "free at 13:00") || !strings.Contains(err.Error(), "llm.calls") || len(s.asked) != 3 {
		t.Errorf("%v after %d requests", err, len(s.asked))
	}
	now = noon().Add(time.Hour)
	if _, err := open().Complete(t.Context(), Request{Prompt: "dream"}); err != nil || len(s.asked) != 4 {
		t.Errorf("an hour later: %v after %d requests", err, len(s.asked))
	}

	budget.err = errors.New("the store is locked")
	if _, err := open().Complete(t.Context(), Request{Prompt: "dream"}); !errors.Is(err, budget.err) || len(s.asked) != 4 {
		t.Errorf("what cannot be counted is asked: %v, %d requests", err, len(s.asked))
	}
	numbers.Calls, env.Budget = 0, &countedBudget{}
	if _, err := open().Complete(t.Context(), Request{Prompt: "dream"}); !errors.Is(err, memory.ErrRefused) || !strings.Contains(err.Error(), "never asked") {
		t.Errorf("%v", err)
	}
}

func TestNoHourHoldsMoreRequestsThanAdmitted(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(8, 6))
	for range 200 {
		most := 1 + random.IntN(5)
		now := noon()
		var made, granted []time.Time
		for range 100 {
			now = now.Add(time.Duration(random.Int64N(int64(30 * time.Minute))))
			var ok bool
			var free time.Time
			made, ok, free = Admit(made, now, most)
			if !ok {
				if !free.After(now) || free.Sub(now) > BudgetSpan {
					t.Fatalf("full at %v, free at %v", now, free)
				}
				if _, again, _ := Admit(slices.Clone(made), free, most); !again {
					t.Fatalf("not free at %v: %v", free, made)
				}
				continue
			}
			granted = append(granted, now)
		}
		for i := most; i < len(granted); i++ {
			if granted[i].Sub(granted[i-most]) < BudgetSpan {
				t.Fatalf("%d requests within an hour: %v", most+1, granted)
			}
		}
	}
	future := []time.Time{noon().AddDate(1, 0, 0)}
	if kept, ok, free := Admit(future, noon(), 1); ok || !free.Equal(noon().Add(time.Hour)) || !kept[0].Equal(noon()) {
		t.Errorf("a clock that was set back: %v, %v, %v", kept, ok, free)
	}
}
