package statements

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/fault"
	"github.com/hebb-memory/hebb/internal/git"
	"github.com/hebb-memory/hebb/internal/lines"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/shell"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/transcript"
	"github.com/hebb-memory/hebb/internal/typed"
)

// material is what a model is shown of a session, and what its answer is checked by.
type material struct {
	of       memory.Session
	session  lines.Session
	standing []memory.Crystal
	goals    []lines.Known
	failing  []lines.Known
	fails    map[string]bool // failures that it is told
	whole    map[string]bool // sources of the prompts that it sees from beginning to end
	proof    lines.Evidence
	root     string // the work tree, empty if it is not here
	asked    map[string]bool
	commit   string // the latest before the session
	calls    []ranAt
	habits   [][]string
}

const (
	knownChars  = 200                  // of a goal or a failure
	besideMost  = 5                    // other sessions that are named
	asideMost   = 8                    // lines that gave way
	promptsRead = 500                  // of the project, in which a name may have been typed
	openedIn    = 200                  // latest sessions whose files are known names
	ranWithin   = 180 * 24 * time.Hour // commands whose names count
	wholeChars  = 1800                 // of a prompt that is shown whole
)

// material gathers what a model is to read of a session.
func (by Scribe) material(ctx context.Context, b *brain.Brain, s memory.Session) (*material, error) {
	r := &material{of: s, fails: map[string]bool{}, whole: map[string]bool{}, asked: map[string]bool{}}
	err := b.Store.View(ctx, func(tx *store.Tx) error {
		project, err := tx.Project(ctx, s.Project)
		if err != nil {
			return err
		}
		r.root, _ = brain.FolderOf(b.Config, project)
		events, err1 := tx.Events(ctx, store.EventFilter{Session: s.ID})
		slices.Reverse(events)
		r.turns(events)
		var err3 error
		err2 := r.stand(ctx, tx)
		open, err4 := by.Goals(ctx, tx, s.Project, true)
		for _, g := range open {
			r.goals = append(r.goals, lines.Known{ID: string(g.ID), Text: prose.Shorten(prose.OneLine(g.Title), knownChars)})
		}
		failing, err5 := record.OpenFailures(ctx, tx, s.Project)
		for _, f := range failing {
			if memory.NewSessionID(f.Agent, f.AgentSession, s.Project) == s.ID {
				r.fails[string(f.ID)] = true
				r.failing = append(r.failing, lines.Known{ID: string(f.ID), Text: prose.Shorten(prose.OneLine(f.Input+": "+fault.Summary(f.Text)), knownChars)})
			}
		}
		if by.Ask == nil {
			var err error
			r.habits, err = by.Habits(ctx, tx, s.Project, habitLeast)
			err1 = errors.Join(err1, err)
		}
		r.session.Beside, err3 = beside(ctx, tx, s)
		return errors.Join(err1, err2, err3, err4, err5, r.work(ctx, tx))
	})
	if err != nil {
		return nil, err
	}
	if by.Ask == nil {
		return r, nil
	}
	texts, err := by.Texts(ctx, s)
	r.texts(texts)
	return r, err
}

// stand reads the lines that stand, and a few that gave way and matter in this session.
func (r *material) stand(ctx context.Context, tx *store.Tx) (err error) {
	var aside []memory.Crystal
	var err2 error
	r.standing, err = Lines(ctx, tx, r.of.Project)
	if aside, err2 = linesAside(ctx, tx, r.of.Project); len(aside) == 0 || err2 != nil {
		return errors.Join(err, err2)
	}
	told := strings.Join(r.session.Parts(), "")
	aside = slices.DeleteFunc(aside, func(c memory.Crystal) bool {
		return !slices.ContainsFunc(c.Line.When, func(when string) bool { return strings.Contains(told, when) })
	})
	r.standing = append(r.standing, aside[:min(len(aside), asideMost)]...)
	return err
}

// turns are the prompts of a session with what became of each.
func (r *material) turns(events []memory.StoredEvent) {
	list := &r.session.Turns
	last := func() *lines.Turn {
		if len(*list) == 0 {
			*list = append(*list, lines.Turn{})
		}
		return &(*list)[len(*list)-1]
	}
	r.session.Held = r.of.OpenedAt
	for _, e := range events {
		if e.Subagent != "" {
			continue
		}
		switch e.Kind {
		case memory.Prompted:
			t := lines.Turn{At: e.At, Prompt: e.Text}
			if e.Origin == memory.OriginUser {
				t.Typed = typed.OwnParts(e.Text)
				r.whole[SourceOf(e)] = len(e.Text) <= wholeChars
			}
			*list = append(*list, t)
		case memory.Compacted:
			*list = append(*list, lines.Turn{At: e.At, Summary: e.Text})
		case memory.TurnEnded:
			last().Answer = e.Text
		case memory.ToolUsed, memory.ToolFailed:
			failed := e.Kind == memory.ToolFailed
			if shell.IsTool(e.Tool) && e.Input != "" {
				r.calls = append(r.calls, ranAt{lines.Ran{Command: e.Input, Failed: failed, Tail: e.Text}, e.At})
				last().Ran = append(last().Ran, lines.Ran{Command: e.Input, Failed: failed, Tail: e.Text})
			}
			for _, t := range e.Touches {
				name := record.ShownName(t.Path)
				if t.Kind == memory.Edit && !failed {
					r.calls = append(r.calls, ranAt{}) // what follows may work because of it
				}
				if t.Kind == memory.Edit && !failed && !slices.Contains(last().Edited, name) {
					last().Edited = append(last().Edited, name)
				}
				if !failed {
					r.proof.Touched = append(r.proof.Touched, name)
				}
			}
		}
	}
}

// work reads what the project's earlier work bears out.
func (r *material) work(ctx context.Context, tx *store.Tx) error {
	ran, err1 := tx.CommandsSince(ctx, r.of.Project, tx.Now.Add(-ranWithin))
	for _, e := range ran {
		if e.Kind == memory.ToolUsed {
			r.proof.Ran = append(r.proof.Ran, e.Input)
		}
	}
	prompts, err2 := tx.Prompts(ctx, r.of.Project, tx.Now.Add(-ranWithin), promptsRead)
	for _, p := range prompts {
		r.proof.Typed = append(r.proof.Typed, typed.OwnParts(p.Text)...)
	}
	sessions, err3 := tx.Sessions(ctx, store.SessionFilter{ByAgents: true, Project: r.of.Project, Limit: openedIn})
	var earlier []memory.SessionID
	for _, o := range sessions {
		if o.ID != r.of.ID {
			earlier = append(earlier, o.ID)
		}
	}
	opened, err4 := tx.OpenedIn(ctx, earlier)
	for _, o := range opened {
		name := record.ShownName(o.Path)
		if _, err := os.Lstat(filepath.Join(r.root, filepath.FromSlash(name))); r.root != "" && err == nil && r.own(name) { // opening it may have failed
			r.proof.Touched = append(r.proof.Touched, name)
		}
	}
	for _, l := range r.standing { // their names were borne out by sessions of their own
		r.proof.Touched = append(r.proof.Touched, l.Text)
	}
	return errors.Join(err1, err2, err3, err4)
}

// texts adds what only the agent's own transcript has: words on the way, those with which a call was rejected, and what tools returned.
func (r *material) texts(list []transcript.Text) {
	turns := r.session.Turns
	for _, t := range list {
		i := len(turns) - 1
		for i > 0 && (turns[i].At.After(t.At) || turns[i].Summary != "") {
			i--
		}
		text := strings.TrimSpace(scrub.Clean(t.Text))
		if i < 0 || text == "" {
			continue
		}
		switch t.Kind {
		case transcript.OnTheWay:
			turns[i].Before = append(turns[i].Before, text)
		case transcript.Refused:
			turns[i].Refused = append(turns[i].Refused, text)
			r.proof.Typed = append(r.proof.Typed, text)
		case transcript.Output:
			r.output(t)
		}
	}
}

// output sorts what a tool returned by who wrote it: others, the commands that were run, or the project's own files.
func (r *material) output(t transcript.Text) {
	switch {
	case shell.IsTool(t.Tool) && !fetches(t.Input):
		r.proof.Printed = append(r.proof.Printed, t.Text)
	case readsFile(t.Tool) && r.own(t.Input), writesFile(t.Tool):
	default:
		r.proof.Outside = append(r.proof.Outside, t.Text)
	}
}

// own reports whether a file lies in the work tree, where no others' code lies.
func (r *material) own(file string) bool {
	inside := strings.TrimPrefix(strings.ReplaceAll(file, `\`, "/"), strings.ReplaceAll(r.root, `\`, "/")+"/")
	if path.IsAbs(inside) || strings.HasPrefix(inside, "~") || strings.HasPrefix(inside, "..") {
		return false
	}
	return !slices.ContainsFunc(strings.Split(inside, "/"), func(folder string) bool {
		return slices.Contains([]string{"node_modules", "vendor", ".venv", "venv", "site-packages", "target", "deps", "third_party", "tmp", ".cache"}, folder)
	})
}

func readsFile(tool string) bool {
	return slices.Contains([]string{"read", "grep", "glob", "ls", "read_file", "list_directory", "search_file_content", "view", "list"}, strings.ToLower(tool))
}

func writesFile(tool string) bool {
	return slices.Contains([]string{"edit", "write", "multiedit", "notebookedit", "apply_patch", "replace", "write_file", "todowrite"}, strings.ToLower(tool))
}

// fetches reports whether a command shows what others wrote: pages, issues, files of dependencies.
func fetches(line string) bool {
	return slices.ContainsFunc(shell.Runs(line, ""), func(run shell.Run) bool {
		return slices.Contains([]string{"curl", "wget", "http", "https", "gh", "glab", "hub", "lynx", "w3m", "links", "npm", "pip", "pip3", "cargo", "gem", "brew"}, run.Program) && run.Sub() != "run" && run.Sub() != "test" ||
			slices.ContainsFunc(run.Args, func(arg string) bool {
				return strings.Contains(arg, "node_modules") || strings.Contains(arg, "site-packages")
			})
	})
}

// evidence is what may bear out a name. Git is asked for each name once.
func (r *material) evidence(ctx context.Context) lines.Evidence {
	e := r.proof
	e.Tracked = func(name string) bool {
		known, is := r.asked[name]
		if is || r.root == "" {
			return known
		}
		repo := git.Repo{Root: r.root}
		var err error
		if r.commit == "" {
			r.commit, err = repo.Before(ctx, r.of.OpenedAt)
		}
		if err == nil && r.commit != "" {
			known, err = repo.Says(ctx, r.commit, name)
		}
		r.asked[name] = known && err == nil
		return r.asked[name]
	}
	return e
}

// known are the lines that stand, as the model is shown them.
func (r *material) known() (list []lines.Standing) {
	for _, c := range r.standing {
		kind := lines.Kind(c.Kind)
		theirs := c.Line.Person && (kind == lines.Preference || kind == lines.Decision) || !c.Line.KeptAt.IsZero()
		list = append(list, lines.Standing{ID: r.name(c.ID), Kind: kind, Text: c.Text, Person: theirs, Aside: c.Line.Aside})
	}
	return list
}

// name is a short name of a line for the question.
func (r *material) name(id memory.CrystalID) string {
	return fmt.Sprintf("L%d", 1+slices.IndexFunc(r.standing, func(c memory.Crystal) bool { return c.ID == id }))
}

// line is the line with a short name.
func (r *material) line(name string) (c memory.Crystal, ok bool) {
	for _, c := range r.standing {
		if r.name(c.ID) == name {
			return c, true
		}
	}
	return c, false
}

// secret reports whether a secret was found in what would be sent.
func (r *material) secret() bool {
	return slices.ContainsFunc(r.session.Parts(), scrub.Redacted)
}

// beside names the sessions that went on in the same project at the same time.
func beside(ctx context.Context, tx *store.Tx, s memory.Session) (list []string, err error) {
	sessions, err := tx.Sessions(ctx, store.SessionFilter{ByAgents: true, Project: s.Project, Limit: sessionsLatest})
	for _, o := range sessions {
		if o.ID != s.ID && o.OpenedAt.Before(s.LastEventAt) && o.LastEventAt.After(s.OpenedAt) && len(list) < besideMost {
			list = append(list, fmt.Sprintf("%s to %s: %s", o.OpenedAt.Format("15:04"), o.LastEventAt.Format("15:04"), prose.Shorten(prose.OneLine(o.Intent), knownChars/2)))
		}
	}
	return list, err
}

// typedIn are the prompts that the person typed in a session, in the order of time.
func typedIn(ctx context.Context, tx *store.Tx, id memory.SessionID) ([]memory.StoredEvent, error) {
	prompts, err := tx.Events(ctx, store.EventFilter{Session: id, Kind: memory.Prompted, Origin: memory.OriginUser})
	prompts = slices.DeleteFunc(prompts, func(e memory.StoredEvent) bool { return e.Subagent != "" })
	slices.Reverse(prompts)
	return prompts, err
}
