package diary

import (
	"regexp"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/cmd/hebb-bench/internal/evaluate"
)

// The mechanisms that lines come from.
const (
	goalLines      = "goals"
	failingLines   = "still failing"
	thoughtLines   = "thinking"
	fileLines      = "files and heat"
	fixLines       = "fixes"
	recallLines    = "recalled files"
	statementLines = "statements"
	sessionLines   = "sessions"
	changeLines    = "changes in git"
	dreamLines     = "dreams"
	skillLines     = "skills"
	nicheLines     = "niche"
	moodLines      = "mood"
	gapLines       = "gaps"
	noticeLines    = "notices"
	commandLines   = "commands"
)

// line is something that was shown.
type line struct {
	mechanism, where, text string
	file, symbol           string // of a fix: the file, and what is missing now
}

// False is a line that the recording proves to be false.
type False struct {
	Bench     string `json:"bench"`
	Case      string `json:"case"` // false
	Repo      string `json:"repo"`
	Session   int    `json:"session"` // that was shown it
	Mechanism string `json:"mechanism"`
	Where     string `json:"where"`
	Rule      string `json:"rule"`
	Line      string `json:"line"`
}

var (
	userQuote = regexp.MustCompile(`\buser, [^:“”]{3,20}: “([^”]+)”`)
	quotes    = regexp.MustCompile(`“([^”]*)”`)
	codeQuote = regexp.MustCompile("`([^`]+)`")
	stillFail = regexp.MustCompile(`(?i)\b(still fail(s|ing)|keeps failing)\b`)
	leftOut   = regexp.MustCompile(`\[[^\]]*\]|‹[^›]*›`) // in place of what is private, and of addresses
	tokens    = regexp.MustCompile(`[^\s,;{}()“”"'` + "`" + `]+`)
)

// judge says by which rule a line is false now, if by any.
func (w *world) judge(l line) string {
	if l.mechanism == fixLines && l.file != "" && !w.fixed[l.symbol][l.file] {
		return "no pass followed the change"
	}
	for _, quoted := range userQuote.FindAllStringSubmatch(l.text, -1) {
		if !w.wrote(quoted[1]) {
			return "the user never wrote that"
		}
	}
	switch l.mechanism {
	case skillLines, commandLines:
		for _, quoted := range codeQuote.FindAllStringSubmatch(l.text, -1) {
			if _, ran := w.passed[quoted[1]]; ran && !w.worked[quoted[1]] {
				return "the command never passed"
			}
		}
	case thoughtLines:
		if restates(l.text) {
			return "it restates its goal"
		}
	case changeLines:
		return w.judgeChange(l.text)
	case fileLines, recallLines, fixLines, gapLines:
		for _, name := range tokens.FindAllString(evaluate.SpelledOut(l.text), -1) {
			name = strings.Trim(name, ".:") // at the end of a sentence
			exists, met := w.files[name]
			if met && !exists {
				return "the file is gone"
			}
			if met && l.mechanism == fileLines && !w.inMind(name) {
				return "nobody opened or named the file"
			}
		}
	}
	return ""
}

// wrote reports whether the person wrote something that is quoted, perhaps shortened or without
// what was private.
func (w *world) wrote(quote string) bool {
	for part := range strings.SplitSeq(quote, "…") {
		for _, part := range strings.FieldsFunc(leftOut.ReplaceAllString(part, "\n"), func(r rune) bool { return r == '\n' }) {
			words := strings.Fields(spaced(part))
			if len(words) > 2 { // the last word may have been cut
				words = words[:len(words)-1]
			}
			if !strings.Contains(w.prompts, strings.Join(words, " ")) {
				return false
			}
		}
	}
	return true
}

// judgeChange holds a line such as "a.go: 2 commits, the latest “Subject”" against the commits.
func (w *world) judgeChange(text string) string {
	name, rest, ok := strings.Cut(strings.TrimPrefix(text, "- "), ": ")
	if _, met := w.files[name]; !ok || !met || strings.HasSuffix(rest, ", the latest") { // the subject is not shown
		return ""
	}
	if _, latest, counted := strings.Cut(rest, ", the latest "); counted {
		rest = latest
	}
	subject := spaced(strings.TrimRight(strings.TrimPrefix(strings.TrimPrefix(rest, "commit "), "“"), "”…"))
	for _, c := range w.commits[:w.next] {
		if strings.HasPrefix(spaced(c.Subject), subject) && slices.ContainsFunc(c.Files, func(f evaluate.Change) bool { return f.Path == name || f.Old == name }) {
			return ""
		}
	}
	return "no such commit changed the file"
}

// restates reports whether of a goal and what may help with it, the two quotations of a line, one
// has nearly all words of the other.
func restates(text string) bool {
	found := quotes.FindAllStringSubmatch(text, -1)
	if len(found) < 2 {
		return false
	}
	a, b := longWords(found[0][1]), longWords(found[1][1])
	common := 0
	for word := range a {
		if b[word] {
			common++
		}
	}
	least := min(len(a), len(b))
	return least > 0 && 4*common >= 3*least
}

// longWords are the words that carry a meaning, crudely without their endings.
func longWords(text string) map[string]bool {
	found := map[string]bool{}
	for word := range strings.FieldsSeq(spaced(text)) {
		if len(word) > 3 {
			found[strings.TrimSuffix(strings.TrimSuffix(word, "s"), "ing")] = true
		}
	}
	return found
}

// sections are the parts of a start and of MEMORY.md, by the beginning of their titles.
var sections = []struct{ title, mechanism string }{
	{"Goals", goalLines}, {"Files in mind", fileLines}, {"Where it was left", sessionLines}, {"Earlier sessions", sessionLines}, {"This session", sessionLines},
	{"What holds here", statementLines}, {"Pinned", statementLines}, {"Noted", statementLines}, {"Changed since then", changeLines}, {"State", noticeLines},
	{"Emerging Skills", skillLines}, {"The Niche", nicheLines}, {"Curiosity", gapLines}, {"Gaps", gapLines}, {"What is not known", gapLines}, {"Mood", moodLines},
}

// linesOf cuts a text with headings into lines, each with its mechanism.
func linesOf(where, text string) (lines []line) {
	mechanism := dreamLines
	for one := range strings.Lines(text) {
		one = strings.TrimSpace(one)
		if title, heading := strings.CutPrefix(strings.TrimLeft(one, "#"), " "); heading && strings.HasPrefix(one, "##") {
			mechanism = dreamLines
			for _, s := range sections {
				if strings.HasPrefix(title, s.title) {
					mechanism = s.mechanism
				}
			}
			continue
		}
		if one == "" || strings.HasPrefix(one, "hebb remembers") || strings.HasPrefix(one, "<!--") || strings.HasPrefix(one, "#") || strings.HasPrefix(one, "_") {
			continue
		}
		l := line{mechanism: mechanism, where: where, text: one}
		switch {
		case stillFail.MatchString(one):
			l.mechanism = failingLines
		case strings.Contains(one, "may be helped by"), strings.Contains(one, "may help with"):
			l.mechanism = thoughtLines
		case strings.HasPrefix(one, "Mood:"):
			l.mechanism = moodLines
		}
		lines = append(lines, l)
	}
	return lines
}
