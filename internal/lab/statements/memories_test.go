package statements_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/forget"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
)

// memories is a library in which the person typed prompts.
type memories struct{ *braintest.Library }

func newMemories(t *testing.T) memories {
	t.Helper()
	l := braintest.NewLibrary(t)
	place := must.Get(brain.PlaceAt(l.Config, l.Dir))(t)
	l.Place = place
	l.Config.Listen.Off = true // the tests say what is heard
	return memories{l}
}

// heard is a crystal as listening to a prompt makes it.
func (m memories) heard(text string, change ...func(*memory.Crystal)) memory.Crystal {
	m.T.Helper()
	prompt := m.Prompt("run", text+", please")
	m.Observe(prompt)
	m.See(m.Clock.Sub(braintest.Start).Minutes())
	c := memory.Crystal{
		Project: m.Place.Project(), Kind: memory.Rule, Text: text, Origin: memory.OriginUser, Source: statements.PromptSource + string(prompt.ID),
		Session: memory.NewSessionID(prompt.Agent, "run", m.Place.Project()), Heard: .8, Lifecycle: memory.Generated, SaidAt: m.Clock,
		Anchors: []memory.Anchor{{Path: "a.go", AtHand: true}},
	}
	for _, f := range change {
		f(&c)
	}
	must.Do(m.T, m.Store.Update(m.T.Context(), func(tx *store.Tx) error {
		kept, err := statements.AddCrystal(m.T.Context(), tx, c)
		c = kept.Crystal
		return err
	}))
	return c
}

func (m memories) list(in statements.MemoriesInput) (texts []string) {
	m.T.Helper()
	if in.Scope == (brain.Scope{}) {
		in.Scope = m.Scope()
	}
	for _, c := range braintest.Must(m.Lab, statements.Memories, in) {
		text := c.Text
		if c.State != "" {
			text += " (" + c.State + ")"
		}
		texts = append(texts, text)
	}
	return texts
}

func (m memories) lists(in statements.MemoriesInput, want ...string) {
	m.T.Helper()
	if got := m.list(in); !slices.Equal(got, want) {
		m.T.Errorf("%+v: %q, want %q", in, got, want)
	}
}

// rejected asks as listening does.
func (m memories) rejected(c memory.Crystal) (is bool) {
	m.T.Helper()
	braintest.View(m.Lab, func(tx *store.Tx) (err error) {
		is, err = statements.Rejected(m.T.Context(), tx, c)
		return err
	})
	return is
}

func TestMemoriesAreListedByWhatIsAskedFor(t *testing.T) {
	t.Parallel()
	m := newMemories(t)
	m.Remember("answer in short sentences", braintest.Of(memory.Preference), func(in *statements.RememberInput) { in.Everywhere = true })
	m.Passes(time.Hour)
	m.Remember("the cache is warmed at noon", braintest.By(memory.OriginAgent))
	m.Passes(time.Hour)
	heard := m.heard("never push to main")
	m.Passes(time.Hour)
	m.Remember("the staging database is db1")
	m.Passes(time.Hour)
	m.Remember("the staging database is db2")
	other := braintest.NewLibrary(t).Dir
	braintest.Must(m.Lab, statements.Remember, statements.RememberInput{Scope: brain.Scope{Dir: other}, Text: "said elsewhere"})

	m.lists(statements.MemoriesInput{}, "the staging database is db2", "never push to main", "the cache is warmed at noon", "answer in short sentences")
	m.lists(statements.MemoriesInput{Limit: 1}, "the staging database is db2")
	m.lists(statements.MemoriesInput{History: true, Limit: 2}, "the staging database is db2", "the staging database is db1 (superseded)")
	m.lists(statements.MemoriesInput{Kinds: []memory.CrystalKind{memory.Rule, memory.Preference}}, "never push to main", "answer in short sentences")
	m.lists(statements.MemoriesInput{Origin: memory.OriginAgent}, "the cache is warmed at noon")
	m.lists(statements.MemoriesInput{Heard: true}, "never push to main")
	m.lists(statements.MemoriesInput{Stated: true, Origin: memory.OriginUser}, "the staging database is db2", "answer in short sentences")
	m.lists(statements.MemoriesInput{Session: heard.Session.String()}, "never push to main")
	m.lists(statements.MemoriesInput{Since: braintest.Start.Add(2 * time.Hour), Before: m.Clock}, "never push to main")
	m.lists(statements.MemoriesInput{Scope: brain.Scope{Dir: other}}, "said elsewhere", "answer in short sentences")
	if got := m.list(statements.MemoriesInput{Scope: brain.Scope{All: true}}); len(got) != 5 {
		t.Errorf("in all projects: %q", got)
	}
	for _, in := range []statements.MemoriesInput{{Scope: m.Scope(), Heard: true, Stated: true}, {Scope: m.Scope(), Kinds: []memory.CrystalKind{"rumour"}}} {
		if _, err := steward.Run(t.Context(), m.Brain, statements.Memories, in); !errors.Is(err, memory.ErrInvalid) {
			t.Errorf("%+v: %v", in, err)
		}
	}
	if why := braintest.Must(m.Lab, statements.WhyCrystal, statements.ProvenanceInput{ID: string(heard.ID)}); why.Prompt != "never push to main, please" {
		t.Errorf("it was said in the prompt %q", why.Prompt)
	}
}

func TestAnEditSupersedesAndKeepsTheHistory(t *testing.T) {
	t.Parallel()
	m := newMemories(t)
	old := m.heard("use four spaces")
	m.Passes(time.Hour)
	edited := braintest.Must(m.Lab, statements.Edit, statements.EditInput{ID: string(old.ID), Text: " use tabs "})
	if edited.Text != "use tabs" || edited.Kind != memory.Rule || edited.Origin != memory.OriginUser || edited.Project != old.Project || edited.Heard != 0 ||
		!slices.Equal(edited.Anchors, old.Anchors) || !slices.Equal(edited.Superseded, []memory.CrystalID{old.ID}) {
		t.Errorf("%+v", edited)
	}
	m.lists(statements.MemoriesInput{History: true}, "use tabs", "use four spaces (superseded)")
	why := braintest.Must(m.Lab, statements.WhyCrystal, statements.ProvenanceInput{ID: string(edited.ID)})
	before := braintest.Must(m.Lab, statements.WhyCrystal, statements.ProvenanceInput{ID: string(old.ID)})
	if len(why.Parents) != 1 || why.Parents[0].ID != old.ID || len(before.Children) != 1 || before.Children[0].ID != edited.ID {
		t.Errorf("from %+v, since %+v", why.Parents, before.Children)
	}
	known := m.Remember("indent with tabs")
	m.Passes(time.Hour)
	if again := braintest.Must(m.Lab, statements.Edit, statements.EditInput{ID: string(known.ID), Text: "a tab is the indentation"}); again.ID == known.ID {
		t.Errorf("%+v", again)
	}
	for text, id := range map[string]memory.CrystalID{"spaces after all": old.ID, "use tabs": edited.ID, " ": edited.ID} {
		if _, err := steward.Run(t.Context(), m.Brain, statements.Edit, statements.EditInput{ID: string(id), Text: text}); err == nil {
			t.Errorf("%s was edited to %q", id, text)
		}
	}
}

func TestAnEditToWhatIsKnownLeavesOne(t *testing.T) {
	t.Parallel()
	m := newMemories(t)
	known := m.Remember("indent with tabs", braintest.Of(memory.Rule))
	wrong := m.Remember("indent with stabs", braintest.Of(memory.Rule))
	m.Passes(time.Hour)
	if out := braintest.Must(m.Lab, statements.Edit, statements.EditInput{ID: string(wrong.ID), Text: "indent with tabs"}); out.ID != known.ID || !out.Known {
		t.Errorf("%+v", out)
	}
	m.lists(statements.MemoriesInput{}, "indent with tabs")
}

func TestWhatThePersonRejectsIsNotSaidAgain(t *testing.T) {
	t.Parallel()
	m := newMemories(t)
	said := m.heard("Never push to main!")
	m.Remember("the cache is warmed at noon", braintest.By(memory.OriginAgent))
	again := memory.Crystal{Project: said.Project, Kind: memory.Preference, Text: "please never push to main"}
	elsewhere := again
	elsewhere.Project = 12345
	if m.rejected(again) {
		t.Error("rejected before anybody said so")
	}
	braintest.Must(m.Lab, statements.Judge, statements.JudgeInput{ID: string(said.ID)})
	m.lists(statements.MemoriesInput{}, "the cache is warmed at noon")
	m.lists(statements.MemoriesInput{Heard: true, History: true}, "Never push to main! (rejected)")
	for _, text := range []string{"push to main", "never push to master", "never pull to main"} {
		if m.rejected(memory.Crystal{Project: said.Project, Text: text}) {
			t.Errorf("%q is rejected, too", text)
		}
	}
	if !m.rejected(again) || m.rejected(elsewhere) {
		t.Errorf("rejected %v, in another project %v", m.rejected(again), m.rejected(elsewhere))
	}
	if out := m.Remember("never push to main", braintest.By(memory.OriginAgent)); !out.Rejected || out.ID != said.ID {
		t.Errorf("an agent says it again: %+v", out)
	}
	if out := braintest.Must(m.Lab, statements.Judge, statements.JudgeInput{ID: string(said.ID), Right: true}); out.Heard != 1 || m.rejected(again) {
		t.Errorf("taken back: %+v", out)
	}
	m.Passes(time.Hour)
	braintest.Must(m.Lab, statements.Edit, statements.EditInput{ID: string(said.ID), Text: "push to main only on Mondays"})
	if m.rejected(again) {
		t.Error("what was taken back and then replaced counts as rejected")
	}

	// What an agent calls wrong is no word of the person.
	note := m.Remember("the door is blue", braintest.By(memory.OriginAgent))
	braintest.Must(m.Lab, statements.Judge, statements.JudgeInput{ID: string(note.ID), Origin: memory.OriginAgent})
	if m.rejected(note.Crystal) {
		t.Error("an agent rejected for the person")
	}
	// The person may change their mind.
	own := m.Remember("the door is green")
	braintest.Must(m.Lab, statements.Judge, statements.JudgeInput{ID: string(own.ID)})
	m.Passes(time.Hour)
	m.Remember("the door is green")
	if m.rejected(own.Crystal) {
		t.Error("rejected although the person said it again")
	}
}

// What an agent cannot prove is a proposal. It changes nothing until the person decides.
func TestAnAgentProposesWhatItCannotProve(t *testing.T) {
	t.Parallel()
	m, agent := newMemories(t), memory.OriginAgent
	var ids []string
	for _, text := range []string{"never push to main", "retention is thirty days", "use tabs in Go files", "answer in German"} {
		ids = append(ids, string(m.heard(text).ID))
		m.Passes(time.Minute)
	}
	before := m.inForce()
	edited := braintest.Must(m.Lab, statements.Edit, statements.EditInput{ID: ids[0], Text: "push to main", Origin: agent})
	again := braintest.Must(m.Lab, statements.Edit, statements.EditInput{ID: ids[0], Text: "push to main", Origin: agent})
	if edited.Proposed == "" || again.ID != edited.ID {
		t.Errorf("proposed as %+v, and again as %s", edited, again.ID)
	}
	m.Passes(time.Minute)
	replaced := braintest.Must(m.Lab, statements.Remember, statements.RememberInput{
		Scope: m.Scope(), Text: "retention is a year", Kind: memory.Rule, Replaces: ids[1:2], Origin: agent, Quote: "retention is a year",
	})
	forgets := forget.ForgetInput{IDs: []memory.EventID{memory.EventID(ids[3])}, Apply: true, By: agent, Quote: "forget it at last"}
	for range 2 {
		if out := braintest.Must(m.Lab, statements.Judge, statements.JudgeInput{ID: ids[2], Origin: agent}); out.Proposed == "" {
			t.Error("an agent rejected what the person said")
		}
		if out := braintest.Must(m.Lab, steward.Forget, forgets); len(out.Proposed) != 1 || out.Applied {
			t.Errorf("an agent forgot what the person said: %+v", out)
		}
	}
	if out := braintest.Must(m.Lab, statements.Judge, statements.JudgeInput{ID: string(edited.ID), Right: true, Origin: agent}); out.Proposed == "" {
		t.Error("an agent accepted what it proposed")
	}
	if after := m.inForce(); !slices.Equal(after, before) {
		t.Fatalf("proposals changed what holds: %q", after)
	}
	waiting := func(want ...string) {
		t.Helper()
		var got []string
		for _, w := range braintest.Must(m.Lab, statements.Memories, statements.MemoriesInput{Scope: m.Scope(), Waiting: true}) {
			line := w.Proposed + ": " + w.Text
			for _, old := range w.InPlaceOf {
				line += " for " + old.Text
			}
			got = append(got, line)
		}
		if !slices.Equal(got, want) {
			t.Errorf("waiting %q, want %q", got, want)
		}
	}
	waiting("replace: retention is a year for retention is thirty days", "replace: push to main for never push to main",
		"forget: answer in German", "reject: use tabs in Go files")

	judge := func(id string, right bool) {
		t.Helper()
		braintest.Must(m.Lab, statements.Judge, statements.JudgeInput{ID: id, Right: right})
	}
	m.Passes(time.Minute)
	judge(string(replaced.ID), true)
	judge(string(edited.ID), false)
	judge(ids[2], false)
	judge(ids[3], true)
	waiting()
	m.lists(statements.MemoriesInput{}, "retention is a year", "answer in German", "never push to main")
	if out := m.inForce(); !slices.Contains(out, "user: retention is a year") {
		t.Errorf("accepted, and not the person's: %q", out)
	}
	// What the person declined an agent does not propose again.
	if out := braintest.Must(m.Lab, statements.Edit, statements.EditInput{ID: ids[0], Text: "push to main", Origin: agent}); !out.Rejected {
		t.Errorf("proposed again: %+v", out)
	}
	// What was accepted can be taken back.
	accepted := braintest.Must(m.Lab, statements.Memories, statements.MemoriesInput{Scope: m.Scope()})[0]
	judge(string(accepted.ID), false)
	judge(ids[1], true)
	m.lists(statements.MemoriesInput{}, "answer in German", "retention is thirty days", "never push to main")
}

// A change that is asked for while the store is busy is not lost, and one that is refused does not wait for ever.
func TestCorrectionsWaitWhileTheStoreIsBusy(t *testing.T) {
	t.Parallel()
	m := newMemories(t)
	said, wrong := m.heard("use four spaces"), m.heard("the port is 80")
	m.Passes(time.Minute)
	var taken brain.Taken
	agent := func(quote string) error {
		_, err := steward.Run(t.Context(), m.Brain, statements.Judge, statements.JudgeInput{ID: string(wrong.ID), Origin: memory.OriginAgent, Quote: quote})
		return err
	}
	m.BusyAt.Store(m.Clock.UnixMilli()) // nobody has to wait to find that out
	m.Locked(func() {
		_, err := steward.Run(t.Context(), m.Brain, statements.Edit, statements.EditInput{ID: string(said.ID), Text: "use tabs"})
		if !errors.As(err, &taken) {
			t.Fatal(err)
		}
		must.Do(t, m.Spool.Append(m.Prompt("run", "no, forget the rule about the port 80")))
		if err := agent("no, forget the rule about the port 80"); !errors.As(err, &taken) { // the prompt waits, too
			t.Fatal(err)
		}
		if err := agent("that is nowhere to be found"); !errors.As(err, &taken) {
			t.Fatal(err)
		}
	})
	m.Passes(time.Minute)
	for range 2 {
		must.Get(steward.Run(t.Context(), m.Brain, steward.Drain, steward.DrainInput{Wait: true}))(t)
	}
	if waiting := m.Spool.Waiting(); len(waiting) != 0 {
		t.Errorf("%v still wait", waiting)
	}
	m.lists(statements.MemoriesInput{}, "use tabs")
	if why := braintest.Must(m.Lab, statements.WhyCrystal, statements.ProvenanceInput{ID: string(wrong.ID)}); why.Traces[len(why.Traces)-1].What != statements.TraceWrong {
		t.Errorf("traces %+v", why.Traces)
	}
}
