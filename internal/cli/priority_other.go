//go:build !unix

package cli

// YieldToOthers does nothing on this system.
func YieldToOthers() {}
