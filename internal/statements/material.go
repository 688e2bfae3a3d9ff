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
	done     int // parts that were read before
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
	did      []deed
	others   time.Time          // when the session first read a text of others
	heard    bool               // its agent keeps a transcript, which has those texts
	last     memory.StoredEvent // the last words of its agent
}

// deed is a command that ran in the session, or a file that was opened.
type deed struct {
	at        time.Time
	ran, file string
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
		progress, err6 := scribeProgressOf(s.Project).Get(ctx, tx)
		if i := slices.IndexFunc(progress.Read, sessionRead{Session: s.ID, Closed: s.ClosedAt}.same); i >= 0 {
			r.done = progress.Read[i].Parts
		}
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
		return errors.Join(err1, err2, err3, err4, err5, err6, r.work(ctx, tx))
	})
	if err != nil {
		return nil, err
	}
	texts, err := by.Texts(ctx, s)
	r.texts(texts)
	r.sortDeeds()
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
				r.proof.Said = append(r.proof.Said, t.Typed...)
				r.proof.Pasted = append(r.proof.Pasted, lines.Turns(without(e.Text, t.Typed)))
				r.whole[SourceOf(e)] = len(e.Text) <= wholeChars
			}
			*list = append(*list, t)
		case memory.Compacted:
			*list = append(*list, lines.Turn{At: e.At, Summary: e.Text})
		case memory.TurnEnded:
			last().Answer, r.last = e.Text, e
		case memory.ToolUsed, memory.ToolFailed:
			failed := e.Kind == memory.ToolFailed
			r.printed(e)
			if shell.IsTool(e.Tool) && e.Input != "" {
				r.calls = append(r.calls, ranAt{lines.Ran{Command: e.Input, Failed: failed, Tail: e.Text}, e.At})
				if !failed {
					r.did = append(r.did, deed{at: e.At, ran: e.Input})
				}
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
					r.did = append(r.did, deed{at: e.At, file: name})
				}
			}
		}
	}
}

// work reads what the project's earlier work bears out.
func (r *material) work(ctx context.Context, tx *store.Tx) error {
	ran, err1 := tx.CommandsSince(ctx, r.of.Project, tx.Now.Add(-ranWithin))
	for _, e := range ran {
		if e.Kind == memory.ToolUsed && e.Session != r.of.ID {
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
	r.heard = len(list) > 0
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
			r.proof.Typed, r.proof.Said = append(r.proof.Typed, text), append(r.proof.Said, text)
		case transcript.Output:
			r.output(t)
		}
	}
}

// output sorts what a tool returned by who wrote it: others, the commands that were run, or the project's own files.
func (r *material) output(t transcript.Text) {
	text := lines.Folded(t.Text)
	switch {
	case shell.IsTool(t.Tool) && !fetches(t.Input):
		r.proof.Printed = append(r.proof.Printed, text)
		if us := lines.AboutUs(text) + lines.Turns(text); us != "" {
			r.proof.Outside = append(r.proof.Outside, us)
		}
	case readsFile(t.Tool) && r.own(t.Input) && !othersCode(text), writesFile(t.Tool):
	default:
		r.proof.Outside = append(r.proof.Outside, text)
		r.read(t.At)
	}
}

// printed is output for what hooks bring of a call: there may be no transcript.
func (r *material) printed(e memory.StoredEvent) {
	switch {
	case shell.IsTool(e.Tool) && e.Kind == memory.ToolFailed && e.Text != "", shell.IsTool(e.Tool) && fetches(e.Input), brings(e.Tool):
		r.output(transcript.Text{At: e.At, Tool: e.Tool, Input: e.Input, Text: e.Text})
	}
}

// without is a text without some of its parts.
func without(text string, parts []string) string {
	for _, p := range parts {
		text = strings.Replace(text, p, " ", 1)
	}
	return lines.Folded(text)
}

// brings reports whether a tool hands over what others wrote.
func brings(tool string) bool {
	return strings.HasPrefix(tool, "mcp_") || slices.Contains([]string{"webfetch", "websearch", "web_fetch", "google_web_search", "fetch", "web_search"}, strings.ToLower(tool))
}

// read notes when the session first read a text of others.
func (r *material) read(at time.Time) {
	if r.others.IsZero() || at.Before(r.others) {
		r.others = at
	}
}

// sortDeeds parts what was done before the session read a text of others from what was done then.
func (r *material) sortDeeds() {
	p := &r.proof
	p.Late.Tainted = !r.others.IsZero()
	for _, d := range r.did {
		ran, touched := &p.Ran, &p.Touched
		if p.Late.Tainted && !d.at.Before(r.others) {
			ran, touched = &p.Late.Ran, &p.Late.Touched
		}
		if d.ran != "" {
			*ran = append(*ran, d.ran)
		} else {
			*touched = append(*touched, d.file)
		}
	}
}

// own reports whether a file lies in the work tree, where no others' code lies.
func (r *material) own(file string) bool {
	inside := strings.TrimPrefix(strings.ReplaceAll(file, `\`, "/"), strings.ReplaceAll(r.root, `\`, "/")+"/")
	if path.IsAbs(inside) || strings.HasPrefix(inside, "~") || strings.HasPrefix(inside, "..") {
		return false
	}
	return !slices.ContainsFunc(strings.Split(inside, "/"), func(folder string) bool {
		return slices.Contains(append([]string{"target", "tmp"}, foreignFolders...), folder)
	})
}

// foreignFolders have code of others, tracked or not.
var foreignFolders = []string{"node_modules", "vendor", ".venv", "venv", "site-packages", "deps", "third_party", ".cache", ".cargo", "pkg/mod"}

// othersCode reports whether a text has paths of others' code in it, as a search in files prints them.
func othersCode(text string) bool {
	return slices.ContainsFunc(foreignFolders, func(folder string) bool {
		return strings.HasPrefix(text, folder+"/") || strings.Contains(text, "/"+folder+"/") || strings.Contains(text, "\n"+folder+"/")
	})
}

func readsFile(tool string) bool {
	return slices.Contains([]string{"read", "grep", "glob", "ls", "read_file", "list_directory", "search_file_content", "view", "list"}, strings.ToLower(tool))
}

func writesFile(tool string) bool {
	return slices.Contains([]string{"edit", "write", "multiedit", "notebookedit", "apply_patch", "replace", "write_file", "todowrite"}, strings.ToLower(tool))
}

// fetches reports whether a command shows what others wrote: pages, issues, files of dependencies, what an installation prints.
func fetches(line string) bool {
	return slices.ContainsFunc(shell.Runs(line, ""), func(run shell.Run) bool {
		has := func(words string) bool {
			return slices.ContainsFunc(run.Args, func(arg string) bool { return slices.Contains(strings.Fields(words), arg) })
		}
		switch run.Program {
		case "curl", "wget", "http", "https":
			return !slices.ContainsFunc(run.Args, func(arg string) bool {
				return strings.Contains(arg, "localhost") || strings.Contains(arg, "127.0.0.1")
			})
		case "gh", "glab", "hub":
			return has("view list api diff search status checks show") || len(run.Args) == 0
		case "lynx", "w3m", "links", "pip", "pip3", "cargo", "gem", "brew", "npm":
			return !has("run test build check clippy fmt start")
		case "yarn", "pnpm", "bun", "poetry", "composer", "bundle", "uv":
			return has("install add i ci dlx info audit outdated why view search")
		}
		return slices.ContainsFunc(run.Args, func(arg string) bool { return othersCode("/" + arg + "/") })
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
			known, err = repo.Says(ctx, r.commit, name, foreignFolders...)
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
		list = append(list, lines.Standing{ID: r.name(c.ID), Kind: kind, Text: c.Text, Person: theirs, Confirmed: !c.Line.KeptAt.IsZero(), Aside: c.Line.Aside})
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

// beside names the sessions that went on in the same project at the same time, with what was asked in those of the same agent: its provider has
// them.
func beside(ctx context.Context, tx *store.Tx, s memory.Session) (list []string, err error) {
	sessions, err := tx.Sessions(ctx, store.SessionFilter{ByAgents: true, Project: s.Project, Limit: sessionsLatest})
	for _, o := range sessions {
		if o.ID != s.ID && o.OpenedAt.Before(s.LastEventAt) && o.LastEventAt.After(s.OpenedAt) && len(list) < besideMost {
			asked := "in another agent"
			if o.Agent == s.Agent {
				asked = prose.Shorten(prose.OneLine(o.Intent), knownChars/2)
			}
			list = append(list, fmt.Sprintf("%s to %s: %s", o.OpenedAt.Format("15:04"), o.LastEventAt.Format("15:04"), asked))
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
