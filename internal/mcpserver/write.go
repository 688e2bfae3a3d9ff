package mcpserver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/forget"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
)

// noteKinds are the kinds of knowledge that an agent comes across.
var noteKinds = stringsOf([]memory.CrystalKind{memory.Fact, memory.Decision, memory.Lesson, memory.Preference, memory.Rule, memory.Correction})

// stringsOf are values as texts.
func stringsOf[T any](values []T) []string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = fmt.Sprint(v)
	}
	return texts
}

// writingTools are those that keep, change or forget something.
func writingTools() []tool {
	return []tool{
		does(tool{
			name: "wrapup",
			about: "End the session in words: what happened, what was learned, what comes next, and notes on files still in work. " +
				"Call it when the work is done or the user says goodbye.",
			fields: []field{
				{name: "happened", kind: text}, {name: "learned", kind: text}, {name: "next", kind: text},
				{name: "notes", kind: mapping, about: "path → why it matters now"},
			},
			effect: repeats, fresh: true, edits: true, always: true,
		}, (*call).wrapUp),
		does(tool{
			name:  "remember",
			about: "Keep something for later sessions. " + memory.HandOver + " Put what you learned into `text`.",
			fields: []field{
				{name: "quote", kind: text}, {name: "text", kind: text}, {name: "kind", kind: text, oneOf: noteKinds},
				{name: "subject", kind: text}, {name: "replaces", kind: list, about: "IDs that no longer hold"},
				{name: "files", kind: list, about: "path#symbol"}, {name: "everywhere", kind: flag},
				{name: "breaks", kind: list, about: "of a rule: code: time.Sleep(, run: git push -f"},
			},
			effect: repeats, fresh: true, always: true,
		}, (*call).remember),
		does(tool{
			name:  "resolve",
			about: "Say which files fixed an error, so that they come up when it returns. Use it once the fix works.",
			fields: []field{
				{name: "error", kind: text, must: true}, {name: "files", kind: list, must: true},
			},
			effect: adds, always: true,
		}, (*call).resolve),
		does(tool{
			name:  "pin",
			about: "Propose a rule or fact that every session must see. The user accepts it. Only for what must never be forgotten.",
			fields: []field{
				{name: "title", kind: text, must: true}, {name: "text", kind: text},
				{name: "reason", kind: text}, {name: "everywhere", kind: flag, about: "in all projects"},
			},
			effect: repeats, fresh: true, edits: true, always: true,
		}, (*call).pin),
		does(tool{
			name: "forget",
			about: "Delete memories for good, with all that was learned from them. Only when the user asks. Without confirm it says what would go; show that to " +
				"the user, then call again with confirm. What the user said, prompts included, only they delete: hebb forget.",
			fields: []field{
				{name: "ids", kind: list, about: "of texts or events"}, {name: "session", kind: text, about: "all of this session"},
				{name: "origin", kind: text, oneOf: stringsOf(memory.Origins), about: "all of this origin"},
				{name: "since", kind: text, about: "all after this: 2026-11-15, a full time, 12h or 2d"},
				{name: "confirm", kind: flag, about: "do it"},
			},
			effect: removes, fresh: true, listed: true,
		}, (*call).forget),
	}
}

// source says that a text came through this door.
const source = "mcp"

func (c *call) remember(ctx context.Context, in statements.RememberInput) (reply, error) {
	if blank(in.Text) && blank(in.Quote) {
		return reply{}, fmt.Errorf("give quote, the user's own words, or text, yours: %w", memory.ErrInvalid)
	}
	in.Scope, in.Origin, in.Source = c.scope, memory.OriginAgent, source
	out := run(ctx, c, statements.Remember, in)
	a, err := c.kept("Remembered", out)
	if err == nil {
		a.line("Origin: %s", string(out.Origin))
		if in.Quote != "" && out.Origin == memory.OriginAgent && out.Proposed == "" {
			a.line("The quote stands in no recent prompt of the user, so this is kept as your own note.")
		}
	}
	return a, err
}

// kept reports a text that is remembered now.
func (c *call) kept(done string, out statements.RememberResult) (a reply, err error) {
	k := out.Crystal
	switch {
	case c.err == nil && out.Rejected:
		return a, fmt.Errorf("nothing was kept: the user has rejected this as memory %s; ask them before you try again: %w", k.ID, memory.ErrRefused)
	case out.Proposed != "":
		a.proposed(k, out.Proposed)
		return a, c.err
	case out.Known:
		done = "Already known"
	}
	a.line("%s as %s %s: %s", done, k.Kind, k.ID, cited(k.Origin, k.Text))
	a.some("About: %s", cited(k.Origin, k.Subject))
	a.lineIf(scrub.Redacted(k.Text), "A credential was left out of it: hebb keeps none.")
	a.list("Tied to: %s", stringsOf(k.Anchors))
	a.list("Takes the place of: %s", stringsOf(out.Superseded))
	return a, c.err
}

// proposed says that a change waits for the user, and what it lacks.
func (a *reply) proposed(k memory.Crystal, lacking string) {
	a.line("Proposed of %s %s: %s", k.Kind, k.ID, cited(k.Origin, k.Text))
	a.line("Nothing has changed: %s.", scrub.Line(lacking))
	a.line("The user decides with hebb memories --waiting. If they asked for it, hand over as quote the whole sentence in which they did.")
}

// folder is the folder that relative paths count from: the one that was named, else the top of the project that was named.
func (c *call) folder(ctx context.Context) (string, error) {
	if c.scope.Project == "" {
		return c.scope.Dir, nil
	}
	projects := run(ctx, c, inspect.Projects, struct{}{})
	if c.err != nil {
		return "", c.err
	}
	named := slices.DeleteFunc(projects, func(p inspect.ProjectSummary) bool {
		return p.ID.String() != c.scope.Project && p.Name != c.scope.Project
	})
	switch len(named) {
	case 0:
		return "", fmt.Errorf("argument project: no project is called %q: hebb projects lists them: %w", c.scope.Project, memory.ErrNotFound)
	case 1:
		return memory.UnescapePath(named[0].Root)
	}
	return "", fmt.Errorf("argument project: %q could be %s or %s: give the ID: %w", c.scope.Project, named[0].ID, named[1].ID, memory.ErrConflict)
}

func (c *call) resolve(ctx context.Context, in ranking.ResolveInput) (a reply, err error) {
	if in.Dir, err = c.folder(ctx); err != nil {
		return a, err
	}
	in.Session, in.Origin = c.sessionName(), memory.OriginAgent
	return c.fixReply(run(ctx, c, ranking.Resolve, in))
}

func (c *call) pin(ctx context.Context, in desk.PinInput) (reply, error) {
	in.Scope, in.Origin = c.scope, memory.OriginAgent
	out := run(ctx, c, desk.PinText, in)
	var a reply
	switch {
	case !out.Waiting():
		a.line("The user has pinned this already:")
	case out.Replaced:
		a.line("Proposed again; the earlier text stays as history:")
	default:
		a.line("Proposed:")
	}
	a.pin(out.Pin)
	a.lineIf(out.Waiting(), "No session is shown it until the user accepts it: hebb pin list --waiting lists it, hebb pin --accept %q makes it theirs.", out.Title)
	return a, c.err
}

func (c *call) wrapUp(ctx context.Context, in desk.WrapUpInput) (reply, error) {
	in.Scope, in.Session, in.Origin = c.scope, c.sessionName(), memory.OriginAgent
	out := run(ctx, c, desk.WrapUp, in)
	c.warnings = append(c.warnings, out.Warnings...)
	var a reply
	a.line("Wrapped up:")
	a.session(out.Session)
	a.some("Remembered as lesson %s", string(out.Lesson))
	a.list("Noted: %s", out.Noted)
	return a, c.err
}

func forgotten(done bool) string {
	if done {
		return "Forgotten"
	}
	return "Would be forgotten"
}

type forgetInput struct {
	IDs                    []string
	Session, Origin, Since string
	Confirm                bool
}

func (c *call) forget(ctx context.Context, in forgetInput) (reply, error) {
	ask := forget.ForgetInput{Session: in.Session, Origin: memory.Origin(in.Origin), Apply: in.Confirm, By: memory.OriginAgent}
	var err error
	if ask.Since, err = moment("since", in.Since, c.Now()); err != nil {
		return reply{}, err
	}
	switch described := in.Session+in.Origin+in.Since != ""; {
	case len(in.IDs) > 0 && (described || c.named):
		return reply{}, fmt.Errorf("choose by ids alone, or by what the other arguments describe: %w", memory.ErrInvalid)
	case len(in.IDs) == 0 && !described:
		return reply{}, fmt.Errorf("say what: ids, session, origin or since. A whole project is forgotten on the command line only: "+
			"hebb forget --project NAME: %w", memory.ErrInvalid)
	case described:
		ask.Scope = c.scope
	}
	for _, id := range in.IDs {
		parsed, err := memory.ParseEventID(id)
		if err != nil {
			return reply{}, fmt.Errorf("argument ids: %w", err)
		}
		ask.IDs = append(ask.IDs, parsed)
	}
	out := run(ctx, c, steward.Forget, ask)
	if out.Warning != "" {
		c.warnings = append(c.warnings, out.Warning)
	}
	var a reply
	a.line("%s: %s, %s with %s of %s, %s.", forgotten(out.Applied), prose.Count(out.Texts, "text", "texts"), prose.Count(out.Events, "event", "events"),
		prose.Count(out.Accesses, "touch", "touches"), prose.Count(out.Files, "file", "files"), prose.Count(out.Sessions, "session", "sessions"))
	if len(out.Proposed) > 0 {
		a.list("Proposed to forget: %s", stringsOf(out.Proposed))
		a.line("The user decides with hebb memories --waiting: %s.", scrub.Line(out.Lacking))
		return a, c.err
	}
	if !out.Applied {
		for _, e := range out.Newest {
			a.line("- %s %s %s %s", e.ID, when(e.At), e.Kind, brief(e.Text))
		}
		a.line("Nothing was changed: call again with confirm once the user agrees.")
	}
	return a, c.err
}

// moment reads a time that an argument gives.
func moment(name, text string, now time.Time) (time.Time, error) {
	t, err := prose.ParseTime(now.UTC(), text)
	if err != nil {
		err = fmt.Errorf("argument %s is %q: %w: %w", name, text, err, memory.ErrInvalid)
	}
	return t, err
}

// pin adds a pin.
func (a *reply) pin(p memory.Pin) {
	place, text := "", p.Text
	if p.Project == 0 {
		place = ", everywhere"
	}
	if text == p.Title {
		text = ""
	}
	a.line("- pin from %s%s: %s", p.Origin.Name(), place, cited(p.Origin, p.Title))
	a.some("  text: %s", cited(p.Origin, text))
	a.some("  because: %s", cited(p.Origin, p.Reason))
}

// session adds what happened in a session.
func (a *reply) session(s memory.Session) {
	by := ""
	if s.SummaryBy != "" {
		by = " · described by " + string(s.SummaryBy)
	}
	a.line("- %s · %s · %s%s", when(s.LastEventAt), s.Agent, s.ID, by)
	a.some("  Happened: %s", told(s.SummaryBy, s.Happened))
	a.some("  Learned: %s", told(s.SummaryBy, s.Learned))
	a.some("  Next: %s", told(s.SummaryBy, s.Next))
}

// told is what a session says of itself; where rules say it, what they quote stands in quotation marks.
func told(by memory.Origin, text string) string {
	if by == memory.OriginTool {
		return text
	}
	return cited(by, text)
}

type whyInput struct {
	ID    string
	Limit int
}

func (c *call) why(ctx context.Context, in whyInput) (reply, error) {
	var a reply
	if blank(in.ID) {
		list := run(ctx, c, ranking.Shown, ranking.ShownInput{Scope: c.scope, Limit: limited(in.Limit)})
		for _, l := range list {
			a.shown(l)
		}
		a.lineIf(len(list) == 0, "No line has been shown here yet.")
		return a, c.err
	}
	kept, err := steward.Run(ctx, c.brain, statements.WhyCrystal, statements.ProvenanceInput{ID: in.ID})
	if err == nil {
		a.origin(kept)
		return a, c.err
	}
	if !errors.Is(err, memory.ErrNotFound) && !errors.Is(err, memory.ErrInvalid) {
		return reply{}, err
	}
	line, err := steward.Run(ctx, c.brain, ranking.Why, ranking.WhyInput{ID: in.ID})
	if errors.Is(err, memory.ErrNotFound) {
		return reply{}, fmt.Errorf("argument id: nothing remembered and no line shown is called %q: memory_search gives IDs, and why without an ID lists "+
			"what was shown: %w", in.ID, memory.ErrNotFound)
	}
	if err != nil {
		return reply{}, err
	}
	a.shown(line.Line)
	a.some("  Prompt: %s", line.Prompt)
	a.list("  Beside: %s", line.Beside)
	return a, c.err
}

// shown adds a line that an agent was shown.
func (a *reply) shown(l ranking.Line) {
	outcome, sure := cmp.Or(string(l.Outcome), "pending"), fmt.Sprintf(" (%d %%)", percent(l.Confidence))
	if !l.Judged() {
		outcome, sure = "shown", ""
	}
	if l.Held {
		outcome += ", withheld"
	}
	a.line("- %s · %s · %s%s: %s; %s", l.ID, when(l.ShownAt), scrub.Line(l.Name()), sure, cmp.Or(l.Reason, "at "+string(l.Moment)), outcome)
}

// origin adds where something remembered comes from.
func (a *reply) origin(p statements.Provenance) {
	a.line("%s %s: %s", p.Kind, p.ID, cited(p.Origin, p.Text))
	a.line("Said %s by %s", when(p.SaidAt), brain.From(p.Crystal))
	a.some("Project: %s", p.ProjectName)
	a.some("Source: %s", p.Source)
	a.some("About: %s", cited(p.Origin, p.Subject))
	a.some("Held until %s", when(p.ValidTo))
	a.lineIf(p.Unsure, "Doubt: %s", changedCode)
	a.list("Tied to: %s", stringsOf(p.Anchors))
	for _, other := range p.Parents {
		a.line("Took the place of %s", string(other.ID)+" "+cited(other.Origin, scrub.Line(other.Text)))
	}
	for _, other := range p.Children {
		a.line("Became %s", string(other.ID)+" "+cited(other.Origin, scrub.Line(other.Text)))
	}
}

// memoriesTool lists what is remembered and lets an agent correct it in the name of the user.
func memoriesTool() tool {
	return does(tool{
		name: "memories",
		about: "List what is remembered, the newest first, or act on one: show, edit, confirm, reject, forget. Use it when the user asks what you remember or " +
			"says that it is wrong. What the user said you change only with quote, their sentence that asks for it; without it you propose.",
		fields: []field{
			{name: "action", kind: text, oneOf: []string{"list", "show", "edit", "confirm", "reject", "forget"}, about: "without it: list"},
			{name: "id", kind: text, about: "of the memory to act on"},
			{name: "text", kind: text, about: "for edit: the new text, in the user's words where possible"},
			{name: "quote", kind: text, about: "the whole sentence of the user that asks for the change, from its beginning to its end"},
			{name: "kinds", kind: list, about: "list only these: " + strings.Join(stringsOf(memory.CrystalKinds), ", ")},
			{name: "origin", kind: text, oneOf: stringsOf(memory.Origins), about: "list only what comes from there"},
			{name: "heard", kind: flag, about: "list only what the user said in prompts"},
			{name: "stated", kind: flag, about: "list only what somebody asked to remember"},
			{name: "session", kind: text, about: "list only what was said in this session"},
			{name: "since", kind: text, about: "list only what was said after this: 2026-11-15, a full time, 12h or 2d"},
			{name: "older", kind: text, about: "list only what was said before this"},
			{name: "history", kind: flag, about: "also what was superseded or rejected, or has expired"},
			{name: "waiting", kind: flag, about: "only changes that agents propose and the user has not decided on"},
			limitField,
		},
		effect: removes, fresh: true, listed: true,
	}, (*call).memories)
}

type memoriesInput struct {
	Action, ID, Text, Quote, Origin, Session, Since, Older string
	Kinds                                                  []memory.CrystalKind
	Heard, Stated, History, Waiting                        bool
	Limit                                                  int
}

func (c *call) memories(ctx context.Context, in memoriesInput) (reply, error) {
	switch lists := in.Action == "" || in.Action == "list"; {
	case lists && in.ID != "":
		return reply{}, fmt.Errorf("argument id needs an action: show, edit, confirm, reject or forget: %w", memory.ErrInvalid)
	case lists:
		return c.listMemories(ctx, in)
	case blank(in.ID):
		return reply{}, fmt.Errorf("argument id is missing: action list gives the IDs: %w", memory.ErrInvalid)
	}
	return c.actOnMemory(ctx, in)
}

func (c *call) listMemories(ctx context.Context, in memoriesInput) (a reply, err error) {
	ask := statements.MemoriesInput{
		Scope: c.scope, Kinds: in.Kinds, Origin: memory.Origin(in.Origin), Heard: in.Heard, Stated: in.Stated, Session: in.Session, History: in.History,
		Waiting: in.Waiting, Limit: limited(in.Limit),
		Said: in.Waiting || in.History, // lines that wait or were dropped are shown to nobody but the person
	}
	if ask.Since, err = moment("since", in.Since, c.Now()); err != nil {
		return a, err
	}
	if ask.Before, err = moment("older", in.Older, c.Now()); err != nil {
		return a, err
	}
	list := run(ctx, c, statements.Memories, ask)
	for _, m := range list {
		a.memory(m)
	}
	a.lineIf(len(list) == 0, "Nothing like that is remembered here.")
	return a, c.err
}

// memory adds something remembered.
func (a *reply) memory(m statements.Memory) {
	how := "from " + brain.From(m.Crystal)
	if m.Heard > 0 && m.Line == nil {
		how += ", in a prompt"
	}
	if m.State != "" {
		how += ", " + m.State
	}
	if m.Proposed != "" {
		how += ", proposed to " + m.Proposed
	}
	a.line("- %s · %s · %s · %s: %s", m.ID, when(m.SaidAt), m.Kind, how, cited(m.Origin, scrub.Line(m.Text)))
}

func (c *call) actOnMemory(ctx context.Context, in memoriesInput) (a reply, err error) {
	by := memory.OriginAgent
	switch in.Action {
	case "edit":
		if blank(in.Text) {
			return a, fmt.Errorf("argument text is missing: say what it should be: %w", memory.ErrInvalid)
		}
		return c.kept("Remembered", run(ctx, c, statements.Edit, statements.EditInput{ID: in.ID, Text: in.Text, Origin: by, Quote: in.Quote}))
	case "confirm", "reject":
		right := in.Action == "confirm"
		judged := run(ctx, c, statements.Judge, statements.JudgeInput{ID: in.ID, Right: right, Origin: by, Quote: in.Quote})
		if judged.Proposed != "" {
			a.proposed(judged.Crystal, judged.Proposed)
			return a, c.err
		}
		word := "Rejected; it stays as history"
		if right {
			word = "Confirmed"
		}
		a.line("%s: %s %s: %s", word, judged.Kind, judged.ID, cited(judged.Origin, judged.Text))
		return a, c.err
	}
	known := run(ctx, c, statements.WhyCrystal, statements.ProvenanceInput{ID: in.ID})
	if c.err != nil {
		return a, c.err
	}
	if in.Action == "show" {
		a.origin(known)
		return a, nil
	}
	out := run(ctx, c, steward.Forget, forget.ForgetInput{IDs: []memory.EventID{memory.EventID(known.ID)}, Apply: true, By: by, Quote: in.Quote})
	if out.Warning != "" {
		c.warnings = append(c.warnings, out.Warning)
	}
	if len(out.Proposed) > 0 {
		a.proposed(known.Crystal, out.Lacking)
		return a, c.err
	}
	a.line("Forgotten for good: %s: %s", known.ID, cited(known.Origin, known.Text))
	return a, c.err
}
