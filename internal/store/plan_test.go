package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/store/sqlite"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// What runs for every event, every prompt or every drain must find its rows by an index: a plan that reads a whole
// table is fast in every test and slow for the user with a year of memories.
func TestHotStatementsUseTheirIndexes(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "hebb.db")
	start := time.Date(2026, 11, 15, 8, 0, 0, 0, time.UTC)
	s, err := sqlite.Open(t.Context(), sqlite.Options{Path: path, Tuning: tuning.Default().Store, Now: func() time.Time { return start }})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	db := must.Get(sql.Open("sqlite", path))(t)
	defer func() { _ = db.Close() }()
	ctx := t.Context()
	p := memory.NewProjectID("/p")
	session := memory.Session{ID: 7, Project: p, Agent: "a", AgentSession: "s", OpenedAt: start, LastEventAt: start}
	event := memory.StoredEvent{Event: memory.Event{ID: "e", At: start, Touches: []memory.Touch{
		{Kind: memory.Edit, Path: "f"}, {Kind: memory.Edit, Path: "g"},
	}}, Project: p}
	synapse := store.NewSynapse(p, memory.OriginAgent,
		memory.NewNeuronID(p, memory.FileNeuron, "f"), memory.NewNeuronID(p, memory.FileNeuron, "g"))
	document := store.Document{Ref: "ref", Project: p, At: start, Path: "a.go", Words: []string{"mend", "the", "login"}, Session: 7}
	other := store.Document{Ref: "other", At: start, Words: []string{"mend"}}
	crystal := memory.Crystal{ID: "0a", Project: p, Text: "x", Subject: "x", Anchors: []memory.Anchor{{Path: "a.go"}}, SaidAt: start, LastAt: start}
	byWords := []string{"SCAN document_words VIRTUAL TABLE INDEX", "SEARCH document USING INTEGER PRIMARY KEY (rowid=?)"}
	passing := memory.NewProjectID("/passing") // to be forgotten
	graph := store.Graph{Project: p}
	var seq int64
	only := func(_ any, err error) error { return err }
	none := func(_, _ any, err error) error { return err }
	stub := func(store.Stub) error { return nil }
	must.Do(t, s.Update(ctx, func(tx *store.Tx) error {
		if err := tx.SeeProject(ctx, memory.Project{ID: p, Identity: "/p", FirstAt: start, LastAt: start}); err != nil {
			return err
		}
		if err := tx.SaveSession(ctx, session); err != nil {
			return err
		}
		if seq, err = tx.InsertEvent(ctx, event, tx.CountAccess); err != nil {
			return err
		}
		err = tx.SeeProject(ctx, memory.Project{ID: passing, Identity: "/passing", FirstAt: start, LastAt: start})
		if err != nil {
			return err
		}
		e := event
		e.ID, e.Project, e.Session = "passing", passing, 8
		if err := tx.SaveSession(ctx, memory.Session{ID: 8, Project: passing, Agent: "a", AgentSession: "t", OpenedAt: start, LastEventAt: start}); err != nil {
			return err
		}
		document.EventSeq = seq
		return errors.Join(only(tx.InsertEvent(ctx, e, tx.CountAccess)), only(tx.SaveBlock(ctx, p, 1, 1, nil)),
			only(tx.AddDocuments(ctx, []store.Document{document})), only(tx.AddCrystal(ctx, crystal, []string{"x"})))
	}))
	for _, c := range []struct {
		name string
		run  func(tx *store.Tx) error
		want []string // each somewhere in the plans: what hooks and prompts wait for has its index named
	}{
		{"only file named", func(tx *store.Tx) error { return only(tx.OnlyFileNamed(ctx, p, "a/b.go")) },
			[]string{"SEARCH neuron USING INDEX neuron_by_base (project_id=? AND <expr>=?)"}},
		{"known", func(tx *store.Tx) error { return only(tx.Known(ctx, "e")) },
			[]string{"SEARCH event USING COVERING INDEX sqlite_autoindex_event_1", "SEARCH fact USING PRIMARY KEY (name=? AND project_id=? AND subject=?)"}},
		{"one event with its touches", func(tx *store.Tx) error { return only(tx.Events(ctx, store.EventFilter{ID: "e"})) },
			[]string{"sqlite_autoindex_event_1", "SEARCH access USING INDEX sqlite_autoindex_access_1", "SEARCH neuron USING INTEGER PRIMARY KEY"}},
		{"events of a project", func(tx *store.Tx) error {
			return only(tx.Events(ctx, store.EventFilter{Project: p, Since: start, Limit: 5}))
		}, []string{"SEARCH event USING INDEX event_by_project (project_id=? AND at>?)"}},
		{"events of a session", func(tx *store.Tx) error { return only(tx.Events(ctx, store.EventFilter{Session: 7, Limit: 5})) },
			[]string{"SEARCH event USING INDEX event_by_session (session_id=?)"}},
		{"quiet sessions", func(tx *store.Tx) error { return only(tx.QuietSessions(ctx, start, start)) },
			[]string{"session_open"}},
		{"sessions of a run", func(tx *store.Tx) error { return only(tx.SessionsOfRun(ctx, "a", "s")) },
			[]string{"session_by_agent (agent_session=? AND agent=?)"}},
		{"runs of a command", func(tx *store.Tx) error {
			return only(tx.RunsOf(ctx, 7, memory.Event{Input: "go test ./..."}, 5))
		}, []string{"event_by_command (project_id=? AND command=?)"}},
		{"the synapses of a neuron", func(tx *store.Tx) error {
			return only(tx.StrongestSynapses(ctx, store.SynapseFilter{Neuron: 7}))
		}, []string{"scaled USING PRIMARY KEY (a=?)", "synapse_by_b (b=?)"}},
		{"the blocks of a project", func(tx *store.Tx) error { return only(tx.BlockVersions(ctx, p, 3)) },
			[]string{"block_by_version (project_id=? AND version>?)"}},
		{"the suggestions of a session", func(tx *store.Tx) error {
			return only(tx.Suggestions(ctx, store.SuggestionFilter{Session: 7, Pending: true}))
		}, []string{"suggestion_by_session (session_id=?)"}},
		{"the touches of a session", func(tx *store.Tx) error { return only(tx.SessionTouches(ctx, 7, 1, 5)) }, []string{
			"event_by_session (session_id=? AND ord>?)", "sqlite_autoindex_access_1 (event_seq=?)",
			"SEARCH neuron USING INTEGER PRIMARY KEY",
		}},
		{"companions", func(tx *store.Tx) error { return only(tx.Companions(ctx, 7, 5)) }, []string{
			"synapse USING PRIMARY KEY (a=?)", "synapse_by_b (b=?)", "SEARCH neuron USING INTEGER PRIMARY KEY",
		}},
		{"one synapse", func(tx *store.Tx) error {
			if _, err := tx.Synapse(ctx, 5, 7); !errors.Is(err, memory.ErrNotFound) {
				return err
			}
			return nil
		}, nil},
		{"full text", func(tx *store.Tx) error {
			return only(tx.Match(ctx, store.Expression{Any: []string{"mend", "login"}}, store.DocumentFilter{Limit: 5}))
		}, byWords},
		{"replacing a document", func(tx *store.Tx) error {
			changed := document
			changed.Words = []string{"other"}
			return only(tx.AddDocuments(ctx, []store.Document{changed}))
		}, nil},
		{"how common words are", func(tx *store.Tx) error {
			return only(tx.Frequency(ctx, memory.GroupMemory, []string{"mend", "login", "x"}))
		},
			[]string{"SEARCH term USING INTEGER PRIMARY KEY (rowid=?)"}},
		{"documents by number", func(tx *store.Tx) error {
			f := store.DocumentFilter{Projects: []memory.ProjectID{p}, Kinds: []string{"fact"}, Since: start}
			return tx.StubsByID(ctx, []int64{1, 2, 3}, f, stub)
		}, []string{"SEARCH document USING INTEGER PRIMARY KEY"}},
		{"meanings", func(tx *store.Tx) error {
			return errors.Join(tx.SetVectors(ctx, "x", []store.DocumentVector{{Document: 1, Vector: memory.Vector{1}}}),
				tx.EachVector(ctx, "x", 1, func(store.DocumentVector) error { return nil }), only(tx.CountVectors(ctx, "x")))
		}, nil},
		{"what was said", func(tx *store.Tx) error { return only(tx.SaidBetween(ctx, 7, 5, 9)) },
			[]string{"event_by_session (session_id=? AND ord>? AND ord<?)"}},
		{"crystals of documents", func(tx *store.Tx) error {
			return only(tx.Crystals(ctx, store.CrystalFilter{Documents: []int64{1, 2, 3}, Current: true}))
		}, []string{"sqlite_autoindex_memory_2 (document_id=?)"}},
		{"the latest statements", func(tx *store.Tx) error {
			return only(tx.Crystals(ctx, store.CrystalFilter{Projects: []memory.ProjectID{p}, Kinds: []memory.CrystalKind{memory.Rule, memory.Decision}, Limit: 5}))
		}, []string{"memory_by_project (project_id=? AND kind=?)"}},
		{"what was heard", func(tx *store.Tx) error {
			kinds := []memory.CrystalKind{memory.Fact}
			return only(tx.Crystals(ctx, store.CrystalFilter{Kinds: kinds, Heard: true, SaidSince: start, Limit: 5}))
		}, nil},
		{"what is said of files", func(tx *store.Tx) error { return only(tx.AboutFiles(ctx, p, []string{"a.go"}, 3)) },
			[]string{"anchor_by_project (project_id=? AND path=?)"}},
		{"whether anything is said of the code", func(tx *store.Tx) error {
			return errors.Join(only(tx.AnyAnchored(ctx, p)), only(tx.AnchoredPaths(ctx, p)), only(tx.CrystalsAfter(ctx, 1, 5)), only(tx.VectorsOf(ctx, "x", []int64{1, 2})))
		}, []string{
			"SEARCH anchor USING COVERING INDEX anchor_by_project (project_id=?)", "sqlite_autoindex_memory_2 (document_id>?)", "(space=? AND document_id=?)",
		}},
		{"an entity", func(tx *store.Tx) error {
			_, err := tx.SaveEntity(ctx, memory.Entity{Project: p, Name: "a"})
			_, err2 := tx.Observe(ctx, p, "a", memory.Observation{Text: "x"})
			_, err3 := tx.Relate(ctx, memory.Relation{Project: p, From: "a", To: "a"})
			return errors.Join(err, err2, err3, only(tx.Unobserve(ctx, p, "a", "x")),
				only(tx.Unrelate(ctx, memory.Relation{Project: p, From: "a", To: "a"})))
		}, nil},
		{"the others", func(tx *store.Tx) error {
			return errors.Join(
				only(tx.CountEvents(ctx, store.EventFilter{Since: start})),
				only(tx.Sessions(ctx, store.SessionFilter{Project: p, Limit: 5})),
				only(tx.Session(ctx, 7)),
				only(tx.NumberEvents(ctx, 7, 1)),
				only(tx.CommandsBefore(ctx, memory.StoredEvent{Session: 7, Ord: 9}, 5)),
				only(tx.EventsAfter(ctx, memory.StoredEvent{Session: 7, Ord: 9}, 5)),
				only(tx.FirstPrompt(ctx, 7)),
				only(tx.Neurons(ctx, store.NeuronFilter{Project: p, Kind: memory.FileNeuron, Limit: 5})),
				only(tx.Neurons(ctx, store.NeuronFilter{Project: p, Diminished: true, Order: store.ByIgnored})),
				only(tx.CountNeurons(ctx, p)),
				only(tx.Neuron(ctx, synapse.A)),
				tx.SaveStrength(ctx, store.Strength{Standing: 1}),
				only(tx.StrongestSynapses(ctx, store.SynapseFilter{Project: p, Neuron: 7, Limit: 5})),
				only(tx.StrongestSynapses(ctx, store.SynapseFilter{Project: p, Limit: 5})),
				only(tx.StrongestSynapses(ctx, store.SynapseFilter{Project: p, Origin: memory.OriginRepo})),
				only(tx.CountSynapses(ctx, p)),
				tx.DeleteSynapse(ctx, 5, 7),
				tx.SaveSynapses(ctx, []store.Synapse{synapse}),
				only(tx.PastVersion(ctx, p)),
				only(tx.SaveBlock(ctx, p, 1, 1, nil)),
				tx.MeetError(ctx, seq, event, "oops", tx.CountAccess),
				tx.InsertSuggestion(ctx, seq, memory.Suggestion{ID: "s", Project: p, ShownAt: start}),
				tx.SettleSuggestion(ctx, "s", memory.Used, start),
				only(tx.Suggestions(ctx, store.SuggestionFilter{ID: "s"})),
				only(tx.Suggestions(ctx, store.SuggestionFilter{Project: p, Since: start, Limit: 5})),
				only(tx.CommandsSince(ctx, p, start)),
				only(tx.Fixed(ctx, p, start, 5)),
				only(tx.Fixed(ctx, 0, start, 5)),
				only(tx.LatestTools(ctx, p, 0, 5)),
				only(tx.LatestTools(ctx, p, 7, 5)),
				only(tx.PromptBefore(ctx, 7, start)),
				only(tx.CountSuggestions(ctx, p)),
				only(tx.PastBytes(ctx, p)),
				only(tx.StrongestSynapses(ctx, store.SynapseFilter{Project: p, Living: true, Limit: 5})),
				errors.Join(only(tx.LearnedOrd(ctx, 7)), tx.SetLearnedOrd(ctx, 7, 1)),
				only(tx.ProjectEvents(ctx, p, 1, 5)),
				only(tx.SessionsBefore(ctx, p, start, 5)),
				only(tx.EventBySeq(ctx, seq)),
				only(tx.EventTexts(ctx, []int64{seq})),
				only(tx.ProjectsOf(ctx, store.EventFilter{Session: 7})),
				only(tx.LogOf(ctx, p, 5)),
				only(tx.Suspects(ctx, graph, plasticity.Suspect{})),
				only(tx.Severed(ctx, graph, start)),
				only(tx.LoneNeurons(ctx, graph, 1, 1, 1)),
				only(tx.UnsteadyFiles(ctx, graph, store.Unsteady{Busy: 1, Rare: 1, Myelin: 1, Today: 1})),
				only(tx.FilesToReview(ctx, graph, 1, start, 1)),
				only(tx.ExpireTags(ctx, p, start, 5)),
				only(tx.SampleWeights(ctx, p, 5, 5)),
				none(tx.SampleFiles(ctx, p, 5, 5)),
				only(tx.RecentAccesses(ctx, p, start, 5)),
				none(tx.NewEvidence(ctx, 5)),
				only(tx.SynapsesOf(ctx, []plasticity.Pair{{5, 7}, {5, 9}, {7, 8}})),
				only(tx.NeuronsByID(ctx, []memory.NeuronID{7, 9})),
				tx.Linked(ctx, plasticity.Pair{5, 7}),
				tx.Prune(ctx, store.Gone{A: 5, B: 7, Project: p, Synapse: &synapse}, store.Gone{A: 9, Project: p, Neuron: &store.Strength{Neuron: memory.Neuron{ID: 9, Project: p}}}),
				only(tx.ListGone(ctx, store.GoneFilter{Project: p, Limit: 5})),
				only(tx.ListGone(ctx, store.GoneFilter{Neuron: 7})),
				only(tx.ListGone(ctx, store.GoneFilter{Before: start, Whole: true})),
				only(tx.AnyForgotten(ctx, p)),
				only(tx.ForgottenAt(ctx, 5, 7)),
				only(tx.CloseForgotten(ctx, start, 5)),
				only(tx.Packable(ctx, p, start, start, 5)),
				only(tx.Pack(ctx, 7)),
				only(tx.Unpack(ctx, p, 5)),
				only(tx.InPack(ctx, memory.StoredEvent{Event: memory.Event{ID: "e", Kind: memory.ToolUsed}, Session: 7})),
				only(tx.Kept(ctx, p, 5)),
				only(tx.Vacate(ctx, memory.NewProjectID("/nowhere"), 5)),
				errors.Join(only(tx.TakeLease(ctx, "sleep", "me", "", time.Minute)), tx.EndLease(ctx, "sleep", "me")),
				errors.Join(only(tx.BeginSleep(ctx, "asked")), tx.EndSleep(ctx, 1, "{}", 5)),
				errors.Join(tx.SetRates(ctx, plasticity.Rates{}), tx.SetRegister(ctx, p, 0, 0), only(tx.Balance(ctx, p)), only(tx.Registers(ctx, p))),
				only(tx.ProjectsNamed(ctx, "x")),
				only(tx.Match(ctx, store.Expression{All: []string{"mend"}, Phrases: [][]string{{"the", "login"}}}, store.DocumentFilter{
					Projects: []memory.ProjectID{p, 0}, Kinds: []string{"fact"}, Without: []string{"commit"}, Paths: []string{"src", "*.go"}, Since: start, Until: start, Session: 7, Limit: 5,
				})),
				only(tx.AddDocuments(ctx, []store.Document{document, other})),
				only(tx.DocumentsByRef(ctx, "ref")),
				tx.LatestStubs(ctx, store.DocumentFilter{Session: 7, Limit: 5}, stub),
				tx.LatestStubs(ctx, store.DocumentFilter{Projects: []memory.ProjectID{p}, Session: 7, Limit: 5}, stub),
				tx.LatestStubs(ctx, store.DocumentFilter{Projects: []memory.ProjectID{p}, Paths: []string{"src/a.go"}, Limit: 5}, stub),
				tx.LatestStubs(ctx, store.DocumentFilter{Projects: []memory.ProjectID{p}, Kinds: []string{"fact"}, Since: start, Limit: 5}, stub),
				only(tx.CountDocuments(ctx, p)),
				only(tx.EventsWithText(ctx, 1, 5)),
				errors.Join(only(tx.Prompts(ctx, p, start, 5)), only(tx.Prompts(ctx, 0, start, 5))),
				only(tx.EditedBetween(ctx, 7, 1, 5, 5)),
				errors.Join(only(tx.Sources(ctx, p)), tx.SaveSource(ctx, p, store.Source{Path: "a"}), tx.DropSource(ctx, p, "a", "snippet")),
				only(tx.LinesOf(ctx, []int64{1, 2})),
				only(tx.Crystal(ctx, crystal.ID)),
				tx.SaveCrystal(ctx, crystal),
				only(tx.Crystals(ctx, store.CrystalFilter{Prefix: "0a"})),
				only(tx.Crystals(ctx, store.CrystalFilter{Hash: 7, Projects: []memory.ProjectID{p}, Current: true})),
				only(tx.Crystals(ctx, store.CrystalFilter{Subject: "x", Projects: []memory.ProjectID{p}, Current: true})),
				only(tx.Crystals(ctx, store.CrystalFilter{Path: "a.go", Projects: []memory.ProjectID{p}})),
				only(tx.Rejected(ctx, []memory.ProjectID{p, 0})),
				only(tx.Crystals(ctx, store.CrystalFilter{SaidBefore: start, OldestFirst: true, Limit: 5})),
				only(tx.Misses(ctx, []memory.CrystalID{"a"})),
				only(tx.Answers(ctx, []memory.CrystalID{"a"})),
				errors.Join(tx.Leave(ctx, store.Trace{Crystal: crystal.ID}), only(tx.Traces(ctx, crystal.ID))),
				errors.Join(only(tx.Entities(ctx, p)), only(tx.Relations(ctx, p))),
				tx.Drop(ctx, crystal.ID),
				none(tx.Forget(ctx, store.EventFilter{Session: 7})),
			)
		}, nil},
		{"forgetting all of a project", func(tx *store.Tx) error {
			gone, _, err := tx.Forget(ctx, store.EventFilter{Project: passing})
			if gone.Files != 2 || gone.Projects != 1 {
				t.Errorf("gone: %+v", gone)
			}
			return err
		}, []string{
			"access_by_neuron (neuron_id=?)", "synapse_by_b (b=?)", "block_by_version (project_id=?)", "forgotten_by_b (b=?)",
			"document_by_session (session_id=?)", "document_by_project (project_id=?)",
		}},
	} {
		var plans string
		err := s.Update(ctx, func(tx *store.Tx) error {
			if err := c.run(tx); err != nil {
				return err
			}
			plans = ""
			for _, statement := range tx.Statements() {
				// An index of the open sessions alone may be read whole: there are few.
				one := strings.ReplaceAll(plan(ctx, t, db, statement), "SCAN session USING INDEX session_open", "session_open")
				for _, table := range store.Tables() {
					if table.Name != "totals" && regexp.MustCompile(`SCAN `+table.Name+`\s`).MatchString(one) { // which has one row
						t.Errorf("%s: %s reads all of %s:\n%s", c.name, statement, table.Name, one)
					}
				}
				plans += one
			}
			return nil
		})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		for _, want := range c.want {
			if !strings.Contains(plans, want) {
				t.Errorf("%s: no %q in\n%s", c.name, want, plans)
			}
		}
	}
}

// A row that others may refer to is deleted or refused by looking for them: without an index each such look reads their
// whole table, and no plan shows it.
func TestEveryReferenceHasAnIndex(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "hebb.db")
	s := must.Get(sqlite.Open(t.Context(), sqlite.Options{Path: path, Tuning: tuning.Default().Store, Now: time.Now}))(t)
	defer func() { _ = s.Close() }()
	db := must.Get(sql.Open("sqlite", path))(t)
	defer func() { _ = db.Close() }()
	references, err := db.QueryContext(t.Context(), `SELECT child.name, reference."from" FROM sqlite_schema AS child
		JOIN pragma_foreign_key_list(child.name) AS reference WHERE child.type = 'table' AND reference.seq = 0 AND NOT EXISTS (
			SELECT 1 FROM pragma_index_list(child.name) AS list JOIN pragma_index_info(list.name) AS part
			WHERE list.partial = 0 AND part.seqno = 0 AND part.name = reference."from")
		AND NOT EXISTS (SELECT 1 FROM pragma_table_info(child.name) AS key WHERE key.pk = 1 AND key.name = reference."from" AND key.type = 'INTEGER'
			AND child.sql NOT LIKE '%WITHOUT ROWID%')`)
	must.Do(t, err)
	defer func() { _ = references.Close() }()
	for references.Next() {
		var table, column string
		must.Do(t, references.Scan(&table, &column))
		t.Errorf("no index begins with %s.%s", table, column)
	}
	must.Do(t, references.Err())
}

func plan(ctx context.Context, t *testing.T, db *sql.DB, statement string) (lines string) {
	t.Helper()
	rows, err := db.QueryContext(ctx, `EXPLAIN QUERY PLAN `+statement, make([]any, strings.Count(statement, "?"))...)
	if err != nil {
		t.Fatalf("explain %s: %v", statement, err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var id, parent, unused int
		var detail string
		must.Do(t, rows.Scan(&id, &parent, &unused, &detail))
		lines += detail + "\n"
	}
	must.Do(t, rows.Err())
	return lines
}

func TestTheLatestOfASessionCostsTheSameHoweverLongItIs(t *testing.T) { //nolint:paralleltest // allocations are counted
	start := time.Date(2026, 11, 15, 8, 0, 0, 0, time.UTC)
	ctx, p := t.Context(), memory.NewProjectID("/p")
	s := must.Get(sqlite.Open(ctx, sqlite.Options{
		Path: filepath.Join(t.TempDir(), "hebb.db"), Tuning: tuning.Default().Store, Now: func() time.Time { return start },
	}))(t)
	defer func() { _ = s.Close() }()
	cost := func(id memory.SessionID, length int) float64 {
		t.Helper()
		err := s.Update(ctx, func(tx *store.Tx) error {
			err := errors.Join(tx.SeeProject(ctx, memory.Project{ID: p, Identity: "/p", FirstAt: start, LastAt: start}),
				tx.SaveSession(ctx, memory.Session{ID: id, Project: p, Agent: "a", AgentSession: fmt.Sprint(id), OpenedAt: start, LastEventAt: start}))
			for i := range length {
				e := memory.StoredEvent{Event: memory.Event{
					ID: memory.EventID(fmt.Sprintf("%d %d", id, i)), At: start.Add(time.Duration(i) * time.Minute), Kind: memory.ToolUsed, Origin: memory.OriginTool,
					Touches: []memory.Touch{{Kind: memory.Edit, Path: "f"}, {Kind: memory.Read, Path: "g"}},
				}, Project: p, Session: id, Ord: int64(i)}
				_, failed := tx.InsertEvent(ctx, e, tx.CountAccess)
				err = errors.Join(err, failed)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		var latest []memory.StoredEvent
		allocations := testing.AllocsPerRun(5, func() {
			err = s.View(ctx, func(tx *store.Tx) (err error) {
				latest, err = tx.Events(ctx, store.EventFilter{Session: id, Since: start.Add(time.Duration(length-3) * time.Minute)})
				return err
			})
		})
		if err != nil || len(latest) != 3 || len(latest[0].Touches) != 2 || latest[2].Touches[1].Path != "g" {
			t.Fatalf("%+v, %v: want three events with their two touches", latest, err)
		}
		return allocations
	}
	if short, long := cost(1, 20), cost(2, 400); long > 2*short {
		t.Errorf("the latest three events cost %.0f allocations in a session of 20 events and %.0f in one of 400", short, long)
	}
}
