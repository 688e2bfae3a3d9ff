package transcript

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

const (
	// transcriptText is how much of one string in a line is kept: more than any setting keeps of a text, and far less than the
	// pictures and program outputs that make lines of 50 MB.
	transcriptText = 512 << 10
	// transcriptLine is how long a line may be after that.
	transcriptLine = 16 << 20
)

// transcriptLines reads a file of one JSON object a line, in bounded memory however long a line is.
type transcriptLines struct {
	in  *bufio.Reader
	at  int64 // how far the file has been read
	buf []byte
}

func newTranscriptLines(in io.Reader) *transcriptLines {
	return &transcriptLines{in: bufio.NewReaderSize(in, 64<<10)}
}

// transcriptLineText is a line with its strings cut where they are too long.
type transcriptLineText struct {
	text    []byte // valid until the next call
	half    bool   // the file ends before the line does
	endless bool   // too long even so; text is its beginning
}

// next returns the next line without its end. The last one is half, and may be empty.
func (l *transcriptLines) next() (line transcriptLineText, err error) {
	part, err := l.in.ReadSlice('\n')
	l.at += int64(len(part))
	if err == nil {
		line.text = bytes.TrimSpace(part)
		return line, nil
	}
	cut := stringCutter{buf: l.buf[:0]}
	for {
		_, _ = cut.Write(part) // never fails
		if !errors.Is(err, bufio.ErrBufferFull) {
			break
		}
		part, err = l.in.ReadSlice('\n')
		l.at += int64(len(part))
	}
	l.buf = cut.buf
	line.text, line.endless, line.half = bytes.TrimSpace(cut.buf), cut.endless, errors.Is(err, io.EOF)
	if line.half {
		err = nil
	}
	return line, err
}

// stringCutter copies JSON and leaves out what is beyond the limit of a string. What it makes of valid JSON is valid.
type stringCutter struct {
	buf     []byte
	endless bool

	inside  bool // a string
	escaped int  // bytes of an escape that are still to come; -1: the one that says how many
	kept    int  // of the string
	beyond  bool // its limit
}

// Write takes the next part of the JSON.
func (c *stringCutter) Write(part []byte) (int, error) {
	if c.endless {
		return len(part), nil
	}
	for _, b := range part {
		if !c.inside {
			c.buf = append(c.buf, b)
			c.inside, c.kept, c.beyond = b == '"', 0, false
			continue
		}
		switch {
		case c.escaped < 0:
			c.escaped = 0
			if b == 'u' {
				c.escaped = 4
			}
		case c.escaped > 0:
			c.escaped--
		case b == '"':
			c.buf = append(c.buf, b)
			c.inside = false
			continue
		default:
			c.beyond = c.kept >= transcriptText // decided where a character begins
			if b == '\\' {
				c.escaped = -1
			}
		}
		if !c.beyond {
			c.buf = append(c.buf, b)
			c.kept++
		}
	}
	c.endless = len(c.buf) > transcriptLine
	return len(part), nil
}
