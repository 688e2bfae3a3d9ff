package statements

import (
	"slices"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
)

func TestMarksShowABreach(t *testing.T) {
	for _, c := range []struct {
		marks []string
		call  Call
		want  bool
	}{
		{[]string{"run: git push --force"}, Call{Command: "git push origin main --force"}, true},
		{[]string{"run: git push --force"}, Call{Command: `"C:\\git\\bin\\git.exe" push --force`}, true},
		{[]string{"run: git push --force"}, Call{Command: "git commit -m 'never git push --force'"}, false},
		{[]string{"run: npm install"}, Call{Command: "pnpm install"}, false},
		{[]string{"run: rm"}, Call{Command: "cd x && rm -rf y"}, true},
		{[]string{"run: git commit", "unless: make lint"}, Call{Command: "git commit -m x", Ran: []string{"make lint"}}, false},
		{[]string{"run: go test", "unless: -race"}, Call{Command: "go test -race ./..."}, false},
		{[]string{"code: print("}, Call{Paths: []string{"a.py"}, Added: "pprint(x)\n"}, false},
		{[]string{"code: print("}, Call{Paths: []string{"a.py"}, Added: "x = 1\nprint(x)\n"}, true},
		{[]string{"code: time.Sleep("}, Call{Paths: []string{"README.md"}, Added: "use time.Sleep(1)\n"}, false},
		{[]string{"code: time.Sleep(", "where: *_test.go"}, Call{Paths: []string{"a/b.go"}, Added: "time.Sleep(1)\n"}, false},
		{[]string{"code: time.Sleep(", "where: *_test.go"}, Call{Paths: []string{"a/b_test.go"}, Added: "time.Sleep(1)\n"}, true},
		{[]string{"file: ./src/generated"}, Call{Paths: []string{"src/generated/api.ts"}}, true},
		{[]string{"file: migrations/*"}, Call{Paths: []string{"db/migrations/1.sql"}, New: true}, false},
		{[]string{"new: *.js"}, Call{Paths: []string{"web/a.js"}, New: true}, true},
		{[]string{"new: *.js"}, Call{Paths: []string{"web/a.json"}, New: true}, false},
		{[]string{"unless: make lint"}, Call{Command: "git commit"}, false},
	} {
		if got := Look(c.call).Shows(memory.CheckMarks(c.marks)); got != c.want {
			t.Errorf("%q of %+v: %v", c.marks, c.call, got)
		}
	}
	for _, marks := range [][]string{{"code: x", "unless: y"}, {"run: rm", "where: c"}, {"unless: make lint"}, {"sql: drop table"}, {"code"}} {
		if good := memory.CheckMarks(marks); len(good) > 0 {
			t.Errorf("%q leaves %q", marks, good)
		}
	}
	if got, want := memory.CheckMarks([]string{"run:  git   push", "file: ./a"}), []string{"run: git push"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
