//go:build !linux && !darwin

package views

import (
	"errors"
	"os"
)

// Here files cannot change places, nor can a rename refuse to replace a file.
func exchangeFiles(*os.Root, string, string) error  { return errors.ErrUnsupported }
func moveToFreeName(*os.Root, string, string) error { return errors.ErrUnsupported }
