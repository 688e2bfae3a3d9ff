package evaluate

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// writeSet writes one half of a set.
func writeSet(t *testing.T, dir, half string, lines ...map[string]any) {
	t.Helper()
	must.Do(t, os.MkdirAll(dir, 0o700))
	var text []byte
	for _, l := range lines {
		line := must.Get(json.Marshal(l))(t)
		text = append(append(text, line...), '\n')
	}
	must.Do(t, os.WriteFile(filepath.Join(dir, half+".jsonl"), text, 0o600))
}

func asked(t *testing.T, dir string, sets ...string) []ConversationRow {
	t.Helper()
	return must.Get(Conversations(t.Context(), ConversationsInput{Dir: dir, Sets: sets, Tuning: tuning.Default()}))(t)
}

func rowOf(t *testing.T, rows []ConversationRow, ranker string) ConversationRow {
	t.Helper()
	i := slices.IndexFunc(rows, func(r ConversationRow) bool { return r.Ranker == ranker })
	if i < 0 {
		t.Fatalf("no row of %s: %+v", ranker, rows)
	}
	return rows[i]
}

func TestConversationsAreRecordedAndAsked(t *testing.T) {
	dir := t.TempDir()
	set := filepath.Join(dir, "text", "locomo")
	turn := func(ns, id, speaker, text string) map[string]any {
		return map[string]any{"ns": ns, "id": id, "session": "S1", "time": "1:56 pm on 8 May, 2023", "speaker": speaker, "text": text}
	}
	writeSet(
		t, set, "memories",
		turn("a", "1", "Anna", "We adopted a greyhound from the shelter last weekend!"),
		turn("a", "2", "Ben", "How lovely. What is it called?"),
		turn("a", "3", "Anna", "Biscuit, because of the colour."),
		turn("a", "4", "Ben", "I have been repairing my old bicycle all day."),
		turn("b", "1", "Cara", "My greyhound won a race."),
	)
	writeSet(
		t, set, "queries",
		map[string]any{"ns": "a", "qid": "q1", "category": "plain", "query": "Which greyhound did Anna adopt?", "gold": []string{"1"}},
		map[string]any{"ns": "a", "qid": "q2", "category": "plain", "query": "What did Ben repair?", "gold": []string{"4"}},
		map[string]any{"ns": "a", "qid": "q3", "category": "beside", "query": "What is the greyhound of Anna called?", "gold": []string{"1", "3"}},
		map[string]any{"ns": "a", "qid": "q4", "category": "none", "query": "Who is the president?", "gold": []string{}},
	)
	rows := asked(t, dir, "locomo")
	if r := rowOf(t, rows, "hebb"); r.N != 3 || r.R5 != 100 || r.MRR < 80 {
		t.Errorf("hebb: %+v", r)
	}
	if r := rowOf(t, rows, "fts5 turn"); r.N != 3 || r.R10 < 80 {
		t.Errorf("the floor: %+v", r)
	}
	if r := rowOf(t, rows, "fts5 window"); r.R5 != 100 {
		t.Errorf("the floor with neighbours: %+v", r)
	}
}

func TestNotesOfTheFilesThatAPromptNeeds(t *testing.T) {
	dir := t.TempDir()
	at := func(i int) int64 { return 1_700_000_000 + int64(i)*3600 }
	set := filepath.Join(dir, "text", "lessons")
	note := func(id string, i int, path, text string) map[string]any {
		return map[string]any{"ns": "repo", "id": id, "time": at(i), "session": "s", "path": path, "text": text}
	}
	writeSet(
		t, set, "memories", note("1", 40, "auth/login.go", "Redirects must keep the query string."),
		note("2", 41, "ui/page.go", "Buttons are drawn twice on old screens."), note("3", 90, "auth/login.go", "Written after the question."),
	)
	writeSet(t, set, "queries", map[string]any{
		"ns": "repo", "qid": "q", "time": at(60), "category": "repo", "query": "the login fails after logout", "gold": []string{"1"},
	})
	var commits []map[string]any
	for i := range 30 {
		path, subject := "auth/login.go", "mend the login"
		if i%2 == 1 {
			path, subject = "ui/page.go", "draw the page anew"
		}
		status := "M"
		if i < 2 {
			status = "A"
		}
		commits = append(commits, map[string]any{
			"hash": string(rune('a'+i%26)) + time.Unix(at(i), 0).String(), "time": at(i), "subject": subject,
			"files": []map[string]any{{"path": path, "status": status}},
		})
	}
	sessions := filepath.Join(dir, "sessions")
	writeSet(t, sessions, "repo.commits", commits...)
	writeSet(t, sessions, "repo.sessions", map[string]any{
		"repo": "repo", "session": "s0", "agent": "claude-code", "actor": "x", "start": at(35), "prompts": [][]any{{0, "login again"}},
		"events": [][]any{{1, "read", "auth/login.go"}, {2, "edit", "auth/login.go"}},
	})
	rows := asked(t, dir, "lessons")
	if r := rowOf(t, rows, "hebb"); r.MAP != 100 || r.Hit5 != 100 {
		t.Errorf("hebb: %+v", r)
	}
}

func TestTextsAreMarked(t *testing.T) {
	m := markTexts([][]string{{"x"}, {"a"}, {"a"}, {"y"}, {"b"}}, []string{"a", "b", "c"})
	ideal := 1 + 1/math.Log2(3) + 1/math.Log2(4)
	want := textMark{r5: 2. / 3, r10: 2. / 3, rr: .5, ap: (1./2 + 2./5) / 3, ndcg: (1/math.Log2(3) + 1/math.Log2(6)) / ideal, hit5: 1}
	for _, pair := range [][2]float64{{m.r5, want.r5}, {m.r10, want.r10}, {m.rr, want.rr}, {m.ap, want.ap}, {m.ndcg, want.ndcg}, {m.hit5, want.hit5}} {
		if math.Abs(pair[0]-pair[1]) > 1e-12 {
			t.Errorf("%+v, want %+v", m, want)
		}
	}
	if none := markTexts(nil, []string{"a"}); none != (textMark{}) {
		t.Errorf("%+v", none)
	}
}
