package texts

import (
	"github.com/hebb-memory/hebb/internal/embedding"
	"github.com/hebb-memory/hebb/internal/memory"
)

// GeneralModel is the built-in embedding model: every text has a vector from it. Vectors of other models, which earlier versions of hebb
// asked for, may still be in a store; nothing reads them.
const GeneralModel = embedding.GeneralModel

// VectorOf is the vector of some words in the built-in model.
func VectorOf(words []string) memory.Vector { return embedding.General(words) }
