package tuning

// Snippet bounds what is kept of a project's definitions, and says when a custom is worth a word.
type Snippet struct {
	MinLines  int   // lines a definition needs to be a snippet
	FileLimit int64 // bytes of a file that is still read
	TreeFiles int   // files of a project that are looked at
	LineLimit int   // bytes of a line that no hand wrote

	DocLength       int // bytes of a comment that are kept
	SignatureLength int // bytes of a signature that are kept
	OpeningLength   int // bytes of a body that are kept, its first lines

	CustomFiles int     // cases that must speak for a custom
	CustomShare float64 // share of the cases that must follow it
}

func (s *Snippet) entries() []Entry {
	count := func(f *int) number { return scaled[int]{f, 1} }
	return []Entry{
		{
			Name: "snippet.min_lines", Unit: "lines", Default: 5, Min: 1, Max: 100, value: count(&s.MinLines),
			Meaning: "shorter functions and types are no snippets of their own", Source: "behaviour of the seed systems",
		},
		{
			Name: "snippet.file_limit", Unit: "MB", Default: 10, Min: 1, Max: 100, value: scaled[int64]{&s.FileLimit, megabyte},
			Meaning: "larger files are not read for snippets", Source: "nobody writes such a file by hand",
		},
		{
			Name: "snippet.tree_files", Unit: "files", Default: 200000, Min: 100, Max: 10000000, value: count(&s.TreeFiles),
			Meaning: "files of a project beyond this are not looked at", Source: "as for names and imports",
		},
		{
			Name: "snippet.line_limit", Unit: "bytes", Default: 5000, Min: 200, Max: 1000000, value: count(&s.LineLimit),
			Meaning: "a file more than half of which stands in longer lines is a bundle and left out",
			Source:  "bundles have one line, data in source has a few",
		},
		{
			Name: "snippet.doc_length", Unit: "bytes", Default: 300, Min: 0, Max: 10000, value: count(&s.DocLength),
			Meaning: "how much of the comment on a definition is kept", Source: "the first sentences say what it is",
		},
		{
			Name: "snippet.signature_length", Unit: "bytes", Default: 240, Min: 20, Max: 10000, value: count(&s.SignatureLength),
			Meaning: "how much of a signature is kept", Source: "two long lines",
		},
		{
			Name: "snippet.opening_length", Unit: "bytes", Default: 500, Min: 0, Max: 10000, value: count(&s.OpeningLength),
			Meaning: "how much of a body is kept for search", Source: "behaviour of the seed systems",
		},
		{
			Name: "snippet.custom_files", Unit: "files", Default: 8, Min: 2, Max: 1000, value: count(&s.CustomFiles),
			Meaning: "files that must follow a custom of a project before it is told", Source: "fewer are chance",
		},
		{
			Name: "snippet.custom_share", Unit: "share", Default: 0.85, Min: 0.5, Max: 1, value: fraction{&s.CustomShare},
			Meaning: "share of the files that must follow a custom", Source: "every seventh may be an exception",
		},
	}
}
