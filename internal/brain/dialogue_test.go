package brain

import (
	"slices"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/crystal"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

// dialogue is a session in which these texts are said in turn; those that begin with > by an agent.
func (l *lab) dialogue(run string, texts ...string) (events []memory.Event) {
	for i, text := range texts {
		e := l.asked(run, text, float64(i))
		if answer, found := strings.CutPrefix(text, "> "); found {
			e = l.of(run, l.event(memory.TurnEnded, float64(i)))
			e.Origin, e.Text = memory.OriginAgent, answer
		}
		events = append(events, e)
	}
	return events
}

// given is what a source gives to a text that was found.
func given(f Found, s crystal.Source) float64 {
	for _, share := range f.Shares {
		if share.Source == s {
			return share.Share
		}
	}
	return 0
}

func TestAnAnswerIsFoundByTheQuestionItAnswers(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.see(60, l.dialogue("people",
		"Ann: The weekend was far too short again, was it not", "Ben: It was. I was ill.", "Ann: What do you like doing on a free weekend?",
		"Ben: Mostly carpentry, and long hikes.", "Ann: Nice. My weekend is laundry.", "Ben: Ha.",
	)...)
	found := l.searchSessions("what does Ben like doing on weekends")
	if len(found) == 0 || !strings.Contains(found[0].Text, "carpentry") {
		t.Fatalf("found %+v, want the answer first", found)
	}
	if given(found[0], crystal.Asked) == 0 || given(found[0], crystal.Speaker) == 0 {
		t.Errorf("shares %+v, want those of the question before it and of who says it", found[0].Shares)
	}
	for _, f := range found {
		if strings.HasPrefix(f.Text, "Ann:") && (given(f, crystal.Speaker) > 0 || given(f, crystal.Asked) > 0) {
			t.Errorf("%q: %+v, want nothing: Ben is asked for, and nobody asked her", f.Text, f.Shares)
		}
	}
}

func TestOnlyWhatSomebodyElseAskedBrieflyIsAnswered(t *testing.T) {
	t.Parallel()
	offer := "> " + strings.Repeat("The retry budget of the gateway is set in its manifest. ", 20) + "Shall I raise the retry budget?"
	for name, test := range map[string]struct {
		texts []string
		want  bool
	}{
		"an agent's question":        {[]string{"> Which retry budget do you want?", "Five, and no more."}, true},
		"a person's question":        {[]string{"Which retry budget do we have?", "> Five, by default."}, true},
		"an offer after long words":  {[]string{offer, "Yes please."}, false},
		"one's own question":         {[]string{"Which retry budget do we have?", "Never mind the hurry."}, false},
		"what asks nothing":          {[]string{"> The retry budget is five.", "Fine by me."}, false},
		"a heading is nobody's name": {[]string{"Budget: which retry budget do we have?", "Never mind the hurry."}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			l.see(60, l.dialogue("one", test.texts...)...)
			found := l.searchSessions("retry budget")
			i := slices.IndexFunc(found, func(f Found) bool { return f.Text == strings.TrimPrefix(test.texts[1], "> ") })
			if got := i >= 0 && given(found[i], crystal.Asked) > 0; got != test.want {
				t.Errorf("%q is an answer: %v, want %v: %+v", test.texts[1], got, test.want, found)
			}
			if i >= 0 && given(found[i], crystal.Speaker) > 0 {
				t.Errorf("%q has a speaker", test.texts[1])
			}
		})
	}
}

func TestTextsFromBeforeRootsWereKnownAreFound(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.see(1, l.asked("one", "look around", 0))
	err := l.store.Update(t.Context(), func(tx *store.Tx) error {
		_, err := tx.AddDocuments(t.Context(), []store.Document{{
			Ref: "commit:old", Project: l.place.Project(), Kind: CommitText, Origin: memory.OriginRepo, At: start, Text: "Ann wrote the cookie parser",
			Words: []string{"ann", "wrot", "cooki", "pars"},
		}})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, query := range []string{"wrote", "cookie"} {
		out, err := Run(t.Context(), l.Brain, SearchTexts, SearchInput{Scope: l.scope(), Query: query})
		if err != nil || len(out.Found) != 1 || out.Found[0].Ref != "commit:old" {
			t.Errorf("%s: %+v, %v", query, out.Found, err)
		}
	}
}
