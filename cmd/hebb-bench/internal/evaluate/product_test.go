package evaluate

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/replay"
	"github.com/hebb-memory/hebb/internal/tuning"
)

var morning = time.Date(2026, 2, 2, 9, 0, 0, 0, time.UTC)

// newProduct opens hebb for a test and closes it at the end.
func newProduct(t *testing.T, p Product) Learner {
	t.Helper()
	p.Tuning = tuning.Default()
	l := must.Get(p.New(t.Context(), "shop"))(t)
	t.Cleanup(func() {
		if err := l.(io.Closer).Close(); err != nil {
			t.Error(err)
		}
	})
	return l
}

// shopCommit is the n-th commit of a shop in which orders and billing are two concerns.
func shopCommit(n int) Commit {
	c := Commit{Hash: fmt.Sprintf("%040x", n+1), At: morning.Add(time.Duration(n) * time.Hour)}
	files := []string{"shop/order.go", "shop/order_test.go"}
	c.Subject = "order: round totals"
	if n%2 == 1 {
		c.Subject, files = "billing: send the invoice", []string{"billing/invoice.go", "billing/mail.go"}
	}
	for _, f := range files {
		c.Files = append(c.Files, Change{Path: f, Status: 'M'})
	}
	return c
}

func TestTheProductLearnsFromCommitsAndSessions(t *testing.T) {
	l := newProduct(t, Product{})
	for n := range 60 {
		must.Do(t, l.Commit(t.Context(), shopCommit(n)))
	}
	session := AgentSession{ID: "one", Agent: "claude-code", Start: morning.AddDate(0, 0, 5)}
	session.Prompts = []Prompt{{At: session.Start, Text: "refund customers"}}
	for i, f := range []string{"shop/order.go", "billing/mail.go"} {
		session.Events = append(session.Events, SessionEvent{At: session.Start.Add(time.Duration(i+1) * time.Minute), Op: "read", Target: f})
	}
	must.Do(t, l.(SessionLearner).Session(t.Context(), session))
	at := morning.AddDate(0, 0, 6)
	for _, c := range []struct {
		q    Question
		want string
	}{
		{Question{Task: "T1", Text: "invoice is wrong", HasText: true, At: at}, "billing/invoice.go"},
		{Question{Task: "T3", Open: []string{"shop/order.go"}, Banned: []string{"shop/order.go"}, At: at}, "shop/order_test.go"},
		{Question{Task: "S1", Text: "refund the customers", HasText: true, At: at}, "billing/mail.go"},
	} {
		rankings := must.Get(l.Rank(t.Context(), c.q))(t)
		if r := rankings[0]; r.Ranker != "hebb" || !slices.Contains(r.Paths[:min(2, len(r.Paths))], c.want) {
			t.Errorf("%+v: %v, want %s among the first two", c.q, r.Paths, c.want)
		}
	}
}

func TestVariantsAskTheSameMemory(t *testing.T) {
	l := newProduct(t, Product{Variants: []Variant{
		{Name: "whole"}, {Name: "wordless", Without: []recall.Term{recall.PathWords, recall.SubjectWords, recall.NearCommits, recall.Phrase, recall.Scope, recall.FolderWords}},
	}})
	for n := range 60 {
		must.Do(t, l.Commit(t.Context(), shopCommit(n)))
	}
	q := Question{Task: "T1", Text: "order totals", HasText: true, At: morning.AddDate(0, 0, 3)}
	r, err := l.Rank(t.Context(), q)
	if err != nil || len(r) != 2 || r[0].Ranker != "whole" || r[1].Ranker != "wordless" {
		t.Fatalf("%+v, %v", r, err)
	}
	if len(r[0].Paths) == 0 || r[0].Paths[0] != "shop/order.go" || len(r[1].Paths) != 0 { // without words nothing speaks to the question
		t.Errorf("with words %v, without %v", r[0].Paths, r[1].Paths)
	}
}

// lessonWith is a question whose right answer has a high figure in one term only.
func lessonWith(repo string, term recall.Term, right int) lesson {
	l := lesson{repo: repo, task: "T1", mix: recall.Mix{Mature: 1, Clear: 1}}
	for i := range 4 {
		var x recall.Features
		x[term][1] = .2
		x[recall.Heat][1] = float64(3-i) / 4 // says nothing
		if i == right {
			x[term][1] = .9
		}
		l.candidates, l.right, l.given = append(l.candidates, x), append(l.right, i == right), append(l.given, 0)
	}
	return l
}

func TestFitFindsTheTermThatTells(t *testing.T) {
	var pool []lesson
	for i := range 200 {
		pool = append(pool, lessonWith([]string{"a", "b"}[i%2], recall.Named, i%4))
	}
	w := fit(pool)
	if w[recall.Named][1] <= math.Abs(w[recall.Heat][1]) || w[recall.Place] != [3]float64{} {
		t.Errorf("named %v, heat %v, place %v", w[recall.Named], w[recall.Heat], w[recall.Place])
	}
	for repo, held := range heldOut(pool) {
		if held[recall.Named][1] <= math.Abs(held[recall.Heat][1]) {
			t.Errorf("without %s: named %v, heat %v", repo, held[recall.Named], held[recall.Heat])
		}
	}
	c := calibrate(pool, &w)
	sure := 1 / (1 + math.Exp(-(c.Base + c.Score*w[recall.Named][1]*.9)))
	if c.Score <= 0 || sure < .9 {
		t.Errorf("calibration %+v: an answer that was always right has a chance of %.2f", c, sure)
	}
}

func TestAblationComparesQuestionByQuestion(t *testing.T) {
	var lines strings.Builder
	for n := range 215 {
		c := shopCommit(n)
		fmt.Fprintf(&lines, `{"hash":%q,"time":%d,"subject":%q,"files":[{"path":%q,"status":"M"},{"path":%q,"status":"M"}]}`+"\n",
			c.Hash, c.At.Unix(), c.Subject, c.Files[0].Path, c.Files[1].Path)
	}
	file := write(t, "shop.jsonl", lines.String())
	rows := must.Get(Ablate(t.Context(), Input{Histories: []string{file}, Tuning: tuning.Default()}))(t)
	if len(rows) != len(mechanisms) {
		t.Fatalf("%d rows, want one for each of %d mechanisms", len(rows), len(mechanisms))
	}
	for _, r := range rows {
		if r.Task != "T3" || r.N == 0 || r.Low > r.Loss || r.High < r.Loss {
			t.Errorf("%+v", r)
		}
	}
}

func TestTheProductIsAskedWithItsTableOfWordsAndWithout(t *testing.T) {
	var lessons []lesson
	l := newProduct(t, Product{OnLesson: func(l lesson) { lessons = append(lessons, l) }})
	ask := func() []Ranking {
		q := Question{ID: "q", Task: "T1", Text: "order totals", HasText: true, At: morning.AddDate(1, 0, 0)}
		rankings := must.Get(l.Rank(t.Context(), q))(t)
		must.Do(t, l.(replay.Corrected).Correct(t.Context(), q, []string{"shop/order.go"}))
		return rankings
	}
	for n := range 199 {
		must.Do(t, l.Commit(t.Context(), shopCommit(n)))
	}
	if r := ask(); len(r) != 2 || r[0].Ranker != ranker || r[1].Ranker != WithoutWords || !slices.Equal(r[0].Paths, r[1].Paths) {
		t.Errorf("before there is a table: %+v", r)
	}
	must.Do(t, l.Commit(t.Context(), shopCommit(199)))
	ask()
	meaning := func(l lesson) float64 { return l.candidates[0][recall.Meaning][0] }
	if len(lessons) != 2 || meaning(lessons[0]) != 0 || meaning(lessons[1]) == 0 {
		t.Errorf("what the words mean is known before and after: %v, %v", meaning(lessons[0]), meaning(lessons[1]))
	}
}
