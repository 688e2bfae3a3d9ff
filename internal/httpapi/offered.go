package httpapi

import (
	"sync"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/state"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
)

// offered are the operations that the page may run, by the names in its addresses. Everything else is not found.
var offered = sync.OnceValue(func() map[string]call {
	return map[string]call{
		// What was shown.
		"answers": reads(inspect.Answers),
		"worth":   reads(inspect.Worth),
		"verdict": writes(statements.GiveVerdict),
		// What is remembered.
		"facets":     reads(inspect.Facets),
		"remembered": reads(inspect.RememberedList),
		"memory":     reads(inspect.OneMemory),
		"remember":   writes(statements.Remember),
		"edit":       writes(statements.Edit),
		"forget":     writes(steward.Forget),
		"pin":        writes(desk.PinMemory),
		// Sessions, and the state of mind after them.
		"sessions": reads(inspect.Sessions),
		"states":   reads(state.States),
		"restore":  writes(state.RestoreState),
		// Try a prompt, and look at a file.
		"try":  reads(answer.Try),
		"file": reads(inspect.File),
		// Health; the doctor is asked by its own name.
		"stats": reads(inspect.Stats),
		"goals": reads(goals.Goals),
		"mood":  reads(desk.MoodNow),
	}
})
