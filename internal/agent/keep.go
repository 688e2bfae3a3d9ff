package agent

import (
	"bytes"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/scrub"
)

const (
	patchMark  = "*** Begin Patch"
	patchSign  = "*** " // begins the lines of a patch that say which file it is about
	patchLimit = 64 << 10
	heldLimit  = 4 << 10
)

// keeper holds a text of any length in little memory: whole up to its limit, else an excerpt of it. A text that is
// whole is cleaned by whoever stores it; an excerpt must be cleaned as it is made, because what is private or secret
// in it may show only in what is cut out. Of a patch it holds the headers, however far apart they stand.
type keeper struct {
	limit   int
	total   int64
	buf     []byte // the first bytes, at most limit
	excerpt scrub.Excerpt
	held    []byte // waits to be added to the excerpt, which is quicker with long pieces than with many

	patches bool // the text may be a patch
	isPatch bool
	column  int  // how far the present line of the patch has come, up to the length of its sign
	header  bool // the present line is a header
}

func (k *keeper) reset(limit int) {
	k.limit, k.total, k.buf = limit, 0, k.buf[:0]
	k.isPatch, k.column, k.header, k.held = false, 0, false, k.held[:0]
}

func (k *keeper) add(b []byte) {
	if k.isPatch {
		k.total += int64(len(b))
		k.addPatch(b)
		return
	}
	wasCut := k.cut()
	k.total += int64(len(b))
	if wasCut {
		k.hold(b)
		return
	}
	n := min(len(b), k.limit-len(k.buf))
	k.buf = append(k.buf, b[:n]...)
	if k.patches && k.begunAsPatch() {
		begun := bytes.Clone(k.buf)
		k.isPatch, k.buf = true, k.buf[:0]
		k.addPatch(begun)
		k.addPatch(b[n:])
		return
	}
	if k.cut() {
		k.excerpt.Reset(k.limit)
		k.excerpt.Add(k.buf)
		k.excerpt.Add(b[n:])
	}
}

// hold adds a piece to the excerpt, soon or at once.
func (k *keeper) hold(b []byte) {
	if len(k.held)+len(b) > heldLimit {
		k.excerpt.Add(k.held)
		k.held = k.held[:0]
	}
	if len(b) > heldLimit {
		k.excerpt.Add(b)
		return
	}
	k.held = append(k.held, b...)
}

// begunAsPatch reports whether the text begins as patches do, as soon as there is enough of it.
func (k *keeper) begunAsPatch() bool {
	return len(k.buf) >= len(patchMark) && string(k.buf[:len(patchMark)]) == patchMark
}

// addPatch keeps the lines that begin with the sign, without it.
func (k *keeper) addPatch(b []byte) {
	for _, c := range b {
		switch {
		case c == '\n':
			if k.header && len(k.buf) < patchLimit {
				k.buf = append(k.buf, c)
			}
			k.column, k.header = 0, false
		case k.header && len(k.buf) < patchLimit:
			k.buf = append(k.buf, c)
		case k.column >= 0 && k.column < len(patchSign):
			if c != patchSign[k.column] {
				k.column = -1 // another line
				continue
			}
			k.column++
			k.header = k.column == len(patchSign)
		}
	}
}

func (k *keeper) addRune(r rune) {
	var b [utf8.UTFMax]byte
	k.add(b[:utf8.EncodeRune(b[:], r)])
}

// cut reports whether the text was longer than the limit.
func (k *keeper) cut() bool { return !k.isPatch && k.total > int64(k.limit) }

// text returns the text, in at most limit bytes (or a note alone where even that has no room).
func (k *keeper) text() string {
	switch {
	case k.isPatch && len(k.buf) >= patchLimit:
		return string(k.buf[:bytes.LastIndexByte(k.buf, '\n')+1]) // the last name is not whole
	case !k.cut():
		return string(k.buf)
	}
	k.excerpt.Add(k.held)
	k.held = k.held[:0]
	return k.excerpt.Text()
}
