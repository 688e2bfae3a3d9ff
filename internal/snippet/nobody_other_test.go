//go:build unix && !linux

package snippet

import "testing"

// asNobody does nothing where tests are not run as root.
func asNobody(*testing.T) {}
