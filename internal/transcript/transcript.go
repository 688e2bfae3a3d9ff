// Package transcript reads the session histories that coding agents keep on disk, each record as the payload that the agent
// would have handed to a hook. It only reads: databases are opened for reading or from a copy, and links are not followed.
package transcript

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/foreign"
	"github.com/hebb-memory/hebb/internal/memory"
)

// Agents whose histories are read, by the names that package agent has for them.
const (
	maxDepth = 64 // deeper than any folder an agent keeps

	claudeAgent   memory.Agent = "claude-code"
	codexAgent    memory.Agent = "codex"
	geminiAgent   memory.Agent = "gemini"
	opencodeAgent memory.Agent = "opencode"
	kiloAgent     memory.Agent = "kilo"
)

// Folders are the folders in which agents keep session histories. They need not exist.
func Folders(home string, getenv func(string) string) []string {
	below := func(variable, folder string) string { return cmp.Or(getenv(variable), filepath.Join(home, folder)) }
	codex := below("CODEX_HOME", ".codex")
	data := below("XDG_DATA_HOME", filepath.Join(".local", "share"))
	return []string{
		filepath.Join(below("CLAUDE_CONFIG_DIR", ".claude"), "projects"),
		filepath.Join(codex, "sessions"), filepath.Join(codex, "archived_sessions"),
		filepath.Join(cmp.Or(getenv("GEMINI_CLI_HOME"), home), ".gemini", "tmp"),
		filepath.Join(data, "opencode"), filepath.Join(data, "kilo"),
	}
}

// Transcript is the history of one session or of one subagent in it: a file, or rows of a database.
type Transcript struct {
	Agent   memory.Agent
	File    string // its whole name; of a database with # and the session
	Size    int64
	Changed time.Time

	folder, name string // name lies below the folder, and nothing is read outside
	rows         *rowSession
}

// Record is one event as the agent would have sent it to a hook.
type Record struct {
	At      time.Time
	Payload []byte // for agent.Decode
	// Project is the folder in which the session began, whatever its directory is by now.
	Project string
	// Key is unique in its session. Named says that the payload holds an ID that a hook would have received too, so that an
	// event that a hook recorded is recognised.
	Key   string
	Named bool
	// End is the offset in the transcript after the record.
	End int64
}

// Options say how to read a transcript.
type Options struct {
	// From is the offset up to which records are read but not reported: later ones may refer to them.
	From int64
	// Ended says that the session is over: the last text is its answer, and half a line is damage.
	Ended bool
	// Roots are folders of projects, for agents that store only a hash of the folder.
	Roots []string
	// Private says of a prompt that it has private parts: nothing of its turn is told. nil: none has.
	Private func(prompt string) bool
	// Gone says of a prompt that it was forgotten or never kept: no text of its turn is told. nil: none was.
	Gone func(prompt string) bool
	// Texts takes the texts of the session in their order; its error ends reading. nil: nobody wants them.
	Texts func(Text) error
}

// Report counts what was read of a transcript.
type Report struct {
	End       int64 // offset of the last whole line
	Lines     int
	Malformed int // lines that are no JSON or not what they should be, or have no end
}

// Histories are the transcripts below some folders.
type Histories struct {
	Transcripts []Transcript      // those first that were finished first
	Problems    []foreign.Problem // what could not be looked at
	open        []*foreign.Database
	only        func(by memory.Agent, name string) bool // whether a file is looked at; nil: all are
}

// Close closes the databases; their transcripts cannot be read any more.
func (h *Histories) Close() (err error) {
	for _, d := range h.open {
		err = errors.Join(err, d.Close())
	}
	h.open = nil
	return err
}

// Find lists the transcripts below some folders. Links are not followed. A folder that cannot be read is a problem,
// one that is not there is none.
func Find(ctx context.Context, folders []string) (*Histories, error) { return find(ctx, folders, nil) }

func find(ctx context.Context, folders []string, only func(memory.Agent, string) bool) (*Histories, error) {
	h := &Histories{only: only}
	seen := map[string]bool{}
	for _, dir := range folders {
		real, err := filepath.EvalSymlinks(dir) // the folder itself was named by somebody
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil && seen[real] {
			continue
		}
		seen[real] = true
		if err == nil {
			err = h.findBelow(ctx, real)
		}
		if ctx.Err() != nil {
			return nil, errors.Join(ctx.Err(), h.Close())
		}
		if err != nil {
			h.problem(dir, foreign.Reason(err).Error())
		}
	}
	slices.SortFunc(h.Transcripts, func(a, b Transcript) int {
		return cmp.Or(a.Changed.Compare(b.Changed), cmp.Compare(a.File, b.File))
	})
	return h, nil
}

func (h *Histories) problem(where, what string) {
	h.Problems = append(h.Problems, foreign.Problem{Where: where, What: what})
}

func (h *Histories) findBelow(ctx context.Context, dir string) error {
	f, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // only read
	return fs.WalkDir(f.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && name == ".":
			return err
		case err != nil:
			h.problem(name, foreign.Reason(err).Error())
			return nil
		case entry.IsDir() && strings.Count(name, "/") > maxDepth:
			return fs.SkipDir
		}
		agent := whose(name)
		if entry.IsDir() || agent == "" || h.only != nil && !h.only(agent, name) {
			return nil
		}
		if !entry.Type().IsRegular() {
			h.problem(name, "is no plain file and is not followed")
			return nil
		}
		info, err := entry.Info()
		if err != nil {
			h.problem(name, foreign.Reason(err).Error())
			return nil
		}
		t := Transcript{
			Agent: agent, File: filepath.Join(dir, filepath.FromSlash(name)), Size: info.Size(), Changed: info.ModTime(),
			folder: dir, name: name,
		}
		if agent != opencodeAgent && agent != kiloAgent {
			h.Transcripts = append(h.Transcripts, t)
			return nil
		}
		if err := h.findRows(ctx, t); err != nil {
			h.problem(name, err.Error())
		}
		return nil
	})
}

// whose says by its name which agent wrote a file, "" for none.
func whose(name string) memory.Agent {
	base, ext := path.Base(name), path.Ext(name)
	switch {
	case base == "opencode.db":
		return opencodeAgent
	case base == "kilo.db":
		return kiloAgent
	case strings.HasPrefix(base, "rollout-") && ext == ".jsonl":
		return codexAgent
	case strings.HasPrefix(base, "session-") && (ext == ".jsonl" || ext == ".json") && strings.Contains("/"+name, "/chats/"):
		return geminiAgent
	case ext == ".jsonl" && base != "history.jsonl": // the prompts of all projects once more
		return claudeAgent
	}
	return ""
}

// Fingerprint is a hash of the beginning of a transcript: if it differs, the file is not the one that was read before.
func (t Transcript) Fingerprint(read int64) (string, error) {
	if t.rows != nil {
		return t.rows.id, nil
	}
	f, in, err := t.open()
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }() // only read
	defer in.Close()
	const beginning = 4 << 10 // the first record and its time
	sum := sha256.New()
	if _, err := io.CopyN(sum, in, min(read, beginning)); err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)[:8]), nil
}

// Read calls do for the records of a transcript in order. Malformed ones are counted and skipped; an error of do ends it.
func (t Transcript) Read(ctx context.Context, how Options, do func(Record) error) (Report, error) {
	r := &reader{ctx: ctx, how: how, do: do, agent: t.Agent, calls: map[string]call{}}
	var err error
	if t.rows != nil {
		err = r.readRows(t)
	} else {
		err = r.readFile(t)
	}
	err = cmp.Or(err, r.failed)
	if err != nil {
		return r.report, fmt.Errorf("%s: %w", t.File, err)
	}
	return r.report, nil
}

// reader is one transcript being read.
type reader struct {
	ctx    context.Context
	how    Options
	do     func(Record) error
	agent  memory.Agent
	report Report

	calls   map[string]call // that have no result yet
	project string          // the folder in which the session began
	private []stretch       // turns of which nothing is told: their prompts have private parts
	last    bool            // what is reported now was held back up to the end
	answer  heldAnswer

	behind   []Text // texts that came after the answer that is held back
	withheld bool   // no text of this turn is told: a refusal in it has private parts
	failed   error  // of Options.Texts
}

// stretch is a time from the prompt of a turn up to the next; without an end it lasts.
type stretch struct{ from, to time.Time }

func (s stretch) holds(at time.Time) bool {
	return !at.Before(s.from) && (s.to.IsZero() || at.Before(s.to))
}

// asks reports a prompt. After one with private parts nothing of its turn is told: what the agent did and said speaks of them.
func (r *reader) asks(at time.Time, key string, named bool, payload any, text string) error {
	if n := len(r.private); n > 0 && r.private[n-1].to.IsZero() {
		r.private[n-1].to = at
	}
	r.withheld = false
	err := r.say(at, key, named, payload)
	if r.how.Private != nil && r.how.Private(text) || r.how.Gone != nil && r.how.Gone(text) {
		r.private = append(r.private, stretch{from: at})
	}
	return err
}

// call is a use of a tool as hooks receive it.
type call struct {
	tool  string
	input any
}

// mostCalls bounds the calls without a result: cancelled ones never get one.
const mostCalls = 4096

// called keeps a call until its result comes. What the agent said before it was a word on the way.
func (r *reader) called(id string, c call) {
	if len(r.calls) >= mostCalls {
		clear(r.calls)
	}
	r.calls[id] = c
	r.goesOn()
}

// heldAnswer is the last text of the agent. Only the next record shows whether it ended the turn.
type heldAnswer struct {
	at      time.Time
	message string
	key     string
	text    string
	sure    bool // it says itself that it is the end
	payload hookPayload
}

// end reports the answer that was held back: the turn or the session goes no further.
func (r *reader) end() error {
	a := r.answer
	r.answer = heldAnswer{}
	if a.text == "" {
		return nil
	}
	if a.payload.Event == "AfterAgent" {
		a.payload.Response = a.text
	} else {
		a.payload.Message = a.text
	}
	defer r.catchUp()
	return r.say(a.at, a.key, false, a.payload)
}

// recordReader understands the records of one agent.
type recordReader interface {
	// record takes one line.
	record(line []byte) error
	// end reports what was held back: the session goes no further.
	end() error
}

// errMalformed is returned for a record of a known type that cannot be decoded.
var errMalformed = errors.New("malformed")

func (r *reader) readFile(t Transcript) error {
	f, in, err := t.open()
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // only read
	defer in.Close()
	var records recordReader
	switch t.Agent {
	case codexAgent:
		records = &codexTranscript{reader: r}
	case geminiAgent:
		g := &geminiTranscript{reader: r, reported: map[string]bool{}, name: t.name, root: geminiRoot(f, t.name)}
		if path.Ext(t.name) == ".json" {
			return g.document(in)
		}
		records = g
	default:
		if dir := path.Dir(t.name); path.Base(dir) == "subagents" { // of a session whose transcript lies beside the folder
			if r.private, err = r.privateTurns(f, path.Dir(dir)+".jsonl"); err != nil {
				return err
			}
		}
		records = &claudeTranscript{reader: r}
	}
	return r.eachLine(in, records)
}

// privateTurns are the turns of a session of Claude Code of which nothing is told. A transcript that is not there has none.
func (r *reader) privateTurns(f *os.Root, name string) ([]stretch, error) {
	in, err := filesys.OpenIn(f, filepath.FromSlash(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer in.Close()
	parent := &reader{ctx: r.ctx, how: Options{From: math.MaxInt64, Private: r.how.Private}, agent: r.agent, calls: map[string]call{}}
	err = parent.eachLine(in, claudePrompts{&claudeTranscript{reader: parent}})
	return parent.private, err
}

// open opens the file for reading, and the folder around it, which links do not leave.
func (t Transcript) open() (*os.Root, *os.File, error) {
	f, err := os.OpenRoot(t.folder)
	if err != nil {
		return nil, nil, err
	}
	in, err := filesys.OpenIn(f, filepath.FromSlash(t.name))
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return f, in, nil
}

// passed counts a malformed record and returns any other error.
func (r *reader) passed(err error) error {
	if errors.Is(err, errMalformed) {
		r.report.Malformed++
		return nil
	}
	return err
}

// longestLine is how much of a file is decoded at once. Longer lines, with pictures or the whole output of programs, are malformed.
const longestLine = 64 << 20

// eachLine hands the lines of a file to a reader.
func (r *reader) eachLine(file io.Reader, records recordReader) error {
	in := bufio.NewReaderSize(file, 64<<10)
	for half := false; !half; {
		line, size, err := foreign.ReadLine(in, longestLine)
		if half = errors.Is(err, io.EOF); half {
			err = nil
		}
		if err != nil || r.ctx.Err() != nil {
			return errors.Join(err, r.ctx.Err())
		}
		if half && (len(line) == 0 || !r.how.Ended) {
			break // somebody is writing it
		}
		r.report.End += int64(size)
		if size > longestLine {
			r.report.Malformed++
		}
		if len(line) > 0 {
			r.report.Lines++
			if err := r.passed(records.record(line)); err != nil {
				return err
			}
		}
	}
	if r.last = r.how.Ended; r.last {
		return records.end()
	}
	if r.answer.sure {
		return r.end()
	}
	return nil
}

// tells says whether what is read now is told: not before Options.From, not of private turns or the scribe.
func (r *reader) tells(at time.Time) bool {
	if r.report.End <= r.how.From && !r.last || at.IsZero() || strings.HasPrefix(filepath.Base(r.project), memory.ScribeFolder) {
		return false
	}
	return !slices.ContainsFunc(r.private, func(s stretch) bool { return s.holds(at) })
}

// say reports a record.
func (r *reader) say(at time.Time, key string, named bool, payload any) error {
	if r.failed != nil || !r.tells(at) {
		return r.failed
	}
	data, err := json.Marshal(payload)
	if err != nil {
		return errMalformed // an argument that is no JSON
	}
	return r.do(Record{At: at, Payload: data, Project: r.project, Key: key, Named: named, End: r.report.End})
}

// hookPayload is what Claude Code, Codex and Gemini CLI hand to their hooks.
type hookPayload struct {
	Event      string          `json:"hook_event_name"`
	Session    string          `json:"session_id"`
	Agent      string          `json:"agent_id,omitempty"`
	Cwd        string          `json:"cwd"`
	At         string          `json:"timestamp,omitempty"`
	PromptID   string          `json:"prompt_id,omitempty"`
	TurnID     string          `json:"turn_id,omitempty"`
	Source     string          `json:"source,omitempty"`
	Trigger    string          `json:"trigger,omitempty"`
	Prompt     string          `json:"prompt,omitempty"`
	Response   string          `json:"prompt_response,omitempty"`
	Message    string          `json:"last_assistant_message,omitempty"`
	Summary    string          `json:"compact_summary,omitempty"`
	Tool       string          `json:"tool_name,omitempty"`
	CallID     string          `json:"tool_use_id,omitempty"`
	Input      any             `json:"tool_input,omitempty"`
	ToolAnswer json.RawMessage `json:"tool_response,omitempty"`
	Error      string          `json:"error,omitempty"`
}

// instantOf reads a time as agents write it; zero where there is none.
func instantOf(text string) time.Time {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return time.Time{}
	}
	return at.UTC()
}

// decodeRecord decodes a line. odd reports a field of another type, which the caller judges.
func decodeRecord(line []byte, into any) (odd bool, err error) {
	err = json.Unmarshal(line, into)
	var mismatch *json.UnmarshalTypeError
	if errors.As(err, &mismatch) {
		return true, nil
	}
	if err != nil {
		return false, errMalformed
	}
	return false, nil
}

// textOf is what a value says: a text, a list of parts with texts, or an object with either under output or content.
func textOf(raw json.RawMessage, separator string) (text string) {
	var parts []struct {
		Text string `json:"text"`
	}
	var inside struct {
		Content json.RawMessage `json:"content"`
		Output  string          `json:"output"`
	}
	switch {
	case len(raw) == 0 || json.Unmarshal(raw, &text) == nil:
		return text
	case json.Unmarshal(raw, &inside) == nil:
		return cmp.Or(inside.Output, textOf(inside.Content, separator))
	}
	_ = json.Unmarshal(raw, &parts) // another form says nothing
	var texts []string
	for _, p := range parts {
		if strings.TrimSpace(p.Text) != "" {
			texts = append(texts, p.Text)
		}
	}
	return strings.Join(texts, separator)
}

// quotedText is a text as JSON.
func quotedText(text string) json.RawMessage {
	data, _ := json.Marshal(text) // a string always has a form
	return data
}
