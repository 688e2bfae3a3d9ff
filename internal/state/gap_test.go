package state

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

func TestASearchInVainIsCountedAndForgottenOnceItIsAnswered(t *testing.T) {
	t.Parallel()
	now := onDay(0)
	miss := func(list []Gap, text string) []Gap {
		now = now.Add(time.Minute)
		missed, _ := Miss(list, Gap{Text: text, At: now, Origin: memory.OriginUser})
		return missed
	}
	list := miss(nil, "how is the cache warmed")
	list = miss(list, "warmed cache: how is the")
	if len(list) != 1 || list[0].Times != 2 || list[0].Kind != GapSearch || !list[0].At.Equal(now) {
		t.Fatalf("the same words in another order are %+v", list)
	}
	for _, nothing := range []string{"", "?!", "<!-- hebb:begin -->"} {
		if got := miss(list, nothing); len(got) != 1 {
			t.Errorf("%q is a gap: %+v", nothing, got)
		}
	}
	full := list
	for n := range gapsKept + 5 {
		full = miss(full, fmt.Sprintf("question number%d", n))
	}
	if len(full) != gapsKept || full[0].Times != 2 || !strings.Contains(full[len(full)-1].Text, "number44") {
		t.Errorf("%d kept, first %+v, last %+v", len(full), full[0], full[len(full)-1])
	}
	if left := Hit(list, "how the cache is warmed"); len(left) != 0 {
		t.Errorf("after a hit: %+v", left)
	}
	if left := Hit(list, "how is the cache emptied"); len(left) != 1 {
		t.Errorf("after another hit: %+v", left)
	}
}

func TestAGapGoesWhenATextAnswersOrItIsOld(t *testing.T) {
	t.Parallel()
	asked := []Gap{{Kind: GapSearch, Text: "who warms the price cache", Times: 1, At: onDay(1)}}
	for _, c := range []struct {
		name string
		said Answer
		now  time.Time
		open bool
	}{
		{"nothing was said", Answer{}, onDay(2), true},
		{"a text said since has most of its words", Answer{"The till warms the price cache at six", onDay(2)}, onDay(2), false},
		{"it was said before and did not answer", Answer{"The till warms the price cache at six", onDay(0)}, onDay(2), true},
		{"it speaks of something else", Answer{"Prices are kept in cents", onDay(2)}, onDay(2), true},
		{"it only asks the same", Answer{"Who on earth warms the price cache?", onDay(2)}, onDay(2), true},
		{"nobody asked again for long", Answer{}, onDay(40), false},
	} {
		if got := Unanswered(asked, []Answer{c.said}, nil, c.now); (len(got) == 1) != c.open {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

// However many searches found nothing, a question is among the three that are shown.
func TestTheGapsThatAreShownAreOfDifferentKinds(t *testing.T) {
	t.Parallel()
	gap := func(kind GapKind, text string, times int) Gap {
		return Gap{Kind: kind, Text: text, Times: times, At: onDay(1)}
	}
	all := []Gap{
		gap(GapSearch, "old", 1), gap(GapSearch, "older", 1), gap(GapSearch, "often", 3), gap(GapQuestion, "Who owns it?", 1),
	}
	shown := func(gaps []Gap) (texts string) {
		for _, g := range Wants(gaps) {
			texts += g.Text + ";"
		}
		return texts
	}
	if got := shown(all); got != "Who owns it?;often;old;" {
		t.Errorf("of all kinds: %s", got)
	}
	if got := shown(all[:3]); got != "often;old;older;" {
		t.Errorf("of one kind: %s", got)
	}
}

func TestOpenQuestionsAreTold(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want []string
	}{
		{"Prices are in cents. Why does the till round twice?", []string{"Why does the till round twice?"}},
		{"It is unclear why the till rounds. Fix the test.", []string{"It is unclear why the till rounds."}},
		{"We don't know who owns v1.2 of the API", []string{"We don't know who owns v1.2 of the API"}},
		{"ok?", nil},
		{"Nothing is open here.", nil},
	} {
		got := OpenQuestions(c.text)
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

func onDay(n int) time.Time { return time.Date(2026, 3, 1+n, 12, 0, 0, 0, time.UTC) }
