// Package llm asks a model for a text: an installed coding agent, any server that speaks OpenAI's protocol, or Anthropic's.
// Nothing is asked unless one is configured, and never by a hook. How often it may be asked is bounded, and so is what it may
// answer. Errors name the provider and the fix; the key goes to no other
// address. It sends what it is given: the caller takes secrets out of it first, and judges what comes back.
package llm

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// Provider is a language model.
type Provider interface {
	// Complete returns what the model writes, whole: an answer that was cut short is an error.
	Complete(ctx context.Context, r Request) (string, error)
}

// Request is what a model is asked.
type Request struct {
	System      string // how it is to work; may be empty
	Prompt      string
	MaxTokens   int     // of its answer; 0 leaves it to the tuning
	Temperature float64 // 0 to 2; left out where the model wants none
	// Form says what is wrong with an answer that is not what was asked for; nil takes any.
	Form func(answer string) error
}

// promptLimit is the longest prompt in bytes, five times what a dream asks with. A longer one is an error; it is never cut.
const promptLimit = 256 << 10

// Kinds of providers.
const (
	Anthropic = "anthropic"
	OpenAI    = "openai"
)

// Config is what the configuration says about a model.
type Config struct {
	Kind string
	// URL of the server; empty: the provider's own.
	URL   string
	Model string
	// KeyEnv names the environment variable that holds the key. Empty: the usual one for the provider's own URL, and none
	// for any other, so that a key never goes to a server it was not meant for.
	KeyEnv string
	// AllowPlain permits http:// to another machine, where everybody between can read along.
	AllowPlain bool
}

// Env is what a provider needs of the system.
type Env struct {
	Getenv func(name string) string
	Now    func() time.Time
	// Wait returns after a time, or earlier with the context's error; nil waits by the clock.
	Wait   func(ctx context.Context, d time.Duration) error
	Budget Budget
}

// Open makes a provider. It asks nothing yet.
func Open(c Config, env Env, t tuning.LLM) (Provider, error) {
	known, ok := protocolOf(c.Kind)
	if !ok {
		return nil, fmt.Errorf("language model provider %q: want %s or %s: %w", c.Kind, Anthropic, OpenAI, memory.ErrInvalid)
	}
	if strings.TrimSpace(c.Model) == "" {
		return nil, fmt.Errorf("language model of %s: name one, such as %s: %w", c.Kind, known.example, memory.ErrInvalid)
	}
	p := &provider{
		Config: c, protocol: known, env: env, t: t,
		// A key must not follow a redirection to another address.
		client: &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
	}
	if err := p.connect(); err != nil {
		return nil, err
	}
	return p, nil
}

// check refuses what no provider understands, and what is longer than may be sent: cut, it would say something else.
func (r Request) check() error {
	size := len(r.System) + len(r.Prompt)
	switch {
	case strings.TrimSpace(r.Prompt) == "":
		return fmt.Errorf("the prompt is empty: %w", memory.ErrInvalid)
	case size > promptLimit:
		return fmt.Errorf("the prompt of %d bytes is longer than %d bytes: %w", size, promptLimit, memory.ErrInvalid)
	case r.MaxTokens < 0:
		return fmt.Errorf("an answer of %d tokens: %w", r.MaxTokens, memory.ErrInvalid)
	case math.IsNaN(r.Temperature) || r.Temperature < 0 || r.Temperature > 2:
		return fmt.Errorf("temperature %v: want 0 to 2: %w", r.Temperature, memory.ErrInvalid)
	}
	return nil
}
