package texts_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/forget"
	"github.com/hebb-memory/hebb/internal/knowledge"
	"github.com/hebb-memory/hebb/internal/learn"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/sleep"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/texts"
)

func onSubject(subject string) func(*texts.RememberInput) {
	return func(in *texts.RememberInput) { in.Subject = subject }
}
func onlyKinds(kinds ...string) func(in *texts.SearchInput) {
	return func(in *texts.SearchInput) { in.Kinds = kinds }
}

func TestWhatIsRememberedIsFoundAtOnceAndAfterReopening(t *testing.T) {
	l := braintest.NewLibrary(t)
	const secret = "ghp_0123456789abcdefghijklmnopqrstuvwxyzAB"
	l.Remember("we chose WAL mode because two hooks may write at once", braintest.Of(memory.Decision))
	l.Remember("the deploy token is "+secret, onSubject("token "+secret))
	l.Remember("answer in short sentences", braintest.Of(memory.Preference), func(in *texts.RememberInput) { in.Everywhere = true })
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
	why := braintest.Must(l.Lab, texts.WhyCrystal, texts.ProvenanceInput{ID: string(second.ID)})
	if len(why.Parents) != 1 || why.Parents[0].ID != first.ID || len(why.Children) != 1 || why.Children[0].ID != third.ID ||
		!why.ValidTo.Equal(third.SaidAt) || len(why.Traces) != 2 {
		t.Errorf("why: %+v", why)
	}
}

func TestTheSameTextTwiceIsSaidAgain(t *testing.T) {
	l := braintest.NewLibrary(t)
	first := l.Remember("migrations run in one transaction")
	l.Passes(time.Hour)
	again := l.Remember("  migrations run in one transaction\n")
	if !again.Known || again.ID != first.ID || again.Accesses != 1 || !again.LastAt.Equal(l.Clock) {
		t.Errorf("again: %+v", again)
	}
	l.Finds("migrations", []string{"migrations run in one transaction"}, braintest.WithHistory)
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
		for _, d := range braintest.Must(l.Lab, texts.CheckCrystals, texts.CheckInput{Scope: l.Scope()}) {
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

	if c := braintest.Must(l.Lab, texts.Judge, texts.JudgeInput{ID: string(tied.ID), Right: true}); c.Unsure || c.Accesses != 1 {
		t.Errorf("confirmed: %+v", c)
	}
	check() // the code as it is now is what it speaks of
	order(tied.ID, plain.ID)
	if err := os.Remove(filepath.Join(l.Dir, "client.go")); err != nil {
		t.Fatal(err)
	}
	check(tied.ID)
	braintest.Must(l.Lab, texts.Judge, texts.JudgeInput{ID: string(tied.ID)})
	check()
	order(plain.ID)
	if found := l.Find("retry policy", braintest.WithHistory); len(found) != 2 {
		t.Errorf("history finds %d", len(found))
	}
	whats := []string{}
	for _, trace := range braintest.Must(l.Lab, texts.WhyCrystal, texts.ProvenanceInput{ID: string(tied.ID)}).Traces {
		whats = append(whats, trace.What)
	}
	if want := []string{texts.TraceSaid, texts.TraceDoubted, texts.TraceConfirmed, texts.TraceDoubted, texts.TraceWrong}; !slices.Equal(whats, want) {
		t.Errorf("traces %v, want %v", whats, want)
	}
}

// words are made of syllables: none is the beginning of another, and stems differ as the words do.
func words(n int) (list []string) {
	stems := map[string]bool{}
	for _, a := range []string{"ba", "do", "fi", "gu", "ke", "lo", "mi", "nu", "pa", "ro"} {
		for _, b := range []string{"lk", "mp", "nt", "rk", "sk", "ft", "zz", "gr"} {
			for _, c := range []string{"on", "ar", "im", "ot"} {
				w := a + b + c
				if s := recall.Words(w); len(s) == 1 && !stems[s[0]] && len(list) < n {
					stems[s[0]] = true
					list = append(list, w)
				}
			}
		}
	}
	return list
}

// Three thousand notes that differ in one word from a hundred others: each is found by its own words, as the first.
func TestNearAlikeNotesAreEachFoundAgain(t *testing.T) {
	l := braintest.NewLibrary(t)
	vocabulary := words(110)
	workers, queues := vocabulary[:60], vocabulary[60:]
	var kept, queries []string
	for _, w := range workers {
		for _, q := range queues {
			kept = append(kept, fmt.Sprintf("the %s worker retries the %s queue twice before it gives up", w, q))
			queries = append(queries, w+" worker "+q+" queue")
		}
	}
	if len(kept) != 3000 {
		t.Fatalf("%d texts", len(kept))
	}
	l.Many(kept)
	lost := 0
	for i, query := range queries {
		if found := l.Find(query, func(in *texts.SearchInput) { in.Limit = 1 }); len(found) != 1 || found[0].Text != kept[i] {
			if lost++; lost < 5 {
				t.Errorf("%q finds %v", query, found)
			}
		}
	}
	if lost > 0 {
		t.Errorf("%d of %d are lost", lost, len(kept))
	}
}

// Whatever stands beside it in a question, a word that occurs is found.
func TestAWordThatOccursIsNeverAnsweredWithNothing(t *testing.T) {
	l := braintest.NewLibrary(t)
	l.Config.Tuning.Search.LeadTexts = 10 // so that few texts are many
	vocabulary := words(40)
	var kept []string
	for _, w := range vocabulary[:20] {
		kept = append(kept, "alder grows beside "+w)
	}
	for _, w := range vocabulary[20:] {
		kept = append(kept, "birch grows beside "+w)
	}
	l.Many(kept)
	for _, query := range []string{
		"alder birch", "alder and birch and nothing else at all", "xylophone alder", vocabulary[0] + " " + vocabulary[39], "alder xylophone birch qqqq",
		"who said alder yesterday?", "alder AND NOT birch", `alder "`, "alder*", "(alder", "title:alder", "alder -birch",
	} {
		if len(l.Find(query)) == 0 {
			t.Errorf("%q finds nothing", query)
		}
	}
}

// What was superseded or has expired is better than nothing.
func TestHistoryAnswersWhereNothingElseDoes(t *testing.T) {
	l := braintest.NewLibrary(t)
	l.Remember("the message broker is rabbit")
	l.Passes(time.Hour)
	l.Remember("the message broker is kafka")
	l.Remember("the linter wants tabs", braintest.By(memory.OriginAgent))
	l.SleepOn(90, sleep.SleepInput{})
	l.Finds("rabbit", []string{"the message broker is rabbit"})
	l.Finds("linter tabs", []string{"the linter wants tabs"})
	l.Finds("message broker", []string{"the message broker is kafka"}) // history only where there is nothing else
}

// The four rarest words of a text lead to it.
func TestTheRarestWordsOfATextFindIt(t *testing.T) {
	l := braintest.NewLibrary(t)
	r := rand.New(rand.NewPCG(7, 7))
	vocabulary := words(300)
	zipf := rand.NewZipf(r, 1.3, 4, uint64(len(vocabulary)-1))
	seen := map[string]bool{}
	var kept []string
	for len(kept) < 600 {
		var said []string
		for range 8 + r.IntN(25) {
			said = append(said, vocabulary[zipf.Uint64()])
		}
		if text := strings.Join(said, " "); !seen[text] {
			seen[text] = true
			kept = append(kept, text)
		}
	}
	l.Many(kept)
	for range 100 {
		text := kept[r.IntN(len(kept))]
		said := strings.Fields(text)
		frequency, err := brain.View(t.Context(), l.Brain, func(tx *store.Tx) (store.Frequency, error) { return tx.Frequency(t.Context(), recall.Words(text)) })
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(said)
		said = slices.Compact(said)
		slices.SortStableFunc(said, func(a, b string) int { return int(frequency.In[recall.Words(a)[0]] - frequency.In[recall.Words(b)[0]]) })
		query := strings.Join(said[:min(4, len(said))], " ")
		found := l.Find(query, func(in *texts.SearchInput) { in.Limit = 5 })
		if !slices.ContainsFunc(found, func(f texts.Found) bool { return f.Text == text }) {
			t.Errorf("%q does not find %q but %v", query, text, found)
		}
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
		second := l.Remember("deploys go through the blue pipeline", braintest.Of(memory.Lesson))
		err := l.Store.Update(t.Context(), func(tx *store.Tx) error {
			changed := second.Crystal
			changed.Importance = c.importance
			return tx.SaveCrystal(t.Context(), changed)
		})
		if err != nil {
			t.Fatal(err)
		}
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
		if why := braintest.Must(l.Lab, texts.WhyCrystal, texts.ProvenanceInput{ID: string(second.ID)}); len(why.Children)+len(why.Parents) == 0 ||
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
	why := braintest.Must(l.Lab, texts.WhyCrystal, texts.ProvenanceInput{ID: string(agents.ID)})
	if last := why.Traces[len(why.Traces)-1]; last.What != texts.TraceExpired || len(why.Traces) != 2 {
		t.Errorf("traces %+v", why.Traces)
	}
	if found := l.Find("noon"); len(found) != 1 || found[0].Crystal.ID != users.ID {
		t.Errorf("found %v", found)
	}
	if again := l.Remember("the cache is emptied at noon", braintest.Of(memory.Lesson), braintest.By(memory.OriginAgent)); !again.Known || again.Lifecycle != memory.Activated {
		t.Errorf("said again: %+v", again)
	}
}

func TestSnippetsFollowTheCode(t *testing.T) {
	l := braintest.NewLibrary(t)
	const one = "// Greet says hello.\nfunc Greet(name string) string {\n\tif name == \"\" {\n\t\tname = \"nobody\"\n\t}\n\treturn \"hello \" + name\n}\n"
	const two = "func Depart(name string) string {\n\tif name == \"\" {\n\t\tname = \"nobody\"\n\t}\n\treturn \"farewell \" + name\n}\n"
	read := func(changed, gone int) {
		t.Helper()
		out := braintest.Must(l.Lab, learn.ReadSnippets, learn.SnippetsInput{Dir: l.Dir})
		if out.Changed != changed || out.Gone != gone {
			t.Fatalf("read %+v, want %d changed and %d gone", out, changed, gone)
		}
	}
	l.Write("greet.go", "package shop\n\n"+one)
	l.Write("depart.go", "package shop\n\n"+two)
	read(2, 0)
	before := l.Snippets()
	if len(before) != 2 {
		t.Fatalf("snippets %v", before)
	}
	read(0, 0)
	l.Write("greet.go", "package shop\n\nimport \"fmt\"\n\nvar _ = fmt.Sprint\n\n"+one)
	read(1, 0)
	after := l.Snippets()
	id := func(s string) string { head, _, _ := strings.Cut(s, ":"); return head }
	if len(after) != 2 || id(after["Greet"]) != id(before["Greet"]) || after["Greet"] == before["Greet"] || after["Depart"] != before["Depart"] {
		t.Errorf("after lines moved %v, before %v", after, before)
	}
	l.Write("greet.go", "package shop\n\n"+strings.ReplaceAll(one, "nobody", "stranger"))
	read(1, 0)
	if found := l.Find("kind:snippet greet stranger", onlyKinds(ranking.SnippetText)); len(found) == 0 || !strings.Contains(found[0].Text, "stranger") {
		t.Errorf("changed: %v", found)
	}
	for _, f := range l.Find("greet", onlyKinds(ranking.SnippetText)) {
		if f.Path == "greet.go" && strings.Contains(f.Text, "nobody") {
			t.Errorf("the earlier text is still there: %s", f.Text)
		}
	}
	if err := os.Remove(filepath.Join(l.Dir, "depart.go")); err != nil {
		t.Fatal(err)
	}
	read(0, 1)
	if got := l.Snippets(); len(got) != 1 || got["Greet"] == "" {
		t.Errorf("after a file is gone: %v", got)
	}
}

const foreignMemory = `{"type":"entity","name":"billing","entityType":"service","observations":["owns invoices","written in Go"]}
{"type":"entity","name":"postgres","entityType":"database","observations":[]}
{"type":"entity","name":"hebb fact","entityType":"hebb:fact","observations":["the invoice number never repeats","totals are kept in cents"]}
{"type":"relation","from":"billing","to":"postgres","relationType":"depends on"}
`

func TestMovingInTwiceAddsNothing(t *testing.T) {
	l := braintest.NewLibrary(t)
	file := braintest.WriteFile(t, filepath.Join(t.TempDir(), "memory.json"), []byte(foreignMemory))
	in := learn.MoveInInput{Scope: l.Scope(), Path: file}
	dry := in
	dry.Dry = true
	if out := braintest.Must(l.Lab, learn.MoveIn, dry); out.Crystals != 2 || out.Entities != 2 || out.Observations != 2 || out.Relations != 1 {
		t.Errorf("dry: %+v", out)
	}
	if found := l.Find("invoice"); len(found) != 0 {
		t.Errorf("a dry run kept %v", found)
	}
	if out := braintest.Must(l.Lab, learn.MoveIn, in); out.Known != 0 || out.Format != "mcp-memory" || len(out.Problems) > 0 {
		t.Errorf("first: %+v", out)
	}
	state := func() string {
		graph := braintest.Must(l.Lab, knowledge.ReadGraph, knowledge.GraphInput{Scope: l.Scope()})
		return fmt.Sprint(graph, len(l.Find("invoice number cents totals billing", braintest.WithHistory)), braintest.Must(l.Lab, answer.SearchTexts, texts.SearchInput{Scope: l.Scope(), Query: "x"}).Documents)
	}
	before := state()
	if out := braintest.Must(l.Lab, learn.MoveIn, in); out.Known != 2 {
		t.Errorf("second: %+v", out)
	}
	if after := state(); after != before {
		t.Errorf("after %s, before %s", after, before)
	}
	for _, f := range l.Find("invoice number billing") {
		if f.Origin != memory.OriginImport {
			t.Errorf("%q is from %s", f.Text, f.Origin)
		}
	}
}

func TestATextCanBeForgottenForGood(t *testing.T) {
	t.Parallel()
	l := braintest.NewLibrary(t)
	kept, gone := l.Remember("the blue door is open"), l.Remember("the red door is shut")
	if r := braintest.Must(l.Lab, steward.Forget, forget.ForgetInput{IDs: []memory.EventID{memory.EventID(gone.ID)}}); r.Texts != 1 || r.Applied || len(l.Find("red")) != 1 {
		t.Errorf("without a yes: %+v", r)
	}
	if r := braintest.Must(l.Lab, steward.Forget, forget.ForgetInput{IDs: []memory.EventID{memory.EventID(gone.ID)}, Apply: true}); r.Texts != 1 || !r.Applied {
		t.Errorf("%+v", r)
	}
	if found := l.Find("red", braintest.WithHistory); len(found) > 0 {
		t.Errorf("found %v", found)
	}
	if found := l.Find("blue"); len(found) != 1 || found[0].Ref != string(kept.ID) {
		t.Errorf("the other is gone too: %v", found)
	}
	braintest.Must(l.Lab, knowledge.CreateEntities, knowledge.EntitiesInput{GraphInput: knowledge.GraphInput{Scope: l.Scope()}, Entities: []knowledge.Entity{{Name: "door", Type: "thing"}}})
	if r := braintest.Must(l.Lab, steward.Forget, forget.ForgetInput{Scope: brain.Scope{Project: kept.Project.String()}, Apply: true}); r.Texts != 2 {
		t.Errorf("of the project: %+v", r)
	}
	if found := l.Find("door", braintest.WithHistory); len(found) > 0 {
		t.Errorf("after the project: %v", found)
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
	if still := braintest.Must(l.Lab, texts.WhyCrystal, texts.ProvenanceInput{ID: string(mine.ID)}); still.Accesses != 0 || len(still.Traces) != 1 {
		t.Errorf("what a person said counts as said again: %+v", still)
	}
}

func TestACallOfWrongCanBeTakenBack(t *testing.T) {
	t.Parallel()
	l := braintest.NewLibrary(t)
	said := l.Remember("the blue door is open")
	braintest.Must(l.Lab, texts.Judge, texts.JudgeInput{ID: string(said.ID)})
	if c := braintest.Must(l.Lab, texts.Judge, texts.JudgeInput{ID: string(said.ID), Right: true}); !c.ValidTo.IsZero() || len(l.Find("blue door")) != 1 {
		t.Errorf("%+v", c)
	}
	l.Remember("the staging database is db1", onSubject("staging database"))
	l.Passes(time.Minute)
	old := l.Find("db1")[0].Crystal.ID
	l.Remember("the staging database is db2", onSubject("staging database"))
	if _, err := steward.Run(t.Context(), l.Brain, texts.Judge, texts.JudgeInput{ID: string(old), Right: true}); err == nil {
		t.Error("what another has taken the place of was brought back")
	}
}
