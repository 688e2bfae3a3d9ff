package transfer

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/dreams"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/knowledge"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/workmem"
)

// check refuses a line that no export of hebb holds, before anything of the file is taken in, and remembers what the file says of
// projects, sessions and files.
func (t *taker) check(ctx context.Context, l line) error {
	switch {
	case l.Type == projectLine && l.Project != nil:
		return t.checkProject(*l.Project)
	case l.Type == sessionLine && l.Session != nil:
		return t.checkSession(*l.Session)
	case l.Type == eventLine && l.Event != nil:
		return t.checkEvent(ctx, *l.Event)
	case l.Type == forgotLine && l.Forgot != "":
		_, err := memory.ParseEventID(string(l.Forgot))
		return err
	case l.Type == crystalLine && l.Crystal != nil:
		return t.checkCrystalLine(ctx, *l.Crystal)
	case l.Type == entityLine && l.Entity != nil:
		return t.checkEntity(ctx, *l.Entity)
	case l.Type == relationLine && l.Relation != nil:
		return t.checkRelation(ctx, *l.Relation)
	case l.Type == waitingLine && l.Waiting != nil:
		return nil
	case l.Type == noteLine && l.Note != nil:
		t.notes = append(t.notes, *l.Note)
		return nil
	}
	return t.checkMind(ctx, l)
}

// checkMind is check for what people and agents keep in mind.
func (t *taker) checkMind(ctx context.Context, l line) error {
	switch {
	case l.Type == pinLine && l.Pin != nil:
		if t.mine && workmem.NormalTitle(scrub.Line(scrub.Clean(l.Pin.Title))) == "" {
			return fmt.Errorf("pin of %s: no title: %w", l.Pin.Crystal, memory.ErrInvalid)
		}
		return nil
	case l.Type == pageLine && l.Page != nil:
		return t.checkPage(*l.Page)
	case l.Type == goalLine && l.Goal != nil:
		return t.checkGoal(ctx, *l.Goal)
	case l.Type == stateLine && l.State != nil:
		return t.checkState(ctx, *l.State)
	case l.Type == paymentLine && l.Payment != nil:
		return t.checkPayment(*l.Payment)
	case l.Type == moodLine && l.Mood != nil:
		return t.checkMood(*l.Mood)
	case l.Type == thoughtLine && l.Thought != nil:
		return t.checkThought(ctx, *l.Thought)
	case l.Type == gapLine && l.Gap != nil:
		return t.checkGap(ctx, *l.Gap)
	}
	return fmt.Errorf("unknown line type %q: %w", l.Type, memory.ErrInvalid)
}

func (t *taker) checkProject(p memory.Project) error {
	if memory.NewProjectID(p.Identity) != p.ID {
		return fmt.Errorf("project %s: identity does not match its ID: %w", p.ID, memory.ErrInvalid)
	}
	if utf8.RuneCountInString(scrub.Line(scrub.Clean(p.Name))) > brain.LongestProjectName {
		return fmt.Errorf("project %s: a name of more than %d characters: %w", p.ID, brain.LongestProjectName, memory.ErrInvalid)
	}
	t.projects[p.ID] = true
	return nil
}

func (t *taker) checkSession(s memory.Session) error {
	if memory.NewSessionID(s.Agent, s.AgentSession, s.Project) != s.ID {
		return fmt.Errorf("session %s: agent, run and project do not match its ID: %w", s.ID, memory.ErrInvalid)
	}
	if len(s.Agent)+len(s.AgentSession) > brain.LongestRun {
		return fmt.Errorf("session %s: names of agent and run of more than %d bytes: %w", s.ID, brain.LongestRun, memory.ErrInvalid)
	}
	s.Intent = scrub.Line(scrub.Clean(s.Intent))
	s.CloseReason = memory.CloseReason(scrub.Line(scrub.Clean(string(s.CloseReason))))
	s.ClosedAt = notAfter(s.ClosedAt, t.tx.Now)
	t.sessions[s.ID] = s
	return nil
}

func (t *taker) checkEvent(ctx context.Context, e memory.StoredEvent) error {
	if e.At.IsZero() || e.Kind == "" || e.Agent == "" {
		return fmt.Errorf("event %q: time, kind and agent are needed: %w", e.ID, memory.ErrInvalid)
	}
	if t.mine && !slices.Contains(memory.Origins, e.Origin) {
		return fmt.Errorf("event %q: origin %q: want one of %v: %w", e.ID, e.Origin, memory.Origins, memory.ErrInvalid)
	}
	if _, err := memory.ParseEventID(string(e.ID)); err != nil {
		return err
	}
	if err := record.CheckSize(e.Event); err != nil {
		return err
	}
	if err := t.knows(ctx, e.Project); err != nil {
		return fmt.Errorf("event %q: %w", e.ID, err)
	}
	if _, told := t.sessions[e.Session]; e.Session == 0 || told {
		return nil
	}
	if _, err := t.tx.Session(ctx, e.Session); err != nil {
		return fmt.Errorf("event %q: %w", e.ID, err)
	}
	return nil
}

func (t *taker) checkCrystalLine(ctx context.Context, text writtenCrystal) error {
	c := text.Crystal
	if _, err := memory.ParseEventID(string(c.ID)); err != nil {
		return fmt.Errorf("crystal: %w", err)
	}
	if !t.mine {
		c.Origin = memory.OriginImport
	}
	if err := checkCrystal(cleanCrystal(c, t.tx.Now)); err != nil {
		return err
	}
	if err := t.knows(ctx, c.Project); err != nil {
		return fmt.Errorf("crystal %s: %w", c.ID, err)
	}
	for _, trace := range text.Traces {
		if scrub.Line(scrub.Clean(trace.What)) == "" || momentOf(trace.At, t.tx.Now).IsZero() {
			return fmt.Errorf("crystal %s: a trace needs what happened and when: %w", c.ID, memory.ErrInvalid)
		}
	}
	return nil
}

func (t *taker) checkEntity(ctx context.Context, text writtenEntity) error {
	name := knowledge.CleanEntity(knowledge.Entity{Name: text.Name, Type: text.Type}).Name
	if name == "" {
		return fmt.Errorf("an entity needs a name: %w", memory.ErrInvalid)
	}
	if err := store.CheckNames(name); err != nil {
		return fmt.Errorf("entity %w", err)
	}
	if err := t.knows(ctx, text.Project); err != nil {
		return fmt.Errorf("entity %q: %w", name, err)
	}
	t.entities[fileEntity{text.Project, name}] = true
	for _, o := range text.Observations {
		if strings.TrimSpace(scrub.Clean(o.Text)) == "" || t.mine && !slices.Contains(memory.Origins, o.Origin) || o.Confidence < 0 || o.Confidence > 1 {
			return fmt.Errorf("entity %q: an observation without text, known origin or confidence between 0 and 1: %w", name, memory.ErrInvalid)
		}
	}
	return nil
}

func (t *taker) checkRelation(ctx context.Context, text writtenRelation) error {
	if err := store.CheckNames(text.Type); err != nil {
		return fmt.Errorf("relation: %w", err)
	}
	for _, end := range []string{knowledge.EntityName(text.From), knowledge.EntityName(text.To)} {
		known, err := t.tx.HasEntity(ctx, text.Project, end)
		if err != nil {
			return err
		}
		if !known && !t.entities[fileEntity{text.Project, end}] {
			return fmt.Errorf("relation: entity %q: %w", end, memory.ErrNotFound)
		}
	}
	return nil
}

func (t *taker) checkPage(p writtenPage) error {
	name, err := workmem.ParsePage(p.Name)
	if err != nil || !t.mine {
		return err
	}
	if !slices.Contains(memory.Origins, p.By) || momentOf(p.At, t.tx.Now).IsZero() {
		return fmt.Errorf("page %s: who wrote it and when: %w", name, memory.ErrInvalid)
	}
	return nil
}

func (t *taker) checkGoal(ctx context.Context, g memory.Goal) error {
	if _, err := memory.ParseEventID(string(g.ID)); err != nil {
		return fmt.Errorf("goal: %w", err)
	}
	if err := t.knows(ctx, g.Project); err != nil {
		return fmt.Errorf("goal %s: %w", g.ID, err)
	}
	if !slices.Contains(memory.GoalKinds, g.Kind) || !slices.Contains(memory.GoalStatuses, g.Status) || !slices.Contains(memory.Origins, g.Origin) {
		return fmt.Errorf("goal %s: kind %q, status %q, origin %q: %w", g.ID, g.Kind, g.Status, g.Origin, memory.ErrInvalid)
	}
	if scrub.Line(scrub.Clean(g.Title)) == "" {
		return fmt.Errorf("goal %s: no title: %w", g.ID, memory.ErrInvalid)
	}
	return nil
}

func (t *taker) checkState(ctx context.Context, s store.StateText) error {
	if !t.mine {
		return nil
	}
	if err := t.knows(ctx, s.Project); err != nil {
		return fmt.Errorf("state: %w", err)
	}
	if _, err := workmem.ParseState(s.Text); err != nil && s.Refused == "" { // a state may have been refused because nobody can read it
		return fmt.Errorf("state of %s: %w", s.Project, err)
	}
	return nil
}

func (t *taker) checkPayment(p store.Payment) error {
	if !t.mine {
		return nil
	}
	if _, err := memory.ParseEventID(p.ID); err != nil {
		return fmt.Errorf("payment: %w", err)
	}
	if p.Amount == 0 || math.Abs(float64(p.Amount)) > dreams.MostUSDC*dreams.Usdc || momentOf(p.At, t.tx.Now).IsZero() {
		return fmt.Errorf("payment %s: amount %d at %s: %w", p.ID, p.Amount, p.At.Format(time.RFC3339), memory.ErrInvalid)
	}
	return nil
}

func (t *taker) checkMood(m desk.MoodMoment) error {
	for _, level := range []float64{m.Reward, m.Stress, m.Bond} {
		if t.mine && (momentOf(m.At, t.tx.Now).IsZero() || math.IsNaN(level) || level < 0 || level > 1) {
			return fmt.Errorf("mood at %s: want a time and levels of 0 to 1: %w", m.At.Format(time.RFC3339), memory.ErrInvalid)
		}
	}
	return nil
}

func (t *taker) checkThought(ctx context.Context, one store.Thought) error {
	if !t.mine {
		return nil
	}
	if err := t.knows(ctx, one.Project); err != nil {
		return fmt.Errorf("connection: %w", err)
	}
	if momentOf(one.At, t.tx.Now).IsZero() || math.IsNaN(one.Strength) || one.Strength < 0 || one.Strength > 1 ||
		!slices.Contains([]string{"", goals.ThoughtUsed, goals.ThoughtWrong}, one.Outcome) {
		return fmt.Errorf("connection to %s: strength %g, outcome %q: %w", one.Goal, one.Strength, one.Outcome, memory.ErrInvalid)
	}
	return nil
}

func (t *taker) checkGap(ctx context.Context, g writtenGap) error {
	if !t.mine {
		return nil
	}
	if err := t.knows(ctx, g.Project); err != nil {
		return fmt.Errorf("gap: %w", err)
	}
	text := scrub.Line(scrub.Clean(g.Text))
	if text == "" || momentOf(g.At, t.tx.Now).IsZero() || g.Times < 1 || g.Origin != "" && !slices.Contains(memory.Origins, g.Origin) {
		return fmt.Errorf("gap %q: want its words, a time, and how often: %w", text, memory.ErrInvalid)
	}
	return nil
}
