package statements

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/shell"
)

// Shows reports whether the call has one of a statement's marks, and nothing that excuses it. A model that read the statement wrote them
// down; see memory.CheckMarks.
func (s *Seen) Shows(marks []string) bool {
	of := map[string][]string{}
	for _, mark := range marks {
		kind, piece, _ := strings.Cut(mark, ": ")
		of[kind] = append(of[kind], piece)
	}
	inFile := func(glob string) bool {
		return slices.ContainsFunc(s.Paths, func(file string) bool { return fits(glob, file) })
	}
	ran := func(piece string, lines ...string) bool {
		return slices.ContainsFunc(lines, func(line string) bool {
			return slices.ContainsFunc(shell.Runs(messages().ReplaceAllString(line, ""), ""), func(r shell.Run) bool {
				return !r.Reads() && inOrder(strings.Fields(piece), append([]string{programName(r.Program)}, r.Args...))
			})
		})
	}
	code := slices.ContainsFunc(s.Paths, func(p string) bool { return !strings.HasSuffix(p, ".md") })
	written := func(piece string) bool {
		for line := range strings.Lines(s.Added) {
			if code && hasPiece(quotedOrComment().ReplaceAllString(line, ""), piece) {
				return true
			}
		}
		return false
	}
	files := of["file"]
	if s.New {
		files = of["new"]
	}
	shown := slices.ContainsFunc(files, inFile) || slices.ContainsFunc(of["run"], func(p string) bool { return ran(p, s.Command) }) ||
		(len(of["where"]) == 0 || slices.ContainsFunc(of["where"], inFile)) && slices.ContainsFunc(of["code"], written)
	commands := slices.Concat(s.Ran, []string{s.Command})
	all := strings.Join(slices.Concat(s.Paths, commands, []string{s.Added}), "\n")
	return shown && !slices.ContainsFunc(of["unless"], func(piece string) bool {
		return inFile(piece) || ran(piece, commands...) || hasPiece(all, piece)
	})
}

// fits reports whether a path, or the end of it, is as a glob says.
func fits(glob, file string) bool {
	expr := strings.ReplaceAll(regexp.QuoteMeta(strings.TrimSuffix(strings.TrimPrefix(glob, "**/"), "/")), `\*`, ".*")
	matched, err := regexp.MatchString(`(^|/)`+expr+`(/|$)`, file)
	return err == nil && matched
}

// programName is a program without its folder, on any system.
func programName(program string) string {
	return strings.TrimSuffix(program[strings.LastIndexAny(program, `/\`)+1:], ".exe")
}

// inOrder reports whether a command has words in an order, the first of them as its program.
func inOrder(words, command []string) bool {
	if len(words) == 0 || len(command) == 0 || words[0] != command[0] {
		return false
	}
	for _, word := range command {
		if len(words) > 0 && (word == words[0] || strings.HasSuffix(words[0], "=") && strings.HasPrefix(word, words[0])) {
			words = words[1:]
		}
	}
	return len(words) == 0
}

// hasPiece reports whether a text has a piece that is no part of a longer word.
func hasPiece(text, piece string) bool {
	inWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }
	first, _ := utf8.DecodeRuneInString(piece)
	last, _ := utf8.DecodeLastRuneInString(piece)
	for at := strings.Index(text, piece); piece != "" && at >= 0; {
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, _ := utf8.DecodeRuneInString(text[at+len(piece):])
		if !(inWord(first) && inWord(before)) && !(inWord(last) && inWord(after)) {
			return true
		}
		next := strings.Index(text[at+1:], piece)
		if next < 0 {
			return false
		}
		at += 1 + next
	}
	return false
}
