package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/llm"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
)

const askOn, askOff = "on", "off"

// askOffered says that the person was asked whether agents are to ask them.
var askOffered = store.NewFact[bool]("ask/offered")

// asks reports whether there is a person to ask.
func (a *app) asks() bool {
	caller, _ := agent.Caller(a.Getenv)
	return !a.json && caller == "" && isTerminal(a.Stdin) && isTerminal(a.Stdout)
}

// offer asks, once and in a terminal, for what hebb does only if it may.
func (a *app) offer(ctx context.Context, b *brain.Brain, found []memory.Agent) error {
	if !a.asks() {
		return nil
	}
	if err := a.offerScribe(ctx, b); err != nil {
		return err
	}
	i := slices.IndexFunc(found, agent.Asks)
	if i < 0 || b.Config.Ask {
		return nil
	}
	known, err := brain.View(ctx, b.Store, func(tx *store.Tx) (bool, error) { return askOffered.Get(ctx, tx) })
	if err != nil || known {
		return err
	}
	fmt.Fprintf(a.Stdout, "\nShall an agent that can (here %s) ask you before a call that breaks a rule you insisted on, such as \"never push to main\"?\n"+
		"Without this it is told the rule, and may read it after the call. [y/N] ", found[i])
	said, err := a.answer(ctx)
	if err != nil || said == "" {
		return err // asked again the next time
	}
	if said[0] == 'y' {
		if err := b.Config.SetAsk(true); err != nil {
			return err
		}
	}
	return b.Store.Update(ctx, func(tx *store.Tx) error { return askOffered.Set(ctx, tx, true) })
}

// answer reads what the person answers, in lower case: "n" for an empty line, nothing at the end of the input.
func (a *app) answer(ctx context.Context) (string, error) {
	typed := make(chan string, 1)
	go func() {
		var line []byte
		for one := make([]byte, 1); ; { // the next line belongs to the next question
			n, err := a.Stdin.Read(one)
			if line = append(line, one[:n]...); err != nil || n > 0 && one[0] == '\n' {
				typed <- string(line)
				return
			}
		}
	}()
	select {
	case <-ctx.Done():
		return "", ctx.Err()
	case line := <-typed:
		if line == "" {
			return "", nil
		}
		return cmp.Or(strings.ToLower(strings.TrimSpace(line)), "n"), nil
	}
}

// offerScribe asks once in which projects an agent may read sessions, lets it read one, shows what that cost, and asks whether to go on.
func (a *app) offerScribe(ctx context.Context, b *brain.Brain) error {
	reader, err := llm.Installed()
	if err != nil {
		return nil // nobody could read
	}
	var id memory.ProjectID
	var asked bool
	var consent statements.ScribeConsent
	err = b.Store.View(ctx, func(tx *store.Tx) (err error) {
		if id, err = brain.Resolve(ctx, tx, b.Config, brain.Scope{Dir: a.Dir}); err != nil {
			return err
		}
		everywhere, err1 := statements.ScribeOffered.Get(ctx, tx)
		here, err2 := statements.ScribeOffered.Of(id).Get(ctx, tx)
		asked = everywhere || here
		consent, err = statements.Consent(ctx, tx, b.Config, id)
		return errors.Join(err, err1, err2)
	})
	if err != nil || asked || consent.Given() || consent.Forbidden != "" {
		return err
	}
	in := steward.DrainInput{Sources: a.sources()}
	session, tokens, err := steward.ReadsNext(ctx, b, in, id, reader)
	if err != nil {
		return err
	}
	cost := fmt.Sprintf("about %s tokens a session and what it holds (there is none here yet to measure)", grouped(int64(llm.QuestionTokens(""))))
	if session.ID != 0 {
		cost = fmt.Sprintf("about %s tokens for the latest session, which is read now to measure", grouped(int64(tokens)))
	}
	limits, who := b.Config.Tuning.LLM, cmp.Or(consent.Who, config.ScribeAgent)
	fmt.Fprintf(a.Stdout, "\nProjects in which an agent may read each session once it is over: this one [y], all [a], none [N]\n"+
		"Agent: %s; it also writes MEMORY.md\n"+
		"Cost: %s; at most %s a day, %s a month [y/a/N] ", readerLine(who, b.Config.LLM, reader), cost, grouped(int64(limits.DayTokens)), grouped(int64(limits.MonthTokens)))
	said, err := a.answer(ctx)
	if err == nil && said != "" && !chooses(said) {
		fmt.Fprint(a.Stdout, "Please answer y, a or n [y/a/N] ")
		said, err = a.answer(ctx)
	}
	if err != nil || !chooses(said) {
		return err // asked again the next time
	}
	yes := said[0] == 'y' || said[0] == 'a'
	if yes && session.ID != 0 {
		fmt.Fprintln(a.Stdout, "Reading it now.")
		once := b.Config.LLM.Scribe
		b.Config.LLM.Scribe = who
		yes, err = a.measure(ctx, b, in, session)
		b.Config.LLM.Scribe = once
		if err != nil {
			return err
		}
	}
	if yes {
		if err := b.Config.SetScribe(who); err != nil {
			return err
		}
	} else {
		fmt.Fprintln(a.Stdout, "No agent reads the sessions of this project. To let it read those of all projects later: hebb init --scribe agent")
	}
	return b.Store.Update(ctx, func(tx *store.Tx) error {
		chosen, err := statements.ScribeProjects.Get(ctx, tx)
		switch {
		case err != nil:
			return err
		case yes && said[0] == 'y':
			if consent.Who == "" { // they were chosen for a scribe that is off since
				chosen = nil
			}
			return errors.Join(statements.ScribeProjects.Set(ctx, tx, append(chosen, id)), statements.ScribeOffered.Of(id).Set(ctx, tx, true))
		case yes:
			err = statements.ScribeProjects.Clear(ctx, tx)
		}
		return errors.Join(err, statements.ScribeOffered.Set(ctx, tx, true))
	})
}

// chooses reports whether the person answered with one of the choices.
func chooses(said string) bool {
	return slices.Contains([]string{"y", "yes", "a", "all", "n", "no", "none"}, said)
}

// readerLine names who reads sessions, as llm.scribe says.
func readerLine(who string, c config.LLM, installed memory.Agent) string {
	const alone = ", without tools, files and network of its own"
	switch who {
	case config.ScribeAgent:
		return fmt.Sprintf("the one that a session was held with (here %s)", installed) + alone
	case config.ScribeModel:
		return "none, but the model of " + scrub.Line(c.Provider) + ", which is sent sessions of all agents"
	}
	return scrub.Line(who) + ", also for sessions of other agents" + alone
}

// measure lets the agent read one session, shows what such sessions cost a day, and asks whether to go on.
func (a *app) measure(ctx context.Context, b *brain.Brain, in steward.DrainInput, s memory.Session) (on bool, err error) {
	tokens, err := steward.ReadNow(ctx, b, in, s)
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	perDay := 0.0
	unknown := b.Store.View(ctx, func(tx *store.Tx) error {
		const latest = 30
		days, err1 := tx.WorkDays(ctx, s.Project)
		days = days[max(0, len(days)-latest):]
		sessions, err2 := tx.Sessions(ctx, store.SessionFilter{ByAgents: true, Project: s.Project})
		for _, one := range sessions {
			if len(days) > 0 && memory.Day(one.OpenedAt) >= days[0] {
				perDay += 1 / float64(len(days))
			}
		}
		return errors.Join(err1, err2)
	})
	switch {
	case unknown != nil:
		return false, unknown
	case err != nil:
		fmt.Fprintf(a.Stdout, "It could not be read, so what it costs is not known: %s\n", scrub.Line(plain(err.Error())))
	default:
		fmt.Fprintf(a.Stdout, "It took %s tokens; with %.1f sessions on a day of work here, about %s tokens a day. hebb status shows it.\n",
			grouped(int64(tokens)), perDay, grouped(int64(float64(tokens)*perDay)))
	}
	fmt.Fprint(a.Stdout, "Go on? [y/N] ")
	said, err := a.answer(ctx)
	return strings.HasPrefix(said, "y"), err
}

// scribeLine says what of a project was sent, to whom, since when and what that cost; empty where nothing was and nothing will be.
func scribeLine(r statements.ScribeReport) string {
	var words []string
	switch {
	case r.Forbidden != "" && r.Unknown != "":
		words = append(words, fmt.Sprintf("off here, %s says scribe = %s, which hebb does not know and takes for off.", shownName(r.Forbidden), scrub.Line(strconv.Quote(r.Unknown))))
	case r.Forbidden != "":
		words = append(words, "off here, "+shownName(r.Forbidden)+" forbids it.")
	case r.Elsewhere:
		words = append(words, "off in this project.")
	case r.Who == "" && len(r.Sent) > 0:
		words = append(words, "off, nobody reads sessions now.")
	}
	sessions, tokens, unsent, forgotten := map[string]int{}, 0, map[string]int{}, 0
	var first time.Time
	for _, s := range r.Sent {
		if s.Project == 0 {
			forgotten++
			continue
		}
		if tokens += s.Input + s.Output; s.Unsent != "" {
			unsent[s.Unsent]++
			continue
		}
		if first.IsZero() || s.At.Before(first) {
			first = s.At
		}
		if sessions[s.To] += 0; s.Session != 0 {
			sessions[s.To]++
		}
	}
	for _, to := range slices.Sorted(maps.Keys(sessions)) {
		words = append(words, fmt.Sprintf("%s was sent %s of this project", scrub.Line(to), count(sessions[to], "session", "sessions")))
	}
	if !first.IsZero() {
		words = append(words, fmt.Sprintf("since %s (%s tokens; %s of %s this month, all projects).", day(first), grouped(int64(tokens)),
			grouped(int64(r.MonthTokens)), grouped(int64(r.MonthMost))), "What was sent cannot be called back by forgetting.")
	} else if r.Given() {
		words = append(words, "nothing of this project was sent yet.")
	}
	for _, why := range slices.Sorted(maps.Keys(unsent)) {
		words = append(words, fmt.Sprintf("%d not sent: %s.", unsent[why], scrub.Line(why)))
	}
	if forgotten > 0 {
		words = append(words, fmt.Sprintf("%d of any project were sent and forgotten since.", forgotten))
	}
	return either(len(words) == 0, "", "scribe: "+strings.Join(words, " "))
}

func isTerminal(stream any) bool {
	f, isFile := stream.(*os.File)
	return isFile && terminalWidth(f) > 0
}
