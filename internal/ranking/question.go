package ranking

import (
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/code"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/scrub"
)

// Fragment is the function or type of a file that a question is about.
type Fragment struct {
	Symbol string `json:"symbol"`
	First  int    `json:"first_line"`
	Last   int    `json:"last_line"`
}

// Listing is what one call of a session printed: a search the files it found, a compiler those with errors.
type Listing struct {
	Files []string
	Since int // how often the session has gone on to another file since
}

// Keeps reports whether a text can be stored as it is: a name that looks like a secret is not worth repeating, and a
// receipt that was cleaned would name another file.
func Keeps(text string) bool {
	return scrub.Clean(text) == text && !strings.Contains(text, "[redacted:")
}

// RecallInput is a question: what the work is about, which files it has open, or both.
type RecallInput struct {
	brain.Scope `flag:"all"`
	Text        string `json:"text,omitempty" arg:"1.."`
	// Earlier are prompts before the text, latest first: a short text goes on with them. They hold no error of this question.
	Earlier []string `json:"-"`
	Open    []string `json:"open,omitempty" flag:"open,o" about:"a file that is open, the latest first; may be repeated"`
	// Listed is what searches of the session printed, the latest search first.
	Listed  []Listing `json:"-"`
	Session string    `json:"session,omitempty" flag:"session,s" about:"use the open files of this session, and predict the next"`
	// Asking is the session in which the question comes up: what its searches printed counts beside open files.
	Asking memory.SessionID `json:"-"`
	// Next asks what a session opens next, instead of what a change touches. Without open files both are weighed, by how
	// much is known of sessions.
	Next bool `json:"next,omitempty" flag:"next" about:"what is opened next, instead of all that a change touches"`
	// Change asks for what a change touches alone, for comparisons.
	Change bool `json:"-"`
	// Banned files are no answers.
	Banned []string `json:"banned,omitempty"`
	Limit  int      `json:"limit,omitempty" flag:"limit,n" about:"at most this many files, 0 for all candidates"`
	Budget int      `json:"budget,omitempty" flag:"budget" about:"tokens the answers may cost an agent together, 0 for any"`
	// Least confidence of an answer; 0 shows all.
	Least   float64 `json:"least,omitempty"`
	Explain bool    `json:"explain,omitempty" flag:"explain,e" about:"show every term, the path of activation and the evidence"`
	// Precedents names the commit or session that says most as the reason of an answer, where one does.
	Precedents bool `json:"tell,omitempty"`
	// Without leaves terms out, for comparisons.
	Without []recall.Term `json:"-"`
	// Wordless answers as if there were no table of words, for comparisons.
	Wordless bool `json:"-"`
}

// RecallResult is what will be needed.
type RecallResult struct {
	Files []Recalled `json:"files"`
	// Fixes are files that fixed the error in the question before.
	Fixes []Recalled `json:"fixes"`
	// Error is the error that the question holds.
	Error string `json:"error,omitempty"`
	// Unknown are open files that were named and that no past knows: they led to no answer.
	Unknown []string `json:"unknown,omitempty"`
	// Vague says that the text tells nothing by itself. Running are then the files of the last session that opened any, the latest first, and
	// Files what it may open next.
	Vague   bool     `json:"vague,omitempty"`
	Running []string `json:"running,omitempty"`
	// Episodes is how much past there was to learn from.
	Episodes int `json:"episodes"`
	Tokens   int `json:"tokens"`
}

// Recalled is one answer.
type Recalled struct {
	Path       string           `json:"path"`
	Project    memory.ProjectID `json:"project"`
	Score      float64          `json:"score"`
	Confidence float64          `json:"confidence"`
	// Reason is why, in a few words.
	Reason string `json:"reason"`
	// Reached says that only spreading led to it.
	Reached bool   `json:"reached,omitempty"`
	Through string `json:"through,omitempty"`
	Ignored int64  `json:"ignored,omitempty"`
	Tokens  int    `json:"tokens"`
	// Fragment is where in the file to look, if its code holds the words of the question.
	Fragment *Fragment  `json:"fragment,omitempty"`
	Parts    []Part     `json:"parts,omitempty"`
	Proof    []Evidence `json:"evidence,omitempty"`

	answer    recall.Answer
	standing  float64           // what is left of its say after being ignored
	precedent *recall.Precedent // nil where no single thing of the past says most …
	with      string            // … else the open file it is about, if it is about one
}

// Answer is what ranking said, for those who learn from it.
func (r Recalled) Answer() recall.Answer { return r.answer }

// Part is what one term adds to a score.
type Part struct {
	Term    string  `json:"term"`
	Meaning string  `json:"meaning"`
	Figure  float64 `json:"figure"`
	Place   int     `json:"place,omitempty"`
	Share   float64 `json:"share"`
}

// Evidence is a past piece of work that speaks for an answer.
type Evidence struct {
	Kind string    `json:"kind"` // commit, session, link
	ID   string    `json:"id"`
	At   time.Time `json:"at"`
	Text string    `json:"text"`
	Why  string    `json:"why"`
}

// within cuts answers to what was asked for.
func within(answers []Recalled, in RecallInput, tokens *int) []Recalled {
	kept := answers[:0]
	for _, a := range answers {
		if a.Confidence < in.Least || in.Limit > 0 && len(kept) == in.Limit || in.Budget > 0 && *tokens+a.Tokens > in.Budget {
			continue
		}
		*tokens += a.Tokens
		kept = append(kept, a)
	}
	return kept
}

// LineTokens estimates what a line costs in an agent's context.
func LineTokens(r Recalled) int { return (len(r.Path)+len(r.Reason)+lineOverhead)/BytesPerToken + 1 }

const (
	lineOverhead  = 24 // the dash, the brackets and the figure
	BytesPerToken = 4  // of paths and English words, about
)

// ShownPath reports whether a path is worth an agent's attention: no lock file, nothing generated, and no name that is a text of its own.
func ShownPath(path string) bool {
	raw, err := memory.UnescapePath(path)
	return !code.Generated(path) && (err != nil || !prose.NameSpeaks(raw))
}
