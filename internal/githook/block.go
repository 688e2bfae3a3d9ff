package githook

import "strings"

// Command is what the hook has hebb do: learn what is new in a project it knows, in silence.
const Command = "init --from-git-hook"

// newHook is a hook that does nothing yet.
const newHook = "#!/bin/sh\n"

// The lines around our part. The first says what has to be undone beside the part itself.
const (
	anyMark   = "# >>> hebb"
	addedMark = anyMark + " learns new commits in the background; hebb init --undo takes this out >>>"
	madeMark  = anyMark + " made this hook, which learns new commits in the background; hebb init --undo takes it out >>>"
	endMark   = "# <<< hebb <<<"
)

// block is our part of a hook. It runs in a subshell that ends at once and well, whatever becomes of hebb: under set -e,
// without hebb on this machine, and without leaving a variable or an open file behind.
func block(mark, program string) string {
	places := "hebb"
	if program != "" {
		places += " " + quote(program)
	}
	return mark + `
(
	for hebb in ` + places + `; do
		if command -v "$hebb" >/dev/null 2>&1; then
			"$hebb" ` + Command + ` </dev/null >/dev/null 2>&1 &
			break
		fi
	done
) || :
` + endMark + "\n"
}

// quote makes one word of a path for sh. On Windows that is the one of git, which wants forward slashes.
func quote(path string) string {
	if len(path) > 1 && path[1] == ':' {
		path = strings.ReplaceAll(path, `\`, "/")
	}
	return `'` + strings.ReplaceAll(path, `'`, `'\''`) + `'`
}

// split finds our part in a hook, whatever version of hebb wrote it. Without one all of it is before. It is not ok where
// our part has no end.
func split(hook []byte) (before, mark, after string, ok bool) {
	text := string(hook)
	start := lineStart(text, anyMark)
	if start < 0 {
		return text, "", "", true
	}
	length := lineStart(text[start:], endMark)
	if length < 0 {
		return "", "", "", false
	}
	mark, _, _ = strings.Cut(text[start:], "\n")
	before, after = text[:start], text[start+length+len(endMark):]
	if after == "" {
		return strings.TrimSuffix(before, "\n"), mark, "", true // see join
	}
	return before, mark, strings.TrimPrefix(after, "\n"), true
}

// join puts our part into a hook. Where the line above had no end, that of our last line goes there, so that split finds
// every byte again.
func join(before, block, after string) []byte {
	if !strings.HasSuffix(before, "\n") {
		return []byte(before + "\n" + strings.TrimSuffix(block, "\n"))
	}
	return []byte(before + block + after)
}

// lineStart is where the first line that begins so begins, or -1.
func lineStart(text, begin string) int {
	if strings.HasPrefix(text, begin) {
		return 0
	}
	if at := strings.Index(text, "\n"+begin); at >= 0 {
		return at + 1
	}
	return -1
}
