package said

import (
	"testing"
	"time"
)

// tinyShown has two people in two repositories. The second prompt of each needs what the first one
// said.
func tinyShown() (list Shown) {
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	for _, repo := range []string{"a", "b"} {
		rules := []stated{
			{repo + "1", "rule", "every migration of " + repo + "store needs a rollback script"}, {repo + "1", "fact", "the demo runs on the old laptop"},
			{repo + "1", "rule", "answer in short sentences"}, {repo + "1", "decision", "prices are stored as whole cents"},
		}
		list = append(list,
			&moment{id: repo + "1:0", session: repo + "1", person: repo, repo: repo, text: "remember these", at: at, said: rules},
			&moment{id: repo + "1:1", session: repo + "1", person: repo, repo: repo, text: "write a migration of " + repo + "store", at: at.Add(time.Minute)},
			&moment{
				id: repo + "2:0", session: repo + "2", person: repo, repo: repo, text: "write a migration of " + repo + "store for invoices", at: at.Add(time.Hour),
				need: map[string]int{rules[0].text: 2, rules[1].text: 0},
			},
			&moment{
				id: repo + "2:1", session: repo + "2", person: repo, repo: repo, text: "rename the package of the parser", at: at.Add(2 * time.Hour),
				need: map[string]int{rules[2].text: 0, rules[3].text: 0},
			})
	}
	return list
}

func TestShownLinesAreCounted(t *testing.T) {
	rows, err := tinyShown().Judge(t.Context())
	if err != nil || len(rows) != 3 {
		t.Fatalf("%+v, %v", rows, err)
	}
	sum := rows[2]
	if sum.Prompts != 4 || sum.Spoken != 2 || sum.Lines != 2 || sum.Unread != 0 || sum.P1 != 1 || sum.P2 != 1 || sum.R2 != 1 {
		t.Errorf("%+v", sum)
	}
	if sum.All != 0.5 || sum.Foreign != 0 || sum.Kitchen != 0 {
		t.Errorf("%+v", sum)
	}
}
