package git

import "strings"

// hookCommand is what the hook runs: learn new commits of a known project, silently.
const hookCommand = "init --from-git-hook"

// newHook is a hook that does nothing yet.
const newHook = "#!/bin/sh\n"

// The lines around our block. The first shows whether hebb made the whole hook.
const (
	anyMark   = "# >>> hebb"
	addedMark = anyMark + " learns new commits in the background; hebb init --undo takes this out >>>"
	madeMark  = anyMark + " made this hook, which learns new commits in the background; hebb init --undo takes it out >>>"
	endMark   = "# <<< hebb <<<"
)

// block is our part of a hook. It runs in a subshell that exits 0 at once, also under set -e and without hebb on this machine, and leaves
// no variable or open file.
func block(mark, program string) string {
	places := "hebb"
	if program != "" {
		places += " " + quote(program)
	}
	return mark + `
(
	for hebb in ` + places + `; do
		if command -v "$hebb" >/dev/null 2>&1; then
			"$hebb" ` + hookCommand + ` </dev/null >/dev/null 2>&1 &
			break
		fi
	done
) || :
` + endMark + "\n"
}

// quote quotes a path for sh. On Windows that is git's sh, which needs forward slashes.
func quote(path string) string {
	if len(path) > 1 && path[1] == ':' {
		path = strings.ReplaceAll(path, `\`, "/")
	}
	return `'` + strings.ReplaceAll(path, `'`, `'\''`) + `'`
}

// split finds our block in a hook, of any version of hebb. Without a block everything is before. ok is false if the block has no end.
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

// join puts our block into a hook. If the line before has no line end, the block loses its own, so that split restores every byte.
func join(before, block, after string) []byte {
	if !strings.HasSuffix(before, "\n") {
		return []byte(before + "\n" + strings.TrimSuffix(block, "\n"))
	}
	return []byte(before + block + after)
}

// lineStart is the index of the first line with this prefix, or -1.
func lineStart(text, begin string) int {
	if strings.HasPrefix(text, begin) {
		return 0
	}
	if at := strings.Index(text, "\n"+begin); at >= 0 {
		return at + 1
	}
	return -1
}
