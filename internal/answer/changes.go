package answer

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/bootstrap"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/fault"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/workmem"
)

// change is a file in mind that others changed while nobody was here.
type change struct {
	path     string
	subjects []string // the latest first
}

// briefingTime is what asking git may take while the agent waits.
const briefingTime = 60 * time.Millisecond

// briefing asks git which files in mind changed since the last session. It is left out where git takes too long or is none. What failed before a change that
// no session made may be over.
func (s *starting) briefing(ctx context.Context) {
	s.failing = slices.DeleteFunc(s.failing, s.changedByHand)
	most := s.brain.Config.Tuning.Context.BriefingCommits
	if len(s.heat.Files) == 0 || s.last.IsZero() || most == 0 || s.root == "" || s.project.Identity == s.project.Root { // no repository
		return
	}
	git := bootstrap.Git{Root: s.root}
	ctx, cancel := context.WithTimeout(ctx, briefingTime)
	defer cancel()
	commits, err := git.Since(ctx, s.last, most)
	if err != nil {
		return
	}
	subjects := map[string][]string{}
	for _, c := range commits {
		for _, path := range c.Paths {
			subjects[path] = append(subjects[path], c.Subject)
			if !fault.IsProse(path) {
				s.failing = nil
			}
		}
	}
	for _, f := range s.heat.Files {
		if list := subjects[f.Path]; len(list) > 0 {
			s.changes = append(s.changes, change{path: f.Path, subjects: list})
		}
	}
}

// changedByHand reports whether a file that a failure names was written after it.
func (s *starting) changedByHand(f fault.Failure) bool {
	return slices.ContainsFunc(fault.Files(f.Text), func(name string) bool {
		if !filepath.IsAbs(name) {
			name = filepath.Join(s.root, filepath.FromSlash(name))
		}
		info, err := os.Lstat(name)
		return s.root != "" && err == nil && info.ModTime().After(f.At.Add(time.Second)) // clocks of file systems are coarse
	})
}

func (s *starting) changeItems() (items []workmem.Item) {
	for _, c := range s.changes {
		text := "- " + record.ShownName(c.path) + ": commit"
		if n := len(c.subjects); n > 1 {
			text = fmt.Sprintf("- %s: %d commits, the latest", record.ShownName(c.path), n)
		}
		if subject := brain.AsData(c.subjects[0]); !workmem.Withheld(memory.OriginAgent, subject) {
			text += " " + workmem.Quoted(subject)
		}
		items = append(items, workmem.Item{Key: "change " + c.path, Text: text})
	}
	return items
}

// failingItems are the latest failures that are surely open.
func (s *starting) failingItems() (items []workmem.Item) {
	for _, f := range slices.Backward(s.failing) {
		if text := failedCall(f.Event, failingBytes); len(items) < failingShown && !workmem.Withheld(memory.OriginTool, text) {
			items = append(items, workmem.Item{Key: said(text), Text: "- " + stillFailing + ", " + brain.ShortDay(f.At, s.now) + ": " + text})
		}
	}
	return items
}
