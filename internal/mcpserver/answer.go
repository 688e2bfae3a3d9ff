package mcpserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
)

// answer is what a tool found or did. Facts and text say the same: some clients show the model only the one, some only the
// other.
type reply struct {
	facts any // becomes a JSON object
	text  string
}

// result makes an answer fit to be shown.
func (a reply) result(warnings []string) (*mcp.CallToolResult, error) {
	raw, err := json.Marshal(a.facts)
	if err != nil {
		return nil, fmt.Errorf("write the answer: %w", err)
	}
	if len(warnings) > 0 {
		list, err := json.Marshal(warnings)
		if err != nil {
			return nil, fmt.Errorf("write the answer: %w", err)
		}
		raw = bytes.TrimSuffix(raw, []byte("}"))
		if len(raw) > len("{") {
			raw = append(raw, ',')
		}
		raw = append(append(append(raw, `"warnings":`...), list...), '}')
		for _, w := range warnings {
			a.text += "\nWarning: " + w
		}
	}
	facts, err := display(raw)
	if err != nil {
		return nil, err
	}
	return &mcp.CallToolResult{
		Content:           []mcp.Content{&mcp.TextContent{Text: scrub.Display(strings.TrimRight(a.text, "\n"))}},
		StructuredContent: facts,
	}, nil
}

// display passes every text inside a JSON value through scrub, and leaves the order of its fields as it is.
func display(raw json.RawMessage) (json.RawMessage, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var out bytes.Buffer
	type level struct {
		object bool
		values int // names of an object count, too
	}
	var open []level
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) && len(open) == 0 {
			return out.Bytes(), nil
		}
		if err != nil {
			return nil, fmt.Errorf("write the answer: %w", err)
		}
		end := token == json.Delim('}') || token == json.Delim(']')
		if n := len(open); n > 0 && !end {
			in := &open[n-1]
			switch {
			case in.object && in.values%2 == 1:
				out.WriteByte(':')
			case in.values > 0:
				out.WriteByte(',')
			}
			in.values++
		}
		switch v := token.(type) {
		case json.Delim:
			out.WriteRune(rune(v))
			if end {
				open = open[:len(open)-1]
			} else {
				open = append(open, level{object: v == '{'})
			}
		case string:
			out.Write(quoted(scrub.Display(v)))
		case json.Number:
			out.WriteString(v.String())
		default: // true, false, null
			out.Write(quoted(v))
		}
	}
}

// refusal is an error as an agent can use it: what was wrong and what to do, inside a result. It is no error of the protocol,
// which many clients keep from the model.
func refusal(tool string, err error) *mcp.CallToolResult {
	return &mcp.CallToolResult{
		IsError: true,
		Content: []mcp.Content{&mcp.TextContent{Text: scrub.Display(complaint(tool, err))}},
	}
}

// complaint is an error without the words that only sort it, with the tool before it.
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

// lines builds the text of an answer.
type lines struct{ strings.Builder }

func (l *lines) add(format string, args ...any) { fmt.Fprintf(l, format+"\n", args...) }

// more adds a line if there is something to say.
func (l *lines) more(format, value string) {
	if value != "" {
		l.add(format, value)
	}
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
