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
			CASE WHEN length(p.data) <= ` + strconv.Itoa(longestLine) + ` THEN CAST(p.data AS TEXT) ELSE '' END
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
			if err := s.hooked(s.at, "begin "+s.id, false, "session.created", fields{}); err != nil {
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
	case p.Type == "text" && !p.Synthetic && s.role == "assistant" && !s.ends:
		s.tell(OnTheWay, row.Time("at"), s.parent, p.Text, call{})
	case p.Type == "text" && !p.Synthetic && strings.TrimSpace(p.Text) != "":
		if s.texts = append(s.texts, p.Text); s.role == "assistant" {
			s.at = row.Time("at") // what it did came first
		}
	case p.Type == "tool" && (p.State.Status == "completed" || p.State.Status == "error"):
		at := row.Time("at")
		if p.State.Time.End > 0 {
			at = time.UnixMilli(p.State.Time.End).UTC()
		}
		hook := "tool.execute.after"
		h := fields{
			"input":  fields{"sessionID": s.id, "tool": p.Tool, "callID": p.Call, "args": p.State.Input},
			"output": fields{"output": p.State.Output, "metadata": p.State.Metadata},
		}
		use, text := call{p.Tool, p.State.Input}, p.State.Output
		if p.State.Status == "error" {
			hook, h["error"] = "tool.execute.error", p.State.Error
			text = p.State.Error
		}
		if p.State.Status == "error" && strings.HasPrefix(text, "The user rejected permission to use this specific tool call") {
			_, words, _ := strings.Cut(text, " with the following feedback: ")
			s.refused(at, s.parent, words, use)
		} else {
			s.tell(Output, at, s.parent, text, use)
		}
		return s.hooked(at, p.Call, true, hook, h)
	}
	return nil
}

// fields is a JSON object.
type fields map[string]any

// hooked reports what the plugin would have handed to hebb hook.
func (s *rowTranscript) hooked(at time.Time, key string, named bool, hook string, h fields) error {
	return s.say(at, key, named, s.fields(hook, h))
}

func (s *rowTranscript) fields(hook string, h fields) fields {
	h["agent"], h["hook"], h["directory"], h["parent"] = s.agent, hook, s.directory, s.parent
	if h["input"] == nil {
		h["input"] = fields{"sessionID": s.id}
	}
	return h
}

// end reports what the last message said.
func (s *rowTranscript) end() error {
	texts := s.texts
	s.texts = nil
	switch {
	case len(texts) == 0:
	case s.role == "user":
		var parts []fields
		for _, text := range texts {
			parts = append(parts, fields{"text": text})
		}
		output := fields{"message": fields{"id": s.message}, "parts": parts}
		return s.asks(s.at, s.message, true, s.fields("chat.message", fields{"output": output}), strings.Join(texts, "\n"))
	case s.role == "assistant" && s.ends:
		return s.hooked(s.at, s.message, false, "session.idle", fields{"text": strings.Join(texts, "\n\n")})
	}
	return nil
}
