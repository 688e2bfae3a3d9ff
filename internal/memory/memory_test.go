package memory

import (
	"bytes"
	"encoding/json"
	"errors"
	"github.com/hebb-memory/hebb/internal/must"
	"strings"
	"testing"
	"testing/quick"
	"time"
)

func TestIDsReadBackWhatTheyWrote(t *testing.T) {
	check := func(v int64) bool {
		id := ProjectID(v & (1<<63 - 1))
		back, err := ParseProjectID(id.String())
		return err == nil && back == id
	}
	if err := quick.Check(check, nil); err != nil {
		t.Error(err)
	}
}

func TestTheZeroIDComesBackFromJSON(t *testing.T) {
	type none struct {
		Project ProjectID
		Session SessionID
		Neuron  NeuronID
	}
	back := none{1, 2, 3}
	data, err := json.Marshal(none{})
	if err == nil {
		err = json.Unmarshal(data, &back)
	}
	if err != nil || back != (none{}) {
		t.Errorf("%s reads back as %v, %v", data, back, err)
	}
}

func TestBadIDsAreRefusedByName(t *testing.T) {
	for name, text := range map[string]string{
		"empty":                    "",
		"another kind's prefix":    NewProjectID("x").String(),
		"too short":                "s123",
		"letters of no ID":         "silouilouilou",
		"more than 63 bits":        "szzzzzzzzzzzzz",
		"blank inside":             "s 000000000000",
		"upper case":               "S0000000000000",
		"the zero ID":              SessionID(0).String(),
		"a path":                   "s../../../etc/",
		"an ID with a tail behind": NewSessionID("a", "b", 1).String() + "0",
	} {
		if _, err := ParseSessionID(text); !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), text) {
			t.Errorf("%s: ParseSessionID(%q) = %v, want ErrInvalid that names it", name, text, err)
		}
	}
}

func TestTheSameThingHasTheSameIDAndAnotherHasAnother(t *testing.T) {
	// IDs are stored, so what a name hashes to may never change.
	if got := NewNeuronID(1, FileNeuron, "a.go"); got != 5728780673885318796 {
		t.Errorf("the ID of a.go is now %d", got)
	}
	seen := map[NeuronID]string{}
	for _, key := range []string{"a.go", "b.go", "a.go ", "A.go", "caf\u00e9.go", "cafe\u0301.go", EscapePath("\xff.go"), EscapePath("\xfe.go")} {
		id := NewNeuronID(1, FileNeuron, key)
		if other, taken := seen[id]; taken {
			t.Errorf("%q and %q share an ID", key, other)
		}
		seen[id] = key
	}
	if DerivedEventID("ab", "c") == DerivedEventID("a", "bc") {
		t.Error("parts run into each other")
	}
}

func TestEventIDsSortByTime(t *testing.T) {
	entropy := bytes.NewReader(bytes.Repeat([]byte{0xff, 0, 0x7f}, 100))
	at := time.UnixMilli(1_763_000_000_000)
	last := EventID("")
	for range 10 {
		id := must.Get(NewEventID(at, entropy))(t)
		if _, err := ParseEventID(string(id)); err != nil || id <= last {
			t.Errorf("%s after %s: %v", id, last, err)
		}
		last, at = id, at.Add(time.Millisecond)
	}
	if _, err := NewEventID(at, strings.NewReader("short")); err == nil {
		t.Error("an ID without enough entropy")
	}
}

func TestPathsOfAnyBytesComeBack(t *testing.T) {
	check := func(raw []byte) bool {
		escaped := EscapePath(string(raw))
		asJSON, err := json.Marshal(escaped)
		if err != nil {
			return false
		}
		var fromJSON string
		if json.Unmarshal(asJSON, &fromJSON) != nil || strings.ContainsRune(fromJSON, 0) {
			return false
		}
		back, err := UnescapePath(fromJSON)
		return err == nil && back == string(raw)
	}
	if err := quick.Check(check, &quick.Config{MaxCount: 5000}); err != nil {
		t.Error(err)
	}
	if got := EscapePath("src/héllo wörld.go"); got != "src/héllo wörld.go" {
		t.Errorf("an ordinary name was changed to %q", got)
	}
	for _, bad := range []string{`a\`, `a\x`, `a\xg0`, `a\q`} {
		if _, err := UnescapePath(bad); !errors.Is(err, ErrInvalid) {
			t.Errorf("UnescapePath(%q) = %v, want ErrInvalid", bad, err)
		}
	}
}

func TestTheHashOfAnEventSeesEveryFieldThatTravels(t *testing.T) {
	base := StoredEvent{Event: Event{
		ID: "id", At: time.UnixMilli(5), Kind: ToolUsed, Origin: OriginTool, Agent: "a", AgentSession: "r", Subagent: "s", Tool: "t", Input: "i", Text: "x",
		Touches: []Touch{{Kind: Edit, Path: "p"}},
	}, Project: 1, Session: 2, Ord: 3}
	for name, change := range map[string]func(*StoredEvent){
		"id":                 func(e *StoredEvent) { e.ID = "id2" },
		"version":            func(e *StoredEvent) { e.Version = 2 },
		"time":               func(e *StoredEvent) { e.At = e.At.Add(time.Millisecond) },
		"kind":               func(e *StoredEvent) { e.Kind = Prompted },
		"origin":             func(e *StoredEvent) { e.Origin = OriginUser },
		"agent":              func(e *StoredEvent) { e.Agent = "b" },
		"agent's session":    func(e *StoredEvent) { e.AgentSession = "q" },
		"subagent":           func(e *StoredEvent) { e.Subagent = "" },
		"tool":               func(e *StoredEvent) { e.Tool = "" },
		"input":              func(e *StoredEvent) { e.Input = "" },
		"text":               func(e *StoredEvent) { e.Text = "y" },
		"touch":              func(e *StoredEvent) { e.Touches = []Touch{{Kind: Read, Path: "p"}} },
		"path":               func(e *StoredEvent) { e.Touches = []Touch{{Kind: Edit, Path: "q"}} },
		"origin of a rename": func(e *StoredEvent) { e.Touches = []Touch{{Kind: Edit, Path: "p", From: "o"}} },
		"size of the answer": func(e *StoredEvent) { e.ResultBytes = new(int64) },
		"fewer":              func(e *StoredEvent) { e.Touches = nil },
	} {
		changed := base
		change(&changed)
		if changed.Hash() == base.Hash() {
			t.Errorf("a changed %s has the same hash", name)
		}
	}
	for name, change := range map[string]func(*StoredEvent){
		"project": func(e *StoredEvent) { e.Project = 9 },
		"session": func(e *StoredEvent) { e.Session = 9 },
		"ordinal": func(e *StoredEvent) { e.Ord = 9 },
		"place":   func(e *StoredEvent) { e.Place = Place{Identity: "/p", Root: "/p"} },
		"arrival": func(e *StoredEvent) { e.Ahead, e.At = e.At, time.UnixMilli(2) },
		"version": func(e *StoredEvent) { e.Version = 1 },
	} {
		changed := base
		change(&changed)
		if changed.Hash() != base.Hash() {
			t.Errorf("another %s has another hash", name)
		}
	}
}

// Hashes are stored and travel.
func TestTheHashOfAnEventStaysTheSame(t *testing.T) {
	e := Event{
		ID: "id", At: time.UnixMilli(5), Kind: ToolUsed, Origin: OriginTool, Agent: "a", Subagent: "s", Tool: "t", Input: "i", Text: "x",
		Touches: []Touch{{Kind: Edit, Path: "p"}, {Kind: Read, Path: "q"}},
	}
	if got := e.Hash(); got != 4657942443425054562 {
		t.Errorf("the hash is now %d", got)
	}
}

func TestTheOriginOfARenameIsNoTouchOfItsOwn(t *testing.T) {
	with := StoredEvent{Event: Event{Touches: []Touch{{Kind: Rename, Path: "b", From: "a"}}}}
	without := StoredEvent{Event: Event{Touches: []Touch{{Kind: Rename, Path: "b"}, {Kind: Rename, Path: "a"}}}}
	if with.Hash() == without.Hash() {
		t.Error("a rename has the hash of two touches")
	}
}

func TestOnlyARenameWritesWhereItCameFrom(t *testing.T) {
	text, err := json.Marshal([]Touch{{Kind: Edit, Path: "p"}, {Kind: Rename, Path: "b", From: "a"}})
	if want := `[{"kind":"edit","path":"p"},{"kind":"rename","path":"b","from":"a"}]`; err != nil || string(text) != want {
		t.Errorf("got %s, %v", text, err)
	}
}

func TestAnIDTellsWhetherItWasDrawnOrDerived(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 15, 8, 0, 0, 123e6, time.UTC)
	drawn := must.Get(NewEventID(at, strings.NewReader("0123456789")))(t)
	if !drawn.DrawnAt(at) || drawn.DrawnAt(at.Add(time.Millisecond)) {
		t.Errorf("%s: want it drawn at %v and at no other time", drawn, at)
	}
	if derived := DerivedEventID("session", "call"); derived.DrawnAt(at) {
		t.Errorf("%s is derived, not drawn", derived)
	}
}
