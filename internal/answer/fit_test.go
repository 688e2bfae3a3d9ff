package answer_test

import (
	"slices"
	"testing"

	"github.com/hebb-memory/hebb/internal/answer"
)

func needed(prompt string, statements ...string) (indices []int) {
	for _, c := range answer.Needed(prompt, statements) {
		indices = append(indices, c.Index)
	}
	return indices
}

var said = []string{
	"migrations need a rollback script", "respond to each comment of a pull request on GitHub with the fixing commit", "answer in short sentences",
	"the invoice template lives in the billing service", "make the build faster with a cache",
}

func TestAPromptNeedsWhatWasSaidOfTheSame(t *testing.T) {
	for prompt, want := range map[string]int{
		"look at the comments of the pull request, there are new ones":                                    1,
		"change the invoice template, please":                                                             3,
		"write a migration for the new table":                                                             -1, // one word is not enough
		"fix the tests. The parser fails. Then change the invoice template. It must not break the parser": 3,
	} {
		list := needed(prompt, said...)
		if want < 0 && len(list) > 0 || want >= 0 && !slices.Equal(list, []int{want}) {
			t.Errorf("%q needs %v", prompt, list)
		}
	}
}

func TestAPromptDoesNotNeedWhatItSaysItself(t *testing.T) {
	if list := needed("no: migrations need a rollback script", said...); len(list) > 0 {
		t.Errorf("it needs %v", list)
	}
}

func TestTheWordsOfManyStatementsTellLess(t *testing.T) {
	alone := []string{"deploy the checkout with the blue button"}
	among := slices.Concat(alone, slices.Repeat([]string{"deploy the checkout"}, 60))
	before := answer.Likeliest("deploy the checkout tomorrow", alone, 1)
	after := answer.Likeliest("deploy the checkout tomorrow", among, len(among))
	if i := slices.IndexFunc(after, func(c answer.Choice) bool { return c.Index == 0 }); after[i].Probability >= before[0].Probability {
		t.Errorf("alone %v, among others %v", before[0], after[i])
	}
}

func TestPromptsWithoutATaskAndKitchensNeedNothing(t *testing.T) {
	for _, prompt := range []string{"go on", "yes", "ok do it", "make it faster", "yes then commit push", "try again", "thanks", ""} {
		if list := needed(prompt, said...); len(list) > 0 {
			t.Errorf("%q needs %v", prompt, list)
		}
	}
	if list := needed("make sure that the worker does not restart on Mondays", "never put the cast iron pan into the dishwasher", "the ferry to the island does not run on Mondays"); len(list) > 0 {
		t.Errorf("needs %v", list)
	}
}

func TestTheLikeliestThreeAreShown(t *testing.T) {
	var many []string
	for _, name := range []string{"blue", "green", "red", "white", "black"} {
		many = append(many, "the invoice template of the "+name+" customers lives in billing")
	}
	choices := answer.Needed("move the invoice template of the red customers", many)
	if len(choices) != 3 || choices[0].Index != 2 || choices[0].Probability < choices[1].Probability || choices[1].Probability < choices[2].Probability {
		t.Errorf("chosen %+v", choices)
	}
}
