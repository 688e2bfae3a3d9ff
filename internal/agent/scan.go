package agent

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// encoding/json is not used for payloads: it needs the whole text in memory, folds the case of keys, and turns every
// byte that is not UTF-8 into the same replacement character, so that two files become one.

const (
	windowSize = 32 << 10 // bytes of the payload held at a time
	maxDepth   = 64       // deeper values are skipped; a payload says nothing of ours below level 5
	maxKey     = 256      // the value of a longer key is skipped
)

// onlySize is the limit of a string of which nothing but its length is wanted.
const onlySize = -1

// element stands in a path for any element of an array. No key can look like it: ~ in keys becomes ~0.
const element = "/~"

var errTooLong = errors.New("longer than the read limit")

// visitor is told the scalars of a JSON text in order. A path is a JSON pointer (RFC 6901) with element for arrays:
// /tool_response/filenames/~. It is valid during the call only.
type visitor interface {
	// inside reports whether anything in the object or array at path is wanted.
	inside(path []byte) bool
	// limit is the number of bytes wanted of the scalar at path; 0 skips it, onlySize measures it. patches says that a
	// patch may stand there, of which only the headers are wanted.
	limit(path []byte) (bytes int, patches bool)
	// visit takes a scalar; kind is '"', '0' (a number), 't', 'f' or 'n'.
	visit(path []byte, kind byte, value *keeper)
}

// scanner walks a JSON text in constant memory. It never recurses.
type scanner struct {
	in       io.Reader
	left     int64 // bytes that may still be read
	seen     int64 // bytes read so far
	buf      []byte
	pos, end int
	err      error // of the last read, due when buf is used up

	see  visitor
	path []byte
	open [maxDepth]level
	deep int
	kept keeper
}

// level is one open object or array.
type level struct {
	close byte // } or ]
	path  int  // length of its path
	begun bool // it has a value already
}

// scan walks the first JSON value of in, looking at no more than limit bytes and reading no further than it must. What
// the visitor was told before an error is sound: a value cut short by the end of the text is not told.
func scan(in io.Reader, limit int64, see visitor) error {
	s := &scanner{in: in, left: limit, buf: make([]byte, windowSize), see: see}
	err := s.value()
	for err == nil && s.deep > 0 {
		err = s.next()
	}
	if err == nil {
		return s.rest()
	}
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("payload after %d bytes: %w", s.offset(), err)
}

// rest complains about text behind the value, if it has come already. It does not wait for more: the agent may keep
// the pipe open.
func (s *scanner) rest() error {
	if trail := bytes.TrimLeft(s.buf[s.pos:s.end], " \t\r\n"); len(trail) > 0 {
		return fmt.Errorf("payload after %d bytes: more text behind the value", s.offset())
	}
	return nil
}

// value reads the value at the present path: a scalar whole, of an object or array only its beginning.
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
		limit, patches := s.see.limit(s.path)
		switch limit {
		case 0:
			return s.skipString()
		case onlySize:
			err = s.measure()
		default:
			s.kept.patches = patches
			err = s.text(limit)
			s.kept.patches = false
		}
		if err == nil {
			s.see.visit(s.path, '"', &s.kept)
		}
		return err
	default:
		limit, _ := s.see.limit(s.path)
		return s.literal(limit)
	}
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
			return s.unexpected(c)
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
		return s.unexpected(c)
	}
	return s.member()
}

// member reads the rest of a key, the colon and the value.
func (s *scanner) member() error {
	if err := s.text(maxKey); err != nil {
		return err
	}
	c, err := s.token()
	if err != nil {
		return err
	}
	if c != ':' {
		return s.unexpected(c)
	}
	if s.kept.cut() {
		return s.skipValue()
	}
	s.path = append(s.path, '/')
	for _, b := range s.kept.buf {
		switch b {
		case '~':
			s.path = append(s.path, "~0"...)
		case '/':
			s.path = append(s.path, "~1"...)
		default:
			s.path = append(s.path, b)
		}
	}
	return s.value()
}
