package transcript

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/typed"
)

// claudeRecord is one line of ~/.claude/projects/<folder>/<session>.jsonl, as far as it says what happened (recorded from
// 2.0.76 and 2.1.325). An answer has one record for each block of its content; the result of a tool is a record of the user.
type claudeRecord struct {
	Type      string `json:"type"`
	Subtype   string `json:"subtype"`
	Session   string `json:"sessionId"`
	Helper    string `json:"agentId"`
	Sidechain bool   `json:"isSidechain"`
	Meta      bool   `json:"isMeta"`
	Summary   bool   `json:"isCompactSummary"`
	Cwd       string `json:"cwd"`
	UUID      string `json:"uuid"`
	At        string `json:"timestamp"`
	PromptID  string `json:"promptId"`
	// Source, Origin and Entry say where a prompt comes from; older versions do not.
	Source  string          `json:"promptSource"`
	Origin  json.RawMessage `json:"origin"`
	Entry   string          `json:"entrypoint"`
	Message struct {
		ID      string          `json:"id"`
		Content json.RawMessage `json:"content"`
		Stop    string          `json:"stop_reason"`
	} `json:"message"`
	Result  json.RawMessage `json:"toolUseResult"`
	Compact struct {
		Trigger string `json:"trigger"`
	} `json:"compactMetadata"`
}

// claudeBlock is one block of a message.
type claudeBlock struct {
	Type    string          `json:"type"`
	Text    string          `json:"text"`
	ID      string          `json:"id"`
	Name    string          `json:"name"`
	Input   json.RawMessage `json:"input"`
	CallID  string          `json:"tool_use_id"`
	Content json.RawMessage `json:"content"`
	Failed  bool            `json:"is_error"`
}

func (b claudeBlock) calls() bool { return b.Type == "tool_use" && b.ID != "" }

// claudeTranscript reads the transcript of a session, or of a helper in one.
type claudeTranscript struct {
	*reader
	begun   bool
	trigger string // of the compaction whose summary follows
}

// claudePrompts reads the prompts of a transcript alone.
type claudePrompts struct{ *claudeTranscript }

func (c claudePrompts) record(line []byte) error {
	if !bytes.Contains(line, []byte(`"user"`)) || bytes.Contains(line, []byte(`"tool_result"`)) {
		return nil
	}
	return c.claudeTranscript.record(line)
}

func (c *claudeTranscript) record(line []byte) error {
	var r claudeRecord
	odd, err := decodeRecord(line, &r)
	if err != nil {
		return err
	}
	if r.Type != "user" && r.Type != "assistant" && r.Type != "system" || r.Session == "" {
		return nil // about the agent, not about the work
	}
	if odd || instantOf(r.At).IsZero() {
		return errMalformed
	}
	if c.project == "" {
		c.project = r.Cwd
	}
	if err := c.begin(r); err != nil {
		return err
	}
	switch {
	case r.Type == "system":
		if r.Compact.Trigger != "" {
			c.trigger = r.Compact.Trigger
		}
		if r.Subtype == "stop_hook_summary" || r.Subtype == "turn_duration" { // the turn is over
			return c.end()
		}
		return nil
	case r.Type == "assistant":
		return c.said(r)
	case r.Summary:
		trigger := c.trigger
		text, _, _ := blocksOf(r.Message.Content)
		if err := c.end(); err != nil || text == "" || len(c.private) > 0 { // it sums up private turns too
			return err
		}
		p := c.payload(r, "PostCompact")
		p.Trigger, p.Summary = trigger, text
		return c.say(instantOf(r.At), r.UUID, false, p)
	}
	return c.asked(r)
}

// payload is what every hook of a record would have received.
func (c *claudeTranscript) payload(r claudeRecord, event string) hookPayload {
	return hookPayload{Event: event, Session: r.Session, Agent: r.helper(), Cwd: r.Cwd}
}

// helper names the subagent, "" for the agent itself.
func (r claudeRecord) helper() string {
	if r.Helper == "" && r.Sidechain {
		return "sidechain" // before helpers had names and files of their own
	}
	return r.Helper
}

// source says where a prompt comes from.
func (r claudeRecord) source() string {
	var origin struct {
		Kind string `json:"kind"`
	}
	_ = json.Unmarshal(r.Origin, &origin) // another form says nothing
	return typed.SourceOf(cmp.Or(origin.Kind, r.Source), r.Entry)
}

func (c *claudeTranscript) begin(r claudeRecord) error {
	if c.begun {
		return nil
	}
	c.begun = true
	event := "SessionStart"
	if r.helper() != "" {
		event = "SubagentStart"
	}
	return c.say(instantOf(r.At), "begin "+r.helper(), false, c.payload(r, event))
}

// said handles a record of the agent: text and tool calls.
func (c *claudeTranscript) said(r claudeRecord) error {
	text, blocks, ok := blocksOf(r.Message.Content)
	if !ok {
		return errMalformed
	}
	if c.answer.message != r.Message.ID || r.Message.ID == "" {
		if !c.answer.sure {
			c.goesOn()
		}
		if err := c.end(); err != nil {
			return err
		}
	}
	if r.Message.Stop == "tool_use" || slices.ContainsFunc(blocks, claudeBlock.calls) {
		c.tell(OnTheWay, instantOf(r.At), r.helper(), text, call{})
		text = ""
	}
	for _, b := range blocks {
		if b.calls() {
			c.called(b.ID, call{b.Name, b.Input})
		}
	}
	if text == "" {
		return nil
	}
	if c.answer.message == r.Message.ID && c.answer.text != "" {
		c.answer.text += "\n\n" + text
		return nil
	}
	event := "Stop"
	if r.helper() != "" {
		event = "SubagentStop"
	}
	c.answer = heldAnswer{at: instantOf(r.At), message: r.Message.ID, key: r.UUID, text: text, sure: r.Message.Stop != "", payload: c.payload(r, event)}
	return nil
}

// asked handles a record of the user: a prompt, or results of tools.
func (c *claudeTranscript) asked(r claudeRecord) error {
	text, blocks, ok := blocksOf(r.Message.Content)
	if !ok {
		return errMalformed
	}
	results := slices.DeleteFunc(slices.Clone(blocks), func(b claudeBlock) bool { return b.Type != "tool_result" })
	if len(results) > 1 {
		r.Result = nil // it is unknown whose it is
	}
	for _, b := range results {
		if err := c.result(r, b); err != nil {
			return err
		}
	}
	if len(results) > 0 {
		return nil
	}
	if err := c.end(); err != nil {
		return err
	}
	if blocks != nil {
		text = joinedTexts(blocks, func(text string) bool { return typed.By("", text) != typed.Notice })
	}
	if r.Meta || r.helper() != "" || strings.TrimSpace(text) == "" || typed.By("", text) == typed.Notice {
		return nil
	}
	p := c.payload(r, "UserPromptSubmit")
	p.Prompt, p.PromptID, p.Source = text, r.PromptID, r.source()
	return c.asks(instantOf(r.At), r.UUID, r.PromptID != "", p, text)
}

func (c *claudeTranscript) result(r claudeRecord, b claudeBlock) error {
	call, known := c.calls[b.CallID]
	if !known {
		return nil // the file begins in the middle, or it is written twice
	}
	delete(c.calls, b.CallID)
	p := c.payload(r, "PostToolUse")
	p.Tool, p.CallID, p.Input = call.tool, b.CallID, call.input
	text, _, _ := blocksOf(b.Content)
	if !b.Failed {
		c.tell(Output, instantOf(r.At), r.helper(), text, call)
		if p.ToolAnswer = r.Result; len(p.ToolAnswer) == 0 {
			p.ToolAnswer = b.Content
		}
		return c.say(instantOf(r.At), b.CallID, true, p)
	}
	text = strings.TrimSuffix(strings.TrimPrefix(text, "<tool_use_error>"), "</tool_use_error>")
	for _, never := range []string{"Error: No such tool available", "The user doesn't want to", "[Request interrupted"} {
		if strings.HasPrefix(text, never) {
			c.rejected(r, text, call)
			return nil // it was not run, and no hook was called
		}
	}
	c.tell(Output, instantOf(r.At), r.helper(), text, call)
	p.Event, p.Error = "PostToolUseFailure", text
	return c.say(instantOf(r.At), b.CallID, true, p)
}

// rejected takes the result of a call that was not run. What a person said of it stands behind words of
// Claude Code, or of its extension for editors.
func (c *claudeTranscript) rejected(r claudeRecord, text string, of call) {
	_, words, found := strings.Cut(text, "To tell you how to proceed, the user said:")
	if !found {
		_, words, _ = strings.Cut(text, "The user provided the following reason for the rejection:")
	}
	words, _, _ = strings.Cut(words, "\n\nNote: The user's next message may contain a correction")
	words = strings.TrimSpace(words)
	if strings.HasPrefix(words, "The user wants to clarify these questions.") || strings.HasPrefix(words, "The user has indicated they") {
		c.tell(Output, instantOf(r.At), r.helper(), words, of) // a form, with questions and what was answered so far
		return
	}
	c.refused(instantOf(r.At), r.helper(), words, of)
}

// blocksOf reads a message: a text, or a list of blocks whose texts it joins.
func blocksOf(content json.RawMessage) (text string, blocks []claudeBlock, ok bool) {
	if len(content) == 0 {
		return "", nil, true
	}
	if content[0] == '"' {
		return text, nil, json.Unmarshal(content, &text) == nil
	}
	if json.Unmarshal(content, &blocks) != nil {
		return "", nil, false
	}
	return joinedTexts(blocks, func(string) bool { return true }), blocks, true
}

// joinedTexts are the texts among some blocks that are wanted, one below the other.
func joinedTexts(blocks []claudeBlock, wanted func(string) bool) string {
	var texts []string
	for _, b := range blocks {
		if b.Type == "text" && strings.TrimSpace(b.Text) != "" && wanted(b.Text) {
			texts = append(texts, b.Text)
		}
	}
	return strings.Join(texts, "\n\n")
}
