//go:build unix && agents

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// scribesTask begins the question of a scribe.
const scribesTask = "You keep the page that every later session"

// offered stands in what a scribe has read if it was offered a tool.
const offered = "[a tool is offered]"

// summary is what the model makes of a conversation that is compacted.
const summary = "The person asked whether everything is in place. The session file was read."

// model stands in for the service that an agent asks what to do. It speaks the four protocols that agents use, listens on
// the loopback interface until its test ends, plays a script and keeps what it received.
type model struct {
	*httptest.Server
	t *testing.T

	// thinks is called before an answer, with the number of tools that have answered. It may take its time, as models do.
	thinks func(toolAnswers int)

	mu        sync.Mutex
	script    []turn
	compacted bool
	since     int      // questions after that
	received  []string // what the model read with each question, in order
	offered   string   // the tools of the last question
	helped    []string // what a subagent's model read with its task
	tempts    []turn   // tools that it calls as a scribe
	notes     string   // what it answers as one then
	about     string   // of the session that says this; of others it has nothing to note
	scribed   []string // what it read as one
	other     []string // requests to places that no protocol here has
	calls     int
}

// turn is one answer of the model: what it says, or the tool that it wants called.
type turn struct {
	say  string
	tool string
	with map[string]any
	// space is the name space of the tool, where it has one.
	space string
	// patch is the argument of a tool that takes plain text instead.
	patch string
	// full says that the conversation has become too long: the agent must compact it before the next question.
	full bool
}

// tokens is how many the agent is told that it has sent.
func (t turn) tokens() int {
	if t.full {
		return 195_000
	}
	return 100
}

type object = map[string]any

func newModel(t *testing.T) *model {
	t.Helper()
	m := &model{t: t}
	m.Server = httptest.NewServer(m)
	t.Cleanup(m.CloseClientConnections) // an agent may have left something behind that still listens
	t.Cleanup(m.Close)
	return m
}

// plays sets the script of the next session and forgets what was received before.
func (m *model) plays(script ...turn) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.script, m.received, m.helped, m.compacted, m.since = script, nil, nil, false, 0
}

// requests is what the model has received since, question by question.
func (m *model) requests() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.received)
}

// helpers is what the models of subagents have received since, each with its task.
func (m *model) helpers() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.helped)
}

// offers is what the model last read about its tools.
func (m *model) offers() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.offered
}

func (m *model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the agent went away
	}
	var request object
	_ = json.Unmarshal(body, &request) // not every request has a body
	switch path := r.URL.Path; {
	case strings.HasSuffix(path, "/messages"):
		m.messages(w, request)
	case strings.HasSuffix(path, "/responses"):
		m.responses(w, request)
	case strings.HasSuffix(path, "/chat/completions"):
		m.completions(w, request)
	case strings.HasSuffix(path, ":streamGenerateContent"), strings.HasSuffix(path, ":generateContent"):
		m.content(w, request, strings.Contains(path, ":stream"))
	case strings.HasSuffix(path, "/count_tokens"), strings.HasSuffix(path, ":countTokens"):
		whole(w, object{"input_tokens": len(body) / 4, "totalTokens": len(body) / 4})
	case strings.HasSuffix(path, "/models"):
		whole(w, object{"object": "list", "data": []object{{"id": "scripted", "object": "model"}}, "models": []object{}})
	default:
		m.mu.Lock()
		m.other = append(m.other, r.Method+" "+r.Host+path)
		m.mu.Unlock()
		http.Error(w, `{"error":{"type":"not_found_error","message":"the model of this test has no such thing"}}`, http.StatusNotFound)
	}
}

// next is the model's answer. It keeps no count: how many tools have answered in the conversation shows which turn it is, so
// a question that is asked again gets the same answer. A question without tools is a helper's, for a title or the like, and so is Qwen Code's for its own memory.
func (m *model) next(request object) (t turn, call string) {
	if n := toolAnswers(request); n > 0 && m.thinks != nil && offersTools(request) {
		m.thinks(n)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls++
	call = fmt.Sprintf("call_%d", m.calls)
	if phrase := asksForSummary(request); phrase != "" {
		m.compacted = true
		return turn{say: "<summary>" + summary + "</summary>", full: phrase == qwensSummary}, call
	}
	if text := words(request); strings.Contains(text, scribesTask) {
		if offersTools(request) {
			text += "\n" + offered
		}
		m.scribed = append(m.scribed, text)
		if n := toolAnswers(request); n < len(m.tempts) {
			return m.tempts[n], call
		}
		if !strings.Contains(text, m.about) {
			return turn{say: `{"add": [], "replace": [], "retire": [], "again": [], "ended": []}`}, call
		}
		return turn{say: m.notes}, call
	}
	if !offersTools(request) || strings.Contains(words(request), qwensMemory) {
		return turn{say: "ok"}, call
	}
	if toolAnswers(request) == 0 && strings.Contains(words(request), helperTask) { // a subagent begins with its task alone
		m.helped = append(m.helped, words(request))
		return turn{say: helperWord}, call
	}
	m.received = append(m.received, words(request))
	m.offered = words(object{"offered": request["tools"]})
	n := toolAnswers(request)
	if m.compacted { // the answers of tools may be gone: two turns are left
		n = min(len(m.script)-2+m.since, len(m.script)-1)
		m.since++
	}
	if n < len(m.script) {
		return m.script[n], call
	}
	return turn{say: "The script is over."}, call
}

// asksForSummary recognises by its last words the question with which an agent compacts a conversation.
func asksForSummary(request object) (phrase string) {
	list, _ := request["messages"].([]any)
	if list == nil {
		list, _ = request["input"].([]any)
	}
	if len(list) == 0 {
		return ""
	}
	last := words(list[len(list)-1])
	for _, phrase := range asksForSummaries {
		if strings.Contains(last, phrase) {
			return phrase
		}
	}
	return ""
}

// qwensMemory begins the question that Qwen Code asks after a turn, for a memory of its own.
const qwensMemory = "Managed memory has TWO directories."

// qwensSummary asks for a summary that counts only if the model has read the whole conversation.
const qwensSummary = "produce the <state_snapshot> XML"

var asksForSummaries = []string{
	"create a detailed summary of the conversation",                                 // Claude Code
	"CONTEXT CHECKPOINT COMPACTION",                                                 // Codex
	"anchored summary", "Provide a detailed prompt for continuing our conversation", // OpenCode, Kilo
	qwensSummary,
	"structured context checkpoint summary", "Create a concise checkpoint", // Pi
}

func offersTools(request object) bool {
	if tools, _ := request["tools"].([]any); len(tools) > 0 {
		return true
	}
	input, _ := request["input"].([]any)
	return slices.ContainsFunc(input, func(item any) bool { // newer models of Codex
		o, _ := item.(object)
		return o["type"] == "additional_tools"
	})
}

// toolAnswers counts the answers of tools in a conversation, whichever protocol it is in.
func toolAnswers(v any) (n int) {
	switch v := v.(type) {
	case object:
		switch v["type"] {
		case "tool_result", "function_call_output", "custom_tool_call_output":
			return 1
		}
		if v["role"] == "tool" || v["functionResponse"] != nil {
			return 1
		}
		for name, value := range v {
			if name != "tools" {
				n += toolAnswers(value)
			}
		}
	case []any:
		for _, value := range v {
			n += toolAnswers(value)
		}
	}
	return n
}

// words is all text of a request but the tools it offers, as the model reads it.
func words(v any) string {
	var b strings.Builder
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			b.WriteString(v + "\n")
		case []any:
			for _, value := range v {
				walk(value)
			}
		case object:
			for _, name := range slices.Sorted(maps.Keys(v)) {
				if name != "tools" {
					walk(v[name])
				}
			}
		}
	}
	walk(v)
	return b.String()
}

// messages is the protocol of Anthropic.
func (m *model) messages(w http.ResponseWriter, request object) {
	t, call := m.next(request)
	block, stop := object{"type": "text", "text": t.say}, "end_turn"
	if t.tool != "" {
		block, stop = object{"type": "tool_use", "id": "toolu_" + call, "name": t.tool, "input": t.with}, "tool_use"
	}
	usage := object{"input_tokens": t.tokens(), "output_tokens": 10, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0}
	message := object{
		"id": "msg_" + call, "type": "message", "role": "assistant", "model": request["model"], "usage": usage,
		"content": []object{block}, "stop_reason": stop, "stop_sequence": nil,
	}
	if request["stream"] != true {
		whole(w, message)
		return
	}
	message["content"], message["stop_reason"] = []object{}, nil
	begun, delta := object{"type": "text", "text": ""}, object{"type": "text_delta", "text": t.say}
	if t.tool != "" {
		begun = object{"type": "tool_use", "id": block["id"], "name": t.tool, "input": object{}}
		delta = object{"type": "input_json_delta", "partial_json": asJSON(t.with)}
	}
	stream(w, true,
		object{"type": "message_start", "message": message},
		object{"type": "content_block_start", "index": 0, "content_block": begun},
		object{"type": "content_block_delta", "index": 0, "delta": delta},
		object{"type": "content_block_stop", "index": 0},
		object{"type": "message_delta", "delta": object{"stop_reason": stop, "stop_sequence": nil}, "usage": usage},
		object{"type": "message_stop"})
}

// responses is the newer protocol of OpenAI.
func (m *model) responses(w http.ResponseWriter, request object) {
	t, call := m.next(request)
	item := object{
		"type": "message", "id": "msg_" + call, "role": "assistant", "status": "completed",
		"content": []object{{"type": "output_text", "text": t.say, "annotations": []object{}}},
	}
	switch {
	case t.patch != "":
		item = object{"type": "custom_tool_call", "id": "ctc_" + call, "call_id": call, "name": t.tool, "input": t.patch, "status": "completed"}
	case t.tool != "":
		item = object{"type": "function_call", "id": "fc_" + call, "call_id": call, "name": t.tool, "arguments": asJSON(t.with), "status": "completed"}
		if t.space != "" {
			item["namespace"] = t.space
		}
	}
	response := func(status string, output ...object) object {
		return object{
			"id": "resp_" + call, "object": "response", "status": status, "model": request["model"], "output": append([]object{}, output...),
			"usage": object{
				"input_tokens": t.tokens(), "input_tokens_details": object{"cached_tokens": 0}, "total_tokens": t.tokens() + 10,
				"output_tokens": 10, "output_tokens_details": object{"reasoning_tokens": 0},
			},
		}
	}
	events := []object{
		{"type": "response.created", "response": response("in_progress")},
		{"type": "response.output_item.added", "output_index": 0, "item": item},
	}
	if t.tool == "" {
		events = append(events, object{
			"type": "response.output_text.delta", "output_index": 0, "content_index": 0, "item_id": item["id"], "delta": t.say,
		})
	}
	stream(w, true, append(events,
		object{"type": "response.output_item.done", "output_index": 0, "item": item},
		object{"type": "response.completed", "response": response("completed", item)})...)
}

// completions is the older protocol of OpenAI, which many other services speak.
func (m *model) completions(w http.ResponseWriter, request object) {
	t, call := m.next(request)
	message, finish := object{"role": "assistant", "content": t.say}, "stop"
	if t.tool != "" {
		message["tool_calls"], finish = []object{{
			"index": 0, "id": call, "type": "function", "function": object{"name": t.tool, "arguments": asJSON(t.with)},
		}}, "tool_calls"
	}
	usage := object{"prompt_tokens": t.tokens(), "completion_tokens": 10, "total_tokens": t.tokens() + 10}
	answer := func(kind string, choice object) object {
		choice["index"] = 0
		return object{"id": "chatcmpl-" + call, "object": kind, "created": 1, "model": request["model"], "choices": []object{choice}, "usage": usage}
	}
	if request["stream"] != true {
		whole(w, answer("chat.completion", object{"message": message, "finish_reason": finish}))
		return
	}
	stream(w, false,
		answer("chat.completion.chunk", object{"delta": message, "finish_reason": nil}),
		answer("chat.completion.chunk", object{"delta": object{}, "finish_reason": finish}))
	_, _ = io.WriteString(w, "data: [DONE]\n\n")
}

// content is the protocol of Google.
func (m *model) content(w http.ResponseWriter, request object, streamed bool) {
	t, _ := m.next(request)
	part := object{"text": t.say}
	if settings, _ := request["generationConfig"].(object); settings["responseMimeType"] == "application/json" {
		part["text"] = `{"reasoning": "none", "next_speaker": "user", "complexity_reasoning": "none", "complexity_score": 1, "model_choice": "flash"}`
	}
	if t.tool != "" {
		part = object{"functionCall": object{"name": t.tool, "args": t.with}}
	}
	answer := object{
		"candidates":    []object{{"content": object{"role": "model", "parts": []object{part}}, "finishReason": "STOP", "index": 0}},
		"usageMetadata": object{"promptTokenCount": 100, "candidatesTokenCount": 10, "totalTokenCount": 110}, "modelVersion": "scripted",
	}
	if streamed {
		stream(w, false, answer)
		return
	}
	whole(w, answer)
}

func whole(w http.ResponseWriter, answer object) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, asJSON(answer))
}

// stream sends server-sent events, which some protocols name by their type.
func stream(w http.ResponseWriter, named bool, events ...object) {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, event := range events {
		if named {
			fmt.Fprintf(w, "event: %s\n", event["type"])
		}
		fmt.Fprintf(w, "data: %s\n\n", asJSON(event))
	}
}

func asJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // only what this file builds
	}
	return string(text)
}
