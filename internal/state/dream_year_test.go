package state_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/state"
	"github.com/hebb-memory/hebb/internal/store"
)

// A year of work: sessions, notes, moods and three dreams a day through the real store. A run of the tests lives its first three
// weeks; HEBB_YEAR=1 lives all of it.
func TestAYearOfDreamsThroughTheStore(t *testing.T) {
	t.Parallel()
	days := 21
	if os.Getenv("HEBB_YEAR") != "" {
		days = 365
	}
	l := braintest.NewLab(t)
	random := rand.New(rand.NewPCG(365, 1))
	subjects := strings.Fields("gateway importer invoice printer cluster token ledger parser cache queue router schema ticket vault widget yard till clock")
	deeds := strings.Fields("breaks rounds retries rejects accepts doubles forgets hides merges splits sorts caches")
	a := func(words []string) string { return words[random.IntN(len(words))] }
	l.See(3, l.Worked("first", 0, "a.go")...)
	l.Note("The shop sells garden tools", false)
	l.Dreams(state.DreamInput{Force: true})
	human := []string{"My own words above the block.", "My own words below it.", "Ada and I met in Oslo, and she hates long mails."}
	l.Change("projects/shop/MEMORY.md", func(s string) string {
		s = strings.Replace(s, "## The Bond\n", "## The Bond\n\n- "+human[2]+"\n", 1)
		return human[0] + "\n\n" + s + "\n" + human[1] + "\n"
	})
	notes := []string{"The shop sells garden tools"}
	longest, nights, faded, pointed := 0, 0, 0, 0
	for day := range days {
		for part := range 3 {
			l.Clock = braintest.Start.Add(time.Duration(day*24+part*8+1) * time.Hour)
			at := l.Clock.Sub(braintest.Start).Minutes()
			run := fmt.Sprintf("day %d part %d", day, part)
			events := l.Worked(run, at, a(subjects)+".go", a(subjects)+"_test.go")
			switch random.IntN(6) {
			case 0:
				events = append(events, l.Asked(run+" thanks", "thanks, that is perfect!", at+3))
			case 1:
				events = append(events, l.Asked(run+" anger", "this is wrong again, stop!", at+3))
			}
			l.See(at+4, events...)
			for n := range random.IntN(4) {
				text := fmt.Sprintf("The %s %s the %s of %s %d-%d-%d", a(subjects), a(deeds), a(subjects), a(subjects), day, part, n)
				if random.IntN(12) == 0 {
					text = fmt.Sprintf("The user prefers %s over %s since day %d-%d-%d", a(subjects), a(subjects), day, part, n)
				}
				l.Note(text, random.IntN(10) == 0)
				notes = append(notes, text)
			}
			before := l.Text("projects/shop/MEMORY.md")
			out := l.Dreams(state.DreamInput{Force: true})
			nights, faded = nights+1, faded+len(out.Faded)
			text := l.Text("projects/shop/MEMORY.md")
			where := fmt.Sprintf("dream %d", nights)
			s, err := state.ParseState(text)
			if err != nil {
				t.Fatalf("%s: %v", where, err)
			}
			for section := range state.SectionCount {
				if n, most := len(s.Sections[section]), state.SectionBudget(section); n > most {
					t.Errorf("%s: %s has %d bytes of %d", where, section, n, most)
				}
			}
			if len(before) >= 2000 && 2*len(text) < len(before) {
				t.Errorf("%s: %d bytes became %d", where, len(before), len(text))
			}
			for _, want := range human {
				if strings.Count(text, want) != 1 {
					t.Errorf("%s: %q is there %d times", where, want, strings.Count(text, want))
				}
			}
			longest = max(longest, len(text))
			if out.Waiting != len(l.Waiting()) {
				t.Errorf("%s: %+v, waiting %q", where, out, l.Waiting())
			}
			if pointed = out.Pointers; pointed > 20 {
				t.Errorf("%s: %d pointers", where, pointed)
			}
			if nights%10 == 0 || part == 2 && day == days-1 {
				l.PointersLead(where)
			}
			if t.Failed() {
				t.Fatalf("%s\n%s", where, text)
			}
		}
	}
	if pointed == 0 || faded == 0 {
		t.Errorf("%d pointers, %d lines faded: the test does not test fading", pointed, faded)
	}
	kept := map[string]int{}
	err := l.Store.View(t.Context(), func(tx *store.Tx) error {
		all, err := tx.Crystals(t.Context(), store.CrystalFilter{Projects: []memory.ProjectID{0, l.Place.Project()}, Limit: 1 << 20})
		for _, c := range all {
			kept[c.Text]++
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range notes {
		if kept[text] != 1 {
			t.Errorf("%q is there %d times", text, kept[text])
		}
	}
	t.Logf("%d days, %d dreams, %d notes, %d lines faded, %d pointers, longest document %d bytes", days, nights, len(notes), faded, pointed, longest)
}
