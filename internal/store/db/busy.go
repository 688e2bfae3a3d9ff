package db

import (
	"github.com/hebb-memory/hebb/internal/memory"
)

// Busy makes an error memory.ErrBusy without changing its text, which says enough.
func Busy(err error) error { return busy{err} }

type busy struct{ error }

func (b busy) Is(target error) bool { return target == memory.ErrBusy }
func (b busy) Unwrap() error        { return b.error }
