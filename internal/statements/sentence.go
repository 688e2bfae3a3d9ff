package statements

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/typed"
)

// Sentence is a part of a prompt, and its words.
type Sentence struct {
	Start, End int
	words      []string
	bullet     bool
	// Doubtful says that it may be somebody else's, or holds words of somebody else.
	Doubtful bool
}

// Text is a prompt cut into sentences.
type Text struct {
	Prompt
	Sentences []Sentence
	lines     int
	spans     []typed.Span // those that end before the next sentence are taken off
	all       []uint32     // features of the words of all sentences
}

const fewestLetters = 3 // of a sentence

// abbreviations end with a full stop inside a sentence.
var abbreviations = map[string]bool{"e.g": true, "i.e": true, "etc": true, "vs": true, "cf": true, "approx": true}

// Parse cuts a prompt into sentences: at line ends, and at full stops, exclamation marks, question marks and semicolons before a
// space. What is somebody else's is left out.
func Parse(p Prompt) *Text {
	t := &Text{Prompt: p, lines: strings.Count(p.Text, "\n"), spans: typed.Split(p.Text)}
	at := 0
	for line := range strings.Lines(p.Text) {
		t.parseLine(at, at+len(line))
		at += len(line)
	}
	return t
}

func (t *Text) parseLine(start, end int) {
	for i := start; i < end; i++ {
		c := t.Text[i]
		if c != '.' && c != '!' && c != '?' && c != ';' {
			continue
		}
		next := i + 1
		for next < end && strings.IndexByte(".!?)\"'`", t.Text[next]) >= 0 {
			next++
		}
		if next < end && !isSpace(t.Text[next]) {
			continue
		}
		if c == '.' {
			word := t.Text[start:i]
			word = strings.ToLower(word[strings.LastIndexAny(word, " \t(")+1:])
			if abbreviations[word] || isNumber(word) {
				continue
			}
		}
		t.add(start, next)
		start, i = next, next-1
	}
	t.add(start, end)
}

// add adds a sentence, without the list mark before it.
func (t *Text) add(start, end int) {
	s := Sentence{Start: start, End: end}
	for s.Start < s.End && strings.IndexByte(" \t\r\n-*>#", t.Text[s.Start]) >= 0 {
		s.bullet = s.bullet || t.Text[s.Start] == '-' || t.Text[s.Start] == '*'
		s.Start++
	}
	for s.End > s.Start && isSpace(t.Text[s.End-1]) {
		s.End--
	}
	text, foreign := t.own(&s)
	letters := 0
	for _, r := range text {
		if unicode.IsLetter(r) {
			letters++
		}
	}
	if letters < fewestLetters {
		return
	}
	if s.words = words(text); foreign == 0 || len(s.words) >= fewestBeside {
		t.Sentences = append(t.Sentences, s)
	}
}

const (
	fewestBeside   = 3 // words of the person beside a quotation that may be a statement
	shortQuotation = 3 // times as long as a quotation are the words around it that make it part of the person's sentence
)

// own is a sentence without the words of somebody else, and how many bytes these have. A sentence of the person may hold a short
// quotation; where that is most of it, it is doubtful whose the sentence is.
func (t *Text) own(s *Sentence) (text string, foreign int) {
	for len(t.spans) > 0 && t.spans[0].End <= s.Start {
		t.spans = t.spans[1:]
	}
	from := s.Start
	for _, span := range t.spans {
		if span.Start >= s.End {
			break
		}
		to := min(span.End, s.End)
		if span.Whose == typed.Foreign {
			foreign += to - from
		} else {
			text += t.Text[from:to]
		}
		s.Doubtful = s.Doubtful || span.Whose == typed.Doubtful || span.Whose == typed.Unsure
		from = to
	}
	s.Doubtful = s.Doubtful || foreign*shortQuotation > len(text)
	return text, foreign
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

func isNumber(word string) bool {
	return word != "" && strings.Trim(word, "0123456789") == ""
}

// Words that stand for many others: what is named differs from project to project, that something is named does not.
const (
	classURL    = "<url>"
	classCode   = "<code>"
	classPath   = "<path>"
	classNumber = "<number>"
)

func isClass(word string) bool { return len(word) > 1 && word[0] == '<' }

// words cuts a sentence into lower-case words, classes of names, and the punctuation that follows a word.
func words(sentence string) []string {
	var list []string
	for _, field := range strings.FieldsFunc(sentence, unicode.IsSpace) {
		lower := strings.ReplaceAll(strings.ToLower(field), "’", "'")
		if word := class(field, strings.Trim(lower, ".,;:!?()[]{}\"'`*")); word != "" {
			list = append(list, word)
		}
		if last := lower[len(lower)-1]; strings.IndexByte("?!,:", last) >= 0 {
			list = append(list, string(last))
		}
	}
	return list
}

// class is the word a field stands for, and the class of a name.
func class(field, word string) string {
	switch {
	case word == "":
		return ""
	case strings.Contains(word, "://") || word == classURL:
		return classURL
	case strings.HasPrefix(field, "`"), strings.HasSuffix(strings.TrimRight(field, ".,;:!?)"), "`"),
		strings.HasPrefix(word, "--"), strings.ContainsAny(word, "_={}<>$@\\"), strings.Contains(word, "()"), mixedCase(field):
		return classCode
	case strings.ContainsAny(word, "/."):
		return classPath
	case isNumber(word):
		return classNumber
	}
	return word
}

// mixedCase reports whether there is a capital letter inside a word that also has small ones, as in mixedCase.
func mixedCase(field string) bool {
	_, first := utf8.DecodeRuneInString(field)
	return strings.IndexFunc(field[first:], unicode.IsUpper) >= 0 && strings.IndexFunc(field, unicode.IsLower) >= 0
}
