package ranking_test

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/forget"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/sleep"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
)

// newWordLab knows 40 commits in which people speak of the till in three ways.
func newWordLab(t *testing.T) *braintest.Lab {
	t.Helper()
	l := braintest.NewLab(t)
	l.Numbers.TableFrom, l.Numbers.TableAfter, l.Numbers.Training.Dims, l.Numbers.Training.Batch, l.Numbers.Lessons.From = 40, 20, 16, 16, 10
	l.WordCommits(0, 40)
	return l
}

func TestWordsAreLearnedWhenThePastHasGrown(t *testing.T) {
	l := newWordLab(t)
	if !l.LearnWords() {
		t.Fatal("nothing learned from 40 commits")
	}
	if l.LearnWords() {
		t.Error("learned again from the same")
	}
	l.WordCommits(40, 59)
	if l.LearnWords() {
		t.Error("learned again after 19 commits")
	}
	l.WordCommits(59, 60)
	if !l.LearnWords() {
		t.Error("not learned again after 20 commits")
	}
	if m := l.MeaningOf(); m.Trained != (record.Trained{Generation: 2, Commits: 60}) {
		t.Errorf("made from %+v", m.Trained)
	}
}

func TestTooShortAPastHasNoTable(t *testing.T) {
	l := newWordLab(t)
	l.Numbers.TableFrom = 41
	if l.LearnWords() || l.MeaningOf().Known() {
		t.Error("40 commits have a table, 41 are asked for")
	}
}

func TestAnswersKnowWhatWordsMean(t *testing.T) {
	l := newWordLab(t)
	in := ranking.RecallInput{Scope: braintest.Shop, Text: "the cash drawer", Explain: true}
	before := braintest.Must(l, ranking.Recall, in)
	l.LearnWords()
	parts := func(r ranking.RecallResult) map[string]bool {
		found := map[string]bool{}
		for _, p := range r.Files[0].Parts {
			found[p.Term] = true
		}
		return found
	}
	after := braintest.Must(l, ranking.Recall, in)
	if len(after.Files) == 0 || after.Files[0].Path != "shop/register.go" || !parts(after)[recall.Meaning.String()] {
		t.Errorf("with a table: %+v", after.Files)
	}
	in.Wordless = true
	without := braintest.Must(l, ranking.Recall, in)
	if !reflect.DeepEqual(without.Files[0].Parts, before.Files[0].Parts) || without.Files[0].Score != before.Files[0].Score {
		t.Errorf("without: %+v, before there was one: %+v", without.Files[0], before.Files[0])
	}
}

func TestAFreshProcessAnswersAlike(t *testing.T) {
	l := newWordLab(t)
	l.LearnWords()
	l.WordCommits(40, 44) // later than the directions that were saved
	in := ranking.RecallInput{Scope: braintest.Shop, Text: "oil the hinge"}
	here := braintest.Must(l, ranking.Recall, in)
	record.Pasts(l.Brain).Take(l.Place.Project())
	if fresh := braintest.Must(l, ranking.Recall, in); !reflect.DeepEqual(fresh.Files, here.Files) {
		t.Errorf("fresh: %+v\nhere: %+v", fresh.Files, here.Files)
	}
}

func TestSleepLearnsWords(t *testing.T) {
	l := newWordLab(t)
	l.Numbers.Refresh = 5
	doing := map[string]bool{}
	night := func(in sleep.SleepInput) {
		in.Progress = func(what string, share float64) { doing[what] = true }
		braintest.Must(l, steward.Sleep, in)
	}
	night(sleep.SleepInput{Dry: true})
	night(sleep.SleepInput{Only: sleep.DecayPart})
	if l.MeaningOf() != nil {
		t.Fatal("a sleep that only looks, or only forgets, has learned words")
	}
	night(sleep.SleepInput{})
	m := l.MeaningOf()
	if m == nil || m.Table.Words() == 0 || m.Saved != 40 || m.Habits == nil || m.Habits.Episodes() != 40 || !doing["learning words"] {
		t.Fatalf("after sleep: %+v, told of %v", m, doing)
	}
	l.WordCommits(40, 46)
	l.Clock = l.Clock.Add(time.Hour)
	night(sleep.SleepInput{})
	if m := l.MeaningOf(); m.Saved != 46 || m.Generation != 1 {
		t.Errorf("after six commits more: %d known, table %d", m.Saved, m.Generation)
	}
}

func TestWhatIsForgottenLeavesTheTable(t *testing.T) {
	l := newWordLab(t)
	l.LearnWords()
	braintest.Must(l, steward.Forget, forget.ForgetInput{IDs: []memory.EventID{l.Events()[0].ID}, Apply: true})
	if m := l.MeaningOf(); m.Known() { // 39 commits are too few for another one
		t.Errorf("a table made from what was forgotten is still there: %+v", m.Trained)
	}
}

func TestLearningWordsCanBeCancelled(t *testing.T) {
	l := newWordLab(t)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := steward.Run(ctx, l.Brain, ranking.Learn, ranking.Input{Project: l.Place.Project(), Progress: func(float64) { cancel() }})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if l.MeaningOf() != nil {
		t.Error("half a table was kept")
	}
}

func TestATableThatCannotBeReadIsMadeAgain(t *testing.T) {
	for _, kind := range []int{record.TableBlock, record.FileVectorsBlock, record.HabitsBlock} {
		l := newWordLab(t)
		l.LearnWords()
		must.Do(t, l.Store.Update(t.Context(), func(tx *store.Tx) error {
			_, err := tx.SaveBlock(t.Context(), l.Place.Project(), kind, 0, []byte("short"))
			return err
		}))
		in := ranking.RecallInput{Scope: braintest.Shop, Text: "the till"}
		if files := braintest.Must(l, ranking.Recall, in).Files; len(files) == 0 || files[0].Path != "shop/register.go" {
			t.Errorf("block %d damaged: %+v", kind, files)
		}
		l.LearnWords()
		if m := l.MeaningOf(); !m.Known() || m.Habits == nil {
			t.Errorf("block %d damaged: not made again", kind)
		}
	}
}

func TestHabitsAreLearnedAgainAfterSomeCommits(t *testing.T) {
	l := newWordLab(t)
	l.Numbers.LessonsAfter = 5
	l.LearnWords()
	for _, c := range []struct{ from, until, known int }{{40, 44, 40}, {44, 45, 45}} {
		l.WordCommits(c.from, c.until)
		l.LearnWords()
		if m := l.MeaningOf(); m.Habits.Episodes() != c.known || m.Generation != 1 {
			t.Errorf("with %d commits: learned from %d, table %d", c.until, m.Habits.Episodes(), m.Generation)
		}
	}
}

func TestANewTableKeepsTheHabits(t *testing.T) {
	l := newWordLab(t)
	l.Numbers.LessonsAfter = 1000
	l.Numbers.Lessons.From = 1
	l.LearnWords()
	l.Numbers.LessonsAfter = 40
	l.LearnWords()
	l.Numbers.LessonsAfter = 1000
	l.WordCommits(40, 60)
	if !l.LearnWords() {
		t.Fatal("no new table after 20 commits")
	}
	if m := l.MeaningOf(); m.Generation != 2 || m.Habits == nil || m.Habits.Episodes() != 40 {
		t.Errorf("table %d, habits %v", m.Generation, m.Habits != nil)
	}
	record.Pasts(l.Brain).Take(l.Place.Project())
	if files := braintest.Must(l, ranking.Recall, ranking.RecallInput{Scope: braintest.Shop, Text: "the cash drawer"}).Files; len(files) == 0 || files[0].Path != "shop/register.go" {
		t.Errorf("%+v", files)
	}
}
