package tuning

// Embedding says how vectors are searched and, if one is configured, how a model elsewhere is asked for them.
type Embedding struct {
	Exact      int // vectors up to which all are compared exactly
	Candidates int // vectors of a larger index that are, after a look at the signs of all

	Cut       int // leading dimensions kept of a model that is made for it
	Batch     int // texts of one request
	TextLimit int // bytes of one text
	Asking
}

func (e *Embedding) entries() []Entry {
	count := func(f *int) number { return scaled[int]{f, 1} }
	const measure = "go test -bench Search ./internal/embedding"
	return append([]Entry{
		{
			Name: "embedding.exact", Unit: "vectors", Default: 50000, Min: 0, Max: 100000000, value: count(&e.Exact),
			Meaning: "an index of up to so many vectors is compared exactly", Source: measure,
		},
		{
			Name: "embedding.candidates", Unit: "vectors", Default: 16000, Min: 10, Max: 1000000, value: count(&e.Candidates),
			Meaning: "vectors of a larger one that are compared exactly, chosen by the signs of their components",
			Source:  measure + ": they hold 95 % of the ten nearest of a million, 1000 hold 70 %",
		},
		{
			Name: "embedding.cut", Unit: "dimensions", Default: 256, Min: 32, Max: 8192, value: count(&e.Cut),
			Meaning: "leading dimensions kept of a model whose vectors may be cut, unless the configuration says how many",
			Source:  "little is lost, and rows are a third as long",
		},
		{
			Name: "embedding.batch", Unit: "texts", Default: 32, Min: 1, Max: 2048, value: count(&e.Batch),
			Meaning: "texts sent to a model in one request", Source: remoteHabits,
		},
		{
			Name: "embedding.text_limit", Unit: "KB", Default: 6, Min: 1, Max: 1024, value: scaled[int]{&e.TextLimit, kilobyte},
			Meaning: "of a longer text only the beginning is sent to a model", Source: "2048 tokens, a common context",
		},
	}, e.Asking.entries("embedding",
		askedBy{64, "a full batch of 4096 dimensions takes 3"}, askedBy{60, "a cold start of a local one takes half of it"},
		askedBy{1, remoteHabits}, askedBy{30, remoteHabits})...)
}
