package brain

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/git"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/project"
	"github.com/hebb-memory/hebb/internal/store"
)

func (b *Brain) KnowsProject(ctx context.Context, id memory.ProjectID) (bool, error) {
	return View(ctx, b.Store, func(tx *store.Tx) (bool, error) {
		_, err := tx.Project(ctx, id)
		if IsNotFound(err) {
			return false, nil
		}
		return err == nil, err
	})
}

// GitError is a repository that git cannot read; other errors are the store's.
type GitError struct{ Err error }

func (e GitError) Error() string { return e.Err.Error() }

func (e GitError) Unwrap() error { return e.Err }

// PlaceAt resolves the place around a folder. Its identity is that of the project whose memory is used there. It asks no git: doors
// do that before (Recognise). A repository that nobody has looked at has a project of its own, without memories.
func PlaceAt(c config.Config, dir string) (memory.Place, error) {
	place, err := project.Resolve(dir)
	if err != nil {
		return place, fmt.Errorf("project of %s: %w", dir, err)
	}
	return c.Home(place).Settled(), nil
}

// AtHome gives events that hooks spooled the identity of their projects, and asks git where a hook could not know it. A hook that did
// not know it may have spooled events of a paused project: they go, and so do sessions for which hebb is switched off.
func (b *Brain) AtHome(ctx context.Context, events []memory.Event) ([]memory.Event, error) {
	home := map[memory.Place]memory.Place{}
	var paused []Pause
	kept := make([]memory.Event, 0, len(events))
	if err := b.withhold(ctx, events); err != nil {
		return nil, err
	}
	for _, e := range events {
		if e.Kind == memory.Withheld {
			continue
		}
		at, known := home[e.Place]
		if !known {
			var err error
			if at, err = b.recognise(ctx, e.Place); err != nil {
				return nil, err
			}
			home[e.Place] = at
		}
		if at != e.Place {
			if paused == nil {
				var err error
				if paused, err = View(ctx, b.Store, func(tx *store.Tx) ([]Pause, error) { return Pauses.Get(ctx, tx) }); err != nil {
					return nil, err
				}
				paused = append(paused, Pause{}) // read once
			}
			if b.Config.Paused(at.Project()) || Covers(paused, at.Project(), e.At) {
				continue
			}
		}
		e.Place = at
		kept = append(kept, e)
	}
	return kept, nil
}

// withhold marks the sessions for which hebb is switched off as forgotten up to now.
func (b *Brain) withhold(ctx context.Context, events []memory.Event) error {
	off := map[[2]string]bool{}
	for _, e := range events {
		if e.Kind == memory.Withheld {
			off[[2]string{string(e.Agent), e.AgentSession}] = true
		}
	}
	if len(off) == 0 {
		return nil
	}
	return b.Store.Update(ctx, func(tx *store.Tx) (err error) {
		for run := range off {
			err = errors.Join(err, tx.TraceRun(ctx, memory.Agent(run[0]), run[1]))
		}
		return err
	})
}

// Recognise finds out which project lies around a folder, if nobody has looked since its repository came there; "" is none. It must
// not be called in a transaction.
func (b *Brain) Recognise(ctx context.Context, dir string) error {
	if dir == "" {
		return nil
	}
	place, err := project.Resolve(dir)
	if err != nil {
		return nil //nolint:nilerr // what is asked about the folder will say so
	}
	_, err = b.recognise(ctx, place)
	return err
}

// recognising bounds the time that git may take to say which repository a new place is: it walks the whole history once.
const recognising = 30 * time.Second

// recognise returns a place with the identity of its project. It asks git what the repository is known by only if it is another one
// than lay there when somebody looked last, and writes down the answer. One that is gone or that git cannot read, and of which
// nothing is written down, has a project of its own: never the one that lay there before.
func (b *Brain) recognise(ctx context.Context, place memory.Place) (memory.Place, error) {
	at := b.Config.Home(place)
	if at.Mark == "" || b.Config.Dir == "" {
		return at.Settled(), nil
	}
	root, err := memory.UnescapePath(place.Root)
	if err != nil {
		return at.Settled(), nil //nolint:nilerr // no path: nobody can look at it
	}
	root = filepath.FromSlash(root)
	if now, err := project.Resolve(root); err != nil || now != place {
		return at.Settled(), nil //nolint:nilerr // it is gone, or another one is there
	}
	asking, cancel := context.WithTimeout(ctx, recognising)
	defer cancel()
	repo := git.Repo{Root: root}
	repository, unread := repo.Known(asking, nil)
	if ctx.Err() != nil {
		return at, ctx.Err()
	}
	known, err := b.knownRepositories(ctx)
	if err != nil {
		return at, err
	}
	before := b.before(place, repository)
	found := config.Place{Identity: place.Identity, Mark: place.Mark, Repository: repository, Home: before.Home}
	from, _ := b.Config.Place(strings.TrimPrefix(repository.Remote, memory.FolderRemote)) // of another remote there is none
	switch is, ok := known.find(place, before, from, repository); {
	case ok && unread == nil:
		if found.Project = is; before.Identity == place.Root {
			found.Identity = place.Root // a work tree that was split off stays so
		}
	case b.wasHere(asking, repo, known, place):
		found.Project = place.Identity
	case unread == nil && b.nowSame(asking, repository) != "":
		found.Project = b.nowSame(asking, repository)
	case known.usedBefore(place, root, repository) != "":
		found.Project = known.usedBefore(place, root, repository)
	case unread != nil || known.byIdentity(place.OwnIdentity()) != nil:
		found.Project = place.OwnIdentity()
	case repository.Remote != "":
		found.Project = repository.NewIdentity()
	case !repository.Known() && before.Identity == "" && known.byIdentity(place.Identity) == nil:
		found.Project = place.Identity // without a commit it keeps its path
	default:
		found.Project = place.OwnIdentity()
	}
	at = b.Config.Home(memory.Place{Identity: found.Project, Root: place.Root})
	if p := known.byIdentity(place.Identity); p != nil && before.Mark == "" && p.Known() {
		err = b.keepRepository(ctx, p.ID, p.Repository) // only the file that is replaced now said so
	}
	if err == nil {
		err = b.keepMoved(place)
	}
	if err == nil {
		err = b.Config.SavePlace(found)
	}
	is := known.byIdentity(at.Identity)
	if err != nil || is == nil {
		return at, err
	}
	err = b.keepRepository(ctx, is.ID, repository)
	if err == nil && is.Root != place.Root && isGone(is.Root) {
		err = b.Notify(ctx, movedNotice, is.ID, fmt.Sprintf(
			"hebb recognised this repository, which was at %s: what was learned there is used here", is.Root))
	}
	return at, err
}

// before returns what was written down about a place: of the work tree if that was split off, else of the repository; else of one
// with the same mark that lay where nothing is left, and so was moved here.
func (b *Brain) before(place memory.Place, r memory.Repository) config.Place {
	if tree, ok := b.Config.Place(place.Root); ok && memory.IsSplit(tree.Project) && tree.Continues(r) {
		return tree
	}
	before, ok := b.Config.Place(place.Identity)
	if before.Mark == "" && before.Home != "" { // of a version that knew only paths
		before.Project = b.Config.Home(memory.Place{Identity: before.Identity}).Identity
	}
	if ok {
		return before
	}
	places, _ := b.Config.Places() // what cannot be read was not there
	for _, p := range places {
		if p.Mark == place.Mark && p.Project != "" && isGone(p.Identity) {
			p.Home = ""
			return p
		}
	}
	return before
}

// keepMoved keeps what is known of the repository that lay at a place before another one came there, for the case that it was moved: its mark
// tells it then (before).
func (b *Brain) keepMoved(place memory.Place) error {
	was, ok := b.Config.Place(place.Identity)
	if !ok || was.Project == "" || was.Mark == "" || was.Mark == place.Mark {
		return nil
	}
	identity := memory.Place{Identity: was.Identity, Mark: was.Mark}.OwnIdentity()
	kept, _ := b.Config.Place(identity) // it may say what its project was merged into
	kept.Identity, kept.Mark, kept.Project, kept.Repository = identity, was.Mark, was.Project, was.Repository
	return b.Config.SavePlace(kept)
}

// FolderOf returns a work tree of a project: the one last worked in or, where another repository lies there now, another one of this
// machine. ok is false where there is none.
func FolderOf(c config.Config, p memory.Project) (root string, ok bool) {
	if root, err := memory.UnescapePath(p.Root); err == nil {
		root = filepath.FromSlash(root)
		place, err := project.Resolve(root)
		if err != nil || place.Mark == "" || place.Root != p.Root || c.Home(place).Project() == p.ID {
			return root, true
		}
	}
	places, _ := c.Places() // what cannot be read is nowhere
	for _, known := range places {
		folder, err := memory.UnescapePath(known.Identity)
		if err != nil || known.Project != p.Identity {
			continue
		}
		place, err := project.Resolve(filepath.FromSlash(folder))
		if err == nil && c.Home(place).Project() == p.ID {
			if root, err := memory.UnescapePath(place.Root); err == nil {
				return filepath.FromSlash(root), true
			}
		}
	}
	return "", false
}

// UseMemoryOf makes a place use the memory of a project from now on. Only this place: other clones and, where it is a linked work
// tree, the repository's own and its other trees go on as they are.
func (b *Brain) UseMemoryOf(ctx context.Context, place memory.Place, identity string) error {
	if place.Mark == "" {
		known, _ := b.Config.Place(place.Identity)
		known.Identity, known.Home = place.Identity, identity
		return b.Config.SavePlace(known)
	}
	if _, err := b.recognise(ctx, place); err != nil {
		return err
	}
	known, _ := b.Config.Place(place.Identity)
	known.Mark, known.Project = place.Mark, identity
	if !strings.HasPrefix(place.Identity, place.Root+"/") { // a linked work tree
		known.Identity, known.Home = place.Root, ""
	}
	return b.Config.SavePlace(known)
}

// repositoryFact is what the repository of a project is known by.
func repositoryFact(id memory.ProjectID) store.Fact[memory.Repository] {
	return store.NewFact[memory.Repository]("repository").Of(id)
}

// keepRepository writes down what the repository of a project is known by. What is known stays; only what was missing is added: a
// fork that was merged into a project must not become what the project is known by.
func (b *Brain) keepRepository(ctx context.Context, id memory.ProjectID, r memory.Repository) error {
	before, err := View(ctx, b.Store, func(tx *store.Tx) (memory.Repository, error) { return repositoryFact(id).Get(ctx, tx) })
	url := before.Remote != "" && !strings.HasPrefix(before.Remote, memory.FolderRemote)
	if err != nil || !r.Known() || before.Known() && !before.Continues(r) && !before.Same(r) || len(before.Roots) > 0 && url {
		return err
	}
	if len(before.Roots) > 0 {
		r.Roots = before.Roots
	}
	if url || r.Remote == "" {
		r.Remote = before.Remote
	}
	if r.Remote == before.Remote && slices.Equal(r.Roots, before.Roots) {
		return nil
	}
	return b.Store.Update(ctx, func(tx *store.Tx) error { return repositoryFact(id).Set(ctx, tx, r) })
}

// knownProject is a project, and what its repository is known by.
type knownProject struct {
	memory.Project
	memory.Repository
}

type knownProjects []knownProject

// knownRepositories lists the projects of the store, the one last worked in first. What is written down about one in the store goes
// before what its identity says, and that before what its place on this machine was known by.
func (b *Brain) knownRepositories(ctx context.Context) (known knownProjects, err error) {
	places, err := b.Config.Places()
	if err != nil {
		return nil, err
	}
	err = b.Store.View(ctx, func(tx *store.Tx) error {
		projects, err := tx.Projects(ctx)
		if err != nil {
			return err
		}
		facts, err := repositoryFact(0).ByProject(ctx, tx)
		known = nil
		for _, p := range projects {
			r, ok := facts[p.ID]
			if !ok {
				r, ok = memory.RepositoryOf(p.Identity)
			}
			if place, here := b.Config.Place(p.Identity); !ok && here && place.Mark == "" { // of a version that knew only paths
				r = place.Repository
			}
			if at := slices.IndexFunc(places, func(at config.Place) bool { return at.Project == p.Identity && at.Known() }); !r.Known() && at >= 0 {
				r = places[at].Repository
			}
			known = append(known, knownProject{Project: p, Repository: r})
		}
		return err
	})
	return known, err
}

func (known knownProjects) byIdentity(identity string) *knownProject {
	i := slices.IndexFunc(known, func(p knownProject) bool { return p.Identity == identity })
	if i < 0 {
		return nil
	}
	return &known[i]
}

// find returns the project of a repository: the one that lay at its place before if it is the same; else that of the folder it was cloned
// from; else another one with the same remote, the one last worked in.
func (known knownProjects) find(place memory.Place, before, from config.Place, r memory.Repository) (identity string, ok bool) {
	moved := before.Mark == place.Mark && !before.Known() && !r.Known()
	if before.Project != "" && (before.Continues(r) || moved) {
		return before.Project, true
	}
	if here := known.byIdentity(place.Identity); here != nil && here.Known() && here.Continues(r) {
		return here.Identity, true
	}
	if from.Project != "" && from.Shares(r) && !memory.IsSplit(from.Project) {
		return from.Project, true
	}
	for _, p := range known {
		cloned := p.Remote == memory.FolderRemote+place.Identity && p.Shares(r)
		here := p.Root == place.Root && p.Continues(r)
		if !memory.IsSplit(p.Identity) && p.Known() && (p.Same(r) || cloned || here) {
			return p.Identity, true
		}
	}
	return "", false
}

// nowSame returns the project of a repository of this machine that has got a remote since somebody looked at it, and is the same by that.
func (b *Brain) nowSame(ctx context.Context, r memory.Repository) (identity string) {
	places, _ := b.Config.Places() // what cannot be read was not there
	for _, p := range places {
		folder, err := memory.UnescapePath(p.Identity)
		if err != nil || p.Project == "" || memory.IsSplit(p.Project) || !p.MayBe(r) {
			continue
		}
		if now, err := project.Resolve(filepath.FromSlash(folder)); err != nil || now.Identity != p.Identity || now.Mark != p.Mark {
			continue
		}
		if now, err := (git.Repo{Root: filepath.FromSlash(folder)}).Known(ctx, p.Roots); err == nil && now.Same(r) {
			return p.Project
		}
	}
	return ""
}

// usedBefore returns the project that was worked in at the folder of a repository before that was made: the folder became a repository, or
// its repository was made anew. Where remotes say that they are two, it is none.
func (known knownProjects) usedBefore(place memory.Place, root string, r memory.Repository) (identity string) {
	if place.Identity != place.Root+"/.git" {
		return ""
	}
	for _, p := range known { // the one last worked in first
		if p.Root != place.Root || memory.IsSplit(p.Identity) {
			continue
		}
		if p.Remote != "" && r.Remote != "" && p.Remote != r.Remote || !project.UsedBefore(root, place.Mark, p.LastAt) {
			return ""
		}
		return p.Identity
	}
	return ""
}

// wasHere reports whether the repository at a place is the one that a project of that path was made of, before anybody wrote down
// what it is known by: it holds the commits that were learned, or it was made before the project was first seen.
func (b *Brain) wasHere(ctx context.Context, repo git.Repo, known knownProjects, place memory.Place) bool {
	here := known.byIdentity(place.Identity)
	if here == nil || here.Known() {
		return false
	}
	tips, err := View(ctx, b.Store, func(tx *store.Tx) ([]string, error) { return LearnedTips(here.ID).Get(ctx, tx) })
	if err != nil {
		return false
	}
	if held, err := repo.Holds(ctx, tips); len(tips) > 0 && err == nil {
		return held
	}
	return project.MadeBefore(place.Mark, here.FirstAt)
}

// LearnedTips are the commits that the branch of a project was at when all they lead to had been learned, the latest first.
func LearnedTips(id memory.ProjectID) store.Fact[[]string] {
	return store.NewFact[[]string]("history").Of(id)
}

// Twin is another project that is a clone of the same repository.
type Twin struct {
	memory.Project
	Gone bool `json:"gone"` // nothing is left of it
}

// TwinsAt lists the other projects that are clones of the repository around a folder, the one last worked in first. They come from a
// version that kept clones apart, or were split.
func (b *Brain) TwinsAt(ctx context.Context, dir string) (twins []Twin, err error) {
	place, err := PlaceAt(b.Config, dir)
	if err != nil {
		return nil, err
	}
	known, err := b.knownRepositories(ctx)
	here := known.byIdentity(place.Identity)
	if err != nil || here == nil || memory.IsSplit(here.Identity) {
		return nil, err
	}
	for _, p := range known {
		if p.ID != here.ID && !memory.IsSplit(p.Identity) && (p.Same(here.Repository) || p.MayBe(here.Repository)) {
			twins = append(twins, Twin{Project: p.Project, Gone: isGone(p.Root)})
		}
	}
	return twins, nil
}

// Double is two projects that look like one.
type Double struct {
	Keep  memory.Project `json:"keep"` // the one last worked in
	Other memory.Project `json:"other"`
	Why   string         `json:"why"`
}

// Line says so, and how a person gives both one memory.
func (d Double) Line() string {
	return fmt.Sprintf("%s (%s) and %s (%s) have %s and a memory each: if they are one project, `hebb projects merge %s %s` gives both one memory",
		d.Keep.Name, d.Keep.Root, d.Other.Name, d.Other.Root, d.Why, d.Keep.ID, d.Other.ID)
}

// Doubles lists projects that look like one under two names: the first commit or the folder is the same, and no remote says that they are two.
func (b *Brain) Doubles(ctx context.Context) ([]Double, error) {
	known, err := b.knownRepositories(ctx)
	return known.doubles(), err
}

func (known knownProjects) doubles() (found []Double) {
	known = slices.DeleteFunc(slices.Clone(known), func(p knownProject) bool { return memory.IsSplit(p.Identity) })
	for i, other := range known {
		for _, keep := range known[:i] {
			why := ""
			switch {
			case keep.Same(other.Repository) || keep.MayBe(other.Repository):
				why = "the same first commit"
			case keep.Root == other.Root && (keep.Remote == "" || other.Remote == "" || keep.Remote == other.Remote):
				why = "the same folder"
			default:
				continue
			}
			found = append(found, Double{Keep: keep.Project, Other: other.Project, Why: why})
			break
		}
	}
	return found
}

// isGone reports whether nothing is at a path that hebb stored. What cannot be looked at is not gone.
func isGone(stored string) bool {
	path, err := memory.UnescapePath(stored)
	if err != nil {
		return false
	}
	_, err = os.Lstat(filepath.FromSlash(path))
	return errors.Is(err, fs.ErrNotExist)
}

// LearnRoots writes down what the repository at a root is known by now, and offers, once, the memory of another clone.
// changed says that its history has changed, and begun that a commit without parents came with that: only then all of
// it is walked again.
func (b *Brain) LearnRoots(ctx context.Context, root string, changed, begun bool) error {
	place, err := project.Resolve(root)
	if err != nil || place.Mark == "" {
		return err
	}
	at := b.Config.Home(place)
	known, _ := b.Config.Place(place.Identity)
	if at.Mark != "" || known.Mark != place.Mark { // not looked at yet, or a work tree that was split off
		return nil
	}
	if !known.Known() || changed {
		roots := known.Roots
		if begun {
			roots = nil
		}
		if known.Repository, err = (git.Repo{Root: root}).Known(ctx, roots); err != nil {
			return GitError{Err: err}
		}
		if err := b.Config.SavePlace(known); err != nil {
			return err
		}
	}
	if err := b.keepRepository(ctx, at.Project(), known.Repository); err != nil {
		return err
	}
	twins, err := b.TwinsAt(ctx, root)
	if err != nil || len(twins) == 0 {
		return err
	}
	said, err := View(ctx, b.Store, func(tx *store.Tx) (Notice, error) { return NoticeFact(TwinNotice, at.Project()).Get(ctx, tx) })
	if line := TwinAdvice(twins); err == nil && said.Line != line {
		err = b.Notify(ctx, TwinNotice, at.Project(), line)
	}
	return err
}

// TwinAdvice is the line that offers the memory of another clone.
func TwinAdvice(twins []Twin) string {
	if len(twins) == 0 {
		return ""
	}
	line := fmt.Sprintf("hebb also knows this repository at %s: `hebb projects merge %s` gives both one memory", twins[0].Root, twins[0].ID)
	if more := len(twins) - 1; more > 0 {
		line += fmt.Sprintf(" (and %d more: `hebb status`)", more)
	}
	return line
}

// A notice is a line that the next session of a project is shown when it begins, and no session after that.
type Notice struct {
	At   time.Time `json:"at"`
	Line string    `json:"line"`
}

// The kinds of notices; a project has one of each at most.
const (
	movedNotice   = "moved"
	LearnedNotice = "learned"
	TwinNotice    = "twin"
	FloodNotice   = "flood"
)

func NoticeFact(kind string, id memory.ProjectID) store.Fact[Notice] {
	return store.NewFact[Notice]("notice").Of(id).About(kind)
}

func (b *Brain) Notify(ctx context.Context, kind string, id memory.ProjectID, line string) error {
	return b.Store.Update(ctx, func(tx *store.Tx) error {
		return NoticeFact(kind, id).Set(ctx, tx, Notice{At: tx.Now, Line: line})
	})
}

// Notices returns the lines that came after every session of the list had been opened.
func Notices(ctx context.Context, tx *store.Tx, id memory.ProjectID, sessions []memory.Session) (lines []string, err error) {
	for _, kind := range []string{movedNotice, LearnedNotice, TwinNotice, FloodNotice} {
		n, err := NoticeFact(kind, id).Get(ctx, tx)
		if err != nil {
			return nil, err
		}
		if n.Line == "" {
			continue
		}
		if !slices.ContainsFunc(sessions, func(s memory.Session) bool { return !s.OpenedAt.Before(n.At) }) {
			lines = append(lines, n.Line)
		}
	}
	return lines, nil
}
