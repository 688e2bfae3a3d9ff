package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"github.com/hebb-memory/hebb/internal/must"
	"io"
	"strings"
	"testing"
)

// spoken serves a text as the whole input and returns the answers by their IDs, those without one under "null".
func (l *lab) spoken(input string) map[string][]string {
	l.t.Helper()
	var out bytes.Buffer
	must.Do(l.t, l.server.Serve(l.t.Context(), strings.NewReader(input), &out))
	answers := map[string][]string{}
	for line := range strings.Lines(out.String()) {
		var one struct{ ID json.RawMessage }
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			l.t.Fatalf("no JSON: %s", line)
		}
		answers[string(one.ID)] = append(answers[string(one.ID)], line)
	}
	return answers
}

func toolCall(id int, name, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`+"\n", id, name, arguments)
}

const begun = hello + "\n" + `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"

func TestWhatWasAskedIsAnsweredThoughTheClientHasSaidItsLast(t *testing.T) {
	t.Parallel()
	l := newLab(t, false)
	l.worked()
	input := begun
	for i := range 20 {
		input += toolCall(i+2, "remember", fmt.Sprintf(`{"text":"thought %d"}`, i))
	}
	answers := l.spoken(strings.TrimSuffix(input, "\n"))
	for i := range 20 {
		got := answers[fmt.Sprint(i+2)]
		if len(got) != 1 || !strings.Contains(got[0], fmt.Sprintf("thought %d", i)) {
			t.Errorf("call %d: %q", i+2, got)
		}
	}
}

func TestALineThatIsNoMessageIsAnsweredAndPassedOver(t *testing.T) {
	t.Parallel()
	l := newLab(t, false)
	for line, want := range map[string]string{
		"garbage": `"code":-32700`,
		`{"a":1}`: `"code":-32600`,
		`[]`:      "since 2025-06-18",
		`[{"jsonrpc":"2.0","id":7,"method":"ping"}]`:    "since 2025-06-18",
		`{"jsonrpc":"1.0","id":7,"method":"ping"}`:      `"code":-32600`,
		`{"jsonrpc":"2.0","id":{},"method":"ping"}`:     `"code":-32600`,
		"{\"jsonrpc\":\"2.0\",\n\"id\":7}":              `"code":-32700`,
		strings.Repeat("x", longestMessage+1):           "is not read: send less at once",
		`"` + strings.Repeat("x", longestMessage) + `"`: "is not read: send less at once",
	} {
		name := line[:min(len(line), 50)]
		answers := l.spoken(begun + line + "\r\n\n" + toolCall(2, "recall", `{"query":"login"}`))
		if got := answers["null"]; len(got) == 0 || !strings.Contains(got[0], want) {
			t.Errorf("%s: %q, want %s", name, got, want)
		}
		if got := answers["2"]; len(got) != 1 || !strings.Contains(got[0], "No past of this project") {
			t.Errorf("%s: the next call: %q", name, got)
		}
	}
}

func TestEveryVersionOfTheProtocolIsSpoken(t *testing.T) {
	t.Parallel()
	l := newLab(t, false)
	for _, version := range []string{"2025-06-18", "2025-11-25"} {
		got := l.spoken(strings.Replace(begun, "2025-06-18", version, 1))["1"]
		if len(got) != 1 || !strings.Contains(got[0], `"protocolVersion":"`+version+`"`) {
			t.Errorf("%s: %q", version, got)
		}
		if strings.Contains(got[0], `"logging"`) || strings.Contains(got[0], `"listChanged"`) {
			t.Errorf("%s promises what is not kept: %s", version, got[0])
		}
	}
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},` +
		`"io.modelcontextprotocol/clientCapabilities":{}}`
	answers := l.spoken(`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + meta + `}}` + "\n" +
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"recall","arguments":{"query":"login"},` + meta + `}}` + "\n" +
		`{"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"uri":"hebb://context",` + meta + `}}` + "\n")
	for id, want := range map[string]string{"1": `"2026-07-28"`, "2": "No past of this project", "3": `"cacheScope":"private"`} {
		if got := answers[id]; len(got) != 1 || !strings.Contains(got[0], want) {
			t.Errorf("2026-07-28, call %s: %q, want %s", id, got, want)
		}
	}
}

func TestAServerThatIsStoppedStopsThoughItsClientIsSilent(t *testing.T) {
	t.Parallel()
	l := newLab(t, false)
	in, client := io.Pipe()
	answers, out := io.Pipe()
	t.Cleanup(func() { _ = client.Close() })
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- l.server.Serve(ctx, in, out) }()
	must.Get(io.WriteString(client, begun))(t)
	if line, err := bufio.NewReader(answers).ReadString('\n'); err != nil || !strings.Contains(line, "serverInfo") {
		t.Fatal(line, err)
	}
	stop()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
