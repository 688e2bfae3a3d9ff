package statements

import (
	"strings"
	"unicode"

	"github.com/hebb-memory/hebb/internal/typed"
)

// Sentence is a part of a prompt.
type Sentence struct {
	Start, End int
	// Doubtful says that it may be somebody else's, or holds words of somebody else.
	Doubtful bool
}

// cutting is a prompt that is cut into sentences.
type cutting struct {
	text      string
	sentences []Sentence
	spans     []typed.Span // those that end before the next sentence are taken off
}

const fewestLetters = 3 // of a sentence

// abbreviations end with a full stop inside a sentence.
var abbreviations = map[string]bool{"e.g": true, "i.e": true, "etc": true, "vs": true, "cf": true, "approx": true}

// Sentences cuts a prompt into sentences: at line ends, and at full stops, exclamation marks, question marks and semicolons before a
// space. What is somebody else's is left out.
func Sentences(prompt string) []Sentence {
	t := &cutting{text: prompt, spans: typed.Split(prompt)}
	at := 0
	for line := range strings.Lines(prompt) {
		t.cutLine(at, at+len(line))
		at += len(line)
	}
	return t.sentences
}

func (t *cutting) cutLine(start, end int) {
	for i := start; i < end; i++ {
		c := t.text[i]
		if c != '.' && c != '!' && c != '?' && c != ';' {
			continue
		}
		next := i + 1
		for next < end && strings.IndexByte(".!?)\"'`", t.text[next]) >= 0 {
			next++
		}
		if next < end && !isSpace(t.text[next]) {
			continue
		}
		if c == '.' {
			word := t.text[start:i]
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
func (t *cutting) add(start, end int) {
	s := Sentence{Start: start, End: end}
	for s.Start < s.End && strings.IndexByte(" \t\r\n-*>#", t.text[s.Start]) >= 0 {
		s.Start++
	}
	for s.End > s.Start && isSpace(t.text[s.End-1]) {
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
	if foreign == 0 || len(strings.Fields(text)) >= fewestBeside {
		t.sentences = append(t.sentences, s)
	}
}

const (
	fewestBeside   = 3 // words of the person beside a quotation that may be a statement
	shortQuotation = 3 // times as long as a quotation are the words around it that make it part of the person's sentence
)

// own is a sentence without the words of somebody else, and how many bytes these have. A sentence of the person may hold a short
// quotation; where that is most of it, it is doubtful whose the sentence is.
func (t *cutting) own(s *Sentence) (text string, foreign int) {
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
			text += t.text[from:to]
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
