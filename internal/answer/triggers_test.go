package answer

import "testing"

func TestTriggersStandAsWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, trigger string
		want          bool
	}{
		{"mise run lint 2>&1", "mise run lint", true},
		{"mise run linter", "mise run lint", false},
		{"cmd/entire/cli/explain.go", "explain.go", true},
		{"cmd/entire/cli/unexplain.go", "explain.go", false},
		{"unexplain.go explain.go", "explain.go", true},
		{"error: [remediation] failed", "[remediation]", true},
		{"", "x", false},
		{"über.go", "ber.go", false},
	} {
		if got := standsIn(c.text, c.trigger); got != c.want {
			t.Errorf("%q in %q: %v", c.trigger, c.text, got)
		}
	}
}
