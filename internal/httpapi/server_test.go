package httpapi_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/httpapi"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
)

// served is a server that runs for a test, and a browser that has opened its address.
type served struct {
	*httpapi.Server
	t      *testing.T
	config config.Config
	later  atomic.Int64 // seconds that the clock is ahead
	base   string       // of the page, with a slash at its end
	client *http.Client
	stop   context.CancelFunc
	ended  chan error
}

func (s *served) now() time.Time {
	return time.Date(2026, 11, 18, 9, 0, 0, 0, time.UTC).Add(time.Duration(s.later.Load()) * time.Second)
}

// serve starts a server. Its page is one line.
func serve(t *testing.T) *served { return serveFor(t, 0) }

// serveFor starts a server that ends after a time without use.
func serveFor(t *testing.T, idle time.Duration) *served {
	t.Helper()
	home := t.TempDir()
	c := must.Get(config.Load(func(name string) string { return map[string]string{config.EnvHome: home}[name] }))(t)
	s := &served{t: t, config: c, ended: make(chan error, 1)}
	s.Server = must.Get(httpapi.New(t.Context(), httpapi.Options{
		Config: c, Now: s.now, Idle: idle, Assets: fstest.MapFS{"index.html": {Data: []byte("<title>the page</title>")}},
		Doctor: func(context.Context) []inspect.Finding {
			return []inspect.Finding{{Name: "store", Level: inspect.Fine}}
		},
	}))(t)
	ctx, stop := context.WithCancel(t.Context())
	s.stop = stop
	ready := make(chan struct{})
	go func() { s.ended <- s.Serve(ctx, 0, func() { close(ready) }) }()
	select {
	case <-ready:
	case err := <-s.ended:
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stop()
		if err := <-s.ended; err != nil && idle == 0 || idle > 0 && !errors.Is(err, httpapi.ErrIdle) {
			t.Errorf("it ended with %v", err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	s.client = browser(t)
	if status, _ := s.get(s.client, s.Address(), nil); status != http.StatusOK {
		t.Fatalf("the address answers %d", status)
	}
	return s
}

func browser(t *testing.T) *http.Client {
	t.Helper()
	jar := must.Get(cookiejar.New(nil))(t)
	return &http.Client{Jar: jar}
}

// get opens an address; the page's own is known afterwards.
func (s *served) get(client *http.Client, address string, change func(*http.Request)) (int, string) {
	s.t.Helper()
	if base, _, entering := strings.Cut(address, "in?token="); entering && s.base == "" {
		s.base = base
	}
	r := must.Get(http.NewRequestWithContext(s.t.Context(), http.MethodGet, address, nil))(s.t)
	return s.do(client, r, change)
}

func (s *served) do(client *http.Client, r *http.Request, change func(*http.Request)) (int, string) {
	s.t.Helper()
	if change != nil {
		change(r)
	}
	answer := must.Get(client.Do(r))(s.t)
	defer answer.Body.Close()
	text := must.Get(io.ReadAll(answer.Body))(s.t)
	for name, want := range map[string]string{"Cache-Control": "no-store", "Access-Control-Allow-Origin": "", "X-Content-Type-Options": "nosniff"} {
		if got := answer.Header.Get(name); got != want {
			s.t.Errorf("%s: %s is %q", r.URL, name, got)
		}
	}
	if csp := answer.Header.Get("Content-Security-Policy"); !strings.Contains(csp, "default-src 'none'; script-src 'self';") {
		s.t.Errorf("%s: policy %q", r.URL, csp)
	}
	return answer.StatusCode, string(text)
}

// ask calls an operation as the page does.
func (s *served) ask(name, input string, change func(*http.Request)) (int, string) {
	s.t.Helper()
	r := must.Get(http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.base+"api/"+name, strings.NewReader(input)))(s.t)
	r.Header.Set("Origin", "http://"+r.URL.Host)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	return s.do(s.client, r, change)
}

func TestThePageAndItsOperationsAreForTheBrowserThatOpenedTheAddress(t *testing.T) {
	s := serve(t)
	if status, text := s.get(s.client, s.base, nil); status != http.StatusOK || text != "<title>the page</title>" {
		t.Errorf("the page: %d %s", status, text)
	}
	if status, text := s.ask("remember", `{"text":"Deploys go through the staging cluster first.","kind":"rule","everywhere":true}`, nil); status != http.StatusOK || !strings.Contains(text, `"kind":"rule"`) {
		t.Errorf("remember: %d %s", status, text)
	}
	status, text := s.ask("remembered", `{"all":true,"limit":50}`, nil)
	var page inspect.RememberedPage
	if err := json.Unmarshal([]byte(text), &page); err != nil || status != http.StatusOK || page.Total != 1 || page.Rows[0].Text != "Deploys go through the staging cluster first." {
		t.Errorf("remembered: %d %s, %v", status, text, err)
	}
	if status, text := s.ask("doctor", `{}`, nil); status != http.StatusOK || !strings.Contains(text, `"level":"ok"`) {
		t.Errorf("doctor: %d %s", status, text)
	}
}

// A copy that is put in the place of the store while the page runs is what the page shows from then on.
func TestAStoreThatIsReplacedIsOpenedAgain(t *testing.T) {
	s := serve(t)
	other := serve(t)
	for at, text := range map[*served]string{s: "The old store says this.", other: "The copy says this."} {
		if status, answer := at.ask("remember", `{"text":"`+text+`","everywhere":true}`, nil); status != http.StatusOK {
			t.Fatalf("remember: %d %s", status, answer)
		}
	}
	copied := s.config.Database() + ".copy"
	must.Do(t, other.copyTo(copied))
	for _, rest := range []string{"-wal", "-shm"} { // of the store that goes
		if err := os.Remove(s.config.Database() + rest); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
	}
	must.Do(t, os.Rename(copied, s.config.Database()))
	if status, text := s.ask("remembered", `{"all":true,"limit":50}`, nil); status != http.StatusOK || !strings.Contains(text, "The copy says this.") || strings.Contains(text, "old store") {
		t.Errorf("%d %s", status, text)
	}
}

// copyTo writes a copy of the store to a file.
func (s *served) copyTo(file string) error {
	b, err := steward.Open(s.t.Context(), s.config, s.now)
	if err != nil {
		return err
	}
	return errors.Join(b.Store.CopyTo(s.t.Context(), file), b.Close())
}

func TestNobodyElseGetsAnything(t *testing.T) {
	s := serve(t)
	stranger := &http.Client{}
	port := strings.TrimPrefix(strings.SplitN(strings.TrimPrefix(s.base, "http://"), "/", 2)[0], "127.0.0.1")
	for name, c := range map[string]struct {
		client *http.Client
		change func(*http.Request)
		want   int
	}{
		"no cookie":                                {stranger, nil, http.StatusUnauthorized},
		"another cookie":                           {stranger, func(r *http.Request) { r.Header.Set("Cookie", "hebb-"+port[1:]+"=AAAA") }, http.StatusUnauthorized},
		"a name that leads here (DNS rebinding)":   {s.client, func(r *http.Request) { r.Host = "evil.example" + port }, http.StatusForbidden},
		"a name that looks like ours":              {s.client, func(r *http.Request) { r.Host = "127.0.0.1.evil.example" + port }, http.StatusForbidden},
		"our name without the port":                {s.client, func(r *http.Request) { r.Host = "127.0.0.1" }, http.StatusForbidden},
		"another page":                             {s.client, func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") }, http.StatusForbidden},
		"a page on another port of this machine":   {s.client, func(r *http.Request) { r.Header.Set("Origin", "http://127.0.0.1:1") }, http.StatusForbidden},
		"a page without an origin (sandbox, file)": {s.client, func(r *http.Request) { r.Header.Set("Origin", "null") }, http.StatusForbidden},
		"a browser that says it is another site":   {s.client, func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }, http.StatusForbidden},
		"a browser that says it is the same site":  {s.client, func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "same-site") }, http.StatusForbidden},
		"a path that was guessed":                  {s.client, func(r *http.Request) { r.URL.Path = "/AAAA/api/facets" }, http.StatusNotFound},
		"the path without its secret":              {s.client, func(r *http.Request) { r.URL.Path = "/api/facets" }, http.StatusNotFound},
	} {
		t.Run(name, func(t *testing.T) {
			mine := s.client
			defer func() { s.client = mine }()
			s.client = c.client
			if status, text := s.ask("facets", `{}`, c.change); status != c.want || strings.Contains(text, "projects") {
				t.Errorf("%d %s, want %d", status, text, c.want)
			}
			if c.client == stranger {
				if status, text := s.get(stranger, s.base, c.change); status != c.want || strings.Contains(text, "the page") {
					t.Errorf("the page: %d %s", status, text)
				}
				if status, _ := s.get(stranger, s.base+"api/stream", c.change); status != c.want {
					t.Errorf("the stream: %d", status)
				}
			}
		})
	}
}

func TestAFormOfAnotherPageChangesNothing(t *testing.T) {
	s := serve(t)
	forged := func(change func(*http.Request)) func(*http.Request) {
		return func(r *http.Request) {
			r.Header.Set("Content-Type", "text/plain")
			r.Header.Del("Origin")
			r.Header.Del("Sec-Fetch-Site")
			if change != nil {
				change(r)
			}
		}
	}
	input := `{"text":"The attacker may read everything.","everywhere":true}`
	for name, change := range map[string]func(*http.Request){
		"as text":                          forged(nil),
		"as text, with our origin":         forged(func(r *http.Request) { r.Header.Set("Origin", "http://"+r.URL.Host) }),
		"as a form":                        forged(func(r *http.Request) { r.Header.Set("Content-Type", "application/x-www-form-urlencoded") }),
		"as JSON from nowhere":             forged(func(r *http.Request) { r.Header.Set("Content-Type", "application/json") }),
		"with a parameter behind the type": forged(func(r *http.Request) { r.Header.Set("Content-Type", "text/plain; application/json") }),
	} {
		if status, text := s.ask("remember", input, change); status != http.StatusForbidden {
			t.Errorf("%s: %d %s", name, status, text)
		}
	}
	if _, text := s.ask("remembered", `{"all":true,"limit":5}`, nil); !strings.Contains(text, `"total":0`) {
		t.Errorf("something was remembered: %s", text)
	}
	if status, _ := s.get(s.client, s.base+"api/remember?text=x", nil); status == http.StatusOK {
		t.Error("an operation runs by GET")
	}
}

func TestATokenOpensThePageOnceAndNotForLong(t *testing.T) {
	s := serve(t)
	for name, c := range map[string]struct {
		address func() string
		wait    int64
		want    int
	}{
		"a new one":               {s.Address, 0, http.StatusOK},
		"one of nine minutes":     {s.Address, 9 * 60, http.StatusOK},
		"one of eleven minutes":   {s.Address, 11 * 60, http.StatusUnauthorized},
		"none":                    {func() string { return s.base + "in" }, 0, http.StatusUnauthorized},
		"one that was never made": {func() string { return s.base + "in?token=AAAAAAAAAAAAAAAAAAAAAAAAAA" }, 0, http.StatusUnauthorized},
	} {
		t.Run(name, func(t *testing.T) {
			address := c.address()
			s.later.Add(c.wait)
			if status, text := s.get(browser(t), address, nil); status != c.want {
				t.Errorf("%d %s, want %d", status, text, c.want)
			}
			if status, _ := s.get(browser(t), address, nil); status != http.StatusUnauthorized {
				t.Errorf("the second browser gets %d", status)
			}
		})
	}
	address := s.Address()
	script := func(r *http.Request) {
		r.Header.Set("Sec-Fetch-Site", "cross-site")
		r.Header.Set("Sec-Fetch-Mode", "no-cors")
	}
	if status, _ := s.get(browser(t), address, script); status != http.StatusForbidden {
		t.Errorf("a script of another page spends a token: %d", status)
	}
	if status, _ := s.get(browser(t), address, func(r *http.Request) {
		r.Header.Set("Sec-Fetch-Site", "cross-site")
		r.Header.Set("Sec-Fetch-Mode", "navigate")
	}); status != http.StatusOK {
		t.Errorf("a file that leads here: %d", status)
	}
}

func TestTheCookieIsForThisPathAndForNoScript(t *testing.T) {
	s := serve(t)
	r := must.Get(http.NewRequestWithContext(t.Context(), http.MethodGet, s.Address(), nil))(t)
	answer := must.Get((&http.Client{}).Do(r))(t)
	defer answer.Body.Close()
	at := must.Get(url.Parse(s.base))(t)
	if cookies := answer.Cookies(); len(cookies) != 1 || !cookies[0].HttpOnly || cookies[0].SameSite != http.SameSiteStrictMode || cookies[0].Path != at.Path || cookies[0].Domain != "" {
		t.Errorf("cookies %v", answer.Header["Set-Cookie"])
	}
}

func TestOnlyWhatIsOfferedRuns(t *testing.T) {
	s := serve(t)
	for name, c := range map[string]struct {
		name, input, says string
		want              int
	}{
		"an operation that is not offered":  {"drain", `{}`, `operation \"drain\"`, http.StatusNotFound},
		"a field that it does not have":     {"facets", `{"x":1}`, "unknown field", http.StatusBadRequest},
		"no JSON":                           {"facets", `x`, "cannot be read", http.StatusBadRequest},
		"a memory that is not there":        {"memory", `{"id":"01arz3ndek"}`, "not found", http.StatusNotFound},
		"a verdict that is none":            {"verdict", `{"memory":"x","verdict":"maybe"}`, "want right, wrong, outdated or never", http.StatusBadRequest},
		"more rows than a page has":         {"remembered", `{"all":true,"limit":100000}`, "want a limit", http.StatusBadRequest},
		"a text longer than a megabyte":     {"remember", `{"text":"` + strings.Repeat("x", 2<<20) + `"}`, "too large", http.StatusBadRequest},
		"a prompt for all projects at once": {"try", `{"all":true,"text":"fix the login"}`, "choose one project", http.StatusBadRequest},
	} {
		if status, text := s.ask(c.name, c.input, nil); status != c.want || !strings.Contains(text, c.says) {
			t.Errorf("%s: %d %.200s", name, status, text)
		}
	}
}

func TestWhatCouldReorderOrHideTextIsShown(t *testing.T) {
	for given, want := range map[string]string{
		"a\x1b[31mred\x1b[0m":     `"a\\u001b[31mred\\u001b[0m"`,
		"user\u202enimda":         `"user\\u{202e}nimda"`,
		"two\r\nlines\tand a tab": `"two\nlines\tand a tab"`,
		"back\rover":              `"back\\rover"`,
		`a \u001b that is typed`:  `"a \\u001b that is typed"`,
		"<script>":                `"\u003cscript\u003e"`,
		"line\u2028separator":     `"line\\u2028separator"`,
		"Grüße, 世界 👍":             `"Grüße, 世界 👍"`,
	} {
		got, err := httpapi.Encode(given)
		if err != nil || string(got) != want || !json.Valid(got) {
			t.Errorf("%q is written as %s, want %s (%v)", given, got, want, err)
		}
	}
}

func TestTheStreamSaysThatTheStoreHasChanged(t *testing.T) {
	s := serve(t)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.base+"api/stream", nil)
	if err != nil {
		t.Fatal(err)
	}
	answer := must.Get(s.client.Do(r))(t)
	defer answer.Body.Close()
	lines := bufio.NewScanner(answer.Body)
	next := func() string {
		for lines.Scan() {
			if event, is := strings.CutPrefix(lines.Text(), "event: "); is {
				return event
			}
		}
		return "the end"
	}
	if got := next(); got != "ready" {
		t.Fatalf("first %s", got)
	}
	other := must.Get(steward.Open(t.Context(), s.config, s.now))(t)
	_, err = steward.Run(t.Context(), other, statements.Remember, statements.RememberInput{Text: "The build runs in Docker.", Everywhere: true})
	must.Do(t, errors.Join(err, other.Close()))
	if got := next(); got != "changed" {
		t.Errorf("after a change: %s", got)
	}
	s.stop()
	for got := next(); got != "end"; got = next() {
		if got != "changed" {
			t.Fatalf("at its end: %s", got)
		}
	}
}

func TestItEndsWhenNobodyUsesIt(t *testing.T) {
	s := serveFor(t, 20*time.Millisecond)
	s.later.Store(1) // a second without a request
	err := <-s.ended
	s.ended <- err
	if !errors.Is(err, httpapi.ErrIdle) {
		t.Errorf("it ended with %v", err)
	}
}
