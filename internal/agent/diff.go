package agent

import (
	"fmt"
	"strings"
)

const (
	diffContext = 3
	diffLimit   = 4 << 20 // cells of the table; beyond, the middle is shown as replaced whole
)

// Diff shows the edit to a person, in the manner of diff -u.
func (c Change) Diff() string {
	if c.Empty() {
		return ""
	}
	lines := compare(splitLines(c.Old), splitLines(c.New))
	var b strings.Builder
	fmt.Fprintf(&b, "--- %s\n+++ %s\n", c.File, c.File)
	oldLine, newLine := 1, 1
	for i := 0; i < len(lines); {
		if lines[i][0] == ' ' && !changeWithin(lines[i:]) {
			i++
			oldLine++
			newLine++
			continue
		}
		end, oldCount, newCount := hunk(lines[i:])
		fmt.Fprintf(&b, "@@ -%d,%d +%d,%d @@\n", oldLine, oldCount, newLine, newCount)
		for _, l := range lines[i : i+end] {
			b.WriteString(l + "\n")
		}
		i += end
		oldLine += oldCount
		newLine += newCount
	}
	return b.String()
}

// changeWithin reports whether a change follows soon enough for the first line to be shown as context.
func changeWithin(lines []string) bool {
	for _, l := range lines[:min(diffContext+1, len(lines))] {
		if l[0] != ' ' {
			return true
		}
	}
	return false
}

// hunk measures the lines up to the context behind a run of changes.
func hunk(lines []string) (end, oldCount, newCount int) {
	for quiet := 0; end < len(lines); end++ {
		switch lines[end][0] {
		case ' ':
			if quiet >= diffContext && !changeWithin(lines[end:]) {
				return end, oldCount, newCount
			}
			quiet++
			oldCount++
			newCount++
		case '-':
			quiet = 0
			oldCount++
		case '+':
			quiet = 0
			newCount++
		}
	}
	return end, oldCount, newCount
}

// compare returns the lines of both texts in order, each marked ' ' (in both), '-' (old only) or '+' (new only).
func compare(a, b []string) []string {
	var out, tail []string
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		out = append(out, " "+a[0])
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		tail = append(tail, " "+a[len(a)-1])
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	common := longestCommon(a, b)
	for len(a) > 0 || len(b) > 0 {
		switch {
		case common != nil && len(a) > 0 && len(b) > 0 && a[0] == b[0]:
			out = append(out, " "+a[0])
			a, b = a[1:], b[1:]
		case len(a) > 0 && (common == nil || len(b) == 0 || common(len(a)-1, len(b)) >= common(len(a), len(b)-1)):
			out = append(out, "-"+a[0])
			a = a[1:]
		default:
			out = append(out, "+"+b[0])
			b = b[1:]
		}
	}
	for i := len(tail) - 1; i >= 0; i-- {
		out = append(out, tail[i])
	}
	return out
}

// longestCommon returns a function that gives the number of lines that the last i of a and the last j of b have in
// common, in order; nil if the table would be too large.
func longestCommon(a, b []string) func(i, j int) int {
	width := len(b) + 1
	if (len(a)+1)*width > diffLimit {
		return nil
	}
	table := make([]int32, (len(a)+1)*width)
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			if a[len(a)-i] == b[len(b)-j] {
				table[i*width+j] = table[(i-1)*width+j-1] + 1
			} else {
				table[i*width+j] = max(table[(i-1)*width+j], table[i*width+j-1])
			}
		}
	}
	return func(i, j int) int { return int(table[i*width+j]) }
}

// splitLines cuts a text into lines. A text that does not end a line says so, as diff does.
func splitLines(text []byte) []string {
	if len(text) == 0 {
		return nil
	}
	lines := strings.Split(string(text), "\n")
	if last := len(lines) - 1; lines[last] == "" {
		return lines[:last]
	}
	lines[len(lines)-1] += "\n\\ No newline at end of file"
	return lines
}
