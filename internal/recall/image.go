package recall

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

// BlockSize is how many files or episodes are packed together. A change rewrites one block, a question reads them all:
// small enough to write with every commit, large enough that a history of 30,000 commits is some hundred rows.
const BlockSize = 256

// FileNo numbers the files of a project in the order they were first met.
type FileNo uint32

// FolderNo numbers its folders.
type FolderNo int32

const nowhere FolderNo = -1

// File is a file as recall sees it.
type File struct {
	Path   string
	Gone   bool   // deleted since
	InTree bool   // the work tree has it, whatever events say
	Words  []Word // of the path, each once
	Names  []Word // of what the file defines, each once
	dir    FolderNo
	base   [1]Word // its last name, as one word
}

// EpisodeKind distinguishes commits from sessions: they are different evidence and fade on different clocks.
type EpisodeKind byte

const (
	CommitEpisode EpisodeKind = iota
	SessionEpisode
	episodeKinds
)

// Episode is one finished piece of work.
type Episode struct {
	Kind EpisodeKind
	At   time.Time
	// Ref leads back to the source: the event of a commit, the session of a segment of work.
	Ref int64
	// Files of a session stand in the order they were opened, again when the agent came back to one.
	Files []FileNo
	// Words of the commit's subject or the session's prompts, each once, in order.
	Words []Word
	// PathWords is how many different words the paths have together: with Words the length of the episode as a text.
	PathWords int
}

// brief is what ranking asks of many episodes, close together in memory.
type brief struct {
	rank             uint32 // position among the episodes of its kind, by time
	words, pathWords uint32
	kind             EpisodeKind
}

// Image is all of a project's past that ranking reads: which files exist and what was done with them, packed into
// blocks of bytes in the store. It holds no weights: every figure is counted from the episodes when a question comes.
type Image struct {
	files    []File
	episodes []Episode
	briefs   []brief    // of the episodes
	byFile   [][]uint32 // episodes of each file, as they came
	lastAt   []int64    // when each file was last part of one, unix milliseconds
	gone     []bool     // files that are, once more, where ranking finds it without touching the file
	alive    pathSum    // the others
	byKind   [episodeKinds][]uint32
	texts    [episodeKinds]textSum
	said     [episodeKinds]saidWords // about the files, by kind of episode
	byPath   map[string]FileNo       // built when first asked for
	dirs     []folder
	dirNo    map[string]FolderNo
	tops     map[string][]FolderNo // by the first name of their path
	stems    map[string][]FileNo   // like byPath
	changed  map[block]bool

	asked    bool // a question before this one
	inPaths  index
	inNames  index
	inBases  index
	inSpoken [episodeKinds]index
}

// pathSum sums up files as texts.
type pathSum struct{ files, words, names int }

func (p *pathSum) add(f *File, n int) {
	if f.Path != "" && !f.Gone {
		p.files, p.words, p.names = p.files+n, p.words+n*len(f.Words), p.names+n*len(f.Names)
	}
}

// textSum sums up episodes as texts.
type textSum struct{ words, pathWords int }

// saidWords counts the words said about files and their folders.
type saidWords struct {
	words   counted // by file
	folders counted
}

func (t *saidWords) add(f FileNo, d FolderNo, words int) {
	t.words.add(int(f), words)
	t.folders.add(int(d), words)
}

// move takes what was said about a file to another folder.
func (t *saidWords) move(f FileNo, from, to FolderNo) {
	if words := t.words.of(int(f)); words > 0 {
		t.folders.add(int(from), -words)
		t.folders.add(int(to), words)
	}
}

// counted are counts by number, with their sum and how many are not zero.
type counted struct {
	counts []int
	total  int
	some   int
}

func (c *counted) of(i int) int {
	if i >= len(c.counts) {
		return 0
	}
	return c.counts[i]
}

func (c *counted) add(i, n int) {
	for i >= len(c.counts) {
		c.counts = append(c.counts, 0)
	}
	before := c.counts[i]
	c.counts[i] += n
	c.total += n
	switch {
	case before == 0 && n > 0:
		c.some++
	case before > 0 && c.counts[i] == 0:
		c.some--
	}
}

// usual is the mean of those that are not zero.
func (c *counted) usual() float64 { return float64(c.total) / float64(max(c.some, 1)) }

// folder is a directory of the image.
type folder struct {
	parts []string
	files []FileNo
}

// NewImage returns the image of a project without a past.
func NewImage() *Image {
	return &Image{dirNo: map[string]FolderNo{}, tops: map[string][]FolderNo{}, changed: map[block]bool{}}
}

// Files and Episodes say how much is known.
func (m *Image) Files() int { return len(m.files) }

// Episodes counts the pieces of work.
func (m *Image) Episodes() int { return len(m.episodes) }

// Commits counts the commits among them.
func (m *Image) Commits() int { return len(m.byKind[CommitEpisode]) }

// Sessions counts the segments of sessions among them.
func (m *Image) Sessions() int { return len(m.byKind[SessionEpisode]) }

// Opened counts the files that sessions opened, each time anew.
func (m *Image) Opened() (files int) {
	for _, n := range m.byKind[SessionEpisode] {
		files += len(m.episodes[n].Files)
	}
	return files
}

// Expect preallocates for these numbers of blocks.
func (m *Image) Expect(fileBlocks, episodeBlocks int) {
	files, episodes := fileBlocks*BlockSize-len(m.files), episodeBlocks*BlockSize-len(m.episodes)
	if files > 0 {
		m.files, m.byFile = slices.Grow(m.files, files), slices.Grow(m.byFile, files)
		m.lastAt, m.gone = slices.Grow(m.lastAt, files), slices.Grow(m.gone, files)
	}
	if episodes > 0 {
		m.episodes, m.briefs = slices.Grow(m.episodes, episodes), slices.Grow(m.briefs, episodes)
	}
}

// File returns a file by number.
func (m *Image) File(n FileNo) File { return m.files[n] }

// Episode returns an episode by number.
func (m *Image) Episode(n uint32) Episode { return m.episodes[n] }

// Of returns the numbers of the episodes a file was part of, oldest first.
func (m *Image) Of(n FileNo) []uint32 { return m.byFile[n] }

// Latest returns the paths of the files worked on last, at most this many, the latest first.
func (m *Image) Latest(most int) []string {
	var there []FileNo
	for n := range m.files {
		if !m.gone[n] && m.files[n].Path != "" {
			there = append(there, FileNo(n))
		}
	}
	slices.SortFunc(there, func(a, b FileNo) int {
		return cmp.Or(cmp.Compare(m.lastAt[b], m.lastAt[a]), cmp.Compare(m.files[a].Path, m.files[b].Path))
	})
	paths := make([]string, min(most, len(there)))
	for i := range paths {
		paths[i] = m.files[there[i]].Path
	}
	return paths
}

// OpenedBy returns the files that the latest sessions opened, with the number of sessions that opened each, and the number of these sessions.
// Files that are gone are left out.
func (m *Image) OpenedBy(latest int) (by map[string]int, sessions int) {
	by = map[string]int{}
	opened := map[int64]map[FileNo]bool{} // by session: a long one has several episodes
	for _, n := range slices.Backward(m.byKind[SessionEpisode]) {
		e := m.episodes[n]
		if opened[e.Ref] == nil {
			if len(opened) == latest {
				continue
			}
			opened[e.Ref] = map[FileNo]bool{}
		}
		for _, f := range e.Files {
			if !m.gone[f] && !opened[e.Ref][f] {
				opened[e.Ref][f] = true
				by[m.files[f].Path]++
			}
		}
	}
	return by, len(opened)
}

// Find returns the number of the file that has this path now.
func (m *Image) Find(path string) (FileNo, bool) {
	if m.byPath == nil {
		m.byPath = make(map[string]FileNo, len(m.files))
		for i, f := range m.files {
			if at, known := m.byPath[f.Path]; !known || m.files[at].Gone {
				m.byPath[f.Path] = FileNo(i)
			}
		}
	}
	n, ok := m.byPath[path]
	return n, ok
}

// newFile describes a file by its path.
func newFile(path string) File { return File{Path: path, Words: Terms(path)} }

// SetFiles replaces the files of block number n, or appends them.
func (m *Image) SetFiles(n int, files []File) error {
	at := n * BlockSize
	if at > len(m.files) || len(files) > BlockSize {
		return fmt.Errorf("block %d of files does not follow %d files: %w", n, len(m.files), memory.ErrDamaged)
	}
	for i, f := range files {
		if at+i == len(m.files) {
			m.room()
		}
		m.place(FileNo(at+i), f)
	}
	m.byPath = nil
	return nil
}

// room makes room for one more file.
func (m *Image) room() FileNo {
	m.files = append(m.files, File{dir: nowhere})
	m.byFile, m.lastAt, m.gone = append(m.byFile, nil), append(m.lastAt, 0), append(m.gone, false)
	return FileNo(len(m.files) - 1)
}

// place puts a file where its path says, out of where it was.
func (m *Image) place(n FileNo, f File) {
	old := m.files[n]
	f.base = [1]Word{WordOf(path.Base(f.Path))}
	f.dir = m.dir(path.Dir(f.Path))
	if old.dir != f.dir {
		if old.dir != nowhere {
			m.dirs[old.dir].files = without(m.dirs[old.dir].files, n)
			for kind := range m.said {
				m.said[kind].move(n, old.dir, f.dir)
			}
		}
		in := &m.dirs[f.dir].files
		at, _ := slices.BinarySearch(*in, n) // always in order, so that sums come out alike however the image came about
		*in = slices.Insert(*in, at, n)
	}
	m.files[n], m.gone[n] = f, f.Gone
	m.alive.add(&old, -1)
	m.alive.add(&f, 1)
	m.inPaths.change(uint32(n), old.Words, f.Words)
	m.inNames.change(uint32(n), old.Names, f.Names)
	m.inBases.change(uint32(n), old.bases(), f.bases())
	if m.stems != nil && old.Path != f.Path {
		was, is := Stem(old.Path), Stem(f.Path)
		m.stems[was] = without(m.stems[was], n)
		m.stems[is] = append(m.stems[is], n)
	}
}

// dir returns the number of a folder, giving it one at first sight.
func (m *Image) dir(name string) FolderNo {
	d, known := m.dirNo[name]
	if !known {
		d = FolderNo(len(m.dirs))
		m.dirNo[name] = d
		parts := strings.Split(name, "/")
		m.dirs = append(m.dirs, folder{parts: parts})
		m.tops[parts[0]] = append(m.tops[parts[0]], d)
	}
	return d
}

// bases is a file's last name as a list of words, empty for one that has none yet.
func (f *File) bases() []Word {
	if f.Path == "" {
		return nil
	}
	return f.base[:]
}

// ofStem returns the files of a stem.
func (m *Image) ofStem(stem string) []FileNo {
	if m.stems == nil {
		m.stems = make(map[string][]FileNo, len(m.files))
		for i, f := range m.files {
			s := Stem(f.Path)
			m.stems[s] = append(m.stems[s], FileNo(i))
		}
	}
	return m.stems[stem]
}

func without(list []FileNo, n FileNo) []FileNo {
	if i := slices.Index(list, n); i >= 0 {
		return slices.Delete(list, i, i+1)
	}
	return list
}

// SetEpisodes appends the episodes of block number n that are not known yet; those known never change.
func (m *Image) SetEpisodes(n int, episodes []Episode) error {
	at := n * BlockSize
	if at > len(m.episodes) || len(episodes) > BlockSize {
		return fmt.Errorf("block %d of episodes does not follow %d episodes: %w", n, len(m.episodes), memory.ErrDamaged)
	}
	for i := len(m.episodes) - at; i < len(episodes); i++ {
		e := episodes[i]
		for _, f := range e.Files {
			if int(f) >= len(m.files) {
				return fmt.Errorf("episode %d names file %d of %d: %w", at+i, f, len(m.files), memory.ErrDamaged)
			}
		}
		m.episodes = append(m.episodes, e)
		m.link(uint32(at + i))
	}
	return nil
}

// link files an episode under its kind, by time, and under its files. Histories arrive almost in order, so the place is
// found from the end.
func (m *Image) link(n uint32) {
	e := &m.episodes[n]
	order := append(m.byKind[e.Kind], n)
	i := len(order) - 1
	for ; i > 0 && m.episodes[order[i-1]].At.After(e.At); i-- {
		order[i] = order[i-1]
		m.briefs[order[i]].rank = uint32(i)
	}
	order[i] = n
	m.briefs = append(m.briefs, brief{rank: uint32(i), words: uint32(len(e.Words)), pathWords: uint32(e.PathWords), kind: e.Kind})
	m.byKind[e.Kind] = order
	m.texts[e.Kind].words += len(e.Words)
	m.texts[e.Kind].pathWords += e.PathWords
	m.inSpoken[e.Kind].change(n, nil, e.Words)
	for i, f := range e.Files {
		if !slices.Contains(e.Files[:i], f) {
			m.byFile[f] = append(m.byFile[f], n)
			m.lastAt[f] = max(m.lastAt[f], e.At.UnixMilli())
			m.said[e.Kind].add(f, m.files[f].dir, len(e.Words))
		}
	}
}

// age is how many episodes of its kind lie between one and now; the newest is 1.
func (m *Image) age(n uint32) int { return len(m.byKind[m.briefs[n].kind]) - int(m.briefs[n].rank) }

const (
	goneFlag = 1 << iota
	inTreeFlag
)

// EncodeFiles packs a block of files.
func EncodeFiles(files []File) []byte {
	var b []byte
	for _, f := range files {
		flags := byte(0)
		if f.Gone {
			flags |= goneFlag
		}
		if f.InTree {
			flags |= inTreeFlag
		}
		b = append(b, flags)
		b = binary.AppendUvarint(b, uint64(len(f.Path)))
		b = append(b, f.Path...)
		b = appendWords(b, f.Words)
		b = appendWords(b, f.Names)
	}
	return b
}

// DecodeFiles unpacks a block of files. Their paths and words share two pieces of memory.
func DecodeFiles(block []byte) ([]File, error) {
	r := reader{rest: block, words: make([]Word, 0, len(block)/wordBytes)}
	text := string(block)
	files := make([]File, 0, BlockSize)
	for len(r.rest) > 0 && r.err == nil {
		f := File{dir: nowhere}
		flags := r.bytes(1)[0]
		f.Gone, f.InTree = flags&goneFlag != 0, flags&inTreeFlag != 0
		path := len(r.bytes(r.count(1)))
		end := len(block) - len(r.rest)
		f.Path = text[end-path : end]
		f.Words, f.Names = r.terms(), r.terms()
		files = append(files, f)
	}
	return files, r.err
}

// EncodeEpisodes packs a block of episodes.
func EncodeEpisodes(episodes []Episode) []byte {
	var b []byte
	for _, e := range episodes {
		b = append(b, byte(e.Kind))
		b = binary.AppendVarint(b, e.At.UnixMilli())
		b = binary.AppendVarint(b, e.Ref)
		b = binary.AppendUvarint(b, uint64(e.PathWords))
		b = binary.AppendUvarint(b, uint64(len(e.Files)))
		for _, f := range e.Files {
			b = binary.AppendUvarint(b, uint64(f))
		}
		b = appendWords(b, e.Words)
	}
	return b
}

// DecodeEpisodes unpacks a block of episodes.
func DecodeEpisodes(block []byte) ([]Episode, error) {
	r := reader{rest: block, words: make([]Word, 0, len(block)/wordBytes), files: make([]FileNo, 0, len(block)/wordBytes)}
	episodes := make([]Episode, 0, BlockSize)
	for len(r.rest) > 0 && r.err == nil {
		e := Episode{Kind: EpisodeKind(r.bytes(1)[0])}
		if e.Kind >= episodeKinds {
			r.fail()
			break
		}
		e.At = time.UnixMilli(r.varint()).UTC()
		e.Ref = r.varint()
		e.PathWords = int(r.uvarint())
		e.Files, e.Words = r.numbers(), r.terms()
		episodes = append(episodes, e)
	}
	return episodes, r.err
}

const wordBytes = 4

func appendWords(b []byte, words []Word) []byte {
	b = binary.AppendUvarint(b, uint64(len(words)))
	for _, w := range words {
		b = binary.LittleEndian.AppendUint32(b, uint32(w))
	}
	return b
}

// reader takes a block apart. After the first fault it returns zeros, so that the loops need no check of their own.
type reader struct {
	rest  []byte
	err   error
	words []Word // what terms and numbers return are pieces of these
	files []FileNo
}

func (r *reader) fail() {
	if r.err == nil {
		r.err = fmt.Errorf("block of memory: %w", memory.ErrDamaged)
	}
	r.rest = nil
}

func (r *reader) bytes(n int) []byte {
	if n > len(r.rest) {
		r.fail()
		return make([]byte, min(n, 1))
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

func (r *reader) uvarint() uint64 { return number(r, binary.Uvarint) }

func (r *reader) varint() int64 { return number(r, binary.Varint) }

func number[N int64 | uint64](r *reader, read func([]byte) (N, int)) N {
	v, n := read(r.rest)
	if n <= 0 {
		r.fail()
		return 0
	}
	r.rest = r.rest[n:]
	return v
}

// count reads how many things of a size follow, never more than there is room for.
func (r *reader) count(size int) int {
	n := r.uvarint()
	if n > uint64(len(r.rest)/size) {
		r.fail()
		return 0
	}
	return int(n)
}

func (r *reader) terms() []Word {
	from := len(r.words)
	for range r.count(wordBytes) {
		r.words = append(r.words, Word(binary.LittleEndian.Uint32(r.bytes(wordBytes))))
	}
	return r.words[from:len(r.words):len(r.words)]
}

func (r *reader) numbers() []FileNo {
	from := len(r.files)
	for range r.count(1) {
		r.files = append(r.files, FileNo(r.uvarint()))
	}
	return r.files[from:len(r.files):len(r.files)]
}
