package evaluate

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// topic is what a session of a made-up trace is about: its prompts say these words, its work is on
// this file.
type topic struct{ words, file string }

var (
	tokens = topic{"revoke expired login tokens stored inside session cookies", "auth/tokens.go"}
	charts = topic{"render monthly revenue charts with stacked colour bars", "charts/revenue.go"}
)

// thoughtTrace writes a repository of recorded sessions, one a day, each an exchange about its
// topic.
func thoughtTrace(t *testing.T, repo string, topics []topic) SessionFiles {
	t.Helper()
	dir := t.TempDir()
	var lines []string
	for i, about := range topics {
		var prompts, events [][]any
		for turn := range 4 {
			said := fmt.Sprintf("%s, part %d", about.words, turn)
			if turn > 0 { // an episode that only repeats the goal is none
				said += "; mind that callers outside keep working until the next release and that nobody has to change what they wrote down"
			}
			prompts = append(prompts, []any{60 * turn, said})
			if about.file != "" {
				events = append(events, []any{60*turn + 20, "read", about.file}, []any{60*turn + 30, "edit", about.file})
			}
		}
		line := must.Get(json.Marshal(map[string]any{
			"repo": repo, "session": fmt.Sprintf("%s-%d", repo, i), "agent": "claude-code", "actor": "a", "start": morning.AddDate(0, 0, i).Unix(),
			"prompts": prompts, "events": events,
		}))(t)
		lines = append(lines, string(line))
	}
	pair := SessionFiles{Repo: repo, Commits: filepath.Join(dir, repo+".commits.jsonl"), Sessions: filepath.Join(dir, repo+".sessions.jsonl")}
	for file, text := range map[string]string{pair.Commits: "", pair.Sessions: strings.Join(lines, "\n")} {
		must.Do(t, os.WriteFile(file, []byte(text), 0o600))
	}
	return pair
}

// inTurnOf is n topics, these in turn.
func inTurnOf(n int, topics ...topic) (all []topic) {
	for i := range n {
		all = append(all, topics[i%len(topics)])
	}
	return all
}

func goalsRowOf(t *testing.T, rows []GoalsRow, repo string) GoalsRow {
	t.Helper()
	for _, r := range rows {
		if r.Repo == repo {
			return r
		}
	}
	t.Fatalf("no row %s in %v", repo, rows)
	return GoalsRow{}
}

func TestAThoughtIsMarkedByTheSessionThatFollows(t *testing.T) {
	t.Parallel()
	quiet := topic{tokens.words, ""} // opens nothing: it cannot be asked about
	rows := must.Get(Thinking(t.Context(), Input{
		Sessions: []SessionFiles{
			thoughtTrace(t, "same", inTurnOf(12, tokens)),
			thoughtTrace(t, "turns", append(inTurnOf(12, tokens, charts), quiet)),
		},
		Tuning: tuning.Default(),
	}))(t)
	if len(rows) != 3 {
		t.Errorf("%d rows, want two repositories and micro", len(rows))
	}
	same := goalsRowOf(t, rows, "same")
	want := GoalsRow{Bench: "goals", Repo: "same", Moments: 2, Connected: 2, Hit: 100, Recent: 100, Chance: 100}
	if same != want {
		t.Errorf("every session is on one file:\n got %+v\nwant %+v", same, want)
	}
	// Of ten sessions in turn half are about the file of the eleventh; the latest is never.
	turns := goalsRowOf(t, rows, "turns")
	if turns.Moments != 2 || turns.Connected != 2 || turns.Recent != 0 || turns.Chance < 45 || turns.Chance > 55 {
		t.Errorf("topics in turn: got %+v, want 2 moments with a connection, the latest episode never right, chance about half", turns)
	}
	if micro := goalsRowOf(t, rows, Micro); micro.Moments != 4 || micro.Recent != 50 {
		t.Errorf("together: %+v", micro)
	}
}

func TestNothingOfTheFutureIsThoughtOf(t *testing.T) {
	t.Parallel()
	files := thoughtTrace(t, "turns", inTurnOf(14, tokens, charts))
	sessions := must.Get(collect(ReadSessions(files.Sessions)))(t)
	th := newThinker("turns", sessions)
	for next := range th.lived {
		episodes, wanted := th.past(next)
		if len(wanted) != next {
			t.Errorf("before session %d there are %d goals, want one for each that is over", next, len(wanted))
		}
		for _, e := range episodes {
			if !e.At.Before(th.lived[next].start) {
				t.Errorf("before session %d an episode of %v comes to mind", next, e.At)
			}
		}
	}
}
