package goal

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/recall"
)

func TestWhatPeopleStateIsAGoal(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text  string
		kind  memory.GoalKind
		title string
	}{
		{"Next: wire the store into the importer", memory.GoalNext, "wire the store into the importer"},
		{"**Next:** wire the store.", memory.GoalNext, "wire the store"},
		{"TODO: close the file on error", memory.GoalNext, "close the file on error"},
		{"TODO close the file on error", memory.GoalNext, "close the file on error"},
		{"TODO(ann): close the file on error", memory.GoalNext, "close the file on error"},
		{"- todo: close the file on error", memory.GoalNext, "close the file on error"},
		{"Goal: searches below 10 ms", memory.GoalAim, "searches below 10 ms"},
		{"Open question: does the drain need a lease on Windows?", memory.GoalQuestion, "does the drain need a lease on Windows?"},
		{"Thanks! Remind me to rotate the signing key.", memory.GoalNext, "rotate the signing key"},
		{"don’t forget to update the changelog for 2.0", memory.GoalNext, "update the changelog for 2.0"},
		{"ok, and let's not forget the Windows build", memory.GoalNext, "the Windows build"},
		{"We'll fix the flaky drain test later.", memory.GoalNext, "fix the flaky drain test"},
		{"Great work, thank you! Later we should also measure the search on a large store.", memory.GoalNext, "measure the search on a large store"},
		{"Tomorrow, we'll split the importer into two files.", memory.GoalNext, "split the importer into two files"},
		{"let's migrate the fixtures in a follow-up", memory.GoalNext, "migrate the fixtures"},
		{"I'll clean up the old migrations tomorrow, too tired", memory.GoalNext, "clean up the old migrations"},
		{"At the moment it works. We should eventually replace the parser with a real grammar.", memory.GoalNext, "replace the parser with a real grammar"},
	} {
		found := FromText(c.text, recall.Words)
		if len(found) != 1 || found[0].Kind != c.kind || found[0].Title != c.title {
			t.Errorf("%q: %+v", c.text, found)
			continue
		}
		if got := found[0]; len(got.Concepts) == 0 || !strings.Contains(got.Text, strings.Fields(c.title)[1]) {
			t.Errorf("%q: %+v", c.text, got)
		}
	}
}

// Sentences like those that people write to coding agents, none of which is a goal that outlives its session.
var nobodysGoals = []string{
	"fix the failing test in store_test.go",
	"we should rename the workflow to publish.yml",
	"I want to replace the usage of getUserID with a machine identifier.",
	"can you add a test so we don't break this in the future again?",
	"I wonder if we should add this to CLAUDE.md?",
	"So wondering if we should rather fall back to the branch.",
	"if we don't have a session state then I guess we should reset that branch",
	"do we need to write a plan or are we good to go?",
	"what should we do next?",
	"Should we add retries to the client?",
	"let's do it in 91 - I want to merge 90 now",
	"we need to fix some merge conflicts",
	"we need to rebase on main",
	"we should not display the key in the log",
	"we should never write to the user's home",
	"But we should keep in mind that the user might use `git stash`",
	"we should be using the strong types",
	"we should be fine",
	"we should have one already",
	"I want to understand why the hook is slow",
	"I want to see the output of the drain",
	"I want to be sure that the tests pass",
	"I want to talk about AWS and other secrets.",
	"I'd like to do two things: 1. list them 2. sort them",
	"I'd like to know what the importer does",
	"we should do that",
	"we should fix it",
	"never mind, we'll look at it later.",
	"Fine to do it later too",
	"we'll get to that later",
	"when someone does a `commit --amend` later it's not really feasible to update again",
	"If the user later unstashes B and commits it, they still get a trailer",
	"Later when `handleTurnEnd` runs at Stop, it uses the base commit.",
	"it leaves us space to customise the options later on",
	"we're not likely to be able to retrieve the session later, right?",
	"at some point we'll hit only commits that are on main right?",
	"and remember to use pagination",
	"don't forget to run the tests before you commit",
	"don't forget it",
	"quick follow up question first: now he still had an issue in the other repo",
	"one follow up: can we figure out when those changes happen?",
	"log a linear issue with this observation, we will come back to it later",
	"yes please, match the style - let's add a linear issue for discussion later",
	"okay, commit this batch as is, then run a review",
	"let's add a task to the todo directly following this",
	"> we should rewrite the parser in Rust",
	"\"we should rewrite the parser in Rust\" is what he said",
	"// TODO: close the file on error",
	"+ // TODO: close the file on error",
	"```\nTODO: close the file on error\nNext: nothing works\n```",
	"<system-reminder>\nTODO: close the file on error\n</system-reminder>",
	"2026-01-21 18:21 we should update the header of the report",
	"[12:03] we should update the header of the report",
	"| TODO | close the file on error |",
	"Implement the following plan:\n\nTODO: close the file\nWe should add retries to the client.",
	"This session is being continued from a previous conversation. Next: wire the store into the importer",
	"Operation stopped by hook: Another session is active: \"I'd like to do some proper tests\"",
	"Next: nothing",
	"Next: none.",
	"next.js: the build fails with an error",
	"TODO: [x] close the file",
	"the todo list app shows the wrong date",
	"Tell me where we should add the agent into context.",
	"Can you explain what we need to change in the importer?",
	"we should continue in the loop if we hit a skip",
	"we need to:",
	"I want to...",
	"maybe we should allow experiments to accept an object",
	"perhaps we should document this in the docs",
	"we should ask the original author of the changes",
	"I'll follow up with the original author of the changes",
	"We will not add retries to the client later",
	"I think we should start fresh from main, can you switch the branch",
	"yes",
	"",
}

func TestWhatIsNoGoalIsLeftAlone(t *testing.T) {
	t.Parallel()
	if len(nobodysGoals) < 40 {
		t.Fatal("too few to tell")
	}
	for _, text := range nobodysGoals {
		if found := FromText(text, recall.Words); len(found) != 0 {
			t.Errorf("%q: %+v", text, found)
		}
	}
}

func TestAListBelowAHeadingIsTakenWhole(t *testing.T) {
	t.Parallel()
	text := "All tests pass.\n\n## Next steps\n\n1. wire the store\n2. [ ] write the docs\n- none of it is urgent\n3. wire the store\n\nThe rest is fine.\n- not part of it\n"
	var titles []string
	for _, c := range FromText(text, recall.Words) {
		titles = append(titles, c.Title)
	}
	if want := []string{"wire the store", "write the docs", "none of it is urgent"}; !slices.Equal(titles, want) {
		t.Errorf("%q", titles)
	}
}

func TestADocumentStatesOnlyWhatItMarks(t *testing.T) {
	t.Parallel()
	text := "we should add retries to the client.\nWe should eventually drop the old parser.\nTODO: close the file on error\n" + strings.Repeat("And so on. ", 200)
	found := FromText(text, recall.Words)
	if len(found) != 2 || found[0].Title != "drop the old parser" || found[1].Title != "close the file on error" {
		t.Errorf("%+v", found)
	}
}

func TestWhatASessionLeftBecomesGoals(t *testing.T) {
	t.Parallel()
	next := "Next:\n- Wire the store into the importer\n- Still failing: undefined: store.Open\n- and 3 more\n\nnothing\n* " +
		strings.Repeat("Measure the drain. ", 3) + "Then compare what it costs with what the old one did, on every machine that we have at hand.\n"
	var titles []string
	for _, c := range FromNext(next, recall.Words) {
		titles = append(titles, c.Title)
		if c.Kind != memory.GoalNext {
			t.Errorf("%+v", c)
		}
	}
	want := []string{
		"Wire the store into the importer", "Still failing: undefined: store.Open", "Measure the drain",
		"Then compare what it costs with what the old one did, on every machine that we have at hand",
	}
	if !slices.Equal(titles, want) {
		t.Errorf("%q", titles)
	}
	if found := FromNext("- No retries on 404\n- Done page layout", recall.Words); len(found) != 2 {
		t.Errorf("%+v", found)
	}
	for _, none := range []string{"", "none", "- Nothing.", "n/a", "No open points.", "- and 3 more"} {
		if found := FromNext(none, recall.Words); len(found) != 0 {
			t.Errorf("%q: %+v", none, found)
		}
	}
}

func TestALongTitleIsCutAndItsTextKept(t *testing.T) {
	t.Parallel()
	long := "replace " + strings.Repeat("parsers ", 20) + "everywhere"
	found := FromText("TODO: "+long, recall.Words)
	if len(found) != 1 || found[0].Text != long || !strings.HasSuffix(found[0].Title, "parsers…") || utf8.RuneCountInString(found[0].Title) > 100 {
		t.Errorf("%+v", found)
	}
}

func FuzzFromText(f *testing.F) {
	for _, text := range nobodysGoals {
		f.Add(text)
	}
	f.Add("Next:\r\n- wire\u2028 the store\n## TODO\n1) a b\nWe’ll İstanbul the tests LATER, (later) later")
	f.Add("we should x\xff y z later")
	f.Fuzz(func(t *testing.T, text string) {
		for _, c := range append(FromText(text, recall.Words), FromNext(text, recall.Words)...) {
			if n := utf8.RuneCountInString(c.Title); n == 0 || n > 100 || !utf8.ValidString(c.Title) || strings.ContainsAny(c.Title, "\n\r") {
				t.Fatalf("title %q", c.Title)
			}
			if len(c.Concepts) == 0 || c.Text == "" || !slices.Contains(memory.GoalKinds, c.Kind) {
				t.Fatalf("%+v", c)
			}
		}
	})
}
