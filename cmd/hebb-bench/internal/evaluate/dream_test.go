package evaluate

import (
	"testing"

	"github.com/hebb-memory/hebb/internal/tuning"
)

func TestAPromptForAModelStaysWithinItsTokensWhateverIsKnown(t *testing.T) {
	t.Parallel()
	rows, err := Dream(t.Context(), DreamInput{Crystals: 1500, Runs: 3, Tuning: tuning.Default()})
	if err != nil || len(rows) != 2 {
		t.Fatalf("%+v, %v", rows, err)
	}
	for _, r := range rows {
		if r.Crystals != 1500 || r.N == 0 || r.P50 <= 0 || r.Pointers > 20 || r.Tokens > 12_000 {
			t.Errorf("%+v", r)
		}
	}
	if rows[1].Tokens == 0 {
		t.Errorf("no prompt was built: %+v", rows[1])
	}
}
