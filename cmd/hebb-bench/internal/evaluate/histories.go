package evaluate

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/git"
	"github.com/hebb-memory/hebb/internal/replay"
)

// The words of package replay that the harness uses all over.
type (
	// Commit is one commit of a history.
	Commit = replay.Commit
	// Change is what a commit did to one file.
	Change = git.Change
	// Learner is what the benchmarks examine.
	Learner = replay.Learner
	// Question asks which files come next.
	Question = replay.Question
	// Ranking is the answer of one ranker.
	Ranking = replay.Ranking
	// Mark is how well one ranker answered one question.
	Mark = replay.Mark
	// Series holds the marks of one ranker for one task in one repository.
	Series = replay.Series
)

// AgentSession is what one session of a coding agent was asked and did.
type AgentSession struct {
	ID      string
	Repo    string
	Agent   string
	Actor   string
	Start   time.Time
	Prompts []Prompt
	Events  []SessionEvent
	number  int // among the sessions of a recording, by start
}

// Prompt is what the user wrote.
type Prompt struct {
	At   time.Time
	Text string
}

// SessionEvent is one tool call: read, edit, write and grep name a file of the repository, bash its
// first words.
type SessionEvent struct {
	At     time.Time
	Op     string
	Target string
}

// Changes reports whether the event wrote to a file.
func (e SessionEvent) Changes() bool { return e.Op == "edit" || e.Op == "write" }

// Opens returns the events that opened a file, in order. A search is not one: it names where it
// looked, not what for.
func (s AgentSession) Opens() []SessionEvent {
	var opens []SessionEvent
	for _, e := range s.Events {
		if e.Op == "read" || e.Changes() {
			opens = append(opens, e)
		}
	}
	return opens
}

// End is the time of the last event.
func (s AgentSession) End() time.Time {
	end := s.Start
	for _, e := range s.Events {
		if e.At.After(end) {
			end = e.At
		}
	}
	return end
}

// PromptAt returns the prompt that was being worked on at that time.
func (s AgentSession) PromptAt(at time.Time) string {
	text := ""
	for _, p := range s.Prompts {
		if !p.At.After(at) {
			text = p.Text
		}
	}
	return text
}

// ReadCommits yields the commits of a file in its order. The file holds JSON Lines, plain or gzip.
// It ends with the first line that is not a commit, and the error names file and line.
func ReadCommits(file string) iter.Seq2[Commit, error] { return readLines(file, decodeCommit) }

// ReadSessions yields the sessions of a file as ReadCommits does commits.
func ReadSessions(file string) iter.Seq2[AgentSession, error] { return readLines(file, decodeSession) }

// commitsOf yields the commits of a history file, or of the git repository a folder is in.
func commitsOf(ctx context.Context, path string) iter.Seq2[Commit, error] {
	if !isFolder(path) {
		return ReadCommits(path)
	}
	return replay.History(ctx, git.Repo{Root: path})
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// absolute names a folder by its full path, so that "." has a name too.
func absolute(path string) string {
	if full, err := filepath.Abs(path); err == nil && isFolder(path) {
		return full
	}
	return path
}

// RepoOf returns the name of the repository that a history file or a folder is about: its base name
// without the endings.
func RepoOf(file string) string {
	name := strings.TrimSuffix(filepath.Base(absolute(file)), ".gz")
	return strings.TrimSuffix(name, ".jsonl")
}

// SessionFiles are the two halves of a sessions benchmark: X.commits.jsonl.gz and
// X.sessions.jsonl.gz.
type SessionFiles struct {
	Repo     string
	Commits  string
	Sessions string
}

// PairSessionFiles puts the halves together, in the order in which repositories are first named.
// One half is enough: the other is expected beside it.
func PairSessionFiles(files []string) ([]SessionFiles, error) {
	var pairs []SessionFiles
	for _, file := range files {
		folder, name := filepath.Split(file)
		pair := SessionFiles{}
		for _, half := range []string{".sessions.", ".commits."} {
			if at := strings.LastIndex(name, half); at > 0 {
				before, after := folder+name[:at], name[at+len(half):]
				pair = SessionFiles{name[:at], before + ".commits." + after, before + ".sessions." + after}
			}
		}
		if pair.Repo == "" {
			return nil, fmt.Errorf("%s: the name must hold .commits. or .sessions., as in X.sessions.jsonl.gz", file)
		}
		if !slices.Contains(pairs, pair) {
			pairs = append(pairs, pair)
		}
	}
	return pairs, nil
}

// readLines decodes each line that is not blank. The first error is the last value.
func readLines[T any](file string, decode func([]byte) (T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		f, err := os.Open(file)
		if err != nil {
			yield(none, err)
			return
		}
		defer f.Close()
		r, err := unpacked(f)
		if err != nil {
			yield(none, fmt.Errorf("%s: %w", file, err))
			return
		}
		for number, ended := 1, false; !ended; number++ {
			line, err := r.ReadBytes('\n')
			if ended = errors.Is(err, io.EOF); ended {
				err = nil
			}
			if err == nil && len(bytes.TrimSpace(line)) == 0 {
				continue
			}
			value := none
			if err == nil {
				value, err = decode(line)
			}
			if err != nil {
				yield(none, fmt.Errorf("%s:%d: %w", file, number, err))
				return
			}
			if !yield(value, nil) {
				return
			}
		}
	}
}

// unpacked looks at the content, not at the name, to see whether a file is compressed.
func unpacked(r io.Reader) (*bufio.Reader, error) {
	plain := bufio.NewReaderSize(r, 1<<16)
	if head, _ := plain.Peek(2); !bytes.Equal(head, []byte{0x1f, 0x8b}) { // shorter files are plain
		return plain, nil
	}
	z, err := gzip.NewReader(plain)
	if err != nil {
		return nil, err
	}
	return bufio.NewReaderSize(z, 1<<16), nil
}

func decodeCommit(line []byte) (Commit, error) {
	var in struct {
		Hash    string
		Time    int64
		Bot     bool
		Subject string
		Files   []struct {
			Path, Status, Old string
		}
	}
	if err := json.Unmarshal(line, &in); err != nil {
		return Commit{}, err
	}
	if in.Hash == "" {
		return Commit{}, errors.New("a commit without hash")
	}
	c := Commit{Hash: in.Hash, At: time.Unix(in.Time, 0).UTC(), Bot: in.Bot, Subject: in.Subject}
	c.Files, c.FileCount = make([]Change, len(in.Files)), len(in.Files)
	for i, f := range in.Files {
		if f.Path == "" || f.Status == "" || f.Status[0] == replay.Renamed && f.Old == "" {
			return Commit{}, fmt.Errorf("commit %s: file %d lacks path, status or, if renamed, old path", in.Hash, i+1)
		}
		c.Files[i] = Change{Path: f.Path, Status: f.Status[0], Old: f.Old}
	}
	return c, nil
}

func decodeSession(line []byte) (AgentSession, error) {
	var in struct {
		Repo, Session, Agent, Actor string
		Start                       int64
		Prompts, Events             [][]json.RawMessage // each begins with the seconds since the start
	}
	if err := json.Unmarshal(line, &in); err != nil {
		return AgentSession{}, err
	}
	if in.Session == "" {
		return AgentSession{}, errors.New("a session without name")
	}
	s := AgentSession{
		ID: in.Session, Repo: in.Repo, Agent: in.Agent, Actor: in.Actor, Start: time.Unix(in.Start, 0).UTC(),
		Prompts: make([]Prompt, len(in.Prompts)), Events: make([]SessionEvent, len(in.Events)),
	}
	for i, fields := range in.Prompts {
		p := &s.Prompts[i]
		if err := s.decodeFields(fields, &p.At, &p.Text); err != nil {
			return AgentSession{}, fmt.Errorf("session %s, prompt %d: %w", s.ID, i+1, err)
		}
	}
	for i, fields := range in.Events {
		e := &s.Events[i]
		if err := s.decodeFields(fields, &e.At, &e.Op, &e.Target); err != nil {
			return AgentSession{}, fmt.Errorf("session %s, event %d: %w", s.ID, i+1, err)
		}
	}
	return s, nil
}

// decodeFields reads [seconds since the start, text...].
func (s AgentSession) decodeFields(fields []json.RawMessage, at *time.Time, texts ...*string) error {
	if len(fields) != 1+len(texts) {
		return fmt.Errorf("%d fields, want %d", len(fields), 1+len(texts))
	}
	var seconds float64
	if err := json.Unmarshal(fields[0], &seconds); err != nil {
		return err
	}
	*at = s.Start.Add(time.Duration(seconds * float64(time.Second)))
	for i, text := range texts {
		if err := json.Unmarshal(fields[1+i], text); err != nil {
			return err
		}
	}
	return nil
}
