package ranking_test

import (
	"fmt"
	"testing"

	"github.com/hebb-memory/hebb/internal/ranking"
)

func TestMostTogether(t *testing.T) {
	t.Parallel()
	var commits []ranking.PastCommit
	add := func(times int, files ...string) {
		for range times {
			commits = append(commits, ranking.PastCommit{Files: files})
		}
	}
	if got, found := ranking.MostTogether(nil); found {
		t.Errorf("nothing has happened: %+v", got)
	}
	add(9, "parser.go", "parser_test.go")
	add(20, "CHANGELOG.md", "a.go")
	add(3, "lexer.go", "token.go") // too few
	if got, found := ranking.MostTogether(commits); found {
		t.Errorf("a test, a changelog and chance: %+v", got)
	}
	add(6, "api/schema.sql", "store/rows.go")
	add(2, "store/rows.go")
	add(1, "api/schema.sql")
	wide := []string{"x.go", "y.go"}
	for i := range 20 {
		wide = append(wide, fmt.Sprint(i))
	}
	add(9, wide...)
	want := ranking.Together{A: "store/rows.go", B: "api/schema.sql", Both: 6, Of: 7}
	if got, found := ranking.MostTogether(commits); !found || got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	for i := range commits {
		commits[i].Gone = []string{"store/rows.go"}
	}
	if got, found := ranking.MostTogether(commits); found {
		t.Errorf("a file that is gone: %+v", got)
	}
}
