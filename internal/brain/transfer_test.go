package brain

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

const exportHeader = `{"type":"hebb-export","version":1}` + "\n"

func (l *lab) exported() string {
	l.t.Helper()
	var out bytes.Buffer
	if _, err := l.Export(l.t.Context(), &out); err != nil {
		l.t.Fatal(err)
	}
	return out.String()
}

func (l *lab) imports(text string, mine bool) {
	l.t.Helper()
	if _, err := l.Import(l.t.Context(), ImportInput{From: strings.NewReader(text), Mine: mine}); err != nil {
		l.t.Fatal(err)
	}
}

func (l *lab) projectNow() memory.Project {
	l.t.Helper()
	projects, err := Run(l.t.Context(), l.Brain, Projects, struct{}{})
	if err != nil || len(projects) == 0 {
		l.t.Fatalf("%d projects, %v", len(projects), err)
	}
	for _, p := range projects {
		if p.Identity == l.place.Identity {
			return p.Project
		}
	}
	l.t.Fatalf("no project %s", l.place.Identity)
	return memory.Project{}
}

// A session runs on one machine and is taken over to another while it runs and after it ended, in either order: the
// other machine ends with what the first one knows.
func TestASessionTakenOverTwiceIsAsItIsAtHome(t *testing.T) {
	home := newLab(t)
	prompt := home.event(memory.Prompted, 1)
	prompt.Text = "mend the login"
	home.see(1, home.event(memory.SessionStarted, 0), prompt)
	running := home.exported()
	home.see(6, home.event(memory.ToolUsed, 5), home.event(memory.SessionEnded, 6))
	ended := home.exported()
	home.see(9, home.event(memory.SessionStarted, 8))
	resumed := home.exported()
	home.see(60)
	swept := home.exported()

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
				there, want := newLab(t), newLab(t)
				for i, file := range c.files {
					there.clock = start.Add(2 * time.Hour)
					there.imports(file, mine)
					if c.sweep > 0 && i == 0 {
						there.see(c.sweep)
					}
				}
				want.clock = start.Add(2 * time.Hour)
				want.imports(c.want, mine)
				if got, want := there.sessions(), want.sessions(); !reflect.DeepEqual(got, want) {
					t.Errorf("sessions %+v\nwant     %+v", got, want)
				}
				if got, want := there.projectClock(), want.projectClock(); got != want {
					t.Errorf("clock %d, want %d", got, want)
				}
				if mine && want.exported() != c.want {
					t.Errorf("exported again: %s\nwant: %s", want.exported(), c.want)
				}
				if got := there.sessions()[0]; got.Intent != "mend the login" {
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
		home, there := newLab(t), newLab(t)
		home.see(0, home.event(memory.Prompted, 0))
		there.imports(home.exported(), c.mine)
		set := func(l *lab, text string) {
			in := IntentInput{SessionInput: SessionInput{Session: l.sessions()[0].ID.String()}, Set: &text}
			if _, err := Run(t.Context(), l.Brain, Intent, in); err != nil {
				t.Fatal(err)
			}
		}
		set(home, "theirs")
		if c.here {
			set(there, "ours")
		}
		home.see(1, home.event(memory.ToolUsed, 1))
		there.clock = home.clock
		there.imports(home.exported(), c.mine)
		if s := there.sessions()[0]; s.Intent != c.want || !s.IntentByHand {
			t.Errorf("%s: intent %q (by hand %v), want %q", c.name, s.Intent, s.IntentByHand, c.want)
		}
	}
}

func TestAFileDoesNotChangeAKnownProject(t *testing.T) {
	l := newLab(t)
	l.see(0, l.event(memory.ToolUsed, 0))
	before := l.projectNow()
	for _, mine := range []bool{false, true} {
		l.imports(exportHeader+projectText(before.ID, "/shop/.git", "/tmp/evil", "evil", true), mine)
		if after := l.projectNow(); after != before {
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
	l := newLab(t)
	l.see(0, l.event(memory.ToolUsed, 0))
	ours := l.projectNow()
	l.place = memory.Place{Identity: "/b/lib/.git", Root: "/b/lib"}
	id := l.place.Project()
	l.imports(exportHeader+projectText(id, l.place.Identity, "/b/"+secret, "two\\nlines "+secret, false), true)
	p := l.projectNow()
	if !p.FirstAt.Equal(start) || !p.LastAt.Equal(start) || p.Clock != 0 {
		t.Errorf("dates %v to %v, clock %d", p.FirstAt, p.LastAt, p.Clock)
	}
	if strings.Contains(p.Root+p.Name, secret) || strings.Contains(p.Name, "\n") {
		t.Errorf("root %q, name %q", p.Root, p.Name)
	}
	// A name that is taken here stays ours.
	l.place = memory.Place{Identity: "/c/app/.git", Root: "/c/app"}
	l.imports(exportHeader+projectText(l.place.Project(), l.place.Identity, l.place.Root, ours.Name, true), true)
	if p := l.projectNow(); p.Name != "app" || p.Tagged {
		t.Errorf("named %q, tagged %v", p.Name, p.Tagged)
	}
	long := exportHeader + projectText(memory.NewProjectID("/d"), "/d", "/d", strings.Repeat("n", 501), false)
	if _, err := l.Import(t.Context(), ImportInput{From: strings.NewReader(long)}); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("a name of 501 characters: %v", err)
	}
}

func TestAnImportBringsNothingForgottenBack(t *testing.T) {
	l := newLab(t)
	secret, other := l.event(memory.Prompted, 0), l.event(memory.Prompted, 1)
	secret.Text, other.Text = "my name is Ada", "mend the login"
	alone := l.event(memory.Prompted, 2)
	alone.AgentSession, alone.Text = "another run", "where Ada lives"
	l.see(2, secret, other, alone, l.event(memory.SessionEnded, 2))
	file := l.exported()
	for _, id := range []memory.EventID{secret.ID, alone.ID} {
		if _, err := Run(t.Context(), l.Brain, Forget, ForgetInput{IDs: []memory.EventID{id}, Apply: true}); err != nil {
			t.Fatal(err)
		}
	}
	before := l.exported()
	for _, mine := range []bool{false, true} {
		l.imports(file, mine)
		if got := l.exported(); got != before || strings.Contains(got, "Ada") {
			t.Errorf("mine %v: %s\nwant %s", mine, got, before)
		}
	}
}

// Sizes travel with their events. A file from before there were any says nothing of them, and does not take them away
// where they are known.
func TestSizesOfAnswersAreTakenOver(t *testing.T) {
	home := newLab(t)
	home.work("run", 0).grep("a.go").sized(1234).bash("rg b").sized(0).read("a.go").end()
	file := home.exported()
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
			there := newLab(t)
			there.clock = home.clock
			for _, text := range c.files {
				there.imports(text, true)
			}
			if got := there.exported(); got != c.want {
				t.Errorf("got %s\nwant %s", got, c.want)
			}
		})
	}
	l := newLab(t)
	_, err := l.Import(t.Context(), ImportInput{From: strings.NewReader(strings.Replace(file, ":1234", ":-1", 1)), Mine: true})
	if !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), "an answer of -1 bytes") {
		t.Errorf("less than nothing: %v", err)
	}
}

func TestImportOfAnotherFileSaysWhatItIs(t *testing.T) {
	l := newLab(t)
	l.see(0, l.event(memory.ToolUsed, 0))
	backup := filepath.Join(t.TempDir(), "copy.db")
	if _, err := l.Backup(t.Context(), backup); err != nil {
		t.Fatal(err)
	}
	run := strings.Repeat("r", 1025)
	long := memory.Session{ID: memory.NewSessionID("a", run, l.place.Project())}
	for _, c := range []struct{ name, text, says string }{
		{"a backup", string(readFile(t, backup)), "this is a backup; hebb restore brings it back"},
		{"a text", "hello", "this is no export of hebb"},
		{"other JSON", `{"a":1}`, "this is no export of hebb"},
		{"nothing", "", "this is no export of hebb"},
		{"a tombstone of no event", exportHeader + `{"type":"forgot","forgot":"` + strings.Repeat("x", 5000) + `"}`, "line 2: event id"},
		{"a run of 1,025 bytes", exportHeader + fmt.Sprintf(`{"type":"session","session":{"id":"%s","project":"%s","agent":"a","agent_session":"%s"}}`,
			long.ID, l.place.Project(), run), "more than 1024 bytes"},
	} {
		_, err := l.Import(t.Context(), ImportInput{From: strings.NewReader(c.text), Mine: true})
		if !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if _, err := os.Stat(l.config.Backups()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the backups folder: %v", err)
	}
}
