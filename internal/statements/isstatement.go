package statements

import (
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
)

// IsStatement says whether a crystal is one: understood from a prompt, or kept on purpose as something that holds. Facts and goals that
// were kept on purpose are many and of all sorts; they are found by search.
func IsStatement(c memory.Crystal) bool {
	if c.Origin != memory.OriginUser || !c.Lifecycle.Living() || c.Lifecycle == memory.Frozen || !c.ValidTo.IsZero() {
		return false
	}
	switch c.Kind {
	case memory.Preference, memory.Rule, memory.Decision, memory.Correction:
		return true
	case memory.Fact, memory.Intention:
		return c.Heard > 0
	}
	return false
}

// Follows reports whether a preference that was heard in one project follows the person into all others: it says in a plain form that it
// holds, and names nothing that belongs to a project, neither a file nor a word that is not plain English.
func Follows(c memory.Crystal) bool {
	if _, _, plain := Plain(c.Text); !plain || c.Kind != memory.Preference || c.Heard == 0 || c.Origin != memory.OriginUser || names(c.Text) < namesLeast-1 ||
		slices.ContainsFunc(strings.Fields(strings.ToLower(c.Text)), func(w string) bool {
			return slices.Contains(pointing, w) || strings.ContainsAny(strings.TrimRight(w, ".,;:!?"), "./_`<>=(){}0123456789")
		}) ||
		slices.ContainsFunc(c.Anchors, func(a memory.Anchor) bool { return !a.AtHand }) {
		return false
	}
	return !slices.ContainsFunc(termsOf(c.Text), func(t term) bool { return !t.plain })
}
