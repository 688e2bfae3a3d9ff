package llm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/tuning"
)

type provider struct {
	Config
	protocol protocol
	env      Env
	t        tuning.LLM
	address  *url.URL
	key      string
	client   *http.Client

	mu   sync.Mutex
	omit habits
}

// Complete asks, again if the server is busy.
func (s *provider) Complete(ctx context.Context, r Request) (string, error) {
	r.MaxTokens = cmp.Or(r.MaxTokens, s.t.MaxTokens)
	if err := r.check(); err != nil {
		return "", fmt.Errorf("ask %s (%s): %w", s.Model, s.Kind, err)
	}
	text, err := s.ask(ctx, r)
	if err == nil && r.Form != nil {
		err = r.Form(text)
	}
	if err != nil {
		return "", fmt.Errorf("ask %s (%s): %w", s.Model, s.Name(), err)
	}
	return text, nil
}

func (s *provider) ask(ctx context.Context, r Request) (string, error) {
	for {
		omit := s.habits()
		answer, err := s.Ask(ctx, s.protocol.body(s.Model, r, omit))
		var refusal *Refusal
		switch {
		case err == nil:
			return s.read(answer, r.MaxTokens)
		case !errors.As(err, &refusal) || !s.learn(omit, refusal.Said): // at most once for each habit
			return "", err
		}
	}
}

func (s *provider) habits() habits {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.omit
}

// learn takes from a refusal what the model does without, and reports whether that is worth another try.
func (s *provider) learn(omitted habits, said string) bool {
	next := omitted
	if strings.Contains(said, "temperature") {
		next.noTemperature = true
	}
	if s.Kind == OpenAI && strings.Contains(said, "max_completion_tokens") {
		next.completionTokens = true
	}
	if next == omitted {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.omit.noTemperature = s.omit.noTemperature || next.noTemperature
	s.omit.completionTokens = s.omit.completionTokens || next.completionTokens
	return true
}

// spend counts a request, or says when the next one is free.
func (s *provider) spend(ctx context.Context) error {
	ok, free, err := s.env.Budget.Take(ctx, s.env.Now(), s.t.Calls)
	switch {
	case err != nil:
		return fmt.Errorf("count the request: %w", err)
	case ok:
		return nil
	case free.IsZero():
		return fmt.Errorf("llm.calls is %d, so it is never asked (raise it): %w", s.t.Calls, memory.ErrRefused)
	}
	return fmt.Errorf("the %d requests of this hour are used up (the next is free at %s, or raise llm.calls): %w",
		s.t.Calls, free.Format("15:04"), memory.ErrRefused)
}

func (s *provider) read(answer []byte, tokens int) (string, error) {
	text, ended, err := s.protocol.read(answer)
	if err != nil {
		// The error of the decoder may quote the answer, so it is not passed on.
		return "", fmt.Errorf("its answer is not understood (does it speak the protocol of %s?): %w", s.Kind, memory.ErrDamaged)
	}
	return whole(text, ended, tokens)
}
