package foreign

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/hebb-memory/hebb/internal/memory"
)

const (
	// maxLine is above the longest line seen of a tool (the whole output of a program). Longer ones are skipped.
	maxLine = 16 << 20
	// maxNote is beyond what a person writes into one note.
	maxNote = 8 << 20
)

var (
	utf8Mark   = []byte("\xef\xbb\xbf")
	utf16Marks = []string{"\xff\xfe", "\xfe\xff"}
)

// textReader skips the byte order mark of UTF-8 and refuses UTF-16.
func textReader(file string, in io.Reader) (*bufio.Reader, error) {
	buffered := bufio.NewReaderSize(in, 64<<10)
	mark, _ := buffered.Peek(len(utf8Mark))
	if bytes.Equal(mark, utf8Mark) {
		_, _ = buffered.Discard(len(utf8Mark))
	}
	if len(mark) > 1 && slices.Contains(utf16Marks, string(mark[:2])) {
		return nil, fmt.Errorf("%s is UTF-16; save it as UTF-8: %w", file, memory.ErrInvalid)
	}
	return buffered, nil
}

// jsonLines calls do for the lines of a file with a record on each. A line that is too long is reported; a file without a good line
// is an error.
func (r *reading) jsonLines(path, what string, do func(number int, line []byte) (good bool)) error {
	in, err := regular(path)
	if err != nil {
		return err
	}
	defer in.Close()
	file := filepath.Base(path)
	buffered, err := textReader(file, in)
	if err != nil {
		return err
	}
	good, bad := 0, 0
	for number := 1; err == nil; number++ {
		var line []byte
		var size int
		line, size, err = ReadLine(buffered, maxLine)
		switch {
		case size > maxLine:
			r.problem(at(file, number), "a line of %d bytes; at most %d are read", size, maxLine)
		case len(line) == 0:
		case do(number, line):
			good++
		default:
			bad++
		}
		if r.check(); r.err != nil {
			return r.err
		}
	}
	if !errors.Is(err, io.EOF) {
		return fmt.Errorf("%s: %w", file, err)
	}
	if good == 0 && bad > 0 {
		return fmt.Errorf("%s holds no %s in %d lines: %w", path, what, bad, memory.ErrInvalid)
	}
	return nil
}

// ReadLine reads a line without its end. Of a line of more than limit bytes it returns only the size.
func ReadLine(in *bufio.Reader, limit int) (line []byte, size int, err error) {
	for {
		part, err := in.ReadSlice('\n')
		if size += len(part); size <= limit {
			line = append(line, part...)
		} else {
			line = nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return bytes.TrimSpace(line), size, err
		}
	}
}

func at(file string, number int) string { return fmt.Sprintf("%s line %d", file, number) }

// noteText reads a whole text file.
func noteText(name string, in io.Reader) (string, error) {
	text, err := textReader(name, in)
	if err != nil {
		return "", err
	}
	raw, err := io.ReadAll(io.LimitReader(text, maxNote+1))
	switch {
	case err != nil:
		return "", err
	case len(raw) > maxNote:
		return "", fmt.Errorf("is larger than %d bytes; split it: %w", maxNote, memory.ErrRefused)
	case bytes.IndexByte(raw[:min(len(raw), 512)], 0) >= 0:
		return "", fmt.Errorf("is not text: %w", memory.ErrInvalid)
	}
	return string(raw), nil
}
