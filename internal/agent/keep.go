package agent

import (
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/scrub"
)

// keeper holds a text of any length in little memory: whole up to its limit, else an excerpt of it. A text that is
// whole is cleaned by whoever stores it; an excerpt must be cleaned as it is made, because what is private or secret
// in it may show only in what is cut out.
type keeper struct {
	limit   int
	total   int64
	buf     []byte // the first bytes, at most limit
	excerpt scrub.Excerpt
}

func (k *keeper) reset(limit int) { k.limit, k.total, k.buf = limit, 0, k.buf[:0] }

func (k *keeper) add(b []byte) {
	wasCut := k.cut()
	k.total += int64(len(b))
	if wasCut {
		k.excerpt.Add(b)
		return
	}
	n := min(len(b), k.limit-len(k.buf))
	k.buf = append(k.buf, b[:n]...)
	if k.cut() {
		k.excerpt.Reset(k.limit)
		k.excerpt.Add(k.buf)
		k.excerpt.Add(b[n:])
	}
}

func (k *keeper) addRune(r rune) {
	var b [utf8.UTFMax]byte
	k.add(b[:utf8.EncodeRune(b[:], r)])
}

// cut reports whether the text was longer than the limit.
func (k *keeper) cut() bool { return k.total > int64(k.limit) }

// text returns the text, in at most limit bytes (or a note alone where even that has no room).
func (k *keeper) text() string {
	if !k.cut() {
		return string(k.buf)
	}
	return k.excerpt.Text()
}
