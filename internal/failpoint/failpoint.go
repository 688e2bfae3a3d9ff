//go:build !failpoint

// Package failpoint marks the steps at which a process may be killed. In a release it is nothing: an empty function that the
// compiler removes. In a build with the tag failpoint, which only tests make, a process lists the steps it passes or ends at
// one of them as kill -9 would end it.
package failpoint

// Here marks a step. It is called with a constant, so that it costs nothing.
func Here(string) {}
