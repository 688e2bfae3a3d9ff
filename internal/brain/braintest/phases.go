package braintest

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"

	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/store"
)

func (l *Lab) Crystals() (all []memory.Crystal) {
	l.T.Helper()
	must.Do(l.T, l.Store.View(l.T.Context(), func(tx *store.Tx) error {
		kept, err := tx.Crystals(l.T.Context(), store.CrystalFilter{OldestFirst: true})
		for _, c := range kept {
			all = append(all, c.Crystal)
		}
		return err
	}))
	return all
}

// Model answers each request with what a function makes of its prompt.
func (l *Lab) Model(answer func(prompt string) string) (asked *atomic.Int64) {
	asked = &atomic.Int64{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		body, _ := io.ReadAll(r.Body)
		var in struct {
			Messages []struct{ Content string } `json:"messages"`
		}
		if err := json.Unmarshal(body, &in); err != nil || len(in.Messages) == 0 {
			l.T.Errorf("request %s: %v", body, err)
			return
		}
		reply := answer(in.Messages[len(in.Messages)-1].Content)
		_ = json.NewEncoder(w).Encode(map[string]any{
			"choices": []any{map[string]any{"message": map[string]any{"role": "assistant", "content": reply}, "finish_reason": "stop"}},
		})
	}))
	l.T.Cleanup(server.Close)
	l.Config.LLM = config.LLM{Provider: "openai", URL: server.URL, Model: "any"}
	return asked
}
