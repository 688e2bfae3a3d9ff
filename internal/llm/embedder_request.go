package llm

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/memory"
)

const (
	batchTexts = 32      // texts sent to a model in one request (habits of model servers)
	textLimit  = 6 << 10 // of a longer text only the beginning is sent to a model (2048 tokens, a common context)
)

type embedder struct {
	server   *Server
	dims     int // 0: all
	prefixes Prefixes
}

// Embed asks for a batch at a time. Blank texts are not sent: some servers refuse the whole batch for one.
func (p *embedder) Embed(ctx context.Context, texts []string, asQuery bool) ([]memory.Vector, error) {
	prefix := p.prefixes.Document
	if asQuery {
		prefix = p.prefixes.Query
	}
	vectors := make([]memory.Vector, len(texts))
	var places []int
	var batch []string
	flush := func() error {
		if len(batch) == 0 {
			return nil
		}
		rows, err := p.ask(ctx, batch)
		if err != nil {
			return fmt.Errorf("embed %d texts with %s (%s): %w", len(batch), p.server.Model, p.server.Name(), err)
		}
		for i, row := range rows {
			vectors[places[i]] = memory.NewVector(row)
		}
		places, batch = places[:0], batch[:0]
		return nil
	}
	for i, text := range texts {
		if strings.TrimSpace(text) == "" {
			continue
		}
		places, batch = append(places, i), append(batch, prefix+p.shorten(text))
		if len(batch) == batchTexts {
			if err := flush(); err != nil {
				return nil, err
			}
		}
	}
	if err := flush(); err != nil {
		return nil, err
	}
	return vectors, nil
}

func (p *embedder) shorten(text string) string {
	if len(text) <= textLimit {
		return text
	}
	end := textLimit
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}

// ask sends one batch and returns a row of the wanted dimensions for each text.
func (p *embedder) ask(ctx context.Context, batch []string) ([][]float32, error) {
	// Both protocols have these two fields. Rows are cut here: not every server that has "dimensions" heeds it.
	answer, err := p.server.Ask(ctx, struct {
		Model string   `json:"model"`
		Input []string `json:"input"`
	}{p.server.Model, batch})
	if err != nil {
		return nil, err
	}
	return p.read(answer, len(batch))
}

// read takes the rows out of an answer of either protocol, in the order of the texts.
func (p *embedder) read(answer []byte, count int) ([][]float32, error) {
	var reply struct {
		Embeddings [][]float32 // Ollama
		Data       []struct {  // OpenAI
			Index     int
			Embedding []float32
		}
	}
	if err := json.Unmarshal(answer, &reply); err != nil {
		return nil, fmt.Errorf("its answer is not understood (does it speak the protocol of %s?): %w: %w", p.server.Kind, err, memory.ErrDamaged)
	}
	rows := reply.Embeddings
	if p.server.Kind == OpenAI {
		rows = make([][]float32, count)
		for _, d := range reply.Data {
			if d.Index < 0 || d.Index >= count || rows[d.Index] != nil {
				return nil, fmt.Errorf("its answer numbers a vector %d of %d: %w", d.Index, count, memory.ErrDamaged)
			}
			rows[d.Index] = d.Embedding
		}
	}
	if len(rows) != count {
		return nil, fmt.Errorf("it answered with %d vectors for %d texts: %w", len(rows), count, memory.ErrDamaged)
	}
	width := len(rows[0])
	for i, row := range rows {
		switch {
		case len(row) == 0 || len(row) != width:
			return nil, fmt.Errorf("it answered with vectors of %d and %d dimensions: %w", width, len(row), memory.ErrDamaged)
		case len(row) < p.dims:
			return nil, fmt.Errorf("its vectors have %d dimensions, %d are configured: %w", len(row), p.dims, memory.ErrInvalid)
		case p.dims > 0:
			rows[i] = row[:p.dims]
		}
	}
	return rows, nil
}
