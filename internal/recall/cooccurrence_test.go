package recall

import (
	"testing"
	"time"
)

func TestAParallelFileComesBeforeFilesElsewhere(t *testing.T) {
	m := NewImage()
	for i, path := range []string{"api/users/handler.go", "docs/guide.md", "api/orders/handler.go", "cmd/main.go", "api/orders/query.go", "web/page.ts"} {
		m.Commit(day.Add(time.Duration(i)*24*time.Hour), int64(i), "add "+path, edits(path), false)
	}
	open, _ := m.Find("api/users/handler.go")
	r := NewRanker(m)
	r.take(Question{Open: []FileNo{open}, At: day.Add(240 * time.Hour)})
	figure := func(path string) float64 {
		n, _ := m.Find(path)
		return r.terms[PathLike].of(n)
	}
	if same, near, far := figure("api/orders/handler.go"), figure("api/orders/query.go"), figure("web/page.ts"); same <= near || near <= far || far != 0 {
		t.Errorf("same name in a parallel folder %.3f, other name there %.3f, elsewhere %.3f", same, near, far)
	}
}

func TestATestStandsUnderItsSourceUnlessItIsAskedFor(t *testing.T) {
	m := NewImage()
	for i := range 40 { // always changed together: nothing else tells them apart
		m.Commit(day.Add(time.Duration(i)*6*time.Hour), int64(i), "parser: accept comments", edits("lang/parser_test.go", "lang/parser.go"), false)
		m.Commit(day.Add(time.Duration(i)*6*time.Hour+time.Hour), int64(100+i), "printer: shorter lines", edits("lang/printer.go"), false)
	}
	at := day.Add(1000 * time.Hour)
	if got := first(t, m, Question{Text: "parser: accept nested comments", At: at}); got != "lang/parser.go" {
		t.Errorf("first is %s, want the source", got)
	}
	r := NewRanker(m)
	share := func(text string) (source, test float64) {
		for _, a := range r.Rank(Question{Text: text, At: at}, 10) {
			switch m.File(a.File).Path {
			case "lang/parser.go":
				source = a.Score
			case "lang/parser_test.go":
				test = a.Score
			}
		}
		return source, test
	}
	source, test := share("parser: accept nested comments")
	sourceAsked, testAsked := share("test that the parser accepts nested comments")
	if testAsked-sourceAsked <= test-source {
		t.Errorf("the test is %.2f behind its source, and %.2f where tests are asked for", source-test, sourceAsked-testAsked)
	}
}
