package llm

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/tuning"
)

const cutDims = 256 // leading dimensions kept of a model whose vectors may be cut, unless the configuration says how many (little is lost, and rows are a third as long)

// Provider turns texts into vectors of one model.
type Embedder interface {
	// Model changes with everything that changes the vectors.
	Model() string
	// Embed returns a vector for each text, nil for one without content. Many models want to know whether a text is a
	// question or what may answer one.
	Embed(ctx context.Context, texts []string, asQuery bool) ([]memory.Vector, error)
}

// Config is what the configuration says about a model.
type EmbedderConfig struct {
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

// Prefixes stand before a text to say what it is.
type Prefixes struct{ Query, Document string }

// Open makes a provider. It asks nothing yet.
func OpenEmbedder(c EmbedderConfig, env Env, t tuning.Embedding) (Embedder, error) {
	if c.Model == "" {
		return nil, fmt.Errorf("embedding model of %s: name one, such as nomic-embed-text: %w", c.Kind, memory.ErrInvalid)
	}
	if c.Dims < 0 {
		return nil, fmt.Errorf("embedding model %s: %d dimensions: %w", c.Model, c.Dims, memory.ErrInvalid)
	}
	path := "v1/embeddings"
	switch c.Kind {
	case Ollama:
		c.URL, path = cmp.Or(c.URL, "http://127.0.0.1:11434"), "api/embed"
	case OpenAI:
	default:
		return nil, fmt.Errorf("embedding provider %q: want %s or %s: %w", c.Kind, Ollama, OpenAI, memory.ErrInvalid)
	}
	server, err := Connect(ServerConfig{
		Role: "embedding provider", Kind: c.Kind, URL: c.URL, Model: c.Model, Path: path, AllowPlain: true, KeyEnv: c.KeyEnv, Getenv: env.Getenv,
		Header: Bearer, Wait: env.Wait, Area: "embedding", Asking: t.Asking,
	})
	if err != nil {
		return nil, err
	}
	p := &embedder{server: server, dims: c.Dims}
	known := knownModel(c.Model)
	p.prefixes = known.prefixes
	if c.Prefixes != nil {
		p.prefixes = *c.Prefixes
	}
	if p.dims == 0 && known.nested {
		p.dims = cutDims
	}
	return p, nil
}

// Model is made of the provider, the model, the dimensions and a fingerprint of the prefixes.
func (p *embedder) Model() string {
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
	return fmt.Sprintf("%s:%s:%s:%s", p.server.Kind, p.server.Model, dims, prefixes)
}
