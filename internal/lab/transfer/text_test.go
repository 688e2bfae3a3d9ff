package transfer_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/forget"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/texts"
	"github.com/hebb-memory/hebb/internal/transfer"
	"github.com/hebb-memory/hebb/internal/vocab"
)

func TestWhatWasSaidIsTakenOverWhole(t *testing.T) {
	home := braintest.NewLab(t)
	home.FillTexts()
	file := home.Exported()
	if !strings.HasPrefix(file, `{"type":"hebb-export","version":2}`+"\n") {
		t.Errorf("an export with texts begins %.60s", file)
	}
	there := braintest.NewLab(t)
	for range 2 { // twice changes nothing
		there.Imports(file, true)
		if got := there.Exported(); got != file {
			t.Fatalf("got %s\nwant %s", got, file)
		}
	}
	if got := there.Matches(vocab.Words("parsers")...); len(got) != 1 || got[0] != string(braintest.TextID(1)) {
		t.Errorf("found %q", got)
	}
	if got := there.Matches(vocab.Words("likes größe")...); len(got) != 2 { // in both graphs
		t.Errorf("found %q", got)
	}
	out, err := transfer.Import(t.Context(), there.Brain, transfer.ImportInput{From: strings.NewReader(file), Mine: true})
	if err != nil || out.Crystals != 2 || out.Entities != 4 || out.Relations != 2 || out.Known != out.Events+8 {
		t.Errorf("%+v, %v", out, err)
	}
}

func TestAStrangersTextsAreMarkedAsImported(t *testing.T) {
	home, there := braintest.NewLab(t), braintest.NewLab(t)
	home.FillTexts()
	there.Imports(home.Exported(), false)
	must.Do(t, there.Store.View(t.Context(), func(tx *store.Tx) error {
		crystals, err := tx.Crystals(t.Context(), store.CrystalFilter{})
		for _, c := range crystals {
			if c.Origin != memory.OriginImport || c.Lifecycle == memory.Frozen {
				t.Errorf("crystal %+v", c)
			}
		}
		entities, err2 := tx.Entities(t.Context(), there.Place.Project())
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
	}))
}

func TestADeletedCrystalDoesNotComeBack(t *testing.T) {
	l := braintest.NewLab(t)
	l.FillTexts()
	file := l.Exported()
	must.Do(t, l.Store.Update(t.Context(), func(tx *store.Tx) error { return tx.Drop(t.Context(), braintest.TextID(2)) }))
	l.Imports(file, true)
	if got := l.Exported(); strings.Contains(got, "likes tabs") || !strings.Contains(got, `"forgot":"`+string(braintest.TextID(2))) {
		t.Errorf("exported %s", got)
	}
}

func TestDamagedTextsAreRefusedByTheirLine(t *testing.T) {
	id := braintest.TextID(7)
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
		l := braintest.NewLab(t)
		before := l.Exported()
		_, err := transfer.Import(t.Context(), l.Brain, transfer.ImportInput{From: strings.NewReader(exportHeader + "\n" + c.text + "\n"), Mine: true})
		if err == nil || !strings.Contains(err.Error(), "line 3: ") || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", c.name, err)
		}
		if got := l.Exported(); got != before {
			t.Errorf("%s left %s", c.name, got)
		}
	}
	l := braintest.NewLab(t)
	l.Imports(exportHeader+`{"type":"crystal","crystal":`+good+`}}`, true)
	if got := l.Matches("x"); len(got) > 1 {
		t.Errorf("found %q", got)
	}
}

func TestSecretsInTextsOfAFileAreTakenOut(t *testing.T) {
	const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
	home := braintest.NewLab(t)
	home.FillTexts()
	file := strings.NewReplacer("größere Parser", "größere "+secret, `"source":"said"`, `"source":"`+secret+`"`, "by Ada", secret, "likes Ada", "likes "+secret,
		`"name":"größe"`, `"name":"`+secret+`"`, `"source":"größe"`, `"source":"`+secret+`"`, `"symbol":"Parse"`, `"symbol":"`+secret+`"`, `"path":"b.go"`, `"path":"`+secret+`"`,
		`"the parser"`, `"`+secret+`"`, `"knows"`, `"`+secret+`"`, `"person"`, `"`+secret+`"`).Replace(home.Exported())
	for _, mine := range []bool{true, false} {
		there := braintest.NewLab(t)
		there.Imports(file, mine)
		if got := there.Exported(); strings.Contains(got, secret) || !strings.Contains(got, "größere") {
			t.Errorf("mine %v: exported %s", mine, got)
		}
		if got := there.Matches(vocab.Words(secret)...); len(got) != 0 {
			t.Errorf("mine %v: the secret finds %q", mine, got)
		}
	}
}

func TestTheWordsOfAForgottenTurnAreNoLongerBesideOthers(t *testing.T) {
	l := braintest.NewLab(t)
	turn := func(minute float64, text string) memory.Event {
		e := l.Event(memory.Prompted, minute)
		e.Text = text
		return e
	}
	first, secret, last := turn(0, "fix parser"), turn(1, "zanzibar password"), turn(2, "build cache")
	l.See(3, first, secret, last)
	must.Get(texts.Index(t.Context(), l.Brain, 0, nil))(t)
	if got := l.Matches(vocab.Words("zanzibar")...); len(got) != 3 {
		t.Fatalf("found %q", got)
	}
	must.Get(steward.Run(t.Context(), l.Brain, steward.Forget, forget.ForgetInput{IDs: []memory.EventID{secret.ID}, Apply: true}))(t)
	if got := l.Matches(vocab.Words("zanzibar")...); len(got) != 0 {
		t.Errorf("found %q", got)
	}
	if got := l.Matches(vocab.Words("parser cache")...); len(got) != 2 { // now they stand side by side
		t.Errorf("found %q", got)
	}
}

func TestAStrangersGoalIsShownOnlyOnceThisPersonMentionsIt(t *testing.T) {
	t.Parallel()
	const title = "Rewrite the billing exporter in the new style"
	home, there := braintest.NewLab(t), braintest.NewLab(t)
	home.See(1, home.Asked("one", "look around", 0))
	must.Get(steward.Run(t.Context(), home.Brain, goals.AddGoal, goals.GoalInput{Scope: home.Scope(), Title: title}))(t)
	if start := home.Begin(answer.ContextInput{Scope: home.Scope(), Mode: "full"}); !strings.Contains(start.Text, title) {
		t.Fatalf("its own goal is not shown: %s", start.Text)
	}
	there.Imports(home.Exported(), false)
	if start := there.Begin(answer.ContextInput{Scope: there.Scope(), Mode: "full"}); strings.Contains(start.Text, title) {
		t.Errorf("a stranger's goal is shown: %s", start.Text)
	}
	there.See(60, there.Asked("two", "let us rewrite the billing exporter in the new style today", 50))
	if start := there.Begin(answer.ContextInput{Scope: there.Scope(), Mode: "full"}); !strings.Contains(start.Text, title) {
		t.Errorf("a goal that this person mentioned is not shown: %s", start.Text)
	}
}
