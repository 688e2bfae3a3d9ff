package state

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

func TestAPointerIsReadAsItIsWritten(t *testing.T) {
	t.Parallel()
	p := Pointer{Topic: "P2P bridge CORS debugging", Words: "CORS P2P EigenTrust"}
	if got, want := p.String(), "- Past: P2P bridge CORS debugging → search: `CORS P2P EigenTrust`"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for _, c := range []struct {
		line         string
		topic, words string
		ok           bool
	}{
		{p.String(), p.Topic, p.Words, true},
		{"\n- Old things →  search:  `a b`  (mine)", "Old things", "a b", true},
		{"- Past: a → search: ``", "", "", false},
		{"- Past: a → search: `b", "", "", false},
		{"- Past: a → look: `b`", "", "", false},
		{"Past: a → search: `b`", "", "", false},
		{"- Past: a\n  → search: `b`", "", "", false},
		{"- plain", "", "", false},
	} {
		got, ok := ParsePointer(c.line)
		if ok != c.ok || ok && (got.Topic != c.topic || got.Words != c.words || got.String() != strings.Trim(c.line, "\n")) {
			t.Errorf("%q: %v %+v", c.line, ok, got)
		}
	}
}

// fading has one old line for each text, all of which were last touched long ago.
func fading(texts ...string) (Material, *library) {
	l := &library{shown: 10}
	m := Material{Now: noon, Finds: l.finds}
	for i, text := range texts {
		l.keep(Note{memory.CrystalID(fmt.Sprintf("c%03d", i)), text, memory.Episode, 0.5, noon.Add(-100 * 24 * time.Hour), memory.OriginAgent, false})
		m.Old.Sections[SectionActive] += "- " + text + "\n"
	}
	m.Old.Sections[SectionActive] = strings.TrimSpace(m.Old.Sections[SectionActive])
	m.Old.Sections[SectionGaps] = "- " + strings.Repeat("something that nobody ever found out about. ", 5)
	m.Crystals = l.crystals
	return m, l
}

func TestATextGoesOnlyWhenWordsFindIt(t *testing.T) {
	t.Parallel()
	const text = "The nginx proxy buffers websocket frames until they time out"
	long := strings.Repeat("Another line that stays because nobody has kept it anywhere else. ", 3)
	for _, c := range []struct {
		name  string
		finds func(l *library) func(string) []memory.CrystalID
		fades bool
	}{
		{"words find it", func(l *library) func(string) []memory.CrystalID { return l.finds }, true},
		{"nothing finds it", func(*library) func(string) []memory.CrystalID {
			return func(string) []memory.CrystalID { return nil }
		}, false},
		{"others are found", func(*library) func(string) []memory.CrystalID {
			return func(string) []memory.CrystalID { return []memory.CrystalID{"other"} }
		}, false},
		{"only more words find it", func(l *library) func(string) []memory.CrystalID {
			return func(words string) []memory.CrystalID {
				if len(strings.Fields(words)) < 5 {
					return nil
				}
				return l.finds(words)
			}
		}, true},
	} {
		m, l := fading(text)
		m.Old.Sections[SectionActive] += "\n- " + long
		m.Finds = c.finds(l)
		p := Rewrite(m)
		shown := strings.Contains(p.New.Sections[SectionActive], text)
		if shown == c.fades || len(p.Pointers) == 1 != c.fades {
			t.Errorf("%s: shown %v, pointers %v", c.name, shown, p.Pointers)
		}
		if c.fades && !slices.Contains(m.Finds(p.Pointers[0].Words), memory.CrystalID("c000")) {
			t.Errorf("%s: %q does not find it", c.name, p.Pointers[0].Words)
		}
	}
}

func TestWhatIsFreshOrUsedDoesNotFade(t *testing.T) {
	t.Parallel()
	const text = "The nginx proxy buffers websocket frames until they time out"
	for _, c := range []struct {
		age, used time.Duration
		fades     bool
	}{
		{14 * 24 * time.Hour, 14 * 24 * time.Hour, false},
		{14*24*time.Hour + time.Second, 14*24*time.Hour + time.Second, true},
		{100 * 24 * time.Hour, time.Hour, false},
	} {
		m, l := fading(text, "Another old line about caches and queues and their sizes in production")
		l.crystals[0].SaidAt, l.crystals[0].LastAt = noon.Add(-c.age), noon.Add(-c.used)
		l.crystals[1].LastAt = noon
		p := Rewrite(m)
		if shown := strings.Contains(p.New.Sections[SectionActive], text); shown == c.fades {
			t.Errorf("after %v: shown %v", c.age, shown)
		}
	}
}

func TestAtMostHalfOfWhatIsGoingOnFadesAtOnce(t *testing.T) {
	t.Parallel()
	var texts []string
	for i := range 20 {
		texts = append(texts, fmt.Sprintf("Old matter%d about thing%d and its cause%d", i, i, i))
	}
	m, _ := fading(texts...)
	for left := len(texts); left > 0; {
		before := len(m.Old.Sections[SectionActive])
		p := Rewrite(m)
		after := len(p.New.Sections[SectionActive])
		if before >= 500 && after*2 < before {
			t.Fatalf("%d of %d bytes are left", after, before)
		}
		now := strings.Count(p.New.Sections[SectionActive], "- ")
		if now >= left {
			t.Fatalf("nothing more fades: %d lines", now)
		}
		left = now
		m.Old, m.Written, m.Pointers = p.New, p.New, p.Pointers
	}
}

func TestAPointerThatIsUsedComesBack(t *testing.T) {
	t.Parallel()
	m, l := fading("The nginx proxy buffers websocket frames until they time out", "Another old line about caches and queues and their sizes")
	l.crystals[1].LastAt = noon
	p := Rewrite(m)
	if len(p.Pointers) != 1 {
		t.Fatalf("%v", p.Pointers)
	}
	m.Old, m.Written, m.Pointers = p.New, p.New, p.Pointers
	m.Now = noon.Add(time.Hour)
	quiet := Rewrite(m)
	if len(quiet.Pointers) == 0 || len(quiet.Revived) > 0 {
		t.Errorf("an unused pointer moved: %+v", quiet)
	}
	m.Pointers[0].Used = noon.Add(time.Minute)
	back := Rewrite(m)
	if len(back.Revived) != 1 || !strings.Contains(back.New.Sections[SectionActive], strings.TrimPrefix(back.Revived[0], "- ")) {
		t.Errorf("revived %q", back.Revived)
	}
	if slices.ContainsFunc(back.Pointers, func(x Pointer) bool { return x.Crystals[0] == p.Pointers[0].Crystals[0] }) {
		t.Errorf("it is still a pointer: %v", back.Pointers)
	}
}

func TestTwentyPointersAreNeverExceededAndAllLeadSomewhere(t *testing.T) {
	t.Parallel()
	l := &library{shown: 10}
	m := Material{Now: noon, Finds: l.finds}
	for i := range 60 {
		at := noon.Add(time.Duration(i) * 24 * time.Hour)
		n := Note{memory.CrystalID(fmt.Sprintf("c%03d", i)), fmt.Sprintf("Episode%d with cause%d and effect%d in part%d", i, i, i, i%7), memory.Episode, 0.5, at, memory.OriginAgent, false}
		l.keep(n)
		m.Crystals = l.crystals
		m.Notes, m.Now = []Note{n}, at.Add(time.Minute)
		p := Rewrite(m)
		if len(p.Pointers) > 20 || strings.Count(p.New.Sections[SectionPointers], "- ") != len(p.Pointers) {
			t.Fatalf("%d pointers", len(p.Pointers))
		}
		m.Old, m.Written, m.Pointers = p.New, p.New, p.Pointers
	}
	if len(m.Pointers) < 10 {
		t.Errorf("only %d pointers", len(m.Pointers))
	}
	led := map[memory.CrystalID]bool{}
	for _, x := range m.Pointers {
		found := l.finds(x.Words)
		for _, id := range x.Crystals {
			led[id] = true
			if !slices.Contains(found, id) {
				t.Errorf("%s does not find %s", x, id)
			}
		}
		if len(x.String()) > 160 {
			t.Errorf("%s is %d bytes long", x, len(x.String()))
		}
	}
	// The one unused longest left: the latest are led to or shown.
	for i := range 60 {
		id := memory.CrystalID(fmt.Sprintf("c%03d", i))
		if shown := strings.Contains(m.Old.Sections[SectionActive], fmt.Sprintf("Episode%d ", i)); i >= 40 && !led[id] && !shown {
			t.Errorf("%s is neither led to nor shown", id)
		}
	}
}

func TestAPersonsPointersAndTextAmongThemStay(t *testing.T) {
	t.Parallel()
	l := &library{shown: 10}
	l.keep(Note{"c1", "The old shop used gift cards", memory.Episode, 0.5, noon, memory.OriginAgent, false})
	m := Material{Now: noon, Finds: l.finds, Crystals: l.crystals}
	mine := "- Shop history  → search: `gift cards`\n- Nothing yet → search: `zebra crossing`\n- and this is no pointer"
	m.Old.Sections[SectionPointers] = mine
	p := Rewrite(m)
	if got, want := p.New.Sections[SectionPointers], "- Shop history  → search: `gift cards`\n- Nothing yet → search: `zebra crossing`"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if !strings.Contains(p.New.Sections[SectionActive], "- and this is no pointer") {
		t.Errorf("%q", p.New.Sections[SectionActive])
	}
	if len(p.Pointers) != 2 || !slices.Equal(p.Pointers[0].Crystals, []memory.CrystalID{"c1"}) {
		t.Errorf("%+v", p.Pointers)
	}
	// More than twenty that lead nowhere are written as text, so that the guards accept the state.
	for i := range 25 {
		m.Old.Sections[SectionPointers] += fmt.Sprintf("\n- Zebra %d → search: `zebra%d`", i, i)
	}
	p = Rewrite(m)
	if v := Judge(m.Old, p.New, m.Sources()); v.Err() != nil {
		t.Error(v.Err())
	}
	for i := range 25 {
		if !strings.Contains(StateDocument(p.New), fmt.Sprintf("`zebra%d`", i)) {
			t.Errorf("zebra%d is lost", i)
		}
	}
}

func TestAPointerWhoseMemoriesWereForgottenGoes(t *testing.T) {
	t.Parallel()
	l := &library{shown: 10}
	m := Material{Now: noon, Finds: l.finds}
	m.Old.Sections[SectionPointers] = "- Past: shop → search: `gift cards`"
	m.Pointers = []Pointer{{Topic: "shop", Words: "gift cards", Crystals: []memory.CrystalID{"c1"}, Made: noon.Add(-time.Hour)}}
	p := Rewrite(m)
	if len(p.Pointers) != 0 || p.New.Sections[SectionPointers] != "" || !slices.Equal(p.Released, []memory.CrystalID{"c1"}) {
		t.Errorf("%+v", p)
	}
	// A search that fails says nothing about what is there.
	m.Finds = func(string) []memory.CrystalID { return nil }
	if p = Rewrite(m); p.New.Sections[SectionPointers] != m.Old.Sections[SectionPointers] || len(p.Released) > 0 {
		t.Errorf("%+v", p)
	}
}

func TestWhatNoWordsFindAnyLongerIsToldAgain(t *testing.T) {
	t.Parallel()
	m := Material{Now: noon, Finds: func(string) []memory.CrystalID { return []memory.CrystalID{"other"} }}
	m.Crystals = []memory.Crystal{{ID: "c1", Text: "The old shop used gift cards", SaidAt: noon.Add(-time.Hour), Origin: memory.OriginUser}}
	m.Old.Sections[SectionPointers] = "- Past: shop → search: `gift cards`"
	m.Pointers = []Pointer{{Topic: "shop", Words: "gift cards", Crystals: []memory.CrystalID{"c1"}, Made: noon.Add(-time.Hour)}}
	p := Rewrite(m)
	if len(p.Pointers) != 0 || p.New.Sections[SectionActive] != "- 2026-03-12: The old shop used gift cards" || len(p.Released) > 0 {
		t.Errorf("%+v", p)
	}
}

// Earlier versions made one pointer for several memories.
func TestAPointerToSeveralMemoriesIsStillRead(t *testing.T) {
	t.Parallel()
	l := &library{shown: 10}
	for i, text := range []string{"The old shop used gift cards", "Gift cards expire in May", "The till prints receipts"} {
		l.keep(Note{memory.CrystalID(fmt.Sprint("c", i)), text, memory.Episode, 0.5, noon.Add(-time.Hour), memory.OriginUser, false})
	}
	m := Material{Now: noon, Finds: l.finds, Crystals: l.crystals}
	const line = "- Past: shop and more → search: `gift cards`"
	m.Old.Sections[SectionPointers] = line
	for last, told := range map[memory.CrystalID]bool{"c1": false, "c2": true} { // the words find c0 and c1
		m.Pointers = []Pointer{{Topic: "shop and more", Words: "gift cards", Crystals: []memory.CrystalID{"c0", last}, Made: noon.Add(-time.Hour)}}
		p := Rewrite(m)
		if p.New.Sections[SectionPointers] != line || len(p.Pointers) != 1 || (len(p.Pointers[0].Crystals) == 1) != told ||
			(len(p.Revived) == 1) != told {
			t.Errorf("%s: %+v", last, p)
		}
	}
}

func TestWordsOfAPointerAreFewAndRare(t *testing.T) {
	t.Parallel()
	m, _ := fading("We spent hours with the EigenTrust thresholds of the P2P bridge", "The bridge and the hours of the shop", "hours thresholds", "spent hours at the bridge")
	w := newWriter(m)
	words, ok := w.pointing.words([]memory.CrystalID{"c000"})
	if want := "EigenTrust P2P thresholds"; !ok || words != want {
		t.Errorf("%q, want %q", words, want)
	}
	if got := terms("A the `x` of config.toml, --flag and _name_; 使用者喜歡喝茶 9f8e7d6c5b4a39281706f5e4d3c2b1a09f8e7d6c"); strings.Join(got, "|") != "config.toml|flag|name|使用者喜" {
		t.Errorf("%q", got)
	}
}
