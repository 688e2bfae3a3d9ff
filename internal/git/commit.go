package git

import (
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/code"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// Commit is one change set of the repository's past.
type Commit struct {
	Hash string
	Root bool // it has no parents
	// At is when the author did the work, never later than the commit itself was made, nor than Repo.Latest.
	At time.Time
	// Bot says that a program made the change, not a person. Who made it is not kept.
	Bot     bool
	Subject string   // as git has it, not yet scrubbed nor made valid text
	Files   []Change // in git's order, by path; no more than an event can hold
	// FileCount is how many files the commit changed, kept or not. A rename counts once.
	FileCount int
}

// Change is one file of a commit. Copies are additions, and so is a file whose name another had before: git sees two
// files that swapped their names as modified.
type Change struct {
	Path   string // raw bytes, from the top of the repository, with forward slashes
	Status byte   // A added, M modified, D deleted, R renamed, perhaps with an edit, T changed between file and link
	Old    string // of a renamed file: its path before, like Path
}

// BotSubagent marks, as the event's Subagent, a commit that a program made: it shows what changes together, but nobody
// worked on it.
const BotSubagent = "bot"

// Event is what the commit says to the memory. It carries no author, only whether it was a program (BotSubagent). Its
// words are not scrubbed.
//
// Files that were written count as edited, those that tools write (Generated) as mentioned: they are part of the change
// and say little about it. Deleted and renamed files keep those kinds, whatever they are.
func (c Commit) Event(place memory.Place, limits tuning.Capture) memory.Event {
	e := memory.Event{
		ID:      memory.DerivedEventID("git", place.Identity, c.Hash),
		At:      c.At,
		Kind:    memory.Committed,
		Origin:  memory.OriginRepo,
		Agent:   memory.AgentGit,
		Place:   place,
		Input:   c.Hash,
		Text:    prose.Beginning(strings.ToValidUTF8(c.Subject, "\uFFFD"), limits.TextLimit),
		Touches: touches(c.Files, limits.TouchLimit),
	}
	if c.Bot {
		e.Subagent = BotSubagent
	}
	return e
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
		found = append(found, f.touch())
	}
	return found
}

func (f Change) touch() memory.Touch {
	t := memory.Touch{Kind: memory.Edit, Path: memory.EscapePath(f.Path)}
	switch {
	case f.Status == 'D':
		t.Kind = memory.Delete
	case f.Status == 'R':
		t.Kind, t.From = memory.Rename, memory.EscapePath(f.Old)
	case code.Generated(f.Path):
		t.Kind = memory.Mention
	}
	return t
}
