package memory

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"time"
)

// Typed IDs. The integer ones are hashes of what they name, so two processes (or two machines) that meet the same
// thing give it the same ID without asking each other, and a damaged key no longer matches its ID.
type (
	ProjectID int64
	SessionID int64
	NeuronID  int64
	// EventID is made by the process that saw the event. Drawing the same event twice gives the same ID.
	EventID string
)

// alphabet is Crockford's base 32: no i, l, o, u, so an ID read aloud or retyped survives.
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

const (
	eventIDLength = 26 // 128 bits
	hashIDLength  = 13 // 63 bits
)

// NewProjectID names the project that lives at a canonical place.
func NewProjectID(identity string) ProjectID { return ProjectID(hash63("project", identity)) }

// NewSessionID names one run of one agent in one project.
func NewSessionID(agent Agent, agentSession string, project ProjectID) SessionID {
	return SessionID(hash63("session", string(agent), agentSession, project.String()))
}

// NewNeuronID names a thing that can be met again.
func NewNeuronID(project ProjectID, kind NeuronKind, key string) NeuronID {
	return NeuronID(hash63("neuron", project.String(), string(kind), key))
}

// NewEventID makes an ID that sorts by time; entropy is the caller's, so that tests can repeat a run.
func NewEventID(now time.Time, entropy io.Reader) (EventID, error) {
	var raw [16]byte
	binary.BigEndian.PutUint64(raw[:8], uint64(now.UnixMilli())<<16)
	if _, err := io.ReadFull(entropy, raw[6:]); err != nil {
		return "", fmt.Errorf("event id: %w", err)
	}
	return EventID(encode(raw[:], eventIDLength)), nil
}

// DerivedEventID makes the same ID from the same parts: the way to meet one tool call twice and store it once.
func DerivedEventID(parts ...string) EventID {
	sum := digest("event", parts...)
	return EventID(encode(sum[:16], eventIDLength))
}

// DrawnAt reports whether the ID was made by NewEventID at that moment, and not derived from what the event says.
func (id EventID) DrawnAt(at time.Time) bool {
	var raw [16]byte
	binary.BigEndian.PutUint64(raw[:8], uint64(at.UnixMilli())<<16)
	const moment = 10 // digits that hold the 48 bits of the time
	return len(id) == eventIDLength && string(id[:moment]) == encode(raw[:], eventIDLength)[:moment]
}

func (id ProjectID) String() string { return "p" + encode63(int64(id)) }
func (id SessionID) String() string { return "s" + encode63(int64(id)) }
func (id NeuronID) String() string  { return "n" + encode63(int64(id)) }

// MarshalText keeps 63-bit numbers out of JSON, where readers round them to 53 bits.
func (id ProjectID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }
func (id SessionID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }
func (id NeuronID) MarshalText() ([]byte, error)  { return []byte(id.String()), nil }

func (id *ProjectID) UnmarshalText(text []byte) error { return unmarshal63((*int64)(id), 'p', text) }
func (id *SessionID) UnmarshalText(text []byte) error { return unmarshal63((*int64)(id), 's', text) }
func (id *NeuronID) UnmarshalText(text []byte) error  { return unmarshal63((*int64)(id), 'n', text) }

// ParseProjectID reads what String wrote. The zero ID, which names nothing, is refused.
func ParseProjectID(s string) (ProjectID, error) { return named[ProjectID](s) }

// ParseSessionID does the same for a session.
func ParseSessionID(s string) (SessionID, error) { return named[SessionID](s) }

func named[T ~int64, P interface {
	*T
	UnmarshalText([]byte) error
}](s string) (id T, err error) {
	err = P(&id).UnmarshalText([]byte(s))
	if err == nil && id == 0 {
		err = fmt.Errorf("id %q names nothing: %w", s, ErrInvalid)
	}
	return id, err
}

// ParseEventID accepts 26 characters of the ID alphabet.
func ParseEventID(s string) (EventID, error) {
	if len(s) != eventIDLength || strings.Trim(s, alphabet) != "" {
		return "", fmt.Errorf("event id %q: want %d characters of %s: %w", s, eventIDLength, alphabet, ErrInvalid)
	}
	return EventID(s), nil
}

// digest separates its parts by length, so ("ab","c") and ("a","bc") differ.
func digest(domain string, parts ...string) [32]byte {
	h := sha256.New()
	for _, p := range append([]string{domain}, parts...) {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(len(p)))
		h.Write(n[:])
		h.Write([]byte(p))
	}
	return [32]byte(h.Sum(nil))
}

func hash63(domain string, parts ...string) int64 {
	sum := digest(domain, parts...)
	return int64(binary.BigEndian.Uint64(sum[:8]) >> 1)
}

// ContentHash is the fingerprint a row carries so that damage inside it is noticed.
func ContentHash(parts ...string) int64 { return hash63("row", parts...) }

func encode63(v int64) string {
	var raw [8]byte
	binary.BigEndian.PutUint64(raw[:], uint64(v))
	return encode(raw[:], hashIDLength)
}

// encode writes raw as a big-endian number in base 32, left-padded to length.
func encode(raw []byte, length int) string {
	out := make([]byte, length)
	bits, value, next := 0, uint(0), len(raw)-1
	for i := length - 1; i >= 0; i-- {
		if bits < 5 && next >= 0 {
			value |= uint(raw[next]) << bits
			bits += 8
			next--
		}
		out[i] = alphabet[value&31]
		value >>= 5
		bits = max(bits-5, 0)
	}
	return string(out)
}

func unmarshal63(id *int64, prefix byte, text []byte) error {
	s := string(text)
	bad := fmt.Errorf("id %q: want %q and %d characters of %s: %w", s, prefix, hashIDLength, alphabet, ErrInvalid)
	if len(s) != hashIDLength+1 || s[0] != prefix {
		return bad
	}
	var v uint64 // 13 digits hold 65 bits; the first may not be above 7
	for _, c := range []byte(s[1:]) {
		digit := strings.IndexByte(alphabet, c)
		if digit < 0 || v>>58 != 0 {
			return bad
		}
		v = v<<5 | uint64(digit)
	}
	*id = int64(v)
	return nil
}

// SessionsFrom returns the IDs that begin with text, as one range: people type the first few characters.
func SessionsFrom(text string) (first, last SessionID, ok bool) {
	digits, isSession := strings.CutPrefix(text, "s")
	if !isSession || digits == "" || len(digits) > hashIDLength {
		return 0, 0, false
	}
	least, err1 := ParseSessionID("s" + digits + strings.Repeat("0", hashIDLength-len(digits)))
	most, err2 := ParseSessionID("s" + digits + strings.Repeat("z", hashIDLength-len(digits)))
	return least, most, err1 == nil && err2 == nil
}
