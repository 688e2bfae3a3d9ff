package prose

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/memory"
)

// Heading gives the text and the level of a heading; level 0 is none.
func Heading(line string) (title string, level int) {
	title = strings.TrimLeft(line, "#")
	return strings.Trim(title, " \t"), len(line) - len(title)
}

// IsRule says whether a line is a rule between blocks.
func IsRule(line string) bool { return len(line) >= 3 && strings.Trim(line, "-") == "" }

// TrimBlanks is a line without blanks around it. Only blanks and tabs are: other white space is text, here as in Tidy.
func TrimBlanks(line string) string { return strings.Trim(line, " \t") }

func IsItalic(line string) bool {
	return len(line) > 2 && (line[0] == '*' || line[0] == '_') && line[len(line)-1] == line[0]
}

// EscapeLines puts a backslash before each line that would shape the file, and one more before a line that already looks
// like one that was escaped. All other lines stay as they are.
func EscapeLines(text string, mark func(string) bool) string {
	return replaceLines(text, mark, func(indent, rest string) string { return indent + `\` + rest })
}

// UnescapeLines undoes EscapeLines.
func UnescapeLines(text string, mark func(string) bool) string {
	return replaceLines(text, mark, func(indent, rest string) string { return indent + strings.TrimPrefix(rest, `\`) })
}

// replaceLines replaces the lines that are a mark once blanks and backslashes before it are taken away. Whether they are does
// not depend on how many backslashes there are, so a line that was escaped is found again.
func replaceLines(text string, mark func(string) bool, replace func(indent, rest string) string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		rest := strings.TrimLeft(line, " \t")
		if mark(TrimBlanks(strings.TrimLeft(rest, `\`))) {
			lines[i] = replace(line[:len(line)-len(rest)], rest)
		}
	}
	return strings.Join(lines, "\n")
}

// Tidy is a text as Entry says.
func Tidy(text string) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
	lines := strings.Split(LineEnds(text), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \t")
	}
	return strings.Join(TrimLines(lines), "\n")
}

// TrimLines drops empty lines at both ends.
func TrimLines(lines []string) []string {
	for len(lines) > 0 && TrimBlanks(lines[0]) == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && TrimBlanks(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// FileLines is a file in lines, whatever editor wrote it.
func FileLines(text string) ([]string, error) {
	if !utf8.ValidString(text) || strings.Contains(text, "\x00") {
		return nil, fmt.Errorf("the file is no UTF-8 text: save it as UTF-8: %w", memory.ErrInvalid)
	}
	return strings.Split(LineEnds(strings.TrimPrefix(text, "\uFEFF")), "\n"), nil
}
