package mcpserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/scrub"
)

// reply is what a tool found or did, worded for a model.
type reply struct{ text []byte }

// line adds a line to the text. What fills it in came from elsewhere: no tag in it closes anything, and each of its own lines is marked.
func (a *reply) line(format string, args ...any) {
	for i, arg := range args {
		if v := reflect.ValueOf(arg); v.Kind() == reflect.String {
			args[i] = quotedLines(scrub.Quote(v.String()))
		}
	}
	a.text = append(fmt.Appendf(a.text, format, args...), '\n')
}

// lineIf adds a line if something is so.
func (a *reply) lineIf(is bool, format string, args ...any) {
	if is {
		a.line(format, args...)
	}
}

// block adds a text of several lines that hebb composed or the person wrote.
func (a *reply) block(text string) { a.text = append(append(a.text, text...), '\n') }

// quotedLines marks every line of a text after the first, so that none of them passes for a line of the answer.
func quotedLines(text string) string {
	return strings.ReplaceAll(strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n").Replace(strings.TrimRight(text, "\r\n")), "\n", "\n  | ")
}

// cited is a text of somebody else than the person in quotation marks.
func cited(origin memory.Origin, text string) string {
	if text == "" || origin == memory.OriginUser {
		return text
	}
	return answer.Quoted(strings.TrimSpace(text))
}

// some adds a line unless the value is empty.
func (a *reply) some(format, value string) { a.lineIf(value != "", format, value) }

// list adds a line with a list, unless that is empty.
func (a *reply) list(format string, values []string) { a.some(format, strings.Join(values, ", ")) }

// result cleans a reply for display and adds the warnings.
func (a reply) result(warnings []string) *mcp.CallToolResult {
	for _, w := range warnings {
		a.text = append(bytes.TrimRight(a.text, "\n"), "\nWarning: "+w...)
	}
	said := &mcp.TextContent{Text: scrub.Display(strings.TrimRight(string(a.text), "\n"))}
	return &mcp.CallToolResult{Content: []mcp.Content{said}}
}

// object is a JSON object whose fields keep their order.
type object []member

type member struct {
	name  string
	value any
}

// objectOf makes an object of names and values. A name that ends in ? is left out if its value is empty.
func objectOf(pairs ...any) object {
	var o object
	for i := 0; i < len(pairs); i += 2 {
		o.set(pairs[i].(string), pairs[i+1])
	}
	return o
}

func (o *object) set(name string, value any) {
	name, optional := strings.CutSuffix(name, "?")
	if v := reflect.ValueOf(value); optional && (v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0) {
		return
	}
	*o = append(*o, member{name, value})
}

// MarshalJSON writes the fields in their order.
func (o object) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for i, m := range o {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(append(out, quoted(m.name)...), ':'), quoted(m.value)...)
	}
	return append(out, '}'), nil
}

// quoted writes a value as JSON, < and > as they are.
func quoted(value any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(value) // schemas and arguments can all be written
	return bytes.TrimSpace(b.Bytes())
}

// refusal is an error as a result that says what was wrong and what to do. Many clients hide errors of the protocol from the model.
func refusal(tool string, err error) *mcp.CallToolResult {
	return &mcp.CallToolResult{
		IsError: true,
		Content: []mcp.Content{&mcp.TextContent{Text: scrub.Display(complaint(tool, err))}},
	}
}

// complaint is the text of an error after the name of the tool, without the sentinel errors at its end.
func complaint(tool string, err error) string {
	said := err.Error()
	for _, sorted := range []error{memory.ErrInvalid, memory.ErrRefused, memory.ErrConflict, memory.ErrDamaged} {
		said = strings.TrimSuffix(said, ": "+sorted.Error())
	}
	if strings.HasPrefix(said, tool+":") || strings.HasPrefix(said, tool+" ") {
		return said
	}
	return tool + ": " + said
}

// when is a time as both facts and text write it.
func when(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02 15:04") + " UTC"
}

// percent is a share of 0 to 1.
func percent(share float64) int { return int(share*100 + 0.5) }

// brief is the beginning of a text, to recognise it by.
func brief(s string) string { return prose.Shorten(scrub.Line(s), 80) }
