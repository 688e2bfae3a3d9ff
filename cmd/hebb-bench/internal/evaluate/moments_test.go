package evaluate

import (
	"fmt"
	"testing"

	"github.com/hebb-memory/hebb/internal/tuning"
)

func TestALineIsShownWhereANoteIsAboutTheFile(t *testing.T) {
	var sessions [][]string
	for range 3 {
		sessions = append(sessions, []string{"*src/cart.go", "src/order.go", "*src/login.go"})
	}
	in := Input{Sessions: []SessionFiles{startTrace(t, "shop", sessions, nil)}, Tuning: tuning.Default()}
	lessons := write(t, "memories.jsonl", fmt.Sprintf(
		`{"ns":"shop","id":"1","time":%d,"path":"src/cart.go","text":"Totals in the cart are whole cents."}`, morning.Unix()+3600))
	rows, err := Moments(t.Context(), in, lessons)
	if err != nil {
		t.Fatal(err)
	}
	asked, shown := map[string]int{}, map[string]int{}
	for _, r := range rows {
		asked[r.Set], shown[r.Set] = r.Asked, r.Shown
	}
	// The note is written after the first session: the two others change the file with it in memory.
	if asked["a note is about the file"] != 2 || shown["a note is about the file"] != 2 {
		t.Errorf("rows %+v: want a line before both edits of the file", rows)
	}
	if asked["no note is about the file"] != 4 || shown["no note is about the file"]+shown["nothing is known"] != 0 {
		t.Errorf("rows %+v: want nothing elsewhere", rows)
	}
}
