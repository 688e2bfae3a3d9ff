package agent

import (
	"fmt"
	"unicode/utf8"
)

// keeper holds a text of any length in little memory: whole up to its limit, else its beginning and its end.
type keeper struct {
	limit int
	total int64
	buf   []byte
}

// markRoom is what the note in place of the cut may take.
const markRoom = 48

func (k *keeper) reset(limit int) { k.limit, k.total, k.buf = limit, 0, k.buf[:0] }

func (k *keeper) add(b []byte) {
	k.total += int64(len(b))
	k.buf = append(k.buf, b...)
	if len(k.buf) > 2*k.limit {
		half := k.limit / 2
		k.buf = append(k.buf[:half], k.buf[len(k.buf)-half:]...)
	}
}

func (k *keeper) addRune(r rune) {
	var b [utf8.UTFMax]byte
	k.add(b[:utf8.EncodeRune(b[:], r)])
}

// cut reports whether the text was longer than the limit.
func (k *keeper) cut() bool { return k.total > int64(k.limit) }

// text returns the text, in at most limit bytes (or the note alone where even that has no room). A text that was
// longer says in its middle how much is missing.
func (k *keeper) text() string {
	if !k.cut() {
		return string(k.buf)
	}
	half := max(k.limit-markRoom, 0) / 2
	head, tail := wholeRunes(k.buf[:half], k.buf[len(k.buf)-half:])
	return fmt.Sprintf("%s… [%d bytes cut] …%s", head, k.total-int64(len(head)+len(tail)), tail)
}

// wholeRunes drops the broken character at the end of head and at the start of tail. Bytes that never were UTF-8 stay.
func wholeRunes(head, tail []byte) ([]byte, []byte) {
	for i := 1; i < utf8.UTFMax && i <= len(head); i++ {
		if last := head[len(head)-i:]; utf8.RuneStart(last[0]) {
			if !utf8.FullRune(last) {
				head = head[:len(head)-i]
			}
			break
		}
	}
	for range utf8.UTFMax - 1 {
		if len(tail) > 0 && !utf8.RuneStart(tail[0]) {
			tail = tail[1:]
		}
	}
	return head, tail
}
