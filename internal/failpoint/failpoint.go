// Package failpoint marks the steps at which a process may be killed. In a release a step does nothing. In a program built with the tag
// failpoint, which only tests build (cmd/hebb/killing.go), a process lists the steps it passes or ends at one of them as kill -9
// would end it.
package failpoint

// Passed is called at each step. It is set before main begins, and nil in a release.
var Passed func(step string)

// Here marks a step. It is called with a constant, so that it costs nothing.
func Here(step string) {
	if Passed != nil {
		Passed(step)
	}
}
