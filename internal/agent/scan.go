package agent

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// encoding/json is not used for payloads: it needs the whole text in memory, folds the case of
// keys, and turns every byte that is not UTF-8 into the same replacement character, so that two
// files become one.

const (
	windowSize = 32 << 10 // bytes of the payload held at a time, unless a wanted string is longer
	maxDepth   = 64       // deeper values are skipped; payloads hold nothing of interest below level 5
	maxKey     = 256      // the value of a longer key is skipped
	emptyReads = 100      // reads without data before a reader counts as broken
)

// element stands in a path for any element of an array. No key can look like it: ~ in keys becomes
// ~0.
const element = "/~"

var (
	errTooLong   = errors.New("longer than the read limit")
	errBadEscape = errors.New("bad escape in a string")
)

// visitor receives the scalars of a JSON text in order. A path is a JSON pointer (RFC 6901) with
// element for arrays: /tool_response/filenames/~. It is valid during the call only, and so is the
// text.
type visitor interface {
	// inside reports whether anything in the object or array at path is wanted.
	inside(path []byte) bool
	// wanted says how much is wanted of the scalar at path.
	wanted(path []byte) want
	// visit takes a scalar; kind is '"', '0' (a number), 't', 'f' or 'n'. Of a string that is only
	// measured there is no text.
	visit(path []byte, kind byte, text []byte, size int64)
}

type want uint8

const (
	wantNone want = iota
	wantSize      // of a string; other scalars are skipped
	wantTail      // the same, and the end of the string
	wantText
)

// tailLength is how many bytes of the end of a string are held, as they are written.
const tailLength = 8 << 10

// scanner walks a JSON text. It never recurses.
type scanner struct {
	in      io.Reader
	left    int64 // bytes that may still be read
	dropped int64 // bytes that were read and are no longer held
	buf     []byte
	pos     int // the next byte in buf
	from    int // with hold, buf from here on is still needed
	hold    bool
	err     error // of the last read, due when buf is used up

	see  visitor
	path []byte
	tail []byte // end of the string that is read, with wantTail
	ends bool
	open [maxDepth]level
	deep int
}

// level is one open object or array.
type level struct {
	close byte // } or ]
	path  int  // length of its path
	begun bool // it has a value already
}

// scan walks the first JSON value of in, looking at no more than limit bytes and reading no further
// than it must. What the visitor received before an error is sound: a value cut short by the end of
// the text is not reported.
func scan(in io.Reader, limit int64, see visitor) error {
	s := &scanner{in: in, left: limit, buf: make([]byte, 0, windowSize), see: see}
	err := s.value()
	for err == nil && s.deep > 0 {
		err = s.next()
	}
	// Trailing data is an error if it has come already. More is not waited for: the agent may keep the
	// pipe open.
	if err == nil && len(bytes.TrimLeft(s.buf[s.pos:], " \t\r\n")) > 0 {
		err = errors.New("trailing data after JSON value")
	}
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return fmt.Errorf("payload after %d bytes: %w", s.dropped+int64(s.pos), err)
	}
	return nil
}

// value reads the value at the present path: a scalar whole, of an object or array only its
// beginning.
func (s *scanner) value() error {
	c, err := s.token()
	if err != nil {
		return err
	}
	switch c {
	case '{', '[':
		if s.deep == maxDepth || !s.see.inside(s.path) {
			return s.skipContainer()
		}
		s.open[s.deep] = level{close: c + 2, path: len(s.path)} // in ASCII } is { + 2 and ] is [ + 2
		s.deep++
		return nil
	case '"':
		return s.stringValue(s.see.wanted(s.path))
	}
	return s.literal(s.see.wanted(s.path) == wantText)
}

func (s *scanner) stringValue(w want) error {
	s.tail, s.ends = s.tail[:0], w == wantTail
	text, size, err := s.text(w == wantText)
	s.ends = false
	if err != nil || w == wantNone {
		return err
	}
	if w == wantTail {
		if text, err = unquote(s.tail); err != nil {
			text = nil // it spoils nothing
		}
	}
	if w == wantText {
		if text, err = unquote(text); err != nil {
			return err
		}
		size = int64(len(text))
	}
	s.see.visit(s.path, '"', text, size)
	return nil
}

// next goes on in the innermost open object or array: to its next value or out of it.
func (s *scanner) next() error {
	in := &s.open[s.deep-1]
	s.path = s.path[:in.path]
	c, err := s.token()
	if err != nil {
		return err
	}
	if c == in.close {
		s.deep--
		return nil
	}
	if in.begun {
		if c != ',' {
			return unexpected(c)
		}
		if c, err = s.token(); err != nil {
			return err
		}
	}
	in.begun = true
	if in.close == ']' {
		s.pos-- // c begins the element
		s.path = append(s.path, element...)
		return s.value()
	}
	if c != '"' {
		return unexpected(c)
	}
	return s.member()
}

// member reads the rest of a key, the colon and the value.
func (s *scanner) member() error {
	key, _, err := s.text(true)
	if err != nil {
		return err
	}
	if key, err = unquote(key); err != nil {
		return err
	}
	known := len(key) <= maxKey
	if known {
		s.path = append(s.path, '/')
		for _, b := range key {
			switch b {
			case '~':
				s.path = append(s.path, "~0"...)
			case '/':
				s.path = append(s.path, "~1"...)
			default:
				s.path = append(s.path, b)
			}
		}
	}
	c, err := s.token()
	switch {
	case err != nil:
		return err
	case c != ':':
		return unexpected(c)
	case known:
		return s.value()
	}
	if c, err = s.token(); err != nil {
		return err
	}
	switch c {
	case '{', '[':
		return s.skipContainer()
	case '"':
		return s.stringValue(wantNone)
	}
	return s.literal(false)
}

// text reads the rest of a string. With hold it returns the string as it is written. An escape by
// number (\u001b) counts as two bytes of its size: a control character is one, half of a surrogate
// pair two, most others are three.
func (s *scanner) text(hold bool) (raw []byte, size int64, err error) {
	s.from, s.hold = s.pos, hold
	defer func() { s.hold = false }()
	for escaped := false; ; {
		if err := s.fill(); err != nil {
			return nil, 0, err
		}
		b, i := s.buf[s.pos:], 0
		if escaped {
			size, i, escaped = size+1, 1, false
			if b[0] == 'u' {
				size -= 3 // four digits follow
			}
		}
		size -= int64(i)
		for i < len(b) && b[i] != '"' && b[i] != '\\' {
			i++
		}
		size += int64(i)
		s.pos += min(i+1, len(b))
		if s.ends && i < len(b) && b[i] == '\\' {
			s.keep(b[:i+1])
		} else if s.ends {
			s.keep(b[:i])
		}
		switch {
		case i == len(b):
		case b[i] == '"':
			return s.buf[s.from : s.pos-1], max(size, 0), nil
		default:
			escaped = true
		}
	}
}

// keep holds the end of what was read of a string, from the beginning of a line.
func (s *scanner) keep(part []byte) {
	s.tail = append(s.tail, part[max(len(part)-tailLength, 0):]...)
	if len(s.tail) > tailLength {
		rest := s.tail[len(s.tail)-tailLength/2:]
		_, line, _ := bytes.Cut(rest, []byte(`\n`))
		s.tail = s.tail[:copy(s.tail, line)]
	}
}

// unquote resolves the escapes of a string. Bytes that are not UTF-8 stay as they are.
func unquote(raw []byte) ([]byte, error) {
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw, nil
	}
	out := make([]byte, 0, len(raw))
	for {
		before, _, found := bytes.Cut(raw, []byte(`\`))
		if out = append(out, before...); !found {
			return out, nil
		}
		raw = raw[len(before):]
		r, width, err := escape(raw)
		if err != nil {
			return nil, err
		}
		if low, second, err := escape(raw[width:]); err == nil && utf16.DecodeRune(r, low) != utf8.RuneError {
			r, width = utf16.DecodeRune(r, low), width+second
		}
		out, raw = utf8.AppendRune(out, r), raw[width:] // half of a surrogate pair becomes U+FFFD
	}
}

// escape reads the escape at the beginning of raw.
func escape(raw []byte) (r rune, width int, err error) {
	const letters, meanings = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	if len(raw) < 2 || raw[0] != '\\' {
		return 0, 0, errBadEscape
	}
	if i := strings.IndexByte(letters, raw[1]); i >= 0 {
		return rune(meanings[i]), 2, nil
	}
	if raw[1] == 'u' && len(raw) >= 6 {
		if v, err := strconv.ParseUint(string(raw[2:6]), 16, 16); err == nil {
			return rune(v), 6, nil
		}
	}
	return 0, 0, errBadEscape
}

// literal reads a number, true, false or null whose first byte was just read.
func (s *scanner) literal(wanted bool) error {
	s.pos--
	s.from, s.hold = s.pos, true
	defer func() { s.hold = false }()
	for {
		if err := s.fill(); errors.Is(err, io.EOF) && s.deep == 0 {
			break // a bare number ends with the text
		} else if err != nil {
			return err
		}
		c := s.buf[s.pos]
		if (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') && c != '-' && c != '+' && c != '.' {
			break
		}
		s.pos++
	}
	word := s.buf[s.from:s.pos]
	if len(word) == 0 {
		return unexpected(s.buf[s.pos])
	}
	kind := word[0]
	switch {
	case kind == '-' || kind >= '0' && kind <= '9':
		kind = '0'
	case string(word) != "true" && string(word) != "false" && string(word) != "null":
		return errors.New("unexpected word") // which one is not said: it may be a secret, and errors are kept
	}
	if wanted {
		s.see.visit(s.path, kind, word, int64(len(word)))
	}
	return nil
}

// skipContainer passes over an object or array whose opening was just read. It counts brackets and
// does not check that they match: what nobody wants may be broken.
func (s *scanner) skipContainer() error {
	for open := 1; open > 0; {
		c, err := s.byte()
		if err != nil {
			return err
		}
		switch c {
		case '{', '[':
			open++
		case '}', ']':
			open--
		case '"':
			if _, _, err := s.text(false); err != nil {
				return err
			}
		}
	}
	return nil
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

// fill makes sure that there is a byte at pos. Without hold it drops what is before that.
func (s *scanner) fill() error {
	if s.pos < len(s.buf) {
		return nil
	}
	if !s.hold {
		s.from = s.pos
	}
	held := copy(s.buf, s.buf[s.from:])
	s.dropped += int64(s.from)
	s.buf, s.pos, s.from = s.buf[:held], s.pos-s.from, 0
	for range emptyReads {
		if s.err != nil {
			return s.err
		}
		if held == cap(s.buf) {
			s.buf = slices.Grow(s.buf, held)
		}
		room := s.buf[held:cap(s.buf)]
		if room = room[:min(int64(len(room)), max(s.left, 0))]; len(room) == 0 {
			return errTooLong
		}
		n, err := s.in.Read(room)
		s.buf, s.err, s.left = s.buf[:held+n], err, s.left-int64(n)
		if n > 0 {
			return nil
		}
	}
	return io.ErrNoProgress
}

func unexpected(c byte) error { return fmt.Errorf("unexpected %q", c) }
