package hook

// HandlesLeft is always true: Windows has no small limit on open files.
func HandlesLeft() bool { return true }
