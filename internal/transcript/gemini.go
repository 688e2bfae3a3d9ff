package transcript

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/hebb-memory/hebb/internal/filesys"
)

// geminiRecord is one line of ~/.gemini/tmp/<project>/chats/session-….jsonl (recorded from 0.61.0): the head, or a message.
// A message that grows is written again as a whole. Older versions keep one document with all messages.
type geminiRecord struct {
	Session string          `json:"sessionId"`
	Project string          `json:"projectHash"`
	Start   string          `json:"startTime"`
	Kind    string          `json:"kind"`
	ID      string          `json:"id"`
	At      string          `json:"timestamp"`
	Type    string          `json:"type"`
	Content json.RawMessage `json:"content"`
	Calls   []geminiCall    `json:"toolCalls"`
}

type geminiCall struct {
	ID      string          `json:"id"`
	Name    string          `json:"name"`
	Args    json.RawMessage `json:"args"`
	Status  string          `json:"status"`
	At      string          `json:"timestamp"`
	Display json.RawMessage `json:"resultDisplay"`
	Result  json.RawMessage `json:"result"`
}

// geminiTranscript reads the chat of a session. It names neither its folder nor, to hooks, its calls.
type geminiTranscript struct {
	*reader
	name     string // of the file
	root     string // of the project, if something beside the chats says it
	run      string
	helper   string
	reported map[string]bool
}

// geminiRoot is the folder of the project whose chats lie beside it, "" where Gemini CLI left only its fingerprint.
func geminiRoot(f *os.Root, name string) string {
	chats := strings.LastIndex("/"+name, "/chats/")
	if chats < 0 {
		return ""
	}
	const longestPath = 32 << 10
	text, err := filesys.ReadIn(f, filepath.FromSlash(path.Join(name[:chats], ".project_root")), longestPath)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// document reads a chat that is one JSON object. It was rewritten as a whole with every message, so there is no half of it.
func (g *geminiTranscript) document(in *os.File) error {
	text, err := io.ReadAll(io.LimitReader(in, longestLine+1))
	if g.report.End = int64(len(text)); err != nil {
		return err
	}
	var whole struct {
		geminiRecord
		Messages []geminiRecord `json:"messages"`
	}
	g.report.Lines++
	if len(text) > longestLine || json.Unmarshal(text, &whole) != nil {
		g.report.Malformed++
		return nil
	}
	g.last = true // no part of it was reported before
	for _, r := range append([]geminiRecord{whole.geminiRecord}, whole.Messages...) {
		if err := g.passed(g.take(r)); err != nil {
			return err
		}
	}
	if !g.how.Ended {
		return nil
	}
	return g.end()
}

func (g *geminiTranscript) record(line []byte) error {
	var r geminiRecord
	odd, err := decodeRecord(line, &r)
	if err != nil {
		return err
	}
	if odd && r.Type != "" {
		return errMalformed
	}
	return g.take(r)
}

func (g *geminiTranscript) take(r geminiRecord) error {
	at := instantOf(r.At)
	switch {
	case r.Session != "":
		return g.head(r)
	case g.run == "" || r.Type != "user" && r.Type != "gemini":
		return nil // a patch of the head, or a notice to the person
	case at.IsZero():
		return errMalformed
	case r.Type == "user":
		return g.asked(r)
	}
	return g.said(r)
}

// head says which session it is.
func (g *geminiTranscript) head(r geminiRecord) error {
	if g.run != "" {
		return nil
	}
	g.run = r.Session
	if r.Kind == "subagent" {
		if parent := path.Base(path.Dir(g.name)); parent != "chats" && parent != "." {
			g.run, g.helper = parent, r.Session
		}
	}
	g.project = g.root
	for _, root := range g.how.Roots {
		if sum := sha256.Sum256([]byte(root)); g.project == "" && hex.EncodeToString(sum[:]) == r.Project {
			g.project = root
		}
	}
	p := g.payload("SessionStart", r.Start)
	return g.say(instantOf(r.Start), "begin "+g.helper, false, p)
}

func (g *geminiTranscript) payload(event, at string) hookPayload {
	return hookPayload{Event: event, Session: g.run, Agent: g.helper, Cwd: g.project, At: at}
}

func (g *geminiTranscript) asked(r geminiRecord) error {
	text := geminiText(r.Content)
	if text == "" || g.reported[r.ID] {
		return nil // the answer of a tool, or written again
	}
	if err := g.end(); err != nil {
		return err
	}
	g.reported[r.ID] = true
	p := g.payload("BeforeAgent", r.At)
	p.Prompt = text
	return g.asks(instantOf(r.At), r.ID, false, p, text)
}

func (g *geminiTranscript) said(r geminiRecord) error {
	if g.answer.key != r.ID {
		g.goesOn()
	}
	said := "said " + r.ID // a message that calls is written again with what its calls returned
	if text := geminiText(r.Content); text != "" && (len(r.Calls) == 0 || !g.reported[said]) {
		g.answer = heldAnswer{at: instantOf(r.At), key: r.ID, text: text, payload: g.payload("AfterAgent", r.At)}
	}
	if len(r.Calls) > 0 {
		g.reported[said] = true
		g.goesOn()
	}
	for _, c := range r.Calls {
		if err := g.called(r, c); err != nil {
			return err
		}
	}
	return nil
}

func (g *geminiTranscript) called(r geminiRecord, c geminiCall) error {
	if c.ID == "" || c.Name == "" || g.reported[c.ID] || c.Status != "success" && c.Status != "error" {
		return nil // not finished, or reported already
	}
	g.reported[c.ID] = true
	when := c.At
	if instantOf(when).IsZero() {
		when = r.At
	}
	var results []struct {
		Function struct {
			Response struct {
				Output json.RawMessage `json:"output"`
				Error  json.RawMessage `json:"error"`
			} `json:"response"`
		} `json:"functionResponse"`
	}
	_ = json.Unmarshal(c.Result, &results) // another form has no text
	content, failure := "", ""
	for _, one := range results {
		content += textOf(one.Function.Response.Output, "\n")
		failure += textOf(one.Function.Response.Error, "\n")
	}
	answer := map[string]any{"llmContent": content}
	if c.Status == "error" {
		failure = cmp.Or(failure, content)
		answer["llmContent"], answer["error"] = failure, map[string]string{"message": failure}
	}
	if len(c.Display) > 0 {
		answer["returnDisplay"] = c.Display
	}
	data, err := json.Marshal(answer)
	if err != nil {
		return errMalformed
	}
	g.tell(Output, instantOf(when), g.helper, cmp.Or(failure, content), call{c.Name, c.Args})
	p := g.payload("AfterTool", when)
	p.Tool, p.Input, p.ToolAnswer = c.Name, c.Args, data
	return g.say(instantOf(when), c.ID, false, p)
}

// geminiText is what a message says.
func geminiText(content json.RawMessage) string { return strings.TrimSpace(textOf(content, "\n")) }
