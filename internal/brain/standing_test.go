package brain

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

// foundAt is the place of a text among the answers to a question, from 0; -1 if it is not there.
func (l *lab) foundAt(question, text string) (int, Found) {
	l.t.Helper()
	out, err := Run(l.t.Context(), l.Brain, SearchTexts, SearchInput{Scope: l.scope(), Query: question, Limit: 10})
	if err != nil {
		l.t.Fatal(err)
	}
	at := slices.IndexFunc(out.Found, func(f Found) bool { return strings.Contains(f.Text, text) })
	if at < 0 {
		return at, Found{}
	}
	return at, out.Found[at]
}

// much is said in a project about dates and releases, so that words alone lead elsewhere.
func (l *lab) muchSaid() (events []memory.Event) {
	for i := range 12 {
		events = append(events, l.dialogue(fmt.Sprintf("run %d", i),
			fmt.Sprintf("Is the release calendar of week %d ready to show the dates?", i), "> The release dates of that week are in the calendar.")...)
	}
	return events
}

func TestWhatIsAlwaysWantedComesWithARequest(t *testing.T) {
	t.Parallel()
	const wish = "Always write the month as a word when I ask about deadlines."
	l := newLab(t)
	l.see(60, append(l.muchSaid(), l.dialogue("wish", wish, "> Understood.")...)...)
	if at, f := l.foundAt("How should I show the release dates in the calendar?", wish); at < 0 || at > 4 || f.Standing != "always" {
		t.Errorf("place %d, %q: want the wish among the first five, and why", at, f.Standing)
	}
	if at, _ := l.foundAt("When did we show the release dates in the calendar?", wish); at >= 0 && at < 5 {
		t.Errorf("place %d: what was is asked for, and a wish answers", at)
	}
	if at, _ := l.foundAt(`How should I show the "release dates" in the calendar?`, wish); at >= 0 {
		t.Errorf("place %d: the question insists on words that the wish does not have", at)
	}
}

func TestWhoseWishesCount(t *testing.T) {
	t.Parallel()
	const question = "How should I show the release dates in the calendar?"
	for name, c := range map[string]struct {
		kind   memory.CrystalKind
		origin memory.Origin
		want   string
	}{
		"a person's preference":     {memory.Preference, memory.OriginUser, "preferred"},
		"noted by an agent":         {memory.Preference, memory.OriginAgent, "preferred"},
		"a stranger's, imported":    {memory.Preference, memory.OriginImport, ""},
		"from the repository":       {memory.Preference, memory.OriginRepo, ""},
		"a fact is no wish":         {memory.Fact, memory.OriginUser, ""},
		"a lesson is no wish":       {memory.Lesson, memory.OriginAgent, ""},
		"what an agent says of its": {memory.Insight, memory.OriginAgent, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			l.see(60, l.muchSaid()...)
			const text = "months and days are told in English, shortest form first"
			err := l.store.Update(t.Context(), func(tx *store.Tx) error {
				_, err := l.crystallise(t.Context(), tx, memory.Crystal{
					Project: l.place.Project(), Kind: c.kind, Origin: c.origin, Text: text, SaidAt: tx.Now, Lifecycle: memory.Generated,
				})
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			if _, f := l.foundAt(question, text); f.Standing != c.want {
				t.Errorf("stands %q, want %q", f.Standing, c.want)
			}
		})
	}
}

// An agent's turn that begins with Always is an answer, not a wish.
func TestAnAgentWishesNothing(t *testing.T) {
	t.Parallel()
	const text = "Always write the month as a word in the calendar of the release dates."
	l := newLab(t)
	l.see(60, append(l.muchSaid(), l.dialogue("wish", "What is good style?", "> "+text)...)...)
	if _, f := l.foundAt("How should I show the release dates in the calendar?", text); f.Standing != "" {
		t.Errorf("stands %q", f.Standing)
	}
}

func TestSessionsTakeTurnsWhereTheCourseIsAskedFor(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	var first, second []string
	for i := range 4 {
		first = append(first, fmt.Sprintf("the parser needs a lexer, part %d of the parser work", i))
		second = append(second, fmt.Sprintf("the parser gets better errors with hints, part %d of the parser work", i))
	}
	l.see(60, append(l.dialogue("first", first...), l.dialogue("second", second...)...)...)
	course, _ := l.foundAt("How did the parser work evolve over time?", "better errors")
	fact, _ := l.foundAt("Which part of the parser work needs a lexer?", "better errors")
	if course != 1 || fact != len(first) {
		t.Errorf("the other session comes at place %d where its course is asked for and at %d where not, want 1 and %d", course, fact, len(first))
	}
}

// A preference that another took the place of is no wish any more.
func TestWhatWasPreferredBeforeStandsNoMore(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.see(60, l.muchSaid()...)
	const older, newer = "show the release dates in the calendar in red", "whatever marks a day is blue"
	for _, text := range []string{older, newer} {
		_, err := Run(t.Context(), l.Brain, Remember, RememberInput{Scope: l.scope(), Text: text, Kind: memory.Preference, Subject: "colour of dates"})
		if err != nil {
			t.Fatal(err)
		}
		l.clock = l.clock.Add(time.Minute)
	}
	const question = "How should I show the release dates in the calendar?"
	if at, _ := l.foundAt(question, older); at >= 0 {
		t.Errorf("what held before is at %d", at)
	}
	if at, f := l.foundAt(question+" is:history", older); at < 0 || f.Standing != "" {
		t.Errorf("in history it is at %d and stands %q, want it found, and no wish", at, f.Standing)
	}
	if at, f := l.foundAt(question, newer); at < 0 || at > 4 || f.Standing != "preferred" {
		t.Errorf("at %d, %q: want what holds now among the first", at, f.Standing)
	}
}

// Where nothing but a wish is found, what is past still answers.
func TestAWishIsNoAnswer(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.see(60, l.dialogue("first", "look around")...)
	remember := func(in RememberInput) {
		t.Helper()
		in.Scope = l.scope()
		if _, err := Run(t.Context(), l.Brain, Remember, in); err != nil {
			t.Fatal(err)
		}
		l.clock = l.clock.Add(time.Minute)
	}
	const older = "goreleaser uploads the archives and signs the checksums"
	remember(RememberInput{Text: older, Subject: "release tool"})
	remember(RememberInput{Text: "make dist", Subject: "release tool"})
	remember(RememberInput{Text: "I prefer files to be downloaded and verified with a digital signature", Kind: memory.Preference})
	if at, _ := l.foundAt("how do I upload the archives and sign checksums", older); at != 0 {
		t.Errorf("place %d, want what is past first: nothing current answers", at)
	}
}

// Wishes that answer by themselves are not lost because others are lifted.
func TestAWishThatAnswersStays(t *testing.T) {
	t.Parallel()
	for _, wish := range []string{"", "Always "} {
		l := newLab(t)
		l.see(60, l.dialogue("one", wish+"repair vehicle, truck and motorcycle engines", wish+"mend trucks, vehicles, motorcycles and engines")...)
		out, err := Run(t.Context(), l.Brain, SearchTexts, SearchInput{Scope: l.scope(), Query: "How should I fix cars and automobiles?", Limit: 30})
		if err != nil || len(out.Found) != 2 {
			t.Errorf("%q: %d found, %v, want both", wish, len(out.Found), err)
		}
	}
}

// How many answers are wanted does not change which comes first.
func TestTheFirstAnswerIsTheSameForAnyLimit(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	said := l.dialogue("one",
		"what about the lexer", "> The lexer cache is cleared by make clean.", "is the cache fine", "> The lexer cache was cleared just now, all of it.",
		"and after that", "> Once the lexer cache is cleared, run it again.", "the lexer needs tests too")
	l.see(60, said...)
	if _, err := Run(t.Context(), l.Brain, Remember, RememberInput{Scope: l.scope(), Text: "the lexer cache is cleared by a hook each night"}); err != nil {
		t.Fatal(err)
	}
	for limit := 1; limit <= 10; limit++ {
		out, err := Run(t.Context(), l.Brain, SearchTexts, SearchInput{Scope: l.scope(), Query: "lexer cache cleared", Limit: limit})
		if err != nil || len(out.Found) == 0 || !strings.Contains(out.Found[0].Text, "each night") {
			t.Errorf("limit %d: %+v, %v", limit, out.Found, err)
		}
		for _, f := range out.Found {
			if f.Doubt != 0 {
				t.Errorf("%q is in doubt: %v", f.Text, f.Doubt)
			}
		}
	}
}
