package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
)

// diskEnv names the folder on which the test, started once more among mounts of its own, puts a small disk.
const diskEnv = "HEBB_TEST_SMALL_DISK"

// noMount is how that test exits where it may have mounts of its own but not make one. Tests that fail exit 1, those that panic 2.
const noMount = 77

// A data folder on a disk that has no room, or only for a part of what is to be written: hooks exit 0 and say nothing an agent
// cannot read, a note is acknowledged only if it is kept, what was kept stays whole, and with room again all goes on.
func TestAFullDiskLosesNothingThatWasAcknowledged(t *testing.T) {
	t.Parallel()
	if dir := os.Getenv(diskEnv); dir != "" {
		fullDisk(t, dir)
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), diskEnv+"="+t.TempDir(), programEnv+"="+program)
	cmd.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS}
	if os.Getuid() != 0 { // who is nobody outside may mount inside a world of his own
		cmd.SysProcAttr.Cloneflags = syscall.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	}
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() == noMount { // it could not start, or not mount
		fmt.Fprintf(os.Stderr, "=== NOT CHECKED: %s: this machine lets a test mount nothing (%v), so no disk was full.\n", t.Name(), err)
		t.Skip("no disk was full")
	}
	if err != nil {
		t.Errorf("%v:\n%s", err, out)
	}
}

func fullDisk(t *testing.T, dir string) {
	m := newMachineIn(t, dir)
	must.Do(t, os.Mkdir(m.path("home"), 0o700))
	if err := syscall.Mount("tmpfs", m.path("home"), "tmpfs", 0, "size=8m,mode=700"); err != nil {
		exitAs = noMount
		t.Skip(err)
	}
	defer func() { _ = syscall.Unmount(m.path("home"), syscall.MNT_DETACH) }()
	m.write("home/config.toml", talkative)
	m.ok("pin", "Money", "Prices are in cents.")
	m.ok("note", "said while there was room")
	kept, refused := []string{"said while there was room"}, 0
	m.hook(m.toolCall("full", "first", "a.go"))
	sent := 1
	for _, pages := range []int{0, 1, 2, 4, 8, 12, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 256} {
		filler := m.fillUp(pages)
		words := fmt.Sprintf("said with room for %d pages", pages)
		r := m.run("", "note", words)
		switch {
		case r.code == 0:
			kept = append(kept, words)
		case r.stdout != "" || !strings.Contains(r.stderr, "full") || !strings.Contains(r.stderr, "make room"):
			t.Errorf("%d pages: note exits %d and says %q, %q", pages, r.code, r.stdout, r.stderr)
		default:
			refused++
		}
		start := m.recordedPayload("SessionStart-startup", words, nil)
		for _, payload := range []string{start, m.prompt("full", words, "what are prices in?")} {
			sent++
			r := m.finish(m.start(program, "hook", string(agent.ClaudeCode)), strings.NewReader(payload))
			text, readable := readBy(agent.ClaudeCode, r.stdout)
			if r.code != 0 || !readable || strings.Contains(r.stderr, "panic") {
				t.Errorf("%d pages: the hook exits %d, stdout %q, stderr %q", pages, r.code, r.stdout, r.stderr)
			}
			if payload == start && !strings.Contains(text, "Prices are in cents.") {
				t.Errorf("%d pages: a session begins with %q", pages, text)
			}
		}
		for _, args := range [][]string{{"dream"}, {"sleep"}, {"drain"}, {"search", "prices"}} {
			if r := m.run("", args...); r.code != 0 && !strings.Contains(r.stderr, "full") || strings.Contains(r.stderr, "panic") {
				t.Errorf("%d pages: %s exits %d: %s", pages, args, r.code, r.stderr)
			}
		}
		must.Do(t, os.Remove(filler))
		m.healthy()
		if r.code != 0 {
			m.ok("note", words)
			kept = append(kept, words)
		}
		for _, words := range kept {
			if out := m.ok("search", `"`+words+`"`); !strings.Contains(out, words) {
				t.Errorf("%d pages: %q was acknowledged and is gone", pages, words)
			}
		}
	}
	stored, lost := len(m.events()), int(m.spool().State().Lost.Count)
	for _, e := range m.events() {
		if e.Kind == memory.Suggested { // a receipt, not an event of the agent
			stored--
		}
	}
	if stored+lost != sent || lost == 0 {
		t.Errorf("of %d events %d are stored and %d counted as lost", sent, stored, lost)
	}
	if refused < 3 || len(kept) != 21 || refused > 19 {
		t.Errorf("%d of 20 notes were refused and %d kept in the end: want some refused, and all kept", refused, len(kept))
	}
}

// fillUp leaves so many pages of 4096 bytes on the disk of the data folder.
func (m *machine) fillUp(pages int) (name string) {
	m.t.Helper()
	name = filepath.Join(m.path("home"), "filler")
	f := must.Get(os.Create(name))(m.t)
	defer f.Close()
	var size int64
	page := make([]byte, 4096)
	for {
		n, err := f.Write(page)
		size += int64(n)
		if err != nil {
			break // no space left on device
		}
	}
	must.Do(m.t, f.Truncate(max(size-int64(pages)*4096, 0)))
	return name
}
