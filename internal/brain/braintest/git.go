package braintest

import (
	"os/exec"
	"path/filepath"
)

// Git runs git in the project's folder.
func (l *Lab) Git(args ...string) string {
	l.T.Helper()
	out, err := exec.CommandContext(l.T.Context(), "git", append([]string{"-C", filepath.FromSlash(l.Place.Root)}, args...)...).Output()
	if err != nil {
		l.T.Fatalf("git %v: %v", args, err)
	}
	return string(out)
}
