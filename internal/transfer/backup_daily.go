package transfer

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
)

// Facts about the automatic backup.
var (
	DailyTried   = store.NewFact[int64]("backup/tried")    // when it was last begun, unix milliseconds
	DailyProblem = store.NewFact[string]("backup/problem") // why that failed; empty: it did not
)

const (
	dailyPatience = 2 * time.Minute // a copy holds a snapshot, and the write-ahead log grows meanwhile
	dailyRetry    = time.Hour       // after one that failed
)

// BackUpDaily makes the automatic backup of the day, if it is due and nothing waits in the spool. It never fails the drain; doctor reports errors.
func BackUpDaily(ctx context.Context, b *brain.Brain) {
	if b.Config.Tuning.Store.BackupBytes == 0 || b.Spool.State().Waiting > 0 {
		return
	}
	due, err := brain.Update(ctx, b, func(tx *store.Tx) (bool, error) {
		due, err := dailyDue(ctx, tx)
		if err != nil || !due {
			return false, err
		}
		// Until it has succeeded it counts as one that was cut off.
		return true, errors.Join(DailyTried.Set(ctx, tx, tx.Now.UnixMilli()), DailyProblem.Set(ctx, tx, "it was cut off"))
	})
	if err != nil || !due {
		return
	}
	problem := ""
	if err := makeDaily(ctx, b); err != nil {
		problem = scrub.Line(err.Error())
	}
	ctx = context.WithoutCancel(ctx)
	_ = b.Store.Update(ctx, func(tx *store.Tx) error { return DailyProblem.Set(ctx, tx, problem) }) // if this fails, doctor says that it was cut off
}

// dailyDue reports whether there was no attempt today, or one that failed a while ago.
func dailyDue(ctx context.Context, tx *store.Tx) (bool, error) {
	tried, err := DailyTried.Get(ctx, tx)
	if err != nil {
		return false, err
	}
	problem, err := DailyProblem.Get(ctx, tx)
	last := time.UnixMilli(tried).UTC()
	return dayOf(last) != dayOf(tx.Now.UTC()) || problem != "" && tx.Now.Sub(last) >= dailyRetry, err
}

// makeDaily copies the store and removes old automatic copies.
func makeDaily(ctx context.Context, b *brain.Brain) error {
	ctx, cancel := context.WithTimeout(ctx, dailyPatience)
	defer cancel()
	facts, err := b.Store.Facts(ctx)
	if err != nil {
		return err
	}
	if most := b.Config.Tuning.Store.BackupBytes; facts.Used > most {
		return fmt.Errorf("the store has %d bytes and automatic backups may have %d: raise store.backup_size: %w", facts.Used, most, memory.ErrRefused)
	}
	if free, known := filesys.FreeBytes(b.Config.Dir); known && free < 2*facts.Used { // hooks need room too
		return fmt.Errorf("%d bytes are free, and twice the %d bytes of the store are wanted: make room on the disk: %w", free, facts.Used, memory.ErrRefused)
	}
	made, err := keepCopy(ctx, b, daily)
	if err != nil {
		return err
	}
	return prune(ctx, b.Config, b.Now(), made.File)
}

// RenewDaily replaces the automatic backups by one of now, after something was forgotten that the others still hold. It removes
// the others only if the new one is whole.
func RenewDaily(ctx context.Context, b *brain.Brain) error {
	before, err := keptCopies(b.Config.Backups())
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(before[daily]) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	if _, err := keepCopy(ctx, b, daily); err != nil {
		return err
	}
	return inBackups(ctx, b.Config, func() (err error) {
		for _, old := range before[daily] {
			if failed := filesys.Remove(old.file); !errors.Is(failed, fs.ErrNotExist) {
				err = errors.Join(err, failed)
			}
		}
		return errors.Join(err, readSums(b.Config.Backups()).write(b.Config.Backups()))
	})
}
