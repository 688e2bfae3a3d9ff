package wiring

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
)

// version is major, minor, patch. The zero value is older than all.
type version [3]int

func (v version) before(w version) bool { return slices.Compare(v[:], w[:]) < 0 }

// parseVersion reads "2.1.325 (Claude Code)": the first word that has three numbers, and what follows them.
func parseVersion(s string) (v version, text string, err error) {
	for _, w := range strings.Fields(s) {
		w = strings.TrimRight(w, ".,;:") // Copilot prints its version in a sentence
		parts := strings.SplitN(strings.TrimPrefix(w, "v"), ".", 3)
		if len(parts) != len(v) {
			continue
		}
		if i := strings.IndexFunc(parts[2], func(r rune) bool { return r < '0' || r > '9' }); i >= 0 {
			parts[2] = parts[2][:i] // 2.1.0-beta.3
		}
		for i := range parts {
			if v[i], err = strconv.Atoi(parts[i]); err != nil {
				break
			}
		}
		if err == nil {
			return v, w, nil
		}
	}
	return version{}, "", fmt.Errorf("version %q: want three numbers: %w", s, memory.ErrInvalid)
}
