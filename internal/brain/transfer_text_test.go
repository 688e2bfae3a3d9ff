package brain

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/store"
)

func textID(n int) memory.CrystalID {
	return memory.CrystalID(memory.DerivedEventID("text", fmt.Sprint(n)))
}

// tells fills a store with crystals, their traces and knowledge.
func (l *lab) tells() {
	l.t.Helper()
	ctx, p := l.t.Context(), l.place.Project()
	l.see(0, l.event(memory.ToolUsed, 0))
	err := l.store.Update(ctx, func(tx *store.Tx) error {
		for i, c := range []memory.Crystal{
			{
				ID: textID(1), Project: p, Kind: memory.Decision, Text: "we use größere Parser, \"not\" regexps", Subject: "the parser", Importance: .7, Valence: -.5,
				Lifecycle: memory.Frozen, Origin: memory.OriginUser, Source: "said", Parents: []memory.CrystalID{textID(2)},
				Anchors: []memory.Anchor{{Path: "a.go", Symbol: "Parse", Commit: "c0ffee", Hash: -7}, {Path: "b.go"}},
				SaidAt:  start.Add(-time.Hour), LastAt: start, Accesses: 3, GapHours: 1.5, Unsure: true,
			},
			{
				ID: textID(2), Kind: memory.Preference, Text: "Ada likes tabs", Lifecycle: memory.Archived, Origin: memory.OriginAgent,
				SaidAt: start.Add(-2 * time.Hour), ValidTo: start.Add(-time.Hour), LastAt: start.Add(-2 * time.Hour),
			},
		} {
			if _, err := tx.AddCrystal(ctx, c, recall.Words(c.Text)); err != nil {
				return err
			}
			traces := []store.Trace{{Crystal: c.ID, At: start.Add(-time.Hour), What: "said", Detail: "by Ada"}, {Crystal: c.ID, What: "used"}}
			if err := tx.Leave(ctx, traces[i:]...); err != nil {
				return err
			}
		}
		for _, project := range []memory.ProjectID{0, p} {
			for _, name := range []string{"Ada", "größe"} {
				_, err := tx.SaveEntity(ctx, memory.Entity{Project: project, Name: name, Type: "person", Origin: memory.OriginAgent, CreatedAt: start.Add(-time.Hour)})
				_, err2 := tx.Observe(ctx, project, name, memory.Observation{Text: "likes " + name, Origin: memory.OriginUser, Confidence: .5, SaidAt: start})
				if err := errors.Join(err, err2); err != nil {
					return err
				}
			}
			if _, err := tx.Relate(ctx, memory.Relation{Project: project, From: "Ada", Type: "knows", To: "größe", CreatedAt: start}); err != nil {
				return err
			}
		}
		_, err := tx.Observe(ctx, p, "Ada", memory.Observation{Text: "left", Origin: memory.OriginAgent, Confidence: 1, SaidAt: start.Add(-time.Hour), ValidTo: start})
		return err
	})
	if err != nil {
		l.t.Fatal(err)
	}
}

func (l *lab) matches(words ...string) (refs []string) {
	l.t.Helper()
	err := l.store.View(l.t.Context(), func(tx *store.Tx) error {
		docs, err := tx.Match(l.t.Context(), store.Expression{All: words}, store.DocumentFilter{})
		for _, d := range docs {
			refs = append(refs, d.Ref)
		}
		return err
	})
	if err != nil {
		l.t.Fatal(err)
	}
	return refs
}

func TestWhatWasSaidIsTakenOverWhole(t *testing.T) {
	home := newLab(t)
	home.tells()
	file := home.exported()
	if !strings.HasPrefix(file, `{"type":"hebb-export","version":2}`+"\n") {
		t.Errorf("an export with texts begins %.60s", file)
	}
	there := newLab(t)
	for range 2 { // twice changes nothing
		there.imports(file, true)
		if got := there.exported(); got != file {
			t.Fatalf("got %s\nwant %s", got, file)
		}
	}
	if got := there.matches(recall.Words("parsers")...); len(got) != 1 || got[0] != string(textID(1)) {
		t.Errorf("found %q", got)
	}
	if got := there.matches(recall.Words("likes größe")...); len(got) != 2 { // in both graphs
		t.Errorf("found %q", got)
	}
	out, err := there.Import(t.Context(), ImportInput{From: strings.NewReader(file), Mine: true})
	if err != nil || out.Crystals != 2 || out.Entities != 4 || out.Relations != 2 || out.Known != out.Events+8 {
		t.Errorf("%+v, %v", out, err)
	}
}

func TestAStrangersTextsAreMarkedAsImported(t *testing.T) {
	home, there := newLab(t), newLab(t)
	home.tells()
	there.imports(home.exported(), false)
	err := there.store.View(t.Context(), func(tx *store.Tx) error {
		crystals, err := tx.Crystals(t.Context(), store.CrystalFilter{})
		for _, c := range crystals {
			if c.Origin != memory.OriginImport || c.Lifecycle == memory.Frozen {
				t.Errorf("crystal %+v", c)
			}
		}
		entities, err2 := tx.Entities(t.Context(), there.place.Project())
		for _, e := range entities {
			for _, o := range e.Observations {
				if o.Origin != memory.OriginImport {
					t.Errorf("%s: %+v", e.Name, o)
				}
			}
		}
		if len(crystals) != 2 || len(entities) != 2 {
			t.Errorf("%d crystals, %d entities", len(crystals), len(entities))
		}
		return errors.Join(err, err2)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestAnExportWithoutTextsIsReadByThoseWhoKnowNone(t *testing.T) {
	l := newLab(t)
	l.see(0, l.event(memory.ToolUsed, 0))
	if file := l.exported(); !strings.HasPrefix(file, exportHeader) {
		t.Errorf("begins %.60s", file)
	}
}

func TestADeletedCrystalDoesNotComeBack(t *testing.T) {
	l := newLab(t)
	l.tells()
	file := l.exported()
	if err := l.store.Update(t.Context(), func(tx *store.Tx) error { return tx.DeleteCrystal(t.Context(), textID(2)) }); err != nil {
		t.Fatal(err)
	}
	l.imports(file, true)
	if got := l.exported(); strings.Contains(got, "likes tabs") || !strings.Contains(got, `"forgot":"`+string(textID(2))) {
		t.Errorf("exported %s", got)
	}
}

func TestDamagedTextsAreRefusedByTheirLine(t *testing.T) {
	id := textID(7)
	good := `{"id":"` + string(id) + `","kind":"fact","text":"x","importance":0.5,"lifecycle":"generated","origin":"user","said_at":"2026-01-01T00:00:00Z","last_at":"2026-01-01T00:00:00Z"`
	for _, c := range []struct{ name, text, says string }{
		{"no JSON", `{"type":"crystal","crystal":{"id":`, "unexpected end"},
		{"no crystal", `{"type":"crystal"}`, "unknown line type"},
		{"another's ID", `{"type":"crystal","crystal":{"id":"../../x"}}`, "event id"},
		{"no kind", `{"type":"crystal","crystal":` + strings.Replace(good, `"fact"`, `"opinion"`, 1) + `}}`, `kind "opinion"`},
		{"no lifecycle", `{"type":"crystal","crystal":` + strings.Replace(good, `"generated"`, `""`, 1) + `}}`, `lifecycle ""`},
		{"no origin", `{"type":"crystal","crystal":` + strings.Replace(good, `"user"`, `"god"`, 1) + `}}`, `origin "god"`},
		{"too important", `{"type":"crystal","crystal":` + strings.Replace(good, `0.5`, `7`, 1) + `}}`, "importance 7"},
		{"blank", `{"type":"crystal","crystal":` + strings.Replace(good, `"x"`, `" "`, 1) + `}}`, "no text"},
		{"no time", `{"type":"crystal","crystal":` + strings.Replace(good, `"said_at"`, `"when"`, 1) + `}}`, "no time"},
		{"a parent that is none", `{"type":"crystal","crystal":` + good + `,"parents":["x"]}}`, "parent"},
		{"an anchor nowhere", `{"type":"crystal","crystal":` + good + `,"anchors":[{"path":""}]}}`, "anchor"},
		{"a trace of nothing", `{"type":"crystal","crystal":` + good + `,"traces":[{"at":"2026-01-01T00:00:00Z"}]}}`, "trace"},
		{"an unknown project", `{"type":"crystal","crystal":` + good + `,"project":"` + memory.NewProjectID("/nowhere").String() + `"}}`, "not found"},
		{"a nameless entity", `{"type":"entity","entity":{"name":" \n"}}`, "needs a name"},
		{"a name too long", `{"type":"entity","entity":{"name":"` + strings.Repeat("n", 801) + `"}}`, "more than 800 bytes"},
		{"an observation of nothing", `{"type":"entity","entity":{"name":"Ada","observations":[{"text":"","origin":"user"}]}}`, "observation"},
		{"a relation to nobody", `{"type":"relation","relation":{"from":"Ada","to":"Bob","relationType":"knows"}}`, "not found"},
	} {
		l := newLab(t)
		before := l.exported()
		_, err := l.Import(t.Context(), ImportInput{From: strings.NewReader(exportHeader + "\n" + c.text + "\n"), Mine: true})
		if err == nil || !strings.Contains(err.Error(), "line 3: ") || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", c.name, err)
		}
		if got := l.exported(); got != before {
			t.Errorf("%s left %s", c.name, got)
		}
	}
	l := newLab(t)
	l.imports(exportHeader+`{"type":"crystal","crystal":`+good+`}}`, true)
	if got := l.matches("x"); len(got) > 1 {
		t.Errorf("found %q", got)
	}
}

func TestSecretsInTextsOfAFileAreTakenOut(t *testing.T) {
	const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
	home := newLab(t)
	home.tells()
	file := strings.NewReplacer("größere Parser", "größere "+secret, `"source":"said"`, `"source":"`+secret+`"`, "by Ada", secret, "likes Ada", "likes "+secret,
		`"name":"größe"`, `"name":"`+secret+`"`, `"to":"größe"`, `"to":"`+secret+`"`, `"symbol":"Parse"`, `"symbol":"`+secret+`"`, `"path":"b.go"`, `"path":"`+secret+`"`,
		`"the parser"`, `"`+secret+`"`, `"knows"`, `"`+secret+`"`, `"person"`, `"`+secret+`"`).Replace(home.exported())
	for _, mine := range []bool{true, false} {
		there := newLab(t)
		there.imports(file, mine)
		if got := there.exported(); strings.Contains(got, secret) || !strings.Contains(got, "größere") {
			t.Errorf("mine %v: exported %s", mine, got)
		}
		if got := there.matches(recall.Words(secret)...); len(got) != 0 {
			t.Errorf("mine %v: the secret finds %q", mine, got)
		}
	}
}

func TestTheWordsOfAForgottenTurnAreNoLongerBesideOthers(t *testing.T) {
	l := newLab(t)
	turn := func(minute float64, text string) memory.Event {
		e := l.event(memory.Prompted, minute)
		e.Text = text
		return e
	}
	first, secret, last := turn(0, "mend parser"), turn(1, "zanzibar password"), turn(2, "build cache")
	l.see(3, first, secret, last)
	if _, err := l.indexTexts(t.Context(), 0, nil); err != nil {
		t.Fatal(err)
	}
	if got := l.matches(recall.Words("zanzibar")...); len(got) != 3 {
		t.Fatalf("found %q", got)
	}
	if _, err := Run(t.Context(), l.Brain, Forget, ForgetInput{IDs: []memory.EventID{secret.ID}, Apply: true}); err != nil {
		t.Fatal(err)
	}
	if got := l.matches(recall.Words("zanzibar")...); len(got) != 0 {
		t.Errorf("found %q", got)
	}
	if got := l.matches(recall.Words("parser cache")...); len(got) != 2 { // now they stand side by side
		t.Errorf("found %q", got)
	}
}

func TestAStrangersGoalIsToldOnlyOnceThisPersonSpeaksOfIt(t *testing.T) {
	t.Parallel()
	const title = "Rewrite the billing exporter in the new style"
	home, there := newLab(t), newLab(t)
	home.see(1, home.asked("one", "look around", 0))
	if _, err := Run(t.Context(), home.Brain, AddGoal, GoalInput{Scope: home.scope(), Title: title}); err != nil {
		t.Fatal(err)
	}
	if start := home.begin(ContextInput{Scope: home.scope(), Mode: "full"}); !strings.Contains(start.Text, title) {
		t.Fatalf("its own goal is not told: %s", start.Text)
	}
	there.imports(home.exported(), false)
	if start := there.begin(ContextInput{Scope: there.scope(), Mode: "full"}); strings.Contains(start.Text, title) {
		t.Errorf("a stranger's goal is told: %s", start.Text)
	}
	there.see(60, there.asked("two", "let us rewrite the billing exporter in the new style today", 50))
	if start := there.begin(ContextInput{Scope: there.scope(), Mode: "full"}); !strings.Contains(start.Text, title) {
		t.Errorf("a goal that this person spoke of is not told: %s", start.Text)
	}
}
