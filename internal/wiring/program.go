package wiring

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"github.com/hebb-memory/hebb/internal/filesys"
)

// Copy is the hebb that agents call, in a data folder: it stays where it is and starts without a wrapper, whichever way hebb was
// installed. It follows the program it was made of, and works on when that is moved or gone.
type Copy struct{ dir string }

// CopyIn is the copy in a data folder, made or not.
func CopyIn(dataFolder string) Copy { return Copy{filepath.Join(dataFolder, "bin")} }

// Path is where agents find it.
func (c Copy) Path() string { return filepath.Join(c.dir, ProgramName(runtime.GOOS)) }

// ProgramName is the file name of hebb on a system.
func ProgramName(system string) string {
	if system == "windows" {
		return "hebb.exe"
	}
	return "hebb"
}

// Called is the program that agents call: the copy, or the program itself where no copy can run.
func (c Copy) Called() string {
	if known, err := c.source(); err == nil && known.Direct {
		return known.Path
	}
	return c.Path()
}

// source says what the copy was made of, as that was then.
type source struct {
	Path string    `json:"path"`
	Size int64     `json:"size"`
	At   time.Time `json:"modified"`
	// Direct says that agents call this program itself.
	Direct bool `json:"direct,omitempty"`
}

func (c Copy) note() string { return filepath.Join(c.dir, "source.json") }

// Make copies a program, unless the copy is of just that program already, and returns where agents
// find it. A copy that cannot run, as in a folder that allows no programs, is an error.
func (c Copy) Make(ctx context.Context, from string) (path string, err error) {
	path = c.Path()
	if same(from, path) {
		return path, nil
	}
	now, err := describe(byLink(from))
	if err != nil {
		return "", err
	}
	if known, err := c.source(); err == nil && known == now && c.runs(ctx) == nil {
		return path, nil
	}
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		return "", err
	}
	if err := replace(ctx, path, func(w io.Writer) error { return copyFile(w, from) }); err != nil {
		return "", fmt.Errorf("copy %s for agents to call: %w", from, err)
	}
	return path, c.write(now)
}

// Bypass notes that agents call a program itself, because no copy of it runs in the data folder. The
// next Make that succeeds ends that.
func (c Copy) Bypass(program string) error {
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		return err
	}
	return c.write(source{Path: program, Direct: true})
}

func (c Copy) write(s source) error {
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return filesys.Replace(c.note(), text)
}

func (c Copy) source() (s source, err error) {
	text, err := filesys.ReadFile(c.note())
	if err != nil {
		return s, err
	}
	return s, json.Unmarshal(text, &s)
}

func (c Copy) runs(ctx context.Context) error { return runs(ctx, c.Path()) }

// byLink is the link on PATH that leads to a program, if there is one: package managers change the link and remove the program.
func byLink(program string) string {
	link, err := exec.LookPath("hebb")
	if err == nil && same(link, program) {
		return link
	}
	return program
}

func describe(path string) (source, error) {
	info, err := os.Stat(path)
	if err != nil {
		return source{}, err
	}
	path, err = filepath.Abs(path)
	return source{Path: path, Size: info.Size(), At: info.ModTime().UTC()}, err
}

func same(a, b string) bool {
	one, err := os.Stat(a)
	two, second := os.Stat(b)
	return err == nil && second == nil && os.SameFile(one, two)
}

func copyFile(w io.Writer, from string) error {
	f, err := filesys.Open(from, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, f)
	return errors.Join(err, f.Close())
}

// replace writes a program beside path, sees that it runs, and puts it in the place of what is
// there, with its permissions. A program that runs may be replaced: on Windows it is moved aside
// first, and removed the next time.
func replace(ctx context.Context, path string, fill func(io.Writer) error) (err error) {
	sweep(path)
	work, err := os.MkdirTemp(filepath.Dir(path), freshPrefix+"*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	fresh := filepath.Join(work, filepath.Base(path))
	f, err := filesys.Open(fresh, os.O_CREATE|os.O_RDWR|os.O_EXCL, 0o755)
	if err != nil {
		return err
	}
	err = errors.Join(fill(f), f.Sync())
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := runs(ctx, fresh); err != nil {
		return err
	}
	before, err := os.Stat(path)
	if err != nil {
		return filesys.Rename(fresh, path) // there is none
	}
	if err := os.Chmod(fresh, before.Mode().Perm()); err != nil || runtime.GOOS != "windows" {
		return errors.Join(err, filesys.Rename(fresh, path))
	}
	aside := path + asideSuffix + filepath.Base(work)
	if err := filesys.Rename(path, aside); err != nil {
		return err
	}
	if err := filesys.Rename(fresh, path); err != nil {
		return errors.Join(err, filesys.Rename(aside, path))
	}
	return nil
}

const (
	freshPrefix = ".new-"
	asideSuffix = ".old"
	abandoned   = time.Hour // no copy takes that long
)

// sweep removes what replacing a program has left beside it: copies that were killed, and programs that ran then.
func sweep(path string) {
	left, _ := filepath.Glob(path + asideSuffix + "*") // fails only for a bad pattern
	fresh, _ := filepath.Glob(filepath.Join(filepath.Dir(path), freshPrefix+"*"))
	for _, name := range fresh {
		if info, err := os.Stat(name); err == nil && time.Since(info.ModTime()) > abandoned {
			left = append(left, name)
		}
	}
	for _, name := range left {
		_ = os.RemoveAll(name) // what still runs stays
	}
}

// runs sees whether a program starts and says which version it is.
func runs(ctx context.Context, path string) error {
	_, err := versionOf(ctx, path)
	return err
}

// versionOf asks a hebb for its version.
func versionOf(ctx context.Context, path string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, path, "version", "--json").Output()
	if err != nil {
		return "", fmt.Errorf("%s does not start: %w", path, err)
	}
	var v struct {
		Version string `json:"version"`
	}
	if err := json.Unmarshal(out, &v); err != nil {
		return "", fmt.Errorf("%s is no hebb: %w", path, err)
	}
	return v.Version, nil
}
