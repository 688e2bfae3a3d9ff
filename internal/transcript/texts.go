package transcript

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"
)

// Text is what a transcript has beside its records: hooks do not bring it, or not whole.
type Text struct {
	At   time.Time
	Kind TextKind
	Text string
	// Tool and Input are the call that returned an output or was refused. Input is one line.
	Tool  string
	Input string
}

// TextKind says who wrote a text, and to whom.
type TextKind string

// Kinds of texts.
const (
	OnTheWay TextKind = "on the way" // the agent, but for what it says last
	Refused  TextKind = "refused"    // the person, rejecting a call
	Output   TextKind = "output"     // a tool, to the agent; also of a call that failed
)

// mostText is how many bytes of a text are handed out, its beginning and its end.
const mostText = 64 << 10

const cutMark = " […] "

func bothEnds(text string) string {
	if len(text) <= mostText {
		return text
	}
	const half = (mostText - len(cutMark)) / 2
	return strings.ToValidUTF8(text[:half], "") + cutMark + strings.ToValidUTF8(text[len(text)-half:], "")
}

// tell hands out a text, after the answer that is held back. Nothing of helpers is told.
func (r *reader) tell(kind TextKind, at time.Time, helper, text string, of call) {
	if r.how.Texts == nil || helper != "" || r.withheld || strings.TrimSpace(text) == "" || !r.tells(at) {
		return
	}
	t := Text{At: at, Kind: kind, Text: bothEnds(text), Tool: of.tool, Input: bothEnds(inputLine(of))}
	r.behind = append(r.behind, t)
	if r.answer.text == "" {
		r.catchUp()
	}
}

// refused hands out why a person rejected a call. If that is private, no more texts of the turn are told.
func (r *reader) refused(at time.Time, helper, words string, of call) {
	r.withheld = r.withheld || helper == "" && r.how.Private != nil && r.how.Private(words)
	r.tell(Refused, at, helper, words, of)
}

// goesOn gives up the answer that was held back: it was a word on the way.
func (r *reader) goesOn() {
	a, behind := r.answer, r.behind
	r.answer, r.behind = heldAnswer{}, nil
	r.tell(OnTheWay, a.at, a.payload.Agent, a.text, call{})
	r.behind = behind
	r.catchUp()
}

// catchUp hands out what waited for the answer.
func (r *reader) catchUp() {
	for _, t := range r.behind {
		if r.failed == nil {
			r.failed = r.how.Texts(t)
		}
	}
	r.behind = nil
}

// inputs are the fields that say what a call ran, fetched, looked for or read.
const inputs = "command url query pattern file_path filePath absolute_path notebook_path path prompt"

// inputLine is one of those fields, else the whole input, in one line. Those of MCP servers are whole.
func inputLine(of call) string {
	if c, ok := of.input.(codexCommand); ok {
		return oneLine(c.Command)
	}
	input, _ := of.input.(json.RawMessage)
	var fields map[string]json.RawMessage
	if !strings.HasPrefix(of.tool, "mcp_") {
		_ = json.Unmarshal(input, &fields) // another form is told whole
	}
	for name := range strings.FieldsSeq(inputs) {
		var text string
		if json.Unmarshal(fields[name], &text) == nil && text != "" {
			return oneLine(text)
		}
	}
	var all bytes.Buffer
	_ = json.Compact(&all, input) // what is no JSON says nothing
	return all.String()
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
