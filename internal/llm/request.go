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
func (p *provider) Complete(ctx context.Context, r Request) (string, error) {
	r.MaxTokens = cmp.Or(r.MaxTokens, p.t.MaxTokens)
	if err := r.check(); err != nil {
		return "", fmt.Errorf("ask %s (%s): %w", p.Model, p.Kind, err)
	}
	text, err := p.ask(ctx, r)
	if err == nil && r.Form != nil {
		err = r.Form(text)
	}
	if err != nil {
		return "", fmt.Errorf("ask %s (%s): %w", p.Model, p.Name(), err)
	}
	return text, nil
}

func (p *provider) ask(ctx context.Context, r Request) (string, error) {
	for {
		omit := p.habits()
		answer, err := p.Ask(ctx, p.protocol.body(p.Model, r, omit))
		var refusal *Refusal
		switch {
		case err == nil:
			return p.read(answer, r.MaxTokens)
		case !errors.As(err, &refusal) || !p.learn(omit, refusal.Said): // at most once for each habit
			return "", err
		}
	}
}

func (p *provider) habits() habits {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.omit
}

// learn takes from a refusal what the model does without, and reports whether that is worth another try.
func (p *provider) learn(omitted habits, said string) bool {
	next := omitted
	if strings.Contains(said, "temperature") {
		next.noTemperature = true
	}
	if p.Kind == OpenAI && strings.Contains(said, "max_completion_tokens") {
		next.completionTokens = true
	}
	if next == omitted {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.omit.noTemperature = p.omit.noTemperature || next.noTemperature
	p.omit.completionTokens = p.omit.completionTokens || next.completionTokens
	return true
}

// spend counts a request, or says when the next one is free.
func (p *provider) spend(ctx context.Context) error {
	ok, free, err := p.env.Budget.Take(ctx, p.env.Now(), p.t.Calls)
	switch {
	case err != nil:
		return fmt.Errorf("count the request: %w", err)
	case ok:
		return nil
	case free.IsZero():
		return fmt.Errorf("llm.calls is %d, so it is never asked (raise it): %w", p.t.Calls, memory.ErrRefused)
	}
	return fmt.Errorf("the %d requests of this hour are used up (the next is free at %s, or raise llm.calls): %w",
		p.t.Calls, free.Format("15:04"), memory.ErrRefused)
}

func (p *provider) read(answer []byte, tokens int) (string, error) {
	text, ended, err := p.protocol.read(answer)
	if err != nil {
		// The error of the decoder may quote the answer, so it is not passed on.
		return "", fmt.Errorf("its answer is not understood (does it speak the protocol of %s?): %w", p.Kind, memory.ErrDamaged)
	}
	return whole(text, ended, tokens)
}
