package transfer_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/forget"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/transfer"
)

const exportHeader = `{"type":"hebb-export","version":1}` + "\n"

// A session runs on one machine and is taken over to another while it runs and after it ended, in either order: the
// other machine ends with what the first one knows.
func TestASessionTakenOverTwiceIsAsItIsAtHome(t *testing.T) {
	home := braintest.NewLab(t)
	prompt := home.Event(memory.Prompted, 1)
	prompt.Text, prompt.Origin = "fix the login", memory.OriginUser
	home.See(1, home.Event(memory.SessionStarted, 0), prompt)
	running := home.Exported()
	home.See(6, home.Event(memory.ToolUsed, 5), home.Event(memory.SessionEnded, 6))
	ended := home.Exported()
	home.See(9, home.Event(memory.SessionStarted, 8))
	resumed := home.Exported()
	home.See(60)
	swept := home.Exported()

	for _, c := range []struct {
		name  string
		files []string
		sweep float64 // minutes after start at which the other machine looks after silent sessions, between the files
		want  string
	}{
		{"running, then ended", []string{running, ended}, 0, ended},
		{"ended, then running", []string{ended, running}, 0, ended},
		{"ended at once", []string{ended}, 0, ended},
		{"twice the same", []string{ended, ended}, 0, ended},
		{"running, closed here for its silence, then ended", []string{running, ended}, 40, ended},
		{"ended, then resumed", []string{ended, resumed}, 0, resumed},
		{"resumed, then ended", []string{resumed, ended}, 0, resumed},
		{"running, resumed and closed", []string{running, ended, swept}, 0, swept},
	} {
		for _, mine := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, mine %v", c.name, mine), func(t *testing.T) {
				there, want := braintest.NewLab(t), braintest.NewLab(t)
				for i, file := range c.files {
					there.Clock = braintest.Start.Add(2 * time.Hour)
					there.Imports(file, mine)
					if c.sweep > 0 && i == 0 {
						there.See(c.sweep)
					}
				}
				want.Clock = braintest.Start.Add(2 * time.Hour)
				want.Imports(c.want, mine)
				if got, want := there.Sessions(), want.Sessions(); !reflect.DeepEqual(got, want) {
					t.Errorf("sessions %+v\nwant     %+v", got, want)
				}
				if got, want := there.ProjectClock(), want.ProjectClock(); got != want {
					t.Errorf("clock %d, want %d", got, want)
				}
				if mine && want.Exported() != c.want {
					t.Errorf("exported again: %s\nwant: %s", want.Exported(), c.want)
				}
				if got := there.Sessions()[0]; got.Intent != "fix the login" {
					t.Errorf("intent %q", got.Intent)
				}
			})
		}
	}
}

func TestAnIntentSetByHandIsTakenOverByItsOwner(t *testing.T) {
	for _, c := range []struct {
		name       string
		mine, here bool // here: a person set one here too
		want       string
	}{
		{"mine", true, false, "theirs"}, {"mine, set here before", true, true, "theirs"},
		{"a stranger's", false, false, "theirs"}, {"a stranger's, set here before", false, true, "ours"},
	} {
		home, there := braintest.NewLab(t), braintest.NewLab(t)
		home.See(0, home.Event(memory.Prompted, 0))
		there.Imports(home.Exported(), c.mine)
		set := func(l *braintest.Lab, text string) {
			in := record.IntentInput{SessionInput: record.SessionInput{Session: l.Sessions()[0].ID.String()}, Set: &text}
			must.Get(steward.Run(t.Context(), l.Brain, record.Intent, in))(t)
		}
		set(home, "theirs")
		if c.here {
			set(there, "ours")
		}
		home.See(1, home.Event(memory.ToolUsed, 1))
		there.Clock = home.Clock
		there.Imports(home.Exported(), c.mine)
		if s := there.Sessions()[0]; s.Intent != c.want || !s.IntentByHand {
			t.Errorf("%s: intent %q (by hand %v), want %q", c.name, s.Intent, s.IntentByHand, c.want)
		}
	}
}

func TestAFileDoesNotChangeAKnownProject(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(0, l.Event(memory.ToolUsed, 0))
	before := l.ProjectNow()
	for _, mine := range []bool{false, true} {
		l.Imports(exportHeader+projectText(before.ID, "/shop/.git", "/tmp/evil", "evil", true), mine)
		if after := l.ProjectNow(); after != before {
			t.Errorf("mine %v: %+v, want %+v", mine, after, before)
		}
	}
}

// projectText is the line of a project that claims dates beyond both ends.
func projectText(id memory.ProjectID, identity, root, name string, tagged bool) string {
	return fmt.Sprintf(`{"type":"project","project":{"id":"%s","identity":"%s","root":"%s","name":"%s","tagged":%v,`+
		`"first_at":"2098-01-01T00:00:00Z","last_at":"2099-01-01T00:00:00Z","clock":7}}`+"\n", id, identity, root, name, tagged)
}

func TestANewProjectOfAFileIsCleanedAndDatedNoLaterThanNow(t *testing.T) {
	const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
	l := braintest.NewLab(t)
	l.See(0, l.Event(memory.ToolUsed, 0))
	ours := l.ProjectNow()
	l.Place = memory.Place{Identity: "/b/lib/.git", Root: "/b/lib"}
	id := l.Place.Project()
	l.Imports(exportHeader+projectText(id, l.Place.Identity, "/b/"+secret, "two\\nlines "+secret, false), true)
	p := l.ProjectNow()
	if !p.FirstAt.Equal(braintest.Start) || !p.LastAt.Equal(braintest.Start) || p.Clock != 0 {
		t.Errorf("dates %v to %v, clock %d", p.FirstAt, p.LastAt, p.Clock)
	}
	if strings.Contains(p.Root+p.Name, secret) || strings.Contains(p.Name, "\n") {
		t.Errorf("root %q, name %q", p.Root, p.Name)
	}
	// A name that is taken here stays ours.
	l.Place = memory.Place{Identity: "/c/app/.git", Root: "/c/app"}
	l.Imports(exportHeader+projectText(l.Place.Project(), l.Place.Identity, l.Place.Root, ours.Name, true), true)
	if p := l.ProjectNow(); p.Name != "app" || p.Tagged {
		t.Errorf("named %q, tagged %v", p.Name, p.Tagged)
	}
	long := exportHeader + projectText(memory.NewProjectID("/d"), "/d", "/d", strings.Repeat("n", 501), false)
	if _, err := transfer.Import(t.Context(), l.Brain, transfer.ImportInput{From: strings.NewReader(long)}); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("a name of 501 characters: %v", err)
	}
}

func TestAnImportBringsNothingForgottenBack(t *testing.T) {
	l := braintest.NewLab(t)
	secret, other := l.Event(memory.Prompted, 0), l.Event(memory.Prompted, 1)
	secret.Text, other.Text = "my name is Ada", "fix the login"
	alone := l.Event(memory.Prompted, 2)
	alone.AgentSession, alone.Text = "another run", "where Ada lives"
	l.See(2, secret, other, alone, l.Event(memory.SessionEnded, 2))
	file := l.Exported()
	for _, id := range []memory.EventID{secret.ID, alone.ID} {
		must.Get(steward.Run(t.Context(), l.Brain, steward.Forget, forget.ForgetInput{IDs: []memory.EventID{id}, Apply: true}))(t)
	}
	before := l.Exported()
	for _, mine := range []bool{false, true} {
		l.Imports(file, mine)
		if got := l.Exported(); got != before || strings.Contains(got, "Ada") {
			t.Errorf("mine %v: %s\nwant %s", mine, got, before)
		}
	}
}

// Sizes travel with their events. A file from before there were any says nothing of them, and does not take them away
// where they are known.
func TestSizesOfAnswersAreTakenOver(t *testing.T) {
	home := braintest.NewLab(t)
	home.Work("run", 0).Grep("a.go").Sized(1234).Bash("rg b").Sized(0).Read("a.go").End()
	file := home.Exported()
	old := strings.NewReplacer(`,"result_bytes":1234`, "", `,"result_bytes":0`, "").Replace(file)
	if len(old) != len(file)-len(`,"result_bytes":1234,"result_bytes":0`) {
		t.Fatalf("exported %s", file)
	}
	for _, c := range []struct {
		name  string
		files []string
		want  string
	}{
		{"with sizes", []string{file}, file}, {"an old file", []string{old}, old}, {"with sizes, then an old file", []string{file, old}, file},
		{"an old file, then with sizes", []string{old, file}, old},
	} {
		t.Run(c.name, func(t *testing.T) {
			there := braintest.NewLab(t)
			there.Clock = home.Clock
			for _, text := range c.files {
				there.Imports(text, true)
			}
			if got := there.Exported(); got != c.want {
				t.Errorf("got %s\nwant %s", got, c.want)
			}
		})
	}
	l := braintest.NewLab(t)
	_, err := transfer.Import(t.Context(), l.Brain, transfer.ImportInput{From: strings.NewReader(strings.Replace(file, ":1234", ":-1", 1)), Mine: true})
	if !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), "an answer of -1 bytes") {
		t.Errorf("less than nothing: %v", err)
	}
}

// An event that nobody could learn from would keep its project from ever being rebuilt.
func TestImportRefusesWhatCannotBeLearned(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(1, l.Event(memory.ToolUsed, 0), l.Event(memory.SessionEnded, 1))
	file := l.Exported()
	var one string
	for line := range strings.Lines(file) {
		if strings.Contains(line, `"kind":"tool"`) {
			one = line
		}
	}
	for _, broken := range []string{
		strings.Replace(file, one, strings.Replace(one, `"kind":"tool"`, `"kind":"wired"`, 1), 1),
		strings.Replace(file, one, strings.Replace(one, `"kind":"tool"`, `"kind":"`+string(memory.Suggested)+`"`, 1), 1),
	} {
		if broken == file {
			t.Fatalf("nothing to break in %s", file)
		}
		there := braintest.NewLab(t)
		there.Clock = l.Clock
		_, err := transfer.Import(t.Context(), there.Brain, transfer.ImportInput{From: strings.NewReader(broken)})
		if !errors.Is(err, memory.ErrInvalid) || len(there.Events()) > 0 {
			t.Errorf("%v, %d events", err, len(there.Events()))
		}
	}
}

func TestImportOfAnotherFileSaysWhatItIs(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(0, l.Event(memory.ToolUsed, 0))
	backup := filepath.Join(t.TempDir(), "copy.db")
	must.Get(transfer.Backup(t.Context(), l.Brain, backup))(t)
	run := strings.Repeat("r", 1025)
	long := memory.Session{ID: memory.NewSessionID("a", run, l.Place.Project())}
	for _, c := range []struct{ name, text, says string }{
		{"a backup", string(readFile(t, backup)), "this is a backup; hebb backup restore brings it back"},
		{"a text", "hello", "this is no export of hebb"},
		{"other JSON", `{"a":1}`, "this is no export of hebb"},
		{"nothing", "", "this is no export of hebb"},
		{"a tombstone of no event", exportHeader + `{"type":"forgot","forgot":"` + strings.Repeat("x", 5000) + `"}`, "line 2: event id"},
		{"a run of 1,025 bytes", exportHeader + fmt.Sprintf(`{"type":"session","session":{"id":"%s","project":"%s","agent":"a","agent_session":"%s"}}`,
			long.ID, l.Place.Project(), run), "more than 1024 bytes"},
	} {
		_, err := transfer.Import(t.Context(), l.Brain, transfer.ImportInput{From: strings.NewReader(c.text), Mine: true})
		if !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if _, err := os.Stat(l.Config.Backups()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the backups folder: %v", err)
	}
}
