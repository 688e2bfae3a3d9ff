package brain

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/store"
)

// newWordLab knows 40 commits in which people speak of the till in three ways.
func newWordLab(t *testing.T) *lab {
	t.Helper()
	l := newLab(t)
	l.numbers.tableFrom, l.numbers.tableAfter, l.numbers.training.Dims, l.numbers.training.Batch, l.numbers.lessons.From = 40, 20, 16, 16, 10
	l.wordCommits(0, 40)
	return l
}

func (l *lab) wordCommits(from, to int) {
	l.t.Helper()
	said := [][]string{{"till", "cash", "drawer"}, {"door", "hinge", "lock"}}
	files := []string{"shop/register.go", "house/entrance.go"}
	for n := from; n < to; n++ {
		words := said[n%2]
		l.commits([]string{fmt.Sprint(words[n/2%3], " ", words[(n/2+1)%3]), files[n%2]})
	}
}

func (l *lab) learnWords() bool {
	l.t.Helper()
	return must(l, LearnWords, WordsInput{Project: l.place.Project()})
}

// meaningOf is the table as a fresh process finds it.
func (l *lab) meaningOf() *wordSense {
	l.t.Helper()
	var m *wordSense
	err := l.store.View(l.t.Context(), func(tx *store.Tx) error {
		p, err := l.readPast(l.t.Context(), tx, l.place.Project(), "")
		m = p.meaning
		return err
	})
	if err != nil {
		l.t.Fatal(err)
	}
	return m
}

func TestWordsAreLearnedWhenThePastHasGrown(t *testing.T) {
	l := newWordLab(t)
	if !l.learnWords() {
		t.Fatal("nothing learned from 40 commits")
	}
	if l.learnWords() {
		t.Error("learned again from the same")
	}
	l.wordCommits(40, 59)
	if l.learnWords() {
		t.Error("learned again after 19 commits")
	}
	l.wordCommits(59, 60)
	if !l.learnWords() {
		t.Error("not learned again after 20 commits")
	}
	if m := l.meaningOf(); m.trained != (trained{Generation: 2, Commits: 60}) {
		t.Errorf("made from %+v", m.trained)
	}
}

func TestTooShortAPastHasNoTable(t *testing.T) {
	l := newWordLab(t)
	l.numbers.tableFrom = 41
	if l.learnWords() || l.meaningOf() != nil {
		t.Error("40 commits have a table, 41 are asked for")
	}
}

func TestAnswersKnowWhatWordsMean(t *testing.T) {
	l := newWordLab(t)
	in := RecallInput{Scope: shop, Text: "the cash drawer", Explain: true}
	before := must(l, Recall, in)
	l.learnWords()
	parts := func(r RecallResult) map[string]bool {
		found := map[string]bool{}
		for _, p := range r.Files[0].Parts {
			found[p.Term] = true
		}
		return found
	}
	after := must(l, Recall, in)
	if len(after.Files) == 0 || after.Files[0].Path != "shop/register.go" || !parts(after)[recall.Meaning.String()] {
		t.Errorf("with a table: %+v", after.Files)
	}
	in.Wordless = true
	without := must(l, Recall, in)
	if !reflect.DeepEqual(without.Files[0].Parts, before.Files[0].Parts) || without.Files[0].Score != before.Files[0].Score {
		t.Errorf("without: %+v, before there was one: %+v", without.Files[0], before.Files[0])
	}
}

func TestAFreshProcessAnswersAlike(t *testing.T) {
	l := newWordLab(t)
	l.learnWords()
	l.wordCommits(40, 44) // later than the directions that were saved
	in := RecallInput{Scope: shop, Text: "oil the hinge"}
	here := must(l, Recall, in)
	l.pasts().take(l.place.Project())
	if fresh := must(l, Recall, in); !reflect.DeepEqual(fresh.Files, here.Files) {
		t.Errorf("fresh: %+v\nhere: %+v", fresh.Files, here.Files)
	}
}

func TestSleepLearnsWords(t *testing.T) {
	l := newWordLab(t)
	l.numbers.refresh = 5
	doing := map[string]bool{}
	night := func(in SleepInput) {
		in.Progress = func(what string, share float64) { doing[what] = true }
		must(l, Sleep, in)
	}
	night(SleepInput{Dry: true})
	night(SleepInput{Only: DecayPart})
	if l.meaningOf() != nil {
		t.Fatal("a sleep that only looks, or only forgets, has learned words")
	}
	night(SleepInput{})
	m := l.meaningOf()
	if m == nil || m.table.Words() == 0 || m.saved != 40 || m.habits == nil || m.habits.Episodes() != 40 || !doing["learning words"] {
		t.Fatalf("after sleep: %+v, told of %v", m, doing)
	}
	l.wordCommits(40, 46)
	l.clock = l.clock.Add(time.Hour)
	night(SleepInput{})
	if m := l.meaningOf(); m.saved != 46 || m.Generation != 1 {
		t.Errorf("after six commits more: %d known, table %d", m.saved, m.Generation)
	}
}

func TestWhatIsForgottenLeavesTheTable(t *testing.T) {
	l := newWordLab(t)
	l.learnWords()
	must(l, Forget, ForgetInput{IDs: []memory.EventID{l.events()[0].ID}, Apply: true})
	if m := l.meaningOf(); m != nil {
		t.Errorf("a table made from what was forgotten is still there: %+v", m.trained)
	}
}

func TestLearningWordsCanBeCancelled(t *testing.T) {
	l := newWordLab(t)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := Run(ctx, l.Brain, LearnWords, WordsInput{Project: l.place.Project(), Progress: func(float64) { cancel() }})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if l.meaningOf() != nil {
		t.Error("half a table was kept")
	}
}

func TestATableThatCannotBeReadIsMadeAgain(t *testing.T) {
	for _, kind := range []int{tableBlock, directionsBlock, habitsBlock} {
		l := newWordLab(t)
		l.learnWords()
		err := l.store.Update(t.Context(), func(tx *store.Tx) error {
			_, err := tx.SaveBlock(t.Context(), l.place.Project(), kind, 0, []byte("short"))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		in := RecallInput{Scope: shop, Text: "the till"}
		if files := must(l, Recall, in).Files; len(files) == 0 || files[0].Path != "shop/register.go" {
			t.Errorf("block %d damaged: %+v", kind, files)
		}
		l.learnWords()
		if m := l.meaningOf(); !m.known() || m.habits == nil {
			t.Errorf("block %d damaged: not made again", kind)
		}
	}
}

func TestHabitsAreLearnedAgainAfterSomeCommits(t *testing.T) {
	l := newWordLab(t)
	l.numbers.lessonsAfter = 5
	l.learnWords()
	for _, c := range []struct{ from, until, known int }{{40, 44, 40}, {44, 45, 45}} {
		l.wordCommits(c.from, c.until)
		l.learnWords()
		if m := l.meaningOf(); m.habits.Episodes() != c.known || m.Generation != 1 {
			t.Errorf("with %d commits: learned from %d, table %d", c.until, m.habits.Episodes(), m.Generation)
		}
	}
}

func TestANewTableKeepsTheHabits(t *testing.T) {
	l := newWordLab(t)
	l.numbers.lessonsAfter = 1000
	l.numbers.lessons.From = 1
	l.learnWords()
	l.numbers.lessonsAfter = 40
	l.learnWords()
	l.numbers.lessonsAfter = 1000
	l.wordCommits(40, 60)
	if !l.learnWords() {
		t.Fatal("no new table after 20 commits")
	}
	if m := l.meaningOf(); m.Generation != 2 || m.habits == nil || m.habits.Episodes() != 40 {
		t.Errorf("table %d, habits %v", m.Generation, m.habits != nil)
	}
	l.pasts().take(l.place.Project())
	if files := must(l, Recall, RecallInput{Scope: shop, Text: "the cash drawer"}).Files; len(files) == 0 || files[0].Path != "shop/register.go" {
		t.Errorf("%+v", files)
	}
}
