package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/state"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
)

// memoryOf is a memory in a folder of its own, on a clock that its test moves.
type memoryOf struct {
	*brain.Brain
	t     testing.TB
	home  string
	dir   string // of the project
	place memory.Place
	clock time.Time
	count int
}

// day is a day before today, at a time of it.
func day(before int, clock time.Duration) time.Time {
	now := time.Now()
	return time.Date(now.Year(), now.Month(), now.Day()-before, 0, 0, 0, 0, now.Location()).Add(clock)
}

// open makes an empty memory and a project with a few files.
func open(t testing.TB) *memoryOf {
	t.Helper()
	m := &memoryOf{t: t, home: t.TempDir(), dir: filepath.Join(t.TempDir(), "shop"), clock: day(90, 9*time.Hour)}
	c, err := config.Load(func(name string) string { return map[string]string{config.EnvHome: m.home}[name] })
	if err != nil {
		t.Fatal(err)
	}
	for path := range files {
		m.write(path, "package shop\n\nfunc Handle"+fmt.Sprint(len(path))+"() {}\n")
	}
	if out, err := exec.CommandContext(t.Context(), "git", "init", "-q", m.dir).CombinedOutput(); err != nil {
		t.Fatalf("git init: %v: %s", err, out)
	}
	if m.Brain, err = steward.Open(t.Context(), c, func() time.Time { return m.clock }); err != nil {
		t.Fatal(err)
	}
	if err := m.Recognise(t.Context(), m.dir); err != nil {
		t.Fatal(err)
	}
	if m.place, err = brain.PlaceAt(m.Config, m.dir); err != nil {
		t.Fatal(err)
	}
	return m
}

func (m *memoryOf) write(path, text string) {
	m.t.Helper()
	file := filepath.Join(m.dir, path)
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o600)); err != nil {
		m.t.Fatal(err)
	}
}

// do runs an operation that must succeed.
func do[In, Out any](m *memoryOf, op brain.Operation[In, Out], in In) Out {
	m.t.Helper()
	out, err := steward.Run(m.t.Context(), m.Brain, op, in)
	if err != nil {
		m.t.Fatalf("%s: %v", op.Name, err)
	}
	return out
}

func (m *memoryOf) scope() brain.Scope { return brain.Scope{Dir: m.dir} }

// event is the next one, a while after the one before.
func (m *memoryOf) event(kind memory.EventKind, run, text string, later time.Duration) memory.Event {
	m.clock = m.clock.Add(later)
	m.count++
	id, err := memory.NewEventID(m.clock, &counter{m.count})
	if err != nil {
		m.t.Fatal(err)
	}
	e := memory.Event{ID: id, At: m.clock, Kind: kind, Origin: memory.OriginTool, Agent: "claude-code", AgentSession: run, Place: m.place, Text: text}
	switch kind {
	case memory.Prompted:
		e.Origin = memory.OriginUser
	case memory.TurnEnded:
		e.Origin = memory.OriginAgent
	case memory.Committed:
		e.Agent, e.Origin, e.AgentSession, e.Input = memory.AgentGit, memory.OriginRepo, "", fmt.Sprintf("%040d", m.count)
	}
	return e
}

// counter makes IDs that differ.
type counter struct{ n int }

func (c *counter) Read(p []byte) (int, error) {
	for i := range p {
		c.n = c.n*1103515245 + 12345
		p[i] = byte(c.n >> 16)
	}
	return len(p), nil
}

func (m *memoryOf) see(events ...memory.Event) { do(m, steward.Observe, events) }

func touched(kind memory.TouchKind, paths ...string) (list []memory.Touch) {
	for _, p := range paths {
		list = append(list, memory.Touch{Kind: kind, Path: p})
	}
	return list
}

// files of the project, and the work that changes them.
var files = map[string]string{
	"web/login.go": "login", "web/session.go": "login", "web/redirect.go": "login", "web/login_test.go": "login",
	"cart/cart.go": "cart", "cart/price.go": "cart", "cart/tax.go": "cart", "cart/cart_test.go": "cart",
	"store/orders.go": "orders", "store/migrate.go": "orders", "store/orders_test.go": "orders", "api/orders.go": "orders",
	"web/styles/checkout.css": "checkout", "web/checkout.tsx": "checkout", "api/payment.go": "checkout", "docs/deploy.md": "deploy", "deploy/staging.yml": "deploy", "deploy/release.sh": "deploy",
}

// works are what the people of the shop do again and again.
var works = []struct {
	theme, prompt, subject string
	files                  []string
}{
	{"login", "Fix the redirect loop after login when the session has expired", "fix login redirect loop", []string{"web/login.go", "web/redirect.go", "web/session.go", "web/login_test.go"}},
	{"cart", "The cart shows the wrong tax for orders to Switzerland", "correct tax in cart", []string{"cart/tax.go", "cart/price.go", "cart/cart.go", "cart/cart_test.go"}},
	{"orders", "Add a column for the delivery date to orders and migrate the table", "add delivery date to orders", []string{"store/migrate.go", "store/orders.go", "api/orders.go", "store/orders_test.go"}},
	{"checkout", "Make the checkout button reachable by keyboard on small screens", "checkout button by keyboard", []string{"web/checkout.tsx", "web/styles/checkout.css"}},
	{"payment", "Payment fails with a timeout when the provider answers slowly", "retry slow payments", []string{"api/payment.go", "api/orders.go"}},
	{"redirect", "The login redirect loses the query string of campaigns again", "keep query string", []string{"web/redirect.go", "web/login_test.go"}},
	{"vat", "Customers from Switzerland complain about the VAT in the cart", "swiss vat", []string{"docs/deploy.md", "cart/cart_test.go"}},
	{"deploy", "Write down how we release to staging and check the script", "release script for staging", []string{"deploy/release.sh", "deploy/staging.yml", "docs/deploy.md"}},
}

// said is what people of the shop said, and how many days ago.
var said = []struct {
	text string
	kind memory.CrystalKind
	ago  int
	file string
}{
	{"Never push to main without a review; open a pull request and ask Mira.", memory.Rule, 84, ""},
	{"Prices are kept in cents as integers, never as floating point numbers.", memory.Rule, 80, "cart/price.go"},
	{"We chose PostgreSQL over MongoDB because orders need transactions.", memory.Decision, 76, "store/orders.go"},
	{"The login redirect must keep the query string, or campaigns lose their tags.", memory.Fact, 61, "web/redirect.go"},
	{"Run the migration on staging first and wait an hour before production.", memory.Procedure, 52, "store/migrate.go"},
	{"I prefer table tests over one test for each case.", memory.Preference, 47, ""},
	{"Swiss VAT is 8.1 percent since January 2024; do not hard-code 7.7.", memory.Correction, 33, "cart/tax.go"},
	{"The payment provider times out after 30 seconds; retry twice with the same idempotency key.", memory.Lesson, 26, "api/payment.go"},
	{"Checkout has to work without a mouse before the audit in December.", memory.Intention, 19, "web/checkout.tsx"},
	{"The staging cluster is rebuilt every Monday at six in the morning.", memory.Fact, 12, "deploy/staging.yml"},
	{"Session cookies expire after twelve hours on purpose: the bank asked for it.", memory.Decision, 8, "web/session.go"},
	{"Use the word basket in texts for British customers and cart in code.", memory.Preference, 5, ""},
}

// seed fills a memory as three months of work would.
func seed(t *testing.T) *memoryOf {
	t.Helper()
	m := open(t)
	for i := range 66 {
		w := works[i%len(works)]
		m.clock = day(90, time.Duration(10+i)*time.Minute).AddDate(0, 0, i)
		if i%5 == 4 {
			m.clock = m.clock.Add(3 * time.Hour)
		}
		e := m.event(memory.Committed, "", fmt.Sprintf("%s (#%d)", w.subject, 100+i), time.Minute)
		e.Touches = touched(memory.Edit, w.files[:1+i%len(w.files)]...)
		m.see(e)
	}
	next := 0
	for ago := 85; ago >= 0; ago-- {
		for next < len(said) && said[next].ago >= ago {
			m.clock = day(ago, 11*time.Hour)
			in := statements.RememberInput{Scope: m.scope(), Text: said[next].text, Kind: said[next].kind}
			if said[next].file != "" {
				in.Files = []string{said[next].file}
			}
			do(m, statements.Remember, in)
			next++
		}
		if ago%3 == 0 {
			m.session(ago, (85-ago)/3)
		}
	}
	m.clock = day(0, 0).Add(time.Minute)
	if now := time.Now().Add(-2 * time.Minute); now.After(m.clock) {
		m.clock = now
	}
	m.inboxes()
	do(m, desk.PinText, desk.PinInput{Scope: m.scope(), Title: "Secrets", Text: "Secrets live in the vault, never in the repository."})
	do(m, state.Dream, state.DreamInput{Scope: m.scope(), Force: true, Rules: true})
	do(m, statements.Remember, statements.RememberInput{Scope: m.scope(), Text: "Orders are archived after seven years, for the tax office.", Kind: memory.Fact})
	m.clock = m.clock.Add(time.Minute)
	do(m, state.Dream, state.DreamInput{Scope: m.scope(), Force: true, Rules: true})
	return m
}

// session is one run of an agent: it is asked, is shown what hebb finds, works, fails now and then, and commits.
func (m *memoryOf) session(ago, n int) {
	w, run := works[n%len(works)], fmt.Sprintf("run-%d", n)
	m.clock = day(ago, 14*time.Hour)
	if ago == 0 {
		m.clock = time.Now().Add(-40 * time.Minute)
	}
	m.answered(m.event(memory.SessionStarted, run, "", time.Second))
	m.answered(m.event(memory.Prompted, run, w.prompt, 20*time.Second))
	call := func(tool, input string, kind memory.TouchKind, paths ...string) {
		e := m.event(memory.ToolUsed, run, "", 35*time.Second)
		e.Tool, e.Input, e.Touches = tool, input, touched(kind, paths...)
		m.see(e)
	}
	call("Grep", "grep -rn "+w.theme, memory.Mention)
	paths := w.files
	if n%5 == 2 {
		paths = works[(n+3)%len(works)].files // it went another way than hebb thought
	}
	for _, f := range paths {
		call("Read", f, memory.Read, f)
	}
	call("Edit", paths[0], memory.Edit, paths[0])
	if n%2 == 0 {
		e := m.event(memory.ToolFailed, run, "--- FAIL: Test"+w.theme+" (0.02s)\n    "+w.theme+"_test.go:41: got 303, want 200\nFAIL", time.Minute)
		e.Tool, e.Input = "Bash", "go test ./..."
		m.answered(e)
		call("Edit", w.files[len(w.files)-1], memory.Edit, w.files[len(w.files)-1])
		ok := m.event(memory.ToolUsed, run, "", time.Minute)
		ok.Tool, ok.Input = "Bash", "go test ./..."
		m.see(ok)
	}
	if n%4 == 1 {
		m.answered(m.event(memory.Prompted, run, "Good. From now on always run the linter before you commit, and write down what "+w.theme+" needs", 3*time.Minute))
		call("Read", "docs/deploy.md", memory.Read, "docs/deploy.md")
	}
	commit := m.event(memory.Committed, "", w.subject+" for real", 2*time.Minute)
	commit.Touches = touched(memory.Edit, w.files...)
	m.see(commit, m.event(memory.TurnEnded, run, "Done: "+w.subject+". All tests pass.", 30*time.Second))
	if ago > 0 {
		m.see(m.event(memory.SessionEnded, run, "", 10*time.Second))
	}
}

// answered sees an event, and the receipt of what hebb shows at it.
func (m *memoryOf) answered(e memory.Event) {
	m.see(e)
	if shown := do(m, answer.Moment, e); shown.Receipt != nil {
		m.see(*shown.Receipt)
	}
}

// inboxes puts something into each: a sentence that waits, code that changed, and the proposal of an agent.
func (m *memoryOf) inboxes() {
	rule := do(m, statements.Remember, statements.RememberInput{Scope: m.scope(), Text: "Deploy only in the morning, between nine and eleven.", Kind: memory.Rule})
	do(m, statements.Edit, statements.EditInput{ID: string(rule.ID), Text: "Deploy at any time of the day.", Origin: memory.OriginAgent})
	m.write("web/redirect.go", "package shop\n\nfunc Redirect(query string) {}\n")
	do(m, statements.CheckCrystals, statements.CheckInput{Scope: m.scope()})
	err := m.Store.Update(m.t.Context(), func(tx *store.Tx) error {
		id, err1 := tx.NewID()
		err2 := statements.StoreCrystal(m.t.Context(), tx, memory.Crystal{
			ID: memory.CrystalID(id), Project: m.place.Project(), Kind: memory.Rule, Text: "All endpoints need a rate limit of 100 requests per minute.", Origin: memory.OriginUser,
			Lifecycle: memory.Waiting, Heard: 0.55, SaidAt: tx.Now, LastAt: tx.Now, Importance: 0.5, Source: "prompt x",
		})
		return errors.Join(err1, err2)
	})
	if err != nil {
		m.t.Fatal(err)
	}
}

// many stores a number of short memories, quickly.
func (m *memoryOf) many(ctx context.Context, number int) {
	m.t.Helper()
	subjects := []string{"The billing job", "The search index", "The image cache", "The export of orders", "The newsletter", "The price list"}
	rules := []string{"runs at night and must not overlap with backups", "is rebuilt after every deploy", "is owned by the platform team", "needs a feature flag for new customers", "reads from the replica, never from the primary"}
	kinds := []memory.CrystalKind{memory.Fact, memory.Rule, memory.Decision, memory.Lesson}
	for from := 0; from < number; from += 2000 {
		err := m.Store.Update(ctx, func(tx *store.Tx) error {
			for i := from; i < min(from+2000, number); i++ {
				id, err := tx.NewID()
				if err != nil {
					return err
				}
				at := tx.Now.Add(-time.Duration(number-i) * time.Minute)
				text := fmt.Sprintf("%s %s (%d).", subjects[i%len(subjects)], rules[i%len(rules)], i)
				c := memory.Crystal{
					ID: memory.CrystalID(id), Project: m.place.Project(), Kind: kinds[i%len(kinds)], Text: text, Origin: memory.OriginUser, Lifecycle: memory.Generated,
					SaidAt: at, LastAt: at, Importance: 0.5,
				}
				if _, err := tx.AddCrystal(ctx, c, []string{"word"}); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			m.t.Fatal(err)
		}
	}
}

// id is that of the memory whose text begins so.
func (m *memoryOf) id(text string) string {
	m.t.Helper()
	for _, one := range slices.Concat(do(m, statements.Memories, statements.MemoriesInput{Scope: m.scope(), History: true}), do(m, statements.Memories, statements.MemoriesInput{Scope: m.scope(), Waiting: true})) {
		if strings.HasPrefix(one.Text, text) {
			return string(one.ID)
		}
	}
	m.t.Fatalf("no memory begins with %q", text)
	return ""
}

// run is the ID of a session by the name that its agent gave it.
func (m *memoryOf) run(name string) string {
	return memory.NewSessionID("claude-code", name, m.place.Project()).String()
}
