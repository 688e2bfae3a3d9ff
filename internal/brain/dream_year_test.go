package brain

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/dream"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/workmem"
)

// A year of work: sessions, notes, moods and three dreams a day through the real store. A run of the tests lives its first three
// weeks; HEBB_YEAR=1 lives all of it.
func TestAYearOfDreamsThroughTheStore(t *testing.T) {
	t.Parallel()
	days := 21
	if os.Getenv("HEBB_YEAR") != "" {
		days = 365
	}
	l := newLab(t)
	random := rand.New(rand.NewPCG(365, 1))
	subjects := strings.Fields("gateway importer invoice printer cluster token ledger parser cache queue router schema ticket vault widget yard till clock")
	deeds := strings.Fields("breaks rounds retries rejects accepts doubles forgets hides merges splits sorts caches")
	a := func(words []string) string { return words[random.IntN(len(words))] }
	l.see(3, l.worked("first", 0, "a.go")...)
	l.note("The shop sells garden tools", false)
	l.dreams(DreamInput{Force: true})
	human := []string{"My own words above the block.", "My own words below it.", "Ada and I met in Oslo, and she hates long mails."}
	l.change("projects/shop/MEMORY.md", func(s string) string {
		s = strings.Replace(s, "## The Bond\n", "## The Bond\n\n- "+human[2]+"\n", 1)
		return human[0] + "\n\n" + s + "\n" + human[1] + "\n"
	})
	notes := []string{"The shop sells garden tools"}
	longest, nights, faded, pointed := 0, 0, 0, 0
	for day := range days {
		for part := range 3 {
			l.clock = start.Add(time.Duration(day*24+part*8+1) * time.Hour)
			at := l.clock.Sub(start).Minutes()
			run := fmt.Sprintf("day %d part %d", day, part)
			events := l.worked(run, at, a(subjects)+".go", a(subjects)+"_test.go")
			switch random.IntN(6) {
			case 0:
				events = append(events, l.asked(run+" thanks", "thanks, that is perfect!", at+3))
			case 1:
				events = append(events, l.asked(run+" anger", "this is wrong again, stop!", at+3))
			}
			l.see(at+4, events...)
			for n := range random.IntN(4) {
				text := fmt.Sprintf("The %s %s the %s of %s %d-%d-%d", a(subjects), a(deeds), a(subjects), a(subjects), day, part, n)
				if random.IntN(12) == 0 {
					text = fmt.Sprintf("The user prefers %s over %s since day %d-%d-%d", a(subjects), a(subjects), day, part, n)
				}
				l.note(text, random.IntN(10) == 0)
				notes = append(notes, text)
			}
			before := l.text("projects/shop/MEMORY.md")
			out := l.dreams(DreamInput{Force: true})
			nights, faded = nights+1, faded+len(out.Faded)
			text := l.text("projects/shop/MEMORY.md")
			where := fmt.Sprintf("dream %d", nights)
			s, err := workmem.ParseState(text)
			if err != nil {
				t.Fatalf("%s: %v", where, err)
			}
			for section := range workmem.SectionCount {
				if n, most := len(s.Sections[section]), workmem.SectionBudget(section); n > most {
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
			if out.Waiting != len(l.waiting()) {
				t.Errorf("%s: %+v, waiting %q", where, out, l.waiting())
			}
			if pointed = out.Pointers; pointed > 20 {
				t.Errorf("%s: %d pointers", where, pointed)
			}
			if nights%10 == 0 || part == 2 && day == days-1 {
				l.pointersLead(where)
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
	err := l.store.View(t.Context(), func(tx *store.Tx) error {
		all, err := tx.Crystals(t.Context(), store.CrystalFilter{Projects: []memory.ProjectID{0, l.place.Project()}, Limit: 1 << 20})
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

// pointersLead wants each pointer's words to find its memories by the search that agents use.
func (l *lab) pointersLead(where string) {
	l.t.Helper()
	pointers, err := viewed(l.t.Context(), l.Brain, func(tx *store.Tx) ([]dream.Pointer, error) {
		return l.pointers(l.t.Context(), tx, l.place.Project())
	})
	if err != nil {
		l.t.Fatal(err)
	}
	for _, p := range pointers {
		out, err := Run(l.t.Context(), l.Brain, SearchTexts, SearchInput{Scope: l.scope(), Query: p.Words, Limit: dreamFinds})
		if err != nil {
			l.t.Fatal(err)
		}
		for _, id := range p.Crystals {
			if !slices.ContainsFunc(out.Found, func(f Found) bool { return f.Crystal != nil && f.Crystal.ID == id }) {
				l.t.Errorf("%s: %q does not find %s", where, p.Words, id)
			}
		}
	}
}
