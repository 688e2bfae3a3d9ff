package brain

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/store"
)

// library is a lab whose project is a real folder, for texts and the code they speak of.
type library struct {
	*lab
	dir string
}

func newLibrary(t *testing.T) *library {
	t.Helper()
	return &library{lab: newLab(t), dir: t.TempDir()}
}

func (l *library) scope() Scope { return Scope{Dir: l.dir} }

func (l *library) remember(text string, change ...func(*RememberInput)) RememberResult {
	l.t.Helper()
	in := RememberInput{Scope: l.scope(), Text: text}
	for _, c := range change {
		c(&in)
	}
	return must(l.lab, Remember, in)
}

func of(kind memory.CrystalKind) func(*RememberInput) {
	return func(in *RememberInput) { in.Kind = kind }
}
func by(origin memory.Origin) func(*RememberInput) {
	return func(in *RememberInput) { in.Origin = origin }
}
func tiedTo(files ...string) func(*RememberInput) {
	return func(in *RememberInput) { in.Files = files }
}
func onSubject(subject string) func(*RememberInput) {
	return func(in *RememberInput) { in.Subject = subject }
}
func withHistory(in *SearchInput)          { in.History = true }
func asOf(at time.Time) func(*SearchInput) { return func(in *SearchInput) { in.AsOf = at } }
func onlyKinds(kinds ...string) func(in *SearchInput) {
	return func(in *SearchInput) { in.Kinds = kinds }
}
func (l *library) passes(d time.Duration) { l.clock = l.clock.Add(d) }
func (l *library) write(name, text string) {
	l.t.Helper()
	writeFile(l.t, filepath.Join(l.dir, name), []byte(text))
}

func (l *library) find(query string, change ...func(*SearchInput)) []Found {
	l.t.Helper()
	in := SearchInput{Scope: l.scope(), Query: query}
	for _, c := range change {
		c(&in)
	}
	return must(l.lab, SearchTexts, in).Found
}

// finds wants texts, best first.
func (l *library) finds(query string, want []string, change ...func(*SearchInput)) {
	l.t.Helper()
	var got []string
	for _, f := range l.find(query, change...) {
		got = append(got, f.Text)
	}
	if !slices.Equal(got, want) {
		l.t.Errorf("%q finds %q, want %q", query, got, want)
	}
}

func (l *library) reopen() {
	l.t.Helper()
	c := l.config
	if err := l.Close(); err != nil {
		l.t.Fatal(err)
	}
	b, err := Open(l.t.Context(), c, func() time.Time { return l.clock })
	if err != nil {
		l.t.Fatal(err)
	}
	l.Brain = b
}

// many keeps texts in few transactions, as Remember keeps one.
func (l *library) many(kept []string) {
	l.t.Helper()
	l.remember("the first makes the project known")
	project := must(l.lab, Projects, struct{}{})[0].ID
	for some := range slices.Chunk(kept, 250) {
		err := l.store.Update(l.t.Context(), func(tx *store.Tx) error {
			for _, text := range some {
				c := memory.Crystal{
					Project: project, Kind: memory.Lesson, Text: text, Origin: memory.OriginUser, Lifecycle: memory.Generated, SaidAt: tx.Now,
				}
				if kept, err := l.crystallise(l.t.Context(), tx, c); err != nil || kept.Known {
					return fmt.Errorf("%q: known %v, %w", text, kept.Known, err)
				}
			}
			return nil
		})
		if err != nil {
			l.t.Fatal(err)
		}
	}
}

func TestWhatIsRememberedIsFoundAtOnceAndAfterReopening(t *testing.T) {
	l := newLibrary(t)
	const secret = "ghp_0123456789abcdefghijklmnopqrstuvwxyzAB"
	l.remember("we chose WAL mode because two hooks may write at once", of(memory.Decision))
	l.remember("the deploy token is "+secret, onSubject("token "+secret))
	l.remember("answer in short sentences", of(memory.Preference), func(in *RememberInput) { in.Everywhere = true })
	for range 2 {
		l.finds("WAL", []string{"we chose WAL mode because two hooks may write at once"})
		l.finds("why do hooks write", []string{"we chose WAL mode because two hooks may write at once"})
		l.finds(`"two hooks may write"`, []string{"we chose WAL mode because two hooks may write at once"})
		l.finds(`"hooks two"`, nil)
		l.finds("kind:decision", []string{"we chose WAL mode because two hooks may write at once"})
		l.finds("kind:lesson WAL", nil)
		l.finds("sentences", []string{"answer in short sentences"})
		for _, f := range l.find("deploy token") {
			if strings.Contains(f.Text+f.Crystal.Subject, secret) {
				t.Errorf("a secret is kept: %+v", f)
			}
		}
		l.finds(secret, nil)
		l.reopen()
	}
	other := newLibrary(t).dir
	if out := must(l.lab, SearchTexts, SearchInput{Scope: Scope{Dir: other}, Query: "WAL"}); len(out.Found) > 0 {
		t.Errorf("another project finds %v", out.Found)
	}
	if out := must(l.lab, SearchTexts, SearchInput{Scope: Scope{Dir: other}, Query: "short sentences"}); len(out.Found) != 1 {
		t.Errorf("what is true everywhere is found %d times elsewhere", len(out.Found))
	}
}

func TestALaterStatementTakesThePlaceOfAnEarlier(t *testing.T) {
	l := newLibrary(t)
	first := l.remember("the staging database is db1")
	l.passes(time.Hour)
	second := l.remember("the staging database is db2")
	l.passes(time.Hour)
	third := l.remember("db3 it is, since Tuesday", onSubject("the staging database"))
	l.finds("staging database db1 db2 db3", []string{"db3 it is, since Tuesday"})
	if found := l.find("staging database db1 db2 db3", withHistory); len(found) != 3 {
		t.Errorf("history finds %d", len(found))
	}
	l.finds("staging database db1 db2 db3", []string{"the staging database is db1"}, asOf(start.Add(time.Minute)))
	l.finds("staging database db1 db2 db3", []string{"the staging database is db2"}, asOf(start.Add(90*time.Minute)))
	l.finds("staging database db1", nil, asOf(start.Add(-time.Minute)))
	if !slices.Equal(second.Superseded, []memory.CrystalID{first.ID}) || !slices.Equal(third.Superseded, []memory.CrystalID{second.ID}) {
		t.Errorf("superseded %v, then %v", second.Superseded, third.Superseded)
	}
	why := must(l.lab, WhyCrystal, ProvenanceInput{ID: string(second.ID)})
	if len(why.Parents) != 1 || why.Parents[0].ID != first.ID || len(why.Children) != 1 || why.Children[0].ID != third.ID ||
		!why.ValidTo.Equal(third.SaidAt) || len(why.Traces) != 2 {
		t.Errorf("why: %+v", why)
	}
}

func TestTheSameTextTwiceIsSaidAgain(t *testing.T) {
	l := newLibrary(t)
	first := l.remember("migrations run in one transaction")
	l.passes(time.Hour)
	again := l.remember("  migrations run in one transaction\n")
	if !again.Known || again.ID != first.ID || again.Accesses != 1 || !again.LastAt.Equal(l.clock) {
		t.Errorf("again: %+v", again)
	}
	l.finds("migrations", []string{"migrations run in one transaction"}, withHistory)
}

func TestALessTrustedOriginDoesNotTakeThePlaceOfAUsersWord(t *testing.T) {
	l := newLibrary(t)
	l.remember("the default branch is main")
	l.passes(time.Hour)
	if kept := l.remember("the default branch is trunk", by(memory.OriginAgent)); len(kept.Superseded) > 0 {
		t.Errorf("an agent superseded %v", kept.Superseded)
	}
	if found := l.find("default branch"); len(found) != 2 {
		t.Errorf("%d found, want both: %v", len(found), found)
	}
	l.passes(time.Hour)
	if kept := l.remember("the default branch is release"); len(kept.Superseded) != 2 {
		t.Errorf("the user superseded %v", kept.Superseded)
	}
	l.finds("default branch", []string{"the default branch is release"})
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
	l := newLibrary(t)
	l.write("client.go", retryCode)
	plain := l.remember("our retry policy gives up after three tries", of(memory.Lesson))
	l.passes(time.Minute)
	tied := l.remember("that retry policy gives up after three tries", of(memory.Lesson), tiedTo("client.go#Retry"))
	check := func(want ...memory.CrystalID) {
		t.Helper()
		var got []memory.CrystalID
		for _, d := range must(l.lab, CheckCrystals, CheckInput{Scope: l.scope()}) {
			got = append(got, d.ID)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%v need a check, want %v", got, want)
		}
	}
	order := func(want ...memory.CrystalID) []Found {
		t.Helper()
		found := l.find("retry policy")
		for i, f := range found {
			if i >= len(want) || f.Crystal.ID != want[i] || len(found) != len(want) {
				t.Fatalf("found %+v, want %v", found, want)
			}
		}
		return found
	}
	check()
	order(tied.ID, plain.ID) // alike, the later first
	l.write("client.go", strings.ReplaceAll(retryCode, "return 7", "return 8"))
	check()
	l.write("client.go", "// Package shop sells.\n"+retryCode)
	check()
	l.write("client.go", strings.ReplaceAll(retryCode, "tries := 3", "tries := 5"))
	check(tied.ID)
	if found := order(plain.ID, tied.ID); found[1].Doubt == 0 || !found[1].Crystal.Unsure || found[0].Doubt != 0 {
		t.Errorf("doubts: %+v", found)
	}
	check(tied.ID)

	if c := must(l.lab, Judge, JudgeInput{ID: string(tied.ID), Right: true}); c.Unsure || c.Accesses != 1 {
		t.Errorf("confirmed: %+v", c)
	}
	check() // the code as it is now is what it speaks of
	order(tied.ID, plain.ID)
	if err := os.Remove(filepath.Join(l.dir, "client.go")); err != nil {
		t.Fatal(err)
	}
	check(tied.ID)
	must(l.lab, Judge, JudgeInput{ID: string(tied.ID)})
	check()
	order(plain.ID)
	if found := l.find("retry policy", withHistory); len(found) != 2 {
		t.Errorf("history finds %d", len(found))
	}
	whats := []string{}
	for _, trace := range must(l.lab, WhyCrystal, ProvenanceInput{ID: string(tied.ID)}).Traces {
		whats = append(whats, trace.What)
	}
	if want := []string{traceSaid, traceDoubted, traceConfirmed, traceDoubted, traceWrong}; !slices.Equal(whats, want) {
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
	l := newLibrary(t)
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
	l.many(kept)
	lost := 0
	for i, query := range queries {
		if found := l.find(query, func(in *SearchInput) { in.Limit = 1 }); len(found) != 1 || found[0].Text != kept[i] {
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
	l := newLibrary(t)
	l.config.Tuning.Search.LeadTexts = 10 // so that few texts are many
	vocabulary := words(40)
	var kept []string
	for _, w := range vocabulary[:20] {
		kept = append(kept, "alder grows beside "+w)
	}
	for _, w := range vocabulary[20:] {
		kept = append(kept, "birch grows beside "+w)
	}
	l.many(kept)
	for _, query := range []string{
		"alder birch", "alder and birch and nothing else at all", "xylophone alder", vocabulary[0] + " " + vocabulary[39], "alder xylophone birch qqqq",
		"who said alder yesterday?", "alder AND NOT birch", `alder "`, "alder*", "(alder", "title:alder", "alder -birch",
	} {
		if len(l.find(query)) == 0 {
			t.Errorf("%q finds nothing", query)
		}
	}
}

// What was superseded or has expired is better than nothing.
func TestHistoryAnswersWhereNothingElseDoes(t *testing.T) {
	l := newLibrary(t)
	l.remember("the message broker is rabbit")
	l.passes(time.Hour)
	l.remember("the message broker is kafka")
	l.remember("the linter wants tabs", by(memory.OriginAgent))
	l.sleepOn(90, SleepInput{})
	l.finds("rabbit", []string{"the message broker is rabbit"})
	l.finds("linter tabs", []string{"the linter wants tabs"})
	l.finds("message broker", []string{"the message broker is kafka"}) // history only where there is nothing else
}

// The four rarest words of a text lead to it.
func TestTheRarestWordsOfATextFindIt(t *testing.T) {
	l := newLibrary(t)
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
	l.many(kept)
	for range 100 {
		text := kept[r.IntN(len(kept))]
		said := strings.Fields(text)
		frequency, err := viewed(t.Context(), l.Brain, func(tx *store.Tx) (store.Frequency, error) { return tx.Frequency(t.Context(), recall.Words(text)) })
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(said)
		said = slices.Compact(said)
		slices.SortStableFunc(said, func(a, b string) int { return int(frequency.In[recall.Words(a)[0]] - frequency.In[recall.Words(b)[0]]) })
		query := strings.Join(said[:min(4, len(said))], " ")
		found := l.find(query, func(in *SearchInput) { in.Limit = 5 })
		if !slices.ContainsFunc(found, func(f Found) bool { return f.Text == text }) {
			t.Errorf("%q does not find %q but %v", query, text, found)
		}
	}
}

func (l *library) crystal(id memory.CrystalID) memory.Crystal {
	l.t.Helper()
	c, err := viewed(l.t.Context(), l.Brain, func(tx *store.Tx) (store.Kept, error) { return tx.Crystal(l.t.Context(), id) })
	if err != nil {
		l.t.Fatal(err)
	}
	return c.Crystal
}

func TestSleepMergesWhatSaysTheSame(t *testing.T) {
	for _, c := range []struct {
		importance float64
		want       int64
	}{{.7, 1}, {.69, 0}} {
		l := newLibrary(t)
		first := l.remember("Deploys go through the blue pipeline.", of(memory.Lesson))
		l.passes(time.Hour)
		second := l.remember("deploys go through the blue pipeline", of(memory.Lesson))
		err := l.store.Update(t.Context(), func(tx *store.Tx) error {
			changed := second.Crystal
			changed.Importance = c.importance
			return tx.SaveCrystal(t.Context(), changed)
		})
		if err != nil {
			t.Fatal(err)
		}
		if r := l.sleepOn(.5, SleepInput{}); r.Crystals.Merged != c.want {
			t.Fatalf("importance %v: %d merged, want %d", c.importance, r.Crystals.Merged, c.want)
		}
		if r := l.sleepOn(.6, SleepInput{}); r.Crystals.Merged != 0 {
			t.Errorf("merged again: %+v", r.Crystals)
		}
		if c.want == 0 {
			if found := l.find("blue pipeline"); len(found) != 2 {
				t.Errorf("found %v", found)
			}
			continue
		}
		l.finds("blue pipeline", []string{"Deploys go through the blue pipeline."})
		if found := l.find("blue pipeline", withHistory); len(found) != 2 || l.crystal(second.ID).Lifecycle != memory.Archived {
			t.Errorf("history: %v", found)
		}
		if why := must(l.lab, WhyCrystal, ProvenanceInput{ID: string(second.ID)}); len(why.Children)+len(why.Parents) == 0 ||
			why.Traces[len(why.Traces)-1].Detail != string(first.ID) {
			t.Errorf("why: %+v", why)
		}
	}
}

func TestAnAgentsUnusedNoteExpiresAndAUsersNever(t *testing.T) {
	l := newLibrary(t)
	users := l.remember("the cache is warmed at noon", of(memory.Lesson))
	agents := l.remember("the cache is emptied at noon", of(memory.Lesson), by(memory.OriginAgent))
	skill := l.remember("warming a cache by hand", of(memory.Skill), by(memory.OriginAgent))
	if r := l.sleepOn(20, SleepInput{}); r.Crystals.Expired != 0 {
		t.Fatalf("after 20 days: %+v", r.Crystals)
	}
	if r := l.sleepOn(60, SleepInput{}); r.Crystals.Expired != 1 {
		t.Fatalf("after 60 days: %+v", r.Crystals)
	}
	l.sleepOn(2000, SleepInput{})
	for id, want := range map[memory.CrystalID]memory.Lifecycle{
		users.ID: memory.Generated, agents.ID: memory.Expired, skill.ID: memory.Generated,
	} {
		if got := l.crystal(id).Lifecycle; got != want {
			t.Errorf("%s is %s, want %s", id, got, want)
		}
	}
	why := must(l.lab, WhyCrystal, ProvenanceInput{ID: string(agents.ID)})
	if last := why.Traces[len(why.Traces)-1]; last.What != traceExpired || len(why.Traces) != 2 {
		t.Errorf("traces %+v", why.Traces)
	}
	if found := l.find("noon"); len(found) != 1 || found[0].Crystal.ID != users.ID {
		t.Errorf("found %v", found)
	}
	if again := l.remember("the cache is emptied at noon", of(memory.Lesson), by(memory.OriginAgent)); !again.Known || again.Lifecycle != memory.Activated {
		t.Errorf("said again: %+v", again)
	}
}

// snippets are the fragments of a project by name, with where they stand.
func (l *library) snippets() map[string]string {
	l.t.Helper()
	out := map[string]string{}
	view(l.lab, func(tx *store.Tx) error {
		docs, err := tx.Documents(l.t.Context(), store.DocumentFilter{Kinds: []string{SnippetText}})
		if err != nil {
			return err
		}
		for _, d := range docs {
			lines, err := tx.LinesOf(l.t.Context(), []int64{d.ID})
			if err != nil {
				return err
			}
			out[d.Title] = fmt.Sprintf("%d:%d-%d", d.ID, lines[d.ID].First, lines[d.ID].Last)
		}
		return nil
	})
	return out
}

func TestSnippetsFollowTheCode(t *testing.T) {
	l := newLibrary(t)
	const one = "// Greet says hello.\nfunc Greet(name string) string {\n\tif name == \"\" {\n\t\tname = \"nobody\"\n\t}\n\treturn \"hello \" + name\n}\n"
	const two = "func Depart(name string) string {\n\tif name == \"\" {\n\t\tname = \"nobody\"\n\t}\n\treturn \"farewell \" + name\n}\n"
	read := func(changed, gone int) {
		t.Helper()
		out := must(l.lab, ReadSnippets, SnippetsInput{Dir: l.dir})
		if out.Changed != changed || out.Gone != gone {
			t.Fatalf("read %+v, want %d changed and %d gone", out, changed, gone)
		}
	}
	l.write("greet.go", "package shop\n\n"+one)
	l.write("depart.go", "package shop\n\n"+two)
	read(2, 0)
	before := l.snippets()
	if len(before) != 2 {
		t.Fatalf("snippets %v", before)
	}
	read(0, 0)
	l.write("greet.go", "package shop\n\nimport \"fmt\"\n\nvar _ = fmt.Sprint\n\n"+one)
	read(1, 0)
	after := l.snippets()
	id := func(s string) string { head, _, _ := strings.Cut(s, ":"); return head }
	if len(after) != 2 || id(after["Greet"]) != id(before["Greet"]) || after["Greet"] == before["Greet"] || after["Depart"] != before["Depart"] {
		t.Errorf("after lines moved %v, before %v", after, before)
	}
	l.write("greet.go", "package shop\n\n"+strings.ReplaceAll(one, "nobody", "stranger"))
	read(1, 0)
	if found := l.find("kind:snippet greet stranger", onlyKinds(SnippetText)); len(found) == 0 || !strings.Contains(found[0].Text, "stranger") {
		t.Errorf("changed: %v", found)
	}
	for _, f := range l.find("greet", onlyKinds(SnippetText)) {
		if f.Path == "greet.go" && strings.Contains(f.Text, "nobody") {
			t.Errorf("the earlier text is still there: %s", f.Text)
		}
	}
	if err := os.Remove(filepath.Join(l.dir, "depart.go")); err != nil {
		t.Fatal(err)
	}
	read(0, 1)
	if got := l.snippets(); len(got) != 1 || got["Greet"] == "" {
		t.Errorf("after a file is gone: %v", got)
	}
}

const foreignMemory = `{"type":"entity","name":"billing","entityType":"service","observations":["owns invoices","written in Go"]}
{"type":"entity","name":"postgres","entityType":"database","observations":[]}
{"type":"entity","name":"hebb fact","entityType":"hebb:fact","observations":["the invoice number never repeats","totals are kept in cents"]}
{"type":"relation","from":"billing","to":"postgres","relationType":"depends on"}
`

func TestMovingInTwiceAddsNothing(t *testing.T) {
	l := newLibrary(t)
	file := writeFile(t, filepath.Join(t.TempDir(), "memory.json"), []byte(foreignMemory))
	in := MoveInInput{Scope: l.scope(), Path: file}
	dry := in
	dry.Dry = true
	if out := must(l.lab, MoveIn, dry); out.Crystals != 2 || out.Entities != 2 || out.Observations != 2 || out.Relations != 1 {
		t.Errorf("dry: %+v", out)
	}
	if found := l.find("invoice"); len(found) != 0 {
		t.Errorf("a dry run kept %v", found)
	}
	if out := must(l.lab, MoveIn, in); out.Known != 0 || out.Format != "mcp-memory" || len(out.Problems) > 0 {
		t.Errorf("first: %+v", out)
	}
	state := func() string {
		graph := must(l.lab, ReadGraph, KnowledgeInput{Scope: l.scope()})
		return fmt.Sprint(graph, len(l.find("invoice number cents totals billing", withHistory)), must(l.lab, SearchTexts, SearchInput{Scope: l.scope(), Query: "x"}).Documents)
	}
	before := state()
	if out := must(l.lab, MoveIn, in); out.Known != 2 {
		t.Errorf("second: %+v", out)
	}
	if after := state(); after != before {
		t.Errorf("after %s, before %s", after, before)
	}
	for _, f := range l.find("invoice number billing") {
		if f.Origin != memory.OriginImport {
			t.Errorf("%q is from %s", f.Text, f.Origin)
		}
	}
}

func TestATextCanBeForgottenForGood(t *testing.T) {
	t.Parallel()
	l := newLibrary(t)
	kept, gone := l.remember("the blue door is open"), l.remember("the red door is shut")
	if r := must(l.lab, Forget, ForgetInput{IDs: []memory.EventID{memory.EventID(gone.ID)}}); r.Texts != 1 || r.Applied || len(l.find("red")) != 1 {
		t.Errorf("without a yes: %+v", r)
	}
	if r := must(l.lab, Forget, ForgetInput{IDs: []memory.EventID{memory.EventID(gone.ID)}, Apply: true}); r.Texts != 1 || !r.Applied {
		t.Errorf("%+v", r)
	}
	if found := l.find("red", withHistory); len(found) > 0 {
		t.Errorf("found %v", found)
	}
	if found := l.find("blue"); len(found) != 1 || found[0].Ref != string(kept.ID) {
		t.Errorf("the other is gone too: %v", found)
	}
	must(l.lab, CreateEntities, EntitiesInput{KnowledgeInput: KnowledgeInput{Scope: l.scope()}, Entities: []KnownEntity{{Name: "door", Type: "thing"}}})
	if r := must(l.lab, Forget, ForgetInput{Scope: Scope{Project: kept.Project.String()}, Apply: true}); r.Texts != 2 {
		t.Errorf("of the project: %+v", r)
	}
	if found := l.find("door", withHistory); len(found) > 0 {
		t.Errorf("after the project: %v", found)
	}
}

func TestAPersonSaysInTheirOwnNameWhatAnImportSaid(t *testing.T) {
	t.Parallel()
	l := newLibrary(t)
	imported := l.remember("the blue door is open", by(memory.OriginImport))
	mine := l.remember("the blue door is open")
	if mine.Known || mine.Origin != memory.OriginUser || mine.ID == imported.ID {
		t.Errorf("%+v", mine)
	}
	if again := l.remember("the blue door is open", by(memory.OriginImport)); !again.Known {
		t.Errorf("an import that says it again: %+v", again)
	}
	if still := must(l.lab, WhyCrystal, ProvenanceInput{ID: string(mine.ID)}); still.Accesses != 0 || len(still.Traces) != 1 {
		t.Errorf("what a person said counts as said again: %+v", still)
	}
}

func TestACallOfWrongCanBeTakenBack(t *testing.T) {
	t.Parallel()
	l := newLibrary(t)
	said := l.remember("the blue door is open")
	must(l.lab, Judge, JudgeInput{ID: string(said.ID)})
	if c := must(l.lab, Judge, JudgeInput{ID: string(said.ID), Right: true}); !c.ValidTo.IsZero() || len(l.find("blue door")) != 1 {
		t.Errorf("%+v", c)
	}
	l.remember("the staging database is db1", onSubject("staging database"))
	l.passes(time.Minute)
	old := l.find("db1")[0].Crystal.ID
	l.remember("the staging database is db2", onSubject("staging database"))
	if _, err := Run(t.Context(), l.Brain, Judge, JudgeInput{ID: string(old), Right: true}); err == nil {
		t.Error("what another has taken the place of was brought back")
	}
}
