package statements_test

import (
	"testing"

	"github.com/hebb-memory/hebb/internal/statements"
)

func TestASentenceStandsAlone(t *testing.T) {
	for sentence, alone := range map[string]bool{
		"never push to main": true,
		"we decided: an event that cannot be spooled goes to a file of its own, we never drop it": true,
		"in this repository commits are signed":                                                   true,
		"deploys take ten minutes, so that we batch them":                                         true,
		"keep it configurable for now":                                                            false,
		"this filter belongs in the context":                                                      false,
		"we keep that page but do not link it":                                                    false,
		"so let us keep only paid orders":                                                         false,
		"do not touch anything else":                                                              false,
		"the same goes for the invoices":                                                          false,
		"":                                                                                        false,
	} {
		if statements.Alone(sentence) != alone {
			t.Errorf("%q: %v", sentence, !alone)
		}
	}
}
