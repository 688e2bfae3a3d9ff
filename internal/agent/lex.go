package agent

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

const (
	maxLiteral = 64  // bytes of a number that are kept at least
	emptyReads = 100 // reads that bring nothing before a reader counts as broken
)

// text reads the rest of a string into s.kept.
func (s *scanner) text(limit int) error {
	s.kept.reset(limit)
	var high rune // the first half of a surrogate pair, waiting for the second
	for {
		if err := s.fill(); err != nil {
			return err
		}
		b := s.buf[s.pos:s.end]
		i := 0
		for i < len(b) && b[i] != '"' && b[i] != '\\' {
			i++
		}
		if high != 0 && (i > 0 || b[i] == '"') {
			s.kept.addRune(utf8.RuneError)
			high = 0
		}
		s.kept.add(b[:i])
		s.pos += i
		if i == len(b) {
			continue
		}
		s.pos++
		if b[i] == '"' {
			return nil
		}
		r, err := s.escape()
		if err != nil {
			return err
		}
		if high != 0 {
			if pair := utf16.DecodeRune(high, r); pair != utf8.RuneError {
				s.kept.addRune(pair)
				high = 0
				continue
			}
			s.kept.addRune(utf8.RuneError)
			high = 0
		}
		if r >= 0xD800 && r < 0xDC00 {
			high = r
			continue
		}
		s.kept.addRune(r) // a lone second half becomes U+FFFD here
	}
}

// measure passes over a string whose opening quote was just read, and leaves in s.kept how long it is and nothing else.
// It is as patient with broken escapes as skipString. One by number (\u001b) counts as two bytes: a control character
// is one, half of a surrogate pair two, most others are three.
func (s *scanner) measure() error {
	s.kept.reset(0)
	size, escaped := int64(0), false
	for {
		if err := s.fill(); err != nil {
			return err
		}
		b := s.buf[s.pos:s.end]
		for i := 0; i < len(b); i++ {
			if escaped {
				escaped = false
				size++
				if b[i] == 'u' {
					size -= 3 // four digits follow
				}
				continue
			}
			from := i
			for i < len(b) && b[i] != '"' && b[i] != '\\' {
				i++
			}
			size += int64(i - from)
			if i == len(b) {
				break
			}
			if b[i] == '"' {
				s.pos += i + 1
				s.kept.total = max(size, 0)
				return nil
			}
			escaped = true
		}
		s.pos = s.end
	}
}

// escape reads what follows a backslash.
func (s *scanner) escape() (rune, error) {
	c, err := s.byte()
	if err != nil {
		return 0, err
	}
	switch c {
	case '"', '\\', '/':
		return rune(c), nil
	case 'b':
		return '\b', nil
	case 'f':
		return '\f', nil
	case 'n':
		return '\n', nil
	case 'r':
		return '\r', nil
	case 't':
		return '\t', nil
	case 'u':
		var hex [4]byte
		for i := range hex {
			if hex[i], err = s.byte(); err != nil {
				return 0, err
			}
		}
		v, err := strconv.ParseUint(string(hex[:]), 16, 16)
		if err != nil {
			return 0, fmt.Errorf("bad escape \\u%q", hex[:])
		}
		return rune(v), nil
	}
	return 0, s.unexpected(c)
}

// literal reads a number, true, false or null whose first byte was just read, and tells it if limit is not 0.
func (s *scanner) literal(limit int) error {
	s.kept.reset(max(limit, maxLiteral))
	for s.pos--; ; {
		b := s.buf[s.pos:s.end]
		i := 0
		for i < len(b) && (b[i] >= '0' && b[i] <= '9' || b[i] >= 'a' && b[i] <= 'z' || b[i] >= 'A' && b[i] <= 'Z' ||
			b[i] == '-' || b[i] == '+' || b[i] == '.') {
			i++
		}
		s.kept.add(b[:i])
		s.pos += i
		if i < len(b) {
			break
		}
		if err := s.fill(); errors.Is(err, io.EOF) && s.deep == 0 {
			break // a bare number ends with the text
		} else if err != nil {
			return err
		}
	}
	if len(s.kept.buf) == 0 {
		return s.unexpected(s.buf[s.pos])
	}
	kind := s.kept.buf[0]
	switch {
	case kind == '-' || kind >= '0' && kind <= '9':
		kind = '0'
	case string(s.kept.buf) != "true" && string(s.kept.buf) != "false" && string(s.kept.buf) != "null":
		return errors.New("unexpected word") // which one is not said: it may be a secret, and errors are kept
	}
	if limit > 0 {
		s.see.visit(s.path, kind, &s.kept)
	}
	return nil
}

// skipValue passes over one value of any kind.
func (s *scanner) skipValue() error {
	c, err := s.token()
	switch {
	case err != nil:
		return err
	case c == '{' || c == '[':
		return s.skipContainer()
	case c == '"':
		return s.skipString()
	}
	return s.literal(0)
}

// skipContainer passes over an object or array whose opening was just read. It counts brackets and does not look
// whether they match: what nobody wants may be broken.
func (s *scanner) skipContainer() error {
	for open := 1; open > 0; {
		if err := s.fill(); err != nil {
			return err
		}
		b := s.buf[s.pos:s.end]
		i := 0
		for open > 0 && i < len(b) && b[i] != '"' {
			switch b[i] {
			case '{', '[':
				open++
			case '}', ']':
				open--
			}
			i++
		}
		s.pos += i
		if open > 0 && i < len(b) {
			s.pos++
			if err := s.skipString(); err != nil {
				return err
			}
		}
	}
	return nil
}

// skipString passes over a string whose opening quote was just read. Tool output comes this way, megabytes at a time:
// it jumps from quote to quote and looks back whether the quote was escaped.
func (s *scanner) skipString() error {
	escaped := false // an odd number of backslashes stands right before the window
	for {
		if err := s.fill(); err != nil {
			return err
		}
		b := s.buf[s.pos:s.end]
		quote := bytes.IndexByte(b, '"')
		end := quote
		if quote < 0 {
			end = len(b)
		}
		slashes := 0
		for slashes < end && b[end-1-slashes] == '\\' {
			slashes++
		}
		odd := slashes%2 == 1
		if slashes == end && escaped {
			odd = !odd
		}
		if quote < 0 {
			s.pos, escaped = s.end, odd
			continue
		}
		s.pos += quote + 1
		if !odd {
			return nil
		}
		escaped = false
	}
}

// token reads the next byte that is not white space.
func (s *scanner) token() (byte, error) {
	for {
		c, err := s.byte()
		if err != nil || c != ' ' && c != '\n' && c != '\t' && c != '\r' {
			return c, err
		}
	}
}

func (s *scanner) byte() (byte, error) {
	if err := s.fill(); err != nil {
		return 0, err
	}
	s.pos++
	return s.buf[s.pos-1], nil
}

// fill makes sure that the window holds at least one byte.
func (s *scanner) fill() error {
	if s.pos < s.end {
		return nil
	}
	for range emptyReads {
		if s.err != nil {
			return s.err
		}
		room := s.buf[:min(int64(len(s.buf)), max(s.left, 0))]
		if len(room) == 0 {
			return errTooLong
		}
		n, err := s.in.Read(room)
		s.pos, s.end, s.err = 0, n, err
		s.left -= int64(n)
		s.seen += int64(n)
		if n > 0 {
			return nil
		}
	}
	return io.ErrNoProgress
}

func (s *scanner) offset() int64 { return s.seen - int64(s.end-s.pos) }

func (s *scanner) unexpected(c byte) error { return fmt.Errorf("unexpected %q", c) }
