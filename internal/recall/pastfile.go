package recall

// What ranking reads of a project is kept in a file that is mapped into memory instead of being decoded. Files can be removed
// at any time: the store is the truth, and a new file is made from it. A file never changes; a newer state is another file.

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/memory"
)

// State names a state of a project's past.
type PastState struct {
	Project    memory.ProjectID
	Generation string // of the past; another one has nothing in common with this
	Version    int64  // counts the changes within a generation
	Form       uint32 // of the parts
}

// File is a file that was opened. Its parts begin at multiples of eight bytes.
type PastFile struct {
	PastState
	Parts [][]byte
	body  []byte
	sum   uint32
}

const (
	magic    = "hebbpast"
	ending   = ".past"
	headSize = 256
	mostName = 64 // bytes of a generation
	most     = 8  // parts
	pageSize = 8
)

// The header, in the byte order of the machine: a file of another is not recognised.
const (
	formAt       = 8
	partsAt      = 12
	projectAt    = 16
	versionAt    = 24
	generationAt = 32
	lengthsAt    = generationAt + mostName
	bodySumAt    = lengthsAt + most*8
	headSumAt    = headSize - 4
)

var castagnoli = sync.OnceValue(func() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) })

func (s PastState) name() string {
	return fmt.Sprintf("%s-%s-%d%s", s.Project, s.Generation, s.Version, ending)
}

// Latest are the versions of the latest files by generation, none where the folder cannot be read.
func PastVersions(dir string, project memory.ProjectID) map[string]int64 {
	versions := map[string]int64{}
	if !filesys.IsFolder(dir) { // what a link leads to is not hebb's
		return versions
	}
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		name, is := strings.CutPrefix(e.Name(), project.String()+"-")
		name, ends := strings.CutSuffix(name, ending)
		generation, number, _ := strings.Cut(name, "-")
		if v, err := strconv.ParseInt(number, 10, 64); is && ends && err == nil {
			versions[generation] = max(versions[generation], v)
		}
	}
	return versions
}

// Open maps the file of a state. A file that is not what its name says, or was cut off, is memory.ErrDamaged. Only Intact looks at the parts.
func OpenPast(dir string, s PastState) (*PastFile, error) {
	f, err := filesys.Open(filepath.Join(dir, s.name()), os.O_RDONLY, 0)
	if errors.Is(err, filesys.ErrSpecial) {
		err = fmt.Errorf("%w: %w", err, memory.ErrDamaged)
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	damaged := fmt.Errorf("%s is no past of this version of hebb: %w", f.Name(), memory.ErrDamaged)
	if info.Size() < headSize {
		return nil, damaged
	}
	b, err := filesys.Map(f, int(info.Size()))
	if err != nil {
		return nil, err
	}
	head, body := b[:headSize:headSize], b[headSize:]
	if numberIn(head, headSumAt) != crc32.Checksum(head[:headSumAt], castagnoli()) {
		return nil, damaged
	}
	lengths := make([]uint64, min(numberIn(head, partsAt), most))
	for i := range lengths {
		lengths[i] = binary.NativeEndian.Uint64(head[lengthsAt+8*i:])
	}
	sum := numberIn(head, bodySumAt)
	if string(head) != string(header(s, lengths, sum)) {
		return nil, damaged
	}
	opened := &PastFile{PastState: s, body: body, sum: sum}
	for _, length := range lengths {
		if length > uint64(len(body)) {
			return nil, damaged
		}
		opened.Parts = append(opened.Parts, body[:length:length])
		body = body[min(length+-length%pageSize, uint64(len(body))):]
	}
	if len(body) > 0 {
		return nil, damaged
	}
	return opened, nil
}

// Intact reports whether the parts are as they were written. It reads all of them.
func (f *PastFile) Intact() bool { return crc32.Checksum(f.body, castagnoli()) == f.sum }

func numberIn(head []byte, at int) uint32 { return binary.NativeEndian.Uint32(head[at:]) }

func header(s PastState, lengths []uint64, sum uint32) []byte {
	h, order := make([]byte, headSize), binary.NativeEndian
	copy(h, magic)
	order.PutUint32(h[formAt:], s.Form)
	order.PutUint32(h[partsAt:], uint32(len(lengths)))
	order.PutUint64(h[projectAt:], uint64(s.Project))
	order.PutUint64(h[versionAt:], uint64(s.Version))
	copy(h[generationAt:lengthsAt], s.Generation)
	for i, n := range lengths {
		order.PutUint64(h[lengthsAt+8*i:], n)
	}
	order.PutUint32(h[bodySumAt:], sum)
	order.PutUint32(h[headSumAt:], crc32.Checksum(h[:headSumAt], castagnoli()))
	return h
}

// Write makes the file of a state and removes those of all others of its project.
func WritePast(dir string, s PastState, parts ...[]byte) error {
	if len(parts) > most || len(s.Generation) > mostName {
		return fmt.Errorf("%d parts of generation %q do not fit into a file: %w", len(parts), s.Generation, memory.ErrInvalid)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if !filesys.IsFolder(dir) {
		return fmt.Errorf("%s is a link; put a folder there, or nothing: %w", dir, memory.ErrRefused)
	}
	lengths, sum := make([]uint64, len(parts)), uint32(0)
	var pieces [][]byte
	for i, p := range parts {
		lengths[i] = uint64(len(p))
		pieces = append(pieces, p, make([]byte, -len(p)&(pageSize-1)))
	}
	for _, p := range pieces {
		sum = crc32.Update(sum, castagnoli(), p)
	}
	err := filesys.WriteWhole(filepath.Join(dir, s.name()), func(temporary string) error {
		f, err := filesys.Open(temporary, os.O_RDWR, 0)
		if err != nil {
			return err
		}
		_, err = f.Write(header(s, lengths, sum))
		for _, p := range pieces {
			if err == nil {
				_, err = f.Write(p)
			}
		}
		return errors.Join(err, f.Close())
	})
	if err != nil && !errors.Is(err, memory.ErrConflict) && !errors.Is(err, fs.ErrNotExist) { // another process was faster
		return err
	}
	return remove(dir, func(name string) bool { return strings.HasPrefix(name, s.Project.String()+"-") && name != s.name() })
}

// Remove removes all files of a project.
func RemovePast(dir string, project memory.ProjectID) error {
	return remove(dir, func(name string) bool { return strings.HasPrefix(name, project.String()+"-") })
}

// RemoveOthers removes the files that hebb made in a folder, also those of package contents, except those of projects to keep.
func RemoveOtherPasts(dir string, keep ...memory.ProjectID) error {
	return remove(dir, func(name string) bool {
		project, _ := memory.ParseProjectID(name[:strings.IndexAny(name, "-.")])
		return !slices.Contains(keep, project)
	})
}

// own reports whether a name is one that hebb gives to a file of the cache: PROJECT-GENERATION-VERSION.past, PROJECT.words, and
// these while they are written. The folder may be an older one, with files of somebody else.
func own(name string) bool {
	if whole, is := filesys.IsPartial(name); is {
		name = whole
	}
	project, words := strings.CutSuffix(name, ".words")
	past, isPast := strings.CutSuffix(name, ending)
	if isPast {
		parts := strings.Split(past, "-")
		if len(parts) != 3 {
			return false
		}
		if _, err := strconv.ParseInt(parts[2], 10, 64); err != nil {
			return false
		}
		project = parts[0]
	}
	_, err := memory.ParseProjectID(project)
	return err == nil && (words || isPast)
}

func remove(dir string, goes func(name string) bool) error {
	if !filesys.IsFolder(dir) {
		return nil
	}
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if own(e.Name()) && goes(e.Name()) {
			err = errors.Join(err, filesys.RemoveOwn(filepath.Join(dir, e.Name())))
		}
	}
	return err
}
