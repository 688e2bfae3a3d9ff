package mcpserver

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/learn"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/state"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/views"
)

// hostile is a text that somebody planted where hebb meets it. All but the last ten were written by somebody who had not seen the code.
type hostile struct {
	ID, Via, Text, Danger string
	Hidden                bool // it gives an order, so no session begins with it
}

func hostileTexts(t *testing.T) (list []hostile) {
	t.Helper()
	f := must.Get(os.Open(filepath.Join("testdata", "hostile.jsonl")))(t)
	defer func() { _ = f.Close() }()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var h hostile
		must.Do(t, json.Unmarshal(lines.Bytes(), &h))
		list = append(list, h)
	}
	if len(list) < 60 {
		t.Fatalf("%d texts", len(list))
	}
	return list
}

// TestNothingThatOthersSaySpeaksUnmarked puts each text everywhere a text can come from, whatever its author had in mind, and reads every
// line of every moment: the text is not there, or it stands on one line in quotation marks behind the name of who said it. A run takes one
// text in four.
func TestNothingThatOthersSaySpeaksUnmarked(t *testing.T) {
	t.Parallel()
	texts := hostileTexts(t)
	for _, i := range must.Part(t, len(texts), 4) {
		h := texts[i]
		t.Run(h.ID, func(t *testing.T) {
			t.Parallel()
			l := newLab(t, true)
			l.worked()
			l.plant(h.Text)
			for where, text := range l.moments(h.Text) {
				h.marked(t, where, text)
			}
		})
	}
}

// plant lets a text come in by every way.
func (l *lab) plant(text string) {
	l.t.Helper()
	named := memory.EscapePath(strings.ReplaceAll(text, "/", "_"))
	edit := func(paths ...string) (touches []memory.Touch) {
		for _, p := range paths {
			touches = append(touches, memory.Touch{Kind: memory.Edit, Path: p})
		}
		return touches
	}
	call := func(run string, kind memory.EventKind, tool, input, output string, touches ...memory.Touch) memory.Event {
		e := l.event(run, kind, output, touches...)
		e.Tool, e.Input = tool, input
		return e
	}
	said := func(run string, kind memory.EventKind, origin memory.Origin, words string) memory.Event {
		e := l.event(run, kind, words)
		e.Origin = origin
		return e
	}
	for _, run := range []string{"evil", "worse", "now"} {
		l.spooled(l.event(run, memory.SessionStarted, ""),
			said(run, memory.Prompted, memory.OriginUser, "repair the parser of the login redirect"),
			said(run, memory.Prompted, memory.OriginTool, text),
			call(run, memory.ToolFailed, "Bash", "make test", "--- FAIL: TestLogin\n    login_test.go:7: "+text),
			call(run, memory.ToolFailed, "Bash", "make lint", text),
			call(run, memory.ToolUsed, "Edit", "", "", edit("src/login.go", "src/cache.go", named)...),
			call(run, memory.ToolUsed, "Bash", "make test", text),
			call(run, memory.ToolUsed, "Bash", text, text),
			said(run, memory.SubagentEnded, memory.OriginAgent, text),
			said(run, memory.TurnEnded, memory.OriginAgent, text),
			said("", memory.Committed, memory.OriginRepo, text),
			said("", memory.Committed, memory.OriginRepo, "Merge branch '"+text+"'"),
			l.event("", memory.Committed, text, edit("src/login.go", named)...))
		if run != "now" {
			l.spooled(l.event(run, memory.SessionEnded, ""))
		}
	}
	source := "// TODO: " + text + "\n// " + strings.ReplaceAll(text, "\n", "\n// ") + "\nfunc Login() {}\n"
	for name, content := range map[string]string{"README.md": text, "docs/notes.md": "# Notes\n\n" + text, "src/login.go": "package src\n\n" + source} {
		file := filepath.Join(l.dir, name)
		must.Do(l.t, os.MkdirAll(filepath.Dir(file), 0o700))
		must.Do(l.t, os.WriteFile(file, []byte(content), 0o600))
	}
	for tool, arguments := range map[string]map[string]any{
		"working_memory_note": {"text": text},
		"remember":            {"text": "2. " + text, "kind": "preference", "subject": text},
		"pin":                 {"title": text, "text": text, "reason": text},
		"note_file":           {"path": "src/login.go", "note": text, "summary": text},
		"goal_add":            {"title": text},
		"create_entities":     {"entities": []any{map[string]any{"name": text, "entityType": text, "observations": []any{text}}}},
		"wrapup":              {"happened": text, "learned": text, "next": text, "notes": map[string]any{"src/cache.go": text}},
	} {
		_ = l.raw(tool, arguments) // one that refuses it is as good
	}
	l.asUser(func(b *brain.Brain, scope brain.Scope) error {
		_, _ = steward.Run(l.t.Context(), b, record.Intent, record.IntentInput{SessionInput: record.SessionInput{Scope: scope}, Set: &text, Origin: memory.OriginAgent})
		_, err := learn.RefreshSnippets(l.t.Context(), b, learn.SnippetsInput{Dir: l.dir, Documents: true})
		return err
	})
}

// moments is all that a model is shown, by where.
func (l *lab) moments(planted string) map[string]string {
	l.t.Helper()
	ctx, shown := l.t.Context(), map[string]string{}
	l.asUser(func(b *brain.Brain, scope brain.Scope) error {
		starts := func(when string) error {
			for _, in := range []answer.ContextInput{
				{Mode: "full"}, {Mode: "warm"}, {Mode: "continue", Source: "resume"}, {Mode: "warm", Source: "compact"},
			} {
				if in.Scope, in.Asked = scope, true; in.Source != "" {
					in.Session = memory.NewSessionID("claude-code", "now", l.place.Project())
				}
				out, err := steward.Run(ctx, b, answer.StartContext, in)
				if err != nil {
					return err
				}
				shown["start "+when+" "+in.Mode+" "+in.Source] = out.Text
			}
			return nil
		}
		if err := starts("first"); err != nil {
			return err
		}
		moment := func(name string, e memory.Event) error {
			e.At = l.now()
			out, err := steward.Run(ctx, b, answer.Moment, e)
			shown["moment "+name] = out.Text
			return err
		}
		asked := l.event("next", memory.Prompted, "repair the parser of the login redirect")
		asked.Origin = memory.OriginUser
		alike := l.event("other", memory.Prompted, planted)
		planned := l.event("next", memory.ToolPlanned, "", memory.Touch{Kind: memory.Edit, Path: "src/login.go"})
		planned.Tool = "Edit"
		command := l.event("next", memory.ToolPlanned, "")
		command.Tool, command.Input = "Bash", "make lint"
		failed := l.event("next", memory.ToolFailed, "--- FAIL: TestLogin\n    login_test.go:7: "+planted)
		failed.Tool, failed.Input = "Bash", "make test"
		began := l.event("now", memory.SubagentBegan, "")
		began.Subagent = "helper"
		for name, e := range map[string]memory.Event{
			"prompt": asked, "prompt with its words": alike, "before an edit": planned, "before a command": command, "after a failure": failed, "subagent": began,
		} {
			if err := moment(name, e); err != nil {
				return err
			}
		}
		if _, err := steward.Run(ctx, b, state.Dream, state.DreamInput{Scope: scope, Force: true}); err != nil {
			return err
		}
		for _, name := range []string{"memory", "recent", "summary", "pinned", "live", "scratch"} {
			page, err := steward.Run(ctx, b, views.ReadPage, views.ReadInput{Scope: scope, Name: name})
			if err != nil {
				return err
			}
			shown["page "+name] = page.Text
		}
		return starts("after a dream")
	})
	for _, r := range resources() {
		if strings.HasPrefix(r.uri, "hebb://page/") {
			continue // the person writes it
		}
		shown["resource "+r.uri] = l.resource(r.uri)
	}
	for tool, arguments := range map[string]map[string]any{
		"context": nil, "recent": nil, "heat": nil, "goals": nil, "next": nil, "think": nil, "pins": nil, "memories": nil, "why": nil,
		"error": {"error": "--- FAIL: TestLogin"}, "recall": {"query": "repair the parser of the login redirect"},
		"memory_search": {"query": "login parser redirect"},
	} {
		shown["tool "+tool] = saidIn(l.raw(tool, arguments))
	}
	shown["tool memory_search, its words"] = saidIn(l.raw("memory_search", map[string]any{"query": planted[:min(len(planted), 200)]}))
	for _, name := range []string{"hello", "dream"} {
		out := must.Get(l.client.GetPrompt(ctx, &mcp.GetPromptParams{Name: name}))(l.t)
		for _, m := range out.Messages {
			shown["prompt "+name], _ = strings.CutSuffix(m.Content.(*mcp.TextContent).Text, "\n")
		}
	}
	return shown
}

var (
	blockMark = regexp.MustCompile(`(?i)<!--|</?[a-z]|<\|`)
	pointed   = regexp.MustCompile("→ search: `[^`]*`")
	fenced    = regexp.MustCompile("(?s)<data_[0-9a-z]{26}[^>]*>.*?</data_[0-9a-z]{26}>") // the name changes each time
	inside    = regexp.MustCompile("“[^“”]*”|\"(?:[^\"\\\\]|\\\\.)*\"|→ search: `[^`]*`")
)

// marked fails if the text stands somewhere as if hebb or the person said it.
func (h hostile) marked(t *testing.T, where, text string) {
	t.Helper()
	plain := func(s string) string {
		return strings.ToLower(strings.NewReplacer("‹", "<", "›", ">", "‵", "`").Replace(s))
	}
	danger := plain(h.Danger)
	danger = danger[:min(len(danger), 24)] // a line may be shortened
	// A session that goes on, or goes on after compaction, is shown the last error of that session, in quotation marks.
	begins := where == "page memory" || strings.HasPrefix(where, "start ") && strings.HasSuffix(where, " ")
	if h.Hidden && begins && strings.Contains(plain(pointed.ReplaceAllString(text, "")), danger) {
		t.Errorf("%s gives the order:\n%s", where, text)
	}
	for line := range strings.Lines(fenced.ReplaceAllString(text, "")) {
		for _, r := range line {
			if unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) && r != '\n' && r != '\t' {
				t.Errorf("%s has the invisible %U: %q", where, r, line)
			}
		}
		if marked, _ := strings.CutPrefix(line, "  | "); marked != line {
			line = "found: “" + strings.TrimSpace(marked) + "”" // below the line that says where it was found
		}
		if blockMark.MatchString(line) && !strings.HasPrefix(line, "<!-- hebb:") {
			t.Errorf("%s has a mark or a tag: %q", where, line)
		}
		bare := inside.ReplaceAllStringFunc(line, func(quoted string) string { return "“”" })
		if strings.Contains(plain(bare), danger) && strings.ContainsAny(danger, " {") { // a name without blanks is a name
			t.Errorf("%s says it unquoted: %q", where, line)
		}
		if strings.Contains(plain(line), danger) && strings.HasPrefix(strings.TrimLeft(bare, " -*>#"), "“") {
			t.Errorf("%s does not say who says it: %q", where, line)
		}
	}
}
