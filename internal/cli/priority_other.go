//go:build !unix

package cli

// YieldToOthers does nothing where the system knows no such thing in the standard library.
func YieldToOthers() {}
