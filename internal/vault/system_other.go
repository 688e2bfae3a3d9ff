//go:build !linux && !darwin

package vault

import (
	"errors"
	"os"
)

// Here files cannot change places, nor can a rename be told to replace nothing.
func exchangeFiles(*os.Root, string, string) error  { return errors.ErrUnsupported }
func moveToFreeName(*os.Root, string, string) error { return errors.ErrUnsupported }
