package hook

import (
	"fmt"
	"io"
	"time"
)

// patientReader fails a Read for which no byte arrives in time. Standard input cannot be given a
// deadline where it is a blocking pipe, so another goroutine reads it; if its read never returns,
// it ends with the process.
type patientReader struct {
	pieces   <-chan piece
	patience time.Duration
	left     []byte
	err      error
}

type piece struct {
	data []byte
	err  error
}

// pieceSize is the size of a pipe's buffer on Linux: more never arrives at once.
const pieceSize = 64 << 10

// patiently reads in, waiting at most patience for each next byte.
func patiently(in io.Reader, patience time.Duration) io.Reader {
	pieces := make(chan piece, 1)
	go func() {
		defer func() {
			if r := recover(); r != nil {
				pieces <- piece{err: fmt.Errorf("panic: %v", r)}
			}
		}()
		// One is being filled, one waits in the channel, one is being used.
		var buffers [3][]byte
		for i := 0; ; i = (i + 1) % len(buffers) {
			if buffers[i] == nil {
				buffers[i] = make([]byte, pieceSize)
			}
			n, err := in.Read(buffers[i])
			pieces <- piece{buffers[i][:n], err}
			if err != nil {
				return
			}
		}
	}()
	return &patientReader{pieces: pieces, patience: patience}
}

func (r *patientReader) Read(p []byte) (int, error) {
	for len(r.left) == 0 {
		if r.err != nil {
			return 0, r.err
		}
		timer := time.NewTimer(r.patience)
		select {
		case next := <-r.pieces:
			r.left, r.err = next.data, next.err
		case <-timer.C:
			r.err = fmt.Errorf("no more input for %v", r.patience)
		}
		timer.Stop()
	}
	n := copy(p, r.left)
	r.left = r.left[n:]
	return n, nil
}
