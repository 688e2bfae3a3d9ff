package transfer_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/forget"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/steward"
)

func TestAnIdleDrainMakesOneBackupADay(t *testing.T) {
	d := braintest.NewDesk(t)
	d.Record("first")
	for range 3 {
		d.Idle()
	}
	if kept := d.KeptLike("-daily.db"); len(kept) != 1 {
		t.Fatalf("kept %q, want one", kept)
	}
	if f := d.Finding("daily backup"); f.Level != inspect.Fine || !strings.HasPrefix(f.Detail, "made ") {
		t.Errorf("doctor: %+v", f)
	}
	var made []string
	for range 36 {
		d.Clock = d.Clock.Add(24 * time.Hour)
		d.Idle()
		kept := d.KeptLike("-daily.db")
		made = append(made, kept[len(kept)-1])
	}
	const daysKept, weeksKept = 7, 4
	kept := d.KeptLike("-daily.db")
	for _, name := range made[len(made)-daysKept:] {
		if !slices.Contains(kept, name) {
			t.Errorf("%s of the last seven days is gone", name)
		}
	}
	weeks := map[string]bool{}
	for _, name := range kept {
		year, week := must.Get(time.Parse("20060102", name[len("hebb-"):][:8]))(t).ISOWeek()
		weeks[fmt.Sprint(year, week)] = true
	}
	if len(weeks) != weeksKept || len(kept) > daysKept+weeksKept {
		t.Errorf("%d copies of %d weeks are kept: %q", len(kept), len(weeks), kept)
	}
}

func TestAutomaticBackupsStayWithinTheirBytes(t *testing.T) {
	d := braintest.NewDesk(t)
	d.Record("first")
	d.Idle()
	size := int64(len(readFile(t, filepath.Join(d.Backups(), d.KeptLike("-daily.db")[0]))))
	d.Tuning.Store.BackupBytes = 5*size/2 + 1
	for range 5 {
		d.Clock = d.Clock.Add(24 * time.Hour)
		d.Idle()
	}
	if kept := d.KeptLike("-daily.db"); len(kept) != 2 {
		t.Errorf("kept %q, want two", kept)
	}
	d.Tuning.Store.BackupBytes = size / 2
	d.Clock = d.Clock.Add(24 * time.Hour)
	d.Idle()
	if f := d.Finding("daily backup"); f.Level != inspect.Warn || !strings.Contains(f.Detail, "raise store.backup_size") {
		t.Errorf("doctor: %+v", f)
	}
	if kept := d.KeptLike("-daily.db"); len(kept) != 2 {
		t.Errorf("kept %q, want those of before", kept)
	}
	d.Tuning.Store.BackupBytes = 0
	if f := d.Finding("daily backup"); f.Level != inspect.Fine || !strings.HasPrefix(f.Detail, "off") {
		t.Errorf("doctor: %+v", f)
	}
}

func TestABackupThatFailsFailsNoDrain(t *testing.T) {
	d := braintest.NewDesk(t)
	d.Record("first")
	braintest.WriteFile(t, d.Backups(), []byte("a file in the way"))
	d.Idle()
	if f := d.Finding("daily backup"); f.Level != inspect.Warn || !strings.HasPrefix(f.Detail, "failed at ") {
		t.Errorf("doctor: %+v", f)
	}
	must.Do(t, os.Remove(d.Backups()))
	d.Idle()
	if kept := d.KeptLike("-daily.db"); len(kept) > 0 {
		t.Errorf("it was tried again at once: %q", kept)
	}
	d.Clock = d.Clock.Add(time.Hour)
	d.Idle()
	if f := d.Finding("daily backup"); f.Level != inspect.Fine || len(d.KeptLike("-daily.db")) != 1 {
		t.Errorf("doctor: %+v, kept %q", f, d.Kept())
	}
}

// What is forgotten is forgotten in the copies that hebb made automatically. Those that a person made are the person's.
func TestForgottenTextIsInNoAutomaticBackup(t *testing.T) {
	d := braintest.NewDesk(t)
	const secret = "the safe opens with four threes"
	d.Record("kept", secret)
	byHand := d.Backup("").File
	for range 3 {
		d.Clock = d.Clock.Add(24 * time.Hour)
		d.Idle()
	}
	d.With(func(b *brain.Brain) error {
		events, err := steward.Run(t.Context(), b, inspect.Events, inspect.EventsInput{Scope: brain.Scope{All: true}})
		if err != nil {
			return err
		}
		for _, e := range events {
			if e.Text != secret {
				continue
			}
			if _, err := steward.Run(t.Context(), b, steward.Forget, forget.ForgetInput{IDs: []memory.EventID{e.ID}, Apply: true}); err != nil {
				return err
			}
		}
		return nil
	})
	kept := d.KeptLike("-daily.db")
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
	d.MustRestore(filepath.Join(d.Backups(), kept[0]))
	d.Expect("kept")
}

func TestAgesAreReadByPeople(t *testing.T) {
	for want, d := range map[string]time.Duration{
		"0 min": -time.Hour, "5 min": 5 * time.Minute, "119 min": 119 * time.Minute, "2 h": 2 * time.Hour, "47 h": 47 * time.Hour, "2 days": 50 * time.Hour,
	} {
		if got := inspect.Age(d); got != want {
			t.Errorf("%v is %q, want %q", d, got, want)
		}
	}
}
