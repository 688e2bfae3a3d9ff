package llm

import "strings"

// model is what is known about a family of models.
type model struct {
	prefixes Prefixes
	nested   bool // its leading dimensions are a smaller model (Matryoshka)
}

// knownModel knows families by the name of the model, without the place it is from and its variant: the prefixes are
// those their makers state.
func knownModel(name string) model {
	name = strings.ToLower(name)
	name = name[strings.LastIndexByte(name, '/')+1:]
	name, _, _ = strings.Cut(name, ":")
	has := func(part string) bool { return strings.Contains("-"+name, "-"+part) }
	const instruct = "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: "
	switch {
	case has("nomic-embed"):
		return model{Prefixes{Query: "search_query: ", Document: "search_document: "}, true}
	case has("embeddinggemma"):
		return model{Prefixes{Query: "task: search result | query: ", Document: "title: none | text: "}, true}
	case has("qwen3-embedding"):
		return model{Prefixes{Query: instruct}, true}
	case has("e5-") && strings.Contains(name, "instruct"):
		return model{Prefixes{Query: instruct}, false}
	case has("e5-"):
		return model{Prefixes{Query: "query: ", Document: "passage: "}, false}
	case has("text-embedding-3"):
		return model{Prefixes{}, true}
	}
	return model{}
}
