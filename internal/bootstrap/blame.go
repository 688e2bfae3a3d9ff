package bootstrap

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
)

// ByOthers says of each line of a file, whose content is text, whether somebody else than the person of git's settings committed
// it: one who has no mail there committed none. What no repository has, or is not committed yet, is nobody else's: nil.
// Lines are told by their number, because git may know them by another text than the file has. In doubt they are others'.
func ByOthers(ctx context.Context, file, text string) (others []bool, err error) {
	if file, err = filepath.EvalSymlinks(file); err != nil {
		return nil, err
	}
	g, name := Git{Root: filepath.Dir(file)}, filepath.Base(file)
	_, err = g.ask(ctx, nil, "ls-files", "--error-unmatch", "--", name)
	switch {
	case saidNo(err), errors.Is(err, memory.ErrNotFound), errors.Is(err, exec.ErrNotFound): // untracked, no repository, no git
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("who wrote %s: %w", file, err)
	}
	if tip, err := g.Tip(ctx); err != nil || tip == "" {
		return nil, err // nothing is committed
	}
	if others, err = g.blameOthers(ctx, name, text); err != nil {
		return nil, fmt.Errorf("who wrote %s: %w", file, err)
	}
	return others, nil
}

func (g Git) blameOthers(ctx context.Context, name, text string) ([]bool, error) {
	me, err := g.ask(ctx, nil, "config", "--get", "user.email")
	if err != nil && !saidNo(err) {
		return nil, err
	}
	me = strings.TrimSpace(me)
	now, err := g.blame(ctx, me, "--", name)
	if err != nil {
		return nil, err
	}
	// What git makes of the file by these attributes may differ from what is committed, though nobody changed a line.
	converted, err := g.ask(ctx, nil, "check-attr", "ident", "filter", "working-tree-encoding", "--", name)
	if err != nil {
		return nil, err
	}
	doubt := false
	for line := range strings.Lines(converted) {
		line = strings.TrimSpace(line)
		doubt = doubt || !strings.HasSuffix(line, ": unspecified") && !strings.HasSuffix(line, ": unset")
	}
	committed := map[string]bool{} // lines that others committed: another end or mark of a line makes none the person's
	head, err := g.ask(ctx, nil, "ls-tree", "HEAD", "--", name)
	if err != nil {
		return nil, err
	}
	if head != "" {
		before, err := g.blame(ctx, me, "HEAD", "--", name)
		if err != nil {
			return nil, err
		}
		for _, line := range before {
			if line.other {
				committed[bareLine(line.text)] = true
			}
		}
	}
	var others []bool
	for line := range strings.Lines(text) {
		i := len(others)
		others = append(others, i >= len(now) || now[i].other || now[i].fresh && (doubt || committed[bareLine(line)]))
	}
	if len(others) != len(now) { // the numbers mean nothing
		for i := range others {
			others[i] = true
		}
	}
	return others, nil
}

// bareLine is a line without space and byte order mark around it.
func bareLine(line string) string { return strings.TrimSpace(strings.TrimPrefix(line, "\uFEFF")) }

// blamed is a line as git knows it.
type blamed struct {
	text  string
	fresh bool // it is not committed
	other bool // somebody else committed it
}

// blame asks for the lines of a file, as it stands or at a revision. A mail of "" has committed nothing.
func (g Git) blame(ctx context.Context, me string, what ...string) (lines []blamed, err error) {
	// No settings of the repository may run a program or leave commits out.
	args := []string{"-c", "blame.ignoreRevsFile=", "blame", "--no-textconv", "--line-porcelain"}
	out, err := g.ask(ctx, nil, append(args, what...)...)
	if err != nil {
		return nil, err
	}
	var at *blamed // the line whose head is read
	for line := range strings.Lines(out) {
		if at == nil { // "<hash> <line there> <line here>"; the author's name and mail are anybody's to choose, the hash is not
			hash, _, _ := strings.Cut(line, " ")
			fresh := len(hash) >= 40 && strings.Trim(hash, "0") == ""
			lines = append(lines, blamed{fresh: fresh, other: !fresh})
			at = &lines[len(lines)-1]
			continue
		}
		if text, is := strings.CutPrefix(line, "\t"); is {
			at.text, at = text, nil
			continue
		}
		if mail, is := strings.CutPrefix(line, "author-mail "); is && !at.fresh {
			at.other = me == "" || !strings.EqualFold(strings.TrimSpace(mail), "<"+me+">")
		}
	}
	return lines, nil
}
