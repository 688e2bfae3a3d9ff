package statements_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/sleep"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/texts"
)

func onSubject(subject string) func(*statements.RememberInput) {
	return func(in *statements.RememberInput) { in.Subject = subject }
}

func TestWhatIsRememberedIsFoundAtOnceAndAfterReopening(t *testing.T) {
	l := braintest.NewLibrary(t)
	const secret = "ghp_0123456789abcdefghijklmnopqrstuvwxyzAB"
	l.Remember("we chose WAL mode because two hooks may write at once", braintest.Of(memory.Decision))
	l.Remember("the deploy token is "+secret, onSubject("token "+secret))
	l.Remember("answer in short sentences", braintest.Of(memory.Preference), func(in *statements.RememberInput) { in.Everywhere = true })
	for range 2 {
		l.Finds("WAL", []string{"we chose WAL mode because two hooks may write at once"})
		l.Finds("why do hooks write", []string{"we chose WAL mode because two hooks may write at once"})
		l.Finds(`"two hooks may write"`, []string{"we chose WAL mode because two hooks may write at once"})
		l.Finds(`"hooks two"`, nil)
		l.Finds("kind:decision", []string{"we chose WAL mode because two hooks may write at once"})
		l.Finds("kind:lesson WAL", nil)
		l.Finds("sentences", []string{"answer in short sentences"})
		for _, f := range l.Find("deploy token") {
			if strings.Contains(f.Text+f.Crystal.Subject, secret) {
				t.Errorf("a secret is kept: %+v", f)
			}
		}
		l.Finds(secret, nil)
		l.Reopen()
	}
	other := braintest.NewLibrary(t).Dir
	if out := braintest.Must(l.Lab, answer.SearchTexts, texts.SearchInput{Scope: brain.Scope{Dir: other}, Query: "WAL"}); len(out.Found) > 0 {
		t.Errorf("another project finds %v", out.Found)
	}
	if out := braintest.Must(l.Lab, answer.SearchTexts, texts.SearchInput{Scope: brain.Scope{Dir: other}, Query: "short sentences"}); len(out.Found) != 1 {
		t.Errorf("what is true everywhere is found %d times elsewhere", len(out.Found))
	}
}

func TestALaterStatementTakesThePlaceOfAnEarlier(t *testing.T) {
	l := braintest.NewLibrary(t)
	first := l.Remember("the staging database is db1")
	l.Passes(time.Hour)
	second := l.Remember("the staging database is db2")
	l.Passes(time.Hour)
	third := l.Remember("db3 it is, since Tuesday", onSubject("the staging database"))
	l.Finds("staging database db1 db2 db3", []string{"db3 it is, since Tuesday"})
	if found := l.Find("staging database db1 db2 db3", braintest.WithHistory); len(found) != 3 {
		t.Errorf("history finds %d", len(found))
	}
	l.Finds("staging database db1 db2 db3", []string{"the staging database is db1"}, braintest.AsOf(braintest.Start.Add(time.Minute)))
	l.Finds("staging database db1 db2 db3", []string{"the staging database is db2"}, braintest.AsOf(braintest.Start.Add(90*time.Minute)))
	l.Finds("staging database db1", nil, braintest.AsOf(braintest.Start.Add(-time.Minute)))
	if !slices.Equal(second.Superseded, []memory.CrystalID{first.ID}) || !slices.Equal(third.Superseded, []memory.CrystalID{second.ID}) {
		t.Errorf("superseded %v, then %v", second.Superseded, third.Superseded)
	}
	why := braintest.Must(l.Lab, statements.WhyCrystal, statements.ProvenanceInput{ID: string(second.ID)})
	if len(why.Parents) != 1 || why.Parents[0].ID != first.ID || len(why.Children) != 1 || why.Children[0].ID != third.ID ||
		!why.ValidTo.Equal(third.SaidAt) || len(why.Traces) != 2 {
		t.Errorf("why: %+v", why)
	}
}

// An agent hands over a part of a sentence, hebb hears the whole, and people write capitals or not: one statement.
func TestTheSameWordsInOtherDressAreSaidAgain(t *testing.T) {
	l := braintest.NewLibrary(t)
	first := l.Remember("We never push to main directly.", braintest.Of(memory.Rule))
	for _, text := range []string{"we never push to main directly", "please note that we never push to Main directly!"} {
		l.Passes(time.Hour)
		if again := l.Remember(text, braintest.Of(memory.Preference)); !again.Known || again.ID != first.ID || again.Kind != memory.Rule {
			t.Errorf("%q: %+v", text, again)
		}
	}
	for _, text := range []string{
		"we push to main directly", "we never push to main directly without a review", "we never push to main2 directly", "never push", "main",
	} {
		if kept := l.Remember(text, braintest.Of(memory.Rule)); kept.Known {
			t.Errorf("%q is taken for %q", text, kept.Text)
		}
	}
}

func TestALessTrustedOriginDoesNotTakeThePlaceOfAUsersWord(t *testing.T) {
	l := braintest.NewLibrary(t)
	l.Remember("the default branch is main")
	l.Passes(time.Hour)
	if kept := l.Remember("the default branch is trunk", braintest.By(memory.OriginAgent)); len(kept.Superseded) > 0 {
		t.Errorf("an agent superseded %v", kept.Superseded)
	}
	if found := l.Find("default branch"); len(found) != 2 {
		t.Errorf("%d found, want both: %v", len(found), found)
	}
	l.Passes(time.Hour)
	if kept := l.Remember("the default branch is release"); len(kept.Superseded) != 2 {
		t.Errorf("the user superseded %v", kept.Superseded)
	}
	l.Finds("default branch", []string{"the default branch is release"})
}

const retryCode = `package shop

func Retry() int {
	tries := 3
	return tries
}

func Other() int {
	return 7
}
`

// A text about code that has changed ranks lower and says so until somebody has looked.
func TestWhatIsSaidOfChangedCodeNeedsACheck(t *testing.T) {
	l := braintest.NewLibrary(t)
	l.Write("client.go", retryCode)
	plain := l.Remember("our retry policy gives up after three tries", braintest.Of(memory.Lesson))
	l.Passes(time.Minute)
	tied := l.Remember("that retry policy gives up after three tries", braintest.Of(memory.Lesson), braintest.TiedTo("client.go#Retry"))
	check := func(want ...memory.CrystalID) {
		t.Helper()
		var got []memory.CrystalID
		for _, d := range braintest.Must(l.Lab, statements.CheckCrystals, statements.CheckInput{Scope: l.Scope()}) {
			got = append(got, d.ID)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%v need a check, want %v", got, want)
		}
	}
	order := func(want ...memory.CrystalID) []texts.Found {
		t.Helper()
		found := l.Find("retry policy")
		for i, f := range found {
			if i >= len(want) || f.Crystal.ID != want[i] || len(found) != len(want) {
				t.Fatalf("found %+v, want %v", found, want)
			}
		}
		return found
	}
	check()
	order(tied.ID, plain.ID) // alike, the later first
	l.Write("client.go", strings.ReplaceAll(retryCode, "return 7", "return 8"))
	check()
	l.Write("client.go", "// Package shop sells.\n"+retryCode)
	check()
	l.Write("client.go", strings.ReplaceAll(retryCode, "tries := 3", "tries := 5"))
	check(tied.ID)
	if found := order(plain.ID, tied.ID); found[1].Doubt == 0 || !found[1].Crystal.Unsure || found[0].Doubt != 0 {
		t.Errorf("doubts: %+v", found)
	}
	check(tied.ID)

	if c := braintest.Must(l.Lab, statements.Judge, statements.JudgeInput{ID: string(tied.ID), Right: true}); c.Unsure || c.Accesses != 1 {
		t.Errorf("confirmed: %+v", c)
	}
	check() // the code as it is now is what it speaks of
	order(tied.ID, plain.ID)
	must.Do(t, os.Remove(filepath.Join(l.Dir, "client.go")))
	check(tied.ID)
	braintest.Must(l.Lab, statements.Judge, statements.JudgeInput{ID: string(tied.ID)})
	check()
	order(plain.ID)
	if found := l.Find("retry policy", braintest.WithHistory); len(found) != 2 {
		t.Errorf("history finds %d", len(found))
	}
	whats := []string{}
	for _, trace := range braintest.Must(l.Lab, statements.WhyCrystal, statements.ProvenanceInput{ID: string(tied.ID)}).Traces {
		whats = append(whats, trace.What)
	}
	if want := []string{"said", "doubted", "confirmed", "doubted", statements.TraceWrong}; !slices.Equal(whats, want) {
		t.Errorf("traces %v, want %v", whats, want)
	}
}

func TestSleepMergesWhatSaysTheSame(t *testing.T) {
	for _, c := range []struct {
		importance float64
		want       int64
	}{{.7, 1}, {.69, 0}} {
		l := braintest.NewLibrary(t)
		first := l.Remember("Deploys go through the blue pipeline.", braintest.Of(memory.Lesson))
		l.Passes(time.Hour)
		second := l.Remember("our deploys go through that blue pipeline", braintest.Of(memory.Lesson))
		must.Do(t, l.Store.Update(t.Context(), func(tx *store.Tx) error {
			changed := second.Crystal
			changed.Importance = c.importance
			return tx.SaveCrystal(t.Context(), changed)
		}))
		if r := l.SleepOn(.5, sleep.SleepInput{}); r.Crystals.Merged != c.want {
			t.Fatalf("importance %v: %d merged, want %d", c.importance, r.Crystals.Merged, c.want)
		}
		if r := l.SleepOn(.6, sleep.SleepInput{}); r.Crystals.Merged != 0 {
			t.Errorf("merged again: %+v", r.Crystals)
		}
		if c.want == 0 {
			if found := l.Find("blue pipeline"); len(found) != 2 {
				t.Errorf("found %v", found)
			}
			continue
		}
		l.Finds("blue pipeline", []string{"Deploys go through the blue pipeline."})
		if found := l.Find("blue pipeline", braintest.WithHistory); len(found) != 2 || l.Crystal(second.ID).Lifecycle != memory.Archived {
			t.Errorf("history: %v", found)
		}
		if why := braintest.Must(l.Lab, statements.WhyCrystal, statements.ProvenanceInput{ID: string(second.ID)}); len(why.Children)+len(why.Parents) == 0 ||
			why.Traces[len(why.Traces)-1].Detail != string(first.ID) {
			t.Errorf("why: %+v", why)
		}
	}
}

func TestAnAgentsUnusedNoteExpiresAndAUsersNever(t *testing.T) {
	l := braintest.NewLibrary(t)
	users := l.Remember("the cache is warmed at noon", braintest.Of(memory.Lesson))
	agents := l.Remember("the cache is emptied at noon", braintest.Of(memory.Lesson), braintest.By(memory.OriginAgent))
	skill := l.Remember("warming a cache by hand", braintest.Of(memory.Skill), braintest.By(memory.OriginAgent))
	if r := l.SleepOn(20, sleep.SleepInput{}); r.Crystals.Expired != 0 {
		t.Fatalf("after 20 days: %+v", r.Crystals)
	}
	if r := l.SleepOn(60, sleep.SleepInput{}); r.Crystals.Expired != 1 {
		t.Fatalf("after 60 days: %+v", r.Crystals)
	}
	l.SleepOn(2000, sleep.SleepInput{})
	for id, want := range map[memory.CrystalID]memory.Lifecycle{
		users.ID: memory.Generated, agents.ID: memory.Expired, skill.ID: memory.Generated,
	} {
		if got := l.Crystal(id).Lifecycle; got != want {
			t.Errorf("%s is %s, want %s", id, got, want)
		}
	}
	why := braintest.Must(l.Lab, statements.WhyCrystal, statements.ProvenanceInput{ID: string(agents.ID)})
	if last := why.Traces[len(why.Traces)-1]; last.What != statements.TraceExpired || len(why.Traces) != 2 {
		t.Errorf("traces %+v", why.Traces)
	}
	if found := l.Find("noon"); len(found) != 1 || found[0].Crystal.ID != users.ID {
		t.Errorf("found %v", found)
	}
	if again := l.Remember("the cache is emptied at noon", braintest.Of(memory.Lesson), braintest.By(memory.OriginAgent)); !again.Known || again.Lifecycle != memory.Activated {
		t.Errorf("said again: %+v", again)
	}
}

func TestAPersonSaysInTheirOwnNameWhatAnImportSaid(t *testing.T) {
	t.Parallel()
	l := braintest.NewLibrary(t)
	imported := l.Remember("the blue door is open", braintest.By(memory.OriginImport))
	mine := l.Remember("the blue door is open")
	if mine.Known || mine.Origin != memory.OriginUser || mine.ID == imported.ID {
		t.Errorf("%+v", mine)
	}
	if again := l.Remember("the blue door is open", braintest.By(memory.OriginImport)); !again.Known {
		t.Errorf("an import that says it again: %+v", again)
	}
	if still := braintest.Must(l.Lab, statements.WhyCrystal, statements.ProvenanceInput{ID: string(mine.ID)}); still.Accesses != 0 || len(still.Traces) != 1 {
		t.Errorf("what a person said counts as said again: %+v", still)
	}
}

func TestACallOfWrongCanBeTakenBack(t *testing.T) {
	t.Parallel()
	l := braintest.NewLibrary(t)
	said := l.Remember("the blue door is open")
	braintest.Must(l.Lab, statements.Judge, statements.JudgeInput{ID: string(said.ID)})
	if c := braintest.Must(l.Lab, statements.Judge, statements.JudgeInput{ID: string(said.ID), Right: true}); !c.ValidTo.IsZero() || len(l.Find("blue door")) != 1 {
		t.Errorf("%+v", c)
	}
	l.Remember("the staging database is db1", onSubject("staging database"))
	l.Passes(time.Minute)
	old := l.Find("db1")[0].Crystal.ID
	l.Remember("the staging database is db2", onSubject("staging database"))
	if _, err := steward.Run(t.Context(), l.Brain, statements.Judge, statements.JudgeInput{ID: string(old), Right: true}); err == nil {
		t.Error("what another has taken the place of was brought back")
	}
}
