package llm

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// Answer is what an agent wrote, and what that cost if the agent reports it.
type Answer struct {
	Text  string
	Usage Usage
}

// Usage counts the tokens of a question and its answer.
type Usage struct{ Input, Output int }

// Tokens are those of both.
func (u Usage) Tokens() int { return u.Input + u.Output }

// QuestionTokens is about what a question costs with an agent's own instructions.
func QuestionTokens(question string) int { return len(question)/prose.BytesPerToken + agentsOwn }

// Kind says why an agent gave no answer.
type Kind string

// The first three are found before the agent is asked; their errors are memory.ErrRefused.
const (
	NotInstalled Kind = "not installed"
	NotAllowed   Kind = "not allowed" // it cannot be started without tools
	OverBudget   Kind = "over budget" // of the day, or it rests after a failure
	TimedOut     Kind = "timed out"
	TooLong      Kind = "too long"
	NotTheForm   Kind = "not the form" // that was asked for
	Failed       Kind = "failed"       // a limit, a login, an error of its service
)

// Failure is the error of an agent that gave no answer.
type Failure struct {
	Kind Kind
	err  error
}

func fail(k Kind, format string, args ...any) error { return &Failure{k, fmt.Errorf(format, args...)} }

func (f *Failure) Error() string { return f.err.Error() }
func (f *Failure) Unwrap() error { return f.err }

// KindOf is the kind of a Failure within an error; empty if there is none.
func KindOf(err error) Kind {
	if f := (*Failure)(nil); errors.As(err, &f) {
		return f.Kind
	}
	return ""
}

const (
	agentsOwn = 15_000  // tokens that an agent adds to a question, about
	lastWords = 4 << 10 // bytes of what it writes to stderr
	holdsOpen = 2 * time.Second
)

// Agent is an installed coding agent that answers a question and can do nothing else.
type Agent struct {
	headless
	path  string // of the program
	named string // model; empty for the agent's own choice
	env   Env
	t     tuning.LLM
}

// Askable are the coding agents that can be asked, if they are installed.
func Askable() (names []memory.Agent) {
	for _, a := range agents {
		if a.unfit == "" {
			names = append(names, a.name)
		}
	}
	return names
}

// Installed is the coding agent of this machine that would be asked, or why there is none.
func Installed() (memory.Agent, error) {
	a, _, err := find("")
	return a.name, err
}

// OpenAgent finds the coding agent of that name, the first that can be asked for "". Another never takes its place. It asks nothing yet.
func OpenAgent(name memory.Agent, model string, env Env, t tuning.LLM) (*Agent, error) {
	a, path, err := find(name)
	return &Agent{headless: a, path: path, named: model, env: env, t: t}, err
}

// find is the agent of that name, or the first, that is on PATH and may be used.
func find(name memory.Agent) (found headless, path string, err error) {
	if name != "" && !slices.Contains(Askable(), name) {
		return headless{}, "", fail(NotAllowed, "%s cannot be asked without tools: %w", name, memory.ErrRefused)
	}
	var may, unfit []string
	for _, a := range agents {
		path, err := exec.LookPath(a.program)
		wanted := name == "" || name == a.name
		switch {
		case a.unfit == "" && wanted && err == nil:
			return a, path, nil
		case a.unfit == "" && wanted:
			may = append(may, a.program)
		case err == nil:
			unfit = append(unfit, fmt.Sprintf("%s is not used: %s", a.program, a.unfit))
		}
	}
	if len(unfit) > 0 {
		return headless{}, "", fail(NotAllowed, "want %s on PATH to read sessions (%s): %w", strings.Join(may, " or "), strings.Join(unfit, "; "), memory.ErrRefused)
	}
	return headless{}, "", fail(NotInstalled, "want %s on PATH to read sessions: %w", strings.Join(may, " or "), memory.ErrRefused)
}

// Name is the name of the agent.
func (p *Agent) Name() memory.Agent { return p.name }

// Complete is Ask without what the answer cost.
func (p *Agent) Complete(ctx context.Context, r Request) (string, error) {
	answer, err := p.Ask(ctx, r)
	return answer.Text, err
}

// Ask asks the agent in an empty folder, and once more if the answer is not in the form. After a failure, as a rule a limit, it is left
// alone for a while. An answer that failed has its Usage too: what was sent is sent.
func (p *Agent) Ask(ctx context.Context, r Request) (Answer, error) {
	if err := r.check(); err != nil {
		return Answer{}, fmt.Errorf("ask %s: %w", p.program, err)
	}
	answer, err := p.once(ctx, r)
	if err == nil && r.Form != nil {
		if wrong := r.Form(answer.Text); wrong != nil {
			answer, err = p.again(ctx, r, wrong, answer.Usage)
		}
	}
	switch {
	case err == nil:
		return answer, nil
	case KindOf(err) == OverBudget:
		return Answer{}, err
	case ctx.Err() != nil: // hebb itself ends
		return Answer{Usage: answer.Usage}, fmt.Errorf("ask %s: %w", p.program, ctx.Err())
	}
	return Answer{Usage: answer.Usage}, errors.Join(fmt.Errorf("ask %s: %w", p.program, err), p.env.Budget.Rest(ctx, p.env.Now().Add(agentRests)))
}

// once asks the agent within its budget. What it does not report is counted as about what it was asked with.
func (p *Agent) once(ctx context.Context, r Request) (Answer, error) {
	now, tokens := p.env.Now(), QuestionTokens(r.System+r.Prompt)
	free, err := p.env.Budget.Spend(ctx, now, tokens, p.t.DayTokens, p.t.MonthTokens)
	if err != nil {
		return Answer{}, fmt.Errorf("count the tokens: %w", err)
	}
	if free.After(now) {
		return Answer{}, fail(OverBudget, "%s is asked again from %s on (llm.day_tokens is %d, llm.month_tokens %d): %w",
			p.program, free.In(now.Location()).Format("2 Jan 15:04"), p.t.DayTokens, p.t.MonthTokens, memory.ErrRefused)
	}
	answer, err := p.run(ctx, strings.TrimSpace(r.System+"\n\n"+r.Prompt))
	if answer.Usage == (Usage{}) {
		answer.Usage.Input = tokens
		return answer, err
	}
	return answer, errors.Join(err, p.env.Budget.Correct(ctx, now, answer.Usage.Tokens()-tokens))
}

// again sends back what is wrong with the form of an answer.
func (p *Agent) again(ctx context.Context, r Request, wrong error, spent Usage) (Answer, error) {
	const shown = 300
	r.Prompt += "\n\nAn earlier answer was not in the form: " + prose.Shorten(prose.OneLine(wrong.Error()), shown) + ". Answer in that form alone.\n"
	answer, err := p.once(ctx, r)
	answer.Usage.Input, answer.Usage.Output = answer.Usage.Input+spent.Input, answer.Usage.Output+spent.Output
	switch {
	case KindOf(err) == OverBudget: // it was asked before
		err = &Failure{NotTheForm, wrong}
	case err == nil:
		if wrong := r.Form(answer.Text); wrong != nil {
			err = &Failure{NotTheForm, wrong}
		}
	}
	return answer, err
}

// run starts the agent, and ends it and what it started before it returns.
func (p *Agent) run(ctx context.Context, question string) (Answer, error) {
	folder, err := os.MkdirTemp("", memory.ScribeFolder)
	if err != nil {
		return Answer{}, err
	}
	defer func() { _ = os.RemoveAll(folder) }() // an agent that is still ending may write there
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	ctx, stop := context.WithTimeoutCause(ctx, p.t.Timeout, fail(TimedOut, "no answer within %v", p.t.Timeout))
	defer stop()

	args := slices.Clone(p.args)
	if p.named != "" {
		args = append(args, p.model, p.named)
	}
	cmd := exec.CommandContext(context.WithoutCancel(ctx), p.path, args...) // runGroup ends it with all that it started
	out := head{most: p.t.AnswerLimit, over: func() { cancel(fail(TooLong, "its answer is longer than %d bytes", p.t.AnswerLimit)) }}
	said := tail{most: lastWords}
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = folder, strings.NewReader(question), &out, &said, holdsOpen
	cmd.Env = p.environment(os.Environ())
	err = runGroup(ctx, cmd)
	if cause := context.Cause(ctx); cause != nil {
		return Answer{}, cause
	}
	answer, told := p.read(out.text)
	switch {
	case err != nil && strings.Contains(string(said.text), "unknown option"):
		return Answer{}, fail(NotAllowed, "this version cannot be run without tools, update it: %s: %w", prose.OneLine(string(said.text)), memory.ErrRefused)
	case err != nil && !errors.Is(err, exec.ErrWaitDelay): // something that it started held its output open
		if KindOf(told) != Failed { // it has not said why
			const shown = 200
			told = fail(Failed, "%s", prose.ShortenFront(prose.OneLine(string(said.text)+" "+string(out.text)), shown))
		}
		return Answer{}, &Failure{Failed, fmt.Errorf("%w: %w", err, told)}
	case told != nil:
		return Answer{}, told
	}
	return answer, nil
}

// runGroup runs a command as a group of processes, which ends as a whole when the command ends, when the context does, and as far as the
// system can, when hebb does.
func runGroup(ctx context.Context, cmd *exec.Cmd) error {
	runtime.LockOSThread() // Linux ends the command with the thread that started it
	defer runtime.UnlockOSThread()
	end, err := startGroup(cmd)
	if err != nil {
		return err
	}
	defer end()
	defer context.AfterFunc(ctx, end)()
	return cmd.Wait()
}

// head keeps what is written up to a size. What is longer is an error.
type head struct {
	text []byte
	most int64
	over func()
}

func (h *head) Write(p []byte) (int, error) {
	if int64(len(h.text)+len(p)) > h.most {
		h.over()
		return 0, errors.New("too long")
	}
	h.text = append(h.text, p...)
	return len(p), nil
}

// tail keeps the end of what is written.
type tail struct {
	text []byte
	most int
}

func (t *tail) Write(p []byte) (int, error) {
	last := p[max(0, len(p)-t.most):]
	kept := copy(t.text, t.text[max(0, len(t.text)+len(last)-t.most):])
	t.text = append(t.text[:kept], last...)
	return len(p), nil
}
