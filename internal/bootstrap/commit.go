package bootstrap

import (
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// Commit is one change set of the repository's past.
type Commit struct {
	Hash string
	// At is when the author did the work, never later than the commit itself was made, nor than Git.Latest.
	At      time.Time
	Subject string   // as git has it, not yet scrubbed nor made valid text
	Files   []Change // in git's order, by path; no more than an event can hold
	// FileCount is how many files the commit changed, kept or not.
	FileCount int
}

// Change is one file of a commit. A rename is a deletion and an addition.
type Change struct {
	Path   string // raw bytes, from the top of the repository, with forward slashes
	Status byte   // A added, M modified, D deleted, T changed between file and link
}

// Event is what the commit says to the memory. It carries no author. Its words are not scrubbed.
//
// A deleted file counts as edited too: it was part of the change, and in a rename it is what ties the new name to all
// that was learned under the old.
func (c Commit) Event(place memory.Place, limits tuning.Capture) memory.Event {
	return memory.Event{
		ID:      memory.DerivedEventID("git", place.Identity, c.Hash),
		At:      c.At,
		Kind:    memory.Committed,
		Origin:  memory.OriginRepo,
		Agent:   memory.AgentGit,
		Place:   place,
		Input:   c.Hash,
		Text:    shorten(strings.ToValidUTF8(c.Subject, "\uFFFD"), limits.TextLimit),
		Touches: touches(c.Files, limits.TouchLimit),
	}
}

func touches(files []Change, limit int) []memory.Touch {
	if len(files) == 0 || limit <= 0 {
		return nil
	}
	found := make([]memory.Touch, 0, min(len(files), limit))
	seen := make(map[string]bool, min(len(files), limit))
	for _, f := range files {
		if len(found) == limit {
			break
		}
		if seen[f.Path] {
			continue
		}
		seen[f.Path] = true
		found = append(found, memory.Touch{Kind: memory.Edit, Path: memory.EscapePath(f.Path)})
	}
	return found
}

// shorten cuts text to at most limit bytes, between two runes.
func shorten(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	end := max(limit, 0)
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}
