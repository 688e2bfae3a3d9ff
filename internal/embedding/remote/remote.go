// Package remote asks a model elsewhere for vectors: an Ollama server or any that speaks OpenAI's embeddings protocol. It
// is used only if one is configured, and never by a hook. What it cannot get it says, with the address and the mend; the
// key it was given it tells to nobody but that address.
package remote

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// Provider turns texts into vectors of one space.
type Provider interface {
	// Space changes with everything that changes the vectors.
	Space() string
	// Embed returns a vector for each text, nil for one without content. Many models want to know whether a text is a
	// question or what may answer one.
	Embed(ctx context.Context, texts []string, asQuery bool) ([]memory.Vector, error)
}

// Kinds of servers.
const (
	Ollama = "ollama"
	OpenAI = "openai"
)

// Config is what the configuration says about a model.
type Config struct {
	Kind  string
	URL   string // of the server; empty: Ollama on this machine
	Model string
	// Dims are the leading dimensions that are kept; 0 leaves it to what is known about the model.
	Dims int
	// KeyEnv names the environment variable that holds the key; empty: none is needed.
	KeyEnv string
	// Prefixes replace what is known about the model.
	Prefixes *Prefixes
}

// Prefixes stand before a text to tell the model what it is.
type Prefixes struct{ Query, Document string }

// Env is what a provider needs of the system.
type Env struct {
	Getenv func(name string) string
	// Wait returns after a time, or earlier with the context's error; nil waits by the clock.
	Wait func(ctx context.Context, d time.Duration) error
}

// Open makes a provider. It asks nothing yet.
func Open(c Config, env Env, t tuning.Embedding) (Provider, error) {
	p := &provider{kind: c.Kind, model: c.Model, dims: c.Dims, t: t, wait: env.Wait}
	if c.Model == "" {
		return nil, fmt.Errorf("embedding model of %s: name one, such as nomic-embed-text: %w", c.Kind, memory.ErrInvalid)
	}
	if c.Dims < 0 {
		return nil, fmt.Errorf("embedding model %s: %d dimensions: %w", c.Model, c.Dims, memory.ErrInvalid)
	}
	switch c.Kind {
	case Ollama:
		c.URL = cmp.Or(c.URL, "http://127.0.0.1:11434")
	case OpenAI:
	default:
		return nil, fmt.Errorf("embedding provider %q: want %s or %s: %w", c.Kind, Ollama, OpenAI, memory.ErrInvalid)
	}
	var err error
	if p.url, err = endpoint(c.Kind, c.URL); err != nil {
		return nil, err
	}
	if c.KeyEnv != "" {
		if p.key = strings.TrimSpace(env.Getenv(c.KeyEnv)); p.key == "" {
			return nil, fmt.Errorf("embedding provider %s: the environment variable %s, which should hold its key, is empty: %w",
				p.url.Redacted(), c.KeyEnv, memory.ErrInvalid)
		}
		p.keyEnv = c.KeyEnv
	}
	known := knownModel(c.Model)
	p.prefixes = known.prefixes
	if c.Prefixes != nil {
		p.prefixes = *c.Prefixes
	}
	if p.dims == 0 && known.nested {
		p.dims = t.Cut
	}
	if p.wait == nil {
		p.wait = wait
	}
	// A key must not follow a redirection to another address.
	p.client = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return p, nil
}

// endpoint completes the address of a server, whether or not it already names the version or the call.
func endpoint(kind, address string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimRight(address, "/"))
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		// The error of url.Parse would quote the address, and with it a password.
		return nil, fmt.Errorf("embedding provider %s: its url must be http://… or https://…: %w", kind, memory.ErrInvalid)
	}
	parts := []string{"v1", "embeddings"}
	if kind == Ollama {
		parts = []string{"api", "embed"}
	}
	switch {
	case strings.HasSuffix(u.Path, "/"+parts[0]+"/"+parts[1]):
	case strings.HasSuffix(u.Path, "/"+parts[0]):
		u = u.JoinPath(parts[1])
	default:
		u = u.JoinPath(parts...)
	}
	return u, nil
}

// Space is made of the provider, the model, the dimensions and a fingerprint of the prefixes.
func (p *provider) Space() string {
	dims := "all"
	if p.dims > 0 {
		dims = fmt.Sprint(p.dims)
	}
	prefixes := "plain"
	if p.prefixes != (Prefixes{}) {
		h := fnv.New32a()
		fmt.Fprintf(h, "%q %q", p.prefixes.Query, p.prefixes.Document)
		prefixes = fmt.Sprintf("%08x", h.Sum32())
	}
	return fmt.Sprintf("%s:%s:%s:%s", p.kind, p.model, dims, prefixes)
}

func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
