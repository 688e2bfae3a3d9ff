package recall

// Which words stand in which files of a work tree is kept in one file per project that a question reads only at its own words.
// It is derived from the work tree, holds hashes of words and no text, and may be deleted at any time.

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sort"

	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/vocab"
)

const (
	mostFileWords  = 400 // different words of one file that are kept, the most frequent first (a longer file is mostly data)
	mostTimes      = 255
	lengthScale    = 0.75 // how much a long file is discounted (b of BM25)
	wordSaturation = 1.2  // how slowly a word that comes again stops adding (k1 of BM25)
	commonShare    = 3    // a word in more than one in so many files says too little to be looked up
	lengthSteps    = 8    // lengths of files are kept as their logarithm, in eighths of a doubling
	mostMarks      = 32   // words that tell a file from most others, by which files akin to it are found
)

// MostFiles of a work tree are kept.
const MostSourceFiles = 50_000

// The layout, all numbers little-endian: a head (mark, version, sizes of what follows, its checksum); for each file the offset of its
// state; the buckets of words by their upper bits; the words (word, offset of its postings, their number); the postings (file as a
// difference to the one before, times, length of the file); and the states of the files, each with its path and its marks.
const (
	mark        = 0x68656263
	fileVersion = 3 // 1 had words of secrets, 2 no marks
	headBytes   = 48
	checked     = headBytes - numberBytes // of the head
	numberBytes = 4
	buckets     = 1 << 12
	bucketShift = 32 - 12
	entryBytes  = 3 * numberBytes
	postingMost = binary.MaxVarintLen32 + 2
)

// Source is a file of the work tree as it was read.
type ReadFile struct {
	Path           string // as memory.EscapePath has it
	Size, Modified int64  // bytes, and nanoseconds since 1970
	Hash           int64
	Length         int // words
}

// posting says how often a word stands in a file, and how long that is.
type posting struct {
	file          uint32
	times, length byte
}

// shortened is a length as it is kept, and lengthened what that stands for.
func shortened(length int) byte {
	return byte(min(255, math.Round(lengthSteps*math.Log2(float64(1+length)))))
}
func lengthened(kept byte) float64 { return math.Exp2(float64(kept)/lengthSteps) - 1 }

// Contents are the words of a work tree, for being changed. Those of files that stay as they were are read when it is
// saved.
type FileWords struct {
	Sources map[string]ReadFile
	words   map[string][]wordCount // of files that were put, by path
	from    string                 // the file with the words of the others; empty: there are none
	Changed bool
}

// counted is how often a word stands in a file.
type wordCount struct {
	word  vocab.Word
	times byte
}

// New knows no file.
func NewFileWords() *FileWords {
	return &FileWords{Sources: map[string]ReadFile{}, words: map[string][]wordCount{}}
}

// Put says what stands in a file.
func (c *FileWords) Put(s ReadFile, text string) {
	counts := map[vocab.Word]int{}
	for _, w := range vocab.Words(text) {
		counts[vocab.WordOf(w)]++
		s.Length++
	}
	kept := make([]vocab.Word, 0, len(counts))
	for w := range counts {
		kept = append(kept, w)
	}
	slices.SortFunc(kept, func(a, b vocab.Word) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b)) })
	words := make([]wordCount, min(len(kept), mostFileWords))
	for i := range words {
		words[i] = wordCount{kept[i], byte(min(counts[kept[i]], mostTimes))}
	}
	c.Sources[s.Path], c.words[s.Path], c.Changed = s, words, true
}

// Touch says that a file has the same text as before.
func (c *FileWords) Touch(s ReadFile) {
	if old, known := c.Sources[s.Path]; known {
		s.Length = old.Length
		c.Sources[s.Path], c.Changed = s, true
	}
}

// Drop forgets a file.
func (c *FileWords) Drop(path string) {
	if _, known := c.Sources[path]; known {
		delete(c.Sources, path)
		delete(c.words, path)
		c.Changed = true
	}
}

// Save writes the contents. A reader sees the old file or the new one.
func (c *FileWords) Save(file string) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return fmt.Errorf("keep the words of files: %w", err)
	}
	if dir := filepath.Dir(file); !filesys.IsFolder(dir) {
		return fmt.Errorf("%s is a link; put a folder there, or nothing: %w", dir, memory.ErrRefused)
	}
	c.complete()
	if err := replace(file, c.encode()); err != nil {
		return fmt.Errorf("keep the words of files: %w", err)
	}
	c.Changed = false
	return nil
}

// complete adds the words of files that stay as they were. A file whose words cannot be read is forgotten, so that the
// next run reads it again.
func (c *FileWords) complete() {
	old, err := load(c.from)
	for path := range c.Sources {
		if _, put := c.words[path]; put {
			continue
		}
		words, known := old[path]
		if err != nil || !known {
			delete(c.Sources, path)
			continue
		}
		c.words[path] = words
	}
	c.from = ""
}

// replace writes a file under another name, flushes it and gives it its name.
func replace(file string, data []byte) (err error) {
	f, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*.partial") // with mode 0600
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = filesys.Rename(f.Name(), file)
	}
	if err != nil {
		err = errors.Join(err, filesys.Remove(f.Name()))
	}
	return err
}

func (c *FileWords) encode() []byte {
	paths := slices.Sorted(maps.Keys(c.Sources))
	number, lists := map[vocab.Word]int{}, [][]posting{} // lists of postings by the numbers of words
	total, texts := 0, 0
	for n, p := range paths {
		length := c.Sources[p].Length
		total += length
		if length > 0 {
			texts++
		}
		kept := shortened(length)
		for _, w := range c.words[p] {
			i, met := number[w.word]
			if !met {
				i, number[w.word] = len(lists), len(lists)
				lists = append(lists, nil)
			}
			lists[i] = append(lists[i], posting{uint32(n), w.times, kept})
		}
	}
	var places, states []byte
	for _, p := range paths {
		s := c.Sources[p]
		places = binary.LittleEndian.AppendUint32(places, uint32(len(states)))
		states = binary.AppendUvarint(states, uint64(len(p)))
		states = append(states, p...)
		for _, v := range []int64{s.Size, s.Modified, s.Hash, int64(s.Length)} {
			states = binary.AppendVarint(states, v)
		}
		marks := marksOf(c.words[p], func(w vocab.Word) int { return len(lists[number[w]]) }, texts)
		states = binary.AppendUvarint(states, uint64(len(marks)))
		for _, w := range marks {
			states = binary.LittleEndian.AppendUint32(states, uint32(w))
		}
	}
	words := slices.Sorted(maps.Keys(number))
	var table, entries, postings []byte
	for b, i := 0, 0; b <= buckets; b++ {
		for i < len(words) && int(words[i]>>bucketShift) < b {
			i++
		}
		table = binary.LittleEndian.AppendUint32(table, uint32(i))
	}
	for _, w := range words {
		list := lists[number[w]]
		entries = binary.LittleEndian.AppendUint32(entries, uint32(w))
		entries = binary.LittleEndian.AppendUint32(entries, uint32(len(postings)))
		entries = binary.LittleEndian.AppendUint32(entries, uint32(len(list)))
		last := uint32(0)
		for _, p := range list {
			postings = binary.AppendUvarint(postings, uint64(p.file-last))
			postings = append(postings, p.times, p.length)
			last = p.file
		}
	}
	h := head{files: len(paths), texts: texts, words: len(words), total: total, postings: len(postings), states: len(states)}
	return bytes.Join([][]byte{h.encode(), places, table, entries, postings, states}, nil)
}

// marksOf are the words that most tell a file from others, among those that other files have too. Names of functions and types are such
// words: they lead from where a thing is defined to where it is used, and back.
func marksOf(words []wordCount, found func(vocab.Word) int, texts int) (marks []vocab.Word) {
	type weighed struct {
		word   vocab.Word
		weight float64
	}
	var all []weighed
	for _, w := range words {
		if n := found(w.word); n > 1 && !common(n, texts) {
			all = append(all, weighed{w.word, wordRarity(texts, n) * float64(w.times) / (float64(w.times) + wordSaturation)})
		}
	}
	slices.SortFunc(all, func(a, b weighed) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.word, b.word))
	})
	for _, w := range all[:min(len(all), mostMarks)] {
		marks = append(marks, w.word)
	}
	return marks
}

// common says that a word is in so many files that it says nothing.
func common(found, texts int) bool { return found*commonShare > texts && texts > commonShare }

// head says where everything stands.
type head struct {
	files, words, total, postings, states int
	texts                                 int // files that have words; the others are only known, so that they are not read again
}

func (h head) encode() []byte {
	b := binary.LittleEndian.AppendUint32(nil, mark)
	b = binary.LittleEndian.AppendUint32(b, fileVersion)
	for _, n := range []int{h.files, h.words, h.postings, h.states} {
		b = binary.LittleEndian.AppendUint32(b, uint32(n))
	}
	b = binary.LittleEndian.AppendUint64(b, uint64(h.total))
	b = binary.LittleEndian.AppendUint32(b, uint32(h.texts))
	b = append(b, make([]byte, checked-len(b))...)
	return binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
}

func (h head) tableAt() int64    { return headBytes + int64(h.files)*numberBytes }
func (h head) entriesAt() int64  { return h.tableAt() + (buckets+1)*numberBytes }
func (h head) postingsAt() int64 { return h.entriesAt() + int64(h.words)*entryBytes }
func (h head) statesAt() int64   { return h.postingsAt() + int64(h.postings) }
func (h head) end() int64        { return h.statesAt() + int64(h.states) }

// Reader answers from a file of contents.
type WordsReader struct {
	file *os.File
	head
}

// Open opens a file of contents. One that is missing, of another version, torn or foreign is an error; it is made anew in the background.
func OpenFileWords(file string) (*WordsReader, error) {
	f, err := filesys.Open(file, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	r := &WordsReader{file: f}
	if err := r.readHead(); err != nil {
		return nil, errors.Join(fmt.Errorf("words of files in %s: %w", file, err), f.Close())
	}
	return r, nil
}

// Close closes the file.
func (r *WordsReader) Close() error { return r.file.Close() }

func (r *WordsReader) readHead() error {
	b := make([]byte, headBytes)
	if _, err := r.file.ReadAt(b, 0); err != nil {
		return memory.ErrDamaged
	}
	number := func(at int) int { return int(binary.LittleEndian.Uint32(b[at:])) }
	if number(0) != mark || number(4) != fileVersion || binary.LittleEndian.Uint32(b[checked:]) != crc32.ChecksumIEEE(b[:checked]) {
		return memory.ErrDamaged
	}
	r.head = head{files: number(8), words: number(12), postings: number(16), states: number(20), total: int(binary.LittleEndian.Uint64(b[24:])), texts: number(32)}
	if info, err := r.file.Stat(); err != nil || info.Size() != r.end() {
		return memory.ErrDamaged
	}
	return nil
}

func (r *WordsReader) at(offset int64, size int) ([]byte, error) {
	b := make([]byte, size)
	_, err := r.file.ReadAt(b, offset)
	return b, err
}

// list reads the postings of a word; none if so many files have it that it says nothing.
func (r *WordsReader) list(w vocab.Word) (list []posting, err error) {
	b, err := r.at(r.tableAt()+int64(w>>bucketShift)*numberBytes, 2*numberBytes)
	if err != nil {
		return nil, err
	}
	from, to := binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[numberBytes:])
	if from > to || int(to) > r.words {
		return nil, memory.ErrDamaged
	}
	if b, err = r.at(r.entriesAt()+int64(from)*entryBytes, int(to-from)*entryBytes); err != nil {
		return nil, err
	}
	for ; len(b) > 0; b = b[entryBytes:] {
		if vocab.Word(binary.LittleEndian.Uint32(b)) != w {
			continue
		}
		offset, count := int(binary.LittleEndian.Uint32(b[4:])), int(binary.LittleEndian.Uint32(b[8:]))
		if offset > r.postings || count > r.texts {
			return nil, memory.ErrDamaged
		}
		if common(count, r.texts) {
			return nil, nil
		}
		if b, err = r.at(r.postingsAt()+int64(offset), min(count*postingMost, r.postings-offset)); err != nil {
			return nil, err
		}
		return decode(b, count, r.files)
	}
	return nil, nil
}

func decode(b []byte, count, files int) ([]posting, error) {
	list := make([]posting, 0, count)
	last := uint64(0)
	for range count {
		step, n := binary.Uvarint(b)
		if n <= 0 || n+2 > len(b) || last+step >= uint64(files) {
			return nil, memory.ErrDamaged
		}
		last += step
		list = append(list, posting{uint32(last), b[n], b[n+1]})
		b = b[n+2:]
	}
	return list, nil
}

// Found is a file with how well its words fit a question: 0 for not at all, 1 for every word, each as rare as can be.
type FoundFile struct {
	Path string
	Fit  float64
}

// Akin returns the files that have most of the marks of a file, best first; itself is among them.
func (r *WordsReader) Akin(path string, most int) ([]FoundFile, error) {
	marks, err := r.marks(path)
	if err != nil {
		return nil, err
	}
	return r.Find(marks, most)
}

// Find returns the files whose words fit best, best first, at most this many.
func (r *WordsReader) Find(words []vocab.Word, most int) ([]FoundFile, error) {
	if r.texts == 0 {
		return nil, nil
	}
	fit := map[uint32]float64{}
	usual := float64(r.total) / float64(r.texts)
	whole := max(1, float64(len(words))) * max(1, wordRarity(r.texts, 1))
	for _, w := range words {
		list, err := r.list(w)
		if err != nil {
			return nil, err
		}
		rare := wordRarity(r.texts, len(list))
		for _, p := range list {
			times, slow := float64(p.times), wordSaturation*(1-lengthScale+lengthScale*lengthened(p.length)/max(usual, 1))
			fit[p.file] += rare * times * (wordSaturation + 1) / (times + slow) / whole
		}
	}
	best := make([]uint32, 0, len(fit))
	for n := range fit {
		best = append(best, n)
	}
	slices.SortFunc(best, func(a, b uint32) int { return cmp.Or(cmp.Compare(fit[b], fit[a]), cmp.Compare(a, b)) })
	found := make([]FoundFile, min(most, len(best)))
	for i := range found {
		s, _, err := r.source(best[i])
		if err != nil {
			return nil, err
		}
		found[i] = FoundFile{Path: s.Path, Fit: fit[best[i]]}
	}
	return found, nil
}

func wordRarity(all, found int) float64 {
	if found == 0 {
		return 0
	}
	return math.Log(1 + (float64(all-found)+.5)/(float64(found)+.5))
}

// marks are the words by which files akin to one are found; none where it is not known.
func (r *WordsReader) marks(path string) ([]vocab.Word, error) {
	var failed error
	n := sort.Search(r.files, func(n int) bool {
		s, _, err := r.source(uint32(n))
		failed = errors.Join(failed, err)
		return s.Path >= path
	})
	if failed != nil || n == r.files {
		return nil, failed
	}
	s, marks, err := r.source(uint32(n))
	if s.Path != path {
		return nil, err
	}
	return marks, err
}

// source reads the state of one file, and its marks.
func (r *WordsReader) source(n uint32) (ReadFile, []vocab.Word, error) {
	b, err := r.at(headBytes+int64(n)*numberBytes, numberBytes)
	if err != nil {
		return ReadFile{}, nil, err
	}
	from := int(binary.LittleEndian.Uint32(b))
	if from > r.states {
		return ReadFile{}, nil, memory.ErrDamaged
	}
	const usual = 512 // bytes, enough for nearly all
	if b, err = r.at(r.statesAt()+int64(from), min(usual, r.states-from)); err != nil {
		return ReadFile{}, nil, err
	}
	s, marks, _, err := decodeSource(b)
	if err != nil && r.states-from > usual {
		if b, err = r.at(r.statesAt()+int64(from), r.states-from); err == nil {
			s, marks, _, err = decodeSource(b)
		}
	}
	return s, marks, err
}

func decodeSource(b []byte) (s ReadFile, marks []vocab.Word, rest []byte, err error) {
	size, n := binary.Uvarint(b)
	if n <= 0 || size > uint64(len(b)-n) {
		return s, nil, nil, memory.ErrDamaged
	}
	s.Path, b = string(b[n:n+int(size)]), b[n+int(size):]
	var length int64
	for _, v := range []*int64{&s.Size, &s.Modified, &s.Hash, &length} {
		if *v, n = binary.Varint(b); n <= 0 {
			return s, nil, nil, memory.ErrDamaged
		}
		b = b[n:]
	}
	s.Length = int(length)
	count, n := binary.Uvarint(b)
	if n <= 0 || count > mostMarks || int(count)*numberBytes > len(b)-n {
		return s, nil, nil, memory.ErrDamaged
	}
	for b = b[n:]; len(marks) < int(count); b = b[numberBytes:] {
		marks = append(marks, vocab.Word(binary.LittleEndian.Uint32(b)))
	}
	return s, marks, b, nil
}

// Load reads which files a file of contents knows, for changing it. One that cannot be used is as none.
func LoadFileWords(file string) *FileWords {
	c := NewFileWords()
	r, sources, err := open(file)
	if err != nil {
		return c
	}
	_ = r.Close()
	for _, s := range sources {
		c.Sources[s.Path] = s
	}
	c.from = file
	return c
}

// open opens a file of contents and reads which files it knows.
func open(file string) (*WordsReader, []ReadFile, error) {
	r, err := OpenFileWords(file)
	if err != nil {
		return nil, nil, err
	}
	sources := make([]ReadFile, r.files)
	states, err := r.at(r.statesAt(), r.states)
	for i := range sources {
		if err == nil {
			sources[i], _, states, err = decodeSource(states)
		}
	}
	if err != nil {
		return nil, nil, errors.Join(err, r.Close())
	}
	return r, sources, nil
}

// load reads the words of all files, by path; none without a file.
func load(file string) (words map[string][]wordCount, err error) {
	if file == "" {
		return nil, nil
	}
	r, sources, err := open(file)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	entries, err := r.at(r.entriesAt(), r.words*entryBytes)
	if err != nil {
		return nil, err
	}
	postings, err := r.at(r.postingsAt(), r.postings)
	if err != nil {
		return nil, err
	}
	found := make([][]wordCount, len(sources))
	for ; len(entries) > 0; entries = entries[entryBytes:] {
		w, offset, count := binary.LittleEndian.Uint32(entries), int(binary.LittleEndian.Uint32(entries[4:])), int(binary.LittleEndian.Uint32(entries[8:]))
		if offset > len(postings) || count > r.files {
			return nil, memory.ErrDamaged
		}
		list, err := decode(postings[offset:], count, r.files)
		if err != nil {
			return nil, err
		}
		for _, p := range list {
			found[p.file] = append(found[p.file], wordCount{vocab.Word(w), p.times})
		}
	}
	words = make(map[string][]wordCount, len(sources))
	for i, s := range sources {
		words[s.Path] = found[i]
	}
	return words, nil
}

// Remove deletes a file of contents, if there is one.
func RemoveFileWords(file string) error { return filesys.RemoveOwn(file) }
