package statements

import (
	"slices"
	"strings"
	"testing"
)

func TestFeelingsAreRecognised(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want []MoodEvent
	}{
		{"thanks, perfect!", []MoodEvent{MoodReward, MoodSocial}},
		{"Perfect.", []MoodEvent{MoodReward}},
		{"Wow, that's absolutely brilliant", []MoodEvent{MoodReward}},
		{"Great job on the parser.", []MoodEvent{MoodReward}},
		{"good catch, please fix it too", []MoodEvent{MoodReward}},
		{"Well done!", []MoodEvent{MoodReward}},
		{"I love it", []MoodEvent{MoodReward}},
		{"That is exactly what I wanted.", []MoodEvent{MoodReward}},
		{"yes! exactly what I was looking for", []MoodEvent{MoodReward}},
		{"works like a charm", []MoodEvent{MoodReward}},
		{"You nailed it", []MoodEvent{MoodReward}},
		{"**Excellent!** Next one.", []MoodEvent{MoodReward}},
		{"perfect, can you commit it?", []MoodEvent{MoodReward}},

		{"Thanks!", []MoodEvent{MoodSocial}},
		{"ok thanks a lot for the help", []MoodEvent{MoodSocial}},
		{"thank you so much", []MoodEvent{MoodSocial}},
		{"Thx. Now the docs.", []MoodEvent{MoodSocial}},
		{"Much appreciated.", []MoodEvent{MoodSocial}},
		{"I really appreciate your patience", []MoodEvent{MoodSocial}},
		{"thanks, could you also add a test?", []MoodEvent{MoodSocial}},
		{"You're the best, thank you", []MoodEvent{MoodSocial, MoodBonding}},
		{"I trust you", []MoodEvent{MoodBonding}},
		{"it was a pleasure working with you", []MoodEvent{MoodBonding}},

		{"this is wrong again", []MoodEvent{MoodError}},
		{"No, that's wrong.", []MoodEvent{MoodError}},
		{"it still doesn't work", []MoodEvent{MoodError}},
		{"That's not what I asked for", []MoodEvent{MoodError}},
		{"you broke the build", []MoodEvent{MoodError}},
		{"You ignored my instructions and rewrote the file", []MoodEvent{MoodError}},
		{"I already told you not to touch that file", []MoodEvent{MoodError}},
		{"Please stop adding comments everywhere", []MoodEvent{MoodError}},
		{"Don't do that again.", []MoodEvent{MoodError}},
		{"ugh, this is so frustrating", []MoodEvent{MoodError}},
		{"it doesn’t work at all", []MoodEvent{MoodError}},
		{"still getting the same error", []MoodEvent{MoodError}},

		{"tests pass now", []MoodEvent{MoodAchievement}},
		{"All tests pass.", []MoodEvent{MoodAchievement}},
		{"the tests are finally green", []MoodEvent{MoodAchievement}},
		{"it works now, can you commit?", []MoodEvent{MoodAchievement}},
		{"Finally works!", []MoodEvent{MoodAchievement}},
		{"that fixed it", []MoodEvent{MoodAchievement}},
		{"That did the trick", []MoodEvent{MoodAchievement}},
		{"the bug is gone now", []MoodEvent{MoodAchievement}},
		{"we just shipped it", []MoodEvent{MoodAchievement}},
		{"CI is green again, thanks!", []MoodEvent{MoodSocial, MoodAchievement}},

		{"urgent", []MoodEvent{MoodUrgency}},
		{"URGENT: login is broken for everyone", []MoodEvent{MoodUrgency}},
		{"This is really urgent", []MoodEvent{MoodUrgency}},
		{"I need this fixed asap", []MoodEvent{MoodUrgency}},
		{"production is down", []MoodEvent{MoodUrgency}},
		{"please fix this immediately", []MoodEvent{MoodUrgency}},
		{"the deadline is today", []MoodEvent{MoodUrgency}},
		{"we're running out of time", []MoodEvent{MoodUrgency}},

		{"we are going in circles", []MoodEvent{MoodStagnant}},
		{"I'm stuck", []MoodEvent{MoodStagnant}},
		{"same error again", []MoodEvent{MoodStagnant}},
		{"we made no progress", []MoodEvent{MoodStagnant}},

		{"I'm curious how the index works", []MoodEvent{MoodCuriosity}},
		{"I wonder whether a trie would be faster", []MoodEvent{MoodCuriosity}},
		{"that's really interesting", []MoodEvent{MoodCuriosity}},

		{"Exactly.", []MoodEvent{MoodAligned}},
		{"I agree", []MoodEvent{MoodAligned}},
		{"good idea, go ahead", []MoodEvent{MoodAligned}},
		{"sounds good", []MoodEvent{MoodAligned}},
		{"You're right, use the smaller one", []MoodEvent{MoodAligned}},

		{"Thanks! All tests pass now, but this is urgent: production is down.", []MoodEvent{MoodSocial, MoodAchievement, MoodUrgency}},
		{"thanks thanks thanks! thank you!", []MoodEvent{MoodSocial}},
	} {
		if got := events(Recognise(c.text)); !slices.Equal(got, c.want) {
			t.Errorf("%q: %v, want %v", c.text, got, c.want)
		}
	}
}

func events(said []Felt) (list []MoodEvent) {
	for _, s := range said {
		list = append(list, s.Event)
	}
	return list
}

func TestTheWordsAreKeptAsTheyWereWritten(t *testing.T) {
	t.Parallel()
	want := []Felt{{MoodError, "That’s wrong again"}, {MoodUrgency, "please hurry"}}
	if got := Recognise("No. That’s wrong again, the total is off by one (please hurry)!"); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestPlainWorkMovesNoMood(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"",
		"   \n",
		"use a perfect hash function",
		"Is it perfect?",
		"that's not perfect but commit it",
		"find an excellent library for this",
		"rename nice_work to good_work",
		"the brilliant package has a new release",
		"make it work perfectly on mobile",
		"great, now add a flag",
		"Write a function that returns \"perfect\"",
		"the button should say 'well done'",
		"it works perfectly in chrome and crashes in safari",
		"an amazing amount of memory is used here",
		"I would love this to be faster",

		"thanks to the cache this is fast",
		"add a thank you page",
		"the thanks page has a typo",
		"no thanks",
		"thanks for nothing",
		"Change the text to: Thank you for your order",
		"thank you page should have a logo",
		"show `thanks` after the form was sent",
		"> thanks for your patch\nanswer him",
		"we should appreciate the complexity of this parser",
		"do you trust your cache?",

		"what is wrong with this function?",
		"is this wrong?",
		"correct me if I'm wrong",
		"tell me if that's wrong",
		"return an error if the password is wrong again",
		"wrong password should give 401",
		"handle the error in parse.go",
		"The login button doesn't work on Safari",
		"fix the broken link in README",
		"there is a failing test in store",
		"add error handling",
		"stop the server before the test",
		"explain why the test fails",
		"retry while the connection is still failing",
		"print the message \"still broken\" in red",
		"what happens if it still doesn't work?",
		"what was that again?",
		"run it again",
		"how many times is this function called?",
		"I asked you to add a test yesterday",
		"you deleted the old files, good",
		"the message says it is not right-aligned",

		"make sure all tests pass",
		"run the tests until all tests pass",
		"do all tests pass?",
		"all tests should pass",
		"when it works now, commit",
		"it works now, right?",
		"check that everything works",
		"the tests pass locally and fail in CI",
		"all tests pass but the linter complains",
		"all tests pass only with -short",
		"fix it",
		"did you fix the bug?",
		"once the bug is fixed, release it",
		"not all tests pass",
		"- all tests pass\n- no lint errors",
		"1. all tests pass",
		"## Done means\nsee below",
		"```\nall tests pass\nurgent\nthanks\n```",
		"    all tests pass",
		"write a test that passes",
		"never say it works now without running it",
		"how was this bug fixed?",
		"a breakthrough algorithm for sorting",
		"config files live in the vault folder",
		"the release deployed to staging",

		"not urgent",
		"no rush, this isn't urgent",
		"urgent tickets should be red",
		"mark it as urgent",
		"rename 'urgent' to 'high'",
		"set priority: urgent",
		"the function returns immediately",
		"the job should start as soon as possible",
		"what does asap stand for in this enum?",
		"if the server is down, retry",
		"add a deadline column",
		"log when production is down",
		"use urgent_queue instead of queue",
		"the test ran out of time",
		"users are blocked after five attempts",
		"send it right after the header",

		"the process is stuck in a syscall",
		"users get stuck on the second page",
		"the progress bar shows no progress when idle",
		"detect when the agent is going in circles",
		"the threads were stuck",
		"the callback fires for the second time",
		"you got me the wrong branch name? no, it is main",
		"list issues with the same error",

		"print the interesting files",
		"pick the most interesting ones",
		"not interesting",
		"the wonder package",
		"I wonder how should I set the API key of my tool",
		"let's go with option 1, I also wonder if we want a helper for it",
		"the texts are 'thanks' and “it works now” and «urgent»",
		"curious_george.go has a bug",

		"match exactly one space",
		"that makes no sense",
		"is that a good idea?",
		"compare with the right answer",
		"align the text right",
		"the correct answer is 42",
		"I don't agree",

		"refactor internal/store so that errors wrap ErrInvalid",
		"Add a --json flag to hebb mood and document it",
		"please review the diff",
		"continue",
		"yes",
		"ok",
		"commit and push",
		"please",
	} {
		if got := Recognise(text); len(got) > 0 {
			t.Errorf("%q: %v, want nothing", text, got)
		}
	}
}

func TestOfALongTextTheEndsAreRead(t *testing.T) {
	t.Parallel()
	filler := strings.Repeat("The parser reads one token after the other. ", 100)
	for _, c := range []struct {
		name, text string
		want       []MoodEvent
	}{
		{"at the beginning", "Thanks! " + filler, []MoodEvent{MoodSocial}},
		{"at the end", filler + "This is urgent.", []MoodEvent{MoodUrgency}},
		{"in the middle", filler + "This is urgent. " + filler, nil},
		{"below pasted code", "```\n" + strings.Repeat("urgent\n", 1000) + "```\nthat's perfect", []MoodEvent{MoodReward}},
		{"a fence that is never closed", "```\n" + strings.Repeat("urgent\n", 10), nil},
		{"one endless word", strings.Repeat("urgent", 1000), nil},
		{"a cut makes no clause of its own", strings.Repeat("x", endLength+1) + " urgent" + strings.Repeat(" y", endLength/2), nil},
	} {
		if got := events(Recognise(c.text)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func FuzzRecogniseTakesAnyText(f *testing.F) {
	for _, seed := range []string{"thanks, perfect!", "```\n'", "“a", "1.", "-", "•", "?", "\xff\x00 it's urgent…", ",,,,:::"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := events(Recognise(text))
		for i, event := range got {
			if slices.Contains(got[:i], event) {
				t.Errorf("%q: %s twice", text, event)
			}
		}
	})
}
