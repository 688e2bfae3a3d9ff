package tuning

// Embedding says how vectors are searched and, if one is configured, how a model elsewhere is asked for them.
type Embedding struct {
	Asking
}

func (e *Embedding) entries() []Entry {
	return e.Asking.entries("embedding",
		askedBy{64, "a full batch of 4096 dimensions takes 3"}, askedBy{60, "a cold start of a local one takes half of it"},
		askedBy{1, remoteHabits}, askedBy{30, remoteHabits})
}
