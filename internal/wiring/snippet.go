package wiring

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
)

// snippetFile puts a section about hebb into the agent's instruction file, between two marks.
type snippetFile struct{}

const (
	snippetBegin = "<!-- hebb:begin -->"
	snippetEnd   = "<!-- hebb:end -->"
)

//go:embed snippet.md
var snippetTemplate string

var snippetText = strings.Replace(snippetTemplate, "{hand over}", memory.HandOver, 1)

// find returns where the snippet is: from the begin of its first line to the end of its last.
func (snippetFile) find(source []byte) (start, end int, err error) {
	start, end = bytes.Index(source, []byte(snippetBegin)), bytes.Index(source, []byte(snippetEnd))
	wrong := func(what string, at int) error {
		return fmt.Errorf("line %d: %s: put the marks right or take them out: %w", 1+bytes.Count(source[:at], []byte("\n")), what, memory.ErrInvalid)
	}
	switch {
	case start < 0 && end < 0:
		return -1, -1, nil
	case start < 0:
		return 0, 0, wrong(snippetEnd+" without "+snippetBegin, end)
	case end < start:
		return 0, 0, wrong(snippetBegin+" without "+snippetEnd, start)
	case bytes.Count(source, []byte(snippetBegin)) > 1 || bytes.Count(source, []byte(snippetEnd)) > 1:
		return 0, 0, wrong("the marks of hebb stand here more than once", bytes.LastIndex(source, []byte(snippetBegin)))
	}
	end += len(snippetEnd)
	if rest := source[end:]; bytes.HasPrefix(rest, []byte("\r\n")) {
		end += 2
	} else if bytes.HasPrefix(rest, []byte("\n")) {
		end++
	}
	return start, end, nil
}

func (f snippetFile) put(source []byte, _ job) ([]byte, report, error) {
	text := snippetBegin + "\n" + snippetText + snippetEnd + "\n"
	start, end, err := f.find(source)
	switch {
	case err != nil:
		return nil, report{}, err
	case start >= 0:
		text = strings.ReplaceAll(text, "\n", newlineOf(source))
		if !bytes.HasSuffix(source[:end], []byte("\n")) {
			text = strings.TrimRight(text, "\r\n")
		}
		return append(append(bytes.Clone(source[:start]), text...), source[end:]...), report{ours: true}, nil
	}
	return withBlock(source, text), report{}, nil
}

// newlineOf is the line break that a text uses.
func newlineOf(source []byte) string {
	if bytes.Contains(source, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

// withBlock appends lines to a text, after an empty line.
func withBlock(source []byte, lines string) []byte {
	newline := newlineOf(source)
	out := bytes.Clone(source)
	if len(out) > 0 && out[len(out)-1] != '\n' {
		out = append(out, newline...)
	}
	if len(bytes.TrimSpace(out)) > 0 {
		out = append(out, newline...)
	}
	return append(out, strings.ReplaceAll(lines, "\n", newline)...)
}

// withoutBlankLine removes an empty line at the end of a text.
func withoutBlankLine(text []byte) []byte {
	rest := bytes.TrimSuffix(bytes.TrimSuffix(text, []byte("\n")), []byte("\r"))
	if len(rest) < len(text) && (len(rest) == 0 || rest[len(rest)-1] == '\n') {
		return rest
	}
	return text
}

func (f snippetFile) take(source []byte, _ job) ([]byte, report, error) {
	start, end, err := f.find(source)
	if errors.Is(err, memory.ErrInvalid) || start < 0 {
		return source, report{}, err
	}
	before := withoutBlankLine(source[:start]) // it came with the snippet
	return append(bytes.Clone(before), source[end:]...), report{ours: true}, nil
}

// WithoutSnippet is the text of a file that an agent reads first, without the words that hebb put there.
func WithoutSnippet(source []byte) ([]byte, error) {
	start, end, err := snippetFile{}.find(source)
	if err != nil || start < 0 {
		return source, err
	}
	return append(bytes.Clone(source[:start]), source[end:]...), nil
}
