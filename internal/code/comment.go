package code

import (
	"bytes"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/prose"
)

// comment is the first paragraph of what is said about a definition: in Python inside of it, else above.
func comment(source []byte, d Definition, language Language, limit int) string {
	if language == Python {
		if text := docstring(source[d.Body:d.To]); text != "" {
			return paragraph(strings.Split(text, "\n"), limit)
		}
	}
	return paragraph(linesAbove(source[:d.From], limit), limit)
}

// docstring is the string that a body begins with, without its quotes.
func docstring(body []byte) string {
	body = bytes.TrimLeft(bytes.TrimLeft(body, ": \t\r\n"), "rRuU")
	for _, quote := range [...]string{`"""`, "'''", `"`, "'"} {
		if text, is := bytes.CutPrefix(body, []byte(quote)); is {
			text, _, _ = bytes.Cut(text, []byte(quote))
			return string(text)
		}
	}
	return ""
}

// linesAbove are the lines of comment directly above a definition, in order, about as much as is wanted. They are read
// from below, where a line alone does not show whether it stands in a comment; that of a block comes to an end above it.
func linesAbove(before []byte, limit int) []string {
	const farthest = 4 // times limit, up to which a long comment is read from its end
	var lines []string
	inBlock := false
	n := bytes.LastIndexByte(before, '\n')
	for size := 0; n >= 0 && size <= farthest*limit+farthest; {
		start := bytes.LastIndexByte(before[:n], '\n')
		line := strings.TrimSpace(string(before[start+1 : n]))
		size += len(line)
		n = start
		switch {
		case inBlock:
			inBlock = !strings.Contains(line, "/*")
		case strings.HasSuffix(line, "*/"):
			inBlock = !strings.Contains(line, "/*")
			if !inBlock && !strings.HasPrefix(line, "/*") {
				n = nothing // code with a comment after it
				continue
			}
		case strings.HasPrefix(line, "//"), strings.HasPrefix(line, "#") && !isDirective(line):
		case isAnnotation(line):
			continue
		default:
			n = nothing
			continue
		}
		lines = append(lines, line)
	}
	if inBlock {
		return nil // the beginning is too far away
	}
	slices.Reverse(lines)
	return lines
}

const nothing = -1

// isDirective reports whether a line that begins with # is no comment.
func isDirective(line string) bool {
	begins := []string{"#if", "#else", "#endif", "#define", "#include", "#pragma", "#region", "#[", "#!", "#elif", "#undef"}
	return slices.ContainsFunc(begins, func(begin string) bool { return strings.HasPrefix(line, begin) })
}

// paragraph is the text of comment lines up to the first blank one, as one line.
func paragraph(lines []string, limit int) string {
	var words []string
	for _, line := range lines {
		text := strings.TrimSpace(strings.TrimRight(strings.TrimLeft(strings.TrimSpace(line), "/*#!< \t"), "*/ \t\r"))
		text = strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(text, "summary>"), "</summary>"))
		if text == "" || strings.HasPrefix(text, "@") {
			if len(words) > 0 {
				break
			}
			continue
		}
		words = append(words, text)
	}
	text := strings.Join(strings.Fields(strings.ToValidUTF8(strings.Join(words, " "), "\uFFFD")), " ")
	return prose.Beginning(text, limit)
}

func isAnnotation(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasPrefix(line, "@") && !strings.HasPrefix(line, "@interface") || strings.HasPrefix(line, "#[") ||
		strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]")
}
