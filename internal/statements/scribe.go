package statements

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/lines"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/transcript"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// Scribe lets a model that reads, as a rule the coding agent that is installed anyway, keep the lines of knowledge of a project: it
// reads each session that is over beside the lines that stand, and says what changes.
type Scribe struct {
	// Ask gives a question about a session to a model and returns its answer and who gave it. A Withheld is its error where the session is
	// not sent. Without Ask rules keep what is certain.
	Ask func(ctx context.Context, of memory.Session, question string) (answer, by string, err error)
	// Texts are those of the agent's own transcript of a session; none where it has no transcript.
	Texts func(ctx context.Context, of memory.Session) ([]transcript.Text, error)
	// Unsent is told why a session is not handed to the model.
	Unsent func(ctx context.Context, of memory.Session, why string) error
	// Habits are commands that followed each other and worked in at least so many sessions. Rules ask for them.
	Habits  func(ctx context.Context, tx *store.Tx, of memory.ProjectID, least int) ([][]string, error)
	Goals   func(ctx context.Context, tx *store.Tx, of memory.ProjectID, open bool) ([]memory.Goal, error)
	EndGoal func(context.Context, *store.Tx, memory.Session, lines.End) error
}

// Withheld says why a session is not sent.
type Withheld string

func (w Withheld) Error() string { return "not sent: " + string(w) }

const (
	sessionsARun   = 3              // that are handed to the model in one run
	sessionsLatest = 50             // among which it looks for those that are not read
	statesLast     = 10             // sessions, unless one of them bears the state out
	triesMost      = 6              // to read one; an agent that failed rests for hours
	reachesBack    = 24 * time.Hour // the first run
	patience       = time.Hour      // after which a process that reads is taken to have ended
)

// sessionRead is a session that the model has read, or could not.
type sessionRead struct {
	Session memory.SessionID `json:"session"`
	Closed  time.Time        `json:"closed"` // one that goes on is read again
	Tries   int              `json:"tries"`
	Parts   int              `json:"parts,omitempty"` // of a long one that were read
	Model   bool             `json:"model,omitempty"` // it was handed to a model
	Done    bool             `json:"done"`
}

// scribeProgress is what was read of a project.
type scribeProgress struct {
	Since time.Time     `json:"since"` // sessions that closed before are not read
	Read  []sessionRead `json:"read"`  // the latest
}

func scribeProgressOf(id memory.ProjectID) store.Fact[scribeProgress] {
	return store.NewFact[scribeProgress]("scribe/read").Of(id)
}

// noted is the progress after some parts of a session were read.
func (p scribeProgress) noted(s memory.Session, parts int, done, model bool) scribeProgress {
	r := sessionRead{Session: s.ID, Closed: s.ClosedAt, Done: done, Tries: 1, Parts: parts, Model: model}
	if i := slices.IndexFunc(p.Read, r.same); i >= 0 {
		r.Tries += p.Read[i].Tries
		p.Read = slices.Delete(p.Read, i, i+1)
	}
	p.Read = append(p.Read, r)
	p.Read = p.Read[max(0, len(p.Read)-2*sessionsLatest):]
	return p
}

func (r sessionRead) same(o sessionRead) bool {
	return r.Session == o.Session && r.Closed.Equal(o.Closed)
}

// ReadByModel reports of sessions of a project whether a model has read them. Those that are too long ago are taken to be as the first that is known.
func ReadByModel(ctx context.Context, tx *store.Tx, id memory.ProjectID) (func(memory.SessionID) bool, error) {
	p, err := scribeProgressOf(id).Get(ctx, tx)
	return func(s memory.SessionID) bool {
		i := slices.IndexFunc(p.Read, func(r sessionRead) bool { return r.Session == s })
		if i < 0 && len(p.Read) == 2*sessionsLatest { // more are not kept
			i = 0
		}
		return i >= 0 && p.Read[i].Model
	}, err
}

// ScribeOffered says that the person was asked whether an agent may read their sessions.
var ScribeOffered = store.NewFact[bool]("scribe/offered")

// ReadSessions lets the model read the sessions of a project that closed since the last time, and keeps what of its answers is
// proven. Nothing is held while the model is asked, but no other process reads meanwhile. A session that it could not read is
// tried again the next time, a few times.
func (by Scribe) ReadSessions(ctx context.Context, b *brain.Brain, id memory.ProjectID) (changes []LineChange, err error) {
	_, err = b.Alone(ctx, "scribe", patience, func() error {
		closed, err := brain.View(ctx, b.Store, func(tx *store.Tx) ([]memory.Session, error) { return unread(ctx, tx, id) })
		if len(closed) > 1 { // it is told first, and read last
			latest, failed := by.material(ctx, b, closed[len(closed)-1])
			if err = errors.Join(err, failed); err == nil {
				err = latest.noteOutcome(ctx, b)
			}
		}
		asked := 0
		for _, s := range closed {
			if err != nil || asked == sessionsARun {
				break
			}
			var change LineChange
			var sent bool
			change, sent, err = by.read(ctx, b, s)
			if sent && by.Ask != nil {
				asked++
			}
			if !change.At.IsZero() {
				changes = append(changes, change)
			}
		}
		return err
	})
	return changes, err
}

// read lets the model read one session, if that is worth a question and may be sent.
func (by Scribe) read(ctx context.Context, b *brain.Brain, s memory.Session) (change LineChange, sent bool, err error) {
	r, err := by.material(ctx, b, s)
	if err == nil {
		err = r.noteOutcome(ctx, b)
	}
	if err != nil {
		return change, false, err
	}
	model := false
	done := func(tx *store.Tx) error { return noteRead(ctx, tx, s, 0, true, model) }
	switch {
	case !r.session.Worth():
		return change, false, b.Store.Update(ctx, done)
	case by.Ask != nil && r.secret():
		return change, false, errors.Join(by.Unsent(ctx, s, "a secret was found in it"), b.Store.Update(ctx, done))
	}
	parts := r.session.Parts()
	if by.Ask == nil {
		parts = parts[:min(len(parts), 1)] // rules read all at once
	}
	for i := min(r.done, len(parts)); i < len(parts); i++ {
		checked, who, err := by.answer(ctx, s, r, parts[i])
		if why := Withheld(""); errors.As(err, &why) {
			return change, false, errors.Join(by.Unsent(ctx, s, string(why)), b.Store.Update(ctx, done))
		}
		if errors.Is(err, memory.ErrRefused) || ctx.Err() != nil {
			return change, false, err // it was not asked, or hebb ends
		}
		if err != nil {
			note := func(tx *store.Tx) error { return noteRead(ctx, tx, s, i, false, model) }
			return change, true, errors.Join(fmt.Errorf("reading session %s: %w", s.ID, err), b.Store.Update(ctx, note))
		}
		checked.whole, model = len(parts) == 1, by.Ask != nil
		err = b.Store.Update(ctx, func(tx *store.Tx) error {
			now := change
			now.At, now.Session = tx.Now, s.ID
			err := errors.Join(r.unchanged(ctx, tx), by.keep(ctx, b.Config.Tuning.Crystal, tx, r, checked, who, &now))
			err = errors.Join(err, noteChange(ctx, tx, s.Project, now, change.At), noteRead(ctx, tx, s, i+1, false, model))
			if err == nil {
				change = now
			}
			return err
		})
		if err == nil {
			err = b.Store.View(ctx, func(tx *store.Tx) error { return r.stand(ctx, tx) })
		}
		if err != nil {
			note := func(tx *store.Tx) error { return noteRead(ctx, tx, s, i, false, model) } // it is not asked about for ever
			return change, true, errors.Join(err, b.Store.Update(ctx, note))
		}
	}
	err = b.Store.Update(ctx, func(tx *store.Tx) error {
		was := change.At
		change.At, change.Session = tx.Now, s.ID
		return errors.Join(done(tx), restStates(ctx, tx, s.Project, &change), noteChange(ctx, tx, s.Project, change, was))
	})
	return change, true, err
}

// Next is the latest session of a project that was held with an agent, is worth reading and was not read, with about as many tokens as
// its questions take; zero where there is none.
func (by Scribe) Next(ctx context.Context, b *brain.Brain, id memory.ProjectID, with memory.Agent, tokens func(question string) int) (next memory.Session, cost int, err error) {
	var read scribeProgress
	sessions, err := brain.View(ctx, b.Store, func(tx *store.Tx) (_ []memory.Session, err error) {
		if read, err = scribeProgressOf(id).Get(ctx, tx); err != nil {
			return nil, err
		}
		return tx.Sessions(ctx, store.SessionFilter{ByAgents: true, Project: id, Limit: sessionsLatest})
	})
	for _, s := range sessions {
		known := slices.ContainsFunc(read.Read, sessionRead{Session: s.ID, Closed: s.ClosedAt}.same)
		if err != nil || s.Open() || s.Agent != with || known {
			continue
		}
		r, failed := by.material(ctx, b, s)
		if err = failed; err != nil || !r.session.Worth() || r.secret() {
			continue
		}
		for _, part := range r.session.Parts() {
			cost += tokens(lines.Question(part, r.session, r.known(), r.goals, r.failing))
		}
		return s, cost, nil
	}
	return next, 0, err
}

// ReadNow lets the model read one session.
func (by Scribe) ReadNow(ctx context.Context, b *brain.Brain, s memory.Session) error {
	busy, err := b.Alone(ctx, "scribe", patience, func() error {
		_, _, err := by.read(ctx, b, s)
		return err
	})
	if busy {
		err = fmt.Errorf("another hebb reads sessions, try again in a while: %w", memory.ErrBusy)
	}
	return err
}

// PassOver leaves out what was held while sessions were not to be read, if some were read before.
func PassOver(ctx context.Context, st *store.Store, id memory.ProjectID) error {
	p, err := brain.View(ctx, st, func(tx *store.Tx) (scribeProgress, error) { return scribeProgressOf(id).Get(ctx, tx) })
	if err != nil || p.Since.IsZero() {
		return err
	}
	return st.Update(ctx, func(tx *store.Tx) error {
		p, err := scribeProgressOf(id).Get(ctx, tx)
		p.Since = tx.Now
		return errors.Join(err, scribeProgressOf(id).Set(ctx, tx, p))
	})
}

// judged is an answer of which each part was checked, with the names in its lines that nothing bears out.
type judged struct {
	lines.Checked
	lacks map[string][]string // by the text of a line
	// misread are texts of lines that do not say what the words mean that they quote.
	misread map[string]bool
	whole   bool // it is about all of the session
}

// answer asks about a part of a session. What is wrong with the answer is sent back once; what is still wrong is dropped.
func (by Scribe) answer(ctx context.Context, s memory.Session, r *material, part string) (out judged, who string, err error) {
	if by.Ask == nil {
		out, _ = r.judge(ctx, r.certain())
		out.Faults = nil
		return out, "", nil
	}
	question := lines.Question(part, r.session, r.known(), r.goals, r.failing)
	text, who, err := by.Ask(ctx, s, question)
	if err != nil {
		return out, who, err
	}
	a, err := lines.ReadAnswer(text)
	if err != nil {
		return out, who, fmt.Errorf("%w: %w", err, memory.ErrDamaged)
	}
	out, faults := r.judge(ctx, a)
	if len(faults) == 0 {
		return out, who, nil
	}
	text, _, err = by.Ask(ctx, s, lines.Again(question, text, faults))
	if err != nil { // what is right is kept
		return out, who, ctx.Err()
	}
	if again, err := lines.ReadAnswer(text); err == nil {
		out, _ = r.judge(ctx, again)
	}
	return out, who, nil
}

// judge checks an answer, and says what is to be put right.
func (r *material) judge(ctx context.Context, a lines.Answer) (out judged, faults []string) {
	out.Checked = lines.Check(a, r.session, r.known(), func(text string) bool { return scrub.Clean(text) == text && !scrub.Redacted(text) })
	out.lacks, out.misread = map[string][]string{}, map[string]bool{}
	e := r.evidence(ctx)
	out.Retire = slices.DeleteFunc(out.Retire, func(end lines.End) bool {
		told := end.Quote != "" && !out.Proofs[end.Quote].Person && e.Retold(end.Quote)
		if told {
			out.Faults = append(out.Faults, fmt.Sprintf("retire %s: others say %q, not this session", end.ID, prose.Shorten(prose.OneLine(end.Quote), knownChars/2)))
		}
		return told
	})
	faults = slices.Clone(out.Faults)
	lacking := func(l lines.Line) {
		text := l.Text
		for _, c := range r.calls { // that a command failed is no advice to run it
			if c.Failed && strings.HasPrefix(text, "`"+c.Command+"` fails ") {
				text = strings.TrimPrefix(text, "`"+c.Command+"`")
			}
		}
		doubts := lines.Doubts(l, out.Proofs[l.Quote], r.session, e)
		out.misread[l.Text] = len(doubts) > 0
		if names := append(lines.Unproven(text, e), doubts...); len(names) > 0 {
			out.lacks[l.Text] = names
			faults = append(faults, fmt.Sprintf("%q: nothing here bears out %s. Say it without that, or with the name that was run, edited or typed",
				l.Text, strings.Join(names, ", ")))
		}
	}
	for _, l := range out.Add {
		lacking(l)
	}
	for _, l := range out.Replace {
		lacking(l.Line)
	}
	return out, faults
}

// unchanged refuses an answer about words of which some were forgotten while the model was asked.
func (r *material) unchanged(ctx context.Context, tx *store.Tx) error {
	events, err := tx.Events(ctx, store.EventFilter{Session: r.of.ID})
	left := map[string]bool{"": true}
	for _, e := range events {
		left[e.Text] = true
	}
	gone := func(t lines.Turn) bool { return !left[t.Prompt] || !left[t.Answer] || !left[t.Summary] }
	if err == nil && slices.ContainsFunc(r.session.Turns, gone) {
		err = fmt.Errorf("some of session %s was forgotten while it was read: %w", r.of.ID, memory.ErrConflict)
	}
	return err
}

// noteRead keeps which parts of a session were read, or that it could not be.
func noteRead(ctx context.Context, tx *store.Tx, s memory.Session, parts int, done, model bool) error {
	p, err := scribeProgressOf(s.Project).Get(ctx, tx)
	if err != nil {
		return err
	}
	if p.Since.IsZero() {
		p.Since = tx.Now.Add(-reachesBack)
	}
	return scribeProgressOf(s.Project).Set(ctx, tx, p.noted(s, parts, done, model))
}

// restStates lets what was half done long ago give way: nobody has spoken of it since.
func restStates(ctx context.Context, tx *store.Tx, id memory.ProjectID, change *LineChange) error {
	p, err := scribeProgressOf(id).Get(ctx, tx)
	if err != nil || len(p.Read) < statesLast {
		return err
	}
	since := p.Read[len(p.Read)-statesLast].Closed
	stand, err := Lines(ctx, tx, id)
	for _, c := range stand {
		if c.Kind == memory.State && c.Line.KeptAt.IsZero() && c.Line.SeenAt.Before(since) {
			c.Line.Aside = true
			change.Aside = append(change.Aside, c.ID)
			err = errors.Join(err, tx.SaveCrystal(ctx, c), tx.Leave(ctx, store.Trace{Crystal: c.ID, What: traceAside, Detail: change.Session.String()}))
		}
	}
	return err
}

// unread are sessions of a project that closed and were not read, the earliest first.
func unread(ctx context.Context, tx *store.Tx, id memory.ProjectID) (closed []memory.Session, err error) {
	p, err := scribeProgressOf(id).Get(ctx, tx)
	if err != nil {
		return nil, err
	}
	if p.Since.IsZero() {
		p.Since = tx.Now.Add(-reachesBack)
	}
	sessions, err := tx.Sessions(ctx, store.SessionFilter{ByAgents: true, Project: id, Limit: sessionsLatest})
	for _, s := range sessions {
		over := slices.ContainsFunc(p.Read, func(r sessionRead) bool {
			return r.same(sessionRead{Session: s.ID, Closed: s.ClosedAt}) && (r.Done || r.Tries >= triesMost)
		})
		if !s.Open() && s.ClosedAt.After(p.Since) && !over {
			closed = append(closed, s)
		}
	}
	slices.SortFunc(closed, func(x, y memory.Session) int { return x.ClosedAt.Compare(y.ClosedAt) })
	return closed, err
}

// keep changes the lines of a project as an answer says. What was forgotten or changed meanwhile stays so.
func (by Scribe) keep(ctx context.Context, settings tuning.Crystal, tx *store.Tx, r *material, a judged, who string, change *LineChange) error {
	prompts, err := typedIn(ctx, tx, r.of.ID)
	if err != nil {
		return err
	}
	k := pageEdit{tx: tx, settings: settings, material: r, answer: a, prompts: prompts, who: who, change: change}
	change.Dropped += len(a.Faults)
	for _, l := range a.Add {
		err = errors.Join(err, k.add(ctx, l))
	}
	for _, l := range a.Replace {
		err = errors.Join(err, k.replace(ctx, l))
	}
	for _, e := range a.Retire {
		err = errors.Join(err, k.retire(ctx, e))
	}
	for _, id := range a.Aside {
		err = errors.Join(err, k.aside(ctx, id))
	}
	for _, id := range a.Again {
		err = errors.Join(err, k.again(ctx, id))
	}
	for _, e := range a.Ended {
		if quote, ok := QuotedIn(prompts, e.Quote); ok && r.fails[e.ID] {
			err = errors.Join(err, record.EndFailure(ctx, tx, r.of.Project, memory.EventID(e.ID)))
		} else if ok {
			e.Quote = quote
			err = errors.Join(err, by.EndGoal(ctx, tx, r.of, e))
		}
	}
	if a.whole && k.quotes { // an answer that quotes nothing of theirs does not show what they did not mean
		waits, failed := PutAside(ctx, tx, r.of, func(c memory.Crystal) bool { return r.whole[c.Source] && !slices.Contains(k.said, c.ID) })
		change.Unmeant, err = append(change.Unmeant, waits...), errors.Join(err, failed)
	}
	return err
}
