//go:build unix && !linux

package code

import "testing"

// asNobody does nothing where tests are not run as root.
func asNobody(*testing.T) {}
