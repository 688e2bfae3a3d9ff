// Package prose has the operations on plain text that several packages need: one line, shortened lines, sentences, the parts of
// Markdown, texts of others in quotation marks, and which of them read like an order to the agent that is shown them.
package prose

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// CutMark ends a text that was shortened.
const CutMark = "…"

// OneLine joins the lines of a text. Runs of white space and control characters become one blank, invalid UTF-8 becomes U+FFFD.
func OneLine(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToValidUTF8(text, "\uFFFD"), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
}

// LineEnds makes every line end a \n.
func LineEnds(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
}

// Shorten cuts a line to at most the given number of characters, CutMark included. It cuts after a word, unless that would
// leave less than half.
func Shorten(line string, most int) string {
	if utf8.RuneCountInString(line) <= most {
		return line
	}
	if most < 1 {
		return ""
	}
	return cutAt(line, len(string([]rune(line)[:most-1])))
}

// Beginning cuts a text to at most a number of bytes, between two runes and without a mark.
func Beginning(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most = max(most, 0); most > 0 && !utf8.RuneStart(text[most]); {
		most--
	}
	return text[:most]
}

// ShortenBytes is Shorten for a number of bytes.
func ShortenBytes(text string, most int) string {
	if len(text) <= most {
		return text
	}
	if most < len(CutMark) {
		return ""
	}
	return cutAt(text, len(Beginning(text, most-len(CutMark))))
}

func cutAt(text string, end int) string {
	cut := text[:end]
	if next, _ := utf8.DecodeRuneInString(text[end:]); !unicode.IsSpace(next) {
		if word := strings.LastIndexFunc(cut, unicode.IsSpace); word > end/2 {
			cut = cut[:word]
		}
	}
	return strings.TrimRight(cut, " \t\n,;:.-–—(") + CutMark
}

// Clause is Shorten that cuts after a sentence, where that leaves at least a third, or a clause, where it leaves at least half.
func Clause(line string, most int) string {
	if utf8.RuneCountInString(line) <= most {
		return line
	}
	head := string([]rune(line)[:max(most-1, 0)])
	for i, signs := range []string{".!?", ";:,"} {
		for end := len(head) - 1; end >= len(head)/(3-i); end-- {
			if strings.IndexByte(signs, head[end]) >= 0 && strings.HasPrefix(line[end+1:], " ") {
				return strings.TrimRight(head[:end+1], ".;:,") + CutMark
			}
		}
	}
	return Shorten(line, most)
}

// Sentences splits a line of prose. The mark of a heading in the middle, left from a text that was put on one line, begins a
// sentence too.
func Sentences(line string) (sentences []string) {
	var words []string
	end := func() {
		if len(words) > 0 {
			sentences = append(sentences, strings.Join(words, " "))
		}
		words = nil
	}
	for word := range strings.FieldsSeq(line) {
		if strings.Trim(word, "#") == "" {
			if len(words) > 0 && !strings.HasSuffix(words[len(words)-1], ":") {
				end()
			}
			continue
		}
		if words = append(words, word); endsSentence(word) {
			end()
		}
	}
	end()
	return sentences
}

func endsSentence(word string) bool {
	bare := strings.TrimRight(word, "\"'”’)]*_`")
	switch strings.ToLower(strings.TrimLeft(bare, "(\"'“")) {
	case "e.g.", "i.e.", "etc.", "vs.", "cf.", "approx.", "incl.", "resp.", "mr.", "ms.", "dr.":
		return false
	}
	if strings.Trim(bare, "0123456789") == "." {
		return false // the number of an item
	}
	last, _ := utf8.DecodeLastRuneInString(bare)
	return strings.ContainsRune(".!?…。！？", last)
}

// marks are the signs that make a line a heading, a quotation or an item. #242 is the number of something.
var marks = Pattern(`^(?:>|#+(?: |[ \t]*$)|[-*+•–] |\[ \] |[0-9]{1,2}[.)] | )+`)

// TrimMarks removes the signs that make a line a heading, a quotation or an item of a list.
func TrimMarks(line string) string { return line[len(marks().FindString(line)):] }

// TrimBullet removes one sign of a list before a line.
func TrimBullet(line string) string {
	for _, mark := range []string{"- ", "* ", "+ ", "• "} {
		if rest, ok := strings.CutPrefix(line, mark); ok {
			return rest
		}
	}
	return line
}

// Items are the lines of a list without its signs.
func Items(list string) (items []string) {
	for line := range strings.Lines(list) {
		if item := TrimMarks(OneLine(line)); item != "" {
			items = append(items, item)
		}
	}
	return items
}

// Below is a list as it stands below a heading: a single item is no list, and none repeats the heading.
func Below(heading, list string) string {
	items := Items(list)
	for i, item := range items {
		items[i] = WithoutLabel(item, heading)
	}
	if len(items) < 2 {
		return strings.Join(items, "")
	}
	return "- " + strings.Join(items, "\n- ")
}

// WithoutLabel takes a label such as "Next:" off the beginning of a line, also after a quotation mark.
func WithoutLabel(line, label string) string {
	rest, quoted := strings.CutPrefix(line, "“")
	before, rest, ok := strings.Cut(strings.TrimLeft(rest, " -*_"), ":")
	if !ok || !strings.EqualFold(strings.Trim(before, " *_"), label) {
		return line
	}
	rest = strings.TrimLeft(rest, " *_")
	if quoted {
		return "“" + rest
	}
	return rest
}

// Count is a number of things in words: "1 note waits", "2 notes wait", "12 000 notes wait".
func Count[N int | int64](n N, one, many string) string {
	if n == 1 {
		many = one
	}
	return Grouped(int64(n)) + " " + many
}

// Grouped is a number in groups of three digits, from five digits on.
func Grouped(n int64) string {
	text := strconv.FormatInt(n, 10)
	for at := len(text) - 3; len(text) > 4 && at > 0 && text[at-1] != '-'; at -= 3 {
		text = text[:at] + " " + text[at:]
	}
	return text
}

// ShortenFront cuts a text to its last characters, CutMark included, before a word unless that would leave less than half.
func ShortenFront(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	cut := string(runes[len(runes)-most+1:])
	if word := strings.IndexFunc(cut, unicode.IsSpace); word >= 0 && word < len(cut)/2 {
		cut = cut[word:]
	}
	return CutMark + strings.TrimLeft(cut, " \t\n,;:.-–—)")
}

// BytesPerToken is about what a token has in English text and code.
const BytesPerToken = 4

// Tokens estimates what a text costs in the window of a language model.
func Tokens(text string) int { return (len(text) + BytesPerToken - 1) / BytesPerToken }

// Pattern compiles a regular expression when it is first used: a hook starts the same program and needs none.
func Pattern(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
