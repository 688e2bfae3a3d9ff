package answer

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

func TestOnlyAResumedSessionIsShownLittle(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		source string
		since  time.Duration
		known  bool
		want   Mode
	}{
		{"startup", time.Second, true, ModeWarm},
		{"startup", 0, false, ModeWarm},
		{"", time.Minute, true, ModeWarm},
		{"of a later agent", time.Minute, true, ModeWarm},
		{"clear", time.Second, true, ModeWarm},
		{"clear", 0, false, ModeWarm},
		{"resume", 4*time.Hour - time.Second, true, ModeContinue},
		{"resume", 4 * time.Hour, true, ModeWarm},
		{"resume", 0, false, ModeWarm},
		{"compact", time.Second, true, ModeWarm},
		{"compact", 1000 * time.Hour, true, ModeWarm},
		{"resume", -time.Minute, true, ModeContinue}, // a clock that was set back
	} {
		if got := StartMode(Start{Source: c.source, SinceLast: c.since, Known: c.known}); got != c.want {
			t.Errorf("%q after %v, known %v: %s, want %s", c.source, c.since, c.known, got, c.want)
		}
	}
}

func TestAModeIsAskedForByName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]Mode{
		"full": ModeFull, "warm": ModeWarm, "continue": ModeContinue, "micro": ModeMicro, "auto": "", "": "",
	} {
		if got, err := ParseMode(name); got != want || err != nil {
			t.Errorf("%q: %q, %v", name, got, err)
		}
	}
	_, err := ParseMode("warn")
	if !errors.Is(err, memory.ErrInvalid) {
		t.Fatal(err)
	}
	for _, want := range []string{`"warn"`, "auto", "full", "warm", "continue", "micro"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v: does not say %s", err, want)
		}
	}
}
