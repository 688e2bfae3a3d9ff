package views

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/failpoint"
	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/memory"
)

const (
	folderMode = 0o700 // what hebb remembers is nobody else's business
	fileMode   = 0o600

	// sizeMost is far above any text that a person edits by hand. A larger file is there by mistake, and reading it whole,
	// again and again, would be another.
	sizeMost = 4 << 20
)

// means is what a file system is asked for, best first. Tests begin further down.
type means int

const (
	exchanging means = iota // two files change places
	linking                 // a file gets a name that nobody has
	creating                // a file is created under a name that nobody has, and then written
)

// view is one view of a vault that is open for work. Every path goes through root, which does not leave the folder.
type view struct {
	Vault
	root    *os.Root
	name    string
	private string // folder of its retired copies
}

func (v Vault) openRoot() (*view, error) {
	if v.Dir == "" || v.Now == nil {
		return nil, fmt.Errorf("a vault needs a folder and a clock: %w", memory.ErrInvalid)
	}
	root, err := os.OpenRoot(v.Dir)
	if err != nil {
		return nil, err
	}
	return &view{Vault: v, root: root}, nil
}

// open begins work on a view. With create the folder of the vault is made.
func (v Vault) open(name string, create bool) (w *view, err error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	if create && v.Dir != "" {
		if err := os.MkdirAll(v.Dir, folderMode); err != nil {
			return nil, err
		}
	}
	if w, err = v.openRoot(); err != nil {
		return nil, err
	}
	w.name, w.private = name, path.Join(privateFolder, name)
	if err := w.checkLinks(); err != nil {
		w.close()
		return nil, err
	}
	return w, nil
}

func (w *view) close() { _ = w.root.Close() } // nothing is written through it

func (w *view) before(step string) {
	failpoint.Here(step)
	if w.step != nil {
		w.step(step)
	}
}

// checkLinks says in plain words that a folder on the way leads out; root would not go there anyway.
func (w *view) checkLinks() error {
	for i, r := range w.name {
		if r != '/' {
			continue
		}
		info, err := w.root.Lstat(w.name[:i])
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			continue // what else is wrong with it is seen when it is used
		}
		if _, err := w.root.Stat(w.name[:i]); err != nil {
			return fmt.Errorf("the folder %s is a link that leads out of %s; put a folder there: %w", w.name[:i], w.Dir, memory.ErrInvalid)
		}
	}
	return nil
}

// content is a file as it is at one moment.
type content struct {
	text  string
	there bool
	mode  fs.FileMode
	at    time.Time
	moved time.Time // when it was last written or renamed, by the clock of the system
}

// read reads a plain file. One that is missing has no text.
func (w *view) read(name string) (content, error) {
	missing := content{mode: fileMode}
	info, err := w.root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return missing, nil
	}
	if err != nil {
		return missing, err
	}
	if err := w.plain(name, info); err != nil {
		return missing, err
	}
	f, err := filesys.OpenIn(w.root, name)
	if errors.Is(err, fs.ErrNotExist) {
		return missing, nil
	}
	if err != nil {
		return missing, err
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil {
		return missing, err
	}
	if err := w.plain(name, info); err != nil { // it may be another one by now
		return missing, err
	}
	text, err := io.ReadAll(io.LimitReader(f, sizeMost+1))
	if err == nil && len(text) > sizeMost {
		err = w.tooLarge(name)
	}
	return content{text: string(text), there: true, mode: info.Mode().Perm(), at: info.ModTime(), moved: filesys.Written(info)}, err
}

// plain refuses what is no file of text. A link is refused wherever it leads: exchanging it would part it from its file.
func (w *view) plain(name string, info fs.FileInfo) error {
	file := filepath.Join(w.Dir, filepath.FromSlash(name))
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return fmt.Errorf("%s is a link; put a plain file there, or nothing: %w", file, memory.ErrInvalid)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is no plain file; move it away: %w", file, memory.ErrInvalid)
	case info.Size() > sizeMost:
		return w.tooLarge(name)
	}
	return nil
}

func (w *view) tooLarge(name string) error {
	return fmt.Errorf("%s has more than %d MB; shorten it or move it away: %w",
		filepath.Join(w.Dir, filepath.FromSlash(name)), sizeMost>>20, memory.ErrInvalid)
}

// write makes a file that nobody has yet, down to the disk. It appends, so that it writes over nothing where an editor opens
// the file in the meantime.
func (w *view) write(name, text string, mode fs.FileMode) (written int, err error) {
	f, err := w.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, fileMode)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if name == w.name {
		w.before("fill")
	}
	written, err = f.WriteString(text)
	return written, errors.Join(err, f.Chmod(mode), f.Sync())
}

func (w *view) rename(from, to string) error {
	return filesys.Retry(func() error { return w.root.Rename(from, to) })
}

// discard removes what holds only hebb's own text. What stays is removed by a later look.
func (w *view) discard(names ...string) {
	for _, name := range names {
		_ = filesys.Retry(func() error { return w.root.Remove(w.in(name)) })
	}
}

// sync makes the names durable. Windows does so without being asked.
func (w *view) sync(folders ...string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	for _, name := range folders {
		f, err := w.root.Open(name)
		if err != nil {
			return err
		}
		err = f.Sync()
		if err = errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	return nil
}

// checkName refuses names that are no names of files in the folder, on any system: people take their data with them.
func checkName(name string) error {
	bad := func(why string) error { return fmt.Errorf("the name %s: %w", why, memory.ErrInvalid) }
	if !utf8.ValidString(name) {
		return bad("is no UTF-8")
	}
	if strings.ContainsFunc(name, func(r rune) bool { return unicode.IsControl(r) || strings.ContainsRune(`\:*?"<>|`, r) }) {
		return bad(`has a control character or one of \:*?"<>|`)
	}
	for part := range strings.SplitSeq(name, "/") {
		stem, _, _ := strings.Cut(part, ".")
		switch {
		case part == "":
			return bad("has an empty part; want a path like projects/web/RECENT.md")
		case part[0] == '.':
			return bad("has a part that begins with a dot, which leads out of the folder or is hidden")
		case strings.HasSuffix(part, ".") || strings.HasSuffix(part, " "):
			return bad("has a part that ends with a dot or a blank, which Windows drops")
		case isDevice(strings.ToUpper(strings.TrimRight(stem, " "))):
			return bad("has a part that is a device on Windows")
		}
	}
	return nil
}

func isDevice(stem string) bool {
	switch stem {
	case "CON", "PRN", "AUX", "NUL":
		return true
	}
	return len(stem) == 4 && (stem[:3] == "COM" || stem[:3] == "LPT") && stem[3] >= '0' && stem[3] <= '9'
}
