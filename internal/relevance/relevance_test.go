package relevance_test

import (
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/relevance"
)

// text cuts without stems and stop words: enough for texts that are equal in their words.
func text(s string) *relevance.Text {
	return relevance.Builtin().NewText(s, strings.Fields(s), func(string) []float32 { return nil })
}

func statements(texts ...string) (list []relevance.Statement) {
	for _, s := range texts {
		list = append(list, relevance.Statement{Text: text(s), Kind: "rule"})
	}
	return list
}

func TestTheModelIsComplete(t *testing.T) {
	m := relevance.Builtin()
	if len(m.Pair) != relevance.PairFeatures || len(m.Need) != relevance.NeedFeatures+1 || len(m.Topics) < 500 || len(m.Strangers) != relevance.Crowd {
		t.Errorf("%d weights of pairs, %d of needs, %d words with topics, %d strangers", len(m.Pair), len(m.Need), len(m.Topics), len(m.Strangers))
	}
	if m.Threshold <= 0 || m.Threshold >= 1 {
		t.Errorf("threshold %v", m.Threshold)
	}
}

func TestTheStatementWithTheSameWordsComesFirst(t *testing.T) {
	said := statements("migrations need a rollback script", "the invoice template lives in billing", "answer in short sentences")
	list, need := relevance.Builtin().Judge(text("change the invoice template of billing"), said, nil)
	if list[0].Index != 1 {
		t.Errorf("order %+v", list)
	}
	sum := 0.0
	for i, c := range list {
		if i > 0 && c.Probability > list[i-1].Probability {
			t.Errorf("order %+v", list)
		}
		sum += c.Probability
	}
	if sum > need+1e-9 || need <= 0 || need >= 1 {
		t.Errorf("probabilities add up to %v, that of a need is %v", sum, need)
	}
}

func TestStrangersTakeProbabilityAndAreNeverChosen(t *testing.T) {
	one, prompt := statements("the invoice template lives in billing"), text("write a poem")
	alone, _ := relevance.Builtin().Judge(prompt, one, nil)
	among, _ := relevance.Builtin().Judge(prompt, one, statements("a poem has four lines", "write poems in english", "no poem is longer than a page"))
	if len(among) != 1 || among[0].Probability >= alone[0].Probability {
		t.Errorf("alone %+v, among strangers %+v", alone, among)
	}
}

func TestNothingIsNeededWhereNothingWasSaid(t *testing.T) {
	if list, need := relevance.Builtin().Judge(text("change the invoice template"), nil, nil); list != nil || need != 0 {
		t.Errorf("chosen %+v with %v", list, need)
	}
}

func TestTasklessPromptsNeedNothing(t *testing.T) {
	said := statements("make the build faster with a cache", "go is the only language here", "commit and push after each step")
	for _, prompt := range []string{"go on", "yes", "ok do it", "make it faster", "yes then commit push", "try again", "thanks"} {
		if list := relevance.Builtin().Needed(text(prompt), said, nil); len(list) > 0 {
			t.Errorf("%q needs %+v", prompt, list)
		}
	}
}

func TestAnotherModelCanBeMeasuredInItsPlace(t *testing.T) {
	own, other := relevance.Builtin(), &relevance.Model{Threshold: 2}
	former := relevance.Use(other)
	if relevance.Builtin() != other {
		t.Error("the other model is not used")
	}
	if relevance.Use(former); relevance.Builtin() != own {
		t.Error("the program's own model is not back")
	}
}
