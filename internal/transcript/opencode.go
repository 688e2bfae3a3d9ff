package transcript

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/foreign"
)

// OpenCode and Kilo keep all sessions in one SQLite file (recorded from 1.18.33): session, message and part, of which the
// last two hold JSON. Each session is read as a transcript of its own, in the format of hebb's plugin for them.

// maxMessage cuts what a damaged database may hand out as the data of a message.
const maxMessage = 1 << 20

// rowSession is a session of such a database.
type rowSession struct {
	*foreign.Database
	id, parent, directory string // parent is the outermost
}

// rowPayload is what the plugin hands to hebb hook.
type rowPayload struct {
	Agent     string    `json:"agent"`
	Hook      string    `json:"hook"`
	Directory string    `json:"directory"`
	Parent    string    `json:"parent,omitempty"`
	Input     rowInput  `json:"input"`
	Output    rowOutput `json:"output"`
	Text      string    `json:"text,omitempty"`
	Error     string    `json:"error,omitempty"`
}

type rowInput struct {
	Session string          `json:"sessionID"`
	Tool    string          `json:"tool,omitempty"`
	Call    string          `json:"callID,omitempty"`
	Args    json.RawMessage `json:"args,omitempty"`
}

type rowOutput struct {
	Message  *rowMessage     `json:"message,omitempty"`
	Parts    []rowText       `json:"parts,omitempty"`
	Output   string          `json:"output,omitempty"`
	Metadata json.RawMessage `json:"metadata,omitempty"`
}

type rowMessage struct {
	ID string `json:"id"`
}

type rowText struct {
	Text string `json:"text"`
}

// findRows lists the sessions of a database.
func (h *Histories) findRows(ctx context.Context, t Transcript) error {
	d, err := foreign.OpenDatabase(ctx, t.File)
	if err != nil {
		return err
	}
	h.open = append(h.open, d) // one that is in use is read from a copy, which is made once
	var found []Transcript
	parents := map[string]string{}
	err = d.Rows(foreign.Table{Name: "session", Key: "id", Need: []string{"directory"}}.Each(func(row foreign.Row) {
		one := t
		one.File += "#" + row.Key
		one.rows = &rowSession{Database: d, id: row.Key, parent: row.Text("parent_id"), directory: row.Raw("directory")}
		if at := row.Time("time_updated"); !at.IsZero() {
			one.Changed = at
		}
		one.Size = 0 // unknown for one session
		parents[row.Key] = one.rows.parent
		found = append(found, one)
	}))
	for _, one := range found {
		for range maxDepth { // a circle ends, too
			above := parents[one.rows.parent]
			if above == "" {
				break
			}
			one.rows.parent = above
		}
	}
	h.Transcripts, h.Problems = append(h.Transcripts, found...), append(h.Problems, d.Problems()...)
	return err
}

// readRows reads one session.
func (r *reader) readRows(t Transcript) error {
	d := t.rows.Database
	d.Broken = nil
	r.project, r.last = t.rows.directory, true // rows have no order in time that a later run could go by
	s := &rowTranscript{reader: r, rowSession: *t.rows}
	query := `SELECT p.id, m.id, CAST(m.time_created AS TEXT), CAST(p.time_created AS TEXT),
			substr(CAST(m.data AS TEXT), 1, ` + strconv.Itoa(maxMessage) + `),
			CASE WHEN length(p.data) <= ` + strconv.Itoa(transcriptLine) + ` THEN CAST(p.data AS TEXT) ELSE '' END
		FROM part p JOIN message m ON m.id = p.message_id
		WHERE p.session_id = '` + strings.ReplaceAll(t.rows.id, "'", "''") + `' ORDER BY m.time_created, m.id, p.id`
	if err := d.Each("part", query, []string{"message", "began", "at", "about", "data"}, s.part); err != nil {
		return err
	}
	if d.Broken != nil {
		return fmt.Errorf("the database cannot be read to its end: %w", d.Broken)
	}
	return s.end()
}

type rowTranscript struct {
	*reader
	rowSession
	begun   bool
	message string // whose parts are read
	role    string
	ends    bool // its answer ends a turn
	at      time.Time
	texts   []string
}

// part takes the next part of a message.
func (s *rowTranscript) part(row foreign.Row) error {
	if s.ctx.Err() != nil {
		return s.ctx.Err()
	}
	s.report.Lines++
	s.report.End++
	if id := row.Raw("message"); id != s.message {
		if err := s.end(); err != nil {
			return err
		}
		var about struct {
			Role   string `json:"role"`
			Finish string `json:"finish"`
		}
		if json.Unmarshal([]byte(row.Raw("about")), &about) != nil {
			s.report.Malformed++
			return nil
		}
		s.message, s.role, s.ends, s.at = id, about.Role, about.Finish != "tool-calls", row.Time("began")
		if !s.begun {
			s.begun = true
			if err := s.say(s.at, "begin "+s.id, false, s.payload("session.created")); err != nil {
				return err
			}
		}
	}
	var p struct {
		Type      string `json:"type"`
		Text      string `json:"text"`
		Synthetic bool   `json:"synthetic"`
		Tool      string `json:"tool"`
		Call      string `json:"callID"`
		State     struct {
			Status   string          `json:"status"`
			Input    json.RawMessage `json:"input"`
			Output   string          `json:"output"`
			Error    string          `json:"error"`
			Metadata json.RawMessage `json:"metadata"`
			Time     struct {
				End int64 `json:"end"`
			} `json:"time"`
		} `json:"state"`
	}
	if odd, err := decodeRecord([]byte(row.Raw("data")), &p); err != nil || odd && (p.Type == "text" || p.Type == "tool") {
		s.report.Malformed++
		return nil
	}
	switch {
	case p.Type == "text" && !p.Synthetic && strings.TrimSpace(p.Text) != "":
		if s.texts = append(s.texts, p.Text); s.role == "assistant" {
			s.at = row.Time("at") // what it did came first
		}
	case p.Type == "tool" && (p.State.Status == "completed" || p.State.Status == "error"):
		at := row.Time("at")
		if p.State.Time.End > 0 {
			at = time.UnixMilli(p.State.Time.End).UTC()
		}
		h := s.payload("tool.execute.after")
		h.Input.Tool, h.Input.Call, h.Input.Args = p.Tool, p.Call, p.State.Input
		if h.Output.Output, h.Output.Metadata = p.State.Output, p.State.Metadata; p.State.Status == "error" {
			h.Hook, h.Error = "tool.execute.error", p.State.Error
		}
		return s.say(at, p.Call, true, h)
	}
	return nil
}

func (s *rowTranscript) payload(hook string) rowPayload {
	return rowPayload{Agent: string(s.agent), Hook: hook, Directory: s.directory, Parent: s.parent, Input: rowInput{Session: s.id}}
}

// end reports what the last message said.
func (s *rowTranscript) end() error {
	texts := s.texts
	s.texts = nil
	switch {
	case len(texts) == 0:
		return nil
	case s.role == "user":
		h := s.payload("chat.message")
		h.Output.Message = &rowMessage{s.message}
		for _, text := range texts {
			h.Output.Parts = append(h.Output.Parts, rowText{text})
		}
		return s.say(s.at, s.message, true, h)
	case s.role == "assistant" && s.ends:
		h := s.payload("session.idle")
		h.Text = strings.Join(texts, "\n\n")
		return s.say(s.at, s.message, false, h)
	}
	return nil
}
