package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
)

// fewAnswers is how many answers a tool gives unless it is asked for another number: as many as the command line.
const fewAnswers = 10

func limited(n int) int {
	if n == 0 {
		return fewAnswers
	}
	return n
}

var limitField = field{name: "limit", kind: number}

// askingTools are those that answer from what is known.
func askingTools() []tool {
	contextTool := does(tool{
		name:   "context",
		about:  "What to have in mind here: pins, hot files with notes, the last session and its next steps. Call it first in a session, after a compaction, or when the user refers to earlier work.",
		fields: []field{{name: "mode", kind: text, oneOf: []string{"full", "warm", "continue", "micro"}}},
		fresh:  true, tended: true, always: true,
	}, (*call).context)
	search := does(tool{
		name: "memory_search",
		about: "Find what was said, decided, learned or committed earlier. Use it before you ask the user or decide anew. " +
			"Filters in the query: kind:decision, since:2026-01, path:src, \"a phrase\".",
		fields: []field{{name: "query", kind: text, must: true}, limitField}, fresh: true, always: true,
	}, (*call).search)
	return []tool{
		contextTool, search,
		search.alias("search", "The same as memory_search: find what was said, decided, learned or committed earlier."),
		does(tool{
			name:  "bootstrap",
			about: "All there is to have in mind at the start of a session, the user's own pages included: context in mode full. Call it once, first of all.",
			fresh: true, tended: true,
		}, (*call).bootstrap),
		does(tool{
			name:  "recall",
			about: "Which files a task needs, from past commits and sessions, with the reason. Use it before you search the code for a task.",
			fields: []field{
				{name: "query", kind: text, about: "the task"},
				{name: "open", kind: texts, about: "files open now, latest first"}, limitField,
			},
			fresh: true, always: true,
		}, (*call).recall),
		does(tool{
			name:   "error",
			about:  "Which files fixed an error before. Use it when a build, test or command fails, before you look for the cause.",
			fields: []field{{name: "error", kind: text, must: true, about: "as the tool printed it"}}, fresh: true, always: true,
		}, (*call).fixes),
		does(tool{
			name:  "predict_next",
			about: "Which file and which tool the running session most likely needs next. Use it when you wonder what belongs to a change you have begun.",
			fields: []field{
				{name: "session", kind: text, about: "another session than the latest: its ID, the beginning of it, or the agent's own name for it"},
				{name: "tool", kind: text, about: "the tool just used"}, limitField,
			},
			fresh: true,
		}, (*call).predict),
		does(tool{
			name: "stats", about: "How much is known of this project: files, errors, commits, sessions, links. Use it when the user asks how the memory is doing.",
			fresh: true,
		}, (*call).stats),
		does(tool{
			name: "pins", about: "The pins that hold here: rules and facts kept in mind for good. Use it before you pin something, or when the user asks what is pinned.",
			fresh: true, tended: true,
		}, (*call).pins),
		does(tool{
			name:   "heat",
			about:  "The files in mind, the hottest first, with their notes, and those that come up together. Use it to see where the work is going on.",
			fields: []field{limitField, {name: "cold", kind: flag, about: "also files that have cooled down"}},
			fresh:  true, tended: true,
		}, (*call).heat),
		does(tool{
			name:   "recent",
			about:  "What happened in the latest sessions, what was learned and what comes next. Use it when the user asks what was done lately, or to go on where it was left.",
			fields: []field{limitField}, fresh: true, tended: true,
		}, (*call).recent),
		does(tool{
			name: "why",
			about: "Where something remembered comes from and what became of it, or why a line was shown. Use it when a memory looks wrong or the user " +
				"doubts it. Without an ID it lists the lines shown last.",
			fields: []field{{name: "id", kind: text, about: "as memory_search or the list gives it"}, limitField}, fresh: true,
		}, (*call).why),
		does(tool{
			name: "read_identity",
			about: "The pages the user keeps about how to work here, open questions, what is going on and the projects. Read them when a task depends on the " +
				"user's ways or plans.",
			fields: []field{{name: "name", kind: text, oneOf: pageNames, about: "one page; without it all that are written"}},
			fresh:  true,
		}, (*call).readIdentity),
		does(tool{
			name:   "procedure",
			about:  "How something is done here, as the user wrote it down: releases, migrations, reviews. Read it before you do such a thing. Without a topic it lists them.",
			fields: []field{{name: "topic", kind: text}}, fresh: true,
		}, (*call).procedure),
	}
}

// contextFacts is what a session should have in mind.
type contextFacts struct {
	Text   string `json:"text"`
	Mode   string `json:"mode"`
	Tokens int    `json:"tokens"`
}

func (c *call) bootstrap(ctx context.Context, _ struct{}) (answer, error) {
	return c.context(ctx, contextInput{Mode: "full"})
}

type contextInput struct{ Mode string }

func (c *call) context(ctx context.Context, in contextInput) (answer, error) {
	out, err := brain.StartContext.Run(ctx, c.brain, brain.ContextInput{Scope: c.scope, Mode: in.Mode, Asked: true})
	if err != nil {
		return answer{}, err
	}
	facts := contextFacts{Text: strings.TrimRight(out.Text, "\n"), Mode: string(out.Mode), Tokens: out.Tokens}
	if facts.Text == "" {
		facts.Text = "Nothing is known of this project yet. hebb init learns its history; working_memory_note and pin keep what you learn."
	}
	var l lines
	l.add("%s", facts.Text)
	if facts.Mode != "" {
		l.add("(mode %s, %d tokens)", facts.Mode, facts.Tokens)
	} else {
		l.add("(%d tokens)", facts.Tokens)
	}
	return answer{facts, l.String()}, nil
}

// fileFact is a file that is likely needed.
type fileFact struct {
	Path string `json:"path"`
	// Lines is where in the file to look.
	Lines string `json:"lines,omitempty"`
	Sure  int    `json:"sure_percent"`
	Why   string `json:"why"`
}

func fileFacts(found []brain.Recalled) []fileFact {
	facts := make([]fileFact, len(found))
	for i, r := range found {
		facts[i] = fileFact{Path: r.Path, Sure: percent(r.Confidence), Why: r.Reason}
		if f := r.Fragment; f != nil {
			facts[i].Lines = fmt.Sprintf("%d-%d", f.First, f.Last)
		}
	}
	return facts
}

func (l *lines) files(files []fileFact) {
	for _, f := range files {
		where := f.Path
		if f.Lines != "" {
			where += ":" + f.Lines
		}
		l.add("- %s (%d %%): %s", where, f.Sure, f.Why)
	}
}

// recallFacts answer a question for files.
type recallFacts struct {
	Files   []fileFact `json:"files"`
	Fixes   []fileFact `json:"fixed_this_error_before,omitempty"`
	Error   string     `json:"error,omitempty"`
	Unknown []string   `json:"unknown_open_files,omitempty"`
	Note    string     `json:"note,omitempty"`
}

func (f recallFacts) answer() answer {
	var l lines
	l.more("Error: %s", f.Error)
	if len(f.Fixes) > 0 {
		l.add("Fixed this error before:")
		l.files(f.Fixes)
	}
	if len(f.Files) > 0 {
		l.add("Files:")
		l.files(f.Files)
	}
	if len(f.Unknown) > 0 {
		l.add("Not known here, so they led to nothing: %s", strings.Join(f.Unknown, ", "))
	}
	l.more("%s", f.Note)
	return answer{f, l.String()}
}

type recallInput struct {
	Query string
	Open  []string
	Limit int
}

func (c *call) recall(ctx context.Context, in recallInput) (answer, error) {
	if blank(in.Query) && len(in.Open) == 0 {
		return answer{}, fmt.Errorf("argument query is missing: say what the task is, or name open files with open: %w", memory.ErrInvalid)
	}
	out, err := brain.Recall.Run(ctx, c.brain, brain.RecallInput{
		Scope: c.scope, Text: in.Query, Open: in.Open, Limit: limited(in.Limit), Least: c.Config.Tuning.Inspect.RecallLeast, Tell: true,
	})
	if err != nil {
		return answer{}, err
	}
	facts := recallFacts{Files: fileFacts(out.Files), Fixes: fileFacts(out.Fixes), Error: out.Error, Unknown: out.Unknown}
	switch {
	case out.Episodes == 0:
		facts.Note = "No past of this project is known yet: hebb init learns its commits."
	case len(out.Files) == 0 && len(out.Fixes) == 0:
		facts.Note = "Nothing in the past speaks for a file: try other words, or name a file that is open."
	}
	return facts.answer(), nil
}

func (c *call) fixes(ctx context.Context, in struct{ Error string }) (answer, error) {
	out, err := brain.Fixes.Run(ctx, c.brain, brain.FixesInput{Scope: c.scope, Error: in.Error})
	if err != nil {
		return answer{}, err
	}
	return fixFacts(out).answer(), nil
}

func fixFacts(out brain.RecallResult) recallFacts {
	facts := recallFacts{Files: fileFacts(out.Files), Fixes: fileFacts(out.Fixes), Error: out.Error}
	if len(out.Fixes) == 0 {
		facts.Note = "No fix is known yet: once it is mended, call resolve with the files that mended it."
	}
	return facts
}

// foundFact is a text that was found.
type foundFact struct {
	ID     string `json:"id,omitempty"`
	Kind   string `json:"kind"`
	Title  string `json:"title,omitempty"`
	Where  string `json:"where,omitempty"`
	At     string `json:"at,omitempty"`
	Origin string `json:"origin"`
	Doubt  string `json:"doubt,omitempty"`
	Text   string `json:"text"`
}

type searchFacts struct {
	Found   []foundFact `json:"found"`
	Filters []string    `json:"filters,omitempty"`
	Note    string      `json:"note,omitempty"`
}

type searchInput struct {
	Query string
	Limit int
}

func (c *call) search(ctx context.Context, in searchInput) (answer, error) {
	out, err := brain.SearchTexts.Run(ctx, c.brain, brain.SearchInput{
		Scope: c.scope, Query: in.Query, Limit: limited(in.Limit), Asker: memory.OriginAgent,
	})
	if err != nil {
		return answer{}, err
	}
	facts := searchFacts{Found: make([]foundFact, len(out.Found)), Filters: out.Filters}
	for i, f := range out.Found {
		facts.Found[i] = found(f)
	}
	switch {
	case out.Documents == 0:
		facts.Note = "There is nothing to read yet: working_memory_note keeps something, and sessions add to it."
	case len(out.Found) == 0:
		facts.Note = "Nothing found: try other words or fewer filters."
	case out.Past:
		facts.Note = "Nothing current answers; all of this belongs to the past."
	}
	var l lines
	if len(facts.Filters) > 0 {
		l.add("Filters: %s", strings.Join(facts.Filters, ", "))
	}
	l.more("%s", facts.Note)
	for _, f := range facts.Found {
		head := []string{f.Kind}
		for _, part := range []string{f.Title, f.Where, f.At, "from " + f.Origin, f.Doubt, f.ID} {
			if part != "" {
				head = append(head, part)
			}
		}
		l.add("- [%s] %s", strings.Join(head, " · "), f.Text)
	}
	// What was shown was shown: that it could not be counted is no failure.
	_, _ = brain.UseCrystals.Run(ctx, c.brain, brain.UseInput{IDs: readFirst(out.Found)})
	return answer{facts, l.String()}, nil
}

// readFirst are the few that were probably read.
func readFirst(found []brain.Found) (ids []memory.CrystalID) {
	const few = 3 // as the command line counts
	for _, f := range found[:min(len(found), few)] {
		if f.Crystal != nil {
			ids = append(ids, f.Crystal.ID)
		}
	}
	return ids
}

func found(f brain.Found) foundFact {
	fact := foundFact{Kind: f.Kind, Where: f.Path, At: when(f.At), Origin: string(f.Origin), Text: f.Excerpt.Text}
	if f.Lines != nil {
		fact.Title, fact.Where = f.Title, fmt.Sprintf("%s:%d-%d", f.Path, f.Lines.First, f.Lines.Last)
	}
	if f.Kind == brain.EntityText {
		fact.Title = f.Title
	}
	if c := f.Crystal; c != nil {
		fact.ID = string(c.ID)
		switch {
		case !c.ValidTo.IsZero():
			fact.Doubt = "held until " + when(c.ValidTo)
		case c.Unsure:
			fact.Doubt = "the code it speaks of has changed since"
		}
	}
	return fact
}

type predictFacts struct {
	Session string     `json:"session,omitempty"`
	Intent  string     `json:"intent,omitempty"`
	Files   []fileFact `json:"files"`
	After   string     `json:"after_tool,omitempty"`
	Tools   []toolFact `json:"tools"`
	Note    string     `json:"note,omitempty"`
}

type toolFact struct {
	Tool    string `json:"tool"`
	Percent int    `json:"percent"`
}

type predictInput struct {
	Session, Tool string
	Limit         int
}

func (c *call) predict(ctx context.Context, in predictInput) (answer, error) {
	out, err := brain.Predict.Run(ctx, c.brain, brain.PredictInput{
		SessionInput: brain.SessionInput{Scope: c.scope, Session: in.Session}, Tool: in.Tool, Limit: limited(in.Limit),
	})
	if err != nil {
		return answer{}, err
	}
	facts := predictFacts{Files: fileFacts(out.Files), After: out.Tool, Tools: make([]toolFact, len(out.Tools))}
	if out.Session != nil {
		facts.Session, facts.Intent = out.Session.ID.String(), out.Session.Intent
	} else {
		facts.Note = "No session of this project is known yet, so nothing can be foretold."
	}
	var l lines
	l.more("Session %s", facts.Session)
	l.more("About: %s", facts.Intent)
	if len(facts.Files) > 0 {
		l.add("Files likely next:")
		l.files(facts.Files)
	}
	for i, t := range out.Tools {
		facts.Tools[i] = toolFact{Tool: t.Tool, Percent: percent(t.Share)}
		if i == 0 {
			l.add("Tools likely after %s:", facts.After)
		}
		l.add("- %s (%d %%)", facts.Tools[i].Tool, facts.Tools[i].Percent)
	}
	if len(out.Tools) == 0 {
		l.more("Last tool: %s", facts.After)
	}
	l.more("%s", facts.Note)
	return answer{facts, l.String()}, nil
}

type statsFacts struct {
	Projects  []projectFact `json:"projects"`
	Store     string        `json:"store"`
	Bytes     int64         `json:"bytes"`
	LastSleep string        `json:"last_sleep,omitempty"`
	Note      string        `json:"note,omitempty"`
}

type projectFact struct {
	Name        string `json:"name"`
	Files       int64  `json:"files"`
	Errors      int64  `json:"errors"`
	Commits     int64  `json:"commits"`
	Sessions    int64  `json:"sessions"`
	Events      int64  `json:"events"`
	Links       int64  `json:"links"`
	Suggestions int64  `json:"suggestions"`
}

func (c *call) stats(ctx context.Context, _ struct{}) (answer, error) {
	out, err := brain.Stats.Run(ctx, c.brain, c.scope)
	if err != nil {
		return answer{}, err
	}
	facts := statsFacts{Projects: []projectFact{}, Store: out.Store.Engine + " " + out.Store.Version, Bytes: out.Store.Bytes}
	var l lines
	for _, p := range out.Projects {
		one := projectFact{Name: p.Name, Files: p.Files, Errors: p.Errors, Commits: p.Commits, Sessions: p.Sessions, Events: p.Events}
		for n := range maps.Values(p.Synapses) {
			one.Links += n
		}
		for n := range maps.Values(p.Suggestions) {
			one.Suggestions += n
		}
		facts.Projects = append(facts.Projects, one)
		l.add("%s: %d files, %d errors, %d commits, %d sessions, %d events, %d links, %d suggestions",
			one.Name, one.Files, one.Errors, one.Commits, one.Sessions, one.Events, one.Links, one.Suggestions)
	}
	if len(facts.Projects) == 0 {
		facts.Note = "Nothing is known of this project yet: hebb init learns its history."
		l.add("%s", facts.Note)
	}
	l.add("Store: %s, %d bytes", facts.Store, facts.Bytes)
	if out.LastSleep != nil {
		facts.LastSleep = when(out.LastSleep.At)
		l.add("Slept last: %s", facts.LastSleep)
	}
	return answer{facts, l.String()}, nil
}

type pinFact struct {
	Title      string `json:"title"`
	Text       string `json:"text,omitempty"`
	Reason     string `json:"reason,omitempty"`
	Origin     string `json:"origin"`
	Everywhere bool   `json:"everywhere,omitempty"`
}

func pinned(p memory.Pin) pinFact {
	fact := pinFact{Title: p.Title, Reason: p.Reason, Origin: string(p.Origin), Everywhere: p.Project == 0}
	if p.Text != p.Title {
		fact.Text = p.Text
	}
	return fact
}

func (l *lines) pin(p pinFact) {
	place := ""
	if p.Everywhere {
		place = ", everywhere"
	}
	l.add("- %s (from %s%s)", p.Title, p.Origin, place)
	l.more("  %s", p.Text)
	l.more("  because: %s", p.Reason)
}

type pinsFacts struct {
	Pins  []pinFact `json:"pins"`
	Bytes int       `json:"bytes"`
	Most  int       `json:"most_bytes"`
}

func (c *call) pins(ctx context.Context, _ struct{}) (answer, error) {
	out, err := brain.Pins.Run(ctx, c.brain, c.scope)
	if err != nil {
		return answer{}, err
	}
	facts := pinsFacts{Pins: make([]pinFact, len(out.Pins)), Bytes: out.Bytes, Most: out.Most}
	var l lines
	for i, p := range out.Pins {
		facts.Pins[i] = pinned(p)
		l.pin(facts.Pins[i])
	}
	if len(out.Pins) == 0 {
		l.add("Nothing is pinned here.")
	}
	l.add("Pins take %d of %d bytes at the start of a session.", facts.Bytes, facts.Most)
	return answer{facts, l.String()}, nil
}

type heatFacts struct {
	Project  string        `json:"project,omitempty"`
	Files    []hotFact     `json:"files"`
	Together []clusterFact `json:"together,omitempty"`
}

type hotFact struct {
	Path    string `json:"path"`
	Tier    string `json:"tier"`
	Heat    string `json:"heat"`
	Touches int64  `json:"touches"`
	LastAt  string `json:"last_at,omitempty"`
	Summary string `json:"summary,omitempty"`
	Note    string `json:"note,omitempty"`
}

type clusterFact struct {
	Files    []string `json:"files"`
	Sessions int      `json:"sessions"`
}

func hot(f brain.HotFile) hotFact {
	return hotFact{
		Path: f.Path, Tier: f.Tier, Heat: fmt.Sprintf("%.2f", f.Heat), Touches: f.Touches, LastAt: when(f.LastAt), Summary: f.Summary, Note: f.Note,
	}
}

func (l *lines) hot(f hotFact) {
	l.add("- %s (%s, heat %s, %d touches, last %s)", f.Path, f.Tier, f.Heat, f.Touches, f.LastAt)
	l.more("  is: %s", f.Summary)
	l.more("  note: %s", f.Note)
}

type heatInput struct {
	Limit int
	Cold  bool
}

func (c *call) heat(ctx context.Context, in heatInput) (answer, error) {
	out, err := brain.Warmth.Run(ctx, c.brain, brain.HeatInput{Scope: c.scope, Limit: in.Limit, Cold: in.Cold})
	if err != nil {
		return answer{}, err
	}
	facts := heatFacts{Project: out.Project, Files: make([]hotFact, len(out.Files))}
	var l lines
	l.more("Project %s", facts.Project)
	for i, f := range out.Files {
		facts.Files[i] = hot(f)
		l.hot(facts.Files[i])
	}
	if len(out.Files) == 0 {
		l.add("No file is in mind here; files warm up as they are worked on.")
	}
	for _, p := range out.Clusters {
		facts.Together = append(facts.Together, clusterFact{Files: []string{p.A, p.B}, Sessions: p.Sessions})
		l.add("- together: %s and %s, in %d sessions", p.A, p.B, p.Sessions)
	}
	return answer{facts, l.String()}, nil
}

type sessionFact struct {
	ID       string `json:"id"`
	Agent    string `json:"agent"`
	At       string `json:"at"`
	Happened string `json:"happened,omitempty"`
	Learned  string `json:"learned,omitempty"`
	Next     string `json:"next,omitempty"`
}

func sessionOf(s memory.Session) sessionFact {
	return sessionFact{
		ID: s.ID.String(), Agent: string(s.Agent), At: when(s.LastEventAt), Happened: s.Happened, Learned: s.Learned, Next: s.Next,
	}
}

func (l *lines) session(s sessionFact) {
	l.add("- %s · %s · %s", s.At, s.Agent, s.ID)
	l.more("  %s", s.Happened)
	l.more("  Learned: %s", s.Learned)
	l.more("  Next: %s", s.Next)
}

func (c *call) recent(ctx context.Context, in struct{ Limit int }) (answer, error) {
	out, err := brain.Shelf.Run(ctx, c.brain, brain.ShelfInput{Scope: c.scope, Limit: in.Limit})
	if err != nil {
		return answer{}, err
	}
	facts := struct {
		Sessions []sessionFact `json:"sessions"`
	}{make([]sessionFact, len(out))}
	var l lines
	for i, s := range out {
		facts.Sessions[i] = sessionOf(s)
		l.session(facts.Sessions[i])
	}
	if len(out) == 0 {
		l.add("No session has ended here yet.")
	}
	return answer{facts, l.String()}, nil
}

type whyFacts struct {
	Lines []shownFact `json:"lines,omitempty"`
	Text  *originFact `json:"remembered,omitempty"`
	Note  string      `json:"note,omitempty"`
}

// shownFact is a line that an agent was shown.
type shownFact struct {
	ID      string   `json:"id"`
	At      string   `json:"at"`
	Path    string   `json:"path"`
	Sure    int      `json:"sure_percent"`
	Why     string   `json:"why"`
	Outcome string   `json:"outcome"`
	Prompt  string   `json:"prompt,omitempty"`
	Beside  []string `json:"beside,omitempty"`
}

// originFact is where something remembered comes from.
type originFact struct {
	ID      string   `json:"id"`
	Kind    string   `json:"kind"`
	Text    string   `json:"text"`
	Project string   `json:"project,omitempty"`
	Said    string   `json:"said"`
	Origin  string   `json:"origin"`
	Source  string   `json:"source,omitempty"`
	Subject string   `json:"subject,omitempty"`
	Until   string   `json:"held_until,omitempty"`
	Doubt   string   `json:"doubt,omitempty"`
	Tied    []string `json:"tied_to,omitempty"`
	Before  []string `json:"took_the_place_of,omitempty"`
	After   []string `json:"became,omitempty"`
}

type whyInput struct {
	ID    string
	Limit int
}

func (c *call) why(ctx context.Context, in whyInput) (answer, error) {
	var facts whyFacts
	if blank(in.ID) {
		list, err := brain.Shown.Run(ctx, c.brain, brain.ShownInput{Scope: c.scope, Limit: limited(in.Limit)})
		if err != nil {
			return answer{}, err
		}
		for _, s := range list {
			facts.Lines = append(facts.Lines, shown(s))
		}
		if len(list) == 0 {
			facts.Note = "No line has been shown here yet."
		}
		return facts.answer(), nil
	}
	kept, err := brain.WhyCrystal.Run(ctx, c.brain, brain.ProvenanceInput{ID: in.ID})
	if err == nil {
		facts.Text = originOf(kept)
		return facts.answer(), nil
	}
	if !errors.Is(err, memory.ErrNotFound) && !errors.Is(err, memory.ErrInvalid) {
		return answer{}, err
	}
	line, err := brain.Why.Run(ctx, c.brain, brain.WhyInput{ID: in.ID})
	if errors.Is(err, memory.ErrNotFound) {
		return answer{}, fmt.Errorf("argument id: nothing remembered and no line shown is called %q: memory_search gives IDs, and why without an ID lists "+
			"what was shown: %w", in.ID, memory.ErrNotFound)
	}
	if err != nil {
		return answer{}, err
	}
	one := shown(line.Suggestion)
	one.Prompt, one.Beside = line.Prompt, line.Beside
	facts.Lines = []shownFact{one}
	return facts.answer(), nil
}

func shown(s memory.Suggestion) shownFact {
	outcome := string(s.Outcome)
	if s.Outcome == memory.Pending {
		outcome = "pending"
	}
	if s.Held {
		outcome += ", withheld"
	}
	return shownFact{ID: s.ID, At: when(s.ShownAt), Path: s.Path, Sure: percent(s.Confidence), Why: s.Reason, Outcome: outcome}
}

func originOf(p brain.Provenance) *originFact {
	f := &originFact{
		ID: string(p.ID), Kind: string(p.Kind), Text: p.Text, Project: p.ProjectName, Said: when(p.SaidAt), Origin: string(p.Origin),
		Source: p.Source, Subject: p.Subject, Until: when(p.ValidTo),
	}
	if p.Unsure {
		f.Doubt = "the code it speaks of has changed since"
	}
	for _, a := range p.Anchors {
		f.Tied = append(f.Tied, a.String())
	}
	for _, other := range p.Parents {
		f.Before = append(f.Before, string(other.ID)+" "+scrub.Line(other.Text))
	}
	for _, other := range p.Children {
		f.After = append(f.After, string(other.ID)+" "+scrub.Line(other.Text))
	}
	return f
}

func (f whyFacts) answer() answer {
	var l lines
	for _, s := range f.Lines {
		l.add("- %s · %s · %s (%d %%): %s; %s", s.ID, s.At, s.Path, s.Sure, s.Why, s.Outcome)
		l.more("  Prompt: %s", s.Prompt)
		if len(s.Beside) > 0 {
			l.add("  Beside: %s", strings.Join(s.Beside, ", "))
		}
	}
	if t := f.Text; t != nil {
		l.add("%s %s: %s", t.Kind, t.ID, t.Text)
		l.add("Said %s by %s", t.Said, t.Origin)
		for _, part := range [][2]string{
			{"Project: %s", t.Project}, {"Source: %s", t.Source}, {"About: %s", t.Subject}, {"Held until %s", t.Until}, {"Doubt: %s", t.Doubt},
			{"Tied to: %s", strings.Join(t.Tied, ", ")},
		} {
			l.more(part[0], part[1])
		}
		for _, other := range t.Before {
			l.add("Took the place of %s", other)
		}
		for _, other := range t.After {
			l.add("Became %s", other)
		}
	}
	l.more("%s", f.Note)
	return answer{f, l.String()}
}

// pageNames are the pages that people write.
var pageNames = []string{"soul", "questions", "context", "projects"}

type pageFact struct {
	Name  string `json:"name"`
	Text  string `json:"text"`
	At    string `json:"changed,omitempty"`
	Stale string `json:"stale,omitempty"`
}

func (c *call) readIdentity(ctx context.Context, in struct{ Name string }) (answer, error) {
	facts := struct {
		Pages []pageFact `json:"pages"`
		Note  string     `json:"note,omitempty"`
	}{Pages: []pageFact{}}
	var l lines
	for _, name := range pageNames {
		if in.Name != "" && in.Name != name {
			continue
		}
		page, err := brain.ReadPage.Run(ctx, c.brain, brain.ReadInput{Scope: c.scope, Name: name})
		if err != nil {
			return answer{}, err
		}
		if page.Template {
			continue
		}
		one := pageFact{Name: name, Text: fileText(page.Text), At: when(page.At), Stale: page.Stale}
		facts.Pages = append(facts.Pages, one)
		l.add("%s (%s):\n%s", one.Name, strings.TrimSpace(strings.Join([]string{"changed " + one.At, one.Stale}, " ")), one.Text)
	}
	if len(facts.Pages) == 0 {
		facts.Note = "Nobody has written such a page yet: hebb read NAME --edit opens one."
		l.add("%s", facts.Note)
	}
	return answer{facts, l.String()}, nil
}

// fileText is a text out of a file that people edit, without what must not leave it.
func fileText(raw string) string { return strings.TrimRight(scrub.Clean(raw), "\n") }

type procedureFact struct {
	Name  string `json:"name,omitempty"`
	Title string `json:"title,omitempty"`
	Text  string `json:"text,omitempty"`
}

func (c *call) procedure(ctx context.Context, in struct{ Topic string }) (answer, error) {
	facts := struct {
		Procedures []procedureFact `json:"procedures"`
		Also       []string        `json:"also,omitempty"`
		Note       string          `json:"note,omitempty"`
	}{Procedures: []procedureFact{}}
	var l lines
	if blank(in.Topic) {
		all, err := brain.Procedures.Run(ctx, c.brain, struct{}{})
		if err != nil {
			return answer{}, err
		}
		for _, p := range all.Procedures {
			facts.Procedures = append(facts.Procedures, procedureFact{Name: p.Name, Title: p.Title})
			l.add("- %s: %s", p.Name, p.Title)
		}
		if len(all.Procedures) == 0 {
			facts.Note = "No procedures are written yet: they are Markdown files in " + all.Folder
			l.add("%s", facts.Note)
		}
		c.passedOver(all.Problems)
		return answer{facts, l.String()}, nil
	}
	out, err := brain.HowTo.Run(ctx, c.brain, brain.ProcedureInput{Scope: c.scope, Topic: in.Topic})
	if err != nil {
		return answer{}, err
	}
	c.passedOver(out.Problems)
	one := procedureFact{Name: out.Name, Title: out.Title, Text: fileText(out.Text)}
	facts.Procedures, facts.Also = append(facts.Procedures, one), out.Also
	if heading := strings.Join(slices.DeleteFunc([]string{one.Name, one.Title}, blank), ": "); heading != "" {
		l.add("%s", heading)
	}
	l.add("%s", one.Text)
	if len(out.Also) > 0 {
		l.add("Also: %s", strings.Join(out.Also, ", "))
	}
	return answer{facts, l.String()}, nil
}

func (c *call) passedOver(problems []string) {
	for _, p := range problems {
		c.warnings = append(c.warnings, "procedure passed over: "+p)
	}
}
