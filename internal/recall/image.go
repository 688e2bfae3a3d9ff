package recall

import (
	"encoding/binary"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/vocab"
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
	Gone   bool         // deleted since
	InTree bool         // the work tree has it, whatever events say
	Words  []vocab.Word // of the path, each once
	Names  []vocab.Word // of what the file defines, each once
	dir    FolderNo
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
	Words []vocab.Word
	// PathWords is how many different words the paths have together: with Words the length of the episode as a text.
	PathWords int
}

// brief is what ranking asks of many episodes, close together in memory.
type brief struct {
	rank             uint32 // position among the episodes of its kind, by time
	words, pathWords uint32
	kind             EpisodeKind
}

// Image is all of a project's past that ranking reads: which files exist and what was done with them. It holds no weights: every figure is
// counted from the episodes when a question comes. The store keeps it as blocks of bytes, the truth; a file keeps it packed, and what came
// since lies over that. Files and episodes of both have one numbering, which file and episode look up.
type Image struct {
	base          *packed          // never changes; nil where all was learned or decoded
	changedFiles  map[FileNo]*File // of the base, as they are now
	addedFiles    []File           // numbered after those of the base
	addedEpisodes []Episode        // likewise
	moreOf        map[FileNo][]uint32
	addedOf       [][]uint32 // episodes of each added file, as they came; moreOf has those of the others, where some came since
	changedDirs   map[FolderNo]*folder
	addedDirs     []folder
	dirNo         map[string]FolderNo   // of added folders
	tops          map[string][]FolderNo // likewise, by the first name of their path
	byPath        map[string][]FileNo   // of added and changed files, built when first asked for
	stems         map[string][]FileNo   // likewise

	owned   bool // what follows is no longer that of the base
	briefs  []brief
	lastAt  []int64 // when each file was last part of an episode, unix milliseconds
	gone    []bool  // whether each file is gone, so that ranking need not look at the file
	byKind  [episodeKinds][]uint32
	alive   pathSum // of files that are not gone
	texts   [episodeKinds]textSum
	said    [episodeKinds]saidWords // about the files, by kind of episode
	changed map[block]bool

	inPaths  index
	inNames  index
	inBases  index
	inSpoken [episodeKinds]index
}

// own makes the arrays that change the image's own.
func (m *Image) own() {
	if m.owned {
		return
	}
	m.owned = true
	m.briefs, m.lastAt, m.gone = slices.Clone(m.briefs), slices.Clone(m.lastAt), slices.Clone(m.gone)
	for kind := range m.byKind {
		m.byKind[kind] = slices.Clone(m.byKind[kind])
		m.said[kind].words.counts = slices.Clone(m.said[kind].words.counts)
		m.said[kind].folders.counts = slices.Clone(m.said[kind].folders.counts)
	}
}

// packedFiles, packedEpisodes and packedDirs are how many of them the base has.
func (m *Image) packedFiles() int {
	if m.base == nil {
		return 0
	}
	return m.base.paths.len()
}

func (m *Image) packedEpisodes() int {
	if m.base == nil {
		return 0
	}
	return len(m.base.briefs)
}

func (m *Image) packedDirs() int {
	if m.base == nil {
		return 0
	}
	return m.base.dirs.len()
}

// file is a file by number. Its texts may be those of a mapped file: copy what is kept.
func (m *Image) file(n FileNo) File {
	if packed := m.packedFiles(); int(n) >= packed {
		return m.addedFiles[int(n)-packed]
	}
	if f, ok := m.changedFiles[n]; ok {
		return *f
	}
	return m.base.file(n)
}

// path is the path of a file, likewise.
func (m *Image) path(n FileNo) string {
	if int(n) < m.packedFiles() && len(m.changedFiles) == 0 {
		return m.base.paths.text(int(n))
	}
	return m.file(n).Path
}

// dirOf is the folder of a file.
func (m *Image) dirOf(n FileNo) FolderNo {
	if int(n) < m.packedFiles() && len(m.changedFiles) == 0 {
		return m.base.dirOf[n]
	}
	return m.file(n).dir
}

// episode is an episode by number.
func (m *Image) episode(n uint32) Episode {
	if packed := m.packedEpisodes(); int(n) >= packed {
		return m.addedEpisodes[int(n)-packed]
	}
	return m.base.episode(n)
}

// filesOf are the files of an episode.
func (m *Image) filesOf(n uint32) []FileNo {
	if packed := m.packedEpisodes(); int(n) >= packed {
		return m.addedEpisodes[int(n)-packed].Files
	}
	return m.base.filesOf.at(int(n))
}

// wordsSaid are the words of an episode.
func (m *Image) wordsSaid(n uint32) []vocab.Word {
	if packed := m.packedEpisodes(); int(n) >= packed {
		return m.addedEpisodes[int(n)-packed].Words
	}
	return m.base.said.at(int(n))
}

// inDir are the files of a folder, ascending.
func (m *Image) inDir(d FolderNo) []FileNo {
	if packed := m.packedDirs(); int(d) >= packed {
		return m.addedDirs[int(d)-packed].files
	}
	if changed, ok := m.changedDirs[d]; ok {
		return changed.files
	}
	return m.base.dirFiles.at(int(d))
}

// ownDir is a folder whose files may change.
func (m *Image) ownDir(d FolderNo) *folder {
	if packed := m.packedDirs(); int(d) >= packed {
		return &m.addedDirs[int(d)-packed]
	}
	if m.changedDirs[d] == nil {
		m.changedDirs[d] = &folder{files: slices.Clone(m.inDir(d))}
	}
	return m.changedDirs[d]
}

func (m *Image) dirName(d FolderNo) string {
	if packed := m.packedDirs(); int(d) >= packed {
		return m.addedDirs[int(d)-packed].name
	}
	return m.base.dirs.text(int(d))
}

func (m *Image) folders() int { return m.packedDirs() + len(m.addedDirs) }

// pathSum sums up files as texts.
type pathSum struct{ files, words, names int }

func (p *pathSum) add(f File, n int) {
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
	counts []uint32
	total  int
	some   int
}

func (c *counted) of(i int) int {
	if i >= len(c.counts) {
		return 0
	}
	return int(c.counts[i])
}

func (c *counted) add(i, n int) {
	for i >= len(c.counts) {
		c.counts = append(c.counts, 0)
	}
	before := c.counts[i]
	c.counts[i] = uint32(int(before) + n)
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
	name  string
	files []FileNo
}

// NewImage returns the image of a project without a past.
func NewImage() *Image {
	return &Image{
		dirNo: map[string]FolderNo{}, tops: map[string][]FolderNo{}, changed: map[block]bool{},
		changedFiles: map[FileNo]*File{}, moreOf: map[FileNo][]uint32{}, changedDirs: map[FolderNo]*folder{},
	}
}

// Files and Episodes say how much is known.
func (m *Image) Files() int { return m.packedFiles() + len(m.addedFiles) }

// Episodes counts the pieces of work.
func (m *Image) Episodes() int { return m.packedEpisodes() + len(m.addedEpisodes) }

// Commits counts the commits among them.
func (m *Image) Commits() int { return len(m.byKind[CommitEpisode]) }

// Sessions counts the segments of sessions among them.
func (m *Image) Sessions() int { return len(m.byKind[SessionEpisode]) }

// Opened counts the files that sessions opened, each time anew.
func (m *Image) Opened() (files int) {
	for _, n := range m.byKind[SessionEpisode] {
		files += len(m.filesOf(n))
	}
	return files
}

// File returns a file by number.
func (m *Image) File(n FileNo) File {
	f := m.file(n)
	f.Path = strings.Clone(f.Path)
	return f
}

// Episode returns an episode by number.
func (m *Image) Episode(n uint32) Episode { return m.episode(n) }

// Of returns the numbers of the episodes a file was part of, oldest first.
func (m *Image) Of(n FileNo) []uint32 {
	if packed := m.packedFiles(); int(n) >= packed {
		return m.addedOf[int(n)-packed]
	}
	if of, ok := m.moreOf[n]; ok {
		return of
	}
	return m.base.byFile.at(int(n))
}

// OpenedBy returns the files that the latest sessions opened, with the number of sessions that opened each, and the number of these sessions.
// Files that are gone are left out.
func (m *Image) OpenedBy(latest int) (by map[string]int, sessions int) {
	by = map[string]int{}
	opened := map[int64]map[FileNo]bool{} // by session: a long one has several episodes
	for _, n := range slices.Backward(m.byKind[SessionEpisode]) {
		e := m.episode(n)
		if opened[e.Ref] == nil {
			if len(opened) == latest {
				continue
			}
			opened[e.Ref] = map[FileNo]bool{}
		}
		for _, f := range e.Files {
			if !m.gone[f] && !opened[e.Ref][f] {
				opened[e.Ref][f] = true
				by[strings.Clone(m.path(f))]++
			}
		}
	}
	return by, len(opened)
}

// Find returns the number of the file that has this path now: the first that is not gone, or else the last that was.
func (m *Image) Find(path string) (found FileNo, known bool) {
	take := func(n FileNo) {
		if better := !known || m.gone[found] && (!m.gone[n] || n > found) || !m.gone[found] && !m.gone[n] && n < found; better {
			found, known = n, true
		}
	}
	for _, n := range m.index().byPath[path] {
		take(n)
	}
	if m.base != nil {
		m.base.withPath(path, func(n FileNo) {
			if _, changed := m.changedFiles[n]; !changed {
				take(n)
			}
		})
	}
	return found, known
}

// index makes sure that added and changed files are found by path and by stem.
func (m *Image) index() *Image {
	if m.byPath == nil {
		m.byPath, m.stems = make(map[string][]FileNo, len(m.addedFiles)), make(map[string][]FileNo, len(m.addedFiles))
		for n := range m.changedFiles {
			m.indexFile(n, m.file(n).Path)
		}
		for i, f := range m.addedFiles {
			m.indexFile(FileNo(m.packedFiles()+i), f.Path)
		}
	}
	return m
}

func (m *Image) indexFile(n FileNo, path string) {
	m.byPath[path] = append(m.byPath[path], n)
	stem := vocab.Stem(path)
	m.stems[stem] = append(m.stems[stem], n)
}

// newFile describes a file by its path.
func newFile(path string) File { return File{Path: path, Words: vocab.Terms(path)} }

// SetFiles replaces the files of block number n, or appends them.
func (m *Image) SetFiles(n int, files []File) error {
	at := n * BlockSize
	if at > m.Files() || len(files) > BlockSize {
		return fmt.Errorf("block %d of files does not follow %d files: %w", n, m.Files(), memory.ErrDamaged)
	}
	for i, f := range files {
		if at+i == m.Files() {
			m.room()
		} else if old := m.file(FileNo(at + i)); old.same(f) {
			continue
		}
		m.place(FileNo(at+i), f)
	}
	return nil
}

func (f File) same(o File) bool {
	return f.Path == o.Path && f.Gone == o.Gone && f.InTree == o.InTree && slices.Equal(f.Words, o.Words) && slices.Equal(f.Names, o.Names)
}

// room makes room for one more file.
func (m *Image) room() FileNo {
	m.own()
	m.addedFiles, m.addedOf = append(m.addedFiles, File{dir: nowhere}), append(m.addedOf, nil)
	m.lastAt, m.gone = append(m.lastAt, 0), append(m.gone, false)
	return FileNo(m.Files() - 1)
}

// place puts a file where its path says, out of where it was.
func (m *Image) place(n FileNo, f File) {
	m.own()
	old := m.file(n)
	f.dir = m.dir(path.Dir(f.Path))
	if old.dir != f.dir {
		if old.dir != nowhere {
			from := m.ownDir(old.dir)
			from.files = without(from.files, n)
			for kind := range m.said {
				m.said[kind].move(n, old.dir, f.dir)
			}
		}
		to := m.ownDir(f.dir)
		at, _ := slices.BinarySearch(to.files, n) // always in order, so that sums come out alike however the image came about
		to.files = slices.Insert(to.files, at, n)
	}
	m.gone[n] = f.Gone
	m.alive.add(old, -1)
	m.alive.add(f, 1)
	m.inPaths.change(uint32(n), old.Words, f.Words)
	m.inNames.change(uint32(n), old.Names, f.Names)
	m.inBases.change(uint32(n), old.bases(), f.bases())
	added := int(n) >= m.packedFiles()
	if added {
		m.addedFiles[int(n)-m.packedFiles()] = f
	} else {
		if _, again := m.changedFiles[n]; !again {
			old.Path = "" // no index of changed files has it yet
		}
		m.changedFiles[n] = &f
	}
	if m.byPath != nil && old.Path != f.Path {
		if old.Path != "" {
			stem := vocab.Stem(old.Path)
			m.byPath[old.Path], m.stems[stem] = without(m.byPath[old.Path], n), without(m.stems[stem], n)
		}
		m.indexFile(n, f.Path)
	}
}

// dir returns the number of a folder, giving it one at first sight.
func (m *Image) dir(name string) FolderNo {
	if m.base != nil {
		if d, known := m.base.folderAt(name); known {
			return d
		}
	}
	d, known := m.dirNo[name]
	if !known {
		d = FolderNo(m.folders())
		m.dirNo[name] = d
		m.addedDirs = append(m.addedDirs, folder{name: name})
		m.tops[top(name)] = append(m.tops[top(name)], d)
	}
	return d
}

// under are the folders whose path begins with this name.
func (m *Image) under(first string) []FolderNo {
	if m.base == nil {
		return m.tops[first]
	}
	return slices.Concat(m.base.under(first), m.tops[first])
}

// bases is a file's last name as a list of words, empty for one that has none yet.
func (f File) bases() []vocab.Word {
	if f.Path == "" {
		return nil
	}
	return []vocab.Word{baseWord(f.Path)}
}

func baseWord(of string) vocab.Word { return vocab.WordOf(path.Base(of)) }

// ofStem returns the files of a stem.
func (m *Image) ofStem(stem string) []FileNo {
	files := m.index().stems[stem]
	if m.base == nil {
		return files
	}
	files = slices.Clip(files)
	for _, n := range m.base.inStems.of(stemWord(stem)) {
		if _, changed := m.changedFiles[FileNo(n)]; !changed && vocab.Stem(m.base.paths.text(int(n))) == stem {
			files = append(files, FileNo(n))
		}
	}
	return files
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
	if at > m.Episodes() || len(episodes) > BlockSize {
		return fmt.Errorf("block %d of episodes does not follow %d episodes: %w", n, m.Episodes(), memory.ErrDamaged)
	}
	for i := m.Episodes() - at; i < len(episodes); i++ {
		for _, f := range episodes[i].Files {
			if int(f) >= m.Files() {
				return fmt.Errorf("episode %d names file %d of %d: %w", at+i, f, m.Files(), memory.ErrDamaged)
			}
		}
		m.link(episodes[i])
	}
	return nil
}

// link appends an episode and files it under its kind, by time, and under its files. Histories arrive almost in order, so the place is
// found from the end.
func (m *Image) link(e Episode) {
	m.own()
	n := uint32(m.Episodes())
	m.addedEpisodes = append(m.addedEpisodes, e)
	order := append(m.byKind[e.Kind], n)
	i := len(order) - 1
	for ; i > 0 && m.at(order[i-1]).After(e.At); i-- {
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
			if packed := m.packedFiles(); int(f) >= packed {
				m.addedOf[int(f)-packed] = append(m.addedOf[int(f)-packed], n)
			} else {
				m.moreOf[f] = append(m.Of(f), n) // lists of the base have no room: the first copies
			}
			m.lastAt[f] = max(m.lastAt[f], e.At.UnixMilli())
			m.said[e.Kind].add(f, m.dirOf(f), len(e.Words))
		}
	}
}

// at is when an episode was.
func (m *Image) at(n uint32) time.Time {
	if packed := m.packedEpisodes(); int(n) >= packed {
		return m.addedEpisodes[int(n)-packed].At
	}
	return time.UnixMilli(m.base.at[n]).UTC()
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
	r := reader{rest: block, words: make([]vocab.Word, 0, len(block)/wordBytes)}
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
	r := reader{rest: block, words: make([]vocab.Word, 0, len(block)/wordBytes), files: make([]FileNo, 0, len(block)/wordBytes)}
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

func appendWords(b []byte, words []vocab.Word) []byte {
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
	words []vocab.Word // what terms and numbers return are pieces of these
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

func (r *reader) terms() []vocab.Word {
	from := len(r.words)
	for range r.count(wordBytes) {
		r.words = append(r.words, vocab.Word(binary.LittleEndian.Uint32(r.bytes(wordBytes))))
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

func (m *Image) wordsOf(f uint32) []vocab.Word { return m.file(FileNo(f)).Words }

func (m *Image) definedBy(f uint32) []vocab.Word { return m.file(FileNo(f)).Names }

func (m *Image) baseOf(f uint32) []vocab.Word { return m.file(FileNo(f)).bases() }

func (m *Image) spokenIn(kind EpisodeKind) func(uint32) []vocab.Word {
	return func(n uint32) []vocab.Word {
		if m.briefs[n].kind == kind {
			return m.wordsSaid(n)
		}
		return nil
	}
}
