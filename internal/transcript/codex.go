package transcript

import (
	"cmp"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"time"
)

// codexRecord is one line of ~/.codex/sessions/YYYY/MM/DD/rollout-….jsonl (recorded from 0.166.0; older ones say less).
type codexRecord struct {
	At      string          `json:"timestamp"`
	Type    string          `json:"type"`
	Payload json.RawMessage `json:"payload"`
}

// codexPayload is what the records that matter hold, each some of it.
type codexPayload struct {
	Type string `json:"type"`
	// session_meta and turn_context
	ID     string          `json:"id"`
	Cwd    string          `json:"cwd"`
	Source json.RawMessage `json:"source"`
	Parent string          `json:"parent_thread_id"`
	// calls and their answers
	Name      string          `json:"name"`
	Arguments string          `json:"arguments"`
	Input     string          `json:"input"`
	CallID    string          `json:"call_id"`
	Output    json.RawMessage `json:"output"`
	Action    struct {
		Command []string `json:"command"`
	} `json:"action"`
	// messages and the ends of turns
	TurnID  string          `json:"turn_id"`
	Message json.RawMessage `json:"message"`
	Last    string          `json:"last_agent_message"`
	Item    codexItem       `json:"item"`
	Changes json.RawMessage `json:"changes"`
	Success *bool           `json:"success"`
}

// codexItem is a finished piece of a turn.
type codexItem struct {
	Type    string          `json:"type"`
	ID      string          `json:"id"`
	Content json.RawMessage `json:"content"`
	Command json.RawMessage `json:"command"`
	Cwd     string          `json:"cwd"`
	Output  string          `json:"aggregated_output"`
	Changes json.RawMessage `json:"changes"`
	Status  string          `json:"status"`
}

// codexTranscript reads the rollout of a session, or of a helper in one.
type codexTranscript struct {
	*reader
	run, helper string // the session, and who acts in it if not the agent itself
	cwd         string
	source      string // where its prompts come from
	turn        string
	direct      map[string]call // calls that have their answer in the rollout; empty once it was told
}

func (c *codexTranscript) record(line []byte) error {
	var r codexRecord
	odd, err := decodeRecord(line, &r)
	if err != nil {
		return err
	}
	at := instantOf(r.At)
	switch r.Type {
	case "session_meta", "turn_context", "response_item", "event_msg", "compacted":
	default:
		return nil
	}
	var p codexPayload
	if odd || at.IsZero() || json.Unmarshal(r.Payload, &p) != nil && p.Type == "" && p.ID == "" {
		return errMalformed
	}
	if r.Type == "session_meta" {
		return c.meta(at, p)
	}
	if c.run == "" {
		return nil // it does not say whose it is
	}
	switch r.Type {
	case "turn_context":
		if p.Cwd != "" {
			c.cwd = p.Cwd
		}
	case "response_item":
		return c.item(at, p)
	case "event_msg":
		return c.event(at, p)
	case "compacted":
		return c.say(at, "compacted "+at.Format(time.RFC3339Nano), false, c.payload("PostCompact"))
	}
	return nil
}

func (c *codexTranscript) meta(at time.Time, p codexPayload) error {
	if c.run != "" || p.ID == "" {
		return nil // a resumed session says it again
	}
	c.run, c.cwd, c.direct = p.ID, p.Cwd, map[string]call{}
	var source struct {
		Subagent json.RawMessage `json:"subagent"`
	}
	var helper struct {
		Spawn struct {
			Parent string `json:"parent_thread_id"`
		} `json:"thread_spawn"`
	}
	if json.Unmarshal(p.Source, &c.source) != nil && json.Unmarshal(p.Source, &source) == nil && len(source.Subagent) > 0 {
		_ = json.Unmarshal(source.Subagent, &helper) // the program's own helpers, such as its reviewer of approvals, have a name instead
		if c.run, c.helper = cmp.Or(helper.Spawn.Parent, p.Parent, p.ID), p.ID; helper.Spawn.Parent == "" {
			c.source = "subagent"
		}
	}
	if c.project == "" {
		c.project = p.Cwd
	}
	return c.say(at, "begin "+c.helper, false, c.payload("SessionStart"))
}

func (c *codexTranscript) payload(event string) hookPayload {
	return hookPayload{Event: event, Session: c.run, Agent: c.helper, Cwd: c.cwd, TurnID: c.turn}
}

// item handles tool calls and their answers.
func (c *codexTranscript) item(at time.Time, p codexPayload) error {
	switch p.Type {
	case "function_call", "custom_tool_call", "local_shell_call":
		use, ok := codexCallOf(p)
		if ok {
			c.called(p.CallID, use)
		} else if p.Name == "write_stdin" { // how a long command goes on and ends
			use = call{p.Name, json.RawMessage(p.Arguments)}
		}
		c.direct[p.CallID] = use
	case "function_call_output", "custom_tool_call_output", "local_shell_call_output":
		use, known := c.calls[p.CallID]
		text := codexOutput(p.Output)
		if delete(c.calls, p.CallID); strings.HasPrefix(text, "unsupported c") {
			return nil // it was not run
		}
		if use := c.direct[p.CallID]; use.tool != "" && use.tool != updatePlan {
			c.tell(Output, at, c.helper, textOf(p.Output, "\n\n"), use)
			c.direct[p.CallID] = call{}
		}
		if known {
			return c.used(at, p.CallID, use, text)
		}
	}
	return nil
}

func (c *codexTranscript) used(at time.Time, id string, use call, output string) error {
	h := c.payload("PostToolUse")
	h.Tool, h.CallID, h.Input, h.ToolAnswer = use.tool, id, use.input, quotedText(output)
	return c.say(at, id, use.tool != updatePlan, h)
}

// updatePlan is a tool that calls no hook. Its answer says nothing.
const updatePlan = "update_plan"

type codexCommand struct {
	Command string `json:"command"`
}

// codexCallOf names a call as hooks receive it.
func codexCallOf(p codexPayload) (call, bool) {
	var args struct {
		Cmd     json.RawMessage `json:"cmd"`
		Command json.RawMessage `json:"command"`
		Input   string          `json:"input"`
	}
	_ = json.Unmarshal([]byte(p.Arguments), &args) // arguments that are no JSON name nothing
	switch p.Name {
	case "exec_command", "shell", "shell_command", "container.exec", "unified_exec", "local_shell":
		if len(args.Cmd) > 0 {
			args.Command = args.Cmd
		}
		return call{"Bash", codexCommand{commandLine(args.Command)}}, true
	case "":
		if p.Type != "local_shell_call" {
			return call{}, false
		}
		return call{"Bash", codexCommand{joinedCommand(p.Action.Command)}}, true
	case "apply_patch":
		return call{"apply_patch", codexCommand{cmp.Or(p.Input, args.Input)}}, true
	case "write_stdin", "view_image", "wait", "exec": // hooks are not called, or only for what it calls
		return call{}, false
	}
	if p.Arguments == "" || !json.Valid([]byte(p.Arguments)) {
		return call{p.Name, nil}, true
	}
	return call{p.Name, json.RawMessage(p.Arguments)}, true
}

// commandLine is a command as one line: a string, or the words of one for a shell.
func commandLine(raw json.RawMessage) string {
	var line string
	var words []string
	if json.Unmarshal(raw, &line) == nil {
		return line
	}
	_ = json.Unmarshal(raw, &words) // neither form: an empty line names no file
	return joinedCommand(words)
}

func joinedCommand(words []string) string {
	if n := len(words); n >= 3 && strings.HasPrefix(words[n-2], "-") && strings.HasSuffix(words[n-2], "c") {
		return words[n-1] // bash -lc "…"
	}
	return strings.Join(words, " ")
}

// codexOutput is the answer of a tool, without what Codex writes above it.
func codexOutput(raw json.RawMessage) string {
	text := textOf(raw, "\n\n")
	if strings.HasPrefix(text, "Chunk ID: ") {
		if _, output, found := strings.Cut(text, "\nOutput:\n"); found {
			return output
		}
	}
	return text
}

// event handles messages, ends of turns, and tool uses that are no calls.
func (c *codexTranscript) event(at time.Time, p codexPayload) error {
	if p.TurnID != "" {
		c.turn = p.TurnID
	}
	switch p.Type {
	case "user_message":
		return c.prompted(at, textOf(p.Message, "\n"))
	case "agent_message":
		c.hold(at, textOf(p.Message, "\n"))
	case "task_complete", "turn_complete":
		if p.Last != "" {
			c.hold(at, p.Last)
		}
		return c.end()
	case "patch_apply_end":
		if p.Success == nil || *p.Success {
			return c.patched(at, p.CallID, p.Changes)
		}
	case "item_completed":
		return c.completed(at, p.Item)
	}
	return nil
}

func (c *codexTranscript) completed(at time.Time, item codexItem) error {
	switch item.Type {
	case "UserMessage":
		return c.prompted(at, textOf(item.Content, "\n"))
	case "AgentMessage":
		c.hold(at, textOf(item.Content, "\n"))
	case "CommandExecution":
		if u, err := url.Parse(item.Cwd); err == nil && u.Scheme == "file" {
			defer func(before string) { c.cwd = before }(c.cwd)
			c.cwd = u.Path
		}
		if _, follows := c.calls[item.ID]; !follows && item.ID != "" {
			use := call{"Bash", codexCommand{commandLine(item.Command)}}
			if _, direct := c.direct[item.ID]; !direct {
				c.tell(Output, at, c.helper, item.Output, use)
			}
			return c.used(at, item.ID, use, item.Output)
		}
	case "FileChange":
		if item.Status == "" || item.Status == "completed" {
			return c.patched(at, item.ID, item.Changes)
		}
	}
	return nil
}

// patched reports changed files as the patch that changes them.
func (c *codexTranscript) patched(at time.Time, id string, changes json.RawMessage) error {
	if c.calls[id].tool == "apply_patch" || id == "" {
		return nil // its answer follows
	}
	var list []struct {
		Path string          `json:"path"`
		Kind json.RawMessage `json:"kind"`
	}
	kinds := map[string]string{}
	var named map[string]json.RawMessage
	switch {
	case json.Unmarshal(changes, &named) == nil:
		for file, kind := range named {
			kinds[file] = string(kind)
		}
	case json.Unmarshal(changes, &list) == nil:
		for _, change := range list {
			kinds[change.Path] = string(change.Kind)
		}
	}
	var lines []string
	for file, kind := range kinds {
		word := "Update"
		switch {
		case strings.Contains(kind[:min(len(kind), 24)], `"delete"`):
			word = "Delete"
		case strings.Contains(kind[:min(len(kind), 24)], `"add"`):
			word = "Add"
		}
		if file != "" && !strings.Contains(file, "\n") {
			lines = append(lines, "*** "+word+" File: "+file)
		}
	}
	if len(lines) == 0 {
		return nil
	}
	slices.Sort(lines)
	patch := "*** Begin Patch\n" + strings.Join(lines, "\n") + "\n*** End Patch\n"
	return c.used(at, id, call{"apply_patch", codexCommand{patch}}, "")
}

func (c *codexTranscript) prompted(at time.Time, text string) error {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	if err := c.end(); err != nil {
		return err
	}
	h := c.payload("UserPromptSubmit")
	h.Prompt, h.Source = text, c.source
	return c.asks(at, "prompt "+at.Format(time.RFC3339Nano), c.turn != "", h, text)
}

// hold keeps a text: it is the answer if nothing follows.
func (c *codexTranscript) hold(at time.Time, text string) {
	if strings.TrimSpace(text) != "" {
		if strings.TrimSpace(c.answer.text) != strings.TrimSpace(text) { // the end of a turn says the last one again
			c.goesOn()
		}
		c.answer = heldAnswer{at: at, key: "answer " + at.Format(time.RFC3339Nano), text: text, payload: c.payload("Stop")}
	}
}
