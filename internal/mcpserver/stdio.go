package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// longestMessage bounds a line that a client sends. It holds the longest text that is kept, however it is escaped.
	longestMessage = 4 << 20
	// drainTime is how long calls may still run after the input has ended. A cancelled call is never answered.
	drainTime = 30 * time.Second
	// notJSON and invalidMessage are the protocol's codes for what cannot be read.
	notJSON        = -32700
	invalidMessage = -32600
)

// Serve serves one connection until it ends, for agents that start the server themselves. A line that is no message gets an error
// as its answer. Calls that came before the end of the input are still answered.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	talk := &conversation{in: bufio.NewReader(in), out: out, ctx: ctx, quiet: make(chan struct{}, 1)}
	v := newVisit()
	s.turn.Lock()
	s.visit = v
	s.turn.Unlock()
	err := s.protocol.Run(ctx, &mcp.IOTransport{Reader: talk, Writer: talk})
	if errors.Is(err, io.EOF) || errors.Is(err, mcp.ErrConnectionClosed) {
		err = nil // the normal end
	}
	return errors.Join(err, s.leave(v))
}

// conversation is the input and output of a connection, one message per line.
type conversation struct {
	in   *bufio.Reader
	rest []byte // of the line that is being read
	ctx  context.Context

	mutex   sync.Mutex // of what follows
	out     io.Writer
	pending int           // calls that are not answered yet
	quiet   chan struct{} // receives when none is left
}

// Read returns the next line that is a message.
func (c *conversation) Read(p []byte) (int, error) {
	for len(c.rest) == 0 {
		line, long, err := c.line()
		line = bytes.TrimSpace(line)
		switch {
		case long:
			c.complain(invalidMessage, fmt.Sprintf("a message of more than %d bytes is not read: send less at once", longestMessage))
		case len(line) == 0:
		case !json.Valid(line):
			c.complain(notJSON, "this line is no JSON: send one message a line, without line breaks inside")
		case line[0] == '[':
			c.complain(invalidMessage, "several messages at once have been no part of the protocol since 2025-06-18: send one message a line")
		default:
			said, wrong := jsonrpc.DecodeMessage(line)
			if wrong != nil {
				c.complain(invalidMessage, "this line is no message of JSON-RPC 2.0: "+wrong.Error())
				break
			}
			if r, ok := said.(*jsonrpc.Request); ok && r.IsCall() {
				c.count(1)
			}
			c.rest = append(line, '\n')
		}
		if err != nil && len(c.rest) == 0 {
			c.wait()
			return 0, err
		}
	}
	n := copy(p, c.rest)
	c.rest = c.rest[n:]
	return n, nil
}

// line reads one line; one that is too long is skipped.
func (c *conversation) line() (line []byte, long bool, err error) {
	for {
		part, err := c.in.ReadSlice('\n')
		if len(line)+len(part) > longestMessage {
			line, long = nil, true
		}
		if !long {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, long, err
		}
	}
}

// count changes the number of calls without an answer.
func (c *conversation) count(calls int) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.pending += calls; c.pending <= 0 {
		select {
		case c.quiet <- struct{}{}:
		default: // already signalled
		}
	}
}

// Write sends one message of the server.
func (c *conversation) Write(p []byte) (int, error) {
	c.mutex.Lock()
	n, err := c.out.Write(p)
	c.mutex.Unlock()
	if said, wrong := jsonrpc.DecodeMessage(bytes.TrimSpace(p)); wrong == nil {
		if _, answer := said.(*jsonrpc.Response); answer {
			c.count(-1)
		}
	}
	return n, err
}

// Close does nothing: the caller of Serve owns both ends.
func (*conversation) Close() error { return nil }

// complain sends an error for a line that is no message.
func (c *conversation) complain(code int, why string) {
	answer := quoted(map[string]any{"jsonrpc": "2.0", "id": nil, "error": map[string]any{"code": code, "message": why}})
	c.mutex.Lock()
	defer c.mutex.Unlock()
	_, _ = c.out.Write(append(answer, '\n')) // the client may be gone
}

// wait waits for running calls to end.
func (c *conversation) wait() {
	patience := time.NewTimer(drainTime)
	defer patience.Stop()
	for {
		c.mutex.Lock()
		pending := c.pending
		c.mutex.Unlock()
		if pending <= 0 {
			return
		}
		select {
		case <-c.quiet:
		case <-patience.C:
			return
		case <-c.ctx.Done():
			return
		}
	}
}
