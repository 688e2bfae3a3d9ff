package recall

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unsafe"

	"github.com/hebb-memory/hebb/internal/vocab"

	"github.com/hebb-memory/hebb/internal/memory"
)

// PackedForm is the version of the form that Pack writes. It changes with the sections, and with everything that they are computed by:
// Stem, pathHash, and the order of folders.
const PackedForm = 1

// packed is a past as flat arrays in one piece of memory, mostly a mapped file. It answers without being decoded and never changes.
type packed struct {
	sums       []int64 // see sumsOf
	paths      texts
	gone       []bool
	inTree     []bool
	words      lists[vocab.Word]
	names      lists[vocab.Word]
	dirOf      []FolderNo
	lastAt     []int64
	byFile     lists[uint32]
	briefs     []brief
	at, ref    []int64
	filesOf    lists[FileNo]
	said       lists[vocab.Word]
	byKind     [episodeKinds][]uint32
	dirs       texts
	dirFiles   lists[FileNo]
	dirOrder   []FolderNo // by name, see compareFolders
	fileSaid   [episodeKinds][]uint32
	folderSaid [episodeKinds][]uint32
	inPaths    postings
	inNames    postings
	inBases    postings
	inSpoken   [episodeKinds]postings
	inStems    postings // by stemWord
	pathTable  []uint32 // file + 1 by pathHash, with linear probing; 0 is empty
}

// lists are many lists in one array.
type lists[T any] struct {
	ends  []uint32 // where list i-1 ends, from 0 on
	items []T
}

func (l *lists[T]) len() int { return max(len(l.ends), 1) - 1 }

// at is list i. Ends that cannot be are an empty list: a damaged file must not end the process.
func (l *lists[T]) at(i int) []T {
	from, to := l.ends[i], l.ends[i+1]
	if from > to || int(to) > len(l.items) {
		return nil
	}
	return l.items[from:to:to]
}

func (l *lists[T]) add(items []T) {
	if len(l.ends) == 0 {
		l.ends = append(l.ends, 0)
	}
	l.items = append(l.items, items...)
	l.ends = append(l.ends, uint32(len(l.items)))
}

// texts are lists of bytes.
type texts struct{ lists[byte] }

func (t *texts) text(i int) string {
	b := t.at(i)
	return unsafe.String(unsafe.SliceData(b), len(b))
}

// postings are the items that have a word, ascending.
type postings struct {
	keys  []vocab.Word // ascending
	items lists[uint32]
}

func (p *postings) of(w vocab.Word) []uint32 {
	if i, found := slices.BinarySearch(p.keys, w); found {
		return p.items.at(i)
	}
	return nil
}

// pack makes postings of n items.
func pack(n int, of func(i uint32) []vocab.Word) (p postings) {
	type has struct {
		word vocab.Word
		item uint32
	}
	var all []has
	for i := range uint32(n) {
		for _, w := range of(i) {
			all = append(all, has{w, i})
		}
	}
	slices.SortFunc(all, func(a, b has) int { return cmp.Or(cmp.Compare(a.word, b.word), cmp.Compare(a.item, b.item)) })
	var items []uint32
	for i, h := range all {
		items = append(items, h.item)
		if i+1 == len(all) || all[i+1].word != h.word {
			p.keys = append(p.keys, h.word)
			p.items.add(items)
			items = items[:0]
		}
	}
	return p
}

// compareFolders orders folders so that those with the same first names stand together.
func compareFolders(a, b string) int {
	for a != "" && b != "" {
		x, restA, _ := strings.Cut(a, "/")
		y, restB, _ := strings.Cut(b, "/")
		if c := strings.Compare(x, y); c != 0 {
			return c
		}
		a, b = restA, restB
	}
	return cmp.Compare(len(a), len(b))
}

// top is the first name of a path.
func top(folder string) string {
	first, _, _ := strings.Cut(folder, "/")
	return first
}

// folderAt is the folder of this name.
func (p *packed) folderAt(name string) (FolderNo, bool) {
	i, found := slices.BinarySearchFunc(p.dirOrder, name, func(d FolderNo, name string) int { return compareFolders(p.dirs.text(int(d)), name) })
	if !found {
		return 0, false
	}
	return p.dirOrder[i], true
}

// under are the folders whose path begins with this name.
func (p *packed) under(first string) []FolderNo {
	from, _ := slices.BinarySearchFunc(p.dirOrder, first, func(d FolderNo, first string) int { return strings.Compare(top(p.dirs.text(int(d))), first) })
	to := from
	for to < len(p.dirOrder) && top(p.dirs.text(int(p.dirOrder[to]))) == first {
		to++
	}
	return p.dirOrder[from:to]
}

// stemWord is a stem as postings keep it. Others may have the same.
func stemWord(stem string) vocab.Word { return vocab.Word(pathHash(stem)) }

// pathHash is FNV-1a.
func pathHash(text string) uint32 {
	h := uint32(2166136261)
	for i := range len(text) {
		h = (h ^ uint32(text[i])) * 16777619
	}
	return h
}

// withPath calls each with every file that had this path when the past was packed.
func (p *packed) withPath(path string, each func(n FileNo)) {
	mask := uint32(len(p.pathTable) - 1)
	for i, tried := pathHash(path)&mask, 0; tried < len(p.pathTable) && p.pathTable[i] != 0; i, tried = (i+1)&mask, tried+1 {
		if n := int(p.pathTable[i] - 1); n < p.paths.len() && p.paths.text(n) == path {
			each(FileNo(n))
		}
	}
}

func packPaths(n int, path func(i int) string) []uint32 {
	size := 8
	for size < 2*n {
		size *= 2
	}
	table, mask := make([]uint32, size), uint32(size-1)
	for i := range n {
		at := pathHash(path(i)) & mask
		for table[at] != 0 {
			at = (at + 1) & mask
		}
		table[at] = uint32(i + 1)
	}
	return table
}

func (p *packed) file(n FileNo) File {
	i := int(n)
	return File{
		Path: p.paths.text(i), Gone: p.gone[i], InTree: p.inTree[i], Words: p.words.at(i), Names: p.names.at(i), dir: p.dirOf[i],
	}
}

func (p *packed) episode(n uint32) Episode {
	i := int(n)
	return Episode{
		Kind: p.briefs[i].kind, At: time.UnixMilli(p.at[i]).UTC(), Ref: p.ref[i], Files: p.filesOf.at(i), Words: p.said.at(i),
		PathWords: int(p.briefs[i].pathWords),
	}
}

// Pack returns all of the image as flat arrays, which Unpack uses as they are.
func (m *Image) Pack() []byte {
	p := &packed{byKind: m.byKind, lastAt: m.lastAt, gone: m.gone, briefs: m.briefs, sums: m.sumsOf()}
	bases := make([]vocab.Word, m.Files())
	stems := make([]vocab.Word, m.Files())
	for n := range m.Files() {
		f := m.file(FileNo(n))
		p.paths.add([]byte(f.Path))
		p.inTree = append(p.inTree, f.InTree)
		p.words.add(f.Words)
		p.names.add(f.Names)
		p.dirOf = append(p.dirOf, f.dir)
		p.byFile.add(m.Of(FileNo(n)))
		bases[n], stems[n] = baseWord(f.Path), stemWord(vocab.Stem(f.Path))
	}
	for n := range m.Episodes() {
		e := m.episode(uint32(n))
		p.at, p.ref = append(p.at, e.At.UnixMilli()), append(p.ref, e.Ref)
		p.filesOf.add(e.Files)
		p.said.add(e.Words)
	}
	for d := range m.folders() {
		p.dirs.add([]byte(m.dirName(FolderNo(d))))
		p.dirFiles.add(m.inDir(FolderNo(d)))
		p.dirOrder = append(p.dirOrder, FolderNo(d))
	}
	slices.SortFunc(p.dirOrder, func(a, b FolderNo) int { return compareFolders(p.dirs.text(int(a)), p.dirs.text(int(b))) })
	for kind := range m.said {
		p.fileSaid[kind] = extended(slices.Clone(m.said[kind].words.counts), m.Files())
		p.folderSaid[kind] = extended(slices.Clone(m.said[kind].folders.counts), m.folders())
		p.inSpoken[kind] = pack(m.Episodes(), m.spokenIn(EpisodeKind(kind)))
	}
	p.inPaths, p.inNames = pack(m.Files(), m.wordsOf), pack(m.Files(), m.definedBy)
	p.inBases = pack(m.Files(), func(n uint32) []vocab.Word { return bases[n : n+1] })
	p.inStems = pack(m.Files(), func(n uint32) []vocab.Word { return stems[n : n+1] })
	p.pathTable = packPaths(m.Files(), p.paths.text)
	w := sections{}
	p.visit(&w)
	return w.bytes()
}

// sumsOf are the sums that the image keeps, in an order of their own, with the sizes of its parts before them.
func (m *Image) sumsOf() (sums []int64) {
	sums = append(sums, int64(m.Files()), int64(m.Episodes()), int64(m.folders()))
	for _, sum := range m.sums() {
		sums = append(sums, int64(*sum))
	}
	return sums
}

func (m *Image) sums() []*int {
	all := []*int{&m.alive.files, &m.alive.words, &m.alive.names}
	for kind := range m.said {
		said := &m.said[kind]
		all = append(all, &m.texts[kind].words, &m.texts[kind].pathWords,
			&said.words.total, &said.words.some, &said.folders.total, &said.folders.some)
	}
	return all
}

// Unpack returns the image of what Pack wrote, which goes on using the bytes. They must begin at a multiple of eight.
func Unpack(b []byte) (*Image, error) {
	p := &packed{}
	r := sections{rest: b, reading: true}
	p.visit(&r)
	m := NewImage()
	sums := m.sums()
	if r.failed || len(p.sums) != 3+len(sums) || !p.fits(int(p.sums[0]), int(p.sums[1]), int(p.sums[2])) {
		return nil, fmt.Errorf("packed past of %d bytes: %w", len(b), memory.ErrDamaged)
	}
	for i, sum := range sums {
		*sum = int(p.sums[3+i])
	}
	m.base, m.byKind, m.lastAt, m.gone, m.briefs = p, p.byKind, p.lastAt, p.gone, p.briefs
	for kind := range m.said {
		m.said[kind].words.counts, m.said[kind].folders.counts = p.fileSaid[kind], p.folderSaid[kind]
		m.inSpoken[kind].base = &p.inSpoken[kind]
	}
	m.inPaths.base, m.inNames.base, m.inBases.base = &p.inPaths, &p.inNames, &p.inBases
	return m, nil
}

// fits reports whether the sections belong to this many files, episodes and folders.
func (p *packed) fits(files, episodes, folders int) bool {
	ok := p.paths.fits(files) && p.words.fits(files) && p.names.fits(files) && p.byFile.fits(files) &&
		p.filesOf.fits(episodes) && p.said.fits(episodes) && p.dirs.fits(folders) && p.dirFiles.fits(folders) &&
		len(p.gone) == files && len(p.inTree) == files && len(p.dirOf) == files && len(p.lastAt) == files &&
		len(p.briefs) == episodes && len(p.at) == episodes && len(p.ref) == episodes && len(p.dirOrder) == folders &&
		len(p.pathTable)&(len(p.pathTable)-1) == 0 && len(p.pathTable) > files
	of := 0
	for kind := range p.byKind {
		of += len(p.byKind[kind])
		ok = ok && len(p.fileSaid[kind]) == files && len(p.folderSaid[kind]) == folders && p.inSpoken[kind].fits()
	}
	for _, b := range p.briefs { // a question follows these without looking again
		ok = ok && b.kind < episodeKinds && int(b.rank) < len(p.byKind[b.kind])
	}
	return ok && of == episodes && p.inPaths.fits() && p.inNames.fits() && p.inBases.fits() && p.inStems.fits()
}

func (l *lists[T]) fits(n int) bool {
	return l.len() == n && (n == 0 || l.ends[0] == 0 && int(l.ends[n]) == len(l.items))
}

func (p *postings) fits() bool { return p.items.fits(len(p.keys)) }

// visit goes through the sections in the order they are written in.
func (p *packed) visit(s *sections) {
	section(s, &p.sums)
	for _, l := range []*lists[vocab.Word]{&p.words, &p.names, &p.said} {
		visitLists(s, l)
	}
	for _, l := range []*lists[FileNo]{&p.filesOf, &p.dirFiles} {
		visitLists(s, l)
	}
	visitLists(s, &p.paths.lists)
	visitLists(s, &p.dirs.lists)
	visitLists(s, &p.byFile)
	section(s, &p.gone)
	section(s, &p.inTree)
	section(s, &p.dirOf)
	section(s, &p.dirOrder)
	section(s, &p.briefs)
	for _, times := range []*[]int64{&p.lastAt, &p.at, &p.ref} {
		section(s, times)
	}
	section(s, &p.pathTable)
	for kind := range p.byKind {
		section(s, &p.byKind[kind])
		section(s, &p.fileSaid[kind])
		section(s, &p.folderSaid[kind])
	}
	for _, x := range []*postings{&p.inPaths, &p.inNames, &p.inBases, &p.inStems, &p.inSpoken[0], &p.inSpoken[1]} {
		section(s, &x.keys)
		visitLists(s, &x.items)
	}
}

func visitLists[T any](s *sections, l *lists[T]) {
	section(s, &l.ends)
	section(s, &l.items)
}

// sections are written, or read, one after the other: a length in elements, then the elements as they lie in memory, up to a multiple
// of eight bytes. A file of a machine with the other byte order is recognised by its header.
type sections struct {
	out     [][]byte
	rest    []byte
	reading bool
	failed  bool
}

const align = 8

func section[T any](s *sections, of *[]T) {
	var one T
	size := int(unsafe.Sizeof(one))
	if !s.reading {
		length := uint64(len(*of))
		raw := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(*of))), len(*of)*size)
		s.out = append(s.out, slices.Clone(unsafe.Slice((*byte)(unsafe.Pointer(&length)), align)), raw, make([]byte, -len(raw)&(align-1)))
		return
	}
	if s.failed || len(s.rest) < align {
		s.failed = true
		return
	}
	length := *(*uint64)(unsafe.Pointer(unsafe.SliceData(s.rest)))
	s.rest = s.rest[align:]
	if length > uint64(len(s.rest)/size) {
		s.failed = true
		return
	}
	raw := s.rest[:int(length)*size]
	*of = unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(raw))), int(length))
	s.rest = s.rest[min(len(raw)+(-len(raw)&(align-1)), len(s.rest)):]
}

func (s *sections) bytes() []byte { return slices.Concat(s.out...) }
