package llm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// headless is how a coding agent is asked once, without tools, hooks and servers where it can be told so. The question comes on stdin, the
// answer on stdout.
type headless struct {
	name    memory.Agent
	program string
	args    []string
	model   string // the flag that names a model
}

// asScribe takes the place of an agent's own instructions, which are longer than most sessions.
const asScribe = "You read what you are given and answer in the form that it asks for. You use no tools."

var agents = []headless{
	{"claude-code", "claude", []string{
		"-p", "--tools", "", "--strict-mcp-config", "--no-session-persistence", "--settings", `{"disableAllHooks":true}`, "--system-prompt", asScribe,
	}, "--model"},
	{"codex", "codex", []string{"exec", "--skip-git-repo-check", "--sandbox", "read-only", "--ephemeral", "--color", "never"}, "--model"},
	{"gemini", "gemini", []string{"-p", "Answer what is asked above.", "--skip-trust", "--approval-mode", "plan", "--extensions", "none", "--allowed-mcp-server-names", "none"}, "--model"},
	{"opencode", "opencode", []string{"run", "--pure", "--agent", "plan"}, "--model"},
}

// nested are variables with which an agent tells its children that they run inside of it. A child that is an agent itself would refuse to.
var nested = []string{"CLAUDECODE=", "CLAUDE_CODE_ENTRYPOINT=", "CLAUDE_CODE_SSE_PORT=", "CODEX_SANDBOX="}

const (
	agentsOwn  = 15_000        // tokens that an agent adds to a question, about
	agentRests = 6 * time.Hour // after it has failed, as a rule because a limit is reached
)

type agentProvider struct {
	headless
	path  string // of the program
	named string // model; empty for the agent's own choice
	env   Env
	t     tuning.LLM
}

// Installed is the coding agent of this machine that would be asked; empty if there is none.
func Installed() memory.Agent {
	for _, a := range agents {
		if _, err := exec.LookPath(a.program); err == nil {
			return a.name
		}
	}
	return ""
}

// OpenAgent makes a provider of an installed coding agent: the preferred one, else the first that is found. It asks nothing yet.
func OpenAgent(preferred memory.Agent, model string, env Env, t tuning.LLM) (Provider, error) {
	list := slices.Clone(agents)
	slices.SortStableFunc(list, func(a, b headless) int {
		switch preferred {
		case a.name:
			return -1
		case b.name:
			return 1
		}
		return 0
	})
	var programs []string
	for _, a := range list {
		if path, err := exec.LookPath(a.program); err == nil {
			return &agentProvider{headless: a, path: path, named: model, env: env, t: t}, nil
		}
		programs = append(programs, a.program)
	}
	return nil, fmt.Errorf("no coding agent that answers a question alone is on PATH: want one of %s: %w", strings.Join(programs, ", "), memory.ErrNotFound)
}

// Complete asks the agent in an empty folder. After a failure, as a rule a limit, it is left alone for a while.
func (p *agentProvider) Complete(ctx context.Context, r Request) (string, error) {
	if err := r.check(); err != nil {
		return "", fmt.Errorf("ask %s: %w", p.program, err)
	}
	now, tokens := p.env.Now(), (len(r.System)+len(r.Prompt))/prose.BytesPerToken+agentsOwn
	free, err := p.env.Budget.Spend(ctx, now, tokens, p.t.DayTokens)
	if err != nil {
		return "", fmt.Errorf("count the tokens: %w", err)
	}
	if free.After(now) {
		return "", fmt.Errorf("%s is asked again from %s on (llm.day_tokens is %d): %w", p.program, free.Format("2 Jan 15:04"), p.t.DayTokens, memory.ErrRefused)
	}
	answer, err := p.run(ctx, strings.TrimSpace(r.System+"\n\n"+r.Prompt))
	if err != nil {
		err = errors.Join(fmt.Errorf("ask %s: %w", p.program, err), p.env.Budget.Rest(ctx, now.Add(agentRests)))
	}
	return answer, err
}

func (p *agentProvider) run(ctx context.Context, question string) (_ string, err error) {
	folder, err := os.MkdirTemp("", memory.ScribeFolder)
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(folder) }() // an agent that is still ending may write there
	ctx, cancel := context.WithTimeout(ctx, p.t.Timeout)
	defer cancel()
	args := slices.Clone(p.args)
	if p.named != "" {
		args = append(args, p.model, p.named)
	}
	cmd := exec.CommandContext(ctx, p.path, args...)
	var out, said bytes.Buffer
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = folder, strings.NewReader(question), &out, &said, 5*time.Second
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool {
		return slices.ContainsFunc(nested, func(name string) bool { return strings.HasPrefix(v, name) })
	}), memory.ScribeEnv+"=1")
	err = cmd.Run()
	switch {
	case ctx.Err() != nil:
		return "", fmt.Errorf("no answer within %v: %w", p.t.Timeout, ctx.Err())
	case err != nil:
		const told = 200
		return "", fmt.Errorf("%w: %s", err, prose.ShortenFront(prose.OneLine(said.String()+" "+out.String()), told))
	case int64(out.Len()) > p.t.AnswerLimit:
		return "", fmt.Errorf("its answer of %d bytes is longer than %d: %w", out.Len(), p.t.AnswerLimit, memory.ErrDamaged)
	}
	return out.String(), nil
}
