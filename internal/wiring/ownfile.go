package wiring

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
)

// ownFile is a file that is all hebb's: a plugin, or the script that an agent runs for an event.
type ownFile struct {
	render func(j job) string
	mark   string // found in hebb's file and not in another of the same name
	event  string // what is missing without it
}

func (f ownFile) put(source []byte, j job) ([]byte, report, error) {
	var r report
	switch {
	case source == nil:
		if f.event != "" {
			r.missing = []string{f.event}
		}
	case !strings.Contains(string(source), f.mark):
		return nil, r, fmt.Errorf("is there already and is not hebb's: move it away, or let it call %s: %w",
			commandLine(j.program, j.settings.agent), memory.ErrConflict)
	default:
		r.ours = true
	}
	return []byte(f.render(j)), r, nil
}

func (f ownFile) take(source []byte, _ job) ([]byte, report, error) {
	if !strings.Contains(string(source), f.mark) {
		return source, report{}, nil
	}
	return nil, report{ours: true}, nil
}

// jsonText writes a value as JSON with a line break at its end, < and > as they are.
func jsonText(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		panic(err) // v is one of our own types
	}
	return b.Bytes()
}
