package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/sleep"
	"github.com/hebb-memory/hebb/internal/state"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
)

func TestTheCommittedFilesAreWhatTheSourcesGive(t *testing.T) {
	dir := filepath.Join("..", "..", "internal", "webui")
	files, err := bundle(dir)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join(dir, "dist", name))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("dist/%s is not what the sources give (%v): run make page-files", name, err)
		}
	}
	entries, err := os.ReadDir(filepath.Join(dir, "dist"))
	if err != nil || len(entries) != len(files) {
		t.Errorf("dist has %d files, want %v, %v", len(entries), slices.Sorted(maps.Keys(files)), err)
	}
}

// axe is a program that finds what people who do not see, or use no mouse, cannot use.
func (b *tab) axe(where string) {
	b.t.Helper()
	if !value[bool](b, "!!window.axe") {
		text, err := os.ReadFile(filepath.Join("testdata", "axe", "axe.min.js"))
		if err != nil {
			b.t.Fatal(err)
		}
		value[bool](b, string(text)+";true")
	}
	found := value[[]string](b, `axe.run(document, {resultTypes: ["violations"]}).then(r => r.violations.filter(v => v.impact === "serious" || v.impact === "critical")
		.map(v => v.id + ": " + v.nodes.slice(0, 3).map(n => n.target.join(" ") + " " + (n.any[0]?.message || "")).join("; ")))`)
	for _, f := range found {
		b.t.Errorf("axe, %s: %s", where, f)
	}
}

// TestEveryPage goes through every page in both schemes of colours, with axe, and in three widths. With HEBB_PICTURES it leaves pictures there.
func TestEveryPage(t *testing.T) {
	m := seed(t)
	decided := m.id("Session cookies expire")
	do(m, steward.Sleep, sleep.SleepInput{})
	b := browse(t, m.serve())
	for _, p := range []struct{ name, where, shows string }{
		{"shown", "shown", "Proved right"},
		{"memories", "memories", "Session cookies expire"},
		{"memory", "memories?open=" + decided, "Where it comes from"},
		{"session", "sessions?session=" + m.run("run-26"), "MEMORY.md of that day"},
		{"state", "sessions?view=state", "Working Memory State"},
		{"try", "try?prompt=The+login+redirect+loses+the+query+string", "What Claude Code would read"},
		{"file", "file?path=web/redirect.go", "Belongs with"},
	} {
		b.look(1280, 860, "light")
		b.to(p.where)
		b.shows(p.shows)
		for _, scheme := range []string{"light", "dark"} {
			b.look(1280, 860, scheme)
			b.settled()
			b.picture(p.name + "-" + scheme)
			b.axe(p.name + " " + scheme)
		}
		for _, width := range []int64{375, 760, 2560} {
			b.look(width, 900, "light")
			b.settled()
			if wide := value[int64](b, "document.documentElement.scrollWidth"); wide > width {
				t.Errorf("%s is %d pixels wide in a window of %d", p.name, wide, width)
			}
			b.picture(fmt.Sprintf("widths/%s-%d", p.name, width))
		}
	}
	b.look(1280, 860, "light")
	b.press("h")
	b.shows("Last sleep")
	b.settled()
	b.axe("health")
	b.picture("health-light")
	b.press("\x1b")
	b.press("?")
	b.shows("search memories")
	b.axe("keys")
	b.press("\x1b")
	b.until("!document.querySelector('[role=dialog]')")
}

func TestAnEmptyMemoryTeachesOneCommandOnEachPage(t *testing.T) {
	b := browse(t, open(t).serve())
	for where, command := range map[string]string{
		"shown": "hebb agents install", "memories": "hebb remember", "sessions": "hebb sessions import", "try": "hebb recall",
	} {
		b.to(where)
		b.until(fmt.Sprintf("document.querySelector('.command code')?.textContent.includes(%q)", command))
		b.axe("empty " + where)
	}
}

// answerTo is what the hook would show at a prompt of a new session.
func (m *memoryOf) answerTo(prompt string) string {
	m.t.Helper()
	b, err := brain.OpenReadOnly(m.t.Context(), m.Config, time.Now)
	if err != nil {
		m.t.Fatal(err)
	}
	b.Config.Tuning.Hook.Holdout = 0
	e := m.event(memory.Prompted, fmt.Sprintf("asks-%d", m.count), prompt, time.Second)
	e.At = time.Now()
	shown, err := steward.Run(m.t.Context(), b, answer.Moment, e)
	if err := errors.Join(err, b.Close()); err != nil {
		m.t.Fatal(err)
	}
	return shown.Text
}

const asksAboutRedirects = "The login redirect loses the query string of campaigns"

func TestAnEditOnThePageChangesTheNextAnswer(t *testing.T) {
	m := seed(t)
	b := browse(t, m.serve())
	if got := m.answerTo(asksAboutRedirects); !strings.Contains(got, "must keep the query string") {
		t.Fatalf("before: %s", got)
	}
	b.press("/")
	b.until("document.activeElement.type === 'search'")
	b.press("\b") // the driver types the slash as well
	b.do(chromedp.SendKeys(chromedp.CSS("input[type=search]"), "must keep the query"))
	b.until("document.querySelectorAll('.cells.row').length === 1")
	b.do(chromedp.Blur(chromedp.CSS("input[type=search]")))
	b.press("j")
	b.until("document.querySelector('.cells.chosen')")
	b.press("e")
	b.do(chromedp.WaitVisible(chromedp.CSS(".editor textarea")), chromedp.KeyEvent("a", chromedp.KeyModifiers(chromedp.ModifierCtrl)),
		chromedp.SendKeys(chromedp.CSS(".editor textarea"), "The login redirect must drop the query string of campaigns for privacy."))
	b.until("document.querySelector('.change ins')?.textContent.includes('drop')")
	b.click(".editor .primary")
	b.shows("Saved. The earlier text is history.")
	b.shows("must drop the query string")
	b.until("document.querySelector('.alone .actions') && document.querySelectorAll('.cells.row').length === 1") // the words that were looked for are gone from it
	if got := m.answerTo(asksAboutRedirects); !strings.Contains(got, "must drop the query string") || strings.Contains(got, "must keep") {
		t.Errorf("after the edit: %s", got)
	}
	b.to("memories?history=1&contains=the+query+string")
	b.until("document.querySelectorAll('.cells.row').length === 2")
	b.until("document.querySelector('.cells.over')?.textContent.includes('must keep')")
	b.to("memories?contains=the+query+string")
	b.until("document.querySelectorAll('.cells.row').length === 1")
	b.click(".toast button") // takes the edit back
	b.shows("The earlier text is back.")
	if got := m.answerTo(asksAboutRedirects); !strings.Contains(got, "must keep the query string") {
		t.Errorf("after taking it back: %s", got)
	}
	b.until("document.querySelector('.cells.row')?.textContent.includes('must keep')")
	b.press("j")
	b.press("e")
	b.do(chromedp.WaitVisible(chromedp.CSS(".editor textarea")), chromedp.SendKeys(chromedp.CSS(".editor textarea"), " All of it."))
	b.click(".editor .primary")
	b.until("document.querySelector('.item .full')?.textContent.endsWith('All of it.') && !document.querySelector('.alone') && document.querySelectorAll('.cells.row').length === 1")
}

// While another process holds the store an edit is kept, and nothing is opened that is not there. It is done when the store is free.
func TestAnEditWhileTheStoreIsBusyIsKept(t *testing.T) {
	m := seed(t)
	id := m.id("Session cookies expire")
	b := browse(t, m.serve())
	other, err := steward.Open(t.Context(), m.Config, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	b.to("memories?open=" + id)
	b.until("document.querySelector('.actions')")
	b.press("e")
	b.do(chromedp.WaitVisible(chromedp.CSS(".editor textarea")), chromedp.SendKeys(chromedp.CSS(".editor textarea"), " The bank asked twice."))
	err = other.Store.Update(t.Context(), func(*store.Tx) error {
		b.click(".editor .primary")
		b.shows("Kept. The store is busy")
		b.until("!document.querySelector('.editor')")
		return nil
	})
	if err := errors.Join(err, other.Close()); err != nil {
		t.Fatal(err)
	}
	if got := value[string](b, "location.hash"); !strings.Contains(got, id) {
		t.Errorf("the page went to %s", got)
	}
	b.to("memories?contains=bank+asked+twice")
	b.until("document.querySelectorAll('.cells.row').length === 1")
}

// The page follows what happens. The doctor looks at files and programs: he is asked when the drawer opens, not whenever the store changes.
func TestThePageFollowsWhatHappensWithoutTheDoctor(t *testing.T) {
	m := seed(t)
	do(m, steward.Sleep, sleep.SleepInput{})
	b := browse(t, m.serve())
	b.to("memories")
	for _, text := range []string{"The warehouse closes at noon.", "The warehouse opens at six."} {
		b.press("h")
		b.shows("without a problem")
		b.until("document.querySelector('.drawer .deeds dd') && document.querySelector('.drawer').innerText.includes('looked at')")
		if out, err := m.hebb("remember", text).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		b.shows(text)
		b.press("h")
		b.until("!document.querySelector('.drawer')")
	}
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if b.asked["doctor"] != 1 || b.asked["stats"] < 2 {
		t.Errorf("asked %v", b.asked)
	}
}

func TestAVerdictActsAtOnceAndCanBeTakenBack(t *testing.T) {
	m := seed(t)
	b := browse(t, m.serve())
	id := m.lineOf(b, "web/login.go")
	asks := "Fix the redirect loop after login when the session has expired"
	for _, c := range []struct{ verdict, says, prompt, line, part string }{
		{"wrong", "Marked wrong", asksAboutRedirects, m.lineOf(b, "must keep the query string"), "must keep the query string"},
		{"outdated", "Marked outdated", asksAboutRedirects, m.lineOf(b, "must keep the query string"), "must keep the query string"},
		{"never", "never shown unasked", asksAboutRedirects, m.lineOf(b, "must keep the query string"), "must keep the query string"},
		{"never", "never shown unasked", asks, id, "web/login.go"},
	} {
		b.to("shown?days=90&line=" + c.line)
		row := fmt.Sprintf("document.getElementById('line-%s')", c.line)
		b.until(row)
		if got := m.answerTo(c.prompt); !strings.Contains(got, c.part) {
			t.Fatalf("%s: before the verdict %q is not shown: %s", c.verdict, c.part, got)
		}
		value[bool](b, row+".querySelector('.verdicts ."+c.verdict+"').click(), true")
		b.shows(c.says)
		b.until(row + ".querySelector('.given." + c.verdict + "')")
		if got := m.answerTo(c.prompt); strings.Contains(got, c.part) {
			t.Errorf("%s: %q is still shown: %s", c.verdict, c.part, got)
		}
		value[bool](b, row+".querySelector('.given button').click(), true")
		b.until(row + ".querySelector('.verdicts .right')")
		if got := m.answerTo(c.prompt); !strings.Contains(got, c.part) {
			t.Errorf("%s taken back: %q is not shown: %s", c.verdict, c.part, got)
		}
	}
	b.to("shown?line=" + id)
	b.press("j")
	b.until("document.querySelectorAll('.line.chosen').length === 1")
}

// lineOf is the ID of a line on the first screen that says something.
func (m *memoryOf) lineOf(b *tab, part string) string {
	m.t.Helper()
	b.to("shown?days=90")
	b.settled()
	for range 12 {
		id := value[string](b, fmt.Sprintf(`[...document.querySelectorAll('.rest button')].forEach(x => x.click()), new Promise(done => setTimeout(done, 60)).then(() =>
			[...document.querySelectorAll('.lines > .line')].find(l => l.textContent.includes(%q))?.id.slice(5) || '')`, part))
		if id != "" {
			return id
		}
		b.click(".more button")
		b.settled()
	}
	m.t.Fatalf("no line says %q", part)
	return ""
}

func TestPinsAndForgetting(t *testing.T) {
	m := seed(t)
	id := m.id("Session cookies expire")
	b := browse(t, m.serve())
	b.to("memories?contains=session+cookies")
	b.until("document.querySelectorAll('.cells.row').length === 1")
	b.click(".cells.row input[type=checkbox]")
	value[bool](b, "[...document.querySelectorAll('.bulk button')].find(x => x.textContent === 'Confirm').click(), true")
	b.shows("1 memory confirmed.")

	b.press("j")
	b.until("document.querySelector('.cells.chosen')")
	b.press("p")
	b.shows("Pinned: every session is shown it")
	b.to("memories?contains=cookies+expire")
	b.settled()
	b.until("document.querySelectorAll('.cells.row').length === 1") // it is pinned as it is: there is no second text
	b.press("j")
	b.press("d")
	b.shows("Forgotten for good in 10 seconds.")
	b.shows("forgotten")
	value[bool](b, "[...document.querySelectorAll('.toast')].find(x => x.textContent.includes('for good')).querySelector('button').click(), true")
	b.until("document.querySelector('.cells.row')")
	b.to("memories?open=" + id)
	b.until("document.querySelector('.actions .danger')")
	b.click(".actions .danger")
	b.shows("Forgotten for good in 10 seconds.")
	b.do(chromedp.Navigate("about:blank")) // leaving the page carries it out
	again, err := steward.Open(t.Context(), m.Config, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	m.Brain = again
	for until := time.Now().Add(patience); time.Now().Before(until); {
		left := do(m, statements.Memories, statements.MemoriesInput{Scope: m.scope(), History: true})
		if !slices.ContainsFunc(left, func(one statements.Memory) bool { return string(one.ID) == id }) {
			id = ""
			break
		}
		value[bool](b, "new Promise(done => setTimeout(() => done(true), 50))")
	}
	if err := again.Close(); err != nil || id != "" {
		t.Errorf("memory %s is still there, %v", id, err)
	}
}

func TestAStateIsComparedAndRestored(t *testing.T) {
	m := seed(t)
	b := browse(t, m.serve())
	b.to("sessions?view=state")
	b.shows("Orders are archived after seven years")
	value[bool](b, "[...document.querySelectorAll('button')].find(x => x.textContent === 'What changed').click(), true")
	b.until("[...document.querySelectorAll('.diff ins')].some(x => x.textContent.includes('Orders are archived'))")
	value[bool](b, `(s => { s.value = s.options[s.options.length - 1].value; s.dispatchEvent(new Event('change', {bubbles: true})); return true; })(document.querySelector('.state select'))`)
	b.until("[...document.querySelectorAll('.state button')].some(x => x.textContent.includes('Restore'))")
	value[bool](b, "[...document.querySelectorAll('.state button')].find(x => x.textContent.includes('Restore')).click(), true")
	b.shows("Restored. The state it replaced is kept as well.")
}

func TestWhatWasBelievedOnADay(t *testing.T) {
	m := seed(t)
	b := browse(t, m.serve())
	b.to("memories?asof=" + day(40, 0).Format(time.DateOnly))
	b.shows("I prefer table tests")
	if value[bool](b, "document.body.innerText.includes('Swiss VAT')") {
		t.Error("forty days ago nobody had spoken of Swiss VAT")
	}
	b.to("memories?kind=rule&origin=user&agent=claude-code&age=365")
	b.until("document.querySelectorAll('.cells.row').length > 0 && [...document.querySelectorAll('.cells.row .kind')].every(k => k.textContent === 'rule')")
}

// hostile are texts that want to be more than text.
var hostile = []string{
	`<script>window.harm='script'</script>`, `<img src=x onerror="window.harm='img'">`, `<svg onload="window.harm='svg'"></svg>`, `"><script>window.harm='quote'</script>`,
	`</script><script>window.harm='end'</script>`, `</title><script>window.harm='title'</script>`, `</textarea><script>window.harm='textarea'</script>`, `<iframe src="https://evil.example/frame"></iframe>`,
	`<object data="https://evil.example/object"></object>`, `<embed src="https://evil.example/embed">`, `<link rel=stylesheet href="https://evil.example/style.css">`, `<style>@import url(https://evil.example/i.css);*{display:none}</style>`,
	`<base href="https://evil.example/">`, `<meta http-equiv="refresh" content="0;url=https://evil.example/">`, `<form action="https://evil.example/"><button>Save</button></form>`, `<input autofocus onfocus="window.harm='focus'">`,
	`<details open ontoggle="window.harm='toggle'">x</details>`, `<video poster="https://evil.example/poster.png"></video>`, `<audio src="https://evil.example/a.mp3" autoplay></audio>`, `<img srcset="https://evil.example/s.png 1x">`,
	`![tracking pixel](https://evil.example/pixel.png)`, `![a](https://evil.example/ref.png "title")`, `[click me](javascript:window.harm='link')`, `<https://evil.example/autolink>`,
	`[data](data:text/html,<script>window.harm='data'</script>)`, `<a href="https://evil.example/a" ping="https://evil.example/ping">a</a>`, "```html\n<script>window.harm='fence'</script>\n```", `<!--><script>window.harm='comment'</script>-->`,
	`<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=window.harm='mxss'&gt;">`, `<noscript><p title="</noscript><img src=x onerror=window.harm='noscript'>">`, `<svg><a xlink:href="javascript:window.harm='xlink'"><text>x</text></a></svg>`, `<template><script>window.harm='template'</script></template>`,
	"\x1b[31mred\x1b[0m \x1b]8;;https://evil.example/\x07link\x1b]8;;\x07", "\x1b[2J\x1b[H cleared", "admin\u202enimda \u2066isolated\u2069", "zero\u200bwidth\u2060join \ufeffmark", "tags \U000e0041\U000e0042", "__proto__ constructor toString hasOwnProperty",
	`{{constructor.constructor('window.harm=1')()}} ${window.harm=1} #{7*7} <%= 7*7 %>`, strings.Repeat("wide", 800) + " 👩‍👩‍👧‍👦 ﷽",
}

func TestHostileTextsStayText(t *testing.T) {
	if len(hostile) != 40 {
		t.Fatalf("%d hostile texts, want 40", len(hostile))
	}
	m := open(t)
	m.clock = day(2, 9*time.Hour)
	for i, text := range hostile {
		run := fmt.Sprintf("run-%d", i)
		m.answered(m.event(memory.SessionStarted, run, "", time.Second))
		m.answered(m.event(memory.Prompted, run, "Look at login.go: "+text, time.Second))
		e := m.event(memory.ToolUsed, run, "", time.Second)
		e.Tool, e.Input, e.Touches = "Bash", text, touched(memory.Edit, "web/login.go", "web/"+strings.NewReplacer("\x1b", "", "\x07", "", "\n", "").Replace(text[:min(len(text), 120)])+".go")
		failed := m.event(memory.ToolFailed, run, "--- FAIL: "+text, time.Second)
		failed.Tool = "Bash"
		commit := m.event(memory.Committed, "", text, time.Second)
		commit.Touches = touched(memory.Edit, "web/login.go")
		m.see(e, failed, commit, m.event(memory.SessionEnded, run, "", time.Second))
		do(m, statements.Remember, statements.RememberInput{Scope: m.scope(), Text: fmt.Sprintf("Rule %d about login: %s", i, text), Kind: memory.Rule, Files: []string{"web/login.go"}})
	}
	m.clock = time.Now().Add(-time.Minute)
	do(m, state.Dream, state.DreamInput{Scope: m.scope(), Force: true, Rules: true})
	list := do(m, statements.Memories, statements.MemoriesInput{Scope: m.scope()})
	b := browse(t, m.serve())
	check := func(where string) {
		t.Helper()
		b.settled()
		if got := value[string](b, `String(window.harm ?? "") + [...document.querySelectorAll("#app script, #app iframe, #app object, #app embed, #app base, #app link, #app meta, #app img, #app video, #app audio, #app style, #app template, #app math, #app [onerror], #app [onload], #app form[action]")].map(e => e.outerHTML.slice(0, 200)).join()`); got != "" {
			t.Errorf("%s: a text has become more than text: %s", where, got)
		}
		if links := value[[]string](b, `[...document.querySelectorAll("#app a[href]")].map(a => a.getAttribute("href")).filter(h => !h.startsWith("#"))`); len(links) > 0 {
			t.Errorf("%s: links lead away: %q", where, links)
		}
		if hidden := value[bool](b, `/[\u202a-\u202e\u2066-\u2069\u200b\u2060\ufeff\u001b]/.test(document.getElementById("app").textContent)`); hidden {
			t.Errorf("%s: characters that reorder or hide text are there as they are", where)
		}
	}
	for _, where := range []string{"shown", "sessions", "sessions?view=state", "memories", "file?path=web/login.go", "try?prompt=" + "fix+login+%3Cimg+src%3Dx+onerror%3Dwindow.harm%3D1%3E"} {
		b.to(where)
		check(where)
	}
	for _, one := range list {
		b.to("memories?open=" + string(one.ID))
		b.shows("Where it comes from")
		check("memory " + string(one.ID))
	}
	for i := range hostile {
		b.to("sessions?session=" + m.run(fmt.Sprintf("run-%d", i)))
		b.until("document.querySelector('.one')")
		check("session")
	}
	b.to("memories?open=" + string(list[0].ID))
	b.until("document.querySelector('.actions')")
	b.press("e")
	b.until("document.querySelector('.editor, .toast')")
	check("editor")
}

// spent are the seconds that the page has had of the processor, whoever else uses the machine.
func (b *tab) spent() (seconds float64) {
	b.t.Helper()
	b.do(func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
		found, err := cdp.Call(ctx, target, performance.GetMetrics, cdp.Empty{})
		for _, m := range found.Metrics {
			if m.Name == "TaskDuration" {
				seconds = m.Value
			}
		}
		return chromedp.Void{}, err
	})
	return seconds
}

const loads = 5 // how often the first page is measured: the machine is shared

// scrolled moves the table on and waits until that was drawn.
const scrolled = `document.querySelector('.table .body').scrollTop += 900, new Promise(done => requestAnimationFrame(() => setTimeout(done, 0, true)))`

func TestAHundredThousandMemories(t *testing.T) {
	m := open(t)
	m.clock = time.Now().Add(-time.Minute)
	m.many(t.Context(), 100_000)
	b := browse(t, m.serve())
	var first []time.Duration
	for range loads {
		b.to("try")
		b.settled()
		began := time.Now()
		b.to("memories")
		b.shows("100 000 memories")
		b.until("document.querySelectorAll('.cells.row').length > 10")
		first = append(first, time.Since(began))
	}
	t.Logf("first page: %.2f of the second that it may take, at best of %d", slices.Min(first).Seconds(), loads)
	rows := func() int { return value[int](b, "document.querySelectorAll('.body .item').length") }
	b.do(call(performance.Enable, performance.EnableParams{TimeDomain: performance.EnableTimeDomainThreadTicks}))
	var frames []float64
	for before := b.spent(); len(frames) < 600; {
		value[bool](b, scrolled)
		after := b.spent()
		frames = append(frames, 1000*(after-before))
		before = after
	}
	slices.Sort(frames)
	t.Logf("of the 50 ms of the processor that a frame may take while scrolling: median %.1f, 99 of 100 %.1f, most %.1f; %d rows in the page", frames[300], frames[594], frames[599], rows())
	if n := rows(); n > 60 {
		t.Errorf("%d rows in the page", n)
	}
	value[float64](b, "document.querySelector('.table .body').scrollTop = 41 * 99000")
	b.until("[...document.querySelectorAll('.cells.row')].some(r => Number(r.getAttribute('aria-rowindex')) > 98000)")
	if n := rows(); n > 60 {
		t.Errorf("%d rows in the page, at its end", n)
	}
	b.to("memories?contains=newsletter+is+rebuilt")
	b.until("document.querySelectorAll('.cells.row').length > 5 && [...document.querySelectorAll('.cells.row .c-text')].every(r => r.textContent.includes('newsletter is rebuilt'))")
}

func TestACopyIsOneFileWithoutSecrets(t *testing.T) {
	m := seed(t)
	do(m, statements.Remember, statements.RememberInput{Scope: m.scope(), Text: "The home of the build is " + m.dir + "/build for now."})
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "memory.html")
	cmd := m.hebb("ui", "--export", file)
	cmd.Env = append(cmd.Env, "HOME="+filepath.Dir(m.dir))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	text, err := os.ReadFile(file)
	if err != nil || bytes.Contains(text, []byte(m.dir)) {
		t.Errorf("the copy names the folder of the person: %v", err)
	}
	b := browse(t, "file://"+file)
	b.shows("A copy of")
	b.shows("Proved right")
	b.to("memories")
	b.shows("Session cookies expire")
	b.to("memories?contains=swiss")
	b.until("document.querySelectorAll('.cells.row').length === 1")
	for where, shows := range map[string]string{
		"file?path=web/redirect.go": "Belongs with", "file?path=no/such.go": "the 50 files",
	} {
		b.to(where)
		b.shows(shows)
	}
	t.Logf("the copy has %d kB", len(text)/1000)
	b.to("sessions?session=" + m.run("run-26"))
	b.until("document.querySelectorAll('.one .answer').length > 0")
	b.to("sessions?view=state")
	b.shows("Working Memory State")
	b.to("shown")
	b.until("document.querySelector('.verdicts .wrong')")
	b.click(".verdicts .wrong")
	b.shows("it cannot be changed")
}
