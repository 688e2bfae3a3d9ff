package texts_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/texts"
)

// A model elsewhere knows what the table that comes with hebb cannot: that two made-up words mean the same.
func modelServer(t *testing.T) (url string, asked *atomic.Int64) {
	t.Helper()
	asked = &atomic.Int64{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		var in struct {
			Input []string `json:"input"`
		}
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		type row struct {
			Index     int       `json:"index"`
			Embedding []float32 `json:"embedding"`
		}
		var out struct {
			Data []row `json:"data"`
		}
		for i, text := range in.Input {
			v := []float32{0.01, 0.01, 0.01, 0.01}
			for j, words := range [][]string{{"zorbling", "quuxify"}, {"frumious"}, {"bandersnatch"}} {
				for _, word := range words {
					if strings.Contains(text, word) {
						v[j] = 1
					}
				}
			}
			out.Data = append(out.Data, row{i, v})
		}
		_ = json.NewEncoder(w).Encode(out)
	}))
	t.Cleanup(server.Close)
	return server.URL, asked
}

func TestAConfiguredModelIsAskedOnceItKnowsAllTexts(t *testing.T) {
	t.Parallel()
	l := braintest.NewLibrary(t)
	url, asked := modelServer(t)
	l.Config.Embedding = config.Embedding{Provider: "openai", URL: url, Model: "made-up"}
	for _, text := range []string{"zorbling is done at night", "the frumious part is old", "a bandersnatch guards it"} {
		l.Remember(text)
	}
	if found := l.Find("how do we quuxify"); len(found) > 0 {
		t.Errorf("before the model has seen the texts: %v", found)
	}
	if n := asked.Load(); n > 0 {
		t.Errorf("the model was asked %d times before it had seen the texts", n)
	}
	done, err := texts.Backfill(t.Context(), l.Store, l.Config, 100)
	if err != nil || done != 3 {
		t.Fatalf("backfill: %d, %v", done, err)
	}
	if found := l.Find("how do we quuxify"); len(found) != 1 || !strings.HasPrefix(found[0].Text, "zorbling") {
		t.Errorf("found %v", found)
	}
	l.Remember("quuxify needs a permit") // not backfilled yet, found by its words
	if found := l.Find("permit"); len(found) != 1 {
		t.Errorf("found %v", found)
	}
}

func TestAModelThatDoesNotAnswerIsNotNeeded(t *testing.T) {
	t.Parallel()
	l := braintest.NewLibrary(t)
	url, _ := modelServer(t)
	l.Config.Embedding = config.Embedding{Provider: "openai", URL: url, Model: "made-up"}
	l.Remember("the frumious part is old")
	must.Get(texts.Backfill(t.Context(), l.Store, l.Config, 100))(t)
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	l.Config.Embedding.URL = gone.URL
	if found := l.Find("frumious"); len(found) != 1 {
		t.Errorf("found %v", found)
	}
	l.Config.Embedding.Model = ""
	if _, err := texts.Backfill(t.Context(), l.Store, l.Config, 100); err == nil || !strings.Contains(err.Error(), "config.toml") {
		t.Errorf("a model without a name: %v", err)
	}
}

func TestAnotherModelTakesThePlaceOfTheFirst(t *testing.T) {
	t.Parallel()
	l := braintest.NewLibrary(t)
	url, _ := modelServer(t)
	l.Config.Embedding = config.Embedding{Provider: "openai", URL: url, Model: "first"}
	l.Remember("the frumious part is old")
	for _, model := range []string{"first", "second"} {
		l.Config.Embedding.Model = model
		must.Get(texts.Backfill(t.Context(), l.Store, l.Config, 100))(t)
		p := must.Get(texts.Provider(l.Config))(t)
		spaces := map[string]int64{texts.GeneralModel: 1, p.Model(): 1}
		must.Do(t, l.Store.View(t.Context(), func(tx *store.Tx) error {
			for space, want := range spaces {
				if n, err := tx.CountVectors(t.Context(), space); err != nil || n != want {
					t.Errorf("%s has %d directions (%v), want %d", space, n, err, want)
				}
			}
			return nil
		}))
		if found := l.Find("frumious"); len(found) != 1 || found[0].Origin != memory.OriginUser {
			t.Errorf("with %s: found %v", model, found)
		}
	}
}
