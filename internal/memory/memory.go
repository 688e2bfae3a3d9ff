// Package memory holds the nouns of hebb: what an agent did (Event, Touch), where (Project, Place), in which run
// (Session), and the things that can be met again (Neuron). It knows no database, no file and no clock.
package memory

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"time"
)

// The six ways an operation can fail that a caller may want to distinguish. Doors turn them into exit codes and
// statuses once; everything else wraps them with the action and the thing.
var (
	ErrNotFound = errors.New("not found")
	ErrInvalid  = errors.New("invalid")
	ErrConflict = errors.New("conflict")
	ErrRefused  = errors.New("refused")
	ErrDamaged  = errors.New("damaged")
	ErrBusy     = errors.New("busy") // another writer held the store for too long; nothing was changed
)

// Agent is the name of a coding agent, or of another source of events.
type Agent string

// Sources of events that are not coding agents.
const (
	AgentHebb   Agent = "hebb"   // hebb itself
	AgentGit    Agent = "git"    // commits of a repository
	AgentUser   Agent = "user"   // typed by a person at the command line
	AgentPerson Agent = "person" // seen by the daemon: files that a person edits, commands in their shell
)

// EventKind says what happened.
type EventKind string

const (
	SessionStarted EventKind = "session_start"
	Prompted       EventKind = "prompt"
	ToolUsed       EventKind = "tool"
	ToolFailed     EventKind = "tool_fail"
	TurnEnded      EventKind = "turn_end"
	Compacting     EventKind = "pre_compact"
	Compacted      EventKind = "post_compact"
	SubagentBegan  EventKind = "sub_start"
	SubagentEnded  EventKind = "sub_stop"
	SessionEnded   EventKind = "session_end"
	Committed      EventKind = "commit"
	Recorded       EventKind = "record"  // touched by hand, through the command line
	Suggested      EventKind = "suggest" // hebb offered something to the agent
	Resolved       EventKind = "resolve" // an error was traced to the files that fixed it
)

// What hebb itself did with the events before: it belongs into the log because what they taught depends on when it was done. No list of
// what happened shows it.
const (
	Closed EventKind = "closed" // a session: the input is its agent, the text the agent's name of it, and the tool the reason
	Slept  EventKind = "slept"  // over the project; the input is the part, empty for all, the text the number of the sleep, and the tool "undo" where it was undone
	Wired  EventKind = "wired"  // files that something other than use suggests: the tool is its origin, and the text has the links, unless commits say it
)

// OwnEvents are these kinds.
var OwnEvents = []EventKind{Closed, Slept, Wired}

// ToolPlanned is a tool call that an agent is about to make. It is answered and never stored: what the call did is an event of its own.
const ToolPlanned EventKind = "tool_plan"

// Withheld is all that hooks spool of a session for which the person switched hebb off. It is not stored: the session is then marked as
// forgotten, so that nobody learns it from a transcript.
const Withheld EventKind = "withheld"

// OffEnv switches hebb off for a session whose agent has it in its environment, and is neither empty nor 0.
const OffEnv = "HEBB_OFF"

// Unknown is an event that a later program made, with a kind or in a form that this one does not know. It is kept and handed on, and nothing is
// made of it.
const Unknown EventKind = "unknown"

// WideCommit stands in Event.Tool for a commit of too many files to show what belongs together. It names
// only files that were moved or deleted.
const WideCommit = "wide"

// EventKinds lists every kind, in the order a session usually meets them.
var EventKinds = []EventKind{
	SessionStarted, Prompted, ToolUsed, ToolFailed, SubagentBegan, SubagentEnded,
	Compacting, Compacted, TurnEnded, SessionEnded, Committed, Recorded, Suggested, Resolved,
}

// Said reports whether the event carries words of a person or of an agent, which outlive observations when room
// runs out.
func (k EventKind) Said() bool {
	return k == Prompted || k == TurnEnded || k == Compacted || k == Recorded || k == Resolved
}

// Origin says where a memory comes from. It is a column, never a matter of wording, and a derived memory takes the
// lowest tier of its sources.
type Origin string

const (
	OriginUser   Origin = "user"
	OriginAgent  Origin = "agent"
	OriginFile   Origin = "file" // a memory that an agent keeps by itself, or rules that people wrote for it; see FileSource
	OriginTeam   Origin = "team"
	OriginRepo   Origin = "repo"
	OriginTool   Origin = "tool"
	OriginWeb    Origin = "web"
	OriginImport Origin = "import"
)

// Origins lists the tiers, most trusted first.
var Origins = []Origin{OriginUser, OriginAgent, OriginFile, OriginTeam, OriginRepo, OriginTool, OriginWeb, OriginImport}

// Tier is the place of an origin among all, 0 for the most trusted; an unknown one comes last.
func (o Origin) Tier() int {
	if i := slices.Index(Origins, o); i >= 0 {
		return i
	}
	return len(Origins)
}

// Name is an origin as people and agents read it. What is observed of tools, and what hebb makes of that by rules, is hebb's; an unknown origin is
// not repeated.
func (o Origin) Name() string {
	switch {
	case o == OriginTool || o == "":
		return "hebb"
	case slices.Contains(Origins, o):
		return string(o)
	}
	return "unknown source"
}

// TouchKind says how a file was touched.
type TouchKind string

const (
	Edit    TouchKind = "edit"
	Mention TouchKind = "mention"
	Read    TouchKind = "read"
	Delete  TouchKind = "delete"
	Rename  TouchKind = "rename"
)

// Touch is one file in one event.
type Touch struct {
	Kind TouchKind `json:"kind"`
	// Path is relative to the project's root with forward slashes, or absolute when the file lies outside it, in the
	// escaped form of EscapePath.
	Path string `json:"path"`
	// From is what a renamed file was called before, escaped like Path; empty for every other kind.
	From string `json:"from,omitempty"`
}

// Place is where an event happened, as the machine that saw it resolved it.
type Place struct {
	// Identity is what makes the project this project: its history or, where there is none, the folder. While Mark is set it is
	// only the git common directory: which project lies there is not known yet.
	Identity string `json:"identity"`
	// Root is the top of the work tree; worktrees and clones of one repository differ here and share the Identity.
	Root string `json:"root"`
	// Mark tells the repository at this path from one that lay there before. It is empty once the project is known.
	Mark string `json:"mark,omitempty"`
}

// Project returns the ID of the project at this place. While that is not known it is one that has no memories.
func (p Place) Project() ProjectID {
	if p.Mark != "" {
		return NewProjectID(p.OwnIdentity())
	}
	return NewProjectID(p.Identity)
}

// Settled is the place with a project of its own, if nobody could say which one lies there.
func (p Place) Settled() Place {
	if p.Mark != "" {
		p.Identity, p.Mark = p.OwnIdentity(), ""
	}
	return p
}

// Event is one thing that a hook, the command line or git history saw. It is immutable.
type Event struct {
	ID EventID `json:"id"`
	// Version is that of its form, if it is a later one than the first.
	Version int       `json:"version,omitempty"`
	At      time.Time `json:"at"`
	// Ahead is the time that the clock of its machine gave it, if that was still to come when it arrived. At is when it arrived.
	Ahead  time.Time `json:"ahead,omitzero"`
	Kind   EventKind `json:"kind"`
	Origin Origin    `json:"origin"`
	Agent  Agent     `json:"agent"`
	// AgentSession is the agent's own name for the run; empty outside any session (a commit).
	AgentSession string `json:"agent_session,omitempty"`
	// Subagent names the helper inside the session that acted, if one did.
	Subagent string `json:"subagent,omitempty"`
	// Place is where it was seen; a stored event names its project instead.
	Place Place  `json:"place,omitzero"`
	Tool  string `json:"tool,omitempty"`
	// Input is what was asked of the tool: a command, a pattern, a query.
	Input string `json:"input,omitempty"`
	// Text is what was said (prompt, error, closing message, commit's subject), or what a call will add.
	Text    string  `json:"text,omitempty"`
	Touches []Touch `json:"touches,omitempty"`
	// ResultBytes is the size of what the agent read as the tool's answer; nil where it was not measured. The answer
	// itself is not kept, unless it says that the call failed.
	ResultBytes *int64 `json:"result_bytes,omitempty"`
}

// StoredEvent is an event in its place: its project, its session and its position there.
type StoredEvent struct {
	Event
	Project ProjectID `json:"project"`
	Session SessionID `json:"session,omitzero"`
	Ord     int64     `json:"ord,omitempty"`
}

// Ended is the session whose end a Closed event tells.
func (e StoredEvent) Ended() SessionID { return NewSessionID(Agent(e.Input), e.Text, e.Project) }

// UnmarshalJSON reads an event of an export, as ReadEvent does.
func (e *StoredEvent) UnmarshalJSON(data []byte) error {
	var place struct {
		Project ProjectID
		Session SessionID
		Ord     int64
	}
	err := json.Unmarshal(data, &place)
	read, failed := ReadEvent(data)
	*e = StoredEvent{Event: read, Project: place.Project, Session: place.Session, Ord: place.Ord}
	return errors.Join(err, failed)
}

// ReadEvent reads an event as it travels. One of a version or a kind that only a later program knows becomes an Unknown one, whose text is all of it.
func ReadEvent(data []byte) (e Event, err error) {
	err = json.Unmarshal(data, &e)
	var other *json.UnmarshalTypeError // a later version may write a field in another way
	if e.Version > 1 && errors.As(err, &other) {
		err = nil
	}
	known := e.Kind == Unknown || e.Kind == Withheld || e.Version <= 1 && (e.Kind == "" || slices.Contains(EventKinds, e.Kind) || slices.Contains(OwnEvents, e.Kind))
	if err != nil || known {
		return e, err
	}
	return Event{
		ID: e.ID, Version: e.Version, At: e.At, Kind: Unknown, Origin: e.Origin, Agent: e.Agent, AgentSession: e.AgentSession, Place: e.Place,
		Text: string(bytes.TrimSpace(data)),
	}, nil
}

// Hash is the fingerprint of the event as it travels: the same on every machine and in every project.
func (e Event) Hash() int64 {
	told, result := e.At, ""
	if !e.Ahead.IsZero() {
		told = e.Ahead
	}
	if e.ResultBytes != nil {
		result = strconv.FormatInt(*e.ResultBytes, 10)
	}
	parts := []string{
		strconv.Itoa(max(e.Version, 1)), string(e.ID), strconv.FormatInt(told.UnixMilli(), 10), string(e.Kind), string(e.Origin), string(e.Agent),
		e.AgentSession, e.Subagent, e.Tool, e.Input, e.Text, result,
	}
	for _, t := range e.Touches {
		parts = append(parts, string(t.Kind), t.Path, t.From)
	}
	return ContentHash(parts...)
}

// CloseReason says why a session was closed.
type CloseReason string

const (
	ClosedByAgent  CloseReason = "ended"   // the agent said so
	ClosedByWrapUp CloseReason = "wrap_up" // the person or the agent wrapped it up
	ClosedByIdle   CloseReason = "idle"    // nothing happened for a while
	ClosedByOrphan CloseReason = "orphan"  // found open long after its last event
)

// Session is one run of one agent in one project.
type Session struct {
	ID           SessionID   `json:"id"`
	Project      ProjectID   `json:"project"`
	Agent        Agent       `json:"agent"`
	AgentSession string      `json:"agent_session"`
	OpenedAt     time.Time   `json:"opened_at"`
	LastEventAt  time.Time   `json:"last_event_at"`
	ClosedAt     time.Time   `json:"closed_at,omitzero"`
	CloseReason  CloseReason `json:"close_reason,omitempty"`
	// Recovered marks a session that nobody closed in time.
	Recovered bool `json:"recovered,omitempty"`
	// Ticked says that this session has moved its project's clock; reopening and closing again does not move it twice.
	Ticked bool   `json:"ticked"`
	Intent string `json:"intent,omitempty"`
	// IntentByHand says that a person set the intent; it does not follow the prompts then.
	IntentByHand bool  `json:"intent_by_hand,omitempty"`
	Events       int64 `json:"events"`
	// Happened, Learned and Next are what is left of it: by rules, unless the agent or a person said it.
	Happened  string    `json:"happened,omitempty"`
	Learned   string    `json:"learned,omitempty"`
	Next      string    `json:"next,omitempty"`
	SummaryBy Origin    `json:"told_by,omitempty"` // tool: by rules
	SummaryAt time.Time `json:"told_at,omitzero"`  // zero: its summary is still to come
}

// HasOwnSummary reports whether the user or the agent wrote the summary. Rules never replace such a summary.
func (s Session) HasOwnSummary() bool { return s.SummaryBy == OriginUser || s.SummaryBy == OriginAgent }

// WithoutDerivedSummary drops a summary that rules derived, so that they derive it again. Call it when the session continues.
func (s Session) WithoutDerivedSummary() Session {
	if !s.HasOwnSummary() {
		s.Happened, s.Learned, s.Next, s.SummaryBy, s.SummaryAt = "", "", "", "", time.Time{}
	}
	return s
}

// Open reports whether the session is still running.
func (s Session) Open() bool { return s.ClosedAt.IsZero() }

// Project is a body of work: a git repository with all its worktrees, or a plain folder.
type Project struct {
	ID       ProjectID `json:"id"`
	Identity string    `json:"identity"`
	Root     string    `json:"root"`
	Name     string    `json:"name"`
	Tagged   bool      `json:"tagged,omitempty"` // a person chose the name
	FirstAt  time.Time `json:"first_at"`
	LastAt   time.Time `json:"last_at"`
	// Clock counts the sessions closed in this project: the clock on which file heat fades.
	Clock int64 `json:"clock"`
}

// NeuronKind says what sort of thing a neuron is.
type NeuronKind string

const (
	FileNeuron  NeuronKind = "file"
	ErrorNeuron NeuronKind = "error" // an error that was met, by what makes it the same error
)

// Neuron is a thing that can be met again.
type Neuron struct {
	ID       NeuronID   `json:"id"`
	Project  ProjectID  `json:"project"`
	Kind     NeuronKind `json:"kind"`
	Key      string     `json:"key"`
	Accesses int64      `json:"accesses"`
	FirstAt  time.Time  `json:"first_at"`
	LastAt   time.Time  `json:"last_at"`
	// Links counts the synapses it is an end of.
	Links int64 `json:"links"`
	// Ignored counts the offers in a row that nobody took up.
	Ignored int64 `json:"ignored,omitempty"`
	// Gone says that it was deleted or renamed away.
	Gone bool `json:"gone,omitempty"`
}

// Count counts an access.
func (n *Neuron) Count(at time.Time) {
	n.Accesses++
	if at.Before(n.FirstAt) {
		n.FirstAt = at
	}
	if at.After(n.LastAt) {
		n.LastAt = at
	}
}

// Pin is a memory that never goes, unique by its title.
type Pin struct {
	Crystal CrystalID `json:"crystal"`
	Project ProjectID `json:"project,omitzero"` // 0: everywhere
	Title   string    `json:"title"`
	Text    string    `json:"text"`
	Reason  string    `json:"reason,omitempty"`
	Origin  Origin    `json:"origin"`
	At      time.Time `json:"at"`
}

// Waiting reports whether the pin is only a proposal: somebody else than the person made it, and the person has not accepted it.
func (p Pin) Waiting() bool { return p.Origin != OriginUser }

// Outcome is what became of a suggestion.
type Outcome string

const (
	Pending  Outcome = ""
	Used     Outcome = "used"    // the session changed the file afterwards
	Opened   Outcome = "opened"  // it read the file
	Ignored  Outcome = "ignored" // it touched other files, not this one
	Unjudged Outcome = "unknown" // it touched nothing more, which says nothing
)

// Offer is why something was suggested.
type Offer string

const (
	OfferFile       Offer = "file"       // recalled for the task
	OfferFix        Offer = "fix"        // fixed this error before
	OfferPreload    Offer = "preload"    // so likely that it is named first
	OfferMemory     Offer = "memory"     // something said or noted that bears on the work
	OfferCommand    Offer = "command"    // an invocation that worked where this one failed
	OfferConvention Offer = "convention" // how most files of the project are named, or where their tests are
	OfferContext    Offer = "context"    // the text of a session start, as a whole
)

// Moment is when something was shown.
type Moment string

const (
	AtStart    Moment = "start"
	AtPrompt   Moment = "prompt"
	AtEdit     Moment = "edit"     // before a file is changed
	AtCommand  Moment = "command"  // before a command runs
	AtError    Moment = "error"    // after a tool failed
	AtCompact  Moment = "compact"  // after the agent's context was compacted
	AtSubagent Moment = "subagent" // when a subagent begins
)

// Moments are all of them, as a session meets them.
var Moments = []Moment{AtStart, AtCompact, AtPrompt, AtEdit, AtCommand, AtError, AtSubagent}

// Suggestion is one line that was shown to an agent, or withheld for comparison. On its way to the store, in the text of
// a Suggested event, it has neither ID nor place nor time: those are the event's.
type Suggestion struct {
	ID         string    `json:"id,omitempty"`
	Project    ProjectID `json:"project,omitzero"`
	Session    SessionID `json:"session,omitzero"`
	Neuron     NeuronID  `json:"neuron,omitzero"`
	Moment     Moment    `json:"moment,omitempty"`
	Offer      Offer     `json:"offer"`
	Position   int       `json:"position,omitempty"`
	Path       string    `json:"path,omitempty"`   // of the file that it names, if any
	Crystal    CrystalID `json:"memory,omitempty"` // of the memory that it shows, if any
	Score      float64   `json:"score"`
	Confidence float64   `json:"confidence"`
	Reason     string    `json:"reason"`
	Tokens     int       `json:"tokens"`
	// Held says that the line was withheld, so that prompts with and without lines can be compared.
	Held      bool      `json:"held,omitempty"`
	ShownAt   time.Time `json:"shown_at,omitzero"`
	Outcome   Outcome   `json:"outcome,omitempty"`
	SettledAt time.Time `json:"settled_at,omitzero"`
}
