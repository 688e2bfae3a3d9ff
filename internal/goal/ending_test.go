package goal

import (
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
)

// plain takes words as they are: each tells as much, and two are alike only if they are equal, or one goes on with "s".
var plain = Sense{
	Terms: func(text string) []string {
		return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return strings.ContainsRune(" \n.,:;!?/()", r) })
	},
	Told: func(term string) float64 {
		if len(term) < 4 {
			return 0
		}
		return 3
	},
	Like: func(a, b string) float64 {
		if strings.TrimSuffix(a, "s") == strings.TrimSuffix(b, "s") {
			return 1
		}
		return 0
	},
}

func TestWhatThePersonSaysIsOver(t *testing.T) {
	g := memory.Goal{Title: "later we should add retries to the webhook delivery"}
	for prompt, want := range map[string]memory.GoalStatus{
		"the webhook retries are merged":                  memory.GoalDone,
		"retries for webhook delivery are already there":  memory.GoalDone,
		"ok. the webhook retries are done, now the docs":  memory.GoalDone,
		"forget the webhook retries":                      memory.GoalDropped,
		"we don't need webhook retries anymore":           memory.GoalDropped,
		"webhook retries are cancelled":                   memory.GoalDropped,
		"don't forget the webhook retries":                "",
		"are the webhook retries done?":                   "",
		"has the webhook retries been merged":             "",
		"the webhook retries are not done":                "",
		"the webhook retries are almost done":             "",
		"when the webhook retries are done, tell me":      "",
		"the webhook retries should be done by friday":    "",
		"the upload progress is done":                     "",
		"the retries of the upload progress bar are done": "",
		"webhook retries can wait":                        "",
		"webhook retries are done, delivery still to do":  "",
		"the webhook part of the retries is done":         "",
	} {
		if got, _ := plain.Over(g, prompt); got != want {
			t.Errorf("%q: %q, want %q", prompt, got, want)
		}
	}
}

func TestWorkEndsAGoal(t *testing.T) {
	commit := func(subject string, gone ...string) []Deed { return []Deed{{Text: subject, Gone: gone}} }
	for _, c := range []struct {
		name, title string
		turn        Turn
		want        memory.GoalStatus
	}{
		{"a commit reports it", "encrypt the nightly backups later", Turn{Commits: commit("encrypt nightly backups")}, memory.GoalDone},
		{"asked and committed", "encrypt the nightly backups later", Turn{Asked: "encrypt the nightly backups", Commits: commit("use age")}, memory.GoalDone},
		{"along the way", "encrypt the nightly backups later", Turn{Asked: "move the script", Edited: []string{"x.sh"}, Message: "Moved. I also made the nightly backups encrypt."}, memory.GoalDone},
		{"another thing", "encrypt the nightly backups later", Turn{Asked: "compress the nightly dumps", Commits: commit("compress dumps")}, ""},
		{"another one of the sort", "switch the date picker to the new component", Turn{Asked: "switch the time picker to the new component", Commits: commit("switch component")}, ""},
		{"not asked", "encrypt the nightly backups later", Turn{Asked: "no encrypt for the nightly backups yet, rename the folder", Commits: commit("rename folder")}, ""},
		{"asked whether", "encrypt the nightly backups later", Turn{Asked: "should we encrypt the nightly backups?", Commits: commit("rename folder")}, ""},
		{"nothing came of it", "encrypt the nightly backups later", Turn{Asked: "encrypt the nightly backups"}, ""},
		{"failed", "encrypt the nightly backups later", Turn{Asked: "encrypt the nightly backups", Message: "I could not install age."}, ""},
		{"half", "encrypt the nightly backups later", Turn{Commits: commit("encrypt nightly backups"), Message: "One half works.", Left: []string{"the weekly backups"}}, ""},
		{"announced", "encrypt the nightly backups later", Turn{Edited: []string{"x.sh"}, Message: "I will encrypt the nightly backups."}, ""},
		{"explained", "encrypt the nightly backups later", Turn{Message: "This would encrypt nightly backups in one line."}, ""},
		{"taken away", "encrypt the nightly backups later", Turn{Commits: commit("remove encrypt of nightly backups")}, ""},
		{"its code is gone", "make legacyexporter faster someday", Turn{Commits: commit("remove legacyexporter, faster without", "src/LegacyExporter.java")}, memory.GoalDropped},
		{"to be taken away", "remove the legacyexporter someday", Turn{Commits: commit("remove legacyexporter", "src/LegacyExporter.java")}, memory.GoalDone},
		{"names nothing", "we look at it later", Turn{Asked: "look at it", Commits: commit("look at it")}, ""},
	} {
		got, ended := plain.Ended(memory.Goal{Title: c.title, Status: memory.GoalActive}, []Turn{{}, c.turn}, memory.Session{ID: 7})
		if ended != (c.want != "") || ended && (got.Status != c.want || got.ClosedIn != 7 || got.ClosedBy == "") {
			t.Errorf("%s: %+v, want %q", c.name, got, c.want)
		}
	}
}

// A word that most commits of a project have says nothing of one of them.
func TestWordsThatAllHaveTellLittle(t *testing.T) {
	var commits []string
	for range 400 {
		commits = append(commits, "parser: small fix of tests")
	}
	g := memory.Goal{Title: "parser tests in another folder, later"}
	turns := []Turn{{Commits: []Deed{{Text: "parser: more tests"}}}}
	if _, ended := plain.Ended(g, turns, memory.Session{}); !ended {
		t.Error("in a young project these are the words of the goal")
	}
	if _, ended := plain.Among(commits).Ended(g, turns, memory.Session{}); ended {
		t.Error("ended by words that all commits have")
	}
}
