package code

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// mask blanks comments, strings and what is no code, so that the rest can be read without a thought of them. Places and
// lines stay as they are. It is no parser: where it errs about a string, the end of the line mostly sets it right.
func (g *grammar) mask(source []byte) string {
	m := masker{grammar: g, source: string(source), out: bytes.Clone(source), patience: 1<<20 + 2*len(source)}
	m.starts = g.openings()
	at := 0
	if g.embedded[0] != "" {
		at = m.outside(0)
	}
	for at < len(source) {
		switch b := source[at]; {
		case b == '\n' && m.resume > at:
			at = m.blank(at, m.resume)
			continue
		case !m.starts[b]:
		case g.embedded[2] != "" && m.has(at, g.embedded[2]):
			at = m.outside(at)
			continue
		default:
			if end, isString := m.text(at); end > at {
				m.blank(at, end)
				if isString {
					m.keep(at, end)
				}
				at = end
				continue
			}
		}
		if b := source[at]; b > ' ' {
			m.last = b
		}
		at++
	}
	return string(m.out)
}

type masker struct {
	*grammar
	source string
	out    []byte
	starts [256]bool // bytes with which something begins that is no code
	last   byte      // of code
	resume int       // where the code goes on after the texts that follow this line
	// patience is how many bytes may still be searched for the end of a text: many that never end would take for ever.
	patience int
}

func (g *grammar) openings() (starts [256]bool) {
	all := append(append([]string{g.embedded[2]}, g.comments...), g.heredocs...)
	for _, b := range g.blocks {
		all = append(all, b[0])
	}
	for _, q := range g.quotes {
		all = append(all, q.open)
	}
	for _, open := range all {
		if open != "" {
			starts[open[0]] = true
		}
	}
	starts['/'] = starts['/'] || g.patterns
	return starts
}

func (m *masker) has(at int, what string) bool { return strings.HasPrefix(m.source[at:], what) }

// past is the place after the next mark, or the end.
func (m *masker) past(at int, mark string) int {
	at = min(at, len(m.source))
	if n := strings.Index(m.source[at:], mark); n >= 0 {
		return at + n + len(mark)
	}
	return len(m.source)
}

func (m *masker) lineEnd(at int) int {
	if n := strings.IndexByte(m.source[at:], '\n'); n >= 0 {
		return at + n
	}
	return len(m.source)
}

func (m *masker) blank(from, to int) int {
	for i := from; i < to; i++ {
		if b := m.out[i]; b != '\n' && b != '\r' {
			m.out[i] = ' '
		}
	}
	return to
}

// joint marks a line that begins inside of a string.
const joint = '\x01'

// keep leaves of a string that it is there, and where a line goes on after it.
func (m *masker) keep(at, end int) {
	m.last, m.out[at] = '"', '"'
	if line := strings.LastIndexByte(m.source[at:end], '\n') + 1; line > 0 && at+line < end {
		m.out[at+line] = joint
	}
}

// outside blanks the markup up to the next piece of code.
func (m *masker) outside(at int) int {
	return m.blank(at, m.past(m.past(at, m.embedded[0]), m.embedded[1]))
}

// text finds the end of what begins here and is no code, and returns the place itself if that is code.
func (m *masker) text(at int) (end int, isString bool) {
	for _, block := range m.blocks {
		if m.has(at, block[0]) {
			return m.blockEnd(at+len(block[0]), block), false
		}
	}
	for _, open := range m.comments {
		if m.has(at, open) && !m.has(at, "#[") {
			return m.lineEnd(at), false
		}
	}
	for _, open := range m.heredocs {
		if m.has(at, open) {
			return m.heredoc(at, at+len(open)), true
		}
	}
	for _, q := range m.quotes {
		if m.has(at, q.open) {
			return m.quoted(at, q), true
		}
	}
	if m.patterns && m.source[at] == '/' && strings.IndexByte("\x00(,=:[!&|?{;+>", m.last) >= 0 {
		if end := m.quoted(at, quote{open: "/", shut: "/", escapes: true}); m.source[end-1] == '/' {
			return end, true
		}
	}
	return at, false
}

func (m *masker) blockEnd(at int, block [2]string) int {
	end := m.past(at, block[1])
	for m.nested && end < len(m.source) {
		inner := strings.Index(m.source[at:end], block[0])
		if inner < 0 {
			break
		}
		at += inner + len(block[0])
		end = m.past(end, block[1])
	}
	return end
}

// quoted finds the end of a string. One that may not hold a line break ends there at the latest.
func (m *masker) quoted(at int, q quote) int {
	if q.char {
		return m.character(at)
	}
	i := at + len(q.open)
	if len(q.open) == 3 && q.open[0] == q.open[2] { // as many quotes as it begins with end it
		for i < len(m.source) && m.source[i] == q.open[0] && i < at+2*len(q.open) {
			i++
		}
		if i == at+2*len(q.open) {
			return i
		}
		q.shut = m.source[at:i]
	}
	for ; i < len(m.source); i++ {
		switch {
		case q.escapes && m.source[i] == '\\':
			i++
		case m.source[i] == '\n' && !q.lines:
			return i
		case m.source[i] == q.shut[0] && m.has(i, q.shut):
			return i + len(q.shut)
		}
	}
	return len(m.source)
}

// character finds the end of 'x', and returns the place itself for a quote that means something else.
func (m *masker) character(at int) int {
	rest := m.source[at+1:]
	if strings.HasPrefix(rest, `\`) {
		return m.quoted(at, singleQuote)
	}
	if _, size := utf8.DecodeRuneInString(rest); size < len(rest) && rest[size] == '\'' {
		return at + 1 + size + 1
	}
	return at
}

// heredoc notes the text whose end is named here and begins on the next line.
func (m *masker) heredoc(at, name int) int {
	rest := strings.TrimLeft(m.source[name:m.lineEnd(name)], "'\"` ")
	mark := rest[:wordLength(rest)]
	if mark == "" || m.source[at:name] == "<<" && !isLoud(mark) { // a << b appends
		return at
	}
	for line := max(m.lineEnd(at), m.resume); line < len(m.source) && m.patience > 0; {
		next := m.lineEnd(min(line+1, len(m.source)))
		if strings.HasPrefix(strings.TrimLeft(m.source[min(line+1, next):next], " \t"), mark) {
			m.resume = next
			break
		}
		m.patience -= next - line
		line = next
	}
	return name
}
