package llm

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
)

// protocol is how one kind of provider is spoken to.
type protocol struct {
	url     string // its own server
	path    string // of the call, below the server: version and call
	keyEnv  string // where its key usually is
	example string // a model
	header  func(key string) map[string]string
	body    func(model string, r Request, omit habits) any
	read    func(answer []byte) (text, ended string, err error)
}

// habits are what models of one protocol differ in. A model that refuses a field says so, and is asked without it from then on.
type habits struct {
	noTemperature    bool // it chooses its own
	completionTokens bool // OpenAI's newer name of the longest answer
}

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// protocolOf knows the kinds of providers.
func protocolOf(kind string) (protocol, bool) {
	switch kind {
	case Anthropic:
		return protocol{
			url: "https://api.anthropic.com", path: "v1/messages", keyEnv: "ANTHROPIC_API_KEY", example: "claude-sonnet-4-5",
			header: func(key string) map[string]string {
				return map[string]string{"X-Api-Key": key, "Anthropic-Version": "2023-06-01"}
			},
			body: anthropicBody, read: anthropicRead,
		}, true
	case OpenAI:
		return protocol{
			url: "https://api.openai.com", path: "v1/chat/completions", keyEnv: "OPENAI_API_KEY", example: "gpt-4o-mini",
			header: bearer, body: openAIBody, read: openAIRead,
		}, true
	}
	return protocol{}, false
}

// messages are a request as a conversation of one turn.
func (r Request) messages() []message {
	if r.System == "" {
		return []message{{"user", r.Prompt}}
	}
	return []message{{"system", r.System}, {"user", r.Prompt}}
}

func (r Request) temperature(omit habits) *float64 {
	if omit.noTemperature {
		return nil
	}
	return &r.Temperature
}

func anthropicBody(model string, r Request, omit habits) any {
	return struct {
		Model       string    `json:"model"`
		MaxTokens   int       `json:"max_tokens"`
		System      string    `json:"system,omitempty"`
		Messages    []message `json:"messages"`
		Temperature *float64  `json:"temperature,omitempty"`
	}{model, r.MaxTokens, r.System, []message{{"user", r.Prompt}}, r.temperature(omit)}
}

func anthropicRead(answer []byte) (text, ended string, err error) {
	var reply struct {
		Content    []struct{ Type, Text string }
		StopReason string `json:"stop_reason"`
	}
	if err := json.Unmarshal(answer, &reply); err != nil {
		return "", "", err
	}
	var parts []string
	for _, part := range reply.Content {
		if part.Type == "text" { // and not what it thought
			parts = append(parts, part.Text)
		}
	}
	return strings.Join(parts, ""), reply.StopReason, nil
}

func openAIBody(model string, r Request, omit habits) any {
	body := struct {
		Model           string    `json:"model"`
		Messages        []message `json:"messages"`
		MaxTokens       int       `json:"max_tokens,omitempty"`
		MaxTokensNewest int       `json:"max_completion_tokens,omitempty"`
		Temperature     *float64  `json:"temperature,omitempty"`
	}{Model: model, Messages: r.messages(), Temperature: r.temperature(omit)}
	if omit.completionTokens {
		body.MaxTokensNewest = r.MaxTokens
	} else {
		body.MaxTokens = r.MaxTokens
	}
	return body
}

func openAIRead(answer []byte) (text, ended string, err error) {
	var reply struct {
		Choices []struct {
			Message struct {
				Content string
				Refusal string
			}
			FinishReason string `json:"finish_reason"`
		}
	}
	if err := json.Unmarshal(answer, &reply); err != nil {
		return "", "", err
	}
	if len(reply.Choices) == 0 {
		return "", "", nil
	}
	first := reply.Choices[0]
	if first.Message.Refusal != "" {
		return "", "refusal", nil
	}
	return first.Message.Content, first.FinishReason, nil
}

// whole refuses an answer that the model did not finish.
func whole(text, ended string, tokens int) (string, error) {
	switch ended {
	case "max_tokens", "length", "model_context_window_exceeded":
		return "", fmt.Errorf("its answer was cut off at %d tokens (raise llm.max_tokens, or ask a model with a larger window): %w",
			tokens, memory.ErrRefused)
	case "refusal", "content_filter":
		return "", fmt.Errorf("the model refused to answer: %w", memory.ErrRefused)
	}
	if strings.TrimSpace(text) == "" {
		return "", fmt.Errorf("its answer is empty: %w", memory.ErrDamaged)
	}
	return text, nil
}
