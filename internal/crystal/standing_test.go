package crystal

import (
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
)

func TestWhatStands(t *testing.T) {
	const most = 60
	for text, want := range map[string]memory.Standing{
		"Always run the tests before you commit.":               memory.Always,
		"Fix the parser. Never touch the generated files":       memory.Always,
		"- please always write UTC":                             memory.Always,
		"ok, and never force push":                              memory.Always,
		"Answer in German from now on":                          memory.Always,
		"Name the day when I ask about dates.":                  memory.Always,
		"I prefer tabs":                                         memory.Preferred,
		"For tests we would really prefer the standard library": memory.Preferred,
		"I’d rather have one file":                              memory.Preferred,
		"I prefer tabs. Always.":                                memory.Preferred, // a word alone orders nothing
		"I prefer tabs, and so:\nalways use them":               memory.Always,

		"always failing test: fix it":               memory.Passing,
		"never seen this error before, what is it?": memory.Passing,
		"Never run it twice?":                       memory.Passing,
		"The docs say: always use tabs":             memory.Passing,
		"I do not prefer tabs":                      memory.Passing,
		"should I prefer spaces?":                   memory.Passing,
		"“Thanks.” Always run the tests":            memory.Always,
		"never mind, it works":                      memory.Passing,
		"it always fails here":                      memory.Passing,
		"I've never seen this error":                memory.Passing,
		"which one do people prefer?":               memory.Passing,
		"set the preferred port":                    memory.Passing,
		"":                                          memory.Passing,
		"always":                                    memory.Passing,
		"Always " + strings.Repeat("x ", most):      memory.Passing, // somebody quotes a document
	} {
		if got := StandingOf(text, most); got != want {
			t.Errorf("%.60q stands: %v, want %v", text, got, want)
		}
	}
}

// Whatever the text, it is read without an error.
func FuzzStanding(f *testing.F) {
	for _, s := range []string{"Always x", "I prefer", "’", "- * >", "\xff never y", "a\x00b. always c"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if StandingOf(text, 20) == memory.Always && len(strings.Fields(text)) < 2 {
			t.Errorf("%q orders something", text)
		}
		AimOf(text)
	})
}
