package evaluate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"github.com/hebb-memory/hebb/internal/must"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// diary is a learner that writes down what it receives and is asked, and answers as it was made to.
type diary struct {
	lines  []string
	times  []time.Time // of the questions
	answer []Ranking
	fails  string // task or hash at which it breaks
	closed bool
}

var errBroken = errors.New("broken")

func (d *diary) note(at, line string) error {
	d.lines = append(d.lines, line)
	if at == d.fails {
		return errBroken
	}
	return nil
}

func (d *diary) Commit(_ context.Context, c Commit) error { return d.note(c.Hash, "commit "+c.Hash) }

func (d *diary) Session(_ context.Context, s AgentSession) error {
	return d.note(s.ID, "session "+s.ID)
}

func (d *diary) Rank(_ context.Context, q Question) ([]Ranking, error) {
	d.times = append(d.times, q.At)
	line := fmt.Sprintf("%s %s %q %v open %v banned %v", q.Task, q.ID, q.Text, q.HasText, q.Open, q.Banned)
	return d.answer, d.note(q.Task, line)
}

func (d *diary) Correct(_ context.Context, _ Question, gold []string) error {
	d.lines[len(d.lines)-1] += fmt.Sprintf(" gold %v", gold)
	return nil
}

func (d *diary) Close() error {
	d.closed = true
	return nil
}

func (d *diary) made(context.Context, string) (Learner, error) { return d, nil }

// since returns what was written after a commit was recorded.
func (d *diary) since(hash string) []string {
	return d.lines[slices.Index(d.lines, "commit "+hash)+1:]
}

// history writes a file: a commit that adds the named files, as many commits of a file called other
// as warm up, and the commits given. A commit is "hash subject: A path, M path, R old>new"; a hash
// that begins with bot is a bot's.
func history(t *testing.T, name, added string, commits ...string) string {
	t.Helper()
	lines := []string{commitLine(t, 0, "first begin: "+added+", A other")}
	for i := range HistoryWarmUp {
		lines = append(lines, commitLine(t, i+1, fmt.Sprintf("w%d warm: M other", i)))
	}
	for i, c := range commits {
		lines = append(lines, commitLine(t, 1000+i, c))
	}
	return write(t, name, strings.Join(lines, "\n"))
}

func commitLine(t *testing.T, second int, text string) string {
	t.Helper()
	head, changes, _ := strings.Cut(text, ": ")
	hash, subject, _ := strings.Cut(head, " ")
	files := []map[string]string{}
	for change := range strings.SplitSeq(changes, ", ") {
		status, path, _ := strings.Cut(change, " ")
		file := map[string]string{"status": status, "path": path}
		if old, renamed, ok := strings.Cut(path, ">"); ok {
			file["old"], file["path"] = old, renamed
		}
		files = append(files, file)
	}
	line := must.Get(json.Marshal(map[string]any{
		"hash": hash, "time": second, "subject": subject, "bot": strings.HasPrefix(hash, "bot"), "files": files,
	}))(t)
	return string(line)
}

func manyFiles(status string, n int) string {
	changes := make([]string, n)
	for i := range changes {
		changes[i] = fmt.Sprintf("%s file%d", status, i)
	}
	return strings.Join(changes, ", ")
}

func TestQuestionsOfAHistory(t *testing.T) {
	for _, c := range []struct {
		name    string
		added   string
		commits []string
		want    []string
	}{
		{"one old file is asked for by subject, the new one is not", "A a.go",
			[]string{"c1 fix it: M a.go, A b.go"},
			[]string{`T1 c1 "fix it" true open [] banned [] gold [a.go]`, "commit c1"}},
		{"an added file is new, even where there was one of its name", "A a.go",
			[]string{"c1 again: A a.go"}, []string{"commit c1"}},
		// SHA-1 of merge, zero byte, path begins d.go 24…, a.go 2d…, b.go b1…, c.go d6….
		{"the files given away come in the order of their hashes", "A a.go, A b.go, A c.go, A d.go",
			[]string{"merge all: M a.go, M b.go, M c.go, M d.go"},
			[]string{
				`T1 merge "all" true open [] banned [] gold [d.go a.go b.go c.go]`,
				`T2 merge "all" true open [d.go] banned [d.go] gold [a.go b.go c.go]`,
				`T3 merge "" false open [d.go] banned [d.go] gold [a.go b.go c.go]`,
				`T4 merge "all" true open [d.go a.go b.go] banned [d.go a.go b.go] gold [c.go]`,
				"commit merge",
			}},
		{"a renamed file is asked for under its old path, then lives under the new one", "A a.go",
			[]string{"c1 move: R a.go>b.go", "c2 old: M a.go", "c3 new: M b.go"},
			[]string{
				`T1 c1 "move" true open [] banned [] gold [a.go]`, "commit c1", "commit c2",
				`T1 c3 "new" true open [] banned [] gold [b.go]`, "commit c3",
			}},
		{"a deleted file is asked for once, and again after it came back", "A a.go",
			[]string{"c1 drop: D a.go", "c2 gone: D a.go", "c3 back: A a.go", "c4 change: M a.go"},
			[]string{
				`T1 c1 "drop" true open [] banned [] gold [a.go]`, "commit c1", "commit c2", "commit c3",
				`T1 c4 "change" true open [] banned [] gold [a.go]`, "commit c4",
			}},
		{"bots and large commits are recorded, not asked", "A a.go",
			[]string{"bot1 bump: M a.go, A b.go", "big import: M a.go, " + manyFiles("A", 30), "c1 use: M b.go"},
			[]string{"commit bot1", "commit big", `T1 c1 "use" true open [] banned [] gold [b.go]`, "commit c1"}},
		{"thirty files are not too many", "A a.go",
			[]string{"c1 import: M a.go, " + manyFiles("A", 29), "c2 drop: " + manyFiles("D", 31), "c3 gone: M file1"},
			[]string{
				`T1 c1 "import" true open [] banned [] gold [a.go]`, "commit c1", "commit c2", "commit c3",
			}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var d diary
			files := []string{history(t, "x.jsonl.gz", c.added, c.commits...)}
			must.Get(Replay(t.Context(), files, []NewLearner{d.made}, Options{}))(t)
			if got := d.since(fmt.Sprintf("w%d", HistoryWarmUp-1)); !reflect.DeepEqual(got, c.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
			if !d.closed {
				t.Error("the learner was not closed")
			}
		})
	}
}

func TestEveryAndTasksLeaveQuestionsOutButTeachAll(t *testing.T) {
	var commits []string
	for i := range 8 {
		commits = append(commits, fmt.Sprintf("c%d work: M a.go, M b.go", i))
	}
	var d diary
	file := history(t, "x.jsonl", "A a.go, A b.go", commits...)
	options := Options{Every: 4, Tasks: []string{"T3"}}
	must.Get(Replay(t.Context(), []string{file}, []NewLearner{d.made}, options))(t)
	var asked []string
	for _, line := range d.lines {
		if !strings.HasPrefix(line, "commit") {
			asked = append(asked, line[:5])
		}
	}
	// The warm-up was commits 1 to 200 of those that could be asked about; 204 and 208 are c3 and c7.
	if !slices.Equal(asked, []string{"T3 c3", "T3 c7"}) || len(d.lines) != 2+HistoryWarmUp+9 {
		t.Errorf("asked %v in %d lines", asked, len(d.lines))
	}
}

func TestSeveralLearnersAndFilesAreMarkedTogether(t *testing.T) {
	dir := func(name string) string { return history(t, name, "A a.go, A b.go", "merge it: M a.go, M b.go") }
	good := diary{answer: []Ranking{{Ranker: "good", Paths: []string{"a.go", "b.go"}}, {Ranker: "half", Paths: []string{"x", "a.go"}}}}
	fresh := func(_ context.Context, repo string) (Learner, error) {
		return &diary{answer: []Ranking{{Ranker: "of", Paths: []string{repo, "b.go"}}}}, nil
	}
	results := must.Get(Replay(t.Context(), []string{dir("one.jsonl")}, []NewLearner{good.made, fresh}, Options{}))(t)
	// T2 gives a.go away (SHA-1 2d… before b1…), so b.go is wanted: half does not know it.
	want := []Row{
		{"T1", "one", "good", 1, 100, 100, 100, 100, 100, 100, 100},
		{"T1", "one", "half", 1, 0, 100, 100, 50, 50, 25, 50},
		{"T1", "one", "of", 1, 0, 100, 100, 50, 50, 25, 50},
		{"T2", "one", "good", 1, 100, 100, 100, 100, 100, 100, 100},
		{"T2", "one", "half", 1, 0, 0, 0, 0, 0, 0, 0},
		{"T2", "one", "of", 1, 0, 100, 100, 100, 100, 50, 50},
		{"T3", "one", "good", 1, 100, 100, 100, 100, 100, 100, 100},
		{"T3", "one", "half", 1, 0, 0, 0, 0, 0, 0, 0},
		{"T3", "one", "of", 1, 0, 100, 100, 100, 100, 50, 50},
	}
	if got := results.Rows(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
	files := []string{dir("b.jsonl"), dir("a.jsonl")}
	results = must.Get(Replay(t.Context(), files, []NewLearner{fresh}, Options{Tasks: []string{"T1", "T2"}}))(t)
	var order []string
	for _, r := range results.Rows() {
		order = append(order, r.Task+" "+r.Repo)
	}
	if want := []string{"T1 b", "T1 a", "T1 macro", "T2 b", "T2 a", "T2 macro"}; !slices.Equal(order, want) {
		t.Errorf("rows %v, want %v", order, want)
	}
}

func TestReplayRefusesAndStops(t *testing.T) {
	good, bad := history(t, "good.jsonl", "A a.go", "c1 x: M a.go"), write(t, "bad.jsonl", twoCommits+"nonsense")
	stopped, stop := context.WithCancel(t.Context())
	stop()
	for _, c := range []struct {
		name    string
		ctx     context.Context
		files   []string
		options Options
		fails   string
		want    string
	}{
		{"a broken line stops all", t.Context(), []string{good, bad}, Options{}, "", "bad.jsonl:4: "},
		{"a learner that fails at a question", t.Context(), []string{good}, Options{}, "T1", "good: commit c1: T1: b"},
		{"a learner that fails at a commit", t.Context(), []string{good}, Options{}, "c1", "good: commit c1: broken"},
		{"a task that is none", t.Context(), []string{good}, Options{Tasks: []string{"S1"}}, "", `no task "S1"`},
		{"the same name twice", t.Context(), []string{good, good}, Options{}, "", "two files are both called good"},
		{"a file that is not there", t.Context(), []string{"none.jsonl"}, Options{}, "", "none.jsonl"},
		{"a person who has had enough", stopped, []string{good}, Options{}, "", context.Canceled.Error()},
	} {
		failing := func(context.Context, string) (Learner, error) { return &diary{fails: c.fails}, nil }
		_, err := Replay(c.ctx, c.files, []NewLearner{failing}, c.options)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	none := func(context.Context, string) (Learner, error) { return nil, errBroken }
	_, err := Replay(t.Context(), []string{good}, []NewLearner{none}, Options{})
	if !errors.Is(err, errBroken) {
		t.Errorf("a learner that cannot be made: %v", err)
	}
}

// sessionLine is a session that begins at a second and opens files ten seconds apart, "read path"
// or "edit path".
func sessionLine(t *testing.T, id string, start int, prompts []string, opens ...string) string {
	t.Helper()
	var ps, es [][]any
	for i, p := range prompts {
		ps = append(ps, []any{i * 15, p})
	}
	for i, o := range opens {
		op, path, _ := strings.Cut(o, " ")
		es = append(es, []any{10 * (i + 1), op, path})
	}
	line := must.Get(json.Marshal(map[string]any{"session": id, "start": start, "prompts": ps, "events": es}))(t)
	return string(line)
}

func TestQuestionsOfSessions(t *testing.T) {
	commits := []string{
		commitLine(t, 5000, "late after: A late.go"),
		commitLine(t, 1, "early begin: A a.go, A b.go, A c.go, A d.go, A e.go, A f.go"),
	}
	var sessions []string
	for i := range sessionWarmUp - 1 {
		sessions = append(sessions, sessionLine(t, fmt.Sprintf("w%d", i), 100+i, []string{"warm"}, "read a.go"))
	}
	sessions = append(sessions,
		// Runs from 200 to 230 and opens a file that git never saw.
		sessionLine(t, "w9", 200, []string{"warm"}, "read b.go", "bash ls", "write draft.md"),
		// Begins before w9 is over: draft.md is not known yet.
		sessionLine(t, "s1", 210, []string{"fix the parser", "the"}, "read draft.md", "read b.go", "edit a.go", "read b.go"),
		sessionLine(t, "s2", 300, []string{"the"},
			"read draft.md", "read a.go", "read b.go", "read c.go", "read d.go", "read e.go"),
		sessionLine(t, "s3", 400, nil, "read late.go", "read a.go", "read a.go", "grep b.go"))
	slices.Reverse(sessions) // the order in the file does not matter
	files := SessionFiles{
		"x", write(t, "x.commits.jsonl", strings.Join(commits, "\n")),
		write(t, "x.sessions.jsonl.gz", strings.Join(sessions, "\n")),
	}
	var d diary
	must.Get(Sessions(t.Context(), []SessionFiles{files}, []NewLearner{d.made}, Options{}))(t)
	// Of the opens of s1 only b, a, b are known. The prompt "the" holds no word.
	want := []string{
		`S1 s1 "fix the parser" true open [] banned [] gold [b.go a.go]`,
		`S1e s1 "fix the parser" true open [] banned [] gold [a.go]`,
		`S2 s1/1 "the" false open [b.go] banned [b.go] gold [a.go]`,
		"session w9", "session s1",
		`S2 s2/1 "the" false open [draft.md] banned [draft.md] gold [a.go]`,
		`S2 s2/2 "the" false open [a.go draft.md] banned [draft.md a.go] gold [b.go]`,
		`S2 s2/3 "the" false open [b.go a.go draft.md] banned [draft.md a.go b.go] gold [c.go]`,
		`S2 s2/4 "the" false open [c.go b.go a.go draft.md] banned [draft.md a.go b.go c.go] gold [d.go]`,
		`S2 s2/5 "the" false open [d.go c.go b.go a.go] banned [draft.md a.go b.go c.go d.go] gold [e.go]`,
		"session s2",
	}
	at := slices.Index(d.lines, "session w8") + 1
	if got := d.lines[at:]; !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if d.lines[0] != "commit early" || !d.closed {
		t.Errorf("begins with %q, closed %v", d.lines[0], d.closed)
	}
}

func TestAQuestionIsOfItsTimeNotOfTheRun(t *testing.T) {
	var d diary
	file := history(t, "x.jsonl", "A a.go", "c1 x: M a.go")
	must.Get(Replay(t.Context(), []string{file}, []NewLearner{d.made}, Options{}))(t)
	if want := []time.Time{time.Unix(1000, 0).UTC()}; !slices.Equal(d.times, want) {
		t.Errorf("%v, want %v", d.times, want)
	}
}
