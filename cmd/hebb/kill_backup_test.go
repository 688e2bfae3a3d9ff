//go:build unix

package main

import (
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/transfer"
)

// Backups are killed at random moments, more often than copies are kept. Every file with a name is whole, there are never fewer
// whole ones than were made (or are kept), and the next backup leaves nothing of the killed ones.
func TestKilledBackupsCostNoGoodOne(t *testing.T) {
	m := newMachine(t)
	for range 3 {
		m.ok("record", "a.go", "--text", strings.Repeat("words to copy ", 200))
	}
	const before = 3
	for range before {
		m.ok("backup")
	}
	var took time.Duration
	killed, made, loops := 0, 0, kills(t)
	for i := range loops {
		random := rand.New(rand.NewPCG(uint64(i), 18))
		cmd, begun := m.command("backup"), time.Now()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		exited := make(chan error, 1)
		go func() { exited <- cmd.Wait() }()
		if took > 0 {
			select {
			case err := <-exited:
				exited <- err
			case <-time.After(time.Duration(random.Int64N(int64(took)))):
				_ = cmd.Process.Kill() // it may be gone already
			}
		}
		err := <-exited
		var exit *exec.ExitError
		switch {
		case err == nil:
			took = 3 * time.Since(begun) / 2
			made++
		case errors.As(err, &exit) && exit.ExitCode() < 0:
			killed++
		default:
			t.Errorf("backup: %v", err)
		}
	}
	t.Logf("%d of %d backups were killed, %d were made", killed, loops, made)
	if killed < loops/4 {
		t.Errorf("only %d of %d processes were killed: the test no longer tests anything", killed, loops)
	}
	all, err := transfer.Backups(t.Context(), m.config())
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range all {
		if b.Problem != "" {
			t.Errorf("%s: %s", b.File, b.Problem)
		}
	}
	if want := min(m.config().Tuning.Store.BackupsKept, before+made); len(all) < want {
		t.Errorf("%d whole backups are left, want at least %d", len(all), want)
	}
	m.ok("backup")
	if left, err := filepath.Glob(filepath.Join(m.config().Backups(), "*.partial*")); err != nil || len(left) > 0 {
		t.Errorf("left of killed backups: %q, %v", left, err)
	}
	for _, f := range inspect.Doctor(t.Context(), m.config(), time.Now, nil, inspect.DoctorInput{Deep: true}) {
		if f.Level == inspect.Fail || f.Name == "backups" && f.Level != inspect.Fine {
			t.Errorf("doctor: %+v", f)
		}
	}
	newest := all[0].File
	m.ok("restore", newest, "--yes")
	if _, err := os.Stat(newest); err != nil {
		t.Error(err)
	}
	if n := len(m.events()); n != 3 {
		t.Errorf("%d events after restoring %s, want 3", n, newest)
	}
}
