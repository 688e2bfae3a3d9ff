package scrub

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

const (
	// markRoom is what the note in place of the cut may take.
	markRoom = 48
	// margin is how far behind the cuts an Excerpt looks, so that a secret is seen whole, and with its name, though only
	// a part of it would be kept. It is the longest value that is looked for.
	margin = maxValue
)

// Excerpt holds a text of any length, which comes in pieces, in little memory: its beginning and its end. It exists
// because text that is cut first and cleaned later gives away what it should not: the middle holds the tag that makes
// the end private, half a token is not known as one, a password without its name is a word. So private regions are
// left out as the text goes by, and secrets are replaced on both sides of each cut before the cut is made.
type Excerpt struct {
	limit int
	tags  tagReader
	depth int
	// buf is the text outside private regions: whole while it is short, then its first and its last side() bytes and
	// some more.
	buf   []byte
	total int64 // bytes of that text, held or not
	since int   // bytes of it from the last "<" on
}

// Reset makes the excerpt ready for another text, of which at most limit bytes are wanted.
func (e *Excerpt) Reset(limit int) { *e = Excerpt{limit: limit, buf: e.buf[:0]} }

// half is the room for the beginning and for the end.
func (e *Excerpt) half() int { return max(e.limit-markRoom, 0) / 2 }

func (e *Excerpt) side() int { return e.half() + margin }

// Add takes the next piece of the text.
func (e *Excerpt) Add(piece []byte) {
	for len(piece) > 0 {
		if e.tags.idle() {
			n := bytes.IndexByte(piece, '<')
			if n < 0 {
				n = len(piece)
			}
			n = min(n, e.side()) // the room for one step is bounded
			if n > 0 {
				if e.depth == 0 {
					e.keep(piece[:n])
				}
				piece = piece[n:]
				continue
			}
		}
		e.follow(e.tags.next(piece[0]), piece[:1])
		piece = piece[1:]
	}
}

// follow applies what a byte meant for the private regions, by the rules of Private.
func (e *Excerpt) follow(event tagEvent, c []byte) {
	switch {
	case event == tagOpened:
		if e.depth == 0 {
			e.takeBack(e.since)
		}
		e.depth++
	case event != noTag && e.depth == 0: // never opened: all that came before was private
		e.buf, e.total = e.buf[:0], 0
		e.keep([]byte(privateMarker))
		if len(c) > 0 && tagEndsWith(event, c[0]) {
			return
		}
	case event == tagClosed:
		if e.depth--; e.depth == 0 {
			e.keep([]byte(privateMarker))
			return
		}
	}
	if e.depth > 0 || len(c) == 0 {
		return
	}
	if c[0] == '<' {
		e.since = 0
	}
	e.since += e.keep(c)
}

// keep appends to the text and makes room in its middle. NUL is left out as in Clean, so that no token hides behind it.
func (e *Excerpt) keep(text []byte) (kept int) {
	before := len(e.buf)
	if bytes.IndexByte(text, 0) < 0 {
		e.buf = append(e.buf, text...)
	} else {
		for _, c := range text {
			if c != 0 {
				e.buf = append(e.buf, c)
			}
		}
	}
	kept = len(e.buf) - before
	e.total += int64(kept)
	if side := e.side(); len(e.buf) > 4*side {
		e.buf = append(e.buf[:side], e.buf[len(e.buf)-side:]...)
	}
	return kept
}

// takeBack removes the last n bytes. They are a "<" and blanks, so that of a text that has lost its middle mostly the
// end becomes shorter; blanks without end may take all of it, for what stood before them is not held any more.
func (e *Excerpt) takeBack(n int) {
	floor := 0
	if e.total > int64(len(e.buf)) {
		floor = e.side()
	}
	e.total -= int64(n)
	e.buf = e.buf[:int(min(max(int64(len(e.buf)-n), int64(floor)), e.total))]
}

// Text returns the text without its private regions, in at most the limit (or the note alone where even that has no
// room). A text that was longer says in its middle how much is missing, and has no secrets. No text may be added
// afterwards.
func (e *Excerpt) Text() string {
	e.follow(e.tags.end(), nil)
	e.tags = tagReader{}
	if e.depth > 0 {
		e.depth = 0
		e.keep([]byte(privateMarker))
	}
	if e.total <= int64(e.limit) {
		return string(e.buf)
	}
	side := e.side()
	head, tail := e.buf[:min(len(e.buf), side)], e.buf[max(len(e.buf)-side, 0):]
	from := len(tail) - e.half()
	if e.total > int64(len(e.buf)) { // the middle is not held, so the end begins in the midst of anything
		tail = e.buf[max(len(e.buf)-side, side):]
		from = min(max(len(tail)-e.half(), margin), len(tail))
	}
	first, last := e.beginning(string(head)), e.end(string(tail), from)
	return fmt.Sprintf("%s… [%d bytes cut] …%s", first, e.total-int64(len(first)+len(last)), last)
}

// revealed is the text without characters of no width, where they hide a secret.
func revealed(text string) string {
	bare := withoutHidden(text)
	if bare == text {
		return text
	}
	if _, found := Secrets(bare); len(found) == 0 {
		return text
	}
	return bare
}

// beginning cleans the text and returns its first half() bytes, without the broken word at the end.
func (e *Excerpt) beginning(text string) string {
	clean, found := Secrets(revealed(text))
	i := min(cleaned(found, e.half()), e.half(), len(clean))
	for i > 0 && i < len(clean) && !mayCut(clean, i) {
		i--
	}
	return clean[:i]
}

// end cleans the text and returns what stood from text[from] on, at most half() bytes, without the broken word at its
// beginning.
func (e *Excerpt) end(text string, from int) string {
	if bare := revealed(text); bare != text {
		text, from = bare, len(withoutHidden(text[:from]))
	}
	clean, found := Secrets(text)
	i := max(cleaned(found, from), len(clean)-e.half())
	for i < len(clean) && !mayCut(clean, i) {
		i++
	}
	return clean[i:]
}

// cleaned maps a place in a text to the text in which found has been replaced; a place in a secret to the end of its
// marker.
func cleaned(found []Finding, place int) int {
	shift := 0
	for _, f := range found {
		if f.Start >= place {
			break
		}
		place = max(place, f.End)
		shift += markerLength(f.Kind) - (f.End - f.Start)
	}
	return place + shift
}

// mayCut reports whether a text may be parted at text[i]: beside white space, a quote, a bracket or a character that
// no token has, and never in a character. A token that is longer than the margin is lost to its last byte that way,
// and a text that is one long word is lost whole; it has little to say. The brackets of markers do not count.
func mayCut(text string, i int) bool {
	parts := func(c byte) bool { return c <= ' ' || c >= utf8.RuneSelf || strings.IndexByte("\"'`<>{}();,|", c) >= 0 }
	return (parts(text[i-1]) || parts(text[i])) && utf8.RuneStart(text[i])
}
