package brain

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
)

// AsData is text from elsewhere on one line that cannot pass for more; the points of a list follow each other.
func AsData(text string) string {
	var joined strings.Builder
	last := byte(0)
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "- ")); line == "" {
			continue
		}
		switch {
		case last == 0:
		case strings.IndexByte(".!?:;,", last) >= 0:
			joined.WriteString(" ")
		default:
			joined.WriteString("; ")
		}
		joined.WriteString(line)
		last = line[len(line)-1]
	}
	return scrub.Quote(scrub.Line(joined.String()))
}

// Harmless is a text for a file that people and agents read: what the person did not say can neither hide anything nor pass for
// a mark or a tag.
func Harmless(origin memory.Origin, text string) string {
	if ByUser(origin) {
		return text
	}
	return scrub.Quote(text)
}

// ShortDay is a date as agents and people read it in passing: 3 Nov, with the year where it is not that of now.
func ShortDay(at, now time.Time) string {
	if at.UTC().Year() != now.UTC().Year() {
		return at.UTC().Format("2 Jan 2006")
	}
	return at.UTC().Format("2 Jan")
}

// Tidy makes deleted bytes unreadable, and says if that has to wait.
func (b *Brain) Tidy(ctx context.Context) (warning string, err error) {
	if b.Carrying != nil {
		return "", nil
	}
	if err = b.Store.Tidy(ctx); errors.Is(err, memory.ErrConflict) {
		return "another process is reading the store, so the deleted bytes stay in its log a little longer", nil
	}
	return "", err
}

// Words in a row that stand in both make one text quote the other: quotedRun of them, or two of which one is long. It is asked only of
// texts that hebb made itself, so rather one too many goes.
const (
	quotedRun  = 5
	quotedLong = 8 // letters of a word that two texts do not share by chance
)

// Quotes reports whether a text has words in a row from another, which stands as words between blanks.
func Quotes(words []string, other string) bool {
	for i := range words {
		if i+quotedRun <= len(words) && strings.Contains(other, " "+strings.Join(words[i:i+quotedRun], " ")+" ") {
			return true
		}
		if i+1 < len(words) && max(len(words[i]), len(words[i+1])) >= quotedLong && strings.Contains(other, " "+words[i]+" "+words[i+1]+" ") {
			return true
		}
	}
	return false
}

// SaidIn reports whether a line that was copied from a person's file is forgotten with another text: with the piece that holds
// it whatever it says of that, with what was said elsewhere only if that says all of it. A word in common is no reason.
func SaidIn(line, other string, piece bool) bool {
	words := PlainWords(line)
	whole := len(words) > 0 && strings.Contains(other, " "+strings.Join(words, " ")+" ")
	return whole && (piece || len(words) >= quotedRun) || piece && Quotes(words, other)
}

func PlainWords(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

func (e End) Name() string {
	switch {
	case e.Key == "":
		return "something no longer known"
	case e.Kind == memory.ErrorNeuron:
		return "error: " + e.Key
	}
	return e.Key
}

// Where crystals say they come from that no person or agent wrote: the beginning for what a dream made, and all of it for goals that rest.
const (
	ThoughtSource    = "dream: "
	IncubationSource = "incubation"
)

func IsThought(c memory.Crystal) bool { return strings.HasPrefix(c.Source, ThoughtSource) }

// HebbsOwn reports whether hebb made a crystal of what it knew. Thinking must not take that for news.
func HebbsOwn(c memory.Crystal) bool { return c.Source == IncubationSource || IsThought(c) }

// Speaker is whose words a crystal is: its origin, unless hebb made it.
func Speaker(c memory.Crystal) memory.Origin {
	if HebbsOwn(c) {
		return memory.OriginTool
	}
	return c.Origin
}

// From says for people and agents whose words a crystal is.
func From(c memory.Crystal) string {
	if f, ok := c.FileSource(); ok {
		return f.Label()
	}
	return Speaker(c).Name()
}

// CompareDown orders the larger number first.
func CompareDown(a, b float64) int { return cmp.Compare(b, a) }

// Joined are the parts of a text that say something, each on a line.
func Joined(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return strings.TrimSpace(p) == "" }), "\n")
}

// Bounds of names that are looked up by an index.
const (
	LongestRun         = 1024 // bytes of an agent's name and its name of a run together
	LongestProjectName = 500  // characters
)

// BySomebody reports whether a person or an agent said it: what rules say is found out again.
func BySomebody(o memory.Origin) bool { return o == memory.OriginUser || o == memory.OriginAgent }
