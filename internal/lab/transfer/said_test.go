package transfer_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/forget"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/state"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/texts"
	"github.com/hebb-memory/hebb/internal/views"
)

// What docs/store.md says was said comes back, row by row, when an export is imported into an empty store.
func TestWhatWasSaidIsExported(t *testing.T) {
	t.Parallel()
	home, there := braintest.NewLab(t), braintest.NewLab(t)
	everythingSaid(home)
	there.Clock = home.Clock.Add(48 * time.Hour)
	there.Imports(home.Exported(), true)
	// Rows of these are said by somebody; the others are made again.
	somebody := map[string]string{
		"project": `tagged = 1`, "session": `by_hand = 1 OR told_by IN ('user', 'agent')`,
		"heat": `note <> '' OR summary_by IN ('user', 'agent')`,
	}
	p := readPage(t)
	said := map[string][]string{}
	for name, classes := range p.columns {
		if slices.Contains(classes, "said") {
			table, column, _ := strings.Cut(name, ".")
			said[table] = append(said[table], column)
		}
	}
	queries := map[string]string{}
	for table, columns := range said {
		slices.Sort(columns)
		queries[table] = `SELECT json_array(` + strings.Join(columns, `, `) + `) FROM ` + table
		if which := somebody[table]; which != "" {
			queries[table] += ` WHERE ` + which
		}
	}
	// When it was set says nothing of these: the value does, or nobody asks.
	const set = `iif(name IN ('mood', 'pauses', 'tombstone'), 0, at)`
	stays := []string{"scribe/projects", "scribe/offered", "ask/offered", "forgetting", "forgetting/uncleaned", "sleep/report"} // on this machine
	for name, classes := range p.facts {
		if !slices.Contains(stays, name) && (slices.Contains(classes, "said") || slices.Contains(classes, "event")) {
			queries[name] = `SELECT json_array(project_id, subject, ` + set + `, json(value)) FROM fact
				WHERE (project_id = 0 OR project_id IN (SELECT id FROM project)) AND name = '` + name + `'`
		}
	}
	for _, name := range slices.Sorted(maps.Keys(queries)) {
		want, got := rows(home, queries[name]), rows(there, queries[name])
		if len(want) == 0 {
			t.Errorf("%s: nothing was said", name)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %s\ngot  %s\nwant %s", name, queries[name], strings.Join(got, "\n     "), strings.Join(want, "\n     "))
		}
	}
}

// rows are what a query of one column finds in the store of a lab, in the order of their texts.
func rows(l *braintest.Lab, query string) (list []string) {
	l.T.Helper()
	db := must.Get(sql.Open("sqlite", l.Config.Database()))(l.T)
	defer func() { _ = db.Close() }()
	for _, text := range column(l.T, db, query) {
		list = append(list, strings.ReplaceAll(text, `\"links\":{},`, "")) // the same as none
	}
	slices.Sort(list)
	return list
}

// everythingSaid says something of every kind.
func everythingSaid(l *braintest.Lab) {
	t := l.T
	in := l.Scope()
	l.See(7, l.Event(memory.Prompted, 0), l.Touch("run", 1, memory.Read, "till.go", "web/login.go"), l.Touch("run", 2, memory.Edit, "till.go"), l.Event(memory.SessionEnded, 6))
	l.Clock = l.Clock.Add(time.Hour)
	l.PersonSpeaks()
	agents := braintest.Must(l, statements.Remember, statements.RememberInput{Scope: in, Text: "Deploys go through the queue.", Origin: memory.OriginAgent})
	braintest.Must(l, desk.PinMemory, desk.PinMemoryInput{ID: string(agents.ID), Reason: "it went wrong"})
	braintest.Must(l, desk.PinText, desk.PinInput{Scope: in, Title: "Amounts are integers", Origin: memory.OriginAgent})
	wrong := braintest.Must(l, statements.Remember, statements.RememberInput{Scope: in, Text: "The cache lives in Redis."})
	braintest.Must(l, statements.GiveVerdict, statements.VerdictInput{Memory: string(wrong.ID), Verdict: statements.VerdictOutdated})
	lines := must.Get(json.Marshal([]memory.Suggestion{{Offer: memory.OfferFile, Moment: memory.AtPrompt, Path: "web/login.go", Confidence: 0.7, Tokens: 9}}))(t)
	receipt := l.Say("run", 61, memory.Suggested, string(lines))
	l.Observe(receipt)
	braintest.Must(l, statements.GiveVerdict, statements.VerdictInput{Line: string(receipt.ID) + "-1", Verdict: statements.VerdictNever})
	braintest.Must(l, texts.CreateRelations, texts.RelationsInput{GraphInput: texts.GraphInput{Scope: in}, Relations: []memory.Relation{{From: "Ada", Type: "knows", To: "Ada"}}})
	braintest.Must(l, desk.TakeNote, statements.NoteInput{Scope: in, Text: "The till may need a lock.", Importance: .75})
	braintest.Must(l, desk.Feel, desk.FeelInput{Event: "reward"})
	braintest.Must(l, state.AddPayment, state.PaymentInput{Amount: 1.5, Skill: "tea"})
	braintest.Must(l, views.TagProject, views.TagInput{Scope: in, Name: "corner shop"})
	braintest.Must(l, desk.PauseProject, desk.PauseInput{Scope: in, Pause: true})
	braintest.Must(l, desk.PauseProject, desk.PauseInput{Scope: in})
	braintest.Must(l, statements.Remember, statements.RememberInput{Scope: in, Text: "web/login.go keeps no state"})
	gone := braintest.Must(l, statements.Remember, statements.RememberInput{Scope: in, Text: "my name is Ada"})
	braintest.Must(l, steward.Forget, forget.ForgetInput{IDs: []memory.EventID{memory.EventID(gone.ID)}, Apply: true})
	goal := braintest.Must(l, goals.Goals, goals.GoalsInput{Scope: in}).Goals[0]
	id := l.Place.Project()
	must.Do(t, l.Store.Update(t.Context(), func(tx *store.Tx) error {
		_, err := tx.AddThought(t.Context(), store.Thought{Project: id, Goal: goal.Goal.ID, At: tx.Now, Strength: .5, Keys: []string{"k"}, Why: "because", Outcome: goals.ThoughtUsed})
		if err != nil {
			return err
		}
		gap := state.Gap{Text: "where do receipts go", Times: 2, At: time.Date(2026, 11, 15, 8, 0, 0, 0, time.UTC), Origin: memory.OriginUser}
		if err := state.SaveSearches(t.Context(), tx, id, []state.Gap{gap}); err != nil {
			return err
		}
		forgotten := store.NewFact[bool]("never").Of(memory.NewProjectID("/gone")).About("secret.go") // its project is not there
		if err := forgotten.Set(t.Context(), tx, true); err != nil {
			return err
		}
		for name, value := range map[string]string{
			"dream/aside":    fmt.Sprintf(`{"at":1,"crystals":[%q]}`, agents.ID),
			"dream/seed":     `{"at":1,"files":[{"path":"/shop/CLAUDE.md","hash":"h","backup":""}],"pieces":1,"lines":null}`,
			"repository":     `{"roots":["0123456789abcdef0123456789abcdef01234567"],"remote":"git.example/shop"}`,
			"scribe/sent":    `{"latest":[],"months":{"2026-11":900}}`,
			"failures/ended": fmt.Sprintf(`[%q]`, receipt.ID), "scribe/changes": fmt.Sprintf(`[{"at":"2026-11-15T08:00:00Z","session":%q,"added":[%q]}]`, l.Sessions()[0].ID, agents.ID),
		} {
			if err := store.NewFact[json.RawMessage](name).Of(id).Set(t.Context(), tx, json.RawMessage(value)); err != nil {
				return err
			}
		}
		return nil
	}))
}
