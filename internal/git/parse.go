package git

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

// format makes every field end in a zero byte, which neither a commit message nor a file name can hold. A commit opens
// with an empty field, where a status letter would stand otherwise; all that follows is known by its position. So no
// subject and no file name can pass for something else.
const format = "--format=%x00%H%x00%P%x00%at%x00%ct%x00%an%x00%ae%x00%cn%x00%ce%x00%s"

const (
	// fieldLimit is the most that is kept of a field, and the longest path; what is longer is read past, not held.
	fieldLimit = 64 << 10
	// eventFiles bounds the memory for one commit. Wide commits are kept whole up to this.
	eventFiles = 1000
	// lastSecond ends the year 9999, after which a time has no JSON form.
	lastSecond = 253402300799
)

// parser reads what diff-tree writes.
type parser struct {
	in     *bufio.Reader
	latest time.Time
	begun  bool // the empty field before the next commit has been read
}

func newParser(in io.Reader, g Repo) *parser {
	return &parser{in: bufio.NewReaderSize(in, fieldLimit), latest: g.Latest}
}

// next returns the next commit, and io.EOF after the last.
func (p *parser) next() (Commit, error) {
	if !p.begun {
		open, _, err := p.field()
		if err != nil {
			return Commit{}, err
		}
		if open != "" {
			return Commit{}, fmt.Errorf("git wrote %q where a commit should begin: %w", open, memory.ErrDamaged)
		}
	}
	p.begun = false
	var head [9]string
	for i := range head {
		var err error
		if head[i], _, err = p.field(); err != nil {
			return Commit{}, cutOff(err)
		}
	}
	if !isHash(head[0]) {
		return Commit{}, fmt.Errorf("git wrote %q where a hash should stand: %w", head[0], memory.ErrDamaged)
	}
	// Who it was is read for this one answer, and kept nowhere.
	c := Commit{
		Hash:    head[0],
		Root:    head[1] == "",
		At:      moment(head[2], head[3], p.latest),
		Bot:     madeByBot(head[4], head[5], head[6], head[7]),
		Subject: head[8],
	}
	err := p.changes(&c)
	return c, err
}

// changes reads the changed files up to the next commit or the end.
func (p *parser) changes(c *Commit) error {
	for {
		status, _, err := p.field()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if status == "" {
			p.begun = true
			return nil
		}
		status = strings.TrimPrefix(status, "\n") // git parts the words from the list by a line
		if !isStatus(status) {
			return fmt.Errorf("git wrote %q where a status should stand in commit %s: %w", status, c.Hash, memory.ErrDamaged)
		}
		change, err := p.change(status[0])
		if err != nil {
			return cutOff(err)
		}
		c.FileCount++
		if len(c.Files) < eventFiles && change.Path != "" {
			c.Files = append(c.Files, change)
		}
	}
}

// isStatus accepts a letter, and for a rename how alike the two files are in percent: R087.
func isStatus(status string) bool {
	if len(status) == 1 {
		return strings.Contains("AMDT", status)
	}
	return len(status) == 4 && status[0] == 'R' && strings.Trim(status[1:], "0123456789") == ""
}

// change reads the path of a change, and of a rename both, the old one first. A path that cannot be used is left empty.
// A rename of which one half cannot be used is what remains: an addition or a deletion.
func (p *parser) change(status byte) (Change, error) {
	name, err := p.name()
	if err != nil || status != 'R' {
		return Change{Path: name, Status: status}, err
	}
	newName, err := p.name()
	switch {
	case newName == "":
		return Change{Path: name, Status: 'D'}, err
	case name == "":
		return Change{Path: newName, Status: 'A'}, err
	}
	return Change{Path: newName, Status: status, Old: name}, err
}

// name reads a path, and returns nothing for one that is too long or leads elsewhere.
func (p *parser) name() (string, error) {
	name, whole, err := p.field()
	if !whole || !isLocal(name) {
		return "", err
	}
	return name, err
}

// field reads up to the next zero byte and keeps fieldLimit bytes of it. whole is false if there was more.
func (p *parser) field() (text string, whole bool, err error) {
	chunk, err := p.in.ReadSlice(0)
	if err == nil {
		return string(chunk[:len(chunk)-1]), true, nil
	}
	kept := string(chunk)
	for errors.Is(err, bufio.ErrBufferFull) {
		_, err = p.in.ReadSlice(0)
	}
	if kept != "" {
		err = cutOff(err)
	}
	return kept, false, err
}

// errCutOff says that git stopped writing inside a commit; its exit status says why.
var errCutOff = fmt.Errorf("git stopped in the middle of a commit: %w", io.ErrUnexpectedEOF)

func cutOff(err error) error {
	if errors.Is(err, io.EOF) {
		return errCutOff
	}
	return err
}

// isLocal refuses what git itself would never check out, and a forged tree can still hold: "../x", "/x", "a//b", "".
func isLocal(name string) bool {
	return name != "" && name[0] != '/' && name != "." && name != ".." && !strings.HasPrefix(name, "../") && path.Clean(name) == name
}

// moment dates a commit by its author's clock: that is when the work was done, and it stays when a rebase moves the
// committer's. Nothing is committed before it is written, so an author's clock that runs ahead is held to the
// committer's, and both to latest. A time that is none counts as absent.
func moment(author, committer string, latest time.Time) time.Time {
	at, ok := seconds(author)
	if by, known := seconds(committer); known && (!ok || by < at) {
		at = by
	}
	t := time.Unix(at, 0).UTC()
	if !latest.IsZero() && t.After(latest) {
		return latest.UTC()
	}
	return t
}

func seconds(text string) (int64, bool) {
	s, err := strconv.ParseInt(text, 10, 64)
	if err != nil || s < 0 || s > lastSecond {
		return 0, false
	}
	return s, true
}
