//go:build unix

package llm

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// program puts a shell script on PATH in the place of a coding agent.
func program(t *testing.T, name, script string) {
	t.Helper()
	dir := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script+"\n"), 0o700))
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
}

// answers is a script that prints a text as Claude Code prints an answer.
func answers(text string) string {
	return `cat >/dev/null; printf '{"type":"result","subtype":"success","is_error":false,"result":"%s","usage":{"input_tokens":3,"cache_read_input_tokens":4,"output_tokens":2}}' "` + text + `"`
}

// asker opens the agent on PATH with room for one question after another.
func asker(t *testing.T, change func(*tuning.LLM)) *Agent {
	t.Helper()
	numbers := tuning.Default().LLM
	if change != nil {
		change(&numbers)
	}
	return must.Get(OpenAgent("", "", Env{Now: noon, Budget: &countedBudget{}}, numbers))(t)
}

func TestAnAgentIsAskedAlone(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir()) // other tests leave theirs for a moment
	program(t, "claude", strings.Replace(answers(`$1 scribe=$HEBB_SCRIBE in=$(basename $PWD | cut -c1-12) files=$(ls | wc -l | tr -d ' ') asked=$asked`), "cat >/dev/null", "asked=$(cat)", 1))
	for _, name := range []memory.Agent{"codex", "cursor"} {
		if _, err := OpenAgent(name, "", Env{}, tuning.Default().LLM); KindOf(err) != NotAllowed {
			t.Errorf("another is asked in the place of %s: %v", name, err)
		}
	}
	for _, name := range []memory.Agent{"", "claude-code"} {
		p := must.Get(OpenAgent(name, "", Env{Now: noon, Budget: &countedBudget{}}, tuning.Default().LLM))(t)
		const want = "-p scribe=1 in=hebb-scribe- files=0 asked=what holds?"
		if got, err := p.Ask(t.Context(), Request{Prompt: "what holds?"}); got.Text != want || got.Usage != (Usage{7, 2}) || err != nil {
			t.Errorf("%q: %+v, %v; want %q", name, got, err, want)
		}
	}
	left, err := filepath.Glob(filepath.Join(os.TempDir(), memory.ScribeFolder+"*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestAnAgentThatHasToolsIsNotAsked(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for _, c := range []struct {
		installed string
		kind      Kind
		want      string
	}{
		{"", NotInstalled, "want claude on PATH"},
		{"codex", NotAllowed, "codex is not used: its read-only sandbox"},
		{"gemini", NotAllowed, "gemini is not used: its plan mode"},
		{"opencode", NotAllowed, "opencode is not used: its plan agent"},
	} {
		if c.installed != "" {
			program(t, c.installed, "exit 1")
		}
		_, err := OpenAgent("claude-code", "", Env{}, tuning.Default().LLM)
		if _, same := Installed(); KindOf(err) != c.kind || KindOf(same) != c.kind || !errors.Is(err, memory.ErrRefused) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v", c.installed, err)
		}
	}
}

func TestAnAgentSeesOnlyWhatIsListed(t *testing.T) {
	for name, value := range map[string]string{
		"AWS_SECRET_ACCESS_KEY": "leak", "DATABASE_URL": "leak", "GITHUB_TOKEN": "leak", "OPENAI_API_KEY": "leak", "CLAUDECODE": "leak", "LD_PRELOAD_": "leak", "HEBB_HOME": "leak",
		"NODE_OPTIONS": "leak", "ANTHROPIC_API_KEY": "mine", "https_proxy": "mine", "LC_ALL": "C",
	} {
		t.Setenv(name, value)
	}
	file := filepath.Join(t.TempDir(), "env")
	program(t, "claude", "env > "+file+"; "+answers("ok"))
	must.Get(asker(t, nil).Ask(t.Context(), Request{Prompt: "what holds?"}))(t)
	env := strings.Split(string(must.Get(os.ReadFile(file))(t)), "\n")
	for _, v := range env {
		if strings.Contains(v, "leak") {
			t.Errorf("it sees %s", v)
		}
	}
	for _, want := range []string{"ANTHROPIC_API_KEY=mine", "https_proxy=mine", "LC_ALL=C", "HEBB_SCRIBE=1", "CLAUDE_CODE_DISABLE_FILE_MENTIONS=1", "HOME=" + os.Getenv("HOME")} {
		if !slices.Contains(env, want) {
			t.Errorf("it does not see %s", want)
		}
	}
}

func TestWhatIsNoAnswerSaysItsKind(t *testing.T) {
	for _, c := range []struct {
		name, script string
		kind         Kind
		want         string
	}{
		{"a limit", `echo "usage limit reached, resets at 5pm" >&2; exit 1`, Failed, "usage limit reached"},
		{"a login", `echo '{"type":"result","subtype":"success","is_error":true,"result":"Invalid API key · Please run /login"}'; exit 1`, Failed, "Please run /login"},
		{"an error that ends well", `echo '{"type":"result","subtype":"success","is_error":true,"result":"API Error: 529 Overloaded"}'`, Failed, "529"},
		{"too many turns", `echo '{"type":"result","subtype":"error_max_turns","is_error":false}'`, Failed, "error_max_turns"},
		{"an error page", `echo '<html><body>502 Bad Gateway</body></html>'`, NotTheForm, "502"},
		{"an error in JSON", `echo '{"type":"error","error":{"type":"overloaded_error"}}'`, NotTheForm, "overloaded_error"},
		{"nothing", `exit 0`, NotTheForm, `""`},
		{"another answer", answers("good morning"), NotTheForm, "good morning is not what was asked for"},
		{"an old version", `echo "error: unknown option '--restricted'" >&2; exit 1`, NotAllowed, "update it"},
		{"an endless answer", `exec yes`, TooLong, "longer than 4194304 bytes"},
		{"silence", `exec sleep 1000`, TimedOut, "no answer within"},
		{"an endless complaint", `exec yes >&2`, TimedOut, "no answer within"},
	} {
		program(t, "claude", c.script)
		p := asker(t, func(n *tuning.LLM) {
			if c.kind == TimedOut {
				n.Timeout = 200 * time.Millisecond
			}
		})
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := p.Ask(t.Context(), Request{Prompt: "what holds?", Form: func(answer string) error {
			if answer != "" {
				return errors.New(answer + " is not what was asked for")
			}
			return nil
		}})
		runtime.ReadMemStats(&after)
		if KindOf(err) != c.kind || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %q %v", c.name, KindOf(err), err)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 50<<20 {
			t.Errorf("%s took %d MB of memory", c.name, took>>20)
		}
		// Whatever it was, the agent rests.
		if _, err := p.Ask(t.Context(), Request{Prompt: "what holds?"}); KindOf(err) != OverBudget || !errors.Is(err, memory.ErrRefused) {
			t.Errorf("%s: asked again: %v", c.name, err)
		}
	}
}

func TestTheEndOfAComplaintIsKept(t *testing.T) {
	said := tail{most: 5}
	for _, c := range []struct{ write, want string }{{"abc", "abc"}, {"def", "bcdef"}, {"", "bcdef"}, {"0123456789", "56789"}, {"z", "6789z"}} {
		if n, err := said.Write([]byte(c.write)); n != len(c.write) || err != nil || string(said.text) != c.want {
			t.Errorf("after %q: %q, %d, %v", c.write, said.text, n, err)
		}
	}
}

// What an agent has started ends with it: at a timeout, when hebb ends or is ended, and after an answer. A pipe tells: it is closed once nobody writes to it.
func TestWhatAnAgentStartedEndsWithIt(t *testing.T) {
	survives := make(chan os.Signal, 2) // this process
	signal.Notify(survives, syscall.SIGTERM)
	defer signal.Stop(survives)
	for _, how := range []string{"timeout", "cancel", "signal", "answer"} {
		dir := t.TempDir()
		alive := filepath.Join(dir, "alive")
		must.Do(t, syscall.Mkfifo(alive, 0o600))
		script := `(exec sleep 1000) >"` + alive + `" 2>&1 </dev/null & `
		if how == "answer" {
			script += answers("ok")
		} else {
			script += `echo started >"` + alive + `"; sleep 1000`
		}
		program(t, "claude", script)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() {
			f, err := os.Open(alive) // waits for a writer
			if err == nil {
				_, err = f.Read(make([]byte, 1))
				switch how {
				case "cancel":
					cancel()
				case "signal":
					err = errors.Join(err, syscall.Kill(os.Getpid(), syscall.SIGTERM))
				}
				for err == nil { // to the end: nobody is left who could write
					_, err = f.Read(make([]byte, 100))
				}
			}
			ended <- err
		}()
		_, err := asker(t, func(n *tuning.LLM) {
			if how == "timeout" {
				n.Timeout = 300 * time.Millisecond
			}
		}).Ask(ctx, Request{Prompt: "what holds?"})
		switch {
		case how == "signal" && KindOf(err) != Failed, how == "timeout" && KindOf(err) != TimedOut, how == "cancel" && !errors.Is(err, context.Canceled), how == "answer" && err != nil:
			t.Errorf("%s: %v", how, err)
		}
		<-ended // else the test hangs
		if how == "signal" {
			<-survives
			<-survives // passed on
		}
		cancel()
	}
}

func TestAnAgentThatHasFailedRests(t *testing.T) {
	program(t, "claude", `echo "usage limit reached, resets at 5pm" >&2; exit 1`)
	budget, now := &countedBudget{}, noon()
	p := must.Get(OpenAgent("", "", Env{Now: func() time.Time { return now }, Budget: budget}, tuning.Default().LLM))(t)
	ask := func() error { _, err := p.Complete(t.Context(), Request{Prompt: "what holds?"}); return err }
	if err := ask(); KindOf(err) != Failed {
		t.Errorf("first: %v", err)
	}
	if err := ask(); KindOf(err) != OverBudget || !strings.Contains(err.Error(), "from 12 Mar 18:00 on") {
		t.Errorf("while it rests: %v", err)
	}
	if now = now.Add(agentRests); KindOf(ask()) != Failed {
		t.Error("it rests for ever")
	}
}

// A clock that is set back and another time zone do not begin a new day.
func TestTheTokensOfADayAreBounded(t *testing.T) {
	samoa, line := time.FixedZone("", -11*3600), time.FixedZone("", 14*3600)
	var s Spent
	ask := func(at time.Time) (asked bool, free time.Time) {
		s, free = s.Spend(at, 60, 100, 1000)
		return free.Equal(at), free
	}
	for _, c := range []struct {
		at   time.Time
		want bool
	}{
		{noon(), true},
		{noon(), false},
		{noon().In(samoa), false},
		{noon().In(line), false},
		{noon().AddDate(0, 0, -1), false},
		{noon().AddDate(-1, 0, 0), false},
		{noon().Add(11 * time.Hour).In(line), false},
		{noon().Add(12 * time.Hour).In(samoa), true},
		{noon(), false},
		{noon().Add(12 * time.Hour), false},
	} {
		asked, free := ask(c.at)
		if asked != c.want || !asked && (free.Before(c.at) || free.UTC().Hour() != 0) {
			t.Errorf("at %v: %v, free at %v", c.at, asked, free)
		}
	}
}

func TestWhatAnAnswerCostIsCounted(t *testing.T) {
	for reply, want := range map[string]int{
		answers("ok"): 9,
		`cat >/dev/null; echo '{"type":"result","subtype":"success","is_error":false,"result":"ok"}'`: agentsOwn + 2,
		"exit 1": agentsOwn + 2,
	} {
		program(t, "claude", reply)
		budget := &countedBudget{}
		p := must.Get(OpenAgent("", "", Env{Now: noon, Budget: budget}, tuning.Default().LLM))(t)
		answer, _ := p.Ask(t.Context(), Request{Prompt: "what holds?"})
		if answer.Usage.Tokens() != want || budget.spent.Tokens != want || budget.spent.MonthTokens != want {
			t.Errorf("%s: %+v, counted %+v", reply, answer.Usage, budget.spent)
		}
	}
}

func TestTheTokensOfAMonthAreBounded(t *testing.T) {
	var s Spent
	for day := range 3 {
		s, _ = s.Spend(noon().AddDate(0, 0, day), 60, 100, 180)
	}
	s, free := s.Spend(noon().AddDate(0, 0, 3), 60, 100, 180)
	if want := time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC); !free.Equal(want) || s.MonthTokens != 180 {
		t.Errorf("free at %v, want %v; %+v", free, want, s)
	}
	if s = s.Correct(noon().AddDate(0, 0, 2), -1000); s.MonthTokens != 0 || s.Tokens != 0 {
		t.Errorf("corrected below nothing: %+v", s)
	}
	if s, free = s.Spend(free, 60, 100, 180); s.MonthTokens != 60 || s.Tokens != 60 {
		t.Errorf("the next month: %+v, free at %v", s, free)
	}
}

func TestAnAnswerInNoFormIsSentBackOnce(t *testing.T) {
	for second, want := range map[string]Kind{"right": "", "wrong": NotTheForm} {
		asked := filepath.Join(t.TempDir(), "asked")
		program(t, "claude", `cat >>"`+asked+`"; if grep -q "was not in the form: wrong is not what" "`+asked+`"; then say=`+second+`; else say=wrong; fi
printf '{"type":"result","subtype":"success","is_error":false,"result":"%s","usage":{"input_tokens":7,"output_tokens":2}}' $say`)
		answer, err := asker(t, nil).Ask(t.Context(), Request{Prompt: "what holds?", Form: func(answer string) error {
			if answer != "right" {
				return errors.New(answer + " is not what was asked for")
			}
			return nil
		}})
		text := string(must.Get(os.ReadFile(asked))(t))
		if KindOf(err) != want || answer.Usage != (Usage{14, 4}) || strings.Count(text, "what holds?") != 2 {
			t.Errorf("%s: %+v, %v, asked %q", second, answer, err, text)
		}
	}
}
