//go:build !windows

package mcpserver

import (
	"os"
	"strings"
	"testing"
)

// Windows does not release a file that is open.
func TestTheMemoryIsOpenedAgainWhenItWasReplaced(t *testing.T) {
	t.Parallel()
	l := newLab(t, false)
	l.call("remember", map[string]any{"text": "gone tomorrow"})
	for _, suffix := range []string{"", "-wal", "-shm"} {
		_ = os.Remove(l.config.Database() + suffix)
	}
	l.call("remember", map[string]any{"text": "here to stay"})
	text := l.call("memory_search", map[string]any{"query": "stay tomorrow"})
	l.wants(text, "here to stay")
	if strings.Contains(text, "gone tomorrow") {
		t.Errorf("the old store was asked:\n%s", text)
	}
}
