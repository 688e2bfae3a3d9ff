package llm

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// row is a vector whose length encodes its text.
func row(text string) string { return fmt.Sprintf("[%d,-0.25,0.5,0.125]", len(text)) }

func ollama() answer {
	return answer{status: http.StatusOK, vectors: func(a asked) string {
		var rows []string
		for _, text := range a.Input {
			rows = append(rows, row(text))
		}
		return fmt.Sprintf(`{"model":%q,"embeddings":[%s],"total_duration":14143917,"load_duration":1019500,"prompt_eval_count":8}`,
			a.body["model"], strings.Join(rows, ","))
	}}
}

// openAI answers backwards, as the protocol allows.
func openAI() answer {
	return answer{status: http.StatusOK, vectors: func(a asked) string {
		var data []string
		for i, text := range slices.Backward(a.Input) {
			data = append(data, fmt.Sprintf(`{"object":"embedding","index":%d,"embedding":%s}`, i, row(text)))
		}
		return fmt.Sprintf(`{"object":"list","data":[%s],"model":%q,"usage":{"prompt_tokens":8,"total_tokens":8}}`, strings.Join(data, ","), a.body["model"])
	}}
}

func openEmbedder(t *testing.T, c EmbedderConfig) Embedder {
	t.Helper()
	return must.Get(OpenEmbedder(c, environment(new([]time.Duration)), tuning.Default().Embedding))(t)
}

func TestBothProtocolsGiveAVectorForEachText(t *testing.T) {
	for _, c := range []struct {
		kind, under, path string
		answer            answer
	}{
		{Ollama, "", "POST /api/embed", ollama()},
		{Ollama, "/api/embed", "POST /api/embed", ollama()},
		{OpenAI, "", "POST /v1/embeddings", openAI()},
		{OpenAI, "/v1/", "POST /v1/embeddings", openAI()},
		{OpenAI, "/proxy/v1/embeddings", "POST /proxy/v1/embeddings", openAI()},
	} {
		s := serve(t, c.answer)
		p := openEmbedder(t, EmbedderConfig{Kind: c.kind, URL: s.URL + c.under, Model: "m", KeyEnv: "MODEL_KEY"})
		got, err := p.Embed(t.Context(), []string{"a", "  \n", "abc"}, false)
		want := []memory.Vector{memory.NewVector([]float32{1, -0.25, 0.5, 0.125}), nil, memory.NewVector([]float32{3, -0.25, 0.5, 0.125})}
		if err != nil || !slices.EqualFunc(got, want, slices.Equal) {
			t.Errorf("%s%s: %v, %v, want %v", c.kind, c.under, got, err, want)
		}
		if a := s.asked[0]; a.path != c.path || a.header.Get("Authorization") != "Bearer "+key || a.body["model"] != "m" || !slices.Equal(a.Input, []string{"a", "abc"}) {
			t.Errorf("%s%s was asked %+v", c.kind, c.under, a)
		}
	}
}

func TestTextsGoInBatchesAndLongOnesAreCutBetweenCharacters(t *testing.T) {
	s := serve(t, ollama())
	p := openEmbedder(t, EmbedderConfig{Kind: Ollama, URL: s.URL, Model: "m"})
	texts := make([]string, 2*batchTexts+1)
	for i := range texts {
		texts[i] = "x"
	}
	texts[0] = "x" + strings.Repeat("é", textLimit)
	must.Get(p.Embed(t.Context(), texts, false))(t)
	if len(s.asked) != 3 || len(s.asked[2].Input) != 1 {
		t.Errorf("%d requests", len(s.asked))
	}
	if cut := s.asked[0].Input[0]; len(cut) != textLimit-1 || strings.ContainsRune(cut, '\uFFFD') {
		t.Errorf("a long text was cut to %d bytes", len(cut))
	}
	if none, err := p.Embed(t.Context(), nil, true); err != nil || len(none) != 0 || len(s.asked) != 3 {
		t.Errorf("no texts: %v, %v, %d requests", none, err, len(s.asked))
	}
}

func TestModelsAreToldWhatATextIs(t *testing.T) {
	for _, c := range []struct {
		model           string
		own             *Prefixes
		query, document string
	}{
		{"nomic-embed-text:v1.5", nil, "search_query: x", "search_document: x"},
		{"hf.co/intfloat/multilingual-e5-large", nil, "query: x", "passage: x"},
		{"intfloat/E5-small-v2", nil, "query: x", "passage: x"},
		{"qwen3-embedding:0.6b", nil, "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: x", "x"},
		{"embeddinggemma", nil, "task: search result | query: x", "title: none | text: x"},
		{"all-minilm", nil, "x", "x"},
		{"nomic-embed-text", &Prefixes{Query: "Q ", Document: "D "}, "Q x", "D x"},
		{"nomic-embed-text", &Prefixes{}, "x", "x"},
	} {
		s := serve(t, ollama())
		p := openEmbedder(t, EmbedderConfig{Kind: Ollama, URL: s.URL, Model: c.model, Dims: 4, Prefixes: c.own})
		for _, asQuery := range []bool{true, false} {
			must.Get(p.Embed(t.Context(), []string{"x"}, asQuery))(t)
		}
		if q, d := s.asked[0].Input[0], s.asked[1].Input[0]; q != c.query || d != c.document {
			t.Errorf("%s: query %q, document %q", c.model, q, d)
		}
	}
}

func TestVectorsAreCutToTheLeadingDimensions(t *testing.T) {
	s := serve(t, ollama())
	p := openEmbedder(t, EmbedderConfig{Kind: Ollama, URL: s.URL, Model: "m", Dims: 2})
	got, err := p.Embed(t.Context(), []string{"a", "ab"}, false)
	if err != nil || !slices.Equal(got[0], memory.NewVector([]float32{1, -0.25})) || len(got[1]) != 2 {
		t.Errorf("%v, %v", got, err)
	}
	p = openEmbedder(t, EmbedderConfig{Kind: Ollama, URL: s.URL, Model: "m", Dims: 5})
	_, err = p.Embed(t.Context(), []string{"a"}, false)
	if !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), "4 dimensions, 5 are configured") {
		t.Errorf("more dimensions than there are: %v", err)
	}
}

func TestSpacesDifferInWhateverChangesTheVectors(t *testing.T) {
	seen := map[string]EmbedderConfig{}
	for _, c := range []EmbedderConfig{
		{Kind: Ollama, Model: "nomic-embed-text"},
		{Kind: Ollama, Model: "nomic-embed-text", Dims: 128},
		{Kind: Ollama, Model: "nomic-embed-text", Prefixes: &Prefixes{}},
		{Kind: Ollama, Model: "nomic-embed-text", Prefixes: &Prefixes{Query: "q"}},
		{Kind: Ollama, Model: "nomic-embed-text", Prefixes: &Prefixes{Document: "q"}},
		{Kind: Ollama, Model: "all-minilm"},
		{Kind: OpenAI, Model: "all-minilm", URL: "https://models.test"},
	} {
		p := openEmbedder(t, c)
		if before, met := seen[p.Model()]; met {
			t.Errorf("%+v and %+v are both %s", before, c, p.Model())
		}
		seen[p.Model()] = c
	}
	for _, want := range []string{"ollama:nomic-embed-text:256:9a286b1c", "ollama:all-minilm:all:plain", "openai:all-minilm:all:plain"} {
		if _, met := seen[want]; !met {
			t.Errorf("no space %s: its vectors would all be made again; got %v", want, seen)
		}
	}
}

func TestABadConfigurationOfAnEmbedderIsRefused(t *testing.T) {
	for _, c := range []struct {
		config EmbedderConfig
		want   string
	}{
		{EmbedderConfig{Kind: "bert", Model: "m"}, "ollama or openai"},
		{EmbedderConfig{Kind: Ollama}, "nomic-embed-text"},
		{EmbedderConfig{Kind: Ollama, Model: "m", Dims: -1}, "-1 dimensions"},
		{EmbedderConfig{Kind: OpenAI, Model: "m"}, "https://"},
		{EmbedderConfig{Kind: OpenAI, Model: "m", URL: "localhost:8080"}, "https://"},
		{EmbedderConfig{Kind: OpenAI, Model: "m", URL: "http://me:" + key + "@%zz"}, "https://"},
		{EmbedderConfig{Kind: OpenAI, Model: "m", URL: "https://models.test", KeyEnv: "NO_KEY"}, "NO_KEY"},
	} {
		_, err := OpenEmbedder(c.config, Env{Getenv: func(string) string { return "" }}, tuning.Default().Embedding)
		if !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), key) {
			t.Errorf("%+v: %v, want %q", c.config, err, c.want)
		}
	}
}
