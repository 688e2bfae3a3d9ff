package brain

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

// idle drains in the background, as it happens when a turn ends.
func (d *machine) idle() {
	d.t.Helper()
	d.with(func(b *Brain) error {
		_, err := Run(d.t.Context(), b, Drain, DrainInput{Sleep: true})
		return err
	})
}

func (d *machine) finding(name string) (found Finding) {
	d.t.Helper()
	for _, f := range Doctor(d.t.Context(), d.Config, d.now, nil, DoctorInput{}) {
		if f.Name == name {
			found = f
		}
	}
	return found
}

func TestAnIdleDrainMakesOneBackupADay(t *testing.T) {
	d := newDesk(t)
	d.record("first")
	for range 3 {
		d.idle()
	}
	if kept := d.keptLike("-daily.db"); len(kept) != 1 {
		t.Fatalf("kept %q, want one", kept)
	}
	if f := d.finding("daily backup"); f.Level != Fine || !strings.HasPrefix(f.Detail, "made ") {
		t.Errorf("doctor: %+v", f)
	}
	var made []string
	for range 36 {
		d.clock = d.clock.Add(24 * time.Hour)
		d.idle()
		kept := d.keptLike("-daily.db")
		made = append(made, kept[len(kept)-1])
	}
	kept := d.keptLike("-daily.db")
	for _, name := range made[len(made)-daysKept:] {
		if !slices.Contains(kept, name) {
			t.Errorf("%s of the last seven days is gone", name)
		}
	}
	weeks := map[string]bool{}
	for _, name := range kept {
		at, err := time.Parse(stampLayout, strings.TrimSuffix(strings.TrimPrefix(name, "hebb-"), "-daily.db"))
		if err != nil {
			t.Fatal(err)
		}
		weeks[weekOf(at)] = true
	}
	if len(weeks) != weeksKept || len(kept) > daysKept+weeksKept {
		t.Errorf("%d copies of %d weeks are kept: %q", len(kept), len(weeks), kept)
	}
}

func TestAutomaticBackupsStayWithinTheirBytes(t *testing.T) {
	d := newDesk(t)
	d.record("first")
	d.idle()
	size := int64(len(readFile(t, filepath.Join(d.Backups(), d.keptLike("-daily.db")[0]))))
	d.Tuning.Store.BackupBytes = 5*size/2 + 1
	for range 5 {
		d.clock = d.clock.Add(24 * time.Hour)
		d.idle()
	}
	if kept := d.keptLike("-daily.db"); len(kept) != 2 {
		t.Errorf("kept %q, want two", kept)
	}
	d.Tuning.Store.BackupBytes = size / 2
	d.clock = d.clock.Add(24 * time.Hour)
	d.idle()
	if f := d.finding("daily backup"); f.Level != Warn || !strings.Contains(f.Detail, "raise store.backup_bytes") {
		t.Errorf("doctor: %+v", f)
	}
	if kept := d.keptLike("-daily.db"); len(kept) != 2 {
		t.Errorf("kept %q, want those of before", kept)
	}
	d.Tuning.Store.BackupBytes = 0
	if f := d.finding("daily backup"); f.Level != Fine || !strings.HasPrefix(f.Detail, "off") {
		t.Errorf("doctor: %+v", f)
	}
}

func TestABackupThatFailsFailsNoDrain(t *testing.T) {
	d := newDesk(t)
	d.record("first")
	writeFile(t, d.Backups(), []byte("a file in the way"))
	d.idle()
	if f := d.finding("daily backup"); f.Level != Warn || !strings.HasPrefix(f.Detail, "failed at ") {
		t.Errorf("doctor: %+v", f)
	}
	if err := os.Remove(d.Backups()); err != nil {
		t.Fatal(err)
	}
	d.idle()
	if kept := d.keptLike("-daily.db"); len(kept) > 0 {
		t.Errorf("it was tried again at once: %q", kept)
	}
	d.clock = d.clock.Add(dailyRetry)
	d.idle()
	if f := d.finding("daily backup"); f.Level != Fine || len(d.keptLike("-daily.db")) != 1 {
		t.Errorf("doctor: %+v, kept %q", f, d.kept())
	}
}

// What is forgotten is forgotten in the copies that hebb made by itself. Those that a person made are the person's.
func TestForgottenTextIsInNoAutomaticBackup(t *testing.T) {
	d := newDesk(t)
	const secret = "the safe opens with four threes"
	d.record("kept", secret)
	byHand := d.backup("").File
	for range 3 {
		d.clock = d.clock.Add(24 * time.Hour)
		d.idle()
	}
	d.with(func(b *Brain) error {
		events, err := Run(t.Context(), b, Events, EventsInput{Scope: Scope{All: true}})
		if err != nil {
			return err
		}
		for _, e := range events {
			if e.Text != secret {
				continue
			}
			if _, err := Run(t.Context(), b, Forget, ForgetInput{IDs: []memory.EventID{e.ID}, Apply: true}); err != nil {
				return err
			}
		}
		return nil
	})
	kept := d.keptLike("-daily.db")
	if len(kept) != 1 {
		t.Errorf("kept %q, want one that was made anew", kept)
	}
	for _, name := range kept {
		if bytes.Contains(readFile(t, filepath.Join(d.Backups(), name)), []byte(secret)) {
			t.Errorf("%s still holds what was forgotten", name)
		}
	}
	if !bytes.Contains(readFile(t, byHand), []byte(secret)) {
		t.Error("the copy made by hand was changed")
	}
	d.mustRestore(filepath.Join(d.Backups(), kept[0]))
	d.expect("kept")
}

func TestAgesAreReadByPeople(t *testing.T) {
	for want, d := range map[string]time.Duration{
		"0 min": -time.Hour, "5 min": 5 * time.Minute, "119 min": 119 * time.Minute, "2 h": 2 * time.Hour, "47 h": 47 * time.Hour, "2 days": 50 * time.Hour,
	} {
		if got := age(d); got != want {
			t.Errorf("%v is %q, want %q", d, got, want)
		}
	}
}
