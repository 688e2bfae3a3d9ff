package evaluate

import (
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/tuning"
)

func TestMomentsAreAskedWhereThereIsAnAnswerAndWhereThereIsNone(t *testing.T) {
	var sessions [][]string
	for range 3 {
		sessions = append(sessions, []string{"*src/cart.go", "src/order.go", "*src/login.go", "docs/guide.md", "*web/index.ts", "web/page.ts"})
	}
	rows, err := Moments(t.Context(), MomentsInput{Files: []SessionFiles{startTrace(t, "shop", sessions, nil)}, Tuning: tuning.Default(), Clock: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]MomentsRow{}
	for _, r := range rows {
		seen[r.Moment+", "+r.Set] = r
	}
	for _, name := range []string{"error, fixed before", "command, failed before", "edit, a decision is about the file"} {
		if r := seen[name]; r.Asked == 0 || r.Share < 95 {
			t.Errorf("%s: %+v", name, r)
		}
	}
	for _, name := range []string{"error, failed 12 of 12 times", "error, met once", "error, never met", "error, passed without a change", "edit, nothing was said", "command, real commands, nothing is known"} {
		if r := seen[name]; r.Asked == 0 || r.Shown != 0 {
			t.Errorf("%s: %+v", name, r)
		}
	}
}
