//go:build unix

package main

import (
	"bufio"
	"encoding/json"
	"io"
	"strings"
	"syscall"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
)

// Agents end the servers that they started with a signal as often as by closing the pipe.
func TestASignalEndsTheSessionOfAServerToo(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	for i, end := range []func(stdin io.Closer, signal func(syscall.Signal) error) error{
		func(stdin io.Closer, _ func(syscall.Signal) error) error { return stdin.Close() },
		func(_ io.Closer, signal func(syscall.Signal) error) error { return signal(syscall.SIGTERM) },
	} {
		cmd := m.command("mcp")
		stdin := must.Get(cmd.StdinPipe())(t)
		stdout := must.Get(cmd.StdoutPipe())(t)
		must.Do(t, cmd.Start())
		answers := bufio.NewScanner(stdout)
		for _, line := range []string{
			`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"Zed","version":"1"}}}`,
			`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
			`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"recall","arguments":{"query":"fix the login"}}}`,
		} {
			must.Get(io.WriteString(stdin, line+"\n"))(t)
			if strings.Contains(line, `"id"`) && !answers.Scan() {
				t.Fatalf("no answer to %s: %v", line, answers.Err())
			}
		}
		must.Do(t, end(stdin, func(s syscall.Signal) error { return cmd.Process.Signal(s) }))
		if err := cmd.Wait(); err != nil {
			t.Errorf("end %d: %v", i, err)
		}
		var sessions []memory.Session
		must.Do(t, json.Unmarshal([]byte(m.ok("sessions", "--json")), &sessions))
		if len(sessions) != i+1 || sessions[0].Open() || sessions[0].CloseReason != memory.ClosedByAgent {
			t.Errorf("end %d: sessions %+v", i, sessions)
		}
	}
}
