package agent

import (
	"bytes"
	"strconv"

	"github.com/hebb-memory/hebb/internal/shell"
	"github.com/hebb-memory/hebb/internal/typed"
)

// Began says who submitted a prompt by the beginning of Head, where Codex has noted how the session
// was begun.
func (s *Seen) Began(head []byte) {
	_, rest, found := bytes.Cut(head, []byte(`"source":`))
	if rest = bytes.TrimLeft(rest, " "); !found || len(rest) == 0 {
		return
	}
	source := helperSource // an object
	if rest[0] == '"' {
		source = string(rest[1:max(bytes.IndexByte(rest[1:], '"')+1, 1)])
	}
	s.Event.Origin = originOf(typed.By(begun(source), s.Event.Text))
}

// Ended makes a failure of the event if the end of its Log says that the call exited with another
// code than 0. A log that does not have the call, or does not have it yet, changes nothing.
func (s *Seen) Ended(log []byte) {
	if s.failed == nil || s.call == "" {
		return
	}
	// Quotes inside a text are escaped, so these stand only where Codex itself has written them.
	id := []byte(`"id":` + strconv.Quote(s.call))
	for len(log) > 0 {
		start := bytes.LastIndexByte(log, '\n') + 1
		line := log[start:]
		log = log[:max(start-1, 0)]
		if !bytes.Contains(line, id) || !bytes.Contains(line, []byte(`"type":"CommandExecution"`)) {
			continue
		}
		_, rest, found := bytes.Cut(line, []byte(`,"exit_code":`))
		digits := rest[:max(bytes.IndexAny(rest, ",}"), 0)]
		if code, err := strconv.Atoi(string(digits)); found && err == nil && code != 0 {
			s.Event, s.Answered = *s.failed, true
			if s.Event.Text == "" {
				s.Event.Text = "Exit code " + strconv.Itoa(code)
			}
		} else if found && err == nil && !shell.Try(s.Event.Input, false, "").Mutes() {
			s.Event.Text = "" // it ended well
		}
		return
	}
}
