package statements

import "github.com/hebb-memory/hebb/internal/memory"

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
