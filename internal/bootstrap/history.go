package bootstrap

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
)

// History reads a repository's commits, oldest first, without merges, and hands each to yield as it arrives. No commit
// comes before its parents. since holds the Tips of earlier runs, between blanks: what they lead to is left out; one that
// exists no longer, because history was rewritten, leaves out nothing. A repository without commits has an empty history, and so has a
// shallow clone of depth one. An error of yield ends the reading and is returned as it is.
//
// Two gits work in a row, rev-list for the order and diff-tree for the files, because both are plumbing: unlike git log
// they follow no setting for people. The cost is about that of git log --reverse: the 34,242 commits of a repository
// like Django's take 2.2 to 3.1 s, of which following renames is a sixth; the first arrives after 0.2 s (few runs, on a
// shared machine). On this side a quarter of a megabyte is held halfway through; git's own memory is another matter.
func (g Git) History(ctx context.Context, since string, yield func(Commit) error) error {
	revisions, err := g.revisions(ctx, since)
	if err != nil || revisions == "" {
		return err
	}
	handed := 0
	var refused error
	err = g.read(ctx, revisions, alikeRenames, func(c Commit) error {
		handed++
		refused = yield(c)
		return refused
	})
	if refused != nil || !lacksObjects(err) {
		return err
	}
	// Only renames with an edit look into files, and a partial clone may hold none. Without them the rest is still there.
	return g.read(ctx, revisions, exactRenames, func(c Commit) error {
		if handed > 0 {
			handed--
			return nil
		}
		return yield(c)
	})
}

// lacksObjects reports whether git stopped at something that this copy of the repository does not hold.
func lacksObjects(err error) bool {
	return errors.Is(err, memory.ErrDamaged) || errors.Is(err, memory.ErrNotFound)
}

// How to find renames. An empty file resembles every other and says nothing. The limit holds for what git compares pair
// by pair: a commit in which 1000 files replace 1000 strangers would take 4 s and takes 0.01 s, and so wide a commit is
// no piece of work. Renames without an edit, and those that keep the file's own name, are found beyond it too.
var (
	alikeRenames = []string{"-M50%", "-l200", "--no-rename-empty"}
	exactRenames = []string{"-M100%", "--no-rename-empty"}
)

// read hands the files of the revisions to yield.
func (g Git) read(ctx context.Context, revisions string, renames []string, yield func(Commit) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stream, err := g.start(ctx, revisions, renames)
	if err != nil {
		return err
	}
	last, err := stream.read(ctx, g, yield)
	gitEnded := err == nil || errors.Is(err, errCutOff)
	if !gitEnded {
		cancel() // the rest is not wanted: do not wait for it to be written
	}
	if waitErr := stream.wait(ctx); gitEnded && waitErr != nil {
		err = waitErr
	}
	if err != nil || last == nil {
		return err
	}
	return yield(*last)
}

// pipeline is the two running gits.
type pipeline struct {
	out  io.ReadCloser
	wait func(context.Context) error
}

// start runs rev-list into diff-tree. The pipe between them is theirs alone, so that the end of one ends the other.
func (g Git) start(ctx context.Context, revisions string, renames []string) (*pipeline, error) {
	order, orderSaid := g.command(ctx, "rev-list", "--reverse", "--date-order", "--no-merges", "--stdin")
	files, filesSaid := g.command(ctx, slices.Concat([]string{"diff-tree", "--stdin", "-z", "-r", "--root", "--always"},
		renames, []string{"--name-status", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all", "--encoding=UTF-8",
			format})...)
	between, into, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("git history of %s: %w", g.Root, err)
	}
	defer between.Close()
	defer into.Close()
	order.Stdin, order.Stdout, files.Stdin = strings.NewReader(revisions), into, between
	out, err := files.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("git history of %s: %w", g.Root, err)
	}
	if err := order.Start(); err != nil {
		out.Close()
		return nil, g.explain(ctx, "rev-list", err, orderSaid)
	}
	if err := files.Start(); err != nil {
		between.Close() // rev-list now writes to nobody and ends
		_ = order.Wait()
		return nil, g.explain(ctx, "diff-tree", err, filesSaid)
	}
	return &pipeline{out: out, wait: func(ctx context.Context) error {
		// diff-tree is waited for first: if it stopped, it is the reason why rev-list did.
		filesErr, orderErr := files.Wait(), order.Wait()
		if filesErr != nil {
			return g.explain(ctx, "diff-tree", filesErr, filesSaid)
		}
		if orderErr != nil {
			return g.explain(ctx, "rev-list", orderErr, orderSaid)
		}
		return nil
	}}, nil
}

// read yields all commits but the last, and returns that: only git's good end tells that none of its files is missing.
func (p *pipeline) read(ctx context.Context, g Git, yield func(Commit) error) (last *Commit, err error) {
	// A wrapper around git may be killed and leave git alive; shutting the pipe ends the wait for it.
	defer context.AfterFunc(ctx, func() { p.out.Close() })()
	for parser := newParser(p.out, g); ; {
		c, err := parser.next()
		if ctx.Err() != nil {
			return nil, fmt.Errorf("git history of %s: %w", g.Root, context.Cause(ctx))
		}
		if errors.Is(err, io.EOF) {
			return nil, nil
		}
		if err != nil {
			return nil, fmt.Errorf("git history of %s: %w", g.Root, err)
		}
		if !parser.begun {
			return &c, nil
		}
		if err := yield(c); err != nil {
			return nil, err
		}
	}
}
