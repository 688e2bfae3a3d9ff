package ranking_test

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/forget"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
)

// pastFiles are the files that hooks map.
func pastFiles(l *braintest.Lab) []string {
	l.T.Helper()
	return must.Get(filepath.Glob(filepath.Join(l.Config.Cache(), "*")))(l.T)
}

// packedLab has a past with a file.
func packedLab(t *testing.T) (l *braintest.Lab, file string) {
	t.Helper()
	l = newWordLab(t)
	l.LearnWords()
	files := pastFiles(l)
	if len(files) != 1 {
		t.Fatalf("files %v, want one", files)
	}
	return l, files[0]
}

// asHook asks as a hook does, in a process that has read nothing before and only reads.
func asHook(l *braintest.Lab, text string) []ranking.Recalled {
	l.T.Helper()
	b := must.Get(brain.OpenReadOnly(l.T.Context(), l.Config, l.Now))(l.T)
	b.Numbers = l.Numbers
	defer func() {
		if err := b.Close(); err != nil {
			l.T.Error(err)
		}
	}()
	found := must.Get(steward.Run(l.T.Context(), b, ranking.Recall, ranking.RecallInput{Scope: braintest.Shop, Text: text, Explain: true}))(l.T)
	return found.Files
}

// decodedAnswer is what a process answers that finds no file.
func decodedAnswer(l *braintest.Lab, text string) []ranking.Recalled {
	l.T.Helper()
	cache := l.Config.Cache()
	aside := cache + "-aside"
	if err := os.Rename(cache, aside); err != nil && !os.IsNotExist(err) {
		l.T.Fatal(err)
	}
	defer func() { _ = os.Rename(aside, cache) }()
	return asHook(l, text)
}

func TestAHookAnswersFromTheFileAndWhatCameSince(t *testing.T) {
	l, file := packedLab(t)
	for round := range 3 {
		for _, text := range []string{"oil the hinge", "cash", "entrance lock"} {
			mapped, decoded := asHook(l, text), decodedAnswer(l, text)
			if len(mapped) == 0 || !reflect.DeepEqual(mapped, decoded) {
				t.Fatalf("round %d, %q: from the file\n%+v\ndecoded\n%+v", round, text, mapped, decoded)
			}
		}
		l.Commits([]string{"oil the lock of the gate", "house/gate.go", "house/entrance.go"})
		l.Commits([]string{"count the cash", "shop/register.go"})
	}
	if got := pastFiles(l); len(got) != 1 || got[0] != file {
		t.Errorf("a few commits made %v of %s", got, file)
	}
}

func TestADrainWritesTheFileAgainOnceMuchHasChanged(t *testing.T) {
	l, file := packedLab(t)
	for n := range 40 { // more than four blocks
		l.Commits([]string{"add shelves", braintestPath(n), braintestPath(n + 1000), braintestPath(n + 2000)})
	}
	for n := range 1100 {
		l.Commits([]string{"dust the shelf", braintestPath(n % 40)})
	}
	braintest.Must(l, steward.Drain, steward.DrainInput{Sleep: true})
	files := pastFiles(l)
	if len(files) != 1 || files[0] == file {
		t.Fatalf("files %v, before %s", files, file)
	}
	if mapped, decoded := asHook(l, "dust the shelf"), decodedAnswer(l, "dust the shelf"); len(mapped) == 0 || !reflect.DeepEqual(mapped, decoded) {
		t.Errorf("from the file\n%+v\ndecoded\n%+v", mapped, decoded)
	}
}

func braintestPath(n int) string {
	return filepath.ToSlash(filepath.Join("shelf", string(rune('a'+n%26)), "row"+string(rune('a'+n%7))+".go"))
}

func TestWhatIsForgottenIsInNoFile(t *testing.T) {
	l := newWordLab(t)
	secret := l.Event(memory.Committed, -60)
	secret.Agent, secret.AgentSession, secret.Origin, secret.Text = memory.AgentGit, "", memory.OriginRepo, "oil the hinge"
	secret.Touches = []memory.Touch{{Kind: memory.Edit, Path: "house/secret-room.go"}}
	l.Observe(secret)
	l.LearnWords()
	before, err := os.ReadFile(pastFiles(l)[0])
	if err != nil || !bytes.Contains(before, []byte("secret-room")) {
		t.Fatalf("the file does not know what is to be forgotten: %v", err)
	}
	braintest.Must(l, steward.Forget, forget.ForgetInput{IDs: []memory.EventID{secret.ID}, Apply: true})
	for _, name := range pastFiles(l) {
		if data, err := os.ReadFile(name); err != nil || bytes.Contains(data, []byte("secret-room")) {
			t.Errorf("%s still knows it: %v", name, err)
		}
	}
	for _, f := range asHook(l, "oil the hinge") {
		if f.Path == "house/secret-room.go" {
			t.Error("a hook still knows it")
		}
	}
}

// A process that packed a past just before it was forgotten writes the file just after: it must not stay.
func TestAFileOfAnEarlierGenerationIsRemoved(t *testing.T) {
	l, file := packedLab(t)
	old := must.Get(os.ReadFile(file))(t)
	must.Do(t, l.Store.Update(t.Context(), func(tx *store.Tx) error { return record.NewGeneration(t.Context(), tx, l.Place.Project()) }))
	braintest.WriteFile(t, file, old)
	must.Do(t, ranking.KeepPast(t.Context(), l.Store, record.Pasts(l.Brain), l.Place.Project()))
	for _, name := range pastFiles(l) {
		if name == file {
			t.Errorf("%s is still there", name)
		}
	}
}

// After a power cut, or a restore, the store may be behind the file. Then it goes another way from there.
func TestAFileAheadOfTheStoreIsNotUsed(t *testing.T) {
	l, file := packedLab(t)
	past := must.Get(os.ReadFile(file))(t)
	ahead := file[:len(file)-len(".past")] + "000.past"
	braintest.WriteFile(t, ahead, past)
	record.Pasts(l.Brain).Take(l.Place.Project())
	if found := asHook(l, "oil the hinge"); len(found) == 0 {
		t.Error("a hook has no answer")
	}
	l.Commits([]string{"oil the lock", "house/entrance.go"})
	if files := pastFiles(l); len(files) > 0 {
		t.Errorf("who learned has left %v", files)
	}
}

// What a process learns goes into the store in blocks together with what it read: it must never read a broken file.
func TestALearnerNoticesADamagedFile(t *testing.T) {
	l, file := packedLab(t)
	want := decodedAnswer(l, "oil the hinge")
	past := must.Get(os.ReadFile(file))(t)
	at := bytes.Index(past, []byte("house/entrance.go"))
	if at < 0 {
		t.Fatal("no path in the file")
	}
	past[at] = 'm'
	must.Do(t, os.WriteFile(file, past, 0o600))
	record.Pasts(l.Brain).Take(l.Place.Project())
	here := braintest.Must(l, ranking.Recall, ranking.RecallInput{Scope: braintest.Shop, Text: "oil the hinge", Explain: true})
	if !reflect.DeepEqual(here.Files, want) {
		t.Errorf("with a damaged file\n%+v\nwant\n%+v", here.Files, want)
	}
	if files := pastFiles(l); len(files) > 0 {
		t.Errorf("it is still there: %v", files)
	}
}

func TestADrainRemovesFilesOfProjectsThatTheStoreDoesNotKnow(t *testing.T) {
	l, file := packedLab(t)
	const unknown memory.ProjectID = 7
	own := l.Config.Contents(l.Place.Project())
	for _, name := range []string{own, l.Config.Contents(unknown), filepath.Join(l.Config.Cache(), unknown.String()+"-g-1.past")} {
		braintest.WriteFile(t, name, []byte("x"))
	}
	braintest.Must(l, steward.Drain, steward.DrainInput{Sleep: true})
	if got := pastFiles(l); len(got) != 2 || !slices.Contains(got, file) || !slices.Contains(got, own) {
		t.Errorf("left %q, want %s and %s", got, file, own)
	}
}
