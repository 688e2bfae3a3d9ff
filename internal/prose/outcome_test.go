package prose_test

import (
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/prose"
)

func TestAnOutcomeIsASentence(t *testing.T) {
	for message, want := range map[string]string{
		"":                                "",
		"Let me look at the login first:": "",
		"Perfect!\n\nThe cookie is set before it is read now. Tests pass.":          "The cookie is set before it is read now.",
		"# Summary\n- I'll explain.\n- The export writes all orders again":          "The export writes all orders again",
		"- `plan.md` holds all that was decided\n- It is linked from the index now": "It is linked from the index now",
		"Would you like me to go on with the tests?":                                "",
	} {
		if got := strings.Join(prose.Outcomes(message), "|"); got != want {
			t.Errorf("%q: %q, want %q", message, got, want)
		}
	}
}
