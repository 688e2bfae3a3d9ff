package inspect

import (
	"regexp"
	"strings"
	"sync"

	"github.com/hebb-memory/hebb/internal/shell"
)

// Searches reports whether a tool call looks for files or text instead of opening a file that is
// known. In doubt it does: figures about what hebb saves must not flatter it.
func Searches(tool, input string) bool {
	switch strings.ToLower(tool) {
	case "grep", "glob", "search", "find", "ripgrep", "grep_search", "file_search", "search_files",
		"search_file_content", "codebase_search", "semantic_search":
		return true
	}
	if shell.IsTool(tool) {
		line, _, _ := strings.Cut(input, "<<") // the text of a here-document follows
		line = shellGiven().ReplaceAllString(line, "; ")
		return shellSearch().MatchString(shellQuoted().ReplaceAllString(line, "x"))
	}
	return false
}

var (
	// shellGiven is what introduces a line given to a shell: bash -lc 'rg x'.
	shellGiven = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b(?:ba|z)?sh -\w*c\s+['"]`) })
	// shellQuoted is an escaped character or a quoted word.
	shellQuoted = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\\.|'[^']*(?:'|$)|"(?:\\.|[^"\\])*(?:"|$)`) })
	// shellSearch is a program that searches, where a command begins. After a pipe it only filters
	// what another program printed, unless xargs hands it files.
	shellSearch = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile("(?m)" + `(?:^|[;&({` + "`" + `]|\|\||\bxargs\b)\s*` +
			`(?:(?:-\S+|\w+=\S*|sudo|time|command|exec|nice|env|if|then|else|while|do|!)\s+)*(?:\S*/)?(?:` +
			`(?i:grep|egrep|fgrep|rg|ag|ack|ugrep|find|fd|fdfind|locate|tree|findstr|select-string)(?:\.exe)?` +
			`|git\s+(?:-[Cc]\s+\S+\s+|-\S+\s+)*(?:grep|ls-files))(?:\s|[;|&)]|$)`)
	})
)
