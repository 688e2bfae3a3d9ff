package scrub

import (
	"crypto/sha256"
	"encoding/hex"
)

// span is a secret found in a text.
type span struct {
	kind       string
	rule       int // the lower, the more it knows about the kind
	start, end int
}

// unless is what a rule found, or nothing where it rejects that.
func unless(rejected bool, start, end int) span {
	if rejected {
		return span{}
	}
	return span{start: start, end: end}
}

const (
	markerBegin = "[redacted:"
	hashDigits  = 4
)

func marker(kind, secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return markerBegin + kind + ":" + hex.EncodeToString(sum[:])[:hashDigits] + "]"
}

func markerLength(kind string) int { return len(markerBegin) + len(kind) + len(":]") + hashDigits }
