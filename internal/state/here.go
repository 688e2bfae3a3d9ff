package state

import (
	"strings"

	"github.com/hebb-memory/hebb/internal/prose"
)

// hereTitle stands, in a section that follows the person, above the lines that hold only in this project.
const hereTitle = "### In this project"

// SplitHere cuts the text of a personal section into what follows the person and what stays in the project.
func SplitHere(text string) (everywhere, here string) {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if prose.TrimBlanks(line) == hereTitle {
			return prose.Tidy(strings.Join(lines[:i], "\n")), prose.Tidy(strings.Join(lines[i+1:], "\n"))
		}
	}
	return text, ""
}

// JoinHere puts together what SplitHere cut.
func JoinHere(everywhere, here string) string {
	if here == "" {
		return everywhere
	}
	return strings.TrimLeft(everywhere+"\n\n"+hereTitle+"\n\n"+here, "\n")
}
